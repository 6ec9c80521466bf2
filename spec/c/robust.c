#define _XOPEN_SOURCE 700

#include "robust.h"

#include "core/file.h"
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXHAUSTIVE_SIZE 20480 // larger files get seeded places, with one value each
#define SEEDED_PLACES   2000
#define SEEDED_LENGTHS  500
#define USED_SHARE      101 // one of so many cases is used, too

typedef struct tally {
    size_t accepted, refused;
} tally;

// Does what a document was written to give the same document, and is written to the same again?
static bool reads_back(const robust_format *format, kart_ctx *ctx, const void *doc,
                       const uint8_t *bytes, size_t size) {
    void *again = format->parse(ctx, bytes, size, NULL);
    size_t again_size = 0;
    uint8_t *again_bytes = again ? format->serialize(again, &again_size, NULL) : NULL;
    bool same = again_bytes && format->same(doc, again) && again_size == size &&
                memcmp(again_bytes, bytes, size) == 0;
    kart_free(ctx, again_bytes, again_size);
    if (again) format->free(again);
    return same;
}

// `data` is a block of exactly `size` bytes, so that a sanitizer sees a read behind it.
static void parse_case(const robust_format *format, const uint8_t *data, size_t size, bool use,
                       tally *t) {
    kart_ctx ctx;
    kart_error error = {0};
    kart_ctx_init(&ctx);
    void *doc = format->parse(&ctx, data, size, &error);
    if (doc) {
        size_t out_size;
        uint8_t *out = format->serialize(doc, &out_size, NULL);
        if (format->same)
            CHECK(out && reads_back(format, &ctx, doc, out, out_size));
        else
            CHECK(out && out_size == size && memcmp(out, data, size) == 0);
        kart_free(&ctx, out, out_size);
        if (use) format->use(doc);
        format->free(doc);
        t->accepted++;
    } else {
        CHECK(error.what[0] && (error.code == KART_FORMAT || error.code == KART_UNSUPPORTED ||
                                error.code == KART_LIMIT));
        t->refused++;
    }
    CHECK(ctx.used == 0);
}

static uint8_t *exact_copy(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    return copy;
}

// The place of a case: all one by one, or drawn.
static size_t place_draw(size_t i, size_t size, uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return size <= EXHAUSTIVE_SIZE ? i : *seed % size;
}

static void bytes_change(const robust_format *format, const uint8_t *data, size_t size, tally *t) {
    uint8_t *changed = exact_copy(data, size);
    static const uint8_t values[] = {0x00, 0x7F, 0x80, 0xFF};
    uint32_t seed = 1;
    size_t each = size <= EXHAUSTIVE_SIZE ? sizeof values : 1;
    size_t cases = each * (each > 1 ? size : SEEDED_PLACES);
    for (size_t i = 0; i < cases; i++) {
        size_t at = place_draw(i / each, size, &seed);
        changed[at] = values[i % sizeof values];
        parse_case(format, changed, size, i % USED_SHARE == 0, t);
        changed[at] = data[at];
    }
    free(changed);
}

static void truncations(const robust_format *format, const uint8_t *data, size_t size, tally *t) {
    uint32_t seed = 2;
    size_t cases = size <= EXHAUSTIVE_SIZE ? size : SEEDED_LENGTHS;
    for (size_t i = 0; i < cases; i++) {
        size_t length = place_draw(i, size, &seed);
        uint8_t *exact = exact_copy(data, length);
        parse_case(format, exact, length, i % USED_SHARE == 0, t);
        free(exact);
    }
}

static void allocations_fail(const robust_format *format, const uint8_t *data, size_t size) {
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_ctx ctx;
        kart_error error = {0};
        test_heap_init(&heap, &ctx, n);
        bool done = format->live(&ctx, data, size, &error);
        CHECK(ctx.used == 0 && heap.blocks == 0);
        if (done) return;
        if (!CHECK(error.code == KART_MEMORY)) return;
    }
}

size_t robust_files(const robust_format *format, const char *pattern) {
    glob_t found;
    kart_ctx ctx;
    tally t = {0};
    kart_ctx_init(&ctx);
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        size_t size;
        uint8_t *data = kart_file_read(&ctx, found.gl_pathv[i], KART_FILE_LIMIT, &size, NULL);
        if (!CHECK(data)) continue;
        void *doc = format->parse(&ctx, data, size, NULL);
        truncations(format, data, size, &t);
        bytes_change(format, data, size, &t);
        if (doc) allocations_fail(format, data, size);
        format->free(doc);
        kart_free(&ctx, data, size);
    }
    globfree(&found);
    printf("  %s: %zu files, %zu cases accepted, %zu refused\n", pattern, count, t.accepted,
           t.refused);
    CHECK(t.refused > 0 && t.accepted > t.refused / 100);
    return count;
}

void robust_corpus(const robust_format *format, const char *pattern) {
    const char *folder = getenv("KARTLUA_CORPUS");
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/corpus", pattern);
    if (robust_files(format, path) == 0) printf("  SKIPPED: no corpus at %s\n", path);
}
