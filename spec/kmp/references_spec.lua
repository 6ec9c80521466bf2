-- kmp:references(): the core's own list of who names whom, beside the one that is written from the format's
-- description (spec/kmp/references.lua).
local compare = require "kartlua.compare"
local references = require "spec.kmp.references"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

-- A reference as a line. `number` counts from 1, nil for none.
local function line(reference, number)
   local holder = reference.holder
   local place = kart.type(holder) == "section" and holder.name or tostring(holder)
   return ("%s.%s[%s] %s %s %s%s"):format(place, reference.field, reference.slot or "", reference.section,
      number or "none", tostring(reference.target), reference.hidden and " hidden" or "")
end

local function sorted(list)
   table.sort(list)
   return list
end

local function expected(doc)
   local lines = {}
   for _, reference in ipairs(references.list(doc)) do
      local number = reference.number
      if reference.hidden then
         number = number + 1
         if number == 0x10000 and reference.section ~= "points" then number = nil end
      end
      lines[#lines + 1] = line(reference, number)
   end
   return sorted(lines)
end

local function listed(doc)
   local lines = {}
   for _, reference in ipairs(assert(doc:references())) do
      if reference.field ~= "start" then lines[#lines + 1] = line(reference, reference.number) end
   end
   return sorted(lines)
end

describe("references", function()
   local courses = {}
   for _, name in ipairs(tools.names()) do courses[#courses + 1] = { name, tools.bytes(name) } end
   for _, path in ipairs(support.corpus("kmp", "kmp")) do
      courses[#courses + 1] = { path:match "[^/]+$", support.read(path) }
   end
   for _, course in ipairs(courses) do
      it("of " .. course[1] .. " are those of the format's description", function()
         local doc = assert(kart.kmp.parse(course[2]))
         assert.same(expected(doc), listed(doc))
      end)
   end

   it("come in the order of their holders, with what the type makes of them", function()
      local doc = kart.kmp.new{
         gobj = { { id = 234, route = 1, settings = { 1 } }, { id = 201, route = 2, settings = { 0, 0, 0, 0, 2 } } },
         poti = { { points = { {} } }, { points = { {}, {} } } },
         came = { { type = 1, route = 2 }, { type = 5, route = 1 } },
      }
      local lines = {}
      for i, reference in ipairs(doc:references()) do
         lines[i] = line(reference, reference.number) .. (reference.idle and " idle" or "")
      end
      assert.same({
         "gobj[1].route[] poti 1 poti[1]",
         "gobj[1].settings[1] poti 2 poti[2] hidden",
         "gobj[2].route[] poti 2 poti[2]",
         "gobj[2].settings[5] points 3 nil hidden",
         "came.opening[] came none nil",
         "came.selection[] came none nil",
         "came[1].next[] came none nil",
         "came[1].route[] poti 2 poti[2] idle",
         "came[2].next[] came none nil",
         "came[2].route[] poti 1 poti[1]",
      }, lines)
   end)

   it("stay true to what is edited while they are listed", function()
      local doc = tools.open "race"
      local list = doc:references()
      doc.poti:remove(1)
      for _, reference in ipairs(list) do
         if reference.section == "poti" and reference.number == 2 then
            assert.equal("poti[1]", tostring(reference.target))
         end
      end
   end)

   it("hide in no setting of Mario Kart 7, which has objects of its own", function()
      local function course(first, second, setting)
         return kart.kmp.new{ game = "mk7", gobj = { { id = 234, settings = { setting } } },
            poti = { { points = { { speed = first } } }, { points = { { speed = second } } } } }
      end
      for _, reference in ipairs(course(1, 2, 0):references()) do assert.is_false(reference.hidden) end
      local differences = compare(course(1, 2, 0), course(2, 1, 1))
      assert.equal("settings", differences[1].field)
   end)
end)
