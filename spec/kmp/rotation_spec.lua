local tools = require "spec.kmp.tools"

-- A collector that never rests goes through all of them again and again: fewer then.
local COUNT = os.getenv "KARTLUA_GC" == "stress" and 2000 or 20000
local RANGE = 2 ^ -17 -- degrees: the step of floats between 64 and 128, where the poles are

-- Triples of all kinds, poles among them, as the floats of a file.
local function triples(seed)
   local random = tools.random(seed)
   local function between(low, high) return low + (high - low) * random() end
   local function whole(low, high) return low + math.floor((high - low + 1) * random()) end
   local kinds = {
      function() return between(-180, 180), between(-180, 180), between(-180, 180) end,
      function() return between(-180, 180), 90 * (whole(0, 1) * 2 - 1), between(-180, 180) end, -- a pole
      function() -- some floats away from a pole
         local y = (90 + whole(-12, 12) * RANGE) * (whole(0, 1) * 2 - 1)
         return between(-180, 180), y, between(-180, 180)
      end,
      function() return between(-1, 1), 90 + 10 ^ between(-6, 0), between(-1, 1) end,
      function() return 90 * whole(-4, 4), 90 * whole(-4, 4), 90 * whole(-4, 4) end,
      function() return between(-720, 720), between(-720, 720), between(-720, 720) end, -- other turns
      function() return 0, between(-180, 180), 0 end,
      function() return 0, 45 * whole(-8, 8), between(-180, 180) end,
      function() return 180 * whole(-1, 1), between(-180, 180), 180 * whole(-1, 1) end,
   }
   local list = {}
   for i = 1, COUNT do
      local x, y, z = kinds[i % #kinds + 1]()
      list[i] = kart.vec(tools.float(x), tools.float(y), tools.float(z))
   end
   return list
end

local TRIPLES = triples(20260101)
local MATRICES = {}
for i, rotation in ipairs(TRIPLES) do MATRICES[i] = tools.euler(rotation) end

-- One document with all of them, as objects.
local function document()
   local objects = {}
   for i, rotation in ipairs(TRIPLES) do objects[i] = { rotation = rotation } end
   return kart.kmp.new{ gobj = objects }
end

local DOCUMENT = document()

-- `change` must carry every orientation by the linear map `a`.
local function check(a, reflects, change)
   local doc <close> = DOCUMENT:clone()
   assert(change(doc))
   local worst, worst_at = 0, 1
   for i, object in ipairs(doc.gobj) do
      local expected = tools.carried(a, MATRICES[i], reflects)
      local distance = tools.distance(expected, tools.euler(object.rotation))
      if distance > worst or distance ~= distance then worst, worst_at = distance, i end
   end
   assert(worst < 1e-6, ("off by %g: %s became %s"):format(worst, TRIPLES[worst_at], doc.gobj[worst_at].rotation))
end

-- Rotation about an axis, from the axis as the first column of a frame (not Rodrigues' formula, which
-- the program uses).
local function turn(axis, degrees)
   local u = axis / axis:length()
   local v = u:cross(math.abs(u.x) < 0.9 and kart.vec(1, 0, 0) or kart.vec(0, 1, 0))
   v = v / v:length()
   local w = u:cross(v)
   local frame = { u.x, v.x, w.x, u.y, v.y, w.y, u.z, v.z, w.z }
   local back = { u.x, u.y, u.z, v.x, v.y, v.z, w.x, w.y, w.z }
   local s, c = math.sin(math.rad(degrees)), math.cos(math.rad(degrees))
   return tools.multiply(frame, tools.multiply({ 1, 0, 0, 0, c, -s, 0, s, c }, back))
end

-- A kart.matrix of nine numbers.
local function matrix(a)
   return kart.matrix.new{ { a[1], a[2], a[3] }, { a[4], a[5], a[6] }, { a[7], a[8], a[9] } }
end

describe("kart.matrix", function()
   it(("turns %d triples into the matrices of the format's description"):format(COUNT), function()
      local worst = 0
      for i, rotation in ipairs(TRIPLES) do
         worst = math.max(worst, tools.distance(MATRICES[i], tools.linear(kart.matrix.euler(rotation))))
      end
      assert(worst < 1e-12, worst)
   end)

   it("turns about any axis", function()
      local random = tools.random(7)
      for _ = 1, 1000 do
         local axis = kart.vec(random() - 0.5, random() - 0.5, random() - 0.5)
         local degrees = 1000 * random() - 500
         assert(tools.distance(turn(axis, degrees), tools.linear(kart.matrix.rotation(axis, degrees))) < 1e-12)
      end
   end)

   it("turns by the letter of an axis as by its direction", function()
      for letter, axis in pairs{ x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } } do
         assert.equal(kart.matrix.rotation(axis, 33), kart.matrix.rotation(letter, 33))
      end
   end)

   it("has whole numbers in quarter turns", function()
      assert.equal("[0, 0, 1, 0; 0, 1, 0, 0; -1, 0, 0, 0]", (tostring(kart.matrix.rotation("y", 90)):gsub("%-0", "0")))
      assert.equal(kart.matrix.identity(), kart.matrix.rotation("z", 720))
   end)

   it("multiplies, inverts and moves the origin", function()
      local a = kart.matrix.rotation({ 1, 2, 3 }, 50) * kart.matrix.translation{ 5, 6, 7 } * kart.matrix.scale(2)
      local p = kart.vec(-3, 4, 9)
      assert((a:invert() * (a * p) - p):length() < 1e-12)
      assert(math.abs(a:determinant() - 8) < 1e-12)
      assert((a:about{ 1, 2, 3 } * kart.vec(1, 2, 3) - a * kart.vec(0, 0, 0) - kart.vec(1, 2, 3)):length() < 1e-12)
      assert((a:direction(p) - (a * p - a * kart.vec(0, 0, 0))):length() < 1e-12)
   end)

   it("mirrors at a plane", function()
      assert.equal(kart.vec(17, 1, 2), kart.matrix.mirror("x", 10) * kart.vec(3, 1, 2))
      assert.equal(kart.vec(3, -1, 2), kart.matrix.mirror "y" * kart.vec(3, 1, 2))
   end)

   it("can't be inverted when it flattens, or changed at all", function()
      assert.has_error(function() kart.matrix.scale{ 1, 0, 1 }:invert() end, "the matrix has no inverse")
      assert.error_matches(function() kart.matrix.identity().x = 1 end, "make a new one")
   end)

   it("takes finite numbers only", function()
      assert.error(function() kart.matrix.rotation("y", 0 / 0) end)
      assert.error(function() kart.matrix.translation{ 0, math.huge, 0 } end)
      assert.error(function() kart.matrix.new{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 / 0 } } end)
      assert.error(function() kart.matrix.rotation({ 0, 0, 0 }, 1) end)
   end)
end)

describe(COUNT .. " orientations", function()
   it("are mirrored on x", function()
      check(tools.diagonal(-1, 1, 1), true, function(doc) return doc:mirror "x" end)
   end)

   it("are mirrored on z", function()
      check(tools.diagonal(1, 1, -1), true, function(doc) return doc:mirror "z" end)
   end)

   for _, yaw in ipairs{ 30, 90, 180, -90, 123.456 } do
      it("turn about y by " .. yaw, function()
         check(turn(kart.vec(0, 1, 0), yaw), false, function(doc) return doc:rotate("y", yaw) end)
      end)
   end

   for _, axis in ipairs{ "x", "z" } do
      for _, angle in ipairs{ 90, 180, 37 } do
         it(("turn about %s by %d"):format(axis, angle), function()
            check(turn(axis == "x" and kart.vec(1, 0, 0) or kart.vec(0, 0, 1), angle), false, function(doc)
               return doc:rotate(axis, angle)
            end)
         end)
      end
   end

   it("turn about any axis", function()
      local axis = kart.vec(1, -2, 0.5)
      check(turn(axis, 77), false, function(doc) return doc:rotate(axis, 77) end)
   end)

   it("follow a turn with a uniform scale", function()
      local a = turn(kart.vec(3, 1, -1), -50)
      check(a, false, function(doc) return doc:transform(kart.matrix.scale(2.5) * matrix(a)) end)
   end)

   it("follow a reflection in a plane at any angle", function()
      local a = turn(kart.vec(1, 1, 0), 40)
      a = tools.multiply(a, tools.diagonal(-1, 1, 1))
      check(a, true, function(doc) return doc:transform(matrix(a)) end)
   end)

   it("follow a point reflection, which is all three mirrors", function()
      check(tools.diagonal(-1, -1, -1), true, function(doc) return doc:transform(kart.matrix.scale(-1)) end)
   end)

   it("follow the upside-down mirror", function()
      check(tools.diagonal(1, -1, 1), true, function(doc) return doc:transform(kart.matrix.mirror "y") end)
   end)

   it("stay as they are under a translation and a uniform scale, bit for bit", function()
      local doc <close> = DOCUMENT:clone()
      assert(doc:translate{ 1, 2, 3 })
      assert(doc:scale(3))
      for i, object in ipairs(doc.gobj) do
         local r = object.rotation
         assert(r == TRIPLES[i])
      end
   end)
end)

describe("the triple that comes out", function()
   it("is in the turn that the old one was in", function()
      local doc = kart.kmp.new{ gobj = { { rotation = { 0, 400, 0 } }, { rotation = { 0, -725, 0 } } } }
      assert(doc:rotate("y", 20))
      assert.equal(kart.vec(0, 420, 0), doc.gobj[1].rotation)
      assert.equal(kart.vec(0, -705, 0), doc.gobj[2].rotation)
      -- With a z, no yaw can be added to y.
      doc = kart.kmp.new{ gobj = { { rotation = { 370, 400, -715 } } } }
      assert(doc:rotate("y", 5))
      local r = doc.gobj[1].rotation
      assert((r - kart.vec(370, 405, -715)):length() < 10, tostring(r))
   end)

   it("keeps its z where a pole stays one", function()
      local doc = kart.kmp.new{ gobj = { { rotation = { 10, 90, 25.1 } } } }
      assert(doc:rotate("z", 30))
      local r = doc.gobj[1].rotation
      assert.equal(tools.float(25.1), r.z)
      assert.equal(90, r.y)
      assert(math.abs(r.x + 20) < 1e-5, tostring(r))
   end)

   it("is the old one again where a pole was left and taken up again", function()
      local doc = kart.kmp.new{ gobj = { { rotation = { 10, 90, 25 } } } }
      assert(doc:rotate("y", 0.5))
      assert(doc:rotate("y", -0.5))
      assert(tools.distance(tools.euler(doc.gobj[1].rotation), tools.euler{ x = 10, y = 90, z = 25 }) < 1e-6)
   end)

   it("adds a yaw to y where x and z allow it", function()
      local doc = kart.kmp.new{ gobj = { { rotation = { 15, 10, 0 } } } }
      assert(doc:rotate("y", 33))
      assert.equal(kart.vec(15, 43, 0), doc.gobj[1].rotation)
   end)

   it("mirrored on x keeps 180 and -180", function()
      local doc = kart.kmp.new{ gobj = { { rotation = { 0, 180, 0 } }, { rotation = { 0, -180, 0 } } } }
      assert(doc:mirror "x")
      assert.equal(180, doc.gobj[1].rotation.y)
      assert.equal(-180, doc.gobj[2].rotation.y)
   end)

   it("is the one with the least x and z for a respawn point", function()
      local respawns = {}
      for i = 1, 2000 do respawns[i] = { rotation = TRIPLES[i] } end
      local doc = kart.kmp.new{ jgpt = respawns }
      assert(doc:transform(kart.matrix.rotation({ 0.3, 1, -0.2 }, 140)))
      for i, point in ipairs(doc.jgpt) do
         local old, r = TRIPLES[i], point.rotation
         local least = tools.angle_distance(r.x, 0) + tools.angle_distance(r.z, 0)
         local other = tools.angle_distance(r.x + 180, 0) + tools.angle_distance(r.z + 180, 0)
         local before = tools.angle_distance(old.x, 0) + tools.angle_distance(old.z, 0)
         -- Not worse than the other triple, or not worse than it was.
         assert(least <= other + 1e-3 or least <= before + 1e-3, ("%s became %s"):format(old, r))
      end
   end)
end)
