// Points of a course against what it stands on: surfaces, ground, the start grid, drops and checks.
#include "collision.h"
#include "course.h"
#include "test.h"

#include "core/mesh.h"
#include "course/check.h"
#include "course/drop.h"
#include "kmp/start.h"
#include "kmp/transform.h"

#include <string.h>

static kart_ctx ctx;

// --- grounds ----------------------------------------------------------------------------------

#define MOST 600

typedef struct field {
    kart_vec3 corner[MOST][3];
    uint32_t flag[MOST];
    size_t count;
} field;

static field f;
static kart_tree *tree; // of its triangles

static void corners_get(const void *user, size_t i, kart_vec3 corner[3]) {
    memcpy(corner, ((const field *)user)->corner[i], sizeof f.corner[i]);
}
static uint32_t flag_get(const void *user, uint32_t i) { return ((const field *)user)->flag[i]; }

static void triangle_add(kart_vec3 a, kart_vec3 b, kart_vec3 c, uint32_t flag) {
    const kart_vec3 corner[3] = {a, b, c};
    memcpy(f.corner[f.count], corner, sizeof corner);
    f.flag[f.count++] = flag;
}

// A square that faces up, from (-half, y, -half) to (half, y, half).
static void square_add(double half, double y, uint32_t flag) {
    const kart_vec3 a = {-half, y, -half}, b = {-half, y, half}, c = {half, y, half},
                    d = {half, y, -half};
    triangle_add(a, b, c, flag);
    triangle_add(a, c, d, flag);
}

static bool terrain_make(kart_ctx *c, course_terrain *terrain, kart_error *error) {
    const kart_tree_input input = {.user = &f, .count = f.count, .corners = corners_get};
    tree = kart_tree_build(c, &input, error);
    *terrain = (course_terrain){.tree = tree,
                                .count = f.count,
                                .game = KCL_MKW,
                                .flag = flag_get,
                                .user = &f,
                                .types = COURSE_ALL_TYPES};
    return tree != NULL;
}

enum { ROAD = 0x00, SOLID_FALL = 0x0A, WALL = 0x0C, ITEM_WALL = 0x0E, FALL = 0x10, CANNON = 0x11 };

TEST(surfaces_are_what_the_game_makes_of_them) {
    static const struct {
        kcl_game game;
        uint32_t flag, types;
        unsigned is;
    } rows[] = {
        {KCL_MKW, 0x2060, COURSE_ALL_TYPES, COURSE_GROUND}, // the type counts alone
        {KCL_MKW, SOLID_FALL, COURSE_ALL_TYPES, COURSE_FALL},
        {KCL_MKW, FALL, COURSE_ALL_TYPES, COURSE_FALL},
        {KCL_MKW, WALL, COURSE_ALL_TYPES, COURSE_KART_WALL | COURSE_ITEM_WALL},
        {KCL_MKW, ITEM_WALL, COURSE_ALL_TYPES, COURSE_ITEM_WALL},
        {KCL_MKW, 0x14, COURSE_ALL_TYPES, COURSE_KART_WALL},
        {KCL_MKW, CANNON, COURSE_ALL_TYPES, 0},
        {KCL_MKW, KART_NO_FLAG, COURSE_ALL_TYPES, COURSE_GROUND},
        {KCL_MKW, WALL, 1u << WALL, COURSE_GROUND}, // what the caller wants
        {KCL_MKW, FALL, 1u << WALL, 0},
        {KCL_MKW, KART_NO_FLAG, 1u << ROAD, 0},
        {KCL_MK8, 0x1C, COURSE_ALL_TYPES, COURSE_FALL},
        {KCL_MK8DX, 0x15, COURSE_ALL_TYPES, COURSE_ITEM_WALL},
        {KCL_MK8DX, 0x11, COURSE_ALL_TYPES, COURSE_KART_WALL | COURSE_ITEM_WALL},
        {KCL_MK8, 0x05, COURSE_ALL_TYPES, COURSE_GROUND},
        {KCL_MKDS, 0x8000, COURSE_ALL_TYPES, COURSE_GROUND},
        {KCL_MKDS, 0x0800, COURSE_ALL_TYPES, 0},
        {KCL_SMG, WALL, COURSE_ALL_TYPES, COURSE_GROUND}, // its flags say nothing here
        {KCL_GAMES, FALL, COURSE_ALL_TYPES, COURSE_GROUND},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        f.flag[0] = rows[i].flag;
        const course_terrain terrain = {
            .game = rows[i].game, .flag = flag_get, .user = &f, .types = rows[i].types};
        CHECK(course_surface_of(&terrain, 0) == rows[i].is);
    }
}

TEST(ground_is_found_below_and_above_and_under_a_fall_not) {
    course_terrain terrain;
    kart_ctx_init(&ctx);
    f.count = 0;
    square_add(100, 0, ROAD);
    square_add(100, 50, ROAD);
    square_add(100, 70, WALL); // lies flat, and is none
    square_add(100, -500, FALL);
    square_add(100, -900, ROAD);
    if (!CHECK(terrain_make(&ctx, &terrain, NULL))) return;
    static const struct {
        double y, up, down;
        course_stand stand;
    } rows[] = {
        {20, 100, 100, {true, true, 20, 30, false}},
        {20, 29, 19, {false, false, 0, 0, false}},
        {20, 30, 20, {true, true, 20, 30, false}}, // ends count
        {50, 100, 100, {true, true, 0, 0, false}},
        {80, 100, 100, {true, false, 30, 0, false}},
        {-100, 0, 1000, {false, false, 400, 0, true}},
        {-100, 100, 1000, {false, true, 400, 100, true}},
        {-700, 1000, 1000, {true, true, 200, 700, false}}, // past the fall from beneath
        {-1000, 50, 1e9, {false, false, 0, 0, false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const course_stand expected = rows[i].stand;
        const course_stand found =
            course_stand_find(&terrain, (kart_vec3){1, rows[i].y, 2}, rows[i].up, rows[i].down);
        CHECK(found.below == expected.below && found.above == expected.above);
        CHECK(found.falls == expected.falls && found.depth == expected.depth);
        CHECK(found.rise == expected.rise);
    }
    const kart_vec3 odd[] = {{101, 20, 0}, {(double)NAN, 20, 0}, {0, (double)INFINITY, 0}};
    for (size_t i = 0; i < 3; i++) {
        const course_stand none = course_stand_find(&terrain, odd[i], 1e9, 1e9);
        CHECK(!none.below && !none.above && !none.falls);
    }
    CHECK(course_grounded(&terrain, 99, -99) && !course_grounded(&terrain, 101, 0));
    kart_tree_free(tree);
    CHECK(ctx.used == 0);
}

// --- drops against a loop ---------------------------------------------------------------------

static double draw(uint32_t *seed, double low, double high) {
    return low + (high - low) * collision_draw(seed) / 16777216.0;
}

// The height of a triangle at x, z; false where it isn't.
static bool height_at(const kart_vec3 c[3], double x, double z, double *y) {
    const double ux = c[1].x - c[0].x, uz = c[1].z - c[0].z, vx = c[2].x - c[0].x,
                 vz = c[2].z - c[0].z, whole = ux * vz - uz * vx;
    const double s = ((x - c[0].x) * vz - (z - c[0].z) * vx) / whole;
    const double t = (ux * (z - c[0].z) - uz * (x - c[0].x)) / whole;
    *y = c[0].y + s * (c[1].y - c[0].y) + t * (c[2].y - c[0].y);
    return s >= 0 && t >= 0 && s + t <= 1;
}

// Where a point belongs, found by looking at every triangle; false: nowhere.
static bool drop_by_loop(kart_vec3 p, double up, double down, double *to) {
    double best = (double)INFINITY, fall = -(double)INFINITY, y;
    for (size_t i = 0; i < f.count; i++) {
        if (!height_at(f.corner[i], p.x, p.z, &y)) continue;
        if (f.flag[i] == FALL && y <= p.y && y > fall) fall = y;
    }
    for (size_t i = 0; i < f.count; i++) {
        if (f.flag[i] != ROAD || !height_at(f.corner[i], p.x, p.z, &y)) continue;
        if (y - p.y > up || p.y - y > down || y < fall) continue;
        if (fabs(y - p.y) < best) {
            best = fabs(y - p.y);
            *to = y;
        }
    }
    return best < (double)INFINITY;
}

TEST(drops_are_those_of_a_loop_over_all_triangles) {
    course_terrain terrain;
    uint32_t seed = 7;
    kart_error error;
    kart_ctx_init(&ctx);
    f.count = 0;
    while (f.count < MOST) {
        const kart_vec3 a = {draw(&seed, -1000, 1000), draw(&seed, -500, 500),
                             draw(&seed, -1000, 1000)};
        const double size = 150;
        const kart_vec3 b = {a.x, a.y + draw(&seed, -50, 50), a.z + size},
                        c = {a.x + size, a.y + draw(&seed, -50, 50), a.z};
        triangle_add(a, b, c, f.count % 3 == 0 ? FALL : f.count % 3 == 1 ? WALL : ROAD);
    }
    if (!CHECK(terrain_make(&ctx, &terrain, NULL))) return;
    enum { POINTS = 1500 };
    kmp_doc *doc = course_new(&ctx, KMP_MKW, (course_counts){.enpt = POINTS});
    course_drop_place *places = kart_alloc(&ctx, POINTS * sizeof *places, NULL);
    kart_findings lost = {0};
    for (size_t i = 0; i < POINTS; i++) {
        const kart_vec3 p = {(double)(float)draw(&seed, -1000, 1000),
                             (double)(float)draw(&seed, -500, 500),
                             (double)(float)draw(&seed, -1000, 1000)};
        course_set_vec(doc, KMP_ENPT, i, "position", p);
        places[i] = (course_drop_place){.kind = KMP_ENPT, .index = i};
    }
    const course_drop_options options = {.up = 120, .down = 350, .offset = 5};
    CHECK(course_drop(doc, &terrain, &options, places, POINTS, &lost, &error));
    size_t moved = 0, right = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double to = 0;
        const kart_vec3 from = places[i].from, now = kmp_vec(doc, KMP_ENPT, i, "position");
        const bool found = drop_by_loop(from, options.up, options.down, &to);
        const bool stays = places[i].fate != COURSE_MOVED;
        moved += !stays;
        right += found == (places[i].fate != COURSE_LOST) && now.x == from.x && now.z == from.z &&
                 (stays ? now.y == from.y : fabs(now.y - (to + 5)) < 1e-3) &&
                 now.y == places[i].to.y;
    }
    CHECK(right == POINTS && moved > 200 && lost.count > 200 && moved + lost.count >= POINTS - 9);
    // Once more moves nothing: what was moved is where it is to be.
    kart_findings_free(&ctx, &lost);
    const course_drop_options again = {.up = 20, .down = 20, .offset = 5};
    size_t count = 0;
    for (size_t i = 0; i < POINTS; i++)
        if (places[i].fate == COURSE_MOVED) places[count++] = places[i];
    CHECK(course_drop(doc, &terrain, &again, places, count, &lost, &error));
    for (size_t i = 0; i < count; i++) CHECK(places[i].fate == COURSE_STAYED);
    CHECK(lost.count == 0);
    kart_findings_free(&ctx, &lost);
    kart_free(&ctx, places, POINTS * sizeof *places);
    kmp_free(doc);
    kart_tree_free(tree);
    CHECK(ctx.used == 0);
}

TEST(what_one_point_refuses_no_point_does) {
    course_terrain terrain;
    kart_error error = {0};
    kart_findings lost = {0};
    kart_ctx_init(&ctx);
    f.count = 0;
    square_add(100, 0, ROAD);
    if (!CHECK(terrain_make(&ctx, &terrain, NULL))) return;
    kmp_doc *doc = course_new(&ctx, KMP_MKW, (course_counts){.enpt = 2});
    course_set_vec(doc, KMP_ENPT, 0, "position", (kart_vec3){0, 5, 0});
    course_set_vec(doc, KMP_ENPT, 1, "position", (kart_vec3){0, 9, 0});
    course_drop_place places[] = {{.kind = KMP_ENPT, .index = 0}, {.kind = KMP_ENPT, .index = 1}};
    const course_drop_options far = {.up = 9, .down = 9, .offset = 1e39};
    CHECK(!course_drop(doc, &terrain, &far, places, 2, &lost, &error));
    CHECK(error.code == KART_LIMIT && strstr(error.what, "1e+39"));
    CHECK(kmp_vec(doc, KMP_ENPT, 0, "position").y == 5);
    volatile sig_atomic_t cancel = 1;
    ctx.cancel = &cancel;
    const course_drop_options near = {.up = 9, .down = 9};
    CHECK(!course_drop(doc, &terrain, &near, places, 2, &lost, &error));
    CHECK(error.code == KART_CANCELLED && kmp_vec(doc, KMP_ENPT, 0, "position").y == 5);
    ctx.cancel = NULL;
    CHECK(course_drop(doc, &terrain, &near, places, 2, &lost, &error) && lost.count == 0);
    CHECK(kmp_vec(doc, KMP_ENPT, 1, "position").y == 0);
    CHECK(!course_drop_can(doc, KMP_CKPT) && !course_drop_can(doc, KMP_POTI));
    CHECK(!course_drop_can(doc, KMP_GLPT) && course_drop_can(doc, KMP_POINT));
    kmp_free(doc);
    kart_tree_free(tree);
    CHECK(ctx.used == 0);
}

// --- the start grid ---------------------------------------------------------------------------

static kmp_doc *grid_new(double yaw, int64_t pole, int64_t narrow) {
    const size_t counts[KMP_KINDS] = {[KMP_KTPT] = 1, [KMP_STGI] = 1};
    kmp_doc *doc = kmp_new(&ctx, KMP_MKW, 2520, counts, NULL);
    course_set_vec(doc, KMP_KTPT, 0, "position", (kart_vec3){1000, 20, -300});
    course_set_vec(doc, KMP_KTPT, 0, "rotation", (kart_vec3){0, yaw, 0});
    course_set_int(doc, KMP_STGI, 0, "pole", 0, pole);
    course_set_int(doc, KMP_STGI, 0, "narrow", 0, narrow);
    return doc;
}

TEST(the_start_grid_is_that_of_the_engine) {
    // Beside and behind the start position, as the engine's own formula gives them.
    static const struct {
        int64_t narrow;
        size_t place;
        double left, back;
    } rows[] = {{0, 0, 800, 0},
                {0, 1, 160, 369.50417},
                {0, 2, -480, 739.00834},
                {0, 3, 480, 1484.75209},
                {0, 5, -800, 2223.76043},
                {0, 6, 800, 2900},
                {0, 11, -800, 5123.76043},
                {1, 1, 160, 298.43690},
                {1, 11, -800, 4596.09225}};
    kart_vec3 cell[KMP_START_CELLS];
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kmp_doc *doc = grid_new(90, 0, rows[i].narrow); // along +X: left is -Z
        kmp_start_cells(doc, cell);
        CHECK_NEAR(cell[rows[i].place].x, 1000 - rows[i].back, 1e-4);
        CHECK_NEAR(cell[rows[i].place].z, -300 - rows[i].left, 1e-4);
        CHECK(cell[rows[i].place].y == 20);
        kmp_free(doc);
    }
    CHECK(ctx.used == 0);
}

TEST(the_grid_of_a_mirrored_course_is_the_mirrored_grid) {
    const kart_affine mirror = kart_affine_mirror(0, 0);
    kart_vec3 before[KMP_START_CELLS], after[KMP_START_CELLS];
    kart_ctx_init(&ctx);
    for (int64_t pole = 0; pole < 2; pole++) {
        kmp_doc *doc = grid_new(35, pole, pole);
        kmp_start_cells(doc, before);
        CHECK(kmp_transform(doc, &mirror, NULL, NULL));
        kmp_start_cells(doc, after);
        for (size_t i = 0; i < KMP_START_CELLS; i++) {
            CHECK_NEAR(after[i].x, -before[i].x, 1e-2);
            CHECK_NEAR(after[i].z, before[i].z, 1e-2);
        }
        kmp_free(doc);
    }
    CHECK(ctx.used == 0);
}

// --- checks -----------------------------------------------------------------------------------

static size_t found(const kart_findings *findings, const char *rule) {
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += strcmp(findings->items[i].rule, rule) == 0;
    return count;
}

// A round course whose road has a hole, with a bit of everything beyond its edge.
static kmp_doc *course_make(kart_ctx *c) {
    kmp_doc *doc = course_new(c, KMP_MKW, (course_counts){1, 12, 1, 4, 1});
    if (!doc) return NULL;
    course_set_round(doc);
    course_set_start(doc, 0);
    for (size_t i = 0; i < 4; i++)
        course_set_checkpoint(doc, i, 90 * (double)i, 20000, 30000, (int)i);
    course_set_group(doc, KMP_CKPH, 0, 0, 4, TO(0, END), TO(0, END));
    return doc;
}

TEST(every_allocation_of_a_check_and_a_drop_may_fail) {
    f.count = 0;
    square_add(1200, 0, ROAD);
    triangle_add((kart_vec3){0, 0, 0}, (kart_vec3){0, 9, 0}, (kart_vec3){9, 0, 0}, CANNON | 3 << 5);
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_ctx local;
        kart_error error = {0};
        course_terrain terrain;
        kart_findings findings = {0}, lost = {0};
        test_heap_init(&heap, &local, SIZE_MAX);
        kmp_doc *doc = course_make(&local);
        course_set_vec(doc, KMP_ENPT, 0, "position", (kart_vec3){0, 9, 0});
        if (!CHECK(terrain_make(&local, &terrain, NULL))) return;
        course_drop_place places[] = {{.kind = KMP_ENPT, .index = 0},
                                      {.kind = KMP_KTPT, .index = 0}};
        course_set_vec(doc, KMP_KTPT, 0, "position", (kart_vec3){5000, 0, 0});
        const course_drop_options options = {.up = 9, .down = 9};
        heap.left = n;
        const bool checked = course_check(doc, KMP_MODE_RACE, &terrain, &findings, &error);
        const bool dropped =
            checked && course_drop(doc, &terrain, &options, places, 2, &lost, &error);
        heap.left = SIZE_MAX;
        CHECK((kmp_vec(doc, KMP_ENPT, 0, "position").y == 0) == dropped);
        if (checked)
            CHECK(found(&findings, "ckpt-ground") == 4 && found(&findings, "start-ground") == 1 &&
                  found(&findings, "cannon-missing") == 1 && findings.count == 6);
        kart_findings_free(&local, &findings);
        kart_findings_free(&local, &lost);
        kmp_free(doc);
        kart_tree_free(tree);
        CHECK(heap.blocks == 0 && local.used == 0);
        if (dropped || !CHECK(error.code == KART_MEMORY)) return;
    }
}

static const test_case cases[] = {
    CASE(surfaces_are_what_the_game_makes_of_them),
    CASE(ground_is_found_below_and_above_and_under_a_fall_not),
    CASE(drops_are_those_of_a_loop_over_all_triangles),
    CASE(what_one_point_refuses_no_point_does),
    CASE(the_start_grid_is_that_of_the_engine),
    CASE(the_grid_of_a_mirrored_course_is_the_mirrored_grid),
    CASE(every_allocation_of_a_check_and_a_drop_may_fail),
};

void test_ground(void) { TEST_RUN(cases); }
