// Collision files from triangles.
#ifndef KCL_MAKE_H
#define KCL_MAKE_H

#include "kcl/build.h"

// What a triangle can't become a prism for.
typedef enum kcl_fault {
    KCL_FAULT_NONE,
    KCL_FAULT_NOT_FINITE, // a coordinate is no number, or beyond floats
    KCL_FAULT_RANGE,      // a coordinate is beyond the file's numbers
    KCL_FAULT_NO_AREA,    // as the file's numbers have it, the corners are on one line
    KCL_FAULT_FAR // the prism would be elsewhere: its corners come out wrong by more than the most
} kcl_fault;
const char *kcl_fault_text(kcl_fault fault);

typedef struct kcl_make_input {
    const kart_vec3 (*corners)[3]; // counter-clockwise seen from the side that karts touch
    const uint16_t *flags;
    size_t count;
} kcl_make_input;

typedef struct kcl_make_options {
    double thickness, radius; // 0: as the game's own files have; negative radius: 0
    bool drop;                // leave out triangles with a fault; else one is an error
    double max_error;         // most units that a corner may be off; 0: 1.0. Infinite: for what is
                              // rounded; shared normals put none off by more than 1.0 then
    bool later;               // no octree yet: the document is stale
    kcl_range extra;          // bytes of `extra_data` that stand behind the header
    const uint8_t *extra_data;
    kcl_build_options octree;
} kcl_make_options;

typedef struct kcl_make_report {
    size_t dropped;
    kcl_fault
        *faults; // of each triangle of the input; freed with kart_free(ctx, faults, count * size)
    size_t positions, normals;
    double worst; // of all corners: units that the prism's is off
    size_t worst_at;
    size_t models, copies; // version 2: copies of triangles that stand in several models
    size_t visible;        // prisms with a corner that is off by more than KCL_ROUNDING_VISIBLE
    size_t shared;         // version 1: normals that were given up, so that 16 bits count the rest
    double turned;         // by that: most degrees between a prism's face and its triangle,
    double tilted;         // and that an edge normal is off a right angle with its face
    kcl_octree octree;     // without bytes; of all models
} kcl_make_report;

// A document of the triangles, in their order; in version 2 in as many models as it takes
// (split.h), each of which has them in that order, with their number as the index over all models.
// Equal positions and normals are written once. A prism starts at the triangle's first corner if
// that leaves hardly an error, else at the one that leaves the least, and has the height that fits
// the rounded normals best. The octree is built over the prisms as the file has them. In version 1
// more normals than 16 bits count are shared, as little as that takes (fit.h).
//
// NULL with error format (a triangle with a fault, unless they are dropped: the first of them and
// how many there are), limit (more prisms than 16 bits count, and by how many; normals that can't
// be shared within max_error; a mesh beyond the range of the file's numbers), unsupported (nothing
// with an area), memory or cancelled.
kcl_doc *kcl_make(kart_ctx *ctx, const kcl_format *format, const kcl_make_input *input,
                  const kcl_make_options *options, kcl_make_report *report, kart_error *error);

#endif
