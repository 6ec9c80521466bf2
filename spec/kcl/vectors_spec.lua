-- The answers of the engine itself: 1,500 lookups in each of four real files, with every hit. All must come
-- out in the same order and bit for bit.
local support = require "spec.support"

local FILES = { "arena_maze1", "race_dust_v12", "race_lego", "race_ruins_v113" }

-- A line: kind, radius, point, from or -, mask, hits { depth, normal, flag }.
local function read(line)
   local words = {}
   for word in line:gmatch "[^\t]+" do words[#words + 1] = word end
   local function vec(at) return words[at] ~= "-" and kart.vec(tonumber(words[at]), tonumber(words[at + 1]),
      tonumber(words[at + 2])) or nil end
   local query = { kind = words[1], radius = tonumber(words[2]), point = vec(3), from = vec(6),
      mask = tonumber(words[9], 16), hits = {} }
   for i = 10, #words do
      local depth, x, y, z, flag = words[i]:match "^([^,]+),([^,]+),([^,]+),([^,]+),(%x+)$"
      query.hits[i - 9] = { depth = tonumber(depth), normal = { tonumber(x), tonumber(y), tonumber(z) },
         flag = tonumber(flag, 16) }
   end
   return query
end

local function bits(...) return string.pack(("f"):rep(select("#", ...)), ...) end

-- Is the hit the expected one? Compared as the bytes of floats: -0 is not 0.
local function same(hit, expected)
   return hit and hit.flag == expected.flag and bits(hit.depth) == bits(expected.depth)
      and bits(hit.normal:unpack()) == bits(table.unpack(expected.normal))
end

local function compare(doc, query)
   local options = { from = query.from, mask = query.mask }
   local hits
   if query.kind == "point" then
      hits = assert(doc:lookup_point(query.point, options))
   else
      hits = assert(doc:lookup_sphere(query.point, query.radius, options))
   end
   if #hits ~= #query.hits then return false, hits end
   for i, expected in ipairs(query.hits) do
      if not same(hits[i], expected) then return false, hits end
   end
   return true, hits
end

-- The same queries by batches: those that share kind, radius and mask, and whether they move.
local function batches(queries)
   local list = {}
   for _, query in ipairs(queries) do
      local key = ("%s %a %x %s"):format(query.kind, query.radius, query.mask, query.from ~= nil)
      if not list[key] then
         list[key] = { points = {}, from = {}, query = query, queries = {} }
         list[#list + 1] = list[key]
      end
      local batch = list[key]
      table.insert(batch.points, query.point)
      table.insert(batch.from, query.from)
      table.insert(batch.queries, query)
   end
   return list
end

local function run_batch(doc, batch, format)
   local points = kart.points.new(batch.points, format)
   local options = { mask = batch.query.mask, from = batch.query.from and kart.points.new(batch.from, format) }
   if batch.query.kind == "point" then return assert(doc:lookup_point_many(points, options)) end
   return assert(doc:lookup_sphere_many(points, batch.query.radius, options))
end

describe("lookups answer as the engine does:", function()
   for _, name in ipairs(FILES) do
      it(name, function()
         local lines = support.vectors("sphere_" .. name .. ".tsv.gz")
         if not lines then return end
         local path
         for _, one in ipairs(support.corpus("kcl-mkw", "kcl")) do
            if one:find("/" .. name .. ".kcl", 1, true) then path = one end
         end
         local doc <close> = assert(kart.open(path))
         local queries, total, kinds = {}, 0, {}
         for _, line in ipairs(lines) do
            if line:sub(1, 1) ~= "#" then
               local query = read(line)
               queries[#queries + 1] = query
               local good, hits = compare(doc, query)
               assert(good, ("%s: %d hits for\n%s"):format(name, #hits, line))
               total = total + #hits
               local kind = query.kind .. (query.from and ", moving" or ", static")
               kinds[kind] = (kinds[kind] or 0) + 1
            end
         end
         assert.equal(1500, #queries)
         local said = {}
         for kind, count in pairs(kinds) do said[#said + 1] = ("%d %s"):format(count, kind) end
         table.sort(said)
         print(("  %s: %d hits of %s"):format(name, total, table.concat(said, "; ")))

         for i, batch in ipairs(batches(queries)) do
            local columns = run_batch(doc, batch, i % 2 == 0 and "f64" or "f32")
            local at = 0
            for number, query in ipairs(batch.queries) do
               assert.equal(#query.hits, columns.count[number])
               for _, expected in ipairs(query.hits) do
                  at = at + 1
                  assert.equal(number, columns.point[at])
                  assert.is_true(same({ depth = columns.depth[at], normal = columns.normal[at],
                     flag = columns.flag[at] }, expected))
               end
            end
            assert.equal(at, #columns.prism)
         end
      end)
   end
end)
