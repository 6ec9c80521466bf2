-- Takes an archive apart: all its files into a folder, which kartlua szs_pack makes an archive of again.
--
--    kartlua szs_extract course.szs                into course.d/
--    kartlua szs_extract -o out/ tracks/*.szs      into out/luigi.d/, ...
--    kartlua szs_extract -o luigi course.szs       into luigi/
--    kartlua szs_extract -o out/ tracks/           all archives in tracks/ and its folders
--
-- Output:
--    course.szs -> course.d
--
-- A folder that has something in it is not written to. An archive whose names could lead out of the folder,
-- or of which two are the same on some disks, is refused as a whole.

local folders = require "kartlua.folders"
local recipe = require "kartlua.recipe"

-- Where the files of one archive go. Of a folder that was given, the shape stays.
local function target(job, output)
   local folder = output and (output:sub(-1) == "/" or folders.is(output)) and output:gsub("/*$", "/")
   if output and not folder then return output end
   local path = folder and (job.below or job.input:match "[^/]*$") or job.input
   return (folder or "") .. (path:match "^(.*[^/])%.[^./]*$" or path) .. ".d"
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
      local path = target(job, options.output)
      local done, problem = folders.make(path)
      if done then done, problem = archive:extract(path) end
      if not done then return nil, problem end
      print(("%s -> %s"):format(job.input, path))
   end,
}
