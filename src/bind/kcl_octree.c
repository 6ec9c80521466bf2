// kart.kcl.build, and methods of kcl documents about their octrees: building, proving, measuring.
#include "bind/document.h"

#include "core/mesh.h"
#include "kcl/make.h"
#include "kcl/rebuild.h"

#include <string.h>

#define SAMPLES_MOST 1e8
#define BUDGET_MOST  1e9

// --- options ----------------------------------------------------------------------------------

// A number from the table at index 2; 0 if there is none.
static double option_from(lua_State *L, const char *name, double low, double high) {
    double value = bind_option_number(L, 2, name, low);
    if (!(value >= low && value <= high))
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "option '%s': expected a number from %d to %d", name,
                                      (int)low, (int)high));
    return isnan(bind_option_number(L, 2, name, (double)NAN)) ? 0 : value;
}

static size_t option_whole(lua_State *L, const char *name, double low, double high) {
    double value = option_from(L, name, low, high);
    if (value != floor(value))
        luaL_argerror(L, 2, lua_pushfstring(L, "option '%s': expected a whole number", name));
    return (size_t)value;
}

static kcl_goal option_goal(lua_State *L) {
    static const char *const names[] = {
        [KCL_BALANCED] = "balanced", [KCL_SIZE] = "size", [KCL_SPEED] = "speed"};
    if (!lua_istable(L, 2) || lua_getfield(L, 2, "goal") == LUA_TNIL) return KCL_BALANCED;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) return (kcl_goal)i;
    luaL_argerror(L, 2, "option 'goal': expected \"balanced\", \"size\" or \"speed\"");
    return KCL_BALANCED;
}

// The options of builders in the table at index 2.
static kcl_build_options build_options(lua_State *L) {
    kcl_build_options o = {.goal = option_goal(L),
                           .budget = option_whole(L, "budget", 1, BUDGET_MOST),
                           .smallest = (uint32_t)option_whole(L, "smallest", 1, 1 << 20),
                           .longest = option_whole(L, "longest", 1, KCL_PRISMS_LIMIT),
                           .roots = option_whole(L, "roots", 1, 1 << 20),
                           .model_prisms = option_whole(L, "model_prisms", 1, KCL_PRISMS_LIMIT),
                           .by_area = option_from(L, "by_area", 0, 1)};
    o.has_by_area = !isnan(bind_option_number(L, 2, "by_area", (double)NAN));
    if (o.smallest & (o.smallest - 1))
        luaL_argerror(L, 2, "option 'smallest': expected a power of two");
    return o;
}

// --- methods ----------------------------------------------------------------------------------

bool bind_kcl_build(lua_State *L, int index, kart_error *error) {
    kcl_doc *doc = bind_check_kcl(L, index);
    return !doc->stale || kcl_rebuild(doc, NULL, error);
}

// Of the document at index 1, with an octree that fits; raises nothing, fails where there is none.
static const kcl_doc *built(lua_State *L, kart_error *error) {
    return bind_kcl_build(L, 1, error) ? bind_check_kcl(L, 1) : NULL;
}

// rebuild(options)
int bind_kcl_rebuild(lua_State *L) {
    static const char *const names[] = {"goal",    "budget", "smallest",     "longest", "roots",
                                        "by_area", "split",  "model_prisms", NULL};
    kart_error error;
    bind_check_kcl(L, 1);
    bind_check_options(L, 2, names);
    const kcl_build_options options = build_options(L);
    bool split = bind_option_boolean(L, 2, "split");
    if (!(split ? kcl_split_anew : kcl_rebuild)(bind_check_kcl(L, 1), &options, &error))
        return bind_fail(L, NULL, &error);
    lua_settop(L, 1);
    return 1;
}

// remove(list): prisms by number, from 1.
int bind_kcl_remove(lua_State *L) {
    kart_error error;
    size_t removed;
    bind_check_kcl(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer count = luaL_len(L, 2);
    size_t prisms = bind_check_kcl(L, 1)->prisms_count;
    uint8_t *chosen = lua_newuserdatauv(L, prisms + 1, 0);
    memset(chosen, 0, prisms + 1);
    for (lua_Integer i = 1; i <= count; i++) {
        int whole = 0;
        lua_geti(L, 2, i);
        lua_Integer prism = lua_tointegerx(L, -1, &whole);
        if (!whole || prism < 1 || (lua_Unsigned)prism > prisms)
            return luaL_argerror(L, 2,
                                 lua_pushfstring(L,
                                                 "expected numbers of prisms from 1 to %d, got %s",
                                                 (int)prisms, luaL_tolstring(L, -1, NULL)));
        chosen[prism - 1] = 1;
        lua_pop(L, 1);
    }
    kcl_doc *doc = bind_check_kcl(L, 1);
    if (doc->prisms_count != prisms) return luaL_error(L, "the document was changed meanwhile");
    if (!kcl_prisms_remove(doc, chosen, &removed, &error)) return bind_fail(L, NULL, &error);
    lua_settop(L, 1);
    lua_pushinteger(L, (lua_Integer)removed);
    return 2;
}

static void push_missing(lua_State *L, const kcl_doc *doc, const kcl_missing *missing) {
    const kcl_leaf *leaf = &missing->leaf;
    kart_vec3 min = doc->models[missing->model].min;
    lua_createtable(L, 0, 5);
    bind_set_integer(L, "prism", (int64_t)missing->prism + 1);
    bind_set_integer(L, "model", (int64_t)missing->model + 1);
    bind_push_vec(L, vec3_add(min, (kart_vec3){leaf->cell[0], leaf->cell[1], leaf->cell[2]}));
    lua_setfield(L, -2, "cell");
    bind_set_integer(L, "edge", leaf->size);
    bind_set_number(L, "distance", missing->distance);
}

// prove{share =, seed =}: every leaf against all triangles.
int bind_kcl_prove(lua_State *L) {
    static const char *const names[] = {"share", "seed", NULL};
    kart_error error;
    kcl_proof proof;
    bind_check_kcl(L, 1);
    bind_check_options(L, 2, names);
    const kcl_proof_options options = {.share = option_from(L, "share", 0, 1),
                                       .seed = option_whole(L, "seed", 0, 1 << 30)};
    const kcl_doc *doc = built(L, &error);
    if (!doc || !kcl_prove(doc, &options, &proof, &error)) return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 5);
    bind_set_integer(L, "leaves", (int64_t)proof.leaves);
    bind_set_integer(L, "ids", (int64_t)proof.ids);
    bind_set_integer(L, "missing", (int64_t)proof.missing);
    bind_set_integer(L, "outside", (int64_t)proof.outside);
    lua_newtable(L);
    for (size_t i = 0; i < proof.missing && i < KCL_MISSING_SHOWN; i++) {
        push_missing(L, bind_check_kcl(L, 1), &proof.first[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "first");
    return 1;
}

static void push_length(lua_State *L, const char *name, const kcl_length *length) {
    lua_createtable(L, 0, 2);
    bind_set_number(L, "mean", length->mean);
    bind_set_integer(L, "longest", (int64_t)length->longest);
    lua_setfield(L, -2, name);
}

// list_lengths{samples =, seed =}
int bind_kcl_list_lengths(lua_State *L) {
    static const char *const names[] = {"samples", "seed", NULL};
    kart_error error;
    kcl_lengths lengths;
    bind_check_kcl(L, 1);
    bind_check_options(L, 2, names);
    size_t samples = option_whole(L, "samples", 1, SAMPLES_MOST);
    size_t seed = option_whole(L, "seed", 0, 1 << 30);
    const kcl_doc *doc = built(L, &error);
    if (!doc || !kcl_lengths_get(doc, samples ? samples : 100000, seed, &lengths, &error))
        return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 3);
    bind_set_integer(L, "samples", (int64_t)lengths.samples);
    push_length(L, "by_area", &lengths.by_area);
    push_length(L, "by_prism", &lengths.by_prism);
    return 1;
}

// --- files from meshes ------------------------------------------------------------------------

#define FAULTS_SHOWN 100

// What a mesh gives the builder; freed by triangles_free.
typedef struct triangles {
    kart_vec3 (*corners)[3];
    uint16_t *flags;
    size_t count;
} triangles;

static void triangles_free(kart_ctx *ctx, triangles *t) {
    kart_free(ctx, t->corners, t->count * sizeof *t->corners);
    kart_free(ctx, t->flags, t->count * sizeof *t->flags);
}

// `unflagged`: the flag of triangles of which nobody knows one; -1: they are an error.
static bool triangles_take(kart_ctx *ctx, const kart_mesh *mesh, int32_t unflagged, triangles *t,
                           kart_error *error) {
    *t = (triangles){.count = mesh->triangles_count};
    t->corners = kart_alloc(ctx, t->count * sizeof *t->corners, error);
    t->flags = t->corners ? kart_alloc(ctx, t->count * sizeof *t->flags, error) : NULL;
    if (!t->flags) return false;
    for (size_t i = 0; i < t->count; i++) {
        uint32_t flag = mesh->triangles[i].flag;
        if (flag == KART_NO_FLAG && unflagged >= 0) flag = (uint32_t)unflagged;
        if (flag > UINT16_MAX)
            return kart_fail(error, KART_FORMAT,
                             flag == KART_NO_FLAG
                                 ? "triangle %zu has no flag: its material says none"
                                 : "triangle %zu has a flag of more than 16 bits",
                             i + 1);
        kart_mesh_corners(mesh, i, t->corners[i]);
        t->flags[i] = (uint16_t)flag;
    }
    return true;
}

// Triangles that were left out, with the reasons.
static void push_faults(lua_State *L, const kcl_make_report *report, size_t count) {
    lua_Integer number = 0;
    lua_newtable(L);
    for (size_t i = 0; i < count && number < FAULTS_SHOWN; i++) {
        if (report->faults[i] == KCL_FAULT_NONE) continue;
        lua_createtable(L, 0, 2);
        bind_set_integer(L, "triangle", (int64_t)i + 1);
        bind_set_string(L, "reason", kcl_fault_text(report->faults[i]));
        lua_rawseti(L, -2, ++number);
    }
}

typedef struct held_report {
    kcl_make_report report;
    size_t count;
    double dropped_area;
} held_report;

static void report_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    const held_report *held = data;
    kart_free(ctx, held->report.faults, held->count * sizeof *held->report.faults);
}

static void push_report(lua_State *L, const held_report *held) {
    const kcl_make_report *r = &held->report;
    lua_createtable(L, 0, 16);
    bind_set_integer(L, "dropped", (int64_t)r->dropped);
    bind_set_number(L, "dropped_area", held->dropped_area);
    bind_set_integer(L, "positions", (int64_t)r->positions);
    bind_set_integer(L, "normals", (int64_t)r->normals);
    bind_set_number(L, "worst", r->worst);
    bind_set_integer(L, "worst_triangle", (int64_t)r->worst_at + 1);
    bind_set_integer(L, "models", (int64_t)r->models);
    bind_set_integer(L, "copies", (int64_t)r->copies);
    bind_set_integer(L, "shared", (int64_t)r->shared);
    bind_set_number(L, "turned", r->turned);
    bind_set_number(L, "tilted", r->tilted);
    bind_set_integer(L, "octree_bytes", (int64_t)r->octree.size);
    bind_set_integer(L, "lists", (int64_t)r->octree.lists);
    bind_set_integer(L, "longest_list", (int64_t)r->octree.longest);
    push_faults(L, r, held->count);
    lua_setfield(L, -2, "faults");
}

// build(mesh, options): a document and a report.
int bind_kcl_make(lua_State *L) {
    static const char *const names[] = {
        "game",   "thickness", "radius", "drop",     "flag",    "max_error",    "goal",
        "budget", "longest",   "roots",  "smallest", "by_area", "model_prisms", NULL};
    kart_ctx *ctx = bind_ctx(L);
    bind_check_mesh(L, 1);
    lua_settop(L, 2);
    bind_check_options(L, 2, names);
    kcl_game game = bind_option_game(L, 2);
    kcl_make_options options = {.thickness = option_from(L, "thickness", 0, 1e6),
                                .radius = option_from(L, "radius", 0, 1e6),
                                .drop = bind_option_boolean(L, 2, "drop"),
                                .max_error = option_from(L, "max_error", 0, 1e9),
                                .octree = build_options(L)};
    double flag = bind_option_number(L, 2, "flag", -1);
    luaL_argcheck(L, flag >= -1 && flag <= UINT16_MAX && flag == floor(flag), 2,
                  "option 'flag': expected a flag from 0 to 65535");
    bind_guard *guard = bind_guard_push(L, sizeof(held_report));
    held_report *held = guard->data;
    bind_box *box = bind_document_push(L, &bind_kcl_documents);
    const kart_mesh *mesh = bind_check_mesh(L, 1);
    const kcl_format *format = game < KCL_GAMES ? &kcl_formats[game] : kcl_format_find(mesh->game);
    if (!format) return luaL_error(L, "there is no game '%s' with KCL files", mesh->game);
    triangles t;
    kart_error error;
    kcl_doc *doc = NULL;
    held->count = mesh->triangles_count;
    if (triangles_take(ctx, mesh, (int32_t)flag, &t, &error)) {
        const kcl_make_input input = {(const kart_vec3(*)[3])t.corners, t.flags, t.count};
        doc = kcl_make(ctx, format, &input, &options, &held->report, &error);
        guard->release = report_release;
        for (size_t i = 0; doc && i < held->count; i++)
            if (held->report.faults[i] != KCL_FAULT_NONE)
                held->dropped_area += kart_mesh_triangle_area(mesh, i);
    }
    triangles_free(ctx, &t);
    int results = bind_document_open(L, box, doc, NULL, &error);
    if (results != 1) return results;
    push_report(L, held);
    bind_guard_release(L, guard);
    return 2;
}
