-- Moves a course.
--
--    kartlua translate --by -1000,0,500 course.kmp
--
-- Output:
--    course.kmp -> course.translate.kmp

local recipe = require "kartlua.recipe"

return recipe{
   summary = "Moves a course.",
   options = { { name = "by", type = "vec", required = true, help = "how far along x, y and z" } },
   example = "kartlua translate --by -1000,0,500 course.kmp",
   run = function(course, options) return course:translate(options.by) end,
}
