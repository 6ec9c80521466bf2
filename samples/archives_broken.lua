--- broken_szs/: damaged archives. None of them may open; each name says what is wrong.
local archivefile = require "samples.archivefile"

local broken = {}

local function add(name, make) broken[#broken + 1] = { name = name, make = make } end

local function tree()
   return { { ".", { { "a.bin", "first" }, { "folder", { { "b.bin", "second" } } }, { "c.bin", "third" } } } }
end

-- Nodes by number: 0 the root, 1 ".", 2 a.bin, 3 the folder, 4 b.bin, 5 c.bin.
local function u8(name, how) add(name .. ".arc", function() return archivefile.u8(tree(), how) end) end

-- Another word of a node.
local function word(name, node, number, value)
   u8(name, { change = function(nodes) nodes[node].words[number] = value end })
end

-- --- U8 -----------------------------------------------------------------------------------------

u8("table_before_the_header_ends", { header = { start = 0x10 } })
u8("table_behind_the_file", { header = { start = 0x10000 } })
u8("table_longer_than_the_file", { header = { length = 0x10000 } })
u8("table_too_short_for_its_root", { header = { length = 8 } })
u8("table_too_short_for_its_nodes", { header = { length = 0x40 } })
word("root_is_a_file", 0, 1, 0)
word("root_without_nodes", 0, 3, 0)
word("root_with_too_many_nodes", 0, 3, 0x10000000)
word("node_of_no_type", 2, 1, 0x02000000)
word("name_behind_the_names", 2, 1, 0x00FFFFFF)
word("file_behind_the_end", 5, 2, 0x10000)
word("file_longer_than_the_rest", 5, 3, 0x10000)
word("file_that_wraps_around", 5, 3, 0xFFFFFFF0)
word("folder_in_a_file", 3, 2, 2)
word("folder_in_itself", 3, 2, 3)
word("folder_that_ends_before_it", 3, 3, 2)
word("folder_that_ends_behind_its_own", 3, 3, 7)
add("name_without_an_end.arc", function()
   local bytes = archivefile.u8(tree())
   local start, length = string.unpack(">I4I4", bytes, 5)
   return bytes:sub(1, start + length - 1) .. "x" .. bytes:sub(start + length + 1)
end)
add("header_cut.arc", function() return archivefile.u8(tree()):sub(1, 0x1F) end)
add("cut_in_its_last_file.arc", function() return archivefile.u8(tree(), { ends = false }):sub(1, -2) end)
add("folders_too_deep.arc", function()
   local deep = { { "x", "" } }
   for _ = 1, 70 do deep = { { "f", deep } } end
   return archivefile.u8(deep)
end)

-- --- Yaz0 ---------------------------------------------------------------------------------------

local function yaz0(name, make) add(name .. ".szs", make) end

local function packed(how) return archivefile.yaz0(archivefile.u8(tree()), how) end

-- A stream of a stated size, made by hand.
local function stream(size, body) return "Yaz0" .. string.pack(">I4I4I4", size, 0, 0) .. body end

yaz0("header_cut", function() return packed():sub(1, 15) end)
yaz0("stream_cut", function() return packed():sub(1, -3) end)
yaz0("states_more_than_it_holds", function() return packed{ size = 0x400 } end)
yaz0("states_less_than_it_holds", function() return packed{ size = 0x30 } end)
yaz0("states_four_gigabytes", function() return packed{ size = 0xFFFFFFFF } end)
yaz0("states_nothing", function() return packed{ size = 0 } end)
yaz0("copies_from_before_the_start", function()
   return stream(64, "\x80U\x1F\xFF" .. ("\xFF" .. ("x"):rep(8)):rep(8))
end)
yaz0("copies_past_its_size", function() return stream(4, "\xC0U\xAA\xF0\x00") end)
yaz0("archive_in_it_damaged", function()
   return archivefile.yaz0(archivefile.u8(tree(), { header = { start = 0x10000 } }))
end)

-- --- other kinds --------------------------------------------------------------------------------

yaz0("sarc_in_it", function() return archivefile.yaz0("SARC\0\x14\xFE\xFF" .. ("\0"):rep(56)) end)
yaz0("text_in_it", function() return archivefile.yaz0(("a text, not an archive\n"):rep(4)) end)
yaz0("wu8_of_a_distribution", function() return "WU8a" .. ("\0"):rep(60) end)
add("sarc.arc", function() return "SARC\0\x14\xFE\xFF" .. ("\0"):rep(56) end)
add("rarc.arc", function() return "RARC" .. ("\0"):rep(60) end)
add("lz11.arc", function() return "\x11" .. string.pack("<I3", 200) .. ("x"):rep(60) end)
add("empty.szs", function() return "" end)

return broken
