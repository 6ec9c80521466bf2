// The KCL document: formats, prisms, octrees, transformations.
#include "collision.h"
#include "kcl/check.h"
#include "kcl/flag.h"
#include "test.h"

#include <float.h>
#include <stdio.h>
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

static void done(kcl_doc *doc) {
    kcl_free(doc);
    CHECK(ctx.used == 0);
}

static bool same_vec(kart_vec3 a, kart_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// --- formats ----------------------------------------------------------------------------------

TEST(formats_are_found_by_name) {
    for (size_t i = 0; i < KCL_GAMES; i++) {
        const kcl_format *f = &kcl_formats[i];
        CHECK(f->game == (kcl_game)i && kcl_format_find(f->name) == f && f->title[0]);
    }
    CHECK(!kcl_format_find("mk64") && !kcl_format_find(""));
}

TEST(every_game_is_guessed_from_its_bytes) {
    for (int game = 0; game < KCL_GAMES; game++) {
        collision_prism prism = collision_ground(100);
        size_t size;
        bool guessed;
        uint8_t *data = collision_bytes((kcl_game)game, &prism, 1, &size);
        const kcl_format *f = kcl_format_guess(data, size, &guessed, NULL);
        if (CHECK(f && kcl_detect(data, size))) CHECK_TEXT(f->name, kcl_formats[game].name);
        kart_ctx_init(&ctx);
        kcl_doc *doc = kcl_parse(&ctx, data, size, KCL_GAMES, NULL);
        if (CHECK(doc)) {
            CHECK(doc->warnings.count == 0 && doc->prisms_count == 1 && doc->models_count == 1);
            CHECK(doc->models[0].thickness == f->thickness && doc->models[0].radius == f->radius);
            CHECK_NEAR(kcl_prism_get(doc, doc->models, 0).height, prism.height, 1e-3);
        }
        done(doc);
        free(data);
    }
}

TEST(fixed_point_without_a_radius_is_named_and_refused) {
    collision_prism prism = collision_ground(100);
    size_t size;
    bool guessed;
    uint8_t *data = collision_bytes(KCL_SM3DL, &prism, 1, &size);
    // A thickness of 40 in steps of 1/65536 and 1/4096, as a bad float, and below 0.
    const struct {
        uint32_t bits;
        kart_code code;
    } thickness[] = {{40 << 16, KART_UNSUPPORTED},
                     {40 << 12, KART_UNSUPPORTED},
                     {UINT32_C(0x7FC00000), KART_UNSUPPORTED},
                     {0, KART_FORMAT},
                     {UINT32_C(0xFFF00000), KART_FORMAT}};
    for (size_t i = 0; i < sizeof thickness / sizeof *thickness; i++) {
        kart_error error = {0};
        kart_store_u32(data + 0x10, false, thickness[i].bits);
        CHECK(!kcl_format_guess(data, size, &guessed, &error) && error.code == thickness[i].code);
        CHECK(kcl_detect(data, size) == (error.code == KART_UNSUPPORTED));
    }
    // A float below 0 is odd, and no more.
    kart_ctx_init(&ctx);
    kart_store_f32(data + 0x10, false, -40);
    kcl_doc *doc = kcl_parse(&ctx, data, size, KCL_GAMES, NULL);
    CHECK(doc && doc->format->game == KCL_SM3DL && doc->guessed && doc->warnings.count == 1);
    done(doc);
    free(data);
}

TEST(short_files_are_no_collision) {
    // From blocks of exactly their size, with all words that a guess looks at.
    for (size_t size = 0; size < 0x80; size++)
        for (int kind = 0; kind < 4; kind++) {
            uint8_t *data = malloc(size ? size : 1);
            if (!data) abort();
            memset(data, kind == 3 ? 0x01 : 0, size);
            if (size >= 16 && kind < 3) {
                if (kind == 0) memcpy(data, "\2\2\0\0", 4);
                for (size_t i = kind == 0; i < 4; i++)
                    kart_store_u32(data + 4 * i, kind == 1, (uint32_t)(size & ~(size_t)3));
            }
            kart_error error = {0};
            kart_ctx_init(&ctx);
            CHECK(!kcl_parse(&ctx, data, size, KCL_GAMES, &error) && error.code == KART_FORMAT);
            for (int game = 0; game < KCL_GAMES; game++)
                CHECK(!kcl_parse(&ctx, data, size, (kcl_game)game, &error));
            CHECK(ctx.used == 0);
            free(data);
        }
}

TEST(numbers_round_and_stay_in_range) {
    const kcl_format *wide = &kcl_formats[KCL_MKW], *fixed = &kcl_formats[KCL_MKDS];
    uint8_t at[4] = {9, 9, 9, 9};
    CHECK(!kcl_store_number(wide, at, 1e39) && !kcl_store_number(fixed, at, 524288) && at[0] == 9);
    CHECK(!kcl_store_normal(fixed, at, 8) && !kcl_store_number(wide, at, (double)NAN) &&
          at[0] == 9);
    CHECK(!kcl_store_number(fixed, at, (double)NAN) && !kcl_store_normal(fixed, at, -8.001));
    CHECK(kcl_store_number(fixed, at, -524288) && kcl_load_number(fixed, at) == -524288);
    CHECK(kcl_store_number(fixed, at, 1.0 / 4096) && kcl_load_number(fixed, at) == 1.0 / 4096);
    CHECK(kcl_store_number(fixed, at, 0.4 / 4096) && kcl_load_number(fixed, at) == 0);
    CHECK(kcl_store_normal(fixed, at, 7.9997) && kcl_load_normal(fixed, at) == 32767 / 4096.0);
    CHECK(kcl_store_number(wide, at, (double)FLT_MAX));
    CHECK(kcl_store_number(wide, at, -1.5) && at[0] == 0xBF && at[1] == 0xC0);
    CHECK(kcl_store_number(fixed, at, 1.5) && at[0] == 0x00 && at[1] == 0x18);
}

TEST(parsing_takes_memory_for_what_is_reached) {
    // Padding behind the last section is a part of it.
    const size_t padding = (size_t)8 << 20;
    collision_prism prism = collision_ground(100);
    size_t size;
    uint8_t *data = collision_bytes(KCL_MKW, &prism, 1, &size), *padded = calloc(1, size + padding);
    if (!padded) abort();
    memcpy(padded, data, size);
    kart_ctx_init(&ctx);
    kcl_doc *doc = kcl_parse(&ctx, padded, size + padding, KCL_GAMES, NULL);
    CHECK(doc && ctx.peak < size + padding + 8192);
    done(doc);
    free(padded);
    free(data);
}

// --- prisms -----------------------------------------------------------------------------------

static kcl_soundness soundness(collision_prism prism, kart_vec3 corner[3]) {
    kart_ctx_init(&ctx);
    kcl_doc *doc = collision_new(&ctx, KCL_MKW, &prism, 1);
    kcl_prism p = kcl_prism_get(doc, doc->models, 0);
    kcl_soundness result = kcl_prism_triangle(doc, doc->models, &p, corner);
    done(doc);
    return result;
}

TEST(corners_are_those_of_the_triangle) {
    kart_vec3 corner[3];
    collision_prism prism = collision_ground(100);
    prism.position = (kart_vec3){-20, 7, 30};
    CHECK(soundness(prism, corner) == KCL_SOUND);
    CHECK(same_vec(corner[0], prism.position));
    CHECK_NEAR(vec3_length(vec3_sub(corner[1], (kart_vec3){-20, 7, 130})), 0, 1e-5);
    CHECK_NEAR(vec3_length(vec3_sub(corner[2], (kart_vec3){80, 7, 30})), 0, 1e-5);
}

// What makes a prism degenerate begins exactly where the header says.
TEST(soundness_has_sharp_thresholds) {
    kart_vec3 corner[3];
    collision_prism prism = collision_ground(100);
    const double just[] = {0.999e-6, 1.001e-6};
    for (int above = 0; above < 2; above++) {
        prism.normal[KCL_BC] = (kart_vec3){1, 0, just[above]}; // almost along AB
        CHECK(soundness(prism, corner) == (above ? KCL_SOUND : KCL_PARALLEL));
        CHECK(above || same_vec(corner[1], corner[0]));
        prism.normal[KCL_BC] = (kart_vec3){just[above], 0, 1}; // almost along CA
        CHECK(soundness(prism, corner) == (above ? KCL_SOUND : KCL_PARALLEL));
    }
    // Half of edge^2.
    prism = collision_ground(sqrt(2 * 0.999e-9));
    CHECK(soundness(prism, corner) == KCL_NO_AREA);
    prism = collision_ground(sqrt(2 * 1.001e-9));
    CHECK(soundness(prism, corner) == KCL_SOUND);
    prism.height = 0;
    CHECK(soundness(prism, corner) == KCL_NO_AREA);
    prism.height = -1;
    CHECK(soundness(prism, corner) == KCL_INVERTED);
    CHECK(corner[1].z < 0 && corner[2].x < 0);
}

TEST(corners_that_run_clockwise_are_inverted) {
    kart_vec3 corner[3];
    collision_prism prism = collision_ground(100), turned = prism;
    turned.normal[KCL_AB] = prism.normal[KCL_CA];
    turned.normal[KCL_CA] = prism.normal[KCL_AB];
    CHECK(soundness(turned, corner) == KCL_INVERTED);
    turned = prism;
    turned.normal[KCL_BC] = (kart_vec3){-0.5, 0, 0.5};
    CHECK(soundness(turned, corner) == KCL_INVERTED);
}

TEST(numbers_that_are_none_make_no_triangle) {
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        kart_vec3 corner[3];
        collision_prism prism = collision_ground(100);
        prism.height = bad[i];
        CHECK(soundness(prism, corner) == KCL_NOT_FINITE);
        prism = collision_ground(100);
        prism.position.y = bad[i];
        CHECK(soundness(prism, corner) == KCL_NOT_FINITE);
        for (int n = 0; n < KCL_NORMALS; n++) {
            prism = collision_ground(100);
            prism.normal[n].x = bad[i];
            CHECK(soundness(prism, corner) == KCL_NOT_FINITE && same_vec(corner[2], corner[0]));
        }
    }
    for (int i = 0; i <= KCL_INVERTED; i++) CHECK(kcl_soundness_text((kcl_soundness)i)[0]);
}

TEST(flags_are_two_bytes) {
    for (int game = 0; game < KCL_GAMES; game++) {
        kcl_doc *doc = ground((kcl_game)game), *copy = kcl_clone(doc, NULL);
        kcl_flag_set(copy, copy->models, 0, 0xABCD);
        size_t differing = 0;
        for (size_t i = 0; i < doc->size; i++) differing += doc->data[i] != copy->data[i];
        CHECK(differing == 2 && kcl_flag_get(copy, copy->models, 0) == 0xABCD);
        CHECK(kcl_flag_get(doc, doc->models, 0) == 0);
        uint16_t *map = calloc(65536, sizeof *map);
        if (!map) abort();
        map[0xABCD] = 7;
        CHECK(kcl_flags_map(copy, map) == 1 && kcl_flag_get(copy, copy->models, 0) == 7);
        free(map);
        kcl_free(copy);
        done(doc);
    }
}

TEST(floors_are_known_for_the_games_with_flags) {
    CHECK(kcl_flag_is_floor(KCL_MKW, 0x2020) && !kcl_flag_is_floor(KCL_MKW, 0x800C));
    CHECK(kcl_flag_is_floor(KCL_MKDS, 0x8000) && !kcl_flag_is_floor(KCL_MKDS, 0x4000));
    CHECK(!kcl_flag_is_floor(KCL_SMG, 0));
}

// --- octrees ----------------------------------------------------------------------------------

typedef struct tile {
    const kcl_doc *doc;
    const kcl_model *model;
    uint32_t seed;
    double volume;
    size_t leaves, wrong;
} tile;

static bool same_leaf(const kcl_leaf *a, const kcl_leaf *b) {
    return a->list == b->list && a->size == b->size && a->depth == b->depth &&
           memcmp(a->cell, b->cell, sizeof a->cell) == 0;
}

// The part of an edge that lies in the area: masks may be narrower than a root cell.
static double inside(const tile *t, const kcl_leaf *leaf, int axis) {
    double width = (double)(uint32_t)~t->model->mask[axis] + 1, low = leaf->cell[axis];
    return fmin(low + (double)leaf->size, width) - low;
}

// Both ends of a leaf and a place in it are looked up: each gives this leaf.
static bool leaf_compare(void *user, const kcl_leaf *leaf) {
    tile *t = user;
    double volume = 1;
    for (int i = 0; i < 3; i++) volume *= inside(t, leaf, i);
    t->volume += volume;
    t->leaves++;
    for (int which = 0; which < 3; which++) {
        int32_t point[3];
        for (int i = 0; i < 3; i++) {
            uint32_t width = (uint32_t)inside(t, leaf, i);
            uint32_t along = which == 0   ? 0
                             : which == 1 ? width - 1
                                          : collision_draw(&t->seed) % width;
            point[i] = (int32_t)(leaf->cell[i] + along);
        }
        kcl_leaf found;
        if (!kcl_octree_find(t->doc, t->model, point, &found) || !same_leaf(&found, leaf))
            t->wrong++;
    }
    return true;
}

static size_t leaves_compared, models_compared;

static void octree_compare(const char *path, kcl_doc *doc) {
    for (size_t m = 0; m < doc->models_count; m++) {
        const kcl_model *model = &doc->models[m];
        tile t = {.doc = doc, .model = model, .seed = 1};
        CHECK(kcl_octree_walk(doc, model, leaf_compare, &t));
        double whole = 1;
        for (int i = 0; i < 3; i++) whole *= (double)(uint32_t)~model->mask[i] + 1;
        // The leaves fill the area, so every lookup comes to one of them.
        if (!CHECK(t.wrong == 0 && t.volume == whole)) printf("    in %s\n", path);
        leaves_compared += t.leaves;
        models_compared++;
        kcl_leaf leaf;
        for (int axis = 0; axis < 3; axis++) {
            int32_t point[3] = {0, 0, 0};
            point[axis] = -1;
            CHECK(!kcl_octree_find(doc, model, point, &leaf));
            point[axis] = (int32_t)(~model->mask[axis] + 1);
            CHECK(!kcl_octree_find(doc, model, point, &leaf));
            point[axis] = INT32_MIN;
            CHECK(!kcl_octree_find(doc, model, point, &leaf));
        }
    }
}

TEST(lookups_and_walks_agree) {
    leaves_compared = models_compared = 0;
    CHECK(collision_each(octree_compare) > 30);
    printf("  octrees: %zu leaves of %zu models, each looked up three times\n", leaves_compared,
           models_compared);
}

static bool stop_at_third(void *user, const kcl_leaf *leaf) {
    (void)leaf;
    return ++*(int *)user < 3;
}

static void walk_stop(const char *path, kcl_doc *doc) {
    (void)path;
    kcl_stats stats;
    int seen = 0;
    CHECK(kcl_stats_get(doc, &stats, NULL));
    if (doc->models_count > 1 || stats.leaves < 4) return;
    CHECK(!kcl_octree_walk(doc, doc->models, stop_at_third, &seen) && seen == 3);
}

TEST(walks_end_when_the_visitor_says_so) { CHECK(collision_each(walk_stop) > 30); }

// The model of a point by cutting boxes in halves, in doubles.
static size_t model_by_boxes(const kcl_doc *doc, size_t group, const double point[3],
                             const double low[3], const double size[3]) {
    double corner[3], half[3];
    size_t child = 0;
    for (size_t i = 0; i < 3; i++) {
        half[i] = size[i] / 2;
        bool far = point[i] >= low[i] + half[i];
        corner[i] = far ? low[i] + half[i] : low[i];
        child |= (size_t)far << i;
    }
    uint32_t word = kart_load_u32(doc->data + group + 4 * child, doc->format->big);
    if (word >> 30 == 0) return model_by_boxes(doc, group + 4 * (size_t)word, point, corner, half);
    return word >> 30 == 2 ? word & 0x3FFFFFFF : SIZE_MAX;
}

static size_t global_points;

static void global_compare(const char *path, kcl_doc *doc) {
    if (!doc->format->v2) return;
    uint32_t seed = 7;
    const double low[3] = {0, 0, 0};
    double size[3];
    for (int i = 0; i < 3; i++) size[i] = ldexp(1, (int)doc->width_shift[i]);
    for (int n = 0; n < 20000; n++, global_points++) {
        int32_t point[3];
        double place[3];
        for (int i = 0; i < 3; i++) {
            point[i] =
                (int32_t)((collision_draw(&seed) ^ collision_draw(&seed) << 7) % (uint32_t)size[i]);
            place[i] = point[i];
        }
        size_t expected = model_by_boxes(doc, doc->global.start, place, low, size);
        if (!CHECK(kcl_global_find(doc, point) == expected)) {
            printf("    in %s\n", path);
            return;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        int32_t point[3] = {0, 0, 0};
        point[axis] = -1;
        CHECK(kcl_global_find(doc, point) == SIZE_MAX);
        point[axis] = (int32_t)size[axis];
        CHECK(kcl_global_find(doc, point) == SIZE_MAX);
    }
}

TEST(global_lookups_agree_with_boxes) {
    global_points = 0;
    CHECK(collision_each(global_compare) > 30);
    printf("  global octrees: %zu points\n", global_points);
}

static const test_case cases[] = {
    CASE(formats_are_found_by_name),
    CASE(every_game_is_guessed_from_its_bytes),
    CASE(fixed_point_without_a_radius_is_named_and_refused),
    CASE(short_files_are_no_collision),
    CASE(numbers_round_and_stay_in_range),
    CASE(parsing_takes_memory_for_what_is_reached),
    CASE(corners_are_those_of_the_triangle),
    CASE(soundness_has_sharp_thresholds),
    CASE(corners_that_run_clockwise_are_inverted),
    CASE(numbers_that_are_none_make_no_triangle),
    CASE(flags_are_two_bytes),
    CASE(floors_are_known_for_the_games_with_flags),
    CASE(lookups_and_walks_agree),
    CASE(walks_end_when_the_visitor_says_so),
    CASE(global_lookups_agree_with_boxes),
};

void test_kcl(void) { TEST_RUN(cases); }
