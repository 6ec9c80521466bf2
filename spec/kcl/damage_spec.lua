local lfs = require "lfs"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local SECTION_RANGE = "0x3C to 0x%x+"

-- Of each damaged sample, read as the game that it is of: the section, what is wrong there, what was
-- expected and found. Where, the sample itself tells.
local DAMAGE = {
   empty = { "header", "not a KCL file", ".+", "0 bytes in all" },
   text = { "header", "not a KCL file", ".+", ".*108 bytes" },
   zeros = { "header", "not a KCL file", ".+", ".*200 bytes" },
   fixed_without_radius = { "header", "a header without a radius", "floats", "fixed point, as in Super Mario 64 DS",
      code = "unsupported" },

   header_cut = { "header", "model too short", "a header of 60 bytes", "59" },
   cut_in_prisms = { "octree", "section offset", SECTION_RANGE, "0x%x+" },
   cut_in_roots = { "octree", "root grid", "at most 3 words in the section", "4" },
   cut_in_group = { "octree", "branch", "eight words in 0x%x+ to 0x%x+", "0x%x+" },
   cut_in_list = { "octree", "list leaves the octree's section", "a terminator before its end", "none from 0x%x+ on" },

   offset_of_positions_outside = { "positions", "section offset", SECTION_RANGE, "0x10000" },
   offset_of_normals_outside = { "normals", "section offset", SECTION_RANGE, "0x10000" },
   offset_of_prisms_outside = { "prisms", "section offset", SECTION_RANGE, "0x10010" },
   offset_of_octree_outside = { "octree", "section offset", SECTION_RANGE, "0x10000" },
   offset_in_header = { "normals", "section offset", SECTION_RANGE, "0x20" },
   mask_with_holes = { "header", "width mask", "ones above zeros", "0xFFFFF700" },
   mask_of_the_whole_world = { "header", "width mask", "an area below 2147483648 units", "none at all" },
   shift_too_large = { "header", "shift of the root cells", "at most 30", "31" },
   row_shift_too_large = { "header", "shifts of the root grid", "at most 31", "32 and 1" },
   grid_too_large = { "octree", "root grid", "at most %d+ words in the section", "%d+" },
   area_not_a_number = { "header", "area minimum", "finite numbers", "one that is not" },
   area_infinite = { "header", "area minimum", "finite numbers", "one that is not" },

   position_index = { "prisms", "position index", "below 1", "99" },
   normal_index_face = { "prisms", "face normal", "below 15", "32767" },
   normal_index_ca = { "prisms", "normal CA", "below 15", "32767" },
   normal_index_ab = { "prisms", "normal AB", "below 15", "32767" },
   normal_index_bc = { "prisms", "normal BC", "below 15", "32767" },

   list_id = { "octree", "list", "prisms up to 4", "5" },
   list_endless = { "octree", "list leaves the octree's section", "a terminator before its end", "none from 0x%x+ on" },
   list_outside = { "octree", "list leaves the octree's section", "a terminator before its end", "none from 0x%x+ on" },
   list_among_prisms = { "octree", "list leaves the octree's section", "a terminator before its end",
      "none from 0x%x+ on" },
   list_odd = { "octree", "list", "an even offset", "0x%x+" },
   branch_outside = { "octree", "branch", "eight words in 0x%x+ to 0x%x+", "0x%x+" },
   branch_far_outside = { "octree", "branch", "eight words in 0x%x+ to 0x%x+", "0x%x+" },
   branch_odd = { "octree", "branch", "eight words in 0x%x+ to 0x%x+", "0x%x+" },
   circle = { "octree", "branch", "a list: the cell is one unit wide", "another split .*" },
   circle_of_roots = { "octree", "branch", "a list: the cell is one unit wide", "another split .*" },
   deeper_than_a_unit = { "octree", "branch", "a list: the cell is one unit wide", "another split .*" },

   v2_header_cut = { "header", "file too short", "116 bytes or more", "96" },
   v2_no_models = { "header", "model count", "1 to 4096", "0" },
   v2_too_many_models = { "header", "model count", "1 to 4096", "2147483647" },
   v2_table_outside = { "models", "offset of the model table", "0x38 to 0x%x+", "0x100000" },
   v2_table_cut = { "header", "model count", "offsets within the file", "4000" },
   v2_octree_outside = { "global octree", "offset", "0x38 to 0x%x+", "0x100000" },
   v2_model_outside = { "models", "model offset", "0x38 to 0x%x+", "0x100000" },
   v2_model_in_header = { "models", "model offset", "0x38 to 0x%x+", "0x20" },
   v2_model_odd = { "models", "model offset", "a multiple of 4", "0x87" },
   v2_model_twice = { "models", "model offset", "each only once", "0x60 twice" },
   v2_octree_in_model = { "global octree", "offset, beside the model table", "0x38 to 0x%x+", "0x9C" },
   v2_bounds_not_a_number = { "header", "bounds", "finite numbers", "one that is not" },
   v2_width_too_large = { "header", "width exponent", "at most 31", "40" },
   v2_no_such_model = { "global octree", "leaf", "a model below 2", "2" },
   v2_word_of_no_kind = { "global octree", "word", "a branch, a model or nothing", "0x40000000" },
   v2_branch_outside = { "global octree", "branch", "eight words in 0x38 to 0x58", "0x%x+" },
   v2_circle = { "global octree", "branch", "a model or nothing in the end", "a circle" },
   v2_second_model_broken = { "octree", "list leaves the octree's section", "a terminator before its end",
      "none from 0x%x+ on" },
   v2_second_model_offset = { "positions", "section offset", SECTION_RANGE, "0x10000" },
}

-- Damaged so that nothing says any more which kind of file it was.
local TELLING = { header_cut = true, offset_of_positions_outside = true, v2_octree_outside = true }

-- The bytes of each damaged sample, the place of the damage, and the game.
local SAMPLES = {}
for _, sample in ipairs(require "samples.kcl_broken") do
   local bytes, offset = sample.make()
   SAMPLES[#SAMPLES + 1] = { name = sample.name, bytes = bytes, offset = offset, game = sample.game }
end

local function one_line(message)
   assert.is_nil(message:find("\n", 1, true), "more than one line")
   local place, hex, what, expected, found =
      message:match "^([%l ]+) at 0x(%x+): (.-): expected (.*), found (.-)$"
   assert.truthy(place, message)
   return place, tonumber(hex, 16), what, expected, found
end

it("every damaged sample has a case here", function()
   local names = {}
   for _, sample in ipairs(SAMPLES) do
      names[sample.name] = true
      assert.is_table(DAMAGE[sample.name], sample.name)
   end
   for name in pairs(DAMAGE) do assert.is_true(names[name], name) end
end)

describe("parsing tells section, byte, expected and found in one line:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local doc, message, code = kart.kcl.parse(sample.bytes, sample.game)
         assert.is_nil(doc)
         assert.equal(DAMAGE[sample.name].code or "format", code)
         local section, what, expected, found = table.unpack(DAMAGE[sample.name])
         local place, offset, found_what, found_expected, found_found = one_line(message)
         assert.equal(section, place)
         if sample.offset then assert.equal(sample.offset, offset, message) end
         assert.equal(what, found_what)
         assert.matches("^" .. expected .. "$", found_expected)
         assert.matches("^" .. found .. "$", found_found)
         local low, high = found_expected:match "^0x(%x+) to 0x(%x+)$"
         if low then
            assert.is_true(#high <= 8 and tonumber(low, 16) <= tonumber(high, 16), "nothing lies in " .. found_expected)
         end
      end)
   end
end)

describe("the same is said without knowing the game:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local doc, message, code = kart.kcl.parse(sample.bytes)
         assert.is_nil(doc)
         assert.equal(DAMAGE[sample.name].code or "format", code)
         local place, offset = one_line(message)
         -- One bad place doesn't make another file of it, unless it is what tells the kinds apart.
         if sample.game and not TELLING[sample.name] then
            assert.equal(DAMAGE[sample.name][1], place, message)
            if sample.offset then assert.equal(sample.offset, offset) end
         end
      end)
   end
end)

describe("opening puts the path before it:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local path = support.tmp() .. "/course.kcl"
         support.write(path, sample.bytes)
         local doc, message, code = kart.open(path)
         assert.is_nil(doc)
         assert.equal(DAMAGE[sample.name].code or "format", code)
         assert.equal(path .. ": ", message:sub(1, #path + 2))
         one_line(message:sub(#path + 3))
      end)
   end
end)

local function names_in(folder)
   local names = {}
   for name in lfs.dir(folder) do
      if name ~= "." and name ~= ".." then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

local function count_lines(text) return select(2, text:gsub("\n", "\n")) end

describe("the mirror recipe fails with one line and writes nothing:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local folder = support.tmp()
         local path = folder .. "/course.kcl"
         support.write(path, sample.bytes)
         local code, out, err = support.run("scripts/mirror.lua", path)
         assert.equal(1, code)
         assert.equal("", out)
         assert.equal(1, count_lines(err), err)
         assert.equal(path .. ": ", err:sub(1, #path + 2))
         assert.matches("expected .+, found .+\n$", err)
         assert.same({ "course.kcl" }, names_in(folder))
         assert.is_true(support.read(path) == sample.bytes)
      end)
   end

   it("but does the files before and behind a damaged one", function()
      local folder = support.tmp()
      support.write(folder .. "/a.kcl", tools.bytes "mkw")
      support.write(folder .. "/b.kcl", SAMPLES[2].bytes)
      support.write(folder .. "/c.kcl", tools.bytes "mk8")
      local code, _, err = support.run("scripts/mirror.lua", folder .. "/a.kcl", folder .. "/b.kcl", folder .. "/c.kcl")
      assert.equal(1, code)
      assert.equal(1, count_lines(err), err)
      assert.same({ "a.kcl", "a.mirror.kcl", "b.kcl", "c.kcl", "c.mirror.kcl" }, names_in(folder))
   end)
end)

it("the translate recipe says where an octree can't be built, and writes nothing", function()
   local folder = support.tmp()
   support.write(folder .. "/course.kcl", tools.unbuildable())
   local code, _, err = support.run("scripts/translate.lua", "--by", "0.1,0,0", folder .. "/course.kcl")
   assert.equal(1, code)
   assert.matches("none of 24 triangles has an area", err)
   assert.same({ "course.kcl" }, names_in(folder))
end)

-- What a file must not do behind the reader's back ------------------------------------------------

local kclfile = require "samples.kclfile"
local kclshapes = require "samples.kclshapes"

local function hill() return kclshapes.hill(1, 480, { 0, 12 }) end

-- `levels` groups of eight words, all of which lead to the next one, the last to one list of `length`.
local function shared_groups(levels, length)
   local words = { 4 }
   for level = 1, levels do
      for _ = 1, 8 do words[#words + 1] = level < levels and 32 or 0x80000000 | 30 end
   end
   return kclfile.build{ game = "mkw", triangles = hill(),
      grid = { min = { -600, -600, -600 }, shift = 25, bits = { 0, 0, 0 } },
      octree = string.pack(">" .. ("I4"):rep(#words), table.unpack(words)) .. ("\0\1"):rep(length) .. "\0\0" }
end

describe("a few bytes that stand for too much are refused:", function()
   for what, case in pairs{
      ["8^8 cells"] = { 8, 1, "more than 4194304 cells" },
      ["8^20 cells"] = { 20, 1, "more than 4194304 cells" },
      ["8^7 cells with 33 ids each"] = { 7, 33, "more than 67108864 prisms in all" },
      ["an endless number of ids"] = { 6, 100000, "more than 67108864 prisms in all" },
   } do
      it(what, function()
         local doc, message, code = kart.kcl.parse(shared_groups(case[1], case[2]))
         assert.is_nil(doc)
         assert.equal("limit", code)
         assert.matches(case[3], message)
      end)
   end

   it("but not what just fits: 8^7 cells with 32 ids each", function()
      local doc <close> = assert(kart.kcl.parse(shared_groups(7, 32)))
      assert.equal(4, #doc.prisms)
   end)
end)
