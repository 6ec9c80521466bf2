--- Triangles to prisms. A triangle is { a, b, c, flag = }, with corners { x, y, z } that run
--- counter-clockwise seen from the side that is hit. It may have, for prisms that no triangle has:
---   height                the height that is written
---   face, ca, ab, bc      normals that are written
---   stretch               a factor for the length of the face normal
---   id                    V2: its index over all models; else it is counted
local kclformat = require "samples.kclformat"

local prisms = {}

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function scale(a, k) return { a[1] * k, a[2] * k, a[3] * k } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function cross(a, b)
   return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

-- Of length 1. What has no length stays, and zeros are never negative.
local function unit(a)
   local length = math.sqrt(dot(a, a))
   local u = length > 0 and scale(a, 1 / length) or a
   return { u[1] + 0.0, u[2] + 0.0, u[3] + 0.0 }
end

--- The normals and the height of a triangle: face, ca, ab, bc, height.
function prisms.shape(triangle)
   local a, b, c = table.unpack(triangle)
   local face = unit(cross(sub(b, a), sub(c, a)))
   local bc = unit(cross(face, sub(b, c)))
   return { face = face, ca = unit(cross(face, sub(c, a))), ab = unit(cross(face, sub(a, b))), bc = bc,
      height = dot(sub(b, a), bc) }
end

-- Packed values, each one once.
local function new_pool(first)
   local pool = { first }
   local index_of = {}
   return pool, function(bytes)
      if not index_of[bytes] then
         pool[#pool + 1] = bytes
         index_of[bytes] = #pool - 1
      end
      return index_of[bytes]
   end
end

--- What stands in a file: { positions =, normals =, records = }, lists of packed values. `first`: a
--- position before all others, as packed bytes, or nil.
function prisms.pack(format, triangles, first)
   local positions, position = new_pool(first)
   local normals, normal = new_pool()
   local records = {}
   for i, triangle in ipairs(triangles) do
      local shape = prisms.shape(triangle)
      local face = triangle.face or scale(shape.face, triangle.stretch or 1)
      local indices = { position(kclformat.numbers(format, triangle[1])) }
      for _, n in ipairs{ face, triangle.ca or shape.ca, triangle.ab or shape.ab, triangle.bc or shape.bc } do
         indices[#indices + 1] = normal(kclformat.normal(format, n))
      end
      records[i] = kclformat.numbers(format, { triangle.height or shape.height })
         .. kclformat.u16(format, table.unpack(indices)) .. kclformat.u16(format, triangle.flag or 0)
         .. (format.v2 and kclformat.u32(format, triangle.id or i - 1) or "")
   end
   return { positions = positions, normals = normals, records = records }
end

--- Where a triangle can be hit from, as a test of cells: its prism reaches `thickness` below the
--- face, and spheres up to `radius` come near. touches(low, size) takes the low corner of a box and
--- its edges. It never misses a box, but takes some in vain.
function prisms.reach(triangle, thickness, radius)
   local face = prisms.shape(triangle).face
   local low, high = {}, {}
   for axis = 1, 3 do
      local a, b, c = triangle[1][axis], triangle[2][axis], triangle[3][axis]
      local down = -thickness * face[axis]
      -- One unit more: coordinates are cut to whole ones, and floats round.
      low[axis] = math.min(a, b, c) + math.min(down, 0) - radius - 1
      high[axis] = math.max(a, b, c) + math.max(down, 0) + radius + 1
   end
   local above = dot(face, triangle[1])
   local function touches(corner, size)
      local middle, half = -above, radius + 1
      for axis = 1, 3 do
         if corner[axis] > high[axis] or corner[axis] + size[axis] < low[axis] then return false end
         middle = middle + face[axis] * (corner[axis] + size[axis] / 2)
         half = half + math.abs(face[axis]) * size[axis] / 2
      end
      return middle - half <= 0 and middle + half >= -thickness
   end
   return { low = low, high = high, touches = touches }
end

return prisms
