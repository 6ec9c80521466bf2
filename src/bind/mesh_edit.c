// What makes and changes meshes.
#include "bind/document.h"
#include "bind/flags.h"
#include "bind/mesh.h"

#include <stdio.h>
#include <string.h>

#define NO_AREA 1e-9 // square units: what drop_degenerate takes where nothing is said

// --- which triangles --------------------------------------------------------------------------

static void chosen_by_function(lua_State *L, int arg, uint8_t *chosen, size_t count) {
    for (size_t i = 0; i < count; i++) {
        lua_pushvalue(L, arg);
        bind_push_triangle(L, 1, i);
        lua_call(L, 1, 1);
        chosen[i] = (uint8_t)lua_toboolean(L, -1);
        lua_pop(L, 1);
        if (bind_check_mesh(L, 1)->triangles_count != count)
            luaL_error(L, "the mesh was changed meanwhile");
    }
}

static void chosen_by_rule(lua_State *L, int index, int arg, uint8_t *chosen, size_t count) {
    bind_flag_rule rule = bind_check_flag_rule(L, index, arg, BIND_WIDE_GAME);
    const kart_mesh *mesh = bind_check_mesh(L, 1);
    if (mesh->triangles_count != count) luaL_error(L, "the mesh was changed meanwhile");
    for (size_t i = 0; i < count; i++)
        if (mesh->triangles[i].flag != KART_NO_FLAG &&
            (mesh->triangles[i].flag & rule.mask) == rule.bits)
            chosen[i] = 1;
}

// The same for flags of 32 bits, of which there is no table.
static void chosen_by_rules(lua_State *L, int arg, uint8_t *chosen, size_t count) {
    memset(chosen, 0, count);
    if (lua_type(L, arg) != LUA_TTABLE) {
        chosen_by_rule(L, arg, arg, chosen, count);
        return;
    }
    lua_Integer rules = luaL_len(L, arg);
    for (lua_Integer i = 1; i <= rules; i++) {
        lua_geti(L, arg, i);
        chosen_by_rule(L, -1, arg, chosen, count);
        lua_pop(L, 1);
    }
}

// A byte for each triangle of the mesh at 1, pushed as a userdata: those that the argument names by
// flags (see bind_choose_flags) or that the function is true for.
static const uint8_t *choose(lua_State *L, int arg) {
    luaL_checkany(L, arg);
    size_t count = bind_check_mesh(L, 1)->triangles_count;
    uint8_t *chosen = lua_newuserdatauv(L, count + 1, 0);
    if (lua_isfunction(L, arg)) {
        chosen_by_function(L, arg, chosen, count);
        return chosen;
    }
    if (strcmp(bind_check_mesh(L, 1)->game, BIND_WIDE_GAME) == 0) {
        chosen_by_rules(L, arg, chosen, count);
        return chosen;
    }
    uint8_t *flags = lua_newuserdatauv(L, 65536, 0);
    memset(flags, 0, 65536);
    bind_choose_flags(L, arg, arg, bind_check_mesh(L, 1)->game, flags);
    const kart_mesh *mesh = bind_check_mesh(L, 1);
    if (mesh->triangles_count != count) luaL_error(L, "the mesh was changed meanwhile");
    for (size_t i = 0; i < count; i++) {
        uint32_t flag = mesh->triangles[i].flag;
        chosen[i] = flag <= 0xFFFF && flags[flag];
    }
    lua_pop(L, 1);
    return chosen;
}

int bind_mesh_select(lua_State *L) {
    kart_error error;
    bind_check_mesh(L, 1);
    const uint8_t *chosen = choose(L, 2);
    bind_box *box = bind_document_push(L, &bind_mesh_documents);
    kart_mesh *picked = kart_mesh_pick(bind_check_mesh(L, 1), chosen, &error);
    return bind_document_open(L, box, picked, NULL, &error);
}

int bind_mesh_flip(lua_State *L) {
    bind_check_mesh(L, 1);
    const uint8_t *chosen = lua_isnoneornil(L, 2) ? NULL : choose(L, 2);
    kart_mesh_flip(bind_check_mesh(L, 1), chosen);
    lua_settop(L, 1);
    return 1;
}

bool bind_mesh_flag_next(const kart_mesh *mesh, uint64_t from, uint32_t *flag) {
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < mesh->triangles_count; i++)
        if (mesh->triangles[i].flag >= from && mesh->triangles[i].flag < least)
            least = mesh->triangles[i].flag;
    *flag = (uint32_t)least;
    return least != UINT64_MAX;
}

// split(): a mesh for each flag, ascending; those whose flag isn't known come last, as their number
// is the greatest.
int bind_mesh_split(lua_State *L) {
    size_t count = bind_check_mesh(L, 1)->triangles_count;
    uint8_t *chosen = lua_newuserdatauv(L, count + 1, 0);
    uint32_t flag = 0;
    lua_newtable(L);
    for (uint64_t from = 0; bind_mesh_flag_next(bind_check_mesh(L, 1), from, &flag);
         from = (uint64_t)flag + 1) {
        kart_error error;
        bind_box *box = bind_document_push(L, &bind_mesh_documents);
        const kart_mesh *mesh = bind_check_mesh(L, 1);
        if (mesh->triangles_count != count) return luaL_error(L, "the mesh was changed meanwhile");
        for (size_t i = 0; i < count; i++) chosen[i] = mesh->triangles[i].flag == flag;
        int results =
            bind_document_open(L, box, kart_mesh_pick(mesh, chosen, &error), NULL, &error);
        if (results != 1) return results;
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

int bind_mesh_merge(lua_State *L) {
    kart_mesh *mesh = bind_check_mesh(L, 1);
    int count = lua_gettop(L);
    luaL_checkany(L, 2);
    for (int i = 2; i <= count; i++)
        luaL_argcheck(L, strcmp(bind_check_mesh(L, i)->game, mesh->game) == 0, i,
                      "its flags are those of another game");
    for (int i = 2; i <= count; i++) {
        kart_error error;
        if (!kart_mesh_merge(mesh, bind_check_mesh(L, i), &error))
            return bind_fail(L, NULL, &error);
    }
    bind_pace(L, kart_mesh_memory(mesh));
    lua_settop(L, 1);
    return 1;
}

// --- places -----------------------------------------------------------------------------------

// The place that a function gave back: three numbers, or a vector.
static kart_vec3 mapped_place(lua_State *L, size_t i) {
    kart_vec3 p;
    if (lua_type(L, -3) == LUA_TNUMBER) {
        for (int k = -3; k < 0; k++)
            if (lua_type(L, k) != LUA_TNUMBER)
                luaL_error(L, "map: expected three numbers for positions[%I]", (LUAI_UACINT)i + 1);
        p = (kart_vec3){lua_tonumber(L, -3), lua_tonumber(L, -2), lua_tonumber(L, -1)};
    } else if (!bind_to_vec(L, lua_absindex(L, -3), false, &p)) {
        luaL_error(L, "map: expected three numbers or a vector for positions[%I]",
                   (LUAI_UACINT)i + 1);
    }
    if (!kart_position_valid(p))
        luaL_error(L, "map: positions[%I] would leave the range of floats", (LUAI_UACINT)i + 1);
    return p;
}

int bind_mesh_map(lua_State *L) {
    const kart_mesh *mesh = bind_check_mesh(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    size_t count = mesh->positions_count;
    kart_vec3 *places = lua_newuserdatauv(L, (count + 1) * sizeof *places, 0);
    if (bind_check_mesh(L, 1)->positions_count != count)
        return luaL_error(L, "the mesh was changed meanwhile");
    memcpy(places, mesh->positions, count * sizeof *places);
    for (size_t i = 0; i < count; i++) {
        lua_pushvalue(L, 2);
        lua_pushnumber(L, places[i].x);
        lua_pushnumber(L, places[i].y);
        lua_pushnumber(L, places[i].z);
        lua_call(L, 3, 3);
        places[i] = mapped_place(L, i);
        lua_settop(L, 3);
    }
    kart_mesh *changed = bind_check_mesh(L, 1);
    if (changed->positions_count != count) return luaL_error(L, "the mesh was changed meanwhile");
    memcpy(changed->positions, places, count * sizeof *places);
    kart_mesh_moved(changed);
    lua_settop(L, 1);
    return 1;
}

int bind_mesh_weld(lua_State *L) {
    size_t joined;
    kart_error error;
    kart_mesh *mesh = bind_check_mesh(L, 1);
    double tolerance = lua_isnoneornil(L, 2) ? 0 : bind_check_finite(L, 2);
    luaL_argcheck(L, tolerance >= 0, 2, "a tolerance is a number from 0 up");
    if (!kart_mesh_weld(mesh, tolerance, &joined, &error)) return bind_fail(L, NULL, &error);
    lua_pushinteger(L, (lua_Integer)joined);
    return 1;
}

// --- dropping ---------------------------------------------------------------------------------

int bind_mesh_drop_degenerate(lua_State *L) {
    size_t dropped;
    kart_error error;
    kart_mesh *mesh = bind_check_mesh(L, 1);
    double area = lua_isnoneornil(L, 2) ? NO_AREA : bind_check_finite(L, 2);
    luaL_argcheck(L, area >= 0, 2, "an area is a number from 0 up");
    if (!kart_mesh_drop_degenerate(mesh, area, &dropped, &error)) return bind_fail(L, NULL, &error);
    lua_pushinteger(L, (lua_Integer)dropped);
    return 1;
}

int bind_mesh_drop_duplicates(lua_State *L) {
    size_t dropped;
    kart_error error;
    if (!kart_mesh_drop_duplicates(bind_check_mesh(L, 1), &dropped, &error))
        return bind_fail(L, NULL, &error);
    lua_pushinteger(L, (lua_Integer)dropped);
    return 1;
}

// --- flags ------------------------------------------------------------------------------------

// The same for flags of 32 bits: the table is asked for each triangle.
static int map_wide_flags(lua_State *L) {
    lua_Integer changed = 0;
    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
        bind_check_flag_of(L, -2, BIND_WIDE_GAME);
        bind_check_flag_of(L, -1, BIND_WIDE_GAME);
    }
    kart_mesh *mesh = bind_check_mesh(L, 1);
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        uint32_t flag = mesh->triangles[i].flag, old = flag;
        if (lua_rawgeti(L, 2, (lua_Integer)flag) != LUA_TNIL && old != KART_NO_FLAG)
            bind_to_wide_flag(L, -1, &flag);
        lua_pop(L, 1);
        changed += flag != old;
        kart_mesh_set_flag(mesh, i, flag);
    }
    lua_pushinteger(L, changed);
    return 1;
}

int bind_mesh_map_flags(lua_State *L) {
    if (strcmp(bind_check_mesh(L, 1)->game, BIND_WIDE_GAME) == 0) return map_wide_flags(L);
    const uint16_t *map = bind_check_flag_map(L, 2);
    lua_pushinteger(L, (lua_Integer)kart_mesh_map_flags(bind_check_mesh(L, 1), map));
    return 1;
}

int bind_mesh_retag(lua_State *L) {
    bind_check_mesh(L, 1);
    return bind_retag(L);
}

// map_materials(table of name to flag): the work of tag, which takes words, too.
int bind_mesh_map_materials(lua_State *L) {
    size_t count = bind_check_mesh(L, 1)->materials.count;
    luaL_checktype(L, 2, LUA_TTABLE);
    uint32_t *flags = lua_newuserdatauv(L, (count + 1) * sizeof *flags, 0);
    for (size_t i = 0; i <= count; i++) flags[i] = KART_NO_FLAG;
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        uint32_t flag = bind_check_flag_of(L, -1, bind_check_mesh(L, 1)->game);
        size_t length;
        if (lua_type(L, -2) != LUA_TSTRING)
            return luaL_error(L, "expected the name of a material, got %s",
                              luaL_tolstring(L, -2, NULL));
        const char *name = lua_tolstring(L, -2, &length);
        const kart_mesh *mesh = bind_check_mesh(L, 1);
        if (mesh->materials.count != count) return luaL_error(L, "the mesh was changed meanwhile");
        uint32_t number =
            length == 0 ? (uint32_t)count : kart_names_find(&mesh->materials, name, length);
        if (number != KART_NO_NAME) flags[number] = flag;
        lua_pop(L, 1);
    }
    kart_mesh *mesh = bind_check_mesh(L, 1);
    if (mesh->materials.count != count) return luaL_error(L, "the mesh was changed meanwhile");
    lua_pushinteger(L, (lua_Integer)kart_mesh_tag(mesh, flags));
    return 1;
}

// tag(rules): the work is Lua's, as that of retag.
int bind_mesh_tag(lua_State *L) {
    bind_check_mesh(L, 1);
    lua_settop(L, 2);
    bind_push_lua(L, "kartlua.materials", "tag");
    lua_insert(L, 1);
    lua_call(L, 2, 2);
    return 2;
}

// The name at `index` as one of `names`; raises with `what` in front unless it can stand in a file.
static uint32_t check_name(lua_State *L, int index, const char *what, kart_ctx *ctx,
                           kart_names *names) {
    size_t length = 0, trimmed_length;
    kart_error error;
    uint32_t number;
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    const char *trimmed = text;
    trimmed_length = length;
    if (text) kart_mesh_trim_name(&trimmed, &trimmed_length);
    if (!text || length == 0 || trimmed_length != length || strlen(text) != length ||
        strpbrk(text, "\r\n"))
        luaL_error(L, "%s: expected a name of one line, without space around it", what);
    if (!kart_names_add(ctx, names, text, length, &number, &error)) luaL_error(L, "%s", error.what);
    return number;
}

// A field of the triangle on top: the number of the name; KART_NO_NAME for nil.
static uint32_t check_name_field(lua_State *L, lua_Integer i, const char *field, kart_ctx *ctx,
                                 kart_names *names) {
    uint32_t number = KART_NO_NAME;
    char what[64];
    snprintf(what, sizeof what, "triangles[%lld].%s", (long long)i, field);
    if (lua_getfield(L, -1, field) != LUA_TNIL)
        number = check_name(L, lua_gettop(L), what, ctx, names);
    lua_pop(L, 1);
    return number;
}

// set_part(name): all triangles become one object; nil: none.
int bind_mesh_set_part(lua_State *L) {
    kart_mesh *mesh = bind_check_mesh(L, 1);
    uint32_t part = KART_NO_NAME;
    luaL_checkany(L, 2);
    if (!lua_isnil(L, 2)) part = check_name(L, 2, "set_part", mesh->ctx, &mesh->parts);
    for (size_t i = 0; i < mesh->triangles_count; i++) mesh->triangles[i].part = part;
    lua_settop(L, 1);
    return 1;
}

// --- making one -------------------------------------------------------------------------------

static void add_positions(lua_State *L, kart_mesh *mesh, int list) {
    kart_error error;
    lua_Integer count = luaL_len(L, list);
    for (lua_Integer i = 1; i <= count; i++) {
        kart_vec3 p;
        lua_geti(L, list, i);
        if (!bind_to_vec(L, lua_gettop(L), false, &p) || !kart_position_valid(p))
            luaL_error(L, "positions[%I]: expected a vector, got %s", (LUAI_UACINT)i,
                       luaL_tolstring(L, -1, NULL));
        if (!kart_mesh_add_position(mesh, p, &error)) luaL_error(L, "%s", error.what);
        lua_pop(L, 1);
    }
}

// The flag of the triangle on top: a number or a word; nil if its names are to say it.
static uint32_t check_flag_word(lua_State *L, lua_Integer i, const char *game) {
    uint32_t flag = KART_NO_FLAG;
    int type = lua_getfield(L, -1, "flag");
    if (type == LUA_TSTRING) {
        bind_push_lua(L, "kartlua.flags", "parse");
        lua_pushvalue(L, -2);
        lua_pushstring(L, game);
        lua_call(L, 2, 2);
        if (lua_isnil(L, -2))
            luaL_error(L, "triangles[%I].flag: %s", (LUAI_UACINT)i, lua_tostring(L, -1));
        flag = (uint32_t)lua_tointeger(L, -2);
        lua_pop(L, 2);
    } else if (type != LUA_TNIL) {
        flag = bind_check_flag_of(L, -1, game);
    }
    lua_pop(L, 1);
    return flag;
}

static void add_triangles(lua_State *L, kart_mesh *mesh, int list) {
    kart_error error;
    lua_Integer count = luaL_len(L, list);
    for (lua_Integer i = 1; i <= count; i++) {
        kart_triangle t;
        lua_geti(L, list, i);
        if (lua_type(L, -1) != LUA_TTABLE)
            luaL_error(L, "triangles[%I]: expected a table, got %s", (LUAI_UACINT)i,
                       luaL_tolstring(L, -1, NULL));
        for (int c = 0; c < 3; c++) {
            int whole = 0;
            lua_geti(L, -1, c + 1);
            lua_Integer corner = lua_tointegerx(L, -1, &whole);
            if (!whole || corner < 1 || (lua_Unsigned)corner > mesh->positions_count)
                luaL_error(L, "triangles[%I][%d]: expected a position from 1 to %I, got %s",
                           (LUAI_UACINT)i, c + 1, (LUAI_UACINT)mesh->positions_count,
                           luaL_tolstring(L, -1, NULL));
            t.corner[c] = (uint32_t)corner - 1;
            lua_pop(L, 1);
        }
        t.flag = check_flag_word(L, i, mesh->game);
        t.material = check_name_field(L, i, "material", mesh->ctx, &mesh->materials);
        t.part = check_name_field(L, i, "part", mesh->ctx, &mesh->parts);
        if (t.flag == KART_NO_FLAG) t.flag = kart_mesh_named_flag(mesh, t.material, t.part);
        if (!kart_mesh_add_triangle(mesh, t, &error)) luaL_error(L, "%s", error.what);
        lua_pop(L, 1);
    }
}

int bind_mesh_new(lua_State *L) {
    static const char *const names[] = {"game", "positions", "triangles", NULL};
    kart_error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    bind_check_options(L, 1, names);
    lua_settop(L, 1);
    lua_getfield(L, 1, "game");
    lua_getfield(L, 1, "positions");
    lua_getfield(L, 1, "triangles");
    const char *game = lua_isnil(L, 2) ? "mkw" : bind_flag_game(L, 2);
    if (!game)
        return luaL_argerror(
            L, 1, lua_pushfstring(L, "game: there is no game '%s'", luaL_tolstring(L, 2, NULL)));
    luaL_argcheck(L, lua_istable(L, 3), 1, "positions: expected a list of vectors");
    luaL_argcheck(L, lua_istable(L, 4), 1, "triangles: expected a list of tables");
    bind_box *box = bind_document_push(L, &bind_mesh_documents);
    kart_mesh *mesh = kart_mesh_new(bind_ctx(L), game, &error);
    int results = bind_document_open(L, box, mesh, NULL, &error);
    if (results != 1) return results;
    add_positions(L, mesh, 3);
    add_triangles(L, mesh, 4);
    kart_mesh_fit(mesh);
    bind_pace(L, kart_mesh_memory(mesh));
    lua_settop(L, 5);
    return 1;
}
