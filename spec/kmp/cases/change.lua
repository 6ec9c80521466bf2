-- Changes that a document won't make: written into its bytes, which are then read again.
local kmpfile = require "samples.kmpfile"
local tools = require "spec.kmp.tools"

local change = {}

local PACK = { u8 = "B", s8 = "b", u16 = "I2", s16 = "i2", u32 = "I4", float = "f" }

-- The document after `edit` had the file's pieces.
local function pieces(doc, edit)
   local file = kmpfile.split(doc:bytes())
   edit(file)
   return assert(kart.kmp.parse(kmpfile.join(file)))
end

local function field_of(doc, section, name)
   local layout = tools.layouts(doc)[section]
   for _, field in ipairs(layout.fields) do
      if field.name == name then return field, layout end
   end
   error(("%s has no field %s"):format(section, name))
end

--- The file's number of a field: change.raw(doc, "ckpt", 3, "respawn", 0x50). `slot` is the place in a
--- list. Of points, those of the first route are meant.
function change.raw(doc, section, index, name, value, slot)
   local field, layout = field_of(doc, section, name)
   local magic, head = layout.magic, layout.header_size
   if section == "points" then
      local routes = tools.layouts(doc).poti
      magic, head = routes.magic, routes.header_size + routes.record_size
   end
   local size = string.packsize(">" .. PACK[field.type])
   return pieces(doc, function(file)
      local offset = head + (index - 1) * layout.record_size + field.offset + size * ((slot or 1) - 1)
      kmpfile.patch(kmpfile.section(file, magic), offset, string.pack(">" .. PACK[field.type], value))
   end)
end

--- The extra word of a section's header.
function change.header(doc, magic, word)
   return pieces(doc, function(file) kmpfile.patch(kmpfile.section(file, magic), 6, string.pack(">I2", word)) end)
end

--- So many records in a section: cut off, or copies of the last one added.
function change.count(doc, section, count)
   local layout = tools.layouts(doc)[section]
   return pieces(doc, function(file)
      local found = kmpfile.section(file, layout.magic)
      local head, records = found.data:sub(1, 8), found.data:sub(9)
      records = records .. records:sub(-layout.record_size):rep(math.max(0, count - #doc[section]))
      head = head:sub(1, 4) .. string.pack(">I2", count) .. head:sub(7)
      found.data = head .. records:sub(1, count * layout.record_size)
   end)
end

return change
