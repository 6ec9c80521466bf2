// U8 archives: byte-exact where nothing changed, everything else kept where something did.
#include "archive.h"
#include "szs/u8.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

// --- archives that were read ------------------------------------------------------------------

// As the game has them: all below a folder "."; one name is in Shift-JIS.
static const archive_node course[] = {
    {"", 0, 8, NULL},
    {".", 0, 8, NULL},
    {"course.kmp", -1, 0, "points"},
    {"effect", 1, 6, NULL},
    {"a.breff", -1, 0, "fire"},
    {"\x83\x52\x81\x5B.bin", -1, 0, ""},
    {"course.kcl", -1, 0, "collision of the course"},
    {"z", -1, 0, "end"},
};
#define COURSE (sizeof course / sizeof *course)

static u8_archive *course_open(size_t alignment, size_t *size, uint8_t **bytes) {
    kart_ctx_init(&ctx);
    *bytes = archive_bytes(course, COURSE, alignment, 0xCC, size);
    return u8_parse(&ctx, *bytes, *size, NULL);
}

static bool holds(const u8_archive *archive, const char *path, const char *text) {
    size_t node = u8_find(archive, path);
    return node != SIZE_MAX && archive->nodes[node].size == strlen(text) &&
           memcmp(archive->nodes[node].data, text, strlen(text)) == 0;
}

// Serialize and read back; the caller frees.
static u8_archive *reopen(const u8_archive *archive) {
    size_t size;
    uint8_t *bytes = u8_serialize(archive, &size, NULL);
    u8_archive *again = bytes ? u8_parse(&ctx, bytes, size, NULL) : NULL;
    kart_free(&ctx, bytes, size);
    return again;
}

static bool replace(u8_archive *archive, const char *path, const char *text) {
    return u8_replace(archive, u8_find(archive, path), (const uint8_t *)text, strlen(text), NULL);
}

TEST(unchanged_archives_come_back_byte_for_byte) {
    const size_t alignments[] = {1, 4, 0x20};
    for (size_t a = 0; a < 3; a++) {
        size_t size, out_size;
        uint8_t *bytes;
        u8_archive *archive = course_open(alignments[a], &size, &bytes);
        if (!CHECK(archive && archive->count == COURSE)) return;
        uint8_t *out = u8_serialize(archive, &out_size, NULL);
        CHECK(out && out_size == size && memcmp(out, bytes, size) == 0);
        kart_free(&ctx, out, out_size);
        u8_free(archive);
        CHECK(ctx.used == 0);
    }
}

TEST(paths_lead_to_nodes_and_back) {
    size_t size;
    uint8_t *bytes;
    char path[64], small[6];
    u8_archive *archive = course_open(0x20, &size, &bytes);
    CHECK(u8_find(archive, "course.kmp") == 2 && u8_find(archive, "./course.kmp") == 2);
    CHECK(u8_find(archive, "/effect//a.breff") == 4 && u8_find(archive, "effect/z") == SIZE_MAX);
    CHECK(u8_find(archive, "course.kmp/x") == SIZE_MAX && u8_find(archive, "") == 1);
    CHECK(u8_path(archive, 4, path, sizeof path) == strlen(path));
    CHECK_TEXT(path, "./effect/a.breff");
    CHECK(u8_path(archive, 4, small, sizeof small) == 16 && strlen(small) < sizeof small);
    u8_free(archive);
}

TEST(paths_lead_beside_the_dot_folder_too) {
    static const archive_node nodes[] = {{"", 0, 6, NULL},  {".", 0, 4, NULL},
                                         {"a", 1, 4, NULL}, {"x", -1, 0, "inside"},
                                         {"a", 0, 6, NULL}, {"y", -1, 0, "outside"}};
    size_t size;
    kart_ctx_init(&ctx);
    const uint8_t *bytes = archive_bytes(nodes, 6, 4, 0, &size);
    u8_archive *archive = u8_parse(&ctx, bytes, size, NULL);
    if (!CHECK(archive)) return;
    CHECK(u8_find(archive, "a/x") == 3 && u8_find(archive, "a/y") == 5);
    CHECK(u8_find(archive, "./a//y") == 5 && u8_find(archive, "a") == 2);
    CHECK(u8_find(archive, ".") == 1 && u8_find(archive, "a/z") == SIZE_MAX);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

TEST(bytes_of_the_same_size_change_nothing_else) {
    size_t size, out_size, differing = 0;
    uint8_t *bytes;
    u8_archive *archive = course_open(0x20, &size, &bytes);
    CHECK(replace(archive, "course.kmp", "POINTS"));
    uint8_t *out = u8_serialize(archive, &out_size, NULL);
    if (CHECK(out && out_size == size))
        for (size_t i = 0; i < size; i++) differing += out[i] != bytes[i];
    CHECK(differing == 6);
    kart_free(&ctx, out, out_size);
    // Back to what it was is no change at all.
    CHECK(replace(archive, "course.kmp", "points"));
    out = u8_serialize(archive, &out_size, NULL);
    CHECK(out_size == size && memcmp(out, bytes, size) == 0);
    kart_free(&ctx, out, out_size);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

TEST(longer_bytes_move_files_but_keep_order_names_and_marks) {
    size_t size, out_size;
    uint8_t *bytes;
    u8_archive *archive = course_open(0x20, &size, &bytes);
    CHECK(replace(archive, "course.kmp", "many more points than there were, over one alignment"));
    uint8_t *out = u8_serialize(archive, &out_size, NULL);
    CHECK(out && out_size > size && out_size % 0x20 == 0 && out[16] == 0xCC);
    u8_archive *again = u8_parse(&ctx, out, out_size, NULL);
    if (CHECK(again && again->count == COURSE)) {
        CHECK(holds(again, "effect/a.breff", "fire") && holds(again, "z", "end"));
        CHECK(holds(again, "course.kcl", "collision of the course"));
        for (size_t i = 0; i < COURSE; i++) {
            CHECK_TEXT(again->nodes[i].name, course[i].name);
            CHECK(again->nodes[i].folder || again->nodes[i].place % 0x20 == 0);
        }
    }
    kart_free(&ctx, out, out_size);
    u8_free(again);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

TEST(files_are_added_removed_and_renamed) {
    size_t size, node;
    uint8_t *bytes;
    u8_archive *archive = course_open(4, &size, &bytes);
    CHECK(u8_add(archive, "effect/new/b.breff", (const uint8_t *)"ice", 3, &node, NULL));
    CHECK(u8_rename(archive, u8_find(archive, "z"), "last.bin", NULL));
    CHECK(u8_remove(archive, u8_find(archive, "effect/a.breff"), NULL));
    u8_archive *again = reopen(archive);
    if (CHECK(again)) {
        CHECK(holds(again, "effect/new/b.breff", "ice") && holds(again, "last.bin", "end"));
        CHECK(u8_find(again, "effect/a.breff") == SIZE_MAX && u8_find(again, "z") == SIZE_MAX);
        CHECK(holds(again, "course.kmp", "points") && again->count == COURSE + 1);
        CHECK(u8_remove(again, u8_find(again, "effect"), NULL) && again->count == 5);
        u8_archive *third = reopen(again);
        CHECK(third && holds(third, "course.kcl", "collision of the course"));
        u8_free(third);
    }
    u8_free(again);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

TEST(names_that_lead_out_or_exist_are_refused) {
    static const char *const bad[] = {
        "", "/", "../x", "a/../x", "a//b", "course.kmp", "course.kmp/x", "effect", "a/."};
    size_t size, node, out_size;
    uint8_t *bytes;
    kart_error error;
    u8_archive *archive = course_open(0x20, &size, &bytes);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bool added = u8_add(archive, bad[i], NULL, 0, &node, &error);
        if (!CHECK(!added && error.code == KART_LIMIT)) printf("    %s\n", bad[i]);
    }
    CHECK(!u8_rename(archive, 2, "course.kcl", &error) && !u8_rename(archive, 2, "a/b", &error));
    CHECK(!u8_remove(archive, 0, &error) && !u8_replace(archive, 3, NULL, 0, &error));
    uint8_t *out = u8_serialize(archive, &out_size, NULL);
    CHECK(out && out_size == size && memcmp(out, bytes, size) == 0);
    kart_free(&ctx, out, out_size);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

TEST(an_addition_that_fails_leaves_nothing) {
    size_t size, node, out_size;
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_ctx local;
        uint8_t *bytes = archive_bytes(course, COURSE, 0x20, 0xCC, &size);
        test_heap_init(&heap, &local, SIZE_MAX);
        u8_archive *archive = u8_parse(&local, bytes, size, NULL);
        heap.left = n;
        bool done = u8_add(archive, "a/b/c", bytes, size, &node, NULL);
        heap.left = SIZE_MAX;
        uint8_t *out = u8_serialize(archive, &out_size, NULL);
        CHECK(done || (out_size == size && memcmp(out, bytes, size) == 0));
        CHECK(archive->count == (done ? COURSE + 3 : COURSE));
        kart_free(&local, out, out_size);
        u8_free(archive);
        CHECK(local.used == 0 && heap.blocks == 0);
        if (done) break;
    }
}

TEST(a_file_that_was_empty_says_nothing_about_alignment) {
    size_t size, out_size;
    uint8_t *bytes;
    kart_ctx_init(&ctx);
    bytes = archive_bytes(course, COURSE, 0x20, 0, &size);
    kart_store_u32(bytes + 0x20 + 12 * 5 + 4, true, 0x1235); // where nothing stands
    u8_archive *archive = u8_parse(&ctx, bytes, size, NULL);
    if (!CHECK(archive)) return;
    CHECK(u8_replace(archive, 5, (const uint8_t *)"no longer", 9, NULL));
    uint8_t *out = u8_serialize(archive, &out_size, NULL);
    for (size_t i = 0; out && i < COURSE; i++)
        CHECK(archive->nodes[i].folder || kart_load_u32(out + 0x20 + 12 * i + 4, true) % 0x20 == 0);
    kart_free(&ctx, out, out_size);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

TEST(clones_are_independent) {
    size_t size;
    uint8_t *bytes;
    u8_archive *archive = course_open(0x20, &size, &bytes);
    CHECK(replace(archive, "z", "other"));
    u8_archive *copy = u8_clone(archive, NULL);
    CHECK(replace(copy, "z", "third") && holds(archive, "z", "other") && holds(copy, "z", "third"));
    u8_free(archive);
    CHECK(holds(copy, "course.kmp", "points"));
    u8_free(copy);
    CHECK(ctx.used == 0);
}

TEST(archives_of_no_and_of_many_files) {
    kart_ctx_init(&ctx);
    u8_archive *archive = u8_new(&ctx, false, NULL), *again = reopen(archive);
    CHECK(again && again->count == 1);
    u8_free(again);
    char path[64];
    size_t node;
    for (int i = 0; i < 10000; i++) {
        snprintf(path, sizeof path, "folder%d/file%d.bin", i % 10, i);
        CHECK(u8_add(archive, path, (const uint8_t *)path, strlen(path), &node, NULL));
    }
    again = reopen(archive);
    if (CHECK(again && again->count == 10011))
        for (int i = 0; i < 10000; i += 97) {
            snprintf(path, sizeof path, "folder%d/file%d.bin", i % 10, i);
            CHECK(holds(again, path, path));
        }
    u8_free(again);
    u8_free(archive);
    CHECK(ctx.used == 0);
}

// --- hostile input ----------------------------------------------------------------------------

static size_t accepted, refused;

static bool whole_life(kart_ctx *c, const uint8_t *data, size_t size, kart_error *error) {
    size_t out_size = 0, node;
    u8_archive *archive = u8_parse(c, data, size, error);
    if (!archive) return false;
    uint8_t *out = u8_serialize(archive, &out_size, error);
    bool done = out != NULL;
    CHECK(!done || (out_size == size && memcmp(out, data, size) == 0));
    kart_free(c, out, out_size);
    out = NULL;
    out_size = 0;
    for (size_t i = 0; done && i < archive->count; i++)
        if (!archive->nodes[i].folder) {
            done = u8_replace(archive, i, (const uint8_t *)"0123456789", 10, error);
            break;
        }
    done =
        done && (u8_add(archive, "new/file", data, 4, &node, error) || error->code == KART_LIMIT);
    done = done && (out = u8_serialize(archive, &out_size, error));
    if (done) {
        u8_archive *again = u8_parse(c, out, out_size, error);
        done = again != NULL;
        u8_free(again);
    }
    kart_free(c, out, out_size);
    u8_free(archive);
    return done;
}

static void hostile_case(const uint8_t *data, size_t size) {
    kart_error error = {0};
    kart_ctx local;
    kart_ctx_init(&local);
    // A block of exactly that size, so that a sanitizer sees a read behind it.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, data, size);
    bool done = whole_life(&local, exact, size, &error);
    CHECK(done || ((error.code == KART_FORMAT || error.code == KART_LIMIT) && error.what[0]));
    accepted += done;
    refused += !done;
    free(exact);
    CHECK(local.used == 0);
}

// A root and `count` files, each with a name and bytes as long as the archive has room for: all of
// them share these.
static uint8_t *bomb(size_t count, size_t name, size_t content, size_t *size) {
    size_t names = 12 * (count + 1), end = 0x20 + names + name + 2;
    *size = end + content;
    uint8_t *bytes = calloc(*size, 1);
    if (!bytes) abort();
    memcpy(bytes,
           "U\xAA"
           "8-",
           4);
    kart_store_u32(bytes + 4, true, 0x20);
    kart_store_u32(bytes + 8, true, (uint32_t)(names + name + 2));
    kart_store_u32(bytes + 12, true, (uint32_t)end);
    kart_store_u32(bytes + 0x20, true, 0x01000000);
    kart_store_u32(bytes + 0x28, true, (uint32_t)(count + 1));
    memset(bytes + 0x20 + names + 1, 'n', name);
    for (size_t i = 1; i <= count; i++) {
        kart_store_u32(bytes + 0x20 + 12 * i, true, 1);
        kart_store_u32(bytes + 0x20 + 12 * i + 4, true, (uint32_t)(end + i % content));
        kart_store_u32(bytes + 0x20 + 12 * i + 8, true, (uint32_t)(content - i % content));
    }
    return bytes;
}

TEST(small_archives_of_much_are_refused_before_the_memory_is_gone) {
    size_t size, out_size, node;
    kart_error error;
    kart_ctx_init(&ctx);
    uint8_t *names = bomb(60000, 1 << 20, 1, &size);
    CHECK(!u8_parse(&ctx, names, size, &error) && error.code == KART_LIMIT);
    CHECK(ctx.peak < ((size_t)64 << 20));
    free(names);
    // Some 60 GB, were each file written by itself.
    uint8_t *files = bomb(60000, 5, 1 << 20, &size);
    u8_archive *archive = u8_parse(&ctx, files, size, &error);
    if (CHECK(archive)) {
        CHECK(u8_add(archive, "another", NULL, 0, &node, NULL));
        CHECK(!u8_serialize(archive, &out_size, &error) && error.code == KART_LIMIT);
        CHECK(ctx.peak < ((size_t)1 << 30));
    }
    u8_free(archive);
    free(files);
    CHECK(ctx.used == 0);
}

TEST(every_truncation_and_changed_byte_is_survived) {
    static const uint8_t values[] = {0x00, 0x7F, 0x80, 0xFF};
    size_t size;
    uint8_t *bytes = archive_bytes(course, COURSE, 0x20, 0xCC, &size);
    for (size_t i = 0; i < size; i++) hostile_case(bytes, i);
    for (size_t i = 0; i < size; i++)
        for (size_t v = 0; v < sizeof values; v++) {
            uint8_t old = bytes[i];
            bytes[i] = values[v];
            hostile_case(bytes, size);
            bytes[i] = old;
        }
    printf("  U8: %zu cases accepted, %zu refused\n", accepted, refused);
    CHECK(accepted > 0 && refused > 0);
}

TEST(every_allocation_of_an_archive_may_fail) {
    size_t size;
    uint8_t *bytes = archive_bytes(course, COURSE, 0x20, 0xCC, &size);
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_ctx local;
        kart_error error = {0};
        test_heap_init(&heap, &local, n);
        bool done = whole_life(&local, bytes, size, &error);
        CHECK(local.used == 0 && heap.blocks == 0);
        if (done) return;
        if (!CHECK(error.code == KART_MEMORY)) return;
    }
}

static const test_case cases[] = {
    CASE(unchanged_archives_come_back_byte_for_byte),
    CASE(paths_lead_to_nodes_and_back),
    CASE(paths_lead_beside_the_dot_folder_too),
    CASE(bytes_of_the_same_size_change_nothing_else),
    CASE(longer_bytes_move_files_but_keep_order_names_and_marks),
    CASE(files_are_added_removed_and_renamed),
    CASE(names_that_lead_out_or_exist_are_refused),
    CASE(an_addition_that_fails_leaves_nothing),
    CASE(a_file_that_was_empty_says_nothing_about_alignment),
    CASE(clones_are_independent),
    CASE(archives_of_no_and_of_many_files),
    CASE(small_archives_of_much_are_refused_before_the_memory_is_gone),
    CASE(every_truncation_and_changed_byte_is_survived),
    CASE(every_allocation_of_an_archive_may_fail),
};

void test_u8(void) { TEST_RUN(cases); }
