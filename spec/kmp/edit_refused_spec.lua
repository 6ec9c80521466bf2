-- What editing refuses: limits of the file and of the game, wrong places, fields that can't be filled in.
-- Nothing has changed then.
local change = require "spec.kmp.cases.change"
local tools = require "spec.kmp.tools"

-- Bytes are nothing to be shown where they differ.
local function assert_bytes(expected, doc)
   assert.is_true(expected == doc:bytes(), "other bytes")
end

-- `edit` raises a message that matches, and nothing has changed.
local function refuses(doc, message, edit)
   local before = doc:bytes()
   assert.error_matches(edit, message)
   assert_bytes(before, doc)
end

describe("an edit that can't be done leaves everything as it was:", function()
   local doc
   before_each(function() doc = tools.open "race" end)

   it("more enemy or item points than the game takes", function()
      for _, name in ipairs{ "enpt", "itpt" } do
         for _ = #doc[name] + 1, 255 do doc[name]:insert({}, { at = 1, group = 1 }) end
         refuses(doc, "255", function() doc[name]:insert({}, { at = 1, group = 1 }) end)
      end
   end)

   it("a record that a byte can't name any more", function()
      for _ = #doc.jgpt + 1, 255 do doc.jgpt:insert{} end
      doc.ckpt[1].respawn = 255
      doc.jgpt:insert{}
      refuses(doc, "ckpt%.respawn could not name jgpt 256", function() doc.jgpt:insert({}, { at = 3 }) end)
      refuses(doc, "ckpt%.respawn could not name", function() doc.jgpt:move(255, 256) end)
   end)

   it("a group that would begin or end past what a byte holds", function()
      local many = doc:clone()
      for _ = #doc.ckpt + 1, 255 do doc.ckpt:insert({}, { group = 1 }) end
      refuses(doc, "could not name ckpt 256", function() doc.ckpt:insert({}, { group = 1 }) end)
      refuses(doc, "could not name ckpt 256", function() doc.ckpt:insert({}, { group = 4, at = 250 }) end)
      -- One group of all points would hold more than 255 of them.
      many.ckph:remove(2, 3)
      for _ = #many.ckpt + 1, 255 do many.ckpt:insert({}, { at = 1 }) end
      refuses(many, "", function() many.ckpt:insert{} end)
   end)

   it("points that would leave their group", function()
      refuses(doc, "within their group", function() doc.enpt:move(1, 20) end)
      refuses(doc, "does not lie in or beside", function() doc.enpt:insert({}, { at = 1, group = 3 }) end)
   end)

   it("options among the fields", function()
      refuses(doc, "'group' is no field but an option: insert%({ ... }, { group = 2 }%)", function()
         doc.enpt:insert{ position = { 0, 0, 0 }, group = 2 }
      end)
      refuses(doc, "'at' is no field but an option: insert%({ ... }, { at = enpt%[3%] }%)", function()
         doc.enpt:insert{ at = doc.enpt[3] }
      end)
   end)

   it("wrong places", function()
      for _, at in ipairs{ 0, -1, 53, 1.5, "x", {}, true } do
         refuses(doc, "", function() doc.gobj:insert({}, { at = at }) end)
         refuses(doc, "", function() doc.gobj:remove(at) end)
         refuses(doc, "", function() doc.gobj:move(at, 1) end)
         refuses(doc, "", function() doc.gobj:move(1, at) end)
      end
      local function at(place)
         return function() doc.gobj:insert({}, { at = place }) end
      end
      refuses(doc, "argument #2 .-option 'at': expected 1 to 52, got 53", at(53))
      refuses(doc, "option 'at': expected an index or a record, got x", at "x")
      refuses(doc, "option 'at': a record of another section", at(doc.area[1]))
      refuses(doc, "option 'group': expected 1 to 4, got 5", function() doc.enpt:insert({}, { group = 5 }) end)
      refuses(doc, "expected an index or a record, got x", function() doc.gobj:remove "x" end)
      refuses(doc, "there are not so many records", function() doc.gobj:remove(50, 3) end)
      refuses(doc, "there are not so many records", function() doc.gobj:remove(1, 0) end)
      refuses(doc, "expected 1 to 51, got 52", function() doc.gobj:remove(52) end)
      refuses(doc, "a record of another section", function() doc.gobj:remove(doc.area[1]) end)
      refuses(doc, "a record of another section", function() doc.gobj:remove(tools.open "race".gobj[1]) end)
      refuses(doc, "a record of another section", function() doc.poti[1].points:remove(doc.poti[2].points[1]) end)
   end)

   it("wrong arguments", function()
      refuses(doc, "table expected", function() doc.gobj:insert() end)
      refuses(doc, "unknown option 'att'", function() doc.gobj:insert({}, { att = 1 }) end)
      refuses(doc, "has no groups", function() doc.gobj:insert({}, { group = 1 }) end)
      refuses(doc, "function expected", function() doc.gobj:sort() end)
      refuses(doc, "no section of groups", function() doc.gobj:split(1, 2) end)
      refuses(doc, "no section of groups", function() doc.gobj:join(1, 2) end)
   end)

   it("fields that can't be filled in", function()
      refuses(doc, "gobj%[52%]%.id: expected 0 to 65535, got 70000", function() doc.gobj:insert{ id = 70000 } end)
      refuses(doc, "gobj%[1%] has no field 'idd'", function() doc.gobj:insert({ idd = 1 }, { at = 1 }) end)
      refuses(doc, "gobj%[52%]%.position", function() doc.gobj:insert{ position = { 0, 0 / 0, 0 } } end)
      refuses(doc, "poti%[10%]%.points%[2%]%.speed", function()
         doc.poti:insert{ points = { { speed = 1 }, { speed = -1 } } }
      end)
      refuses(doc, "points: expected a list", function() doc.poti:insert{ points = 3 } end)
      refuses(doc, "points: expected a list of tables", function() doc.poti:insert{ points = { 3 } } end)
      refuses(doc, "points%[3%]%.speed", function() doc.poti[6].points:insert{ speed = 70000 } end)
      refuses(doc, "enpt%[1%] has no field 'x'", function() doc.enpt:insert({ x = 1 }, { at = 1, group = 1 }) end)
   end)

   it("fields that can't be filled in, in a group without points", function()
      doc.enph:insert{}
      refuses(doc, "has no field 'x'", function() doc.enpt:insert({ x = 1 }, { group = 5 }) end)
   end)

   it("fields that can't be filled in, beside references out of range", function()
      local odd = change.raw(doc, "gobj", 1, "route", 9)
      refuses(odd, "has no field 'x'", function() odd.poti:insert({ x = 1 }, { at = 1 }) end)
   end)

   it("a comparison that raises or edits", function()
      refuses(doc, "no order", function() doc.gobj:sort(function() error "no order" end) end)
      assert.error_matches(function()
         doc.gobj:sort(function()
            if #doc.gobj > 50 then doc.gobj:remove(1) end
            return false
         end)
      end, "edited while it was sorted")
   end)

   it("a document that is closed", function()
      local section = doc.gobj
      doc:close()
      for _, use in ipairs{ "insert", "remove", "move", "sort", "split", "join" } do
         assert.error_matches(function() section[use](section, {}) end, "closed")
      end
   end)
end)
