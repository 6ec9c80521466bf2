-- Puts points of a course on the ground: start positions, respawns, enemy and item points, end positions of battles,
-- and objects that stand: item boxes, crates, trees. Each goes straight down or up to what is nearest; what hangs
-- over nothing stays where it is, and is named.
--
--    kartlua drop_to_ground course.szs                               with its own collision
--    kartlua drop_to_ground course.kmp                               with the course.kcl beside it
--    kartlua drop_to_ground --collision track.obj course.kmp         with that of another file
--    kartlua drop_to_ground --what jgpt --offset 150 course.szs      respawns only, a bit above the road
--    kartlua drop_to_ground --what itembox,coin --max 5000 course.szs
--
-- Output:
--    course.szs/course.kmp: jgpt[2].position: no ground within 1000 units below or 300 units above
--    course.szs/course.kmp: 89 moved by up to 300 units, 46 stayed, 1 without ground
--    course.szs -> course.drop_to_ground.szs
--
-- WHAT are sections (jgpt, enpt, poti for the points of routes), names of objects or their ids, with commas between.
-- The ground is what can be driven on; --flags names other surfaces, as in `kartlua probe`. Ground under a place from
-- which Lakitu fetches you is none. The collision may also be a mesh (OBJ), or a BIN of the arcade games.

local flags = require "kartlua.flags"
local ground = require "kartlua.ground"
local recipe = require "kartlua.recipe"

-- What WHAT says, as { sections =, ids = }: a list of names, and a set of object ids; nil and a message.
local function read_words(words)
   local what, sections, ids = { sections = {}, ids = {} }, {}, {}
   for _, layout in ipairs(kart.kmp.schema()) do sections[layout.name] = layout.name ~= "points" end
   for id = 1, 0xFFF do ids[kart.kmp.object_name(id) or id] = id end
   for _, list in ipairs(words) do
      for word in list:gmatch "[^,]+" do
         local id = math.tointeger(tonumber(word)) or ids[word]
         if sections[word] then
            what.sections[#what.sections + 1] = word
         elseif id then
            what.ids[id] = true
         else
            return nil, ("--what: there is no section and no object '%s'"):format(word)
         end
      end
   end
   return what
end

-- The same of a document: sections and records; nil where nothing is said. What is not in this course is left out.
local function chosen(course, what)
   if not what then return nil end
   local list = {}
   for _, name in ipairs(what.sections) do list[#list + 1] = course[name] end
   for _, object in ipairs(next(what.ids) and course.gobj or {}) do
      if what.ids[object.id & 0xFFF] then list[#list + 1] = object end
   end
   return list
end

local function summary(report)
   local farthest, parts = 0, {}
   for _, drop in ipairs(report.moved) do farthest = math.max(farthest, math.abs(drop.to.y - drop.from.y)) end
   parts[1] = #report.moved == 0 and "none moved" or ("%d moved by up to %.4g units"):format(#report.moved, farthest)
   if report.stayed > 0 then parts[#parts + 1] = ("%d stayed"):format(report.stayed) end
   if #report.lost > 0 then parts[#parts + 1] = ("%d without ground"):format(#report.lost) end
   return table.concat(parts, ", ")
end

return recipe{
   summary = "Puts points of a course on the ground.",
   options = {
      { name = "what", type = "text", hint = "WHAT", multiple = true,
        help = "which points: sections and objects, like jgpt,enpt,itembox" },
      { name = "collision", type = "file", help = "the ground: a KCL, an archive, a mesh, a BIN" },
      { name = "up", type = "number", min = 0, default = 300, help = "how far above a point the ground may be" },
      { name = "max", type = "number", min = 0, default = 1000, help = "how far below" },
      { name = "offset", type = "number", default = 0, help = "how high above the ground points are to be" },
      { name = "flags", type = "text", hint = "TYPES", help = "only these surfaces, like road,off_road" },
   },
   example = "kartlua drop_to_ground --up 1000 course.kmp",
   prepare = function(options)
      local problem
      if #options.what > 0 then
         options.words, problem = read_words(options.what)
         if not options.words then return nil, problem end
      end
      if options.collision then
         options.ground, problem = ground.open(options.collision)
         if not options.ground then return nil, "--collision: " .. problem end
      end
   end,
   run = function(course, options, job)
      local collision, problem = ground.of(job, options.ground)
      if not collision then return nil, problem or "there is no collision with it; --collision names one" end
      if options.flags then
         local mask
         mask, problem = flags.mask(options.flags, collision.game)
         if not mask then return nil, "--flags: " .. problem end
      end
      local report
      report, problem = course:drop(collision, chosen(course, options.words),
         { up = options.up, max = options.max, offset = options.offset, flags = options.flags })
      if not report then return nil, problem end
      for _, finding in ipairs(report.lost) do
         print(("%s: %s: %s"):format(job.input, finding.place, finding.message))
      end
      print(("%s: %s"):format(job.input, summary(report)))
      if #report.moved == 0 then return false end
   end,
}
