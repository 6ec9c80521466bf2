// Internal to src/kcl: prisms on their way into a file, in its numbers but not yet in its models.
//
// There may be more positions and normals than 16 bits count: they are shared out to models
// (split.h) or made fewer (fit.h) before models are written (model.h).
#ifndef KCL_DRAFT_H
#define KCL_DRAFT_H

#include "kcl/make.h"
#include "kcl/pool.h"

typedef struct kcl_draft_prism {
    uint8_t height[4];                      // as in the file
    uint32_t position, normal[KCL_NORMALS]; // numbers in the pools
    uint32_t triangle; // version 2: its index over all models; from triangles: which one it was
    uint16_t flag;
} kcl_draft_prism;

typedef struct kcl_draft {
    kart_ctx *ctx;
    const kcl_format *format;
    kcl_pool positions, normals;
    kcl_draft_prism *prisms;
    kart_vec3 (*corners)[3]; // of each prism, as the game has them, A first
    size_t count, capacity;
} kcl_draft;

// Room for `most` prisms. False with error memory or limit; to be freed either way.
bool kcl_draft_init(kart_ctx *ctx, kcl_draft *draft, const kcl_format *format, size_t most,
                    kart_error *error);
void kcl_draft_free(kcl_draft *draft);

// Add the prisms of triangles; those with a fault are left out. Fills `faults` (one for each
// triangle), dropped, worst, worst_at and visible of the report. False with error memory, limit or
// cancelled.
bool kcl_draft_add(kcl_draft *draft, const kcl_make_input *input, double max_error,
                   kcl_make_report *report, kart_error *error);

struct kcl_same;

// A draft of the prisms of a document, each triangle once, or as often as a single model has it, in
// the order of `same` (same.h); their indices over all models run from 0. Those of which `gone`
// (one byte for each triangle, may be NULL) is not 0 are left out. `*unsound`: how many are no
// triangle. To be freed either way. (draft_of.c)
bool kcl_draft_of(const kcl_doc *doc, const struct kcl_same *same, const uint8_t *gone,
                  kcl_draft *draft, size_t *unsound, kart_error *error);

// The corners of a prism for builders; false if it is no triangle: then they have no area.
bool kcl_corners_get(const kcl_doc *doc, const kcl_model *model, size_t in_model,
                     kart_vec3 corner[3]);

#endif
