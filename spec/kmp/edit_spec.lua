-- Editing through Lua: records come, go and change places, and every reference stays on its record.
local change = require "spec.kmp.cases.change"
local references = require "spec.kmp.references"
local tools = require "spec.kmp.tools"

local alive = references.alive

local GROUPS = { enpt = "enph", itpt = "itph", ckpt = "ckph" }

-- The first object of this id.
local function object(doc, id)
   for _, record in ipairs(doc.gobj) do
      if record.id == id then return record end
   end
end

local function assert_right(doc, before)
   assert.same({}, references.wrong(doc, before))
   assert.same({}, references.wrong_groups(doc, before))
end

-- The records of a section are those of the list, by identity.
local function assert_order(expected, section)
   assert.equal(#expected, #section)
   for i, record in ipairs(expected) do assert.equal(record, section[i]) end
end

local function list_of(section)
   local list = {}
   for i, record in ipairs(section) do list[i] = record end
   return list
end

-- Bytes are nothing to be shown where they differ.
local function assert_bytes(expected, doc, what)
   assert.is_true(expected == doc:bytes(), what or "other bytes")
end

for _, sample in ipairs{ "race", "arena" } do
   for name in pairs(tools.open(sample)) do
      describe(("%s of the %s"):format(name, sample), function()
         local doc, section, before

         before_each(function()
            doc = tools.open(sample)
            section = doc[name]
            before = references.snapshot(doc)
         end)

         it("takes a record at each place", function()
            for _, at in ipairs{ 1, #section // 2 + 1, #section + 1 } do
               before = references.snapshot(doc)
               local order = list_of(before.orders[name])
               local new = section:insert({}, { at = at })
               assert.equal(at, new.index)
               assert.is_true(section[at] == new)
               table.insert(order, at, new)
               assert_order(order, section)
               assert_right(doc, before)
            end
         end)

         it("loses each record", function()
            for at = 1, #section do
               local edited = doc:clone()
               local was = references.snapshot(edited)
               local gone = edited[name][at]
               edited[name]:remove(at)
               assert.is_false(alive(gone))
               local order = list_of(was.orders[name])
               table.remove(order, at)
               assert_order(order, edited[name])
               assert.same({}, references.wrong(edited, was))
               if not name:find "ph$" then assert.same({}, references.wrong_groups(edited, was)) end
            end
         end)

         it("loses several at once as it loses one by one", function()
            local one = doc:clone()
            local count = math.min(3, #section)
            if count == 0 then return end
            if GROUPS[name] then count = math.min(count, doc[GROUPS[name]][1].length) end
            section:remove(1, count)
            for _ = 1, count do one[name]:remove(1) end
            assert_bytes(one:bytes(), doc)
            assert.same({}, references.wrong(doc, before))
         end)

         it("moves records both ways", function()
            local last = GROUPS[name] and doc[GROUPS[name]][1]
            last = last and last.length or #section
            for _, way in ipairs{ { 1, last }, { last, 1 }, { 1, 1 } } do
               if last < 1 then break end
               before = references.snapshot(doc)
               local order = list_of(before.orders[name])
               table.insert(order, way[2], table.remove(order, way[1]))
               section:move(way[1], way[2])
               assert_order(order, section)
               assert_right(doc, before)
            end
         end)

         it("comes back when a move is undone", function()
            if GROUPS[name] or #section < 2 then return end
            local bytes = doc:bytes()
            section:move(1, #section)
            section:move(#section, 1)
            assert_bytes(bytes, doc)
         end)

         it("is sorted, points within their groups", function()
            local numbers = {}
            for i, record in ipairs(before.orders[name]) do numbers[i] = record end
            local function number(record)
               for i, other in ipairs(numbers) do
                  if other == record then return i end
               end
            end
            section:sort(function(a, b) return number(a) > number(b) end)
            assert_right(doc, before)
            if not GROUPS[name] then
               local reversed = {}
               for i, record in ipairs(before.orders[name]) do reversed[#section + 1 - i] = record end
               assert_order(reversed, section)
            else
               for _, group in ipairs(doc[GROUPS[name]]) do
                  for i = group.start, group.start + group.length - 2 do
                     assert.is_true(number(section[i]) > number(section[i + 1]))
                  end
               end
            end
         end)

         it("stays as it is when nothing comes before anything", function()
            local bytes = doc:bytes()
            section:sort(function() return false end)
            assert_bytes(bytes, doc)
         end)
      end)
   end
end

describe("routes", function()
   local doc, before

   before_each(function()
      doc = tools.open "race"
      before = references.snapshot(doc)
   end)

   it("take points at each place, and users keep their start point", function()
      for i, route in ipairs(doc.poti) do
         for _, at in ipairs{ 1, #route + 1 } do
            before = references.snapshot(doc)
            local length = #route
            local new = route.points:insert({ position = { i, at, 0 }, speed = 7 }, { at = at })
            assert.same({ at, length + 1, 7 }, { new.index, #route, new.speed })
            assert_right(doc, before)
         end
      end
      assert.equal(2, object(doc, 216).settings[2])
   end)

   it("lose and move points", function()
      local car = object(doc, 208)
      local points, start = car:target "route".points, car.settings[1]
      local named = points[start + 1]
      points:remove(1)
      assert.same({ start, start - 1 }, { named.index, car.settings[1] })
      points:move(named, 1)
      assert.same({ 1, 0 }, { named.index, car.settings[1] })
      points:sort(function(a, b) return a.position.x > b.position.x end)
      assert.equal(named.index - 1, car.settings[1])
      assert_right(doc, before)
      points:move(named, 3)
      points:remove(named)
      assert.equal(0, car.settings[1]) -- it starts somewhere: at the first one
   end)

   it("come with their points, and go with them", function()
      local total = 0
      for _, route in ipairs(doc.poti) do total = total + #route end
      local route = doc.poti:insert({ smooth = 1, points = { { speed = 1 }, { position = { 1, 2, 3 } } } }, { at = 2 })
      assert.same({ 2, 2, 1, kart.vec(1, 2, 3) },
         { route.index, #route, route.points[1].speed, route.points[2].position })
      assert_right(doc, before)
      -- The section's header counts all points.
      assert.is_nil(tools.finding(doc:check(), "point-total"))
      local point = doc.poti[1].points[1]
      doc.poti:remove(1)
      assert.is_false(alive(point))
      assert.is_nil(tools.finding(doc:check(), "point-total"))
      doc.poti:remove(route)
      assert.error_matches(function() return route.points end, "was removed")
   end)

   it("take their points along when they change places", function()
      local lengths = {}
      for _, route in ipairs(doc.poti) do lengths[#lengths + 1] = { route, list_of(route.points) } end
      doc.poti:move(1, 6)
      doc.poti:sort(function(a, b) return #a < #b end)
      for _, entry in ipairs(lengths) do assert_order(entry[2], entry[1].points) end
      assert_right(doc, before)
   end)
end)

describe("references that hide in settings", function()
   local doc
   before_each(function() doc = tools.open "race" end)

   it("follow routes", function()
      local balls, snake = object(doc, 234), object(doc, 420)
      assert.same({ 6, 7 }, { balls.settings[1], snake.settings[1] })
      doc.poti:insert({}, { at = 1 })
      assert.same({ 7, 8 }, { balls.settings[1], snake.settings[1] })
      doc.poti:move(8, 9)
      assert.same({ 8, 7 }, { balls.settings[1], snake.settings[1] })
      doc.poti:remove(9)
      assert.same({ 0xFFFF, 7 }, { balls.settings[1], snake.settings[1] })
   end)

   it("follow a fall boundary's checkpoints", function()
      local area = doc.area:insert{ type = 10, setting_1 = 3, setting_2 = 24 }
      doc.ckpt:insert({}, { at = 1, group = 1 })
      assert.same({ 4, 25 }, { area.setting_1, area.setting_2 })
      doc.ckpt:remove(10, 5)
      assert.same({ 4, 20 }, { area.setting_1, area.setting_2 })
      doc.ckph:move(2, 3)
      assert.same({ 4, 30 }, { area.setting_1, area.setting_2 })
   end)

   it("end a fall boundary's range at what is left of it", function()
      local area = doc.area:insert{ type = 10, setting_1 = 3, setting_2 = 8 }
      doc.ckpt:remove(9)
      assert.same({ 3, 7 }, { area.setting_1, area.setting_2 })
      doc.ckpt:remove(4)
      assert.same({ 3, 6 }, { area.setting_1, area.setting_2 })
      doc.ckpt:remove(2, 4)
      assert.same({ 1, 2 }, { area.setting_1, area.setting_2 })
   end)

   it("leave a fall boundary nothing when all of its range goes", function()
      local area = doc.area:insert{ type = 10, setting_1 = 3, setting_2 = 3 }
      doc.ckpt:remove(4)
      assert.same({ 0xFFFF, 0xFFFF }, { area.setting_1, area.setting_2 })
   end)

   it("leave the other end of a fall boundary inside out", function()
      local area = doc.area:insert{ type = 10, setting_1 = 8, setting_2 = 3 }
      doc.ckpt:remove(9)
      assert.same({ 0xFFFF, 3 }, { area.setting_1, area.setting_2 })
      doc.ckpt:remove(2)
      assert.same({ 0xFFFF, 2 }, { area.setting_1, area.setting_2 })
   end)

   it("never let a fall boundary's range become 0 and 0, which means all", function()
      doc.area:insert{ type = 10, setting_1 = 0, setting_2 = 1 }
      local bytes = doc:bytes()
      assert.is_false(pcall(doc.ckpt.remove, doc.ckpt, 2))
      assert.is_true(bytes == doc:bytes())
   end)

   it("don't follow where 0 and 0 means all of them", function()
      local area = doc.area:insert{ type = 10 }
      doc.ckpt:insert({}, { at = 1, group = 1 })
      assert.same({ 0, 0 }, { area.setting_1, area.setting_2 })
   end)

   it("stay numbers where the id means another object", function()
      local other = doc.gobj:insert{ id = 101, settings = { 6 } }
      doc.poti:insert({}, { at = 1 })
      assert.equal(6, other.settings[1])
   end)

   it("count with an extension's id, too", function()
      local balls = object(doc, 234)
      balls.id = 0x30EA
      doc.poti:insert({}, { at = 1 })
      assert.equal(7, balls.settings[1])
   end)
end)

describe("references in plain sight", function()
   local doc
   before_each(function() doc = tools.open "race" end)

   it("of areas count by the area's type", function()
      local water, driver = doc.area[7], doc.area[8]
      water.camera, driver.route = 2, 2 -- mean nothing here
      doc.poti:insert({}, { at = 1 })
      doc.enpt:insert({}, { at = 1, group = 1 })
      doc.came:insert({}, { at = 1 })
      assert.same({ 7, 13, 2, 2 }, { water.route, driver.enemy_point, water.camera, driver.route })
      doc.poti:remove(7)
      doc.enpt:remove(13)
      assert.same({}, { water.route, driver.enemy_point })
   end)

   it("of cameras follow whatever the camera's type", function()
      doc.came[2].route = 2 -- of a camera that stands still
      doc.poti:insert({}, { at = 1 })
      assert.equal(3, doc.came[2].route)
      doc.poti:remove(3)
      assert.is_nil(doc.came[2].route)
   end)

   it("stand in the header of the cameras", function()
      doc.came:insert({}, { at = 1 })
      assert.same({ 6, 6 }, { doc.came.opening, doc.came.selection })
      doc.came:remove(6)
      assert.same({}, { doc.came.opening, doc.came.selection })
   end)

   it("link groups", function()
      doc.enph:move(4, 1)
      assert.equal("{2, nil, nil, nil, nil, nil}", tostring(doc.enph[1].next))
      doc.enph:remove(4)
      assert.equal("{3, nil, nil, nil, nil, nil}", tostring(doc.enph[2].next))
   end)

   it("that were out of range stay so", function()
      local odd = change.raw(change.raw(doc, "gobj", 1, "route", 9), "ckpt", 3, "respawn", 200)
      local before = odd:bytes()
      odd.poti:remove(1)
      odd.jgpt:remove(1)
      assert.is_nil(odd.gobj[1]:target "route")
      assert.is_nil(odd.ckpt[3]:target "respawn")
      assert.truthy(odd.ckpt[3].respawn > #odd.jgpt)
      odd = assert(kart.kmp.parse(before))
      odd.poti:insert({}, { at = 1 })
      assert.is_nil(odd.gobj[1]:target "route") -- not suddenly the last one's
   end)
end)

describe("records", function()
   local doc
   before_each(function() doc = tools.open "race" end)

   it("stay what they are, whatever happens around them", function()
      local third, last = doc.jgpt[3], doc.jgpt[#doc.jgpt]
      local position = third.position
      doc.jgpt:insert({}, { at = 1 })
      doc.jgpt:remove(3)
      doc.jgpt:move(3, 5)
      assert.same({ 5, position, #doc.jgpt }, { third.index, third.position, last.index })
      third.position = { 1, 2, 3 }
      assert.equal(kart.vec(1, 2, 3), doc.jgpt[5].position)
   end)

   it("that were removed raise, and never come back as another one", function()
      local first = doc.gobj[1]
      local settings = first.settings
      doc.gobj:remove(1)
      doc.gobj:insert({}, { at = 1 })
      for _, use in ipairs{ function() return first.id end, function() first.id = 1 end,
         function() return first.index end, function() return settings[1] end, function() settings[1] = 1 end,
         function() return tostring(first) end, function() doc.gobj:remove(first) end,
         function() doc.gobj:insert({}, { at = first }) end } do
         assert.error_matches(use, "this record of gobj was removed")
      end
   end)

   it("can stand for their index", function()
      local second, fifth = doc.gobj[2], doc.gobj[5]
      doc.gobj:move(second, fifth)
      assert.same({ 5, 4 }, { second.index, fifth.index })
      assert.equal(5, doc.gobj:insert({}, { at = second }).index)
      doc.gobj:remove(second)
      assert.is_false(alive(second))
   end)

   it("are filled in as by assignment", function()
      local camera = doc.came:insert{ type = 5, route = doc.poti[1], next = 10, position = { 1, 2, 3 }, time = 60 }
      assert.same({ 10, 5, 1, 10, kart.vec(1, 2, 3), 60 },
         { camera.index, camera.type, camera.route, camera.next, camera.position, camera.time })
      local area = doc.area:insert{}
      assert.same({ kart.vec(1, 1, 1) }, { area.scale, area.camera, area.enemy_point })
   end)

   it("are in the file that is saved", function()
      doc.gobj:insert({ id = 101, position = { 1, 2, 3 } }, { at = 2 })
      doc.poti:insert({ points = { { speed = 3 }, {} } }, { at = 1 })
      doc.cnpt:remove(1)
      local again = assert(kart.kmp.parse(doc:bytes()))
      assert.same({}, again.warnings)
      assert.same({ 52, 101, 10, 3, 1 },
         { #again.gobj, again.gobj[2].id, #again.poti, again.poti[1].points[1].speed, #again.cnpt })
      assert_bytes(doc:bytes(), again)
   end)

   it("come into files of all versions", function()
      for _, name in ipairs(tools.names()) do
         local odd = tools.open(name)
         for section, records in pairs(odd) do
            local count = #records
            -- A group that begins past the end of its points can't keep its place there.
            local lost = name == "references_out_of_range" and section == "itpt"
            local done, problem = pcall(records.insert, records, {}, { at = lost and 1 or nil })
            if done then
               assert.equal(count + 1, #records)
               records:remove(lost and 1 or count + 1)
            else
               assert.matches("can't be added or removed in this version", problem)
            end
            assert.equal(count, #odd[section])
         end
         -- A length word that lied is put right, as the file changes its size.
         local function without_length(bytes) return bytes:sub(1, 4) .. bytes:sub(9) end
         assert.is_true(without_length(tools.bytes(name)) == without_length(odd:bytes()), name)
      end
   end)
end)

describe("sort", function()
   it("is stable", function()
      local doc = tools.open "race"
      local before = {}
      for _, record in ipairs(doc.gobj) do before[record.id] = before[record.id] or {} end
      for _, record in ipairs(doc.gobj) do table.insert(before[record.id], record) end
      doc.gobj:sort(function(a, b) return a.id < b.id end)
      local at, last = {}, 0
      for _, record in ipairs(doc.gobj) do
         assert.truthy(record.id >= last)
         last = record.id
         at[last] = (at[last] or 0) + 1
         assert.equal(before[last][at[last]], record)
      end
   end)

   it("takes nonsense for an answer", function()
      local doc = tools.open "race"
      local before, random = references.snapshot(doc), tools.random(4)
      doc.gobj:sort(function() return random() < 0.5 end)
      doc.gobj:sort(function() return true end)
      assert_right(doc, before)
   end)
end)
