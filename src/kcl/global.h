// Internal to src/kcl: cells of the octree over the models, with what reaches them.
#ifndef KCL_GLOBAL_H
#define KCL_GLOBAL_H

#include "kcl/build.h"

typedef struct kcl_global_cell {
    kcl_box box;  // the places that come to it; the first cells begin 1 below the space, as the
                  // fraction is cut off
    size_t model; // SIZE_MAX: nothing
    size_t at;    // offset of its word in the file
} kcl_global_cell;

// `reaching`: those of the boxes that meet the cell, ascending.
typedef bool (*kcl_global_fn)(void *user, const kcl_global_cell *cell, const uint32_t *reaching,
                              size_t count);

// Visit every cell of a file of version 2. Returns false if `visit` ended it, or with error memory,
// limit or cancelled.
bool kcl_global_walk(const kcl_doc *doc, const kcl_box *boxes, size_t count, kcl_global_fn visit,
                     void *user, kart_error *error);

static inline bool kcl_boxes_meet(const kcl_box *a, const kcl_box *b) {
    for (int i = 0; i < 3; i++)
        if (!(a->low[i] <= b->high[i] && a->high[i] >= b->low[i])) return false;
    return true;
}

#endif
