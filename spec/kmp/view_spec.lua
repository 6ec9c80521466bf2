local kmpfile = require "samples.kmpfile"
local tools = require "spec.kmp.tools"

local document = tools.document

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
      local lines = {}
      for i, warning in ipairs(doc.warnings) do lines[i] = tostring(warning) end
      table.sort(lines)
      assert.same({
         "ckpt[1].respawn: warning: names jgpt[100], the last is jgpt[2] [respawn-range]",
         "enph[1].next: warning: names enph[65], the last is enph[1] [reference-range]",
         "gobj[1].route: warning: names poti[4661], the last is poti[1] [reference-range]",
         "itph[1].start: warning: names itpt[201], the last is itpt[4] [group-range]",
      }, lines)
   end)

   it("out of range break the same rules for the check, at the same places", function()
      local doc = tools.open "references_out_of_range"
      local checked = {}
      for _, finding in ipairs(assert(doc:check())) do checked[finding.rule .. finding.place] = true end
      for _, warning in ipairs(doc.warnings) do assert.is_true(checked[warning.rule .. warning.place]) end
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
