-- The recipe drop_to_ground.
local collision = require "spec.recipe.collision"
local support = require "spec.support"

local folder

local function run(...) return support.run{ cwd = folder, "drop_to_ground", ... } end
local function doc(name) return assert(kart.open(folder .. "/" .. name)) end
local function exists(name) return kart.file.read(folder .. "/" .. name) ~= nil end

-- Points over a road of two squares at height 0, and one beside it.
before_each(function()
   folder = support.tmp()
   local course = kart.kmp.new{
      ktpt = { { position = { 10, 40, 10 } } }, stgi = { {} },
      jgpt = { { position = { 60, -20, 60 } }, { position = { 900, 5, 60 } } },
      gobj = { { id = 101, position = { 50, 7, 50 } }, { id = 115, position = { 50, 90, 50 } } },
   }
   assert(course:save(folder .. "/course.kmp"))
   support.write(folder .. "/course.kcl", collision.row{ 0x00, 0x03 })
   assert(kart.course(folder .. "/course.kmp"):save(folder .. "/course.szs"))
end)

describe("drop_to_ground", function()
   it("drops what stands on the ground, and names what can't", function()
      local code, out, err = run "course.kmp"
      assert.same({ 0, "" }, { code, err })
      assert.equal("course.kmp: jgpt[2].position: no ground within 1000 units below or 300 units above\n"
         .. "course.kmp: 3 moved by up to 40 units, 1 without ground\n"
         .. "course.kmp -> course.drop_to_ground.kmp\n", out)
      local dropped = doc "course.drop_to_ground.kmp"
      assert.same({ 0.0, 0.0, 5.0, 0.0, 90.0 }, { dropped.ktpt[1].position.y, dropped.jgpt[1].position.y,
         dropped.jgpt[2].position.y, dropped.gobj[1].position.y, dropped.gobj[2].position.y })
   end)

   it("takes the collision of archives along, and saves them whole", function()
      local code, out = run("-o", "out.szs", "course.szs")
      assert.equal(0, code)
      assert.matches("\ncourse%.szs/course%.kmp: 3 moved by up to 40 units, 1 without ground\n", out)
      local archive = doc "out.szs"
      assert.equal(0.0, archive.kmp.ktpt[1].position.y)
      assert.equal(support.read(folder .. "/course.kcl"), archive:read "course.kcl")
   end)

   it("does what is asked for, as far as is said", function()
      local function heights(...)
         assert.equal(0, (run("--collision", "course.kcl", "-o", "out.kmp", "course.kmp", ...)))
         local out = doc "out.kmp"
         return { out.ktpt[1].position.y, out.jgpt[1].position.y, out.gobj[1].position.y, out.gobj[2].position.y }
      end
      assert.same({ 40.0, 0.0, 7.0, 90.0 }, heights("--what", "jgpt"))
      assert.same({ 0.0, -20.0, 7.0, 0.0 }, heights("--what", "ktpt,coin"))
      assert.same({ 40.0, -20.0, 0.0, 0.0 }, heights("--what=101", "--what=coin"))
      assert.same({ 40.0, -20.0, 0.0, 90.0 }, heights("--max", "30", "--up", "15"))
      assert.same({ 12.5, 12.5, 12.5, 90.0 }, heights("--offset", "12.5"))
   end)

   it("takes other surfaces, and other collision", function()
      local code, out = run("--collision", "course.kcl", "--flags", "off_road", "course.kmp")
      assert.equal(0, code)
      assert.matches("course%.kmp: none moved, 4 without ground\n$", out)
      assert.is_false(exists "course.drop_to_ground.kmp") -- nothing to save
      assert(doc("course.kcl"):mesh():save(folder .. "/course.obj"))
      assert.matches("3 moved", select(2, run("--collision", "course.obj", "course.kmp")))
      assert.matches("3 moved", select(2, run("--collision", "course.szs", "--dry-run", "course.kmp")))
   end)

   it("tells what is wrong", function()
      local function fails(code, pattern, ...)
         local found, out, err = run(...)
         assert.same({ code, "" }, { found, out })
         assert.matches(pattern, err)
      end
      support.write(folder .. "/other.kmp", support.read(folder .. "/course.kmp"))
      fails(1, "^other%.kmp: there is no collision with it; %-%-collision names one\n$", "other.kmp")
      fails(2, "%-%-what: there is no section and no object 'jgtp'", "--what", "jgpt,jgtp", "course.szs")
      fails(2, "%-%-collision: [^\n]*none%.kcl", "--collision", "none.kcl", "course.kmp")
      fails(2, "%-%-collision: course%.kmp: a file without triangles", "--collision", "course.kmp", "course.kmp")
      fails(1, "^course%.kmp: %-%-flags: [^\n]*rood", "--collision", "course.kcl", "--flags", "rood", "course.kmp")
      fails(1, "^course%.kmp: [^\n]*ckpt[^\n]*no position", "--collision", "course.kcl", "--what", "ckpt", "course.kmp")
      -- A damaged collision is named.
      local archive = doc "course.szs"
      archive:replace("course.kcl", support.read(folder .. "/course.kcl"):sub(1, 100))
      assert(archive:save(folder .. "/cut.szs"))
      fails(1, "^cut%.szs/course%.kmp: course%.kcl: ", "cut.szs")
   end)
end)
