---@meta _
-- KCL: building files and octrees, proving and measuring them.

---@class kart.kcl
local kcl = {}

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
