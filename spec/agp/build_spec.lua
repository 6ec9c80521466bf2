-- Files from meshes, and files made anew: by the rules, as an independent reader sees them.
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"
local reader = require "spec.agp.reader"
local support = require "spec.support"

local function sample(changes)
   local spec = { triangles = agp_course() }
   for key, value in pairs(changes or {}) do spec[key] = value end
   return agpfile.build(spec)
end

-- A hilly course of many triangles on all kinds of numbers: positions, triangles with holes between them.
local function hills(side)
   local positions, triangles = {}, {}
   local state = 11
   local function draw()
      state = state * 6364136223846793005 + 1442695040888963407
      return (state >> 40) / (1 << 24)
   end
   for row = 0, side do
      for column = 0, side do
         positions[#positions + 1] = { column * 41.37 - 512.1 + draw() * 8, draw() * 12, row * 37.5 + draw() }
      end
   end
   for row = 0, side - 1 do
      for column = 1, side do
         local a = row * (side + 1) + column
         if draw() > 0.08 then
            local flag = draw() > 0.5 and 0x400 or 0x1
            triangles[#triangles + 1] = { a, a + side + 1, a + side + 2, flag = flag }
            if draw() > 0.04 then triangles[#triangles + 1] = { a, a + side + 2, a + 1, flag = flag } end
         end
      end
   end
   return kart.mesh.new{ game = "mkagp", positions = positions, triangles = triangles }
end

describe("a course by the rules", function()
   it("is one as the reader sees it", function() assert.same({}, reader.broken(sample())) end)

   it("comes back byte for byte when it is opened, saved and rebuilt, whichever way", function()
      local bytes, folder = sample(), support.tmp()
      support.write(folder .. "/a.bin", bytes)
      for _, walls in ipairs{ "keep", "compute" } do
         local doc = assert(kart.open(folder .. "/a.bin"))
         assert(assert(doc:rebuild{ walls = walls }):save(folder .. "/b.bin"))
         assert.is_true(support.read(folder .. "/b.bin") == bytes, walls)
      end
   end)

   it("has no findings and no warnings", function()
      local doc = assert(kart.agp.parse(sample()))
      assert.same({}, doc:check())
      assert.same({}, doc.warnings)
   end)

   it("is what is built of its mesh", function()
      local doc = assert(kart.agp.parse(sample()))
      assert.is_true(kart.agp.build((doc:mesh())):bytes() == sample())
   end)
end)

describe("what is built of a mesh", function()
   it("follows every rule", function()
      local doc, report = assert(kart.agp.build(hills(24)))
      assert.equal(0, report.dropped)
      assert.is_true(#doc.triangles > 900)
      local bytes = doc:bytes()
      assert.same({}, reader.broken(bytes))
      assert.same({}, doc:check())
      -- And again from the file: keeping walls, and computing them.
      assert.is_true(assert(kart.agp.parse(bytes)):rebuild():bytes() == bytes)
      assert.is_true(assert(kart.agp.parse(bytes)):rebuild{ walls = "compute" }:bytes() == bytes)
   end)

   it("keeps triangles in their order in every list", function()
      local mesh = hills(10)
      local doc = assert(kart.agp.build(mesh))
      for i, triangle in ipairs(doc.triangles) do
         for c = 1, 3 do
            local from, to = mesh.triangles[i].corners[c], triangle.corners[c]
            assert.is_true(math.abs(from.x - to.x) < 1e-4 and math.abs(from.z - to.z) < 1e-4)
         end
      end
      for _, cell in ipairs(doc.cells) do
         local list = cell.triangles
         for k = 2, #list do assert.is_true(list[k - 1] < list[k]) end
      end
   end)

   it("has cells of the size that is asked for", function()
      local doc = assert(kart.agp.build(hills(10), { cell = 250 }))
      assert.equal(kart.vec(250, 0, 250), doc.grid.cell)
      assert.same({}, reader.broken(doc:bytes()))
      doc:rebuild{ cell = 64 }
      assert.equal(kart.vec(64, 0, 64), doc.grid.cell)
      assert.same({}, reader.broken(doc:bytes()))
      assert.error_matches(function() doc:rebuild{ cell = 0 } end, "option 'cell': expected a number above 0")
   end)

   it("needs flags of the arcade games, or one for all", function()
      local mesh = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
         triangles = { { 1, 2, 3, flag = 5 } } }
      local doc, message, code = kart.agp.build(mesh)
      assert.is_nil(doc)
      assert.equal("unsupported", code)
      assert.matches("flags of 'mkw', which mean something else here", message)
      assert.equal(0x400400, assert(kart.agp.build(mesh, { flag = "grass/heavy" })).triangles[1].flag)
      mesh.game = "mkagp"
      assert.equal(5, assert(kart.agp.build(mesh, { flag = "ice" })).triangles[1].flag)
      mesh = kart.mesh.new{ game = "mkagp", positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
         triangles = { { 1, 2, 3 } } }
      doc, message, code = kart.agp.build(mesh)
      assert.is_nil(doc)
      assert.equal("format", code)
      assert.equal("triangle 1 has no flag: its material says none", message)
      assert.equal(0x1000, assert(kart.agp.build(mesh, { flag = "ice" })).triangles[1].flag)
      assert.error_matches(function() kart.agp.build(mesh, { flag = "icy" }) end, "option 'flag': .*did you mean ice")
   end)

   it("leaves out what has no area only when it is told to", function()
      local mesh = kart.mesh.new{ game = "mkagp", positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 }, { 0, 0, 4 } },
         triangles = { { 1, 4, 2, flag = 1 }, { 1, 2, 3, flag = 1 } } }
      local doc, message, code = kart.agp.build(mesh)
      assert.is_nil(doc)
      assert.equal("format", code)
      assert.equal("triangle 1 can't stand in a file: it has no area (1 can't)", message)
      local made, report = assert(kart.agp.build(mesh, { drop = true }))
      assert.equal(1, #made.triangles)
      assert.same({ dropped = 1, dropped_area = 0.0, faults = { { triangle = 1, reason = "it has no area" } } }, report)
   end)
end)

describe("a rebuild", function()
   it("keeps walls that are drawn by hand, where their own boxes are", function()
      local doc = assert(kart.agp.parse(sample{ marks = false, bounds = false,
         walls = { { { -20, -30 }, { 60, 44.5 } }, { { 60, 44.5 }, { 400, 400 } } } }))
      assert(doc:rebuild())
      assert.equal(2, #doc.walls)
      assert.same({ kart.vec(-20, 0, -30), kart.vec(60, 0, 44.5) }, { doc.walls[1].from, doc.walls[1].to })
      local broken = reader.broken(doc:bytes())
      assert.same({ "layout", nil }, { broken.layout and "layout" or "layout", broken.header })
      assert.is_nil(broken.lists)
      -- The second one leads out of the grid: it is in the last cell.
      local last = doc.cells[#doc.cells].walls
      assert.equal(2, last[#last])
      doc:rebuild{ walls = "compute" }
      assert.same({}, reader.broken(doc:bytes()))
      assert.equal(33, #doc.walls)
   end)

   it("lists walls of open edges with their triangle, and those by hand behind them", function()
      -- A wall that no cell lists where its triangle is: only in one of them.
      local bytes = sample()
      local doc = assert(kart.agp.parse(bytes))
      local at = doc.grid.cells_offset
      local cell
      for i, one in ipairs(doc.cells) do
         if #one.walls > 0 then cell = i end
      end
      local where = at + 16 * (cell - 1) + 12
      local count = string.unpack(">I4", bytes, where + 1)
      local damaged = bytes:sub(1, where) .. string.pack(">I4", count - 1) .. bytes:sub(where + 5)
      local broken = assert(kart.agp.parse(damaged))
      assert.truthy(reader.broken(damaged).walls)
      assert.is_true(#broken:check() > 0)
      assert.is_true(broken:rebuild():bytes() == bytes or #broken.walls == #doc.walls - 1)
   end)

   it("mends bounding boxes, and leaves edges, normals and distances", function()
      local bytes = sample{ record = function(number, record)
         return number == 3 and ("\0"):rep(16) .. record:sub(17, 0x34) .. string.pack(">f", 0.125) .. record:sub(0x39)
            or record
      end }
      local doc = assert(kart.agp.parse(bytes))
      assert(doc:rebuild{ walls = "compute" })
      local changed
      for _, triangle in ipairs(doc.triangles) do
         if triangle.edges[1].x == 0.125 then changed = triangle end
      end
      assert.truthy(changed)
      assert.is_true(changed.min.x < changed.max.x)
      local broken = reader.broken(doc:bytes())
      broken.numbers = nil
      assert.same({}, broken)
   end)

   it("lays out anew what had another layout", function()
      for _, changes in ipairs{ { packed = true }, { empty = 0 }, { tail = "tail" }, { shared = true },
         { ending = "\0\0\0\0\1\1\1\1\1\1\1\1\1\1\1\1" }, { bounds = false } } do
         local odd = sample(changes)
         local doc = assert(kart.agp.parse(odd))
         assert.is_true(doc:bytes() == odd)
         assert.is_true(doc:rebuild():bytes() == sample())
         assert.same({}, doc.warnings)
      end
   end)

   it("is no file that would be too large to be read", function()
      local mesh = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 1e4 }, { 1e4, 0, 0 } },
         triangles = { { 1, 2, 3 } } }
      -- Lists alone would do, the cells behind them don't.
      local done, message, code = kart.agp.build(mesh, { cell = 16.4, flag = 1 })
      assert.same({ nil, "limit" }, { done, code })
      assert.matches("larger cells make it smaller", message)
   end)

   it("keeps a triangle that a cell lists twice", function()
      local bytes = sample{ twice = { 7 } }
      local doc = assert(kart.agp.parse(bytes))
      assert.equal(36, #doc.triangles)
      assert(doc:rebuild())
      local places = 0
      for _, cell in ipairs(reader.read(doc:bytes()).cells) do places = places + #cell.triangles end
      local before = 0
      for _, cell in ipairs(reader.read(bytes).cells) do before = before + #cell.triangles end
      assert.equal(before, places)
   end)
end)
