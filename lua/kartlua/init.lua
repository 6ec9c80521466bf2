-- The module `kartlua`: the native face, and what is easier said in Lua.
local kart = require "kartlua.native"

-- Make a new document from tables; see lua/meta/kmp.lua.
function kart.kmp.new(spec)
   return require "kartlua.kmp_new" (spec)
end

-- Flags of collision as words; see lua/meta/kcl.lua. Loaded by the first call: most scripts don't need
-- them, and the program should start at once.
kart.flags = {}
for _, name in ipairs{ "parse", "format", "describe", "fields", "mask", "types", "modifiers", "groups" } do
   kart.flags[name] = function(...) return require("kartlua.flags")[name](...) end
end

-- The flags of materials from a text; see lua/meta/mesh.lua.
function kart.mesh.parse_flags(text, game)
   return require("kartlua.materials").parse_flags(text, game)
end

-- Collision of one game as that of another one; see lua/meta/convert.lua.
function kart.convert(doc, game, options)
   return require("kartlua.convert").run(doc, game, options)
end

return kart
