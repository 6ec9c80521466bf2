--- Errors in what a script gave to a method that is in C and does its work in Lua: they belong to the line of
--- the script, and C stands between.

--- A function that raises `name: message` there. To be made by the module that does the work.
return function(name)
   local here = debug.getinfo(2, "S").short_src
   return function(message, ...)
      local level = 1
      repeat
         level = level + 1
         local info = debug.getinfo(level, "S")
      until not info or info.what ~= "C" and info.short_src ~= here
      error(("%s: %s"):format(name, message:format(...)), level)
   end
end
