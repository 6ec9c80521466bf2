--- A small course of the arcade games: a round road that climbs, with a verge of grass, a bridge of wood in the
--- middle, and a special face below it. Gives its triangles, `most` of them.

-- A place on a circle, by hundredths of a turn. Whole numbers of a table: the same on every machine.
local CIRCLE = { { 0, -256 }, { 128, -222 }, { 222, -128 }, { 256, 0 }, { 222, 128 }, { 128, 222 }, { 0, 256 },
   { -128, 222 }, { -222, 128 }, { -256, 0 }, { -222, -128 }, { -128, -222 } }

local function place(i, radius, height)
   local at = CIRCLE[(i - 1) % #CIRCLE + 1]
   return { at[1] * radius / 256 + 13.3, height, at[2] * radius / 256 - 7.9 }
end

local function quad(list, a, b, c, d, flag)
   list[#list + 1] = { a, b, c, flag = flag }
   list[#list + 1] = { a, c, d, flag = flag }
end

-- Heights of the road: it climbs and comes down again.
local HEIGHTS = { 0, 0, 10.5, 21, 31.5, 31.5, 31.5, 21, 10.5, 0, 0, 0 }

return function(most)
   local list = {}
   for i = 1, #CIRCLE do
      local here, there = HEIGHTS[i], HEIGHTS[i % #CIRCLE + 1]
      local inner, outer = place(i, 90, here), place(i, 135, here)
      local next_inner, next_outer = place(i + 1, 90, there), place(i + 1, 135, there)
      -- Counter-clockwise seen from above, with z towards the reader.
      quad(list, inner, next_inner, next_outer, outer, 0x1)
      if i > 8 then quad(list, outer, next_outer, place(i + 1, 165, there), place(i, 165, here), 0x00200400) end
   end
   quad(list, { -20, 60, -45 }, { -20, 60, 45 }, { 28, 60, 45 }, { 28, 60, -45 }, 0x4)
   list[#list + 1] = { { 0, 5, -20 }, { -12, 5, 24 }, { 36, 5, 24 }, flag = 0x80000040 }
   return table.move(list, 1, most or #list, 1, {})
end
