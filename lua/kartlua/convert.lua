--- Collision of one game as that of another one: `kart.convert(doc, game, options)`.
--
-- It stands in Lua, not in src/course: whatever takes time is done in C by what exists for itself (the mesh of a
-- document, weld, select, map_flags, scale, the builders), and what is left is a table of words and a report. The core
-- knows no names of flags.
--
-- The way: document -> mesh -> triangles that mean something there -> flags -> scale -> builder. docs/convert.md
-- tells what is lost on it.
local kart = require "kartlua.native"
local flags = require "kartlua.flags"
local flag_rules = require "kartlua.flag_rules"
local flagmap = require "kartlua.flagmap"
local flag_tables = require "kartlua.flag_tables"
local guard = require "kartlua.guard"
local raise = require "kartlua.blame" "convert"

local convert = {}

local ARCADE = "mkagp" -- its ground lies below karts, and walls are lines seen from above
local DROP = "drop" -- what stands for no flag in rules
local WELD = 0.1 -- units: what `kcl:mesh` does
local UPRIGHT = 0.01 -- an upward part of the normal up to this is no ground to stand on
local SLOPE = 0.5 -- with at least this it is a floor, where nothing else tells
local FLOOR, OTHER = 0x10000, 0x20000 -- bits above the flags of games whose names aren't known

-- --- kinds ------------------------------------------------------------------------------------

local kinds = {}
for _, row in ipairs(flagmap.kinds) do kinds[row[1]] = row end

-- Whose column of the table a game has.
local function column_of(game) return game == "mk8dx" and "mk8" or game end

local function names_in(text)
   local list = {}
   for name in (text or ""):gmatch "[^,]+" do list[#list + 1] = name:match "^%s*(.-)%s*$" end
   return list
end

local readers = {}

-- The rules that read a game's flags: each leads to a kind.
local function reader(game)
   local column = column_of(game)
   if not readers[column] then
      local list = {}
      for _, row in ipairs(flagmap.kinds) do
         for _, name in ipairs(names_in(row[column])) do
            local bits, mask = flags.bits(name, column)
            list[#list + 1] = { text = name, kind = row[1], bits = assert(bits, mask), mask = mask }
         end
      end
      readers[column] = flag_rules.sort(list)
   end
   return readers[column]
end

local function same_kind(a, b) return a.kind == b.kind end

--- The kind that a flag is of, and the bits that say so; nil for games without names.
function convert.kind(flag, game)
   if not flag_tables[game] then return nil end
   local rule, other = flag_rules.find(reader(game), flag, same_kind)
   assert(not other, "flagmap: two kinds fit")
   return rule.kind, rule.mask
end

--- The name by which a game writes a kind, and the kind that it stands for there; nil if it has no such thing.
function convert.name(kind, game)
   local column = column_of(game)
   while kind do
      local name = names_in(kinds[kind][column])[1]
      if name and name ~= "*" then return name, kind end
      kind = kinds[kind].like
   end
end

-- What a kind ends up as: "road" of floors, "wall" of walls, or what is neither.
local function root(kind)
   while kinds[kind].like do kind = kinds[kind].like end
   return kind
end

-- --- flags ------------------------------------------------------------------------------------

-- The modifier by which a game has this one, or what comes near to it.
local function modifier_in(name, game)
   local column = column_of(game)
   for _ = 1, #flagmap.modifiers do
      local found
      for _, row in ipairs(flagmap.modifiers) do found = row[1] == name and row or found end
      if not found or found[column] then return found and found[column] end
      name = found.like
   end
end

-- The modifiers of a flag that its kind doesn't say: as far as `to` has them as bits, and the names of the others.
local function modifiers_of(flag, mask, from, to)
   local bits, lost = 0, {}
   local implied, fields = flagmap.implied[column_of(from)] or {}, flags.fields(flag, from)
   for _, modifier in ipairs(flags.modifiers(from)) do
      local value = fields[modifier.name]
      local set = value == true or math.type(value) and value > 0
      if set and not implied[modifier.name] and mask >> modifier.bit & 1 == 0 then
         local kept = modifier_in(modifier.name, to)
         if kept then
            bits = bits | flags.bits("+" .. kept, to)
         else
            lost[#lost + 1] = value == true and modifier.name or ("%s=%d"):format(modifier.name, value)
         end
      end
   end
   return bits, lost
end

-- What a flag becomes by the table: a row of the report without its triangles.
local function by_table(flag, from, to, is_floor)
   local kind, mask = convert.kind(flag, from)
   local row = { flag = flag, kind = kind, lost = {}, match = "same" }
   if not kind then
      kind, mask, row.match = is_floor and "road" or "wall", 0xFFFF, "slope"
      row.kind = kind
   end
   if not flag_tables[to] then
      local solid = root(kind) == "road" or root(kind) == "wall"
      row.new, row.match = solid and 0 or nil, solid and "plain" or "none"
      return row
   end
   local name, as = convert.name(kind, to)
   if not name then
      row.match = "none"
      return row
   end
   if as ~= kind and row.match == "same" then row.match = "like" end
   -- A name that leaves the variant open keeps its number.
   local number = flags.parse(name, to)
      or assert(flags.parse(name:gsub("%*$", flags.fields(flag, from).variant), to))
   local more = 0
   if flag_tables[from] then more, row.lost = modifiers_of(flag, mask, from, to) end
   row.new = number | more
   return row
end

-- One side of somebody's rule: "drop", or a whole flag of the game.
local function read_new(value, to)
   if value == DROP then return DROP end
   if math.type(value) == "integer" and value >= 0 and value <= flags.most(to) then return value end
   if type(value) ~= "string" then return nil, ("expected a flag, its name, or drop, got %s"):format(value) end
   return flags.parse(value, to)
end

-- Rules by { [old] = new }: a list for flag_rules, or nil and what is wrong with one.
local function read_rules(spec, from, to)
   local list = {}
   for old, new in pairs(spec) do
      local rule, problem = { text = tostring(old) }, nil
      if math.type(old) == "integer" and old >= 0 and old <= flags.most(from) then
         rule.bits, rule.mask = old, flags.most(from)
      elseif type(old) == "string" then
         rule.bits, rule.mask = flags.bits(old, from)
         problem = rule.mask
      else
         problem = "expected the name or number of a flag"
      end
      if not rule.bits then return nil, ("%s: %s"):format(rule.text, problem) end
      rule.new, problem = read_new(new, to)
      if not rule.new then return nil, ("%s = %s: %s"):format(rule.text, new, problem) end
      list[#list + 1] = rule
   end
   return flag_rules.sort(list)
end

--- A text of "old = new" lines as rules { [old] = new } between two games; `new` may be "drop", and # begins a remark.
--- nil, message and code if it can't be read.
function convert.parse_rules(text, from, to)
   local spec, number = {}, 0
   local function fail(...) return nil, ("line %d: %s"):format(number, string.format(...)), "format" end
   for line in (text:gsub("\r\n?", "\n") .. "\n"):gmatch "(.-)\n" do
      number = number + 1
      line = line:gsub("#.*", ""):match "^%s*(.-)%s*$"
      if line ~= "" then
         local old, new = flag_rules.split(line)
         if not old then return fail("expected old = new, found '%s'", line) end
         old, new = old:match "^(.-)%s*$", new:match "^%s*(.*)$"
         if spec[old] then return fail("two rules for %s", old) end
         spec[old] = new
         local read, why = read_rules({ [old] = new }, from, to)
         if not read then return fail("%s", why) end
      end
   end
   return spec
end

local function same_new(a, b) return a.new == b.new end

local function plainly(flag) return flag & 0xFFFF end -- without the bits that say how it stands

-- Gives for a flag what somebody wants it to become: a number, "drop", or nil for what the table says.
local function chooser(given, from, to)
   if given == nil then return function() end end
   if type(given) == "function" then
      return function(flag)
         local answer = given(flag, flags.fields(flag, from), (convert.kind(flag, from)))
         if answer == nil then return nil end
         local new, problem = read_new(answer, to)
         return new or raise("the function's answer to %s: %s", flags.format(flag, from), problem)
      end
   end
   local list, problem = read_rules(given, from, to)
   if not list then raise("option 'flags': %s", problem) end
   return function(flag)
      local rule, other = flag_rules.find(list, flag, same_new)
      if other then
         raise("option 'flags': '%s' and '%s' both fit %s, and disagree", rule.text, other.text,
            flags.format(flag, from))
      end
      return rule and rule.new
   end
end

-- Do two games have the same flags?
local function same_flags(from, to) return column_of(from) == column_of(to) end

-- Rows of the report, one for each flag of the mesh, and for games without names for how it stands.
local function map_flags(mesh, from, to, given)
   local rows, choose = {}, chooser(given, from, to)
   for i, count in ipairs(mesh:flags()) do
      local marked = not flag_tables[from] and count.flag > 0xFFFF
      local flag = marked and plainly(count.flag) or count.flag
      local chosen = choose(flag)
      local row
      if chosen then
         row = { flag = flag, kind = convert.kind(flag, from), lost = {}, match = "given",
            new = chosen ~= DROP and chosen or nil }
      elseif same_flags(from, to) then
         row = { flag = flag, kind = convert.kind(flag, from), lost = {}, match = "kept", new = flag }
      else
         row = by_table(flag, from, to, count.flag & FLOOR ~= 0)
      end
      row.key, row.triangles, row.area = count.flag, count.count, count.area -- key: the flag in the mesh
      row.name = flags.format(flag, from)
      row.became = row.new and flags.format(row.new, to)
      rows[i] = row
   end
   return rows
end

-- --- geometry ---------------------------------------------------------------------------------

-- The mesh of a document, which is the caller's, and where its triangles come from. nil, message and code on failure.
local function mesh_of(doc, weld)
   local kind = kart.type(doc)
   local mesh, report, code
   if kind == "kcl" then
      mesh, report, code = doc:mesh{ weld = weld or WELD }
      if not mesh then return nil, report, code end
      return mesh, { triangles = #doc.prisms, unsound = report.left_out, copies = report.copies }
   end
   if kind == "agp" then
      mesh, report, code = doc:mesh()
   else
      mesh, report, code = doc:clone()
   end
   if not mesh then return nil, report, code end
   if weld then
      local joined, problem, why = mesh:weld(weld)
      if not joined then return nil, problem, why end
   end
   return mesh, { triangles = #doc.triangles, unsound = kind == "agp" and report.left_out or 0, copies = 0 }
end

-- Flags of games without names get a bit that says how a triangle stands: they are 16 bits, a mesh has room for 32.
local function mark_slopes(mesh)
   mesh.game = ARCADE
   for _, triangle in ipairs(mesh.triangles) do
      local normal = triangle.normal
      triangle.flag = triangle.flag | (normal and normal.y >= SLOPE and FLOOR or OTHER)
   end
end

-- Triangles that become something.
local function kept_of(mesh, rows)
   local list = {}
   for _, row in ipairs(rows) do
      if row.new then list[#list + 1] = row.key end
   end
   return mesh:select(list)
end

-- Those of them that can be stood on; rows tell how many of theirs can't.
local function ground_of(mesh, rows)
   local ground, problem, code = mesh:select(function(triangle)
      local normal = triangle.normal
      return not normal or normal.y > UPRIGHT -- what has no area is the builder's to drop
   end)
   if not ground then return nil, problem, code end
   local left = {}
   for _, count in ipairs(ground:flags()) do left[count.flag] = count end
   for _, row in ipairs(rows) do
      local count = left[row.key] or { count = 0, area = 0 }
      if row.new and row.triangles > count.count then
         row.turned, row.turned_area = row.triangles - count.count, row.area - count.area
      end
   end
   return ground
end

-- Walls of open edges as upright squares above them, `height` units high, that face the ground: a mesh of its own.
local function walls_of(doc, height, game, flag)
   local positions, triangles, up = {}, {}, kart.vec(0, height, 0)
   for _, triangle in ipairs(doc.triangles) do
      if triangle.open_bits ~= 0 then
         local corners, open = triangle.corners, triangle.open
         for i = 1, 3 do
            local from, to = corners[i], corners[i % 3 + 1]
            if open[i] then
               local at = #positions
               table.move({ from, to, from + up, to + up }, 1, 4, at + 1, positions)
               triangles[#triangles + 1] = { at + 2, at + 1, at + 3, flag = flag }
               triangles[#triangles + 1] = { at + 2, at + 3, at + 4, flag = flag }
            end
         end
      end
   end
   return kart.mesh.new{ game = game, positions = positions, triangles = triangles }
end

-- The walls of an arcade course, as far as they can be raised: false for none. The report says what became of them.
local function raise_walls(doc, job, report)
   if kart.type(doc) ~= "agp" or job.game == ARCADE then return false end
   local stats = doc:stats()
   report.walls = { edges = stats.open_edges, walls = stats.walls, raised = 0 }
   if not job.walls then return false end
   local flag = flag_tables[job.game] and flags.parse(convert.name("wall", job.game), job.game) or 0
   local walls = walls_of(doc, job.walls / job.scale, job.game, flag)
   report.walls.raised, report.walls.flag, report.walls.area = #walls.triangles, flag, walls:area()
   return walls
end

-- Give the mesh the flags of the game.
local function reflag(mesh, rows, game)
   local map = {}
   for _, row in ipairs(rows) do
      if row.new then map[row.key] = row.new end
   end
   mesh.game = ARCADE -- whose flags have room for those of every game
   mesh:map_flags(map)
   mesh.game = game
   for _, row in ipairs(rows) do row.key = nil end -- what it was for is done
end

-- --- the work ---------------------------------------------------------------------------------

local function factor(from, to)
   local units = flagmap.units
   if from == to then return 1, "same" end
   if not units[from] or not units[to] then return 1, "unknown" end
   return units[to] / units[from], (flagmap.weak[from] or flagmap.weak[to]) and "weak" or "inferred"
end

--- What one unit of a game is in another one, and where that is from: "same" (game), "inferred", "weak" or "unknown".
convert.factor = factor

local function sum(rows, key, which)
   local total = 0
   for _, row in ipairs(rows) do
      if not which or which(row) then total = total + (row[key] or 0) end
   end
   return total
end

-- Build, so that what is wrong with options of builders is said at the script's line.
local function build(mesh, job)
   local options = { drop = true }
   for key, value in pairs(job.build or {}) do options[key] = value end
   local ok, doc, report, code = guard.call((job.game == ARCADE and kart.agp or kart.kcl).build, mesh, options)
   if not ok then raise("option 'build': %s", (doc:gsub("^bad argument #2 to '[^']*' %((.*)%)$", "%1"))) end
   return doc, report, code
end

local function known(doc)
   local kind = kart.type(doc)
   if kind ~= "kcl" and kind ~= "agp" and kind ~= "mesh" then
      raise("expected a KCL, an AGP or a mesh, got %s", kind or type(doc))
   end
   if not pcall(function() return doc.game end) then raise("the document is closed") end
end

local OPTIONS = { scale = "number", walls = "number", weld = "number", build = "table" }

local function check(doc, game, options)
   known(doc)
   if type(game) ~= "string" or flag_tables[game] == nil then
      local names = {}
      for name in pairs(flag_tables) do names[#names + 1] = name end
      table.sort(names)
      raise("there is no game '%s', only %s", game, table.concat(names, ", "))
   end
   if options ~= nil and type(options) ~= "table" then raise("expected a table of options, got %s", type(options)) end
   for key, value in pairs(options or {}) do
      local wanted = OPTIONS[key]
      if not wanted and key ~= "flags" then raise("unknown option '%s'", key) end
      if wanted and type(value) ~= wanted then raise("option '%s': expected a %s, got %s", key, wanted, type(value)) end
      local least = key == "weld" and 0 or 0x1p-1022
      if wanted == "number" and not (value >= least and value < math.huge) then
         raise("option '%s': expected a number %s, got %s", key, key == "weld" and "from 0 up" or "above 0", value)
      end
   end
   local given = options and options.flags
   if given ~= nil and type(given) ~= "table" and type(given) ~= "function" and type(given) ~= "string" then
      raise("option 'flags': expected rules, a function or a path, got %s", type(given))
   end
end

-- The rules of a file; nil, message and code.
local function read_file(path, from, to)
   local text, problem, code = kart.file.read(path)
   if not text then return nil, problem, code end
   local spec, why, how = convert.parse_rules(text, from, to)
   if not spec then return nil, ("%s: %s"):format(path, why), how end
   return spec
end

local function new_job(doc, game, options)
   local job = { from = doc.game, game = game }
   for key, value in pairs(options or {}) do job[key] = value end
   job.scale, job.scale_from = factor(job.from, game)
   if options and options.scale then job.scale, job.scale_from = options.scale, "given" end
   if type(job.flags) == "string" then
      local spec, problem, code = read_file(job.flags, job.from, game)
      if not spec then return nil, problem, code end
      job.flags = spec
   end
   return job
end

-- The triangles that mean something in the game, with its flags and its size.
local function prepare(mesh, doc, job, report)
   if not flag_tables[job.from] and not same_flags(job.from, job.game) then mark_slopes(mesh) end
   local rows = map_flags(mesh, job.from, job.game, job.flags)
   report.flags = rows
   report.area = sum(rows, "area")
   local kept, problem, code = kept_of(mesh, rows)
   if not kept then return nil, problem, code end
   if job.game == ARCADE and job.from ~= ARCADE then
      kept, problem, code = ground_of(kept, rows)
      if not kept then return nil, problem, code end
   end
   if #kept.triangles == 0 then
      return nil, ("nothing is left: no surface of it means anything in %s"):format(job.game), "unsupported"
   end
   reflag(kept, rows, job.game)
   report.doubles = 0
   if job.game == ARCADE then
      -- Edges of doubles count as shared, and no walls would be made of them.
      report.doubles, problem, code = kept:drop_duplicates()
      if not report.doubles then return nil, problem, code end
   end
   report.kept = { triangles = #kept.triangles, area = kept:area() }
   local walls = raise_walls(doc, job, report)
   if walls then
      local merged
      merged, problem, code = kept:merge(walls)
      if not merged then return nil, problem, code end
   end
   return kept:scale(job.scale)
end

-- What came of it, read from the new document.
local function measure(doc, job, report)
   local again <close>, problem, code = mesh_of(doc)
   if not again then return nil, problem, code end
   local stats, why, how = again:stats()
   if not stats then return nil, why, how end
   local copies = report.build.copies or 0
   report.result = { triangles = (job.game == ARCADE and #doc.triangles or #doc.prisms) - copies, copies = copies,
      models = report.build.models or 1, area = stats.area, open_edges = stats.open_edges }
   return doc, report
end

function convert.run(doc, game, options)
   check(doc, game, options)
   local job, problem, code = new_job(doc, game, options)
   if not job then return nil, problem, code end
   local mesh <close>, source, why = mesh_of(doc, job.weld)
   if not mesh then return nil, source, why end
   local stats, wrong, how_wrong = mesh:stats()
   if not stats then return nil, wrong, how_wrong end
   if stats.unflagged > 0 then
      return nil, ("%d triangles have no flag: their materials say none"):format(stats.unflagged), "format"
   end
   local report = { from = job.from, to = game, scale = job.scale, scale_from = job.scale_from, source = source }
   local ready <close>, message, how = prepare(mesh, doc, job, report)
   if not ready then return nil, message, how end
   report.left_out = { triangles = sum(report.flags, "triangles", function(row) return not row.new end),
      area = sum(report.flags, "area", function(row) return not row.new end) }
   report.turned = { triangles = sum(report.flags, "turned"), area = sum(report.flags, "turned_area") }
   local made, built, failed = build(ready, job)
   if not made then return nil, built, failed end
   report.build = built
   return measure(made, job, report)
end

return convert
