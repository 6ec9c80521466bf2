// Normals shared so that few are enough: corners stay where they may be, edges at right angles with
// faces, and what doesn't fit is refused.
#include "kcl/cover.h"
#include "kcl/fit.h"
#include "kcl/rebuild.h"
#include "kcl/shape.h"

#include "collision.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

#define MOST 1300

typedef struct scene {
    kart_vec3 triangles[MOST][3];
    size_t count;
} scene;

static scene s;

static double drawn(uint32_t *seed, double low, double high) {
    return low + (high - low) * collision_draw(seed) / 16777215.0;
}

static kart_vec3 drawn_vec(uint32_t *seed, double most) {
    double x = drawn(seed, -most, most), y = drawn(seed, -most, most);
    return (kart_vec3){x, y, drawn(seed, -most, most)};
}

static void triangle_add(kart_vec3 a, kart_vec3 b, kart_vec3 c) {
    const kart_vec3 t[3] = {a, b, c};
    memcpy(s.triangles[s.count++], t, sizeof t);
}

// Hills of k x k squares, as steep as they are wide.
static void hills(int k, double square) {
    s.count = 0;
    for (int z = 0; z < k; z++)
        for (int x = 0; x < k; x++) {
            kart_vec3 p[4];
            for (int i = 0; i < 4; i++) {
                int px = x + (i & 1), pz = z + (i >> 1);
                double y = square * ((px * 7 + pz * 13 + px * pz) % 29) / 29.0;
                p[i] = (kart_vec3){px * square, y, pz * square};
            }
            triangle_add(p[0], p[2], p[1]);
            triangle_add(p[1], p[2], p[3]);
        }
}

// Triangles that have nothing to do with each other.
static void heap(size_t count, double size) {
    uint32_t seed = 5;
    s.count = 0;
    while (s.count < count) {
        kart_vec3 at = drawn_vec(&seed, 5000), corner[3];
        for (int k = 0; k < 3; k++) corner[k] = vec3_add(at, drawn_vec(&seed, size));
        triangle_add(corner[0], corner[1], corner[2]);
    }
}

typedef struct fit {
    kcl_draft draft;
    kcl_make_report report;
    size_t before; // normals
    kart_error error;
} fit;

static bool fit_run(fit *f, const char *game, double share, double max_error) {
    *f = (fit){0};
    kcl_fault faults[MOST];
    f->report.faults = faults;
    const kcl_make_input input = {(const kart_vec3(*)[3])s.triangles, NULL, s.count};
    bool done = kcl_draft_init(&ctx, &f->draft, kcl_format_find(game), s.count, &f->error) &&
                kcl_draft_add(&f->draft, &input, 1.0, &f->report, &f->error);
    f->before = f->draft.normals.count;
    size_t most = (size_t)(share * (double)f->before);
    return done && kcl_draft_fit(&f->draft, input.corners, most, max_error, &f->report, &f->error);
}

static kart_vec3 normal_of(const kcl_draft *d, uint32_t number) {
    return kcl_unit_load(d->format, kcl_pool_get(&d->normals, number));
}

// Of a prism of the draft, from its numbers alone: units that its worst corner is off, whichever
// comes first.
static double off_by(const kcl_draft *d, size_t i) {
    const kcl_draft_prism *p = &d->prisms[i];
    kart_vec3 n[KCL_NORMALS],
        a = kcl_position_load(d->format, kcl_pool_get(&d->positions, p->position));
    for (int k = 0; k < KCL_NORMALS; k++) n[k] = normal_of(d, p->normal[k]);
    double h = kcl_load_number(d->format, p->height), best = (double)INFINITY;
    kart_vec3 b = vec3_cross(n[KCL_AB], n[KCL_FACE]), c = vec3_cross(n[KCL_CA], n[KCL_FACE]);
    const kart_vec3 corner[3] = {a, vec3_add(a, vec3_scale(b, h / vec3_dot(b, n[KCL_BC]))),
                                 vec3_add(a, vec3_scale(c, h / vec3_dot(c, n[KCL_BC])))};
    for (int turn = 0; turn < 3; turn++) {
        double worst = 0;
        for (int k = 0; k < 3; k++)
            worst = fmax(
                worst, vec3_length(vec3_sub(corner[k], s.triangles[p->triangle][(k + turn) % 3])));
        best = fmin(best, worst);
    }
    return best;
}

static double tilt_of(const kcl_draft *d, size_t i) {
    const uint32_t *n = d->prisms[i].normal;
    double tilt = 0;
    for (int k = 1; k < KCL_NORMALS; k++)
        tilt = fmax(tilt, fabs(vec3_dot(normal_of(d, n[0]), normal_of(d, n[k]))));
    return tilt;
}

// What the report says holds for the prisms as they stand.
static void fit_check(const fit *f, double share) {
    double worst = 0, tilt = 0;
    for (size_t i = 0; i < f->draft.count; i++) {
        worst = fmax(worst, off_by(&f->draft, i));
        tilt = fmax(tilt, tilt_of(&f->draft, i));
    }
    for (size_t i = 0; i < f->draft.normals.count; i++)
        CHECK_NEAR(vec3_length(normal_of(&f->draft, (uint32_t)i)), 1,
                   f->draft.format->fixed ? 2e-4 : 1e-6);
    CHECK((double)f->draft.normals.count <= share * (double)f->before);
    CHECK(f->draft.positions.count <= f->draft.count && f->draft.count == s.count);
    CHECK(f->report.shared == f->before - f->draft.normals.count);
    CHECK_NEAR(worst, f->report.worst, 1e-9);
    CHECK_NEAR(off_by(&f->draft, f->report.worst_at), worst, 1e-9);
    CHECK(tilt <= KCL_FIT_TILT);
    CHECK_NEAR(tilt, sin(f->report.tilted * 3.14159265358979323846 / 180), 1e-9);
    CHECK(f->report.turned < 4);
}

static const char *const games[] = {"mkw", "smg", "sm3dl", "mk7", "mkds"};

TEST(shared_normals_keep_corners_where_they_may_be) {
    kart_ctx_init(&ctx);
    for (size_t g = 0; g < sizeof games / sizeof *games; g++)
        for (int kind = 0; kind < 2; kind++) {
            fit f;
            double share = kind == 0 ? 0.7 : 0.9;
            hills(20, 30);
            if (kind == 1) heap(800, 4);
            if (CHECK(fit_run(&f, games[g], share, 1.0))) fit_check(&f, share);
            if (g == 0)
                printf("  %zu normals instead of %zu: %.3f units, faces %.3f degrees\n",
                       f.draft.normals.count, f.before, f.report.worst, f.report.turned);
            kcl_draft_free(&f.draft);
            CHECK(ctx.used == 0);
        }
}

TEST(the_more_normals_the_less_error) {
    kart_ctx_init(&ctx);
    double last = (double)INFINITY;
    hills(20, 30);
    for (int tenths = 5; tenths < 10; tenths += 2) {
        fit f;
        if (CHECK(fit_run(&f, "mkw", tenths / 10.0, 10.0))) fit_check(&f, tenths / 10.0);
        CHECK(f.report.worst < last);
        last = f.report.worst;
        kcl_draft_free(&f.draft);
    }
    CHECK(last < 0.3);
}

// Their normals differ by rounding alone.
TEST(what_is_nearly_the_same_is_shared_at_no_error) {
    kart_ctx_init(&ctx);
    uint32_t seed = 9;
    s.count = 0;
    while (s.count < 1000) {
        kart_vec3 at = drawn_vec(&seed, 3000), lift = {0, drawn(&seed, 0, 2e-4), 0};
        triangle_add(at, vec3_add(at, (kart_vec3){10, 10, 200}),
                     vec3_add(vec3_add(at, (kart_vec3){200, 20, 10}), lift));
    }
    fit f;
    if (CHECK(fit_run(&f, "mkw", 0.3, 1.0))) fit_check(&f, 0.3);
    CHECK(f.report.worst < 0.005);
    kcl_draft_free(&f.draft);
}

TEST(what_would_be_too_far_off_is_refused_and_nothing_changes) {
    kart_ctx_init(&ctx);
    heap(600, 1000);
    fit f;
    CHECK(!fit_run(&f, "mkw", 0.97, 1.0) && f.error.code == KART_LIMIT);
    if (!CHECK(strstr(f.error.what, "units off, more than 1;") && strstr(f.error.what, "mk8")))
        printf("    %s\n", f.error.what);
    CHECK(f.draft.normals.count == f.before && f.draft.count == s.count);
    for (size_t i = 0; i < f.draft.count; i++) CHECK(off_by(&f.draft, i) < 0.1);
    kcl_draft_free(&f.draft);
    CHECK(!fit_run(&f, "mkw", 0.001, 1e9) && f.error.code == KART_LIMIT);
    kcl_draft_free(&f.draft);
    CHECK(ctx.used == 0);
}

// --- the same everywhere ----------------------------------------------------------------------

static uint64_t hash_add(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
    return hash; // FNV-1a
}

// They change when fitting does, on purpose. They must not change with the compiler or its options.
TEST(fits_are_the_same_in_every_build) {
    static const uint64_t expected[] = {0x7A69649C9AAAA3BF, 0x8D7D5682002AA24E};
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 2; i++) {
        fit f;
        uint64_t hash = 0xCBF29CE484222325u;
        hills(20, 30);
        if (i == 1) heap(700, 4);
        if (!CHECK(fit_run(&f, i ? "mkds" : "mkw", i ? 0.9 : 0.7, 1.0))) return;
        for (size_t k = 0; k < f.draft.count; k++) {
            hash = hash_add(hash, f.draft.prisms[k].height, 4);
            hash = hash_add(hash, f.draft.prisms[k].normal, sizeof f.draft.prisms[k].normal);
        }
        hash = hash_add(hash, f.draft.normals.bytes, f.draft.normals.count * f.draft.normals.entry);
        hash = hash_add(hash, f.draft.positions.bytes,
                        f.draft.positions.count * f.draft.positions.entry);
        if (!CHECK(hash == expected[i])) printf("    0x%016llX\n", (unsigned long long)hash);
        kcl_draft_free(&f.draft);
    }
}

// --- directions -------------------------------------------------------------------------------

#define DIRECTIONS 2000

TEST(every_region_is_served_by_one_of_few) {
    static kart_vec3 points[DIRECTIONS];
    static kcl_region regions[DIRECTIONS + 100];
    static uint32_t served[DIRECTIONS + 100];
    static bool used[DIRECTIONS];
    uint32_t seed = 11;
    size_t count = DIRECTIONS + 100, few = 0, shared = 0;
    kart_ctx_init(&ctx);
    memset(used, 0, sizeof used);
    for (size_t i = 0; i < count; i++) {
        uint32_t point = (uint32_t)(i % DIRECTIONS);
        kart_vec3 v = drawn_vec(&seed, 1);
        if (i < DIRECTIONS) points[i] = vec3_scale(v, 1 / vec3_length(v));
        kart_vec3 along = vec3_cross(points[point], (kart_vec3){0.1, 0.5, 0.3});
        along = vec3_scale(along, 1 / vec3_length(along));
        double wide = drawn(&seed, 0.01, 0.3), narrow = drawn(&seed, 0.001, 0.1);
        regions[i] = (kcl_region){
            {vec3_scale(along, 1 / wide), vec3_scale(vec3_cross(along, points[point]), 1 / narrow)},
            point};
    }
    const kcl_cover_input input = {points, DIRECTIONS, regions, count};
    size_t chosen = kcl_cover(&ctx, &input, served, NULL);
    for (size_t i = 0; i < count; i++) {
        kart_vec3 v = points[served[i]];
        used[served[i]] = true;
        shared += served[i] != regions[i].point;
        if (served[i] == regions[i].point) continue;
        CHECK(vec3_dot(v, points[regions[i].point]) > 0);
        for (int k = 0; k < 3; k++) CHECK(fabs(vec3_dot(v, regions[i].slab[k])) <= 1);
    }
    for (size_t i = 0; i < DIRECTIONS; i++) few += used[i];
    CHECK(few <= chosen && chosen < DIRECTIONS / 2 && shared > DIRECTIONS / 2);
    CHECK(ctx.used == 0);
}

// --- memory and patience ----------------------------------------------------------------------

TEST(every_failing_allocation_of_a_fit_ends_in_an_error) {
    hills(5, 30);
    size_t needed = 0;
    for (size_t n = 0;; n++) {
        test_heap memory;
        fit f;
        test_heap_init(&memory, &ctx, n);
        bool done = fit_run(&f, "mkw", 0.95, 30.0);
        if (!done && !CHECK(f.error.code == KART_MEMORY))
            printf("    allocation %zu: %s\n", n, f.error.what);
        kcl_draft_free(&f.draft);
        if (!CHECK(ctx.used == 0 && memory.blocks == 0)) break;
        needed = n;
        if (done || n > 5000) break;
    }
    CHECK(needed > 30);
}

TEST(a_fit_ends_when_it_is_told_to) {
    static volatile sig_atomic_t raised = 1;
    kart_ctx_init(&ctx);
    hills(5, 30);
    ctx.cancel = &raised;
    fit f;
    CHECK(!fit_run(&f, "mkw", 0.95, 30.0) && f.error.code == KART_CANCELLED);
    kcl_draft_free(&f.draft);
    CHECK(ctx.used == 0);
}

// --- files ------------------------------------------------------------------------------------

static kcl_doc *make(const char *game, const kcl_make_options *options, kcl_make_report *report,
                     kart_error *error) {
    const kcl_make_input input = {(const kart_vec3(*)[3])s.triangles, NULL, s.count};
    kcl_doc *doc = kcl_make(&ctx, kcl_format_find(game), &input, options, report, error);
    kart_free(&ctx, report->faults, s.count * sizeof *report->faults);
    return doc;
}

TEST(meshes_beyond_the_range_of_a_game_say_so_once) {
    kart_ctx_init(&ctx);
    kcl_make_report report;
    kart_error error = {0};
    hills(4, 300000);
    CHECK(!make("mkds", NULL, &report, &error) && error.code == KART_LIMIT);
    if (!CHECK(strstr(error.what, "of Mario Kart DS, which ends 524288 units from 0: the mesh goes "
                                  "to 1200000. A scale of 0.39 would do")))
        printf("    %s\n", error.what);
    kcl_doc *doc = make("mkds", &(kcl_make_options){.drop = true}, &report, &error);
    CHECK(doc == NULL || doc->prisms_count < s.count);
    kcl_free(doc);
    CHECK(ctx.used == 0);
}

static const test_case cases[] = {
    CASE(shared_normals_keep_corners_where_they_may_be),
    CASE(the_more_normals_the_less_error),
    CASE(what_is_nearly_the_same_is_shared_at_no_error),
    CASE(what_would_be_too_far_off_is_refused_and_nothing_changes),
    CASE(fits_are_the_same_in_every_build),
    CASE(every_region_is_served_by_one_of_few),
    CASE(every_failing_allocation_of_a_fit_ends_in_an_error),
    CASE(a_fit_ends_when_it_is_told_to),
    CASE(meshes_beyond_the_range_of_a_game_say_so_once),
};

void test_fit(void) { TEST_RUN(cases); }
