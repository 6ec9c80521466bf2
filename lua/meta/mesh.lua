---@meta _
-- Meshes: triangles with flags, between collision files and modelling programs.

---@class kart.mesh.functions
local functions = {}

---@class kart.mesh.spec
--- Whose flags they are. Default "mkw".
---@field game? kart.kcl.game|"mkagp"
---@field positions kart.xyz[]
---@field triangles kart.mesh.triangle_spec[]

--- Three numbers of positions, from 1, counter-clockwise as seen from the side that collides; and by name:
---@class kart.mesh.triangle_spec
---@field [integer] integer
--- A number, or a word of `kart.flags`. Without it the names say the flag, if they can.
---@field flag? integer|string
---@field material? string
---@field part? string

--- A mesh from tables. What is wrong in them raises.
---
---     local mesh = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
---        triangles = { { 1, 2, 3, flag = "road/dirt" } } }
---@param spec kart.mesh.spec
---@return kart.mesh
function functions.new(spec) end

---@class kart.mesh.parse_options
--- Whose flags its materials stand for. Default "mkw".
---@field game? kart.kcl.game
--- The text of its material library, for colours.
---@field mtl? string

--- A mesh from the text of an OBJ. Files are opened with `kart.open`. docs/mesh.md tells what is read,
--- and how names say flags.
---
--- Fails with `format` (the message names the line and the reason), `limit` or `memory`. What is left out
--- is in `mesh.warnings`; triangles whose flag isn't known are counted in `mesh.materials`.
---@param text string
---@param options? kart.mesh.parse_options
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function functions.parse(text, options) end

--- The flags of materials from a text of "name = flag" lines, as a table for `mesh:tag`. Lines that begin
--- with # are comments, and so is what stands behind a # after the flag. Fails with `format`, naming the
--- line.
---
---     local rules = assert(kart.mesh.parse_flags(assert(kart.file.read "course.flags")))
---@param text string
---@param game? kart.kcl.game
---@return table<string, integer>? rules
---@return string? message
---@return kart.code? code
function functions.parse_flags(text, game) end

---@class kart.mesh.pair
---@field name string
---@field value string
--- Where it stands.
---@field line integer

--- The work of `parse_flags`: the lines taken apart, whatever their values are. Fails with `format`.
---@param text string
---@return kart.mesh.pair[]? pairs
---@return string? message
---@return kart.code? code
function functions.pairs(text) end

-- --- documents --------------------------------------------------------------------------------

--- Triangles over a list of positions. All bulk work is done natively. It holds memory that Lua's collector
--- frees when it comes to it; `close` frees it at once, and so does `local mesh <close> = ...`.
---@class kart.mesh: kart.shape
--- Whose flags they are. It can be assigned; the flags stay the numbers that they are.
---@field game kart.kcl.game|"mkagp"
---@field triangles kart.triangles
---@field positions kart.positions
--- The materials that triangles have, in the order in which they came; those without one last, under the
--- name "". A new list at each access.
---@field materials kart.mesh.material[]
--- What was odd when the mesh was read or made: a new list at each access. At most 100 of a kind.
---@field warnings kart.finding[]
local mesh = {}

---@class kart.mesh.material
---@field name string
--- How many triangles have it ...
---@field triangles integer
--- ... and of how many of them the flag isn't known.
---@field unflagged integer
--- The flag of the others; nil if there are none, or if they have several.
---@field flag integer?
--- Red, green and blue from 0 to 1, where the material library says it.
---@field colour kart.vec?

--- The mesh as a text or as bytes: "obj" (the default), "ply", or "mtl", the material library to the OBJ.
--- Fails with `memory` or `cancelled`.
---@param format? "obj"|"ply"|"mtl"
---@return string? bytes
---@return string? message
---@return kart.code? code
function mesh:bytes(format) end

--- Write it by the path's ending: .obj, with an .mtl of the same name beside it, or .ply. Each file is
--- written in one step. Fails with `io`, `unsupported` (another ending), `memory` or `cancelled`.
---@param path string
---@return true? done
---@return string? message
---@return kart.code? code
function mesh:save(path) end

--- A copy that shares nothing with the mesh. Fails with `memory`.
---@return kart.mesh? copy
---@return string? message
---@return kart.code? code
function mesh:clone() end

--- Free the memory now. After that the mesh and its views raise; tostring, kart.type and `close` of the
--- mesh still work.
function mesh:close() end

-- Transformations return the mesh, so that they can be chained. All or nothing. The same sides go on
-- colliding: a mirror turns corners round.

---@class kart.mesh.mirror_options
--- Where on the axis the mirror stands. Default 0.
---@field at? number

--- The mirror image along x or z. Fails with `limit` (a position would leave the range of floats).
---@param axis "x"|"z"
---@param options? kart.mesh.mirror_options
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function mesh:mirror(axis, options) end

---@class kart.mesh.transform_options
--- Do it as if this point were 0, 0, 0.
---@field origin? kart.xyz

--- Turn by so many degrees, counter-clockwise as seen from the axis's tip. Fails with `limit`.
---@param axis kart.axis|kart.xyz
---@param degrees number
---@param options? kart.mesh.transform_options
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function mesh:rotate(axis, degrees, options) end

--- Scale by one factor, or by one for each axis. Factors of 0 and below raise. Fails with `limit`.
---@param factor number|kart.xyz
---@param options? kart.mesh.transform_options
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function mesh:scale(factor, options) end

--- Move it. Fails with `limit`.
---@param by kart.xyz
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function mesh:translate(by) end

--- Any affine map. Fails with `limit`.
---@param matrix kart.matrix
---@param options? kart.mesh.transform_options
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function mesh:transform(matrix, options) end

--- Give every position another place: called with three numbers for each, the function returns three, or a
--- vector. It is called once for each position, which takes its time; `transform` doesn't. All or nothing.
---
---     mesh:map(function(x, y, z) return x, y + 10 * math.sin(x / 100), z end)
---@param f fun(x: number, y: number, z: number): number|kart.xyz, number?, number?
---@return kart.mesh mesh
function mesh:map(f) end

--- Make one of positions that are up to `tolerance` apart: each becomes the nearest kept one, the first one
--- is kept. Nothing moves farther than the tolerance. Triangles may lose their area by it: see
--- `drop_degenerate`. Fails with `memory` or `cancelled`.
---@param tolerance? number in units; default 0, which joins equal ones only
---@return integer? joined number of positions that are no more
---@return string? message
---@return kart.code? code
function mesh:weld(tolerance) end

--- Which triangles: flags by number or by word, as the left side of a rule of `retag` ("road", "road/*",
--- "*+trickable"), a list of them, or a function that is called for each triangle.
---@alias kart.mesh.which string|integer|(string|integer)[]|fun(triangle: kart.triangle): any

--- A mesh of some of the triangles, in their order. Fails with `memory` or `cancelled`.
---
---     local floor = mesh:select{ "road/*", "off_road/*" }
---     local steep = mesh:select(function(t) return t.normal and t.normal.y < 0.5 end)
---@param which kart.mesh.which
---@return kart.mesh? selected
---@return string? message
---@return kart.code? code
function mesh:select(which) end

--- A mesh for each flag, ascending; triangles whose flag isn't known come last. Fails with `memory` or
--- `cancelled`.
---@return kart.mesh[]? meshes
---@return string? message
---@return kart.code? code
function mesh:split() end

--- Make all triangles parts of one object; nil: of none. A name has one line, and no space around it.
---@param name string?
---@return kart.mesh mesh
function mesh:set_part(name) end

--- Add other meshes behind what is there. Those of another game raise. Fails with `memory` or `limit`.
---@param ... kart.mesh
---@return kart.mesh? mesh
---@return string? message
---@return kart.code? code
function mesh:merge(...) end

--- Turn triangles over, so that their other side collides.
---@param which? kart.mesh.which default: all of them
---@return kart.mesh mesh
function mesh:flip(which) end

--- Drop triangles without an area, and those with two equal corners. Fails with `cancelled`.
---@param area? number the largest that is dropped, in square units; default 1e-9
---@return integer? dropped
---@return string? message
---@return kart.code? code
function mesh:drop_degenerate(area) end

--- Drop all but the first of triangles with the same corners, sense and flag. Fails with `memory` or
--- `cancelled`.
---@return integer? dropped
---@return string? message
---@return kart.code? code
function mesh:drop_duplicates() end

--- Give triangles other flags, as `kcl:retag` does. Triangles whose flag changes lose their material, as it
--- stood for the old one.
---@param spec kart.kcl.retags|fun(flag: integer, fields: table<string, any>): string|integer|nil
---@return integer changed number of triangles
---@return table<string|integer, integer> by_rule
function mesh:retag(spec) end

--- The work of `retag`, with numbers only: every flag that is a key of the table becomes its value.
---@param map table<integer, integer>
---@return integer changed number of triangles
function mesh:map_flags(map) end

--- Give triangles flags by their materials: by a table of names, in upper or lower case, in which * stands
--- for any letters, or by a function that is called once for each material with its name and its flag (nil
--- if it isn't known or there are several) and returns a flag, or nil for no change. "" is the name of none.
--- Exact names count before those with *. Unknown flags raise.
---
---     local changed, unknown = mesh:tag{ asphalt = "road", ["grass*"] = "off_road/grass", [""] = 0x17 }
---@param spec table<string, string|integer>|fun(name: string, flag: integer?): string|integer|nil
---@return integer changed number of triangles
---@return { name: string, triangles: integer }[] unknown the materials whose flag still isn't known
function mesh:tag(spec) end

--- The work of `tag`, with exact names and numbers only.
---@param map table<string, integer>
---@return integer changed number of triangles
function mesh:map_materials(map) end

--- The flags that occur, ascending. Triangles whose flag isn't known are left out.
---@return kart.kcl.flag_count[]
function mesh:flags() end

--- The lowest and the highest corner of the box around the triangles; nothing if there are none.
---@return kart.vec? low
---@return kart.vec? high
function mesh:bounds() end

--- Area of all triangles, in square units.
---@return number
function mesh:area() end

---@class kart.mesh.stats
---@field positions integer
--- Different places among them.
---@field distinct integer
--- Positions that no triangle names.
---@field unused integer
---@field triangles integer
--- Triangles with two equal corners, or an area of at most 1e-9.
---@field degenerate integer
--- Triangles that `drop_duplicates` would drop.
---@field duplicates integer
--- Triangles whose flag isn't known.
---@field unflagged integer
--- Edges between different places.
---@field edges integer
--- Edges of one triangle only: the border of the mesh, and its cracks.
---@field open_edges integer
--- Edges of more than two triangles.
---@field crowded_edges integer
---@field area number
--- Bounds of the triangles; nil if there are none.
---@field low kart.vec?
---@field high kart.vec?

--- What is in it, in numbers. Fails with `memory` or `cancelled`.
---@return kart.mesh.stats? stats
---@return string? message
---@return kart.code? code
function mesh:stats() end

-- --- views ------------------------------------------------------------------------------------

--- `mesh.triangles`: `#triangles` is their number, `triangles[1]` the first one, nil past the end; `ipairs`
--- walks them. Triangles can't be assigned, their flags can.
---@class kart.triangles
---@field [integer] kart.triangle
---@operator len: integer
local triangles = {}

--- `mesh.positions`: vectors, by the numbers that triangles name. They can't be assigned.
---@class kart.positions
---@field [integer] kart.vec
---@operator len: integer
local positions = {}

--- A triangle: a view, not a copy. Two views of one triangle are equal; tostring gives "triangles[3]".
---@class kart.triangle
--- Its place, from 1.
---@field index integer
--- 0 to 65535, 32 bits in a mesh of "mkagp"; nil if it isn't known. The only field that can be assigned, to a number.
---@field flag integer?
--- The name of its material, as the OBJ has it; nil if it has none.
---@field material string?
--- The object or group that it is a part of; nil if there is none.
---@field part string?
--- The corners, counter-clockwise as seen from the side that collides.
---@field corners kart.vec[]
--- Their numbers among the mesh's positions.
---@field positions integer[]
--- In square units.
---@field area number
--- Of length 1, towards the side that collides; nil without an area.
---@field normal kart.vec?
local triangle = {}
