-- Runs the specs inside the program itself: build/release/kartlua spec/run.lua [busted's options] [FILE...]
-- Debian's own `busted` command may start another Lua, which couldn't load our module's C side.
-- KARTLUA_GC=stress runs them under a collector that never rests.

package.path = "./?.lua;./lua/?.lua;./lua/?/init.lua;" .. package.path
arg[0] = "spec/run.lua"
table.insert(arg, 1, "--ignore-lua") -- .busted names this program: don't start it again

-- KARTLUA_PART=2/3: every third file, from the second on, so that several programs can share them.
local part, parts = (os.getenv "KARTLUA_PART" or ""):match "^(%d+)/(%d+)$"
if part then
   local lfs, files = require "lfs", {}
   local function walk(folder)
      for name in lfs.dir(folder) do
         local path = folder .. "/" .. name
         if name:find "_spec%.lua$" then
            files[#files + 1] = path
         elseif not name:find "^%." and lfs.attributes(path, "mode") == "directory" then
            walk(path)
         end
      end
   end
   walk "spec"
   table.sort(files)
   for i = tonumber(part), #files, tonumber(parts) do arg[#arg + 1] = files[i] end
end

local runner = require "busted.runner"

if os.getenv "KARTLUA_GC" == "stress" then
   -- A new cycle begins as soon as one ends, and a step is made for every 64 bytes allocated. Every
   -- 20,000 instructions all that is unreachable goes at once.
   collectgarbage("incremental", 1, 200, 6)
   debug.sethook(function() collectgarbage() end, "", 20000)
end

runner { standalone = false } -- leaves with exit code 1 when anything failed
