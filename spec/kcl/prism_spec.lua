local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local function components(v) return { v.x, v.y, v.z } end

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function length(a) return math.sqrt(reader.dot(a, a)) end

local function distance(a, b) return length(sub(a, b)) end

local function unit(a)
   local k = 1 / length(a)
   return { a[1] * k, a[2] * k, a[3] * k }
end

-- Corners against what stands in the file, for all prisms that the program calls sound: the
-- distance of B and C from A across the edge BC is the stored height, and they span the stored
-- face. Gives the worst relative height, the worst face, and the number of sound prisms.
local function measure(doc)
   local file = reader.read(doc:bytes(), doc.game)
   local worst_height, worst_face, sound, number = 0, 0, 0, 0
   for _, model in ipairs(file.models) do
      for i = 1, model.count do
         number = number + 1
         local view, prism = doc.prisms[number], model:prism(i)
         if not view.problem then
            sound = sound + 1
            local corners, expected = view.corners, reader.corners(prism)
            local a, b, c = components(corners[1]), components(corners[2]), components(corners[3])
            for j, corner in ipairs{ a, b, c } do
               local off = distance(corner, expected[j])
               assert(off <= 1e-9 * (1 + length(expected[j])), ("prism %d: corner %d is %g off"):format(number, j, off))
            end
            for _, corner in ipairs{ b, c } do
               local relative = math.abs(reader.dot(sub(corner, a), prism.bc) / prism.height - 1)
               worst_height = math.max(worst_height, relative)
            end
            local face = unit(reader.cross(sub(b, a), sub(c, a)))
            worst_face = math.max(worst_face, distance(face, unit(prism.face)))
         end
      end
   end
   return worst_height, worst_face, sound
end

describe("corners agree with the stored height and face:", function()
   local function check(title, doc)
      local height, face, sound = tools.calm(measure, doc)
      if title then
         print(("  %-28s %5d sound prisms: height off by %.2g, face by %.2g at most"):format(title, sound,
            height, face))
      end
      assert.is_true(height <= 1e-6)
      assert.is_true(face <= (doc.game == "mkds" and 1 / 4096 or 1e-4))
   end
   for _, name in ipairs(tools.names()) do
      it("the sample " .. name, function() check(nil, tools.open(name)) end)
   end
   for _, file in ipairs(tools.corpus()) do
      it(file.folder .. "/" .. file.name, function()
         local doc <close> = assert(kart.open(file.path))
         check(file.name, doc)
      end)
   end
end)

-- Triangles that went in come out --------------------------------------------------------------

-- How far a corner is from the nearest of a mesh's vertices, looked up by rounded coordinates.
local function new_finder(vertices, cell)
   local buckets = {}
   local function key(x, y, z) return ("%d %d %d"):format(x, y, z) end
   for _, v in ipairs(vertices) do
      local at = key(v[1] // cell, v[2] // cell, v[3] // cell)
      buckets[at] = buckets[at] or {}
      table.insert(buckets[at], v)
   end
   return function(p)
      local best = math.huge
      local x, y, z = p[1] // cell, p[2] // cell, p[3] // cell
      for i = -1, 1 do
         for j = -1, 1 do
            for k = -1, 1 do
               for _, v in ipairs(buckets[key(x + i, y + j, z + k)] or {}) do best = math.min(best, distance(v, p)) end
            end
         end
      end
      return best
   end
end

local function worst_corner(doc, vertices)
   local nearest, worst = new_finder(vertices, 4.0), 0
   for _, prism in ipairs(doc.prisms) do
      for _, corner in ipairs(prism.corners) do worst = math.max(worst, nearest(components(corner))) end
   end
   return worst
end

it("the corners of files built from a mesh are its vertices", function()
   local meshes = {}
   for _, path in ipairs(support.corpus("obj", "obj")) do
      local vertices = {}
      for x, y, z in ("\n" .. support.read(path)):gmatch "\nv +(%S+) +(%S+) +(%S+)" do
         vertices[#vertices + 1] = { tonumber(x), tonumber(y), tonumber(z) }
      end
      meshes[path:match "([^/]+)%.obj$"] = vertices
   end
   for _, file in ipairs(tools.corpus("kcl-other", "kcl-v2-multi")) do
      local doc <close> = assert(kart.open(file.path))
      local worst = tools.calm(worst_corner, doc, assert(meshes[file.name:match "^[^_]+"]))
      print(("  %-28s corners at most %.3g units from the mesh's vertices"):format(file.name, worst))
      -- Normals of 1/4096 and heights of floats bend the edges a little.
      assert.is_true(worst < (doc.game == "mkds" and 1 or 0.1), worst)
   end
end)

it("the corners of samples are those they were made of", function()
   local kclshapes = require "samples.kclshapes"
   for game, name in pairs{ mkw = "mkw", mk7 = "mk7", mkds = "mkds", mk8 = "mk8", smg = "gamecube", sm3dl = "sm3dl" } do
      local doc = tools.open(name)
      local triangles = kclshapes.hill(3, game == "mkw" and 480 or 48, { 0 })
      assert.equal(#triangles, #doc.prisms)
      for i, triangle in ipairs(triangles) do
         local corners = doc.prisms[i].corners
         for j = 1, 3 do
            assert.is_true(distance(triangle[j], components(corners[j])) < (game == "mkds" and 0.1 or 1e-2))
         end
      end
   end
end)

-- Prisms that are not sound -----------------------------------------------------------------------

-- The prisms that a rule names, as a list of numbers, and a finding about the whole file.
local function named(doc, rule)
   local numbers, whole = {}, nil
   for _, finding in ipairs(doc:check()) do
      if finding.rule == rule and finding.index then numbers[#numbers + 1] = finding.index end
      if finding.rule == rule and not finding.index then whole = finding end
   end
   return numbers, whole
end

-- Is it no triangle, by the numbers in the file and the limits that docs/kcl.md names?
local function is_degenerate(prism)
   local function finite(...)
      for _, list in ipairs{ ... } do
         for _, value in ipairs(list) do
            if value - value ~= 0 then return false end
         end
      end
      return true
   end
   if not finite({ prism.height }, prism.position, prism.face, prism.ca, prism.ab, prism.bc) then return true end
   for _, edge in ipairs{ prism.ab, prism.ca } do
      if math.abs(reader.dot(reader.cross(edge, prism.face), prism.bc)) <= 1e-6 then return true end
   end
   local a, b, c = table.unpack(reader.corners(prism))
   return length(reader.cross(sub(b, a), sub(c, a))) / 2 <= 1e-9
end

describe("what is no triangle", function()
   it("is named with its reason, by check and by the prism", function()
      local doc = tools.open "degenerate"
      assert.matches("no area", doc.prisms[1].problem)
      assert.matches("parallel", doc.prisms[2].problem)
      assert.matches("parallel", doc.prisms[3].problem)
      assert.matches("no area", doc.prisms[4].problem)
      assert.is_nil(doc.prisms[5].problem)
      assert.is_nil(doc.prisms[2].corners)
      assert.equal(3, #doc.prisms[1].corners)
      assert.same({ { 1, 2, 3, 4 } }, { named(doc, "prism-degenerate") })
      local stats = doc:stats()
      assert.same({ 4, 0 }, { stats.degenerate, stats.inverted })
   end)

   it("may be made of numbers that are none", function()
      local doc = tools.open "not_finite"
      for i = 1, 3 do
         assert.matches("not finite", doc.prisms[i].problem)
         assert.is_nil(doc.prisms[i].corners)
         assert.equal(0, doc.prisms[i].area)
      end
      assert.same({ { 1, 2, 3 } }, { named(doc, "prism-degenerate") })
   end)

   it("is told from what is inside out", function()
      local doc = tools.open "inverted"
      assert.same({ { 2, 4, 6 } }, { named(doc, "prism-inverted") })
      assert.same({ {} }, { named(doc, "prism-degenerate") })
      local stats = doc:stats()
      assert.same({ 0, 3 }, { stats.degenerate, stats.inverted })
      assert.matches("below 0", doc.prisms[2].problem)
      assert.equal(3, #doc.prisms[2].corners)
      assert.is_true(doc.prisms[2].height < 0)
   end)

   it("is found 1,662 times in the damaged real file, where the numbers say so", function()
      for _, file in ipairs(tools.corpus "kcl-mkw") do
         if file.name:find "_broken" then
            local doc <close> = assert(kart.open(file.path))
            local numbers, whole = named(doc, "prism-degenerate")
            assert.same({ 1662, 1662, 7064 }, { #numbers, doc:stats().degenerate, #doc.prisms })
            assert.is_nil(whole)
            local model = reader.read(doc:bytes(), "mkw").models[1]
            local reasons, is_named = {}, {}
            for _, number in ipairs(numbers) do
               local problem = doc.prisms[number].problem
               is_named[number], reasons[problem] = true, (reasons[problem] or 0) + 1
            end
            for number = 1, model.count do
               assert.equal(is_degenerate(model:prism(number)), is_named[number] or false, number)
            end
            for reason, count in pairs(reasons) do print(("  %s: %d: %s"):format(file.name, count, reason)) end
         end
      end
   end)
end)

describe("check", function()
   it("finds nothing in sound files", function()
      for _, name in ipairs{ "mkw", "gamecube", "mk7", "mkds", "mk8", "mk8dx", "smo", "mk8_models", "race", "none",
         "signature", "groups_shared", "order_octree_first" } do
         local findings = tools.open(name):check()
         assert.equal(0, #findings, name .. ": " .. tostring(findings[1]))
      end
   end)

   it("finds triangles that stand twice, not the other side of one", function()
      assert.same({ 25, 26 }, (named(tools.open "duplicate", "triangle-duplicate")))
   end)

   it("finds roads that look down, normals that are too long, prisms that no list names", function()
      assert.same({ 1, 2, 3 }, (named(tools.open "face_down", "road-face-down")))
      -- A normal may be off by 3 %; one without a length has no triangle either.
      assert.same({ 3, 4 }, (named(tools.open "normals_long", "normal-length")))
      assert.same({ 22, 23, 24 }, (named(tools.open "unreached", "prism-unreached")))
   end)

   it("finds lists that are longer than the engine caches", function()
      local _, whole = named(tools.open "list_long", "list-long")
      assert.matches("longest 264", whole.message)
   end)

   it("has a reason, a remedy and a source for every rule", function()
      local rules = kart.kcl.rules()
      assert.is_true(#rules >= 7)
      for _, rule in ipairs(rules) do
         assert.matches("^%l[%l-]+$", rule.id)
         for _, field in ipairs{ "severity", "sections", "reason", "remedy", "source" } do
            assert.is_true(#rule[field] > 0, rule.id .. " has no " .. field)
         end
      end
   end)
end)
