-- Conversion of real files: to another game and back, with every triangle and its area accounted for.
local support = require "spec.support"
local tools = require "spec.convert.tools"

-- Of other tools: one is larger than the arcade game's grid counts at the usual cells.
local CELLS = { ["race_orange_beta_broken.kcl"] = 1000 }

local function name_of(path) return path:match "[^/]+$" end

describe("Mario Kart Wii to the arcade games and back:", function()
   for _, path in ipairs(support.corpus("kcl-mkw", "kcl")) do
      local name = name_of(path)
      it(name, function()
         local course <close> = assert(kart.open(path))
         local arcade <close>, there = assert(kart.convert(course, "mkagp", { build = { cell = CELLS[name] } }))
         tools.account(course, arcade, there)
         local stats = arcade:stats()
         assert.same({ 0, 0, stats.open_edges }, { stats.down, stats.degenerate, stats.walls })
         local bytes = arcade:bytes()
         assert.is_true(assert(kart.agp.parse(bytes)):rebuild{ walls = "compute" }:bytes() == bytes)
         for _, finding in ipairs(assert(arcade:check())) do
            assert.are_not.equal("error", finding.severity, tostring(finding))
         end

         local back <close>, again = assert(kart.convert(arcade, "mkw"))
         tools.account(arcade, back, again)
         assert.same({ 0, 0, 0 }, { again.left_out.triangles, again.turned.triangles, again.source.unsound })
         -- The floors of the course are there again, as large as they were.
         local kept = there.kept.area
         assert.is_true(math.abs(again.result.area - kept) <= 1e-3 * kept + again.build.dropped_area)
         local proof = assert(back:prove())
         assert.same({ 0, 0 }, { proof.missing, proof.outside })
      end)
   end
end)

describe("Mario Kart 8 to Mario Kart Wii:", function()
   for _, path in ipairs(support.corpus("kcl-v2-multi", "kcl")) do
      it(name_of(path), function()
         local course <close> = assert(kart.open(path))
         local made <close>, report = assert(kart.convert(course, "mkw"))
         tools.account(course, made, report)
         assert.is_true(report.source.copies > 0 and #course.models > 1)
         assert.same({ 0, 0, 1 }, { report.left_out.triangles, report.build.dropped, report.result.models })
         local again = assert(kart.kcl.parse(made:bytes(), "mkw"))
         local proof = assert(again:prove())
         assert.same({ 0, 0 }, { proof.missing, proof.outside })
      end)
   end
end)
