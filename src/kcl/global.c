#include "kcl/global.h"

#include "kcl/octree.h"

#include <math.h>

typedef struct walk {
    const kcl_doc *doc;
    const kcl_box *boxes;
    kcl_global_fn visit;
    void *user;
    kart_error *error;
} walk;

// A cell and what reaches it.
typedef struct cell {
    double low[3], wide[3]; // from the start of the space
    unsigned depth;
    uint32_t *reaching;
    size_t count;
} cell;

static bool group_walk(const walk *w, size_t group, const cell *around);

static bool word_walk(const walk *w, size_t group, size_t at, cell *c, const cell *around) {
    const kcl_doc *doc = w->doc;
    const double min[3] = {doc->min.x, doc->min.y, doc->min.z};
    uint32_t word = kcl_word_at(doc, at);
    kcl_global_cell global = {.at = at, .model = SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        global.box.low[i] = min[i] + c->low[i] - (c->low[i] == 0 ? 1 : 0);
        global.box.high[i] = min[i] + c->low[i] + c->wide[i];
    }
    size_t bytes = around->count * sizeof *c->reaching;
    c->reaching = kart_alloc(doc->ctx, bytes, w->error);
    if (!c->reaching || !kart_ctx_step(doc->ctx, 0, w->error)) {
        kart_free(doc->ctx, c->reaching, bytes);
        return false;
    }
    for (size_t i = 0; i < around->count; i++)
        if (kcl_boxes_meet(&w->boxes[around->reaching[i]], &global.box))
            c->reaching[c->count++] = around->reaching[i];
    bool done;
    if (word >> 30 == 0) {
        done = group_walk(w, group + 4 * (size_t)word, c);
    } else {
        if (word >> 30 == 2) global.model = word & 0x3FFFFFFF;
        done = w->visit(w->user, &global, c->reaching, c->count);
    }
    kart_free(doc->ctx, c->reaching, bytes);
    return done;
}

// An axis of a unit isn't halved any more: lookups go to the lower half then.
static bool group_walk(const walk *w, size_t group, const cell *around) {
    for (size_t i = 0; i < 8; i++) {
        cell c = {.depth = around->depth + 1};
        bool there = true;
        for (int k = 0; k < 3; k++) {
            bool upper = i >> k & 1, halved = w->doc->width_shift[k] > around->depth;
            c.wide[k] = halved ? around->wide[k] / 2 : around->wide[k];
            c.low[k] = around->low[k] + (upper ? c.wide[k] : 0);
            there = there && (halved || !upper);
        }
        if (there && !word_walk(w, group, group + 4 * i, &c, around)) return false;
    }
    return true;
}

bool kcl_global_walk(const kcl_doc *doc, const kcl_box *boxes, size_t count, kcl_global_fn visit,
                     void *user, kart_error *error) {
    const walk w = {doc, boxes, visit, user, error};
    cell all = {.count = count};
    for (int k = 0; k < 3; k++) all.wide[k] = ldexp(1, (int)doc->width_shift[k]);
    all.reaching = kart_alloc(doc->ctx, count * sizeof *all.reaching, error);
    if (!all.reaching) return false;
    for (size_t i = 0; i < count; i++) all.reaching[i] = (uint32_t)i;
    bool done = group_walk(&w, doc->global.start, &all);
    kart_free(doc->ctx, all.reaching, count * sizeof *all.reaching);
    return done;
}
