---@meta _
-- KCL: the collision of a course.

-- --- kart.kcl ---------------------------------------------------------------------------------

--- - `mkw`: Mario Kart Wii
--- - `mk8`: Mario Kart 8, Wii U
--- - `mk8dx`: Mario Kart 8 Deluxe, Switch
--- - `smo`: Super Mario Odyssey, and others of the Switch
--- - `smg`: Super Mario Galaxy, and others of GameCube and Wii
--- - `sm3dl`: Super Mario 3D Land
--- - `mk7`: Mario Kart 7, and others of the 3DS
--- - `mkds`: Mario Kart DS
---@alias kart.kcl.game "mkw"|"mk8"|"mk8dx"|"smo"|"smg"|"sm3dl"|"mk7"|"mkds"

---@class kart.kcl.functions
local functions = {}

--- A document from the bytes of a file. Which game it is of follows from the bytes, see `kcl.guessed`;
--- `game` says it instead.
---
--- Fails with `format` (the message names the section, the offset, what was expected and what was
--- found), `limit` (over 256 MB) or `memory`. What is odd but readable is no failure: see
--- `doc.warnings`. After success every index is in range, and every path through the octree ends in a
--- list.
---@param bytes string
---@param game? kart.kcl.game
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function functions.parse(bytes, game) end

--- A collision file from a mesh, for every game: triangles become prisms in their order, with an octree over them; in
--- version 2 in as many models as it takes, with an octree over these. The second value tells what came of it.
---
---     local course, report = assert(kart.kcl.build(mesh, { game = "mkw", drop = true }))
---
--- Fails with `format` (a triangle has no flag, or can't be a prism: the first one is named, and how many there
--- are), `limit` (more prisms, positions or normals than the file can count, and by how many; the budget is too
--- small), `unsupported` (nothing that has an area), `memory` or `cancelled`.
---@param mesh kart.mesh
---@param options? kart.kcl.make_options
---@return kart.kcl? document
---@return kart.kcl.make_report|string report_or_message
---@return kart.code? code
function functions.build(mesh, options) end

--- The rules of `kcl:check()`, in their order. docs/checks.md shows them.
---@return kart.rule[]
function functions.rules() end

-- --- documents --------------------------------------------------------------------------------

--- A KCL of any game. It keeps every byte of the file it was read from; assigning a flag changes two of
--- them. It holds memory that Lua's collector frees when it comes to it; `close` frees it at once, and so
--- does `local course <close> = ...`. Its properties can't be assigned.
---@class kart.kcl: kart.shape
---@field game kart.kcl.game
--- The game's name for people, like "Mario Kart Wii".
---@field title string
--- The bytes allow other games, too: those of the Switch share one format, and so do those of the 3DS,
--- and those of GameCube and Wii but for Mario Kart Wii.
---@field guessed boolean
--- 2: a file header, several models and an octree over them (Mario Kart 8 and later). 1: one model.
---@field version 1|2
--- The octree doesn't fit the prisms any more, after a turn, a scale, and a move that had to round. It is
--- built when the document is saved or looked up in, or earlier with `kcl:rebuild`.
---@field stale boolean
--- A new list at each access.
---@field models kart.kcl.model[]
--- The prisms of all models, counted through, model by model.
---@field prisms kart.prisms
--- What was odd when the file was read, and what transformations could not carry over: a new list at
--- each access, in the order in which it was found. At most 100 of a kind.
---@field warnings kart.finding[]
local kcl = {}

--- A part of the file with positions, normals, prisms and an octree of its own.
---@class kart.kcl.model
--- Where it starts in the file, in bytes.
---@field offset integer
---@field bytes integer
--- Numbers of prisms ...
---@field prisms integer
--- ... of positions ...
---@field positions integer
--- ... and of normals.
---@field normals integer
--- How far below its face a prism still collides, in units.
---@field thickness number
--- The largest sphere that the game looks up, in units; 0 where the header doesn't say.
---@field radius number
--- Edge of the root cells of the octree, in units.
---@field cell integer
--- The corner where the octree begins.
---@field min kart.vec

--- The file's bytes. An octree that is `stale` is rebuilt first, with the defaults of `kcl:rebuild`, and
--- fails as that does. Fails with `memory` or `cancelled`.
---@return string? bytes
---@return string? message
---@return kart.code? code
function kcl:bytes() end

--- Write the file in one step: after any failure the old file is there, whole. Fails as `bytes` does, and
--- with `io`.
---@param path string
---@return true? done
---@return string? message
---@return kart.code? code
function kcl:save(path) end

--- A copy that shares nothing with the document. Fails with `memory`.
---@return kart.kcl? copy
---@return string? message
---@return kart.code? code
function kcl:clone() end

--- Free the memory now. After that the document and its prisms raise; tostring, kart.type and `close` of
--- the document still work.
function kcl:close() end

-- Transformations return the document, so that they can be chained. All or nothing: after a failure the
-- document is as it was. `limit` is a number out of its format's range, or a corner or the octree's area more
-- than 16777216 units from 0. docs/kcl.md says what is exact, and when rounding is warned of.

---@class kart.kcl.mirror_options
--- Where on the axis the mirror stands. Default 0.
---@field at? number

--- The mirror image, with the octree: nothing needs to be rebuilt. "x" turns the sign of x, "z" that of
--- z; "y" raises. Twice at 0 gives the same bytes; of files of version 2 the header's maximum may differ.
---
--- Fails with `unsupported` (nodes of the octree overlap), `limit` (a number leaves the range of its
--- format) or `memory`.
---@param axis "x"|"z"
---@param options? kart.kcl.mirror_options
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function kcl:mirror(axis, options) end

---@class kart.kcl.transform_options
--- Do it as if this point were 0, 0, 0.
---@field origin? kart.xyz

--- Turn the collision by so many degrees, counter-clockwise as seen from the axis's tip: 90 about y takes
--- +Z to +X. The document is `stale` after that. Prisms are made anew from the corners of their triangles, and those
--- that are none are left out, with a warning; so are copies in several models, until these are built. Fails with `limit`, `unsupported` (no
--- triangle is left) or `memory`.
---@param axis kart.axis|kart.xyz
---@param degrees number
---@param options? kart.kcl.transform_options
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function kcl:rotate(axis, degrees, options) end

--- Make the collision larger or smaller: one factor for all axes, or one for each. Thickness and radius stay,
--- as they belong to the game. The document is `stale` after that; prisms go as under `rotate`.
---
--- Fails with `limit`, `unsupported` (no triangle is left) or `memory`. Factors of 0 and below raise.
---@param factor number|kart.xyz
---@param options? kart.kcl.transform_options
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function kcl:scale(factor, options) end

--- Move the collision. The octree moves along where every coordinate stays exact, as under a move by 1024
--- mostly; else the document is `stale` after that. Fails with `limit` or `memory`.
---@param by kart.xyz
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function kcl:translate(by) end

--- Any affine map: a mirror at x or z and a move are done as above, everything else leaves the document `stale`
--- and goes as under `rotate`. Fails with `unsupported` (it flattens; no triangle is left), `limit` or
--- `memory`.
---@param matrix kart.matrix
---@param options? kart.kcl.transform_options
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function kcl:transform(matrix, options) end

--- What becomes what: a number or a text in the notation of `kart.flags`. On the left, `*` leaves open the
--- variant (`road/*`) or all of it (`*`), and modifiers say what must be set (+) or not (-); those that
--- aren't named may be either. On the right stands what changes: `wall` replaces type and variant,
--- `+trickable` and `-trickable` one modifier, a number everything.
---@alias kart.kcl.retags table<string|integer, string|integer>

--- Give prisms other flags.
---
---     kcl:retag{ ["road/dirt"] = "road", ["off_road/*"] = "+trickable", [0x16] = "wall" }
---     kcl:retag(function(flag, fields) if fields.trickable then return "-trickable" end end)
---
--- All rules look at the flags as they were. Of several that fit a flag the one that names more bits
--- counts; two that name as many and disagree raise, and so do unknown names. A function is called once
--- for each flag that occurs, with what `kart.flags.fields` tells of it, and returns a right side, or nil
--- for no change. For single prisms assign `prism.flag`.
---@param spec kart.kcl.retags|fun(flag: integer, fields: table<string, any>): string|integer|nil
---@return integer changed number of prisms
---@return table<string|integer, integer> by_rule of them: by the left sides of a table, by the old flags of a function
function kcl:retag(spec) end

--- The work of `retag`, with numbers only: every flag that is a key of the table becomes its value.
---@param map table<integer, integer>
---@return integer changed number of prisms
function kcl:map_flags(map) end

---@class kart.kcl.mesh_options
--- How far a computed corner may be from a position of the file to be moved there, in units; 0: only equal
--- ones. Default 0.1.
---@field snap? number
--- Tolerance of `mesh:weld` after that. Default 0.1.
---@field weld? number

---@class kart.kcl.mesh_report
--- Prisms that are no sound triangle, see `prism.problem`.
---@field left_out integer
--- Triangles that stand in several models, left out but for one.
---@field copies integer
--- Corners that had to be computed: two of each triangle.
---@field computed integer
--- How many of them were moved to a position of the file ...
---@field snapped integer
--- ... and how far one of them was moved at most, in units.
---@field farthest number
--- Positions that welding joined to others.
---@field joined integer

--- The sound triangles as a mesh, in their order, with their flags; corner A comes first. A file holds one
--- corner of each prism, the others are computed and a little off: they are moved to positions of the file,
--- then welded. docs/mesh.md has figures. Fails with `memory`, `limit` or `cancelled`.
---@param options? kart.kcl.mesh_options
---@return kart.mesh? mesh
---@return kart.kcl.mesh_report|string report or the message
---@return kart.code? code
function kcl:mesh(options) end

---@class kart.kcl.flag_count
---@field flag integer
--- Prisms that have it.
---@field count integer
--- Their area, in square units.
---@field area number

--- The flags that occur, ascending.
---@return kart.kcl.flag_count[]
function kcl:flags() end

---@class kart.kcl.stats
---@field models integer
---@field prisms integer
--- Version 2: different triangles, as models may share one; else the prisms.
---@field triangles integer
--- Of all models; there may be unused ones.
---@field positions integer
---@field normals integer
--- Prisms that are no triangle, and those that are one but inside out: see `prism.problem`. All others are
--- sound.
---@field degenerate integer
---@field inverted integer
--- Area of the sound triangles, in square units.
---@field area number
--- Bounds of the sound triangles; nil if there are none.
---@field low kart.vec?
---@field high kart.vec?
--- Size of the octrees in the file.
---@field octree_bytes integer
--- Groups of eight words.
---@field nodes integer
--- Cells with a list.
---@field leaves integer
--- ... that is empty.
---@field empty_leaves integer
--- Different places that cells point at.
---@field lists integer
--- Ids in all of them.
---@field list_refs integer
---@field longest_list integer
--- Length of the list at a place in the area, on average.
---@field mean_list number
--- Splits above the smallest cell.
---@field depth integer
--- Prisms that no list names: nothing collides with them.
---@field unreached integer

--- What is in it, in numbers. Those of the octree say nothing while the document is `stale`. Fails with
--- `memory`.
---@return kart.kcl.stats? stats
---@return string? message
---@return kart.code? code
function kcl:stats() end

--- What would go wrong in the game, by the rules of `kart.kcl.rules`. What reading the file found is in
--- `warnings`, not here. Fails with `memory` or `cancelled`.
---@return kart.finding[]? findings
---@return string? message
---@return kart.code? code
function kcl:check() end

-- --- views ------------------------------------------------------------------------------------

--- `kcl.prisms`: `#prisms` is their number, `prisms[1]` the first one, nil past the end; `ipairs` walks
--- them. Prisms can't be assigned, their flags can.
---@class kart.prisms
---@field [integer] kart.prism
---@operator len: integer
local prisms = {}

--- A prism: a triangle, and what is below it. A view, not a copy: a flag that is assigned is in the
--- document. Two views of one prism are equal; tostring gives "prisms[3]".
---
--- Seen from the side that collides, the corners A, B and C run counter-clockwise. The normals of the
--- three edges lie in the face's plane and point outwards.
---@class kart.prism
--- Its place among all prisms, from 1.
---@field index integer
--- 0 to 65535. The only field that can be assigned, to a number: see `kart.flags.parse` for names.
---@field flag integer
--- The model that it is in, from 1.
---@field model integer
--- Version 2: its index among the triangles of all models, from 0 as in the file; copies in several models
--- share it. nil in files of version 1.
---@field triangle integer?
--- Distance of the edge BC from corner A, as it stands in the file.
---@field height number
--- Corner A, as it stands in the file.
---@field position kart.vec
--- The normals, as they stand in the file: of the face ...
---@field face_normal kart.vec
--- ... of the edge from C to A ...
---@field ca_normal kart.vec
--- ... of the edge from A to B ...
---@field ab_normal kart.vec
--- ... and of the edge from B to C.
---@field bc_normal kart.vec
--- The corners A, B and C, computed in double precision; nil where they can't be.
---@field corners kart.vec[]?
--- Area of the triangle, in square units; 0 where the corners can't be computed.
---@field area number
--- Why it is no sound triangle, in words; nil if it is one.
---@field problem string?
local prism = {}
