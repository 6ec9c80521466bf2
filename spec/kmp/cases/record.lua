-- A case for each rule about references, areas, cameras, objects, routes, stage information and plain
-- numbers; see check_spec.lua.
local change = require "spec.kmp.cases.change"

-- The first object of this id.
local function object(doc, id)
   for _, record in ipairs(doc.gobj) do
      if record.id == id then return record end
   end
end

-- So many objects in all, with those of this id.
local function fill(doc, id, count)
   for _ = #doc.gobj + 1, count do doc.gobj:insert{ id = id, presence = 7, settings = { 6 } } end
end

return {
   ["reference-range"] = {
      place = "gobj[11].route",
      breaks = function(doc) return change.raw(doc, "gobj", 11, "route", #doc.poti) end,
      near = function(doc) return change.raw(doc, "gobj", 11, "route", 0xFFFF) end,
   },
   ["area-camera"] = {
      place = "area[1].camera",
      breaks = function(doc) doc.area[1].camera = nil end,
      near = function(doc) doc.area[1].type, doc.area[1].camera = 1, nil end,
   },
   ["area-type"] = {
      place = "area[5].type",
      breaks = function(doc) doc.area[5].type = 11 end,
      near = function(doc) doc.area[5].type, doc.gobj[1].extension = 11, 1 end, -- asks for LE-CODE
   },
   ["area-range"] = {
      place = "area[5].setting_2",
      breaks = function(doc) doc.area[5].type, doc.area[5].setting_1, doc.area[5].setting_2 = 10, 9, 8 end,
      near = function(doc) doc.area[5].type, doc.area[5].setting_1, doc.area[5].setting_2 = 10, 9, 9 end,
   },
   ["area-scale"] = {
      place = "area[1].scale",
      breaks = function(doc) doc.area[1].scale = { 1, 0, 1 } end,
      near = function(doc) doc.area[1].scale = { 1, 1e-6, 1 } end,
   },
   ["area-enemy"] = {
      place = "area[8].enemy_point",
      breaks = function(doc) doc.area[8].enemy_point = nil end,
      near = function(doc) doc.area[8].type, doc.area[8].enemy_point = 5, nil end,
   },
   ["area-boo"] = {
      place = "area",
      breaks = function(doc) doc.gobj:remove(object(doc, 396)) end,
      near = function(doc)
         doc.gobj:remove(object(doc, 396))
         doc.area[11].type = 5
      end,
   },
   ["camera-opening"] = {
      place = "came[4].type",
      breaks = function(doc) doc.came.opening = 4 end,
      near = function(doc) doc.came.opening = 2 end, -- a single fixed one
   },
   ["camera-cycle"] = {
      place = "came[7].next",
      breaks = function(doc) doc.came[7].next = 5 end,
      near = function(doc) doc.came[4].next = 4 end, -- not of the opening
   },
   ["camera-route"] = {
      place = "came[2].route",
      breaks = function(doc) doc.came[2].route = 2 end,
      near = function(doc) doc.came[2].type, doc.came[2].route = 2, 2 end,
   },
   ["camera-goal"] = {
      place = "came.type",
      breaks = function(doc) doc.came[4].type = 0 end,
      near = function(doc) doc.came[4].type, doc.came[1].type = 0, 3 end,
   },
   ["camera-still"] = {
      place = "poti[2].points[1].speed",
      breaks = function(doc) doc.poti[2].points[1].speed = 0 end,
      near = function(doc) doc.poti[2].points[4].speed = 0 end, -- the last one's is never used
   },
   ["object-route"] = {
      place = function(doc) return ("gobj[%d].route"):format(object(doc, 201).index) end,
      breaks = function(doc) object(doc, 201).route = nil end,
      near = function(doc) object(doc, 201).route, object(doc, 201).id = nil, 101 end,
   },
   ["object-id"] = {
      place = "gobj[1].id",
      breaks = function(doc) doc.gobj[1].id = 0 end,
      near = function(doc) doc.gobj[1].id = 102 end,
   },
   ["object-presence"] = {
      place = "gobj[1].presence",
      breaks = function(doc) doc.gobj[1].presence = 0x40 end,
      near = function(doc) doc.gobj[1].presence, doc.gobj[1].extension = 0x40, 1 end,
   },
   ["object-count"] = {
      place = "gobj",
      breaks = function(doc) fill(doc, 101, 200) end,
      near = function(doc) fill(doc, 101, 199) end,
   },
   ["object-balls"] = {
      place = "gobj.id",
      breaks = function(doc) fill(doc, 234, #doc.gobj + 59) end, -- there is one
      near = function(doc) fill(doc, 234, #doc.gobj + 58) end,
   },
   ["object-grid"] = {
      place = function(doc) return ("gobj[%d].rotation"):format(object(doc, 316).index) end,
      breaks = function(doc) object(doc, 316).rotation = { 0, 45, 0 } end,
      near = function(doc) object(doc, 316).rotation = { 0, -90, 0 } end,
   },
   ["route-short"] = {
      place = "poti[6]",
      breaks = function(doc) doc.poti[6].smooth = 1 end, -- of two points
      near = function(doc)
         doc.poti[6].smooth = 1
         doc.poti[6].points:insert{ speed = 4 }
      end,
   },
   ["route-shared"] = {
      place = "poti[2]",
      breaks = function(doc) object(doc, 216).route = 2 end,
      near = function(doc) object(doc, 216).route = 6 end, -- an area's
   },
   ["route-unused"] = {
      place = "poti[10]",
      breaks = function(doc) doc.poti:insert{ points = { {}, {} } } end,
      near = function(doc)
         doc.poti:insert{ points = { {}, {} } }
         object(doc, 234).settings[1] = 9 -- the tenth: settings count from 0
         object(doc, 420).settings[1] = 6
      end,
   },
   ["point-total"] = {
      place = "poti.total",
      breaks = function(doc) return change.header(doc, "POTI", 1) end,
      near = function(doc) doc.poti[1].points:insert{ speed = 1 } end,
   },
   ["stage-values"] = {
      place = "stgi[1].narrow",
      breaks = function(doc) doc.stgi[1].narrow = 2 end,
      near = function(doc) doc.stgi[1].narrow = 1 end,
   },
   ["stage-laps"] = {
      place = "stgi[1].laps",
      breaks = function(doc) doc.stgi[1].laps = 2 end,
      near = function(doc) doc.stgi[1].laps = 3 end,
   },
   ["float-finite"] = {
      place = "enpt[2].width",
      breaks = function(doc) return change.raw(doc, "enpt", 2, "width", 0 / 0) end,
      near = function(doc) return change.raw(doc, "enpt", 2, "width", -0.0) end,
   },
   ["online-range"] = {
      place = "itpt[2].position",
      breaks = function(doc) doc.itpt[2].position = { 0, 0.5, 0 } end,
      near = function(doc) doc.itpt[2].position = { 131071, 1, -131071 } end,
   },
}
