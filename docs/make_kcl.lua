-- The pages docs/flags.md and docs/checks.md, for docs/make.lua: what follows from the names of flags
-- and from the rules of checks.
local checks = require "kartlua.checks"

local pages = {}

local function cell(text) return (text:gsub("|", "\\|")) end

-- --- flags ------------------------------------------------------------------------------------

local FLAGS_HEAD = [[
# Flags of collision

<!-- Written by docs/make.lua from lua/kartlua/flag_tables.lua: don't edit. -->

Every surface of a KCL has a flag of 16 bits: what it is, and what it does. In kartlua a flag is that
number, and a notation that people can type:

    type[/variant][+modifier...]

| notation | is |
|---|---|
| `road` | a type; a type without a variant means variant 0 |
| `road/dirt` | a type and its variant by name |
| `road/1` | the same by number, as not every variant has a name |
| `road/dirt+trickable` | with a modifier |
| `wall+light=2+soft` | with a modifier that has a number, and another one |
| `type_23` | a type without a name |
| `0x2020`, `8224` | the flag as a number |

Names are written in lower case, but read in any. `kart.flags.parse(text, game)` gives the number,
`kart.flags.format(number, game)` the notation, which reads back as the same number for each of the
65536. `kart.flags.describe` gives words for people, `kart.flags.fields` a table. `kartlua retag --show`
lists the flags of a file.

## Changing flags

`doc:retag{ old = new }`, and `kartlua retag --set old=new`, take rules. Left stands which flags are meant:

| left | fits |
|---|---|
| `wall` | walls of variant 0, whatever their modifiers |
| `wall/rock` | walls of this variant |
| `wall/*` | all walls |
| `*` | everything |
| `wall/*+soft` | soft walls |
| `*-trickable` | everything that isn't trickable |
| `0x000C` | this flag only |

Right stands what changes, and the rest stays:

| right | does |
|---|---|
| `road` | type and variant become road's; modifiers stay |
| `road+trickable` | and it becomes trickable |
| `road-trickable` | and it stops to be trickable |
| `+light=3` | type and variant stay |
| `road/*` | the type changes, the number of the variant stays |
| `0x000C` | everything is replaced |

Each surface gets one rule at most, by the flag that it had before: so `road=wall` and `wall=road` exchange
the two. Of several rules that fit, the one that names more bits counts. Two that name as many and
disagree are an error.

What a mirrored or turned course needs to have changed in its flags stands in [the page on KCL](kcl.md).
]]

local GAMES = {
   { "mkw", "Mario Kart Wii", [[
A number left out below has no name: it isn't used by the game's own courses, or what it means isn't
certain. Kinds of walls and grounds differ mostly in their sounds and in what wheels throw up.]] },
   { "mk8", "Mario Kart 8 and Mario Kart 8 Deluxe", [[
What the game calls attribute is the type here, and its material the variant. `_small` are materials with
smaller effects.]] },
   { "mkagp", "Mario Kart Arcade GP and GP 2", [[
Flags have 32 bits. The type is what the ground is made of, the variant how it slows, which isn't known for certain. A
triangle of an AGP also has these as `surface`, `off_road` and `special`: see [the page on AGP](agp.md).]] },
   { "mkds", "Mario Kart DS", [[
Bits 14 and 15 say themselves what is a wall and what a floor: nearly every flag has one of the two. What
the variants mean isn't known here, they are numbers. Types from 23 on don't occur.]] },
}

local function bits_text(modifier)
   local width = 0
   while modifier.most >> width > 0 do width = width + 1 end
   return width == 1 and tostring(modifier.bit) or ("%d to %d"):format(modifier.bit, modifier.bit + width - 1)
end

-- Bits of type and variant, which kart.flags doesn't tell.
local function layout_rows(game)
   local data = require("kartlua.flag_tables")[game]
   local rows = {}
   for _, part in ipairs{ { "type", data.type }, { "variant", data.variant } } do
      local low, bits = table.unpack(part[2])
      rows[#rows + 1] = { low, ("| %d to %d | %s | |"):format(low, low + bits - 1, part[1]) }
   end
   for _, modifier in ipairs(kart.flags.modifiers(game)) do
      local name = modifier.most == 1 and modifier.name or ("%s=1..%d"):format(modifier.name, modifier.most)
      rows[#rows + 1] = { modifier.bit, ("| %s | `%s` | %s |"):format(bits_text(modifier), name, cell(modifier.doc)) }
   end
   table.sort(rows, function(a, b) return a[1] < b[1] end)
   for i, row in ipairs(rows) do rows[i] = row[2] end
   return rows
end

local function type_row(kind)
   local names = {}
   for i, variant in ipairs(kind.variants) do names[i] = ("%d `%s`"):format(variant.number, variant.name) end
   return ("| 0x%02X | `%s` | %s | %s |"):format(kind.number, kind.name, cell(kind.doc), table.concat(names, ", "))
end

local function group_row(game, group)
   local names = {}
   for _, kind in ipairs(kart.flags.types(game)) do
      if group.mask >> kind.number & 1 == 1 then names[#names + 1] = ("`%s`"):format(kind.name) end
   end
   return ("| `%s` | %s | %s |"):format(group.name, cell(group.doc), table.concat(names, ", "))
end

--- The text of docs/flags.md.
function pages.flags()
   local lines = { FLAGS_HEAD }
   local function add(...) lines[#lines + 1] = string.format(...) end
   for _, game in ipairs(GAMES) do
      add("## %s\n\n%s\n", game[2], game[3])
      add "| bits | name | what it is |\n|---|---|---|"
      for _, row in ipairs(layout_rows(game[1])) do add("%s", row) end
      add "\n| number | type | what it does | variants |\n|---|---|---|---|"
      for _, kind in ipairs(kart.flags.types(game[1])) do add("%s", type_row(kind)) end
      local groups = kart.flags.groups(game[1])
      if #groups > 0 then
         add "\nGroups, for lookups with the option `flags`:\n\n| group | what it is | types |\n|---|---|---|"
         for _, group in ipairs(groups) do add("%s", group_row(game[1], group)) end
      end
      add ""
   end
   add "## Other games\n\nFlags of Super Mario Odyssey, of GameCube and Galaxy, of Super Mario 3D Land and of Mario"
   add "Kart 7 have no names here. They are numbers."
   return table.concat(lines, "\n") .. "\n"
end

-- --- checks -----------------------------------------------------------------------------------

local CHECKS_HEAD = [[
# Checks

<!-- Written by docs/make.lua from the rules that lua/kartlua/checks.lua lists: don't edit. -->

`kartlua check course.kmp course.kcl` looks for what would go wrong in the game, and prints it as a compiler
does: the file, the place, how bad it is, the rule, what is wrong. `doc:check()` gives the same as a list of
findings. Several files and folders may be given; a folder stands for all archives, `.kmp` and `.kcl` files in it.

| option | does |
|---|---|
| `--ignore RULE` | leaves out a rule; may be given several times |
| `--strict` | warnings count as errors |
| `--all` | shows every finding; else ten of each rule and file, and how many more there are |
| `--json` | shows every finding as a JSON object on a line of its own |
| `--explain RULE` | shows what stands below |

The objects have the keys `file`, `rule`, `severity`, `place`, `section`, `index` (from 1), `point` (of a
route, from 1), `field` and `message`; where there is nothing to say, a key is missing or its text empty.

**error**: the game freezes or crashes. **warning**: something does not behave as it should. **hint**: worth
a look. The exit code is 1 when there is an error (with `--strict`: or a warning), or a file that can't be
read.
]]

local KMP_HEAD = [[

## KMP: what is looked for

Whether a course is a battle arena is what `doc.battle` says, or `doc:check{ arena = true }` or `false`. Some rules are for races only, some for
arenas. The laps are driven along the enemy route as `kartlua laps` does it.

`doc:fix "ckpt-links"` repairs what a rule finds, where that is said below.

]]

local ASKED = { race = ", of races", arena = ", of battle arenas" }

local GROUND_HEAD = [[

## KMP: what is held against the collision

`kartlua check course.szs` does so with the KCL of the archive, and with the course.kcl beside a course.kmp. With
`--collision track.kcl`, or `doc:check{ collision = kcl }`, any document with triangles will do; `archive:check()` is
for whole courses. Of a KCL of Mario Kart Wii
and of Mario Kart 8 it is known what is ground, what a wall and where Lakitu comes; of Mario Kart DS what is ground;
where flags tell nothing, whatever faces up is ground and nothing is a wall.

Real courses were looked at for what is done by design: points of routes in the air where karts jump, checkpoints
across a gap, respawns some way above the road. None of that is found. `doc:drop(collision)` puts points
[on the ground](queries.md#points-on-the-ground).

]]

local function rule_text(rule)
   local sections = rule.sections == "" and "the whole course" or rule.sections:gsub(" ", ", ")
   return ("### %s\n\n%s, in: %s%s. %s\n\n- What to do: %s\n- How it is known: %s.\n"):format(rule.id,
      rule.severity:gsub("^%l", string.upper), sections, ASKED[rule.mode] or "", rule.reason,
      rule.remedy:gsub('doc:fix "[^"]+"', "`%0`"):gsub("doc:%l+%(%l*%)", "`%0`"), rule.source)
end

--- The text of docs/checks.md.
function pages.checks()
   local of, read = { kcl = {}, kmp = {}, agp = {} }, { kcl = {}, kmp = {}, agp = {} }
   local ground = {}
   for _, rule in ipairs(checks.rules()) do
      local list = rule.collision and ground or (rule.reading and read or of)[rule.format]
      list[#list + 1] = rule_text(rule)
   end
   return table.concat{ CHECKS_HEAD, KMP_HEAD, table.concat(of.kmp, "\n"), GROUND_HEAD,
      table.concat(ground, "\n"),
      "\n## KMP: what reading the file finds\n\nThese are in `doc.warnings`, too.\n\n", table.concat(read.kmp, "\n"),
      "\n## KCL: what is looked for\n\n", table.concat(of.kcl, "\n"),
      "\n## KCL: what reading the file finds\n\nThese are in `doc.warnings`, too.\n\n", table.concat(read.kcl, "\n"),
      "\n## AGP: what is looked for\n\n", table.concat(of.agp, "\n"),
      "\n## AGP: what reading the file finds\n\nThese are in `doc.warnings`, too.\n\n", table.concat(read.agp, "\n") }
end

return pages
