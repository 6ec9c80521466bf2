-- Meshes from Lua.
local collision = require "spec.recipe.collision"
local support = require "spec.support"

-- Two squares on the ground with a wall between them: roads, a wall, and one without a flag.
local function mesh()
   return kart.mesh.new{
      positions = { { 0, 0, 0 }, { 0, 0, 10 }, { 10, 0, 0 }, { 10, 0, 10 }, { 10, 5, 0 } },
      triangles = { { 1, 2, 3, flag = 0 }, { 3, 2, 4, flag = "road/dirt+trickable", part = "ground" },
         { 3, 4, 5, flag = 0x0C, material = "bricks" }, { 3, 5, 4, material = "glass" } },
   }
end

local function flags_of(of)
   local list = {}
   for i, triangle in ipairs(of.triangles) do list[i] = triangle.flag or "none" end
   return list
end

describe("a new mesh", function()
   it("is what its tables say", function()
      local m = mesh()
      assert.equal("mesh", kart.type(m))
      assert.equal("mesh (mkw, 4 triangles)", tostring(m))
      assert.same({ 4, 5 }, { #m.triangles, #m.positions })
      assert.equal(kart.vec(10, 5, 0), m.positions[5])
      assert.is_nil(m.positions[6])
      local t = m.triangles[2]
      assert.same({ 2, 0x2020, "ground", 50 }, { t.index, t.flag, t.part, t.area })
      assert.same({ 3, 2, 4 }, t.positions)
      assert.equal(kart.vec(0, 1, 0), t.normal)
      assert.is_nil(t.material)
      assert.is_nil(m.triangles[4].flag)
      assert.is_nil(m.triangles[5])
      assert.equal(m.triangles[1], m.triangles[1])
      assert.not_equal(m.triangles[1], mesh().triangles[1])
   end)

   it("takes the flags that names say", function()
      local m = kart.mesh.new{ positions = { { 0, 0, 0 } }, triangles = { { 1, 1, 1, material = "COL_0C" },
         { 1, 1, 1, part = "x_F0003" }, { 1, 1, 1, part = "x_F0003", material = "y_F0004" } } }
      assert.same({ 0x0C, 3, 4 }, flags_of(m))
   end)

   it("is refused, naming the place", function()
      local p = { { 0, 0, 0 } }
      for message, spec in pairs{
         ["positions: expected a list"] = { triangles = {} },
         ["triangles: expected a list"] = { positions = {} },
         ["positions%[2%]: expected a vector"] = { positions = { { 0, 0, 0 }, { 1, 2 } }, triangles = {} },
         ["triangles%[1%]%[3%]: expected a position from 1 to 1, got 2"] =
            { positions = p, triangles = { { 1, 1, 2 } } },
         ["triangles%[1%]%[1%]: .*got 0"] = { positions = p, triangles = { { 0, 1, 1 } } },
         ["triangles%[1%]%.flag: there is no type 'rod' %(did you mean road"] =
            { positions = p, triangles = { { 1, 1, 1, flag = "rod" } } },
         ["expected a flag from 0 to 65535, got 65536"] = { positions = p, triangles = { { 1, 1, 1, flag = 65536 } } },
         ["triangles%[1%]%.material: expected a name"] =
            { positions = p, triangles = { { 1, 1, 1, material = " a" } } },
         ["triangles%[1%]%.part: expected a name"] = { positions = p, triangles = { { 1, 1, 1, part = "a\nb" } } },
         ["there is no game 'mk64'"] = { game = "mk64", positions = p, triangles = {} },
         ["unknown option 'faces'"] = { positions = p, triangles = {}, faces = {} },
      } do
         assert.error_matches(function() kart.mesh.new(spec) end, message)
      end
      local far = { positions = { { 1e39, 0, 0 } }, triangles = {} }
      assert.error_matches(function() kart.mesh.new(far) end, "positions%[1%]")
   end)
end)

describe("mesh:", function()
   it("select takes words, numbers, lists and functions", function()
      local m = mesh()
      assert.same({ 0 }, flags_of(m:select "road"))
      assert.same({ 0, 0x2020 }, flags_of(m:select "road/*"))
      assert.same({ 0x2020 }, flags_of(m:select "*+trickable"))
      assert.same({ 0, 0x0C }, flags_of(m:select{ 0x0C, "road" }))
      assert.same({}, flags_of(m:select{}))
      assert.same({ 0x0C, "none" }, flags_of(m:select(function(t) return t.normal.y == 0 end)))
      local wall = m:select "wall"
      assert.same({ 3, "bricks" }, { #wall.positions, wall.triangles[1].material })
      assert.error_matches(function() m:select "rod" end, "there is no type 'rod'")
      assert.error_matches(function() m:select() end, "value expected")
      local function drop() return m:drop_degenerate(1e9) end
      assert.error_matches(function() m:select(drop) end, "changed meanwhile")
   end)

   it("map gives places, all or nothing", function()
      local m = mesh()
      assert.equal(m, m:map(function(x, y, z) return x + 1, y, -z end))
      assert.equal(kart.vec(11, 0, -10), m.positions[4])
      m:map(function(x, y, z) return kart.vec(x, y, z) * 2 end)
      assert.equal(kart.vec(22, 0, -20), m.positions[4])
      for message, f in pairs{
         ["expected three numbers for positions%[1%]"] = function() return 1, 2 end,
         ["expected three numbers or a vector for positions%[1%]"] = function() end,
         ["positions%[5%] would leave the range"] = function(x, y, z) return x, y * 1e39, z end,
         ["changed meanwhile"] = function(x, y, z)
            m:flip()
            m:merge(m)
            return x, y, z
         end,
      } do
         assert.error_matches(function() m:map(f) end, message)
         assert.equal(kart.vec(22, 0, -20), m.positions[4])
         assert.equal(kart.vec(22, 10, 0), m.positions[5])
      end
   end)

   it("mirror, scale, rotate and translate keep the sides", function()
      local m = mesh()
      local up = function() return m.triangles[1].normal end
      assert.equal(m, m:mirror("x", { at = 5 }):scale{ 1, 2, 3 }:translate{ 0, 1, 0 })
      assert.equal(kart.vec(0, 1, 0), up())
      assert.equal(kart.vec(0, 11, 0), m.positions[5])
      assert.near(1, m:rotate("x", 180).triangles[1].normal:dot{ 0, -1, 0 }, 1e-12)
      m:transform(kart.matrix.mirror "y")
      assert.near(1, up():dot{ 0, 1, 0 }, 1e-12)
      local _, message, code = m:scale(1e38)
      assert.same({ "a position would leave the range of floats", "limit" }, { message, code })
   end)

   it("flip turns over all, or those that are meant", function()
      local m = mesh()
      assert.equal(m, m:flip "road/*")
      assert.equal(kart.vec(0, -1, 0), m.triangles[1].normal)
      assert.equal(mesh().triangles[3].normal, m.triangles[3].normal)
      m:flip()
      assert.equal(kart.vec(0, 1, 0), m.triangles[1].normal)
   end)

   it("split and merge give all triangles back", function()
      local parts = mesh():split()
      assert.same({ { 0 }, { 0x0C }, { 0x2020 }, { "none" } },
         { flags_of(parts[1]), flags_of(parts[2]), flags_of(parts[3]), flags_of(parts[4]) })
      local whole = parts[1]:merge(parts[2], parts[3], parts[4])
      assert.equal(parts[1], whole)
      assert.same({ 0, 0x0C, 0x2020, "none" }, flags_of(whole))
      assert.equal("glass", whole.triangles[4].material)
      assert.equal(mesh():area(), whole:area())
      assert.equal(7, whole:weld())
      assert.equal(5, whole:stats().positions)
      local other = mesh()
      other.game = "mk8"
      assert.error_matches(function() whole:merge(other) end, "another game")
      assert.equal("x", whole:set_part("x").triangles[1].part)
      assert.is_nil(whole:set_part(nil).triangles[1].part)
   end)

   it("drop_degenerate, drop_duplicates and weld count", function()
      local m = mesh()
      m:merge(mesh())
      assert.equal(4, m:drop_duplicates())
      assert.equal(5, m:weld(0))
      assert.equal(0, m:drop_degenerate())
      assert.equal(2, m:drop_degenerate(25))
      assert.error_matches(function() m:weld(-1) end, "from 0 up")
      assert.error_matches(function() m:weld(0 / 0) end, "finite")
      assert.error_matches(function() m:drop_degenerate(-1) end, "from 0 up")
   end)

   it("stats, bounds and area agree with a look", function()
      local m = mesh()
      local s = m:stats()
      assert.same({ 4, 5, 5, 0, 0, 0, 1 }, { s.triangles, s.positions, s.distinct, s.unused, s.degenerate, s.duplicates,
         s.unflagged })
      assert.same({ 7, 3, 1, 150 }, { s.edges, s.open_edges, s.crowded_edges, s.area })
      local low, high = m:bounds()
      assert.same({ kart.vec(0, 0, 0), kart.vec(10, 5, 10), 150 }, { low, high, m:area() })
      assert.is_nil(m:select{}:bounds())
      assert.is_nil(m:select{}:stats().low)
   end)

   it("retag follows the rules of a KCL's, and takes the material away", function()
      local m = mesh()
      local changed, counts = m:retag{ ["road/*"] = "off_road", ["wall"] = "+soft" }
      assert.equal(3, changed)
      assert.same({ ["road/*"] = 2, wall = 1 }, counts)
      assert.same({ 3, 0x2003, 0x800C, "none" }, flags_of(m))
      assert.is_nil(m.triangles[3].material)
      assert.equal("glass", m.triangles[4].material)
      assert.equal(1, m:map_flags{ [3] = 4, [5] = 6 })
      m.triangles[4].flag = 7
      assert.same({ 4, 0x2003, 0x800C, 7 }, flags_of(m))
      assert.error_matches(function() m.triangles[1].flag = "road" end, "triangles%[1%]%.flag: expected 0 to 65535")
      assert.error_matches(function() m.triangles[1].area = 1 end, "only the flag")
   end)

   it("tag goes by materials", function()
      local m = mesh()
      local changed, unknown = m:tag{ GLASS = "wall/4", nothing = 1 }
      assert.same({ 1, {} }, { changed, unknown })
      assert.same({ 0, 0x2020, 0x0C, 0x8C }, flags_of(m))
      assert.equal("glass", m.triangles[4].material)
      assert.equal(2, (m:tag{ [""] = "off_road" }))
      assert.equal(2, (m:tag{ ["*s*"] = 1, ["*"] = 9, glass = 2, [""] = 3 }))
      assert.same({ 3, 3, 1, 2 }, flags_of(m))
      local seen = {}
      m:tag(function(name, flag) seen[name] = flag return name == "bricks" and "wall" or nil end)
      assert.same({ { [""] = 3, bricks = 1, glass = 2 }, 0x0C }, { seen, m.triangles[3].flag })
      for message, spec in pairs{ ["tag: a: there is no type 'rod'"] = { a = "rod" }, ["tag: expected a table"] = 5,
         ["tag: 'a' has two flags"] = { a = 1, A = 2 },
         ["tag: expected the name of a material, got 1"] = { "road" },
         ["tag: the function's answer to 'bricks'"] = function(name) return name == "bricks" and "rod" or nil end } do
         assert.error_matches(function() m:tag(spec) end, message)
      end
   end)

   it("materials lists what triangles have", function()
      local m = mesh()
      assert.same({ { name = "bricks", triangles = 1, unflagged = 0, flag = 0x0C },
         { name = "glass", triangles = 1, unflagged = 1 }, { name = "", triangles = 2, unflagged = 0 } }, m.materials)
   end)

   it("closes, and raises after that", function()
      local m = mesh()
      local triangles, triangle, positions = m.triangles, m.triangles[1], m.positions
      m:close()
      assert.equal("mesh (closed)", tostring(m))
      for _, f in ipairs{ function() return m.game end, function() return triangles[1] end,
         function() return #positions end, function() return triangle.flag end, function() m:weld() end } do
         assert.error_matches(f, "the document is closed")
      end
   end)

   it("says what can't be assigned, and that a triangle is no more", function()
      local m = mesh()
      assert.error_matches(function() m.name = 1 end, "mesh.name can't be assigned")
      assert.error_matches(function() m.game = "mk64" end, "there is no game 'mk64'")
      assert.error_matches(function() m.triangles[1] = 1 end, "can't be assigned")
      assert.error_matches(function() m.positions[1] = 1 end, "can't be assigned")
      assert.error_matches(function() return m.triangles.x end, "has no field 'x'")
      local last = m.triangles[4]
      m:drop_degenerate(1e9)
      assert.error_matches(function() return last.flag end, "triangles%[4%] is no more")
   end)
end)

describe("saving", function()
   it("an OBJ brings its MTL, and both come back", function()
      local folder = support.tmp()
      local m = mesh()
      assert.is_true(m:save(folder .. "/a b.OBJ"))
      local text = support.read(folder .. "/a b.OBJ")
      assert.matches("\nmtllib a b.mtl\n", text)
      assert.equal(m:bytes "mtl", support.read(folder .. "/a b.mtl"))
      local again = assert(kart.open(folder .. "/a b.OBJ"))
      assert.same({}, again.warnings)
      assert.same(flags_of(m), flags_of(again))
      assert.equal("bricks_F000C", again.triangles[3].material)
      assert.equal("glass", again.triangles[4].material)
      assert.equal(m:bytes "mtl", again:bytes "mtl")
      assert.equal(m:bytes():gsub("usemtl[^\n]*\n", ""), (again:bytes():gsub("usemtl[^\n]*\n", "")))
   end)

   it("colours surfaces by their kind, and names them", function()
      local mtl = mesh():bytes "mtl"
      local colours = {}
      for name, colour in mtl:gmatch "newmtl (%S+)\nKd ([^\n]+)" do colours[name] = colour end
      assert.same({ "0.55 0.55 0.58", "0.55 0.55 0.58", "0.85 0.55 0.25" },
         { colours.road_F0000, colours.road_dirt_F2020, colours.bricks_F000C })
      assert.equal("0.8 0 0.8", colours.glass)
   end)

   it("gives a material to every flag of every game, and the flag back", function()
      for _, game in ipairs{ "mkw", "mk8", "mk8dx", "smo", "smg", "mk7", "mkds" } do
         local triangles = {}
         for i = 1, 4096 do triangles[i] = { 1, 1, 1, flag = (i - 1) * 16 + i % 16 } end
         local m = kart.mesh.new{ game = game, positions = { { 0, 0, 0 } }, triangles = triangles }
         local again = assert(kart.mesh.parse(m:bytes(), { game = game }))
         for i, row in ipairs(triangles) do assert.equal(row.flag, again.triangles[i].flag) end
      end
   end)

   it("a PLY holds what the mesh holds", function()
      local path = support.tmp() .. "/a.ply"
      local m = mesh()
      assert.is_true(m:save(path))
      local bytes = support.read(path)
      assert.equal(m:bytes "ply", bytes)
      local head, at = bytes:match "^(ply\n.-end_header\n)()"
      assert.matches("format binary_little_endian 1.0\n", head)
      assert.matches("element vertex 5\nproperty double x\nproperty double y\nproperty double z\n", head)
      assert.matches("element face 4\n", head)
      for i = 1, 5 do
         local x, y, z
         x, y, z, at = string.unpack("<ddd", bytes, at)
         assert.equal(m.positions[i], kart.vec(x, y, z))
      end
      for i = 1, 4 do
         local count, a, b, c, flag, red
         count, a, b, c, flag, red, at = string.unpack("<BI4I4I4HB", bytes, at)
         at = at + 2
         assert.same({ 3, m.triangles[i].positions }, { count, { a + 1, b + 1, c + 1 } })
         assert.equal(m.triangles[i].flag or 0xFFFF, flag)
         assert.equal(({ 140, 140, 217, 153 })[i], red)
      end
      assert.equal(#bytes + 1, at)
   end)

   it("is refused for other endings, and tells of the system", function()
      local _, message, code = mesh():save(support.tmp() .. "/a.kcl")
      assert.matches("a%.kcl: a mesh is saved as .obj or .ply$", message)
      assert.equal("unsupported", code)
      _, message, code = mesh():save "/nowhere/a.obj"
      assert.matches("^/nowhere/a.mtl: cannot write", message)
      assert.equal("io", code)
      assert.error_matches(function() mesh():bytes "dae" end, "invalid option 'dae'")
   end)
end)

describe("opening", function()
   it("goes by content, and by the name where that says nothing", function()
      local folder = support.tmp()
      support.write(folder .. "/any", "# x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
      assert.equal(1, #assert(kart.open(folder .. "/any")).triangles)
      support.write(folder .. "/bad.obj", "usemtl a\nfoo\n")
      local _, message, code = kart.open(folder .. "/bad.obj")
      assert.equal(folder .. "/bad.obj: line 2: not a statement of an OBJ: found foo", message)
      assert.equal("format", code)
      support.write(folder .. "/text", "usemtl a\nfoo\n")
      assert.matches("not a course file", select(2, kart.open(folder .. "/text")))
   end)

   it("looks for libraries beside the file, and can do without", function()
      local folder = support.tmp()
      local obj = "mtllib C:\\models\\my town.mtl\nv 0 0 0\nusemtl a\nf 1 1 1\n"
      support.write(folder .. "/t.obj", obj)
      local m = assert(kart.open(folder .. "/t.obj"))
      assert.matches("^hint: .*town.mtl: cannot open: .* %[mtl%-unread%]$", tostring(m.warnings[1]))
      support.write(folder .. "/my town.mtl", "newmtl a\nKd 0.25 0.5 1\n")
      assert.equal(kart.vec(0.25, 0.5, 1), assert(kart.open(folder .. "/t.obj")).materials[1].colour)
      support.write(folder .. "/my town.mtl", "newmtl a\nKd 0.25 x 1\n")
      m = assert(kart.open(folder .. "/t.obj"))
      assert.matches("line 2: Kd: expected numbers from 0 to 1, found x 1", tostring(m.warnings[1]))
      assert.is_nil(m.materials[1].colour)
   end)

   it("takes words of the game that is said", function()
      local text = "v 0 0 0\nusemtl wall_2/rock\nf 1 1 1\nusemtl wall_1.001\nf 1 1 1\n"
      assert.same({ 0x2F, "none" }, flags_of(assert(kart.mesh.parse(text))))
      assert.same({ "none", 0x11 }, flags_of(assert(kart.mesh.parse(text, { game = "mk8" }))))
   end)
end)

describe("flag files", function()
   it("hold words and numbers", function()
      assert.same({ ["a b"] = 0x2020, c = 0x17, ["d*"] = 12 },
         kart.mesh.parse_flags("# f\r\n\r\na b = road/dirt+trickable\r\nc=0x17 # c\r\nd* = 12"))
      assert.same({ a = 0x11 }, kart.mesh.parse_flags("a = wall_1", "mk8"))
   end)

   it("are refused with the line", function()
      for text, message in pairs{
         ["a=1\nA=1"] = "line 2: A: stands in line 1, too: upper and lower case are the same",
         ["a = road\nb"] = "line 2: no =: expected a line like grass = off_road, found b",
         ["a = rod"] = "line 1: a: there is no type 'rod' (did you mean road?)",
         ["\n\na=wall_1"] = "line 3: a: there is no type 'wall_1' (did you mean wall_2?)" } do
         local rules, found, code = kart.mesh.parse_flags(text)
         assert.same({ nil, message, "format" }, { rules, found, code })
      end
   end)
end)

describe("kcl:mesh", function()
   it("gives the triangles in their order", function()
      local doc = assert(kart.kcl.parse(collision.row{ 0x00, 0x20, 0x0C }))
      local m, report = doc:mesh()
      assert.same({ 0, 0, 0x20, 0x20, 0x0C, 0x0C }, flags_of(m))
      assert.same({ "mkw", 0, 0, 12 }, { m.game, report.left_out, report.copies, report.computed })
      for i, prism in ipairs(doc.prisms) do
         for c = 1, 3 do
            assert.is_true((prism.corners[c] - m.triangles[i].corners[c]):length() <= 0.2)
         end
      end
      assert.equal(8, m:stats().positions)
      local loose = doc:mesh{ snap = 0, weld = 0 }
      assert.is_true(loose:stats().open_edges >= m:stats().open_edges)
      assert.error_matches(function() doc:mesh{ snap = -1 } end, "from 0 up")
   end)

   it("says what it left out", function()
      local kclfile = require "samples.kclfile"
      local a, b, c = { 0, 0, 0 }, { 0, 0, 1024 }, { 1024, 0, 0 }
      local bytes = kclfile.build{ game = "mkw", cell = 11, most = 8, least = 10,
         triangles = { { a, b, c, flag = 0x2020 }, { a, b, c, height = 0 } } }
      local m, report = assert(kart.kcl.parse(bytes)):mesh()
      assert.same({ 1, 1 }, { #m.triangles, report.left_out })
      assert.equal("warning: 1 of 2 prisms are no triangles and were left out [mesh-left-out]", tostring(m.warnings[1]))
   end)
end)
