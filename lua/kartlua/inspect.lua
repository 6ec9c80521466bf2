--- Values as text that a person reads: tables with sorted keys, cycles marked.
local kart = require "kartlua"

local WIDTH = 80  -- a table that fits in a line of this length is shown in one
local ITEMS = 200 -- entries shown of one table

local show

local function number(value)
   local text = math.type(value) == "integer" and tostring(value) or kart.number_text(value)
   return math.type(value) == "float" and text:find("^-?%d+$") and text .. ".0" or text
end

local function key_text(key, seen, indent)
   if type(key) == "string" and key:find("^[%a_][%w_]*$") then return key end
   return "[" .. show(key, seen, indent) .. "]"
end

local function before(a, b)
   local type_a, type_b = type(a), type(b)
   if type_a ~= type_b then return type_a < type_b end
   if type_a == "number" or type_a == "string" then return a < b end
   return tostring(a) < tostring(b)
end

local function entries(value, seen, indent)
   local list, count = {}, rawlen(value)
   for i = 1, math.min(count, ITEMS) do list[i] = show(rawget(value, i), seen, indent) end
   local keys = {}
   for key in next, value do
      if math.type(key) ~= "integer" or key < 1 or key > count then keys[#keys + 1] = key end
   end
   table.sort(keys, before)
   for i = 1, math.min(#keys, ITEMS) do
      list[#list + 1] = key_text(keys[i], seen, indent) .. " = " .. show(rawget(value, keys[i]), seen, indent)
   end
   local more = math.max(count - ITEMS, 0) + math.max(#keys - ITEMS, 0)
   if more > 0 then list[#list + 1] = ("... %d more"):format(more) end
   return list
end

local function show_table(value, seen, indent)
   if seen[value] then return "<cycle>" end
   seen[value] = true
   local inner = indent .. "  "
   local list = entries(value, seen, inner)
   seen[value] = nil
   if #list == 0 then return "{}" end
   local line = "{ " .. table.concat(list, ", ") .. " }"
   if #indent + #line <= WIDTH and not line:find("\n") then return line end
   return "{\n" .. inner .. table.concat(list, ",\n" .. inner) .. "\n" .. indent .. "}"
end

function show(value, seen, indent)
   local kind = type(value)
   if kind == "string" then return (("%q"):format(value):gsub("\\\n", "\\n")) end
   if kind == "number" then return number(value) end
   local meta = debug.getmetatable(value)
   if kind ~= "table" or (meta and meta.__tostring) then return tostring(value) end
   return show_table(value, seen, indent)
end

--- The value as text. Strings are quoted.
return function(value) return show(value, {}, "") end
