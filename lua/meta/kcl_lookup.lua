---@meta _
-- KCL: what the games' engines find at a place, and whether the octree lets them find it.

---@class kart.kcl
local kcl = {}

-- --- the rule of Mario Kart Wii ---------------------------------------------------------------

-- The engine takes the one cell of the octree that the point is in, and tests the prisms of the cell's list
-- in their order. Answers are bit for bit those of Mario Kart Wii, in single precision, whatever the
-- machine. Other games' files are looked up by the same rule with their own numbers; for Mario Kart 8, 7 and
-- DS it isn't publicly known which rule their engines go by. In files of version 2 the octree over the models
-- tells the model of the point, and the cell is that model's.
--
-- A point is outside if it isn't finite, or 2^31 units or more from the area's minimum: nothing is hit. A
-- radius that isn't finite raises; one below 0 hits nothing that it doesn't sink into. A prism with numbers
-- that aren't finite may be hit by everything in its cell, and its depth may be no number: so it is in the
-- game.

---@class kart.kcl.lookup_options
--- Where it was a step before: then it counts how it moved. What comes from below a face isn't stopped, and
--- a fall boundary, a cannon, a recalculation, a sound or effect trigger are felt from one side only. Without
--- it the test is static: edges and corners are felt from above only, within 45 degrees.
---@field from? kart.xyz
--- Which surfaces count: types and groups of types in the notation of `kart.flags`, like "road",
--- "floors, boost_pad" or { "road", "off_road" }. See `kart.flags.mask`.
---@field flags? string|string[]
--- The same as bits, bit n for type n; for games whose flags have no names.
---@field mask? integer

--- What is hit, of a face, an edge (by its ends) or a corner.
---@alias kart.kcl.region "face"|"ca"|"ab"|"bc"|"a"|"b"|"c"

---@class kart.kcl.hit
--- Its number: `kcl.prisms[hit.prism]`.
---@field prism integer
--- How far along the normal it must be moved to be free, in units.
---@field depth number
--- Of the face, as the file has it.
---@field normal kart.vec
---@field flag integer
---@field region kart.kcl.region

--- Which prisms does a sphere touch? A radius above the file's largest (250 in Mario Kart Wii) counts as
--- that one, unless that is 0. Hits come in the order of the cell's list.
---
--- An octree that is `stale` is rebuilt first, and fails as `kcl:rebuild` does. Fails with `memory`.
---
---     for _, hit in ipairs(kcl:lookup_sphere(position, 100, { flags = "floors" })) do
---        print(hit.prism, hit.depth, kart.flags.describe(hit.flag))
---     end
---@param point kart.xyz
---@param radius number
---@param options? kart.kcl.lookup_options
---@return kart.kcl.hit[]? hits
---@return string|integer tested how many prisms the list had; a message on failure
---@return kart.code? code
function kcl:lookup_sphere(point, radius, options) end

--- Which prisms is a point in? That is: at most 0.01 above the face or outside of an edge, and less deep
--- than the thickness (and 0.02). With `from`, the surfaces that are felt from one side are felt from the
--- other one than by spheres: so the engine has it.
---
--- Fails as `lookup_sphere` does.
---@param point kart.xyz
---@param options? kart.kcl.lookup_options
---@return kart.kcl.hit[]? hits
---@return string|integer tested how many prisms the list had; a message on failure
---@return kart.code? code
function kcl:lookup_point(point, options) end

--- A cell of a model's octree that has a list.
---@class kart.kcl.cell
--- The model, from 1.
---@field model integer
--- Its lowest corner. Coordinates are cut to whole units from the area's minimum, towards 0: so the first
--- cells of an area begin one unit earlier.
---@field min kart.vec
--- Its edge, in units.
---@field size integer
--- How often it was split: 0 for a root cell.
---@field depth integer
--- How many prisms its list has.
---@field prisms integer

--- The cell that the point is in; nil outside of the area, and in version 2 where there is no model.
---@param point kart.xyz
---@return kart.kcl.cell?
function kcl:cell_at(point) end

--- The prisms that the cell of the point lists, in the list's order: what the engine looks at there. nil
--- where there is no cell.
---@param point kart.xyz
---@return integer[]? prisms
function kcl:list_at(point) end

-- --- the rule of Galaxy -----------------------------------------------------------------------

-- The engine of Super Mario Galaxy and Super Mario Odyssey takes all cells that a sphere's box reaches, each
-- prism once. Lists of such files needn't know of spheres. Which prisms count is known from public
-- decompilations, the last bits of depths aren't. A prism is left out when its height isn't above 0, or
-- when two of its edge normals point the same way within 0.01. Any file can be asked by this rule.

---@class kart.kcl.galaxy_options
--- As in `kart.kcl.lookup_options`.
---@field flags? string|string[]
---@field mask? integer

--- Which prisms does a sphere touch? At most the thickness deep; edges and corners are felt from above only.
--- The order is that of the cells: along x first, then y, then z; in version 2 model by model, of those that
--- the octree over the models has in the sphere's box.
---
--- Fails as `lookup_sphere` does.
---@param point kart.xyz
---@param radius number
---@param options? kart.kcl.galaxy_options
---@return kart.kcl.hit[]? hits
---@return string|integer tested how many prisms were looked at; a message on failure
---@return kart.code? code
function kcl:galaxy_sphere(point, radius, options) end

--- The first prism of the list that the point is in, from its face down to its thickness; nil if it is in
--- none. In version 2 the models are tried one after the other, whatever the octree over them says.
---
--- Fails as `lookup_sphere` does.
---@param point kart.xyz
---@param options? kart.kcl.galaxy_options
---@return kart.kcl.hit? hit
---@return string? message
---@return kart.code? code
function kcl:galaxy_point(point, options) end

---@class kart.kcl.arrow_hit
---@field prism integer
--- Which part of the arrow is before the hit, from 0 to 1.
---@field fraction number
--- Where it hits.
---@field position kart.vec
---@field normal kart.vec
---@field flag integer
---@field region kart.kcl.region

--- The face that an arrow from `start` to `start + along` enters from above; nil if there is none. The cells
--- on its way are looked at one after the other: of the first one that has a hit the nearest counts, be
--- there a nearer one in the list of a later cell or not.
---
--- Fails as `lookup_sphere` does.
---@param start kart.xyz
---@param along kart.xyz
---@param options? kart.kcl.galaxy_options
---@return kart.kcl.arrow_hit? hit
---@return string? message
---@return kart.code? code
function kcl:galaxy_arrow(start, along, options) end

-- --- many points at once ----------------------------------------------------------------------

-- The same answers for all points of a `kart.points`, as columns, at the speed of C and on several
-- processors. They fail as `lookup_sphere` does, and with `cancelled`.

---@class kart.kcl.lookup_many_options
--- Where each one was a step before: as many points.
---@field from? kart.points
---@field flags? string|string[]
---@field mask? integer

--- Hits of many points as columns: point after point, the hits of each in its order.
---@class kart.kcl.hits
--- For each point: how many hits it has. All other columns have one member for each hit.
---@field count kart.column
--- The number of the point, from 1.
---@field point kart.column
---@field prism kart.column
---@field depth kart.column
---@field normal kart.points
---@field flag kart.column
--- Read as names, see `kart.kcl.region`.
---@field region kart.column
--- Prisms looked at, in all.
---@field tested integer

--- `kcl:lookup_sphere` for many points.
---
---     local points = kart.points.new(places)
---     local hits = assert(kcl:lookup_sphere_many(points, 100))
---     for i = 1, #hits.prism do print(hits.point[i], hits.prism[i], hits.depth[i]) end
---@param points kart.points
---@param radius number
---@param options? kart.kcl.lookup_many_options
---@return kart.kcl.hits? hits
---@return string? message
---@return kart.code? code
function kcl:lookup_sphere_many(points, radius, options) end

--- `kcl:lookup_point` for many points.
---@param points kart.points
---@param options? kart.kcl.lookup_many_options
---@return kart.kcl.hits? hits
---@return string? message
---@return kart.code? code
function kcl:lookup_point_many(points, options) end

--- `kcl:galaxy_sphere` for many points.
---@param points kart.points
---@param radius number
---@param options? kart.kcl.galaxy_options
---@return kart.kcl.hits? hits
---@return string? message
---@return kart.code? code
function kcl:galaxy_sphere_many(points, radius, options) end

--- `kcl:galaxy_point` for many points: one hit each at most.
---@param points kart.points
---@param options? kart.kcl.galaxy_options
---@return kart.kcl.hits? hits
---@return string? message
---@return kart.code? code
function kcl:galaxy_point_many(points, options) end

-- --- verify -----------------------------------------------------------------------------------

---@class kart.kcl.verify_options
--- How many spheres are drawn. Default 10000.
---@field queries? integer
--- Other numbers draw other spheres. Default 0.
---@field seed? integer
--- Their radii, which take turns. Default: 1, 0.4 and 0.08 of the largest that the file allows (250, 100 and
--- 20 in Mario Kart Wii), or of 2.5 thicknesses where it doesn't say.
---@field radii? number[]
--- By which engine. Default: "galaxy" for files of Galaxy, 3D Land and Odyssey and those of version 2 without a
--- radius, else "mkw".
---@field rule? "mkw"|"galaxy"
--- Go through the cells, too. Default true.
---@field cells? boolean

--- A contact that the engine doesn't see.
---@class kart.kcl.miss
--- What is there, and isn't found.
---@field prism integer
--- Where the point is; nil outside of the area.
---@field cell kart.kcl.cell?
--- A sphere that shows it ...
---@field point kart.vec
---@field radius number
--- ... its distance from the triangle ...
---@field distance number
--- ... and how deep it is.
---@field depth number
--- How many spheres in this cell have missed this prism.
---@field count integer

---@class kart.kcl.verification
--- Spheres drawn; fewer than asked for if no prism is a triangle.
---@field queries integer
--- Cells gone through ...
---@field cells integer
--- ... and spheres made for them.
---@field probes integer
--- What the drawn spheres hit, tested against every prism.
---@field hits integer
--- Of these: no contact. The engine's test clips edges at one end only, so that it reports slivers and
--- obtuse triangles from afar, and prisms that are no triangles. They are no reason for a complaint.
---@field far integer
--- Of these: not found through the octree.
---@field far_missed integer
--- Contacts that aren't found: by model, cell and prism, each prism once for each cell. Empty: the octree is
--- right.
---@field misses kart.kcl.miss[]
--- Of an octree that is broken throughout: how many more there are, past a million.
---@field unnamed integer

--- Does the octree let the engine find what there is? Spheres drawn about the triangles are looked up through
--- the octree and tested against all prisms. Then every cell is asked for each prism that its list lacks,
--- where that comes nearest: so lists that are short by a tenth of a unit are found. What counts is contact:
--- the middle is at most the radius away from the triangle, or straight below it and no deeper than the
--- thickness.
---
--- The same options give the same result. Fails as `lookup_sphere` does, and with `cancelled`.
---
---     for _, miss in ipairs(assert(kcl:verify()).misses) do
---        print(miss.prism, miss.point, miss.cell and miss.cell.min)
---     end
---@param options? kart.kcl.verify_options
---@return kart.kcl.verification? result
---@return string? message
---@return kart.code? code
function kcl:verify(options) end
