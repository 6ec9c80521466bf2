// Archive documents: the file comes back as it was, or compressed anew with all that wasn't
// changed.
#include "archive.h"
#include "core/file.h"
#include "szs/szs.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static const archive_node course[] = {
    {"", 0, 6, NULL},
    {".", 0, 6, NULL},
    {"course.kmp", -1, 0, "points points points points points points"},
    {"folder", 1, 5, NULL},
    {"a.bin", -1, 0, "bytes"},
    {"course.kcl", -1, 0, "collision collision collision"},
};
#define COURSE (sizeof course / sizeof *course)

// A compressed archive, as another program would leave it: with literals only. `tail` bytes stand
// behind it. Freed with free().
static uint8_t *packed_file(uint32_t alignment, size_t tail, size_t *size) {
    size_t bare_size, at = 16;
    const uint8_t *bare = archive_bytes(course, COURSE, 0x20, 0, &bare_size);
    uint8_t *out = calloc(16 + bare_size + bare_size / 8 + 1 + tail, 1);
    if (!out) abort();
    memcpy(out, "Yaz0", 4);
    kart_store_u32(out + 4, true, (uint32_t)bare_size);
    kart_store_u32(out + 8, true, alignment);
    for (size_t i = 0; i < bare_size; i++) {
        if (i % 8 == 0) out[at++] = 0xFF;
        out[at++] = bare[i];
    }
    *size = at + tail;
    return out;
}

static szs_doc *open_packed(uint32_t alignment, size_t tail) {
    size_t size;
    kart_ctx_init(&ctx);
    uint8_t *file = packed_file(alignment, tail, &size);
    szs_doc *doc = szs_parse(&ctx, file, size, NULL);
    free(file);
    CHECK(doc);
    return doc;
}

static void done(szs_doc *doc) {
    szs_free(doc);
    CHECK(ctx.used == 0);
}

// Does the document give exactly these bytes?
static bool gives(const szs_doc *doc, const uint8_t *data, size_t size) {
    size_t out_size;
    uint8_t *out = szs_serialize(doc, YAZ0_DEFAULT, &out_size, NULL);
    bool same = out && out_size == size && memcmp(out, data, size) == 0;
    kart_free(doc->ctx, out, out_size);
    return same;
}

static bool holds(const szs_doc *doc, const char *path, const char *text) {
    size_t node = u8_find(doc->files, path);
    return node != SIZE_MAX && doc->files->nodes[node].size == strlen(text) &&
           memcmp(doc->files->nodes[node].data, text, strlen(text)) == 0;
}

static bool replace(szs_doc *doc, const char *path, const char *text) {
    return u8_replace(doc->files, u8_find(doc->files, path), (const uint8_t *)text, strlen(text),
                      NULL);
}

static szs_doc *reopen(const szs_doc *doc, yaz0_level level, uint32_t *alignment) {
    size_t size;
    uint8_t *bytes = szs_serialize(doc, level, &size, NULL);
    szs_doc *again = bytes ? szs_parse(doc->ctx, bytes, size, NULL) : NULL;
    if (bytes && alignment) *alignment = kart_load_u32(bytes + 8, true);
    kart_free(doc->ctx, bytes, size);
    return again;
}

// --- what wasn't changed ----------------------------------------------------------------------

TEST(an_unchanged_file_comes_back_however_it_was_compressed) {
    static const size_t tails[] = {0, 16, 100};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        uint8_t *file = packed_file(0x2000, tails[i], &size);
        szs_doc *doc = open_packed(0x2000, tails[i]);
        CHECK(gives(doc, file, size) && doc->packed && doc->alignment == 0x2000);
        // A change that is taken back is none.
        CHECK(replace(doc, "course.kmp", "other") && !gives(doc, file, size));
        CHECK(replace(doc, "course.kmp", course[2].text) && gives(doc, file, size));
        free(file);
        done(doc);
    }
}

TEST(trailing_bytes_are_mentioned_where_they_are_no_padding) {
    szs_doc *doc = open_packed(0, 31);
    CHECK(doc->warnings.count == 0);
    done(doc);
    doc = open_packed(0, 32);
    if (CHECK(doc->warnings.count == 1)) {
        CHECK_TEXT(doc->warnings.items[0].rule, "trailing-bytes");
        CHECK(strstr(doc->warnings.items[0].message, "32 bytes behind"));
    }
    done(doc);
}

TEST(a_changed_file_is_compressed_anew_with_its_alignment) {
    static const yaz0_level levels[] = {YAZ0_DEFAULT, YAZ0_FAST, YAZ0_BEST};
    for (size_t i = 0; i < 3; i++) {
        uint32_t alignment;
        szs_doc *doc = open_packed(0x2000, 40);
        CHECK(replace(doc, "folder/a.bin", "more bytes than there were"));
        szs_doc *again = reopen(doc, levels[i], &alignment);
        if (CHECK(again && alignment == 0x2000)) {
            CHECK(again->warnings.count == 0);
            CHECK(holds(again, "folder/a.bin", "more bytes than there were"));
            CHECK(holds(again, "course.kmp", course[2].text));
            CHECK(holds(again, "course.kcl", course[5].text));
        }
        szs_free(again);
        done(doc);
    }
}

TEST(a_document_changes_between_compressed_and_bare) {
    size_t size, bare_size;
    szs_doc *doc = open_packed(0, 0);
    const uint8_t *bare = archive_bytes(course, COURSE, 0x20, 0, &bare_size);
    doc->packed = false;
    CHECK(gives(doc, bare, bare_size));
    doc->packed = true;
    uint8_t *file = packed_file(0, 0, &size);
    CHECK(gives(doc, file, size));
    free(file);
    done(doc);
    kart_ctx_init(&ctx);
    bare = archive_bytes(course, COURSE, 0x20, 0, &bare_size);
    doc = szs_parse(&ctx, bare, bare_size, NULL);
    CHECK(doc && !doc->packed && gives(doc, bare, bare_size));
    doc->packed = true;
    szs_doc *again = reopen(doc, YAZ0_FAST, NULL);
    CHECK(again && again->packed && holds(again, "course.kcl", course[5].text));
    szs_free(again);
    done(doc);
}

// --- life -------------------------------------------------------------------------------------

TEST(a_clone_is_independent_and_keeps_the_file) {
    size_t size;
    uint8_t *file = packed_file(4, 64, &size);
    szs_doc *doc = open_packed(4, 64), *copy = szs_clone(doc, NULL);
    if (!CHECK(copy)) return;
    CHECK(replace(copy, "course.kmp", "other"));
    CHECK(gives(doc, file, size) && !gives(copy, file, size));
    CHECK(copy->warnings.count == 1 && copy->alignment == 4);
    szs_doc *third = szs_clone(copy, NULL);
    szs_free(copy);
    CHECK(third && holds(third, "course.kmp", "other") && holds(doc, "course.kmp", course[2].text));
    CHECK(szs_memory(third) > szs_memory(doc) / 2 && szs_memory(doc) <= ctx.used);
    szs_free(third);
    free(file);
    done(doc);
}

TEST(a_settled_document_holds_the_same_unchanged_and_is_a_new_file) {
    size_t size, node;
    uint8_t *file = packed_file(0, 0, &size);
    szs_doc *doc = open_packed(0, 0);
    CHECK(replace(doc, "course.kmp", "other"));
    CHECK(u8_add(doc->files, "new/b.bin", (const uint8_t *)"b", 1, &node, NULL));
    CHECK(u8_changed(doc->files, node));
    CHECK(szs_settle(doc, NULL));
    for (size_t i = 0; i < doc->files->count; i++) CHECK(!u8_changed(doc->files, i));
    CHECK(holds(doc, "course.kmp", "other") && holds(doc, "new/b.bin", "b"));
    CHECK(!gives(doc, file, size));
    // Nothing remembers the bytes that were there before.
    CHECK(replace(doc, "course.kmp", course[2].text));
    CHECK(u8_changed(doc->files, u8_find(doc->files, "course.kmp")));
    free(file);
    done(doc);
}

TEST(a_new_document_is_an_archive_without_files) {
    for (int packed = 0; packed < 2; packed++) {
        size_t node;
        kart_ctx_init(&ctx);
        szs_doc *doc = szs_new(&ctx, packed, NULL);
        if (!CHECK(doc)) return;
        szs_doc *empty = reopen(doc, YAZ0_DEFAULT, NULL);
        CHECK(empty && empty->packed == packed && u8_find(empty->files, "course.kmp") == SIZE_MAX);
        szs_free(empty);
        CHECK(u8_add(doc->files, "course.kmp", (const uint8_t *)"points", 6, &node, NULL));
        szs_doc *again = reopen(doc, YAZ0_DEFAULT, NULL);
        char path[32];
        CHECK(again && holds(again, "course.kmp", "points"));
        u8_path(again->files, u8_find(again->files, "course.kmp"), path, sizeof path);
        CHECK_TEXT(path, "./course.kmp");
        szs_free(again);
        done(doc);
    }
}

// --- other kinds ------------------------------------------------------------------------------

TEST(other_kinds_are_named) {
    static const struct {
        const char *bytes, *name;
    } kinds[] = {{"SARC", "SARC"},
                 {"RARC", "RARC"},
                 {"NARC", "NARC"},
                 {"WU8a", "WU8"},
                 {"Yay0", "Yay0"},
                 {"PK\3\4", "ZIP"},
                 {"\x28\xB5\x2F\xFD", "Zstandard"},
                 {"\x10\x80\0\0", "LZ10"},
                 {"\x11\x80\0\0", "LZ11"}};
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint8_t bytes[96] = {0}, packed[160];
        kart_error error;
        memcpy(bytes, kinds[i].bytes, 4);
        CHECK(!szs_detect(bytes, sizeof bytes));
        CHECK(!szs_parse(&ctx, bytes, sizeof bytes, &error) && error.code == KART_UNSUPPORTED);
        if (!CHECK(strstr(error.found, kinds[i].name))) printf("    %s\n", error.found);
        // The same, compressed.
        size_t at = 16;
        memcpy(packed, "Yaz0\0\0\0\x60\0\0\0\0\0\0\0\0", 16);
        for (size_t k = 0; k < sizeof bytes; k++) {
            if (k % 8 == 0) packed[at++] = 0xFF;
            packed[at++] = bytes[k];
        }
        CHECK(!szs_parse(&ctx, packed, at, &error) && error.code == KART_UNSUPPORTED);
        CHECK(strstr(error.found, kinds[i].name));
    }
    CHECK(ctx.used == 0);
}

TEST(what_is_no_archive_is_not_given_a_name) {
    static const struct {
        const char *bytes;
        size_t size;
    } none[] = {{"", 0},
                {"SAR", 3},
                {"RKMD\0\0\0\x60", 8},
                {"\x10\0\0\0\0\0\0\0", 8},             // would be nothing
                {"\x11\xFF\xFF\xFF\0\0\0\0\0\0", 10}}; // 16 MB of two bytes
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        kart_error error;
        const uint8_t *bytes = (const uint8_t *)none[i].bytes;
        CHECK(!szs_other_kind(bytes, none[i].size));
        CHECK(!szs_parse(&ctx, bytes, none[i].size, &error) && error.code == KART_FORMAT);
    }
    CHECK(ctx.used == 0);
}

TEST(long_work_ends_when_it_is_told_to) {
    volatile sig_atomic_t cancel = 0;
    size_t size, node;
    kart_error error;
    kart_ctx_init(&ctx);
    ctx.cancel = &cancel;
    szs_doc *doc = szs_new(&ctx, true, NULL);
    uint8_t *noise = malloc(1 << 20);
    if (!doc || !noise) abort();
    for (size_t i = 0; i < 1 << 20; i++) noise[i] = (uint8_t)(i * i >> 7);
    CHECK(u8_add(doc->files, "noise", noise, 1 << 20, &node, NULL));
    cancel = 1;
    CHECK(!szs_serialize(doc, YAZ0_DEFAULT, &size, &error) && error.code == KART_CANCELLED);
    cancel = 0;
    uint8_t *bytes = szs_serialize(doc, YAZ0_FAST, &size, NULL);
    cancel = 1;
    CHECK(bytes && !szs_parse(&ctx, bytes, size, &error) && error.code == KART_CANCELLED);
    kart_free(&ctx, bytes, size);
    free(noise);
    done(doc);
}

static const test_case cases[] = {
    CASE(an_unchanged_file_comes_back_however_it_was_compressed),
    CASE(trailing_bytes_are_mentioned_where_they_are_no_padding),
    CASE(a_changed_file_is_compressed_anew_with_its_alignment),
    CASE(a_document_changes_between_compressed_and_bare),
    CASE(a_clone_is_independent_and_keeps_the_file),
    CASE(a_settled_document_holds_the_same_unchanged_and_is_a_new_file),
    CASE(a_new_document_is_an_archive_without_files),
    CASE(other_kinds_are_named),
    CASE(what_is_no_archive_is_not_given_a_name),
    CASE(long_work_ends_when_it_is_told_to),
};

void test_szs(void) { TEST_RUN(cases); }
