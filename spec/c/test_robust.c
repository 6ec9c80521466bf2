// Hostile input: every truncation, every byte changed, every allocation failing. Each case gives an
// error or a document that gives its bytes back; nothing leaks. The counts are printed: changes in
// floats and padding must be accepted.
#define _XOPEN_SOURCE 700

#include "core/file.h"
#include "kmp/laps.h"
#include "kmp/transform.h"
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXHAUSTIVE_SIZE 20480 // larger files get seeded places
#define SEEDED_PLACES   2000

static size_t accepted, refused;

// From a block of exactly `size` bytes, so that a sanitizer sees a read behind it.
static void parse_case(const uint8_t *data, size_t size, bool transform) {
    kart_ctx ctx;
    kart_error error = {0};
    kart_ctx_init(&ctx);
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, data, size);
    kmp_doc *doc = kmp_parse(&ctx, exact, size, &error);
    if (doc) {
        size_t out_size;
        uint8_t *out = kmp_serialize(doc, &out_size, NULL);
        CHECK(out && out_size == size && memcmp(out, exact, size) == 0);
        kart_free(&ctx, out, out_size);
        kart_affine map = kart_affine_mirror(2, 10);
        if (transform) kmp_transform(doc, &map, NULL, &error);
        kmp_free(doc);
        accepted++;
    } else {
        CHECK(error.what[0] && (error.code == KART_FORMAT || error.code == KART_LIMIT));
        refused++;
    }
    free(exact);
    CHECK(ctx.used == 0);
}

static void bytes_change(uint8_t *data, size_t size) {
    static const uint8_t values[] = {0x00, 0x7F, 0x80, 0xFF};
    uint32_t seed = 1;
    size_t places = size <= EXHAUSTIVE_SIZE ? size : SEEDED_PLACES;
    for (size_t i = 0; i < places; i++) {
        seed = seed * 1664525u + 1013904223u;
        size_t at = size <= EXHAUSTIVE_SIZE ? i : seed % size;
        uint8_t old = data[at];
        for (size_t v = 0; v < sizeof values; v++) {
            data[at] = values[v];
            parse_case(data, size, i % 101 == 0);
        }
        data[at] = old;
    }
}

static void truncations(const uint8_t *data, size_t size) {
    uint32_t seed = 2;
    size_t places = size <= EXHAUSTIVE_SIZE ? size : SEEDED_PLACES;
    for (size_t i = 0; i < places; i++) {
        seed = seed * 1664525u + 1013904223u;
        parse_case(data, size <= EXHAUSTIVE_SIZE ? i : seed % size, false);
    }
}

static bool whole_life(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    kmp_doc *doc = kmp_parse(ctx, data, size, error);
    if (!doc) return false;
    kart_affine map = kart_affine_mirror(2, 10);
    kmp_lap_options options = {.laps = 1, .max_steps = 2000};
    kmp_lap_result laps = {0};
    size_t out_size = 0;
    uint8_t *out = NULL;
    // What can't be transformed or driven is not an error of the memory.
    bool done = kmp_transform(doc, &map, NULL, error) || error->code == KART_UNSUPPORTED;
    done = done && (out = kmp_serialize(doc, &out_size, error));
    if (done) {
        done = kmp_laps_simulate(doc, &options, &laps, error) || error->code == KART_UNSUPPORTED;
        kmp_lap_result_free(ctx, &laps);
    }
    kart_free(ctx, out, out_size);
    kmp_free(doc);
    return done;
}

static void allocations_fail(const uint8_t *data, size_t size) {
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_ctx ctx;
        kart_error error = {0};
        test_heap_init(&heap, &ctx, n);
        bool done = whole_life(&ctx, data, size, &error);
        CHECK(ctx.used == 0 && heap.blocks == 0);
        if (done) return;
        if (!CHECK(error.code == KART_MEMORY)) return;
    }
}

static size_t files_test(const char *pattern) {
    glob_t found;
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        size_t size;
        uint8_t *data = kart_file_read(&ctx, found.gl_pathv[i], KART_FILE_LIMIT, &size, NULL);
        CHECK(data);
        kmp_doc *doc = kmp_parse(&ctx, data, size, NULL);
        truncations(data, size);
        bytes_change(data, size);
        if (doc) allocations_fail(data, size);
        kmp_free(doc);
        kart_free(&ctx, data, size);
    }
    globfree(&found);
    printf("  %s: %zu files, %zu cases accepted, %zu refused\n", pattern, count, accepted, refused);
    CHECK(refused > 0 && accepted > refused / 100);
    accepted = refused = 0;
    return count;
}

TEST(samples_survive_every_change) {
    CHECK(files_test("build/samples/*.kmp") > 0);
    CHECK(files_test("build/samples/variants/*.kmp") > 0);
}

TEST(corpus_survives_every_change) {
    const char *folder = getenv("KARTLUA_CORPUS");
    char pattern[1000];
    snprintf(pattern, sizeof pattern, "%s/kmp/*.kmp", folder ? folder : "../shared/corpus");
    if (files_test(pattern) == 0) printf("  SKIPPED: no corpus at %s\n", pattern);
}

static const test_case cases[] = {
    CASE(samples_survive_every_change),
    CASE(corpus_survives_every_change),
};

void test_robust(void) { TEST_RUN(cases); }
