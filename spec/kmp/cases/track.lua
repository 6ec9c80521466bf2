-- A case for each rule about groups, checkpoints, laps and start positions; see check_spec.lua.
local change = require "spec.kmp.cases.change"
local shapes = require "samples.shapes"

-- The race course: groups of 19, 10, 10 and 16 points; the line, key 1 at 6, key 2 in both ways, 3, 4.

-- A group for each item point, all in a ring.
local function item_groups(doc, count)
   doc.itph:remove(1, #doc.itph)
   for i = 1, count do
      doc.itph:insert{}
      doc.itpt:insert({ position = { i, 100, 0 } }, { group = i })
   end
   for i = 1, count do doc.itph[i].prev, doc.itph[i].next = { (i - 2) % count + 1 }, { i % count + 1 } end
end

-- Another course: a ring of so many checkpoints, the first group of them `first` long.
local function ring(count, first)
   local road = shapes.ring(kart.vec(0, 100, 0), 60000, count)
   local roads = { shapes.part(road, 1, first), shapes.part(road, first + 1, -1) }
   local ckpt, ckph = shapes.checkpoints(roads, { { 2 }, { 1 } }, 1000, function(group, number)
      return { type = group == 1 and (number == 1 and 0 or number == 2 and 1) or -1, respawn = 1 }
   end)
   local enpt, enph = shapes.groups({ shapes.ring(kart.vec(0, 100, 0), 60000, 60) }, { { 1 } }, function(place)
      return { position = shapes.whole(place.position), width = 10 }
   end)
   -- No byte can name what comes behind 255.
   for _, point in ipairs(ckpt) do
      if point.prev and point.prev > 255 then point.prev = nil end
      if point.next and point.next > 255 then point.next = nil end
   end
   local start = shapes.beside(road[1], -100, 0)
   return kart.kmp.new{ enpt = enpt, enph = enph, ckpt = ckpt, ckph = ckph, came = { {} },
      ktpt = { { position = start.position, rotation = { 0, start.yaw, 0 } } },
      jgpt = { { position = shapes.beside(road[1], -500, 0).position } }, stgi = { { laps = 3 } } }
end

-- A checkpoint set down `ahead` units in front of another one.
local function follow(doc, index, ahead)
   local one, other = doc.ckpt[index], doc.ckpt[index + 1]
   local across = one.right - one.left
   local forward = kart.vec(across.z, 0, -across.x) * (1 / across:length())
   other.left, other.right = one.left + forward * ahead, one.right + forward * ahead
end

-- The lap line turned by so many degrees.
local function turn_line(doc, degrees)
   local line = doc.ckpt[1]
   local half = (line.right - line.left) * 0.5
   local middle, angle = line.left + half, math.rad(degrees)
   local turned = kart.vec(half.x * math.cos(angle) + half.z * math.sin(angle), 0,
      half.z * math.cos(angle) - half.x * math.sin(angle))
   line.left, line.right = middle - turned, middle + turned
end

local function move_start(doc, by) doc.ktpt[1].position = doc.ktpt[1].position + kart.vec(table.unpack(by)) end

return {
   ["group-missing"] = {
      place = "itpt",
      breaks = function(doc) return change.count(doc, "itph", 0) end,
      near = function(doc) return change.count(change.count(doc, "itph", 0), "itpt", 0) end,
   },
   ["group-empty"] = {
      place = "itph[5].length",
      breaks = function(doc)
         doc.itph:insert{ prev = { 4 }, next = { 1 } }
         doc.itph[4].next = { 1, 5 }
      end,
      near = function(doc)
         doc.itph:insert{ prev = { 4 }, next = { 1 } }
         doc.itph[4].next = { 1, 5 }
         doc.itpt:insert({ position = { 0, 500, 0 } }, { group = 5 })
      end,
   },
   ["group-range"] = {
      place = "itph[4].length",
      breaks = function(doc) doc.itph[4].length = 17 end,
      near = function(doc)
         doc.itpt:insert{ position = { 0, 500, 0 } }
         assert(doc.itph[4].length == 17)
      end,
   },
   ["group-gap"] = {
      place = "itph[4].start",
      breaks = function(doc) doc.itph[4].start, doc.itph[4].length = 41, 15 end,
      near = function(doc) doc.itpt:remove(40) end,
   },
   ["group-next"] = {
      place = "itph[4].next",
      breaks = function(doc) doc.itph[4].next = {} end,
      near = function(doc) doc.itph[4].next = { 2 } end,
   },
   ["group-unreached"] = {
      place = "itph[3]",
      breaks = function(doc) doc.itph[1].next = { 2 } end,
      near = function(doc) doc.itph[1].next, doc.itph[2].next = { 2 }, { 4, 3 } end,
   },
   ["group-count"] = {
      place = "itph",
      breaks = function(doc) item_groups(doc, 255) end,
      near = function(doc) item_groups(doc, 254) end,
   },
   ["item-first-next"] = {
      place = "itph[1].next",
      breaks = function(doc) doc.itph[1].next = { nil, 2, 3 } end,
      near = function(doc) doc.itph[1].next = { 3, nil, 2 } end,
   },
   ["item-self-link"] = {
      place = "itph[5].next",
      breaks = function(doc) doc.itph:split(4, 16).next = { 1, 5 } end,
      near = function(doc) doc.itph:split(4, 15).next = { 1, 5 } end,
   },
   ["point-count"] = {
      place = "itpt",
      breaks = function(doc)
         doc.itph[4].length = 217
         return change.count(doc, "itpt", 256)
      end,
      near = function(doc)
         doc.itph[4].length = 216
         return change.count(doc, "itpt", 255)
      end,
   },
   ["ckpt-branches"] = {
      place = "ckph[4].next", with = { "laps-jump" },
      breaks = function(doc) doc.ckph:split(2, 5) end,
      near = function(doc)
         doc.ckph:split(2, 5)
         doc.ckph:split(4, 5)
      end,
   },
   ["ckpt-count"] = {
      base = function() return ring(256, 254) end,
      place = "ckph[2].start",
      breaks = function() return ring(256, 255) end,
      near = function() return ring(255, 254) end,
   },
   ["ckpt-links"] = {
      place = "ckpt[3].prev",
      breaks = function(doc) doc.ckpt[3].prev = 1 end,
      near = function(doc) doc.ckph:split(1, 4) end,
   },
   ["ckpt-none"] = {
      place = "ckpt",
      breaks = function(doc) doc.ckph:remove(1, 4) end,
      near = function(doc)
         doc.ckph:remove(1, 4)
         doc.itph:remove(1, 4) -- an arena now
      end,
   },
   ["ckpt-overlap"] = {
      place = "ckpt[10]",
      breaks = function(doc) follow(doc, 10, 0.5) end,
      near = function(doc) follow(doc, 10, 1.5) end,
   },
   ["ckpt-near"] = {
      place = "ckpt[10]",
      breaks = function(doc) follow(doc, 10, 9) end,
      near = function(doc) follow(doc, 10, 11) end,
   },
   ["ckpt-quad"] = {
      place = "ckpt[3]", with = { "ckpt-dead" },
      -- One end past the next checkpoint's.
      breaks = function(doc) doc.ckpt[3].left = doc.ckpt[4].left + kart.vec(100, 0, 0) end,
      near = function(doc) doc.ckpt[3].left = doc.ckpt[4].left - kart.vec(100, 0, 0) end,
   },
   ["ckpt-dead"] = {
      place = "ckpt[4]", with = { "ckpt-links" },
      breaks = function(doc) doc.ckpt[3].next = 5 end,
      near = function(doc) doc.ckpt[4].prev = 2 end,
   },
   ["key-order"] = {
      place = "ckpt.type",
      breaks = function(doc) doc.ckpt[55].type = 5 end,
      near = function(doc) doc.ckpt[55].type = -1 end,
   },
   ["key-signed"] = {
      place = "ckpt[3].type",
      breaks = function(doc) doc.ckpt[3].type = 0x85 end,
      near = function(doc) doc.ckpt[3].type = 0xFF end,
   },
   ["key-twice"] = {
      place = "ckpt[10].type",
      breaks = function(doc) doc.ckpt[10].type = 1 end,
      near = function(doc)
         doc.ckpt[10].type = 1
         doc.ckph:split(1, 8)
      end,
   },
   ["key-skipped"] = {
      place = "ckpt[30]", with = { "ckpt-dead", "laps-jump" },
      -- Of two ways that begin at one line, the search takes the first.
      breaks = function(doc) doc.ckpt[30].type, doc.ckpt[32].type = 2, -1 end,
      near = function(doc) doc.ckpt[20].type, doc.ckpt[22].type = 2, -1 end,
   },
   ["lap-line-none"] = {
      place = "ckpt.type",
      breaks = function(doc) doc.ckpt[1].type = -1 end,
      near = function(doc) doc.ckpt[1].type, doc.ckpt[2].type = -1, 0 end,
   },
   ["lap-line-several"] = {
      place = "ckpt[8].type",
      breaks = function(doc) doc.ckpt[8].type = 0 end,
      near = function(doc) doc.ckpt[8].type = -1 end,
   },
   ["lap-line-first"] = {
      place = "ckpt[2].type", with = { "start-apart" },
      breaks = function(doc) doc.ckpt[1].type, doc.ckpt[2].type = -1, 0 end,
      near = function(doc) doc.ckpt:remove(2) end,
   },
   ["lap-line-respawn"] = {
      place = "ckpt[1].respawn",
      breaks = function(doc) doc.ckpt[1].respawn = 1 end,
      near = function(doc)
         doc.ckpt[1].respawn = 1
         doc.jgpt[1].position = { -10, 800, 0 }
      end,
   },
   ["laps-incomplete"] = {
      place = "", with = { "group-unreached" },
      -- The last key lies on a way that drivers don't take.
      breaks = function(doc)
         doc.enph[1].next = { 2 }
         doc.ckpt[35].type = 5
      end,
      near = function(doc) doc.ckpt[35].type = 5 end,
   },
   ["laps-jump"] = {
      place = "ckpt[40]", with = { "ckpt-branches" },
      -- Three groups on the way that the depth is counted along, one on the way that is driven.
      breaks = function(doc)
         doc.ckph:split(2, 4)
         doc.ckph:split(3, 4)
         doc.enph[1].next = { 3, 2 }
      end,
      near = function(doc)
         -- Two against one, and so many others that it is less than a fifth of the lap.
         doc.ckph:split(2, 4)
         doc.ckph:split(5, 4)
         doc.ckph:split(6, 4)
         doc.enph[1].next = { 3, 2 }
      end,
   },
   ["respawn-range"] = {
      place = "ckpt[3].respawn",
      breaks = function(doc) return change.raw(doc, "ckpt", 3, "respawn", #doc.jgpt) end,
      near = function(doc) return change.raw(doc, "ckpt", 3, "respawn", 0xFF) end,
   },
   ["respawn-signed"] = {
      place = "ckpt[3].respawn",
      breaks = function(doc)
         for _ = #doc.jgpt, 128 do doc.jgpt:insert{} end
         doc.ckpt[3].respawn = 129
      end,
      near = function(doc)
         for _ = #doc.jgpt, 128 do doc.jgpt:insert{} end
         doc.ckpt[3].respawn = 128
      end,
   },
   ["start-none"] = {
      place = "ktpt",
      breaks = function(doc) doc.ktpt:remove(1) end,
      near = function(doc) doc.ktpt:insert{ player = -1 } end,
   },
   ["start-yaw"] = {
      place = "ktpt[1].rotation",
      breaks = function(doc) doc.ktpt[1].rotation = { 0, 90.5, 0 } end,
      near = function(doc) doc.ktpt[1].rotation = { 0, -270, 0 } end,
   },
   ["start-heading"] = {
      place = "ktpt[1].rotation",
      breaks = function(doc) turn_line(doc, 5.1) end,
      near = function(doc) turn_line(doc, 4.9) end,
   },
   ["start-slant"] = {
      place = "ktpt[1].rotation",
      breaks = function(doc) turn_line(doc, -1.1) end,
      near = function(doc) turn_line(doc, -0.9) end,
   },
   ["start-far"] = {
      place = "ktpt[1].position", with = { "start-outside" }, -- a key is nearer
      breaks = function(doc) move_start(doc, { -1601, 0, 0 }) end,
      near = function(doc) move_start(doc, { -1599, 0, 0 }) end,
   },
   ["start-apart"] = {
      place = "ktpt[1].position",
      breaks = function(doc) move_start(doc, { -101, 0, 0 }) end,
      near = function(doc) move_start(doc, { -99, 0, 0 }) end,
   },
   ["start-outside"] = {
      place = "ktpt[1].position",
      breaks = function(doc) move_start(doc, { 0, 0, 1450 }) end,
      near = function(doc) move_start(doc, { 0, 0, 1350 }) end,
   },
   ["arena-players"] = {
      base = "arena", place = "ktpt.player",
      breaks = function(doc) doc.ktpt:remove(12) end,
      near = function(doc) doc.ktpt:move(12, 1) end,
   },
   ["arena-ends"] = {
      base = "arena", place = "mspt",
      breaks = function(doc) doc.mspt:remove(1) end,
      near = function(doc) doc.mspt:insert{} end,
   },
}
