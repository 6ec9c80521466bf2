-- Makes a course larger or smaller, by one factor or by one for each axis.
--
--    kartlua scale --factor 1.5 --scale-speeds course.kmp
--    kartlua scale --factor 1,0.5,1 --origin 0,1000,0 course.kmp
--
-- Output:
--    course.kmp: area[5].scale: warning: 8 boxes would lose right angles and can follow only roughly
--    [scale-shear]
--    course.kmp -> course.scale.kmp
--
-- Objects and speeds keep their size unless told otherwise. With --scale-speeds, objects on routes
-- and cameras take as long for their way as before.
--
-- Collision gets a new octree.

local kart = require "kartlua"
local recipe = require "kartlua.recipe"

return recipe{
   summary = "Makes a course larger or smaller.",
   accepts = { "kmp", "kcl", "agp", "szs" },
   options = {
      { name = "factor", type = "factor", required = true, help = "for all axes, or for each" },
      { name = "origin", type = "vec", default = "0,0,0", help = "the point that stays where it is" },
      { name = "scale_speeds", type = "flag", help = "speeds of routes and cameras grow with the size" },
      { name = "scale_objects", type = "flag", help = "objects grow, too" },
   },
   example = "kartlua scale --factor 1.5 --scale-speeds course.kmp",
   run = function(course, options)
      local kind = kart.type(course)
      local has_objects = kind ~= "kcl" and kind ~= "agp" -- collision has neither speeds nor objects
      return course:scale(options.factor, {
         origin = options.origin,
         scale_speeds = has_objects and options.scale_speeds or nil,
         scale_objects = has_objects and options.scale_objects or nil,
      })
   end,
}
