--- Shapes that courses are made of: roads drawn like with a pen, rings, and the groups of points
--- along them. A place is { position = vec, yaw = degrees }; a road is an array of places.
local shapes = {}

local SPACING = 1500 -- between two places of a road, at most

--- Unit vectors of somebody who looks along `yaw`: 0 is +Z, 90 is +X.
function shapes.forward(yaw) return kart.vec(math.sin(math.rad(yaw)), 0, math.cos(math.rad(yaw))) end
function shapes.left(yaw) return kart.vec(math.cos(math.rad(yaw)), 0, -math.sin(math.rad(yaw))) end

-- Whole numbers: mathematical functions of two systems may differ in the last bit.
local function whole(value) return math.floor(value + 0.5) + 0.0 end

function shapes.whole(v) return kart.vec(whole(v.x), whole(v.y), whole(v.z)) end

--- The place `ahead` and `aside` (to the left) and `above` of another one.
function shapes.beside(place, ahead, aside, above)
   local position = place.position + shapes.forward(place.yaw) * ahead + shapes.left(place.yaw) * aside
   return { position = shapes.whole(position + kart.vec(0, above or 0, 0)), yaw = place.yaw }
end

-- Where one is after `share` of a step.
local function walk(place, step, share)
   local yaw = place.yaw
   local position = place.position + kart.vec(0, (step.rise or 0) * share, 0)
   if step.straight then return { position = position + shapes.forward(yaw) * (step.straight * share), yaw = yaw } end
   local radius = step.curve > 0 and step.radius or -step.radius
   local turned = yaw + step.curve * share
   return { position = position + (shapes.left(yaw) - shapes.left(turned)) * radius, yaw = turned }
end

--- A road from a place, both ends included. Steps: { straight = length } or { curve = degrees to
--- the left, radius = }, both with `rise`.
function shapes.road(from, ...)
   local road, place = { from }, from
   for _, step in ipairs{ ... } do
      local length = step.straight or math.rad(math.abs(step.curve)) * step.radius
      local count = math.ceil(length / SPACING)
      for i = 1, count do road[#road + 1] = walk(place, step, i / count) end
      place = road[#road]
   end
   return road
end

--- The places `first` to `last` of a road, counted from its end if negative.
function shapes.part(road, first, last)
   return table.move(road, first, last < 0 and #road + 1 + last or last, 1, {})
end

--- A closed road round a point, `count` places, seen from above against the clock.
function shapes.ring(centre, radius, count)
   local ring = {}
   for i = 1, count do
      local yaw = 360 * (i - 1) / count
      ring[i] = { position = centre - shapes.left(yaw) * radius, yaw = yaw }
   end
   return ring
end

--- The records of a route along a road, all with the same fields beside their position.
function shapes.route(road, fields)
   local points = {}
   for i, place in ipairs(road) do
      points[i] = { position = shapes.whole(place.position) }
      for name, value in pairs(fields or {}) do points[i][name] = value end
   end
   return points
end

--- Points and their groups: a group for each road. `next[i]` lists the roads that follow road i.
--- `make(place, group, number)` gives the record of a point.
function shapes.groups(roads, next, make)
   local points, groups = {}, {}
   for i, road in ipairs(roads) do
      groups[i] = { start = #points + 1, length = #road, prev = {}, next = next[i] }
      for number, place in ipairs(road) do points[#points + 1] = make(place, i, number) end
   end
   for i in ipairs(groups) do
      for _, to in ipairs(next[i]) do table.insert(groups[to].prev, i) end
   end
   return points, groups
end

--- Checkpoints across the roads, `width` to both sides. `fields(group, number)` gives the other
--- fields of a record.
function shapes.checkpoints(roads, next, width, fields)
   local points, groups = shapes.groups(roads, next, function(place, group, number)
      local record = fields(group, number)
      local left = shapes.beside(place, 0, width).position
      local right = shapes.beside(place, 0, -width).position
      record.left, record.right = { left.x, left.z }, { right.x, right.z }
      return record
   end)
   for _, group in ipairs(groups) do
      local last = group.start + group.length - 1
      for i = group.start, last do
         points[i].prev = i > group.start and i - 1 or nil
         points[i].next = i < last and i + 1 or nil
      end
   end
   return points, groups
end

--- Points and groups of a battle arena. Roads have `from` and `to`, the names of the crossings at
--- their ends; all roads at a crossing are linked, and the dispatch bits say at which of their ends.
function shapes.net(roads, make)
   local nowhere = {}
   for i in ipairs(roads) do nowhere[i] = {} end
   local points, groups = shapes.groups(roads, nowhere, make)
   for i, road in ipairs(roads) do
      local group = groups[i]
      group.prev, group.next, group.dispatch = {}, {}, 0
      for j, other in ipairs(roads) do
         if j ~= i and (other.from == road.from or other.to == road.from) then
            table.insert(group.prev, j)
            if other.from == road.from then group.dispatch = group.dispatch | 1 << (#group.prev - 1) end
         end
         if j ~= i and (other.from == road.to or other.to == road.to) then
            table.insert(group.next, j)
            if other.to == road.to then group.dispatch = group.dispatch | 1 << (#group.next + 5) end
         end
      end
   end
   return points, groups
end

return shapes
