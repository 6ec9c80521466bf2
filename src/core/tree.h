// Trees over triangles: what a ray hits, what is near, what a box holds. For anything that can show
// its triangles one by one.
//
// A tree is eight wide, built by the surface-area heuristic, and knows places only: neither flags
// nor documents. It never changes, and may be asked from several threads at once.
//
// Answers don't hang on how the tree was built, nor on the processor. They are what a loop over all
// triangles would find with the same tests (tree_work.h), which are made in double precision; of
// equally near triangles the one with the lowest number is the answer. What is in single precision
// only rules out, with its errors accounted for.
//
// Rays find no gap between triangles that share an edge: a ray that meets both within rounding hits
// at least one of them. The test is that of Woop, Benthin and Wald (Watertight Ray/Triangle
// Intersection, 2013). Why it holds here: corners are moved into the ray's plane one by one, so
// that neighbours agree on where they are; and the sign of the difference of two rounded products
// is right or 0, as rounding keeps order, while 0 counts as inside for both.
//
// What is odd has an answer, too. Triangles with a corner that isn't finite, or beyond
// KART_TREE_REACH on an axis, are left out. A query with a number that isn't finite, from beyond
// that, or along no direction finds nothing; an infinite `max` is none. A triangle without area, or
// one that a ray sees edge on, is hit by no ray, but is as near to points, boxes and spheres as its
// corners and edges are. A tree of no triangles finds nothing.
#ifndef KART_TREE_H
#define KART_TREE_H

#include "core/ctx.h"
#include "core/points.h"

#define KART_NO_TRIANGLE UINT32_MAX
#define KART_TREE_REACH  0x1p60
#define KART_TREE_MOST   ((size_t)1 << 28) // triangles

typedef struct kart_tree kart_tree;

// --- life (tree.c, tree_build.c) --------------------------------------------------------------

typedef struct kart_tree_input {
    const void *user;
    size_t count;
    void (*corners)(const void *user, size_t i, kart_vec3 corner[3]);
    const uint32_t *numbers; // by which answers name them; NULL: 0, 1 ...
} kart_tree_input;

// NULL with error memory, limit or cancelled.
kart_tree *kart_tree_build(kart_ctx *ctx, const kart_tree_input *input, kart_error *error);

// One owner more; gives the tree. The last of them to call kart_tree_free frees it. Owners belong
// to one thread. NULL is ignored by both.
kart_tree *kart_tree_share(kart_tree *tree);
void kart_tree_free(kart_tree *tree);
size_t kart_tree_memory(const kart_tree *tree); // 0 for NULL

typedef struct kart_tree_stats {
    size_t triangles, left_out;
    size_t nodes, leaves;
    size_t bytes;
    unsigned depth; // nodes above the deepest leaf
} kart_tree_stats;
kart_tree_stats kart_tree_stats_get(const kart_tree *tree);

// Processors differ in how many numbers they take at once; what is best is chosen when a tree is
// built. For tests: go on without what not every processor has. Gives whether there was anything.
bool kart_tree_narrow(kart_tree *tree);

// --- answers ----------------------------------------------------------------------------------

typedef struct kart_hit {
    uint32_t triangle; // its number; KART_NO_TRIANGLE: none, and the rest is not set but for visits
    uint32_t visits;   // nodes and leaves looked at: the work that was done, without a clock
    uint32_t flag;     // room for who knows the document; trees leave it alone
    double fraction;   // of rays and sweeps: how far, in lengths of the direction
    double distance;   // in units
    kart_vec3 point;   // where it is touched; of rays: on the ray
    kart_vec3 normal;  // of the face, of length 1: the side on which corners run counter-clockwise;
                       // 0, 0, 0 of a triangle without area
    double u, v;       // the place: A + u (B - A) + v (C - A)
} kart_hit;

typedef struct kart_hits {
    kart_ctx *ctx;
    kart_hit *items;
    size_t count, capacity;
    uint32_t visits;
} kart_hits;
void kart_hits_free(kart_hits *hits);

// Which triangles count: called with the number of one that would be an answer.
typedef bool kart_accept_fn(const void *user, uint32_t triangle);

typedef enum kart_faces {
    KART_BOTH,
    KART_FRONT, // only what shows its front to the ray: corners run counter-clockwise
    KART_BACK,
    KART_FACES
} kart_faces;

// --- rays (tree_ray.c) ------------------------------------------------------------------------

typedef struct kart_ray {
    kart_vec3 origin, direction; // of any length
    double max;                  // farthest hit, in lengths of the direction: 1 for a segment
    kart_faces faces;
    kart_accept_fn *accept; // NULL: all count
    const void *user;
} kart_ray;

// The nearest hit; false if there is none.
bool kart_tree_raycast(const kart_tree *tree, const kart_ray *ray, kart_hit *hit);

// Some hit, whichever comes first: to know whether there is one.
bool kart_tree_raycast_any(const kart_tree *tree, const kart_ray *ray, kart_hit *hit);

// Add all hits, the nearest first, of equally near ones the lowest number first. False with error
// memory or limit; `hits` is then to be freed all the same.
bool kart_tree_raycast_all(const kart_tree *tree, const kart_ray *ray, kart_hits *hits,
                           kart_error *error);

// --- places (tree_near.c) ---------------------------------------------------------------------

typedef struct kart_near {
    kart_vec3 point;
    double max; // farthest, in units; of overlaps: the sphere's radius
    kart_accept_fn *accept;
    const void *user;
} kart_near;

// The triangle that is nearest to a point, up to `max` away, and its place that is.
bool kart_tree_nearest(const kart_tree *tree, const kart_near *near, kart_hit *hit);

typedef struct kart_sweep {
    kart_vec3 center, motion; // a sphere that goes from the center to center + motion
    double radius;
    kart_faces faces; // by how they stand to the motion
    kart_accept_fn *accept;
    const void *user;
} kart_sweep;

// What a moving sphere touches first, what it touches from the start included; `point` is where it
// touches. A sphere that doesn't move finds what it touches.
bool kart_tree_sweep(const kart_tree *tree, const kart_sweep *sweep, kart_hit *hit);

typedef struct kart_numbers {
    kart_ctx *ctx;
    uint32_t *items;
    size_t count, capacity;
    uint32_t visits;
} kart_numbers;
void kart_numbers_free(kart_numbers *numbers);

typedef struct kart_box {
    kart_vec3 low, high; // low > high on an axis: it holds nothing
    kart_accept_fn *accept;
    const void *user;
} kart_box;

// The numbers of all triangles that a box or a sphere touches, surfaces included, ascending. False
// with error memory or limit; `numbers` is then to be freed all the same.
bool kart_tree_overlap_box(const kart_tree *tree, const kart_box *box, kart_numbers *numbers,
                           kart_error *error);
bool kart_tree_overlap_sphere(const kart_tree *tree, const kart_near *sphere, kart_numbers *numbers,
                              kart_error *error);

// --- queries by kind, and many of them (tree_ask.c) -------------------------------------------

typedef enum kart_query {
    KART_RAYCAST, // from a point in a direction
    KART_SEGMENT, // between two points
    KART_GROUND,  // straight below a point; KART_FRONT makes it what faces up
    KART_CEILING, // straight above; KART_FRONT makes it what faces down
    KART_NEAREST,
    KART_SWEEP,
    KART_QUERIES
} kart_query;

typedef struct kart_ask {
    kart_query query;
    double max;       // farthest answer, in units; not of segments and sweeps
    double radius;    // of sweeps
    kart_faces faces; // not of KART_NEAREST
    bool any;         // of rays: any hit will do
    kart_accept_fn *accept;
    const void *user;
} kart_ask;

// One query. `other`: a direction, the other end, or a motion, for kinds that have one.
bool kart_tree_ask(const kart_tree *tree, const kart_ask *ask, kart_vec3 point, kart_vec3 other,
                   kart_hit *hit);

// All hits of a ray; as kart_tree_raycast_all.
bool kart_tree_ask_all(const kart_tree *tree, const kart_ask *ask, kart_vec3 point, kart_vec3 other,
                       kart_hits *hits, kart_error *error);

// Where answers go, as many as there are points; those that are NULL aren't wanted. Where there is
// no hit: an infinite distance, KART_NO_TRIANGLE, and numbers that are none.
typedef struct kart_answers {
    double *distance, *point, *normal, *u, *v; // three for each point and normal
    uint32_t *triangle;
    size_t hits, visits; // sums
} kart_answers;

// The same for each of many points, and others, of which there are as many or one for all. Answers
// are those of kart_tree_ask, whatever the number of threads; 0: as many as pay. `accept` must
// stand being called by all of them. False with error cancelled.
typedef struct kart_batch {
    kart_ask ask;
    kart_points points, others;
    unsigned threads;
} kart_batch;
bool kart_tree_ask_many(kart_ctx *ctx, const kart_tree *tree, const kart_batch *batch,
                        kart_answers *answers, kart_error *error);

#endif
