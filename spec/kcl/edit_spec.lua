local support = require "spec.support"
local tools = require "spec.kcl.tools"

-- An edit of a flag ------------------------------------------------------------------------------

-- Sets flags of some prisms and compares the bytes: two for each, at most, and all at one place of
-- their records.
local function check_edit(bytes, game)
   local doc <close> = assert(kart.kcl.parse(bytes, game))
   local count = #doc.prisms
   local step = math.max(1, count // 25)
   for number = 1, count, step do
      local prism = doc.prisms[number]
      local old = prism.flag
      prism.flag = old ~ 0xFFFF
      local changed = doc:bytes()
      local first, differing = tools.differences(bytes, changed)
      assert.equal(2, differing)
      assert.equal(bytes:sub(1, first) .. changed:sub(first + 1, first + 2) .. bytes:sub(first + 3), changed)
      local order = (doc.game == "mkw" or doc.game == "mk8" or doc.game == "smg") and ">" or "<"
      assert.equal(old ~ 0xFFFF, (string.unpack(order .. "I2", changed, first + 1)))
      local again <close> = assert(kart.kcl.parse(changed, doc.game))
      assert.equal(old ~ 0xFFFF, again.prisms[number].flag)
      prism.flag = old
      assert.is_true(doc:bytes() == bytes, "the old flag brings other bytes")
   end
end

describe("a flag is two bytes, and nothing else changes:", function()
   for _, name in ipairs(tools.names()) do
      if name ~= "none" and name ~= "none_v2" then
         it("the sample " .. name, function() check_edit(tools.bytes(name)) end)
      end
   end
   for _, file in ipairs(tools.corpus()) do
      if file.name:find "^arena_extra" or file.name:find "^race_orange" or file.folder == "kcl-other" then
         it(file.folder .. "/" .. file.name, function() check_edit(support.read(file.path)) end)
      end
   end
end)

describe("map_flags", function()
   it("changes the flags that its table has, and counts", function()
      local doc = tools.open "mkw"
      local before = {}
      for i, prism in ipairs(doc.prisms) do before[i] = prism.flag end
      local counts = {}
      for _, entry in ipairs(doc:flags()) do counts[entry.flag] = entry.count end
      assert.equal(counts[0x0000] + counts[0x0082], doc:map_flags{ [0x0000] = 0x0017, [0x0082] = 3, [0x7777] = 1 })
      for i, prism in ipairs(doc.prisms) do
         assert.equal(({ [0] = 0x17, [0x82] = 3 })[before[i]] or before[i], prism.flag)
      end
      assert.equal(0, doc:map_flags{ [0x0017] = 0x0017 })
      assert.equal(0, doc:map_flags{})
   end)

   it("is simultaneous: flags can be exchanged", function()
      local doc = tools.open "mkw"
      assert.equal(doc:map_flags{ [0x0000] = 0x0006, [0x0006] = 0x0000 },
         doc:map_flags{ [0x0000] = 0x0006, [0x0006] = 0x0000 })
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)

   it("takes whole numbers from 0 to 65535, and changes nothing else before it raises", function()
      for _, map in ipairs{ { [0] = 65536 }, { [0] = -1 }, { [65536] = 1 }, { [0] = 1.5 }, { [0] = "road" },
         { a = 1 } } do
         local doc = tools.open "mkw"
         assert.error(function() doc:map_flags(map) end)
         assert.is_true(doc:bytes() == tools.bytes "mkw")
      end
      assert.error(function() tools.open("mkw"):map_flags() end)
   end)
end)

it("flags lists what occurs, ascending, with counts and areas", function()
   local doc = tools.open "race"
   local count, area, last = 0, 0, -1
   for _, entry in ipairs(doc:flags()) do
      assert.is_true(entry.flag > last and entry.count > 0 and entry.area > 0)
      count, area, last = count + entry.count, area + entry.area, entry.flag
   end
   assert.equal(#doc.prisms, count)
   assert.is_true(math.abs(area / doc:stats().area - 1) < 1e-9)
   -- A degenerate prism counts, but has no area.
   for _, entry in ipairs(tools.open("not_finite"):flags()) do assert.is_true(entry.area - entry.area == 0) end
end)

-- Views --------------------------------------------------------------------------------------------

describe("a prism", function()
   it("is a view: two of them are equal and see each other's edits", function()
      local doc = tools.open "mkw"
      local a, b = doc.prisms[3], doc.prisms[3]
      assert.is_true(a == b)
      assert.is_false(a == doc.prisms[4])
      a.flag = 0xABCD
      assert.equal(0xABCD, b.flag)
      assert.is_false(a == doc:clone().prisms[3])
      assert.is_true(doc.prisms == doc.prisms)
      assert.is_false(doc.prisms == doc:clone().prisms)
   end)

   it("has the fields of the file", function()
      local prism = tools.open("mkw").prisms[1]
      assert.equal(1, prism.index)
      assert.equal(1, prism.model)
      assert.equal(0, prism.flag)
      assert.equal(kart.vec(0, 0, 0), prism.position)
      assert.is_true(prism.height > 0 and prism.area > 0)
      assert.equal("prisms[1]", tostring(prism))
      assert.equal("prism", kart.type(prism))
      for _, name in ipairs{ "face_normal", "ca_normal", "ab_normal", "bc_normal" } do
         local n = prism[name]
         assert.is_true(math.abs(n.x ^ 2 + n.y ^ 2 + n.z ^ 2 - 1) < 1e-5, name)
      end
      assert.is_nil(prism.problem)
   end)

   it("raises for fields that there aren't, and for assigning others than the flag", function()
      local prism = tools.open("mkw").prisms[2]
      assert.error_matches(function() return prism.colour end, "colour")
      for _, name in ipairs{ "height", "position", "corners", "face_normal", "index", "fla", "flags", "colour" } do
         assert.error_matches(function() prism[name] = 1 end, "prisms%[2%]%." .. name .. " can't be assigned")
      end
   end)

   it("takes flags from 0 to 65535", function()
      local doc = tools.open "mkw"
      for _, value in ipairs{ -1, 65536, 1.5, "3", "road", {}, true, 0 / 0, math.huge } do
         assert.error_matches(function() doc.prisms[1].flag = value end, "prisms%[1%]%.flag: expected 0 to 65535")
      end
      assert.error(function() doc.prisms[1].flag = nil end)
      assert.is_true(doc:bytes() == tools.bytes "mkw")
      doc.prisms[1].flag = 65535.0
      assert.equal(65535, doc.prisms[1].flag)
      assert.equal("integer", math.type(doc.prisms[1].flag))
   end)
end)

describe("the list of prisms", function()
   it("has a length, and nothing beyond its ends", function()
      local prisms = tools.open("mkw").prisms
      assert.equal(24, #prisms)
      assert.equal(0, #tools.open("none").prisms)
      for _, index in ipairs{ 0, -1, 25, 2 ^ 40, math.mininteger, math.maxinteger } do assert.is_nil(prisms[index]) end
      assert.equal(prisms[1], prisms[1.0])
      local count = 0
      for i, prism in ipairs(prisms) do
         count = count + 1
         assert.equal(i, prism.index)
      end
      assert.equal(24, count)
      assert.equal("prisms: 24", tostring(prisms))
   end)

   it("can't be assigned, and has no fields", function()
      local prisms = tools.open("mkw").prisms
      assert.error_matches(function() prisms[1] = prisms[2] end, "can't be assigned")
      assert.error_matches(function() prisms[25] = {} end, "can't be assigned")
      assert.error_matches(function() return prisms.first end, "no field 'first'")
      assert.error_matches(function() return prisms["1"] end, "no field '1'")
   end)
end)

-- Documents ----------------------------------------------------------------------------------------

describe("a document", function()
   it("has a clone of its own", function()
      local doc = tools.open "mk8_models"
      local copy = doc:clone()
      copy.prisms[1].flag = 0x7777
      copy:mirror "x"
      assert.is_true(doc:bytes() == tools.bytes "mk8_models")
      doc.prisms[2].flag = 0x6666
      assert.are_not.equal(0x6666, copy.prisms[2].flag)
      assert.equal(0x7777, copy.prisms[1].flag)
   end)

   it("raises when it is used after close, through views, too", function()
      local doc = tools.open "mkw"
      local prisms, prism = doc.prisms, doc.prisms[1]
      doc:close()
      doc:close()
      for _, use in ipairs{ function() return doc.prisms end, function() return #prisms end,
         function() return prisms[1] end, function() return prism.flag end, function() prism.flag = 1 end,
         function() return doc:stats() end, function() return doc:check() end, function() return doc:bytes() end,
         function() return doc:mirror "x" end, function() return doc.warnings end, function() return doc:flags() end,
         function() return doc:map_flags{} end } do
         assert.error_matches(use, "closed")
      end
      assert.equal("kcl (closed)", tostring(doc))
   end)

   it("can't be assigned", function()
      local doc = tools.open "mkw"
      for _, name in ipairs{ "game", "prisms", "stale", "anything" } do
         assert.error_matches(function() doc[name] = 1 end, "kcl%." .. name .. " can't be assigned")
      end
      assert.error(function() return doc.anything end)
   end)

   it("takes no option that it has no use for", function()
      local doc = tools.open "mkw"
      local calls = {
         at = function(options) return doc:mirror("x", options) end,
         origin = function(options) return doc:rotate("y", 90, options) end,
      }
      for known, call in pairs(calls) do
         for _, name in ipairs{ "at", "origin", "height", "scale_speeds", "scale_objects" } do
            if name ~= known then
               assert.error_matches(function() call{ [name] = 1 } end, "unknown option '" .. name .. "' of a kcl")
            end
         end
      end
      for _, name in ipairs{ "scale_speeds", "scale_objects", "height" } do
         local text = "unknown option '" .. name .. "' of a kcl"
         assert.error_matches(function() doc:scale(2, { [name] = true }) end, text)
         assert.error_matches(function() doc:transform(kart.matrix.identity(), { [name] = true }) end, text)
      end
      assert.error_matches(function() doc:translate({ 64, 0, 0 }, { origin = { 0, 0, 0 } }) end, "'origin' of a kcl")
      assert.error(function() doc:translate({ 64, 0, 0 }, 5) end)
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)

   it("says what it is", function()
      assert.equal("kcl (mkw, 24 prisms)", tostring(tools.open "mkw"))
      assert.equal("kcl (mk8dx?, 24 prisms)", tostring(tools.open "mk8dx"))
      assert.equal("kcl", kart.type(tools.open "mkw"))
   end)

   it("lives as long as a view of it", function()
      local function view(name) return tools.open(name).prisms end
      local prisms = view "race"
      local prism = view "mkw"[2]
      collectgarbage()
      collectgarbage()
      assert.is_true(#prisms > 300)
      prism.flag = 77
      assert.equal(77, prism.flag)
      assert.equal(kart.vec(0, 0, 0), prism.position)
      local weak = setmetatable({}, { __mode = "k" })
      for _ = 1, 20 do weak[tools.open "mkw"] = true end
      collectgarbage()
      collectgarbage()
      assert.is_nil(next(weak))
   end)
end)
