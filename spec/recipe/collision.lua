-- Small collision files for the specs of the command: a row of squares of 100 units, or of what makes
-- a file odd.
local kclfile = require "samples.kclfile"
local kclshapes = require "samples.kclshapes"

local collision = {}

local function build(game, triangles, changes)
   local spec = { game = game, triangles = triangles, cell = 9, most = 8, least = 7 }
   for name, value in pairs(changes or {}) do spec[name] = value end
   return kclfile.build(spec)
end

-- A square from (at, 0, 0) on, seen from above: two triangles.
local function square(list, at, flag)
   local x = at * 128.0
   kclshapes.quad(list, { x, 0.0, 0.0 }, { x, 0.0, 128.0 }, { x + 128, 0.0, 128.0 }, { x + 128, 0.0, 0.0 }, flag)
end

--- The bytes of a file with a square for each flag, so that each flag is that of two prisms.
function collision.row(flags, game, changes)
   local list = {}
   for i, flag in ipairs(flags) do square(list, i - 1, flag) end
   return build(game or "mkw", list, changes)
end

--- Roads whose faces look down, so many of them, and one triangle that stands twice.
function collision.odd(count)
   local list = {}
   for i = 1, count do
      local x = i * 128.0
      list[i] = { { x, 0.0, 0.0 }, { x + 128, 0.0, 0.0 }, { x, 0.0, 128.0 }, flag = 0 }
   end
   square(list, -2, 0x0C)
   list[#list + 1] = list[#list]
   return build("mkw", list)
end

return collision
