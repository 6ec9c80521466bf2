-- Every rule of agp:check() with what breaks it, and what almost does.
local agp_course = require "samples.agp_course"
local agpfile = require "samples.agpfile"

local function word(number) return string.pack(">I4", number) end
local function float(number) return string.pack(">f", number) end

-- Two squares of 100 units beside each other, the second one from x 100 on, in a grid that has more of them.
local A, B, C, D, E, F = { 0, 0, 0 }, { 0, 0, 90 }, { 110, 0, 90 }, { 110, 0, 0 }, { 190, 0, 90 }, { 190, 0, 0 }
local function squares() return { { A, B, C }, { A, C, D }, { D, C, E }, { D, E, F } } end

local function parse(spec)
   spec.triangles = spec.triangles or squares()
   return assert(kart.agp.parse(agpfile.build(spec)))
end

-- Triangle `number` with other bytes from `at` on.
local function with(number, at, bytes)
   return { record = function(i, record)
      return i == number and record:sub(1, at) .. bytes .. record:sub(at + #bytes + 1) or record
   end }
end

-- The findings of a rule.
local function find(doc, rule)
   local list = {}
   for _, finding in ipairs(assert(doc:check())) do
      if finding.rule == rule then list[#list + 1] = finding end
   end
   return list
end

-- Cell `number` (from 1) with other words: { triangles at, count, walls at, count }.
local function cell_with(number, change)
   return { cells = function(i, words) if i == number - 1 then change(words) end end }
end

local CASES = {
   ["ground-down"] = {
      broken = { { triangles = { { A, C, B } } }, with(2, 0x64, float(-0.0)), with(2, 0x64, float(-0.5)) },
      fine = { with(2, 0x64, float(1e-6)) },
      place = "triangles[%d].normal",
   },
   ["ground-no-area"] = {
      broken = { { triangles = { { A, B, C }, { A, B, { 0, 0, 45 } } } },
         { triangles = { { A, A, B }, { A, B, C } } } },
      fine = { { triangles = { { A, B, C }, { A, B, { 1e-7, 0, 45 } } } } },
      place = "triangles[%d].corners",
   },
   ["ground-needle"] = {
      broken = { { triangles = { { A, B, { 0.0099, 0, 45 } } } } },
      fine = { { triangles = { { A, B, { 0.0101, 0, 45 } } } }, { triangles = { { A, B, { 0, 0, 45 } } } } },
      place = "triangles[%d].corners",
   },
   ["ground-twice"] = {
      broken = { { twice = { 2 } }, { triangles = { { A, B, C }, { B, C, A } } } },
      fine = { { triangles = { { A, B, C }, { A, C, B } } },
         { triangles = { { A, B, C }, { A, B, { 110, 1e-6, 90 } } } } },
      place = "triangles[%d]",
   },
   ["ground-box"] = {
      broken = { with(1, 0x00, float(0.001)), with(3, 0x0C, float(89.99)) },
      fine = { with(1, 0x00, float(-1)), with(3, 0x0C, float(91)) },
      place = "triangles[%d].min",
   },
   ["ground-edges"] = {
      broken = { with(1, 0x34, float(0.02)), with(1, 0x3C, float(-1)),
         with(2, 0x34, float(0) .. float(0) .. float(0)) },
      fine = { with(1, 0x34, float(0.01)), { flat = true }, with(1, 0x3C, float(0.5)) },
      place = "triangles[%d].edges",
   },
   ["ground-plane"] = {
      broken = { with(1, 0x6C, float(0.11)), with(1, 0x64, float(0.9) .. float(0.1)) },
      fine = { with(1, 0x6C, float(-0.09)) },
      place = "triangles[%d].distance",
   },
   ["edges-same-way"] = {
      broken = { { triangles = { { A, B, C }, { A, D, C } } } },
      fine = { { triangles = { { A, B, C }, { A, C, D } } },
         { triangles = { { A, B, C }, { A, D, { 110, 1e-6, 90 } } } } },
      place = "triangles[%d].corners",
   },
   ["edge-open-wrong"] = {
      broken = { with(1, 0x58, word(0)), with(2, 0x58, word(7)) },
      fine = { { marks = false, walls = {} }, with(1, 0x58, word(0xFFFFFFFB)) },
      place = "triangles[%d].open",
   },
   ["edge-no-wall"] = {
      broken = { { walls = { { { 0, 0 }, { 0, 90 } } } } },
      fine = { { marks = false, walls = { { { 0, 0 }, { 0, 90 } } } } },
      place = "triangles[%d].open",
   },
   ["wall-not-listed"] = {
      broken = { cell_with(2, function(words) words[3], words[4] = words[3] + 0x20, words[4] - 1 end) },
      fine = { cell_with(2, function(words) words[3] = words[3] + 0x20 * words[4] words[4] = 0 words[2] = 0 end) },
      place = "cells[%d].walls",
   },
   ["wall-no-edge"] = {
      broken = { { walls = { { { 0, 0 }, { 110, 90 } } } }, { walls = { { { 0, 90 }, { 0, 0 } } } } },
      fine = { { walls = { { { 0, 0 }, { 0, 90 } } } }, { walls = { { { -0.0, 0 }, { 0, 90 } } } } },
      place = "walls[%d]",
   },
   ["walls-none"] = {
      broken = { { walls = {} } },
      fine = { { walls = { { { 0, 0 }, { 0, 90 } } } }, { triangles = {} } },
      place = "",
   },
   ["cell-hole"] = {
      broken = { cell_with(2, function(words) words[2] = 0 end) },
      fine = { { triangles = { { A, B, { 100.005, 0, 0 } } },
            cells = function(i, words) if i == 1 then words[2] = 0 end end },
         cell_with(2, function(words) words[2] = words[2] - 1 end) },
      place = "cells[%d].triangles",
   },
   ["cell-missing"] = {
      broken = { cell_with(2, function(words) words[1], words[2] = words[1] + 0x70, words[2] - 1 end) },
      -- A triangle whose box touches a cell that it doesn't reach itself.
      fine = { { triangles = { { A, { 0, 0, 190 }, { 190, 0, 0 } },
         { { 150, 0, 150 }, { 150, 0, 190 }, { 190, 0, 190 } } },
         cells = function(i, words)
            if i == 3 then words[1], words[2] = words[1] + 0x70, words[2] - 1 end
         end } },
      place = "cells[%d].triangles",
   },
   ["ground-outside"] = {
      broken = { { header = { [0x20] = float(-10) } }, { header = { [0x20] = float(20) } } },
      fine = { { header = { [0x20] = float(5) } }, { header = { [0x20] = float(0.001) } } },
      place = "triangles[%d].corners",
   },
   ["bounds-wrong"] = {
      broken = { { header = { [0x10] = float(-1) } }, { header = { [0x1C] = float(91) } } },
      fine = { { bounds = false } },
      place = "",
   },
   ["origin-wrong"] = {
      broken = { { header = { [0x20] = float(0.5) } } },
      fine = { { header = { [0x20] = float(0.5) }, bounds = false }, { header = { [0x20] = float(-0.0) } } },
      place = "",
   },
}

describe("the rule", function()
   local severities = {}
   for _, rule in ipairs(kart.agp.rules()) do severities[rule.id] = rule.severity end

   for _, rule in ipairs(kart.agp.rules()) do
      local case = assert(CASES[rule.id], rule.id)
      for i, spec in ipairs(case.broken) do
         it(("%s finds what breaks it, %d"):format(rule.id, i), function()
            local found = find(parse(spec), rule.id)
            assert.is_true(#found > 0)
            for _, finding in ipairs(found) do
               assert.equal(severities[rule.id], finding.severity)
               assert.equal(finding.index and case.place:format(finding.index) or case.place, finding.place)
            end
         end)
      end
      for i, spec in ipairs(case.fine) do
         it(("%s lets pass what almost does, %d"):format(rule.id, i), function()
            assert.same({}, find(parse(spec), rule.id))
         end)
      end
   end

   it("has no case that isn't one", function()
      for id in pairs(CASES) do assert.is_string(severities[id], id) end
   end)

   it("finds nothing in a course by the rules", function()
      assert.same({}, parse{}:check())
      assert.same({}, parse{ triangles = agp_course() }:check())
   end)

   -- To a rounding of floats, which the file's grid has: the corner is in the cell behind the line.
   it("doesn't miss a triangle with one corner on the line of a cell", function()
      local mesh = kart.mesh.new{ game = "mkagp",
         positions = { { 819.2, 0, -4121.6 }, { 819.2, 0, -819.2 }, { 4121.6, 0, -819.2 },
            { 2619.2, 50, -1250 }, { 2662.4, 50, -1230 }, { 2662.4, 50, -1270 } },
         triangles = { { 1, 2, 3, flag = 1 }, { 4, 5, 6, flag = 1 } } }
      assert.same({}, assert(kart.agp.build(mesh)):check())
   end)
end)
