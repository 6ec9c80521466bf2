// Yaz0: streams made by hand, round trips at each level, sizes against brute force, hostile bytes.
#include "szs/yaz0.h"

#include "core/bytes.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 3
#define LIMIT  ((size_t)1 << 20)

static uint32_t draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// The kinds of content that tests are made from.
enum { NOISE, FEW_VALUES, RUNS, RECORDS, SAME, KINDS };

static void content_make(uint8_t *data, size_t size, int kind, uint32_t seed) {
    uint8_t last = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t random = draw(&seed);
        switch (kind) {
        case NOISE: data[i] = (uint8_t)random; break;
        case FEW_VALUES: data[i] = (uint8_t)(random % 3); break;
        case RUNS: data[i] = last = random % 50 ? last : (uint8_t)random; break;
        case RECORDS: data[i] = (uint8_t)(i % 12 < 9 ? i % 12 * 7 : random % 16); break;
        default: data[i] = 0x5A;
        }
    }
}

static uint8_t *exact_copy(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, data, size);
    return copy;
}

// --- by the book ------------------------------------------------------------------------------

typedef struct expected {
    bool good;
    size_t size, trailing;
    uint8_t data[LIMIT];
} expected;

// The format byte by byte, as its description has it.
static void by_the_book(const uint8_t *in, size_t size, expected *out) {
    out->good = false;
    if (size < 16 || memcmp(in, "Yaz0", 4) != 0) return;
    size_t stated = kart_load_u32(in + 4, true), done = 0, at = 16;
    unsigned code = 0, left = 0;
    if (stated > LIMIT) return;
    while (done < stated) {
        if (left == 0) {
            if (at >= size) return;
            code = in[at++];
            left = 8;
        }
        left--;
        if (code >> left & 1) {
            if (at >= size) return;
            out->data[done++] = in[at++];
            continue;
        }
        if (size - at < 2) return;
        size_t distance = ((in[at] & 15u) << 8 | in[at + 1]) + 1u, length = in[at] >> 4;
        at += 2;
        if (length == 0) {
            if (at >= size) return;
            length = in[at++] + 0x10u;
        }
        length += 2;
        if (distance > done || length > stated - done) return;
        for (; length > 0; length--, done++) out->data[done] = out->data[done - distance];
    }
    out->good = true;
    out->size = stated;
    out->trailing = size - at;
}

// Decode from a block of exactly this size; gives whether it was accepted, as the book says.
static bool decode_case(const uint8_t *data, size_t size) {
    static expected book;
    kart_ctx ctx;
    kart_error error = {0};
    size_t out_size = 0, trailing = 0;
    kart_ctx_init(&ctx);
    by_the_book(data, size, &book);
    uint8_t *out = yaz0_decode(&ctx, data, size, LIMIT, &out_size, &trailing, &error);
    CHECK((out != NULL) == book.good);
    if (out) {
        CHECK(out_size == book.size && trailing == book.trailing);
        CHECK(memcmp(out, book.data, out_size) == 0);
    } else {
        CHECK(error.code == KART_FORMAT || error.code == KART_LIMIT);
        CHECK(error.what[0] && error.expected[0] && error.found[0] && error.offset <= size);
        CHECK_TEXT(error.section, "Yaz0");
    }
    kart_free(&ctx, out, out_size);
    CHECK(ctx.used == 0);
    return book.good;
}

// --- streams made by hand ---------------------------------------------------------------------

#define HEAD(size) 'Y', 'a', 'z', '0', 0, 0, (size) >> 8, (size)&0xFF, 0, 0, 0, 0, 0, 0, 0, 0

static bool decodes_to(const uint8_t *data, size_t size, const char *text, size_t left_over) {
    kart_ctx ctx;
    size_t out_size = 0, trailing = 0, length = strlen(text);
    kart_ctx_init(&ctx);
    uint8_t *exact = exact_copy(data, size);
    uint8_t *out = yaz0_decode(&ctx, exact, size, LIMIT, &out_size, &trailing, NULL);
    bool same =
        out && out_size == length && memcmp(out, text, length) == 0 && trailing == left_over;
    kart_free(&ctx, out, out_size);
    free(exact);
    return same && ctx.used == 0;
}

TEST(yaz0_reads_streams_made_by_hand) {
    const uint8_t empty[] = {HEAD(0)};
    const uint8_t literals[] = {HEAD(3), 0xE0, 'a', 'b', 'c'};
    const uint8_t run[] = {HEAD(6), 0x80, 'a', 0x30, 0x00};
    const uint8_t pair[] = {HEAD(9), 0xD0, 'a', 'b', 0x40, 0x01, 'c'};
    const uint8_t whole_group[] = {HEAD(8), 0xFF, '1', '2', '3', '4', '5', '6', '7', '8'};
    const uint8_t nine[] = {HEAD(9), 0xFF, '1', '2', '3', '4', '5', '6', '7', '8', 0x80, '9'};
    const uint8_t three[] = {HEAD(19), 0x80, 'x', 0x00, 0x00, 0x00, 'l', 'e', 'f', 't'};
    CHECK(decodes_to(empty, sizeof empty, "", 0));
    CHECK(decodes_to(literals, sizeof literals, "abc", 0));
    CHECK(decodes_to(run, sizeof run, "aaaaaa", 0));
    CHECK(decodes_to(pair, sizeof pair, "ababababc", 0));
    CHECK(decodes_to(whole_group, sizeof whole_group, "12345678", 0));
    CHECK(decodes_to(nine, sizeof nine, "123456789", 0));
    CHECK(decodes_to(three, sizeof three, "xxxxxxxxxxxxxxxxxxx", 4));
}

static void check_refused(const uint8_t *data, size_t size, size_t limit, kart_code code,
                          const char *text) {
    kart_ctx ctx;
    kart_error error = {0};
    char found[300];
    size_t out_size;
    kart_ctx_init(&ctx);
    CHECK(!yaz0_decode(&ctx, data, size, limit, &out_size, NULL, &error));
    CHECK(error.code == code && ctx.used == 0);
    kart_error_text(&error, found, sizeof found);
    CHECK_TEXT(found, text);
    CHECK(!yaz0_decode(&ctx, data, size, limit, &out_size, NULL, NULL));
}

TEST(yaz0_errors_say_where_and_what) {
    const uint8_t other[] = {'Y', 'a', 'z', '1', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const uint8_t early[] = {HEAD(5), 0xE0, 'a', 'b', 'c'};
    const uint8_t before[] = {HEAD(9), 0x80, 'a', 0x10, 0x01};
    const uint8_t beyond[] = {HEAD(5), 0x80, 'a', 0x30, 0x00};
    const uint8_t lying[] = {HEAD(0xFFFF), 0x80, 'a', 0x00, 0x00, 0x00};
    check_refused(other, 15, LIMIT, KART_FORMAT,
                  "Yaz0 at 0xF: header cut off: expected 16 bytes, found 15");
    check_refused(other, 16, LIMIT, KART_FORMAT,
                  "Yaz0 at 0x0: magic: expected 59617A30, found 59617A31");
    check_refused(early, sizeof early, LIMIT, KART_FORMAT,
                  "Yaz0 at 0x14: stream ends early: expected 5 decompressed bytes, found 3");
    check_refused(before, sizeof before, LIMIT, KART_FORMAT,
                  "Yaz0 at 0x12: distance: expected at most the 1 bytes made so far, found 2");
    check_refused(beyond, sizeof beyond, LIMIT, KART_FORMAT,
                  "Yaz0 at 0x12: length: expected at most the 4 bytes left, found 5");
    check_refused(beyond, sizeof beyond, 4, KART_LIMIT,
                  "Yaz0 at 0x4: decompressed size: expected at most 4, found 5");
    check_refused(
        lying, sizeof lying, LIMIT, KART_FORMAT,
        "Yaz0 at 0x4: decompressed size: expected at most 2184 from 21 bytes, found 65535");
}

TEST(yaz0_is_known_by_its_first_bytes) {
    const uint8_t stream[] = {HEAD(0)};
    yaz0_header header;
    CHECK(yaz0_detect(stream, sizeof stream) && yaz0_detect(stream, 4) && !yaz0_detect(stream, 3));
    CHECK(!yaz0_detect((const uint8_t *)"Yaz1", 4));
    CHECK(yaz0_header_read(stream, sizeof stream, &header, NULL) && header.size == 0);
}

// --- round trips ------------------------------------------------------------------------------

// The size of the smallest stream, in bytes, by trying everything.
static size_t smallest(const uint8_t *data, size_t size) {
    uint32_t *costs = calloc(size + 1, sizeof *costs);
    if (!costs) abort();
    for (size_t at = size; at-- > 0;) {
        size_t most = size - at < 0x111 ? size - at : 0x111, longest = 0;
        for (size_t d = 1; d <= 4096 && d <= at && longest < most; d++) {
            size_t same = 0;
            while (same < most && data[at + same] == data[at + same - d]) same++;
            if (same > longest) longest = same;
        }
        costs[at] = costs[at + 1] + 9;
        for (size_t length = 3; length <= longest; length++) {
            uint32_t cost = costs[at + length] + (length < 0x12 ? 17 : 25);
            if (cost < costs[at]) costs[at] = cost;
        }
    }
    size_t bits = costs[0];
    free(costs);
    return 16 + (bits + 7) / 8;
}

// At each level; the sizes of the streams are given.
static void round_trip(const uint8_t *data, size_t size, size_t sizes[LEVELS]) {
    uint8_t *exact = exact_copy(data, size);
    for (int level = 0; level < LEVELS; level++) {
        kart_ctx ctx;
        kart_ctx_init(&ctx);
        yaz0_options options = {.level = (yaz0_level)level, .alignment = 0x2000};
        size_t out_size = 0, trailing = 1;
        uint8_t *packed = yaz0_encode(&ctx, exact, size, &options, &sizes[level], NULL);
        if (!CHECK(packed)) continue;
        CHECK(ctx.used == sizes[level] && kart_load_u32(packed + 8, true) == 0x2000);
        uint8_t *out = yaz0_decode(&ctx, packed, sizes[level], size, &out_size, &trailing, NULL);
        CHECK(out && out_size == size && trailing == 0 && memcmp(out, exact, size) == 0);
        CHECK(decode_case(packed, sizes[level]));
        kart_free(&ctx, packed, sizes[level]);
        kart_free(&ctx, out, out_size);
        CHECK(ctx.used == 0);
    }
    CHECK(sizes[YAZ0_BEST] <= sizes[YAZ0_DEFAULT] && sizes[YAZ0_BEST] <= sizes[YAZ0_FAST]);
    CHECK(size > 5000 || sizes[YAZ0_BEST] == smallest(exact, size));
    free(exact);
}

TEST(yaz0_gives_back_every_kind_of_content) {
    static uint8_t data[300000];
    static const size_t lengths[] = {0, 1, 2, 3, 4, 7, 8, 9, 100, 2184, 2300, 12000, sizeof data};
    size_t sizes[LEVELS];
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            content_make(data, lengths[i], kind, (uint32_t)i + 1);
            round_trip(data, lengths[i], sizes);
            CHECK(sizes[YAZ0_DEFAULT] <= sizes[YAZ0_BEST] + sizes[YAZ0_BEST] / 100);
        }
    }
}

// Stretches of all kinds and lengths in a row, some of them copies of what came before.
TEST(yaz0_is_as_small_as_possible_on_mixtures) {
    static uint8_t data[5000];
    size_t sizes[LEVELS];
    uint32_t seed = 11;
    for (int round = 0; round < 60; round++) {
        size_t at = 0;
        while (at < sizeof data) {
            size_t length = 1 + draw(&seed) % (draw(&seed) % 2 ? 1200 : 60);
            if (length > sizeof data - at) length = sizeof data - at;
            if (at > length && draw(&seed) % 2)
                memcpy(data + at, data + draw(&seed) % (at - length), length);
            else
                content_make(data + at, length, (int)(draw(&seed) % KINDS), draw(&seed));
            at += length;
        }
        round_trip(data, sizeof data, sizes);
    }
}

TEST(yaz0_runs_end_where_lengths_change) {
    static const size_t edges[] = {3, 17, 18, 0x111, 0x111 + 3, 0x111 + 17, 0x111 + 18, 2 * 0x111};
    uint8_t data[700];
    size_t sizes[LEVELS];
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        for (size_t length = edges[i] - 1; length <= edges[i] + 1; length++) {
            for (size_t period = 1; period <= 9; period++) {
                // The pattern, as much again as the edge says, and something else.
                for (size_t k = 0; k < period + length; k++) data[k] = (uint8_t)(k % period);
                data[period + length] = 0xFF;
                round_trip(data, period + length + 1, sizes);
            }
        }
    }
    memset(data, 0, sizeof data);
    round_trip(data, 1 + 17, sizes);
    CHECK(sizes[YAZ0_FAST] == 16 + 1 + 1 + 2);
    round_trip(data, 1 + 18, sizes);
    CHECK(sizes[YAZ0_FAST] == 16 + 1 + 1 + 3);
    round_trip(data, 1 + 0x111, sizes);
    CHECK(sizes[YAZ0_FAST] == 16 + 1 + 1 + 3);
}

TEST(yaz0_looks_back_4096_bytes_and_no_further) {
    static uint8_t data[5000];
    size_t sizes[LEVELS], nearer[LEVELS];
    for (size_t distance = 4095; distance <= 4097; distance++) {
        content_make(data, sizeof data, NOISE, 7);
        memcpy(data + distance, data, 200);
        round_trip(data, distance + 200, sizes);
        for (int level = 0; level < LEVELS; level++) {
            // 200 bytes cost one reference or 25 groups of literals.
            if (distance == 4096) CHECK(sizes[level] <= nearer[level] + 3);
            if (distance == 4097) CHECK(sizes[level] >= nearer[level] + 200);
        }
        memcpy(nearer, sizes, sizeof nearer);
    }
}

TEST(yaz0_writes_the_same_bytes_on_every_build) {
    static const uint32_t golden[LEVELS] = {0x0B94012E, 0xD63CA532, 0xA7578251};
    static uint8_t data[60000];
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (int kind = 0; kind < KINDS; kind++)
        content_make(data + kind * 12000, 12000, kind, (uint32_t)kind);
    for (int level = 0; level < LEVELS; level++) {
        yaz0_options options = {.level = (yaz0_level)level};
        size_t size = 0;
        uint8_t *packed = yaz0_encode(&ctx, data, sizeof data, &options, &size, NULL);
        uint32_t hash = 2166136261u;
        for (size_t i = 0; packed && i < size; i++) hash = (hash ^ packed[i]) * 16777619u;
        if (!CHECK(hash == golden[level])) printf("    level %d: 0x%08X\n", level, (unsigned)hash);
        kart_free(&ctx, packed, size);
    }
}

// --- context ----------------------------------------------------------------------------------

static bool progress_note(void *user, double fraction) {
    double *last = user;
    CHECK(fraction >= *last && fraction <= 1);
    *last = fraction;
    return true;
}

TEST(yaz0_shows_progress_and_can_be_cancelled) {
    static uint8_t data[1500000];
    const volatile sig_atomic_t cancel = 1;
    content_make(data, sizeof data, RECORDS, 1);
    for (int level = 0; level < LEVELS; level++) {
        kart_ctx ctx;
        kart_error error = {0};
        double last = 0;
        size_t size = 0, out_size;
        yaz0_options options = {.level = (yaz0_level)level};
        kart_ctx_init(&ctx);
        ctx.progress = progress_note;
        ctx.progress_user = &last;
        uint8_t *packed = yaz0_encode(&ctx, data, sizeof data, &options, &size, &error);
        CHECK(packed && last > 0.9);
        last = 0;
        uint8_t *out = yaz0_decode(&ctx, packed, size, sizeof data, &out_size, NULL, &error);
        CHECK(out && last > 0.5);
        kart_free(&ctx, out, sizeof data);
        ctx.cancel = &cancel;
        CHECK(!yaz0_encode(&ctx, data, sizeof data, &options, &out_size, &error));
        CHECK(error.code == KART_CANCELLED && ctx.used == size);
        error = (kart_error){0};
        CHECK(!yaz0_decode(&ctx, packed, size, sizeof data, &out_size, NULL, &error));
        CHECK(error.code == KART_CANCELLED && ctx.used == size);
        kart_free(&ctx, packed, size);
    }
}

TEST(yaz0_refuses_what_is_too_much_to_write) {
    kart_ctx ctx;
    kart_error error = {0};
    size_t size;
    kart_ctx_init(&ctx);
    // The size is looked at before the bytes are.
    CHECK(!yaz0_encode(&ctx, (const uint8_t *)"", YAZ0_SIZE_LIMIT + 1, NULL, &size, &error));
    CHECK(error.code == KART_LIMIT && ctx.used == 0 && ctx.peak == 0);
}

static bool live(kart_ctx *ctx, const uint8_t *data, size_t size, yaz0_level level,
                 kart_error *error) {
    yaz0_options options = {.level = level};
    size_t packed_size = 0, out_size = 0;
    uint8_t *out = NULL, *packed = yaz0_encode(ctx, data, size, &options, &packed_size, error);
    if (packed) out = yaz0_decode(ctx, packed, packed_size, size, &out_size, NULL, error);
    if (out) CHECK(out_size == size && memcmp(out, data, size) == 0);
    bool done = out;
    kart_free(ctx, packed, packed_size);
    kart_free(ctx, out, out_size);
    return done;
}

TEST(yaz0_survives_every_failing_allocation) {
    uint8_t data[1000];
    content_make(data, sizeof data, RECORDS, 1);
    for (int level = 0; level < LEVELS; level++) {
        for (size_t n = 0;; n++) {
            test_heap heap;
            kart_ctx ctx;
            kart_error error = {0};
            test_heap_init(&heap, &ctx, n);
            bool done = live(&ctx, data, sizeof data, (yaz0_level)level, &error);
            CHECK(ctx.used == 0 && heap.blocks == 0);
            if (done || !CHECK(error.code == KART_MEMORY)) break;
        }
    }
}

// --- hostile bytes ----------------------------------------------------------------------------

typedef struct tally {
    size_t accepted, refused;
} tally;

static void count(tally *t, bool accepted) {
    if (accepted)
        t->accepted++;
    else
        t->refused++;
}

// Every byte is changed, and every truncation tried, each in a block of its own so that a sanitizer
// sees a read behind it.
static void stream_damage(const uint8_t *data, size_t size, tally *t) {
    static const uint8_t values[] = {0x00, 0x7F, 0x80, 0xFF};
    uint8_t *changed = exact_copy(data, size);
    for (size_t at = 0; at < size; at++) {
        for (size_t i = 0; i < sizeof values; i++) {
            changed[at] = values[i];
            count(t, decode_case(changed, size));
        }
        changed[at] = data[at];
    }
    free(changed);
    for (size_t length = 0; length < size; length++) {
        uint8_t *exact = exact_copy(data, length);
        count(t, decode_case(exact, length));
        free(exact);
    }
}

TEST(yaz0_survives_every_change) {
    static const size_t lengths[KINDS] = {3000, 8000, 12000, 9000, 20000};
    static uint8_t data[20000];
    tally t = {0};
    for (int kind = 0; kind < KINDS; kind++) {
        content_make(data, lengths[kind], kind, 3);
        for (int level = 0; level < LEVELS; level++) {
            kart_ctx ctx;
            size_t size = 0;
            yaz0_options options = {.level = (yaz0_level)level};
            kart_ctx_init(&ctx);
            uint8_t *packed = yaz0_encode(&ctx, data, lengths[kind], &options, &size, NULL);
            if (CHECK(packed && size < 20480)) stream_damage(packed, size, &t);
            kart_free(&ctx, packed, size);
        }
    }
    printf("  Yaz0: %zu cases accepted, %zu refused\n", t.accepted, t.refused);
    CHECK(t.refused > 0 && t.accepted > t.refused / 100);
}

// Code bytes and references at random: deep in the fast way, with all distances and lengths.
TEST(yaz0_reads_random_references_as_the_book_has_it) {
    static uint8_t stream[6000];
    tally t = {0};
    uint32_t seed = 5;
    for (int round = 0; round < 400; round++) {
        size_t at = 16, made = 0;
        const size_t near = round % 3 == 0 ? 9 : 4096;
        while (at < sizeof stream - 40) {
            uint8_t *code = &stream[at++];
            *code = (uint8_t)(made == 0 ? 0xFF : draw(&seed));
            for (int bit = 7; bit >= 0; bit--) {
                if (*code >> bit & 1) {
                    stream[at++] = (uint8_t)draw(&seed);
                    made++;
                    continue;
                }
                size_t reach = made < near ? made : near, back = draw(&seed) % reach;
                size_t length = draw(&seed) % (round % 2 ? 16 : 40);
                if (length > 15) length = 0;
                stream[at++] = (uint8_t)(length << 4 | back >> 8);
                stream[at++] = (uint8_t)back;
                if (length == 0) stream[at++] = (uint8_t)draw(&seed);
                made += length ? length + 2 : stream[at - 1] + 0x12u;
            }
        }
        memcpy(stream, "Yaz0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
        kart_store_u32(stream + 4, true, (uint32_t)made);
        count(&t, decode_case(stream, at));
        stream[16 + draw(&seed) % (at - 16)] ^= (uint8_t)(1 + draw(&seed) % 255);
        count(&t, decode_case(stream, at));
    }
    CHECK(t.accepted >= 400 && t.refused > 0);
}

static const test_case cases[] = {
    CASE(yaz0_reads_streams_made_by_hand),
    CASE(yaz0_errors_say_where_and_what),
    CASE(yaz0_is_known_by_its_first_bytes),
    CASE(yaz0_gives_back_every_kind_of_content),
    CASE(yaz0_is_as_small_as_possible_on_mixtures),
    CASE(yaz0_runs_end_where_lengths_change),
    CASE(yaz0_looks_back_4096_bytes_and_no_further),
    CASE(yaz0_writes_the_same_bytes_on_every_build),
    CASE(yaz0_shows_progress_and_can_be_cancelled),
    CASE(yaz0_refuses_what_is_too_much_to_write),
    CASE(yaz0_survives_every_failing_allocation),
    CASE(yaz0_survives_every_change),
    CASE(yaz0_reads_random_references_as_the_book_has_it),
};

void test_yaz0(void) { TEST_RUN(cases); }
