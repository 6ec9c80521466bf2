-- Builds the octree or the grid of collision anew. With an octree: the game tests fewer prisms for each lookup, in no
-- more bytes than before, unless --goal speed asks for them. Nothing else of the file changes, but for what warnings
-- say.
--
--    kartlua rebuild course.szs
--    kartlua rebuild --goal size course.kcl           as few bytes as make sense
--    kartlua rebuild --budget 400000 course.kcl       the shortest lists in an octree of so many bytes
--    kartlua rebuild --split course.kcl               Mario Kart 8: other models
--
-- Output:
--    course.kcl
--                       before   after
--      bytes           1037050  916282   88 %
--      lists              8295    6493   78 %
--      longest list        223     151   68 %
--      tests by area      14.4     6.2   43 %
--      tests by prism     46.5    26.0   56 %
--      built in 0.14 s; all of 44123 cells list what can be touched in them
--    course.kcl -> course.rebuild.kcl
--
-- Of a BIN of the arcade games grid, lists and layout are made anew, by the rules of the game's own files; --walls
-- compute makes all walls of the edges without a neighbour, --cell changes the size of the cells:
--    course.bin
--                 before   after
--      bytes      428844  475628  111 %
--      walls        1024    1024  100 %
--      cells        1755    1672   95 %
--      listed       4646    4812  104 %
--
-- Tests: prisms that a lookup goes through, on average over places near the surfaces; by area each square unit is
-- as likely as any other, by prism each prism, whatever its size. --verify no leaves out the proof.
--
-- Files of Mario Kart 8 keep their models. What a model lacks that can be touched from its cells is copied into it,
-- with a warning; where it can't hold that, all triangles are shared out anew, as by --split: to as few models as it
-- takes. docs/kcl.md tells how it is done.

local kart = require "kartlua"
local columns = require "kartlua.columns"
local recipe = require "kartlua.recipe"

-- What is compared, as rows of name, number and format.
local function measure(course)
   local stats, lengths = course:stats(), course:list_lengths()
   local rows = {
      { "bytes", #course:bytes(), "%d" },
      { "lists", stats.lists, "%d" },
      { "longest list", stats.longest_list, "%d" },
      { "tests by area", lengths.by_area.mean, "%.1f" },
      { "tests by prism", lengths.by_prism.mean, "%.1f" },
   }
   if course.version == 2 then
      table.insert(rows, 2, { "models", stats.models, "%d" })
      table.insert(rows, 3, { "prisms", stats.prisms, "%d" })
   end
   return rows
end

local function compare(before, after)
   local rows = { { "", "before", "after" } }
   for i, row in ipairs(before) do
      local name, old, new, format = row[1], row[2], after[i][2], row[3]
      rows[i + 1] = { name, format:format(old), format:format(new),
         old > 0 and ("%.0f %%"):format(100 * new / old) }
   end
   return columns(rows, "lrrr")
end

-- What to say of a course whose cells all list what they must; nil and a message where one doesn't.
local function verify(course)
   local proof, problem = course:prove()
   if not proof then return nil, problem end
   local first = proof.first[1]
   if first then
      return nil, ("the cell at %s, %d wide, doesn't list prisms[%d]"):format(first.cell, first.edge, first.prism)
   end
   if proof.outside > 0 then return nil, ("%d prisms reach out of the octree"):format(proof.outside) end
   return ("; all of %d cells list what can be touched in them"):format(proof.leaves)
end

local function rebuild_kcl(course, options)
   local before = measure(course)
   local start = kart.os.seconds()
   local done, problem = course:rebuild{ goal = options.goal, budget = options.budget, smallest = options.smallest,
      longest = options.longest, split = options.split }
   local seconds, verified = kart.os.seconds() - start, ""
   if not done then return nil, problem end
   if options.verify == "yes" then
      verified, problem = verify(course)
      if not verified then return nil, problem end
   end
   local lines = compare(before, measure(course))
   lines[#lines + 1] = ("built in %.2f s%s"):format(seconds, verified)
   return lines
end

-- The same for the arcade games.
local function measure_agp(course)
   local stats = course:stats()
   return {
      { "bytes", #course:bytes(), "%d" },
      { "walls", stats.walls, "%d" },
      { "cells", stats.cells, "%d" },
      { "listed", stats.triangle_places + stats.wall_places, "%d" },
   }
end

local function rebuild_agp(course, options)
   local before = measure_agp(course)
   local done, problem = course:rebuild{ walls = options.walls, cell = options.cell }
   if not done then return nil, problem end
   return compare(before, measure_agp(course))
end

return recipe{
   summary = "Builds the octree or grid of collision anew, for faster lookups.",
   accepts = { "kcl", "agp" },
   objects = true,
   options = {
      { name = "goal", type = "choice", choices = { "balanced", "size", "speed" }, default = "balanced",
        help = "short lists in less bytes than before, few bytes, or the shortest lists" },
      { name = "budget", type = "integer", min = 1, max = 1000000000, help = "the most bytes of the octree" },
      { name = "smallest", type = "integer", min = 1, max = 1048576, default = 128,
        help = "edge of the smallest cells, a power of two" },
      { name = "longest", type = "integer", min = 1, max = 65535,
        help = "the most prisms in a list; if not given, as many as the longest has now, 256 at most" },
      { name = "split", type = "flag", help = "Mario Kart 8: share the triangles out to models anew" },
      { name = "verify", type = "choice", choices = { "yes", "no" }, default = "yes",
        help = "hold every cell against all prisms" },
      { name = "walls", type = "choice", choices = { "keep", "compute" }, default = "keep",
        help = "arcade collision: keep the walls, or make all of them anew" },
      { name = "cell", type = "number", min = 1, max = 1000000, help = "arcade collision: edge of a cell" },
   },
   example = "kartlua rebuild course.kcl",
   prepare = function(options)
      if options.smallest & options.smallest - 1 ~= 0 then return nil, "--smallest: expected a power of two" end
   end,
   run = function(course, options, job)
      local lines, problem = (kart.type(course) == "kcl" and rebuild_kcl or rebuild_agp)(course, options)
      if not lines then return nil, problem end
      print(job.input)
      for _, line in ipairs(lines) do print("  " .. line) end
   end,
}
