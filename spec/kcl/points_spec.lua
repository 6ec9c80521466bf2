local LIST = { { 1, 2, 3 }, kart.vec(-4, 0.5, 6), { x = 7, y = 8, z = 0.1 } }

describe("packed points", function()
   it("come from lists of vectors and give vectors back", function()
      local points = kart.points.new(LIST)
      assert.same({ 3, "f32", "points: 3 (f32)" }, { #points, points.format, tostring(points) })
      assert.equal(kart.vec(1, 2, 3), points[1])
      assert.equal(kart.vec(-4, 0.5, 6), points[2])
      assert.equal(string.unpack("<f", string.pack("<f", 0.1)), points[3].z)
      assert.same({ nil, nil, nil }, { points[0], points[4], points[-1] })
      local count = 0
      for i, point in ipairs(points) do
         count = count + 1
         assert.equal(points[i], point)
      end
      assert.equal(3, count)
      assert.equal("points", kart.type(points))
   end)

   it("hold doubles on request", function()
      local points = kart.points.new(LIST, "f64")
      assert.same({ 0.1, "points: 3 (f64)" }, { points[3].z, tostring(points) })
      assert.equal(points[2], kart.points.new(kart.points.new(points, "f32"), "f64")[2])
      assert.not_equal(0.1, kart.points.new(kart.points.new(points, "f32"), "f64")[3].z)
   end)

   it("are the positions of a mesh", function()
      local mesh = assert(kart.mesh.parse "v 0.1 2 3\nv -4 0.5 6\n")
      local points = kart.points.new(mesh.positions, "f64")
      assert.same({ 2, 0.1, kart.vec(-4, 0.5, 6) }, { #points, points[1].x, points[2] })
      assert.equal(string.unpack("<f", string.pack("<f", 0.1)), kart.points.new(mesh.positions)[1].x)
      local positions = mesh.positions
      mesh:close()
      assert.error_matches(function() kart.points.new(positions) end, "closed")
   end)

   it("are read from bytes and written as such, the low byte first", function()
      local floats = string.pack("<ffffff", 1, 2, 3, -4, 0.5, 6)
      local points = kart.points.parse(floats)
      assert.equal(kart.vec(-4, 0.5, 6), points[2])
      assert.equal(floats, points:bytes())
      local doubles = string.pack("<ddd", 0.1, -0.0, 1e300)
      assert.equal(doubles, kart.points.parse(doubles, "f64"):bytes())
      assert.equal(0, #kart.points.parse "")
      assert.equal("", kart.points.new{}:bytes())
      -- What isn't finite may come from a file, and stays as it is.
      local odd = string.pack("<fff", 0 / 0, 1 / 0, -1 / 0)
      assert.equal(odd, kart.points.parse(odd):bytes())
      assert.equal(math.huge, kart.points.new(kart.points.parse(odd), "f64")[1].y)
   end)

   it("can be made empty and filled", function()
      local points = kart.points.new(2, "f64")
      assert.equal(kart.vec(0, 0, 0), points[2])
      points[2] = { 1, 2, 3 }
      assert.equal(kart.vec(1, 2, 3), points[2])
      assert.equal(kart.vec(0, 0, 0), points[1])
   end)

   it("raise where something is wrong", function()
      local points = kart.points.new(2)
      for _, case in ipairs{
         { function() kart.points.new{ { 1, 2, 3 }, { 1, 2 } } end, "point 2: expected a vector" },
         { function() kart.points.new{ { 1, 2, 1e39 } } end, "point 1: expected numbers that a float can hold" },
         { function() kart.points.new{ { 1, 2, 0 / 0 } } end, "point 1: expected a vector of finite numbers" },
         { function() kart.points.new(-1) end, "from 0 up" }, { function() kart.points.new(1 << 40) end, "the most" },
         { function() kart.points.new(LIST, "f16") end, "invalid option" },
         { function() kart.points.new() end, "table" },
         { function() kart.points.parse("12345678901") end, "12 bytes each, got 11" },
         { function() kart.points.parse(("x"):rep(12), "f64") end, "24 bytes each, got 12" },
         { function() points[3] = { 0, 0, 0 } end, "points%[3%]: there are 2" },
         { function() points[0] = { 0, 0, 0 } end, "there are 2" },
         { function() points[1] = 5 end, "points%[1%]: expected a vector of finite numbers, got 5" },
         { function() points[1] = { 1e39, 0, 0 } end, "expected a vector" },
         { function() points.x = 1 end, "points has no field 'x'" },
         { function() return points.x end, "points has no field 'x'" },
         { function() return points[1.5] end, "no field" } } do
         assert.error_matches(case[1], case[2])
      end
      assert.equal(kart.vec(0, 0, 0), points[1])
   end)
end)

describe("a column", function()
   local doc = require("spec.kcl.tools").open "mkw"
   local columns = doc:lookup_sphere_many(kart.points.new{ doc.prisms[5].corners[1], { 1e6, 0, 0 } }, 200)

   it("is a list of numbers or names that doesn't change", function()
      local prism = columns.prism
      assert.is_true(#prism > 2)
      assert.same({ #prism, 0 }, columns.count:table())
      assert.equal(("column: %d"):format(#prism), tostring(prism))
      assert.equal("column", kart.type(prism))
      local list = {}
      for i, number in ipairs(prism) do list[i] = number end
      assert.same(list, prism:table())
      assert.same({ nil, nil }, { prism[0], prism[#prism + 1] })
      assert.equal("string", type(columns.region[1]))
      assert.equal("float", math.type(columns.depth[1]))
      assert.equal("integer", math.type(columns.flag[1]))
      assert.error_matches(function() prism[1] = 1 end, "can't be changed")
      assert.error_matches(function() return prism.x end, "column has no field 'x'")
   end)
end)
