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

   it("shares normals where there are too many for the format, and tells what that costs", function()
      local positions, triangles, k = {}, {}, 94
      local function at(x, z) return z * (k + 1) + x + 1 end
      for z = 0, k do
         for x = 0, k do
            positions[at(x, z)] = { x * 200, 60 * ((x * x * 0.3137 + z * z * 0.7177 + x * z * 0.557) % 1), z * 200 }
         end
      end
      for z = 0, k - 1 do
         for x = 0, k - 1 do
            table.insert(triangles, { at(x, z), at(x, z + 1), at(x + 1, z), flag = 0 })
            table.insert(triangles, { at(x + 1, z), at(x, z + 1), at(x + 1, z + 1), flag = 0 })
         end
      end
      local mesh = kart.mesh.new{ positions = positions, triangles = triangles }
      local course, report = kart.kcl.build(mesh, { goal = "size" })
      assert(course, report)
      assert.is_true(report.shared > 500 and report.normals <= 65536, report.shared)
      assert.is_true(report.worst > 0.001 and report.worst < 0.5 and report.tilted <= 0.0573 and report.turned < 1)
      local worst, tilt = 0, 0
      for i = (report.worst_triangle - 1) % 13 + 1, #mesh.triangles, 13 do -- the worst one among them
         local prism = course.prisms[i]
         worst = math.max(worst, apart(mesh.triangles[i].corners, prism.corners))
         for _, edge in ipairs{ prism.ca_normal, prism.ab_normal, prism.bc_normal } do
            tilt = math.max(tilt, math.abs(edge:dot(prism.face_normal)))
         end
      end
      assert.is_true(math.abs(worst - report.worst) < 1e-6, worst)
      assert.is_true(tilt <= 1e-3, tilt)
      course:scale(1.1)
      assert.matches("normals more than the format can count were shared",
         tools.finding(course.warnings, "normals-shared").message)
   end)

   it("says once that a mesh is too large for the game", function()
      local mesh = square{ 0, 0 }
      mesh:scale(1000)
      fails("limit", "^2 triangles are beyond the range of Mario Kart DS, which ends 524288 units from 0: the mesh " ..
         "goes to 1000000. A scale of 0.47 would do$", kart.kcl.build(mesh, { game = "mkds" }))
   end)

   it("raises for what is no option", function()
      assert.error_matches(function() kart.kcl.build(square{ 0, 0 }, { gaol = "size" }) end, "unknown option 'gaol'")
      assert.error_matches(function() kart.kcl.build(square{ 0, 0 }, { flag = 0.5 }) end, "option 'flag'")
      assert.error_matches(function() kart.kcl.build(tools.open "race") end, "kart.mesh expected")
   end)
end)
