// mesh.triangles, its triangles, and mesh.positions: views by index.
#include "bind/document.h"
#include "bind/flags.h"

#include <string.h>

static kart_mesh *view_mesh(lua_State *L, int index) { return bind_document_of_view(L, index); }

static void view_push(lua_State *L, int owner, const bind_type *type, size_t index) {
    owner = lua_absindex(L, owner);
    size_t *view = lua_newuserdatauv(L, sizeof *view, 1);
    *view = index;
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, type->name);
}

void bind_push_triangles(lua_State *L, int owner) { view_push(L, owner, &bind_triangles, 0); }
void bind_push_positions(lua_State *L, int owner) { view_push(L, owner, &bind_positions, 0); }
void bind_push_triangle(lua_State *L, int owner, size_t index) {
    view_push(L, owner, &bind_triangle, index);
}

// --- the lists --------------------------------------------------------------------------------

static kart_mesh *list_check(lua_State *L, const bind_type *type) {
    luaL_checkudata(L, 1, type->name);
    return view_mesh(L, 1);
}

// The index of list[key], from 0; SIZE_MAX past the ends. Raises for other keys.
static size_t list_place(lua_State *L, const bind_type *type, size_t count) {
    int whole = 0;
    lua_Integer index = lua_tointegerx(L, 2, &whole);
    if (!whole || lua_type(L, 2) != LUA_TNUMBER)
        luaL_error(L, "%s has no field '%s'", type->noun, luaL_tolstring(L, 2, NULL));
    return index < 1 || (lua_Unsigned)index > count ? SIZE_MAX : (size_t)index - 1;
}

static int list_equal(lua_State *L, const bind_type *type) {
    bool both = luaL_testudata(L, 1, type->name) && luaL_testudata(L, 2, type->name);
    lua_pushboolean(L, both && view_mesh(L, 1) == view_mesh(L, 2));
    return 1;
}

static int triangles_length(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)list_check(L, &bind_triangles)->triangles_count);
    return 1;
}

static int triangles_index(lua_State *L) {
    size_t place = list_place(L, &bind_triangles, list_check(L, &bind_triangles)->triangles_count);
    if (place == SIZE_MAX) return 0;
    lua_getiuservalue(L, 1, 1);
    bind_push_triangle(L, -1, place);
    return 1;
}

static int triangles_newindex(lua_State *L) {
    return luaL_error(L, "triangles can't be assigned, only their flags");
}

static int triangles_eq(lua_State *L) { return list_equal(L, &bind_triangles); }

static int triangles_tostring(lua_State *L) {
    lua_pushfstring(L, "triangles: %I",
                    (LUAI_UACINT)list_check(L, &bind_triangles)->triangles_count);
    return 1;
}

static int positions_length(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)list_check(L, &bind_positions)->positions_count);
    return 1;
}

static int positions_index(lua_State *L) {
    const kart_mesh *mesh = list_check(L, &bind_positions);
    size_t place = list_place(L, &bind_positions, mesh->positions_count);
    if (place == SIZE_MAX) return 0;
    bind_push_vec(L, mesh->positions[place]);
    return 1;
}

static int positions_newindex(lua_State *L) {
    return luaL_error(L, "positions can't be assigned: mesh:map changes them");
}

static int positions_eq(lua_State *L) { return list_equal(L, &bind_positions); }

static int positions_tostring(lua_State *L) {
    lua_pushfstring(L, "positions: %I",
                    (LUAI_UACINT)list_check(L, &bind_positions)->positions_count);
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg triangles_metamethods[] = {{"__len", triangles_length},
                                                 {"__eq", triangles_eq},
                                                 {"__tostring", triangles_tostring},
                                                 {"__newindex", triangles_newindex},
                                                 {NULL, NULL}};
const bind_type bind_triangles = {.name = "kart.triangles",
                                  .noun = "triangles",
                                  .methods = none,
                                  .properties = none,
                                  .metamethods = triangles_metamethods,
                                  .index = triangles_index};

static const luaL_Reg positions_metamethods[] = {{"__len", positions_length},
                                                 {"__eq", positions_eq},
                                                 {"__tostring", positions_tostring},
                                                 {"__newindex", positions_newindex},
                                                 {NULL, NULL}};
const bind_type bind_positions = {.name = "kart.positions",
                                  .noun = "positions",
                                  .methods = none,
                                  .properties = none,
                                  .metamethods = positions_metamethods,
                                  .index = positions_index};

// --- a triangle -------------------------------------------------------------------------------

// Where a view looks. The mesh may have fewer triangles by now.
static kart_mesh *triangle_check(lua_State *L, size_t *index) {
    const size_t *view = luaL_checkudata(L, 1, bind_triangle.name);
    kart_mesh *mesh = view_mesh(L, 1);
    *index = *view;
    if (*view >= mesh->triangles_count)
        luaL_error(L, "triangles[%I] is no more", (LUAI_UACINT)*view + 1);
    return mesh;
}

static int triangle_number(lua_State *L) {
    size_t i;
    triangle_check(L, &i);
    lua_pushinteger(L, (lua_Integer)i + 1);
    return 1;
}

static int triangle_corners(lua_State *L) {
    size_t i;
    kart_vec3 corner[3];
    const kart_mesh *mesh = triangle_check(L, &i);
    kart_mesh_corners(mesh, i, corner);
    lua_createtable(L, 3, 0);
    for (int c = 0; c < 3; c++) {
        bind_push_vec(L, corner[c]);
        lua_rawseti(L, -2, c + 1);
    }
    return 1;
}

static int triangle_positions(lua_State *L) {
    size_t i;
    const kart_mesh *mesh = triangle_check(L, &i);
    const kart_triangle t = mesh->triangles[i];
    lua_createtable(L, 3, 0);
    for (int c = 0; c < 3; c++) {
        lua_pushinteger(L, (lua_Integer)t.corner[c] + 1);
        lua_rawseti(L, -2, c + 1);
    }
    return 1;
}

static int triangle_flag(lua_State *L) {
    size_t i;
    const kart_mesh *mesh = triangle_check(L, &i);
    if (mesh->triangles[i].flag == KART_NO_FLAG) return 0;
    lua_pushinteger(L, (lua_Integer)mesh->triangles[i].flag);
    return 1;
}

static int name_push(lua_State *L, const kart_names *names, uint32_t number) {
    lua_pushstring(L, number == KART_NO_NAME ? NULL : kart_names_get(names, number));
    return 1;
}

static int triangle_material(lua_State *L) {
    size_t i;
    const kart_mesh *mesh = triangle_check(L, &i);
    return name_push(L, &mesh->materials, mesh->triangles[i].material);
}

static int triangle_part(lua_State *L) {
    size_t i;
    const kart_mesh *mesh = triangle_check(L, &i);
    return name_push(L, &mesh->parts, mesh->triangles[i].part);
}

static int triangle_area(lua_State *L) {
    size_t i;
    const kart_mesh *mesh = triangle_check(L, &i);
    lua_pushnumber(L, kart_mesh_triangle_area(mesh, i));
    return 1;
}

static int triangle_normal(lua_State *L) {
    size_t i;
    kart_vec3 c[3];
    const kart_mesh *mesh = triangle_check(L, &i);
    kart_mesh_corners(mesh, i, c);
    kart_vec3 across = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    double length = vec3_length(across);
    if (!(length > 0)) return 0;
    bind_push_vec(L, vec3_scale(across, 1 / length));
    return 1;
}

static int triangle_newindex(lua_State *L) {
    size_t i;
    kart_mesh *mesh = triangle_check(L, &i);
    const char *name = luaL_checkstring(L, 2);
    int whole = 0;
    lua_Integer flag = lua_tointegerx(L, 3, &whole);
    if (name[0] != 'f' || name[1] != 'l' || name[2] != 'a' || name[3] != 'g' || name[4])
        return luaL_error(L, "triangles[%I].%s can't be assigned, only the flag",
                          (LUAI_UACINT)i + 1, name);
    lua_Integer most = strcmp(mesh->game, BIND_WIDE_GAME) == 0 ? UINT32_MAX : 65535;
    if (!whole || lua_type(L, 3) != LUA_TNUMBER || flag < 0 || flag > most)
        return luaL_error(L, "triangles[%I].flag: expected 0 to %I, got %s", (LUAI_UACINT)i + 1,
                          (LUAI_UACINT)most, luaL_tolstring(L, 3, NULL));
    kart_mesh_set_flag(mesh, i, (uint32_t)flag);
    return 0;
}

static int triangle_eq(lua_State *L) {
    const size_t *a = luaL_testudata(L, 1, bind_triangle.name);
    const size_t *b = luaL_testudata(L, 2, bind_triangle.name);
    lua_pushboolean(L, a && b && *a == *b && view_mesh(L, 1) == view_mesh(L, 2));
    return 1;
}

static int triangle_tostring(lua_State *L) {
    size_t i;
    triangle_check(L, &i);
    lua_pushfstring(L, "triangles[%I]", (LUAI_UACINT)i + 1);
    return 1;
}

static const luaL_Reg triangle_properties[] = {
    {"area", triangle_area},    {"corners", triangle_corners},     {"flag", triangle_flag},
    {"index", triangle_number}, {"material", triangle_material},   {"normal", triangle_normal},
    {"part", triangle_part},    {"positions", triangle_positions}, {NULL, NULL}};
static const luaL_Reg triangle_metamethods[] = {{"__eq", triangle_eq},
                                                {"__tostring", triangle_tostring},
                                                {"__newindex", triangle_newindex},
                                                {NULL, NULL}};
const bind_type bind_triangle = {.name = "kart.triangle",
                                 .noun = "triangle",
                                 .methods = none,
                                 .properties = triangle_properties,
                                 .metamethods = triangle_metamethods};
