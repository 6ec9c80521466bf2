// Transformations. Mirrors and exact moves take the octree along; whatever else moves prisms leaves
// it stale.
#include "kcl/flip.h"
#include "kcl/mesh.h"
#include "kcl/rebuild.h"

#include <stdio.h>
#include <string.h>

static bool vec_store(const kcl_doc *doc, uint8_t *at, kart_vec3 v, bool normal) {
    const kcl_format *f = doc->format;
    size_t step = (normal ? kcl_normal_size(f) : kcl_position_size(f)) / 3;
    const double c[3] = {v.x, v.y, v.z};
    for (size_t i = 0; i < 3; i++)
        if (!(normal ? kcl_store_normal : kcl_store_number)(f, at + i * step, c[i])) return false;
    return true;
}

// --- the parts of every transformation --------------------------------------------------------

// Mark the positions that prisms use: the others (a signature, leftovers) are nobody's corner.
static uint8_t *positions_used(const kcl_doc *doc, const kcl_model *model, kart_error *error) {
    uint8_t *used = kart_alloc(doc->ctx, model->positions_count, error);
    for (size_t i = 0; used && i < model->prisms_count; i++)
        used[kcl_prism_get(doc, model, i).position] = 1;
    return used;
}

// Map the used positions. `*exact`, if not NULL, is cleared when one had to be rounded. What is not
// finite stays.
static bool positions_map(kcl_doc *doc, const kcl_model *model, const kart_affine *map, bool *exact,
                          kart_error *error) {
    uint8_t *used = positions_used(doc, model, error);
    if (!used) return false;
    bool done = true;
    for (size_t i = 0; done && i < model->positions_count; i++) {
        if (!used[i]) continue;
        kart_vec3 p = kcl_position_get(doc, model, i);
        if (!vec3_finite(p)) continue;
        kart_vec3 moved = kart_affine_point(map, p);
        uint8_t *at = doc->data + model->positions.start + i * kcl_position_size(doc->format);
        done = vec_store(doc, at, moved, false) || kcl_store_fail(error, "a position");
        kart_vec3 stored = kcl_position_get(doc, model, i);
        if (exact && (stored.x != moved.x || stored.y != moved.y || stored.z != moved.z))
            *exact = false;
    }
    kart_free(doc->ctx, used, model->positions_count);
    return done;
}

// Turn all normals by `turn`, which keeps lengths.
static bool normals_map(kcl_doc *doc, const kcl_model *model, const kart_affine *turn,
                        kart_error *error) {
    size_t size = kcl_normal_size(doc->format);
    for (size_t i = 0; i < model->normals_count; i++) {
        kart_vec3 n = kcl_normal_get(doc, model, i);
        if (!vec3_finite(n)) continue;
        uint8_t *at = doc->data + model->normals.start + i * size;
        if (!vec_store(doc, at, kart_affine_direction(turn, n), true))
            return kcl_store_fail(error, "a normal");
    }
    return true;
}

// A reflection turns triangles over: the edges from A to B and from C to A change places.
static void edges_exchange(kcl_doc *doc, const kcl_model *model) {
    size_t size = kcl_prism_size(doc->format);
    for (size_t i = 0; i < model->prisms_count; i++) {
        uint8_t *at = doc->data + model->prisms.start + i * size, ca[2];
        memcpy(ca, at + 8, 2);
        memcpy(at + 8, at + 10, 2);
        memcpy(at + 10, ca, 2);
    }
}

// --- mirroring --------------------------------------------------------------------------------

static bool doc_flip(kcl_doc *doc, int axis, kart_error *error) {
    kart_affine mirror = kart_affine_mirror(axis, 0);
    for (size_t m = 0; m < doc->models_count; m++) {
        kcl_model *model = &doc->models[m];
        if (!positions_map(doc, model, &mirror, NULL, error) ||
            !normals_map(doc, model, &mirror, error))
            return false;
        edges_exchange(doc, model);
        if (!kcl_octree_flip(doc, model, axis, error)) return false;
    }
    return !doc->format->v2 || kcl_global_flip(doc, axis, error);
}

// --- what floats can do -----------------------------------------------------------------------

// Would a number get farther out than lookups work? What is there already is not our fault.
static bool is_too_far(double from, double to) {
    return fabs(from) <= KCL_SPACE_LIMIT && !(fabs(to) <= KCL_SPACE_LIMIT);
}

static bool too_far(kart_error *error, const char *what) {
    return kart_fail(error, KART_LIMIT,
                     "%s would lie beyond %.0f units, where floats are too coarse for lookups",
                     what, KCL_SPACE_LIMIT);
}

static bool area_check(const kcl_model *model, kart_vec3 by, kart_error *error) {
    const double low[3] = {model->min.x, model->min.y, model->min.z}, step[3] = {by.x, by.y, by.z};
    for (int i = 0; i < 3; i++) {
        double high = low[i] + (double)(uint32_t)~model->mask[i] + 1;
        if (is_too_far(low[i], low[i] + step[i]) || is_too_far(high, high + step[i]))
            return too_far(error, "the octree's area");
    }
    return true;
}

typedef struct rounding {
    size_t count; // prisms of which a corner is visibly off
    double most;  // units, how far one is off
    size_t worst; // its prism
} rounding;

// Compare the corners of a sound prism with where they should have come to.
static bool corners_check(const kart_affine *map, const kart_vec3 from[3], const kart_vec3 to[3],
                          size_t index, rounding *r, kart_error *error) {
    bool turned = kart_affine_determinant(map) < 0; // the second and the third change places
    double off = 0;
    for (size_t i = 0; i < 3; i++) {
        kart_vec3 old = from[turned && i > 0 ? 3 - i : i], aim = kart_affine_point(map, old);
        if (is_too_far(old.x, aim.x) || is_too_far(old.y, aim.y) || is_too_far(old.z, aim.z)) {
            char what[40];
            snprintf(what, sizeof what, "prisms[%zu]", index + 1);
            return too_far(error, what);
        }
        off = fmax(off, vec3_length(vec3_sub(to[i], aim)));
    }
    r->count += off > KCL_ROUNDING_VISIBLE;
    if (off > r->most) {
        r->most = off;
        r->worst = index;
    }
    return true;
}

// Every number was rounded when it was stored. A corner hangs on several of them: where edges are
// nearly parallel it moves far.
static bool prisms_check(const kcl_doc *before, kcl_doc *doc, const kart_affine *map,
                         kart_error *error) {
    rounding r = {0};
    size_t index = 0;
    for (size_t m = 0; m < doc->models_count; m++)
        for (size_t i = 0; i < doc->models[m].prisms_count; i++, index++) {
            kart_vec3 from[3], to[3];
            kcl_prism prism = kcl_prism_get(before, &before->models[m], i);
            if (kcl_prism_triangle(before, &before->models[m], &prism, from) != KCL_SOUND) continue;
            prism = kcl_prism_get(doc, &doc->models[m], i);
            kcl_prism_triangle(doc, &doc->models[m], &prism, to);
            if (!corners_check(map, from, to, index, &r, error)) return false;
        }
    return r.count == 0 || kcl_warn(doc, KART_WARNING, "corners-rounded", KART_NO_INDEX, "", error,
                                    "rounding moved corners of %zu prisms by more than %g units, "
                                    "at most by %.3g: prisms[%zu]",
                                    r.count, KCL_ROUNDING_VISIBLE, r.most, r.worst + 1);
}

// --- moving, turning, scaling -----------------------------------------------------------------

// Move a corner of an area in a header; `*exact` is cleared when it had to be rounded.
static bool corner_move(kcl_doc *doc, size_t at, kart_vec3 *corner, kart_vec3 by, bool *exact,
                        kart_error *error) {
    kart_vec3 moved = vec3_add(*corner, by);
    if (!vec_store(doc, doc->data + at, moved, false)) return kcl_store_fail(error, "the area");
    const kcl_format *f = doc->format;
    *corner =
        (kart_vec3){kcl_load_number(f, doc->data + at), kcl_load_number(f, doc->data + at + 4),
                    kcl_load_number(f, doc->data + at + 8)};
    if (corner->x != moved.x || corner->y != moved.y || corner->z != moved.z) *exact = false;
    return true;
}

static bool doc_move(kcl_doc *doc, kart_vec3 by, kart_error *error) {
    kart_affine map = kart_affine_translation(by);
    bool exact = true;
    for (size_t m = 0; m < doc->models_count; m++) {
        kcl_model *model = &doc->models[m];
        if ((!doc->stale && !area_check(model, by, error)) ||
            !positions_map(doc, model, &map, &exact, error) ||
            !corner_move(doc, model->range.start + 0x14, &model->min, by, &exact, error))
            return false;
    }
    if (doc->format->v2 && (!corner_move(doc, 0x10, &doc->min, by, &exact, error) ||
                            !corner_move(doc, 0x1C, &doc->max, by, &exact, error)))
        return false;
    doc->stale = doc->stale || !exact;
    return true;
}

// --- all or nothing ---------------------------------------------------------------------------

static bool is_zero(kart_vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

// Is the linear part exactly the identity, or a mirror at one axis (0, 1, 2)? -1 for neither.
static int plain_part(const kart_affine *map) {
    int mirrored = 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (i != j && map->m[i][j] != 0) return -1;
            if (i == j && map->m[i][i] == -1 && mirrored == 3)
                mirrored = i;
            else if (i == j && map->m[i][i] != 1)
                return -1;
        }
    return mirrored;
}

// Mirror along the axis `plain`, if it is one, and move.
static bool doc_transform(const kcl_doc *before, kcl_doc *doc, const kart_affine *map, int plain,
                          kart_error *error) {
    const kart_vec3 by = {map->m[0][3], map->m[1][3], map->m[2][3]};
    if (plain != 3 && !doc_flip(doc, plain, error)) return false;
    if (is_zero(by)) return true; // exact
    if (!doc_move(doc, by, error)) return false;
    return prisms_check(before, doc, map, error);
}

bool kcl_transform(kcl_doc *doc, const kart_affine *map, kart_error *error) {
    if (!kart_affine_finite(map))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix is not finite");
    double volume = kart_affine_determinant(map);
    if (!(fabs(volume) > 0)) return kart_fail(error, KART_UNSUPPORTED, "the matrix is flat");
    int plain = plain_part(map);
    if (plain < 0 || plain == 1) return kcl_remake(doc, map, error);
    kcl_doc *work = kcl_clone(doc, error);
    if (!work) return false;
    kcl_tree_drop(work);
    bool done = doc_transform(doc, work, map, plain, error);
    if (done) {
        kcl_doc old = *doc;
        *doc = *work;
        *work = old;
    }
    kcl_free(work);
    return done;
}
