--- KMP files in pieces: for files that no document would write.
local kmpfile = {}

--- Take a file apart: { magic, version, sections = { { magic =, data = with its header }, ... } }.
--- Only for files as kart.kmp.new makes them: sections in the order of the offsets, nothing between.
function kmpfile.split(data)
   local file = { magic = data:sub(1, 4), sections = {} }
   file.order = file.magic == "RKMD" and ">" or "<"
   local count, head, version = string.unpack(file.order .. "I2 I2 I4", data, 9)
   file.version = version
   local offsets = { string.unpack(file.order .. ("I4"):rep(count), data, head - 4 * count + 1) }
   for i = 1, count do
      local start = head + offsets[i] + 1
      local stop = i < count and head + offsets[i + 1] or #data
      file.sections[i] = { magic = data:sub(start, start + 3), data = data:sub(start, stop) }
   end
   return file
end

--- The section of that magic, and its number.
function kmpfile.section(file, magic)
   for i, section in ipairs(file.sections) do
      if section.magic == magic then return section, i end
   end
   error("no section " .. magic)
end

--- The bytes of a file. What it may have beside the results of split:
---   slots    sections in the order of the offset table, as numbers; as they stand if not given
---   extra    bytes of the header before the version
---   gap      bytes between header and first section
---   tail     bytes behind the last section
---   length   the length word; the file's true length if not given
---   head     the header length word, likewise
---   offsets  offsets that replace true ones, by place in the table
--- Sections may have `gap`, bytes behind them. Without `version` there is no version word.
function kmpfile.join(file)
   local order, slots = file.order, file.slots
   if not slots then
      slots = {}
      for i in ipairs(file.sections) do slots[i] = i end
   end
   local body, at = { file.gap or "" }, {}
   local size = #body[1]
   for i, section in ipairs(file.sections) do
      at[i] = size
      body[#body + 1] = section.data .. (section.gap or "")
      size = size + #body[#body]
   end
   body[#body + 1] = file.tail or ""
   body = table.concat(body)

   local words = { file.extra or "", file.version and string.pack(order .. "I4", file.version) or "" }
   for i, section in ipairs(slots) do
      words[#words + 1] = string.pack(order .. "I4", file.offsets and file.offsets[i] or at[section])
   end
   words = table.concat(words)
   return file.magic .. string.pack(order .. "I4 I2 I2", file.length or 12 + #words + #body, #slots,
      file.head or 12 + #words) .. words .. body
end

--- A section's data from its parts: magic, count, extra word, records.
function kmpfile.data(file, magic, count, extra, records)
   return magic .. string.pack(file.order .. "I2 I2", count, extra) .. records
end

--- Write over bytes of a section, from `offset` in its data.
function kmpfile.patch(section, offset, text)
   section.data = section.data:sub(1, offset) .. text .. section.data:sub(offset + #text + 1)
end

return kmpfile
