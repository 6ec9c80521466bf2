// Lookups as Mario Kart Wii computes them: which prisms a point or a sphere touches, and how deep.
//
// The engine takes the one cell of the octree that the point is in, walks its list and tests prism
// after prism. Answers are the engine's bit for bit: single precision in its order of operations,
// its processor's square root (kcl/console.h). A list that lacks a prism makes the engine blind to
// it, and this lookup, too; kcl/verify.h finds such places.
//
// Other games: the same rule on the file's own numbers. Files of version 2 take the model of the
// point from the global octree. For Mario Kart 8, 7 and DS no public source tells whether their
// engines go by this rule, by that of kcl/galaxy.h or by another one.
//
// Every input has an answer. A point that isn't finite, or lies 2^31 units or more from the area's
// minimum, is outside of it: it touches nothing, and neither does a radius that is no number. A
// `from` that isn't finite makes the test a static one. Denormal numbers are numbers. A comparison
// with what is no number rejects nothing, as in the engine: so a prism whose edges aren't finite
// may be hit wherever its list is walked, and a depth may be no number.
//
// Source: public decompilations of the engine, checked against answers of an independent
// reimplementation.
#ifndef KCL_LOOKUP_H
#define KCL_LOOKUP_H

#include "kcl/kcl.h"

// What a hit touches: the face, an edge, or the corner of two edges.
typedef enum kcl_region {
    KCL_REGION_FACE,
    KCL_REGION_CA, // in the order of a prism's normals
    KCL_REGION_AB,
    KCL_REGION_BC,
    KCL_REGION_A,
    KCL_REGION_B,
    KCL_REGION_C,
    KCL_REGIONS
} kcl_region;

const char *kcl_region_name(kcl_region region); // "face", "ca" ... "a" ...

// Every type of surface, in kcl_query.types.
#define KCL_TYPES_ALL UINT32_MAX

typedef struct kcl_query {
    float point[3];
    float radius;   // of a sphere; a point has none. Capped by the model's, where that is above 0
    bool moving;    // `from` is where it was a step before
    float from[3];  // else the static test is made
    uint32_t types; // bit n: surfaces of type n count (kcl_flag_type)
} kcl_query;

typedef struct kcl_hit {
    uint32_t prism;  // over all models
    float depth;     // how far along the normal the sphere or point must go to be free
    float normal[3]; // of the face, as the file has it
    uint16_t flag;
    uint8_t region; // a kcl_region; always the face for points
} kcl_hit;

// Hits in the order in which the engine reports them: that of the list.
typedef struct kcl_hits {
    kart_ctx *ctx; // for more room; NULL: there is none beyond the capacity (error limit)
    kcl_hit *items;
    size_t count, capacity;
    size_t tested; // prisms looked at: the work that was done, without a clock
} kcl_hits;

void kcl_hits_free(kcl_hits *hits);

// The prisms of a document as the lookups need them: floats, one beside the other.
typedef struct kcl_lookup kcl_lookup;

// The document's table, made at the first call and kept until the document changes its prisms or is
// freed. It reads cells and flags from the document. A stale octree is built first. NULL with error
// memory, limit, cancelled, or as of kcl_rebuild.
const kcl_lookup *kcl_lookup_of(kcl_doc *doc, kart_error *error);
void kcl_lookup_free(kcl_lookup *lookup); // NULL is ignored
size_t kcl_lookup_memory(const kcl_doc *doc);

// Add what the query touches to `hits`. False only with error memory or limit. These read nothing
// but their arguments, so threads may share a table.
typedef bool kcl_lookup_fn(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                           kart_error *error);
kcl_lookup_fn kcl_lookup_point, kcl_lookup_sphere;

// The same test on every prism, past all octrees: what a perfect octree would let the engine find.
// Prisms in file order; copies of a triangle in several models are hit each.
kcl_lookup_fn kcl_lookup_sphere_all;

// The cell that a lookup at this place takes. False outside; else `*model` is the index of the
// cell's model.
bool kcl_cell_at(const kcl_doc *doc, const float point[3], size_t *model, kcl_leaf *leaf);

#endif
