// The triangles of a KCL as a mesh.
#ifndef KCL_MESH_H
#define KCL_MESH_H

#include "core/mesh.h"
#include "kcl/kcl.h"

// A prism has one corner in the file; the other two are computed, and differ a little from prism to
// prism. Most of them are corners of the table, which they are moved to; what is left is joined.
typedef struct kcl_mesh_options {
    double
        snap; // how far a computed corner may be from the position that it becomes; below 0: none
    double weld; // of kart_mesh_weld, after that; below 0: none
} kcl_mesh_options;

// What is taken where the caller says nothing. See docs/mesh.md for what they do to real files.
#define KCL_MESH_SNAP 0.1
#define KCL_MESH_WELD 0.1

typedef struct kcl_mesh_report {
    size_t left_out; // prisms that are no triangle, see kcl_soundness
    size_t copies;   // of triangles that several models have, left out as well
    size_t computed; // corners
    size_t snapped;  // of them, to a position of the file
    double farthest; // that one was moved, in units
    size_t joined;   // positions that welding joined to others
} kcl_mesh_report;

// The sound prisms in their order, corner A first. `options`: NULL for the above. NULL with error
// memory, limit or cancelled.
kart_mesh *kcl_mesh(const kcl_doc *doc, const kcl_mesh_options *options, kcl_mesh_report *report,
                    kart_error *error);

// The tree over these triangles, as kcl_mesh makes them without options: so that no ray slips
// through between two prisms. Triangles are called by their prisms, over all models; of copies the
// first one. Made at the first call, kept until the prisms change. NULL as above.
struct kart_tree *kcl_tree(kcl_doc *doc, kart_error *error);
void kcl_tree_drop(kcl_doc *doc);

#endif
