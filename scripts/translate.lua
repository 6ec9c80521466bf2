-- Moves a course.
--
--    kartlua translate --by -1000,0,500 course.kmp
--
-- Output:
--    course.kmp -> course.translate.kmp
--
-- Collision can be moved where all of its numbers stay exact: whole steps of a power of two that is not
-- small beside the coordinates, like 64 or 1024. Else its octree would have to be rebuilt, which kartlua
-- can't do yet: that is an error of the file.

local recipe = require "kartlua.recipe"

return recipe{
   summary = "Moves a course.",
   accepts = { "kmp", "kcl", "szs" },
   options = { { name = "by", type = "vec", required = true, help = "how far along x, y and z" } },
   example = "kartlua translate --by -1000,0,500 course.kmp",
   run = function(course, options) return course:translate(options.by) end,
}
