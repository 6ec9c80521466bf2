// Internal to src/kcl: writing a model, with an octree over its prisms.
#ifndef KCL_MODEL_H
#define KCL_MODEL_H

#include "core/bytes.h"
#include "kcl/split.h"

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

// Write a file of version 2: its header, the octree over the parts, a model for each of them. Of
// `input` the choice and the place are not looked at. `sum` gets what the octrees are in all, and
// the longest list.
bool kcl_models_write(const kcl_draft *draft, const kcl_split *split, const kcl_model_input *input,
                      kart_writer *writer, kcl_octree *sum, kart_error *error);

// The bytes behind the header of a document's only model. Those of version 2 belong to models that
// come to be others: none.
kcl_range kcl_extra_find(const kcl_doc *doc);

// What stands behind a model's own entries.
typedef struct kcl_additions {
    kcl_pool positions, normals;
    kart_writer prisms;
} kcl_additions;

// Write a model of a document as it is, but for its octree, where the writer stands. An octree that
// doesn't stand last leaves no gap. `added`: may be NULL. (model_copy.c)
void kcl_sections_copy(const kcl_doc *doc, const kcl_model *model, const kcl_additions *added,
                       kart_writer *writer);

// Write the octree behind it; the model starts at `start`.
void kcl_octree_append(const kcl_format *format, const kcl_octree *octree, size_t start,
                       kart_writer *writer);

// Say of a budget that can't be met that it is a model's share of `budget`. Returns false.
bool kcl_share_fail(kart_error *error, size_t model, size_t models, size_t budget);

// The largest thickness and radius of the models of a document, which may both be NULL. True if the
// models differ in one.
bool kcl_limits_find(const kcl_doc *doc, double *thickness, double *radius);
bool kcl_limits_warn(kcl_doc *doc, bool differ, kart_error *error); // if they do

// The bytes of these become those of a model of the file `data`, whatever they are.
void kcl_limits_keep(const kcl_doc *doc, kcl_model *model, uint8_t *data);

// The numbers of an octree in the header of its model, at `header`.
void kcl_octree_store(const kcl_format *format, const kcl_octree *octree, uint8_t *header);

#endif
