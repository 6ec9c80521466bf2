// Times Yaz0 on something like a course archive: bench_yaz0 RUNS
//
// The archive is made of the collision files of the corpus (KARTLUA_CORPUS or ../shared/corpus) or,
// where there is none, of generated records, and of noise as textures have it. The yardstick is a
// straightforward optimal search: at each position all 4096 places are compared byte by byte, then
// all lengths are weighed. All take turns; times are medians of RUNS for reading, of a tenth for
// writing and a fiftieth for the yardstick, at least 1 each.
#define _XOPEN_SOURCE 700

#include "szs/yaz0.h"
#include "core/bytes.h"
#include "core/file.h"
#include "core/os.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHIVE_SIZE 4500000
#define NOISE_SIZE   1400000 // of these
#define PIECE_SIZE   100000  // of noise, between files
#define RUNS_MAX     1000

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

// --- the archive ------------------------------------------------------------------------------

static uint8_t archive[ARCHIVE_SIZE];
static size_t filled, noise;

static uint32_t draw(void) {
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

// Every other piece is plain noise; the others have sixteen values, so that short matches abound.
static void noise_add(void) {
    bool plain = noise / PIECE_SIZE % 2 == 0;
    for (size_t i = 0; i < PIECE_SIZE && filled < ARCHIVE_SIZE && noise < NOISE_SIZE; i++, noise++)
        archive[filled++] = (uint8_t)(plain ? draw() : draw() % 16 * 0x11);
}

static void file_add(const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size && filled < ARCHIVE_SIZE; i++) {
        archive[filled++] = data[i];
        if (i % (2 * PIECE_SIZE) == PIECE_SIZE) noise_add();
    }
    while (filled % 32 && filled < ARCHIVE_SIZE) archive[filled++] = 0;
}

// Points of a wavy ground as floats, each with a number and a kind.
static void records_add(void) {
    enum { SIZE = 16, COUNT = 20000 };
    static uint8_t records[COUNT * SIZE];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint8_t *at = records + (size_t)i * SIZE;
        kart_store_f32(at, true, (float)(i % 100) * 50);
        kart_store_f32(at + 4, true, (float)(draw() % 64) * 0.37f);
        kart_store_f32(at + 8, true, (float)(int)(i / 100) * 50);
        kart_store_u16(at + 12, true, (uint16_t)i);
        kart_store_u16(at + 14, true, draw() % 8 ? 0x40 : 0x13);
    }
    file_add(records, sizeof records);
}

static void archive_make(kart_ctx *ctx) {
    const char *folder = getenv("KARTLUA_CORPUS");
    char pattern[1000];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/kcl-mkw/*.kcl", folder ? folder : "../shared/corpus");
    bool real = glob(pattern, 0, NULL, &found) == 0;
    for (size_t i = 0; real && i < found.gl_pathc; i++) {
        size_t size;
        uint8_t *data = kart_file_read(ctx, found.gl_pathv[i], KART_FILE_LIMIT, &size, NULL);
        require(data, "a file of the corpus can't be read");
        file_add(data, size);
        kart_free(ctx, data, size);
    }
    size_t from_files = filled - noise;
    if (real) globfree(&found);
    while (noise < NOISE_SIZE && filled < ARCHIVE_SIZE) noise_add();
    size_t before = filled;
    while (filled < ARCHIVE_SIZE) records_add();
    printf("   %d bytes: %zu of collision files, %zu of generated records, %zu of noise\n",
           ARCHIVE_SIZE, from_files, filled - before, noise);
}

// --- the yardstick ----------------------------------------------------------------------------

static uint16_t longest[ARCHIVE_SIZE];
static uint32_t costs[ARCHIVE_SIZE + 1]; // in bits, from here to the end

static size_t longest_find(size_t at) {
    size_t most = ARCHIVE_SIZE - at, best = 0;
    if (most > YAZ0_LENGTH_MAX) most = YAZ0_LENGTH_MAX;
    for (size_t d = 1; d <= YAZ0_DISTANCE_MAX && d <= at && best < most; d++) {
        size_t length = 0;
        while (length < most && archive[at + length] == archive[at + length - d]) length++;
        if (length > best) best = length;
    }
    return best;
}

// Gives the size of the smallest stream; it isn't even written.
static size_t yardstick(void) {
    for (size_t at = 0; at < ARCHIVE_SIZE; at++) longest[at] = (uint16_t)longest_find(at);
    costs[ARCHIVE_SIZE] = 0;
    for (size_t at = ARCHIVE_SIZE; at-- > 0;) {
        uint32_t best = costs[at + 1] + 9;
        for (size_t length = YAZ0_LENGTH_MIN; length <= longest[at]; length++) {
            uint32_t cost = costs[at + length] + (length <= YAZ0_LENGTH_TWO_MAX ? 17 : 25);
            if (cost < best) best = cost;
        }
        costs[at] = best;
    }
    return YAZ0_HEADER_SIZE + (costs[0] + 7) / 8;
}

// --- figures ----------------------------------------------------------------------------------

typedef struct work {
    const char *name;
    yaz0_level level;
    bool measuring; // it is the yardstick
    int runs;
    size_t size;
    double seconds[RUNS_MAX];
} work;

static void encode_run(kart_ctx *ctx, work *w, int run) {
    if (run >= w->runs) return;
    yaz0_options options = {.level = w->level};
    uint8_t *packed = NULL;
    double start = os_seconds();
    if (w->measuring)
        w->size = yardstick();
    else
        packed = yaz0_encode(ctx, archive, ARCHIVE_SIZE, &options, &w->size, NULL);
    w->seconds[run] = os_seconds() - start;
    require(packed || w->measuring, "yaz0_encode failed");
    if (packed && run == 0) {
        size_t size;
        uint8_t *again = yaz0_decode(ctx, packed, w->size, ARCHIVE_SIZE, &size, NULL, NULL);
        require(again && size == ARCHIVE_SIZE && memcmp(again, archive, size) == 0,
                "a stream doesn't give the archive back");
        kart_free(ctx, again, size);
    }
    kart_free(ctx, packed, w->size);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *seconds, int runs) {
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    return seconds[runs / 2];
}

static void decode_measure(kart_ctx *ctx, const work *w, int runs) {
    static double seconds[RUNS_MAX];
    yaz0_options options = {.level = w->level};
    size_t packed_size, size;
    uint8_t *packed = yaz0_encode(ctx, archive, ARCHIVE_SIZE, &options, &packed_size, NULL);
    require(packed, "yaz0_encode failed");
    for (int run = 0; run < runs; run++) {
        double start = os_seconds();
        uint8_t *out = yaz0_decode(ctx, packed, packed_size, ARCHIVE_SIZE, &size, NULL, NULL);
        seconds[run] = os_seconds() - start;
        require(out, "yaz0_decode failed");
        kart_free(ctx, out, size);
    }
    kart_free(ctx, packed, packed_size);
    double middle = median(seconds, runs);
    printf("   decode, from %-16s %9.2f %9.2f%9.0f MB/s\n", w->name, 1e3 * middle, 1e3 * seconds[0],
           ARCHIVE_SIZE / middle / 1e6);
}

int main(int argc, char **argv) {
    static work works[] = {{.name = "fast", .level = YAZ0_FAST},
                           {.name = "default", .level = YAZ0_DEFAULT},
                           {.name = "best", .level = YAZ0_BEST},
                           {.name = "optimal search", .measuring = true}};
    enum { LEVELS = 3, ALL };
    int runs = argc == 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: %s RUNS\n", argv[0]);
        return 2;
    }
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    printf("\n%-32s %9s %9s\n", "Yaz0", "median ms", "fastest");
    archive_make(&ctx);
    for (int i = 0; i < LEVELS; i++) decode_measure(&ctx, &works[i], runs);
    for (int i = 0; i < ALL; i++)
        works[i].runs = works[i].measuring ? (runs + 49) / 50 : (runs + 9) / 10;
    for (int run = 0; run < works[0].runs; run++)
        for (int i = 0; i < ALL; i++) encode_run(&ctx, &works[i], run);
    work *search = &works[LEVELS];
    double yard = median(search->seconds, search->runs);
    for (int i = 0; i < ALL; i++) {
        double middle = median(works[i].seconds, works[i].runs);
        printf("   %-29s %9.2f %9.2f%9.4f of the search; %zu bytes, %+.2f %%\n", works[i].name,
               1e3 * middle, 1e3 * works[i].seconds[0], middle / yard, works[i].size,
               100 * ((double)works[i].size / (double)search->size - 1));
    }
    return 0;
}
