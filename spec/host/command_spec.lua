local lfs = require "lfs"
local support = require "spec.support"
local course = require "spec.recipe.course"

local run, write = support.run, support.write

-- A folder with the files of the table in it.
local function folder_with(files)
   local folder = support.tmp()
   for name, text in pairs(files) do write(folder .. "/" .. name, text) end
   return folder
end

local function lines(text) return select(2, text:gsub("\n", "")) end

describe("kartlua", function()
   local SHOW = 'io.write(arg[0], " ", #arg, " ", tostring(arg[1]), " ", select("#", ...), "\\n")'

   describe("with a script", function()
      it("runs it with its arguments", function()
         local code, out = run{ "show.lua", "-x", "b", cwd = folder_with{ ["show.lua"] = SHOW } }
         assert.equal("show.lua 2 -x 2\n", out)
         assert.equal(0, code)
      end)

      it("puts its own arguments at negative places", function()
         local folder = folder_with{ ["show.lua"] = 'print(arg[-1], arg[-2], arg[-3] == nil)' }
         local _, out = run{ "--debug", "show.lua", cwd = folder }
         assert.equal("--debug\t" .. support.bin .. "\ttrue\n", out)
      end)

      it("accepts a first line for the shell", function()
         local folder = folder_with{ show = "#!/usr/bin/env kartlua\n" .. SHOW }
         assert.equal("show 0 nil 0\n", select(2, run{ "show", cwd = folder }))
      end)

      it("may leave out the ending", function()
         assert.equal("show.lua 0 nil 0\n", select(2, run{ "show", cwd = folder_with{ ["show.lua"] = SHOW } }))
      end)

      it("reads it from standard input for -", function()
         assert.equal("- 1 a 1\n", select(2, run{ "-", "a", stdin = "#!/x\n" .. SHOW }))
      end)

      it("takes the word behind -- as the script", function()
         local folder = folder_with{ ["-v"] = SHOW }
         assert.equal("-v 1 -v 1\n", select(2, run{ "--", "-v", "-v", cwd = folder }))
      end)

      it("has kart, lfs and the library there", function()
         local code = run{ "-", stdin = [[
            assert(kart == require "kartlua" and kart.open)
            assert(require("lfs").currentdir())
            assert(require "kartlua.recipe")]] }
         assert.equal(0, code)
      end)

      it("leaves with the code that the script asks for", function()
         assert.equal(7, (run{ "-", stdin = "os.exit(7)" }))
      end)
   end)

   describe("that fails", function()
      it("says so in one line", function()
         for text, pattern in pairs{
            ["x ="] = "^kartlua: bad.lua:1: unexpected symbol near <eof>\n$",
            ["\nerror 'no\\nway'"] = "^kartlua: bad.lua:2: no\n$",
            ["error()"] = "^kartlua: an error that is no text but a nil value\n$",
            ["error {}"] = "^kartlua: an error that is no text but a table value\n$",
            ["error(setmetatable({}, { __tostring = function() return 'shown' end }))"] = "^kartlua: shown\n$",
            ["require 'no.such.module'"] = "^kartlua: bad.lua:1: module 'no.such.module' not found\n$",
            ["kart.vec()"] = "^kartlua: bad.lua:1: bad argument #1 [^\n]*\n$",
         } do
            local code, out, err = run{ "bad.lua", cwd = folder_with{ ["bad.lua"] = text } }
            assert.matches(pattern, err)
            assert.equal("", out)
            assert.equal(1, code)
         end
      end)

      it("shows the traceback with --debug", function()
         local folder = folder_with{ ["bad.lua"] = "local function f() error 'deep' end\nf()" }
         local _, _, err = run{ "--debug", "bad.lua", cwd = folder }
         assert.matches("^kartlua: bad.lua:1: deep\nstack traceback:\n.*bad.lua:2: in main chunk", err)
      end)

      it("counts a lost standard output as a failure", function()
         if not lfs.attributes "/dev/full" then return support.skip "no /dev/full here" end
         local _, _, code = os.execute(("'%s' -v >/dev/full 2>/dev/null"):format(support.bin))
         assert.equal(1, code)
      end)
   end)

   describe("interrupted", function()
      -- popen, because os.execute ignores the signal while it waits.
      local INTERRUPT = 'io.popen("kill -INT $PPID"):close() '

      it("ends with 130", function()
         local code, _, err = run{ "-e", INTERRUPT .. "while true do end" }
         assert.equal("kartlua: interrupted\n", err)
         assert.equal(130, code)
      end)

      it("ends whoever catches errors inside a recipe", function()
         local folder = folder_with{ ["wait.lua"] = [[
            return require "kartlua.recipe" { summary = "Waits.", run = function()
               ]] .. INTERRUPT .. [[ while true do end
            end }]] }
         assert(course.race():save(folder .. "/a.kmp"))
         assert(course.race():save(folder .. "/b.kmp"))
         local code, out, err = run{ "wait.lua", "a.kmp", "b.kmp", cwd = folder }
         assert.equal("kartlua: interrupted\n", err)
         assert.equal("", out)
         assert.equal(130, code)
      end)

      it("drops a file in work, and leaves nothing half", function()
         local folder = folder_with{ ["wait.lua"] = [[
            return require "kartlua.recipe" { summary = "Waits.", run = function(doc)
               doc:mirror("x")
               ]] .. INTERRUPT .. [[ while true do end
            end }]] }
         assert(course.race():save(folder .. "/a.kmp"))
         run{ "wait.lua", "--in-place", "a.kmp", cwd = folder }
         assert.equal(course.race():bytes(), support.read(folder .. "/a.kmp"))
         local names = {}
         for name in lfs.dir(folder) do names[#names + 1] = name end
         table.sort(names)
         assert.same({ ".", "..", "a.kmp", "wait.lua" }, names)
      end)
   end)

   describe("looks for a script by name", function()
      local here, listed, home

      before_each(function()
         here, listed, home = support.tmp(), support.tmp(), support.tmp()
         for _, folder in ipairs{ "/kartlua", "/kartlua/scripts" } do lfs.mkdir(home .. folder) end
      end)

      local function find(name)
         local code, out, err = run{ name, cwd = here,
            env = { KARTLUA_PATH = "/nowhere:" .. listed, XDG_DATA_HOME = home } }
         return code == 0 and out or err
      end

      it("here, in KARTLUA_PATH, in the user's folder, among the installed ones", function()
         assert.matches("^kartlua mirror: no input file", find "mirror")
         write(home .. "/kartlua/scripts/mirror.lua", "io.write 'home'")
         assert.equal("home", find "mirror")
         write(listed .. "/mirror.lua", "io.write 'listed'")
         assert.equal("listed", find "mirror")
         write(here .. "/mirror.lua", "io.write 'here'")
         assert.equal("here", find "mirror")
         assert.equal("here", find "mirror.lua")
      end)

      it("but not for a path", function()
         write(listed .. "/only.lua", "")
         assert.equal("kartlua: ./only.lua: no such file\n", find "./only.lua")
      end)

      it("and passes over folders", function()
         lfs.mkdir(here .. "/mirror")
         assert.matches("^kartlua mirror: no input file", find "mirror")
      end)

      it("or says what may have been meant", function()
         local code, _, err = run("miror", "x.kmp")
         assert.equal("kartlua: miror: no such script (did you mean mirror?); --list shows the recipes\n", err)
         assert.equal(2, code)
         code, _, err = run("/nowhere/course.kmp")
         assert.equal("kartlua: /nowhere/course.kmp: no such file\n", err)
         assert.equal(1, code)
      end)

      it("and lists recipes once, without running anything", function()
         write(here .. "/plain.lua", "print 'executed' os.exit(9)")
         write(here .. "/mirror.lua", 'print "executed" return require "kartlua.recipe"{ summary = "Mine." }')
         write(listed .. "/lift.lua", 'local recipe = require "kartlua.recipe"\nreturn recipe {\nsummary = "Up." }')
         write(listed .. "/rotate.lua", "-- a script that hides a recipe")
         local code, out = run{ "--list", cwd = here, env = { KARTLUA_PATH = listed, XDG_DATA_HOME = home } }
         assert.equal(0, code)
         local names = {}
         for name, text in out:gmatch("(%S+) +([^\n]+)\n") do names[name] = text end
         assert.equal("Mine.", names.mirror)
         assert.equal("Up.", names.lift)
         assert.is_nil(names.rotate)
         assert.is_nil(names.plain)
         assert.truthy(names.scale)
         assert.not_matches("executed", out)
      end)
   end)

   describe("finds its library", function()
      it("through a link to the program", function()
         local folder = support.tmp()
         assert(lfs.link(support.bin, folder .. "/kl", true))
         assert.is_true(os.execute(("'%s/kl' -e 'assert(kart)'"):format(folder)))
      end)

      it("in KARTLUA_LUA, and nowhere else then", function()
         local folder = support.tmp()
         lfs.mkdir(folder .. "/kartlua")
         write(folder .. "/kartlua/init.lua", "return 'mine'")
         write(folder .. "/kartlua/cli.lua", "return { main = function() print(kart) return 5 end }")
         local code, out, err = run{ env = { KARTLUA_LUA = folder } }
         assert.same({ 5, "mine\n", "" }, { code, out, err })
         code, out, err = run{ "-v", env = { KARTLUA_LUA = "/nowhere" } }
         assert.same({ 1, "" }, { code, out })
         assert.equal("kartlua: KARTLUA_LUA is /nowhere, but kartlua/init.lua isn't there\n", err)
      end)

      it("installed beside bin, or says in one line where it looked", function()
         local folder = support.tmp()
         lfs.mkdir(folder .. "/bin")
         os.execute(("cp '%s' '%s/bin/kartlua'"):format(support.bin, folder))
         local pipe <close> = assert(io.popen(("'%s/bin/kartlua' -v 2>&1"):format(folder)))
         local message = pipe:read "a"
         assert.equal(1, lines(message))
         assert.matches(folder .. "/share/kartlua/lua", message, 1, true)
         for _, name in ipairs{ "/share", "/share/kartlua" } do lfs.mkdir(folder .. name) end
         lfs.link(support.root .. "/lua", folder .. "/share/kartlua/lua", true)
         lfs.link(support.root .. "/scripts", folder .. "/share/kartlua/scripts", true)
         local list <close> = assert(io.popen(("cd / && '%s/bin/kartlua' --list"):format(folder)))
         assert.matches("mirror", list:read "a")
      end)
   end)

   describe("options", function()
      it("-e runs code, one after the other, before the script", function()
         local folder = folder_with{ ["s.lua"] = "print(x)" }
         assert.equal("3\n", select(2, run{ "-e", "x = 1", "-ex = x + 2", "s.lua", cwd = folder }))
      end)

      it("-e stops at the first error", function()
         local code, out, err = run("-e", "nil_value.x = 1", "-e", "print 'on'")
         assert.same({ 1, "" }, { code, out })
         assert.equal("kartlua: -e:1: attempt to index a nil value (global 'nil_value')\n", err)
      end)

      it("-i goes on at the prompt", function()
         assert.equal("5\n", select(2, run{ "-i", "-e", "x = 5", stdin = "x\n" }))
      end)

      it("-v and -h answer on standard output", function()
         local code, out = run("-v")
         assert.same({ 0, ("kartlua %s (Lua 5.4)\n"):format(kart.version) }, { code, out })
         for _, word in ipairs{ "-h", "--help" } do
            code, out = run(word)
            assert.equal(0, code)
            assert.matches("^usage: kartlua", out)
         end
      end)

      it("that don't exist are a usage error", function()
         local code, _, err = run("--colour")
         assert.same({ 2, "kartlua: unknown option --colour (-h shows the usage)\n" }, { code, err })
         assert.equal(2, (run("-e")))
      end)
   end)

   describe("with a course file", function()
      local folder

      before_each(function()
         folder = support.tmp()
         assert(course.race():save(folder .. "/course.kmp"))
         assert(course.race():save(folder .. "/noending"))
      end)

      it("opens it as `course` at the prompt", function()
         for _, name in ipairs{ "course.kmp", "noending" } do
            local code, out = run{ name, cwd = folder, stdin = "course.game\n#course.ckpt\n" }
            assert.same({ 0, "mkw\n8\n" }, { code, out })
         end
      end)

      it("says in one line what is wrong with it", function()
         write(folder .. "/cut.kmp", support.read(folder .. "/course.kmp"):sub(1, 200))
         write(folder .. "/empty.kmp", "")
         write(folder .. "/zeros", ("\0"):rep(100))
         write(folder .. "/magic", "RKMD")
         write(folder .. "/little", "DMDC")
         write(folder .. "/text", "#KMP\nprint 'run'")
         for _, name in ipairs{ "script.kmp", "SCRIPT.KMP", "script.kcl", "shell.kmp" } do
            write(folder .. "/" .. name, (name:find "shell" and "#!/usr/bin/kartlua\n" or "") .. "print 'run'")
         end
         for _, name in ipairs{ "cut.kmp", "empty.kmp", "zeros", "magic", "little", "text", "script.kmp", "SCRIPT.KMP",
            "script.kcl", "shell.kmp" } do
            local code, out, err = run{ name, cwd = folder, stdin = "print 'on'" }
            assert.same({ 1, "", 1 }, { code, out, lines(err) })
            assert.equal(name .. ": ", err:sub(1, #name + 2))
         end
      end)
   end)
end)
