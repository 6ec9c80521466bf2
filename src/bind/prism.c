// kcl.prisms and its prisms: views by index, as prisms are never added or removed one by one.
#include "bind/document.h"

#include <string.h>

static kcl_doc *view_doc(lua_State *L, int index) { return bind_document_of_view(L, index); }

// --- the list ---------------------------------------------------------------------------------

void bind_push_prisms(lua_State *L, int owner) {
    owner = lua_absindex(L, owner);
    lua_newuserdatauv(L, 0, 1);
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, bind_prisms.name);
}

static kcl_doc *prisms_check(lua_State *L) {
    luaL_checkudata(L, 1, bind_prisms.name);
    return view_doc(L, 1);
}

static int prisms_length(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)prisms_check(L)->prisms_count);
    return 1;
}

static int prisms_index(lua_State *L) {
    const kcl_doc *doc = prisms_check(L);
    int whole = 0;
    lua_Integer index = lua_tointegerx(L, 2, &whole);
    if (!whole || lua_type(L, 2) != LUA_TNUMBER)
        return luaL_error(L, "prisms has no field '%s'", luaL_tolstring(L, 2, NULL));
    if (index < 1 || (lua_Unsigned)index > doc->prisms_count) return 0;
    size_t *view = lua_newuserdatauv(L, sizeof *view, 1);
    *view = (size_t)index - 1;
    lua_getiuservalue(L, 1, 1);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, bind_prism.name);
    return 1;
}

static int prisms_newindex(lua_State *L) {
    return luaL_error(L, "prisms can't be assigned, only their flags");
}

static int prisms_eq(lua_State *L) {
    bool both = luaL_testudata(L, 1, bind_prisms.name) && luaL_testudata(L, 2, bind_prisms.name);
    lua_pushboolean(L, both && view_doc(L, 1) == view_doc(L, 2));
    return 1;
}

static int prisms_tostring(lua_State *L) {
    lua_pushfstring(L, "prisms: %d", (int)prisms_check(L)->prisms_count);
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg prisms_metamethods[] = {{"__len", prisms_length},
                                              {"__eq", prisms_eq},
                                              {"__tostring", prisms_tostring},
                                              {"__newindex", prisms_newindex},
                                              {NULL, NULL}};
const bind_type bind_prisms = {.name = "kart.prisms",
                               .noun = "prisms",
                               .methods = none,
                               .properties = none,
                               .metamethods = prisms_metamethods,
                               .index = prisms_index};

// --- a prism ----------------------------------------------------------------------------------

// Where a view looks. A rebuilt document may have fewer prisms.
typedef struct place {
    kcl_doc *doc;
    const kcl_model *model;
    size_t index, in_model;
    kcl_prism prism;
} place;

static place prism_check(lua_State *L) {
    const size_t *view = luaL_checkudata(L, 1, bind_prism.name);
    place p = {.doc = view_doc(L, 1), .index = *view};
    if (*view >= p.doc->prisms_count) luaL_error(L, "prisms[%d] is no more", (int)*view + 1);
    p.model = kcl_model_of(p.doc, *view, &p.in_model);
    p.prism = kcl_prism_get(p.doc, p.model, p.in_model);
    return p;
}

static int prism_number(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)prism_check(L).index + 1);
    return 1;
}

static int prism_height(lua_State *L) {
    lua_pushnumber(L, prism_check(L).prism.height);
    return 1;
}

static int prism_flag(lua_State *L) {
    lua_pushinteger(L, prism_check(L).prism.flag);
    return 1;
}

static int prism_model(lua_State *L) {
    place p = prism_check(L);
    lua_pushinteger(L, p.model - p.doc->models + 1);
    return 1;
}

static int prism_triangle(lua_State *L) {
    place p = prism_check(L);
    if (!p.doc->format->v2) return 0;
    lua_pushinteger(L, p.prism.triangle);
    return 1;
}

static int prism_position(lua_State *L) {
    place p = prism_check(L);
    bind_push_vec(L, kcl_position_get(p.doc, p.model, p.prism.position));
    return 1;
}

static int normal_push(lua_State *L, size_t which) {
    place p = prism_check(L);
    bind_push_vec(L, kcl_normal_get(p.doc, p.model, p.prism.normal[which]));
    return 1;
}

static int prism_face_normal(lua_State *L) { return normal_push(L, KCL_FACE); }
static int prism_ca_normal(lua_State *L) { return normal_push(L, KCL_CA); }
static int prism_ab_normal(lua_State *L) { return normal_push(L, KCL_AB); }
static int prism_bc_normal(lua_State *L) { return normal_push(L, KCL_BC); }

// The corners, nil where they can't be computed.
static int prism_corners(lua_State *L) {
    place p = prism_check(L);
    kart_vec3 corner[3];
    kcl_soundness soundness = kcl_prism_triangle(p.doc, p.model, &p.prism, corner);
    if (soundness == KCL_NOT_FINITE || soundness == KCL_PARALLEL) return 0;
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        bind_push_vec(L, corner[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int prism_problem(lua_State *L) {
    place p = prism_check(L);
    kart_vec3 corner[3];
    kcl_soundness soundness = kcl_prism_triangle(p.doc, p.model, &p.prism, corner);
    lua_pushstring(L, soundness == KCL_SOUND ? NULL : kcl_soundness_text(soundness));
    return 1;
}

static int prism_area(lua_State *L) {
    place p = prism_check(L);
    kart_vec3 c[3];
    kcl_prism_triangle(p.doc, p.model, &p.prism, c);
    lua_pushnumber(L, kcl_triangle_area(c));
    return 1;
}

static int prism_newindex(lua_State *L) {
    place p = prism_check(L);
    const char *name = luaL_checkstring(L, 2);
    int whole = 0;
    lua_Integer flag = lua_tointegerx(L, 3, &whole);
    if (strcmp(name, "flag") != 0)
        return luaL_error(L, "prisms[%d].%s can't be assigned, only the flag", (int)p.index + 1,
                          name);
    if (!whole || lua_type(L, 3) != LUA_TNUMBER || flag < 0 || flag > 65535)
        return luaL_error(L, "prisms[%d].flag: expected 0 to 65535, got %s", (int)p.index + 1,
                          luaL_tolstring(L, 3, NULL));
    kcl_flag_set(p.doc, p.model, p.in_model, (uint16_t)flag);
    return 0;
}

static int prism_eq(lua_State *L) {
    const size_t *a = luaL_testudata(L, 1, bind_prism.name);
    const size_t *b = luaL_testudata(L, 2, bind_prism.name);
    lua_pushboolean(L, a && b && *a == *b && view_doc(L, 1) == view_doc(L, 2));
    return 1;
}

static int prism_tostring(lua_State *L) {
    lua_pushfstring(L, "prisms[%d]", (int)prism_check(L).index + 1);
    return 1;
}

static const luaL_Reg prism_properties[] = {
    {"ab_normal", prism_ab_normal}, {"area", prism_area},
    {"bc_normal", prism_bc_normal}, {"ca_normal", prism_ca_normal},
    {"corners", prism_corners},     {"face_normal", prism_face_normal},
    {"flag", prism_flag},           {"height", prism_height},
    {"index", prism_number},        {"model", prism_model},
    {"position", prism_position},   {"problem", prism_problem},
    {"triangle", prism_triangle},   {NULL, NULL}};
static const luaL_Reg prism_metamethods[] = {{"__eq", prism_eq},
                                             {"__tostring", prism_tostring},
                                             {"__newindex", prism_newindex},
                                             {NULL, NULL}};
const bind_type bind_prism = {.name = "kart.prism",
                              .noun = "prism",
                              .methods = none,
                              .properties = prism_properties,
                              .metamethods = prism_metamethods};
