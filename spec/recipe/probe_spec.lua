local support = require "spec.support"
local collision = require "spec.recipe.collision"

describe("probe", function()
   local folder = support.tmp()
   support.write(folder .. "/course.kcl", collision.row{ 0x00, 0x20, 0x0C, 0x200C })
   support.write(folder .. "/galaxy.kcl", collision.row({ 0x00, 0x20 }, "smg"))

   local function run(...) return support.run{ "probe", cwd = folder, ... } end

   local function answers(...)
      local code, out, err = run(...)
      assert.same({ 0, "" }, { code, err })
      return out
   end

   it("names the cell, and what a sphere touches, with flags in words", function()
      local out = answers("--at", "64,50,64", "--radius", "100", "course.kcl")
      assert.matches("^course%.kcl\n  cell    512 units from %(%-%d+, %-%d+, %-%d+%), 8 prisms listed\n", out)
      assert.matches("\n  point   in none of them\n  sphere  of 100 touches %d of them\n", out)
      assert.matches("\n    prism  depth  region  normal     flag    surface\n", out)
      assert.matches("\n        1     50  face    %(0, 1, 0%)  0x0000  Road\n", out)
   end)

   it("names the prisms that a point is in", function()
      local out = answers("--at", "300,-20,20", "course.kcl")
      assert.matches("\n  point   in %d of them\n", out)
      assert.matches("\n +%d  20%.01  face    %(0, 1, 0%)  0x000C  Wall\n", out)
      assert.not_matches("sphere", out)
   end)

   it("looks at some surfaces only", function()
      local out = answers("--at", "256,20,64", "--radius", "200", "--flags", "walls", "course.kcl")
      assert.matches("Wall", out)
      assert.not_matches("Road", out)
      local code, _, err = run("--at", "0,0,0", "--flags", "wals", "course.kcl")
      assert.equal(1, code)
      assert.matches("^course%.kcl: %-%-flags: there is no type 'wals'", err)
   end)

   it("counts where it came from", function()
      local words = { "--at", "64,-10,64", "--radius", "50", "course.kcl" }
      assert.matches("touches", answers(table.unpack(words)))
      assert.matches("touches none", answers("--from", "64,-30,64", table.unpack(words)))
   end)

   it("lists all of the cell's prisms", function()
      local out, count = answers("--at", "64,50,64", "--list", "course.kcl"), 0
      for _ in out:gmatch "\n +%d  +%-  %-  " do count = count + 1 end
      assert.equal(8, count)
   end)

   it("asks as the other engine", function()
      local out = answers("--at", "64,20,64", "--radius", "30", "--rule", "galaxy", "galaxy.kcl")
      assert.matches("\n  sphere  of 30 touches %d of them\n", out)
      assert.matches("\n +1 +10  face    %(0, 1, 0%)  0x0000\n", out)
   end)

   it("says what is outside", function()
      local out = answers("--at", "1e6,0,0", "--radius", "10", "course.kcl")
      assert.matches("\n  cell    none: the place is outside of the octree\n  point   in none of them\n", out)
   end)

   it("needs a place", function()
      local code, _, err = run("course.kcl")
      assert.equal(2, code)
      assert.matches("%-%-at is missing", err)
   end)
end)
