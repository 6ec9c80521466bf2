-- Every method and property of archives: what it does, how it fails, and what raises.
local lfs = require "lfs"
local archivefile = require "samples.archivefile"
local reader = require "spec.szs.reader"
local support = require "spec.support"
local tools = require "spec.szs.tools"

-- Fails with this code, and a message that has this in it, in one line.
local function fails(code, text, result, message, found)
   assert.is_nil(result)
   assert.equal(code, found, message)
   assert.truthy(message:find(text, 1, true), message)
   assert.is_nil(message:find("[\n\r]"), message)
end

local function course() return tools.open "course.szs" end

describe("kart.szs.parse", function()
   it("opens archives, compressed or not", function()
      for _, name in ipairs(tools.names()) do
         local doc = tools.open(name)
         assert.equal("szs", kart.type(doc))
         assert.equal(name:sub(-4) == ".szs", doc.packed)
         assert.equal("archive", doc.origin)
      end
      assert.equal("szs (11 files)", tostring(course()))
      assert.equal("szs (not compressed, 11 files)", tostring(tools.open "course.arc"))
      assert.equal("szs (1 file)", tostring(tools.open "one_file.szs"))
   end)

   it("takes bytes, and raises for anything else", function()
      assert.error_matches(function() kart.szs.parse() end, "string expected")
      assert.error_matches(function() kart.szs.parse{} end, "string expected")
   end)

   it("is what kart.open does with such a file", function()
      local path = support.tmp() .. "/points.kmp"
      support.write(path, tools.bytes "course.szs")
      assert.is_true(assert(kart.open(path)):bytes() == tools.bytes "course.szs")
   end)
end)

describe("Yaz0 by itself", function()
   local text = ("a road, a wall, a road; "):rep(200)

   it("is decoded and encoded", function()
      local stream = assert(kart.szs.encode(text))
      assert.equal("Yaz0", stream:sub(1, 4))
      assert.equal(text, reader.unpack(stream))
      assert.equal(text, kart.szs.decode(archivefile.yaz0(text)))
      for _, level in ipairs{ "fast", "default", "best" } do
         assert.equal(text, reader.unpack(kart.szs.encode(text, { level = level })))
      end
      assert.equal("", kart.szs.decode(kart.szs.encode ""))
   end)

   it("fails when it is damaged", function()
      fails("format", "Yaz0 at 0x0: magic: expected 59617A30", kart.szs.decode "a text, and not a stream")
      fails("format", "stream ends early", kart.szs.decode(archivefile.yaz0(text):sub(1, -2)))
      local large = "Yaz0" .. string.pack(">I4I4I4", (256 << 20) + 1, 0, 0) .. ("\0"):rep(4 << 20)
      fails("limit", "268435456", kart.szs.decode(large))
   end)

   it("raises for a level that there isn't, and for what is no text", function()
      assert.error_matches(function() kart.szs.encode(text, { level = "ultra" }) end,
         "expected \"fast\", \"default\" or \"best\"")
      assert.error_matches(function() kart.szs.encode(text, { level = {} }) end, "option 'level'")
      assert.error_matches(function() kart.szs.encode(text, { depth = 1 }) end, "unknown option 'depth'")
      assert.error_matches(function() kart.szs.decode() end, "string expected")
   end)
end)

describe("kart.szs.new", function()
   it("makes an archive, compressed unless it is told", function()
      assert.is_true(kart.szs.new().packed and kart.szs.new{}.packed and kart.szs.new{ packed = true }.packed)
      assert.is_false(kart.szs.new{ packed = false }.packed)
      assert.equal("U\xAA8-", kart.szs.new{ packed = false }:bytes():sub(1, 4))
   end)

   it("raises for other options", function()
      assert.error_matches(function() kart.szs.new{ level = "best" } end, "unknown option 'level'")
      assert.error_matches(function() kart.szs.new{ packed = "no" } end, "option 'packed': expected true or false")
   end)
end)

describe("list", function()
   it("has all files and folders with what they are", function()
      local list = course():list()
      assert.equal(14, #list)
      assert.same({ path = "course.kcl", size = 2174, folder = false, changed = false, role = "kcl" }, list[1])
      assert.same({ path = "effect", folder = true, changed = false }, list[4])
      assert.equal("object", list[8].role)
      assert.equal("scene", list[3].role)
   end)

   it("shows what changed", function()
      local doc = course()
      doc.kmp.gobj[1].id = 102
      assert(doc:replace("map_model.brres", "other"))
      assert(doc:replace("obj/rock.brres", doc:read "obj/rock.brres"))
      assert(doc:add("new", "bytes"))
      local changed = {}
      for _, file in ipairs(doc:list()) do
         if file.changed then changed[#changed + 1] = file.path end
      end
      assert.same({ "course.kmp", "map_model.brres", "new" }, changed)
   end)

   it("has the same paths whether there is a folder \".\" or not", function()
      assert.equal(tools.paths(course()), tools.paths(tools.open "no_dot_folder.szs"))
      assert.equal("course.kmp b.bin a.bin c.bin outside.bin", tools.paths(tools.open "beside_dot_folder.szs"))
   end)
end)

describe("read", function()
   it("gives bytes, whatever way the path is written", function()
      local doc = course()
      for _, path in ipairs{ "effect/rk_course.breff", "./effect/rk_course.breff", "/effect//rk_course.breff" } do
         assert.equal("effect", doc:read(path))
      end
      assert.equal("child", tools.open("names_in_shift_jis.szs"):read "\x95\x5C/\x8E\x71.bin")
      assert.equal("first", tools.open("names_twice.szs"):read "x.bin")
   end)

   it("gives what was done to an open document", function()
      local doc = course()
      doc.kmp.gobj[1].id = 102
      assert.is_true(doc:read "course.kmp" == doc.kmp:bytes())
   end)

   it("fails for what isn't there", function()
      local doc = course()
      fails("io", "there is no \"none\" in the archive", doc:read "none")
      fails("io", "there is no \"Course.kmp\" in the archive", doc:read "Course.kmp")
      fails("io", "\"effect\" is a folder", doc:read "effect")
      for _, path in ipairs{ "", ".", "/", "./", "..", "course.kmp/x", "effect/.." } do
         fails("io", "there is no", doc:read(path))
      end
      assert.error_matches(function() doc:read() end, "string expected")
   end)
end)

describe("replace", function()
   it("gives the archive", function()
      local doc = course()
      assert.equal(doc, doc:replace("course_model.brres", "other"))
      assert.equal("other", doc:read "course_model.brres")
      assert.equal("", doc:replace("course_model.brres", ""):read "course_model.brres")
   end)

   it("parts the file from a document that was opened of it", function()
      local doc = course()
      local old = doc.kmp
      old.gobj[1].id = 102
      local bytes = tools.open("course.szs"):read "course.kmp"
      assert(doc:replace("course.kmp", bytes))
      assert.equal(101, doc.kmp.gobj[1].id)
      assert.equal(102, old.gobj[1].id)
      old.gobj[1].id = 103
      old:close()
      assert.is_true(doc:bytes() == tools.bytes "course.szs")
   end)

   it("fails for what isn't there", function()
      fails("io", "there is no", course():replace("none", ""))
      fails("io", "is a folder", course():replace("effect", ""))
      assert.error_matches(function() course():replace("course.kmp") end, "string expected")
   end)
end)

describe("add", function()
   it("puts files behind the last one of their folder, with the folders that they need", function()
      local doc = tools.open "names_shared.szs"
      assert.equal(doc, doc:add("one/new.bin", "1"))
      assert(doc:add("./three/deep/new.bin", "2"))
      assert(doc:add "empty/folder")
      assert.equal("one/ one/model.brres one/note.txt one/new.bin two/ two/model.brres two/note.txt"
         .. " three/ three/deep/ three/deep/new.bin empty/ empty/folder/", tools.paths(doc))
      assert.equal(tools.paths(doc), tools.paths(assert(kart.szs.parse(doc:bytes()))))
   end)

   it("fails for paths that there can't be, and leaves nothing of them", function()
      local doc = course()
      for _, path in ipairs{ "course.kmp", "effect", "course.kmp/x", "new/../x", "new//x", "..", "new/..", "",
         ".", "/x", "new/" .. ("n"):rep(256), ("f/"):rep(70) .. "x" } do
         fails("limit", "", doc:add(path, "bytes"))
         fails("limit", "", doc:add(path))
      end
      assert.is_true(doc:bytes() == tools.bytes "course.szs")
      assert.error_matches(function() doc:add() end, "string expected")
      assert.error_matches(function() doc:add("x", {}) end, "string expected")
   end)
end)

describe("remove", function()
   it("takes a file away, or a folder with all that lies in it", function()
      local doc = tools.open "names_shared.szs"
      assert.equal(doc, doc:remove "one/note.txt")
      assert(doc:remove "two")
      assert.equal("one/ one/model.brres", tools.paths(doc))
      assert.same({ "one/model.brres" }, reader.files(doc:bytes()))
   end)

   it("lets a document of the file go on by itself", function()
      local doc = course()
      local kmp = doc.kmp
      assert(doc:remove "course.kmp")
      assert.is_nil(doc.kmp)
      kmp.gobj[1].id = 102
      assert.equal(102, kart.kmp.parse(kmp:bytes()).gobj[1].id)
      assert(doc:add("course.kmp", tools.open("course.szs"):read "course.kmp"))
      assert.equal(101, doc.kmp.gobj[1].id)
      kmp:close()
      assert.equal(101, doc.kmp.gobj[1].id)
   end)

   it("fails for what isn't there, and for the folder in which all lies", function()
      for _, path in ipairs{ "none", "", ".", "./", "/" } do
         for _, name in ipairs{ "course.szs", "no_dot_folder.szs" } do
            local doc = tools.open(name)
            fails("io", "there is no", doc:remove(path))
            assert.is_true(doc:bytes() == tools.bytes(name))
         end
      end
   end)
end)

describe("rename", function()
   it("gives a file or a folder another name", function()
      local doc = course()
      assert.equal(doc, doc:rename("obj/rock.kcl", "stone.kcl"))
      assert(doc:rename("obj", "things"))
      assert.equal("things/ things/stone.kcl things/rock.brres", tools.paths(doc):match "things/.*rock.brres")
      assert.same({ "things/stone.kcl" }, doc.objects)
      assert.is_true(doc:rename("things", "things"):read "things/stone.kcl"
         == tools.open("course.szs"):read "obj/rock.kcl")
   end)

   it("keeps a document of the file, and what it is to the course goes by its name", function()
      local doc = course()
      local kmp = doc.kmp
      kmp.gobj[1].id = 102
      assert(doc:rename("course.kmp", "other.kmp"))
      assert.equal(kmp, doc.kmp)
      assert.equal(kmp, doc:open "other.kmp")
      assert(doc:rename("other.kmp", "other.bin"))
      assert.is_nil(doc.kmp)
      assert.equal(102, kart.kmp.parse(doc:read "other.bin").gobj[1].id)
   end)

   it("fails for names that there can't be", function()
      local doc = course()
      for _, name in ipairs{ "course.kcl", "effect", "", ".", "..", "a/b", ("n"):rep(256) } do
         fails("limit", "", doc:rename("course.kmp", name))
      end
      for _, path in ipairs{ "none", "", "." } do fails("io", "there is no", doc:rename(path, "x")) end
      assert.is_true(doc:bytes() == tools.bytes "course.szs")
      assert.error_matches(function() doc:rename "course.kmp" end, "string expected")
   end)
end)

describe("extract", function()
   it("makes a folder of all files", function()
      local path = support.tmp() .. "/out"
      local doc = course()
      doc.kmp.gobj[1].id = 102
      assert.is_true(doc:extract(path))
      for _, file in ipairs(doc:list()) do
         if not file.folder then assert.is_true(support.read(path .. "/" .. file.path) == doc:read(file.path)) end
      end
      fails("io", path .. ": cannot make the folder", doc:extract(path))
   end)

   it("refuses names that lead out of it, as a whole", function()
      for _, name in ipairs{ "..", "/etc/x", "a/../../x", "a\\b", "c:x", "\x1B[2J", "\x81/x" } do
         local folder = support.tmp()
         local doc = kart.szs.parse(archivefile.u8{ { "first.bin", "x" }, { "f", { { name, "bad" } } } })
         fails("format", "a file can't have the name", doc:extract(folder .. "/out"))
         for found in lfs.dir(folder) do assert.matches("^%.+$", found) end
      end
   end)

   it("refuses two names that are the same on some disks", function()
      fails("format", "is the same on some disks", tools.open("names_twice.szs"):extract(support.tmp() .. "/out"))
      local doc = kart.szs.parse(archivefile.u8{ { ".", { { "Größe", "x" } } }, { "GRÖßE", "y" } })
      fails("format", "\"Größe\" is the same on some disks", doc:extract(support.tmp() .. "/out"))
   end)
end)

describe("save", function()
   it("writes what bytes gives", function()
      local path, doc = support.tmp() .. "/x.szs", course()
      assert.is_true(doc:save(path))
      assert.is_true(support.read(path) == tools.bytes "course.szs")
      doc.kmp.gobj[1].id = 102
      assert.is_true(doc:save(path, { level = "fast" }))
      assert.is_true(support.read(path) == doc:bytes{ level = "fast" })
      doc.packed = false
      assert.is_true(doc:save(path))
      assert.equal("U\xAA8-", support.read(path):sub(1, 4))
   end)

   it("fails where the system does, and raises for other levels", function()
      fails("io", "/none/x.szs: cannot write", course():save "/none/x.szs")
      assert.error_matches(function() course():save("x", { level = "ultra" }) end, "option 'level'")
      assert.error_matches(function() course():bytes{ depth = 1 } end, "unknown option 'depth' of a szs")
      assert.error_matches(function() kart.kmp.new{}:bytes{ level = "best" } end, "unknown option 'level' of a kmp")
   end)

   it("fails when a document in it can't be built", function()
      local doc = tools.unbuildable()
      assert(doc:translate(tools.rounding))
      local path = support.tmp() .. "/x"
      fails("unsupported", "course.kcl: ", doc:bytes())
      fails("unsupported", "course.kcl: ", doc:save(path))
      fails("unsupported", "course.kcl: ", doc:list())
      fails("unsupported", "course.kcl: ", doc:clone())
      fails("unsupported", "course.kcl: ", doc:read "map_model.brres")
      fails("unsupported", "course.kcl: ", doc:extract(path))
      assert.is_nil(lfs.attributes(path))
   end)
end)

describe("properties", function()
   it("tell what it was read from, and if it is compressed", function()
      local doc = course()
      assert.equal("archive", doc.origin)
      doc.packed = false
      assert.is_false(doc.packed)
      assert.is_true(doc:bytes() == reader.unpack(tools.bytes "course.szs"))
      doc.packed = true
      assert.is_true(doc:bytes() == tools.bytes "course.szs")
   end)

   it("raise when they can't be assigned", function()
      local doc = course()
      assert.error_matches(function() doc.packed = "yes" end, "boolean expected")
      assert.error_matches(function() doc.origin = "folder" end, "szs.origin can't be assigned")
      assert.error_matches(function() doc.kmp = kart.kmp.new{} end, "szs.kmp can't be assigned")
      assert.error_matches(function() doc.other = 1 end, "szs.other can't be assigned")
      assert.error_matches(function() return doc.other end, "other")
   end)

   it("name all that there is", function()
      local members = {}
      for _, name in ipairs(kart.members(course())) do members[name] = true end
      for _, name in ipairs{ "kmp", "kcl", "objects", "origin", "packed", "warnings", "list", "read", "open", "replace",
         "add", "check", "remove", "rename", "extract", "bytes", "save", "clone", "close", "mirror", "rotate", "scale",
         "translate", "transform" } do
         assert.is_true(members[name], name)
         members[name] = nil
      end
      assert.is_nil(next(members))
   end)
end)
