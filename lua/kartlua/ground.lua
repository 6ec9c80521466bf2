--- The collision that the points of a course stand on, for recipes.
local kart = require "kartlua"
local lfs = require "lfs"

local ground = {}

-- The collision of an archive or a folder; nil if there is none, nil and a message if it is damaged.
local function member(course)
   local files, problem = course:list()
   if not files then return nil, problem end
   for _, file in ipairs(files) do
      if file.role == "kcl" then return course:open(file.path) end
   end
end

--- Open a document with triangles, or the collision of an archive. nil and a message on failure.
function ground.open(path)
   local doc, problem = kart.open(path)
   if not doc then return nil, problem end
   if kart.type(doc) == "szs" then
      doc, problem = member(doc)
      if not doc then return nil, problem or path .. ": there is no collision of a course in it" end
   end
   if not kart.api()[kart.type(doc)].segment then return nil, path .. ": a file without triangles" end
   return doc
end

--- What the document of a job stands on: `given`, or the collision in its archive or folder, which for a loose
--- course.kmp is the course.kcl beside it. nil if there is none, nil and a message if it is damaged.
function ground.of(job, given)
   if given then return given end
   if job.course then return member(job.course) end
   local folder = ("/" .. job.input):match "^(.*/)course%.kmp$"
   local path = folder and folder:sub(2) .. "course.kcl"
   if path and lfs.attributes(path, "mode") == "file" then return kart.open(path) end
end

return ground
