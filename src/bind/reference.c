// kmp:references(): who names whom in a document, as the core knows it.
#include "bind/section.h"

#include "core/array.h"
#include "kmp/reference.h"

// A reference by identities: Lua code that runs while the list is pushed may edit the document.
typedef struct noted {
    kmp_reference reference;
    uint32_t holder, target; // 0: the section's header; none, or nothing there
    size_t at;               // where the target stood
} noted;

typedef struct noted_list {
    noted *items;
    size_t count, capacity;
    kart_error *error;
} noted_list;

static bool note(void *user, const kmp_doc *doc, const kmp_reference *r) {
    noted_list *list = user;
    noted *items = kart_array_grow(doc->ctx, list->items, &list->capacity, list->count + 1,
                                   sizeof *items, list->error);
    if (!items) return false;
    list->items = items;
    noted *new = &items[list->count++];
    *new = (noted){.reference = *r};
    if (r->index != KART_NO_INDEX) new->holder = doc->tables[r->kind].ids[r->index];
    if (!kmp_reference_is_none(r) && (uint64_t)r->value < kmp_reference_targets(doc, r)) {
        new->at = (size_t)r->value + (r->target == KMP_POINT ? doc->route_first[r->route] : 0);
        new->target = doc->tables[r->target].ids[new->at];
    }
    return true;
}

static void notes_release(kart_ctx *ctx, void *data, size_t size) {
    (void)size;
    noted_list *list = data;
    kart_free(ctx, list->items, list->capacity * sizeof *list->items);
}

static void set_boolean(lua_State *L, const char *name, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

// Stack index 1: the document.
static void push_reference(lua_State *L, kmp_game game, const noted *n) {
    const kmp_reference *r = &n->reference;
    lua_createtable(L, 0, 8);
    if (n->holder)
        bind_push_record(L, 1, r->kind, n->holder, r->index);
    else
        bind_push_section(L, 1, r->kind, 0);
    lua_setfield(L, -2, "holder");
    bind_set_string(L, "field", r->field->name);
    if (r->field->count > 1) bind_set_integer(L, "slot", (int64_t)r->i + 1);
    bind_set_string(L, "section", kmp_schema_find(game, 0, r->target)->name);
    if (!kmp_reference_is_none(r)) bind_set_integer(L, "number", r->value + 1);
    if (n->target) {
        bind_push_record(L, 1, r->target, n->target, n->at);
        lua_setfield(L, -2, "target");
    }
    set_boolean(L, "hidden", r->hidden);
    set_boolean(L, "idle", r->idle);
}

int bind_kmp_references(lua_State *L) {
    kart_error error;
    bind_check_kmp(L, 1);
    bind_guard *guard = bind_guard_push(L, sizeof(noted_list));
    noted_list *list = guard->data;
    guard->release = notes_release;
    const kmp_doc *doc = bind_check_kmp(L, 1);
    list->error = &error;
    if (!kmp_references_each(doc, note, list)) return bind_fail(L, NULL, &error);
    kmp_game game = doc->game;
    lua_createtable(L, (int)list->count, 0);
    for (size_t i = 0; i < list->count; i++) {
        push_reference(L, game, &list->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    bind_guard_release(L, guard);
    return 1;
}
