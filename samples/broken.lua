--- broken/: damaged files. None of them may open; each name says what is wrong.
local kmpfile = require "samples.kmpfile"

local broken = {}

local function add(name, make) broken[#broken + 1] = { name = name, make = make } end

-- The race course after `change` had its pieces.
local function cut(change)
   local file = kmpfile.split(require "samples.race"():bytes())
   change(file)
   return kmpfile.join(file)
end

-- The race course after `change` had its bytes.
local function damaged(change) return change(require "samples.race"():bytes()) end

local function put(data, offset, text) return data:sub(1, offset) .. text .. data:sub(offset + #text + 1) end

-- The header.

add("empty", function() return "" end)
add("magic_cut", function() return "RKM" end)
add("magic_only", function() return "RKMD" end)
add("bad_magic", function() return damaged(function(data) return put(data, 0, "RKMX") end) end)
add("text", function() return "# a text file, not a course\n" end)
add("header_cut", function() return damaged(function(data) return data:sub(1, 10) end) end)
add("header_cut_in_offsets", function() return damaged(function(data) return data:sub(1, 0x30) end) end)
add("header_length_beyond_file", function() return damaged(function(data) return put(data, 0x0A, "\xFF\xF0") end) end)
add("header_length_too_small", function() return damaged(function(data) return put(data, 0x0A, "\x00\x20") end) end)
add("header_length_half_a_version", function()
   return damaged(function(data) return put(data, 0x0A, "\x00\x4A") end)
end)
add("section_count_too_large", function() return damaged(function(data) return put(data, 0x08, "\x01\x00") end) end)
add("other_byte_order", function()
   -- The magic of Mario Kart 7, but the words of a Mario Kart Wii file.
   return damaged(function(data) return put(data, 0, "DMDC") end)
end)

-- Offsets.

add("offset_outside", function() return cut(function(file) file.offsets = { [7] = 0x00100000 } end) end)
add("offset_negative", function() return cut(function(file) file.offsets = { [1] = 0xFFFFFFF0 } end) end)
add("offset_at_end", function()
   return cut(function(file) file.offsets = { [15] = #kmpfile.join(file) - 0x4C - 2 } end)
end)
add("offset_into_last_section", function()
   -- The last section is cut in two; its first part is too short for its record.
   return cut(function(file)
      table.insert(file.sections, { magic = "PART", data = "" })
      file.offsets = { [16] = #kmpfile.join(file) - 0x50 - 8 }
   end)
end)

-- Sections.

add("file_cut_in_ckpt", function()
   return cut(function(file)
      local _, number = kmpfile.section(file, "CKPT")
      -- The table lost what came behind, too.
      file.sections = table.move(file.sections, 1, number, 1, {})
      file.sections[number].data = file.sections[number].data:sub(1, 100)
   end)
end)
add("section_header_cut", function()
   return cut(function(file)
      kmpfile.section(file, "STGI").data = "STGI\0\1"
   end)
end)
add("count_too_large", function()
   return cut(function(file) kmpfile.patch(kmpfile.section(file, "JGPT"), 4, "\x10\x00") end)
end)
add("count_one_too_many", function()
   return cut(function(file)
      local section = kmpfile.section(file, "GOBJ")
      kmpfile.patch(section, 4, string.pack(">I2", string.unpack(">I2", section.data, 5) + 1))
   end)
end)
add("route_past_section", function()
   return cut(function(file) kmpfile.patch(kmpfile.section(file, "POTI"), 8, "\x7F\xFF") end)
end)
add("route_count_too_large", function()
   return cut(function(file) kmpfile.patch(kmpfile.section(file, "POTI"), 4, "\x00\x40") end)
end)
add("ktpt_bare_cut", function()
   local file = kmpfile.split(kart.kmp.new{ version = 1600 }:bytes())
   kmpfile.section(file, "KTPT").data = "KTPT" .. string.pack(">fff", 1000, 0, 500)
   return kmpfile.join(file)
end)
add("mk7_count_too_large", function()
   local file = kmpfile.split(kart.kmp.new{ game = "mk7", gobj = { {} } }:bytes())
   kmpfile.patch(kmpfile.section(file, "JBOG"), 4, "\x02\x00")
   return kmpfile.join(file)
end)

return broken
