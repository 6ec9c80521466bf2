-- kart.flags: numbers to the notation and back.
local flags = kart.flags

local NAMED = { "mkw", "mk8", "mk8dx", "mkds" }
local NUMBERS = { "smo", "smg", "sm3dl", "mk7" }
local STEP = os.getenv "KARTLUA_GC" == "stress" and 7 or 1

local function problem(text, game)
   local number, message = flags.parse(text, game)
   assert.is_nil(number)
   return message
end

-- Calls test(number, game) for every flag of every game.
local function each(games, test)
   for _, game in ipairs(games) do
      for number = 0, 0xFFFF, STEP do test(number, game) end
   end
end

describe("the notation of flags", function()
   it("reads back as the same number, for every number of every game", function()
      local count = 0
      each(NAMED, function(number, game)
         local text = flags.format(number, game)
         if flags.parse(text, game) ~= number then assert.equal(number, flags.parse(text, game), text) end
         count = count + 1
      end)
      each(NUMBERS, function(number, game)
         if flags.parse(flags.format(number, game), game) ~= number then error(flags.format(number, game)) end
         count = count + 1
      end)
      assert.equal(8 * (0xFFFF // STEP + 1), count)
   end)

   it("is made of type, variant and modifiers", function()
      for number, text in pairs{ [0] = "road", [0x20] = "road/dirt", [0x2020] = "road/dirt+trickable", [0x0C] = "wall",
         [0x15] = "moving_road", [0xF5] = "moving_road/7", [0x0300] = "road+light=3", [0x1800] = "road+depth=3",
         [0xE00C] = "wall+trickable+reject+soft" } do
         assert.equal(text, flags.format(number))
      end
      assert.equal("road_1/concrete+unknown=5+trickable", flags.format(0x1520, "mk8"))
      assert.equal("road+is_floor", flags.format(0x8000, "mkds"))
      assert.equal("type_31/7", flags.format(0x1FE0, "mkds"))
      assert.equal("0x2020", flags.format(0x2020, "smo"))
   end)

   it("is read with any case and blanks, and variants by number", function()
      for text, number in pairs{ ["Road/Dirt"] = 0x20, [" road / dirt + trickable "] = 0x2020, ["road/1"] = 0x20,
         ["road/normal"] = 0, ["road/0"] = 0, ["type_12/1"] = 0x2C, ["wall+soft+light=2"] = 0x820C,
         ["wall+light = 2"] = 0x020C, ["road-soft"] = 0 } do
         assert.equal(number, flags.parse(text), text)
      end
   end)

   it("may be a number", function()
      for text, number in pairs{ ["0x0123"] = 0x123, ["0X123"] = 0x123, ["0xFFFF"] = 0xFFFF, ["0x0"] = 0, ["291"] = 291,
         ["0"] = 0, ["007"] = 7, ["65535"] = 65535 } do
         assert.equal(number, flags.parse(text), text)
         assert.equal(number, flags.parse(text, "smg"), text)
      end
      for _, text in ipairs{ "65536", "0x10000", "99999999999999999999", "0x10000000000000001" } do
         assert.equal(text:lower() .. " is no flag: expected 0 to 65535", problem(text))
      end
   end)

   it("says what may have been meant", function()
      for text, message in pairs{
         ["raod"] = "there is no type 'raod' (did you mean road?)",
         ["off-road"] = "there is no type 'off-road' (did you mean off_road?)",
         ["off road/mud"] = "there is no type 'off road' (did you mean off_road?)",
         ["quite_another"] = "there is no type 'quite_another'",
         ["road/drit"] = "road has no variant 'drit' (did you mean dirt?)",
         ["road/8"] = "road has no variant '8'",
         ["road/"] = "road has no variant ''",
         ["type_32"] = "there is no type 'type_32'",
         ["road+trikable"] = "there is no modifier 'trikable' (did you mean trickable?)",
         ["road+"] = "there is no modifier ''",
         ["road+light"] = "light takes a number from 0 to 7, like light=7",
         ["road+light=8"] = "light takes a number from 0 to 7, like light=7",
         ["road+soft=2"] = "soft takes a number from 0 to 1, like soft=1",
         ["road-light=2"] = "-light takes no number",
         ["road+soft-soft"] = "soft stands twice",
         ["/dirt"] = "expected a type before the /",
         [""] = "expected a flag, found nothing",
      } do
         assert.equal(message, problem(text), text)
      end
   end)

   it("leaves nothing open but in rules", function()
      for _, text in ipairs{ "*", "road/*", "+trickable" } do
         assert.equal(("'%s' leaves open which flag it is"):format(text), problem(text))
      end
   end)

   it("is a number where flags have no names", function()
      assert.equal("flags of mk7 have no names here: expected a number like 0x0010, found 'road'",
         problem("road", "mk7"))
   end)
end)

describe("kart.flags", function()
   it("describes for people", function()
      for number, text in pairs{ [0] = "Road", [0x2020] = "Road, dirt, trickable", [0x43] = "Off-road, mud",
         [0x40] = "Road, dirt no GFX", [0x31] = "Cannon activator, variant 1",
         [0x8B0C] = "Wall, light 3, depth 1, soft", [0x01] = "Slippery road, white sand" } do
         assert.equal(text, flags.describe(number))
      end
      assert.equal("Type 23", flags.describe(0x1700, "mkds"))
      assert.equal("0x0010", flags.describe(0x10, "smg"))
   end)

   it("takes apart", function()
      assert.same({ type = "road", variant = "dirt", light = 3, depth = 0, trickable = true, reject = false,
         soft = false }, flags.fields(0x2320, "mkw"))
      assert.equal(7, flags.fields(0xF5).variant)
      assert.same({}, flags.fields(5, "smo"))
   end)

   it("lists types and modifiers", function()
      for game, count in pairs{ mkw = 32, mk8 = 32, mk8dx = 32, mkds = 23, smo = 0, smg = 0, sm3dl = 0, mk7 = 0 } do
         assert.equal(count, #flags.types(game), game)
      end
      local kind = flags.types()[3]
      assert.same({ 2, "weak_off_road", "Weak off-road" }, { kind.number, kind.name, kind.title })
      assert.same({ number = 1, name = "dirt" }, kind.variants[2])
      assert.same({ name = "light", bit = 8, most = 7, doc = flags.modifiers()[1].doc }, flags.modifiers()[1])
      assert.same({}, flags.modifiers "smg")
   end)

   it("has names that can be typed", function()
      for _, game in ipairs(NAMED) do
         local names = {}
         local function see(name) assert.matches("^%l[%l%d_]*$", name) end
         for _, modifier in ipairs(flags.modifiers(game)) do see(modifier.name) end
         for _, kind in ipairs(flags.types(game)) do
            see(kind.name)
            assert.is_nil(names[kind.name])
            names[kind.name] = true
            local variants = {}
            for _, variant in ipairs(kind.variants) do
               see(variant.name)
               assert.is_nil(variants[variant.name], ("%s/%s"):format(kind.name, variant.name))
               variants[variant.name] = true
            end
         end
      end
   end)

   it("covers each of the 16 bits once", function()
      local tables = require "kartlua.flag_tables"
      for _, game in ipairs(NAMED) do
         local parts, all = { tables[game].type, tables[game].variant }, 0
         for _, modifier in ipairs(tables[game].modifiers) do parts[#parts + 1] = { modifier[2], modifier[3] } end
         for _, part in ipairs(parts) do
            local mask = (1 << part[2]) - 1 << part[1]
            assert.equal(0, all & mask, game)
            all = all | mask
         end
         assert.equal(0xFFFF, all, game)
      end
   end)

   it("raises for what is no flag and no game, at the script's line", function()
      local function raises(message, name, ...)
         local ok, caught = pcall(function(...) flags[name](...) end, ...)
         assert.is_false(ok)
         assert.matches("^spec/flags/flags_spec.lua:%d+: " .. message, caught)
      end
      for _, number in ipairs{ -1, 65536, 0.5, "road" } do
         for _, name in ipairs{ "format", "describe", "fields" } do
            raises("expected a flag from 0 to 65535, got ", name, number)
         end
      end
      for _, name in ipairs{ "format", "describe", "fields", "parse" } do
         raises("there is no game 'mkwii' with flags, only mk7, ", name, name == "parse" and "0" or 0, "mkwii")
      end
      raises("there is no game 'mkwii' with flags, only mk7, ", "types", "mkwii")
      raises("there is no game 'mkwii' with flags, only mk7, ", "modifiers", "mkwii")
   end)
end)

describe("types as a mask", function()
   it("are named by type, with any variant, and by group", function()
      for _, game in ipairs(NAMED) do
         local all = {}
         for _, kind in ipairs(flags.types(game)) do
            assert.equal(1 << kind.number, flags.mask(kind.name, game))
            assert.equal(1 << kind.number, flags.mask(kind.name:upper() .. "/*", game))
            all[#all + 1] = kind.name
         end
         local mask = assert(flags.mask(all, game))
         assert.equal(mask, flags.mask(table.concat(all, ","), game))
         assert.equal(mask, flags.mask(table.concat(all, ", "), game))
         for _, group in ipairs(flags.groups(game)) do assert.equal(group.mask, flags.mask(group.name, game)) end
      end
      assert.equal(1 << 23, flags.mask("type_23", "mkds"))
   end)

   it("are those floors that check knows", function()
      -- Its rule for roads that face down asks the C side for floors.
      local collision = require "spec.recipe.collision"
      for _, game in ipairs{ "mkw", "mk8" } do
         for number = 0, 31 do
            local doc = assert(kart.kcl.parse(collision.row({ number }, game), game))
            assert(doc:transform(kart.matrix.scale{ 1, -1, 1 }))
            local found = false
            for _, finding in ipairs(doc:check()) do found = found or finding.rule == "road-face-down" end
            assert.equal(flags.mask("floors", game) >> number & 1 == 1, found, game .. " " .. number)
         end
      end
   end)

   it("name no type twice, and no group like a type", function()
      for _, game in ipairs(NAMED) do
         local names = {}
         for _, list in ipairs{ flags.types(game), flags.groups(game) } do
            for _, one in ipairs(list) do
               assert.is_nil(names[one.name])
               names[one.name] = true
            end
         end
      end
      assert.same({}, flags.groups "smg")
   end)

   it("say what can't be", function()
      local function says(message, words, game)
         local mask, said = flags.mask(words, game)
         assert.is_nil(mask)
         assert.matches(message, said, 1, true)
      end
      says("'road/dirt' says more than a type", "road/dirt")
      says("'road+trickable' says more than a type", { "wall", "road+trickable" })
      says("there is no type 'rood' (did you mean road?)", "rood")
      says("there is no type 'floorz' (did you mean floors?)", "floorz")
      says("found nothing", " , ")
      says("flags of smg have no names here", "road", "smg")
      assert.error_matches(function() flags.mask(1) end, "expected words")
   end)
end)
