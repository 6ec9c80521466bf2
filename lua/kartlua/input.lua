--- What a recipe works on: a file, or the files of a course in an archive or a folder.
local kart = require "kartlua"
local folders = require "kartlua.folders"

local input = {}
input.__index = input

local ARCHIVE = "szs"

--- How messages call a member of a course: like a file in a folder. Names in archives are bytes: none of
--- them moves the terminal's cursor.
function input.label(path, member)
   return member and ("%s/%s"):format(path:gsub("/+$", ""), (member:gsub("%c", "?"))) or path
end

local function has(list, value)
   for _, item in ipairs(list) do
      if item == value then return true end
   end
   return false
end

-- A message about a member without the member's path; nil if it is about something else.
local function without(text, member)
   if text:sub(1, #member + 2) == member .. ": " then return text:sub(#member + 3) end
end

--- A message about the file at `path` with its name in front, unless it stands there. One of an archive may
--- begin with the path of a member: `source` knows these.
function input.named(path, text, source)
   for _, part in ipairs(source and source.members or {}) do
      local rest = without(text, part.member)
      if rest then return ("%s: %s"):format(part.path, rest) end
   end
   return text:sub(1, #path + 2) == path .. ": " and text or ("%s: %s"):format(path, text)
end

-- The names of kinds of files in one text.
local function names(kinds, between)
   local list = {}
   for i, kind in ipairs(kinds) do list[i] = folders.ending(kind):upper() end
   return table.concat(list, between)
end

-- The members that a recipe for these types works on. Documents of all of them are opened: what is odd
-- about them is known before the recipe changes anything.
local function members(course, accepts, with_objects, path)
   local files, problem = course:list()
   if not files then return nil, problem end
   local whole, parts = has(accepts, ARCHIVE), {}
   for _, role in ipairs{ "kmp", "kcl", "object" } do
      for _, file in ipairs(files) do
         local kind = role == "object" and "kcl" or role
         if file.role == role and has(accepts, kind) and (role ~= "object" or with_objects) then
            local doc
            doc, problem = course:open(file.path)
            local label = input.label(path, file.path)
            if not doc then return nil, ("%s: %s"):format(label, without(problem, file.path) or problem) end
            if kart.type(doc) ~= kind then return nil, ("%s: not a %s file"):format(label, kind:upper()) end
            parts[#parts + 1] = { doc = doc, path = label, member = file.path }
         end
      end
   end
   if whole then return { { doc = course, path = path } }, parts end
   if #parts > 0 then return parts, parts end
   return nil, ("%s: there is no %s of a course in it"):format(path, names(accepts, " and no "))
end

--- Open what stands at `path` for a recipe: { doc =, parts = { { doc =, path =, member = } ... } }. Of an
--- archive or a folder the parts are its members, unless the recipe takes them whole. nil and a message if
--- there is nothing to work on.
function input.open(path, recipe)
   local accepts, is_folder = recipe.accepts, folders.is(path)
   if is_folder and not recipe.any_folder and not folders.is_course(path) then
      return nil, ("%s: there is no course in this folder"):format(path)
   end
   local doc, problem = (is_folder and kart.course or kart.open)(path)
   if not doc then return nil, problem end
   local self, kind = setmetatable({ doc = doc, members = {} }, input), kart.type(doc)
   if kind == ARCHIVE then
      local opened
      self.parts, opened = members(doc, accepts, recipe.objects, path)
      if self.parts then self.members = opened else problem = opened end
   elseif has(accepts, kind) then
      self.parts = { { doc = doc, path = path } }
   else
      local found = names({ kind }, "")
      problem = ("%s: %s %s file, but this recipe takes %s files"):format(path, found == "OBJ" and "an" or "a", found,
         names(accepts, ", "))
   end
   if self.parts then return self end
   doc:close()
   return nil, problem
end

--- The document `result` takes the place of a part, or of the whole where it is to be saved `alone`.
function input:replace(part, result, alone)
   if alone or not part.member then
      self.doc, part.doc = result, result
      return true
   end
   local bytes, problem = result:bytes()
   if not bytes then return nil, problem end
   return self.doc:replace(part.member, bytes)
end

function input:close() self.doc:close() end
input.__close = input.close

return input
