--- Several files at a time: each worker is the same command on a part of the files.

-- A word for a POSIX shell.
local function quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

-- The path of a job that still says which part of it stands below the folder that was given.
local function path_of(job)
   if not job.below then return job.input end
   return job.input:sub(1, -#job.below - 1) .. "./" .. job.below
end

local function command_line(command, given, jobs, first, last)
   local words = {}
   for _, word in ipairs(command) do words[#words + 1] = quote(word) end
   for _, entry in ipairs(given) do
      if entry[1].name ~= "jobs" then
         for i = 2, #entry do words[#words + 1] = quote(entry[i]) end
      end
   end
   words[#words + 1] = "--"
   for i = first, last do words[#words + 1] = quote(path_of(jobs[i])) end
   return table.concat(words, " ")
end

-- Nothing stays behind when Ctrl-C ends the wait.
local function clean(workers)
   for _, worker in ipairs(workers) do
      if io.type(worker.pipe) == "file" then worker.pipe:close() end
      os.remove(worker.messages)
   end
end

--- Run the jobs of a parsed command line (see recipe.lua) in `values.jobs` workers. Results and
--- messages come in the order of the files. Returns the exit code.
return function(command, parsed)
   local jobs = parsed.jobs
   local count = math.min(parsed.values.jobs, #jobs)
   local workers <close> = setmetatable({}, { __close = clean })
   for i = 1, count do
      local line = command_line(command, parsed.given, jobs, #jobs * (i - 1) // count + 1, #jobs * i // count)
      local messages = os.tmpname()
      workers[i] = { messages = messages, pipe = assert(io.popen(("%s 2>%s"):format(line, quote(messages)))) }
   end
   local code = 0
   for _, worker in ipairs(workers) do
      for text in worker.pipe:lines(65536) do io.write(text) end
      local _, how, status = worker.pipe:close()
      for text in io.lines(worker.messages, 65536) do io.stderr:write(text) end
      if how == "signal" or status > 2 then
         io.stderr:write(("kartlua: a worker was stopped (%s %d)\n"):format(how, status))
      end
      if how == "signal" or status ~= 0 then code = 1 end
   end
   return code
end
