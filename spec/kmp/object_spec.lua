local support = require "spec.support"
local tools = require "spec.kmp.tools"

-- A document with one object of these settings.
local function object(id, settings, more)
   local record = { id = id, settings = settings, position = { 100, 20, 300 } }
   for name, value in pairs(more or {}) do record[name] = value end
   return kart.kmp.new{ gobj = { record }, poti = { { points = { {}, {} } } } }
end

-- Its settings after a change to the document, as signed numbers.
local function settings_after(doc, change)
   assert(change(doc))
   local list = {}
   for i = 1, 8 do list[i] = (doc.gobj[1].settings[i] ~ 0x8000) - 0x8000 end
   return list
end

local CHANGES = {
   { "a mirror on x", function(doc) return doc:mirror "x" end, reflects = true },
   { "a mirror on z", function(doc) return doc:mirror "z" end, reflects = true },
   { "a mirror on x elsewhere", function(doc) return doc:mirror("x", { at = 500 }) end, reflects = true },
   { "a mirror at an angle", function(doc)
      return doc:transform(kart.matrix.rotation("y", 50) * kart.matrix.mirror "x")
   end, reflects = true },
   { "a yaw of 180", function(doc) return doc:rotate("y", 180) end },
   { "a yaw of 90", function(doc) return doc:rotate("y", 90) end },
   { "a yaw of 20", function(doc) return doc:rotate("y", 20) end },
   { "a scale", function(doc) return doc:scale(2) end },
   { "a translation", function(doc) return doc:translate{ 10, 20, 30 } end },
}

local function mirror_x(doc) return doc:mirror "x" end

-- Warnings about objects, without what is said of other things.
local function object_warnings(doc)
   local list = {}
   for _, warning in ipairs(doc.warnings) do
      if warning.section == "gobj" then list[#list + 1] = warning end
   end
   return list
end

-- Settings that a reflection negates --------------------------------------------------------------

local SIGNED = { [405] = { 2 }, [417] = { 2 }, [421] = { 2 }, [608] = { 2, 4, 6 } }

for id, numbers in pairs(SIGNED) do
   describe(("object %d (%s)"):format(id, kart.kmp.object_name(id)), function()
      for _, change in ipairs(CHANGES) do
         it(("%s its turn with %s"):format(change.reflects and "changes" or "keeps", change[1]), function()
            local expected = { 11, 12, 13, 14, 15, 16, 17, 18 }
            if change.reflects then
               for _, number in ipairs(numbers) do expected[number] = -expected[number] end
            end
            local doc = object(id, { 11, 12, 13, 14, 15, 16, 17, 18 })
            assert.same(expected, settings_after(doc, change[2]))
            assert.same({}, object_warnings(doc))
         end)
      end

      it("has its settings back after two mirrors", function()
         local doc = object(id, { 1, 0x8001, 3, 0xFFFF, 5, 0, 7, 8 })
         local bytes = doc:bytes()
         assert(doc:mirror "x":mirror "x")
         assert.is_true(doc:bytes() == bytes)
      end)

      it("keeps 0", function() assert.equal(0, settings_after(object(id, { 0, 0 }), mirror_x)[2]) end)

      it("keeps -32768, which has no opposite, and warns", function()
         local doc = object(id, { 0, -32768, 0, 4 })
         assert.equal(-32768, settings_after(doc, mirror_x)[2])
         local warning = tools.warning(doc, "object-setting")
         assert.equal("gobj[1].settings", warning.place)
         assert.matches("setting 2 is %-32768", warning.message)
      end)

      it("turns 32767 to -32767 and back", function()
         local doc = object(id, { 0, 32767 })
         assert.equal(-32767, settings_after(doc, mirror_x)[2])
         assert.equal(32767, settings_after(doc, mirror_x)[2])
      end)
   end)
end

-- Settings that a reflection exchanges ------------------------------------------------------------

for _, id in ipairs{ 422, 229, 532, 533, 604 } do
   describe(("object %d (%s)"):format(id, kart.kmp.object_name(id)), function()
      for _, change in ipairs(CHANGES) do
         it(("%s its side with %s"):format(change.reflects and "changes" or "keeps", change[1]), function()
            for side = 0, 1 do
               local doc = object(id, { 1, side, 1, 1, 0, 0, 1, 0 })
               local expected = { 1, change.reflects and 1 - side or side, 1, 1, 0, 0, 1, 0 }
               assert.same(expected, settings_after(doc, change[2]))
               assert.same({}, object_warnings(doc))
            end
         end)
      end

      for _, value in ipairs{ 2, -1, 256, -32768 } do
         it(("keeps %d, which is no side, and warns"):format(value), function()
            local doc = object(id, { 0, value })
            assert.equal(value, settings_after(doc, mirror_x)[2])
            assert.matches("neither 0 nor 1", tools.warning(doc, "object-setting").message)
         end)
      end
   end)
end

-- Bulldozers --------------------------------------------------------------------------------------

describe("objects 504 and 505 (bulldozers), which move along world X,", function()
   local function id_after(id, change)
      local doc = object(id, { 60, 20 })
      assert(change(doc))
      return doc.gobj[1].id, object_warnings(doc)
   end

   for id, twin in pairs{ [504] = 505, [505] = 504 } do
      it(("change %d to %d where X turns round"):format(id, twin), function()
         for _, change in ipairs{ mirror_x, function(doc) return doc:rotate("y", 180) end,
            function(doc) return doc:mirror("x", { at = -70 }) end,
            function(doc) return doc:transform(kart.matrix.scale{ -2, 2, 2 }) end } do
            local new, warnings = id_after(id, change)
            assert.equal(twin, new)
            assert.same({}, warnings)
         end
      end)

      it(("keep %d where X stays"):format(id), function()
         for _, change in ipairs{ function(doc) return doc:mirror "z" end, function(doc) return doc:scale(3) end,
            function(doc) return doc:translate{ 1, 2, 3 } end, function(doc) return doc:rotate("x", 180) end } do
            local new, warnings = id_after(id, change)
            assert.equal(id, new)
            assert.same({}, warnings)
         end
      end)

      it(("warn where X becomes another axis, and keep %d"):format(id), function()
         for _, yaw in ipairs{ 90, -90, 20, 179 } do
            local new, warnings = id_after(id, function(doc) return doc:rotate("y", yaw) end)
            assert.equal(id, new)
            assert.equal("object-direction", warnings[1].rule)
            assert.equal("gobj[1].id", warnings[1].place)
         end
      end)
   end

   it("are themselves again after two mirrors or two yaws of 180", function()
      assert.equal(504, (id_after(504, function(doc) return doc:mirror "x":mirror "x" end)))
      assert.equal(505, (id_after(505, function(doc) return doc:rotate("y", 180):rotate("y", 180) end)))
   end)

   it("keep their settings", function()
      assert.same({ 60, 20, 0, 0, 0, 0, 0, 0 }, settings_after(object(504, { 60, 20 }), mirror_x))
   end)

   it("keep an extension's bits of the id", function()
      assert.equal(0x3000 | 505, (id_after(0x3000 | 504, mirror_x)))
   end)
end)

it("an extension's bits of the id don't hide an object from its row", function()
   assert.equal(-30, settings_after(object(0x1000 | 405, { 0, 30 }), mirror_x)[2])
   assert.equal(0x1195, object(0x1195).gobj[1].id)
end)

-- Crane -------------------------------------------------------------------------------------------

describe("object 507 (Crane)", function()
   local function phase_after(period, phase, change)
      local doc = object(507, { 0, period, 7, phase })
      local settings = settings_after(doc, change or mirror_x)
      assert.equal(period, settings[2])
      assert.equal(7, settings[3])
      return settings[4], object_warnings(doc)
   end

   it("moves its phase by half a period with a reflection", function()
      assert.equal(300, (phase_after(400, 100)))
      assert.equal(100, (phase_after(400, 300)))
      assert.equal(0, (phase_after(400, 200)))
      assert.equal(200, (phase_after(400, 0)))
      assert.equal(300, (phase_after(400, 100, function(doc) return doc:mirror "z" end)))
   end)

   it("keeps it without one", function()
      assert.equal(100, (phase_after(400, 100, function(doc) return doc:rotate("y", 180):scale(2) end)))
   end)

   it("has it back after two, whole periods too", function()
      for _, phase in ipairs{ 0, 100, 399, 400, 1234 } do
         assert.equal(phase, (phase_after(400, phase, function(doc) return doc:mirror "x":mirror "x" end)))
      end
   end)

   it("rounds half of an odd period down, and warns", function()
      local phase, warnings = phase_after(401, 100)
      assert.equal(300, phase)
      assert.matches("period is odd", warnings[1].message)
      assert.equal(0, (phase_after(1, 0)))
   end)

   it("stays without a period or with a negative phase, and warns", function()
      for _, pair in ipairs{ { 0, 100 }, { -400, 100 }, { -32768, 5 }, { 400, -1 } } do
         local phase, warnings = phase_after(table.unpack(pair))
         assert.equal(pair[2], phase)
         assert.equal("object-setting", warnings[1].rule)
      end
   end)

   it("keeps its phase a positive number of 16 bits", function()
      local phase = phase_after(32766, 32767)
      assert.is_true(phase >= 0)
      assert.equal((32767 + 16383) % 32766, phase % 32766)
   end)
end)

-- Chain chomp -------------------------------------------------------------------------------------

describe("object 406 (wanwan), whose settings 4 and 5 are a place,", function()
   local function place_after(x, z, change)
      local doc = object(406, { 1, 2, 3, x, z, 6 })
      local settings = settings_after(doc, change)
      assert.same({ 1, 2, 3, 6 }, { settings[1], settings[2], settings[3], settings[6] })
      return { settings[4], settings[5] }, object_warnings(doc)
   end

   it("is mirrored like a point", function()
      assert.same({ -150, 320 }, (place_after(150, 320, mirror_x)))
      assert.same({ 150, -320 }, (place_after(150, 320, function(doc) return doc:mirror "z" end)))
      assert.same({ 50, 320 }, (place_after(150, 320, function(doc) return doc:mirror("x", { at = 1000 }) end)))
      assert.same({ 150, -321 }, (place_after(150, 320, function(doc) return doc:mirror("z", { at = -5 }) end)))
   end)

   it("is turned like a point", function()
      assert.same({ 320, -150 }, (place_after(150, 320, function(doc) return doc:rotate("y", 90) end)))
      assert.same({ -150, -320 }, (place_after(150, 320, function(doc) return doc:rotate("y", 180) end)))
   end)

   it("is scaled and moved like a point", function()
      assert.same({ 300, 640 }, (place_after(150, 320, function(doc) return doc:scale(2) end)))
      assert.same({ 300, 160 }, (place_after(150, 320, function(doc) return doc:scale{ 2, 9, 0.5 } end)))
      assert.same({ 160, 310 }, (place_after(150, 320, function(doc) return doc:translate{ 100, 999, -100 } end)))
   end)

   it("has a place below zero", function()
      assert.same({ 150, -320 }, (place_after(-150, -320, mirror_x)))
   end)

   it("takes the height of its object where the ground tilts", function()
      -- The object stands 20 high.
      local place = place_after(150, 320, function(doc) return doc:rotate("z", 90) end)
      assert.same({ -2, 320 }, place)
   end)

   it("stops at 16 bits, with a warning", function()
      local place, warnings = place_after(30000, -30000, function(doc) return doc:scale(2) end)
      assert.same({ 32767, -32768 }, place)
      assert.equal(2, #warnings)
      assert.matches("does not fit", warnings[1].message)
   end)
end)

-- Trucks and cars ---------------------------------------------------------------------------------

for _, id in ipairs{ 208, 209, 222 } do
   describe(("object %d (%s)"):format(id, kart.kmp.object_name(id)), function()
      local function document()
         local points = {}
         for i, value in ipairs{ 0, 1, 2, 3, 65535 } do points[i] = { speed = value, setting = 1 } end
         return kart.kmp.new{
            poti = { { points = { { speed = 1 }, { speed = 2 } } }, { points = points } },
            gobj = { { id = id, route = 2, settings = { 2, 1 } }, { id = 101, route = 1 } },
         }
      end

      local function blinkers(doc, route)
         local list = {}
         for i, point in ipairs(doc.poti[route].points) do list[i] = point.speed end
         return list
      end

      for _, change in ipairs(CHANGES) do
         it(("%s the blinkers of its route with %s"):format(change.reflects and "exchanges" or "keeps", change[1]),
            function()
               local doc = document()
               assert(change[2](doc))
               assert.same(change.reflects and { 0, 2, 1, 3, 65535 } or { 0, 1, 2, 3, 65535 }, blinkers(doc, 2))
               assert.same({ 1, 2 }, blinkers(doc, 1)) -- of another object: speeds
               for _, point in ipairs(doc.poti[2].points) do assert.equal(1, point.setting) end
            end)
      end

      it("keeps its own settings, the start point among them", function()
         local doc = document()
         assert(doc:mirror "x")
         assert.equal(2, doc.gobj[1].settings[1])
         assert.equal(1, doc.gobj[1].settings[2])
      end)

      it("may have no route, or one that doesn't exist", function()
         assert(kart.kmp.new{ gobj = { { id = id } } }:mirror "x")
         local doc = tools.open "references_out_of_range"
         doc.gobj[1].id = id
         assert(doc:mirror "x")
      end)
   end)
end

-- Bridge ------------------------------------------------------------------------------------------

describe("object 511 (TownBridgeDSc)", function()
   local function yaw_after(yaw, change)
      local doc = object(511, {}, { rotation = { 0, yaw, 0 } })
      assert(change(doc))
      return doc.gobj[1].rotation.y, object_warnings(doc)
   end

   it("has a yaw of the other sign after a mirror, at the right angle", function()
      for _, yaw in ipairs{ 35, -35, 120, -120, 1, -179 } do
         for axis, expected in pairs{ x = -yaw, z = 180 - yaw } do
            local new = yaw_after(yaw, function(doc) return doc:mirror(axis) end)
            assert(tools.angle_distance(expected, new) < 1e-5, new)
            assert.equal(yaw < 0, new > 0)
         end
      end
   end)

   it("keeps the sign of a yaw that isn't reflected", function()
      assert.equal(45, (yaw_after(35, function(doc) return doc:rotate("y", 10) end)))
   end)

   it("warns that its model has a side", function()
      local _, warnings = yaw_after(35, mirror_x)
      assert.equal("object-handed", warnings[1].rule)
      _, warnings = yaw_after(35, function(doc) return doc:rotate("y", 10):scale(2) end)
      assert.same({}, warnings)
   end)
end)

-- What can't be carried over ----------------------------------------------------------------------

for _, id in ipairs{ 206, 518, 516, 510, 514, 526, 524, 520 } do
   describe(("object %d (%s)"):format(id, kart.kmp.object_name(id)), function()
      for _, change in ipairs(CHANGES) do
         it((change.reflects and "warns about " or "has nothing against ") .. change[1], function()
            local doc = object(id, { 1, 1, 1, 1 })
            assert.same({ 1, 1, 1, 1, 0, 0, 0, 0 }, settings_after(doc, change[2]))
            local warning = tools.warning(doc, "object-handed")
            assert.equal(change.reflects, warning and true)
            if warning then
               assert.equal("gobj[1].id", warning.place)
               assert.matches(("(%d)"):format(id), warning.message, 1, true)
               assert.equal("warning", warning.severity)
            end
         end)
      end
   end)
end

for _, id in ipairs{ 602, 603 } do
   describe(("object %d (%s)"):format(id, kart.kmp.object_name(id)), function()
      it("warns about mirrors and turns: its direction sits in the collision", function()
         for i = 1, 7 do
            local doc = object(id)
            assert(CHANGES[i][2](doc))
            assert.matches("KCL flag", tools.warning(doc, "object-handed").message)
         end
      end)

      it("has nothing against a scale and a translation", function()
         local doc = object(id)
         assert(doc:scale(2):translate{ 1, 2, 3 })
         assert.same({}, object_warnings(doc))
      end)
   end)
end

-- Settings that say nothing of sides --------------------------------------------------------------

for id, what in pairs{ [234] = "a hidden route", [420] = "a hidden route", [201] = "a start point",
   [216] = "a start point", [20] = "ids of what it controls", [101] = "nothing of space", [0] = "no object",
   [999] = "an unknown object" } do
   it(("object %d keeps its settings, %s"):format(id, what), function()
      for _, change in ipairs(CHANGES) do
         local doc = object(id, { 1, 1, 1, 1, 1, 1, 1, 1 })
         assert.same({ 1, 1, 1, 1, 1, 1, 1, 1 }, settings_after(doc, change[2]))
         assert.same({}, object_warnings(doc))
      end
   end)
end

-- Ghost Valley blocks -----------------------------------------------------------------------------

describe("blocks of Ghost Valley, objects 316, 367 and 368,", function()
   local LOW_X, HIGH_X, LOW_Z, HIGH_Z = -30810, 8840, -21255, 16445

   local function blocks(...)
      local list = {}
      for i, place in ipairs{ ... } do
         list[i] = { id = ({ 316, 367, 368 })[i % 3 + 1], position = { place[1], 0, place[2] },
            rotation = { 0, place[3] or 0, 0 } }
      end
      return kart.kmp.new{ gobj = list }
   end

   it("may stand up to the ends of the grid", function()
      local doc = blocks({ LOW_X, LOW_Z }, { HIGH_X, HIGH_Z }, { 0, 0 })
      assert(doc:scale(1))
      assert.same({}, doc.warnings)
   end)

   it("leave the grid by a mirror on x at 0 where they stand far west, not where they stand east", function()
      local doc = blocks({ LOW_X, 0 })
      assert(doc:mirror "x")
      assert.equal("error", tools.warning(doc, "grid-outside").severity)
      doc = blocks({ HIGH_X, 0 })
      assert(doc:mirror "x")
      assert.same({}, doc.warnings)
   end)

   for _, row in ipairs{ { { LOW_X, 0 }, { -1, 0, 0 } }, { { HIGH_X, 0 }, { 1, 0, 0 } }, { { 0, LOW_Z }, { 0, 0, -1 } },
      { { 0, HIGH_Z }, { 0, 0, 1 } } } do
      it(("at %g, %g leave it by one unit"):format(row[1][1], row[1][2]), function()
         local doc = blocks({ 0, 0 }, row[1])
         assert(doc:translate(row[2]))
         local warning = tools.warning(doc, "grid-outside")
         assert.equal("error", warning.severity)
         assert.equal("gobj[2].position", warning.place)
         assert.matches("^1 of 2 blocks", warning.message)
      end)
   end

   it("that were outside before are no error of the change", function()
      local doc = blocks({ LOW_X - 10, 0, 45 }, { 0, 0 })
      assert(doc:translate{ 1, 0, 0 })
      assert.same({}, doc.warnings)
   end)

   -- The advised plane must do.
   local function check_advice(make, axis)
      local doc = make()
      assert(doc:mirror(axis))
      local warning = tools.warning(doc, "grid-outside")
      assert.equal("error", warning.severity)
      local advised_axis, at = warning.message:match "mirror at (%l) = (%-?%d+) instead"
      assert.equal(axis, advised_axis)
      doc = make()
      assert(doc:mirror(axis, { at = tonumber(at) }))
      assert.is_nil(tools.warning(doc, "grid-outside"))
      assert.is_nil(tools.warning(doc, "grid-turn"))
      return warning.message
   end

   it("come with a plane that keeps them inside, on x and on z", function()
      check_advice(function() return blocks({ -30000, 0 }, { -20000, 100 }) end, "x")
      check_advice(function() return blocks({ 0, -21000 }, { 0, -18000 }) end, "z")
      check_advice(function() return blocks({ LOW_X, 0 }, { HIGH_X, 0 }) end, "x")
   end)

   it("come without one where none would do", function()
      -- Their z leaves it, too, and a mirror on x can't help that.
      local doc = blocks({ -30000, 16000 }, { 0, 0 })
      assert(doc:transform(kart.matrix.translation{ 0, 0, 1000 } * kart.matrix.mirror "x"))
      assert.is_nil(tools.warning(doc, "grid-outside").message:find "instead")
   end)

   it("of a real course: 350 of 602 leave the grid, and the advised plane keeps them in", function()
      local path
      for _, candidate in ipairs(support.corpus("kmp", "kmp")) do
         if candidate:find "race_backrooms_modeltest" then path = candidate end
      end
      if not path then return support.skip "race_backrooms_modeltest.kmp is missing" end
      local message = check_advice(function() return assert(kart.open(path)) end, "x")
      assert.matches("^350 of 602 blocks", message)
   end)

   it("have yaws of 0, 90, 180 and -90 after mirrors and quarter turns", function()
      local allowed = { [0] = true, [90] = true, [180] = true, [-90] = true }
      for _, change in ipairs{ mirror_x, function(doc) return doc:mirror "z" end,
         function(doc) return doc:rotate("y", 90) end, function(doc) return doc:rotate("y", 180) end,
         function(doc) return doc:rotate("y", -90) end, function(doc) return doc:mirror "z":mirror "z" end,
         function(doc) return doc:mirror "z":rotate("y", 270):mirror "x" end } do
         local doc = blocks({ 0, 0, 0 }, { 0, 0, 90 }, { 0, 0, 180 }, { 0, 0, -90 }, { 0, 0, -0.0 })
         assert(change(doc))
         for _, block in ipairs(doc.gobj) do assert.is_true(allowed[block.rotation.y], block.rotation.y) end
         assert.is_nil(tools.warning(doc, "grid-turn"))
      end
   end)

   it("are an error at any other yaw", function()
      local doc = blocks({ 0, 0, 0 }, { 0, 0, 90 })
      assert(doc:rotate("y", 45))
      local warning = tools.warning(doc, "grid-turn")
      assert.equal("error", warning.severity)
      assert.equal("gobj[1].rotation", warning.place)
      assert.matches("^2 of 2 blocks", warning.message)
   end)

   it("turned by four quarters are where they were", function()
      local doc = blocks({ 0, 0, 0 }, { 0, 0, 90 }, { 0, 0, 180 }, { 0, 0, -90 })
      local bytes = doc:bytes()
      assert(doc:rotate("y", 90):rotate("y", 90):rotate("y", 90):rotate("y", 90))
      assert.is_true(doc:bytes() == bytes)
   end)

   it("are no matter to courses without them", function()
      local doc = object(101, {}, { position = { 1e6, 0, 1e6 }, rotation = { 0, 45, 0 } })
      assert(doc:mirror "x")
      assert.same({}, doc.warnings)
   end)
end)

-- The table ---------------------------------------------------------------------------------------

it("objects have the game's names", function()
   assert.equal("itembox", kart.kmp.object_name(101))
   assert.equal("wanwan", kart.kmp.object_name(406))
   assert.equal("itembox", kart.kmp.object_name(0x1000 + 101)) -- with LE-CODE's bits
   assert.is_nil(kart.kmp.object_name(0))
   assert.is_nil(kart.kmp.object_name(-1))
   assert.is_nil(kart.kmp.object_name(70000))
end)

it("camera types have names", function()
   assert.equal("goal", kart.kmp.camera_name(0))
   assert.equal("kart path follow", kart.kmp.camera_name(6))
   assert.is_nil(kart.kmp.camera_name(9))
   assert.is_nil(kart.kmp.camera_name(-1))
end)
