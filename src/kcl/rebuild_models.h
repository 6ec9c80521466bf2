// Internal to src/kcl: octrees of files of version 2 built anew.
#ifndef KCL_REBUILD_MODELS_H
#define KCL_REBUILD_MODELS_H

#include "kcl/rebuild.h"

// Build the octrees of all models anew, which keep their prisms, and their cells of the first
// octree. Triangles that can be touched from a model's cells and that it hasn't are copied into it,
// behind its own; an empty cell from which some can be touched gets the model that has the most of
// them. Both with a warning. Errors as of kcl_octree_build, and limit where a model can't hold its
// copies or prisms can be touched from beyond the first octree.
bool kcl_models_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error);

// Share the triangles out to models anew, each with its numbers as they are. Their indices over all
// models follow their order by the old ones. All models get the thickness and the radius of
// the first one.
bool kcl_models_split(kcl_doc *doc, const kcl_build_options *options, kart_error *error);

#endif
