// Values of fields: from the file's bytes to Lua and back, range-checked.
#include "bind/bind.h"

#include "core/number.h"

#include <float.h>
#include <string.h>

bool bind_field_is_vec(const kmp_field *field) {
    return field->meaning == KMP_FLAT || (kmp_type_is_float(field->type) && field->count == 3);
}

void bind_push_vec_value(lua_State *L, const bind_slot *slot) {
    bind_push_vec(L, kmp_get_vec(slot->doc, slot->row, slot->field));
}

void bind_push_raw(lua_State *L, const bind_slot *slot, size_t i) {
    if (kmp_type_is_float(slot->field->type))
        lua_pushnumber(L, kmp_get_float(slot->doc, slot->row, slot->field, i));
    else
        lua_pushinteger(L, kmp_get_int(slot->doc, slot->row, slot->field, i));
}

void bind_push_value(lua_State *L, const bind_slot *slot, size_t i) {
    if (slot->field->meaning != KMP_REF) {
        bind_push_raw(L, slot, i);
        return;
    }
    int64_t value = kmp_get_int(slot->doc, slot->row, slot->field, i);
    if (value == slot->field->none)
        lua_pushnil(L);
    else
        lua_pushinteger(L, value + 1);
}

// "gobj[3].settings[2]" on the stack, for messages.
static const char *push_name(lua_State *L, const bind_slot *slot, size_t i) {
    if (slot->field->count > 1 && !bind_field_is_vec(slot->field))
        return lua_pushfstring(L, "%s.%s[%d]", slot->place, slot->field->name, (int)i + 1);
    return lua_pushfstring(L, "%s.%s", slot->place, slot->field->name);
}

static int value_error(lua_State *L, const bind_slot *slot, size_t i, int value,
                       const char *expected) {
    const char *name = push_name(L, slot, i);
    return luaL_error(L, "%s: expected %s, got %s", name, expected, luaL_tolstring(L, value, NULL));
}

static int range_error(lua_State *L, const bind_slot *slot, size_t i, int value, int64_t low,
                       int64_t high, const char *or_else) {
    lua_pushfstring(L, "%I to %I%s", (LUAI_UACINT)low, (LUAI_UACINT)high, or_else);
    return value_error(L, slot, i, value, lua_tostring(L, -1));
}

static void set_integer(lua_State *L, const bind_slot *slot, size_t i, int value) {
    int exact = 0;
    lua_Integer number = lua_tointegerx(L, value, &exact);
    if (!exact || lua_type(L, value) != LUA_TNUMBER || number < slot->field->low ||
        number > slot->field->high)
        range_error(L, slot, i, value, slot->field->low, slot->field->high, "");
    kmp_set_int(slot->doc, slot->row, slot->field, i, number);
}

static bool fits_float(double value) { return fabs(value) <= (double)FLT_MAX; }

// The largest finite upper half of a float.
#define F16_MAX 3.3895313892515355e38

static void set_float(lua_State *L, const bind_slot *slot, size_t i, int value) {
    double number = lua_tonumber(L, value);
    if (lua_type(L, value) != LUA_TNUMBER || !fits_float(number) ||
        (slot->field->type == KMP_F16 && fabs(number) > F16_MAX))
        value_error(L, slot, i, value, "a finite number");
    kmp_set_float(slot->doc, slot->row, slot->field, i, number);
}

// The record at stack index `value` as an index of the referenced section.
static size_t record_index(lua_State *L, const bind_slot *slot, size_t i, int value) {
    kmp_doc *doc;
    kmp_kind kind;
    size_t at;
    bind_check_record(L, value, &doc, &kind, &at);
    if (doc != slot->doc) value_error(L, slot, i, value, "a record of the same document");
    if (kind != slot->field->target) {
        lua_pushfstring(L, "a record of %s",
                        doc->tables[slot->field->target].schema
                            ? doc->tables[slot->field->target].schema->name
                            : "another section");
        value_error(L, slot, i, value, lua_tostring(L, -1));
    }
    return at;
}

static void set_reference(lua_State *L, const bind_slot *slot, size_t i, int value) {
    const kmp_field *field = slot->field;
    bool optional = field->none != KMP_ALWAYS;
    if (lua_isnoneornil(L, value)) {
        if (!optional) value_error(L, slot, i, value, "an index or a record");
        kmp_set_int(slot->doc, slot->row, field, i, field->none);
        return;
    }
    int64_t count = (int64_t)slot->doc->tables[field->target].count, index;
    int64_t last = count - 1 < field->high ? count - 1 : field->high;
    if (optional && last == field->none) last--;
    if (count == 0) value_error(L, slot, i, value, "nothing, there is no record to point at");
    if (luaL_testudata(L, value, bind_record.name)) {
        index = (int64_t)record_index(L, slot, i, value);
        if (index > last) {
            lua_pushfstring(L, "a record up to %I (the file has one byte or word for it)",
                            (LUAI_UACINT)last + 1);
            value_error(L, slot, i, value, lua_tostring(L, -1));
        }
    } else {
        int exact = 0;
        lua_Integer number = lua_tointegerx(L, value, &exact);
        if (!exact || lua_type(L, value) != LUA_TNUMBER || number < 1 || number - 1 > last)
            range_error(L, slot, i, value, 1, last + 1,
                        optional ? ", a record or nil" : " or a record");
        index = number - 1;
    }
    kmp_set_int(slot->doc, slot->row, field, i, index);
}

void bind_set_value(lua_State *L, const bind_slot *slot, size_t i, int value) {
    if (slot->field->meaning == KMP_COUNT) {
        const char *name = push_name(L, slot, i);
        luaL_error(L, "%s: read-only, the document counts for itself", name);
    }
    if (slot->field->meaning == KMP_REF)
        set_reference(L, slot, i, value);
    else if (kmp_type_is_float(slot->field->type))
        set_float(L, slot, i, value);
    else
        set_integer(L, slot, i, value);
}

static void set_vec(lua_State *L, const bind_slot *slot, int value) {
    kart_vec3 v;
    bool flat = slot->field->meaning == KMP_FLAT;
    if (!bind_to_vec(L, value, flat, &v) || !fits_float(v.x) || !fits_float(v.y) ||
        !fits_float(v.z))
        value_error(L, slot, 0, value,
                    flat ? "a vector of finite numbers: kart.vec, {x, z} or {x =, z =}"
                         : "a vector of finite numbers: kart.vec, {x, y, z} or {x =, y =, z =}");
    kmp_set_vec(slot->doc, slot->row, slot->field, v);
}

void bind_flatten(lua_State *L, const kmp_field *field, int value) {
    value = lua_absindex(L, value);
    if (!lua_istable(L, value)) return;
    if (bind_field_is_vec(field)) {
        kart_vec3 v;
        if (!bind_to_vec(L, value, field->meaning == KMP_FLAT, &v)) return; // set_vec complains
        bind_push_vec(L, v);
    } else if (field->count > 1) {
        lua_Integer length = luaL_len(L, value);
        lua_createtable(L, field->count, 0);
        // One too many is copied as well, so that it is complained about.
        for (lua_Integer i = 1; i <= field->count + (length > field->count); i++) {
            lua_geti(L, value, i);
            lua_rawseti(L, -2, i);
        }
    } else {
        return;
    }
    lua_replace(L, value);
}

void bind_set_field(lua_State *L, const bind_slot *slot, int value) {
    value = lua_absindex(L, value);
    if (bind_field_is_vec(slot->field)) {
        set_vec(L, slot, value);
        return;
    }
    if (slot->field->count == 1) {
        bind_set_value(L, slot, 0, value);
        return;
    }
    // A list. A bad value in the middle must not leave half of it written: try it on a copy.
    if (!lua_istable(L, value) && !luaL_testudata(L, value, bind_values.name))
        luaL_error(L, "%s.%s: expected a list, got %s", slot->place, slot->field->name,
                   luaL_typename(L, value));
    uint8_t copy[256];
    size_t size = slot->field->offset + slot->field->count * kmp_type_size(slot->field->type);
    memcpy(copy, slot->row, size);
    bind_slot trial = *slot;
    trial.row = copy;
    for (size_t i = 0; i < slot->field->count; i++) {
        lua_geti(L, value, (lua_Integer)i + 1);
        if (!lua_isnil(L, -1) || slot->field->meaning == KMP_REF)
            bind_set_value(L, &trial, i, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (lua_istable(L, value) && lua_rawlen(L, value) > slot->field->count)
        luaL_error(L, "%s.%s: the list holds more than %d values", slot->place, slot->field->name,
                   (int)slot->field->count);
    memcpy(slot->row, copy, size);
}

void bind_add_fields(lua_State *L, const kmp_field *fields) {
    for (; fields && fields->name; fields++) bind_add_name(L, fields->name);
}
