-- The recipes that come with kartlua, each run as its manual says.
local lfs = require "lfs"
local support = require "spec.support"
local course = require "spec.recipe.course"

local folder

local function run(...) return support.run{ cwd = folder, ... } end

-- The document that a recipe makes of the race course.
local function result(name, ...)
   local code, _, err = run(name, "-o", "result.kmp", "course.kmp", ...)
   assert.same({ 0, "" }, { code, err })
   return assert(kart.open(folder .. "/result.kmp"))
end

before_each(function()
   folder = support.tmp()
   assert(course.race():save(folder .. "/course.kmp"))
end)

describe("each recipe", function()
   local found = 0
   for file in lfs.dir "scripts" do
      local name = file:match "^(.+)%.lua$"
      if name then
         found = found + 1
         local text = support.read("scripts/" .. file)

         it(name .. " has a manual on top, with a sample output", function()
            assert.matches("^%-%- %u", text)
            assert.matches("\n%-%-    kartlua " .. name, text)
            assert.matches("\n%-%- Output[^\n]*:\n%-%-    course%.kmp", text)
         end)

         it(name .. " is listed with its summary and has help", function()
            local summary = select(2, run("--list")):match("%f[%w]" .. name .. " +([^\n]+)\n")
            local code, out = run(name, "--help")
            assert.equal(0, code)
            assert.equal(name .. ": " .. summary, out:match "^[^\n]*")
         end)

         it(name .. " does what its example says", function()
            local example = select(2, run(name, "--help")):match "\nexample:\n  kartlua ([^\n]+)\n$"
            local words = {}
            for word in example:gmatch "%S+" do words[#words + 1] = word end
            assert.equal(name, words[1])
            local code, out, err = run(table.unpack(words))
            assert.same({ 0, "" }, { code, (err:gsub("[^\n]*: hint: [^\n]*\n", "")) })
            assert.matches("^course%.kmp", out)
         end)
      end
   end

   it("is here", function() assert.truthy(found >= 6) end)
end)

describe("mirror", function()
   it("takes the axis and the place of the mirror", function()
      assert.equal(kart.vec(-100, 200, 300), result("mirror").gobj[1].position)
      assert.equal(kart.vec(100, 200, -100), result("mirror", "--axis", "z", "--at", "100").gobj[1].position)
      assert.equal(kart.vec(-300, 200, 300), result("mirror", "--at", "-100").gobj[1].position)
   end)

   it("gives a course that drives", function()
      run("mirror", "course.kmp")
      local code, out = run("laps", "course.mirror.kmp")
      assert.equal(0, code)
      assert.matches("laps: 3 of 3, jumps: 0, lost: 0", out)
   end)

   it("twice gives the same bytes", function()
      run("mirror", "course.kmp")
      run("mirror", "course.mirror.kmp", "-o", "again.kmp")
      assert.equal(support.read(folder .. "/course.kmp"), support.read(folder .. "/again.kmp"))
   end)
end)

describe("rotate", function()
   it("turns about an axis through a point", function()
      assert.equal(kart.vec(300, 200, -100), result("rotate", "--angle", "90").gobj[1].position)
      assert.equal(kart.vec(-100, 200, -300), result("rotate", "--angle", "180", "--axis", "0,2,0").gobj[1].position)
      assert.equal(kart.vec(-100, 200, 300),
         result("rotate", "--angle", "180", "--origin", "0,0,300").gobj[1].position)
   end)

   it("needs a height where the ground tilts", function()
      local code, _, err = run("rotate", "--axis", "x", "--angle", "10", "course.kmp")
      assert.equal(1, code)
      assert.matches("^course%.kmp: [^\n]*height[^\n]*\n$", err)
      assert.equal(0, (run("rotate", "--axis", "x", "--angle", "10", "--height", "0", "course.kmp")))
   end)
end)

describe("scale", function()
   it("takes one factor or three, and the point that stays", function()
      local function place(...)
         run("scale", "-o", "result.kmp", "course.kmp", ...)
         return assert(kart.open(folder .. "/result.kmp")).gobj[1].position
      end
      assert.equal(kart.vec(200, 400, 600), place("--factor", "2"))
      assert.equal(kart.vec(100, 400, 300), place("--factor", "1,2,1"))
      assert.equal(kart.vec(100, 400, 600), place("--factor=2", "--origin=100,0,0"))
   end)

   it("scales objects on request", function()
      run("scale", "--factor", "2", "course.kmp", "-o", "kept.kmp")
      run("scale", "--factor", "2", "--scale-objects", "course.kmp", "-o", "scaled.kmp")
      assert.equal(kart.vec(1, 1, 1), assert(kart.open(folder .. "/kept.kmp")).gobj[1].scale)
      assert.equal(kart.vec(2, 2, 2), assert(kart.open(folder .. "/scaled.kmp")).gobj[1].scale)
   end)

   it("scales speeds on request", function()
      local moving = course.race{
         poti = { { motion = 1, points = { { position = { 0, 0, 0 }, speed = 30 }, { position = { 0, 0, 9 } } } } },
         came = { { type = 2, route = 1 } },
      }
      assert(moving:save(folder .. "/moving.kmp"))
      run("scale", "--factor", "2", "moving.kmp", "-o", "kept.kmp")
      run("scale", "--factor", "2", "--scale-speeds", "moving.kmp", "-o", "scaled.kmp")
      assert.equal(30, assert(kart.open(folder .. "/kept.kmp")).poti[1].points[1].speed)
      assert.equal(60, assert(kart.open(folder .. "/scaled.kmp")).poti[1].points[1].speed)
   end)
end)

describe("translate", function()
   it("moves", function()
      assert.equal(kart.vec(99, 200, 800), result("translate", "--by", "-1,0,500").gobj[1].position)
   end)
end)

describe("info", function()
   it("tells what is there", function()
      local code, out, err = run("info", "course.kmp")
      assert.same({ 0, "" }, { code, err })
      for _, pattern in ipairs{ "^course%.kmp\n  game  Mario Kart Wii, version 2520\n", "size  %d+ bytes",
         "race, 3 laps, pole position left", "\n  x +%-6000 to 6000\n", "\n  ckpt +8  Checkpoints\n",
         "objects\n  101  1  itembox\n", "cameras\n  0  1  goal\n" } do
         assert.matches(pattern, out)
      end
      assert.not_matches("warnings", out)
   end)

   it("tells who uses a route, and what is odd", function()
      local odd = course.race{
         poti = { { points = { {}, {} } }, { smooth = 1, motion = 1, points = { {}, {}, {} } } },
         gobj = { { id = 201, route = 2 }, { id = 201, route = 2 }, { id = 1 } },
         came = { { type = 2, route = 1 } },
      }
      odd.jgpt[1].position = { 0, 0, 0 }
      assert(odd:save(folder .. "/odd.kmp"))
      local _, out = run("info", "odd.kmp")
      assert.matches("\n  1  2 points  round and round          came%[1%]\n", out)
      assert.matches("\n  2  3 points  back and forth   smooth  gobj%[1%] gobj%[2%]\n", out)
   end)

   it("shows the warnings of the file", function()
      local bytes = course.race():bytes()
      local respawn = bytes:find("CKPT", 17 * 4, true) + 8 + 0x10
      support.write(folder .. "/damaged.kmp", bytes:sub(1, respawn - 1) .. "\50" .. bytes:sub(respawn + 1))
      assert.matches("\nwarnings\n  warning  ckpt%[1%]%.respawn  ", select(2, run("info", "damaged.kmp")))
   end)

   it("knows an arena", function()
      local arena = kart.kmp.new{ ktpt = { { player = 0 }, { player = 6 } }, stgi = { { laps = 3 } } }
      assert(arena:save(folder .. "/arena.kmp"))
      assert.matches("mode +battle", select(2, run("info", "arena.kmp")))
      assert.equal(0, (run("info", "arena.kmp")))
   end)

   it("reads an empty course", function()
      assert(kart.kmp.new{}:save(folder .. "/empty.kmp"))
      assert.equal(0, (run("info", "empty.kmp")))
   end)
end)

describe("laps", function()
   it("shows keys and laps, or everything", function()
      local _, out = run("laps", "--laps", "1", "course.kmp")
      assert.matches("^course%.kmp\n  lap +%d+  ckpt%[1%]  lap 1  key 0 ", out)
      assert.matches("\n  key +%d+  ckpt%[4%]  lap 1  key 1 ", out)
      assert.not_matches("checkpoint", out)
      assert.matches("\n  checkpoint +%d+  ckpt%[2%] ", select(2, run("laps", "--all", "course.kmp")))
   end)

   it("fails when the laps aren't counted, and keeps it short", function()
      assert(course.endless():save(folder .. "/endless.kmp"))
      local code, out, err = run("laps", "endless.kmp")
      assert.equal(1, code)
      assert.matches("^endless%.kmp: 0 of 3 laps driven: [^\n]+\n$", err)
      assert.matches("\n  jump +%d+  ckpt%[4%] [^\n]+ by %-0%.500\n", out)
      assert.matches("\n  %.%.%. %d+ more, %-%-all shows them\n  laps: 0 of 3, ", out)
   end)

   it("refuses an arena", function()
      local arena = kart.kmp.new{ ktpt = { { player = 0 } }, stgi = { { laps = 3 } } }
      assert(arena:save(folder .. "/arena.kmp"))
      local code, _, err = run("laps", "arena.kmp")
      assert.same({ 1, "arena.kmp: the course has no checkpoints\n" }, { code, err })
   end)
end)
