--- What is in a course: data for reports.
local kart = require "kartlua"

local survey = {}

local GAMES = { mkw = "Mario Kart Wii", mk7 = "Mario Kart 7" }

function survey.game_name(course)
   return (GAMES[course.game] or course.game) .. (course.guessed and " (guessed)" or "")
end

-- Calls `see(x, y, z)` for each place in the course; y is nil for checkpoints, which have no height.
local function each_place(course, see)
   for _, name in ipairs{ "ktpt", "enpt", "itpt", "gobj", "area", "jgpt", "mspt" } do
      for _, record in ipairs(course[name] or {}) do
         local place = record.position
         see(place.x, place.y, place.z)
      end
   end
   for _, checkpoint in ipairs(course.ckpt or {}) do
      see(checkpoint.left.x, nil, checkpoint.left.z)
      see(checkpoint.right.x, nil, checkpoint.right.z)
   end
end

--- The box around start positions, enemy and item routes, checkpoints, objects, areas and respawns:
--- two vectors, or nil for a course without any. Routes and cameras are left out: they may be
--- relative to a kart.
function survey.bounds(course)
   local huge = math.huge
   local low, high = { huge, huge, huge }, { -huge, -huge, -huge }
   each_place(course, function(...)
      for axis = 1, 3 do
         local value = select(axis, ...)
         if value then low[axis], high[axis] = math.min(low[axis], value), math.max(high[axis], value) end
      end
   end)
   if low[1] == huge then return nil end
   if low[2] == huge then low[2], high[2] = 0, 0 end
   return kart.vec(table.unpack(low)), kart.vec(table.unpack(high))
end

--- How often each value of a field occurs: an array of { value, count }, sorted by value.
function survey.count(section, field)
   local counts, list = {}, {}
   for _, record in ipairs(section or {}) do
      local value = record[field]
      if not counts[value] then
         counts[value] = { value, 0 }
         list[#list + 1] = counts[value]
      end
      counts[value][2] = counts[value][2] + 1
   end
   table.sort(list, function(a, b) return a[1] < b[1] end)
   return list
end

--- For each route the places of the records that name it, like "gobj[3]", in file order.
function survey.route_users(course)
   local users = {}
   for route = 1, #(course.poti or {}) do users[route] = {} end
   for _, name in ipairs{ "gobj", "area", "came" } do
      for i, record in ipairs(course[name] or {}) do
         local list = users[record.route]
         if list then list[#list + 1] = ("%s[%d]"):format(name, i) end
      end
   end
   return users
end

return survey
