local nearest = require "kartlua.nearest"

describe("nearest", function()
   local WORDS = { "mirror", "rotate", "scale", "translate", "info" }

   it("finds a word with a slip in it", function()
      assert.equal("mirror", nearest("miror", WORDS))
      assert.equal("mirror", nearest("mirrorr", WORDS))
      assert.equal("rotate", nearest("ortate", WORDS))
      assert.equal("info", nearest("imfo", WORDS))
   end)

   it("finds a word by its start", function() assert.equal("translate", nearest("trans", WORDS)) end)
   it("finds nothing for another word", function() assert.is_nil(nearest("checkpoint", WORDS)) end)
   it("finds nothing among nothing", function() assert.is_nil(nearest("mirror", {})) end)
end)
