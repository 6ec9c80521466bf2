-- Transformations of collision of the arcade games.
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"
local reader = require "spec.agp.reader"

local function course(changes)
   local spec = { triangles = agp_course() }
   for key, value in pairs(changes or {}) do spec[key] = value end
   return assert(kart.agp.parse(agpfile.build(spec)))
end

local function close(a, b, most)
   return math.abs(a.x - b.x) <= most and math.abs(a.y - b.y) <= most and math.abs(a.z - b.z) <= most
end

-- Everything about the triangles, for comparisons.
local function geometry(doc)
   local list = {}
   for i, triangle in ipairs(doc.triangles) do
      list[i] = { triangle.corners, triangle.edges, triangle.normal, triangle.distance, triangle.open_bits,
         triangle.flag, triangle.min, triangle.max }
   end
   return list
end

local function check_rules(doc)
   local bytes = doc:bytes()
   assert.same({}, reader.broken(bytes))
   assert.is_true(assert(kart.agp.parse(bytes)):rebuild():bytes() == bytes)
   assert.same({}, doc:check())
end

describe("a mirror", function()
   for _, axis in ipairs{ "x", "z" } do
      it("along " .. axis .. " negates it, exchanges corners, and follows every rule", function()
         local doc, before = course(), course()
         assert.equal(doc, doc:mirror(axis))
         local function image(v)
            return axis == "x" and kart.vec(-v.x, v.y, v.z) or kart.vec(v.x, v.y, -v.z)
         end
         for i, old in ipairs(before.triangles) do
            local new = doc.triangles[i]
            for c, from in ipairs{ 1, 3, 2 } do assert.equal(image(old.corners[from]), new.corners[c]) end
            assert.equal(image(old.normal), new.normal)
            assert.same({ old.flag, old.distance }, { new.flag, new.distance })
            assert.same({ old.open[3], old.open[2], old.open[1] }, new.open)
         end
         assert.equal(#before.walls, #doc.walls)
         local min, max = image(before.grid.max), image(before.grid.min)
         assert.equal(kart.vec(math.min(min.x, max.x), 0, math.min(min.z, max.z)), doc.grid.min)
         assert.equal(kart.vec(math.max(min.x, max.x), 0, math.max(min.z, max.z)), doc.grid.max)
         check_rules(doc)
      end)

      it("along " .. axis .. " done twice gives the same bytes", function()
         local doc = course()
         local bytes, before = doc:bytes(), geometry(doc)
         doc:mirror(axis):mirror(axis)
         assert.same(before, geometry(doc))
         assert.is_true(doc:bytes() == bytes)
         -- With a file in between, too, as far as triangles and flags go.
         local again = assert(kart.agp.parse(course():mirror(axis):bytes())):mirror(axis)
         assert.equal(#again.triangles, #before)
         local known = {}
         for _, triangle in ipairs(reader.distinct(reader.read(bytes))) do known[triangle.bytes] = true end
         for _, triangle in ipairs(reader.distinct(reader.read(again:bytes()))) do
            assert.is_true(known[triangle.bytes])
         end
      end)
   end

   it("elsewhere than at 0 moves distances along", function()
      check_rules(course():mirror("x", { at = 125.5 }))
      check_rules(course():mirror("z", { at = -3 }))
      assert.error_matches(function() course():mirror "y" end, "along x and z, not y")
   end)

   it("takes walls that are drawn by hand along, their ends exchanged", function()
      local doc = course{ marks = false, walls = { { { 10, 20 }, { 30, 50 } } } }
      doc:mirror "x"
      assert.same({ kart.vec(-30, 0, 50), kart.vec(-10, 0, 20) }, { doc.walls[1].from, doc.walls[1].to })
      assert.same({ kart.vec(-30, 0, 20), kart.vec(-10, 0, 50) }, { doc.walls[1].min, doc.walls[1].max })
      doc:mirror "x"
      assert.equal(kart.vec(10, 0, 20), doc.walls[1].from)
   end)
end)

describe("other transformations", function()
   it("follow every rule: moves, turns about y, scales, shears", function()
      check_rules(course():translate{ 1000.5, -20, 3 })
      check_rules(course():rotate("y", 90))
      check_rules(course():rotate("y", 33, { origin = { 5, 0, 5 } }))
      check_rules(course():scale(2))
      check_rules(course():scale({ 0.5, 3, 1.25 }, { origin = { 1, 2, 3 } }))
      check_rules(course():transform(kart.matrix.new{ { 1, 0, 0.5, 0 }, { 0.1, 1, 0, 0 }, { 0, 0, 1, 7 } }))
   end)

   it("put corners where they belong", function()
      local doc, before = course():rotate("y", 90):translate{ 10, 0, 0 }, course()
      for i, old in ipairs(before.triangles) do
         for c = 1, 3 do
            local from = old.corners[c]
            assert.is_true(close(kart.vec(from.z + 10, from.y, -from.x), doc.triangles[i].corners[c], 1e-4))
         end
      end
   end)

   it("leave edges and normals of moved triangles as they were", function()
      local doc, before = course{ flat = true }:translate{ 3, 4, 5 }, course{ flat = true }
      for i, old in ipairs(before.triangles) do
         assert.same({ old.edges, old.normal }, { doc.triangles[i].edges, doc.triangles[i].normal })
      end
   end)

   it("refuse to tip the ground over, unless told to", function()
      local flat = kart.matrix.new{ { 1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, 1, 0 } }
      local lean = kart.matrix.new{ { 1, 1, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } }
      local turns = {
         function(doc, options) return doc:rotate("x", 10, options) end,
         function(doc, options) return doc:rotate("z", 180, options) end,
         function(doc, options) return doc:transform(flat, options) end,
         function(doc, options) return doc:transform(lean, options) end,
      }
      for i, turn in ipairs(turns) do
         local doc = course()
         local bytes = doc:bytes()
         local done, message, code = turn(doc)
         assert.is_nil(done)
         assert.equal("unsupported", code)
         assert.matches("tip the ground over", message)
         assert.is_true(doc:bytes() == bytes)
         assert.equal(doc, turn(doc, { tip = true }))
         local broken = reader.broken(doc:bytes())
         assert.same({}, broken)
         local down = doc:stats().down
         assert.equal((i == 2 or i == 3) and 35 or 0, down)
         assert.equal(down > 0 and "ground-tipped" or nil, doc.warnings[1] and doc.warnings[1].rule)
      end
      local doc = course{ marks = false, walls = { { { 10, 20 }, { 30, 50 } } } }
      assert(doc:rotate("x", 30, { tip = true }))
      assert.equal("walls-tipped", doc.warnings[#doc.warnings].rule)
   end)

   it("fail as a whole", function()
      local doc = course()
      local bytes = doc:bytes()
      for _, factor in ipairs{ 1e6, 1e38 } do
         local done, _, code = doc:scale(factor)
         assert.is_nil(done)
         assert.equal("limit", code)
      end
      local done, _, code = doc:transform(kart.matrix.new{ { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 0 } })
      assert.same({ nil, "unsupported" }, { done, code })
      assert.is_true(doc:bytes() == bytes)
      assert.error_matches(function() doc:scale(2, { scale_speeds = true }) end,
         "unknown option 'scale_speeds' of an agp")
   end)
end)

describe("what the game finds", function()
   it("is the same in a mirrored course, mirrored", function()
      local doc, mirrored = course(), course():mirror "x"
      local state, found = 3, 0
      local function draw(low, high)
         state = state * 6364136223846793005 + 1442695040888963407
         return low + (high - low) * (state >> 40) / (1 << 24)
      end
      for _ = 1, 500 do
         local x, z = draw(-200, 200), draw(-200, 200)
         local here, there = doc:lookup_ground{ x, 1000, z }, mirrored:lookup_ground{ -x, 1000, z }
         assert.equal(here and here.triangle, there and there.triangle)
         if here then
            found = found + 1
            assert.is_true(math.abs(here.height - there.height) < 1e-3)
         end
      end
      assert.is_true(found > 100)
   end)

   it("lies below the point that is asked for, and is all there is", function()
      local doc = course()
      local place = { 13.3, 500, -2 } -- the bridge above the special face
      local all = doc:lookup_grounds(place)
      assert.equal(2, #all)
      assert.equal(60, doc:lookup_ground(place).height)
      assert.equal(5, doc:lookup_ground({ 13.3, 59, -2 }).height)
      assert.is_nil(doc:lookup_ground{ 13.3, 4, -2 })
      assert.is_nil(doc:lookup_ground{ 1e6, 0, 0 })
      assert.same({}, doc:lookup_grounds{ 1e6, 0, 0 })
   end)

   it("are walls near a point, with the side that it is on", function()
      local doc = course()
      -- The outer edge of the road, south: a point inside of it and one beyond.
      local inside = doc:lookup_walls({ 13.3, 0, -110 }, 60)
      assert.is_true(#inside > 0)
      for _, near in ipairs(inside) do
         local wall = doc.walls[near.wall]
         assert.is_true(near.distance <= 60)
         assert.is_true(close(near.at, wall.from, 500) and near.side ~= 0)
      end
      assert.same({}, doc:lookup_walls({ 13.3, 0, -110 }, 0))
      assert.same({}, doc:lookup_walls({ 1e6, 0, 0 }, 1e9))
      assert.error_matches(function() doc:lookup_walls({ 0, 0, 0 }, -1) end, "expected a radius from 0 up")
      local square = assert(kart.agp.build(kart.mesh.new{ game = "mkagp",
         positions = { { 0, 0, 0 }, { 0, 0, 90 }, { 90, 0, 90 }, { 90, 0, 0 } },
         triangles = { { 1, 2, 3, flag = 1 }, { 1, 3, 4, flag = 1 } } }))
      local sides = square:lookup_walls({ 45, 0, 45 }, 50)
      assert.equal(4, #sides)
      for _, near in ipairs(sides) do assert.same({ 1, 45.0 }, { near.side, near.distance + 0.0 }) end
   end)

   it("is in the cell that is asked for", function()
      local doc = course()
      local cell = doc:cell_at(doc.grid.min)
      assert.equal(1, cell.index)
      assert.equal(doc.cells[2], doc:cell_at(doc.grid.min + kart.vec(100, 0, 0)))
      assert.is_nil(doc:cell_at(doc.grid.min - kart.vec(100, 0, 0)))
   end)
end)
