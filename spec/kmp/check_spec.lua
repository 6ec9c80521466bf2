-- Checks: each rule with a course that breaks it and one that nearly does. A rule without a case fails.
local change = require "spec.kmp.cases.change"
local kcl_race = require "samples.kcl_race"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

-- What a case holds:
--   base     the course to start from: "race" if not given, "arena", or a function
--   breaks   changes it so that the rule finds something; may return another document
--   place    where, or a function of the broken document
--   with     the other rules that then find something new, too; none if not given
--   near     changes it nearly so: the rule finds nothing
-- Rules that need a collision are asked with that of the race course, which both functions get as well.
local cases = {}
for _, file in ipairs{ "track", "record", "ground" } do
   for id, case in pairs(require("spec.kmp.cases." .. file)) do
      assert(not cases[id], id)
      cases[id] = case
   end
end

local function check(doc, options) return assert(doc:check(options)) end

-- The findings that weren't in the list before.
local function new_findings(before, after)
   local known, list = {}, {}
   for _, finding in ipairs(before) do known[finding.rule .. finding.place] = true end
   for _, finding in ipairs(after) do
      if not known[finding.rule .. finding.place] then list[#list + 1] = finding end
   end
   return list
end

local function base(case)
   if type(case.base) == "function" then return case.base() end
   return tools.open(case.base or "race")
end

local ground = kcl_race()

-- What a rule and others find in the case's course, changed in this way or as it was.
local function check_case(rule, case, how)
   local collision = rule.collision and assert(kart.kcl.parse(ground)) or nil
   local doc = base(case)
   doc = how and case[how](doc, collision) or doc
   return check(doc, { collision = collision }), doc
end

-- The findings of one rule, and the names of all others, each once.
local function sort_out(findings, id)
   local own, others, seen = {}, {}, {}
   for _, finding in ipairs(findings) do
      if finding.rule == id then
         own[#own + 1] = finding
      elseif not seen[finding.rule] then
         seen[finding.rule] = true
         others[#others + 1] = finding.rule
      end
   end
   table.sort(others)
   return own, others
end

describe("rule", function()
   for _, rule in ipairs(kart.kmp.rules()) do
      local case = cases[rule.id]
      cases[rule.id] = nil

      it(rule.id .. " has a case", function() assert.is_table(case) end)
      if not case then goto continue end

      it(rule.id .. " finds what breaks it, and nothing else does", function()
         local found, doc = check_case(rule, case, "breaks")
         local own, others = sort_out(new_findings(check_case(rule, case), found), rule.id)
         assert.same(case.with or {}, others)
         assert.equal(1, #own)
         local finding = own[1]
         assert.equal(rule.severity, finding.severity)
         assert.equal(type(case.place) == "function" and case.place(doc) or case.place, finding.place)
         -- Place, section, index and field say the same.
         local section, rest = finding.place:match "^(%l*)(.*)$"
         assert.equal(section, finding.section)
         assert.equal(rest:match "%.?([%l%d_]*)$", rest:find "%." and finding.field or "")
         assert.equal(math.tointeger(rest:match "^%[(%d+)%]"), finding.index)
         assert.equal(math.tointeger(rest:match "points%[(%d+)%]"), finding.point)
         -- A sentence, or nearly; and one thing is no things.
         assert.matches("%w+ .*%w+", finding.message)
         assert.not_matches("^1 %l+s%f[%W]", finding.message)
      end)

      it(rule.id .. " lets pass what nearly breaks it", function()
         local found = new_findings(check_case(rule, case), (check_case(rule, case, "near")))
         assert.same({}, (sort_out(found, rule.id)))
      end)

      ::continue::
   end

   it("cases are of rules", function() assert.same({}, cases) end)
end)

describe("rules", function()
   it("have all that a reader wants to know", function()
      local seen = {}
      for _, rule in ipairs(kart.kmp.rules()) do
         assert.is_nil(seen[rule.id])
         seen[rule.id] = true
         assert.matches("^%l[%l-]+%l$", rule.id)
         assert.truthy(({ error = true, warning = true, hint = true })[rule.severity])
         assert.matches("%.$", rule.reason)
         assert.matches("%.$", rule.remedy)
         assert.truthy(({ engine = true, wiki = true, files = true, derived = true })[rule.source])
         assert.equal("boolean", type(rule.fix))
         -- Whoever can repair says so.
         assert.equal(rule.fix, rule.remedy:find("fix " .. rule.id, 1, true) ~= nil, rule.id)
      end
   end)
end)

describe("what else rules find", function()
   -- A broken document, what the one new finding's place is, of which rule.
   local function finds(id, place, edit, name)
      local before = tools.open(name or "race")
      local doc = tools.open(name or "race")
      doc = edit(doc) or doc
      local own = sort_out(new_findings(check(before), check(doc)), id)
      local places = {}
      for i, finding in ipairs(own) do places[i] = finding.place end
      assert.same(type(place) == "table" and place or { place }, places)
   end

   it("in layouts that lack a field", function()
      for _, version in ipairs{ 1600, 1830, 2100, 2200, 2320, 2520 } do
         local doc = kart.kmp.new{ version = version }
         for _, rule in ipairs(kart.kmp.rules()) do
            for name in rule.sections:gmatch "%l+" do
               pcall(function() doc[name]:insert{} end) -- not every version has it
            end
         end
         for kind = 0, 11 do pcall(doc.area.insert, doc.area, { type = kind }) end
         assert.is_table(doc:check())
         assert.is_table(doc:check{ arena = true })
         assert.is_table(doc:check{ arena = false })
      end
   end)

   it("points that lie in no group", function()
      finds("group-gap", "itpt[55]", function(doc) doc.itph[4].length = 15 end)
   end)

   it("groups that overlap", function()
      finds("group-gap", "itph[3].start", function(doc)
         doc.itph[3].start, doc.itph[3].length = 29, 11
      end)
   end)

   it("each grouping", function()
      for _, pair in ipairs{ { "enpt", "enph" }, { "itpt", "itph" }, { "ckpt", "ckph" } } do
         finds("group-missing", pair[1], function(doc) return change.count(doc, pair[2], 0) end)
         finds("group-range", pair[2] .. "[4].length", function(doc) doc[pair[2]][4].length = 20 end)
         finds("group-unreached", pair[2] .. "[2]", function(doc) doc[pair[2]][1].next = { 3 } end)
      end
      for _, name in ipairs{ "enpt", "itpt" } do
         finds("point-count", name, function(doc)
            return change.count(doc, name, 256)
         end)
      end
   end)

   it("both sides of the links of checkpoints", function()
      finds("ckpt-links", "ckpt[1].prev", function(doc) doc.ckpt[1].prev = 55 end)
      finds("ckpt-links", "ckpt[19].next", function(doc) doc.ckpt[19].next = 20 end)
   end)

   it("jumps on the way of a later lap, once", function()
      finds("laps-jump", "ckpt[40]", function(doc)
         doc.ckph:split(2, 4)
         doc.ckph:split(3, 4)
      end)
   end)

   it("areas inside out", function()
      finds("ckpt-quad", { "ckpt[9]", "ckpt[10]" }, function(doc)
         local point = doc.ckpt[10]
         point.left, point.right = point.right, point.left
      end)
   end)

   it("players out of range and double", function()
      finds("arena-players", { "ktpt[3].player", "ktpt.player" }, function(doc) doc.ktpt[3].player = 12 end, "arena")
      finds("arena-players", { "ktpt[3].player", "ktpt.player" }, function(doc) doc.ktpt[3].player = 0 end, "arena")
   end)

   it("Boos without an area", function()
      finds("area-boo", "gobj", function(doc) doc.area:remove(11) end)
   end)

   it("cameras that want a route, and a goal that is missing", function()
      finds("camera-route", "came[3].route", function(doc) doc.came[3].route = nil end)
      finds("camera-goal", "came.type", function(doc) doc.came[1].type = 3 end)
   end)

   it("areas of LE-CODE's type in a course that doesn't ask for it", function()
      local function area(doc) doc.area[5].type = 11 end
      finds("area-type", "area[5].type", area)
      finds("area-type", "area[1].type", function(doc)
         doc.area[1].type = 11
         doc.enph[1].dispatch = 1 -- a link, and no lap mask, in an arena
      end, "arena")
      for _, ask in ipairs{
         function(doc) doc.gobj[1].id = 0x1000 + doc.gobj[1].id end,
         function(doc) doc.area[6].type, doc.area[6].setting_2 = 10, 3 end,
         function(doc) doc.ktpt:insert{ player = -1 } end,
         function(doc) doc.itph[2].dispatch = 1 end,
      } do
         finds("area-type", {}, function(doc)
            area(doc)
            ask(doc)
         end)
         -- What nobody knows stays unknown.
         finds("area-type", "area[5].type", function(doc)
            ask(doc)
            doc.area[5].type = 12
         end)
      end
   end)

   it("fall boundaries whose ends are none", function()
      local function range(first, last)
         return function(doc) doc.area[5].type, doc.area[5].setting_1, doc.area[5].setting_2 = 10, first, last end
      end
      finds("area-range", "area[5].setting_2", range(1, 0))
      finds("area-range", {}, range(0xFFFF, 3))
      finds("area-range", {}, range(3, 0xFFFF))
      finds("area-range", {}, range(0, 0))
   end)

   it("routes that objects have no use for", function()
      local ways = { [101] = false, [234] = false, [316] = false, [504] = false, [206] = true, [208] = true,
         [216] = true }
      for id, wants in pairs(ways) do
         local function place(doc, route)
            local object = doc.gobj:insert{ id = id, route = route, rotation = { 0, 0, 0 }, settings = { 6 } }
            return ("gobj[%d].route"):format(object.index)
         end
         local expected = place(tools.open "race")
         finds("object-route", wants and expected or {}, function(doc) place(doc) end)
         finds("object-route", wants and {} or expected, function(doc) place(doc, 1) end)
      end
      -- Of others it is not known.
      finds("object-route", {}, function(doc) doc.gobj:insert{ id = 401, route = 1 } end)
      finds("object-route", {}, function(doc) doc.gobj:insert{ id = 401 } end)
   end)

   it("blocks outside the grid", function()
      finds("object-grid", "gobj[1].position", function(doc)
         doc.gobj[1].id, doc.gobj[1].position, doc.gobj[1].rotation = 368, { 8841, 0, 0 }, { 0, 0, 0 }
      end)
   end)

   it("hidden references out of range", function()
      local function object(doc, id, setting, value)
         for _, record in ipairs(doc.gobj) do
            if record.id == id then record.settings[setting] = value end
         end
      end
      local function index(id)
         for i, record in ipairs(tools.open "race".gobj) do
            if record.id == id then return i end
         end
      end
      finds("reference-range", ("gobj[%d].settings"):format(index(234)), function(doc) object(doc, 234, 1, 9) end)
      finds("reference-range", ("gobj[%d].settings"):format(index(201)), function(doc) object(doc, 201, 5, 4) end)
      finds("reference-range", "area[5].setting_2", function(doc)
         doc.area[5].type, doc.area[5].setting_1, doc.area[5].setting_2 = 10, 0, 55
      end)
   end)

   it("references of fields that mean nothing here don't count", function()
      finds("reference-range", {}, function(doc) return change.raw(doc, "area", 5, "camera", 99) end)
      finds("reference-range", {}, function(doc) return change.raw(doc, "area", 1, "route", 99) end)
   end)

   it("first cameras and group links out of range", function()
      finds("reference-range", "came.selection", function(doc) return change.header(doc, "CAME", 0x0409) end)
      finds("reference-range", "enph[2].prev", function(doc) return change.raw(doc, "enph", 2, "prev", 4, 6) end)
   end)

   it("several records of stage information", function()
      finds("stage-values", "stgi", function(doc) doc.stgi:insert{ laps = 3 } end)
      finds("stage-values", "stgi[1].pole", function(doc) doc.stgi[1].pole = 2 end)
   end)
end)

describe("check", function()
   -- Findings as one line each.
   local function lines(doc, options)
      local list = {}
      for i, finding in ipairs(check(doc, options)) do
         list[i] = ("%s: %s: %s"):format(finding.place, finding.severity, finding.rule)
      end
      return list
   end

   it("finds nothing in the samples but a hint", function()
      -- The two ways begin at one line, and there the search takes the first: true, and no harm.
      assert.same({ "ckpt[30]: hint: ckpt-dead" }, lines(tools.open "race"))
      assert.same({}, lines(tools.open "arena"))
   end)

   it("knows arenas by what they have, or as it is told", function()
      assert.same({}, lines(tools.open "arena", { arena = "auto" }))
      assert.same({}, lines(tools.open "arena", { arena = true }))
      local race = lines(tools.open "arena", { arena = false })
      assert.truthy(tools.finding(check(tools.open "arena", { arena = false }), "ckpt-none"))
      assert.truthy(#race > 0)
      assert.truthy(tools.finding(check(tools.open "race", { arena = true }), "arena-ends"))
   end)

   it("refuses other options", function()
      local doc = tools.open "race"
      assert.error_matches(function() doc:check{ areana = true } end, "unknown option 'areana'")
      assert.error_matches(function() doc:check{ arena = "yes" } end, "arena")
      assert.error_matches(function() doc:check{ arena = 1 } end, "arena")
   end)

   it("knows no rules of Mario Kart 7", function()
      local findings, message, code = kart.kmp.new{ game = "mk7" }:check()
      assert.same({ nil, "unsupported" }, { findings, code })
      assert.matches("Mario Kart 7", message)
   end)

   it("changes nothing", function()
      for _, name in ipairs(tools.names()) do
         local doc = tools.open(name)
         local before, warnings = doc:bytes(), #doc.warnings
         doc:check()
         assert.equal(before, doc:bytes())
         assert.equal(warnings, #doc.warnings)
      end
   end)

   it("takes any file that opens", function()
      for _, name in ipairs(tools.names()) do
         local doc = tools.open(name)
         for _, arena in ipairs{ "auto", true, false } do
            if doc.game == "mkw" then check(doc, { arena = arena }) end
         end
      end
      check(kart.kmp.new{})
      check(kart.kmp.new{}, { arena = true })
   end)
end)

describe("false alarms of other tools don't occur:", function()
   local function quiet(id, edit, name)
      local doc = tools.open(name or "race")
      assert.is_nil(tools.finding(check(edit(doc) or doc), id))
   end

   it("a route that only moving water uses", function()
      quiet("route-unused", function(doc) assert.equal(6, doc.area[7].route) end)
   end)

   it("routes that hide in settings", function()
      quiet("route-unused", function(doc)
         local hidden = {}
         for _, object in ipairs(doc.gobj) do
            if object.id == 234 or object.id == 420 then hidden[#hidden + 1] = object.settings[1] end
         end
         assert.same({ 6, 7 }, hidden)
      end)
   end)

   it("the twelve players of an arena, from 0", function()
      quiet("arena-players", function() end, "arena")
      quiet("start-yaw", function(doc) doc.ktpt[1].rotation = { 0, 12, 0 } end, "arena")
   end)

   it("an arena without item route, checkpoints and a camera of type 0", function()
      quiet("ckpt-none", function() end, "arena")
      quiet("camera-goal", function(doc) doc.came[1].type = 3 end, "arena")
      quiet("group-next", function(doc) doc.enph[1].next = {} end, "arena")
   end)

   it("a second start position for the minimap", function()
      quiet("arena-players", function(doc) doc.ktpt:insert{ player = -1 } end)
   end)

   it("the same key in two ways", function() quiet("key-twice", function() end) end)

   it("a selection video that runs in a circle", function()
      quiet("camera-cycle", function(doc)
         doc.came:insert{ type = 4, next = 10 }
         doc.came[10].next, doc.came.selection = 10, 10
      end)
   end)
end)

describe("check of real files", function()
   local paths = support.corpus("kmp", "kmp")

   for _, path in ipairs(paths) do
      local name = path:match "[^/]+$"
      it("finds errors only in what is unfinished: " .. name, function()
         local doc = assert(kart.open(path))
         local findings = check(doc)
         if os.getenv "KARTLUA_FINDINGS" then
            print(name)
            for _, finding in ipairs(findings) do print("   " .. finding.rule .. ": " .. tostring(finding)) end
         end
         local unfinished = name:find "_broken_" or name:find "_modeltest"
         for _, finding in ipairs(findings) do
            assert.truthy(unfinished or finding.severity ~= "error", tostring(finding))
         end
         assert.equal(name:find "^arena" ~= nil, doc.battle)
         -- Routes of moving water are in use.
         for _, area in ipairs(doc.area) do
            if area.type == 3 and area:target "route" then
               for _, finding in ipairs(findings) do
                  assert.falsy(finding.rule == "route-unused" and finding.index == area.route)
               end
            end
         end
      end)
   end
end)
