-- The recipes kcl_to_obj and obj_to_kcl.
local lfs = require "lfs"
local support = require "spec.support"
local collision = require "spec.recipe.collision"

local folder

local function run(...) return support.run{ cwd = folder, ... } end

before_each(function()
   folder = support.tmp()
   support.write(folder .. "/course.kcl", collision.row{ 0x00, 0x20, 0x0C, 0x200C })
end)

describe("kcl_to_obj", function()
   it("writes an OBJ with its MTL beside it, which has the same flags", function()
      local code, out, err = run("kcl_to_obj", "-o", "a.obj", "course.kcl")
      assert.same({ 0, "" }, { code, err })
      assert.equal("course.kcl: 8 triangles, 10 positions, 10 of 17 edges open\ncourse.kcl -> a.obj\n", out)
      local mesh = assert(kart.open(folder .. "/a.obj"))
      assert.same({}, mesh.warnings)
      local prisms = assert(kart.open(folder .. "/course.kcl")).prisms
      for i, triangle in ipairs(mesh.triangles) do assert.equal(prisms[i].flag, triangle.flag) end
      assert.matches("newmtl road_dirt_F0020\nKd 0.55 0.55 0.58\n", support.read(folder .. "/a.mtl"))
   end)

   it("puts results beside the input or into a folder, never over the input", function()
      support.write(folder .. "/b.KCL", collision.row{ 0x00 })
      assert.equal(0, (run("kcl_to_obj", "course.kcl", "b.KCL")))
      for _, name in ipairs{ "course.kcl_to_obj.obj", "course.kcl_to_obj.mtl", "b.kcl_to_obj.obj" } do
         assert.is_string(support.read(folder .. "/" .. name))
      end
      assert.equal(0, (run("kcl_to_obj", "-o", "out/", "course.kcl", "b.KCL")))
      assert.equal(2, #assert(kart.open(folder .. "/out/b.obj")).triangles)
      assert.equal(2, (run("kcl_to_obj", "--in-place", "course.kcl")))
   end)

   it("writes a PLY where the name says so, and refuses other endings", function()
      assert.equal(0, (run("kcl_to_obj", "-o", "a.ply", "course.kcl")))
      assert.matches("^ply\n", support.read(folder .. "/a.ply"))
      local code, _, err = run("kcl_to_obj", "-o", "a.dae", "course.kcl")
      assert.same({ 1, "a.dae: a mesh is saved as .obj or .ply\n" }, { code, err })
   end)

   it("makes an object of each kind of surface", function()
      assert.equal(0, (run("kcl_to_obj", "--split", "-o", "a.obj", "course.kcl")))
      local parts = {}
      for i, triangle in ipairs(assert(kart.open(folder .. "/a.obj")).triangles) do parts[i] = triangle.part end
      assert.equal("road_F0000 road_F0000 wall_F000C wall_F000C road_dirt_F0020 road_dirt_F0020 wall_F200C wall_F200C",
         table.concat(parts, " "))
   end)
end)

describe("a course with collision", function()
   local function bytes_of(name) return support.read(folder .. "/" .. name) end
   local function make(path)
      local archive = assert(kart.szs.new())
      assert(archive:add("course.kcl", bytes_of "course.kcl") and archive:add("course_model.brres", "bres"))
      assert(archive:save(folder .. "/" .. path))
   end

   it("gives a mesh beside its archive, which stays as it is", function()
      make "course.szs"
      local before = bytes_of "course.szs"
      local code, out, err = run("kcl_to_obj", "course.szs")
      assert.same({ 0, "" }, { code, err })
      assert.equal("course.szs/course.kcl: 8 triangles, 10 positions, 10 of 17 edges open\n"
         .. "course.szs -> course.kcl_to_obj.obj\n", out)
      assert.equal(before, bytes_of "course.szs")
      assert.equal(0, (run("kcl_to_obj", "-o", "loose.obj", "course.kcl")))
      assert.same(bytes_of "loose.obj":gsub("mtllib [^\n]*", ""),
         bytes_of "course.kcl_to_obj.obj":gsub("mtllib [^\n]*", ""))
      assert.equal(2, (run("kcl_to_obj", "--in-place", "course.szs")))
   end)

   it("gives one in a folder, too", function()
      make "course.szs"
      assert.equal(0, (run("szs_extract", "course.szs")))
      assert.equal(0, (run("kcl_to_obj", "course.d")))
      assert.equal(0, (run("kcl_to_obj", "-o", "out/", "course.d/")))
      for _, name in ipairs{ "course.kcl_to_obj.obj", "out/course.obj" } do
         assert.equal(8, #assert(kart.open(folder .. "/" .. name)).triangles)
      end
   end)

   it("is one of many: results keep the shape of the folders", function()
      for _, name in ipairs{ "tracks", "tracks/cup", "tracks/luigi" } do assert(lfs.mkdir(folder .. "/" .. name)) end
      make "tracks/cup/a.szs"
      make "tracks/b.arc"
      support.write(folder .. "/tracks/luigi/course.kcl", bytes_of "course.kcl")
      local code, out, err = run("kcl_to_obj", "-j2", "-o", "out/", "tracks")
      assert.same({ 0, "" }, { code, err })
      assert.equal(3, select(2, out:gsub(" %-> ", "")))
      for _, name in ipairs{ "out/cup/a.obj", "out/cup/a.mtl", "out/b.obj", "out/luigi.obj" } do
         assert.is_string(bytes_of(name))
      end
      assert.equal(0, (run("kcl_to_obj", "tracks")))
      assert.is_string(bytes_of "tracks/cup/a.kcl_to_obj.obj")
      code, out = run("obj_to_kcl", "out")
      assert.equal(0, code)
      assert.equal(3, select(2, out:gsub("8 triangles", "")))
   end)

   it("without any is an error, and is no mesh itself", function()
      local archive = assert(kart.szs.new())
      assert(archive:add("course_model.brres", "bres") and archive:save(folder .. "/a.szs"))
      assert.same({ 1, "", "a.szs: there is no KCL of a course in it\n" }, { run("kcl_to_obj", "a.szs") })
      assert.same({ 1, "", "a.szs: there is no OBJ of a course in it\n" }, { run("obj_to_kcl", "a.szs") })
   end)
end)

describe("a recipe with an ending", function()
   it("takes one kind of document, as each input gives one file", function()
      for _, takes in ipairs{ [[accepts = { "kmp", "kcl" }]], [[accepts = "kcl", objects = true]] } do
         support.write(folder .. "/a.lua", [[return require "kartlua.recipe"{ summary = "x", ending = "obj", ]]
            .. takes .. [[, run = print }]])
         local code, _, err = run("a.lua", "course.kcl")
         assert.equal(1, code)
         assert.matches("with an ending, one kind of document", err)
      end
   end)

   it("saves what it was given where it gives nothing back", function()
      support.write(folder .. "/a.lua", [[return require "kartlua.recipe"{ summary = "x", accepts = "kcl",
         ending = "bin", run = function(kcl) kcl.prisms[1].flag = 7 end }]])
      local archive = assert(kart.szs.new())
      assert(archive:add("course.kcl", support.read(folder .. "/course.kcl")))
      assert(archive:save(folder .. "/course.szs"))
      assert.equal(0, (run("a.lua", "course.szs")))
      assert.equal(7, assert(kart.open(folder .. "/course.a.bin")).prisms[1].flag)
      assert.equal(0, assert(kart.open(folder .. "/course.szs")).kcl.prisms[1].flag)
   end)
end)

describe("obj_to_kcl with --check", function()
   it("reports triangles, flags, and what is odd", function()
      assert(kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 10 }, { 10, 0, 0 } }, triangles = {
         { 1, 2, 3, flag = 0 }, { 2, 3, 1, flag = 0 }, { 1, 2, 2, flag = 0x0C } } }:save(folder .. "/a.obj"))
      local code, out, err = run("obj_to_kcl", "--check", "a.obj")
      assert.same({ 0, "" }, { code, err })
      assert.equal([[
a.obj: 3 triangles, 3 positions, 0 of 3 edges open
  flag    triangles  area    share
  0x0000          2   100  100.0 %  road
  0x000C          1     0    0.0 %  wall
a.obj: 1 triangle has no area
a.obj: 1 triangle stands twice
]], out)
   end)

   it("lists materials without a flag: that is an error", function()
      support.write(folder .. "/a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nusemtl moss\nf 1 2 3\nf 1 2 3\n"
         .. "usemtl COL_00\nf 1 2 3\n")
      local code, out, err = run("obj_to_kcl", "--check", "a.obj")
      assert.equal(1, code)
      assert.matches("\na.obj: 2 triangles of the material moss: no flag\n$", out)
      assert.equal("a.obj: 1 material says no flag: give it one in a file for --flags, or end the name in "
         .. "_F<flag>\n", err)
      support.write(folder .. "/a.flags", "# ours\r\nMO* = off_road/grass\r\n")
      code, out, err = run("obj_to_kcl", "--check", "--flags", "a.flags", "a.obj")
      assert.same({ 0, "" }, { code, err })
      assert.matches("\n  0x0083          2 ", out)
      support.write(folder .. "/a.flags", "moss = off_rod\n")
      assert.same({ 1, "", "a.obj: a.flags: line 1: moss: there is no type 'off_rod' (did you mean off_road?)\n" },
         { run("obj_to_kcl", "--check", "--flags", "a.flags", "a.obj") })
   end)

   it("takes names of the game that is said", function()
      support.write(folder .. "/a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nusemtl wall_1/ice\nf 1 2 3\n")
      assert.equal(1, (run("obj_to_kcl", "--check", "a.obj")))
      local code, out = run("obj_to_kcl", "--check", "--game", "mk8", "a.obj")
      assert.equal(0, code)
      assert.matches("0x0091 .*wall_1/ice\n", out)
   end)

   it("names the line of what can't be read, and takes nothing else than OBJ", function()
      support.write(folder .. "/a.obj", "v 0 0 0\nf 1 2 3\n")
      local code, _, err = run("obj_to_kcl", "a.obj", "course.kcl")
      assert.equal(1, code)
      assert.equal("a.obj: line 2: f: a vertex that doesn't stand above: found 2, with 1 so far\n"
         .. "course.kcl: a KCL file, but this recipe takes OBJ files\n", err)
   end)
end)

describe("other recipes", function()
   it("show a mesh, or say that they don't take one", function()
      assert.equal(0, (run("kcl_to_obj", "-o", "a.obj", "course.kcl")))
      local code, out = run("info", "a.obj")
      assert.equal(0, code)
      assert.matches("\n  triangles  8, area 65536\n", out)
      assert.matches("\n  2  road_dirt_F0020  road/dirt\n", out)
      local err = select(3, run("mirror", "a.obj"))
      assert.equal("a.obj: an OBJ file, but this recipe takes KMP, KCL, BIN, SZS files\n", err)
   end)
end)
