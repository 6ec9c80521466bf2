--- arena.kmp: a battle arena. An outer ring, a crossing in the middle and four ways to it.
local shapes = require "samples.shapes"

local HEIGHT = 600
local CENTRE = kart.vec(0, HEIGHT, 0)
local SIDES = { "south", "east", "north", "west" }

-- Arcs from side to side and ways from each side to the middle.
local function roads()
   local list = {}
   for i, side in ipairs(SIDES) do
      local yaw = 90 * (i - 1)
      local edge = { position = CENTRE - shapes.left(yaw) * 6000, yaw = yaw }
      local arc = shapes.road(edge, { curve = 90, radius = 6000 })
      arc = shapes.part(arc, 2, -2)
      arc.from, arc.to = side, SIDES[i % 4 + 1]
      list[#list + 1] = arc
      local way = shapes.part(shapes.road({ position = edge.position, yaw = yaw + 90 }, { straight = 6000 }), 1, -2)
      way.from, way.to = side, "middle"
      list[#list + 1] = way
   end
   return list
end

local function starts()
   local list = {}
   for i, place in ipairs(shapes.ring(CENTRE, 4500, 12)) do
      -- Everybody looks at the middle.
      list[i] = { position = shapes.whole(place.position), rotation = { 0, (place.yaw + 90 + 180) % 360 - 180, 0 },
         player = i - 1 }
   end
   return list
end

local function ends()
   local list = {}
   for i = 1, 4 do
      list[i] = { position = { -450 + 300 * (i - 1), HEIGHT, -2000 }, rotation = { 0, 180, 0 }, id = i - 1 }
   end
   return list
end

local function spec()
   local enpt, enph = shapes.net(roads(), function(place)
      return { position = shapes.whole(place.position), width = 20 }
   end)
   local boxes, respawns = {}, {}
   for i, place in ipairs(shapes.ring(CENTRE, 3000, 8)) do
      boxes[i] = { id = 101, position = shapes.whole(place.position), presence = 0x3F, settings = { 0, 0, 0, 0, 1 } }
   end
   for i, place in ipairs(shapes.ring(CENTRE, 5000, 6)) do
      respawns[i] = { position = shapes.whole(place.position), rotation = { 0, (place.yaw + 90 + 180) % 360 - 180, 0 },
         id = i - 1, range = -1 }
   end
   return {
      ktpt = starts(), enpt = enpt, enph = enph, gobj = boxes, jgpt = respawns, mspt = ends(),
      poti = {
         { smooth = 1, motion = 0, points = shapes.route(shapes.ring(CENTRE + kart.vec(0, 3000, 0), 8000, 6),
            { speed = 60 }) },
      },
      area = {
         { type = 0, camera = 4, position = CENTRE - kart.vec(0, 1000, 0), scale = { 1.5, 1, 1.5 }, priority = 1 },
         { type = 1, shape = 1, position = CENTRE, rotation = { 0, 30, 0 }, scale = { 0.4, 0.2, 0.4 } },
      },
      came = {
         opening = 2, selection = 2,
         { type = 0, view_start = { 150, 200, 400 }, view_end = { 0, 60, 0 }, zoom_start = 35, zoom_end = 40 },
         { type = 5, next = 3, route = 1, position = { 8000, 3600, 0 }, view_start = { 0, 800, 0 }, velocity = 120,
            view_end = { 500, 600, -500 }, view_velocity = 20, zoom_start = 60, zoom_end = 45, time = 180 },
         { type = 4, position = { 0, 4000, 9000 }, view_start = { 0, 600, 0 }, zoom_start = 50, zoom_end = 50,
            time = 120 },
         { type = 1, position = { 0, 4000, -9000 }, view_start = { 0, 600, 0 }, zoom_start = 50, zoom_end = 50 },
      },
      stgi = { { laps = 3, pole = 0, flare_color = { 0xE6, 0xE6, 0xE6 }, flare_alpha = 0x4B } },
   }
end

--- A new document of the arena.
return function() return kart.kmp.new(spec()) end
