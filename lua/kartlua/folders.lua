--- Folders among the inputs of a command.
local lfs = require "lfs"

local function search(folder, endings, found)
   local names = {}
   for name in lfs.dir(folder) do
      if name:sub(1, 1) ~= "." then names[#names + 1] = name end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local path = folder:gsub("/*$", "/") .. name
      -- Links to folders aren't followed: they may lead in a circle.
      if lfs.symlinkattributes(path, "mode") == "directory" then
         search(path, endings, found)
      elseif endings[(name:match "%.(%w+)$" or ""):lower()] and lfs.attributes(path, "mode") == "file" then
         found[#found + 1] = path
      end
   end
end

--- The paths with every folder replaced by the files in it, and in its folders, that have one of the
--- endings ("kcl"), sorted. A folder without any stays.
return function(paths, endings)
   local files, wanted = {}, {}
   for _, ending in ipairs(endings) do wanted[ending] = true end
   for _, path in ipairs(paths) do
      local found = {}
      if lfs.attributes(path, "mode") == "directory" then search(path, wanted, found) end
      if #found == 0 then found[1] = path end
      table.move(found, 1, #found, #files + 1, files)
   end
   return files
end
