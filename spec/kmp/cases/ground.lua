-- A case for each rule about points and collision; see check_spec.lua. Functions get the collision, too.

-- The race course and its ground: a road with walls beside it, high above a fall that is as wide as the course.

local function lift(record, by) record.position = record.position + kart.vec(0, by, 0) end

local function set_aside(records, first, last, by)
   for i = first, last do records[i].position = records[i].position + kart.vec(table.unpack(by)) end
end

local function set_lines_aside(doc, first, last)
   for i = first, last do
      local line, by = doc.ckpt[i], kart.vec(0, 0, 60000)
      line.left, line.right = line.left + by, line.right + by
   end
end

-- Let all cannons fire at another point, counted from 0.
local function aim(collision, number)
   for _, prism in ipairs(collision.prisms) do
      if prism.flag & 0x1F == 0x11 then prism.flag = 0x11 | number << 5 end
   end
end

return {
   ["start-ground"] = {
      place = "ktpt[1].position",
      breaks = function(doc) lift(doc.ktpt[1], 2500) end,
      near = function(doc) lift(doc.ktpt[1], 1500) end,
   },
   ["respawn-ground"] = {
      place = "jgpt[3].position",
      breaks = function(doc) lift(doc.jgpt[3], -500) end, -- it was 300 above
      near = function(doc) lift(doc.jgpt[3], -390) end,
   },
   ["box-ground"] = {
      place = "gobj[1].position",
      breaks = function(doc) doc.gobj[1].position = { 0, 100, -6000 } end,
      near = function(doc)
         doc.gobj[1].position, doc.gobj[1].route = { 0, 100, -6000 }, 9 -- it flies along a route
         lift(doc.gobj[2], 5000)
      end,
   },
   ["way-elsewhere"] = {
      place = "itpt",
      breaks = function(doc) set_aside(doc.itpt, 1, #doc.itpt // 2 + 1, { 0, 0, 60000 }) end,
      near = function(doc) set_aside(doc.itpt, 1, #doc.itpt // 2, { 0, 0, 60000 }) end,
   },
   ["way-under"] = {
      place = "enpt[7].position",
      breaks = function(doc) lift(doc.enpt[7], -400) end,
      near = function(doc) lift(doc.enpt[7], -90) lift(doc.enpt[8], -1200) end,
   },
   ["way-walled"] = {
      place = "itpt[4]",
      breaks = function(doc) set_aside(doc.itpt, 5, 5, { 0, 0, 4000 }) end,
      near = function(doc) set_aside(doc.itpt, 5, 5, { 0, 0, 300 }) end,
   },
   ["ckpt-ground"] = {
      place = "ckpt[34]",
      breaks = function(doc) set_lines_aside(doc, 33, 35) end,
      with = { "ckpt-dead", "ckpt-quad", "laps-jump" },
      near = function(doc) set_lines_aside(doc, 33, 34) end,
   },
   ["cannon-missing"] = {
      place = "cnpt",
      breaks = function(_, collision) aim(collision, 2) end,
      near = function(_, collision) aim(collision, 1) end,
   },
   ["cannon-ground"] = {
      place = "cnpt[2].position",
      breaks = function(doc) lift(doc.cnpt[2], -5000) end,
      near = function(doc) lift(doc.cnpt[2], 5000) end,
   },
}
