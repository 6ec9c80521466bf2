#include "kcl/rebuild.h"

#include "kcl/model.h"
#include "kcl/octree.h"

#include <string.h>

// Of the bytes of the octree that is replaced.
static const double share[] = {[KCL_BALANCED] = 0.98, [KCL_SIZE] = 0.69, [KCL_SPEED] = 0};

// Defaults that come from the octree that was there.
static bool options_set(const kcl_doc *doc, const kcl_build_options *options,
                        kcl_build_options *out, kart_error *error) {
    const kcl_model *model = doc->models;
    *out = options ? *options : (kcl_build_options){0};
    if (doc->stale) return true;
    kcl_stats stats;
    if (!kcl_stats_get(doc, &stats, error)) return false;
    if (out->longest == 0 && stats.longest_list < KCL_LONGEST) out->longest = stats.longest_list;
    if (out->budget == 0)
        out->wanted =
            (size_t)(share[out->goal] * (double)(model->octree.end - model->octree.start));
    return true;
}

// --- bytes ------------------------------------------------------------------------------------

// Where the sections but for the octree end, each after what was before the octree: what stood
// behind it moves up.
static size_t section_end(const kcl_model *model) {
    const kcl_range *ranges[] = {&model->positions, &model->normals, &model->prisms};
    size_t end = 0;
    for (size_t i = 0; i < 3; i++)
        if (ranges[i]->end > end) end = ranges[i]->end;
    return end;
}

// The file with its new octree. An octree that stood between other sections leaves a gap there:
// their offsets stay.
static uint8_t *file_write(const kcl_doc *doc, const kcl_octree *octree, size_t *size,
                           kart_error *error) {
    const kcl_model *model = doc->models;
    size_t end = section_end(model);
    kart_writer writer = kart_writer_make(doc->ctx, doc->format->big);
    kart_write_bytes(&writer, doc->data, model->octree.start >= end ? model->octree.start : end);
    kart_write_zeros(&writer, (4 - writer.size % 4) % 4);
    size_t place = writer.size;
    kart_write_bytes(&writer, octree->bytes, octree->size);
    if (!writer.failed) {
        kart_store_u32(writer.data + 0x0C, doc->format->big, (uint32_t)place);
        kcl_octree_store(doc->format, octree, writer.data);
    }
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
    size_t end = section_end(doc->models);
    const void *user[2] = {doc, &end};
    kcl_octree_walk(doc, doc->models, list_see, user);
    return doc->size - end;
}

// --- the document -----------------------------------------------------------------------------

static bool corners_get(const kcl_doc *doc, kart_vec3 (*corners)[3], size_t *unsound) {
    const kcl_model *model = doc->models;
    *unsound = 0;
    for (size_t i = 0; i < model->prisms_count; i++) {
        kcl_prism prism = kcl_prism_get(doc, model, i);
        kcl_soundness soundness = kcl_prism_triangle(doc, model, &prism, corners[i]);
        if (soundness == KCL_SOUND || soundness == KCL_INVERTED) continue;
        corners[i][1] = corners[i][2] = corners[i][0]; // no area: in no list
        ++*unsound;
    }
    return true;
}

void kcl_take(kcl_doc *doc, kcl_doc *fresh) {
    kcl_doc old = *doc;
    *doc = *fresh;
    *fresh = old;
    kart_findings warnings = doc->warnings;
    doc->warnings = fresh->warnings;
    fresh->warnings = warnings;
    doc->guessed = old.guessed;
}

static bool run(kcl_doc *doc, const kcl_build_options *options, kart_vec3 (*corners)[3],
                kart_error *error) {
    size_t unsound, size = 0, tail = tail_size(doc);
    const kcl_model *model = doc->models;
    kcl_octree octree;
    corners_get(doc, corners, &unsound);
    const kcl_build_input input = {(const kart_vec3(*)[3])corners, model->prisms_count,
                                   model->thickness, model->radius, NULL};
    if (!kcl_octree_build(doc->ctx, doc->format, &input, options, &octree, error)) return false;
    uint8_t *bytes = file_write(doc, &octree, &size, error);
    kcl_octree_free(doc->ctx, &octree);
    kcl_doc *fresh = bytes ? kcl_parse(doc->ctx, bytes, size, doc->format->game, error) : NULL;
    kart_free(doc->ctx, bytes, size);
    if (!fresh) return false;
    bool done = unsound == 0 ||
                kcl_warn(doc, KART_WARNING, "prism-unlisted", KART_NO_INDEX, "", error,
                         "%zu prisms are no triangle: the new octree doesn't list them", unsound);
    // A few bytes fill the file up.
    done =
        done && (tail < 32 || kcl_warn(doc, KART_WARNING, "tail-dropped", KART_NO_INDEX, "", error,
                                       "%zu bytes behind the old octree are left out", tail));
    if (done) kcl_take(doc, fresh);
    kcl_free(fresh);
    return done;
}

bool kcl_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    if (doc->format->v2)
        return kart_fail(error, KART_UNSUPPORTED, "octrees of %s can't be built yet",
                         doc->format->title);
    kcl_build_options filled;
    if (!options_set(doc, options, &filled, error)) return false;
    size_t bytes = doc->models->prisms_count * sizeof(kart_vec3[3]);
    kart_vec3(*corners)[3] = kart_alloc(doc->ctx, bytes, error);
    if (!corners) return false;
    bool done = run(doc, &filled, corners, error);
    kart_free(doc->ctx, corners, bytes);
    return done;
}
