#include "course.h"
#include "kmp/laps.h"
#include "test.h"

#include <string.h>

TEST(ghost_checkpoint_is_found_between_quads) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    // Quads that fold back, so that (-4, 1) is between the sides of 1, past its start, and between
    // those of 2, before its start: 2 is found with ratio 0. The lap line stands apart, in no
    // group.
    static const double ends[4][4] = {{0, 2, 0, 0}, {5, 3, 5, -3}, {1, 3, 2, -2}, {0, 5, 5, -4}};
    kmp_doc *doc = course_new(&ctx, KMP_MKW, (course_counts){.ckpt = 5, .ckph = 1});
    if (!CHECK(doc)) return;
    for (size_t i = 0; i < 4; i++) {
        course_set_vec(doc, KMP_CKPT, i, "left", (kart_vec3){ends[i][0], 0, ends[i][1]});
        course_set_vec(doc, KMP_CKPT, i, "right", (kart_vec3){ends[i][2], 0, ends[i][3]});
        course_set_int(doc, KMP_CKPT, i, "type", 0, -1);
    }
    course_set_group(doc, KMP_CKPH, 0, 0, 4, TO(END), TO(END));
    kmp_track *track = kmp_track_new(doc, NULL);
    if (CHECK(track)) {
        double ratio;
        CHECK(track->line == 4 && track->checkpoints[4].group == KMP_NOWHERE);
        CHECK(kmp_track_find(track, 0, (kart_vec3){-4, 0, 1}, &ratio) == 2);
        CHECK_NEAR(ratio, 0, 0);
    }
    kmp_track_free(track);
    kmp_free(doc);
}

TEST(depths_follow_the_first_path) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    // Group 0 leads to 1 and 2, 1 to 3, 3 to 2 (so 2 is three groups away), 4 is led to by none.
    kmp_doc *doc = course_new(&ctx, KMP_MKW, (course_counts){.ckpt = 10, .ckph = 5});
    if (!CHECK(doc)) return;
    course_set_group(doc, KMP_CKPH, 0, 0, 2, TO(2, END), TO(1, 2, END));
    course_set_group(doc, KMP_CKPH, 1, 2, 2, TO(0, END), TO(3, END));
    course_set_group(doc, KMP_CKPH, 2, 4, 2, TO(3, 0, END), TO(0, END));
    course_set_group(doc, KMP_CKPH, 3, 6, 2, TO(1, END), TO(2, END));
    course_set_group(doc, KMP_CKPH, 4, 7, 3, TO(END), TO(0, END)); // 7 is taken already
    kmp_track *track = kmp_track_new(doc, NULL);
    if (CHECK(track)) {
        static const double bases[10] = {0, 0.125, 0.25, 0.375, 0.75, 0.875, 0.5, 0.625};
        for (size_t i = 0; i < 8; i++) {
            CHECK_NEAR(track->checkpoints[i].base, bases[i], 1e-15);
            CHECK_NEAR(track->checkpoints[i].factor, 0.125, 0);
        }
        CHECK_NEAR(track->checkpoints[8].base, -0.25 + 0.25 / 3, 1e-15);
        CHECK(track->checkpoints[7].group == 3 && track->checkpoints[8].group == 4);
        CHECK(kmp_track_leads(track, 1, 2) && kmp_track_leads(track, 1, 4));
        CHECK(kmp_track_leads(track, 5, 0) && !kmp_track_leads(track, 0, 5));
    }
    kmp_track_free(track);
    kmp_free(doc);
}

TEST(chain_without_keys_is_searched_to_its_end) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    // As long as links go: 255 checkpoints by `next`, then a group that ends at 509.
    kmp_doc *doc = course_new(&ctx, KMP_MKW, (course_counts){.ckpt = 65535, .ckph = 2});
    if (!CHECK(doc)) return;
    for (size_t i = 0; i < 65535; i++) {
        course_set_vec(doc, KMP_CKPT, i, "left", (kart_vec3){1, 0, 10.0 * (double)i});
        course_set_vec(doc, KMP_CKPT, i, "right", (kart_vec3){-1, 0, 10.0 * (double)i});
        course_set_int(doc, KMP_CKPT, i, "type", 0, -1);
    }
    course_set_int(doc, KMP_CKPT, 300, "type", 0, 0);
    course_set_group(doc, KMP_CKPH, 0, 0, 255, TO(1, END), TO(1, END));
    course_set_group(doc, KMP_CKPH, 1, 255, 1, TO(0, END), TO(0, END));
    kmp_track *track = kmp_track_new(doc, NULL);
    if (CHECK(track)) {
        double ratio;
        CHECK(kmp_track_find(track, 0, (kart_vec3){0, 0, 2535}, &ratio) == 253);
        CHECK_NEAR(ratio, 0.5, 1e-12);
        CHECK(kmp_track_find(track, 254, (kart_vec3){0, 0, 5}, &ratio) == 0);
        CHECK(kmp_track_find(track, 128, (kart_vec3){9, 0, 9}, &ratio) == KMP_NOWHERE);
    }
    kmp_track_free(track);
    kmp_free(doc);
}

// Checkpoints in groups of one, each linked to `fan` others both ways, most of them without a key:
// the engine would need fan^n visits, or never end.
static kmp_doc *tangle_new(kart_ctx *ctx, size_t count, size_t fan, bool keys) {
    kmp_doc *doc = course_new(ctx, KMP_MKW, (course_counts){1, 12, 1, count, count});
    if (!doc) return NULL;
    course_set_start(doc, 350);
    course_set_round(doc);
    size_t linked = count < 254 ? count : 254;
    for (size_t i = 0; i < count; i++) {
        course_set_checkpoint(doc, i, (double)(i * 37 % 360), 2000, 2001, i == 0 ? 0 : -1);
        if (keys && i % 50 == 49)
            course_set_int(doc, KMP_CKPT, i, "type", 0, (int64_t)(i / 50 % 127));
        course_set_int(doc, KMP_CKPH, i, "start", 0, (int64_t)(i < 256 ? i : i % 256));
        course_set_int(doc, KMP_CKPH, i, "length", 0, i < 256 ? 1 : 255);
        for (size_t slot = 0; slot < fan; slot++) {
            course_set_int(doc, KMP_CKPH, i, "next", slot,
                           (int64_t)((i * 7 + slot * 11 + 1) % linked));
            course_set_int(doc, KMP_CKPH, i, "prev", slot, (int64_t)((i * 5 + slot * 13) % linked));
        }
    }
    return doc;
}

TEST(tangled_checkpoints_end) {
    static const struct {
        size_t count, fan;
        bool keys;
    } cases[] = {{2, 6, false},   {12, 6, false}, {254, 1, false},   {254, 2, false},
                 {254, 6, false}, {254, 6, true}, {65535, 6, false}, {65535, 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kart_ctx ctx;
        kart_ctx_init(&ctx);
        kmp_doc *doc = tangle_new(&ctx, cases[i].count, cases[i].fan, cases[i].keys);
        kmp_track *track = doc ? kmp_track_new(doc, NULL) : NULL;
        if (!CHECK(track)) return;
        for (size_t from = 0; from < cases[i].count; from += 1 + cases[i].count / 20) {
            uint64_t before = track->visits;
            kart_vec3 nowhere = {(double)NAN, 0, 0};
            double ratio;
            CHECK(kmp_track_find(track, from, nowhere, &ratio) == KMP_NOWHERE);
            CHECK(track->visits - before < 50000);
        }
        kmp_track_free(track);
        kmp_lap_options options = {.max_steps = 300};
        kmp_lap_result result;
        CHECK(kmp_laps_simulate(doc, &options, &result, NULL) && result.steps == 300);
        kmp_lap_result_free(&ctx, &result);
        kmp_free(doc);
        CHECK(ctx.used == 0);
    }
}

TEST(drive_ends_where_the_search_costs_too_much) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_doc *doc = tangle_new(&ctx, 254, 6, false);
    if (!CHECK(doc)) return;
    kmp_lap_result result = {0};
    CHECK(kmp_laps_simulate(doc, NULL, &result, NULL) && !result.finished);
    CHECK(result.visits >= KMP_LAP_VISITS_LIMIT && result.steps < 200000);
    CHECK(result.stopped && strstr(result.stopped, "checkpoints"));
    kmp_lap_result_free(&ctx, &result);
    kmp_free(doc);
}

static const test_case cases[] = {
    CASE(ghost_checkpoint_is_found_between_quads),    CASE(depths_follow_the_first_path),
    CASE(chain_without_keys_is_searched_to_its_end),  CASE(tangled_checkpoints_end),
    CASE(drive_ends_where_the_search_costs_too_much),
};

void test_track(void) { TEST_RUN(cases); }
