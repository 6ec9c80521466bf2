---@meta _
-- Archives (.szs, .arc), and courses as a whole.

-- --- kart.szs ---------------------------------------------------------------------------------

---@alias kart.szs.level "fast"|"default"|"best"

---@class kart.szs.functions
local functions = {}

--- An archive from the bytes of a file: a U8 archive, compressed as Yaz0 or not.
---
--- Fails with `format` (the message names the offset, what was expected and what was found), `unsupported`
--- (it is another kind of archive, or something else is compressed: the message names it), `limit` (over
--- 256 MB, also when unpacked; over 65536 files; folders more than 64 deep; a name of more than 1023 bytes),
--- `memory` or `cancelled`.
---@param bytes string
---@return kart.szs? archive
---@return string? message
---@return kart.code? code
function functions.parse(bytes) end

--- An archive without files, laid out as the game's own are. `packed = false`: not to be compressed.
---@param options? { packed?: boolean }
---@return kart.szs
function functions.new(options) end

--- What a Yaz0 stream holds. Fails with `format`, `limit` (over 256 MB), `memory` or `cancelled`.
---@param bytes string
---@return string? bytes
---@return string? message
---@return kart.code? code
function functions.decode(bytes) end

--- Compress any bytes as Yaz0. The same bytes and level give the same stream on every machine. Fails with
--- `limit` (over 256 MB), `memory` or `cancelled`.
---@param bytes string
---@param options? { level?: kart.szs.level }
---@return string? bytes
---@return string? message
---@return kart.code? code
function functions.encode(bytes, options) end

-- --- documents --------------------------------------------------------------------------------

--- An archive with its files, or a course from a folder (see `kart.course`). While nothing in it is changed,
--- the file comes back byte for byte; else the files that weren't changed keep their bytes, their order and
--- their alignment.
---
--- Paths have slashes between and no leading "./", whether the archive has a folder "." or not. Names are
--- bytes, in whatever encoding they have; capitals count.
---
--- A file that is opened as a document belongs to the archive: what is done to it is in the archive's bytes
--- from then on.
---
--- It holds memory that Lua's collector frees when it comes to it; `close` frees it at once, and so does
--- `local archive <close> = ...`.
---@class kart.szs
--- The document of the course's points: of `course.kmp`, or of the only .kmp file that lies in no folder. nil
--- if there is none; raises when the file is damaged (`open` returns that) or of another kind.
---@field kmp kart.kmp?
--- The same of its collision: `course.kcl`, or the only .kcl file that lies in no folder.
---@field kcl kart.kcl?
--- The paths of other .kcl files: collision that objects bring along, each in its object's own space.
---@field objects string[]
--- What it was read from: an archive (also a new one), a folder, or files side by side.
---@field origin "archive"|"folder"|"files"
--- Is the archive compressed as Yaz0 when it is written? This can be assigned.
---@field packed boolean
--- What is odd, and what transformations could not carry over, of the archive and of its files that are open
--- as documents: these findings have a `member`. A new list at each access.
---@field warnings kart.finding[]
local szs = {}

--- A file or a folder of an archive.
---@class kart.szs.file
---@field path string
--- Bytes; nil for folders.
---@field size integer?
---@field folder boolean
--- Do its bytes differ from those that were read? False for folders.
---@field changed boolean
--- What it is to the course: its points, its collision, the collision of an object, or what shows and lights
--- the course, which can't follow a transformation. nil for all others.
---@field role "kmp"|"kcl"|"object"|"scene"|nil

--- All files and folders, in the order of the archive. Fails as the bytes of a document in it
--- do, or with `memory`.
---@return kart.szs.file[]? files
---@return string? message
---@return kart.code? code
function szs:list() end

--- The bytes of a file. Fails with `io` if there is none of this path, and as `list` does.
---@param path string
---@return string? bytes
---@return string? message
---@return kart.code? code
function szs:read(path) end

--- A file as a document: a KMP, a KCL, or an archive in the archive. It is the same one each time. Closing it
--- keeps what was done to it, and raises where that can't be kept: of a KCL that must be rebuilt first. Fails
--- with `io` if there is none of this path, and as `kart.open` does.
---@param path string
---@param options? kart.open_options
---@return kart.kmp|kart.kcl|kart.szs|nil document
---@return string? message
---@return kart.code? code
function szs:open(path, options) end

--- Give a file new bytes. A document that was opened of it is one by itself from then on. Fails with `io` if
--- there is none of this path, or with `memory`.
---@param path string
---@param bytes string
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:replace(path, bytes) end

--- Add a file behind the last one of its folder, with the folders that its path needs; without bytes, a
--- folder. Fails with `limit` if there is one of this path already, if the path has an empty, "." or ".."
--- part or one of more than 255 bytes, or leads through a file; or with `memory`.
---@param path string
---@param bytes? string
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:add(path, bytes) end

--- Remove a file, or a folder with all that lies in it. Fails with `io` if there is none of this path.
---@param path string
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:remove(path) end

--- Give a file or a folder another name in the same folder. Fails with `io` if there is none of this path,
--- with `limit` if the name is taken, empty, or holds a slash; `memory`.
---@param path string
---@param name string
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:rename(path, name) end

--- Write all files into a folder, which must be new or empty. It appears in one step: after any failure
--- nothing is left of it. Fails with `format` if a name could lead out of the folder (".." and the like,
--- separators, colons), holds control characters, or is the same as another one on a disk that doesn't tell
--- small letters from capitals; with `limit` for a path that is too long; `io`, `memory` or
--- `cancelled`, and as `list` does.
---@param path string
---@return true? done
---@return string? message
---@return kart.code? code
function szs:extract(path) end

--- The archive's bytes. `level` counts where it must be compressed anew: `fast` takes about a tenth of the
--- time and some 10 % more bytes, `best` is as small as the format allows. Fails as the bytes of a document
--- in it do (the message names it), with `limit` (over 256 MB), `memory` or `cancelled`.
---@param options? { level?: kart.szs.level }
---@return string? bytes
---@return string? message
---@return kart.code? code
function szs:bytes(options) end

--- Write the archive in one step: after any failure the old file is there, whole. Fails as `bytes` does, or
--- with `io`.
---@param path string
---@param options? { level?: kart.szs.level }
---@return true? done
---@return string? message
---@return kart.code? code
function szs:save(path, options) end

--- An independent copy of the archive as it is now. Fails as `list` does.
---@return kart.szs? copy
---@return string? message
---@return kart.code? code
function szs:clone() end

--- Free its memory now. Every further use of it raises; documents of its files go on by themselves.
function szs:close() end

--- What would go wrong in the game, as `kmp:check` and `kcl:check` tell of the course's points and collision; the
--- points are held against the collision, too. Findings have a `member`. The option `arena` is that of `kmp:check`.
---
--- Fails as the two do, with `format` if one of them is damaged or of another kind, and with `unsupported` if
--- it has neither.
---
---     for _, finding in ipairs(assert(kart.course("course.kmp"):check())) do print(finding) end
---@param options? { arena?: boolean|"auto" }
---@return kart.finding[]? findings
---@return string? message
---@return kart.code? code
function szs:check(options) end

--- Make the mirror image of the course: its KMP and its KCL, as their own `mirror` does. What shows the course
--- can't follow: a warning for each such file says so. With `object_kcl` the collision of objects is mirrored,
--- too, in the object's own space (its x changes the sign, whatever the axis is: objects keep their front).
---
--- Fails as the two do, with `format` if one of them is damaged or of another kind, and with `unsupported` if
--- it has neither. After a failure all is as it was.
---@param axis "x"|"z"
---@param options? { at?: number, object_kcl?: boolean }
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:mirror(axis, options) end

--- Turn the course by `degrees`, as `kmp:rotate` and `kcl:rotate` do.
---@param axis kart.axis|kart.xyz
---@param degrees number
---@param options? { origin?: kart.xyz, height?: number }
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:rotate(axis, degrees, options) end

--- Scale the course, as `kmp:scale` and `kcl:scale` do.
---@param factor number|kart.xyz
---@param options? { origin?: kart.xyz, scale_speeds?: boolean, scale_objects?: boolean }
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:scale(factor, options) end

--- Move the course, as `kmp:translate` and `kcl:translate` do.
---@param by kart.xyz
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:translate(by) end

--- Any affine map of the course, as `kmp:transform` and `kcl:transform` do.
---@param matrix kart.matrix
---@param options? { origin?: kart.xyz, height?: number, scale_speeds?: boolean, scale_objects?: boolean, object_kcl?: boolean }
---@return kart.szs? self
---@return string? message
---@return kart.code? code
function szs:transform(matrix, options) end
