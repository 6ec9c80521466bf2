// Internal to src/kcl: mirror images of octrees, along axis 0 (x) or 2 (z), at 0.
//
// The octree of a mirror image is the mirror image of the octree: lists stay, words of the root
// grid and of every group change places, the area begins where its far end was. Both fail with
// error unsupported where groups overlap, limit or memory; then the document is spoilt.
#ifndef KCL_FLIP_H
#define KCL_FLIP_H

#include "kcl/kcl.h"

// A model's. Where the root grid is none that can be mirrored the document becomes stale.
bool kcl_octree_flip(kcl_doc *doc, kcl_model *model, int axis, kart_error *error);

// V2: the one over the models, with the header's bounds.
bool kcl_global_flip(kcl_doc *doc, int axis, kart_error *error);

#endif
