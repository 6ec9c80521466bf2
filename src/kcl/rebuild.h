// Octrees of documents built anew, proved and measured.
#ifndef KCL_REBUILD_H
#define KCL_REBUILD_H

#include "kcl/build.h"

// Build the octrees of the document anew. Positions, normals, prisms and whatever stands behind the
// header keep their bytes; the header's area follows. An octree that isn't the last section comes
// to stand last, without a gap where it was; bytes behind the last section are dropped, with a
// warning. Prisms that are no triangle are in no list, with a warning.
//
// In version 2 models keep their cells of the first octree. Triangles that can be touched from
// there and that a model hasn't are copied into it, behind its own; an empty cell from which some
// can be touched gets the model that has the most of them; both with a warning. Where a model can't
// hold its copies, prisms can be touched from beyond the space of the first octree, or the document
// is stale, triangles are shared out anew, as kcl_split_anew does.
//
// Defaults that come from the octrees that are replaced, unless the document is stale: no list is
// longer than the longest one, nor than KCL_LONGEST; KCL_BALANCED takes at most 98 % of their
// bytes, KCL_SIZE 69 %, unless `longest` is given.
//
// All or nothing. Errors as of kcl_octree_build.
bool kcl_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error);

// Version 2: share the triangles out to models anew (split.h), each with its numbers as they are.
// Their indices over all models run from 0 in the order of the old ones. Bytes behind headers are
// dropped. Files of version 1 are rebuilt.
bool kcl_split_anew(kcl_doc *doc, const kcl_build_options *options, kart_error *error);

// Make the prisms anew from the corners of the sound ones, mapped by any map with an inverse; the
// octree is stale then. Flags, order, thickness, radius and what stands behind the header stay; in
// version 2 copies are left out. Prisms that are no triangle are left out, and corners that come
// out visibly elsewhere are told: with warnings. Errors limit (beyond KCL_SPACE_LIMIT; more normals
// than 16 bits count, and they can't be shared within 1.0 unit), unsupported (no sound prism),
// memory, cancelled.
bool kcl_remake(kcl_doc *doc, const kart_affine *map, kart_error *error);

// Take the chosen prisms out (one byte for each), and all copies of them in other models. The
// others keep their numbers and their order; what no prism uses any more goes, and in version 2
// they go to other models, with indices from 0. The octree is stale then. `*removed`: triangles.
// Errors unsupported (none would be left), memory, cancelled; the document is as it was then.
bool kcl_prisms_remove(kcl_doc *doc, const uint8_t *chosen, size_t *removed, kart_error *error);

// The document takes over all of another one but for its warnings; that one gets what it had.
void kcl_take(kcl_doc *doc, kcl_doc *fresh);

// Warn of prisms that are no triangle, if there are any.
bool kcl_unlisted_warn(kcl_doc *doc, size_t unsound, kart_error *error);

typedef struct kcl_missing {
    size_t prism; // over all models: the first of those that are the triangle
    size_t model; // in which it should be listed
    kcl_leaf leaf;
    double distance; // of the triangle from the cell; 0 where the extruded prism meets it
} kcl_missing;

#define KCL_MISSING_SHOWN 16

typedef struct kcl_proof_options {
    double share;  // of the leaves that are looked at, drawn one by one; 0: all of them
    uint64_t seed; // of the drawing
} kcl_proof_options;

typedef struct kcl_proof {
    size_t leaves, ids; // looked at
    size_t missing;     // pairs of a leaf and a triangle that it must list and doesn't
    size_t outside;     // triangles that can be touched from beyond an octree's area; version 2:
                        // from where the first octree leads to a model whose area ends, or nowhere
    kcl_missing first[KCL_MISSING_SHOWN];
} kcl_proof;

// Hold every leaf against all triangles of the file: each one that is at most the header's radius
// away, or whose extruded prism meets the cell, must be listed; and nothing of that may lie outside
// of the area. In version 2 of each cell that part counts which the first octree leads to. By
// another computation than the builder's: distances of corners, edges and faces, and polyhedra cut
// down to what they share. Prisms that are no triangle are left aside. NULL options: the defaults.
// False with error memory or cancelled.
bool kcl_prove(const kcl_doc *doc, const kcl_proof_options *options, kcl_proof *proof,
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
