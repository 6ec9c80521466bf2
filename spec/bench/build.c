// Times the builder of octrees: bench_build RUNS FOLDER [FILE.kcl...]
//
// Files are rebuilt; generated grids become files from triangles. Times are of calls inside this
// process, medians of RUNS; memory is the peak of the call, without what was there before. Tests
// are prisms that a lookup goes through near the surfaces, as a share of those in the file that was
// rebuilt. Of everything FOLDER gets the triangles as NAME.obj, for yardsticks that read these.
#include "core/file.h"
#include "core/os.h"
#include "kcl/make.h"
#include "kcl/rebuild.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 1000
#define SAMPLES  100000
#define PROVED   0.05 // of the leaves of grids

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

static void row(const char *name, size_t triangles, int runs, size_t peak, const char *more) {
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    double middle = seconds[runs / 2];
    printf("   %-29s %9.2f %9.2f%9.0f ns/triangle, %5.1f MB; %s\n", name, 1e3 * middle,
           1e3 * seconds[0], 1e9 * middle / (double)triangles, (double)peak / 1e6, more);
    fflush(stdout);
}

// --- triangles for others ---------------------------------------------------------------------

static void obj_write(const char *folder, const char *name, const kart_vec3 (*corners)[3],
                      size_t count) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.obj", folder, name);
    FILE *file = fopen(path, "w");
    require(file, "the folder can't be written to");
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            fprintf(file, "v %.9g %.9g %.9g\n", corners[i][k].x, corners[i][k].y, corners[i][k].z);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "f %zu %zu %zu\n", 3 * i + 1, 3 * i + 2, 3 * i + 3);
    require(fclose(file) == 0, "the folder can't be written to");
}

static void file_export(const char *folder, const char *name, const kcl_doc *doc) {
    const kcl_model *model = doc->models;
    size_t count = 0;
    kart_vec3(*corners)[3] = malloc((model->prisms_count + 1) * sizeof *corners);
    require(corners, "no memory");
    for (size_t i = 0; i < model->prisms_count; i++) {
        kcl_prism prism = kcl_prism_get(doc, model, i);
        count += kcl_prism_triangle(doc, model, &prism, corners[count]) == KCL_SOUND;
    }
    obj_write(folder, name, (const kart_vec3(*)[3])corners, count);
    free(corners);
}

// --- files ------------------------------------------------------------------------------------

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void file_bench(const char *folder, const char *path, int runs) {
    kart_ctx ctx;
    size_t size, peak = 0;
    kart_ctx_init(&ctx);
    uint8_t *data = kart_file_read(&ctx, path, KART_FILE_LIMIT, &size, NULL);
    kcl_doc *doc = data ? kcl_parse(&ctx, data, size, KCL_GAMES, NULL) : NULL, *built = NULL;
    kcl_lengths before, after;
    require(doc && kcl_lengths_get(doc, SAMPLES, 0, &before, NULL), "a file can't be read");
    file_export(folder, name_of(path), doc);
    for (int run = 0; run < runs; run++) {
        kcl_free(built);
        built = kcl_clone(doc, NULL);
        require(built, "no memory");
        size_t used = ctx.peak = ctx.used;
        double start = os_seconds();
        require(kcl_rebuild(built, NULL, NULL), "a file can't be rebuilt");
        seconds[run] = os_seconds() - start;
        peak = ctx.peak - used;
    }
    require(kcl_lengths_get(built, SAMPLES, 0, &after, NULL), "no memory");
    char more[200];
    snprintf(more, sizeof more, "%zu bytes, %.3f of the file; tests %.3f by area, %.3f by prism",
             built->size, (double)built->size / (double)size,
             after.by_area.mean / before.by_area.mean, after.by_prism.mean / before.by_prism.mean);
    row(name_of(path), doc->prisms_count, runs, peak, more);
    kcl_free(built);
    kcl_free(doc);
    kart_free(&ctx, data, size);
}

// --- grids ------------------------------------------------------------------------------------

// Two triangles on each of k x k squares, with a bump on each of their corners or flat. The largest
// hilly ones have more normals than a model counts: they are shared, or there are more models.
static size_t grid_fill(int k, bool flat, kart_vec3 (*corners)[3]) {
    const double square = 200;
    size_t count = 0;
    for (int z = 0; z < k; z++)
        for (int x = 0; x < k; x++) {
            kart_vec3 p[4];
            for (int i = 0; i < 4; i++) {
                unsigned px = (unsigned)(x + (i & 1)), pz = (unsigned)(z + (i >> 1));
                unsigned bump = ((px * 73856093u ^ pz * 19349663u) >> 7) % 100;
                p[i] = (kart_vec3){px * square, flat ? 0 : 2.0 * bump, pz * square};
            }
            const kart_vec3 a[3] = {p[0], p[2], p[1]}, b[3] = {p[1], p[2], p[3]};
            memcpy(corners[count++], a, sizeof a);
            memcpy(corners[count++], b, sizeof b);
        }
    return count;
}

static void grid_bench(const char *folder, const char *game, int k, bool flat, int runs) {
    kart_ctx ctx;
    size_t peak = 0;
    kart_ctx_init(&ctx);
    kart_vec3(*corners)[3] = malloc(sizeof *corners * 2 * (size_t)k * (size_t)k);
    require(corners, "no memory");
    const kcl_make_input input = {(const kart_vec3(*)[3])corners, NULL,
                                  grid_fill(k, flat, corners)};
    kcl_doc *doc = NULL;
    kcl_lengths lengths;
    kcl_make_report report;
    for (int run = 0; run < runs; run++) {
        kcl_free(doc);
        ctx.peak = 0;
        double start = os_seconds();
        doc = kcl_make(&ctx, kcl_format_find(game), &input, NULL, &report, NULL);
        seconds[run] = os_seconds() - start;
        require(doc, "a grid can't be made");
        peak = ctx.peak;
        kart_free(&ctx, report.faults, input.count * sizeof *report.faults);
    }
    require(kcl_lengths_get(doc, SAMPLES, 0, &lengths, NULL), "no memory");
    char name[40], more[200];
    snprintf(name, sizeof name, "%s %s_grid_%zu", game, flat ? "flat" : "hilly", input.count);
    if (!doc->format->v2) obj_write(folder, strchr(name, ' ') + 1, input.corners, input.count);
    snprintf(more, sizeof more, "%zu bytes; %.1f tests by area, %.1f by prism", doc->size,
             lengths.by_area.mean, lengths.by_prism.mean);
    const kcl_proof_options share = {.share = PROVED};
    kcl_proof proof;
    require(kcl_prove(doc, &share, &proof, NULL), "no memory");
    require(proof.missing == 0 && proof.outside == 0, "an octree lacks prisms");
    size_t used = strlen(more);
    if (doc->format->v2)
        snprintf(more + used, sizeof more - used, "; %zu models, %zu copies", report.models,
                 report.copies);
    row(name, input.count, runs, peak, more);
    kcl_free(doc);
    free(corners);
}

int main(int argc, char **argv) {
    int runs = argc > 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: %s RUNS FOLDER [FILE.kcl...]\n", argv[0]);
        return 2;
    }
    for (int i = 3; i < argc; i++) file_bench(argv[2], argv[i], runs);
    grid_bench(argv[2], "mkw", 39, false, runs);
    grid_bench(argv[2], "mkw", 71, false, runs);
    grid_bench(argv[2], "mkw", 173, false, runs);
    grid_bench(argv[2], "mkw", 173, true, runs);
    grid_bench(argv[2], "mk8", 173, false, runs);
    grid_bench(argv[2], "mk8", 354, false, runs);
    grid_bench(argv[2], "mk8", 708, false, 1);
    return 0;
}
