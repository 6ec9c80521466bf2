--- What stands and moves beside the road of race.kmp: objects, routes, areas and cameras.
local shapes = require "samples.shapes"

-- Routes by name, in the order of the section.
local ROUTES = { "opening", "path_camera", "kart_camera", "shared", "traffic", "water", "balls", "snake", "boxes" }
local number_of = {}
for i, name in ipairs(ROUTES) do number_of[name] = i end

-- Above the middle of the course.
local MIDDLE = kart.vec(1500, 0, -6000)

-- Offsets in the frame of the kart that a camera rides beside.
local BESIDE_KART = {
   { position = { 500, 180, 650 }, speed = 20 }, { position = { 620, 240, 0 }, speed = 25 },
   { position = { 480, 300, -600 }, speed = 25 },
}

local function routes(roads)
   -- Cars blink where they change lanes: 1 left, 2 right.
   local traffic = shapes.route(shapes.part(roads[4], 3, 9))
   for i, point in ipairs(traffic) do point.speed = ({ 0, 1, 0, 2 })[(i - 1) % 4 + 1] end
   local function ring(height, radius, count, fields)
      return shapes.route(shapes.ring(MIDDLE + kart.vec(0, height, 0), radius, count), fields)
   end
   local points = {
      opening = ring(4000, 9000, 5, { speed = 30 }),
      path_camera = ring(2500, 3000, 4, { speed = 18 }),
      kart_camera = BESIDE_KART,
      shared = { { position = { -650, 200, 500 }, speed = 15 }, { position = { -700, 260, -150 }, speed = 15 },
         { position = { -600, 320, -700 }, speed = 15, setting = 1 } },
      traffic = traffic,
      water = { { position = { 0, -400, -6000 }, speed = 4 }, { position = { 0, -150, -6000 }, speed = 4 } },
      balls = ring(600, 1800, 3, { speed = 12 }),
      snake = ring(300, 2400, 4, { speed = 9, setting = 2 }),
      boxes = ring(700, 1200, 4, { speed = 8 }),
   }
   local list = {}
   for i, name in ipairs(ROUTES) do
      list[i] = { smooth = i % 2, motion = i % 4 == 2 and 1 or 0, points = points[name] }
   end
   return list
end

-- Every object that knows left from right or hides a reference, and what those settings are here.
-- { id, settings, route }; they are set down along the road one by one.
local OBJECTS = {
   { 405, { 0, 90, 3 } }, -- fire bar: turns
   { 417, { 0, 0xFFD3 } }, -- fire ring: -45
   { 421, { 4, 60 } },
   { 422, { 0, 1 } }, { 229, { 2, 0 }, "balls" }, -- propeller, crab: side
   { 532, { 1, 0 } }, { 533, { 1, 1 } }, -- meteors
   { 504, { 60, 20 } }, { 505, { 60, 20 } }, -- bulldozers: left, right
   { 604, { 0, 1, 5 } }, -- curved belt
   { 608, { 3, 60, 0, 0xFFC4, 0, 30 } }, -- escalators: three speeds
   { 507, { 0, 400, 0, 100 } }, -- crane: period, phase
   { 406, { 0, 0, 0, 0, 0 }, "boxes" }, -- chain chomp: where its pole stands, filled in below
   { 208, { 1, 2 }, "traffic" }, { 209, { 3, 0 }, "traffic" }, { 222, { 0, 0 }, "traffic" }, -- start point, ...
   { 511, { 0, 0, 300 } }, -- bridge: yaw tells the side
   { 520, {} }, { 602, { 1 } }, { 603, { 2 } }, -- belts: direction sits elsewhere
   { 206, {}, "snake" }, -- a ship on its route
   { 518, {} }, { 516, {} }, { 510, {} }, { 514, {} }, { 526, {} }, { 524, {} }, -- one-handed models
   { 234, { number_of.balls - 1, 120 } }, { 420, { number_of.snake - 1 } }, -- hidden: a route
   { 201, { 0, 0, 0, 0, 2 }, "boxes" }, { 216, { 0, 1 }, "snake" }, -- hidden: start point on the route
   { 20, { 0, 0, 1, 2 } }, -- hidden: ids of what it controls
   { 396, { 0, 500 } }, -- wants an area of type 7
}

local function objects(roads)
   local list = {}
   local function add(id, place, settings, route)
      local record = { id = id, position = place.position, rotation = { 0, (place.yaw + 180) % 360 - 180, 0 },
         presence = 0x3F, route = route and number_of[route], settings = settings }
      list[#list + 1] = record
      return record
   end
   -- Rows of item boxes across the road.
   for _, at in ipairs{ { 1, 4 }, { 4, 6 } } do
      for lane = -2, 2 do add(101, shapes.beside(roads[at[1]][at[2]], 0, lane * 350, 30), { 0, 0, 0, 0, 1 }) end
   end
   for i, object in ipairs(OBJECTS) do
      local road = roads[i % 4 + 1]
      local place = shapes.beside(road[i % #road + 1], 0, i % 2 == 0 and 1700 or -1700)
      local id, settings, route = table.unpack(object)
      local record = add(id, place, settings, route)
      if id == 406 then
         -- World x and z, a tenth of them.
         settings[4], settings[5] = place.position.x // 10 | 0, place.position.z // 10 | 0
      elseif id == 511 then
         record.rotation = { 0, 35, 0 }
      elseif id == 520 then
         record.rotation = { 90, 0, 0 }
      elseif id == 405 then
         record.rotation, record.scale = { 12.5, record.rotation[2], -7.25 }, { 1.5, 1, 2 }
      end
   end
   -- A little maze of the blocks that the engine keeps in a grid.
   for i, id in ipairs{ 316, 367, 368, 316, 367, 368, 316, 367 } do
      local position = kart.vec(-1200 + i * 300, 400, -6000 + i % 3 * 300)
      add(id, { position = position, yaw = 0 }, { i % 2 }).rotation = { 0, ({ 0, 90, 180, -90 })[i % 4 + 1], 0 }
   end
   return list
end

local function areas()
   return {
      { type = 0, camera = 2, priority = 1, position = { 2500, 300, 0 }, scale = { 1.2, 0.4, 0.6 } },
      { type = 0, camera = 3, priority = 2, position = { 11000, 500, -6000 }, rotation = { 0, 35, 0 },
         scale = { 0.8, 0.6, 1.4 } },
      { type = 0, camera = 4, shape = 1, position = { 1500, 1500, -12000 }, rotation = { 0, -120, 0 },
         scale = { 1.5, 0.5, 1.5 } },
      { type = 0, camera = 8, priority = 3, position = { -8000, 900, -6000 }, rotation = { 10, 20, -30 },
         scale = { 1, 0.5, 0.75 } },
      { type = 1, position = { 0, 0, -6000 }, rotation = { 0, 90, 0 }, scale = { 0.5, 0.3, 0.2 }, setting_1 = 2 },
      { type = 2, position = { -3000, 300, -9000 }, scale = { 0.3, 0.2, 0.3 }, setting_1 = 1 },
      { type = 3, route = number_of.water, position = { 1500, -500, -6000 }, scale = { 1, 0.1, 1 }, setting_1 = 1,
         setting_2 = 300 },
      { type = 4, enemy_point = 12, position = { 7000, 400, -14000 }, rotation = { 0, 180, 0 },
         scale = { 0.4, 0.2, 0.3 } },
      { type = 5, shape = 1, position = { 12000, 0, -6000 }, scale = { 0.2, 1, 0.2 } },
      { type = 6, position = { 0, 300, 0 }, rotation = { 0, -45.5, 0 }, scale = { 0.6, 0.3, 0.4 }, setting_1 = 1,
         setting_2 = 60 },
      { type = 7, position = { -500, 300, -6000 }, scale = { 0.7, 0.3, 0.7 } },
      { type = 8, position = { 4000, 300, -6000 }, rotation = { 0, 15, 0 }, scale = { 0.2, 0.2, 0.2 }, setting_1 = 3 },
      { type = 9, position = { 6000, 300, -6000 }, rotation = { 0, 15, 0 }, scale = { 0.2, 0.2, 0.2 }, setting_1 = 3 },
   }
end

local function cameras()
   return {
      opening = 5, selection = 5,
      -- View points of types 0, 3 and 6 are offsets in the frame of the kart.
      { type = 0, view_start = { 180, 220, 420 }, view_end = { 20, 60, 0 }, zoom_start = 35, zoom_end = 40 },
      { type = 1, position = { 2500, 1400, 3200 }, zoom_start = 30, zoom_end = 55, zoom_velocity = 40 },
      { type = 2, route = number_of.path_camera, position = { 4500, 2500, -6000 }, view_start = { 10500, 900, -6000 },
         zoom_start = 45, zoom_end = 45, velocity = 900 },
      { type = 3, position = { 0, 0, 0 }, view_start = { -300, 150, 500 }, view_end = { 0, 80, 20 }, zoom_start = 60,
         zoom_end = 60 },
      -- The opening: along a path, along the shared one, and a look at the grid.
      { type = 5, next = 6, route = number_of.opening, position = { 10500, 4000, -6000 }, view_start = { 0, 800, 0 },
         view_end = { 3000, 900, -9000 }, velocity = 2000, view_velocity = 700, zoom_start = 50, zoom_end = 65,
         zoom_velocity = 10, time = 150 },
      { type = 5, next = 7, route = number_of.shared, position = { -650, 900, 500 }, view_start = { 0, 500, 0 },
         view_end = { 500, 500, 100 }, velocity = 300, view_velocity = 60, zoom_start = 55, zoom_end = 40,
         time = 120 },
      { type = 4, position = { 1800, 760, 420 }, rotation = { 0, 25, 0 }, view_start = { 0, 600, 0 },
         view_end = { -400, 560, 30 }, view_velocity = 80, zoom_start = 40, zoom_end = 35, time = 180 },
      { type = 6, route = number_of.kart_camera, view_start = { 100, 90, 0 }, view_end = { -40, 70, 30 },
         velocity = 400, zoom_start = 50, zoom_end = 50 },
      { type = 6, route = number_of.shared, view_start = { -90, 90, 10 }, view_end = { 40, 70, 30 },
         velocity = 350, zoom_start = 48, zoom_end = 52 },
   }
end

--- The sections gobj, poti, area and came for the roads of a course.
return function(roads)
   return { gobj = objects(roads), poti = routes(roads), area = areas(), came = cameras() }
end
