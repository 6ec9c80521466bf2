-- The recipe convert.
local support = require "spec.support"
local tools = require "spec.convert.tools"

local folder

local function run(...) return support.run{ cwd = folder, "convert", ... } end

before_each(function()
   folder = support.tmp()
   assert(tools.course "mkw":save(folder .. "/course.kcl"))
end)

describe("convert", function()
   it("makes another game's file, and says what became of everything", function()
      local code, out, err = run("--game", "mk8", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.equal("mk8", assert(kart.open(folder .. "/course.convert.kcl")).game)
      for _, line in ipairs{ "^course%.kcl: mkw to mk8, scaled by 0%.1 %(inferred%)\n  flag +triangles +area\n",
         "\n  road/dirt%+trickable +18 +%d+  road_2/dirt_small%+trickable\n", "\n  wall/rock +2 +%d+  wall_1/cliff\n",
         "\ncourse%.kcl: 76 triangles, area %d+: 76 in the result\n",
         "\ncourse%.kcl: corners are off by [%d.e-]+ at most; 1 model, %d+ edges open\n" } do
         assert.matches(line, out)
      end
      assert.is_true(assert(kart.open(folder .. "/course.convert.kcl")):bytes()
         == assert(kart.convert(kart.open(folder .. "/course.kcl"), "mk8")):bytes())
   end)

   it("writes a .bin for the arcade games, and takes it back with walls", function()
      local code, out, err = run("--game", "mkagp", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.matches("\n  boost_pad +18 +%d+  default %(like boost_pad%)\n", out)
      assert.matches("\n  wall/rock +2 +%d+  left out\n", out)
      assert.matches("\ncourse%.kcl: 76 triangles, area %d+: 4 left out %(area %d+%), 72 in the result\n", out)
      assert.matches("\ncourse%.kcl: 24 edges open, each is a wall\n", out)
      code, out = run("--game", "mkw", "course.convert.bin", "-o", "back.kcl")
      assert.equal(0, code)
      assert.matches("\ncourse%.convert%.bin: 24 walls left out; %-%-walls raises those of 24 open edges\n", out)
      code, out = run("--game", "mkw", "--walls", "300", "course.convert.bin", "-o", "walls.kcl")
      assert.equal(0, code)
      assert.matches("\ncourse%.convert%.bin: 48 of these are walls on open edges\n", out)
      assert.equal(120, #assert(kart.open(folder .. "/walls.kcl")).prisms)
   end)

   it("takes the collision out of archives and folders, and leaves them as they are", function()
      local archive = assert(kart.szs.new())
      assert(archive:add("course.kcl", support.read(folder .. "/course.kcl")) and archive:save(folder .. "/a.szs"))
      local before = support.read(folder .. "/a.szs")
      assert.same({ 0, "" }, { (run("--game", "mkagp", "-o", "out/", "a.szs")), "" })
      assert.equal("agp", kart.type(assert(kart.open(folder .. "/out/a.bin"))))
      assert.is_true(support.read(folder .. "/a.szs") == before)
   end)

   it("follows a file of rules, a factor, and what a file is said to be", function()
      support.write(folder .. "/rules.txt", "wall/* = wall_2/glass\nfall_boundary/* = drop\n")
      local code, out = run("--game", "mk8", "--flags", "rules.txt", "--scale", "0.5", "course.kcl")
      assert.equal(0, code)
      assert.matches("scaled by 0%.5 %(given%)\n", out)
      assert.matches("\n  wall/rock +2 +%d+  wall_2/glass\n", out)
      assert.matches("\n  fall_boundary/water +2 +%d+  left out\n", out)
      assert(tools.course "mk7":save(folder .. "/guess.kcl"))
      code, out = run("--game", "mkw", "guess.kcl", "-o", "x.kcl")
      assert.equal(0, code)
      assert.matches("^guess%.kcl: mk7 %(guessed%) to mkw, scaled by 10 %(inferred%)\n", out)
      assert.matches("\n  0x0000 +18 +%d+  road %(as it stands%)\n", out)
      code, out = run("--game", "mkw", "--from", "sm3dl", "guess.kcl", "-o", "x.kcl")
      assert.equal(0, code)
      assert.matches("^guess%.kcl: sm3dl to mkw, scaled by 1 %(unknown%)\n", out)
   end)

   it("takes an OBJ, whose materials are of the game that is said", function()
      assert(tools.mesh "mkds":save(folder .. "/town.obj"))
      local code, out = run("--game", "mkagp", "--from", "mkds", "town.obj")
      assert.equal(0, code)
      assert.matches("^town%.obj: mkds to mkagp, scaled by 1 %(weak%)\n", out)
      assert.equal(72, #assert(kart.open(folder .. "/town.convert.bin")).triangles)
   end)

   it("prints the table", function()
      local code, out = run "--list"
      assert.equal(0, code)
      assert.matches("^kind +mkw +mk8 +mkds +mkagp\nroad +road +road_1 +road%+is_floor +default\n", out)
      assert.matches("\nwall_rock +wall/rock +wall_1/cliff +%(wall%+is_wall%) +%-\n", out)
   end)

   it("makes cells as large as it is told to", function()
      assert.equal(0, (run("--game", "mkagp", "--cell", "400", "-o", "large.bin", "course.kcl")))
      local large <close> = assert(kart.open(folder .. "/large.bin"))
      assert.equal(400, large.grid.cell.x)
   end)

   it("refuses what it can't do", function()
      local function fails(code, message, ...)
         local got, _, err = run(...)
         assert.equal(code, got)
         assert.matches(message, err)
      end
      fails(2, "%-%-game: to which game%?", "course.kcl")
      fails(2, "%-%-game: expected one of", "--game", "snes", "course.kcl")
      fails(2, "%-%-cell: only files of mkagp", "--game", "mk8", "--cell", "50", "course.kcl")
      fails(2, "%-%-max%-error: files of mkagp", "--game", "mkagp", "--max-error", "5", "course.kcl")
      support.write(folder .. "/rules.txt", "rod = dash")
      fails(1, "^course%.kcl: rules%.txt: line 1: rod: there is no type 'rod' %(did you mean road%?%)\n",
         "--game", "mk8", "--flags", "rules.txt", "course.kcl")
      assert(tools.course "mkagp":save(folder .. "/course.bin"))
      fails(1, "^course%.bin: %-%-from: this is a file of mkagp\n", "--game", "mkw", "--from", "mk8", "course.bin")
   end)
end)
