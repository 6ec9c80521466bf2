-- The page docs/convert.md, for docs/make.lua: what is told here, and the tables of lua/kartlua/flagmap.lua.
local convert = require "kartlua.convert"
local flagmap = require "kartlua.flagmap"

local HEAD = [[
# Conversion: collision of one game in another one

<!-- Written by docs/make.lua from docs/make_convert.lua and lua/kartlua/flagmap.lua: don't edit. -->

    local course = assert(kart.open "course.kcl")
    local arcade, report = assert(kart.convert(course, "mkagp"))
    for _, row in ipairs(report.flags) do
       print(row.name, row.triangles, row.area, row.became or "left out")
    end
    assert(arcade:save "course.bin")

    kartlua convert --game mk8 course.kcl            # course.convert.kcl
    kartlua convert --game mkagp -o course.bin course.szs
    kartlua convert --list                           # what surfaces become

`kart.convert(doc, game, options)` takes a KCL of any game, an AGP, or a mesh whose `game` says whose its flags are, and
gives a new document of the other game, and a report. The old one stays as it is. Games: `mkw`, `mk8`, `mk8dx`, `mk7`,
`mkds`, `smo`, `smg`, `sm3dl`, and `mkagp`. What the bytes of a file allow several games for must be named when it is
opened: `kart.open(path, { game = "smo" })`, `kartlua convert --from smo`.

## The way

1. **Geometry** is that of the mesh. Prisms give their corners up to rounding; they are moved to positions of the file and
   welded, so that neighbours share edges: see [meshes](mesh.md#from-a-kcl). `weld` takes another distance. This matters
   most on the way to the arcade games, where each edge that isn't shared to the last bit makes a wall.
2. **Surfaces** become what the table below says. What means nothing in the other game is left out.
3. **Size**: everything is multiplied by what one unit is in the other game, or by `scale`.
4. **The builder** of the other game makes the file; its options are passed on in `build`. What it can't hold is dropped
   and counted: `report.build` has reasons. How far corners come out is in `report.build.worst`; normals that had to be
   shared in `report.build.shared`; models and copies of Mario Kart 8 in `report.result`.

The report accounts for every triangle and for its area: `source.triangles` are `unsound` (no triangles), `copies` (in
several models), `left_out`, `turned`, `doubles` and `kept`; `kept`, and walls that were raised, are `result.triangles` and
`build.dropped`. `lua/meta/convert.lua` describes every field.

## Sizes

| game | one unit of Mario Kart Wii is | known from |
|---|---|---|
%s

Between two games the factor is the quotient. Where either isn't known it is 1, and `report.scale_from` is `unknown`.

- Files of Mario Kart Wii have prisms 300 thick and a radius of 250; those of 8 have 30 and 25, and so have, as public
  sources say, those of 7 and DS: ten times less of both. That karts are ten times smaller there, too, is inferred from
  that; nobody has shown it. The community wiki recommends 11.93 for courses of 7 in Wii, and says that there is no
  official factor.
- Of the arcade games nothing tells but the size of courses: the two known are 3,600 and 5,600 units long, three race
  courses of Mario Kart Wii at hand 75,000 to 170,000. A weak inference: drive it, and give a `scale`.

Thickness and radius are always those of the game's own files.

## The arcade games

Their ground is what lies below a kart, and walls are lines seen from above, which stand where the ground ends. So
only floors go there that face up (whose normal points up by more than 0.01): others are counted as `turned`. Triangles
that stand twice become one, as their edges would count as shared.

Walls of a KCL are left out. Where the ground ends there is a wall anyway; as walls drawn by hand they would reach
from the lowest ground to the highest, as those walls have no height, and close what lies under a bridge. A wall that
stands on ground which goes on on both sides is lost: cut the ground below it open in the model.

On the way back, walls are left out as well: in other games karts may fall. `walls = 500` raises walls so many units
above open edges, towards the ground; those drawn by hand have no height to begin at, and are left out always.
Off-road of the arcade games is known weakly, and special faces mean nothing elsewhere.

## What is lost, measured

Real courses of Mario Kart Wii, to the arcade games and back. Walls of KCL are the most of what is left out; `turned` are
floors that face down or stand upright. Nothing of the ground is lost on the way back.

| course | triangles | left out | their area | turned | twice | ground | open edges | back, and area |
|---|---|---|---|---|---|---|---|---|
| race, 9,884 prisms | 9,884 | 7,496 | 63.5 %% | 9 | 0 | 2,379 | 1,848 | 2,379, 100.0 %% |
| race, 3,149 prisms | 3,149 | 2,019 | 35.5 %% | 2 | 22 | 1,106 | 456 | 1,106, 100.0 %% |
| race, 10,388 prisms | 10,388 | 8,640 | 80.5 %% | 123 | 0 | 1,625 | 1,513 | 1,625, 100.0 %% |
| arena, 1,341 prisms | 1,341 | 518 | 30.4 %% | 134 | 0 | 689 | 287 | 689, 100.0 %% |

A file of Mario Kart 8 with 7 models and 19,028 prisms, 460 of them copies, is 18,568 prisms of Mario Kart Wii, with the
same area up to 1e-9.

What else doesn't come along:

- **All but collision.** Points of the course, models, and what they say about triggers are other files.
- **Lights and depths**, which are numbers of the course's own lists, and modifiers that the other game hasn't got:
  `row.lost`. Tricks go from Mario Kart Wii to 8 and back.
- **Numbers behind triggers**, but for those of cannons between Wii and DS.
- **Names**, in games whose flags have none here (`mk7`, `smo`, `smg`, `sm3dl`). To them all floors and walls become 0 and
  everything else is left out; from them what lies flat (up to 60 degrees) is road and the rest is wall. Rules of your own do
  better.
- **Far and large triangles, in Mario Kart DS**: its normals have steps of 1/4096, by which prisms of more than some
  thousand units come out more than a unit off, and are dropped. Real courses have such planes below them, as
  boundaries: `build = { max_error = 10 }`, in the recipe `--max-error 10`, keeps most of them.

## Rules of your own

`flags` counts before the table:

    kart.convert(course, "mk8", { flags = { ["wall/*"] = "wall_2/techno_fence", ["road/*+trickable"] = "dash",
       sound_trigger = "drop" } })
    kart.convert(course, "mk8", { flags = function(flag, fields, kind)
       if kind == "off_grass" then return "off_road/snow" end
    end })
    kart.convert(course, "mk8", { flags = "mine.txt" })

Left stands which flags are meant, as in the [rules of retag](flags.md#changing-flags), in the words of the old game; right
a flag of the new one, by name or number, or `drop`. A file has such rules as lines, `wall/* = wall_2/glass`, and remarks
behind `#`: the same for `kartlua convert --flags mine.txt`.

## The table

`lua/kartlua/flagmap.lua`, which can be changed. First stands the name that a game has for a kind of surface, behind it
what else is read as this kind; in brackets what stands for it where a game hasn't got it; a dash where it is left out.
`/*` is any variant that has no other row.

]]

local GAMES = { mkw = "Mario Kart Wii", mk7 = "Mario Kart 7", mk8 = "Mario Kart 8, 8 Deluxe", mkds = "Mario Kart DS",
   mkagp = "Mario Kart Arcade GP, GP 2" }

local KNOWN = { same = "", inferred = "thickness and radius in files: inferred", weak = "sizes of courses: weakly inferred" }

local function sizes()
   local lines = {}
   for i, game in ipairs{ "mkw", "mk8", "mk7", "mkds", "mkagp" } do
      local factor, from = convert.factor("mkw", game)
      lines[i] = ("| %s | %s | %s |"):format(GAMES[game], require "kartlua".number_text(factor), KNOWN[from])
   end
   lines[#lines + 1] = "| Super Mario Galaxy, 3D Land, Odyssey | not known | |"
   return table.concat(lines, "\n")
end

local function cell(row, game)
   local name, as = convert.name(row[1], game)
   if not name then return "-" end
   if as ~= row[1] then return ("(`%s`)"):format(name) end
   local names = {}
   for each in row[game]:gmatch "[^,]+" do names[#names + 1] = ("`%s`"):format(each:match "^%s*(.-)%s*$") end
   return table.concat(names, ", ")
end

--- The text of docs/convert.md.
return function()
   local lines = { "| kind | Mario Kart Wii | Mario Kart 8 | Mario Kart DS | Arcade GP |", "|---|---|---|---|---|" }
   for _, row in ipairs(flagmap.kinds) do
      lines[#lines + 1] = ("| `%s` | %s | %s | %s | %s |"):format(row[1], cell(row, "mkw"), cell(row, "mk8"),
         cell(row, "mkds"), cell(row, "mkagp"))
   end
   return HEAD:format(sizes()) .. table.concat(lines, "\n") .. "\n"
end
