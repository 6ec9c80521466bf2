local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local AXES = { x = 1, z = 3 }

-- Samples that have no mirror image on the same grid.
local INEXACT = { narrow_area = true, shifts_shared = true, shifts_apart = true }

local function read(doc) return reader.read(doc:bytes(), doc.game) end

local function same_numbers(expected, found, place)
   for i, value in ipairs(expected) do
      if found[i] ~= value and (value == value or found[i] == found[i]) then
         error(("%s: expected %s, found %s"):format(place, table.concat(expected, " "), table.concat(found, " ")), 2)
      end
   end
end

local function mirrored(v, axis)
   local m = { v[1], v[2], v[3] }
   m[axis] = -m[axis]
   return m
end

-- Every prism is the mirror image: its normals, its height, its flag, and its corners, of which the
-- second and third change places.
local function check_prisms(before, after, axis)
   assert.equal(before.count, after.count)
   for number = 1, before.count do
      local old, new = before:prism(number), after:prism(number)
      local place = "prism " .. number
      for name, of in pairs{ face = "face", ca = "ab", ab = "ca", bc = "bc", position = "position" } do
         same_numbers(mirrored(old[name], axis), new[of], place .. " " .. name)
      end
      same_numbers({ old.height, old.flag, old.triangle }, { new.height, new.flag, new.triangle }, place)
      local was, is = reader.corners(old), reader.corners(new)
      -- Parallel edges meet nowhere, on whatever side.
      if was[2][1] - was[2][1] == 0 and was[3][1] - was[3][1] == 0 then
         same_numbers(mirrored(was[2], axis), is[3], place .. " corner")
         same_numbers(mirrored(was[3], axis), is[2], place .. " corner")
      end
   end
end

-- Seen from the mirror image of each cell, the same prisms are listed; and the leaf there is the
-- image of the cell. Gives the number of cells.
local function check_lists(before, after, axis)
   local count, width = 0, before.cells[axis] << before.shift
   local expected = -(before.min[axis] + width)
   assert(math.abs(after.min[axis] - expected) <= 0.001, "the area moved")
   before:each_leaf(function(x, y, z, size, list)
      count = count + 1
      local cell = { x, y, z }
      cell[axis] = width - cell[axis] - size
      local half = size >> 1
      local found, found_size = after:find(cell[1] + half, cell[2] + half, cell[3] + half)
      if found_size ~= size then error(("cell %d %d %d: leaves of %d and %d"):format(x, y, z, size, found_size)) end
      local ids, mirror_ids = before:list(list), after:list(found)
      if ids ~= mirror_ids then error(("cell %d %d %d: lists %s and %s"):format(x, y, z, ids, mirror_ids)) end
   end)
   return count
end

-- The same for the global octree: from the mirror image of each cell the same model is found.
local function check_cells(before, after, axis)
   local count, width = 0, 2.0 ^ before.shifts[axis]
   assert(math.abs(after.min[axis] + before.min[axis] + width) <= 0.001, "the space moved")
   before:each_cell(function(model, corner, size)
      count = count + 1
      local middle = {}
      for i = 1, 3 do middle[i] = corner[i] + size[i] / 2 end
      middle[axis] = width - middle[axis]
      for i = 1, 3 do middle[i] = middle[i] + after.min[i] end
      assert.equal(model, after:model_at(middle))
   end)
   return count
end

-- Gives the number of leaves and of cells of the global octree.
local function check_mirror(doc, axis)
   local before = read(doc)
   assert(doc:mirror(axis))
   assert.is_false(doc.stale)
   local after = read(doc)
   local leaves, cells = 0, 0
   assert.equal(#before.models, #after.models)
   for i, model in ipairs(before.models) do
      tools.calm(check_prisms, model, after.models[i], AXES[axis])
      leaves = leaves + tools.calm(check_lists, model, after.models[i], AXES[axis])
   end
   if before.global then cells = check_cells(before, after, AXES[axis]) end
   return leaves, cells
end

-- Twice gives the bytes back; with V2 but for the header's maximum.
local function check_twice(bytes, twice, v2)
   if v2 then
      bytes = bytes:sub(1, 0x1C) .. bytes:sub(0x29)
      twice = twice:sub(1, 0x1C) .. twice:sub(0x29)
   end
   local first, count = tools.differences(bytes, twice)
   assert.is_true(bytes == twice, ("%d bytes differ, the first at 0x%X"):format(count, first or 0))
end

-- Is the new beginning of each area, minus its end, a number that the file can hold?
local function area_is_exact(file, axis)
   local exact = true
   local function look(min, width)
      local value = -(min[axis] + width)
      local stored = file.fixed and value * 4096 // 1 / 4096 or (string.unpack("f", string.pack("f", value)))
      exact = exact and stored == value
   end
   for _, model in ipairs(file.models) do look(model.min, model.cells[axis] << model.shift) end
   if file.global then look(file.min, 2.0 ^ file.shifts[axis]) end
   return exact
end

local function check_file(bytes, title)
   for axis in pairs(AXES) do
      local doc <close> = assert(kart.kcl.parse(bytes))
      local exact = area_is_exact(read(doc), AXES[axis])
      local leaves, cells = check_mirror(doc, axis)
      if title then
         print(("  %s, mirror %s: %d leaves, %d cells of %d models hold the mirrored prisms"):format(title, axis,
            leaves, cells, #doc.models))
      end
      local once = doc:bytes()
      assert.is_true(once ~= bytes or #doc.prisms == 0)
      assert(kart.kcl.parse(once, doc.game))
      -- A sum that is no float shows in a warning, and then the way back may end elsewhere.
      assert.equal(not exact, tools.finding(doc.warnings, "area-rounded") ~= nil)
      assert(doc:mirror(axis))
      if exact then check_twice(bytes, doc:bytes(), doc.version == 2) end
   end
end

describe("mirrored, every cell lists the mirrored prisms, and twice is the file again:", function()
   for _, name in ipairs(tools.names()) do
      if not INEXACT[name] then it("the sample " .. name, function() check_file(tools.bytes(name)) end) end
   end
   for _, file in ipairs(tools.corpus()) do
      it(file.folder .. "/" .. file.name, function() check_file(support.read(file.path), file.name) end)
   end
end)

it("twice is byte for byte the same on all real files of Mario Kart Wii", function()
   for _, file in ipairs(tools.corpus "kcl-mkw") do
      local bytes = support.read(file.path)
      for axis in pairs(AXES) do
         local doc <close> = assert(kart.kcl.parse(bytes))
         assert(doc:mirror(axis):mirror(axis))
         check_twice(bytes, doc:bytes())
         assert.equal(0, #doc.warnings, file.name)
      end
   end
end)

describe("what a mirror leaves alone:", function()
   it("a signature, positions that nobody uses, bytes behind the header and behind the end", function()
      for _, name in ipairs{ "signature", "positions_unused", "header_extra", "tail", "gaps" } do
         local bytes = tools.bytes(name)
         local doc = tools.open(name):mirror "x"
         local size = #bytes
         local once = doc:bytes()
         assert.equal(size, #once)
         if name == "signature" then assert.equal("WiimmSZS", once:sub(0x3D, 0x44)) end
         if name == "header_extra" then assert.equal(bytes:sub(0x3D, 0x44), once:sub(0x3D, 0x44)) end
         if name == "tail" then assert.equal(bytes:sub(-20), once:sub(-20)) end
         if name == "positions_unused" then
            local normals = string.unpack(">I4", bytes, 5)
            assert.equal(bytes:sub(normals - 23, normals), once:sub(normals - 23, normals))
         end
      end
   end)

   it("zeros: they don't become negative", function()
      local doc = tools.open("mkw"):mirror("x"):mirror "z"
      assert.is_nil(doc:bytes():find("\x80\0\0\0\0\0\0\0\x80\0\0\0", 1, true))
      for _, prism in ipairs(doc.prisms) do
         local n = prism.face_normal
         assert.is_true(1 / n.x > 0 or n.x ~= 0)
      end
   end)

   it("flags, stats and findings", function()
      for _, name in ipairs{ "race", "duplicate", "face_down", "mk8_models", "mkds" } do
         local doc = tools.open(name)
         local before, rules = doc:stats(), #doc:check()
         doc:mirror "z"
         local after = doc:stats()
         assert.equal(rules, #doc:check())
         for _, field in ipairs{ "prisms", "triangles", "area", "leaves", "lists", "list_refs", "unreached" } do
            assert.equal(before[field], after[field], field)
         end
         assert.equal(-before.low.z, after.high.z)
         assert.equal(-before.high.z, after.low.z)
      end
   end)
end)

describe("a mirror that stands elsewhere", function()
   it("moves the area, too, and twice is the file again", function()
      for _, at in ipairs{ 100, -2048, 0.5 } do
         local doc = tools.open "mkw"
         local before = read(doc)
         assert(doc:mirror("x", { at = at }))
         assert.is_false(doc.stale)
         local after = read(doc)
         local model, image = before.models[1], after.models[1]
         assert.equal(2 * at - model.min[1] - (model.cells[1] << model.shift), image.min[1])
         for number = 1, model.count do
            local expected = mirrored(model:prism(number).position, 1)
            expected[1] = expected[1] + 2 * at
            same_numbers(expected, image:prism(number).position, "prism " .. number)
         end
         assert(doc:mirror("x", { at = at }))
         check_twice(tools.bytes "mkw", doc:bytes())
      end
   end)

   it("is stale where positions have to be rounded", function()
      local doc = tools.open("mkw"):mirror("z", { at = 0.1 })
      assert.is_true(doc.stale)
      assert.equal(0, assert(doc:prove()).missing)
      assert.is_false(doc.stale)
   end)
end)

describe("what has no mirror image on its grid", function()
   it("is stale: an area narrower than a cell", function()
      local doc = tools.open("narrow_area"):mirror "x"
      assert.is_true(doc.stale)
   end)

   it("is stale: cells that share words, or rows with gaps", function()
      for _, name in ipairs{ "shifts_shared", "shifts_apart" } do
         for axis in pairs(AXES) do assert.is_true(tools.open(name):mirror(axis).stale) end
      end
   end)

   it("warns by how much the area moved where its place is no float", function()
      local doc = tools.open("min_with_fraction"):mirror "z"
      local warning = tools.finding(doc.warnings, "area-rounded")
      assert.matches("moved by %S+ units", warning.message)
   end)

   it("can't be mirrored along y", function()
      assert.error_matches(function() tools.open("mkw"):mirror "y" end, "along x and z")
   end)
end)
