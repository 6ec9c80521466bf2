-- Reads the OBJ of a course as the builder of collision will, and tells what it finds. It builds nothing
-- yet: this version checks the OBJ, its materials and their flags, and writes no file.
--
--    kartlua obj_to_kcl course.obj
--    kartlua obj_to_kcl --flags course.flags --game mkw course.obj
--
-- Output:
--    course.obj: 18568 triangles, 9547 positions, 522 of 28113 edges open
--      flag    triangles       area   share
--      0x0000       3688  356291028  19.6 %  road
--      0x000C         96    8000000   0.4 %  wall
--    course.obj: 40 triangles of the material asphalt: no flag
--    course.obj: 1 material says no flag: give it one in a file for --flags, or end its name in _F<flag>
--
-- Names of materials, else those of objects and groups, say the flag: COL_0C, wall_F000C, wall_0C_000,
-- wall_000C, or a name of kartlua's, like wall/rock (docs/flags.md). A file for --flags has lines like
--    asphalt = road
--    grass*  = off_road/grass
-- in which * stands for any letters. A material without a flag is never taken for a road: it is listed,
-- and the exit code is 1. Counted as well are triangles without an area, and those that stand twice.

local columns = require "kartlua.columns"
local recipe = require "kartlua.recipe"
local survey = require "kartlua.survey"

local function count(number, what) return ("%d %s%s"):format(number, what, number == 1 and "" or "s") end

-- The mesh with the flags of the file; nil and a message if that can't be read.
local function tagged(mesh, path)
   local text, problem = kart.file.read(path)
   if not text then return nil, problem end
   local rules
   rules, problem = kart.mesh.parse_flags(text, mesh.game)
   if not rules then return nil, ("%s: %s"):format(path, problem) end
   mesh:tag(rules)
   return mesh
end

local function show(mesh, input)
   local stats = assert(mesh:stats())
   print(("%s: %s, %s, %d of %d edges open"):format(input, count(stats.triangles, "triangle"),
      count(stats.positions, "position"), stats.open_edges, stats.edges))
   local rows = survey.flags(mesh)
   rows[1][2] = "triangles"
   for _, line in ipairs(columns(#rows > 1 and rows or {}, "lrrrl")) do print("  " .. line) end
   for _, row in ipairs{ { stats.degenerate, "has no area", "have no area" },
      { stats.duplicates, "stands twice", "stand twice" } } do
      if row[1] > 0 then print(("%s: %s %s"):format(input, count(row[1], "triangle"), row[row[1] == 1 and 2 or 3])) end
   end
   for _, warning in ipairs(mesh.warnings) do print(("%s: %s"):format(input, warning)) end
end

return recipe{
   summary = "Checks the OBJ of a course and its flags; building collision of it is to come.",
   accepts = "mesh",
   saves = false,
   options = {
      { name = "flags", type = "file", help = "a file of material = flag lines" },
      { name = "game", type = "choice", choices = { "mkw", "mk8", "mk8dx", "smo", "smg", "mk7", "mkds" },
        default = "mkw", help = "the game whose flags they are" },
   },
   example = "kartlua obj_to_kcl course.obj",
   run = function(mesh, options, job)
      local problem
      if options.game ~= mesh.game then
         -- Names are words of the game.
         mesh, problem = kart.open(job.input, { game = options.game })
         if not mesh then return nil, problem end
      end
      if options.flags then
         mesh, problem = tagged(mesh, options.flags)
         if not mesh then return nil, problem end
      end
      show(mesh, job.input)
      local unknown = require("kartlua.materials").unknown(mesh)
      for _, row in ipairs(unknown) do
         print(("%s: %s %s: no flag"):format(job.input, count(row.triangles, "triangle"),
            row.name == "" and "without a material" or "of the material " .. row.name:gsub("%c", "?")))
      end
      if #unknown > 0 then
         return nil, ("%s: give %s in a file for --flags, or end the name in _F<flag>"):format(
            #unknown == 1 and "1 material says no flag" or #unknown .. " materials say no flag",
            #unknown == 1 and "it one" or "them some")
      end
   end,
}
