-- What the specs of archives share.

local archives = require "samples.archives"
local archivefile = require "samples.archivefile"
local support = require "spec.support"

local tools = {}

--- The bytes of samples/make.lua's szs/NAME, or of race.szs.
function tools.bytes(name)
   if name == "race.szs" then
      tools.race = tools.race or archives.race()
      return tools.race
   end
   for _, sample in ipairs(archives) do
      if sample.name == name then
         sample.bytes = sample.bytes or sample.make()
         return sample.bytes
      end
   end
   error("no sample " .. name)
end

--- A sample as an open document.
function tools.open(name) return assert(kart.szs.parse(tools.bytes(name))) end

--- course.szs with collision whose octree can't be built: once moved by tools.rounding, it can't be saved.
function tools.unbuildable()
   local course = tools.open "course.szs"
   assert(course:replace("course.kcl", require("spec.kcl.tools").unbuildable()))
   return assert(kart.szs.parse(course:bytes()))
end

tools.rounding = { 0.1, 0, 0 }

--- The names of all samples that open.
function tools.names()
   local names = {}
   for i, sample in ipairs(archives) do names[i] = sample.name end
   return names
end

--- An archive of these files, { path = bytes }, in a "." folder, sorted.
function tools.archive(files)
   local names, list = {}, {}
   for name in pairs(files) do names[#names + 1] = name end
   table.sort(names)
   for i, name in ipairs(names) do list[i] = { name, files[name] } end
   return archivefile.yaz0(archivefile.u8{ { ".", list } })
end

--- Real points and collision of the same name: { name =, kmp =, kcl = } with paths.
function tools.corpus()
   local pairs_found, collision = {}, {}
   for _, path in ipairs(support.corpus("kcl-mkw", "kcl")) do collision[path:match "([^/]+)%.kcl$"] = path end
   for _, path in ipairs(next(collision) and support.corpus("kmp", "kmp") or {}) do
      local name = path:match "([^/]+)%.kmp$"
      if collision[name] then pairs_found[#pairs_found + 1] = { name = name, kmp = path, kcl = collision[name] } end
   end
   return pairs_found
end

--- The paths that a document lists, in one text.
function tools.paths(doc)
   local paths = {}
   for i, file in ipairs(doc:list()) do paths[i] = file.path .. (file.folder and "/" or "") end
   return table.concat(paths, " ")
end

--- The finding of that rule, and of that member if it is given.
function tools.finding(list, rule, member)
   for _, finding in ipairs(list) do
      if finding.rule == rule and (not member or finding.member == member) then return finding end
   end
end

return tools
