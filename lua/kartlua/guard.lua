--- Calls that may fail, and errors as one line for the person at the terminal.
local guard = {
   debug = false, -- --debug: keep the traceback
}

-- The host raises this text on Ctrl-C. It ends the whole command, whoever catches errors on the way.
local INTERRUPTED = "interrupted!"

--- An error value as text: one line, or with all its lines under --debug.
function guard.text(problem)
   local meta = getmetatable(problem)
   if type(problem) ~= "string" and not (type(meta) == "table" and meta.__tostring) then
      return ("an error that is no text but a %s value"):format(type(problem))
   end
   local text = tostring(problem)
   return guard.debug and text or (text:match("^[^\n]*"):gsub(":$", ""))
end

function guard.interrupted(problem) return problem == INTERRUPTED end

local function handle(problem)
   if guard.interrupted(problem) or not guard.debug then return problem end
   return debug.traceback(guard.text(problem), 2)
end

--- Like pcall, but the error comes as text, and Ctrl-C passes through.
function guard.call(f, ...)
   local results = table.pack(xpcall(f, handle, ...))
   if results[1] then return table.unpack(results, 1, results.n) end
   if guard.interrupted(results[2]) then error(results[2], 0) end
   return false, guard.text(results[2])
end

return guard
