#include "bind/bind.h"

#include <stdio.h>
#include <string.h>

#define STATE "kart.state"
#define GUARD "kart.guard"

volatile sig_atomic_t kart_interrupted;

// What the face keeps per Lua state. It has no finalizer: documents that are collected when the
// state closes still need it.
typedef struct bind_state {
    kart_ctx ctx;
    size_t debt; // bytes of C memory that the collector was not told of yet
} bind_state;

static bind_state *state_get(lua_State *L) {
    if (lua_getfield(L, LUA_REGISTRYINDEX, STATE) == LUA_TNIL) {
        lua_pop(L, 1);
        bind_state *made = lua_newuserdatauv(L, sizeof *made, 0);
        *made = (bind_state){0};
        kart_ctx_init(&made->ctx);
        made->ctx.cancel = &kart_interrupted;
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, STATE);
    }
    bind_state *state = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return state;
}

kart_ctx *bind_ctx(lua_State *L) { return &state_get(L)->ctx; }

int bind_fail(lua_State *L, const char *path, const kart_error *error) {
    char text[512];
    kart_error_text(error, text, sizeof text);
    lua_pushnil(L);
    if (path)
        lua_pushfstring(L, "%s: %s", path, text);
    else
        lua_pushstring(L, text);
    lua_pushstring(L, kart_code_name(error->code));
    return 3;
}

// Small documents add up before a step is worth its while.
#define PACE_BYTES ((size_t)1 << 20)

void bind_pace(lua_State *L, size_t bytes) {
    bind_state *state = state_get(L);
    state->debt += bytes;
    if (state->debt < PACE_BYTES) return;
    int kilobytes = state->debt >> 10 > 1 << 20 ? 1 << 20 : (int)(state->debt >> 10);
    state->debt = 0;
    lua_gc(L, LUA_GCSTEP, kilobytes);
}

static int guard_collect(lua_State *L) {
    bind_guard_release(L, lua_touserdata(L, 1));
    return 0;
}

bind_guard *bind_guard_push(lua_State *L, size_t storage) {
    bind_guard *guard = lua_newuserdatauv(L, sizeof *guard + storage, 0);
    memset(guard, 0, sizeof *guard + storage);
    if (storage > 0) guard->data = guard + 1;
    if (luaL_newmetatable(L, GUARD)) {
        lua_pushcfunction(L, guard_collect);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return guard;
}

void bind_guard_release(lua_State *L, bind_guard *guard) {
    if (guard->release) guard->release(bind_ctx(L), guard->data, guard->size);
    guard->release = NULL;
}

const char *bind_unknown_option(lua_State *L, int index, const char *const names[]) {
    if (lua_isnoneornil(L, index)) return NULL;
    luaL_checktype(L, index, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        bool known = false;
        for (size_t i = 0; names[i] && lua_type(L, -1) == LUA_TSTRING; i++)
            known = known || strcmp(names[i], lua_tostring(L, -1)) == 0;
        if (!known) return luaL_tolstring(L, -1, NULL);
    }
    return NULL;
}

void bind_check_options(lua_State *L, int index, const char *const names[]) {
    const char *unknown = bind_unknown_option(L, index, names);
    if (unknown) luaL_argerror(L, index, lua_pushfstring(L, "unknown option '%s'", unknown));
}

// Push the option and tell whether it is there.
static bool option_get(lua_State *L, int index, const char *name) {
    if (lua_isnoneornil(L, index))
        lua_pushnil(L);
    else
        lua_getfield(L, index, name);
    return !lua_isnil(L, -1);
}

static void option_error(lua_State *L, int index, const char *name, const char *expected) {
    luaL_argerror(L, index,
                  lua_pushfstring(L, "option '%s': expected %s, got %s", name, expected,
                                  luaL_tolstring(L, -1, NULL)));
}

bool bind_option_boolean(lua_State *L, int index, const char *name) {
    bool given = option_get(L, index, name);
    if (given && !lua_isboolean(L, -1)) option_error(L, index, name, "true or false");
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

double bind_option_number(lua_State *L, int index, const char *name, double fallback) {
    double value = fallback;
    if (option_get(L, index, name)) {
        value = lua_tonumber(L, -1);
        if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(value))
            option_error(L, index, name, "a finite number");
    }
    lua_pop(L, 1);
    return value;
}

bool bind_option_vec(lua_State *L, int index, const char *name, kart_vec3 *value) {
    bool given = option_get(L, index, name);
    if (given && !bind_to_vec(L, lua_gettop(L), false, value))
        option_error(L, index, name, "a vector");
    lua_pop(L, 1);
    return given;
}

void bind_push_number(lua_State *L, double value) {
    if (value == floor(value) && fabs(value) < 1e15)
        lua_pushinteger(L, (lua_Integer)value);
    else
        lua_pushnumber(L, value);
}

void bind_add_name(lua_State *L, const char *name) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

void bind_set_string(lua_State *L, const char *name, const char *value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

void bind_set_integer(lua_State *L, const char *name, int64_t value) {
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void bind_set_number(lua_State *L, const char *name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

// --- findings ---------------------------------------------------------------------------------

static void push_place(lua_State *L, const kart_finding *finding) {
    luaL_Buffer place;
    char part[64];
    luaL_buffinit(L, &place);
    luaL_addstring(&place, finding->section);
    if (finding->index != KART_NO_INDEX) {
        snprintf(part, sizeof part, "[%zu]", finding->index + 1);
        luaL_addstring(&place, part);
    }
    if (finding->point != KART_NO_INDEX) {
        snprintf(part, sizeof part, ".points[%zu]", finding->point + 1);
        luaL_addstring(&place, part);
    }
    if (finding->field[0]) {
        luaL_addchar(&place, '.');
        luaL_addstring(&place, finding->field);
    }
    luaL_pushresult(&place);
}

void bind_push_finding(lua_State *L, const kart_finding *finding, const char *member) {
    lua_createtable(L, 0, 9);
    bind_set_string(L, "member", member);
    bind_set_string(L, "rule", finding->rule);
    bind_set_string(L, "severity", kart_severity_name(finding->severity));
    bind_set_string(L, "section", finding->section);
    bind_set_string(L, "field", finding->field);
    bind_set_string(L, "message", finding->message);
    push_place(L, finding);
    lua_setfield(L, -2, "place");
    if (finding->index != KART_NO_INDEX) {
        bind_set_integer(L, "index", (int64_t)finding->index + 1);
    }
    if (finding->point != KART_NO_INDEX) {
        bind_set_integer(L, "point", (int64_t)finding->point + 1);
    }
    luaL_setmetatable(L, bind_finding.name);
}

void bind_push_findings(lua_State *L, const kart_findings *findings) {
    lua_createtable(L, (int)findings->count, 0);
    for (size_t i = 0; i < findings->count; i++) {
        // A copy: a finalizer that runs meanwhile may edit the document and add warnings.
        kart_finding finding = findings->items[i];
        bind_push_finding(L, &finding, NULL);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void findings_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    kart_findings_free(ctx, data);
}

int bind_push_check(lua_State *L, bind_check_fn run, void *user) {
    kart_error error;
    bind_guard *guard = bind_guard_push(L, sizeof(kart_findings));
    guard->release = findings_release;
    if (!run(L, user, guard->data, &error)) return bind_fail(L, NULL, &error);
    bind_push_findings(L, guard->data);
    bind_guard_release(L, guard);
    return 1;
}

void bind_push_rule(lua_State *L, const kart_rule *rule, bool has_fix) {
    lua_createtable(L, 0, 7);
    bind_set_string(L, "id", rule->id);
    bind_set_string(L, "severity", kart_severity_name(rule->severity));
    bind_set_string(L, "sections", rule->sections);
    bind_set_string(L, "reason", rule->reason);
    bind_set_string(L, "remedy", rule->remedy);
    bind_set_string(L, "source", rule->source);
    lua_pushboolean(L, has_fix);
    lua_setfield(L, -2, "fix");
}

int bind_push_rules(lua_State *L, const kart_rule *(*at)(size_t index)) {
    const kart_rule *rule;
    lua_newtable(L);
    for (size_t i = 0; (rule = at(i)); i++) {
        bind_push_rule(L, rule, false);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int finding_tostring(lua_State *L) {
    static const char *const names[] = {"member", "place", "severity", "message", "rule"};
    const char *part[5];
    for (int i = 0; i < 5; i++) {
        lua_getfield(L, 1, names[i]);
        part[i] = lua_tostring(L, -1) ? lua_tostring(L, -1) : "";
    }
    lua_pushfstring(L, "%s%s%s%s%s: %s [%s]", part[0], part[0][0] ? ": " : "", part[1],
                    part[1][0] ? ": " : "", part[2], part[3], part[4]);
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg finding_metamethods[] = {{"__tostring", finding_tostring}, {NULL, NULL}};
const bind_type bind_finding = {.name = "kart.finding",
                                .noun = "finding",
                                .methods = none,
                                .properties = none,
                                .metamethods = finding_metamethods};
