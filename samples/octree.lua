--- Octrees over prisms, and their bytes. A node is { list = { numbers of prisms } } or an array of
--- eight nodes, x first, then y, then z. A grid says where a tree lies:
---   min      its low corner, { x, y, z }
---   shift    log2 of the edge of a root cell
---   bits     log2 of the number of root cells along each axis; below 0 where the area is narrower
---            than a cell
---   most     cells with more prisms than this are split,
---   least    but none whose edge is 2^least
---   split    or else: a function of cell and depth that says whether to split
local octree = {}

local LEAF = 0x80000000

local function node_of(reaches, candidates, grid, corner, shift, depth)
   local edge = 1 << shift
   local world = { grid.min[1] + corner[1], grid.min[2] + corner[2], grid.min[3] + corner[3] }
   local list = {}
   for _, number in ipairs(candidates) do
      if reaches[number].touches(world, { edge, edge, edge }) then list[#list + 1] = number end
   end
   local split
   if grid.split then split = grid.split(corner, depth) else split = #list > grid.most and shift > grid.least end
   if not split then return { list = list } end
   local node, half = {}, edge >> 1
   for child = 0, 7 do
      local at = { corner[1] + (child & 1) * half, corner[2] + (child >> 1 & 1) * half,
         corner[3] + (child >> 2) * half }
      node[child + 1] = node_of(reaches, list, grid, at, shift - 1, depth + 1)
   end
   return node
end

--- The root nodes, x fastest, over what prisms.reach gave for each prism.
function octree.build(reaches, grid)
   local all, roots = {}, {}
   for number in ipairs(reaches) do all[number] = number end
   local last = {}
   for axis = 1, 3 do last[axis] = (1 << math.max(grid.bits[axis], 0)) - 1 end
   for z = 0, last[3] do
      for y = 0, last[2] do
         for x = 0, last[1] do
            local corner = { x << grid.shift, y << grid.shift, z << grid.shift }
            roots[#roots + 1] = node_of(reaches, all, grid, corner, grid.shift, 0)
         end
      end
   end
   return roots
end

--- The smallest grid of cells of 2^shift that holds a box and leaves a unit at its low side.
function octree.grid(low, high, shift)
   local grid = { min = {}, shift = shift, bits = {} }
   for axis = 1, 3 do
      grid.min[axis] = math.floor(low[axis]) - 1
      local bits = 0
      while (1 << shift + bits) <= high[axis] - grid.min[axis] + 1 do bits = bits + 1 end
      grid.bits[axis] = bits
   end
   return grid
end

-- Bytes -------------------------------------------------------------------------------------------

local function key_of(node)
   if node.list then return table.concat(node.list, ",") end
   local keys = {}
   for i, child in ipairs(node) do keys[i] = key_of(child) end
   return "(" .. table.concat(keys, ";") .. ")"
end

-- Groups of eight in the order of the file: by depth, since a branch only leads forward. With
-- `share` equal groups are one, which then lies as deep as its deepest place.
local function groups_of(roots, share)
   local groups, of_key, order = {}, {}, 0
   local function visit(nodes, depth)
      for _, node in ipairs(nodes) do
         if not node.list then
            local key = share and key_of(node) or node
            local group = of_key[key]
            if not group then
               order = order + 1
               group = { nodes = node, depth = depth, order = order }
               of_key[key] = group
               groups[#groups + 1] = group
            end
            group.depth = math.max(group.depth, depth)
            visit(node, depth + 1)
         end
      end
   end
   visit(roots, 1)
   table.sort(groups, function(a, b)
      if a.depth ~= b.depth then return a.depth < b.depth end
      return a.order < b.order
   end)
   return groups, function(node) return of_key[share and key_of(node) or node] end
end

-- All lists, in the order of their first leaf.
local function each_list(nodes, call)
   for _, node in ipairs(nodes) do
      if node.list then call(node) else each_list(node, call) end
   end
end

-- The ids of all lists as bytes, and where the list of a leaf starts in them. Sharing:
--   "none"    a list for every leaf
--   "equal"   one for equal leaves; empty ones point at the last terminator
--   "suffix"  and lists that others end with start inside of those
local function pack_lists(roots, options)
   local id_format, sharing = options.order .. "I2", options.sharing or "equal"
   local parts, size, at_of = {}, 0, {}
   local stop = string.pack(id_format, options.list_end)
   local function add(bytes)
      parts[#parts + 1] = bytes .. stop
      size = size + #bytes + 2
      return size - #bytes - 2
   end
   local leaves = {}
   each_list(roots, function(node)
      local ids = {}
      for i, number in ipairs(node.list) do ids[i] = string.pack(id_format, number - 1 + options.first_id) end
      leaves[#leaves + 1] = { node = node, bytes = table.concat(ids), order = #leaves }
   end)
   if sharing == "suffix" then
      table.sort(leaves, function(a, b)
         if #a.bytes ~= #b.bytes then return #a.bytes > #b.bytes end
         return a.order < b.order
      end)
   end
   local placed = {}
   for _, leaf in ipairs(leaves) do
      local bytes = leaf.bytes
      if bytes ~= "" or sharing == "none" then
         local at = sharing ~= "none" and placed[bytes]
         if not at then
            at = add(bytes)
            for skip = 0, sharing == "suffix" and #bytes - 2 or 0, 2 do
               placed[bytes:sub(skip + 1)] = placed[bytes:sub(skip + 1)] or at + skip
            end
         end
         at_of[leaf.node] = at
      end
   end
   if size == 0 then add "" end
   return table.concat(parts), function(node) return at_of[node] or size - 2 end
end

--- The bytes of a tree: nodes, then lists. Options: order, first_id, list_end; sharing of lists, see
--- above; `groups` shares equal groups, too.
function octree.pack(roots, options)
   local groups, group_of = groups_of(roots, options.groups)
   local lists_at = 4 * #roots
   for _, group in ipairs(groups) do
      group.at = lists_at
      lists_at = lists_at + 32
   end
   local lists, list_of = pack_lists(roots, options)
   local words = {}
   local function write(nodes, at)
      for _, node in ipairs(nodes) do
         -- A leaf's offset points two bytes before its list.
         local word = node.list and LEAF | lists_at + list_of(node) - 2 - at or group_of(node).at - at
         words[#words + 1] = string.pack(options.order .. "I4", word)
      end
   end
   write(roots, 0)
   for _, group in ipairs(groups) do write(group.nodes, group.at) end
   return table.concat(words) .. lists
end

return octree
