-- Tells what is in the collision of an arcade game (.bin), in more detail than info: what stands where in the file,
-- whether it follows the rules of the game's own files, which surfaces there are, how ground and walls are
-- spread over the grid.
--
--    kartlua agp_info course.bin
--
-- Output, shortened:
--    course.bin
--      game       Mario Kart Arcade GP
--      size       74124 bytes
--      triangles  192, area 1280000
--      walls      192, 192 edges marked as open
--      grid       17 x 17 cells of 100 x 100, 145 of them empty
--      lists      480 triangles, 432 walls, longest 6, mean 3.3
--
--    rules
--      layout     as the game's own files
--      bounds     those of the triangles
--      edges      unit directions in space
--      walls      one for each open edge
--
--    map: triangles in each cell, north (-z) up
--      .1233.
--      2....4

local columns = require "kartlua.columns"
local recipe = require "kartlua.recipe"
local survey = require "kartlua.survey"

local MAP_WIDTH = 110 -- of a terminal

local function show(title, rows, sides)
   if #rows == 0 then return end
   print("\n" .. title)
   for _, line in ipairs(columns(rows, sides)) do print("  " .. line) end
end

-- How many findings each rule has.
local function count_rules(course)
   local counts, findings, problem = {}, course:check()
   if not findings then return nil, problem end
   for _, list in ipairs{ course.warnings, findings } do
      for _, finding in ipairs(list) do counts[finding.rule] = (counts[finding.rule] or 0) + 1 end
   end
   return counts
end

-- Does a rebuild give the same bytes? nil where it can't be rebuilt.
local function is_laid_out(course)
   local copy <close> = assert(course:clone())
   if not copy:rebuild() then return nil end
   return copy:bytes() == course:bytes()
end

local function rule_rows(course, counts)
   local stats = course:stats()
   local function any(...)
      for _, rule in ipairs{ ... } do
         if counts[rule] then return true end
      end
   end
   local laid_out = is_laid_out(course)
   return {
      { "layout", laid_out and "as the game's own files" or laid_out == nil and "can't be rebuilt"
         or "another one than the game's own files have" },
      { "bounds", counts["bounds-zero"] and "0" or any("bounds-wrong", "origin-wrong")
         and "not those of the triangles" or "those of the triangles" },
      { "edges", counts["edges-flat"] and "some are directions seen from above" or "unit directions in space" },
      { "walls", stats.walls == 0 and "none" or counts["walls-drawn"] and "all drawn by hand"
         or any("wall-no-edge", "edge-no-wall") and "some don't fit the open edges" or "one for each open edge" },
   }
end

-- One letter for each cell: how many triangles it lists.
local function map_lines(course)
   local grid, lines = course.grid, {}
   if grid.width > MAP_WIDTH then return lines end
   for row = 1, grid.length do
      local letters = {}
      for column = 1, grid.width do
         local count = #course.cells[(row - 1) * grid.width + column].triangles
         letters[column] = count == 0 and "." or count < 10 and tostring(count) or "#"
      end
      lines[row] = { table.concat(letters) }
   end
   return lines
end

return recipe{
   summary = "Tells what is in the collision of an arcade game, in detail.",
   saves = false,
   accepts = "agp",
   example = "kartlua agp_info course.bin",
   run = function(course, _, job)
      local counts, problem = count_rules(course)
      if not counts then return nil, problem end
      print(job.input)
      for _, line in ipairs(columns(survey.agp_head(course), "ll")) do print("  " .. line) end
      show("rules", rule_rows(course, counts), "ll")
      local rows = survey.flags(course)
      show("flags", #rows > 1 and rows or {}, "lrrrl")
      show("map: triangles in each cell, north (-z) up", map_lines(course), "l")
      rows = {}
      for i, warning in ipairs(course.warnings) do rows[i] = { warning.severity, warning.place, warning.message } end
      show("warnings", rows, "lll")
      print()
   end,
}
