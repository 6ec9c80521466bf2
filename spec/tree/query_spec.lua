-- Queries on meshes and KCL, one by one. That the tree finds what a loop would is shown in spec/c/test_tree.c.
local tools = require "spec.kcl.tools"

-- A floor at 0 of two triangles, 100 units along each side, road and off-road; a roof at 50 that faces down; a wall
-- without a flag at x = 100 that faces to -x.
local function room()
   return kart.mesh.new{
      positions = { { 0, 0, 0 }, { 0, 0, 100 }, { 100, 0, 0 }, { 100, 0, 100 }, { 0, 50, 0 }, { 100, 50, 0 },
         { 0, 50, 100 }, { 100, 50, 100 } },
      triangles = { { 1, 2, 3, flag = 0 }, { 3, 2, 4, flag = 3 }, { 5, 6, 7, flag = 0x0C }, { 3, 4, 8 } },
   }
end

local function near(a, b) return (a - b):length() < 1e-9 end

describe("a ray", function()
   it("tells where it hits what, and how far away", function()
      local hit = room():raycast({ 25, 30, 50 }, { 0, -2, 0 })
      assert.equal("hit", kart.type(hit))
      assert.same({ 30, 15, 1, 0, 2 }, { hit.distance, hit.fraction, hit.triangle, hit.flag, hit.visits })
      assert.same({ kart.vec(25, 0, 50), kart.vec(0, 1, 0), 0.5, 0.25 }, { hit.point, hit.normal, hit.u, hit.v })
      assert.equal("hit: triangle 1, 30.0 away, at (25, 0, 50)", tostring(hit))
      assert.error_matches(function() hit.distance = 1 end, "can't be changed")
      assert.error_matches(function() return hit.distence end, "no field")
   end)

   it("hits nothing beyond the farthest, or where nothing is", function()
      local mesh = room()
      assert.is_nil(mesh:raycast({ 25, 30, 50 }, { 0, -2, 0 }, { max = 29 }))
      assert.equal(1, #mesh:raycast({ 25, 30, 50 }, { 0, -2, 0 }, { max = 30, mode = "all" }))
      assert.is_nil(mesh:raycast({ 25, 30, 50 }, { -1, 0, 0 }))
      assert.is_nil(mesh:raycast({ 25, 30, 50 }, { 0, 0, 0 }))
      assert.is_nil(kart.mesh.new{ positions = {}, triangles = {} }:raycast({ 0, 0, 0 }, { 1, 0, 0 }))
   end)

   it("sees fronts, backs or both", function()
      local mesh = room()
      local function seen(faces)
         local list = {}
         for i, hit in ipairs(mesh:raycast({ 25, 99, 50 }, { 0, -1, 0 }, { mode = "all", faces = faces })) do
            list[i] = hit.triangle
         end
         return list
      end
      assert.same({ { 3, 1 }, { 3, 1 }, { 1 }, { 3 } }, { seen(), seen "both", seen "front", seen "back" })
      local hits, visits = mesh:raycast({ 25, 99, 50 }, { 0, -1, 0 }, { mode = "all" })
      assert.same({ visits, visits }, { hits[1].visits, hits[2].visits })
      assert.is_true(visits > 0 and mesh:raycast({ 25, 99, 50 }, { 0, -1, 0 }, { mode = "any" }).triangle < 4)
   end)

   it("goes past what doesn't count", function()
      local mesh = room()
      local function first(options) return mesh:raycast({ 25, 99, 50 }, { 0, -1, 0 }, options).triangle end
      assert.same({ 3, 1, 1, 3 }, { first(), first{ flags = "road" }, first{ flags = { "floors" } },
         first{ mask = 1 << 0x0C } })
      assert.is_nil(mesh:raycast({ 25, 99, 50 }, { 0, -1, 0 }, { flags = "off_road" }))
      -- A triangle whose flag isn't known counts only where nothing is asked.
      assert.equal(4, mesh:raycast({ 25, 10, 70 }, { 1, 0, 0 }).triangle)
      assert.is_nil(mesh:raycast({ 25, 10, 70 }, { 1, 0, 0 }).flag)
      assert.is_nil(mesh:raycast({ 25, 10, 70 }, { 1, 0, 0 }, { mask = 0xFFFFFFFF >> 1 }))
      mesh.triangles[4].flag = 0x0C
      assert.equal(0x0C, mesh:raycast({ 25, 10, 70 }, { 1, 0, 0 }, { flags = "wall" }).flag)
   end)

   it("between two points is a segment", function()
      local mesh = room()
      local hit = mesh:segment({ 25, 30, 50 }, { 25, -30, 50 })
      assert.same({ 30, 0.5, 1 }, { hit.distance, hit.fraction, hit.triangle })
      assert.equal(1, mesh:segment({ 25, 30, 50 }, { 25, 0, 50 }).fraction)
      assert.is_nil(mesh:segment({ 25, 30, 50 }, { 25, 1, 50 }))
      assert.is_nil(mesh:segment({ 25, 0, 50 }, { 25, 0, 50 }))
      assert.equal(2, #mesh:segment({ 25, 60, 50 }, { 25, -1, 50 }, { mode = "all" }))
   end)
end)

it("ground and ceiling are what faces up below, and what faces down above", function()
   local mesh = room()
   local hit = mesh:ground{ 75, 20, 75 }
   assert.same({ 2, 20, kart.vec(75, 0, 75) }, { hit.triangle, hit.distance, hit.point })
   assert.equal(30, mesh:ceiling({ 25, 20, 25 }).distance)
   -- A roof is no ground from above, unless its back is asked for.
   assert.equal(1, mesh:ground({ 25, 60, 25 }).triangle)
   assert.equal(3, mesh:ground({ 25, 60, 25 }, { faces = "both" }).triangle)
   assert.equal(2, mesh:ceiling({ 75, -10, 75 }, { faces = "back" }).triangle)
   assert.is_nil(mesh:ceiling{ 75, -10, 75 })
   assert.is_nil(mesh:ground({ 25, 20, 25 }, { max = 19 }))
   assert.is_nil(mesh:ground{ 25, -1, 25 })
   assert.equal(0, mesh:ground({ 25, 0, 25 }).distance)
end)

describe("what is near", function()
   it("is the nearest triangle and its place", function()
      local mesh = room()
      local hit = mesh:nearest{ -3, 4, 50 }
      assert.same({ 5, kart.vec(0, 0, 50), 1 }, { hit.distance, hit.point, hit.triangle })
      assert.is_nil(mesh:nearest({ -3, 4, 50 }, { max = 4.9 }))
      assert.equal(2, mesh:nearest({ -3, 4, 50 }, { flags = "off_road" }).triangle)
      -- Of equally near ones the lowest.
      assert.equal(1, mesh:nearest({ 50, 10, 50 }).triangle)
   end)

   it("is touched by a sphere on its way", function()
      local mesh = room()
      local hit = mesh:sweep({ 25, 30, 25 }, 10, { 0, -40, 0 })
      assert.same({ 0.5, 20, 1, kart.vec(25, 0, 25) }, { hit.fraction, hit.distance, hit.triangle, hit.point })
      assert.is_nil(mesh:sweep({ 25, 30, 25 }, 10, { 0, -19, 0 }))
      assert.equal(0, mesh:sweep({ 25, 9, 25 }, 10, { 0, 30, 0 }).distance)
      assert.is_nil(mesh:sweep({ 25, 9, 25 }, 10, { 0, 30, 0 }, { faces = "front", flags = "road" }))
      assert.equal(1, mesh:sweep({ 25, 9, 25 }, 10, { 0, 0, 0 }).triangle)
      -- Past an edge: the sphere touches it where it passes.
      local edge = mesh:sweep({ -6, 30, 50 }, 10, { 0, -60, 0 })
      assert.is_true(near(edge.point, kart.vec(0, 0, 50)) and math.abs(edge.distance - 22) < 1e-9)
   end)

   it("is what a box or a sphere holds", function()
      local mesh = room()
      assert.same({ 1, 2 }, (mesh:overlap{ box = { { 0, -1, 0 }, { 90, 1, 90 } } }))
      assert.same({ 2 }, (mesh:overlap{ box = { { 0, -1, 0 }, { 90, 1, 90 } }, flags = "off_road" }))
      assert.same({}, (mesh:overlap{ box = { { 5, 5, 5 }, { 9, 9, 9 } } }))
      assert.same({}, (mesh:overlap{ box = { { 9, 9, 9 }, { 5, -5, 5 } } }))
      assert.same({ 3 }, (mesh:overlap{ sphere = { { 10, 55, 10 }, 5 } }))
      assert.same({ 1, 2, 3, 4 }, (mesh:overlap{ sphere = { { 10, 55, 10 }, 1e6 } }))
      assert.is_true(select(2, mesh:overlap{ sphere = { { 0, 0, 0 }, 1 } }) > 0)
   end)
end)

describe("the tree", function()
   it("follows what changes places, and clones have their own then", function()
      local mesh, from = room(), { 25, 40, 25 }
      local function height() return mesh:ground(from, { faces = "both" }).distance end
      assert.equal(40, height())
      local copy = assert(mesh:clone())
      assert(mesh:translate{ 0, 5, 0 })
      assert.same({ 35, 40 }, { height(), copy:ground(from).distance })
      mesh:map(function(x, y, z) return x, y + 5, z end)
      assert.equal(30, height())
      mesh:flip()
      assert.is_nil(mesh:ground(from))
      mesh:flip()
      mesh:merge(copy)
      assert.equal(30, height())
      assert.equal(40, assert(mesh:select(function(triangle) return triangle.index > 4 end)):ground(from).distance)
   end)

   it("of a KCL names prisms, and agrees with its mesh", function()
      for _, name in ipairs(tools.names()) do
         local doc = tools.open(name)
         local mesh = doc:mesh()
         local low, high = mesh:bounds()
         for i = 1, low and 200 or 0 do
            local at = kart.vec(low.x + (high.x - low.x) * (i * 37 % 200 + 0.5) / 200, high.y + 10,
               low.z + (high.z - low.z) * (i * 61 % 200 + 0.5) / 200)
            local a, b = doc:ground(at), mesh:ground(at)
            assert.equal(b and b.distance, a and a.distance)
            if a then
               assert.equal(doc.prisms[a.triangle].flag, a.flag)
               assert.equal(b.flag, a.flag)
            end
            assert.equal(mesh:nearest(at).distance, doc:nearest(at).distance)
         end
      end
   end)

   it("of a KCL follows flags and transformations", function()
      local doc = tools.open "race"
      local c = doc.prisms[1].corners
      local at = (c[1] + c[2] + c[3]) / 3 + kart.vec(0, 60, 0)
      assert.equal(60, doc:ground(at).distance)
      doc.prisms[1].flag = 0x0C
      assert.same({ 1, 0x0C }, { doc:ground(at).triangle, doc:ground(at).flag })
      local copy = assert(doc:clone())
      assert(doc:translate{ 0, 10, 0 })
      assert.same({ 50, 60 }, { doc:ground(at).distance, copy:ground(at).distance })
      assert(copy:rotate("y", 90))
      assert(math.abs(copy:ground(kart.matrix.rotation("y", 90) * at).distance - 60) < 0.1)
   end)
end)

it("what can't be meant raises", function()
   local mesh = room()
   local from, way = { 0, 0, 0 }, { 0, 1, 0 }
   for _, case in ipairs{
      { function() mesh:raycast(from) end, "vector" },
      { function() mesh:raycast({ 0, 0 / 0, 0 }, way) end, "vector" },
      { function() mesh:raycast(from, way, { maxx = 1 }) end, "unknown option 'maxx'" },
      { function() mesh:raycast(from, way, { max = -1 }) end, "from 0 up" },
      { function() mesh:raycast(from, way, { mode = "first" }) end, "option 'mode'" },
      { function() mesh:raycast(from, way, { faces = 1 }) end, "option 'faces'" },
      { function() mesh:raycast(from, way, { flags = "raod" }) end, "did you mean road" },
      { function() mesh:raycast(from, way, { flags = "road", mask = 1 }) end, "one of them" },
      { function() mesh:segment(from, way, { max = 1 }) end, "unknown option" },
      { function() mesh:ground(from, { mode = "all" }) end, "unknown option" },
      { function() mesh:nearest(from, { faces = "front" }) end, "unknown option" },
      { function() mesh:sweep(from, -1, way) end, "radius" },
      { function() mesh:sweep(from, way, 1) end, "number" },
      { function() mesh:overlap() end, "table" },
      { function() mesh:overlap{} end, "a box or a sphere" },
      { function() mesh:overlap{ box = { from } } end, "table of two" },
      { function() mesh:overlap{ box = 1 } end, "table of two" },
      { function() mesh:overlap{ sphere = { from, -1 } } end, "radius" },
      { function() mesh:overlap{ sphere = { 1, from } } end, "vector" },
      { function() mesh.raycast(kart.vec(0, 0, 0), from, way) end, "document with triangles" },
      { function()
         mesh:close()
         mesh:ground(from)
      end, "closed" },
   } do
      assert.error_matches(case[1], case[2])
   end
end)

it("places that aren't there find nothing", function()
   local mesh = room()
   local odd = kart.points.parse(string.pack("<ddd ddd ddd", 0 / 0, 0, 0, 1 / 0, 0, 0, 0, -1e300, 0), "f64")
   for i, at in ipairs(odd) do
      assert.is_nil(mesh:ground(at))
      assert.is_nil(mesh:nearest(at))
      assert.is_nil(mesh:sweep(at, 1, { 0, 1, 0 }))
      -- The last one is far away, but a direction.
      assert.equal(i == 3, mesh:raycast({ 1, 1, 1 }, at) ~= nil)
   end
end)
