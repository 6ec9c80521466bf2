// kart.mesh: meshes as documents. What changes them stands in mesh_edit.c.
#include "bind/mesh.h"
#include "bind/document.h"
#include "bind/flags.h"

#include "core/file.h"
#include "core/mtl.h"
#include "core/obj.h"
#include "core/os.h"
#include "core/pairs.h"
#include "core/ply.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

kart_mesh *bind_check_mesh(lua_State *L, int index) {
    return bind_document_check(L, index, &bind_mesh_documents);
}

// --- reading ----------------------------------------------------------------------------------

static void mtl_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    kart_mtl_free(ctx, data);
}
static void pairs_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    kart_pairs_free(ctx, data);
}
static void bytes_release(kart_ctx *ctx, void *data, size_t size) { kart_free(ctx, data, size); }

// Where a library is: beside the OBJ, whatever folders its name has. False if that is no path.
static bool library_path(const char *path, const char *library, char out[OS_PATH_MAX]) {
    const char *slash = strrchr(path, '/'), *name = library;
    for (const char *at = library; *at; at++)
        if (*at == '/' || *at == '\\') name = at + 1;
    int folder = slash ? (int)(slash + 1 - path) : 0;
    int length = snprintf(out, OS_PATH_MAX, "%.*s%s", folder, path, name);
    return name[0] && length > 0 && length < OS_PATH_MAX;
}

static bool library_read(lua_State *L, kart_mesh *mesh, const char *path, kart_error *error) {
    kart_ctx *ctx = bind_ctx(L);
    size_t size;
    bind_guard *file = bind_guard_push(L, 0), *mtl = bind_guard_push(L, sizeof(kart_mtl));
    mtl->release = mtl_release;
    uint8_t *data = kart_file_read(ctx, path, KART_FILE_LIMIT, &size, error);
    if (data) *file = (bind_guard){data, size, bytes_release};
    bool done = data && kart_mtl_parse(ctx, mtl->data, data, size, error) &&
                kart_mtl_apply(mtl->data, mesh, error);
    bind_guard_release(L, mtl);
    bind_guard_release(L, file);
    lua_pop(L, 2);
    return done;
}

// A library that can't be read costs colours, nothing else: that is a hint.
static bool libraries_read(lua_State *L, kart_mesh *mesh, const char *path, kart_error *error) {
    for (uint32_t i = 0; i < mesh->libraries.count; i++) {
        char beside[OS_PATH_MAX], text[160];
        const char *name = kart_names_get(&mesh->libraries, i);
        kart_error found;
        if (!library_path(path, name, beside) || library_read(L, mesh, beside, &found)) continue;
        if (found.code == KART_MEMORY || found.code == KART_CANCELLED) {
            *error = found;
            return false;
        }
        kart_error_text(&found, text, sizeof text);
        if (!kart_mesh_warn(mesh, KART_HINT, "mtl-unread", error, "%.60s: %s", name, text))
            return false;
    }
    return true;
}

static bool has_unflagged(const kart_mesh *mesh) {
    for (size_t i = 0; i < mesh->triangles_count; i++)
        if (mesh->triangles[i].flag == KART_NO_FLAG) return true;
    return false;
}

// Materials may be called by our own names of flags, which Lua knows. The mesh is on top.
static void resolve(lua_State *L, const kart_mesh *mesh) {
    if (!has_unflagged(mesh)) return;
    bind_push_lua(L, "kartlua.materials", "resolve");
    lua_pushvalue(L, -2);
    lua_call(L, 1, 0);
}

// parse(text, options): an OBJ, and the MTL to it.
static int parse_text(lua_State *L) {
    static const char *const names[] = {"game", "mtl", NULL};
    size_t size, mtl_size;
    const char *data = luaL_checklstring(L, 1, &size), *mtl = NULL;
    bind_check_options(L, 2, names);
    kcl_game game = bind_option_game(L, 2);
    if (lua_istable(L, 2) && lua_getfield(L, 2, "mtl") != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TSTRING)
            return luaL_argerror(L, 2,
                                 lua_pushfstring(L, "option 'mtl': expected a text, got %s",
                                                 luaL_tolstring(L, -1, NULL)));
        mtl = lua_tolstring(L, -1, &mtl_size);
    }
    int results =
        bind_document_parse(L, &bind_mesh_documents, NULL, (const uint8_t *)data, size, game);
    if (results != 1 || !mtl) return results;
    kart_error error;
    kart_ctx *ctx = bind_ctx(L);
    bind_guard *guard = bind_guard_push(L, sizeof(kart_mtl));
    guard->release = mtl_release;
    if (!kart_mtl_parse(ctx, guard->data, (const uint8_t *)mtl, mtl_size, &error) ||
        !kart_mtl_apply(guard->data, bind_check_mesh(L, -2), &error))
        return bind_fail(L, "mtl", &error);
    bind_guard_release(L, guard);
    lua_pop(L, 1);
    return 1;
}

// pairs(text): { { name =, value =, line = } ... } of a text of "name = value" lines.
static int parse_pairs(lua_State *L) {
    size_t size;
    kart_error error;
    const char *data = luaL_checklstring(L, 1, &size);
    bind_guard *guard = bind_guard_push(L, sizeof(kart_pairs));
    guard->release = pairs_release;
    kart_pairs *pairs = guard->data;
    if (!kart_pairs_parse(bind_ctx(L), pairs, (const uint8_t *)data, size, &error))
        return bind_fail(L, NULL, &error);
    lua_newtable(L);
    for (uint32_t i = 0; i < pairs->names.count; i++) {
        lua_createtable(L, 0, 3);
        bind_set_string(L, "name", kart_names_get(&pairs->names, i));
        bind_set_string(L, "value", kart_pairs_value(pairs, i));
        bind_set_integer(L, "line", (int64_t)pairs->items[i].line);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    bind_guard_release(L, guard);
    return 1;
}

// --- writing ----------------------------------------------------------------------------------

// Let Lua say how the surface of a flag is called and coloured. The mesh is at index 1.
static void surface_name(lua_State *L, uint32_t flag) {
    kart_error error;
    bind_push_lua(L, "kartlua.materials", "surface");
    lua_pushinteger(L, (lua_Integer)flag);
    lua_pushstring(L, bind_check_mesh(L, 1)->game);
    lua_call(L, 2, 4);
    kart_colour colour = {(float)lua_tonumber(L, -3), (float)lua_tonumber(L, -2),
                          (float)lua_tonumber(L, -1)};
    // Without a name a surface is only called by its number.
    kart_mesh_add_surface(bind_check_mesh(L, 1), flag, luaL_checkstring(L, -4), colour, &error);
    lua_pop(L, 4);
}

// Those of all flags, ascending. Of more than 16 bits there are any only in games that have them.
static void surfaces_name(lua_State *L) {
    bind_flag_counts *counts = bind_flag_counts_push(L);
    kart_mesh_count_flags(bind_check_mesh(L, 1), counts->counts, counts->areas);
    kart_mesh_clear_surfaces(bind_check_mesh(L, 1));
    for (uint32_t flag = 0; flag < 65536; flag++)
        if (counts->counts[flag] > 0) surface_name(L, flag);
    lua_pop(L, 1);
    if (strcmp(bind_check_mesh(L, 1)->game, BIND_WIDE_GAME) != 0) return;
    uint32_t flag;
    for (uint64_t from = 0x10000;
         bind_mesh_flag_next(bind_check_mesh(L, 1), from, &flag) && flag != KART_NO_FLAG;
         from = (uint64_t)flag + 1)
        surface_name(L, flag);
}

static uint8_t *write_obj(const kart_mesh *mesh, size_t *size, kart_error *error) {
    return kart_obj_write(mesh, NULL, size, error);
}

static const struct {
    const char *ending;
    uint8_t *(*write)(const kart_mesh *mesh, size_t *size, kart_error *error);
} formats[] = {{"obj", write_obj}, {"ply", kart_ply_write}, {"mtl", kart_obj_write_library}};
enum { OBJ, PLY, MTL };

// bytes("obj" | "ply" | "mtl")
static int mesh_bytes(lua_State *L) {
    static const char *const names[] = {"obj", "ply", "mtl", NULL};
    bind_check_mesh(L, 1);
    int format = luaL_checkoption(L, 2, "obj", names);
    size_t size;
    kart_error error;
    surfaces_name(L);
    bind_guard *guard = bind_guard_push(L, 0);
    uint8_t *data = formats[format].write(bind_check_mesh(L, 1), &size, &error);
    if (!data) return bind_fail(L, NULL, &error);
    *guard = (bind_guard){data, size, bytes_release};
    lua_pushlstring(L, (const char *)data, size);
    bind_guard_release(L, guard);
    return 1;
}

// The format that a path's ending names; -1 for none. `*stem`: the length before it.
static int format_of(const char *path, size_t *stem) {
    size_t length = strlen(path);
    for (int i = OBJ; i <= PLY && length > 4; i++) {
        *stem = length - 4;
        bool same = path[*stem] == '.';
        for (size_t k = 0; same && k < 3; k++)
            same = tolower((unsigned char)path[*stem + 1 + k]) == formats[i].ending[k];
        if (same) return i;
    }
    return -1;
}

// Save one file; nil, message, code are pushed on failure.
static bool file_save(lua_State *L, const char *path, uint8_t *data, size_t size,
                      kart_error *error) {
    bool done = data && kart_file_save(path, data, size, error);
    kart_free(bind_ctx(L), data, size);
    if (!done) bind_fail(L, path, error);
    return done;
}

// save(path): by its ending; the MTL of an OBJ stands beside it, and is written first, so that no
// OBJ names one that isn't there.
static int mesh_save(lua_State *L) {
    bind_check_mesh(L, 1);
    const char *path = luaL_checkstring(L, 2);
    size_t size, stem;
    kart_error error;
    int format = format_of(path, &stem);
    if (format < 0) {
        kart_fail(&error, KART_UNSUPPORTED, "a mesh is saved as .obj or .ply");
        return bind_fail(L, path, &error);
    }
    surfaces_name(L);
    const kart_mesh *mesh = bind_check_mesh(L, 1);
    uint8_t *data;
    if (format == PLY) {
        data = kart_ply_write(mesh, &size, &error);
    } else {
        lua_pushlstring(L, path, stem);
        const char *library = lua_pushfstring(L, "%s.mtl", lua_tostring(L, -1));
        const char *slash = strrchr(library, '/');
        data = kart_obj_write_library(mesh, &size, &error);
        if (!file_save(L, library, data, size, &error)) return 3;
        data = kart_obj_write(mesh, slash ? slash + 1 : library, &size, &error);
    }
    if (!file_save(L, path, data, size, &error)) return 3;
    lua_pushboolean(L, true);
    return 1;
}

// --- looking at it ----------------------------------------------------------------------------

static int mesh_stats(lua_State *L) {
    kart_mesh_stats s;
    kart_error error;
    if (!kart_mesh_stats_get(bind_check_mesh(L, 1), &s, &error)) return bind_fail(L, NULL, &error);
    lua_createtable(L, 0, 13);
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {{"positions", s.positions},   {"distinct", s.distinct},
                   {"unused", s.unused},         {"triangles", s.triangles},
                   {"degenerate", s.degenerate}, {"duplicates", s.duplicates},
                   {"unflagged", s.unflagged},   {"edges", s.edges},
                   {"open_edges", s.open_edges}, {"crowded_edges", s.crowded}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        bind_set_integer(L, numbers[i].name, (int64_t)numbers[i].value);
    bind_set_number(L, "area", s.area);
    if (s.low.x <= s.high.x) {
        bind_push_vec(L, s.low);
        lua_setfield(L, -2, "low");
        bind_push_vec(L, s.high);
        lua_setfield(L, -2, "high");
    }
    return 1;
}

static int mesh_bounds(lua_State *L) {
    kart_vec3 low, high;
    if (!kart_mesh_bounds(bind_check_mesh(L, 1), &low, &high)) return 0;
    bind_push_vec(L, low);
    bind_push_vec(L, high);
    return 2;
}

static int mesh_area(lua_State *L) {
    lua_pushnumber(L, kart_mesh_area(bind_check_mesh(L, 1)));
    return 1;
}

static int mesh_flags(lua_State *L) {
    bind_flag_counts *counts = bind_flag_counts_push(L);
    kart_mesh_count_flags(bind_check_mesh(L, 1), counts->counts, counts->areas);
    bind_push_flag_counts(L, counts);
    // Those of more than 16 bits are few, and stand in no table.
    uint32_t flag;
    for (uint64_t from = 0x10000;
         bind_mesh_flag_next(bind_check_mesh(L, 1), from, &flag) && flag != KART_NO_FLAG;
         from = (uint64_t)flag + 1) {
        const kart_mesh *mesh = bind_check_mesh(L, 1);
        int64_t count = 0;
        double area = 0;
        for (size_t i = 0; i < mesh->triangles_count; i++) {
            if (mesh->triangles[i].flag != flag) continue;
            count++;
            area += kart_mesh_triangle_area(mesh, i);
        }
        lua_createtable(L, 0, 3);
        bind_set_integer(L, "flag", (int64_t)flag);
        bind_set_integer(L, "count", count);
        bind_set_number(L, "area", area);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

static int mesh_triangles(lua_State *L) {
    bind_check_mesh(L, 1);
    bind_push_triangles(L, 1);
    return 1;
}

static int mesh_positions(lua_State *L) {
    bind_check_mesh(L, 1);
    bind_push_positions(L, 1);
    return 1;
}

static int mesh_game(lua_State *L) {
    lua_pushstring(L, bind_check_mesh(L, 1)->game);
    return 1;
}

// The materials that triangles have; "" stands for none.
static int mesh_materials(lua_State *L) {
    size_t count = bind_check_mesh(L, 1)->materials.count + 1, row = 0;
    size_t *counts = lua_newuserdatauv(L, count * sizeof *counts, 0);
    size_t *unflagged = lua_newuserdatauv(L, count * sizeof *unflagged, 0);
    uint32_t *flags = lua_newuserdatauv(L, count * sizeof *flags, 0);
    if (bind_check_mesh(L, 1)->materials.count + 1 != count)
        return luaL_error(L, "the mesh was changed meanwhile");
    kart_mesh_count_materials(bind_check_mesh(L, 1), counts, unflagged, flags);
    lua_newtable(L);
    for (uint32_t i = 0; i < count; i++) {
        if (counts[i] == 0) continue;
        const kart_mesh *mesh = bind_check_mesh(L, 1);
        lua_createtable(L, 0, 5);
        bind_set_string(L, "name", i + 1 == count ? "" : kart_names_get(&mesh->materials, i));
        bind_set_integer(L, "triangles", (int64_t)counts[i]);
        bind_set_integer(L, "unflagged", (int64_t)unflagged[i]);
        if (flags[i] != KART_NO_FLAG) bind_set_integer(L, "flag", (int64_t)flags[i]);
        kart_colour colour = kart_mesh_colour(mesh, i);
        if (!isnan(colour.red)) {
            bind_push_vec(
                L, (kart_vec3){(double)colour.red, (double)colour.green, (double)colour.blue});
            lua_setfield(L, -2, "colour");
        }
        lua_rawseti(L, -2, (lua_Integer)++row);
    }
    return 1;
}

static int mesh_newindex(lua_State *L) {
    kart_mesh *mesh = bind_check_mesh(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "game") != 0)
        return luaL_error(L, "mesh.%s can't be assigned, only the game",
                          luaL_tolstring(L, 2, NULL));
    const char *game = bind_flag_game(L, 3);
    if (!game) return luaL_error(L, "mesh.game: there is no game '%s'", luaL_tolstring(L, 3, NULL));
    snprintf(mesh->game, sizeof mesh->game, "%s", game);
    return 0;
}

static int mesh_tostring(lua_State *L) {
    const bind_box *box = luaL_checkudata(L, 1, bind_mesh.name);
    const kart_mesh *mesh = box->doc;
    if (!mesh || box->closed)
        lua_pushliteral(L, "mesh (closed)");
    else
        lua_pushfstring(L, "mesh (%s, %I triangles)", mesh->game,
                        (LUAI_UACINT)mesh->triangles_count);
    return 1;
}

// --- tables -----------------------------------------------------------------------------------

const luaL_Reg bind_mesh_functions[] = {
    {"new", bind_mesh_new}, {"pairs", parse_pairs}, {"parse", parse_text}, {NULL, NULL}};
static const luaL_Reg methods[] = {BIND_DOCUMENT_METHODS,
                                   BIND_QUERY_METHODS,
                                   // These two know more formats than one.
                                   {"bytes", mesh_bytes},
                                   {"save", mesh_save},
                                   {"area", mesh_area},
                                   {"bounds", mesh_bounds},
                                   {"drop_degenerate", bind_mesh_drop_degenerate},
                                   {"drop_duplicates", bind_mesh_drop_duplicates},
                                   {"flags", mesh_flags},
                                   {"flip", bind_mesh_flip},
                                   {"map", bind_mesh_map},
                                   {"map_flags", bind_mesh_map_flags},
                                   {"map_materials", bind_mesh_map_materials},
                                   {"merge", bind_mesh_merge},
                                   {"retag", bind_mesh_retag},
                                   {"select", bind_mesh_select},
                                   {"set_part", bind_mesh_set_part},
                                   {"split", bind_mesh_split},
                                   {"stats", mesh_stats},
                                   {"tag", bind_mesh_tag},
                                   {"weld", bind_mesh_weld},
                                   {NULL, NULL}};
static const luaL_Reg properties[] = {{"game", mesh_game},
                                      {"materials", mesh_materials},
                                      {"positions", mesh_positions},
                                      {"triangles", mesh_triangles},
                                      {"warnings", bind_document_warnings},
                                      {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", bind_document_collect},
                                       {"__close", bind_document_close},
                                       {"__newindex", mesh_newindex},
                                       {"__tostring", mesh_tostring},
                                       {NULL, NULL}};

const bind_type bind_mesh = {.name = "kart.mesh",
                             .noun = "mesh",
                             .methods = methods,
                             .properties = properties,
                             .metamethods = metamethods};

// --- what bind/document.c needs ---------------------------------------------------------------

static void *document_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                            kart_error *error) {
    return kart_obj_parse(ctx, data, size, game < KCL_GAMES ? kcl_formats[game].name : "mkw",
                          error);
}

static bool document_complete(lua_State *L, const char *path, kart_error *error) {
    kart_mesh *mesh = bind_check_mesh(L, -1);
    if (path && !libraries_read(L, mesh, path, error)) return false;
    resolve(L, mesh);
    return true;
}

static uint8_t *document_serialize(lua_State *L, int options, const void *doc, size_t *size,
                                   kart_error *error) {
    (void)L, (void)options; // formats are an affair of mesh_bytes and mesh_save
    return kart_obj_write(doc, NULL, size, error);
}

static bool document_transform(lua_State *L, const kart_affine *map, int options,
                               kart_error *error) {
    (void)options; // none but those in the map
    return kart_mesh_transform(bind_check_mesh(L, 1), map, error);
}

static kart_tree *shape_tree(void *doc, kart_error *error) { return kart_mesh_tree(doc, error); }

static bool shape_has_tree(const void *doc) { return ((const kart_mesh *)doc)->tree != NULL; }

static uint32_t shape_flag(const void *doc, uint32_t triangle) {
    return ((const kart_mesh *)doc)->triangles[triangle].flag;
}

static const char *shape_game(const void *doc) { return ((const kart_mesh *)doc)->game; }

static const bind_shape shape = {shape_tree, shape_has_tree, shape_flag, shape_game};

typedef kart_mesh kart_mesh_doc;
BIND_DOCUMENT_FUNCTIONS(kart_mesh)

const bind_document bind_mesh_documents = {BIND_DOCUMENT_NAMES(kart_obj),
                                           .complete = document_complete,
                                           .type = &bind_mesh,
                                           .options = {[BIND_MIRROR] = BIND_OPTIONS("at"),
                                                       [BIND_ROTATE] = BIND_OPTIONS("origin"),
                                                       [BIND_SCALE] = BIND_OPTIONS("origin"),
                                                       [BIND_TRANSFORM] = BIND_OPTIONS("origin")},
                                           .transform = document_transform,
                                           .shape = &shape};
