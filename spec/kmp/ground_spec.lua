-- Points against collision: what the rules say of whole courses. Each rule has its cases in check_spec.lua.
local kcl_race = require "samples.kcl_race"
local race = require "samples.race"
local szs = require "spec.szs.tools"

local OWN = {}
for _, rule in ipairs(kart.kmp.rules()) do OWN[rule.id] = rule.collision or nil end

-- How often each of the rules that need a collision finds something.
local function counts(doc, collision, options)
   local found = {}
   options = options or {}
   options.collision = collision
   for _, finding in ipairs(assert(doc:check(options))) do
      if OWN[finding.rule] then found[finding.rule] = (found[finding.rule] or 0) + 1 end
   end
   return found
end

-- The only finding of a rule.
local function only(doc, collision, rule, arena)
   local found = {}
   for _, finding in ipairs(assert(doc:check{ collision = collision, arena = arena })) do
      if finding.rule == rule then found[#found + 1] = finding end
   end
   assert.equal(1, #found)
   return found[1]
end

local function track() return assert(kart.kcl.parse(kcl_race())) end

-- A square of road that faces up, `half` units to each side of x, z.
local function plane(half, x, z)
   return kart.mesh.new{ game = "mkw",
      positions = { { x - half, 0, z - half }, { x - half, 0, z + half }, { x + half, 0, z + half },
         { x + half, 0, z - half } },
      triangles = { { 1, 2, 3, flag = 0 }, { 1, 3, 4, flag = 0 } } }
end

describe("points against collision", function()
   it("are left alone by the other rules, and the document as well", function()
      local doc, collision = race(), track()
      local bytes = doc:bytes()
      local without, list = assert(doc:check()), assert(doc:check{ collision = collision })
      for i, finding in ipairs(without) do assert.same(tostring(finding), tostring(list[i])) end
      for i = #without + 1, #list do assert.is_true(OWN[list[i].rule]) end
      assert.equal(bytes, doc:bytes())
   end)

   it("are the same for a KCL and its mesh, and for their mirror images", function()
      local doc, collision = race(), track()
      doc.jgpt[2].position = { 0, 0, 0 }
      local found = counts(doc, collision)
      assert.same({ ["way-walled"] = 4, ["cannon-ground"] = 1, ["respawn-ground"] = 1 }, found)
      assert.same(found, counts(doc, (collision:mesh())))
      assert.same(found, counts(doc:mirror "x", collision:mirror "x"))
      assert.same(found, counts(doc:translate{ 0, 512, 1024 }, collision:translate{ 0, 512, 1024 }))
   end)

   it("say which places of the grid hang over nothing", function()
      local function places(narrow, pole, half)
         local doc = kart.kmp.new{ ktpt = { { position = { 0, 0, 0 } } }, stgi = { { narrow = narrow, pole = pole } } }
         return only(doc, plane(half, 0, 0), "start-ground", false).message
      end
      -- It looks along +Z: the pole is at +X, and rows go to -Z.
      assert.equal("no ground below places 4, 5, 6, 7, 8, 9, 10, 11 and 12 of the grid", places(0, 0, 1000))
      assert.equal("no ground below places 9, 10, 11 and 12 of the grid", places(0, 0, 3400))
      assert.equal("no ground below place 12 of the grid", places(1, 1, 4400))
      local doc = kart.kmp.new{ ktpt = { { position = { 0, 0, 0 } } }, stgi = { {} } }
      assert.is_nil(counts(doc, plane(5200, 0, 0), { arena = false })["start-ground"])
   end)

   it("of arenas are all start positions", function()
      local doc = kart.kmp.new{ ktpt = { { player = 0 }, { player = 1, position = { 900, 0, 0 } } }, stgi = { {} } }
      local finding = only(doc, plane(100, 0, 0), "start-ground")
      assert.same({ "ktpt[2].position", "nothing below" }, { finding.place, finding.message })
      assert.same({ ["start-ground"] = 1 }, counts(doc, plane(100, 0, 0), { arena = false })) -- a grid, that is
   end)

   it("say what is there instead of ground", function()
      local function message(y)
         local doc = race()
         doc.jgpt[1].position = { 0, y, -6000 } -- over the fall that is below all of the course
         return only(doc, track(), "respawn-ground").message
      end
      assert.equal("a fall 2500 units below, and no ground", message(1000))
      assert.equal("nothing below", message(-1600))
      local doc = kart.kmp.new{ jgpt = { { position = { 0, 2001, 0 } } } }
      assert.equal("the ground is 2001 units below", only(doc, plane(9, 0, 0), "respawn-ground").message)
   end)

   it("may be on anything, and on nothing", function()
      local nothing = kart.mesh.new{ positions = {}, triangles = {} }
      local found = counts(race(), nothing)
      assert.same({ 1, 15, 2, 2 },
         { found["start-ground"], found["respawn-ground"], found["cannon-ground"], found["way-elsewhere"] })
      assert.same({}, counts(kart.kmp.new{}, nothing))
      assert.same({ ["cannon-missing"] = 1 }, counts(kart.kmp.new{}, track()))
      -- Layouts that lack a section or a field.
      for _, version in ipairs{ 1600, 1830, 2100, 2320 } do
         counts(kart.kmp.new{ version = version, ktpt = { {} } }, track())
      end
   end)

   it("have no rules in Mario Kart 7", function()
      local list, message, code = kart.kmp.new{ game = "mk7" }:check{ collision = track() }
      assert.same({ nil, "unsupported" }, { list, code })
      assert.matches("Mario Kart 7", message)
   end)
end)

-- What the rules find in real courses. Five of seven have nothing, or what is so: item boxes under the road (orange); a
-- way that dives under the road and comes up through it (ruins). The last one has the points of another course.
local REAL = {
   arena_extra = {}, arena_maze1 = {}, arena_maze3 = {}, race_dust_v12 = {},
   race_orange_v105 = { ["box-ground"] = 5 },
   race_ruins_v113 = { ["way-under"] = 3, ["way-walled"] = 1 },
   race_lego = { ["start-ground"] = 1, ["respawn-ground"] = 7, ["way-elsewhere"] = 2, ["ckpt-ground"] = 20 },
}

describe("real courses", function()
   local real = szs.corpus()
   for _, pair in ipairs(real) do
      it("are as they should be: " .. pair.name, function()
         local doc, collision = assert(kart.open(pair.kmp)), assert(kart.open(pair.kcl))
         local found = counts(doc, collision)
         assert.same(REAL[pair.name] or {}, found)
         assert.same(found, counts(doc:mirror "x", collision:mirror "x"))
      end)
   end

   it("don't fit other courses", function()
      local of = {}
      for _, pair in ipairs(real) do of[pair.name] = pair end
      if not of.race_ruins_v113 or not of.race_dust_v12 then return end
      local found = counts(assert(kart.open(of.race_ruins_v113.kmp)), assert(kart.open(of.race_dust_v12.kcl)))
      assert.same({ 1, 11, 40, 2 },
         { found["start-ground"], found["respawn-ground"], found["box-ground"], found["way-elsewhere"] })
   end)
end)
