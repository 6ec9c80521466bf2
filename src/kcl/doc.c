// Life of a document, access to prisms and their flags.
#include "kcl/kcl.h"

#include "core/tree.h"
#include "kcl/lookup.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

kcl_doc *kcl_clone(const kcl_doc *doc, kart_error *error) {
    kcl_doc *copy = kart_alloc(doc->ctx, sizeof *copy, error);
    if (!copy) return NULL;
    *copy = *doc;
    copy->warnings = (kart_findings){0};
    copy->models = NULL;
    copy->lookup = NULL;
    copy->tree = kart_tree_share(doc->tree);
    copy->data = kart_copy(doc->ctx, doc->data, doc->size, error);
    if (copy->data)
        copy->models =
            kart_copy(doc->ctx, doc->models, doc->models_count * sizeof *doc->models, error);
    if (copy->models && kart_findings_copy(doc->ctx, &copy->warnings, &doc->warnings, error))
        return copy;
    kcl_free(copy);
    return NULL;
}

void kcl_free(kcl_doc *doc) {
    if (!doc) return;
    kcl_lookup_free(doc->lookup);
    kart_tree_free(doc->tree);
    kart_free(doc->ctx, doc->data, doc->size);
    kart_free(doc->ctx, doc->models, doc->models_count * sizeof *doc->models);
    kart_findings_free(doc->ctx, &doc->warnings);
    kart_free(doc->ctx, doc, sizeof *doc);
}

size_t kcl_memory(const kcl_doc *doc) {
    return sizeof *doc + doc->size + doc->models_count * sizeof *doc->models +
           doc->warnings.capacity * sizeof *doc->warnings.items;
}

uint8_t *kcl_serialize(const kcl_doc *doc, size_t *size, kart_error *error) {
    *size = 0;
    if (doc->stale) {
        kart_fail(error, KART_STALE, "the octree of this file of %s must be rebuilt first",
                  doc->format->title);
        return NULL;
    }
    uint8_t *bytes = kart_copy(doc->ctx, doc->data, doc->size, error);
    if (bytes) *size = doc->size;
    return bytes;
}

bool kcl_warn(kcl_doc *doc, kart_severity severity, const char *rule, size_t index,
              const char *field, kart_error *error, const char *message, ...) {
    char text[160];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    kart_finding finding = {.rule = rule,
                            .severity = severity,
                            .section = index == KART_NO_INDEX ? "" : "prisms",
                            .index = index,
                            .point = KART_NO_INDEX,
                            .field = field};
    return kart_findings_add(doc->ctx, &doc->warnings, finding, error, "%s", text);
}

const kcl_model *kcl_model_of(const kcl_doc *doc, size_t prism, size_t *in_model) {
    const kcl_model *model = doc->models;
    while (prism >= model->prisms_count) prism -= model++->prisms_count;
    *in_model = prism;
    return model;
}

static uint8_t *prism_at(const kcl_doc *doc, const kcl_model *model, size_t in_model) {
    return doc->data + model->prisms.start + in_model * kcl_prism_size(doc->format);
}

kcl_prism kcl_prism_get(const kcl_doc *doc, const kcl_model *model, size_t in_model) {
    const kcl_format *f = doc->format;
    const uint8_t *at = prism_at(doc, model, in_model);
    kcl_prism prism = {.height = kcl_load_number(f, at),
                       .position = kart_load_u16(at + 4, f->big),
                       .flag = kart_load_u16(at + 14, f->big),
                       .triangle = f->v2 ? kart_load_u32(at + 16, f->big) : 0};
    for (size_t i = 0; i < KCL_NORMALS; i++)
        prism.normal[i] = kart_load_u16(at + 6 + 2 * i, f->big);
    return prism;
}

kart_vec3 kcl_position_get(const kcl_doc *doc, const kcl_model *model, size_t index) {
    const kcl_format *f = doc->format;
    const uint8_t *at = doc->data + model->positions.start + index * kcl_position_size(f);
    return (kart_vec3){kcl_load_number(f, at), kcl_load_number(f, at + 4),
                       kcl_load_number(f, at + 8)};
}

kart_vec3 kcl_normal_get(const kcl_doc *doc, const kcl_model *model, size_t index) {
    const kcl_format *f = doc->format;
    size_t size = kcl_normal_size(f);
    const uint8_t *at = doc->data + model->normals.start + index * size;
    return (kart_vec3){kcl_load_normal(f, at), kcl_load_normal(f, at + size / 3),
                       kcl_load_normal(f, at + size / 3 * 2)};
}

uint16_t kcl_flag_get(const kcl_doc *doc, const kcl_model *model, size_t in_model) {
    return kart_load_u16(prism_at(doc, model, in_model) + 14, doc->format->big);
}

void kcl_flag_set(kcl_doc *doc, const kcl_model *model, size_t in_model, uint16_t flag) {
    kart_store_u16(prism_at(doc, model, in_model) + 14, doc->format->big, flag);
}

size_t kcl_flags_map(kcl_doc *doc, const uint16_t map[65536]) {
    size_t changed = 0;
    for (size_t m = 0; m < doc->models_count; m++)
        for (size_t i = 0; i < doc->models[m].prisms_count; i++) {
            uint16_t old = kcl_flag_get(doc, &doc->models[m], i), new = map[old];
            if (new == old) continue;
            kcl_flag_set(doc, &doc->models[m], i, new);
            changed++;
        }
    return changed;
}

const char *kcl_soundness_text(kcl_soundness soundness) {
    static const char *const texts[] = {
        [KCL_SOUND] = "sound",
        [KCL_NOT_FINITE] = "a number of it is not finite",
        [KCL_PARALLEL] = "two of its edges are parallel, a corner is nowhere",
        [KCL_NO_AREA] = "it has no area",
        [KCL_INVERTED] =
            "its height is below 0, or its corners run the wrong way round for its face",
    };
    return texts[soundness];
}

// Below these a triangle can't be made out of a prism, or has nothing to collide with. They are
// absolute: normals have unit length, and games count in units of a few centimetres.
#define PARALLEL 1e-6
#define NO_AREA  1e-9

kcl_soundness kcl_prism_triangle(const kcl_doc *doc, const kcl_model *model, const kcl_prism *prism,
                                 kart_vec3 corner[3]) {
    kart_vec3 a = kcl_position_get(doc, model, prism->position), n[KCL_NORMALS];
    bool finite = vec3_finite(a) && isfinite(prism->height);
    for (size_t i = 0; i < KCL_NORMALS; i++) {
        n[i] = kcl_normal_get(doc, model, prism->normal[i]);
        finite = finite && vec3_finite(n[i]);
    }
    corner[0] = corner[1] = corner[2] = a;
    if (!finite) return KCL_NOT_FINITE;
    // Along the edges from A; the height is their part across BC. [W]
    kart_vec3 ab = vec3_cross(n[KCL_AB], n[KCL_FACE]), ac = vec3_cross(n[KCL_CA], n[KCL_FACE]);
    double across_b = vec3_dot(ab, n[KCL_BC]), across_c = vec3_dot(ac, n[KCL_BC]);
    if (fabs(across_b) <= PARALLEL || fabs(across_c) <= PARALLEL) return KCL_PARALLEL;
    ab = vec3_scale(ab, prism->height / across_b);
    ac = vec3_scale(ac, prism->height / across_c);
    corner[1] = vec3_add(a, ab);
    corner[2] = vec3_add(a, ac);
    // By what is left of the edges once the corners are rounded.
    kart_vec3 across = vec3_cross(vec3_sub(corner[1], a), vec3_sub(corner[2], a));
    if (vec3_length(across) / 2 <= NO_AREA) return KCL_NO_AREA;
    bool backwards = prism->height < 0 || vec3_dot(across, n[KCL_FACE]) < 0;
    return backwards ? KCL_INVERTED : KCL_SOUND;
}
