--- The word that somebody may have meant.

-- Edits (insert, delete, replace, exchange two neighbours) that make `b` out of `a`.
local function distance(a, b)
   local last, before
   local row = {}
   for j = 0, #b do row[j] = j end
   for i = 1, #a do
      before, last, row = last, row, { [0] = i }
      for j = 1, #b do
         local same = a:byte(i) == b:byte(j)
         row[j] = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same and 0 or 1))
         if before and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
            row[j] = math.min(row[j], before[j - 2] + 1)
         end
      end
   end
   return row[#b]
end

--- The one of `words` that is nearest to `word`, or nil when none is near.
return function(word, words)
   local best, least = nil, math.max(1, #word // 3) + 1
   for _, candidate in ipairs(words) do
      local edits = distance(word, candidate)
      if #word > 1 and candidate:sub(1, #word) == word then edits = math.min(edits, 1) end
      if edits < least then best, least = candidate, edits end
   end
   return best
end
