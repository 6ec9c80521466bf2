-- How busted reports: a line for each spec file, then what was skipped and why, then every failure
-- with its place, and the total as the last line. A skip is never silent.

local busted = require "busted"

local statuses = { success = "passed", pending = "skipped", failure = "failed", error = "failed" }

local function count_text(counts)
   local text = ("%d passed, %d failed"):format(counts.passed, counts.failed)
   return counts.skipped > 0 and ("%s, %d skipped"):format(text, counts.skipped) or text
end

local function new_counts() return { passed = 0, failed = 0, skipped = 0 } end

return function(options)
   local handler = require "busted.outputHandlers.base"()
   local total, file_counts = new_counts(), new_counts()

   local function count(status)
      total[status] = total[status] + 1
      file_counts[status] = file_counts[status] + 1
      return nil, true
   end

   local function print_skipped()
      local reasons, count_of = {}, {}
      for _, test in ipairs(handler.pendings) do
         local why = test.message and tostring(test.message):gsub("^%S+:%d+: ", "") or test.element.name
         if not count_of[why] then reasons[#reasons + 1] = why end
         count_of[why] = (count_of[why] or 0) + 1
      end
      for _, why in ipairs(reasons) do print(("SKIPPED %d: %s"):format(count_of[why], why)) end
   end

   local function print_failures(list)
      for _, failure in ipairs(list) do
         print("\nFAILED " .. failure.name)
         print((tostring(failure.message or "no message"):gsub("\n", "\n   ")))
         if options.verbose and failure.trace then print(failure.trace.traceback) end
      end
   end

   busted.subscribe({ "file", "start" }, function()
      file_counts = new_counts()
      return nil, true
   end)
   busted.subscribe({ "test", "end" }, function(_, _, status) return count(statuses[status]) end)
   -- Errors outside of a test: in a file, a describe or a set-up.
   local function outside(element)
      if element.descriptor ~= "it" then count "failed" end
      return nil, true
   end
   busted.subscribe({ "error" }, outside)
   busted.subscribe({ "failure" }, outside)
   busted.subscribe({ "file", "end" }, function(file)
      print(("%-40s %6.2f s  %s"):format(file.name, file.duration or 0, count_text(file_counts)))
      io.flush()
      return nil, true
   end)
   busted.subscribe({ "suite", "end" }, function()
      print_skipped()
      print_failures(handler.failures)
      print_failures(handler.errors)
      return nil, true
   end)
   busted.subscribe({ "exit" }, function()
      if total.passed == 0 and total.failed == 0 then
         print "FAILED: no test ran"
         total.failed = 1
      end
      print(count_text(total))
      return nil, true
   end)
   return handler
end
