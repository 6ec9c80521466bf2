-- Files of many models, and of every game: built from meshes, opened again, and asked near the borders of models.
local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local GAMES = { "mkw", "mk8", "mk8dx", "smo", "smg", "sm3dl", "mk7", "mkds" }

-- Numbers from 0 to below 1, the same on every machine.
local function draws(seed)
   return function()
      seed = (seed * 1103515245 + 12345) % 2 ^ 31
      return seed / 2 ^ 31
   end
end

-- Hills of k x k squares of two triangles; every third one is a wall.
local function hills(k)
   local positions, triangles = {}, {}
   for z = 0, k do
      for x = 0, k do positions[#positions + 1] = { 290.0 * x, 50.0 * ((7 * x + 13 * z + x * z) % 11), 290.0 * z } end
   end
   local function at(x, z) return z * (k + 1) + x + 1 end
   for z = 0, k - 1 do
      for x = 0, k - 1 do
         local flag = (x + z) % 3 == 0 and 0x0C or 0
         triangles[#triangles + 1] = { at(x, z), at(x, z + 1), at(x + 1, z), flag = flag }
         triangles[#triangles + 1] = { at(x + 1, z), at(x, z + 1), at(x + 1, z + 1), flag = flag }
      end
   end
   return kart.mesh.new{ positions = positions, triangles = triangles }
end

-- The prisms of a document by triangle: { [index of the triangle] = its number among them }, and how many there are.
local function by_triangle(doc)
   local found, count = {}, 0
   for number, prism in ipairs(doc.prisms) do
      local triangle = prism.triangle or number - 1
      if not found[triangle] then
         found[triangle] = prism
         count = count + 1
      end
   end
   return found, count
end

local function apart(one, other)
   local best = math.huge
   for turn = 0, 2 do
      local worst = 0
      for i = 1, 3 do worst = math.max(worst, (one[i] - other[(i + turn - 1) % 3 + 1]):length()) end
      best = math.min(best, worst)
   end
   return best
end

describe("a mesh becomes a file of", function()
   for _, game in ipairs(GAMES) do
      it(game .. ": saved, opened, checked, the same triangles, nothing missing", function()
         local mesh, path = hills(12), support.tmp() .. "/course.kcl"
         local built, report = assert(kart.kcl.build(mesh, { game = game, model_prisms = 100 }))
         assert(built:save(path))
         local doc <close> = assert(kart.open(path, { game = game }))
         assert.equal(game, doc.game)
         assert.same({}, doc.warnings)
         assert.same({}, doc:check())
         local found, count = by_triangle(doc)
         assert.equal(#mesh.triangles, count)
         assert.equal(report.models, #doc.models)
         assert.equal(doc.version == 2, report.models > 1)
         assert.equal(#doc.prisms, count + report.copies)
         for i, triangle in ipairs(mesh.triangles) do
            assert.equal(triangle.flag, found[i - 1].flag)
            assert.is_true(apart(triangle.corners, found[i - 1].corners) <= (game == "mkds" and 0.5 or 0.01))
         end
         local proof = assert(doc:prove())
         assert.same({ 0, 0 }, { proof.missing, proof.outside })
         assert.equal(0, #assert(doc:verify{ queries = 300 }).misses)
      end)
   end
end)

describe("a rebuilt real file", function()
   for _, file in ipairs(tools.corpus("kcl-v2-multi", "kcl-v2-be", "kcl-v2-le", "kcl-other")) do
      it(file.folder .. "/" .. file.name .. " keeps its prisms and lists all", function()
         local doc <close> = assert(kart.kcl.parse(support.read(file.path)))
         local game = doc.game
         local before, size = reader.read(doc:bytes(), game), #doc.prisms
         assert(doc:rebuild())
         local after = reader.read(doc:bytes(), game)
         local proof = assert(doc:prove())
         assert.same({ 0, 0 }, { proof.missing, proof.outside })
         assert.equal(#before.models, #after.models)
         for i, model in ipairs(before.models) do
            for number = 1, model.count, 7 do
               local old, new = model:prism(number), after.models[i]:prism(number)
               for _, field in ipairs{ "position", "face", "ca", "ab", "bc" } do
                  assert.same({ table.unpack(old[field], 1, 3) }, { table.unpack(new[field], 1, 3) })
               end
               assert.same({ old.height, old.flag, old.triangle }, { new.height, new.flag, new.triangle })
            end
         end
         local copied = tools.finding(doc.warnings, "prisms-copied")
         assert.equal(#doc.prisms > size, copied ~= nil)
      end)
   end
end)

describe("prisms that are taken out", function()
   -- What is there of a document: "corners flag" of each triangle, in order.
   local function shown(doc)
      local found, count = by_triangle(doc)
      local list = {}
      for i = 0, count - 1 do
         local prism = found[i]
         list[i + 1] = ("%s %s %s %d"):format(prism.corners[1], prism.corners[2], prism.corners[3], prism.flag)
      end
      return list
   end

   for _, game in ipairs{ "mkw", "mk8" } do
      it("are gone from every model of " .. game .. ", and the others are as they were", function()
         local doc = assert(kart.kcl.build(hills(12), { game = game, model_prisms = 60 }))
         local before, gone, numbers = shown(doc), {}, {}
         for i, prism in ipairs(doc.prisms) do
            local triangle = prism.triangle or i - 1
            if triangle % 5 == 2 and not gone[triangle] then
               gone[triangle] = true
               numbers[#numbers + 1] = i
            end
         end
         local result, removed = doc:remove(numbers)
         assert.is_true(result == doc and doc.stale)
         assert.equal(#numbers, removed)
         local expected = {}
         for i, line in ipairs(before) do if not gone[i - 1] then expected[#expected + 1] = line end end
         assert.same(expected, shown(doc))
         assert(doc:rebuild())
         assert.same(expected, shown(doc))
         local proof = assert(doc:prove())
         assert.same({ 0, 0 }, { proof.missing, proof.outside })
      end)
   end

   it("may be none, but not all", function()
      local doc = tools.open "mk8_models"
      local bytes = doc:bytes()
      assert.same({ doc, 0 }, { doc:remove{} })
      local all = {}
      for i = 1, #doc.prisms do all[i] = i end
      local done, message, code = doc:remove(all)
      assert.same({ nil, "unsupported" }, { done, code })
      assert.matches("none of %d+ prisms would be left", message)
      assert.is_true(bytes == doc:bytes())
      for _, wrong in ipairs{ 0, #all + 1, 1.5, "x" } do
         assert.error_matches(function() doc:remove{ wrong } end, "expected numbers of prisms from 1 to " .. #all)
      end
   end)
end)

it("models with a radius of their own are proved by it, and get the largest when they are shared out anew", function()
   local doc = assert(kart.kcl.build(hills(12), { game = "mk8", model_prisms = 60 }))
   local at, bytes = doc.models[2].offset + 0x38, doc:bytes()
   local smaller = assert(kart.kcl.parse(bytes:sub(1, at) .. string.pack(">f", 5) .. bytes:sub(at + 5), "mk8"))
   assert(smaller:rebuild())
   assert.same({ 25, 5 }, { smaller.models[1].radius, smaller.models[2].radius })
   assert.equal(0, smaller:prove().missing)
   assert(smaller:rebuild{ split = true })
   assert.equal(25, smaller.models[1].radius)
   assert.is_table(tools.finding(smaller.warnings, "limits-differ"))
end)

-- --- many models against one -------------------------------------------------------------------

-- Places within 30 units of a border between two models, and as many elsewhere, near the surfaces.
local function places(file, doc, count)
   local draw, prisms = draws(7), doc.prisms
   local near, far = {}, {}
   while #near < count or #far < count do
      local corners = prisms[1 + math.floor(draw() * #prisms)].corners
      local u, v = draw(), draw()
      if u + v > 1 then u, v = 1 - u, 1 - v end
      local place = corners[1] + (corners[2] - corners[1]) * u + (corners[3] - corners[1]) * v
         + kart.vec(60 * draw() - 30, 60 * draw() - 30, 60 * draw() - 30)
      local here, is_near = file:model_at{ place.x, place.y, place.z }, false
      for axis = 1, 3 do
         for step = -30, 30, 60 do
            local beside = { place.x, place.y, place.z }
            beside[axis] = beside[axis] + step
            local there = file:model_at(beside)
            is_near = is_near or (there and here and there ~= here)
         end
      end
      local list = is_near and near or far
      if #list < count then list[#list + 1] = place end
   end
   return near, far
end

-- How far a place is from a triangle, and if it is straight above or below it.
local function distance(place, a, b, c)
   local ab, ac = b - a, c - a
   local normal = ab:cross(ac)
   local best = math.huge
   for _, edge in ipairs{ { a, b }, { b, c }, { c, a } } do
      local along = edge[2] - edge[1]
      local t = math.max(0, math.min(1, (place - edge[1]):dot(along) / along:dot(along)))
      best = math.min(best, (place - edge[1] - along * t):length())
   end
   local inside = true
   for _, edge in ipairs{ { a, b }, { b, c }, { c, a } } do
      inside = inside and (edge[2] - edge[1]):cross(place - edge[1]):dot(normal) >= 0
   end
   return inside and math.min(best, math.abs((place - a):dot(normal)) / normal:length()) or best, inside
end

-- What a lookup finds, by the rule of the file's engine: "triangle depth" of each hit, sorted and once. The engine
-- finds needles from farther away than the sphere reaches, where the list happens to have them: these don't count.
local function found(doc, place)
   local list, seen = {}, {}
   local hits = doc.game == "smo" and doc:galaxy_sphere(place, 25) or doc:lookup_sphere(place, 25)
   for _, hit in ipairs(hits) do
      local prism = doc.prisms[hit.prism]
      local away, above = distance(place, table.unpack(prism.corners))
      if (away <= 25 or above) and not seen[prism.triangle] then
         list[#list + 1] = ("%d %.9g"):format(prism.triangle, hit.depth)
         seen[prism.triangle] = true
      end
   end
   table.sort(list)
   return table.concat(list, ", ")
end

-- The one model is proved to list all that can be touched; so the same answers of many models miss nothing.
local function check_borders(mesh, game, most, count)
   local one = assert(kart.kcl.build(mesh, { game = game, flag = 0 }))
   local many, report = assert(kart.kcl.build(mesh, { game = game, flag = 0, model_prisms = most }))
   assert.equal(1, #one.models)
   assert.is_true(report.models > 2 and report.models == #many.models)
   local file, hits = reader.read(many:bytes(), game), 0
   for _, list in ipairs{ places(file, many, count) } do
      for _, place in ipairs(list) do
         local expected = found(one, place)
         assert.equal(expected, found(many, place))
         if expected ~= "" then hits = hits + 1 end
      end
   end
   assert.is_true(hits > count)
   return one, many, report
end

it("near the borders of models and elsewhere, many models answer as one does", function()
   tools.calm(check_borders, hills(30), "mk8", 300, 200)
   tools.calm(check_borders, hills(30), "smo", 300, 200)
end)

-- Of hits: the corners of each prism, rounded, sorted.
local function corners_of(doc, hits)
   local list = {}
   for i, hit in ipairs(hits) do
      local sum = kart.vec(0, 0, 0)
      for _, corner in ipairs(doc.prisms[hit.prism].corners) do sum = sum + corner end
      list[i] = ("%.0f %.0f %.0f"):format(sum.x, sum.y, sum.z)
   end
   table.sort(list)
   return table.concat(list, ", ")
end

describe("a real mesh of 18,568 triangles", function()
   local path
   for _, found_path in ipairs(support.corpus("obj", "obj")) do
      if found_path:find "18k" then path = found_path end
   end
   if not path then return end

   for _, game in ipairs{ "mk8", "mk8dx" } do
      it("as " .. game .. ", in one model and in many", function()
         local mesh = assert(kart.open(path))
         local one, many, report = tools.calm(check_borders, mesh, game, 4000, 300)
         for _, doc in ipairs{ one, many } do
            local proof = assert(doc:prove{ share = 0.05 })
            assert.same({ 0, 0 }, { proof.missing, proof.outside })
         end
         print(("  %s: one model %d bytes; %d models, %d copies, %d bytes"):format(game, #one:bytes(), report.models,
            report.copies, #many:bytes()))
      end)
   end

   it("answers as another tool's file of it does, but for what that misses", function()
      local mesh = assert(kart.open(path))
      local ours = assert(kart.kcl.build(mesh, { game = "mk8", flag = 0, model_prisms = 4000 }))
      local theirs = assert(kart.kcl.parse(support.read(tools.corpus("kcl-v2-multi")[1].path)))
      local differs, asked, draw = 0, 2000, draws(11)
      for _ = 1, asked do
         local corners = ours.prisms[1 + math.floor(draw() * #ours.prisms)].corners
         local place = (corners[1] + corners[2] + corners[3]) * (1 / 3) + kart.vec(0, 50 * draw() - 25, 0)
         local a = corners_of(ours, assert(ours:lookup_sphere(place, 25)))
         local b = corners_of(theirs, assert(theirs:lookup_sphere(place, 25)))
         if a ~= b then
            differs = differs + 1
            assert.is_true(#a > #b, b) -- theirs lacks one
         end
      end
      assert.is_true(differs <= asked / 200)
      print(("  %d of %d places answered with fewer triangles by the other file"):format(differs, asked))
   end)
end)
