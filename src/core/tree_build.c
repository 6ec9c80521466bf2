// Building trees: from the top, each node's children by splitting the largest of them until there
// are eight, each split where the surface-area heuristic says it costs least, tried at 15 places on
// each axis.
#include "core/array.h"
#include "core/lanes.h"
#include "core/os.h"
#include "core/tree_work.h"

#define BINS 16

// A triangle while it is sorted: its bounds, rounded outwards.
typedef union bound {
    lanes4 all;
    struct {
        float at[3];
        uint32_t index; // of `low`: in the input's triangles, with INDEX_MARK; of `high`: 0
    };
} bound;
typedef struct item {
    bound low, high;
} item;

// Makes an index look like a number of usual size: sums of the fourth lane are of no use, but those
// of denormal numbers would take long.
#define INDEX_MARK 0x40000000u

typedef struct span {
    lanes4 low, high;
} span;

// Some of the items, one behind the other.
typedef struct range {
    size_t first, count;
    span bounds, middles; // of the items, and of twice their middles
    double area;
} range;

// The items of a leaf.
typedef struct few {
    uint32_t first, count;
} few;

typedef struct build {
    kart_ctx *ctx;
    const kart_tree_input *input;
    item *items;
    size_t count, done;
    double reach;
    tree_node *nodes;
    size_t nodes_count, nodes_capacity;
    few *leaves;
    size_t leaves_count, leaves_capacity;
    unsigned depth;
    kart_error *error;
} build;

// --- spans ------------------------------------------------------------------------------------

static span span_empty(void) {
    return (span){lanes4_all((float)INFINITY), lanes4_all(-(float)INFINITY)};
}

static void span_add(span *s, lanes4 low, lanes4 high) {
    s->low = lanes4_min(s->low, low);
    s->high = lanes4_max(s->high, high);
}

// Half the surface; 0 of an empty one.
static double span_area(const span *s) {
    const lanes4 size = s->high - s->low;
    const double x = (double)size[0], y = (double)size[1], z = (double)size[2];
    return x >= 0 ? x * y + y * z + z * x : 0;
}

static lanes4 item_middle(const item *i) { return i->low.all + i->high.all; }

static void range_add(range *r, const item *i) {
    const lanes4 middle = item_middle(i);
    span_add(&r->bounds, i->low.all, i->high.all);
    span_add(&r->middles, middle, middle);
}

static range range_make(size_t first, size_t count) {
    return (range){first, count, span_empty(), span_empty(), 0};
}

static range range_measure(const build *b, size_t first, size_t count) {
    range r = range_make(first, count);
    for (size_t i = first; i < first + count; i++) range_add(&r, &b->items[i]);
    r.area = span_area(&r.bounds);
    return r;
}

// --- splitting --------------------------------------------------------------------------------

// Where a range is cut: what lies in bins below `bin` on an axis.
typedef struct cut {
    int axis; // -1: nowhere
    int bin;
    double cost;
} cut;

typedef struct bins {
    lanes4 start, scale; // of middles
    span bounds[3][BINS];
    uint32_t counts[3][BINS];
} bins;

// The axes on which middles differ enough to be told apart; others get a scale of 0.
static void bins_set(bins *b, const range *r) {
    const lanes4 size = r->middles.high - r->middles.low;
    b->start = r->middles.low;
    for (int axis = 0; axis < 3; axis++)
        b->scale[axis] = size[axis] > 1e-30f ? (float)BINS * 0.99999f / size[axis] : 0;
    b->scale[3] = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < BINS; i++) {
            b->bounds[axis][i] = span_empty();
            b->counts[axis][i] = 0;
        }
}

static void bins_fill(bins *b, const item *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const lanes4 place = (item_middle(&items[i]) - b->start) * b->scale;
        for (int axis = 0; axis < 3; axis++) {
            const int bin = (int)place[axis];
            span_add(&b->bounds[axis][bin], items[i].low.all, items[i].high.all);
            b->counts[axis][bin]++;
        }
    }
}

// What a range of so many triangles costs, per area: as many leaves as it needs at least.
static double leaves_of(uint32_t count) {
    const uint32_t leaves = (count + TREE_LEAF - 1) / TREE_LEAF;
    return leaves;
}

static void axis_try(const bins *b, int axis, cut *best) {
    double right[BINS];
    span s = span_empty();
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        span_add(&s, b->bounds[axis][i].low, b->bounds[axis][i].high);
        count += b->counts[axis][i];
        right[i] = count ? span_area(&s) * leaves_of(count) : -1;
    }
    s = span_empty();
    count = 0;
    for (int i = 1; i < BINS; i++) {
        span_add(&s, b->bounds[axis][i - 1].low, b->bounds[axis][i - 1].high);
        count += b->counts[axis][i - 1];
        if (count == 0 || right[i] < 0) continue;
        const double cost = span_area(&s) * leaves_of(count) + right[i];
        if (best->axis < 0 || cost < best->cost) *best = (cut){axis, i, cost};
    }
}

// Bring what lies below the cut in front; gives how many.
static void range_part(build *b, const range *r, const bins *by, cut c, range out[2]) {
    item *items = b->items + r->first;
    const float start = by->start[c.axis], scale = by->scale[c.axis];
    size_t low = 0, high = r->count;
    out[0] = range_make(r->first, 0);
    out[1] = range_make(0, 0);
    while (low < high) {
        const float middle = items[low].low.at[c.axis] + items[low].high.at[c.axis];
        if ((int)((middle - start) * scale) < c.bin) {
            range_add(&out[0], &items[low++]);
            continue;
        }
        const item other = items[low];
        range_add(&out[1], &other);
        items[low] = items[--high];
        items[high] = other;
    }
    out[0].count = low;
    out[1].first = r->first + low;
    out[1].count = r->count - low;
    for (int i = 0; i < 2; i++) out[i].area = span_area(&out[i].bounds);
}

// By number, where places don't tell them apart, or have done so for too long.
static void range_halve(const build *b, const range *r, range out[2]) {
    const size_t half = (r->count / 2 + TREE_LEAF - 1) / TREE_LEAF * TREE_LEAF;
    const size_t first = half < r->count ? half : r->count / 2;
    out[0] = range_measure(b, r->first, first);
    out[1] = range_measure(b, r->first + first, r->count - first);
}

static void range_split(build *b, const range *r, bool by_number, range out[2]) {
    cut best = {.axis = -1};
    bins by;
    if (!by_number) {
        bins_set(&by, r);
        bins_fill(&by, b->items + r->first, r->count);
        for (int axis = 0; axis < 3; axis++)
            if (by.scale[axis] > 0) axis_try(&by, axis, &best);
    }
    if (best.axis < 0)
        range_halve(b, r, out);
    else
        range_part(b, r, &by, best, out);
}

// --- nodes ------------------------------------------------------------------------------------

static bool node_add(build *b, uint32_t *index) {
    tree_node *nodes = kart_array_grow(b->ctx, b->nodes, &b->nodes_capacity, b->nodes_count + 1,
                                       sizeof *nodes, b->error);
    if (!nodes) return false;
    b->nodes = nodes;
    *index = (uint32_t)b->nodes_count++;
    tree_node *node = &nodes[*index];
    for (size_t lane = 0; lane < TREE_WIDTH; lane++) {
        node->child[lane] = TREE_NONE;
        for (int axis = 0; axis < 3; axis++) {
            node->bound[axis][lane] = 0x1p62f;
            node->bound[3 + axis][lane] = -0x1p62f;
        }
    }
    return true;
}

static bool leaf_add(build *b, const range *r, uint32_t *child) {
    few *leaves = kart_array_grow(b->ctx, b->leaves, &b->leaves_capacity, b->leaves_count + 1,
                                  sizeof *leaves, b->error);
    if (!leaves) return false;
    b->leaves = leaves;
    *child = (uint32_t)b->leaves_count | TREE_IS_LEAF;
    leaves[b->leaves_count++] = (few){(uint32_t)r->first, (uint32_t)r->count};
    const size_t before = b->done;
    b->done += r->count;
    return before / 65536 == b->done / 65536 ||
           kart_ctx_step(b->ctx, (double)b->done / (double)b->count, b->error);
}

// Of those that are too many for a leaf the one that rays meet most; SIZE_MAX if there is none.
static size_t child_choose(const range *children, size_t count, bool by_number) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (children[i].count <= TREE_LEAF) continue;
        if (best == SIZE_MAX || (by_number ? children[i].count > children[best].count
                                           : children[i].area > children[best].area))
            best = i;
    }
    return best;
}

static bool node_build(build *b, const range *all, unsigned depth, uint32_t *index) {
    range children[TREE_WIDTH];
    size_t count = 1, split;
    const bool by_number = depth >= TREE_DEEP;
    children[0] = *all;
    while (count < TREE_WIDTH && (split = child_choose(children, count, by_number)) != SIZE_MAX) {
        range parts[2];
        range_split(b, &children[split], by_number, parts);
        children[split] = parts[0];
        children[count++] = parts[1];
    }
    if (depth + 1 > b->depth) b->depth = depth + 1;
    if (!node_add(b, index)) return false;
    for (size_t lane = 0; lane < count; lane++) {
        const range *r = &children[lane];
        uint32_t child;
        if (!(r->count <= TREE_LEAF ? leaf_add(b, r, &child) : node_build(b, r, depth + 1, &child)))
            return false;
        tree_node *node = &b->nodes[*index];
        node->child[lane] = child;
        for (int axis = 0; axis < 3; axis++) {
            node->bound[axis][lane] = r->bounds.low[axis];
            node->bound[3 + axis][lane] = r->bounds.high[axis];
        }
    }
    return true;
}

// --- from triangles to a tree -----------------------------------------------------------------

static bool is_within_reach(const kart_vec3 c[3]) {
    for (int i = 0; i < 3; i++)
        if (!vec3_finite(c[i]) || tree_largest(c[i]) > KART_TREE_REACH) return false;
    return true;
}

static bool items_fill(build *b) {
    for (size_t i = 0; i < b->input->count; i++) {
        kart_vec3 c[3];
        if (!kart_ctx_step_at(b->ctx, i, b->input->count, b->error)) return false;
        b->input->corners(b->input->user, i, c);
        if (!is_within_reach(c)) continue;
        item *to = &b->items[b->count++];
        to->high.index = 0;
        to->low.index = (uint32_t)i | INDEX_MARK;
        for (int axis = 0; axis < 3; axis++) {
            const double x = tree_axis(c[0], axis), y = tree_axis(c[1], axis),
                         z = tree_axis(c[2], axis);
            const double low = tree_least(tree_least(x, y), z);
            const double high = tree_most(tree_most(x, y), z);
            to->low.at[axis] = tree_float_down(low);
            to->high.at[axis] = tree_float_up(high);
            b->reach = tree_most(b->reach, tree_most(fabs(low), fabs(high)));
        }
    }
    return true;
}

static void leaf_fill(const build *b, few from, tree_leaf *leaf) {
    *leaf = (tree_leaf){
        .number = {KART_NO_TRIANGLE, KART_NO_TRIANGLE, KART_NO_TRIANGLE, KART_NO_TRIANGLE}};
    for (uint32_t lane = 0; lane < from.count; lane++) {
        kart_vec3 c[3];
        const uint32_t index = b->items[from.first + lane].low.index & ~INDEX_MARK;
        b->input->corners(b->input->user, index, c);
        leaf->number[lane] = b->input->numbers ? b->input->numbers[index] : index;
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                leaf->corner[i][axis][lane] = tree_axis(c[i], axis);
    }
}

#define LINE 64 // nodes begin where lines of caches do

// All parts in one block, in this order.
static kart_tree *tree_make(const build *b) {
    const size_t nodes = (b->nodes_count * sizeof(tree_node) + LINE - 1) / LINE * LINE;
    const size_t size = LINE + nodes + b->leaves_count * sizeof(tree_leaf);
    kart_tree *tree = kart_alloc(b->ctx, sizeof *tree, b->error);
    uint8_t *block = tree ? kart_realloc(b->ctx, NULL, 0, size, b->error) : NULL;
    if (!block) {
        kart_free(b->ctx, tree, sizeof *tree);
        return NULL;
    }
    os_read_all_over(block, size);
    uint8_t *at = block + (LINE - (uintptr_t)block % LINE) % LINE;
    tree_leaf *leaves = (tree_leaf *)(at + nodes);
    if (b->nodes_count > 0) memcpy(at, b->nodes, b->nodes_count * sizeof(tree_node));
    for (size_t i = 0; i < b->leaves_count; i++) leaf_fill(b, b->leaves[i], &leaves[i]);
    *tree = (kart_tree){.ctx = b->ctx,
                        .owners = 1,
                        .kernel = tree_kernel_best(),
                        .nodes = (const tree_node *)at,
                        .leaves = leaves,
                        .reach = b->reach,
                        .stats = {.triangles = b->count,
                                  .left_out = b->input->count - b->count,
                                  .nodes = b->nodes_count,
                                  .leaves = b->leaves_count,
                                  .bytes = sizeof *tree + size,
                                  .depth = b->depth},
                        .block_size = size,
                        .block = block};
    return tree;
}

kart_tree *kart_tree_build(kart_ctx *ctx, const kart_tree_input *input, kart_error *error) {
    build b = {.ctx = ctx, .input = input, .error = error};
    if (input->count > KART_TREE_MOST) {
        kart_fail(error, KART_LIMIT, "more than %zu triangles", KART_TREE_MOST);
        return NULL;
    }
    // Lanes want to begin at multiples of their size, which memory of ours needn't.
    const size_t size = (input->count + 1) * sizeof(item);
    uint8_t *items = kart_realloc(ctx, NULL, 0, size, error);
    kart_tree *tree = NULL;
    if (items) {
        b.items =
            (item *)(items + (sizeof(lanes4) - (uintptr_t)items % sizeof(lanes4)) % sizeof(lanes4));
        bool done = items_fill(&b);
        if (done && b.count > 0) {
            const range all = range_measure(&b, 0, b.count);
            uint32_t root;
            done = node_build(&b, &all, 0, &root);
        }
        if (done) tree = tree_make(&b);
    }
    kart_free(ctx, b.nodes, b.nodes_capacity * sizeof *b.nodes);
    kart_free(ctx, b.leaves, b.leaves_capacity * sizeof *b.leaves);
    kart_free(ctx, items, size);
    return tree;
}
