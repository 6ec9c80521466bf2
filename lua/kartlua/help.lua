--- The help of a recipe, from the same table that its command line is read by.
local options = require "kartlua.options"

local function rows(list)
   local lines, width = {}, 0
   for i, option in ipairs(list) do
      local hint = options.about(option, "hint")
      local left = ("  %s%s%s"):format(option.short and ("-%s, "):format(option.short) or "", options.word(option),
         hint and " " .. hint or "")
      local note = option.required and " (required)"
         or option.default ~= nil and (" (default: %s)"):format(option.default)
         or option.multiple and " (may be given several times)" or ""
      lines[i] = { left, option.help .. note }
      width = math.max(width, #left)
   end
   for i, line in ipairs(lines) do lines[i] = line[1] .. (" "):rep(width + 2 - #line[1]) .. line[2] end
   return table.concat(lines, "\n")
end

return function(recipe, name)
   local ending = require("kartlua.folders").ending(recipe.accepts[1])
   local example_file = "course." .. ending
   local files = recipe.inputs and table.concat(recipe.inputs, ("." .. ending .. " ")) .. "." .. ending
      or example_file .. " ..."
   local parts = { ("%s: %s"):format(name, recipe.summary),
      ("usage: kartlua %s [options] %s"):format(name, files) }
   if #recipe.own > 0 then parts[#parts + 1] = "options:\n" .. rows(recipe.own) end
   parts[#parts + 1] = (recipe.saves and "output:\n" or "more:\n") .. rows(recipe.common)
   if recipe.saves then
      parts[#parts + 1] = ("Without -o or --in-place the result is written beside the input: %s -> course.%s.%s.\n"
         .. "A folder for -o that doesn't exist yet ends in a slash. An older .bak is never overwritten: the\n"
         .. "next one is called .bak2. Exit codes: 0 done, 1 something failed, 2 usage, 130 interrupted.")
         :format(example_file, name, type(recipe.ending) == "string" and recipe.ending or ending)
   end
   if not recipe.any_folder then
      parts[#parts + 1] = "Archives (.szs, .arc) and folders of courses may be given, too."
   end
   if recipe.example then parts[#parts + 1] = "example:\n  " .. recipe.example end
   return table.concat(parts, "\n\n") .. "\n"
end
