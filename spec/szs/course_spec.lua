-- A course is the same whether its files are in an archive, in a folder, or side by side.
local lfs = require "lfs"
local support = require "spec.support"
local reader = require "spec.szs.reader"
local tools = require "spec.szs.tools"

local folder -- of the running test

local POINTS = tools.open("course.szs"):read "course.kmp"
local GROUND = tools.open("course.szs"):read "course.kcl"

before_each(function()
   folder = support.tmp()
   support.write(folder .. "/course.szs", tools.bytes "course.szs")
   assert(tools.open("course.szs"):extract(folder .. "/course.d"))
   support.write(folder .. "/loose.kmp", POINTS)
   support.write(folder .. "/loose.kcl", GROUND)
end)

local function course(name) return assert(kart.course(folder .. "/" .. name)) end

local ORIGINS = { ["course.szs"] = "archive", ["course.d"] = "folder", ["course.d/"] = "folder",
   ["course.d/course.kmp"] = "files", ["loose.kmp"] = "files", ["loose.kcl"] = "files" }

describe("a course", function()
   for name, origin in pairs(ORIGINS) do
      it("has points and collision, from " .. name, function()
         local doc = course(name)
         assert.equal(origin, doc.origin)
         assert.equal("szs", kart.type(doc))
         assert.is_true(doc.kmp:bytes() == POINTS)
         assert.is_true(doc.kcl:bytes() == GROUND)
         assert.same(origin == "files" and {} or { "obj/rock.kcl" }, doc.objects)
         for _, file in ipairs(doc:list()) do assert.is_false(file.changed) end
         assert.same({}, doc.warnings)
      end)

      it("is checked as a whole, from " .. name, function()
         local doc = course(name)
         doc.kcl.prisms[9].flag = 0x11 | 5 << 5 -- a cannon without a point
         local expected = {}
         for _, list in ipairs{ doc.kmp:check{ collision = doc.kcl }, doc.kcl:check() } do
            for _, finding in ipairs(list) do expected[#expected + 1] = tostring(finding) end
         end
         local found = {}
         for i, finding in ipairs(assert(doc:check())) do
            local file = finding.section == "prisms" and "kcl" or "kmp"
            assert.matches("^%l+%." .. file .. "$", finding.member)
            found[i] = tostring(finding):sub(#finding.member + 3)
         end
         assert.same(expected, found)
         assert.truthy(tools.finding(doc:check(), "cannon-missing"))
      end)

      it("is mirrored the same, from " .. name, function()
         local doc, archive = course(name), tools.open "course.szs"
         assert(doc:mirror("z", { at = 10 }))
         assert(archive:mirror("z", { at = 10 }))
         assert.is_true(doc.kmp:bytes() == archive.kmp:bytes())
         assert.is_true(doc.kcl:bytes() == archive.kcl:bytes())
         assert.equal(origin == "files" and 0 or 6, #doc.warnings)
         local changed = {}
         for _, file in ipairs(doc:list()) do
            if file.changed then changed[#changed + 1] = file.path:match "%.(.*)" end
         end
         assert.same({ "kcl", "kmp" }, changed[1] == "kmp" and { changed[2], changed[1] } or changed)
      end)
   end

   it("of a folder is saved as an archive, sorted, and the same on each machine", function()
      local doc = course "course.d"
      assert(doc:save(folder .. "/new.szs"))
      local order, files = reader.files(support.read(folder .. "/new.szs"))
      local before_order, before = reader.files(tools.bytes "course.szs")
      table.sort(before_order)
      local sorted = table.move(order, 1, #order, 1, {})
      table.sort(sorted)
      assert.same(sorted, order)
      assert.same(before_order, order)
      assert.same(before, files)
      -- Every file in a "." folder, at a multiple of 32.
      local bare = reader.unpack(support.read(folder .. "/new.szs"))
      assert.equal(".", reader.nodes(bare)[1].name)
      assert.equal(#reader.nodes(bare) + 1, reader.nodes(bare)[1].stop)
      assert.equal(32, reader.alignment(bare, 32))
   end)

   it("of a folder that becomes a folder again holds the same", function()
      local doc = course "course.d"
      assert(doc:extract(folder .. "/again"))
      local again = course "again"
      assert.is_true(again:bytes() == doc:bytes())
   end)

   it("of loose files holds just these", function()
      assert.equal("loose.kmp loose.kcl", tools.paths(course "loose.kmp"))
      assert.equal("loose.kcl loose.kmp", tools.paths(course "loose.kcl"))
      os.remove(folder .. "/loose.kcl")
      assert.equal("loose.kmp", tools.paths(course "loose.kmp"))
      assert.is_nil(course("loose.kmp").kcl)
   end)
end)

describe("a folder", function()
   it("is read without what belongs to the disk, with a warning each", function()
      for _, name in ipairs{ ".DS_Store", "Thumbs.db", "course.kmp.bak", "obj/rock.kcl.bak3" } do
         support.write(folder .. "/course.d/" .. name, "x")
      end
      lfs.link("obj", folder .. "/course.d/link", true)
      lfs.link("../loose.kmp", folder .. "/course.d/linked.kmp", true)
      local doc = course "course.d"
      local left_out = {}
      for _, warning in ipairs(doc.warnings) do
         assert.equal("file-left-out", warning.rule)
         assert.equal("hint", warning.severity)
         left_out[#left_out + 1] = warning.message:match "^(.*) is no part of the course$"
      end
      table.sort(left_out)
      assert.same({ ".DS_Store", "Thumbs.db", "course.kmp.bak", "link", "obj/rock.kcl.bak3" }, left_out)
      assert.is_true(doc:read "linked.kmp" == POINTS)
      assert.is_true(doc.kmp:bytes() == POINTS)
   end)

   it("may be empty, or hold anything", function()
      lfs.mkdir(folder .. "/empty")
      assert.same({}, course("empty"):list())
      local doc = course "."
      assert.is_true(doc.kmp == doc:open "loose.kmp" and doc.kcl == doc:open "loose.kcl")
      assert.same({ "course.d/course.kcl", "course.d/obj/rock.kcl" }, doc.objects)
      assert.equal("szs", kart.type(doc:open "course.szs"))
   end)
end)

describe("what is no course", function()
   it("is refused", function()
      support.write(folder .. "/text.txt", "a text")
      support.write(folder .. "/sarc.szs", "SARC" .. ("\0"):rep(60))
      local function refused(name, code, text)
         local doc, message, found = kart.course(folder .. "/" .. name)
         assert.is_nil(doc)
         assert.equal(code, found, message)
         assert.truthy(message:find(name .. ": ", 1, true), message)
         assert.truthy(message:find(text, 1, true), message)
      end
      refused("text.txt", "format", "expected an archive (szs, arc), a folder, a KMP or KCL, found another file")
      refused("sarc.szs", "unsupported", "found a SARC archive (Wii U, Switch)")
      refused("none.kmp", "io", "cannot open: No such file or directory")
      refused("none", "io", "cannot open")
      assert.error_matches(function() kart.course() end, "string expected")
   end)

   it("is damaged: the files that are open by name say so", function()
      support.write(folder .. "/loose.kmp", POINTS:sub(1, 90))
      local doc = course "loose.kmp"
      assert.error_matches(function() return doc.kmp end, "loose.kmp: ")
      local result, message, code = doc:open "loose.kmp"
      assert.is_nil(result)
      assert.matches("^loose.kmp: ", message)
      assert.equal("format", code)
      assert.is_true(doc:read "loose.kmp" == POINTS:sub(1, 90))
   end)
end)

describe("check of a course", function()
   it("makes do with one of the two", function()
      local doc = course "course.szs"
      assert(doc:remove "course.kcl")
      for _, arena in ipairs{ true, false, "auto" } do
         local found = assert(doc:check{ arena = arena })
         assert.equal(#doc.kmp:check{ arena = arena }, #found)
         for _, finding in ipairs(found) do assert.equal("course.kmp", finding.member) end
      end
      assert(doc:remove "course.kmp")
      local list, message, code = doc:check()
      assert.same({ nil, "unsupported" }, { list, code })
      assert.matches("neither a KMP nor a KCL", message)
      assert.same({}, kart.szs.new():add("course.kcl", GROUND):check())
   end)

   it("fails where a part does, and says which", function()
      local doc = course "course.szs"
      assert(doc:replace("course.kcl", GROUND:sub(1, 100)))
      local list, message, code = doc:check()
      assert.same({ nil, "format" }, { list, code })
      assert.matches("^course%.kcl: ", message)
      assert(doc:replace("course.kcl", GROUND))
      assert(doc:replace("course.kmp", kart.kmp.new{ game = "mk7" }:bytes()))
      list, message, code = doc:check()
      assert.same({ nil, "unsupported" }, { list, code })
      assert.matches("^course%.kmp: [^\n]*Mario Kart 7", message)
      assert.error_matches(function() doc:check{ strict = true } end, "unknown option 'strict'")
      assert.error_matches(function() doc:check{ arena = 5 } end, "option 'arena': expected true, false or \"auto\"")
   end)
end)
