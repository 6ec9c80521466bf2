// Times collision of the arcade games: bench_agp RUNS
//
// Generated ground becomes a file, is read, rebuilt, mirrored, checked and looked up in. Times are
// of calls inside this process, medians of RUNS.
#include "agp/build.h"
#include "agp/check.h"
#include "agp/lookup.h"
#include "core/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 1000
#define LOOKUPS  1000000

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double seconds[RUNS_MAX];

static void row(const char *name, int runs, const char *more) {
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    printf("   %-29s %9.2f %9.2f  %s\n", name, 1e3 * seconds[runs / 2], 1e3 * seconds[0], more);
    fflush(stdout);
}

// Two triangles on each of k x k squares of 40 units.
static size_t grid_fill(int k, kart_vec3 (*corners)[3]) {
    size_t count = 0;
    for (int z = 0; z < k; z++)
        for (int x = 0; x < k; x++) {
            kart_vec3 p[4];
            for (int i = 0; i < 4; i++) {
                unsigned px = (unsigned)(x + (i & 1)), pz = (unsigned)(z + (i >> 1));
                unsigned bump = ((px * 73856093u ^ pz * 19349663u) >> 7) % 100;
                p[i] = (kart_vec3){px * 40.3 - 1234.5, 0.2 * bump, pz * 40.1 - 987.6};
            }
            const kart_vec3 a[3] = {p[0], p[2], p[1]}, b[3] = {p[1], p[2], p[3]};
            memcpy(corners[count++], a, sizeof a);
            memcpy(corners[count++], b, sizeof b);
        }
    return count;
}

static agp_doc *build(kart_ctx *ctx, const agp_build_input *input) {
    agp_build_report report;
    agp_doc *doc = agp_build(ctx, input, NULL, &report, NULL);
    kart_free(ctx, report.faults, input->count * sizeof *report.faults);
    require(doc, "a file can't be made");
    return doc;
}

static void lookups_time(const agp_doc *doc, int runs) {
    float width = doc->grid.max[0] - doc->grid.min[0], depth = doc->grid.max[1] - doc->grid.min[1];
    size_t found = 0;
    for (int run = 0; run < runs; run++) {
        uint32_t state = 1;
        double start = os_seconds();
        for (int i = 0; i < LOOKUPS; i++) {
            agp_ground ground;
            state = state * 1664525u + 1013904223u;
            float x = doc->grid.min[0] + width * ((float)(state >> 8) / 0x1000000);
            state = state * 1664525u + 1013904223u;
            float z = doc->grid.min[1] + depth * ((float)(state >> 8) / 0x1000000);
            found += agp_ground_below(doc, x, 1e6f, z, &ground);
        }
        seconds[run] = os_seconds() - start;
    }
    require(found > 0, "there is no ground");
    row("a million lookups of ground", runs, "");
}

static void document_time(kart_ctx *ctx, const agp_doc *doc, int runs) {
    kart_affine map = kart_affine_mirror(0, 0);
    static const char *const names[] = {"read", "rebuilt", "walls computed", "mirrored", "checked"};
    for (int what = 0; what < 5; what++) {
        for (int run = 0; run < runs; run++) {
            const agp_rebuild_options options = {.walls = what == 2 ? AGP_WALLS_COMPUTE
                                                                    : AGP_WALLS_KEEP};
            kart_findings findings = {0};
            agp_doc *work = agp_clone(doc, NULL), *again = NULL;
            require(work, "no memory");
            double start = os_seconds();
            bool done = what == 0   ? (again = agp_parse(ctx, doc->data, doc->size, NULL)) != NULL
                        : what <= 2 ? agp_rebuild(work, &options, NULL)
                        : what == 3 ? agp_transform(work, &map, false, NULL)
                                    : agp_check(work, &findings, NULL);
            seconds[run] = os_seconds() - start;
            require(done, "it can't be done");
            kart_findings_free(ctx, &findings);
            agp_free(again);
            agp_free(work);
        }
        row(names[what], runs, "");
    }
}

static void grid_bench(int k, int runs) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_vec3(*corners)[3] = malloc(sizeof *corners * 2 * (size_t)k * (size_t)k);
    require(corners, "no memory");
    const agp_build_input input = {(const kart_vec3(*)[3])corners, NULL, grid_fill(k, corners)};
    agp_doc *doc = NULL;
    for (int run = 0; run < runs; run++) {
        agp_free(doc);
        double start = os_seconds();
        doc = build(&ctx, &input);
        seconds[run] = os_seconds() - start;
    }
    char name[40], more[100];
    snprintf(name, sizeof name, "%zu triangles built", input.count);
    snprintf(more, sizeof more, "%zu bytes, peak %.1f MB%s", doc->size, (double)ctx.peak / 1e6,
             input.count < 50000 ? "" : "; at most 100 is meant");
    row(name, runs, more);
    document_time(&ctx, doc, runs);
    lookups_time(doc, runs < 5 ? runs : 5);
    agp_free(doc);
    free(corners);
}

int main(int argc, char **argv) {
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    if (runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: %s RUNS\n", argv[0]);
        return 2;
    }
    if (runs > 21) runs = 21;
    printf("\n%-32s %9s %9s\n", "collision of the arcade games", "median ms", "fastest");
    grid_bench(37, runs);
    grid_bench(159, runs);
    return 0;
}
