-- What the KCL specs share.

local support = require "spec.support"

local tools = {}

local samples

local function sample_list()
   if not samples then
      samples = { { name = "race", make = require "samples.kcl_race" } }
      for _, sample in ipairs(require "samples.kcl_variants") do samples[#samples + 1] = sample end
   end
   return samples
end

--- The bytes of samples/make.lua's NAME.kcl or kcl/NAME.kcl.
function tools.bytes(name)
   for _, sample in ipairs(sample_list()) do
      if sample.name == name then
         sample.bytes = sample.bytes or sample.make()
         return sample.bytes
      end
   end
   error("no sample " .. name)
end

--- A sample as an open document.
function tools.open(name) return assert(kart.kcl.parse(tools.bytes(name))) end

--- The names of all samples that open.
function tools.names()
   local names = {}
   for i, sample in ipairs(sample_list()) do names[i] = sample.name end
   return names
end

--- Real files of the folders named, or of all: { name =, folder =, path = }.
function tools.corpus(...)
   local list = {}
   for _, folder in ipairs(select("#", ...) > 0 and { ... }
      or { "kcl-mkw", "kcl-other", "kcl-v2-be", "kcl-v2-le", "kcl-v2-multi" }) do
      for _, path in ipairs(support.corpus(folder, "kcl")) do
         list[#list + 1] = { name = path:match "[^/]+$", folder = folder, path = path }
      end
   end
   return list
end

--- Is there a finding of that rule? Gives the first one.
function tools.finding(list, rule)
   for _, finding in ipairs(list) do
      if finding.rule == rule then return finding end
   end
end

--- The place of the first byte that differs, from 0, or nil; and how many differ.
function tools.differences(a, b)
   local first, count = nil, math.abs(#a - #b)
   if a == b then return nil, 0 end
   for i = 1, math.min(#a, #b) do
      if a:byte(i) ~= b:byte(i) then
         first = first or i - 1
         count = count + 1
      end
   end
   return first, count
end

--- A file of prisms that are no triangles: once it was moved so that numbers had to be rounded, it is stale, and no
--- octree can be built.
function tools.unbuildable()
   local bytes = tools.bytes "mkw"
   local first, last = string.unpack(">I4", bytes, 5), string.unpack(">I4", bytes, 9) + 16
   return bytes:sub(1, first) .. ("\0"):rep(last - first) .. bytes:sub(last + 1)
end

--- What makes it stale.
tools.rounding = { 0.1, 0, 0 }

--- Calls work(...), which is mostly plain Lua, with a collector at rest: one that never rests
--- finds nothing there, and takes minutes.
function tools.calm(work, ...)
   local hook, mask, count = debug.gethook()
   local pause, multiplier = collectgarbage("setpause", 200), collectgarbage("setstepmul", 100)
   debug.sethook()
   local results = table.pack(pcall(work, ...))
   debug.sethook(hook, mask, count)
   collectgarbage("setpause", pause)
   collectgarbage("setstepmul", multiplier)
   if not results[1] then error(results[2], 0) end
   return table.unpack(results, 2, results.n)
end

return tools
