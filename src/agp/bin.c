// Which cells list what, and the file of it.
#include "agp/layout.h"
#include "agp/model.h"

// The cells from column low[0] and row low[1] to high, both included.
typedef struct range {
    uint32_t low[2], high[2];
} range;

static uint32_t clamped(double cell, uint32_t count) {
    return cell >= count ? count - 1 : cell > 0 ? (uint32_t)cell : 0;
}

static range range_of(const agp_grid *g, const float min[2], const float max[2], bool wide) {
    range r;
    for (int i = 0; i < 2; i++) {
        uint32_t count = i == 0 ? g->width : g->length;
        double low = agp_cell_along(g, i, min[i]), high = agp_cell_along(g, i, max[i]);
        if (wide) {
            low = floor(((double)min[i] + (double)g->origin[i]) / (double)g->cell[i]);
            high = floor(((double)max[i] + (double)g->origin[i]) / (double)g->cell[i]);
        }
        r.low[i] = clamped(low, count);
        r.high[i] = clamped(high, count);
        if (r.high[i] < r.low[i]) r.high[i] = r.low[i]; // a wall's box that is inside out
    }
    return r;
}

typedef struct binning {
    const agp_model *model;
    const agp_grid *grid;
    bool wide;
    size_t cells;
    uint32_t *counts[AGP_KINDS]; // of each cell
    uint32_t *ends[AGP_KINDS];   // ... where its list goes on while it is filled
    uint32_t *list[AGP_KINDS];
    size_t places[AGP_KINDS];
    uint8_t *records[AGP_KINDS];
    size_t records_count[AGP_KINDS];
} binning;

static range record_range(const binning *b, agp_kind kind, size_t i) {
    const agp_triangle *t = &b->model->triangles[i];
    if (kind == AGP_WALLS) {
        const agp_model_wall *wall = &b->model->walls[i];
        if (wall->owner == AGP_NO_OWNER)
            return range_of(b->grid, wall->wall.min, wall->wall.max, b->wide);
        t = &b->model->triangles[wall->owner];
    }
    return range_of(b->grid, t->min, t->max, b->wide);
}

bool agp_model_is_close(const agp_model *model, const agp_grid *grid) {
    binning b = {.model = model, .grid = grid};
    for (size_t i = 0; i < model->count + model->walls_count; i++) {
        agp_kind kind = i < model->count ? AGP_TRIANGLES : AGP_WALLS;
        size_t index = kind == AGP_TRIANGLES ? i : i - model->count;
        b.wide = false;
        range narrow = record_range(&b, kind, index);
        b.wide = true;
        range wide = record_range(&b, kind, index);
        if (memcmp(&narrow, &wide, sizeof wide) != 0) return true;
    }
    return false;
}

static bool count(binning *b, agp_kind kind, kart_error *error) {
    uint64_t places = 0;
    for (size_t i = 0; i < b->records_count[kind]; i++) {
        range r = record_range(b, kind, i);
        places += (uint64_t)(r.high[0] - r.low[0] + 1) * (r.high[1] - r.low[1] + 1);
        if (places > AGP_PLACES_LIMIT)
            return kart_fail(error, KART_LIMIT,
                             "cells would list more than %zu %s: larger cells make it less",
                             AGP_PLACES_LIMIT, kind == AGP_WALLS ? "walls" : "triangles");
        for (size_t z = r.low[1]; z <= r.high[1]; z++)
            for (size_t x = r.low[0]; x <= r.high[0]; x++)
                b->counts[kind][z * b->grid->width + x]++;
    }
    b->places[kind] = (size_t)places;
    return true;
}

static void fill(binning *b, agp_kind kind) {
    uint32_t sum = 0;
    for (size_t i = 0; i < b->cells; i++) {
        b->ends[kind][i] = sum;
        sum += b->counts[kind][i];
    }
    for (size_t i = 0; i < b->records_count[kind]; i++) {
        range r = record_range(b, kind, i);
        for (size_t z = r.low[1]; z <= r.high[1]; z++)
            for (size_t x = r.low[0]; x <= r.high[0]; x++)
                b->list[kind][b->ends[kind][z * b->grid->width + x]++] = (uint32_t)i;
    }
}

static bool records_write(binning *b, agp_kind kind, kart_error *error) {
    size_t size = agp_record_size(kind);
    b->records[kind] = kart_alloc(b->model->ctx, b->records_count[kind] * size, error);
    if (!b->records[kind]) return false;
    for (size_t i = 0; i < b->records_count[kind]; i++) {
        if (kind == AGP_TRIANGLES)
            agp_triangle_store(b->records[kind] + i * size, &b->model->triangles[i]);
        else
            agp_wall_store(b->records[kind] + i * size, &b->model->walls[i].wall);
    }
    return true;
}

static bool bin(binning *b, agp_kind kind, kart_error *error) {
    kart_ctx *ctx = b->model->ctx;
    size_t size = b->cells * sizeof(uint32_t);
    b->counts[kind] = kart_alloc(ctx, size, error);
    if (!b->counts[kind] || !count(b, kind, error)) return false;
    b->ends[kind] = kart_alloc(ctx, size, error);
    if (b->ends[kind]) b->list[kind] = kart_alloc(ctx, b->places[kind] * sizeof(uint32_t), error);
    if (!b->list[kind]) return false;
    fill(b, kind);
    return records_write(b, kind, error);
}

agp_doc *agp_model_file(const agp_model *model, const agp_grid *grid, bool wide,
                        kart_error *error) {
    binning b = {.model = model,
                 .grid = grid,
                 .wide = wide,
                 .cells = (size_t)grid->width * grid->length,
                 .records_count = {model->count, model->walls_count}};
    agp_doc *doc = NULL;
    if (bin(&b, AGP_TRIANGLES, error) && bin(&b, AGP_WALLS, error) &&
        kart_ctx_step(model->ctx, 0.5, error)) {
        agp_content content = {.grid = grid};
        for (int kind = 0; kind < AGP_KINDS; kind++) {
            content.records[kind] = b.records[kind];
            content.records_count[kind] = b.records_count[kind];
            content.counts[kind] = b.counts[kind];
            content.list[kind] = b.list[kind];
            content.places[kind] = b.places[kind];
        }
        doc = agp_layout(model->ctx, &content, error);
    }
    for (int kind = 0; kind < AGP_KINDS; kind++) {
        kart_free(model->ctx, b.counts[kind], b.cells * sizeof(uint32_t));
        kart_free(model->ctx, b.ends[kind], b.cells * sizeof(uint32_t));
        kart_free(model->ctx, b.list[kind], b.places[kind] * sizeof(uint32_t));
        kart_free(model->ctx, b.records[kind],
                  b.records_count[kind] * agp_record_size((agp_kind)kind));
    }
    return doc;
}
