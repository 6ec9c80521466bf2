--- Scripts by name: where they are looked for, and which recipes there are.
local lfs = require "lfs"

local scripts = {}

local LIST_SEPARATOR = package.config:sub(1, 1) == "\\" and ";" or ":"

--- The folders that are searched behind the current one, the first counts. `library` is the folder
--- of kartlua's own Lua files.
function scripts.folders(library)
   local folders = {}
   for folder in (os.getenv("KARTLUA_PATH") or ""):gmatch("[^" .. LIST_SEPARATOR .. "]+") do
      folders[#folders + 1] = folder
   end
   local data = os.getenv("XDG_DATA_HOME")
   if not data or data == "" then data = (os.getenv("HOME") or "") .. "/.local/share" end
   folders[#folders + 1] = data .. "/kartlua/scripts"
   folders[#folders + 1] = (library:match("^(.*/)[^/]+/*$") or "") .. "scripts"
   return folders
end

local function existing(path)
   local mode = lfs.attributes(path, "mode")
   return mode and mode ~= "directory" and path or nil
end

--- The path of the script (or course) called `name`, nil if there is none.
function scripts.find(name, library)
   local with_ending = not name:find("%.lua$") and name .. ".lua"
   local path = existing(name) or with_ending and existing(with_ending)
   if path or name:find("/") then return path end
   for _, folder in ipairs(scripts.folders(library)) do
      path = existing(folder .. "/" .. (with_ending or name))
      if path then return path end
   end
end

-- The summary of a recipe, nil if the file isn't one. Reads it: a list must not run scripts.
local function summary_of(path)
   local file = io.open(path, "rb")
   local text = file and file:read("a")
   if file then file:close() end
   local literal = text and text:match("%f[%w_]recipe[\"']?%)?%s*%(?%s*{.-%f[%w_]summary%s*=%s*(\"[^\"\n]*\")")
   return literal and load("return " .. literal, "=summary", "t", {})()
end

--- Recipes by name as an array of { name =, path =, summary = }, sorted; a shadowed one is left out.
function scripts.list(library)
   local found, list = {}, {}
   for _, folder in ipairs(table.move(scripts.folders(library), 1, 99, 2, { "." })) do
      if lfs.attributes(folder, "mode") == "directory" then
         for file in lfs.dir(folder) do
            local name, path = file:match("^(.+)%.lua$"), folder .. "/" .. file
            if name and not found[name] and existing(path) then
               found[name] = true
               local summary = summary_of(path)
               if summary then list[#list + 1] = { name = name, path = path, summary = summary } end
            end
         end
      end
   end
   table.sort(list, function(a, b) return a.name < b.name end)
   return list
end

return scripts
