local change = require "spec.kmp.cases.change"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

local function new(spec) return kart.kmp.new(spec) end

local function base(path) return path:match "[^/]+$" end

-- The call gives nil, a message that matches, that code; and no byte of the document changed.
local function check_refused(doc, code, pattern, method, ...)
   local bytes = doc:bytes()
   local result, message, found = doc[method](doc, ...)
   assert.is_nil(result)
   assert.equal(code, found)
   assert.matches(pattern, message)
   assert.is_true(doc:bytes() == bytes, "the document changed")
end

-- Kind, checkpoint, lap, key and step of each lap event.
local function events(doc)
   local list = {}
   for i, event in ipairs(assert(doc:simulate_laps{}).events) do
      list[i] = ("%s ckpt[%d] lap %d key %d step %d"):format(event.kind, event.checkpoint, event.lap, event.key,
         event.step)
   end
   return list
end

describe("a translation", function()
   it("moves every position by the same vector", function()
      local before, by = tools.open "race", kart.vec(128, -64, 32)
      local after = assert(before:clone():translate(by))
      for _, name in ipairs{ "ktpt", "enpt", "itpt", "gobj", "area", "jgpt", "cnpt" } do
         for i, record in ipairs(before[name]) do
            assert.equal(record.position + by, after[name][i].position, name)
         end
      end
      for i, point in ipairs(before.ckpt) do
         assert.equal(point.left + kart.vec(by.x, 0, by.z), after.ckpt[i].left)
      end
   end)

   it("changes nothing but places", function()
      local doc = tools.open "race"
      assert(doc:translate{ 128, -64, 32 })
      assert(doc:translate{ -128, 64, -32 })
      -- One route is shared by two frames: it was split.
      local before = tools.open "race"
      for _, entry in ipairs(before:sections()) do
         for i, record in ipairs(entry.name ~= "came" and before[entry.name] or {}) do
            for key, value in pairs(record) do assert.equal(tostring(value), tostring(doc[entry.name][i][key])) end
         end
      end
   end)

   it("says nothing", function()
      local doc = tools.open "arena"
      assert(doc:translate{ 1, 2, 3 })
      assert.same({}, doc.warnings)
   end)

   it("by 0 changes no byte", function()
      local doc = tools.open "minus_zero"
      assert(doc:translate{ 0, 0, 0 })
      assert.is_true(doc:bytes() == tools.bytes "minus_zero")
   end)
end)

describe("a turn about y", function()
   it("is right-handed: +Z goes to +X", function()
      local doc = new{ gobj = { { position = { 0, 5, 10 } } } }
      assert(doc:rotate("y", 90))
      assert.equal(kart.vec(10, 5, 0), doc.gobj[1].position)
      assert.equal(kart.vec(0, 90, 0), doc.gobj[1].rotation)
   end)

   it("is about the origin that it is given", function()
      local doc = new{ gobj = { { position = { 100, 5, 10 } } } }
      assert(doc:rotate("y", 90, { origin = { 100, 0, 0 } }))
      assert.equal(kart.vec(110, 5, 0), doc.gobj[1].position)
   end)

   for _, yaw in ipairs{ 90, 180, -90 } do
      it(("by %d keeps the lap events"):format(yaw), function()
         local doc = tools.open "race"
         assert.same(events(doc), events(assert(doc:rotate("y", yaw))))
      end)
   end

   it("by any other angle keeps a course that drives", function()
      local result = assert(tools.open("race"):rotate("y", 33.3):simulate_laps{})
      assert.is_true(result.finished)
      assert.equal(0, result.jumps)
   end)

   it("warns where the start line leaves the quarter turns", function()
      local doc = tools.open "race"
      assert(doc:rotate("y", 90))
      assert.is_nil(tools.warning(doc, "start-turned"))
      assert(doc:rotate("y", 45))
      assert.equal("ktpt[1].rotation", tools.warning(doc, "start-turned").place)
   end)

   it("doesn't blame itself for a start line that never was on a quarter turn", function()
      local doc = tools.open "race"
      doc.ktpt[1].rotation = { 0, 30, 0 }
      assert(doc:rotate("y", 10))
      assert.is_nil(tools.warning(doc, "start-turned"))
   end)

   it("leaves the pole side and the sides of checkpoints", function()
      local before = tools.open "race"
      local after = assert(before:clone():rotate("y", 180))
      assert.equal(before.stgi[1].pole, after.stgi[1].pole)
      local left = before.ckpt[3].left
      assert.equal(kart.vec(-left.x, 0, -left.z), after.ckpt[3].left)
   end)
end)

describe("where the ground tilts, checkpoints", function()
   it("refuse a turn about x or z, and say what is missing", function()
      for _, axis in ipairs{ "x", "z" } do
         check_refused(tools.open "race", "unsupported", "at which height", "rotate", axis, 90)
      end
      check_refused(tools.open "race", "unsupported", "checkpoints have no height", "rotate", { 0, 1, 0.1 }, 30)
   end)

   it("refuse a matrix that moves them by their height", function()
      local shear = kart.matrix.new{ { 1, 0.5, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
      check_refused(tools.open "race", "unsupported", "checkpoints have no height", "transform", shear)
   end)

   it("follow with a height", function()
      local doc = new{ ckpt = { { left = { 1, 2 }, right = { 3, 4 } } } }
      assert(doc:transform(kart.matrix.new{ { 1, 0.5, 0 }, { 0, 1, 0 }, { 0, -0.25, 1 } }, { height = 100 }))
      assert.equal(kart.vec(51, 0, -23), doc.ckpt[1].left)
      assert.equal(kart.vec(53, 0, -21), doc.ckpt[1].right)
   end)

   it("refuse to stand on their edge, with a height too", function()
      check_refused(tools.open "race", "unsupported", "on its edge", "rotate", "x", 90, { height = 500 })
      check_refused(tools.open "race", "unsupported", "on its edge", "rotate", "z", -90, { height = 500 })
   end)

   it("keep the laps of a course that is turned upside down", function()
      for _, axis in ipairs{ "x", "z" } do
         local doc = tools.open "race"
         assert.same(events(doc), events(assert(doc:rotate(axis, 180, { height = 500 }))))
         assert.equal(0, doc.stgi[1].pole) -- no reflection
      end
   end)

   it("keep the laps under an upside-down mirror by matrix", function()
      local doc = tools.open "race"
      local left = doc.ckpt[2].left
      assert.same(events(doc), events(assert(doc:transform(kart.matrix.mirror "y"))))
      assert.equal(left, doc.ckpt[2].left)
      assert.equal(1, doc.stgi[1].pole)
   end)

   it("are no hindrance in an arena, which has none", function()
      local before = tools.open "arena"
      local after = assert(before:clone():rotate("x", 90))
      local p = before.enpt[2].position
      assert.equal(kart.vec(p.x, -p.z, p.y), after.enpt[2].position)
   end)
end)

describe("any matrix", function()
   it("moves positions by all its numbers", function()
      local doc = new{ gobj = { { position = { 1, 2, 3 } } } }
      assert(doc:transform(kart.matrix.new{ { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 12, 16 } }))
      assert.equal(kart.vec(18, 46, 81), doc.gobj[1].position)
   end)

   it("is about the origin that it is given", function()
      local doc = new{ gobj = { { position = { 11, 2, 3 } } } }
      assert(doc:transform(kart.matrix.scale(3), { origin = { 10, 0, 0 } }))
      assert.equal(kart.vec(13, 6, 9), doc.gobj[1].position)
   end)

   it("that is a mirror does what mirror does", function()
      local by_name, by_matrix = tools.open "race", tools.open "race"
      assert(by_name:mirror("z", { at = 77 }))
      assert(by_matrix:transform(kart.matrix.mirror("z", 77)))
      assert.is_true(by_name:bytes() == by_matrix:bytes())
   end)

   it("that is the identity changes no byte", function()
      for _, name in ipairs{ "race", "minus_zero", "odd_rotations", "odd_scales", "not_finite", "gaps" } do
         local doc = tools.open(name)
         assert(doc:transform(kart.matrix.identity()))
         assert.is_true(doc:bytes() == tools.bytes(name), name)
      end
   end)

   it("changes left and right of checkpoints where it turns the ground over", function()
      local doc = new{ ckpt = { { left = { 1, 2 }, right = { 3, 4 } } } }
      assert(doc:transform(kart.matrix.new{ { 0, 0, 1 }, { 0, 1, 0 }, { 1, 0, 0 } }))
      assert.equal(kart.vec(4, 0, 3), doc.ckpt[1].left)
      assert.equal(kart.vec(2, 0, 1), doc.ckpt[1].right)
   end)

   it("keeps forward and up as near as a rotation can where it shears", function()
      local doc = new{ gobj = { { rotation = { 0, 0, 0 } } } }
      assert(doc:transform(kart.matrix.new{ { 1, 0, 0.5 }, { 0, 1, 0 }, { 0, 0, 1 } }))
      assert(math.abs(doc.gobj[1].rotation.y - math.deg(math.atan(0.5, 1))) < 1e-5)
   end)

   it("is refused when it flattens the course", function()
      check_refused(tools.open "arena", "unsupported", "flattens the course", "transform", kart.matrix.scale{ 1, 0, 1 })
      check_refused(tools.open "race", "unsupported", "flattens", "transform",
         kart.matrix.new{ { 1, 2, 3 }, { 2, 4, 6 }, { 0, 0, 1 } })
   end)

   it("is refused when a position leaves the range of floats", function()
      local doc = new{ gobj = { { position = { 1, 1, 1 } }, { position = { 1e30, 0, 0 } } } }
      check_refused(doc, "limit", "a position leaves the range of floats", "scale", 1e20)
      check_refused(doc, "limit", "a position leaves the range of floats", "translate", { 3.4e38, 0, 1e39 })
   end)

   it("is refused when a width leaves the range of floats", function()
      check_refused(new{ enpt = { { width = 1e30 } } }, "limit", "leaves the range of floats", "scale", 1e20)
   end)
end)

describe("numbers that are none", function()
   local CARRIED = {}
   for _, meaning in ipairs{ "position", "flat position", "view", "rotation", "scale", "width" } do
      CARRIED[meaning] = true
   end

   it("stay as they are, with a warning", function()
      local doc = tools.open "not_finite"
      local bytes = doc:bytes()
      local start = doc:sections()[2].offset -- enpt
      assert(doc:translate{ 10, 0, 0 })
      assert.is_true(doc:bytes():sub(start + 9, start + 20) == bytes:sub(start + 9, start + 20))
      assert.equal("enpt[1].position", tools.warning(doc, "float-finite").place)
   end)

   local race = tools.open "race"
   race.mspt:insert{}
   for name, layout in pairs(tools.layouts(race)) do
      for _, field in ipairs(layout.fields) do
         local place = name == "points" and "poti[1].points[1]." or name .. "[1]."
         if field.type == "float" then
            it(("are told in %s.%s, by the check and where a map carries them"):format(name, field.name), function()
               for slot, value in ipairs{ 0 / 0, math.huge } do
                  local at = field.count > 1 and slot or 1
                  local doc = change.raw(race, name, 1, field.name, value, at)
                  local warning = tools.warning(assert(doc:scale(2)), "float-finite")
                  assert.equal(CARRIED[field.meaning] and place .. field.name, warning and warning.place)
                  assert.equal(place .. field.name, tools.finding(assert(doc:check()), "float-finite").place)
               end
            end)
         end
      end
   end

   it("are counted where there are many", function()
      local doc = change.raw(change.raw(race, "ckpt", 2, "left", 0 / 0), "ckpt", 7, "left", -math.huge, 2)
      local warning = tools.warning(assert(doc:mirror "x"), "float-finite")
      assert.equal("ckpt[2].left", warning.place)
      assert.matches("2 of 55 records", warning.message)
   end)
end)

describe("documents", function()
   it("of arenas are accepted by every operation", function()
      local doc = tools.open "arena"
      assert(doc:mirror "x":mirror "z":rotate("y", 90):rotate("x", 30):scale(2):scale{ 1, 2, 1 }:translate{ 1, 2, 3 })
      assert.equal(12, #doc.ktpt)
      assert.equal(4, #doc.mspt)
      for i, group in ipairs(tools.open("arena").enph) do assert.equal(group.dispatch, doc.enph[i].dispatch) end
   end)

   it("of Mario Kart 7 are refused", function()
      local doc = tools.open "mk7"
      for method, argument in pairs{ mirror = "x", scale = 2, translate = { 1, 2, 3 },
         transform = kart.matrix.identity() } do
         check_refused(doc, "unsupported", "only files of Mario Kart Wii", method, argument)
      end
      check_refused(doc, "unsupported", "only files of Mario Kart Wii", "rotate", "y", 90)
   end)

   for _, name in ipairs(tools.names()) do
      if not name:find "^mk7" then
         it(("like the sample %s are saved as files that open"):format(name), function()
            local doc = tools.open(name)
            assert(doc:mirror "z":rotate("y", 20):scale(1.5))
            local again = assert(kart.kmp.parse(doc:bytes()))
            assert.equal(#doc:sections(), #again:sections())
         end)
      end
   end

   for _, path in ipairs(support.corpus("kmp", "kmp")) do
      it("like the real " .. base(path) .. " are saved as files that open", function()
         local doc = assert(kart.open(path))
         assert(doc:mirror "z":rotate("y", 20):scale(1.5))
         assert(kart.kmp.parse(doc:bytes()))
      end)
   end

   it("keep what is between and behind the sections when a route is added", function()
      local spec = { poti = { { points = { { position = { 1, 2, 3 } } } } }, came = { { type = 6, route = 1 } },
         gobj = { { id = 1, route = 1 } } }
      local kmpfile = require "samples.kmpfile"
      local file = kmpfile.split(new(spec):bytes())
      file.tail, file.gap = "INFO behind", "before"
      kmpfile.section(file, "POTI").gap = "between!"
      kmpfile.section(file, "ENPT").gap = "\1\2\3\4"
      local doc = assert(kart.kmp.parse(kmpfile.join(file)))
      assert(doc:mirror "z")
      local bytes = doc:bytes()
      assert.equal(bytes:sub(-11), "INFO behind")
      assert.equal(#bytes, (string.unpack(">I4", bytes, 5)))
      local again = assert(kart.kmp.parse(bytes))
      assert.equal(2, #again.poti)
      assert.same({}, again.warnings)
      for _, text in ipairs{ "before", "between!", "\1\2\3\4" } do
         assert.truthy(bytes:find(text, 1, true))
      end
   end)
end)

describe("wrong use", function()
   local doc = tools.open "race"

   it("raises for a mirror on y, and changes nothing", function()
      assert.error_matches(function() doc:mirror "y" end, "mirrored along x and z, not y")
      assert.is_true(doc:bytes() == tools.bytes "race")
   end)

   it("raises for axes, options and numbers that aren't any", function()
      assert.error_matches(function() doc:mirror "w" end, "invalid option 'w'")
      assert.error_matches(function() doc:mirror("x", { where = 1 }) end, "unknown option 'where'")
      assert.error_matches(function() doc:mirror("x", { at = "1" }) end, "option 'at': expected a finite number")
      assert.error_matches(function() doc:mirror("x", { at = 0 / 0 }) end, "option 'at': expected a finite number")
      assert.error(function() doc:mirror() end)
      assert.error_matches(function() doc:rotate({ 0, 0, 0 }, 1) end, "the axis has no length")
      assert.error(function() doc:rotate "y" end)
      assert.error(function() doc:rotate("y", math.huge) end)
      assert.error(function() doc:transform{} end)
      assert.error(function() doc:transform(kart.matrix.identity(), { height = "low" }) end)
      assert.error(function() doc:translate{ 1, 2 } end)
      assert.error(function() doc:translate{ 1, 2, 0 / 0 } end)
      assert.error(function() doc:translate(5) end)
      assert.error(function() doc:scale(2, { scale_speeds = 1 }) end)
      assert.error_matches(function() doc:scale(2, { height = 1 }) end, "unknown option 'height' of a kmp")
      assert.error_matches(function() doc:rotate("y", 1, { scale_speeds = true }) end, "'scale_speeds' of a kmp")
      assert.error_matches(function() doc:mirror("x", { origin = { 0, 0, 0 } }) end, "'origin' of a kmp")
      assert.error_matches(function() doc:translate({ 1, 2, 3 }, { origin = { 0, 0, 0 } }) end, "'origin' of a kmp")
      assert.is_true(doc:bytes() == tools.bytes "race")
   end)

   it("raises on a closed document", function()
      local closed = tools.open "arena"
      closed:close()
      assert.error_matches(function() closed:mirror "x" end, "closed")
   end)
end)

describe("warnings", function()
   it("of loading and of earlier operations stay, none stands twice", function()
      local doc = tools.open "length_0"
      doc.gobj[2].id = 520
      assert(doc:mirror "x")
      assert(doc:mirror "x")
      assert(doc:translate{ 1, 2, 3 })
      local rules = {}
      for i, warning in ipairs(doc.warnings) do rules[i] = warning.rule end
      assert.same({ "file-length", "object-handed" }, rules)
   end)
end)

it("an operation gives its document, so that they chain", function()
   local doc = tools.open "arena"
   assert.equal(doc, doc:mirror "x")
   assert.equal(doc, doc:rotate("y", 1))
   assert.equal(doc, doc:scale(2))
   assert.equal(doc, doc:translate{ 1, 2, 3 })
   assert.equal(doc, doc:transform(kart.matrix.identity()))
end)
