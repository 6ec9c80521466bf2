// Editing: a random walk over a course keeps every reference on the record it named, by identity.
#define _XOPEN_SOURCE 700

#include "kmp/edit.h"
#include "kmp/reference.h"

#include "bonds.h"
#include "core/file.h"
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;
static uint32_t seed;

static size_t draw(size_t below) {
    seed = seed * 1664525u + 1013904223u;
    return below > 0 ? (seed >> 8) % below : 0;
}

// --- the walk ---------------------------------------------------------------------------------

// What the last step did.
static bool relinked;        // groups have other neighbours, and points, on purpose
static kmp_kind chosen_kind; // a point was put into a group that was named; KMP_NONE: none was
static size_t chosen_at;
static uint32_t chosen_group;

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

static void group_range(const kmp_doc *doc, kmp_kind points, size_t group, size_t *first,
                        size_t *end) {
    kmp_kind groups = kmp_groups_of(points);
    size_t total = doc->tables[points].count;
    size_t start = (size_t)kmp_int(doc, groups, group, "start", 0);
    size_t length = (size_t)kmp_int(doc, groups, group, "length", 0);
    *first = start < total ? start : total;
    *end = start + length < total ? start + length : total;
}

// A range within which records may change places: a group's points, or all.
static void free_range(const kmp_doc *doc, kmp_kind kind, size_t *first, size_t *end) {
    kmp_kind groups = kmp_groups_of(kind);
    *first = 0;
    *end = doc->tables[kind].count;
    if (groups != KMP_NONE && doc->tables[groups].count > 0)
        group_range(doc, kind, draw(doc->tables[groups].count), first, end);
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

static bool step_insert(kmp_doc *doc, kmp_kind kind, kart_error *error) {
    kmp_kind groups = kmp_groups_of(kind);
    size_t count = doc->tables[kind].count;
    if (groups == KMP_NONE || doc->tables[groups].count == 0 || draw(2))
        return kmp_edit_insert(doc, kind, draw(count + 1), 1, KMP_GROUP_AUTO, error);
    size_t g = draw(doc->tables[groups].count), first, end;
    group_range(doc, kind, g, &first, &end);
    chosen_kind = kind;
    chosen_at = first + draw(end - first + 1);
    chosen_group = doc->tables[groups].ids[g];
    return kmp_edit_insert(doc, kind, chosen_at, 1, g, error);
}

static bool step(kmp_doc *doc, kart_error *error) {
    kmp_kind kind = (kmp_kind)draw(KMP_STGI);
    size_t count = doc->tables[kind].count, first, end, *order;
    bool done;
    if (!doc->tables[kind].schema) return true;
    switch (draw(7)) {
    case 0:
    case 1: return step_insert(doc, kind, error);
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

// The point that was put into a group is in there.
static bool chosen_held(const kmp_doc *doc) {
    if (chosen_kind == KMP_NONE) return true;
    kmp_kind groups = kmp_groups_of(chosen_kind);
    size_t first, end, group = kmp_index_of(&doc->tables[groups], chosen_group, 0);
    group_range(doc, chosen_kind, group, &first, &end);
    return chosen_at >= first && chosen_at < end;
}

// One step, judged. A refused one leaves the document as it was.
static bool step_held(kmp_doc *doc, size_t *refused) {
    kart_error error;
    size_t size, size2;
    bonds before = bonds_note(doc);
    uint8_t *bytes = kmp_serialize(doc, &size, NULL);
    bool good = true;
    relinked = false;
    chosen_kind = KMP_NONE;
    if (step(doc, &error)) {
        good = chosen_held(doc);
    } else {
        ++*refused;
        CHECK(error.code == KART_LIMIT || error.code == KART_UNSUPPORTED);
        uint8_t *same = kmp_serialize(doc, &size2, NULL);
        good = size == size2 && memcmp(bytes, same, size) == 0;
        kart_free(&ctx, same, size2);
    }
    kart_free(&ctx, bytes, size);
    good = good && bonds_hold(doc, &before, relinked);
    bonds_free(&before);
    return good;
}

static void walk(const char *path, size_t steps, size_t *refused) {
    kmp_doc *doc = sample(path);
    if (!CHECK(doc)) return;
    bool sane = groups_sane(doc), kept = rules_kept(doc);
    // A fall boundary for some of the checkpoints: few courses have one.
    size_t area = doc->tables[KMP_AREA].count;
    if (doc->tables[KMP_CKPT].count > 20 && CHECK(kmp_insert(doc, KMP_AREA, area, 1, NULL))) {
        static const uint8_t range[] = {0, 5, 0, 15};
        kmp_row(doc, KMP_AREA, area)[1] = 10;
        memcpy(kmp_row(doc, KMP_AREA, area) + 0x28, range, sizeof range);
    }
    for (size_t i = 0; i < steps; i++) {
        bool good =
            step_held(doc, refused) && (!sane || groups_sane(doc)) && (!kept || rules_kept(doc));
        if (!CHECK(good)) {
            printf("    %s, step %zu\n", path, i);
            break;
        }
    }
    size_t size;
    uint8_t *bytes = kmp_serialize(doc, &size, NULL);
    kmp_doc *again = kmp_parse(&ctx, bytes, size, NULL);
    CHECK(again && again->tables[KMP_GOBJ].count == doc->tables[KMP_GOBJ].count);
    kart_free(&ctx, bytes, size);
    kmp_free(again);
    kmp_free(doc);
    CHECK(ctx.used == 0);
}

TEST(random_edits_keep_references) {
    size_t refused = 0;
    seed = 7;
    walk("build/samples/race.kmp", 10000, &refused);
    walk("build/samples/arena.kmp", 5000, &refused);
    printf("  15000 random edits: %zu refused by a limit\n", refused);
}

TEST(random_edits_of_real_files_keep_references) {
    const char *folder = getenv("KARTLUA_CORPUS");
    char pattern[1000];
    glob_t found;
    size_t refused = 0;
    seed = 11;
    snprintf(pattern, sizeof pattern, "%s/kmp/*.kmp", folder ? folder : "../shared/corpus");
    if (glob(pattern, 0, NULL, &found) != 0) {
        printf("  SKIPPED: no corpus at %s\n", pattern);
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) walk(found.gl_pathv[i], 500, &refused);
    printf("  500 random edits of each of %zu real files: %zu refused by a limit\n", found.gl_pathc,
           refused);
    globfree(&found);
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
    CASE(random_edits_of_real_files_keep_references),
    CASE(inserting_and_removing_gives_the_bytes_back),
    CASE(splitting_and_joining_gives_the_bytes_back),
};

void test_edit(void) { TEST_RUN(cases); }
