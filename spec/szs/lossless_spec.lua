-- Nothing that wasn't changed is lost: judged by a reader that shares nothing with the program.
local reader = require "spec.szs.reader"
local tools = require "spec.szs.tools"

local NAMES = tools.names()
NAMES[#NAMES + 1] = "race.szs"

-- The files of a sample that have bytes, by path: those that the document can name.
local function files_of(doc)
   local files = {}
   for _, file in ipairs(doc:list()) do
      if not file.folder then files[#files + 1] = file.path end
   end
   return files
end

describe("a sample that wasn't changed", function()
   for _, name in ipairs(NAMES) do
      it("comes back byte for byte: " .. name, function()
         local bytes = tools.bytes(name)
         local doc = tools.open(name)
         assert.is_true(doc:bytes() == bytes)
         -- Looking at it is no change.
         for _, file in ipairs(doc:list()) do
            assert.is_false(file.changed)
            if not file.folder then assert(doc:read(file.path)) end
         end
         assert.is_true(doc.kmp == nil or #doc.kmp.ktpt >= 0)
         assert.is_true(doc.kcl == nil or doc.kcl:stats() ~= nil)
         for _, path in ipairs(doc.objects) do assert(doc:open(path):check()) end
         assert.is_true(doc:bytes{ level = "best" } == bytes)
         assert.is_true(assert(doc:clone()):bytes() == bytes)
      end)
   end

   it("is read as the independent reader reads it", function()
      local count = 0
      for _, name in ipairs(NAMES) do
         if name ~= "names_twice.szs" then -- a path leads to the first one only
            local doc, order, files = tools.open(name), reader.files(tools.bytes(name))
            assert.same(order, files_of(doc), name)
            for _, path in ipairs(order) do
               assert.is_true(doc:read(path) == files[path], name .. " " .. path)
               count = count + 1
            end
         end
      end
      assert(count > 80, count)
   end)
end)

-- A change of one file: every other one keeps its bytes, its place in the order, and its alignment; header,
-- nodes and names keep theirs.
local function check_change(name, path, new)
   local doc = tools.open(name)
   local before, own = reader.unpack(tools.bytes(name)), doc:read(path)
   assert(doc:replace(path, new))
   local bytes = assert(doc:bytes())
   local after, alignment = reader.unpack(bytes)
   assert.equal(select(2, reader.unpack(tools.bytes(name))), alignment, "the alignment of the header")
   assert.equal(bytes:sub(1, 4) == "Yaz0", doc.packed)
   assert.is_true(reader.frame(after) == reader.frame(before), "header, nodes and names")
   local old, nodes, changed = reader.nodes(before), reader.nodes(after), 0
   assert.equal(#old, #nodes)
   for i = 0, #old do
      local is_it = not old[i].folder and old[i].path:gsub("^%./", "") == path
      if is_it and changed == 0 then
         changed = 1
         assert.is_true(nodes[i].bytes == new)
      else
         assert.is_true(nodes[i].bytes == old[i].bytes, nodes[i].path)
      end
   end
   assert.equal(1, changed)
   -- What is empty has no place in the order.
   if #own > 0 then assert.same(reader.by_place(before), reader.by_place(after)) end
   assert.is_true(reader.alignment(after, 32) >= reader.alignment(before, 32), "the alignment of files")
   -- And back again.
   assert(doc:replace(path, own))
   assert.is_true(doc:bytes() == tools.bytes(name))
end

describe("a change of one file keeps all that is around it:", function()
   for _, name in ipairs(NAMES) do
      it(name, function()
         for _, path in ipairs(files_of(tools.open(name))) do
            local old = tools.open(name):read(path)
            check_change(name, path, old .. ("longer"):rep(20))
            check_change(name, path, "x")
            if #old > 0 then check_change(name, path, ("\xA5"):rep(#old)) end
         end
      end)
   end

   it("a file of the same size leaves all other bytes where they are", function()
      for _, name in ipairs{ "gaps_between_files.arc", "trailing_bytes.arc", "alignment_64.arc", "alignment_1.arc" } do
         local doc, before = tools.open(name), tools.bytes(name)
         assert(doc:replace("b.bin", "SECOND"))
         local at = before:find("second", 1, true)
         assert.equal(before:sub(1, at - 1) .. "SECOND" .. before:sub(at + 6), doc:bytes())
      end
   end)

   it("files that share their bytes part when one is changed, and others go on sharing", function()
      local doc = tools.open "names_shared.szs"
      assert(doc:replace("one/note.txt", "longer than it was"))
      local nodes = reader.nodes((reader.unpack(doc:bytes())))
      local places = {}
      for i = 0, #nodes do
         if nodes[i].name == "model.brres" then places[#places + 1] = nodes[i].place end
      end
      assert.equal(2, #places)
      assert.equal(places[1], places[2])
      assert(doc:replace("one/model.brres", ("m"):rep(64)))
      local _, files = reader.files(doc:bytes())
      assert.equal(("m"):rep(64), files["one/model.brres"])
      assert.matches("^bres", files["two/model.brres"])
   end)
end)

describe("an edited document", function()
   it("gives what it opened back, and only that", function()
      local doc = tools.open "race.szs"
      doc.kmp.gobj[1].position = doc.kmp.gobj[1].position + kart.vec(0, 1, 0)
      local order, files = reader.files(doc:bytes())
      local order_before, before = reader.files(tools.bytes "race.szs")
      assert.same(order_before, order)
      for _, path in ipairs(order) do assert.equal(path ~= "course.kmp", files[path] == before[path], path) end
      assert.is_true(files["course.kmp"] == doc.kmp:bytes())
   end)

   it("rewrites names and nodes when files come and go, and keeps the marks of the header", function()
      local doc = tools.open "marks_in_header.szs"
      assert(doc:add("new/file.bin", "new"))
      assert(doc:remove "a.bin")
      local bare = reader.unpack(doc:bytes())
      assert.equal("\xCC\xCC\xCC\xCCmade by tool", bare:sub(17, 32))
      local order, files = reader.files(bare)
      assert.same({ "course.kmp", "b.bin", "c.bin", "new/file.bin" }, order)
      assert.equal("new", files["new/file.bin"])
      assert.equal("second", files["b.bin"])
   end)

   it("compresses at the level that is asked for", function()
      local doc, size = tools.open "race.szs", {}
      assert(doc:replace("course_model.brres", "other"))
      for _, level in ipairs{ "fast", "default", "best" } do
         local bytes = assert(doc:bytes{ level = level })
         size[level] = #bytes
         assert.is_true(reader.unpack(bytes) == reader.unpack(doc:bytes()))
      end
      assert(size.best <= size.default and size.default < size.fast)
   end)
end)

describe("archives of", function()
   it("no file and of one", function()
      for _, packed in ipairs{ true, false } do
         local doc = kart.szs.new{ packed = packed }
         assert.same({}, reader.files(doc:bytes()))
         assert.same({}, kart.szs.parse(doc:bytes()):list())
         assert(doc:add("only.bin", "alone"))
         local order, files = reader.files(doc:bytes())
         assert.same({ "only.bin" }, order)
         assert.equal("alone", files["only.bin"])
         assert.equal(".", reader.nodes((reader.unpack(doc:bytes())))[1].name)
         assert(doc:remove "only.bin")
         assert.same({}, reader.files(doc:bytes()))
      end
   end)

   it("10,000 files", function()
      local archivefile, list = require "samples.archivefile", {}
      for i = 1, 10000 do list[i] = { ("f%05d.bin"):format(i), tostring(i) } end
      local bare = archivefile.u8({ { ".", list } }, { alignment = 4 })
      local doc = assert(kart.szs.parse(bare))
      assert.is_true(doc:bytes() == bare)
      assert.equal(10000, #doc:list())
      assert.equal("7777", doc:read "f07777.bin")
      assert(doc:replace("f05000.bin", "another"))
      assert(doc:remove "f00001.bin")
      assert(doc:add("zz.bin", "last"))
      local order, files = reader.files(doc:bytes())
      assert.equal(10000, #order)
      for i = 2, 10000 do
         local name = ("f%05d.bin"):format(i)
         assert(order[i - 1] == name and files[name] == (i == 5000 and "another" or tostring(i)), name)
      end
      assert.equal("zz.bin", order[10000])
      assert.equal("last", files["zz.bin"])
   end)

   it("folders as deep as there may be", function()
      local doc = tools.open "deep_folders.szs"
      local path = doc:list()[62].path
      assert.equal("at the bottom", doc:read(path))
      assert(doc:replace(path, "deeper"))
      local order, files = reader.files(doc:bytes())
      assert.same({ path }, order)
      assert.equal("deeper", files[path])
      assert.equal("limit", select(3, doc:add(path:gsub("[^/]+$", "a/b"), "")))
   end)
end)
