// The triangles of a document, taken to models anew, each with its numbers as they are.
#include "kcl/rebuild_models.h"

#include "kcl/draft_write.h"
#include "kcl/same.h"

// A document of the draft takes the place of the old one.
static bool draft_take(kcl_doc *doc, const kcl_draft *d, const kcl_build_options *options,
                       bool later, kart_error *error) {
    const kcl_range extra = kcl_extra_find(doc);
    kcl_model_input input = {.extra = doc->data + extra.start,
                             .extra_size = extra.end - extra.start,
                             .later = later,
                             .octree = options};
    bool differ = kcl_limits_find(doc, &input.thickness, &input.radius);
    kcl_written written;
    size_t size = 0;
    uint8_t *bytes = kcl_draft_write(d, &input, &size, &written, error);
    kcl_doc *fresh = bytes ? kcl_parse(doc->ctx, bytes, size, doc->format->game, error) : NULL;
    kart_free(doc->ctx, bytes, size);
    if (!fresh) return false;
    for (size_t m = 0; m < fresh->models_count; m++)
        kcl_limits_keep(doc, &fresh->models[m], fresh->data);
    fresh->stale = later;
    bool done = kcl_limits_warn(doc, differ, error);
    if (done) kcl_take(doc, fresh);
    kcl_free(fresh);
    return done;
}

bool kcl_models_split(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    kcl_same same;
    kcl_draft draft = {.ctx = doc->ctx};
    size_t unsound;
    bool done = kcl_same_find(doc, &same, error) &&
                kcl_draft_of(doc, &same, NULL, &draft, &unsound, error) &&
                draft_take(doc, &draft, options, false, error) &&
                kcl_unlisted_warn(doc, unsound, error);
    kcl_draft_free(&draft);
    kcl_same_free(&same);
    return done;
}

bool kcl_prisms_remove(kcl_doc *doc, const uint8_t *chosen, size_t *removed, kart_error *error) {
    const kcl_build_options options = {.goal = KCL_BALANCED};
    kcl_same same;
    kcl_draft draft = {.ctx = doc->ctx};
    size_t unsound, before = doc->prisms_count;
    bool done = kcl_same_find(doc, &same, error);
    uint8_t *gone = done ? kart_alloc(doc->ctx, same.triangles_count, error) : NULL;
    for (size_t i = 0; gone && i < doc->prisms_count; i++)
        if (chosen[i]) gone[same.number[i]] = 1;
    *removed = 0;
    if (gone) *removed = same.triangles_count;
    for (size_t i = 0; gone && i < same.triangles_count; i++) *removed -= !gone[i];
    done = gone && (*removed == 0 ||
                    (kcl_draft_of(doc, &same, gone, &draft, &unsound, error) &&
                     (draft.count > 0 || kart_fail(error, KART_UNSUPPORTED,
                                                   "none of %zu prisms would be left", before)) &&
                     draft_take(doc, &draft, &options, true, error)));
    kart_free(doc->ctx, gone, same.triangles_count);
    kcl_draft_free(&draft);
    kcl_same_free(&same);
    return done;
}
