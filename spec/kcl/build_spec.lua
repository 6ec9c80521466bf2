-- Collision from meshes: what was asked for comes back, whatever made the mesh.
local support = require "spec.support"
local tools = require "spec.kcl.tools"

-- A square of two triangles at a place, with flags.
local function square(flags, y)
   return kart.mesh.new{
      positions = { { 0, y or 0, 0 }, { 0, y or 0, 1000 }, { 1000, y or 0, 0 }, { 1000, y or 0, 1000 } },
      triangles = { { 1, 2, 3, flag = flags[1] }, { 3, 2, 4, flag = flags[2] } },
   }
end

local function fails(code, pattern, document, message, found)
   assert.is_nil(document)
   assert.equal(code, found)
   assert.matches(pattern, message)
end

-- The largest distance of corners, whichever corner comes first.
local function apart(one, other)
   local best = math.huge
   for turn = 0, 2 do
      local worst = 0
      for i = 1, 3 do worst = math.max(worst, (one[i] - other[(i + turn - 1) % 3 + 1]):length()) end
      best = math.min(best, worst)
   end
   return best
end

local function check_same(mesh, course, tolerance)
   assert.equal(#mesh.triangles, #course.prisms)
   for i, triangle in ipairs(mesh.triangles) do
      local prism = course.prisms[i]
      assert.is_nil(prism.problem)
      assert.equal(triangle.flag, prism.flag)
      assert.is_true(apart(triangle.corners, prism.corners) <= tolerance)
   end
   local proof = assert(course:prove())
   assert.same({ 0, 0 }, { proof.missing, proof.outside })
end

describe("a file built from a mesh", function()
   it("has its triangles in their order, with their flags, for every game that can be built", function()
      for _, game in ipairs{ "mkw", "smg", "sm3dl", "mk7", "mkds" } do
         local mesh = square{ 0, 0x2C }
         local course, report = kart.kcl.build(mesh, { game = game })
         assert(course, report)
         assert.equal(game, course.game)
         check_same(mesh, course, game == "mkds" and 1 or 0.01)
         assert.same({ 0, {}, 2 }, { report.dropped, report.faults, #course.prisms })
         assert(kart.kcl.parse(assert(course:bytes()), game))
      end
   end)

   it("takes thickness and radius, and those of the game else", function()
      local model = kart.kcl.build(square{ 0, 0 }).models[1]
      assert.same({ 300, 250 }, { model.thickness, model.radius })
      model = kart.kcl.build(square{ 0, 0 }, { thickness = 50, radius = 20 }).models[1]
      assert.same({ 50, 20 }, { model.thickness, model.radius })
   end)

   it("comes back the same as a mesh", function()
      local mesh = tools.open("race"):mesh()
      local course, report = assert(kart.kcl.build(mesh))
      check_same(mesh, course, report.worst + 1e-9)
      assert.is_true(report.worst < 0.01)
   end)

   it("is that of each real file, within what floats round", function()
      for _, path in ipairs(support.corpus("kcl-mkw", "kcl")) do
         local mesh = assert(kart.open(path)):mesh()
         local course, report = kart.kcl.build(mesh, { drop = true })
         assert(course, report)
         if report.dropped == 0 then check_same(mesh, course, report.worst + 1e-9) end
         assert.is_true(report.worst <= 1, path)
      end
   end)

   it("is refused with the reason and the triangle", function()
      fails("format", "^triangle 2 has no flag", kart.kcl.build(square{ 0 }))
      assert.equal(7, kart.kcl.build(square{ 0 }, { flag = 7 }).prisms[2].flag)
      local flat = kart.mesh.new{ positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 0, 0, 5 } },
         triangles = { { 1, 4, 2, flag = 0 }, { 1, 2, 3, flag = 0 } } }
      fails("format", "^triangle 2 can't be a prism: it has no area %(1 can't%)$", kart.kcl.build(flat))
      local course, report = kart.kcl.build(flat, { drop = true })
      assert.same({ 1, { { triangle = 2, reason = "it has no area" } } }, { report.dropped, report.faults })
      assert.equal(1, #course.prisms)
      fails("unsupported", "no triangle", kart.kcl.build(kart.mesh.new{ positions = {}, triangles = {} }))
      fails("limit", "budget", kart.kcl.build(tools.open("race"):mesh(), { budget = 100 }))
   end)

   it("raises for what is no option", function()
      assert.error_matches(function() kart.kcl.build(square{ 0, 0 }, { gaol = "size" }) end, "unknown option 'gaol'")
      assert.error_matches(function() kart.kcl.build(square{ 0, 0 }, { flag = 0.5 }) end, "option 'flag'")
      assert.error_matches(function() kart.kcl.build(tools.open "race") end, "kart.mesh expected")
   end)
end)
