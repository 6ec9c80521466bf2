--- Rules about flags: which of several fits a flag. For `retag`, where the two sides are of one game, and for
--- `kart.convert`, where they aren't.
--
-- A rule is a table with `text`, and the `bits` and `mask` of kartlua/flags.lua: it fits the flags whose bits of the
-- mask are these. Of those that fit, the one counts that names more bits.
local rules = {}

local function count_bits(mask)
   local count = 0
   while mask > 0 do mask, count = mask & mask - 1, count + 1 end
   return count
end

--- Make a list ready for `find`: those that name more bits come first.
function rules.sort(list)
   for _, rule in ipairs(list) do rule.names = count_bits(rule.mask) end
   table.sort(list, function(a, b)
      if a.names ~= b.names then return a.names > b.names end
      return a.text < b.text
   end)
   return list
end

--- The rule for a flag, or nil; and another one that fits, names as many bits and doesn't agree with it, if there is
--- one. `agree(rule, other)`: do the two do the same?
function rules.find(list, flag, agree)
   local found
   for _, rule in ipairs(list) do
      if found and rule.names < found.names then break end
      if flag & rule.mask == rule.bits then
         if found and not agree(found, rule) then return found, rule end
         found = found or rule
      end
   end
   return found
end

--- OLD=NEW apart; nil if there is no =. That of a modifier's number, as in road+light=3=road, isn't the one.
function rules.split(text)
   local from = 1
   while true do
      local at = text:find("=", from, true)
      if not at then return nil end
      local left, right = text:sub(1, at - 1), text:sub(at + 1)
      if not (left:find "[+-]%s*%l+%s*$" and right:find "^%s*%d+%s*[=+-]") then return left, right end
      from = at + 1
   end
end

return rules
