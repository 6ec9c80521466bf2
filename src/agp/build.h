// Collision files from triangles.
#ifndef AGP_BUILD_H
#define AGP_BUILD_H

#include "agp/agp.h"

#define AGP_CELL_USUAL 100.0 // edge of the cells in every file known [F]

// What a triangle can't stand in a file for.
typedef enum agp_fault {
    AGP_FAULT_NONE,
    AGP_FAULT_NOT_FINITE, // a coordinate is no number, or beyond floats
    AGP_FAULT_NO_AREA     // in floats, its corners are on one line
} agp_fault;
const char *agp_fault_text(agp_fault fault);

typedef struct agp_build_input {
    const kart_vec3 (*corners)[3]; // counter-clockwise seen from above
    const uint32_t *flags;         // NULL: 1, which is the game's usual surface
    size_t count;
} agp_build_input;

typedef struct agp_build_options {
    double cell; // edge of a cell along x and z; 0: AGP_CELL_USUAL
    bool drop;   // leave out triangles with a fault; else one is an error
} agp_build_options;

typedef struct agp_build_report {
    size_t dropped;
    agp_fault *faults; // of each triangle; freed with kart_free(ctx, faults, count * size)
} agp_build_report;

// A document of the triangles, in their order, by the rules of the game's own files:
//
// - Corners are rounded to floats. Edges are unit directions in space, the normal that of corners
//   0, 1, 2; the distance is that of corner 0, with the normal as it was rounded.
// - An edge is open when no other triangle has it, by the exact places of its ends. Each open edge
//   makes a wall.
// - The grid begins at the least x and z and has as many cells as reach the greatest ones, rounded
//   up. A triangle is listed in each cell that its bounding box touches, both ends included, which
//   are found in floats, as the game does it: what stands exactly on a line between cells is in
//   the one behind it, and, beyond the last one, in the last. The game finds nothing there: on the
//   far border of a course whose extent is a whole number of cells there is no ground.
// - A wall is listed wherever its triangle is, in the order of triangles, then edges.
// - Layout: see agp_layout in agp/layout.h.
//
// NULL with error format (a triangle with a fault, unless they are dropped), unsupported (nothing
// to build of), limit (too many cells or records), memory or cancelled.
agp_doc *agp_build(kart_ctx *ctx, const agp_build_input *input, const agp_build_options *options,
                   agp_build_report *report, kart_error *error);

#endif
