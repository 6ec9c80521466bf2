-- Makes the mirror image of a course, so that it really drives: checkpoints exchange left and right,
-- the start grid changes its pole side, and objects and cameras that know left from right turn round.
-- Collision is mirrored exactly, with its octree.
--
--    kartlua mirror course.kmp course.kcl                    along x, at x = 0
--    kartlua mirror --axis z --at 100 -o out/ -j4 *.kmp      along z, at z = 100, four at a time
--
-- Output:
--    course.kmp: gobj[1].id: warning: aurora (516): its model or movement has a side that no setting
--    changes [object-handed]
--    course.kmp -> course.mirror.kmp
--
-- A warning names what the file can't carry over; an error is something that crashes the game, and
-- then nothing is written. Mirror the model of the course the same way.

local recipe = require "kartlua.recipe"

return recipe{
   summary = "Makes the mirror image of a course, so that it really drives.",
   accepts = { "kmp", "kcl" },
   options = {
      { name = "axis", type = "choice", choices = { "x", "z" }, default = "x", help = "axis that changes its sign" },
      { name = "at", type = "number", default = 0, help = "where on this axis the mirror stands" },
   },
   example = "kartlua mirror --axis z --at 100 course.kmp",
   run = function(course, options) return course:mirror(options.axis, { at = options.at }) end,
}
