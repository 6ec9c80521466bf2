-- The recipe check, and what it writes with.
local json = require "kartlua.json"
local lfs = require "lfs"
local support = require "spec.support"
local collision = require "spec.recipe.collision"

local folder

local function run(...) return support.run{ cwd = folder, "check", ... } end
local function write(name, bytes) support.write(folder .. "/" .. name, bytes) end

before_each(function()
   folder = support.tmp()
   write("good.kcl", collision.row{ 0x00, 0x0C })
   write("odd.kcl", collision.odd(1))
end)

describe("check", function()
   it("prints findings like a compiler, and how many there are", function()
      local code, out, err = run("odd.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.matches("^odd%.kcl: prisms%[4%]: H triangle%-duplicate: [^\n]+\n"
         .. "odd%.kcl: prisms%[1%]%.face_normal: W road%-face%-down: [^\n]+\n"
         .. "odd%.kcl: 1 warning, 1 hint %(%-%-explain RULE tells more%)\n$", out)
   end)

   it("says so when there is nothing", function()
      assert.same({ 0, "good.kcl: nothing found\n", "" }, { run "good.kcl" })
   end)

   it("shows ten of a rule, or all", function()
      write("many.kcl", collision.odd(13))
      local _, out = run("many.kcl")
      assert.equal(10, select(2, out:gsub("road%-face%-down: a road", "")))
      assert.matches("\nmany%.kcl: W road%-face%-down: 3 more, %-%-all shows them\n"
         .. "many%.kcl: 13 warnings, 1 hint %(%-%-explain RULE tells more%)\n$", out)
      _, out = run("--all", "many.kcl")
      assert.equal(13, select(2, out:gsub("road%-face%-down: a road", "")))
      assert.not_matches("%d more", out)
   end)

   it("names --explain once, at the end of the first list with findings", function()
      local _, out = run("good.kcl", "odd.kcl", "odd.kcl")
      assert.equal(1, select(2, out:gsub("%-%-explain", "")))
      assert.matches("nothing found\n.-hint %(%-%-explain RULE tells more%)\n.-hint\n$", out)
      assert.not_matches("%-%-explain", select(2, run("--json", "odd.kcl")))
   end)

   it("counts warnings as errors on request", function()
      local code, _, err = run("--strict", "odd.kcl", "good.kcl")
      assert.same({ 1, "odd.kcl: 1 warning, not allowed by --strict\n" }, { code, err })
      local out
      code, out, err = run("--strict", "--ignore", "road-face-down", "odd.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.matches("\nodd%.kcl: 1 hint [^\n]+\n$", out)
   end)

   it("leaves out rules", function()
      assert.same({ 0, "odd.kcl: nothing found\n", "" },
         { run("--strict", "--ignore", "road-face-down", "--ignore=triangle-duplicate", "odd.kcl") })
   end)

   it("shows what reading the file found", function()
      write("extra.kcl", collision.row({ 0x00 }, "mkw", { extra = ("\0"):rep(8) }))
      local _, out = run "extra.kcl"
      assert.matches("^extra%.kcl: H header%-extra: 8 more bytes [^\n]+\nextra%.kcl: 1 hint [^\n]+\n$", out)
      assert.equal("extra.kcl: nothing found\n", select(2, run("--ignore", "header-extra", "extra.kcl")))
   end)

   it("searches folders, and goes on after a file that fails", function()
      lfs.mkdir(folder .. "/d")
      write("d/cut.kcl", collision.row{ 0x00 }:sub(1, 200))
      write("d/fine.kcl", collision.row{ 0x00 })
      local code, out, err = run("d", "good.kcl")
      assert.same({ 1, "d/fine.kcl: nothing found\ngood.kcl: nothing found\n" }, { code, out })
      assert.matches("^d/cut%.kcl: [^\n]+\n$", err)
      assert.same({ code, out, err }, { run("-j2", "d", "good.kcl") })
   end)

   it("takes courses and collision", function()
      assert(kart.kmp.new{}:save(folder .. "/course.kmp"))
      local code, out, err = run("course.kmp", "good.kcl")
      assert.same({ 1, "course.kmp: 1 error\n" }, { code, err })
      assert.matches("course%.kmp: ktpt: E start%-none: no start position\n", out)
      assert.matches("\ngood%.kcl: nothing found\n$", out)
   end)

   it("tells once what reading the file and checking it both find", function()
      local bytes = require("samples.race")():bytes()
      local respawn = bytes:find("CKPT", 17 * 4, true) + 8 + 0x10
      write("course.kmp", bytes:sub(1, respawn - 1) .. "\200" .. bytes:sub(respawn + 1))
      local _, out = run "course.kmp"
      assert.equal(1, select(2, out:gsub("ckpt%[1%]%.respawn: ", "")), out)
   end)

   it("knows no rules of Mario Kart 7", function()
      assert(kart.kmp.new{ game = "mk7" }:save(folder .. "/course.kmp"))
      local code, out, err = run "course.kmp"
      assert.same({ 1, "" }, { code, out })
      assert.matches("^course%.kmp: [^\n]*Mario Kart 7[^\n]*\n$", err)
   end)

   it("explains a rule, without a file", function()
      local code, out, err = run("--explain", "road-face-down")
      assert.same({ 0, "" }, { code, err })
      assert.matches("^road%-face%-down %(warning, prisms%)\n  A road [^\n]+\n  What to do: [^\n]+\n"
         .. "  How it is known: [^\n]+\n$", out)
   end)

   it("explains every rule that there is", function()
      for _, rule in ipairs(require("kartlua.checks").rules()) do
         local code, out = run("--explain", rule.id)
         assert.equal(0, code)
         local where = rule.sections ~= "" and rule.sections or "the whole file"
         assert.equal(("%s (%s, %s)"):format(rule.id, rule.severity, where), out:match "^[^\n]*")
      end
   end)

   it("refuses rules that there aren't", function()
      for _, option in ipairs{ "--explain", "--ignore" } do
         assert.same({ 2, "", ("kartlua check: %s: there is no rule 'road-facedown' (did you mean road-face-down?)"
            .. " (--help shows the usage)\n"):format(option) }, { run(option, "road-facedown", "odd.kcl") })
      end
   end)
end)

describe("check of points against collision", function()
   local GROUND = "\n[%l./]*course%.kmp: cnpt%[1%]%.position: W cannon%-ground: a fall 3000 units below"

   before_each(function()
      assert(require("samples.race")():save(folder .. "/course.kmp"))
      write("track.kcl", require("samples.kcl_race")())
   end)

   it("is made with --collision, of whatever has triangles", function()
      assert.not_matches("cannon", select(2, run "course.kmp"))
      local code, out, err = run("--collision", "track.kcl", "course.kmp")
      assert.same({ 0, "" }, { code, err })
      assert.matches("\ncourse%.kmp: cnpt%[1%]%.position: W cannon%-ground: a fall 3000 units below", out)
      assert(kart.open(folder .. "/track.kcl"):mesh():save(folder .. "/track.obj"))
      assert.equal(1, select(2, select(2, run("--collision=track.obj", "course.kmp")):gsub("cannon%-ground", "")))
   end)

   it("is made by itself of archives and folders", function()
      os.rename(folder .. "/track.kcl", folder .. "/course.kcl")
      local archive = assert(kart.course(folder .. "/course.kmp"))
      assert(archive:save(folder .. "/course.szs"))
      assert(archive:extract(folder .. "/course.d"))
      for _, name in ipairs{ "course.szs", "course.d", "course.d/course.kmp", "course.kmp" } do
         local code, out, err = run(name)
         assert.same({ 0, "" }, { code, err })
         assert.matches(GROUND, out)
      end
      -- What is named counts instead.
      assert.not_matches("cannon%-ground", select(2, run("--collision", "good.kcl", "--ignore", "cannon-ground",
         "course.szs")))
      assert.matches("ktpt%[1%]%.position: W start%-ground", select(2, run("--collision", "good.kcl", "course.szs")))
      assert.matches(GROUND, select(2, run("--collision", "course.szs", "course.kmp")))
   end)

   it("is not made of an archive without collision", function()
      local archive = kart.szs.new():add("course.kmp", kart.file.read(folder .. "/course.kmp"))
      assert(archive:save(folder .. "/course.szs"))
      local code, out = run "course.szs"
      assert.equal(0, code)
      assert.not_matches("cannon", out)
      local err
      code, out, err = run("--collision", "course.szs", "course.kmp")
      assert.same({ 2, "" }, { code, out })
      assert.matches("%-%-collision: course%.szs: there is no collision of a course in it", err)
   end)

   it("needs a file that can be read and has triangles", function()
      for name, message in pairs{ ["none.kcl"] = "none%.kcl", ["course.kmp"] = "a file without triangles" } do
         local code, out, err = run("--collision", name, "course.kmp")
         assert.same({ 2, "" }, { code, out })
         assert.matches("^kartlua check: %-%-collision: [^\n]*" .. message .. "[^\n]*\n$", err)
      end
   end)
end)

describe("check --json", function()
   it("writes an object a line, all findings, and the same exit code", function()
      write("many.kcl", collision.odd(13))
      local code, out, err = run("--json", "many.kcl", "good.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.equal(14, select(2, out:gsub("\n", "")))
      assert.matches('\n{"file":"many%.kcl","rule":"road%-face%-down","severity":"warning",'
         .. '"place":"prisms%[13%]%.face_normal","section":"prisms","index":13,"field":"face_normal",'
         .. '"message":"a road [^\n"]+"}\n$', out)
      assert.equal(1, (run("--json", "--strict", "many.kcl")))
   end)

   it("can be read by others", function()
      local found, dkjson = pcall(require, "dkjson")
      if not found then return support.skip "no dkjson here to read JSON with" end
      local record = { file = 'a"b\\c\n\t\1é', index = 12 }
      assert.same(record, dkjson.decode(json(record, { "file", "index", "point" })))
   end)
end)

describe("a record as JSON", function()
   local function text_of(value) return json({ text = value }, { "text" }) end

   it("has its keys in their order, and no others", function()
      assert.equal('{"b":1,"a":"x"}', json({ a = "x", b = 1, c = 2 }, { "b", "a", "d" }))
      assert.equal("{}", json({}, { "a" }))
   end)

   it("escapes what must be", function()
      assert.equal([[{"text":"\"\\\n\r\t\u0000\u007f/é"}]], text_of '"\\\n\r\t\0\127/é')
   end)

   it("is UTF-8, whatever a file is called", function()
      assert.equal('{"text":"a\u{FFFD}b\u{FFFD}\u{FFFD}"}', text_of "a\xFFb\xC3\xED")
      assert.equal('{"text":"\u{FFFD}\u{FFFD}\u{FFFD}x"}', text_of "\xED\xA0\x80x")
      assert.equal('{"text":"日本\u{10FFFF}"}', text_of "日本\u{10FFFF}")
   end)
end)
