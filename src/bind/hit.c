// What queries find: a value of its own, which costs less than a table of as many fields.
#include "bind/bind.h"

void bind_push_hit(lua_State *L, const kart_hit *hit) {
    kart_hit *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = *hit;
    luaL_setmetatable(L, bind_hit.name);
}

static const kart_hit *hit_check(lua_State *L) { return luaL_checkudata(L, 1, bind_hit.name); }

static int hit_distance(lua_State *L) {
    lua_pushnumber(L, hit_check(L)->distance);
    return 1;
}

static int hit_fraction(lua_State *L) {
    lua_pushnumber(L, hit_check(L)->fraction);
    return 1;
}

static int hit_point(lua_State *L) {
    bind_push_vec(L, hit_check(L)->point);
    return 1;
}

static int hit_normal(lua_State *L) {
    const kart_vec3 n = hit_check(L)->normal;
    if (n.x == 0 && n.y == 0 && n.z == 0) return 0;
    bind_push_vec(L, n);
    return 1;
}

static int hit_u(lua_State *L) {
    lua_pushnumber(L, hit_check(L)->u);
    return 1;
}

static int hit_v(lua_State *L) {
    lua_pushnumber(L, hit_check(L)->v);
    return 1;
}

static int hit_triangle(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)hit_check(L)->triangle + 1);
    return 1;
}

static int hit_flag(lua_State *L) {
    const uint32_t flag = hit_check(L)->flag;
    if (flag == KART_NO_FLAG) return 0;
    lua_pushinteger(L, (lua_Integer)flag);
    return 1;
}

static int hit_visits(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)hit_check(L)->visits);
    return 1;
}

static int hit_newindex(lua_State *L) { return luaL_error(L, "a hit can't be changed"); }

static int hit_tostring(lua_State *L) {
    const kart_hit *box = hit_check(L);
    bind_push_vec(L, box->point);
    lua_pushfstring(L, "hit: triangle %I, %f away, at %s", (LUAI_UACINT)box->triangle + 1,
                    (LUAI_UACNUMBER)box->distance, luaL_tolstring(L, -1, NULL));
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg properties[] = {{"distance", hit_distance},
                                      {"flag", hit_flag},
                                      {"fraction", hit_fraction},
                                      {"normal", hit_normal},
                                      {"point", hit_point},
                                      {"triangle", hit_triangle},
                                      {"u", hit_u},
                                      {"v", hit_v},
                                      {"visits", hit_visits},
                                      {NULL, NULL}};
static const luaL_Reg metamethods[] = {
    {"__newindex", hit_newindex}, {"__tostring", hit_tostring}, {NULL, NULL}};
const bind_type bind_hit = {.name = "kart.hit",
                            .noun = "hit",
                            .methods = none,
                            .properties = properties,
                            .metamethods = metamethods};
