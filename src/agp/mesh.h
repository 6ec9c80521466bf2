// Triangles of collision for modelling programs and builders.
#ifndef AGP_MESH_H
#define AGP_MESH_H

#include "agp/agp.h"
#include "core/mesh.h"

// A mesh of all triangles whose corners are finite, in their order, with their flags; equal corners
// are one position (zeros of either sign are equal). `*left_out`: those that aren't finite; a
// warning says so, too. NULL with error memory, limit or cancelled.
kart_mesh *agp_mesh(const agp_doc *doc, size_t *left_out, kart_error *error);

// The tree over the triangles, by their numbers. Made at the first call, kept until corners change,
// and shared by clones. NULL as above.
struct kart_tree *agp_tree(agp_doc *doc, kart_error *error);

#endif
