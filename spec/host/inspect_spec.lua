local inspect = require "kartlua.inspect"

describe("inspect", function()
   it("quotes strings", function() assert.equal([["a\n\"b\""]], inspect('a\n"b"')) end)

   it("shows numbers as the shortest text that reads back", function()
      assert.equal("0.1", inspect(0.1))
      assert.equal("1.0", inspect(1.0))
      assert.equal("1", inspect(1))
      assert.equal("-0.0", inspect(-0.0))
      assert.equal("1e+300", inspect(1e300))
      assert.equal(1 / 3, tonumber(inspect(1 / 3)))
      assert.equal("inf", inspect(math.huge))
      assert.equal(tostring(math.mininteger), inspect(math.mininteger))
   end)

   it("sorts keys, behind the array part", function()
      assert.equal([[{ 3, 1, a = 1, b = 2, ["c d"] = 3 }]], inspect{ 3, 1, b = 2, a = 1, ["c d"] = 3 })
      assert.equal("{ [true] = 3, [-1] = 1, [2.5] = 2 }", inspect{ [2.5] = 2, [-1] = 1, [true] = 3 })
   end)

   it("breaks what doesn't fit in a line", function()
      local long = ("x"):rep(50)
      assert.equal(('{\n  "%s",\n  { "%s" }\n}'):format(long, long), inspect{ long, { long } })
   end)

   it("marks cycles, and shows what stands twice twice", function()
      local one = {}
      one.self = one
      assert.equal("{ self = <cycle> }", inspect(one))
      local shared = { 1 }
      assert.equal("{ { 1 }, { 1 } }", inspect{ shared, shared })
   end)

   it("cuts long tables", function()
      local long = {}
      for i = 1, 1000 do long[i] = i end
      assert.matches("200,\n  %.%.%. 800 more\n}$", inspect(long))
   end)

   it("asks __tostring and no other metamethod", function()
      assert.equal("shown", inspect(setmetatable({}, { __tostring = function() return "shown" end })))
      local trap = setmetatable({ 1 }, { __index = error, __len = error, __pairs = error })
      assert.equal("{ 1 }", inspect(trap))
      assert.equal("(1, 2, 3)", inspect(kart.vec(1, 2, 3)))
   end)
end)
