// Editing from Lua: insert, remove, move, sort on sections and routes; split and join on groups.
#include "bind/section.h"

#include "kmp/edit.h"
#include "kmp/reference.h"

#include <string.h>

static int raise_error(lua_State *L, const kart_error *error) {
    char text[512];
    kart_error_text(error, text, sizeof text);
    return luaL_error(L, "%s", text);
}

// The place of an index or record at stack index `at` among the view's records, from 0. What is
// wrong with it is said of argument `arg`, with `what` in front.
static size_t place_at(lua_State *L, const bind_section_view *view, int at, size_t most, int arg,
                       const char *what) {
    if (luaL_testudata(L, at, bind_record.name)) {
        kmp_doc *doc;
        kmp_kind kind;
        size_t index;
        bind_check_record(L, at, &doc, &kind, &index);
        if (doc != view->doc || kind != view->kind || index < view->first ||
            index - view->first >= view->count)
            luaL_argerror(L, arg, lua_pushfstring(L, "%sa record of another section", what));
        return index - view->first;
    }
    int whole;
    lua_Integer index = lua_tointegerx(L, at, &whole);
    if (!whole)
        luaL_argerror(L, arg,
                      lua_pushfstring(L, "%sexpected an index or a record, got %s", what,
                                      luaL_tolstring(L, at, NULL)));
    if (index < 1 || (lua_Unsigned)index > most)
        luaL_argerror(
            L, arg,
            lua_pushfstring(L, "%sexpected 1 to %d, got %I", what, (int)most, (LUAI_UACINT)index));
    return (size_t)index - 1;
}

static size_t check_place(lua_State *L, const bind_section_view *view, int arg, size_t most) {
    return place_at(L, view, arg, most, arg, "");
}

// The same for the option on top of the stack, of the options at argument 3.
static size_t option_place(lua_State *L, const char *name, const bind_section_view *view,
                           size_t most) {
    const char *what = lua_pushfstring(L, "option '%s': ", name);
    return place_at(L, view, lua_gettop(L) - 1, most, 3, what);
}

// --- insert -----------------------------------------------------------------------------------

// record[key] = value for every pair of the table; called protected. Stack: record, table.
static int fill(lua_State *L) {
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        bool points = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "points") == 0;
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        if (points)
            lua_pop(L, 2); // those of a route are inserted by themselves
        else
            lua_settable(L, 1);
    }
    return 0;
}

// Fill the record on top of the stack from the table at `fields`; false with the message on top.
static bool filled(lua_State *L, int fields) {
    lua_pushcfunction(L, fill);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, fields);
    return lua_pcall(L, 2, 0, 0) == LUA_OK;
}

static bool insert_rows(kmp_doc *doc, const bind_section_view *view, size_t at, size_t group,
                        kart_error *error) {
    if (view->kind == KMP_POINT) return kmp_edit_route_insert(doc, view->route, at, 1, error);
    return kmp_edit_insert(doc, view->kind, at, 1, group, error);
}

static void remove_rows(kmp_doc *doc, const bind_section_view *view, size_t at, size_t count,
                        kart_error *error) {
    bool done = view->kind == KMP_POINT ? kmp_edit_route_remove(doc, view->route, at, count, error)
                                        : kmp_edit_remove(doc, view->kind, at, count, error);
    if (done) error->code = KART_OK;
}

// The points of a new route, one by one.
static bool insert_points(lua_State *L, kmp_doc *doc, size_t route, int fields) {
    kart_error error;
    if (lua_getfield(L, fields, "points") == LUA_TNIL) {
        lua_pop(L, 1);
        return true;
    }
    if (!lua_istable(L, -1)) {
        lua_pushliteral(L, "points: expected a list");
        return false;
    }
    int list = lua_gettop(L);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
        size_t at = kmp_route_length(doc, route);
        if (!kmp_edit_route_insert(doc, route, at, 1, &error)) {
            lua_pushstring(L, error.what);
            return false;
        }
        at += doc->route_first[route];
        lua_rawgeti(L, list, i);
        lua_getiuservalue(L, 1, 1);
        bind_push_record(L, -1, KMP_POINT, doc->tables[KMP_POINT].ids[at], at);
        if (!lua_istable(L, -3)) {
            lua_pushliteral(L, "points: expected a list of tables");
            return false;
        }
        if (!filled(L, lua_gettop(L) - 2)) return false;
        lua_settop(L, list);
    }
    lua_pop(L, 1);
    return true;
}

static void clone_release(kart_ctx *ctx, void *data, size_t size) {
    (void)ctx, (void)size;
    kmp_free(data);
}

// Let the document be what it was; identities that were given away are not given again.
static void restore(kmp_doc *doc, kmp_doc *before) {
    kmp_doc now = *doc;
    *doc = *before;
    *before = now;
    doc->next_id = now.next_id;
}

// Where the record goes is easily written among its fields.
static void check_no_options(lua_State *L, int fields, const char *const names[]) {
    for (; *names; names++) {
        lua_pushstring(L, *names);
        if (lua_rawget(L, fields) != LUA_TNIL)
            luaL_argerror(L, fields,
                          lua_pushfstring(L,
                                          "'%s' is no field but an option: insert({ ... }, { %s "
                                          "= %s })",
                                          *names, *names, luaL_tolstring(L, -1, NULL)));
        lua_pop(L, 1);
    }
}

int bind_section_insert(lua_State *L) {
    static const char *const names[] = {"at", "group", NULL};
    bind_section_view view = bind_section_check(L, 1);
    kart_error error;
    luaL_checktype(L, 2, LUA_TTABLE);
    bind_check_options(L, 3, names);
    check_no_options(L, 2, names);
    lua_settop(L, 3);
    size_t at = view.count, group = KMP_GROUP_AUTO;
    kmp_kind groups = kmp_groups_of(view.kind);
    if (lua_istable(L, 3) && lua_getfield(L, 3, "group") != LUA_TNIL) {
        if (groups == KMP_NONE || !view.doc->tables[groups].schema)
            return luaL_argerror(L, 3, "this section has no groups");
        bind_section_view all = {.doc = view.doc, .kind = groups};
        all.count = view.doc->tables[groups].count;
        group = option_place(L, "group", &all, all.count);
        at = (size_t)kmp_int(view.doc, groups, group, "start", 0) +
             (size_t)kmp_int(view.doc, groups, group, "length", 0);
        if (at > view.count) at = view.count;
    }
    if (lua_istable(L, 3) && lua_getfield(L, 3, "at") != LUA_TNIL)
        at = option_place(L, "at", &view, view.count + 1);
    lua_settop(L, 3);

    // What can't be filled in was never there.
    bind_guard *before = bind_guard_push(L, 0);
    before->data = kmp_clone(view.doc, &error);
    if (!before->data) return raise_error(L, &error);
    before->release = clone_release;
    lua_insert(L, 4);
    if (!insert_rows(view.doc, &view, at, group, &error)) return raise_error(L, &error);
    size_t index = view.kind == KMP_POINT ? view.doc->route_first[view.route] + at : at;
    lua_getiuservalue(L, 1, 1);
    bind_push_record(L, -1, view.kind, view.doc->tables[view.kind].ids[index], index);
    lua_remove(L, 5);
    if (!filled(L, 2) || (view.kind == KMP_POTI && !insert_points(L, view.doc, at, 2))) {
        restore(view.doc, before->data);
        return lua_error(L);
    }
    bind_guard_release(L, before);
    lua_settop(L, 5);
    return 1;
}

// --- remove, move, sort -----------------------------------------------------------------------

int bind_section_remove(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    size_t at = check_place(L, &view, 2, view.count);
    lua_Integer count = luaL_optinteger(L, 3, 1);
    luaL_argcheck(L, count >= 1 && (lua_Unsigned)count <= view.count - at, 3,
                  "there are not so many records");
    kart_error error;
    remove_rows(view.doc, &view, at, (size_t)count, &error);
    if (error.code != KART_OK) return raise_error(L, &error);
    return 0;
}

// An order to be filled, on the stack.
static size_t *push_order(lua_State *L, size_t count) {
    size_t *order = lua_newuserdatauv(L, (count + 1) * sizeof *order, 0);
    for (size_t i = 0; i < count; i++) order[i] = i;
    return order;
}

static int reorder(lua_State *L, const bind_section_view *view, const size_t *order) {
    kart_error error;
    bool done = view->kind == KMP_POINT
                    ? kmp_edit_route_reorder(view->doc, view->route, order, &error)
                    : kmp_edit_reorder(view->doc, view->kind, order, &error);
    if (!done) return raise_error(L, &error);
    return 0;
}

int bind_section_move(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    size_t from = check_place(L, &view, 2, view.count), to = check_place(L, &view, 3, view.count);
    size_t *order = push_order(L, view.count);
    for (size_t i = from; i < to; i++) order[i] = i + 1;
    for (size_t i = from; i > to; i--) order[i] = i - 1;
    order[to] = from;
    return reorder(L, &view, order);
}

// Does record `a` come before `b`? Stack: 2 the function, 3 the list of records.
static bool comes_before(lua_State *L, size_t a, size_t b) {
    lua_pushvalue(L, 2);
    lua_rawgeti(L, 3, (lua_Integer)a + 1);
    lua_rawgeti(L, 3, (lua_Integer)b + 1);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

// Stable merge sort of order[low .. high - 1]; `spare` has as much room.
static void merge_sort(lua_State *L, size_t *order, size_t *spare, size_t low, size_t high) {
    if (high - low < 2) return;
    size_t middle = low + (high - low) / 2;
    merge_sort(L, order, spare, low, middle);
    merge_sort(L, order, spare, middle, high);
    size_t a = low, b = middle;
    for (size_t i = low; i < high; i++) {
        bool second = a == middle || (b < high && comes_before(L, order[b], order[a]));
        spare[i] = second ? order[b++] : order[a++];
    }
    memcpy(order + low, spare + low, (high - low) * sizeof *order);
}

int bind_section_sort(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_createtable(L, (int)view.count, 0);
    for (size_t i = 0; i < view.count; i++) {
        lua_geti(L, 1, (lua_Integer)i + 1);
        lua_rawseti(L, 3, (lua_Integer)i + 1);
    }
    size_t *order = push_order(L, view.count), *spare = push_order(L, view.count);
    kmp_kind groups = kmp_groups_of(view.kind);
    if (groups == KMP_NONE || !view.doc->tables[groups].schema) {
        merge_sort(L, order, spare, 0, view.count);
    } else {
        // Points stay in their groups.
        for (size_t g = 0; g < view.doc->tables[groups].count; g++) {
            size_t start = (size_t)kmp_int(view.doc, groups, g, "start", 0);
            size_t end = start + (size_t)kmp_int(view.doc, groups, g, "length", 0);
            if (end > view.count) end = view.count;
            if (start < end) merge_sort(L, order, spare, start, end);
        }
    }
    // The function may have edited, too.
    bind_section_view now = bind_section_check(L, 1);
    if (now.doc != view.doc || now.count != view.count)
        return luaL_error(L, "the section was edited while it was sorted");
    return reorder(L, &view, order);
}

// --- groups -----------------------------------------------------------------------------------

static bind_section_view check_groups(lua_State *L) {
    bind_section_view view = bind_section_check(L, 1);
    if (kmp_points_of(view.kind) == KMP_NONE)
        luaL_error(L, "%s is no section of groups", view.doc->tables[view.kind].schema->name);
    return view;
}

int bind_section_split(lua_State *L) {
    bind_section_view view = check_groups(L);
    size_t group = check_place(L, &view, 2, view.count);
    lua_Integer at = luaL_checkinteger(L, 3);
    luaL_argcheck(L, at >= 2 && at <= 65535, 3, "expected the group's first point to go, from 2");
    kart_error error;
    if (!kmp_edit_group_split(view.doc, view.kind, group, (size_t)at - 1, &error))
        return raise_error(L, &error);
    lua_getiuservalue(L, 1, 1);
    bind_push_record(L, -1, view.kind, view.doc->tables[view.kind].ids[group + 1], group + 1);
    return 1;
}

int bind_section_join(lua_State *L) {
    bind_section_view view = check_groups(L);
    size_t first = check_place(L, &view, 2, view.count);
    size_t second = check_place(L, &view, 3, view.count);
    kart_error error;
    if (!kmp_edit_group_join(view.doc, view.kind, first, second, &error))
        return raise_error(L, &error);
    return 0;
}

// --- documents --------------------------------------------------------------------------------

// merge(other[, { only = { "gobj", ... } }])
int bind_kmp_merge(lua_State *L) {
    static const char *const names[] = {"only", NULL};
    kmp_doc *doc = bind_check_kmp(L, 1), *other = bind_check_kmp(L, 2);
    bool take[KMP_KINDS];
    bind_check_options(L, 3, names);
    bool some = lua_istable(L, 3) && lua_getfield(L, 3, "only") != LUA_TNIL;
    for (int kind = 0; kind < KMP_KINDS; kind++) take[kind] = !some;
    if (some) {
        if (!lua_istable(L, -1))
            return luaL_argerror(L, 3, "option 'only': expected a list of section names");
        for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
            lua_rawgeti(L, -1, i);
            const kmp_schema *schema = bind_check_section_name(L, doc, luaL_checkstring(L, -1));
            take[schema->kind] = true;
            lua_pop(L, 1);
        }
    }
    kart_error error;
    if (doc == other) return luaL_argerror(L, 2, "a document can't be merged with itself");
    if (!kmp_edit_merge(doc, other, take, &error)) return bind_fail(L, NULL, &error);
    lua_settop(L, 1);
    return 1;
}

// purge(): { poti = 2, jgpt = 1 } of what was removed.
int bind_kmp_purge(lua_State *L) {
    kmp_doc *doc = bind_check_kmp(L, 1);
    size_t removed[KMP_KINDS];
    kart_error error;
    if (!kmp_edit_purge(doc, removed, &error)) return bind_fail(L, NULL, &error);
    lua_newtable(L);
    for (int kind = 0; kind < KMP_POINT; kind++) {
        if (removed[kind] == 0) continue;
        lua_pushinteger(L, (lua_Integer)removed[kind]);
        lua_setfield(L, -2, doc->tables[kind].schema->name);
    }
    return 1;
}
