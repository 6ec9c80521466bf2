-- Compares two courses by meaning: what was added, removed, changed or moved to another place. Records are
-- found again by what they hold, so a new object in front of all others is one line and not a thousand,
-- and a reference that names the same route by its new number is no difference.
--
--    kartlua diff course.kmp edited.kmp
--    kartlua diff --all course.kmp edited.kmp                    every line
--    kartlua diff --json course.kmp edited.kmp >changes.json     a record a line, for other programs
--
-- Output:
--    course.kmp -> edited.kmp
--      gobj[12] (itembox): position (1, 2, 3) -> (1, 2, 5), 2 units
--      gobj[20] -> gobj[4] (sun): moved
--      gobj[52] (woodbox): added, at (0, 50, 0)
--      poti[3].points[2]: speed 30 -> 45
--      poti[5]: removed, 4 points
--      came: opening came[5] -> came[2]
--      1 added, 3 changed, 1 removed, 1 moved
--
-- The exit code is 0 if there is no difference, 1 if there is one, 2 for trouble. Bytes that mean nothing,
-- as those behind the last section, are no difference; they are mentioned where there is no other.

local compare = require "kartlua.compare"
local recipe = require "kartlua.recipe"

local SHOWN = 20 -- lines of one section, unless all are asked for

local FIELDS = { "section", "kind", "old_index", "new_index", "old_point", "new_point", "title", "field", "old", "new",
   "distance", "note" }

local function place(section, index, point)
   local text = index and ("%s[%d]"):format(section, index) or section
   return point and ("%s.points[%d]"):format(text, point) or text
end

-- Where it is: in one of the documents, or in both.
local function places(entry)
   local old = place(entry.section, entry.old_index, entry.old_point)
   local new = place(entry.section, entry.new_index, entry.new_point)
   if entry.kind == "removed" then new = old elseif entry.kind == "added" then old = new end
   local text = old == new and old or ("%s -> %s"):format(old, new)
   return entry.title and ("%s (%s)"):format(text, entry.title) or text
end

local function line(entry)
   if entry.whole then return ("%s: section %s"):format(entry.section, entry.kind) end
   if entry.kind ~= "changed" then
      local what = entry.field and entry.field .. " " .. entry.kind or entry.kind
      return ("%s: %s%s"):format(places(entry), what, entry.note and ", " .. entry.note or "")
   end
   local apart = entry.distance and (entry.distance < 1000 and ", %.4g units" or ", %.0f units"):format(entry.distance)
      or ""
   return ("%s: %s %s -> %s%s"):format(places(entry), entry.field, entry.old, entry.new, apart)
end

local function show(differences, most)
   local shown = {}
   for i, entry in ipairs(differences) do
      local section = entry.section
      shown[section] = (shown[section] or 0) + 1
      if shown[section] <= most then print("  " .. line(entry)) end
      local next_one = differences[i + 1]
      if shown[section] > most and not (next_one and next_one.section == section) then
         print(("  %s: %d more, --all shows them"):format(section, shown[section] - most))
      end
   end
end

local function tally(differences)
   local counts, parts = {}, {}
   for _, entry in ipairs(differences) do counts[entry.kind] = (counts[entry.kind] or 0) + 1 end
   for _, kind in ipairs{ "added", "changed", "removed", "moved" } do
      if counts[kind] then parts[#parts + 1] = ("%d %s"):format(counts[kind], kind) end
   end
   return #parts > 0 and table.concat(parts, ", ") or "no difference"
end

return recipe{
   summary = "Compares two courses by meaning.",
   saves = false,
   inputs = { "course", "edited" },
   options = {
      { name = "all", type = "flag", help = ("show all lines, not only %d of each section"):format(SHOWN) },
      { name = "json", type = "flag", help = "all differences as JSON, one a line" },
   },
   example = "kartlua diff course.kmp course.kmp",
   run = function(documents, options, jobs)
      local differences, problem = compare(documents[1], documents[2])
      if not differences then return nil, problem end
      if options.json then
         local json = require "kartlua.json"
         for _, entry in ipairs(differences) do print(json(entry, FIELDS)) end
      else
         print(("%s -> %s"):format(jobs[1].input, jobs[2].input))
         show(differences, options.all and math.huge or SHOWN)
         local as_bytes = #differences == 0 and documents[1]:bytes() ~= documents[2]:bytes()
         print("  " .. tally(differences) .. (as_bytes and ", but other bytes" or ""))
      end
      return #differences > 0 and 1 or 0
   end,
}
