#include "bind/flags.h"

#include <string.h>

bind_flag_counts *bind_flag_counts_push(lua_State *L) {
    return lua_newuserdatauv(L, sizeof(bind_flag_counts), 0);
}

int bind_push_flag_counts(lua_State *L, const bind_flag_counts *counts) {
    lua_newtable(L);
    for (size_t flag = 0, number = 0; flag < 65536; flag++) {
        if (counts->counts[flag] == 0) continue;
        lua_createtable(L, 0, 3);
        bind_set_integer(L, "flag", (int64_t)flag);
        bind_set_integer(L, "count", (int64_t)counts->counts[flag]);
        bind_set_number(L, "area", counts->areas[flag]);
        lua_rawseti(L, -2, (lua_Integer)++number);
    }
    return 1;
}

lua_Integer bind_check_flag(lua_State *L, int index) {
    int whole = 0;
    lua_Integer flag = lua_tointegerx(L, index, &whole);
    if (!whole || flag < 0 || flag > 65535)
        luaL_error(L, "expected a flag from 0 to 65535, got %s", luaL_tolstring(L, index, NULL));
    return flag;
}

bool bind_to_wide_flag(lua_State *L, int index, uint32_t *flag) {
    int whole = 0;
    lua_Integer value = lua_tointegerx(L, index, &whole);
    if (!whole || lua_type(L, index) != LUA_TNUMBER || value < 0 || value > UINT32_MAX)
        return false;
    *flag = (uint32_t)value;
    return true;
}

const char *bind_flag_game(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TSTRING) return NULL;
    const kcl_format *format = kcl_format_find(lua_tostring(L, index));
    if (format) return format->name;
    return strcmp(lua_tostring(L, index), BIND_WIDE_GAME) == 0 ? BIND_WIDE_GAME : NULL;
}

uint32_t bind_check_flag_of(lua_State *L, int index, const char *game) {
    uint32_t flag = 0;
    if (strcmp(game, BIND_WIDE_GAME) != 0) return (uint32_t)bind_check_flag(L, index);
    if (!bind_to_wide_flag(L, index, &flag))
        luaL_error(L, "expected a flag from 0 to 4294967295, got %s",
                   luaL_tolstring(L, index, NULL));
    return flag;
}

const uint16_t *bind_check_flag_map(lua_State *L, int arg) {
    luaL_checktype(L, arg, LUA_TTABLE);
    uint16_t *map = lua_newuserdatauv(L, 65536 * sizeof *map, 0);
    for (size_t i = 0; i < 65536; i++) map[i] = (uint16_t)i;
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        map[bind_check_flag(L, -2)] = (uint16_t)bind_check_flag(L, -1);
        lua_pop(L, 1);
    }
    return map;
}

int bind_retag(lua_State *L) {
    lua_settop(L, 2);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "kartlua.retag");
    lua_call(L, 1, 1);
    lua_insert(L, 1);
    lua_call(L, 2, 2);
    return 2;
}

void bind_push_lua(lua_State *L, const char *module, const char *name) {
    lua_getglobal(L, "require");
    lua_pushstring(L, module);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

bind_flag_rule bind_check_flag_rule(lua_State *L, int index, int arg, const char *game) {
    index = lua_absindex(L, index);
    if (lua_type(L, index) == LUA_TNUMBER)
        return (bind_flag_rule){bind_check_flag_of(L, index, game), UINT32_MAX};
    if (lua_type(L, index) != LUA_TSTRING)
        luaL_argerror(L, arg,
                      lua_pushfstring(L, "expected the name or number of a flag, got %s",
                                      luaL_tolstring(L, index, NULL)));
    bind_push_lua(L, "kartlua.flags", "bits");
    lua_pushvalue(L, index);
    lua_pushstring(L, game);
    lua_call(L, 2, 2);
    if (lua_isnil(L, -2)) luaL_argerror(L, arg, lua_tostring(L, -1));
    bind_flag_rule rule = {(uint32_t)lua_tointeger(L, -2), (uint32_t)lua_tointeger(L, -1)};
    lua_pop(L, 2);
    return rule;
}

static void choose_rule(lua_State *L, int index, int arg, const char *game, uint8_t chosen[65536]) {
    bind_flag_rule rule = bind_check_flag_rule(L, index, arg, game);
    for (uint32_t flag = 0; flag < 65536; flag++)
        if ((flag & rule.mask) == rule.bits) chosen[flag] = 1;
}

void bind_choose_flags(lua_State *L, int index, int arg, const char *game, uint8_t chosen[65536]) {
    if (lua_type(L, index) != LUA_TTABLE) {
        choose_rule(L, index, arg, game, chosen);
        return;
    }
    lua_Integer count = luaL_len(L, index);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_geti(L, index, i);
        choose_rule(L, -1, arg, game, chosen);
        lua_pop(L, 1);
    }
}

uint32_t bind_check_types(lua_State *L, int index, const char *game) {
    if (lua_isnoneornil(L, index)) return BIND_TYPES_ALL;
    const bool words = lua_getfield(L, index, "flags") != LUA_TNIL;
    const bool bits = lua_getfield(L, index, "mask") != LUA_TNIL;
    if (words && bits) luaL_argerror(L, index, "flags and mask say the same: give one of them");
    if (words) {
        if (lua_type(L, -2) != LUA_TSTRING && !lua_istable(L, -2))
            luaL_argerror(L, index,
                          lua_pushfstring(L, "option 'flags': expected words for types, got %s",
                                          luaL_tolstring(L, -2, NULL)));
        lua_getglobal(L, "require");
        lua_pushliteral(L, "kartlua.flags");
        lua_call(L, 1, 1);
        lua_getfield(L, -1, "mask");
        lua_pushvalue(L, -4);
        lua_pushstring(L, game);
        lua_call(L, 2, 2);
        if (lua_isnil(L, -2))
            luaL_argerror(L, index, lua_pushfstring(L, "option 'flags': %s", lua_tostring(L, -1)));
        lua_pop(L, 1);
    }
    int whole = 1;
    lua_Integer mask = words || bits ? lua_tointegerx(L, -1, &whole) : BIND_TYPES_ALL;
    if (!whole || mask < 0 || mask > UINT32_MAX)
        luaL_argerror(L, index,
                      lua_pushfstring(L, "option 'mask': expected a number of 32 bits, got %s",
                                      luaL_tolstring(L, -1, NULL)));
    return (uint32_t)mask;
}
