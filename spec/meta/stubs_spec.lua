-- The stubs in lua/meta are the manual: they hold every name that there is, and no other.
local lfs = require "lfs"
local kclfile = require "samples.kclfile"
local support = require "spec.support"

local FOLDER = support.root .. "/lua/meta"
local FILES = {}
for name in lfs.dir(FOLDER) do
   if name:find("%.lua$") then FILES[#FILES + 1] = name end
end
table.sort(FILES)

-- The class that describes each owner of names.
local CLASSES = {
   kmp = "kart.kmp", section = "kart.section", record = "kart.record", values = "kart.values",
   kcl = "kart.kcl", prisms = "kart.prisms", prism = "kart.prism",
   agp = "kart.agp", ["kart.agp"] = "kart.agp.functions", agp_triangles = "kart.agp_triangles",
   agp_triangle = "kart.agp_triangle", agp_walls = "kart.agp_walls", agp_wall = "kart.agp_wall",
   agp_cells = "kart.agp_cells", agp_cell = "kart.agp_cell",
   szs = "kart.szs", ["kart.szs"] = "kart.szs.functions",
   mesh = "kart.mesh", triangles = "kart.triangles", triangle = "kart.triangle", positions = "kart.positions",
   hit = "kart.hit",
   vec = "kart.vec", matrix = "kart.matrix", finding = "kart.finding", points = "kart.points", column = "kart.column",
   kart = "kart", ["kart.kmp"] = "kart.kmp.functions", ["kart.kcl"] = "kart.kcl.functions",
   ["kart.mesh"] = "kart.mesh.functions",
   ["kart.flags"] = "kart.flags.functions", ["kart.matrix"] = "kart.matrix.functions",
   ["kart.points"] = "kart.points.functions",
   ["kart.file"] = "kart.file.functions", ["kart.os"] = "kart.os.functions",
}

-- The names that the classes of all stubs have: { ["kart.kmp"] = { mirror = "method", game = "property" } }.
-- `undocumented` gets functions and parameters without a word.
local function read_stubs(undocumented)
   local classes, parents = {}, {}
   for _, file in ipairs(FILES) do
      local class, of_variable, comments = nil, {}, {}
      for line in io.lines(FOLDER .. "/" .. file) do
         local new_class = line:match("^%-%-%-@class ([%w_.]+)")
         local field = line:match("^%-%-%-@field ([%a_][%w_]*)")
         local variable = line:match("^local ([%w_]+) = {}$") or line:match("^([%w_]+) = {}$")
         local owner, separator, name, parameters = line:match("^function ([%w_]+)([.:])([%w_]+)(%b())")
         if new_class then
            class = new_class
            classes[class] = classes[class] or {}
            parents[class] = parents[class] or line:match("^%-%-%-@class [%w_.]+: ([%w_.]+)")
         elseif field then
            classes[class][field] = "property"
         elseif variable then
            of_variable[variable] = class
         elseif owner then
            local names = assert(classes[of_variable[owner]], file .. ": a function of no class: " .. line)
            names[name] = separator == ":" and "method" or "function"
            local said = table.concat(comments, "\n") .. "\n"
            if not said:find("%-%-%- ?[^@]") and not said:find("@return") then
               undocumented[#undocumented + 1] = owner .. separator .. name
            end
            for parameter in parameters:gmatch("[%w_]+") do
               if not said:find("@param " .. parameter .. "%??%s") then
                  undocumented[#undocumented + 1] = ("%s%s%s: %s"):format(owner, separator, name, parameter)
               end
            end
         end
         if line:find("^%-%-%-") then comments[#comments + 1] = line else comments = {} end
      end
   end
   -- What documents have in common is described once.
   for _, class in pairs(CLASSES) do
      for name, kind in pairs(classes[parents[class]] or {}) do classes[class][name] = kind end
   end
   return classes
end

local undocumented = {}
local stubs = read_stubs(undocumented)

-- All that is registered, by owner: what kart.api tells, and what Lua adds to the module's tables.
local function read_registered()
   local api = kart.api()
   api["kart.flags"] = {}
   for owner, names in pairs(api) do
      local namespace = owner == "kart" and kart or owner:find("^kart%.") and kart[owner:match("%.(.+)")]
      for name, value in pairs(namespace or {}) do
         names[name] = names[name] or type(value) == "function" and "function" or "property"
      end
   end
   for _, layout in ipairs(kart.kmp.schema()) do
      if layout.name ~= "points" then api.kmp[layout.name] = "property" end
   end
   return api
end

-- Names of `these` that `those` lacks or has as something else: "mirror (method)".
local function missing(these, those)
   local list = {}
   for name, kind in pairs(these) do
      if those[name] ~= kind then list[#list + 1] = ("%s (%s)"):format(name, kind) end
   end
   table.sort(list)
   return list
end

local function sorted_keys(of)
   local list = {}
   for key in pairs(of) do list[#list + 1] = key end
   table.sort(list)
   return list
end

-- The names of a class, sorted, against the keys that real tables have, all of them together.
local function assert_shape(class, tables)
   local keys = {}
   for _, one in ipairs(tables) do
      for key in pairs(one) do keys[key] = true end
   end
   assert.same(sorted_keys(keys), sorted_keys(stubs[class]))
end

-- A course that laps can be driven on: a square of four checkpoints in one group.
local function square()
   local corners = { { -1000, -1000 }, { 1000, -1000 }, { 1000, 1000 }, { -1000, 1000 } }
   local ckpt, enpt = {}, {}
   for i, corner in ipairs(corners) do
      local x, z = corner[1], corner[2]
      ckpt[i] = { left = { x * 1.5, z * 1.5 }, right = { x / 2, z / 2 }, type = i - 1, respawn = 1,
         prev = i > 1 and i - 1 or nil, next = i < 4 and i + 1 or nil }
      enpt[i] = { position = { x, 0, z }, width = 1 }
   end
   local group = { start = 1, length = 4, prev = { 1 }, next = { 1 } }
   return kart.kmp.new{
      ktpt = { { position = { -900, 0, -1000 }, rotation = { 0, 90, 0 } } }, jgpt = { {} },
      ckpt = ckpt, ckph = { group }, enpt = enpt, enph = { group },
      poti = { { points = { { speed = 60000 } } } }, gobj = { { id = 602, route = 1 } },
   }
end

-- Collision of two triangles, the second of which has no area.
local function collision(game)
   local a, b, c = { 0, 0, 0 }, { 0, 0, 1024 }, { 1024, 0, 0 }
   local bytes = kclfile.build{ game = game, cell = 11, most = 8, least = 10,
      triangles = { { a, b, c, flag = 0x2020 }, { a, b, c, height = 0 } } }
   return assert(kart.kcl.parse(bytes, game))
end

-- Collision of the arcade games of one triangle, and what became of another one.
local function arcade()
   local mesh = kart.mesh.new{ game = "mkagp", positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
      triangles = { { 1, 2, 3, flag = 1 }, { 1, 2, 2, flag = 1 } } }
   return assert(kart.agp.build(mesh, { drop = true }))
end

describe("the stubs", function()
   for _, file in ipairs(FILES) do
      it("are Lua: " .. file, function() assert(loadfile(FOLDER .. "/" .. file, "t")) end)
   end

   local registered = read_registered()
   for _, owner in ipairs(sorted_keys(registered)) do
      local names, class = registered[owner], CLASSES[owner]
      it("have every name of " .. owner, function()
         assert.is_table(class and stubs[class], ("%s has no stub class"):format(owner))
         assert.same({}, missing(names, stubs[class]))
      end)
      if owner ~= "finding" then -- a plain table: see its shape below
         it("have no name that isn't of " .. owner, function()
            assert.same({}, missing(stubs[class], names))
         end)
      end
   end

   it("have functions only where there are some", function()
      local known = { ["kart.shape"] = true, ["kart.recipe"] = true, ["kart.recipe.functions"] = true }
      for _, class in pairs(CLASSES) do known[class] = true end
      for class, names in pairs(stubs) do
         for name, kind in pairs(names) do
            assert.is_true(kind == "property" or known[class], ("%s.%s"):format(class, name))
         end
      end
   end)

   it("say something of every function and every parameter", function() assert.same({}, undocumented) end)

   it("have every field of every section", function()
      for _, layout in ipairs(kart.kmp.schema()) do
         local record = "kart.kmp." .. (layout.name == "points" and "point" or layout.name)
         for _, field in ipairs(layout.fields) do assert.equal("property", stubs[record][field.name]) end
         for _, field in ipairs(layout.header) do
            assert.equal("property", stubs[record .. "_section"][field.name])
         end
      end
   end)

   it("have no field that a method or property of records or sections hides", function()
      for _, layout in ipairs(kart.kmp.schema()) do
         for _, field in ipairs(layout.fields) do assert.is_nil(stubs["kart.record"][field.name]) end
         for _, field in ipairs(layout.header) do assert.is_nil(stubs["kart.section"][field.name]) end
      end
   end)
end)

describe("the tables that stubs describe", function()
   it("are those of layouts and fields", function()
      local layouts, fields = kart.kmp.schema(), {}
      for _, layout in ipairs(layouts) do
         table.move(layout.fields, 1, #layout.fields, #fields + 1, fields)
         table.move(layout.header, 1, #layout.header, #fields + 1, fields)
      end
      assert_shape("kart.kmp.layout", layouts)
      assert_shape("kart.kmp.layout.field", fields)
   end)

   it("are those of sections", function()
      local bytes = square():bytes():gsub("JGPT", "?GPT")
      assert_shape("kart.kmp.section_info", assert(kart.kmp.parse(bytes)):sections())
   end)

   it("are those of findings", function()
      local course = assert(kart.kmp.parse(square():bytes() .. "...."))
      local findings = course:scale(2, { scale_speeds = true }).warnings
      local archive = kart.szs.new():add("course.kmp", square():bytes()):add("course_model.brres", "")
      findings[#findings + 1] = archive:mirror("x").warnings[1]
      assert_shape("kart.finding", findings)
   end)

   it("are those of rules", function()
      assert_shape("kart.rule", { kart.kcl.rules()[1], kart.kmp.rules()[1] })
   end)

   it("are those of what is in a KCL", function()
      local doc = collision "mkw"
      assert.equal(1, doc:stats().degenerate)
      assert_shape("kart.kcl.stats", { doc:stats() })
      assert_shape("kart.kcl.model", doc.models)
      assert_shape("kart.kcl.flag_count", doc:flags())
      local lengths = doc:list_lengths()
      assert_shape("kart.kcl.lengths", { lengths })
      assert_shape("kart.kcl.length", { lengths.by_area, lengths.by_prism })
   end)

   it("are those of what is in an AGP", function()
      local doc, report = arcade()
      assert_shape("kart.agp.make_report", { report })
      assert_shape("kart.agp.make_fault", report.faults)
      assert_shape("kart.agp.grid", { doc.grid })
      assert_shape("kart.agp.stats", { doc:stats() })
      assert_shape("kart.agp.ground", doc:lookup_grounds{ 3, 0, 3 })
      assert_shape("kart.agp.near", doc:lookup_walls({ 3, 0, 3 }, 9))
      local _, mesh_report = doc:mesh()
      assert_shape("kart.agp.mesh_report", { mesh_report })
   end)

   it("are those of conversion", function()
      local _, report = assert(kart.convert(arcade(), "mkw", { walls = 9 }))
      local _, other = assert(kart.convert(collision "mkw", "mkagp"))
      assert_shape("kart.convert_report", { report })
      assert_shape("kart.convert_source", { report.source })
      assert_shape("kart.convert_count", { report.kept, report.turned, report.left_out })
      assert_shape("kart.convert_result", { report.result, other.result })
      assert_shape("kart.convert_walls", { report.walls })
      local _, turned = kart.convert(kart.mesh.new{ game = "mkw", positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
         triangles = { { 1, 2, 3, flag = 0 }, { 1, 3, 2, flag = 0 } } }, "mkagp")
      assert_shape("kart.convert_row", { report.flags[1], turned.flags[1] })
   end)

   it("are those of what is built", function()
      local flat = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
         triangles = { { 1, 2, 3, flag = 0 }, { 1, 2, 2, flag = 0 } } }
      local _, report = assert(kart.kcl.build(flat, { drop = true }))
      assert_shape("kart.kcl.make_report", { report })
      assert_shape("kart.kcl.make_fault", report.faults)
   end)

   it("are those of a proof", function()
      local proof = assert(kart.kcl.parse(require("spec.kcl.tools").bytes "unreached")):prove()
      assert.is_true(proof.missing > 0)
      assert_shape("kart.kcl.proof", { proof })
      assert_shape("kart.kcl.missing", proof.first)
   end)

   it("are those of lookups", function()
      local doc, place = collision "mkw", { 100, 10, 100 }
      local points = kart.points.new{ place }
      assert_shape("kart.kcl.hit", doc:lookup_sphere(place, 100))
      assert_shape("kart.kcl.hit", { (doc:galaxy_point{ 100, -10, 100 }) })
      assert_shape("kart.kcl.arrow_hit", { (doc:galaxy_arrow(place, { 0, -20, 0 })) })
      assert_shape("kart.kcl.cell", { doc:cell_at(place) })
      assert_shape("kart.kcl.hits", { doc:lookup_sphere_many(points, 100) })
      -- An octree that lists nothing: an empty list instead of the one that there is.
      local bytes = doc:bytes()
      local broken = assert(kart.kcl.parse(bytes:sub(1, -7) .. "\0\0\0\0\0\0", "mkw"))
      local found = assert(broken:verify{ queries = 20 })
      assert_shape("kart.kcl.verification", { found })
      assert_shape("kart.kcl.miss", found.misses)
   end)

   it("are those of queries", function()
      assert_shape("kart.answers", { collision "mkw":ground_many{ { 1, 1, 1 } } })
   end)

   it("are those of what is dropped", function()
      local course = square()
      course.gobj[1].position = { 9, 9, 9 }
      local report = course:drop(collision "mkw", { course.gobj, "ktpt" })
      assert_shape("kart.kmp.drop_report", { report })
      assert_shape("kart.kmp.drop", report.moved)
      assert.equal("no-ground", report.lost[1].rule)
   end)

   it("are those of what is in a mesh", function()
      local doc = collision "mkw"
      local mesh, report = doc:mesh()
      assert_shape("kart.kcl.mesh_report", { report })
      assert_shape("kart.mesh.stats", { mesh:stats() })
      local text = "v 0 0 0\nv 0 0 1\nv 1 0 0\nusemtl a\nf 1 2 3\nusemtl COL_00\nf 1 2 3\n"
      local named = assert(kart.mesh.parse(text, { mtl = "newmtl a\nKd 1 1 1\n" }))
      assert_shape("kart.mesh.material", named.materials)
      assert_shape("kart.mesh.pair", assert(kart.mesh.pairs "a = b"))
   end)

   it("are those of flags", function()
      local variants = {}
      for _, kind in ipairs(kart.flags.types()) do table.move(kind.variants, 1, 8, #variants + 1, variants) end
      assert_shape("kart.flags.type", kart.flags.types())
      assert_shape("kart.flags.variant", variants)
      assert_shape("kart.flags.modifier", kart.flags.modifiers())
      assert_shape("kart.flags.group", kart.flags.groups())
   end)

   it("are those of lap results and events", function()
      local course = square()
      local drive = assert(course:simulate_laps())
      assert.is_true(drive.finished)
      assert_shape("kart.kmp.lap_event", drive.events)
      for i = 1, 6 do course.enph[1].next[i] = nil end
      local ended = assert(course:simulate_laps())
      assert.is_false(ended.finished)
      assert_shape("kart.kmp.lap_result", { drive, ended })
   end)

   it("are those of options", function()
      local values = { split = true, share = 0.5, model_prisms = 9, at = 1, scale = 2, build = { goal = "size" },
         origin = { 0, 0, 0 }, height = 0, scale_speeds = true, scale_objects = true,
         laps = 1, step = 50, jump = 0.5, new = true, game = "mkw", group = 1, only = { "gobj" }, arena = true,
         from = { 0, 1, 0 }, flags = "road", mask = 1, queries = 5, seed = 1, radii = { 9 }, rule = "galaxy",
         cells = false, snap = 1, weld = 1, mtl = "newmtl a",
         goal = "size", budget = 1e6, smallest = 256, longest = 100, roots = 8, by_area = 1, samples = 10,
         box = { { 0, 0, 0 }, { 1, 1, 1 } }, sphere = { { 0, 0, 0 }, 1 },
         max = 9, faces = "both", mode = "any", threads = 1,
         collision = collision "mkw", up = 9, offset = 1, where = function() end,
         walls = "keep", cell = 50, tip = true, thickness = 300, radius = 250, drop = true, flag = 0, max_error = 1 }
      local path = support.tmp() .. "/file"
      local calls = {
         ["kart.kmp.mirror_options"] = function(options) square():mirror("x", options) end,
         ["kart.kmp.rotate_options"] = function(options) square():rotate("y", 90, options) end,
         ["kart.kmp.scale_options"] = function(options) square():scale(2, options) end,
         ["kart.kmp.transform_options"] = function(options) square():transform(kart.matrix.identity(), options) end,
         ["kart.kmp.check_options"] = function(options) square():check(options) end,
         ["kart.kmp.drop_options"] = function(options)
            if options.where == print then options.where = 1 end
            assert(square():drop(collision "mkw", "gobj", options))
         end,
         ["kart.kmp.merge_options"] = function(options) square():merge(square(), options) end,
         ["kart.insert_options"] = function(options) square().ckpt:insert({}, options) end,
         ["kart.kmp.laps_options"] = function(options) square():simulate_laps(options) end,
         ["kart.kcl.build_options"] = function(options) collision("mkw"):rebuild(options) end,
         ["kart.kcl.rebuild_options"] = function(options) collision("mk8"):rebuild(options) end,
         ["kart.kcl.make_options"] = function(options) assert(kart.kcl.build(collision("mkw"):mesh(), options)) end,
         ["kart.kcl.proof_options"] = function(options) collision("mkw"):prove(options) end,
         ["kart.kcl.length_options"] = function(options) collision("mkw"):list_lengths(options) end,
         ["kart.kcl.mirror_options"] = function(options) collision("mkw"):mirror("x", options) end,
         ["kart.kcl.transform_options"] = function(options)
            collision("mkw"):transform(kart.matrix.identity(), options)
            collision("mkw"):rotate("y", 90, options)
            collision("mkw"):scale(2, options)
         end,
         ["kart.kcl.lookup_options"] = function(options)
            collision("mkw"):lookup_point({ 0, 0, 0 }, options)
            collision("mkw"):lookup_sphere({ 0, 0, 0 }, 1, options)
         end,
         ["kart.kcl.lookup_many_options"] = function(options)
            if options.from == values.from then options.from = kart.points.new{ values.from } end
            collision("mkw"):lookup_point_many(kart.points.new(1), options)
            collision("mkw"):lookup_sphere_many(kart.points.new(1), 1, options)
         end,
         ["kart.kcl.galaxy_options"] = function(options)
            collision("mkw"):galaxy_point({ 0, 0, 0 }, options)
            collision("mkw"):galaxy_sphere({ 0, 0, 0 }, 1, options)
            collision("mkw"):galaxy_arrow({ 0, 0, 0 }, { 0, 1, 0 }, options)
            collision("mkw"):galaxy_point_many(kart.points.new(1), options)
            collision("mkw"):galaxy_sphere_many(kart.points.new(1), 1, options)
         end,
         ["kart.query_options"] = function(options) collision("mkw"):nearest({ 0, 0, 0 }, options) end,
         ["kart.ray_options"] = function(options) collision("mkw"):raycast({ 0, 0, 0 }, { 0, 1, 0 }, options) end,
         ["kart.nearest_options"] = function(options) collision("mkw"):nearest({ 0, 0, 0 }, options) end,
         ["kart.sweep_options"] = function(options) collision("mkw"):sweep({ 0, 0, 0 }, 1, { 0, 1, 0 }, options) end,
         ["kart.overlap_options"] = function(options)
            if not options.box then options.sphere = options.sphere or values.sphere end
            collision("mkw"):overlap(options)
         end,
         ["kart.many_options"] = function(options) collision("mkw"):raycast_many({}, { 0, 1, 0 }, options) end,
         ["kart.kcl.verify_options"] = function(options) collision("mkw"):verify(options) end,
         ["kart.kcl.mesh_options"] = function(options) assert(collision("mkw"):mesh(options)) end,
         ["kart.agp.make_options"] = function(options)
            if options.drop ~= print then options.drop = true end
            assert(kart.agp.build(collision("mkw"):mesh(), { flag = options.flag or 1, cell = options.cell,
               drop = options.drop, nothing = options.nothing }))
         end,
         ["kart.convert_options"] = function(options)
            local own = { scale = options.scale, weld = options.weld, build = options.build, nothing = options.nothing }
            if options.walls then own.walls = options.walls == print and print or 5 end
            if options.flags then own.flags = options.flags == print and 1 or { [1] = "road" } end
            assert(kart.convert(arcade(), "mkw", own))
         end,
         ["kart.agp.rebuild_options"] = function(options) assert(arcade():rebuild(options)) end,
         ["kart.agp.mirror_options"] = function(options) assert(arcade():mirror("x", options)) end,
         ["kart.agp.scale_options"] = function(options) assert(arcade():scale(2, options)) end,
         ["kart.agp.rotate_options"] = function(options)
            assert(arcade():rotate("y", 90, options))
            assert(arcade():transform(kart.matrix.identity(), options))
         end,
         ["kart.mesh.mirror_options"] = function(options) collision("mkw"):mesh():mirror("x", options) end,
         ["kart.mesh.transform_options"] = function(options)
            collision("mkw"):mesh():transform(kart.matrix.identity(), options)
         end,
         ["kart.mesh.parse_options"] = function(options) assert(kart.mesh.parse("v 0 0 0", options)) end,
         ["kart.open_options"] = function(options) kart.open(path, options) end,
         ["kart.file.write_options"] = function(options) kart.file.write(path, "", options) end,
      }
      for class in pairs(stubs) do
         if class:find("_options$") then assert.is_function(calls[class], class) end
      end
      for class, call in pairs(calls) do
         for name in pairs(stubs[class]) do
            call{ [name] = values[name] }
            assert.error_matches(function() call{ [name] = print } end, "'?" .. name)
         end
         assert.error_matches(function() call{ nothing = 1 } end, "unknown option 'nothing'")
      end
   end)

   it("are those of recipes", function()
      local recipe = require "kartlua.recipe"
      local one = recipe{ summary = "", run = print }
      assert.is_true(recipe.is(one))
      for name, kind in pairs(stubs["kart.recipe"]) do
         if kind == "method" then assert.is_function(one[name]) end
      end
      for name in pairs(stubs["kart.recipe.functions"]) do assert.is_function(recipe[name]) end
   end)

   it("are those of option types", function()
      local said = {}
      local list = support.read(FOLDER .. "/recipe.lua"):match('@alias kart%.recipe%.type ([^\n]+)')
      for name in list:gmatch('"([^"]+)"') do said[name] = true end
      assert.same(sorted_keys(require("kartlua.options").types), sorted_keys(said))
   end)
end)
