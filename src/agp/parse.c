// Reading: header, cells, lists.
#include "agp/layout.h"

#include <stdio.h>

// --- header -----------------------------------------------------------------------------------

typedef struct head {
    agp_grid grid;
    uint32_t cells_offset;
} head;

static head head_read(const uint8_t *data, size_t size) {
    head h;
    kart_reader r = kart_reader_make(data, size, true);
    h.grid.width = kart_read_u32(&r);
    h.grid.length = kart_read_u32(&r);
    for (int i = 0; i < 2; i++) h.grid.cell[i] = kart_read_f32(&r);
    for (int i = 0; i < 2; i++) h.grid.min[i] = kart_read_f32(&r);
    for (int i = 0; i < 2; i++) h.grid.max[i] = kart_read_f32(&r);
    for (int i = 0; i < 2; i++) h.grid.origin[i] = kart_read_f32(&r);
    h.cells_offset = kart_read_u32(&r);
    return h;
}

// What cell sizes and coordinates of courses may be for a header to be taken for one.
#define CELL_LEAST   0.01f
#define CELL_MOST    1e6f
#define PLACE_MOST   1e7f
#define SIDE_MOST    65536
#define FLOAT_NORMAL 1e-30f // numbers nearer to 0 are whole ones in disguise

static bool is_place(float number) {
    return number == 0 || (fabsf(number) >= FLOAT_NORMAL && fabsf(number) <= PLACE_MOST);
}

static bool is_plausible(const head *h) {
    const agp_grid *g = &h->grid;
    bool sane = g->width > 0 && g->width <= SIDE_MOST && g->length > 0 && g->length <= SIDE_MOST &&
                h->cells_offset >= AGP_HEADER_SIZE && h->cells_offset < AGP_FILE_LIMIT;
    for (int i = 0; i < 2; i++)
        sane = sane && g->cell[i] >= CELL_LEAST && g->cell[i] <= CELL_MOST && is_place(g->min[i]) &&
               is_place(g->max[i]) && is_place(g->origin[i]) && g->min[i] <= g->max[i];
    return sane;
}

static bool has_no_bounds(const agp_grid *g) {
    return g->min[0] == 0 && g->min[1] == 0 && g->max[0] == 0 && g->max[1] == 0;
}

static bool origin_fits(const agp_grid *g) {
    return g->origin[0] == -g->min[0] && g->origin[1] == -g->min[1];
}

bool agp_detect(const uint8_t *data, size_t size) {
    if (size < AGP_HEADER_SIZE) return false;
    head h = head_read(data, size);
    uint64_t cells = (uint64_t)h.grid.width * h.grid.length;
    if (!is_plausible(&h)) return false;
    // Damaged files and those with a tail are told by what their floats say.
    return h.cells_offset + AGP_CELL_SIZE * (cells + 1) == size || origin_fits(&h.grid) ||
           (has_no_bounds(&h.grid) && h.grid.origin[0] != 0 && h.grid.origin[1] != 0);
}

static bool head_check(const head *h, size_t size, kart_error *error) {
    const agp_grid *g = &h->grid;
    if (size < AGP_HEADER_SIZE)
        return kart_fail_at(error, "header", 0, "the file is cut short", "44 bytes", "%zu", size);
    for (size_t i = 0; i < 2; i++) {
        uint32_t side = i == 0 ? g->width : g->length;
        if (side == 0 || side > INT32_MAX)
            return kart_fail_at(error, "header", 4 * i, "cells along an axis", "more than 0", "%d",
                                (int)(int32_t)side);
        if (!(g->cell[i] > 0) || !isfinite(g->cell[i]))
            return kart_fail_at(error, "header", 8 + 4 * i, "size of a cell",
                                "a finite number above 0", "%g", (double)g->cell[i]);
        if (!isfinite(g->origin[i]))
            return kart_fail_at(error, "header", 0x20 + 4 * i, "origin of the grid",
                                "a finite number", "%g", (double)g->origin[i]);
    }
    uint64_t cells = (uint64_t)g->width * g->length;
    if (h->cells_offset < AGP_HEADER_SIZE || h->cells_offset % 4 != 0 || h->cells_offset > size)
        return kart_fail_at(error, "header", 0x28, "where the cells are",
                            "a multiple of 4 from 44 up, within the file", "%lu",
                            (unsigned long)h->cells_offset);
    if (cells > (size - h->cells_offset) / AGP_CELL_SIZE)
        return kart_fail_at(error, "cells", h->cells_offset, "the file is cut short",
                            "16 bytes for each cell of the grid", "%lu x %lu cells, %zu bytes left",
                            (unsigned long)g->width, (unsigned long)g->length,
                            size - h->cells_offset);
    if (cells > AGP_CELLS_LIMIT)
        return kart_fail(error, KART_LIMIT, "%lu x %lu cells, at most %zu are read",
                         (unsigned long)g->width, (unsigned long)g->length, AGP_CELLS_LIMIT);
    // The loader goes on from cell to cell until one begins with 0, through whatever lies behind.
    size_t end = h->cells_offset + (size_t)cells * AGP_CELL_SIZE;
    if (size - end < AGP_CELL_SIZE)
        return kart_fail_at(error, "cells", end, "the cell of zeros that ends the cells is missing",
                            "16 bytes", "%zu", size - end);
    return true;
}

// --- cells ------------------------------------------------------------------------------------

static const char *const names[AGP_KINDS] = {"triangles", "walls"};

static bool list_check(const agp_doc *doc, size_t cell, agp_kind kind, kart_error *error) {
    const agp_cell *c = &doc->cells[cell];
    size_t at = doc->cells_offset + cell * AGP_CELL_SIZE + 8 * (size_t)kind;
    size_t start = c->offset[kind], record = agp_record_size(kind);
    if (c->count[kind] > INT32_MAX)
        return kart_fail_at(error, "cells", at + 4, names[kind], "a count from 0 up", "%ld",
                            (long)(int32_t)c->count[kind]);
    if (c->count[kind] == 0) return true; // the offset may be anything
    if (start % 4 != 0 || start < AGP_HEADER_SIZE || start > doc->size ||
        c->count[kind] > (doc->size - start) / record)
        return kart_fail_at(error, "cells", at, names[kind],
                            "a list of whole words between the header and the file's end",
                            "%lu of them at 0x%lX", (unsigned long)c->count[kind],
                            (unsigned long)start);
    // Pointers that the loader sets in the cells would stand in the list.
    size_t cells_end = doc->cells_offset + (doc->cells_count + 1) * AGP_CELL_SIZE;
    if (start < cells_end && start + c->count[kind] * record > doc->cells_offset)
        return kart_fail_at(error, "cells", at, names[kind], "a list apart from the cells",
                            "%lu of them at 0x%lX", (unsigned long)c->count[kind],
                            (unsigned long)start);
    return true;
}

static bool cells_read(agp_doc *doc, kart_error *error) {
    uint64_t places[AGP_KINDS] = {0};
    kart_reader r = kart_reader_make(doc->data, doc->size, true);
    kart_reader_seek(&r, doc->cells_offset);
    for (size_t i = 0; i < doc->cells_count; i++) {
        agp_cell *c = &doc->cells[i];
        for (int kind = 0; kind < AGP_KINDS; kind++) {
            c->offset[kind] = kart_read_u32(&r);
            c->count[kind] = kart_read_u32(&r);
            c->first[kind] = (size_t)places[kind];
            if (!list_check(doc, i, (agp_kind)kind, error)) return false;
            places[kind] += c->count[kind];
            if (places[kind] > AGP_PLACES_LIMIT)
                return kart_fail(error, KART_LIMIT, "cells list more than %zu %s", AGP_PLACES_LIMIT,
                                 names[kind]);
        }
    }
    uint32_t last = kart_read_u32(&r);
    if (last != 0)
        return kart_fail_at(error, "cells", r.at - 4, "the cell that ends the cells", "zeros",
                            "0x%lX", (unsigned long)last);
    for (int kind = 0; kind < AGP_KINDS; kind++) doc->pools[kind].places = (size_t)places[kind];
    return true;
}

// --- records that share bytes -----------------------------------------------------------------

// Of each word of the file, the word at which the record begins that covers it, plus 1; and of that
// word which record it is, plus 1.
typedef struct cover {
    uint32_t *start, *record;
    size_t words;
} cover;

static bool cover_add(cover *c, size_t offset, size_t size, uint32_t record) {
    size_t first = offset / 4;
    if (c->record[first] == record && c->start[first] == first + 1) return true;
    if (c->record[first] != 0) return false;
    c->record[first] = record;
    for (size_t i = first; i < first + size / 4; i++) {
        if (c->start[i] != 0) return false;
        c->start[i] = (uint32_t)first + 1;
    }
    return true;
}

// Do the lists follow each other in the file? Then none shares a byte with another one.
static bool lists_follow(const agp_doc *doc) {
    size_t end = 0;
    for (size_t i = 0; i < doc->cells_count; i++)
        for (int kind = 0; kind < AGP_KINDS; kind++) {
            const agp_cell *c = &doc->cells[i];
            if (c->count[kind] == 0) continue;
            if (c->offset[kind] < end) return false;
            end = c->offset[kind] + c->count[kind] * agp_record_size((agp_kind)kind);
        }
    return true;
}

static bool overlaps_find(agp_doc *doc, kart_error *error) {
    if (lists_follow(doc)) return true;
    cover c = {.words = doc->size / 4};
    c.start = kart_alloc(doc->ctx, c.words * sizeof *c.start, error);
    c.record = c.start ? kart_alloc(doc->ctx, c.words * sizeof *c.record, error) : NULL;
    for (int kind = 0; c.record && kind < AGP_KINDS; kind++) {
        const agp_pool *pool = &doc->pools[kind];
        uint32_t before = kind == AGP_WALLS ? (uint32_t)doc->pools[AGP_TRIANGLES].count : 0;
        for (size_t i = 0; i < pool->count; i++)
            for (size_t k = pool->starts[i]; k < pool->starts[i + 1]; k++)
                if (!cover_add(&c, pool->offsets[k], agp_record_size((agp_kind)kind),
                               before + (uint32_t)i + 1))
                    doc->overlaps = true;
    }
    bool done = c.record != NULL;
    kart_free(doc->ctx, c.start, c.words * sizeof *c.start);
    kart_free(doc->ctx, c.record, c.words * sizeof *c.record);
    return done;
}

// --- what is odd ------------------------------------------------------------------------------

static bool warn(agp_doc *doc, kart_severity severity, const char *rule, kart_error *error,
                 const char *message) {
    return agp_warn(doc, severity, rule, "", KART_NO_INDEX, "", error, "%s", message);
}

// The loader takes the first cell that begins with 0 for the end. Cells behind it keep offsets
// where the game expects pointers.
static bool ends_early_warn(agp_doc *doc, kart_error *error) {
    size_t zero = 0, lost = 0;
    while (zero < doc->cells_count && doc->cells[zero].offset[AGP_TRIANGLES] != 0) zero++;
    for (size_t i = zero; i < doc->cells_count; i++)
        lost += doc->cells[i].count[AGP_TRIANGLES] > 0 || doc->cells[i].count[AGP_WALLS] > 0;
    if (zero == doc->cells_count) return true;
    return agp_warn(
        doc, lost > 0 ? KART_FATAL : KART_HINT, "cell-ends-early", "cells", zero, "", error,
        lost > 0 ? "its offset is 0, which ends the cells: %zu from here on that list "
                   "something are never made ready"
                 : "its offset is 0, which ends the cells: those from here on are empty",
        lost);
}

static bool is_finite(const uint8_t *at) {
    return (kart_load_u32(at, true) & 0x7F800000) != 0x7F800000;
}

static bool numbers_warn(agp_doc *doc, kart_error *error) {
    for (int kind = 0; kind < AGP_KINDS; kind++)
        for (size_t i = 0; i < doc->pools[kind].count; i++) {
            const uint8_t *at = agp_record_at(doc, (agp_kind)kind, i);
            bool finite = true;
            for (size_t k = 0; k < agp_record_size((agp_kind)kind); k += 4)
                if (kind == AGP_WALLS || (k != AGP_OPEN_AT && k != AGP_FLAG_AT))
                    finite = finite && is_finite(at + k);
            if (!finite && !agp_warn(doc, KART_WARNING, "not-finite", names[kind], i, "", error,
                                     "a number of it is not finite"))
                return false;
        }
    return true;
}

static bool is_flat(const agp_triangle *t) {
    for (int i = 0; i < 3; i++)
        if (t->edge[i][1] == 0 && t->corner[i][1] != t->corner[(i + 1) % 3][1]) return true;
    return false;
}

static bool habits_warn(agp_doc *doc, kart_error *error) {
    size_t flat = 0, open = 0, count = doc->pools[AGP_TRIANGLES].count;
    for (size_t i = 0; i < count; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        flat += is_flat(&t);
        open += (t.open & 7) != 0;
    }
    if (flat > 0 && !agp_warn(doc, KART_HINT, "edges-flat", "", KART_NO_INDEX, "", error,
                              "the edges of %zu triangles are those seen from above: the game "
                              "takes these, too",
                              flat))
        return false;
    size_t walls = doc->pools[AGP_WALLS].count;
    return open > 0 || walls == 0 ||
           agp_warn(doc, KART_HINT, "walls-drawn", "", KART_NO_INDEX, "", error,
                    "%zu walls, and no edge is marked as open: they were drawn by hand", walls);
}

static bool oddities_warn(agp_doc *doc, kart_error *error) {
    size_t end = doc->cells_offset + (doc->cells_count + 1) * AGP_CELL_SIZE;
    for (size_t i = end - AGP_CELL_SIZE; i < end; i++)
        if (doc->data[i] != 0) {
            if (!warn(doc, KART_HINT, "end-not-zeros", error,
                      "the cell that ends the cells is not all zeros"))
                return false;
            break;
        }
    if (doc->size > end && !agp_warn(doc, KART_HINT, "file-tail", "", KART_NO_INDEX, "", error,
                                     "%zu bytes behind the cells", doc->size - end))
        return false;
    if (has_no_bounds(&doc->grid) && doc->pools[AGP_TRIANGLES].count > 0 &&
        !warn(doc, KART_HINT, "bounds-zero", error,
              "the header's bounds are 0: the game doesn't look at them"))
        return false;
    if (doc->overlaps && !warn(doc, KART_WARNING, "records-overlap", error,
                               "records share bytes: an edit lays the file out anew"))
        return false;
    return ends_early_warn(doc, error) && numbers_warn(doc, error) && habits_warn(doc, error);
}

// --- all of it --------------------------------------------------------------------------------

static bool doc_read(agp_doc *doc, kart_error *error) {
    return cells_read(doc, error) && agp_pool_index(doc, AGP_TRIANGLES, error) &&
           agp_pool_index(doc, AGP_WALLS, error) && overlaps_find(doc, error) &&
           oddities_warn(doc, error);
}

agp_doc *agp_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    head h = head_read(data, size);
    if (size > AGP_FILE_LIMIT) {
        kart_fail(error, KART_LIMIT, "%zu bytes, at most %zu are read", size, AGP_FILE_LIMIT);
        return NULL;
    }
    if (!head_check(&h, size, error)) return NULL;
    agp_doc *doc = kart_alloc(ctx, sizeof *doc, error);
    if (!doc) return NULL;
    doc->ctx = ctx;
    doc->warnings.most = KART_WARNINGS_MOST;
    doc->grid = h.grid;
    doc->cells_offset = h.cells_offset;
    doc->cells_count = (size_t)h.grid.width * h.grid.length;
    doc->data = kart_copy(ctx, data, size, error);
    if (doc->data) {
        doc->size = size;
        doc->cells = kart_alloc(ctx, doc->cells_count * sizeof *doc->cells, error);
    }
    if (doc->cells && doc_read(doc, error)) return doc;
    agp_free(doc);
    return NULL;
}
