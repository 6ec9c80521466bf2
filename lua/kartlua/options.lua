--- Options of a command: a table of what there is, and the words of a command line taken apart by it.
--
-- An option is { name =, type =, help = } and may have short = (one letter), default =,
-- required = true, min =, max = (numbers), choices = (type "choice"), hint = (what stands for the value
-- in the help), multiple = true (it may be given several times, and its value is always a list).
-- `scale_speeds` is written --scale-speeds and read as values.scale_speeds. Words may be `--at 1`,
-- `--at=1`, `-j 2`, `-j2`.
-- An option that takes a value takes the next word also when that is a negative number.
local options = {}

local function finite(text)
   local number = tonumber(text)
   return number and number == number and math.abs(number) ~= math.huge and number or nil
end

local function vector(text)
   local x, y, z = text:match("^([^,]+),([^,]+),([^,]+)$")
   x, y, z = finite(x), finite(y), finite(z)
   return x and y and z and require("kartlua").vec(x, y, z)
end

local function ranged(number, option)
   local low, high = option.min or -math.huge, option.max or math.huge
   return number and number >= low and number <= high and number or nil
end

local function range_text(what, option)
   if option.min and option.max then return ("%s from %s to %s"):format(what, option.min, option.max) end
   if option.min then return ("%s from %s up"):format(what, option.min) end
   return option.max and ("%s up to %s"):format(what, option.max) or what
end

--- By type: `hint` stands for the value in the help, `wants` says what is expected (texts, or
--- functions of the option), `read` makes the value out of the text, nil if it can't.
options.types = {
   flag = {},
   file = { hint = "PATH", wants = "a path", read = function(text) return text ~= "" and text or nil end },
   text = { hint = "TEXT", wants = "a text", read = function(text) return text end },
   number = {
      hint = "N",
      wants = function(option) return range_text("a number", option) end,
      read = function(text, option) return ranged(finite(text), option) end,
   },
   integer = {
      hint = "N",
      wants = function(option) return range_text("a whole number", option) end,
      read = function(text, option) return ranged(math.tointeger(finite(text)), option) end,
   },
   angle = { hint = "DEGREES", wants = "a number of degrees", read = finite },
   vec = { hint = "X,Y,Z", wants = "three numbers like 1,-2.5,0", read = vector },
   axis = {
      hint = "x|y|z|X,Y,Z",
      wants = "x, y, z or a direction like 0,1,0",
      read = function(text)
         if text:find("^[xyz]$") then return text end
         local direction = vector(text)
         return direction and direction:length() > 0 and direction or nil
      end,
   },
   factor = {
      hint = "F|X,Y,Z",
      wants = "a factor above 0 like 2, or three like 1,2,1",
      read = function(text)
         local value = finite(text) or vector(text)
         if type(value) == "number" then return value > 0 and value or nil end
         return value and value.x > 0 and value.y > 0 and value.z > 0 and value or nil
      end,
   },
   choice = {
      hint = function(option) return table.concat(option.choices, "|") end,
      wants = function(option) return "one of " .. table.concat(option.choices, ", ") end,
      read = function(text, option)
         for _, choice in ipairs(option.choices) do
            if text == choice then return text end
         end
      end,
   },
}

--- `hint` or `wants` of an option.
function options.about(option, key)
   local text = key == "hint" and option.hint or options.types[option.type][key]
   return type(text) == "function" and text(option) or text
end

--- An option's name as it is typed.
function options.word(option) return "--" .. option.name:gsub("_", "-") end

local function convert(option, text)
   local value = options.types[option.type].read(text, option)
   if value ~= nil then return value end
   return nil, ("%s: expected %s, found \"%s\""):format(options.word(option), options.about(option, "wants"), text)
end

local function unknown(word, by_word)
   local words = {}
   for known in pairs(by_word) do
      if #known > 2 then words[#words + 1] = known end
   end
   table.sort(words)
   local meant = #word > 2 and require("kartlua.nearest")(word, words)
   return ("unknown option %s%s"):format(word, meant and (" (did you mean %s?)"):format(meant) or "")
end

-- An option's word apart: the word itself and the value that is attached to it, if there is one.
local function split(word)
   if word:sub(1, 2) == "--" then
      local name, value = word:match("^([^=]*)=(.*)$")
      return name or word, value
   end
   local value = word:sub(3):gsub("^=", "")
   return word:sub(1, 2), #word > 2 and value or nil
end

local function is_value(word)
   return word and (word:sub(1, 1) ~= "-" or word == "-" or word:find("^%-[%d.]"))
end

--- Take `words` apart by the table `list`. Gives { values =, files =, given = } or nil and what is
--- wrong. `given` holds { option, its words ... } in the order of the command line, for handing them
--- on. Only `values.help`, if there is such a flag and it is given, makes up for what is missing.
function options.parse(list, words)
   local by_word = {}
   for _, option in ipairs(list) do
      by_word[options.word(option)] = option
      if option.short then by_word["-" .. option.short] = option end
   end

   local values, files, given = {}, {}, {}
   for _, option in ipairs(list) do
      if option.multiple then values[option.name] = {} end
   end
   local i = 1
   while i <= #words do
      local word = words[i]
      if word == "--" then
         table.move(words, i + 1, #words, #files + 1, files)
         break
      elseif word:sub(1, 1) ~= "-" or word == "-" then
         files[#files + 1] = word
      else
         local name, value = split(word)
         local option = by_word[name]
         if not option then return nil, unknown(name, by_word) end
         given[#given + 1] = { option, word }
         if option.type == "flag" then
            if value then return nil, name .. " takes no value" end
            values[option.name] = true
         else
            if not value then
               i = i + 1
               value = words[i]
               if not is_value(value) then return nil, name .. " needs " .. options.about(option, "wants") end
               given[#given][3] = value
            end
            local result, problem = convert(option, value)
            if problem then return nil, problem end
            if option.multiple then table.insert(values[option.name], result) else values[option.name] = result end
         end
      end
      i = i + 1
   end

   for _, option in ipairs(list) do
      if values[option.name] == nil and option.default ~= nil then
         values[option.name] = assert(convert(option, tostring(option.default)))
      end
      local missing = values[option.name] == nil or option.multiple and #values[option.name] == 0
      if option.required and missing and not values.help then
         return nil, ("%s is missing: it needs %s"):format(options.word(option), options.about(option, "wants"))
      end
   end
   return { values = values, files = files, given = given }
end

return options
