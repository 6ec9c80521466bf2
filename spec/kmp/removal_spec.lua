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

-- What may turn up beside the users, as there is one record less: a finding of this rule, if the function
-- says so. `gone` has the removed `record`, what it `named` by place, its `points` and, of groups, what they lead
-- to, `behind`, by place, all as it was before; `at` is the place of the finding's record.
local function named(gone, at) return gone.named[at] end
local function of_group(gone, at) return gone.behind[at] end

-- Is there a point of a type for which `test` is true among the removed ones?
local function has_type(test)
   return function(gone)
      for _, point in ipairs(gone.points) do
         if test(point.type) then return true end
      end
   end
end
local has_line = has_type(function(kind) return kind == 0 end)

local CONSEQUENCES = {
   gobj = { ["route-unused"] = named, ["area-boo"] = function(gone) return gone.record.id & 0xFFF == 396 end },
   area = { ["route-unused"] = named, ["area-boo"] = function(gone) return gone.record.type == 7 end },
   came = { ["route-unused"] = named, ["camera-goal"] = function(gone) return gone.record.type == 0 end },
   -- A way that ends, a lap that can't be driven.
   ckph = {
      ["group-unreached"] = of_group, ["ckpt-branches"] = of_group,
      ["key-order"] = has_type(function(kind) return kind > 0 end),
      ["lap-line-none"] = has_line,
      ["lap-line-first"] = function(gone) return has_line(gone) or gone.record.index == 1 end,
      ["ckpt-none"] = function(gone) return gone.all end,
      -- Karts start at the line, or before it.
      ["start-outside"] = function(gone) return has_line(gone) or gone.before_line end,
      -- The drive goes through all groups that it came through.
      ["ckpt-dead"] = function(gone) return gone.driven end,
      ["key-skipped"] = function(gone) return gone.driven end,
      ["laps-incomplete"] = function(gone) return gone.driven end,
      ["laps-jump"] = function(gone) return gone.driven end,
   },
}

-- The groups to which a way leads from this one, and their points, by place.
local function behind(doc, groups, group)
   local places, waiting = {}, { group }
   while #waiting > 0 do
      local from = table.remove(waiting)
      for slot = 1, 6 do
         local to = from:target("next", slot)
         if to and not places[tostring(to)] then
            places[tostring(to)] = true
            for _, point in ipairs(references.points(doc, to, groups)) do places[tostring(point)] = true end
            waiting[#waiting + 1] = to
         end
      end
   end
   return places
end

-- Does the drive come by one of the points?
local function drive_through(doc, points)
   local drive, own = doc:simulate_laps{ laps = 8 }, {}
   for _, point in ipairs(points) do own[point.index] = true end
   for _, event in ipairs(drive and drive.events or {}) do
      if own[event.checkpoint] then return true end
   end
   return not drive
end

-- Does the group lead to the lap line?
local function leads_to_line(doc, group)
   for slot = 1, 6 do
      local next_group = group:target("next", slot)
      if next_group and next_group.length > 0 and doc.ckpt[next_group.start].type == 0 then return true end
   end
end

local function about(doc, list, section, record, points)
   local gone = { record = record, points = points, named = {} }
   for _, reference in ipairs(list.of[tostring(record)] or {}) do
      if reference.target then gone.named[tostring(reference.target)] = true end
   end
   if section == "ckph" then
      gone.behind, gone.all = behind(doc, section, record), #points == #doc.ckpt
      gone.driven, gone.before_line = drive_through(doc, points), leads_to_line(doc, record)
   end
   return gone
end

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
   local points = POINTS[section] and references.points(doc, record, section) or {}
   local first, count = POINTS[section] and record.start, #points
   local users = users_of(list, table.move(points, 1, count, 2, { record }))
   local gone = about(doc, list, section, record, points)
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
      if not before[place] and not users[entry.owner] and not (allowed and allowed(gone, entry.owner)) then
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
