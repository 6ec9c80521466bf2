--- Damaged collision of the arcade games: each is refused, and the message names the place.
local agpfile = require "samples.agpfile"
local course = require "samples.agp_course"

local function word(number) return string.pack(">I4", number) end

local function broken(name, message, spec, change)
   return { name = name, message = message, make = function()
      local all = { triangles = course(8) }
      for key, value in pairs(spec) do all[key] = value end
      local bytes = agpfile.build(all)
      return change and change(bytes) or bytes
   end }
end

-- The first cell that lists something, changed.
local function first(change)
   local done = false
   return { cells = function(_, words)
      if words[2] == 0 or done then return end
      done = true
      change(words)
   end }
end

return {
   broken("header_cut", "header at 0x0: the file is cut short: expected 44 bytes, found 40", {},
      function(bytes) return bytes:sub(1, 40) end),
   broken("no_columns", "header at 0x0: cells along an axis: expected more than 0, found 0",
      { header = { [0] = word(0) } }),
   broken("rows_negative", "header at 0x4: cells along an axis: expected more than 0, found -6",
      { header = { [4] = word(0xFFFFFFFA) } }),
   broken("cell_size_zero", "header at 0x8: size of a cell: expected a finite number above 0, found 0",
      { header = { [8] = word(0) } }),
   broken("cell_size_nan", "header at 0xC: size of a cell: expected a finite number above 0, found nan",
      { header = { [12] = word(0x7FC00000) } }),
   broken("origin_infinite", "header at 0x20: origin of the grid: expected a finite number, found inf",
      { header = { [0x20] = word(0x7F800000) } }),
   broken("cells_in_header", "header at 0x28: where the cells are", { header = { [0x28] = word(0x28) } }),
   broken("cells_outside", "header at 0x28: where the cells are", { header = { [0x28] = word(0x7FFFFFF0) } }),
   broken("cells_cut", "the file is cut short", {}, function(bytes) return bytes:sub(1, -101) end),
   broken("no_end", "the cell of zeros that ends the cells is missing", { ending = "" }),
   broken("end_not_zero", "the cell that ends the cells: expected zeros, found 0x1",
      { ending = word(1) .. ("\0"):rep(12) }),
   broken("count_negative", "triangles: expected a count from 0 up, found -1",
      first(function(words) words[2] = 0xFFFFFFFF end)),
   broken("list_outside", "triangles: expected a list of whole words between the header and the file's end",
      first(function(words) words[2] = 100000 end)),
   broken("list_in_header", "walls: expected a list of whole words",
      first(function(words) words[3], words[4] = 0x10, 1 end)),
   broken("list_askew", "triangles: expected a list of whole words",
      first(function(words) words[1] = words[1] + 2 end)),
   broken("list_in_cells", "triangles: expected a list apart from the cells", {}, function(bytes)
      local at = string.unpack(">I4", bytes, 0x29)
      return bytes:sub(1, at) .. word(at - 0x20) .. word(1) .. bytes:sub(at + 9)
   end),
}
