// kart.kmp: documents of course points.
#include "bind/document.h"
#include "bind/section.h"

#include "kmp/laps.h"
#include "kmp/object.h"
#include "kmp/transform.h"

#include <string.h>

kmp_doc *bind_check_kmp(lua_State *L, int index) {
    return bind_document_check(L, index, &bind_kmp_documents);
}

kmp_doc *bind_view_doc(lua_State *L, int index) { return bind_document_of_view(L, index); }

static int kmp_parse_bytes(lua_State *L) {
    size_t size;
    const char *data = luaL_checklstring(L, 1, &size);
    return bind_document_parse(L, &bind_kmp_documents, NULL, (const uint8_t *)data, size,
                               KCL_GAMES);
}

static kmp_game check_game(lua_State *L, int arg) {
    static const char *const games[] = {"mkw", "mk7", NULL};
    return luaL_checkoption(L, arg, "mkw", games) == 0 ? KMP_MKW : KMP_MK7;
}

static const kmp_schema *section_named(lua_State *L, kmp_game game, uint32_t version,
                                       const char *name) {
    const kmp_schema *schema;
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++)
        if (schema->game == game && schema->kind != KMP_POINT && strcmp(schema->name, name) == 0)
            return kmp_schema_find(game, version, schema->kind);
    luaL_error(L, "there is no section '%s'", name);
    return NULL;
}

const kmp_schema *bind_check_section_name(lua_State *L, const kmp_doc *doc, const char *name) {
    return section_named(L, doc->game, doc->version, name);
}

// blank(game, version, { ktpt = 1, ... }, { points of route 1, ... }): what kart.kmp.new fills in.
static int kmp_blank(lua_State *L) {
    kmp_game game = check_game(L, 1);
    lua_Integer version = luaL_checkinteger(L, 2);
    luaL_argcheck(L, version >= 0 && version <= UINT32_MAX, 2, "not a version number");
    luaL_checktype(L, 3, LUA_TTABLE);
    luaL_checktype(L, 4, LUA_TTABLE);
    size_t counts[KMP_KINDS] = {0};
    lua_pushnil(L);
    while (lua_next(L, 3)) {
        luaL_checktype(L, -2, LUA_TSTRING);
        const kmp_schema *schema = section_named(L, game, (uint32_t)version, lua_tostring(L, -2));
        lua_Integer count = luaL_checkinteger(L, -1);
        if (count < 0 || count > 65535)
            return luaL_error(L, "%s: expected 0 to 65535 records", schema->name);
        counts[schema->kind] = (size_t)count;
        lua_pop(L, 1);
    }
    kart_error error;
    bind_box *box = bind_document_push(L, &bind_kmp_documents);
    kmp_doc *doc = kmp_new(bind_ctx(L), game, (uint32_t)version, counts, &error);
    int results = bind_document_open(L, box, doc, NULL, &error);
    for (size_t i = 0; results == 1 && i < counts[KMP_POTI]; i++) {
        lua_rawgeti(L, 4, (lua_Integer)i + 1);
        lua_Integer length = luaL_optinteger(L, -1, 0);
        lua_pop(L, 1);
        if (!kmp_route_resize(doc, i, length < 0 ? 0 : (size_t)length, &error))
            return bind_fail(L, NULL, &error);
    }
    return results;
}

static int kmp_object_name_get(lua_State *L) {
    lua_Integer id = luaL_checkinteger(L, 1);
    lua_pushstring(L, id >= 0 && id <= 0xFFFF ? kmp_object_name((uint16_t)id) : NULL);
    return 1;
}

static int kmp_camera_name_get(lua_State *L) {
    lua_Integer type = luaL_checkinteger(L, 1);
    lua_pushstring(L, type >= 0 && type < KMP_CAMERA_TYPES ? kmp_camera_types[type].name : NULL);
    return 1;
}

// --- laps -------------------------------------------------------------------------------------

static void laps_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    kmp_lap_result_free(ctx, data);
}

static void push_lap_event(lua_State *L, const kmp_lap_event *event) {
    lua_createtable(L, 0, 8);
    lua_pushstring(L, kmp_lap_event_name(event->kind));
    lua_setfield(L, -2, "kind");
    bind_push_vec(L, event->position);
    lua_setfield(L, -2, "position");
    bind_set_integer(L, "step", (lua_Integer)event->step);
    bind_set_integer(L, "checkpoint", (lua_Integer)event->checkpoint + 1);
    bind_set_integer(L, "lap", event->lap);
    bind_set_integer(L, "key", event->max_key);
    bind_set_number(L, "completion", event->completion);
    bind_set_number(L, "change", event->change);
}

static int doc_simulate_laps(lua_State *L) {
    static const char *const names[] = {"laps", "step", "jump", NULL};
    bind_check_kmp(L, 1);
    bind_check_options(L, 2, names);
    double laps = bind_option_number(L, 2, "laps", 3);
    kmp_lap_options options = {.step = bind_option_number(L, 2, "step", 100),
                               .jump = bind_option_number(L, 2, "jump", 0.2)};
    luaL_argcheck(L, laps >= 1 && laps <= 1000 && laps == floor(laps), 2,
                  "laps must be a whole number from 1 to 1000");
    luaL_argcheck(L, options.step > 0, 2, "step must be above 0");
    luaL_argcheck(L, options.jump > 0, 2, "jump must be above 0");
    options.laps = (int)laps;

    bind_guard *guard = bind_guard_push(L, sizeof(kmp_lap_result));
    kmp_lap_result *result = guard->data;
    kart_error error;
    if (!kmp_laps_simulate(bind_check_kmp(L, 1), &options, result, &error))
        return bind_fail(L, NULL, &error);
    guard->release = laps_release;

    lua_createtable(L, 0, 10);
    bind_set_integer(L, "laps", result->laps);
    bind_set_integer(L, "steps", (lua_Integer)result->steps);
    bind_set_integer(L, "jumps", (lua_Integer)result->jumps);
    bind_set_integer(L, "lost", (lua_Integer)result->lost);
    bind_set_number(L, "distance", result->distance);
    bind_set_number(L, "completion", result->completion);
    lua_pushboolean(L, result->finished);
    lua_setfield(L, -2, "finished");
    lua_pushstring(L, result->stopped);
    lua_setfield(L, -2, "stopped");
    lua_createtable(L, (int)result->events_count, 0);
    for (size_t i = 0; i < result->events_count; i++) {
        push_lap_event(L, &result->events[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "events");
    bind_guard_release(L, guard);
    return 1;
}

// --- properties -------------------------------------------------------------------------------

static int doc_game(lua_State *L) {
    lua_pushstring(L, kmp_game_name(bind_check_kmp(L, 1)->game));
    return 1;
}

static int doc_guessed(lua_State *L) {
    bind_check_kmp(L, 1); // the magic of a KMP says its game
    lua_pushboolean(L, false);
    return 1;
}

static int doc_version(lua_State *L) {
    lua_pushinteger(L, bind_check_kmp(L, 1)->version);
    return 1;
}

static int doc_battle(lua_State *L) {
    lua_pushboolean(L, kmp_is_arena(bind_check_kmp(L, 1)));
    return 1;
}

// The sections in file order, those that are only kept among them.
static int doc_sections(lua_State *L) {
    kmp_doc *doc = bind_check_kmp(L, 1);
    lua_createtable(L, (int)doc->parts_count, 0);
    lua_Integer number = 0;
    size_t next = doc->head_size;
    for (size_t i = 0; i < doc->parts_count; i++) {
        const kmp_part part = doc->parts[i];
        size_t start = next;
        next += kmp_part_size(doc, i);
        if (part.kind == KMP_NONE && part.kept_size < 4) continue;
        lua_createtable(L, 0, 6);
        bind_set_integer(L, "offset", (lua_Integer)start);
        lua_pushboolean(L, part.kind != KMP_NONE);
        lua_setfield(L, -2, "known");
        if (part.kind != KMP_NONE) {
            const kmp_table *table = &doc->tables[part.kind];
            lua_pushstring(L, table->schema->name);
            lua_setfield(L, -2, "name");
            lua_pushstring(L, table->schema->doc);
            lua_setfield(L, -2, "doc");
            lua_pushstring(L, table->schema->magic);
            lua_setfield(L, -2, "magic");
            bind_set_integer(L, "count", (lua_Integer)table->count);
        } else {
            bind_set_integer(L, "bytes", (int64_t)part.kept_size);
            lua_pushlstring(L, (const char *)doc->original + part.kept, 4);
            lua_setfield(L, -2, "magic");
        }
        lua_rawseti(L, -2, ++number);
    }
    return 1;
}

static int doc_index(lua_State *L) {
    kmp_doc *doc = bind_check_kmp(L, 1);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const kmp_schema *schema;
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++) {
        if (schema->kind == KMP_POINT || strcmp(schema->name, name) != 0) continue;
        if (!doc->tables[schema->kind].schema) return 0;
        bind_push_section(L, 1, schema->kind, 0);
        return 1;
    }
    return luaL_error(L, "kmp has no field '%s'", luaL_tolstring(L, 2, NULL));
}

// pairs(doc): the sections by name, in the order of new files.
static int doc_next(lua_State *L) {
    kmp_doc *doc = bind_check_kmp(L, 1);
    int kind = 0;
    if (!lua_isnil(L, 2)) {
        const char *name = luaL_checkstring(L, 2);
        while (kind < KMP_POINT &&
               (!doc->tables[kind].schema || strcmp(doc->tables[kind].schema->name, name) != 0))
            kind++;
        kind++;
    }
    while (kind < KMP_POINT && !doc->tables[kind].schema) kind++;
    if (kind >= KMP_POINT) return 0;
    lua_pushstring(L, doc->tables[kind].schema->name);
    bind_push_section(L, 1, (kmp_kind)kind, 0);
    return 2;
}

static int doc_pairs(lua_State *L) {
    bind_check_kmp(L, 1);
    lua_pushcfunction(L, doc_next);
    lua_pushvalue(L, 1);
    return 2;
}

static void doc_members(lua_State *L) {
    kmp_doc *doc = bind_check_kmp(L, 1);
    for (int kind = 0; kind < KMP_POINT; kind++)
        if (doc->tables[kind].schema) bind_add_name(L, doc->tables[kind].schema->name);
}

static int doc_newindex(lua_State *L) {
    return luaL_error(L, "kmp.%s can't be assigned", luaL_tolstring(L, 2, NULL));
}

static int doc_tostring(lua_State *L) {
    const bind_box *box = luaL_checkudata(L, 1, bind_kmp.name);
    const kmp_doc *doc = box->doc;
    if (!doc || box->closed)
        lua_pushliteral(L, "kmp (closed)");
    else
        lua_pushfstring(L, "kmp (%s, %s, version %d)", kmp_game_name(doc->game),
                        kmp_is_arena(doc) ? "battle" : "race", (int)doc->version);
    return 1;
}

const luaL_Reg bind_kmp_functions[] = {{"parse", kmp_parse_bytes},
                                       {"blank", kmp_blank},
                                       {"object_name", kmp_object_name_get},
                                       {"camera_name", kmp_camera_name_get},
                                       {"rules", bind_kmp_rules},
                                       {"schema", bind_kmp_schema},
                                       {NULL, NULL}};
static const luaL_Reg methods[] = {BIND_DOCUMENT_METHODS,
                                   {"check", bind_kmp_check},
                                   {"drop", bind_kmp_drop},
                                   {"fix", bind_kmp_fix},
                                   {"merge", bind_kmp_merge},
                                   {"purge", bind_kmp_purge},
                                   {"references", bind_kmp_references},
                                   {"sections", doc_sections},
                                   {"simulate_laps", doc_simulate_laps},
                                   {NULL, NULL}};
static const luaL_Reg properties[] = {{"battle", doc_battle},
                                      {"game", doc_game},
                                      {"guessed", doc_guessed},
                                      {"version", doc_version},
                                      {"warnings", bind_document_warnings},
                                      {NULL, NULL}};
static const luaL_Reg metamethods[] = {
    {"__gc", bind_document_collect}, {"__close", bind_document_close}, {"__newindex", doc_newindex},
    {"__pairs", doc_pairs},          {"__tostring", doc_tostring},     {NULL, NULL}};

const bind_type bind_kmp = {.name = "kart.kmp",
                            .noun = "kmp",
                            .methods = methods,
                            .properties = properties,
                            .metamethods = metamethods,
                            .index = doc_index,
                            .members = doc_members};

// --- what bind/document.c needs ---------------------------------------------------------------

static void *document_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                            kart_error *error) {
    (void)game; // the file says
    return kmp_parse(ctx, data, size, error);
}

static uint8_t *document_serialize(lua_State *L, int options, const void *doc, size_t *size,
                                   kart_error *error) {
    (void)L, (void)options; // there are none
    return kmp_serialize(doc, size, error);
}

kmp_transform_options bind_kmp_transform_options(lua_State *L, int options) {
    double height = bind_option_number(L, options, "height", (double)NAN);
    return (kmp_transform_options){.scale_speeds = bind_option_boolean(L, options, "scale_speeds"),
                                   .scale_objects =
                                       bind_option_boolean(L, options, "scale_objects"),
                                   .has_height = !isnan(height),
                                   .height = isnan(height) ? 0 : height};
}

static bool document_transform(lua_State *L, const kart_affine *map, int options,
                               kart_error *error) {
    kmp_transform_options values = bind_kmp_transform_options(L, options);
    return kmp_transform(bind_check_kmp(L, 1), map, &values, error);
}

BIND_DOCUMENT_FUNCTIONS(kmp)

const bind_document bind_kmp_documents = {
    BIND_DOCUMENT_NAMES(kmp), .type = &bind_kmp,
    .options = {[BIND_MIRROR] = BIND_OPTIONS("at"),
                [BIND_ROTATE] = BIND_OPTIONS("origin", "height"),
                [BIND_SCALE] = BIND_OPTIONS("origin", "scale_speeds", "scale_objects"),
                [BIND_TRANSFORM] =
                    BIND_OPTIONS("origin", "height", "scale_speeds", "scale_objects")},
    .transform = document_transform};
