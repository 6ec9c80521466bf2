#include "kcl/split.h"

#include "core/array.h"

#include <string.h>

#define PLANES     32   // at most, along an axis, that are looked at for a cut
#define STEP_LEAST 16.0 // units between them
#define ROOM       1.02 // what a part is taken to need more, as it is a guess
#define COPY_BYTES 80   // that a triangle takes in one more model
#define CELL_BYTES 4    // of the octree over the models

typedef struct cutting {
    kcl_split *split;
    const kcl_draft *draft;
    kcl_split_limits limits;
    kcl_reach reach;
    kcl_box *bounds; // of what each prism reaches
    uint8_t *solid;  // has it an area?
    // The last list that a position or normal was seen in.
    uint32_t *position_seen, *normal_seen;
    uint32_t lists;
} cutting;

// A stretch of space under work.
typedef struct piece {
    double low[3], high[3]; // relative to the split's min
    uint32_t *chosen;
    size_t count, capacity;
} piece;

void kcl_split_free(kcl_split *split) {
    for (size_t i = 0; i < split->parts_count; i++)
        kart_free(split->ctx, split->parts[i].chosen,
                  split->parts[i].capacity * sizeof *split->parts[i].chosen);
    kart_free(split->ctx, split->parts, split->parts_capacity * sizeof *split->parts);
    kart_free(split->ctx, split->cuts, split->cuts_capacity * sizeof *split->cuts);
    *split = (kcl_split){.ctx = split->ctx};
}

// --- the space --------------------------------------------------------------------------------

static const kcl_box nothing = {{(double)INFINITY, (double)INFINITY, (double)INFINITY},
                                {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}};

static void box_join(kcl_box *box, const kcl_box *other) {
    for (int i = 0; i < 3; i++) {
        box->low[i] = fmin(box->low[i], other->low[i]);
        box->high[i] = fmax(box->high[i], other->high[i]);
    }
}

static void bounds_fill(cutting *c) {
    const kcl_draft *d = c->draft;
    c->reach.pad = kcl_reach_pad(&c->reach, (const kart_vec3(*)[3])d->corners, d->count);
    for (size_t i = 0; i < d->count; i++) {
        kcl_solid solid;
        c->solid[i] = kcl_solid_make(&solid, d->corners[i], &c->reach);
        if (c->solid[i]) {
            memcpy(c->bounds[i].low, solid.low, sizeof solid.low);
            memcpy(c->bounds[i].high, solid.high, sizeof solid.high);
            continue;
        }
        // What can't be touched is kept where it begins.
        const double a[3] = {d->corners[i][0].x, d->corners[i][0].y, d->corners[i][0].z};
        for (int k = 0; k < 3; k++)
            c->bounds[i].low[k] = c->bounds[i].high[k] = isfinite(a[k]) ? a[k] : 0;
    }
}

// From at least 1 below what can be touched, since coordinates from -1 to 0 count as 0.
static bool space_set(cutting *c, kart_error *error) {
    kcl_split *s = c->split;
    kcl_box all = nothing;
    for (size_t i = 0; i < c->draft->count; i++) box_join(&all, &c->bounds[i]);
    for (int axis = 0; axis < 3; axis++) {
        if (!kcl_area_set(all.low[axis], all.high[axis], c->reach.pad, &s->min[axis],
                          &s->shift[axis], error))
            return false;
        s->max[axis] = ceil(all.high[axis] + c->reach.pad);
    }
    return true;
}

// --- what fits --------------------------------------------------------------------------------

// How many models the prisms of a list take; at most 1: they fit into one.
static double models_needed(cutting *c, const uint32_t *chosen, size_t count) {
    size_t positions = 0, normals = 0;
    uint32_t list = ++c->lists;
    for (size_t i = 0; i < count; i++) {
        const kcl_draft_prism *prism = &c->draft->prisms[chosen[i]];
        positions += c->position_seen[prism->position] != list;
        c->position_seen[prism->position] = list;
        for (size_t k = 0; k < KCL_NORMALS; k++) {
            normals += c->normal_seen[prism->normal[k]] != list;
            c->normal_seen[prism->normal[k]] = list;
        }
    }
    double pool = (double)(positions > normals ? positions : normals) / (double)c->limits.pool;
    return fmax(pool, (double)count / (double)c->limits.prisms);
}

// --- planes -----------------------------------------------------------------------------------

typedef struct plane {
    int axis;
    double at;
    size_t below, above; // prisms that its sides have
    double models, cost;
} plane;

// Prisms below and above planes that are `step` apart, the first one at `first`: by their bounds.
typedef struct sides {
    size_t ends[PLANES + 2], begins[PLANES + 2];
} sides;

static void sides_count(const cutting *c, const piece *p, int axis, double first, double step,
                        int planes, sides *out) {
    *out = (sides){{0}, {0}};
    for (size_t i = 0; i < p->count; i++) {
        const kcl_box *b = &c->bounds[p->chosen[i]];
        double pad = c->reach.pad, origin = c->split->min[axis] + first;
        double low = floor((b->low[axis] - pad - origin) / step) + 1;
        double high = floor((b->high[axis] + pad - origin) / step) + 1;
        // The first plane above its end, and how many planes are below its begin.
        out->ends[high < 0 ? 0 : high > planes ? planes : (int)high]++;
        out->begins[low < 0 ? 0 : low > planes ? planes : (int)low]++;
    }
}

// How many cells along an axis the octree has for a border there.
static double cells_for(const cutting *c, int axis, double at) {
    double cells = 2, edge = ldexp(1, (int)c->split->shift[axis] - 1);
    for (; floor(at / edge) * edge != at; edge /= 2) cells *= 2;
    return cells;
}

static void planes_try(const cutting *c, const piece *p, int axis, double needed, plane *best) {
    double wide = p->high[axis] - p->low[axis], step = STEP_LEAST;
    while (wide / step > PLANES) step *= 2;
    double first = (floor(p->low[axis] / step) + 1) * step;
    int planes = (int)ceil((p->high[axis] - first) / step);
    if (planes <= 0) return;
    sides s;
    sides_count(c, p, axis, first, step, planes, &s);
    size_t ended = 0, begun = 0;
    for (int i = 0; i < planes; i++) {
        ended += s.ends[i];   // all of them below the plane
        begun += s.begins[i]; // at least a part of them below it
        plane one = {axis, first + i * step, begun, p->count - ended, 0, 0};
        if (one.below == p->count || one.above == p->count) continue;
        double share = needed * ROOM / (double)p->count;
        one.models =
            fmax(ceil(share * (double)one.below), 1) + fmax(ceil(share * (double)one.above), 1);
        one.cost = (double)(one.below + one.above - p->count) * COPY_BYTES +
                   cells_for(c, axis, one.at) * CELL_BYTES;
        if (best->axis < 0 || one.models < best->models ||
            (one.models == best->models && one.cost < best->cost))
            *best = one;
    }
}

// --- cutting ----------------------------------------------------------------------------------

static void piece_free(const cutting *c, piece *p) {
    kart_free(c->split->ctx, p->chosen, p->capacity * sizeof *p->chosen);
    p->chosen = NULL;
    p->count = p->capacity = 0;
}

// Can the prism be touched from the piece? Its bounds reach it.
static bool reaches(const cutting *c, uint32_t prism, const piece *p) {
    kcl_solid solid;
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = c->split->min[i] + p->low[i];
        high[i] = c->split->min[i] + p->high[i];
    }
    kcl_solid_make(&solid, c->draft->corners[prism], &c->reach);
    return kcl_solid_box(&solid, &c->reach, low, high);
}

static bool halves_fill(cutting *c, const piece *p, const plane *cut, piece half[2],
                        kart_error *error) {
    for (int side = 0; side < 2; side++) {
        half[side] = *p;
        half[side].count = 0;
        half[side].capacity = p->count;
        half[side].chosen = kart_alloc(c->split->ctx, p->count * sizeof *p->chosen, error);
        if (!half[side].chosen) half[side].capacity = 0;
    }
    half[0].high[cut->axis] = half[1].low[cut->axis] = cut->at;
    if (!half[0].chosen || !half[1].chosen) return false;
    double at = c->split->min[cut->axis] + cut->at;
    for (size_t i = 0; i < p->count; i++) {
        uint32_t prism = p->chosen[i];
        const kcl_box *b = &c->bounds[prism];
        bool below = b->low[cut->axis] - c->reach.pad <= at,
             above = b->high[cut->axis] + c->reach.pad >= at;
        if (!c->solid[prism]) above = !below;
        bool both = below && above;
        if (below && (!both || reaches(c, prism, &half[0])))
            half[0].chosen[half[0].count++] = prism;
        if (above && (!both || reaches(c, prism, &half[1])))
            half[1].chosen[half[1].count++] = prism;
    }
    return true;
}

static uint32_t cut_add(kcl_split *s, kart_error *error) {
    kcl_cut *cuts =
        kart_array_grow(s->ctx, s->cuts, &s->cuts_capacity, s->cuts_count + 1, sizeof *cuts, error);
    if (!cuts) return UINT32_MAX;
    s->cuts = cuts;
    cuts[s->cuts_count] = (kcl_cut){.axis = -1};
    return (uint32_t)s->cuts_count++;
}

// The piece becomes a part, which takes its list over.
static bool part_add(cutting *c, uint32_t cut, piece *p, kart_error *error) {
    kcl_split *s = c->split;
    if (s->parts_count == KCL_MODELS_LIMIT)
        return kart_fail(error, KART_LIMIT, "more than %d models", KCL_MODELS_LIMIT);
    kcl_part *parts = kart_array_grow(s->ctx, s->parts, &s->parts_capacity, s->parts_count + 1,
                                      sizeof *parts, error);
    if (!parts) return false;
    s->parts = parts;
    kcl_part *part = &parts[s->parts_count];
    *part = (kcl_part){
        .reach = nothing, .chosen = p->chosen, .count = p->count, .capacity = p->capacity};
    for (int i = 0; i < 3; i++) {
        part->box.low[i] = s->min[i] + p->low[i];
        part->box.high[i] = s->min[i] + p->high[i];
    }
    for (size_t i = 0; i < p->count; i++)
        if (c->solid[p->chosen[i]]) box_join(&part->reach, &c->bounds[p->chosen[i]]);
    *p = (piece){.chosen = NULL};
    s->cuts[cut].below = (uint32_t)s->parts_count++;
    return true;
}

static bool too_many(const piece *p, kart_error *error) {
    return kart_fail(error, KART_LIMIT,
                     "%zu prisms can be touched from one place of %.0f x %.0f x %.0f units, more "
                     "than a model holds",
                     p->count, p->high[0] - p->low[0], p->high[1] - p->low[1],
                     p->high[2] - p->low[2]);
}

// Frees the list of the piece.
static bool piece_cut(cutting *c, uint32_t cut, piece *p, kart_error *error) {
    double needed = models_needed(c, p->chosen, p->count);
    bool done = kart_ctx_step(c->split->ctx, 0, error);
    if (done && needed <= 1) done = part_add(c, cut, p, error);
    if (!done || needed <= 1) {
        piece_free(c, p);
        return done;
    }
    plane best = {.axis = -1};
    for (int axis = 0; axis < 3; axis++) planes_try(c, p, axis, needed, &best);
    piece half[2] = {{.chosen = NULL}, {.chosen = NULL}};
    done = best.axis >= 0 ? halves_fill(c, p, &best, half, error) : too_many(p, error);
    piece_free(c, p);
    for (int side = 0; side < 2; side++) {
        uint32_t child = done ? cut_add(c->split, error) : UINT32_MAX;
        done = child != UINT32_MAX;
        if (done) {
            kcl_cut *above = &c->split->cuts[cut];
            above->axis = best.axis;
            above->plane = best.at;
            *(side ? &above->above : &above->below) = child;
            done = piece_cut(c, child, &half[side], error);
        }
        piece_free(c, &half[side]);
    }
    return done;
}

// A border needs so many halvings of its axis; so do the others then.
static void shifts_raise(kcl_split *s) {
    for (bool raised = true; raised;) {
        raised = false;
        for (size_t i = 0; i < s->cuts_count; i++) {
            const kcl_cut *cut = &s->cuts[i];
            unsigned depth = 1;
            if (cut->axis < 0) continue;
            for (double edge = ldexp(1, (int)s->shift[cut->axis] - 1);
                 floor(cut->plane / edge) * edge != cut->plane; edge /= 2)
                depth++;
            for (int axis = 0; axis < 3; axis++)
                for (; s->shift[axis] < depth; raised = true) s->shift[axis]++;
        }
    }
}

static bool cut_all(cutting *c, kart_error *error) {
    kart_ctx *ctx = c->split->ctx;
    size_t count = c->draft->count;
    piece whole = {.count = count, .capacity = count};
    if (!space_set(c, error) || cut_add(c->split, error) == UINT32_MAX) return false;
    whole.chosen = kart_alloc(ctx, count * sizeof *whole.chosen, error);
    if (!whole.chosen) return false;
    for (size_t i = 0; i < count; i++) whole.chosen[i] = (uint32_t)i;
    for (int i = 0; i < 3; i++) whole.high[i] = ldexp(1, (int)c->split->shift[i]);
    if (!piece_cut(c, 0, &whole, error)) return false;
    shifts_raise(c->split);
    return true;
}

bool kcl_split_make(kcl_split *split, const kcl_draft *d, double thickness, double radius,
                    const kcl_split_limits *limits, kart_error *error) {
    kart_ctx *ctx = d->ctx;
    *split = (kcl_split){.ctx = ctx};
    cutting c = {.split = split,
                 .draft = d,
                 .limits = *limits,
                 .reach = {fmax(radius, 0), fmax(thickness, 0), 0}};
    size_t positions = d->positions.count * sizeof *c.position_seen,
           normals = d->normals.count * sizeof *c.normal_seen;
    c.bounds = kart_alloc(ctx, d->count * sizeof *c.bounds, error);
    c.solid = c.bounds ? kart_alloc(ctx, d->count, error) : NULL;
    c.position_seen = c.solid ? kart_alloc(ctx, positions, error) : NULL;
    c.normal_seen = c.position_seen ? kart_alloc(ctx, normals, error) : NULL;
    bool done = c.normal_seen != NULL;
    if (done) bounds_fill(&c);
    done = done && cut_all(&c, error);
    kart_free(ctx, c.normal_seen, normals);
    kart_free(ctx, c.position_seen, positions);
    kart_free(ctx, c.solid, d->count);
    kart_free(ctx, c.bounds, d->count * sizeof *c.bounds);
    return done;
}
