-- Writes what follows from tables in the program: the field stubs lua/meta/kmp_fields.lua, and the pages
-- docs/kmp-fields.md, docs/flags.md, docs/checks.md and docs/convert.md. Run it in the project's folder:
--
--    kartlua docs/make.lua            write all
--    kartlua docs/make.lua --check    write nothing; exit code 1 if one of them isn't up to date
local kart = require "kartlua"

local GAMES = { mkw = "Mario Kart Wii", mk7 = "Mario Kart 7" }
local WIDTH = 98 -- of comments in the stubs

-- What the values of the file's types can be.
local TYPES = {
   u8 = { low = 0, high = 0xFF },
   s8 = { low = -0x80, high = 0x7F },
   u16 = { low = 0, high = 0xFFFF },
   s16 = { low = -0x8000, high = 0x7FFF },
   u32 = { low = 0, high = 0xFFFFFFFF },
   float = { float = true },
   ["half float"] = { float = true },
}

-- Of the meanings that have one, as the page shows it.
local UNITS = { position = "units", ["flat position"] = "units", view = "units", rotation = "degrees",
   scale = "factors" }

-- --- the schema by section --------------------------------------------------------------------

-- Sections in the schema's order, the points of routes behind the routes:
-- { name =, layouts = { ... } }, layouts of Mario Kart Wii first, the latest first.
local function read_sections()
   local sections, by_name = {}, {}
   for _, layout in ipairs(kart.kmp.schema()) do
      local section = by_name[layout.name]
      if not section then
         section = { name = layout.name, doc = layout.doc, layouts = {} }
         by_name[layout.name] = section
         if layout.name ~= "points" then sections[#sections + 1] = section end
         if layout.name == "poti" then sections[#sections + 1] = "points" end
      end
      table.insert(section.layouts, layout)
   end
   for i, section in ipairs(sections) do sections[i] = by_name[section] or section end
   return sections
end

local function named(fields, name)
   for _, field in ipairs(fields) do
      if field.name == name then return field end
   end
end

-- "version 1831 and later", "" for all versions.
local function versions(layout)
   local low, high = layout.version_from, layout.version_to
   if high then return low == 0 and ("version %d and older"):format(high) or ("versions %d to %d"):format(low, high) end
   return low > 0 and ("version %d and later"):format(low) or ""
end

local function layout_title(layout)
   local text = versions(layout)
   return GAMES[layout.game] .. (text ~= "" and ", " .. text or "")
end


local function is_float(field) return TYPES[field.type].float end

local function is_vec(field) return field.meaning == "flat position" or is_float(field) and field.count == 3 end

-- The values that can be read, and those that may be assigned: two texts, mostly the same.
local function ranges(field)
   local natural, text = TYPES[field.type], "%d to %d"
   return text:format(math.max(field.low, natural.low), math.min(field.high, natural.high)),
      text:format(field.low, field.high)
end

local function sentence(...) return string.format(...):gsub("^%l", string.upper) .. "." end

-- --- the stubs --------------------------------------------------------------------------------

local function wrap(text, prefix)
   local lines, line = {}, ""
   for word in text:gmatch("%S+") do
      if line ~= "" and #prefix + #line + 1 + #word > WIDTH then
         lines[#lines + 1] = prefix .. line
         line = word
      else
         line = line == "" and word or line .. " " .. word
      end
   end
   lines[#lines + 1] = prefix .. line
   return lines
end

-- The class of a section's records. What stands in a list of points is a point.
local function record_class(name) return "kart.kmp." .. (name == "points" and "point" or name) end

local function lua_type(field)
   if is_vec(field) then return "kart.vec" end
   local one = field.meaning == "reference"
      and ("integer|%s%s"):format(record_class(field.target), field.none and "|nil" or "")
      or is_float(field) and "number" or "integer"
   return field.count > 1 and ("kart.values<%s>"):format(one) or one
end

local function given_type(field)
   if is_vec(field) then return "kart.xyz" end
   local one = is_float(field) and "number" or "integer"
   return field.count > 1 and one .. "[]" or one
end

-- What the values of a field are: the sentences behind its own.
local function notes(field)
   local list = {}
   local function add(...) list[#list + 1] = sentence(...) end
   local many = field.count > 1 and not is_vec(field) and field.count
   if field.meaning == "reference" then
      add("%s of `%s`, counted from 1%s", many and ("%d places for records"):format(many) or "a record", field.target,
         field.none and ("; nil for none (%d in the file)"):format(field.none) or "")
   elseif field.meaning == "count" then
      add "read-only"
   elseif field.meaning == "flat position" then
      add "its y reads 0 and may be left out"
   elseif field.meaning == "width" then
      add "grows with the course"
   elseif not is_float(field) then
      local reads, takes = ranges(field)
      local values = many and ("%d values; each "):format(many) or ""
      add(reads == takes and "%stakes %s" or "%sreads %s, takes %s", values, reads, takes)
      if field.meaning == "speed" then add "grows with the course on request" end
   end
   if field.when then add("counts only where `%s` is %d", field.when, field.when_value) end
   return table.concat(list, " ")
end

-- A field's own sentence, with the unit where the sentence doesn't say it.
local function field_doc(field)
   local unit = UNITS[field.meaning]
   return unit == "units" and field.doc:gsub("%.$", ", in units.") or field.doc
end

-- The layouts where a field is missing, and those where its values are others than in its first.
local function differences(section, field)
   local list, own = {}, notes(field)
   for _, layout in ipairs(section.layouts) do
      local other = named(layout.fields, field.name)
      if not other then
         list[#list + 1] = ("Not in files of %s."):format(layout_title(layout))
      elseif notes(other) ~= own then
         list[#list + 1] = ("%s: %s"):format(layout_title(layout), (notes(other):gsub("^%u", string.lower)))
      end
   end
   return table.concat(list, " ")
end

-- All fields of a section's layouts, each name once. Fields that only later layouts have go last.
local function all_fields(section, key)
   local list, seen = {}, {}
   for _, layout in ipairs(section.layouts) do
      for _, field in ipairs(layout[key]) do
         if not seen[field.name] then
            seen[field.name] = true
            list[#list + 1] = field
         end
      end
   end
   return list
end

local function only_in(section)
   local games = {}
   for _, layout in ipairs(section.layouts) do games[layout.game] = true end
   return not games.mkw and "mk7" or not games.mk7 and "mkw" or nil
end

local STUBS_HEAD = [[
---@meta _
-- Written by docs/make.lua from the schema: don't edit.
--
-- The fields of every record of a KMP. docs/kmp-fields.md has their places in the file.
--
-- Records count from 1, here and in messages; the wiki, most editors and the file count from 0. So a
-- reference to the first record reads 1 here, and `record:raw "respawn"` gives the file's 0. To a
-- reference you may assign a number, a record of the section it points into, or nil where there may
-- be none. To a vector you may assign a `kart.vec` or a table like `{ 0, 100, 0 }`. A number out of
-- range raises.
]]

local function stubs(sections)
   local lines = { STUBS_HEAD }
   local function add(...) lines[#lines + 1] = string.format(...) end
   local function add_text(text) table.move(wrap(text, "--- "), 1, 99, #lines + 1, lines) end

   local function add_fields(section, key)
      for _, field in ipairs(all_fields(section, key)) do
         local elsewhere = key == "fields" and differences(section, field) or ""
         add_text(("%s %s %s"):format(field_doc(field), notes(field), elsewhere))
         add("---@field %s %s", field.name, lua_type(field))
      end
   end

   for _, section in ipairs(sections) do
      local name, record = section.name, record_class(section.name)
      add_text(name == "points" and "A point of a route: `course.poti[1].points[1]`."
         or ("A record of `%s`: %s%s."):format(name, section.doc:sub(1, 1):lower(), section.doc:sub(2)))
      add("---@class %s: kart.record", record)
      add_fields(section, "fields")
      if name == "poti" then
         add "--- The points of the route, in order."
         add("---@field points %s_section", record_class "points")
         add "---@operator len: integer"
      end
      add ""
      add_text(name == "points" and "The points of a route: `course.poti[1].points`."
         or ("The section `%s`: `course.%s`."):format(name, name))
      add("---@class %s_section: kart.section", record)
      add_fields(section, "header")
      add("---@field [integer] %s", record)
      add "---@operator len: integer"
      add ""
   end

   add_text("The sections of a document. One that the file doesn't have reads nil; files of Mario Kart Wii hardly "
      .. "ever lack one, and new documents have all of their game's.")
   add "---@class kart.kmp"
   for _, section in ipairs(sections) do
      if section.name ~= "points" then
         local only = only_in(section)
         add_text(section.doc .. "." .. (only and (" %s only."):format(GAMES[only]) or ""))
         add("---@field %s %s_section%s", section.name, record_class(section.name), only == "mk7" and "?" or "")
      end
   end
   add ""

   for _, section in ipairs(sections) do
      local name, record = section.name, record_class(section.name)
      add_text(("What a new record of `%s` holds; see `%s` for the fields."):format(name, record))
      add("---@class %s_spec", record)
      for _, field in ipairs(all_fields(section, "fields")) do
         if field.meaning ~= "count" then add("---@field %s? %s", field.name, given_type(field)) end
      end
      if name == "poti" then add("---@field points? %s_spec[]", record_class "points") end
      add ""
      if name ~= "points" then
         local header = {}
         for _, field in ipairs(all_fields(section, "header")) do
            if field.meaning ~= "count" then header[#header + 1] = field end
         end
         if #header > 0 then
            add("---@class %s_specs", record)
            add("---@field [integer] %s_spec", record)
            for _, field in ipairs(header) do add("---@field %s? %s", field.name, given_type(field)) end
            add ""
            section.specs = record .. "_specs"
         end
      end
   end
   add_text "One list of records for each section, for `kart.kmp.new`."
   add "---@class kart.kmp.spec"
   for _, section in ipairs(sections) do
      if section.name ~= "points" then
         add("---@field %s? %s", section.name, section.specs or record_class(section.name) .. "_spec[]")
      end
   end
   return (table.concat(lines, "\n") .. "\n"):gsub(" +\n", "\n")
end

-- --- the page ---------------------------------------------------------------------------------

local PAGE_HEAD = [[
# The fields of a KMP

<!-- Written by docs/make.lua from the schema: don't edit. -->

Every section, every version, every field. [The format](kmp.md) tells how a file is laid out and what
to look after; the same fields with their Lua types are in `lua/meta/kmp_fields.lua`, for editors.

- **Offset** counts from the start of the record, for header fields from the start of the section.
- **Numbers count from 1** in kartlua: a reference that reads 1 in Lua is 0 in the file and in most
  editors. `record:raw "name"` gives the file's number.
- **Type** is the file's: u8, s8, u16, s16, u32 are whole numbers, s for signed; a float has 4 bytes; a
  half float is the upper half of one. Mario Kart Wii stores the high byte first, Mario Kart 7 the low
  one.
- **Meaning** says how a field behaves:

| meaning | in Lua | under a mirror, a turn, a scale, a move |
|---|---|---|
| plain | a number | stays, unless [the format page](kmp.md) says otherwise |
| position | a vector | goes along |
| flat position | a vector whose y is 0 | goes along; a mirror exchanges left and right |
| view | a vector | goes along, or stays in the kart's frame, by the camera's type |
| rotation | a vector of degrees (Mario Kart 7: radians in the file) | turns along |
| scale | a vector of factors | areas grow with the course, objects on request |
| width | a number | grows with the course |
| speed | a whole number | grows on request |
| reference | a number from 1, or nil | stays, as records keep their order |
| count | a number, read-only | stays |
| padding, bytes | numbers | stay as they are |

]]

local function hex(number) return ("0x%02X"):format(number) end

local function cell(text) return (text:gsub("|", "\\|")) end

local function page_range(field)
   local parts = {}
   if field.meaning == "reference" then
      parts[1] = ("record of %s"):format(field.target)
      if field.none then parts[2] = ("none: %s"):format(field.none < 0 and field.none or hex(field.none)) end
   elseif UNITS[field.meaning] then
      parts[1] = UNITS[field.meaning]
   elseif field.meaning == "count" then
      parts[1] = "read-only"
   elseif not is_float(field) then
      local reads, takes = ranges(field)
      parts[1] = reads == takes and reads or ("reads %s, takes %s"):format(reads, takes)
   end
   if field.when then parts[#parts + 1] = ("where %s is %d"):format(field.when, field.when_value) end
   return table.concat(parts, "; ")
end

local function field_rows(fields)
   local rows = { "| offset | type | name | meaning | range or unit | what it is |", "|---|---|---|---|---|---|" }
   for _, field in ipairs(fields) do
      local kind = field.type .. (field.count > 1 and ("[%d]"):format(field.count) or "")
      rows[#rows + 1] = ("| %s | %s | `%s` | %s | %s | %s |"):format(hex(field.offset), kind, field.name,
         field.meaning, cell(page_range(field)), cell(field.doc))
   end
   return table.concat(rows, "\n")
end

local function layout_text(layout)
   local parts = {}
   if layout.record_size == 0 then
      parts[1] = "Records of a layout that isn't known, as long as the file spaces them: they are kept."
   else
      parts[1] = field_rows(layout.fields)
   end
   if #layout.header > 0 then parts[#parts + 1] = "In the section's header:\n\n" .. field_rows(layout.header) end
   return table.concat(parts, "\n\n")
end

local function size_text(layout)
   local what = layout.name == "points" and "point" or "record"
   if layout.record_size == 0 then return "" end
   local text = ("%d bytes (%s) a %s"):format(layout.record_size, hex(layout.record_size), what)
   return layout.header_size == 4 and text .. ", one, right behind the magic" or text
end

local function page(sections)
   local lines = { PAGE_HEAD }
   local function add(...) lines[#lines + 1] = string.format(...) end
   for _, section in ipairs(sections) do
      add("## %s: %s\n", section.name, section.doc)
      if section.name == "points" then
         add "They stand behind their route's record, and have no section of their own: `course.poti[1].points`.\n"
      end
      local seen = {}
      for _, layout in ipairs(section.layouts) do
         local facts = { layout_title(layout) }
         if layout.magic ~= "" then facts[#facts + 1] = ("magic `%s`"):format(layout.magic) end
         if size_text(layout) ~= "" then facts[#facts + 1] = size_text(layout) end
         local text = layout_text(layout)
         if seen[text] then
            add("**%s**: the same fields as %s.\n", table.concat(facts, "; "), seen[text])
         else
            add("**%s**\n\n%s\n", table.concat(facts, "; "), text)
            seen[text] = layout_title(layout)
         end
      end
   end
   return table.concat(lines, "\n"):gsub("\n+$", "\n")
end

-- --- writing ----------------------------------------------------------------------------------

if arg[1] and arg[1] ~= "--check" then
   io.stderr:write "usage: kartlua docs/make.lua [--check]\n"
   os.exit(2, true)
end
local sections = read_sections()
local here = arg[0]:match "^(.*)/[^/]*$" or "."
local kcl_pages = dofile(here .. "/make_kcl.lua")
local outputs = {
   { "lua/meta/kmp_fields.lua", stubs(sections) },
   { "docs/kmp-fields.md", page(sections) },
   { "docs/flags.md", kcl_pages.flags() },
   { "docs/checks.md", kcl_pages.checks() },
   { "docs/convert.md", dofile(here .. "/make_convert.lua")() },
}

local stale = false
for _, output in ipairs(outputs) do
   local path, text = output[1], output[2]
   if arg[1] == "--check" then
      if kart.file.read(path) ~= text then
         io.stderr:write(path, ": not up to date, run kartlua docs/make.lua\n")
         stale = true
      end
   else
      assert(kart.file.write(path, text))
      print(path)
   end
end
if stale then os.exit(1, true) end
