-- make bench: build/release/kartlua spec/bench/run.lua build/release
--
-- Figures of one run on one machine, to be compared with each other and with nothing else: medians of
-- whole processes that take turns. Yardsticks are other people's programs, named by environment
-- variables; what isn't there is left out, and said. BENCH_RUNS sets how often each one runs.

local lfs = require "lfs"

local build = arg[1] or "build/release"
local work = build .. "/bench"
local runs = math.tointeger(tonumber(os.getenv "BENCH_RUNS" or 101))
local wkmpt, wkclt = os.getenv "WKMPT", os.getenv "WKCLT"
local corpus = os.getenv "KARTLUA_CORPUS" or "../shared/corpus"

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Times commands, { name, word... } each, so often. Gives { name =, median =, fastest = } for each, in ms.
local function measure(commands, times)
   local words = { quote(build .. "/bench_process"), times }
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
local function compare(title, commands, has_yardstick, times)
   print(("\n%-32s %9s %9s"):format(title, "median ms", "fastest"))
   local results = measure(commands, times or runs)
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

-- Octrees, too. The yardstick makes files of the same triangles, from OBJ to KCL, as a whole process; what would
-- take it minutes is left out.
local function octrees()
   local words = { quote(build .. "/bench_build"), tostring((runs + 9) // 10), quote(work) }
   local names = { "hilly_grid_3042", "hilly_grid_10082" }
   for _, name in ipairs{ "arena_maze1", "race_dust_v12", "race_ruins_v113", "race_lego", "race_orange_v105" } do
      local path = ("%s/kcl-mkw/%s.kcl"):format(corpus, name)
      if lfs.attributes(path) then
         words[#words + 1] = quote(path)
         names[#names + 1] = name .. ".kcl"
      end
   end
   print(("\n%-32s %9s %9s"):format(#words > 3 and "Octrees: files rebuilt, grids made"
      or "Octrees: grids made (no corpus)", "median ms", "fastest"))
   io.stdout:flush()
   if not os.execute(table.concat(words, " ")) then os.exit(1) end
   if not wkclt then print "   no yardstick: WKCLT names no wkclt program" end
   -- Whole processes, from OBJ to KCL; the yardstick in the same run, but for what would take it minutes.
   names[#names + 1] = "flat_grid_59858"
   for _, name in ipairs(names) do
      local obj, target = ("%s/%s.obj"):format(work, name), work .. "/made.kcl"
      local commands = { { "kartlua", build .. "/kartlua", "obj_to_kcl", "--unknown", "road", "-o", target, obj } }
      local beside = wkclt and name ~= "flat_grid_59858"
      if beside then commands[2] = { "wkclt", wkclt, "encode", obj, "-d", work .. "/wkclt.kcl", "-o" } end
      compare(("%s.obj to KCL"):format(name), commands, beside, math.min(runs, beside and 3 or 5))
   end
end
octrees()

-- Lookups in collision: first by the library alone, then the same from Lua. Those of real files have been timed
-- in the engine's reimplementation Kinoko; KINOKO names a program that times it here (spec/bench/lookup.c).
local function lookups(paths)
   local words = { quote(build .. "/bench_lookup"), math.min(tonumber(runs), 21), quote(work) }
   for _, path in ipairs(paths) do words[#words + 1] = quote(path) end
   local pipe <close> = assert(io.popen(table.concat(words, " ")))
   local batch, file = {}, nil -- ns of the library's batch on all processors, by file
   for line in pipe:lines() do
      print(line)
      file = line:match "^   (%S+%.kcl)" or file
      local each = line:match "^      as a batch.- (%d+) +%d+$"
      if each then batch[file] = tonumber(each) end
   end
   if not pipe:close() then os.exit(1) end
   print(("\n%-32s %9s %9s"):format("the same from Lua", "median ns", "fastest"))
   for _, path in ipairs(paths) do
      local name, doc = path:match "[^/]*$", assert(kart.open(path))
      local bytes = assert(kart.file.read(work .. "/" .. name .. ".queries"))
      local points = kart.points.parse(bytes:sub(5))
      local function time(what, call, count)
         local times = {}
         for i = 1, 11 do
            local start = kart.os.seconds()
            call()
            times[i] = (kart.os.seconds() - start) * 1e9 / count
         end
         table.sort(times)
         local ratio = what == "batch" and batch[name] and ("%9.2f of the library's"):format(times[6] / batch[name])
         print(("   %-29s %9.0f %9.0f%s"):format(name .. ", " .. what, times[6], times[1], ratio or ""))
      end
      time("batch", function() assert(doc:lookup_sphere_many(points, 100)) end, #points)
      local list = {}
      for i = 1, 2000 do list[i] = points[i] end
      time("one by one", function()
         for _, point in ipairs(list) do doc:lookup_sphere(point, 100) end
      end, #list)
      local start = kart.os.seconds()
      local found = assert(doc:verify())
      print(("   %-29s %9.2f s, %d spheres, %d cells"):format(name .. ", verify", kart.os.seconds() - start,
         found.queries, found.cells))
   end
end

local files = {}
for _, name in ipairs{ "arena_maze1", "race_dust_v12", "race_ruins_v113", "race_lego" } do
   local path = ("%s/kcl-mkw/%s.kcl"):format(corpus, name)
   if lfs.attributes(path) then files[#files + 1] = path end
end
if not os.getenv "KINOKO" then print "\nno yardstick for lookups: KINOKO names no program" end
io.stdout:flush()
lookups(#files > 0 and files or { "build/samples/race.kcl" })

-- Trees beside Embree, then the same ground from Lua.
local function trees(paths)
   local words = { quote(build .. "/bench_tree"), math.min(tonumber(runs), 21), quote(work) }
   for _, path in ipairs(paths) do words[#words + 1] = quote(path) end
   local pipe <close> = assert(io.popen(table.concat(words, " ")))
   local single, batch, file = {}, {}, nil -- ns by file, of the library
   print(("\n%-32s %9s %9s"):format("Trees over triangles", "median", "fastest"))
   for line in pipe:lines() do
      print(line)
      file = line:match "^   (%S+), %d+ triangles" or file
      local one, many = line:match "ground, one by one +(%d+)", line:match "as a batch, 1 thread +(%d+)"
      if one then single[file] = tonumber(one) end
      if many then batch[file] = tonumber(many) end
   end
   if not pipe:close() then os.exit(1) end
   print(("\n%-32s %9s %9s"):format("the same ground from Lua", "median ns", "fastest"))
   for _, path in ipairs(paths) do
      local name, doc = path:match "[^/]*$", assert(kart.open(path))
      local points = kart.points.parse(assert(kart.file.read(work .. "/" .. name .. ".points")))
      assert(doc:nearest(points[1])) -- so that there is a tree
      local function time(what, count, call)
         local times = {}
         for i = 1, 5 do
            collectgarbage()
            local start = kart.os.seconds()
            call()
            times[i] = (kart.os.seconds() - start) * 1e9 / count
         end
         table.sort(times)
         return times[3], ("   %-29s %9.0f %9.0f"):format(name .. ", " .. what, times[3], times[1])
      end
      local ns, line = time("batch", #points, function() assert(doc:ground_many(points, { threads = 1 })) end)
      print(("%s%9.2f of the library's"):format(line, ns / batch[name]))
      local list = {}
      for i = 1, 100000 do list[i] = points[i * 10] end
      ns, line = time("one by one", #list, function()
         for _, point in ipairs(list) do doc:ground(point) end
      end)
      print(("%s%9.0f above the library's"):format(line, ns - single[name]))
   end
end

local scenes = {}
for _, path in ipairs{ corpus .. "/obj/terrain18k.obj", corpus .. "/kcl-mkw/race_ruins_v113.kcl" } do
   if lfs.attributes(path) then scenes[#scenes + 1] = path end
end
io.stdout:flush()
trees(#scenes > 0 and scenes or { "build/samples/race.kcl" })

-- Yaz0, meshes and arcade collision are timed inside one process: what counts there is not the process.
io.stdout:flush()
for _, name in ipairs{ "bench_yaz0", "bench_mesh", "bench_agp" } do
   if not os.execute(quote(build .. "/" .. name) .. " " .. runs) then os.exit(1) end
end
