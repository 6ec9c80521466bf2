#include "kcl/build.h"

#include "kcl/build_work.h"
#include "kcl/octree.h"

#include <string.h>

// What a byte for each prism must save, as a share of the tests that a lookup makes. Measured to
// have size and tests well below those of other builders on real courses.
static const double worth[] = {[KCL_BALANCED] = 0.0065, [KCL_SIZE] = 0.009, [KCL_SPEED] = 0.0016};

#define FEW       10.0  // tests, as long as what a lookup does besides: fewer hardly make it faster
#define DEEPER    0.75  // the tree is grown for this part of the price, so that there is a choice
#define TRIES     12    // of prices, to meet a budget
#define AIM       0.997 // of the budget
#define CLOSE     1.002 // prices are taken to be the same
#define STEP_MOST 8.0   // from one price to the next
#define ROOTS     16    // most root cells

void kcl_octree_free(kart_ctx *ctx, kcl_octree *octree) {
    kart_free(ctx, octree->bytes, octree->size);
    octree->bytes = NULL;
}

bool kcl_octree_blank(kart_ctx *ctx, const kcl_format *format, kcl_octree *octree,
                      kart_error *error) {
    const uint32_t wide = (uint32_t)1 << 20;
    *octree = (kcl_octree){.mask = {~(wide - 1), ~(wide - 1), ~(wide - 1)}, .shift = 20};
    kart_writer writer = kart_writer_make(ctx, format->big);
    kart_write_u32(&writer, KCL_LEAF | 2); // two bytes before what follows
    kart_write_u16(&writer, (uint16_t)kcl_list_end(format));
    octree->bytes = kart_writer_take(&writer, &octree->size, error);
    return octree->bytes != NULL;
}

static void build_free(kcl_build *b) {
    kart_ctx *ctx = b->ctx;
    build_lists_free(b);
    kart_free(ctx, b->lists, b->lists_capacity * sizeof *b->lists);
    kart_free(ctx, b->nodes, b->nodes_capacity * sizeof *b->nodes);
    kart_free(ctx, b->ids, b->ids_capacity * sizeof *b->ids);
    kart_free(ctx, b->codes, b->samples_count * sizeof *b->codes);
    kart_free(ctx, b->before, (b->samples_count + 1) * sizeof *b->before);
    kart_free(ctx, b->cells, b->input->count);
    kart_free(ctx, b->solid_id, b->input->count * sizeof *b->solid_id);
    kart_free(ctx, b->solids, b->input->count * sizeof *b->solids);
}

static void options_set(kcl_build *b, const kcl_build_options *options) {
    kcl_build_options o = options ? *options : (kcl_build_options){0};
    if (o.smallest == 0) o.smallest = 128;
    b->strict = o.longest > 0;
    if (o.longest == 0) o.longest = o.longest_wanted ? o.longest_wanted : KCL_LONGEST;
    if (o.roots == 0) o.roots = ROOTS;
    if (!o.has_by_area) o.by_area = 0.5;
    b->options = o;
}

static bool solids_make(kcl_build *b, kcl_octree *octree, kart_error *error) {
    const kcl_build_input *input = b->input;
    b->solids = kart_alloc(b->ctx, input->count * sizeof *b->solids, error);
    b->solid_id = b->solids ? kart_alloc(b->ctx, input->count * sizeof *b->solid_id, error) : NULL;
    b->cells = b->solid_id ? kart_alloc(b->ctx, input->count, error) : NULL;
    if (!b->cells) return false;
    // What is below 0 or no number reaches nothing.
    b->reach = (kcl_reach){fmax(input->radius, 0), fmax(input->thickness, 0), 0};
    b->reach.pad = kcl_reach_pad(&b->reach, input->corners, input->count);
    for (size_t i = 0; i < input->count; i++) {
        if (!kcl_solid_make(&b->solids[b->solids_count], input->corners[i], &b->reach)) continue;
        b->solid_id[b->solids_count++] = (build_id)i;
    }
    octree->left_out = input->count - b->solids_count;
    return b->solids_count > 0 ||
           kart_fail(error, KART_UNSUPPORTED, "none of %zu triangles has an area", input->count);
}

// The area of what lookups can touch.
static bool area_set(kcl_build *b, kart_error *error) {
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = b->solids[0].low[axis], high[axis] = b->solids[0].high[axis];
        for (size_t i = 1; i < b->solids_count; i++) {
            low[axis] = fmin(low[axis], b->solids[i].low[axis]);
            high[axis] = fmax(high[axis], b->solids[i].high[axis]);
        }
        if (b->input->within) {
            low[axis] = fmax(low[axis], b->input->within->low[axis]);
            high[axis] = fmin(high[axis], b->input->within->high[axis]);
        }
        if (!kcl_area_set(low[axis], high[axis], b->reach.pad, &b->min[axis], &b->bits[axis],
                          error))
            return false;
        uint8_t number[4];
        if (!kcl_store_number(b->format, number, b->min[axis]))
            return kcl_store_fail(error, "the octree's area");
        if (b->bits[axis] > b->top) b->top = b->bits[axis];
    }
    return true;
}

// Root cells as small as their number allows. An axis that is shorter than a cell is made longer:
// its cells get their lists like all others.
static void roots_set(kcl_build *b, kcl_octree *octree) {
    unsigned sum;
    for (b->shift = 0; b->shift < b->top; b->shift++) {
        sum = 0;
        for (int i = 0; i < 3; i++) sum += b->bits[i] > b->shift ? b->bits[i] - b->shift : 0;
        if (sum < 32 && (size_t)1 << sum <= b->options.roots) break;
    }
    for (int i = 0; i < 3; i++) {
        if (b->bits[i] < b->shift) b->bits[i] = b->shift;
        octree->mask[i] = ~(uint32_t)(((uint64_t)1 << b->bits[i]) - 1);
        octree->min[i] = b->min[i];
    }
    octree->shift = b->shift;
    octree->x_shift = b->bits[0] - b->shift;
    octree->xy_shift = octree->x_shift + b->bits[1] - b->shift;
}

// Tests of a lookup, before lists are merged.
static double tree_tests(const kcl_build *b, size_t index) {
    const build_node *node = &b->nodes[index];
    if (!node->split) return node->weight * node->count;
    double sum = 0;
    for (size_t i = 0; i < 8; i++) sum += tree_tests(b, node->children + i);
    return sum;
}

// Choose what is split at a price; the tree is grown as far as that asks for.
static bool choose(kcl_build *b, double price, kart_error *error) {
    if (b->nodes_count == 0 || price * DEEPER < b->explored)
        if (!build_grow(b, price * DEEPER, error)) return false;
    b->price = price;
    build_choose(b, price);
    return true;
}

// The price at which what the goal says a byte is worth is what it costs.
static bool goal_choose(kcl_build *b, kart_error *error) {
    double price = 0.1 / (double)b->solids_count;
    for (int i = 0; i < 5; i++) {
        if (!choose(b, price, error)) return false;
        price = worth[b->options.goal] * fmax(tree_tests(b, 0), FEW) / (double)b->solids_count;
    }
    return choose(b, price, error);
}

static bool settle(kcl_build *b, size_t *bytes, kart_error *error) {
    size_t lists;
    if (!build_lists(b, b->price, &lists, error)) return false;
    *bytes = 4 * (build_roots(b) + 8 * build_groups(b)) + lists;
    return true;
}

// The price to try after one that came to `over` times the budget: bytes fall like a root of the
// price, the third or a higher one where trying has not passed the budget yet.
static double price_next(double price, double over, int tries, double low, double high) {
    double step = over;
    for (int i = 0; i < (high > 0 ? 1 : 1 + tries); i++) step *= over;
    double next = price * fmax(fmin(step, STEP_MOST), 1 / STEP_MOST);
    bool between = high == 0 || (next > low * CLOSE && next < high / CLOSE);
    return between ? next : sqrt(low * high);
}

// Where the octree passes the budget, find the lowest price at which it doesn't, by trying.
static bool budget_meet(kcl_build *b, size_t budget, kart_error *error) {
    size_t bytes;
    double low = 0, high = 0; // prices that pass it, and that don't
    if (!settle(b, &bytes, error)) return false;
    for (int tries = 0; tries < TRIES && budget > 0; tries++) {
        if (bytes <= budget)
            high = b->price;
        else
            low = b->price;
        bool near = bytes > budget - budget / 100 || high / low < CLOSE * CLOSE;
        if (low == 0 || (bytes <= budget && near)) return true;
        double over = (double)bytes / ((double)budget * AIM);
        if (!choose(b, price_next(b->price, over, tries, low, high), error) ||
            !settle(b, &bytes, error))
            return false;
    }
    if (budget == 0 || bytes <= budget || high == 0) return true;
    return choose(b, high, error) && settle(b, &bytes, error);
}

static void count_lists(const kcl_build *b, kcl_octree *octree) {
    for (size_t i = 0; i < b->lists_count; i++) {
        if (b->lists[i].into != i) continue;
        octree->lists++;
        if (b->lists[i].count > octree->longest) octree->longest = b->lists[i].count;
    }
}

static bool build_run(kcl_build *b, kcl_octree *octree, kart_error *error) {
    if (!solids_make(b, octree, error) || !area_set(b, error)) return false;
    roots_set(b, octree);
    if (!build_sample(b, error)) return false;
    size_t budget = b->options.budget ? b->options.budget : b->options.wanted;
    if (!goal_choose(b, error) || !budget_meet(b, budget, error) || !build_write(b, octree, error))
        return false;
    octree->price = b->price;
    count_lists(b, octree);
    if (b->options.budget == 0 || octree->size <= b->options.budget) return true;
    return kart_fail(error, KART_LIMIT, "the octree takes %zu bytes, the budget is %zu",
                     octree->size, b->options.budget);
}

bool kcl_octree_build(kart_ctx *ctx, const kcl_format *format, const kcl_build_input *input,
                      const kcl_build_options *options, kcl_octree *octree, kart_error *error) {
    *octree = (kcl_octree){0};
    if (input->count > KCL_PRISMS_LIMIT)
        return kart_fail(error, KART_LIMIT, "%zu triangles, an octree holds %d", input->count,
                         KCL_PRISMS_LIMIT);
    kcl_build b = {.ctx = ctx, .format = format, .input = input};
    options_set(&b, options);
    bool done = build_run(&b, octree, error);
    build_free(&b);
    if (!done) kcl_octree_free(ctx, octree);
    return done;
}
