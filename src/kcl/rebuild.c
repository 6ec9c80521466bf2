#include "kcl/rebuild.h"

#include "core/tree.h"
#include "kcl/model.h"
#include "kcl/octree.h"
#include "kcl/rebuild_models.h"

#include <string.h>

// Of the bytes of the octree that is replaced.
static const double share[] = {[KCL_BALANCED] = 0.98, [KCL_SIZE] = 0.69, [KCL_SPEED] = 0};

// Defaults that come from the octree that was there.
static bool options_set(const kcl_doc *doc, const kcl_build_options *options,
                        kcl_build_options *out, kart_error *error) {
    *out = options ? *options : (kcl_build_options){0};
    if (doc->stale) return true;
    kcl_stats stats;
    if (!kcl_stats_get(doc, &stats, error)) return false;
    if (stats.longest_list < KCL_LONGEST) out->longest_wanted = stats.longest_list;
    size_t bytes = 0;
    for (size_t m = 0; m < doc->models_count; m++)
        bytes += doc->models[m].octree.end - doc->models[m].octree.start;
    // Short lists at any price and few bytes would work against each other.
    if (out->budget == 0 && out->longest == 0)
        out->wanted = (size_t)(share[out->goal] * (double)bytes);
    return true;
}

// --- bytes ------------------------------------------------------------------------------------

// The file with its new octree.
static uint8_t *file_write(const kcl_doc *doc, const kcl_octree *octree, size_t *size,
                           kart_error *error) {
    kart_writer writer = kart_writer_make(doc->ctx, doc->format->big);
    kcl_sections_copy(doc, doc->models, NULL, &writer);
    kcl_octree_append(doc->format, octree, 0, &writer);
    return kart_writer_take(&writer, size, error);
}

// Where the lists end that a lookup can come to.
static bool list_see(void *user, const kcl_leaf *leaf) {
    const kcl_doc *doc = ((const void **)user)[0];
    size_t *end = ((void **)user)[1], at = leaf->list, id;
    while (kcl_list_next(doc, &at, &id)) {
    }
    if (at + 2 > *end) *end = at + 2;
    return true;
}

// Bytes behind the last section and the last list: real files have up to 160 KB of them. [F]
static size_t tail_size(const kcl_doc *doc) {
    const kcl_model *model = doc->models;
    const size_t ends[] = {model->positions.end, model->normals.end, model->prisms.end};
    size_t end = 0;
    for (size_t i = 0; i < 3; i++)
        if (ends[i] > end) end = ends[i];
    const void *user[2] = {doc, &end};
    kcl_octree_walk(doc, model, list_see, user);
    return doc->size - end;
}

// --- the document -----------------------------------------------------------------------------

void kcl_take(kcl_doc *doc, kcl_doc *fresh) {
    kcl_doc old = *doc;
    *doc = *fresh;
    *fresh = old;
    kart_findings warnings = doc->warnings;
    doc->warnings = fresh->warnings;
    fresh->warnings = warnings;
    doc->guessed = old.guessed;
}

bool kcl_unlisted_warn(kcl_doc *doc, size_t unsound, kart_error *error) {
    return unsound == 0 ||
           kcl_warn(doc, KART_WARNING, "prism-unlisted", KART_NO_INDEX, "", error,
                    "%zu prisms are no triangle: the new octree doesn't list them", unsound);
}

static bool run(kcl_doc *doc, const kcl_build_options *options, kart_vec3 (*corners)[3],
                kart_error *error) {
    size_t unsound = 0, size = 0, tail = tail_size(doc);
    const kcl_model *model = doc->models;
    kcl_octree octree;
    for (size_t i = 0; i < model->prisms_count; i++)
        unsound += !kcl_corners_get(doc, model, i, corners[i]);
    const kcl_build_input input = {(const kart_vec3(*)[3])corners, model->prisms_count,
                                   model->thickness, model->radius, NULL};
    if (!kcl_octree_build(doc->ctx, doc->format, &input, options, &octree, error)) return false;
    uint8_t *bytes = file_write(doc, &octree, &size, error);
    kcl_octree_free(doc->ctx, &octree);
    kcl_doc *fresh = bytes ? kcl_parse(doc->ctx, bytes, size, doc->format->game, error) : NULL;
    kart_free(doc->ctx, bytes, size);
    if (!fresh) return false;
    bool done = kcl_unlisted_warn(doc, unsound, error);
    // A few bytes fill the file up.
    done =
        done && (tail < 32 || kcl_warn(doc, KART_WARNING, "tail-dropped", KART_NO_INDEX, "", error,
                                       "%zu bytes behind the old octree are left out", tail));
    if (done) {
        fresh->tree = kart_tree_share(doc->tree); // prisms stay what they are
        kcl_take(doc, fresh);
    }
    kcl_free(fresh);
    return done;
}

static bool model_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    size_t bytes = doc->models->prisms_count * sizeof(kart_vec3[3]);
    kart_vec3(*corners)[3] = kart_alloc(doc->ctx, bytes, error);
    if (!corners) return false;
    bool done = run(doc, options, corners, error);
    kart_free(doc->ctx, corners, bytes);
    return done;
}

// Models stay, unless they can't hold what is to be copied into them.
static bool models_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    kart_error why;
    if (!doc->stale) {
        if (kcl_models_rebuild(doc, options, &why)) return true;
        if (why.code != KART_LIMIT || options->budget > 0) {
            if (error) *error = why;
            return false;
        }
        return kcl_models_split(doc, options, error) &&
               kcl_warn(doc, KART_WARNING, "models-shared-out", KART_NO_INDEX, "", error,
                        "triangles went to other models: %s", why.what);
    }
    return kcl_models_split(doc, options, error);
}

bool kcl_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    kcl_build_options filled;
    return options_set(doc, options, &filled, error) &&
           (doc->format->v2 ? models_rebuild : model_rebuild)(doc, &filled, error);
}

bool kcl_split_anew(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    kcl_build_options filled;
    return options_set(doc, options, &filled, error) &&
           (doc->format->v2 ? kcl_models_split : model_rebuild)(doc, &filled, error);
}
