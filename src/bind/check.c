// Checking a KMP and mending what is found.
#include "bind/ground.h"
#include "bind/section.h"

#include "course/check.h"
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

typedef struct check_options {
    kmp_mode mode;
    int collision; // stack index, 0 for none
    size_t made;   // bytes of a tree
} check_options;

static bool check_run(lua_State *L, void *user, kart_findings *findings, kart_error *error) {
    check_options *options = user;
    course_terrain terrain;
    if (!kmp_check(bind_check_kmp(L, 1), options->mode, findings, error)) return false;
    if (options->collision == 0) return true;
    return bind_ground_terrain(L, options->collision, COURSE_ALL_TYPES, &terrain, &options->made,
                               error) &&
           course_check(bind_check_kmp(L, 1), options->mode, &terrain, findings, error);
}

static kmp_mode option_mode(lua_State *L) {
    if (lua_isnoneornil(L, 2) || lua_getfield(L, 2, "arena") == LUA_TNIL) return KMP_MODE_AUTO;
    if (lua_isboolean(L, -1)) return lua_toboolean(L, -1) ? KMP_MODE_ARENA : KMP_MODE_RACE;
    if (lua_type(L, -1) != LUA_TSTRING || strcmp(lua_tostring(L, -1), "auto") != 0)
        luaL_argerror(L, 2, "option 'arena': expected true, false or \"auto\"");
    return KMP_MODE_AUTO;
}

// check{ arena = true | false | "auto", collision = document }
int bind_kmp_check(lua_State *L) {
    static const char *const names[] = {"arena", "collision", NULL};
    bind_check_kmp(L, 1);
    bind_check_options(L, 2, names);
    check_options options = {.mode = option_mode(L)};
    if (!lua_isnoneornil(L, 2) && lua_getfield(L, 2, "collision") != LUA_TNIL) {
        options.collision = lua_gettop(L);
        bind_check_ground(L, options.collision, 2, "option 'collision': ");
    }
    const int results = bind_push_check(L, check_run, &options);
    bind_pace(L, options.made);
    return results;
}

static void push_rule(lua_State *L, const kart_rule *rule, bool has_fix, const char *mode,
                      bool collision) {
    bind_push_rule(L, rule, has_fix);
    bind_set_string(L, "mode", mode);
    lua_pushboolean(L, collision);
    lua_setfield(L, -2, "collision");
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

// Those about the points alone, then those about points and collision.
int bind_kmp_rules(lua_State *L) {
    const kart_rule *rule;
    lua_newtable(L);
    for (size_t i = 0; (rule = kmp_rule_at(i)); i++)
        push_rule(L, rule, kmp_rule_has_fix(i), kmp_rule_mode(i), false);
    for (size_t i = 0; (rule = course_rule_at(i)); i++)
        push_rule(L, rule, false, course_rule_mode(i), true);
    return 1;
}
