#include "core/grid.h"

#include <string.h>

// Cells are named by whole numbers in doubles: these never overflow. Beyond 2^53 neighbours have
// the same name, and points so far out are equal or far apart.
static size_t cell_slot(const kart_grid *grid, const double cell[3]) {
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        double name = cell[i] + 0.0; // makes -0 a 0
        uint64_t bits;
        memcpy(&bits, &name, sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return (size_t)(hash ^ hash >> 32) & (grid->slots_count - 1);
}

// The cell of a point; `towards` is -1 or 1 for the nearer neighbour along each axis.
static void cell_of(const kart_grid *grid, kart_vec3 at, double cell[3], double towards[3]) {
    const double place[3] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; i++) {
        double scaled = grid->tolerance > 0 ? place[i] / (2 * grid->tolerance) : place[i];
        cell[i] = grid->tolerance > 0 ? floor(scaled) : scaled;
        towards[i] = scaled - cell[i] < 0.5 ? -1 : 1;
    }
}

bool kart_grid_init(kart_ctx *ctx, kart_grid *grid, const kart_vec3 *points, size_t count,
                    double tolerance, kart_error *error) {
    *grid = (kart_grid){.points = points, .tolerance = tolerance, .next_count = count};
    grid->slots_count = 16;
    while (grid->slots_count < count) grid->slots_count *= 2;
    grid->slots = kart_alloc(ctx, grid->slots_count * sizeof *grid->slots, error);
    grid->next = grid->slots ? kart_alloc(ctx, count * sizeof *grid->next, error) : NULL;
    if (grid->next) return true;
    kart_grid_free(ctx, grid);
    return false;
}

void kart_grid_free(kart_ctx *ctx, kart_grid *grid) {
    kart_free(ctx, grid->slots, grid->slots_count * sizeof *grid->slots);
    kart_free(ctx, grid->next, grid->next_count * sizeof *grid->next);
    *grid = (kart_grid){0};
}

void kart_grid_add(kart_grid *grid, uint32_t point) {
    double cell[3], towards[3];
    cell_of(grid, grid->points[point], cell, towards);
    size_t slot = cell_slot(grid, cell);
    grid->next[point] = grid->slots[slot];
    grid->slots[slot] = point + 1;
}

static void chain_search(const kart_grid *grid, size_t slot, kart_vec3 at, uint32_t *best,
                         double *square) {
    for (uint32_t i = grid->slots[slot]; i > 0; i = grid->next[i - 1]) {
        kart_vec3 apart = vec3_sub(grid->points[i - 1], at);
        double found = vec3_dot(apart, apart); // 0 for very small ones, too
        if (grid->tolerance == 0 && (apart.x != 0 || apart.y != 0 || apart.z != 0)) continue;
        if (found < *square || (found == *square && i - 1 < *best)) {
            *best = i - 1;
            *square = found;
        }
    }
}

uint32_t kart_grid_nearest(const kart_grid *grid, kart_vec3 at, double *distance) {
    uint32_t best = KART_NO_POINT;
    double square = grid->tolerance * grid->tolerance, cell[3], towards[3];
    cell_of(grid, at, cell, towards);
    // Within half a cell of a point there are, along each axis, its own cell and the nearer one.
    for (int i = 0; i < (grid->tolerance > 0 ? 8 : 1); i++) {
        const double other[3] = {cell[0] + (i & 1 ? towards[0] : 0),
                                 cell[1] + (i & 2 ? towards[1] : 0),
                                 cell[2] + (i & 4 ? towards[2] : 0)};
        chain_search(grid, cell_slot(grid, other), at, &best, &square);
    }
    if (best != KART_NO_POINT) *distance = sqrt(square);
    return best;
}
