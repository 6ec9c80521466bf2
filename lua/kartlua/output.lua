--- Where the results of a recipe go, and how they get there.
local kart = require "kartlua"
local lfs = require "lfs"

local output = {}

local function is_folder(path) return lfs.attributes(path, "mode") == "directory" end

local function split(path)
   local folder, name = path:match("^(.*/)([^/]*)$")
   return folder or "", name or path
end

-- The same text for the same file, whatever path leads to it.
local function identity(path)
   local file = lfs.attributes(path)
   if file then return file.dev .. ":" .. file.ino end
   local folder, name = split(path)
   local parent = lfs.attributes(folder == "" and "." or folder)
   return (parent and parent.dev .. ":" .. parent.ino or folder) .. "/" .. name
end

-- course.kmp -> course.mirror.kmp
local function beside(path, name)
   local folder, file = split(path)
   local stem, extension = file:match("^(.+)(%.[^.]*)$")
   return folder .. (stem or file) .. "." .. name .. (extension or "")
end

--- An array of { input =, output =, in_place = }, or nil and why the options can't be followed.
function output.plan(inputs, values, name)
   local target = values.output
   if target and values.in_place then return nil, "-o and --in-place exclude each other" end
   local folder = target and (target:sub(-1) == "/" and target or is_folder(target) and target .. "/")
   if target and not folder and #inputs > 1 then
      return nil, ("-o must name a folder for several files, and %s is none; %s/ makes it"):format(target, target)
   end

   local jobs, input_of, writer_of = {}, {}, {}
   for _, input in ipairs(inputs) do input_of[identity(input)] = input end
   for i, input in ipairs(inputs) do
      local path = values.in_place and input or folder and folder .. select(2, split(input)) or target
         or beside(input, name)
      local id = identity(path)
      if writer_of[id] then
         return nil, ("%s and %s would both write %s"):format(writer_of[id], input, path)
      elseif input_of[id] and not values.in_place then
         return nil, ("%s would be written over the input %s; --in-place allows that"):format(path, input_of[id])
      end
      writer_of[id] = input
      jobs[i] = { input = input, output = path, in_place = values.in_place, make_folder = folder }
   end
   return jobs
end

local function make_folder(path)
   for parent in path:gmatch("()/") do
      local folder = path:sub(1, parent - 1)
      if folder ~= "" and not is_folder(folder) then
         local _, problem = lfs.mkdir(folder)
         -- Another process may have made it meanwhile.
         if not is_folder(folder) then return nil, ("%s: cannot make the folder: %s"):format(folder, problem) end
      end
   end
   return true
end

-- The file that a path leads to, or nil where that can't be told.
local function followed(path)
   for _ = 1, 40 do
      local target = lfs.symlinkattributes(path, "target")
      if not target then return path end
      path = (target:sub(1, 1) == "/" and "" or split(path)) .. target
   end
end

-- Keep a file under a name that isn't taken: .bak, .bak2, ... Gives the name.
local function back_up(path)
   local number, kept = 1, path .. ".bak"
   while lfs.symlinkattributes(kept, "mode") do
      number = number + 1
      kept = path .. ".bak" .. number
   end
   -- A second name for the file as it is keeps its permissions, its owner and its date, and what is saved
   -- is a new file under the first name.
   local file = followed(path)
   if file and lfs.link(file, kept) then return kept end
   -- Where the file system has no such names, a copy must do; Lua can't give that the permissions.
   local bytes, problem = kart.file.read(path)
   if not bytes then return nil, problem end
   local done
   done, problem = kart.file.write(kept, bytes, { new = true })
   return done and kept, problem
end

--- Write a document's bytes as a job of the plan says. Gives the name under which an input that is
--- written over was kept, or nil; and a message if it failed.
function output.save(bytes, job)
   local kept, done, problem
   if job.in_place then
      kept, problem = back_up(job.input)
      if not kept then return nil, problem end
   elseif job.make_folder then
      done, problem = make_folder(job.make_folder)
      if not done then return nil, problem end
   end
   done, problem = kart.file.write(job.output, bytes)
   if done then return kept end
   -- The input is as it was: that makes it a second copy of what is still there.
   if kept then os.remove(kept) end
   return nil, problem
end

return output
