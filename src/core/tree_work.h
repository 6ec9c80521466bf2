// Internal to trees: what they are made of, and the tests that decide.
//
// Boxes are in single precision and may only say "no" where no triangle in them is hit. What makes
// them safe:
// - Bounds are rounded outwards.
// - A ray is moved towards planes that it enters and away from those that it leaves, by more than
//   rounding can amount to (ray_planes); so it enters every box early and leaves it late.
// - A hit counts only within the stretch of the ray that lies in the triangle's own box (with a
//   little room, tree_stretch): where a triangle is seen nearly edge on, its place is noise, and
//   what is noise must not hang on the order in which boxes are looked at.
#ifndef KART_TREE_WORK_H
#define KART_TREE_WORK_H

#include "core/tree.h"

#include <float.h>
#include <string.h>

#define TREE_WIDTH 8 // children of a node
#define TREE_LEAF  4 // most triangles of a leaf

#define TREE_IS_LEAF 0x80000000u // in a child's number
#define TREE_NONE    UINT32_MAX  // no child

// Nodes from which on triangles are shared out by number, so that depth has an end: eight ways each
// time, which takes 2^28 triangles apart in ten nodes.
#define TREE_DEEP  48
#define TREE_STACK ((TREE_DEEP + 12) * (TREE_WIDTH - 1) + 1)

typedef struct tree_node {
    float bound[6][TREE_WIDTH]; // low x, y, z, high x, y, z; of no child 2^62 and -2^62
    uint32_t child[TREE_WIDTH]; // nodes, or leaves with TREE_IS_LEAF, or TREE_NONE
} tree_node;

typedef struct tree_leaf {
    double corner[3][3][TREE_LEAF]; // by corner and axis; zeros where there is no triangle
    uint32_t number[TREE_LEAF];     // what they are called, or KART_NO_TRIANGLE
} tree_leaf;

typedef struct tree_kernel tree_kernel;

struct kart_tree {
    kart_ctx *ctx;
    size_t owners;
    const tree_kernel *kernel;
    const tree_node *nodes; // the first is the root
    const tree_leaf *leaves;
    double reach; // the largest coordinate
    kart_tree_stats stats;
    size_t block_size;
    void *block; // all of it
};

// --- rays -------------------------------------------------------------------------------------

#define TREE_TINY 0x1p-70 // of the direction's largest part: as good as 0

typedef struct tree_ray {
    // For boxes, in single precision: by axis where the ray is said to begin and the inverse of its
    // direction, for planes that it enters and for those that it leaves.
    float near_origin[4], near_inverse[4], far_origin[4], far_inverse[4];
    uint32_t enter[4], leave[4]; // which bounds of a node
    // For triangles, in double precision.
    uint8_t x, y, z; // axes: z is the one along which it moves most
    double origin[3], shear[3];
    double inverse[3]; // 0 where it does not move
    double pad;        // more than double precision is off by
    double unit;       // the direction's lengths in one of the ray's, a power of two
    double max;
    kart_faces faces;
} tree_ray;

// Make a ray ready for triangles and boxes grown by `grow`; false if it can hit nothing.
bool tree_ray_set(const kart_tree *tree, const kart_ray *ray, double grow, tree_ray *out);

static inline double tree_axis(kart_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
static inline double tree_least(double a, double b) { return a < b ? a : b; }
static inline double tree_most(double a, double b) { return a > b ? a : b; }
static inline double tree_largest(kart_vec3 v) {
    return tree_most(fabs(v.x), tree_most(fabs(v.y), fabs(v.z)));
}

static inline void tree_corners(const tree_leaf *leaf, unsigned lane, kart_vec3 c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = (kart_vec3){leaf->corner[i][0][lane], leaf->corner[i][1][lane],
                           leaf->corner[i][2][lane]};
}

// Bring `*at`, how far along a ray a triangle is said to be hit, to where the ray is in the
// triangle's box; false if it never is.
static inline bool tree_stretch(const tree_ray *ray, const tree_leaf *leaf, unsigned lane,
                                double grow, double *at) {
    double from = -DBL_MAX, to = DBL_MAX;
    const double room = ray->pad + grow;
    for (int axis = 0; axis < 3; axis++) {
        const double a = leaf->corner[0][axis][lane], b = leaf->corner[1][axis][lane],
                     d = leaf->corner[2][axis][lane];
        const double low = tree_least(tree_least(a, b), d) - room - ray->origin[axis];
        const double high = tree_most(tree_most(a, b), d) + room - ray->origin[axis];
        const double inverse = ray->inverse[axis];
        if (inverse == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        const double one = low * inverse, other = high * inverse;
        from = tree_most(from, tree_least(one, other));
        to = tree_least(to, tree_most(one, other));
    }
    if (!(from <= to)) return false;
    *at = tree_most(from, tree_least(to, *at));
    return true;
}

// What a search keeps of a hit.
typedef struct tree_found {
    uint32_t leaf, lane, number; // where it is, and what it is called
    double at;                   // how far along the ray, in its lengths
    double u, v;                 // as in kart_hit
} tree_found;

// How a ray passes the triangles of a leaf: its edge functions, and how far along it corners are.
typedef struct tree_look {
    double edge[3][TREE_LEAF], along[3][TREE_LEAF];
} tree_look;

// A triangle whose edge functions agree: is it hit within the ray's stretch?
static inline bool tree_ray_hit(const tree_ray *ray, const tree_leaf *leaf, unsigned lane,
                                const tree_look *look, tree_found *f) {
    const double u = look->edge[0][lane], v = look->edge[1][lane], w = look->edge[2][lane];
    const double sum = u + v + w;
    if (ray->faces == KART_FRONT ? sum < 0 : ray->faces == KART_BACK && sum > 0) return false;
    const double one = 1 / sum;
    f->u = v * one;
    f->v = w * one;
    // From one corner on: of corners that are equally far the distance is exact.
    const double first = look->along[0][lane];
    f->at =
        (first + f->u * (look->along[1][lane] - first) + f->v * (look->along[2][lane] - first)) *
        ray->shear[2];
    return tree_stretch(ray, leaf, lane, 0, &f->at) && f->at >= 0 && f->at <= ray->max;
}

// --- searches ---------------------------------------------------------------------------------

typedef enum tree_mode { TREE_NEAREST, TREE_ANY, TREE_ALL } tree_mode;

// What a walk along a ray looks for, and what it has found.
typedef struct tree_search {
    tree_ray ray;
    tree_mode mode;
    float best_up;   // how far boxes count: ray.max or the hit's distance, rounded up
    tree_found best; // its number is KART_NO_TRIANGLE as long as there is none
    uint32_t visits;
    kart_accept_fn *accept;
    const void *user;
    bool plain; // nothing is asked but the nearest hit, or any one
    const kart_ray *asked;
    const kart_sweep *sweep; // a sphere instead of a point
    kart_vec3 touch;         // where it touches
    kart_hits *hits;         // of TREE_ALL
    kart_error *error;
    bool failed;
} tree_search;

// What is done with a hit beyond the usual: nearer than the one before, of whatever triangle. Gives
// true if the walk is to end.
bool tree_search_take(const kart_tree *tree, tree_search *search, const tree_found *found);

// The triangles of a leaf against the sphere of a sweep; the same.
bool tree_search_sweep(const kart_tree *tree, tree_search *search, uint32_t leaf);

static inline bool tree_search_keep(tree_search *search, const tree_found *found) {
    search->best = *found;
    // Rounded up, whatever it is, without a branch.
    search->best_up = (float)(found->at * (1 + 0x1p-23) + 0x1p-149);
    return search->mode == TREE_ANY;
}

// Is it nearer than what there is? All hits are wanted of TREE_ALL.
static inline bool tree_search_wants(const tree_search *search, const tree_found *found) {
    return found->at < search->best.at ||
           (found->at == search->best.at && found->number < search->best.number);
}

// The walk itself, in the ways that processors allow.
struct tree_kernel {
    void (*walk)(const kart_tree *tree, tree_search *search);
};
extern const tree_kernel tree_kernel_plain;
const tree_kernel *tree_kernel_best(void);

// --- numbers ----------------------------------------------------------------------------------

// The float next to `x`, or itself where it is one: never below it, or never above it. Of numbers
// beyond the range of floats tree_float_up makes an infinite one; tree_float_down is not for them.
static inline float tree_float_step(float f, bool up) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (f == 0)
        bits = up ? 1 : 0x80000001u;
    else
        bits += (f > 0) == up ? 1 : UINT32_MAX;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline float tree_float_up(double x) {
    if (x > (double)FLT_MAX) return (float)INFINITY;
    const float f = (float)x;
    return (double)f < x ? tree_float_step(f, true) : f;
}
static inline float tree_float_down(double x) {
    const float f = (float)x;
    return (double)f > x ? tree_float_step(f, false) : f;
}

// --- shapes (tree_shape.c) --------------------------------------------------------------------

// The length of vectors whose squares no double holds.
double tree_odd_length(kart_vec3 v);

static inline double tree_length(kart_vec3 v) {
    const double square = vec3_dot(v, v);
    return square > 0x1p-800 && square < 0x1p800 ? sqrt(square) : tree_odd_length(v);
}

// Of the face, of length 1; 0, 0, 0 where there is none.
static inline kart_vec3 tree_normal(const kart_vec3 c[3]) {
    const kart_vec3 n = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    const double length = tree_length(n);
    if (!(length > 0)) return (kart_vec3){0, 0, 0};
    return (kart_vec3){n.x / length + 0.0, n.y / length + 0.0, n.z / length + 0.0}; // no -0
}

// The place of a point on a triangle: A + u (B - A) + v (C - A).
void tree_place(const kart_vec3 corner[3], kart_vec3 point, double *u, double *v);

// As kart_triangle_nearest, but never outside of the triangle's box.
kart_vec3 tree_triangle_nearest(const kart_vec3 corner[3], kart_vec3 point);

// Does the box touch the triangle?
bool tree_box_triangle(const kart_box *box, const kart_vec3 corner[3]);

// Does the sphere of a search touch the triangle on its way? `at` and `touch`: when and where.
bool tree_sweep_triangle(const tree_search *search, const tree_leaf *leaf, unsigned lane,
                         double *at, kart_vec3 *touch);

#endif
