// Transformations without a builder. Mirrors and exact moves take the octree along; whatever else
// moves prisms leaves it stale.
#include "kcl/kcl.h"
#include "kcl/octree.h"
#include "kcl/validate.h"

#include <string.h>

#define LEAF 0x80000000u

static double *component(kart_vec3 *v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static bool out_of_range(kart_error *error, const char *what) {
    return kart_fail(error, KART_LIMIT, "%s leaves the range of the format's numbers", what);
}

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

// Map the used positions. `*exact` is cleared when one had to be rounded. What is not finite stays.
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
        done = vec_store(doc, at, moved, false) || out_of_range(error, "a position");
        kart_vec3 stored = kcl_position_get(doc, model, i);
        if (stored.x != moved.x || stored.y != moved.y || stored.z != moved.z) *exact = false;
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
            return out_of_range(error, "a normal");
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

static bool heights_scale(kcl_doc *doc, const kcl_model *model, double k, kart_error *error) {
    size_t size = kcl_prism_size(doc->format);
    for (size_t i = 0; i < model->prisms_count; i++) {
        uint8_t *at = doc->data + model->prisms.start + i * size;
        double height = kcl_load_number(doc->format, at);
        if (isfinite(height) && !kcl_store_number(doc->format, at, height * k))
            return out_of_range(error, "a height");
    }
    return true;
}

// --- mirroring octrees ------------------------------------------------------------------------

// The groups of a section that are mirrored already. Words that two groups claim differently can't
// be exchanged for both of them.
typedef struct flips {
    kcl_doc *doc;
    size_t start;         // of the section
    uint8_t *words;       // per half word: 1 first of a group, 2 inside of one
    int bit;              // of the child index: 1 x, 4 z
    bool branch_in_words; // V2's global octree counts in words
} flips;

static void words_exchange(const kcl_doc *doc, size_t a, size_t b) {
    uint8_t word[4];
    memcpy(word, doc->data + a, 4);
    memcpy(doc->data + a, doc->data + b, 4);
    memcpy(doc->data + b, word, 4);
}

// Is the word a branch, and where to?
static bool branch_of(const flips *f, size_t group, uint32_t word, size_t *to) {
    *to = group + (f->branch_in_words ? 4 * (size_t)word : word);
    return f->branch_in_words ? word >> 30 == 0 : !(word & LEAF);
}

// Claim `count` words for the group at `group`. False if it is mirrored already or overlaps others.
static bool group_claim(flips *f, size_t group, size_t count, bool *overlaps) {
    uint8_t *words = f->words + (group - f->start) / 2;
    if (words[0] == 1) return false;
    for (size_t i = 0; i < 2 * count; i++) {
        *overlaps = *overlaps || words[i];
        words[i] = i == 0 ? 1 : 2;
    }
    return !*overlaps;
}

static bool group_flip(flips *f, size_t group) {
    bool overlaps = false;
    if (!group_claim(f, group, 8, &overlaps)) return !overlaps;
    for (int i = 0; i < 8; i++)
        if (!(i & f->bit))
            words_exchange(f->doc, group + 4 * (size_t)i, group + 4 * (size_t)(i | f->bit));
    for (size_t i = 0; i < 8; i++) {
        size_t to;
        if (branch_of(f, group, kcl_word_at(f->doc, group + 4 * i), &to) && !group_flip(f, to))
            return false;
    }
    return true;
}

// Lists must not lie among the nodes: exchanging words would change them.
static bool list_claim(void *user, const kcl_leaf *leaf) {
    const flips *f = user;
    size_t at = leaf->list, prism;
    bool more = true;
    while (more && !f->words[(at - f->start) / 2]) {
        f->words[(at - f->start) / 2] = 3;
        more = kcl_list_next(f->doc, &at, &prism);
    }
    return true;
}

// The root group is a grid: reverse its rows along the axis, then mirror what hangs below.
static bool roots_flip(flips *f, const kcl_model *model, int axis) {
    const uint32_t cells[3] = {kcl_root_cells(model, 0), kcl_root_cells(model, 1),
                               kcl_root_cells(model, 2)};
    size_t root = model->octree.start;
    bool overlaps = false;
    kcl_octree_walk(f->doc, model, list_claim, f);
    if (!group_claim(f, root, model->roots, &overlaps)) return false;
    for (size_t i = 0; i < model->roots; i++) {
        uint32_t place[3] = {(uint32_t)i % cells[0], (uint32_t)(i / cells[0]) % cells[1],
                             (uint32_t)(i / cells[0] / cells[1])};
        if (place[axis] >= cells[axis] / 2) continue;
        place[axis] = cells[axis] - 1 - place[axis];
        size_t other = ((size_t)place[2] * cells[1] + place[1]) * cells[0] + place[0];
        words_exchange(f->doc, root + 4 * i, root + 4 * other);
    }
    for (size_t i = 0; i < model->roots; i++) {
        size_t to;
        if (branch_of(f, root, kcl_word_at(f->doc, root + 4 * i), &to) && !group_flip(f, to))
            return false;
    }
    return true;
}

static bool cant_flip(kart_error *error) {
    return kart_fail(error, KART_UNSUPPORTED,
                     "nodes of the octree overlap each other: it can't be mirrored, only rebuilt");
}

static bool flips_begin(flips *f, kcl_doc *doc, kcl_range section, int axis, kart_error *error) {
    *f = (flips){.doc = doc, .start = section.start, .bit = axis == 0 ? 1 : 4};
    f->words = kart_alloc(doc->ctx, (section.end - section.start) / 2 + 1, error);
    return f->words != NULL;
}

static void flips_end(flips *f, kcl_range section) {
    kart_free(f->doc->ctx, f->words, (section.end - section.start) / 2 + 1);
}

// The tree is checked again: where lists and nodes overlap, exchanging words has spoilt it.
static bool still_valid(bool valid, const kart_error *found, kart_error *error) {
    if (valid) return true;
    if (found->code == KART_FORMAT) return cant_flip(error);
    if (error) *error = *found;
    return false;
}

// The area begins where its far end was.
static bool area_flip(kcl_doc *doc, size_t at, double *min, double width, kart_error *error) {
    double moved = 0 - (*min + width);
    if (!kcl_store_number(doc->format, doc->data + at, moved))
        return out_of_range(error, "the area");
    *min = kcl_load_number(doc->format, doc->data + at);
    if (*min == moved) return true;
    return kcl_warn(doc, KART_WARNING, "area-rounded", KART_NO_INDEX, "", error,
                    "the octree's area was moved by %g units, as its place had to be rounded",
                    *min - moved);
}

static bool model_flip(kcl_doc *doc, kcl_model *model, int axis, kart_error *error) {
    kart_affine mirror = kart_affine_mirror(axis, 0);
    bool exact = true;
    if (!positions_map(doc, model, &mirror, &exact, error) ||
        !normals_map(doc, model, &mirror, error))
        return false;
    edges_exchange(doc, model);

    double width = (double)kcl_root_cells(model, axis) * ldexp(1, (int)model->shift);
    bool done = true;
    if (kcl_roots_regular(model)) {
        flips f;
        if (!flips_begin(&f, doc, model->octree, axis, error)) return false;
        done = roots_flip(&f, model, axis) || cant_flip(error);
        flips_end(&f, model->octree);
    } else {
        doc->stale = true;
        done = kcl_warn(doc, KART_HINT, "octree-stale", KART_NO_INDEX, "", error,
                        "the root grid's shifts don't fit its masks: the octree must be rebuilt");
    }
    size_t at = model->range.start + 0x14 + 4 * (size_t)axis;
    kart_error found;
    return done && area_flip(doc, at, component(&model->min, axis), width, error) &&
           still_valid(kcl_octree_validate(doc, model, &found), &found, error);
}

static bool global_flip(kcl_doc *doc, int axis, kart_error *error) {
    flips f;
    if (!flips_begin(&f, doc, doc->global, axis, error)) return false;
    f.branch_in_words = true;
    bool done = group_flip(&f, doc->global.start) || cant_flip(error);
    flips_end(&f, doc->global);
    if (!done) return false;
    // The header's bounds hold everything; its maximum need not reach the end of the space.
    size_t at = 4 * (size_t)axis;
    double low = *component(&doc->min, axis), width = ldexp(1, (int)doc->width_shift[axis]);
    if (!area_flip(doc, 0x10 + at, component(&doc->min, axis), width, error)) return false;
    if (!kcl_store_number(doc->format, doc->data + 0x1C + at, 0 - low))
        return out_of_range(error, "the area");
    *component(&doc->max, axis) = kcl_load_number(doc->format, doc->data + 0x1C + at);
    kart_error found;
    return still_valid(kcl_global_validate(doc, &found), &found, error);
}

static bool doc_flip(kcl_doc *doc, int axis, kart_error *error) {
    for (size_t m = 0; m < doc->models_count; m++)
        if (!model_flip(doc, &doc->models[m], axis, error)) return false;
    return !doc->format->v2 || global_flip(doc, axis, error);
}

// --- moving -----------------------------------------------------------------------------------

// Move a corner of an area in a header; `*exact` is cleared when it had to be rounded.
static bool corner_move(kcl_doc *doc, size_t at, kart_vec3 *corner, kart_vec3 by, bool *exact,
                        kart_error *error) {
    kart_vec3 moved = vec3_add(*corner, by);
    if (!vec_store(doc, doc->data + at, moved, false)) return out_of_range(error, "the area");
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
        if (!positions_map(doc, model, &map, &exact, error) ||
            !corner_move(doc, model->range.start + 0x14, &model->min, by, &exact, error))
            return false;
    }
    if (doc->format->v2 && (!corner_move(doc, 0x10, &doc->min, by, &exact, error) ||
                            !corner_move(doc, 0x1C, &doc->max, by, &exact, error)))
        return false;
    if (exact) return true;
    doc->stale = true;
    return kcl_warn(
        doc, KART_HINT, "octree-stale", KART_NO_INDEX, "", error,
        "not all coordinates can be moved without rounding: the octree must be rebuilt");
}

// Similarities: shapes stay, so positions, normals and heights follow one by one.
static bool doc_turn(kcl_doc *doc, const kart_affine *map, double k, kart_error *error) {
    kart_affine turn = *map;
    bool exact = true;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) turn.m[i][j] /= k;
        turn.m[i][3] = 0;
    }
    for (size_t m = 0; m < doc->models_count; m++) {
        kcl_model *model = &doc->models[m];
        if (!positions_map(doc, model, map, &exact, error) ||
            !normals_map(doc, model, &turn, error) ||
            (k != 1 && !heights_scale(doc, model, k, error)))
            return false;
        if (kart_affine_determinant(map) < 0) edges_exchange(doc, model);
    }
    doc->stale = true;
    return kcl_warn(doc, KART_HINT, "octree-stale", KART_NO_INDEX, "", error,
                    "the octree does not fit the turned or scaled prisms: it must be rebuilt");
}

// --- all or nothing ---------------------------------------------------------------------------

static kcl_doc *work_begin(const kcl_doc *doc, kart_error *error) { return kcl_clone(doc, error); }

static bool work_end(kcl_doc *doc, kcl_doc *work, bool done) {
    if (done) {
        kcl_doc old = *doc;
        *doc = *work;
        *work = old;
    }
    kcl_free(work);
    return done;
}

static bool is_zero(kart_vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

bool kcl_mirror(kcl_doc *doc, int axis, double at, kart_error *error) {
    kcl_doc *work = work_begin(doc, error);
    kart_vec3 by = {0, 0, 0};
    *component(&by, axis) = 2 * at;
    return work &&
           work_end(doc, work,
                    doc_flip(work, axis, error) && (is_zero(by) || doc_move(work, by, error)));
}

bool kcl_translate(kcl_doc *doc, kart_vec3 by, kart_error *error) {
    if (is_zero(by)) return true;
    kcl_doc *work = work_begin(doc, error);
    return work && work_end(doc, work, doc_move(work, by, error));
}

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

bool kcl_transform(kcl_doc *doc, const kart_affine *map, kart_error *error) {
    double k;
    if (!kart_affine_finite(map))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix is not finite");
    if (!kart_affine_similar(map, &k))
        return kart_fail(error, KART_UNSUPPORTED,
                         "prisms can't be stretched or sheared, only rebuilt from a mesh");
    kart_vec3 by = {map->m[0][3], map->m[1][3], map->m[2][3]};
    int plain = plain_part(map);
    if (plain == 3) return kcl_translate(doc, by, error);
    kcl_doc *work = work_begin(doc, error);
    if (!work) return false;
    bool done = plain == 0 || plain == 2
                    ? doc_flip(work, plain, error) && (is_zero(by) || doc_move(work, by, error))
                    : doc_turn(work, map, k, error);
    return work_end(doc, work, done);
}
