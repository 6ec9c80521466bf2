--- `doc:retag(spec)`: other flags for prisms.
--
--    doc:retag{ ["road/dirt"] = "road", ["off_road/*"] = "road", [0x16] = "wall+soft" }
--    doc:retag(function(flag, fields) if fields.trickable then return "-trickable" end end)
--
-- The left side of a rule says which flags it fits: a type with its variant (none means variant 0), `*`
-- for any variant or for any type, and modifiers that must be set (+) or not (-); those that it doesn't
-- name may be either. A number fits this one flag. The right side says what they become: the bits that
-- it names, the others stay. So type and variant are replaced, modifiers stay but for those with + or -,
-- and a number replaces all of it.
--
-- Every prism gets one rule at most, by its old flag: of those that fit, the one that names more bits.
-- Two that name as many and disagree are a mistake.
--
-- A function is called once for each flag that occurs, with its fields (see `kart.flags.fields`), and
-- returns a right side, or nil for no change.
local flags = require "kartlua.flags"
local flag_rules = require "kartlua.flag_rules"
local fail = require "kartlua.blame" "retag"

-- Bits and mask of one side of a rule.
local function read(side, game)
   local most = flags.most(game)
   if math.type(side) == "integer" and side >= 0 and side <= most then return side, most end
   if type(side) ~= "string" then return nil, ("expected the name or number of a flag, got %s"):format(side) end
   return flags.bits(side, game)
end

-- The rules of a table.
local function read_rules(doc, spec)
   local rules = {}
   for old, new in pairs(spec) do
      local text = tostring(old)
      local bits, mask = read(old, doc.game)
      if not bits then fail("%s: %s", text, mask) end
      local new_bits, new_mask = read(new, doc.game)
      if not new_bits then fail("%s = %s: %s", text, new, new_mask) end
      rules[#rules + 1] = { key = old, text = text, bits = bits, mask = mask, new_bits = new_bits, new_mask = new_mask }
   end
   return flag_rules.sort(rules)
end

local function apply(rule, flag) return flag & ~rule.new_mask | rule.new_bits end

-- The rule for a flag, or nil.
local function find_rule(rules, flag, game)
   local found, other = flag_rules.find(rules, flag, function(a, b) return apply(a, flag) == apply(b, flag) end)
   if other then
      fail("'%s' and '%s' both fit 0x%04X (%s), and disagree", found.text, other.text, flag, flags.format(flag, game))
   end
   return found
end

-- Gives for a flag the new one and the rule's key, or nil.
local function by_table(doc, spec)
   local rules = read_rules(doc, spec)
   return function(flag)
      local rule = find_rule(rules, flag, doc.game)
      if rule then return apply(rule, flag), rule.key end
   end
end

local function by_function(doc, choose)
   return function(flag)
      local new = choose(flag, flags.fields(flag, doc.game))
      if new == nil then return nil end
      local bits, mask = read(new, doc.game)
      if not bits then fail("the function's answer to 0x%04X: %s", flag, mask) end
      return flag & ~mask | bits, flag
   end
end

--- Give prisms of `doc` other flags. Returns how many changed, and how many by each rule: by the left
--- sides of a table, by the old flags of a function.
return function(doc, spec)
   local is_table = type(spec) == "table"
   if not is_table and type(spec) ~= "function" then
      fail("expected a table of rules or a function, got %s", type(spec))
   end
   local choose = (is_table and by_table or by_function)(doc, spec)
   local map, counts = {}, {}
   for key in pairs(is_table and spec or {}) do counts[key] = 0 end
   for _, row in ipairs(doc:flags()) do
      local new, key = choose(row.flag)
      if new and new ~= row.flag then
         map[row.flag] = new
         counts[key] = (counts[key] or 0) + row.count
      end
   end
   return doc:map_flags(map), counts
end
