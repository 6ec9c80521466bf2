// Editing: a random walk over a course keeps every reference on the record it named, by identity.
#include "kmp/check.h"
#include "kmp/edit.h"
#include "kmp/reference.h"

#include "core/file.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;
static uint32_t seed;

static size_t draw(size_t below) {
    seed = seed * 1664525u + 1013904223u;
    return below > 0 ? (seed >> 8) % below : 0;
}

// --- what the walk must keep ------------------------------------------------------------------

// A reference as identities. `to` is 0 for none and for what was out of range.
typedef struct bond {
    kmp_kind kind;
    uint32_t from; // 0: the section's header
    const kmp_field *field;
    size_t i;
    kmp_kind target;
    uint32_t to;
    int64_t raw;
} bond;

typedef struct bonds {
    bond *items;
    size_t count, capacity;
} bonds;

static bool bond_add(void *user, const kmp_doc *doc, const kmp_reference *r) {
    bonds *b = user;
    // Groups follow their points as ranges; they have tests of their own.
    if (r->field->none == KMP_ALWAYS && !r->hidden) return true;
    if (b->count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 256;
        b->items = realloc(b->items, b->capacity * sizeof *b->items);
        if (!b->items) abort();
    }
    const kmp_table *target = &doc->tables[r->target];
    size_t first = r->target == KMP_POINT ? doc->route_first[r->route] : 0;
    size_t count = r->target == KMP_POINT ? kmp_route_length(doc, r->route) : target->count;
    bond *new = &b->items[b->count++];
    *new = (bond){r->kind,   r->index == KART_NO_INDEX ? 0 : doc->tables[r->kind].ids[r->index],
                  r->field,  r->i,
                  r->target, 0,
                  r->value};
    if (!kmp_reference_is_none(r) && (uint64_t)r->value < count)
        new->to = target->ids[first + (size_t)r->value];
    return true;
}

static bool lives(const kmp_doc *doc, kmp_kind kind, uint32_t id) {
    return kmp_index_of(&doc->tables[kind], id, 0) != SIZE_MAX;
}

static const bond *bond_find(const bonds *b, const bond *like) {
    for (size_t i = 0; i < b->count; i++)
        if (b->items[i].kind == like->kind && b->items[i].from == like->from &&
            b->items[i].field == like->field && b->items[i].i == like->i &&
            b->items[i].target == like->target)
            return &b->items[i];
    return NULL;
}

// Splitting and joining give groups other neighbours on purpose.
static bool relinked;

static bool is_group_link(const bond *b) {
    return b->kind == b->target && kmp_points_of(b->kind) != KMP_NONE;
}

// Links of checkpoints are written anew along with their group: the order counts there.
static bool is_chain(const bond *b) { return b->kind == KMP_CKPT && b->target == KMP_CKPT; }

static bool bonds_hold(const kmp_doc *doc, const bonds *before) {
    bonds after = {0};
    kmp_references_each(doc, bond_add, &after);
    bool hold = true;
    for (size_t i = 0; hold && i < before->count; i++) {
        const bond *old = &before->items[i];
        if (is_chain(old) || (relinked && is_group_link(old)) ||
            (old->from && !lives(doc, old->kind, old->from)))
            continue;
        const bond *new = bond_find(&after, old);
        if (!new)
            hold = old->target == KMP_POINT; // its route is gone
        else if (old->to && lives(doc, old->target, old->to))
            hold = new->to == old->to;
        else if (old->to && old->target == KMP_POINT)
            hold = new->raw == 0; // objects start somewhere
        else if (old->to)
            hold = new->to == 0;
        else
            hold = new->raw == old->raw || new->to == 0;
        if (!hold)
            printf("    %s of %s: %u named %u\n", old->field->name,
                   doc->tables[old->kind].schema->name, old->from, old->to);
    }
    free(after.items);
    return hold;
}

// --- the walk ---------------------------------------------------------------------------------

static size_t *random_order(size_t count, size_t first, size_t end) {
    size_t *order = malloc((count + 1) * sizeof *order);
    if (!order) abort();
    for (size_t i = 0; i < count; i++) order[i] = i;
    for (size_t i = end; i > first + 1; i--) {
        size_t j = first + draw(i - first), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    return order;
}

// A range within which records may change places: a group's points, or all.
static void free_range(const kmp_doc *doc, kmp_kind kind, size_t *first, size_t *end) {
    kmp_kind groups = kmp_groups_of(kind);
    *first = 0;
    *end = doc->tables[kind].count;
    if (groups == KMP_NONE || doc->tables[groups].count == 0) return;
    size_t g = draw(doc->tables[groups].count);
    size_t start = (size_t)kmp_int(doc, groups, g, "start", 0);
    size_t length = (size_t)kmp_int(doc, groups, g, "length", 0);
    *first = start < *end ? start : *end;
    *end = start + length < *end ? start + length : *end;
}

static bool step_route(kmp_doc *doc, kart_error *error) {
    if (doc->tables[KMP_POTI].count == 0) return true;
    size_t route = draw(doc->tables[KMP_POTI].count), length = kmp_route_length(doc, route);
    size_t *order;
    bool done;
    switch (draw(3)) {
    case 0: return kmp_edit_route_insert(doc, route, draw(length + 1), 1, error);
    case 1: return length < 2 || kmp_edit_route_remove(doc, route, draw(length - 1), 1, error);
    default:
        order = random_order(length, 0, length);
        done = kmp_edit_route_reorder(doc, route, order, error);
        free(order);
        return done;
    }
}

static bool step_groups(kmp_doc *doc, kmp_kind groups, kart_error *error) {
    size_t count = doc->tables[groups].count;
    if (count == 0) return true;
    size_t g = draw(count), length = (size_t)kmp_int(doc, groups, g, "length", 0);
    relinked = true;
    if (draw(2) && length > 1)
        return kmp_edit_group_split(doc, groups, g, 1 + draw(length - 1), error);
    return kmp_edit_group_join(doc, groups, g, draw(count), error);
}

static bool step(kmp_doc *doc, kart_error *error) {
    kmp_kind kind = (kmp_kind)draw(KMP_STGI);
    size_t count = doc->tables[kind].count, first, end, *order;
    bool done;
    if (!doc->tables[kind].schema) return true;
    switch (draw(7)) {
    case 0:
    case 1: return kmp_edit_insert(doc, kind, draw(count + 1), 1, KMP_GROUP_AUTO, error);
    case 2:
    case 3: return count < 4 || kmp_edit_remove(doc, kind, draw(count), 1, error);
    case 4: return step_route(doc, error);
    case 5:
        if (kmp_points_of(kind) != KMP_NONE) return step_groups(doc, kind, error);
        return true;
    default:
        free_range(doc, kind, &first, &end);
        order = random_order(count, first, end);
        done = kmp_edit_reorder(doc, kind, order, error);
        free(order);
        return done;
    }
}

// Every group's points lie in the section, and no group has lost count of them.
static bool groups_sane(const kmp_doc *doc) {
    static const kmp_kind groupings[] = {KMP_ENPH, KMP_ITPH, KMP_CKPH};
    for (size_t k = 0; k < 3; k++)
        for (size_t g = 0; g < doc->tables[groupings[k]].count; g++) {
            size_t start = (size_t)kmp_int(doc, groupings[k], g, "start", 0);
            size_t length = (size_t)kmp_int(doc, groupings[k], g, "length", 0);
            if (start + length > doc->tables[kmp_points_of(groupings[k])].count) return false;
        }
    return true;
}

// Checkpoints are linked in the order of their groups, as in the sample; no limit is passed.
static bool rules_kept(const kmp_doc *doc) {
    if (doc->tables[KMP_ENPT].count > KMP_POINTS_MOST) return false;
    if (doc->tables[KMP_ITPT].count > KMP_POINTS_MOST) return false;
    for (size_t g = 0; g < doc->tables[KMP_CKPH].count; g++) {
        int64_t start = kmp_int(doc, KMP_CKPH, g, "start", 0);
        int64_t end = start + kmp_int(doc, KMP_CKPH, g, "length", 0);
        for (int64_t i = start; i < end; i++) {
            int64_t next = i + 1 < end ? i + 1 : 0xFF, prev = i > start ? i - 1 : 0xFF;
            if (kmp_int(doc, KMP_CKPT, (size_t)i, "next", 0) != next) return false;
            if (kmp_int(doc, KMP_CKPT, (size_t)i, "prev", 0) != prev) return false;
        }
    }
    return true;
}

static kmp_doc *sample(const char *path) {
    size_t size;
    kart_ctx_init(&ctx);
    uint8_t *bytes = kart_file_read(&ctx, path, KART_FILE_LIMIT, &size, NULL);
    kmp_doc *doc = bytes ? kmp_parse(&ctx, bytes, size, NULL) : NULL;
    kart_free(&ctx, bytes, size);
    return doc;
}

TEST(random_edits_keep_references) {
    kmp_doc *doc = sample("build/samples/race.kmp");
    if (!CHECK(doc)) return;
    size_t refused = 0;
    seed = 7;
    for (int i = 0; i < 10000; i++) {
        bonds before = {0};
        kart_error error;
        relinked = false;
        kmp_references_each(doc, bond_add, &before);
        size_t size, size2;
        uint8_t *bytes = kmp_serialize(doc, &size, NULL);
        bool good = true;
        if (!step(doc, &error)) {
            refused++;
            CHECK(error.code == KART_LIMIT || error.code == KART_UNSUPPORTED);
            uint8_t *same = kmp_serialize(doc, &size2, NULL);
            good = size == size2 && memcmp(bytes, same, size) == 0;
            kart_free(&ctx, same, size2);
        }
        kart_free(&ctx, bytes, size);
        good = good && bonds_hold(doc, &before) && groups_sane(doc) && rules_kept(doc);
        free(before.items);
        if (!CHECK(good)) break;
    }
    size_t size;
    uint8_t *bytes = kmp_serialize(doc, &size, NULL);
    kmp_doc *again = kmp_parse(&ctx, bytes, size, NULL);
    CHECK(again && again->tables[KMP_GOBJ].count == doc->tables[KMP_GOBJ].count);
    printf("  10000 random edits: %zu refused by a limit\n", refused);
    kart_free(&ctx, bytes, size);
    kmp_free(again);
    kmp_free(doc);
    CHECK(ctx.used == 0);
}

// --- undoing ----------------------------------------------------------------------------------

TEST(inserting_and_removing_gives_the_bytes_back) {
    kmp_doc *doc = sample("build/samples/race.kmp");
    if (!CHECK(doc)) return;
    size_t size, size2;
    uint8_t *before = kmp_serialize(doc, &size, NULL);
    for (int kind = 0; kind < KMP_STGI; kind++) {
        for (size_t at = 0; at <= doc->tables[kind].count; at++) {
            kart_error error;
            if (!kmp_edit_insert(doc, (kmp_kind)kind, at, 1, KMP_GROUP_AUTO, &error)) {
                CHECK(error.code == KART_LIMIT);
                continue;
            }
            CHECK(kmp_edit_remove(doc, (kmp_kind)kind, at, 1, NULL));
            uint8_t *after = kmp_serialize(doc, &size2, NULL);
            if (!CHECK(size == size2 && memcmp(before, after, size) == 0))
                printf("    %s at %zu\n", doc->tables[kind].schema->name, at);
            kart_free(&ctx, after, size2);
        }
    }
    kart_free(&ctx, before, size);
    kmp_free(doc);
}

TEST(splitting_and_joining_gives_the_bytes_back) {
    kmp_doc *doc = sample("build/samples/race.kmp");
    if (!CHECK(doc)) return;
    size_t size, size2;
    static const kmp_kind groupings[] = {KMP_ENPH, KMP_ITPH, KMP_CKPH};
    uint8_t *before = kmp_serialize(doc, &size, NULL);
    for (size_t k = 0; k < 3; k++)
        for (size_t g = 0; g < doc->tables[groupings[k]].count; g++) {
            if (kmp_int(doc, groupings[k], g, "length", 0) < 2) continue;
            CHECK(kmp_edit_group_split(doc, groupings[k], g, 1, NULL));
            CHECK(kmp_edit_group_join(doc, groupings[k], g, g + 1, NULL));
            uint8_t *after = kmp_serialize(doc, &size2, NULL);
            if (!CHECK(size == size2 && memcmp(before, after, size) == 0))
                printf("    %s %zu\n", doc->tables[groupings[k]].schema->name, g);
            kart_free(&ctx, after, size2);
        }
    kart_free(&ctx, before, size);
    kmp_free(doc);
}

static const test_case cases[] = {
    CASE(random_edits_keep_references),
    CASE(inserting_and_removing_gives_the_bytes_back),
    CASE(splitting_and_joining_gives_the_bytes_back),
};

void test_edit(void) { TEST_RUN(cases); }
