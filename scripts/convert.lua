-- Collision of one game as that of another one, of every game that has KCL and of the arcade games.
--
--    kartlua convert --game mk8 course.kcl
--    kartlua convert --game mkagp -o course.bin course.szs      the course.kcl of an archive
--    kartlua convert --game mkw --walls 500 course.bin          and back, with walls on open edges
--    kartlua convert --game mkds --flags mine.txt --scale 0.05 course.kcl
--    kartlua convert --list                                     what surfaces become in each game
--
-- Output:
--    course.kcl: mkw to mk8, scaled by 0.1 (inferred)
--      flag                 triangles        area
--      road                       963   886287747  road_1
--      wall/rock                 1696   461089041  wall_1/cliff
--      cannon_activator             4      221485  left out
--    course.kcl: 3149 triangles, area 1608925414: 6 left out (area 442970), 3143 in the result
--    course.kcl: corners are off by 0.0035 at most; 1 model, 863 edges open
--    course.kcl -> course.convert.kcl
--
-- Behind the arrow of a surface that the other game hasn't got stands what comes nearest, and what it loses, as
-- (like jump_pad) or (without light=3). What means nothing in the other game is left out. To the arcade games only
-- floors go that face up: their walls are the edges where the ground ends. --flags names a file that says otherwise for
-- some surfaces, in lines like
--    wall/*        = wall_2/techno_fence
--    sound_trigger = drop
-- The result is a file by itself: archives and folders stay as they are, as all else in them is of their game. Lengths
-- differ between games; factors are inferred, or nothing is known: docs/convert.md tells. --from says of which game
-- a file is that several could have made, and whose flags the materials of an OBJ stand for.

local kart = require "kartlua"
local columns = require "kartlua.columns"
local counted = require "kartlua.counted"
local flagmap = require "kartlua.flagmap"
local recipe = require "kartlua.recipe"

local KCL = { "mkw", "mk8", "mk8dx", "smo", "smg", "sm3dl", "mk7", "mkds" }
local ALL = table.move(KCL, 1, #KCL, 1, {})
ALL[#ALL + 1] = "mkagp"

-- The table: kinds, and how each game writes them; in brackets what stands for them there.
local function print_table()
   local convert = require "kartlua.convert"
   local rows = { { "kind", "mkw", "mk8", "mkds", "mkagp" } }
   for i, kind in ipairs(flagmap.kinds) do
      rows[i + 1] = { kind[1] }
      for column = 2, #rows[1] do
         local name, as = convert.name(kind[1], rows[1][column])
         rows[i + 1][column] = name and (as == kind[1] and name or ("(%s)"):format(name)) or "-"
      end
   end
   for _, line in ipairs(columns(rows, "lllll")) do print(line) end
end

local function area(number) return ("%.0f"):format(number) end

-- What became of the surfaces of a flag, in words.
local function fate(row)
   if not row.new then return "left out" end
   local text = row.became
   if row.match == "like" then text = ("%s (like %s)"):format(text, row.kind) end
   if row.match == "slope" then text = ("%s (as it stands)"):format(text) end
   if #row.lost > 0 then text = ("%s (without %s)"):format(text, table.concat(row.lost, ", ")) end
   if row.turned then text = ("%s; %d don't face up"):format(text, row.turned) end
   return text
end

-- "6 left out (area 442970), " or nothing.
local function part(number, of, what)
   return number > 0 and ("%d %s%s, "):format(number, what, of and (" (area %s)"):format(area(of)) or "") or ""
end

-- Why triangles were dropped, as far as that is told, each reason once.
local function reasons(faults)
   local list, seen = {}, {}
   for _, fault in ipairs(faults) do
      if not seen[fault.reason] then list[#list + 1] = fault.reason end
      seen[fault.reason] = true
   end
   return table.concat(list, "; ")
end

local function show(report, input, guessed)
   print(("%s: %s%s to %s, scaled by %s (%s)"):format(input, report.from, guessed and " (guessed)" or "", report.to,
      kart.number_text(report.scale), report.scale_from))
   local rows = { { "flag", "triangles", "area" } }
   for i, row in ipairs(report.flags) do rows[i + 1] = { row.name, row.triangles, area(row.area), fate(row) } end
   for _, line in ipairs(columns(rows, "lrrl")) do print("  " .. line) end
   local source, built, walls = report.source, report.build, report.walls
   print(("%s: %s, area %s: %s%s%s%s%s%s%d in the result"):format(input, counted(source.triangles, "triangle"),
      area(report.area), part(source.unsound, nil, "are none"), part(source.copies, nil, "are copies"),
      part(report.left_out.triangles, report.left_out.area, "left out"),
      part(report.turned.triangles, report.turned.area, "don't face up"), part(report.doubles, nil, "stand twice"),
      part(built.dropped, built.dropped_area / report.scale ^ 2, "dropped"), report.result.triangles))
   if walls and walls.raised > 0 then
      print(("%s: %d of these are walls on open edges"):format(input, walls.raised))
   elseif walls and walls.walls > 0 then
      print(("%s: %s left out; --walls raises those of %s"):format(input, counted(walls.walls, "wall"),
         counted(walls.edges, "open edge")))
   end
   if built.dropped > 0 then
      io.stderr:write(("%s: %s dropped: %s\n"):format(input, counted(built.dropped, "triangle"),
         reasons(built.faults)))
   end
   if report.to == "mkagp" then
      print(("%s: %d edges open, each is a wall"):format(input, report.result.open_edges))
      return
   end
   print(("%s: corners are off by %.2g at most; %s, %s%d edges open"):format(input, built.worst,
      counted(report.result.models, "model"), part(report.result.copies, nil, "copies"), report.result.open_edges))
   if built.shared > 0 then
      print(("%s: %d normals too many, shared: worst vertex error %.2f units"):format(input, built.shared, built.worst))
   end
end

-- The document as that of another game; nil and a message if it isn't.
local function read_as(doc, game, path)
   if game == doc.game then return doc end
   if kart.type(doc) == "mesh" then return kart.open(path, { game = game }) end
   if kart.type(doc) == "agp" then return nil, "--from: this is a file of mkagp" end
   return kart.kcl.parse(assert(doc:bytes()), game)
end

return recipe{
   summary = "Collision of one game as that of another one.",
   accepts = { "kcl", "agp", "mesh" },
   ending = function(options) return options.game == "mkagp" and "bin" or "kcl" end,
   options = {
      { name = "game", type = "choice", choices = ALL, help = "the game to convert to" },
      { name = "from", type = "choice", choices = KCL, help = "the game of the file, where several are possible" },
      { name = "scale", type = "number", min = 1e-6, max = 1e6, help = "the factor, instead of the known one" },
      { name = "flags", type = "file", help = "a file of old = new lines, which count before the table" },
      { name = "walls", type = "number", min = 0.001, max = 1e6,
        help = "from arcade games: raise walls so high on open edges" },
      { name = "weld", type = "number", min = 0, max = 1e6, help = "join corners that are so near" },
      { name = "cell", type = "number", min = 1, max = 1e6, help = "to mkagp: edge of a cell; 100" },
      { name = "max_error", type = "number", min = 1e-6, max = 1e6,
        help = "to other games: how far a corner may be off; 1" },
      { name = "list", type = "flag", help = "print the table of surfaces" },
   },
   example = "kartlua convert --game mk8 course.kcl",
   prepare = function(options)
      if options.list then
         print_table()
         return "done"
      end
      if not options.game then return nil, "--game: to which game? One of " .. table.concat(ALL, ", ") end
      local arcade = options.game == "mkagp"
      if options.cell and not arcade then return nil, "--cell: only files of mkagp have cells of a size" end
      if options.max_error and arcade then return nil, "--max-error: files of mkagp hold corners as they are" end
   end,
   run = function(doc, options, job)
      local guessed = kart.type(doc) == "kcl" and doc.guessed and not options.from
      if options.from then
         local problem
         doc, problem = read_as(doc, options.from, job.input)
         if not doc then return nil, problem end
      end
      local made, report = kart.convert(doc, options.game, { scale = options.scale, flags = options.flags,
         walls = options.walls, weld = options.weld, build = { cell = options.cell, max_error = options.max_error } })
      if not made then return nil, report end
      show(report, job.input, guessed)
      return made
   end,
}
