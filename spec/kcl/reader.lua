-- Reads KCL files in plain Lua, from the format's description and not from the program's code, so
-- that each can be checked against the other. Only for files that the program has opened: it checks
-- nothing.

local reader = {}

local FORMATS = {
   mkw = { order = ">" }, smg = { order = ">" }, sm3dl = { order = "<" }, mk7 = { order = "<" },
   mkds = { order = "<", fixed = true }, mk8 = { order = ">", v2 = true }, mk8dx = { order = "<", v2 = true },
   smo = { order = "<", v2 = true },
}

local LEAF = 0x80000000

local function u32(file, at) return (string.unpack(file.order .. "I4", file.bytes, at + 1)) end
local function u16(file, at) return (string.unpack(file.order .. "I2", file.bytes, at + 1)) end

local function numbers(file, at, count)
   if not file.fixed then return { string.unpack(file.order .. ("f"):rep(count), file.bytes, at + 1) } end
   local list = { string.unpack(file.order .. ("i4"):rep(count), file.bytes, at + 1) }
   for i = 1, count do list[i] = list[i] / 4096 end
   return list
end

local function normal(file, at)
   if not file.fixed then return numbers(file, at, 3) end
   local x, y, z = string.unpack(file.order .. "i2i2i2", file.bytes, at + 1)
   return { x / 4096, y / 4096, z / 4096 }
end

-- Models ------------------------------------------------------------------------------------------

local model_methods = {}
model_methods.__index = model_methods

local function read_model(file, at, stop)
   local starts = { u32(file, at), u32(file, at + 4), u32(file, at + 8) + (file.v2 and 0 or 0x10), u32(file, at + 12) }
   -- The prisms end where the next section starts; that of the octree may be an empty one's, too.
   local last = stop - at
   for _, other in ipairs{ 1, 2, 4 } do
      local start = starts[other]
      if start < last and (start > starts[3] or start == starts[3] and other == 4) then last = start end
   end
   local prism_size = file.v2 and 0x14 or 0x10
   local model = { file = file, at = at, positions = at + starts[1], normals = at + starts[2], prisms = at + starts[3],
      octree = at + starts[4], count = (last - starts[3]) // prism_size, prism_size = prism_size,
      normal_size = file.fixed and 6 or 12, mask = {} }
   model.thickness = numbers(file, at + 0x10, 1)[1]
   model.min = numbers(file, at + 0x14, 3)
   for axis = 1, 3 do model.mask[axis] = u32(file, at + 0x1C + 4 * axis) end
   model.shift, model.x_shift, model.xy_shift = u32(file, at + 0x2C), u32(file, at + 0x30), u32(file, at + 0x34)
   model.single = model.x_shift == 0xFFFFFFFF and model.xy_shift == 0xFFFFFFFF
   -- Root cells along each axis; at least one, where a mask is narrower than a cell.
   model.cells, model.width = {}, {}
   for axis = 1, 3 do
      model.width[axis] = (~model.mask[axis] & 0xFFFFFFFF) + 1
      model.cells[axis] = model.single and 1 or math.max(model.width[axis] >> model.shift, 1)
   end
   return setmetatable(model, model_methods)
end

--- A prism by number, from 1: height, position (and its offset), face, ca, ab, bc, flag, triangle.
function model_methods:prism(number)
   local file, at = self.file, self.prisms + (number - 1) * self.prism_size
   local position_at = self.positions + u16(file, at + 4) * 12
   local function normal_at(offset) return normal(file, self.normals + u16(file, at + offset) * self.normal_size) end
   return { height = numbers(file, at, 1)[1], position = numbers(file, position_at, 3), position_at = position_at,
      face = normal_at(6), ca = normal_at(8), ab = normal_at(10), bc = normal_at(12), flag = u16(file, at + 14),
      triangle = file.v2 and u32(file, at + 16) or nil }
end

--- The numbers of the prisms of a list, as one text and as an array.
function model_methods:list(at)
   local lists = self.lists
   if not lists then
      lists = {}
      self.lists = lists
   end
   if lists[at] then return lists[at].text, lists[at] end
   local file, first = self.file, self.file.v2 and 0 or 1
   local ids, stop = {}, file.v2 and 0xFFFF or 0
   local next_at = at
   while true do
      local id = u16(file, next_at)
      if id == stop then break end
      ids[#ids + 1] = id - first + 1
      next_at = next_at + 2
   end
   ids.text = table.concat(ids, " ")
   lists[at] = ids
   return ids.text, ids
end

local function root_word(self, x, y, z)
   local index = self.single and 0 or z << self.xy_shift | y << self.x_shift | x
   return self.octree + 4 * index
end

--- Calls visit(x, y, z, size, list) for every leaf: its low corner relative to the area's.
function model_methods:each_leaf(visit)
   local file = self.file
   local function go(group, at, x, y, z, size)
      local word = u32(file, at)
      if word & LEAF ~= 0 then return visit(x, y, z, size, group + (word & ~LEAF) + 2) end
      local half = size >> 1
      for child = 0, 7 do
         go(group + word, group + word + 4 * child, x + (child & 1) * half, y + (child >> 1 & 1) * half,
            z + (child >> 2) * half, half)
      end
   end
   local size = 1 << self.shift
   for z = 0, self.cells[3] - 1 do
      for y = 0, self.cells[2] - 1 do
         for x = 0, self.cells[1] - 1 do
            go(self.octree, root_word(self, x, y, z), x * size, y * size, z * size, size)
         end
      end
   end
end

--- The list of a point relative to the area's low corner, as the game looks it up; nil outside.
--- Also the size of the leaf.
function model_methods:find(x, y, z)
   if (x & self.mask[1] | y & self.mask[2] | z & self.mask[3]) & 0xFFFFFFFF ~= 0 then return nil end
   local file, shift = self.file, self.shift
   local group, at = self.octree, root_word(self, x >> shift, y >> shift, z >> shift)
   local word = u32(file, at)
   while word & LEAF == 0 do
      shift = shift - 1
      group = group + word
      word = u32(file, group + 4 * ((x >> shift & 1) | (y >> shift & 1) << 1 | (z >> shift & 1) << 2))
   end
   return group + (word & ~LEAF) + 2, 1 << shift
end

-- A place relative to an area's low corner, cut to whole units as the game does: towards zero.
local function relative(point, min)
   local cell = {}
   for axis = 1, 3 do
      local value = point[axis] - min[axis]
      cell[axis] = math.tointeger(value < 0 and -(-value // 1) or value // 1)
   end
   return cell
end

--- The list of a place in the world.
function model_methods:find_at(point)
   local cell = relative(point, self.min)
   return self:find(cell[1], cell[2], cell[3])
end

-- Files -------------------------------------------------------------------------------------------

local file_methods = {}
file_methods.__index = file_methods

--- The bytes of a file that is of that game.
function reader.read(bytes, game)
   local format = FORMATS[game]
   local file = { bytes = bytes, order = format.order, fixed = format.fixed, v2 = format.v2, models = {} }
   setmetatable(file, file_methods)
   if not file.v2 then
      file.models[1] = read_model(file, 0, #bytes)
      return file
   end
   file.global, file.total = u32(file, 4), u32(file, 0x34)
   local offsets, sorted = {}, {}
   for i = 1, u32(file, 0xC) do offsets[i] = u32(file, u32(file, 8) + 4 * i - 4) end
   table.move(offsets, 1, #offsets, 1, sorted)
   table.sort(sorted)
   local end_of = {}
   for i, start in ipairs(sorted) do end_of[start] = sorted[i + 1] or #bytes end
   for i, start in ipairs(offsets) do file.models[i] = read_model(file, start, end_of[start]) end
   file.min, file.max = numbers(file, 0x10, 3), numbers(file, 0x1C, 3)
   file.shifts = { u32(file, 0x28), u32(file, 0x2C), u32(file, 0x30) }
   return file
end

--- Calls visit(model, corner, size) for every cell of the global octree; model is a number or nil.
function file_methods:each_cell(visit)
   local function go(group, corner, size)
      for child = 0, 7 do
         local word, at, half = u32(self, group + 4 * child), {}, {}
         for axis = 1, 3 do
            half[axis] = size[axis] / 2
            at[axis] = corner[axis] + (child >> axis - 1 & 1) * half[axis]
         end
         if word >> 30 == 0 then
            go(group + 4 * word, at, half)
         else
            visit(word >> 30 == 2 and (word & 0x3FFFFFFF) + 1 or nil, at, half)
         end
      end
   end
   go(self.global, { 0, 0, 0 }, { 2.0 ^ self.shifts[1], 2.0 ^ self.shifts[2], 2.0 ^ self.shifts[3] })
end

--- The model of a place in the world, nil outside and in empty cells.
function file_methods:model_at(point)
   local p = relative(point, self.min)
   for axis = 1, 3 do
      if p[axis] < 0 or p[axis] >> self.shifts[axis] ~= 0 then return nil end
   end
   local group, level = self.global, 0
   while true do
      local child = 0
      for axis = 1, 3 do
         local shift = self.shifts[axis] - 1 - level
         if shift >= 0 then child = child | (p[axis] >> shift & 1) << axis - 1 end
      end
      local word = u32(self, group + 4 * child)
      if word >> 30 == 3 then return nil end
      if word >> 30 == 2 then return (word & 0x3FFFFFFF) + 1 end
      group, level = group + 4 * word, level + 1
   end
end

-- Geometry ----------------------------------------------------------------------------------------

local function cross(a, b)
   return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

reader.cross, reader.dot = cross, dot

--- The three corners of a prism by the formulas of the community's wiki.
function reader.corners(prism)
   local function corner(edge)
      local along = cross(edge, prism.face)
      local k = prism.height / dot(along, prism.bc)
      return { prism.position[1] + along[1] * k, prism.position[2] + along[2] * k, prism.position[3] + along[3] * k }
   end
   return { prism.position, corner(prism.ab), corner(prism.ca) }
end

return reader
