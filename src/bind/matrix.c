// kart.matrix: affine maps, immutable.
#include "bind/bind.h"

#include "core/number.h"

void bind_push_matrix(lua_State *L, const kart_affine *a) {
    kart_affine *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = *a;
    luaL_setmetatable(L, bind_matrix.name);
}

const kart_affine *bind_check_matrix(lua_State *L, int arg) {
    return luaL_checkudata(L, arg, bind_matrix.name);
}

static int push(lua_State *L, kart_affine a) {
    bind_push_matrix(L, &a);
    return 1;
}

static int matrix_identity(lua_State *L) { return push(L, kart_affine_identity); }

static int matrix_translation(lua_State *L) {
    return push(L, kart_affine_translation(bind_check_vec(L, 1)));
}

static int matrix_scale(lua_State *L) {
    return push(L, kart_affine_scale(bind_check_factors(L, 1)));
}

static int matrix_mirror(lua_State *L) {
    int axis = bind_check_axis(L, 1);
    return push(L, kart_affine_mirror(axis, lua_isnoneornil(L, 2) ? 0 : bind_check_finite(L, 2)));
}

static int matrix_rotation(lua_State *L) {
    kart_vec3 axis = bind_check_direction(L, 1);
    return push(L, kart_affine_rotation(axis, bind_check_finite(L, 2)));
}

static int matrix_euler(lua_State *L) { return push(L, kart_affine_euler(bind_check_vec(L, 1))); }

// Three rows of three or four numbers.
static int matrix_new(lua_State *L) {
    kart_affine a = kart_affine_identity;
    luaL_checktype(L, 1, LUA_TTABLE);
    for (int i = 0; i < 3; i++) {
        if (lua_rawgeti(L, 1, i + 1) != LUA_TTABLE)
            return luaL_argerror(L, 1, "expected three rows of three or four numbers");
        for (int j = 0; j < 4; j++) {
            int type = lua_rawgeti(L, -1, j + 1);
            if (type == LUA_TNIL && j == 3) {
                a.m[i][j] = 0;
            } else {
                a.m[i][j] = lua_tonumber(L, -1);
                if (type != LUA_TNUMBER || !isfinite(a.m[i][j]))
                    return luaL_argerror(L, 1, "expected three rows of three or four numbers");
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return push(L, a);
}

static int matrix_mul(lua_State *L) {
    const kart_affine *a = bind_check_matrix(L, 1);
    const kart_affine *b = luaL_testudata(L, 2, bind_matrix.name);
    if (b) return push(L, kart_affine_multiply(a, b));
    bind_push_vec(L, kart_affine_point(a, bind_check_vec(L, 2)));
    return 1;
}

static int matrix_invert(lua_State *L) {
    kart_affine inverse;
    if (!kart_affine_invert(bind_check_matrix(L, 1), &inverse))
        return luaL_error(L, "the matrix has no inverse");
    return push(L, inverse);
}

static int matrix_determinant(lua_State *L) {
    lua_pushnumber(L, kart_affine_determinant(bind_check_matrix(L, 1)));
    return 1;
}

static int matrix_about(lua_State *L) {
    return push(L, kart_affine_about(bind_check_matrix(L, 1), bind_check_vec(L, 2)));
}

static int matrix_direction(lua_State *L) {
    bind_push_vec(L, kart_affine_direction(bind_check_matrix(L, 1), bind_check_vec(L, 2)));
    return 1;
}

static int matrix_rows(lua_State *L) {
    const kart_affine *a = bind_check_matrix(L, 1);
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_createtable(L, 4, 0);
        for (int j = 0; j < 4; j++) {
            lua_pushnumber(L, a->m[i][j]);
            lua_rawseti(L, -2, j + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int matrix_eq(lua_State *L) {
    const kart_affine *a = luaL_testudata(L, 1, bind_matrix.name);
    const kart_affine *b = luaL_testudata(L, 2, bind_matrix.name);
    bool equal = a && b;
    for (int i = 0; equal && i < 12; i++) equal = a->m[i / 4][i % 4] == b->m[i / 4][i % 4];
    lua_pushboolean(L, equal);
    return 1;
}

static int matrix_tostring(lua_State *L) {
    const kart_affine *a = bind_check_matrix(L, 1);
    luaL_Buffer text;
    char number[KART_NUMBER_SIZE];
    luaL_buffinit(L, &text);
    for (int i = 0; i < 3; i++) {
        luaL_addstring(&text, i == 0 ? "[" : "; ");
        for (int j = 0; j < 4; j++) {
            if (j > 0) luaL_addstring(&text, ", ");
            luaL_addstring(&text, kart_number_text(a->m[i][j], number));
        }
    }
    luaL_addchar(&text, ']');
    luaL_pushresult(&text);
    return 1;
}

static int matrix_newindex(lua_State *L) {
    return luaL_error(L, "a matrix can't be changed: make a new one");
}

const luaL_Reg bind_matrix_functions[] = {{"new", matrix_new},
                                          {"identity", matrix_identity},
                                          {"translation", matrix_translation},
                                          {"scale", matrix_scale},
                                          {"mirror", matrix_mirror},
                                          {"rotation", matrix_rotation},
                                          {"euler", matrix_euler},
                                          {NULL, NULL}};
static const luaL_Reg methods[] = {{"invert", matrix_invert}, {"determinant", matrix_determinant},
                                   {"about", matrix_about},   {"direction", matrix_direction},
                                   {"rows", matrix_rows},     {NULL, NULL}};
static const luaL_Reg properties[] = {{NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__mul", matrix_mul},
                                       {"__eq", matrix_eq},
                                       {"__tostring", matrix_tostring},
                                       {"__newindex", matrix_newindex},
                                       {NULL, NULL}};

const bind_type bind_matrix = {.name = "kart.matrix",
                               .noun = "matrix",
                               .methods = methods,
                               .properties = properties,
                               .metamethods = metamethods};
