-- Who names whom in a document, by records and not by numbers: written from the format's description,
-- so that what editing does to references can be checked against it.
local tools = require "spec.kmp.tools"

local references = {}

local POINTS = { enph = "enpt", itph = "itpt", ckph = "ckpt" }

-- Settings that are a route, and those that are a point of the object's route, by object. [E]
local ROUTE_SETTING = { [234] = 1, [420] = 1 }
local POINT_SETTING = { [201] = 5, [208] = 1, [209] = 1, [222] = 1, [216] = 2 }
local FALL_BOUNDARY = 10
local NONE = 0xFFFF -- of hidden references

--- Is the record still there?
function references.alive(record) return (pcall(function() return record.index end)) end

-- A reference: { holder =, field =, slot =, hidden =, target = a record or nil, raw = }. The holder is a
-- record, or a section for what stands in its header.
local function add_fields(list, doc, holder, fields, record)
   for _, field in ipairs(fields) do
      local applies = not field.when or not record or record[field.when] == field.when_value
      if field.meaning == "reference" and field.name ~= "start" and applies then
         for slot = 1, field.count do
            local number, target
            if record then
               number = field.count > 1 and record[field.name][slot] or field.count == 1 and record[field.name] or nil
               target = record:target(field.name, slot)
            else
               number = holder[field.name]
               target = number and doc[field.target][number]
            end
            list[#list + 1] = { holder = holder, field = field.name, slot = field.count > 1 and slot or nil,
               number = number, target = target, section = field.target }
         end
      end
   end
end

local function add_hidden(list, holder, field, slot, among, section)
   local raw = slot and holder[field][slot] or holder[field]
   list[#list + 1] = { holder = holder, field = field, slot = slot, hidden = true, number = raw, among = among,
      target = raw ~= NONE and among[raw + 1] or nil, section = section }
end

--- All references of a document, but for the first points of groups.
function references.list(doc)
   local list, layouts = {}, tools.layouts(doc)
   for name, section in pairs(doc) do
      add_fields(list, doc, section, layouts[name].header)
      for _, record in ipairs(section) do add_fields(list, doc, record, layouts[name].fields, record) end
   end
   for _, object in ipairs(doc.gobj or {}) do
      local id = object.id & 0xFFF
      if ROUTE_SETTING[id] then add_hidden(list, object, "settings", ROUTE_SETTING[id], doc.poti, "poti") end
      local route = POINT_SETTING[id] and object:target "route"
      if route then add_hidden(list, object, "settings", POINT_SETTING[id], route.points, "points") end
   end
   for _, area in ipairs(doc.area or {}) do
      if area.type == FALL_BOUNDARY and (area.setting_1 ~= 0 or area.setting_2 ~= 0) then
         add_hidden(list, area, "setting_1", nil, doc.ckpt, "ckpt")
         add_hidden(list, area, "setting_2", nil, doc.ckpt, "ckpt")
      end
   end
   return list
end

--- What a reference names now: a record or nil; and its number as it reads.
function references.now(doc, reference)
   local holder, field, slot = reference.holder, reference.field, reference.slot
   if reference.hidden then
      local raw = slot and holder[field][slot] or holder[field]
      return raw ~= NONE and reference.among[raw + 1] or nil, raw
   end
   if kart.type(holder) == "section" then
      local number = holder[field]
      return number and doc[reference.section][number], number
   end
   return holder:target(field, slot or 1), slot and holder[field][slot] or not slot and holder[field] or nil
end

--- Let it name a record again.
function references.set(reference, target)
   local holder, field, slot = reference.holder, reference.field, reference.slot
   local value = reference.hidden and target.index - 1 or target
   if slot then holder[field][slot] = value else holder[field] = value end
end

--- The references that name the record.
function references.to(doc, record)
   local list = {}
   for _, reference in ipairs(references.list(doc)) do
      if reference.target == record then list[#list + 1] = reference end
   end
   return list
end

--- The points of a group, as records.
function references.points(doc, group, groups)
   local list, section = {}, doc[POINTS[groups]]
   for i = group.start, math.min(group.start + group.length - 1, #section) do list[#list + 1] = section[i] end
   return list
end

--- What a document is now, to be compared with what an edit made of it.
function references.snapshot(doc)
   local snapshot = { list = references.list(doc), groups = {}, orders = {} }
   for name, section in pairs(doc) do
      local order = {}
      for i, record in ipairs(section) do order[i] = record end
      snapshot.orders[name] = order
      if POINTS[name] then
         for _, group in ipairs(section) do
            snapshot.groups[#snapshot.groups + 1] = { group = group, section = name,
               points = references.points(doc, group, name) }
         end
      end
   end
   return snapshot
end

local function is_link(reference) return reference.section == "ckpt" and not reference.hidden end

local function text(reference)
   return ("%s.%s%s"):format(tostring(reference.holder), reference.field,
      reference.slot and ("[%d]"):format(reference.slot) or "")
end

--- What is wrong after an edit, as a list of texts: references that name another record than before, or
--- a removed one; groups with other points. Links of checkpoints follow the order of their group and are
--- left out; so are the references that `skip` is true for.
function references.wrong(doc, before, skip)
   local list = {}
   for _, reference in ipairs(before.list) do
      local lives = kart.type(reference.holder) == "section" or references.alive(reference.holder)
      local of_route = reference.hidden and reference.section == "points"
      if of_route then lives = lives and pcall(function() return #reference.among end) end
      if lives and not is_link(reference) and not (skip and skip(reference)) then
         local target, number = references.now(doc, reference)
         local lost = reference.target and not references.alive(reference.target)
         local expected = not lost and reference.target or nil
         -- Objects start somewhere; a range of checkpoints ends at what is left of it.
         if lost and of_route then expected = reference.among[1] end
         if lost and reference.hidden and reference.section == "ckpt" then expected = target end
         if target ~= expected then
            list[#list + 1] = ("%s names %s, not %s"):format(text(reference), tostring(target), tostring(expected))
         elseif not reference.target and number ~= reference.number then
            list[#list + 1] = ("%s was %s, is %s"):format(text(reference), tostring(reference.number), tostring(number))
         end
      end
   end
   return list
end

--- What is wrong with groups, likewise: a group's points are those that it had and that are left, in any
--- order, and new ones.
function references.wrong_groups(doc, before)
   local list = {}
   for _, old in ipairs(before.groups) do
      if references.alive(old.group) then
         local points = references.points(doc, old.group, old.section)
         for _, point in ipairs(old.points) do
            local found = not references.alive(point)
            for _, now in ipairs(points) do found = found or now == point end
            if not found then list[#list + 1] = ("%s has lost %s"):format(tostring(old.group), tostring(point)) end
         end
      end
   end
   return list
end

return references
