-- Makes collision of the OBJ of a course: prisms, and an octree with short lists.
--
--    kartlua obj_to_kcl course.obj
--    kartlua obj_to_kcl --flags course.flags --goal size -o course.kcl course.obj
--    kartlua obj_to_kcl --check course.obj                    looks at the OBJ, and writes nothing
--
-- Output:
--    course.obj: 3149 triangles, 2011 positions, 1141 of 5201 edges open
--      flag    triangles       area   share
--      0x0000        963  886287747  55.1 %  road
--      0x000C        317  109885028   6.8 %  wall
--    course.obj: 281404 bytes, 1277 lists, the longest of 238; corners are off by 0.0035 at most
--    course.obj -> course.obj_to_kcl.kcl
--
-- Names of materials, else those of objects and groups, say the flag: COL_0C, wall_F000C, wall_0C_000,
-- wall_000C, or a name of kartlua's, like wall/rock (docs/flags.md). A file for --flags has lines like
--    asphalt = road
--    grass*  = off_road/grass
-- in which * stands for any letters. A material without a flag is never taken for a road: it is listed,
-- and nothing is written, unless --unknown says what such triangles are. Neither is anything where a triangle
-- can't be a prism, as it has no area or is too narrow or too large for the file's numbers; --drop leaves
-- those out. Counted as well are triangles that stand twice. A file counts 65,536 normals: where there are more, those
-- that are nearly alike are shared, and a line says what that costs: "worst vertex error 0.41 units, 0.02 degrees".
--
-- For Mario Kart 8 (--game mk8, mk8dx) triangles go to as many models as it takes; those at the borders stand in
-- several.

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

-- The triangles that have no flag, by material: nil and a message where there are any.
local function all_known(mesh, input)
   local unknown = require("kartlua.materials").unknown(mesh)
   for _, row in ipairs(unknown) do
      print(("%s: %s %s: no flag"):format(input, count(row.triangles, "triangle"),
         row.name == "" and "without a material" or "of the material " .. row.name:gsub("%c", "?")))
   end
   if #unknown == 0 then return true end
   return nil, ("%s: give %s in a file for --flags, or end the name in _F<flag>"):format(
      #unknown == 1 and "1 material says no flag" or #unknown .. " materials say no flag",
      #unknown == 1 and "it one" or "them some")
end

local function build(mesh, options, input)
   local flag, problem
   if options.unknown then
      flag, problem = kart.flags.parse(options.unknown, mesh.game)
      if not flag then return nil, "--unknown: " .. problem end
   end
   local course, report = kart.kcl.build(mesh, { flag = flag, drop = options.drop, goal = options.goal,
      budget = options.budget })
   if not course then
      local hint = report:find("can't be a prism", 1, true) and "; --drop leaves such triangles out" or ""
      return nil, report .. hint
   end
   for _, fault in ipairs(report.faults) do
      io.stderr:write(("%s: triangle %d is left out: %s\n"):format(input, fault.triangle, fault.reason))
   end
   if report.dropped > #report.faults then
      io.stderr:write(("%s: %d more are left out\n"):format(input, report.dropped - #report.faults))
   end
   print(("%s: %d bytes, %s, the longest of %d; corners are off by %.2g at most"):format(input, #course:bytes(),
      count(report.lists, "list"), report.longest_list, report.worst))
   if report.models > 1 then
      print(("%s: %s, %d of %d prisms are copies"):format(input, count(report.models, "model"), report.copies,
         #course.prisms))
   end
   if report.shared > 0 then
      print(("%s: %d normals too many, shared: worst vertex error %.2f units, %.2f degrees (triangle %d); edges are " ..
         "tilted by %.3f degrees at most"):format(input, report.shared, report.worst, report.turned,
         report.worst_triangle, report.tilted))
   end
   return course
end

return recipe{
   summary = "Makes collision of the OBJ of a course.",
   accepts = "mesh",
   ending = "kcl",
   options = {
      { name = "flags", type = "file", help = "a file of material = flag lines" },
      { name = "game", type = "choice", choices = { "mkw", "mk8", "mk8dx", "smo", "smg", "sm3dl", "mk7", "mkds" },
        default = "mkw", help = "the game" },
      { name = "goal", type = "choice", choices = { "balanced", "size", "speed" }, default = "balanced",
        help = "what the octree is for" },
      { name = "budget", type = "integer", min = 1, max = 1e9, help = "most bytes of the octree" },
      { name = "unknown", type = "text", hint = "FLAG", help = "what triangles are that have no flag" },
      { name = "drop", type = "flag", help = "leave out triangles that can't be prisms" },
      { name = "check", type = "flag", help = "look at the OBJ, and write nothing" },
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
      local done
      done, problem = all_known(mesh, job.input)
      if not done and (options.check or not options.unknown) then return nil, problem end
      if options.check then return false end
      return build(mesh, options, job.input)
   end,
}
