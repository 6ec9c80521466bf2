--- Collision of the arcade games of every kind that the game runs, odd ones too.
local agpfile = require "samples.agpfile"
local course = require "samples.agp_course"

local function variant(name, spec)
   return { name = name, make = function()
      local all = { triangles = course(4) }
      for key, value in pairs(spec) do all[key] = value end
      return agpfile.build(all)
   end }
end

local A, B, C, D = { 0, 0, 0 }, { 0, 0, 200 }, { 200, 0, 200 }, { 200, 0, 0 }
local SQUARE = { { A, B, C }, { A, C, D } }

-- A file whose second cell lists one triangle of the first cell's list, shifted by 4 bytes.
local function overlapping()
   local one, other = { A, { 0, 0, 90 }, { 90, 0, 0 } }, { { 100, 0, 0 }, { 100, 0, 90 }, { 190, 0, 0 } }
   return agpfile.build{ triangles = { one, other },
      cells = function(number, words)
         if number == 1 then words[1] = 0x2C + 4 end
      end }
end

return {
   variant("bounds_zero", { bounds = false }),
   variant("edges_flat", { flat = true }),
   variant("walls_drawn", { triangles = course(8), marks = false, bounds = false,
      walls = { { { -100, -100 }, { 90, -60.5 } }, { { 90, -60.5 }, { 40, 120 } }, { { 300, 300 }, { 20, 20 } } } }),
   variant("walls_none", { marks = false, walls = {} }),
   variant("offsets_wild", { triangles = course(16), empty = 0xFFFFFFF0 }),
   variant("lists_packed", { packed = true }),
   variant("tail", { tail = "behind the cells" }),
   variant("end_marked", { ending = "\0\0\0\0made by hand" }),
   variant("cells_narrow", { cell = { 75.0, 160.0 } }),
   variant("listed_twice", { triangles = course(8), twice = { 3, 6 } }),
   variant("shared", { triangles = { SQUARE[1], SQUARE[2] }, shared = true, marks = false, walls = {}, cell = 50.0 }),
   variant("on_lines", { triangles = SQUARE }),
   variant("nothing", { triangles = {} }),
   { name = "overlapping", make = overlapping },
   variant("ends_early", { cells = function(number, words)
      if number == 0 then words[1], words[2] = 0, 0 end
   end }),
   variant("not_finite", { record = function(number, bytes)
      return number == 3 and bytes:sub(1, 0x14) .. "\x7F\xC0\0\0" .. bytes:sub(0x19) or bytes
   end }),
}
