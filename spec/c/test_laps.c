#include "course.h"
#include "kmp/laps.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

// ---- Courses ----

static int ring_type(size_t i) { return i == 0 ? 0 : i == 4 ? 1 : i == 8 ? 2 : -1; }

// Twelve checkpoints in as many groups of the same size, keys at 4 and 8, start just before the
// line, an enemy point in the middle of each quad.
static kmp_doc *ring_new(kart_ctx *ctx, size_t groups) {
    kmp_doc *doc = course_new(ctx, KMP_MKW, (course_counts){1, 12, 1, 12, groups});
    if (!doc) return NULL;
    course_set_start(doc, 350);
    course_set_round(doc);
    for (size_t i = 0; i < 12; i++)
        course_set_checkpoint(doc, i, 30 * (double)i, 800, 1200, ring_type(i));
    for (size_t i = 0; i < groups; i++)
        course_set_group(doc, KMP_CKPH, i, i * 12 / groups, 12 / groups,
                         TO((int)((i + groups - 1) % groups), END),
                         TO((int)((i + 1) % groups), END));
    return doc;
}

// A ring of groups 0 (checkpoints 0-3), then 1 inside (4-7) and 2 outside (8-11) beside each other,
// then 3 (12-15). The last key stands in group 1 only. The same groups of enemy points, of which
// group 0 goes on to `first`, then `second`.
static kmp_doc *fork_new(kart_ctx *ctx, int first, int second) {
    kmp_doc *doc = course_new(ctx, KMP_MKW, (course_counts){1, 16, 4, 16, 4});
    if (!doc) return NULL;
    course_set_start(doc, 350);
    for (size_t i = 0; i < 16; i++) {
        double degrees = 30 * (double)(i < 8 ? i : i - 4);
        bool inside = i >= 4 && i < 8, outside = i >= 8 && i < 12;
        int type = i == 0 ? 0 : i == 2 ? 1 : i == 4 ? 2 : -1;
        course_set_checkpoint(doc, i, degrees, outside ? 1000 : 800, inside ? 1000 : 1200, type);
        kart_vec3 middle = course_polar(degrees + 15, inside ? 900 : outside ? 1100 : 1000);
        course_set_vec(doc, KMP_ENPT, i, "position", middle);
    }
    course_set_group(doc, KMP_CKPH, 0, 0, 4, TO(3, END), TO(1, 2, END));
    course_set_group(doc, KMP_CKPH, 1, 4, 4, TO(0, END), TO(3, END));
    course_set_group(doc, KMP_CKPH, 2, 8, 4, TO(0, END), TO(3, END));
    course_set_group(doc, KMP_CKPH, 3, 12, 4, TO(1, 2, END), TO(0, END));
    course_set_group(doc, KMP_ENPH, 0, 0, 4, TO(3, END), TO(first, second, END));
    course_set_group(doc, KMP_ENPH, 1, 4, 4, TO(0, END), TO(3, END));
    course_set_group(doc, KMP_ENPH, 2, 8, 4, TO(0, END), TO(3, END));
    course_set_group(doc, KMP_ENPH, 3, 12, 4, TO(1, 2, END), TO(0, END));
    return doc;
}

// As kmp_transform does it for x.
static void mirror(kmp_doc *doc) {
    for (size_t i = 0; i < doc->tables[KMP_CKPT].count; i++) {
        kart_vec3 left = kmp_vec(doc, KMP_CKPT, i, "left");
        kart_vec3 right = kmp_vec(doc, KMP_CKPT, i, "right");
        left.x = -left.x;
        right.x = -right.x;
        course_set_vec(doc, KMP_CKPT, i, "left", right);
        course_set_vec(doc, KMP_CKPT, i, "right", left);
    }
    for (size_t i = 0; i < doc->tables[KMP_ENPT].count; i++) {
        kart_vec3 position = kmp_vec(doc, KMP_ENPT, i, "position");
        position.x = -position.x;
        course_set_vec(doc, KMP_ENPT, i, "position", position);
    }
    kart_vec3 position = kmp_vec(doc, KMP_KTPT, 0, "position");
    kart_vec3 rotation = kmp_vec(doc, KMP_KTPT, 0, "rotation");
    position.x = -position.x;
    rotation.y = -rotation.y;
    course_set_vec(doc, KMP_KTPT, 0, "position", position);
    course_set_vec(doc, KMP_KTPT, 0, "rotation", rotation);
}

// ---- Drives ----

// Events as text: " 4" checkpoint, "k1" key, "+2" lap, "-1" lap back, "!" jump, "?" lost,
// "." found.
static void events_text(const kmp_lap_result *result, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < result->events_count && used + 20 < size; i++) {
        const kmp_lap_event *event = &result->events[i];
        int length = 0;
        switch (event->kind) {
        case KMP_LAP_CHECKPOINT:
            length = snprintf(text + used, size - used, " %zu", event->checkpoint);
            break;
        case KMP_LAP_KEY: length = snprintf(text + used, size - used, "k%d", event->max_key); break;
        case KMP_LAP_UP: length = snprintf(text + used, size - used, "+%d", event->lap); break;
        case KMP_LAP_DOWN: length = snprintf(text + used, size - used, "-%d", event->lap); break;
        case KMP_LAP_JUMP: length = snprintf(text + used, size - used, "!"); break;
        case KMP_LAP_LOST: length = snprintf(text + used, size - used, "?"); break;
        case KMP_LAP_FOUND: length = snprintf(text + used, size - used, "."); break;
        }
        used += (size_t)length;
    }
}

// Drive, take the document away, and leave the events as text (of static storage).
static const char *drive(kmp_doc *doc, const kmp_lap_options *options, kmp_lap_result *summary) {
    static char text[4000];
    text[0] = 0;
    if (!CHECK(doc)) return text;
    kart_error error;
    if (CHECK(kmp_laps_simulate(doc, options, summary, &error))) {
        events_text(summary, text, sizeof text);
        kmp_lap_result copy = *summary;
        kmp_lap_result_free(doc->ctx, &copy);
    }
    kmp_free(doc);
    return text;
}

#define RING_LAP " 1 2 3 4k1 5 6 7 8k2 9 10 11"

TEST(ring_gives_the_first_crossing_and_a_lap_event_per_lap) {
    static const size_t groups[] = {1, 2, 3, 4, 6, 12};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        kart_ctx ctx;
        kart_ctx_init(&ctx);
        kmp_lap_result result = {0};
        const char *events = drive(ring_new(&ctx, groups[i]), NULL, &result);
        CHECK_TEXT(events, " 0+1" RING_LAP " 0+2" RING_LAP " 0+3" RING_LAP " 0+4");
        CHECK(result.finished && result.laps == 3 && !result.stopped);
        CHECK(result.jumps == 0 && result.lost == 0);
        CHECK_NEAR(result.completion, 4, 0.03);
        CHECK_NEAR(result.distance, 3 * 12 * 517.6 + 174, 100); // chords of 30 degrees
        CHECK(result.visits < 2 * result.steps);
        CHECK(ctx.used == 0);
    }
}

TEST(options_say_how_far_and_how_fine) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_lap_result result = {0}, fine = {0};
    kmp_lap_options one = {.laps = 1}, slow = {.laps = 1, .step = 10}, few = {.max_steps = 5};
    CHECK_TEXT(drive(ring_new(&ctx, 3), &one, &result), " 0+1" RING_LAP " 0+2");
    CHECK_TEXT(drive(ring_new(&ctx, 3), &slow, &fine), " 0+1" RING_LAP " 0+2");
    CHECK(result.laps == 1 && fine.laps == 1 && fine.steps > 8 * result.steps);
    CHECK_TEXT(drive(ring_new(&ctx, 3), &few, &result), " 0+1");
    CHECK(!result.finished && result.steps == 5 && result.laps == 0);
    CHECK(result.stopped && strstr(result.stopped, "steps"));
}

TEST(mirrored_ring_gives_the_same_events) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_lap_result plain = {0}, mirrored = {0};
    char events[4000];
    snprintf(events, sizeof events, "%s", drive(fork_new(&ctx, 1, 1), NULL, &plain));
    kmp_doc *doc = fork_new(&ctx, 1, 1);
    if (!CHECK(doc)) return;
    mirror(doc);
    CHECK_TEXT(drive(doc, NULL, &mirrored), events);
    CHECK(mirrored.finished && mirrored.steps == plain.steps);
    CHECK_NEAR(mirrored.distance, plain.distance, 0);
    CHECK_NEAR(mirrored.completion, plain.completion, 1e-12);
}

TEST(driver_takes_the_branch_entered_least) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_lap_result result = {0};
    // The outer lane has no last key, so only every other round counts.
    CHECK_TEXT(drive(fork_new(&ctx, 1, 2), NULL, &result),
               " 0+1 1 2k1 3 4k2 5 6 7 12 13 14 15"
               " 0+2 1 2k1 3 8 9 10 11 12 13 14 15 0 1 2 3 4k2 5 6 7 12 13 14 15"
               " 0+3 1 2k1 3 8 9 10 11 12 13 14 15 0 1 2 3 4k2 5 6 7 12 13 14 15 0+4");
    CHECK(result.finished && result.jumps == 0 && result.lost == 0);
}

TEST(round_without_the_last_key_gives_no_lap) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_lap_result result = {0};
    kmp_lap_options options = {.max_steps = 150};
    CHECK_TEXT(drive(fork_new(&ctx, 2, 2), &options, &result),
               " 0+1 1 2k1 3 8 9 10 11 12 13 14 15 0 1 2 3 8 9 10 11 12 13 14 15 0");
    CHECK(!result.finished && result.laps == 0 && result.jumps == 0);
}

TEST(branch_of_fewer_groups_makes_the_completion_jump) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_error error;
    kmp_lap_result result = {0};
    // The outer lane as two groups, and first in order: so the join is three groups from the start.
    kmp_doc *doc = course_new(&ctx, KMP_MKW, (course_counts){1, 12, 1, 16, 5});
    kmp_doc *fork = fork_new(&ctx, 1, 1);
    if (!CHECK(doc && fork)) return;
    for (size_t i = 0; i < 16; i++)
        memcpy(kmp_row(doc, KMP_CKPT, i), kmp_row(fork, KMP_CKPT, i),
               fork->tables[KMP_CKPT].stride);
    memcpy(kmp_row(doc, KMP_KTPT, 0), kmp_row(fork, KMP_KTPT, 0), fork->tables[KMP_KTPT].stride);
    for (size_t i = 0; i < 12; i++)
        course_set_vec(doc, KMP_ENPT, i, "position",
                       kmp_vec(fork, KMP_ENPT, i < 8 ? i : i + 4, "position"));
    kmp_free(fork);
    course_set_group(doc, KMP_ENPH, 0, 0, 12, TO(0, END), TO(0, END));
    course_set_group(doc, KMP_CKPH, 0, 0, 4, TO(4, END), TO(2, 1, END));
    course_set_group(doc, KMP_CKPH, 1, 4, 4, TO(0, END), TO(4, END));
    course_set_group(doc, KMP_CKPH, 2, 8, 2, TO(0, END), TO(3, END));
    course_set_group(doc, KMP_CKPH, 3, 10, 2, TO(2, END), TO(4, END));
    course_set_group(doc, KMP_CKPH, 4, 12, 4, TO(1, 3, END), TO(0, END));
    course_set_int(doc, KMP_CKPT, 9, "next", 0, NO_RECORD);
    course_set_int(doc, KMP_CKPT, 10, "prev", 0, NO_RECORD);

    if (CHECK(kmp_laps_simulate(doc, NULL, &result, &error))) {
        CHECK(result.finished && result.jumps == 3);
        for (size_t i = 0; i < result.events_count; i++) {
            if (result.events[i].kind != KMP_LAP_JUMP) continue;
            CHECK(result.events[i].checkpoint == 12);
            CHECK_NEAR(result.events[i].change, 0.25, 0.06); // a group of four
        }
        kmp_lap_result_free(&ctx, &result);
    }
    kmp_free(doc);
}

// ---- Racers ----

typedef struct racing {
    kart_ctx ctx;
    kmp_doc *doc;
    kmp_track *track;
    kmp_racer racer;
} racing;

static bool racing_start(racing *r, double degrees) {
    kart_ctx_init(&r->ctx);
    r->doc = ring_new(&r->ctx, 3);
    r->track = r->doc ? kmp_track_new(r->doc, NULL) : NULL;
    if (!CHECK(r->track)) return false;
    r->racer = kmp_racer_start(r->track, course_polar(degrees, 1000));
    return true;
}

static void racing_end(racing *r) {
    kmp_track_free(r->track);
    kmp_free(r->doc);
}

static bool racing_drive(racing *r, double from, double to) {
    double step = to > from ? 5 : -5;
    bool found = true;
    for (double at = from; step > 0 ? at <= to : at >= to; at += step)
        found = kmp_racer_step(r->track, &r->racer, course_polar(at, 1000)) && found;
    return found;
}

TEST(racer_starts_as_the_engine_has_it) {
    racing r;
    if (!racing_start(&r, -7)) return;
    CHECK(r.racer.checkpoint == 11 && r.racer.lap == 0 && r.racer.max_key == 2);
    CHECK_NEAR(r.racer.completion, 0.999999, 0);
    CHECK(r.racer.factor < 0);
    r.racer = kmp_racer_start(r.track, course_polar(0, 1e6));
    CHECK(r.racer.checkpoint == 0);
    CHECK(r.track->last_key == 2 && r.track->line == 0);
    racing_end(&r);
}

TEST(completion_grows_with_the_way) {
    racing r;
    if (!racing_start(&r, -7)) return;
    for (int degrees = 1; degrees < 360; degrees++) {
        CHECK(kmp_racer_step(r.track, &r.racer, course_polar(degrees, 1000)));
        if (!CHECK(fabs(r.racer.race_completion - (1 + degrees / 360.0)) < 0.002)) break;
    }
    racing_end(&r);
}

TEST(backwards_over_the_line_lowers_the_lap) {
    racing r;
    if (!racing_start(&r, -7)) return;
    CHECK(racing_drive(&r, -7, 17) && r.racer.lap == 1 && r.racer.max_key == 0);
    CHECK(racing_drive(&r, 17, -17) && r.racer.lap == 0 && r.racer.max_key == 2);
    CHECK(racing_drive(&r, -17, 17) && r.racer.lap == 1);
    CHECK(racing_drive(&r, 17, -377) && r.racer.lap == -1);
    CHECK(racing_drive(&r, -377, 17) && r.racer.lap == 1);
    CHECK(racing_drive(&r, 17, 377) && r.racer.lap == 2);
    racing_end(&r);
}

TEST(completion_that_rises_like_a_crossing_lowers_the_lap) {
    racing r;
    if (!racing_start(&r, -7)) return;
    // To checkpoint 11, at 0.992: it doesn't hold the line, only the change of completion counts.
    CHECK(racing_drive(&r, -7, 327) && r.racer.checkpoint == 10 && r.racer.lap == 1);
    static const double before[] = {0.06, 0.03};
    for (int i = 0; i < 2; i++) {
        kmp_racer racer = r.racer;
        racer.completion = before[i];
        racer.max_key = 1;
        CHECK(kmp_racer_step(r.track, &racer, course_polar(357, 1000)) && racer.checkpoint == 11);
        CHECK(racer.lap == (i == 0 ? 1 : 0) && racer.max_key == (i == 0 ? 1 : 2));
    }
    racing_end(&r);
}

TEST(search_ends_at_keys) {
    racing r;
    if (!racing_start(&r, 10)) return;
    CHECK(racing_drive(&r, 10, 70) && r.racer.checkpoint == 2);
    // Ahead: checkpoint 4 is a key; it may be entered, but not passed over.
    CHECK(!kmp_racer_step(r.track, &r.racer, course_polar(155, 1000)) && r.racer.checkpoint == 2);
    CHECK(kmp_racer_step(r.track, &r.racer, course_polar(130, 1000)) && r.racer.checkpoint == 4);
    CHECK(r.racer.max_key == 1);
    // Back: the line may be entered, too.
    CHECK(kmp_racer_step(r.track, &r.racer, course_polar(110, 1000)) && r.racer.checkpoint == 3);
    CHECK(!kmp_racer_step(r.track, &r.racer, course_polar(-20, 1000)) && r.racer.checkpoint == 3);
    CHECK(kmp_racer_step(r.track, &r.racer, course_polar(20, 1000)) && r.racer.checkpoint == 0);
    racing_end(&r);
}

TEST(positions_outside_of_everything_change_nothing) {
    racing r;
    if (!racing_start(&r, 10)) return;
    CHECK(racing_drive(&r, 10, 70));
    const double nan = (double)NAN, inf = HUGE_VAL;
    const kart_vec3 places[] = {{nan, 0, 0},    {0, 0, nan}, {nan, nan, nan}, {inf, 0, 0},
                                {-inf, 0, inf}, {1e6, 0, 0}, {0, 0, 0},       {1e300, 0, -1e300}};
    kmp_racer before = r.racer;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(!kmp_racer_step(r.track, &r.racer, places[i]));
        CHECK(r.racer.checkpoint == before.checkpoint && r.racer.lap == before.lap);
        CHECK(r.racer.max_key == before.max_key);
        CHECK_NEAR(r.racer.race_completion, before.race_completion, 0);
        CHECK_NEAR(r.racer.completion, before.completion, 0);
    }
    racing_end(&r);
}

TEST(height_plays_no_part) {
    racing r;
    if (!racing_start(&r, 10)) return;
    kart_vec3 high = course_polar(40, 1000);
    high.y = (double)NAN;
    CHECK(kmp_racer_step(r.track, &r.racer, high) && r.racer.checkpoint == 1);
    racing_end(&r);
}

// ---- What a file may hold ----

TEST(course_that_cannot_be_driven_is_unsupported) {
    static const struct {
        kmp_game game;
        course_counts counts;
        int type; // of the first checkpoint
        bool has_points;
        const char *what;
    } cases[] = {
        {KMP_MK7, {1, 1, 1, 1, 1}, 0, true, "Mario Kart Wii only"},
        {KMP_MKW, {1, 1, 1, 0, 0}, 0, true, "no checkpoints"},
        {KMP_MKW, {1, 1, 1, 1, 0}, 0, true, "no checkpoint groups"},
        {KMP_MKW, {1, 1, 1, 1, 1}, 1, true, "lap line"},
        {KMP_MKW, {0, 1, 1, 1, 1}, 0, true, "no start position"},
        {KMP_MKW, {1, 1, 0, 1, 1}, 0, true, "no enemy route"},
        {KMP_MKW, {1, 0, 1, 1, 1}, 0, true, "no enemy point"},
        {KMP_MKW, {1, 1, 1, 1, 1}, 0, false, "no enemy point"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kart_ctx ctx;
        kart_ctx_init(&ctx);
        kart_error error = {0};
        kmp_lap_result result = {0};
        kmp_doc *doc = course_new(&ctx, cases[i].game, cases[i].counts);
        if (!CHECK(doc)) return;
        if (cases[i].counts.ckpt) course_set_int(doc, KMP_CKPT, 0, "type", 0, cases[i].type);
        if (cases[i].counts.enph && cases[i].has_points)
            course_set_int(doc, KMP_ENPH, 0, "length", 0, 1);
        CHECK(!kmp_laps_simulate(doc, NULL, &result, &error));
        CHECK(error.code == KART_UNSUPPORTED);
        if (!CHECK(strstr(error.what, cases[i].what))) printf("    found: %s\n", error.what);
        CHECK(!result.events && !result.steps);
        kmp_free(doc);
        CHECK(ctx.used == 0);
    }
}

TEST(links_to_nowhere_are_left_out) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_doc *doc = ring_new(&ctx, 4);
    if (!CHECK(doc)) return;
    kmp_insert(doc, KMP_CKPH, 4, 1, NULL); // an empty group
    kmp_insert(doc, KMP_ENPH, 1, 2, NULL);
    course_set_int(doc, KMP_ENPH, 1, "start", 0, 200);
    course_set_int(doc, KMP_ENPH, 1, "length", 0, 200);
    for (size_t i = 0; i < 4; i++) {
        course_set_int(doc, KMP_CKPH, i, "next", 2, 77);
        course_set_int(doc, KMP_CKPH, i, "next", 3, 4);
        course_set_int(doc, KMP_CKPH, i, "prev", 4, 254);
    }
    for (size_t i = 1; i < 4; i++) course_set_int(doc, KMP_ENPH, 0, "next", i, (int64_t)i);
    course_set_int(doc, KMP_ENPH, 0, "length", 0, 255);
    kmp_lap_result result = {0};
    CHECK_TEXT(drive(doc, NULL, &result), " 0+1" RING_LAP " 0+2" RING_LAP " 0+3" RING_LAP " 0+4");
    CHECK(result.finished);
}

TEST(enemy_route_that_ends_stops_the_drive) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_lap_result result = {0};
    kmp_doc *doc = ring_new(&ctx, 1);
    if (!CHECK(doc)) return;
    course_set_int(doc, KMP_ENPH, 0, "next", 0, NO_RECORD);
    course_set_int(doc, KMP_ENPH, 0, "length", 0, 4);
    CHECK_TEXT(drive(doc, NULL, &result), " 0+1 1 2 3");
    CHECK(!result.finished && result.stopped && strstr(result.stopped, "ends"));
}

TEST(enemy_points_that_are_no_numbers_end_the_drive_at_its_limit) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    const double values[] = {(double)NAN, HUGE_VAL, 3e38};
    for (size_t v = 0; v < 3; v++) {
        kmp_lap_result result = {0};
        kmp_lap_options options = {.max_steps = 1000};
        kmp_doc *doc = ring_new(&ctx, 1);
        if (!CHECK(doc)) return;
        for (size_t i = 1; i < 12; i++)
            course_set_vec(doc, KMP_ENPT, i, "position", (kart_vec3){values[v], 0, values[v]});
        CHECK(strncmp(drive(doc, &options, &result), " 0+1?", 5) == 0);
        CHECK(result.steps == 1000 && !result.finished);
    }
}

TEST(events_have_a_limit) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kmp_lap_result result = {0};
    kmp_doc *doc = ring_new(&ctx, 1);
    if (!CHECK(doc)) return;
    // One point of a round is a number: lost and found by turns.
    for (size_t i = 1; i < 12; i++)
        course_set_vec(doc, KMP_ENPT, i, "position", (kart_vec3){(double)NAN, 0, 0});
    course_set_int(doc, KMP_ENPH, 0, "length", 0, 2);
    drive(doc, NULL, &result);
    CHECK(result.events_count >= KMP_LAP_EVENTS_LIMIT);
    CHECK(result.events_count < KMP_LAP_EVENTS_LIMIT + 10);
    CHECK(result.stopped && strstr(result.stopped, "events"));
}

// ---- Memory and cancelling ----

TEST(every_allocation_may_fail) {
    for (size_t left = 0;; left++) {
        test_heap heap;
        kart_ctx ctx;
        kart_error error = {0};
        kmp_lap_result result;
        test_heap_init(&heap, &ctx, SIZE_MAX);
        kmp_doc *doc = fork_new(&ctx, 1, 2);
        if (!CHECK(doc)) return;
        size_t used = ctx.used;
        heap.left = left;
        bool done = kmp_laps_simulate(doc, NULL, &result, &error);
        if (done)
            CHECK(result.finished);
        else
            CHECK(error.code == KART_MEMORY && !result.events);
        kmp_lap_result_free(&ctx, &result);
        CHECK(ctx.used == used);
        kmp_free(doc);
        CHECK(ctx.used == 0 && heap.blocks == 0);
        if (done) {
            CHECK(left >= 5); // track, checkpoints, stack, groups, enemy groups, events
            return;
        }
    }
}

TEST(drive_can_be_cancelled) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    volatile sig_atomic_t raised = 1;
    kart_error error = {0};
    kmp_lap_result result;
    kmp_doc *doc = ring_new(&ctx, 1);
    if (!CHECK(doc)) return;
    ctx.cancel = &raised;
    CHECK(!kmp_laps_simulate(doc, NULL, &result, &error));
    CHECK(error.code == KART_CANCELLED && !result.events && result.steps == 0);
    kmp_free(doc);
    CHECK(ctx.used == 0);
}

static const test_case cases[] = {
    CASE(ring_gives_the_first_crossing_and_a_lap_event_per_lap),
    CASE(options_say_how_far_and_how_fine),
    CASE(mirrored_ring_gives_the_same_events),
    CASE(driver_takes_the_branch_entered_least),
    CASE(round_without_the_last_key_gives_no_lap),
    CASE(branch_of_fewer_groups_makes_the_completion_jump),
    CASE(racer_starts_as_the_engine_has_it),
    CASE(completion_grows_with_the_way),
    CASE(backwards_over_the_line_lowers_the_lap),
    CASE(completion_that_rises_like_a_crossing_lowers_the_lap),
    CASE(search_ends_at_keys),
    CASE(positions_outside_of_everything_change_nothing),
    CASE(height_plays_no_part),
    CASE(course_that_cannot_be_driven_is_unsupported),
    CASE(links_to_nowhere_are_left_out),
    CASE(enemy_route_that_ends_stops_the_drive),
    CASE(enemy_points_that_are_no_numbers_end_the_drive_at_its_limit),
    CASE(events_have_a_limit),
    CASE(every_allocation_may_fail),
    CASE(drive_can_be_cancelled),
};

void test_laps(void) { TEST_RUN(cases); }
