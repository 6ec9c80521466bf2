// Times meshes: bench_mesh RUNS
//
// Reading and writing OBJ, on obj/terrain18k.obj of the corpus (KARTLUA_CORPUS or ../shared/corpus)
// and on generated terrain of 10,000 to 1,000,000 triangles, which must take as long for each
// triangle; and what is done with a mesh, at 1,000,000. Times are processor time, medians of RUNS,
// of fewer for the large ones. Memory is what the mesh holds afterwards, and the most that was held
// while it was read, without the text.
#define _XOPEN_SOURCE 700

#include "core/file.h"
#include "core/obj.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS_MAX 1000
#define LARGE    1000000 // triangles

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Of this process: what others do at the same time counts less.
static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double seconds[RUNS_MAX];

static double median(int runs) {
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    return seconds[runs / 2];
}

// --- terrain ----------------------------------------------------------------------------------

// About `triangles` of them: a wavy ground of squares cut in two, with six digits a number as
// programs write them, in seven materials.
static char *terrain_text(size_t triangles, size_t *size) {
    size_t edge = 1;
    while (2 * edge * edge < triangles) edge++;
    size_t room = (edge + 1) * (edge + 1) * 48 + edge * edge * 72 + 4096, at = 0;
    char *text = malloc(room);
    require(text != NULL, "no memory for a terrain");
    for (size_t z = 0; z <= edge; z++)
        for (size_t x = 0; x <= edge; x++) {
            double height = (double)((x * 7919 + z * 104729) % 2003) / 17 - 50;
            at += (size_t)sprintf(text + at, "v %.6g %.6g %.6g\n", (double)x * 41.6667 - 20000,
                                  height, (double)z * 41.6667 - 20000);
        }
    for (size_t z = 0; z < edge; z++) {
        if (z % (edge / 7 + 1) == 0)
            at += (size_t)sprintf(text + at, "usemtl COL_%02zX\n", z * 7 / edge);
        for (size_t x = 0; x < edge; x++) {
            size_t a = z * (edge + 1) + x + 1, b = a + edge + 1;
            at += (size_t)sprintf(text + at, "f %zu %zu %zu\nf %zu %zu %zu\n", a, b, a + 1, a + 1,
                                  b, b + 1);
        }
    }
    require(at < room, "the terrain is larger than its room");
    *size = at;
    return text;
}

// --- reading and writing ----------------------------------------------------------------------

static kart_mesh *read_mesh(kart_ctx *ctx, const uint8_t *text, size_t size) {
    kart_mesh *mesh = kart_obj_parse(ctx, text, size, "mkw", NULL);
    require(mesh, "an OBJ can't be read");
    return mesh;
}

static void report(const char *name, double middle, double fastest, size_t triangles) {
    printf("   %-29s %9.2f %9.2f%9.1f ns a triangle\n", name, 1e3 * middle, 1e3 * fastest,
           1e9 * middle / (double)triangles);
}

// Reads and writes a text; gives the nanoseconds a triangle of the fastest reading.
static double text_measure(const char *name, const uint8_t *text, size_t size, int runs) {
    kart_ctx ctx;
    char label[64];
    size_t triangles = 0, memory = 0, peak = 0, out_size = 0;
    for (int run = 0; run < runs; run++) {
        kart_ctx_init(&ctx);
        double start = processor_seconds();
        kart_mesh *mesh = read_mesh(&ctx, text, size);
        seconds[run] = processor_seconds() - start;
        triangles = mesh->triangles_count;
        memory = kart_mesh_memory(mesh);
        peak = ctx.peak;
        kart_mesh_free(mesh);
    }
    double reading = median(runs), fastest = seconds[0];
    snprintf(label, sizeof label, "read %s", name);
    report(label, reading, fastest, triangles);
    kart_mesh *mesh = read_mesh(&ctx, text, size);
    for (int run = 0; run < runs; run++) {
        double start = processor_seconds();
        uint8_t *out = kart_obj_write(mesh, NULL, &out_size, NULL);
        seconds[run] = processor_seconds() - start;
        require(out, "an OBJ can't be written");
        kart_free(&ctx, out, out_size);
    }
    kart_mesh_free(mesh);
    double writing = median(runs);
    snprintf(label, sizeof label, "write %s", name);
    report(label, writing, seconds[0], triangles);
    printf(
        "   %-29s %9.1f bytes a triangle, %.1f at most while reading; %zu triangles, %zu bytes\n",
        "", (double)memory / (double)triangles, (double)peak / (double)triangles, triangles, size);
    return 1e9 * fastest / (double)triangles;
}

static void corpus_measure(int runs) {
    const char *folder = getenv("KARTLUA_CORPUS");
    char path[1000];
    kart_ctx ctx;
    size_t size;
    kart_ctx_init(&ctx);
    snprintf(path, sizeof path, "%s/obj/terrain18k.obj", folder ? folder : "../shared/corpus");
    uint8_t *text = kart_file_read(&ctx, path, KART_FILE_LIMIT, &size, NULL);
    if (!text) {
        printf("   left out: there is no %s\n", path);
        return;
    }
    text_measure("terrain18k.obj", text, size, runs);
    printf("   %-29s at most 30 ms are meant for reading it\n", "");
    kart_free(&ctx, text, size);
}

// --- what is done with a mesh -----------------------------------------------------------------

static size_t ignored;
static kart_mesh_stats stats;

static bool do_weld(kart_mesh *mesh) { return kart_mesh_weld(mesh, 0.1, &ignored, NULL); }
static bool do_duplicates(kart_mesh *mesh) {
    return kart_mesh_drop_duplicates(mesh, &ignored, NULL);
}
static bool do_degenerate(kart_mesh *mesh) {
    return kart_mesh_drop_degenerate(mesh, 1e-9, &ignored, NULL);
}
static bool do_stats(kart_mesh *mesh) { return kart_mesh_stats_get(mesh, &stats, NULL); }
static bool do_transform(kart_mesh *mesh) {
    kart_affine map = kart_affine_rotation((kart_vec3){0, 1, 0}, 30);
    return kart_mesh_transform(mesh, &map, NULL);
}

static void work_measure(const uint8_t *text, size_t size, int runs) {
    static const struct {
        const char *name;
        bool (*run)(kart_mesh *mesh);
    } works[] = {{"transform", do_transform},
                 {"weld", do_weld},
                 {"drop_degenerate", do_degenerate},
                 {"drop_duplicates", do_duplicates},
                 {"stats", do_stats}};
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_mesh *mesh = read_mesh(&ctx, text, size);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        for (int run = 0; run < runs; run++) {
            kart_mesh *copy = kart_mesh_clone(mesh, NULL);
            require(copy, "no memory for a copy");
            double start = processor_seconds();
            require(works[i].run(copy), works[i].name);
            seconds[run] = processor_seconds() - start;
            kart_mesh_free(copy);
        }
        double middle = median(runs);
        report(works[i].name, middle, seconds[0], mesh->triangles_count);
    }
    kart_mesh_free(mesh);
}

int main(int argc, char **argv) {
    int runs = argc == 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: %s RUNS\n", argv[0]);
        return 2;
    }
    printf("\n%-32s %9s %9s\n", "meshes", "median ms", "fastest");
    corpus_measure(runs);
    double least = 1e300, most = 0;
    for (size_t triangles = 10000; triangles <= LARGE; triangles *= 10) {
        char name[32];
        size_t size;
        char *text = terrain_text(triangles, &size);
        int fewer = triangles < LARGE ? (runs + 2) / 3 : (runs + 9) / 10;
        snprintf(name, sizeof name, "%zu triangles", triangles);
        double rate = text_measure(name, (const uint8_t *)text, size, fewer);
        if (rate < least) least = rate;
        if (rate > most) most = rate;
        if (triangles == LARGE) work_measure((const uint8_t *)text, size, (runs + 19) / 20);
        free(text);
    }
    printf("   %-29s fastest readings: %.0f to %.0f ns a triangle; longer numbers take longer\n",
           "", least, most);
    return 0;
}
