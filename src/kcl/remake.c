// Prisms made anew from the corners of mapped triangles: for maps under which rounded normals would
// not do, as they amount to large errors where edges are nearly parallel, or which don't keep
// angles.
#include "kcl/rebuild.h"

#include "kcl/model.h"
#include "kcl/same.h"

#include <string.h>

// Can a corner be where it is mapped to? What is too far out for lookups already may stay so.
static bool corner_check(const kcl_format *format, kart_vec3 from, kart_vec3 to, size_t prism,
                         kart_error *error) {
    const double old[3] = {from.x, from.y, from.z}, mapped[3] = {to.x, to.y, to.z};
    uint8_t number[4];
    for (int i = 0; i < 3; i++) {
        if (!kcl_store_number(format, number, mapped[i]))
            return kcl_store_fail(error, "a position");
        if (fabs(old[i]) <= KCL_SPACE_LIMIT && !(fabs(mapped[i]) <= KCL_SPACE_LIMIT))
            return kart_fail(error, KART_LIMIT,
                             "prisms[%zu] would lie beyond %.0f units, where floats are too coarse "
                             "for lookups",
                             prism + 1, KCL_SPACE_LIMIT);
    }
    return true;
}

// The triangles of the sound prisms, mapped, each once; gives how many, and how many aren't sound.
static bool triangles_map(const kcl_doc *doc, const kcl_same *same, const kart_affine *map,
                          kart_vec3 (*corners)[3], uint16_t *flags, size_t *count, size_t *unsound,
                          kart_error *error) {
    bool reflects = kart_affine_determinant(map) < 0;
    *count = *unsound = 0;
    for (size_t i = 0; i < same->triangles_count; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(doc, same->example[i], &in_model);
        kart_vec3 old[3], *t = corners[*count];
        kcl_prism prism = kcl_prism_get(doc, model, in_model);
        if (kcl_prism_triangle(doc, model, &prism, old) != KCL_SOUND) {
            ++*unsound;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            kart_vec3 from = old[reflects && k > 0 ? 3 - k : k];
            t[k] = kart_affine_point(map, from);
            if (!corner_check(doc->format, from, t[k], same->example[i], error)) return false;
        }
        flags[(*count)++] = prism.flag;
    }
    return true;
}

static bool report(kcl_doc *doc, const kcl_make_report *r, size_t left_out, kart_error *error) {
    if (left_out > 0 &&
        !kcl_warn(doc, KART_WARNING, "prism-dropped", KART_NO_INDEX, "", error,
                  "%zu prisms are no triangle, or are none any more: they are left out", left_out))
        return false;
    if (r->shared > 0 &&
        !kcl_warn(doc, KART_WARNING, "normals-shared", KART_NO_INDEX, "", error,
                  "%zu normals more than the format can count were shared, which moved corners by "
                  "up to %.3g units",
                  r->shared, r->worst))
        return false;
    return r->visible == 0 ||
           kcl_warn(doc, KART_WARNING, "corners-rounded", KART_NO_INDEX, "", error,
                    "rounding moved corners of %zu prisms by more than %g units, at most by %.3g",
                    r->visible, KCL_ROUNDING_VISIBLE, r->worst);
}

static bool remake(kcl_doc *doc, const kcl_same *same, const kart_affine *map,
                   kart_vec3 (*corners)[3], uint16_t *flags, kart_error *error) {
    size_t count, unsound;
    if (!triangles_map(doc, same, map, corners, flags, &count, &unsound, error)) return false;
    const kcl_make_options options = {.drop = true,
                                      .max_error = (double)INFINITY,
                                      .later = true,
                                      .extra = kcl_extra_find(doc),
                                      .extra_data = doc->data};
    const kcl_make_input input = {(const kart_vec3(*)[3])corners, flags, count};
    kcl_make_report r;
    kcl_doc *made = kcl_make(doc->ctx, doc->format, &input, &options, &r, error);
    kart_free(doc->ctx, r.faults, count * sizeof *r.faults);
    if (!made) return false;
    for (size_t m = 0; m < made->models_count; m++)
        kcl_limits_keep(doc, &made->models[m], made->data);
    bool done = report(doc, &r, unsound + r.dropped, error) &&
                kcl_limits_warn(doc, kcl_limits_find(doc, NULL, NULL), error);
    if (done) kcl_take(doc, made);
    kcl_free(made);
    return done;
}

bool kcl_remake(kcl_doc *doc, const kart_affine *map, kart_error *error) {
    kcl_same same;
    bool done = kcl_same_find(doc, &same, error);
    size_t count = same.triangles_count, bytes = count * sizeof(kart_vec3[3]);
    kart_vec3(*corners)[3] = done ? kart_alloc(doc->ctx, bytes, error) : NULL;
    uint16_t *flags = corners ? kart_alloc(doc->ctx, count * sizeof *flags, error) : NULL;
    done = flags && remake(doc, &same, map, corners, flags, error);
    kart_free(doc->ctx, flags, count * sizeof *flags);
    kart_free(doc->ctx, corners, bytes);
    kcl_same_free(&same);
    return done;
}
