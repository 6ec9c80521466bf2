-- Takes an archive apart: all its files into a folder, which kartlua szs_pack makes an archive of again.
--
--    kartlua szs_extract course.szs                into course.d/
--    kartlua szs_extract -o out/ tracks/*.szs      into out/luigi.d/, ...
--    kartlua szs_extract -o luigi course.szs       into luigi/
--
-- Output:
--    course.szs -> course.d
--
-- A folder that has something in it is not written to. An archive whose names could lead out of the folder,
-- or of which two are the same on some disks, is refused as a whole.

local folders = require "kartlua.folders"
local recipe = require "kartlua.recipe"

-- Where the files of one archive go.
local function target(input, output)
   local folder, stem = input:match "^(.-)([^/]*)$"
   stem = (stem:match "^(.+)%.[^.]*$" or stem) .. ".d"
   if not output then return folder .. stem end
   if output:sub(-1) == "/" or folders.is(output) then return output:gsub("/*$", "/") .. stem end
   return output
end

return recipe{
   summary = "Takes an archive apart, into a folder.",
   saves = false,
   accepts = "szs",
   options = {
      { name = "output", short = "o", type = "file", hint = "FOLDER",
        help = "a folder for the files; one that ends in a slash is for several archives" },
   },
   example = "kartlua szs_extract -o luigi course.szs",
   run = function(archive, options, job)
      local path = target(job.input, options.output)
      local done, problem = folders.make(path)
      if done then done, problem = archive:extract(path) end
      if not done then return nil, problem end
      print(("%s -> %s"):format(job.input, path))
   end,
}
