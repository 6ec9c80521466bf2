-- A transformation of a course is that of its points and that of its collision, and no more.
local support = require "spec.support"
local reader = require "spec.szs.reader"
local tools = require "spec.szs.tools"

-- The files that an archive writes, by path, read by other code than its own.
local function files_of(doc) return select(2, reader.files(assert(doc:bytes{ level = "fast" }))) end

-- What a document's method makes of a file by itself.
local function alone(bytes, method, ...)
   local doc <close> = assert((bytes:sub(1, 4) == "RKMD" and kart.kmp or kart.kcl).parse(bytes))
   assert(doc[method](doc, ...))
   return assert(doc:bytes())
end

-- The archive's transformation against that of its members.
local function check(bytes, paths, method, ...)
   local doc <close> = assert(kart.szs.parse(bytes))
   local before = files_of(doc)
   assert.equal(doc, assert(doc[method](doc, ...)))
   local after, changed = files_of(doc), 0
   for path, content in pairs(before) do
      if paths[path] then
         assert.is_true(after[path] == alone(content, method, ...), path)
         if after[path] ~= content then changed = changed + 1 end
      else
         assert.is_true(after[path] == content, path)
      end
   end
   return changed, doc:bytes{ level = "fast" }
end

local MAIN = { ["course.kmp"] = true, ["course.kcl"] = true }

local SAMPLES = {
   ["course.szs"] = MAIN, ["course.arc"] = MAIN, ["no_dot_folder.szs"] = MAIN, ["race.szs"] = MAIN,
   ["other_names.szs"] = { ["Ruins.KMP"] = true, ["ruins.kcl"] = true },
   ["alignment_1.arc"] = MAIN, ["gaps_between_files.arc"] = MAIN, ["beside_dot_folder.szs"] = MAIN,
   ["names_in_shift_jis.szs"] = { ["\x83\x52\x81\x5B\x83\x58.kmp"] = true },
}

describe("an archive is transformed as its files are:", function()
   for name, paths in pairs(SAMPLES) do
      it(name, function()
         local bytes, has_kcl = tools.bytes(name), tools.open(name).kcl ~= nil
         local count = has_kcl and 2 or 1
         assert.equal(count, (check(bytes, paths, "mirror", "x")))
         assert.equal(count, (check(bytes, paths, "mirror", "z", { at = 100 })))
         assert.equal(count, (check(bytes, paths, "translate", { 1000, 200, -3000 })))
         assert.equal(count, (check(bytes, paths, "transform", kart.matrix.mirror "x")))
         -- Other maps leave the octree behind, which then must be rebuilt.
         if not has_kcl then
            check(bytes, paths, "rotate", "y", 90, { origin = { 10, 0, 10 } })
            check(bytes, paths, "scale", 2, { scale_speeds = true, scale_objects = true })
         end
      end)
   end

   it("real courses", function()
      local found = tools.corpus()
      for _, course in ipairs(found) do
         local bytes = tools.archive{ ["course.kmp"] = support.read(course.kmp),
            ["course.kcl"] = support.read(course.kcl), ["course_model.brres"] = "bres" }
         for _, axis in ipairs{ "x", "z" } do
            local _, once = check(bytes, MAIN, "mirror", axis)
            local _, twice = check(once, MAIN, "mirror", axis)
            local _, files = reader.files(twice)
            -- Back where it was, as far as the files by themselves come back.
            for path in pairs(MAIN) do
               local content = select(2, reader.files(bytes))[path]
               assert.is_true(files[path] == alone(alone(content, "mirror", axis), "mirror", axis), course.name)
            end
         end
      end
      if #found > 0 then assert(#found >= 3, #found .. " pairs") end
   end)
end)

it("mirrored twice, an archive is the one that was read", function()
   for name in pairs(SAMPLES) do
      local doc = tools.open(name)
      assert(doc:mirror "x")
      assert.is_false(doc:bytes() == tools.bytes(name))
      assert(doc:mirror "x")
      assert.is_true(doc:bytes() == tools.bytes(name), name)
      assert(doc:mirror("x", { object_kcl = true }):mirror("x", { object_kcl = true }))
      assert.is_true(doc:bytes() == tools.bytes(name), name)
   end
end)

describe("the collision of objects", function()
   it("is mirrored in its own space, whatever the axis, when it is asked for", function()
      local before = files_of(tools.open "course.szs")["obj/rock.kcl"]
      for _, axis in ipairs{ "x", "z" } do
         local doc = tools.open "course.szs"
         assert(doc:mirror(axis, { at = 500, object_kcl = true }))
         assert.is_true(files_of(doc)["obj/rock.kcl"] == alone(before, "mirror", "x"))
         assert.is_nil(tools.finding(doc.warnings, "member-stays", "obj/rock.kcl"))
      end
      local doc = tools.open "course.szs"
      assert(doc:transform(kart.matrix.mirror "z", { object_kcl = true }))
      assert.is_true(files_of(doc)["obj/rock.kcl"] == alone(before, "mirror", "x"))
   end)

   it("moves with its object under everything else", function()
      local doc = tools.open "course.szs"
      local before = files_of(doc)["obj/rock.kcl"]
      assert(doc:transform(kart.matrix.translation{ 1000, 0, 0 }, { object_kcl = true }))
      assert.is_true(files_of(doc)["obj/rock.kcl"] == before)
      assert.is_nil(tools.finding(doc.warnings, "member-stays", "obj/rock.kcl"))
   end)

   it("stops the whole course when it is damaged, and is taken part of", function()
      local doc = tools.open "course.szs"
      assert(doc:replace("obj/rock.kcl", doc:read "obj/rock.kcl":sub(1, 100)))
      local before = doc:bytes()
      local result, message = doc:mirror("x", { object_kcl = true })
      assert.is_nil(result)
      assert.matches("^obj/rock.kcl: ", message)
      assert.is_true(doc:bytes() == before)
      assert(doc:mirror "x")
   end)
end)

describe("what can't follow", function()
   local function stays(doc)
      local list = {}
      for _, warning in ipairs(doc.warnings) do
         if warning.rule == "member-stays" then
            assert.equal("warning", warning.severity)
            list[#list + 1] = warning.member .. ": " .. warning.message
         end
      end
      return list
   end

   it("is named, file by file", function()
      local doc = tools.open "course.szs"
      assert.same({}, doc.warnings)
      assert(doc:mirror "x")
      local still = " stays as it was: it still shows the old side"
      assert.same({
         "course_model.brres: the course's model" .. still,
         "map_model.brres: the model of its map" .. still,
         "obj/rock.kcl: an object's collision stays as it was: it still has the old side",
         "posteffect/posteffect.blight: the file of its lights" .. still,
         "posteffect/posteffect.blmap: the file of its light textures" .. still,
         "vrcorn_model.brres: the model of its surroundings" .. still,
      }, stays(doc))
      assert.equal("course_model.brres: warning: the course's model" .. still .. " [member-stays]",
         tostring(tools.finding(doc.warnings, "member-stays")))
      -- Twice is no news.
      assert(doc:mirror "x")
      assert.equal(6, #stays(doc))
   end)

   it("has no old side under a move", function()
      local doc = tools.open "course.szs"
      assert(doc:translate{ 1000, 0, 0 })
      assert.same({ "course_model.brres", "map_model.brres", "posteffect/posteffect.blight",
         "posteffect/posteffect.blmap", "vrcorn_model.brres" }, (function(list)
            for i, text in ipairs(list) do list[i] = text:match "^(.-): .* stays as it was$" end
            return list
         end)(stays(doc)))
   end)

   it("comes with what the points can't carry over", function()
      local doc = tools.open "course.szs"
      doc.kmp.gobj[1].id = 516
      assert(doc:mirror "x")
      local warning = tools.finding(doc.warnings, "object-handed", "course.kmp")
      assert.matches("^course.kmp: gobj%[1%].id: warning: ", tostring(warning))
   end)
end)

describe("a transformation that is refused", function()
   local function refused(code, change, ...)
      local doc = tools.open "course.szs"
      if change then change(doc) end
      local before = doc:bytes()
      local method = ...
      local result, message, found = doc[method](doc, select(2, ...))
      assert.is_nil(result)
      assert.equal(code, found, message)
      assert.is_nil(message:find "\n")
      assert.is_true(doc:bytes() == before)
      assert.is_nil(tools.finding(doc.warnings, "member-stays"))
   end

   it("by the collision or by the points changes neither", function()
      refused("unsupported", function(doc)
         assert(doc:replace("course.kcl", tools.unbuildable():read "course.kcl"))
      end, "scale", { 2, 1, 1 })
      -- Checkpoints have no height.
      refused("unsupported", function(doc)
         assert(doc:replace("course.kmp", tools.open("race.szs"):read "course.kmp"))
      end, "rotate", "x", 30)
      refused("unsupported", nil, "transform", kart.matrix.scale{ 1, 0, 1 })
      refused("unsupported", function(doc)
         assert(doc:replace("course.kmp", kart.kmp.new{ game = "mk7", gobj = { {} } }:bytes()))
      end, "mirror", "x")
   end)

   it("has nothing to work on", function()
      refused("unsupported", function(doc)
         assert(doc:remove "course.kmp")
         assert(doc:remove "course.kcl")
      end, "mirror", "x")
   end)

   it("raises when it is asked wrongly", function()
      local doc = tools.open "course.szs"
      assert.error_matches(function() doc:mirror "y" end, "x and z, not y")
      assert.error_matches(function() doc:mirror("x", { height = 1 }) end, "unknown option 'height' of a szs")
      assert.error_matches(function() doc:mirror("x", { object_kcl = 1 }) end, "option 'object_kcl'")
      assert.error_matches(function() doc:rotate("y", 1, { object_kcl = true }) end, "unknown option 'object_kcl'")
      assert.error_matches(function() doc:translate({ 1, 0, 0 }, { at = 1 }) end, "unknown option 'at' of a szs")
      assert.error_matches(function() doc:scale(-1) end, "above 0")
      assert.is_true(doc:bytes() == tools.bytes "course.szs")
   end)
end)

it("a course without points or without collision is transformed all the same", function()
   for _, path in ipairs{ "course.kmp", "course.kcl" } do
      local doc = tools.open "course.szs"
      assert(doc:remove(path))
      local before = files_of(doc)
      assert(doc:mirror "x")
      local after = files_of(doc)
      for name in pairs(MAIN) do
         if name ~= path then assert.is_true(after[name] == alone(before[name], "mirror", "x")) end
      end
   end
end)
