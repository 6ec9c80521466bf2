---@meta _
-- Queries on what has triangles: rays, what is near, what a box holds. docs/queries.md tells more.

--- A document with triangles: a KCL, an AGP or a mesh. Triangles are named by their index: in a KCL that of the
--- prism, `kcl.prisms[hit.triangle]`, in the others `mesh.triangles[hit.triangle]`.
---
--- The first query builds a tree over the triangles, which is kept until corners change (flags may), and shared
--- by clones. It may fail: then the query gives nil, a message and `memory`, `limit` or `cancelled`. Places and
--- directions may be far away or of no length: what makes no sense finds nothing.
---@class kart.shape
local shape = {}

--- Which triangles are seen by a ray: those that show their front to it, their back, or both. Seen from the front,
--- corners run counter-clockwise; in a KCL this is the side that collides.
---@alias kart.faces "front"|"back"|"both"

---@class kart.query_options
--- Which surfaces count: types and groups of types in the notation of `kart.flags`, like "road",
--- "floors, boost_pad" or { "road", "off_road" }. See `kart.flags.mask`. Triangles without a flag don't count then.
---@field flags? string|string[]
--- The same as bits, bit n for type n; for games whose flags have no names. Of the arcade games bits of flags: what
--- has one of them counts.
---@field mask? integer

---@class kart.ray_options: kart.query_options
--- The farthest hit, in units. Default: none is too far.
---@field max? number
---@field faces? kart.faces default "both"; of `ground` and `ceiling` "front"
--- The nearest hit, any hit (faster, where it only matters whether there is one), or a list of all.
---@field mode? "nearest"|"any"|"all" default "nearest"

--- What a query has found. It is a value: it never changes, and doesn't keep the document.
---@class kart.hit
--- How far away, in units: along the ray, of the sphere's way, from the point.
---@field distance number
--- The same as a share of the direction's length: of `segment` and `sweep` from 0 to 1.
---@field fraction number
--- Where the triangle is hit or touched, or is nearest.
---@field point kart.vec
--- Of the triangle's front; nil where it has no area.
---@field normal? kart.vec
--- Where on the triangle the point is: corners[1] + u * (corners[2] - corners[1]) + v * (corners[3] - corners[1]).
---@field u number
---@field v number
---@field triangle integer
--- Of the triangle, as it was then; nil if it isn't known.
---@field flag? integer
--- How many nodes and leaves of the tree were looked at: the work that was done.
---@field visits integer

--- What does a ray hit? nil if nothing. With `mode = "all"` a list, the nearest first, of equally near hits the
--- lowest triangle first, and the visits. Rays find no gap between triangles that share an edge.
---
---     local hit = kcl:raycast(eye, { 0, 0, 1 }, { max = 5000, flags = "walls" })
---@param origin kart.xyz
---@param direction kart.xyz of any length
---@param options? kart.ray_options
---@return kart.hit|kart.hit[]|nil hit
---@return string|integer|nil visits of all hits; a message on failure
---@return kart.code? code
function shape:raycast(origin, direction, options) end

--- What does the line from one point to another one cross first? Both ends count.
---@param from kart.xyz
---@param to kart.xyz
---@param options? kart.ray_options without `max`
---@return kart.hit|kart.hit[]|nil hit
---@return string|integer|nil visits of all hits; a message on failure
---@return kart.code? code
function shape:segment(from, to, options) end

--- The first surface straight below a point that faces up, up to `max` away.
---@param point kart.xyz
---@param options? kart.ray_options without `mode`
---@return kart.hit? hit
---@return string? message on failure
---@return kart.code? code
function shape:ground(point, options) end

--- The first surface straight above a point that faces down.
---@param point kart.xyz
---@param options? kart.ray_options without `mode`
---@return kart.hit? hit
---@return string? message on failure
---@return kart.code? code
function shape:ceiling(point, options) end

---@class kart.nearest_options: kart.query_options
--- The farthest that counts, in units.
---@field max? number

--- The triangle that is nearest to a point, and its place that is; of equally near ones the lowest.
---@param point kart.xyz
---@param options? kart.nearest_options
---@return kart.hit? hit
---@return string? message on failure
---@return kart.code? code
function shape:nearest(point, options) end

---@class kart.sweep_options: kart.query_options
--- Which triangles stop it, by how they stand to the motion.
---@field faces? kart.faces default "both"

--- What does a sphere touch first that moves from a point by a motion? What it touches from the start counts, at a
--- distance of 0. A sphere that stays where it is finds the nearest of what it touches.
---@param point kart.xyz the middle at the start
---@param radius number from 0 up
---@param motion kart.xyz
---@param options? kart.sweep_options
---@return kart.hit? hit
---@return string? message on failure
---@return kart.code? code
function shape:sweep(point, radius, motion, options) end

---@class kart.overlap_options: kart.query_options
--- A low and a high corner.
---@field box? kart.xyz[]
--- A middle and a radius.
---@field sphere? (kart.xyz|number)[]

--- The triangles that a box or a sphere touches or holds, ascending.
---
---     local near = kcl:overlap{ sphere = { position, 500 }, flags = "walls" }
---     local here = kcl:overlap{ box = { { -100, 0, -100 }, { 100, 50, 100 } } }
---@param options kart.overlap_options with a box or a sphere
---@return integer[]? triangles
---@return string|integer visits a message on failure
---@return kart.code? code
function shape:overlap(options) end

-- --- many at once -----------------------------------------------------------------------------

-- The same answers for many points in one call, as columns, on several threads. Points are a `kart.points`, a list
-- of vectors, or the positions of a mesh; points of answers are points. Options are those of the single query, but
-- for `mode = "all"`, and one more. Ctrl-C ends them: nil, a message and `cancelled`.

---@class kart.many_options: kart.ray_options
--- On how many threads; 0, the default, for as many as pay. Answers don't hang on it.
---@field threads? integer

--- Answers, one for each point: `answers.distance[i]` belongs to `points[i]`.
---@class kart.answers
--- `math.huge` where there is none.
---@field distance kart.column
--- Places that aren't finite numbers where there is none; a query from there finds nothing.
---@field point kart.points
---@field normal kart.points
---@field u kart.column
---@field v kart.column
--- 0 where there is none.
---@field triangle kart.column
--- -1 where there is none, or it isn't known.
---@field flag kart.column
--- How many points have an answer.
---@field hits integer
--- Nodes and leaves looked at, in all.
---@field visits integer

--- See `raycast`.
---@param origins kart.points|kart.xyz[]|kart.positions
---@param directions kart.points|kart.xyz[]|kart.positions|kart.xyz as many as origins, or one for all
---@param options? kart.many_options
---@return kart.answers? answers
---@return string? message on failure
---@return kart.code? code
function shape:raycast_many(origins, directions, options) end

--- See `segment`.
---@param from kart.points|kart.xyz[]|kart.positions
---@param to kart.points|kart.xyz[]|kart.positions|kart.xyz as many, or one for all
---@param options? kart.many_options
---@return kart.answers? answers
---@return string? message on failure
---@return kart.code? code
function shape:segment_many(from, to, options) end

--- See `ground`.
---
---     local below = assert(kcl:ground_many(mesh.positions))
---     for i, distance in ipairs(below.distance) do print(i, distance) end
---@param points kart.points|kart.xyz[]|kart.positions
---@param options? kart.many_options
---@return kart.answers? answers
---@return string? message on failure
---@return kart.code? code
function shape:ground_many(points, options) end

--- See `ceiling`.
---@param points kart.points|kart.xyz[]|kart.positions
---@param options? kart.many_options
---@return kart.answers? answers
---@return string? message on failure
---@return kart.code? code
function shape:ceiling_many(points, options) end

--- See `nearest`.
---@param points kart.points|kart.xyz[]|kart.positions
---@param options? kart.many_options
---@return kart.answers? answers
---@return string? message on failure
---@return kart.code? code
function shape:nearest_many(points, options) end

--- See `sweep`.
---@param points kart.points|kart.xyz[]|kart.positions
---@param radius number
---@param motions kart.points|kart.xyz[]|kart.positions|kart.xyz as many as points, or one for all
---@param options? kart.many_options
---@return kart.answers? answers
---@return string? message on failure
---@return kart.code? code
function shape:sweep_many(points, radius, motions, options) end
