local tools = require "spec.kmp.tools"

-- Runs `work` under a collector that never rests.
local function under_stress(work)
   local old_pause, old_stepmul = collectgarbage("setpause", 0), collectgarbage("setstepmul", 1000)
   collectgarbage "restart"
   local ok, problem = pcall(work)
   collectgarbage("setpause", old_pause)
   collectgarbage("setstepmul", old_stepmul)
   if not ok then error(problem, 0) end
end

-- Everything unreachable is gone, what finalizers made unreachable too.
local function collect()
   collectgarbage()
   collectgarbage()
end

-- Views of a document that nothing else holds: made in a function of its own, so that no stack slot
-- keeps it.
local function orphan(view)
   local result = view(tools.open "race")
   collect()
   return result
end

describe("what outlives its document's last reference keeps it:", function()
   it("a section", function()
      local section = orphan(function(doc) return doc.gobj end)
      collect()
      assert.equal(101, section[1].id)
      assert.equal(51, #section)
      section[1].id = 5
      assert.equal(5, section[1].id)
   end)

   it("a record", function()
      local record = orphan(function(doc) return doc.gobj[12] end)
      local before = record.id
      collect()
      assert.equal("gobj[12]", tostring(record))
      record.position = record.position + kart.vec(1, 2, 3)
      collect()
      assert.equal(before, record.id)
   end)

   it("the points of a route, and one of them", function()
      local points = orphan(function(doc) return doc.poti[2].points end)
      collect()
      assert.equal("poti[2].points[3]", tostring(points[3]))
      local point = orphan(function(doc) return doc.poti[2].points[3] end)
      assert.equal(18, point.speed)
   end)

   it("a list of a record", function()
      local settings = orphan(function(doc) return doc.gobj[11].settings end)
      collect()
      settings[3] = 77
      collect()
      assert.equal(77, settings[3])
      assert.equal(8, #settings)
   end)

   it("a target, and a record that a target of it was", function()
      local camera = orphan(function(doc) return doc.area[1]:target "camera" end)
      assert.equal("came[2]", tostring(camera))
      local route = orphan(function(doc) return doc.came[5]:target "route" end)
      collect()
      assert.equal(5, #route.points)
   end)

   it("an iteration", function()
      local count = 0
      for _, record in ipairs((function() return tools.open("race").gobj end)()) do
         collect()
         count = count + (record.id > 0 and 1 or 0)
      end
      assert.equal(51, count)
      for name, value in pairs((function() return tools.open("race").gobj[1] end)()) do
         collect()
         assert.is_string(name .. tostring(value))
      end
   end)
end)

describe("values don't need their document:", function()
   it("vectors, warnings and lap events", function()
      local position = orphan(function(doc) return doc.gobj[1].position end)
      assert.is_number(position.x)
      local warnings = (function() return tools.open("length_0").warnings end)()
      collect()
      assert.matches("length word", tostring(warnings[1]))
      local laps = orphan(function(doc) return doc:simulate_laps{} end)
      assert.equal(3, laps.laps)
      assert.equal("vec", kart.type(laps.events[1].position))
   end)

   it("a clone", function()
      local clone = orphan(function(doc) return doc:clone() end)
      collect()
      assert.is_true(clone:bytes() == tools.bytes "race")
   end)
end)

it("documents that nothing holds are collected", function()
   local weak = setmetatable({}, { __mode = "k" })
   for _ = 1, 50 do weak[tools.open "race"] = true end
   collect()
   assert.is_nil(next(weak))
end)

it("a view doesn't keep other documents", function()
   local weak = setmetatable({}, { __mode = "v" })
   local record
   do
      local doc = tools.open "race"
      weak[1] = doc:clone()
      record = doc.gobj[1]
   end
   collect()
   assert.is_nil(weak[1])
   assert.equal(101, record.id)
end)

it("memory of documents does not pile up: the collector hears of it", function()
   -- 200 documents of about a megabyte each. Lua itself sees some hundred bytes of each.
   local objects = {}
   for i = 1, 16000 do objects[i] = {} end
   local bytes = kart.kmp.new{ gobj = objects }:bytes()
   local open, most = setmetatable({}, { __mode = "k" }), 0
   for _ = 1, 200 do
      open[assert(kart.kmp.parse(bytes))] = true
      local count = 0
      for _ in pairs(open) do count = count + 1 end
      most = math.max(most, count)
   end
   assert(most < 50, most .. " documents were held at once")
end)

describe("under a collector that never rests,", function()
   it("documents open, change, save and compare", function()
      under_stress(function()
         for _, name in ipairs{ "race", "arena", "version_1600", "gaps", "references_out_of_range", "mk7" } do
            local bytes = tools.bytes(name)
            local doc = assert(kart.kmp.parse(bytes))
            assert(doc:bytes() == bytes)
            assert(doc:clone():bytes() == bytes)
            tostring(doc)
            for _, warning in ipairs(doc.warnings) do tostring(warning) end
            for _, entry in ipairs(doc:sections()) do assert(entry.name or entry.magic) end
         end
      end)
   end)

   it("every field of every record can be read and written", function()
      under_stress(function()
         local doc = tools.open "race"
         for _, entry in ipairs(doc:sections()) do
            for _, record in ipairs(doc[entry.name]) do
               for name, value in pairs(record) do
                  if name ~= "length" then record[name] = value end
                  record:raw(name)
                  tostring(value)
               end
            end
         end
         assert(doc:bytes() == tools.bytes "race")
      end)
   end)

   it("transformations, laps and their warnings work", function()
      under_stress(function()
         local doc = tools.open "race"
         doc:mirror "z":rotate("y", 33):scale(1.5, { scale_speeds = true }):translate{ 1, 2, 3 }
         doc:transform(kart.matrix.rotation("y", 10) * kart.matrix.scale(2))
         local events = assert(doc:simulate_laps{}).events
         assert(#events > 100)
         for _, event in ipairs(events) do tostring(event.position) end
         for _, warning in ipairs(doc.warnings) do tostring(warning) end
      end)
   end)

   it("errors of all kinds are raised and reported", function()
      under_stress(function()
         local doc = tools.open "race"
         for i = 1, 100 do
            assert(not pcall(function() doc.gobj[1].id = "x" .. i end))
            assert(not pcall(function() doc.gobj[1].settings = { 1, 2, "y" .. i } end))
            assert(not pcall(function() doc.ckpt[1].respawn = doc.gobj[i % 50 + 1] end))
            assert(not pcall(function() return doc["field" .. i] end))
            assert(not pcall(doc.mirror, doc, "x", { ["option" .. i] = 1 }))
            assert(not kart.kmp.parse("RKMD" .. i))
            assert(not kart.open("/none/" .. i))
            assert(not doc:transform(kart.matrix.scale{ 1, 0, 1 }))
         end
      end)
   end)

   it("new documents are made", function()
      under_stress(function()
         local spec = { gobj = {}, poti = {} }
         for i = 1, 50 do spec.gobj[i] = { id = i, settings = { i, i }, position = { i, i, i } } end
         for i = 1, 10 do spec.poti[i] = { points = { { speed = i }, { speed = i + 1 } } } end
         local doc = kart.kmp.new(spec)
         assert(doc.gobj[50].settings[2] == 50 and doc.poti[10].points[2].speed == 11)
      end)
   end)

   it("vectors and matrices calculate", function()
      under_stress(function()
         local sum, turn = kart.vec(0, 0, 0), kart.matrix.rotation("y", 1)
         for i = 1, 1000 do sum = turn * (sum + { i, -i, 1 }) * 0.5 end
         assert(sum:length() > 0)
      end)
   end)
end)

it("a document collected together with its views is freed once", function()
   for _ = 1, 100 do
      local doc = tools.open "version_2510"
      local views = { doc, doc.gobj, doc.gobj[1], doc.gobj[1].settings, doc.poti[1].points, doc:clone() }
      setmetatable(views, { __gc = function() assert(#views == 6) end })
   end
   collect()
   -- Closed by hand, then collected.
   local doc = tools.open "version_2510"
   local view = doc.gobj[1]
   doc:close()
   doc = nil -- luacheck: ignore
   collect()
   assert.error_matches(function() return view.id end, "closed")
end)
