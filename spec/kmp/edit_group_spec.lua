-- Editing groups of points: points come into groups, groups come, go, change places, are split and
-- joined, and the links of checkpoints follow the order of their group.
local references = require "spec.kmp.references"
local tools = require "spec.kmp.tools"

local alive = references.alive

local PAIRS = { { "enpt", "enph" }, { "itpt", "itph" }, { "ckpt", "ckph" } }

local doc, before
before_each(function()
   doc = tools.open "race"
   before = references.snapshot(doc)
end)

local function assert_bytes(expected, what) assert.is_true(expected == doc:bytes(), what or "other bytes") end

-- What the group table says: { { start, length }, ... }.
local function spans(groups)
   local list = {}
   for i, group in ipairs(groups) do list[i] = { group.start, group.length } end
   return list
end

local function links(group, name)
   local list = {}
   for i = 1, 6 do list[i] = group[name][i] or 0 end
   return list
end

-- No finding about groups and links but those that are expected.
local function assert_sound()
   for _, finding in ipairs(doc:check()) do
      assert.falsy(finding.rule:find "^group%-" or finding.rule == "ckpt-links" or finding.rule == "reference-range",
         tostring(finding))
   end
end

local function assert_kept()
   assert.same({}, references.wrong(doc, before))
   assert.same({}, references.wrong_groups(doc, before))
end

for _, pair in ipairs(PAIRS) do
   local points, groups = pair[1], pair[2]

   describe("points of " .. groups, function()
      it("come to the end of their group", function()
         local new = doc[points]:insert({}, { group = 2 })
         assert.equal(30, new.index)
         assert.same({ { 1, 19 }, { 20, 11 }, { 31, 10 }, { 41, 16 } }, spans(doc[groups]))
         assert_kept()
         assert_sound()
      end)

      it("come to any place of their group", function()
         for _, at in ipairs{ 20, 25, 30 } do
            local edited = doc:clone()
            local new = edited[points]:insert({}, { group = edited[groups][2], at = at })
            assert.equal(at, new.index)
            assert.same({ { 1, 19 }, { 20, 11 }, { 31, 10 }, { 41, 16 } }, spans(edited[groups]))
         end
      end)

      it("come to the group of the point before, if none is named", function()
         doc[points]:insert({}, { at = 20 })
         assert.same({ 1, 20 }, { doc[groups][1].start, doc[groups][1].length })
         doc[points]:insert({}, { at = 1 })
         assert.same({ 1, 21 }, { doc[groups][1].start, doc[groups][1].length })
         doc[points]:insert{}
         assert.equal(17, doc[groups][4].length)
         assert_kept()
         assert_sound()
      end)

      it("can't come to a place outside of their group", function()
         local bytes = doc:bytes()
         for _, at in ipairs{ 1, 19, 31, 55 } do
            assert.error_matches(function() doc[points]:insert({}, { group = 2, at = at }) end,
               "does not lie in or beside group 2")
         end
         assert.error_matches(function() doc[points]:insert({}, { group = 5 }) end, "expected 1 to 4, got 5")
         assert_bytes(bytes)
      end)

      it("take their group with them when the last one goes", function()
         local second, third = doc[groups][2], doc[groups][3]
         doc[points]:remove(20, 9)
         assert.same({ 20, 1 }, { second.start, second.length })
         doc[points]:remove(20)
         assert.is_false(alive(second))
         assert.same({ 3, 2 }, { #doc[groups], third.index })
         assert.same({ 0, 2, 0, 0, 0, 0 }, links(doc[groups][1], "next")) -- the other way keeps its slot
         assert_kept()
         assert_sound()
      end)

      it("go from several groups at once", function()
         local all = {}
         for i = 1, 4 do all[i] = doc[groups][i] end
         doc[points]:remove(15, 20)
         assert.same({ true, false, true, true }, { alive(all[1]), alive(all[2]), alive(all[3]), alive(all[4]) })
         assert.same({ { 1, 14 }, { 15, 5 }, { 20, 16 } }, spans(doc[groups]))
         assert_kept()
         assert_sound()
      end)

      it("go all", function()
         doc[points]:remove(1, 55)
         assert.same({ 0, 0 }, { #doc[points], #doc[groups] })
         assert.same({}, references.wrong(doc, before))
      end)
   end)

   describe(groups, function()
      it("come without points, which then can be given", function()
         local new = doc[groups]:insert({ prev = { 1 }, next = { 4 } }, { at = 3 })
         assert.same({ 3, 30, 0 }, { new.index, new.start, new.length })
         -- Numbers in the table count as they do with the new group.
         assert.same({ 1, 4 }, { new.prev[1], new.next[1] })
         assert_kept()
         doc[points]:insert({}, { group = new })
         doc[points]:insert({}, { group = new })
         assert.same({ { 1, 19 }, { 20, 10 }, { 30, 2 }, { 32, 10 }, { 42, 16 } }, spans(doc[groups]))
         assert_kept()
      end)

      it("go with their points", function()
         local group = doc[groups][2]
         local own = references.points(doc, group, groups)
         doc[groups]:remove(group)
         for _, point in ipairs(own) do assert.is_false(alive(point)) end
         assert.same({ { 1, 19 }, { 20, 10 }, { 30, 16 } }, spans(doc[groups]))
         assert_kept()
         assert_sound()
      end)

      it("go, but not with points that another group holds, too", function()
         doc[groups][3].start, doc[groups][3].length = 25, 15
         local shared, own = doc[points][25], doc[points][24]
         doc[groups]:remove(2)
         assert.same({ true, false }, { alive(shared), alive(own) })
         assert.same({ { 1, 19 }, { 20, 15 }, { 35, 16 } }, spans(doc[groups]))
      end)

      it("take their points along when they change places", function()
         doc[groups]:move(4, 2)
         assert.same({ { 1, 19 }, { 20, 16 }, { 36, 10 }, { 46, 10 } }, spans(doc[groups]))
         assert_kept()
         assert_sound()
         doc[groups]:sort(function(a, b) return a.length < b.length end)
         assert.same({ { 1, 10 }, { 11, 10 }, { 21, 16 }, { 37, 19 } }, spans(doc[groups]))
         assert_kept()
         assert_sound()
      end)

      it("give the same bytes when they come back to their places", function()
         local bytes = doc:bytes()
         doc[groups]:move(1, 4)
         doc[groups]:move(4, 1)
         assert_bytes(bytes)
      end)

      it("are split, and linked in between", function()
         local first, last = doc[groups][1], doc[groups][4]
         local second = doc[groups]:split(1, 8)
         assert.same({ { 1, 7 }, { 8, 12 } }, { spans(doc[groups])[1], spans(doc[groups])[2] })
         assert.same({ 2, 0, 0, 0, 0, 0 }, links(first, "next"))
         assert.same({ 1, 0, 0, 0, 0, 0 }, links(second, "prev"))
         assert.same({ 3, 4, 0, 0, 0, 0 }, links(second, "next"))
         assert.same({ 5, 0, 0, 0, 0, 0 }, links(first, "prev"))
         assert.same({ 2, 0, 0, 0, 0, 0 }, links(doc[groups][3], "prev"))
         assert.same({ 1, 0, 0, 0, 0, 0 }, links(last, "next"))
         assert_sound()
      end)

      it("are split at each place, and joined again to the same bytes", function()
         local bytes = doc:bytes()
         for at = 2, 19 do
            local second = doc[groups]:split(1, at)
            assert.equal(at, second.start)
            doc[groups]:join(1, second)
            assert.is_false(alive(second))
            assert_bytes(bytes)
         end
      end)

      it("that lead to themselves are split, too", function()
         doc[groups]:remove(2, 3)
         doc[groups][1].prev, doc[groups][1].next = { 1 }, { 1 }
         local bytes = doc:bytes()
         local second = doc[groups]:split(1, 5)
         assert.same({ 2, 1, 2, 1 }, { doc[groups][1].next[1], second.next[1], doc[groups][1].prev[1], second.prev[1] })
         doc[groups]:join(1, 2)
         assert_bytes(bytes)
      end)

      it("can't be split where there are no points", function()
         local bytes = doc:bytes()
         for _, at in ipairs{ -1, 0, 1, 20, 99 } do
            assert.is_false(pcall(doc[groups].split, doc[groups], 1, at))
         end
         assert.is_false(pcall(doc[groups].split, doc[groups], 5, 2))
         assert_bytes(bytes)
      end)

      it("are joined wherever they stand", function()
         doc[groups]:split(1, 8)
         doc[groups]:move(2, 5)
         doc[groups]:join(1, 5)
         assert_kept()
         assert_sound()
         assert.same({ { 1, 19 }, { 20, 10 }, { 30, 10 }, { 40, 16 } }, spans(doc[groups]))
         doc[groups]:split(4, 8)
         doc[groups]:move(5, 1)
         doc[groups]:join(5, 1)
         assert_kept()
         assert_sound()
      end)

      it("can't be joined if others lead there, too", function()
         local bytes = doc:bytes()
         for _, two in ipairs{ { 1, 2 }, { 2, 4 }, { 1, 1 }, { 2, 3 }, { 1, 4 } } do
            assert.error_matches(function() doc[groups]:join(two[1], two[2]) end, "not linked to each other alone")
         end
         assert_bytes(bytes)
      end)
   end)
end

describe("groups without points", function()
   it("stay behind the one that grows, in whatever order the groups are", function()
      -- The fourth point is in no group, so that groups keep their places.
      local odd = kart.kmp.new{ enpt = { {}, {}, {}, {} }, enph = { { start = 1, length = 3 } } }
      odd.enph:insert{}
      odd.enph:move(2, 1)
      assert.same({ { 4, 0 }, { 1, 3 } }, spans(odd.enph))
      odd.enpt:insert({}, { group = 2 })
      odd.enpt:insert({}, { group = 1 })
      assert.same({ { 5, 1 }, { 1, 4 } }, spans(odd.enph))
   end)
end)

describe("checkpoints", function()
   it("are linked into their group", function()
      for _, at in ipairs{ 1, 10, 20 } do
         doc.ckpt:insert({ type = -1 }, { group = 1, at = at })
         assert_sound()
      end
      doc.ckpt:move(5, 15)
      assert_sound()
      doc.ckpt:remove(1)
      assert_sound()
      doc.ckpt:sort(function(a, b) return a.left.x < b.left.x end)
      assert_sound()
   end)

   it("keep links of their own, where there were any", function()
      doc.ckpt[3].next = 5
      local fifth = doc.ckpt[5]
      doc.ckpt:insert({}, { at = 1, group = 1 })
      assert.equal(fifth, doc.ckpt[4]:target "next")
      doc.ckpt:insert({}, { at = 30, group = 2 })
      assert.equal(fifth, doc.ckpt[4]:target "next")
      assert.equal(31, doc.ckpt[30].next) -- group 2 was in order
   end)

   it("are never linked to one that a byte can't name", function()
      for _ = #doc.ckpt + 1, 255 do doc.ckpt:insert({}, { group = 4, at = 41 }) end
      pcall(doc.ckpt.insert, doc.ckpt, {}, { group = 4 })
      assert_sound()
   end)
end)

describe("an arena's groups", function()
   it("keep their dispatch word", function()
      doc = tools.open "arena"
      local words = {}
      for i, group in ipairs(doc.enph) do words[i] = { group, group.dispatch } end
      doc.enph:move(1, #doc.enph)
      doc.enph:insert({}, { at = 2 })
      for _, entry in ipairs(words) do assert.equal(entry[2], entry[1].dispatch) end
   end)

   -- Bit 0 to 5: a prev link hangs on the first point; 6 to 11: a next link hangs on the last one.
   describe("when one is split", function()
      local from_first, from_last, to_last, group

      before_each(function()
         doc = kart.kmp.new{}
         doc.enpt:insert{ position = { 0, 0, 0 } }
         for _ = 1, 4 do doc.enph:insert{} end
         for i = 1, 4 do
            for n = 1, 4 do doc.enpt:insert({ position = { i, 0, n } }, { group = i }) end
         end
         group = doc.enph[1]
         from_first, from_last, to_last = doc.enph[2], doc.enph[3], doc.enph[4]
         from_first.prev, from_first.dispatch = { 1 }, 0x1
         from_last.prev = { 1 }
         to_last.next, to_last.dispatch = { 1 }, 0x40
         group.prev, group.next, group.dispatch = { 2 }, { 3, 4 }, 0x81
      end)

      it("links stay at their points", function()
         local new = doc.enph:split(1, 3)
         assert.same({ 1, 2, 2 }, { from_first.prev[1], from_last.prev[1], to_last.next[1] })
         assert.same({ 0x1, 0x80 }, { group.dispatch, new.dispatch })
      end)

      it("joining gives back what was", function()
         local bytes = doc:bytes()
         doc.enph:split(1, 3)
         doc.enph:join(1, 2)
         assert.is_true(bytes == doc:bytes())
      end)

      it("a link to where the two meet keeps them apart", function()
         doc.enph:split(1, 3)
         from_last.dispatch = 0x1
         from_last.prev = { 2 }
         assert.is_false(pcall(doc.enph.join, doc.enph, 1, 2))
      end)
   end)
end)
