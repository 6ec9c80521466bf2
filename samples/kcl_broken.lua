--- broken_kcl/: damaged KCL files. None of them may open; each name says what is wrong. `make` gives
--- the bytes and, where one place is wrong, its offset; `game` is what the file is to be read as.
local kclfile = require "samples.kclfile"
local kclformat = require "samples.kclformat"
local kclshapes = require "samples.kclshapes"

local broken = {}

local function add(name, game, make) broken[#broken + 1] = { name = name, game = game, make = make } end

-- A file with a grid of 2 x 1 x 2 root cells of 1024 units, the first of which is split in eight.
local LEAF, ROOTS = 0x80000000, 4
local END = { mkw = "\0\0", mk8 = "\xFF\xFF" }

local function triangles(game)
   local unit = kclformat.of(game).unit
   return kclshapes.hill(1, 48 * unit, { 0, 12 })
end

-- The words and ids of its octree: { roots and group as words, lists as bytes }.
local function tree(game)
   local first = string.pack(">I2I2I2I2", 1, 2, 3, 4)
   if game == "mk8" then first = string.pack(">I2I2I2I2", 0, 1, 2, 3) end
   local words = { 16 } -- the group behind the roots
   for i = 2, ROOTS do words[i] = LEAF | 4 * ROOTS + 32 - 2 end
   for i = 1, 8 do words[ROOTS + i] = LEAF | 32 + 8 * (i & 1) - 2 end
   return { words = words, lists = first .. END[game] }
end

local function tree_bytes(parts)
   return string.pack(">" .. ("I4"):rep(#parts.words), table.unpack(parts.words)) .. parts.lists
end

-- What a model is made of; `change` may change its octree's parts and its spec.
local function model(game, change)
   local parts = tree(game)
   local made = { game = game, triangles = triangles(game), header = {},
      grid = { min = { -600, -600, -600 }, shift = 10, bits = { 1, 0, 1 } } }
   if change then change(parts, made) end
   made.octree = tree_bytes(parts)
   return made
end

local function u32_at(bytes, offset) return (string.unpack(">I4", bytes, offset + 1)) end

-- Offset of a section of a big-endian model without V2's header.
local function section_at(bytes, number) return u32_at(bytes, 4 * number - 4) + (number == 3 and 0x10 or 0) end

local function octree_at(bytes) return section_at(bytes, 4) end

-- A Mario Kart Wii file whose octree or header were changed; `place` gives the wrong offset.
local function mkw(name, change, place)
   add(name, "mkw", function()
      local bytes = kclfile.build(model("mkw", change))
      return bytes, type(place) == "function" and place(bytes) or place
   end)
end

-- Bytes written over the file; `wrong` is what is then at fault, if it isn't the same place.
local function patched(name, place, text, wrong)
   add(name, "mkw", function()
      local bytes = kclfile.build(model "mkw")
      local function offset_of(where) return type(where) == "function" and where(bytes) or where end
      return kclfile.patch(bytes, offset_of(place), text), offset_of(wrong or place)
   end)
end

-- No KCL at all.

add("empty", nil, function() return "", 0 end)
add("text", nil, function() return ("# a text file, not a collision file\n"):rep(3), 0 end)
add("zeros", nil, function() return ("\0"):rep(200), 0 end)

-- One of Super Mario 64 DS: a header without a radius, and fixed point.
add("fixed_without_radius", nil, function()
   local bytes = kclfile.build{ game = "sm3dl", triangles = triangles "sm3dl", cell = 10, most = 10, least = 9 }
   return kclfile.patch(bytes, 0x10, string.pack("<i4i4i4i4", 40 << 16, -600 << 6, -600 << 6, -600 << 6)), 0x10
end)

-- Cut off.

add("header_cut", "mkw", function() return kclfile.build(model "mkw"):sub(1, 0x3B), 0 end)
add("cut_in_prisms", "mkw", function()
   local bytes = kclfile.build(model "mkw")
   return bytes:sub(1, section_at(bytes, 3) + 20), 0xC
end)
add("cut_in_roots", "mkw", function()
   local bytes = kclfile.build(model "mkw")
   return bytes:sub(1, octree_at(bytes) + 4 * ROOTS - 4), octree_at(bytes)
end)
add("cut_in_group", "mkw", function()
   local bytes = kclfile.build(model "mkw")
   return bytes:sub(1, octree_at(bytes) + 4 * ROOTS + 20), octree_at(bytes)
end)
add("cut_in_list", "mkw", function()
   local bytes = kclfile.build(model "mkw")
   return bytes:sub(1, -3), octree_at(bytes) + 4 * ROOTS
end)

-- Header.

for number, name in ipairs{ "positions", "normals", "prisms", "octree" } do
   patched("offset_of_" .. name .. "_outside", 4 * number - 4, "\0\1\0\0")
end
patched("offset_in_header", 4, "\0\0\0\x20")
patched("mask_with_holes", 0x20, "\xFF\xFF\xF7\x00")
patched("mask_of_the_whole_world", 0x24, "\0\0\0\0")
patched("shift_too_large", 0x2C, "\0\0\0\x1F")
patched("row_shift_too_large", 0x30, "\0\0\0\x20")
patched("grid_too_large", 0x2C, "\0\0\0\4", octree_at)
patched("area_not_a_number", 0x18, "\x7F\xC0\0\0", 0x14)
patched("area_infinite", 0x14, "\xFF\x80\0\0")

-- Prisms.

local function prism_at(number, field)
   return function(bytes) return section_at(bytes, 3) + 0x10 * (number - 1) + field end
end
patched("position_index", prism_at(2, 4), "\0\x63")
for i, name in ipairs{ "face", "ca", "ab", "bc" } do
   patched("normal_index_" .. name, prism_at(3, 4 + 2 * i), "\x7F\xFF")
end

-- Octree.

local function root(number) return function(bytes) return octree_at(bytes) + 4 * number - 4 end end
local function child(number) return root(ROOTS + number) end

patched("list_id", function(bytes) return #bytes - 6 end, "\0\5")
patched("list_endless", function(bytes) return #bytes - 2 end, "\0\1", child(1))
mkw("list_outside", function(parts) parts.words[3] = LEAF | 0x7FFFFF0 end, root(3))
mkw("list_odd", function(parts) parts.words[2] = parts.words[2] + 1 end, root(2))
mkw("list_among_prisms", function(parts, made)
   -- Where the octree comes first: the list would begin with the flag of a prism.
   made.order = { "positions", "normals", "octree", "prisms" }
   parts.words[3] = LEAF | #tree_bytes(parts) + 14 - 2
end, root(3))
mkw("branch_outside", function(parts) parts.words[4] = 0x10000 end, root(4))
mkw("branch_far_outside", function(parts) parts.words[4] = 0x7FFFFFFF end, root(4))
mkw("branch_odd", function(parts) parts.words[4] = 17 end, root(4))
mkw("circle", function(parts) parts.words[ROOTS + 3] = 0 end, child(3))
mkw("circle_of_roots", function(parts) parts.words[4] = 0 end)
mkw("deeper_than_a_unit", function(parts, made)
   -- One cell of one unit that is split.
   made.header = { mask = { 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFE }, shift = 0 }
   parts.words[2] = 16
end, root(1))

-- Several models.

local function v2(name, change, place)
   add(name, "mk8", function()
      local format = kclformat.of "mk8"
      local one = model "mk8"
      local bytes = kclfile.model(one, one.triangles, one.grid)
      local pieces = { min = { -600, -600, -600 }, max = { 100, 100, 100 }, shifts = { 11, 10, 11 }, total = 4,
         root = { 0, 1, 0, 1, false, false, 1, 1 }, models = { bytes, bytes } }
      if change then change(pieces) end
      pieces.global = pieces.global or kclfile.global(format, pieces.root)
      local file = kclfile.join(format, pieces)
      return file, type(place) == "function" and place(file) or place
   end)
end

-- Of the second model of a file.
local function second(field)
   return function(file)
      local at = u32_at(file, u32_at(file, 8) + 4)
      return at + field(file:sub(at + 1))
   end
end

-- The table's place of a file without changes: one group of the global octree before it.
local TABLE = 0x38 + 32

v2("v2_header_cut", function(pieces) pieces.models = { "", "" } end)
v2("v2_no_models", function(pieces) pieces.header = { count = 0 } end, 0xC)
v2("v2_too_many_models", function(pieces) pieces.header = { count = 0x7FFFFFFF } end, 0xC)
v2("v2_table_outside", function(pieces) pieces.header = { table = 0x100000 } end, 8)
v2("v2_table_cut", function(pieces) pieces.header = { count = 4000 } end, 0xC)
v2("v2_octree_outside", function(pieces) pieces.header = { global = 0x100000 } end, 4)
v2("v2_model_outside", function(pieces) pieces.table = { [2] = 0x100000 } end, TABLE + 4)
v2("v2_model_in_header", function(pieces) pieces.table = { [1] = 0x20 } end, TABLE)
v2("v2_model_odd", function(pieces) pieces.table = { [2] = 0x87 } end, TABLE + 4)
v2("v2_model_twice", function(pieces) pieces.table = { [2] = TABLE + 8 } end)
v2("v2_octree_in_model", function(pieces) pieces.header = { global = TABLE + 8 + 0x3C } end, 4)
v2("v2_bounds_not_a_number", function(pieces) pieces.min = { 0, 0 / 0, 0 } end, 0x10)
v2("v2_width_too_large", function(pieces) pieces.shifts[2] = 40 end, 0x2C)
v2("v2_no_such_model", function(pieces) pieces.root[4] = 2 end, 0x38 + 12)
v2("v2_word_of_no_kind", function(pieces)
   pieces.global = string.pack(">I4I4I4I4I4I4I4I4", LEAF, LEAF, LEAF, LEAF, LEAF, 0x40000000, LEAF, LEAF)
end, 0x38 + 20)
v2("v2_branch_outside", function(pieces)
   pieces.global = string.pack(">I4I4I4I4I4I4I4I4", LEAF, 0x3FFFFFFF, LEAF, LEAF, LEAF, LEAF, LEAF, LEAF)
end, 0x38 + 4)
v2("v2_circle", function(pieces)
   pieces.global = string.pack(">I4I4I4I4I4I4I4I4", LEAF, LEAF, LEAF, 0, LEAF, LEAF, LEAF, LEAF)
end, 0x38 + 12)
v2("v2_second_model_broken", function(pieces)
   local bytes = pieces.models[2]
   pieces.models[2] = kclfile.patch(bytes, #bytes - 2, "\0\1")
end, second(function(bytes) return u32_at(bytes, 0xC) + 4 * ROOTS end))
v2("v2_second_model_offset", function(pieces)
   pieces.models[2] = kclfile.patch(pieces.models[2], 0, "\0\1\0\0")
end, second(function() return 0 end))

return broken
