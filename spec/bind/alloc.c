// The Lua face when memory runs out, and when a script pulls a document away under a running call.
// Every script below runs once for each allocation that it makes, of Lua or of the library, which
// then fails. What must hold: nothing crashes, nothing leaks. Freed memory is filled with rubbish,
// so that use after free shows even without a sanitizer. The last line is `N passed, N failed`.
#include "bind/bind.h"

#include "kmp/laps.h"

#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory that fails ----

typedef enum failing {
    FAIL_ONCE, // one allocation: Lua collects all garbage and tries again
    FAIL_TWICE // and the next one, which is that second try: Lua raises
} failing;

typedef struct heap {
    size_t bytes, blocks; // allocated now
    bool counts;          // else all goes well
    size_t count, at;     // allocations so far, the one that fails (0: none)
    failing how;
} heap;

static bool allocation_fails(heap *h) {
    if (!h->counts) return false;
    h->count++;
    return h->at > 0 && h->count >= h->at && h->count <= h->at + (h->how == FAIL_TWICE);
}

static void block_free(heap *h, void *block, size_t size) {
    if (!block) return;
    memset(block, 0xDD, size);
    free(block);
    h->bytes -= size;
    h->blocks--;
}

// Always to a new place, so that a pointer to the old one shows.
static void *block_resize(heap *h, void *block, size_t old_size, size_t new_size) {
    void *moved = malloc(new_size);
    if (!moved) abort();
    if (block) memcpy(moved, block, old_size < new_size ? old_size : new_size);
    block_free(h, block, old_size);
    h->bytes += new_size;
    h->blocks++;
    return moved;
}

static void *core_alloc(void *user, void *block, size_t old_size, size_t new_size) {
    if (new_size > 0)
        return allocation_fails(user) ? NULL : block_resize(user, block, old_size, new_size);
    block_free(user, block, old_size);
    return NULL;
}

static void *lua_alloc(void *user, void *block, size_t old_size, size_t new_size) {
    if (!block) old_size = 0; // it is the kind of the object then
    // Lua relies on a block becoming smaller.
    if (new_size > 0)
        return new_size > old_size && allocation_fails(user)
                   ? NULL
                   : block_resize(user, block, old_size, new_size);
    block_free(user, block, old_size);
    return NULL;
}

// ---- Scripts ----

// What all of them find: `kart`, the bytes of a course, of its collision and of an archive.
#define KMP "build/samples/race.kmp"
#define KCL "build/samples/kcl/mkw.kcl"
#define SZS "build/samples/szs/course.szs"

typedef struct script {
    const char *name;
    enum {
        RETURNS,    // where no allocation fails
        RAISES,     // even there
        NAMES_FLAGS // returns; what knows the names of flags is loaded before
    } kind;
    const char *code;
} script;

static const script scripts[] = {
    {"kmp_from_open_to_bytes", RETURNS,
     "local d <close> = assert(kart.open(KMP))\n"
     "assert(kart.type(d) == 'kmp' and d.game == 'mkw' and not d.battle and tostring(d))\n"
     "local object, group = d.gobj[1], d.ckph[1]\n"
     "assert(tostring(object) and #d.gobj > 0 and #d:sections() > 0)\n"
     "object.position = object.position + kart.vec(0, 1, 0)\n"
     "object.settings = { 1, 2, 3 }\n"
     "object.settings[2] = 5\n"
     "group.next[1] = d.ckph[2]\n"
     "assert(group.next[1] == 2 and group:raw 'next' and d.ckpt[1]:target 'respawn')\n"
     "assert(not pcall(function() object.presence = 'wrong' end))\n"
     "for name, value in pairs(object) do assert(name ~= nil) end\n"
     "for _, point in ipairs(d.poti[1].points) do point.speed = 1 end\n"
     "local copy = assert(d:clone())\n"
     "assert(copy:mirror('x', { at = 5 }))\n"
     "for _, warning in ipairs(copy.warnings) do assert(tostring(warning)) end\n"
     "assert(copy:bytes() ~= d:bytes())\n"
     "assert(kart.kmp.parse(copy:bytes()))\n"
     "assert(kart.members(d) and kart.members(object))"},
    {"kcl_prisms_removed", RETURNS,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "assert(select(2, assert(d:remove{ 2, 1 })) == 2)\n"
     "assert(d:bytes() and assert(d:prove{ share = 0.5 }).missing == 0)"},
    {"kmp_laps", RETURNS,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "local drive = assert(d:simulate_laps{ laps = 1, step = 400 })\n"
     "assert(#drive.events > 0)"},
    {"kmp_damaged", RETURNS,
     "for _, size in ipairs{ 0, 4, 20, 100, 3000 } do\n"
     "   local d, message, code = kart.kmp.parse(KMP_BYTES:sub(1, size))\n"
     "   assert(not d and message and code)\n"
     "end\n"
     "assert(not kart.open 'build/samples/none.kmp')"},
    {"kmp_edited_and_checked", RETURNS,
     "local function blank()\n"
     "   return assert(kart.kmp.blank('mkw', 2520, { gobj = 1, poti = 2, came = 2 }, { 2, 3 }))\n"
     "end\n"
     "local d = blank()\n"
     "d.gobj[1].route = 2\n"
     "local group = d.ckph:insert{}\n"
     "for _ = 1, 3 do d.ckpt:insert({ left = { 0, 1 } }, { group = group }) end\n"
     "assert(d.ckph:split(1, 2) and not pcall(d.ckpt.insert, d.ckpt, { group = 1 }))\n"
     "local references = assert(d:references())\n"
     "assert(#references > 10 and tostring(references[1].holder))\n"
     "assert(#assert(d:check{ arena = true }) > 0 and assert(d:fix 'ckpt-links') == 0)\n"
     "assert(d:merge(blank()))\n"
     "assert(assert(d:purge()).poti == 3)\n"
     "d.gobj:remove(1)\n"
     "d.ckpt:move(2, 3)\n"
     "assert(kart.kmp.parse(d:bytes()))"},
    {"kmp_dropped_and_checked_with_collision", RETURNS,
     "local d = assert(kart.kmp.blank('mkw', 2520, { gobj = 2, ktpt = 1, poti = 1 }, { 2 }))\n"
     "local ground = assert(kart.kcl.parse(KCL_BYTES))\n"
     "d.gobj[1].position = ground.prisms[1].corners[1]\n"
     "local report = assert(d:drop(ground, { 'ktpt', d.gobj, d.poti[1] },\n"
     "   { up = 1e6, max = math.huge, where = function(record) return tostring(record) end }))\n"
     "assert(#report.moved + report.stayed + #report.lost == 5)\n"
     "for _, drop in ipairs(report.moved) do assert(drop.record and drop.from ~= drop.to) end\n"
     "assert(#assert(d:check{ collision = ground }) > 0)\n"
     "assert(d:drop(assert(ground:mesh()), nil, { mask = 1 }))"},
    {"szs_checked", RETURNS,
     "local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "assert(#assert(d:check()) > 0 and d.kmp and d.kcl)\n"
     "d:remove 'course.kmp'\n"
     "assert(d:check())\n"
     "d:remove 'course.kcl'\n"
     "assert(not d:check())"},
    {"kcl_from_a_mesh", RETURNS,
     "local mesh = assert(kart.kcl.parse(KCL_BYTES)):mesh()\n"
     "local made, report = kart.kcl.build(mesh, { goal = 'size', drop = true })\n"
     "assert(made and report.faults and report.lists > 0 and #made.prisms == #mesh.triangles)\n"
     "assert(not kart.kcl.build(kart.mesh.new{ positions = {}, triangles = {} }))"},
    {"agp_from_open_to_bytes", NAMES_FLAGS,
     "local d <close> = assert(kart.open 'build/samples/agp/bounds_zero.bin')\n"
     "assert(kart.type(d) == 'agp' and tostring(d) and d.title and d.grid.width > 0)\n"
     "local t, w, c = d.triangles[1], d.walls[1], d.cells[1]\n"
     "assert(tostring(t) and t.corners[3] and t.edges[1] and #t.open == 3 and t.normal and t.min)\n"
     "assert(w.from and w.to and #c.triangles > 0 and c.walls and c.max and t == d.triangles[1])\n"
     "t.flag = 0x80000001\n"
     "t.surface = 'grass'\n"
     "assert(t.special and t.surface == 'grass' and not t.off_road)\n"
     "assert(not pcall(function() t.off_road = 'wrong' end))\n"
     "assert(#assert(d:flags()) == 2 and assert(d:map_flags{ [1] = 4 }) == 3)\n"
     "assert(d:stats().cells > 0)\n"
     "assert(d:check() and #d.warnings == 1)\n"
     "assert(d:lookup_ground(t.corners[1] + kart.vec(0, 9, 0)) and d:cell_at(t.corners[1]))\n"
     "assert(#d:lookup_grounds(t.corners[1]) > 0 and #d:lookup_walls(t.corners[1], 99) > 0)\n"
     "assert(d:nearest(t.corners[1]).triangle > 0)\n"
     "local copy = assert(d:clone())\n"
     "assert(assert(copy:mirror 'x'):rebuild{ walls = 'compute' })\n"
     "assert(not copy:rotate('x', 9) and copy:rotate('x', 9, { tip = true }))\n"
     "assert(kart.agp.parse(copy:bytes()) and #copy.warnings == 0)"},
    {"agp_from_a_mesh", NAMES_FLAGS,
     "local mesh = kart.mesh.new{ game = 'mkagp',\n"
     "   positions = { {0, 0, 0}, {0, 0, 9}, {9, 0, 0} },\n"
     "   triangles = { { 1, 2, 3, flag = 1 }, { 1, 2, 2, flag = 0x80000000 } } }\n"
     "local made, report = assert(kart.agp.build(mesh, { drop = true, flag = 'ice', cell = 5 }))\n"
     "assert(#report.faults == 1 and #made.triangles == 1)\n"
     "assert(#assert(made:mesh()).triangles == 1)\n"
     "assert(not kart.agp.build(mesh) and not kart.agp.parse('none') and kart.agp.rules()[1])\n"
     "assert(kart.agp.detect(made:bytes()) and not kart.agp.detect 'none')"},
    {"kcl_turned_and_built", RETURNS,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "assert(d:rotate('y', 30))\n"
     "assert(d:bytes() and not d.stale)\n"
     "assert(assert(d:prove()).missing == 0)\n"
     "assert(assert(d:list_lengths{ samples = 10 }).by_area.mean > 0)"},
    {"kcl_from_open_to_bytes", RETURNS,
     "local d = assert(kart.open(KCL))\n"
     "assert(kart.type(d) == 'kcl' and d.models[1] and d.title)\n"
     "local prism = d.prisms[1]\n"
     "assert(prism.corners and prism.area and tostring(prism))\n"
     "prism.flag = prism.flag ~ 1\n"
     "assert(d:stats() and d:check() and d:flags() and #d.warnings >= 0)\n"
     "local copy = assert(d:clone())\n"
     "assert(copy:mirror 'x')\n"
     "assert(copy:bytes() ~= d:bytes())\n"
     "d:close()\n"
     "assert(kart.kcl.parse(copy:bytes()))"},
    {"szs_from_open_to_bytes", RETURNS,
     "local d <close> = assert(kart.open(SZS))\n"
     "assert(kart.type(d) == 'szs' and d.origin == 'archive' and d.packed and tostring(d))\n"
     "assert(#d:list() == 14 and d.kmp == d:open 'course.kmp' and #d.objects == 1)\n"
     "d.kmp.gobj[1].id = 102\n"
     "d:open(d.objects[1]).prisms[1].flag = 1\n"
     "assert(d:mirror('x', { at = 5, object_kcl = true }))\n"
     "for _, warning in ipairs(d.warnings) do assert(tostring(warning)) end\n"
     "assert(d:add('new/a.bin', 'bytes') and d:rename('new', 'newer') and d:remove 'effect')\n"
     "assert(d:replace('map_model.brres', 'other') and d:read 'newer/a.bin' == 'bytes')\n"
     "d.kmp:close()\n"
     "local copy = assert(d:clone())\n"
     "assert(copy:bytes{ level = 'fast' } == d:bytes{ level = 'fast' })\n"
     "assert(copy.kmp.gobj[1].id == 102)"},
    {"szs_in_szs", RETURNS,
     "local d = assert(kart.szs.new())\n"
     "assert(d:add('in.szs', SZS_BYTES) and d:open('in.szs').kmp)\n"
     "d:open('in.szs').kmp.gobj[1].id = 102\n"
     "d:open('in.szs').kmp:close()\n"
     "d:open('in.szs'):close()\n"
     "assert(d:open('in.szs').kmp.gobj[1].id == 102 and d:bytes{ level = 'fast' })"},
    {"szs_damaged", RETURNS,
     "for _, size in ipairs{ 0, 4, 20, 100, 2000 } do\n"
     "   local d, message, code = kart.szs.parse(SZS_BYTES:sub(1, size))\n"
     "   assert(not d and message and code)\n"
     "end\n"
     "local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "assert(d:replace('course.kmp', KMP_BYTES:sub(1, 100)))\n"
     "assert(not d:mirror 'x' and not d:open 'course.kmp' and not pcall(function() return d.kmp "
     "end))\n"
     "assert(not d:open 'course_model.brres' and not d:read 'none' and not d:add 'a/../b')\n"
     "assert(not kart.course 'build/samples/none')"},
    {"szs_course_and_streams", RETURNS,
     "local d = assert(kart.course(KCL))\n"
     "assert(d.kcl and not d.kmp and d.origin == 'files')\n"
     "local stream = assert(kart.szs.encode(KCL_BYTES, { level = 'fast' }))\n"
     "assert(kart.szs.decode(stream) == KCL_BYTES and not kart.szs.decode(KCL_BYTES))"},
    {"kcl_lookups", RETURNS,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local place = d.prisms[1].corners[1]\n"
     "assert(#assert(d:lookup_sphere(place, 100, { from = { 0, 500, 0 }, mask = 0xFFFFFFFF })) > "
     "0)\n"
     "assert(d:lookup_point(place) and d:galaxy_sphere(place, 100) and d:cell_at(place))\n"
     "assert(#d:list_at(place) > 0)\n"
     "local points = kart.points.new({ place, { 0, 1e6, 0 } }, 'f64')\n"
     "assert(#points:bytes() == 48 and tostring(points) and points[2])\n"
     "local hits = assert(d:lookup_sphere_many(points, 100, { from = points }))\n"
     "assert(#hits.prism == hits.count[1] and #hits.prism:table() > 0 and hits.region[1])\n"
     "assert(d:verify{ queries = 5, radii = { 9 } }.misses)"},
    {"queries", RETURNS,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local place = d.prisms[1].corners[1]\n"
     "local hit = assert(d:nearest(place))\n"
     "assert(hit.point and hit.normal and tostring(hit) and d:sweep(place, 10, { 0, -1, 0 }))\n"
     "assert(#assert(d:segment({ 0, 1e5, 0 }, { 0, -1e5, 0 }, { mode = 'all' })) >= 0)\n"
     "assert(#assert(d:overlap{ sphere = { place, 1e5 } }) > 0)\n"
     "assert(#assert(d:overlap{ box = { { -9, -9, -9 }, { 9, 9, 9 } }, mask = 1 }) >= 0)\n"
     "local many = assert(d:raycast_many({ place, place }, { 0, -1, 0 }, { mask = 1 }))\n"
     "assert(#many.point == 2 and many.flag[1] and assert(d:ground_many(many.point)).hits)\n"
     "local mesh = assert(d:mesh())\n"
     "assert(mesh:nearest(place) and assert(mesh:clone()):translate{ 0, 1, 0 }:nearest(place))"},
    {"mesh_from_collision", RETURNS,
     "local mesh, report = assert(kart.kcl.parse(KCL_BYTES)):mesh{ weld = 1 }\n"
     "assert(kart.type(mesh) == 'mesh' and report.joined and tostring(mesh))\n"
     "assert(#kart.points.new(mesh.positions) == #mesh.positions)\n"
     "local triangle = mesh.triangles[1]\n"
     "assert(triangle.corners and triangle.normal and triangle.positions and tostring(triangle))\n"
     "triangle.flag = 3\n"
     "assert(mesh:stats() and mesh:bounds() and mesh.materials[1])\n"
     "local copy = assert(assert(mesh:clone()):mirror 'x')\n"
     "assert(copy:merge(mesh) and copy:drop_duplicates() and copy:drop_degenerate() and "
     "copy:weld(1))\n"
     "assert(#assert(copy:select(function(t) return t.index < 3 end)).triangles == 2)"},
    {"mesh_from_tables", RETURNS,
     "local mesh = kart.mesh.new{ positions = { { 0, 0, 0 }, { 0, 0, 1 }, kart.vec(1, 0, 0) },\n"
     "   triangles = { { 1, 2, 3, flag = 1, material = 'a', part = 'b' }, { 3, 2, 1, flag = 2 } } "
     "}\n"
     "assert(mesh:map(function(x, y, z) return x, y + 1, z end))\n"
     "assert(mesh:flip(2) and mesh:set_part 'c' and mesh:map_materials{ a = 5, [''] = 6 } == 2)\n"
     "assert(#assert(mesh:split()) == 2)"},
    {"mesh_to_obj", NAMES_FLAGS,
     "local mesh = assert(kart.mesh.parse('v 0 0 0\\nv 0 0 1\\nv 1 0 0\\nv 9 0 9\\nusemtl "
     "COL_01\\nf 1 2 3\\n'\n"
     "   .. 'usemtl a\\ng b_F0003\\nf 1 2 4 3', { mtl = 'newmtl a\\nKd 1 1 1' }))\n"
     "assert(assert(kart.mesh.parse(mesh:bytes())).triangles[3].flag == 3 and mesh:bytes 'mtl')"},
    {"mesh_to_ply", NAMES_FLAGS,
     "local mesh = assert(kart.open 'build/samples/obj/blender.obj')\n"
     "assert(mesh:bytes 'ply' and kart.mesh.pairs 'a = b\\nc = d')"},
    {"mesh_damaged", RETURNS,
     "for _, text in ipairs{ 'v 1', 'v 0 0 0\\nf 1 1 2', 'foo', 'v 0 0 0\\nf 1 1' } do\n"
     "   local m, message, code = kart.mesh.parse(text)\n"
     "   assert(not m and message and code)\n"
     "end\n"
     "assert(not kart.mesh.parse('v 0 0 0', { mtl = 'Kd 1 1 1' }) and not kart.mesh.pairs 'a')"},
    {"vectors_and_matrices", RETURNS,
     "local m = kart.matrix.rotation('y', 90):about{ 1, 2, 3 }\n"
     "assert(m:invert() and m:rows() and tostring(m))\n"
     "assert(kart.vec{ x = 1, y = 2, z = 3 } == kart.vec(1, 2, 3))"},

    // The document goes while a call still works with it.
    {"closed_by_a_vector", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "d.gobj[1].position = setmetatable({}, { __index = function() d:close() return 1.0 end })\n"
     "return d.gobj[1].position"},
    {"closed_by_a_list", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "d.gobj[1].settings = setmetatable({}, { __index = function() d:close() return 1 end })\n"
     "return d.gobj[1].settings"},
    {"closed_by_a_list_of_groups", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "d.ckph[1].next = setmetatable({}, { __index = function(_, i) d:close() return i == 1 and 2 "
     "or nil end })\n"
     "return d.ckph[1].next"},
    {"closed_by_a_coroutine", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "local closer = coroutine.wrap(function() d:close() while true do coroutine.yield(1.0) end "
     "end)\n"
     "d.gobj[1].position = setmetatable({}, { __index = function() return closer() end })\n"
     "return d.gobj[1].position"},
    {"closed_by_options_of_laps", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "assert(d:simulate_laps(setmetatable({}, { __index = function() d:close() end })))\n"
     "return d.gobj[1]"},
    {"closed_by_options_of_a_mirror", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "assert(d:mirror('x', setmetatable({}, { __index = function() d:close() end })))\n"
     "return d.gobj[1]"},
    {"closed_by_the_origin_of_a_turn", RAISES,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local origin = setmetatable({}, { __index = function() d:close() return 1.0 end })\n"
     "assert(d:rotate('y', 90, { origin = origin }))\n"
     "return d.prisms[1].flag"},
    {"closed_by_a_function_of_select", RAISES,
     "local m = assert(kart.kcl.parse(KCL_BYTES)):mesh()\n"
     "m:select(function() m:close() return true end)\n"
     "return m.game"},
    {"closed_by_a_function_of_map", RAISES,
     "local m = assert(kart.kcl.parse(KCL_BYTES)):mesh()\n"
     "m:map(function(x, y, z) m:close() return x, y, z end)\n"
     "return m.game"},
    {"changed_by_a_function_of_map", RAISES,
     "local m = assert(kart.kcl.parse(KCL_BYTES)):mesh()\n"
     "m:map(function(x, y, z)\n"
     "   if #m.positions < 5000 then m:merge(m) end\n"
     "   return x, y, z\n"
     "end)\n"
     "return m.game"},
    {"closed_by_a_list_of_triangles", RAISES,
     "local kept = {}\n"
     "local list = setmetatable({}, { __index = function(_, i) collectgarbage() return { 1, 1, 9 } "
     "end,\n"
     "   __len = function() return 3 end })\n"
     "return kart.mesh.new{ positions = { { 0, 0, 0 } }, triangles = list }"},
    {"closed_by_options_of_a_query", RAISES,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "d:ground({ 0, 0, 0 }, setmetatable({}, { __index = function() d:close() end }))\n"
     "return d.prisms[1].flag"},
    {"closed_by_the_choice_of_a_drop", RAISES,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "local ground = assert(kart.kcl.parse(KCL_BYTES))\n"
     "return d:drop(ground, 'gobj', { where = function() ground:close() return true end })"},
    {"edited_by_the_choice_of_a_drop", RETURNS,
     "local d = assert(kart.kmp.blank('mkw', 2520, { gobj = 3 }, {}))\n"
     "local ground = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local report = assert(d:drop(ground, 'gobj', { where = function(record)\n"
     "   if #d.gobj > 1 then d.gobj:remove(2) end\n"
     "   return true\n"
     "end }))\n"
     "assert(#report.moved + report.stayed + #report.lost == 1)"},
    {"closed_by_points_of_a_batch", RAISES,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local list = setmetatable({}, { __len = function() return 1 end,\n"
     "   __index = function() d:close() return { 0, 0, 0 } end })\n"
     "d:nearest_many(list)\n"
     "return d.prisms[1].flag"},
    {"closed_by_options_of_a_rebuild", RAISES,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "assert(d:rebuild(setmetatable({}, { __index = function() d:close() end })))\n"
     "return d.prisms[1].flag"},
    // Lua drops a finalizer when it has no memory to call it: so there is some, from deeper calls.
    {"closed_by_the_collector_while_warnings_are_built", RETURNS,
     "collectgarbage('incremental', 1, 200, 6)\n"
     "local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end\n"
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "assert(d:mirror 'x')\n"
     "for i = 1, 10 do\n"
     "   local copy = assert(d:clone())\n"
     "   setmetatable({}, { __gc = function() copy:close() end })\n"
     "   deep(200)\n"
     "   pcall(function() return copy.warnings, copy.warnings, copy:sections() end)\n"
     "end"},
    {"closed_by_the_collector_while_a_check_is_shown", RETURNS,
     "collectgarbage('incremental', 1, 200, 6)\n"
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "for i = 1, 10 do\n"
     "   local copy = assert(d:clone())\n"
     "   setmetatable({}, { __gc = function() copy:close() end })\n"
     "   pcall(function() return copy:check(), copy:flags(), copy:stats(), copy:bytes() end)\n"
     "end"},
    {"closed_by_options_of_an_archive", RAISES,
     "local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "local options = setmetatable({}, { __index = function() d:close() end })\n"
     "assert(d:mirror('x', options))\n"
     "return d.kmp"},
    {"closed_by_a_document_that_is_edited", RAISES,
     "local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "local kmp = d.kmp\n"
     "kmp.gobj[1].position = setmetatable({}, { __index = function() d:close() return 1.0 end })\n"
     "kmp.gobj[1].position = setmetatable({}, { __index = function() kmp:close() return 1.0 end "
     "})\n"
     "return kmp.gobj[1]"},
    {"closed_by_the_collector_while_an_archive_is_worked_on", RETURNS,
     "collectgarbage('incremental', 1, 200, 6)\n"
     "local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "for i = 1, 10 do\n"
     "   local copy = assert(d:clone())\n"
     "   local kmp = copy.kmp\n"
     "   setmetatable({}, { __gc = function() kmp:close() copy:close() end })\n"
     "   pcall(function() return copy:list(), copy.kcl, copy:mirror 'x', copy.warnings end)\n"
     "   pcall(function() return kmp.gobj[1].id, copy:bytes{ level = 'fast' } end)\n"
     "end"},
    {"emptied_by_the_collector_while_an_archive_is_worked_on", RETURNS,
     "collectgarbage('incremental', 1, 200, 6)\n"
     "for i = 1, 10 do\n"
     "   local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "   setmetatable({}, { __gc = function()\n"
     "      for _, file in ipairs(d:list() or {}) do d:remove(file.path) end\n"
     "      d:add('other.bin', 'x')\n"
     "   end })\n"
     "   pcall(function() return d:list(), d.objects, d.kmp, d.warnings end)\n"
     "   pcall(function() return d:open 'obj/rock.kcl', d:mirror('x', { object_kcl = true }) end)\n"
     "   assert(d:bytes{ level = 'fast' })\n"
     "end"},
    // A large file: the collector comes when its bytes are copied, in the middle of the call.
    {"emptied_by_the_collector_while_a_file_fails_to_open", RETURNS,
     "collectgarbage 'generational'\n"
     "for i = 1, 2 do\n"
     "   local d = assert(kart.szs.parse(SZS_BYTES))\n"
     "   assert(d:replace('course.kmp', ('x'):rep(1 << 18)))\n"
     "   setmetatable({}, { __gc = function() d:remove 'posteffect' d:remove 'course.kmp' end })\n"
     "   local _, message\n"
     "   if i == 1 then _, message = d:open 'course.kmp' else _, message = d:mirror 'x' end\n"
     "   assert(message:find '^course.kmp: ', message)\n"
     "end"},
    {"closed_by_the_origin_of_a_lookup", RAISES,
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local from = setmetatable({}, { __index = function() d:close() return 1.0 end })\n"
     "return d:lookup_sphere({ 0, 0, 0 }, 1, { from = from })"},
    {"edited_by_the_collector_while_it_is_looked_up_in", RETURNS,
     "collectgarbage('incremental', 1, 200, 6)\n"
     "local d = assert(kart.kcl.parse(KCL_BYTES))\n"
     "local place = d.prisms[1].corners[1]\n"
     "for i = 1, 10 do\n"
     "   local copy = assert(d:clone())\n"
     "   setmetatable({}, { __gc = function() copy:mirror 'x' copy:close() end })\n"
     "   pcall(function() return copy:lookup_sphere(place, 100), copy:list_at(place),\n"
     "      copy:cell_at(place), copy:verify{ queries = 3 } end)\n"
     "end"},
    {"closed_twice_and_by_the_end", RETURNS,
     "local d = assert(kart.kmp.parse(KMP_BYTES))\n"
     "local views = { d.gobj, d.gobj[1], d.gobj[1].settings, d.poti[1].points }\n"
     "d:close()\n"
     "d:close()\n"
     "for _, view in ipairs(views) do assert(not pcall(function() return view[1] end)) end\n"
     "kept = { d, setmetatable({}, { __gc = function() d:close() end }) }"},
};

// ---- Running ----

static void preload(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_kartlua_native);
    lua_setfield(L, -2, "kartlua.native");
    lua_pop(L, 1);
}

// A state with the script's function on its stack. Nothing fails while it is made.
static lua_State *state_new(heap *h, const script *s) {
    static const char setup[] = "kart = require 'kartlua.native'\n"
                                "KMP, KCL, SZS = ...\n"
                                "KMP_BYTES = assert(kart.file.read(KMP))\n"
                                "KCL_BYTES = assert(kart.file.read(KCL))\n"
                                "SZS_BYTES = assert(kart.file.read(SZS))";
    static const char names[] = "package.path = './lua/?.lua'\nrequire 'kartlua.materials'";
    lua_State *L = lua_newstate(lua_alloc, h);
    if (!L) abort();
    luaL_openlibs(L);
    preload(L);
    kart_ctx *ctx = bind_ctx(L);
    ctx->alloc = core_alloc;
    ctx->alloc_user = h;
    lua_pushcfunction(L, luaopen_kartlua_native);
    lua_pop(L, 1);
    if (s->kind == NAMES_FLAGS && luaL_dostring(L, names) != LUA_OK) exit(1);
    bool done = luaL_loadstring(L, setup) == LUA_OK;
    lua_pushstring(L, KMP);
    lua_pushstring(L, KCL);
    lua_pushstring(L, SZS);
    done = done && lua_pcall(L, 3, 0, 0) == LUA_OK && luaL_loadstring(L, s->code) == LUA_OK;
    if (done) return L;
    printf("%s: %s\n", s->name, lua_tostring(L, -1));
    exit(1);
}

// Give the status of a run in which the allocation `at` fails.
static int run(const script *s, failing how, size_t at, size_t *count) {
    heap h = {.at = at, .how = how};
    lua_State *L = state_new(&h, s);
    h.counts = true;
    int status = lua_pcall(L, 0, 0, 0);
    h.counts = false;
    *count = h.count;
    const char *message = status == LUA_OK ? NULL : lua_tostring(L, -1);
    if (at == 0 && (status != LUA_OK) != (s->kind == RAISES))
        printf("%s: %s\n", s->name, message ? message : "it should have raised");
    if (at == 0 && (status != LUA_OK) != (s->kind == RAISES)) status = -1;
    lua_close(L);
    if (h.blocks != 0 || h.bytes != 0) {
        printf("%s: allocation %zu fails (%d): %zu blocks of %zu bytes are left\n", s->name, at,
               (int)how, h.blocks, h.bytes);
        return -1;
    }
    return status;
}

static bool script_passes(const script *s, failing how) {
    size_t count = 0, at = 0, ignored;
    if (run(s, how, 0, &count) < 0) return false;
    while (++at <= count)
        if (run(s, how, at, &ignored) < 0) return false;
    return true;
}

int main(int argc, char **argv) {
    int passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        if (argc > 1 && strcmp(argv[1], scripts[i].name) != 0) continue;
        for (failing how = FAIL_ONCE; how <= FAIL_TWICE; how++)
            script_passes(&scripts[i], how) ? passed++ : failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
