-- Batches of queries: points in, columns out.
local tools = require "spec.kcl.tools"

local doc = tools.open "race"
local mesh = doc:mesh()
local low, high = mesh:bounds()
local seed = 1

local function draw(a, b)
   seed = (seed * 1103515245 + 12345) % 2147483648
   return a + (b - a) * seed / 2147483648
end

local function draw_points(count, format)
   local list = {}
   for i = 1, count do
      list[i] = { draw(low.x - 100, high.x + 100), draw(low.y - 100, high.y + 500), draw(low.z - 100, high.z + 100) }
   end
   return kart.points.new(list, format or "f64")
end

-- Each answer of a batch is what a single query says.
local function assert_same(answers, count, single)
   local hits = 0
   for i = 1, count do
      local hit = single(i)
      if hit then
         hits = hits + 1
         assert.same({ hit.distance, hit.triangle, hit.flag or -1, hit.u, hit.v, hit.point, hit.normal },
            { answers.distance[i], answers.triangle[i], answers.flag[i], answers.u[i], answers.v[i],
               answers.point[i], answers.normal[i] })
      else
         assert.same({ math.huge, 0, -1 }, { answers.distance[i], answers.triangle[i], answers.flag[i] })
         assert.is_true(answers.u[i] ~= answers.u[i] and answers.point[i].x ~= answers.point[i].x)
      end
   end
   assert.equal(hits, answers.hits)
   assert.is_true(answers.visits >= hits)
   return hits
end

describe("a batch", function()
   local COUNT = 300
   for _, owner in ipairs{ doc, mesh } do
      it("answers as single queries do: " .. kart.type(owner), function()
         local points, others = draw_points(COUNT), draw_points(COUNT, "f32")
         local options, down = { max = 2000, faces = "both" }, { 0, -900, 0 }
         local some = assert_same(owner:raycast_many(points, others), COUNT,
            function(i) return owner:raycast(points[i], others[i]) end)
         some = some + assert_same(owner:segment_many(points, others), COUNT,
            function(i) return owner:segment(points[i], others[i]) end)
         some = some + assert_same(owner:ground_many(points), COUNT, function(i) return owner:ground(points[i]) end)
         some = some + assert_same(owner:ground_many(points, options), COUNT,
            function(i) return owner:ground(points[i], options) end)
         some = some + assert_same(owner:ceiling_many(points, { faces = "back" }), COUNT,
            function(i) return owner:ceiling(points[i], { faces = "back" }) end)
         some = some + assert_same(owner:nearest_many(points, { flags = "walls" }), COUNT,
            function(i) return owner:nearest(points[i], { flags = "walls" }) end)
         some = some + assert_same(owner:sweep_many(points, 50, down), COUNT,
            function(i) return owner:sweep(points[i], 50, down) end)
         assert.is_true(some > COUNT)
      end)
   end

   it("takes a list of vectors, positions of a mesh, and points of answers", function()
      local a = mesh:ground_many(mesh.positions)
      local list = {}
      for i, position in ipairs(mesh.positions) do list[i] = position end
      local b = mesh:ground_many(list)
      assert.same({ a.hits, a.distance:table() }, { b.hits, b.distance:table() })
      assert.is_true(a.hits > 0 and #a.distance == #list)
      -- What had no answer has none again.
      local c = mesh:nearest_many(a.point)
      for i = 1, #list do assert.equal(a.triangle[i] == 0, c.triangle[i] == 0) end
      assert.equal(a.hits, c.hits)
      assert.equal(0, mesh:ground_many({}).hits)
   end)

   it("hangs not on the number of threads", function()
      local points = draw_points(40000, "f32")
      local one = doc:ground_many(points, { threads = 1 })
      for _, threads in ipairs{ 0, 2, 3 } do
         local other = doc:ground_many(points, { threads = threads })
         assert.same({ one.hits, one.visits }, { other.hits, other.visits })
         assert.is_true(one.point:bytes() == other.point:bytes())
      end
   end)

   it("raises for what can't be meant", function()
      local points = draw_points(3)
      for _, case in ipairs{ { function() doc:ground_many() end, "points" },
         { function() doc:ground_many(5) end, "points" },
         { function() doc:ground_many{ { 1, 2 } } end, "point 1" },
         { function() doc:raycast_many(points) end, "points" },
         { function() doc:raycast_many(points, kart.points.new(2)) end, "as many" },
         { function() doc:raycast_many(points, { 0, 1, 0 }, { mode = "all" }) end, "option 'mode'" },
         { function() doc:ground_many(points, { threads = -1 }) end, "threads" },
         { function() doc:ground_many(points, { thread = 1 }) end, "unknown option" },
         { function() doc:sweep_many(points, 0 / 0, { 0, 1, 0 }) end, "finite" },
         { function() doc.ground_many({}, points) end, "document with triangles" } } do
         assert.error_matches(case[1], case[2])
      end
   end)
end)
