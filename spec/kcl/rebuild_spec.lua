local tools = require "spec.kcl.tools"

-- Where the octree begins in a file of version 1.
local function octree_at(bytes, game)
   local is_little = game == "sm3dl" or game == "mk7" or game == "mkds"
   return (string.unpack(is_little and "<I4" or ">I4", bytes, 13))
end

local function check_proved(doc)
   local proof = assert(doc:prove())
   assert.same({ 0, 0 }, { proof.missing, proof.outside })
end

describe("rebuild", function()
   for _, name in ipairs{ "mkw", "race", "gamecube", "sm3dl", "mk7", "mkds", "signature", "header_extra", "degenerate",
      "gaps", "single_root", "narrow_area", "lists_own", "groups_shared", "unreached", "list_long", "thickness_odd" } do
      it("changes the octree alone, in " .. name, function()
         local doc, before = tools.open(name), tools.bytes(name)
         assert.is_true(assert(doc:rebuild()) == doc)
         check_proved(doc)
         local after, at = doc:bytes(), octree_at(before, doc.game)
         assert.equal(at, octree_at(after, doc.game))
         for _, part in ipairs{ { 1, 0x14 }, { 0x39, at } } do -- the area stands between them
            assert.is_true(before:sub(table.unpack(part)) == after:sub(table.unpack(part)), "other bytes changed")
         end
         assert(kart.kcl.parse(after, doc.game))
      end)
   end

   it("takes a stale document, and one whose octree stands in front", function()
      for _, name in ipairs{ "order_octree_first", "order_prisms_first", "order_small" } do
         local doc = tools.open(name)
         local corners = doc.prisms[7].corners
         assert(doc:rebuild())
         assert.same(corners, doc.prisms[7].corners)
         check_proved(doc)
         assert(doc:rotate("z", 12):rebuild())
         check_proved(doc)
      end
   end)

   it("gives the same bytes again, and from what it has built", function()
      local one, other = tools.open("race"):rebuild{ goal = "speed" }, tools.open("race"):rebuild{ goal = "speed" }
      assert.is_true(one:bytes() == other:bytes())
   end)

   it("follows the goal, the budget and the other options", function()
      local function built(options)
         local doc = assert(tools.open("race"):rebuild(options))
         check_proved(doc)
         local stats, lengths = doc:stats(), doc:list_lengths()
         return { bytes = stats.octree_bytes, tests = lengths.by_area.mean, longest = stats.longest_list,
            edge = doc.models[1].cell >> stats.depth, roots = stats.leaves }
      end
      local size, balanced, speed = built{ goal = "size" }, built(), built{ goal = "speed" }
      assert.is_true(size.bytes <= balanced.bytes and balanced.bytes <= speed.bytes)
      assert.is_true(size.tests >= balanced.tests and balanced.tests >= speed.tests)
      assert.is_true(size.bytes < speed.bytes and size.tests > speed.tests)
      local budget = (size.bytes + speed.bytes) // 2
      assert.is_true(built{ budget = budget }.bytes <= budget)
      assert.is_true(built{ goal = "speed", smallest = 1024 }.edge > speed.edge)
      assert.is_true(built{ goal = "size", longest = 12 }.longest < size.longest)
   end)

   it("says what it leaves out", function()
      local doc = tools.open("degenerate"):rebuild()
      assert.matches("prisms are no triangle", tools.finding(doc.warnings, "prism-unlisted").message)
      local bytes = tools.bytes "mkw" .. ("\1"):rep(1000)
      doc = assert(kart.kcl.parse(bytes)):rebuild()
      assert.matches("^100%d bytes behind", tools.finding(doc.warnings, "tail-dropped").message)
      assert.equal(0, #tools.open("mkw"):rebuild().warnings)
   end)

   it("that can't be done leaves the document as it was", function()
      for name, case in pairs{
         none = { {}, "unsupported", "has an area" },
         race = { { budget = 40 }, "limit", "the budget is 40" },
      } do
         local doc = tools.open(name)
         local done, message, code = doc:rebuild(case[1])
         assert.is_nil(done)
         assert.matches(case[3], message, 1, true)
         assert.equal(case[2], code)
         assert.is_true(doc:bytes() == tools.bytes(name))
      end
   end)

   it("raises for options that there aren't", function()
      local doc = tools.open "mkw"
      for options, message in pairs{
         [{ gaol = "size" }] = "unknown option 'gaol'", [{ goal = "fast" }] = "'goal'", [{ goal = 5 }] = "'goal'",
         [{ budget = 0 }] = "'budget': expected a number from 1", [{ smallest = 100 }] = "power of two",
         [{ longest = 1.5 }] = "whole number", [{ longest = 1e6 }] = "to 65535", [{ by_area = 2 }] = "from 0 to 1",
         [{ roots = 0 / 0 }] = "finite", [{ smallest = "big" }] = "finite",
      } do
         assert.has_error(function()
            local done, problem = pcall(doc.rebuild, doc, options)
            assert.is_false(done)
            assert.matches(message, problem, 1, true)
            error "raised"
         end, "raised")
      end
      assert.is_true(doc:bytes() == tools.bytes "mkw")
   end)
end)

describe("prove", function()
   it("finds the prism that a list lacks, and where", function()
      local doc = tools.open "unreached"
      local unreached = {}
      for _, finding in ipairs(doc:check()) do
         if finding.rule == "prism-unreached" then unreached[tonumber(finding.place:match "%d+")] = true end
      end
      local proof = doc:prove()
      assert.is_true(proof.missing > 0)
      for _, missing in ipairs(proof.first) do
         local index = missing.prism
         assert.is_true(unreached[index])
         -- It is where the cell is, as far as that can be said in a few lines.
         local reach = kart.vec(300, 300, 300)
         local low, high = missing.cell - reach, missing.cell + reach + kart.vec(1, 1, 1) * missing.edge
         local near = 0
         for _, axis in ipairs{ "x", "y", "z" } do
            local least, most = math.huge, -math.huge
            for _, corner in ipairs(doc.prisms[index].corners) do
               least, most = math.min(least, corner[axis]), math.max(most, corner[axis])
            end
            if most >= low[axis] and least <= high[axis] then near = near + 1 end
         end
         assert.equal(3, near)
         assert.is_true(missing.distance >= 0 and missing.distance <= doc.models[1].radius)
      end
   end)

   it("counts the cells and the ids", function()
      local doc = tools.open "race"
      local proof = doc:prove()
      assert.equal(doc:stats().leaves, proof.leaves)
      assert.is_true(proof.ids > proof.leaves)
   end)

   it("finds nothing in the game's own way of listing", function()
      for _, name in ipairs{ "mkw", "race", "mk8", "smo", "mk8_models" } do
         assert.equal(0, tools.open(name):prove().missing, name)
      end
   end)
end)

describe("list_lengths", function()
   it("tells mean and longest of the lists that are there", function()
      local doc = tools.open "list_long"
      local lengths = doc:list_lengths{ samples = 1000 }
      assert.equal(1000, lengths.samples)
      for _, length in ipairs{ lengths.by_area, lengths.by_prism } do
         assert.is_true(length.mean > 1 and length.mean <= length.longest)
         assert.is_true(length.longest <= doc:stats().longest_list)
      end
   end)

   it("hangs on the seed alone", function()
      local doc = tools.open "race"
      assert.same(doc:list_lengths(), doc:list_lengths{ seed = 0 })
      local other = doc:list_lengths{ seed = 1 }
      assert.not_same(doc:list_lengths(), other)
      assert.is_true(math.abs(other.by_area.mean / doc:list_lengths().by_area.mean - 1) < 0.02)
      for _, options in ipairs{ { samples = 0 }, { samples = 1.5 }, { seed = -1 }, { seeds = 1 } } do
         assert.has_error(function() doc:list_lengths(options) end)
      end
   end)
end)

-- The figures that count, on real files: bytes of the file; shares of the tests before, by area and by prism.
describe("real files of Mario Kart Wii", function()
   local most = {
      arena_maze1 = { 64264, 0.60, 0.65 }, race_dust_v12 = { 733056, 0.45, 0.65 },
      race_ruins_v113 = { 1016344, 0.45, 0.65 }, race_lego = { 286388, 0.45, 0.65 },
      race_orange_v105 = { 220980, 0.45, 0.65 },
   }

   for _, file in ipairs(tools.corpus "kcl-mkw") do
      local name = file.name:match "^[^.]+"
      local limits = most[name]
      it(name .. " gets smaller and is looked up faster", function()
         local doc <close> = assert(kart.open(file.path))
         local bytes, octree = #doc:bytes(), doc:stats().octree_bytes
         local before, longest = doc:list_lengths(), doc:stats().longest_list
         local was_whole = doc:prove().missing == 0
         local small <close> = assert(assert(doc:clone()):rebuild{ goal = "size" })
         assert(doc:rebuild())
         check_proved(doc)
         assert.is_true(was_whole or not limits)
         if not limits then return end
         local after = doc:list_lengths()
         local size, by_area = #doc:bytes(), after.by_area.mean / before.by_area.mean
         local by_prism = after.by_prism.mean / before.by_prism.mean
         print(("  %s: %d bytes for %d, tests %.3f by area, %.3f by prism"):format(name, size, bytes, by_area,
            by_prism))
         assert.is_true(size <= bytes and size <= limits[1])
         assert.is_true(by_area <= limits[2] and by_prism <= limits[3])
         assert.is_true(doc:stats().longest_list <= longest)
         check_proved(small)
         if name:find "^race" then
            assert.is_true(small:stats().octree_bytes <= 0.7 * octree)
            assert.is_true(small:list_lengths().by_area.mean <= 0.5 * before.by_area.mean)
         end
      end)
   end
end)
