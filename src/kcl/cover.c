#include "kcl/cover.h"

#include <stdlib.h>
#include <string.h>

#define LEAF       8  // points of a leaf of the tree
#define AROUND     64 // points looked at around one
#define CANDIDATES 8  // of them, those that are tried

enum { OPEN, CHOSEN, SETS }; // what nodes count

typedef struct node {
    kart_vec3 middle, half; // of its points
    uint32_t count[SETS];
} node;

typedef struct place {
    double freedom; // how much room the narrowest region of a point has
    uint32_t point;
} place;

typedef struct cover {
    const kcl_cover_input *input;
    uint32_t *first;  // of each point: where its regions begin in `items`; one more
    uint32_t *items;  // regions by point, the narrowest first
    uint32_t *sorted; // points in the order of the tree
    uint32_t *at;     // of each point: where it is among them
    uint8_t *set;     // of each point: OPEN, CHOSEN or SETS
    uint32_t *server; // of each point that is not open
    place *order;
    node *nodes;
    size_t nodes_count;
} cover;

// --- regions ----------------------------------------------------------------------------------

static double part(kart_vec3 v, kart_vec3 slab) { return fabs(vec3_dot(v, slab)); }

static bool region_has(const cover *c, const kcl_region *r, kart_vec3 v, double scale) {
    return part(v, r->slab[0]) <= scale && part(v, r->slab[1]) <= scale &&
           part(v, r->slab[2]) <= scale && vec3_dot(v, c->input->points[r->point]) > 0;
}

// May a point stand for another one?
static bool serves(const cover *c, uint32_t server, uint32_t point) {
    kart_vec3 v = c->input->points[server];
    for (uint32_t i = c->first[point]; i < c->first[point + 1]; i++)
        if (!region_has(c, &c->input->regions[c->items[i]], v, 1)) return false;
    return true;
}

static double region_freedom(const kcl_region *r) {
    double narrow = vec3_length(vec3_cross(r->slab[0], r->slab[1]));
    return narrow > 0 ? 1 / narrow : (double)INFINITY;
}

// --- tree -------------------------------------------------------------------------------------

static double axis_of(kart_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// Is a point before another one along an axis? Equal ones by number.
static bool before(const cover *c, int axis, uint32_t a, uint32_t b) {
    double x = axis_of(c->input->points[a], axis), y = axis_of(c->input->points[b], axis);
    return x < y || (x == y && a < b);
}

// Put the points of a range in order as far as the middle one parts them.
static void part_at(cover *c, int axis, size_t low, size_t high, size_t middle) {
    uint32_t *s = c->sorted;
    size_t last = high - 1;
    while (low < last) {
        uint32_t pivot = s[middle];
        size_t i = low, k = last;
        do {
            while (before(c, axis, s[i], pivot)) i++;
            while (before(c, axis, pivot, s[k])) k--;
            if (i > k) break;
            uint32_t swapped = s[i];
            s[i++] = s[k];
            s[k] = swapped;
            if (k == 0) break;
            k--;
        } while (i <= k);
        if (k < middle) low = i;
        if (middle < i) last = k;
    }
}

static void node_make(cover *c, size_t index, size_t low, size_t high) {
    node *n = &c->nodes[index];
    kart_vec3 least = c->input->points[c->sorted[low]], most = least;
    for (size_t i = low; i < high; i++) {
        kart_vec3 p = c->input->points[c->sorted[i]];
        least = (kart_vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (kart_vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    n->middle = vec3_scale(vec3_add(least, most), 0.5);
    n->half = vec3_scale(vec3_sub(most, least), 0.5);
    n->count[OPEN] = (uint32_t)(high - low);
    if (high - low <= LEAF) return;
    kart_vec3 h = n->half;
    size_t middle = low + (high - low) / 2;
    part_at(c, h.x >= h.y && h.x >= h.z ? 0 : h.y >= h.z ? 1 : 2, low, high, middle);
    node_make(c, 2 * index + 1, low, middle);
    node_make(c, 2 * index + 2, middle, high);
}

static void count_change(cover *c, uint32_t point, int set, uint32_t by) {
    size_t low = 0, high = c->input->count, index = 0, at = c->at[point];
    for (;;) {
        c->nodes[index].count[set] += by;
        if (high - low <= LEAF) return;
        size_t middle = low + (high - low) / 2;
        bool right = at >= middle;
        index = 2 * index + 1 + right;
        *(right ? &low : &high) = middle;
    }
}

static void set_change(cover *c, uint32_t point, uint8_t set) {
    if (c->set[point] < SETS) count_change(c, point, c->set[point], UINT32_MAX);
    c->set[point] = set;
    if (set < SETS) count_change(c, point, set, 1);
}

typedef struct query {
    const cover *cover;
    const kcl_region *region;
    kart_vec3 slab[4], size[4]; // the last one is the direction of the point; without signs
    double scale;               // of the slabs
    int set;
    uint32_t *found;
    size_t count, most;
} query;

static bool node_far(const query *q, const node *n) {
    for (int i = 0; i < 3; i++)
        if (part(n->middle, q->slab[i]) > q->scale + vec3_dot(q->size[i], n->half)) return true;
    return vec3_dot(n->middle, q->slab[3]) + vec3_dot(q->size[3], n->half) <= 0;
}

static void query_run(query *q, size_t index, size_t low, size_t high) {
    const cover *c = q->cover;
    if (high - low > LEAF) {
        size_t middle = low + (high - low) / 2;
        for (size_t side = 0; side < 2; side++) {
            const node *n = &c->nodes[2 * index + 1 + side];
            if (n->count[q->set] == 0 || node_far(q, n)) continue;
            query_run(q, 2 * index + 1 + side, side ? middle : low, side ? high : middle);
            if (q->count == q->most) return;
        }
        return;
    }
    for (size_t i = low; i < high && q->count < q->most; i++) {
        uint32_t p = c->sorted[i];
        if (c->set[p] == q->set && region_has(c, q->region, c->input->points[p], q->scale))
            q->found[q->count++] = p;
    }
}

// Points of a set in a region, the most narrow slab is looked at first.
static size_t find(const cover *c, const kcl_region *r, double scale, int set, uint32_t *found,
                   size_t most) {
    query q = {.cover = c, .region = r, .scale = scale, .set = set, .found = found, .most = most};
    bool swap = vec3_dot(r->slab[1], r->slab[1]) > vec3_dot(r->slab[0], r->slab[0]);
    q.slab[0] = r->slab[swap];
    q.slab[1] = r->slab[!swap];
    q.slab[2] = r->slab[2];
    q.slab[3] = c->input->points[r->point];
    for (int i = 0; i < 4; i++)
        q.size[i] = (kart_vec3){fabs(q.slab[i].x), fabs(q.slab[i].y), fabs(q.slab[i].z)};
    query_run(&q, 0, 0, c->input->count);
    return q.count;
}

// --- choice -----------------------------------------------------------------------------------

static int place_compare(const void *left, const void *right) {
    const place *a = left, *b = right;
    if (a->freedom != b->freedom) return a->freedom < b->freedom ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

// One that was chosen already may do.
static bool served_by_chosen(cover *c, uint32_t point) {
    uint32_t found[CANDIDATES];
    size_t count =
        find(c, &c->input->regions[c->items[c->first[point]]], 1, CHOSEN, found, CANDIDATES);
    for (size_t i = 0; i < count; i++)
        if (serves(c, found[i], point)) {
            set_change(c, point, SETS);
            return true;
        }
    return false;
}

static void choose(cover *c, uint32_t point) {
    uint32_t around[AROUND];
    const kcl_region *r = &c->input->regions[c->items[c->first[point]]];
    size_t count = find(c, r, 2, OPEN, around, AROUND), tried = 1, most = 0;
    uint32_t best = point;
    for (size_t k = 0; k < count; k++) most += around[k] != point && serves(c, point, around[k]);
    for (size_t i = 0; i < count && tried < CANDIDATES; i++) {
        if (around[i] == point || !serves(c, around[i], point)) continue;
        size_t gain = 0;
        for (size_t k = 0; k < count; k++)
            gain += around[k] != around[i] && serves(c, around[i], around[k]);
        if (gain > most) {
            most = gain;
            best = around[i];
        }
        tried++;
    }
    for (size_t k = 0; k < count; k++)
        if (around[k] != best && serves(c, best, around[k])) set_change(c, around[k], SETS);
    if (point != best && c->set[point] == OPEN) set_change(c, point, SETS);
    set_change(c, best, CHOSEN);
}

// Of those that were chosen, the one with the least part of the first slab.
static uint32_t best_of(const cover *c, const kcl_region *r) {
    uint32_t found[AROUND], best = r->point;
    double least = c->set[best] == CHOSEN ? 0 : 2;
    if (least == 0) return best;
    size_t count = find(c, r, 1, CHOSEN, found, AROUND);
    for (size_t i = 0; i < count; i++) {
        double p = part(c->input->points[found[i]], r->slab[0]);
        if (p >= least) continue;
        least = p;
        best = found[i];
    }
    return best;
}

static size_t run(kart_ctx *ctx, cover *c, uint32_t *served, kart_error *error) {
    const kcl_cover_input *in = c->input;
    size_t chosen = 0;
    for (size_t i = 0; i < in->regions_count; i++) c->first[in->regions[i].point + 1]++;
    for (size_t p = 0; p < in->count; p++) c->first[p + 1] += c->first[p];
    for (size_t p = 0; p < in->count; p++) c->order[p] = (place){(double)INFINITY, (uint32_t)p};
    for (size_t i = 0; i < in->regions_count; i++) {
        uint32_t p = in->regions[i].point, *own = c->items + c->first[p];
        double freedom = region_freedom(&in->regions[i]);
        size_t k = c->at[p]++; // used as a count for now
        own[k] = (uint32_t)i;
        if (k == 0 || freedom < c->order[p].freedom) {
            c->order[p].freedom = freedom;
            own[k] = own[0];
            own[0] = (uint32_t)i;
        }
    }
    for (size_t p = 0; p < in->count; p++) c->sorted[p] = (uint32_t)p;
    node_make(c, 0, 0, in->count);
    for (size_t i = 0; i < in->count; i++) c->at[c->sorted[i]] = (uint32_t)i;
    qsort(c->order, in->count, sizeof *c->order, place_compare);
    for (size_t i = 0; i < in->count; i++) {
        uint32_t p = c->order[i].point;
        if (i % 4096 == 0 && !kart_ctx_step(ctx, 0, error)) return SIZE_MAX;
        if (c->set[p] == OPEN && !served_by_chosen(c, p)) choose(c, p);
    }
    for (size_t i = 0; i < in->regions_count; i++) served[i] = best_of(c, &in->regions[i]);
    for (size_t p = 0; p < in->count; p++) chosen += c->set[p] == CHOSEN;
    return chosen;
}

size_t kcl_cover(kart_ctx *ctx, const kcl_cover_input *in, uint32_t *served, kart_error *error) {
    cover c = {.input = in};
    size_t n = in->count, at = 0;
    if (n == 0) return 0;
    for (c.nodes_count = 1; n > LEAF * c.nodes_count; c.nodes_count *= 2) {
    }
    c.nodes_count *= 4;
    const struct {
        void **block;
        size_t bytes;
    } blocks[] = {{(void **)&c.first, (n + 1) * sizeof *c.first},
                  {(void **)&c.items, in->regions_count * sizeof *c.items},
                  {(void **)&c.sorted, n * sizeof *c.sorted},
                  {(void **)&c.at, n * sizeof *c.at},
                  {(void **)&c.set, n * sizeof *c.set},
                  {(void **)&c.order, n * sizeof *c.order},
                  {(void **)&c.nodes, c.nodes_count * sizeof *c.nodes}};
    const size_t count = sizeof blocks / sizeof *blocks;
    while (at < count && (*blocks[at].block = kart_alloc(ctx, blocks[at].bytes, error))) at++;
    size_t chosen = at == count ? run(ctx, &c, served, error) : SIZE_MAX;
    while (at-- > 0) kart_free(ctx, *blocks[at].block, blocks[at].bytes);
    return chosen;
}
