// kart.kcl: documents of collision.
#include "bind/document.h"
#include "bind/flags.h"

#include "kcl/check.h"
#include "kcl/mesh.h"

kcl_doc *bind_check_kcl(lua_State *L, int index) {
    return bind_document_check(L, index, &bind_kcl_documents);
}

kcl_game bind_check_game(lua_State *L, int arg, int value) {
    if (lua_isnoneornil(L, value)) return KCL_GAMES;
    const char *name = luaL_tolstring(L, value, NULL);
    const kcl_format *format = kcl_format_find(name);
    if (format) return format->game;
    lua_pushfstring(L, "there is no game '%s' with KCL files, only ", name);
    for (int i = 0; i < KCL_GAMES; i++) {
        lua_pushfstring(L, i > 0 ? ", %s" : "%s", kcl_formats[i].name);
        lua_concat(L, 2);
    }
    luaL_argerror(L, arg, lua_tostring(L, -1));
    return KCL_GAMES;
}

kcl_game bind_option_game(lua_State *L, int index) {
    if (!lua_istable(L, index)) return KCL_GAMES;
    lua_getfield(L, index, "game");
    return bind_check_game(L, index, lua_gettop(L));
}

static int parse_bytes(lua_State *L) {
    size_t size;
    const char *data = luaL_checklstring(L, 1, &size);
    return bind_document_parse(L, &bind_kcl_documents, NULL, (const uint8_t *)data, size,
                               bind_check_game(L, 2, 2));
}

// The rules of kcl:check, for --explain and the reference page.
static int rules_list(lua_State *L) { return bind_push_rules(L, kcl_rule_at); }

// --- methods ----------------------------------------------------------------------------------

static bool check_run(lua_State *L, void *user, kart_findings *findings, kart_error *error) {
    (void)user;
    return kcl_check(bind_check_kcl(L, 1), findings, error);
}

static int doc_check(lua_State *L) { return bind_push_check(L, check_run, NULL); }

static int doc_stats(lua_State *L) {
    const kcl_doc *doc = bind_check_kcl(L, 1);
    kcl_stats s;
    kart_error error;
    if (!kcl_stats_get(doc, &s, &error)) return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 20);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"models", (double)s.models},
                   {"prisms", (double)s.prisms},
                   {"triangles", (double)s.triangles},
                   {"positions", (double)s.positions},
                   {"normals", (double)s.normals},
                   {"area", s.area},
                   {"degenerate", (double)s.degenerate},
                   {"inverted", (double)s.inverted},
                   {"octree_bytes", (double)s.octree_bytes},
                   {"nodes", (double)s.nodes},
                   {"leaves", (double)s.leaves},
                   {"empty_leaves", (double)s.empty_leaves},
                   {"lists", (double)s.lists},
                   {"list_refs", (double)s.list_refs},
                   {"longest_list", (double)s.longest_list},
                   {"mean_list", s.mean_list},
                   {"depth", s.depth},
                   {"unreached", (double)s.unreached}};
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

static int doc_flags(lua_State *L) {
    bind_flag_counts *counts = bind_flag_counts_push(L);
    kcl_flags_count(bind_check_kcl(L, 1), counts->counts, counts->areas);
    return bind_push_flag_counts(L, counts);
}

static int doc_map_flags(lua_State *L) {
    bind_check_kcl(L, 1);
    const uint16_t *map = bind_check_flag_map(L, 2);
    lua_pushinteger(L, (lua_Integer)kcl_flags_map(bind_check_kcl(L, 1), map));
    return 1;
}

static int doc_retag(lua_State *L) {
    bind_check_kcl(L, 1);
    return bind_retag(L);
}

static bool tolerance_option(lua_State *L, int index, const char *name, double *value) {
    *value = bind_option_number(L, index, name, *value);
    return *value >= 0;
}

// mesh(options): the triangles, and what became of the corners.
static int doc_mesh(lua_State *L) {
    static const char *const names[] = {"snap", "weld", NULL};
    kcl_mesh_options options = {.snap = KCL_MESH_SNAP, .weld = KCL_MESH_WELD};
    kcl_mesh_report report;
    kart_error error;
    bind_check_kcl(L, 1);
    bind_check_options(L, 2, names);
    if (!tolerance_option(L, 2, "snap", &options.snap) ||
        !tolerance_option(L, 2, "weld", &options.weld))
        return luaL_argerror(L, 2, "tolerances are numbers from 0 up");
    bind_box *box = bind_document_push(L, &bind_mesh_documents);
    kart_mesh *mesh = kcl_mesh(bind_check_kcl(L, 1), &options, &report, &error);
    int results = bind_document_open(L, box, mesh, NULL, &error);
    if (results != 1) return results;
    lua_createtable(L, 0, 6);
    bind_set_integer(L, "left_out", (int64_t)report.left_out);
    bind_set_integer(L, "copies", (int64_t)report.copies);
    bind_set_integer(L, "computed", (int64_t)report.computed);
    bind_set_integer(L, "snapped", (int64_t)report.snapped);
    bind_set_integer(L, "joined", (int64_t)report.joined);
    bind_set_number(L, "farthest", report.farthest);
    return 2;
}

// --- properties -------------------------------------------------------------------------------

static int doc_game(lua_State *L) {
    lua_pushstring(L, bind_check_kcl(L, 1)->format->name);
    return 1;
}

static int doc_title(lua_State *L) {
    lua_pushstring(L, bind_check_kcl(L, 1)->format->title);
    return 1;
}

static int doc_guessed(lua_State *L) {
    lua_pushboolean(L, bind_check_kcl(L, 1)->guessed);
    return 1;
}

static int doc_version(lua_State *L) {
    lua_pushinteger(L, bind_check_kcl(L, 1)->format->v2 ? 2 : 1);
    return 1;
}

static int doc_stale(lua_State *L) {
    lua_pushboolean(L, bind_check_kcl(L, 1)->stale);
    return 1;
}

static int doc_prisms(lua_State *L) {
    bind_check_kcl(L, 1);
    bind_push_prisms(L, 1);
    return 1;
}

// The models, each with what its header says.
static int doc_models(lua_State *L) {
    const kcl_doc *doc = bind_check_kcl(L, 1);
    lua_createtable(L, (int)doc->models_count, 0);
    for (size_t i = 0; i < doc->models_count; i++) {
        const kcl_model *m = &doc->models[i];
        lua_createtable(L, 0, 9);
        bind_set_integer(L, "offset", (int64_t)m->range.start);
        bind_set_integer(L, "bytes", (int64_t)(m->range.end - m->range.start));
        bind_set_integer(L, "prisms", (int64_t)m->prisms_count);
        bind_set_integer(L, "positions", (int64_t)m->positions_count);
        bind_set_integer(L, "normals", (int64_t)m->normals_count);
        bind_set_number(L, "thickness", m->thickness);
        bind_set_number(L, "radius", m->radius);
        bind_set_integer(L, "cell", (int64_t)1 << m->shift);
        bind_push_vec(L, m->min);
        lua_setfield(L, -2, "min");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int doc_newindex(lua_State *L) {
    return luaL_error(L, "kcl.%s can't be assigned", luaL_tolstring(L, 2, NULL));
}

static int doc_tostring(lua_State *L) {
    const bind_box *box = luaL_checkudata(L, 1, bind_kcl.name);
    const kcl_doc *doc = box->doc;
    if (!doc || box->closed)
        lua_pushliteral(L, "kcl (closed)");
    else
        lua_pushfstring(L, "kcl (%s%s, %d prisms%s)", doc->format->name, doc->guessed ? "?" : "",
                        (int)doc->prisms_count, doc->stale ? ", stale" : "");
    return 1;
}

const luaL_Reg bind_kcl_functions[] = {
    {"build", bind_kcl_make}, {"parse", parse_bytes}, {"rules", rules_list}, {NULL, NULL}};
static const luaL_Reg methods[] = {
    BIND_DOCUMENT_METHODS,        BIND_KCL_LOOKUP_METHODS,
    BIND_QUERY_METHODS,           {"check", doc_check},
    {"flags", doc_flags},         {"list_lengths", bind_kcl_list_lengths},
    {"map_flags", doc_map_flags}, {"mesh", doc_mesh},
    {"prove", bind_kcl_prove},    {"rebuild", bind_kcl_rebuild},
    {"remove", bind_kcl_remove},  {"retag", doc_retag},
    {"stats", doc_stats},         {NULL, NULL}};
static const luaL_Reg properties[] = {{"game", doc_game},
                                      {"guessed", doc_guessed},
                                      {"models", doc_models},
                                      {"prisms", doc_prisms},
                                      {"stale", doc_stale},
                                      {"title", doc_title},
                                      {"version", doc_version},
                                      {"warnings", bind_document_warnings},
                                      {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", bind_document_collect},
                                       {"__close", bind_document_close},
                                       {"__newindex", doc_newindex},
                                       {"__tostring", doc_tostring},
                                       {NULL, NULL}};

const bind_type bind_kcl = {.name = "kart.kcl",
                            .noun = "kcl",
                            .methods = methods,
                            .properties = properties,
                            .metamethods = metamethods};

// --- what bind/document.c needs ---------------------------------------------------------------

static void *document_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                            kart_error *error) {
    return kcl_parse(ctx, data, size, game, error);
}

static uint8_t *document_serialize(lua_State *L, int options, const void *doc, size_t *size,
                                   kart_error *error) {
    (void)L, (void)options; // there are none
    return kcl_serialize(doc, size, error);
}

static bool document_transform(lua_State *L, const kart_affine *map, int options,
                               kart_error *error) {
    (void)options; // none but those in the map
    return kcl_transform(bind_check_kcl(L, 1), map, error);
}

static kart_tree *shape_tree(void *doc, kart_error *error) { return kcl_tree(doc, error); }

static bool shape_has_tree(const void *doc) { return ((const kcl_doc *)doc)->tree != NULL; }

static uint32_t shape_flag(const void *doc, uint32_t triangle) {
    size_t in_model;
    const kcl_model *model = kcl_model_of(doc, triangle, &in_model);
    return kcl_flag_get(doc, model, in_model);
}

static const char *shape_game(const void *doc) { return ((const kcl_doc *)doc)->format->name; }

static const bind_shape shape = {shape_tree, shape_has_tree, shape_flag, shape_game};

BIND_DOCUMENT_FUNCTIONS(kcl)

const bind_document bind_kcl_documents = {BIND_DOCUMENT_NAMES(kcl),
                                          .type = &bind_kcl,
                                          .options = {[BIND_MIRROR] = BIND_OPTIONS("at"),
                                                      [BIND_ROTATE] = BIND_OPTIONS("origin"),
                                                      [BIND_SCALE] = BIND_OPTIONS("origin"),
                                                      [BIND_TRANSFORM] = BIND_OPTIONS("origin")},
                                          .transform = document_transform,
                                          .build = bind_kcl_build,
                                          .shape = &shape};
