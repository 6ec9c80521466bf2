-- Reads archives in plain Lua, from the formats' descriptions and not from the program's code, so that each
-- can be checked against the other. Only for files that the program has opened: it checks nothing.

local reader = {}

--- What a Yaz0 stream holds, the alignment of its header, and how many bytes stand behind it. Other bytes
--- come back as they are.
function reader.unpack(bytes)
   if bytes:sub(1, 4) ~= "Yaz0" then return bytes end
   local stated, alignment = string.unpack(">I4I4", bytes, 5)
   local out, count, at = {}, 0, 17
   while count < stated do
      local code = bytes:byte(at)
      at = at + 1
      for bit = 7, 0, -1 do
         if count == stated then break end
         if code >> bit & 1 == 1 then
            count = count + 1
            out[count] = bytes:byte(at)
            at = at + 1
         else
            local word = string.unpack(">I2", bytes, at)
            local length, back = word >> 12, (word & 0xFFF) + 1
            at = at + 2
            if length == 0 then
               length = bytes:byte(at) + 0x10
               at = at + 1
            end
            for _ = 1, length + 2 do
               count = count + 1
               out[count] = out[count - back]
            end
         end
      end
   end
   local parts = {}
   for i = 1, count, 4096 do parts[#parts + 1] = string.char(table.unpack(out, i, math.min(i + 4095, count))) end
   return table.concat(parts), alignment, #bytes - at + 1
end

--- The nodes of a U8 archive from 0: name, path, folder, and parent and stop, or place, size and bytes.
function reader.nodes(bare)
   local start = string.unpack(">I4", bare, 5)
   local count = string.unpack(">I4", bare, start + 9)
   local names, nodes, open = start + 12 * count, {}, {}
   for i = 0, count - 1 do
      local first, second, third = string.unpack(">I4I4I4", bare, start + 12 * i + 1)
      local node = { folder = first >> 24 == 1, name = string.unpack("z", bare, names + (first & 0xFFFFFF) + 1) }
      while #open > 0 and i >= open[#open].stop do open[#open] = nil end
      local above = open[#open]
      node.path = above and above.path ~= "" and above.path .. "/" .. node.name or node.name
      if node.folder then
         node.parent, node.stop = second, third
         open[#open + 1] = node
      else
         node.place, node.size, node.bytes = second, third, bare:sub(second + 1, second + third)
      end
      nodes[i] = node
   end
   return nodes
end

--- The bytes of header, nodes and names without what says where files are: that stays when they move.
function reader.frame(bare)
   local start, length = string.unpack(">I4I4", bare, 5)
   local parts = { bare:sub(1, 12), bare:sub(17, start) }
   local nodes = reader.nodes(bare)
   for i = 0, #nodes do
      local at = start + 12 * i
      parts[#parts + 1] = bare:sub(at + 1, at + (nodes[i].folder and 12 or 4))
   end
   parts[#parts + 1] = bare:sub(start + 12 * (#nodes + 1) + 1, start + length)
   return table.concat(parts)
end

--- The files of an archive, compressed or not: an array of paths as they stand in it, without "./", and the
--- bytes by path.
function reader.files(bytes)
   local nodes, order, by_path = reader.nodes((reader.unpack(bytes))), {}, {}
   for i = 0, #nodes do
      local node = nodes[i]
      if not node.folder then
         local path = node.path:gsub("^%./", "")
         order[#order + 1] = path
         by_path[path] = node.bytes
      end
   end
   return order, by_path
end

--- Paths of the files in the order in which their bytes stand.
function reader.by_place(bare)
   local nodes, list = reader.nodes(bare), {}
   for i = 0, #nodes do
      if not nodes[i].folder and nodes[i].size > 0 then list[#list + 1] = i end
   end
   table.sort(list, function(a, b)
      if nodes[a].place ~= nodes[b].place then return nodes[a].place < nodes[b].place end
      return a < b
   end)
   for i, number in ipairs(list) do list[i] = nodes[number].path end
   return list
end

--- The largest power of two up to `most` at which all files stand that aren't empty.
function reader.alignment(bare, most)
   local bits = most
   for _, node in pairs(reader.nodes(bare)) do
      if not node.folder and node.size > 0 then bits = bits | node.place end
   end
   return bits & -bits
end

return reader
