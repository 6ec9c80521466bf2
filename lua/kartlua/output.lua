--- Where the results of a recipe go, and how they get there.
local kart = require "kartlua"
local lfs = require "lfs"

local output = {}

local folders = require "kartlua.folders"
local is_folder = folders.is

-- A path without the slashes at its end.
local function trim(path) return (path:gsub("(.)/+$", "%1")) end

local function split(path)
   local folder, name = trim(path):match("^(.*/)([^/]*)$")
   return folder or "", name or trim(path)
end

-- The same text for the same file, whatever path leads to it, whether it is there or not.
local function identity(path)
   local folder, name = split(path)
   return folders.identity(path) or (folders.identity(folder == "" and "." or folder) or folder) .. "/" .. name
end

-- A path apart: course, .kmp. Of the names of folders only the .d of szs_extract is an ending.
local function apart(path)
   local stem, extension = path:match(is_folder(path) and "^(.*[^/])(%.d)$" or "^(.*[^/])(%.[^./]*)$")
   return stem or path, extension or ""
end

-- course.kmp -> course.mirror.kmp
local function beside(path, name, ending)
   local stem, extension = apart(path)
   return stem .. "." .. name .. (ending and "." .. ending or extension)
end

-- Where the result for one input goes.
local function target_of(file, values, folder, name, ending)
   local input = file.path
   if values.in_place then return input end
   if not folder then return values.output or beside(trim(input), name, ending) end
   local below = file.below or select(2, split(input))
   if not ending then return folder .. below end
   local extension = select(2, apart(trim(input)))
   return folder .. below:sub(1, #below - #extension) .. "." .. ending
end

--- An array of { input =, output =, in_place =, folder = is the result one }, or nil and why the options
--- can't be followed. `files` as from kartlua/folders.lua; `ending`: what results end in, nil for what the
--- inputs do.
function output.plan(files, values, name, ending)
   local target = values.output
   if target and values.in_place then return nil, "-o and --in-place exclude each other" end
   local folder = target and (target:sub(-1) == "/" and target or is_folder(target) and target .. "/")
   if target and not folder and #files > 1 then
      return nil, ("-o must name a folder for several files, and %s is none; %s/ makes it"):format(target, target)
   end

   local jobs, input_of, writer_of = {}, {}, {}
   for _, file in ipairs(files) do input_of[identity(file.path)] = file.path end
   for i, file in ipairs(files) do
      local input = file.path
      if select(2, split(input)):find "^%.*$" and not (values.in_place or folder) then
         return nil, ("-o must say how the result of the folder %s is to be called"):format(input)
      end
      local path = target_of(file, values, folder, name, ending)
      local id = identity(path)
      if writer_of[id] then
         return nil, ("%s and %s would both write %s"):format(writer_of[id], input, path)
      elseif input_of[id] and not values.in_place then
         return nil, ("%s would be written over the input %s; --in-place allows that"):format(path, input_of[id])
      end
      writer_of[id] = input
      jobs[i] = { input = input, output = path, below = file.below, in_place = values.in_place,
         folder = not ending and is_folder(input)
            and (values.in_place or not path:find "%.szs$" and not path:find "%.arc$"),
         make_folder = folder and path }
   end
   return jobs
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

-- Write bytes, or a mesh, which may be several files, as a job says; `path` is the file of them. Gives the
-- name under which a file that is written over was kept, or nil; and a message if it failed.
local function write(content, path, in_place)
   local kept, done, problem
   if in_place then
      kept, problem = back_up(path)
      if not kept then return nil, problem end
   end
   if type(content) == "string" then
      done, problem = kart.file.write(path, content)
   else
      done, problem = content:save(path)
   end
   if done then return kept end
   -- The input is as it was: that makes it a second copy of what is still there.
   if kept then os.remove(kept) end
   return nil, problem
end

-- A course in a folder: the files that changed in place, or all of them elsewhere.
local function write_folder(course, files, job)
   if not job.in_place and not is_folder(job.output) then
      local done, problem = course:extract(job.output)
      return nil, not done and problem or nil
   end
   local names = {}
   for _, file in ipairs(files) do
      local path = trim(job.output) .. "/" .. file.path
      if not file.folder and (file.changed or not job.in_place) then
         local done, problem = folders.make(path)
         if not done then return nil, problem end
         local kept
         kept, problem = write(course:read(file.path), path, job.in_place)
         if problem then return nil, problem end
         names[#names + 1] = kept
      end
   end
   return #names > 0 and table.concat(names, ", ") or nil
end

--- Make ready what a job of the plan is to write: a function that does it, or nil and why there is nothing
--- to write. The function gives the name under which an input that is written over was kept, or nil; and a
--- message if it failed.
function output.prepare(doc, job)
   local content, problem
   if job.folder then
      content, problem = doc:list()
   elseif kart.type(doc) == "mesh" then
      content = doc
   else
      content, problem = doc:bytes()
   end
   if not content then return nil, problem end
   return function()
      local done
      if job.make_folder then
         done, problem = folders.make(job.make_folder)
         if not done then return nil, problem end
      end
      if job.folder then return write_folder(doc, content, job) end
      return write(content, job.output, job.in_place)
   end
end

return output
