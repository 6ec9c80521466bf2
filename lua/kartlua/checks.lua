--- The rules that findings follow, of all formats.
local kart = require "kartlua"

local checks = {}

-- What reading a file finds. These have no function of their own: the reader sees them on its way.
local READING = {
   { id = "header-numbers", severity = "warning", sections = "header",
     reason = "The thickness or the radius is negative or no number: lookups go wrong.",
     remedy = "Build the file anew from its model.", source = "lookup formulas of the engine" },
   { id = "header-extra", severity = "hint", sections = "header",
     reason = "There are more bytes between the header and the first section. Games don't mind.",
     remedy = "Nothing: they are kept.", source = "seen in files" },
   { id = "header-shifts", severity = "warning", sections = "header",
     reason = "The shifts of the root grid are not what the masks ask for, or (a hint) the area is narrower than a "
        .. "root cell. The game follows the shifts: cells may share their lists.",
     remedy = "Rebuild the octree.", source = "lookup of the engine" },
   { id = "prism-total", severity = "warning", sections = "header",
     reason = "The header of a file of version 2 states another number of prisms than there are; a hint where "
        .. "copies of one triangle are counted, too. Games don't mind.",
     remedy = "Nothing.", source = "seen in files" },
}

-- Sources that are known by a word.
local SOURCES = { engine = "public decompilation", wiki = "the community wiki", files = "seen in files",
   derived = "it follows from how the game counts and draws" }

--- All rules in their order, { id =, severity =, sections =, reason =, remedy =, source =, format = }: first
--- what reading a KCL finds (`reading` is true), then what `doc:check()` looks for in a KCL and in a KMP.
function checks.rules()
   local list = {}
   for _, rule in ipairs(READING) do
      rule.reading, rule.format = true, "kcl"
      list[#list + 1] = rule
   end
   for _, format in ipairs{ "kcl", "kmp" } do
      for _, rule in ipairs(kart[format].rules()) do
         rule.format, rule.source = format, SOURCES[rule.source] or rule.source
         list[#list + 1] = rule
      end
   end
   return list
end

--- The rule of this id; nil and a message if there is none.
function checks.find(id)
   local ids = {}
   for i, rule in ipairs(checks.rules()) do
      if rule.id == id then return rule end
      ids[i] = rule.id
   end
   local meant = require("kartlua.nearest")(id, ids)
   return nil, ("there is no rule '%s'%s"):format(id, meant and (" (did you mean %s?)"):format(meant) or "")
end

return checks
