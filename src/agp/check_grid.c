// Rules about the grid: what should be found where.
#include "agp/check_rules.h"

// How far a triangle must reach into a cell to be missed in it, in units: on the line between two
// cells either will do.
#define REACH 0.01

// --- does a triangle reach into a cell? -------------------------------------------------------

typedef struct rectangle {
    double low[2], high[2];
} rectangle;

static rectangle cell_rectangle(const agp_grid *g, size_t column, size_t row) {
    const size_t at[2] = {column, row};
    rectangle r;
    for (int i = 0; i < 2; i++) {
        r.low[i] = (double)at[i] * (double)g->cell[i] - (double)g->origin[i] + REACH;
        r.high[i] = (double)(at[i] + 1) * (double)g->cell[i] - (double)g->origin[i] - REACH;
    }
    return r;
}

// Is the rectangle all on the outer side of an edge of the triangle, seen from above? Boxes were
// compared already: so these are all axes that can separate them.
static bool reaches(const agp_triangle *t, const rectangle *r) {
    double turn = 0;
    for (int i = 0; i < 3; i++) {
        const float *a = t->corner[i], *b = t->corner[(i + 1) % 3];
        turn += (double)a[2] * (double)b[0] - (double)a[0] * (double)b[2];
    }
    for (int i = 0; i < 3; i++) {
        const float *a = t->corner[i], *b = t->corner[(i + 1) % 3];
        double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
        // Across the edge to the inside.
        double nx = turn >= 0 ? ez : -ez, nz = turn >= 0 ? -ex : ex;
        double x = nx >= 0 ? r->high[0] : r->low[0], z = nz >= 0 ? r->high[1] : r->low[1];
        if (nx * (x - (double)a[0]) + nz * (z - (double)a[2]) < 0) return false;
    }
    return true;
}

// --- cells ------------------------------------------------------------------------------------

// Into which columns (axis 0) or rows a triangle's box reaches, within the grid.
static bool touched(const agp_grid *g, const agp_triangle *t, int axis, size_t *low, size_t *high) {
    const float a = agp_along(t->corner[0], axis), b = agp_along(t->corner[1], axis),
                c = agp_along(t->corner[2], axis);
    const uint32_t count = axis == 0 ? g->width : g->length;
    const double origin = (double)g->origin[axis], cell = (double)g->cell[axis];
    const double from = ((double)fminf(a, fminf(b, c)) + REACH + origin) / cell;
    const double to = ((double)fmaxf(a, fmaxf(b, c)) - REACH + origin) / cell;
    if (!(to >= from && to >= 0 && from < count) || !isfinite(from) || !isfinite(to)) return false;
    *low = from > 0 ? (size_t)from : 0;
    *high = to < count ? (size_t)to : count - 1;
    return true;
}

// Cells looked at for all triangles together: a hostile file has many large ones.
#define LOOKS_MOST ((size_t)1 << 24)

typedef bool (*reach_fn)(agp_checking *c, size_t triangle, size_t cell, void *user,
                         kart_error *error);

// Call for each triangle and each cell that it reaches into.
static bool each_reach(agp_checking *c, reach_fn see, void *user, kart_error *error) {
    const agp_grid *g = &c->doc->grid;
    size_t looks = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t low[2], high[2];
        if (!kart_ctx_step_at(c->doc->ctx, i, c->count, error)) return false;
        if (!touched(g, &c->triangles[i], 0, &low[0], &high[0]) ||
            !touched(g, &c->triangles[i], 1, &low[1], &high[1]))
            continue;
        looks += (high[0] - low[0] + 1) * (high[1] - low[1] + 1);
        if (looks > LOOKS_MOST) return true;
        for (size_t row = low[1]; row <= high[1]; row++)
            for (size_t column = low[0]; column <= high[0]; column++) {
                rectangle r = cell_rectangle(g, column, row);
                if (reaches(&c->triangles[i], &r) &&
                    !see(c, i, row * g->width + column, user, error))
                    return false;
            }
    }
    return true;
}

static bool hole_see(agp_checking *c, size_t triangle, size_t cell, void *user, kart_error *error) {
    uint32_t *counts = user;
    (void)triangle, (void)error;
    if (c->doc->cells[cell].count[AGP_TRIANGLES] == 0) counts[cell]++;
    return true;
}

bool agp_check_holes(agp_checking *c, kart_error *error) {
    size_t size = c->doc->cells_count * sizeof(uint32_t);
    uint32_t *counts = kart_alloc(c->doc->ctx, size, error);
    bool done = counts && each_reach(c, hole_see, counts, error);
    for (size_t i = 0; done && i < c->doc->cells_count; i++)
        if (counts[i] > 0)
            done =
                agp_report(c, "cells", i, "triangles", error,
                           "it lists no triangle, and %lu reach into it", (unsigned long)counts[i]);
    kart_free(c->doc->ctx, counts, size);
    return done;
}

// The cells of each triangle, ascending.
typedef struct listing {
    uint32_t *starts, *cells;
} listing;

static bool listing_make(const agp_doc *doc, listing *l, kart_error *error) {
    const agp_pool *pool = &doc->pools[AGP_TRIANGLES];
    l->starts = kart_copy(doc->ctx, pool->starts, (pool->count + 1) * sizeof *l->starts, error);
    l->cells = l->starts ? kart_alloc(doc->ctx, pool->places * sizeof *l->cells, error) : NULL;
    if (!l->cells) return false;
    for (size_t i = 0; i < doc->cells_count; i++)
        for (size_t k = 0; k < doc->cells[i].count[AGP_TRIANGLES]; k++)
            l->cells[l->starts[pool->list[doc->cells[i].first[AGP_TRIANGLES] + k]]++] = (uint32_t)i;
    memcpy(l->starts, pool->starts, (pool->count + 1) * sizeof *l->starts);
    return true;
}

static bool missing_see(agp_checking *c, size_t triangle, size_t cell, void *user,
                        kart_error *error) {
    const listing *l = user;
    size_t low = l->starts[triangle], high = l->starts[triangle + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < l->starts[triangle + 1] && l->cells[low] == cell) return true;
    if (c->doc->cells[cell].count[AGP_TRIANGLES] == 0) return true; // a hole
    return agp_report(c, "cells", cell, "triangles", error,
                      "it doesn't list triangles[%zu], which reaches into it", triangle + 1);
}

bool agp_check_missing(agp_checking *c, kart_error *error) {
    const agp_pool *pool = &c->doc->pools[AGP_TRIANGLES];
    listing l = {0};
    bool done = listing_make(c->doc, &l, error) && each_reach(c, missing_see, &l, error);
    kart_free(c->doc->ctx, l.starts, (pool->count + 1) * sizeof *l.starts);
    kart_free(c->doc->ctx, l.cells, pool->places * sizeof *l.cells);
    return done;
}

bool agp_check_outside(agp_checking *c, kart_error *error) {
    const agp_grid *g = &c->doc->grid;
    for (size_t i = 0; i < c->count; i++) {
        bool out = false;
        for (int k = 0; k < 6; k++) {
            int axis = k % 2;
            double at =
                (double)agp_along(c->triangles[i].corner[k / 2], axis) + (double)g->origin[axis];
            double end = (double)(axis == 0 ? g->width : g->length) * (double)g->cell[axis];
            out = out || at < -REACH || at > end + REACH;
        }
        if (out && !agp_report(c, "triangles", i, "corners", error, "it reaches beyond the grid"))
            return false;
    }
    return true;
}

// --- header -----------------------------------------------------------------------------------

static bool bounds_are_zero(const agp_grid *g) {
    return g->min[0] == 0 && g->min[1] == 0 && g->max[0] == 0 && g->max[1] == 0;
}

bool agp_check_bounds(agp_checking *c, kart_error *error) {
    const agp_grid *g = &c->doc->grid;
    if (bounds_are_zero(g) || c->count == 0) return true;
    for (int axis = 0; axis < 2; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < 3 * c->count; i++) {
            float at = agp_along(c->triangles[i / 3].corner[i % 3], axis);
            low = fminf(low, at);
            high = fmaxf(high, at);
        }
        if (g->min[axis] == low && g->max[axis] == high) continue;
        if (!agp_report(c, "", KART_NO_INDEX, "", error,
                        "bounds along %c: %g to %g, the triangles reach from %g to %g", "xz"[axis],
                        (double)g -> min[axis], (double)g -> max[axis], (double)low, (double)high))
            return false;
    }
    return true;
}

bool agp_check_origin(agp_checking *c, kart_error *error) {
    const agp_grid *g = &c->doc->grid;
    if (bounds_are_zero(g)) return true;
    for (int axis = 0; axis < 2; axis++)
        if (g->origin[axis] != -g->min[axis] &&
            !agp_report(c, "", KART_NO_INDEX, "", error,
                        "the grid begins at %c %g, the bounds at %g", "xz"[axis],
                        -(double)g->origin[axis], (double)g->min[axis]))
            return false;
    return true;
}
