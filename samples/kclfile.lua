--- A small writer of KCL files of every kind, for fixtures: it can write what no builder should.
---
--- kclfile.build{ game =, triangles =, ... } gives the bytes. Triangles: see samples/prisms.lua.
--- The octree, see samples/octree.lua:
---   cell         log2 of the edge of the root cells, or `grid`, a whole grid of its own
---   most, least  when cells are split
---   sharing, groups
--- The model:
---   thickness, radius
---   extra        bytes behind the header
---   first        a position before all others, as packed bytes
---   positions, normals   bytes behind those that are used
---   order        of the sections, names as in SECTIONS
---   gaps         bytes behind each section, by name
---   tail         bytes behind the last section
---   header       numbers that replace those of the header, by name
---   offsets      offsets that replace true ones, by name of the section
---   octree       bytes, instead of building one
--- The file, V2 only:
---   split        a function of the corner of a cell, its edges and its depth: is it split?
---   total        the number of prisms that the header states; "copies" counts those of all models
---   reversed     models in the reverse order of their table
---   table_first  that table before the global octree
local kclformat = require "samples.kclformat"
local octree = require "samples.octree"
local prisms = require "samples.prisms"

local kclfile = {}

local SECTIONS = { "positions", "normals", "prisms", "octree" }

-- The edge masks and shifts that a grid needs.
local function grid_header(grid)
   local mask = {}
   for axis = 1, 3 do mask[axis] = -1 << grid.shift + grid.bits[axis] & 0xFFFFFFFF end
   local x, y = math.max(grid.bits[1], 0), math.max(grid.bits[2], 0)
   return { mask = mask, shift = grid.shift, x_shift = x, xy_shift = x + y }
end

local function pad(bytes) return bytes .. ("\0"):rep(-#bytes % 4) end

-- Where the sections start, and their bytes in the order of the file.
local function lay_out(spec, format, sections)
   local at, parts = format.header + #(spec.extra or ""), {}
   local starts = {}
   for i, name in ipairs(spec.order or SECTIONS) do
      starts[name] = at
      parts[i] = sections[name] .. (spec.gaps and spec.gaps[name] or "")
      at = at + #parts[i]
   end
   return starts, table.concat(parts)
end

--- The bytes of one model; V1 files are one.
function kclfile.model(spec, triangles, grid)
   local format = kclformat.of(spec.game)
   local thickness, radius = spec.thickness or format.thickness, spec.radius or format.radius
   local packed = prisms.pack(format, triangles, spec.first)
   local tree = spec.octree
   if not tree then
      local reaches = {}
      for i, triangle in ipairs(triangles) do reaches[i] = prisms.reach(triangle, thickness, radius) end
      tree = octree.pack(octree.build(reaches, grid), { order = format.order, sharing = spec.sharing,
         groups = spec.groups, first_id = kclformat.first_id(format), list_end = kclformat.list_end(format) })
   end
   local starts, body = lay_out(spec, format, {
      positions = table.concat(packed.positions) .. (spec.positions or ""),
      normals = pad(table.concat(packed.normals) .. (spec.normals or "")),
      prisms = table.concat(packed.records),
      octree = tree,
   })
   -- Before V2 ids count from 1, and the offset is one record short.
   starts.prisms = starts.prisms - (format.v2 and 0 or 0x10)
   for name, offset in pairs(spec.offsets or {}) do starts[name] = offset end

   local h = grid_header(grid)
   for name, value in pairs(spec.header or {}) do h[name] = value end
   local min = h.min or grid.min
   local words = {}
   for i, name in ipairs(SECTIONS) do words[i] = starts[name] end
   return kclformat.u32(format, table.unpack(words)) .. kclformat.numbers(format, { thickness })
      .. kclformat.numbers(format, min) .. kclformat.u32(format, table.unpack(h.mask))
      .. kclformat.u32(format, h.shift, h.x_shift, h.xy_shift)
      .. (format.header == 0x3C and kclformat.numbers(format, { radius }) or "") .. (spec.extra or "") .. body
      .. (spec.tail or "")
end

-- The box that all of the triangles can be hit from.
local function bounds(format, spec, triangles)
   local low, high = { 0, 0, 0 }, { 0, 0, 0 }
   for i, triangle in ipairs(triangles) do
      local reach = prisms.reach(triangle, spec.thickness or format.thickness, spec.radius or format.radius)
      for axis = 1, 3 do
         low[axis] = i == 1 and reach.low[axis] or math.min(low[axis], reach.low[axis])
         high[axis] = i == 1 and reach.high[axis] or math.max(high[axis], reach.high[axis])
      end
   end
   return low, high
end

-- Files of several models -------------------------------------------------------------------------

-- A model for a cell of the global octree: its number, from 0. The octree of the model is the cell.
local function cell_model(state, triangles, corner, shifts)
   local least = math.min(shifts[1], shifts[2], shifts[3], state.spec.cell)
   local grid = { min = corner, shift = least, bits = {}, most = state.spec.most, least = state.spec.least }
   for axis = 1, 3 do grid.bits[axis] = shifts[axis] - least end
   state.models[#state.models + 1] = kclfile.model(state.spec, triangles, grid)
   state.copies = state.copies + #triangles
   return #state.models - 1
end

-- The node of a cell: a model's number, false for nothing, or eight nodes.
local function global_node(state, candidates, corner, shifts, depth)
   local size = { 1 << shifts[1], 1 << shifts[2], 1 << shifts[3] }
   local inside = {}
   for _, triangle in ipairs(candidates) do
      if state.reach_of[triangle].touches(corner, size) then inside[#inside + 1] = triangle end
   end
   if #inside == 0 then return false end
   if depth > 0 and not state.spec.split(corner, size, depth) then return cell_model(state, inside, corner, shifts) end
   local node, half = {}, { shifts[1] - 1, shifts[2] - 1, shifts[3] - 1 }
   for child = 0, 7 do
      local at = {}
      for axis = 1, 3 do at[axis] = corner[axis] + (child >> axis - 1 & 1) * (1 << half[axis]) end
      node[child + 1] = global_node(state, inside, at, half, depth + 1)
   end
   return node
end

--- The words of a global octree: nodes as above, false for an empty root, too.
function kclfile.global(format, root)
   local groups, words = { { node = root, at = 0 } }, {}
   local i = 1
   while groups[i] do
      for _, child in ipairs(groups[i].node) do
         if type(child) == "table" then
            groups[#groups + 1] = { node = child, at = 8 * #groups }
            words[#words + 1] = groups[#groups].at - groups[i].at
         else
            words[#words + 1] = child and 0x80000000 | child or 0xC0000000
         end
      end
      i = i + 1
   end
   return kclformat.u32(format, table.unpack(words))
end

--- A V2 file around models: min, max, shifts, total, global (bytes), models (bytes, in the order of
--- the table); `reversed` and `table_first`, see above, and `header` and `table` with words that
--- replace others.
function kclfile.join(format, file)
   local global_at, table_at = 0x38, 0x38 + #file.global
   if file.table_first then global_at, table_at = 0x38 + 4 * #file.models, 0x38 end
   local at, offsets, parts = 0x38 + #file.global + 4 * #file.models, {}, {}
   local first, last, step = 1, #file.models, 1
   if file.reversed then first, last, step = last, first, -1 end
   for i = first, last, step do
      parts[#parts + 1] = i == last and file.models[i] or pad(file.models[i])
      offsets[i] = at
      at = at + #parts[#parts]
   end
   for i, offset in pairs(file.table or {}) do offsets[i] = offset end
   local h = { global = global_at, table = table_at, count = #file.models }
   for name, value in pairs(file.header or {}) do h[name] = value end
   local between = { file.global, kclformat.u32(format, table.unpack(offsets)) }
   if file.table_first then between[1], between[2] = between[2], between[1] end
   return "\2\2\0\0" .. kclformat.u32(format, h.global, h.table, h.count) .. kclformat.numbers(format, file.min)
      .. kclformat.numbers(format, file.max) .. kclformat.u32(format, table.unpack(file.shifts))
      .. kclformat.u32(format, file.total) .. table.concat(between) .. table.concat(parts)
end

-- The space of the global octree: each axis as wide as a power of two.
local function space_of(low, high)
   local min, shifts = {}, {}
   for axis = 1, 3 do
      min[axis] = math.floor(low[axis]) - 1
      shifts[axis] = 1
      while 1 << shifts[axis] <= high[axis] - min[axis] + 1 do shifts[axis] = shifts[axis] + 1 end
   end
   return min, shifts
end

--- The pieces of a V2 file, for kclfile.join.
function kclfile.pieces(spec)
   local format = kclformat.of(spec.game)
   local triangles, low, high = spec.triangles, bounds(format, spec, spec.triangles)
   local state = { spec = spec, models = {}, reach_of = {}, copies = 0 }
   local min, shifts = space_of(low, high)
   for i, triangle in ipairs(triangles) do
      triangle.id = triangle.id or i - 1
      state.reach_of[triangle] =
         prisms.reach(triangle, spec.thickness or format.thickness, spec.radius or format.radius)
   end
   local root
   if spec.split then
      root = global_node(state, triangles, min, shifts, 0)
   else
      -- One model everywhere.
      cell_model(state, triangles, min, shifts)
      root = { 0, 0, 0, 0, 0, 0, 0, 0 }
   end
   local total = spec.total == "copies" and state.copies or spec.total or #triangles
   return { min = min, max = high, shifts = shifts, total = total, models = state.models,
      global = kclfile.global(format, root), reversed = spec.reversed, table_first = spec.table_first }
end

--- The bytes of a file.
function kclfile.build(spec)
   local format = kclformat.of(spec.game)
   if format.v2 then return kclfile.join(format, kclfile.pieces(spec)) end
   local grid = spec.grid
   if not grid then
      local low, high = bounds(format, spec, spec.triangles)
      grid = octree.grid(low, high, spec.cell)
   end
   grid.most, grid.least = grid.most or spec.most, grid.least or spec.least
   return kclfile.model(spec, spec.triangles, grid)
end

--- Write over bytes, from `offset`.
function kclfile.patch(bytes, offset, text) return bytes:sub(1, offset) .. text .. bytes:sub(offset + #text + 1) end

return kclfile
