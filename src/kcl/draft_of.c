// Prisms of a document as a draft, each with its numbers as they are.
#include "kcl/draft.h"
#include "kcl/same.h"

#include <stdlib.h>
#include <string.h>

// A prism that is drafted, and which triangle it is.
typedef struct item {
    uint32_t triangle, prism;
} item;

static int item_compare(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->triangle != y->triangle) return x->triangle > y->triangle ? 1 : -1;
    return (x->prism > y->prism) - (x->prism < y->prism);
}

// Which prisms are drafted: of each triangle, as often as the model has it that has it most, so
// that what a model has twice stays twice.
static bool items_choose(const kcl_doc *doc, const kcl_same *same, const uint8_t *gone, item *items,
                         size_t *count, kart_error *error) {
    size_t bytes = same->triangles_count * sizeof(uint32_t), prism = 0;
    uint32_t *most = kart_alloc(doc->ctx, bytes, error); // times a model had it
    uint32_t *here = most ? kart_alloc(doc->ctx, bytes, error) : NULL;
    *count = 0;
    for (size_t m = 0; here && m < doc->models_count; m++) {
        const kcl_model *model = &doc->models[m];
        for (size_t i = 0; i < model->prisms_count; i++) here[same->number[prism + i]] = 0;
        for (size_t i = 0; i < model->prisms_count; i++, prism++) {
            uint32_t triangle = same->number[prism];
            if ((gone && gone[triangle]) || ++here[triangle] <= most[triangle]) continue;
            most[triangle]++;
            items[(*count)++] = (item){triangle, (uint32_t)prism};
        }
    }
    kart_free(doc->ctx, here, bytes);
    kart_free(doc->ctx, most, bytes);
    return here != NULL;
}

static bool prism_draft(const kcl_doc *doc, size_t prism, kcl_draft *d, size_t *unsound,
                        kart_error *error) {
    size_t in_model;
    const kcl_model *model = kcl_model_of(doc, prism, &in_model);
    const kcl_prism p = kcl_prism_get(doc, model, in_model);
    const uint8_t *positions = doc->data + model->positions.start,
                  *normals = doc->data + model->normals.start;
    kcl_draft_prism *out = &d->prisms[d->count];
    *out = (kcl_draft_prism){.flag = p.flag, .triangle = (uint32_t)d->count};
    memcpy(out->height, doc->data + model->prisms.start + in_model * kcl_prism_size(doc->format),
           4);
    size_t number =
        kcl_pool_add(d->ctx, &d->positions, positions + p.position * d->positions.entry, error);
    out->position = (uint32_t)number;
    for (size_t i = 0; number != SIZE_MAX && i < KCL_NORMALS; i++) {
        number = kcl_pool_add(d->ctx, &d->normals, normals + p.normal[i] * d->normals.entry, error);
        out->normal[i] = (uint32_t)number;
    }
    *unsound += !kcl_corners_get(doc, model, in_model, d->corners[d->count++]);
    return number != SIZE_MAX;
}

bool kcl_draft_of(const kcl_doc *doc, const kcl_same *same, const uint8_t *gone, kcl_draft *draft,
                  size_t *unsound, kart_error *error) {
    size_t count = 0, bytes = doc->prisms_count * sizeof(item);
    *unsound = 0;
    if (!kcl_draft_init(doc->ctx, draft, doc->format, doc->prisms_count, error)) return false;
    item *items = kart_alloc(doc->ctx, bytes, error);
    bool done = items && items_choose(doc, same, gone, items, &count, error);
    if (done && count > 0) qsort(items, count, sizeof *items, item_compare);
    for (size_t i = 0; done && i < count; i++)
        done = (i % 1024 != 0 || kart_ctx_step(doc->ctx, 0, error)) &&
               prism_draft(doc, items[i].prism, draft, unsound, error);
    kart_free(doc->ctx, items, bytes);
    return done;
}
