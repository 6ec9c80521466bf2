-- Every recipe on archives and on the folders of courses, from a shell.
local lfs = require "lfs"
local support = require "spec.support"
local reader = require "spec.szs.reader"
local course = require "spec.recipe.course"
local collision = require "spec.recipe.collision"
local tools = require "spec.szs.tools"

local folder -- of the running test

local function run(...) return support.run{ cwd = folder, ... } end
local function read(name) return support.read(folder .. "/" .. name) end
local function write(name, bytes) support.write(folder .. "/" .. name, bytes) end
local function exists(name) return lfs.symlinkattributes(folder .. "/" .. name, "mode") ~= nil end

-- The bytes of a member of an archive, as another program finds them.
local function member(name, path) return select(2, reader.files(read(name)))[path] end

-- All names in a folder and its folders, sorted, in one text.
local function names(path)
   local list = {}
   local function go(below)
      for name in lfs.dir(folder .. "/" .. path .. below) do
         if not name:find "^%.%.?$" then
            if lfs.symlinkattributes(folder .. "/" .. path .. below .. "/" .. name, "mode") == "directory" then
               go(below .. "/" .. name)
            else
               list[#list + 1] = (below .. "/" .. name):sub(2)
            end
         end
      end
   end
   go ""
   table.sort(list)
   return table.concat(list, " ")
end

-- A small course that drives: points, collision, a model and an object's collision.
local function archive(changes)
   local files = { ["course.kmp"] = course.race():bytes(), ["course.kcl"] = collision.row{ 0x00, 0x20, 0x0C },
      ["course_model.brres"] = "bres", ["thing.kcl"] = collision.row{ 0x00, 0x00 } }
   for path, bytes in pairs(changes or {}) do files[path] = bytes or nil end
   return tools.archive(files)
end

-- The same as a folder.
local function make_folder(name, bytes) assert(kart.szs.parse(bytes or archive()):extract(folder .. "/" .. name)) end

before_each(function()
   folder = support.tmp()
   write("course.szs", archive())
   make_folder "track"
end)

local STAYS = "course.szs/course_model.brres: warning: the course's model stays as it was"

describe("mirror", function()
   it("of an archive goes beside it, and says what stays", function()
      local code, out, err = run("mirror", "course.szs")
      assert.same({ 0, "course.szs -> course.mirror.szs\n" }, { code, out })
      assert.equal(STAYS .. ": it still shows the old side [member-stays]\n"
         .. "course.szs/thing.kcl: warning: an object's collision stays as it was: it still has the old side"
         .. " [member-stays]\n", err)
      for _, path in ipairs{ "course.kmp", "course.kcl" } do
         write(path, member("course.szs", path))
         assert.equal(0, (run("mirror", path)))
         assert.is_true(member("course.mirror.szs", path) == read(path:gsub("%.", ".mirror.")))
      end
      assert.is_true(member("course.mirror.szs", "thing.kcl") == member("course.szs", "thing.kcl"))
   end)

   it("takes the collision of objects along when it is told to", function()
      local code, _, err = run("mirror", "--with-object-kcl", "-o", "out.szs", "course.szs")
      assert.equal(0, code)
      assert.not_matches("thing.kcl", err)
      assert.is_false(member("out.szs", "thing.kcl") == member("course.szs", "thing.kcl"))
      assert.equal(0, (run("mirror", "--with-object-kcl", "-o", "back.szs", "out.szs")))
      assert.is_true(read "back.szs" ~= "" and member("back.szs", "thing.kcl") == member("course.szs", "thing.kcl"))
      -- A file by itself has no objects.
      write("alone.kmp", member("course.szs", "course.kmp"))
      assert.equal(0, (run("mirror", "--with-object-kcl", "alone.kmp")))
   end)

   it("of a folder is a folder, and the same in it", function()
      assert.equal(0, (run("mirror", "course.szs")))
      local code, out, err = run("mirror", "track/")
      assert.same({ 0, "track -> track.mirror\n" }, { code, out })
      assert.truthy(err:find("track/course_model.brres: warning: ", 1, true))
      assert.equal("course.kcl course.kmp course_model.brres thing.kcl", names "track.mirror")
      for _, path in ipairs{ "course.kmp", "course.kcl", "thing.kcl" } do
         assert.is_true(read("track.mirror/" .. path) == member("course.mirror.szs", path))
      end
      assert.is_true(read "track/course.kmp" == member("course.szs", "course.kmp"))
   end)

   it("of a folder has its name in the middle only where szs_extract made the folder", function()
      for from, to in pairs{ ["track.d"] = "track.mirror.d", ["track v1.2"] = "track v1.2.mirror" } do
         make_folder(from)
         local code, out = run("mirror", from)
         assert.same({ 0, from .. " -> " .. to .. "\n" }, { code, out })
         assert.is_true(exists(to .. "/course.kmp"))
      end
   end)

   it("of a folder can be an archive", function()
      local code, out = run("mirror", "-o", "out.szs", "track")
      assert.same({ 0, "track -> out.szs\n" }, { code, out })
      assert.equal(0, (run("mirror", "-o", "out.arc", "track")))
      assert.is_true(member("out.szs", "course.kmp") == member("out.arc", "course.kmp"))
   end)

   it("of a folder with no name to speak of must be told where to go", function()
      for _, name in ipairs{ ".", "./", "./.", "../track" } do
         local code, out, err = support.run{ cwd = folder .. "/track", "mirror", name }
         if name == "../track" then
            assert.same({ 0, "../track -> ../track.mirror\n" }, { code, out })
         else
            assert.same({ 2, "" }, { code, out }, name)
            assert.matches("%-o must say how the result of the folder " .. name:gsub("/$", ""):gsub("%p", "%%%0"), err)
         end
      end
   end)

   it("refuses what it can't read, in one line, and writes nothing", function()
      local points = course.race():bytes()
      write("damaged.szs", archive{ ["course.kmp"] = points:sub(1, 200) })
      write("swapped.szs", archive{ ["course.kmp"] = collision.row{ 0 } })
      write("empty.szs", tools.archive{ ["text.txt"] = "no course" })
      write("cut.szs", read "course.szs":sub(1, 500))
      write("sarc.szs", "SARC" .. ("\0"):rep(60))
      for name, text in pairs{
         ["damaged.szs"] = "damaged.szs/course.kmp: ",
         ["swapped.szs"] = "swapped.szs/course.kmp: not a KMP file",
         ["empty.szs"] = "empty.szs: there is no KMP and no KCL of the course in it",
         ["cut.szs"] = "cut.szs: Yaz0 at 0x",
         ["sarc.szs"] = "sarc.szs: file at 0x0: not a course file: expected KMP, KCL, AGP, szs or OBJ, "
            .. "found a SARC archive",
      } do
         local code, out, err = run("mirror", name)
         assert.same({ 1, "" }, { code, out }, name)
         assert.equal(text, err:sub(1, #text))
         assert.matches("^[^\n]+\n$", err)
         assert.is_false(exists(name:gsub("%.", ".mirror.")))
      end
   end)

   it("writes nothing where a member gets a new error, unless it is forced", function()
      write("fragile.szs", archive{ ["course.kmp"] = course.fragile():bytes() })
      local code, out, err = run("rotate", "--angle", "0", "fragile.szs")
      assert.equal(0, code, out .. err)
      code, out, err = run("mirror", "fragile.szs")
      assert.same({ 1, "" }, { code, out })
      assert.matches("\nfragile.szs/course.kmp: gobj%[1%]%S*: error: ", err)
      assert.matches("\nfragile.szs: nothing written because of an error; %-%-force writes it all the same\n$", err)
      assert.is_false(exists "fragile.mirror.szs")
      assert.equal(0, (run("mirror", "--force", "fragile.szs")))
      assert.is_true(exists "fragile.mirror.szs")
   end)
end)

describe("in place,", function()
   it("an archive is kept, and what wasn't changed is in both", function()
      local before = read "course.szs"
      local code, out = run("mirror", "--in-place", "course.szs")
      assert.same({ 0, "course.szs -> course.szs (was course.szs.bak)\n" }, { code, out })
      assert.is_true(read "course.szs.bak" == before)
      assert.is_false(read "course.szs" == before)
      assert.equal(0, (run("mirror", "--in-place", "course.szs")))
      assert.is_true(member("course.szs", "course.kmp") == member("course.szs.bak", "course.kmp"))
      assert.equal("course.szs course.szs.bak course.szs.bak2", names(""):match "course.szs.*bak2")
   end)

   it("only the changed files of a folder are written and kept", function()
      local before = read "track/course.kmp"
      local date = lfs.attributes(folder .. "/track/course_model.brres", "ino")
      local code, out = run("mirror", "--in-place", "track")
      assert.same({ 0, "track -> track (was track/course.kcl.bak, track/course.kmp.bak)\n" }, { code, out })
      assert.equal("course.kcl course.kcl.bak course.kmp course.kmp.bak course_model.brres thing.kcl", names "track")
      assert.is_true(read "track/course.kmp.bak" == before)
      assert.equal(date, lfs.attributes(folder .. "/track/course_model.brres", "ino"))
      -- What was kept is no part of the course.
      assert.equal(0, (run("mirror", "--in-place", "track")))
      assert.is_true(read "track/course.kmp" == before)
   end)

   it("a folder that is named like an archive stays a folder", function()
      assert(os.rename(folder .. "/track", folder .. "/track.szs"))
      local code, out = run("translate", "--by", "1,0,0", "--in-place", "track.szs")
      assert.same({ 0, "track.szs -> track.szs (was track.szs/course.kcl.bak, track.szs/course.kmp.bak)\n" },
         { code, out })
   end)

   it("nothing is written by a dry run", function()
      local before = names ""
      for _, words in ipairs{ { "--in-place", "course.szs" }, { "course.szs" }, { "track" }, { "--in-place", "track" },
         { "-o", "out/", "course.szs", "track" } } do
         local code, out = run("mirror", "--dry-run", table.unpack(words))
         assert.equal(0, code)
         assert.matches("%(dry run, not written%)\n$", out)
         assert.equal(before, names "")
      end
   end)
end)

describe("a folder of tracks", function()
   before_each(function()
      for _, path in ipairs{ "tracks", "tracks/luigi", "tracks/cups" } do lfs.mkdir(folder .. "/" .. path) end
      write("tracks/luigi/course.szs", archive())
      make_folder "tracks/cups/peach"
      write("tracks/loose.kmp", course.race():bytes())
      write("tracks/wario.arc", reader.unpack(archive()))
      write("tracks/readme.txt", "")
   end)

   it("keeps its shape where results go", function()
      local code, out = run("mirror", "-o", "out/", "tracks")
      assert.equal(0, code)
      assert.equal("tracks/cups/peach -> out/cups/peach\ntracks/loose.kmp -> out/loose.kmp\n"
         .. "tracks/luigi/course.szs -> out/luigi/course.szs\ntracks/wario.arc -> out/wario.arc\n", out)
      assert.equal("cups/peach/course.kcl cups/peach/course.kmp cups/peach/course_model.brres cups/peach/thing.kcl "
         .. "loose.kmp luigi/course.szs wario.arc", names "out")
      assert.is_true(member("out/luigi/course.szs", "course.kmp") == read "out/cups/peach/course.kmp")
      assert.is_true(read "out/loose.kmp" == read "out/cups/peach/course.kmp")
   end)

   it("is worked on several at a time with the same results", function()
      local one = table.pack(run("mirror", "-o", "one/", "tracks"))
      for _, jobs in ipairs{ "2", "9" } do
         local several = table.pack(run("mirror", "-j", jobs, "-o", "many" .. jobs .. "/", "tracks"))
         assert.equal(one[2], (several[2]:gsub("many" .. jobs, "one")))
         assert.equal(one[3], several[3])
         assert.equal(names "one", names("many" .. jobs))
         assert.is_true(read "one/luigi/course.szs" == read("many" .. jobs .. "/luigi/course.szs"))
      end
   end)

   it("leaves out what an earlier run has left there", function()
      local code, out = run("mirror", "tracks")
      assert.equal(0, code)
      assert.is_true(exists "tracks/luigi/course.mirror.szs" and exists "tracks/cups/peach.mirror/course.kmp")
      local again, out_again = run("mirror", "tracks")
      assert.same({ 0, out }, { again, out_again })
      -- Another recipe takes them.
      out = select(2, run("translate", "--by", "1,0,0", "tracks"))
      assert.truthy(out:find("tracks/luigi/course.mirror.szs -> tracks/luigi/course.mirror.translate.szs\n", 1, true))
      assert.truthy(out:find("tracks/cups/peach.mirror -> tracks/cups/peach.mirror.translate\n", 1, true))
   end)

   it("leaves out where results go, if that is in it", function()
      local results = {}
      for i = 1, 2 do
         local code, out = run("mirror", "-o", "tracks/out/", "tracks")
         assert.equal(0, code)
         results[i] = out .. names "tracks"
      end
      assert.equal(results[1], results[2])
      -- A folder that is given is looked at all the same.
      assert.equal(0, (run("mirror", "-o", "more/", "tracks/out")))
      assert.is_true(exists "more/luigi/course.szs")
   end)

   it("goes on behind a damaged one", function()
      write("tracks/luigi/course.szs", archive{ ["course.kcl"] = ("\0"):rep(70) })
      local code, out, err = run("mirror", "-o", "out/", "tracks")
      assert.equal(1, code)
      assert.matches("tracks/luigi/course.szs/course.kcl: [^\n]+\n", err)
      assert.not_matches("luigi", out)
      assert.matches("tracks/wario.arc %-> out/wario.arc\n$", out)
      assert.is_false(exists "out/luigi/course.szs")
   end)

   it("is read file by file by a recipe that only looks", function()
      local code, out = run("check", "--ignore", "ckpt-dead", "tracks")
      assert.equal(0, code, out)
      for _, path in ipairs{ "tracks/cups/peach/course.kmp", "tracks/cups/peach/thing.kcl", "tracks/loose.kmp",
         "tracks/luigi/course.szs/course.kmp", "tracks/luigi/course.szs/thing.kcl",
         "tracks/wario.arc/course.kcl" } do
         assert.truthy(out:find("\n" .. path .. ": ", 1, true) or out:find(path .. ": ", 1, true) == 1, path)
      end
   end)
end)

describe("what only looks", function()
   it("check goes through points and all collision", function()
      local code, out, err = run("check", "course.szs")
      assert.same({ 0, "" }, { code, err })
      for _, path in ipairs{ "course.kmp", "course.kcl", "thing.kcl" } do
         assert.truthy(out:find("course.szs/" .. path .. ": ", 1, true), path)
      end
      write("odd.szs", archive{ ["thing.kcl"] = collision.odd(2) })
      code, out, err = run("check", "--strict", "odd.szs")
      assert.equal(1, code)
      assert.matches("odd.szs/thing.kcl: prisms%[%d+%][^\n]*: W road%-face%-down: ", out)
      assert.matches("odd.szs/thing.kcl: %d+ warnings?, not allowed by %-%-strict\n", err)
      assert.matches('"file":"odd.szs/thing.kcl"', select(2, run("check", "--json", "odd.szs")))
   end)

   it("info, laps and retag work on the members that they know", function()
      local code, out = run("info", "course.szs")
      assert.equal(0, code)
      assert.matches("^course.szs/course.kmp\n  game  Mario Kart Wii", out)
      assert.matches("\ncourse.szs/course.kcl\n  game       Mario Kart Wii", out)
      assert.matches("\ncourse.szs/thing.kcl\n", out)
      code, out = run("laps", "--laps", "1", "course.szs")
      assert.equal(0, code)
      assert.matches("^course.szs/course.kmp\n  lap ", out)
      code, out = run("retag", "--show", "track")
      assert.equal(0, code)
      assert.matches("^track/course.kcl\n  flag ", out)
      assert.is_false(exists "track.retag")
   end)

   it("laps that can't be driven are an error of the member", function()
      write("endless.szs", archive{ ["course.kmp"] = course.endless():bytes() })
      local code, _, err = run("laps", "endless.szs")
      assert.equal(1, code)
      assert.matches("^endless.szs/course.kmp: 0 of 3 laps driven: [^\n]+\n$", err)
      write("none.szs", archive{ ["course.kmp"] = false })
      assert.same({ 1, "", "none.szs: there is no KMP of a course in it\n" }, { run("laps", "none.szs") })
   end)

   it("diff compares the points of two courses, wherever they are", function()
      assert.equal(0, (run("diff", "course.szs", "track")))
      assert.equal(0, (run("diff", "course.szs", "track/course.kmp")))
      local changed = course.race()
      changed.gobj[1].position = { 0, 0, 0 }
      write("changed.szs", archive{ ["course.kmp"] = changed:bytes() })
      local code, out = run("diff", "course.szs", "changed.szs")
      assert.equal(1, code)
      assert.matches("^course.szs %-> changed.szs\n  gobj%[1%] ", out)
      write("none.szs", archive{ ["course.kmp"] = false })
      local trouble, _, err = run("diff", "course.szs", "none.szs")
      assert.same({ 2, "kartlua diff: none.szs: there is no KMP of a course in it\n" }, { trouble, err })
   end)
end)

describe("what changes one kind of file", function()
   it("retag leaves the points as they are", function()
      local code, out = run("retag", "--set", "road=road/dirt", "course.szs")
      assert.same({ 0, "course.szs/course.kcl: road=road/dirt: 2 prisms\ncourse.szs -> course.retag.szs\n" },
         { code, out })
      assert.is_true(member("course.retag.szs", "course.kmp") == member("course.szs", "course.kmp"))
      assert.is_true(member("course.retag.szs", "thing.kcl") == member("course.szs", "thing.kcl"))
      assert.equal(0x20, kart.kcl.parse(member("course.retag.szs", "course.kcl")).prisms[1].flag)
   end)

   it("rotate, scale and translate take all along, or say why they don't", function()
      local done, said = run("translate", "--by", "100,0,0", "course.szs")
      assert.same({ 0, "course.szs -> course.translate.szs\n" }, { done, said })
      local moved = kart.kmp.parse(member("course.translate.szs", "course.kmp"))
      assert.equal(200, moved.gobj[1].position.x)
      for _, words in ipairs{ { "rotate", "--angle", "30" }, { "scale", "--factor", "2" } } do
         assert.equal(0, (run(words[1], words[2], words[3], "course.szs")))
         local turned = assert(kart.kcl.parse(member("course." .. words[1] .. ".szs", "course.kcl")))
         assert.equal(0, assert(turned:prove()).missing)
      end
      write("broken.szs", tools.unbuildable():bytes())
      local code, out, err = run("translate", "--by", "0.1,0,0", "broken.szs")
      assert.same({ 1, "" }, { code, out })
      assert.matches("^broken.szs/course.kcl: none of 24 triangles has an area\n$", err)
      assert.is_false(exists "broken.translate.szs")
   end)

   it("a recipe of somebody else's that knows only points works on archives", function()
      write("lift.lua", [[return require "kartlua.recipe"{
         summary = "Lifts all objects.",
         run = function(doc, _, job)
            print(kart.type(doc), job.input, job.member, job.output)
            for _, object in ipairs(doc.gobj) do object.position = object.position + kart.vec(0, 100, 0) end
         end }]])
      local code, out, err = run("lift.lua", "course.szs", "track")
      assert.same({ 0, "kmp\tcourse.szs/course.kmp\tcourse.kmp\tcourse.lift.szs\ncourse.szs -> course.lift.szs\n"
         .. "kmp\ttrack/course.kmp\tcourse.kmp\ttrack.lift\ntrack -> track.lift\n", "" }, { code, out, err })
      local before = kart.kmp.parse(member("course.szs", "course.kmp")).gobj[1].position
      assert.equal(before.y + 100, kart.kmp.parse(member("course.lift.szs", "course.kmp")).gobj[1].position.y)
      assert.is_true(read "track.lift/course.kmp" == member("course.lift.szs", "course.kmp"))
      assert.is_true(member("course.lift.szs", "course.kcl") == member("course.szs", "course.kcl"))
   end)

   it("a recipe may give another document, close its own, refuse, or save nothing", function()
      local function recipe(name, body, more)
         write(name .. ".lua", ([[return require "kartlua.recipe"{ summary = "x", %s
            run = function(doc, options, job) %s end }]]):format(more or "", body))
      end
      recipe("other", "local copy = doc:clone() copy.gobj[1].id = 7 return copy")
      assert.equal(0, (run("other.lua", "course.szs")))
      assert.equal(7, kart.kmp.parse(member("course.other.szs", "course.kmp")).gobj[1].id)
      recipe("closing", "doc.gobj[1].id = 8 doc:close()")
      assert.equal(0, (run("closing.lua", "course.szs")))
      assert.equal(8, kart.kmp.parse(member("course.closing.szs", "course.kmp")).gobj[1].id)
      recipe("refusing", "doc.gobj[1].id = 9 return nil, 'not this one'")
      assert.same({ 1, "", "course.szs/course.kmp: not this one\n" }, { run("refusing.lua", "course.szs") })
      recipe("raising", "error 'oh'")
      assert.matches("^course.szs: [^\n]*oh\n$", select(3, run("raising.lua", "course.szs")))
      recipe("looking", "return false")
      assert.same({ 0, "", "" }, { run("looking.lua", "course.szs") })
      for _, name in ipairs{ "refusing", "raising", "looking" } do
         assert.is_false(exists("course." .. name .. ".szs"))
      end
   end)

   it("an archive that nothing was done to is written as it was", function()
      write("none.lua", 'return require "kartlua.recipe"{ summary = "x", accepts = { "kmp", "kcl" }, run = print }')
      for _, name in ipairs(tools.names()) do
         write("any.szs", tools.bytes(name))
         local code = run("none.lua", "-o", "same.szs", "any.szs")
         if code == 0 then assert.is_true(read "same.szs" == tools.bytes(name), name) end
         os.remove(folder .. "/same.szs")
      end
   end)
end)

describe("names in an archive", function()
   it("don't reach the terminal with what moves its cursor", function()
      write("bad.szs", archive{ ["thing\27[2J.kcl"] = collision.odd(1), ["course\nx_model.brres"] = "bres" })
      for _, words in ipairs{ { "mirror", "--dry-run" }, { "check" }, { "info" }, { "szs_list" }, { "szs_extract" } } do
         local _, out, err = run(words[1], table.unpack(words, 2), "bad.szs")
         assert.not_matches("\27", out .. err)
         assert.not_matches("course\n", out .. err)
      end
   end)
end)
