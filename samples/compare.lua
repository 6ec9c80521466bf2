-- What differs between two versions of a course: for each section the number of records that differ,
-- and the fields of the first one.
--
--    kartlua samples/compare.lua before.kmp after.kmp

local columns = require "kartlua.columns"

local before, after = assert(kart.open(arg[1])), assert(kart.open(arg[2]))

-- The records of a section; those of routes with their points.
local function records(course, name)
   local list = {}
   for _, record in ipairs(course[name]) do
      list[#list + 1] = record
      if name == "poti" then
         for _, point in ipairs(record.points) do list[#list + 1] = point end
      end
   end
   return list
end

-- A row for each field that differs, sorted by name.
local function differences(old, new)
   local rows = {}
   for field, value in pairs(old) do
      local was, is = tostring(value), tostring(new[field])
      if was ~= is then rows[#rows + 1] = { "  " .. field, was, "->", is } end
   end
   table.sort(rows, function(a, b) return a[1] < b[1] end)
   return rows
end

local rows = {}
for _, section in ipairs(before:sections()) do
   local old = section.known and records(before, section.name) or {}
   local new = section.known and records(after, section.name) or {}
   local first, title, count = nil, nil, 0
   for i, record in ipairs(old) do
      local found = differences(record, new[i])
      if #found > 0 then
         count = count + 1
         first, title = first or found, title or tostring(record)
      end
   end
   if first then
      rows[#rows + 1] = { title, ("%d of %d changed:"):format(count, #old) }
      table.move(first, 1, #first, #rows + 1, rows)
   end
end
for _, line in ipairs(columns(rows, "llll")) do print(line) end
