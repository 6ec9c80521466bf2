// Every leaf against all prisms, by computations that the builder doesn't use.
#include "kcl/rebuild.h"

#include <string.h>

#define SLACK      1e-6 // a prism this close to the limit may be in the list or not
#define DEPTH_MOST 31   // of a leaf, as coordinates have so many bits

typedef struct body {
    kart_vec3 corner[6]; // the triangle, then the same below it by the thickness
    kart_vec3 low, high; // of all of them, and of what is a radius around the triangle
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
        const double limits[6] = {b->low.x, b->low.y, b->low.z, b->high.x, b->high.y, b->high.z};
        double sign = side < 3 ? 1 : -1, inner[POLYGON];
        polygon out = {.count = 0};
        for (int i = 0; i < g->count; i++) {
            const double at[3] = {g->p[i].x, g->p[i].y, g->p[i].z};
            inner[i] = sign * (at[side % 3] - limits[side]);
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

// --- leaves -----------------------------------------------------------------------------------

typedef struct proving {
    const kcl_doc *doc;
    const kcl_model *model;
    const body *bodies;
    uint32_t *listed; // by prism: the leaf that lists it, from 1
    uint32_t leaf;
    // For each depth the prisms whose bounds reach the cell around the leaf, as leaves come cell by
    // cell: level 0 has all of them.
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

static void body_make(const kcl_doc *doc, const kcl_model *model, size_t index, body *s) {
    kcl_prism prism = kcl_prism_get(doc, model, index);
    s->sound = !kcl_soundness_degenerate(kcl_prism_triangle(doc, model, &prism, s->corner));
    if (!s->sound) return;
    double thickness = fmax(model->thickness, 0);
    kart_vec3 n =
        vec3_cross(vec3_sub(s->corner[1], s->corner[0]), vec3_sub(s->corner[2], s->corner[0]));
    kart_vec3 down = vec3_scale(n, -thickness / vec3_length(n));
    s->low = s->high = s->corner[0];
    for (int i = 0; i < 3; i++) {
        s->corner[3 + i] = vec3_add(s->corner[i], down);
        grow(s, s->corner[i], fmax(model->radius, 0));
        grow(s, s->corner[3 + i], 0);
    }
}

static bool apart(const body *s, const box *b) {
    return s->low.x > b->high.x || s->high.x < b->low.x || s->low.y > b->high.y ||
           s->high.y < b->low.y || s->low.z > b->high.z || s->high.z < b->low.z;
}

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

// How far away the prism is, if the leaf must list it; else negative.
static double needed(const proving *p, const body *s, const box *b) {
    static const int top[3] = {0, 1, 2};
    if (face_in_box(s, top, 3, b) || prism_box(s, b)) return 0;
    double distance = triangle_box(s->corner, b);
    return distance <= fmax(p->model->radius, 0) - SLACK ? distance : -1;
}

// What reaches the cell at `level`, of those that reach the cell around it.
static bool level_fill(proving *p, unsigned level, const box *b) {
    if (!p->reaching[level]) {
        size_t bytes = p->model->prisms_count * sizeof **p->reaching;
        p->reaching[level] = kart_alloc(p->doc->ctx, bytes, p->error);
        p->failed = !p->reaching[level];
        if (p->failed) return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < p->counts[level - 1]; i++) {
        uint32_t prism = p->reaching[level - 1][i];
        if (!apart(&p->bodies[prism], b)) p->reaching[level][count++] = prism;
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

static void missing_add(kcl_proof *proof, kcl_missing missing) {
    if (proof->missing++ < KCL_MISSING_SHOWN) proof->first[proof->missing - 1] = missing;
}

static bool leaf_prove(void *user, const kcl_leaf *leaf) {
    proving *p = user;
    size_t at = leaf->list, id;
    p->leaf++;
    p->proof->leaves++;
    while (kcl_list_next(p->doc, &at, &id)) {
        p->listed[id] = p->leaf;
        p->proof->ids++;
    }
    const box b = cell_box(p->model, leaf->cell, leaf->size);
    unsigned level = levels_fill(p, leaf);
    for (size_t i = 0; level > 0 && i < p->counts[level]; i++) {
        uint32_t prism = p->reaching[level][i];
        if (p->listed[prism] == p->leaf) continue;
        double distance = needed(p, &p->bodies[prism], &b);
        if (distance >= 0) missing_add(p->proof, (kcl_missing){prism, *leaf, distance});
    }
    p->failed = p->failed || (p->leaf % 64 == 0 && !kart_ctx_step(p->doc->ctx, 0, p->error));
    return !p->failed;
}

// Where lookups get an answer at all.
static box area_box(const kcl_model *model) {
    kart_vec3 min = model->min;
    const double wide[3] = {~model->mask[0], ~model->mask[1], ~model->mask[2]};
    return (box){{min.x - 1, min.y - 1, min.z - 1},
                 {min.x + wide[0] + 1, min.y + wide[1] + 1, min.z + wide[2] + 1}};
}

static bool inside(const body *s, const box *b) {
    return s->low.x >= b->low.x - SLACK && s->low.y >= b->low.y - SLACK &&
           s->low.z >= b->low.z - SLACK && s->high.x <= b->high.x + SLACK &&
           s->high.y <= b->high.y + SLACK && s->high.z <= b->high.z + SLACK;
}

static bool prove(proving *p, body *bodies) {
    const box area = area_box(p->model);
    p->reaching[0] = p->listed + p->model->prisms_count;
    for (size_t i = 0; i < p->model->prisms_count; i++) {
        body_make(p->doc, p->model, i, &bodies[i]);
        if (!bodies[i].sound) continue;
        p->reaching[0][p->counts[0]++] = (uint32_t)i;
        p->proof->outside += !inside(&bodies[i], &area);
    }
    p->levels = 1;
    kcl_octree_walk(p->doc, p->model, leaf_prove, p);
    for (size_t i = 1; i < DEPTH_MOST + 2; i++)
        kart_free(p->doc->ctx, p->reaching[i], p->model->prisms_count * sizeof **p->reaching);
    return !p->failed;
}

bool kcl_leaves_prove(const kcl_doc *doc, const kcl_model *model, kcl_proof *proof,
                      kart_error *error) {
    size_t count = model->prisms_count;
    *proof = (kcl_proof){0};
    body *bodies = kart_alloc(doc->ctx, count * sizeof *bodies, error);
    uint32_t *listed = bodies ? kart_alloc(doc->ctx, 2 * count * sizeof *listed, error) : NULL;
    proving p = {.doc = doc,
                 .model = model,
                 .bodies = bodies,
                 .listed = listed,
                 .proof = proof,
                 .error = error};
    bool done = listed && prove(&p, bodies);
    kart_free(doc->ctx, listed, 2 * count * sizeof *listed);
    kart_free(doc->ctx, bodies, count * sizeof *bodies);
    return done;
}
