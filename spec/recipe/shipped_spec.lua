-- The recipes that come with kartlua, each run as its manual says. Those for collision have specs of
-- their own beside this one.
local lfs = require "lfs"
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"
local support = require "spec.support"
local collision = require "spec.recipe.collision"
local course = require "spec.recipe.course"
local tools = require "spec.kmp.tools"

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
   support.write(folder .. "/course.kcl", collision.row{ 0x00, 0x20, 0x0C, 0x200C })
   support.write(folder .. "/course.bin", agpfile.build{ triangles = agp_course() })
   local archive = assert(kart.course(folder .. "/course.kmp"))
   assert(archive:save(folder .. "/course.szs"))
   assert(archive:extract(folder .. "/course.d"))
   assert(kart.open(folder .. "/course.kcl"):mesh():save(folder .. "/course.obj"))
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
            assert.matches("\n%-%- Output[^\n]*:\n%-%-    course%.%l+", text)
         end)

         it(name .. " is listed with its summary and has help", function()
            local summary = select(2, run("--list")):match("%f[%w_]" .. name .. " +([^\n]+)\n")
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
            assert.matches("^course%.%l+", out)
         end)
      end
   end

   it("is here", function() assert.truthy(found >= 8) end)

   it("reads every sample, however old", function()
      for _, name in ipairs(tools.names()) do
         support.write(folder .. "/any.kmp", tools.bytes(name))
         for _, words in ipairs{ { "info", "any.kmp" }, { "check", "any.kmp" }, { "diff", "any.kmp", "course.kmp" },
            { "diff", "course.kmp", "any.kmp" } } do
            local code, out, err = run(table.unpack(words))
            local said = code == 0 or out ~= "" or err:find "^[%w_]+%.kmp: " or err:find "different games"
            assert.truthy(said, name .. ": " .. err)
            assert.not_matches("%.lua:%d+:", err)
         end
      end
   end)
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

   it("counts who uses a route by what the game does with it", function()
      local users = course.race{
         poti = { { points = { {} } }, { points = { {} } }, { points = { {} } } },
         gobj = { { id = 234, route = 1, settings = { 1 } }, { id = 0x1000 + 420, settings = { 0 } },
            { id = 420, route = 2, settings = { 1 } }, { id = 234, settings = { 0xFFFF } } },
         area = { { type = 0 }, { type = 3, route = 3 } },
         came = { { type = 0, route = 2 }, { type = 1, route = 2 }, { type = 2, route = 3 }, { type = 3, route = 2 },
            { type = 4, route = 3 }, { type = 5, route = 3 }, { type = 6, route = 1 }, { type = 7, route = 1 } },
      }
      -- The route of an area that isn't water: for the game it is nothing.
      local bytes = users:bytes()
      local area = bytes:find("AREA", 17 * 4, true) + 8
      support.write(folder .. "/users.kmp", bytes:sub(1, area + 0x2B) .. "\0" .. bytes:sub(area + 0x2D))
      local code, out = run("info", "users.kmp")
      assert.equal(0, code)
      assert.matches("\n  1  1 point  round and round    gobj%[1%] gobj%[2%] came%[7%] came%[8%]\n", out)
      assert.matches("\n  2  1 point  round and round    gobj%[1%] gobj%[3%] +named by came%[1%] came%[2%] "
         .. "came%[4%]\n", out)
      assert.matches("\n  3  1 point  round and round    area%[2%] came%[3%] came%[6%] +named by came%[5%]\n", out)
   end)

   it("cuts a long list of users short", function()
      local many = { poti = { { points = { {} } } }, gobj = {} }
      for i = 1, 6 do many.gobj[i] = { id = 201, route = 1 } end
      assert(kart.kmp.new(many):save(folder .. "/many.kmp"))
      assert.matches(" gobj%[1%] gobj%[2%] gobj%[3%] gobj%[4%] %+2\n", select(2, run("info", "many.kmp")))
   end)

   it("knows areas that have no route", function()
      local old = kart.kmp.new{ version = 2199, poti = { { points = { {} } } }, area = { { type = 3 } } }
      assert(old:save(folder .. "/old.kmp"))
      local code, _, err = run("info", "old.kmp")
      assert.same({ 0, "" }, { code, err })
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

describe("with collision", function()
   local function doc(name) return assert(kart.open(folder .. "/" .. name)) end

   it("mirror gives the mirror image, and twice the same bytes", function()
      local code, out, err = run("mirror", "course.kcl")
      assert.same({ 0, "course.kcl -> course.mirror.kcl\n", "" }, { code, out, err })
      local one, other = doc("course.kcl").prisms, doc("course.mirror.kcl").prisms
      for i = 1, #one do
         local corners = one[i].corners
         for j, place in ipairs{ 1, 3, 2 } do -- B and C change places
            local p, q = corners[j], other[i].corners[place]
            assert.is_true((kart.vec(-p.x, p.y, p.z) - q):length() < 1e-3)
         end
      end
      run("mirror", "course.mirror.kcl", "-o", "again.kcl")
      assert.equal(support.read(folder .. "/course.kcl"), support.read(folder .. "/again.kcl"))
   end)

   it("translate moves where numbers stay exact", function()
      assert.same({ 0, "course.kcl -> course.translate.kcl\n", "" },
         { run("translate", "--by", "64,0,1024", "course.kcl") })
      local from, to = doc("course.kcl").prisms[1], doc("course.translate.kcl").prisms[1]
      assert.equal(from.position + kart.vec(64, 0, 1024), to.position)
   end)

   it("what needs another octree gets one", function()
      local before = support.read(folder .. "/course.kcl")
      for _, words in ipairs{ { "rotate", "--angle", "90" }, { "scale", "--factor", "2" },
         { "scale", "--factor", "1,2,1" }, { "translate", "--by", "0.001,0,0" },
         -- ... also with options that only a KMP has a use for.
         { "scale", "--factor", "2", "--scale-speeds", "--scale-objects" },
         { "rotate", "--angle", "90", "--height", "0" } } do
         words[#words + 1] = "course.kcl"
         local name = ("course.%s.kcl"):format(words[1])
         assert.same({ 0, ("course.kcl -> %s\n"):format(name), "" }, { run(table.unpack(words)) })
         assert.equal(8, #doc(name).prisms)
         local proof = doc(name):prove()
         assert.same({ 0, 0 }, { proof.missing, proof.outside })
      end
      assert.equal(before, support.read(folder .. "/course.kcl"))
   end)

   it("so do archives", function()
      local archive = kart.szs.new()
      assert(archive:add("course.kmp", support.read(folder .. "/course.kmp")))
      assert(archive:add("course.kcl", support.read(folder .. "/course.kcl")))
      assert(archive:save(folder .. "/turned.szs"))
      for _, words in ipairs{ { "rotate", "--angle", "30" }, { "scale", "--factor", "2,1,1" } } do
         words[#words + 1] = "turned.szs"
         assert.equal(0, (run(table.unpack(words))))
         local turned <close> = doc(("turned.%s.szs"):format(words[1]))
         assert.is_false(turned.kcl.stale)
         local proof = turned.kcl:prove()
         assert.same({ 8, 0, 0 }, { #turned.kcl.prisms, proof.missing, proof.outside })
      end
   end)

   it("an octree that can't be built is an error, and nothing is written", function()
      support.write(folder .. "/broken.kcl", require("spec.kcl.tools").unbuildable())
      for _, more in ipairs{ {}, { "--in-place" }, { "--dry-run" }, { "--force" } } do
         local words = { "translate", "--by", "0.1,0,0", table.unpack(more) }
         words[#words + 1] = "broken.kcl"
         local code, out, err = run(table.unpack(words))
         assert.same({ 1, "" }, { code, out })
         assert.equal("broken.kcl: none of 24 triangles has an area\n", err)
      end
      for name in lfs.dir(folder) do assert.not_matches("^broken%.%l+%.kcl$", name) end
   end)

   it("octrees of Mario Kart 8 are built as well", function()
      support.write(folder .. "/switch.kcl", collision.row({ 0x00, 0x20 }, "mk8dx", {}))
      for _, words in ipairs{ { "rotate", "--angle", "90" }, { "scale", "--factor", "1,2,1" } } do
         words[#words + 1] = "switch.kcl"
         assert.equal(0, (run(table.unpack(words))))
         local turned <close> = doc(("switch.%s.kcl"):format(words[1]))
         local proof = turned:prove()
         assert.same({ "mk8dx", 4, 0, 0 }, { turned.game, #turned.prisms, proof.missing, proof.outside })
      end
   end)

   it("goes along with KMP in one command", function()
      local code, out = run("mirror", "-o", "out/", "course.kmp", "course.kcl")
      assert.same({ 0, "course.kmp -> out/course.kmp\ncourse.kcl -> out/course.kcl\n" }, { code, out })
   end)

   it("info tells what is there", function()
      local code, out, err = run("info", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      for _, pattern in ipairs{ "^course%.kcl\n  game       Mario Kart Wii\n  size       %d+ bytes\n",
         "\n  prisms     8, area 65536\n", "\n  thickness  300, spheres up to 250\n", "\n  x          0 to 512\n",
         "\n\noctree\n  cells  %d+, %d+ of them empty", "\n  lists  %d+, %d+ entries, longest %d+, mean %d+%.%d\n",
         "\n\nflags\n  flag    prisms   area   share\n  0x0000       2  16384  25%.0 %%  road\n",
         "\n  0x200C       2  16384  25%.0 %%  wall%+trickable\n\n$" } do
         assert.matches(pattern, out)
      end
      assert.not_matches("models", out)
   end)

   it("info shows models, and a guess", function()
      local changes = { split = function(_, size) return size[1] > 512 end, total = 3 }
      support.write(folder .. "/many.kcl", collision.row({ 0x00, 0x20, 0x40, 0x60, 0x11, 0x31 }, "mk8dx", changes))
      local code, out = run("info", "many.kcl")
      assert.equal(0, code)
      assert.matches("\n  game       Mario Kart 8 Deluxe %(guessed%)\n", out)
      assert.matches("\n  prisms     %d+, area %d+, 12 different triangles\n", out)
      assert.matches("\n\nmodels\n  model  prisms  bytes  root cells  from\n      1 ", out)
      assert.matches("  wall_1/cliff\n", out)
      assert.matches("\n\nwarnings\n  warning  +header states 3 prisms", out)
   end)

   it("info shows numbers where flags have no names", function()
      support.write(folder .. "/galaxy.kcl", collision.row({ 0x00, 0x20 }, "smg"))
      assert.matches("\n  0x0020       2  16384  50%.0 %%\n\n$", select(2, run("info", "galaxy.kcl")))
   end)

   it("info reads a file without prisms", function()
      support.write(folder .. "/none.kcl", collision.row{})
      local code, out = run("info", "none.kcl")
      assert.equal(0, code)
      assert.matches("\n  prisms     0, area 0\n  thickness", out)
      assert.not_matches("flags", out)
   end)

   it("laps is an error", function()
      assert.equal("course.kcl: a KCL file, but this recipe takes KMP files\n", select(3, run("laps", "course.kcl")))
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
