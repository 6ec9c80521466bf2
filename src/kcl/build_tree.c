// Growing the tree, and choosing how far down it is kept.
#include "core/array.h"
#include "kcl/build_work.h"

#define PRIOR       4.0       // samples' worth of the guess that children are alike
#define GROUP_BYTES 32        // of eight words
#define SHARING     0.3       // of the bytes of a list, what it takes when lists are shared
#define NODES_GOOD  (1 << 20) // beyond these nothing is split any more: no course gets there but
#define IDS_GOOD    (1 << 24) // one that was made for it

static double list_bytes(uint32_t count) { return count > 0 ? SHARING * 2 * (count + 1) : 0; }

static size_t node_add(kcl_build *b, size_t count, kart_error *error) {
    if (b->nodes_count + count > KCL_CELLS_LIMIT) {
        kart_fail(error, KART_LIMIT, "more than %d cells", KCL_CELLS_LIMIT);
        return SIZE_MAX;
    }
    build_node *nodes = kart_array_grow(b->ctx, b->nodes, &b->nodes_capacity,
                                        b->nodes_count + count, sizeof *nodes, error);
    if (!nodes) return SIZE_MAX;
    b->nodes = nodes;
    for (size_t i = 0; i < count; i++) nodes[b->nodes_count + i] = (build_node){0};
    b->nodes_count += count;
    return b->nodes_count - count;
}

// A cell under work: the lowest corner relative to min, log2 of the edge, its samples.
typedef struct cell {
    uint64_t at[3];
    unsigned left;
    uint64_t code;
    size_t first, last;
    uint32_t above; // how long the list of the cell around it is
} cell;

// Do lookups come to the cell?
static bool in_area(const kcl_build *b, const cell *c) {
    const kcl_box *within = b->input->within;
    for (int i = 0; i < 3; i++) {
        if (c->at[i] >> b->bits[i]) return false;
        // One unit more than the cell, as the fraction is cut off.
        double low = b->min[i] + (double)c->at[i] - 1 - b->reach.pad;
        double high = low + (double)((uint64_t)1 << c->left) + 2 * (1 + b->reach.pad);
        if (within && (high < within->low[i] || low > within->high[i])) return false;
    }
    return true;
}

static cell child_of(const cell *c, unsigned i) {
    uint64_t half = (uint64_t)1 << (c->left - 1);
    return (cell){.at = {c->at[0] + (i & 1 ? half : 0), c->at[1] + (i & 2 ? half : 0),
                         c->at[2] + (i & 4 ? half : 0)},
                  .left = c->left - 1};
}

static bool ids_reserve(kcl_build *b, size_t more, kart_error *error) {
    if (b->ids_count + more > KCL_IDS_LIMIT)
        return kart_fail(error, KART_LIMIT, "cells that list %zu prisms in all, the limit is %d",
                         b->ids_count + more, KCL_IDS_LIMIT);
    build_id *ids = kart_array_grow(b->ctx, b->ids, &b->ids_capacity, b->ids_count + more + 1,
                                    sizeof *ids, error);
    if (ids) b->ids = ids;
    return ids != NULL;
}

// The lists of the eight children of a node.
static bool children_list(kcl_build *b, size_t node, size_t children, const cell *c,
                          kart_error *error) {
    uint32_t count = b->nodes[node].count;
    size_t list = b->nodes[node].list, sum = 0;
    double half = (double)((uint64_t)1 << (c->left - 1)), center[3];
    for (int i = 0; i < 3; i++) center[i] = b->min[i] + (double)c->at[i] + half;
    unsigned inside = 0;
    for (unsigned i = 0; i < 8; i++) {
        const cell child = child_of(c, i);
        if (in_area(b, &child)) inside |= 1u << i;
    }
    for (uint32_t k = 0; k < count; k++) {
        unsigned cells =
            kcl_solid_cells(&b->solids[b->ids[list + k]], &b->reach, center, half) & inside;
        b->cells[k] = (uint8_t)cells;
        for (; cells; cells &= cells - 1) sum++;
    }
    if (!ids_reserve(b, sum, error)) return false;
    for (unsigned i = 0; i < 8; i++) {
        build_node *child = &b->nodes[children + i];
        child->list = b->ids_count;
        for (uint32_t k = 0; k < count; k++)
            if (b->cells[k] & 1u << i) b->ids[b->ids_count++] = b->ids[list + k];
        child->count = (uint32_t)(b->ids_count - child->list);
    }
    return true;
}

static bool is_full(const kcl_build *b) {
    return b->nodes_count > NODES_GOOD || b->ids_count > IDS_GOOD;
}

// Should the cell be looked into? Not outside of the area, and not where even lists of nothing
// wouldn't pay for the bytes. Where the list is too long, also below the smallest cell, as long as
// that makes it shorter: what lies in one place many times stays together.
static bool worth(const kcl_build *b, const build_node *node, const cell *c) {
    if (!in_area(b, c)) return false;
    if (c->left > b->shift) return true; // above the roots
    uint64_t edge = (uint64_t)1 << c->left;
    if (node->count == 0 || edge <= b->options.smallest / 8 || edge == 1) return false;
    bool too_long =
        node->count > b->options.longest && 8 * (uint64_t)node->count <= 7 * (uint64_t)c->above;
    if (is_full(b)) return too_long && b->strict; // then it fails
    if (too_long) return true;
    if (edge <= b->options.smallest) return false;
    double tests = node->count;
    return node->weight * tests > b->explored * (GROUP_BYTES + 4 * tests);
}

static bool explore(kcl_build *b, size_t node, const cell *c, kart_error *error);

// The children of a node, which have their lists already or get them now.
static bool children_explore(kcl_build *b, size_t node, const cell *c, kart_error *error) {
    bool fresh = !b->nodes[node].children;
    size_t children = fresh ? node_add(b, 8, error) : b->nodes[node].children;
    if (children == SIZE_MAX || (fresh && !children_list(b, node, children, c, error)))
        return false;
    b->nodes[node].children = (uint32_t)children;
    double weight = b->nodes[node].weight, sum = b->before[c->last] - b->before[c->first];
    double counted = (double)(c->last - c->first);
    unsigned bits = 3 * (c->left - 1), skipped = b->top > 21 ? 3 * (b->top - 21) : 0;
    uint64_t codes = bits >= skipped ? (uint64_t)1 << (bits - skipped) : 0;
    size_t first = c->first;
    for (unsigned i = 0; i < 8; i++) {
        cell child = child_of(c, i);
        child.first = first;
        child.above = b->nodes[node].count;
        child.code = c->code + codes * i;
        double mine = codes ? build_weight(b, child.code, codes, &first, c->last) : 0;
        child.last = first;
        double share = sum > 0 && codes ? mine / sum * counted : counted / 8;
        if (fresh) b->nodes[children + i].weight = weight * (share + PRIOR / 8) / (counted + PRIOR);
        if (!explore(b, children + i, &child, error)) return false;
    }
    return true;
}

static bool explore(kcl_build *b, size_t node, const cell *c, kart_error *error) {
    if (!worth(b, &b->nodes[node], c)) return true;
    if (b->strict && is_full(b) && c->left <= b->shift)
        return kart_fail(error, KART_LIMIT, "lists of at most %zu prisms take too many cells",
                         b->options.longest);
    return kart_ctx_step(b->ctx, 0, error) && children_explore(b, node, c, error);
}

bool build_grow(kcl_build *b, double price, kart_error *error) {
    b->explored = price;
    if (b->nodes_count == 0) {
        if (node_add(b, 1, error) == SIZE_MAX || !ids_reserve(b, b->solids_count, error))
            return false;
        for (size_t i = 0; i < b->solids_count; i++) b->ids[b->ids_count++] = (build_id)i;
        b->nodes[0].count = (uint32_t)b->solids_count;
        b->nodes[0].weight = 1;
    }
    const cell c = {.left = b->top, .last = b->samples_count};
    return explore(b, 0, &c, error);
}

static void choose(kcl_build *b, size_t index, unsigned left, double price) {
    build_node *node = &b->nodes[index];
    double as_leaf = node->weight * node->count + price * list_bytes(node->count);
    node->split = false;
    node->cost = as_leaf;
    if (!node->children) return;
    double as_group = price * GROUP_BYTES;
    for (size_t i = 0; i < 8; i++) {
        choose(b, node->children + i, left - 1, price);
        as_group += b->nodes[node->children + i].cost;
    }
    node->split = left > b->shift || as_group < as_leaf || node->count > b->options.longest;
    if (node->split) node->cost = as_group;
}

void build_choose(kcl_build *b, double price) { choose(b, 0, b->top, price); }
