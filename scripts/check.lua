-- Looks for what would go wrong in the game. In a KMP: groups without a way on, checkpoints that don't count,
-- references to nothing, cameras without a route. In a KCL: degenerate prisms, roads that face down, prisms
-- that the octree doesn't reach. In a BIN of the arcade games: ground that faces down, holes in the grid, walls and
-- edges that don't fit each other. The points of an archive are held against its collision, those of a course.kmp
-- against the course.kcl beside it: starts, respawns and item boxes without ground, ways through walls. docs/checks.md
-- has all of it.
--
--    kartlua check course.szs course.kmp
--    kartlua check --collision course.kcl course.kmp                 points against that of another file
--    kartlua check --strict --ignore triangle-duplicate courses/     all archives, .kmp and .kcl in a folder
--    kartlua check --json courses/ >findings.json                    a record a line, for other programs
--    kartlua check --explain road-face-down
--
-- Output:
--    course.kcl: prisms[7]: H triangle-duplicate: the same triangle as prisms[2]
--    course.kcl: prisms[3].face_normal: W road-face-down: a road whose face looks down (y -1.00)
--    course.kcl: 1 warning, 1 hint (--explain RULE tells more)
--
-- What to do is often a line of Lua: `kartlua -e 'local c = kart.open "course.kmp" c:purge() c:save "clean.kmp"'`.
--
-- The columns: the file, the place in it, how bad it is, the rule, what is wrong. W, a warning, is
-- something that doesn't work as it should; E, an error, would crash the game; H, a hint, is worth a
-- look. The exit code is 1 when there is an error, with --strict also when there is a warning.

local checks = require "kartlua.checks"
local counted = require "kartlua.counted"
local ground = require "kartlua.ground"
local recipe = require "kartlua.recipe"

local SHOWN = 10 -- findings of one rule, unless all are asked for

local LETTER = { error = "E", warning = "W", hint = "H" }

local FIELDS = { "file", "rule", "severity", "place", "section", "index", "point", "field", "message" }

local function explain(id)
   local rule, problem = checks.find(id)
   if not rule then return nil, "--explain: " .. problem end
   print(("%s (%s, %s)"):format(rule.id, rule.severity,
      rule.sections ~= "" and rule.sections or "the whole file"))
   print(("  %s\n  What to do: %s\n  How it is known: %s."):format(rule.reason, rule.remedy, rule.source))
   return "done"
end

-- What reading the file and checking it found, but for the rules that are ignored. Some is seen both times.
local function find(course, options, job)
   local settings, problem, checked
   if kart.type(course) == "kmp" then
      settings = {}
      settings.collision, problem = ground.of(job, options.ground)
      if problem then return nil, problem end
   end
   checked, problem = course:check(settings)
   if not checked then return nil, problem end
   local ignored = options.ignore
   local findings, again = {}, {}
   for _, finding in ipairs(checked) do again[finding.rule .. " " .. finding.place] = true end
   for _, list in ipairs{ course.warnings, checked } do
      for _, finding in ipairs(list) do
         local twice = list ~= checked and again[finding.rule .. " " .. finding.place]
         if not ignored[finding.rule] and not twice then findings[#findings + 1] = finding end
      end
   end
   return findings
end

-- The findings of each rule, in the order in which rules come up.
local function by_rule(findings)
   local groups = {}
   for _, finding in ipairs(findings) do
      local group = groups[finding.rule]
      if not group then
         group = {}
         groups[finding.rule], groups[#groups + 1] = group, group
      end
      group[#group + 1] = finding
   end
   return groups
end

local function show(file, findings, most)
   for _, group in ipairs(by_rule(findings)) do
      for i = 1, math.min(#group, most) do
         local finding = group[i]
         local place = finding.place ~= "" and finding.place .. ": " or ""
         print(("%s: %s%s %s: %s"):format(file, place, LETTER[finding.severity], finding.rule,
            finding.message))
      end
      if #group > most then
         print(("%s: %s %s: %d more, --all shows them"):format(file, LETTER[group[1].severity], group[1].rule,
            #group - most))
      end
   end
end

local function tally(findings)
   local counts = { error = 0, warning = 0, hint = 0 }
   for _, finding in ipairs(findings) do counts[finding.severity] = counts[finding.severity] + 1 end
   return counts
end

local told = false -- the reader of several files needs to be told but once

local function tally_text(counts)
   local parts = {}
   for _, severity in ipairs{ "error", "warning", "hint" } do
      if counts[severity] > 0 then parts[#parts + 1] = counted(counts[severity], severity) end
   end
   if #parts == 0 then return "nothing found" end
   local more = told and "" or " (--explain RULE tells more)"
   told = true
   return table.concat(parts, ", ") .. more
end

return recipe{
   summary = "Looks for what would go wrong in the game.",
   saves = false,
   accepts = { "kmp", "kcl", "agp" },
   objects = true,
   options = {
      { name = "strict", type = "flag", help = "warnings count as errors" },
      { name = "ignore", type = "text", hint = "RULE", multiple = true, help = "leave out this rule" },
      { name = "all", type = "flag", help = ("show every finding, not only %d of each rule"):format(SHOWN) },
      { name = "json", type = "flag", help = "all findings as JSON, one a line" },
      { name = "collision", type = "file", help = "hold points against this: a KCL, an archive, a mesh, a BIN" },
      { name = "explain", type = "text", hint = "RULE", help = "tell what a rule is about, and what to do" },
   },
   example = "kartlua check course.kmp",
   prepare = function(options)
      if options.explain then return explain(options.explain) end
      for _, id in ipairs(options.ignore) do
         local rule, problem = checks.find(id)
         if not rule then return nil, "--ignore: " .. problem end
         options.ignore[id] = true
      end
      if options.collision then
         local problem
         options.ground, problem = ground.open(options.collision)
         if not options.ground then return nil, "--collision: " .. problem end
      end
   end,
   run = function(course, options, job)
      local findings, problem = find(course, options, job)
      if not findings then return nil, problem end
      local counts = tally(findings)
      if options.json then
         local json = require "kartlua.json"
         for _, finding in ipairs(findings) do
            local record = { file = job.input, place = finding.place }
            for key, value in pairs(finding) do record[key] = value end
            print(json(record, FIELDS))
         end
      else
         show(job.input, findings, options.all and math.huge or SHOWN)
         print(("%s: %s"):format(job.input, tally_text(counts)))
      end
      if counts.error > 0 then return nil, counted(counts.error, "error") end
      if options.strict and counts.warning > 0 then
         return nil, counted(counts.warning, "warning") .. ", not allowed by --strict"
      end
   end,
}
