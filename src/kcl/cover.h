// Internal to src/kcl: few directions that serve many, each within what it may be off.
#ifndef KCL_COVER_H
#define KCL_COVER_H

#include "core/ctx.h"
#include "core/vec.h"

#include <stdint.h>

// What a direction may become: all within 90 degrees of its point whose products with the slabs are
// at most 1.
typedef struct kcl_region {
    kart_vec3 slab[3];
    uint32_t point;
} kcl_region;

typedef struct kcl_cover_input {
    const kart_vec3 *points; // directions, each once
    size_t count;
    const kcl_region *regions; // of each point at least one
    size_t regions_count;
} kcl_cover_input;

// Choose points that serve: `served[region]` is one in the region, or the region's own point. Few
// in all, by a greedy choice: the most narrow regions first, each by the point that serves most of
// those around it. In the end each takes the one that has the least part of its first slab. Gives
// how many serve; SIZE_MAX with error memory, limit or cancelled.
size_t kcl_cover(kart_ctx *ctx, const kcl_cover_input *input, uint32_t *served, kart_error *error);

#endif
