local support = require "spec.support"
local tools = require "spec.kmp.tools"

local function base(path) return path:match "[^/]+$" end

-- Open, save, compare: both ways to get at the bytes.
local function check_kept(bytes, path)
   local doc <close> = assert(kart.open(path))
   assert.is_true(doc:bytes() == bytes, "bytes() differs from the file")
   local copy = support.tmp() .. "/copy.kmp"
   assert(doc:save(copy))
   assert.is_true(support.read(copy) == bytes, "the saved file differs")
   local clone <close> = doc:clone()
   assert.is_true(clone:bytes() == bytes, "the clone's bytes differ")
end

describe("load and save keep every byte of", function()
   for _, name in ipairs(tools.names()) do
      it("the sample " .. name, function()
         local bytes, path = tools.bytes(name), support.tmp() .. "/sample.kmp"
         support.write(path, bytes)
         check_kept(bytes, path)
      end)
   end

   for _, path in ipairs(support.corpus("kmp", "kmp")) do
      it("the real file " .. base(path), function() check_kept(support.read(path), path) end)
   end
end)

describe("samples/make.lua", function()
   it("writes the same files on each run, a line for each", function()
      local folder, lines = support.tmp() .. "/new/samples", 0
      local code, out, err = support.run("samples/make.lua", folder)
      assert.equal("", err)
      assert.equal(0, code)
      for path in out:gmatch "([^\n]-%.kmp) +%d+ bytes\n" do
         lines = lines + 1
         if not path:find "/broken/" then
            assert.is_true(support.read(path) == tools.bytes(path:match "([^/]+)%.kmp$"), path)
         end
      end
      assert.equal(#tools.names() + #require "samples.broken", lines)
   end)

   it("wants to know where to", function()
      local code, _, err = support.run "samples/make.lua"
      assert.equal(2, code)
      assert.matches("^usage: ", err)
   end)
end)

-- An edit changes the bytes of its field and nothing else -----------------------------------------

local SIZES = { u8 = 1, s8 = 1, u16 = 2, s16 = 2, u32 = 4, float = 4, ["half float"] = 2 }
local FORMATS = { u8 = "B", s8 = "b", u16 = "I2", s16 = "i2", u32 = "I4", float = "f", ["half float"] = "f" }

-- Another value that the field takes, and the number that then stands in the file.
local function other_number(field, value)
   local new
   if FORMATS[field.type] == "f" then
      new = value == 0.5 and 2.0 or 0.5
   else
      new = value < field.high and value + 1 or field.low
   end
   return new, new
end

-- Another record that a reference may name, or none; false if there is no other.
local function other_reference(doc, field, value)
   local count = doc[field.target] and #doc[field.target] or 0
   if value and value > count then return false end -- out of range: it could not be put back
   if value and field.none then return nil, field.none end
   if count < (value and 2 or 1) then return false end
   local new = value and value % count + 1 or 1
   return new, new - 1
end

-- All single changes to a field of a record: { offset =, size =, wanted =, set =, undo = }.
local function changes_of(doc, record, field)
   local size, value, changes = SIZES[field.type], record[field.name], {}
   local function add(i, wanted, set, undo)
      changes[#changes + 1] = { offset = field.offset + (i - 1) * size, size = size, wanted = wanted, set = set,
         undo = undo }
   end
   local function assign(new) return function() record[field.name] = new end end
   local function assign_in_list(i, new) return function() record[field.name][i] = new end end
   local other = field.meaning == "reference" and function(old) return other_reference(doc, field, old) end
      or function(old) return other_number(field, old) end
   if kart.type(value) == "vec" then
      for i, axis in ipairs(field.count == 2 and { "x", "z" } or { "x", "y", "z" }) do
         local v = { x = value.x, y = value.y, z = value.z }
         v[axis] = other_number(field, v[axis])
         local radians = doc.game == "mk7" and field.meaning == "rotation"
         add(i, radians and math.rad(v[axis]) or v[axis], assign(v), assign(value))
      end
   elseif field.count > 1 then
      for i = 1, field.count do
         local new, wanted = other(value[i])
         if new ~= false then add(i, wanted, assign_in_list(i, new), assign_in_list(i, value[i])) end
      end
   else
      local new, wanted = other(value)
      if new ~= false then add(1, wanted, assign(new), assign(value)) end
   end
   return changes
end

-- Does the file hold that number there?
local function holds(bytes, at, field, order, wanted)
   local format = FORMATS[field.type]
   if field.type == "half float" then
      bytes, order, at = string.pack(">I2", (string.unpack(order .. "I2", bytes, at + 1))) .. "\0\0", ">", 0
   end
   local found = string.unpack(order .. format, bytes, at + 1)
   if format == "f" then return math.abs(found - wanted) < 1e-6 end
   local mask = (1 << 8 * SIZES[field.type]) - 1
   return found & mask == wanted & mask
end

local function check_field(doc, record, start, field, bytes)
   local order = doc.game == "mkw" and ">" or "<"
   for _, change in ipairs(changes_of(doc, record, field)) do
      local at, behind = start + change.offset, start + change.offset + change.size
      change.set()
      local changed = doc:bytes()
      assert(changed ~= bytes, field.name .. ": nothing changed")
      assert(#changed == #bytes and changed:sub(1, at) == bytes:sub(1, at)
         and changed:sub(behind + 1) == bytes:sub(behind + 1), field.name .. ": other bytes changed")
      assert(holds(changed, at, field, order, change.wanted), field.name .. ": another number is in the file")
      change.undo()
      assert(doc:bytes() == bytes, field.name .. ": the old value brings other bytes")
   end
end

-- First and last record of a section with their places in the file.
local function each_record(doc, section, layout, call)
   local start
   for _, entry in ipairs(doc:sections()) do
      if entry.name == layout.name then start = entry.offset + layout.header_size end
   end
   local last = #section
   if layout.name ~= "poti" then
      for _, i in ipairs(last > 1 and { 1, last } or { last > 0 and 1 or nil }) do
         call(section[i], start + (i - 1) * layout.record_size, layout)
      end
      return
   end
   local points = tools.layouts(doc).points
   for i, route in ipairs(section) do
      if i == 1 or i == last then
         call(route, start, layout)
         for j = 1, #route, math.max(1, #route - 1) do
            call(route.points[j], start + 4 + (j - 1) * points.record_size, points)
         end
      end
      start = start + 4 + #route * points.record_size
   end
end

local function check_section(doc, layout)
   local section, bytes = doc[layout.name], doc:bytes()
   each_record(doc, section, layout, function(record, start, record_layout)
      for _, field in ipairs(record_layout.fields) do
         if field.meaning ~= "count" then check_field(doc, record, start, field, bytes) end
      end
   end)
   for _, entry in ipairs(doc:sections()) do
      for _, field in ipairs(entry.name == layout.name and layout.header or {}) do
         if field.meaning ~= "count" then check_field(doc, section, entry.offset, field, bytes) end
      end
   end
end

local function check_sections(bytes)
   local doc <close> = assert(kart.kmp.parse(bytes))
   local layouts = tools.layouts(doc)
   for _, entry in ipairs(doc:sections()) do
      local layout = layouts[entry.name]
      if layout and entry.count > 0 then check_section(doc, layout) end
   end
end

describe("an edit changes only the bytes of its field in", function()
   for _, name in ipairs{ "race", "arena", "mk7" } do
      local doc = tools.open(name)
      local layouts = tools.layouts(doc)
      for _, entry in ipairs(doc:sections()) do
         if entry.count > 0 then
            it(("%s of %s"):format(entry.name, name), function() check_section(doc, layouts[entry.name]) end)
         end
      end
   end
   for _, name in ipairs{ "version_2320", "version_1831", "version_1600", "version_0_no_word", "header_extra",
      "order_in_file", "gaps", "section_wim0", "length_0" } do
      it("the sample " .. name, function() check_sections(tools.bytes(name)) end)
   end
   for _, path in ipairs(support.corpus("kmp", "kmp")) do
      it("the real file " .. base(path), function() check_sections(support.read(path)) end)
   end
end)

it("every field of every layout of Mario Kart Wii has a name, a meaning and a text", function()
   for _, layout in ipairs(kart.kmp.schema()) do
      for _, field in ipairs(layout.fields) do
         assert.matches("^%l[%l%d_]*$", field.name)
         assert.is_true(#field.doc > 0 and #field.meaning > 0)
         assert.is_true(layout.record_size == 0 or
            field.offset + field.count * SIZES[field.type] <= layout.record_size)
      end
   end
end)

it("the fields of a layout cover every byte of a record once", function()
   for _, layout in ipairs(kart.kmp.schema()) do
      local next_offset = 0
      local fields = table.move(layout.fields, 1, #layout.fields, 1, {})
      table.sort(fields, function(a, b) return a.offset < b.offset end)
      for _, field in ipairs(fields) do
         assert.equal(next_offset, field.offset, layout.name .. "." .. field.name)
         next_offset = field.offset + field.count * SIZES[field.type]
      end
      assert.equal(layout.record_size, next_offset, layout.name)
   end
end)
