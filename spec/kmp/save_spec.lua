local kmpfile = require "samples.kmpfile"
local lfs = require "lfs"
local support = require "spec.support"
local tools = require "spec.kmp.tools"

local document = tools.document

describe("kart.open", function()
   it("gives nil, the path with a message, and io where a file can't be read", function()
      local folder = support.tmp()
      for path, reason in pairs{ [folder .. "/none.kmp"] = "No such file", [folder] = "it is a folder",
         [folder .. "/a/b"] = "No such file" } do
         local doc, message, code = kart.open(path)
         assert.is_nil(doc)
         assert.equal("io", code)
         assert.equal(path .. ": cannot open: ", message:sub(1, #path + 15))
         assert.matches(reason, message)
      end
   end)

   it("gives nil, a message and format for other files", function()
      local path = support.tmp() .. "/a.txt"
      support.write(path, "some text")
      local doc, message, code = kart.open(path)
      assert.is_nil(doc)
      assert.equal("format", code)
      assert.equal(path, message:sub(1, #path))
   end)

   it("raises for wrong use", function()
      assert.error(function() kart.open() end)
      assert.error(function() kart.open{} end)
   end)
end)

describe("kart.kmp.parse", function()
   it("gives nil, a message without a path, and format", function()
      local doc, message, code = kart.kmp.parse "nothing"
      assert.is_nil(doc)
      assert.equal("format", code)
      assert.matches("^header at 0x0: ", message)
   end)

   it("says limit for more sections than a file can reasonably have", function()
      local slots = {}
      for i = 1, 1025 do slots[i] = 1 end
      local bytes = kmpfile.join{ magic = "RKMD", order = ">", version = 2520, slots = slots,
         sections = { { data = "ABCDxxxx" } } }
      local doc, message, code = kart.kmp.parse(bytes)
      assert.is_nil(doc)
      assert.equal("limit", code)
      assert.matches("1025 sections, the limit is 1024", message)
   end)
end)

local function names_in(folder)
   local names = {}
   for name in lfs.dir(folder) do
      if name ~= "." and name ~= ".." then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

for _, way in ipairs{
   { "kart.file.write", function(path) return kart.file.write(path, document():bytes()) end },
   { "doc:save", function(path) return document():save(path) end },
} do
   local title, save = table.unpack(way)
   describe(title, function()
      it("writes a file and gives true", function()
         local folder = support.tmp()
         assert.is_true(save(folder .. "/a.kmp"))
         assert.is_true(support.read(folder .. "/a.kmp") == document():bytes())
         assert.same({ "a.kmp" }, names_in(folder))
      end)

      it("writes over a file, and leaves nothing else behind", function()
         local folder = support.tmp()
         support.write(folder .. "/a.kmp", ("old"):rep(1000))
         assert.is_true(save(folder .. "/a.kmp"))
         assert.is_true(support.read(folder .. "/a.kmp") == document():bytes())
         assert.same({ "a.kmp" }, names_in(folder))
      end)

      it("keeps the permissions of the file that it writes over", function()
         local path = support.tmp() .. "/a.kmp"
         support.write(path, "old")
         for _, permissions in ipairs{ "rw-------", "rw-r--r--", "rwxr-x--x" } do
            local mode = { 0, 0, 0 }
            for i = 1, 9 do
               if permissions:sub(i, i) ~= "-" then mode[(i + 2) // 3] = mode[(i + 2) // 3] + (4 >> (i - 1) % 3) end
            end
            os.execute(("chmod %s '%s'"):format(table.concat(mode), path))
            assert.is_true(save(path))
            assert.equal(permissions, lfs.attributes(path, "permissions"))
         end
      end)

      it("follows symbolic links, dangling ones too", function()
         local folder = support.tmp()
         assert(lfs.mkdir(folder .. "/real"))
         support.write(folder .. "/real/a.kmp", "old")
         assert(lfs.link("real/a.kmp", folder .. "/link", true))
         assert(lfs.link("link", folder .. "/link2", true))
         assert(lfs.link("real/new.kmp", folder .. "/dangling", true))
         assert.is_true(save(folder .. "/link2"))
         assert.equal("link", lfs.symlinkattributes(folder .. "/link2", "mode"))
         assert.equal("link", lfs.symlinkattributes(folder .. "/link", "mode"))
         assert.is_true(support.read(folder .. "/real/a.kmp") == document():bytes())
         assert.is_true(save(folder .. "/dangling"))
         assert.same({ "a.kmp", "new.kmp" }, names_in(folder .. "/real"))
      end)

      it("gives nil, the path with a message, and io where it can't write", function()
         local folder = support.tmp()
         local paths = { folder, folder .. "/none/a.kmp", "/dev/null" }
         -- A folder where nobody may make a file, not even the superuser.
         if lfs.attributes("/proc/self", "mode") == "directory" then paths[4] = "/proc/a.kmp" end
         for _, path in ipairs(paths) do
            local done, message, code = save(path)
            assert.is_nil(done)
            assert.equal("io", code)
            assert.equal(path .. ": cannot write", message:sub(1, #path + 14))
         end
         assert.same({}, names_in(folder))
      end)

      it("gives up on links that lead in a circle", function()
         local folder = support.tmp()
         assert(lfs.link("b", folder .. "/a", true))
         assert(lfs.link("a", folder .. "/b", true))
         local done, _, code = save(folder .. "/a")
         assert.is_nil(done)
         assert.equal("io", code)
      end)

      it("leaves an old file alone in a folder that can't be written to", function()
         local folder = support.tmp()
         support.write(folder .. "/a.kmp", "old")
         os.execute(("chmod a-w '%s'"):format(folder))
         -- The superuser may write everywhere.
         local probe = io.open(folder .. "/probe", "w")
         if probe then
            probe:close()
            return support.skip "this user may write to folders without permission"
         end
         local done, message, code = save(folder .. "/a.kmp")
         assert.is_nil(done)
         assert.equal("io", code)
         assert.matches("cannot write", message)
         assert.equal("old", support.read(folder .. "/a.kmp"))
      end)

      it("leaves a write-protected file alone", function()
         local path = support.tmp() .. "/a.kmp"
         support.write(path, "old")
         os.execute(("chmod 444 '%s'"):format(path))
         local probe = io.open(path, "r+")
         if probe then
            probe:close()
            return support.skip "this user may write to write-protected files"
         end
         local done, _, code = save(path)
         assert.is_nil(done)
         assert.equal("io", code)
         assert.equal("old", support.read(path))
      end)
   end)
end

describe("kart.file.write with new = true", function()
   it("writes a new file, never over an old one", function()
      local folder = support.tmp()
      assert.is_true(kart.file.write(folder .. "/a", "new", { new = true }))
      local done, message, code = kart.file.write(folder .. "/a", "other", { new = true })
      assert.is_nil(done)
      assert.equal("io", code)
      assert.matches("the file exists", message)
      assert.equal("new", support.read(folder .. "/a"))
      assert.same({ "a" }, names_in(folder))
   end)

   it("checks its arguments", function()
      assert.error(function() kart.file.write(support.tmp() .. "/a") end)
      assert.error_matches(function() kart.file.write("a", "b", { old = true }) end, "unknown option 'old'")
      assert.error_matches(function() kart.file.write("a", "b", { new = 1 }) end, "option 'new'")
   end)
end)

it("kart.file.read gives all bytes, zeros too", function()
   local path = support.tmp() .. "/a"
   support.write(path, "a\0b\r\n")
   assert.equal("a\0b\r\n", kart.file.read(path))
   support.write(path, "")
   assert.equal("", kart.file.read(path))
   local data, _, code = kart.file.read(path .. "none")
   assert.is_nil(data)
   assert.equal("io", code)
end)
