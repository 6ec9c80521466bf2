// What moves collision: mirrors and moves that take the octree along, and those that leave it
// stale; all of it or nothing. Also the long work, which has to end when it is told to.
#include "collision.h"
#include "kcl/check.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static kcl_doc *ground(kcl_game game, kart_vec3 at) {
    collision_prism prism = collision_ground(100);
    prism.position = at;
    kart_ctx_init(&ctx);
    kcl_doc *doc = collision_new(&ctx, game, &prism, 1);
    CHECK(doc);
    return doc;
}

static void done(kcl_doc *doc) {
    kcl_free(doc);
    CHECK(ctx.used == 0);
}

static bool same_bytes(const kcl_doc *a, const kcl_doc *b) {
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static kart_vec3 position(const kcl_doc *doc) { return kcl_position_get(doc, doc->models, 0); }

static bool same_vec(kart_vec3 a, kart_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool has_warning(const kcl_doc *doc, const char *rule) {
    for (size_t i = 0; i < doc->warnings.count; i++)
        if (strcmp(doc->warnings.items[i].rule, rule) == 0) return true;
    return false;
}

static bool mirror(kcl_doc *doc, int axis, double at) {
    kart_affine map = kart_affine_mirror(axis, at);
    return kcl_transform(doc, &map, NULL);
}

static bool translate(kcl_doc *doc, kart_vec3 by) {
    kart_affine map = kart_affine_translation(by);
    return kcl_transform(doc, &map, NULL);
}

// --- mirrors ----------------------------------------------------------------------------------

typedef struct image {
    const kcl_doc *doc;
    const kcl_model *model, *mirrored;
    int axis;
    size_t wrong;
} image;

// Where the image of a leaf is, the mirrored tree has a leaf with the same list.
static bool image_compare(void *user, const kcl_leaf *leaf) {
    image *im = user;
    uint32_t width = ~im->model->mask[im->axis] + 1;
    int32_t point[3];
    for (int i = 0; i < 3; i++) point[i] = (int32_t)leaf->cell[i];
    point[im->axis] = (int32_t)(width - leaf->cell[im->axis] - 1);
    kcl_leaf found;
    if (!kcl_octree_find(im->doc, im->mirrored, point, &found) || found.list != leaf->list ||
        found.size != leaf->size)
        im->wrong++;
    return true;
}

static size_t mirrored, twice;

static void mirror_compare(const char *path, kcl_doc *doc) {
    for (int axis = 0; axis < 3; axis += 2) {
        kcl_doc *work = kcl_clone(doc, NULL);
        bool good = CHECK(work && mirror(work, axis, 0));
        if (good && !work->stale) {
            for (size_t m = 0; m < doc->models_count; m++) {
                image im = {work, &doc->models[m], &work->models[m], axis, 0};
                CHECK(kcl_octree_walk(doc, im.model, image_compare, &im));
                good = CHECK(im.wrong == 0) && good;
            }
            mirrored++;
            // What V2's header calls the maximum need not be the far end of the space.
            CHECK(mirror(work, axis, 0));
            if (doc->format->v2) memcpy(work->data + 0x1C, doc->data + 0x1C, 12);
            if (!has_warning(work, "area-rounded")) {
                good = CHECK(same_bytes(doc, work)) && good;
                twice++;
            }
        }
        if (!good) printf("    in %s\n", path);
        kcl_free(work);
    }
}

TEST(mirrored_octrees_are_mirror_images) {
    mirrored = twice = 0;
    CHECK(collision_each(mirror_compare) > 30);
    printf("  mirrored octrees: %zu, of which %zu come back byte for byte\n", mirrored, twice);
}

TEST(mirror_negates_and_exchanges_edges) {
    for (int game = 0; game < KCL_GAMES; game++) {
        kcl_doc *doc = ground((kcl_game)game, (kart_vec3){-20, 7, 30});
        CHECK(mirror(doc, 0, 50) && !doc->stale);
        CHECK(same_vec(position(doc), (kart_vec3){120, 7, 30}));
        CHECK(doc->models[0].min.x == 100 + 512 - 1024 && doc->models[0].min.z == -512);
        kcl_prism prism = kcl_prism_get(doc, doc->models, 0);
        CHECK(
            same_vec(kcl_normal_get(doc, doc->models, prism.normal[KCL_CA]), (kart_vec3){1, 0, 0}));
        CHECK(same_vec(kcl_normal_get(doc, doc->models, prism.normal[KCL_AB]),
                       (kart_vec3){0, 0, -1}));
        kart_vec3 corner[3];
        CHECK(kcl_prism_triangle(doc, doc->models, &prism, corner) == KCL_SOUND);
        CHECK_NEAR(corner[1].x, 20, 0.1);
        CHECK_NEAR(corner[2].z, 130, 0.1);
        done(doc);
    }
}

// --- moves ------------------------------------------------------------------------------------

TEST(exact_moves_take_the_octree_along) {
    for (int game = 0; game < KCL_GAMES; game++) {
        kcl_doc *doc = ground((kcl_game)game, (kart_vec3){-20, 7, 30});
        CHECK(translate(doc, (kart_vec3){1000, -2000, 0.5}) && !doc->stale);
        CHECK(same_vec(position(doc), (kart_vec3){980, -1993, 30.5}));
        CHECK(same_vec(doc->models[0].min, (kart_vec3){488, -2512, -511.5}));
        if (doc->format->v2) CHECK(same_vec(doc->min, (kart_vec3){488, -2512, -511.5}));
        kcl_leaf leaf;
        const int32_t point[3] = {492, 519, 542};
        CHECK(kcl_octree_find(doc, doc->models, point, &leaf));
        size_t size, at = leaf.list, prism;
        CHECK(kcl_list_next(doc, &at, &prism) && prism == 0 && !kcl_list_next(doc, &at, &prism));
        uint8_t *bytes = kcl_serialize(doc, &size, NULL);
        kcl_doc *again = kcl_parse(&ctx, bytes, size, (kcl_game)game, NULL);
        CHECK(again && same_vec(again->models[0].min, doc->models[0].min));
        kcl_free(again);
        kart_free(&ctx, bytes, size);
        done(doc);
    }
}

static void check_stale(kcl_doc *doc) {
    kart_error error = {0};
    size_t size;
    CHECK(doc->stale);
    CHECK(!kcl_serialize(doc, &size, &error) && error.code == KART_STALE && size == 0);
    done(doc);
}

TEST(rounded_moves_turns_and_scales_make_it_stale) {
    kcl_doc *doc = ground(KCL_MKW, (kart_vec3){-20, 7, 30});
    CHECK(translate(doc, (kart_vec3){0.1, 0, 0}));
    check_stale(doc);
    doc = ground(KCL_MKDS, (kart_vec3){-20, 7, 30});
    CHECK(translate(doc, (kart_vec3){1.0 / 8192, 0, 0}));
    check_stale(doc);
    const kart_affine maps[] = {kart_affine_rotation((kart_vec3){0, 1, 0}, 90),
                                kart_affine_scale((kart_vec3){2, 2, 2}), kart_affine_mirror(1, 0)};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        doc = ground(KCL_MK8, (kart_vec3){-20, 7, 30});
        CHECK(kcl_transform(doc, &maps[i], NULL));
        check_stale(doc);
    }
}

// How far the triangle is from another one, whose corners may start elsewhere.
static double far_off(const kart_vec3 found[3], const kart_vec3 aim[3]) {
    double best = (double)INFINITY;
    for (int turn = 0; turn < 3; turn++) {
        double worst = 0;
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, vec3_length(vec3_sub(found[i], aim[(i + turn) % 3])));
        best = fmin(best, worst);
    }
    return best;
}

TEST(maps_carry_triangles_over) {
    const kart_vec3 from[3] = {{-20, 7, 30}, {-20, 7, 130}, {80, 7, 30}};
    kart_affine turn = kart_affine_rotation((kart_vec3){1, 2, 3}, 77);
    kart_affine scale = kart_affine_scale((kart_vec3){3, 3, 3}), flip = kart_affine_mirror(1, 20);
    kart_affine stretch = kart_affine_scale((kart_vec3){1, 2, 0.5}), shear = turn;
    shear.m[0][2] += 0.7;
    kart_affine maps[] = {turn,
                          scale,
                          flip,
                          kart_affine_multiply(&turn, &scale),
                          stretch,
                          shear,
                          kart_affine_multiply(&stretch, &flip)};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        kcl_doc *doc = ground(KCL_MKW, from[0]);
        kart_vec3 corner[3], aim[3];
        CHECK(kcl_transform(doc, &maps[i], NULL));
        kcl_prism prism = kcl_prism_get(doc, doc->models, 0);
        CHECK(kcl_prism_triangle(doc, doc->models, &prism, corner) == KCL_SOUND);
        // A reflection exchanges the second and the third.
        bool turned = kart_affine_determinant(&maps[i]) < 0;
        for (int c = 0; c < 3; c++)
            aim[c] = kart_affine_point(&maps[i], from[turned && c > 0 ? 3 - c : c]);
        CHECK_NEAR(far_off(corner, aim), 0, 1e-3);
        done(doc);
    }
}

// --- all or nothing ---------------------------------------------------------------------------

TEST(what_cannot_be_done_changes_nothing) {
    kart_affine not_finite = kart_affine_identity;
    not_finite.m[1][1] = (double)NAN;
    kart_affine tilt = kart_affine_rotation((kart_vec3){0, 0, 1}, 30);
    kart_affine stretch = kart_affine_scale((kart_vec3){1, 2, 1});
    const struct {
        kart_affine map;
        kart_code code;
        bool built; // what can build octrees can do it
    } bad[] = {{stretch, KART_UNSUPPORTED, true},
               {kart_affine_multiply(&stretch, &tilt), KART_UNSUPPORTED, true},
               {kart_affine_scale((kart_vec3){0, 0, 0}), KART_UNSUPPORTED, false},
               {kart_affine_scale((kart_vec3){1, 1, 0}), KART_UNSUPPORTED, false},
               {not_finite, KART_UNSUPPORTED, false},
               {kart_affine_scale((kart_vec3){1e38, 1e38, 1e38}), KART_LIMIT, false},
               {kart_affine_translation((kart_vec3){0, 1e39, 0}), KART_LIMIT, false},
               {kart_affine_mirror(2, 1e39), KART_LIMIT, false}};
    for (int game = 0; game < KCL_GAMES; game++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            kcl_doc *doc = ground((kcl_game)game, (kart_vec3){-20, 7, 30});
            kcl_doc *before = kcl_clone(doc, NULL);
            kart_error error = {0};
            if (bad[i].built) {
                CHECK(kcl_transform(doc, &bad[i].map, &error) && doc->stale);
                kcl_free(before);
                done(doc);
                continue;
            }
            CHECK(!kcl_transform(doc, &bad[i].map, &error) && error.code == bad[i].code);
            CHECK(error.what[0] && same_bytes(doc, before) && !doc->stale);
            CHECK(same_vec(doc->models[0].min, before->models[0].min) && doc->warnings.count == 0);
            kcl_free(before);
            done(doc);
        }
}

TEST(nothing_to_do_is_nothing) {
    kcl_doc *doc = ground(KCL_MKW, (kart_vec3){-0.0, 7, 30}), *before = kcl_clone(doc, NULL);
    CHECK(translate(doc, (kart_vec3){0, 0, 0}) && kcl_transform(doc, &kart_affine_identity, NULL));
    CHECK(same_bytes(doc, before) && !doc->stale);
    kcl_free(before);
    done(doc);
}

// --- ending early -----------------------------------------------------------------------------

TEST(limits_and_cancelling_end_the_work) {
    collision_prism prisms[40];
    for (size_t i = 0; i < 40; i++) prisms[i] = collision_ground(10 + (double)i);
    size_t size;
    uint8_t *data = collision_bytes(KCL_MKW, prisms, 40, &size);
    kart_error error = {0};
    kart_ctx_init(&ctx);
    ctx.limit = size / 2;
    CHECK(!kcl_parse(&ctx, data, size, KCL_GAMES, &error) && error.code == KART_LIMIT);
    CHECK(ctx.used == 0);
    free(data);

    kart_ctx_init(&ctx);
    kcl_doc *doc = collision_new(&ctx, KCL_MKW, prisms, 40);
    kart_findings findings = {0};
    const volatile sig_atomic_t raised = 1;
    ctx.cancel = &raised;
    CHECK(!kcl_check(doc, &findings, &error) && error.code == KART_CANCELLED);
    kart_findings_free(&ctx, &findings);
    ctx.cancel = NULL;
    CHECK(kcl_check(doc, &findings, &error));
    kart_findings_free(&ctx, &findings);
    done(doc);
}

static const test_case cases[] = {
    CASE(mirrored_octrees_are_mirror_images), CASE(mirror_negates_and_exchanges_edges),
    CASE(exact_moves_take_the_octree_along),  CASE(rounded_moves_turns_and_scales_make_it_stale),
    CASE(maps_carry_triangles_over),          CASE(what_cannot_be_done_changes_nothing),
    CASE(nothing_to_do_is_nothing),           CASE(limits_and_cancelling_end_the_work),
};

void test_kcl_transform(void) { TEST_RUN(cases); }
