// Lookups of the engines: every input has an answer, batches are the same on any number of threads,
// and verify ends cleanly whatever fails.
#include "collision.h"
#include "core/triangle.h"
#include "kcl/batch.h"
#include "kcl/console.h"
#include "kcl/galaxy.h"
#include "kcl/verify.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static kcl_doc *ground(kcl_game game) {
    collision_prism prism = collision_ground(100);
    kart_ctx_init(&ctx);
    kcl_doc *doc = collision_new(&ctx, game, &prism, 1);
    CHECK(doc);
    return doc;
}

static kcl_lookup_fn *const lookups[] = {kcl_lookup_point,      kcl_lookup_sphere,
                                         kcl_galaxy_point,      kcl_galaxy_sphere,
                                         kcl_lookup_sphere_all, kcl_galaxy_sphere_all};
#define LOOKUPS (sizeof lookups / sizeof *lookups)

// --- arithmetic -------------------------------------------------------------------------------

TEST(console_sqrt_is_a_root_but_for_a_few_last_bits) {
    uint32_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = collision_draw(&seed) << 8 ^ collision_draw(&seed);
        float x;
        bits &= 0x7FFFFFFF;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x) || x < FLT_MIN * 4) continue;
        double root = sqrt((double)x);
        if (!CHECK_NEAR((double)console_sqrt(x) / root, 1, 3e-7)) return;
    }
    CHECK(console_sqrt(0) == 0 && console_sqrt(-1) == 0 && console_sqrt(NAN) == 0);
    CHECK(isnan(console_sqrt(INFINITY)));
    CHECK_NEAR((double)console_sqrt(4), 2, 1e-6);
    // The estimate's square leaves the range of floats: so it does on the console.
    CHECK(console_sqrt(FLT_TRUE_MIN) == -INFINITY);
}

TEST(lanes_are_computed_as_single_numbers) {
    uint32_t seed = 5;
    for (int i = 0; i < 10000; i++) {
        float a[3], b[4][3], one[4];
        for (int k = 0; k < 15; k++) {
            float value = ((float)collision_draw(&seed) - 0x1p23f) * 0x1p-14f;
            if (k < 3)
                a[k] = value;
            else
                b[(k - 3) / 3][k % 3] = value * 0x1p-9f;
        }
        const console_lanes x = {b[0][0], b[1][0], b[2][0], b[3][0]};
        const console_lanes y = {b[0][1], b[1][1], b[2][1], b[3][1]};
        const console_lanes z = {b[0][2], b[1][2], b[2][2], b[3][2]};
        const console_lanes ax = {a[0], a[0], a[0], a[0]}, ay = {a[1], a[1], a[1], a[1]};
        const console_lanes az = {a[2], a[2], a[2], a[2]};
        const console_lanes dots = console_dots(ax, ay, az, x, y, z);
        for (int k = 0; k < 4; k++) one[k] = console_dot(a, b[k]);
        if (!CHECK(memcmp(one, &dots, sizeof one) == 0)) return;
    }
}

TEST(nearest_places_of_triangles) {
    const kart_vec3 flat[3] = {{0, 0, 0}, {0, 0, 8}, {8, 0, 0}};
    static const struct {
        kart_vec3 from, to;
    } cases[] = {{{2, 5, 2}, {2, 0, 2}},  {{2, -5, 2}, {2, 0, 2}},  {{-3, 1, 4}, {0, 0, 4}},
                 {{4, 1, -3}, {4, 0, 0}}, {{6, 2, 6}, {4, 0, 4}},   {{-1, 1, -1}, {0, 0, 0}},
                 {{-1, 1, 9}, {0, 0, 8}}, {{20, 0, -1}, {8, 0, 0}}, {{3, 0, 3}, {3, 0, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kart_vec3 found = kart_triangle_nearest(flat, cases[i].from);
        CHECK_NEAR(vec3_length(vec3_sub(found, cases[i].to)), 0, 1e-12);
    }
    const kart_vec3 line[3] = {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}};
    CHECK_NEAR(kart_triangle_nearest(line, (kart_vec3){6, 3, 0}).x, 6, 1e-12);
    const kart_vec3 dot[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    CHECK(kart_triangle_nearest(dot, (kart_vec3){9, 9, 9}).z == 3);
}

// --- odd input --------------------------------------------------------------------------------

static const float odd[] = {0,    -0.0f, 1e-45f, -1e-39f, 0.5f, -0.5f,    40,       -511.5f,
                            1e9f, -3e9f, 3e38f,  -3e38f,  NAN,  INFINITY, -INFINITY};
#define ODD (sizeof odd / sizeof *odd)

// Any combination: an answer, which is nothing where the place or the radius is none.
static void odd_ask(const kcl_lookup *lookup, kcl_hits *hits, const float point[3]) {
    const bool place = isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
    for (size_t r = 0; r < ODD; r++) {
        kcl_query query = {.point = {point[0], point[1], point[2]},
                           .radius = odd[r],
                           .moving = r % 2 == 0,
                           .from = {odd[r], point[1], odd[(r * 7 + 3) % ODD]},
                           .types = KCL_TYPES_ALL};
        for (size_t i = 0; i < LOOKUPS; i++) {
            hits->count = 0;
            CHECK(lookups[i](lookup, &query, hits, NULL));
            const bool sphere = i != 0 && i != 2;
            CHECK(hits->count == 0 || (place && !(sphere && isnan(query.radius))));
        }
        kcl_hit hit;
        const bool found = kcl_galaxy_arrow(lookup, point, query.from, KCL_TYPES_ALL, &hit);
        CHECK(!found || (place && hit.depth >= 0 && hit.depth <= 1));
    }
}

TEST(every_input_has_an_answer) {
    for (int game = 0; game < KCL_GAMES; game++) {
        kcl_doc *doc = ground((kcl_game)game);
        const kcl_lookup *lookup = kcl_lookup_of(doc, NULL);
        kcl_hits hits = {.ctx = &ctx};
        for (size_t i = 0; i < ODD * ODD * ODD; i++) {
            const float point[3] = {odd[i % ODD], odd[i / ODD % ODD], odd[i / ODD / ODD]};
            odd_ask(lookup, &hits, point);
        }
        kcl_hits_free(&hits);
        kcl_free(doc);
        CHECK(ctx.used == 0);
    }
}

// Prisms whose numbers are anything: answers may be odd, but there is one.
TEST(any_numbers_of_prisms_give_an_answer) {
    static const double values[] = {0, -1, 1e30, 3e38, (double)NAN, (double)INFINITY, 1e-42};
    uint32_t seed = 3;
    for (int i = 0; i < 500; i++) {
        collision_prism prism = collision_ground(100);
        double *numbers[] = {&prism.height,           &prism.position.x,
                             &prism.position.y,       &prism.normal[0].y,
                             &prism.normal[KCL_CA].z, &prism.normal[KCL_AB].x,
                             &prism.normal[KCL_BC].x, &prism.normal[KCL_BC].z};
        for (int k = 0; k < 3; k++)
            *numbers[collision_draw(&seed) % 8] = values[collision_draw(&seed) % 7];
        kart_ctx_init(&ctx);
        kcl_doc *doc = collision_new(&ctx, (kcl_game)(i % KCL_MK7), &prism, 1);
        if (!doc) continue;
        const kcl_lookup *lookup = kcl_lookup_of(doc, NULL);
        kcl_hits hits = {.ctx = &ctx};
        for (size_t k = 0; k < ODD; k++) {
            const float point[3] = {odd[k], 1, 1};
            odd_ask(lookup, &hits, point);
        }
        kcl_verification found;
        CHECK(kcl_verify(doc, NULL, &found, NULL));
        kcl_verification_free(&found);
        kcl_hits_free(&hits);
        kcl_free(doc);
        CHECK(ctx.used == 0);
    }
}

// --- batches ----------------------------------------------------------------------------------

#define POINTS 20000

static void batches_compare(const char *path, kcl_doc *doc) {
    static float places[3 * POINTS];
    static size_t ends[2][POINTS];
    (void)path;
    kcl_stats stats;
    CHECK(kcl_stats_get(doc, &stats, NULL));
    if (stats.low.x > stats.high.x) return;
    uint32_t seed = 9;
    for (size_t i = 0; i < POINTS; i++) {
        const kart_vec3 size = vec3_sub(stats.high, stats.low);
        const double low[3] = {stats.low.x, stats.low.y, stats.low.z};
        const double edge[3] = {size.x, size.y, size.z};
        for (size_t k = 0; k < 3; k++)
            places[3 * i + k] =
                (float)(low[k] + edge[k] * (double)collision_draw(&seed) / (1 << 24));
    }
    const kart_points points = {.data = places, .count = POINTS};
    for (size_t kind = 0; kind < 4; kind++) {
        kcl_hits hits[2] = {{.ctx = doc->ctx}, {.ctx = doc->ctx}};
        for (unsigned run = 0; run < 2; run++) {
            const kcl_batch batch = {.lookup = lookups[kind],
                                     .query = {.radius = 300, .types = KCL_TYPES_ALL},
                                     .points = points,
                                     .from = kind == 1 ? &points : NULL,
                                     .threads = run ? 3 : 1};
            CHECK(kcl_batch_run(kcl_lookup_of(doc, NULL), &batch, &hits[run], ends[run], NULL));
        }
        CHECK(hits[0].count == hits[1].count && hits[0].tested == hits[1].tested);
        CHECK(memcmp(ends[0], ends[1], sizeof ends[0]) == 0);
        for (size_t i = 0; i < hits[0].count; i++) {
            const kcl_hit *a = &hits[0].items[i], *b = &hits[1].items[i];
            if (!CHECK(a->prism == b->prism && memcmp(&a->depth, &b->depth, sizeof a->depth) == 0))
                break;
        }
        kcl_hits_free(&hits[0]);
        kcl_hits_free(&hits[1]);
    }
}

TEST(batches_are_the_same_on_any_number_of_threads) { CHECK(collision_each(batches_compare) > 0); }

// --- through the octree and past it -----------------------------------------------------------

static void lookups_compare(const char *path, kcl_doc *doc) {
    (void)path;
    const kcl_lookup *lookup = kcl_lookup_of(doc, NULL);
    kcl_hits some = {.ctx = doc->ctx}, all = {.ctx = doc->ctx};
    uint32_t seed = 4;
    for (size_t i = 0; i < 300 && doc->prisms_count > 0; i++) {
        size_t in_model;
        const kcl_model *model =
            kcl_model_of(doc, collision_draw(&seed) % doc->prisms_count, &in_model);
        const kcl_prism prism = kcl_prism_get(doc, model, in_model);
        const kart_vec3 p = kcl_position_get(doc, model, prism.position);
        const float off = (float)(collision_draw(&seed) % 100) - 50;
        const kcl_query query = {.point = {(float)p.x + off, (float)p.y + off / 2, (float)p.z},
                                 .radius = (float)(1 + i % 7 * 40),
                                 .moving = i % 3 == 0,
                                 .from = {(float)p.x, (float)p.y + 90, (float)p.z},
                                 .types = KCL_TYPES_ALL};
        for (size_t galaxy = 0; galaxy < 2; galaxy++) {
            some.count = all.count = 0;
            CHECK(lookups[galaxy ? 3 : 1](lookup, &query, &some, NULL));
            CHECK(lookups[galaxy ? 5 : 4](lookup, &query, &all, NULL));
            for (size_t h = 0; h < some.count; h++) {
                bool found = false;
                for (size_t k = 0; k < all.count && !found; k++)
                    found = memcmp(&some.items[h].depth, &all.items[k].depth, sizeof(float)) == 0 &&
                            some.items[h].prism == all.items[k].prism &&
                            some.items[h].region == all.items[k].region;
                if (!CHECK(found)) break;
            }
        }
    }
    kcl_hits_free(&some);
    kcl_hits_free(&all);
}

TEST(what_a_lookup_finds_the_test_of_all_prisms_finds) {
    CHECK(collision_each(lookups_compare) > 0);
}

// --- failures ---------------------------------------------------------------------------------

static bool live(kcl_doc *doc, kart_error *error) {
    const float places[] = {0, 1, 0, 10, 2, 10, 20, -4, 20};
    size_t ends[3];
    const kcl_batch batch = {.lookup = kcl_lookup_sphere,
                             .query = {.radius = 20, .types = KCL_TYPES_ALL},
                             .points = {.data = places, .count = 3}};
    const kcl_lookup *lookup = kcl_lookup_of(doc, error);
    if (!lookup) return false;
    kcl_hits hits = {.ctx = doc->ctx};
    bool done = kcl_batch_run(lookup, &batch, &hits, ends, error);
    CHECK(!done || (hits.count == 3 && ends[2] == 3));
    kcl_hits_free(&hits);
    if (!done) return false;
    const kcl_verify_options options = {.queries = 50};
    kcl_verification found;
    done = kcl_verify(doc, &options, &found, error);
    kcl_verification_free(&found);
    return done;
}

TEST(every_allocation_may_fail) {
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_error error = {0};
        collision_prism prism = collision_ground(100);
        test_heap_init(&heap, &ctx, SIZE_MAX);
        kcl_doc *doc = collision_new(&ctx, KCL_MKW, &prism, 1);
        heap.left = n;
        const bool done = live(doc, &error);
        kcl_free(doc);
        CHECK(ctx.used == 0 && heap.blocks == 0);
        if (done) break;
        if (!CHECK(error.code == KART_MEMORY)) return;
    }
}

static bool never(void *user, double fraction) {
    (void)fraction;
    return --*(int *)user > 0;
}

TEST(long_work_can_be_cancelled) {
    for (int steps = 1; steps < 4; steps++) {
        int left = steps;
        kart_error error = {0};
        kcl_doc *doc = ground(KCL_MKW);
        ctx.progress = never;
        ctx.progress_user = &left;
        const kcl_verify_options options = {.queries = 1000};
        kcl_verification found;
        CHECK(!kcl_verify(doc, &options, &found, &error) && error.code == KART_CANCELLED);
        kcl_verification_free(&found);
        kcl_free(doc);
        CHECK(ctx.used == 0);
    }
}

TEST(a_stale_octree_is_built_before_it_is_asked) {
    static const kcl_game games[] = {KCL_MKW, KCL_MK8};
    kart_affine turn = kart_affine_rotation((kart_vec3){0, 1, 0}, 90);
    for (size_t i = 0; i < 2; i++) {
        kart_error error = {0};
        kcl_verification found = {0};
        kcl_doc *doc = ground(games[i]);
        CHECK(kcl_lookup_of(doc, NULL) && kcl_lookup_memory(doc) > 0);
        CHECK(kcl_transform(doc, &turn, NULL) && doc->stale && kcl_lookup_memory(doc) == 0);
        CHECK(kcl_lookup_of(doc, &error) && !doc->stale);
        CHECK(kcl_verify(doc, NULL, &found, &error) && found.count == 0);
        kcl_verification_free(&found);
        kcl_free(doc);
        CHECK(ctx.used == 0);
    }
}

static const test_case cases[] = {CASE(console_sqrt_is_a_root_but_for_a_few_last_bits),
                                  CASE(lanes_are_computed_as_single_numbers),
                                  CASE(nearest_places_of_triangles),
                                  CASE(every_input_has_an_answer),
                                  CASE(any_numbers_of_prisms_give_an_answer),
                                  CASE(batches_are_the_same_on_any_number_of_threads),
                                  CASE(what_a_lookup_finds_the_test_of_all_prisms_finds),
                                  CASE(every_allocation_may_fail),
                                  CASE(long_work_can_be_cancelled),
                                  CASE(a_stale_octree_is_built_before_it_is_asked)};
void test_lookup(void) { TEST_RUN(cases); }
