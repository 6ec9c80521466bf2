// The triangles of a file of version 2, shared out to models anew.
#include "kcl/rebuild_models.h"

#include "kcl/model.h"
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
static bool items_choose(const kcl_doc *doc, const kcl_same *same, item *items, size_t *count,
                         kart_error *error) {
    size_t bytes = same->triangles_count * sizeof(uint32_t), prism = 0;
    uint32_t *most = kart_alloc(doc->ctx, bytes, error); // times a model had it
    uint32_t *here = most ? kart_alloc(doc->ctx, bytes, error) : NULL;
    *count = 0;
    for (size_t m = 0; here && m < doc->models_count; m++) {
        const kcl_model *model = &doc->models[m];
        for (size_t i = 0; i < model->prisms_count; i++) here[same->number[prism + i]] = 0;
        for (size_t i = 0; i < model->prisms_count; i++, prism++) {
            uint32_t triangle = same->number[prism];
            if (++here[triangle] <= most[triangle]) continue;
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

static bool draft_fill(const kcl_doc *doc, kcl_draft *d, size_t *unsound, kart_error *error) {
    kcl_same same;
    size_t count = 0, bytes = doc->prisms_count * sizeof(item);
    item *items = kart_alloc(doc->ctx, bytes, error);
    bool done =
        kcl_same_find(doc, &same, error) && items && items_choose(doc, &same, items, &count, error);
    if (done) qsort(items, count, sizeof *items, item_compare);
    for (size_t i = 0; done && i < count; i++)
        done = (i % 1024 != 0 || kart_ctx_step(doc->ctx, 0, error)) &&
               prism_draft(doc, items[i].prism, d, unsound, error);
    kcl_same_free(&same);
    kart_free(doc->ctx, items, bytes);
    return done;
}

static uint8_t *file_write(const kcl_doc *doc, const kcl_draft *d, const kcl_build_options *options,
                           size_t *size, kart_error *error) {
    const kcl_split_limits limits = kcl_split_limits_of(options);
    const kcl_model_input input = {
        .thickness = doc->models->thickness, .radius = doc->models->radius, .octree = options};
    kart_writer out = kart_writer_make(doc->ctx, doc->format->big);
    kcl_split split;
    kcl_octree sum;
    bool done = kcl_split_make(&split, d, input.thickness, input.radius, &limits, error) &&
                kcl_models_write(d, &split, &input, &out, &sum, error);
    kcl_split_free(&split);
    uint8_t *bytes = done ? kart_writer_take(&out, size, error) : NULL;
    kart_writer_free(&out);
    return bytes;
}

bool kcl_models_split(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    kcl_draft d;
    size_t unsound = 0, size = 0;
    bool done = kcl_draft_init(doc->ctx, &d, doc->format, doc->prisms_count, error) &&
                draft_fill(doc, &d, &unsound, error);
    uint8_t *bytes = done ? file_write(doc, &d, options, &size, error) : NULL;
    kcl_draft_free(&d);
    kcl_doc *fresh = bytes ? kcl_parse(doc->ctx, bytes, size, doc->format->game, error) : NULL;
    kart_free(doc->ctx, bytes, size);
    if (!fresh) return false;
    for (size_t m = 0; m < fresh->models_count; m++)
        kcl_limits_keep(doc, &fresh->models[m], fresh->data);
    done = kcl_unlisted_warn(doc, unsound, error);
    if (done) kcl_take(doc, fresh);
    kcl_free(fresh);
    return done;
}
