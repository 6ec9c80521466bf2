// kcl:verify: the octree's answers against those of all prisms.
#include "bind/bind.h"

#include "kcl/verify.h"

#include <string.h>

static size_t option_count(lua_State *L, const char *name, size_t fallback, lua_Integer most) {
    int whole = 1;
    lua_Integer value = (lua_Integer)fallback;
    if (lua_getfield(L, 2, name) != LUA_TNIL) value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < 0 || value > most)
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "option '%s': expected a whole number from 0 up, got %s",
                                      name, luaL_tolstring(L, -1, NULL)));
    lua_pop(L, 1);
    return (size_t)value;
}

// A list of radii as floats that the stack keeps.
static void option_radii(lua_State *L, kcl_verify_options *options) {
    if (lua_getfield(L, 2, "radii") == LUA_TNIL) return;
    const lua_Integer count = lua_istable(L, -1) ? luaL_len(L, -1) : 0;
    if (count < 1 || count > 1000)
        luaL_argerror(L, 2, "option 'radii': expected a list of 1 to 1000 numbers");
    float *radii = lua_newuserdatauv(L, (size_t)count * sizeof *radii, 0);
    for (lua_Integer i = 0; i < count; i++) {
        const bool number = lua_geti(L, -2, i + 1) == LUA_TNUMBER;
        radii[i] = (float)lua_tonumber(L, -1);
        if (!number || !(radii[i] > 0) || !isfinite(radii[i]))
            luaL_argerror(L, 2,
                          lua_pushfstring(L, "option 'radii': expected numbers above 0, got %s",
                                          luaL_tolstring(L, -1, NULL)));
        lua_pop(L, 1);
    }
    options->radii = radii;
    options->radii_count = (size_t)count;
}

static void option_rule(lua_State *L, kcl_verify_options *options) {
    static const char *const rules[] = {"mkw", "galaxy", NULL};
    if (lua_getfield(L, 2, "rule") == LUA_TNIL) return;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    options->galaxy = name[0] == 'g';
    if (strcmp(name, rules[options->galaxy]) != 0)
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "option 'rule': expected mkw or galaxy, got %s",
                                      luaL_tolstring(L, -1, NULL)));
}

static void option_cells(lua_State *L, kcl_verify_options *options) {
    const int type = lua_getfield(L, 2, "cells");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "option 'cells': expected true or false, got %s",
                                      luaL_tolstring(L, -1, NULL)));
    options->without_cells = type == LUA_TBOOLEAN && !lua_toboolean(L, -1);
}

static void push_miss(lua_State *L, const kcl_miss *miss) {
    lua_createtable(L, 0, 7);
    bind_set_integer(L, "prism", (int64_t)miss->prism + 1);
    bind_set_number(L, "radius", miss->radius);
    bind_set_number(L, "distance", miss->distance);
    bind_set_number(L, "depth", miss->depth);
    bind_set_integer(L, "count", (int64_t)miss->count);
    bind_push_vec(L, miss->point);
    lua_setfield(L, -2, "point");
    if (miss->model == SIZE_MAX) return;
    bind_push_cell(L, miss->model, miss->cell_min, &miss->cell, miss->cell_prisms);
    lua_setfield(L, -2, "cell");
}

static void release(kart_ctx *ctx, void *data, size_t size) {
    (void)ctx;
    (void)size;
    kcl_verification_free(data);
}

int bind_kcl_verify(lua_State *L) {
    static const char *const names[] = {"queries", "seed", "radii", "rule", "cells", NULL};
    kcl_verify_options options = {.queries = KCL_VERIFY_QUERIES,
                                  .galaxy = kcl_verify_is_galaxy(bind_check_kcl(L, 1))};
    bind_check_options(L, 2, names);
    if (!lua_isnoneornil(L, 2)) {
        options.queries = option_count(L, "queries", options.queries, 1000000000);
        options.seed = (uint32_t)option_count(L, "seed", 0, UINT32_MAX);
        option_radii(L, &options);
        option_rule(L, &options);
        option_cells(L, &options);
    }
    kart_error error;
    bind_guard *guard = bind_guard_push(L, sizeof(kcl_verification));
    kcl_verification *v = guard->data;
    v->ctx = bind_ctx(L);
    guard->release = release;
    if (!kcl_verify(bind_check_kcl(L, 1), &options, v, &error)) return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 8);
    bind_set_integer(L, "queries", (int64_t)v->queries);
    bind_set_integer(L, "cells", (int64_t)v->cells);
    bind_set_integer(L, "probes", (int64_t)v->probes);
    bind_set_integer(L, "hits", (int64_t)v->hits);
    bind_set_integer(L, "far", (int64_t)v->far);
    bind_set_integer(L, "far_missed", (int64_t)v->far_missed);
    bind_set_integer(L, "unnamed", (int64_t)v->unnamed);
    lua_createtable(L, v->count < INT32_MAX ? (int)v->count : 0, 0);
    for (size_t i = 0; i < v->count; i++) {
        push_miss(L, &v->misses[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "misses");
    bind_guard_release(L, guard);
    return 1;
}
