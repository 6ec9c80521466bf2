-- Collision from OBJ, and collision cleaned, from a shell.
local support = require "spec.support"
local collision = require "spec.recipe.collision"

local folder

local function run(...) return support.run{ cwd = folder, ... } end

local OBJ = "v 0 0 0\nv 0 0 900\nv 900 0 0\nv 900 0 900\nusemtl floor_F0000\nf 1 2 3\nusemtl %s\nf 3 2 4\n"

before_each(function()
   folder = support.tmp()
   support.write(folder .. "/good.obj", OBJ:format "wall_F000C")
   support.write(folder .. "/unknown.obj", OBJ:format "brick")
end)

describe("obj_to_kcl", function()
   it("makes collision of an OBJ, beside it or where -o says", function()
      local code, out, err = run("obj_to_kcl", "good.obj")
      assert.same({ 0, "" }, { code, err })
      assert.matches("good.obj %-> good.obj_to_kcl.kcl\n$", out)
      local course = assert(kart.open(folder .. "/good.obj_to_kcl.kcl"))
      assert.same({ 0, 0x0C }, { course.prisms[1].flag, course.prisms[2].flag })
      assert.equal(0, course:prove().missing)
      assert.equal(0, (run("obj_to_kcl", "--game", "mk7", "-o", "x.kcl", "good.obj")))
      assert.equal("mk7", assert(kart.open(folder .. "/x.kcl", { game = "mk7" })).game)
   end)

   it("never takes a material without a flag for a road", function()
      local code, out, err = run("obj_to_kcl", "unknown.obj")
      assert.equal(1, code)
      assert.matches("1 triangle of the material brick: no flag", out)
      assert.matches("^unknown.obj: 1 material says no flag[^\n]*\n$", err)
      assert.is_nil(io.open(folder .. "/unknown.obj_to_kcl.kcl"))
      assert.equal(0, (run("obj_to_kcl", "--unknown", "wall", "unknown.obj")))
      assert.equal(0x0C, assert(kart.open(folder .. "/unknown.obj_to_kcl.kcl")).prisms[2].flag)
      support.write(folder .. "/f.flags", "brick = off_road/mud\r\n")
      assert.equal(0, (run("obj_to_kcl", "--flags", "f.flags", "unknown.obj")))
      assert.equal(0x43, assert(kart.open(folder .. "/unknown.obj_to_kcl.kcl")).prisms[2].flag)
   end)

   it("only looks with --check", function()
      local code, out = run("obj_to_kcl", "--check", "good.obj")
      assert.equal(0, code)
      assert.matches("^good.obj: 2 triangles", out)
      assert.is_nil(io.open(folder .. "/good.obj_to_kcl.kcl"))
   end)

   it("leaves out what can't be a prism only when asked", function()
      support.write(folder .. "/flat.obj", OBJ:format "wall_F000C" .. "f 1 1 2\nf 1 2 2\n")
      local code, _, err = run("obj_to_kcl", "flat.obj")
      assert.equal(1, code)
      assert.matches("triangle 3 can't be a prism: it has no area %(2 can't%); %-%-drop leaves such triangles out\n$",
         err)
      code, _, err = run("obj_to_kcl", "--drop", "flat.obj")
      assert.equal(0, code)
      assert.matches("flat.obj: triangle 3 is left out: it has no area\n", err)
   end)
end)

describe("clean", function()
   it("takes triangles out of all models that have them", function()
      local positions, triangles = {}, {}
      for i = 0, 199 do -- strips of triangles that get larger
         for k, corner in ipairs{ { 0, 0 }, { 0, 20 + i }, { 20 + i, 0 } } do
            positions[3 * i + k] = { 300.0 * (i % 20) + corner[1], 0, 300.0 * (i // 20) + corner[2] }
         end
         triangles[i + 1] = { 3 * i + 1, 3 * i + 2, 3 * i + 3, flag = i % 2 }
      end
      local mesh = kart.mesh.new{ positions = positions, triangles = triangles }
      assert(assert(kart.kcl.build(mesh, { game = "mk8", model_prisms = 40 })):save(folder .. "/many.kcl"))
      local code, out = run("clean", "--weak", "5000", "--duplicates", "no", "many.kcl")
      assert.equal(0, code, out)
      local course = assert(kart.open(folder .. "/many.clean.kcl"))
      local left = 0
      for _, prism in ipairs(course.prisms) do assert.is_true(prism.area >= 5000) end
      for _, triangle in ipairs(mesh.triangles) do if triangle.area >= 5000 then left = left + 1 end end
      assert.equal(left, course:stats().triangles)
      assert.equal(0, course:prove().missing)
   end)

   before_each(function() support.write(folder .. "/course.kcl", collision.row{ 0, 0x20, 0x0C }) end)

   it("keeps what is sound, in order", function()
      local code, out, err = run("clean", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.matches("^course.kcl: 0 prisms of 6 taken out\n", out)
      local course = assert(kart.open(folder .. "/course.clean.kcl"))
      local before = assert(kart.open(folder .. "/course.kcl"))
      for i, prism in ipairs(before.prisms) do assert.equal(prism.flag, course.prisms[i].flag) end
      assert.equal(0, course:prove().missing)
   end)

   it("takes out each kind that it is told to, and says how many", function()
      for _, case in ipairs{ { "duplicate", "stand twice", {}, "duplicates" },
         { "face_down", "face down", { "--face-down", "yes" }, "face_down" } } do
         local path = support.root .. "/build/samples/kcl/" .. case[1] .. ".kcl"
         local words = table.move(case[3], 1, #case[3], 2, { "clean" })
         table.move({ "-o", "x.kcl", path }, 1, 3, #words + 1, words)
         local code, out = run(table.unpack(words))
         assert.equal(0, code)
         local count = math.tointeger(out:match("(%d+) that [%a ]*" .. case[2]))
         assert.is_true(count and count > 0, out)
         local before, after = assert(kart.open(path)), assert(kart.open(folder .. "/x.kcl"))
         assert.is_true(#after.prisms <= #before.prisms - count)
         local option = "--" .. case[4]:gsub("_", "-")
         code, out = run("clean", option, "no", "-o", "y.kcl", path)
         assert.equal(0, code)
         assert.is_nil(out:find(case[2], 1, true))
      end
      local code, out = run("clean", "--weak", "1e12", "-o", "z.kcl", "course.kcl")
      assert.equal(1, code)
      assert.equal("", out)
   end)
end)
