// Geometry of documents with triangles: rays, what is near, what a box holds; one at a time.
#include "bind/query.h"
#include "bind/flags.h"

#include "kcl/flag.h"

#include <string.h>

const bind_query bind_queries[KART_QUERIES] = {
    [KART_RAYCAST] = {KART_RAYCAST, true, 4, true, true, KART_BOTH},
    [KART_SEGMENT] = {KART_SEGMENT, true, 4, true, false, KART_BOTH},
    [KART_GROUND] = {KART_GROUND, false, 3, false, true, KART_FRONT},
    [KART_CEILING] = {KART_CEILING, false, 3, false, true, KART_FRONT},
    [KART_NEAREST] = {KART_NEAREST, false, 3, false, true, KART_FACES},
    [KART_SWEEP] = {KART_SWEEP, true, 5, false, false, KART_BOTH},
};

// --- arguments --------------------------------------------------------------------------------

// The kinds of documents that have triangles come one after the other: this is asked for every
// query.
static bind_box *asked_box(lua_State *L) {
    for (size_t i = 0; bind_documents[i]; i++) {
        if (!bind_documents[i]->shape) continue;
        bind_box *box = luaL_testudata(L, 1, bind_documents[i]->type->name);
        if (box) return box;
    }
    luaL_typeerror(L, 1, "document with triangles");
    return NULL;
}

static void *open_doc(lua_State *L, const bind_box *box) {
    if (!box->doc || box->closed) luaL_error(L, "the document is closed");
    return box->doc;
}

bind_asked bind_check_asked(lua_State *L) {
    const bind_box *box = asked_box(L);
    return (bind_asked){.doc = open_doc(L, box),
                        .shape = box->kind->shape,
                        .types = BIND_TYPES_ALL,
                        .game = KCL_GAMES};
}

// The number of the option's word among `words`; `fallback` if there is none.
static int option_word(lua_State *L, int index, const char *name, const char *const words[],
                       int count, int fallback) {
    int found = -1;
    if (lua_getfield(L, index, name) == LUA_TNIL) {
        found = fallback;
    } else {
        for (int i = 0; i < count && lua_type(L, -1) == LUA_TSTRING; i++)
            if (strcmp(words[i], lua_tostring(L, -1)) == 0) found = i;
    }
    if (found < 0)
        luaL_argerror(L, index,
                      lua_pushfstring(L, "option '%s': expected \"%s\", \"%s\"%s%s%s, got %s", name,
                                      words[0], words[1], count > 2 ? " or \"" : "",
                                      count > 2 ? words[2] : "", count > 2 ? "\"" : "",
                                      luaL_tolstring(L, -1, NULL)));
    lua_pop(L, 1);
    return found;
}

static double option_length(lua_State *L, int index, const char *name) {
    const double value = bind_option_number(L, index, name, (double)INFINITY);
    if (!(value >= 0))
        luaL_argerror(L, index, lua_pushfstring(L, "option '%s': a number from 0 up", name));
    return value;
}

static void check_surfaces(lua_State *L, int index, bind_asked *asked) {
    const char *game = asked->shape->game(asked->doc);
    const kcl_format *format = kcl_format_find(game);
    asked->game = format ? format->game : KCL_GAMES;
    asked->wide = strcmp(game, BIND_WIDE_GAME) == 0;
    asked->types = bind_check_types(L, index, game);
}

double bind_check_radius(lua_State *L, int arg) {
    const double radius = bind_check_finite(L, arg);
    luaL_argcheck(L, radius >= 0, arg, "a radius is a number from 0 up");
    return radius;
}

bind_mode bind_check_ask(lua_State *L, const bind_query *query, bind_mode most, const char *more,
                         kart_ask *ask, bind_asked *asked) {
    static const char *const modes[] = {"nearest", "any", "all"};
    static const char *const faces[] = {"both", "front", "back"};
    const int at = query->options;
    bind_mode mode = BIND_NEAREST;
    *ask = (kart_ask){.query = query->query,
                      .max = (double)INFINITY,
                      .faces = query->faces == KART_FACES ? KART_BOTH : query->faces};
    if (lua_isnoneornil(L, at)) return mode;
    const char *names[7] = {"flags", "mask"};
    size_t count = 2;
    if (query->has_max) names[count++] = "max";
    if (query->has_mode) names[count++] = "mode";
    if (query->faces != KART_FACES) names[count++] = "faces";
    names[count] = more;
    bind_check_options(L, at, names);
    if (query->has_max) ask->max = option_length(L, at, "max");
    if (query->has_mode) mode = (bind_mode)option_word(L, at, "mode", modes, (int)most + 1, 0);
    if (query->faces != KART_FACES)
        ask->faces = (kart_faces)option_word(L, at, "faces", faces, KART_FACES, (int)query->faces);
    ask->any = mode == BIND_ANY;
    check_surfaces(L, at, asked);
    return mode;
}

static bool is_of_types(const void *user, uint32_t triangle) {
    const bind_asked *asked = user;
    const uint32_t flag = asked->shape->flag(asked->doc, triangle);
    if (asked->wide) return flag != KART_NO_FLAG && (flag & asked->types) != 0;
    return flag <= UINT16_MAX && asked->types >> kcl_flag_type(asked->game, (uint16_t)flag) & 1;
}

bool bind_ask_tree(lua_State *L, kart_ask *ask, bind_asked *asked) {
    kart_error error;
    const bind_box *box = asked_box(L);
    void *doc = open_doc(L, box);
    const bool had = asked->shape->has_tree(doc);
    asked->tree = asked->shape->tree(doc, &error);
    if (asked->tree && !had) {
        bind_pace(L, kart_tree_memory(asked->tree));
        // A finalizer may have closed or edited the document.
        doc = open_doc(L, box);
        asked->tree = asked->shape->tree(doc, &error);
    }
    asked->doc = doc;
    if (!asked->tree) {
        bind_fail(L, NULL, &error);
        return false;
    }
    if (asked->types != BIND_TYPES_ALL) {
        ask->accept = is_of_types;
        ask->user = asked;
    }
    return true;
}

// --- one answer -------------------------------------------------------------------------------

static void hits_release(kart_ctx *ctx, void *data, size_t size) {
    (void)ctx, (void)size;
    kart_hits_free(data);
}

static int push_all(lua_State *L, const kart_ask *ask, const bind_asked *asked, kart_vec3 point,
                    kart_vec3 other, bind_guard *guard) {
    kart_error error;
    kart_hits *hits = guard->data;
    if (!kart_tree_ask_all(asked->tree, ask, point, other, hits, &error))
        return bind_fail(L, NULL, &error);
    // From here on Lua may run, and edit the document.
    for (size_t i = 0; i < hits->count; i++)
        hits->items[i].flag = asked->shape->flag(asked->doc, hits->items[i].triangle);
    lua_createtable(L, (int)hits->count, 0);
    for (size_t i = 0; i < hits->count; i++) {
        bind_push_hit(L, &hits->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)hits->visits);
    bind_guard_release(L, guard);
    return 2;
}

static int one(lua_State *L, kart_query kind) {
    const bind_query *query = &bind_queries[kind];
    kart_ask ask;
    kart_hit hit;
    bind_guard *guard = NULL;
    bind_asked asked = bind_check_asked(L);
    const kart_vec3 point = bind_check_vec(L, 2);
    const double radius = kind == KART_SWEEP ? bind_check_radius(L, 3) : 0;
    const kart_vec3 other =
        query->has_other ? bind_check_vec(L, query->options - 1) : (kart_vec3){0, 0, 0};
    const bind_mode mode = bind_check_ask(L, query, BIND_ALL, NULL, &ask, &asked);
    ask.radius = radius;
    if (mode == BIND_ALL) {
        guard = bind_guard_push(L, sizeof(kart_hits));
        ((kart_hits *)guard->data)->ctx = bind_ctx(L);
        guard->release = hits_release;
    }
    if (!bind_ask_tree(L, &ask, &asked)) return 3;
    if (mode == BIND_ALL) return push_all(L, &ask, &asked, point, other, guard);
    if (!kart_tree_ask(asked.tree, &ask, point, other, &hit)) return 0;
    hit.flag = asked.shape->flag(asked.doc, hit.triangle);
    bind_push_hit(L, &hit);
    return 1;
}

int bind_raycast(lua_State *L) { return one(L, KART_RAYCAST); }
int bind_segment(lua_State *L) { return one(L, KART_SEGMENT); }
int bind_ground(lua_State *L) { return one(L, KART_GROUND); }
int bind_ceiling(lua_State *L) { return one(L, KART_CEILING); }
int bind_nearest(lua_State *L) { return one(L, KART_NEAREST); }
int bind_sweep(lua_State *L) { return one(L, KART_SWEEP); }

// --- what a box or a sphere holds -------------------------------------------------------------

static void numbers_release(kart_ctx *ctx, void *data, size_t size) {
    (void)ctx, (void)size;
    kart_numbers_free(data);
}

// A pair in a field of the table at 2: its members stay on the stack. False if there is none.
static bool option_pair(lua_State *L, const char *name) {
    const int type = lua_getfield(L, 2, name);
    if (type == LUA_TNIL) return false;
    if (type == LUA_TTABLE) {
        lua_geti(L, -1, 1);
        lua_geti(L, -2, 2);
    }
    if (type != LUA_TTABLE || lua_isnil(L, -2) || lua_isnil(L, -1))
        luaL_argerror(L, 2, lua_pushfstring(L, "option '%s': expected a table of two", name));
    return true;
}

static kart_vec3 pair_vec(lua_State *L, const char *name, int at) {
    kart_vec3 v = {0, 0, 0};
    if (!bind_to_vec(L, at, false, &v))
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "option '%s': expected a vector of finite numbers", name));
    return v;
}

// overlap{ box = { low, high } } or overlap{ sphere = { center, radius } }
int bind_overlap(lua_State *L) {
    static const char *const names[] = {"box", "sphere", "flags", "mask", NULL};
    kart_ask ask = {.max = 0};
    kart_box box = {.low = {0, 0, 0}};
    kart_near sphere = {.max = 0};
    kart_error error;
    bind_asked asked = bind_check_asked(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    bind_check_options(L, 2, names);
    check_surfaces(L, 2, &asked);
    const bool is_box = option_pair(L, "box"), is_sphere = option_pair(L, "sphere");
    luaL_argcheck(L, is_box != is_sphere, 2, "expected a box or a sphere");
    if (is_box) {
        box.low = pair_vec(L, "box", -3);
        box.high = pair_vec(L, "box", -2);
    } else {
        sphere.point = pair_vec(L, "sphere", -2);
        sphere.max = lua_tonumber(L, -1);
        luaL_argcheck(L, lua_type(L, -1) == LUA_TNUMBER && isfinite(sphere.max) && sphere.max >= 0,
                      2, "option 'sphere': expected a radius from 0 up");
    }
    bind_guard *guard = bind_guard_push(L, sizeof(kart_numbers));
    kart_numbers *numbers = guard->data;
    numbers->ctx = bind_ctx(L);
    guard->release = numbers_release;
    if (!bind_ask_tree(L, &ask, &asked)) return 3;
    box.accept = sphere.accept = ask.accept;
    box.user = sphere.user = ask.user;
    if (!(is_box ? kart_tree_overlap_box(asked.tree, &box, numbers, &error)
                 : kart_tree_overlap_sphere(asked.tree, &sphere, numbers, &error)))
        return bind_fail(L, NULL, &error);
    lua_createtable(L, (int)numbers->count, 0);
    for (size_t i = 0; i < numbers->count; i++) {
        lua_pushinteger(L, (lua_Integer)numbers->items[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)numbers->visits);
    bind_guard_release(L, guard);
    return 2;
}
