--- Generates courses of our own design: kartlua samples/make.lua FOLDER
--- race.kmp and arena.kmp, variants/ with files of every kind, broken/ with damaged ones. The bytes
--- are the same on each run.
local lfs = require "lfs"

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../?.lua;" .. package.path

local folder = ...
if not folder then
   io.stderr:write "usage: kartlua samples/make.lua FOLDER\n"
   os.exit(2)
end

local function make_folder(path)
   local parent = path:match "^(.+)/[^/]+$"
   if parent and not lfs.attributes(parent) then make_folder(parent) end
   if not lfs.attributes(path) then assert(lfs.mkdir(path)) end
end

local function write(name, bytes)
   local path = folder .. "/" .. name .. ".kmp"
   assert(kart.file.write(path, bytes))
   print(("%-56s %6d bytes"):format(path, #bytes))
end

make_folder(folder)
write("race", require "samples.race"():bytes())
write("arena", require "samples.arena"():bytes())
for _, kind in ipairs{ "variants", "broken" } do
   make_folder(folder .. "/" .. kind)
   for _, sample in ipairs(require("samples." .. kind)) do write(kind .. "/" .. sample.name, sample.make()) end
end
