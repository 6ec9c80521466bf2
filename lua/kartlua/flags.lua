--- Flags of collision as words: `kart.flags`.
--
-- A flag is a number of 16 bits, in the arcade games of 32. Its notation is type[/variant][+modifier...]:
--
--    road   road/dirt   road/dirt+trickable   wall/3+light=2   0x2020   8224   grass/heavy+special
--
-- A type without a variant means variant 0. A variant is a name or a number, as not all of them have
-- names; `type_23` is a type without one. Numbers in hexadecimal or decimal are flags as they are.
-- In the rules of `doc:retag`, `*` leaves open the variant (`road/*`) or both (`*`), and `-modifier`
-- stands for one that isn't set.
local nearest = require "kartlua.nearest"
local tables = require "kartlua.flag_tables"

local flags = {}

-- --- layouts ----------------------------------------------------------------------------------

local function field(name, shift, bits, doc)
   return { name = name, shift = shift, most = (1 << bits) - 1, mask = (1 << bits) - 1 << shift, doc = doc }
end

-- The tables made ready for use: names by number and numbers by name.
local function prepare(data)
   local layout = { most = (1 << (data.bits or 16)) - 1, modifiers = {}, types = {}, numbers = {},
      type = field("type", table.unpack(data.type)), variant = field("variant", table.unpack(data.variant)) }
   for i, modifier in ipairs(data.modifiers) do
      layout.modifiers[i] = field(table.unpack(modifier))
      layout.modifiers[modifier[1]] = layout.modifiers[i]
   end
   layout.groups = {}
   for _, group in ipairs(data.groups or {}) do layout.groups[group[1]] = group[2] end
   -- What all types have.
   local function kind_of(name, title, doc)
      local kind = { name = name, title = title, doc = doc, variants = {}, numbers = {} }
      for variant, word in pairs(data.variants or {}) do kind.variants[variant], kind.numbers[word] = word, variant end
      return kind
   end
   layout.plain = kind_of()
   for number, row in pairs(data.types) do
      local kind, variant = kind_of(row[1], row[2], row[3]), 0
      for name in (row[4] or ""):gmatch "%S+" do
         if name ~= "-" then kind.variants[variant], kind.numbers[name] = name, variant end
         variant = variant + 1
      end
      layout.types[number], layout.numbers[kind.name] = kind, number
   end
   return layout
end

local layouts = {}

-- The layout of a game's flags, nil if they have no names. An unknown game raises.
local function layout_of(game)
   game = game or "mkw"
   local data = tables[game]
   if data == nil then
      local names = {}
      for name in pairs(tables) do names[#names + 1] = name end
      table.sort(names)
      error(("there is no game '%s' with flags, only %s"):format(game, table.concat(names, ", ")), 3)
   end
   if data and not layouts[data] then layouts[data] = prepare(data) end
   return data and layouts[data] or nil
end

local function get(number, of) return number >> of.shift & of.most end

local function most_of(layout) return layout and layout.most or 0xFFFF end

local function check_number(layout, given)
   local number = math.tointeger(given)
   if not number or number < 0 or number > most_of(layout) then
      error(("expected a flag from 0 to %d, got %s"):format(most_of(layout), number or given), 3)
   end
   return number
end

-- --- text to number ---------------------------------------------------------------------------

local function sorted_names(of)
   local names = {}
   for name in pairs(of) do
      if type(name) == "string" then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

local function unknown(what, word, names)
   local meant = nearest(word, names)
   return nil, ("%s '%s'%s"):format(what, word, meant and (" (did you mean %s?)"):format(meant) or "")
end

-- A number as it is, in hexadecimal or decimal; nil if it is none or out of range, and then a message.
local function read_number(text, most)
   local hex, decimal = text:match "^0x0*(%x+)$", text:match "^0*(%d+)$"
   if not hex and not decimal then return nil end
   local number = (hex and #hex <= 8 or decimal and #decimal <= 10) and tonumber(hex or decimal, hex and 16 or 10)
   if number and number <= most then return number end
   return nil, ("%s is no flag: expected 0 to %d"):format(text, most)
end

-- A number of a field: as many digits as its greatest one has, at least 2.
local function small_number(text, most)
   local number = #text <= math.max(2, #tostring(most)) and text:match "^%d+$" and tonumber(text)
   return number and number <= most and number or nil
end

-- The bits that a type and its variant set, and those that they are about.
local function read_type(layout, head)
   local name, slash, variant = head:match "^([^/%s]*)%s*(/?)%s*(.-)$"
   if name == "" and slash ~= "" then return nil, "expected a type before the /" end
   if name == "*" and slash ~= "" then return nil, "'*' leaves the variant open as well" end
   if name == "*" or name == "" then return 0, 0 end
   local number = layout.numbers[name] or small_number(name:match "^type_(%d+)$" or "", layout.type.most)
   if not number then return unknown("there is no type", (head:match "^[^/]*"), sorted_names(layout.numbers)) end
   local bits = number << layout.type.shift
   if variant == "*" then return bits, layout.type.mask end
   local kind = layout.types[number] or layout.plain
   local place = slash == "" and 0 or kind.numbers[variant] or small_number(variant, layout.variant.most)
   if not place then
      return unknown(("%s has no variant"):format(name), variant, sorted_names(kind.numbers))
   end
   return bits | place << layout.variant.shift, layout.type.mask | layout.variant.mask
end

-- One +modifier, +modifier=3 or -modifier.
local function read_modifier(layout, sign, word)
   local name, equals, text = word:match "^([^=%s]*)%s*(=?)%s*(.*)$"
   local modifier = layout.modifiers[name]
   if not modifier then return unknown("there is no modifier", name, sorted_names(layout.modifiers)) end
   if sign == "-" then
      if equals ~= "" then return nil, ("-%s takes no number"):format(name) end
      return 0, modifier.mask
   end
   local number = equals == "" and modifier.most == 1 and 1 or small_number(text, modifier.most)
   if not number then
      return nil, ("%s takes a number from 0 to %d, like %s=%d"):format(name, modifier.most, name, modifier.most)
   end
   return number << modifier.shift, modifier.mask
end

--- The greatest flag of a game.
function flags.most(game) return most_of(layout_of(game)) end

--- The bits that a text sets, and the mask of those that it is about: all of them for a number, none for
--- "*". nil and a message if it can't be read. For `retag`; not a part of `kart.flags`.
function flags.bits(text, game)
   local layout = layout_of(game)
   local trimmed = text:lower():match "^%s*(.-)%s*$"
   local number, problem = read_number(trimmed, most_of(layout))
   if number then return number, most_of(layout) end
   if problem then return nil, problem end
   if trimmed == "" then return nil, "expected a flag, found nothing" end
   if not layout then
      return nil, ("flags of %s have no names here: expected a number like 0x0010, found '%s'"):format(game, trimmed)
   end

   local head, tail = trimmed:match "^([^+-]-)%s*([+-].*)$"
   local bits, mask = read_type(layout, head or trimmed)
   if not bits then
      -- Who types off-road means off_road.
      local typed = trimmed:match "^[^/+]*"
      local joined = typed:gsub("[-%s]+", "_")
      if joined ~= typed and layout.numbers[joined] then return unknown("there is no type", typed, { joined }) end
      return nil, mask
   end
   for sign, word in (tail or ""):gmatch "([+-])%s*([^+-]*)" do
      local value, about = read_modifier(layout, sign, word:match "^(.-)%s*$")
      if not value then return nil, about end
      if mask & about ~= 0 then return nil, ("%s stands twice"):format(word) end
      bits, mask = bits | value, mask | about
   end
   return bits, mask
end

--- The flag that a text names. nil and a message if there is none.
function flags.parse(text, game)
   local layout = layout_of(game)
   local bits, mask = flags.bits(text, game)
   if not bits then return nil, mask end
   local whole = layout and layout.type.mask | layout.variant.mask or 0
   if mask & whole ~= whole then return nil, ("'%s' leaves open which flag it is"):format(text) end
   return bits
end

-- The types of one word as bits: a group, a type, or a type with any variant.
local function read_types(layout, word)
   if layout.groups[word] then return layout.groups[word] end
   local name, rest = word:match "^([^/+-]*)(.*)$"
   local number = layout.numbers[name] or small_number(name:match "^type_(%d+)$" or "", layout.type.most)
   if number and (rest == "" or rest == "/*") then
      if layout.type.most < 64 then return 1 << number end
      if number == 0 then return nil, ("'%s' is no bit of a flag that could be looked for"):format(word) end
      return number
   end
   if number then return nil, ("'%s' says more than a type: the engine looks at types only"):format(word) end
   local names = sorted_names(layout.groups)
   return unknown("there is no type", name, table.move(sorted_names(layout.numbers), 1, 32, #names + 1, names))
end

--- The types that words name, as bits: bit n for type n; in the arcade games types are bits. `words` is a text of
--- words with commas or spaces between, or a list of them. nil and a message if one isn't known.
function flags.mask(words, game)
   local layout, mask = layout_of(game), 0
   if type(words) == "table" then words = table.concat(words, " ") end
   if type(words) ~= "string" then error(("expected words for types of surfaces, got %s"):format(words), 2) end
   if not layout then return nil, ("flags of %s have no names here: give a mask, bit n for type n"):format(game) end
   for word in words:lower():gmatch "[^%s,]+" do
      local bits, problem = read_types(layout, word)
      if not bits then return nil, problem end
      mask = mask | bits
   end
   if mask == 0 then return nil, "expected a type, found nothing" end
   return mask
end

-- --- number to text ---------------------------------------------------------------------------

local function hex(number) return (number > 0xFFFF and "0x%08X" or "0x%04X"):format(number) end

-- The words of type and variant: names, or numbers where there are none.
local function type_words(layout, number)
   local of_type, of_variant = get(number, layout.type), get(number, layout.variant)
   local kind = layout.types[of_type] or layout.plain
   return kind.name or ("type_%d"):format(of_type), kind.variants[of_variant] or of_variant
end

--- The notation of a flag. It reads back as the same number.
function flags.format(number, game)
   local layout = layout_of(game)
   number = check_number(layout, number)
   if not layout then return hex(number) end
   local name, variant = type_words(layout, number)
   local parts = { get(number, layout.variant) == 0 and name or name .. "/" .. variant }
   for _, modifier in ipairs(layout.modifiers) do
      local value = get(number, modifier)
      if value > 0 then
         parts[#parts + 1] = modifier.most == 1 and modifier.name or ("%s=%d"):format(modifier.name, value)
      end
   end
   return table.concat(parts, "+")
end

local function words(name) return (name:gsub("_", " "):gsub("gfx", "GFX")) end

-- Names of variants that say nothing.
local PLAIN = { normal = true, default = true, [0] = true }

--- A flag in words: "Road, dirt, trickable".
function flags.describe(number, game)
   local layout = layout_of(game)
   number = check_number(layout, number)
   if not layout then return hex(number) end
   local kind = layout.types[get(number, layout.type)]
   local name, variant = type_words(layout, number)
   local parts = { kind and kind.title or (words(name):gsub("^%l", string.upper)) }
   if not PLAIN[variant] then
      parts[2] = math.type(variant) and ("variant %d"):format(variant) or words(variant)
   end
   for _, modifier in ipairs(layout.modifiers) do
      local value = get(number, modifier)
      if value > 0 then
         parts[#parts + 1] = words(modifier.name) .. (modifier.most > 1 and (" %d"):format(value) or "")
      end
   end
   return table.concat(parts, ", ")
end

--- The parts of a flag: type, variant (a name, or a number where it has none) and every modifier.
function flags.fields(number, game)
   local layout = layout_of(game)
   number = check_number(layout, number)
   local fields = {}
   if not layout then return fields end
   fields.type, fields.variant = type_words(layout, number)
   for _, modifier in ipairs(layout.modifiers) do
      local value = get(number, modifier)
      if modifier.most == 1 then fields[modifier.name] = value == 1 else fields[modifier.name] = value end
   end
   return fields
end

-- The number of a part of a flag, by its name in `flags.fields`: a word or a number, a modifier of one bit also
-- true or false. nil for the variant is 0.
local function read_part(layout, name, value)
   local part = layout.modifiers[name] or layout[name]
   if name == "variant" and value == nil then return 0 end
   if part.most == 1 and type(value) == "boolean" then return value and 1 or 0 end
   if math.type(value) == "integer" and value >= 0 and value <= part.most then return value end
   if part.most == 1 then return nil, ("expected true or false, got %s"):format(value) end
   local known = name == "type" and layout.numbers or name == "variant" and layout.plain.numbers or {}
   local text = type(value) == "string" and value or ""
   local number = known[text] or name == "type" and small_number(text:match "^type_(%d+)$" or "", part.most)
   if number then return number end
   local meant = text ~= "" and nearest(text, sorted_names(known))
   return nil, ("expected %s or a number up to %d, got %s%s"):format(table.concat(sorted_names(known), ", "), part.most,
      value, meant and (" (did you mean %s?)"):format(meant) or "")
end

--- The flag with another part. nil and a message if there is none like that.
function flags.with(number, game, name, value)
   local layout = layout_of(game)
   number = check_number(layout, number)
   local part = layout.modifiers[name] or layout[name]
   local bits, problem = read_part(layout, name, value)
   if not bits then return nil, problem end
   return number & ~part.mask | bits << part.shift
end

-- --- what there is ----------------------------------------------------------------------------

--- The types of a game, by number: { number =, name =, title =, doc =, variants = { { number =, name = } ... } }.
function flags.types(game)
   local layout, list = layout_of(game), {}
   for number, kind in pairs(layout and layout.types or {}) do
      local variants = {}
      for variant = 0, layout.variant.most do
         local name = kind.variants[variant]
         if name then variants[#variants + 1] = { number = variant, name = name } end
      end
      list[#list + 1] = { number = number, name = kind.name, title = kind.title, doc = kind.doc, variants = variants }
   end
   table.sort(list, function(a, b) return a.number < b.number end)
   return list
end

--- The modifiers of a game, by bit: { name =, bit =, most =, doc = }.
function flags.modifiers(game)
   local layout, list = layout_of(game), {}
   for i, modifier in ipairs(layout and layout.modifiers or {}) do
      list[i] = { name = modifier.name, bit = modifier.shift, most = modifier.most, doc = modifier.doc }
   end
   return list
end

--- The groups of types that the engine looks for together: { name =, mask =, doc = }.
function flags.groups(game)
   local list = {}
   for i, group in ipairs(layout_of(game) and tables[game or "mkw"].groups or {}) do
      list[i] = { name = group[1], mask = group[2], doc = group[3] }
   end
   return list
end

return flags
