-- Lookups where mathematics says what must come out, and against the file read by other code.
local kclfile = require "samples.kclfile"
local reader = require "spec.kcl.reader"
local tools = require "spec.kcl.tools"

-- The ground: a right triangle with corners A (0, 0, 0), B (0, 0, 800), C (800, 0, 0), seen from above.
local GROUND = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 800.0 }, { 800.0, 0.0, 0.0 } }

local function ground(flag, game)
   local triangle = { GROUND[1], GROUND[2], GROUND[3], flag = flag or 0 }
   return assert(kart.kcl.parse(kclfile.build{ game = game or "mkw", triangles = { triangle }, cell = 12, most = 8,
      least = 12 }, game))
end

local function sphere(doc, x, y, z, radius, options)
   local hits = assert(doc:lookup_sphere({ x, y, z }, radius, options))
   assert.is_true(#hits <= 1)
   return hits[1]
end

local function near(expected, found) assert.is_true(math.abs(found - expected) < 1e-3, ("%.9g"):format(found)) end

describe("a sphere on a triangle", function()
   local doc = ground(0x2020)

   it("over the face sinks in by radius less height", function()
      local hit = sphere(doc, 200, 30, 200, 100)
      assert.same({ "face", 1, 0x2020 }, { hit.region, hit.prism, hit.flag })
      assert.equal(kart.vec(0, 1, 0), hit.normal)
      near(70, hit.depth)
      assert.is_nil(sphere(doc, 200, 100, 200, 100))
      near(250 - 99, sphere(doc, 200, 99, 200, 250).depth)
   end)

   it("is at most as large as the file allows", function()
      near(250 - 40, sphere(doc, 200, 40, 200, 1000).depth)
      assert.is_nil(sphere(doc, 200, 250, 200, 1000))
   end)

   it("below the face counts down to the thickness", function()
      near(290, sphere(doc, 200, -280, 200, 10).depth)
      assert.is_nil(sphere(doc, 200, -290, 200, 10))
   end)

   it("beside an edge is felt from above within 45 degrees, or coming from above", function()
      -- 40 outside of CA, which looks to -z.
      local hit = sphere(doc, 300, 60, -40, 100)
      assert.equal("ca", hit.region)
      near(math.sqrt(100 ^ 2 - 40 ^ 2) - 60, hit.depth)
      assert.is_nil(sphere(doc, 300, 30, -40, 100))
      near(math.sqrt(100 ^ 2 - 40 ^ 2) - 30, sphere(doc, 300, 30, -40, 100, { from = { 300, 90, -40 } }).depth)
      assert.is_nil(sphere(doc, 300, 30, -40, 100, { from = { 300, -90, -40 } }))
      assert.equal("ab", sphere(doc, -40, 60, 300, 100).region)
      assert.equal("bc", sphere(doc, 430, 60, 430, 100).region)
   end)

   it("beside a corner touches the corner", function()
      local hit = sphere(doc, -30, 80, -40, 100)
      assert.equal("a", hit.region)
      near(math.sqrt(100 ^ 2 - 50 ^ 2) - 80, hit.depth)
      assert.is_nil(sphere(doc, -60, 80, -80, 100))
      assert.equal("b", sphere(doc, -1, 80, 830, 100).region)
      assert.equal("c", sphere(doc, 830, 80, -1, 100).region)
   end)

   it("that comes from below isn't stopped below the face", function()
      local below = { 200, -50, 200 }
      near(110, sphere(doc, 200, -10, 200, 100, { from = { 200, 40, 200 } }).depth)
      assert.is_nil(sphere(doc, 200, -10, 200, 100, { from = below }))
      near(90, sphere(doc, 200, 10, 200, 100, { from = below }).depth)
   end)
end)

describe("a point", function()
   local doc = ground()
   local function depth(y, x) return (assert(doc:lookup_point{ x or 200, y, 200 })[1] or {}).depth end

   it("is in a prism from 0.01 above its face down to its thickness", function()
      near(0.01, depth(0))
      assert.is_nil(depth(0.02))
      near(300, depth(-299.99))
      assert.is_nil(depth(-300.02))
   end)

   it("may be 0.01 outside of an edge", function()
      assert.is_number(depth(-1, -0.005))
      assert.is_nil(depth(-1, -0.02))
   end)
end)

describe("surfaces that are felt from one side", function()
   local TRIGGERS = { 0x10, 0x11, 0x12, 0x18, 0x1A }

   it("stop spheres that move against their face", function()
      for _, flag in ipairs(TRIGGERS) do
         local doc = ground(flag)
         assert.is_table(sphere(doc, 200, 10, 200, 100))
         assert.is_table(sphere(doc, 200, 10, 200, 100, { from = { 200, 20, 200 } }))
         assert.is_nil(sphere(doc, 200, 10, 200, 100, { from = { 200, 1, 200 } }))
      end
      assert.is_table(sphere(ground(0x13), 200, 10, 200, 100, { from = { 200, 1, 200 } }))
   end)

   it("hold points that move the other way", function()
      for _, flag in ipairs(TRIGGERS) do
         local doc = ground(flag)
         assert.equal(1, #doc:lookup_point{ 200, -10, 200 })
         assert.equal(0, #doc:lookup_point({ 200, -10, 200 }, { from = { 200, 20, 200 } }))
         assert.equal(1, #doc:lookup_point({ 200, -10, 200 }, { from = { 200, -20, 200 } }))
      end
   end)

   it("are known of Mario Kart Wii only", function()
      assert.is_table(sphere(ground(0x10, "mk7"), 200, 1, 200, 10, { from = { 200, 0.5, 200 } }))
   end)
end)

describe("which surfaces count", function()
   local doc = tools.open "mkw"
   local file = reader.read(doc:bytes(), "mkw")
   local point = file.models[1]:prism(9).position

   local function types(options)
      local list = {}
      for _, hit in ipairs(assert(doc:lookup_sphere(point, 250, options))) do list[#list + 1] = hit.flag & 0x1F end
      return list
   end

   it("is said by words or by a mask", function()
      local all = types()
      assert.is_true(#all > 2)
      for _, case in ipairs{ { "road", 1 }, { "road/*", 1 }, { { "road", "boost_pad" }, 0x41 },
         { "weak_off_road, Boost_Pad", 0x44 }, { "type_31 road", 0x80000001 }, { "floors", 0x20E80FFF } } do
         local expected = {}
         for _, number in ipairs(all) do
            if case[2] >> number & 1 == 1 then expected[#expected + 1] = number end
         end
         assert.same(expected, types{ flags = case[1] })
         assert.same(expected, types{ mask = case[2] })
         assert.equal(case[2], kart.flags.mask(case[1]))
      end
      assert.same({}, types{ mask = 0 })
   end)

   it("raises where it isn't known", function()
      for _, case in ipairs{ { { flags = "roads" }, "did you mean road" }, { { flags = "road/dirt" }, "types only" },
         { { flags = "road+trickable" }, "types only" }, { { flags = "" }, "found nothing" },
         { { flags = 7 }, "expected words" }, { { mask = -1 }, "32 bits" }, { { mask = 1 << 32 }, "32 bits" },
         { { mask = "x" }, "32 bits" }, { { flags = "road", mask = 1 }, "give one of them" },
         { { flagss = "road" }, "unknown option" }, { { from = 3 }, "option 'from'" } } do
         assert.error_matches(function() doc:lookup_sphere(point, 100, case[1]) end, case[2])
      end
      assert.error_matches(function() tools.open("mk7"):lookup_point({ 0, 0, 0 }, { flags = "road" }) end, "no names")
   end)

   it("goes by the type's own bits in Mario Kart DS", function()
      local ds = tools.open "mkds"
      local place = ds.prisms[1].corners[1]
      local all = ds:lookup_sphere(place, 25)
      assert.is_true(#all > 0)
      for _, hit in ipairs(all) do
         local only = ds:lookup_sphere(place, 25, { mask = 1 << (hit.flag >> 8 & 31) })
         for _, one in ipairs(only) do assert.equal(hit.flag >> 8 & 31, one.flag >> 8 & 31) end
         assert.is_true(#only > 0)
      end
   end)
end)

it("numbers and places that can't be meant raise", function()
   local doc = ground()
   for _, call in ipairs{ function() doc:lookup_sphere({ 0, 0, 0 }) end,
      function() doc:lookup_sphere({ 0, 0, 0 }, 0 / 0) end, function() doc:lookup_sphere({ 0, 0, 0 }, 1 / 0) end,
      function() doc:lookup_sphere({ 0, 0, 0 / 0 }, 1) end, function() doc:lookup_point() end,
      function() doc:galaxy_sphere({ 0, 0, 0 }, "x") end, function() doc:galaxy_arrow({ 0, 0, 0 }) end,
      function() doc:cell_at(5) end, function() doc:lookup_sphere_many({ { 0, 0, 0 } }, 1) end,
      function() doc:lookup_sphere_many(kart.points.new(2), 1, { from = kart.points.new(3) }) end,
      function() doc:lookup_point_many(kart.points.new(2), { from = {} }) end,
      function() doc:verify{ queries = -1 } end, function() doc:verify{ radii = {} } end,
      function() doc:verify{ radii = { 0 } } end, function() doc:verify{ rule = "gal" } end,
      function() doc:verify{ cells = 1 } end, function() doc:verify{ seed = 0.5 } end } do
      assert.has_error(call)
   end
end)

it("places that aren't there touch nothing", function()
   local doc = ground()
   local odd = kart.points.parse(string.pack("<" .. ("f"):rep(18), 0 / 0, 0, 0, 1 / 0, 0, 0, 0, -1 / 0, 0, 3e38, 0, 0,
      1e-45, -1e-45, 1e-45, 200, 0 / 0, 200))
   local hits = assert(doc:lookup_sphere_many(odd, 250))
   -- Denormal numbers are numbers: this one is at corner A.
   assert.same({ 0, 0, 0, 0, 1, 0 }, hits.count:table())
   assert.same({ 1 }, hits.prism:table())
   for _, name in ipairs{ "lookup_point_many", "galaxy_point_many" } do
      local columns = doc[name](doc, odd)
      assert.equal(0, columns.count[1] + columns.count[2] + columns.count[3] + columns.count[4] + columns.count[6])
   end
   assert.same({ 0, 0, 0, 0, 1, 0 }, doc:galaxy_sphere_many(odd, 250).count:table())
   assert.is_nil(doc:cell_at(odd[1]))
   assert.is_nil(doc:list_at(odd[4]))
   assert.same({}, (doc:lookup_sphere(odd[2], 1)))
   assert.is_nil((doc:galaxy_arrow(odd[1], { 0, -1, 0 })))
   -- A movement that isn't finite is none: the static test.
   assert.same(doc:lookup_sphere({ 300, 60, -40 }, 100),
      doc:lookup_sphere({ 300, 60, -40 }, 100, { from = { 300, 1e300, -40 } }))
end)

it("an octree that doesn't fit is built before it is asked, or fails where it can't be", function()
   local doc = ground()
   local before = sphere(doc, 200, 10, 0, 100)
   assert(doc:rotate("y", 90))
   assert.is_true(doc.stale)
   local after = sphere(doc, 0, 10, -200, 100)
   assert.is_true(math.abs(before.depth - after.depth) < 1e-3)
   assert.is_false(doc.stale)
   local broken = assert(kart.kcl.parse(tools.unbuildable()))
   assert(broken:translate(tools.rounding))
   for _, name in ipairs{ "lookup_point", "lookup_sphere", "galaxy_point", "galaxy_sphere", "galaxy_arrow" } do
      local more = name:find "arrow" and { 0, 1, 0 } or name:find "sphere" and 1
      local hits, _, code = broken[name](broken, { 0, 0, 0 }, more)
      assert.same({ nil, "unsupported" }, { hits, code })
   end
   assert.equal("unsupported", (select(3, broken:verify())))
   assert.equal("unsupported", (select(3, broken:lookup_sphere_many(kart.points.new(1), 1))))
end)

it("edits are seen at once: of flags, and of the whole", function()
   local doc = ground(0)
   assert.equal(0, sphere(doc, 200, 10, 200, 100).flag)
   doc.prisms[1].flag = 0x0C
   assert.equal(0x0C, sphere(doc, 200, 10, 200, 100).flag)
   assert.is_nil(sphere(doc, 200, 10, 200, 100, { flags = "road" }))
   assert(doc:mirror "x")
   assert.is_nil(sphere(doc, 200, 10, 200, 100))
   assert.is_table(sphere(doc, -200, 10, 200, 100))
   assert.is_nil(sphere(assert(doc:clone()), 200, 10, 200, 100))
end)

-- Cells and lists, against the file read by other code ------------------------------------------

local function draw_points(doc, count)
   local seed, stats, list = 7, doc:stats(), {}
   local function draw()
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed / 2147483648
   end
   local low, high = stats.low or kart.vec(-1, -1, -1), stats.high or kart.vec(1, 1, 1)
   local size = high - low
   for i = 1, count do
      list[i] = kart.vec(low.x + (draw() * 1.4 - 0.2) * size.x, low.y + (draw() * 1.4 - 0.2) * size.y,
         low.z + (draw() * 1.4 - 0.2) * size.z)
   end
   return kart.points.new(list)
end

local function check_cells(doc)
   local file = reader.read(doc:bytes(), doc.game)
   local inside = 0
   local first, before = {}, 0
   for i, model in ipairs(file.models) do first[i], before = before, before + model.count end
   for _, point in ipairs(draw_points(doc, 300)) do
      local place = { point:unpack() }
      local number = file.v2 and file:model_at(place) or not file.v2 and 1 or nil
      local list, size
      if number then list, size = file.models[number]:find_at(place) end
      local cell, prisms = doc:cell_at(point), doc:list_at(point)
      if list then
         inside = inside + 1
         local _, ids = file.models[number]:list(list)
         local expected = {}
         for i, id in ipairs(ids) do expected[i] = id + first[number] end
         assert.same(expected, prisms)
         assert.same({ number, size, #ids }, { cell.model, cell.size, cell.prisms })
         assert.equal(#ids, (select(2, doc:lookup_sphere(point, 1))))
         for _, axis in ipairs{ "x", "y", "z" } do
            local at = point[axis] - cell.min[axis]
            assert.is_true(at > -1 and at < size)
         end
      else
         assert.same({}, { cell, prisms })
         assert.same({}, (doc:lookup_sphere(point, 1)))
      end
   end
   return inside
end

describe("cells and lists are those of the file:", function()
   for _, name in ipairs(tools.names()) do
      it("the sample " .. name, function() tools.calm(check_cells, tools.open(name)) end)
   end
   for _, file in ipairs(tools.corpus()) do
      it(file.folder .. "/" .. file.name, function()
         local doc <close> = assert(kart.open(file.path))
         assert.is_true(tools.calm(check_cells, doc) > 0)
      end)
   end
end)

it("hits come in the order of the list, and batches agree with single calls", function()
   for _, name in ipairs{ "race", "mk8_models", "list_long", "mkds", "smo" } do
      local doc = tools.open(name)
      local radius = math.max(doc.models[1].radius, doc.models[1].thickness)
      local points = draw_points(doc, 500)
      local columns, at, total = assert(doc:lookup_sphere_many(points, radius)), 0, 0
      local galaxy, galaxy_at = assert(doc:galaxy_sphere_many(points, radius)), 0
      for i, point in ipairs(points) do
         local hits, tested = assert(doc:lookup_sphere(point, radius))
         total = total + tested
         assert.equal(#hits, columns.count[i])
         local order = {}
         for place, prism in ipairs(doc:list_at(point) or {}) do order[prism] = order[prism] or place end
         local last = 0
         for _, hit in ipairs(hits) do
            at = at + 1
            assert.same(hit, { prism = columns.prism[at], depth = columns.depth[at], normal = columns.normal[at],
               flag = columns.flag[at], region = columns.region[at] })
            assert.is_true(order[hit.prism] >= last)
            last = order[hit.prism]
         end
         for _, hit in ipairs((assert(doc:galaxy_sphere(point, radius)))) do
            galaxy_at = galaxy_at + 1
            assert.same({ hit.prism, hit.depth }, { galaxy.prism[galaxy_at], galaxy.depth[galaxy_at] })
         end
      end
      assert.same({ at, total }, { #columns.prism, columns.tested })
      assert.equal(galaxy_at, #galaxy.prism)
      assert.is_true(at > 20, name)
   end
end)

