-- Makes the mirror image of a course, so that it really drives: checkpoints exchange left and right,
-- the start grid changes its pole side, and objects and cameras that know left from right turn round.
-- Collision is mirrored exactly, with its octree.
--
--    kartlua mirror course.szs                               along x, at x = 0
--    kartlua mirror --axis z --at 100 -o out/ -j4 tracks/    along z, at z = 100, four at a time
--    kartlua mirror course.kmp course.kcl
--
-- Output:
--    course.szs/course.kmp: gobj[1].id: warning: aurora (516): its model or movement has a side that no
--    setting changes [object-handed]
--    course.szs/course_model.brres: warning: the course's model stays as it was: it still shows the old
--    side [member-stays]
--    course.szs -> course.mirror.szs
--
-- A warning names what the file can't carry over; an error is something that crashes the game, and
-- then nothing is written. Of an archive the points and the collision are mirrored; models and lights are for
-- the program that made them. Objects' collision moves with its object, and with --with-object-kcl it is
-- mirrored in the object's own space: where its model is, too, or has two equal sides.

local kart = require "kartlua"
local recipe = require "kartlua.recipe"

return recipe{
   summary = "Makes the mirror image of a course, so that it really drives.",
   accepts = { "kmp", "kcl", "agp", "szs" },
   options = {
      { name = "axis", type = "choice", choices = { "x", "z" }, default = "x", help = "axis that changes its sign" },
      { name = "at", type = "number", default = 0, help = "where on this axis the mirror stands" },
      { name = "with_object_kcl", type = "flag", help = "mirror the collision of objects, too" },
   },
   example = "kartlua mirror --axis z --at 100 course.szs",
   run = function(course, options)
      local objects = kart.type(course) == "szs" and options.with_object_kcl or nil
      return course:mirror(options.axis, { at = options.at, object_kcl = objects })
   end,
}
