--- Folders among the inputs of a command.
local kart = require "kartlua"
local lfs = require "lfs"

local folders = {}

local ARCHIVES = { "szs", "arc" }

local ENDINGS = { mesh = "obj", agp = "bin" }

--- What files of a kind of document end in, and are called.
function folders.ending(kind) return ENDINGS[kind] or kind end

-- Many things are called .bin: those that aren't collision don't count.
local function is_other_bin(path)
   if path:sub(-4):lower() ~= ".bin" then return false end
   local bytes = kart.file.read(path)
   return not (bytes and kart.agp.detect(bytes))
end

function folders.is(path) return lfs.attributes(path, "mode") == "directory" end

--- The same text for the same file or folder, whatever path leads to it; nil if there is none.
function folders.identity(path)
   local file = lfs.attributes(path)
   return file and file.dev .. ":" .. file.ino
end

--- Is it the folder of one course?
function folders.is_course(path)
   return lfs.attributes(path .. "/course.kmp", "mode") == "file"
      or lfs.attributes(path .. "/course.kcl", "mode") == "file"
end

-- The names in a folder that count, sorted.
local function names_in(folder, rules)
   local names = {}
   for name in lfs.dir(folder) do
      local stem = name:match "^(.+)%.[^.]*$" or name
      local is_result = rules.name and (stem:sub(-#rules.name) == rules.name or name:sub(-#rules.name) == rules.name)
      if name:sub(1, 1) ~= "." and not is_result then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

local function search(folder, rules, found)
   if rules.name and folders.is_course(folder) then
      found[#found + 1] = folder
      return
   end
   for _, name in ipairs(names_in(folder, rules)) do
      local path = folder .. "/" .. name
      -- Links to folders aren't followed: they may lead in a circle.
      if lfs.symlinkattributes(path, "mode") == "directory" then
         if folders.identity(path) ~= rules.output then search(path, rules, found) end
      elseif rules.endings[(name:match "%.(%w+)$" or ""):lower()] and lfs.attributes(path, "mode") == "file"
         and not is_other_bin(path) then
         found[#found + 1] = path
      end
   end
end

--- The paths with every folder replaced by what is in it, and in its folders, sorted: archives, and files
--- of these kinds ("kcl"). A folder in which nothing is found stands for itself. For a recipe
--- that saves, `name`: then the folder of a course is one thing, and results of that recipe are left out.
--- What lies in the folder `output`, if that is in one of them, is left out, too. Gives an array of
--- { path =, below = the part of it behind the folder that was given }; a path may say so itself with a
--- single dot: tracks/./luigi/course.szs.
function folders.expand(paths, kinds, name, output)
   local files, rules = {}, { endings = {}, name = name and "." .. name, output = output and folders.identity(output) }
   for _, list in ipairs{ ARCHIVES, kinds } do
      for _, kind in ipairs(list) do rules.endings[folders.ending(kind)] = true end
   end
   for _, path in ipairs(paths) do
      local root, below = path:match "^(.*/)%./(.+)$"
      local folder, found = (root and root .. below or path):gsub("(.)/+$", "%1"), {}
      if folders.is(folder) then search(folder, rules, found) end
      if #found == 0 then found[1] = root and folder or path end
      for _, file in ipairs(found) do
         files[#files + 1] = { path = file, below = below or #file > #folder and file:sub(#folder + 2) or nil }
      end
   end
   return files
end

--- Make the folders that a path leads through; true, or nil and a message.
function folders.make(path)
   for parent in path:gmatch("()/") do
      local folder = path:sub(1, parent - 1)
      if folder ~= "" and not folders.is(folder) then
         local _, problem = lfs.mkdir(folder)
         -- Another process may have made it meanwhile.
         if not folders.is(folder) then return nil, ("%s: cannot make the folder: %s"):format(folder, problem) end
      end
   end
   return true
end

return folders
