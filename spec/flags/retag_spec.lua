-- doc:retag: rules for flags.
local collision = require "spec.recipe.collision"
local retag = require "kartlua.retag"

local doc

-- A document with these flags, each of two prisms.
local function with(flags, game) doc = assert(kart.kcl.parse(collision.row(flags, game), game)) end

-- Every other flag of the document: as `with` was given them.
local function flags_now()
   local list = {}
   for i = 1, #doc.prisms, 2 do
      list[#list + 1] = doc.prisms[i].flag
      assert.equal(doc.prisms[i].flag, doc.prisms[i + 1].flag)
   end
   return list
end

local function check(before, spec, after, game)
   with(before, game)
   local changed, counts = retag(doc, spec)
   assert.same(after, flags_now())
   local expected = 0
   for i = 1, #before do expected = expected + (before[i] ~= after[i] and 2 or 0) end
   assert.equal(expected, changed)
   return counts
end

describe("a rule of retag", function()
   it("fits one variant", function()
      check({ 0x00, 0x20, 0x40 }, { ["road/dirt"] = "wall" }, { 0x00, 0x0C, 0x40 })
      check({ 0x00, 0x20, 0x40 }, { road = "wall" }, { 0x0C, 0x20, 0x40 })
      check({ 0x00, 0x20, 0x40 }, { ["road/2"] = "wall/1" }, { 0x00, 0x20, 0x2C })
   end)

   it("fits any variant for *, or anything", function()
      check({ 0x00, 0x20, 0x0C }, { ["road/*"] = "wall" }, { 0x0C, 0x0C, 0x0C })
      check({ 0x00, 0x20, 0x0C }, { ["*"] = "wall/rock" }, { 0x2C, 0x2C, 0x2C })
      check({ 0x2000, 0x0C }, { ["*+trickable"] = "wall" }, { 0x200C, 0x0C })
      check({ 0x2000, 0x0C }, { ["-trickable"] = "+soft" }, { 0x2000, 0x800C })
   end)

   it("fits whatever modifiers, but for those that it names", function()
      check({ 0x2000, 0x8000, 0x0000 }, { road = "wall" }, { 0x200C, 0x800C, 0x000C })
      check({ 0x2000, 0x8000, 0x0000 }, { ["road+trickable"] = "wall" }, { 0x200C, 0x8000, 0x0000 })
      check({ 0x2000, 0x8000, 0x0000 }, { ["road-trickable"] = "wall" }, { 0x2000, 0x800C, 0x000C })
      check({ 0x0200, 0x0300 }, { ["road+light=3"] = "wall" }, { 0x0200, 0x030C })
   end)

   it("keeps modifiers that the right side doesn't name", function()
      check({ 0xBB00 }, { road = "wall/rock" }, { 0xBB2C })
      check({ 0xBB00 }, { road = "wall-trickable-light" }, { 0x980C })
      check({ 0x0000 }, { road = "wall+trickable+light=3+depth=2" }, { 0x330C })
      check({ 0x0020, 0x2C }, { ["*"] = "+trickable" }, { 0x2020, 0x202C })
      check({ 0x0020 }, { ["road/*"] = "wall/*" }, { 0x002C })
   end)

   it("of a number is about the whole flag", function()
      check({ 0x2000, 0x0000 }, { [0x2000] = 0x0C }, { 0x0C, 0x00 })
      check({ 0x2000, 0x0000 }, { ["0x2000"] = "12" }, { 0x0C, 0x00 })
      check({ 0x2000, 0x0000 }, { [0] = "wall" }, { 0x2000, 0x0C })
      check({ 0x1234, 5 }, { ["0x1234"] = 7 }, { 7, 5 }, "smg")
   end)

   it("looks at the flags as they were", function()
      check({ 0x00, 0x0C }, { road = "wall", wall = "road" }, { 0x0C, 0x00 })
   end)

   it("gives way to one that names more", function()
      local counts = check({ 0x00, 0x20, 0x2020, 0x2000 },
         { ["*"] = "wall", ["road/*"] = "wall/rock", ["road/dirt"] = "wall/metal", ["road/dirt+trickable"] = "wall/ice",
            [0x2000] = 0x11 }, { 0x2C, 0x4C, 0x208C, 0x11 })
      assert.same({ ["*"] = 0, ["road/*"] = 2, ["road/dirt"] = 2, ["road/dirt+trickable"] = 2, [0x2000] = 2 }, counts)
   end)

   it("is in the names of the file's game", function()
      check({ 0x04 }, { ["sand"] = "wall_1/ice" }, { 0x91 }, "mk8")
      check({ 0x8000 }, { ["road/*+is_floor"] = "wall-is_floor+is_wall" }, { 0x4800 }, "mkds")
   end)

   it("counts what it changed", function()
      local counts = check({ 0x00, 0x00, 0x20, 0x2C }, { ["road/*"] = "road", wall = "road", ["wall/rock"] = "road" },
         { 0x00, 0x00, 0x00, 0x00 })
      assert.same({ ["road/*"] = 2, wall = 0, ["wall/rock"] = 2 }, counts)
   end)
end)

describe("a function of retag", function()
   it("is asked once for each flag, with its fields", function()
      local asked = {}
      local counts = check({ 0x00, 0x2020, 0x00, 0x2C }, function(flag, fields)
         asked[#asked + 1] = { flag, fields.type, fields.variant, fields.trickable }
         if fields.trickable then return "wall-trickable" end
      end, { 0x00, 0x0C, 0x00, 0x2C })
      assert.same({ { 0x00, "road", "normal", false }, { 0x2C, "wall", "rock", false },
         { 0x2020, "road", "dirt", true } }, asked)
      assert.same({ [0x2020] = 2 }, counts)
   end)

   it("may give a number, or the same flag", function()
      check({ 0x00, 0x20 }, function(flag) return flag | 0x2000 end, { 0x2000, 0x2020 })
      check({ 0x00, 0x20 }, function(flag) return flag end, { 0x00, 0x20 })
   end)
end)

describe("doc:retag", function()
   it("changes two bytes of each prism, and nothing else", function()
      with{ 0x00, 0x20, 0x2C }
      local before = doc:bytes()
      assert.equal(2, (doc:retag{ ["road/dirt"] = "wall+trickable" }))
      local after, differ = doc:bytes(), 0
      assert.equal(#before, #after)
      for i = 1, #before do differ = differ + (before:byte(i) ~= after:byte(i) and 1 or 0) end
      assert.equal(4, differ)
      doc:retag{ ["wall+trickable"] = 0x20 }
      assert.equal(before, doc:bytes())
   end)

   it("raises for what it can't read, at the script's line, and changes nothing", function()
      with{ 0x00, 0xA000 }
      for message, spec in pairs{
         ["raod: there is no type 'raod' %(did you mean road%?%)"] = { raod = "wall", road = "wall" },
         ["road = wal: there is no type 'wal' %(did you mean wall%?%)"] = { road = "wal" },
         ["65536: expected the name or number of a flag, got 65536"] = { [65536] = 0 },
         ["road = true: expected the name or number of a flag, got true"] = { road = true },
         ["'%*%+soft' and '%*%+trickable' both fit 0xA000 %(road%+trickable%+soft%), and disagree"] =
            { ["*+trickable"] = "wall", ["*+soft"] = "off_road" },
         ["the function's answer to 0x0000: there is no type 'x'"] = function() return "x" end,
         ["expected a table of rules or a function, got string"] = "road",
      } do
         local ok, caught = pcall(function() doc:retag(spec) end)
         assert.is_false(ok)
         assert.matches("^spec/flags/retag_spec.lua:%d+: retag: " .. message .. "$", caught)
         ok, caught = pcall(function() retag(doc, spec) end)
         assert.is_false(ok)
         assert.matches("^spec/flags/retag_spec.lua:%d+: retag: " .. message .. "$", caught)
      end
      assert.same({ 0x00, 0xA000 }, flags_now())
   end)

   it("takes two rules that name as much and agree", function()
      check({ 0xA000 }, { ["*+trickable"] = "wall", ["*+soft"] = "wall" }, { 0xA00C })
   end)

   it("works on real files as prism by prism", function()
      local support = require "spec.support"
      for _, path in ipairs(support.corpus("kcl-mkw", "kcl")) do
         local one, other <close> = assert(kart.open(path)), assert(kart.open(path))
         local changed = retag(one, { ["road/*"] = "off_road/mud", ["wall/*"] = "+soft" })
         local expected = 0
         for _, prism in ipairs(other.prisms) do
            local flag = prism.flag
            local new = flag & 0x1F == 0 and flag & ~0xFF | 0x43 or flag & 0x1F == 0x0C and flag | 0x8000 or flag
            if new ~= flag then
               prism.flag = new
               expected = expected + 1
            end
         end
         assert.equal(expected, changed, path)
         assert.equal(other:bytes(), one:bytes(), path)
         one:close()
      end
   end)
end)
