// The same queries for many points at once: points in, columns out.
#include "bind/query.h"

#include <string.h>

#define THREADS_MOST 1024

// The option of the table at `index`, 0 if there is none.
static unsigned option_threads(lua_State *L, int index) {
    const double value = bind_option_number(L, index, "threads", 0);
    if (!(value >= 0 && value <= THREADS_MOST) || value != floor(value))
        luaL_argerror(L, index, "option 'threads': expected a whole number, 0 for as many as pay");
    return (unsigned)value;
}

// What stands at stack index 2, or at `arg` for others.
static kart_points check_points(lua_State *L, int arg) {
    bind_make_points(L, arg);
    return bind_check_points(L, arg);
}

// One for all, or points, as many as there are.
static kart_points check_others(lua_State *L, int arg, size_t count, kart_vec3 *one) {
    if (bind_to_vec(L, arg, false, one) || luaL_testudata(L, arg, bind_vec.name)) {
        *one = bind_check_vec(L, arg);
        return (kart_points){one, 1, true};
    }
    const kart_points others = check_points(L, arg);
    luaL_argcheck(L, others.count == count, arg, "expected as many as there are points, or one");
    return others;
}

// A column or points in a field of the table on top; gives its memory.
static void *push_field(lua_State *L, const char *name, bind_column_kind kind, size_t count) {
    void *data = bind_push_column(L, kind, count);
    lua_setfield(L, -2, name);
    return data;
}

static double *push_vectors(lua_State *L, const char *name, size_t count) {
    double *data = bind_push_double_points(L, count);
    lua_setfield(L, -2, name);
    return data;
}

// The columns of answers in a new table, and flags, which come from the document.
static uint32_t *push_answers(lua_State *L, size_t count, kart_answers *a) {
    lua_createtable(L, 0, 9);
    *a = (kart_answers){.distance = push_field(L, "distance", BIND_DOUBLE, count),
                        .point = push_vectors(L, "point", count),
                        .normal = push_vectors(L, "normal", count),
                        .u = push_field(L, "u", BIND_DOUBLE, count),
                        .v = push_field(L, "v", BIND_DOUBLE, count),
                        .triangle = push_field(L, "triangle", BIND_U32, count)};
    return push_field(L, "flag", BIND_FLAG, count);
}

// Triangles count from 1 in Lua, and 0 is none.
static void finish(const bind_asked *asked, const kart_answers *a, uint32_t *flags, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t triangle = a->triangle[i]++;
        flags[i] =
            triangle == KART_NO_TRIANGLE ? KART_NO_FLAG : asked->shape->flag(asked->doc, triangle);
    }
}

static int many(lua_State *L, kart_query kind) {
    const bind_query *query = &bind_queries[kind];
    kart_batch batch = {.points = {0}};
    kart_answers answers;
    kart_vec3 one = {0, 0, 0};
    kart_error error;
    bind_asked asked = bind_check_asked(L);
    lua_settop(L, query->options);
    batch.points = check_points(L, 2);
    const double radius = kind == KART_SWEEP ? bind_check_radius(L, 3) : 0;
    if (query->has_other)
        batch.others = check_others(L, query->options - 1, batch.points.count, &one);
    bind_check_ask(L, query, BIND_ANY, "threads", &batch.ask, &asked);
    batch.threads = option_threads(L, query->options);
    batch.ask.radius = radius;
    uint32_t *flags = push_answers(L, batch.points.count, &answers);
    if (!bind_ask_tree(L, &batch.ask, &asked)) return 3;
    if (!kart_tree_ask_many(bind_ctx(L), asked.tree, &batch, &answers, &error))
        return bind_fail(L, NULL, &error);
    finish(&asked, &answers, flags, batch.points.count);
    bind_set_integer(L, "hits", (int64_t)answers.hits);
    bind_set_integer(L, "visits", (int64_t)answers.visits);
    return 1;
}

int bind_raycast_many(lua_State *L) { return many(L, KART_RAYCAST); }
int bind_segment_many(lua_State *L) { return many(L, KART_SEGMENT); }
int bind_ground_many(lua_State *L) { return many(L, KART_GROUND); }
int bind_ceiling_many(lua_State *L) { return many(L, KART_CEILING); }
int bind_nearest_many(lua_State *L) { return many(L, KART_NEAREST); }
int bind_sweep_many(lua_State *L) { return many(L, KART_SWEEP); }
