--- Generates courses of our own design: kartlua samples/make.lua FOLDER
--- race.kmp and arena.kmp, variants/ with files of every kind, broken/ with damaged ones; race.kcl,
--- the collision of the race course, kcl/ and broken_kcl/; arcade.bin,
--- collision of the arcade games, agp/ and broken_agp/; race.szs, KMP and KCL in an archive, szs/ and broken_szs/;
--- obj/ with meshes. The bytes are the same on each run.
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
   local path = folder .. "/" .. name
   assert(kart.file.write(path, bytes))
   print(("%-56s %6d bytes"):format(path, #bytes))
end

local function write_all(kind, module, extension)
   make_folder(folder .. "/" .. kind)
   for _, sample in ipairs(require("samples." .. module)) do
      write(kind .. "/" .. sample.name .. extension, (sample.make()))
   end
end

make_folder(folder)
write("race.kmp", require "samples.race"():bytes())
write("arena.kmp", require "samples.arena"():bytes())
write_all("variants", "variants", ".kmp")
write_all("broken", "broken", ".kmp")
write("race.kcl", require "samples.kcl_race"())
write_all("kcl", "kcl_variants", ".kcl")
write_all("broken_kcl", "kcl_broken", ".kcl")
write("arcade.bin", require "samples.agpfile".build{ triangles = require "samples.agp_course"() })
write_all("agp", "agp_variants", ".bin")
write_all("broken_agp", "agp_broken", ".bin")
write("race.szs", require "samples.archives".race())
write_all("szs", "archives", "")
write_all("broken_szs", "archives_broken", "")
make_folder(folder .. "/obj")
for _, sample in ipairs(require "samples.obj_dialects") do
   write("obj/" .. sample.name .. ".obj", sample.text)
   for _, ending in ipairs{ "mtl", "flags" } do
      if sample[ending] then write(("obj/%s.%s"):format(sample.name, ending), sample[ending]) end
   end
end
