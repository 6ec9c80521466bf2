// Editing of whole documents: merging two, purging what nothing uses.
#include "kmp/edit.h"
#include "kmp/edit_work.h"
#include "kmp/reference.h"

#include <string.h>

// --- merging ----------------------------------------------------------------------------------

typedef struct merging {
    kmp_doc *doc;
    const size_t *first;  // by kind: where the other document's records begin; SIZE_MAX: not taken
    const size_t *before; // by kind: how many records there were before
    kart_error *error;
} merging;

// A reference of an appended record: shift it to where its target went.
static bool reference_shift(void *user, const kmp_doc *doc, const kmp_reference *r) {
    const merging *m = user;
    (void)doc;
    bool appended = r->index != KART_NO_INDEX && r->index >= m->before[r->kind];
    // Points of routes are counted within their route, and routes came over whole.
    if (!appended || r->target == KMP_POINT || kmp_reference_is_none(r)) return true;
    size_t first = m->first[r->target];
    if (first == SIZE_MAX) {
        if (!kmp_reference_is_group_start(r)) kmp_reference_set(m->doc, r, kmp_reference_none(r));
        return true;
    }
    int64_t value = r->value + (int64_t)first;
    int64_t most = r->field->none > 0 ? r->field->none - 1 : r->field->high;
    if (value > most)
        return kart_fail(
            m->error, KART_LIMIT, "%s.%s could not name %s %lld, %lld is the last it can",
            m->doc->tables[r->kind].schema->name, r->field->name,
            m->doc->tables[r->target].schema->name, (long long)value + 1, (long long)most + 1);
    kmp_reference_set(m->doc, r, value);
    return true;
}

static bool rows_append(kmp_doc *doc, const kmp_doc *other, kmp_kind kind, kart_error *error) {
    const kmp_table *from = &other->tables[kind];
    size_t at = doc->tables[kind].count;
    if (!doc->tables[kind].schema)
        return kart_fail(error, KART_UNSUPPORTED,
                         "%s: the document has no such section to append to", from->schema->name);
    if (doc->tables[kind].schema != from->schema)
        return kart_fail(error, KART_UNSUPPORTED, "%s: the two files lay it out differently",
                         from->schema->name);
    if ((kind == KMP_ENPT || kind == KMP_ITPT) && at + from->count > KMP_POINTS_MOST)
        return kart_fail(error, KART_LIMIT, "%s: %zu points, more than %d freeze the game",
                         from->schema->name, at + from->count, KMP_POINTS_MOST);
    if (!kmp_insert(doc, kind, at, from->count, error)) return false;
    memcpy(kmp_row(doc, kind, at), from->rows, from->count * from->stride);
    if (kind != KMP_POTI) return true;
    // The copied lengths promise points: bring them, route by route.
    for (size_t i = 0; i < from->count; i++) {
        size_t length = kmp_route_length(other, i);
        kart_store_u16(kmp_row(doc, KMP_POTI, at + i), doc->big, 0);
        if (!kmp_route_resize(doc, at + i, length, error)) return false;
        if (length > 0)
            memcpy(kmp_row(doc, KMP_POINT, doc->route_first[at + i]),
                   kmp_row(other, KMP_POINT, other->route_first[i]),
                   length * other->tables[KMP_POINT].stride);
    }
    return true;
}

bool kmp_edit_merge(kmp_doc *doc, const kmp_doc *other, const bool take[KMP_KINDS],
                    kart_error *error) {
    size_t first[KMP_KINDS], before[KMP_KINDS];
    if (doc->game != other->game)
        return kart_fail(error, KART_UNSUPPORTED, "the two files are of different games");
    kmp_doc *work = kmp_clone(doc, error);
    if (!work) return false;
    bool done = true;
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        const kmp_table *from = &other->tables[kind];
        before[kind] = work->tables[kind].count;
        bool taken =
            take[kind] && from->schema && from->count > 0 && kind != KMP_STGI && kind != KMP_POINT;
        first[kind] = taken ? before[kind] : SIZE_MAX;
    }
    for (int kind = 0; done && kind < KMP_KINDS; kind++) {
        kmp_kind points = kmp_points_of((kmp_kind)kind);
        if (first[kind] != SIZE_MAX && points != KMP_NONE && first[points] == SIZE_MAX &&
            other->tables[points].count > 0)
            done = kart_fail(error, KART_UNSUPPORTED, "%s: groups can't come without their %s",
                             other->tables[kind].schema->name, other->tables[points].schema->name);
    }
    for (int kind = 0; done && kind < KMP_KINDS; kind++)
        if (first[kind] != SIZE_MAX) done = rows_append(work, other, (kmp_kind)kind, error);
    merging m = {work, first, before, error};
    done = done && kmp_references_each(work, reference_shift, &m);
    return kmp_commit(doc, work, done);
}

// --- purging ----------------------------------------------------------------------------------

static const kmp_kind purged[] = {KMP_CAME, KMP_POTI, KMP_JGPT, KMP_ENPT, KMP_ITPT, KMP_CKPT};
#define PURGED (sizeof purged / sizeof *purged)

// What is used without being named.
static bool used_by_nature(const kmp_doc *doc, kmp_kind kind, size_t index) {
    if (kind == KMP_CAME) {
        int64_t type = kmp_int(doc, KMP_CAME, index, "type", 0);
        return type == 0 || type == 7 || type == 8;
    }
    // Without checkpoints nobody is there to name one: arenas choose for themselves.
    if (kind == KMP_JGPT) return doc->tables[KMP_CKPT].count == 0;
    kmp_kind groups = kmp_groups_of(kind);
    if (groups == KMP_NONE) return false;
    return !doc->tables[groups].schema || kmp_groups_holding(doc, groups, index) > 0;
}

typedef struct usage {
    uint8_t *used[KMP_KINDS]; // NULL: not purged, all of them are used
    size_t sizes[KMP_KINDS];
    bool grown;
} usage;

// To be named is of use only by somebody who is. Points are used through their groups alone.
static bool reference_use(void *user, const kmp_doc *doc, const kmp_reference *r) {
    usage *u = user;
    const uint8_t *holders = u->used[r->kind];
    uint8_t *targets = kmp_groups_of(r->target) == KMP_NONE ? u->used[r->target] : NULL;
    bool in_use = !holders || r->index == KART_NO_INDEX || holders[r->index];
    if (!in_use || !targets || kmp_reference_is_none(r) ||
        (uint64_t)r->value >= doc->tables[r->target].count || targets[r->value])
        return true;
    targets[r->value] = 1;
    u->grown = true;
    return true;
}

static bool usage_find(const kmp_doc *doc, usage *u, kart_error *error) {
    for (size_t i = 0; i < PURGED; i++) {
        kmp_kind kind = purged[i];
        u->sizes[kind] = doc->tables[kind].count;
        u->used[kind] = kart_alloc(doc->ctx, u->sizes[kind], error);
        if (!u->used[kind]) return false;
        for (size_t at = 0; at < u->sizes[kind]; at++)
            u->used[kind][at] = used_by_nature(doc, kind, at);
    }
    // A chain of cameras may run against their order; a byte names 255 of them at most.
    do {
        u->grown = false;
        kmp_references_each(doc, reference_use, u);
    } while (u->grown);
    return true;
}

bool kmp_edit_purge(kmp_doc *doc, size_t removed[KMP_KINDS], kart_error *error) {
    memset(removed, 0, KMP_KINDS * sizeof *removed);
    kmp_doc *work = kmp_clone(doc, error);
    if (!work) return false;
    usage u = {0};
    bool done = usage_find(work, &u, error);
    for (size_t i = 0; done && i < PURGED; i++) {
        kmp_kind kind = purged[i];
        for (size_t at = u.sizes[kind]; done && at-- > 0;) {
            if (u.used[kind][at]) continue;
            done = kmp_work_remove(work, kind, at, 1, error);
            removed[kind]++;
        }
    }
    for (size_t i = 0; i < PURGED; i++) kart_free(work->ctx, u.used[purged[i]], u.sizes[purged[i]]);
    return kmp_commit(doc, work, done);
}
