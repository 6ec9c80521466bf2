// Files from lists, laid out as the game's own.
#include "agp/layout.h"

#include "core/tree.h"

typedef struct writing {
    const agp_content *content;
    agp_doc *doc;
    size_t at[AGP_KINDS]; // in the content's lists
    size_t end;           // of what is placed so far
} writing;

// Where the lists come to stand. False if the file gets too large.
static bool too_large(kart_error *error) {
    return kart_fail(error, KART_LIMIT,
                     "the file would have more than %zu bytes: larger cells make it smaller",
                     AGP_FILE_LIMIT);
}

static bool lists_place(writing *w, kart_error *error) {
    const agp_content *from = w->content;
    for (size_t i = 0; i < w->doc->cells_count; i++) {
        agp_cell *c = &w->doc->cells[i];
        for (int kind = 0; kind < AGP_KINDS; kind++) {
            uint32_t count = from->counts[kind][i];
            c->offset[kind] = (uint32_t)w->end;
            c->count[kind] = count;
            c->first[kind] = w->at[kind];
            w->at[kind] += count;
            if (count > 0) w->end += ((size_t)count + 1) * agp_record_size((agp_kind)kind);
            if (w->end > AGP_FILE_LIMIT) return too_large(error);
        }
    }
    return w->end + (w->doc->cells_count + 1) * AGP_CELL_SIZE <= AGP_FILE_LIMIT || too_large(error);
}

static void header_write(agp_doc *doc) {
    const agp_grid *g = &doc->grid;
    const float numbers[8] = {g->cell[0], g->cell[1], g->min[0],    g->min[1],
                              g->max[0],  g->max[1],  g->origin[0], g->origin[1]};
    kart_store_u32(doc->data, true, g->width);
    kart_store_u32(doc->data + 4, true, g->length);
    for (size_t i = 0; i < 8; i++) kart_store_f32(doc->data + 8 + 4 * i, true, numbers[i]);
    kart_store_u32(doc->data + 0x28, true, (uint32_t)doc->cells_offset);
}

static void cells_write(const writing *w) {
    agp_doc *doc = w->doc;
    for (size_t i = 0; i < doc->cells_count; i++) {
        const agp_cell *c = &doc->cells[i];
        uint8_t *at = doc->data + doc->cells_offset + i * AGP_CELL_SIZE;
        for (int kind = 0; kind < AGP_KINDS; kind++, at += 8) {
            size_t size = agp_record_size((agp_kind)kind);
            kart_store_u32(at, true, c->offset[kind]);
            kart_store_u32(at + 4, true, c->count[kind]);
            for (size_t k = 0; k < c->count[kind]; k++)
                memcpy(doc->data + c->offset[kind] + k * size,
                       w->content->records[kind] +
                           w->content->list[kind][c->first[kind] + k] * size,
                       size);
        }
    }
}

// The pools say what the lists said.
static bool pools_fill(const writing *w, kart_error *error) {
    for (int kind = 0; kind < AGP_KINDS; kind++) {
        agp_pool *pool = &w->doc->pools[kind];
        size_t places = w->content->places[kind];
        pool->list =
            kart_copy(w->doc->ctx, w->content->list[kind], places * sizeof *pool->list, error);
        if (!pool->list) return false;
        pool->places = places;
        pool->count = w->content->records_count[kind];
        if (!agp_pool_place(w->doc, (agp_kind)kind, error)) return false;
    }
    return true;
}

static bool doc_write(writing *w, kart_error *error) {
    agp_doc *doc = w->doc;
    doc->cells = kart_alloc(doc->ctx, doc->cells_count * sizeof *doc->cells, error);
    if (!doc->cells || !lists_place(w, error)) return false;
    doc->cells_offset = w->end;
    size_t size = w->end + (doc->cells_count + 1) * AGP_CELL_SIZE;
    doc->data = kart_alloc(doc->ctx, size, error); // zeros
    if (!doc->data) return false;
    doc->size = size;
    header_write(doc);
    cells_write(w);
    return pools_fill(w, error);
}

agp_doc *agp_layout(kart_ctx *ctx, const agp_content *content, kart_error *error) {
    agp_doc *doc = kart_alloc(ctx, sizeof *doc, error);
    if (!doc) return NULL;
    doc->ctx = ctx;
    doc->warnings.most = KART_WARNINGS_MOST;
    doc->grid = *content->grid;
    doc->cells_count = (size_t)content->grid->width * content->grid->length;
    writing w = {.content = content, .doc = doc, .end = AGP_HEADER_SIZE};
    if (doc_write(&w, error)) return doc;
    agp_free(doc);
    return NULL;
}

// --- lists as they are ------------------------------------------------------------------------

typedef struct taken {
    uint8_t *records;
    uint32_t *counts;
} taken;

static bool lists_take(const agp_doc *doc, agp_kind kind, taken *t, kart_error *error) {
    const agp_pool *pool = &doc->pools[kind];
    size_t size = agp_record_size(kind);
    t->records = kart_alloc(doc->ctx, pool->count * size, error);
    t->counts =
        t->records ? kart_alloc(doc->ctx, doc->cells_count * sizeof *t->counts, error) : NULL;
    if (!t->counts) return false;
    for (size_t i = 0; i < pool->count; i++)
        memcpy(t->records + i * size, agp_record_at(doc, kind, i), size);
    for (size_t i = 0; i < doc->cells_count; i++) t->counts[i] = doc->cells[i].count[kind];
    return true;
}

bool agp_relayout(agp_doc *doc, kart_error *error) {
    taken lists[AGP_KINDS] = {{0}};
    agp_content content = {.grid = &doc->grid};
    bool done = true;
    for (int kind = 0; done && kind < AGP_KINDS; kind++) {
        done = lists_take(doc, (agp_kind)kind, &lists[kind], error);
        content.records[kind] = lists[kind].records;
        content.records_count[kind] = doc->pools[kind].count;
        content.counts[kind] = lists[kind].counts;
        content.list[kind] = doc->pools[kind].list;
        content.places[kind] = doc->pools[kind].places;
    }
    agp_doc *fresh = done ? agp_layout(doc->ctx, &content, error) : NULL;
    if (fresh) fresh->tree = kart_tree_share(doc->tree);
    done = fresh && agp_take(doc, fresh, error);
    for (int kind = 0; kind < AGP_KINDS; kind++) {
        kart_free(doc->ctx, lists[kind].records,
                  content.records_count[kind] * agp_record_size((agp_kind)kind));
        kart_free(doc->ctx, lists[kind].counts, doc->cells_count * sizeof(uint32_t));
    }
    agp_free(fresh);
    return done;
}
