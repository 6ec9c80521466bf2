-- Moves a course.
--
--    kartlua translate --by -1000,0,500 course.kmp
--
-- Output:
--    course.kmp -> course.translate.kmp
--
-- Collision keeps its octree where all of its numbers stay exact: under whole steps of a power of two that is not
-- small beside the coordinates, like 64 or 1024. Else it gets a new one.

local recipe = require "kartlua.recipe"

return recipe{
   summary = "Moves a course.",
   accepts = { "kmp", "kcl", "agp", "szs" },
   options = { { name = "by", type = "vec", required = true, help = "how far along x, y and z" } },
   example = "kartlua translate --by -1000,0,500 course.kmp",
   run = function(course, options) return course:translate(options.by) end,
}
