// The whole surface in one place: every type and every function that Lua sees.
#include "bind/bind.h"

#include <string.h>

#define VERSION "0.1.0"

static const bind_type *const types[] = {
    &bind_vec,          &bind_matrix,    &bind_kmp,      &bind_section,   &bind_record,
    &bind_values,       &bind_finding,   &bind_kcl,      &bind_prisms,    &bind_prism,
    &bind_points,       &bind_column,    &bind_szs,      &bind_mesh,      &bind_triangles,
    &bind_triangle,     &bind_positions, &bind_hit,      &bind_agp,       &bind_agp_triangles,
    &bind_agp_triangle, &bind_agp_walls, &bind_agp_wall, &bind_agp_cells, &bind_agp_cell};
#define TYPES (sizeof types / sizeof *types)

// The type of the value at stack index 1, NULL if it is none of ours.
static const bind_type *type_of(lua_State *L) {
    luaL_checkany(L, 1);
    const bind_type *type = NULL;
    if (luaL_getmetafield(L, 1, "__name") == LUA_TNIL) return NULL;
    for (size_t i = 0; i < TYPES && lua_type(L, -1) == LUA_TSTRING; i++)
        if (strcmp(types[i]->name, lua_tostring(L, -1)) == 0) type = types[i];
    lua_pop(L, 1);
    return type;
}

// kart.type(value): the noun of one of our types, nil for anything else.
static int kart_type(lua_State *L) {
    const bind_type *type = type_of(L);
    lua_pushstring(L, type ? type->noun : NULL);
    return 1;
}

// kart.members(value): the names that may stand behind its dot or colon, for completion.
static int kart_members(lua_State *L) {
    const bind_type *type = type_of(L);
    if (!type) return 0;
    lua_newtable(L);
    for (const luaL_Reg *m = type->methods; m->name; m++) bind_add_name(L, m->name);
    for (const luaL_Reg *p = type->properties; p->name; p++) bind_add_name(L, p->name);
    if (type->members) type->members(L);
    return 1;
}

static bool holds_function(const luaL_Reg *list, lua_CFunction function) {
    for (; list->name; list++)
        if (list->func == function) return true;
    return false;
}

// The function of the stack level `ar` is one of ours: a closure of type_index, or a method.
static bool is_own_function(lua_State *L, lua_Debug *ar);

bool bind_is_inside_call(lua_State *L) {
    lua_Debug ar;
    // What a coroutine was resumed from can't be seen from inside of it.
    bool inside = !lua_pushthread(L);
    lua_pop(L, 1);
    for (int level = 1; !inside && lua_getstack(L, level, &ar); level++)
        inside = is_own_function(L, &ar);
    return inside;
}

static int kart_api(lua_State *L);

static const luaL_Reg functions[] = {{"open", bind_open},       {"course", bind_course},
                                     {"vec", bind_vec_new},     {"type", kart_type},
                                     {"members", kart_members}, {"number_text", bind_number_text},
                                     {"api", kart_api},         {NULL, NULL}};

static const struct {
    const char *name;
    const luaL_Reg *functions;
} namespaces[] = {{"kmp", bind_kmp_functions},       {"kcl", bind_kcl_functions},
                  {"agp", bind_agp_functions},       {"szs", bind_szs_functions},
                  {"mesh", bind_mesh_functions},     {"matrix", bind_matrix_functions},
                  {"points", bind_points_functions}, {"file", bind_file_functions},
                  {"os", bind_os_functions}};
#define NAMESPACES (sizeof namespaces / sizeof *namespaces)

static void api_add(lua_State *L, const luaL_Reg *list, const char *what) {
    for (; list->name; list++) {
        lua_pushstring(L, what);
        lua_setfield(L, -2, list->name);
    }
}

// kart.api(): every registered name, so that the stubs can be checked against it. By owner:
// { kmp = { mirror = "method", game = "property" }, ["kart.kmp"] = { parse = "function" } }.
static int kart_api(lua_State *L) {
    lua_newtable(L);
    for (size_t i = 0; i < TYPES; i++) {
        lua_newtable(L);
        api_add(L, types[i]->methods, "method");
        api_add(L, types[i]->properties, "property");
        lua_setfield(L, -2, types[i]->noun);
    }
    lua_newtable(L);
    api_add(L, functions, "function");
    lua_setfield(L, -2, "kart");
    for (size_t i = 0; i < NAMESPACES; i++) {
        lua_newtable(L);
        api_add(L, namespaces[i].functions, "function");
        lua_pushfstring(L, "kart.%s", namespaces[i].name);
        lua_insert(L, -2);
        lua_settable(L, -3);
    }
    return 1;
}

// obj[key]: a method, a property, or what the type's own index function says.
// Upvalues: methods, properties, the type.
static int type_index(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) {
        lua_CFunction get = lua_tocfunction(L, -1);
        lua_settop(L, 1);
        return get(L);
    }
    lua_settop(L, 2);
    const bind_type *type = lua_touserdata(L, lua_upvalueindex(3));
    if (type->index) return type->index(L);
    return luaL_error(L, "%s has no field '%s'", type->noun, luaL_tolstring(L, 2, NULL));
}

static bool is_own_function(lua_State *L, lua_Debug *ar) {
    lua_getinfo(L, "f", ar);
    lua_CFunction function = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    if (!function) return false;
    bool own = function == type_index || holds_function(functions, function);
    for (size_t i = 0; !own && i < TYPES; i++)
        own = holds_function(types[i]->methods, function) ||
              holds_function(types[i]->metamethods, function);
    for (size_t i = 0; !own && i < NAMESPACES; i++)
        own = holds_function(namespaces[i].functions, function);
    return own;
}

static void type_register(lua_State *L, const bind_type *type) {
    if (!luaL_newmetatable(L, type->name)) luaL_error(L, "%s is registered twice", type->name);
    luaL_setfuncs(L, type->metamethods, 0);
    // A finding is a plain table with a face: it has no index.
    if (type != &bind_finding) {
        lua_newtable(L);
        luaL_setfuncs(L, type->methods, 0);
        lua_newtable(L);
        luaL_setfuncs(L, type->properties, 0);
        lua_pushlightuserdata(L, (void *)(uintptr_t)type);
        lua_pushcclosure(L, type_index, 3);
        lua_setfield(L, -2, "__index");
    }
    lua_pushliteral(L, "a kartlua type: its metatable is not for changing");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

int luaopen_kartlua_native(lua_State *L) {
    luaL_checkversion(L);
    if (luaL_getmetatable(L, bind_vec.name) == LUA_TNIL)
        for (size_t i = 0; i < TYPES; i++) type_register(L, types[i]);
    luaL_newlib(L, functions);
    for (size_t i = 0; i < NAMESPACES; i++) {
        lua_newtable(L);
        luaL_setfuncs(L, namespaces[i].functions, 0);
        lua_setfield(L, -2, namespaces[i].name);
    }
    lua_pushliteral(L, VERSION);
    lua_setfield(L, -2, "version");
    return 1;
}
