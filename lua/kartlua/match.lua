--- Which record of one list is which of another, when all that is known is what they hold.
local match = {}

local NEAR = 3000 -- units: what is further off is rather another record

-- Pairs that are tried at most. Real courses stay far below; beyond, only equality and order count.
local PAIRS_MOST = 4000000

--- The pairs that keep their order, as many as can be: a set of indices into `pairs_of`, a list of
--- { old, new } that is sorted by old. (The longest increasing subsequence.)
function match.in_order(pairs_of)
   local tails, before = {}, {}
   for i, pair in ipairs(pairs_of) do
      local low, high = 1, #tails
      while low <= high do
         local middle = (low + high) // 2
         if pairs_of[tails[middle]][2] < pair[2] then low = middle + 1 else high = middle - 1 end
      end
      before[i] = tails[low - 1]
      tails[low] = i
   end
   local kept, at = {}, tails[#tails]
   while at do
      kept[at] = true
      at = before[at]
   end
   return kept
end

local function sorted_pairs(state)
   local list = {}
   for i = 1, #state.old do
      if state.to[i] then list[#list + 1] = { i, state.to[i] } end
   end
   return list
end

local function join(state, i, j) state.to[i], state.from[j] = j, i end

-- The unmatched records between two that are matched and in order: call `visit(olds, news)` for each gap.
local function each_gap(state, visit)
   local matched = sorted_pairs(state)
   local kept = match.in_order(matched)
   local i, j = 1, 1
   local function gap(last_old, last_new)
      local olds, news = {}, {}
      for k = i, last_old do
         if not state.to[k] then olds[#olds + 1] = k end
      end
      for k = j, last_new do
         if not state.from[k] then news[#news + 1] = k end
      end
      if #olds > 0 and #news > 0 then visit(olds, news) end
   end
   local gaps = {}
   for k, pair in ipairs(matched) do
      if kept[k] then gaps[#gaps + 1] = pair end
   end
   gaps[#gaps + 1] = { #state.old + 1, #state.new + 1 }
   for _, pair in ipairs(gaps) do
      gap(pair[1] - 1, pair[2] - 1)
      i, j = pair[1] + 1, pair[2] + 1
   end
end

-- What has the same key, in order.
local function match_equal(state, key)
   local waiting = {}
   for j, item in ipairs(state.new) do
      local text = not state.from[j] and item[key]
      if text then
         waiting[text] = waiting[text] or { first = 1 }
         table.insert(waiting[text], j)
      end
   end
   for i, item in ipairs(state.old) do
      local list = not state.to[i] and item[key] and waiting[item[key]]
      if list and list[list.first] then
         join(state, i, list[list.first])
         list.first = list.first + 1
      end
   end
end

local function unmatched(items, matched)
   local count = 0
   for i in ipairs(items) do count = count + (matched[i] and 0 or 1) end
   return count
end

-- Pairs by a score, the best first; `score(old, new)` gives nil for pairs that are none.
local function match_best(state, score)
   local found = {}
   if unmatched(state.old, state.to) * unmatched(state.new, state.from) > PAIRS_MOST then return end
   for i, old in ipairs(state.old) do
      if not state.to[i] then
         for j, new in ipairs(state.new) do
            local value = not state.from[j] and score(old, new)
            if value then found[#found + 1] = { value, i, j } end
         end
      end
   end
   table.sort(found, function(a, b)
      if a[1] ~= b[1] then return a[1] < b[1] end
      local apart, other = math.abs(a[2] - a[3]), math.abs(b[2] - b[3])
      if apart ~= other then return apart < other end
      if a[2] ~= b[2] then return a[2] < b[2] end
      return a[3] < b[3]
   end)
   for _, pair in ipairs(found) do
      if not state.to[pair[2]] and not state.from[pair[3]] then join(state, pair[2], pair[3]) end
   end
end

local function distance(a, b)
   local apart = a.position and b.position and (a.position - b.position):length()
   return apart == apart and apart or nil -- not a number is nowhere
end

-- As many in the gap, of the same ids: each stayed in its place.
local function match_in_place(state)
   each_gap(state, function(olds, news)
      if #olds ~= #news then return end
      for k, i in ipairs(olds) do
         if state.old[i].id ~= state.new[news[k]].id then return end
      end
      for k, i in ipairs(olds) do join(state, i, news[k]) end
   end)
end

local function match_by_order(state)
   each_gap(state, function(olds, news)
      local k = 1
      for _, j in ipairs(news) do
         while olds[k] and state.old[olds[k]].id ~= state.new[j].id do k = k + 1 end
         if not olds[k] then return end
         join(state, olds[k], j)
         k = k + 1
      end
   end)
end

--- Match two lists of items. An item may have
---   id        what never changes into something else, as an object's id
---   content   a text: all that it holds
---   rest      a text: all but where it is
---   position  a kart.vec
---   parts     a table whose keys are texts: what it is made of, as a route of points
--- Gives the new index by the old one, the old one by the new one, and by the old one true for those
--- that changed places against the others.
function match.lists(old, new)
   local state = { old = old, new = new, to = {}, from = {} }
   match_equal(state, "content")
   match_best(state, function(a, b)
      local common = 0
      for part in pairs(a.parts or {}) do
         if b.parts and b.parts[part] then common = common + 1 end
      end
      return common > 0 and -common or nil
   end)
   match_in_place(state)
   -- Something else at the very same place, too: its id was changed.
   match_best(state, function(a, b) return distance(a, b) == 0 and 0 or nil end)
   match_best(state, function(a, b)
      local apart = a.id == b.id and distance(a, b)
      return apart and apart <= NEAR and apart or nil
   end)
   match_equal(state, "rest")
   match_by_order(state)

   local moved, matched = {}, sorted_pairs(state)
   local kept = match.in_order(matched)
   for k, pair in ipairs(matched) do
      if not kept[k] then moved[pair[1]] = true end
   end
   return state.to, state.from, moved
end

return match
