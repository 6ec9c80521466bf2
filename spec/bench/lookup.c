// Times the engine's sphere lookup: bench_lookup RUNS FOLDER FILE...
//
// 100,000 spheres of radius 100 for each file, their middles on prisms drawn alike and moved by up
// to 100 units in any direction. Figures are nanoseconds a lookup, medians of RUNS. With the
// yardstick KINOKO, a program that is called as `KINOKO FILE QUERIES RUNS` and prints nanoseconds a
// lookup, the number of hits and the sum of their depths, the two take turns and must agree;
// QUERIES holds the radius and the middles as floats and is written to FOLDER.
#define _XOPEN_SOURCE 700

#include "core/file.h"
#include "core/os.h"
#include "kcl/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES  100000
#define RADIUS   100.0f
#define RUNS_MAX 1000
#define TURNS    11 // most turns of the yardstick

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

// --- queries ----------------------------------------------------------------------------------

static float queries[1 + 3 * QUERIES]; // the radius, then the middles
static uint32_t seed;

static double draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static kart_vec3 draw_ball(double radius) {
    for (;;) {
        kart_vec3 v = {2 * draw() - 1, 2 * draw() - 1, 2 * draw() - 1};
        if (vec3_length(v) <= 1) return vec3_scale(v, radius);
    }
}

// A place of a prism that is a triangle.
static kart_vec3 draw_place(const kcl_doc *doc) {
    for (;;) {
        size_t in_model;
        size_t index = (size_t)(draw() * (double)doc->prisms_count);
        const kcl_model *model = kcl_model_of(doc, index, &in_model);
        kcl_prism prism = kcl_prism_get(doc, model, in_model);
        kart_vec3 c[3];
        if (kcl_prism_triangle(doc, model, &prism, c) != KCL_SOUND) continue;
        double b = draw(), a = draw();
        if (a + b > 1) a = 1 - a, b = 1 - b;
        kart_vec3 ab = vec3_sub(c[1], c[0]), ac = vec3_sub(c[2], c[0]);
        return vec3_add(c[0], vec3_add(vec3_scale(ab, a), vec3_scale(ac, b)));
    }
}

static void queries_make(const kcl_doc *doc) {
    seed = 1;
    queries[0] = RADIUS;
    for (size_t i = 0; i < QUERIES; i++) {
        kart_vec3 p = vec3_add(draw_place(doc), draw_ball(100));
        float *at = queries + 1 + 3 * i;
        at[0] = (float)p.x, at[1] = (float)p.y, at[2] = (float)p.z;
    }
}

// --- figures ----------------------------------------------------------------------------------

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *seconds, int runs) {
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    return seconds[runs / 2];
}

typedef struct figures {
    double seconds, depths;
    size_t hits, tested;
} figures;

static kcl_query query_at(size_t i) {
    const float *at = queries + 1 + 3 * i;
    return (kcl_query){
        .point = {at[0], at[1], at[2]}, .radius = queries[0], .types = KCL_TYPES_ALL};
}

static figures lookups_run(const kcl_lookup *lookup, kcl_hits *hits) {
    figures f = {0};
    hits->tested = 0;
    double start = os_seconds();
    for (size_t i = 0; i < QUERIES; i++) {
        kcl_query query = query_at(i);
        hits->count = 0;
        require(kcl_lookup_sphere(lookup, &query, hits, NULL), "a lookup failed");
        f.hits += hits->count;
        for (size_t h = 0; h < hits->count; h++) f.depths += (double)hits->items[h].depth;
    }
    f.seconds = os_seconds() - start;
    f.tested = hits->tested;
    return f;
}

// One call of the yardstick; seconds for all queries.
static figures yardstick_run(const char *program, const char *file, const char *path) {
    char command[4000];
    figures f = {0};
    double nanoseconds = 0;
    snprintf(command, sizeof command, "'%s' '%s' '%s' 3", program, file, path);
    FILE *pipe = popen(command, "r");
    require(pipe && fscanf(pipe, "%lf %zu %lf", &nanoseconds, &f.hits, &f.depths) == 3,
            "the yardstick KINOKO gives no figures");
    pclose(pipe);
    f.seconds = nanoseconds * QUERIES / 1e9;
    return f;
}

// All of them by one call, hits kept.
static void batch_show(const kcl_lookup *lookup, unsigned threads, int runs) {
    static double seconds[RUNS_MAX];
    static size_t ends[QUERIES];
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    const kcl_batch batch = {.lookup = kcl_lookup_sphere,
                             .query = {.radius = queries[0], .types = KCL_TYPES_ALL},
                             .points = {.data = queries + 1, .count = QUERIES},
                             .threads = threads};
    for (int run = 0; run < runs; run++) {
        kcl_hits hits = {.ctx = &ctx};
        double start = os_seconds();
        require(kcl_batch_run(lookup, &batch, &hits, ends, NULL), "a batch failed");
        seconds[run] = os_seconds() - start;
        kcl_hits_free(&hits);
    }
    double each = 1e9 * median(seconds, runs) / QUERIES;
    printf("      as a batch, %u thread%-9s %9.0f %9.0f\n", threads, threads > 1 ? "s" : "", each,
           1e9 * seconds[0] / QUERIES);
}

// Lookups by the length of their list: { up to 8, 16, 32 ... } prisms.
#define LENGTHS 9

static void growth_show(const kcl_lookup *lookup, kcl_hits *hits, int runs) {
    static size_t members[LENGTHS][QUERIES];
    size_t counts[LENGTHS] = {0}, tested[LENGTHS] = {0};
    for (size_t i = 0; i < QUERIES; i++) {
        kcl_query query = query_at(i);
        size_t group = 0;
        hits->count = hits->tested = 0;
        require(kcl_lookup_sphere(lookup, &query, hits, NULL), "a lookup failed");
        while (group + 1 < LENGTHS && hits->tested > (size_t)8 << group) group++;
        members[group][counts[group]++] = i;
        tested[group] += hits->tested;
    }
    for (size_t group = 0; group < LENGTHS; group++) {
        static double seconds[RUNS_MAX];
        if (counts[group] < 1000) continue; // too few to be timed
        for (int run = 0; run < runs; run++) {
            double start = os_seconds();
            for (size_t i = 0; i < counts[group]; i++) {
                kcl_query query = query_at(members[group][i]);
                hits->count = 0;
                kcl_lookup_sphere(lookup, &query, hits, NULL);
            }
            seconds[run] = os_seconds() - start;
        }
        double each = 1e9 * median(seconds, runs) / (double)counts[group];
        double mean = (double)tested[group] / (double)counts[group];
        printf("      lists of about %-13.1f %9.0f %9.1f ns a prism\n", mean, each, each / mean);
    }
}

static void file_measure(const char *file, const char *folder, int runs) {
    static double ours[RUNS_MAX], theirs[TURNS];
    const char *program = getenv("KINOKO"), *name = strrchr(file, '/');
    char path[1000];
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    size_t size;
    uint8_t *data = kart_file_read(&ctx, file, KART_FILE_LIMIT, &size, NULL);
    kcl_doc *doc = data ? kcl_parse(&ctx, data, size, KCL_GAMES, NULL) : NULL;
    const kcl_lookup *lookup = doc ? kcl_lookup_of(doc, NULL) : NULL;
    require(lookup, "a file can't be read");
    queries_make(doc);
    snprintf(path, sizeof path, "%s/%s.queries", folder, name ? name + 1 : file);
    require(kart_file_save(path, (const uint8_t *)queries, sizeof queries, NULL),
            "the queries can't be written");
    kcl_hits hits = {.ctx = &ctx};
    figures f = {0};
    for (int run = 0; run < runs; run++) {
        f = lookups_run(lookup, &hits);
        ours[run] = f.seconds;
        if (!program || run >= TURNS) continue;
        figures other = yardstick_run(program, file, path);
        theirs[run] = other.seconds;
        require(other.hits == f.hits && other.depths == f.depths, "the yardstick disagrees");
    }
    double each = 1e9 * median(ours, runs) / QUERIES, fastest = 1e9 * ours[0] / QUERIES;
    printf("   %-29s %9.0f %9.0f%9.1f prisms, %.2f hits", name ? name + 1 : file, each, fastest,
           (double)f.tested / QUERIES, (double)f.hits / QUERIES);
    if (program) {
        int turns = runs < TURNS ? runs : TURNS;
        double yard = 1e9 * median(theirs, turns) / QUERIES;
        double yard_fastest = 1e9 * theirs[0] / QUERIES;
        printf("; Kinoko %.0f, fastest %.0f: %.2f and %.2f of it", yard, yard_fastest, each / yard,
               fastest / yard_fastest);
    }
    printf("\n");
    batch_show(lookup, 1, runs);
    if (os_processors() > 1) batch_show(lookup, os_processors(), runs);
    growth_show(lookup, &hits, runs);
    kcl_hits_free(&hits);
    kcl_free(doc);
    kart_free(&ctx, data, size);
}

int main(int argc, char **argv) {
    int runs = argc > 3 ? atoi(argv[1]) : 0;
    if (runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: %s RUNS FOLDER FILE...\n", argv[0]);
        return 2;
    }
    printf("\n%-32s %9s %9s\n", "sphere lookup, radius 100", "median ns", "fastest");
    for (int i = 3; i < argc; i++) file_measure(argv[i], argv[2], runs);
    return 0;
}
