// kart.vec: an immutable vector.
#include "bind/bind.h"

#include "core/number.h"

#include <string.h>

void bind_push_vec(lua_State *L, kart_vec3 v) {
    kart_vec3 *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = v;
    luaL_setmetatable(L, bind_vec.name);
}

double bind_check_finite(lua_State *L, int arg) {
    double value = luaL_checknumber(L, arg);
    luaL_argcheck(L, isfinite(value), arg, "not a finite number");
    return value;
}

int bind_check_axis(lua_State *L, int arg) {
    static const char *const axes[] = {"x", "y", "z", NULL};
    return luaL_checkoption(L, arg, NULL, axes);
}

static bool component(lua_State *L, int index, const char *name, int number, double *value) {
    if (lua_getfield(L, index, name) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_rawgeti(L, index, number);
    }
    *value = lua_tonumber(L, -1);
    bool good = lua_type(L, -1) == LUA_TNUMBER && isfinite(*value);
    lua_pop(L, 1);
    return good;
}

bool bind_to_vec(lua_State *L, int index, bool flat, kart_vec3 *v) {
    index = lua_absindex(L, index);
    const kart_vec3 *box = luaL_testudata(L, index, bind_vec.name);
    if (box) {
        *v = *box;
        return vec3_finite(*v);
    }
    if (!lua_istable(L, index)) return false;
    bool short_form = flat && lua_rawlen(L, index) == 2;
    v->y = 0;
    return component(L, index, "x", 1, &v->x) &&
           component(L, index, "z", short_form ? 2 : 3, &v->z) &&
           (flat || component(L, index, "y", 2, &v->y));
}

kart_vec3 bind_check_vec(lua_State *L, int arg) {
    const kart_vec3 *box = luaL_testudata(L, arg, bind_vec.name);
    if (box) return *box; // what a file holds may be anything, and may be computed with
    kart_vec3 v = {0, 0, 0};
    if (!bind_to_vec(L, arg, false, &v)) luaL_typeerror(L, arg, "vector of finite numbers");
    return v;
}

kart_vec3 bind_check_direction(lua_State *L, int arg) {
    if (lua_type(L, arg) == LUA_TSTRING) {
        int axis = bind_check_axis(L, arg);
        return (kart_vec3){axis == 0, axis == 1, axis == 2};
    }
    kart_vec3 direction = bind_check_vec(L, arg);
    luaL_argcheck(L, vec3_length(direction) > 0, arg, "the axis has no length");
    return direction;
}

kart_vec3 bind_check_factors(lua_State *L, int arg) {
    if (lua_type(L, arg) != LUA_TNUMBER) return bind_check_vec(L, arg);
    double factor = bind_check_finite(L, arg);
    return (kart_vec3){factor, factor, factor};
}

int bind_vec_new(lua_State *L) {
    if (lua_gettop(L) == 1 && !lua_isnumber(L, 1)) {
        bind_push_vec(L, bind_check_vec(L, 1));
        return 1;
    }
    kart_vec3 v = {bind_check_finite(L, 1), bind_check_finite(L, 2), bind_check_finite(L, 3)};
    bind_push_vec(L, v);
    return 1;
}

static int vec_add(lua_State *L) {
    bind_push_vec(L, vec3_add(bind_check_vec(L, 1), bind_check_vec(L, 2)));
    return 1;
}

static int vec_sub(lua_State *L) {
    bind_push_vec(L, vec3_sub(bind_check_vec(L, 1), bind_check_vec(L, 2)));
    return 1;
}

// Number times vector in either order, or component by component.
static int vec_mul(lua_State *L) {
    if (lua_type(L, 1) == LUA_TNUMBER) lua_rotate(L, 1, 1);
    kart_vec3 a = bind_check_vec(L, 1), b;
    if (lua_type(L, 2) == LUA_TNUMBER)
        b.x = b.y = b.z = lua_tonumber(L, 2);
    else
        b = bind_check_vec(L, 2);
    bind_push_vec(L, (kart_vec3){a.x * b.x, a.y * b.y, a.z * b.z});
    return 1;
}

static int vec_div(lua_State *L) {
    kart_vec3 a = bind_check_vec(L, 1);
    double k = luaL_checknumber(L, 2);
    luaL_argcheck(L, k != 0, 2, "division of a vector by zero");
    bind_push_vec(L, (kart_vec3){a.x / k, a.y / k, a.z / k});
    return 1;
}

static int vec_unm(lua_State *L) {
    bind_push_vec(L, vec3_scale(bind_check_vec(L, 1), -1));
    return 1;
}

static int vec_eq(lua_State *L) {
    const kart_vec3 *a = luaL_testudata(L, 1, bind_vec.name);
    const kart_vec3 *b = luaL_testudata(L, 2, bind_vec.name);
    lua_pushboolean(L, a && b && a->x == b->x && a->y == b->y && a->z == b->z);
    return 1;
}

static int vec_tostring(lua_State *L) {
    char x[KART_NUMBER_SIZE], y[KART_NUMBER_SIZE], z[KART_NUMBER_SIZE];
    const kart_vec3 *v = luaL_checkudata(L, 1, bind_vec.name);
    lua_pushfstring(L, "(%s, %s, %s)", kart_number_text(v->x, x), kart_number_text(v->y, y),
                    kart_number_text(v->z, z));
    return 1;
}

static int vec_newindex(lua_State *L) {
    return luaL_error(L, "a vec can't be changed: assign a new one, "
                         "as in record.position = record.position + kart.vec(0, 100, 0)");
}

static int vec_dot(lua_State *L) {
    lua_pushnumber(L, vec3_dot(bind_check_vec(L, 1), bind_check_vec(L, 2)));
    return 1;
}

static int vec_cross(lua_State *L) {
    bind_push_vec(L, vec3_cross(bind_check_vec(L, 1), bind_check_vec(L, 2)));
    return 1;
}

static int vec_length(lua_State *L) {
    lua_pushnumber(L, vec3_length(bind_check_vec(L, 1)));
    return 1;
}

static int vec_unpack(lua_State *L) {
    kart_vec3 v = bind_check_vec(L, 1);
    lua_pushnumber(L, v.x);
    lua_pushnumber(L, v.y);
    lua_pushnumber(L, v.z);
    return 3;
}

static int vec_x(lua_State *L) {
    lua_pushnumber(L, bind_check_vec(L, 1).x);
    return 1;
}

static int vec_y(lua_State *L) {
    lua_pushnumber(L, bind_check_vec(L, 1).y);
    return 1;
}

static int vec_z(lua_State *L) {
    lua_pushnumber(L, bind_check_vec(L, 1).z);
    return 1;
}

static const luaL_Reg methods[] = {{"dot", vec_dot},
                                   {"cross", vec_cross},
                                   {"length", vec_length},
                                   {"unpack", vec_unpack},
                                   {NULL, NULL}};
static const luaL_Reg properties[] = {{"x", vec_x}, {"y", vec_y}, {"z", vec_z}, {NULL, NULL}};
static const luaL_Reg metamethods[] = {
    {"__add", vec_add},           {"__sub", vec_sub},           {"__mul", vec_mul},
    {"__div", vec_div},           {"__unm", vec_unm},           {"__eq", vec_eq},
    {"__tostring", vec_tostring}, {"__newindex", vec_newindex}, {NULL, NULL}};

const bind_type bind_vec = {.name = "kart.vec",
                            .noun = "vec",
                            .methods = methods,
                            .properties = properties,
                            .metamethods = metamethods};
