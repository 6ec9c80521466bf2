--- The rules that findings follow, of all formats.
local kart = require "kartlua"

local checks = {}

-- What reading a file finds. These have no function of their own: the reader sees them on its way.
local READING = { agp = {
   { id = "cell-ends-early", severity = "error", sections = "cells",
     reason = "A cell's offset is 0, which ends the cells for the game's loader: those behind it that list something "
        .. "crash it. A hint where they are all empty.",
     remedy = "agp:rebuild().", source = "public decompilation of GP 2" },
   { id = "records-overlap", severity = "warning", sections = "",
     reason = "Triangles or walls share bytes. The game runs it; an edit lays the file out anew.",
     remedy = "agp:rebuild().", source = "it follows from the format" },
   { id = "not-finite", severity = "warning", sections = "triangles walls",
     reason = "A number is infinite or none: lookups go wrong, and the file can't be rebuilt.",
     remedy = "Build the file anew from its mesh.", source = "it follows from the format" },
   { id = "bounds-zero", severity = "hint", sections = "header",
     reason = "The header's bounds are 0, as in files of fans. The game doesn't look at them.",
     remedy = "Nothing, or agp:rebuild().", source = "seen in files" },
   { id = "edges-flat", severity = "hint", sections = "triangles",
     reason = "Edges are stored as seen from above, without height. The game takes these, too.",
     remedy = "Nothing.", source = "seen in files" },
   { id = "walls-drawn", severity = "hint", sections = "walls",
     reason = "There are walls, and no edge is marked as open: all of them were drawn by hand. They work; "
        .. "agp:rebuild keeps them unless told to compute walls.",
     remedy = "Nothing, if it is meant.", source = "seen in files" },
   { id = "end-not-zeros", severity = "hint", sections = "cells",
     reason = "The cell that ends the cells begins with 0, as it must, but isn't all zeros.",
     remedy = "Nothing.", source = "public decompilation of GP 2" },
   { id = "file-tail", severity = "hint", sections = "",
     reason = "There are bytes behind the cells. The game doesn't look at them; they are kept until the file is laid "
        .. "out anew.",
     remedy = "Nothing.", source = "it follows from the format" },
}, kcl = {
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
}, kmp = {
   { id = "file-length", severity = "warning", sections = "",
     reason = "The header states another length than the file has.",
     remedy = "Look whether the file is complete; the word is kept.", source = "seen in files" },
   { id = "entry-size", severity = "warning", sections = "",
     reason = "Records have another size than the file's version has. They are read by their size.",
     remedy = "Nothing, if the game loads the course.", source = "seen in files" },
   { id = "section-twice", severity = "warning", sections = "",
     reason = "A second section of the same name. It is kept, but not read.",
     remedy = "Remove one of them with the tool that wrote them.", source = "seen in files" },
   { id = "section-unknown", severity = "hint", sections = "",
     reason = "A section that the game doesn't know. It is kept.",
     remedy = "Nothing.", source = "seen in files" },
} }

-- Sources that are known by a word.
local SOURCES = { engine = "public decompilation", wiki = "the community wiki", files = "seen in files",
   derived = "it follows from how the game counts and draws" }

-- `text` with a call in place of "fix RULE", "purge" and "drop".
local function as_calls(text)
   return (text:gsub("fix (%l[%l-]+%l)", 'doc:fix "%1"'):gsub("%f[%w]purge %f[%l]removes", "doc:purge() removes")
      :gsub("let drop do it", "let doc:drop(collision) do it"))
end

--- All rules in their order, { id =, severity =, sections =, reason =, remedy =, source =, format = }: of each
--- format first what reading a file finds (`reading` is true), then what `doc:check()` looks for; with `collision`
--- those that need one.
function checks.rules()
   local list = {}
   for _, format in ipairs{ "kcl", "kmp", "agp" } do
      for _, rule in ipairs(READING[format]) do
         list[#list + 1] = { id = rule.id, severity = rule.severity, sections = rule.sections, reason = rule.reason,
            remedy = rule.remedy, source = rule.source, reading = true, format = format }
      end
      for _, rule in ipairs(kart[format].rules()) do
         rule.format, rule.source, rule.remedy = format, SOURCES[rule.source] or rule.source, as_calls(rule.remedy)
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
