local reader = require "spec.kcl.reader"
local support = require "spec.support"
local tools = require "spec.kcl.tools"

-- Games and versions: what the bytes say, and whether they allow another game, too.
local CORPUS = {
   ["kcl-mkw"] = { "mkw", 1, false }, ["kcl-v2-be"] = { "mk8", 2 }, ["kcl-v2-le"] = { "smo", 2, true },
   ["terrain18k_be.kcl"] = { "mk8", 2, false }, ["terrain18k_le.kcl"] = { "mk8dx", 2, true },
   ["terrain3k_gc.kcl"] = { "smg", 1, true }, ["terrain3k_mk7.kcl"] = { "mk7", 1, true },
   ["terrain3k_mkds.kcl"] = { "mkds", 1, false }, ["terrain3k_v2be.kcl"] = { "mk8", 2, false },
   ["terrain3k_v2le.kcl"] = { "mk8dx", 2, true },
}

local SAMPLES = {
   gamecube = { "smg", 1, true }, single_root = { "smg", 1, true }, mk7 = { "mk7", 1, true },
   sm3dl = { "sm3dl", 1, true }, order_small = { "sm3dl", 1, true },
   order_prisms_first = { "mk7", 1, true }, mkds = { "mkds", 1, false }, mk8 = { "mk8", 2, false },
   mk8dx = { "mk8dx", 2, true }, smo = { "smo", 2, true }, mk8_models = { "mk8", 2, false },
   mk8dx_models = { "mk8dx", 2, true }, mk8_table_first = { "mk8", 2, false }, order_v2 = { "mk8", 2, false },
   total_with_copies = { "mk8", 2, false }, total_wrong = { "mk8", 2, false }, none_v2 = { "mk8dx", 2, true },
   cells_small = { "mk8", 2, false },
}

local function check_kind(expected, doc)
   assert.equal(expected[1], doc.game)
   assert.equal(expected[2], doc.version)
   if expected[3] ~= nil then assert.equal(expected[3], doc.guessed) end
   assert.is_true(#doc.title > 0)
   assert.is_false(doc.stale)
end

-- Open, save, compare: all ways to get at the bytes.
local function check_kept(path, expected)
   local bytes = support.read(path)
   local doc <close> = assert(kart.open(path))
   check_kind(expected, doc)
   assert.is_true(doc:bytes() == bytes, "bytes() differs from the file")
   local copy = support.tmp() .. "/copy.kcl"
   assert(doc:save(copy))
   assert.is_true(support.read(copy) == bytes, "the saved file differs")
   local clone <close> = doc:clone()
   assert.is_true(clone:bytes() == bytes, "the clone's bytes differ")
   -- Looking at it changes nothing.
   assert(doc:stats())
   assert(doc:check())
   assert(doc:flags())
   assert.is_true(doc:bytes() == bytes, "stats, check or flags changed the bytes")
end

describe("opens with the right game and version, and keeps every byte:", function()
   for _, name in ipairs(tools.names()) do
      it("the sample " .. name, function()
         local path = support.tmp() .. "/sample.kcl"
         support.write(path, tools.bytes(name))
         check_kept(path, SAMPLES[name] or { "mkw", 1, false })
      end)
   end
   for _, file in ipairs(tools.corpus()) do
      it(file.folder .. "/" .. file.name, function()
         check_kept(file.path, assert(CORPUS[file.name] or CORPUS[file.folder]))
      end)
   end
end)

describe("what stands in a file", function()
   local function stats(name) return assert(tools.open(name):stats()) end

   it("is counted", function()
      local s = stats "mkw"
      assert.same({ 24, 24, 1, 0, 0, 0 },
         { s.prisms, s.triangles, s.models, s.degenerate, s.inverted, s.unreached })
      assert.is_true(math.abs(s.high.x - s.low.x - 3 * 480) < 0.01)
      assert.equal(24, stats("mk8_models").triangles - 2)
      assert.is_true(stats("mk8_models").prisms > 26)
      assert.equal(4, stats("degenerate").degenerate)
      assert.equal(3, stats("unreached").unreached)
      assert.equal(264, stats("list_long").longest_list)
      local none = stats "none"
      assert.same({ 0, 0, 1, 1 }, { none.prisms, none.area, none.leaves, none.empty_leaves })
      assert.is_nil(none.low)
   end)

   -- The figures of the octrees, and the prisms that no list names.
   local function count_lists(file)
      local found = { leaves = 0, empty_leaves = 0, lists = 0, list_refs = 0, longest_list = 0, depth = 0,
         unreached = 0 }
      for _, model in ipairs(file.models) do
         local seen, named, depth_of = {}, {}, {}
         for depth = 0, model.shift do depth_of[1 << model.shift - depth] = depth end
         model:each_leaf(function(_, _, _, size, at)
            local _, ids = model:list(at)
            found.leaves = found.leaves + 1
            found.empty_leaves = found.empty_leaves + (#ids == 0 and 1 or 0)
            found.depth = math.max(found.depth, depth_of[size])
            found.longest_list = math.max(found.longest_list, #ids)
            if seen[at] then return end
            seen[at] = true
            found.lists, found.list_refs = found.lists + 1, found.list_refs + #ids
            for _, id in ipairs(ids) do named[id] = true end
         end)
         for number = 1, model.count do found.unreached = found.unreached + (named[number] and 0 or 1) end
      end
      return found
   end

   it("is counted as plain Lua counts it", function()
      local function check(doc, name)
         local expected, found = tools.calm(count_lists, reader.read(doc:bytes(), doc.game)), assert(doc:stats())
         for field, value in pairs(expected) do assert.equal(value, found[field], name .. "." .. field) end
      end
      for _, name in ipairs(tools.names()) do
         -- Of cells that reach out of a narrow area, only those inside count.
         if name ~= "narrow_area" then check(tools.open(name), name) end
      end
      for _, file in ipairs(tools.corpus()) do
         local doc <close> = assert(kart.open(file.path))
         check(doc, file.name)
      end
   end)

   it("is the same in every order of the sections", function()
      local expected = stats "mkw"
      for _, name in ipairs{ "order_octree_first", "header_extra", "tail", "signature", "gaps" } do
         local found = stats(name)
         for _, field in ipairs{ "prisms", "area", "leaves", "lists", "list_refs", "depth", "low", "high" } do
            assert.equal(expected[field], found[field], name .. "." .. field)
         end
      end
   end)

   it("shares lists and groups as it was written", function()
      local own, equal, suffix = stats "lists_own", stats "mkw", stats "lists_suffix"
      assert.equal(own.leaves, own.lists)
      assert.is_true(equal.lists < own.lists)
      assert.is_true(#tools.bytes "lists_suffix" < #tools.bytes "mkw")
      assert.same({ own.leaves, own.longest_list }, { suffix.leaves, suffix.longest_list })
      local shared = stats "groups_shared"
      assert.equal(512, shared.leaves)
      assert.is_true(shared.nodes < 73)
   end)

   it("warns of what is odd, and of nothing else", function()
      local expected = { header_extra = "header-extra", narrow_area = "header-shifts", shifts_apart = "header-shifts",
         shifts_shared = "header-shifts", thickness_odd = "header-numbers", total_with_copies = "prism-total",
         total_wrong = "prism-total" }
      for _, name in ipairs(tools.names()) do
         local warnings = tools.open(name).warnings
         assert.equal(expected[name] and 1 or 0, #warnings, name)
         if expected[name] then assert.equal(expected[name], warnings[1].rule) end
      end
   end)

   it("has models with their headers", function()
      local models = tools.open("mkw").models
      assert.equal(1, #models)
      assert.same({ 300, 250, 1024, 24 }, { models[1].thickness, models[1].radius, models[1].cell, models[1].prisms })
      assert.same({ 0, #tools.bytes "mkw" }, { models[1].offset, models[1].bytes })
      models = tools.open("mk8_models").models
      local sum = 0
      for _, model in ipairs(models) do sum = sum + model.prisms end
      assert.equal(#tools.open("mk8_models").prisms, sum)
   end)
end)

describe("the game can be forced", function()
   it("when opening and parsing", function()
      local path = support.tmp() .. "/a.kcl"
      support.write(path, tools.bytes "mk8dx")
      for _, game in ipairs{ "mk8dx", "smo" } do
         for _, doc in ipairs{ assert(kart.open(path, { game = game })),
            assert(kart.kcl.parse(tools.bytes "mk8dx", game)) } do
            assert.equal(game, doc.game)
            assert.is_false(doc.guessed)
            assert.is_true(doc:bytes() == tools.bytes "mk8dx")
         end
      end
   end)

   it("and then a file that is no such thing is refused", function()
      for _, name in ipairs{ "mkw", "mk8", "mk7", "mkds" } do
         for _, game in ipairs{ "mkw", "mk8", "mk8dx", "mk7" } do
            if name ~= game and not (name == "mkds" and game == "mk7") then
               local doc, message, code = kart.kcl.parse(tools.bytes(name), game)
               assert.is_nil(doc, name .. " as " .. game)
               assert.equal("format", code)
               assert.matches("expected .+, found ", message)
            end
         end
      end
   end)

   it("by a name that there is", function()
      local games = "with KCL files, only mkw, mk8, mk8dx, smo, smg, sm3dl, mk7, mkds"
      assert.error_matches(function() kart.kcl.parse("", "mk64") end, "no game 'mk64' " .. games)
      assert.error_matches(function() kart.open("a.kcl", { game = "kmp" }) end, "no game 'kmp' " .. games)
      assert.error_matches(function() kart.open("a.kcl", { game = 5 }) end, "no game '5' " .. games)
      assert.error_matches(function() kart.open("a.kcl", { games = "mkw" }) end, "unknown option 'games'")
   end)
end)

it("the samples are the same on each run", function()
   for _, sample in ipairs(require "samples.kcl_variants") do
      assert.is_true(sample.make() == sample.make(), sample.name)
   end
   for _, sample in ipairs(require "samples.kcl_broken") do
      assert.is_true(sample.make() == sample.make(), sample.name)
   end
end)
