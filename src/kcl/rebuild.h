// Octrees of documents built anew, proved and measured.
#ifndef KCL_REBUILD_H
#define KCL_REBUILD_H

#include "kcl/build.h"

// Build the octree of the document anew. Positions, normals, prisms and whatever stands behind the
// header keep their bytes; the header's area follows. An octree that isn't the last section comes
// to stand last; bytes behind the last section are dropped, with a warning. Prisms that are no
// triangle are in no list, with a warning.
//
// Defaults that come from the octree that is replaced, unless the document is stale: no list is
// longer than its longest, nor than KCL_LONGEST; KCL_BALANCED takes at most 98 % of its bytes,
// KCL_SIZE 69 %.
//
// All or nothing. Errors as of kcl_octree_build; unsupported for files of version 2.
bool kcl_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error);

// Make the prisms anew from the corners of the sound ones, mapped by any map with an inverse; the
// octree is stale then. Flags, order, thickness, radius and what stands behind the header stay.
// Prisms that are no triangle are left out, and corners that come out visibly elsewhere are told:
// with warnings. Errors limit (beyond KCL_SPACE_LIMIT; more positions or normals than 16 bits
// count), unsupported (no sound prism), memory, cancelled. Not for files of version 2.
bool kcl_remake(kcl_doc *doc, const kart_affine *map, kart_error *error);

// The document takes over all of another one but for its warnings; that one gets what it had.
void kcl_take(kcl_doc *doc, kcl_doc *fresh);

typedef struct kcl_missing {
    size_t prism; // in its model
    kcl_leaf leaf;
    double distance; // of the triangle from the cell; 0 where the extruded prism meets it
} kcl_missing;

#define KCL_MISSING_SHOWN 16

typedef struct kcl_proof {
    size_t leaves, ids; // looked at
    size_t missing;     // pairs of a leaf and a prism that it must list and doesn't
    size_t outside;     // prisms that can be touched from beyond the octree's area
    kcl_missing first[KCL_MISSING_SHOWN];
} kcl_proof;

// Hold every leaf of a model against all its prisms: each one whose triangle is at most the
// header's radius away, or whose extruded prism meets the cell, must be listed; and nothing of that
// may lie outside of the area. By another computation than the builder's: distances of corners,
// edges and faces, and polyhedra cut down to what they share. Prisms that are no triangle are left
// aside. False with error memory or cancelled.
bool kcl_leaves_prove(const kcl_doc *doc, const kcl_model *model, kcl_proof *proof,
                      kart_error *error);

// Prisms that a lookup tests: the length of the list of a place, 0 outside of the area.
typedef struct kcl_length {
    double mean;
    size_t longest; // that was come upon
} kcl_length;

typedef struct kcl_lengths {
    size_t samples;
    kcl_length by_area, by_prism;
} kcl_lengths;

// Over places near the sound triangles, up to KCL_NEAR_REACH away: `samples` by area, where each
// square unit of surface is as likely as any other, and as many by prism, where each prism is. The
// same seed gives the same places. False with error memory or cancelled.
bool kcl_lengths_get(const kcl_doc *doc, size_t samples, uint64_t seed, kcl_lengths *lengths,
                     kart_error *error);

#endif
