// An order of records that the lists of all cells agree with.
//
// Each cell lists its records in the order of the model. So each pair of neighbours in a list is a
// step of that order, and a topological order by these steps (Kahn, 1962) gives every list back.
// The model's own order can't be known where no list tells.
#include "agp/layout.h"

typedef struct sorting {
    kart_ctx *ctx;
    size_t count, places;
    uint32_t *starts; // of each record, and behind the last: where in `after` its followers are
    uint32_t *after;
    uint32_t *before; // of each record, how many steps lead to it from those that are left
    uint8_t *taken;
    uint32_t *heap; // records that nothing is before any more, the smallest on top
    size_t heap_count;
} sorting;

static void heap_push(sorting *s, uint32_t record) {
    size_t at = s->heap_count++;
    for (; at > 0 && s->heap[(at - 1) / 2] > record; at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = record;
}

static uint32_t heap_pop(sorting *s) {
    uint32_t top = s->heap[0], last = s->heap[--s->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->heap_count) break;
        if (child + 1 < s->heap_count && s->heap[child + 1] < s->heap[child]) child++;
        if (s->heap[child] >= last) break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return top;
}

// Call for each step of each list: first to count them, then to put them down.
static void steps_visit(sorting *s, const agp_cell *cells, size_t cells_count, agp_kind kind,
                        const uint32_t *list, bool put) {
    for (size_t i = 0; i < cells_count; i++)
        for (size_t k = 1; k < cells[i].count[kind]; k++) {
            const uint32_t *at = &list[cells[i].first[kind] + k];
            if (put) {
                s->after[--s->starts[at[-1]]] = at[0];
            } else {
                s->starts[at[-1]]++;
                s->before[at[0]]++;
            }
        }
}

static void steps_collect(sorting *s, const agp_cell *cells, size_t cells_count, agp_kind kind,
                          const uint32_t *list) {
    uint32_t sum = 0;
    steps_visit(s, cells, cells_count, kind, list, false);
    for (size_t i = 0; i <= s->count; i++) {
        sum += i < s->count ? s->starts[i] : 0;
        s->starts[i] = sum;
    }
    steps_visit(s, cells, cells_count, kind, list, true);
}

static void take(sorting *s, uint32_t record) {
    s->taken[record] = 1;
    for (size_t i = s->starts[record]; i < s->starts[record + 1]; i++) {
        uint32_t next = s->after[i];
        if (--s->before[next] == 0 && !s->taken[next]) heap_push(s, next);
    }
}

static bool records_take(sorting *s, uint32_t *order, kart_error *error) {
    uint32_t left = 0; // no record before this one is left
    for (uint32_t i = 0; i < s->count; i++)
        if (s->before[i] == 0) heap_push(s, i);
    for (size_t i = 0; i < s->count; i++) {
        if (!kart_ctx_step_at(s->ctx, i, s->count, error)) return false;
        if (s->heap_count > 0) {
            order[i] = heap_pop(s);
        } else { // lists disagree
            while (s->taken[left]) left++;
            order[i] = left;
        }
        take(s, order[i]);
    }
    return true;
}

bool agp_order(kart_ctx *ctx, const agp_cell *cells, size_t cells_count, agp_kind kind,
               const uint32_t *list, size_t places, size_t count, uint32_t *order,
               kart_error *error) {
    sorting s = {.ctx = ctx, .count = count, .places = places};
    const size_t word = sizeof(uint32_t);
    s.starts = kart_alloc(ctx, (count + 1) * word, error);
    if (s.starts) s.after = kart_alloc(ctx, places * word, error);
    if (s.after) s.before = kart_alloc(ctx, count * word, error);
    if (s.before) s.heap = kart_alloc(ctx, count * word, error);
    if (s.heap) s.taken = kart_alloc(ctx, count, error);
    bool done = s.taken != NULL;
    if (done) {
        steps_collect(&s, cells, cells_count, kind, list);
        done = records_take(&s, order, error);
    }
    kart_free(ctx, s.starts, (count + 1) * word);
    kart_free(ctx, s.after, places * word);
    kart_free(ctx, s.before, count * word);
    kart_free(ctx, s.heap, count * word);
    kart_free(ctx, s.taken, count);
    return done;
}
