-- Makes an archive of a folder, such as kartlua szs_extract leaves.
--
--    kartlua szs_pack course.d                     course.szs
--    kartlua szs_pack --like old.szs course.d      as that one was made: order, alignment, and what didn't
--                                                  change byte for byte
--    kartlua szs_pack --level best -o out.szs course.d
--    kartlua szs_pack -o course.arc course.d       not compressed
--
-- Output:
--    course.d -> course.szs
--
-- What disks and programs leave in folders (.DS_Store, Thumbs.db, copies named .bak) stays out, and is named.

local kart = require "kartlua"
local folders = require "kartlua.folders"
local recipe = require "kartlua.recipe"

local function is_arc(path) return path ~= nil and path:find "%.arc$" ~= nil end

-- course.d -> course.szs, or .arc if it is to be like one. nil and a message if the folder has no name.
local function target(input, output, like)
   local into = output and (output:sub(-1) == "/" or folders.is(output)) and output:gsub("/*$", "/")
   if output and not into then return output end
   local folder, stem = input:gsub("(.)/+$", "%1"):match "^(.-)([^/]*)$"
   if stem:find "^%.*$" then return nil, "-o must say how the archive of this folder is to be called" end
   return (into or folder) .. (stem:match "^(.+)%.d$" or stem) .. (is_arc(like) and ".arc" or ".szs")
end

-- The members of an archive by path.
local function by_path(archive)
   local files = {}
   for _, file in ipairs(archive:list()) do files[file.path] = file end
   return files
end

-- Make the archive hold what the course holds; whatever is the same stays as it is.
local function follow(archive, course)
   local done, problem = archive, nil
   local wanted, list = by_path(course), archive:list()
   for i = #list, 1, -1 do -- what lies in a folder before the folder
      local file = wanted[list[i].path]
      if not file or file.folder ~= list[i].folder then done, problem = archive:remove(list[i].path) end
      if not done then return nil, problem end
   end
   local there = by_path(archive)
   for _, file in ipairs(course:list()) do
      local bytes = not file.folder and course:read(file.path) or nil
      if not there[file.path] then
         done, problem = archive:add(file.path, bytes)
      elseif bytes then
         done, problem = archive:replace(file.path, bytes)
      end
      if not done then return nil, problem end
   end
   return archive
end

-- What is to be written for a course.
local function archive_of(course, like)
   if not like then return course end
   local archive, problem = kart.open(like)
   if not archive then return nil, problem end
   if kart.type(archive) ~= "szs" then return nil, like .. ": not an archive" end
   return follow(archive, course)
end

return recipe{
   summary = "Makes an archive of a folder.",
   saves = false,
   accepts = "szs",
   any_folder = true,
   options = {
      { name = "output", short = "o", type = "file", help = "the archive; .arc isn't compressed" },
      { name = "like", type = "file", hint = "ARCHIVE",
        help = "keep the order, the alignment and the bytes of this one" },
      { name = "level", type = "choice", choices = { "fast", "default", "best" }, default = "default",
        help = "how hard to compress" },
      { name = "force", type = "flag", help = "write over an archive that is there" },
   },
   example = "kartlua szs_pack --like course.szs -o new.szs course.d",
   run = function(course, options, job)
      if not folders.is(job.input) then return nil, "not a folder" end
      for _, warning in ipairs(course.warnings) do io.stderr:write(("%s: %s\n"):format(job.input, warning)) end
      local path, problem = target(job.input, options.output, options.like)
      if not path then return nil, problem end
      local archive
      archive, problem = archive_of(course, options.like)
      if not archive then return nil, problem end
      -- One that it is to be like may be none that its name says, and then this one is none, too.
      if is_arc(path) ~= is_arc(options.like) then archive.packed = not is_arc(path) end
      local bytes, done
      bytes, problem = archive:bytes{ level = options.level }
      if not bytes then return nil, problem end
      done, problem = folders.make(path)
      if done then done, problem = kart.file.write(path, bytes, { new = not options.force }) end
      if not done then return nil, problem end
      print(("%s -> %s"):format(job.input, path))
   end,
}
