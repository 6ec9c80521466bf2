-- Files of an archive as documents: opened when they are asked for, taken in when the archive is written.
local reader = require "spec.szs.reader"
local tools = require "spec.szs.tools"

local function course() return tools.open "course.szs" end

-- The bytes of a file as another program would find them in what the archive writes.
local function written(doc, path) return select(2, reader.files(doc:bytes()))[path] end

local function object_of(doc, path) return kart.kmp.parse(written(doc, path or "course.kmp")).gobj[1].id end

local function fails(code, text, result, message, found)
   assert.is_nil(result)
   assert.equal(code, found, message)
   assert.truthy(message:find(text, 1, true), message)
end

local function collect()
   collectgarbage()
   collectgarbage()
end

describe("an open file", function()
   it("is the same document each time", function()
      local doc = course()
      assert.equal("kmp", kart.type(doc.kmp))
      assert.equal("kcl", kart.type(doc.kcl))
      assert.equal(doc.kmp, doc:open "course.kmp")
      assert.equal(doc.kmp, doc:open "./course.kmp")
      assert.equal(doc.kcl, doc:open("course.kcl", { game = "mkw" }))
      assert.equal(doc:open "obj/rock.kcl", doc:open(doc.objects[1]))
      assert.is_true(doc.kmp:bytes() == written(course(), "course.kmp"))
   end)

   it("is in the archive's bytes with what was done to it", function()
      local doc = course()
      doc.kmp.gobj[1].id = 102
      doc.kcl.prisms[1].flag = 0x0042
      doc:open("obj/rock.kcl").prisms[1].flag = 0x0043
      assert.equal(102, object_of(doc))
      assert.is_true(written(doc, "course.kcl") == doc.kcl:bytes())
      assert.equal(0x0043, kart.kcl.parse(written(doc, "obj/rock.kcl")).prisms[1].flag)
      doc.kmp.gobj[1].id = 103
      assert.equal(103, object_of(doc))
   end)

   it("keeps what was done to it when it is closed", function()
      local doc = course()
      do
         local kmp <close> = doc.kmp
         kmp.gobj[1].id = 102
      end
      assert.equal(102, object_of(doc))
      local again = doc.kmp
      assert.equal(102, again.gobj[1].id)
      again:close()
      again:close()
      assert.error_matches(function() return again.gobj end, "closed")
      assert.equal(102, doc.kmp.gobj[1].id)
   end)

   it("can be closed while another one can't be built", function()
      local doc = tools.unbuildable()
      assert(doc:translate(tools.rounding))
      local turned = doc.kmp.gobj[1].position
      doc.kmp:close()
      assert.equal(turned, doc.kmp.gobj[1].position)
      -- What was done to this one can't be kept.
      assert.error_matches(function() doc.kcl:close() end, "course.kcl: ")
      assert(doc:mirror "x")
   end)

   it("goes on by itself when the archive is closed", function()
      local doc = course()
      local kmp = doc.kmp
      kmp.gobj[1].id = 102
      doc:close()
      doc:close()
      assert.error_matches(function() return doc.kmp end, "the document is closed")
      assert.error_matches(function() doc:list() end, "the document is closed")
      assert.equal("szs (closed)", tostring(doc))
      assert.equal(102, kmp.gobj[1].id)
      assert.equal(102, kart.kmp.parse(kmp:bytes()).gobj[1].id)
      kmp:close()
   end)

   it("is mirrored, checked and saved like any other document", function()
      local doc = course()
      assert(doc.kmp:mirror "x")
      assert.equal(-300, kart.kmp.parse(written(doc, "course.kmp")).gobj[1].position.x)
      assert.is_table(doc.kcl:check())
      assert.is_table(doc.kmp:check())
   end)
end)

describe("what can't be opened", function()
   it("is named as kart.open names it", function()
      local doc = course()
      assert(doc:add("text.txt", "a text"))
      assert(doc:add("other.arc", "SARC" .. ("\0"):rep(60)))
      local kinds = "file at 0x0: not a course file: expected KMP, KCL, AGP, szs or OBJ, found "
      fails("unsupported", "course_model.brres: " .. kinds .. "a model", doc:open "course_model.brres")
      fails("unsupported", "other.arc: " .. kinds .. "a SARC archive", doc:open "other.arc")
      fails("format", "text.txt: file at 0x0: not a course file that kartlua knows", doc:open "text.txt")
      assert(doc:add("town.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n"))
      fails("unsupported", "town.obj: an OBJ, which is not opened in an archive", doc:open "town.obj")
      assert.equal(1, #assert(kart.mesh.parse(doc:read "town.obj")).triangles)
      fails("io", "there is no \"none\"", doc:open "none")
      fails("io", "\"obj\" is a folder", doc:open "obj")
   end)

   it("raises when it is no path, or for options that there aren't", function()
      assert.error_matches(function() course():open() end, "string expected")
      assert.error_matches(function() course():open("course.kcl", { game = "tetris" }) end, "tetris")
      assert.error_matches(function() course():open("course.kcl", { level = "best" }) end, "unknown option 'level'")
   end)

   it("is damaged, and stays as it is", function()
      for _, path in ipairs{ "course.kmp", "course.kcl" } do
         local doc = course()
         local damaged = doc:read(path):sub(1, 70)
         assert(doc:replace(path, damaged))
         local before = doc:bytes()
         local result, message = doc:open(path, { game = "mkw" })
         assert.is_nil(result)
         assert.equal(path .. ": ", message:sub(1, #path + 2))
         assert.error_matches(function() return doc[path:match "%.(.*)"] end, path .. ": ")
         local done, why, code = doc:mirror "x"
         assert.is_nil(done)
         assert.equal("format", code)
         assert.equal(path .. ": ", why:sub(1, #path + 2))
         assert.is_true(doc:bytes() == before)
         assert.same({}, doc.warnings)
      end
   end)

   it("has another kind than its name says", function()
      local doc = course()
      local points = doc:read "course.kmp"
      assert(doc:replace("course.kmp", doc:read "course.kcl"))
      local before = doc:bytes()
      assert.error_matches(function() return doc.kmp end, "course.kmp: it holds a kcl")
      fails("format", "course.kmp: it holds a kcl", doc:mirror "x")
      assert.is_true(doc:bytes() == before)
      assert.equal("kcl", kart.type(doc:open "course.kmp"))
      assert(doc:replace("obj/rock.kcl", points))
      assert(doc:replace("course.kmp", points))
      fails("format", "obj/rock.kcl: it holds a kmp", doc:mirror("x", { object_kcl = true }))
      assert(doc:mirror "x")
   end)
end)

describe("an archive in an archive", function()
   it("is opened and taken in like any other file", function()
      local outer = tools.open "archive_in_archive.szs"
      local inner = outer:open "inner.szs"
      assert.equal("szs", kart.type(inner))
      assert.equal(inner, outer:open "inner.szs")
      assert.is_true(outer:bytes() == tools.bytes "archive_in_archive.szs")
      inner.kmp.gobj[1].id = 102
      assert.equal(102, object_of(assert(kart.szs.parse(written(outer, "inner.szs")))))
      assert.equal(101, object_of(outer))
   end)

   it("keeps what was done when the inner documents are closed", function()
      for _, order in ipairs{ { "kmp", "inner" }, { "inner", "kmp" }, { "kmp" }, { "inner" } } do
         local outer = tools.open "archive_in_archive.szs"
         local inner = outer:open "inner.szs"
         local open = { inner = inner, kmp = inner.kmp }
         open.kmp.gobj[1].id = 102
         for _, name in ipairs(order) do open[name]:close() end
         assert.equal(102, outer:open("inner.szs").kmp.gobj[1].id, table.concat(order, " "))
         assert.equal(102, object_of(assert(kart.szs.parse(written(outer, "inner.szs")))))
      end
   end)

   it("of any depth", function()
      local bytes, path = tools.bytes "course.szs", "in.szs"
      for _ = 1, 40 do bytes = tools.archive{ [path] = bytes } end
      local outer = assert(kart.szs.parse(bytes))
      local at = outer
      for _ = 1, 40 do at = assert(at:open(path)) end
      at.kmp.gobj[1].id = 102
      -- What lies on the stack behind a call is no table of options for the inner ones.
      for _, level in ipairs{ "fast", "best", "default" } do assert(outer:bytes{ level = level }) end
      local inside = outer:bytes()
      for _ = 1, 40 do inside = select(2, reader.files(inside))[path] end
      assert.equal(102, object_of(assert(kart.szs.parse(inside))))
   end)

   it("names the way to what is wrong", function()
      local outer = tools.open "archive_in_archive.szs"
      local inner = outer:open "inner.szs"
      assert(inner:add("course.kcl", tools.unbuildable():read "course.kcl"))
      assert(inner:translate(tools.rounding))
      fails("unsupported", "course.kcl: ", outer:bytes())
   end)
end)

describe("a clone", function()
   it("has what was done, and documents of its own", function()
      local doc = course()
      doc.kmp.gobj[1].id = 102
      local copy = assert(doc:clone())
      assert.are_not.equal(doc.kmp, copy.kmp)
      assert.equal(102, copy.kmp.gobj[1].id)
      copy.kmp.gobj[1].id = 103
      doc.kmp.gobj[1].id = 104
      assert.equal(103, object_of(copy))
      assert.equal(104, object_of(doc))
      doc:close()
      assert.equal(103, object_of(copy))
   end)

   it("is byte for byte what it was made from", function()
      for _, name in ipairs(tools.names()) do
         local doc = tools.open(name)
         assert.is_true(doc:clone():clone():bytes() == tools.bytes(name))
         assert(doc:add("zz/new.bin", "new"))
         assert.is_true(doc:clone():bytes() == doc:bytes())
      end
   end)
end)

describe("warnings", function()
   it("are those of the archive and of the documents that are open, with the member", function()
      local doc = tools.open "trailing_bytes.szs"
      assert.equal(1, #doc.warnings)
      assert.is_nil(doc.warnings[1].member)
      assert.equal("trailing-bytes", doc.warnings[1].rule)
      assert.matches("^hint: 60 bytes behind the compressed archive", tostring(doc.warnings[1]))
      assert(doc:replace("course.kmp", require "spec.kmp.tools".bytes "length_0"))
      assert.equal(1, #doc.warnings)
      assert(doc.kmp)
      assert.equal(2, #doc.warnings)
      assert.equal("course.kmp", doc.warnings[2].member)
      assert.equal("file-length", doc.warnings[2].rule)
      assert.matches("^course.kmp: warning: ", tostring(doc.warnings[2]))
      doc.kmp:close()
      assert.equal(1, #doc.warnings)
   end)

   it("follow their file to another place and name, and lose it when it goes", function()
      local doc = course()
      assert(doc:mirror "x")
      assert.equal("vrcorn_model.brres", tools.finding(doc.warnings, "member-stays", "vrcorn_model.brres").member)
      assert(doc:remove "effect")
      assert(doc:add("obj/a.bin", ""))
      assert(doc:rename("vrcorn_model.brres", "sky.brres"))
      assert.matches("surroundings", tools.finding(doc.warnings, "member-stays", "sky.brres").message)
      assert.matches("map", tools.finding(doc.warnings, "member-stays", "map_model.brres").message)
      local copy = doc:clone()
      assert.matches("surroundings", tools.finding(copy.warnings, "member-stays", "sky.brres").message)
      assert(doc:remove "sky.brres")
      local left = {}
      for _, warning in ipairs(doc.warnings) do
         if warning.message:find "surroundings" then left[#left + 1] = warning.member or "gone" end
      end
      assert.same({ "gone" }, left)
   end)
end)

describe("the collector", function()
   it("keeps an archive while a document of its files is held, and their documents while it is", function()
      local kmp = course().kmp
      collect()
      kmp.gobj[1].id = 102
      kmp:close()
      local doc = course()
      doc.kmp.gobj[1].id = 102
      collect()
      assert.equal(102, doc.kmp.gobj[1].id)
      assert.equal(102, object_of(doc))
   end)

   it("takes archives and their documents together", function()
      local weak = setmetatable({}, { __mode = "k" })
      for _ = 1, 20 do
         local doc = tools.open "archive_in_archive.szs"
         weak[doc], weak[doc:open "inner.szs"], weak[doc:open("inner.szs").kmp], weak[doc.kmp] = 1, 1, 1, 1
      end
      collect()
      assert.is_nil(next(weak))
   end)

   it("may come at any time", function()
      local pause, multiplier = collectgarbage("setpause", 0), collectgarbage("setstepmul", 1000)
      local ok, problem = pcall(function()
         for _, name in ipairs{ "course.szs", "archive_in_archive.szs", "names_twice.szs", "trailing_bytes.szs" } do
            local doc = tools.open(name)
            for _, file in ipairs(doc:list()) do doc:open(file.path) end
            doc:mirror("x", { object_kcl = true })
            for _, warning in ipairs(doc.warnings) do tostring(warning) end
            local copy = doc:clone()
            assert(copy:add("new/x.bin", "x"))
            assert(copy:rename("new", "newer"))
            assert(copy:bytes() ~= doc:bytes())
            for _, path in ipairs(copy.objects) do copy:open(path):close() end
            copy:close()
            assert(not pcall(copy.list, copy) and tostring(copy))
            assert(not doc:read "none" and not doc:open "none" and not pcall(doc.bytes, doc, { level = 1 }))
         end
      end)
      collectgarbage("setpause", pause)
      collectgarbage("setstepmul", multiplier)
      if not ok then error(problem, 0) end
   end)
end)
