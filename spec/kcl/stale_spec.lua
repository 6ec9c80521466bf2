local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local function read(doc) return reader.read(doc:bytes(), doc.game) end

-- Saving builds an octree that lists all that it must.
local function check_stale(doc)
   assert.is_true(doc.stale)
   assert.matches("stale", tostring(doc))
   local folder = support.tmp()
   assert(doc:save(folder .. "/a.kcl"))
   assert.is_false(doc.stale)
   local saved <close> = assert(kart.open(folder .. "/a.kcl", { game = doc.game }))
   assert.equal(#doc.prisms, #saved.prisms)
   local proof = assert(saved:prove())
   assert.same({ 0, 0 }, { proof.missing, proof.outside })
   assert.equal(doc:bytes(), saved:bytes())
end

describe("the octree is stale after", function()
   for name, change in pairs{
      ["stretching"] = function(doc) return doc:scale{ 1, 2, 1 } end,
      ["shearing"] = function(doc)
         return doc:transform(kart.matrix.scale{ 1, 2, 1 } * kart.matrix.rotation("z", 30))
      end,
      ["a rotation"] = function(doc) return doc:rotate("y", 30) end,
      ["a quarter turn"] = function(doc) return doc:rotate("y", 90) end,
      ["scaling"] = function(doc) return doc:scale(1.5) end,
      ["a move that rounds"] = function(doc) return doc:translate{ 0.1, 0, 0 } end,
      ["a matrix"] = function(doc) return doc:transform(kart.matrix.rotation("x", 45)) end,
      ["a mirror along y"] = function(doc) return doc:transform(kart.matrix.mirror "y") end,
   } do
      it(name, function()
         for _, sample in ipairs{ "mkw", "mk8_models", "mkds", "sm3dl" } do
            local doc = tools.open(sample)
            assert.is_true(assert(change(doc)) == doc)
            check_stale(doc)
         end
      end)
   end

   it("and stays so until it is built", function()
      local doc = tools.open("mkw"):rotate("y", 30):rotate("y", -30)
      assert.is_true(doc.stale)
      assert.is_true(doc:mirror("x").stale)
      assert.is_true(doc:translate{ 0, 1000, 0 }.stale)
      assert.is_true(doc:rebuild() == doc)
      assert.is_false(doc.stale)
      check_stale(tools.open("mk8_models"):rotate("y", 30):clone())
   end)

   it("and checks wait for the new one", function()
      local doc = tools.open("mkw")
      local before = #doc:check()
      assert.equal(before, #doc:rotate("y", 90):check())
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

describe("prisms that are made anew", function()
   it("keep what belongs to the game, and their flags", function()
      local doc = tools.open "header_extra"
      local before, extra = doc.models[1], doc:bytes():sub(0x3D, 0x44)
      doc:rotate("y", 33)
      local after = doc.models[1]
      assert.same({ before.thickness, before.radius, before.prisms }, { after.thickness, after.radius, after.prisms })
      assert.equal(extra, doc:bytes():sub(0x3D, 0x44))
   end)

   it("are left out where they are no triangle, with a warning", function()
      local doc = tools.open "degenerate"
      local sound, flags = 0, {}
      for _, prism in ipairs(doc.prisms) do
         if not prism.problem then
            sound = sound + 1
            flags[sound] = prism.flag
         end
      end
      assert.is_true(sound < #doc.prisms)
      local dropped = #doc.prisms - sound
      doc:scale(1.25)
      assert.equal(sound, #doc.prisms)
      for i, prism in ipairs(doc.prisms) do assert.equal(flags[i], prism.flag) end
      assert.matches("^" .. dropped .. " prisms are no triangle", tools.finding(doc.warnings, "prism-dropped").message)
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

-- The places that a move changes: the used positions, and the areas.
local function moved_places(file)
   local places = {}
   if file.global then places[0x10], places[0x1C] = file.min, file.max end
   for _, model in ipairs(file.models) do
      places[model.at + 0x14] = model.min
      for number = 1, model.count do
         local prism = model:prism(number)
         places[prism.position_at] = prism.position
      end
   end
   return places
end

-- Can all numbers at those places be written after the move as they are?
local function is_exact(file, places, by)
   for _, values in pairs(places) do
      for axis = 1, 3 do
         local value = values[axis] + by[axis]
         local stored = file.fixed and value * 4096 // 1 / 4096 or (string.unpack("f", string.pack("f", value)))
         if stored ~= value then return false end
      end
   end
   return true
end

-- Moved: those places and no other byte, where all of them stay exact, and else nothing that can be saved.
-- Gives whether they do.
local function check_moved(bytes, by)
   local doc <close> = assert(kart.kcl.parse(bytes))
   local file = read(doc)
   local places = moved_places(file)
   assert(doc:translate(by))
   assert.equal(not is_exact(file, places, by), doc.stale)
   if doc.stale then return false end
   assert.equal(0, #doc.warnings)
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
   return true
end

describe("a move by whole units keeps the octree", function()
   for _, name in ipairs{ "mkw", "race", "mkds", "signature", "groups_shared", "mk8_models", "order_octree_first" } do
      it("of the sample " .. name, function()
         for _, by in ipairs{ { 1000, -200, 64 }, { 0, 5000, 0 }, { -16384, 0, 8192 } } do
            assert.is_true(check_moved(tools.bytes(name), by))
         end
      end)
   end

   it("of the real files of Mario Kart Wii, where all coordinates stay exact and only there", function()
      for _, file in ipairs(tools.corpus "kcl-mkw") do
         local bytes, exact, tried = support.read(file.path), 0, 0
         for _, by in ipairs{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 16, 0, 0 }, { 1000, 0, -1000 },
            { 0, 256, 0 } } do
            tried = tried + 1
            if check_moved(bytes, by) then exact = exact + 1 end
         end
         assert.is_true(exact > 0)
         print(("  %s: %d of %d moves keep the octree"):format(file.name, exact, tried))
      end
   end)

   it("and is nothing at all for zero", function()
      local doc = tools.open("mkw"):translate{ 0, 0, 0 }
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)
end)

describe("the space where a document can be moved", function()
   -- A file whose area begins at `min` and is so wide.
   local function file(min, width)
      local kclfile, kclshapes = require "samples.kclfile", require "samples.kclshapes"
      local triangles = {}
      local x = min + 64
      kclshapes.quad(triangles, { min, 0.0, 0.0 }, { min, 0.0, 64.0 }, { x, 0.0, 64.0 }, { x, 0.0, 0.0 }, 0)
      return kart.kcl.parse(kclfile.build{ game = "mkw", triangles = triangles,
         grid = { min = { min, -512, -512 }, shift = width, bits = { 0, 0, 0 }, most = 9, least = width } })
   end

   it("ends where a float no longer tells each unit", function()
      local edge = 2 ^ 24
      assert.equal(edge, (string.unpack("<f", string.pack("<f", edge + 1)))) -- as far as that
      assert.equal(edge - 1, (string.unpack("<f", string.pack("<f", edge - 1))))
      local function move(by) return select(3, file(0, 10):translate{ by, 0, 0 }) end
      assert.is_nil(move(edge - 1024))
      assert.equal("limit", move(edge - 1023))
      assert.is_nil(move(-edge))
      assert.equal("limit", move(-edge - 2))
   end)

   it("doesn't hold who is outside already", function()
      local edge = 2 ^ 24
      for _, by in ipairs{ -edge, 1024, -1024, edge } do
         local doc = assert(file(2 * edge, 10):translate{ by, 0, 0 })
         assert.is_false(doc.stale)
         assert.equal(2 * edge + by, doc.prisms[1].position.x)
      end
      assert(file(2 * edge, 10):mirror "x")
   end)
end)

describe("corners that rounding moves", function()
   -- How many prisms have a corner more than 0.1 units from where it should be, and the farthest.
   -- Prisms that are none are left out where they are made anew, and a prism may start at another corner then.
   local function measure(before, after, map)
      local count, most, place, dropped = 0, 0, 0, #after.prisms < #before.prisms
      for _, prism in ipairs(before.prisms) do
         local corners, best = not prism.problem and prism.corners, math.huge
         if corners or not dropped then place = place + 1 end
         for turn = 0, corners and 2 or -1 do
            local off, found = 0, after.prisms[place].corners
            for j, corner in ipairs(corners) do
               off = math.max(off, (map(corner) - found[(j + turn - 1) % 3 + 1]):length())
            end
            best = math.min(best, off)
         end
         if corners then
            if best > 0.1 then count = count + 1 end
            most = math.max(most, best)
         end
      end
      assert.equal(place, #after.prisms)
      return count, most
   end

   local function check_warned(doc, change, map)
      local before = doc:clone()
      change(doc)
      local count, most = measure(before, doc, map)
      local finding = tools.finding(doc.warnings, "corners-rounded")
      assert.equal(count > 0, finding ~= nil)
      if count > 0 then
         local said, units = finding.message:match "of (%d+) prisms by more than 0.1 units, at most by ([%d.]+)"
         assert.equal(count, tonumber(said))
         assert.is_true(math.abs(tonumber(units) / most - 1) < 0.01)
      end
      return count
   end

   local by = kart.vec(3e6 + 0.12, 0, 0) -- where floats are a quarter of a unit apart

   it("are warned of, where it can be seen", function()
      assert.equal(0, check_warned(tools.open "mkw", function(doc) doc:translate{ 0.1, 0, 0 } end,
         function(v) return v + kart.vec(0.1, 0, 0) end))
      assert.is_true(0 < check_warned(tools.open "mkw", function(doc) doc:translate(by) end,
         function(v) return v + by end))
   end)

   it("are so in real files, where edges are nearly parallel", function()
      local counts = {}
      for _, file in ipairs(tools.corpus "kcl-mkw") do
         local turn = kart.matrix.rotation("y", 30)
         local doc <close> = assert(kart.open(file.path))
         counts[file.name:match "^%l+_%l+"] = tools.calm(check_warned, doc, function() doc:rotate("y", 30) end,
            function(v) return turn * v end)
      end
      if next(counts) then assert.same({ 0, 5 }, { counts.race_lego, counts.race_ruins }) end
   end)
end)

describe("what can't be done leaves the document as it was:", function()
   local function check_limit(doc, text, change)
      local before, stale = doc:clone(), doc.stale
      local done, message, code = change(doc)
      assert.is_nil(done)
      assert.equal("limit", code)
      assert.matches(text, message)
      assert.equal(stale, doc.stale)
      assert.equal(#before.warnings, #doc.warnings)
      for i, prism in ipairs(before.prisms) do assert.equal(prism.position, doc.prisms[i].position) end
      if not stale then assert.is_true(doc:bytes() == before:bytes()) end
   end

   it("leaving the range of the numbers", function()
      for name, factor in pairs{ mkw = 1e38, mkds = 1e5, mk8_models = 1e38 } do
         check_limit(tools.open(name), "range", function(doc) return doc:scale(factor) end)
      end
      check_limit(tools.open "mkds", "range", function(doc) return doc:translate{ 0, 1e6, 0 } end)
   end)

   it("leaving the space where floats are fine enough", function()
      for _, name in ipairs{ "mkw", "mk8_models", "sm3dl" } do
         for _, by in ipairs{ 1e30, 1e39, -2 ^ 24, 2.0 ^ 40 } do
            check_limit(tools.open(name), "the octree's area would lie beyond 16777216 units",
               function(doc) return doc:translate{ 0, 0, by } end)
         end
         check_limit(tools.open(name), "prisms%[%d+%] would lie beyond 16777216 units",
            function(doc) return doc:scale(1e6) end)
      end
      -- An octree that is to be rebuilt anyway doesn't count.
      local doc = tools.open("mkw"):rotate("y", 90)
      check_limit(doc, "prisms%[%d+%] would lie beyond", function() return doc:translate{ 2 ^ 24, 0, 0 } end)
   end)

   it("a factor of nothing, or a mirrored one", function()
      local doc = tools.open "mkw"
      assert.error(function() doc:scale(0) end)
      assert.error(function() doc:scale(-1) end)
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)
end)
