local tools = require "spec.kmp.tools"

local float = tools.float

local function new(spec) return kart.kmp.new(spec) end

local function scaled(v, x, y, z) return kart.vec(float(v.x * x), float(v.y * (y or x)), float(v.z * (z or x))) end

describe("a uniform scale", function()
   it("multiplies every position", function()
      local before = tools.open "race"
      local after = assert(before:clone():scale(1.5))
      for _, name in ipairs{ "ktpt", "enpt", "itpt", "gobj", "area", "came", "jgpt", "cnpt" } do
         for i, record in ipairs(before[name]) do
            assert.equal(scaled(record.position, 1.5), after[name][i].position, name)
         end
      end
      for i, point in ipairs(before.ckpt) do
         assert.equal(scaled(point.left, 1.5), after.ckpt[i].left)
         assert.equal(scaled(point.right, 1.5), after.ckpt[i].right)
      end
   end)

   it("multiplies the widths of driving lines", function()
      local before = tools.open "race"
      local after = assert(before:clone():scale(1.5))
      for _, name in ipairs{ "enpt", "itpt" } do
         for i, point in ipairs(before[name]) do assert.equal(float(point.width * 1.5), after[name][i].width) end
      end
   end)

   it("multiplies the scales of areas, not those of objects", function()
      local before = tools.open "race"
      local after = assert(before:clone():scale(1.5))
      for i, area in ipairs(before.area) do assert.equal(scaled(area.scale, 1.5), after.area[i].scale) end
      for i, object in ipairs(before.gobj) do assert.equal(object.scale, after.gobj[i].scale) end
   end)

   it("multiplies the scales of objects on request", function()
      local before = tools.open "odd_scales"
      local after = assert(before:clone():scale(2, { scale_objects = true }))
      for i, object in ipairs(before.gobj) do assert.equal(scaled(object.scale, 2), after.gobj[i].scale) end
   end)

   it("turns nothing", function()
      local before = tools.open "odd_rotations"
      local after = assert(before:clone():scale(3))
      for _, name in ipairs{ "ktpt", "gobj", "area", "jgpt" } do
         for i, record in ipairs(before[name]) do assert.equal(record.rotation, after[name][i].rotation) end
      end
   end)

   it("leaves speeds alone", function()
      local before = tools.open "race"
      local after = assert(before:clone():scale(2))
      assert.equal(before.poti[1].points[1].speed, after.poti[1].points[1].speed)
      assert.equal(before.came[5].velocity, after.came[5].velocity)
      assert.equal(before.came[5].view_velocity, after.came[5].view_velocity)
   end)

   it("keeps the lap events", function()
      local doc = tools.open "race"
      local expected = assert(doc:simulate_laps{}).events
      -- Everything twice as large, the steps too.
      local found = assert(doc:scale(2):simulate_laps{ step = 200 }).events
      assert.equal(#expected, #found)
      for i, event in ipairs(expected) do
         assert.equal(event.kind .. event.checkpoint .. event.lap, found[i].kind .. found[i].checkpoint .. found[i].lap)
         assert.equal(event.step, found[i].step)
      end
   end)

   it("is about the origin that it is given", function()
      local doc = new{ gobj = { { position = { 10, 20, 30 } } } }
      assert(doc:scale(2, { origin = { 10, 0, 0 } }))
      assert.equal(kart.vec(10, 40, 60), doc.gobj[1].position)
   end)

   it("says what the engine keeps at its size", function()
      local doc = tools.open "race"
      assert(doc:scale(2))
      assert.equal("hint", tools.warning(doc, "engine-size").severity)
   end)

   it("by 1 changes no byte and says nothing", function()
      local doc = tools.open "race"
      assert(doc:scale(1))
      assert.is_true(doc:bytes() == tools.bytes "race")
      assert.same({}, doc.warnings)
   end)

   it("by 2 and by a half brings every byte back", function()
      local doc = tools.open "minus_zero"
      assert(doc:scale(2):scale(0.5))
      assert.is_true(doc:bytes() == tools.bytes "minus_zero")
   end)
end)

describe("a scale of each axis", function()
   it("multiplies positions by axis", function()
      local doc = new{ gobj = { { position = { 10, 20, 30 } } } }
      assert(doc:scale{ 2, 3, 0.5 })
      assert.equal(kart.vec(20, 60, 15), doc.gobj[1].position)
   end)

   it("multiplies widths by the mean over the ground, sqrt(sx * sz)", function()
      local doc = new{ enpt = { { width = 10 } }, itpt = { { width = 7 } } }
      assert(doc:scale{ 4, 100, 9 })
      assert.equal(60, doc.enpt[1].width)
      assert.equal(42, doc.itpt[1].width)
   end)

   it("multiplies the scale of an area by axis", function()
      local doc = new{ area = { { scale = { 1, 2, 3 } } } }
      assert(doc:scale{ 2, 3, 5 })
      assert.equal(kart.vec(2, 6, 15), doc.area[1].scale)
      assert.is_nil(tools.warning(doc, "scale-shear"))
   end)

   it("multiplies the scale of an area turned by 90 along the area's own axes", function()
      local doc = new{ area = { { scale = { 1, 2, 3 }, rotation = { 0, 90, 0 } } } }
      assert(doc:scale{ 2, 3, 5 })
      assert.equal(kart.vec(5, 6, 6), doc.area[1].scale)
      assert.equal(kart.vec(0, 90, 0), doc.area[1].rotation)
      assert.is_nil(tools.warning(doc, "scale-shear"))
   end)

   it("warns about an area at an angle, and lets its forward axis follow", function()
      local doc = new{ area = { {}, { rotation = { 0, 45, 0 } } } }
      assert(doc:scale{ 3, 1, 1 })
      assert.equal("area[2].scale", tools.warning(doc, "scale-shear").place)
      local forward = tools.apply(tools.euler(doc.area[2].rotation), kart.vec(0, 0, 1))
      local expected = kart.vec(3, 0, 1) / math.sqrt(10)
      assert((forward - expected):length() < 1e-6)
      assert(math.abs(doc.area[2].scale.z - math.sqrt(5)) < 1e-6)
   end)

   it("warns about objects at an angle only where their scales follow", function()
      local spec = { gobj = { { rotation = { 0, 45, 0 } } } }
      local doc = new(spec)
      assert(doc:scale{ 3, 1, 1 })
      assert.is_nil(tools.warning(doc, "scale-shear"))
      doc = new(spec)
      assert(doc:scale({ 3, 1, 1 }, { scale_objects = true }))
      assert.equal("gobj[1].scale", tools.warning(doc, "scale-shear").place)
   end)

   it("points a yaw where the stretched ground has it", function()
      local doc = new{ ktpt = { { rotation = { 0, 45, 0 } } } }
      assert(doc:scale{ 2, 1, 1 })
      assert(math.abs(doc.ktpt[1].rotation.y - math.deg(math.atan(2, 1))) < 1e-5)
   end)

   it("keeps a course that drives", function()
      local doc = tools.open "race"
      local result = assert(doc:scale{ 1.5, 1, 0.8 }:simulate_laps{})
      assert.is_true(result.finished)
      assert.equal(0, result.jumps)
   end)
end)

describe("speeds, on request,", function()
   local SPEEDS = { scale_speeds = true }

   it("grow with the course, rounded", function()
      local doc = new{ poti = { { points = { { speed = 3 }, { speed = 0 }, { speed = 101 } } } },
         came = { { type = 2, velocity = 7, view_velocity = 9, zoom_velocity = 11 } } }
      assert(doc:scale(2.5, SPEEDS))
      local points = doc.poti[1].points
      assert.equal(8, points[1].speed)
      assert.equal(0, points[2].speed)
      assert.equal(252, points[3].speed)
      assert.equal(18, doc.came[1].velocity)
      assert.equal(22, doc.came[1].view_velocity)
      assert.equal(11, doc.came[1].zoom_velocity) -- degrees, not units
      assert.is_nil(tools.warning(doc, "speed-limit"))
   end)

   it("stop at 65535 with a warning that names the place", function()
      local doc = new{ poti = { { points = {} }, { points = { {}, { speed = 40000 } } } },
         came = { { type = 5, velocity = 1, view_velocity = 65535 } } }
      assert(doc:scale(2, SPEEDS))
      assert.equal(65535, doc.poti[2].points[2].speed)
      assert.equal(65535, doc.came[1].view_velocity)
      local places = {}
      for _, warning in ipairs(doc.warnings) do
         if warning.rule == "speed-limit" then places[warning.place] = warning.severity end
      end
      assert.same({ ["poti[2].points[2].speed"] = "warning", ["came[1].view_velocity"] = "warning" }, places)
   end)

   it("follow the mean over the ground where the axes differ", function()
      local doc = new{ poti = { { points = { { speed = 10 } } } } }
      assert(doc:scale({ 4, 1, 9 }, SPEEDS))
      assert.equal(60, doc.poti[1].points[1].speed)
   end)

   for _, id in ipairs{ 208, 209, 222 } do
      it("are no speeds but blinkers on a route of object " .. id, function()
         local doc = new{ poti = { { points = { { speed = 2 } } } }, gobj = { { id = id, route = 1 } } }
         assert(doc:scale(4, SPEEDS))
         assert.equal(2, doc.poti[1].points[1].speed)
      end)
   end

   it("of cameras in a kart's frame stay", function()
      local doc = new{ poti = { { points = { { position = { 1, 2, 3 }, speed = 10 } } } },
         came = { { type = 6, route = 1, velocity = 5, view_velocity = 6 } } }
      assert(doc:scale(2, SPEEDS))
      assert.equal(10, doc.poti[1].points[1].speed)
      assert.equal(5, doc.came[1].velocity)
      assert.equal(6, doc.came[1].view_velocity)
   end)
end)

describe("what is in a kart's frame", function()
   local function riding()
      return new{ poti = { { points = { { position = { 100, 200, -300 } } } }, { points = {} } },
         came = { { type = 0, view_start = { 1, 2, 3 }, view_end = { 4, 5, 6 } },
            { type = 3, view_start = { 1, 2, 3 }, view_end = { 4, 5, 6 } },
            { type = 6, view_start = { 1, 2, 3 }, view_end = { 4, 5, 6 }, route = 1 } } }
   end

   local function check_kept(change)
      local doc = riding()
      assert(change(doc))
      for i, camera in ipairs(riding().came) do
         assert.equal(camera.view_start, doc.came[i].view_start)
         assert.equal(camera.view_end, doc.came[i].view_end)
      end
      assert.equal(kart.vec(100, 200, -300), doc.poti[1].points[1].position)
      assert.equal(2, #doc.poti)
   end

   it("is not scaled", function() check_kept(function(doc) return doc:scale(3) end) end)
   it("is not stretched", function() check_kept(function(doc) return doc:scale{ 3, 1, 2 } end) end)
   it("is not moved", function() check_kept(function(doc) return doc:translate{ 3, 1, 2 } end) end)
   it("is not turned", function() check_kept(function(doc) return doc:rotate("y", 90) end) end)
   it("is not tilted", function() check_kept(function(doc) return doc:rotate({ 1, 2, 3 }, 40) end) end)

   it("has its X turned round by a reflection with a scale, and no more", function()
      local doc = riding()
      assert(doc:transform(kart.matrix.scale{ 2, 2, -2 }))
      assert.equal(kart.vec(-1, 2, 3), doc.came[3].view_start)
      assert.equal(kart.vec(-100, 200, -300), doc.poti[1].points[1].position)
   end)
end)

describe("view points in the world", function()
   for _, camera in ipairs{ 1, 2, 4, 5 } do
      it("are scaled and moved for cameras of type " .. camera, function()
         local doc = new{ came = { { type = camera, view_start = { 1, 2, 3 }, view_end = { 4, 5, 6 } } } }
         assert(doc:scale(2):translate{ 10, 0, 0 })
         assert.equal(kart.vec(12, 4, 6), doc.came[1].view_start)
         assert.equal(kart.vec(18, 10, 12), doc.came[1].view_end)
      end)
   end

   for _, camera in ipairs{ 7, 8, 99 } do
      it("are assumed, with a warning, for cameras of type " .. camera, function()
         local doc = new{ came = { { type = camera, view_start = { 1, 2, 3 } } } }
         assert(doc:scale(2))
         assert.equal(kart.vec(2, 4, 6), doc.came[1].view_start)
         assert.equal("came[1].type", tools.warning(doc, "camera-type").place)
      end)
   end
end)

describe("factors", function()
   it("must be above 0", function()
      local doc = tools.open "race"
      for _, factor in ipairs{ 0, -1, { 1, 0, 1 }, { 1, -1, 1 } } do
         assert.error_matches(function() doc:scale(factor) end, "factors must be above 0; use mirror")
      end
   end)

   it("must be finite numbers", function()
      local doc = tools.open "race"
      for _, factor in ipairs{ 0 / 0, math.huge, { 1, 0 / 0, 1 }, "two", {} } do
         assert.error(function() doc:scale(factor) end)
      end
   end)
end)

it("a scale that no float can hold is refused and changes nothing", function()
   local doc = new{ area = { { position = { 1, 1, 1 }, scale = { 1e30, 1, 1 } } } }
   local bytes = doc:bytes()
   local result, message, code = doc:scale(1e20)
   assert.is_nil(result)
   assert.equal("limit", code)
   assert.matches("leaves the range of floats", message)
   assert.is_true(doc:bytes() == bytes)
end)
