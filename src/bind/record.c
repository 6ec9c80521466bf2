// Records and the lists inside of them: views by identity, never copies and never stale memory.
#include "bind/bind.h"

#include <stdio.h>
#include <string.h>

void bind_push_record(lua_State *L, int owner, kmp_kind kind, uint32_t id, size_t hint) {
    owner = lua_absindex(L, owner);
    bind_record_view *view = lua_newuserdatauv(L, sizeof *view, 1);
    *view = (bind_record_view){kind, id, hint};
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, bind_record.name);
}

char *bind_place(const kmp_doc *doc, kmp_kind kind, size_t at, char text[BIND_PLACE_SIZE]) {
    if (kind == KMP_POINT) {
        size_t route = kmp_point_route(doc, at);
        snprintf(text, BIND_PLACE_SIZE, "%s[%zu].points[%zu]", doc->tables[KMP_POTI].schema->name,
                 route + 1, at - doc->route_first[route] + 1);
    } else {
        snprintf(text, BIND_PLACE_SIZE, "%s[%zu]", doc->tables[kind].schema->name, at + 1);
    }
    return text;
}

// Find the record of a view again.
static size_t view_find(lua_State *L, bind_record_view *view, const kmp_doc *doc) {
    size_t at = kmp_index_of(&doc->tables[view->kind], view->id, view->hint);
    if (at == SIZE_MAX)
        luaL_error(L, "this record of %s was removed", doc->tables[view->kind].schema->name);
    view->hint = at;
    return at;
}

uint8_t *bind_check_record(lua_State *L, int index, kmp_doc **doc, kmp_kind *kind, size_t *at) {
    bind_record_view *view = luaL_checkudata(L, index, bind_record.name);
    *doc = bind_view_doc(L, index);
    *kind = view->kind;
    *at = view_find(L, view, *doc);
    return kmp_row(*doc, view->kind, *at);
}

// The field `name` of the record at stack index 1, ready to be read or written.
static bool record_slot(lua_State *L, const char *name, bind_slot *slot) {
    size_t at;
    slot->row = bind_check_record(L, 1, &slot->doc, &slot->kind, &at);
    slot->field = name ? kmp_field_find(slot->doc->tables[slot->kind].schema->fields, name) : NULL;
    bind_place(slot->doc, slot->kind, at, slot->place);
    return slot->field != NULL;
}

static int field_error(lua_State *L, const bind_slot *slot, int key) {
    return luaL_error(L, "%s has no field '%s'", slot->place, luaL_tolstring(L, key, NULL));
}

static const char *key_name(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
}

typedef struct values_view {
    bind_record_view record;
    const kmp_field *field;
} values_view;

static void push_values(lua_State *L, int record, const kmp_field *field) {
    const bind_record_view *of = lua_touserdata(L, record);
    values_view *view = lua_newuserdatauv(L, sizeof *view, 1);
    *view = (values_view){*of, field};
    lua_getiuservalue(L, record, 1);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, bind_values.name);
}

static int record_index(lua_State *L) {
    bind_slot slot;
    const char *name = key_name(L, 2);
    if (!record_slot(L, name, &slot)) {
        if (slot.kind == KMP_POTI && name && strcmp(name, "points") == 0) {
            const bind_record_view *view = lua_touserdata(L, 1);
            lua_getiuservalue(L, 1, 1);
            bind_push_section(L, -1, KMP_POINT, view->id);
            return 1;
        }
        return field_error(L, &slot, 2);
    }
    if (bind_field_is_vec(slot.field))
        bind_push_vec_value(L, &slot);
    else if (slot.field->count > 1)
        push_values(L, 1, slot.field);
    else
        bind_push_value(L, &slot, 0);
    return 1;
}

static int record_newindex(lua_State *L) {
    bind_slot slot;
    if (!record_slot(L, key_name(L, 2), &slot)) return field_error(L, &slot, 2);
    if (lua_istable(L, 3)) {
        // Reading the table may run code that edits the document: look the record up again.
        bind_flatten(L, slot.field, 3);
        record_slot(L, key_name(L, 2), &slot);
    }
    bind_set_field(L, &slot, 3);
    return 0;
}

// The number as it stands in the file; a table of numbers for lists and vectors.
static int record_raw(lua_State *L) {
    bind_slot slot;
    if (!record_slot(L, luaL_checkstring(L, 2), &slot)) return field_error(L, &slot, 2);
    if (slot.field->count == 1) {
        bind_push_raw(L, &slot, 0);
        return 1;
    }
    lua_createtable(L, slot.field->count, 0);
    record_slot(L, lua_tostring(L, 2), &slot); // a finalizer may have edited meanwhile
    for (size_t i = 0; i < slot.field->count; i++) {
        bind_push_raw(L, &slot, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// The record that a reference points at; nil for none and out of range.
static int record_target(lua_State *L) {
    bind_slot slot;
    if (!record_slot(L, luaL_checkstring(L, 2), &slot)) return field_error(L, &slot, 2);
    if (slot.field->meaning != KMP_REF)
        return luaL_error(L, "%s.%s is no reference", slot.place, slot.field->name);
    lua_Integer number = luaL_optinteger(L, 3, 1);
    luaL_argcheck(L, number >= 1 && number <= slot.field->count, 3, "the list has no such place");
    size_t at = kmp_ref(slot.doc, slot.row, slot.field, (size_t)number - 1);
    if (at == SIZE_MAX) return 0;
    lua_getiuservalue(L, 1, 1);
    bind_push_record(L, -1, slot.field->target, slot.doc->tables[slot.field->target].ids[at], at);
    return 1;
}

static int record_number(lua_State *L) {
    kmp_doc *doc;
    kmp_kind kind;
    size_t at;
    bind_check_record(L, 1, &doc, &kind, &at);
    if (kind == KMP_POINT) {
        size_t route = kmp_point_route(doc, at);
        at -= doc->route_first[route];
    }
    lua_pushinteger(L, (lua_Integer)at + 1);
    return 1;
}

static int record_eq(lua_State *L) {
    const bind_record_view *a = luaL_testudata(L, 1, bind_record.name);
    const bind_record_view *b = luaL_testudata(L, 2, bind_record.name);
    lua_pushboolean(L, a && b && a->kind == b->kind && a->id == b->id &&
                           bind_view_doc(L, 1) == bind_view_doc(L, 2));
    return 1;
}

static int record_tostring(lua_State *L) {
    bind_slot slot;
    record_slot(L, NULL, &slot);
    lua_pushstring(L, slot.place);
    return 1;
}

// The points of a route can be counted on the route itself.
static int record_length(lua_State *L) {
    bind_slot slot;
    if (record_slot(L, "length", &slot) && slot.kind == KMP_POTI) {
        bind_push_raw(L, &slot, 0);
        return 1;
    }
    return luaL_error(L, "%s has no length", slot.place);
}

static int record_next(lua_State *L) {
    bind_slot slot;
    record_slot(L, NULL, &slot);
    const kmp_field *field = slot.doc->tables[slot.kind].schema->fields;
    if (!lua_isnil(L, 2)) {
        field = kmp_field_find(field, luaL_checkstring(L, 2));
        if (!field) return field_error(L, &slot, 2);
        field++;
    }
    if (!field->name) return 0;
    lua_settop(L, 1);
    lua_pushstring(L, field->name);
    lua_pushcfunction(L, record_index);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 2;
}

static int record_pairs(lua_State *L) {
    luaL_checkudata(L, 1, bind_record.name);
    lua_pushcfunction(L, record_next);
    lua_pushvalue(L, 1);
    return 2;
}

static void record_members(lua_State *L) {
    bind_slot slot;
    record_slot(L, NULL, &slot);
    bind_add_fields(L, slot.doc->tables[slot.kind].schema->fields);
    if (slot.kind == KMP_POTI) bind_add_name(L, "points");
}

static const luaL_Reg methods[] = {{"raw", record_raw}, {"target", record_target}, {NULL, NULL}};
static const luaL_Reg properties[] = {{"index", record_number}, {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__eq", record_eq},
                                       {"__len", record_length},
                                       {"__pairs", record_pairs},
                                       {"__tostring", record_tostring},
                                       {"__newindex", record_newindex},
                                       {NULL, NULL}};

const bind_type bind_record = {.name = "kart.record",
                               .noun = "record",
                               .methods = methods,
                               .properties = properties,
                               .metamethods = metamethods,
                               .index = record_index,
                               .members = record_members};

// --- lists inside of records: group.next, gobj.settings ---------------------------------------

static const values_view *values_slot(lua_State *L, bind_slot *slot) {
    values_view *view = luaL_checkudata(L, 1, bind_values.name);
    slot->doc = bind_view_doc(L, 1);
    slot->kind = view->record.kind;
    size_t at = view_find(L, &view->record, slot->doc);
    slot->row = kmp_row(slot->doc, slot->kind, at);
    slot->field = view->field;
    bind_place(slot->doc, slot->kind, at, slot->place);
    return view;
}

static int values_index(lua_State *L) {
    bind_slot slot;
    values_slot(L, &slot);
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || i > slot.field->count) return 0;
    bind_push_value(L, &slot, (size_t)i - 1);
    return 1;
}

static int values_newindex(lua_State *L) {
    bind_slot slot;
    values_slot(L, &slot);
    int whole = 0;
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole || i < 1 || i > slot.field->count)
        return luaL_error(L, "%s.%s has the places 1 to %d, not %s", slot.place, slot.field->name,
                          (int)slot.field->count, luaL_tolstring(L, 2, NULL));
    bind_set_value(L, &slot, (size_t)i - 1, 3);
    return 0;
}

static int values_length(lua_State *L) {
    const values_view *view = luaL_checkudata(L, 1, bind_values.name);
    lua_pushinteger(L, view->field->count);
    return 1;
}

static int values_tostring(lua_State *L) {
    bind_slot slot;
    values_slot(L, &slot);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (size_t i = 0; i < slot.field->count; i++) {
        luaL_addstring(&text, i == 0 ? "{" : ", ");
        values_slot(L, &slot);
        bind_push_value(L, &slot, i);
        luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&text);
    }
    luaL_addchar(&text, '}');
    luaL_pushresult(&text);
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg values_metamethods[] = {{"__len", values_length},
                                              {"__tostring", values_tostring},
                                              {"__newindex", values_newindex},
                                              {NULL, NULL}};

const bind_type bind_values = {.name = "kart.values",
                               .noun = "values",
                               .methods = none,
                               .properties = none,
                               .metamethods = values_metamethods,
                               .index = values_index};
