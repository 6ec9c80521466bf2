---@meta kartlua
-- What the Lua language server shows of kartlua: every function with its manual. Point its setting
-- "Lua.workspace.library" at this folder.

-- Two kinds of errors. A mistake in a script (a wrong type, an unknown name, a number out of range)
-- raises. What the world can get wrong (files, formats, memory) returns nil, a message and a code:
-- write assert(...) around it, or look at the code.

--- What a failed call returns third.
--- - `io`: the system refused to open, read or write
--- - `format`: the bytes are not what their format demands
--- - `unsupported`: understood, but it can't be done with this document
--- - `limit`: a limit of kartlua or of the format is passed
--- - `memory`: an allocation failed
--- - `cancelled`: interrupted by Ctrl-C
---@alias kart.code "io"|"format"|"unsupported"|"limit"|"memory"|"cancelled"

--- What is taken wherever a vector is: a `kart.vec`, `{ x, y, z }` or `{ x =, y =, z = }`. Components
--- that aren't finite numbers raise.
---@alias kart.xyz kart.vec|number[]|{ x: number, y: number, z: number }

---@alias kart.axis "x"|"y"|"z"

--- The module: the global `kart` in the program, `require "kartlua"` elsewhere.
---@class kart
--- The version of kartlua, like "0.1.0".
---@field version string
--- Documents of course points.
---@field kmp kart.kmp.functions
--- Documents of collision.
---@field kcl kart.kcl.functions
---@field agp kart.agp.functions
--- Archives.
---@field szs kart.szs.functions
--- Meshes.
---@field mesh kart.mesh.functions
--- Flags of collision as words.
---@field flags kart.flags.functions
--- Affine maps.
---@field matrix kart.matrix.functions
--- Packed points.
---@field points kart.points.functions
--- Whole files.
---@field file kart.file.functions
--- The little of the system that scripts need.
---@field os kart.os.functions
kart = {}

---@class kart.open_options
--- What a KCL is to be read as, where its bytes allow several games or are taken for another one's:
--- "mkw", "mk8", "mk8dx", "smo", "smg", "sm3dl", "mk7" or "mkds". A KMP says it itself. For an OBJ: whose
--- flags its materials stand for, "mkw" if it isn't given.
---@field game? kart.kcl.game

--- Open a course file, by its content, not its name: a KMP of Mario Kart Wii or of Mario Kart 7, a KCL of any
--- game, a BIN of the arcade games, an archive (.szs, .arc), or the OBJ of a mesh, whose material libraries are looked for beside
--- it. Files up to 256 MB (a KMP: 64 MB) are read. The file is closed again at once; the document holds all that
--- it needs.
---
--- Fails with `io` when the file can't be read, `format` when it is no course file or a damaged one
--- (the message names the file, the section and offset or the line, what was expected and found),
--- `unsupported` when it is known what else it is (a SARC archive, a model: the message says it), `limit`,
--- `memory` or `cancelled`. What is odd but readable is no failure: see `doc.warnings`.
---
---     local course = assert(kart.open "course.kmp")
---@param path string
---@param options? kart.open_options
---@return kart.kmp|kart.kcl|kart.agp|kart.szs|kart.mesh|nil document
---@return string? message
---@return kart.code? code
---@overload fun(path: string): nil, string, kart.code
function kart.open(path, options) end

--- Open a course as a whole: an archive, a folder with all that lies in it, or a .kmp or .kcl file and, if
--- there is one, the other one of the same name beside it.
---
---     local course = assert(kart.course "luigi/")
---     course:mirror "x"
---     assert(course:extract "luigi_mirrored")      -- or course:save "luigi.szs"
---
--- What disks and programs leave in folders (.DS_Store, Thumbs.db, desktop.ini, copies named .bak) and links
--- to folders are left out, with a warning each. Fails as `kart.open` does; a folder of more than 256 MB is a
--- `limit`.
---@param path string
---@return kart.szs? course
---@return string? message
---@return kart.code? code
function kart.course(path) end

--- Collision as that of another game: a new document, and a report of what became of every surface. Takes a KCL of any
--- game, an AGP, or a mesh, whose `game` says whose its flags are; they stay as they are. Geometry is that of the mesh
--- (`kcl:mesh()`), scaled by what one unit is in the other game; flags become those of kartlua/flagmap.lua; what means
--- nothing there is left out. docs/convert.md tells what is lost.
---
---     local arcade, report = assert(kart.convert(kart.open "course.kcl", "mkagp"))
---     for _, row in ipairs(report.flags) do print(row.name, row.triangles, row.became or "left out") end
---
--- Fails with `unsupported` (nothing is left), `format` (triangles without a flag; a file of rules can't be read), `io`
--- (it can't be opened), `limit` (numbers or lists of the other game are too small), `memory` or `cancelled`.
---@param doc kart.kcl|kart.agp|kart.mesh
---@param game kart.kcl.game|"mkagp"
---@param options? kart.convert_options
---@return kart.kcl|kart.agp|nil document
---@return kart.convert_report|string report_or_message
---@return kart.code? code
function kart.convert(doc, game, options) end

--- Make a vector. A vector never changes: `record.position.y = 0` raises, assign a new vector to
--- `record.position` instead. Components that aren't finite numbers raise.
---@param x number
---@param y number
---@param z number
---@return kart.vec
---@overload fun(xyz: kart.xyz): kart.vec
function kart.vec(x, y, z) end

--- What kind of kartlua's values it is; nil for any other value.
---@param value any
---@return "kmp"|"section"|"record"|"values"|"kcl"|"prisms"|"prism"|"szs"|"mesh"|"triangles"|"triangle"|"positions"|"agp"|"agp_triangles"|"agp_triangle"|"agp_walls"|"agp_wall"|"agp_cells"|"agp_cell"|"vec"|"matrix"|"points"|"column"|"finding"|nil
function kart.type(value) end

--- The names that may stand behind the dot or colon of one of kartlua's values, in no order; nil for any
--- other value. For completion.
---@param value any
---@return string[]?
function kart.members(value) end

--- The shortest text that reads back as the same number: as a float if the number is one, as those of
--- files are, else as a double. "nan", "inf", "-inf" and "-0" for what they say.
---@param number number
---@return string
function kart.number_text(number) end

--- Every name that kartlua's C side registers, by owner: `api.kmp.mirror` is "method",
--- `api.kmp.game` "property", `api["kart.kmp"].parse` "function". For tools.
---@return table<string, table<string, "method"|"property"|"function">>
function kart.api() end

-- --- vectors ----------------------------------------------------------------------------------

--- A vector of three doubles: right-handed, y up. It never changes. `a + b` and `a - b` take tables, too;
--- `a * b` goes by components or takes a number on either side; `a / 0` raises. Two vectors are equal
--- (`==`) when their components are, a table is never equal to one. tostring gives "(1, 2.5, -3)".
---@class kart.vec
---@field x number
---@field y number
---@field z number
---@operator add(kart.xyz): kart.vec
---@operator sub(kart.xyz): kart.vec
---@operator mul(number): kart.vec
---@operator mul(kart.xyz): kart.vec
---@operator div(number): kart.vec
---@operator unm: kart.vec
local vec = {}

--- The dot product.
---@param other kart.xyz
---@return number
function vec:dot(other) end

--- The cross product.
---@param other kart.xyz
---@return kart.vec
function vec:cross(other) end

---@return number
function vec:length() end

--- The three components: `local x, y, z = position:unpack()`.
---@return number x
---@return number y
---@return number z
function vec:unpack() end

-- --- matrices ---------------------------------------------------------------------------------

--- An affine map: a linear part and a translation. It never changes. `a * b` does `b` first, then
--- `a`; `a * point` is where a point goes. Compared by value.
---@class kart.matrix
---@operator mul(kart.matrix): kart.matrix
---@operator mul(kart.xyz): kart.vec
local matrix = {}

--- The map that undoes this one. Raises if there is none.
---@return kart.matrix
function matrix:invert() end

--- The determinant of the linear part: below 0 for a map that turns left into right.
---@return number
function matrix:determinant() end

--- The same map, done as if `origin` were 0, 0, 0: `matrix.scale(2):about(point)` leaves the point where
--- it is.
---@param origin kart.xyz
---@return kart.matrix
function matrix:about(origin) end

--- Where a direction goes: without the translation.
---@param direction kart.xyz
---@return kart.vec
function matrix:direction(direction) end

--- Three rows of four numbers, as `kart.matrix.new` takes them. The fourth column is the translation.
---@return number[][]
function matrix:rows() end

---@class kart.matrix.functions
local matrices = {}

--- A matrix from three rows of three or four numbers; the fourth column is the translation, 0 where it
--- is left out. A point is a column: the new x is the first row times the point.
---@param rows number[][]
---@return kart.matrix
function matrices.new(rows) end

---@return kart.matrix
function matrices.identity() end

---@param by kart.xyz
---@return kart.matrix
function matrices.translation(by) end

--- One factor for all axes, or one for each.
---@param factor number|kart.xyz
---@return kart.matrix
function matrices.scale(factor) end

--- A mirror at the plane where the axis has the value `at`.
---@param axis kart.axis
---@param at? number default 0
---@return kart.matrix
function matrices.mirror(axis, at) end

--- A turn about an axis through 0, 0, 0, counter-clockwise as seen from the axis's tip: a turn of 90
--- about y takes +Z to +X. Multiples of 90 about x, y or z are exact. An axis without length raises.
---@param axis kart.axis|kart.xyz
---@param degrees number
---@return kart.matrix
function matrices.rotation(axis, degrees) end

--- The rotation of a record's three angles: degrees about x, then y, then z.
---@param degrees kart.xyz
---@return kart.matrix
function matrices.euler(degrees) end

-- --- files and the system ---------------------------------------------------------------------

---@class kart.file.functions
local file = {}

--- The bytes of a file of up to 256 MB. Fails with `io`, `limit` or `memory`.
---@param path string
---@return string? bytes
---@return string? message
---@return kart.code? code
function file.read(path) end

---@class kart.file.write_options
--- Fail if there is a file of that name already.
---@field new? boolean

--- Write a whole file in one step: at every moment either the old file or the new one is there, and
--- after a failure the old one is as it was. Links are followed, permissions kept. Fails with `io`.
---@param path string
---@param bytes string
---@param options? kart.file.write_options
---@return true? done
---@return string? message
---@return kart.code? code
function file.write(path, bytes, options) end

---@class kart.os.functions
local system = {}

--- Is standard input (0), output (1) or error (2) a terminal?
---@param stream 0|1|2
---@return boolean
function system.is_terminal(stream) end

--- Seconds of a clock that never goes back. Only differences mean something.
---@return number
function system.seconds() end

-- --- findings ---------------------------------------------------------------------------------

--- Something odd, or something that could not be carried over. A plain table; tostring gives
--- "gobj[3].id: warning: ... [object-handed]".
---@class kart.finding
--- A name of its kind that doesn't change, like "scale-shear".
---@field rule string
--- hint: worth a look. warning: it will not be as it should. error: the game would freeze or crash.
---@field severity "hint"|"warning"|"error"
--- The section's name in Lua, "" if it is about the file as a whole.
---@field section string
--- The record, from 1; nil if it is not about one.
---@field index integer?
--- The point of the route `index`, from 1; nil if it is not about one.
---@field point integer?
--- The field's name, "" if it is not about one.
---@field field string
--- All of these as text: "poti[2].points[3].speed"; "" for the file as a whole.
---@field place string
---@field message string
--- The path of the file in the archive that it is about; nil for documents that are no archive.
---@field member string?

--- A rule that findings follow, as `kart.kmp.rules` and `kart.kcl.rules` list them.
---@class kart.rule
--- What `kartlua check --ignore` and `--explain` take, and `finding.rule` says.
---@field id string
---@field severity "hint"|"warning"|"error"
--- What it looks at.
---@field sections string
--- Why it matters.
---@field reason string
--- What to do about it.
---@field remedy string
--- How it is known.
---@field source string
--- Can `kmp:fix` repair what it finds?
---@field fix boolean
--- Of a rule for KMP: what it is asked of.
---@field mode? "race"|"arena"|"both"
--- Of a rule for KMP: is it asked only with a collision?
---@field collision? boolean

return kart
