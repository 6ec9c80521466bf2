// kart.kmp.schema(): the layouts of all sections, for documentation, completion and recipes.
#include "bind/section.h"

static const char *meaning_name(kmp_meaning meaning) {
    static const char *const names[] = {
        [KMP_PLAIN] = "plain", [KMP_POSITION] = "position", [KMP_FLAT] = "flat position",
        [KMP_VIEW] = "view",   [KMP_ROTATION] = "rotation", [KMP_SCALE] = "scale",
        [KMP_WIDTH] = "width", [KMP_SPEED] = "speed",       [KMP_REF] = "reference",
        [KMP_COUNT] = "count", [KMP_PADDING] = "padding",   [KMP_BYTES] = "bytes"};
    return names[meaning];
}

static void push_field(lua_State *L, const kmp_schema *schema, const kmp_field *field) {
    lua_newtable(L);
    bind_set_string(L, "name", field->name);
    bind_set_string(L, "type", kmp_type_name(field->type));
    bind_set_string(L, "meaning", meaning_name(field->meaning));
    bind_set_string(L, "doc", field->doc);
    bind_set_integer(L, "offset", field->offset);
    bind_set_integer(L, "count", field->count);
    if (field->meaning == KMP_REF) {
        // Any version will do for the name of the section.
        const kmp_schema *target =
            kmp_schema_find(schema->game, schema->version_from, field->target);
        bind_set_string(L, "target", target ? target->name : NULL);
        if (field->none != KMP_ALWAYS) bind_set_integer(L, "none", field->none);
    } else if (!kmp_type_is_float(field->type)) {
        bind_set_integer(L, "low", field->low);
        bind_set_integer(L, "high", field->high);
    }
    if (field->when) {
        bind_set_string(L, "when", field->when);
        bind_set_integer(L, "when_value", field->when_value);
    }
}

static void push_fields(lua_State *L, const kmp_schema *schema, const kmp_field *fields) {
    lua_newtable(L);
    for (lua_Integer i = 1; fields && fields->name; i++, fields++) {
        push_field(L, schema, fields);
        lua_rawseti(L, -2, i);
    }
}

int bind_kmp_schema(lua_State *L) {
    const kmp_schema *schema;
    lua_newtable(L);
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++) {
        lua_newtable(L);
        bind_set_string(L, "game", kmp_game_name(schema->game));
        bind_set_string(L, "name", schema->name);
        bind_set_string(L, "magic", schema->magic);
        bind_set_string(L, "doc", schema->doc);
        bind_set_integer(L, "version_from", schema->version_from);
        if (schema->version_to != UINT32_MAX) bind_set_integer(L, "version_to", schema->version_to);
        bind_set_integer(L, "record_size", schema->record_size);
        bind_set_integer(L, "header_size", schema->header_size);
        push_fields(L, schema, schema->fields);
        lua_setfield(L, -2, "fields");
        push_fields(L, schema, schema->header);
        lua_setfield(L, -2, "header");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
