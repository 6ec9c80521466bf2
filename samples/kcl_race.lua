--- race.kcl: the ground of the race course.
local kclfile = require "samples.kclfile"
local kclshapes = require "samples.kclshapes"

-- Flags of Mario Kart Wii: type, variant << 5, light << 8, wheel depth << 11, 1 << 13 trickable,
-- 1 << 14 not drivable, 1 << 15 soft wall.
local FLAGS = {
   road = { 0x0000, 0x0020, 0x0100, 0x2000, 0x0006, 0x0017, 0x0001, 0x0000 },
   grass = { 0x0082, 0x0883, 0x1084, 0x4003 },
   wall = { 0x000C, 0x800C, 0x002F, 0x000D },
}
local FALL, RECALCULATE, CANNON = 0x0010, 0x0012, 0x0011

local WIDTH = 0.6 -- of the road, as a share of a checkpoint's

-- The edges of the road at a checkpoint; the enemy point there knows the height.
local function place_of(checkpoint, point)
   local l, r, y = checkpoint.left, checkpoint.right, point.position.y
   local function at(a, b, share) return math.floor(a + (b - a) * share) + 0.0 end
   local from, to = (1 - WIDTH) / 2, (1 + WIDTH) / 2
   return { left = { at(l.x, r.x, from), y, at(l.z, r.z, from) }, right = { at(l.x, r.x, to), y, at(l.z, r.z, to) } }
end

local function triangles()
   local doc <close> = require "samples.race"()
   local roads, links = {}, {}
   for i, group in ipairs(doc.ckph) do
      roads[i] = {}
      for number = 0, group.length - 1 do
         -- Both sections have a point for every place of the course.
         roads[i][number + 1] = place_of(doc.ckpt[group.start + number], doc.enpt[doc.enph[i].start + number])
      end
   end
   for i, group in ipairs(doc.ckph) do
      for slot = 1, 6 do
         local to = group.next[slot]
         if to then links[#links + 1] = { roads[i][#roads[i]], roads[to][1] } end
      end
   end
   local list = kclshapes.course(roads, links, FLAGS)
   kclshapes.quad(list, { -20000.0, -1500.0, -22000.0 }, { -20000.0, -1500.0, 8000.0 },
      { 20000.0, -1500.0, 8000.0 }, { 20000.0, -1500.0, -22000.0 }, FALL)
   -- Gates: one that turns drivers back to the route, and the mouth of the cannon.
   local gate, mouth = roads[1][3], roads[4][3]
   for _, place in ipairs{ { gate, RECALCULATE }, { mouth, CANNON } } do
      local l, r = place[1].left, place[1].right
      kclshapes.quad(list, r, l, { l[1], l[2] + 600, l[3] }, { r[1], r[2] + 600, r[3] }, place[2])
   end
   return list
end

--- The bytes of the file.
return function()
   return kclfile.build{ game = "mkw", triangles = triangles(), cell = 13, most = 12, least = 10 }
end
