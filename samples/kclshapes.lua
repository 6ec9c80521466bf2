--- Triangles that the KCL samples are made of.
local kclshapes = {}

--- A quad with corners a, b, c, d counter-clockwise seen from the side that is hit: two triangles,
--- behind those in `list`.
function kclshapes.quad(list, a, b, c, d, flag)
   list[#list + 1] = { a, b, c, flag = flag }
   list[#list + 1] = { a, c, d, flag = flag }
end

--- Hilly ground of count x count squares from the origin on, with a wall along one side. `flags`
--- are dealt out to the squares one by one.
function kclshapes.hill(count, edge, flags)
   local list, top = {}, {}
   for i = 0, count do
      top[i] = {}
      for j = 0, count do top[i][j] = { i * edge, (7 * i * i + 5 * j + 3 * i * j) % 11 * edge // 20, j * edge } end
   end
   for i = 1, count do
      for j = 1, count do
         local flag = flags[#list // 2 % #flags + 1]
         kclshapes.quad(list, top[i - 1][j - 1], top[i - 1][j], top[i][j], top[i][j - 1], flag)
      end
   end
   local wall = flags[#flags]
   for j = 1, count do
      local a, b = top[0][j - 1], top[0][j]
      kclshapes.quad(list, a, { 0, a[2] + edge, a[3] }, { 0, b[2] + edge, b[3] }, b, wall)
   end
   return list
end

--- The ground of a course, drawn along its checkpoints and enemy points: the road, a strip of grass
--- and a wall at both sides, and a plane far below that nobody falls through.
---   roads    arrays of { left =, right = } with corners { x, y, z } at the edges of the road
---   links    pairs of such places between which only the road goes on
function kclshapes.course(roads, links, flags)
   local list = {}
   local function beside(place, share, up)
      local l, r = place.left, place.right
      local function at(from, to)
         return { from[1] + (to[1] - from[1]) * share // 1, from[2] + up, from[3] + (to[3] - from[3]) * share // 1 }
      end
      return at(l, r), at(r, l)
   end
   local function road(a, b, flag) kclshapes.quad(list, a.right, b.right, b.left, a.left, flag) end
   for number, places in ipairs(roads) do
      for i = 2, #places do
         local a, b = places[i - 1], places[i]
         road(a, b, flags.road[(number + i) % #flags.road + 1])
         -- Grass reaches outwards by a quarter of the road; the wall stands behind it.
         local a_left, a_right = beside(a, -0.25, 0)
         local b_left, b_right = beside(b, -0.25, 0)
         kclshapes.quad(list, a.left, b.left, b_left, a_left, flags.grass[i % #flags.grass + 1])
         kclshapes.quad(list, a_right, b_right, b.right, a.right, flags.grass[i % #flags.grass + 1])
         local a_left_up, a_right_up = beside(a, -0.25, 800)
         local b_left_up, b_right_up = beside(b, -0.25, 800)
         local wall = flags.wall[(number + i) % #flags.wall + 1]
         kclshapes.quad(list, a_left, b_left, b_left_up, a_left_up, wall)
         kclshapes.quad(list, b_right, a_right, a_right_up, b_right_up, wall)
      end
   end
   for _, link in ipairs(links) do road(link[1], link[2], flags.road[1]) end
   return list
end

return kclshapes
