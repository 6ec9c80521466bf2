// kmp:drop: points of a course, put on the ground of its collision.
#include "bind/flags.h"
#include "bind/ground.h"
#include "bind/section.h"

#include "core/array.h"
#include "course/drop.h"

#include <stdlib.h>

// The arguments.
enum { DOC = 1, COLLISION, WHAT, OPTIONS };

// --- what is to be dropped --------------------------------------------------------------------

// Records by identity: Lua may edit the document while they are chosen.
typedef struct choice {
    kmp_kind kind;
    uint32_t id;
    size_t hint;
} choice;

typedef struct choices {
    choice *items;
    size_t count, capacity;
    course_drop_place *places;
    size_t places_capacity;
    kart_findings lost;
} choices;

static void choices_release(kart_ctx *ctx, void *data, size_t size) {
    choices *list = data;
    (void)size;
    kart_free(ctx, list->items, list->capacity * sizeof *list->items);
    kart_free(ctx, list->places, list->places_capacity * sizeof *list->places);
    kart_findings_free(ctx, &list->lost);
}

static bool choose(const kmp_doc *doc, choices *list, kmp_kind kind, size_t first, size_t count,
                   kart_error *error) {
    if (count == 0) return true;
    choice *items = kart_array_grow(doc->ctx, list->items, &list->capacity, list->count + count,
                                    sizeof *items, error);
    if (!items) return false;
    list->items = items;
    for (size_t i = first; i < first + count; i++)
        items[list->count++] = (choice){kind, doc->tables[kind].ids[i], i};
    return true;
}

// Whole sections are made of records that have a position; routes are their points.
static kmp_kind kind_with_position(lua_State *L, const kmp_doc *doc, kmp_kind kind) {
    if (kind == KMP_POTI) kind = KMP_POINT;
    if (!course_drop_can(doc, kind)) {
        const kmp_schema *schema = doc->tables[kind].schema;
        luaL_argerror(L, WHAT,
                      lua_pushfstring(L, "records of %s have no position",
                                      schema ? schema->name : "a section that isn't there"));
    }
    return kind;
}

static void check_owner(lua_State *L, const kmp_doc *doc, const kmp_doc *owner) {
    if (doc != owner) luaL_argerror(L, WHAT, "it belongs to another document");
}

// One word, section or record at `at`; false if it is none of them.
static bool choose_one(lua_State *L, int at, choices *list, bool *done, kart_error *error) {
    const kmp_doc *doc = bind_check_kmp(L, DOC);
    if (lua_type(L, at) == LUA_TSTRING) {
        const kmp_schema *schema = bind_check_section_name(L, doc, lua_tostring(L, at));
        const kmp_kind kind = kind_with_position(L, doc, schema->kind);
        *done = choose(doc, list, kind, 0, doc->tables[kind].count, error);
        return true;
    }
    if (luaL_testudata(L, at, bind_section.name)) {
        const bind_section_view view = bind_section_check(L, at);
        check_owner(L, doc, view.doc);
        const kmp_kind kind = kind_with_position(L, doc, view.kind);
        const bool routes = view.kind == KMP_POTI;
        *done = choose(doc, list, kind, view.first, routes ? doc->tables[kind].count : view.count,
                       error);
        return true;
    }
    if (luaL_testudata(L, at, bind_record.name)) {
        kmp_doc *owner;
        kmp_kind kind;
        size_t index;
        bind_check_record(L, at, &owner, &kind, &index);
        check_owner(L, doc, owner);
        if (kind == KMP_POTI) {
            *done = choose(doc, list, KMP_POINT, doc->route_first[index],
                           kmp_route_length(doc, index), error);
        } else {
            *done = choose(doc, list, kind_with_position(L, doc, kind), index, 1, error);
        }
        return true;
    }
    return false;
}

static bool choose_usual(const kmp_doc *doc, choices *list, kart_error *error) {
    for (int kind = 0; kind < KMP_KINDS; kind++)
        for (size_t i = 0; i < doc->tables[kind].count; i++)
            if (course_drop_can(doc, (kmp_kind)kind) && course_drop_usual(doc, (kmp_kind)kind, i) &&
                !choose(doc, list, (kmp_kind)kind, i, 1, error))
                return false;
    return true;
}

// What argument WHAT names. False with error.
static bool choose_all(lua_State *L, choices *list, kart_error *error) {
    bool done = true;
    if (lua_isnil(L, WHAT)) return choose_usual(bind_check_kmp(L, DOC), list, error);
    if (choose_one(L, WHAT, list, &done, error)) return done;
    if (!lua_istable(L, WHAT))
        luaL_argerror(L, WHAT,
                      lua_pushfstring(L, "expected sections, records or a list of them, got %s",
                                      luaL_tolstring(L, WHAT, NULL)));
    for (lua_Integer i = 1; done && lua_geti(L, WHAT, i) != LUA_TNIL; i++) {
        if (!choose_one(L, lua_gettop(L), list, &done, error))
            luaL_argerror(L, WHAT,
                          lua_pushfstring(L, "[%I]: expected a section or a record, got %s",
                                          (LUAI_UACINT)i, luaL_tolstring(L, -1, NULL)));
        lua_pop(L, 1);
    }
    return done;
}

// Keep those of which option `where` says so; the function is at stack index `where`.
static void filter(lua_State *L, int where, choices *list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const choice item = list->items[i];
        const kmp_doc *doc = bind_check_kmp(L, DOC);
        if (kmp_index_of(&doc->tables[item.kind], item.id, item.hint) == SIZE_MAX) continue;
        lua_pushvalue(L, where);
        bind_push_record(L, DOC, item.kind, item.id, item.hint);
        lua_call(L, 1, 1);
        if (lua_toboolean(L, -1)) list->items[kept++] = item;
        lua_pop(L, 1);
    }
    list->count = kept;
}

// --- dropping ---------------------------------------------------------------------------------

static int by_place(const void *one, const void *other) {
    const course_drop_place *a = one, *b = other;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

// The places of what was chosen, in the order of the file, each once. `*count` is how many.
static bool find_places(const kmp_doc *doc, choices *list, size_t *count, kart_error *error) {
    *count = 0;
    if (list->count == 0) return true;
    list->places = kart_array_grow(doc->ctx, NULL, &list->places_capacity, list->count,
                                   sizeof *list->places, error);
    if (!list->places) return false;
    size_t found = 0;
    for (size_t i = 0; i < list->count; i++) {
        const choice item = list->items[i];
        const size_t at = kmp_index_of(&doc->tables[item.kind], item.id, item.hint);
        if (at != SIZE_MAX)
            list->places[found++] = (course_drop_place){.kind = item.kind, .index = at};
    }
    qsort(list->places, found, sizeof *list->places, by_place);
    for (size_t i = 0; i < found; i++)
        if (*count == 0 || by_place(&list->places[*count - 1], &list->places[i]) != 0)
            list->places[(*count)++] = list->places[i];
    return true;
}

static double option_reach(lua_State *L, const char *name, double fallback) {
    double value = fallback;
    if (!lua_isnil(L, OPTIONS) && lua_getfield(L, OPTIONS, name) != LUA_TNIL) {
        value = lua_tonumber(L, -1);
        if (lua_type(L, -1) != LUA_TNUMBER || !(value >= 0))
            luaL_argerror(L, OPTIONS,
                          lua_pushfstring(L, "option '%s': expected a number from 0 up", name));
    }
    return value;
}

// What became of the places: { moved = { { record =, from =, to = } ... }, stayed =, lost = }. The
// document may be gone by now, but for who looks at its records.
static void push_report(lua_State *L, const choices *list, const uint32_t *ids, size_t count) {
    lua_Integer moved = 0, stayed = 0;
    lua_createtable(L, 0, 3);
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        const course_drop_place place = list->places[i];
        stayed += place.fate == COURSE_STAYED;
        if (place.fate != COURSE_MOVED) continue;
        lua_createtable(L, 0, 3);
        bind_push_record(L, DOC, place.kind, ids[i], place.index);
        lua_setfield(L, -2, "record");
        bind_push_vec(L, place.from);
        lua_setfield(L, -2, "from");
        bind_push_vec(L, place.to);
        lua_setfield(L, -2, "to");
        lua_rawseti(L, -2, ++moved);
    }
    lua_setfield(L, -2, "moved");
    bind_set_integer(L, "stayed", stayed);
    bind_push_findings(L, &list->lost);
    lua_setfield(L, -2, "lost");
}

// drop(collision[, what[, { up =, max =, offset =, flags =, mask =, where = }]])
int bind_kmp_drop(lua_State *L) {
    static const char *const names[] = {"up", "max", "offset", "flags", "mask", "where", NULL};
    kart_error error;
    lua_settop(L, OPTIONS);
    bind_check_kmp(L, DOC);
    bind_check_ground(L, COLLISION, COLLISION, "");
    bind_check_options(L, OPTIONS, names);
    const course_drop_options options = {.up = option_reach(L, "up", COURSE_DROP_UP),
                                         .down = option_reach(L, "max", COURSE_DROP_DOWN),
                                         .offset = bind_option_number(L, OPTIONS, "offset", 0)};
    const uint32_t types = bind_check_types(L, OPTIONS, bind_ground_game(L, COLLISION));
    int where = 0;
    if (!lua_isnil(L, OPTIONS) && lua_getfield(L, OPTIONS, "where") != LUA_TNIL) {
        where = lua_gettop(L);
        if (!lua_isfunction(L, where))
            return luaL_argerror(L, OPTIONS, "option 'where': expected a function");
    }

    bind_guard *guard = bind_guard_push(L, sizeof(choices));
    choices *list = guard->data;
    guard->release = choices_release;
    if (!choose_all(L, list, &error)) return bind_fail(L, NULL, &error);
    if (where) filter(L, where, list);
    uint32_t *ids = lua_newuserdatauv(L, (list->count + 1) * sizeof *ids, 0);

    // From here on nothing of Lua runs.
    kmp_doc *doc = bind_check_kmp(L, DOC);
    course_terrain terrain;
    size_t count, made;
    if (!find_places(doc, list, &count, &error) ||
        !bind_ground_terrain(L, COLLISION, types, &terrain, &made, &error) ||
        !course_drop(doc, &terrain, &options, list->places, count, &list->lost, &error))
        return bind_fail(L, NULL, &error);
    for (size_t i = 0; i < count; i++)
        ids[i] = doc->tables[list->places[i].kind].ids[list->places[i].index];
    bind_pace(L, made);
    push_report(L, list, ids, count);
    bind_guard_release(L, guard);
    return 1;
}
