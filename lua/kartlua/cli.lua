--- The command line of the `kartlua` program.
local kart = require "kartlua"
local guard = require "kartlua.guard"

local cli = {}

local FAILED, USAGE, INTERRUPTED = 1, 2, 130

local HELP = [=[
usage: kartlua [options] [script [arguments]]
       kartlua [options] course.kmp

  script           a path, or a recipe by name: looked for here, in the folders of KARTLUA_PATH,
                   in ~/.local/share/kartlua/scripts, and among the installed ones
  course.kmp       a course file: Lua at a prompt, with the file open as `course`
  (nothing)        Lua at a prompt
  -                a script from standard input

options:
  -e CODE          run the code first; with -j, each worker does
  -i               go on at a prompt after the script
  --list           the recipes there are
  --debug          errors with a traceback
  -v, --version    the version
  -h, --help       this help
  --               the next word is the script

`kartlua mirror --help` shows the help of a recipe. Exit codes: 0 done, 1 something failed, 2 usage,
130 interrupted.
]=]

local function complain(text, code)
   io.stderr:write("kartlua: ", text, "\n")
   return code
end

-- The host's own options: { codes =, script =, at = index of the script, ... }, or nil and what is wrong.
local function read(args)
   local flags = { ["-i"] = "interactive", ["--debug"] = "debug", ["-v"] = "version", ["--version"] = "version",
      ["-h"] = "help", ["--help"] = "help", ["--list"] = "list" }
   local asked = { codes = {} }
   local i = 1
   while i <= #args do
      local word = args[i]
      if word == "--" then i = i + 1 end
      if word == "--" or word == "-" or word:sub(1, 1) ~= "-" then
         asked.script, asked.at = args[i], i
         break
      elseif flags[word] then
         asked[flags[word]] = true
      elseif word:sub(1, 2) == "-e" then
         if word == "-e" then i = i + 1 end
         local code = word == "-e" and args[i] or word:sub(3)
         if code == "" then return nil, "-e needs code" end
         asked.codes[#asked.codes + 1] = code
      else
         return nil, "unknown option " .. word
      end
      i = i + 1
   end
   return asked
end

-- The global `arg` as a script expects it: itself at 0, its arguments behind, the host's before.
local function shift(args, at, path)
   local shifted = {}
   for i = 0, #args do shifted[i - at] = args[i] end
   shifted[0] = path
   arg = shifted -- luacheck: globals arg
   return shifted
end

local function not_found(name, library)
   if name:find("[/.]") and not name:find("^[^/]*%.lua$") then
      return complain(name .. ": no such file", FAILED)
   end
   local names = {}
   for i, recipe in ipairs(require("kartlua.scripts").list(library)) do names[i] = recipe.name end
   local meant = require("kartlua.nearest")(name:gsub("%.lua$", ""), names)
   return complain(("%s: no such script%s; --list shows the recipes"):format(name,
      meant and (" (did you mean %s?)"):format(meant) or ""), USAGE)
end

local ENDINGS = { kmp = true, kcl = true, szs = true, arc = true, obj = true }

-- What course files begin with that could also be the beginning of a text.
local MAGICS = { RKMD = true, DMDC = true }

-- A course file, or nil and the message if it can't be read, or nil if it is a script. What the name says
-- counts most, then what kartlua knows of the content; else a text is a script.
local function open_course(path)
   local ending = path:lower():match("%.(%w+)$")
   if ending == "lua" then return nil end
   local file <close> = io.open(path, "rb")
   local head, named = file and file:read(4096), ENDINGS[ending]
   if head and not named and head:sub(1, 2) == "#!" then return nil end
   local course, problem, code = kart.open(path)
   if course then return course end
   local text = head and not head:find("\0", 1, true)
   -- Of any other code, kartlua knows what it is, or the file couldn't be read.
   if text and code == "format" and not named and not MAGICS[head:sub(1, 4)] then return nil end
   return nil, problem
end

local function run_chunk(chunk, problem, ...)
   if not chunk then return complain(guard.text(problem), FAILED) end
   local ok, result = guard.call(chunk, ...)
   if not ok then return complain(result, FAILED) end
   return 0, result
end

local function run_script(asked, host, path, args)
   local chunk, problem = loadfile(path, "t")
   local code, result = run_chunk(chunk, problem, table.unpack(args))
   local recipe = package.loaded["kartlua.recipe"]
   if code ~= 0 or not (recipe and recipe.is(result)) then return code end
   local name = path and path:match("([^/]*)$"):gsub("%.lua$", "") or "stdin"
   local command = path and { host.program, asked.debug and "--debug" }
   for _, text in ipairs(command and asked.codes or {}) do table.move({ "-e", text }, 1, 2, #command + 1, command) end
   if command then table.move({ "--", path }, 1, 2, #command + 1, command) end
   local ok, status = guard.call(result.main, result, args, name, command)
   return ok and status or complain(status, FAILED)
end

local function show_list(library)
   local rows = require("kartlua.scripts").list(library)
   for i, recipe in ipairs(rows) do rows[i] = { recipe.name, recipe.summary } end
   for _, line in ipairs(require("kartlua.columns")(rows, "ll")) do print(line) end
   return 0
end

local function dispatch(args, host)
   local asked, problem = read(args)
   if not asked then return complain(problem .. " (-h shows the usage)", USAGE) end
   guard.debug = asked.debug
   if asked.help then
      io.write(HELP)
      return 0
   elseif asked.version then
      print(("kartlua %s (%s)"):format(kart.version, _VERSION))
      return 0
   elseif asked.list then
      return show_list(host.library)
   end

   local code = 0
   for _, text in ipairs(asked.codes) do
      code = run_chunk(load(text, "=-e", "t"))
      if code ~= 0 then return code end
   end
   if asked.script == "-" then
      code = run_script(asked, host, nil, shift(args, asked.at, "-"))
   elseif asked.script then
      local path = require("kartlua.scripts").find(asked.script, host.library)
      if not path then return not_found(asked.script, host.library) end
      local script_args = shift(args, asked.at, path)
      local course
      course, problem = open_course(path)
      if problem then
         io.stderr:write(problem, "\n")
         return FAILED
      elseif course then
         _G.course = course
         asked.interactive = true
      else
         code = run_script(asked, host, path, script_args)
      end
   end
   if asked.interactive or not asked.script and #asked.codes == 0 then
      return math.max(code, require("kartlua.repl")())
   end
   return code
end

--- Run the command line `args` (as the global `arg` is at the start). `host` tells where things are:
--- { program =, library = }. Returns the exit code.
function cli.main(args, host)
   local ok, result = pcall(dispatch, args, host)
   if ok then return result end
   if guard.interrupted(result) then return complain("interrupted", INTERRUPTED) end
   return complain(guard.text(result), FAILED)
end

return cli
