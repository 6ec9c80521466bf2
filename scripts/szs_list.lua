-- Lists what is in an archive: sizes, names, and what kartlua takes the files for.
--
--    kartlua szs_list course.szs
--
-- Output:
--    course.szs: 501 KB, 1061 KB in 4 files
--         21652  course.kmp         points
--       1037050  course.kcl         collision
--          8000  course_model.brres
--         19940  obj/thing.kcl      collision of an object

local columns = require "kartlua.columns"
local recipe = require "kartlua.recipe"

local ROLES = { kmp = "points", kcl = "collision", object = "collision of an object" }

-- Names are bytes, of whatever encoding: nothing in them moves the terminal's cursor.
local function printable(name) return (name:gsub("%c", "?")) end

local function kilobytes(bytes) return ("%d KB"):format((bytes + 512) // 1024) end

return recipe{
   summary = "Lists what is in an archive.",
   saves = false,
   accepts = "szs",
   example = "kartlua szs_list course.szs",
   run = function(archive, _, job)
      local files, problem = archive:list()
      if not files then return nil, problem end
      local rows, count, bytes = {}, 0, 0
      for _, file in ipairs(files) do
         if file.folder then
            rows[#rows + 1] = { "", printable(file.path) .. "/" }
         else
            rows[#rows + 1] = { file.size, printable(file.path), ROLES[file.role] }
            count, bytes = count + 1, bytes + file.size
         end
      end
      local size = archive.origin == "archive" and ("%s, "):format(kilobytes(#assert(archive:bytes()))) or ""
      print(("%s: %s%s in %d file%s"):format(job.input, size, kilobytes(bytes), count, count == 1 and "" or "s"))
      for _, line in ipairs(columns(rows, "rll")) do print("  " .. line) end
   end,
}
