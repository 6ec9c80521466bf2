// Internal to src/kcl: whole files from drafts.
#ifndef KCL_DRAFT_WRITE_H
#define KCL_DRAFT_WRITE_H

#include "kcl/model.h"

typedef struct kcl_written {
    kcl_octree octree;     // without bytes; of all models
    size_t models, copies; // version 2: copies of triangles that stand in several models
} kcl_written;

// The bytes of a file of the draft's prisms, to be freed with kart_free; in version 2 of as many
// models as it takes. Of `input` the choice and the place are not looked at. NULL with error limit
// (of version 1: more than one model holds; see kcl_split_make), or as of kcl_octree_build.
uint8_t *kcl_draft_write(const kcl_draft *draft, const kcl_model_input *input, size_t *size,
                         kcl_written *written, kart_error *error);

#endif
