-- What the KMP specs share: samples, and a matrix arithmetic of its own, written from the format's
-- description and not from the program's code, so that each can be checked against the other.

local tools = {}

-- Samples -----------------------------------------------------------------------------------------

local variants

--- The bytes of samples/make.lua's NAME.kmp or variants/NAME.kmp.
function tools.bytes(name)
   if name == "race" or name == "arena" then return require("samples." .. name)():bytes() end
   if not variants then
      variants = {}
      for _, variant in ipairs(require "samples.variants") do variants[variant.name] = variant.make end
   end
   return assert(variants[name], "no sample " .. name)()
end

--- A sample as an open document.
function tools.open(name) return assert(kart.kmp.parse(tools.bytes(name))) end

--- A new document with a bit of everything.
function tools.document()
   return kart.kmp.new{
      ktpt = { { player = -1 } },
      enpt = { {}, {}, {} }, enph = { { start = 1, length = 3, next = { 1, nil, 1 } } },
      ckpt = { { respawn = 2, type = 0, next = 2 }, { prev = 1 } }, ckph = { { start = 1, length = 2 } },
      jgpt = { { id = 5 }, { id = 9 } },
      gobj = { { id = 101, settings = { 1, 2, 3, 4, 5, 6, 7, 8 }, position = { 1, 2, 3 } }, { id = 405, route = 2 } },
      poti = { { points = {} }, { smooth = 1, points = { { position = { 7, 8, 9 }, speed = 3 }, { speed = 4 } } } },
      came = { opening = 2, {}, { type = 5, route = 2, next = 1 } },
      area = { { type = 0, camera = 2 } },
      stgi = { { laps = 3, flare_color = { 1, 2, 3 }, speed_factor = 1.5 } },
   }
end

--- The names of all samples that open.
function tools.names()
   local names = { "race", "arena" }
   for _, variant in ipairs(require "samples.variants") do names[#names + 1] = variant.name end
   return names
end

--- The layouts of the sections by name, as the game and version of a document have them.
function tools.layouts(doc)
   local layouts = {}
   for _, layout in ipairs(kart.kmp.schema()) do
      if layout.game == doc.game and doc.version >= layout.version_from
         and doc.version <= (layout.version_to or math.huge) then
         layouts[layout.name] = layout
      end
   end
   return layouts
end

--- Is there a warning of that rule? Gives the first one.
function tools.warning(doc, rule) return tools.finding(doc.warnings, rule) end

--- The first finding of that rule in a list.
function tools.finding(list, rule)
   for _, finding in ipairs(list) do
      if finding.rule == rule then return finding end
   end
end

-- Numbers -----------------------------------------------------------------------------------------

--- The nearest value that a file can hold.
function tools.float(value) return (string.unpack("f", string.pack("f", value))) end

--- A generator of numbers from 0 to 1 that gives the same ones everywhere (splitmix64).
function tools.random(seed)
   return function()
      seed = seed + 0x9E3779B97F4A7C15
      local z = (seed ~ seed >> 30) * 0xBF58476D1CE4E5B9
      z = (z ~ z >> 27) * 0x94D049BB133111EB
      return ((z ~ z >> 31) >> 11) * 2.0 ^ -53
   end
end

--- The difference of two angles, whatever turns they are in.
function tools.angle_distance(a, b)
   local difference = math.abs(a - b) % 360
   return math.min(difference, 360 - difference)
end

-- Matrices: nine numbers, row by row --------------------------------------------------------------

--- R = Rz * Ry * Rx on column vectors, from degrees.
function tools.euler(rotation)
   local x, y, z = math.rad(rotation.x), math.rad(rotation.y), math.rad(rotation.z)
   local sx, cx, sy, cy, sz, cz = math.sin(x), math.cos(x), math.sin(y), math.cos(y), math.sin(z), math.cos(z)
   return {
      cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz,
      cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz,
      -sy, sx * cy, cx * cy,
   }
end

function tools.diagonal(x, y, z) return { x, 0, 0, 0, y, 0, 0, 0, z } end

function tools.multiply(a, b)
   local c = {}
   for i = 0, 6, 3 do
      for j = 1, 3 do c[i + j] = a[i + 1] * b[j] + a[i + 2] * b[j + 3] + a[i + 3] * b[j + 6] end
   end
   return c
end

function tools.apply(a, v)
   return kart.vec(a[1] * v.x + a[2] * v.y + a[3] * v.z, a[4] * v.x + a[5] * v.y + a[6] * v.z,
      a[7] * v.x + a[8] * v.y + a[9] * v.z)
end

--- The largest difference of two elements.
function tools.distance(a, b)
   local most = 0
   for i = 1, 9 do
      local difference = math.abs(a[i] - b[i])
      if difference > most or difference ~= difference then most = difference end
   end
   return most
end

--- The linear part of a kart.matrix.
function tools.linear(matrix)
   local rows = matrix:rows()
   return { rows[1][1], rows[1][2], rows[1][3], rows[2][1], rows[2][2], rows[2][3], rows[3][1], rows[3][2], rows[3][3] }
end

local MIRROR_LOCAL_X = tools.diagonal(-1, 1, 1)

--- What becomes of an orientation under A, a rotation or reflection: forward stays forward and up
--- stays up, so a reflection turns the local X round.
function tools.carried(a, rotation, reflects)
   local r = tools.multiply(a, rotation)
   return reflects and tools.multiply(r, MIRROR_LOCAL_X) or r
end

return tools
