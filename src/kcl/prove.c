// Every leaf against all triangles, by computations that the builder doesn't use.
#include "kcl/rebuild.h"

#include "core/array.h"
#include "kcl/global.h"
#include "kcl/near.h"
#include "kcl/same.h"

#include <stdlib.h>
#include <string.h>

#define SLACK      1e-6 // a prism this close to the limit may be in the list or not
#define DEPTH_MOST 31   // of a leaf, as coordinates have so many bits

typedef struct limits {
    double thickness, radius;
} limits;

typedef struct body {
    kart_vec3 corner[6]; // the triangle, then the same below it by the thickness
    kart_vec3 low, high; // of all of them, and of what is a radius around the triangle
    limits reach;
    bool sound;
} body;

typedef struct box {
    kart_vec3 low, high;
} box;

static double clamp(double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
}

// --- distances --------------------------------------------------------------------------------

static double point_box(kart_vec3 p, const box *b) {
    kart_vec3 q = {clamp(p.x, b->low.x, b->high.x), clamp(p.y, b->low.y, b->high.y),
                   clamp(p.z, b->low.z, b->high.z)};
    return vec3_length(vec3_sub(p, q));
}

static double segments(kart_vec3 p, kart_vec3 p2, kart_vec3 q, kart_vec3 q2) {
    kart_vec3 u = vec3_sub(p2, p), v = vec3_sub(q2, q), w = vec3_sub(p, q);
    double a = vec3_dot(u, u), b = vec3_dot(u, v), c = vec3_dot(v, v), d = vec3_dot(u, w),
           e = vec3_dot(v, w), whole = a * c - b * b;
    double s = whole > 1e-12 * a * c ? clamp((b * e - c * d) / whole, 0, 1) : 0;
    double t = c > 0 ? clamp((b * s + e) / c, 0, 1) : 0;
    s = a > 0 ? clamp((b * t - d) / a, 0, 1) : 0;
    return vec3_length(vec3_add(w, vec3_sub(vec3_scale(u, s), vec3_scale(v, t))));
}

// Of a point over the inside of the triangle; infinite elsewhere, where an edge is as near.
static double point_face(kart_vec3 p, const kart_vec3 t[3]) {
    kart_vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    for (int i = 0; i < 3; i++) {
        kart_vec3 side = vec3_cross(n, vec3_sub(t[(i + 1) % 3], t[i]));
        if (vec3_dot(side, vec3_sub(p, t[i])) < 0) return (double)INFINITY;
    }
    return fabs(vec3_dot(n, vec3_sub(p, t[0]))) / vec3_length(n);
}

static kart_vec3 box_corner(const box *b, unsigned i) {
    return (kart_vec3){i & 1 ? b->high.x : b->low.x, i & 2 ? b->high.y : b->low.y,
                       i & 4 ? b->high.z : b->low.z};
}

// Of a triangle that doesn't cut through the box.
static double triangle_box(const kart_vec3 t[3], const box *b) {
    double least = (double)INFINITY;
    for (unsigned i = 0; i < 8; i++) {
        least = fmin(least, point_face(box_corner(b, i), t));
        for (unsigned axis = 1; axis < 8; axis *= 2)
            for (int k = 0; !(i & axis) && k < 3; k++)
                least = fmin(least, segments(box_corner(b, i), box_corner(b, i | axis), t[k],
                                             t[(k + 1) % 3]));
    }
    for (int k = 0; k < 3; k++) least = fmin(least, point_box(t[k], b));
    return least;
}

// --- cutting ----------------------------------------------------------------------------------

#define POLYGON 16

typedef struct polygon {
    kart_vec3 p[POLYGON];
    int count;
} polygon;

// What is left of a polygon on the inner side of all planes of the box.
static void polygon_cut(polygon *g, const box *b) {
    for (int side = 0; side < 6 && g->count > 0; side++) {
        const double planes[6] = {b->low.x, b->low.y, b->low.z, b->high.x, b->high.y, b->high.z};
        double sign = side < 3 ? 1 : -1, inner[POLYGON];
        polygon out = {.count = 0};
        for (int i = 0; i < g->count; i++) {
            const double at[3] = {g->p[i].x, g->p[i].y, g->p[i].z};
            inner[i] = sign * (at[side % 3] - planes[side]);
        }
        for (int i = 0; i < g->count; i++) {
            int next = (i + 1) % g->count;
            if (inner[i] >= 0 && out.count < POLYGON) out.p[out.count++] = g->p[i];
            if ((inner[i] >= 0) == (inner[next] >= 0) || out.count == POLYGON) continue;
            double part = inner[i] / (inner[i] - inner[next]);
            out.p[out.count++] = vec3_add(g->p[i], vec3_scale(vec3_sub(g->p[next], g->p[i]), part));
        }
        *g = out;
    }
}

static bool face_in_box(const body *s, const int *corners, int count, const box *b) {
    polygon g = {.count = count};
    for (int i = 0; i < count; i++) g.p[i] = s->corner[corners[i]];
    polygon_cut(&g, b);
    return g.count > 0;
}

// Is the point in the prism, on the inner side of its five faces?
static bool point_inside(const body *s, kart_vec3 p, double slack) {
    static const int faces[5][3] = {{0, 1, 2}, {3, 5, 4}, {0, 3, 1}, {1, 4, 2}, {2, 5, 0}};
    for (int i = 0; i < 5; i++) {
        kart_vec3 a = s->corner[faces[i][0]];
        kart_vec3 n =
            vec3_cross(vec3_sub(s->corner[faces[i][1]], a), vec3_sub(s->corner[faces[i][2]], a));
        if (vec3_dot(n, vec3_sub(p, a)) > -slack * vec3_length(n)) return false;
    }
    return true;
}

// Two convex bodies meet where a face of one comes into the other, or one holds all of the other.
static bool prism_box(const body *s, const box *b) {
    static const int sides[3][4] = {{0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    static const int top[3] = {0, 1, 2}, bottom[3] = {3, 4, 5};
    const box inner = {{b->low.x + SLACK, b->low.y + SLACK, b->low.z + SLACK},
                       {b->high.x - SLACK, b->high.y - SLACK, b->high.z - SLACK}};
    bool meets = face_in_box(s, top, 3, &inner) || face_in_box(s, bottom, 3, &inner);
    for (int i = 0; !meets && i < 3; i++) meets = face_in_box(s, sides[i], 4, &inner);
    return meets || point_inside(s, box_corner(b, 0), SLACK);
}

// --- what is held against each other ----------------------------------------------------------

// A stretch of space from which lookups come to a model: all of it, or a cell of the first octree.
typedef struct region {
    box b;
    size_t model;
} region;

typedef struct proving {
    const kcl_doc *doc;
    kcl_proof_options options;
    kcl_random random;
    kcl_same same;
    const body *bodies; // of the triangles
    region *regions;    // by model
    size_t regions_count, regions_capacity;
    // The model under work: its number, its first prism, and its regions.
    const kcl_model *model;
    size_t number, first_prism;
    const region *own;
    size_t own_count;
    uint32_t *listed; // by triangle: the leaf that lists it, from 1
    uint32_t leaf;
    // For each depth the triangles whose bounds reach the cell around the leaf, as leaves come cell
    // by cell: level 0 has all that reach a region of the model.
    uint32_t *reaching[DEPTH_MOST + 2];
    size_t counts[DEPTH_MOST + 2];
    uint32_t cell[3]; // of the leaf before
    unsigned levels;  // that hold for it
    kcl_proof *proof;
    kart_error *error;
    bool failed;
} proving;

static void grow(body *s, kart_vec3 p, double by) {
    s->low =
        (kart_vec3){fmin(s->low.x, p.x - by), fmin(s->low.y, p.y - by), fmin(s->low.z, p.z - by)};
    s->high = (kart_vec3){fmax(s->high.x, p.x + by), fmax(s->high.y, p.y + by),
                          fmax(s->high.z, p.z + by)};
}

static limits limits_of(double thickness, double radius) {
    return (limits){fmax(thickness, 0), fmax(radius, 0)};
}

// What the triangle is with these limits.
static void body_reach(body *s, limits reach) {
    s->reach = reach;
    kart_vec3 n =
        vec3_cross(vec3_sub(s->corner[1], s->corner[0]), vec3_sub(s->corner[2], s->corner[0]));
    kart_vec3 down = vec3_scale(n, -reach.thickness / vec3_length(n));
    s->low = s->high = s->corner[0];
    for (int i = 0; i < 3; i++) {
        s->corner[3 + i] = vec3_add(s->corner[i], down);
        grow(s, s->corner[i], reach.radius);
        grow(s, s->corner[3 + i], 0);
    }
}

static void body_make(const kcl_doc *doc, const kcl_model *model, size_t index, limits reach,
                      body *s) {
    kcl_prism prism = kcl_prism_get(doc, model, index);
    s->sound = !kcl_soundness_degenerate(kcl_prism_triangle(doc, model, &prism, s->corner));
    if (s->sound) body_reach(s, reach);
}

// With the limits of a model; a copy in `own` where they are less than the largest.
static const body *body_limited(const body *s, limits reach, body *own) {
    if (reach.thickness == s->reach.thickness && reach.radius == s->reach.radius) return s;
    *own = *s;
    body_reach(own, reach);
    return own;
}

static bool boxes_meet(const box *a, const box *b) {
    return a->low.x <= b->high.x && a->high.x >= b->low.x && a->low.y <= b->high.y &&
           a->high.y >= b->low.y && a->low.z <= b->high.z && a->high.z >= b->low.z;
}

static bool apart(const body *s, const box *b) {
    const box own = {s->low, s->high};
    return !boxes_meet(&own, b);
}

static box boxes_joined(const box *a, const box *b) {
    return (box){
        {fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z)},
        {fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y), fmax(a->high.z, b->high.z)}};
}

static box boxes_shared(const box *a, const box *b) {
    return (box){
        {fmax(a->low.x, b->low.x), fmax(a->low.y, b->low.y), fmax(a->low.z, b->low.z)},
        {fmin(a->high.x, b->high.x), fmin(a->high.y, b->high.y), fmin(a->high.z, b->high.z)}};
}

// How far away the triangle is, if a list for the places in the box must hold it; else negative.
static double needed(const body *s, const box *b) {
    static const int top[3] = {0, 1, 2};
    if (apart(s, b)) return -1;
    if (face_in_box(s, top, 3, b) || prism_box(s, b)) return 0;
    double distance = triangle_box(s->corner, b);
    return distance <= s->reach.radius - SLACK ? distance : -1;
}

// --- leaves -----------------------------------------------------------------------------------

// The places that come to a cell. The fraction is cut off, so that those up to 1 below the area
// come to its first cells.
static box cell_box(const kcl_model *model, const uint32_t cell[3], uint32_t edge) {
    const double min[3] = {model->min.x, model->min.y, model->min.z};
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = min[i] + cell[i] - (cell[i] == 0 ? 1 : 0);
        high[i] = min[i] + cell[i] + edge;
    }
    return (box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

// What reaches the cell at `level`, of those that reach the cell around it.
static bool level_fill(proving *p, unsigned level, const box *b) {
    if (!p->reaching[level]) {
        size_t bytes = p->same.triangles_count * sizeof **p->reaching;
        p->reaching[level] = kart_alloc(p->doc->ctx, bytes, p->error);
        p->failed = !p->reaching[level];
        if (p->failed) return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < p->counts[level - 1]; i++) {
        uint32_t triangle = p->reaching[level - 1][i];
        if (!apart(&p->bodies[triangle], b)) p->reaching[level][count++] = triangle;
    }
    p->counts[level] = count;
    return true;
}

// Fill the levels around a leaf; gives the leaf's own, or 0 on failure.
static unsigned levels_fill(proving *p, const kcl_leaf *leaf) {
    unsigned last = leaf->depth + 1, left = p->model->shift, level = 1;
    for (; level < p->levels; level++, left--) {
        uint32_t differs = 0;
        for (int i = 0; i < 3; i++) differs |= (p->cell[i] ^ leaf->cell[i]) >> left;
        if (differs || level > last) break;
    }
    for (; level <= last; level++, left--) {
        uint32_t corner[3];
        for (int i = 0; i < 3; i++) corner[i] = leaf->cell[i] >> left << left;
        const box b = cell_box(p->model, corner, (uint32_t)1 << left);
        if (!level_fill(p, level, &b)) return 0;
    }
    memcpy(p->cell, leaf->cell, sizeof p->cell);
    p->levels = last + 1;
    return last;
}

static void missing_add(proving *p, uint32_t triangle, const kcl_leaf *leaf, double distance) {
    kcl_proof *proof = p->proof;
    if (proof->missing++ < KCL_MISSING_SHOWN)
        proof->first[proof->missing - 1] =
            (kcl_missing){p->same.example[triangle], p->number, *leaf, distance};
}

// The triangles that the part of a leaf in a region needs.
static void leaf_check(proving *p, const kcl_leaf *leaf, unsigned level, const box *b) {
    const limits reach = limits_of(p->model->thickness, p->model->radius);
    for (size_t i = 0; i < p->counts[level]; i++) {
        uint32_t triangle = p->reaching[level][i];
        if (p->listed[triangle] == p->leaf) continue;
        body own;
        double distance = needed(body_limited(&p->bodies[triangle], reach, &own), b);
        if (distance < 0) continue;
        missing_add(p, triangle, leaf, distance);
        p->listed[triangle] = p->leaf; // once
    }
}

static bool leaf_prove(void *user, const kcl_leaf *leaf) {
    proving *p = user;
    size_t at = leaf->list, id;
    if (p->options.share > 0 && kcl_random_next(&p->random) >= p->options.share) return true;
    p->leaf++;
    p->proof->leaves++;
    while (kcl_list_next(p->doc, &at, &id)) {
        p->listed[p->same.number[p->first_prism + id]] = p->leaf;
        p->proof->ids++;
    }
    const box b = cell_box(p->model, leaf->cell, leaf->size);
    unsigned level = levels_fill(p, leaf);
    for (size_t i = 0; level > 0 && i < p->own_count; i++)
        if (boxes_meet(&b, &p->own[i].b)) {
            const box shared = boxes_shared(&b, &p->own[i].b);
            leaf_check(p, leaf, level, &shared);
        }
    p->failed = p->failed || (p->leaf % 64 == 0 && !kart_ctx_step(p->doc->ctx, 0, p->error));
    return !p->failed;
}

// --- models -----------------------------------------------------------------------------------

// Where lookups get an answer at all.
static box area_box(const kcl_model *model) {
    kart_vec3 min = model->min;
    const double wide[3] = {~model->mask[0], ~model->mask[1], ~model->mask[2]};
    return (box){{min.x - 1, min.y - 1, min.z - 1},
                 {min.x + wide[0] + 1, min.y + wide[1] + 1, min.z + wide[2] + 1}};
}

static bool inside(const box *s, const box *b) {
    return s->low.x >= b->low.x - SLACK && s->low.y >= b->low.y - SLACK &&
           s->low.z >= b->low.z - SLACK && s->high.x <= b->high.x + SLACK &&
           s->high.y <= b->high.y + SLACK && s->high.z <= b->high.z + SLACK;
}

// What must be found from a region lies in the area, by its bounds.
static void region_check(proving *p, const box *b, const kcl_model *model, uint32_t triangle) {
    const body *s = &p->bodies[triangle];
    body limited;
    if (!s->sound) return;
    if (model) s = body_limited(s, limits_of(model->thickness, model->radius), &limited);
    if (needed(s, b) < 0) return;
    const box own = {s->low, s->high}, shared = boxes_shared(&own, b);
    const box area = model ? area_box(model) : own;
    p->proof->outside += !model || !inside(&shared, &area);
}

static bool region_add(proving *p, const box *b, size_t model) {
    region *regions = kart_array_grow(p->doc->ctx, p->regions, &p->regions_capacity,
                                      p->regions_count + 1, sizeof *regions, p->error);
    if (!regions) return false;
    p->regions = regions;
    regions[p->regions_count++] = (region){*b, model};
    return true;
}

static bool cell_add(void *user, const kcl_global_cell *cell, const uint32_t *reaching,
                     size_t count) {
    proving *p = user;
    const double *low = cell->box.low, *high = cell->box.high;
    const box b = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    const kcl_model *model = cell->model != SIZE_MAX ? &p->doc->models[cell->model] : NULL;
    for (size_t i = 0; i < count; i++) region_check(p, &b, model, reaching[i]);
    return !model || region_add(p, &b, cell->model);
}

static int region_compare(const void *a, const void *b) {
    const region *x = a, *y = b;
    const kart_vec3 p = x->b.low, q = y->b.low;
    if (x->model != y->model) return x->model > y->model ? 1 : -1;
    if (p.x != q.x) return p.x > q.x ? 1 : -1;
    if (p.y != q.y) return p.y > q.y ? 1 : -1;
    return (p.z > q.z) - (p.z < q.z);
}

// Version 2: the cells of the first octree, and what lies beyond all of them.
static bool cells_add(proving *p) {
    size_t count = p->same.triangles_count;
    kart_vec3 min = p->doc->min;
    const uint32_t *bits = p->doc->width_shift;
    const box space = {{min.x - 1, min.y - 1, min.z - 1},
                       {min.x + ldexp(1, (int)bits[0]), min.y + ldexp(1, (int)bits[1]),
                        min.z + ldexp(1, (int)bits[2])}};
    kcl_box *bounds = kart_alloc(p->doc->ctx, count * sizeof *bounds, p->error);
    if (!bounds) return false;
    for (size_t i = 0; i < count; i++) {
        const body *s = &p->bodies[i];
        const box own = {s->low, s->high};
        bounds[i] = (kcl_box){{s->low.x, s->low.y, s->low.z}, {s->high.x, s->high.y, s->high.z}};
        if (!s->sound) bounds[i].low[0] = (double)INFINITY; // meets nothing
        p->proof->outside += s->sound && !inside(&own, &space);
    }
    bool done = kcl_global_walk(p->doc, bounds, count, cell_add, p, p->error);
    kart_free(p->doc->ctx, bounds, count * sizeof *bounds);
    if (done) qsort(p->regions, p->regions_count, sizeof *p->regions, region_compare);
    return done;
}

static bool regions_fill(proving *p) {
    const double far = (double)INFINITY;
    const box everywhere = {{-far, -far, -far}, {far, far, far}};
    if (p->doc->format->v2) return cells_add(p);
    for (size_t i = 0; i < p->same.triangles_count; i++)
        region_check(p, &everywhere, p->doc->models, (uint32_t)i);
    return region_add(p, &everywhere, 0);
}

// Level 0: what reaches the box around the regions of the model.
static void reaching_begin(proving *p) {
    box around = p->own[0].b;
    for (size_t k = 1; k < p->own_count; k++) around = boxes_joined(&around, &p->own[k].b);
    p->counts[0] = 0;
    for (size_t i = 0; i < p->same.triangles_count; i++)
        if (p->bodies[i].sound && !apart(&p->bodies[i], &around))
            p->reaching[0][p->counts[0]++] = (uint32_t)i;
    p->levels = 1;
}

static bool models_prove(proving *p) {
    size_t next = 0;
    for (p->number = 0; p->number < p->doc->models_count; p->number++) {
        p->model = &p->doc->models[p->number];
        p->own = &p->regions[next];
        for (p->own_count = 0; next < p->regions_count && p->regions[next].model == p->number;
             next++)
            p->own_count++;
        if (p->own_count > 0) {
            reaching_begin(p);
            kcl_octree_walk(p->doc, p->model, leaf_prove, p);
        }
        if (p->failed) return false;
        p->first_prism += p->model->prisms_count;
    }
    return true;
}

static bool prove(proving *p, body *bodies) {
    limits reach = {0, 0};
    for (size_t m = 0; m < p->doc->models_count; m++) {
        reach.thickness = fmax(reach.thickness, p->doc->models[m].thickness);
        reach.radius = fmax(reach.radius, p->doc->models[m].radius);
    }
    for (size_t i = 0; i < p->same.triangles_count; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(p->doc, p->same.example[i], &in_model);
        body_make(p->doc, model, in_model, reach, &bodies[i]);
    }
    bool done = regions_fill(p) && models_prove(p);
    for (size_t i = 1; i < DEPTH_MOST + 2; i++)
        kart_free(p->doc->ctx, p->reaching[i], p->same.triangles_count * sizeof **p->reaching);
    kart_free(p->doc->ctx, p->regions, p->regions_capacity * sizeof *p->regions);
    return done;
}

bool kcl_prove(const kcl_doc *doc, const kcl_proof_options *options, kcl_proof *proof,
               kart_error *error) {
    *proof = (kcl_proof){0};
    proving p = {.doc = doc, .proof = proof, .error = error};
    if (options) p.options = *options;
    p.random.state = p.options.seed;
    bool done = kcl_same_find(doc, &p.same, error);
    size_t count = p.same.triangles_count;
    body *bodies = done ? kart_alloc(doc->ctx, count * sizeof *bodies, error) : NULL;
    uint32_t *listed = bodies ? kart_alloc(doc->ctx, 2 * count * sizeof *listed, error) : NULL;
    if (listed) {
        p.bodies = bodies;
        p.listed = listed;
        p.reaching[0] = listed + count;
    }
    done = listed && prove(&p, bodies);
    kart_free(doc->ctx, listed, 2 * count * sizeof *listed);
    kart_free(doc->ctx, bodies, count * sizeof *bodies);
    kcl_same_free(&p.same);
    return done;
}
