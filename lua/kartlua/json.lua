--- Flat records as JSON, for other programs to read.

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- JSON is UTF-8, names of files may be anything: what isn't valid becomes U+FFFD.
local function valid(text)
   local _, bad = utf8.len(text)
   while bad do
      text = text:sub(1, bad - 1) .. "\u{FFFD}" .. text:sub(bad + 1)
      _, bad = utf8.len(text, bad)
   end
   return text
end

local function quote(text)
   return '"' .. valid(text):gsub('[%c"\\]', function(char)
      return ESCAPES[char] or ("\\u%04x"):format(char:byte())
   end) .. '"'
end

--- A record of texts and whole numbers as one line. `names` are its keys in their order; those that it
--- hasn't are left out.
return function(record, names)
   local parts = {}
   for _, name in ipairs(names) do
      local value = record[name]
      if value then parts[#parts + 1] = quote(name) .. ":" .. (math.type(value) and value or quote(value)) end
   end
   return "{" .. table.concat(parts, ",") .. "}"
end
