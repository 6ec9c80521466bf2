local tools = require "spec.kmp.tools"

local document = tools.document

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

   it("are arenas by what they have beside the missing checkpoints", function()
      local function battle(spec) return kart.kmp.new(spec).battle end
      assert.is_true(battle{})
      assert.is_false(battle{ itpt = { {} }, ktpt = { {} } }) -- a race that is not finished
      assert.is_true(battle{ itpt = { {} }, ktpt = { {}, {} } })
      assert.is_true(battle{ itpt = { {} }, mspt = { {} } })
      assert.is_false(battle{ ckpt = { {} }, ktpt = { {}, {} }, mspt = { {} } })
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
