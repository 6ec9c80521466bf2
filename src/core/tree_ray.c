// Rays against trees: making them ready, what becomes of a hit, answers.
#include "core/array.h"
#include "core/lanes.h"
#include "core/tree_work.h"

#include <stdlib.h>

// --- making a ray ready -----------------------------------------------------------------------

// Directions are brought to where inverses of their parts are floats, by a power of two.
#define LENGTH_LEAST 0x1p-30
#define LENGTH_MOST  0x1p30
#define STEEPEST     0x1p100f // the inverse of what is as good as 0

// Relative to the largest coordinate: what double precision may be off by, and more than that.
#define PAD       0x1p-46
#define PAD_FLOAT 0x1p-40

// For boxes: x, y, z and a fourth of no meaning at once, and free of branches on what differs from
// ray to ray, as this is done for every one. `room`: what the ray's beginning is moved by.
static void ray_planes(tree_ray *r, kart_vec3 o, kart_vec3 d, double tiny, double room) {
    const lanes4 origin = {(float)o.x, (float)o.y, (float)o.z, 0};
    const lanes4 way = {(float)d.x, (float)d.y, (float)d.z, 1};
    const lanes4_mask still = lanes4_abs(way) < lanes4_all((float)tiny);
    const lanes4 inverse = lanes4_choose(still, lanes4_all(STEEPEST), lanes4_all(1) / way);
    const lanes4_mask back = (lanes4_mask)inverse >> 31;
    const lanes4 forward = (lanes4)((lanes4_mask)lanes4_all((float)room) ^ (back << 31));
    const lanes4 near = origin + forward, far = origin - forward;
    // Five roundings of 2^-24 each, at most.
    const lanes4 less = inverse * lanes4_all(1 - 0x1p-20f);
    const lanes4 more = inverse * lanes4_all(1 + 0x1p-20f);
    const lanes4_mask enter = (lanes4_mask){0, 1, 2, 3} + (back & 3);
    const lanes4_mask leave = (lanes4_mask){3, 4, 5, 6} - (back & 3);
    memcpy(r->near_origin, &near, sizeof near);
    memcpy(r->far_origin, &far, sizeof far);
    memcpy(r->near_inverse, &less, sizeof less);
    memcpy(r->far_inverse, &more, sizeof more);
    memcpy(r->enter, &enter, sizeof enter);
    memcpy(r->leave, &leave, sizeof leave);
}

// The direction by a power of two, so that its largest part becomes about 1.
static kart_vec3 direction_scale(tree_ray *r, kart_vec3 d, double length) {
    int power;
    frexp(length, &power);
    // In two steps: what a denormal must be multiplied with is no double.
    const double half = ldexp(1, -power / 2), rest = ldexp(1, -(power - power / 2));
    r->unit = half * rest;
    return vec3_scale(vec3_scale(d, half), rest);
}

bool tree_ray_set(const kart_tree *tree, const kart_ray *ray, double grow, tree_ray *r) {
    static const uint8_t others[3][2][2] = {{{1, 2}, {2, 1}}, {{2, 0}, {0, 2}}, {{0, 1}, {1, 0}}};
    const kart_vec3 o = ray->origin;
    kart_vec3 d = ray->direction;
    const double away = tree_largest(o), sum = o.x + o.y + o.z + d.x + d.y + d.z;
    double length = tree_largest(d);
    // What is no number makes the sum none; what is infinite is too large.
    if (isnan(sum) || away > KART_TREE_REACH || !(length > 0 && length <= DBL_MAX) ||
        !(ray->max >= 0))
        return false;
    r->unit = 1;
    r->max = ray->max;
    if (length < LENGTH_LEAST || length > LENGTH_MOST) {
        d = direction_scale(r, d, length);
        length = tree_largest(d);
        r->max /= r->unit;
    }
    const double axes[3] = {d.x, d.y, d.z};
    const double reach = tree_most(away, tree->reach) + grow;
    // By numbers, as no processor guesses the way of a ray.
    const unsigned first = fabs(d.y) > fabs(d.x),
                   last = fabs(d.z) > tree_most(fabs(d.x), fabs(d.y));
    r->z = (uint8_t)(last << 1 | (first & ~last));
    const uint8_t *sides = others[r->z][axes[r->z] < 0]; // so that corners keep their sense
    r->x = sides[0];
    r->y = sides[1];
    // Made floats and moved, beginnings are off by up to twice the reach's last part.
    const double tiny = length * TREE_TINY;
    ray_planes(r, o, d, tiny, (grow + reach * (PAD_FLOAT + 0x1p-22)) * (1 + 0x1p-20));
    for (int i = 0; i < 3; i++) r->inverse[i] = fabs(axes[i]) < tiny ? 0 : 1 / axes[i];
    r->origin[0] = o.x;
    r->origin[1] = o.y;
    r->origin[2] = o.z;
    r->shear[2] = r->inverse[r->z];
    r->shear[0] = axes[r->x] * r->shear[2];
    r->shear[1] = axes[r->y] * r->shear[2];
    r->pad = reach * PAD;
    r->faces = ray->faces;
    return true;
}

// --- hits -------------------------------------------------------------------------------------

void kart_hits_free(kart_hits *hits) {
    kart_free(hits->ctx, hits->items, hits->capacity * sizeof *hits->items);
    *hits = (kart_hits){.ctx = hits->ctx};
}

// The answer to a ray or sweep from what a search keeps of it. A touch is where a sphere does it.
static void hit_fill(const kart_tree *tree, const tree_ray *ready, const kart_ray *ray,
                     const kart_vec3 *touch, const tree_found *found, kart_hit *hit) {
    kart_vec3 c[3];
    tree_corners(&tree->leaves[found->leaf], found->lane, c);
    hit->triangle = found->number;
    hit->fraction = found->at * ready->unit;
    hit->distance = hit->fraction * tree_length(ray->direction);
    hit->point = touch ? *touch : vec3_add(ray->origin, vec3_scale(ray->direction, hit->fraction));
    hit->normal = tree_normal(c);
    hit->u = found->u;
    hit->v = found->v;
}

// Of TREE_ALL.
static bool hit_add(const kart_tree *tree, tree_search *search, const tree_found *found) {
    kart_hits *hits = search->hits;
    kart_hit *items = kart_array_grow(hits->ctx, hits->items, &hits->capacity, hits->count + 1,
                                      sizeof *items, search->error);
    if (!items) return false;
    hits->items = items;
    hit_fill(tree, &search->ray, search->asked, NULL, found, &items[hits->count++]);
    return true;
}

bool tree_search_take(const kart_tree *tree, tree_search *search, const tree_found *found) {
    if (search->accept && !search->accept(search->user, found->number)) return false;
    if (search->mode != TREE_ALL) return tree_search_keep(search, found);
    search->failed = !hit_add(tree, search, found);
    return search->failed;
}

bool tree_search_sweep(const kart_tree *tree, tree_search *search, uint32_t leaf) {
    const tree_leaf *at = &tree->leaves[leaf];
    for (unsigned lane = 0; lane < TREE_LEAF && at->number[lane] != KART_NO_TRIANGLE; lane++) {
        tree_found found = {.leaf = leaf, .lane = lane, .number = at->number[lane]};
        kart_vec3 touch;
        if (!tree_sweep_triangle(search, at, lane, &found.at, &touch) ||
            !tree_search_wants(search, &found))
            continue;
        tree_search_take(tree, search, &found);
        if (search->best.number == found.number) search->touch = touch;
    }
    return false;
}

// --- queries ----------------------------------------------------------------------------------

// Make a search ready and walk; false if there was nothing to walk for.
static bool search_run(const kart_tree *tree, const kart_ray *ray, double grow,
                       tree_search *search) {
    search->best = (tree_found){.number = KART_NO_TRIANGLE, .at = (double)INFINITY};
    search->accept = ray->accept;
    search->user = ray->user;
    search->asked = ray;
    search->plain = !ray->accept && search->mode != TREE_ALL;
    search->visits = 0;
    search->failed = false;
    if (!tree_ray_set(tree, ray, grow, &search->ray)) return false;
    search->best_up =
        tree_float_up(search->ray.max) + 0.0f; // not -0; beyond all, where it is infinite
    tree->kernel->walk(tree, search);
    return true;
}

static bool one(const kart_tree *tree, const kart_ray *ray, tree_mode mode, kart_hit *hit) {
    tree_search search;
    search.mode = mode;
    search.sweep = NULL;
    const bool found = search_run(tree, ray, 0, &search) && search.best.number != KART_NO_TRIANGLE;
    if (found)
        hit_fill(tree, &search.ray, ray, NULL, &search.best, hit);
    else
        hit->triangle = KART_NO_TRIANGLE;
    hit->visits = search.visits;
    return found;
}

bool kart_tree_raycast(const kart_tree *tree, const kart_ray *ray, kart_hit *hit) {
    return one(tree, ray, TREE_NEAREST, hit);
}

bool kart_tree_raycast_any(const kart_tree *tree, const kart_ray *ray, kart_hit *hit) {
    return one(tree, ray, TREE_ANY, hit);
}

static int hit_order(const void *left, const void *right) {
    const kart_hit *a = left, *b = right;
    if (a->fraction != b->fraction) return a->fraction < b->fraction ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

bool kart_tree_raycast_all(const kart_tree *tree, const kart_ray *ray, kart_hits *hits,
                           kart_error *error) {
    const size_t before = hits->count;
    tree_search search = {.mode = TREE_ALL, .hits = hits, .error = error};
    search_run(tree, ray, 0, &search);
    hits->visits = search.visits;
    for (size_t i = before; i < hits->count; i++) hits->items[i].visits = search.visits;
    if (search.failed) return false;
    if (hits->count > before)
        qsort(hits->items + before, hits->count - before, sizeof *hits->items, hit_order);
    return true;
}

bool kart_tree_sweep(const kart_tree *tree, const kart_sweep *sweep, kart_hit *hit) {
    const kart_vec3 m = sweep->motion;
    const kart_ray ray = {.origin = sweep->center,
                          .direction = m,
                          .max = 1,
                          .faces = sweep->faces,
                          .accept = sweep->accept,
                          .user = sweep->user};
    tree_search search = {.mode = TREE_NEAREST, .sweep = sweep};
    hit->triangle = KART_NO_TRIANGLE;
    hit->visits = 0;
    if (!(sweep->radius >= 0) || sweep->radius > KART_TREE_REACH) return false;
    if (m.x == 0 && m.y == 0 && m.z == 0) {
        const kart_near near = {sweep->center, sweep->radius, sweep->accept, sweep->user};
        const bool found = kart_tree_nearest(tree, &near, hit);
        hit->distance = hit->fraction = 0;
        return found;
    }
    const bool walked = search_run(tree, &ray, sweep->radius, &search);
    hit->visits = search.visits;
    if (!walked || search.best.number == KART_NO_TRIANGLE) return false;
    kart_vec3 c[3];
    tree_corners(&tree->leaves[search.best.leaf], search.best.lane, c);
    tree_place(c, search.touch, &search.best.u, &search.best.v);
    hit_fill(tree, &search.ray, &ray, &search.touch, &search.best, hit);
    return true;
}
