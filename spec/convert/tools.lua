-- What the specs of conversion share: a course in the flags of any game, and the bookkeeping of reports.
local assert = require "luassert"

local tools = {}

tools.GAMES = { "mkw", "mk8", "mk8dx", "smo", "smg", "sm3dl", "mk7", "mkds", "mkagp" }

-- How large a course is: Mario Kart Wii has larger units.
local CELL = { mkw = 750 }

-- Surfaces of floors, walls and a trigger, as each game writes them.
local SURFACES = {
   mkw = { floors = { "road", "road/dirt+trickable", "off_road/grass", "boost_pad" }, wall = "wall/rock",
      trigger = "fall_boundary/water" },
   mk8 = { floors = { "road_1", "road_2/dirt_small", "off_road/grass", "dash" }, wall = "wall_1/cliff",
      trigger = "fall_out/water" },
   mkds = { floors = { "road+is_floor", "slippery_road+is_floor", "off_road+is_floor", "boost_pad+is_floor" },
      wall = "wall+is_wall", trigger = "fall_boundary" },
   mkagp = { floors = { "default", "dirt", "grass/medium", "water" } },
   plain = { floors = { 0, 1, 2, 3 }, wall = 12, trigger = 16 },
}
SURFACES.mk8dx = SURFACES.mk8

local function number(word, game) return type(word) == "number" and word or assert(kart.flags.parse(word, game)) end

--- A mesh of SIZE by SIZE hilly squares in four surfaces, a wall along one side and a trigger below all of it.
function tools.mesh(game, size)
   size = size or 6
   local cell, surfaces = CELL[game] or 75, SURFACES[game] or SURFACES.plain
   local positions, triangles = {}, {}
   local function place(x, y, z)
      positions[#positions + 1] = { x * cell + 13, y * cell, z * cell - 7 }
      return #positions
   end
   local function quad(a, b, c, d, word)
      local flag = number(word, game)
      triangles[#triangles + 1] = { a, b, c, flag = flag }
      triangles[#triangles + 1] = { a, c, d, flag = flag }
   end
   for z = 0, size do
      for x = 0, size do place(x, (x * 5 + z * 3) % 7 / 20, z) end
   end
   local function at(x, z) return z * (size + 1) + x + 1 end
   for z = 0, size - 1 do
      for x = 0, size - 1 do
         quad(at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z), surfaces.floors[(x + 2 * z) % 4 + 1])
      end
   end
   if surfaces.wall then
      local low, high = place(0, 0, 0), place(0, 2, 0)
      local far_low, far_high = place(size, 0, 0), place(size, 2, 0)
      quad(low, far_low, far_high, high, surfaces.wall)
   end
   if surfaces.trigger then
      quad(place(-1, -1, -1), place(-1, -1, size), place(size, -1, size), place(size, -1, -1), surfaces.trigger)
   end
   return kart.mesh.new{ game = game, positions = positions, triangles = triangles }
end

--- The same as collision of the game.
function tools.course(game, size)
   return assert((game == "mkagp" and kart.agp or kart.kcl).build(tools.mesh(game, size)))
end

local function triangles_of(doc) return kart.type(doc) == "kcl" and doc.prisms or doc.triangles end

local function near(a, b, share, what)
   assert.is_true(math.abs(a - b) <= share * math.max(math.abs(a), math.abs(b), 1e-9),
      ("%s: %.17g is not %.17g"):format(what, a, b))
end

--- Is every triangle of `doc` accounted for in a report, and its area? `share`: how far areas may come out otherwise.
function tools.account(doc, made, report, share)
   local source, count = report.source, 0
   local all = triangles_of(doc)
   assert.equal(#all, source.triangles)
   local area = { left_out = 0, turned = 0, all = 0 }
   local left_out, turned = 0, 0
   for _, row in ipairs(report.flags) do
      count, area.all = count + row.triangles, area.all + row.area
      turned, area.turned = turned + (row.turned or 0), area.turned + (row.turned_area or 0)
      if not row.new then left_out, area.left_out = left_out + row.triangles, area.left_out + row.area end
      assert.equal(row.match == "none" or row.became == nil, row.new == nil)
      assert.equal(row.new and kart.flags.format(row.new, report.to), row.became)
   end
   assert.equal(source.triangles, source.unsound + source.copies + count)
   assert.same({ left_out, turned }, { report.left_out.triangles, report.turned.triangles })
   assert.equal(count, left_out + turned + report.doubles + report.kept.triangles)
   local raised = report.walls and report.walls.raised or 0
   assert.equal(report.kept.triangles + raised - report.build.dropped, report.result.triangles)
   near(report.area, area.all, 1e-9, "area of all flags")
   near(report.left_out.area, area.left_out, 1e-9, "area left out")
   if report.doubles == 0 then
      near(area.all, area.left_out + area.turned + report.kept.area, 1e-9, "area kept")
   end
   local scaled = report.scale ^ 2
   near((report.kept.area + (report.walls and report.walls.area or 0)) * scaled - report.build.dropped_area,
      report.result.area, share or 1e-3, "area of the result")
   -- The new document says the same by itself.
   assert.equal(#triangles_of(made), report.result.triangles + report.result.copies)
   local new = {}
   for _, row in ipairs(report.flags) do
      if row.new then new[row.new] = (new[row.new] or 0) + row.triangles - (row.turned or 0) end
   end
   if raised > 0 then new[report.walls.flag] = (new[report.walls.flag] or 0) + raised end
   local lost = report.doubles + report.build.dropped - report.result.copies
   for _, row in ipairs(made:flags()) do
      assert.is_number(new[row.flag], ("nothing became 0x%X"):format(row.flag))
      new[row.flag] = new[row.flag] - row.count
   end
   for _, rest in pairs(new) do lost = lost - rest end
   assert.equal(0, lost)
end

return tools
