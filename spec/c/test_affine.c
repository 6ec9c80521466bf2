// Affine maps and euler angles, against plain matrix arithmetic.
#include "core/affine.h"
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// A generator of our own, so that every machine draws the same numbers.
static uint64_t state = 1;

static double draw(double low, double high) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

// Largest difference of two linear parts.
static double difference(const kart_affine *a, const kart_affine *b) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) most = fmax(most, fabs(a->m[i][j] - b->m[i][j]));
    return most;
}

// As a file holds it. Volatile, because gcc 12 at -O2 drops the way there and back when it makes
// vectors of it.
static kart_vec3 rounded(kart_vec3 v) {
    volatile float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    return (kart_vec3){(double)x, (double)y, (double)z};
}

// Every kind of triple: in general position, at the poles, on quarter turns, of other turns.
static kart_vec3 draw_triple(int i) {
    kart_vec3 d = {draw(-400, 400), draw(-400, 400), draw(-400, 400)};
    if (i % 4 == 1) d.y = (i & 8 ? 90 : -90) + (i & 16 ? draw(-1e-5, 1e-5) : 0);
    if (i % 4 == 2) d.x = 90 * floor(draw(-5, 5)), d.z = 90 * floor(draw(-5, 5));
    if (i % 8 == 3) d.x = d.z = 0;
    return rounded(d);
}

TEST(euler_quarter_turns_are_exact) {
    for (int x = -4; x <= 4; x++)
        for (int y = -4; y <= 4; y++) {
            kart_affine r = kart_affine_euler((kart_vec3){90.0 * x, 90.0 * y, 90});
            for (int i = 0; i < 9; i++) {
                double value = fabs(r.m[i / 3][i % 3]);
                CHECK(value == 0 || value == 1);
            }
        }
}

TEST(rotation_about_an_axis_is_the_euler_rotation) {
    kart_affine a = kart_affine_rotation((kart_vec3){0, 3, 0}, 33);
    kart_affine b = kart_affine_euler((kart_vec3){0, 33, 0});
    CHECK(difference(&a, &b) < 1e-15);
    a = kart_affine_rotation((kart_vec3){1, 0, 0}, 90);
    kart_vec3 p = kart_affine_point(&a, (kart_vec3){5, 7, -0.0});
    CHECK(p.x == 5 && p.y == 0 && p.z == 7);
}

TEST(mirror_keeps_zeros_and_comes_back_bit_for_bit) {
    kart_affine m = kart_affine_mirror(0, 0);
    const double values[] = {0.0, -0.0, 1.5, -30810.25, 1e-40};
    for (int i = 0; i < 5; i++) {
        kart_vec3 p = {values[i], values[4 - i], values[i]}, q = kart_affine_point(&m, p);
        CHECK(q.x == -p.x && memcmp(&q.y, &p.y, 8) == 0 && memcmp(&q.z, &p.z, 8) == 0);
        q = kart_affine_point(&m, q);
        CHECK(memcmp(&p, &q, sizeof p) == 0);
    }
}

TEST(orientation_carries_forward_and_up_and_turns_local_x) {
    // R' = A * R * diag(-1, 1, 1) for reflections, A * R for rotations.
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        kart_vec3 old = draw_triple(i), axis = {draw(-1, 1), draw(-1, 1), draw(-1, 1)};
        kart_affine a = kart_affine_rotation(axis, draw(-360, 360));
        if (i % 3 == 0) a = kart_affine_mirror(i & 1 ? 0 : 2, draw(-100, 100));
        if (i % 3 == 1) a = kart_affine_rotation((kart_vec3){0, 1, 0}, 90 * (i % 5));
        if (i % 6 == 5) {
            kart_affine m = kart_affine_mirror(0, 0);
            a = kart_affine_multiply(&a, &m);
        }
        kart_vec3 scales, turned = rounded(kart_affine_orientation(&a, old, &scales));
        CHECK(scales.x == 1 && scales.y == 1 && scales.z == 1);
        kart_affine r = kart_affine_euler(old), expected = kart_affine_multiply(&a, &r);
        if (kart_affine_determinant(&a) < 0)
            for (int row = 0; row < 3; row++) expected.m[row][0] *= -1;
        kart_affine got = kart_affine_euler(turned);
        worst = fmax(worst, difference(&expected, &got));
    }
    printf("  orientation: worst matrix element off by %.2g\n", worst);
    CHECK(worst < 1e-6);
}

// Does `a` carry the orientation `old` to a triple of the rotation that it should be?
static bool carries(const kart_affine *a, kart_vec3 old, kart_vec3 *turned) {
    kart_affine r = kart_affine_euler(old), expected = kart_affine_multiply(a, &r);
    *turned = kart_affine_orientation(a, old, NULL);
    kart_affine got = kart_affine_euler(*turned);
    return difference(&expected, &got) < 1e-6;
}

TEST(orientation_follows_turns_however_small) {
    static const double angles[] = {0.002,   -0.002,  0.0001, 1e-5,    89.998, 90.0001,
                                    179.998, 180.002, 180,    -179.99, 269.999};
    for (int i = 0; i < 4000; i++) {
        kart_vec3 old = draw_triple(i), turned;
        kart_vec3 axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        double degrees = angles[i % 11];
        // Hardly off the vertical.
        if (i % 5 == 0) axis = (kart_vec3){draw(-1e-4, 1e-4), 1, draw(-1e-4, 1e-4)};
        // Hardly anything, about an axis that lies.
        if (i % 7 == 0) axis = (kart_vec3){draw(-1, 1), 0, 1}, degrees = draw(-0.003, 0.003);
        kart_affine a = kart_affine_rotation(axis, degrees);
        if (!CHECK(carries(&a, old, &turned))) {
            printf("    %.9g about %.9g, %.9g, %.9g\n", degrees, axis.x, axis.y, axis.z);
            return;
        }
    }
}

TEST(orientation_leaves_angles_that_a_turn_does_not_touch) {
    // A turn about z comes last: it adds to the third angle, and the others are the same numbers.
    for (int i = 0; i < 1000; i++) {
        kart_vec3 old = {draw(-89, 89), draw(-89, 89), draw(-89, 89)}, turned;
        double degrees = draw(-80, 80);
        kart_affine a = kart_affine_rotation((kart_vec3){0, 0, 1}, degrees);
        CHECK(carries(&a, old, &turned));
        CHECK(turned.x == old.x && turned.y == old.y);
        CHECK_NEAR(turned.z, old.z + degrees, 1e-9);
    }
}

TEST(orientation_keeps_z_at_a_pole_and_only_there) {
    static const double from_pole[] = {0, 0, 1e-4, 0.01};
    for (int i = 0; i < 4000; i++) {
        // From anywhere to a pole or beside it, with the noise of two products.
        kart_vec3 old = {draw(-180, 180), draw(-80, 80), draw(-180, 180)}, turned;
        double y = 90 - from_pole[i % 4];
        kart_affine to =
            kart_affine_euler((kart_vec3){draw(-180, 180), i & 8 ? y : -y, draw(0, 90)});
        kart_affine from = kart_affine_euler(old), back;
        if (!CHECK(kart_affine_invert(&from, &back))) return;
        kart_affine a = kart_affine_multiply(&to, &back);
        CHECK(carries(&a, old, &turned));
        if (y == 90) CHECK(turned.z == old.z);
    }
}

TEST(orientation_mirrors_by_components) {
    kart_affine x = kart_affine_mirror(0, 0), z = kart_affine_mirror(2, 0);
    kart_vec3 r = kart_affine_orientation(&x, (kart_vec3){10, 20, 30}, NULL);
    CHECK(r.x == 10 && r.y == -20 && r.z == -30);
    r = kart_affine_orientation(&z, (kart_vec3){10, 20, 30}, NULL);
    CHECK(r.x == 10 && r.y == 160 && r.z == 30);
    r = kart_affine_orientation(&x, (kart_vec3){0, -180, 180}, NULL);
    CHECK(r.y == -180 && r.z == 180); // a half turn stays as it is written
    // Values of another turn come back.
    const double yaws[] = {180, -180, 0, -0.0, 196, 270, -247, 540, 1e4};
    for (int i = 0; i < 9; i++) {
        kart_vec3 old = {0, yaws[i], 0};
        r = kart_affine_orientation(&z, kart_affine_orientation(&z, old, NULL), NULL);
        CHECK(fabs(r.y - yaws[i]) < 1e-9 && signbit(r.y) == signbit(yaws[i]));
    }
}

TEST(orientation_twice_along_z_is_near) {
    kart_affine z = kart_affine_mirror(2, 0);
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        kart_vec3 old = rounded((kart_vec3){0, draw(-180, 180), 0});
        kart_vec3 once = rounded(kart_affine_orientation(&z, old, NULL));
        kart_vec3 twice = rounded(kart_affine_orientation(&z, once, NULL));
        worst = fmax(worst, fabs(twice.y - old.y));
    }
    printf("  mirror z twice: worst yaw off by %.2g degrees\n", worst);
    CHECK(worst < 7.7e-6); // half a unit in the last place of an angle above 128
}

TEST(orientation_takes_scales_along_the_local_axes) {
    kart_affine s = kart_affine_scale((kart_vec3){2, 3, 5});
    kart_vec3 scales;
    kart_affine_orientation(&s, (kart_vec3){0, 90, 0}, &scales); // local x along -z, z along x
    CHECK_NEAR(scales.x, 5, 1e-12);
    CHECK_NEAR(scales.y, 3, 1e-12);
    CHECK_NEAR(scales.z, 2, 1e-12);
    s = kart_affine_scale((kart_vec3){2, 2, 2});
    kart_vec3 r = kart_affine_orientation(&s, (kart_vec3){1, 2, 3}, &scales);
    CHECK(scales.x == 2 && r.x == 1 && r.y == 2 && r.z == 3);
}

TEST(invert_and_about) {
    kart_affine a = kart_affine_rotation((kart_vec3){1, 2, 3}, 50), inverse;
    a = kart_affine_about(&a, (kart_vec3){100, 0, -5});
    kart_vec3 fixed = kart_affine_point(&a, (kart_vec3){100, 0, -5});
    CHECK_NEAR(fixed.x, 100, 1e-12);
    CHECK_NEAR(fixed.z, -5, 1e-12);
    CHECK(kart_affine_invert(&a, &inverse));
    kart_vec3 p = kart_affine_point(&a, (kart_vec3){7, 8, 9});
    p = kart_affine_point(&inverse, p);
    CHECK_NEAR(p.x, 7, 1e-12);
    CHECK_NEAR(p.y, 8, 1e-12);
    a = kart_affine_scale((kart_vec3){1, 0, 1});
    CHECK(!kart_affine_invert(&a, &inverse));
}

TEST(similarity_is_told_from_stretching) {
    double k;
    kart_affine a = kart_affine_rotation((kart_vec3){1, 2, 3}, 50);
    CHECK(kart_affine_similar(&a, &k) && k == 1);
    kart_affine s = kart_affine_scale((kart_vec3){2.5, 2.5, 2.5});
    a = kart_affine_multiply(&a, &s);
    CHECK(kart_affine_similar(&a, &k) && fabs(k - 2.5) < 1e-12);
    s = kart_affine_scale((kart_vec3){1, 1.0001, 1});
    CHECK(!kart_affine_similar(&s, &k));
    s = kart_affine_scale((kart_vec3){0, 0, 0});
    CHECK(!kart_affine_similar(&s, &k));
}

TEST(not_a_number_goes_through) {
    kart_affine m = kart_affine_mirror(2, 0);
    kart_vec3 r = kart_affine_orientation(&m, (kart_vec3){(double)NAN, 1, 2}, NULL);
    CHECK(isnan(r.x) && r.y == 1 && r.z == 2);
    kart_affine e = kart_affine_euler((kart_vec3){(double)NAN, 0, HUGE_VAL});
    CHECK(isnan(e.m[1][1]));
}

static const test_case cases[] = {
    CASE(euler_quarter_turns_are_exact),
    CASE(rotation_about_an_axis_is_the_euler_rotation),
    CASE(mirror_keeps_zeros_and_comes_back_bit_for_bit),
    CASE(orientation_carries_forward_and_up_and_turns_local_x),
    CASE(orientation_follows_turns_however_small),
    CASE(orientation_leaves_angles_that_a_turn_does_not_touch),
    CASE(orientation_keeps_z_at_a_pole_and_only_there),
    CASE(orientation_mirrors_by_components),
    CASE(orientation_twice_along_z_is_near),
    CASE(orientation_takes_scales_along_the_local_axes),
    CASE(invert_and_about),
    CASE(similarity_is_told_from_stretching),
    CASE(not_a_number_goes_through),
};

void test_affine(void) { TEST_RUN(cases); }
