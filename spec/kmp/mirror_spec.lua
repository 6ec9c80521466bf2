local support = require "spec.support"
local tools = require "spec.kmp.tools"

local float = tools.float

-- Files -------------------------------------------------------------------------------------------

local function base(path) return path:match "[^/]+$" end

-- All real files, or those whose names match: { name =, bytes = }, behind the samples named.
local function files(samples, pattern)
   local list = {}
   for _, name in ipairs(samples) do list[#list + 1] = { name = "the sample " .. name, bytes = tools.bytes(name) } end
   for _, path in ipairs(support.corpus("kmp", "kmp")) do
      if base(path):find(pattern or "") then list[#list + 1] = { name = base(path), bytes = support.read(path) } end
   end
   return list
end

local function open(file) return assert(kart.kmp.parse(file.bytes)) end

-- Race courses that their authors finished.
local function races()
   local list = {}
   for _, file in ipairs(files({ "race" }, "^race_")) do
      if not file.name:find "_broken_" and not file.name:find "_modeltest" then list[#list + 1] = file end
   end
   return list
end

-- Mirrors: the axis, the plane, and what they do to one place.
local MIRRORS = {}
for _, mirror in ipairs{ { "x", 0 }, { "z", 0 }, { "x", 1234.5 }, { "z", -3300 } } do
   local axis, at = table.unpack(mirror)
   local negate_x = axis == "x"
   MIRRORS[#MIRRORS + 1] = {
      name = ("mirror %s at %g"):format(axis, at),
      apply = function(doc) return assert(doc:mirror(axis, { at = at })) end,
      linear = tools.diagonal(negate_x and -1 or 1, 1, negate_x and 1 or -1),
      place = function(v)
         return negate_x and kart.vec(float(2 * at - v.x), v.y, v.z) or kart.vec(v.x, v.y, float(2 * at - v.z))
      end,
   }
end

-- What is checked ---------------------------------------------------------------------------------

-- The vectors are the same numbers; zeros of both signs are.
local function same(expected, found, place)
   if expected ~= found then error(("%s: expected %s, found %s"):format(place, expected, found), 2) end
end

local function check_positions(before, after, mirror, section)
   for i, record in ipairs(before[section]) do
      same(mirror.place(record.position), after[section][i].position, ("%s[%d].position"):format(section, i))
   end
end

-- Cameras in the frame of a kart, and those in the world that move along a route.
local KART_FRAME = { [0] = true, [3] = true, [6] = true }
local WORLD_ROUTE = { [2] = true, [5] = true }

-- What a reflection is in the frame of a kart: left and right change places.
local IN_FRAME = tools.diagonal(-1, 1, 1)

-- The orientation as a matrix: A R diag(-1, 1, 1).
local function check_rotations(before, after, mirror, section)
   for i, record in ipairs(before[section]) do
      local old, new = record.rotation, after[section][i].rotation
      -- Cameras hardly ever have a rotation: zeros mean that there is none.
      local absent = section == "came" and old == kart.vec(0, 0, 0)
      local linear = section == "came" and KART_FRAME[record.type] and IN_FRAME or mirror.linear
      local expected = absent and tools.euler(old) or tools.carried(linear, tools.euler(old), true)
      local error_size = tools.distance(expected, tools.euler(new))
      assert(error_size < 1e-6, ("%s[%d].rotation: %s became %s"):format(section, i, old, new))
   end
end

local function check_scales(before, after, section)
   for i, record in ipairs(before[section]) do
      same(record.scale, after[section][i].scale, ("%s[%d].scale"):format(section, i))
   end
end

local function check_cameras(before, after, mirror)
   for i, record in ipairs(before.came) do
      for _, name in ipairs{ "view_start", "view_end" } do
         local v = record[name]
         local expected = KART_FRAME[record.type] and kart.vec(-v.x, v.y, v.z) or mirror.place(v)
         same(expected, after.came[i][name], ("came[%d].%s"):format(i, name))
      end
   end
end

-- The number of users of a route in the world, and of those in the frame of a kart.
local function users(doc, number)
   local world, kart_frame = 0, 0
   for _, camera in ipairs(doc.came) do
      if camera.route == number and camera.type == 6 then kart_frame = kart_frame + 1 end
      if camera.route == number and WORLD_ROUTE[camera.type] then world = world + 1 end
   end
   for _, object in ipairs(doc.gobj) do
      local hidden = (object.id == 234 or object.id == 420) and object.settings[1] + 1
      if object.route == number or hidden == number then world = world + 1 end
   end
   for _, area in ipairs(doc.area) do
      if area.type == 3 and area.route == number then world = world + 1 end
   end
   return world, kart_frame
end

local function check_points(before, after, expected, number)
   for i, point in ipairs(before.points) do
      same(expected(point.position), after.points[i].position, ("poti[%d].points[%d]"):format(number, i))
   end
end

local function kart_place(v) return kart.vec(-v.x, v.y, v.z) end

-- Routes follow their users: in the frame of a kart only local X turns round.
local function check_routes(before, after, mirror)
   for i, route in ipairs(before.poti) do
      local world, kart_frame = users(before, i)
      check_points(route, after.poti[i], kart_frame > 0 and world == 0 and kart_place or mirror.place, i)
   end
   for i, camera in ipairs(before.came) do
      local route = camera.type == 6 and camera:target "route"
      if route then check_points(route, after.came[i]:target "route", kart_place, camera.route) end
   end
end

local function signed_area(a, b, c, d)
   local area = 0
   for _, edge in ipairs{ { a, b }, { b, c }, { c, d }, { d, a } } do
      area = area + edge[1].x * edge[2].z - edge[2].x * edge[1].z
   end
   return area
end

-- Every quad of the course, by its signed area.
local function quads(doc)
   local list, next_of = {}, {}
   for _, group in ipairs(doc.ckph) do
      local last = group.start + group.length - 1
      next_of[last] = {}
      for i = 1, 6 do
         local follower = group:target("next", i)
         if follower then table.insert(next_of[last], doc.ckpt[follower.start]) end
      end
   end
   for i, point in ipairs(doc.ckpt) do
      for _, follower in ipairs(next_of[i] or { point:target "next" }) do
         list[#list + 1] = signed_area(point.left, point.right, follower.right, follower.left)
      end
   end
   return list
end

-- Where the twelve drivers stand: rows behind the start position, to both sides of it. The pole
-- position is on the left with 0, on the right with 1.
local function grid(doc)
   local start, side = doc.ktpt[1], doc.stgi[1].pole == 0 and 1 or -1
   local places, r = {}, tools.euler(start.rotation)
   for i = 1, 12 do
      local offset = kart.vec(side * (i % 2 == 1 and 300 or -300), 0, -200 * i)
      places[i] = start.position + tools.apply(r, offset)
   end
   return places
end

local function check_grid(before, after, mirror)
   local expected, found = grid(before), grid(after)
   for i, place in ipairs(expected) do
      assert((mirror.place(place) - found[i]):length() < 0.01, "the start grid is not the mirror image")
   end
end

local function laps(doc) return assert(doc:simulate_laps{}) end

-- Laps --------------------------------------------------------------------------------------------

describe("laps are complete in", function()
   for _, file in ipairs(races()) do
      it(file.name, function()
         local result = laps(open(file))
         assert.is_true(result.finished)
         assert.equal(3, result.laps)
      end)
   end
end)

it("the sample race drives without a jump and without a place that no checkpoint has", function()
   local result = laps(tools.open "race")
   assert.equal(0, result.jumps)
   assert.equal(0, result.lost)
   assert.same({}, tools.open("race").warnings)
end)

describe("a mirrored course has the same lap events:", function()
   for _, file in ipairs(races()) do
      for _, mirror in ipairs(MIRRORS) do
         it(file.name .. ", " .. mirror.name, function()
            local doc = open(file)
            local expected = laps(doc).events
            local found = laps(mirror.apply(doc)).events
            assert.equal(#expected, #found)
            for i, event in ipairs(expected) do
               for _, key in ipairs{ "kind", "checkpoint", "lap", "key", "step" } do
                  assert.equal(event[key], found[i][key], ("event %d: %s"):format(i, key))
               end
               assert((mirror.place(event.position) - found[i].position):length() < 1, "another place")
            end
         end)
      end
   end
end)

-- The mirror image --------------------------------------------------------------------------------

describe("the mirror image is exact:", function()
   for _, file in ipairs(files{ "race", "arena", "minus_zero", "odd_scales", "odd_rotations", "version_1600" }) do
      for _, mirror in ipairs(MIRRORS) do
         it(file.name .. ", " .. mirror.name, function()
            local before = open(file)
            local after = mirror.apply(before:clone())
            for _, section in ipairs{ "ktpt", "enpt", "itpt", "gobj", "area", "came", "jgpt", "cnpt", "mspt" } do
               check_positions(before, after, mirror, section)
            end
            for _, section in ipairs{ "ktpt", "gobj", "area", "came", "jgpt", "cnpt", "mspt" } do
               check_rotations(before, after, mirror, section)
            end
            check_scales(before, after, "area")
            check_scales(before, after, "gobj")
            check_cameras(before, after, mirror)
            check_routes(before, after, mirror)
            for i, stage in ipairs(before.stgi) do assert.equal(1 - stage.pole, after.stgi[i].pole) end
            check_grid(before, after, mirror)
         end)
      end
   end
end)

describe("checkpoints change their sides:", function()
   for _, file in ipairs(races()) do
      for _, mirror in ipairs(MIRRORS) do
         it(file.name .. ", " .. mirror.name, function()
            local before = open(file)
            local after = mirror.apply(before:clone())
            for i, point in ipairs(before.ckpt) do
               same(mirror.place(point.left), after.ckpt[i].right, "right")
               same(mirror.place(point.right), after.ckpt[i].left, "left")
            end
            local found = quads(after)
            for i, area in ipairs(quads(before)) do
               assert(math.abs(area - found[i]) <= 1e-3 * math.abs(area) + 1, "a quad turned over")
            end
         end)
      end
   end
end)

it("groups, settings of points and references stay as they are", function()
   for _, file in ipairs(files{ "race", "arena" }) do
      for _, mirror in ipairs(MIRRORS) do
         local before = open(file)
         local after = mirror.apply(before:clone())
         for _, name in ipairs{ "enph", "itph", "ckph" } do
            for i, group in ipairs(before[name]) do
               for key, value in pairs(group) do assert.equal(tostring(value), tostring(after[name][i][key])) end
            end
         end
         for _, name in ipairs{ "enpt", "itpt" } do
            for i, point in ipairs(before[name]) do
               for key, value in pairs(point) do
                  if key ~= "position" then assert.equal(value, after[name][i][key]) end
               end
            end
         end
         for i, point in ipairs(before.ckpt) do
            for _, key in ipairs{ "respawn", "type", "prev", "next" } do
               assert.equal(point[key], after.ckpt[i][key])
            end
         end
      end
   end
end)

it("a respawn point takes the triple of the least x and z", function()
   local doc = kart.kmp.new{ jgpt = { { rotation = { 180, -15, 180 } }, { rotation = { 10, 30, -5 } } } }
   assert(doc:rotate("y", 90))
   assert(math.abs(doc.jgpt[2].rotation.x) < 90 and math.abs(doc.jgpt[2].rotation.z) < 90)
   doc = kart.kmp.new{ jgpt = { { rotation = { 10, 30, -5 } } } }
   assert(doc:transform(kart.matrix.rotation({ 1, 0.2, 0 }, 30), { height = 0 }))
   local r = doc.jgpt[1].rotation
   assert(math.abs(r.x) + math.abs(r.z) <= 180)
end)

-- A route with users in two frames ----------------------------------------------------------------

describe("a route that a riding camera shares with the world", function()
   local SHARED = 4 -- of the sample race

   it("is split by a mirror on z, once", function()
      local doc = tools.open "race"
      local count = #doc.poti
      local original = doc:clone().poti[SHARED]
      assert(doc:mirror "z")
      assert.equal(count + 1, #doc.poti)
      assert.equal(count + 1, doc.came[9].route)
      assert.equal(SHARED, doc.came[6].route)
      assert.is_table(tools.warning(doc, "route-split"))
      for i, point in ipairs(original.points) do
         local p = point.position
         assert.equal(kart.vec(-p.x, p.y, p.z), doc.poti[count + 1].points[i].position)
         assert.equal(kart.vec(p.x, p.y, -p.z), doc.poti[SHARED].points[i].position)
         assert.equal(point.speed, doc.poti[count + 1].points[i].speed)
         assert.equal(point.setting, doc.poti[count + 1].points[i].setting)
      end
      assert.equal(original.smooth, doc.poti[count + 1].smooth)
      assert(doc:mirror "z")
      assert.equal(count + 1, #doc.poti)
      assert.equal(0, #assert(kart.kmp.parse(doc:bytes())).warnings)
   end)

   it("stays one under a mirror on x at 0, where both agree", function()
      local doc = tools.open "race"
      assert(doc:mirror "x")
      assert.equal(9, #doc.poti)
      assert.equal(SHARED, doc.came[9].route)
   end)

   it("is split by a mirror on x at another plane", function()
      local doc = tools.open "race"
      assert(doc:mirror("x", { at = 50 }))
      assert.equal(10, #doc.poti)
   end)

   for _, user in ipairs{
      { "an area of type 3", { area = { { type = 3, route = 1 } } } },
      { "object 234", { gobj = { { id = 234, settings = { 0 } } } } },
      { "object 420", { gobj = { { id = 420, settings = { 0 } } } } },
      { "another camera", { came = { { type = 2, route = 1 }, { type = 6, route = 1 } } } },
   } do
      it("is shared by " .. user[1], function()
         local spec = user[2]
         spec.poti = { { points = { { position = { 10, 20, 30 } } } } }
         spec.came = spec.came or { { type = 6, route = 1 } }
         local doc = kart.kmp.new(spec)
         assert(doc:mirror "z")
         assert.equal(2, #doc.poti)
         assert.equal(kart.vec(10, 20, -30), doc.poti[1].points[1].position)
         assert.equal(kart.vec(-10, 20, 30), doc.poti[2].points[1].position)
         assert.equal(2, doc.came[#doc.came].route)
      end)
   end

   it("is not split for an area of another type, which doesn't use its route", function()
      local doc = kart.kmp.new{ poti = { { points = { { position = { 10, 20, 30 } } } } },
         came = { { type = 6, route = 1 } }, area = { { type = 1, route = 1 } } }
      assert(doc:mirror "z")
      assert.equal(1, #doc.poti)
      assert.equal(kart.vec(-10, 20, 30), doc.poti[1].points[1].position)
   end)

   it("is left to the world, with a warning, where no other route fits", function()
      local routes = {}
      for i = 1, 255 do routes[i] = { points = { { position = { i, 20, 30 } } } } end
      local doc = kart.kmp.new{ poti = routes, came = { { type = 6, route = 7 } }, gobj = { { route = 7 } } }
      assert(doc:mirror "z")
      assert.equal(255, #doc.poti)
      assert.equal(kart.vec(7, 20, -30), doc.poti[7].points[1].position)
      assert.equal("poti[7]", tools.warning(doc, "route-unsplit").place)
   end)
end)

-- There and back ----------------------------------------------------------------------------------

-- Compare two documents value by value. `rotation(old, new, place)` and `position` decide on those;
-- a camera of type 6 may follow a copy of its route, which only `after` has.
local function check_equal(before, after, rotation, position)
   for _, entry in ipairs(before:sections()) do
      local name = entry.name
      assert(not name or name == "poti" or #before[name] == #after[name], "another number of records")
      for i, record in ipairs(name and before[name] or {}) do
         local other, place = after[name][i], ("%s[%d]"):format(name, i)
         for key, value in pairs(record) do
            local now = other[key]
            if key == "rotation" then
               rotation(value, now, place)
            elseif key == "position" then
               position(value, now, place)
            elseif not (key == "route" and name == "came" and record.type == 6) then
               assert(tostring(value) == tostring(now), ("%s.%s: %s became %s"):format(place, key, value, now))
            end
         end
         if name == "poti" then
            for j, point in ipairs(record.points) do
               position(point.position, other.points[j].position, ("%s.points[%d]"):format(place, j))
               assert.equal(point.speed, other.points[j].speed)
               assert.equal(point.setting, other.points[j].setting)
            end
         end
         if name == "came" and record.type == 6 and record:target "route" then
            local copy = other:target "route"
            for j, point in ipairs(record:target("route").points) do
               position(point.position, copy.points[j].position, place .. "'s route")
            end
         end
      end
   end
end

local function check_same_bits(old, new, place)
   assert(tostring(old) == tostring(new), ("%s: %s became %s"):format(place, old, new))
end

-- Samples without what a mirror can't give back: signs that have no opposite and the like.
local SAMPLES = { "race", "arena", "minus_zero", "odd_scales", "odd_rotations", "not_finite", "version_1600",
   "version_0_no_word", "gaps", "order_in_file", "length_0", "camera_7_8_99", "sections_missing", "sections_none" }

describe("mirrored on x twice, every byte is back:", function()
   for _, file in ipairs(files(SAMPLES)) do
      it(file.name, function()
         local doc = open(file)
         assert(doc:mirror "x")
         assert(doc:mirror "x")
         if doc:bytes() == file.bytes then return end
         local old = open(file)
         check_equal(old, doc, check_same_bits, check_same_bits)
         error "the bytes differ, no value does"
      end)
   end
end)

describe("mirrored on z twice, all is back and angles within 1e-5 degrees:", function()
   for _, file in ipairs(files(SAMPLES)) do
      it(file.name, function()
         local doc = open(file)
         assert(doc:mirror "z")
         local routes = doc.poti and #doc.poti
         assert(doc:mirror "z")
         assert.equal(routes, doc.poti and #doc.poti) -- a shared route is split once
         check_equal(open(file), doc, function(old, new, place)
            if tostring(old) == tostring(new) then return end
            for _, axis in ipairs{ "x", "y", "z" } do
               assert(math.abs(old[axis] - new[axis]) <= 1e-5, ("%s: %s became %s"):format(place, old, new))
            end
         end, check_same_bits)
      end)
   end
end)

describe("four turns of 90 degrees give every position back:", function()
   for _, file in ipairs(files{ "race", "arena", "minus_zero", "odd_scales", "odd_rotations", "version_1600" }) do
      it(file.name, function()
         local doc = open(file)
         for _ = 1, 4 do assert(doc:rotate("y", 90)) end
         check_equal(open(file), doc, function(old, new, place)
            local text = ("%s: %s became %s"):format(place, old, new)
            assert(tools.distance(tools.euler(old), tools.euler(new)) < 1e-6, text)
            local pole = math.abs(math.abs(math.sin(math.rad(old.y))) - 1) < 1e-6
            if pole or place:find "^jgpt" then return end
            for _, axis in ipairs{ "x", "y", "z" } do
               assert(tools.angle_distance(old[axis], new[axis]) < 1e-5, text)
            end
         end, check_same_bits)
      end)
   end
end)
