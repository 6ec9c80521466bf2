-- Removing single records from whole courses: nothing breaks but what used them; and what is inserted
-- again gives the file's bytes back.
local references = require "spec.kmp.references"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

local POINTS = { enph = "enpt", itph = "itpt", ckph = "ckpt" }
local GROUPS = { enpt = "enph", itpt = "itph", ckpt = "ckph" }

local courses = { { name = "race", bytes = tools.bytes "race" }, { name = "arena", bytes = tools.bytes "arena" } }
for _, path in ipairs(support.corpus("kmp", "kmp")) do
   courses[#courses + 1] = { name = path:match "[^/]+$", bytes = support.read(path) }
end

-- The references of a document, also by the place of their holder and of their target.
local function indexed(doc)
   local list = references.list(doc)
   list.of, list.to = {}, {}
   for _, reference in ipairs(list) do
      local header = kart.type(reference.holder) == "section"
      local holder = header and reference.holder.name or tostring(reference.holder)
      reference.of = not header and holder:match "^%l+" or nil
      list.of[holder] = list.of[holder] or {}
      table.insert(list.of[holder], reference)
      if reference.target then
         local target = tostring(reference.target)
         list.to[target] = list.to[target] or {}
         table.insert(list.to[target], reference)
      end
   end
   return list
end

-- --- findings ---------------------------------------------------------------------------------

-- What may turn up elsewhere, as there is one record less: the thing that it used and nobody else does;
-- areas and objects that need each other; counts of cameras.
local CONSEQUENCES = {
   gobj = { ["route-unused"] = true, ["area-boo"] = true },
   area = { ["route-unused"] = true, ["area-boo"] = true },
   came = { ["route-unused"] = true, ["camera-goal"] = true },
   -- A way that ends, a lap that can't be driven.
   ckph = { ["group-unreached"] = true, ["group-next"] = true, ["ckpt-branches"] = true, ["ckpt-dead"] = true,
      ["ckpt-none"] = true, ["key-order"] = true, ["key-skipped"] = true, ["lap-line-none"] = true,
      ["lap-line-first"] = true, ["laps-incomplete"] = true, ["laps-jump"] = true, ["start-outside"] = true },
}

-- The places of findings as texts, with indices as they are before the removal. `moved(section, index)`
-- gives the index of then.
local function places(findings, moved)
   local set = {}
   for _, finding in ipairs(findings) do
      local index = finding.index and moved(finding.section, finding.index)
      set[("%s %s[%s][%s].%s"):format(finding.rule, finding.section, index or "", finding.point or "", finding.field)] =
         { finding = finding, owner = ("%s[%s]"):format(finding.section, index or "") }
   end
   return set
end

local function same(_, index) return index end

-- The records that name this one, or a point of this group: { ["gobj[3]"] = true }.
local function users_of(list, records)
   local users = {}
   for _, record in ipairs(records) do
      for _, reference in ipairs(list.to[tostring(record)] or {}) do
         local holder = reference.holder
         users[kart.type(holder) == "section" and holder.name .. "[]" or tostring(holder)] = true
      end
   end
   return users
end

local function unexpected(doc, list, before, section, index)
   local record = doc[section][index]
   local gone, first, count = { record }, nil, 0
   if POINTS[section] then
      gone = references.points(doc, record, section)
      first, count = record.start, #gone
      gone[#gone + 1] = record
   end
   local users = users_of(list, gone)
   local edited <close> = doc:clone()
   edited[section]:remove(index)
   local after = places(assert(edited:check()), function(name, now)
      if name == section then return now >= index and now + 1 or now end
      if name == POINTS[section] then return now >= first and now + count or now end
      return now
   end)
   local found = {}
   for place, entry in pairs(after) do
      local allowed = CONSEQUENCES[section] and CONSEQUENCES[section][entry.finding.rule]
      if not before[place] and not users[entry.owner] and not allowed then
         found[#found + 1] = ("%s[%d] removed: %s: %s"):format(section, index, entry.finding.rule,
            tostring(entry.finding))
      end
   end
   return found
end

for _, course in ipairs(courses) do
   describe("removing from " .. course.name, function()
      for _, section in ipairs{ "poti", "jgpt", "came", "area", "gobj", "ckph" } do
         it(("any record of %s concerns only its users"):format(section), function()
            local doc = assert(kart.kmp.parse(course.bytes))
            local list, before = indexed(doc), places(assert(doc:check()), same)
            for i = 1, #doc[section] do assert.same({}, unexpected(doc, list, before, section, i)) end
         end)
      end
   end)
end

-- --- and back again ---------------------------------------------------------------------------

-- A copy of what a list holds, with its holes.
local function copied(values)
   local copy = {}
   for i = 1, #values do copy[i] = values[i] end
   return copy
end

-- All that a record holds, as a table to insert.
local function contents(record, skip)
   local fields = {}
   for name, value in pairs(record) do
      if not skip[name] then fields[name] = kart.type(value) == "values" and copied(value) or value end
   end
   return fields
end

local OF_GROUPS, OF_ROUTES = { start = true, length = true }, { length = true }

-- What is needed to bring back the record at `index`: { fields =, points =, users = }.
local function remembered(doc, list, section, index)
   local record = doc[section][index]
   local kept = { fields = contents(record, POINTS[section] and OF_GROUPS or section == "poti" and OF_ROUTES or {}),
      users = {} }
   local gone = { record }
   if section == "poti" then
      kept.fields.points = {}
      for i, point in ipairs(record.points) do kept.fields.points[i] = contents(point, {}) end
   elseif POINTS[section] then
      kept.points = {}
      for i, point in ipairs(references.points(doc, record, section)) do
         kept.points[i] = contents(point, {})
         gone[#gone + 1] = point
      end
   end
   local own = {}
   for _, other in ipairs(gone) do own[tostring(other)] = true end
   for i, target in ipairs(gone) do
      for _, reference in ipairs(list.to[tostring(target)] or {}) do
         if not own[tostring(reference.holder)] then
            kept.users[#kept.users + 1] = { reference = reference, point = i > 1 and i - 1 or nil }
         end
      end
   end
   return kept
end

-- The same reference in a copy of the document.
local function in_copy(reference, doc)
   local twin = {}
   for key, value in pairs(reference) do twin[key] = value end
   local holder = reference.holder
   twin.holder = kart.type(holder) == "section" and doc[holder.name] or doc[reference.of][holder.index]
   return twin
end

-- The group that holds a point; nil if none or several do, or if it has no other point.
local function group_of(doc, section, index)
   local found
   for _, group in ipairs(doc[GROUPS[section]]) do
      if index >= group.start and index < group.start + group.length then
         if found or group.length < 2 then return nil end
         found = group
      end
   end
   return found
end

local function bring_back(doc, section, index, kept, group)
   local record = doc[section]:insert(kept.fields, { at = index, group = group })
   local points = {}
   for i, fields in ipairs(kept.points or {}) do
      -- Links to points that aren't there yet come later.
      local now = contents(fields, section == "ckph" and { prev = true, next = true } or {})
      points[i] = doc[POINTS[section]]:insert(now, { group = record })
   end
   for i, fields in ipairs(kept.points or {}) do
      if section == "ckph" then points[i].prev, points[i].next = fields.prev, fields.next end
   end
   for _, user in ipairs(kept.users) do
      references.set(in_copy(user.reference, doc), user.point and points[user.point] or record)
   end
end

for _, course in ipairs(courses) do
   it("removed from and put back into " .. course.name .. ", any record gives the same bytes", function()
      local doc = assert(kart.kmp.parse(course.bytes))
      local count, skipped, list = 0, 0, indexed(doc)
      for section, records in pairs(doc) do
         for index = 1, #records do
            local kept = remembered(doc, list, section, index)
            local group = GROUPS[section] and group_of(doc, section, index)
            -- References that name nothing can't be assigned.
            local lost = GROUPS[section] and not group
            for _, reference in ipairs(list.of[tostring(records[index])] or {}) do
               lost = lost or reference.number and not reference.target and not reference.hidden
            end
            if lost then
               skipped = skipped + 1
            else
               count = count + 1
               local edited = doc:clone()
               edited[section]:remove(index)
               bring_back(edited, section, index, kept, group and group.index)
               assert.is_true(edited:bytes() == course.bytes, ("%s[%d]"):format(section, index))
               edited:close()
            end
         end
      end
      assert.truthy(count > 10 * skipped, ("%d records, %d skipped"):format(count, skipped))
   end)
end
