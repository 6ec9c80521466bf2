// Internal to src/kcl: sharing a course out to the models of a file of version 2.
//
// Space is cut in two by planes, again and again, until what can be touched from each part fits
// into one model: by the same exact rule as in lists of cells (solid.h), so a lookup finds all that
// it must in the one model of its place. Triangles near a plane stand in the models on both sides:
// of the planes that need no more models, the one with the fewest such triangles is taken. Planes
// lie where the first octree can have borders of cells.
#ifndef KCL_SPLIT_H
#define KCL_SPLIT_H

#include "kcl/draft.h"
#include "kcl/solid.h"

// What one model holds.
typedef struct kcl_split_limits {
    size_t prisms, pool; // and positions as well as normals
} kcl_split_limits;

static inline kcl_split_limits kcl_split_limits_of(const kcl_build_options *options) {
    size_t prisms = options->model_prisms ? options->model_prisms : KCL_PRISMS_LIMIT;
    return (kcl_split_limits){prisms, KCL_POOL_LIMIT};
}

// A part of space and what can be touched from it.
typedef struct kcl_part {
    kcl_box box;
    kcl_box reach;    // of its triangles; low > high if there are none
    uint32_t *chosen; // prisms of the draft, ascending
    size_t count, capacity;
} kcl_part;

typedef struct kcl_cut {
    int axis;              // of the plane; -1: none, a part
    double plane;          // what is below is `below`
    uint32_t below, above; // cuts; of a part: its number and nothing
} kcl_cut;

typedef struct kcl_split {
    kart_ctx *ctx;
    double min[3], max[3]; // whole numbers that floats hold; where triangles can be touched from
    unsigned shift[3];     // the space is min .. min + 2^shift
    kcl_cut *cuts;         // the first one is that of the whole space
    size_t cuts_count, cuts_capacity;
    kcl_part *parts; // none without triangles, unless there are no others
    size_t parts_count, parts_capacity;
} kcl_split;

// Split the space around the prisms of a draft. To be freed either way. Errors unsupported (wider
// than lookups count), limit (more than fits can be touched from one place; more than
// KCL_MODELS_LIMIT parts), memory or cancelled.
bool kcl_split_make(kcl_split *split, const kcl_draft *draft, double thickness, double radius,
                    const kcl_split_limits *limits, kart_error *error);

// One part after the other, in the order of the prisms, wherever they are: for models that have no
// octree yet. (split_plain.c)
bool kcl_split_plain(kcl_split *split, const kcl_draft *draft, const kcl_split_limits *limits,
                     kart_error *error);
void kcl_split_free(kcl_split *split);

// Write the octree over the parts. (split_write.c)
bool kcl_split_write(const kcl_split *split, kart_writer *writer, kart_error *error);

#endif
