-- What surfaces become: the table, rules of one's own, and what can't be carried.
local convert = require "kartlua.convert"
local flagmap = require "kartlua.flagmap"
local support = require "spec.support"
local tools = require "spec.convert.tools"

local NAMED = { "mkw", "mk8", "mkds", "mkagp" }

-- Three triangles or as many as there are flags, of a game; what each became.
local function became(flags, from, to, options)
   local positions, triangles = {}, {}
   for i, flag in ipairs(flags) do
      local at = #positions
      for k, place in ipairs{ { 0, 0, 0 }, { 0, 0, 90 }, { 90, 0, 0 } } do
         positions[at + k] = { place[1] + 1000 * i, 0, place[3] }
      end
      triangles[i] = { at + 1, at + 2, at + 3,
         flag = math.type(flag) and flag or assert(kart.flags.parse(flag, from)) }
   end
   local mesh = kart.mesh.new{ game = from, positions = positions, triangles = triangles }
   local made, report, code = kart.convert(mesh, to, options)
   if not made then return nil, report, code end
   local by_flag, list = {}, {}
   for _, row in ipairs(report.flags) do by_flag[row.flag] = row end
   for i, triangle in ipairs(triangles) do list[i] = by_flag[triangle.flag] end
   return list, report
end

local function words(flags, from, to, options)
   local list = {}
   for i, row in ipairs(assert(became(flags, from, to, options))) do list[i] = row.became or "-" end
   return table.concat(list, " ")
end

describe("the table", function()
   it("has a kind for every type and variant of every game, and one only", function()
      for _, game in ipairs(NAMED) do
         for _, kind in ipairs(kart.flags.types(game)) do
            for variant = 0, game == "mkagp" and 0x40 or 7 do
               local flag = assert(kart.flags.parse(("%s/%d"):format(kind.name, variant), game))
               assert.is_string(convert.kind(flag, game))
               for _, modifier in ipairs(kart.flags.modifiers(game)) do
                  assert.is_string(convert.kind(flag | 1 << modifier.bit, game))
               end
            end
         end
      end
      assert.equal("road", convert.kind(0x2, "mkagp")) -- a surface without a name
      assert.equal("unused", convert.kind(0x1F00, "mkds"))
      assert.is_nil(convert.kind(3, "mk7"))
   end)

   it("has nothing that isn't read, and what is written is read as the same kind", function()
      for _, row in ipairs(flagmap.kinds) do
         for _, game in ipairs(NAMED) do
            local name, as = convert.name(row[1], game)
            if as == row[1] then
               local flag = kart.flags.parse(name, game) or assert(kart.flags.parse(name:gsub("%*", "0"), game))
               assert.equal(row[1], (convert.kind(flag, game)))
            end
         end
      end
   end)

   it("leads every kind to what it is taken for, in the end to a floor or a wall or to none", function()
      local known = {}
      for _, row in ipairs(flagmap.kinds) do
         assert.is_nil(known[row[1]])
         known[row[1]] = row
      end
      for _, row in ipairs(flagmap.kinds) do
         local steps = 0
         while row.like do
            row, steps = assert(known[row.like], row.like), steps + 1
            assert.is_true(steps < 9)
         end
      end
      for key in pairs(flagmap.kinds[1]) do assert.is_true(key == 1 or kart.flags.types(key)[1] ~= nil) end
   end)

   it("says the same of floors and walls as the engine of Mario Kart Wii", function()
      local masks = {}
      for _, group in ipairs(kart.flags.groups "mkw") do masks[group.name] = group.mask end
      for _, kind in ipairs(kart.flags.types "mkw") do
         local row = became({ kind.number }, "mkw", "mkagp") -- the arcade games have floors only
         if row and row[1].new then assert.is_true(masks.driver_floors >> kind.number & 1 == 1, kind.name) end
         local name = convert.name(convert.kind(kind.number, "mkw"), "mkds")
         if name and name:find "is_wall" and kind.name ~= "item_wall" then
            assert.is_true(masks.driver_walls >> kind.number & 1 == 1, kind.name)
         end
      end
   end)
end)

describe("surfaces", function()
   it("are what comes near in the other game", function()
      assert.equal("road_2/dirt_small sand off_road/grass road_1+high_gravity wall_1/cliff fall_out/lava -",
         words({ "road/dirt", "slippery_road", "off_road/grass", "sticky_road/wood", "wall_2/rock",
            "fall_boundary/lava_no_gfx", "cannon_activator/3" }, "mkw", "mk8"))
      assert.equal("road+is_floor wall+is_wall boost_pad+is_floor cannon_activator/3 invisible_wall+is_wall",
         words({ "road_2/grass", "wall/metal", "boost_ramp", "cannon_activator/3", "invisible_wall_2" }, "mkw",
            "mkds"))
      assert.equal("default grass/heavy ice dirt/medium - -",
         words({ "boost_pad", "heavy_off_road/grass", "slippery_road_2/mud", "off_road/mud", "wall", "item_road" },
            "mkw", "mkagp"))
      assert.equal("heavy_off_road/grass road road/metal_grate slippery_road/water",
         words({ "grass/heavy+special", 0x2, "metal", "water" }, "mkagp", "mkw"))
      assert.equal("boost_ramp boost_pad road wall/bush -",
         words({ "dash+trickable", "dash/wet", "gravity_panel", "wall_3/leaf", "dummy_1" }, "mk8", "mkw"))
      assert.equal("road item_road wall",
         words({ "loop_road+is_floor", "road/2+ignore_drivers", 0x5F00 }, "mkds", "mkw"))
   end)

   it("say how they were found, and what they lose", function()
      local rows = assert(became({ "road/dirt+trickable", "jump_pad+light=3", "wall+soft+reject", "cannon_activator" },
         "mkw", "mk8"))
      local list = {}
      for i, row in ipairs(rows) do
         list[i] = ("%s %s %s"):format(row.match, row.became, table.concat(row.lost, ","))
      end
      assert.same({ "same road_2/dirt_small+trickable ", "like road_1 light=3", "same wall_1 reject,soft",
         "none nil " }, list)
      local back = assert(became({ "road_1+speed_trickable+unknown=2", "road_1+high_gravity" }, "mk8", "mkw"))
      assert.same({ "road+trickable", { "unknown=2" }, "sticky_road/road", {} },
         { back[1].became, back[1].lost, back[2].became, back[2].lost })
      assert.same({ "special" }, became({ "grass+special" }, "mkagp", "mkw")[1].lost)
   end)

   it("stay as they are where both games have the same flags", function()
      local rows = assert(became({ 0x1234, 0xFFFF }, "mk8", "mk8dx"))
      assert.same({ 0x1234, "kept", 0xFFFF }, { rows[1].new, rows[1].match, rows[2].new })
      assert.equal(7, became({ 7 }, "smg", "smg")[1].new)
   end)

   it("of games without names are told by how they stand, and are 0 in such games", function()
      local mesh = kart.mesh.new{ game = "mk7",
         positions = { { 0, 0, 0 }, { 0, 0, 90 }, { 90, 0, 0 }, { 0, 90, 0 }, { 40, 90, 0 } },
         triangles = { { 1, 2, 3, flag = 5 }, { 1, 3, 4, flag = 5 }, { 1, 3, 5, flag = 9 } } }
      local made, report = assert(kart.convert(mesh, "mkw"))
      tools.account(mesh, made, report)
      local list = {}
      for i, row in ipairs(report.flags) do list[i] = ("%d %s %s"):format(row.flag, row.became, row.match) end
      assert.same({ "5 road slope", "5 wall slope", "9 wall slope" }, list)
      local rows = assert(became({ "road/dirt", "wall", "fall_boundary" }, "mkw", "smo"))
      assert.same({ 0, "plain", 0, "none" }, { rows[1].new, rows[1].match, rows[2].new, rows[3].match })
   end)
end)

describe("rules of one's own", function()
   local FLAGS = { "road", "road/dirt", "wall/rock", "fall_boundary" }

   it("count before the table, those that say more first", function()
      assert.equal("road_4/rainbow road_3 wall_2/glass -", words(FLAGS, "mkw", "mk8", { flags = {
         road = "road_4/rainbow", ["road/*"] = "road_3", ["wall/*"] = "wall_2/glass", [0x10] = "drop" } }))
      assert.equal("0x0007 0x0000 0x0009 -", words(FLAGS, "mkw", "smo", { flags = { road = 7, ["wall/*"] = "9" } }))
      assert.equal("road road wall -", words({ 4, 5, 6, 7 }, "smg", "mkw",
         { flags = { [5] = "road", [6] = "wall", [7] = "drop" } }))
   end)

   it("may be a function", function()
      local seen = {}
      local text = words(FLAGS, "mkw", "mk8", { flags = function(flag, fields, kind)
         seen[#seen + 1] = ("%d %s %s"):format(flag, fields.type, kind)
         if kind == "road_dirt" then return "road_3/candy" elseif flag == 0x10 then return "drop" end
      end })
      assert.equal("road_1 road_3/candy wall_1/cliff -", text)
      assert.same({ "0 road road", "16 fall_boundary fall", "32 road road_dirt", "44 wall wall_rock" }, seen)
   end)

   it("may be a file", function()
      local path = support.tmp() .. "/rules.txt"
      support.write(path, "# mine\r\nroad/* = road_3 # all\r\n\r\nroad/dirt+light=2 = dash\n"
         .. "road/dirt+light=3 = dash/wet\nfall_boundary=drop")
      assert.equal("road_3 dash wall_1/cliff -",
         words({ "road", "road/dirt+light=2", "wall/rock", "fall_boundary" }, "mkw", "mk8", { flags = path }))
      for text, message in pairs{
         ["rod = dash"] = "line 1: rod: there is no type 'rod' (did you mean road?)",
         ["\nroad = dsh"] = "line 2: road = dsh: there is no type 'dsh' (did you mean dash?)",
         ["road = dash\nroad = dash"] = "line 2: two rules for road",
         ["# x\n\nroad"] = "line 3: expected old = new, found 'road'" } do
         support.write(path, text)
         local made, problem, code = became({ "road" }, "mkw", "mk8", { flags = path })
         assert.is_nil(made)
         assert.is_truthy(problem:find(path .. ": " .. message, 1, true), problem)
         assert.equal("format", code)
      end
      assert.same({ "io" }, { select(3, became({ "road" }, "mkw", "mk8", { flags = path .. ".none" })) })
   end)

   it("that can't be meant raise, at the script's line", function()
      local function fails(message, options, to)
         local ok, problem = pcall(became, FLAGS, "mkw", to or "mk8", options)
         assert.is_false(ok)
         assert.matches("spec/convert/flags_spec%.lua:%d+: convert: " .. message, problem)
      end
      fails("option 'flags': rod: there is no type 'rod'", { flags = { rod = "dash" } })
      fails("option 'flags': road = wall: there is no type 'wall'", { flags = { road = "wall" } })
      fails("option 'flags': road = 65536: expected a flag", { flags = { road = 65536 } })
      fails("option 'flags': 'road/%*%+light=0' and 'road/%*%-trickable%-reject%-soft' both fit road, and disagree",
         { flags = { ["road/*-trickable-reject-soft"] = "dash", ["road/*+light=0"] = "drop" } })
      fails("option 'flags': expected rules, a function or a path, got number", { flags = 1 })
      fails("the function's answer to road: there is no type 'x'", { flags = function() return "x" end })
      fails("there is no game 'wii', only mk7, mk8, mk8dx, mkagp, mkds, mkw, sm3dl, smg, smo", nil, "wii")
      fails("unknown option 'size'", { size = 1 })
      fails("option 'scale': expected a number, got string", { scale = "2" })
      for _, scale in ipairs{ 0, -1, math.huge, 0 / 0 } do
         fails("option 'scale': expected a number above 0", { scale = scale })
      end
      fails("option 'weld': expected a number from 0 up", { weld = -1 })
      fails("option 'build': unknown option 'nothing'", { build = { nothing = 1 } })
      local ok, problem = pcall(kart.convert, kart.kmp.new{}, "mkw")
      assert.is_false(ok)
      assert.matches("convert: expected a KCL, an AGP or a mesh, got kmp", problem)
      local closed = tools.mesh "mkw"
      closed:close()
      ok, problem = pcall(kart.convert, closed, "mkw")
      assert.same({ false, "convert: the document is closed" }, { ok, (problem:gsub("^.*:%d+: ", "")) })
   end)
end)

describe("conversion", function()
   it("fails where nothing is left, where flags aren't known, and where numbers are too small", function()
      local function failure(...) return table.concat({ select(2, kart.convert(...)) }, " | ") end
      local wall = kart.mesh.new{ game = "mkw", positions = { { 0, 0, 0 }, { 0, 0, 90 }, { 90, 0, 0 } },
         triangles = { { 1, 2, 3, flag = 0x0C } } }
      assert.equal("nothing is left: no surface of it means anything in mkagp | unsupported", failure(wall, "mkagp"))
      local unknown = kart.mesh.new{ game = "mkw", positions = { { 0, 0, 0 }, { 0, 0, 90 }, { 90, 0, 0 } },
         triangles = { { 1, 2, 3 } } }
      assert.equal("1 triangles have no flag: their materials say none | format", failure(unknown, "mkagp"))
      assert.equal("there is no triangle that could be a prism | unsupported",
         failure(tools.mesh "mkw", "mkds", { scale = 1e6 }))
      assert.matches("| limit$", failure(tools.mesh "mkw", "mkagp", { scale = 1e3 }))
   end)

   it("passes options on to the builder, and takes a factor", function()
      local course = tools.course "mkw"
      local made, report = assert(kart.convert(course, "mkagp", { scale = 0.5, build = { cell = 500 } }))
      assert.same({ 0.5, "given", 500 }, { report.scale, report.scale_from, made.grid.cell.x })
      local small = assert(kart.convert(course, "mkw", { build = { goal = "size" } }))
      assert.is_true(#small:bytes() <= #assert(kart.convert(course, "mkw", { build = { goal = "speed" } })):bytes())
   end)

   it("leaves out what stands twice and what doesn't face up, to the arcade games", function()
      local mesh = kart.mesh.new{ game = "mkw",
         positions = { { 0, 0, 0 }, { 0, 0, 900 }, { 900, 0, 0 }, { 0, 500, 0 }, { 0, 500, 900 }, { 900, 500, 0 } },
         triangles = { { 1, 2, 3, flag = 0 }, { 2, 3, 1, flag = 0 }, { 4, 6, 5, flag = 0 }, { 1, 2, 5, flag = 0 } } }
      local made, report = assert(kart.convert(mesh, "mkagp"))
      tools.account(mesh, made, report)
      assert.same({ 1, 2, 1, 2 }, { report.doubles, report.turned.triangles, #made.triangles,
         report.flags[1].turned })
   end)
end)
