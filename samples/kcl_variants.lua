--- kcl/: a file of every kind of KCL, and of every oddity that a game accepts. All of them open.
local kclfile = require "samples.kclfile"
local kclformat = require "samples.kclformat"
local kclshapes = require "samples.kclshapes"
local octree = require "samples.octree"
local prisms = require "samples.prisms"

local list = {}

-- What the files are built of. Flags that each game knows as several surfaces.
local FLAGS = {
   mkw = { 0x0000, 0x0020, 0x2000, 0x0082, 0x0006, 0x800C },
   mk8 = { 0x0000, 0x1002, 0x2040, 0x0105, 0x0010 },
   mkds = { 0x8000, 0x8124, 0x8800, 0x4600 },
}

local function hill(game) return kclshapes.hill(3, 48 * kclformat.of(game).unit, FLAGS[game] or FLAGS.mk8) end

-- A file of that game with a root grid, splits and shared lists, with changes.
local function spec(game, changes)
   local big = game == "mkw"
   local result = { game = game, triangles = hill(game), cell = big and 10 or 7, most = 10, least = big and 9 or 5 }
   for name, value in pairs(changes or {}) do result[name] = value end
   return result
end

-- `change` gets the triangles and changes them.
local function add(name, game, changes, change)
   list[#list + 1] = { name = name, make = function()
      local made = spec(game, changes)
      if change then change(made.triangles, made) end
      return kclfile.build(made)
   end }
end

-- Formats.

add("mkw", "mkw")
add("gamecube", "smg")
add("sm3dl", "sm3dl")
add("mk7", "mk7")
add("mkds", "mkds")
add("mk8", "mk8")
add("mk8dx", "mk8dx")
add("smo", "smo")

-- The space is cut in eight, and one of its corners once more; where nothing is, there is no model.
local function split(corner, size, depth) return depth == 1 and corner[1] < 0 and corner[3] < 0 and size[1] > 32 end

for _, game in ipairs{ "mk8", "mk8dx" } do
   add(game .. "_models", game, { split = split, cell = 6, least = 5 }, function(triangles, made)
      -- Something far away, so that some of the space is empty.
      kclshapes.quad(triangles, { 300, 90, 300 }, { 300, 90, 330 }, { 330, 90, 330 }, { 330, 90, 300 }, 0x0002)
      made.reversed = game == "mk8dx"
   end)
end
add("mk8_table_first", "mk8", { table_first = true })

-- What may stand beside the sections.

add("signature", "mkw", { first = "WiimmSZS" .. string.pack(">f", 2.5) })
add("header_extra", "mkw", { extra = "\1\2\3\4\5\6\7\8" })
add("tail", "mkw", { tail = "made by hand\0" .. ("\xEE"):rep(7) })
add("gaps", "mkw", { gaps = { positions = "\0\0\0\0", normals = "gap.", prisms = "\xFF\xFF\xFF\xFF" } })
add("positions_unused", "mkw", { positions = string.pack(">ffffff", 1, 2, 3, 0 / 0, 1 / 0, -0.0) })
add("normals_unused", "mkw", { normals = string.pack(">ffffff", 0, 0, 0, 0 / 0, 2, -3) })
add("order_octree_first", "mkw", { order = { "octree", "prisms", "normals", "positions" } })
add("order_prisms_first", "mk7", { order = { "prisms", "positions", "octree", "normals" } })
add("order_small", "sm3dl", { order = { "octree", "normals", "positions", "prisms" } })
add("order_v2", "mk8", { order = { "prisms", "octree", "positions", "normals" } })

-- Header.

add("single_root", "smg", { cell = 10, least = 5, header = { x_shift = 0xFFFFFFFF, xy_shift = 0xFFFFFFFF } })
add("narrow_area", "mkw", { grid = { min = { -600, -600, -600 }, shift = 13, bits = { -1, -2, -1 } }, least = 9 })
add("shifts_shared", "mkw", nil, function(_, made)
   -- Cells that share words: the rows of the grid lie in each other.
   made.header = { x_shift = 1, xy_shift = 1 }
end)
add("shifts_apart", "mkw", nil, function(triangles, made)
   -- Twice as wide rows, each half full, and twice as many of them.
   local reaches, apart = {}, {}
   for i, triangle in ipairs(triangles) do reaches[i] = prisms.reach(triangle, 300, 250) end
   made.grid = { min = { -600, -600, -600 }, shift = 11, bits = { 1, 0, 1 }, most = 10, least = 9 }
   local roots = octree.build(reaches, made.grid)
   for i = 0, 7 do apart[i + 1] = { list = {} } end
   for i = 0, 3 do apart[1 + (i & 1) + (i >> 1) * 8] = roots[i + 1] end
   made.octree = octree.pack(apart, { order = ">", first_id = 1, list_end = 0 })
   made.header = { x_shift = 2, xy_shift = 3 }
end)
add("thickness_odd", "mkw", { thickness = -1, radius = 0 })
add("min_with_fraction", "mkw", { grid = { min = { -601.375, -700.0625, -650.3 }, shift = 11, bits = { 0, 0, 0 } },
   least = 9 })
add("total_with_copies", "mk8", { split = function() return false end, total = "copies" })
add("total_wrong", "mk8", { total = 0 })

-- Prisms.

local function with(name, change) add(name, "mkw", nil, change) end

with("degenerate", function(triangles)
   triangles[1].height = 0.0
   triangles[2].bc = prisms.shape(triangles[2]).ab -- parallel edges
   triangles[3].bc = { 0.0, 0.0, 0.0 }
   triangles[4].height = 1e-7
end)
with("not_finite", function(triangles)
   triangles[1].height = 0 / 0
   triangles[2].face = { 0, 1 / 0, 0 }
   triangles[3].height = -1 / 0
end)
with("inverted", function(triangles)
   for i = 2, 6, 2 do triangles[i].height = -prisms.shape(triangles[i]).height end
end)
with("duplicate", function(triangles)
   local a, b, c = table.unpack(triangles[5])
   triangles[#triangles + 1] = { a, b, c, flag = 0x0001 }
   triangles[#triangles + 1] = { b, c, a, flag = 0x0000 } -- with another first corner
   triangles[#triangles + 1] = { a, c, b, flag = 0x000C } -- the other side
end)
with("face_down", function(triangles)
   for i = 1, 3 do
      local t = triangles[i]
      t[2], t[3] = t[3], t[2]
   end
end)
with("normals_long", function(triangles)
   triangles[1].stretch, triangles[2].stretch, triangles[3].stretch = 1.006, 1.025, 1.25
   triangles[4].face = { 0.0, 0.0, 0.0 }
end)
add("none", "mkw", { triangles = {} })
add("none_v2", "mk8dx", { triangles = {} })

-- Octrees.

add("lists_own", "mkw", { sharing = "none" })
add("lists_suffix", "mkw", { sharing = "suffix" })
add("groups_shared", "mkw", { groups = true, grid = { min = { -600, -600, -600 }, shift = 12, bits = { 0, 0, 0 },
   split = function(_, depth) return depth < 3 end } })
add("cells_small", "mk8", { most = 4, least = 4, cell = 7 })
add("unreached", "mkw", nil, function(triangles, made)
   -- Prisms that the octree was built without.
   local reaches = {}
   for i = 1, #triangles - 3 do reaches[i] = prisms.reach(triangles[i], 300, 250) end
   made.grid = { min = { -600, -600, -600 }, shift = 12, bits = { 0, 0, 0 }, most = 10, least = 10 }
   made.octree = octree.pack(octree.build(reaches, made.grid), { order = ">", first_id = 1, list_end = 0 })
end)
add("list_long", "mkw", { triangles = kclshapes.hill(11, 20, FLAGS.mkw), cell = 11, most = 300, least = 11 })

return list
