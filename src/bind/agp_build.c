// kart.agp.build, and agp:rebuild.
#include "bind/agp.h"
#include "bind/flags.h"

#include "agp/build.h"

#include <string.h>

#define FAULTS_SHOWN 100
#define CELL_MOST    1e9

// The edge of cells in the table at index 2; 0 if there is none.
static double option_cell(lua_State *L) {
    double cell = bind_option_number(L, 2, "cell", 0);
    bool given = !isnan(bind_option_number(L, 2, "cell", (double)NAN));
    if (given && !(cell <= CELL_MOST && (float)cell > 0))
        luaL_argerror(L, 2, "option 'cell': expected a number above 0, up to 1e9");
    return cell;
}

// The flag in the table at index 2, a number or a word; false if there is none.
static bool option_flag(lua_State *L, uint32_t *flag) {
    if (!lua_istable(L, 2) || lua_getfield(L, 2, "flag") == LUA_TNIL) return false;
    if (lua_type(L, -1) == LUA_TSTRING) {
        bind_push_lua(L, "kartlua.flags", "parse");
        lua_pushvalue(L, -2);
        lua_pushliteral(L, BIND_WIDE_GAME);
        lua_call(L, 2, 2);
        if (lua_isnil(L, -2))
            luaL_argerror(L, 2, lua_pushfstring(L, "option 'flag': %s", lua_tostring(L, -1)));
        lua_pop(L, 1);
    }
    if (!bind_to_wide_flag(L, -1, flag))
        luaL_argerror(L, 2,
                      lua_pushfstring(L,
                                      "option 'flag': expected a word or a number of 32 bits, "
                                      "got %s",
                                      luaL_tolstring(L, -1, NULL)));
    return true;
}

// rebuild{ walls = "keep" | "compute", cell = }
int bind_agp_rebuild(lua_State *L) {
    static const char *const names[] = {"walls", "cell", NULL};
    agp_rebuild_options options = {0};
    kart_error error;
    bind_check_agp(L, 1);
    bind_check_options(L, 2, names);
    options.cell = option_cell(L);
    if (lua_istable(L, 2) && lua_getfield(L, 2, "walls") != LUA_TNIL) {
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        if (strcmp(word, "compute") == 0)
            options.walls = AGP_WALLS_COMPUTE;
        else if (strcmp(word, "keep") != 0)
            return luaL_argerror(L, 2, "option 'walls': expected \"keep\" or \"compute\"");
    }
    if (!agp_rebuild(bind_check_agp(L, 1), &options, &error)) return bind_fail(L, NULL, &error);
    lua_settop(L, 1);
    return 1;
}

// --- files from meshes ------------------------------------------------------------------------

// What a mesh gives the builder, and what that says.
typedef struct held {
    kart_vec3 (*corners)[3];
    uint32_t *flags;
    size_t count;
    agp_build_report report;
    double dropped_area;
} held;

static void held_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    held *h = data;
    kart_free(ctx, h->corners, h->count * sizeof *h->corners);
    kart_free(ctx, h->flags, h->count * sizeof *h->flags);
    kart_free(ctx, h->report.faults, h->count * sizeof *h->report.faults);
}

// `usual`: the flag of triangles of which nobody knows one; NULL: they are an error. In a mesh of
// another game all of them are such.
static bool mesh_take(kart_ctx *ctx, const kart_mesh *mesh, const uint32_t *usual, held *h,
                      kart_error *error) {
    bool ours = strcmp(mesh->game, BIND_WIDE_GAME) == 0;
    if (!ours && !usual)
        return kart_fail(error, KART_UNSUPPORTED,
                         "the mesh has flags of '%s', which mean something else here: give it "
                         "those of 'mkagp', or all triangles one by the option 'flag'",
                         mesh->game);
    h->corners = kart_alloc(ctx, h->count * sizeof *h->corners, error);
    if (h->corners) h->flags = kart_alloc(ctx, h->count * sizeof *h->flags, error);
    if (!h->flags) return false;
    for (size_t i = 0; i < h->count; i++) {
        uint32_t flag = ours ? mesh->triangles[i].flag : KART_NO_FLAG;
        if (flag == KART_NO_FLAG && !usual)
            return kart_fail(error, KART_FORMAT, "triangle %zu has no flag: its material says none",
                             i + 1);
        h->flags[i] = flag == KART_NO_FLAG ? *usual : flag;
        kart_mesh_corners(mesh, i, h->corners[i]);
    }
    return true;
}

static void push_faults(lua_State *L, const held *h) {
    lua_Integer number = 0;
    lua_newtable(L);
    for (size_t i = 0; i < h->count && number < FAULTS_SHOWN; i++) {
        if (h->report.faults[i] == AGP_FAULT_NONE) continue;
        lua_createtable(L, 0, 2);
        bind_set_integer(L, "triangle", (int64_t)i + 1);
        bind_set_string(L, "reason", agp_fault_text(h->report.faults[i]));
        lua_rawseti(L, -2, ++number);
    }
}

// build(mesh, { flag =, cell =, drop = }): a document and a report.
int bind_agp_build(lua_State *L) {
    static const char *const names[] = {"flag", "cell", "drop", NULL};
    kart_error error;
    uint32_t usual = 0;
    bind_check_mesh(L, 1);
    lua_settop(L, 2);
    bind_check_options(L, 2, names);
    const agp_build_options options = {.cell = option_cell(L),
                                       .drop = bind_option_boolean(L, 2, "drop")};
    bool has_usual = option_flag(L, &usual);
    bind_guard *guard = bind_guard_push(L, sizeof(held));
    bind_box *box = bind_document_push(L, &bind_agp_documents);
    const kart_mesh *mesh = bind_check_mesh(L, 1);
    held *h = guard->data;
    agp_doc *doc = NULL;
    h->count = mesh->triangles_count;
    guard->release = held_release;
    if (mesh_take(bind_ctx(L), mesh, has_usual ? &usual : NULL, h, &error)) {
        const agp_build_input input = {(const kart_vec3(*)[3])h->corners, h->flags, h->count};
        doc = agp_build(bind_ctx(L), &input, &options, &h->report, &error);
        for (size_t i = 0; doc && i < h->count; i++)
            if (h->report.faults[i] != AGP_FAULT_NONE)
                h->dropped_area += kart_mesh_triangle_area(mesh, i);
    }
    int results = bind_document_open(L, box, doc, NULL, &error);
    if (results != 1) return results;
    lua_createtable(L, 0, 3);
    bind_set_integer(L, "dropped", (int64_t)h->report.dropped);
    bind_set_number(L, "dropped_area", h->dropped_area);
    push_faults(L, h);
    lua_setfield(L, -2, "faults");
    bind_guard_release(L, guard);
    return 2;
}
