local lfs = require "lfs"
local recipe = require "kartlua.recipe"
local support = require "spec.support"
local course = require "spec.recipe.course"

local read, write = support.read, support.write

local folder -- of the running test

local function run(...) return support.run{ cwd = folder, ... } end

local function save(doc, name) assert(doc:save(folder .. "/" .. name)) end

-- What is in the folder besides what was put there, sorted, in one text.
local function files(path)
   local names = {}
   for name in lfs.dir(path or folder) do
      if name:sub(1, 1) ~= "." and not name:find("%.lua$") then names[#names + 1] = name end
   end
   table.sort(names)
   return table.concat(names, " ")
end

-- A recipe file that does `body` with each document.
local function recipe_file(name, body, more)
   write(folder .. "/" .. name .. ".lua", ([[
      return require "kartlua.recipe" {
         summary = "A recipe of a spec.", %s
         run = function(doc, options, job) %s end,
      }]]):format(more or "", body))
end

before_each(function() folder = support.tmp() end)

describe("a recipe", function()
   local function failure(spec)
      local ok, message = pcall(recipe, spec)
      assert.is_false(ok)
      return message
   end

   local function with_option(option)
      return { summary = "", run = print, options = { option } }
   end

   it("must be complete", function()
      assert.matches("expected a table, found a string", failure("x"))
      assert.matches("summary is missing", failure{ run = print })
      assert.matches("run is missing", failure{ summary = "" })
   end)

   it("must describe its options", function()
      assert.matches("option at needs a help text", failure(with_option{ name = "at", type = "number" }))
      assert.matches("there is no type place", failure(with_option{ name = "at", type = "place", help = "" }))
      assert.matches("a word in lower case", failure(with_option{ name = "At", type = "flag", help = "" }))
      assert.matches("option at needs choices", failure(with_option{ name = "at", type = "choice", help = "" }))
      assert.matches("option jobs stands twice", failure(with_option{ name = "jobs", type = "flag", help = "" }))
      assert.matches("option all: multiple is for options that take a value and have no default",
         failure(with_option{ name = "all", type = "flag", multiple = true, help = "" }))
   end)

   it("is blamed by name", function()
      write(folder .. "/bad.lua", "return require 'kartlua.recipe' {}")
      local code, _, err = run("bad")
      assert.same({ 1, "kartlua: bad.lua: recipe: summary is missing\n" }, { code, err })
   end)
end)

describe("before the files, a recipe", function()
   before_each(function() save(course.race(), "a.kmp") end)

   it("may refuse what the options say", function()
      recipe_file("choosy", "", "prepare = function(options) return nil, 'not like this' end,")
      local code, out, err = run("choosy", "a.kmp")
      assert.same({ 2, "", "kartlua choosy: not like this (--help shows the usage)\n" }, { code, out, err })
   end)

   it("may have done all that is to do", function()
      recipe_file("teller", "print 'run'", "prepare = function() print 'told' return 'done' end,")
      for _, words in ipairs{ {}, { "a.kmp" }, { "-j2", "a.kmp", "none.kmp" } } do
         local code, out, err = run("teller", table.unpack(words))
         assert.same({ 0, "told\n", "" }, { code, out, err })
      end
   end)

   it("may change the options, and is asked once", function()
      recipe_file("counter", "print(options.count)",
         "saves = false, prepare = function(options) options.count = (options.count or 0) + 1 end,")
      assert.equal("1\n1\n", select(2, run("counter", "a.kmp", "a.kmp")))
   end)
end)

describe("folders", function()
   before_each(function()
      for _, name in ipairs{ "d", "d/e", "d/.hidden", "d/empty" } do lfs.mkdir(folder .. "/" .. name) end
      for _, name in ipairs{ "d/b.kmp", "d/A.KMP", "d/e/c.kmp", "d/.hidden/x.kmp", "z.kmp" } do
         save(course.race(), name)
      end
      write(folder .. "/d/other.txt", "")
      lfs.link(".", folder .. "/d/loop", true)
      recipe_file("look", "print(job.input)", "saves = false,")
   end)

   it("stand for the files in them, sorted", function()
      local code, out, err = run("look", "d", "z.kmp")
      assert.same({ 0, "d/A.KMP\nd/b.kmp\nd/e/c.kmp\nz.kmp\n", "" }, { code, out, err })
      assert.equal("d/e/c.kmp\n", select(2, run("look", "d/e/")))
      assert.equal(out, select(2, run("look", "-j3", "d", "z.kmp")))
   end)

   it("are an error when there is nothing in them", function()
      local code, out, err = run("look", "d/empty", "z.kmp")
      assert.same({ 1, "z.kmp\n", "d/empty: there is no course in this folder\n" }, { code, out, err })
   end)

   it("keep their shape where results go", function()
      assert.equal(0, (run("mirror", "-o", "out/", "d", "z.kmp")))
      assert.equal("A.KMP b.kmp e z.kmp", files(folder .. "/out"))
      assert.equal("c.kmp", files(folder .. "/out/e"))
   end)
end)

describe("the help of a recipe", function()
   it("tells the options with their types and defaults, where results go, and an example", function()
      recipe_file("lift", "", [[example = "kartlua lift --by 5 course.kmp", options = {
         { name = "by", type = "number", default = 100, help = "units" },
         { name = "to_side", type = "choice", choices = { "left", "right" }, required = true, help = "where" },
         { name = "set", type = "text", hint = "A=B", multiple = true, help = "rules" },
      },]])
      local code, out, err = run("lift", "--help")
      assert.same({ 0, "" }, { code, err })
      for _, text in ipairs{ "lift: A recipe of a spec.", "usage: kartlua lift [options] course.kmp ...",
         "  --by N                units (default: 100)", "  --to-side left|right  where (required)",
         "  --set A=B             rules (may be given several times)",
         "  -o, --output PATH", "--in-place", "--dry-run", "--force", "-j, --jobs N", "-h, --help",
         "course.kmp -> course.lift.kmp", "kartlua lift --by 5 course.kmp" } do
         assert.truthy(out:find(text, 1, true), text)
      end
   end)

   it("has no output options when nothing is written", function()
      recipe_file("look", "", "saves = false,")
      local _, out = run("look", "-h")
      assert.not_matches("%-%-in%-place", out)
      assert.matches("%-%-jobs", out)
   end)
end)

describe("a wrong command line", function()
   local function usage(message, ...)
      local code, out, err = run(...)
      assert.same({ 2, "", ("kartlua %s (--help shows the usage)\n"):format(message) }, { code, out, err })
   end

   before_each(function()
      save(course.race(), "a.kmp")
      save(course.race(), "b.kmp")
   end)

   after_each(function() assert.equal("a.kmp b.kmp", files()) end)

   it("is refused before anything is done", function()
      usage("mirror: no input file", "mirror")
      usage("mirror: unknown option --axs (did you mean --axis?)", "mirror", "--axs", "z", "a.kmp")
      usage('mirror: --axis: expected one of x, z, found "y"', "mirror", "--axis", "y", "a.kmp")
      usage('mirror: --at: expected a number, found "here"', "mirror", "a.kmp", "--at", "here")
      usage("translate: --by is missing: it needs three numbers like 1,-2.5,0", "translate", "a.kmp")
      usage("info: unknown option -o", "info", "-o", "x", "a.kmp")
   end)

   it("may not lead to a lost file", function()
      usage("mirror: -o and --in-place exclude each other", "mirror", "-o", "c.kmp", "--in-place", "a.kmp")
      usage("mirror: -o must name a folder for several files, and c is none; c/ makes it",
         "mirror", "-o", "c", "a.kmp", "b.kmp")
      usage("mirror: a.kmp would be written over the input a.kmp; --in-place allows that",
         "mirror", "-o", "a.kmp", "a.kmp")
      usage("mirror: ./b.kmp would be written over the input b.kmp; --in-place allows that",
         "mirror", "-o", "./", "b.kmp")
      usage("mirror: a.kmp and ./a.kmp would both write ./a.mirror.kmp", "mirror", "a.kmp", "./a.kmp")
      usage("mirror: a.kmp and a.kmp would both write a.kmp", "mirror", "--in-place", "a.kmp", "a.kmp")
   end)

   it("is seen through links", function()
      lfs.link(folder, folder .. "/.loop", true)
      lfs.link("a.kmp", folder .. "/.link.kmp", true)
      usage("mirror: .loop/a.kmp would be written over the input a.kmp; --in-place allows that",
         "mirror", "-o", ".loop", "a.kmp")
      usage("mirror: .link.kmp would be written over the input a.kmp; --in-place allows that",
         "mirror", "-o", ".link.kmp", "a.kmp")
   end)
end)

describe("the result of a recipe", function()
   local mirrored

   before_each(function()
      save(course.race(), "a.kmp")
      save(course.race{ gobj = {} }, "b.kmp")
      mirrored = course.race():mirror("x"):bytes()
   end)

   it("goes beside the input", function()
      local code, out, err = run("mirror", "a.kmp")
      assert.same({ 0, "a.kmp -> a.mirror.kmp\n", "" }, { code, out, err })
      assert.equal(mirrored, read(folder .. "/a.mirror.kmp"))
      assert.equal(course.race():bytes(), read(folder .. "/a.kmp"))
   end)

   it("has the recipe's name before the last ending", function()
      lfs.mkdir(folder .. "/v.1")
      for input, output in pairs{ ["v.1/a.b.kmp"] = "v.1/a.b.mirror.kmp", ["v.1/c"] = "v.1/c.mirror",
         ["v.1/.kmp"] = "v.1/.kmp.mirror" } do
         save(course.race(), input)
         assert.equal(input .. " -> " .. output .. "\n", select(2, run("mirror.lua", input)))
         assert.truthy(lfs.attributes(folder .. "/" .. output))
      end
   end)

   it("goes to the file that -o names", function()
      assert.equal("a.kmp -> m.kmp\n", select(2, run("mirror", "-o", "m.kmp", "a.kmp")))
      assert.equal(mirrored, read(folder .. "/m.kmp"))
   end)

   it("goes into a folder that is there", function()
      lfs.mkdir(folder .. "/out")
      assert.equal("a.kmp -> out/a.kmp\n", select(2, run("mirror", "a.kmp", "-o", "out")))
      local _, out = run("mirror", "-o", "out", "a.kmp", "b.kmp")
      assert.equal("a.kmp -> out/a.kmp\nb.kmp -> out/b.kmp\n", out)
      assert.equal("a.kmp b.kmp", files(folder .. "/out"))
   end)

   it("goes into a folder that is made", function()
      local code = run("mirror", "-o", "new/deep/", "a.kmp", "b.kmp")
      assert.same({ 0, "a.kmp b.kmp" }, { code, files(folder .. "/new/deep") })
   end)

   it("says when the folder can't be made", function()
      local code, out, err = run("mirror", "-o", "a.kmp/deep/", "b.kmp")
      assert.same({ 1, "" }, { code, out })
      assert.matches("^a%.kmp: cannot make the folder: [^\n]+\n$", err)
   end)

   it("is kept in place with the permissions and the date it had", function()
      local path = folder .. "/a.kmp"
      lfs.link("a.kmp", folder .. "/.link.kmp", true)
      for _, name in ipairs{ "a.kmp", ".link.kmp" } do
         os.execute(("chmod 600 '%s'; touch -d '2001-02-03' '%s'"):format(path, path))
         local before, kept = lfs.attributes(path), folder .. "/" .. name .. ".bak"
         assert.equal(0, (run("mirror", "--in-place", name)))
         assert.same({ "rw-------", before.modification, "file" }, { lfs.attributes(kept, "permissions"),
            lfs.attributes(kept, "modification"), lfs.symlinkattributes(kept, "mode") })
         assert.equal("rw-------", lfs.attributes(path, "permissions"))
         assert.is_true(read(path) ~= read(kept))
      end
   end)

   it("replaces the input in place, which is kept, and so is what was kept before", function()
      local original = read(folder .. "/a.kmp")
      assert.equal("a.kmp -> a.kmp (was a.kmp.bak)\n", select(2, run("mirror", "--in-place", "a.kmp")))
      assert.same({ mirrored, original }, { read(folder .. "/a.kmp"), read(folder .. "/a.kmp.bak") })
      assert.equal("a.kmp -> a.kmp (was a.kmp.bak2)\n", select(2, run("mirror", "--in-place", "a.kmp")))
      assert.same({ original, original, mirrored },
         { read(folder .. "/a.kmp"), read(folder .. "/a.kmp.bak"), read(folder .. "/a.kmp.bak2") })
   end)

   it("is not written by --dry-run", function()
      local code, out = run("mirror", "--dry-run", "-o", "new/", "a.kmp", "b.kmp")
      assert.equal(0, code)
      assert.equal("a.kmp -> new/a.kmp (dry run, not written)\nb.kmp -> new/b.kmp (dry run, not written)\n", out)
      assert.equal("a.kmp b.kmp", files())
   end)

   it("comes with warnings on standard error", function()
      save(course.odd(), "odd.kmp")
      local code, out, err = run("mirror", "odd.kmp")
      assert.same({ 0, "odd.kmp -> odd.mirror.kmp\n" }, { code, out })
      assert.matches("^odd%.kmp: gobj%[1%]%.id: warning: [^\n]+\n$", err)
   end)

   it("isn't written with a new error, unless forced", function()
      save(course.fragile(), "f.kmp")
      local code, out, err = run("mirror", "f.kmp")
      assert.same({ 1, "" }, { code, out })
      assert.matches("^f%.kmp: gobj%[1%]%.position: error: [^\n]+\n"
         .. "f%.kmp: nothing written because of an error; %-%-force writes it all the same\n$", err)
      assert.equal("a.kmp b.kmp f.kmp", files())
      code, out = run("mirror", "--force", "f.kmp")
      assert.same({ 0, "f.kmp -> f.mirror.kmp\n" }, { code, out })
   end)

   it("may be another document", function()
      recipe_file("empty", "return kart.kmp.new{}")
      run("empty", "a.kmp")
      assert.equal(kart.kmp.new{}:bytes(), read(folder .. "/a.empty.kmp"))
   end)

   it("is nothing when false is returned", function()
      recipe_file("look", "print 'seen' return false")
      local code, out, err = run("look", "a.kmp", "b.kmp")
      assert.same({ 0, "seen\nseen\n", "" }, { code, out, err })
      assert.equal("a.kmp b.kmp", files())
   end)

   it("is the changed document when nothing is returned", function()
      recipe_file("lift", "doc.gobj[1].position = { 0, job.output == 'a.lift.kmp' and 5 or 6, 0 }")
      run("lift", "a.kmp")
      assert.equal(5, assert(kart.open(folder .. "/a.lift.kmp")).gobj[1].position.y)
   end)
end)

describe("a file that fails", function()
   before_each(function()
      save(course.race(), "a.kmp")
      save(course.race(), "b.kmp")
   end)

   local function fails(pattern, ...)
      local code, out, err = run(...)
      assert.same({ 1, "" }, { code, out })
      assert.matches(pattern, err)
   end

   it("is named in one line", function()
      write(folder .. "/cut.kmp", read(folder .. "/a.kmp"):sub(1, 300))
      fails("^none%.kmp: cannot open[^\n]+\n$", "mirror", "none.kmp")
      fails("^cut%.kmp: [^\n]+\n$", "mirror", "cut.kmp")
      lfs.mkdir(folder .. "/empty")
      fails("^empty: there is no course in this folder\n$", "mirror", "empty")
      lfs.rmdir(folder .. "/empty")
      recipe_file("broken", "local nothing = nil; return nothing.x")
      fails("^a%.kmp: broken%.lua:3: attempt to index a nil value [^\n]+\n$", "broken", "a.kmp")
      recipe_file("unwilling", "return nil, 'this course is too good'")
      fails("^a%.kmp: this course is too good\n$", "unwilling", "a.kmp")
      recipe_file("meant", "", "accepts = 'kcl',")
      fails("^a%.kmp: a KMP file, but this recipe takes KCL files\n$", "meant", "a.kmp")
      recipe_file("either", "", "accepts = { 'kcl', 'agp' },")
      fails("^a%.kmp: a KMP file, but this recipe takes KCL, BIN files\n$", "either", "a.kmp")
      assert.equal("a.kmp b.kmp cut.kmp", files())
   end)

   it("shows the traceback with --debug", function()
      recipe_file("broken", "error 'deep'")
      fails("^a%.kmp: broken%.lua:3: deep\nstack traceback:\n", "--debug", "broken", "a.kmp")
   end)

   it("doesn't stop the others", function()
      local code, out, err = run("mirror", "a.kmp", "none.kmp", "b.kmp")
      assert.same({ 1, "a.kmp -> a.mirror.kmp\nb.kmp -> b.mirror.kmp\n" }, { code, out })
      assert.matches("^none%.kmp: [^\n]+\n$", err)
   end)

   it("stays whole when the result can't be written", function()
      lfs.mkdir(folder .. "/a.mirror.kmp")
      fails("^a%.mirror%.kmp: cannot write: it is a folder\n$", "mirror", "a.kmp")
      fails("^nowhere/a%.kmp: [^\n]+\n$", "mirror", "-o", "nowhere/a.kmp", "a.kmp")
      assert.equal("a.kmp a.mirror.kmp b.kmp", files())
      assert.equal(course.race():bytes(), read(folder .. "/a.kmp"))
   end)

   it("leaves no second copy behind when the result can't be written", function()
      local output, path = require "kartlua.output", folder .. "/a.kmp"
      local write_file = kart.file.write
      kart.file.write = function(to, ...) -- luacheck: ignore 122
         if to == path then return nil, "the disk is full" end
         return write_file(to, ...)
      end
      local save_it = assert(output.prepare(course.race(), { input = path, output = path, in_place = true }))
      local results = table.pack(pcall(save_it))
      kart.file.write = write_file -- luacheck: ignore 122
      assert.same({ true, nil, "the disk is full", n = 3 }, results)
      assert.equal("a.kmp b.kmp", files())
      assert.equal(course.race():bytes(), read(path))
   end)

   it("never ends the batch, whatever its recipe gives back", function()
      for body, pattern in pairs{
         ["return true"] = "a.kmp: the recipe odd gave true back: it can be a document, nil or false",
         ["return 'text'"] = "a.kmp: the recipe odd gave a string back: it can be a document, nil or false",
         ["return doc.gobj"] = "a.kmp: the recipe odd gave a section back: it can be a document, nil or false",
         ["return false, 'no good'"] = "a.kmp: no good",
         ["return nil, {}"] = "a.kmp: an error that is no text but a table value",
         ["doc:close()"] = "a.kmp: [^\n]*the document is closed",
         ["local other = doc:clone() other:close() return other"] = "a.kmp: [^\n]*the document is closed",
      } do
         recipe_file("odd", "if job.input == 'a.kmp' then " .. body .. " end")
         local code, out, err = run("odd", "a.kmp", "b.kmp")
         assert.same({ 1, "b.kmp -> b.odd.kmp\n" }, { code, out })
         assert.matches("^" .. pattern .. "\n$", err)
         recipe_file("odd", "if job.input == 'a.kmp' then " .. body .. " end", "saves = false,")
         assert.equal(body:find "close" and 0 or 1, (run("odd", "a.kmp", "b.kmp")))
      end
   end)

   it("stays whole when it can't be kept", function()
      -- A name that has room for itself, but not for .bak behind it.
      local long = ("n"):rep(251) .. ".kmp"
      save(course.race(), long)
      fails("^" .. long .. "%.bak: [^\n]+\n$", "mirror", "--in-place", long)
      assert.equal(course.race():bytes(), read(folder .. "/" .. long))
   end)
end)

describe("several at a time", function()
   local NAMES = { "a.kmp", "b c.kmp", "d'e.kmp", "$(f).kmp", "-g.kmp", "h\ni.kmp", "odd.kmp" }

   it("give the same as one by one, in the same order", function()
      for _, name in ipairs(NAMES) do save(name == "odd.kmp" and course.odd() or course.race(), name) end
      local function batch(jobs, out)
         return { run("mirror", "--axis", "z", "-j" .. jobs, "--at", "-100", "-o", out, "none.kmp", "--",
            table.unpack(NAMES)) }
      end
      local one, three, many = batch(1, "out/"), batch(3, "out/"), batch(99, "out/")
      assert.equal(1, one[1])
      assert.equal(#NAMES, select(2, one[2]:gsub(" %-> out/", "")))
      assert.same(one, three)
      assert.same(one, many)
      local expected = course.race():mirror("z", { at = -100 }):bytes()
      for _, name in ipairs(NAMES) do
         if name ~= "odd.kmp" then assert.equal(expected, read(folder .. "/out/" .. name)) end
      end
   end)

   it("run the code of -e first, each of them", function()
      for _, name in ipairs{ "a.kmp", "b.kmp" } do save(course.race(), name) end
      recipe_file("show", "print(job.input, first, second)", "saves = false,")
      local code, out, err = run("-e", "first = '-1'", "-esecond = first .. [[ it's]]", "show", "-j2", "a.kmp", "b.kmp")
      assert.same({ 0, "a.kmp\t-1\t-1 it's\nb.kmp\t-1\t-1 it's\n", "" }, { code, out, err })
   end)

   it("end with 0 when all went well", function()
      for _, name in ipairs{ "a.kmp", "b.kmp" } do save(course.race(), name) end
      local code, out, err = run("laps", "-j2", "a.kmp", "b.kmp")
      assert.same({ 0, "" }, { code, err })
      assert.equal(select(2, run("laps", "a.kmp", "b.kmp")), out)
   end)

   it("are refused as a whole when two would write the same file", function()
      lfs.mkdir(folder .. "/x")
      for _, name in ipairs{ "a.kmp", "x/a.kmp" } do save(course.race(), name) end
      local code, _, err = run("mirror", "-j2", "-o", "out/", "a.kmp", "x/a.kmp")
      assert.equal("kartlua mirror: a.kmp and x/a.kmp would both write out/a.kmp (--help shows the usage)\n", err)
      assert.same({ 2, "a.kmp x" }, { code, files() })
   end)
end)
