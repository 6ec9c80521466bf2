--- variants/: what files may look like beside the game's own. Every version, extension and oddity
--- that real files have, or that the game accepts.
local kmpfile = require "samples.kmpfile"
local shapes = require "samples.shapes"

-- A small course, as a table for kart.kmp.new: a ring of four points.
local function small(changes)
   local bare = changes and changes.version and changes.version <= 1830 -- a start position without a player
   local road = shapes.ring(kart.vec(0, 100, 0), 4000, 4)
   local enpt, enph = shapes.groups({ road }, { { 1 } }, function(place)
      return { position = shapes.whole(place.position), width = 15 }
   end)
   local itpt, itph = shapes.groups({ road }, { { 1 } }, function(place)
      return { position = shapes.whole(place.position), width = 30 }
   end)
   local ckpt, ckph = shapes.checkpoints({ road }, { { 1 } }, 1000, function(_, number)
      return { type = number - 1, respawn = (number + 2) // 2 % 2 + 1 }
   end)
   local spec = {
      ktpt = { { position = { -4000, 100, -300 }, rotation = { 0, 0, 0 }, player = not bare and -1 or nil } },
      enpt = enpt, enph = enph, itpt = itpt, itph = itph, ckpt = ckpt, ckph = ckph,
      gobj = { { id = 101, position = { 100, 50, -100 }, presence = 0x3F },
         { id = 405, position = { 1000, 50, 0 }, rotation = { 0, 45, 0 }, settings = { 0, 30 }, route = 1 } },
      poti = { { smooth = 0, motion = 1, points = shapes.route(road, { speed = 20 }) } },
      area = { { type = 0, camera = 1, position = { 0, -100, 0 }, rotation = { 0, 30, 0 }, scale = { 1, 0.5, 2 } } },
      came = { opening = 1, selection = 1, { type = 1, position = { 0, 3000, 0 }, zoom_start = 50, zoom_end = 50 } },
      jgpt = { { position = { -4000, 300, 0 }, id = 0, range = -1 },
         { position = { 4000, 300, 0 }, rotation = { 0, 180, 0 }, id = 1, range = -1 } },
      stgi = { { laps = 3, flare_color = { 0xE6, 0xE6, 0xE6 } } },
   }
   for name, value in pairs(changes or {}) do spec[name] = value end
   return spec
end

local function new(changes) return kart.kmp.new(small(changes)) end

-- The small course after `edit` had the open document.
local function edited(edit, changes)
   local doc = new(changes)
   edit(doc)
   return doc:bytes()
end

-- The small course after `cut` had its pieces.
local function cut(change, changes)
   local file = kmpfile.split(new(changes):bytes())
   change(file)
   return kmpfile.join(file)
end

local function reversed(list)
   local result = {}
   for i, value in ipairs(list) do result[#list + 1 - i] = value end
   return result
end

local variants = {}

-- Versions.

local function add(name, make) variants[#variants + 1] = { name = name, make = make } end

add("version_2510", function() return new{ version = 2510 }:bytes() end)
add("version_2320", function() return new{ version = 2320 }:bytes() end) -- STGI of 8 bytes
add("version_1831", function() return new{ version = 1831 }:bytes() end) -- AREA of 0x2C bytes
add("version_1830", function() return new{ version = 1830 }:bytes() end) -- bare KTPT
add("version_1600", function() return new{ version = 1600 }:bytes() end)
add("version_0", function() return new{ version = 0 }:bytes() end)
add("version_0_no_word", function() return cut(function(file) file.version = nil end, { version = 0 }) end)
add("version_2200_area_30", function() return new{ version = 2200 }:bytes() end)
add("version_2200_area_2c", function()
   return cut(function(file) file.version = 2200 end, { version = 2199 })
end)
add("version_1830_ktpt_counted", function()
   return cut(function(file) file.version = 1830 end, { version = 1831 })
end)
add("version_2520_stgi_short", function()
   return cut(function(file) file.version = 2520 end, { version = 2320 })
end)
add("version_9999", function() return new{ version = 9999 }:bytes() end)

-- Headers and the places of sections.

add("header_extra", function() return cut(function(file) file.extra = ("\xAB"):rep(16) end) end)
add("order_in_file", function()
   return cut(function(file)
      file.sections = reversed(file.sections)
      file.slots = {}
      for i in ipairs(file.sections) do file.slots[i] = #file.sections + 1 - i end
   end)
end)
add("order_in_table", function()
   return cut(function(file)
      file.slots = { 15, 3, 2, 1, 14, 4, 5, 13, 6, 7, 8, 12, 9, 10, 11 }
   end)
end)
add("sections_missing", function()
   return cut(function(file)
      for _, magic in ipairs{ "MSPT", "CNPT", "ITPH", "ITPT" } do
         local _, number = kmpfile.section(file, magic)
         table.remove(file.sections, number)
      end
   end)
end)
add("sections_none", function()
   return kmpfile.join{ magic = "RKMD", order = ">", version = 2520, sections = {} }
end)
add("section_wim0", function()
   return cut(function(file)
      local text = "raw data of an extended file"
      table.insert(file.sections, { magic = "WIM0", data = "WIM0" .. string.pack(">I4", #text) .. text })
   end)
end)
add("section_unknown_first", function()
   return cut(function(file) table.insert(file.sections, 1, { magic = "XYZ0", data = "XYZ0\0\2\0\0some" }) end)
end)
add("section_twice", function()
   return cut(function(file)
      table.insert(file.sections, { magic = "CNPT", data = kmpfile.data(file, "CNPT", 1, 0, ("\1"):rep(0x1C)) })
   end)
end)
add("section_in_two_slots", function()
   return cut(function(file)
      file.slots = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 12 }
   end)
end)
add("text_behind", function() return cut(function(file) file.tail = "INFO\nmade by hand\n" end) end)
add("gaps", function()
   return cut(function(file)
      file.gap = "\0\0\0\0between"
      for i, section in ipairs(file.sections) do section.gap = ("\xEE"):rep(i % 4 * 4) end
   end)
end)
add("tail_4", function() return cut(function(file) file.tail = ("\0"):rep(4) end) end)
add("tail_4_not_in_length", function()
   return cut(function(file)
      file.length = #kmpfile.join(file)
      file.tail = ("\0"):rep(4)
   end)
end)
add("length_0", function() return cut(function(file) file.length = 0 end) end)
add("length_too_large", function() return cut(function(file) file.length = 0x7FFFFFFF end) end)
add("header_word_in_enpt", function()
   -- The word behind the count means nothing in most sections.
   return cut(function(file) kmpfile.patch(kmpfile.section(file, "ENPT"), 6, "\x12\x34") end)
end)

-- Extensions.

add("ktpt_minimap_line", function()
   return new{ ktpt = { { position = { -4000, 100, -300 }, player = 0 },
      { position = { -4000, 100, 0 }, player = -1 } } }:bytes()
end)
add("presence_extended", function()
   return new{ gobj = { { id = 0x1065, extension = 0xA5C3, presence = 0xFFC7 }, { id = 0x2195, settings = { 0, 7 },
      extension = 1, presence = 0x8007 }, { id = 0x3195, presence = 0x40 } } }:bytes()
end)
add("lap_masks", function()
   return edited(function(doc)
      doc.enph[1].dispatch = 0x0006
      doc.itph[1].dispatch = 0x8001
   end)
end)
add("area_10_11", function()
   return new{ area = { { type = 10, setting_1 = 1, setting_2 = 3 }, { type = 11, setting_1 = 0xFFFF } } }:bytes()
end)
add("camera_7_8_99", function()
   return new{ came = { { type = 7, view_start = { 1, 2, 3 } }, { type = 8 }, { type = 99 } } }:bytes()
end)

-- Oddities.

add("jgpt_ids", function()
   return edited(function(doc) doc.jgpt[1].id, doc.jgpt[2].id = 7, 0 end)
end)
add("first_cameras_none", function()
   return edited(function(doc) doc.came.opening, doc.came.selection = nil, nil end)
end)
add("first_cameras_out_of_range", function()
   return cut(function(file) kmpfile.patch(kmpfile.section(file, "CAME"), 6, "\x09\xF0") end)
end)
add("point_total_lies", function()
   return cut(function(file) kmpfile.patch(kmpfile.section(file, "POTI"), 6, "\x00\x63") end)
end)
add("route_empty", function() return new{ poti = { { points = {} }, { points = { { speed = 1 } } } } }:bytes() end)
add("references_out_of_range", function()
   return cut(function(file)
      kmpfile.patch(kmpfile.section(file, "CKPT"), 8 + 0x10, "\x63") -- respawn
      kmpfile.patch(kmpfile.section(file, "ENPH"), 8 + 0x08, "\x40") -- next
      kmpfile.patch(kmpfile.section(file, "GOBJ"), 8 + 0x28, "\x12\x34") -- route
      kmpfile.patch(kmpfile.section(file, "ITPH"), 8 + 0x00, "\xC8") -- start
   end)
end)
add("link_slots_with_holes", function()
   return edited(function(doc)
      doc.enph[1].next = { nil, 1, nil, 1, nil, 1 }
      doc.enph[1].prev = { nil, nil, nil, nil, nil, 1 }
   end)
end)
add("minus_zero", function()
   local zero = kart.vec(-0.0, -0.0, -0.0)
   return edited(function(doc)
      for _, section in ipairs{ doc.ktpt, doc.gobj, doc.area, doc.came, doc.jgpt } do
         for _, record in ipairs(section) do record.rotation = zero end
      end
      for _, section in ipairs{ doc.enpt, doc.itpt, doc.gobj } do section[1].position = zero end
      doc.came[1].view_start, doc.came[1].zoom_start = zero, -0.0
      doc.ckpt[1].left = { -0.0, 5000 }
      doc.poti[1].points[1].position = zero
   end)
end)
add("odd_scales", function()
   return edited(function(doc)
      doc.gobj[1].scale, doc.gobj[2].scale = { -1, 0, 2.5 }, { 0, 0, 0 }
      doc.area[1].scale = { 0, -0.5, 1 }
   end)
end)
add("odd_rotations", function()
   return edited(function(doc)
      doc.ktpt[1].rotation = { 0, 720, 0 }
      doc.gobj[1].rotation, doc.gobj[2].rotation = { 400, -725.5, 361 }, { 180, -180, 270 }
      doc.area[1].rotation = { -450, 90, 1080.25 }
      doc.jgpt[1].rotation, doc.jgpt[2].rotation = { 180, -15, 180 }, { 30, 90, -20 }
   end)
end)
add("not_finite", function()
   return cut(function(file)
      kmpfile.patch(kmpfile.section(file, "ENPT"), 8, string.pack(">f", 0 / 0))
      kmpfile.patch(kmpfile.section(file, "GOBJ"), 8 + 0x14, string.pack(">f", math.huge))
      kmpfile.patch(kmpfile.section(file, "CKPT"), 8, "\xFF\xC0\x12\x34") -- a NaN with a payload
   end)
end)
add("settings_signed", function()
   return new{ gobj = { { id = 405, settings = { 0x7FFF, -32768, 65535, -1, 0, 1, 2, 3 } } } }:bytes()
end)
add("padding_used", function()
   return edited(function(doc)
      doc.ktpt[1].padding, doc.ckph[1].padding, doc.area[1].padding = 0x1234, 0xFFFF, 0x5678
      doc.stgi[1].padding_1, doc.stgi[1].padding_2, doc.stgi[1].speed_factor = 0xAA, 0x55, 1.5
   end)
end)
add("many_records", function()
   local objects = {}
   for i = 1, 700 do objects[i] = { id = i, position = { i * 10, 0, -i }, rotation = { 0, i, 0 }, presence = 0x3F } end
   return new{ gobj = objects }:bytes()
end)

-- Mario Kart 7.

local function mk7()
   local doc = kart.kmp.new{
      game = "mk7",
      ktpt = { { position = { 0, 0, 10 }, rotation = { 0, 180, 0 }, player = -1 } },
      enpt = { { position = { 1, 2, 3 }, unknown = { 9, 8, 7, 6, 5, 4, 3, 2 } }, { width = 5 } },
      enph = { { start = 1, length = 2, prev = { 1 }, next = { 1 } } },
      itpt = { { position = { 1, 2, 3 }, width = 5 } },
      itph = { { start = 1, length = 1, prev = { 1 }, next = { 1 } } },
      ckpt = { { left = { 10, 0 }, right = { -10, 0 }, type = 0, unknown = { 1, 0, 0xFF, 2 } } },
      ckph = { { start = 1, length = 1, prev = { 1 }, next = { 1 } } },
      gobj = { { id = 5, position = { 10, 0, -20 }, rotation = { 0, 90, 0 }, unknown = { 1, 2, 3, 4 } } },
      area = { { type = 0, camera = 1, rotation = { 0, -45, 0 } } },
      poti = {
         { smooth = 1, points = { { position = { 1, 1, 1 }, speed = 3 }, { position = { 2, 2, 2 }, setting = 4 } } },
      },
      came = { opening = 1, { type = 5, route = 1, rotation = { 0, 10, 0 } } },
      jgpt = { { position = { 0, 5, 0 }, rotation = { 0, 90, 0 } } },
      cnpt = { { position = { 0, 6, 0 } } }, mspt = { { position = { 0, 7, 0 }, id = 3 } },
      glpt = { { position = { 8, 9, 10 }, width = 2, unknown = { 1, 2, 3, 4, 5, 6, 7, 8 } } },
      glph = { { start = 1, length = 1, next = { 1 }, unknown = { 1, 2, 3, 4, 5, 6, 7, 8 } } },
   }
   local file = kmpfile.split(doc:bytes())
   -- Two sections whose fields nobody knows.
   kmpfile.section(file, "IGTS").data = kmpfile.data(file, "IGTS", 1, 0, "\3\0\0\1\0\0\0\0\0\0\0\0")
   kmpfile.section(file, "SROC").data = kmpfile.data(file, "SROC", 1, 0, ("\1\2\3\4"):rep(8))
   return file
end

add("mk7", function() return kmpfile.join(mk7()) end)
add("mk7_tail_4", function()
   local file = mk7()
   file.tail = ("\0"):rep(4)
   return kmpfile.join(file)
end)
add("mk7_uneven_stgi", function()
   -- Three records in a room that three doesn't divide: kept whole.
   local file = mk7()
   kmpfile.section(file, "IGTS").data = kmpfile.data(file, "IGTS", 3, 0, ("\7"):rep(10))
   return kmpfile.join(file)
end)

return variants
