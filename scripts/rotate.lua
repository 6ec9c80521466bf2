-- Turns a course about an axis through a point: with --angle 90, what lay along +Z lies along +X.
--
--    kartlua rotate --angle 90 course.kmp
--    kartlua rotate --axis x --angle -5 --height 1200 course.kmp
--
-- Output:
--    course.kmp: ktpt[1].rotation: warning: yaw -86.465 is no multiple of 90: the minimap's start line will be
--    wrong [start-turned]
--    course.kmp -> course.rotate.kmp
--
-- Checkpoints have no height in the file. Turns about y don't need one; others tilt the ground, and
-- take all checkpoints as standing at --height.
--
-- Collision of the arcade games (BIN) finds ground straight below only: turns that would tip it over are an error of
-- the file unless --tip is given.
--
-- Collision turns, too, and gets a new octree.

local kart = require "kartlua"
local recipe = require "kartlua.recipe"

return recipe{
   summary = "Turns a course about an axis.",
   accepts = { "kmp", "kcl", "agp", "szs" },
   options = {
      { name = "axis", type = "axis", default = "y", help = "the axis, or its direction" },
      { name = "angle", type = "angle", required = true, help = "how far; a positive yaw turns +Z towards +X" },
      { name = "origin", type = "vec", default = "0,0,0", help = "a point of the axis" },
      { name = "tip", type = "flag", help = "arcade collision: turn even where the ground tips over" },
      { name = "height", type = "number", help = "height of the checkpoints: needed when the ground tilts" },
   },
   example = "kartlua rotate --angle 90 course.kmp",
   run = function(course, options)
      local kind = kart.type(course)
      local has_points = kind ~= "kcl" and kind ~= "agp" -- only checkpoints need a height
      return course:rotate(options.axis, options.angle, {
         origin = options.origin,
         height = has_points and options.height or nil,
         tip = kind == "agp" and options.tip or nil,
      })
   end,
}
