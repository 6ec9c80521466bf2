-- The recipes for archives themselves: listed, taken apart, put together.
local lfs = require "lfs"
local support = require "spec.support"
local archivefile = require "samples.archivefile"
local reader = require "spec.szs.reader"
local tools = require "spec.szs.tools"

local folder -- of the running test

local function run(...) return support.run{ cwd = folder, ... } end
local function read(name) return support.read(folder .. "/" .. name) end
local function write(name, bytes) support.write(folder .. "/" .. name, bytes) end
local function exists(name) return lfs.symlinkattributes(folder .. "/" .. name, "mode") ~= nil end

before_each(function()
   folder = support.tmp()
   write("course.szs", tools.bytes "course.szs")
end)

describe("szs_list", function()
   it("has a line for each file, with its size and what it is", function()
      local code, out, err = run("szs_list", "course.szs")
      assert.same({ 0, "" }, { code, err })
      local expected = "course.szs: 2 KB, 3 KB in 11 files\n"
         .. "  2174  course.kcl                    collision\n"
         .. "   324  course.kmp                    points\n"
         .. "    64  course_model.brres\n"
         .. "        effect/\n"
      assert.equal(expected, out:sub(1, #expected))
      assert.matches("\n   358  obj/rock.kcl                  collision of an object\n", out)
   end)

   it("takes bare ones, empty ones, and the folders of courses", function()
      write("course.arc", tools.bytes "course.arc")
      assert.matches("^course.arc: 4 KB, 3 KB in 11 files\n", select(2, run("szs_list", "course.arc")))
      write("none.szs", tools.bytes "no_files.szs")
      assert.same({ 0, "none.szs: 0 KB, 0 KB in 0 files\n", "" }, { run("szs_list", "none.szs") })
      assert.equal(0, (run("szs_extract", "course.szs")))
      assert.matches("^course.d: 3 KB in 11 files\n", select(2, run("szs_list", "course.d")))
   end)

   it("refuses what is no archive", function()
      write("course.kmp", assert(kart.szs.parse(read "course.szs")):read "course.kmp")
      local code, _, err = run("szs_list", "course.kmp")
      assert.same({ 1, "course.kmp: a KMP file, but this recipe takes SZS files\n" }, { code, err })
   end)
end)

describe("szs_extract", function()
   it("makes a folder of all files beside the archive", function()
      local code, out, err = run("szs_extract", "course.szs")
      assert.same({ 0, "course.szs -> course.d\n", "" }, { code, out, err })
      local _, files = reader.files(read "course.szs")
      for path, bytes in pairs(files) do assert.is_true(read("course.d/" .. path) == bytes, path) end
   end)

   it("writes where it is told to", function()
      local code, out = run("szs_extract", "-o", "luigi", "course.szs")
      assert.same({ 0, "course.szs -> luigi\n" }, { code, out })
      assert.is_true(exists "luigi/course.kmp")
      assert.equal(0, (run("szs_extract", "-o", "out/deep/", "course.szs")))
      assert.is_true(exists "out/deep/course.d/course.kmp")
      assert.equal(0, (run("szs_extract", "-o", "out", "course.szs")))
      assert.is_true(exists "out/course.d/course.kmp")
   end)

   it("keeps the shape of a folder of tracks", function()
      for _, name in ipairs{ "tracks", "tracks/luigi", "tracks/peach" } do lfs.mkdir(folder .. "/" .. name) end
      write("tracks/luigi/course.szs", read "course.szs")
      write("tracks/peach/course.szs", read "course.szs")
      for _, jobs in ipairs{ "1", "2" } do
         local code, out = run("szs_extract", "-j", jobs, "-o", "out" .. jobs .. "/", "tracks")
         assert.same({ 0, ("tracks/luigi/course.szs -> out%s/luigi/course.d\n"):format(jobs)
            .. ("tracks/peach/course.szs -> out%s/peach/course.d\n"):format(jobs) }, { code, out })
         assert.is_true(exists("out" .. jobs .. "/peach/course.d/course.kmp"))
      end
      assert.equal(0, (run("szs_extract", "tracks")))
      assert.is_true(exists "tracks/luigi/course.d/course.kmp")
   end)

   it("writes to no folder that has something in it", function()
      lfs.mkdir(folder .. "/course.d")
      write("course.d/mine", "mine")
      local code, out, err = run("szs_extract", "course.szs")
      assert.same({ 1, "" }, { code, out })
      assert.matches("^course.szs: course.d: cannot make the folder: [^\n]+\n$", err)
      assert.equal("mine", read "course.d/mine")
      assert.is_false(exists "course.d/course.kmp")
      os.remove(folder .. "/course.d/mine")
      assert.equal(0, (run("szs_extract", "course.szs")))
   end)

   it("refuses names that lead out of the folder, and leaves nothing", function()
      for i, name in ipairs{ "..", "../x", "/tmp/x", "a\\..\\x", "c:" } do
         local file = ("bad%d"):format(i)
         write(file .. ".szs", archivefile.yaz0(archivefile.u8{ { "good", "x" }, { "f", { { name, "bad" } } } }))
         local code, out, err = run("szs_extract", file .. ".szs")
         assert.same({ 1, "" }, { code, out })
         assert.matches("^" .. file .. ".szs: " .. file .. ".d: a file can't have the name [^\n]+\n$", err)
         assert.is_false(exists(file .. ".d"))
      end
      for name in lfs.dir(folder) do assert.not_matches("tmp$", name) end
   end)
end)

describe("szs_pack", function()
   before_each(function() assert.equal(0, (run("szs_extract", "course.szs"))) end)

   it("makes an archive that holds the same", function()
      local code, out, err = run("szs_pack", "-o", "new.szs", "course.d")
      assert.same({ 0, "course.d -> new.szs\n", "" }, { code, out, err })
      local _, files = reader.files(read "new.szs")
      assert.same(select(2, reader.files(read "course.szs")), files)
   end)

   it("like another one gives the same, byte for byte", function()
      for _, name in ipairs(tools.names()) do
         local file = name:gsub("%.", "_like.")
         write(file, tools.bytes(name))
         local extracted, _, why = run("szs_extract", "-o", "it", file)
         if extracted == 0 then
            local code, _, err = run("szs_pack", "--like", file, "-o", "again_" .. name, "it")
            assert.same({ 0, "" }, { code, err })
            assert.is_true(read("again_" .. name) == tools.bytes(name), name)
            os.execute(("rm -r %s/it"):format(folder))
         else
            assert.equal("names_twice.szs", name, why)
         end
      end
   end)

   it("like another one follows what was changed, added and removed", function()
      write("course.d/course_model.brres", "another model")
      write("course.d/new.bin", "new")
      os.remove(folder .. "/course.d/map_model.brres")
      os.remove(folder .. "/course.d/effect/rk_course.breff")
      assert(lfs.rmdir(folder .. "/course.d/effect"))
      write("course.d/effect", "a file now")
      assert.equal(0, (run("szs_pack", "--like", "course.szs", "-o", "new.szs", "course.d")))
      local order, files = reader.files(read "new.szs")
      assert.same({ "course.kcl", "course.kmp", "course_model.brres", "obj/rock.kcl", "obj/rock.brres",
         "posteffect/posteffect.bfg", "posteffect/posteffect.blight", "posteffect/posteffect.blmap",
         "vrcorn_model.brres", "effect", "new.bin" }, order)
      assert.equal("another model", files["course_model.brres"])
      assert.equal("new", files["new.bin"])
      assert.equal("a file now", files.effect)
   end)

   it("writes over nothing unless it is forced", function()
      local before = read "course.szs"
      local code, out, err = run("szs_pack", "--level", "fast", "course.d")
      assert.same({ 1, "", "course.d: course.szs: cannot write: the file exists\n" }, { code, out, err })
      assert.is_true(read "course.szs" == before)
      assert.equal(0, (run("szs_pack", "--level", "fast", "--force", "course.d")))
      assert.is_false(read "course.szs" == before)
   end)

   it("compresses as hard as it is told to, or not at all", function()
      local size = {}
      for _, level in ipairs{ "fast", "default", "best" } do
         assert.equal(0, (run("szs_pack", "--level", level, "-o", level .. ".szs", "course.d")))
         size[level] = #read(level .. ".szs")
         assert.is_true(reader.unpack(read(level .. ".szs")) == reader.unpack(read "fast.szs"))
      end
      assert(size.best <= size.default and size.default < size.fast)
      assert.equal(0, (run("szs_pack", "-o", "bare.arc", "course.d")))
      assert.is_true(read "bare.arc" == reader.unpack(read "fast.szs"))
      local code, _, err = run("szs_pack", "--level", "ultra", "course.d")
      assert.equal(2, code)
      assert.matches("fast", err)
   end)

   it("is called and compressed like the one that it is made like", function()
      write("old.arc", reader.unpack(read "course.szs"))
      assert.same({ 0, "course.d -> course.arc\n", "" }, { run("szs_pack", "--like", "old.arc", "course.d") })
      assert.is_true(read "course.arc" == read "old.arc")
      -- From one to the other.
      assert.equal(0, (run("szs_pack", "--like", "old.arc", "-o", "new.szs", "course.d")))
      assert.is_true(read "new.szs":sub(1, 4) == "Yaz0" and reader.unpack(read "new.szs") == read "old.arc")
      assert.equal(0, (run("szs_pack", "--like", "course.szs", "-o", "new.arc", "course.d")))
      assert.is_true(read "new.arc" == read "old.arc")
      -- One that isn't what its name says.
      write("bare.szs", read "old.arc")
      assert.equal(0, (run("szs_pack", "--like", "bare.szs", "-o", "bare2.szs", "course.d")))
      assert.is_true(read "bare2.szs" == read "bare.szs")
   end)

   it("names what stays out", function()
      write("course.d/.DS_Store", "x")
      write("course.d/course.kmp.bak", "x")
      local code, _, err = run("szs_pack", "-o", "new.szs", "course.d")
      assert.equal(0, code)
      assert.equal("course.d: hint: .DS_Store is no part of the course [file-left-out]\n"
         .. "course.d: hint: course.kmp.bak is no part of the course [file-left-out]\n", err)
      local _, files = reader.files(read "new.szs")
      assert.is_nil(files[".DS_Store"] or files["course.kmp.bak"])
   end)

   it("takes any folder, several of them, and the one that it is in", function()
      for _, name in ipairs{ "a", "b.d", "out" } do lfs.mkdir(folder .. "/" .. name) end
      write("a/text.txt", "text")
      local code, out = run("szs_pack", "-o", "out/", "a", "b.d/")
      assert.same({ 0, "a -> out/a.szs\nb.d/ -> out/b.szs\n" }, { code, out })
      assert.same({ "text.txt" }, (reader.files(read "out/a.szs")))
      assert.same({}, (reader.files(read "out/b.szs")))
      local err = select(3, support.run{ cwd = folder .. "/a", "szs_pack", "." })
      assert.equal(".: -o must say how the archive of this folder is to be called\n", err)
      assert.equal(0, (support.run{ cwd = folder .. "/a", "szs_pack", "-o", "../here.szs", "." }))
      assert.same({ "text.txt" }, (reader.files(read "here.szs")))
   end)

   it("refuses what is no folder, and to be like what is no archive", function()
      assert.same({ 1, "", "course.szs: not a folder\n" }, { run("szs_pack", "course.szs") })
      assert.same({ 1, "", "none: cannot open: No such file or directory\n" }, { run("szs_pack", "none") })
      write("text", "a text")
      local code, _, err = run("szs_pack", "--like", "text", "-o", "new.szs", "course.d")
      assert.equal(1, code)
      assert.matches("^course.d: text: [^\n]+\n$", err)
      assert.is_false(exists "new.szs")
      code, _, err = run("szs_pack", "--like", "course.d/course.kmp", "-o", "new.szs", "course.d")
      assert.same({ 1, "course.d: course.d/course.kmp: not an archive\n" }, { code, err })
   end)
end)
