---@meta _
-- Packed points and columns of packed numbers: what queries on many points take and give.

--- How the numbers are packed: as floats, as in most files, or as doubles.
---@alias kart.points.format "f32"|"f64"

---@class kart.points.functions
local functions = {}

--- Packed points from a list of vectors, from other points, from the positions of a mesh, or so many points at 0, 0, 0 to be assigned.
--- Numbers are rounded to the format; those that a float can't hold raise.
---@param from kart.xyz[]|kart.points|kart.positions|integer
---@param format? kart.points.format default "f32"
---@return kart.points
function functions.new(from, format) end

--- Points from bytes: x, y and z of each, the low byte first. Bytes that don't fit raise.
---@param bytes string
---@param format? kart.points.format default "f32"
---@return kart.points
function functions.parse(bytes, format) end

--- Points packed one behind the other. `#points` is their number, `points[i]` one of them, nil past the end;
--- `ipairs` walks them. A point can be assigned, none added. Points from bytes may hold numbers that aren't
--- finite.
---@class kart.points
---@field [integer] kart.vec
---@field format kart.points.format
---@operator len: integer
local points = {}

--- The bytes that `kart.points.parse` reads.
---@return string
function points:bytes() end

--- Packed numbers, or names. `#column` is their number, `column[i]` one of them, nil past the end; `ipairs`
--- walks them. A column never changes.
---@class kart.column
---@field [integer] number|string
---@operator len: integer
local column = {}

--- All of them as a plain list.
---@return (number|string)[]
function column:table() end
