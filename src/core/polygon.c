#include "core/polygon.h"

#include "core/array.h"

typedef struct kart_polygon_corner {
    double x, y; // in the plane; the polygon runs counter-clockwise
    uint32_t before, after;
    bool ear, reflex;
} corner;

static double cross(const corner *a, const corner *b, const corner *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// Newell's normal, of twice the area's length.
static kart_vec3 normal_of(const kart_vec3 *p, size_t count) {
    kart_vec3 sum = {0, 0, 0};
    // From the first corner, as far away from 0 the products would lose their digits.
    for (size_t i = 1; i + 1 < count; i++)
        sum = vec3_add(sum, vec3_cross(vec3_sub(p[i], p[0]), vec3_sub(p[i + 1], p[0])));
    return sum;
}

// Corners in the plane of the two axes that the normal is least along. Gives the cross product up
// to which three corners are taken to lie on a line.
static double flatten(const kart_vec3 *p, size_t count, corner *c) {
    kart_vec3 n = normal_of(p, count);
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z), extent = 0;
    for (size_t i = 0; i < count; i++) {
        kart_vec3 q = vec3_sub(p[i], p[0]);
        if (ax >= ay && ax >= az)
            c[i] = (corner){.x = n.x < 0 ? q.z : q.y, .y = n.x < 0 ? q.y : q.z};
        else if (ay >= az)
            c[i] = (corner){.x = n.y < 0 ? q.x : q.z, .y = n.y < 0 ? q.z : q.x};
        else
            c[i] = (corner){.x = n.z < 0 ? q.y : q.x, .y = n.z < 0 ? q.x : q.y};
        c[i].before = (uint32_t)(i == 0 ? count - 1 : i - 1);
        c[i].after = (uint32_t)(i + 1 == count ? 0 : i + 1);
        extent = fmax(extent, fmax(fabs(c[i].x), fabs(c[i].y)));
    }
    return 1e-12 * extent * extent;
}

static bool fan_fits(const corner *c, size_t count, double slack) {
    for (size_t i = 1; i + 1 < count; i++)
        if (!(cross(&c[0], &c[i], &c[i + 1]) > slack)) return false;
    // A fan that goes round more than once is none.
    for (size_t i = 0; i < count; i++)
        if (cross(&c[c[i].before], &c[i], &c[c[i].after]) < 0) return false;
    return true;
}

static bool same_place(const corner *a, const corner *b) { return a->x == b->x && a->y == b->y; }

static bool inside(const corner *a, const corner *b, const corner *c, const corner *p) {
    return cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0 && !same_place(a, p) &&
           !same_place(b, p) && !same_place(c, p);
}

// An ear: a corner that sticks out, with no other corner in its triangle. Only reflex ones can be.
static void ear_test(corner *c, uint32_t i, double slack) {
    const corner *a = &c[c[i].before], *b = &c[i], *d = &c[c[i].after];
    double turn = cross(a, b, d);
    c[i].reflex = turn <= slack;
    c[i].ear = turn > slack;
    for (uint32_t k = d->after; c[i].ear && k != b->before; k = c[k].after)
        c[i].ear = !(c[k].reflex && inside(a, b, d, &c[k]));
}

// Where there is no ear: a corner in the middle of an edge, whose triangle has no area, else (the
// polygon crosses itself) one that sticks out, else any.
static uint32_t corner_settle(kart_polygon *polygon, corner *c, uint32_t from, double slack) {
    uint32_t i = from, out = from;
    bool found = false;
    do {
        double turn = cross(&c[c[i].before], &c[i], &c[c[i].after]);
        if (fabs(turn) <= slack) return i;
        if (!found && turn > 0) {
            out = i;
            found = true;
        }
        i = c[i].after;
    } while (i != from);
    polygon->crosses = true;
    return out;
}

static bool ears_cut(kart_ctx *ctx, kart_polygon *polygon, size_t count, double slack,
                     kart_error *error) {
    corner *c = polygon->corners;
    uint32_t *out = polygon->triangles, at = 0;
    // Reflex ones first: the tests look at them.
    for (uint32_t i = 0; i < count; i++)
        c[i].reflex = cross(&c[c[i].before], &c[i], &c[c[i].after]) <= slack;
    for (uint32_t i = 0; i < count; i++) ear_test(c, i, slack);
    for (size_t left = count; left > 2; left--) {
        if (left % 256 == 0 && !kart_ctx_step(ctx, 0, error)) return false;
        uint32_t end = at;
        while (!c[at].ear && c[at].after != end) at = c[at].after;
        if (!c[at].ear) at = corner_settle(polygon, c, end, slack);
        uint32_t before = c[at].before, after = c[at].after;
        *out++ = before;
        *out++ = at;
        *out++ = after;
        c[before].after = after;
        c[after].before = before;
        ear_test(c, before, slack);
        ear_test(c, after, slack);
        at = c[after].after; // not the next one, so that the triangles don't become a fan
    }
    return true;
}

bool kart_polygon_split(kart_ctx *ctx, kart_polygon *polygon, const kart_vec3 *corners,
                        size_t count, kart_error *error) {
    if (count > KART_POLYGON_LIMIT)
        return kart_fail(error, KART_LIMIT, "a polygon of %zu corners, the limit is %d", count,
                         KART_POLYGON_LIMIT);
    corner *c = kart_array_grow(ctx, polygon->corners, &polygon->capacity, count, sizeof *c, error);
    if (!c) return false;
    polygon->corners = c;
    uint32_t *out = kart_array_grow(ctx, polygon->triangles, &polygon->triangles_capacity,
                                    3 * (count - 2), sizeof *out, error);
    if (!out) return false;
    polygon->triangles = out;
    polygon->crosses = false;
    double slack = flatten(corners, count, c);
    if (count > 3 && !fan_fits(c, count, slack)) return ears_cut(ctx, polygon, count, slack, error);
    for (uint32_t i = 1; i + 1 < count; i++) {
        *out++ = 0;
        *out++ = i;
        *out++ = i + 1;
    }
    return true;
}

void kart_polygon_free(kart_ctx *ctx, kart_polygon *polygon) {
    kart_free(ctx, polygon->corners, polygon->capacity * sizeof *polygon->corners);
    kart_free(ctx, polygon->triangles, polygon->triangles_capacity * sizeof *polygon->triangles);
    *polygon = (kart_polygon){0};
}
