-- The module `kartlua`: the native face, and what is easier said in Lua.
local kart = require "kartlua.native"

-- Make a new document from tables; see lua/meta/kmp.lua.
function kart.kmp.new(spec)
   return require "kartlua.kmp_new" (spec)
end

return kart
