// Checking a KMP and mending what is found.
#include "bind/section.h"

#include "kmp/check.h"

#include <string.h>

// fix(id): how much was mended; nil, message, code where no repair is known.
int bind_kmp_fix(lua_State *L) {
    kmp_doc *doc = bind_check_kmp(L, 1);
    size_t mended;
    kart_error error;
    if (!kmp_fix(doc, luaL_checkstring(L, 2), &mended, &error)) return bind_fail(L, NULL, &error);
    lua_pushinteger(L, (lua_Integer)mended);
    return 1;
}

static bool check_run(lua_State *L, void *user, kart_findings *findings, kart_error *error) {
    return kmp_check(bind_check_kmp(L, 1), *(kmp_mode *)user, findings, error);
}

// check{ arena = true | false | "auto" }
int bind_kmp_check(lua_State *L) {
    static const char *const names[] = {"arena", NULL};
    kmp_mode mode = KMP_MODE_AUTO;
    bind_check_kmp(L, 1);
    bind_check_options(L, 2, names);
    if (lua_istable(L, 2) && lua_getfield(L, 2, "arena") == LUA_TBOOLEAN)
        mode = lua_toboolean(L, -1) ? KMP_MODE_ARENA : KMP_MODE_RACE;
    else if (lua_istable(L, 2) && !lua_isnil(L, -1) &&
             (lua_type(L, -1) != LUA_TSTRING || strcmp(lua_tostring(L, -1), "auto") != 0))
        return luaL_argerror(L, 2, "option 'arena': expected true, false or \"auto\"");
    return bind_push_check(L, check_run, &mode);
}

int bind_kmp_rules(lua_State *L) {
    const kart_rule *rule;
    lua_newtable(L);
    for (size_t i = 0; (rule = kmp_rule_at(i)); i++) {
        bind_push_rule(L, rule, kmp_rule_has_fix(i));
        lua_pushstring(L, kmp_rule_mode(i));
        lua_setfield(L, -2, "mode");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
