local kmpfile = require "samples.kmpfile"
local lfs = require "lfs"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

-- A document with a bit of everything, new for each test.
local function document()
   return kart.kmp.new{
      ktpt = { { player = -1 } },
      enpt = { {}, {}, {} }, enph = { { start = 1, length = 3, next = { 1, nil, 1 } } },
      ckpt = { { respawn = 2, type = 0, next = 2 }, { prev = 1 } }, ckph = { { start = 1, length = 2 } },
      jgpt = { { id = 5 }, { id = 9 } },
      gobj = { { id = 101, settings = { 1, 2, 3, 4, 5, 6, 7, 8 }, position = { 1, 2, 3 } }, { id = 405, route = 2 } },
      poti = { { points = {} }, { smooth = 1, points = { { position = { 7, 8, 9 }, speed = 3 }, { speed = 4 } } } },
      came = { opening = 2, {}, { type = 5, route = 2, next = 1 } },
      area = { { type = 0, camera = 2 } },
      stgi = { { laps = 3, flare_color = { 1, 2, 3 }, speed_factor = 1.5 } },
   }
end

-- Sections ----------------------------------------------------------------------------------------

describe("sections", function()
   it("count their records, and are empty where there is none", function()
      local doc = document()
      assert.equal(2, #doc.ckpt)
      assert.equal(0, #doc.mspt)
   end)

   it("are nil where the file has no such section", function()
      local doc = tools.open "sections_missing"
      assert.is_nil(doc.mspt)
      assert.equal(4, #doc.enpt)
      assert.is_nil(document().glpt)
      assert.equal(1, #tools.open("mk7").glpt)
   end)

   it("give records by number, nil outside", function()
      local doc = document()
      assert.equal(9, doc.jgpt[2].id)
      for _, number in ipairs{ 0, 3, -1, 1000000, math.maxinteger, math.mininteger } do
         assert.is_nil(doc.jgpt[number])
      end
   end)

   it("take a whole number whatever its type", function() assert.equal(9, document().jgpt[2.0].id) end)

   it("are walked by ipairs", function()
      local ids = {}
      for i, record in ipairs(document().jgpt) do ids[i] = record.id end
      assert.same({ 5, 9 }, ids)
   end)

   it("have a name and a text", function()
      local doc = document()
      assert.equal("ckpt", doc.ckpt.name)
      assert.equal("ckpt: 2 records", tostring(doc.ckpt))
      assert.equal("ktpt: 1 record", tostring(doc.ktpt))
      assert.equal("section", kart.type(doc.ckpt))
   end)

   it("are equal when they are the same section of the same document", function()
      local doc = document()
      assert.is_true(doc.ckpt == doc.ckpt)
      assert.is_false(doc.ckpt == doc.ckph)
      assert.is_false(doc.ckpt == doc:clone().ckpt)
      assert.is_true(doc.poti[2].points == doc.poti[2].points)
      assert.is_false(doc.poti[1].points == doc.poti[2].points)
   end)

   it("have the fields of their header", function()
      local doc = document()
      assert.equal(2, doc.came.opening)
      assert.is_nil(doc.came.selection)
      doc.came.opening = doc.came[1]
      assert.equal(1, doc.came.opening)
      doc.came.opening = nil
      assert.is_nil(doc.came.opening)
      assert.error_matches(function() doc.came.opening = 3 end, "came.opening: expected 1 to 2.*got 3")
      assert.equal(9 + 1, tools.open("first_cameras_out_of_range").came.opening)
   end)

   it("raise for fields they don't have and for assigned records", function()
      local doc = document()
      assert.error_matches(function() return doc.gobj.opening end, "gobj has no field 'opening'")
      assert.error_matches(function() doc.gobj.opening = 1 end, "gobj has no field 'opening'")
      assert.error_matches(function() doc.gobj[1] = {} end, "gobj%[1%]: a record can't be assigned")
   end)

   it("say that insert, remove and move are still to come", function()
      local doc = document()
      for _, method in ipairs{ "insert", "remove", "move" } do
         local section = doc.gobj
         assert.error_matches(function() section[method](section, { id = 1 }) end, "gobj: .*kart.kmp.new")
         local points = doc.poti[2].points
         assert.error_matches(function() points[method](points, {}) end, "kart.kmp.new")
      end
   end)

   it("are listed in file order, unknown ones too", function()
      local names = {}
      for i, entry in ipairs(tools.open("section_unknown_first"):sections()) do
         names[i] = entry.name or entry.magic
         assert.equal(names[i] ~= "XYZ0", entry.known)
      end
      assert.equal("XYZ0 ktpt enpt", table.concat(names, " ", 1, 3))
      assert.equal(16, #names)
   end)
end)

-- Records -----------------------------------------------------------------------------------------

describe("records", function()
   it("have their fields", function()
      local object = document().gobj[1]
      assert.equal(101, object.id)
      assert.equal(kart.vec(1, 2, 3), object.position)
      assert.equal("integer", math.type(object.id))
      assert.equal("vec", kart.type(object.position))
   end)

   it("know their number and show it", function()
      local doc = document()
      assert.equal(2, doc.gobj[2].index)
      assert.equal("gobj[2]", tostring(doc.gobj[2]))
      assert.equal("poti[2].points[1]", tostring(doc.poti[2].points[1]))
      assert.equal(2, doc.poti[2].points[2].index)
   end)

   it("are equal when they are the same record", function()
      local doc = document()
      assert.is_true(doc.gobj[1] == doc.gobj[1])
      assert.is_false(doc.gobj[1] == doc.gobj[2])
      assert.is_false(doc.gobj[1] == doc.jgpt[1])
      assert.is_false(doc.gobj[1] == doc:clone().gobj[1])
      assert.is_false(doc.gobj[1] == 1)
   end)

   it("are views: one sees what another has changed", function()
      local doc = document()
      local a, b = doc.gobj[1], doc.gobj[1]
      a.id = 7
      assert.equal(7, b.id)
   end)

   it("give their fields in file order to pairs", function()
      local names = {}
      for name in pairs(document().jgpt[1]) do names[#names + 1] = name end
      assert.same({ "position", "rotation", "id", "range" }, names)
   end)

   it("raise for fields they don't have, and name themselves", function()
      local doc = document()
      assert.error_matches(function() return doc.gobj[2].camera end, "gobj%[2%] has no field 'camera'")
      assert.error_matches(function() doc.gobj[2].camera = 1 end, "gobj%[2%] has no field 'camera'")
      assert.error_matches(function() return doc.gobj[2][1] end, "gobj%[2%] has no field '1'")
      assert.error_matches(function() return doc.gobj[2]:raw "camera" end, "no field 'camera'")
      assert.error_matches(function() return tools.open("version_1600").ktpt[1].player end, "ktpt%[1%] has no field")
   end)

   it("of routes have points and their number", function()
      local doc = document()
      assert.equal(2, #doc.poti[2])
      assert.equal(2, #doc.poti[2].points)
      assert.equal(0, #doc.poti[1].points)
      assert.equal(2, doc.poti[2].length)
      assert.equal(3, doc.poti[2].points[1].speed)
      assert.is_nil(doc.poti[1].points[1])
      assert.error_matches(function() doc.poti[2].length = 3 end, "poti%[2%].length: read%-only")
      assert.error_matches(function() return #doc.gobj[1] end, "gobj%[1%] has no length")
   end)
end)

-- Numbers -----------------------------------------------------------------------------------------

describe("integers", function()
   it("are checked against their range, and the message names the field", function()
      local doc = document()
      for _, case in ipairs{ { "gobj", "id", 65536, "0 to 65535" }, { "gobj", "id", -1, "0 to 65535" },
         { "ktpt", "player", 32768, "%-32768 to 32767" }, { "stgi", "laps", 256, "0 to 255" },
         { "ckpt", "type", 256, "%-128 to 255" }, { "enpt", "setting_1", 65536, "0 to 65535" } } do
         local section, field, value, range = table.unpack(case)
         assert.error_matches(function() doc[section][1][field] = value end,
            ("^%s%%[1%%]%%.%s: expected %s, got .%%d+$"):format(section, field, range))
      end
   end)

   it("take the ends of their range", function()
      local doc = document()
      for value, read in pairs{ [0] = 0, [255] = -1, [-128] = -128, [127] = 127 } do
         doc.ckpt[1].type = value
         assert.equal(read, doc.ckpt[1].type)
      end
   end)

   it("must be whole numbers", function()
      local object = document().gobj[1]
      for _, value in ipairs{ 1.5, "1", true, {}, 0 / 0, math.huge } do
         assert.error_matches(function() object.id = value end, "gobj%[1%]%.id: expected 0 to 65535")
      end
      assert.error_matches(function() object.id = nil end, "gobj%[1%]%.id: expected")
      object.id = 3.0
      assert.equal(3, object.id)
   end)
end)

describe("floats", function()
   it("must be finite, also as the float of the file", function()
      local doc = document()
      for _, value in ipairs{ 0 / 0, math.huge, -math.huge, 1e39, "1", true } do
         assert.error_matches(function() doc.enpt[1].width = value end, "enpt%[1%]%.width: expected a finite number")
      end
      doc.enpt[1].width = 5
      assert.equal(5.0, doc.enpt[1].width)
   end)

   it("are rounded to what the file holds", function()
      local doc = document()
      doc.enpt[1].width = 0.1
      assert.equal(tools.float(0.1), doc.enpt[1].width)
   end)

   it("of 16 bits are the nearest that fits", function()
      local stage = document().stgi[1]
      assert.equal(1.5, stage.speed_factor)
      assert.equal(1.5, stage:raw "speed_factor")
      stage.speed_factor = 1.001
      assert.equal(1.0, stage.speed_factor)
      stage.speed_factor = 1.25
      assert.equal(1.25, stage.speed_factor)
   end)
end)

describe("vectors", function()
   it("are assigned as vec, {x, y, z} or {x =, y =, z =}", function()
      local object = document().gobj[1]
      for _, value in ipairs{ kart.vec(4, 5, 6), { 4, 5, 6 }, { x = 4, y = 5, z = 6 } } do
         object.position = { 0, 0, 0 }
         object.position = value
         assert.equal(kart.vec(4, 5, 6), object.position)
      end
   end)

   it("without a height are assigned as {x, z} too, and read with y = 0", function()
      local point = document().ckpt[1]
      for _, value in ipairs{ kart.vec(4, 5, 6), { 4, 6 }, { 4, 5, 6 }, { x = 4, z = 6 }, { x = 4, y = 1, z = 6 } } do
         point.left = { 0, 0 }
         point.left = value
         assert.equal(kart.vec(4, 0, 6), point.left)
      end
   end)

   it("are refused with the field's name where they are none", function()
      local doc = document()
      for _, value in ipairs{ 5, "up", {}, { 1, 2 }, { 1, 2, "3" }, { 1, 2, 0 / 0 }, { 1, 2, math.huge },
         { 1, 2, 1e39 } } do
         assert.error_matches(function() doc.gobj[1].position = value end, "gobj%[1%]%.position: expected")
      end
      assert.error_matches(function() doc.gobj[1].position = nil end, "gobj%[1%]%.position: expected")
      assert.error_matches(function() doc.ckpt[1].left = { 1 } end, "ckpt%[1%]%.left: expected")
      assert.equal(kart.vec(1, 2, 3), doc.gobj[1].position)
   end)

   it("can't be changed in place, and say what to do", function()
      local doc = document()
      assert.error_matches(function() doc.gobj[1].position.x = 5 end, "assign a new one.*record.position = ")
      assert.equal(kart.vec(1, 2, 3), doc.gobj[1].position)
      assert.error_matches(function() kart.vec(1, 2, 3).w = 5 end, "can't be changed")
      assert.error_matches(function() return kart.vec(1, 2, 3).w end, "vec has no field 'w'")
   end)

   it("calculate", function()
      local v = kart.vec(1, 2, 3)
      assert.equal(kart.vec(2, 3, 4), v + { 1, 1, 1 })
      assert.equal(kart.vec(2, 3, 4), { 1, 1, 1 } + v)
      assert.equal(kart.vec(0, 1, 2), v - kart.vec(1, 1, 1))
      assert.equal(kart.vec(2, 4, 6), 2 * v)
      assert.equal(kart.vec(2, 4, 6), v * 2)
      assert.equal(kart.vec(1, 4, 9), v * v)
      assert.equal(kart.vec(0.5, 1, 1.5), v / 2)
      assert.equal(kart.vec(-1, -2, -3), -v)
      assert.equal(14.0, v:dot(v))
      assert.equal(kart.vec(0, 3, -2), v:cross{ 1, 0, 0 })
      assert.equal(5.0, kart.vec(3, 0, 4):length())
      assert.same({ 1.0, 2.0, 3.0 }, { v:unpack() })
      assert.error_matches(function() return v / 0 end, "by zero")
   end)

   it("show the shortest numbers that read back", function()
      assert.equal("(100, -0.5, 0.1)", tostring(kart.vec(100, -0.5, 0.1)))
      assert.equal("(12345678, 0, 1e+20)", tostring(kart.vec(12345678, 0, 1e20)))
   end)

   it("are made of finite numbers", function()
      assert.error(function() kart.vec(1, 2) end)
      assert.error(function() kart.vec(1, 2, 0 / 0) end)
      assert.error(function() kart.vec{ 1, 2, math.huge } end)
      assert.error(function() kart.vec "1, 2, 3" end)
      assert.equal(kart.vec(1, 2, 3), kart.vec{ x = 1, y = 2, z = 3 })
   end)
end)

describe("angles of Mario Kart 7", function()
   it("are degrees, and keep their bytes unless they are assigned", function()
      local doc = tools.open "mk7"
      assert(math.abs(doc.gobj[1].rotation.y - 90) < 1e-5)
      local bytes = doc:bytes()
      doc.gobj[1].rotation = doc.gobj[1].rotation
      assert.is_true(doc:bytes() == bytes)
      doc.gobj[1].rotation = { 0, 45, 0 }
      assert(math.abs(doc.gobj[1]:raw("rotation")[2] - math.pi / 4) < 1e-6)
   end)
end)

-- Lists -------------------------------------------------------------------------------------------

describe("lists in records", function()
   it("have places by number, nil outside", function()
      local settings = document().gobj[1].settings
      assert.equal(8, #settings)
      assert.equal(3, settings[3])
      assert.is_nil(settings[0])
      assert.is_nil(settings[9])
      assert.equal("{1, 2, 3, 4, 5, 6, 7, 8}", tostring(settings))
      assert.equal("{1, nil, 1, nil, nil, nil}", tostring(document().enph[1].next))
   end)

   it("are read unsigned and take both notations", function()
      local settings = document().gobj[1].settings
      settings[1], settings[2] = -1, 65535
      assert.equal(65535, settings[1])
      assert.equal(65535, settings[2])
      settings[1] = -32768
      assert.equal(32768, settings[1])
   end)

   it("raise out of range, and name the place", function()
      local settings = document().gobj[1].settings
      assert.error_matches(function() settings[2] = 65536 end, "gobj%[1%].settings%[2%]: expected %-32768 to 65535")
      assert.error_matches(function() settings[2] = -32769 end, "gobj%[1%].settings%[2%]")
      assert.error_matches(function() settings[9] = 1 end, "gobj%[1%].settings .*not 9")
      assert.error(function() settings.x = 1 end)
   end)

   it("are assigned whole from tables and from other lists; what is left out stays", function()
      local doc = document()
      doc.gobj[1].settings = { 9, nil, 7 }
      assert.equal("{9, 2, 7, 4, 5, 6, 7, 8}", tostring(doc.gobj[1].settings))
      doc.gobj[2].settings = doc.gobj[1].settings
      assert.equal("{9, 2, 7, 4, 5, 6, 7, 8}", tostring(doc.gobj[2].settings))
      doc.stgi[1].flare_color = { 255, 128, 0 }
      assert.equal("{255, 128, 0}", tostring(doc.stgi[1].flare_color))
   end)

   it("of references are assigned whole: what is left out is none", function()
      local doc = document()
      doc.enph[1].next = { nil, 1 }
      assert.equal("{nil, 1, nil, nil, nil, nil}", tostring(doc.enph[1].next))
      doc.enph[1].next = {}
      assert.same({ 255, 255, 255, 255, 255, 255 }, doc.enph[1]:raw "next")
   end)

   it("are not touched by an assignment that fails in the middle", function()
      local doc = document()
      assert.error_matches(function() doc.gobj[1].settings = { 100, 200, 70000 } end, "gobj%[1%].settings%[3%]")
      assert.error_matches(function() doc.gobj[1].settings = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } end, "more than 8 values")
      assert.error_matches(function() doc.gobj[1].settings = 5 end, "gobj%[1%].settings")
      assert.equal("{1, 2, 3, 4, 5, 6, 7, 8}", tostring(doc.gobj[1].settings))
   end)
end)

-- References --------------------------------------------------------------------------------------

describe("references", function()
   it("count from 1, raw numbers from 0", function()
      local point = document().ckpt[1]
      assert.equal(2, point.respawn)
      assert.equal(1, point:raw "respawn")
      assert.equal("jgpt[2]", tostring(point:target "respawn"))
   end)

   it("are nil for none, by the size of the field", function()
      local doc = document()
      assert.is_nil(doc.ckpt[2].respawn)
      assert.is_nil(doc.ckpt[2]:target "respawn")
      assert.equal(0xFF, doc.ckpt[2]:raw "respawn")
      assert.equal(0xFFFF, doc.gobj[1]:raw "route")
      assert.equal(-1, tools.open("mk7").enph[1]:raw("next")[2])
   end)

   it("take a number, a record or nil", function()
      local doc = document()
      doc.gobj[1].route = 1
      assert.equal(0, doc.gobj[1]:raw "route")
      doc.gobj[1].route = doc.poti[2]
      assert.equal(2, doc.gobj[1].route)
      doc.gobj[1].route = nil
      assert.is_nil(doc.gobj[1].route)
      doc.enph[1].next[6] = doc.enph[1]
      assert.equal(1, doc.enph[1].next[6])
   end)

   it("are refused out of range, with the records there are", function()
      local doc = document()
      for _, value in ipairs{ 0, 3, -1, 1.5, "1", true } do
         assert.error_matches(function() doc.ckpt[1].respawn = value end,
            "ckpt%[1%].respawn: expected 1 to 2, a record or nil")
      end
      assert.error_matches(function() doc.enph[1].next[2] = 2 end, "enph%[1%].next%[2%]: expected 1 to 1")
      assert.error_matches(function() doc.enph[1].start = nil end, "enph%[1%].start: expected")
   end)

   it("are refused to records of another section or document", function()
      local doc = document()
      assert.error_matches(function() doc.ckpt[1].respawn = doc.gobj[1] end, "expected a record of jgpt, got gobj%[1%]")
      assert.error_matches(function() doc.ckpt[1].respawn = doc:clone().jgpt[1] end, "of the same document")
   end)

   it("out of range stay numbers, and the document warns", function()
      local doc = tools.open "references_out_of_range"
      assert.equal(0x63 + 1, doc.ckpt[1].respawn)
      assert.equal(0x1234 + 1, doc.gobj[1].route)
      assert.is_nil(doc.ckpt[1]:target "respawn")
      local places = {}
      for i, warning in ipairs(doc.warnings) do
         assert.equal("reference-range", warning.rule)
         places[i] = warning.place
      end
      table.sort(places)
      assert.same({ "ckpt[1].respawn", "enph[1].next", "gobj[1].route", "itph[1].start" }, places)
      for _, warning in ipairs(doc.warnings) do
         if warning.section == "ckpt" then assert.matches("jgpt record 100, there are 2", warning.message) end
      end
   end)

   it("in a section's header warn likewise", function()
      local doc = tools.open "first_cameras_out_of_range"
      assert.matches("^came", tools.warning(doc, "reference-range").place)
   end)

   it("that mean nothing in a record don't warn", function()
      -- The camera of an area that is no camera area, the route of a camera that has none.
      local file = kmpfile.split(kart.kmp.new{ area = { { type = 1 } }, came = { { type = 1 } } }:bytes())
      kmpfile.patch(kmpfile.section(file, "AREA"), 8 + 2, "\x20")
      kmpfile.patch(kmpfile.section(file, "CAME"), 8 + 3, "\x20")
      assert.same({}, assert(kart.kmp.parse(kmpfile.join(file))).warnings)
   end)

   it("in lists lead to their record by place", function()
      local group = document().enph[1]
      assert.equal("enph[1]", tostring(group:target("next", 3)))
      assert.is_nil(group:target("next", 2))
      assert.error(function() group:target("next", 7) end)
      assert.error_matches(function() group:target "length" end, "enph%[1%].length is no reference")
   end)
end)

describe("raw", function()
   it("is the number of the file, a table of them for lists and vectors", function()
      local doc = document()
      assert.equal(101, doc.gobj[1]:raw "id")
      assert.same({ 1.0, 2.0, 3.0 }, doc.gobj[1]:raw "position")
      assert.same({ 1, 2, 3, 4, 5, 6, 7, 8 }, doc.gobj[1]:raw "settings")
      assert.same({ 0, 255, 0, 255, 255, 255 }, doc.enph[1]:raw "next")
   end)
end)

-- Documents ---------------------------------------------------------------------------------------

describe("documents", function()
   it("tell what they are", function()
      local doc = document()
      assert.equal("mkw", doc.game)
      assert.equal(2520, doc.version)
      assert.is_false(doc.guessed)
      assert.is_false(doc.battle)
      assert.is_true(tools.open("arena").battle)
      assert.equal("mk7", tools.open("mk7").game)
      assert.equal("kmp", kart.type(doc))
      assert.equal("kmp (mkw, race, version 2520)", tostring(doc))
      assert.equal("kmp (mkw, battle, version 2520)", tostring(tools.open "arena"))
   end)

   it("raise for fields they don't have and for assignments", function()
      local doc = document()
      assert.error_matches(function() return doc.objects end, "kmp has no field 'objects'")
      assert.error_matches(function() doc.gobj = {} end, "can't be assigned")
      assert.error_matches(function() doc.note = 1 end, "can't be assigned")
   end)

   it("are independent of their clones", function()
      local doc = document()
      local clone = doc:clone()
      clone.gobj[1].id = 7
      doc.jgpt[1].id = 8
      assert.equal(101, doc.gobj[1].id)
      assert.equal(5, clone.jgpt[1].id)
      doc:close()
      assert.equal(7, clone.gobj[1].id)
   end)

   it("can be closed, more than once; then all views raise", function()
      local doc = document()
      local record, point = doc.gobj[1], doc.poti[2].points[1]
      local views = { function() return #doc.gobj end, function() return record.id end, function() record.id = 1 end,
         function() return point.speed end, function() return record:raw "id" end,
         function() return record:target "route" end, function() return tostring(record) end,
         function() return doc:bytes() end, function() return doc:clone() end, function() return doc.warnings end,
         function() return doc:simulate_laps{} end, function() return doc:save "x" end }
      local section, settings, position = doc.gobj, record.settings, record.position
      views[#views + 1] = function() return #section end
      views[#views + 1] = function() return section[1] end
      views[#views + 1] = function() return settings[1] end
      views[#views + 1] = function() settings[1] = 1 end
      doc:close()
      doc:close()
      for i, view in ipairs(views) do assert.error_matches(view, "the document is closed", nil, nil, i) end
      assert.equal("kmp (closed)", tostring(doc))
      assert.equal(kart.vec(1, 2, 3), position) -- a value, not a view
   end)

   it("are closed at the end of their block", function()
      local record
      do
         local doc <close> = document()
         record = doc.gobj[1]
      end
      assert.error_matches(function() return record.id end, "closed")
   end)

   it("can't lose their metatable", function()
      assert.equal("string", type(getmetatable(document())))
      assert.error(function() setmetatable(document(), {}) end)
   end)

   it("keep record views across an operation that adds records", function()
      local doc = tools.open "race"
      local object, point = doc.gobj[1], doc.poti[9].points[2]
      local x = point.position.z
      assert(doc:mirror "z") -- splits a route
      assert.equal("gobj[1]", tostring(object))
      assert.equal(-x, point.position.z)
      assert.equal(10, #doc.poti)
   end)

   it("give an array of warnings with places and texts", function()
      local doc = tools.open "length_0"
      assert.equal(1, #doc.warnings)
      local warning = doc.warnings[1]
      assert.equal("file-length", warning.rule)
      assert.equal("warning", warning.severity)
      assert.equal("", warning.place)
      assert.matches("^warning: length word says 0", tostring(warning))
   end)
end)

describe("kart.type", function()
   it("names our own types, and nothing else", function()
      local doc = document()
      for noun, value in pairs{ kmp = doc, section = doc.gobj, record = doc.gobj[1], values = doc.gobj[1].settings,
         vec = doc.gobj[1].position, matrix = kart.matrix.identity() } do
         assert.equal(noun, kart.type(value))
      end
      for _, value in ipairs{ 1, "kmp", {}, true, print, io.stdout } do assert.is_nil(kart.type(value)) end
      assert.is_nil(kart.type(nil))
   end)
end)

-- kart.kmp.new ------------------------------------------------------------------------------------

describe("kart.kmp.new", function()
   it("makes a document that opens and has every section of its version", function()
      local doc = assert(kart.kmp.parse(kart.kmp.new{}:bytes()))
      assert.equal(15, #doc:sections())
      assert.same({}, doc.warnings)
      assert.equal(18, #assert(kart.kmp.parse(kart.kmp.new{ game = "mk7" }:bytes())):sections())
   end)

   it("fills what it isn't told: no references, scales of 1", function()
      local doc = kart.kmp.new{ gobj = { {} }, ckpt = { {} }, came = { {} } }
      assert.is_nil(doc.gobj[1].route)
      assert.equal(kart.vec(1, 1, 1), doc.gobj[1].scale)
      assert.is_nil(doc.ckpt[1].respawn)
      assert.is_nil(doc.came.opening)
   end)

   it("raises for sections, fields and values that aren't any", function()
      assert.error_matches(function() kart.kmp.new{ objects = {} } end, "no section 'objects'")
      assert.error_matches(function() kart.kmp.new{ gobj = 5 } end, "gobj: expected a list of records, got number")
      assert.error_matches(function() kart.kmp.new{ gobj = { { name = 1 } } } end, "gobj%[1%] has no field 'name'")
      assert.error_matches(function() kart.kmp.new{ gobj = { { id = -1 } } } end, "gobj%[1%].id: expected 0 to 65535")
      assert.error(function() kart.kmp.new{ game = "mk64" } end)
      assert.error(function() kart.kmp.new() end)
   end)

   it("takes as many records as a file's count can tell", function()
      local records = {}
      for i = 1, 65535 do records[i] = {} end
      assert.equal(65535, #kart.kmp.new{ jgpt = records }.jgpt)
      records[65536] = {}
      assert.error_matches(function() kart.kmp.new{ jgpt = records } end, "jgpt.*65535")
      assert.error_matches(function() kart.kmp.new{ poti = { { points = records } } } end, "poti.*65535")
   end)
end)

-- Files -------------------------------------------------------------------------------------------

describe("kart.open", function()
   it("gives nil, the path with a message, and io where a file can't be read", function()
      local folder = support.tmp()
      for path, reason in pairs{ [folder .. "/none.kmp"] = "No such file", [folder] = "it is a folder",
         [folder .. "/a/b"] = "No such file" } do
         local doc, message, code = kart.open(path)
         assert.is_nil(doc)
         assert.equal("io", code)
         assert.equal(path .. ": cannot open: ", message:sub(1, #path + 15))
         assert.matches(reason, message)
      end
   end)

   it("gives nil, a message and format for other files", function()
      local path = support.tmp() .. "/a.txt"
      support.write(path, "some text")
      local doc, message, code = kart.open(path)
      assert.is_nil(doc)
      assert.equal("format", code)
      assert.equal(path, message:sub(1, #path))
   end)

   it("raises for wrong use", function()
      assert.error(function() kart.open() end)
      assert.error(function() kart.open{} end)
   end)
end)

describe("kart.kmp.parse", function()
   it("gives nil, a message without a path, and format", function()
      local doc, message, code = kart.kmp.parse "nothing"
      assert.is_nil(doc)
      assert.equal("format", code)
      assert.matches("^header at 0x0: ", message)
   end)

   it("says limit for more sections than a file can reasonably have", function()
      local slots = {}
      for i = 1, 1025 do slots[i] = 1 end
      local bytes = kmpfile.join{ magic = "RKMD", order = ">", version = 2520, slots = slots,
         sections = { { data = "ABCDxxxx" } } }
      local doc, message, code = kart.kmp.parse(bytes)
      assert.is_nil(doc)
      assert.equal("limit", code)
      assert.matches("1025 sections, the limit is 1024", message)
   end)
end)

local function names_in(folder)
   local names = {}
   for name in lfs.dir(folder) do
      if name ~= "." and name ~= ".." then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

for _, way in ipairs{
   { "kart.file.write", function(path) return kart.file.write(path, document():bytes()) end },
   { "doc:save", function(path) return document():save(path) end },
} do
   local title, save = table.unpack(way)
   describe(title, function()
      it("writes a file and gives true", function()
         local folder = support.tmp()
         assert.is_true(save(folder .. "/a.kmp"))
         assert.is_true(support.read(folder .. "/a.kmp") == document():bytes())
         assert.same({ "a.kmp" }, names_in(folder))
      end)

      it("writes over a file, and leaves nothing else behind", function()
         local folder = support.tmp()
         support.write(folder .. "/a.kmp", ("old"):rep(1000))
         assert.is_true(save(folder .. "/a.kmp"))
         assert.is_true(support.read(folder .. "/a.kmp") == document():bytes())
         assert.same({ "a.kmp" }, names_in(folder))
      end)

      it("keeps the permissions of the file that it writes over", function()
         local path = support.tmp() .. "/a.kmp"
         support.write(path, "old")
         for _, permissions in ipairs{ "rw-------", "rw-r--r--", "rwxr-x--x" } do
            local mode = { 0, 0, 0 }
            for i = 1, 9 do
               if permissions:sub(i, i) ~= "-" then mode[(i + 2) // 3] = mode[(i + 2) // 3] + (4 >> (i - 1) % 3) end
            end
            os.execute(("chmod %s '%s'"):format(table.concat(mode), path))
            assert.is_true(save(path))
            assert.equal(permissions, lfs.attributes(path, "permissions"))
         end
      end)

      it("follows symbolic links, dangling ones too", function()
         local folder = support.tmp()
         assert(lfs.mkdir(folder .. "/real"))
         support.write(folder .. "/real/a.kmp", "old")
         assert(lfs.link("real/a.kmp", folder .. "/link", true))
         assert(lfs.link("link", folder .. "/link2", true))
         assert(lfs.link("real/new.kmp", folder .. "/dangling", true))
         assert.is_true(save(folder .. "/link2"))
         assert.equal("link", lfs.symlinkattributes(folder .. "/link2", "mode"))
         assert.equal("link", lfs.symlinkattributes(folder .. "/link", "mode"))
         assert.is_true(support.read(folder .. "/real/a.kmp") == document():bytes())
         assert.is_true(save(folder .. "/dangling"))
         assert.same({ "a.kmp", "new.kmp" }, names_in(folder .. "/real"))
      end)

      it("gives nil, the path with a message, and io where it can't write", function()
         local folder = support.tmp()
         local paths = { folder, folder .. "/none/a.kmp", "/dev/null" }
         -- A folder where nobody may make a file, not even the superuser.
         if lfs.attributes("/proc/self", "mode") == "directory" then paths[4] = "/proc/a.kmp" end
         for _, path in ipairs(paths) do
            local done, message, code = save(path)
            assert.is_nil(done)
            assert.equal("io", code)
            assert.equal(path .. ": cannot write", message:sub(1, #path + 14))
         end
         assert.same({}, names_in(folder))
      end)

      it("gives up on links that lead in a circle", function()
         local folder = support.tmp()
         assert(lfs.link("b", folder .. "/a", true))
         assert(lfs.link("a", folder .. "/b", true))
         local done, _, code = save(folder .. "/a")
         assert.is_nil(done)
         assert.equal("io", code)
      end)

      it("leaves an old file alone in a folder that can't be written to", function()
         local folder = support.tmp()
         support.write(folder .. "/a.kmp", "old")
         os.execute(("chmod a-w '%s'"):format(folder))
         -- The superuser may write everywhere.
         local probe = io.open(folder .. "/probe", "w")
         if probe then
            probe:close()
            return support.skip "this user may write to folders without permission"
         end
         local done, message, code = save(folder .. "/a.kmp")
         assert.is_nil(done)
         assert.equal("io", code)
         assert.matches("cannot write", message)
         assert.equal("old", support.read(folder .. "/a.kmp"))
      end)

      it("leaves a write-protected file alone", function()
         local path = support.tmp() .. "/a.kmp"
         support.write(path, "old")
         os.execute(("chmod 444 '%s'"):format(path))
         local probe = io.open(path, "r+")
         if probe then
            probe:close()
            return support.skip "this user may write to write-protected files"
         end
         local done, _, code = save(path)
         assert.is_nil(done)
         assert.equal("io", code)
         assert.equal("old", support.read(path))
      end)
   end)
end

describe("kart.file.write with new = true", function()
   it("writes a new file, never over an old one", function()
      local folder = support.tmp()
      assert.is_true(kart.file.write(folder .. "/a", "new", { new = true }))
      local done, message, code = kart.file.write(folder .. "/a", "other", { new = true })
      assert.is_nil(done)
      assert.equal("io", code)
      assert.matches("the file exists", message)
      assert.equal("new", support.read(folder .. "/a"))
      assert.same({ "a" }, names_in(folder))
   end)

   it("checks its arguments", function()
      assert.error(function() kart.file.write(support.tmp() .. "/a") end)
      assert.error_matches(function() kart.file.write("a", "b", { old = true }) end, "unknown option 'old'")
      assert.error_matches(function() kart.file.write("a", "b", { new = 1 }) end, "option 'new'")
   end)
end)

it("kart.file.read gives all bytes, zeros too", function()
   local path = support.tmp() .. "/a"
   support.write(path, "a\0b\r\n")
   assert.equal("a\0b\r\n", kart.file.read(path))
   support.write(path, "")
   assert.equal("", kart.file.read(path))
   local data, _, code = kart.file.read(path .. "none")
   assert.is_nil(data)
   assert.equal("io", code)
end)
