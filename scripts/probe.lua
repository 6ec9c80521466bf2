-- Tells what the game itself finds at a place of a course: which prisms its octree lists there, which of them
-- a point is in, and what a kart or anything else of a radius touches.
--
--    kartlua probe --at 100,50,-2000 course.kcl
--    kartlua probe --at 100,50,-2000 --radius 100 course.kcl
--    kartlua probe --at 100,50,-2000 --radius 100 --from 100,80,-2000 --flags floors course.kcl
--    kartlua probe --at 100,50,-2000 --list course.kcl                    all that the cell lists
--
-- Output:
--    course.kcl
--      cell    512 units from (-252, -40, -252), 8 prisms listed
--      point   in none of them
--      sphere  of 100 touches 3 of them
--        prism  depth  region  normal     flag    surface
--            2  47.98  ca      (0, 1, 0)  0x0000  Road
--            3  43.89  a       (0, 1, 0)  0x0020  Road, dirt
--            4  43.89  a       (0, 1, 0)  0x0020  Road, dirt
--
-- Depth is how far it must be moved along the normal to be free. A region is the face, an edge (ca, ab or bc)
-- or a corner (a, b or c) of the prism. Without --from the test is static; with it, it counts how the
-- place was reached: what comes from below isn't stopped by a floor. --rule galaxy asks as the engine of Super
-- Mario Galaxy does, which looks into all cells that the sphere reaches.

local columns = require "kartlua.columns"
local flags = require "kartlua.flags"
local recipe = require "kartlua.recipe"

local HEAD = { "prism", "depth", "region", "normal", "flag", "surface" }

local number = kart.number_text

local function surface(course, flag)
   local text = flags.describe(flag, course.game)
   return ("0x%04X"):format(flag), text:find "^0x" and "" or text
end

local function normal_text(normal)
   local parts = {}
   for i, axis in ipairs{ "x", "y", "z" } do parts[i] = (("%.3f"):format(normal[axis]):gsub("%.?0+$", "")) end
   return ("(%s)"):format(table.concat(parts, ", ")):gsub("%-0([,)])", "0%1")
end

-- A row for a hit, or for a prism that is only listed.
local function row(course, prism, hit)
   local view = course.prisms[prism]
   local flag, words = surface(course, view.flag)
   return { prism, hit and ("%.4g"):format(hit.depth) or "-", hit and hit.region or "-", normal_text(view.face_normal),
      flag, words }
end

local function show(course, hits)
   local rows = { HEAD }
   for i, hit in ipairs(hits) do
      local listed = math.type(hit)
      rows[i + 1] = row(course, listed and hit or hit.prism, not listed and hit or nil)
   end
   for _, line in ipairs(columns(rows, "rrllll")) do print("    " .. line) end
end

local function count_text(hits, none, some)
   return #hits == 0 and none or some:format(#hits)
end

-- What a point and a sphere touch, by the rule that is asked for: lists of hits; nil and a message.
local function ask(course, options)
   local at, filter = options.at, { flags = options.flags }
   if options.rule == "galaxy" then
      local inside, problem = course:galaxy_point(at, filter)
      if problem then return nil, problem end
      local hits = options.radius and course:galaxy_sphere(at, options.radius, filter)
      return { inside }, hits
   end
   filter.from = options.from
   local inside, problem = course:lookup_point(at, filter)
   if not inside then return nil, problem end
   return inside, options.radius and course:lookup_sphere(at, options.radius, filter)
end

return recipe{
   summary = "Tells what the game finds at a place: prisms, how deep, what kind of surface.",
   accepts = "kcl",
   saves = false,
   options = {
      { name = "at", type = "vec", required = true, help = "the place" },
      { name = "radius", type = "number", min = 0, help = "also tell what a sphere of this radius touches" },
      { name = "from", type = "vec", help = "where it was a step before" },
      { name = "flags", type = "text", hint = "TYPES", help = "only these surfaces, like floors or road,off_road" },
      { name = "rule", type = "choice", choices = { "mkw", "galaxy" }, default = "mkw", help = "as which engine" },
      { name = "list", type = "flag", help = "show all prisms that the cell lists" },
   },
   example = "kartlua probe --at 64,50,64 --radius 100 course.kcl",
   run = function(course, options, job)
      if options.flags then
         local mask, problem = flags.mask(options.flags, course.game)
         if not mask then return nil, "--flags: " .. problem end
      end
      local inside, touched = ask(course, options)
      if not inside then return nil, touched end
      local cell = course:cell_at(options.at)
      print(job.input)
      print("  cell    " .. (cell and ("%d units from %s, %d prisms listed"):format(cell.size, cell.min, cell.prisms)
         or "none: the place is outside of the octree"))
      if options.list and cell then show(course, course:list_at(options.at)) end
      print("  point   " .. count_text(inside, "in none of them", "in %d of them"))
      if #inside > 0 then show(course, inside) end
      if touched then
         print(("  sphere  of %s %s"):format(number(options.radius), count_text(touched, "touches none of them",
            "touches %d of them")))
         if #touched > 0 then show(course, touched) end
      end
   end,
}
