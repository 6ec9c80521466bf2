// kart.agp: documents of the arcade games' collision.
#include "bind/agp.h"
#include "bind/flags.h"

#include "agp/check.h"
#include "agp/mesh.h"

#include <stdlib.h>

agp_doc *bind_check_agp(lua_State *L, int index) {
    return bind_document_check(L, index, &bind_agp_documents);
}

static int parse_bytes(lua_State *L) {
    size_t size;
    const char *data = luaL_checklstring(L, 1, &size);
    return bind_document_parse(L, &bind_agp_documents, NULL, (const uint8_t *)data, size,
                               KCL_GAMES);
}

// detect(bytes): could they be a file of this kind? Nothing else tells a .bin apart.
static int detect_bytes(lua_State *L) {
    size_t size;
    const char *data = luaL_checklstring(L, 1, &size);
    lua_pushboolean(L, agp_detect((const uint8_t *)data, size));
    return 1;
}

// The rules of agp:check, for --explain and the reference page.
static int rules_list(lua_State *L) { return bind_push_rules(L, agp_rule_at); }

// --- methods ----------------------------------------------------------------------------------

static bool check_run(lua_State *L, void *user, kart_findings *findings, kart_error *error) {
    (void)user;
    return agp_check(bind_check_agp(L, 1), findings, error);
}

static int doc_check(lua_State *L) { return bind_push_check(L, check_run, NULL); }

static int doc_stats(lua_State *L) {
    agp_stats s;
    agp_stats_get(bind_check_agp(L, 1), &s);
    lua_createtable(L, 0, 16);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"triangles", (double)s.triangles},
                   {"walls", (double)s.walls},
                   {"triangle_places", (double)s.triangle_places},
                   {"wall_places", (double)s.wall_places},
                   {"cells", (double)s.cells},
                   {"empty_cells", (double)s.empty_cells},
                   {"longest_list", (double)s.longest_list},
                   {"mean_list", s.mean_list},
                   {"down", (double)s.down},
                   {"degenerate", (double)s.degenerate},
                   {"open_edges", (double)s.open_edges},
                   {"special", (double)s.special},
                   {"area", s.area}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bind_push_number(L, numbers[i].value);
        lua_setfield(L, -2, numbers[i].name);
    }
    if (s.low.x <= s.high.x) {
        bind_push_vec(L, s.low);
        lua_setfield(L, -2, "low");
        bind_push_vec(L, s.high);
        lua_setfield(L, -2, "high");
    }
    return 1;
}

static void bytes_release(kart_ctx *ctx, void *data, size_t size) { kart_free(ctx, data, size); }

static int doc_flags(lua_State *L) {
    kart_error error;
    size_t count = 0;
    bind_check_agp(L, 1);
    bind_guard *guard = bind_guard_push(L, 0);
    agp_flag_count *counts = agp_flags_count(bind_check_agp(L, 1), &count, &error);
    if (!counts) return bind_fail(L, NULL, &error);
    *guard = (bind_guard){counts, count * sizeof *counts, bytes_release};
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 3);
        bind_set_integer(L, "flag", (int64_t)counts[i].flag);
        bind_set_integer(L, "count", (int64_t)counts[i].count);
        bind_set_number(L, "area", counts[i].area);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    bind_guard_release(L, guard);
    return 1;
}

static uint32_t check_flag(lua_State *L, int index) {
    uint32_t flag = 0;
    if (!bind_to_wide_flag(L, index, &flag))
        luaL_error(L, "expected a flag from 0 to 4294967295, got %s",
                   luaL_tolstring(L, index, NULL));
    return flag;
}

typedef struct flag_pair {
    uint32_t from, to;
} flag_pair;

static int pair_compare(const void *a, const void *b) {
    uint32_t x = ((const flag_pair *)a)->from, y = ((const flag_pair *)b)->from;
    return (x > y) - (x < y);
}

// map_flags{ [old] = new }
static int doc_map_flags(lua_State *L) {
    size_t count = 0, at = 0, changed;
    kart_error error;
    bind_check_agp(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) count++;
    flag_pair *pairs = lua_newuserdatauv(L, count * sizeof *pairs + 1, 0);
    uint32_t *flags = lua_newuserdatauv(L, 2 * count * sizeof *flags + 1, 0);
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
        pairs[at++] = (flag_pair){check_flag(L, -2), check_flag(L, -1)};
    qsort(pairs, count, sizeof *pairs, pair_compare);
    for (size_t i = 0; i < count; i++) {
        flags[i] = pairs[i].from;
        flags[count + i] = pairs[i].to;
    }
    if (!agp_flags_map(bind_check_agp(L, 1), flags, flags + count, count, &changed, &error))
        return bind_fail(L, NULL, &error);
    lua_pushinteger(L, (lua_Integer)changed);
    return 1;
}

static int doc_retag(lua_State *L) {
    bind_check_agp(L, 1);
    return bind_retag(L);
}

// mesh(): the triangles, and how many had to be left out.
static int doc_mesh(lua_State *L) {
    kart_error error;
    size_t left_out = 0;
    bind_check_agp(L, 1);
    bind_box *box = bind_document_push(L, &bind_mesh_documents);
    kart_mesh *mesh = agp_mesh(bind_check_agp(L, 1), &left_out, &error);
    int results = bind_document_open(L, box, mesh, NULL, &error);
    if (results != 1) return results;
    lua_createtable(L, 0, 1);
    bind_set_integer(L, "left_out", (int64_t)left_out);
    return 2;
}

// --- properties -------------------------------------------------------------------------------

static int doc_game(lua_State *L) {
    bind_check_agp(L, 1);
    lua_pushliteral(L, BIND_WIDE_GAME);
    return 1;
}

static int doc_title(lua_State *L) {
    bind_check_agp(L, 1);
    lua_pushliteral(L, "Mario Kart Arcade GP");
    return 1;
}

static int doc_triangles(lua_State *L) {
    bind_check_agp(L, 1);
    bind_push_agp_triangles(L, 1);
    return 1;
}

static int doc_walls(lua_State *L) {
    bind_check_agp(L, 1);
    bind_push_agp_walls(L, 1);
    return 1;
}

static int doc_cells(lua_State *L) {
    bind_check_agp(L, 1);
    bind_push_agp_cells(L, 1);
    return 1;
}

static void set_flat(lua_State *L, const char *name, const float at[2]) {
    bind_push_vec(L, (kart_vec3){(double)at[0], 0, (double)at[1]});
    lua_setfield(L, -2, name);
}

// The grid, as the header has it.
static int doc_grid(lua_State *L) {
    const agp_grid grid = bind_check_agp(L, 1)->grid;
    lua_createtable(L, 0, 8);
    bind_set_integer(L, "width", grid.width);
    bind_set_integer(L, "length", grid.length);
    set_flat(L, "cell", grid.cell);
    set_flat(L, "min", grid.min);
    set_flat(L, "max", grid.max);
    set_flat(L, "origin", grid.origin);
    bind_set_integer(L, "cells_offset", (int64_t)bind_check_agp(L, 1)->cells_offset);
    return 1;
}

static int doc_newindex(lua_State *L) {
    return luaL_error(L, "agp.%s can't be assigned", luaL_tolstring(L, 2, NULL));
}

static int doc_tostring(lua_State *L) {
    const bind_box *box = luaL_checkudata(L, 1, bind_agp.name);
    const agp_doc *doc = box->doc;
    if (!doc || box->closed)
        lua_pushliteral(L, "agp (closed)");
    else
        lua_pushfstring(L, "agp (%I triangles, %I walls)",
                        (LUAI_UACINT)doc->pools[AGP_TRIANGLES].count,
                        (LUAI_UACINT)doc->pools[AGP_WALLS].count);
    return 1;
}

const luaL_Reg bind_agp_functions[] = {{"build", bind_agp_build},
                                       {"detect", detect_bytes},
                                       {"parse", parse_bytes},
                                       {"rules", rules_list},
                                       {NULL, NULL}};
static const luaL_Reg methods[] = {BIND_DOCUMENT_METHODS,
                                   BIND_QUERY_METHODS,
                                   {"cell_at", bind_agp_cell_at},
                                   {"check", doc_check},
                                   {"flags", doc_flags},
                                   {"lookup_ground", bind_agp_lookup_ground},
                                   {"lookup_grounds", bind_agp_lookup_grounds},
                                   {"lookup_walls", bind_agp_lookup_walls},
                                   {"map_flags", doc_map_flags},
                                   {"mesh", doc_mesh},
                                   {"rebuild", bind_agp_rebuild},
                                   {"retag", doc_retag},
                                   {"stats", doc_stats},
                                   {NULL, NULL}};
static const luaL_Reg properties[] = {{"cells", doc_cells},
                                      {"game", doc_game},
                                      {"grid", doc_grid},
                                      {"title", doc_title},
                                      {"triangles", doc_triangles},
                                      {"walls", doc_walls},
                                      {"warnings", bind_document_warnings},
                                      {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", bind_document_collect},
                                       {"__close", bind_document_close},
                                       {"__newindex", doc_newindex},
                                       {"__tostring", doc_tostring},
                                       {NULL, NULL}};

const bind_type bind_agp = {.name = "kart.agp",
                            .noun = "agp",
                            .methods = methods,
                            .properties = properties,
                            .metamethods = metamethods};

// --- what bind/document.c needs ---------------------------------------------------------------

static void *document_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                            kart_error *error) {
    (void)game; // of KCL
    return agp_parse(ctx, data, size, error);
}

static uint8_t *document_serialize(lua_State *L, int options, const void *doc, size_t *size,
                                   kart_error *error) {
    (void)L, (void)options; // there are none
    return agp_serialize(doc, size, error);
}

static bool document_transform(lua_State *L, const kart_affine *map, int options,
                               kart_error *error) {
    bool tip = bind_option_boolean(L, options, "tip");
    return agp_transform(bind_check_agp(L, 1), map, tip, error);
}

static kart_tree *shape_tree(void *doc, kart_error *error) { return agp_tree(doc, error); }

static bool shape_has_tree(const void *doc) { return ((const agp_doc *)doc)->tree != NULL; }

static uint32_t shape_flag(const void *doc, uint32_t triangle) {
    return agp_flag_get(doc, triangle);
}

static const char *shape_game(const void *doc) {
    (void)doc;
    return BIND_WIDE_GAME;
}

static const bind_shape shape = {shape_tree, shape_has_tree, shape_flag, shape_game};

BIND_DOCUMENT_FUNCTIONS(agp)

const bind_document bind_agp_documents = {
    BIND_DOCUMENT_NAMES(agp), .type = &bind_agp,
    .options = {[BIND_MIRROR] = BIND_OPTIONS("at"),
                [BIND_ROTATE] = BIND_OPTIONS("origin", "tip"),
                [BIND_SCALE] = BIND_OPTIONS("origin"),
                [BIND_TRANSFORM] = BIND_OPTIONS("origin", "tip")},
    .transform = document_transform, .shape = &shape};
