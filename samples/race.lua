--- race.kmp: a race course. A straight with the line, a climbing turn, two ways that part and join
--- again, and a turn back down.
local scenery = require "samples.scenery"
local shapes = require "samples.shapes"

local START = { position = kart.vec(0, 500, 0), yaw = 90 }
local NEXT = { { 2, 3 }, { 4 }, { 4 }, { 1 } }

-- The groups of the course, in the order of NEXT. The two ways are mirror images of each other.
local function roads()
   local first = shapes.road(START, { straight = 7000 }, { curve = 180, radius = 6000, rise = 1200 })
   local fork = first[#first]
   local ways = {}
   for i, side in ipairs{ 1, -1 } do
      ways[i] = shapes.road(fork, { curve = 45 * side, radius = 4000 }, { curve = -90 * side, radius = 4000 },
         { curve = 45 * side, radius = 4000 })
   end
   local joined = ways[1][#ways[1]]
   local last = shapes.road(joined, { curve = 180, radius = 6000, rise = -1200 })
   local back = last[#last]
   last = shapes.road(joined, { curve = 180, radius = 6000, rise = -1200 },
      { straight = START.position.x - back.position.x })
   return { first, shapes.part(ways[1], 2, -2), shapes.part(ways[2], 2, -2), shapes.part(last, 1, -2) }
end

-- Respawn points: every fourth place. Gives them, and the last one before each place of each group.
local function respawns(list)
   local points, of = {}, {}
   for i, road in ipairs(list) do
      local last
      of[i] = {}
      for number, place in ipairs(road) do
         if number % 4 == 2 then
            points[#points + 1] = { position = shapes.beside(place, 0, 0, 300).position, id = #points, range = -1,
               rotation = { 0, (place.yaw + 180) % 360 - 180, 0 } }
            last = #points
         end
         of[i][number] = last
      end
   end
   -- The first place of a group takes the one of a group before it. The lap line has to: who falls
   -- there must not come back behind it.
   for i, followers in ipairs(NEXT) do
      for _, to in ipairs(followers) do of[to][1] = of[to][1] or of[i][#list[i]] end
   end
   return points, of
end

-- The line, keys in the groups that everybody drives through, and one in each of the two ways.
local function checkpoint_type(group, number, length)
   if group == 1 then return number == 1 and 0 or number == 6 and 1 or -1 end
   if group == 4 then return number == length and 4 or number == 4 and 3 or -1 end
   return number == 3 and 2 or -1
end

local function spec()
   local list = roads()
   local jgpt, respawn_of = respawns(list)
   local ckpt, ckph = shapes.checkpoints(list, NEXT, 1400, function(group, number)
      return { type = checkpoint_type(group, number, #list[group]), respawn = respawn_of[group][number] }
   end)
   local enpt, enph = shapes.groups(list, NEXT, function(place, group, number)
      return { position = shapes.whole(place.position), width = group == 1 and 25 or 10.5,
         setting_1 = group == 3 and number == 1 and 1 or 0, setting_2 = group == 2 and number == 2 and 2 or 0 }
   end)
   local itpt, itph = shapes.groups(list, NEXT, function(place, group, number)
      return { position = shapes.beside(place, 0, 0, 50).position, width = 40, setting_1 = number % 3,
         setting_2 = group == 1 and 0 or 2 }
   end)
   local document = {
      ktpt = { { position = shapes.beside(START, -400, 0, 20).position, rotation = { 0, START.yaw, 0 }, player = -1 } },
      enpt = enpt, enph = enph, itpt = itpt, itph = itph, ckpt = ckpt, ckph = ckph, jgpt = jgpt,
      cnpt = {
         -- From the end of the climb over to the last turn.
         { position = { -4000, 1500, -6000 }, rotation = { 15, -90, 0 }, id = 0, effect = 1 },
         { position = { -4313, 700, 0 }, rotation = { 0, 62.5, 0 }, id = 1, effect = -1 },
      },
      stgi = { { laps = 3, pole = 0, narrow = 0, flare = 1, flare_color = { 0xFF, 0xF0, 0xE6 }, flare_alpha = 0x32,
         speed_factor = 0 } },
   }
   for section, records in pairs(scenery(list)) do document[section] = records end
   return document
end

--- A new document of the course.
return function() return kart.kmp.new(spec()) end
