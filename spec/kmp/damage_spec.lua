local lfs = require "lfs"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

-- Of each damaged sample: the section, the byte, what is wrong there, what was expected and found.
local DAMAGE = {
   empty = { "header", 0x0, "not a KMP file", "magic RKMD or DMDC", "0 bytes in all" },
   magic_cut = { "header", 0x0, "not a KMP file", "magic RKMD or DMDC", "3 bytes in all" },
   magic_only = { "header", 0x4, "file too short", "a header of at least 12 bytes", "4" },
   bad_magic = { "header", 0x0, "not a KMP file", "magic RKMD or DMDC", "bytes 52 4B 4D 58" },
   text = { "header", 0x0, "not a KMP file", "magic RKMD or DMDC", "bytes 23 20 61 20" },
   header_cut = { "header", 0xA, "file too short", "a header of at least 12 bytes", "10" },
   header_cut_in_offsets = { "header", 0xA, "header length", "at most the file's 48 bytes", "76" },
   header_length_beyond_file = { "header", 0xA, "header length", "at most the file's %d+ bytes", "65520" },
   header_length_too_small = { "header", 0xA, "header length", "76 for 15 sections", "32" },
   header_length_half_a_version = { "header", 0xA, "header length", "76 for 15 sections", "74" },
   section_count_too_large = { "header", 0xA, "header length", "1040 for 256 sections", "76" },
   other_byte_order = { "header", 0xA, "header length", "at most the file's %d+ bytes", "19456" },
   offset_outside = { "header", 0x28, "section offset points outside the file", "at most 0x%x+", "0x100000" },
   offset_negative = { "header", 0x10, "section offset points outside the file", "at most 0x%x+", "0xFFFFFFF0" },
   offset_at_end = { "header", 0x48, "section offset points outside the file", "at most 0x%x+", "0x%x+" },
   offset_into_last_section = { "STGI", nil, "entry count", "at most 0 .*", "1" },
   file_cut_in_ckpt = { "CKPT", nil, "entry count", "at most 4 .*", "%d+" },
   section_header_cut = { "STGI", nil, "section too short", "a header of 8 bytes", "6" },
   count_too_large = { "JGPT", nil, "entry count", "at most %d+ .*", "4096" },
   count_one_too_many = { "GOBJ", nil, "entry count", "at most %d+ .*", "%d+" },
   route_past_section = { "POTI", nil, "routes pass the end .*", "524276 more bytes for route 1 of 9", "%d+" },
   route_count_too_large = { "POTI", nil, "routes pass the end .*", "4 more bytes for route 10 of 64", "0" },
   ktpt_bare_cut = { "KTPT", nil, "section too short", "one record of 24 bytes.*", "12 bytes" },
   mk7_count_too_large = { "GOBJ", nil, "entry count", "at most 1 .*", "2" },
}

-- The bytes of each damaged sample.
local SAMPLES = {}
for _, sample in ipairs(require "samples.broken") do
   SAMPLES[#SAMPLES + 1] = { name = sample.name, bytes = sample.make() }
end

local function check_message(name, message)
   local section, offset, what, expected, found = table.unpack(DAMAGE[name], 1, 5)
   assert.is_nil(message:find("\n", 1, true), "more than one line")
   local place, hex, found_what, found_expected, found_found =
      message:match "^(%w+) at 0x(%x+): (.-): expected (.-), found (.*)$"
   assert.truthy(place, message)
   assert.equal(section, place)
   if offset then assert.equal(offset, tonumber(hex, 16)) end
   assert.matches("^" .. what .. "$", found_what)
   assert.matches("^" .. expected .. "$", found_expected)
   assert.matches("^" .. found .. "$", found_found)
end

it("every damaged sample has a case here", function()
   local names = {}
   for _, sample in ipairs(SAMPLES) do names[sample.name] = true end
   for name in pairs(DAMAGE) do assert.is_true(names[name], name) end
   for _, sample in ipairs(SAMPLES) do assert.is_table(DAMAGE[sample.name], sample.name) end
end)

describe("parsing tells section, byte, expected and found in one line:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local doc, message, code = kart.kmp.parse(sample.bytes)
         assert.is_nil(doc)
         assert.equal("format", code)
         check_message(sample.name, message)
      end)
   end
end)

describe("opening puts the path before it:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local path = support.tmp() .. "/" .. sample.name .. ".kmp"
         support.write(path, sample.bytes)
         local doc, message, code = kart.open(path)
         assert.is_nil(doc)
         assert.equal("format", code)
         assert.equal(path .. ": ", message:sub(1, #path + 2))
         assert.is_nil(message:find("\n", 1, true))
         assert.matches("^%w+ at 0x%x+: .+: expected .+, found .+$", message:sub(#path + 3))
      end)
   end
end)

local function names_in(folder)
   local names = {}
   for name in lfs.dir(folder) do
      if name ~= "." and name ~= ".." then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

local function lines_of(text)
   local lines = {}
   for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
   return lines
end

describe("the mirror recipe fails with one line and writes nothing:", function()
   for _, sample in ipairs(SAMPLES) do
      it(sample.name, function()
         local folder = support.tmp()
         local path = folder .. "/course.kmp"
         support.write(path, sample.bytes)
         local code, out, err = support.run("scripts/mirror.lua", path)
         assert.equal(1, code)
         assert.equal("", out)
         assert.equal(1, #lines_of(err), err)
         assert.equal(path .. ": ", err:sub(1, #path + 2))
         assert.matches("expected .+, found .+\n$", err)
         assert.same({ "course.kmp" }, names_in(folder))
         assert.is_true(support.read(path) == sample.bytes)
      end)
   end

   it("in place, too", function()
      local folder = support.tmp()
      support.write(folder .. "/course.kmp", SAMPLES[4].bytes)
      local code = support.run("scripts/mirror.lua", "--in-place", folder .. "/course.kmp")
      assert.equal(1, code)
      assert.same({ "course.kmp" }, names_in(folder))
   end)

   it("but does the files before and behind a damaged one", function()
      local folder = support.tmp()
      support.write(folder .. "/a.kmp", tools.bytes "version_2510")
      support.write(folder .. "/b.kmp", SAMPLES[4].bytes)
      support.write(folder .. "/c.kmp", tools.bytes "version_2510")
      local code, _, err = support.run("scripts/mirror.lua", folder .. "/a.kmp", folder .. "/b.kmp", folder .. "/c.kmp")
      assert.equal(1, code)
      assert.equal(1, #lines_of(err), err)
      assert.same({ "a.kmp", "a.mirror.kmp", "b.kmp", "c.kmp", "c.mirror.kmp" }, names_in(folder))
   end)
end)

describe("an output that can't be written", function()
   local function run_mirror(...)
      local folder = support.tmp()
      support.write(folder .. "/course.kmp", tools.bytes "version_2510")
      local code, out, err = support.run("scripts/mirror.lua", folder .. "/course.kmp", ...)
      assert.equal(1, code)
      assert.equal("", out)
      assert.equal(1, #lines_of(err), err)
      return folder, err
   end

   it("for want of its folder", function()
      local folder, err = run_mirror("-o", support.tmp() .. "/none/out.kmp")
      assert.matches("none/out.kmp: cannot write: No such file or directory\n$", err)
      assert.same({ "course.kmp" }, names_in(folder))
   end)

   it("for standing under a file", function()
      local folder = support.tmp()
      support.write(folder .. "/file", "")
      local _, err = run_mirror("-o", folder .. "/file/out.kmp")
      assert.matches("out.kmp: cannot write: ", err)
      assert.same({ "file" }, names_in(folder))
   end)

   it("for being no file", function()
      local _, err = run_mirror("-o", "/dev/full")
      assert.matches("^/dev/full: cannot write: it is not a regular file\n$", err)
   end)
end)

-- Damage at every place ---------------------------------------------------------------------------

-- What opens must come out as it went in, and open again; what doesn't must say why.
local function opens(bytes)
   local doc <close>, message, code = kart.kmp.parse(bytes)
   if doc then
      assert(doc:bytes() == bytes, "what opened came out otherwise")
      return true
   end
   assert(code == "format" or code == "limit", code)
   assert(not message:find("\n", 1, true) and #message > 10, message)
   return false
end

for _, name in ipairs{ "version_2510", "version_1600", "mk7", "section_wim0" } do
   it(("every truncation of %s opens as it is or says why not"):format(name), function()
      local bytes, opened = tools.bytes(name), 0
      for length = 0, #bytes - 1 do
         if opens(bytes:sub(1, length)) then opened = opened + 1 end
      end
      assert(opened < #bytes / 2, opened .. " opened")
   end)

   it(("every byte of %s set to 00, 7F, 80, FF opens as it is or says why not"):format(name), function()
      local bytes, opened, tried = tools.bytes(name), 0, 0
      for at = 1, #bytes do
         for _, byte in ipairs{ "\x00", "\x7F", "\x80", "\xFF" } do
            tried = tried + 1
            if opens(bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1)) then opened = opened + 1 end
         end
      end
      -- Most bytes are coordinates and settings: whatever they hold, the file is one.
      assert(opened > 0.8 * tried, ("%d of %d opened"):format(opened, tried))
   end)
end

it("damaged files that open can be transformed and driven", function()
   local bytes, random = tools.bytes "race", tools.random(99)
   for _ = 1, 500 do
      local at = 1 + math.floor(random() * #bytes)
      local byte = string.char(math.floor(256 * random()))
      local doc <close> = kart.kmp.parse(bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1))
      if doc then
         doc:mirror "z"
         doc:rotate("y", 30)
         doc:scale(1.5, { scale_speeds = true, scale_objects = true })
         doc:simulate_laps{ laps = 1 }
         assert(kart.kmp.parse(doc:bytes()))
      end
   end
end)
