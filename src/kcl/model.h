// Internal to src/kcl: writing a model, with an octree over its prisms.
#ifndef KCL_MODEL_H
#define KCL_MODEL_H

#include "core/bytes.h"
#include "kcl/draft.h"

typedef struct kcl_model_input {
    const uint32_t *chosen; // prisms of the draft, in the order in which they are to stand
    size_t count;           // at least 1
    double thickness, radius;
    const uint8_t *extra; // what stands behind the header
    size_t extra_size;
    bool later; // an octree that lists nothing
    const kcl_box *within;
    const kcl_build_options *octree;
} kcl_model_input;

// Do the prisms fit into one model? If not, error limit: how many prisms, positions or normals are
// too many.
bool kcl_model_fits(size_t prisms, size_t positions, size_t normals, kart_error *error);

// Write the model where the writer stands; its offsets count from there. What `octree` gets has no
// bytes. Errors as of kcl_octree_build, and of kcl_model_fits.
bool kcl_model_write(const kcl_draft *draft, const kcl_model_input *input, kart_writer *writer,
                     kcl_octree *octree, kart_error *error);

// The numbers of an octree in the header of its model, at `header`.
void kcl_octree_store(const kcl_format *format, const kcl_octree *octree, uint8_t *header);

#endif
