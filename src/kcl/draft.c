#include "kcl/draft.h"

#include "kcl/shape.h"

#include <string.h>

bool kcl_draft_init(kart_ctx *ctx, kcl_draft *draft, const kcl_format *format, size_t most,
                    kart_error *error) {
    *draft = (kcl_draft){.ctx = ctx, .format = format, .capacity = most};
    draft->prisms = kart_alloc(ctx, most * sizeof *draft->prisms, error);
    draft->corners = draft->prisms ? kart_alloc(ctx, most * sizeof *draft->corners, error) : NULL;
    return draft->corners &&
           kcl_pool_init(ctx, &draft->positions, kcl_position_size(format), error) &&
           kcl_pool_init(ctx, &draft->normals, kcl_normal_size(format), error);
}

void kcl_draft_free(kcl_draft *draft) {
    kart_ctx *ctx = draft->ctx;
    kcl_pool_free(ctx, &draft->positions);
    kcl_pool_free(ctx, &draft->normals);
    kart_free(ctx, draft->prisms, draft->capacity * sizeof *draft->prisms);
    kart_free(ctx, draft->corners, draft->capacity * sizeof *draft->corners);
}

static bool shape_add(kcl_draft *draft, const kcl_shape *s, uint16_t flag, size_t triangle,
                      kart_error *error) {
    kcl_draft_prism *prism = &draft->prisms[draft->count];
    *prism = (kcl_draft_prism){.triangle = (uint32_t)triangle, .flag = flag};
    memcpy(prism->height, s->height, 4);
    size_t number = kcl_pool_add(draft->ctx, &draft->positions, s->position, error);
    prism->position = (uint32_t)number;
    for (size_t i = 0; number != SIZE_MAX && i < KCL_NORMALS; i++) {
        number = kcl_pool_add(draft->ctx, &draft->normals, s->normal[i], error);
        prism->normal[i] = (uint32_t)number;
    }
    if (number == SIZE_MAX) return false;
    memcpy(draft->corners[draft->count++], s->corner, sizeof s->corner);
    return true;
}

bool kcl_draft_add(kcl_draft *draft, const kcl_make_input *input, double max_error,
                   kcl_make_report *r, kart_error *error) {
    for (size_t i = 0; i < input->count; i++) {
        kcl_shape s;
        if (i % 1024 == 0 && !kart_ctx_step(draft->ctx, 0, error)) return false;
        r->faults[i] = kcl_shape_make(draft->format, input->corners[i], max_error, &s);
        if (r->faults[i] != KCL_FAULT_NONE) {
            r->dropped++;
            continue;
        }
        r->visible += s.error > KCL_ROUNDING_VISIBLE;
        if (s.error > r->worst) {
            r->worst = s.error;
            r->worst_at = i;
        }
        if (!shape_add(draft, &s, input->flags ? input->flags[i] : 0, i, error)) return false;
    }
    return true;
}

bool kcl_corners_get(const kcl_doc *doc, const kcl_model *model, size_t in_model,
                     kart_vec3 corner[3]) {
    kcl_prism prism = kcl_prism_get(doc, model, in_model);
    kcl_soundness soundness = kcl_prism_triangle(doc, model, &prism, corner);
    if (soundness == KCL_SOUND || soundness == KCL_INVERTED) return true;
    corner[1] = corner[2] = corner[0];
    return false;
}
