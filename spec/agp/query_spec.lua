-- General queries on collision of the arcade games: what the same triangles as a mesh answer, cells or no cells.
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"

local function course() return assert(kart.agp.parse(agpfile.build{ triangles = agp_course() })) end

local function generator(state)
   return function(low, high)
      state = state * 6364136223846793005 + 1442695040888963407
      return low + (high - low) * (state >> 40) / (1 << 24)
   end
end

local function same(a, b)
   if not a or not b then return assert.equal(a, b) end
   assert.same({ a.triangle, a.flag, a.distance, a.point, a.normal, a.u, a.v },
      { b.triangle, b.flag, b.distance, b.point, b.normal, b.u, b.v })
end

describe("queries on an agp", function()
   it("find what they find on its mesh", function()
      local doc, found = course(), 0
      local mesh, draw = assert(doc:mesh()), generator(7)
      for _ = 1, 200 do
         local from = { draw(-180, 180), draw(60, 90), draw(-180, 180) }
         local way = { draw(-1, 1), draw(-1, 0), draw(-1, 1) }
         local hit = doc:raycast(from, way)
         found = found + (hit and 1 or 0)
         same(hit, mesh:raycast(from, way))
         same(doc:ground(from), mesh:ground(from))
         same(doc:nearest(from), mesh:nearest(from))
      end
      assert.is_true(found > 20)
      local box = { box = { { 0, 0, 0 }, { 90, 90, 90 } } }
      assert.same(mesh:overlap(box), doc:overlap(box))
      local answers = assert(doc:ground_many(mesh.positions))
      assert.same({ #mesh.positions, answers.flag[1] }, { #answers.distance, doc.triangles[answers.triangle[1]].flag })
   end)

   it("agree with the game's own lookup where both find ground", function()
      local doc, draw, both = course(), generator(11), 0
      for _ = 1, 300 do
         local place = { draw(-200, 200), 500, draw(-200, 200) }
         local hit, ground = doc:ground(place), doc:lookup_ground(place)
         if hit and ground then
            both = both + 1
            assert.is_true(math.abs(500 - hit.distance - ground.height) < 1e-2)
         end
      end
      assert.is_true(both > 50)
   end)

   it("know surfaces by words and by bits", function()
      local doc = course()
      doc.triangles[1].flag = kart.flags.parse("grass/heavy", "mkagp")
      local middle = (doc.triangles[1].corners[1] + doc.triangles[1].corners[2] + doc.triangles[1].corners[3]) * (1 / 3)
      local function first(options) return doc:nearest(middle, options).triangle end
      assert.equal(1, first{ flags = "grass" })
      assert.equal(1, first{ mask = 0x400 })
      assert.are_not.equal(1, first{ flags = { "default", "wood" } })
      assert.error_matches(function() first{ flags = "gras" } end, "did you mean grass")
      assert.error_matches(function() first{ flags = "none" } end, "'none' is no bit of a flag")
      assert.error_matches(function() first{ flags = "grass/heavy" } end, "says more than a type")
   end)

   it("follow what moves, and keep their tree when flags or the grid change", function()
      local doc = course()
      local place = doc.triangles[1].corners[1]
      local visits = doc:nearest(place).visits
      doc.triangles[1].flag = 0x10
      assert(doc:rebuild{ cell = 50 })
      local clone = assert(doc:clone())
      assert.same({ 0.0, visits }, { doc:nearest(place).distance, doc:nearest(place).visits })
      assert(doc:translate{ 0, 1000, 0 })
      assert.is_true(doc:nearest(place).distance > 900)
      assert.equal(0.0, clone:nearest(place).distance)
      doc:close()
      assert.error_matches(function() doc:nearest(place) end, "closed")
   end)
end)
