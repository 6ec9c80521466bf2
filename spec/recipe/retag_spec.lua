-- The recipe retag.
local support = require "spec.support"
local collision = require "spec.recipe.collision"

local folder

local function run(...) return support.run{ cwd = folder, "retag", ... } end

local function flags_of(name)
   local list = {}
   for _, row in ipairs(assert(kart.open(folder .. "/" .. name)):flags()) do list[#list + 1] = row.flag end
   return list
end

before_each(function()
   folder = support.tmp()
   support.write(folder .. "/course.kcl", collision.row{ 0x00, 0x20, 0x2C, 0x030C })
end)

describe("retag", function()
   it("follows its rules, and counts", function()
      local code, out, err = run("--set", "road/dirt=wall", "--set", "wall/*=+soft", "--set=0x0000=0x16", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.equal("course.kcl: road/dirt=wall: 2 prisms\ncourse.kcl: wall/*=+soft: 4 prisms\n"
         .. "course.kcl: 0x0000=0x16: 2 prisms\ncourse.kcl -> course.retag.kcl\n", out)
      assert.same({ 0x0C, 0x16, 0x802C, 0x830C }, flags_of "course.retag.kcl")
      assert.same({ 0x00, 0x20, 0x2C, 0x030C }, flags_of "course.kcl")
   end)

   it("finds the = between the sides", function()
      for rule, after in pairs{
         ["wall+light=3=road"] = { 0x00, 0x20, 0x2C, 0x0300 },
         ["road=road+light=3"] = { 0x20, 0x2C, 0x0300, 0x030C },
         ["wall + light = 3 = + light = 5"] = { 0x00, 0x20, 0x2C, 0x050C },
         ["wall+light=3+depth=0=-light"] = { 0x00, 0x0C, 0x20, 0x2C },
         ["32=5"] = { 0x00, 0x05, 0x2C, 0x030C },
      } do
         local code, _, err = run("-o", "out.kcl", "--set", rule, "course.kcl")
         assert.same({ 0, "" }, { code, err })
         assert.same(after, flags_of "out.kcl", rule)
      end
   end)

   it("says that nothing changed, and writes the copy", function()
      local code, out, err = run("--set", "off_road=road", "course.kcl")
      assert.same({ 0, "course.kcl: off_road=road: 0 prisms\ncourse.kcl: nothing changed\n"
         .. "course.kcl -> course.retag.kcl\n", "" }, { code, out, err })
      assert.equal(support.read(folder .. "/course.kcl"), support.read(folder .. "/course.retag.kcl"))
   end)

   it("says what a rule that fits nothing may have meant", function()
      local _, out = run("--dry-run", "--set", "off_road=road", "--set", "wall+soft=road", "course.kcl")
      assert.matches("^course.kcl: off_road=road: 0 prisms\ncourse.kcl: wall%+soft=road: 0 prisms\n", out)
      support.write(folder .. "/walls.kcl", collision.row{ 0x2C, 0x4C, 0x4D })
      _, out = run("--dry-run", "--set", "wall=road", "walls.kcl")
      assert.matches("^walls.kcl: wall=road: 0 prisms; wall/%* stands for 4\n", out)
   end)

   it("shows the flags, and saves nothing", function()
      local code, out, err = run("--show", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.equal([[
course.kcl
  flag    prisms   area   share
  0x0000       2  16384  25.0 %  road
  0x0020       2  16384  25.0 %  road/dirt
  0x002C       2  16384  25.0 %  wall/rock
  0x030C       2  16384  25.0 %  wall+light=3
]], out)
      assert.is_nil(io.open(folder .. "/course.retag.kcl"))
   end)

   it("is refused when there is nothing to do, or a rule isn't one", function()
      for message, words in pairs{
         ["nothing to do: --set says what becomes what, --show lists the flags"] = {},
         ['--set: expected OLD=NEW like road/dirt=road, found "road"'] = { "--set", "road" },
         ["--set: two rules for road"] = { "--set", "road=wall", "--set", "road=off_road" },
      } do
         words[#words + 1] = "course.kcl"
         local code, out, err = run(table.unpack(words))
         assert.same({ 2, "", ("kartlua retag: %s (--help shows the usage)\n"):format(message) }, { code, out, err })
      end
   end)

   it("takes the names of the file's game: an unknown one is an error of the file", function()
      support.write(folder .. "/eight.kcl", collision.row({ 0x11 }, "mk8"))
      local code, out, err = run("--set", "wall_1=road_1", "eight.kcl", "course.kcl")
      assert.same({ 1, "eight.kcl: wall_1=road_1: 2 prisms\neight.kcl -> eight.retag.kcl\n" }, { code, out })
      assert.equal("course.kcl: wall_1: there is no type 'wall_1' (did you mean wall_2?)\n", err)
   end)

   it("is an error where rules disagree", function()
      local code, _, err = run("--set", "*+light=3=road", "--set", "*-depth-soft=wall/ice", "course.kcl")
      assert.equal(1, code)
      assert.matches("^course.kcl: '%*%+light=3' and '%*%-depth%-soft' both fit 0x030C %(wall%+light=3%), "
         .. "and disagree\n$", err)
   end)
end)
