-- kart.kmp.new: a document from plain tables, one list of records per section.
local kart = require "kartlua.native"

-- Version of the game's own files. MK7: of the one known file.
local versions = { mkw = 2520, mk7 = 3100 }

-- Keys of the specification that are no sections.
local settings = { game = true, version = true }

local function fill(record, fields, skip)
   for name, value in pairs(fields) do
      if name ~= skip then record[name] = value end
   end
end

local function counts_of(spec)
   local counts, lengths = {}, {}
   for name, list in pairs(spec) do
      if not settings[name] then
         if type(list) ~= "table" then
            error(("%s: expected a list of records, got %s"):format(name, type(list)), 0)
         end
         counts[name] = #list
      end
   end
   for i, route in ipairs(spec.poti or {}) do lengths[i] = #(route.points or {}) end
   return counts, lengths
end

local function build(spec)
   local game = spec.game or "mkw"
   local counts, lengths = counts_of(spec)
   local doc = assert(kart.kmp.blank(game, spec.version or versions[game] or 0, counts, lengths))
   for name in pairs(counts) do
      local section = doc[name]
      for i, fields in ipairs(spec[name]) do fill(section[i], fields, name == "poti" and "points") end
      -- What isn't in the list is of the section itself: came = { opening = 1, { ... } }.
      for key, value in pairs(spec[name]) do
         if type(key) == "string" then section[key] = value end
      end
   end
   for i, route in ipairs(spec.poti or {}) do
      for j, fields in ipairs(route.points or {}) do fill(doc.poti[i].points[j], fields) end
   end
   return doc
end

return function(spec)
   local ok, result = pcall(build, spec)
   if ok then return result end
   -- The place to look at is the caller's, not a line in here.
   local text = tostring(result):gsub("^[^:]*kmp_new%.lua:%d+: ", "")
   error("kart.kmp.new: " .. text, 3)
end
