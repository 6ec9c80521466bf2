-- What the specs share: local support = require "spec.support"

local busted = require "busted"
local lfs = require "lfs"

local support = {}

support.root = lfs.currentdir() -- the project's folder: specs are started from there

-- The program that runs the specs. It is started anew by `support.run`.
local program = arg[-1]
support.bin = program:sub(1, 1) ~= "/" and program:find("/", 1, true) and support.root .. "/" .. program or program

local skip_test -- ends the running test as skipped; nil while no test runs
busted.subscribe({ "test", "start" }, function(test)
   skip_test = test.env and test.env.pending
   return nil, true
end)
busted.subscribe({ "test", "end" }, function()
   skip_test = nil
   return nil, true
end)

-- Skips the running test, or, between tests, leaves a skipped one in the report.
function support.skip(why)
   if skip_test then skip_test(why) end
   busted.pending(why)
end

local corpus = os.getenv "KARTLUA_CORPUS" or support.root .. "/../shared/corpus"

-- Sorted paths of the real course files in a folder of the corpus, of one extension if that is
-- given. They can't be shipped: where they are missing this skips and gives an empty list.
function support.corpus(folder, extension)
   local path, paths = corpus .. "/" .. folder, {}
   if lfs.attributes(path, "mode") ~= "directory" then
      support.skip("no real course files: there is no folder " .. path .. " (KARTLUA_CORPUS can name its parent)")
      return paths
   end
   for name in lfs.dir(path) do
      if name:sub(1, 1) ~= "." and (not extension or name:sub(-#extension - 1) == "." .. extension) then
         paths[#paths + 1] = path .. "/" .. name
      end
   end
   table.sort(paths)
   return paths
end

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Lines of a compressed file of the engine's own answers beside the corpus; nil, and a skipped test, where
-- they are missing.
function support.vectors(name)
   local path = corpus .. "/../vectors/" .. name
   if not lfs.attributes(path) then
      support.skip("no answers of the engine: there is no " .. path)
      return nil
   end
   local lines = {}
   local pipe <close> = assert(io.popen("zcat " .. quote(path)))
   for line in pipe:lines() do lines[#lines + 1] = line end
   return lines
end

local tmp_base, tmp_count = nil, 0

-- A new empty folder, removed with all that is in it when the specs have run.
function support.tmp()
   if not tmp_base then
      local pipe <close> = assert(io.popen "mktemp -d")
      tmp_base = pipe:read "l"
   end
   tmp_count = tmp_count + 1
   local path = tmp_base .. "/" .. tmp_count
   assert(lfs.mkdir(path))
   return path
end

busted.subscribe({ "exit" }, function()
   if tmp_base then os.execute(("chmod -R u+w %s && rm -rf %s"):format(quote(tmp_base), quote(tmp_base))) end
   return nil, true
end)

function support.read(path)
   local file <close> = assert(io.open(path, "rb"))
   return file:read "a"
end

function support.write(path, data)
   local file <close> = assert(io.open(path, "wb"))
   assert(file:write(data))
end

-- Runs the real program: support.run("mirror", "a.kmp") or, with more to say,
-- support.run{ "mirror", "a.kmp", cwd = folder, stdin = text, env = { NAME = value } }.
-- Gives exit code (128 + signal for one that a signal ended), standard output, standard error.
function support.run(first, ...)
   local command = type(first) == "table" and first or { first, ... }
   local folder, words = support.tmp(), {}
   for name, value in pairs(command.env or {}) do words[#words + 1] = name .. "=" .. quote(value) end
   words[#words + 1] = quote(support.bin)
   for _, word in ipairs(command) do words[#words + 1] = quote(word) end
   support.write(folder .. "/in", command.stdin or "")
   local _, how, code = os.execute(("cd %s && %s <%s/in >%s/out 2>%s/err"):format(
      quote(command.cwd or support.root), table.concat(words, " "), folder, folder, folder))
   if how == "signal" then code = code + 128 end
   return code, support.read(folder .. "/out"), support.read(folder .. "/err")
end

return support
