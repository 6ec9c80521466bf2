#include "core/affine.h"

#include <stddef.h>

#define DEGREES (180.0 / 3.14159265358979323846)

const kart_affine kart_affine_identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

double kart_angle_wrap(double degrees) {
    if (!(fabs(degrees) > 180)) return degrees;
    double rest = fmod(degrees, 360);
    if (rest > 180) return rest - 360;
    if (rest < -180) return rest + 360;
    return rest;
}

void kart_sincos_degrees(double degrees, double *sine, double *cosine) {
    if (!isfinite(degrees)) {
        *sine = *cosine = (double)NAN;
        return;
    }
    double quarter = nearbyint(fmod(degrees, 360) / 90);
    double rest = fmod(degrees, 360) - quarter * 90;
    double s = rest == 0 ? 0 : sin(rest / DEGREES), c = rest == 0 ? 1 : cos(rest / DEGREES);
    switch ((int)quarter & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

kart_affine kart_affine_scale(kart_vec3 f) {
    return (kart_affine){{{f.x, 0, 0, 0}, {0, f.y, 0, 0}, {0, 0, f.z, 0}}};
}

kart_affine kart_affine_translation(kart_vec3 by) {
    return (kart_affine){{{1, 0, 0, by.x}, {0, 1, 0, by.y}, {0, 0, 1, by.z}}};
}

kart_affine kart_affine_mirror(int axis, double at) {
    kart_affine a = kart_affine_identity;
    a.m[axis][axis] = -1;
    a.m[axis][3] = at == 0 ? 0 : 2 * at;
    return a;
}

kart_affine kart_affine_rotation(kart_vec3 axis, double degrees) {
    double s, c;
    kart_vec3 u = vec3_scale(axis, 1 / vec3_length(axis));
    // A coordinate axis of whatever length is exact.
    if (axis.y == 0 && axis.z == 0) u.x = copysign(1, axis.x);
    if (axis.x == 0 && axis.z == 0) u.y = copysign(1, axis.y);
    if (axis.x == 0 && axis.y == 0) u.z = copysign(1, axis.z);
    kart_sincos_degrees(degrees, &s, &c);
    double t = 1 - c;
    return (kart_affine){
        {{t * u.x * u.x + c, t * u.x * u.y - s * u.z, t * u.x * u.z + s * u.y, 0},
         {t * u.x * u.y + s * u.z, t * u.y * u.y + c, t * u.y * u.z - s * u.x, 0},
         {t * u.x * u.z - s * u.y, t * u.y * u.z + s * u.x, t * u.z * u.z + c, 0}}};
}

kart_affine kart_affine_euler(kart_vec3 degrees) {
    double sx, cx, sy, cy, sz, cz;
    kart_sincos_degrees(degrees.x, &sx, &cx);
    kart_sincos_degrees(degrees.y, &sy, &cy);
    kart_sincos_degrees(degrees.z, &sz, &cz);
    return (kart_affine){{{cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, 0},
                          {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, 0},
                          {-sy, sx * cy, cx * cy, 0}}};
}

kart_affine kart_affine_multiply(const kart_affine *a, const kart_affine *b) {
    kart_affine r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                        a->m[i][2] * b->m[2][j] + (j == 3 ? a->m[i][3] : 0);
    return r;
}

kart_affine kart_affine_about(const kart_affine *a, kart_vec3 origin) {
    kart_affine r = *a;
    kart_vec3 moved = kart_affine_direction(a, origin);
    r.m[0][3] += origin.x - moved.x;
    r.m[1][3] += origin.y - moved.y;
    r.m[2][3] += origin.z - moved.z;
    return r;
}

double kart_affine_determinant(const kart_affine *a) {
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
           a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

bool kart_affine_invert(const kart_affine *a, kart_affine *inverse) {
    double det = kart_affine_determinant(a);
    if (!(fabs(det) > 0) || !isfinite(1 / det)) return false;
    kart_affine r = kart_affine_identity;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
            r.m[i][j] = (a->m[p][s] * a->m[q][t] - a->m[p][t] * a->m[q][s]) / det;
        }
    kart_vec3 back = kart_affine_direction(&r, (kart_vec3){a->m[0][3], a->m[1][3], a->m[2][3]});
    r.m[0][3] = 0 - back.x, r.m[1][3] = 0 - back.y, r.m[2][3] = 0 - back.z;
    *inverse = r;
    return true;
}

bool kart_affine_finite(const kart_affine *a) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(a->m[i][j])) return false;
    return true;
}

static double row_apply(const double row[4], kart_vec3 p, double shift) {
    const double c[3] = {p.x, p.y, p.z};
    bool any = false;
    double sum = 0;
    for (int j = 0; j < 3; j++) {
        if (row[j] == 0) continue;
        double term = row[j] == 1    ? c[j]
                      : row[j] == -1 ? (c[j] == 0 ? c[j] : -c[j])
                                     : row[j] * c[j];
        sum = any ? sum + term : term;
        any = true;
    }
    return shift == 0 ? sum : sum + shift;
}

kart_vec3 kart_affine_point(const kart_affine *a, kart_vec3 p) {
    return (kart_vec3){row_apply(a->m[0], p, a->m[0][3]), row_apply(a->m[1], p, a->m[1][3]),
                       row_apply(a->m[2], p, a->m[2][3])};
}

kart_vec3 kart_affine_direction(const kart_affine *a, kart_vec3 v) {
    return (kart_vec3){row_apply(a->m[0], v, 0), row_apply(a->m[1], v, 0),
                       row_apply(a->m[2], v, 0)};
}

static kart_vec3 column(const kart_affine *a, int j) {
    return (kart_vec3){a->m[0][j], a->m[1][j], a->m[2][j]};
}

bool kart_affine_similar(const kart_affine *a, double *k) {
    kart_vec3 c[3] = {column(a, 0), column(a, 1), column(a, 2)};
    double square = vec3_dot(c[0], c[0]), slack = 1e-9 * square;
    for (int i = 0; i < 3; i++) {
        if (!(fabs(vec3_dot(c[i], c[i]) - square) <= slack)) return false;
        if (!(fabs(vec3_dot(c[i], c[(i + 1) % 3])) <= slack)) return false;
    }
    if (!(square > 0)) return false;
    // A scale along the axes is read off exactly; only turned ones need the root.
    double size = fabs(c[0].x) > 0 && c[0].y == 0 && c[0].z == 0 ? fabs(c[0].x) : sqrt(square);
    *k = fabs(size - 1) < 1e-9 ? 1 : size;
    return true;
}

kart_vec3 kart_euler_other(kart_vec3 d) {
    kart_vec3 w = {kart_angle_wrap(d.x), kart_angle_wrap(d.y), kart_angle_wrap(d.z)};
    return (kart_vec3){kart_angle_wrap(w.x + 180) + (d.x - w.x),
                       kart_angle_wrap(180 - w.y) + (d.y - w.y),
                       kart_angle_wrap(w.z + 180) + (d.z - w.z)};
}

// `angle` moved into the turn that `old` is in.
static double angle_in_turn_of(double angle, double old) {
    return kart_angle_wrap(angle) + (old - kart_angle_wrap(old));
}

// Take the noise of the arithmetic out: what was hardly moved stays, quarter turns are exact.
static double angle_clean(double angle, double old) {
    if (fabs(angle - old) < 1e-9) return old;
    double quarter = 90 * nearbyint(angle / 90);
    return fabs(angle - quarter) < 1e-9 ? quarter : angle;
}

static double angle_distance(kart_vec3 a, kart_vec3 b) {
    return fabs(kart_angle_wrap(a.x - b.x)) + fabs(kart_angle_wrap(a.y - b.y)) +
           fabs(kart_angle_wrap(a.z - b.z));
}

// The triple of the rotation whose columns are right, up, forward that is nearest `old`.
static kart_vec3 euler_extract(kart_vec3 right, kart_vec3 up, kart_vec3 forward, kart_vec3 old) {
    kart_vec3 d;
    double level = hypot(right.x, right.y);
    if (level > 1e-6) {
        d = (kart_vec3){atan2(up.z, forward.z), atan2(-right.z, level), atan2(right.y, right.x)};
    } else {
        // At a pole only the sum or difference of x and z counts: keep z, solve the rest for it.
        double s, c;
        kart_sincos_degrees(old.z, &s, &c);
        d = (kart_vec3){atan2(-(c * forward.y - s * forward.x), c * up.y - s * up.x),
                        atan2(-right.z, c * right.x + s * right.y), old.z / DEGREES};
    }
    d = vec3_scale(d, DEGREES);
    if (level <= 1e-6) d.z = old.z;
    kart_vec3 other = kart_euler_other(d);
    if (angle_distance(other, old) < angle_distance(d, old)) d = other;
    d = (kart_vec3){angle_in_turn_of(d.x, old.x), angle_in_turn_of(d.y, old.y),
                    angle_in_turn_of(d.z, old.z)};
    return (kart_vec3){angle_clean(d.x, old.x), angle_clean(d.y, old.y), angle_clean(d.z, old.z)};
}

static double angle_negate(double degrees) {
    return degrees == 0 || fabs(degrees) == 180 ? degrees : -degrees;
}

// 180 - degrees, kept in its turn. The sign of a zero tells 180 from -180, so twice comes back.
static double angle_supplement(double degrees) {
    double w = kart_angle_wrap(degrees), turned = copysign(copysign(180, w) - w, w);
    return degrees == w ? turned : turned + (degrees - w);
}

static bool tiny(double value) { return fabs(value) < 1e-12; }

// Maps that move whole angles: exact, and nothing but the result is rounded. `q` is a rotation or
// reflection. False if it is none of them.
static bool orientation_by_parts(const kart_affine *q, kart_vec3 old, kart_vec3 *moved) {
    // All of them keep the vertical. What lies beside the diagonal decides: near 1, cosines hardly
    // differ.
    if (q->m[1][1] < 0 || !tiny(q->m[0][1]) || !tiny(q->m[1][0]) || !tiny(q->m[1][2]) ||
        !tiny(q->m[2][1]))
        return false;
    bool diagonal = tiny(q->m[0][2]) && tiny(q->m[2][0]);
    bool mirror_x = diagonal && q->m[0][0] < 0, mirror_z = diagonal && q->m[2][2] < 0;
    if (diagonal && !mirror_x && !mirror_z) {
        *moved = old;
        return true;
    }
    if (mirror_x != mirror_z) {
        double y = mirror_x ? angle_negate(old.y) : angle_supplement(old.y);
        double z = mirror_x ? angle_negate(old.z) : old.z;
        *moved = (kart_vec3){old.x, y, z};
        return true;
    }
    bool half_turn = mirror_x && mirror_z;
    if (kart_affine_determinant(q) < 0 || (old.z != 0 && !half_turn)) return false;
    double yaw = half_turn ? 180 : atan2(q->m[0][2], q->m[2][2]) * DEGREES;
    double quarter = 90 * nearbyint(yaw / 90);
    if (fabs(yaw - quarter) < 1e-10) yaw = quarter;
    *moved = (kart_vec3){old.x, angle_in_turn_of(kart_angle_wrap(old.y) + yaw, old.y),
                         half_turn ? angle_negate(old.z) : old.z};
    return true;
}

bool kart_affine_keeps_box(const kart_affine *a, kart_vec3 degrees) {
    kart_affine r = kart_affine_euler(degrees);
    kart_vec3 image[3];
    for (int i = 0; i < 3; i++) image[i] = kart_affine_direction(a, column(&r, i));
    for (int i = 0; i < 3; i++) {
        kart_vec3 u = image[i], v = image[(i + 1) % 3];
        if (!(fabs(vec3_dot(u, v)) <= 1e-6 * vec3_length(u) * vec3_length(v))) return false;
    }
    return true;
}

kart_vec3 kart_affine_orientation(const kart_affine *a, kart_vec3 old, kart_vec3 *scales) {
    double k;
    kart_vec3 moved;
    bool similar = kart_affine_similar(a, &k);
    if (scales) *scales = (kart_vec3){1, 1, 1};
    if (!vec3_finite(old)) return old;
    if (similar) {
        kart_affine q = *a;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) q.m[i][j] /= k;
        if (scales) *scales = (kart_vec3){k, k, k};
        if (orientation_by_parts(&q, old, &moved)) return moved;
    }
    kart_affine r = kart_affine_euler(old);
    kart_vec3 right = kart_affine_direction(a, column(&r, 0));
    kart_vec3 up = kart_affine_direction(a, column(&r, 1));
    kart_vec3 forward = kart_affine_direction(a, column(&r, 2));
    kart_vec3 lengths = {vec3_length(right), vec3_length(up), vec3_length(forward)};
    if (!(lengths.y > 0) || !(lengths.z > 0)) return old;
    forward = vec3_scale(forward, 1 / lengths.z);
    up = vec3_sub(up, vec3_scale(forward, vec3_dot(up, forward)));
    double length = vec3_length(up);
    if (!(length > 1e-12 * lengths.y)) return old;
    up = vec3_scale(up, 1 / length);
    if (scales && !similar) *scales = lengths;
    return euler_extract(vec3_cross(up, forward), up, forward, old);
}
