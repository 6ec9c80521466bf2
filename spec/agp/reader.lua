--- An independent reading of collision of the arcade games: bytes to numbers, and the rules that the game's own files
--- follow. Nothing here knows how kartlua builds.
local calm = require("spec.kcl.tools").calm

local reader = {}

local function float(x) return (string.unpack(">f", string.pack(">f", x))) end
reader.float = float

local function floats(bytes, at, count)
   local numbers = { string.unpack(">" .. ("f"):rep(count), bytes, at + 1) }
   numbers[#numbers] = nil
   return numbers
end

local function words(bytes, at, count)
   local numbers = { string.unpack(">" .. ("I4"):rep(count), bytes, at + 1) }
   numbers[#numbers] = nil
   return numbers
end

local function triples(numbers, from)
   local rows = {}
   for i = 1, 3 do rows[i] = { table.unpack(numbers, from + 3 * i - 3, from + 3 * i - 1) } end
   return rows
end

local function read_triangle(bytes, at)
   local numbers = floats(bytes, at, 22)
   local open, flag = table.unpack(words(bytes, at + 0x58, 2))
   local plane = floats(bytes, at + 0x60, 4)
   return { bytes = bytes:sub(at + 1, at + 0x70), box = { table.unpack(numbers, 1, 4) }, corners = triples(numbers, 5),
      edges = triples(numbers, 14), open = open, flag = flag, normal = { plane[1], plane[2], plane[3] },
      distance = plane[4] }
end

local function read_wall(bytes, at)
   local numbers = floats(bytes, at, 8)
   return { bytes = bytes:sub(at + 1, at + 0x20), box = { table.unpack(numbers, 1, 4) },
      from = { numbers[5], numbers[6] }, to = { numbers[7], numbers[8] } }
end

--- The file: header, cells with their triangles and walls.
function reader.read(bytes)
   local width, length = table.unpack(words(bytes, 0, 2))
   local head = floats(bytes, 8, 8)
   local file = { bytes = bytes, sides = { width, length }, size = { head[1], head[2] },
      bounds = { table.unpack(head, 3, 6) }, origin = { head[7], head[8] },
      place = words(bytes, 0x28, 1)[1], cells = {} }
   for i = 1, width * length do
      local at, count, wall_at, wall_count = table.unpack(words(bytes, file.place + 16 * (i - 1), 4))
      local cell = { at = at, wall_at = wall_at, triangles = {}, walls = {} }
      for k = 1, count do cell.triangles[k] = read_triangle(bytes, at + 0x70 * (k - 1)) end
      for k = 1, wall_count do cell.walls[k] = read_wall(bytes, wall_at + 0x20 * (k - 1)) end
      file.cells[i] = cell
   end
   return file
end

--- Triangles by their bytes, each once, in the order in which cells first list them; with the cells that list them.
function reader.distinct(file)
   local list, known = {}, {}
   for i, cell in ipairs(file.cells) do
      for _, triangle in ipairs(cell.triangles) do
         local one = known[triangle.bytes]
         if not one then
            one = triangle
            one.cells = {}
            known[triangle.bytes], list[#list + 1] = one, one
         end
         one.cells[#one.cells + 1] = i
      end
   end
   return list
end

-- --- rules ------------------------------------------------------------------------------------

local function layout_rule(file)
   local at, lists, places, walls = 0x2C, 0, 0, 0
   local wall_lists = 0
   for i, cell in ipairs(file.cells) do
      if cell.at ~= at then return ("cell %d: triangles at %d, not %d"):format(i, cell.at, at) end
      if #cell.triangles > 0 then
         at = at + 0x70 * #cell.triangles
         if file.bytes:sub(at + 1, at + 0x70) ~= ("\0"):rep(0x70) then return ("no zeros at %d"):format(at) end
         at, lists, places = at + 0x70, lists + 1, places + #cell.triangles
      end
      if cell.wall_at ~= at then return ("cell %d: walls at %d, not %d"):format(i, cell.wall_at, at) end
      if #cell.walls > 0 then
         at = at + 0x20 * #cell.walls
         if file.bytes:sub(at + 1, at + 0x20) ~= ("\0"):rep(0x20) then return ("no zeros at %d"):format(at) end
         at, wall_lists, walls = at + 0x20, wall_lists + 1, walls + #cell.walls
      end
   end
   local closed = 0x2C + 0x70 * (places + lists) + 0x20 * (walls + wall_lists)
   if file.place ~= closed then return ("cells at %d, not %d"):format(file.place, closed) end
   local size = file.place + 16 * (#file.cells + 1)
   if #file.bytes ~= size then return ("%d bytes, not %d"):format(#file.bytes, size) end
   if file.bytes:sub(-16) ~= ("\0"):rep(16) then return "no cell of zeros" end
end

local function header_rule(file, list)
   local low, high = { math.huge, math.huge }, { -math.huge, -math.huge }
   for _, triangle in ipairs(list) do
      for _, corner in ipairs(triangle.corners) do
         for axis = 1, 2 do
            local at = corner[2 * axis - 1]
            low[axis], high[axis] = math.min(low[axis], at), math.max(high[axis], at)
         end
      end
   end
   for axis = 1, 2 do
      if file.bounds[axis] ~= low[axis] or file.bounds[axis + 2] ~= high[axis] then return "bounds" end
      if file.origin[axis] ~= -low[axis] then return "origin" end
      if file.sides[axis] ~= math.max(math.ceil((high[axis] - low[axis]) / file.size[axis]), 1) then return "sides" end
   end
end

-- The cells of a box, as a set, by the rule: both ends, clamped.
local function cells_of(file, box)
   local low, high = {}, {}
   for axis = 1, 2 do
      local function cell(at)
         local number = math.floor(float(float(at + file.origin[axis]) / file.size[axis]))
         return math.max(math.min(number, file.sides[axis] - 1), 0)
      end
      low[axis], high[axis] = cell(box[axis]), cell(box[axis + 2])
   end
   local set = {}
   for z = low[2], high[2] do
      for x = low[1], high[1] do set[z * file.sides[1] + x + 1] = true end
   end
   return set
end

local function lists_rule(file, list)
   for t, triangle in ipairs(list) do
      local set, listed = cells_of(file, triangle.box), {}
      for _, cell in ipairs(triangle.cells) do
         if not set[cell] and not listed[cell] then return ("triangle %d is in cell %d"):format(t, cell) end
         set[cell], listed[cell] = nil, true
      end
      if next(set) then return ("triangle %d is not in cell %d"):format(t, (next(set))) end
   end
end

local function near(a, b, most) return math.abs(a - b) <= most end

local function numbers_rule(_, list)
   for t, triangle in ipairs(list) do
      local c, sum = triangle.corners, triangle.distance
      for axis = 1, 2 do
         local at = 2 * axis - 1
         local low, high = math.min(c[1][at], c[2][at], c[3][at]), math.max(c[1][at], c[2][at], c[3][at])
         if triangle.box[axis] ~= low or triangle.box[axis + 2] ~= high then return ("box of %d"):format(t) end
      end
      local vectors = {}
      for i = 1, 3 do
         local vector, length = {}, 0
         for k = 1, 3 do
            vector[k] = c[i % 3 + 1][k] - c[i][k]
            length = length + vector[k] ^ 2
         end
         for k = 1, 3 do
            if not near(triangle.edges[i][k], vector[k] / length ^ 0.5, 1e-6) then return ("edge of %d"):format(t) end
         end
         vectors[i] = vector
      end
      local u, v = vectors[1], { -vectors[3][1], -vectors[3][2], -vectors[3][3] }
      local n = { u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3], u[1] * v[2] - u[2] * v[1] }
      local length = (n[1] ^ 2 + n[2] ^ 2 + n[3] ^ 2) ^ 0.5
      for k = 1, 3 do
         if not near(triangle.normal[k], n[k] / length, 1e-6) then return ("normal of %d"):format(t) end
         sum = sum + triangle.normal[k] * c[1][k]
      end
      if not near(sum, 0, 1e-3) then return ("distance of %d"):format(t) end
   end
end

local function edge_key(a, b)
   local one = string.pack(">ddd", a[1] + 0.0, a[2] + 0.0, a[3] + 0.0)
   local other = string.pack(">ddd", b[1] + 0.0, b[2] + 0.0, b[3] + 0.0)
   return one < other and one .. other or other .. one
end

local function open_rule(_, list)
   local uses = {}
   for _, triangle in ipairs(list) do
      for i = 1, 3 do
         local key = edge_key(triangle.corners[i], triangle.corners[i % 3 + 1])
         uses[key] = (uses[key] or 0) + 1
      end
   end
   for t, triangle in ipairs(list) do
      for i = 1, 3 do
         local open = uses[edge_key(triangle.corners[i], triangle.corners[i % 3 + 1])] == 1
         if open ~= (triangle.open >> i - 1 & 1 == 1) then return ("edge %d of triangle %d"):format(i, t) end
      end
   end
end

-- Every cell: for each of its triangles, in their order, the walls of its open edges, and no other.
local function walls_rule(file)
   for number, cell in ipairs(file.cells) do
      local expected = {}
      for _, triangle in ipairs(cell.triangles) do
         for i = 1, 3 do
            if triangle.open >> i - 1 & 1 == 1 then
               expected[#expected + 1] = { triangle.corners[i], triangle.corners[i % 3 + 1] }
            end
         end
      end
      if #expected ~= #cell.walls then return ("cell %d: %d walls, not %d"):format(number, #cell.walls, #expected) end
      for i, wall in ipairs(cell.walls) do
         local a, b = expected[i][1], expected[i][2]
         local right = wall.from[1] == a[1] and wall.from[2] == a[3] and wall.to[1] == b[1] and wall.to[2] == b[3]
            and wall.box[1] == math.min(a[1], b[1]) and wall.box[2] == math.min(a[3], b[3])
            and wall.box[3] == math.max(a[1], b[1]) and wall.box[4] == math.max(a[3], b[3])
         if not right then return ("cell %d: wall %d"):format(number, i) end
      end
   end
end

local RULES = { layout = layout_rule, header = header_rule, lists = lists_rule, numbers = numbers_rule,
   open = open_rule, walls = walls_rule }

--- What breaks the rules: { layout = "cell 3: ..." }; empty for a file that follows all of them.
function reader.broken(bytes)
   return calm(function()
      local file, broken = reader.read(bytes), {}
      local list = reader.distinct(file)
      for name, rule in pairs(RULES) do broken[name] = rule(file, list) end
      return broken
   end)
end

return reader
