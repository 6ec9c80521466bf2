--- A small writer of archives, for fixtures: it can write what no program should. It shares nothing with
--- the program, so that each can be checked against the other.
---
--- A tree is a list of { name, bytes } for files and { name, { ... } } for folders.
local archivefile = {}

local HEADER, NODE = 0x20, 12

-- The nodes of a tree in the order of the file: { name =, bytes = } or { name =, parent =, stop = }, from 0.
local function flatten(tree)
   local nodes = { [0] = { name = "", parent = 0 } }
   local function add(list, parent)
      for _, entry in ipairs(list) do
         local at = #nodes + 1
         if type(entry[2]) == "table" then
            nodes[at] = { name = entry[1], parent = parent }
            add(entry[2], at)
            nodes[at].stop = #nodes + 1
         else
            nodes[at] = { name = entry[1], bytes = entry[2] }
         end
      end
   end
   add(tree, 0)
   nodes[0].stop = #nodes + 1
   return nodes
end

local function pad(size, alignment) return ("\0"):rep(-size % alignment) end

-- The names in one block, and where each stands. `shared`: equal names stand there once.
local function names_of(nodes, shared)
   local block, size, places, known = {}, 0, {}, {}
   for i = 0, #nodes do
      local name = nodes[i].name
      if not (shared and known[name]) then
         known[name] = size
         block[#block + 1] = name .. "\0"
         size = size + #name + 1
      end
      places[i] = known[name]
   end
   return table.concat(block), places
end

--- The bytes of a U8 archive of a tree. `how`, all may be left out:
---   alignment  of files and of the end; 0x20
---   ends       false: no padding behind the last file
---   mark       16 bytes for the reserved words of the header
---   shared     equal names stand in the table of names once, and equal files in the archive
---   order      file names in the order in which their bytes stand; others follow
---   gap        bytes before each file
---   tail       bytes behind the end
---   change     a function that gets the nodes, with their words, and changes them
---   header     words that replace those of the header: start, length, data
function archivefile.u8(tree, how)
   how = how or {}
   local nodes, alignment = flatten(tree), how.alignment or 0x20
   local names, places = names_of(nodes, how.shared)
   local length = NODE * (#nodes + 1) + #names
   local at = HEADER + length
   local parts = { pad(at, alignment) }
   at = at + #parts[1]
   local data, stored, rank = at, {}, {}
   for i, name in ipairs(how.order or {}) do rank[name] = i - 1 - #how.order end
   local files = {}
   for i = 0, #nodes do
      if nodes[i].bytes then files[#files + 1] = i end
   end
   table.sort(files, function(a, b) return (rank[nodes[a].name] or a) < (rank[nodes[b].name] or b) end)
   for i, number in ipairs(files) do
      local bytes = nodes[number].bytes
      local place = how.shared and stored[bytes]
      if not place then
         local gap = how.gap or ""
         gap = gap .. pad(at + #gap, alignment)
         place = at + #gap
         parts[#parts + 1] = gap .. bytes
         at = place + #bytes
         stored[bytes] = place
      end
      nodes[number].place = place
      if i == #files and how.ends ~= false then parts[#parts + 1] = pad(at, alignment) end
   end
   for i = 0, #nodes do
      local node = nodes[i]
      node.words = { (node.bytes and 0 or 0x01000000) | places[i], node.bytes and node.place or node.parent,
         node.bytes and #node.bytes or node.stop }
   end
   if how.change then how.change(nodes) end
   local head = { "U\xAA8-", string.pack(">I4I4I4", how.header and how.header.start or HEADER,
      how.header and how.header.length or length, how.header and how.header.data or data),
      how.mark or ("\0"):rep(16) }
   for i = 0, #nodes do head[#head + 1] = string.pack(">I4I4I4", table.unpack(nodes[i].words)) end
   return table.concat(head) .. names .. table.concat(parts) .. (how.tail or "")
end

-- The longest copy of what stands at `at`, among the places where its three bytes were seen last.
local function copy_of(bytes, at, seen)
   local best, from = 0, nil
   local place = seen[bytes:sub(at, at + 2)]
   if place and at - place <= 0x1000 then
      local length = 3
      while length < 0x111 and at + length <= #bytes and bytes:byte(place + length) == bytes:byte(at + length) do
         length = length + 1
      end
      best, from = length, place
   end
   return best, from
end

--- A Yaz0 stream of any bytes. `how`: alignment and reserved, words of the header; size, the stated one;
--- tail, bytes behind the stream.
function archivefile.yaz0(bytes, how)
   how = how or {}
   local out, group, code, count = {}, {}, 0, 0
   local function put(text, literal)
      group[#group + 1] = text
      code, count = code << 1 | (literal and 1 or 0), count + 1
      if count < 8 then return end
      out[#out + 1] = string.char(code) .. table.concat(group)
      group, code, count = {}, 0, 0
   end
   local at, seen = 1, {}
   while at <= #bytes do
      local length, from = 0, nil
      if at + 2 <= #bytes then length, from = copy_of(bytes, at, seen) end
      if length == 0 then
         put(bytes:sub(at, at), true)
         length = 1
      elseif length < 0x12 then
         put(string.pack(">I2", length - 2 << 12 | at - from - 1))
      else
         put(string.pack(">I2B", at - from - 1, length - 0x12))
      end
      for i = at, at + length - 1 do seen[bytes:sub(i, i + 2)] = i end
      at = at + length
   end
   if count > 0 then out[#out + 1] = string.char(code << 8 - count) .. table.concat(group) end
   return "Yaz0" .. string.pack(">I4I4I4", how.size or #bytes, how.alignment or 0, how.reserved or 0)
      .. table.concat(out) .. (how.tail or "")
end

return archivefile
