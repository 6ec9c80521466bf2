---@meta _
-- AGP: the collision of the arcade games.

-- --- kart.agp ---------------------------------------------------------------------------------

---@class kart.agp.functions
local functions = {}

--- A document from the bytes of a file of Mario Kart Arcade GP or GP 2.
---
--- Fails with `format` (the message names the place, what was expected and what was found), `limit` (over 128 MB,
--- 1048576 cells, or 4194304 triangles or walls in all of their lists), `memory` or `cancelled`. What is odd but
--- readable is no failure: see `doc.warnings`.
---@param bytes string
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function functions.parse(bytes) end

--- Do the bytes look like such a file? There is no magic: the header must be plausible, and either the file ends with
--- its cells, or the grid's origin fits its bounds.
---@param bytes string
---@return boolean
function functions.detect(bytes) end

---@class kart.agp.make_options
--- The flag of triangles without one, a word or a number; of all of them where the mesh has flags of another
--- game. Without it such triangles are an error.
---@field flag? string|integer
--- Edge of the grid's cells, in units. Default 100, as in every file known.
---@field cell? number
--- Leave out triangles that can't stand in a file. Default false: they are an error.
---@field drop? boolean

---@class kart.agp.make_fault
--- Its number in the mesh.
---@field triangle integer
---@field reason string

---@class kart.agp.make_report
--- Triangles that were left out ...
---@field dropped integer
--- Their area, in square units.
---@field dropped_area number
--- ... and why, at most 100 of them.
---@field faults kart.agp.make_fault[]

--- A collision file from a mesh, by the rules of the game's own files: unit edges, normals, walls where an edge has
--- no neighbour, a grid that begins at the least x and z. Triangles keep their order; corners are rounded to floats.
--- Ground must face up, seen from above its corners run counter-clockwise: `agp:check()` tells where it doesn't.
---
---     mesh.game = "mkagp"
---     local course, report = assert(kart.agp.build(mesh, { flag = "grass/heavy", drop = true }))
---
--- Fails with `format` (a triangle has no flag, no area, or a coordinate that isn't finite: the first one is named,
--- and how many there are), `unsupported` (nothing with an area; flags of another game), `limit` (more cells or
--- places in lists than are read), `memory` or `cancelled`.
---@param mesh kart.mesh
---@param options? kart.agp.make_options
---@return kart.agp? document
---@return kart.agp.make_report|string report_or_message
---@return kart.code? code
function functions.build(mesh, options) end

--- The rules of `agp:check()`, in their order. docs/checks.md shows them.
---@return kart.rule[]
function functions.rules() end

-- --- documents --------------------------------------------------------------------------------

--- The header's grid. What has x and z only comes as vectors with y 0.
---@class kart.agp.grid
--- Cells along x ...
---@field width integer
--- ... and along z.
---@field length integer
--- The size of a cell.
---@field cell kart.vec
--- Bounds of the triangles. The game doesn't look at them, and files of fans have 0 here ...
---@field min kart.vec
--- ... and here.
---@field max kart.vec
--- What the game adds to a point before it looks for its cell: -min in the game's own files.
---@field origin kart.vec
--- Where the cells stand in the file, in bytes.
---@field cells_offset integer

--- Collision of the arcade games. It keeps every byte of the file it was read from; an assigned flag changes what it
--- must. In the file a triangle stands once for each cell that lists it; here it stands once, and edits reach
--- all its places. The document holds memory that Lua's collector frees when it comes to it; `close` frees it at
--- once, and so does `local course <close> = ...`. Its properties can't be assigned.
---@class kart.agp: kart.shape
---@field game "mkagp"
--- The game's name for people.
---@field title string
--- A new table at each access.
---@field grid kart.agp.grid
--- The triangles, in an order that the lists of all cells agree with: that of the model, as far as it can be known.
---@field triangles kart.agp_triangles
--- The walls, likewise.
---@field walls kart.agp_walls
--- The cells of the grid, row by row: those along x follow each other.
---@field cells kart.agp_cells
--- What was odd when the file was read, and what transformations could not carry over: a new list at each access, in
--- the order in which it was found. At most 100 of a kind.
---@field warnings kart.finding[]
local agp = {}

--- The file's bytes. Fails with `memory`.
---@return string? bytes
---@return string? message
---@return kart.code? code
function agp:bytes() end

--- Write the file in one step: after any failure the old file is there, whole. Fails with `io` or `memory`.
---@param path string
---@return true? done
---@return string? message
---@return kart.code? code
function agp:save(path) end

--- A copy that shares nothing with the document. Fails with `memory`.
---@return kart.agp? copy
---@return string? message
---@return kart.code? code
function agp:clone() end

--- Free the memory now. After that the document and its views raise; tostring, kart.type and `close` of the
--- document still work.
function agp:close() end

-- Transformations return the document, so that they can be chained. All or nothing: after a failure the document is
-- as it was. The grid is made anew, and walls follow: those of open edges with their triangle, those drawn by hand
-- by their ends. They fail with `format` (a corner isn't finite), `limit` (the range of floats, too many cells),
-- `memory` or `cancelled`.

---@class kart.agp.mirror_options
--- Where on the axis the mirror stands. Default 0.
---@field at? number

--- The mirror image. "x" turns the sign of x, "z" that of z; "y" raises. Edges and normals are turned exactly:
--- twice at 0 gives the same triangles, bit by bit.
---@param axis "x"|"z"
---@param options? kart.agp.mirror_options
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function agp:mirror(axis, options) end

---@class kart.agp.rotate_options
--- The point that stays where it is. Default 0, 0, 0.
---@field origin? kart.xyz
--- Turn even where the ground would tip over. Default false.
---@field tip? boolean

--- Turn by degrees about an axis: "x", "y", "z" or a direction; a positive yaw turns +Z towards +X. Turns that tip
--- the ground over fail with `unsupported` unless `tip` is given: the game looks for ground straight below, and its
--- walls stand upright. Edges and normals are computed anew.
---@param axis "x"|"y"|"z"|kart.xyz
---@param degrees number
---@param options? kart.agp.rotate_options
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function agp:rotate(axis, degrees, options) end

---@class kart.agp.scale_options
--- The point that stays where it is. Default 0, 0, 0.
---@field origin? kart.xyz

--- Scale by one factor, or by one for each axis; all above 0. Cells keep their size, so there are more of them.
---@param factor number|kart.xyz
---@param options? kart.agp.scale_options
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function agp:scale(factor, options) end

--- Move everything. Edges and normals stay as they are.
---@param by kart.xyz
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function agp:translate(by) end

--- Apply an affine matrix. One that tips the ground over fails as in `rotate`; so does one that is flat.
---@param matrix kart.matrix
---@param options? kart.agp.rotate_options
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function agp:transform(matrix, options) end

-- --- making anew ------------------------------------------------------------------------------

---@class kart.agp.rebuild_options
--- `keep`: the marks of open edges stay, and so do the walls, those drawn by hand too. `compute`: an edge is open
--- when no other triangle has it, by the exact places of its ends, and these edges are the walls. Default `keep`.
---@field walls? "keep"|"compute"
--- Edge of the grid's cells, in units. By default they stay.
---@field cell? number

--- Make bounds, grid, lists and layout anew, by the rules of the game's own files: what follows them already comes
--- back byte for byte. Corners, edges, normals and flags of triangles stay. docs/agp.md has the rules.
---
--- Fails with `format` (a corner isn't finite), `limit` (too many cells), `memory` or `cancelled`.
---@param options? kart.agp.rebuild_options
---@return kart.agp? document
---@return string? message
---@return kart.code? code
function agp:rebuild(options) end

--- How many triangles had to be left out, as a corner isn't finite.
---@class kart.agp.mesh_report
---@field left_out integer

--- A mesh of the triangles in their order, with their flags: corners at the same place are one position. Its game is
--- "mkagp". Fails with `memory` or `cancelled`.
---@return kart.mesh? mesh
---@return kart.agp.mesh_report|string report_or_message
---@return kart.code? code
function agp:mesh() end

-- --- flags ------------------------------------------------------------------------------------

--- The flags that occur, with how many triangles have them and their area: ascending. Fails with `memory`.
---@return kart.kcl.flag_count[]? counts
---@return string? message
---@return kart.code? code
function agp:flags() end

--- Replace flags: `{ [old] = new }`, numbers of 32 bits. Gives how many triangles changed. Fails with `memory`.
---@param map table<integer, integer>
---@return integer? changed
---@return string? message
---@return kart.code? code
function agp:map_flags(map) end

--- Change flags by rules or by a function, as `kcl:retag` does.
---
---     course:retag{ ["grass/*"] = "grass/heavy", none = "default" }
---@param spec table<string|integer, string|integer>|fun(flag: integer, fields: table): string|integer?
---@return integer changed
---@return table<string|integer, integer> by_rule
function agp:retag(spec) end

-- --- looking at it ----------------------------------------------------------------------------

---@class kart.agp.stats
---@field triangles integer
---@field walls integer
--- Triangles in the lists of all cells together ...
---@field triangle_places integer
--- ... and walls.
---@field wall_places integer
---@field cells integer
--- Cells that list no triangle.
---@field empty_cells integer
--- The most triangles that a cell lists.
---@field longest_list integer
--- On average over the cells that aren't empty.
---@field mean_list number
--- Triangles that don't face up.
---@field down integer
--- Triangles without an area (at most 1e-9 square units).
---@field degenerate integer
--- Edges that are marked as open.
---@field open_edges integer
--- Triangles that are special faces.
---@field special integer
--- Of all triangles, in square units.
---@field area number
--- Bounds of the triangles; nil where there are none.
---@field low kart.vec?
---@field high kart.vec?

--- Numbers about the document.
---@return kart.agp.stats
function agp:stats() end

--- What would go wrong in the game, by the rules of `kart.agp.rules`. What reading the file found is in `warnings`,
--- not here. Fails with `memory` or `cancelled`.
---@return kart.finding[]? findings
---@return string? message
---@return kart.code? code
function agp:check() end

-- --- what the game finds ----------------------------------------------------------------------

---@class kart.agp.ground
--- The number of the triangle.
---@field triangle integer
--- Of its plane at the point.
---@field height number

--- The ground that the game finds below a point: of all that `lookup_grounds` finds the highest that isn't above the point,
--- nil if there is none. How the game chooses among several isn't known.
---@param point kart.xyz
---@return kart.agp.ground?
function agp:lookup_ground(point) end

--- All ground above and below a point that the game finds, in the order of the list of the point's cell. Computed in
--- floats, as the game does it: the triangle's bounding box, its three edges, then the height of its plane.
---@param point kart.xyz
---@return kart.agp.ground[]
function agp:lookup_grounds(point) end

---@class kart.agp.near
--- The number of the wall.
---@field wall integer
--- Of the point from it, seen from above.
---@field distance number
--- 1: the point is on the inner side of a wall that an open edge makes, -1: it is beyond it, 0: on its line.
---@field side integer
--- The nearest place of the wall, with y 0.
---@field at kart.vec

--- The walls that are at most so far from a point, of those that the game looks at there: what the point's cell
--- lists, in the order of its list. Distances are plain geometry.
---@param point kart.xyz
---@param radius number
---@return kart.agp.near[]
function agp:lookup_walls(point, radius) end

--- The cell that the game looks into for a point; nil outside of the grid. Computed in floats, as the game does it:
--- a point on the line between two cells is in the one behind it.
---@param point kart.xyz
---@return kart.agp_cell?
function agp:cell_at(point) end

-- --- views ------------------------------------------------------------------------------------

--- `agp.triangles`: `#triangles` is their number, `triangles[1]` the first one, nil past the end; `ipairs` walks
--- them. Triangles can't be assigned, their flags can.
---@class kart.agp_triangles
---@field [integer] kart.agp_triangle
---@operator len: integer
local agp_triangles = {}

--- A triangle. A view, not a copy: a flag that is assigned is in the document, in all places of the triangle. Two
--- views of one triangle are equal; tostring gives "triangles[3]". Edge i runs from corner i to the next one.
---
---     for _, triangle in ipairs(course.triangles) do
---        if triangle.surface == "grass" then triangle.off_road = "heavy" end
---     end
---@class kart.agp_triangle
--- Its place among all triangles, from 1.
---@field index integer
--- The three corners, counter-clockwise seen from above.
---@field corners kart.vec[]
--- The directions of the three edges, as they stand in the file: of length 1, in some files flat, with y 0.
---@field edges kart.vec[]
--- Which of the edges are marked as open: they have no neighbour, and make a wall.
---@field open boolean[]
--- The same as the number in the file: bit 0 for edge 1.
---@field open_bits integer
--- The face's normal, as it stands in the file.
---@field normal kart.vec
--- What makes normal . p + distance 0 on the plane, as it stands in the file.
---@field distance number
--- The lowest corner of its bounding box, with y 0 ...
---@field min kart.vec
--- ... and the highest.
---@field max kart.vec
--- In square units.
---@field area number
--- A number of 32 bits, 0 to 4294967295. Can be assigned, to a number: see `kart.flags.parse` for names.
---@field flag integer
--- What it is made of: "default", "wood", "sand", "dirt", "water", "metal_grid", "metal", "grass", "tile", "ice",
--- "none", or "type_" and the number. Can be assigned, to a name or a number.
---@field surface string
--- How it slows: "light", "medium", "heavy" (not known for certain), or a number; nil for not at all. Can be
--- assigned.
---@field off_road string|integer?
--- A face that the game keeps in a mesh of its own, for rays. Can be assigned.
---@field special boolean
local agp_triangle = {}

--- `agp.walls`, as `agp.triangles`. Walls can't be assigned.
---@class kart.agp_walls
---@field [integer] kart.agp_wall
---@operator len: integer
local agp_walls = {}

--- A wall: a line seen from above, upright without end. A view. What has x and z only comes as vectors with y 0.
---@class kart.agp_wall
--- Its place among all walls, from 1.
---@field index integer
--- Where it begins: corner i of an open edge i ...
---@field from kart.vec
--- ... and where it ends, at the next corner.
---@field to kart.vec
--- The lowest corner of its bounding box ...
---@field min kart.vec
--- ... and the highest.
---@field max kart.vec
local agp_wall = {}

--- `agp.cells`, as `agp.triangles`. Cells can't be assigned.
---@class kart.agp_cells
---@field [integer] kart.agp_cell
---@operator len: integer
local agp_cells = {}

--- A cell of the grid. A view.
---@class kart.agp_cell
--- Its place among all cells, from 1: columns first, then rows.
---@field index integer
--- Its place along x, from 1 ...
---@field column integer
--- ... and along z.
---@field row integer
--- Its corner of the least x and z, with y 0 ...
---@field min kart.vec
--- ... and of the greatest.
---@field max kart.vec
--- The numbers of the triangles that it lists, in the order of the list: a new list at each access.
---@field triangles integer[]
--- The numbers of the walls, likewise.
---@field walls integer[]
--- Where its triangles stand in the file, in bytes; whatever stands there if it lists none.
---@field triangles_offset integer
--- The same for its walls.
---@field walls_offset integer
local agp_cell = {}
