-- The lookups of Galaxy's engine: where mathematics says what must come out, against the other engine's where
-- the two rules say the same, and against all prisms.
local kclfile = require "samples.kclfile"
local kclshapes = require "samples.kclshapes"
local reader = require "spec.kcl.reader"
local tools = require "spec.kcl.tools"

local GROUND = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 800.0 }, { 800.0, 0.0, 0.0 } }

local function build(game, triangles, changes)
   local spec = { game = game, triangles = triangles, cell = 9, most = 4, least = 6 }
   for name, value in pairs(changes or {}) do spec[name] = value end
   return assert(kart.kcl.parse(kclfile.build(spec), game))
end

local function near(expected, found) assert.is_true(math.abs(found - expected) < 1e-3, ("%.9g"):format(found)) end

local function draw_points(doc, count, up)
   local seed, stats, list = 11, doc:stats(), {}
   local function draw()
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed / 2147483648
   end
   local size = stats.high - stats.low
   for i = 1, count do
      list[i] = kart.vec(stats.low.x + draw() * size.x, stats.low.y + draw() * size.y + (up or 0),
         stats.low.z + draw() * size.z)
   end
   return list
end

describe("a sphere on a triangle", function()
   local doc = build("smg", { GROUND })

   local function sphere(x, y, z, radius)
      local hits = assert(doc:galaxy_sphere({ x, y, z }, radius))
      assert.is_true(#hits <= 1)
      return hits[1]
   end

   it("touches face, edges and corners from above", function()
      near(20, sphere(200, 50, 200, 70).depth)
      assert.equal("face", sphere(200, 80, 200, 100).region)
      assert.equal("ca", sphere(300, 55, -40, 70).region)
      near(math.sqrt(70 ^ 2 - 40 ^ 2) - 50, sphere(300, 50, -40, 70).depth)
      assert.is_nil(sphere(300, 30, -40, 70))
      assert.equal("a", sphere(-30, 80, -40, 100).region)
      assert.is_nil(sphere(-30, 40, -40, 100))
      assert.is_nil(sphere(-30, -60, -40, 100))
   end)

   it("is at most the thickness deep", function()
      local thickness = doc.models[1].thickness
      near(thickness - 1, sphere(200, 11 - thickness, 200, 10).depth)
      assert.is_nil(sphere(200, 9 - thickness, 200, 10))
      assert.is_nil(sphere(200, 0, 200, thickness + 5))
   end)

   it("knows no largest radius", function()
      local wide = build("mk7", { GROUND })
      assert.equal(1, #wide:galaxy_sphere({ 200, 480, 200 }, 500))
      assert.equal(0, #wide:lookup_sphere({ 200, 480, 200 }, 500))
   end)
end)

-- Hills, once as the engine's own files are: small cells, lists that know nothing of spheres; and with one
-- cell that lists all.
local function hills(game, changes)
   local triangles = kclshapes.hill(6, 200, { 0 })
   local spec = { radius = 0 }
   for name, value in pairs(changes or {}) do spec[name] = value end
   return build(game, triangles, spec), build(game, triangles, { cell = 13, most = 1000 })
end

it("takes every cell that the sphere reaches, each prism once", function()
   local split = function(_, size) return size[1] > 512 end
   for _, case in ipairs{ { "smg" }, { "mkw" }, { "mk8", { split = split, cell = 7 } } } do
      local bare, whole = hills(case[1], case[2])
      local found = 0
      for _, point in ipairs(draw_points(whole, 200, 60)) do
         for _, radius in ipairs{ 5, 60, 300 } do
            local seen = {}
            for _, hit in ipairs((assert(bare:galaxy_sphere(point, radius)))) do
               -- Models of version 2 have copies: known by the index over all models.
               local id = case[1] == "mk8" and bare.prisms[hit.prism].triangle + 1 or hit.prism
               if case[1] ~= "mk8" then assert.is_nil(seen[id]) end
               seen[id] = hit.depth
            end
            for _, hit in ipairs((assert(whole:galaxy_sphere(point, radius)))) do
               found = found + 1
               assert.equal(hit.depth, seen[hit.prism])
               seen[hit.prism] = nil
            end
            assert.is_nil(next(seen))
         end
      end
      assert.is_true(found > 300, found)
   end
end)

-- Every hit of a sphere by one rule is one by the other, with the same depth, but for what they count apart.
-- Gives the number of hits that both have.
local function compare_rules(doc)
   local both, radius, thickness = 0, doc.models[1].radius, doc.models[1].thickness
   for i = 1, 400 do
      local prism = doc.prisms[1 + i * 7919 % #doc.prisms]
      local corners = prism.corners or { prism.position }
      local point = corners[1 + i % #corners] + prism.face_normal * (i % 9 / 8 * radius)
         + kart.vec(i % 5, 0, i % 7) * (radius / 20)
      local of = {}
      for _, hit in ipairs((assert(doc:lookup_sphere(point, radius)))) do of[hit.prism] = hit end
      for _, hit in ipairs((assert(doc:galaxy_sphere(point, radius)))) do
         local other = of[hit.prism]
         if other then
            both = both + 1
            assert.same(other, hit)
            of[hit.prism] = nil
         end
      end
      for number, hit in pairs(of) do
         -- Corners from below, what is too deep, and what the one engine leaves out at loading.
         local view = doc.prisms[number]
         local parallel = view.ca_normal:cross(view.ab_normal):length() < 0.02
            or view.ab_normal:cross(view.bc_normal):length() < 0.02
            or view.ca_normal:cross(view.bc_normal):length() < 0.02
         assert.is_true(hit.region:find "^[abc]$" ~= nil or parallel or hit.depth >= thickness or view.height <= 0,
            ("prism %d, %s, depth %g"):format(number, hit.region, hit.depth))
      end
   end
   return both
end

describe("the two engines agree where their rules say the same:", function()
   for _, name in ipairs{ "mkw", "mk7" } do
      it("the sample " .. name, function() assert.is_true(compare_rules(tools.open(name)) > 100) end)
   end
   for _, file in ipairs(tools.corpus "kcl-mkw") do
      if not file.name:find "broken" then
         it(file.folder .. "/" .. file.name, function()
            local doc <close> = assert(kart.open(file.path))
            assert.is_true(compare_rules(doc) > 0)
         end)
      end
   end
end)

-- The prism that has the point inside, first in the list, by doubles; nil and true where it is a close thing.
local function first_inside(model, ids, point)
   for _, id in ipairs(ids) do
      local prism = model:prism(id)
      local q = { point.x - prism.position[1], point.y - prism.position[2], point.z - prism.position[3] }
      local most = math.max(reader.dot(q, prism.ca), reader.dot(q, prism.ab), reader.dot(q, prism.bc) - prism.height)
      local above = reader.dot(q, prism.face)
      local out = math.max(most, above, -above - model.thickness)
      if math.abs(out) < 1e-3 then return nil, true end
      if out < 0 then return id end
   end
end

it("the first prism that has a point inside is found, in the list's order", function()
   for _, name in ipairs{ "gamecube", "mkw", "smo", "race" } do
      local doc = tools.open(name)
      local file = reader.read(doc:bytes(), doc.game)
      local found = 0
      local down = doc.models[1].thickness / 3
      for i, prism in ipairs(doc.prisms) do
         if i > 400 then break end
         local a, b, c = table.unpack(prism.corners)
         local point = (a + b + c) / 3 - prism.face_normal * down
         local list = file.models[1]:find_at{ point:unpack() }
         local _, ids = file.models[1]:list(list)
         local expected, close = first_inside(file.models[1], ids, point)
         local hit = doc:galaxy_point(point)
         if not close then
            assert.equal(expected, hit and hit.prism)
            found = found + (hit and 1 or 0)
         end
      end
      assert.is_true(found > 10, name)
   end
end)

describe("an arrow", function()
   -- The nearest prism of the whole file that it enters from above, by doubles.
   local function nearest(model, start, along)
      local best, which = math.huge, nil
      for id = 1, model.count do
         local prism = model:prism(id)
         local q = { start.x - prism.position[1], start.y - prism.position[2], start.z - prism.position[3] }
         local v = { along:unpack() }
         local above, toward = reader.dot(q, prism.face), -reader.dot(v, prism.face)
         local u = above / toward
         if above > 0 and toward > 0 and u <= 1 and u < best then
            local p = { q[1] + u * v[1], q[2] + u * v[2], q[3] + u * v[3] }
            if reader.dot(p, prism.ca) <= 0.01 and reader.dot(p, prism.ab) <= 0.01
               and reader.dot(p, prism.bc) - prism.height <= 0.01 then best, which = u, id end
         end
      end
      return which, best
   end

   it("hits what is nearest on its way", function()
      local doc = hills "smg"
      local model = reader.read(doc:bytes(), "smg").models[1]
      local found = 0
      for i, point in ipairs(draw_points(doc, 300)) do
         for _, way in ipairs{ kart.vec(0, -900, 0), kart.vec(500, -700, -300 + i), kart.vec(-4000, -900, 3000) } do
            local start = kart.vec(point.x, 400, point.z)
            local which, fraction = nearest(model, start, way)
            local hit = doc:galaxy_arrow(start, way)
            assert.equal(which == nil, hit == nil)
            if hit then
               found = found + 1
               assert.is_true(math.abs(hit.fraction - fraction) < 1e-4)
               assert.is_true((hit.position - (start + way * fraction)):length() < 0.5)
            end
         end
      end
      assert.is_true(found > 300)
   end)

   it("may begin outside of the area, and needs a face that looks at it", function()
      local doc = build("smg", { GROUND })
      local hit = doc:galaxy_arrow({ 200, 100000, 200 }, { 0, -200000, 0 })
      assert.equal(0.5, hit.fraction)
      assert.equal(kart.vec(200, 0, 200), hit.position)
      assert.is_nil((doc:galaxy_arrow({ 200, -10, 200 }, { 0, 100, 0 })))
      assert.is_nil((doc:galaxy_arrow({ 200, 10, 200 }, { 0, -9, 0 })))
      assert.is_nil((doc:galaxy_arrow({ 200, 10, 200 }, { 0, 0, 0 })))
      assert.is_nil((doc:galaxy_arrow({ -200, 10, 200 }, { 0, -100, 0 })))
      assert.is_nil((doc:galaxy_arrow({ 200, 10, 200 }, { 0, -100, 0 }, { mask = 2 })))
   end)

   it("takes the nearest of all models", function()
      local split = function(_, size) return size[1] > 512 end
      local doc, whole = hills("mk8", { split = split, cell = 7 })
      for _, point in ipairs(draw_points(whole, 100)) do
         local start = kart.vec(point.x, 400, point.z)
         local one, other = doc:galaxy_arrow(start, { 0, -900, 0 }), whole:galaxy_arrow(start, { 0, -900, 0 })
         assert.equal(one and one.fraction, other and other.fraction)
      end
   end)
end)
