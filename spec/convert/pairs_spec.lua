-- Every game's collision as that of every other one: it opens, is sound, and nothing is lost without a word.
local reader = require "spec.agp.reader"
local tools = require "spec.convert.tools"

local function check_kcl(doc, game)
   local again = assert(kart.kcl.parse(assert(doc:bytes()), game))
   assert.equal(#doc.prisms, #again.prisms)
   for _, finding in ipairs(assert(again:check())) do
      assert.are_not.equal("error", finding.severity, tostring(finding))
   end
   local proof = assert(again:prove())
   assert.same({ 0, 0 }, { proof.missing, proof.outside })
   assert.equal(0, #again.warnings)
end

local function check_agp(doc)
   local bytes = assert(doc:bytes())
   assert.same({}, reader.broken(bytes))
   local again = assert(kart.agp.parse(bytes))
   assert.same({}, assert(again:check()))
   assert.equal(0, #again.warnings)
   assert.equal(0, again:stats().down)
end

for _, from in ipairs(tools.GAMES) do
   describe("a course of " .. from, function()
      local course = tools.course(from)
      for _, to in ipairs(tools.GAMES) do
         it("is one of " .. to, function()
            local made, report = assert(kart.convert(course, to))
            assert.same({ to, from, to }, { made.game, report.from, report.to })
            tools.account(course, made, report);
            (to == "mkagp" and check_agp or check_kcl)(made, to)
         end)
      end
   end)
end

describe("what conversion keeps", function()
   it("are places, by the factor between the games, and flags of the same game", function()
      local course = tools.course "mkw"
      local made, report = assert(kart.convert(course, "mk8"))
      assert.same({ 0.1, "inferred" }, { report.scale, report.scale_from })
      local low, high = course:mesh():bounds()
      local new_low, new_high = made:mesh():bounds()
      for _, axis in ipairs{ "x", "y", "z" } do
         assert.is_true(math.abs(low[axis] * 0.1 - new_low[axis]) < 0.01)
         assert.is_true(math.abs(high[axis] * 0.1 - new_high[axis]) < 0.01)
      end
      local same = assert(kart.convert(course, "mkw"))
      assert.same(course:flags()[4].flag, same:flags()[4].flag)
      for i, row in ipairs(course:flags()) do
         assert.same({ row.flag, row.count }, { same:flags()[i].flag, same:flags()[i].count })
      end
   end)

   it("are edges that triangles share: to the arcade games no wall stands inside of the course", function()
      local made, report = assert(kart.convert(tools.course("mkw", 8), "mkagp"))
      assert.same({ 32, 32 }, { #made.walls, report.result.open_edges })
      local low, high = made.grid.min, made.grid.max
      for _, wall in ipairs(made.walls) do
         local middle = (wall.from + wall.to) * 0.5
         local inset = math.min(middle.x - low.x, high.x - middle.x, middle.z - low.z, high.z - middle.z)
         assert.is_true(inset < 0.01)
      end
   end)

   it("is where ground is, and the way it faces", function()
      local course = tools.course("mkw", 8)
      local made = assert(kart.convert(course, "mkagp"))
      for x = 100, 5500, 430 do
         for z = 100, 5500, 370 do
            local hit = assert(course:ground({ x, 9000, z }, { flags = "floors" }))
            local ground = assert(made:lookup_ground{ x / 10, 900, z / 10 })
            assert.is_true(math.abs(hit.point.y / 10 - ground.height) < 0.05)
         end
      end
   end)

   it("is the mesh it takes, and it takes a mesh as it takes a file", function()
      local mesh = tools.mesh "mkw"
      local before = mesh:bytes()
      local made, report = assert(kart.convert(mesh, "mkagp"))
      assert.is_true(mesh:bytes() == before and mesh.game == "mkw")
      tools.account(mesh, made, report)
   end)
end)

describe("walls of an arcade course", function()
   it("are counted, and left out", function()
      local course = tools.course "mkagp"
      local made, report = assert(kart.convert(course, "mkw"))
      assert.same({ edges = 24, walls = 24, raised = 0 }, report.walls)
      assert.equal(72, #made.prisms)
   end)

   it("are raised as high as is said, and face the ground", function()
      local course = tools.course "mkagp"
      local made, report = assert(kart.convert(course, "mkw", { walls = 500 }))
      tools.account(course, made, report)
      assert.equal(48, report.walls.raised)
      local middle, count = kart.vec(2380, 0, 2180), 0
      for _, triangle in ipairs(made:mesh().triangles) do
         if kart.flags.format(triangle.flag) == "wall" then
            local a, b, c = table.unpack(triangle.corners)
            local center = (a + b + c) * (1 / 3)
            local inward = kart.vec(middle.x - center.x, 0, middle.z - center.z)
            count = count + 1
            assert.is_true(math.abs(triangle.normal.y) < 1e-3)
            assert.is_true(triangle.normal.x * inward.x + triangle.normal.z * inward.z > 0)
            local top, bottom = math.max(a.y, b.y, c.y), math.min(a.y, b.y, c.y)
            assert.is_true(top - bottom > 499 and top - bottom < 900)
         end
      end
      assert.equal(48, count)
      local hit = assert(made:raycast({ middle.x, 300, middle.z }, { 1, 0, 0 }, { faces = "front" }))
      assert.equal("wall", kart.flags.format(hit.flag))
   end)
end)
