// The part of kcl_verify that goes from cell to cell: what comes near a cell and isn't in its list
// is asked for where it comes nearest.
#include "kcl/verify_cells.h"

#include "core/triangle.h"
#include "kcl/galaxy.h"

#include <string.h>

// Queries stay so far inside of their cell that rounding doesn't lead out of it.
#define INSIDE 0.02

// Depths below a face that are tried, as parts of the thickness; the radius there, as a part of it,
// too; and how much smaller the triangle is there, so that places on its edges are well inside.
#define DEPTHS 8
#define SMALL  (1.0 / 8192)
#define SHRUNK (1.0 / 1024)

#define LEVELS 32

// A prism of the model that is walked.
typedef struct body {
    kart_vec3 corner[3], down; // `down`: along the normal, one unit long
    kart_vec3 low, high;       // of what it can be hit from
} body;

// Those that come near a cell, of which the leaf's and its ancestors' are kept.
typedef struct level {
    uint32_t cell[3];
    uint32_t *near;
    size_t count;
    bool known;
} level;

typedef struct walk {
    kcl_verify_work *w;
    size_t model;
    const kcl_model *m;
    double radius; // the largest that is asked for; 0: the engine gathers cells
    body *bodies;
    size_t *sound; // which prism each body is
    size_t count;
    uint32_t *near; // room for the levels
    level levels[LEVELS];
    uint32_t *listed; // per prism: the last leaf that listed it
    uint32_t leaf;    // its number, from 1
    kart_error *error;
    bool failed;
} walk;

static kart_vec3 low_of(kart_vec3 a, kart_vec3 b) {
    return (kart_vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}
static kart_vec3 high_of(kart_vec3 a, kart_vec3 b) {
    return (kart_vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

static bool boxes_touch(kart_vec3 low, kart_vec3 high, kart_vec3 other_low, kart_vec3 other_high) {
    return low.x <= other_high.x && low.y <= other_high.y && low.z <= other_high.z &&
           high.x >= other_low.x && high.y >= other_low.y && high.z >= other_low.z;
}

// --- bodies -----------------------------------------------------------------------------------

static bool body_make(const walk *k, size_t in_model, body *b) {
    const kcl_doc *doc = k->w->lookup->doc;
    const kcl_prism prism = kcl_prism_get(doc, k->m, in_model);
    if (kcl_prism_triangle(doc, k->m, &prism, b->corner) != KCL_SOUND) return false;
    const kart_vec3 across =
        vec3_cross(vec3_sub(b->corner[1], b->corner[0]), vec3_sub(b->corner[2], b->corner[0]));
    b->down = vec3_scale(across, -1 / vec3_length(across));
    b->low = b->high = b->corner[0];
    for (int i = 0; i < 3; i++) {
        const kart_vec3 below = vec3_add(b->corner[i], vec3_scale(b->down, k->m->thickness));
        b->low = low_of(b->low, low_of(b->corner[i], below));
        b->high = high_of(b->high, high_of(b->corner[i], below));
    }
    const double reach = k->radius + 1;
    b->low = vec3_sub(b->low, (kart_vec3){reach, reach, reach});
    b->high = vec3_add(b->high, (kart_vec3){reach, reach, reach});
    return true;
}

static void bodies_make(walk *k) {
    for (size_t i = 0; i < k->m->prisms_count; i++)
        if (body_make(k, i, &k->bodies[k->count])) k->sound[k->count++] = i;
}

// --- near a cell ------------------------------------------------------------------------------

static void cell_box(const walk *k, const uint32_t cell[3], uint32_t size, kart_vec3 *low,
                     kart_vec3 *high) {
    const double edge = size;
    *low = vec3_add(k->m->min, (kart_vec3){cell[0], cell[1], cell[2]});
    *high = vec3_add(*low, (kart_vec3){edge, edge, edge});
}

// The bodies near the cell of this level that the leaf is in, out of those of the level above.
static const level *level_fill(walk *k, const kcl_leaf *leaf, unsigned depth) {
    level *it = &k->levels[depth];
    const uint32_t size = UINT32_C(1) << (k->m->shift - depth);
    const level *above = depth > 0 ? level_fill(k, leaf, depth - 1) : NULL;
    uint32_t cell[3];
    for (int i = 0; i < 3; i++) cell[i] = leaf->cell[i] & ~(size - 1);
    if (it->known && memcmp(it->cell, cell, sizeof cell) == 0) return it;
    kart_vec3 low, high;
    cell_box(k, cell, size, &low, &high);
    memcpy(it->cell, cell, sizeof cell);
    it->known = true;
    it->near = k->near + depth * k->count;
    it->count = 0;
    const size_t count = above ? above->count : k->count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t one = above ? above->near[i] : (uint32_t)i;
        if (boxes_touch(k->bodies[one].low, k->bodies[one].high, low, high))
            it->near[it->count++] = one;
    }
    for (unsigned below = depth + 1; below < LEVELS; below++) k->levels[below].known = false;
    return it;
}

// --- asking -----------------------------------------------------------------------------------

static void vec_put(float to[3], kart_vec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

// The place of the box that is nearest to the triangle, by going to and fro between the two; both
// are convex, so that leads there. Gives the distance.
static double box_nearest(kart_vec3 low, kart_vec3 high, const kart_vec3 corner[3],
                          kart_vec3 *place) {
    kart_vec3 there = vec3_scale(vec3_add(low, high), 0.5);
    double before = HUGE_VAL;
    for (int turn = 0; turn < 100; turn++) {
        there = kart_triangle_nearest(corner, there);
        *place = high_of(low, low_of(high, there));
        const double distance = vec3_length(vec3_sub(there, *place));
        if (distance == 0 || before - distance < 1e-5) return distance;
        before = distance;
        there = *place;
    }
    return before;
}

// Ask for one prism at a place of the leaf.
static bool place_ask(walk *k, const kcl_leaf *leaf, const body *b, size_t prism, kart_vec3 place,
                      double radius) {
    kcl_verify_work *w = k->w;
    // From above: then edges and corners are felt from all sides.
    kcl_query query = {.radius = (float)radius, .types = KCL_TYPES_ALL, .moving = !w->galaxy};
    vec_put(query.point, place);
    vec_put(query.from, vec3_sub(place, vec3_scale(b->down, 2 * (radius + k->m->thickness))));
    size_t model;
    kcl_leaf found;
    kcl_hit hit;
    double distance;
    w->result->probes++;
    if (!kcl_cell_at(w->lookup->doc, query.point, &model, &found) || model != k->model ||
        found.list != leaf->list)
        return true;
    const size_t all = w->lookup->first[model] + prism;
    const bool hits = (w->galaxy ? kcl_galaxy_one : kcl_lookup_one)(w->lookup, &query, all, &hit);
    if (!hits || !kcl_contact(w, all, &query, &distance)) return true;
    bool missed;
    return kcl_verify_missed(w, &query, all, &missed, k->error) &&
           (!missed || kcl_miss_add(w, all, &query, distance, (double)hit.depth, k->error));
}

// The triangle so far below itself, and a little smaller.
static void lower(const body *b, double depth, kart_vec3 corner[3]) {
    const kart_vec3 *c = b->corner;
    const kart_vec3 middle = vec3_scale(vec3_add(c[0], vec3_add(c[1], c[2])), 1.0 / 3);
    for (int i = 0; i < 3; i++) {
        const kart_vec3 inwards = vec3_scale(vec3_sub(middle, c[i]), SHRUNK);
        corner[i] = vec3_add(vec3_add(c[i], inwards), vec3_scale(b->down, depth));
    }
}

static bool body_ask(walk *k, const kcl_leaf *leaf, kart_vec3 low, kart_vec3 high, size_t which) {
    const body *b = &k->bodies[which];
    const size_t prism = k->sound[which];
    const double radius = k->m->thickness * SMALL;
    kart_vec3 place, lowered[3];
    if (k->radius > 0 && box_nearest(low, high, b->corner, &place) < k->radius &&
        !place_ask(k, leaf, b, prism, place, k->radius))
        return false;
    for (int i = 0; i <= DEPTHS; i++) {
        // A little above the face, then below it, down to where the radius allows.
        const double share = (double)i / DEPTHS;
        lower(b, i == 0 ? -radius / 2 : share * k->m->thickness - 2 * radius, lowered);
        const kart_vec3 least = low_of(lowered[0], low_of(lowered[1], lowered[2]));
        const kart_vec3 most = high_of(lowered[0], high_of(lowered[1], lowered[2]));
        if (boxes_touch(least, most, low, high) && box_nearest(low, high, lowered, &place) == 0 &&
            !place_ask(k, leaf, b, prism, place, radius))
            return false;
    }
    return true;
}

static bool leaf_ask(void *user, const kcl_leaf *leaf) {
    walk *k = user;
    const kcl_doc *doc = k->w->lookup->doc;
    size_t at = leaf->list, prism;
    k->leaf++;
    k->w->result->cells++;
    while (kcl_list_next(doc, &at, &prism)) k->listed[prism] = k->leaf;
    const level *near = level_fill(k, leaf, leaf->depth);
    kart_vec3 low, high;
    const kart_vec3 inside = {INSIDE, INSIDE, INSIDE};
    cell_box(k, leaf->cell, leaf->size, &low, &high);
    low = vec3_add(low, inside);
    high = vec3_sub(high, inside);
    for (size_t i = 0; i < near->count && !k->failed; i++)
        if (k->listed[k->sound[near->near[i]]] != k->leaf)
            k->failed = !body_ask(k, leaf, low, high, near->near[i]);
    if (k->leaf % 256 == 0 && !k->failed) {
        const double done = (double)leaf->cell[2] / ((double)~k->m->mask[2] + 1);
        k->failed = !kart_ctx_step(doc->ctx, 0.5 + done / 2, k->error);
    }
    return !k->failed;
}

// --- models -----------------------------------------------------------------------------------

static bool model_ask(kcl_verify_work *w, size_t model, kart_error *error) {
    const kcl_doc *doc = w->lookup->doc;
    const kcl_model *m = &doc->models[model];
    walk k = {.w = w, .model = model, .m = m, .error = error};
    for (size_t i = 0; i < w->radii_count && !w->galaxy; i++)
        k.radius = fmax(k.radius, (double)w->radii[i]);
    if (m->radius > 0) k.radius = fmin(k.radius, m->radius);
    const size_t count = m->prisms_count, levels = m->shift + 1;
    const size_t near = levels * count * sizeof *k.near;
    k.bodies = kart_alloc(doc->ctx, count * sizeof *k.bodies, error);
    k.sound = k.bodies ? kart_alloc(doc->ctx, count * sizeof *k.sound, error) : NULL;
    k.listed = k.sound ? kart_alloc(doc->ctx, count * sizeof *k.listed, error) : NULL;
    k.near = k.listed ? kart_alloc(doc->ctx, near, error) : NULL;
    k.failed = !k.near;
    if (!k.failed) {
        bodies_make(&k);
        kcl_octree_walk(doc, m, leaf_ask, &k);
    }
    kart_free(doc->ctx, k.bodies, count * sizeof *k.bodies);
    kart_free(doc->ctx, k.sound, count * sizeof *k.sound);
    kart_free(doc->ctx, k.listed, count * sizeof *k.listed);
    kart_free(doc->ctx, k.near, near);
    return !k.failed;
}

bool kcl_verify_cells(kcl_verify_work *w, kart_error *error) {
    for (size_t m = 0; m < w->lookup->doc->models_count; m++)
        if (!model_ask(w, m, error)) return false;
    return true;
}
