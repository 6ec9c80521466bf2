-- Tells what is in a course file. Of a KMP: game, mode, extent, sections, objects, routes and who uses
-- them, cameras. Of a KCL: game, size, extent, models, octree, surfaces. Of a BIN of the arcade games: size,
-- triangles, walls, grid, surfaces (agp_info tells more). Of an OBJ: triangles, extent, edges, surfaces,
-- materials. Of all: what is odd about it.
--
--    kartlua info course.szs course.kmp
--
-- Output, shortened:
--    course.kmp
--      game  Mario Kart Wii, version 2520
--      size  10648 bytes
--      mode  race, 3 laps, pole position left
--      x     -55917 to 127526
--
--    sections
--      ktpt   1  Start positions
--      enpt  48  Enemy route points
--
--    objects
--        3   1  lensFX
--      101  32  itembox
--
--    routes
--       3  9 points  back and forth  smooth  came[1]
--       4  2 points  back and forth          came[2]
--
--    course.kcl
--      game       Mario Kart Wii
--      size       310746 bytes
--      prisms     3149, area 1127396071
--      thickness  300, spheres up to 250
--
--    octree
--      cells  6581, 1910 of them empty, at most 4 splits deep
--      lists  2514, 33804 entries, longest 64, mean 2.1
--
--    flags
--      flag    prisms       area   share
--      0x0000    1346  523396071  46.4 %  road
--      0x002C     402   93712112   8.3 %  wall/rock
--
--    warnings
--      warning  area[18].enemy_point  names enpt[50], the last is enpt[48]

local kart = require "kartlua"
local columns = require "kartlua.columns"
local counted = require "kartlua.counted"
local recipe = require "kartlua.recipe"
local survey = require "kartlua.survey"

local function indented(rows, sides)
   for _, line in ipairs(columns(rows, sides)) do print("  " .. line) end
end

local function show(title, rows, sides)
   if #rows == 0 then return end
   print("\n" .. title)
   indented(rows, sides)
end

-- Rows for the extent of a course, none if it has none.
local function extent(rows, low, high)
   for _, axis in ipairs(low and { "x", "y", "z" } or {}) do
      rows[#rows + 1] = { axis, ("%.0f to %.0f"):format(low[axis], high[axis]) }
   end
   return rows
end

-- --- KMP --------------------------------------------------------------------------------------

local function kmp_head(course)
   local stage = course.stgi and course.stgi[1]
   local rows = {
      { "game", ("%s, version %d"):format(survey.game_name(course), course.version) },
      { "size", ("%d bytes"):format(#course:bytes()) },
      { "mode", course.battle and "battle" or "race" },
   }
   if stage and course.game == "mkw" then
      local side = stage.pole == 0 and "left" or "right"
      rows[3][2] = ("%s, %d laps, pole position %s"):format(rows[3][2], stage.laps, side)
   end
   return extent(rows, survey.bounds(course))
end

local function first_four(list)
   local more = #list > 4 and (" +%d"):format(#list - 4) or ""
   return table.concat(list, " ", 1, math.min(#list, 4)) .. more
end

local function show_kmp(course)
   indented(kmp_head(course), "ll")

   local rows = {}
   for i, section in ipairs(course:sections()) do
      rows[i] = section.known and { section.name, section.count, section.doc }
         or { section.magic:gsub("%W", "?"), "-", ("%d bytes that are not known, kept"):format(section.bytes) }
   end
   show("sections", rows, "lrl")

   rows = survey.count(course.gobj, "id")
   for _, row in ipairs(rows) do row[3] = kart.kmp.object_name(row[1]) or "?" end
   show("objects", rows, "rrl")

   rows = {}
   local users, named = survey.route_users(course)
   for i, route in ipairs(course.poti or {}) do
      rows[i] = { i, counted(#route, "point"), route.motion == 0 and "round and round" or "back and forth",
         route.smooth ~= 0 and "smooth", first_four(users[i]), #named[i] > 0 and "named by " .. first_four(named[i]) }
   end
   show("routes", rows, "rrllll")

   rows = survey.count(course.came, "type")
   for _, row in ipairs(rows) do row[3] = kart.kmp.camera_name(row[1]) or "?" end
   show("cameras", rows, "rrl")
end

-- --- KCL --------------------------------------------------------------------------------------

local function number(value) return kart.number_text(value) end

local function kcl_head(course, stats)
   local first, prisms = course.models[1], ("%d, area %.0f"):format(stats.prisms, stats.area)
   if stats.triangles ~= stats.prisms then prisms = ("%s, %d different triangles"):format(prisms, stats.triangles) end
   for _, kind in ipairs{ "degenerate", "inverted" } do
      if stats[kind] > 0 then prisms = ("%s, %d %s"):format(prisms, stats[kind], kind) end
   end
   return extent({
      { "game", survey.game_name(course) },
      { "size", ("%d bytes"):format(#assert(course:bytes())) },
      { "prisms", prisms },
      { "thickness", first.radius > 0 and ("%s, spheres up to %s"):format(number(first.thickness), number(first.radius))
         or number(first.thickness) },
   }, stats.low, stats.high)
end

local function show_kcl(course)
   local stats = assert(course:stats())
   indented(kcl_head(course, stats), "ll")

   local rows = { { "model", "prisms", "bytes", "root cells", "from" } }
   for i, model in ipairs(course.models) do
      rows[i + 1] = { i, model.prisms, model.bytes, model.cell, tostring(model.min) }
   end
   if #course.models > 1 then show("models", rows, "rrrrl") end

   rows = {
      { "cells", ("%d, %d of them empty, at most %d splits deep"):format(stats.leaves, stats.empty_leaves,
         stats.depth) },
      { "lists", ("%d, %d entries, longest %d, mean %.1f"):format(stats.lists, stats.list_refs, stats.longest_list,
         stats.mean_list) },
      { "size", ("%d bytes"):format(stats.octree_bytes) },
   }
   if stats.unreached > 0 then rows[4] = { "missing", ("%d prisms are in no list"):format(stats.unreached) } end
   show("octree", rows, "ll")

   rows = survey.flags(course)
   show("flags", #rows > 1 and rows or {}, "lrrrl")
end

-- --- AGP --------------------------------------------------------------------------------------

local function show_agp(course)
   indented(survey.agp_head(course), "ll")
   local rows = survey.flags(course)
   show("flags", #rows > 1 and rows or {}, "lrrrl")
end

-- --- OBJ --------------------------------------------------------------------------------------

local function show_mesh(mesh)
   local stats = assert(mesh:stats())
   indented(extent({
      { "flags", "of " .. mesh.game },
      { "triangles", ("%d, area %.0f"):format(stats.triangles, stats.area) },
      { "positions", ("%d, %d different, %d unused"):format(stats.positions, stats.distinct, stats.unused) },
      { "edges", ("%d, %d open, %d of more than two triangles"):format(stats.edges, stats.open_edges,
         stats.crowded_edges) },
      { "odd", ("%d without an area, %d twice, %d without a flag"):format(stats.degenerate, stats.duplicates,
         stats.unflagged) },
   }, stats.low, stats.high), "ll")

   local rows = survey.flags(mesh)
   show("flags", #rows > 1 and rows or {}, "lrrrl")

   rows = {}
   for i, row in ipairs(mesh.materials) do
      rows[i] = { row.triangles, row.name == "" and "(none)" or row.name:gsub("%c", "?"),
         row.flag and kart.flags.format(row.flag, mesh.game) or row.unflagged > 0 and "no flag" or "several flags" }
   end
   show("materials", rows, "rll")
end

local SHOW = { kmp = show_kmp, kcl = show_kcl, agp = show_agp, mesh = show_mesh }

return recipe{
   summary = "Tells what is in a course file.",
   saves = false,
   accepts = { "kmp", "kcl", "agp", "mesh" },
   objects = true,
   example = "kartlua info course.kmp",
   run = function(course, _, job)
      print(job.input)
      SHOW[kart.type(course)](course)
      local rows = {}
      for i, warning in ipairs(course.warnings) do rows[i] = { warning.severity, warning.place, warning.message } end
      show("warnings", rows, "lll")
      print()
   end,
}
