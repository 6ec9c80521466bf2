-- kcl:verify finds what an octree lacks, all of it and nothing else.
local kclfile = require "samples.kclfile"
local reader = require "spec.kcl.reader"
local tools = require "spec.kcl.tools"

local function verify(doc, options) return assert(doc:verify(options)) end

-- Files that nobody damaged ---------------------------------------------------------------------

describe("nothing is missed in sound files:", function()
   for _, name in ipairs{ "race", "mkw", "mk7", "mkds", "mk8", "mk8_models", "mk8dx_models", "gamecube", "smo",
      "lists_suffix", "groups_shared", "narrow_area", "single_root", "degenerate", "none", "none_v2" } do
      it("the sample " .. name, function()
         local found = verify(tools.open(name), { queries = 3000 })
         assert.same({}, found.misses)
         assert.is_true(name:find "none" and found.hits == 0 or found.hits > 1000)
      end)
   end
   for _, file in ipairs(tools.corpus "kcl-mkw") do
      if not file.name:find "broken" then
         it(file.folder .. "/" .. file.name, function()
            local doc <close> = assert(kart.open(file.path))
            local found = verify(doc)
            print(("  %-22s %d spheres, %d hits, %d far (%d of them missed); %d cells; %d misses"):format(file.name,
               found.queries, found.hits, found.far, found.far_missed, found.cells, #found.misses))
            assert.same({}, found.misses)
         end)
      end
   end
end)

describe("known faults are found:", function()
   -- This builder grows cells by less than the thickness: deep places are missed, and only those.
   for _, file in ipairs(tools.corpus("kcl-other", "kcl-v2-multi")) do
      it(file.folder .. "/" .. file.name, function()
         local doc <close> = assert(kart.open(file.path))
         local found = verify(doc)
         assert.is_true(#found.misses > 10)
         for _, miss in ipairs(found.misses) do assert.is_true(miss.distance > 25) end
      end)
   end

   for _, file in ipairs(tools.corpus "kcl-mkw") do
      if file.name:find "broken" then
         it(file.folder .. "/" .. file.name, function()
            local doc <close> = assert(kart.open(file.path))
            assert.is_true(#verify(doc).misses > 1000)
         end)
      end
   end

   it("prisms that no list has", function()
      local doc = tools.open "unreached"
      local lost = {}
      for _, finding in ipairs(doc:check()) do
         if finding.rule == "prism-unreached" then lost[finding.index] = true end
      end
      local missed = {}
      for _, miss in ipairs(verify(doc).misses) do missed[miss.prism] = true end
      assert.is_true(next(lost) ~= nil)
      assert.same(lost, missed)
   end)
end)

-- Lists that were damaged -----------------------------------------------------------------------

local function box_distance(p, low, size)
   local square = 0
   for axis = 1, 3 do
      local off = math.max(low[axis] - p[axis], 0, p[axis] - low[axis] - size)
      square = square + off * off
   end
   return math.sqrt(square)
end

-- How near a triangle comes to a cell, no less than it does, and about how much more that may be.
local function cell_distance(corners, low, size)
   local steps, best = 40, math.huge
   for i = 0, steps do
      for j = 0, steps - i do
         local p = {}
         for axis = 1, 3 do
            p[axis] = (corners[1][axis] * i + corners[2][axis] * j + corners[3][axis] * (steps - i - j)) / steps
         end
         best = math.min(best, box_distance(p, low, size))
      end
   end
   local longest = 0
   for k = 1, 3 do
      local a, b, square = corners[k], corners[k % 3 + 1], 0
      for axis = 1, 3 do square = square + (a[axis] - b[axis]) ^ 2 end
      longest = math.max(longest, math.sqrt(square))
   end
   return best, longest / steps
end

-- Take a prism out of the list of the cell that its middle is in: the one behind or before it stands twice
-- then. Gives the damaged file and the cells whose list that is, { low corner, size }; nil if the list is too
-- short.
local function damage(doc, number)
   local file = reader.read(doc:bytes(), doc.game)
   local model = file.models[1]
   local corners = reader.corners(model:prism(number))
   local middle = {}
   for axis = 1, 3 do middle[axis] = (corners[1][axis] + corners[2][axis] + corners[3][axis]) / 3 end
   local list = model:find_at(middle)
   local _, ids = model:list(list)
   local place
   for i, id in ipairs(ids) do place = id == number and i or place end
   if not place or #ids < 2 then return nil end
   local at = list + 2 * (place - 1)
   local other = place > 1 and at - 2 or at + 2
   local bytes = kclfile.patch(file.bytes, at, file.bytes:sub(other + 1, other + 2))
   local cells = {}
   model:each_leaf(function(x, y, z, size, start)
      local _, others = model:list(start)
      if at >= start and at < start + 2 * #others then
         cells[#cells + 1] = { { x + model.min[1], y + model.min[2], z + model.min[3] }, size }
      end
   end)
   return bytes, cells, corners
end

-- The misses are exactly this prism, in exactly the cells that it comes near to.
local function check_damage(doc, number)
   local bytes, cells, corners = damage(doc, number)
   if not bytes then return false end
   local damaged <close> = assert(kart.kcl.parse(bytes, doc.game))
   local radius = damaged.models[1].radius
   local missed = {}
   for _, miss in ipairs(verify(damaged).misses) do
      assert.equal(number, miss.prism)
      missed[("%.3f %.3f %.3f"):format(miss.cell.min:unpack())] = miss
      -- It is a fault: the engine doesn't report what is there, and the whole file does.
      local from = miss.point + doc.prisms[number].face_normal * 1000
      local function hit(of)
         for _, one in ipairs(of:lookup_sphere(miss.point, miss.radius, { from = from })) do
            if one.prism == number then return one.depth end
         end
      end
      if miss.count == 1 then assert.same({ nil, true }, { hit(damaged), hit(doc) ~= nil }) end
   end
   for _, cell in ipairs(cells) do
      local low, size = cell[1], cell[2]
      local key = ("%.3f %.3f %.3f"):format(table.unpack(low))
      local distance, slack = cell_distance(corners, low, size)
      if distance < radius - 0.1 then assert.is_table(missed[key], "not missed in the cell at " .. key) end
      if distance > radius + slack + doc.models[1].thickness then assert.is_nil(missed[key]) end
      missed[key] = nil
   end
   assert.is_nil(next(missed))
   return true
end

describe("a prism taken out of a list is missed there, and nothing else is:", function()
   local function check(doc, count)
      local done, stats = 0, #doc.prisms
      for i = 1, count do
         local number = 1 + (i * 7919) % stats
         if not doc.prisms[number].problem and tools.calm(check_damage, doc, number) then done = done + 1 end
      end
      assert.is_true(done > 0)
   end
   for _, name in ipairs{ "mkw", "race", "lists_suffix", "mk7" } do
      it("the sample " .. name, function() check(tools.open(name), 6) end)
   end
   for _, file in ipairs(tools.corpus "kcl-mkw") do
      if not file.name:find "broken" then
         it(file.folder .. "/" .. file.name, function()
            local doc <close> = assert(kart.open(file.path))
            check(doc, 2)
         end)
      end
   end
end)

-- Lists that are short by a little --------------------------------------------------------------

-- Two cells of 2048 units along an axis; the list of the first has the one triangle, the other is empty. The
-- border is so far from the triangle, along that axis.
local function two_cells(axis, distance)
   local grid = { min = { -900.0, -900.0, -900.0 }, shift = 11, bits = { 0, 0, 0 } }
   grid.bits[axis] = 1
   local border = -900 + 2048
   local corners = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 300.0 }, { 300.0, 0.0, 0.0 } }
   -- Along x the border is beside the triangle's corner C; along y above it.
   local move = { 0.0, 0.0, 0.0 }
   move[axis] = border - distance - (axis == 1 and 300 or 0)
   for _, corner in ipairs(corners) do
      for k = 1, 3 do corner[k] = corner[k] + move[k] end
   end
   local words = string.pack(">I4I4", 0x80000000 | 6, 0x80000000 | 8)
   return assert(kart.kcl.parse(kclfile.build{ game = "mkw", triangles = { corners }, grid = grid,
      octree = words .. string.pack(">I2I2", 1, 0) }))
end

it("a list that is short by a tenth of a unit is found", function()
   for axis = 1, 2 do
      assert.same({}, verify(two_cells(axis, 250.1)).misses)
      local misses = verify(two_cells(axis, 249.9)).misses
      assert.equal(1, #misses)
      assert.is_true(misses[1].distance < 250 and misses[1].distance > 249.8)
   end
end)

it("a list that is short by two tenths of a unit in depth is found", function()
   -- The border lies below the triangle now: the second cell has it, the first is empty.
   local function below(depth)
      local doc = two_cells(2, -depth)
      local bytes = doc:bytes()
      local tree = reader.read(bytes, "mkw").models[1].octree
      return assert(kart.kcl.parse(kclfile.patch(bytes, tree, string.pack(">I4I4", 0x80000000 | 8, 0x80000000 | 6))))
   end
   assert.same({}, verify(below(300.1), { radii = { 1 } }).misses)
   local misses = verify(below(299.8), { radii = { 1 }, queries = 0 }).misses
   assert.equal(1, #misses)
   assert.is_true(misses[1].distance > 299.8)
end)

-- Options ---------------------------------------------------------------------------------------

describe("the options", function()
   local doc = tools.open "unreached"

   it("draw other spheres with another seed, and the same with the same", function()
      local one, other = verify(doc, { queries = 500, seed = 1 }), verify(doc, { queries = 500, seed = 2 })
      assert.same(one, verify(doc, { queries = 500, seed = 1 }))
      assert.not_same({ one.hits, one.misses }, { other.hits, other.misses })
      assert.equal(500, one.queries)
   end)

   it("go by cells alone, or by none", function()
      local cells = verify(doc, { queries = 0 })
      assert.same({ 0, 0 }, { cells.queries, cells.hits })
      assert.is_true(cells.probes > 0 and #cells.misses > 0)
      local drawn = verify(doc, { cells = false })
      assert.same({ 0, 0 }, { drawn.cells, drawn.probes })
      assert.is_true(#drawn.misses > 0)
   end)

   it("say radii and the rule", function()
      for _, miss in ipairs(verify(doc, { radii = { 30, 60 } }).misses) do assert.is_true(miss.radius <= 60) end
      -- Without the spheres that cells don't list, only the one engine finds all.
      local triangles = { { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 900.0 }, { 900.0, 0.0, 0.0 } } }
      local bare = assert(kart.kcl.parse(kclfile.build{ game = "mk8", triangles = triangles, cell = 8, most = 0,
         least = 6, radius = 0 }, "mk8"))
      assert.same({}, verify(bare).misses)
      assert.same({}, verify(bare, { rule = "galaxy" }).misses)
      assert.is_true(#verify(bare, { rule = "mkw" }).misses > 0)
   end)
end)
