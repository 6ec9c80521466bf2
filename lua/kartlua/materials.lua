--- Materials of meshes and the flags they stand for: `mesh:tag`, `kart.mesh.parse_flags`, and how surfaces
--- are called and coloured in OBJ files.
--
-- What names say by themselves (COL_0C, ground_F0020 ...) the core reads, see src/core/mesh.h. Here are
-- those that people give flags to, and our own notation as a name.
local kart = require "kartlua.native"
local flags = require "kartlua.flags"
local fail = require "kartlua.blame" "tag"

local materials = {}

-- --- looks ------------------------------------------------------------------------------------

-- By the words of types, of every game; the first pattern that fits counts. Red, green, blue from 0 to 1.
local COLOURS = {
   { "fall", 0.10, 0.10, 0.12 }, { "out_of_bounds", 0.10, 0.10, 0.12 }, { "lakitu", 0.10, 0.10, 0.12 },
   { "invisible", 0.75, 0.85, 0.95 }, { "half_pipe", 0.30, 0.55, 0.80 }, { "wall", 0.85, 0.55, 0.25 },
   { "heavy_off_road", 0.25, 0.40, 0.15 }, { "weak_off_road", 0.60, 0.70, 0.35 }, { "off_road", 0.40, 0.55, 0.20 },
   { "boost", 1.00, 0.60, 0.10 }, { "dash", 1.00, 0.60, 0.10 }, { "jump", 0.95, 0.80, 0.15 },
   { "cannon", 0.85, 0.15, 0.15 }, { "glider", 0.95, 0.80, 0.15 }, { "gravity", 0.45, 0.35, 0.80 },
   { "sticky", 0.45, 0.35, 0.80 }, { "loop", 0.45, 0.35, 0.80 }, { "slippery", 0.60, 0.80, 0.90 },
   { "water", 0.20, 0.45, 0.80 }, { "pull", 0.20, 0.45, 0.80 }, { "moving", 0.55, 0.45, 0.65 },
   { "sand", 0.85, 0.78, 0.50 }, { "item", 0.70, 0.50, 0.70 }, { "road", 0.55, 0.55, 0.58 },
   { "trigger", 0.80, 0.20, 0.60 }, { "recalculation", 0.80, 0.20, 0.60 }, { "modifier", 0.80, 0.20, 0.60 },
   { "grass", 0.40, 0.60, 0.25 }, { "dirt", 0.55, 0.42, 0.28 }, { "wood", 0.65, 0.45, 0.25 },
   { "metal", 0.60, 0.65, 0.70 }, { "tile", 0.75, 0.65, 0.60 },
}
local PLAIN = { nil, 0.60, 0.60, 0.60 } -- everything else

--- How a flag is called at the beginning of a material's name, and its colour: "road_dirt", red, green,
--- blue. For the core, which adds the number.
function materials.surface(flag, game)
   local kind = flags.fields(flag, game).type
   if not kind then return "surface", table.unpack(PLAIN, 2, 4) end
   local look = PLAIN
   for _, row in ipairs(COLOURS) do
      if kind:find(row[1], 1, true) then
         look = row
         break
      end
   end
   return (flags.format(flag, game):match("^[^+]*"):gsub("/", "_")), table.unpack(look, 2, 4)
end

-- How a flag's number ends the name of a material.
local function number_of(flag) return (flag > 0xFFFF and "_F%08X" or "_F%04X"):format(flag) end

--- The same mesh with an object for each flag, called as its material will be.
function materials.by_surface(mesh)
   local whole = mesh:select{}
   for _, piece in ipairs(assert(mesh:split())) do
      local flag = piece.triangles[1].flag
      piece:set_part(materials.surface(flag, mesh.game) .. number_of(flag))
      assert(whole:merge(piece))
      piece:close()
   end
   return whole
end

-- --- names to flags ---------------------------------------------------------------------------

-- A whole flag: a number or a word.
local function read(value, game)
   if math.type(value) == "integer" and value >= 0 and value <= flags.most(game) then return value end
   if type(value) ~= "string" then
      return nil, ("expected the name or number of a flag, got %s"):format(value)
   end
   return flags.parse(value, game)
end

-- A name in which * stands for any letters, as a pattern; nil if there is no * in it.
local function pattern(name)
   if not name:find("*", 1, true) then return nil end
   return "^" .. name:lower():gsub("%p", "%%%0"):gsub("%%%*", ".*") .. "$"
end

-- Gives for a name its flag, or nil. Exact names count before those with *, longer ones of these before
-- shorter ones.
local function by_table(spec, game)
   local exact, loose = {}, {}
   for name, value in pairs(spec) do
      if type(name) ~= "string" then fail("expected the name of a material, got %s", name) end
      local flag, problem = read(value, game)
      if not flag then fail("%s: %s", name, problem) end
      local like, lower = pattern(name), name:lower()
      if like then
         loose[#loose + 1] = { name = lower, like = like, flag = flag }
      elseif exact[lower] and exact[lower] ~= flag then
         fail("'%s' has two flags: upper and lower case are the same", lower)
      else
         exact[lower] = flag
      end
   end
   table.sort(loose, function(a, b)
      if #a.name ~= #b.name then return #a.name > #b.name end
      return a.name < b.name
   end)
   return function(name)
      name = name:lower()
      if exact[name] then return exact[name] end
      for _, row in ipairs(loose) do
         if name:find(row.like) then return row.flag end
      end
   end
end

local function by_function(choose, game)
   return function(name, flag)
      local new = choose(name, flag)
      if new == nil then return nil end
      local found, problem = read(new, game)
      return found or fail("the function's answer to '%s': %s", name, problem)
   end
end

--- The work of `mesh:tag`: flags by materials. Gives how many triangles got another flag, and the
--- materials whose flag still isn't known: { { name =, triangles = } ... }.
function materials.tag(mesh, spec)
   local choose
   if type(spec) == "table" then
      choose = by_table(spec, mesh.game)
   elseif type(spec) == "function" then
      choose = by_function(spec, mesh.game)
   else
      fail("expected a table of names or a function, got %s", type(spec))
   end
   local map = {}
   for _, row in ipairs(mesh.materials) do map[row.name] = choose(row.name, row.flag) end
   return mesh:map_materials(map), materials.unknown(mesh)
end

--- The materials of triangles whose flag isn't known.
function materials.unknown(mesh)
   local list = {}
   for _, row in ipairs(mesh.materials) do
      if row.unflagged > 0 then list[#list + 1] = { name = row.name, triangles = row.unflagged } end
   end
   return list
end

--- Materials that are called by our notation ("road/dirt+trickable"), as far as their names say nothing
--- else. A number that a modelling program put behind a copy (.001) isn't looked at.
function materials.resolve(mesh)
   local map = {}
   for _, row in ipairs(mesh.materials) do
      if row.unflagged == row.triangles then
         map[row.name] = flags.parse(row.name:gsub("%.%d%d%d+$", ""), mesh.game)
      end
   end
   if next(map) then mesh:map_materials(map) end
end

--- A text of "name = flag" lines as a table for `mesh:tag`. nil, message and code if it can't be read.
function materials.parse_flags(text, game)
   local pairs_of, problem, code = kart.mesh.pairs(text)
   if not pairs_of then return nil, problem, code end
   local spec, lines = {}, {}
   for _, row in ipairs(pairs_of) do
      local lower = row.name:lower()
      local flag, why = flags.parse(row.value, game)
      if lines[lower] then why = ("stands in line %d, too: upper and lower case are the same"):format(lines[lower]) end
      if why then return nil, ("line %d: %s: %s"):format(row.line, row.name, why), "format" end
      spec[row.name], lines[lower] = flag, row.line
   end
   return spec
end

return materials
