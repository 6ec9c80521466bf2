--- A small writer of collision of the arcade games, for fixtures: by the rules of the game's own files, and what no
--- builder should write.
---
--- agpfile.build{ triangles = { { a, b, c, flag = } ... }, ... } gives the bytes; corners are { x, y, z }.
---   cell       edge of a cell, default 100; or { x, z }
---   bounds     false: zeros in the header, and an origin all the same
---   flat       edges as seen from above
---   marks      false: no edge is marked as open
---   walls      a list of { { x, z }, { x, z } } drawn by hand, instead of those of open edges
---   empty      the offset of empty lists, default where they would stand
---   packed     no zeros behind lists
---   shared     cells with the same list share it
---   twice      numbers of triangles that every one of their cells lists twice
---   record     a function of a triangle's number and its bytes, which gives others
---   cells      a function of a cell's number from 0 and { offset, count, offset, count }, which it may change
---   header     words that replace those of the header, by offset: packed bytes
---   ending     bytes instead of the cell of zeros
---   tail       bytes behind it
local agpfile = {}

local function float(x) return (string.unpack(">f", string.pack(">f", x))) end

local HEADER, TRIANGLE, WALL, CELL = 0x2C, 0x70, 0x20, 0x10

local function unit(x, y, z)
   local length = math.sqrt(x * x + y * y + z * z)
   if length == 0 then return { 0, 0, 0 } end
   return { x / length, y / length, z / length }
end

local function minus(a, b) return a[1] - b[1], a[2] - b[2], a[3] - b[3] end

local function rounded(triangle)
   local corners = {}
   for i = 1, 3 do corners[i] = { float(triangle[i][1]), float(triangle[i][2]), float(triangle[i][3]) } end
   return corners
end

local function box(points, x, z)
   local low, high = { math.huge, math.huge }, { -math.huge, -math.huge }
   for _, point in ipairs(points) do
      low = { math.min(low[1], point[x]), math.min(low[2], point[z]) }
      high = { math.max(high[1], point[x]), math.max(high[2], point[z]) }
   end
   return { low[1], low[2], high[1], high[2] }
end

local function key(a, b)
   local one, other = ("%a %a %a"):format(a[1], a[2], a[3]), ("%a %a %a"):format(b[1], b[2], b[3])
   return one < other and one .. "/" .. other or other .. "/" .. one
end

-- The open edges of each triangle: those that stand once.
local function open_edges(all)
   local uses, open = {}, {}
   for _, corners in ipairs(all) do
      for i = 1, 3 do
         local edge = key(corners[i], corners[i % 3 + 1])
         uses[edge] = (uses[edge] or 0) + 1
      end
   end
   for t, corners in ipairs(all) do
      open[t] = {}
      for i = 1, 3 do open[t][i] = uses[key(corners[i], corners[i % 3 + 1])] == 1 end
   end
   return open
end

local function pack_triangle(corners, open, flag, flat)
   local edges, bits = {}, 0
   for i = 1, 3 do
      local x, y, z = minus(corners[i % 3 + 1], corners[i])
      edges[i] = unit(x, flat and 0 or y, z)
      if open[i] then bits = bits | 1 << i - 1 end
   end
   local ux, uy, uz = minus(corners[2], corners[1])
   local vx, vy, vz = minus(corners[3], corners[1])
   local normal = unit(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
   if normal[1] == 0 and normal[2] == 0 and normal[3] == 0 then normal[2] = 1 end
   local distance = 0
   for i = 1, 3 do distance = distance - float(normal[i]) * corners[1][i] end
   local parts = { string.pack(">ffff", table.unpack(box(corners, 1, 3))) }
   for _, rows in ipairs{ corners, edges } do
      for i = 1, 3 do parts[#parts + 1] = string.pack(">fff", rows[i][1] + 0.0, rows[i][2] + 0.0, rows[i][3] + 0.0) end
   end
   parts[#parts + 1] = string.pack(">I4I4ffff", bits, flag, normal[1] + 0.0, normal[2] + 0.0, normal[3] + 0.0,
      distance + 0.0)
   return table.concat(parts)
end

local function pack_wall(from, to)
   local low_x, low_z, high_x, high_z = table.unpack(box({ from, to }, 1, 2))
   return string.pack(">ffffffff", low_x, low_z, high_x, high_z, from[1], from[2], to[1], to[2])
end

-- The columns and rows that a box touches, as the game computes them.
local function range(grid, low, high, axis)
   local function cell(at) return math.floor(float(float(at + grid.origin[axis]) / grid.cell[axis])) end
   local last = grid.sides[axis] - 1
   return math.min(math.max(cell(low), 0), last), math.min(math.max(cell(high), 0), last)
end

-- Calls see(number) for each cell, from 1, that a box touches.
local function each_cell(grid, b, see)
   local low_x, high_x = range(grid, b[1], b[3], 1)
   local low_z, high_z = range(grid, b[2], b[4], 2)
   for z = low_z, high_z do
      for x = low_x, high_x do see(z * grid.sides[1] + x + 1) end
   end
end

local function grid_of(all, cell)
   local points = {}
   for _, corners in ipairs(all) do table.move(corners, 1, 3, #points + 1, points) end
   local b = #points > 0 and box(points, 1, 3) or { 0.0, 0.0, 0.0, 0.0 }
   local sides = {}
   for axis = 1, 2 do sides[axis] = math.max(math.ceil((b[axis + 2] - b[axis]) / cell[axis]), 1) end
   return { bounds = b, origin = { 0 - b[1], 0 - b[2] }, cell = cell, sides = sides }
end

-- The records of each cell: { triangles }, { walls }.
local function fill(spec, all, grid)
   local open, triangles, walls = open_edges(all), {}, {}
   for i = 1, grid.sides[1] * grid.sides[2] do triangles[i], walls[i] = {}, {} end
   local twice = {}
   for _, number in ipairs(spec.twice or {}) do twice[number] = true end
   for t, corners in ipairs(all) do
      local marks = spec.marks == false and {} or open[t]
      local record = pack_triangle(corners, marks, spec.triangles[t].flag or 1, spec.flat)
      if spec.record then record = spec.record(t, record) end
      each_cell(grid, box(corners, 1, 3), function(cell)
         for _ = 1, twice[t] and 2 or 1 do table.insert(triangles[cell], record) end
         for i = 1, spec.walls and 0 or 3 do
            local from, to = corners[i], corners[i % 3 + 1]
            if open[t][i] then table.insert(walls[cell], pack_wall({ from[1], from[3] }, { to[1], to[3] })) end
         end
      end)
   end
   for _, wall in ipairs(spec.walls or {}) do
      local from, to = { float(wall[1][1]), float(wall[1][2]) }, { float(wall[2][1]), float(wall[2][2]) }
      each_cell(grid, box({ from, to }, 1, 2), function(cell) table.insert(walls[cell], pack_wall(from, to)) end)
   end
   return triangles, walls
end

local function write_cells(spec, lists, sides)
   local at, parts, cells, known = HEADER, {}, {}, {}
   for i = 1, sides[1] * sides[2] do
      local words = {}
      for kind, size in ipairs{ TRIANGLE, WALL } do
         local bytes = table.concat(lists[kind][i])
         if bytes ~= "" and not spec.packed then bytes = bytes .. ("\0"):rep(size) end
         local place = spec.shared and bytes ~= "" and known[bytes] or at
         if place == at then
            known[bytes] = at
            parts[#parts + 1], at = bytes, at + #bytes
         end
         if #lists[kind][i] == 0 and spec.empty then place = spec.empty end
         words[2 * kind - 1], words[2 * kind] = place, #lists[kind][i]
      end
      if spec.cells then spec.cells(i - 1, words) end
      cells[i] = string.pack(">I4I4I4I4", table.unpack(words))
   end
   return table.concat(parts), table.concat(cells), at
end

function agpfile.build(spec)
   local cell = type(spec.cell) == "table" and spec.cell or { spec.cell or 100.0, spec.cell or 100.0 }
   local all = {}
   for t, triangle in ipairs(spec.triangles) do all[t] = rounded(triangle) end
   local grid = grid_of(all, cell)
   local triangles, walls = fill(spec, all, grid)
   local body, cells, place = write_cells(spec, { triangles, walls }, grid.sides)
   local bounds = spec.bounds == false and { 0.0, 0.0, 0.0, 0.0 } or grid.bounds
   local header = string.pack(">I4I4ffffffffI4", grid.sides[1], grid.sides[2], cell[1], cell[2], bounds[1], bounds[2],
      bounds[3], bounds[4], grid.origin[1], grid.origin[2], place)
   for offset, word in pairs(spec.header or {}) do
      header = header:sub(1, offset) .. word .. header:sub(offset + #word + 1)
   end
   return header .. body .. cells .. (spec.ending or ("\0"):rep(CELL)) .. (spec.tail or "")
end

return agpfile
