-- Cleans collision: what nothing uses and what only costs goes, and the octree is built anew.
--
--    kartlua clean course.szs
--    kartlua clean --face-down yes --weak 4 course.kcl
--    kartlua clean --duplicates no course.kcl
--
-- Output:
--    course.kcl: 25 prisms of 10388 taken out: 17 that stand twice, 8 that are weak
--    course.kcl: 1037050 -> 903976 bytes
--    course.kcl -> course.clean.kcl
--
-- Taken out are prisms that stand twice (--duplicates), those with less area than --weak square units, and, if
-- --face-down says so, roads that face down: nothing can drive on them from above. Prisms that are no triangle go
-- in any case, and so do positions and normals that no prism uses. The others are made anew from their corners, in
-- their order; kartlua check lists them before.

local recipe = require "kartlua.recipe"

local YES_NO = { "yes", "no" }

-- Why a prism goes, in the words of the report; nil for those that stay. The rules are those of check.
local function reasons(course, options)
   local found, problem = course:check()
   if not found then return nil, problem end
   local by_rule = {
      ["triangle-duplicate"] = options.duplicates == "yes" and "that stand twice" or nil,
      ["road-face-down"] = options.face_down == "yes" and "that are roads and face down" or nil,
   }
   local list = {}
   for _, finding in ipairs(found) do
      if finding.index then list[finding.index] = list[finding.index] or by_rule[finding.rule] end
   end
   for i, prism in ipairs(course.prisms) do
      if prism.problem then
         list[i] = "that are no triangle"
      elseif prism.area < options.weak then
         list[i] = list[i] or "that are weak"
      end
   end
   return list
end

local function report(counts, total, path)
   local parts, sum = {}, 0
   for why, count in pairs(counts) do
      parts[#parts + 1] = ("%d %s"):format(count, why)
      sum = sum + count
   end
   table.sort(parts)
   print(("%s: %d prisms of %d taken out%s%s"):format(path, sum, total, sum > 0 and ": " or "",
      table.concat(parts, ", ")))
end

return recipe{
   summary = "Takes out of collision what nothing uses.",
   accepts = "kcl",
   options = {
      { name = "duplicates", type = "choice", choices = YES_NO, default = "yes", help = "take out what stands twice" },
      { name = "face_down", type = "choice", choices = YES_NO, default = "no", help = "take out roads that face down" },
      { name = "weak", type = "number", min = 0, default = 1, help = "take out what has less area than this" },
   },
   example = "kartlua clean --weak 4 course.kcl",
   run = function(course, options, job)
      local why, problem = reasons(course, options)
      if not why then return nil, problem end
      local gone, counts, total, before = {}, {}, #course.prisms, #assert(course:bytes())
      for i = 1, total do
         if why[i] then
            gone[#gone + 1] = i
            counts[why[i]] = (counts[why[i]] or 0) + 1
         end
      end
      if #gone > 0 then
         local done
         done, problem = course:remove(gone)
         if not done then return nil, problem end
      end
      report(counts, total, job.input)
      local bytes
      bytes, problem = course:bytes()
      if not bytes then return nil, problem end
      print(("%s: %d -> %d bytes"):format(job.input, before, #bytes))
   end,
}
