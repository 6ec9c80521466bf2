-- OBJ files as each program writes them: samples/obj_dialects.lua has them, and what is in them.
local support = require "spec.support"
local dialects = require "samples.obj_dialects"

local function cross(a, b) return a:cross(b) end

-- Do triangles from `first` on make up the area, all facing up?
local function check_area(mesh, first, expected)
   local area, up = 0, kart.vec(0, 1, 0)
   for i = first, first + expected.count - 1 do
      local triangle = mesh.triangles[i]
      assert.is_true(triangle.normal:dot(up) > 0.999, ("triangles[%d] faces down"):format(i))
      area = area + triangle.area
      assert.equal(expected.flag, triangle.flag)
   end
   assert.near(expected.area, area, 1e-12)
   return first + expected.count
end

local function check_triangle(mesh, i, expected)
   local triangle = assert(mesh.triangles[i], ("there is no triangle %d"):format(i))
   for c = 1, 3 do assert.equal(kart.vec(expected[c]), triangle.corners[c], ("triangle %d, corner %d"):format(i, c)) end
   assert.equal(expected.flag, triangle.flag, i)
   assert.equal(expected.part, triangle.part, i)
   assert.equal(expected.material, triangle.material, i)
   return i + 1
end

local function check(mesh, expected)
   local i = 1
   for _, one in ipairs(expected) do
      i = one.area and check_area(mesh, i, one) or check_triangle(mesh, i, one)
   end
   assert.equal(i - 1, #mesh.triangles)
end

describe("the dialect", function()
   for _, dialect in ipairs(dialects) do
      it(dialect.name .. " gives its triangles", function()
         check(assert(kart.mesh.parse(dialect.text)), dialect.expected)
      end)

      it(dialect.name .. " opens, with every kind of line end", function()
         local unix = dialect.text:gsub("\r\n", "\n"):gsub("\r", "\n")
         for ending, name in pairs{ ["\n"] = "unix", ["\r\n"] = "windows", ["\r"] = "mac" } do
            local path = ("%s/%s.obj"):format(support.tmp(), name)
            support.write(path, (unix:gsub("\n", ending)))
            check(assert(kart.open(path)), dialect.expected)
         end
      end)

      it(dialect.name .. " comes back as it is written", function()
         local mesh = assert(kart.mesh.parse(dialect.text))
         local text = mesh:bytes()
         local again = assert(kart.mesh.parse(text))
         assert.equal(text, again:bytes())
         assert.equal(#mesh.triangles, #again.triangles)
         for i, triangle in ipairs(mesh.triangles) do
            local other = again.triangles[i]
            assert.same(triangle.corners, other.corners)
            assert.equal(triangle.flag, other.flag)
            assert.equal(triangle.part, other.part)
         end
      end)
   end
end)

describe("the sample", function()
   it("max has its flags in a file", function()
      local max
      for _, dialect in ipairs(dialects) do max = dialect.name == "max" and dialect or max end
      local mesh = assert(kart.mesh.parse(max.text, { mtl = max.mtl }))
      assert.same({ { name = "Material __25", triangles = 1 } }, (select(2, mesh:tag{})))
      local changed, unknown = mesh:tag(assert(kart.mesh.parse_flags(max.flags)))
      assert.same({ 1, {} }, { changed, unknown })
      assert.same({ 0x83, 0x2C }, { mesh.triangles[1].flag, mesh.triangles[2].flag })
      assert.near(0.588, mesh.materials[1].colour.x, 1e-6)
   end)

   it("concave tells what it left out", function()
      for _, dialect in ipairs(dialects) do
         local warnings = assert(kart.mesh.parse(dialect.text)).warnings
         assert.equal(dialect.name == "concave" and 1 or 0, #warnings)
         if warnings[1] then
            assert.equal("warning: line 14: points, lines, curves and surfaces are not read (2 in all) [obj-skipped]",
               tostring(warnings[1]))
         end
      end
   end)
end)

it("corners of a plane face the way that the file says", function()
   local mesh = assert(kart.mesh.parse "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n")
   local a, b, c = table.unpack(mesh.triangles[1].corners)
   assert.equal(cross(b - a, c - a), mesh.triangles[1].normal)
   assert.equal(kart.vec(0, 1, 0), mesh.triangles[1].normal)
end)
