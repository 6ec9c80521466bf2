---@meta _
-- KCL: the collision of a course, and the flags of its surfaces.

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

---@class kart.kcl.make_options: kart.kcl.build_options
--- Default: the mesh's.
---@field game? kart.kcl.game
--- How far below its face a prism collides. Default: as in the game's own files, like 300 for Mario Kart Wii.
---@field thickness? number
--- The largest sphere that the game looks up. Default likewise, like 250.
---@field radius? number
--- Leave out triangles that can't be prisms, instead of failing.
---@field drop? boolean
--- The flag of triangles that have none.
---@field flag? integer
--- The most units that a corner may be off, for what the file's numbers round and for normals that are shared.
--- Default 1.
---@field max_error? number

--- What came of building a file.
---@class kart.kcl.make_report
--- Triangles that were left out ...
---@field dropped integer
--- Their area, in square units.
---@field dropped_area number
--- ... and the first 100 of them.
---@field faults kart.kcl.make_fault[]
---@field positions integer
---@field normals integer
--- Models, 1 before version 2 ...
---@field models integer
--- ... and copies of triangles that stand in several of them.
---@field copies integer
--- The most units that a corner of a prism is off ...
---@field worst number
--- ... and the triangle.
---@field worst_triangle integer
--- Normals that were given up where there were more than the 65,536 that a file can count: prisms share what is
--- nearly alike, so that the worst corner is off as little as can be.
---@field shared integer
--- By that, the most degrees between a prism's face and its triangle ...
---@field turned number
--- ... and that an edge normal is off a right angle with its face. At most 0.0573.
---@field tilted number
---@field octree_bytes integer
---@field lists integer
---@field longest_list integer

---@class kart.kcl.make_fault
---@field triangle integer
--- Why it can't be a prism.
---@field reason string

---@class kart.kcl.build_options
--- `balanced`, the default: lists much shorter than those of the game's own files, in no more bytes than the
--- octree that is there. `size`: few bytes. `speed`: the shortest lists, whatever they take.
---@field goal? "balanced"|"size"|"speed"
--- The most bytes of the octree.
---@field budget? integer
--- Edge of the smallest cells, a power of two. Default 128.
---@field smallest? integer
--- The most prisms in a list, as far as cells of an eighth of `smallest` allow it, whatever bytes that takes. Default:
--- what the longest one of the octree has that is there, and 256 at most: so many Mario Kart Wii keeps at hand.
---@field longest? integer
--- The most root cells. Default 16.
---@field roots? integer
--- The share of lookups that come by area, 0 to 1; the others come to all prisms alike. Default 0.5.
---@field by_area? number
--- Version 2: the most prisms of a model. Default: 65535, as far as 65536 positions and as many normals allow it.
---@field model_prisms? integer

---@class kart.kcl.rebuild_options: kart.kcl.build_options
--- Version 2: share the triangles out to models anew, in as few as it takes, with indices that run from 0.
---@field split? boolean

--- Build the octree anew. Positions, normals, prisms and flags keep their bytes; bytes behind the old octree are
--- dropped, with a warning, and prisms that are no triangle are in no list, with a warning. Every list has all
--- prisms that a lookup in its cell can touch: see `prove`. The same file gives the same bytes on every machine.
---
--- In version 2 all models get new octrees. Triangles that can be touched from the cells of a model that hasn't
--- them are copied into it, behind its own, and an empty cell from which some can be touched gets a model, both
--- with a warning. Where a model can't hold its copies, where triangles can be touched from beyond the octree over
--- the models, and in a document that is `stale`, they are shared out anew as with `split`.
---
--- Fails with `unsupported` (no triangle), `limit` (the budget is too small; more can be touched from one place
--- than a model holds), `memory` or `cancelled`; the document is as it was then.
---@param options? kart.kcl.rebuild_options
---@return kart.kcl? document
---@return string? message
---@return kart.code? code
function kcl:rebuild(options) end

--- Take prisms out, by their numbers, and all copies of them in other models. The others keep their numbers, as
--- flags, normals and heights, and their order; what no prism uses any more goes. The document is `stale` after that.
---
--- Fails with `unsupported` (none would be left), `memory` or `cancelled`; the document is as it was then.
---
---     local weak = {}
---     for i, prism in ipairs(kcl.prisms) do
---        if prism.problem or prism.area < 1 then weak[#weak + 1] = i end
---     end
---     kcl:remove(weak)
---@param prisms integer[] from 1 over all models
---@return kart.kcl? document
---@return integer|string removed_or_message triangles that are gone
---@return kart.code? code
function kcl:remove(prisms) end

---@class kart.kcl.missing
--- The prism that isn't listed, from 1 over all models: the first of those that are its triangle.
---@field prism integer
--- The model whose cell it is.
---@field model integer
--- The lowest corner of the cell ...
---@field cell kart.vec
--- ... and its edge.
---@field edge integer
--- How far the triangle is from it; 0 where the prism reaches into it.
---@field distance number

---@class kart.kcl.proof
--- Cells that were looked at, and ids in their lists.
---@field leaves integer
---@field ids integer
--- Pairs of a cell and a triangle that must be in its list, and isn't.
---@field missing integer
--- Triangles that can be touched where there is no cell any more, or where the octree over the models leads to none.
---@field outside integer
--- The first of those that are missing, at most 16.
---@field first kart.kcl.missing[]

---@class kart.kcl.proof_options
--- The share of the cells that are looked at, drawn one by one. Default: all of them.
---@field share? number
--- Another seed, from 0, draws others. Default 0.
---@field seed? integer

--- Hold every cell of the octree against all triangles: a list must have each one that is not farther from the cell
--- than the header's radius, or whose prism reaches into it, since a lookup there can touch it. In version 2 that
--- goes for the part of the cell that the octree over the models leads to, and for the triangles of all models. It
--- takes some 0.5 s for a large course. An octree that is `stale` is rebuilt first, and fails as `rebuild` does.
--- Fails with `memory` or `cancelled`.
---@param options? kart.kcl.proof_options
---@return kart.kcl.proof? proof
---@return string? message
---@return kart.code? code
function kcl:prove(options) end

---@class kart.kcl.length_options
--- Places of each kind. Default 100000.
---@field samples? integer
--- Another seed, from 0, gives other places. Default 0.
---@field seed? integer

---@class kart.kcl.length
--- Prisms that a lookup tests, on average ...
---@field mean number
--- ... and at most, of the places that were tried.
---@field longest integer

---@class kart.kcl.lengths
---@field samples integer
--- Places on the triangles, each square unit as likely as any other, moved by up to 100 units in any direction.
---@field by_area kart.kcl.length
--- The same with every prism as likely as any other, whatever its size.
---@field by_prism kart.kcl.length

--- How long the lists are that the game reads near the surfaces. An octree that is `stale` is rebuilt first, and
--- fails as `rebuild` does. Fails with `memory` or `cancelled`.
---@param options? kart.kcl.length_options
---@return kart.kcl.lengths? lengths
---@return string? message
---@return kart.code? code
function kcl:list_lengths(options) end

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

-- --- kart.flags -------------------------------------------------------------------------------

--- Flags as words. The notation is type[/variant][+modifier...]: `road`, `road/dirt+trickable`,
--- `wall/3+light=2`, `0x2020`, `8224`. A type without a variant means variant 0. docs/flags.md lists the
--- names of each game. Flags of "mkagp" have 32 bits: type and variant are surface and off-road. Every function
--- takes the game last, "mkw" if it isn't given; an unknown game raises. Flags of "smo", "smg", "sm3dl" and "mk7" have no names here: they are numbers only.
---@class kart.flags.functions
local flags = {}

--- The flag that a text names. nil and a message, with the name that may have been meant, if there is
--- none.
---
---     prism.flag = assert(kart.flags.parse("road/dirt+trickable", course.game))
---@param text string
---@param game? kart.kcl.game|"mkagp"
---@return integer? flag
---@return string? message
function flags.parse(text, game) end

--- The notation of a flag. It reads back as the same number.
---@param flag integer
---@param game? kart.kcl.game|"mkagp"
---@return string
function flags.format(flag, game) end

--- A flag in words for people: "Road, dirt, trickable".
---@param flag integer
---@param game? kart.kcl.game|"mkagp"
---@return string
function flags.describe(flag, game) end

--- The parts of a flag: `type` and `variant` as in the notation (a variant without a name is its number),
--- and each modifier of the game by its name, true or false, or a number for those that have one. Empty
--- for games without names.
---
---     if kart.flags.fields(prism.flag, course.game).trickable then ... end
---@param flag integer
---@param game? kart.kcl.game|"mkagp"
---@return table<string, string|integer|boolean>
function flags.fields(flag, game) end

--- The types that words name, as bits: bit n for type n; of the arcade games, whose types are bits of flags, these
--- bits. `words` is a text with commas or spaces between them,
--- or a list: types (`road`, the same as `road/*`) and groups of them (`floors`, see `groups`). nil and a
--- message if one isn't known. The engine's own filter knows types only, no variants and no modifiers.
---
---     kart.flags.mask "floors, boost_pad"
---@param words string|string[]
---@param game? kart.kcl.game|"mkagp"
---@return integer? mask
---@return string? message
function flags.mask(words, game) end

---@class kart.flags.variant
--- From 0, as in the flag.
---@field number integer
---@field name string

---@class kart.flags.type
--- From 0, as in the flag.
---@field number integer
---@field name string
--- The name for people, like "Off-road".
---@field title string
--- What it does.
---@field doc string
--- Those that have names.
---@field variants kart.flags.variant[]

--- The types of surfaces that a game has, by number; none for games without names.
---@param game? kart.kcl.game|"mkagp"
---@return kart.flags.type[]
function flags.types(game) end

---@class kart.flags.modifier
---@field name string
--- Its lowest bit.
---@field bit integer
--- Its greatest value; 1 for one that is set or not.
---@field most integer
--- What it does.
---@field doc string

--- What a flag of a game may have besides type and variant, from the lowest bit; none for games without
--- names.
---@param game? kart.kcl.game|"mkagp"
---@return kart.flags.modifier[]
function flags.modifiers(game) end

---@class kart.flags.group
---@field name string
--- Its types, bit n for type n.
---@field mask integer
--- What they have in common.
---@field doc string

--- Types that a game's engine looks for together, as far as that is known.
---@param game? kart.kcl.game|"mkagp"
---@return kart.flags.group[]
function flags.groups(game) end
