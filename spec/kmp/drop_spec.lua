-- Points put on the ground. That the ground is the nearest there is, is shown in spec/c/test_ground.c.

-- A road at 0 and a bridge at 200, 1000 units wide and long; in the east a fall boundary at 0 above a road at -300, in
-- the west a road from which Lakitu fetches you.
local function ground()
   local positions, triangles = {}, {}
   local function square(x, y, flag)
      local n = #positions
      for i, corner in ipairs{ { 0, 0 }, { 0, 1000 }, { 1000, 1000 }, { 1000, 0 } } do
         positions[n + i] = { x + corner[1], y, corner[2] }
      end
      triangles[#triangles + 1] = { n + 1, n + 2, n + 3, flag = flag }
      triangles[#triangles + 1] = { n + 1, n + 3, n + 4, flag = flag }
   end
   square(0, 0, 0x00)
   square(0, 200, 0x03)
   square(2000, 0, 0x10)
   square(2000, -300, 0x00)
   square(-2000, 0, 0x0A)
   return kart.mesh.new{ game = "mkw", positions = positions, triangles = triangles }
end

local function course()
   return kart.kmp.new{
      ktpt = { { position = { 500, 30, 500 } } }, jgpt = { { position = { 500, -20, 500 } } },
      enpt = { { position = { 500, 0, 500 } }, { position = { 500, 150, 500 } }, { position = { 2500, 50, 500 } } },
      enph = { { start = 1, length = 3 } },
      poti = { { points = { { position = { 1, 9, 1 } }, { position = { 2, 9, 2 } } } },
         { points = { { position = { 3, 9, 3 } } } } },
      gobj = { { id = 101, position = { 500, 10, 500 } }, { id = 101, route = 1, position = { 500, 10, 500 } },
         { id = 7, position = { 500, 10, 500 } } },
      came = { { position = { 500, 50, 500 } } },
   }
end

-- The heights of all that has one.
local function heights(doc)
   local list = {}
   for _, name in ipairs{ "ktpt", "jgpt", "enpt", "gobj", "came" } do
      for _, record in ipairs(doc[name]) do list[#list + 1] = record.position.y end
   end
   for _, route in ipairs(doc.poti) do
      for _, point in ipairs(route.points) do list[#list + 1] = point.position.y end
   end
   return list
end

-- What a drop of the course moved, and the report.
local function moved(what, options)
   local doc = course()
   local report = assert(doc:drop(ground(), what, options))
   local places = {}
   for i, drop in ipairs(report.moved) do
      assert.equal(drop.to, drop.record.position)
      places[i] = tostring(drop.record)
   end
   return table.concat(places, " "), report, doc
end

describe("a drop", function()
   it("puts down what stands on the ground in any course", function()
      local places, report, doc = moved()
      assert.equal("ktpt[1] enpt[2] gobj[1] jgpt[1]", places)
      assert.same({ 0.0, 0.0, 0.0, 200.0, 50.0, 0.0, 10.0, 10.0, 50.0, 9.0, 9.0, 9.0 }, heights(doc))
      assert.equal(1, report.stayed)
      assert.equal(1, #report.lost)
      local lost = report.lost[1]
      assert.same({ "no-ground", "warning", "enpt[3].position" }, { lost.rule, lost.severity, lost.place })
      assert.equal("no ground within 1000 units below or 300 units above", lost.message)
      assert.same({ kart.vec(500, 30, 500), kart.vec(500, 0, 500) }, { report.moved[1].from, report.moved[1].to })
   end)

   it("takes sections, records, routes and lists of them, each once and in the file's order", function()
      assert.equal("gobj[1] gobj[2] gobj[3]", (moved "gobj"))
      assert.equal("poti[1].points[1] poti[1].points[2] poti[2].points[1]", (moved "poti"))
      local doc = course()
      assert.equal("gobj[3]", tostring(doc:drop(ground(), doc.gobj[3]).moved[1].record))
      assert.equal(2, #doc:drop(ground(), doc.poti[1]).moved)
      assert.equal(1, #doc:drop(ground(), doc.poti[2].points).moved)
      assert.equal(3, doc:drop(ground(), doc.poti).stayed)
      doc = course()
      local report = doc:drop(ground(), { doc.gobj[2], "ktpt", doc.gobj, doc.gobj[2] })
      local list = {}
      for i, drop in ipairs(report.moved) do list[i] = tostring(drop.record) end
      assert.same({ "ktpt[1]", "gobj[1]", "gobj[2]", "gobj[3]" }, list)
      assert.same({ moved = {}, stayed = 0, lost = {} }, doc:drop(ground(), {}))
   end)

   it("asks a function", function()
      assert.equal("gobj[3]", (moved("gobj", { where = function(object) return object.id == 7 end })))
      assert.equal("", (moved(nil, { where = function() end })))
      assert.error_matches(function() moved(nil, { where = function() error "no more" end }) end, "no more")
   end)

   it("leaves out what is removed meanwhile", function()
      local doc = course()
      local report = doc:drop(ground(), "gobj", { where = function()
         if #doc.gobj == 3 then doc.gobj:remove(1) end
         return true
      end })
      assert.equal(2, #report.moved)
   end)

   it("takes the nearest, as far as it may look", function()
      local function height(y, options)
         local doc = kart.kmp.new{ jgpt = { { position = { 500, y, 500 } } } }
         local report = assert(doc:drop(ground(), "jgpt", options))
         return #report.lost == 0 and doc.jgpt[1].position.y
      end
      assert.same({ 0.0, 200.0, 200.0, 0.0 }, { height(90), height(110), height(1199), height(-299) })
      assert.same({ false, 0.0, false, 200.0 },
         { height(-301), height(-301, { up = math.huge }), height(1201), height(1201, { max = math.huge }) })
      assert.same({ 0.0, 200.0 }, { height(110, { up = 0 }), height(90, { max = 0 }) })
      assert.same({ 25.0, 175.5 }, { height(90, { offset = 25 }), height(110, { offset = -24.5 }) })
      assert.same({ 200.0, 0.0 }, { height(10, { flags = "off_road" }), height(150, { mask = 1 }) })
   end)

   it("finds no ground where Lakitu comes before", function()
      local doc = kart.kmp.new{ jgpt = { { position = { 2500, 50, 500 } }, { position = { 2500, -50, 500 } },
         { position = { -1500, 50, 500 } }, { position = { 5000, 0, 0 } } } }
      local report = doc:drop(ground(), "jgpt")
      assert.same({ 1, "jgpt[2]", 3 }, { #report.moved, tostring(report.moved[1].record), #report.lost })
      -- Who asks for these surfaces gets them.
      assert.equal(2, #doc:drop(ground(), "jgpt", { flags = "floors" }).moved)
   end)

   it("takes whatever faces up where flags tell nothing", function()
      local plain = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 }, { 0, 5, 0 }, { 9, 5, 0 },
         { 0, 5, 9 } }, triangles = { { 1, 2, 3 }, { 4, 5, 6 } } }
      local doc = kart.kmp.new{ jgpt = { { position = { 1, 7, 1 } } } }
      assert.equal(0.0, doc:drop(plain, "jgpt").moved[1].to.y)
      -- Triangles without a flag are of no type.
      assert.equal(1, #doc:drop(plain, "jgpt", { mask = 0xFFFF }).lost)
   end)

   it("changes nothing else, and nothing the second time", function()
      local doc = assert(kart.kmp.parse(require "samples.race"():bytes()))
      local track = assert(kart.kcl.parse(require "samples.kcl_race"()))
      local before = doc:bytes()
      local report = doc:drop(track)
      assert.is_true(#report.moved > 50)
      local dropped = doc:bytes()
      assert.equal(#before, #dropped)
      local again = doc:drop(track)
      assert.same({ 0, report.stayed + #report.moved }, { #again.moved, again.stayed })
      assert.equal(dropped, doc:bytes())
      for _, drop in ipairs(report.moved) do drop.record.position = drop.from end
      assert.equal(before, doc:bytes())
   end)

   it("is for Mario Kart 7 as well", function()
      local doc = kart.kmp.new{ game = "mk7", jgpt = { { position = { 500, 30, 500 } } } }
      assert.equal(0.0, doc:drop(ground(), "jgpt").moved[1].to.y)
   end)

   it("fails where a height can't be stored, and moves nothing", function()
      local doc = course()
      local before = doc:bytes()
      local report, message, code = doc:drop(ground(), nil, { offset = 1e39 })
      assert.same({ nil, "limit" }, { report, code })
      assert.matches("1e%+39", message)
      assert.equal(before, doc:bytes())
   end)
end)

describe("wrong use of drop raises:", function()
   local function raises(pattern, ...)
      local doc, arguments = course(), table.pack(...)
      assert.error_matches(function() doc:drop(table.unpack(arguments, 1, arguments.n)) end, pattern)
   end
   local closed = ground()
   closed:close()

   it("what is no ground", function()
      raises("document with triangles, got nil", nil)
      raises("document with triangles, got kmp", course())
      raises("document is closed", closed)
      local function check(collision) return function() course():check{ collision = collision } end end
      assert.error_matches(check(5), "option 'collision': expected a document with triangles, got 5")
      assert.error_matches(check(closed), "option 'collision': the document is closed")
   end)

   it("what can't be dropped", function()
      raises("no section 'nothing'", ground(), "nothing")
      raises("records of ckpt have no position", ground(), "ckpt")
      raises("records of stgi have no position", ground(), { "gobj", "stgi" })
      raises("another document", ground(), course().gobj)
      raises("another document", ground(), { course().gobj[1] })
      raises("expected sections, records or a list", ground(), 5)
      raises("%[2%]: expected a section or a record, got 5", ground(), { "gobj", 5 })
   end)

   it("options that make no sense", function()
      raises("unknown option 'down'", ground(), nil, { down = 5 })
      raises("'up': expected a number from 0 up", ground(), nil, { up = -1 })
      raises("'max': expected a number from 0 up", ground(), nil, { max = 0 / 0 })
      raises("'offset'", ground(), nil, { offset = math.huge })
      raises("'where': expected a function", ground(), nil, { where = "gobj" })
      raises("option 'flags'", ground(), nil, { flags = "rood" })
   end)
end)
