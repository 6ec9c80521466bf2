// What the games' engines find at a place: methods of kcl documents.
#include "bind/document.h"
#include "bind/flags.h"

#include "kcl/batch.h"
#include "kcl/galaxy.h"

#include <string.h>

static void vec_put(float to[3], kart_vec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

// --- arguments --------------------------------------------------------------------------------

// What the methods differ in.
typedef struct method {
    kcl_lookup_fn *lookup;
    bool has_radius, moves; // takes a radius; knows movement
    bool first;             // gives one hit or nil, not a list
} method;

static const method lookup_point = {kcl_lookup_point, false, true, false},
                    lookup_sphere = {kcl_lookup_sphere, true, true, false},
                    galaxy_point = {kcl_galaxy_point, false, false, true},
                    galaxy_sphere = {kcl_galaxy_sphere, true, false, false};

// The query of everything behind the point or points at stack index 2; gives the options' index.
static int check_query(lua_State *L, const method *m, kcl_query *query) {
    static const char *const moving[] = {"from", "flags", "mask", NULL};
    const int options = m->has_radius ? 4 : 3;
    *query = (kcl_query){.radius = 0};
    if (m->has_radius) query->radius = (float)bind_check_finite(L, 3);
    bind_check_options(L, options, m->moves ? moving : moving + 1);
    query->types = bind_check_types(L, options, bind_check_kcl(L, 1)->format->name);
    return options;
}

// The table of the document at stack index 1; NULL with what to return on the stack, 3 values. Call
// it last: nothing of Lua may run between it and the lookup.
static const kcl_lookup *check_lookup(lua_State *L) {
    kart_error error;
    kcl_doc *doc = bind_check_kcl(L, 1);
    const bool made = doc->lookup != NULL;
    const kcl_lookup *lookup = kcl_lookup_of(doc, &error);
    if (lookup && !made) {
        bind_pace(L, kcl_lookup_memory(doc));
        // A finalizer may have closed or edited the document.
        lookup = kcl_lookup_of(bind_check_kcl(L, 1), &error);
    }
    if (!lookup) bind_fail(L, NULL, &error);
    return lookup;
}

// --- results ----------------------------------------------------------------------------------

static void push_hit(lua_State *L, const kcl_hit *hit) {
    lua_createtable(L, 0, 5);
    bind_set_integer(L, "prism", (int64_t)hit->prism + 1);
    bind_set_number(L, "depth", (double)hit->depth);
    bind_set_integer(L, "flag", hit->flag);
    bind_set_string(L, "region", kcl_region_name(hit->region));
    const float *n = hit->normal;
    bind_push_vec(L, (kart_vec3){(double)n[0], (double)n[1], (double)n[2]});
    lua_setfield(L, -2, "normal");
}

static void hits_release(kart_ctx *ctx, void *data, size_t size) {
    (void)ctx;
    (void)size;
    kcl_hits_free(data);
}

static kcl_hits *hits_push(lua_State *L, bind_guard **guard) {
    *guard = bind_guard_push(L, sizeof(kcl_hits));
    kcl_hits *hits = (*guard)->data;
    hits->ctx = bind_ctx(L);
    (*guard)->release = hits_release;
    return hits;
}

// --- one point --------------------------------------------------------------------------------

static int one(lua_State *L, const method *m) {
    kcl_query query;
    kart_error error;
    bind_guard *guard;
    bind_check_kcl(L, 1);
    const kart_vec3 point = bind_check_vec(L, 2);
    const int options = check_query(L, m, &query);
    kart_vec3 from;
    vec_put(query.point, point);
    query.moving = m->moves && bind_option_vec(L, options, "from", &from);
    if (query.moving) vec_put(query.from, from);
    kcl_hits *hits = hits_push(L, &guard);
    const kcl_lookup *lookup = check_lookup(L);
    if (!lookup) return 3;
    if (!m->lookup(lookup, &query, hits, &error)) return bind_fail(L, NULL, &error);
    const size_t count = hits->count;
    if (m->first) {
        if (count == 0) return 0;
        push_hit(L, &hits->items[0]);
        return 1;
    }
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_hit(L, &hits->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)hits->tested);
    bind_guard_release(L, guard);
    return 2;
}

int bind_kcl_lookup_point(lua_State *L) { return one(L, &lookup_point); }
int bind_kcl_lookup_sphere(lua_State *L) { return one(L, &lookup_sphere); }
int bind_kcl_galaxy_point(lua_State *L) { return one(L, &galaxy_point); }
int bind_kcl_galaxy_sphere(lua_State *L) { return one(L, &galaxy_sphere); }

int bind_kcl_galaxy_arrow(lua_State *L) {
    static const char *const names[] = {"flags", "mask", NULL};
    bind_check_kcl(L, 1);
    const kart_vec3 start = bind_check_vec(L, 2), along = bind_check_vec(L, 3);
    bind_check_options(L, 4, names);
    const uint32_t types = bind_check_types(L, 4, bind_check_kcl(L, 1)->format->name);
    float from[3], way[3];
    vec_put(from, start);
    vec_put(way, along);
    kcl_hit hit;
    const kcl_lookup *lookup = check_lookup(L);
    if (!lookup) return 3;
    if (!kcl_galaxy_arrow(lookup, from, way, types, &hit)) return 0;
    push_hit(L, &hit);
    lua_pushnil(L);
    lua_setfield(L, -2, "depth");
    bind_set_number(L, "fraction", (double)hit.depth);
    bind_push_vec(L, vec3_add(start, vec3_scale(along, (double)hit.depth)));
    lua_setfield(L, -2, "position");
    return 1;
}

// --- many points ------------------------------------------------------------------------------

// A member of every hit as a column in a field of the table on the stack. Gives the column.
static void *column_set(lua_State *L, const char *name, bind_column_kind kind, const kcl_hits *hits,
                        size_t offset, size_t size) {
    uint8_t *column = bind_push_column(L, kind, hits->count);
    for (size_t i = 0; i < hits->count; i++)
        memcpy(column + i * size, (const uint8_t *)&hits->items[i] + offset, size);
    lua_setfield(L, -2, name);
    return column;
}

#define COLUMN_SET(L, name, kind, hits, member)                                                    \
    column_set(L, name, kind, hits, offsetof(kcl_hit, member), sizeof((kcl_hit *)0)->member)

static void push_columns(lua_State *L, const kcl_hits *hits, const size_t *ends, size_t points) {
    lua_createtable(L, 0, 8);
    uint32_t *prism = COLUMN_SET(L, "prism", BIND_U32, hits, prism);
    for (size_t i = 0; i < hits->count; i++) prism[i]++;
    COLUMN_SET(L, "depth", BIND_FLOAT, hits, depth);
    COLUMN_SET(L, "flag", BIND_U16, hits, flag);
    COLUMN_SET(L, "region", BIND_REGION, hits, region);
    float *normals = bind_push_float_points(L, hits->count);
    for (size_t i = 0; i < hits->count; i++)
        memcpy(normals + 3 * i, hits->items[i].normal, 3 * sizeof *normals);
    lua_setfield(L, -2, "normal");
    uint32_t *count = bind_push_column(L, BIND_U32, points);
    for (size_t i = 0; i < points; i++) count[i] = (uint32_t)(ends[i] - (i > 0 ? ends[i - 1] : 0));
    lua_setfield(L, -2, "count");
    uint32_t *of = bind_push_column(L, BIND_U32, hits->count);
    for (size_t i = 0, hit = 0; i < points; i++)
        while (hit < ends[i]) of[hit++] = (uint32_t)i + 1;
    lua_setfield(L, -2, "point");
    bind_set_integer(L, "tested", (int64_t)hits->tested);
}

static int many(lua_State *L, const method *m) {
    kcl_batch batch = {.lookup = m->lookup};
    kart_points from;
    kart_error error;
    bind_guard *guard, *ends_guard;
    bind_check_kcl(L, 1);
    batch.points = bind_check_points(L, 2);
    const int options = check_query(L, m, &batch.query);
    if (m->moves && !lua_isnoneornil(L, options) && lua_getfield(L, options, "from") != LUA_TNIL) {
        if (!luaL_testudata(L, -1, bind_points.name))
            luaL_argerror(L, options, "option 'from': expected points");
        from = bind_check_points(L, lua_gettop(L)); // which the stack keeps alive
        if (from.count != batch.points.count)
            luaL_argerror(L, options, "option 'from': expected as many points as there are");
        batch.from = &from;
    }
    kcl_hits *hits = hits_push(L, &guard);
    const size_t count = batch.points.count;
    ends_guard = bind_guard_push(L, count * sizeof(size_t));
    const kcl_lookup *lookup = check_lookup(L);
    if (!lookup) return 3;
    if (!kcl_batch_run(lookup, &batch, hits, ends_guard->data, &error))
        return bind_fail(L, NULL, &error);
    push_columns(L, hits, ends_guard->data, count);
    bind_guard_release(L, guard);
    return 1;
}

int bind_kcl_lookup_point_many(lua_State *L) { return many(L, &lookup_point); }
int bind_kcl_lookup_sphere_many(lua_State *L) { return many(L, &lookup_sphere); }
int bind_kcl_galaxy_point_many(lua_State *L) { return many(L, &galaxy_point); }
int bind_kcl_galaxy_sphere_many(lua_State *L) { return many(L, &galaxy_sphere); }

// --- cells ------------------------------------------------------------------------------------

// The cell of the point at stack index 2.
static const kcl_doc *check_cell(lua_State *L, size_t *model, kcl_leaf *leaf) {
    const kcl_doc *doc = bind_check_kcl(L, 1);
    float point[3];
    vec_put(point, bind_check_vec(L, 2));
    return kcl_cell_at(doc, point, model, leaf) ? doc : NULL;
}

void bind_push_cell(lua_State *L, size_t model, kart_vec3 min, const kcl_leaf *leaf,
                    size_t prisms) {
    const kart_vec3 corner = {leaf->cell[0], leaf->cell[1], leaf->cell[2]};
    lua_createtable(L, 0, 5);
    bind_set_integer(L, "model", (int64_t)model + 1);
    bind_set_integer(L, "size", leaf->size);
    bind_set_integer(L, "depth", leaf->depth);
    bind_set_integer(L, "prisms", (int64_t)prisms);
    bind_push_vec(L, vec3_add(min, corner));
    lua_setfield(L, -2, "min");
}

int bind_kcl_cell_at(lua_State *L) {
    size_t model;
    kcl_leaf leaf;
    const kcl_doc *doc = check_cell(L, &model, &leaf);
    if (!doc) return 0;
    bind_push_cell(L, model, doc->models[model].min, &leaf, kcl_list_length(doc, leaf.list));
    return 1;
}

int bind_kcl_list_at(lua_State *L) {
    size_t model, prism, first = 0;
    kcl_leaf leaf;
    const kcl_doc *doc = check_cell(L, &model, &leaf);
    if (!doc) return 0;
    lua_createtable(L, (int)kcl_list_length(doc, leaf.list), 0);
    // A finalizer may have edited the document meanwhile; from here on none runs.
    doc = check_cell(L, &model, &leaf);
    if (!doc) return 0;
    for (size_t m = 0; m < model; m++) first += doc->models[m].prisms_count;
    for (lua_Integer i = 1; kcl_list_next(doc, &leaf.list, &prism); i++) {
        lua_pushinteger(L, (lua_Integer)(first + prism) + 1);
        lua_rawseti(L, -2, i);
    }
    return 1;
}
