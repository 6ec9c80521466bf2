// Times trees over triangles beside Embree, where it is installed: bench_tree RUNS FOLDER [FILE...]
//
// For each OBJ or KCL and for a generated terrain of a million triangles: building; rays straight
// down, row by row over the whole ground, and rays from random places in random directions, 100,000
// each, in the portable way and in the one that this processor allows; bytes a triangle. Embree
// gets the same triangles as floats, one thread, its usual quality; the three take turns. Figures
// are medians of RUNS, with the ratio to Embree's behind. Then the ground below a million points,
// one by one and as a batch: run.lua compares that with the same from Lua, and finds the points of
// each file in FOLDER/NAME.points.
#include "core/tree.h"
#include "core/file.h"
#include "core/obj.h"
#include "core/os.h"
#include "kcl/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_include
#if __has_include(<embree3/rtcore.h>)
#include <embree3/rtcore.h>
#define EMBREE
#endif
#endif

#define RAYS     100000
#define MANY     1000000
#define RUNS_MAX 101
#define LARGE    707 // squares along an edge of the generated terrain: 999,698 triangles

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static uint32_t seed;

static double draw(double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / (1 << 24);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *seconds, int runs) {
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    return seconds[runs / 2];
}

// --- meshes and rays --------------------------------------------------------------------------

static kart_mesh *terrain_make(kart_ctx *ctx) {
    kart_mesh *mesh = kart_mesh_new(ctx, "mkw", NULL);
    require(mesh, "no memory for a terrain");
    seed = 1;
    for (size_t z = 0; z <= LARGE; z++)
        for (size_t x = 0; x <= LARGE; x++) {
            const double hill = (double)(x * x % 9973 + z * z % 9967) / 10;
            const kart_vec3 place = {(double)x * 100 - 35000, hill + draw(0, 60),
                                     (double)z * 100 - 35000};
            require(kart_mesh_add_position(mesh, place, NULL), "no memory for a terrain");
        }
    for (uint32_t z = 0; z < LARGE; z++)
        for (uint32_t x = 0; x < LARGE; x++) {
            const uint32_t a = z * (LARGE + 1) + x, b = a + LARGE + 1;
            const kart_triangle t[2] = {{.corner = {a, b, a + 1}}, {.corner = {a + 1, b, b + 1}}};
            require(kart_mesh_add_triangle(mesh, t[0], NULL) &&
                        kart_mesh_add_triangle(mesh, t[1], NULL),
                    "no memory for a terrain");
        }
    return mesh;
}

static kart_mesh *mesh_read(kart_ctx *ctx, const char *path) {
    size_t size;
    kart_mesh *mesh = NULL;
    uint8_t *data = kart_file_read(ctx, path, KART_FILE_LIMIT, &size, NULL);
    require(data, path);
    if (kcl_detect(data, size)) {
        kcl_doc *doc = kcl_parse(ctx, data, size, KCL_GAMES, NULL);
        require(doc, path);
        mesh = kcl_mesh(doc, NULL, NULL, NULL);
        kcl_free(doc);
    } else {
        mesh = kart_obj_parse(ctx, data, size, "mkw", NULL);
    }
    kart_free(ctx, data, size);
    require(mesh, path);
    return mesh;
}

typedef struct rays {
    const char *name;
    float origin[RAYS][3], direction[RAYS][3];
} rays;

// Row by row, as pixels of a map.
static void rays_down(const kart_mesh *mesh, rays *r) {
    kart_vec3 low, high;
    kart_mesh_bounds(mesh, &low, &high);
    for (size_t i = 0; i < RAYS; i++) {
        const double x = ((double)(i % 316) + 0.5) / 316, z = ((double)(i / 316) + 0.5) / 317;
        r->origin[i][0] = (float)(low.x + x * (high.x - low.x));
        r->origin[i][1] = (float)high.y + 100;
        r->origin[i][2] = (float)(low.z + z * (high.z - low.z));
        r->direction[i][0] = r->direction[i][2] = 0;
        r->direction[i][1] = -1;
    }
}

static void rays_random(const kart_mesh *mesh, rays *r) {
    kart_vec3 low, high;
    kart_mesh_bounds(mesh, &low, &high);
    seed = 1;
    for (size_t i = 0; i < RAYS; i++) {
        kart_vec3 d;
        do {
            d = (kart_vec3){draw(-1, 1), draw(-1, 1), draw(-1, 1)};
        } while (vec3_dot(d, d) > 1);
        r->origin[i][0] = (float)draw(low.x, high.x);
        r->origin[i][1] = (float)draw(low.y, high.y);
        r->origin[i][2] = (float)draw(low.z, high.z);
        r->direction[i][0] = (float)d.x;
        r->direction[i][1] = (float)d.y;
        r->direction[i][2] = (float)d.z;
    }
}

// --- ours -------------------------------------------------------------------------------------

static void corners_get(const void *user, size_t i, kart_vec3 corner[3]) {
    kart_mesh_corners(user, i, corner);
}

static kart_tree *tree_build(const kart_mesh *mesh) {
    const kart_tree_input input = {
        .user = mesh, .count = mesh->triangles_count, .corners = corners_get};
    kart_tree *tree = kart_tree_build(mesh->ctx, &input, NULL);
    require(tree, "no tree could be built");
    return tree;
}

typedef struct result {
    double seconds;
    size_t hits, visits;
} result;

static result tree_run(const void *tree, const rays *r) {
    result sum = {0};
    const double start = os_seconds();
    for (size_t i = 0; i < RAYS; i++) {
        const float *o = r->origin[i], *d = r->direction[i];
        const kart_ray ray = {.origin = {(double)o[0], (double)o[1], (double)o[2]},
                              .direction = {(double)d[0], (double)d[1], (double)d[2]},
                              .max = (double)INFINITY};
        kart_hit hit;
        sum.hits += kart_tree_raycast(tree, &ray, &hit);
        sum.visits += hit.visits;
    }
    sum.seconds = os_seconds() - start;
    return sum;
}

// --- Embree -----------------------------------------------------------------------------------

typedef struct yardstick {
    void *scene;
    size_t bytes;
} yardstick;

#ifdef EMBREE
static RTCDevice device;

static bool memory_see(void *user, ssize_t bytes, bool post) {
    yardstick *y = user;
    (void)post;
    y->bytes += (size_t)bytes;
    return true;
}

// Gives seconds; the triangles are Embree's already when time begins.
static double yardstick_build(const kart_mesh *mesh, yardstick *y) {
    if (!device) device = rtcNewDevice("threads=1");
    require(device, "Embree gives no device");
    *y = (yardstick){0};
    rtcSetDeviceMemoryMonitorFunction(device, memory_see, y);
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *places = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                            3 * sizeof(float), mesh->positions_count);
    uint32_t *triangles =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(uint32_t), mesh->triangles_count);
    require(places && triangles, "Embree has no memory");
    for (size_t i = 0; i < mesh->positions_count; i++) {
        places[3 * i] = (float)mesh->positions[i].x;
        places[3 * i + 1] = (float)mesh->positions[i].y;
        places[3 * i + 2] = (float)mesh->positions[i].z;
    }
    for (size_t i = 0; i < mesh->triangles_count; i++)
        memcpy(triangles + 3 * i, mesh->triangles[i].corner, 3 * sizeof *triangles);
    const double start = os_seconds();
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    y->scene = scene;
    return os_seconds() - start;
}

static void yardstick_free(yardstick *y) { rtcReleaseScene(y->scene); }

static result yardstick_run(void *scene, const rays *r) {
    result sum = {0};
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    const double start = os_seconds();
    for (size_t i = 0; i < RAYS; i++) {
        const float *o = r->origin[i], *d = r->direction[i];
        struct RTCRayHit ray = {.ray = {.org_x = o[0],
                                        .org_y = o[1],
                                        .org_z = o[2],
                                        .dir_x = d[0],
                                        .dir_y = d[1],
                                        .dir_z = d[2],
                                        .tfar = (float)INFINITY,
                                        .mask = UINT32_MAX},
                                .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        rtcIntersect1(scene, &context, &ray);
        sum.hits += ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    sum.seconds = os_seconds() - start;
    return sum;
}
#else
static double yardstick_build(const kart_mesh *mesh, yardstick *y) {
    (void)mesh;
    *y = (yardstick){0};
    return 0;
}
static void yardstick_free(yardstick *y) { (void)y; }
static result yardstick_run(void *scene, const rays *r) {
    (void)scene, (void)r;
    return (result){0};
}
#endif

// --- figures ----------------------------------------------------------------------------------

// Of medians, and of the fastest: on a machine with other work those say more.
static void ratio_print(double ours, double fastest, double theirs, double their_fastest) {
    if (theirs > 0)
        printf("%9.2f of Embree's, fastest %.2f", ours / theirs, fastest / their_fastest);
    printf("\n");
}

static void rays_show(const kart_tree *wide, const kart_tree *plain, const yardstick *y,
                      const rays *r, int runs) {
    static double seconds[3][RUNS_MAX];
    result last[3] = {0};
    for (int run = 0; run < runs; run++) {
        last[0] = tree_run(plain, r);
        last[1] = tree_run(wide, r);
        if (y->scene) last[2] = yardstick_run(y->scene, r);
        for (int i = 0; i < 3; i++) seconds[i][run] = last[i].seconds;
    }
    const double theirs = median(seconds[2], runs);
    require(last[0].hits == last[1].hits && last[0].visits == last[1].visits,
            "the two ways differ in their answers");
    for (int i = 0; i < 2; i++) {
        const double ours = median(seconds[i], runs);
        printf("      %-26s %9.0f %9.0f", i ? "as this processor can" : r->name, 1e9 * ours / RAYS,
               1e9 * seconds[i][0] / RAYS);
        ratio_print(ours, seconds[i][0], theirs, seconds[2][0]);
    }
    printf("         %zu hits, %.1f visits a ray", last[0].hits, (double)last[0].visits / RAYS);
    if (y->scene) printf("; Embree %.0f ns, %zu hits", 1e9 * theirs / RAYS, last[2].hits);
    printf("\n");
}

// --- the ground below many points -------------------------------------------------------------

static float many[MANY][3];

static void many_make(const kart_mesh *mesh, const char *path) {
    kart_vec3 low, high;
    kart_mesh_bounds(mesh, &low, &high);
    for (size_t i = 0; i < MANY; i++) {
        const double x = ((double)(i % 1000) + 0.5) / 1000, z = ((double)(i / 1000) + 0.5) / 1000;
        many[i][0] = (float)(low.x + x * (high.x - low.x));
        many[i][1] = (float)high.y + 100;
        many[i][2] = (float)(low.z + z * (high.z - low.z));
    }
    FILE *file = fopen(path, "wb");
    require(file && fwrite(many, sizeof many, 1, file) == 1 && fclose(file) == 0, path);
}

static const kart_ask below = {.query = KART_GROUND, .max = (double)INFINITY, .faces = KART_FRONT};

static double one_by_one(const kart_tree *tree, size_t *hits) {
    const kart_points points = {many, MANY, false};
    const double start = os_seconds();
    *hits = 0;
    for (size_t i = 0; i < MANY; i++) {
        kart_hit hit;
        const kart_vec3 point = kart_points_get(&points, i);
        *hits += kart_tree_ask(tree, &below, point, point, &hit);
    }
    return os_seconds() - start;
}

// All columns in memory that is new each time, as in Lua.
static double as_a_batch(kart_ctx *ctx, const kart_tree *tree, unsigned threads, size_t *hits) {
    const kart_batch batch = {.ask = below, .points = {many, MANY, false}, .threads = threads};
    const double start = os_seconds();
    double *numbers[5];
    static const size_t parts[5] = {1, 3, 3, 1, 1};
    for (int i = 0; i < 5; i++) numbers[i] = malloc(MANY * parts[i] * sizeof(double));
    kart_answers answers = {.distance = numbers[0],
                            .point = numbers[1],
                            .normal = numbers[2],
                            .u = numbers[3],
                            .v = numbers[4],
                            .triangle = malloc(MANY * sizeof(uint32_t))};
    require(kart_tree_ask_many(ctx, tree, &batch, &answers, NULL), "a batch failed");
    *hits = answers.hits;
    for (int i = 0; i < 5; i++) free(numbers[i]);
    free(answers.triangle);
    return os_seconds() - start;
}

static void many_show(kart_ctx *ctx, const kart_tree *tree, int runs) {
    static double seconds[3][RUNS_MAX];
    static const char *const names[] = {"ground, one by one", "as a batch, 1 thread",
                                        "as a batch, 2 threads"};
    size_t hits[3];
    for (int run = 0; run < runs; run++) {
        seconds[0][run] = one_by_one(tree, &hits[0]);
        for (unsigned i = 1; i < 3; i++) seconds[i][run] = as_a_batch(ctx, tree, i, &hits[i]);
    }
    require(hits[0] == hits[1] && hits[0] == hits[2], "a batch differs from single queries");
    for (int i = 0; i < 3; i++) {
        const double middle = median(seconds[i], runs);
        printf("      %-26s %9.0f %9.0f\n", names[i], 1e9 * middle / MANY,
               1e9 * seconds[i][0] / MANY);
    }
}

static void mesh_show(const char *folder, const char *name, const kart_mesh *mesh, int runs) {
    char path[4000];
    static double seconds[2][RUNS_MAX];
    static rays down = {.name = "rays down, ns"}, random = {.name = "random rays, ns"};
    kart_tree *wide = NULL;
    yardstick y = {0};
    for (int run = 0; run < runs; run++) {
        kart_tree_free(wide);
        if (y.scene) yardstick_free(&y);
        const double start = os_seconds();
        wide = tree_build(mesh);
        seconds[0][run] = os_seconds() - start;
        seconds[1][run] = yardstick_build(mesh, &y);
    }
    const double ours = median(seconds[0], runs), theirs = median(seconds[1], runs);
    const double count = (double)mesh->triangles_count;
    kart_tree *plain = tree_build(mesh);
    const kart_tree_stats stats = kart_tree_stats_get(wide);
    if (!kart_tree_narrow(plain)) printf("      (this processor has no wider way)\n");
    printf("   %s, %zu triangles, %.2f a leaf, %.0f bytes each", name, mesh->triangles_count,
           (double)stats.triangles / (double)stats.leaves, (double)stats.bytes / count);
    if (y.scene) printf("; Embree %.0f", (double)y.bytes / count);
    printf("\n      %-26s %9.2f %9.2f", "build, ms", 1e3 * ours, 1e3 * seconds[0][0]);
    ratio_print(ours, seconds[0][0], theirs, seconds[1][0]);
    rays_down(mesh, &down);
    rays_random(mesh, &random);
    rays_show(wide, plain, &y, &down, runs);
    rays_show(wide, plain, &y, &random, runs);
    snprintf(path, sizeof path, "%s/%s.points", folder, name);
    many_make(mesh, path);
    many_show(mesh->ctx, wide, (runs + 3) / 4);
    if (y.scene) yardstick_free(&y);
    kart_tree_free(wide);
    kart_tree_free(plain);
}

int main(int argc, char **argv) {
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    require(runs >= 1 && argc > 2, "usage: bench_tree RUNS FOLDER [FILE...]");
    if (runs > RUNS_MAX) runs = RUNS_MAX;
#ifndef EMBREE
    printf("   no yardstick: libembree-dev is not installed\n");
#endif
    for (int i = 3; i < argc; i++) {
        kart_mesh *mesh = mesh_read(&ctx, argv[i]);
        const char *slash = strrchr(argv[i], '/');
        mesh_show(argv[2], slash ? slash + 1 : argv[i], mesh, runs);
        kart_mesh_free(mesh);
    }
    kart_mesh *mesh = terrain_make(&ctx);
    mesh_show(argv[2], "generated", mesh, (runs + 3) / 4);
    kart_mesh_free(mesh);
    return 0;
}
