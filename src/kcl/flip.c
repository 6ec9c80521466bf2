// Mirror images of octrees: every word keeps its meaning and gets a new place.
#include "kcl/flip.h"

#include "kcl/octree.h"
#include "kcl/validate.h"

#include <string.h>

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
    return f->branch_in_words ? word >> 30 == 0 : !(word & KCL_LEAF);
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
    return kart_fail(
        error, KART_UNSUPPORTED,
        "nodes of the octree overlap each other: it can't be mirrored before it is rebuilt");
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

// The area begins where its far end was. `min`: the axis's number, which stands at `at`.
static bool area_flip(kcl_doc *doc, size_t at, double *min, double width, kart_error *error) {
    double moved = 0 - (*min + width);
    if (!kcl_store_number(doc->format, doc->data + at, moved))
        return kcl_store_fail(error, "the area");
    *min = kcl_load_number(doc->format, doc->data + at);
    if (*min == moved) return true;
    return kcl_warn(doc, KART_WARNING, "area-rounded", KART_NO_INDEX, "", error,
                    "the octree's area was moved by %g units, as its place had to be rounded",
                    *min - moved);
}

static double *component(kart_vec3 *v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

bool kcl_octree_flip(kcl_doc *doc, kcl_model *model, int axis, kart_error *error) {
    double width = (double)kcl_root_cells(model, axis) * ldexp(1, (int)model->shift);
    bool done = true;
    if (kcl_roots_regular(model)) {
        flips f;
        if (!flips_begin(&f, doc, model->octree, axis, error)) return false;
        done = roots_flip(&f, model, axis) || cant_flip(error);
        flips_end(&f, model->octree);
    } else {
        doc->stale = true; // shifts that don't fit the masks
    }
    size_t at = model->range.start + 0x14 + 4 * (size_t)axis;
    kart_error found;
    return done && area_flip(doc, at, component(&model->min, axis), width, error) &&
           still_valid(kcl_octree_validate(doc, model, &found), &found, error);
}

bool kcl_global_flip(kcl_doc *doc, int axis, kart_error *error) {
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
        return kcl_store_fail(error, "the area");
    *component(&doc->max, axis) = kcl_load_number(doc->format, doc->data + 0x1C + at);
    kart_error found;
    return still_valid(kcl_global_validate(doc, &found), &found, error);
}
