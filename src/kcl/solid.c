#include "kcl/solid.h"

#include <string.h>

#define STEPS 12 // of the search for the nearest points, before a cell is taken to be reached

// Of finite numbers; the library's functions would be calls.
static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// --- areas ------------------------------------------------------------------------------------

double kcl_reach_pad(const kcl_reach *reach, const kart_vec3 (*corners)[3], size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            kart_vec3 c = corners[i][k];
            double m = fmax(fabs(c.x), fmax(fabs(c.y), fabs(c.z)));
            if (isfinite(m)) largest = fmax(largest, m);
        }
    return (largest + reach->radius + reach->thickness) / (1 << 22) + 1.0 / 256;
}

bool kcl_area_set(double low, double high, double pad, double *min, unsigned *bits,
                  kart_error *error) {
    double step = 1;
    while (fmax(fabs(low), fabs(high)) / step > (1 << 22)) step *= 2;
    *min = (floor((low - pad) / step) - 1) * step;
    double extent = high + pad - *min + 1;
    for (*bits = 0; *bits < 31 && (double)((uint32_t)1 << *bits) < extent;) ++*bits;
    return (double)((uint32_t)1 << *bits) >= extent || // not where it is no number
           kart_fail(error, KART_UNSUPPORTED, "the course is %.9g units wide, the most is %u",
                     extent, (uint32_t)1 << 31);
}

// --- making one -------------------------------------------------------------------------------

static void normal_set(kcl_solid *solid, int i, kart_vec3 normal, kart_vec3 on) {
    const double n[3] = {normal.x, normal.y, normal.z};
    memcpy(solid->normal[i], n, sizeof n);
    solid->plane[i] = vec3_dot(normal, on);
    solid->spread[i] = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
}

static void bounds_set(kcl_solid *solid, const kcl_reach *reach) {
    for (int axis = 0; axis < 3; axis++) {
        const double(*c)[3] = (const double(*)[3])solid->corner;
        double low = fmin(c[0][axis], fmin(c[1][axis], c[2][axis]));
        double high = fmax(c[0][axis], fmax(c[1][axis], c[2][axis]));
        double down = -solid->normal[0][axis] * reach->thickness;
        solid->solid_low[axis] = low + fmin(down, 0);
        solid->solid_high[axis] = high + fmax(down, 0);
        solid->low[axis] = fmin(low - reach->radius, solid->solid_low[axis]);
        solid->high[axis] = fmax(high + reach->radius, solid->solid_high[axis]);
    }
}

bool kcl_solid_make(kcl_solid *solid, const kart_vec3 corner[3], const kcl_reach *reach) {
    kart_vec3 across = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    double twice_area = vec3_length(across);
    if (!(twice_area > 0) || !isfinite(twice_area)) return false;
    kart_vec3 up = vec3_unit(across);
    for (int i = 0; i < 3; i++) {
        const double c[3] = {corner[i].x, corner[i].y, corner[i].z};
        memcpy(solid->corner[i], c, sizeof c);
        kart_vec3 from = corner[(i + 1) % 3], to = corner[(i + 2) % 3];
        normal_set(solid, 1 + i, vec3_unit(vec3_cross(vec3_sub(to, from), up)), from);
        if (!isfinite(solid->plane[1 + i])) return false;
    }
    normal_set(solid, 0, up, corner[0]);
    bounds_set(solid, reach);
    return isfinite(solid->plane[0]);
}

// --- one cell, slowly -------------------------------------------------------------------------

typedef struct box {
    double center[3], half[3];
} box;

// Half of what the box covers along a direction, times its length.
static double half_along(const box *b, const double u[3]) {
    return b->half[0] * fabs(u[0]) + b->half[1] * fabs(u[1]) + b->half[2] * fabs(u[2]);
}

// The point of the triangle nearest to `p`. By the regions of the plane in which it falls.
static void triangle_nearest(const kcl_solid *s, const double p[3], double out[3]) {
    double ab[3], ac[3], ap[3];
    for (int i = 0; i < 3; i++) {
        ab[i] = s->corner[1][i] - s->corner[0][i];
        ac[i] = s->corner[2][i] - s->corner[0][i];
        ap[i] = p[i] - s->corner[0][i];
    }
    double ab_ab = dot(ab, ab), ab_ac = dot(ab, ac), ac_ac = dot(ac, ac);
    double d1 = dot(ab, ap), d2 = dot(ac, ap);
    double d3 = d1 - ab_ab, d4 = d2 - ab_ac, d5 = d1 - ab_ac, d6 = d2 - ac_ac;
    double v = 0, w = 0;
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) {
        v = w = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = d1 / ab_ab;
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w = d2 / ac_ac;
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        v = 1 - w;
    } else {
        double whole = va + vb + vc;
        v = vb / whole;
        w = vc / whole;
    }
    for (int i = 0; i < 3; i++) out[i] = s->corner[0][i] + ab[i] * v + ac[i] * w;
}

static void box_nearest(const box *b, const double p[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        double low = b->center[i] - b->half[i], high = b->center[i] + b->half[i];
        out[i] = p[i] < low ? low : p[i] > high ? high : p[i];
    }
}

// Is the triangle at most `radius` away? Nearest points are sought in turn: each pair is no nearer
// than the two are, and the direction between them, as a separating one, tells how far they are at
// least. True where that doesn't come to a decision.
static bool triangle_near(const kcl_solid *s, const box *b, double radius) {
    double on_box[3] = {b->center[0], b->center[1], b->center[2]}, on_triangle[3], u[3];
    for (int step = 0; step < STEPS; step++) {
        triangle_nearest(s, on_box, on_triangle);
        box_nearest(b, on_triangle, on_box);
        for (int i = 0; i < 3; i++) u[i] = on_triangle[i] - on_box[i];
        double length2 = dot(u, u);
        if (length2 <= radius * radius) return true;
        // The gap along u, times its length.
        double low = least(dot(u, s->corner[0]), least(dot(u, s->corner[1]), dot(u, s->corner[2])));
        double high = dot(u, b->center) + half_along(b, u);
        double gap = low - high;
        if (gap > 0 && gap * gap > radius * radius * length2) return false;
    }
    return true;
}

// Do box and prism have no point in common, as seen along `axis`?
static bool axis_separates(const kcl_solid *s, const kcl_reach *reach, const box *b,
                           const double axis[3]) {
    double a = dot(axis, s->corner[0]), c = dot(axis, s->corner[1]), d = dot(axis, s->corner[2]);
    double down = -dot(axis, s->normal[0]) * reach->thickness;
    double low = least(a, least(c, d)) + least(down, 0), high = most(a, most(c, d)) + most(down, 0);
    double middle = dot(axis, b->center), half = half_along(b, axis);
    return middle - half > high || middle + half < low;
}

// Does the extruded prism meet the box? The axes that the two convex bodies have: faces of either,
// and across each pair of edges. Those of the prism's faces were tried before.
static bool prism_meets(const kcl_solid *s, const kcl_reach *reach, const box *b) {
    for (int i = 0; i < 3; i++)
        if (s->solid_low[i] > b->center[i] + b->half[i] ||
            s->solid_high[i] < b->center[i] - b->half[i])
            return false;
    for (int e = 0; e < 4; e++) {
        double edge[3];
        for (int i = 0; i < 3; i++)
            edge[i] = e == 3 ? s->normal[0][i] : s->corner[(e + 1) % 3][i] - s->corner[e][i];
        const double axes[3][3] = {
            {0, edge[2], -edge[1]}, {-edge[2], 0, edge[0]}, {edge[1], -edge[0], 0}};
        for (int i = 0; i < 3; i++)
            if (axis_separates(s, reach, b, axes[i])) return false;
    }
    return true;
}

// --- eight cells at once ----------------------------------------------------------------------

// Cells that the bounds of the solid reach.
static unsigned cells_in_bounds(const kcl_solid *s, const double center[3], double edge,
                                double pad) {
    static const unsigned low_cells[3] = {0x55, 0x33, 0x0F};
    unsigned cells = 0xFF;
    for (int i = 0; i < 3; i++) {
        bool low = s->low[i] <= center[i] + pad && s->high[i] >= center[i] - edge - pad;
        bool high = s->high[i] >= center[i] - pad && s->low[i] <= center[i] + edge + pad;
        cells &= (low ? low_cells[i] : 0) | (high ? ~low_cells[i] & 0xFF : 0);
    }
    return cells;
}

// Those of the cells that are at most a radius away from a corner of the triangle: most of those
// that are near it. What a corner lacks along an axis is shared by four cells.
static unsigned corners_near(const kcl_solid *s, unsigned cells, const double center[3],
                             double edge, double half, double radius2) {
    unsigned near = 0;
    for (int k = 0; k < 3 && (cells & ~near); k++) {
        double lack[3][2];
        for (int i = 0; i < 3; i++) {
            double to = s->corner[k][i] - center[i];
            double low = fabs(to + edge / 2) - half, high = fabs(to - edge / 2) - half;
            lack[i][0] = low > 0 ? low * low : 0;
            lack[i][1] = high > 0 ? high * high : 0;
        }
        for (int z = 0; z < 2; z++)
            for (int y = 0; y < 2; y++) {
                double sum = lack[1][y] + lack[2][z];
                unsigned first = (unsigned)(sum + lack[0][0] <= radius2);
                unsigned second = (unsigned)(sum + lack[0][1] <= radius2);
                near |= (first | second << 1) << (2 * y + 4 * z);
            }
    }
    return near & cells;
}

// The centres of the cells against the four planes of the triangle.
static void planes_at(const kcl_solid *s, const double center[3], double to_center,
                      double at[4][8]) {
    for (int k = 0; k < 4; k++) {
        double middle = dot(s->normal[k], center) - s->plane[k];
        double x = s->normal[k][0] * to_center, y = s->normal[k][1] * to_center,
               z = s->normal[k][2] * to_center;
        double a = middle - x - y, b = middle + x - y, c = middle - x + y, d = middle + x + y;
        at[k][0] = a - z, at[k][1] = b - z, at[k][2] = c - z, at[k][3] = d - z;
        at[k][4] = a + z, at[k][5] = b + z, at[k][6] = c + z, at[k][7] = d + z;
    }
}

// Must the cell be listed, whose centre is so far over the four planes, and which reaches so far up
// and down from there?
static bool cell_reached(const kcl_solid *s, const kcl_reach *reach, const box *b,
                         const double over[4], const double along[4]) {
    double lowest[4]; // of the cell, over each plane
    for (int k = 0; k < 4; k++) lowest[k] = over[k] - along[k];
    double radius = reach->radius, highest = over[0] + along[0];
    if (highest < -most(radius, reach->thickness)) return false;
    for (int k = 0; k < 4; k++)
        if (lowest[k] > radius) return false;
    bool within = over[1] <= 0 && over[2] <= 0 && over[3] <= 0;
    if (within && over[0] <= radius && over[0] >= -reach->thickness) return true;
    if (triangle_near(s, b, radius)) return true;
    // Only what lies deeper than the radius can be in the prism and away from its face.
    bool deep = lowest[0] < -radius && highest >= -reach->thickness;
    bool beside = lowest[1] > 0 || lowest[2] > 0 || lowest[3] > 0;
    return deep && !beside && prism_meets(s, reach, b);
}

unsigned kcl_solid_cells(const kcl_solid *s, const kcl_reach *reach, const double center[3],
                         double edge) {
    unsigned cells = cells_in_bounds(s, center, edge, reach->pad);
    if (!cells) return 0;
    double to_center = edge / 2, half = edge / 2 + reach->pad;
    double radius2 = reach->radius * reach->radius;
    unsigned found = corners_near(s, cells, center, edge, half, radius2);
    cells &= ~found;
    if (!cells) return found;
    double at[4][8], along[4];
    planes_at(s, center, to_center, at);
    for (int k = 0; k < 4; k++) along[k] = s->spread[k] * half;
    for (unsigned i = 0; i < 8; i++) {
        if (!(cells & 1u << i)) continue;
        const box b = {{center[0] + (i & 1 ? to_center : -to_center),
                        center[1] + (i & 2 ? to_center : -to_center),
                        center[2] + (i & 4 ? to_center : -to_center)},
                       {half, half, half}};
        const double over[4] = {at[0][i], at[1][i], at[2][i], at[3][i]};
        if (cell_reached(s, reach, &b, over, along)) found |= 1u << i;
    }
    return found;
}

bool kcl_solid_box(const kcl_solid *s, const kcl_reach *reach, const double low[3],
                   const double high[3]) {
    box b;
    double over[4], along[4];
    for (int i = 0; i < 3; i++) {
        if (s->low[i] > high[i] + reach->pad || s->high[i] < low[i] - reach->pad) return false;
        b.center[i] = (low[i] + high[i]) / 2;
        b.half[i] = (high[i] - low[i]) / 2 + reach->pad;
    }
    for (int k = 0; k < 4; k++) {
        over[k] = dot(s->normal[k], b.center) - s->plane[k];
        along[k] = half_along(&b, s->normal[k]);
    }
    return cell_reached(s, reach, &b, over, along);
}
