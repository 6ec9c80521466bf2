--- What is in a course file: data for reports.
local kart = require "kartlua"

local survey = {}

local GAMES = { mkw = "Mario Kart Wii", mk7 = "Mario Kart 7" } -- of KMP; others have a title

function survey.game_name(course)
   local kind = kart.type(course)
   local title = kind == "kmp" and GAMES[course.game] or course.title
   return title .. (kind ~= "agp" and course.guessed and " (guessed)" or "")
end

-- --- KMP --------------------------------------------------------------------------------------

-- Calls `see(x, y, z)` for each place in the course; y is nil for checkpoints, which have no height.
local function each_place(course, see)
   for _, name in ipairs{ "ktpt", "enpt", "itpt", "gobj", "area", "jgpt", "mspt" } do
      for _, record in ipairs(course[name] or {}) do
         local place = record.position
         see(place.x, place.y, place.z)
      end
   end
   for _, checkpoint in ipairs(course.ckpt or {}) do
      see(checkpoint.left.x, nil, checkpoint.left.z)
      see(checkpoint.right.x, nil, checkpoint.right.z)
   end
end

--- The box around start positions, enemy and item routes, checkpoints, objects, areas and respawns:
--- two vectors, or nil for a course without any. Routes and cameras are left out: they may be
--- relative to a kart.
function survey.bounds(course)
   local huge = math.huge
   local low, high = { huge, huge, huge }, { -huge, -huge, -huge }
   each_place(course, function(...)
      for axis = 1, 3 do
         local value = select(axis, ...)
         if value then low[axis], high[axis] = math.min(low[axis], value), math.max(high[axis], value) end
      end
   end)
   if low[1] == huge then return nil end
   if low[2] == huge then low[2], high[2] = 0, 0 end
   return kart.vec(table.unpack(low)), kart.vec(table.unpack(high))
end

--- How often each value of a field occurs: an array of { value, count }, sorted by value.
function survey.count(section, field)
   local counts, list = {}, {}
   for _, record in ipairs(section or {}) do
      local value = record[field]
      if not counts[value] then
         counts[value] = { value, 0 }
         list[#list + 1] = counts[value]
      end
      counts[value][2] = counts[value][2] + 1
   end
   table.sort(list, function(a, b) return a[1] < b[1] end)
   return list
end

--- For each route the places of the records that use it, like "gobj[3]", in file order; and the same of the
--- cameras that name a route but are of a type that has no use for one.
function survey.route_users(course)
   local users, named = {}, {}
   for route = 1, #(course.poti or {}) do users[route], named[route] = {}, {} end
   for _, reference in ipairs(course:references()) do
      if reference.section == "poti" and reference.target then
         local list, place = (reference.idle and named or users)[reference.number], tostring(reference.holder)
         if list[#list] ~= place then list[#list + 1] = place end
      end
   end
   return users, named
end

-- --- KCL --------------------------------------------------------------------------------------

--- The flags that occur, as rows for kartlua/columns.lua ("lrrrl"), a header first: the number, how
--- many prisms or triangles have it, their area in square units, its share of all, and the flag's notation.
function survey.flags(course)
   local what = kart.type(course) == "kcl" and "prisms" or "triangles"
   local rows, list, total = { { "flag", what, "area", "share" } }, course:flags(), 0
   for _, row in ipairs(list) do total = total + row.area end
   for i, row in ipairs(list) do
      local hex = (row.flag > 0xFFFF and "0x%08X" or "0x%04X"):format(row.flag)
      local name = kart.flags.format(row.flag, course.game)
      rows[i + 1] = { hex, row.count, ("%.0f"):format(row.area),
         ("%.1f %%"):format(total > 0 and row.area / total * 100 or 0), name ~= hex and name }
   end
   return rows
end

-- --- AGP --------------------------------------------------------------------------------------

local function number(value) return kart.number_text(value) end

--- What an AGP is, as rows of two columns.
function survey.agp_head(course)
   local stats, grid = course:stats(), course.grid
   local rows = {
      { "game", survey.game_name(course) },
      { "size", ("%d bytes"):format(#assert(course:bytes())) },
      { "triangles", ("%d, area %.0f"):format(stats.triangles, stats.area) },
      { "walls", ("%d, %d edges marked as open"):format(stats.walls, stats.open_edges) },
      { "grid", ("%d x %d cells of %s x %s, %d of them empty"):format(grid.width, grid.length, number(grid.cell.x),
         number(grid.cell.z), stats.empty_cells) },
      { "lists", ("%d triangles, %d walls, longest %d, mean %.1f"):format(stats.triangle_places, stats.wall_places,
         stats.longest_list, stats.mean_list) },
   }
   for _, kind in ipairs{ "down", "degenerate", "special" } do
      if stats[kind] > 0 then rows[3][2] = ("%s, %d %s"):format(rows[3][2], stats[kind], kind) end
   end
   for _, axis in ipairs(stats.low and { "x", "y", "z" } or {}) do
      rows[#rows + 1] = { axis, ("%.0f to %.0f"):format(stats.low[axis], stats.high[axis]) }
   end
   return rows
end

return survey
