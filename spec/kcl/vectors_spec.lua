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

local function ask(doc, query)
   local options = { from = query.from, mask = query.mask }
   if query.kind == "point" then return assert(doc:lookup_point(query.point, options)) end
   return assert(doc:lookup_sphere(query.point, query.radius, options))
end

local function compare(doc, query)
   local hits = ask(doc, query)
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

-- The file and the queries of a name; nil where there are none.
local function vectors(name)
   local lines = support.vectors("sphere_" .. name .. ".tsv.gz")
   if not lines then return nil end
   local path
   for _, one in ipairs(support.corpus("kcl-mkw", "kcl")) do
      if one:find("/" .. name .. ".kcl", 1, true) then path = one end
   end
   local queries = {}
   for _, line in ipairs(lines) do
      if line:sub(1, 1) ~= "#" then queries[#queries + 1] = read(line) end
   end
   return path, queries
end

local function clamp(v) return math.max(0, math.min(1, v)) end

-- How far a point is from a triangle: over its inside, or from the nearest edge.
local function distance(p, t)
   local a, b, c = t[1], t[2], t[3]
   local n = (b - a):cross(c - a)
   local inside = true
   for i = 1, 3 do
      local from, to = t[i], t[i % 3 + 1]
      inside = inside and n:cross(to - from):dot(p - from) >= 0
   end
   if inside then return math.abs(n:dot(p - a)) / n:length() end
   local best = math.huge
   for i = 1, 3 do
      local from, along = t[i], t[i % 3 + 1] - t[i]
      local part = clamp((p - from):dot(along) / along:dot(along))
      best = math.min(best, (p - (from + along * part)):length())
   end
   return best
end

local function key(hit) return ("%04x %s"):format(hit.flag, bits(hit.depth, hit.normal:unpack())) end

-- The hits of one list that another one hasn't.
local function lacking(hits, others)
   local counts, list = {}, {}
   for _, hit in ipairs(others) do counts[key(hit)] = (counts[key(hit)] or 0) + 1 end
   for _, hit in ipairs(hits) do
      local count = counts[key(hit)] or 0
      if count > 0 then counts[key(hit)] = count - 1 else list[#list + 1] = hit end
   end
   return list
end

-- A list may leave out what the engine reports though it is farther away than the radius: it clips some edges at
-- one end only. Everything else must be there, whatever octree the file has.
describe("rebuilt octrees answer the same, but for what is out of reach:", function()
   for _, name in ipairs(FILES) do
      it(name, function()
         local path, queries = vectors(name)
         if not path then return end
         local doc <close> = assert(kart.open(path))
         local rebuilt <close> = assert(doc:clone())
         assert(rebuilt:rebuild())
         local same_hits, far = 0, 0
         for _, query in ipairs(queries) do
            local before, after = ask(doc, query), ask(rebuilt, query)
            same_hits = same_hits + #before
            for _, list in ipairs{ lacking(before, after), lacking(after, before) } do
               for _, hit in ipairs(list) do
                  local prism = doc.prisms[hit.prism]
                  local away = prism.problem and math.huge or distance(query.point, prism.corners)
                  -- The engine takes no larger radius than the header's.
                  local radius = math.min(query.radius, doc.models[1].radius)
                  assert.is_true(query.kind == "sphere" and away > radius,
                     ("prisms[%d], %.4f away at %s"):format(hit.prism, away, query.point))
                  far = far + 1
               end
            end
         end
         print(("  %s rebuilt: %d hits asked for, %d out of reach differ"):format(name, same_hits, far))
      end)
   end
end)

describe("lookups answer as the engine does:", function()
   for _, name in ipairs(FILES) do
      it(name, function()
         local path, queries = vectors(name)
         if not path then return end
         local doc <close> = assert(kart.open(path))
         local total, kinds = 0, {}
         for i, query in ipairs(queries) do
            local good, hits = compare(doc, query)
            assert(good, ("%s: %d hits for query %d"):format(name, #hits, i))
            total = total + #hits
            local kind = query.kind .. (query.from and ", moving" or ", static")
            kinds[kind] = (kinds[kind] or 0) + 1
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
