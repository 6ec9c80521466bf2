local support = require "spec.support"

local function repl(text) return support.run{ stdin = text } end

describe("the prompt", function()
   it("shows the values of expressions", function()
      assert.equal("2\n", select(2, repl "1 + 1\n"))
      assert.equal("a\tnil\t(1, 2, 3)\n", select(2, repl "'a', nil, kart.vec(1, 2, 3)\n"))
      assert.equal("{ 1, x = { y = 2 } }\n", select(2, repl "{ 1, x = { y = 2 } }\n"))
      assert.equal("4\n", select(2, repl "=2 + 2\n"))
   end)

   it("shows nothing for statements, and keeps globals", function()
      assert.equal("5\n", select(2, repl "x = 5\n\nx\n"))
   end)

   it("goes on reading what isn't complete", function()
      assert.equal("1\n2\n", select(2, repl "for i = 1, 2 do\nprint(i)\nend\n"))
      assert.equal("3\n", select(2, repl "(1 +\n2)\n"))
   end)

   it("says what is wrong in one line, and goes on", function()
      local code, out, err = repl "x.y.z\nerror 'no\\nway'\n)\n1\n"
      assert.equal("1\n", out)
      assert.equal("stdin:1: attempt to index a nil value (global 'x')\nstdin:1: no\n"
         .. "stdin:1: unexpected symbol near ')'\n", err)
      assert.equal(1, code)
   end)

   it("reports what is left incomplete", function()
      local code, _, err = repl "f(\n"
      assert.same({ 1, "stdin:1: unexpected symbol near <eof>\n" }, { code, err })
   end)

   it("lives through a value that can't be shown", function()
      local _, out, err = repl "setmetatable({}, { __tostring = function() error 'hidden' end })\n1\n"
      assert.equal("1\n", out)
      assert.matches("hidden", err)
   end)

   it("ends with the input", function() assert.same({ 0, "", "" }, { repl "" }) end)
end)

-- At a terminal: `script` gives the program one, and writes down what appears there. It may be there and
-- still have no terminal to give.
local has_terminal = os.execute [[SHELL=/bin/sh timeout 10 script -qefc true /dev/null </dev/null >/dev/null 2>&1]]

describe("the prompt at a terminal", function()
   if not has_terminal then return support.skip "no `script` and `timeout` here that make a terminal" end

   local PROMPT = "\n> "
   local folder, keys, seen

   -- Whether `text` appears within some seconds behind what was waited for before; and what is shown.
   local function appears(text, seconds)
      local deadline = kart.os.seconds() + seconds
      local shown, from, to
      repeat
         shown = ("\n" .. support.read(folder .. "/screen")):gsub("\r\n?", "\n")
         from, to = shown:find(text, seen, true)
      until from or kart.os.seconds() > deadline
      if from then seen = to + 1 end
      return from, shown
   end

   local function expect(text)
      local found, shown = appears(text, 10)
      assert(found, "not shown: " .. text .. " in " .. shown)
   end

   local function press(text)
      keys:write(text)
      keys:flush()
   end

   -- Ctrl-C while a line is typed, as a person presses it: again, when nothing happens. One that comes
   -- before libedit waits for keys doesn't wake it.
   local function drop_line()
      local tries = 0
      repeat
         press "\3"
         tries = tries + 1
      until appears(PROMPT, 1) or tries == 10
      assert(tries < 10, "no prompt after Ctrl-C")
   end

   -- Leaves at the next prompt; gives the exit code. A key pressed right behind the prompt
   -- may come before libedit waits for keys, and Ctrl-D would then be lost: a completion shows that
   -- it does.
   local function leave()
      expect "> "
      press "kart.ver\t"
      expect "sion"
      press "\21\4"
      return select(3, keys:close())
   end

   after_each(function()
      if io.type(keys) ~= "file" then return end
      press "\21\4" -- the test failed on the way
      keys:close()
   end)

   before_each(function()
      folder, seen = support.tmp(), 1
      support.write(folder .. "/screen", "")
      -- `cat` takes what is still pressed when the program is gone: else a signal would end the specs. The
      -- program takes the place of its shell, since Ctrl-C would end a shell that stands beside it.
      local command = "XDG_STATE_HOME='%s' TERM=xterm SHELL=/bin/sh timeout -s KILL 30 "
         .. "script -qefc \"exec '%s'\" '%s/screen' >/dev/null; code=$?; cat >/dev/null; exit $code"
      keys = assert(io.popen(command:format(folder, support.bin, folder), "w"))
      expect "Ctrl-D"
      expect(PROMPT)
   end)

   it("drops the line on Ctrl-C", function()
      press "error("
      expect "error("
      drop_line()
      press "20 + 3\n"
      expect "\n23\n"
      assert.equal(0, leave())
   end)

   it("drops all lines of a statement on Ctrl-C", function()
      press "for i = 1, 2 do\n"
      expect "\n>> "
      drop_line()
      press "20 + 3\n"
      expect "\n23\n"
      assert.equal(0, leave())
   end)

   it("stops a running statement on Ctrl-C, again and again", function()
      for _ = 1, 3 do
         press "print 'on' while true do end\n"
         expect "\non\n"
         press "\3"
         expect "interrupted!\n"
         expect "> "
      end
      press "20 + 3\n"
      expect "\n23\n"
      assert.equal(0, leave())
   end)

   it("keeps a history", function()
      press "first = 1\n"
      assert.equal(0, leave())
      assert.matches("first", support.read(folder .. "/kartlua/history"))
   end)

   it("completes names", function()
      press "kart.matrix.iden\t"
      expect "tity"
      press "() ~= nil\n"
      expect "\ntrue\n"
      press "c, text = kart.kmp.new{ gobj = { {} }, poti = { {} } }, 'x'\n"
      expect(PROMPT)
      for _, word in ipairs{ "c.simulate|_laps", "c.warn|ings", "c.st|gi", "c.gobj[1].pres|ence", "c.gobj[1].ind|ex",
         "c.gobj[1].tar|get", "c.poti[1].poi|nts", "c.poti.tot|al", "c.gobj[1].position.len|gth", "text:up|per",
         "kart.number_|text" } do
         local typed, rest = word:match "(.*)|(.*)"
         press(typed .. "\t")
         expect(rest)
         press "\21"
      end
      assert.equal(0, leave())
   end)
end)
