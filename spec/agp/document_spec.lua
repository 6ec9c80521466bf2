-- Reading and keeping collision of the arcade games: samples, real files, damage, views, flags.
local lfs = require "lfs"
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"
local calm = require("spec.kcl.tools").calm
local reader = require "spec.agp.reader"
local support = require "spec.support"

local function course(changes)
   local spec = { triangles = agp_course() }
   for key, value in pairs(changes or {}) do spec[key] = value end
   return assert(kart.agp.parse(agpfile.build(spec)))
end

local function check_kept(path)
   local bytes = support.read(path)
   local doc <close> = assert(kart.open(path))
   assert.equal("agp", kart.type(doc))
   assert.equal("mkagp", doc.game)
   assert.is_true(doc:bytes() == bytes)
   local copy = support.tmp() .. "/copy.bin"
   assert(doc:save(copy))
   assert.is_true(support.read(copy) == bytes)
   local clone <close> = doc:clone()
   assert(doc:check())
   assert(doc:flags())
   assert(doc:mesh())
   assert.is_true(doc:bytes() == bytes and clone:bytes() == bytes)
   assert.equal(#reader.distinct(reader.read(bytes)) > 0, #doc.triangles > 0)
end

-- What each sample is warned of.
local WARNED = { bounds_zero = "bounds-zero", edges_flat = "edges-flat", walls_drawn = "bounds-zero walls-drawn",
   tail = "file-tail", end_marked = "end-not-zeros", overlapping = "records-overlap", ends_early = "cell-ends-early",
   not_finite = "not-finite" }

describe("collision of the arcade games keeps every byte:", function()
   for _, sample in ipairs(require "samples.agp_variants") do
      it(sample.name, function()
         local path = support.tmp() .. "/sample.bin"
         support.write(path, sample.make())
         check_kept(path)
         local rules = {}
         for i, warning in ipairs(assert(kart.open(path)).warnings) do rules[i] = warning.rule end
         assert.equal(WARNED[sample.name] or "", table.concat(rules, " "))
      end)
   end
   for _, path in ipairs(support.corpus("agp", "bin")) do
      it(path:match "[^/]+$", function() check_kept(path) end)
   end
end)

describe("damaged collision of the arcade games is refused:", function()
   for _, sample in ipairs(require "samples.agp_broken") do
      it(sample.name, function()
         local doc, message, code = kart.agp.parse(sample.make())
         assert.is_nil(doc)
         assert.equal("format", code)
         assert.truthy(message:find(sample.message, 1, true), message)
      end)
   end
end)

describe("nothing else is taken for it:", function()
   it("other samples", function()
      local folder, count = support.tmp(), 0
      assert.equal(0, (support.run("samples/make.lua", folder)))
      local function walk(path)
         for name in lfs.dir(path) do
            local file = path .. "/" .. name
            if name:sub(1, 1) == "." then
               goto continue
            elseif lfs.attributes(file, "mode") == "directory" then
               walk(file)
            elseif not name:find "%.bin$" then
               assert.is_false(kart.agp.detect(support.read(file)), file)
               count = count + 1
            end
            ::continue::
         end
      end
      walk(folder)
      assert.is_true(count > 100)
   end)

   it("random bytes, zeros, and small numbers", function()
      local state = 42
      local function draw()
         state = state * 6364136223846793005 + 1442695040888963407
         return state >> 33
      end
      local found = 0
      calm(function()
         for i = 1, 20000 do
            local words = {}
            for k = 1, 16 do words[k] = i % 2 == 0 and draw() & 0xFFFFFFFF or draw() % 300 end
            local bytes = string.pack(">" .. ("I4"):rep(16), table.unpack(words))
            found = found + (kart.agp.detect(bytes) and 1 or 0)
         end
      end)
      assert.equal(0, found)
      assert.is_false(kart.agp.detect(("\0"):rep(1000)))
      assert.is_false(kart.agp.detect "")
   end)
end)

describe("real files", function()
   local function count(path)
      local counts, doc = {}, assert(kart.open(path))
      for _, list in ipairs{ doc.warnings, doc:check() } do
         for _, finding in ipairs(list) do counts[finding.rule] = (counts[finding.rule] or 0) + 1 end
      end
      return counts
   end

   -- What each of them breaks.
   local EXPECTED = {
      fan_course_a = { ["bounds-zero"] = 1, ["walls-drawn"] = 1, ["wall-no-edge"] = 96 },
      fan_course_a_degenerate = { ["bounds-zero"] = 1, ["edges-flat"] = 1, ["walls-drawn"] = 1, ["wall-no-edge"] = 96,
         ["ground-no-area"] = 14, ["ground-down"] = 2, ["ground-twice"] = 2, ["ground-needle"] = 28 },
      fan_loop = { ["bounds-zero"] = 1, ["edges-flat"] = 1, ["walls-drawn"] = 1, ["wall-no-edge"] = 1024,
         ["ground-down"] = 18 },
      fan_loop_upside_down = { ["bounds-zero"] = 1, ["edges-flat"] = 1, ["walls-none"] = 1, ["ground-down"] = 126 },
   }

   for _, path in ipairs(support.corpus("agp", "bin")) do
      local name = path:match "([^/]+)%.bin$"
      it("are told what they break: " .. name, function()
         if not EXPECTED[name] then return support.skip "not known here" end
         local counts = count(path)
         assert.same(EXPECTED[name], counts)
      end)

      it("follow every rule once they are rebuilt, but for what is drawn by hand: " .. name, function()
         local doc = assert(kart.open(path))
         assert(doc:rebuild())
         local bytes = doc:bytes()
         local broken = reader.broken(bytes)
         -- The triangles are as they were.
         broken.numbers, broken.open, broken.walls = nil, nil, nil
         assert.same({}, broken)
         assert.is_true(assert(kart.agp.parse(bytes)):rebuild():bytes() == bytes)
         -- With walls of open edges these rules hold, too.
         broken = reader.broken(doc:rebuild{ walls = "compute" }:bytes())
         broken.numbers = nil
         if not name:find "degenerate" then assert.same({}, broken) end -- a triangle that stands twice
      end)
   end
end)

describe("views", function()
   it("show what stands in the file", function()
      local bytes = agpfile.build{ triangles = agp_course() }
      local doc, file = assert(kart.agp.parse(bytes)), reader.read(bytes)
      assert.equal(file.sides[1], doc.grid.width)
      assert.equal(file.sides[2], doc.grid.length)
      assert.equal(kart.vec(file.origin[1], 0, file.origin[2]), doc.grid.origin)
      assert.equal(kart.vec(file.bounds[1], 0, file.bounds[2]), doc.grid.min)
      assert.equal(file.place, doc.grid.cells_offset)
      assert.equal(#file.cells, #doc.cells)
      for i, cell in ipairs(file.cells) do
         local view = doc.cells[i]
         assert.equal(i, (view.row - 1) * doc.grid.width + view.column)
         assert.equal(#cell.triangles, #view.triangles)
         assert.same({ cell.at, cell.wall_at }, { view.triangles_offset, view.walls_offset })
         assert.equal(doc.grid.cell, view.max - view.min)
         for k, number in ipairs(view.triangles) do
            local triangle, read = doc.triangles[number], cell.triangles[k]
            assert.equal(number, triangle.index)
            for c = 1, 3 do
               assert.equal(kart.vec(table.unpack(read.corners[c])), triangle.corners[c])
               assert.equal(kart.vec(table.unpack(read.edges[c])), triangle.edges[c])
               assert.equal(read.open >> c - 1 & 1 == 1, triangle.open[c])
            end
            assert.same({ read.flag, read.open, read.distance },
               { triangle.flag, triangle.open_bits, triangle.distance })
            assert.equal(kart.vec(table.unpack(read.normal)), triangle.normal)
            assert.equal(kart.vec(read.box[1], 0, read.box[2]), triangle.min)
            assert.equal(kart.vec(read.box[3], 0, read.box[4]), triangle.max)
         end
         for k, number in ipairs(view.walls) do
            local wall, read = doc.walls[number], cell.walls[k]
            assert.equal(kart.vec(read.from[1], 0, read.from[2]), wall.from)
            assert.equal(kart.vec(read.to[1], 0, read.to[2]), wall.to)
            assert.equal(kart.vec(read.box[1], 0, read.box[2]), wall.min)
            assert.equal(kart.vec(read.box[3], 0, read.box[4]), wall.max)
         end
      end
   end)

   it("are equal when they show the same, and say what they are", function()
      local doc = course()
      assert.equal(doc.triangles[2], doc.triangles[2])
      assert.not_equal(doc.triangles[1], doc.triangles[2])
      assert.not_equal(doc.triangles[1], course().triangles[1])
      assert.equal(doc.walls, doc.walls)
      assert.equal("triangles[2]", tostring(doc.triangles[2]))
      assert.equal("cells: 9", tostring(doc.cells))
      assert.equal("agp (35 triangles, 33 walls)", tostring(doc))
      assert.is_nil(doc.triangles[0])
      assert.is_nil(doc.walls[#doc.walls + 1])
      assert.equal("agp_triangle", kart.type(doc.triangles[1]))
   end)

   it("raise for what can't be done, naming the place", function()
      local doc = course()
      local triangle = doc.triangles[3]
      assert.error_matches(function() triangle.normal = { 0, 1, 0 } end, "triangles%[3%]%.normal can't be assigned")
      assert.error_matches(function() triangle.flag = 2 ^ 32 end, "triangles%[3%]%.flag: expected 0 to 4294967295")
      assert.error_matches(function() triangle.surface = "gras" end, "triangles%[3%]%.surface: .*did you mean grass")
      assert.error_matches(function() triangle.special = 2 end, "triangles%[3%]%.special: expected true or false")
      assert.error_matches(function() doc.walls[1].from = { 0, 0, 0 } end, "walls%[1%]%.from can't be assigned")
      assert.error_matches(function() doc.triangles[1] = 5 end, "triangles can't be assigned")
      assert.error_matches(function() return doc.cells.first end, "cells has no field 'first'")
      assert.error_matches(function() doc.game = "mkw" end, "agp.game can't be assigned")
      doc:close()
      assert.error_matches(function() return triangle.flag end, "the document is closed")
   end)
end)

describe("flags", function()
   it("are read and written by their parts", function()
      local doc = course()
      local triangle = doc.triangles[1]
      triangle.flag = 0x80200400
      assert.same({ "grass", "medium", true }, { triangle.surface, triangle.off_road, triangle.special })
      triangle.surface, triangle.off_road = "ice", "heavy"
      assert.equal(0x80401000, triangle.flag)
      triangle.special, triangle.off_road = false, nil
      assert.equal(0x1000, triangle.flag)
      triangle.off_road, triangle.surface = 5, 0x8000
      assert.same({ 5, "type_32768" }, { triangle.off_road, triangle.surface })
      triangle.surface = "none"
      assert.equal(0x50000, triangle.flag)
   end)

   it("change in all places of the triangle, and nothing else changes", function()
      local before = agpfile.build{ triangles = agp_course() }
      local doc = assert(kart.agp.parse(before))
      local counts, most = {}, 1
      for _, cell in ipairs(doc.cells) do
         for _, number in ipairs(cell.triangles) do counts[number] = (counts[number] or 0) + 1 end
      end
      for number, count in pairs(counts) do most = count > counts[most] and number or most end
      local places = counts[most]
      assert.is_true(places > 2)
      doc.triangles[most].flag = 0xFFFFFFFF
      local after, changed = doc:bytes(), 0
      for at = 1, #before, 4 do
         if before:sub(at, at + 3) ~= after:sub(at, at + 3) then
            changed = changed + 1
            assert.equal("\xFF\xFF\xFF\xFF", after:sub(at, at + 3))
         end
      end
      assert.equal(places, changed)
   end)

   it("are counted, mapped and retagged, all 32 bits of them", function()
      local doc = course()
      local counts = {}
      for _, row in ipairs(doc:flags()) do counts[row.flag] = row.count end
      assert.same({ [0x1] = 24, [0x4] = 2, [0x00200400] = 8, [0x80000040] = 1 }, counts)
      assert.equal(8, doc:map_flags{ [0x00200400] = 0x80400010, [0x99] = 1 })
      assert.equal(0, doc:map_flags{})
      local changed, rules = doc:retag{ ["sand/heavy"] = "grass/light", default = "+special", ["*-special"] = "tile" }
      assert.equal(34, changed)
      assert.same({ ["sand/heavy"] = 8, default = 24, ["*-special"] = 2 }, rules)
      assert.equal("default+special", kart.flags.format(doc.triangles[1].flag, "mkagp"))
      assert.error_matches(function() doc:map_flags{ [-1] = 0 } end, "expected a flag from 0 to 4294967295, got %-1")
   end)

   it("have parts that cover each of the 32 bits once", function()
      local data, all = require("kartlua.flag_tables").mkagp, 0
      local parts = { data.type, data.variant }
      for _, modifier in ipairs(data.modifiers) do parts[#parts + 1] = { modifier[2], modifier[3] } end
      for _, part in ipairs(parts) do
         local mask = (1 << part[2]) - 1 << part[1]
         assert.equal(0, all & mask)
         all = all | mask
      end
      assert.equal(0xFFFFFFFF, all)
   end)

   it("have a notation that reads back", function()
      local state = 7
      calm(function()
         for i = 1, 3000 do
            state = state * 6364136223846793005 + 1442695040888963407
            local flag = i <= 32 and 1 << i - 1 or state >> 32 & 0xFFFFFFFF
            local read = kart.flags.parse(kart.flags.format(flag, "mkagp"), "mkagp")
            if read ~= flag then assert.equal(flag, read) end
         end
      end)
      assert.equal("Grass, heavy, special", kart.flags.describe(0x80400400, "mkagp"))
      assert.equal(0x80400400, kart.flags.parse("0x80400400", "mkagp"))
      assert.is_nil(kart.flags.parse("0x100000000", "mkagp"))
      assert.is_nil(kart.flags.parse("0x10000", "mkw"))
      assert.equal(0x410, kart.flags.mask("grass, sand/*", "mkagp")) -- bits of flags
   end)
end)

describe("a mesh", function()
   it("has the triangles in their order, with their flags, and comes back through an OBJ", function()
      local doc = course()
      local mesh, report = doc:mesh()
      assert.equal(0, report.left_out)
      assert.equal("mkagp", mesh.game)
      assert.equal(#doc.triangles, #mesh.triangles)
      for i, triangle in ipairs(doc.triangles) do
         assert.equal(triangle.flag, mesh.triangles[i].flag)
         for c = 1, 3 do assert.equal(triangle.corners[c], mesh.triangles[i].corners[c]) end
      end
      local again = assert(kart.mesh.parse((mesh:bytes "obj")))
      again.game = "mkagp"
      assert.is_true(kart.agp.build(again):bytes() == kart.agp.build(mesh):bytes())
   end)

   it("has flags of 32 bits, which are counted, chosen, mapped and tagged", function()
      local mesh = course():mesh()
      local counts = {}
      for _, row in ipairs(mesh:flags()) do counts[row.flag] = row.count end
      assert.same({ [0x1] = 24, [0x4] = 2, [0x00200400] = 8, [0x80000040] = 1 }, counts)
      assert.equal(8, #mesh:select("grass/*").triangles)
      assert.equal(9, #mesh:select({ 0x00200400, "*+special" }).triangles)
      assert.equal(4, #mesh:split())
      assert.equal(8, mesh:map_flags{ [0x00200400] = 0x80400010 })
      assert.equal(9, (mesh:retag{ ["*+special"] = "ice/light" }))
      mesh.triangles[1].flag = 0xFFFFFFFE
      assert.equal(0xFFFFFFFE, mesh.triangles[1].flag)
      assert.error_matches(function() mesh.triangles[1].flag = 2 ^ 32 end, "expected 0 to 4294967295")
      assert.error_matches(function() mesh:map_flags{ [1] = -1 } end, "expected a flag from 0 to 4294967295")
      local named = kart.mesh.parse "v 0 0 0\nv 0 0 9\nv 9 0 0\nusemtl Grass\nf 1 2 3\n"
      named.game = "mkagp"
      assert.equal(1, (named:tag{ Grass = "grass/heavy" }))
      assert.equal(0x00400400, named.triangles[1].flag)
   end)

   it("leaves out what isn't finite, and says so", function()
      local doc = course{ record = function(number, bytes)
         return number == 2 and bytes:sub(1, 0x10) .. "\x7F\x80\0\0" .. bytes:sub(0x15) or bytes
      end }
      local mesh, report = doc:mesh()
      assert.equal(1, report.left_out)
      assert.equal("mesh-left-out", mesh.warnings[1].rule)
      local done, message, code = doc:rebuild()
      assert.is_nil(done)
      assert.equal("format", code)
      assert.matches("triangles%[%d+%] has a corner that isn't finite", message)
   end)
end)
