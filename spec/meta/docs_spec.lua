-- The pages in docs say what the program does, and what docs/make.lua writes is up to date.
local lfs = require "lfs"
local support = require "spec.support"

describe("docs/make.lua", function()
   local MAKE = support.root .. "/docs/make.lua"

   it("has written what is there", function()
      local code, _, errors = support.run("docs/make.lua", "--check")
      assert.equal("", errors)
      assert.equal(0, code)
   end)

   it("tells what isn't up to date, and writes it", function()
      local folder = support.tmp()
      for _, part in ipairs{ "/docs", "/lua", "/lua/meta" } do assert(lfs.mkdir(folder .. part)) end
      local code, _, errors = support.run{ MAKE, "--check", cwd = folder }
      assert.equal(1, code)
      assert.matches("lua/meta/kmp_fields.lua: not up to date", errors, 1, true)
      for _, page in ipairs{ "kmp-fields", "flags", "checks", "convert" } do
         assert.matches(("docs/%s.md: not up to date"):format(page), errors, 1, true)
      end
      assert.equal(0, (support.run{ MAKE, cwd = folder }))
      assert.equal(0, (support.run{ MAKE, "--check", cwd = folder }))
      support.write(folder .. "/docs/kmp-fields.md", "")
      code, _, errors = support.run{ MAKE, "--check", cwd = folder }
      assert.equal(1, code)
      assert.equal("docs/kmp-fields.md: not up to date, run kartlua docs/make.lua\n", errors)
   end)
end)

describe("docs/errors.md", function()
   local page = support.read(support.root .. "/docs/errors.md")

   -- The first two cells of the rows whose first one is code: { ["file-length"] = "warning" }.
   local function rows()
      local list = {}
      for name, second in page:gmatch("\n| `([%w-]+)` | ([^|]*) |") do list[name] = second end
      return list
   end

   it("has every code", function()
      local stub = support.read(support.root .. "/lua/meta/kart.lua")
      for code in stub:match("@alias kart%.code ([^\n]+)"):gmatch('"(%w+)"') do
         assert.is_string(rows()[code], code)
      end
   end)

   -- Calls see(rule, severity) for all warnings in the C of a format. check.c has rules, not warnings.
   local function each_warning(format, see)
      local severities = { HINT = "hint", WARNING = "warning", FATAL = "error" }
      for name in lfs.dir(support.root .. "/src/" .. format) do
         local path = ("%s/src/%s/%s"):format(support.root, format, name)
         local source = name:find("%.c$") and name ~= "check.c" and support.read(path) or ""
         for severity, rule in source:gmatch('KART_(%u+),%s*"([%l-]+)"') do
            if severities[severity] then see(rule, severities[severity]) end
         end
         for rule, severity in source:gmatch('%.rule = "([%l-]+)",%s*%.severity = KART_(%u+)') do
            see(rule, severities[severity])
         end
      end
   end

   it("has every rule of warnings, with its severity", function()
      local count = 0
      local function see(rule, severity)
         assert.truthy(rows()[rule] and rows()[rule]:find(severity, 1, true), rule)
         count = count + 1
      end
      each_warning("kmp", see)
      each_warning("kcl", see)
      each_warning("agp", see)
      each_warning("szs", see)
      each_warning("course", see)
      each_warning("core", see)
      each_warning("bind", see)
      assert.is_true(count > 33)
   end)

   it("and kartlua.checks have what reading an AGP finds", function()
      local known, of_changes = {}, { ["ground-tipped"] = true, ["walls-tipped"] = true, ["mesh-left-out"] = true }
      for _, rule in ipairs(require("kartlua.checks").rules()) do known[rule.id] = rule end
      each_warning("agp", function(rule)
         if not of_changes[rule] then assert.is_true(known[rule] and known[rule].reading, rule) end
      end)
      for _, rule in pairs(known) do
         if rule.format == "agp" then assert.equal(rule.reading, rows()[rule.id] and true, rule.id) end
      end
   end)

   it("and kartlua.checks have what reading a KCL finds", function()
      local known, of_changes = {}, { ["area-rounded"] = true, ["corners-rounded"] = true,
         ["prisms-copied"] = true, ["cells-filled"] = true, ["prism-dropped"] = true, ["prism-unlisted"] = true,
         ["normals-shared"] = true, ["models-shared-out"] = true, ["limits-differ"] = true,
         ["tail-dropped"] = true,
         ["mesh-left-out"] = true }
      for _, rule in ipairs(require("kartlua.checks").rules()) do known[rule.id] = rule end
      each_warning("kcl", function(rule)
         if not of_changes[rule] then assert.is_true(known[rule] and known[rule].reading, rule) end
      end)
      for _, rule in pairs(known) do
         -- Transformations of a KMP have warnings by the same names.
         if rule.format == "kcl" then assert.equal(rule.reading, rows()[rule.id] and true, rule.id) end
      end
   end)
end)

describe("docs/kmp.md", function()
   it("calls objects by the game's names", function()
      local count = 0
      for ids, names in support.read(support.root .. "/docs/kmp.md"):gmatch("\n| (%d[%d, ]*) | ([^|]*) |") do
         local next_name = names:gmatch "`([^`]+)`"
         for id in ids:gmatch "%d+" do
            local name = next_name()
            if not name then break end -- "and so on"
            assert.equal(kart.kmp.object_name(math.tointeger(id)), name, id)
            count = count + 1
         end
      end
      assert.is_true(count > 30)
   end)
end)

describe("docs/kcl.md", function()
   it("has the thresholds of the program", function()
      local page = support.read(support.root .. "/docs/kcl.md")
      local source = support.read(support.root .. "/src/kcl/doc.c") .. support.read(support.root .. "/src/kcl/check.c")
      for name, text in pairs{ PARALLEL = "is at most %s: a corner is nowhere", NO_AREA = "at most %s square units",
         CACHED_PRISMS = "at most %s prisms" } do
         local value = assert(source:match("#define " .. name .. "%s+(%S+)"), name)
         assert.truthy(page:find(text:format(value), 1, true), name)
      end
      local slack = assert(source:match "#define UNIT_SLACK%s+(%S+)")
      assert.truthy(page:find(("lets %.0f %% pass"):format(slack * 100), 1, true))
   end)

   it("has every game", function()
      local page = support.read(support.root .. "/docs/kcl.md")
      local triangle = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 0 } },
         triangles = { { 1, 2, 3 } } }
      for game in pairs(require "kartlua.flag_tables") do
         if game == "mkagp" then goto continue end -- not a KCL
         assert.truthy(page:find(("\n| `%s` | "):format(game), 1, true), game)
         local course = assert(kart.kcl.build(triangle, { game = game, flag = 0 }))
         assert.equal(game, assert(kart.kcl.parse(course:bytes(), game)).game)
         ::continue::
      end
   end)
end)

describe("docs/mesh.md", function()
   it("has the thresholds of the program", function()
      local page = support.read(support.root .. "/docs/mesh.md")
      local source = support.read(support.root .. "/src/kcl/mesh.h")
         .. support.read(support.root .. "/src/core/polygon.h")
      for name, text in pairs{ KCL_MESH_SNAP = "up to %s units from a position", KCL_MESH_WELD = "`mesh:weld(%s)`",
         KART_POLYGON_LIMIT = "Most corners of a face: %s." } do
         local value = assert(source:match("#define " .. name .. "%s+(%S+)"), name)
         assert.truthy(page:find(text:format(value), 1, true), name)
      end
   end)

   it("has names that say what it says", function()
      local page, count = support.read(support.root .. "/docs/mesh.md"), 0
      for names, flags in page:gmatch "\n| (`[^|]+`) | (0x[^|]+) |" do
         local flag = flags:gmatch "0x%x%x%x%x"
         for name in names:gmatch "`([^`]+)`" do
            local mesh = kart.mesh.parse(("v 0 0 0\nusemtl %s\nf 1 1 1\n"):format(name))
            assert.equal(tonumber(flag()), mesh.triangles[1].flag, name)
            count = count + 1
         end
      end
      assert.equal(5, count)
   end)
end)

-- The tutorial shows commands after "$", lines typed at the prompt after ">", and what comes of them.
-- "..." stands for any lines. A Lua block is a file when the text before says "as `name.lua`".
describe("docs/tutorial.md", function()
   local BANNER = ("kartlua %s, %s; Ctrl-D ends"):format(kart.version, _VERSION) -- only at a terminal
   local folder

   -- An array of { name =, text = } and { command =, typed =, shown = }, in order.
   local function read_steps()
      local steps, language, step, name = {}, nil, nil, nil
      for line in io.lines(support.root .. "/docs/tutorial.md") do
         local fence = line:match("^```(.*)$")
         if fence then
            language, step = fence ~= "" and fence or nil, nil
            if language == "lua" then
               step = { name = assert(name, "a Lua block without a name"), text = "" }
               steps[#steps + 1] = step
            end
         elseif language == "lua" then
            step.text = step.text .. line .. "\n"
         elseif language == "console" then
            local command, typed = line:match("^%$ (.+)$"), line:match("^>>? (.+)$")
            if command then
               step = { command = command, typed = "", shown = {} }
               steps[#steps + 1] = step
            elseif typed then
               step.typed = step.typed .. typed .. "\n"
            elseif line ~= BANNER then
               table.insert(step.shown, line)
            end
         else
            name = line:match("as `([%w_]+%.lua)`") or name
         end
      end
      return steps
   end

   -- What a command prints, in the order of a terminal.
   local function run(step)
      support.write(folder .. "/typed", step.typed)
      local line = step.command:gsub("^kartlua", function()
         return ("'%s' -e 'io.stdout:setvbuf \"line\"'"):format(support.bin)
      end)
      local pipe <close> = assert(io.popen(("cd '%s' && %s <typed 2>&1"):format(folder, line)))
      return (pipe:read "a":gsub("%s+$", ""))
   end

   local function fits(text, shown)
      local pattern = ("\n" .. table.concat(shown, "\n")):gsub("%p", "%%%0"):gsub("\n%%%.%%%.%%%.", ".-")
      return ("\n" .. text):find("^" .. pattern .. "$") ~= nil
   end

   setup(function()
      folder = support.tmp()
      assert.equal(0, (support.run("samples/make.lua", folder)))
   end)

   for i, step in ipairs(read_steps()) do
      it(("shows what comes of step %d: %s"):format(i, step.command or step.name), function()
         if step.name then
            support.write(folder .. "/" .. step.name, step.text)
         else
            local text = run(step)
            if not fits(text, step.shown) then assert.equal(table.concat(step.shown, "\n"), text) end
         end
      end)
   end
end)
