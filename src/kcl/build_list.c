// The lists of the leaves: equal ones are one, and alike ones are merged where that pays.
#include "core/array.h"
#include "kcl/build_work.h"

#include <stdlib.h>
#include <string.h>

#define MERGING 1.25 // the price that mergers pay, of that of the tree: measured to be best

void build_lists_free(kcl_build *b) {
    for (size_t i = 0; i < b->lists_count; i++)
        kart_free(b->ctx, b->lists[i].ids, b->lists[i].capacity * sizeof(build_id));
    b->lists_count = 0;
}

static bool list_add(kcl_build *b, const build_id *ids, uint32_t count, kart_error *error) {
    build_list *lists = kart_array_grow(b->ctx, b->lists, &b->lists_capacity, b->lists_count + 1,
                                        sizeof *lists, error);
    if (!lists) return false;
    b->lists = lists;
    build_id *copy = kart_copy(b->ctx, ids, count * sizeof *ids, error);
    if (!copy) return false;
    lists[b->lists_count] = (build_list){
        .ids = copy, .count = count, .capacity = count, .into = (uint32_t)b->lists_count};
    b->lists_count++;
    return true;
}

// --- equal lists ------------------------------------------------------------------------------

typedef struct table {
    uint32_t *slots; // numbers of lists, from 1
    size_t count;    // a power of two
} table;

static uint64_t ids_hash(const build_id *ids, size_t count) {
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) hash = (hash ^ ids[i]) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

// The number of an equal list, from 1, and the slot where it is or belongs.
static uint32_t table_find(const kcl_build *b, const table *t, const build_id *ids, uint32_t count,
                           size_t *slot) {
    size_t at = (size_t)ids_hash(ids, count) & (t->count - 1);
    for (;; at = (at + 1) & (t->count - 1)) {
        *slot = at;
        if (!t->slots[at]) return 0;
        const build_list *list = &b->lists[t->slots[at] - 1];
        if (list->count == count && memcmp(list->ids, ids, count * sizeof *ids) == 0)
            return t->slots[at];
    }
}

static size_t leaves_count(const kcl_build *b, size_t index) {
    const build_node *node = &b->nodes[index];
    if (!node->split) return node->count > 0;
    size_t sum = 0;
    for (size_t i = 0; i < 8; i++) sum += leaves_count(b, node->children + i);
    return sum;
}

static bool leaves_collect(kcl_build *b, size_t index, table *t, kart_error *error) {
    build_node *node = &b->nodes[index];
    if (node->split) {
        for (size_t i = 0; i < 8; i++)
            if (!leaves_collect(b, node->children + i, t, error)) return false;
        return true;
    }
    if (node->count == 0) return true;
    size_t slot;
    const build_id *ids = b->ids + node->list;
    uint32_t number = table_find(b, t, ids, node->count, &slot);
    if (!number) {
        if (!list_add(b, ids, node->count, error)) return false;
        t->slots[slot] = number = (uint32_t)b->lists_count;
    }
    node->shared = number - 1;
    b->lists[node->shared].weight += node->weight;
    return true;
}

static bool lists_collect(kcl_build *b, kart_error *error) {
    table t = {.count = 64};
    size_t leaves = leaves_count(b, 0);
    while (t.count < 2 * leaves) t.count *= 2;
    t.slots = kart_alloc(b->ctx, t.count * sizeof *t.slots, error);
    bool done = t.slots && leaves_collect(b, 0, &t, error);
    kart_free(b->ctx, t.slots, t.count * sizeof *t.slots);
    return done;
}

// --- unions -----------------------------------------------------------------------------------

// Two lists that one would serve, and what that gains: it is below 0 where it pays.
typedef struct merger {
    double gain;
    uint32_t a, b;
} merger;

static int merger_compare(const void *x, const void *y) {
    const merger *a = x, *b = y;
    if (a->gain != b->gain) return a->gain < b->gain ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

// Partners of a long list are sought by some of its prisms only: what has much in common with it
// has some of those, too.
#define HINTS       10
#define CANDIDATES  6 // so many of them are looked at closely
#define NEIGHBOURS  4 // lists that are looked at in the first rounds, before all are
#define NEAR_ROUNDS 2
#define NEAR_LISTS  4096 // ... where there are more than this: it saves time, and costs a little

// Which lists hold a prism: those of prism p are lists[start[p] .. start[p + 1] - 1].
typedef struct holders {
    uint32_t *start, *lists;
    size_t ids; // in all lists
} holders;

static void holders_free(const kcl_build *b, holders *h) {
    kart_free(b->ctx, h->lists, h->ids * sizeof *h->lists);
    kart_free(b->ctx, h->start, (b->solids_count + 2) * sizeof *h->start);
}

static bool holders_make(const kcl_build *b, holders *h, kart_error *error) {
    *h = (holders){0};
    h->start = kart_alloc(b->ctx, (b->solids_count + 2) * sizeof *h->start, error);
    if (!h->start) return false;
    // Counts go two places on, so that filling leaves starts behind.
    for (size_t i = 0; i < b->lists_count; i++)
        for (size_t k = 0; b->lists[i].into == i && k < b->lists[i].count; k++) {
            h->start[b->lists[i].ids[k] + 2]++;
            h->ids++;
        }
    h->lists = kart_alloc(b->ctx, h->ids * sizeof *h->lists, error);
    for (size_t p = 2; p < b->solids_count + 2; p++) h->start[p] += h->start[p - 1];
    for (size_t i = 0; h->lists && i < b->lists_count; i++)
        for (size_t k = 0; b->lists[i].into == i && k < b->lists[i].count; k++)
            h->lists[h->start[b->lists[i].ids[k] + 1]++] = (uint32_t)i;
    if (h->lists) return true;
    holders_free(b, h);
    *h = (holders){0};
    return false;
}

typedef struct merging {
    holders holders;
    uint32_t *common, *met; // by list and by place: of those that are met by hints; all 0 else
    uint8_t *marked;        // by prism, all 0 else
    merger *mergers;
    bool *fresh; // lists whose partners were not looked for since they changed
    bool *taken; // ... and those that found one in this round
    size_t count;
} merging;

static void merging_free(const kcl_build *b, merging *m) {
    kart_free(b->ctx, m->common, m->count * sizeof *m->common);
    kart_free(b->ctx, m->met, m->count * sizeof *m->met);
    kart_free(b->ctx, m->mergers, m->count * sizeof *m->mergers);
    kart_free(b->ctx, m->fresh, m->count * sizeof *m->fresh);
    kart_free(b->ctx, m->taken, m->count * sizeof *m->taken);
    kart_free(b->ctx, m->marked, b->solids_count);
}

static bool merging_make(const kcl_build *b, merging *m, kart_error *error) {
    *m = (merging){.count = b->lists_count};
    m->common = kart_alloc(b->ctx, m->count * sizeof *m->common, error);
    m->met = m->common ? kart_alloc(b->ctx, m->count * sizeof *m->met, error) : NULL;
    m->mergers = m->met ? kart_alloc(b->ctx, m->count * sizeof *m->mergers, error) : NULL;
    m->fresh = m->mergers ? kart_alloc(b->ctx, m->count * sizeof *m->fresh, error) : NULL;
    m->taken = m->fresh ? kart_alloc(b->ctx, m->count * sizeof *m->taken, error) : NULL;
    m->marked = m->taken ? kart_alloc(b->ctx, b->solids_count, error) : NULL;
    for (size_t i = 0; m->marked && i < m->count; i++) m->fresh[i] = true;
    return m->marked != NULL;
}

// Of two lists, of which one has its ids marked.
static uint32_t common_count(const uint8_t *marked, const build_list *other) {
    uint32_t count = 0;
    for (size_t i = 0; i < other->count; i++) count += marked[other->ids[i]];
    return count;
}

static void list_mark(uint8_t *marked, const build_list *list, uint8_t mark) {
    for (size_t i = 0; i < list->count; i++) marked[list->ids[i]] = mark;
}

// What it gains to merge two lists that have so much in common.
static double gain_of(const build_list *a, const build_list *b, double both, double price) {
    double sum = a->count + b->count - both;
    return a->weight * (sum - a->count) + b->weight * (sum - b->count) - price * 2 * (both + 1);
}

// The most promising lists of those met, the best first, as far as hints tell. Gives how many.
static size_t candidates_find(const kcl_build *b, const merging *work, uint32_t a, double price,
                              merger out[CANDIDATES]) {
    const build_list *list = &b->lists[a];
    const holders *h = &work->holders;
    uint32_t *common = work->common, *met = work->met;
    size_t met_count = 0, count = 0, hints = 0, step = 1 + list->count / HINTS;
    for (size_t k = step / 2; k < list->count; k += step) {
        hints++;
        for (uint32_t at = h->start[list->ids[k]]; at < h->start[list->ids[k] + 1]; at++) {
            uint32_t other = h->lists[at];
            if (common[other]++ == 0) met[met_count++] = other;
        }
    }
    double each = hints > 0 ? (double)list->count / (double)hints : 0;
    for (size_t i = 0; i < met_count; i++) {
        const build_list *other = &b->lists[met[i]];
        double both = fmin(common[met[i]] * each, fmin(list->count, other->count));
        common[met[i]] = 0;
        if (met[i] == a) continue;
        const merger m = {gain_of(list, other, both, price), a, met[i]};
        if (count == CANDIDATES && m.gain >= out[count - 1].gain) continue;
        size_t at = count < CANDIDATES ? count++ : count - 1;
        for (; at > 0 && m.gain < out[at - 1].gain; at--) out[at] = out[at - 1];
        out[at] = m;
    }
    return count;
}

// The best partner of a list, whose ids are marked, among those with which it has some in common.
static merger partner_find(const kcl_build *b, const merging *work, uint32_t a, double price) {
    const build_list *list = &b->lists[a];
    merger best = {.a = a, .b = a}, candidates[CANDIDATES];
    size_t count = candidates_find(b, work, a, price, candidates);
    for (size_t i = 0; i < count; i++) {
        uint32_t other = candidates[i].b, both = common_count(work->marked, &b->lists[other]);
        if (list->count + b->lists[other].count - both > b->options.longest) continue;
        const merger m = {gain_of(list, &b->lists[other], both, price), a < other ? a : other,
                          a < other ? other : a};
        if (m.gain < 0 && (best.a == best.b || merger_compare(&m, &best) < 0)) best = m;
    }
    return best;
}

// The best partner of a list among those that come right behind it: these are of cells beside its
// own.
static merger neighbour_find(const kcl_build *b, const merging *work, uint32_t a, double price) {
    const build_list *list = &b->lists[a];
    merger best = {.a = a, .b = a};
    size_t seen = 0;
    for (uint32_t other = a + 1; other < b->lists_count && seen < NEIGHBOURS; other++) {
        const build_list *next = &b->lists[other];
        if (next->into != other) continue;
        seen++;
        uint32_t both = common_count(work->marked, next);
        if (both == 0 || list->count + next->count - both > b->options.longest) continue;
        const merger m = {gain_of(list, next, both, price), a, other};
        if (m.gain < 0 && (best.a == best.b || merger_compare(&m, &best) < 0)) best = m;
    }
    return best;
}

static bool union_make(kcl_build *b, uint32_t a, uint32_t other, kart_error *error) {
    build_list *x = &b->lists[a], *y = &b->lists[other];
    size_t capacity = (size_t)x->count + y->count, count = 0;
    build_id *ids = kart_alloc(b->ctx, capacity * sizeof *ids, error);
    if (!ids) return false;
    for (size_t i = 0, j = 0; i < x->count || j < y->count;) {
        bool take_x = j == y->count || (i < x->count && x->ids[i] <= y->ids[j]);
        bool take_y = i == x->count || (j < y->count && y->ids[j] <= x->ids[i]);
        ids[count++] = take_x ? x->ids[i] : y->ids[j];
        i += take_x;
        j += take_y;
    }
    kart_free(b->ctx, x->ids, x->capacity * sizeof *x->ids);
    kart_free(b->ctx, y->ids, y->capacity * sizeof *y->ids);
    x->ids = ids;
    x->count = (uint32_t)count;
    x->capacity = (uint32_t)capacity;
    x->weight += y->weight;
    y->ids = NULL;
    y->count = y->capacity = 0;
    y->into = a;
    return true;
}

// Merge pairs, the best first, each list once. `*merged`: how many were.
static bool merge_round(kcl_build *b, merging *m, bool near, double price, size_t *merged,
                        kart_error *error) {
    size_t found = 0;
    *merged = 0;
    if (!near && !holders_make(b, &m->holders, error)) return false;
    for (uint32_t i = 0; i < b->lists_count; i++) {
        if (!m->fresh[i] || b->lists[i].into != i) continue;
        list_mark(m->marked, &b->lists[i], 1);
        merger best = near ? neighbour_find(b, m, i, price) : partner_find(b, m, i, price);
        list_mark(m->marked, &b->lists[i], 0);
        m->fresh[i] = near;
        if (best.a != best.b) m->mergers[found++] = best;
    }
    if (!near) holders_free(b, &m->holders);
    qsort(m->mergers, found, sizeof *m->mergers, merger_compare);
    for (size_t i = 0; i < found; i++) {
        uint32_t x = m->mergers[i].a, y = m->mergers[i].b;
        // Who was taken already looks for another one.
        if (m->taken[x] || m->taken[y]) {
            m->fresh[x] = m->fresh[y] = true;
            continue;
        }
        if (!union_make(b, x, y, error)) return false;
        m->taken[x] = m->taken[y] = true;
        m->fresh[x] = true;
        ++*merged;
    }
    return true;
}

static bool lists_merge(kcl_build *b, double price, kart_error *error) {
    merging m;
    size_t merged = 1;
    bool done = merging_make(b, &m, error);
    int near = b->lists_count > NEAR_LISTS ? NEAR_ROUNDS : 0;
    for (int round = 0; done && (round <= near || merged > 0); round++) {
        memset(m.taken, 0, m.count * sizeof *m.taken);
        done = kart_ctx_step(b->ctx, 0, error) &&
               merge_round(b, &m, round < near, price, &merged, error);
    }
    merging_free(b, &m);
    return done;
}

// --- ends -------------------------------------------------------------------------------------

typedef struct list_order {
    const build_list *list;
    uint32_t number;
} list_order;

// By the last id, the one before it ...: a list that another one ends with comes right before one
// that ends with it. Unions may have become equal: these by their numbers.
static int order_compare(const void *x, const void *y) {
    const list_order *first = x, *second = y;
    const build_list *a = first->list, *b = second->list;
    for (size_t i = 1; i <= a->count && i <= b->count; i++) {
        int difference = a->ids[a->count - i] - b->ids[b->count - i];
        if (difference) return difference;
    }
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    return (first->number > second->number) - (first->number < second->number);
}

static bool ends_with(const build_list *whole, const build_list *end) {
    return end->count <= whole->count && memcmp(whole->ids + (whole->count - end->count), end->ids,
                                                end->count * sizeof *end->ids) == 0;
}

// Find the lists that others end with; gives the bytes that all of them take.
static bool lists_end(kcl_build *b, size_t *bytes, kart_error *error) {
    size_t size = b->lists_count * sizeof(list_order), count = 0;
    list_order *order = kart_alloc(b->ctx, size, error);
    if (!order) return false;
    for (uint32_t i = 0; i < b->lists_count; i++)
        if (b->lists[i].into == i) order[count++] = (list_order){&b->lists[i], i};
    qsort(order, count, sizeof *order, order_compare);
    uint32_t whole = 0;
    *bytes = count == 0 ? 2 : 0;
    for (size_t i = count; i-- > 0;) {
        build_list *list = &b->lists[order[i].number];
        bool end = i + 1 < count && ends_with(&b->lists[whole], list);
        if (!end) {
            whole = order[i].number;
            *bytes += 2 * ((size_t)list->count + 1);
        }
        list->within = whole;
    }
    kart_free(b->ctx, order, size);
    return true;
}

bool build_lists(kcl_build *b, double price, size_t *bytes, kart_error *error) {
    build_lists_free(b);
    return lists_collect(b, error) && lists_merge(b, MERGING * price, error) &&
           lists_end(b, bytes, error);
}
