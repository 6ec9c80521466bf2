-- Gives surfaces of a collision file other flags: what was a road becomes dirt, walls become soft.
--
--    kartlua retag --show course.kcl                                      the flags that there are
--    kartlua retag --set "road/dirt=road" --set "0x16=wall" course.kcl
--    kartlua retag --set "off_road/*=+trickable" course.kcl
--
-- Output:
--    course.kcl: road/dirt=road: 12 prisms
--    course.kcl: 0x16=wall: 4 prisms
--    course.kcl -> course.retag.kcl
--
-- Left of = stands which flags are meant: a type and its variant (none means variant 0, * any), and
-- modifiers that must be set (+) or not (-). Right of it stands what they become: type and variant are
-- replaced, modifiers stay, but for those with + and -. Numbers are whole flags. docs/flags.md lists the
-- names of each game. Of several rules that fit a surface the one that says more counts; all of them
-- look at the file as it was. Two bytes change for each prism, and nothing else; where no rule changes one,
-- the result is a copy, and it says so.

local kart = require "kartlua"
local columns = require "kartlua.columns"
local counted = require "kartlua.counted"
local flag_rules = require "kartlua.flag_rules"
local flags = require "kartlua.flags"
local guard = require "kartlua.guard"
local recipe = require "kartlua.recipe"
local retag = require "kartlua.retag"
local survey = require "kartlua.survey"

-- The rules of all --set, and their texts in order.
local function read_rules(texts)
   local rules, order = {}, {}
   for _, text in ipairs(texts) do
      local left, right = flag_rules.split(text)
      if not left then return nil, ("--set: expected OLD=NEW like road/dirt=road, found \"%s\""):format(text) end
      if rules[left] then return nil, ("--set: two rules for %s"):format(left) end
      rules[left], order[#order + 1] = right, { left, text }
   end
   return rules, order
end

-- Who writes wall may have meant all walls: what a rule for a type says when it fits no prism.
local function note(course, left)
   local bits, mask = flags.bits(left .. "/*", course.game)
   if left:find "[^%l%d_]" or not bits then return "" end
   local count = 0
   for _, row in ipairs(course:flags()) do
      if row.flag & mask == bits then count = count + row.count end
   end
   return count > 0 and ("; %s/* stands for %d"):format(left, count) or ""
end

return recipe{
   summary = "Gives surfaces of a collision file other flags.",
   accepts = { "kcl", "agp" },
   options = {
      { name = "set", type = "text", hint = "OLD=NEW", multiple = true, help = "what becomes what" },
      { name = "show", type = "flag", help = "list the flags of the file, and save nothing" },
   },
   example = "kartlua retag --set road=road/dirt+trickable course.kcl",
   prepare = function(options)
      if #options.set == 0 and not options.show then
         return nil, "nothing to do: --set says what becomes what, --show lists the flags"
      end
      local rules, problem = read_rules(options.set)
      if not rules then return nil, problem end
   end,
   run = function(course, options, job)
      if options.show then
         print(job.input)
         for _, line in ipairs(columns(survey.flags(course), "lrrrl")) do print("  " .. line) end
         return false
      end
      local rules, order = read_rules(options.set)
      local notes = {}
      for left in pairs(rules) do notes[left] = note(course, left) end
      local done, changed, counts = guard.call(retag, course, rules)
      -- What is wrong with a rule is the user's, not at a line of this script.
      if not done then return nil, (changed:gsub("^.-: retag: ", "")) end
      for _, rule in ipairs(order) do
         local count = counts[rule[1]]
         print(("%s: %s: %s%s"):format(job.input, rule[2],
            counted(count, kart.type(course) == "kcl" and "prism" or "triangle"),
            count == 0 and notes[rule[1]] or ""))
      end
      -- It is written all the same: a folder for the results of several files should hold all of them.
      if changed == 0 then print(job.input .. ": nothing changed") end
   end,
}
