// Trees over triangles in use: odd numbers, batches, building and owners, documents that keep one.
#include "collision.h"
#include "scene.h"
#include "test.h"

#include "kcl/mesh.h"
#include "kcl/rebuild.h"

// --- what is odd ------------------------------------------------------------------------------

static void ask_all_kinds(const kart_tree *tree, kart_vec3 p, kart_vec3 d, size_t *found) {
    for (int kind = 0; kind < KART_QUERIES; kind++) {
        const kart_ask ask = {.query = (kart_query)kind, .max = (double)INFINITY, .radius = 1};
        kart_hit hit;
        if (!kart_tree_ask(tree, &ask, p, d, &hit)) {
            CHECK(hit.triangle == KART_NO_TRIANGLE);
            continue;
        }
        ++*found;
        CHECK(vec3_finite(hit.point) && vec3_finite(hit.normal) && hit.distance >= 0);
        CHECK(hit.u >= 0 && hit.v >= 0 && hit.u + hit.v <= 1 + 1e-9);
    }
}

static const double odd[] = {0,      -0.0,  1,     -1,          1e-320,           1e-45,
                             1e30,   -1e30, 1e300, (double)NAN, (double)INFINITY, -(double)INFINITY,
                             0x1p60, 0x1p61};
#define ODD (sizeof odd / sizeof *odd)

TEST(odd_numbers_have_answers) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_numbers numbers = {.ctx = &ctx};
    static const size_t counts[] = {0, 1, 9};
    for (size_t k = 0; k < 3; k++) {
        const kart_vec3 zero = {0, 0, 0};
        scene s = scene_empty();
        while (s.count < counts[k]) scene_add(&s, zero, zero, zero);
        kart_tree *tree = scene_tree(&ctx, &s);
        size_t found = 0;
        if (!CHECK(tree)) return;
        // All in one point: no ray hits it, but it is near to everything.
        for (size_t i = 0; i < ODD * ODD * ODD; i++) {
            const kart_vec3 p = {odd[i % ODD], odd[i / ODD % ODD], odd[i / ODD / ODD]};
            const kart_vec3 d = {odd[i * 5 % ODD], odd[i * 3 % ODD], odd[i * 11 / ODD % ODD]};
            ask_all_kinds(tree, p, d, &found);
            const kart_box box = {.low = p, .high = d};
            const kart_near sphere = {.point = p, .max = odd[i * 7 % ODD]};
            CHECK(kart_tree_overlap_box(tree, &box, &numbers, NULL));
            CHECK(kart_tree_overlap_sphere(tree, &sphere, &numbers, NULL));
            numbers.count = 0;
        }
        CHECK((found > 0) == (k > 0));
        kart_tree_free(tree);
    }
    kart_numbers_free(&numbers);
    CHECK(ctx.used == 0);
}

TEST(triangles_that_are_nowhere_are_left_out) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene s = scene_empty();
    for (size_t i = 0; i < ODD * ODD * ODD; i++)
        scene_add(&s, (kart_vec3){odd[i % ODD], odd[i / ODD % ODD], odd[i / ODD / ODD]},
                  (kart_vec3){0, 0, 0}, (kart_vec3){1, 0, 1});
    kart_tree *tree = scene_tree(&ctx, &s);
    if (!CHECK(tree)) return;
    const kart_tree_stats stats = kart_tree_stats_get(tree);
    CHECK(stats.triangles + stats.left_out == s.count && stats.left_out > 0);
    for (size_t i = 0; i < 1000; i++) {
        const kart_ray ray = {
            .origin = scene_draw_vec(2), .direction = scene_draw_vec(1), .max = 1e9};
        kart_hit hit;
        if (kart_tree_raycast(tree, &ray, &hit)) CHECK(vec3_finite(hit.point));
    }
    kart_tree_free(tree);
}

TEST(a_single_triangle_is_hit_from_both_sides) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene s = scene_empty();
    scene_add(&s, (kart_vec3){0, 0, 0}, (kart_vec3){0, 0, 4}, (kart_vec3){4, 0, 0});
    kart_tree *tree = scene_tree(&ctx, &s);
    if (!CHECK(tree)) return;
    kart_ask ask = {.query = KART_GROUND, .max = 10, .faces = KART_FRONT};
    const kart_vec3 above = {1, 10, 2}, below = {1, -5, 2};
    kart_hit hit;
    CHECK(kart_tree_ask(tree, &ask, above, above, &hit));
    CHECK(hit.triangle == 0 && hit.distance == 10 && hit.point.y == 0 && hit.normal.y == 1);
    CHECK(hit.u == 0.5 && hit.v == 0.25 && hit.visits == 2);
    ask.max = 9.999;
    CHECK(!kart_tree_ask(tree, &ask, above, above, &hit));
    ask = (kart_ask){.query = KART_CEILING, .max = (double)INFINITY, .faces = KART_FRONT};
    CHECK(!kart_tree_ask(tree, &ask, below, below, &hit));
    ask.faces = KART_BACK;
    CHECK(kart_tree_ask(tree, &ask, below, below, &hit) && hit.distance == 5);
    ask = (kart_ask){.query = KART_SEGMENT};
    CHECK(kart_tree_ask(tree, &ask, above, below, &hit) && hit.distance == 10);
    CHECK(kart_tree_ask(tree, &ask, above, hit.point, &hit) && hit.fraction == 1);
    CHECK(!kart_tree_ask(tree, &ask, above, above, &hit));
    ask = (kart_ask){.query = KART_SWEEP, .radius = 2};
    CHECK(kart_tree_ask(tree, &ask, above, (kart_vec3){0, -16, 0}, &hit));
    CHECK(hit.fraction == 0.5 && hit.distance == 8 && hit.point.y == 0);
    kart_tree_free(tree);
}

// --- batches ----------------------------------------------------------------------------------

#define MANY 40000

static bool cancel_late(void *user, double fraction) {
    (void)user;
    return fraction < 0.4;
}

TEST(batches_answer_as_single_queries_do) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene_seed(1);
    const scene s = scene_heap(100, 200);
    kart_tree *tree = scene_tree(&ctx, &s);
    static double points[3 * MANY], distance[MANY], place[3 * MANY];
    static float others[3 * MANY];
    static uint32_t triangle[MANY];
    if (!CHECK(tree)) return;
    for (size_t i = 0; i < 3 * MANY; i++) points[i] = scene_draw(-100, 100);
    for (size_t i = 0; i < 3 * MANY; i++) others[i] = (float)scene_draw(-100, 100);
    points[7] = (double)NAN;
    for (int kind = 0; kind < KART_QUERIES; kind++)
        for (unsigned threads = 0; threads < 4; threads++) {
            kart_batch batch = {.ask = {.query = (kart_query)kind, .max = 50, .radius = 3},
                                .points = {points, MANY, true},
                                .others = {others, threads == 3 ? 1 : MANY, false},
                                .threads = threads};
            kart_answers answers = {.distance = distance, .point = place, .triangle = triangle};
            CHECK(kart_tree_ask_many(&ctx, tree, &batch, &answers, NULL));
            size_t hits = 0, visits = 0;
            for (size_t i = 0; i < MANY; i++) {
                kart_hit hit;
                const kart_vec3 other = kart_points_get(&batch.others, threads == 3 ? 0 : i);
                const bool found =
                    kart_tree_ask(tree, &batch.ask, kart_points_get(&batch.points, i), other, &hit);
                hits += found;
                visits += hit.visits;
                CHECK(hit.triangle == triangle[i]);
                CHECK(found ? distance[i] == hit.distance && place[3 * i] == hit.point.x
                            : isinf(distance[i]) && isnan(place[3 * i]));
            }
            CHECK(hits == answers.hits && visits == answers.visits && hits > 0);
        }
    kart_batch batch = {
        .ask = {.query = KART_GROUND, .max = 50}, .points = {points, MANY, true}, .threads = 1};
    kart_answers answers = {.distance = distance};
    kart_error error;
    ctx.progress = cancel_late;
    CHECK(!kart_tree_ask_many(&ctx, tree, &batch, &answers, &error));
    CHECK(error.code == KART_CANCELLED);
    kart_tree_free(tree);
}

// --- life -------------------------------------------------------------------------------------

TEST(building_says_when_memory_runs_out) {
    scene_seed(1);
    const scene s = scene_heap(100, 1000);
    bool built = false;
    for (size_t left = 0; !built && left < 200; left++) {
        kart_ctx ctx;
        test_heap memory;
        test_heap_init(&memory, &ctx, left);
        const kart_tree_input input = {.user = &s, .count = s.count, .corners = scene_corners};
        kart_error error;
        kart_tree *tree = kart_tree_build(&ctx, &input, &error);
        if (tree) {
            const kart_ray ray = {.origin = {0, 900, 0}, .direction = {0, -1, 0}, .max = 2e3};
            kart_hits hits = {.ctx = &ctx};
            kart_hit hit;
            memory.left = 0;
            if (kart_tree_raycast(tree, &ray, &hit)) {
                CHECK(!kart_tree_raycast_all(tree, &ray, &hits, &error));
                CHECK(error.code == KART_MEMORY);
            }
            kart_hits_free(&hits);
        } else {
            CHECK(error.code == KART_MEMORY);
        }
        built = tree != NULL;
        kart_tree_free(tree);
        CHECK(memory.blocks == 0 && ctx.used == 0);
    }
    CHECK(built);
}

static bool cancel_now(void *user, double fraction) {
    (void)user;
    return fraction > 2;
}

TEST(building_can_be_cancelled) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene_seed(1);
    const scene s = scene_heap(100, 1000);
    const kart_tree_input input = {.user = &s, .count = s.count, .corners = scene_corners};
    kart_error error;
    ctx.progress = cancel_now;
    CHECK(!kart_tree_build(&ctx, &input, &error) && error.code == KART_CANCELLED);
    CHECK(ctx.used == 0);
}

TEST(a_tree_lives_as_long_as_its_last_owner) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene_seed(1);
    const scene s = scene_heap(100, 50);
    kart_tree *tree = scene_tree(&ctx, &s);
    if (!CHECK(tree)) return;
    CHECK(kart_tree_share(tree) == tree && !kart_tree_share(NULL));
    kart_tree_free(tree);
    const kart_near near = {.point = {0, 0, 0}, .max = (double)INFINITY};
    kart_hit hit;
    CHECK(kart_tree_nearest(tree, &near, &hit) && kart_tree_memory(tree) > 0);
    kart_tree_free(tree);
    kart_tree_free(NULL);
    CHECK(ctx.used == 0);
}

// Crowded where the heuristic can't tell them apart, and so lopsided that it peels one at a time.
TEST(trees_of_many_equal_or_ever_smaller_triangles_are_not_deep) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (int round = 0; round < 2; round++) {
        scene s = scene_empty();
        for (size_t i = 0; i < SCENE_MOST; i++) {
            const double k = round ? ldexp(1, -(int)(i % 120)) : 1;
            scene_add(&s, (kart_vec3){k, 0, 0}, (kart_vec3){k, 0, k}, (kart_vec3){k, k, 0});
        }
        kart_tree *tree = scene_tree(&ctx, &s);
        if (!CHECK(tree)) return;
        CHECK(kart_tree_stats_get(tree).depth <= TREE_DEEP + 10);
        const kart_ray ray = {.origin = {2, 0.1, 0.1}, .direction = {-1, 0, 0}, .max = 3};
        kart_hit hit;
        CHECK(kart_tree_raycast(tree, &ray, &hit) && hit.triangle == 0 && hit.distance == 1);
        kart_tree_free(tree);
    }
}

// --- documents --------------------------------------------------------------------------------

TEST(a_tree_of_a_mesh_is_kept_until_places_change) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_mesh *mesh = kart_mesh_new(&ctx, "mkw", NULL);
    if (!CHECK(mesh)) return;
    const kart_vec3 places[] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}};
    for (int i = 0; i < 3; i++) CHECK(kart_mesh_add_position(mesh, places[i], NULL));
    CHECK(kart_mesh_add_triangle(mesh, (kart_triangle){.corner = {0, 1, 2}}, NULL));
    kart_tree *tree = kart_mesh_tree(mesh, NULL);
    kart_mesh_set_flag(mesh, 0, 7);
    kart_mesh *copy = kart_mesh_clone(mesh, NULL);
    CHECK(tree && kart_mesh_tree(mesh, NULL) == tree);
    CHECK(copy && kart_mesh_tree(copy, NULL) == tree);
    const kart_affine up = kart_affine_translation((kart_vec3){0, 1, 0});
    CHECK(kart_mesh_transform(copy, &up, NULL) && !copy->tree && mesh->tree == tree);
    size_t joined;
    const kart_ask ask = {.query = KART_GROUND, .max = (double)INFINITY};
    kart_hit hit;
    CHECK(kart_tree_ask(kart_mesh_tree(copy, NULL), &ask, (kart_vec3){1, 9, 1},
                        (kart_vec3){0, 0, 0}, &hit) &&
          hit.distance == 8);
    CHECK(kart_mesh_weld(copy, 0, &joined, NULL) && !copy->tree);
    kart_mesh_flip(mesh, NULL);
    CHECK(!mesh->tree && kart_mesh_tree(mesh, NULL));
    CHECK(kart_mesh_add_triangle(mesh, (kart_triangle){.corner = {2, 1, 0}}, NULL) && !mesh->tree);
    kart_mesh_free(mesh);
    kart_mesh_free(copy);
    CHECK(ctx.used == 0);
}

TEST(a_tree_of_a_kcl_is_kept_until_prisms_change) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    const collision_prism prisms[] = {{.height = 0}, collision_ground(400)}; // the first is none
    kcl_doc *doc = collision_new(&ctx, KCL_MKW, prisms, 2);
    if (!CHECK(doc)) return;
    kart_tree *tree = kcl_tree(doc, NULL);
    const kart_ask ask = {.query = KART_GROUND, .max = (double)INFINITY, .faces = KART_FRONT};
    const kart_vec3 at = {100, 50, 100};
    kart_hit hit;
    CHECK(tree && kart_tree_ask(tree, &ask, at, at, &hit));
    CHECK(hit.triangle == 1 && hit.distance == 50);
    kcl_doc *copy = kcl_clone(doc, NULL);
    CHECK(copy && kcl_tree(copy, NULL) == tree);
    kcl_flag_set(doc, doc->models, 1, 9);
    CHECK(kcl_rebuild(doc, NULL, NULL) && doc->tree == tree);
    const kart_affine up = kart_affine_translation((kart_vec3){0, 1, 0});
    const kart_affine turn = kart_affine_rotation((kart_vec3){0, 1, 0}, 45);
    CHECK(kcl_transform(doc, &up, NULL) && !doc->tree && copy->tree == tree);
    CHECK(kart_tree_ask(kcl_tree(doc, NULL), &ask, at, at, &hit) && hit.distance == 49);
    CHECK(kcl_transform(copy, &turn, NULL) && !copy->tree);
    kcl_free(doc);
    kcl_free(copy);
    CHECK(ctx.used == 0);
}

// Real files and samples: rays at their own triangles find them, or something nearer.
static void sees_its_triangles(const char *path, kcl_doc *doc) {
    kart_mesh *mesh = kcl_mesh(doc, NULL, NULL, NULL);
    kart_tree *tree = kcl_tree(doc, NULL);
    (void)path;
    if (!CHECK(mesh && tree)) return;
    CHECK(kart_tree_stats_get(tree).triangles == mesh->triangles_count);
    size_t lost = 0;
    for (size_t i = 0; i < mesh->triangles_count && i < 500; i++) {
        kart_vec3 c[3];
        kart_hit hit;
        kart_mesh_corners(mesh, i * 7 % mesh->triangles_count, c);
        const kart_vec3 middle = vec3_scale(vec3_add(c[0], vec3_add(c[1], c[2])), 1.0 / 3);
        const kart_vec3 n = tree_normal(c);
        const kart_ray ray = {.origin = vec3_add(middle, vec3_scale(n, 50)),
                              .direction = vec3_scale(n, -1),
                              .max = 50.001 + 1e-6 * tree->reach,
                              .faces = KART_FRONT};
        lost += !kart_tree_raycast(tree, &ray, &hit) && vec3_length(n) > 0;
        CHECK(hit.triangle == KART_NO_TRIANGLE || hit.triangle < doc->prisms_count);
    }
    CHECK(lost == 0);
    kart_mesh_free(mesh);
}

TEST(rays_hit_the_triangles_of_every_file) { CHECK(collision_each(sees_its_triangles) > 0); }

static const test_case cases[] = {CASE(odd_numbers_have_answers),
                                  CASE(triangles_that_are_nowhere_are_left_out),
                                  CASE(a_single_triangle_is_hit_from_both_sides),
                                  CASE(batches_answer_as_single_queries_do),
                                  CASE(building_says_when_memory_runs_out),
                                  CASE(building_can_be_cancelled),
                                  CASE(a_tree_lives_as_long_as_its_last_owner),
                                  CASE(trees_of_many_equal_or_ever_smaller_triangles_are_not_deep),
                                  CASE(a_tree_of_a_mesh_is_kept_until_places_change),
                                  CASE(a_tree_of_a_kcl_is_kept_until_prisms_change),
                                  CASE(rays_hit_the_triangles_of_every_file)};
void test_tree_use(void) { TEST_RUN(cases); }
