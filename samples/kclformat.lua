--- The kinds of KCL files, as samples/kclfile.lua writes them, and their numbers as bytes. Written
--- from the format's description and not from the program's code, so that each can be checked
--- against the other.
local kclformat = {}

-- header: bytes of a model's header. fixed: numbers are s32 / 4096 and normals s16 / 4096.
-- unit: the samples' meshes are drawn in units of a tenth of a kart's length or so.
local games = {
   mkw = { order = ">", header = 0x3C, thickness = 300, radius = 250, unit = 10 },
   smg = { order = ">", header = 0x38, thickness = 40, radius = 0, unit = 1 },
   sm3dl = { order = "<", header = 0x38, thickness = 40, radius = 0, unit = 1 },
   mk7 = { order = "<", header = 0x3C, thickness = 30, radius = 25, unit = 1 },
   mkds = { order = "<", header = 0x3C, thickness = 30, radius = 25, unit = 1, fixed = true },
   mk8 = { order = ">", header = 0x3C, thickness = 30, radius = 25, unit = 1, v2 = true },
   mk8dx = { order = "<", header = 0x3C, thickness = 30, radius = 25, unit = 1, v2 = true },
   smo = { order = "<", header = 0x3C, thickness = 40, radius = 0, unit = 1, v2 = true },
}

--- The format of a game.
function kclformat.of(game) return assert(games[game], game) end

local function words(format, letters, values)
   return string.pack(format.order .. letters:rep(#values), table.unpack(values))
end

local function scaled(values)
   local list = {}
   for i, value in ipairs(values) do list[i] = math.floor(value * 4096 + 0.5) end
   return list
end

--- Numbers one behind another: heights, positions, areas.
function kclformat.numbers(format, values)
   if format.fixed then return words(format, "i4", scaled(values)) end
   return words(format, "f", values)
end

--- The components of a normal.
function kclformat.normal(format, values)
   if format.fixed then return words(format, "i2", scaled(values)) end
   return words(format, "f", values)
end

function kclformat.u16(format, ...) return words(format, "I2", { ... }) end
function kclformat.u32(format, ...) return words(format, "I4", { ... }) end

--- The first id of a list entry, and what ends a list.
function kclformat.first_id(format) return format.v2 and 0 or 1 end
function kclformat.list_end(format) return format.v2 and 0xFFFF or 0 end

return kclformat
