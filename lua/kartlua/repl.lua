--- Lua at a prompt: statements, and expressions whose values are shown.
local kart = require "kartlua"
local guard = require "kartlua.guard"
local inspect = require "kartlua.inspect"

local function display(ok, ...)
   if not ok then
      io.stderr:write(..., "\n")
      return false
   end
   local texts = table.pack(...)
   for i = 1, texts.n do texts[i] = type(texts[i]) == "string" and texts[i] or inspect(texts[i]) end
   if texts.n > 0 then print(table.concat(texts, "\t")) end
   return true
end

-- A function, or nil and the message, and whether more lines can mend it.
local function compile(text)
   local chunk = load("return " .. text:gsub("^%s*=", ""), "=stdin", "t")
   if chunk then return chunk end
   local problem
   chunk, problem = load(text, "=stdin", "t")
   return chunk, problem, problem and problem:find("<eof>", -7, true)
end

-- Showing is guarded too: a __tostring may fail, and Ctrl-C may come in a long list.
local function evaluate(chunk)
   local ok, good = guard.call(function() return display(guard.call(chunk)) end)
   return ok and good or not ok and display(false, good)
end

-- Run what `read(prompt)` gives: a line, or nil and "end" or "interrupted". Returns whether all of it
-- went well. `evaluate_one` runs one chunk.
local function converse(read, evaluate_one)
   local sound, text = true, nil
   while true do
      local line, why = read(text and ">> " or "> ")
      if not line and why ~= "interrupted" then
         if text then sound = display(false, guard.text(select(2, compile(text)))) end
         return sound
      end
      text = line and (text and text .. "\n" .. line or line)
      if text then
         local chunk, problem, incomplete = compile(text)
         if not incomplete then
            text = nil
            local good
            if chunk then good = evaluate_one(chunk) else good = display(false, guard.text(problem)) end
            sound = sound and good
         end
      end
   end
end

-- At a terminal, Ctrl-C while a statement runs drops the statement and no more.
local function evaluate_patiently(chunk)
   local ok, good = pcall(evaluate, chunk)
   if ok then return good end
   return display(false, guard.text(good))
end

-- What may stand behind a value's dot or colon.
local function members(value)
   local holder = type(value) == "string" and string or value
   if type(holder) ~= "table" then return kart.members(value) or {} end
   local names = {}
   for name in next, holder do names[#names + 1] = name end
   return names
end

-- Completions of a word like `course.gobj[1].pos`. Follows fields, calls nothing.
local function complete(word)
   local path, stem = word:match("^(.-)([%a_]?[%w_]*)$")
   local value = _G
   for name, index in path:gmatch("([%a_][%w_]*)%f[%W]" .. "()") do
      value = value[name]
      local number = path:match("^%[(%d+)%]", index)
      if number then value = value[math.tointeger(number)] end
   end
   local list = {}
   for _, name in ipairs(members(value)) do
      if type(name) == "string" and name:find("^[%a_][%w_]*$") and name:sub(1, #stem) == stem then
         list[#list + 1] = path .. name
      end
   end
   table.sort(list)
   return list
end

local function history_path()
   local folder = os.getenv("XDG_STATE_HOME")
   if not folder or folder == "" then folder = (os.getenv("HOME") or "") .. "/.local/state" end
   folder = folder .. "/kartlua/"
   for slash in folder:gmatch(".()/") do require("lfs").mkdir(folder:sub(1, slash - 1)) end
   return folder .. "history"
end

local function at_terminal()
   local line = require "kartlua.line"
   line.history(history_path())
   line.complete(complete)
   print(("kartlua %s, %s; Ctrl-D ends"):format(kart.version, _VERSION))
   converse(function(prompt)
      local text, why = line.read(prompt)
      if not text then print() elseif text:find("%S") then line.remember(text) end
      return text, why
   end, evaluate_patiently)
   return 0
end

--- Read and run until the end of input; what doesn't come from a terminal is run without prompts.
--- Returns the exit code: 1 when a statement that wasn't typed failed.
return function()
   if kart.os.is_terminal(0) and kart.os.is_terminal(1) then return at_terminal() end
   return converse(function() return io.read() end, evaluate) and 0 or 1
end
