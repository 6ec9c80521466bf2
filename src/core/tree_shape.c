// Spheres and boxes against single triangles, in double precision.
#include "core/tree_work.h"

#include "core/triangle.h"

double tree_odd_length(kart_vec3 v) {
    const double size = tree_largest(v);
    return size > 0 ? size * vec3_length((kart_vec3){v.x / size, v.y / size, v.z / size}) : 0;
}

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

void tree_place(const kart_vec3 c[3], kart_vec3 point, double *u, double *v) {
    const kart_vec3 b = vec3_sub(c[1], c[0]), d = vec3_sub(c[2], c[0]), p = vec3_sub(point, c[0]);
    const double bb = vec3_dot(b, b), bd = vec3_dot(b, d), dd = vec3_dot(d, d);
    const double pb = vec3_dot(p, b), pd = vec3_dot(p, d), area = bb * dd - bd * bd;
    *u = *v = 0;
    if (area > 0) {
        *u = clamp((dd * pb - bd * pd) / area, 0, 1);
        *v = clamp((bb * pd - bd * pb) / area, 0, 1 - *u);
    } else if (bb >= dd && bb > 0) {
        *u = clamp(pb / bb, 0, 1);
    } else if (dd > 0) {
        *v = clamp(pd / dd, 0, 1);
    }
}

kart_vec3 tree_triangle_nearest(const kart_vec3 c[3], kart_vec3 point) {
    const kart_vec3 q = kart_triangle_nearest(c, point);
    return (kart_vec3){clamp(q.x, tree_least(tree_least(c[0].x, c[1].x), c[2].x),
                             tree_most(tree_most(c[0].x, c[1].x), c[2].x)),
                       clamp(q.y, tree_least(tree_least(c[0].y, c[1].y), c[2].y),
                             tree_most(tree_most(c[0].y, c[1].y), c[2].y)),
                       clamp(q.z, tree_least(tree_least(c[0].z, c[1].z), c[2].z),
                             tree_most(tree_most(c[0].z, c[1].z), c[2].z))};
}

// --- boxes ------------------------------------------------------------------------------------

// Are the triangle, relative to the box's middle, and the box apart along an axis?
static bool are_apart(kart_vec3 axis, const kart_vec3 c[3], kart_vec3 half) {
    const double a = vec3_dot(axis, c[0]), b = vec3_dot(axis, c[1]), d = vec3_dot(axis, c[2]);
    const double reach = half.x * fabs(axis.x) + half.y * fabs(axis.y) + half.z * fabs(axis.z);
    return tree_least(tree_least(a, b), d) > reach || tree_most(tree_most(a, b), d) < -reach;
}

// By separating axes: those of the box, the triangle's normal, and the cross products of edges.
bool tree_box_triangle(const kart_box *box, const kart_vec3 corner[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const double a = tree_axis(corner[0], axis), b = tree_axis(corner[1], axis),
                     d = tree_axis(corner[2], axis);
        if (tree_least(tree_least(a, b), d) > tree_axis(box->high, axis) ||
            tree_most(tree_most(a, b), d) < tree_axis(box->low, axis))
            return false;
    }
    const kart_vec3 half = vec3_scale(vec3_sub(box->high, box->low), 0.5);
    const kart_vec3 middle = vec3_add(box->low, half);
    const kart_vec3 c[3] = {vec3_sub(corner[0], middle), vec3_sub(corner[1], middle),
                            vec3_sub(corner[2], middle)};
    const kart_vec3 edge[3] = {vec3_sub(c[1], c[0]), vec3_sub(c[2], c[1]), vec3_sub(c[0], c[2])};
    if (are_apart(vec3_cross(edge[0], edge[1]), c, half)) return false;
    for (int i = 0; i < 3; i++)
        if (are_apart((kart_vec3){0, -edge[i].z, edge[i].y}, c, half) ||
            are_apart((kart_vec3){edge[i].z, 0, -edge[i].x}, c, half) ||
            are_apart((kart_vec3){-edge[i].y, edge[i].x, 0}, c, half))
            return false;
    return true;
}

// --- a sphere on its way ----------------------------------------------------------------------

// What a sphere meets first, of the parts of a triangle that it was asked about.
typedef struct meeting {
    kart_vec3 center, motion;
    double radius, pad;
    double at;
    kart_vec3 touch;
} meeting;

static void meet(meeting *m, double at, kart_vec3 touch) {
    if (at >= m->at) return;
    m->at = at;
    m->touch = touch;
}

// When what is `from` away, and moves by `by` in each length of the way, comes as near as the
// radius; false if it never does. It is outside at the start, so what seems past is rounding.
static bool comes_near(const meeting *m, kart_vec3 from, kart_vec3 by, double *at) {
    const double speed = vec3_dot(by, by);
    if (!(speed > 0)) return false;
    const double passes = -vec3_dot(from, by) / speed;
    const kart_vec3 least = vec3_add(from, vec3_scale(by, passes));
    const double left = m->radius * m->radius - vec3_dot(least, least);
    if (!(left >= 0)) return false;
    *at = passes - sqrt(left / speed);
    if (*at < 0 && *at * sqrt(speed) >= -m->pad) *at = 0;
    return *at >= 0;
}

static void meet_corner(meeting *m, kart_vec3 corner) {
    double at;
    if (comes_near(m, vec3_sub(m->center, corner), m->motion, &at)) meet(m, at, corner);
}

static void meet_edge(meeting *m, kart_vec3 a, kart_vec3 b) {
    const kart_vec3 edge = vec3_sub(b, a), from = vec3_sub(m->center, a);
    const double square = vec3_dot(edge, edge);
    double at;
    if (!(square > 0)) return;
    const double start = vec3_dot(from, edge) / square, speed = vec3_dot(m->motion, edge) / square;
    if (!comes_near(m, vec3_sub(from, vec3_scale(edge, start)),
                    vec3_sub(m->motion, vec3_scale(edge, speed)), &at))
        return;
    const double along = start + at * speed;
    if (along >= 0 && along <= 1) meet(m, at, vec3_add(a, vec3_scale(edge, along)));
}

static bool is_over(const kart_vec3 c[3], kart_vec3 normal, kart_vec3 p) {
    for (int i = 0; i < 3; i++)
        if (vec3_dot(vec3_cross(vec3_sub(c[(i + 1) % 3], c[i]), vec3_sub(p, c[i])), normal) < 0)
            return false;
    return true;
}

// The face comes first, where it is met at all.
static bool meet_face(meeting *m, const kart_vec3 c[3], kart_vec3 normal, double approach) {
    const double height = vec3_dot(vec3_sub(m->center, c[0]), normal), side = height > 0 ? 1 : -1;
    if (!(side * approach < 0) || fabs(height) < m->radius - m->pad) return false;
    const double at = tree_most(0, (side * m->radius - height) / approach);
    const kart_vec3 center = vec3_add(m->center, vec3_scale(m->motion, at));
    const kart_vec3 touch = vec3_sub(center, vec3_scale(normal, side * m->radius));
    if (!is_over(c, normal, touch)) return false;
    meet(m, at, touch);
    return true;
}

bool tree_sweep_triangle(const tree_search *search, const tree_leaf *leaf, unsigned lane,
                         double *at, kart_vec3 *touch) {
    kart_vec3 c[3];
    const tree_ray *ray = &search->ray;
    const kart_sweep *sweep = search->sweep;
    const double radius = sweep->radius;
    tree_corners(leaf, lane, c);
    meeting m = {.center = sweep->center,
                 .motion = vec3_scale(sweep->motion, ray->unit),
                 .radius = radius,
                 .pad = ray->pad,
                 .at = (double)INFINITY};
    const kart_vec3 normal = tree_normal(c), near = tree_triangle_nearest(c, m.center);
    const double approach = vec3_dot(m.motion, normal);
    if (ray->faces == KART_FRONT ? !(approach < 0) : ray->faces == KART_BACK && !(approach > 0))
        return false;
    if (tree_length(vec3_sub(near, m.center)) <= radius) {
        meet(&m, 0, near);
    } else if (!meet_face(&m, c, normal, approach)) {
        for (int i = 0; i < 3; i++) {
            meet_edge(&m, c[i], c[(i + 1) % 3]);
            meet_corner(&m, c[i]);
        }
    }
    *at = m.at;
    *touch = m.touch;
    return m.at <= ray->max && tree_stretch(ray, leaf, lane, radius, at) && *at >= 0 &&
           *at <= ray->max;
}
