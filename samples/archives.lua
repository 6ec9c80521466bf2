--- szs/: archives of every kind, and of every oddity that a game accepts. All of them open. Models and lights
--- are stand-ins: their names count, not their bytes.
local archivefile = require "samples.archivefile"
local kclfile = require "samples.kclfile"
local kclshapes = require "samples.kclshapes"

local list = {}

local function add(name, make) list[#list + 1] = { name = name, make = make } end

-- --- what is in them ----------------------------------------------------------------------------

local function model(name) return "bres" .. string.pack(">I2I2I4", 0xFEFF, 0, 64) .. name .. ("\0"):rep(52 - #name) end

-- A course of a few points, and ground to stand on, with a wall at one side.
local function points()
   return kart.kmp.new{
      ktpt = { { position = { 100, 50, 900 }, rotation = { 0, 90, 0 }, player = -1 } },
      gobj = { { id = 101, position = { 300, 60, 200 }, rotation = { 0, 30, 0 }, scale = { 1, 1, 1 }, presence = 63 } },
      jgpt = { { position = { 400, 50, 700 }, rotation = { 0, 45, 0 } } },
      stgi = { { laps = 3, pole = 0 } },
   }:bytes()
end

local function collision(count, edge)
   return kclfile.build{ game = "mkw", triangles = kclshapes.hill(count, edge, { 0x0000, 0x0020, 0x800C }), cell = 9,
      most = 8, least = 7 }
end

local function ground() return collision(2, 480.0) end
local function rock() return collision(1, 96.0) end

-- What a course of the game has, in its order, below a folder ".".
local function course(kmp, kcl)
   return { { ".", {
      { "course.kcl", kcl or ground() },
      { "course.kmp", kmp or points() },
      { "course_model.brres", model "course" },
      { "effect", { { "rk_course.breff", "effect" } } },
      { "map_model.brres", model "map" },
      { "obj", { { "rock.kcl", rock() }, { "rock.brres", model "rock" } } },
      { "posteffect", {
         { "posteffect.bfg", "fog" }, { "posteffect.blight", "LGHT" }, { "posteffect.blmap", "LMAP" },
      } },
      { "vrcorn_model.brres", model "vrcorn" },
   } } }
end

local TEXTS = { { "b.bin", "second" }, { "a.bin", "first" }, { "c.bin", "the third, which is longer than the others" } }

local function small() return { { ".", { { "course.kmp", points() }, table.unpack(TEXTS) } } } end

--- race.szs beside the loose files: the race course.
function list.race()
   return archivefile.yaz0(archivefile.u8(course(require "samples.race"():bytes(), require "samples.kcl_race"())))
end

-- --- whole courses ------------------------------------------------------------------------------

add("course.szs", function() return archivefile.yaz0(archivefile.u8(course())) end)
add("course.arc", function() return archivefile.u8(course()) end)
add("no_dot_folder.szs", function() return archivefile.yaz0(archivefile.u8(course()[1][2])) end)
add("other_names.szs", function()
   return archivefile.yaz0(archivefile.u8{ { ".", { { "Ruins.KMP", points() }, { "ruins.kcl", ground() } } } })
end)
add("beside_dot_folder.szs", function()
   local tree = small()
   table.insert(tree, { "outside.bin", "beside" })
   return archivefile.yaz0(archivefile.u8(tree))
end)
add("archive_in_archive.szs", function()
   local inner = archivefile.yaz0(archivefile.u8(small()))
   return archivefile.yaz0(archivefile.u8{ { ".", { { "inner.szs", inner }, { "course.kmp", points() } } } })
end)

-- --- layout -------------------------------------------------------------------------------------

for _, alignment in ipairs{ 1, 4, 16, 64 } do
   add(("alignment_%d.arc"):format(alignment), function() return archivefile.u8(small(), { alignment = alignment }) end)
end
add("ends_with_its_last_file.szs", function() return archivefile.yaz0(archivefile.u8(small(), { ends = false })) end)
add("marks_in_header.szs", function()
   return archivefile.yaz0(archivefile.u8(small(), { mark = "\xCC\xCC\xCC\xCCmade by tool" }))
end)
add("files_in_another_order.szs", function()
   return archivefile.yaz0(archivefile.u8(small(), { order = { "c.bin", "course.kmp", "b.bin" } }))
end)
add("gaps_between_files.arc", function() return archivefile.u8(small(), { alignment = 4, gap = "between" }) end)
add("trailing_bytes.arc", function() return archivefile.u8(small(), { tail = "behind the archive" }) end)
add("names_shared.szs", function()
   local one = { { "model.brres", model "same" }, { "note.txt", "one" } }
   local two = { { "model.brres", model "same" }, { "note.txt", "two" } }
   return archivefile.yaz0(archivefile.u8({ { ".", { { "one", one }, { "two", two } } } }, { shared = true }))
end)
add("names_twice.szs", function()
   return archivefile.yaz0(archivefile.u8{ { ".", { { "x.bin", "first" }, { "x.bin", "second" } } } })
end)
add("empty_files.szs", function()
   return archivefile.yaz0(archivefile.u8({ { ".", { { "a", "" }, { "b", "bytes" }, { "c", "" }, { "d", {} } } } },
      { change = function(nodes) nodes[2].words[2], nodes[4].words[2] = 0, 0x7FFFFFFF end }))
end)

-- --- names and folders --------------------------------------------------------------------------

-- Shift-JIS: the word for a course, and one whose second byte is that of a backslash.
add("names_in_shift_jis.szs", function()
   return archivefile.yaz0(archivefile.u8{ { ".", { { "\x83\x52\x81\x5B\x83\x58.kmp", points() },
      { "\x95\x5C.bin", "table" }, { "\x95\x5C", { { "\x8E\x71.bin", "child" } } } } } })
end)
add("names_in_utf8.szs", function()
   return archivefile.yaz0(archivefile.u8{ { ".", { { "Größe.bin", "ö" }, { "コース.bin", "course" } } } })
end)
add("deep_folders.szs", function()
   local tree = { { "deep.bin", "at the bottom" } }
   for i = 61, 1, -1 do tree = { { "f" .. i, tree } } end
   return archivefile.yaz0(archivefile.u8{ { ".", tree } })
end)
add("no_files.szs", function() return archivefile.yaz0(archivefile.u8{ { ".", {} } }) end)
add("nothing_but_a_root.arc", function() return archivefile.u8{} end)
add("one_file.szs", function() return archivefile.yaz0(archivefile.u8{ { ".", { { "only.bin", "alone" } } } }) end)

-- --- compression --------------------------------------------------------------------------------

add("wii_u_alignment.szs", function() return archivefile.yaz0(archivefile.u8(small()), { alignment = 0x2000 }) end)
add("reserved_word.szs", function() return archivefile.yaz0(archivefile.u8(small()), { reserved = 0x12345678 }) end)
add("trailing_bytes.szs", function()
   return archivefile.yaz0(archivefile.u8(small()), { tail = ("left by a tool "):rep(4) })
end)
add("trailing_padding.szs", function() return archivefile.yaz0(archivefile.u8(small()), { tail = ("\0"):rep(20) }) end)

return list
