-- make bench: build/release/kartlua spec/bench/run.lua build/release
--
-- Figures of one run on one machine, to be compared with each other and with nothing else: medians of
-- whole processes that take turns. Yardsticks are other people's programs, named by environment
-- variables; what isn't there is left out, and said. BENCH_RUNS sets how often each one runs.

local lfs = require "lfs"

local build = arg[1] or "build/release"
local work = build .. "/bench"
local runs = os.getenv "BENCH_RUNS" or "101"
local wkmpt = os.getenv "WKMPT"
local corpus = os.getenv "KARTLUA_CORPUS" or "../shared/corpus"

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Times commands, { name, word... } each. Gives { name =, median =, fastest = } for each, in ms.
local function measure(commands)
   local words = { quote(build .. "/bench_process"), runs }
   for i, command in ipairs(commands) do
      if i > 1 then words[#words + 1] = "--" end
      for _, word in ipairs(command) do words[#words + 1] = quote(word) end
   end
   local pipe <close> = assert(io.popen(table.concat(words, " ")))
   local results = {}
   for line in pipe:lines() do
      local name, median, fastest = line:match "^(.-)\t(.-)\t(.*)$"
      results[#results + 1] = { name = name, median = tonumber(median), fastest = tonumber(fastest) }
   end
   if #results < #commands then os.exit(1) end -- it has said which command failed
   return results
end

-- The same as a table; with a yardstick, which is the last command, each median is related to it.
local function compare(title, commands, has_yardstick)
   print(("\n%-32s %9s %9s"):format(title, "median ms", "fastest"))
   local results = measure(commands)
   local yardstick = has_yardstick and results[#results]
   for _, result in ipairs(results) do
      local ratio = yardstick and ("%9.2f of %s"):format(result.median / yardstick.median, yardstick.name) or ""
      print(("   %-29s %9.2f %9.2f%s"):format(result.name, result.median, result.fastest, ratio))
   end
end

local function mirror(input)
   local kartlua, output = build .. "/kartlua", work .. "/mirrored.kmp"
   local commands = {
      { "kartlua -v", kartlua, "-v" },
      { "kartlua mirror --dry-run", kartlua, "mirror", "--dry-run", input, "-o", output },
      { "kartlua mirror", kartlua, "mirror", input, "-o", output },
   }
   if wkmpt then
      commands[4] = { "wkmpt", wkmpt, "encode", input, "--scale", "-1,1,1", "-d", work .. "/wkmpt.kmp", "-o" }
   end
   compare("mirror " .. input:match "[^/]*$", commands, wkmpt)
end

lfs.mkdir(work)
print(("%s runs each; saving includes flushing to the disk"):format(runs))
if not wkmpt then print "no yardstick: WKMPT names no wkmpt program" end
mirror "build/samples/race.kmp"
local real = corpus .. "/kmp/race_ruins_v113.kmp"
if lfs.attributes(real) then mirror(real) else print("\nleft out: there is no " .. real) end

-- What scripts call over and over, timed inside this process; of each call the course that takes longest.
local function calls(paths)
   local slowest = {}
   for _, path in ipairs(paths) do
      local course = assert(kart.open(path))
      for name, limit in pairs{ check = 5, simulate_laps = 20 } do
         local times = {}
         for i = 1, 21 do
            local start = kart.os.seconds()
            course[name](course)
            times[i] = (kart.os.seconds() - start) * 1000
         end
         table.sort(times)
         local old = slowest[name]
         if not old or times[11] > old.median then
            slowest[name] = { median = times[11], fastest = times[1], path = path, limit = limit }
         end
      end
   end
   for _, name in ipairs{ "check", "simulate_laps" } do
      local row = slowest[name]
      local label = name:gsub("^simulate_", "") .. " " .. row.path:match "[^/]*$"
      print(("   %-29s %9.2f %9.2f  at most %d is meant"):format(label, row.median, row.fastest, row.limit))
   end
end

local courses = { "build/samples/race.kmp" }
if lfs.attributes(corpus .. "/kmp") then
   courses = {}
   for file in lfs.dir(corpus .. "/kmp") do
      if file:find "%.kmp$" then courses[#courses + 1] = corpus .. "/kmp/" .. file end
   end
   table.sort(courses)
end
print(("\n%-32s %9s %9s"):format(("slowest of %d courses, by call"):format(#courses), "median ms", "fastest"))
calls(courses)

-- Yaz0 is timed inside one process: what counts there is not the process.
io.stdout:flush()
local timed = os.execute(quote(build .. "/bench_yaz0") .. " " .. runs)
if not timed then os.exit(1) end
