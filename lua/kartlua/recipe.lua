--- Recipes: scripts with options, help, output names and batches from one place.
--
--    local recipe = require "kartlua.recipe"
--    return recipe{
--       summary = "Lifts all objects.",                                        -- one sentence
--       options = { { name = "by", type = "number", default = 100, help = "units to lift by" } },
--       example = "kartlua lift.lua --by 50 course.kmp",
--       run = function(doc, options, job) ... end,
--    }
--
-- `run` is called for each file with the open document, the option values (by name, see
-- kartlua/options.lua for the types) and the job { input =, output = }. It changes the document,
-- which is then saved; it may return another one to be saved instead, or false to save nothing. nil or
-- false and a message are an error of this file, and so are any other value and a raised error. With
-- `saves = false` nothing is saved: a recipe that looks and prints. `accepts` is the kart.type of the
-- documents it takes, or a list of several, "kmp" if not given. `prepare(values)` is called once, before the
-- files: it may look at the option values, nil and a message are wrong usage, and "done" means that there is
-- nothing left to do.
--
-- Every recipe takes archives (.szs, .arc) and folders, too. Of an archive, or of a folder with a course.kmp
-- or course.kcl in it, `run` gets the documents that it accepts one after the other (job.input is then
-- "course.szs/course.kmp", job.member "course.kmp", job.course the archive), with `objects = true` other .kcl
-- members as well, and what was changed is saved as a whole. With "szs" among `accepts`, `run` gets the course as
-- a whole. Any other folder stands for the courses and files in it; with `any_folder = true` every folder is a course.
-- `ending` is that of the results where it isn't the input's ("obj"), or a function that tells it from the option
-- values: then what came out of a member is a file by itself, and the archive or folder stays as it is.
--
-- A recipe that looks at several files together names them: `inputs = { "course", "edited" }`, with
-- `saves = false`. `run` is then called once, with lists of documents and of jobs, and gives the exit code:
-- 0 or 1. What fails is exit code 2, as with diff.
local kart = require "kartlua"
local guard = require "kartlua.guard"
local folders = require "kartlua.folders"
local input = require "kartlua.input"
local options = require "kartlua.options"

local recipe = {}
recipe.__index = recipe

-- Options of every recipe, and of those that save.
local COMMON = {
   { name = "jobs", short = "j", type = "integer", min = 1, max = 256, default = 1,
     help = "work on so many files at a time" },
   { name = "help", short = "h", type = "flag", help = "show this help" },
}
local SAVING = {
   { name = "output", short = "o", type = "file",
     help = "where to write: a file for one input, a folder for several" },
   { name = "in_place", type = "flag", help = "write over the input, which is kept as course.kmp.bak" },
   { name = "dry_run", type = "flag", help = "do everything but write" },
   { name = "force", type = "flag", help = "write also what has new errors" },
}

local IN_PLACE = 2 -- among the saving ones

local function joined(first, second)
   return table.move(second, 1, #second, #first + 1, table.move(first, 1, #first, 1, {}))
end

-- A recipe is made in the last statement of its file, of which nothing is left on the stack then: so
-- the file is named without a line.
local function check(condition, message, ...)
   if not condition then error(("%s: recipe: %s"):format(arg and arg[0] or "?", message:format(...)), 0) end
end

local function check_option(option, seen)
   check(type(option.name) == "string" and option.name:find("^%l[%l%d_]*$"),
      "an option's name must be a word in lower case, not %s", option.name)
   check(not seen[option.name], "option %s stands twice, or every recipe has it", option.name)
   check(options.types[option.type], "option %s: there is no type %s", option.name, option.type)
   check(type(option.help) == "string", "option %s needs a help text", option.name)
   check(option.type ~= "choice" or type(option.choices) == "table", "option %s needs choices", option.name)
   check(not option.multiple or option.type ~= "flag" and option.default == nil,
      "option %s: multiple is for options that take a value and have no default", option.name)
   seen[option.name] = true
end

local function new(_, spec)
   check(type(spec) == "table", "expected a table, found a %s", type(spec))
   check(type(spec.summary) == "string", "summary is missing")
   check(type(spec.run) == "function", "run is missing")
   check(not spec.inputs or spec.saves == false, "what takes several inputs together can't save them")
   local self = setmetatable({}, recipe)
   for key, value in pairs(spec) do self[key] = value end
   self.accepts = type(spec.accepts) == "table" and spec.accepts or { spec.accepts or "kmp" }
   self.saves = spec.saves ~= false
   local members = 0 -- kinds of documents of which an archive may have some
   for _, kind in ipairs(self.accepts) do
      if kind == "kmp" or kind == "kcl" or kind == "szs" then members = members + 1 end
   end
   check(not self.ending or members <= 1 and not self.objects,
      "with an ending, one kind of document is what it can take of a course: each input gives one file")

   self.own = spec.options or {}
   self.common = self.saves and joined(SAVING, COMMON) or COMMON
   if self.ending then table.remove(self.common, IN_PLACE) end -- what comes out is another kind of file
   if self.inputs then self.common = { COMMON[#COMMON] } end -- files at a time make no sense then
   local seen = {}
   for _, option in ipairs(self.common) do seen[option.name] = true end
   for _, option in ipairs(self.own) do check_option(option, seen) end
   return self
end

local function say(text) io.stderr:write(text, "\n") end

--- Is the value a recipe?
function recipe.is(value) return getmetatable(value) == recipe end

-- The warnings of a document as lines, and the set of those that are errors.
local function warnings(doc, path)
   local lines, errors = {}, {}
   for _, warning in ipairs(doc.warnings) do
      local text, member = tostring(warning), warning.member
      local line = ("%s: %s"):format(input.label(path, member), member and text:sub(#member + 3) or text)
      lines[#lines + 1] = line
      if warning.severity == "error" then errors[line] = true end
   end
   return lines, errors
end

-- Save what came out for one file, unless it has errors that the input hadn't.
local function finish(source, known_errors, job, values)
   -- First of all: where there is nothing to write, nothing else is worth a word.
   local write, unfit = require("kartlua.output").prepare(source.doc, job)
   if not write then return nil, input.named(job.input, unfit, source) end
   local lines, errors = warnings(source.doc, job.input)
   local fresh = 0
   for _, line in ipairs(lines) do
      say(line)
      if errors[line] and not known_errors[line] then fresh = fresh + 1 end
   end
   if fresh > 0 and not values.force then
      return nil, ("%s: nothing written because of %s; --force writes it all the same"):format(
         job.input, fresh == 1 and "an error" or fresh .. " errors")
   end
   local note = ""
   if values.dry_run then
      note = " (dry run, not written)"
   else
      local kept, problem = write()
      if problem then return nil, problem end
      if kept then note = (" (was %s)"):format(kept) end
   end
   print(("%s -> %s%s"):format(job.input, job.output, note))
   return true
end

local function is_document(value)
   local kind = kart.type(value)
   return kind and kart.api()[kind].save ~= nil
end

-- One document: whether it is to be saved; nil and a message if it failed.
local function work(self, source, part, job, values, name)
   local own = setmetatable({ input = part.path, member = part.member, course = part.member and source.doc },
      { __index = job })
   local result, message = self.run(part.doc, values, own)
   if not result and message then
      return nil, input.named(own.input, type(message) == "string" and message or guard.text(message), source)
   elseif result and not is_document(result) then
      return nil, ("%s: the recipe %s gave %s back: it can be a document, nil or false"):format(part.path, name,
         result == true and "true" or "a " .. (kart.type(result) or type(result)))
   end
   result = result == nil and part.doc or result
   if result and self.saves and (self.ending or result ~= part.doc) then
      local done, problem = source:replace(part, result, self.ending)
      if not done then return nil, input.named(own.input, problem, source) end
   end
   return result ~= false
end

-- One file. nil and a message if it failed. May raise, and not only in `run`: that can have closed the
-- document that is to be saved.
local function process(self, job, values, name)
   local source <close>, problem = input.open(job.input, self)
   if not source then return nil, problem end
   local known_errors, changed = select(2, warnings(source.doc, job.input)), false
   local failed = {}
   for _, part in ipairs(source.parts) do
      local done, message = work(self, source, part, job, values, name)
      if not done and message then
         -- What only looks goes on with the next member.
         if self.saves then return nil, message end
         failed[#failed + 1] = message
      end
      changed = changed or done
   end
   if #failed > 0 then return nil, table.concat(failed, "\n") end
   if not self.saves or not changed then return true end
   return finish(source, known_errors, job, values)
end

-- The same, whatever happens: one file's fault never ends the batch.
local function process_safely(self, job, values, name)
   local ok, done, problem = guard.call(process, self, job, values, name)
   if ok then return done, problem end
   return nil, input.named(job.input, done)
end

-- Several files together. Gives the exit code; nil and a message if it failed.
local function process_together(self, jobs, values)
   local sources <close>, docs = setmetatable({}, { __close = function(sources)
      for _, source in ipairs(sources) do source:close() end
   end }), {}
   for i, job in ipairs(jobs) do
      local source, problem = input.open(job.input, self)
      if not source then return nil, problem end
      sources[i], docs[i] = source, source.parts[1].doc
   end
   local code, message = self.run(docs, values, jobs)
   if not code then return nil, message end
   return code
end

local function as_they_are(paths)
   local files = {}
   for i, path in ipairs(paths) do files[i] = { path = path } end
   return files
end

-- What the command line asks for: { values =, jobs =, given = }, or nil and what is wrong with it.
local function plan(self, words, name)
   local parsed, problem = options.parse(joined(self.own, self.common), words)
   if not parsed or parsed.values.help then return parsed, problem end
   local prepared
   if self.prepare then
      prepared, problem = self.prepare(parsed.values)
      if problem then return nil, problem end
   end
   if prepared == "done" then
      parsed.jobs = {}
      return parsed
   end
   if self.inputs and #parsed.files ~= #self.inputs then
      return nil, ("%d files are needed (%s), not %d"):format(#self.inputs, table.concat(self.inputs, ", "),
         #parsed.files)
   end
   if #parsed.files == 0 then return nil, "no input file" end
   local files = (self.inputs or self.any_folder) and as_they_are(parsed.files)
      or folders.expand(parsed.files, self.accepts, self.saves and name, parsed.values.output)
   if self.saves then
      local ending = self.ending
      if type(ending) == "function" then ending = ending(parsed.values) end
      parsed.jobs, problem = require("kartlua.output").plan(files, parsed.values, name, ending)
      return parsed.jobs and parsed, problem
   end
   parsed.jobs = {}
   for i, file in ipairs(files) do parsed.jobs[i] = { input = file.path, below = file.below } end
   return parsed
end

--- Run the recipe as the command line `words` says. Returns the exit code. `name` is the recipe's:
--- it stands in messages and in the names of results. `command` is how the program is started with
--- this recipe, an array of words; without it, files are worked on one by one.
function recipe:main(words, name, command)
   local parsed, problem = plan(self, words, name)
   if not parsed then
      say(("kartlua %s: %s (--help shows the usage)"):format(name, problem))
      return 2
   end
   local values = parsed.values
   if values.help then
      io.write(require("kartlua.help")(self, name))
      return 0
   end
   if self.inputs then
      if #parsed.jobs == 0 then return 0 end -- all was done before
      local ok, code, message = guard.call(process_together, self, parsed.jobs, values)
      if ok and code then return code end
      say(("kartlua %s: %s"):format(name, ok and message or code))
      return 2
   end
   if values.jobs > 1 and #parsed.jobs > 1 and command then
      return require("kartlua.parallel")(command, parsed)
   end
   local code = 0
   for _, job in ipairs(parsed.jobs) do
      local done, message = process_safely(self, job, values, name)
      if not done then
         say(message)
         code = 1
      end
   end
   return code
end

return setmetatable(recipe, { __call = new })
