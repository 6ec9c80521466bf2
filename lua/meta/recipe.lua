---@meta kartlua.recipe

--- A type of option: what its value may be on the command line, and what `run` gets.
--- - `flag`: no value; true if it was given, else nil
--- - `number`: a finite number; `min` and `max` may bound it
--- - `integer`: a whole number, likewise
--- - `angle`: a number of degrees
--- - `vec`: three numbers like 1,-2.5,0; a kart.vec
--- - `axis`: "x", "y" or "z", or a direction like 0,1,0: the letter or a kart.vec
--- - `factor`: one number or three, each above 0: a number or a kart.vec
--- - `choice`: one of `choices`, as text
--- - `file`: a path, not empty
--- - `text`: any text
---@alias kart.recipe.type "flag"|"number"|"integer"|"angle"|"vec"|"axis"|"factor"|"choice"|"file"|"text"

--- An option of a recipe.
---@class kart.recipe.option
--- Lower case, words joined by underscores: `scale_speeds` is written --scale-speeds on the command
--- line and read as `options.scale_speeds`. Every recipe has `jobs` and `help`, one that saves also
--- `output`, `in_place`, `dry_run` and `force`: these names are taken.
---@field name string
---@field type kart.recipe.type
--- What --help shows behind the option.
---@field help string
--- A letter, for -x. -j and -h are taken, and -o in a recipe that saves.
---@field short? string
--- The value if the option isn't given, as it would be typed: 100, "x", "0,0,0". Not for flags.
---@field default? string|number
--- The recipe can't run without it.
---@field required? boolean
--- Least value of a number or integer.
---@field min? number
--- Greatest value of a number or integer.
---@field max? number
--- The words that a `choice` may be.
---@field choices? string[]
--- What stands for the value in the help, like "OLD=NEW"; the type has a word of its own.
---@field hint? string
--- It may be given several times: its value is always a list, in the order of the command line. Not for
--- flags, and not with a default.
---@field multiple? boolean

--- What `run` is told of the file it works on.
---@class kart.recipe.job
--- The path of the input, as it was given; of a document in an archive "course.szs/course.kmp".
---@field input string
--- The document's path in the archive or folder; nil for a file by itself.
---@field member string?
--- The path that will be written; nil in a recipe that saves nothing.
---@field output string?
--- True under --in-place.
---@field in_place boolean?

--- What a recipe is made of. A wrong or missing entry raises when the recipe is loaded.
---@class kart.recipe.spec
--- One sentence, for --help and --list. Write it as a plain text in double quotes: --list reads it
--- without running the script.
---@field summary string
--- Called once for each file, with the open document and the values of the options by their names.
--- It changes the document, which is then saved; it may return another document to be saved
--- instead, or false to save nothing. nil or false and a message are an error of this file, and so are any
--- other value and a raised error: nothing is written for it, the other files go on, and the exit code is 1.
---@field run fun(document: any, options: table<string, any>, job: kart.recipe.job): kart.kmp|kart.kcl|kart.szs|kart.mesh|false|nil, string?
---@field options? kart.recipe.option[]
--- Called once, before the files, with the values of the options. nil and a message are wrong usage: the
--- exit code is 2, and nothing is done. "done" means that there is nothing left to do; the exit code is 0.
---@field prepare? fun(options: table<string, any>): "done"?, string?
--- A command line, for --help.
---@field example? string
--- false: nothing is saved; for recipes that look and print. Default true.
---@field saves? boolean
--- The `kart.type` of the documents it takes, or several of them; another kind of file is an error.
--- Default "kmp". Of an archive or a course's folder `run` gets the documents of these types one after the
--- other, and it is saved as a whole; with "szs" among them `run` gets the whole itself.
---@field accepts? string|string[]
--- Of an archive or a course's folder, run it for the collision of objects, too. Default false.
---@field objects? boolean
--- Each folder among the inputs is one course, whatever lies in it; for recipes that accept "szs". Default
--- false: a folder with a course.kmp or course.kcl is one, any other stands for all that lies in it.
---@field any_folder? boolean
--- What the names of results end in, like "obj", where it isn't what the inputs' do. There is no --in-place
--- then, and what comes out of a member is a file by itself: its archive or folder stays as it is. Such a recipe
--- accepts one kind of document of a course. Or a function that tells it from the option values.
---@field ending? string|fun(options: table<string, any>): string
--- Names of files that it looks at together: `{ "course", "edited" }`. It needs `saves = false`. `run` is
--- called once, with lists of documents and of jobs, and gives the exit code, 0 or 1; what fails is 2.
---@field inputs? string[]

--- A recipe, ready to run.
---@class kart.recipe: kart.recipe.spec
local made = {}

--- Run the recipe for a command line. The program does this with the recipe that a script returns.
---@param words string[] options and files
---@param name string the recipe's, for messages and for the names of results
---@param command? string[] how to start the program with this recipe, for --jobs; nil: one file after the other
---@return integer code 0 done, 1 a file failed, 2 wrong usage
function made:main(words, name, command) end

--- Scripts with options, help, output names and batches from one place. A script that returns a recipe
--- gets --help, -o, --in-place, --dry-run, --jobs and several files at once from it.
---
---     local recipe = require "kartlua.recipe"
---     return recipe{
---        summary = "Lifts all objects.",
---        options = { { name = "by", type = "number", default = 100, help = "units to lift by" } },
---        example = "kartlua lift.lua --by 50 course.kmp",
---        run = function(course, options)
---           for _, object in ipairs(course.gobj) do
---              object.position = object.position + kart.vec(0, options.by, 0)
---           end
---        end,
---     }
---@class kart.recipe.functions
---@overload fun(spec: kart.recipe.spec): kart.recipe
local recipe = {}

--- Is the value a recipe?
---@param value any
---@return boolean
function recipe.is(value) end

return recipe
