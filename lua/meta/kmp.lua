---@meta _
-- KMP: start positions, routes, checkpoints, objects, areas, cameras ... of a course. The fields of
-- each section are in kmp_fields.lua.

-- --- kart.kmp ---------------------------------------------------------------------------------

---@class kart.kmp.functions
local functions = {}

--- A document from the bytes of a file. Fails with `format` (the message names the section, the offset,
--- what was expected and what was found), `limit` (over 64 MB, over 1024 sections) or `memory`. What is
--- odd but readable is no failure: see `doc.warnings`.
---@param bytes string
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function functions.parse(bytes) end

--- What a new document is made of: a list of records for each section, each record a table of fields.
--- Fields left out are 0, references none where there may be none, else the first record; scales are
--- 1. A field of the section's header stands beside its records: `came = { opening = 1, { ... } }`. A
--- route has its points in `points`.
---@class kart.kmp.spec
--- Default "mkw".
---@field game? "mkw"|"mk7"
--- Default 2520, the version of nearly all files of Mario Kart Wii; for "mk7" 3100. It decides which
--- fields there are.
---@field version? integer

--- A new document. It has every section that the game and version know. Unknown sections and fields,
--- wrong types and numbers out of range raise, as in an assignment.
---
---     local course = kart.kmp.new{
---        ktpt = { { position = { 0, 0, -500 } } },
---        gobj = { { id = 101, position = { 0, 50, 0 } } },
---        poti = { { smooth = 1, points = { { position = { 0, 0, 0 }, speed = 30 } } } },
---     }
---@param spec kart.kmp.spec
---@return kart.kmp
function functions.new(spec) end

--- What `kart.kmp.new` starts from: a document with so many records in each section, and so many points
--- on each route. An unknown section, and more than 65535 records, raise; fails with `limit` or `memory`.
---@param game "mkw"|"mk7"
---@param version integer
---@param counts table<string, integer> records by section name, none where left out
---@param points integer[] points of each route, none where left out
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function functions.blank(game, version, counts, points) end

--- The game's own name of an object, like "itembox" for 101; nil for an unknown id. The upper four bits, an
--- extension's, are ignored.
---@param id integer
---@return string?
function functions.object_name(id) end

--- What a camera of this type does, like "kart follow" for 3; nil for an unknown type.
---@param type integer
---@return string?
function functions.camera_name(type) end

--- A field in a `kart.kmp.layout`.
---@class kart.kmp.layout.field
---@field name string
--- As in the file: "u8", "s8", "u16", "s16", "u32", "float", or "half float", the upper half of one.
---@field type string
--- How it behaves under a transformation and how it reads; docs/kmp-fields.md explains them.
---@field meaning "plain"|"position"|"flat position"|"view"|"rotation"|"scale"|"width"|"speed"|"reference"|"count"|"padding"|"bytes"
--- What it is, with its unit.
---@field doc string
--- Bytes from the start of the record; of a header's field: of the section.
---@field offset integer
--- Values of the type: 3 for a vector, 2 for a flat one.
---@field count integer
--- Of a reference: the section it points into.
---@field target string?
--- Of a reference: the file's number for none; nil if there is no such number.
---@field none integer?
--- Of whole numbers: the least that may be assigned.
---@field low integer?
--- ... and the greatest.
---@field high integer?
--- The field counts only where the field of this name ...
---@field when string?
--- ... has this value.
---@field when_value integer?

--- A section as some versions of a game have it.
---@class kart.kmp.layout
---@field game "mkw"|"mk7"
--- The section's name in Lua. "points" for the points of routes, which are no section.
---@field name string
--- The four letters in the file; "" for points.
---@field magic string
---@field doc string
--- The first version of the file with this layout.
---@field version_from integer
--- The last one; nil: all later ones.
---@field version_to integer?
--- Bytes; 0: not known, records are as long as the file spaces them.
---@field record_size integer
--- Bytes before the first record. 8: magic, count and an extra word. 4: the magic, then one record.
---@field header_size integer
---@field fields kart.kmp.layout.field[]
--- The fields of the section's header.
---@field header kart.kmp.layout.field[]

--- The layouts of all sections of all games and versions, in the order in which new files hold them.
---@return kart.kmp.layout[]
function functions.schema() end

--- The rules of `kmp:check()`, in their order. docs/checks.md shows them.
---@return kart.rule[]
function functions.rules() end

-- --- documents --------------------------------------------------------------------------------

--- A KMP. Its sections are its fields: `course.gobj`, `course.ckpt[12]`. An unknown name raises.
---
--- A document keeps every byte of the file it was read from. What nobody assigns is saved as it was:
--- order of sections, unknown sections, gaps, trailing bytes. It holds memory that Lua's collector
--- frees when it comes to it; `close` frees it at once, and so does `local course <close> = ...`.
---@class kart.kmp
--- "mkw" (Mario Kart Wii) or "mk7" (Mario Kart 7).
---@field game "mkw"|"mk7"
--- Is the game a guess? Always false: the magic of a KMP says it.
---@field guessed boolean
--- The version word of the file: 2520 in nearly all files of Mario Kart Wii; 0 if it has none.
---@field version integer
--- A battle arena, that is: a course without checkpoints that has no item route, end positions, or several
--- start positions. A race whose checkpoints are yet to come is none.
---@field battle boolean
--- What was odd when the file was read, and what transformations could not carry over: a new list at
--- each access, in the order in which it was found. At most 100 of a kind.
---@field warnings kart.finding[]
local kmp = {}

--- The file's bytes. Fails with `limit` or `memory`.
---@return string? bytes
---@return string? message
---@return kart.code? code
function kmp:bytes() end

--- Write the file in one step: after any failure the old file is there, whole. Fails with `io`, `limit`
--- or `memory`.
---@param path string
---@return true? done
---@return string? message
---@return kart.code? code
function kmp:save(path) end

--- A copy that shares nothing with the document. Fails with `limit` or `memory`.
---@return kart.kmp? copy
---@return string? message
---@return kart.code? code
function kmp:clone() end

--- Free the memory now. After that the document, its sections and its records raise; tostring, kart.type
--- and `close` of the document still work.
function kmp:close() end

--- A section in the file, as `sections` tells it.
---@class kart.kmp.section_info
--- The four letters in the file.
---@field magic string
--- Where it stood in the file, in bytes.
---@field offset integer
--- false: a section that is kept as it is, and can't be reached.
---@field known boolean
--- The name in Lua; nil if it isn't known.
---@field name string?
--- What it holds; nil if it isn't known.
---@field doc string?
--- Number of records; nil if it isn't known.
---@field count integer?
--- Size; only if it isn't known.
---@field bytes integer?

--- The sections in the order of the file, unknown ones too.
---@return kart.kmp.section_info[]
function kmp:sections() end

--- One number of one record that names another record.
---@class kart.kmp.reference
--- The record that names, or the section for what stands in its header.
---@field holder kart.record|kart.section
--- The field that holds the number, like "route" or "settings".
---@field field string
--- Which value of the field, from 1; nil if it has but one.
---@field slot integer?
--- What is named: the name of a section, or "points" for points of the holder's route.
---@field section string
--- The number, from 1; nil for none. It may be one that isn't there.
---@field number integer?
--- The record that is named; nil for none, and for a number that isn't there.
---@field target kart.record?
--- It hides in a setting, where numbers count from 0 as in the file.
---@field hidden boolean
--- The holder has no use for it: a camera's route whose type takes none.
---@field idle boolean

--- Who names whom: all references in the order of the holders, those that name nothing, too. Numbers that
--- are references by the type of their record only, as an area's route, are not there for other types.
---
--- Fails with `memory`.
---@return kart.kmp.reference[]? references
---@return string? message
---@return kart.code? code
function kmp:references() end

-- Transformations go by the meaning of each field: positions and rotations go along, checkpoints keep
-- left and right as one drives, areas and widths follow the size, cameras that ride with a kart stay in
-- its frame, objects that know left from right get the setting for the other side. docs/kmp.md has the
-- rules. What can't be carried over is told in `doc.warnings`. All or nothing: after a failure the
-- document is as it was. They return the document, so that they can be chained.

---@class kart.kmp.mirror_options
--- Where on the axis the mirror stands. Default 0.
---@field at? number

--- The mirror image. "x" turns the sign of x, "z" that of z; "y" raises. Checkpoints exchange left and
--- right and the pole position changes sides: laps count as before. Twice along x at 0 brings every
--- position and angle back, bit for bit.
---
--- Fails with `unsupported` (a file of Mario Kart 7), `limit` (a position leaves the range of floats) or
--- `memory`.
---@param axis "x"|"z"
---@param options? kart.kmp.mirror_options
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function kmp:mirror(axis, options) end

---@class kart.kmp.rotate_options
--- A point of the axis. Default 0, 0, 0.
---@field origin? kart.xyz
--- The height at which the checkpoints stand, as the file has none. Needed when the turn tilts the
--- ground, that is about any axis but y.
---@field height? number

--- Turn the course by so many degrees, counter-clockwise as seen from the axis's tip: 90 about y takes
--- +Z to +X. Multiples of 90 about x, y or z through 0, 0, 0 move positions without rounding. An axis
--- without length raises.
---
--- Fails with `unsupported` (it tilts the ground and no height is given; it stands the ground on edge; a
--- file of Mario Kart 7), `limit` or `memory`.
---@param axis kart.axis|kart.xyz
---@param degrees number
---@param options? kart.kmp.rotate_options
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function kmp:rotate(axis, degrees, options) end

---@class kart.kmp.scale_options
--- The point that stays where it is. Default 0, 0, 0.
---@field origin? kart.xyz
--- Speeds of routes and of cameras grow with the size. One that passes 65535 stops there, with a
--- warning.
---@field scale_speeds? boolean
--- Objects grow, too. Areas always do.
---@field scale_objects? boolean

--- Make the course larger or smaller: one factor for all axes, or one for each, all above 0; others
--- raise. With different factors, widths and speeds take the root of x times z. The start grid, the
--- respawn area and cannons keep the size that the game gives them: a hint says so.
---
--- Fails with `unsupported` (a file of Mario Kart 7), `limit` (a position or a scale leaves the range of
--- floats) or `memory`.
---@param factor number|kart.xyz
---@param options? kart.kmp.scale_options
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function kmp:scale(factor, options) end

--- Move the course. Fails with `unsupported` (a file of Mario Kart 7), `limit` or `memory`.
---@param by kart.xyz
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function kmp:translate(by) end

---@class kart.kmp.transform_options
--- Do it as if this point were 0, 0, 0.
---@field origin? kart.xyz
--- The height at which the checkpoints stand; needed when the matrix tilts the ground.
---@field height? number
--- Speeds of routes and of cameras grow with the size.
---@field scale_speeds? boolean
--- Objects grow, too. Areas always do.
---@field scale_objects? boolean

--- Any affine map. Where it doesn't keep shapes, records that stand at an angle to the axes follow as far
--- as they can, with a warning.
---
--- Fails with `unsupported` (it flattens the course; it tilts the ground and no height is given; it
--- stands the ground on edge; a file of Mario Kart 7), `limit` or `memory`.
---@param matrix kart.matrix
---@param options? kart.kmp.transform_options
---@return kart.kmp? document
---@return string? message
---@return kart.code? code
function kmp:transform(matrix, options) end

---@class kart.kmp.laps_options
--- Laps to drive, 1 to 1000. Default 3.
---@field laps? integer
--- Units driven between two looks at the checkpoints, above 0. Default 100.
---@field step? number
--- A change of the lap's completion that counts as a jump, above 0. Default 0.2.
---@field jump? number

--- Something that happened on the drive.
---@class kart.kmp.lap_event
--- - `checkpoint`: another checkpoint is the current one
--- - `key`: it is a key checkpoint and raised the highest key
--- - `lap`: the lap count went up; the first crossing of the line makes it lap 1
--- - `lap_back`: it went down
--- - `jump`: the completion changed by more than `jump` away from the line
--- - `lost`: the driver is at no checkpoint
--- - `found`: at one again
---@field kind "checkpoint"|"key"|"lap"|"lap_back"|"jump"|"lost"|"found"
--- Steps since the start, which is step 0.
---@field step integer
--- Where the driver was.
---@field position kart.vec
--- The current checkpoint, from 1, after the step.
---@field checkpoint integer
--- The lap count after the step: 0 before the first crossing of the line.
---@field lap integer
--- The highest key of this lap, after the step.
---@field key integer
--- How much of the lap is done, 0 to 1, after the step.
---@field completion number
--- Of a jump: by how much the completion changed; else 0.
---@field change number

--- How a drive went.
---@class kart.kmp.lap_result
--- All laps were driven.
---@field finished boolean
--- Why the drive ended early; nil if it finished.
---@field stopped string?
--- Complete laps.
---@field laps integer
---@field steps integer
--- Units driven.
---@field distance number
--- Laps and the part of the last one, as the game counts a player's place in the race.
---@field completion number
--- Number of `jump` events: 0 on a sound course.
---@field jumps integer
--- Number of `lost` events: 0 on a sound course.
---@field lost integer
--- In the order in which they happened.
---@field events kart.kmp.lap_event[]

--- Drive the enemy route from the first start position and count laps as the game does: its search for
--- the checkpoint, its keys, its completion. A drive that doesn't finish is a result, not a failure.
---
--- Fails with `unsupported` (a battle arena; no lap line, no start position, no enemy route; a file of
--- Mario Kart 7), `limit`, `memory` or `cancelled`. Options out of range raise.
---@param options? kart.kmp.laps_options
---@return kart.kmp.lap_result? result
---@return string? message
---@return kart.code? code
function kmp:simulate_laps(options) end

---@class kart.kmp.check_options
--- Is it a battle arena? "auto", the default: what `battle` says.
---@field arena? boolean|"auto"
--- What the course stands on: a KCL, a mesh, any document with triangles. Rules that need one (`rule.collision`) are
--- asked, too: starts, respawns and item boxes without ground, ways under the road or through walls, checkpoints
--- without road, cannons that aim at nothing.
---@field collision? kart.shape

--- What would freeze the game, go wrong or is worth a look, by the rules of `kart.kmp.rules`. The laps are
--- driven for that, too. What reading the file found is in `warnings`, not here.
---
---     for _, finding in ipairs(course:check{ collision = assert(kart.open "course.kcl") }) do print(finding) end
---
--- Fails with `unsupported` (a file of Mario Kart 7), `limit`, `memory` or `cancelled`.
---@param options? kart.kmp.check_options
---@return kart.finding[]? findings
---@return string? message
---@return kart.code? code
function kmp:check(options) end

---@class kart.kmp.drop_options
--- How far above a point the ground may be, in units. Default 300; `math.huge`: as far as there is any.
---@field up? number
--- How far below it. Default 1000.
---@field max? number
--- How high above the ground points are to be. Default 0.
---@field offset? number
--- Which surfaces are ground, as in queries. Default: what can be driven on, unless Lakitu fetches you from there; of
--- a game whose flags tell nothing, whatever faces up.
---@field flags? string|string[]
--- The same as bits, bit n for type n.
---@field mask? integer
--- Only records of which it gives true are dropped.
---@field where? fun(record: kart.record): any

--- A record that was moved.
---@class kart.kmp.drop
---@field record kart.record
---@field from kart.vec
---@field to kart.vec

--- What became of the records that were to be dropped.
---@class kart.kmp.drop_report
---@field moved kart.kmp.drop[] in the order of the file
--- How many were there already, up to 1/32 of a unit.
---@field stayed integer
--- Those without ground within reach, which stay where they are: warnings of the rule "no-ground".
---@field lost kart.finding[]

---@alias kart.kmp.drop_what string|kart.section|kart.record

--- Put points on the ground: straight down or up to the ground that is nearest. Ground under a place from which
--- Lakitu fetches you is out of reach.
---
---     local report = assert(course:drop(kcl))                         -- what stands on the ground
---     course:drop(kcl, { "jgpt", course.gobj[3] }, { offset = 50 })
---     course:drop(kcl, course.gobj, { where = function(object) return object.id == 101 end })
---
--- `what` is a section by name or as a view, a record, or a list of them; `poti` and a route stand for their points.
--- Sections without positions raise. Default: start and end positions, respawns, enemy and item points, and objects
--- that stand on the ground, like item boxes, crates and trees, unless they move along a route.
---
--- Fails with `limit` (a height beyond what a file can hold), `memory` or `cancelled`; nothing is moved then.
---@param collision kart.shape
---@param what? kart.kmp.drop_what|kart.kmp.drop_what[]
---@param options? kart.kmp.drop_options
---@return kart.kmp.drop_report? report
---@return string? message
---@return kart.code? code
function kmp:drop(collision, what, options) end

-- Editing keeps references right: whatever comes, goes or changes places, each reference names the record
-- that it named before, those that hide in settings, too. docs/kmp.md tells more. All or nothing: after a
-- failure or an error the document is as it was.

--- Repair what a rule finds, where `rule.fix` is true: the number of values that were changed. What can't be
--- repaired stays, and `check` goes on finding it.
---
--- Fails with `unsupported` (no such rule, or no repair for it), `limit` or `memory`.
---@param rule string like "ckpt-links"
---@return integer? mended
---@return string? message
---@return kart.code? code
function kmp:fix(rule) end

---@class kart.kmp.merge_options
--- The names of the sections to take: { "gobj", "poti" }. Default: all.
---@field only? string[]

--- Append the records of another document to this one's sections. References among them are kept; those to
--- a section that isn't taken become none. The stage information and the first cameras stay this
--- document's. The other one isn't changed.
---
--- Fails with `unsupported` (another game; a section that is laid out differently; groups without their points),
--- `limit` or `memory`. A document can't be merged with itself: that raises.
---@param other kart.kmp
---@param options? kart.kmp.merge_options
---@return kart.kmp? document itself
---@return string? message
---@return kart.code? code
function kmp:merge(other, options) end

--- Remove what nothing uses: routes and cameras that nothing names (cameras of the types 0, 7 and 8 are
--- found by their type), respawn points that no checkpoint names (courses without checkpoints keep
--- theirs), points that lie in no group; and what only those name, so that two unused cameras that name
--- each other go. Gives the number of removed records by section: { poti = 2 }.
---
--- Fails with `limit` or `memory`.
---@return table<string, integer>? removed
---@return string? message
---@return kart.code? code
function kmp:purge() end

-- --- views ------------------------------------------------------------------------------------

--- A section of a document: `course.gobj`. `#section` is its number of records, `section[1]` the first
--- one, nil past the end; `ipairs` walks them. Sections like `came` have fields of their own. A record
--- can't be assigned, its fields can. The points of a route, `route.points`, are edited like a section.
---
--- Where an index is asked for, a record will do. An index out of range and a record of another section
--- raise. So does what would pass a limit of the file or of the game: nothing is changed then.
---@class kart.section
--- Its name, like "gobj".
---@field name string
---@operator len: integer
local section = {}

---@class kart.insert_options
--- The index that the new record gets. Default: the end of the group, or of the section.
---@field at? integer|kart.record
--- Of points that belong to groups: the group that they come to. Default: that of the point before.
---@field group? integer|kart.record

--- Insert a record. Fields left out are as in `kart.kmp.new`. A new route takes its points along; a new
--- group has none yet. Checkpoints are linked into their group. Numbers in `fields` count with the new
--- record in its place. If a field can't be assigned that raises, and there is no new record.
---
---     course.gobj:insert{ id = 101, position = { 0, 50, 0 }, route = course.poti[2] }
---     course.ckpt:insert({ left = { 0, -900 }, right = { 0, 900 } }, { at = 12, group = 1 })
---     course.poti:insert{ smooth = 1, points = { { speed = 30 }, { speed = 30 }, {} } }
---     course.poti[1].points:insert({ position = { 0, 50, 0 }, speed = 30 }, { at = 1 })
---@param fields table<string, any>
---@param options? kart.insert_options
---@return kart.record record
function section:insert(fields, options) end

--- Remove records: they raise from then on, and references to them become none. A group goes with its last
--- point; with a group go its points, with a route its own.
---@param index integer|kart.record
---@param count? integer default 1
function section:remove(index, count) end

--- Move a record to another index; those in between close up. A group takes its points along, a point can
--- only move within its group.
---@param from integer|kart.record
---@param to integer|kart.record
function section:move(from, to) end

--- Sort the records: `before(a, b)` tells whether `a` must come before `b`. What is equal keeps its order.
--- Points are sorted within their groups; groups take their points along.
---
---     course.gobj:sort(function(a, b) return a.id < b.id end)
---@param before fun(a: kart.record, b: kart.record): boolean
function section:sort(before) end

--- Of a section of groups: split one before its point `at`, counted within the group, from 2. The second
--- half is a new group behind it that takes over its next groups; the two are linked. Other sections raise.
---@param group integer|kart.record
---@param at integer
---@return kart.record second
function section:split(group, at) end

--- Of a section of groups: join two that are linked to each other and to nothing else there. `second` goes,
--- `first` takes its points and its next groups. Raises if others lead there, too.
---@param first integer|kart.record
---@param second integer|kart.record
function section:join(first, second) end

--- A record of a section: `course.gobj[3]`. A view, not a copy: what is assigned is in the document. Its
--- fields are in kmp_fields.lua; `pairs` walks them in the order of the file, those that read nil too.
---
--- An unknown field, a wrong type, a number out of range, NaN and infinity raise, and the message names
--- the field: "ckpt[12].respawn: expected 1 to 9, a record or nil, got 10". Two views of one record are
--- equal; tostring gives "gobj[3]".
---@class kart.record
--- Its place in its section, from 1.
---@field index integer
local record = {}

--- The number as it stands in the file: references from 0, angles of Mario Kart 7 in radians. A table of
--- numbers for a vector or a list.
---@param field string
---@return number|number[]
function record:raw(field) end

--- The record that a reference points at; nil for none, and for a number out of range. Raises if the
--- field is no reference.
---@param field string
---@param place? integer of a list like `next`: which one, from 1. Default 1.
---@return kart.record?
function record:target(field, place) end

--- A list inside of a record, of fixed length: `object.settings`, `group.next`. A view: `group.next[1] = 2`
--- is in the document. `#values` is the number of places; a place past the end reads nil, and assigning
--- to one raises. References may leave holes anywhere, where `ipairs` would end: count to `#values`.
---
--- A whole list is assigned as a table: `object.settings = { 1, 0, 5 }`. Numbers that are left out stay as
--- they are, references that are left out become none.
---@class kart.values<T>: { [integer]: T }
---@operator len: integer
local values = {}
