// Sections of a document, and the points of a route: views that count and find records.
#include "bind/section.h"

#include <stdio.h>

// What the userdata holds.
typedef struct stored_view {
    kmp_kind kind;
    uint32_t route; // identity of the route whose points they are, for KMP_POINT
} stored_view;

void bind_push_section(lua_State *L, int owner, kmp_kind kind, uint32_t route) {
    owner = lua_absindex(L, owner);
    stored_view *view = lua_newuserdatauv(L, sizeof *view, 1);
    *view = (stored_view){kind, route};
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, bind_section.name);
}

bind_section_view bind_section_check(lua_State *L, int index) {
    const stored_view *stored = luaL_checkudata(L, index, bind_section.name);
    bind_section_view view = {.doc = bind_view_doc(L, index), .kind = stored->kind};
    view.count = view.doc->tables[view.kind].count;
    if (view.kind == KMP_POINT) {
        view.route = kmp_index_of(&view.doc->tables[KMP_POTI], stored->route, 0);
        if (view.route == SIZE_MAX) luaL_error(L, "the route of these points was removed");
        view.first = view.doc->route_first[view.route];
        view.count = kmp_route_length(view.doc, view.route);
    }
    return view;
}

static int section_length(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    lua_pushinteger(L, (lua_Integer)view.count);
    return 1;
}

static int section_eq(lua_State *L) {
    const stored_view *a = luaL_testudata(L, 1, bind_section.name);
    const stored_view *b = luaL_testudata(L, 2, bind_section.name);
    lua_pushboolean(L, a && b && a->kind == b->kind && a->route == b->route &&
                           bind_view_doc(L, 1) == bind_view_doc(L, 2));
    return 1;
}

static int section_tostring(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    lua_pushfstring(L, "%s: %d %s", view.doc->tables[view.kind].schema->name, (int)view.count,
                    view.kind == KMP_POINT ? "points"
                    : view.count == 1      ? "record"
                                           : "records");
    return 1;
}

static int section_name(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    lua_pushstring(L, view.doc->tables[view.kind].schema->name);
    return 1;
}

// A field of the section's header (came.opening).
static bool header_slot(kmp_doc *doc, kmp_kind kind, const char *name, bind_slot *slot) {
    kmp_table *table = &doc->tables[kind];
    const kmp_field *field = name ? kmp_field_find(table->schema->header, name) : NULL;
    if (!field) return false;
    *slot = (bind_slot){.doc = doc, .kind = kind, .row = table->header, .field = field};
    snprintf(slot->place, sizeof slot->place, "%s", table->schema->name);
    return true;
}

static int section_index(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    bind_slot slot;
    int whole = 0;
    lua_Integer index = lua_tointegerx(L, 2, &whole);
    if (whole && lua_type(L, 2) == LUA_TNUMBER) {
        if (index < 1 || (lua_Unsigned)index > view.count) return 0;
        size_t at = view.first + (size_t)index - 1;
        lua_getiuservalue(L, 1, 1);
        bind_push_record(L, -1, view.kind, view.doc->tables[view.kind].ids[at], at);
        return 1;
    }
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    if (header_slot(view.doc, view.kind, name, &slot)) {
        bind_push_value(L, &slot, 0);
        return 1;
    }
    return luaL_error(L, "%s has no field '%s'", view.doc->tables[view.kind].schema->name,
                      luaL_tolstring(L, 2, NULL));
}

static void section_members(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    bind_add_fields(L, view.doc->tables[view.kind].schema->header);
}

static int section_newindex(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    bind_slot slot;
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    if (header_slot(view.doc, view.kind, name, &slot)) {
        bind_set_field(L, &slot, 3);
        return 0;
    }
    const char *section = view.doc->tables[view.kind].schema->name;
    if (lua_type(L, 2) == LUA_TNUMBER)
        return luaL_error(L, "%s[%s]: a record can't be assigned, only its fields", section,
                          luaL_tolstring(L, 2, NULL));
    return luaL_error(L, "%s has no field '%s'", section, luaL_tolstring(L, 2, NULL));
}

static const luaL_Reg methods[] = {{"insert", bind_section_insert},
                                   {"join", bind_section_join},
                                   {"move", bind_section_move},
                                   {"remove", bind_section_remove},
                                   {"sort", bind_section_sort},
                                   {"split", bind_section_split},
                                   {NULL, NULL}};
static const luaL_Reg properties[] = {{"name", section_name}, {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__len", section_length},
                                       {"__eq", section_eq},
                                       {"__tostring", section_tostring},
                                       {"__newindex", section_newindex},
                                       {NULL, NULL}};

const bind_type bind_section = {.name = "kart.section",
                                .noun = "section",
                                .methods = methods,
                                .properties = properties,
                                .metamethods = metamethods,
                                .index = section_index,
                                .members = section_members};
