-- Tells what is in a course: game, mode, extent, sections, objects, routes and who uses them, cameras,
-- and what is odd about the file.
--
--    kartlua info course.kmp
--
-- Output, shortened:
--    course.kmp
--      game  Mario Kart Wii, version 2520
--      size  10648 bytes
--      mode  race, 3 laps, pole position left
--      x     -55917 to 127526
--
--    sections
--      ktpt   1  Start positions
--      enpt  48  Enemy route points
--
--    objects
--        3   1  lensFX
--      101  32  itembox
--
--    routes
--       3  9 points  back and forth  smooth  came[1]
--       4  2 points  back and forth          came[2]
--
--    warnings
--      warning  area[18].enemy_point  points at enpt record 50, there are 48

local kart = require "kartlua"
local columns = require "kartlua.columns"
local recipe = require "kartlua.recipe"
local survey = require "kartlua.survey"

local function show(title, rows, sides)
   if #rows == 0 then return end
   print("\n" .. title)
   for _, line in ipairs(columns(rows, sides)) do print("  " .. line) end
end

local function head(course)
   local stage = course.stgi and course.stgi[1]
   local low, high = survey.bounds(course)
   local rows = {
      { "game", ("%s, version %d"):format(survey.game_name(course), course.version) },
      { "size", ("%d bytes"):format(#course:bytes()) },
      { "mode", course.battle and "battle" or "race" },
   }
   if stage and stage.laps then
      local side = stage.pole == 0 and "left" or "right"
      rows[3][2] = ("%s, %d laps, pole position %s"):format(rows[3][2], stage.laps, side)
   end
   for _, axis in ipairs(low and { "x", "y", "z" } or {}) do
      rows[#rows + 1] = { axis, ("%.0f to %.0f"):format(low[axis], high[axis]) }
   end
   return rows
end

return recipe{
   summary = "Tells what is in a course.",
   saves = false,
   example = "kartlua info course.kmp",
   run = function(course, _, job)
      print(job.input)
      for _, line in ipairs(columns(head(course), "ll")) do print("  " .. line) end

      local rows = {}
      for i, section in ipairs(course:sections()) do
         rows[i] = section.known and { section.name, section.count, section.doc }
            or { section.magic:gsub("%W", "?"), "-", ("%d bytes that are not known, kept"):format(section.bytes) }
      end
      show("sections", rows, "lrl")

      rows = survey.count(course.gobj, "id")
      for _, row in ipairs(rows) do row[3] = kart.kmp.object_name(row[1]) or "?" end
      show("objects", rows, "rrl")

      rows = {}
      local users = survey.route_users(course)
      for i, route in ipairs(course.poti or {}) do
         local more = #users[i] > 4 and ("+%d"):format(#users[i] - 4)
         rows[i] = { i, ("%d points"):format(#route), route.motion == 0 and "round and round" or "back and forth",
            route.smooth ~= 0 and "smooth", table.concat(users[i], " ", 1, math.min(#users[i], 4)), more }
      end
      show("routes", rows, "rrllll")

      rows = survey.count(course.came, "type")
      for _, row in ipairs(rows) do row[3] = kart.kmp.camera_name(row[1]) or "?" end
      show("cameras", rows, "rrl")

      rows = {}
      for i, warning in ipairs(course.warnings) do rows[i] = { warning.severity, warning.place, warning.message } end
      show("warnings", rows, "lll")
      print()
   end,
}
