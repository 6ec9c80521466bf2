-- Editing whole documents: merging two, purging what nothing uses, repairing what rules find.
local change = require "spec.kmp.cases.change"
local references = require "spec.kmp.references"
local tools = require "spec.kmp.tools"

local doc, other
before_each(function()
   doc = tools.open "race"
   other = tools.open "race"
end)

local function counts(of)
   local list = {}
   for name, section in pairs(of) do list[name] = #section end
   return list
end

local function points_of(of)
   local total = 0
   for _, route in ipairs(of.poti) do total = total + #route end
   return total
end

describe("merge", function()
   it("appends all records but stage information", function()
      local had, points = counts(doc), points_of(doc)
      assert.equal(doc, (doc:merge(other)))
      for name, count in pairs(had) do
         assert.equal(name == "stgi" and 1 or 2 * count, #doc[name], name)
      end
      assert.equal(2 * points, points_of(doc))
      assert.same({ 5, 5 }, { doc.came.opening, doc.came.selection })
   end)

   it("keeps every reference, the document's own and those that came", function()
      local own, came = references.snapshot(doc), references.list(other)
      local had = counts(doc)
      doc:merge(other)
      assert.same({}, references.wrong(doc, own))
      assert.same({}, references.wrong_groups(doc, own))
      local now = {}
      for _, reference in ipairs(references.list(doc)) do
         local holder = reference.holder
         if kart.type(holder) ~= "section" then
            now[tostring(holder) .. reference.field .. (reference.slot or "")] = reference
         end
      end
      local compared = 0
      for _, reference in ipairs(came) do
         local holder = tostring(reference.holder)
         local section, index, rest = holder:match "^(%l+)%[(%d+)%](.*)$"
         if section and section ~= "stgi" then
            local twin = now[("%s[%d]%s"):format(section, index + had[section], rest) .. reference.field
               .. (reference.slot or "")]
            assert.is_table(twin, holder)
            local target = reference.target
            if target and reference.section ~= "points" then
               assert.equal(target.index + had[reference.section], twin.target.index)
            else
               assert.equal(target and target.index, twin.target and twin.target.index)
            end
            compared = compared + 1
         end
      end
      assert.truthy(compared > 300)
      for i, group in ipairs(other.enph) do
         assert.same({ group.start + 55, group.length }, { doc.enph[i + 4].start, doc.enph[i + 4].length })
      end
      assert.is_nil(tools.finding(doc:check(), "reference-range"))
      assert.is_nil(tools.finding(doc:check(), "ckpt-links"))
      assert.is_nil(tools.finding(doc:check(), "point-total"))
   end)

   it("takes the sections that it is told to", function()
      local had = counts(doc)
      doc:merge(other, { only = { "gobj", "poti" } })
      had.gobj, had.poti = 2 * had.gobj, 2 * had.poti
      assert.same(had, counts(doc))
      for i = 1, #other.gobj do
         local route = other.gobj[i].route
         assert.equal(route and route + #other.poti, doc.gobj[i + #other.gobj].route)
      end
   end)

   it("lets references to what was left behind become none", function()
      doc:merge(other, { only = { "gobj", "area", "came" } })
      for i = #other.gobj + 1, #doc.gobj do
         local object = doc.gobj[i]
         assert.is_nil(object.route)
         if object.id == 234 or object.id == 420 then assert.equal(0xFFFF, object.settings[1]) end
      end
      local water, driver, camera = doc.area[13 + 7], doc.area[13 + 8], doc.area[13 + 1]
      assert.same({ nil, nil, 9 + 2 }, { water.route, driver.enemy_point, camera.camera })
      assert.is_nil(doc.came[9 + 5].route)
      assert.equal(9 + 6, doc.came[9 + 5].next)
   end)

   it("takes no groups without their points", function()
      local bytes = doc:bytes()
      local done, message, code = doc:merge(other, { only = { "enph" } })
      assert.same({ nil, "unsupported" }, { done, code })
      assert.matches("can't come without their enpt", message)
      assert.is_true(bytes == doc:bytes())
   end)

   it("takes nothing from an empty list", function()
      local bytes = doc:bytes()
      doc:merge(other, { only = {} })
      doc:merge(kart.kmp.new{})
      assert.is_true(bytes == doc:bytes())
   end)

   it("doesn't touch the other document", function()
      local bytes = other:bytes()
      doc:merge(other)
      doc.gobj[52].id = 7
      assert.is_true(bytes == other:bytes())
   end)

   it("says which section there is nothing to append to", function()
      local less = assert(kart.kmp.parse(tools.bytes "sections_missing"))
      local bytes = less:bytes()
      local done, message, code = less:merge(doc)
      assert.same({ nil, "unsupported" }, { done, code })
      local name = message:match "^(%l+): the document has no such section"
      assert.is_nil(less[assert(name, message)])
      assert.is_true(bytes == less:bytes())
   end)

   local function fails(with, expected_code, pattern, options)
      local bytes = doc:bytes()
      local done, message, code = doc:merge(with, options)
      assert.same({ nil, expected_code }, { done, code })
      assert.matches(pattern, message)
      assert.is_true(bytes == doc:bytes())
   end

   it("fails as a whole", function()
      for _ = 1, 200 do other.enpt:insert({}, { group = 1 }) end
      fails(other, "limit", "enpt: 310 points")
      fails(kart.kmp.new{ game = "mk7" }, "unsupported", "different games")
      fails(assert(kart.kmp.parse(tools.bytes "version_1831")), "unsupported", "area")
   end)

   it("fails where a number can't name what it named", function()
      for _ = 1, 250 do doc.jgpt:insert{} end
      fails(other, "limit", "ckpt%.respawn could not name jgpt", { only = { "ckpt", "ckph", "jgpt" } })
   end)

   it("refuses wrong use", function()
      local bytes = doc:bytes()
      assert.error_matches(function() doc:merge(doc) end, "can't be merged with itself")
      assert.error_matches(function() doc:merge() end, "kmp expected")
      assert.error_matches(function() doc:merge(other, { only = { "objects" } }) end, "no section 'objects'")
      assert.error_matches(function() doc:merge(other, { only = "gobj" }) end, "only")
      assert.error_matches(function() doc:merge(other, { olny = {} }) end, "unknown option 'olny'")
      other:close()
      assert.error_matches(function() doc:merge(other) end, "closed")
      assert.is_true(bytes == doc:bytes())
   end)
end)

describe("purge", function()
   local tidy -- bytes of the course of which everything is used

   before_each(function()
      assert.same({ came = 1 }, doc:purge()) -- the last one: no area names it
      tidy = doc:bytes()
   end)

   it("finds nothing to remove where everything is used", function()
      assert.same({}, doc:purge())
      assert.is_true(tidy == doc:bytes())
   end)

   it("removes what a removed area or object used", function()
      doc.area:remove(4)
      doc.gobj:remove(doc.gobj:insert{ id = 201, route = doc.poti:insert{ points = { {}, {} } } })
      assert.same({ came = 1, poti = 2 }, doc:purge()) -- the camera's route, too
   end)

   it("removes routes, cameras and respawn points that nothing names", function()
      doc.poti:insert({ points = { {}, {} } }, { at = 2 })
      doc.came:insert({ type = 1 }, { at = 2 })
      doc.jgpt:insert({}, { at = 2 })
      doc.jgpt:insert{}
      assert.same({ poti = 1, came = 1, jgpt = 2 }, doc:purge())
      assert.is_true(tidy == doc:bytes())
   end)

   it("keeps who is named in secret, or found by type", function()
      doc.gobj:insert{ id = 234, settings = { doc.poti:insert{ points = { {}, {} } }.index - 1 } }
      doc.came:insert{ type = 7 }
      doc.came:insert{ type = 8 }
      assert.same({}, doc:purge())
   end)

   it("goes on while there is something", function()
      -- A camera names the next one, which names a route.
      local route = doc.poti:insert{ points = { {}, {} } }
      local last = doc.came:insert{ type = 2, route = route }
      doc.came:insert{ type = 1, next = last }
      assert.same({ came = 2, poti = 1 }, doc:purge())
      assert.is_true(tidy == doc:bytes())
   end)

   it("removes a camera that only names itself", function()
      doc.came:insert{ type = 1, next = 9 }
      assert.same({ came = 1 }, doc:purge())
   end)

   it("removes cameras that only name each other, with their routes", function()
      local first = doc.came:insert{ type = 2, route = doc.poti:insert{ points = { {}, {} } } }
      first.next = doc.came:insert{ type = 1, next = first }
      doc.came[#doc.came].next = first
      assert.same({ came = 2, poti = 1 }, doc:purge())
      assert.is_true(tidy == doc:bytes())
   end)

   it("follows a chain of cameras that runs against their order", function()
      local last = doc.came:insert{ type = 2, route = doc.poti:insert{ points = { {}, {} } } }
      for _ = 1, 20 do last = doc.came:insert{ type = 1, next = last } end
      doc.came.selection = last
      assert.same({}, doc:purge())
      doc.came.selection = nil
      assert.equal(21, doc:purge().came)
   end)

   it("removes respawn points that only checkpoints of no group name", function()
      doc.ckpt[55].respawn = doc.jgpt:insert{}
      doc.ckph[4].length = 15
      assert.same({ ckpt = 1, jgpt = 1 }, doc:purge())
   end)

   it("removes points that lie in no group", function()
      for _, pair in ipairs{ { "enpt", "enph" }, { "itpt", "itph" }, { "ckpt", "ckph" } } do
         doc[pair[2]][4].length = 14
         doc[pair[2]][3].length = 9
      end
      local own = references.snapshot(doc)
      local removed = doc:purge()
      assert.same({ 3, 3, 3 }, { removed.enpt, removed.itpt, removed.ckpt })
      assert.same({}, references.wrong(doc, own))
      assert.same({}, references.wrong_groups(doc, own))
      assert.is_nil(tools.finding(doc:check(), "group-gap"))
   end)

   it("leaves an arena its respawn points", function()
      doc = tools.open "arena"
      assert.same({}, doc:purge())
      assert.is_true(tools.bytes "arena" == doc:bytes())
   end)

   it("removes nothing twice", function()
      for _, name in ipairs(tools.names()) do
         local odd = tools.open(name)
         local had, removed = counts(odd), odd:purge()
         for section, count in pairs(counts(odd)) do assert.equal(had[section], count + (removed[section] or 0)) end
         assert.same({}, odd:purge())
      end
   end)
end)

-- A document that breaks the rule, what the repair changes, and what it leaves.
local FIXES = {
   ["ckpt-links"] = { mended = 4, breaks = function()
      doc.ckpt[3].next, doc.ckpt[4].prev, doc.ckpt[20].prev, doc.ckpt[55].next = 5, 1, 19, 1
   end },
   ["group-gap"] = { mended = 3, breaks = function()
      doc.itph[2].start, doc.itph[3].start, doc.enph[4].start = 21, 31, 39
   end },
   ["respawn-range"] = { mended = 1, lost = true, breaks = function()
      doc = change.raw(doc, "ckpt", 3, "respawn", 0x80)
   end },
   ["reference-range"] = { mended = 4, lost = true, breaks = function()
      doc = change.raw(doc, "gobj", 1, "route", 9)
      doc = change.raw(doc, "enph", 2, "next", 7, 3)
      doc = change.raw(doc, "came", 5, "next", 9)
      doc = change.header(doc, "CAME", 0x0463)
   end },
   ["area-scale"] = { mended = 2, breaks = function()
      local a, b = doc.area[1].scale, doc.area[2].scale
      doc.area[1].scale, doc.area[2].scale = { -a.x, a.y, -a.z }, { b.x, -b.y, b.z }
   end },
   ["start-yaw"] = { mended = 1, breaks = function() doc.ktpt[1].rotation = { 0, 93, 0 } end },
   ["object-presence"] = { mended = 2, breaks = function()
      doc.gobj[1].presence, doc.gobj[2].presence = 0xFFFF, 0x7F
   end },
   ["point-total"] = { mended = 1, breaks = function() doc = change.header(doc, "POTI", 7) end },
   ["stage-values"] = { mended = 2, lost = true, breaks = function()
      doc.stgi[1].pole, doc.stgi[1].narrow = 7, 255
   end },
}

describe("fix", function()
   for _, rule in ipairs(kart.kmp.rules()) do
      local case = FIXES[rule.id]
      if rule.fix then
         it(rule.id .. " repairs what the rule finds, and counts it", function()
            case.breaks()
            assert.is_table(tools.finding(doc:check(), rule.id))
            assert.equal(case.mended, doc:fix(rule.id))
            assert.is_nil(tools.finding(doc:check(), rule.id))
            assert.equal(0, doc:fix(rule.id))
            if not case.lost then assert.is_true(tools.bytes "race" == doc:bytes()) end
         end)

         it(rule.id .. " does nothing to a sound course", function()
            assert.equal(0, doc:fix(rule.id))
            assert.is_true(tools.bytes "race" == doc:bytes())
         end)
      else
         it(rule.id .. " has no repair, and says so", function()
            local done, message, code = doc:fix(rule.id)
            assert.same({ nil, "unsupported" }, { done, code })
            assert.matches(rule.id, message, 1, true)
         end)
      end
   end

   it("knows its rules", function()
      assert.same({ nil, "there is no rule ckpt-link", "unsupported" }, { doc:fix "ckpt-link" })
      assert.error_matches(function() doc:fix() end, "string expected")
   end)

   it("respawn-range repairs respawns, and nothing else", function()
      doc = change.raw(change.raw(doc, "ckpt", 3, "respawn", 0x80), "gobj", 1, "route", 9)
      assert.equal(1, doc:fix "respawn-range")
      assert.same({ nil, 10 }, { doc.ckpt[3].respawn, doc.gobj[1].route })
   end)

   it("reference-range leaves no finding, hidden references included", function()
      for _, object in ipairs(doc.gobj) do
         if object.id == 234 then object.settings[1] = 99 end
         if object.id == 201 then object.settings[5] = 99 end
      end
      doc:fix "reference-range"
      assert.is_nil(tools.finding(doc:check(), "reference-range"))
   end)

   it("ckpt-links keeps groups that are in order", function()
      doc.ckph:split(1, 5)
      assert.equal(0, doc:fix "ckpt-links")
   end)

   it("changes nothing when it can't be done", function()
      -- A third group would begin at 263.
      doc.itph[1].length, doc.itph[2].length = 255, 8
      local bytes = doc:bytes()
      local done, message, code = doc:fix "group-gap"
      assert.same({ nil, "limit" }, { done, code })
      assert.matches("itph: group 3 would start at point 264", message)
      assert.is_true(bytes == doc:bytes())
   end)

   it("group-gap leaves what it can't tell apart", function()
      local function refused(pattern)
         local bytes = doc:bytes()
         local done, message, code = doc:fix "group-gap"
         assert.same({ nil, "unsupported" }, { done, code })
         assert.matches(pattern, message)
         assert.is_true(bytes == doc:bytes())
      end
      local first, second = doc.itph[1], doc.itph[2]
      first.length = first.length - 1
      second.start = second.start - 1
      refused "itph: 1 point in no group"
      doc = tools.open "race"
      doc.enph[1].start, doc.enph[2].start = 9, 1
      refused "enph: group 2 starts before group 1"
   end)

   it("ckpt-links ends where a byte can't name more", function()
      doc.ckpt:remove(#doc.ckpt)
      local group = doc.ckph[#doc.ckph]
      for _ = 1, 250 do
         if not pcall(doc.ckpt.insert, doc.ckpt, {}, { group = #doc.ckph }) then break end
      end
      for _, checkpoint in ipairs(doc.ckpt) do checkpoint.next = nil end
      doc.ckpt[#doc.ckpt].prev = 3
      assert.truthy(doc:fix "ckpt-links")
      assert.equal(0, doc:fix "ckpt-links")
      assert.is_nil(tools.finding(doc:check(), "ckpt-links"))
      assert.equal(#doc.ckpt, doc.ckpt[#doc.ckpt].index)
      assert.truthy(group.length > 100)
   end)

   it("takes any file that opens", function()
      for _, name in ipairs(tools.names()) do
         for _, rule in ipairs(kart.kmp.rules()) do
            if rule.fix then
               local odd = tools.open(name)
               odd:fix(rule.id)
               assert(kart.kmp.parse(odd:bytes()))
            end
         end
      end
   end)
end)
