-- Drives a course along its enemy route and counts the laps exactly as the game does.
--
--    kartlua laps course.kmp
--    kartlua laps --laps 1 --all course.kmp          every checkpoint, too
--
-- Output:
--    course.kmp
--      lap     0  ckpt[1]   lap 1  key 0  0.011  at 1581, 3978, -31099
--      key   435  ckpt[11]  lap 1  key 1  0.159  at -24350, 6234, -16449
--      key   872  ckpt[19]  lap 1  key 2  0.286  at -11250, 7421, 10834
--      lap  1696  ckpt[1]   lap 2  key 0  0.000  at 3857, 4101, -30677
--      laps: 1 of 1, jumps: 0, lost: 0, units driven: 168059
--
-- The columns: what happened, after how many steps, the current checkpoint, the lap and the highest
-- key checkpoint by then, how much of the lap is done, and where. `jump` is a leap of the completion
-- that the game shows as a wrong position, `lost` a place outside all checkpoints. The first crossing
-- of the line begins lap 1. The exit code is 1 when the laps can't be completed.

local columns = require "kartlua.columns"
local recipe = require "kartlua.recipe"

local SHOWN = 40 -- events, unless all are asked for: a broken course can have thousands

local function row(event)
   local place = event.position
   return { event.kind:gsub("_", " "), event.step, ("ckpt[%d]"):format(event.checkpoint), ("lap %d"):format(event.lap),
      ("key %d"):format(event.key), ("%.3f"):format(event.completion),
      ("at %.0f, %.0f, %.0f"):format(place.x, place.y, place.z),
      event.kind == "jump" and ("by %+.3f"):format(event.change) }
end

return recipe{
   summary = "Drives a course along its enemy route and counts the laps as the game does.",
   saves = false,
   options = {
      { name = "laps", type = "integer", min = 1, max = 1000, default = 3, help = "laps to drive" },
      { name = "step", type = "number", min = 1, default = 100, help = "units driven at a time" },
      { name = "all", type = "flag", help = "list every event, not only keys, laps and what is odd" },
   },
   example = "kartlua laps --laps 1 --all course.kmp",
   run = function(course, options, job)
      local drive, problem = course:simulate_laps{ laps = options.laps, step = options.step }
      if not drive then return nil, problem end
      local rows, hidden = {}, 0
      for _, event in ipairs(drive.events) do
         if options.all or event.kind ~= "checkpoint" then
            if options.all or #rows < SHOWN then rows[#rows + 1] = row(event) else hidden = hidden + 1 end
         end
      end
      print(job.input)
      for _, line in ipairs(columns(rows, "lrllrrll")) do print("  " .. line) end
      if hidden > 0 then print(("  ... %d more, --all shows them"):format(hidden)) end
      print(("  laps: %d of %d, jumps: %d, lost: %d, units driven: %.0f\n"):format(drive.laps, options.laps,
         drive.jumps, drive.lost, drive.distance))
      if not drive.finished then
         return nil, ("%d of %d laps driven: %s"):format(drive.laps, options.laps, drive.stopped)
      end
   end,
}
