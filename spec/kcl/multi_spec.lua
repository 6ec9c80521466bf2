local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

local function centroid(corners)
   local c = {}
   for axis = 1, 3 do c[axis] = (corners[1][axis] + corners[2][axis] + corners[3][axis]) / 3 end
   return c
end

-- Copies of a triangle in two models may differ in their first corner and in the last bits.
local function same_triangle(a, b)
   local left = { 1, 2, 3 }
   for i = 1, 3 do
      local found
      for at, j in ipairs(left) do
         local p, q = a[i], b[j]
         if math.abs(p[1] - q[1]) + math.abs(p[2] - q[2]) + math.abs(p[3] - q[3]) < 0.1 then found = at end
      end
      if not found then return false end
      table.remove(left, found)
   end
   return true
end

local function corners_of(model, number)
   model.corners = model.corners or {}
   model.corners[number] = model.corners[number] or reader.corners(model:prism(number))
   return model.corners[number]
end

-- Looks every triangle of every model up as the game does: its middle gives a model through the
-- global octree, and the leaf of that model lists it. Gives the number of prisms, and of those that
-- were found in their own model and in another one.
local function count_reached(file)
   local total, own, other = 0, 0, 0
   for i, model in ipairs(file.models) do
      for number = 1, model.count do
         total = total + 1
         local corners = corners_of(model, number)
         local middle = centroid(corners)
         local at = file:model_at(middle)
         assert(at, ("model %d, prism %d: nothing at its middle"):format(i, number))
         local found_in = file.models[at]
         local list = assert(found_in:find_at(middle), "outside of the model that the global octree gives")
         local found = false
         local _, ids = found_in:list(list)
         for _, id in ipairs(ids) do
            if at == i and id == number or same_triangle(corners, corners_of(found_in, id)) then
               found = true
               break
            end
         end
         assert(found, ("model %d, prism %d: model %d doesn't list it at its middle"):format(i, number, at))
         if at == i then own = own + 1 else other = other + 1 end
      end
   end
   return total, own, other
end

-- The header's number of prisms, beside what there is.
local function check_total(doc, file)
   local ids, distinct = {}, 0
   for _, model in ipairs(file.models) do
      for number = 1, model.count do
         local id = model:prism(number).triangle
         if not ids[id] then distinct = distinct + 1 end
         ids[id] = true
      end
   end
   assert.equal(distinct, doc:stats().triangles)
   local warning = tools.finding(doc.warnings, "prism-total")
   if file.total == distinct then
      assert.is_nil(warning)
   else
      assert.matches(("states %d prisms, there are %d with %d distinct"):format(file.total, #doc.prisms, distinct),
         warning.message)
      assert.equal(file.total == #doc.prisms and "hint" or "warning", warning.severity)
   end
   return distinct
end

describe("every triangle is reached through the global octree:", function()
   local function check(title, doc)
      local file = reader.read(doc:bytes(), doc.game)
      assert.equal(#file.models, #doc.models)
      local total, own, other = tools.calm(count_reached, file)
      local distinct = tools.calm(check_total, doc, file)
      assert.equal(#doc.prisms, total)
      if title then
         print(("  %s: %d models, %d prisms (%d distinct ids, header %d): %d found in their own model, %d in another")
            :format(title, #file.models, total, distinct, file.total, own, other))
      end
   end
   for _, name in ipairs{ "mk8", "mk8dx", "smo", "mk8_models", "mk8dx_models", "mk8_table_first", "order_v2",
      "total_with_copies", "total_wrong", "cells_small" } do
      it("the sample " .. name, function() check(nil, tools.open(name)) end)
   end
   for _, file in ipairs(tools.corpus("kcl-v2-multi", "kcl-v2-be", "kcl-v2-le")) do
      it(file.folder .. "/" .. file.name, function()
         local doc <close> = assert(kart.kcl.parse(support.read(file.path)))
         check(file.name, doc)
      end)
   end
end)

it("the samples of several models have empty cells, and a cell that is split twice", function()
   for _, name in ipairs{ "mk8_models", "mk8dx_models" } do
      local doc = tools.open(name)
      local file = reader.read(doc:bytes(), doc.game)
      local sizes, empty, models = {}, 0, {}
      file:each_cell(function(model, _, size)
         sizes[size[1]] = true
         if model then models[model] = true else empty = empty + 1 end
      end)
      local count = 0
      for _ in pairs(sizes) do count = count + 1 end
      assert.equal(2, count)
      assert.is_true(empty > 0)
      for i in ipairs(file.models) do assert.is_true(models[i], "nothing leads to model " .. i) end
   end
end)

describe("prisms of several models", function()
   it("are counted through, each with its model and its index over all", function()
      local doc = tools.open "mk8_models"
      local number, shared = 0, {}
      for i, model in ipairs(doc.models) do
         for _ = 1, model.prisms do
            number = number + 1
            local prism = doc.prisms[number]
            assert.equal(i, prism.model)
            assert.equal(number, prism.index)
            shared[prism.triangle] = (shared[prism.triangle] or 0) + 1
         end
      end
      assert.is_nil(doc.prisms[number + 1])
      local copies = 0
      for _, count in pairs(shared) do copies = math.max(copies, count) end
      assert.is_true(copies > 1)
   end)

   it("have no index over all before V2", function()
      assert.is_nil(tools.open("mkw").prisms[1].triangle)
   end)

   it("keep their flags apart", function()
      local doc = tools.open "mk8_models"
      local last = #doc.prisms
      doc.prisms[last].flag = 0x1234
      local count = 0
      for _, prism in ipairs(doc.prisms) do
         if prism.flag == 0x1234 then count = count + 1 end
      end
      assert.equal(1, count)
   end)
end)
