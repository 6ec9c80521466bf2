local columns = require "kartlua.columns"

describe("columns", function()
   it("are as wide as their widest cell, left or right", function()
      assert.same({ "a      10  x", "bcdef   1  yz" }, columns({ { "a", 10, "x" }, { "bcdef", 1, "yz" } }, "lrl"))
   end)

   it("leave missing cells empty, and no blanks at the end", function()
      assert.same({ "a", "b  1" }, columns({ { "a", false }, { "b", 1 } }, "ll"))
   end)

   it("count characters, not bytes", function()
      assert.same({ "ä  1", "b  2" }, columns({ { "ä", 1 }, { "b", 2 } }, "ll"))
      assert.same({ "\xFF  1" }, columns({ { "\xFF", 1 } }, "ll"))
   end)

   it("may have no rows", function() assert.same({}, columns({}, "lr")) end)
end)
