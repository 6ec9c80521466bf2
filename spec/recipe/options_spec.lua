local options = require "kartlua.options"

local LIST = {
   { name = "at", type = "number", help = "", default = 0 },
   { name = "by", type = "vec", help = "" },
   { name = "axis", type = "axis", help = "" },
   { name = "factor", type = "factor", help = "" },
   { name = "side", type = "choice", choices = { "left", "right" }, help = "" },
   { name = "laps", type = "integer", min = 1, max = 9, help = "" },
   { name = "jobs", short = "j", type = "integer", help = "" },
   { name = "scale_speeds", type = "flag", help = "" },
   { name = "output", short = "o", type = "file", help = "" },
   { name = "note", type = "text", help = "" },
   { name = "angle", type = "angle", help = "" },
   { name = "set", type = "number", multiple = true, help = "" },
}

local function parse(...) return options.parse(LIST, { ... }) end
local function value(name, ...) return assert(parse(...)).values[name] end
local function problem(...)
   local parsed, message = parse(...)
   assert.is_nil(parsed)
   return message
end

describe("options", function()
   it("take their value from the next word or behind =", function()
      assert.equal(12, value("at", "--at", "12"))
      assert.equal(12.5, value("at", "--at=12.5"))
      assert.equal("a b", value("output", "--output", "a b"))
      assert.equal("a=b", value("output", "--output=a=b"))
   end)

   it("take negative numbers as values", function()
      assert.equal(-100, value("at", "--at", "-100"))
      assert.equal(-0.5, value("at", "--at", "-.5"))
      assert.equal(kart.vec(-1, 0, 0), value("by", "--by", "-1,0,0"))
      assert.equal(kart.vec(-1, 0, 0), value("by", "--by=-1,0,0"))
   end)

   it("have short words, with the value attached or not", function()
      assert.equal(4, value("jobs", "-j4"))
      assert.equal(4, value("jobs", "-j", "4"))
      assert.equal("out/", value("output", "-oout/"))
      assert.equal("out/", value("output", "-o=out/"))
   end)

   it("are written with dashes and read with underscores", function()
      assert.is_true(value("scale_speeds", "--scale-speeds"))
      assert.is_nil(value("scale_speeds"))
   end)

   it("fall back to their default", function() assert.equal(0, value("at")) end)
   it("count when given last", function() assert.equal(2, value("at", "--at", "1", "--at", "2")) end)

   it("may stand between the files, until --", function()
      assert.same({ "a", "b", "-" }, parse("a", "--at", "1", "b", "-").files)
      assert.same({ "--at", "-x" }, parse("--", "--at", "-x").files)
   end)

   it("hand on what was given, word by word", function()
      local given = parse("-j2", "a", "--at", "-1").given
      assert.same({ LIST[7], "-j2" }, given[1])
      assert.same({ LIST[1], "--at", "-1" }, given[2])
   end)

   describe("of type", function()
      it("vec is three numbers", function()
         assert.equal(kart.vec(1, -2.5, 0), value("by", "--by", "1,-2.5,0"))
         for _, text in ipairs{ "1,2", "1,2,3,4", "1;2;3", "a,b,c", "1,,2", "" } do
            assert.matches("^%-%-by: expected three numbers", problem("--by=" .. text))
         end
      end)

      it("axis is a letter or a direction", function()
         assert.equal("y", value("axis", "--axis", "y"))
         assert.equal(kart.vec(0, 1, 1), value("axis", "--axis", "0,1,1"))
         assert.matches("expected x, y, z or a direction", problem("--axis", "w"))
         assert.matches("expected x, y, z or a direction", problem("--axis", "0,0,0"))
      end)

      it("factor is one number or three, above 0", function()
         assert.equal(2, value("factor", "--factor", "2"))
         assert.equal(kart.vec(1, 2, 1), value("factor", "--factor", "1,2,1"))
         for _, text in ipairs{ "0", "-1", "1,0,1", "1,-1,1", "1,1", "x" } do
            assert.matches("expected a factor above 0", problem("--factor", text))
         end
      end)

      it("integer is whole and in its range", function()
         assert.equal("integer", math.type(value("laps", "--laps", "3")))
         assert.equal("integer", math.type(value("laps", "--laps", "3.0")))
         assert.matches("a whole number from 1 to 9, found \"0\"", problem("--laps", "0"))
         assert.matches("found \"2.5\"", problem("--laps", "2.5"))
      end)

      it("number is finite", function()
         for _, text in ipairs{ "1e999", "nan", "inf", "ten", "" } do
            assert.matches("^%-%-at: expected a number", problem("--at=" .. text))
         end
      end)

      it("choice is one of its words", function()
         assert.equal("left", value("side", "--side", "left"))
         assert.equal("--side: expected one of left, right, found \"up\"", problem("--side", "up"))
      end)

      it("flag takes no value", function()
         assert.equal("--scale-speeds takes no value", problem("--scale-speeds=1"))
      end)
   end)

   it("that may be given several times make a list", function()
      assert.same({ 3, -1, 3 }, value("set", "--set", "3", "--set=-1", "a", "--set", "3"))
      assert.same({}, value "set")
      assert.equal("--set: expected a number, found \"x\"", problem("--set", "1", "--set", "x"))
      local given = parse("--set", "3", "--set=-1").given
      assert.same({ { LIST[12], "--set", "3" }, { LIST[12], "--set=-1" } }, given)
      local list = { { name = "set", type = "number", multiple = true, required = true, help = "" } }
      assert.equal("--set is missing: it needs a number", select(2, options.parse(list, {})))
   end)

   it("that need a value say which", function()
      assert.equal("--at needs a number", problem("--at"))
      assert.equal("--at needs a number", problem("--at", "--scale-speeds"))
      assert.equal("-o needs a path", problem("-o"))
   end)

   it("that don't exist are reported, with what may have been meant", function()
      assert.equal("unknown option --scale-speed (did you mean --scale-speeds?)", problem("--scale-speed"))
      assert.equal("unknown option --ot (did you mean --at?)", problem("--ot", "1"))
      assert.equal("unknown option --quite-another", problem("--quite-another"))
      assert.equal("unknown option -x", problem("-x"))
   end)

   it("may be required", function()
      local list = { { name = "by", type = "vec", required = true, help = "" },
         { name = "help", type = "flag", help = "" } }
      local parsed, message = options.parse(list, {})
      assert.is_nil(parsed)
      assert.equal("--by is missing: it needs three numbers like 1,-2.5,0", message)
      assert.is_true(options.parse(list, { "--help" }).values.help)
   end)
end)
