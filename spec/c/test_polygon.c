// Polygons into triangles: by areas, which add up only where nothing overlaps or sticks out.
#include "collision.h"
#include "core/polygon.h"
#include "test.h"

#include <stdlib.h>

#define MOST 200

static kart_vec3 normal_of(const kart_vec3 *p, const uint32_t *t) {
    return vec3_cross(vec3_sub(p[t[1]], p[t[0]]), vec3_sub(p[t[2]], p[t[0]]));
}

// Twice the area vector by the shoelace formula, about the first corner.
static kart_vec3 shoelace(const kart_vec3 *p, size_t count) {
    kart_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++)
        sum = vec3_add(sum, vec3_cross(vec3_sub(p[i], p[0]), vec3_sub(p[(i + 1) % count], p[0])));
    return sum;
}

// Is the polygon taken apart without a gap: do the triangles all face where it does, and is the sum
// of their areas its area? Gives the smallest area, as a share of the whole.
static double check_split(const kart_vec3 *p, size_t count) {
    kart_ctx ctx;
    kart_polygon polygon = {0};
    double sum = 0, least = HUGE_VAL;
    kart_ctx_init(&ctx);
    if (!CHECK(kart_polygon_split(&ctx, &polygon, p, count, NULL))) return 0;
    kart_vec3 whole = shoelace(p, count);
    double area = vec3_length(whole);
    for (size_t i = 0; i < 3 * (count - 2); i += 3) {
        const uint32_t *t = polygon.triangles + i;
        CHECK(t[0] < count && t[1] < count && t[2] < count);
        kart_vec3 n = normal_of(p, t);
        double part = vec3_length(n);
        CHECK(vec3_dot(n, whole) >= -1e-9 * area * area);
        sum += part;
        if (part < least) least = part;
    }
    CHECK_NEAR(sum, area, 1e-9 * area);
    CHECK(!polygon.crosses);
    kart_polygon_free(&ctx, &polygon);
    CHECK(ctx.used == 0);
    return least / area;
}

// Turned anywhere, and far from 0.
static void check_turned(const kart_vec3 *p, size_t count) {
    static const kart_vec3 turns[] = {{0, 0, 0}, {90, 0, 0}, {0, 0, 90}, {33, 71, -140}};
    kart_vec3 turned[MOST], backwards[MOST];
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        kart_affine map = kart_affine_euler(turns[k]);
        map.m[0][3] = 5000, map.m[1][3] = -300, map.m[2][3] = 12345;
        for (size_t i = 0; i < count; i++) turned[i] = kart_affine_point(&map, p[i]);
        for (size_t i = 0; i < count; i++) backwards[i] = turned[count - 1 - i];
        check_split(turned, count);
        check_split(backwards, count);
    }
}

TEST(convex_polygons_become_a_fan) {
    kart_vec3 p[] = {{0, 0, 0}, {0, 0, 4}, {2, 0, 6}, {4, 0, 4}, {4, 0, 0}};
    kart_ctx ctx;
    kart_polygon polygon = {0};
    kart_ctx_init(&ctx);
    CHECK(kart_polygon_split(&ctx, &polygon, p, 5, NULL));
    static const uint32_t fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    for (size_t i = 0; i < 9; i++) CHECK(polygon.triangles[i] == fan[i]);
    kart_polygon_free(&ctx, &polygon);
    check_turned(p, 5);
}

TEST(concave_polygons_come_out_whole) {
    const kart_vec3 arrow[] = {{0, 0, 0}, {-2, 0, 3}, {0, 0, 1}, {2, 0, 3}};
    const kart_vec3 angle[] = {{0, 0, 0}, {0, 0, 9}, {3, 0, 9}, {3, 0, 3}, {9, 0, 3}, {9, 0, 0}};
    const kart_vec3 comb[] = {{0, 0, 0}, {0, 0, 5}, {1, 0, 5}, {1, 0, 1}, {2, 0, 1}, {2, 0, 5},
                              {3, 0, 5}, {3, 0, 1}, {4, 0, 1}, {4, 0, 5}, {5, 0, 5}, {5, 0, 0}};
    check_turned(arrow, 4);
    check_turned(angle, 6);
    check_turned(comb, 12);
}

TEST(corners_in_the_middle_of_an_edge_leave_no_empty_triangle) {
    const kart_vec3 square[] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 2},
                                {2, 0, 2}, {2, 0, 1}, {2, 0, 0}, {1, 0, 0}};
    const kart_vec3 strip[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {3, 0, 0}};
    check_turned(square, 8);
    CHECK(check_split(square, 8) > 0.05);
    CHECK(check_split(strip, 6) > 0.05);
}

// A square with a square hole, as programs write it: along a bridge and back.
TEST(bridges_to_holes_come_out_whole) {
    const kart_vec3 holed[] = {{0, 0, 0}, {0, 0, 9}, {9, 0, 9}, {9, 0, 0}, {0, 0, 0},
                               {3, 0, 3}, {6, 0, 3}, {6, 0, 6}, {3, 0, 6}, {3, 0, 3}};
    check_turned(holed, 10);
}

// Stars of random radii never cross themselves.
TEST(random_stars_come_out_whole) {
    uint32_t seed = 7;
    for (int round = 0; round < 300; round++) {
        kart_vec3 p[MOST];
        size_t count = 4 + collision_draw(&seed) % (MOST - 4);
        for (size_t i = 0; i < count; i++) {
            double s, c, radius = 1 + collision_draw(&seed) % 1000;
            kart_sincos_degrees(360.0 * (double)i / (double)count, &s, &c);
            p[i] = (kart_vec3){radius * s, 0, radius * c};
        }
        check_turned(p, count);
    }
}

// A spiral: most corners of one side are in the way of ears.
TEST(spirals_come_out_whole) {
    kart_vec3 p[MOST];
    for (size_t i = 0; i < MOST / 2; i++) {
        double s, c;
        kart_sincos_degrees(17.0 * (double)i, &s, &c);
        p[i] = (kart_vec3){(100 + 10 * (double)i) * s, 0, (100 + 10 * (double)i) * c};
        double inner = 60 + 10 * (double)i;
        p[MOST - 1 - i] = (kart_vec3){inner * s, 0, inner * c};
    }
    check_turned(p, MOST);
}

TEST(what_crosses_itself_is_told_and_still_taken_apart) {
    const kart_vec3 bow[] = {{0, 0, 0}, {2, 0, 2}, {2, 0, 0}, {0, 0, 3}};
    const kart_vec3 point[] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    const kart_vec3 line[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1.5, 0, 0}};
    kart_ctx ctx;
    kart_polygon polygon = {0};
    kart_ctx_init(&ctx);
    CHECK(kart_polygon_split(&ctx, &polygon, bow, 4, NULL) && polygon.crosses);
    CHECK(kart_polygon_split(&ctx, &polygon, point, 5, NULL));
    CHECK(kart_polygon_split(&ctx, &polygon, line, 5, NULL));
    kart_polygon_free(&ctx, &polygon);
    CHECK(ctx.used == 0);
}

TEST(corners_have_a_limit_and_long_work_can_be_ended) {
    static kart_vec3 p[KART_POLYGON_LIMIT + 1];
    volatile sig_atomic_t cancel = 0;
    kart_ctx ctx;
    kart_polygon polygon = {0};
    kart_error error = {0};
    kart_ctx_init(&ctx);
    for (size_t i = 0; i <= KART_POLYGON_LIMIT; i++)
        p[i] = (kart_vec3){(double)i, 0, i % 2 ? 5 : (double)(i % 7)};
    CHECK(!kart_polygon_split(&ctx, &polygon, p, KART_POLYGON_LIMIT + 1, &error));
    CHECK(error.code == KART_LIMIT);
    ctx.cancel = &cancel;
    cancel = 1;
    CHECK(!kart_polygon_split(&ctx, &polygon, p, KART_POLYGON_LIMIT, &error));
    CHECK(error.code == KART_CANCELLED);
    kart_polygon_free(&ctx, &polygon);
    CHECK(ctx.used == 0);
}

static const test_case cases[] = {
    CASE(convex_polygons_become_a_fan),
    CASE(concave_polygons_come_out_whole),
    CASE(corners_in_the_middle_of_an_edge_leave_no_empty_triangle),
    CASE(bridges_to_holes_come_out_whole),
    CASE(random_stars_come_out_whole),
    CASE(spirals_come_out_whole),
    CASE(what_crosses_itself_is_told_and_still_taken_apart),
    CASE(corners_have_a_limit_and_long_work_can_be_ended),
};

void test_polygon(void) { TEST_RUN(cases); }
