local lfs = require "lfs"
local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local function read(doc) return reader.read(doc:bytes(), doc.game) end

-- A stale document can't be saved, and says why.
local function check_stale(doc)
   assert.is_true(doc.stale)
   assert.truthy(tools.finding(doc.warnings, "octree-stale"))
   assert.matches("stale", tostring(doc))
   local folder = support.tmp()
   for _, result in ipairs{ table.pack(doc:save(folder .. "/a.kcl")), table.pack(doc:bytes()) } do
      assert.is_nil(result[1])
      assert.matches("can't rebuild it yet", result[2])
      assert.equal("stale", result[3])
   end
   for name in lfs.dir(folder) do assert.matches("^%.+$", name) end
end

describe("the octree is stale after", function()
   for name, change in pairs{
      ["a rotation"] = function(doc) return doc:rotate("y", 30) end,
      ["a quarter turn"] = function(doc) return doc:rotate("y", 90) end,
      ["scaling"] = function(doc) return doc:scale(1.5) end,
      ["a move that rounds"] = function(doc) return doc:translate{ 0.1, 0, 0 } end,
      ["a matrix"] = function(doc) return doc:transform(kart.matrix.rotation("x", 45)) end,
      ["a mirror along y"] = function(doc) return doc:transform(kart.matrix.mirror "y") end,
   } do
      it(name, function()
         for _, sample in ipairs{ "mkw", "mk8_models", "mkds" } do
            local doc = tools.open(sample)
            assert.is_true(assert(change(doc)) == doc)
            check_stale(doc)
         end
      end)
   end

   it("and stays so", function()
      local doc = tools.open("mkw"):rotate("y", 30):rotate("y", -30)
      check_stale(doc)
      check_stale(doc:clone())
      check_stale(doc:mirror "x")
      check_stale(doc:translate{ 0, 1000, 0 })
   end)

   it("but its prisms are there", function()
      local doc = tools.open "mkw"
      local before = doc:stats()
      doc:rotate("y", 90):scale(2)
      local after = doc:stats()
      assert.is_true(math.abs(after.area / before.area / 4 - 1) < 1e-5)
      assert.equal(24, #doc.prisms)
      for number, prism in ipairs(tools.open("mkw").prisms) do
         local turned = doc.prisms[number]
         assert.equal(prism.flag, turned.flag)
         assert.is_true(math.abs(turned.height / prism.height - 2) < 1e-5)
         local old, new = prism.corners[1], turned.corners[1]
         assert.is_true(math.abs(new.x - 2 * old.z) < 0.01 and math.abs(new.y - 2 * old.y) < 0.01
            and math.abs(new.z + 2 * old.x) < 0.01)
      end
      assert.same({ 0, 0 }, { after.degenerate, after.inverted })
   end)
end)

-- The bytes of a file when each of the places { offset = numbers of it } has moved.
local function moved_bytes(file, places, by)
   local offsets, parts, last = {}, {}, 0
   for offset in pairs(places) do offsets[#offsets + 1] = offset end
   table.sort(offsets)
   for _, offset in ipairs(offsets) do
      local numbers = {}
      for axis = 1, 3 do
         local value = places[offset][axis]
         -- Nothing is added where it doesn't move, so that a negative zero stays one.
         numbers[axis] = by[axis] == 0 and value or value + by[axis]
         if file.fixed then numbers[axis] = math.tointeger(numbers[axis] * 4096) end
      end
      parts[#parts + 1] = file.bytes:sub(last + 1, offset)
      parts[#parts + 1] = string.pack(file.order .. (file.fixed and "i4i4i4" or "fff"), table.unpack(numbers))
      last = offset + 12
   end
   return table.concat(parts) .. file.bytes:sub(last + 1)
end

-- Moved by whole units: the used positions and the areas, and no other byte.
local function check_moved(bytes, by)
   local doc <close> = assert(kart.kcl.parse(bytes))
   local file = read(doc)
   assert(doc:translate(by))
   assert.is_false(doc.stale)
   assert.equal(0, #doc.warnings)
   local places = {}
   if file.global then places[0x10], places[0x1C] = file.min, file.max end
   for _, model in ipairs(file.models) do
      places[model.at + 0x14] = model.min
      for number = 1, model.count do
         local prism = model:prism(number)
         places[prism.position_at] = prism.position
      end
   end
   assert.is_true(doc:bytes() == moved_bytes(file, places, by), "other bytes changed, or positions moved elsewhere")
   assert(doc:translate{ -by[1], -by[2], -by[3] })
   assert.is_false(doc.stale)
   -- There and back is the same, but that negative zeros are lost on the way.
   local back, zeros = doc:bytes(), ("\0"):rep(4)
   for offset, numbers in pairs(places) do
      for axis = 1, 3 do
         if numbers[axis] == 0 then
            local at = offset + 4 * axis - 4
            back = by[axis] ~= 0 and bytes:sub(at + 1, at + 4) ~= zeros
               and back:sub(1, at) .. bytes:sub(at + 1, at + 4) .. back:sub(at + 5) or back
         end
      end
   end
   assert.is_true(back == bytes, "there and back is not the same")
end

-- Does a move keep every coordinate of a file exact?
local function moves(bytes, by)
   local doc <close> = assert(kart.kcl.parse(bytes))
   return not doc:translate(by).stale
end

describe("a move by whole units keeps the octree", function()
   for _, name in ipairs{ "mkw", "race", "mkds", "signature", "groups_shared", "mk8_models", "order_octree_first" } do
      it("of the sample " .. name, function()
         for _, by in ipairs{ { 1000, -200, 64 }, { 0, 5000, 0 }, { -16384, 0, 8192 } } do
            check_moved(tools.bytes(name), by)
         end
      end)
   end

   it("of the real files of Mario Kart Wii, where all coordinates stay exact", function()
      for _, file in ipairs(tools.corpus "kcl-mkw") do
         local bytes, exact, tried = support.read(file.path), 0, 0
         for _, by in ipairs{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 16, 0, 0 }, { 1000, 0, -1000 },
            { 0, 256, 0 } } do
            tried = tried + 1
            if moves(bytes, by) then
               exact = exact + 1
               check_moved(bytes, by)
            end
         end
         print(("  %s: %d of %d moves keep the octree"):format(file.name, exact, tried))
      end
   end)

   it("and is nothing at all for zero", function()
      local doc = tools.open("mkw"):translate{ 0, 0, 0 }
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)
end)

describe("what can't be done leaves the document as it was:", function()
   for name, change in pairs{
      ["stretching"] = function(doc) return doc:scale{ 1, 2, 1 } end,
      ["shearing"] = function(doc)
         return doc:transform(kart.matrix.scale{ 1, 2, 1 } * kart.matrix.rotation("z", 30))
      end,
   } do
      it(name, function()
         local doc = tools.open "mkw"
         local done, message, code = change(doc)
         assert.is_nil(done)
         assert.matches("rebuilt from a mesh", message)
         assert.equal("unsupported", code)
         assert.is_true(doc:bytes() == tools.bytes "mkw")
         assert.is_false(doc.stale)
         assert.equal(0, #doc.warnings)
      end)
   end

   it("leaving the range of the numbers", function()
      for name, factor in pairs{ mkw = 1e38, mkds = 1e5, mk8_models = 1e38 } do
         for _, change in ipairs{ function(doc) return doc:translate{ 0, factor * 10, 0 } end,
            function(doc) return doc:scale(factor) end } do
            local doc = tools.open(name)
            local done, message, code = change(doc)
            assert.is_nil(done)
            assert.equal("limit", code)
            assert.matches("range", message)
            assert.is_true(doc:bytes() == tools.bytes(name))
         end
      end
   end)

   it("a factor of nothing, or a mirrored one", function()
      local doc = tools.open "mkw"
      assert.error(function() doc:scale(0) end)
      assert.error(function() doc:scale(-1) end)
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)
end)
