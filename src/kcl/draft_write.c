#include "kcl/draft_write.h"

// A file of one model, with all prisms in their order.
static bool model_write(const kcl_draft *d, const kcl_model_input *input, kart_writer *w,
                        kcl_written *out, kart_error *error) {
    if (!kcl_model_fits(d->count, d->positions.count, d->normals.count, error)) return false;
    uint32_t *chosen = kart_alloc(d->ctx, d->count * sizeof *chosen, error);
    for (size_t i = 0; chosen && i < d->count; i++) chosen[i] = (uint32_t)i;
    kcl_model_input all = *input;
    all.chosen = chosen;
    all.count = d->count;
    out->models = 1;
    bool done = chosen && kcl_model_write(d, &all, w, &out->octree, error);
    kart_free(d->ctx, chosen, d->count * sizeof *chosen);
    return done;
}

static bool models_write(const kcl_draft *d, const kcl_model_input *input, kart_writer *w,
                         kcl_written *out, kart_error *error) {
    const kcl_split_limits limits = kcl_split_limits_of(input->octree);
    kcl_split split;
    bool done = input->later
                    ? kcl_split_plain(&split, d, &limits, error)
                    : kcl_split_make(&split, d, input->thickness, input->radius, &limits, error);
    done = done && kcl_models_write(d, &split, input, w, &out->octree, error);
    out->models = split.parts_count;
    for (size_t i = 0; i < split.parts_count; i++) out->copies += split.parts[i].count;
    out->copies -= d->count;
    kcl_split_free(&split);
    return done;
}

uint8_t *kcl_draft_write(const kcl_draft *d, const kcl_model_input *input, size_t *size,
                         kcl_written *out, kart_error *error) {
    *out = (kcl_written){.models = 0};
    kart_writer w = kart_writer_make(d->ctx, d->format->big);
    bool written = (d->format->v2 ? models_write : model_write)(d, input, &w, out, error);
    uint8_t *bytes = written ? kart_writer_take(&w, size, error) : NULL;
    kart_writer_free(&w);
    return bytes;
}
