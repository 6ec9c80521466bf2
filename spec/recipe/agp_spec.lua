-- Recipes on collision of the arcade games.
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"
local support = require "spec.support"

local folder

local function run(...) return support.run{ cwd = folder, ... } end

local function write(name, changes)
   local spec = { triangles = agp_course() }
   for key, value in pairs(changes or {}) do spec[key] = value end
   support.write(folder .. "/" .. name, agpfile.build(spec))
end

-- The document that a recipe makes of course.bin.
local function result(name, ...)
   local code, _, err = run(name, "-o", "result.bin", "course.bin", ...)
   assert.same({ 0, "" }, { code, err })
   return assert(kart.open(folder .. "/result.bin"))
end

before_each(function()
   folder = support.tmp()
   write "course.bin"
end)

describe("on collision of the arcade games", function()
   it("mirror, translate, scale and rotate do what the library does", function()
      local function made(change) return change(assert(kart.open(folder .. "/course.bin"))):bytes() end
      assert.is_true(result("mirror", "--axis", "z"):bytes() == made(function(c) return c:mirror "z" end))
      assert.is_true(result("translate", "--by", "1,2,3"):bytes()
         == made(function(c) return c:translate{ 1, 2, 3 } end))
      assert.is_true(result("scale", "--factor", "2"):bytes() == made(function(c) return c:scale(2) end))
      assert.is_true(result("rotate", "--angle", "30"):bytes() == made(function(c) return c:rotate("y", 30) end))
   end)

   it("rotate refuses to tip the ground over, unless it is told to", function()
      local code, out, err = run("rotate", "--axis", "x", "--angle", "30", "course.bin")
      assert.same({ 1, "" }, { code, out })
      assert.matches("^course%.bin: this would tip the ground over", err)
      assert.equal(0, (run("rotate", "--axis", "x", "--angle", "30", "--tip", "course.bin")))
   end)

   it("rebuild keeps a file by the rules, and computes walls", function()
      assert.is_true(result "rebuild":bytes() == support.read(folder .. "/course.bin"))
      write("drawn.bin", { marks = false, bounds = false, walls = { { { 0, 0 }, { 9, 9 } } } })
      local code, out = run("rebuild", "--walls", "compute", "drawn.bin")
      assert.equal(0, code)
      assert.matches("\n  walls +1 +33  3300 %%\n", out)
      assert.is_true(support.read(folder .. "/drawn.rebuild.bin") == support.read(folder .. "/course.bin"))
   end)

   it("check names what is wrong, and finds nothing wrong with a course by the rules", function()
      assert.same({ 0, "course.bin: nothing found\n", "" }, { run("check", "course.bin") })
      write("down.bin", { triangles = { { { 0, 0, 0 }, { 9, 0, 0 }, { 0, 0, 9 } } } })
      write("early.bin", { cells = function(i, words) if i == 0 then words[1] = 0 words[2] = 0 end end })
      local code, out = run("check", "--strict", "down.bin")
      assert.equal(1, code)
      assert.matches("^down%.bin: triangles%[1%]%.normal: W ground%-down: it faces down %(y %-1%.00%)\n", out)
      code, out = run("check", "early.bin")
      assert.equal(1, code)
      assert.matches("early%.bin: cells%[1%]: E cell%-ends%-early: ", out)
      code, out = run("check", "--explain", "ground-down")
      assert.equal(0, code)
      assert.matches("^ground%-down %(warning, triangles%)\n", out)
   end)

   it("info and agp_info tell what is in it", function()
      local code, out = run("info", "course.bin")
      assert.equal(0, code)
      assert.matches("\n  triangles +35, area %d+, 1 special\n", out)
      assert.matches("\n  0x00200400 +8 +%d+ +[%d.]+ %%  grass/medium\n", out)
      code, out = run("agp_info", "course.bin")
      assert.equal(0, code)
      assert.matches("\n  layout  as the game's own files\n", out)
      assert.matches("\n  walls   one for each open edge\n", out)
      assert.matches("\nmap: [^\n]+\n  %S+\n  %S+\n  %S+\n", out)
      write("odd.bin", { packed = true, bounds = false, flat = true, marks = false,
         walls = { { { 0, 0 }, { 9, 9 } } } })
      out = select(2, run("agp_info", "odd.bin"))
      assert.matches("\n  layout  another one than", out)
      assert.matches("\n  bounds  0\n", out)
      assert.matches("\n  edges   some are directions seen from above\n", out)
      assert.matches("\n  walls   all drawn by hand\n", out)
   end)

   it("retag knows its flags, which have 32 bits", function()
      local course = result("retag", "--set", "grass/medium=sand/heavy+special")
      local counts = {}
      for _, row in ipairs(course:flags()) do counts[row.flag] = row.count end
      assert.equal(8, counts[0x80400010])
   end)

   it("agp_to_obj writes a mesh that comes back", function()
      assert.equal(0, (run("agp_to_obj", "-o", "course.obj", "course.bin")))
      assert.equal(0, (run("agp_to_obj", "--split", "-o", "split.obj", "course.bin")))
      assert.matches("\no grass_medium_F00200400\n", support.read(folder .. "/split.obj"))
      assert.matches("\nusemtl grass_medium_F00200400\n", support.read(folder .. "/course.obj"))
      local mesh = assert(kart.open(folder .. "/course.obj"))
      mesh.game = "mkagp"
      local made = assert(kart.agp.build(mesh))
      assert.is_true(made:bytes() == support.read(folder .. "/course.bin"))
   end)

   it("folders stand for what is in them; other .bin files don't count", function()
      support.write(folder .. "/other.bin", ("data"):rep(100))
      assert.same({ 0, "./course.bin: nothing found\n", "" }, { run("check", ".") })
   end)
end)
