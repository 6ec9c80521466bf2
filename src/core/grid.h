// Points found by place: the nearest one within a tolerance.
#ifndef KART_GRID_H
#define KART_GRID_H

#include "core/ctx.h"
#include "core/vec.h"

#define KART_NO_POINT UINT32_MAX

// A hash table of cells twice as wide as the tolerance. With a tolerance of 0 only equal points are
// found (zeros of either sign are equal).
typedef struct kart_grid {
    const kart_vec3 *points; // the caller's
    double tolerance;
    uint32_t *slots; // first point of a chain + 1, 0 for none
    size_t slots_count;
    uint32_t *next; // of each point, likewise
    size_t next_count;
} kart_grid;

// Make a grid for up to `count` finite points of an array, none of which is in it yet. False with
// error memory or limit; the grid may then be freed, but needn't be.
bool kart_grid_init(kart_ctx *ctx, kart_grid *grid, const kart_vec3 *points, size_t count,
                    double tolerance, kart_error *error);
void kart_grid_free(kart_ctx *ctx, kart_grid *grid);
void kart_grid_add(kart_grid *grid, uint32_t point); // each once

// The nearest of the points that were added, of equally near ones that with the lowest number;
// KART_NO_POINT if none is within the tolerance.
uint32_t kart_grid_nearest(const kart_grid *grid, kart_vec3 at, double *distance);

#endif
