-- Small courses for the specs of the command: a round race course, driven counter-clockwise as seen
-- from above with +Z up, and what makes it odd.

local course = {}

local function on_circle(part, radius)
   local angle = 2 * math.pi * part
   return { radius * math.sin(angle), 0, radius * math.cos(angle) }
end

-- `changes` replaces whole sections.
function course.race(changes)
   local spec = {
      ktpt = { { position = on_circle(0.98, 5000), rotation = { 0, 90, 0 }, player = -1 } },
      enpt = {}, enph = { { start = 1, length = 16, prev = { 1 }, next = { 1 } } },
      itpt = {}, itph = { { start = 1, length = 16, prev = { 1 }, next = { 1 } } },
      ckpt = {}, ckph = { { start = 1, length = 8, prev = { 1 }, next = { 1 } } },
      gobj = { { id = 101, position = { 100, 200, 300 }, scale = { 1, 1, 1 }, presence = 63 } },
      came = { { type = 0 } },
      jgpt = { { position = on_circle(0.1, 5000), rotation = { 0, 126, 0 } } },
      stgi = { { laps = 3, pole = 0 } },
   }
   for i = 1, 16 do
      spec.enpt[i] = { position = on_circle((i - 1) / 16, 5000), width = 10 }
      spec.itpt[i] = { position = on_circle((i - 1) / 16, 5000), width = 10 }
   end
   for i = 1, 8 do
      local left, right = on_circle((i - 1) / 8, 4000), on_circle((i - 1) / 8, 6000)
      spec.ckpt[i] = { left = { left[1], left[3] }, right = { right[1], right[3] }, respawn = 1, type = -1,
         prev = i > 1 and i - 1 or nil, next = i < 8 and i + 1 or nil }
   end
   spec.ckpt[1].type, spec.ckpt[4].type = 0, 1
   for name, section in pairs(changes or {}) do spec[name] = section end
   return kart.kmp.new(spec)
end

-- A race course whose mirror image would crash the game: ghost house blocks that leave their grid.
function course.fragile() return course.race{ gobj = { { id = 316, position = { -20000, 0, 0 }, presence = 63 } } } end

-- A race course with something that can't be carried over.
function course.odd() return course.race{ gobj = { { id = 516, position = { 0, 0, 0 }, presence = 63 } } } end

-- No checkpoint leads to the line: laps never count.
function course.endless()
   local doc = course.race()
   doc.ckpt[4].type = 1
   doc.ckpt[1].type = -1
   doc.ckpt[8].type = 0
   doc.ckph[1].next[1] = nil
   doc.ckph[1].prev[1] = nil
   return doc
end

return course
