// Internal to src/kcl: which prisms of several models are the same triangle.
//
// Models of version 2 share the triangles near their borders. The index over all models should tell
// copies; in files of some tools it doesn't, and copies begin with another corner or differ in
// their last bits. [F] So they are told by where they are.
#ifndef KCL_SAME_H
#define KCL_SAME_H

#include "kcl/kcl.h"

typedef struct kcl_same {
    kart_ctx *ctx;
    uint32_t *number;  // of each prism, all models counted through: which triangle it is
    uint32_t *example; // of each triangle: the first prism that is it
    size_t prisms_count, triangles_count;
} kcl_same;

// Prisms with the same flag and corners, up to 0.1 units, are the same triangle. In files of one
// model, and where a prism is no triangle, each is one of its own. Triangles are in the order of
// the index over all models, in files of one model in that of the prisms. To be freed either way.
// False with error memory, limit or cancelled.
bool kcl_same_find(const kcl_doc *doc, kcl_same *same, kart_error *error);
void kcl_same_free(kcl_same *same);

#endif
