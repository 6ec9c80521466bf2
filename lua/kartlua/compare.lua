--- Two KMPs compared by meaning: what was changed, added, removed and moved. A number that only names
--- the same record by its new index is no difference.
local kart = require "kartlua"
local counted = require "kartlua.counted"
local match = require "kartlua.match"

-- Who counts the points of whom.
local POINTS = { enph = "enpt", itph = "itpt", ckph = "ckpt", glph = "glpt" }

local ANOTHER = " (another record)" -- of a reference whose number is the same as before

local WHERE = { position = true, rotation = true, left = true, right = true }

-- --- what records hold ------------------------------------------------------------------------

-- A number as the shortest text that reads back. Vectors know how, and numbers alone don't.
local function number_text(value)
   if math.type(value) == "integer" then return tostring(value) end
   return (tostring(kart.vec(value, 0, 0)):match "^%(([^,]+),")
end

-- The value of a field: a number, a vector, or a list of numbers.
local function read(record, field)
   local value = record[field.name]
   return kart.type(value) == "values" and record:raw(field.name) or value
end

-- The same text for 0 and -0, which mean the same.
local function text(value)
   if type(value) == "number" then return value == value and number_text(value + 0) or "nan" end
   if kart.type(value) == "vec" then return tostring(value + kart.vec(0, 0, 0)) end
   if type(value) ~= "table" then return tostring(value) end
   local parts = {}
   for i, item in ipairs(value) do parts[i] = text(item) end
   return "{" .. table.concat(parts, ", ") .. "}"
end

-- The references that hide in settings, which are numbers from 0: { ["gobj[3]"] = { settings = { [1] = "poti" } } }.
local function hidden_of(doc)
   local hidden = {}
   for _, reference in ipairs(doc:references()) do
      if reference.hidden then
         local place = tostring(reference.holder)
         hidden[place] = hidden[place] or {}
         local slots = hidden[place][reference.field] or {}
         hidden[place][reference.field], slots[reference.slot or 1] = slots, reference.section
      end
   end
   return hidden
end

-- Fields that hold something of their own, as texts by name. Numbers that are references are blank.
local function contents(record, fields, hidden)
   local list, secret = {}, hidden[tostring(record)] or {}
   for _, field in ipairs(fields) do
      if field.meaning ~= "reference" and field.meaning ~= "count" then
         local value = read(record, field)
         if secret[field.name] then
            value = type(value) == "table" and value or { value }
            for slot in pairs(secret[field.name]) do value[slot] = 0 end
         end
         list[#list + 1] = { field.name, text(value) }
      end
   end
   return list
end

local function joined(list, without)
   local parts = {}
   for _, entry in ipairs(list) do
      if not (without and without[entry[1]]) then parts[#parts + 1] = entry[2] end
   end
   return table.concat(parts, "|")
end

local function has(fields, name)
   for _, field in ipairs(fields) do
      if field.name == name then return true end
   end
end

local function position_of(record, fields)
   if has(fields, "position") then return record.position end
   if has(fields, "left") then return (record.left + record.right) * 0.5 end
end

local function item_of(name, record, fields, hidden)
   local list = contents(record, fields, hidden)
   return { id = name == "gobj" and record.id or (name == "area" or name == "came") and record.type or nil,
      content = joined(list), rest = joined(list, WHERE), position = position_of(record, fields) }
end

local function items_of(name, section, fields, hidden, point_fields)
   local items = {}
   for i, record in ipairs(section or {}) do
      local item = item_of(name, record, fields, hidden)
      if name == "poti" then
         item.parts = {}
         for _, point in ipairs(record.points) do
            local content = joined(contents(point, point_fields, {}))
            item.parts[content] = true
            item.content = item.content .. "/" .. content
         end
         item.position = #record > 0 and record.points[1].position or nil
      end
      items[i] = item
   end
   return items
end

-- Groups are known by their points.
local function items_of_groups(section, points, by_old)
   local items = {}
   for i, group in ipairs(section or {}) do
      local parts = {}
      for k = group.start, group.start + group.length - 1 do
         -- The same name for a point in both documents: its old index.
         local key = by_old and by_old[k] or not by_old and points[k] and k
         if key then parts[tostring(key)] = true end
      end
      items[i] = { parts = parts }
   end
   return items
end

-- --- comparing --------------------------------------------------------------------------------

local comparison = {}
comparison.__index = comparison

function comparison:add(entry) self.list[#self.list + 1] = entry end

-- What an entry is about: place by the index in each document, nil where it isn't.
local function entry_of(kind, name, old, new, record)
   local title
   if name == "gobj" then
      title = kart.kmp.object_name(record.id) or ("id %d"):format(record.id)
   elseif name == "came" then
      title = kart.kmp.camera_name(record.type) or ("type %d"):format(record.type)
   elseif name == "area" then
      title = ("type %d"):format(record.type)
   elseif name == "ckpt" and record.type >= 0 then
      title = record.type == 0 and "lap line" or ("key %d"):format(record.type)
   end
   return { kind = kind, section = name, old_index = old, new_index = new, title = title }
end

local function target_text(section, number) return number and ("%s[%d]"):format(section, number) or "none" end

-- Does the new number name what the old one named?
function comparison:same_target(section, old_number, new_number, to)
   to = to or self.to[section] or {}
   if old_number == nil or new_number == nil then return old_number == new_number end
   if to[old_number] then return to[old_number] == new_number end
   -- Removed, or never there: then only the same number out of range is the same.
   return old_number == new_number and old_number > #(self.old[section] or {}) and not self.from[section][new_number]
end

-- Links of checkpoints say no more than the order of their group, if they do that.
local function is_plain_link(record, field)
   local number = record[field.name]
   return number == nil or number - record.index == (field.name == "next" and 1 or -1)
end

function comparison:reference(entry, name, a, b, field)
   if name == "ckpt" and field.target == "ckpt" and is_plain_link(a, field) and is_plain_link(b, field) then return end
   if field.name == "start" then
      -- A group begins elsewhere only if its first point went to another group.
      local first = self.to[field.target] and self.to[field.target][a.start]
      if not first or a.length == 0 or first >= b.start and first < b.start + b.length then return end
   end
   local same, old_texts, new_texts = true, {}, {}
   for slot = 1, field.count do
      local was = field.count > 1 and a[field.name][slot] or field.count == 1 and a[field.name] or nil
      local is = field.count > 1 and b[field.name][slot] or field.count == 1 and b[field.name] or nil
      same = same and self:same_target(field.target, was, is)
      old_texts[slot], new_texts[slot] = target_text(field.target, was), target_text(field.target, is)
   end
   if same and field.name ~= "start" then return end
   local many = field.count > 1
   local old_text = many and "{" .. table.concat(old_texts, ", ") .. "}" or old_texts[1]
   local new_text = many and "{" .. table.concat(new_texts, ", ") .. "}" or new_texts[1]
   self:change(entry, field.name, old_text, new_text .. (old_text == new_text and ANOTHER or ""))
end

function comparison:change(entry, field, old, new, apart)
   local change = { field = field, old = old, new = new, distance = apart }
   for key, value in pairs(entry) do change[key] = value end
   self:add(change)
end

-- Both values with the hidden references that still name the same thing made equal; and true if one
-- names something else by the same number.
function comparison:without_hidden(a, b, field, was, is)
   local slots = (self.hidden_of_old[tostring(a)] or {})[field.name]
   local others = (self.hidden_of_new[tostring(b)] or {})[field.name]
   if not slots or not others then return was, is end
   local list, renamed = type(was) == "table", false
   for slot, section in pairs(slots) do
      local old_number = list and was[slot] or not list and was or nil
      local new_number = list and is[slot] or not list and is or nil
      local to = section == "points" and (self.points_to[a.route or 0] or {}) or nil
      local same = old_number == new_number and not (to or self.to[section] or {})[old_number + 1]
         or self:same_target(section, old_number + 1, new_number + 1, to)
      if same and list then is[slot] = old_number elseif same then is = old_number end
      renamed = renamed or not same and old_number == new_number
   end
   return was, is, renamed
end

function comparison:fields(entry, name, a, b, fields)
   for _, field in ipairs(fields) do
      local shared = has(self.fields_of_new[name], field.name)
      if shared and field.meaning == "reference" then
         self:reference(entry, name, a, b, field)
      elseif shared and field.meaning ~= "count" then
         local was, is, renamed = self:without_hidden(a, b, field, read(a, field), read(b, field))
         if text(was) ~= text(is) or renamed then
            local apart = (field.meaning == "position" or field.meaning == "flat position" or field.meaning == "view")
               and (is - was):length() or nil
            self:change(entry, field.name, text(was), text(is) .. (renamed and ANOTHER or ""),
               apart == apart and apart or nil)
         end
      end
   end
end

-- The differences of two lists of records that are matched.
function comparison:records(name, old, new, to, from, moved, describe)
   local fields = self.fields_of_old[name]
   for i, record in ipairs(old) do
      if not to[i] then
         self:add(describe("removed", i, nil, record))
      elseif moved[i] then
         self:add(describe("moved", i, to[i], record))
      end
   end
   for j, record in ipairs(new) do
      local i = from[j]
      if not i then
         self:add(describe("added", nil, j, record))
      else
         local entry = describe("changed", i, j, old[i])
         self:fields(entry, name, old[i], record, fields)
         if name == "poti" then self:route(old[i], record) end
      end
   end
end

function comparison:route(a, b)
   local matching = self.points[a.index]
   self:records("points", a.points, b.points, matching[1], matching[2], matching[3], function(kind, i, j)
      return { kind = kind, section = "poti", old_index = a.index, new_index = b.index, old_point = i, new_point = j }
   end)
end

function comparison:section(name)
   local old, new = self.old[name], self.new[name]
   if not old or not new then
      self:add{ kind = new and "added" or "removed", section = name, whole = true }
      return
   end
   self:records(name, old, new, self.to[name], self.from[name], self.moved[name], function(kind, i, j, record)
      local entry = entry_of(kind, name, i, j, record)
      if name == "poti" and kind ~= "changed" then
         entry.note = counted(#record, "point")
      elseif kind == "added" or kind == "removed" then
         local position = position_of(record, self.fields_of_old[name])
         entry.note = position and "at " .. tostring(position) or nil
      end
      return entry
   end)
   for _, field in ipairs(self.headers[name]) do
      local was, is = field.meaning ~= "count" and old[field.name], field.meaning ~= "count" and new[field.name]
      if field.meaning == "reference" and not self:same_target(field.target, was, is) then
         self:change({ kind = "changed", section = name }, field.name, target_text(field.target, was),
            target_text(field.target, is))
      end
   end
end

-- --- the file around them ---------------------------------------------------------------------

-- Sections that a document only keeps: { { magic, bytes }, ... }, and the names of the others in order.
local function file_parts(doc)
   local bytes, unknown, order = doc:bytes(), {}, {}
   for _, part in ipairs(doc:sections()) do
      if part.known then
         order[#order + 1] = part.name
      else
         unknown[#unknown + 1] = { part.magic, bytes:sub(part.offset + 1, part.offset + part.bytes) }
      end
   end
   return unknown, table.concat(order, " ")
end

local function part_title(part)
   return part[1]:find "^[%w_ ]+$" and ("section %s"):format(part[1]) or "bytes behind a section"
end

function comparison:file()
   local old, new = self.old, self.new
   local entry = { kind = "changed", section = "file" }
   if old.version ~= new.version then self:change(entry, "version", text(old.version), text(new.version)) end
   local unknown_old, order_old = file_parts(old)
   local unknown_new, order_new = file_parts(new)
   if order_old ~= order_new then self:change(entry, "order of sections", order_old, order_new) end
   local waiting = {}
   for _, part in ipairs(unknown_new) do
      waiting[part[1]] = waiting[part[1]] or {}
      table.insert(waiting[part[1]], part)
   end
   for _, part in ipairs(unknown_old) do
      local other = waiting[part[1]] and table.remove(waiting[part[1]], 1)
      if not other then
         self:add{ kind = "removed", section = "file", field = part_title(part), note = counted(#part[2], "byte") }
      else
         part.seen, other.seen = true, true
         if part[2] ~= other[2] then
            self:change(entry, part_title(part), counted(#part[2], "byte"), counted(#other[2], "other byte"))
         end
      end
   end
   for _, part in ipairs(unknown_new) do
      if not part.seen then
         self:add{ kind = "added", section = "file", field = part_title(part), note = counted(#part[2], "byte") }
      end
   end
end

-- --- all of it --------------------------------------------------------------------------------

-- The fields of a layout are those of the record?
local function fits(layout, record)
   local count = 0
   for name in pairs(record) do
      count = count + 1
      if not has(layout.fields, name) then return false end
   end
   return count == #layout.fields
end

-- The layouts of a document's sections by name, and their names in order. Files don't always keep to
-- their version: the first record shows.
local function layouts_of(doc)
   local list, names = {}, {}
   for _, layout in ipairs(kart.kmp.schema()) do
      local name = layout.name
      if layout.game == doc.game then
         if not list[name] then names[#names + 1] = name end
         local record = name ~= "points" and doc[name] and doc[name][1]
         if not list[name] or record and fits(layout, record) then list[name] = layout end
      end
   end
   return list, names
end

-- Points that are where they were in their group haven't moved, wherever the group is.
local function keep_in_groups(self, groups, of)
   local by_group = {}
   for i, group in ipairs(self.old[groups] or {}) do
      local other = self.to[groups][i] and self.new[groups][self.to[groups][i]]
      for k = group.start, other and group.start + group.length - 1 or 0 do
         local new = self.to[of][k]
         if new and new >= other.start and new < other.start + other.length then
            by_group[i] = by_group[i] or {}
            table.insert(by_group[i], { k, new })
         end
      end
   end
   for _, list in pairs(by_group) do
      local kept = match.in_order(list)
      for k, pair in ipairs(list) do
         if kept[k] then self.moved[of][pair[1]] = nil end
      end
   end
end

local function match_all(self, names)
   local points = { self.fields_of_old.points, self.fields_of_new.points }
   for _, name in ipairs(names) do
      if name ~= "points" and not POINTS[name] then
         self.to[name], self.from[name], self.moved[name] = match.lists(
            items_of(name, self.old[name], self.fields_of_old[name], self.hidden_of_old, points[1]),
            items_of(name, self.new[name], self.fields_of_new[name], self.hidden_of_new, points[2]))
      end
   end
   for groups, of in pairs(POINTS) do
      if self.fields_of_old[groups] then
         self.to[groups], self.from[groups], self.moved[groups] = match.lists(
            items_of_groups(self.old[groups], self.old[of] or {}),
            items_of_groups(self.new[groups], self.new[of] or {}, self.from[of] or {}))
         keep_in_groups(self, groups, of)
      end
   end
   for i, j in pairs(self.to.poti or {}) do
      local a, b = self.old.poti[i].points, self.new.poti[j].points
      local matching = { match.lists(items_of("points", a, points[1], {}), items_of("points", b, points[2], {})) }
      self.points[i], self.points_to[i] = matching, matching[1]
   end
end

--- The differences between two open documents, in the order of the sections: a list of
---   kind       "changed", "added", "removed" or "moved" (to another place among the others)
---   section    its name, or "file" for what is around the sections
---   old_index, new_index    from 1, nil where there is none; old_point, new_point likewise, of a route
---   title      what the record is, as "itembox"
---   field, old, new         of what was changed, as texts; distance in units of what was moved in space
---   note       more about what was added or removed
---   whole      true if it is about a whole section
--- nil and a message if they are of different games.
return function(old, new)
   if old.game ~= new.game then return nil, "the two files are of different games" end
   local self = setmetatable({ old = old, new = new, list = {}, to = {}, from = {}, moved = {}, points = {},
      points_to = {}, fields_of_old = {}, fields_of_new = {}, headers = {}, hidden_of_old = hidden_of(old),
      hidden_of_new = hidden_of(new) }, comparison)
   local layouts, names = layouts_of(old)
   local others = layouts_of(new)
   for name, layout in pairs(layouts) do
      self.fields_of_old[name], self.headers[name] = layout.fields, layout.header
      self.fields_of_new[name] = others[name] and others[name].fields or {}
   end
   match_all(self, names)
   self:file()
   for _, name in ipairs(names) do
      if name ~= "points" and (old[name] or new[name]) then self:section(name) end
   end
   return self.list
end
