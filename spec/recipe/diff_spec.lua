-- The recipe diff: two courses compared by meaning.
local change = require "spec.kmp.cases.change"
local compare = require "kartlua.compare"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

local function place(entry, of)
   local index, point = entry[of .. "_index"], entry[of .. "_point"]
   return entry.section .. (index and ("[%d]"):format(index) or "") .. (point and (".points[%d]"):format(point) or "")
end

-- Differences as short texts: "gobj[12] position (1, 2, 3) -> (1, 2, 5)", "gobj[3] added".
local function lines(old, new)
   local list = {}
   for i, entry in ipairs(assert(compare(old, new))) do
      local where = entry.kind == "moved" and place(entry, "old") .. " to " .. place(entry, "new")
         or place(entry, entry.kind == "removed" and "old" or "new")
      local what = entry.kind == "changed" and ("%s %s -> %s"):format(entry.field, entry.old, entry.new)
         or entry.field and entry.field .. " " .. entry.kind or entry.kind
      list[i] = where .. " " .. what
   end
   return list
end

-- What an edit of the race course changes.
local function differences(edit, name)
   local old, new = tools.open(name or "race"), tools.open(name or "race")
   new = edit(new) or new
   return lines(old, new)
end

local function finds(expected, edit, name) assert.same(expected, differences(edit, name)) end

local function object(doc, id)
   for _, record in ipairs(doc.gobj) do
      if record.id == id then return record end
   end
end

describe("two courses", function()
   it("that are the same don't differ", function()
      for _, name in ipairs(tools.names()) do finds({}, function() end, name) end
   end)

   it("differ in fields", function()
      finds({ "gobj[12] position (2969, 1700, -11969) -> (2969, 1700, -11967)", "gobj[12] settings "
         .. "{0, 65491, 0, 0, 0, 0, 0, 0} -> {0, 65491, 7, 0, 0, 0, 0, 0}", "stgi[1] laps 3 -> 5" }, function(doc)
         doc.stgi[1].laps = 5
         doc.gobj[12].position = doc.gobj[12].position + kart.vec(0, 0, 2)
         doc.gobj[12].settings[3] = 7
      end)
   end)

   it("tell how far something was moved in space", function()
      local old, new = tools.open "race", tools.open "race"
      new.gobj[12].position = new.gobj[12].position + kart.vec(3, 0, 4)
      new.ckpt[9].left = new.ckpt[9].left + kart.vec(0, 0, 1)
      local list = compare(old, new)
      assert.same({ 1, "left", 5, "position", "WLfireringGC" },
         { list[1].distance, list[1].field, list[2].distance, list[2].field, list[2].title })
   end)

   it("differ in records", function()
      finds({ "gobj[7] removed", "gobj[1] added", "cnpt[1] removed" }, function(doc)
         doc.gobj:remove(7)
         doc.gobj:insert({ id = 101, position = { 1, 2, 3 } }, { at = 1 })
         doc.cnpt:remove(1)
      end)
   end)

   it("don't differ in numbers that name the same by another index", function()
      finds({ "poti[1] added" }, function(doc) doc.poti:insert({ points = { {}, {} } }, { at = 1 }) end)
      finds({ "came[1] added" }, function(doc) doc.came:insert({ type = 1 }, { at = 1 }) end)
      finds({ "jgpt[1] added" }, function(doc) doc.jgpt:insert({}, { at = 1 }) end)
      finds({ "poti[5].points[1] added" }, function(doc) doc.poti[5].points:insert({}, { at = 1 }) end)
      finds({ "poti[8].points[1] added" }, function(doc) doc.poti[8].points:insert({}, { at = 1 }) end)
      finds({ "ckph[4] to ckph[1] moved" }, function(doc) doc.ckph:move(4, 1) end)
   end)

   it("differ in what a reference names, by the same number, too", function()
      local old, new = tools.open "race", tools.open "race"
      new.jgpt:insert({}, { at = 1 })
      new.ckpt[3].respawn = 1
      assert.same({ "ckpt[3] respawn jgpt[1] -> jgpt[1] (another record)", "jgpt[1] added" }, lines(old, new))
   end)

   it("differ in what a reference names", function()
      finds({ "ckpt[3] respawn jgpt[1] -> jgpt[4]", "came opening came[5] -> came[6]" }, function(doc)
         doc.ckpt[3].respawn = 4
         doc.came.opening = 6
      end)
      finds({ "poti[1] removed", "came[5] route poti[1] -> none" }, function(doc) doc.poti:remove(1) end)
      local list = differences(function(doc) object(doc, 234).settings[1] = 7 end)
      assert.equal(1, #list)
      assert.matches("settings {6, 120, 0, 0, 0, 0, 0, 0} %-> {7, 120, 0, 0, 0, 0, 0, 0}$", list[1])
      finds({ "enph[1] next {enph[2], enph[3], none, none, none, none} -> {enph[3], enph[2], none, none, none, none}" },
         function(doc) doc.enph[1].next = { 3, 2 } end)
   end)

   it("differ in hidden start points", function()
      local list = differences(function(doc) object(doc, 201).settings[5] = 3 end)
      assert.equal(1, #list)
      assert.matches("settings {0, 0, 0, 0, 2, 0, 0, 0} %-> {0, 0, 0, 0, 3, 0, 0, 0}", list[1])
      assert.same({ "poti[9].points[1] removed" }, differences(function(doc) doc.poti[9].points:remove(1) end))
   end)

   it("differ in a fall boundary's checkpoints", function()
      local old = tools.open "race"
      old.area:insert{ type = 10, setting_1 = 3, setting_2 = 9 }
      local new = old:clone()
      new.ckpt:remove(2)
      assert.same({ "ckpt[2] removed", "ckph[1] length 19 -> 18" }, lines(old, new))
      new.area[14].setting_2 = 9
      assert.same({ "ckpt[2] removed", "ckph[1] length 19 -> 18", "area[14] setting_2 9 -> 9 (another record)" },
         lines(old, new))
   end)

   it("differ in places among the others", function()
      finds({ "gobj[40] to gobj[3] moved" }, function(doc) doc.gobj:move(40, 3) end)
      finds({ "ckpt[2] to ckpt[5] moved" }, function(doc) doc.ckpt:move(2, 5) end)
      finds({ "gobj[3] to gobj[40] moved" }, function(doc) doc.gobj:move(3, 40) end)
      finds({ "area[1] to area[2] moved" }, function(doc) doc.area:move(1, 2) end)
   end)

   it("differ in routes and their points", function()
      finds({ "poti[4] smooth 0 -> 1", "poti[4].points[2] speed 15 -> 99", "poti[8].points[3] removed",
         "poti[9].points[5] added" }, function(doc)
         doc.poti[4].smooth = 1
         doc.poti[4].points[2].speed = 99
         doc.poti[8].points:remove(3)
         doc.poti[9].points:insert{ position = { 0, 0, 9 } }
      end)
      finds({ "poti[6] removed", "area[7] route poti[6] -> none" }, function(doc) doc.poti:remove(6) end)
      finds({ "poti[3].points[1] to poti[3].points[3] moved" }, function(doc) doc.poti[3].points:move(1, 3) end)
   end)

   it("know groups by their points", function()
      finds({ "enpt[20] added", "enph[1] length 19 -> 20" }, function(doc)
         doc.enpt:insert({}, { at = 20, group = 1 })
      end)
      finds({ "enph[1] length 19 -> 12", "enph[1] next {enph[2], enph[3], none, none, none, none} -> "
         .. "{enph[2], none, none, none, none, none}", "enph[2] added",
         "enph[3] prev {enph[1], none, none, none, none, none} -> "
         .. "{enph[2], none, none, none, none, none}", "enph[4] prev {enph[1], none, none, none, none, none} -> "
         .. "{enph[2], none, none, none, none, none}" }, function(doc) doc.enph:split(1, 13) end)
   end)

   it("take what stands where it stood for the same, if nothing else fits", function()
      -- Every position changes.
      local list = differences(function(doc) doc:mirror "x" end)
      for _, line in ipairs(list) do assert.not_matches("added|removed|moved", line) end
      -- An id is changed in place.
      finds({ "gobj[3] id 101 -> 102" }, function(doc) doc.gobj[3].id = 102 end)
   end)

   it("find what was moved far among many of its kind", function()
      finds({ "jgpt[9] position (5000, 2000, -12536) -> (90000, 0, 0)" }, function(doc)
         doc.jgpt[9].position = { 90000, 0, 0 }
      end)
   end)

   it("differ in what is around the sections", function()
      finds({ "file version 2520 -> 2510" }, function(doc)
         local bytes = doc:bytes()
         return assert(kart.kmp.parse((bytes:gsub("\0\0\x09\xD8", "\0\0\x09\xCE", 1))))
      end)
      local plain, wim = kart.kmp.parse(tools.bytes "version_9999"), kart.kmp.parse(tools.bytes "section_wim0")
      local found = lines(plain, wim)
      assert.same({ "file version 9999 -> 2520", "file section WIM0 added" }, found)
      assert.same({ "file section WIM0 removed", "file version 2520 -> 9999" }, { lines(wim, plain)[2],
         lines(wim, plain)[1] })
   end)

   it("may lack sections", function()
      local whole, less = kart.kmp.parse(tools.bytes "version_9999"), kart.kmp.parse(tools.bytes "sections_missing")
      local removed = {}
      for _, line in ipairs(lines(whole, less)) do
         if line:find "removed$" then removed[#removed + 1] = line end
      end
      assert.same({ "itpt removed", "itph removed", "cnpt removed", "mspt removed" }, removed)
   end)

   it("of other versions are compared in the fields that both have", function()
      local old = kart.kmp.parse(tools.bytes "version_2320")
      local new = kart.kmp.parse(tools.bytes "version_9999")
      assert.same({ "file version 2320 -> 9999" }, lines(old, new))
   end)

   it("don't differ in references out of range that are the same", function()
      local function odd() return change.raw(tools.open "race", "gobj", 1, "route", 500) end
      assert.same({}, lines(odd(), odd()))
      assert.same({ "gobj[1] route poti[501] -> none" }, lines(odd(), tools.open "race"))
   end)

   it("of different games can't be compared", function()
      local list, message = compare(kart.kmp.new{}, kart.kmp.new{ game = "mk7" })
      assert.is_nil(list)
      assert.matches("different games", message)
      assert.same({}, lines(kart.kmp.new{ game = "mk7", gobj = { {} } }, kart.kmp.new{ game = "mk7", gobj = { {} } }))
   end)

   it("hold whatever numbers they hold", function()
      local nan = change.raw(tools.open "race", "enpt", 2, "width", 0 / 0)
      assert.same({}, lines(nan, nan:clone()))
      assert.same({ "enpt[2] width 25 -> nan" }, lines(tools.open "race", nan))
      assert.same({}, lines(tools.open "race", change.raw(tools.open "race", "area", 5, "rotation", -0.0)))
   end)
end)

describe("kartlua diff", function()
   local folder

   local function run(...) return support.run{ cwd = folder, "diff", ... } end

   before_each(function()
      folder = support.tmp()
      local doc = tools.open "race"
      assert(doc:save(folder .. "/a.kmp"))
      doc.gobj[12].position = doc.gobj[12].position + kart.vec(0, 0, 2)
      doc.gobj[3].presence = 1
      doc.poti:insert{ points = { {}, {} } }
      doc.gobj:move(20, 4)
      doc.gobj:remove(30)
      doc.came.opening = 2
      assert(doc:save(folder .. "/b.kmp"))
   end)

   it("prints a line for each difference, and how many there are", function()
      local code, out, err = run("a.kmp", "b.kmp")
      assert.same({ 1, "" }, { code, err })
      assert.equal([[
a.kmp -> b.kmp
  gobj[20] -> gobj[4] (BeltCurveA): moved
  gobj[30] (BeltCrossing): removed, at (1400, 500, -1700)
  gobj[3] (itembox): presence 63 -> 1
  gobj[12] -> gobj[13] (WLfireringGC): position (2969, 1700, -11969) -> (2969, 1700, -11967), 2 units
  poti[10]: added, 2 points
  came: opening came[5] -> came[2]
  1 added, 3 changed, 1 removed, 1 moved
]], out)
   end)

   it("says so when there is none", function()
      assert.same({ 0, "a.kmp -> a.kmp\n  no difference\n", "" }, { run("a.kmp", "a.kmp") })
      support.write(folder .. "/c.kmp", support.read(folder .. "/a.kmp") .. "\0\0\0\0")
      assert.same({ 0, "a.kmp -> c.kmp\n  no difference, but other bytes\n", "" }, { run("a.kmp", "c.kmp") })
   end)

   it("shows twenty lines of a section, or all", function()
      assert(tools.open "race":mirror "x":save(folder .. "/m.kmp"))
      local _, out = run("a.kmp", "m.kmp")
      local shown = select(2, out:gsub("\n  enpt%[", ""))
      local more = tonumber(out:match "\n  enpt: (%d+) more, %-%-all shows them\n")
      assert.equal(20, shown)
      _, out = run("--all", "a.kmp", "m.kmp")
      assert.equal(20 + more, select(2, out:gsub("\n  enpt%[", "")))
      assert.not_matches("more", out)
   end)

   it("writes JSON, an object a line", function()
      local code, out, err = run("--json", "a.kmp", "b.kmp")
      assert.same({ 1, "" }, { code, err })
      assert.equal(6, select(2, out:gsub("\n", "")))
      assert.truthy(out:find('{"section":"gobj","kind":"changed","old_index":12,"new_index":13,"title":"WLfireringGC",'
         .. '"field":"position","old":"(2969, 1700, -11969)","new":"(2969, 1700, -11967)","distance":2.0}\n', 1, true))
      assert.same({ 0, "", "" }, { run("--json", "a.kmp", "a.kmp") })
   end)

   it("is in trouble, and says so with 2", function()
      assert.same({ 2, "", "kartlua diff: 2 files are needed (course, edited), not 1 (--help shows the usage)\n" },
         { run "a.kmp" })
      assert.equal(2, (run "--json"))
      assert.equal(2, (run("a.kmp", "b.kmp", "a.kmp")))
      assert.same({ 2, "", "kartlua diff: none.kmp: cannot open: No such file or directory\n" },
         { run("a.kmp", "none.kmp") })
      support.write(folder .. "/cut.kmp", support.read(folder .. "/a.kmp"):sub(1, 500))
      local code, out, err = run("cut.kmp", "a.kmp")
      assert.same({ 2, "" }, { code, out })
      assert.matches("^kartlua diff: cut%.kmp: ", err)
      assert(kart.kmp.new{ game = "mk7" }:save(folder .. "/seven.kmp"))
      assert.same({ 2, "", "kartlua diff: the two files are of different games\n" }, { run("a.kmp", "seven.kmp") })
      assert.equal(2, (run("--in-place", "a.kmp", "b.kmp")))
   end)

   it("shows both files in its help", function()
      local code, out = run "--help"
      assert.equal(0, code)
      assert.matches("usage: kartlua diff %[options%] course%.kmp edited%.kmp\n", out)
      assert.not_matches("%-%-jobs", out)
   end)
end)

describe("a recipe of several inputs", function()
   local recipe = require "kartlua.recipe"

   it("can't save", function()
      assert.error_matches(function() recipe{ summary = "", run = print, inputs = { "a", "b" } } end, "can't save")
   end)

   it("fails with 2 whatever goes wrong in it", function()
      local folder = support.tmp()
      assert(kart.kmp.new{}:save(folder .. "/a.kmp"))
      support.write(folder .. "/look.lua", [[
         return require "kartlua.recipe"{ summary = "Looks.", saves = false, inputs = { "one", "other", "third" },
            options = { { name = "raise", type = "flag", help = "raise" } },
            run = function(docs, options, jobs)
               if options.raise then error "bad luck" end
               print(#docs, jobs[3].input)
               return 1
            end }]])
      assert.same({ 1, "3\ta.kmp\n", "" }, { support.run{ cwd = folder, "look", "a.kmp", "a.kmp", "a.kmp" } })
      local code, out, err = support.run{ cwd = folder, "look", "--raise", "a.kmp", "a.kmp", "a.kmp" }
      assert.same({ 2, "" }, { code, out })
      assert.matches("^kartlua look: [^\n]*bad luck\n$", err)
   end)
end)
