// Walking octrees that kcl_parse has checked.
#include "kcl/octree.h"

uint32_t kcl_word_at(const kcl_doc *doc, size_t at) {
    return kart_load_u32(doc->data + at, doc->format->big);
}

unsigned kcl_area_bits(const kcl_model *model, int axis) {
    unsigned bits = 0;
    for (uint32_t hole = ~model->mask[axis]; hole; hole >>= 1) bits++;
    return bits;
}

// Root cells along an axis. Where the mask is narrower than a cell there is still one.
uint32_t kcl_root_cells(const kcl_model *model, int axis) {
    if (model->single) return 1;
    unsigned bits = kcl_area_bits(model, axis);
    return bits > model->shift ? (uint32_t)1 << (bits - model->shift) : 1;
}

void kcl_root_shifts(const kcl_model *model, uint32_t *x_shift, uint32_t *xy_shift) {
    *x_shift = *xy_shift = 0;
    for (uint32_t n = kcl_root_cells(model, 0); n > 1; n >>= 1) ++*x_shift;
    for (uint32_t n = kcl_root_cells(model, 1); n > 1; n >>= 1) ++*xy_shift;
    *xy_shift += *x_shift;
}

bool kcl_roots_regular(const kcl_model *model) {
    uint32_t x_shift, xy_shift;
    kcl_root_shifts(model, &x_shift, &xy_shift);
    bool wide = true;
    for (int i = 0; i < 3; i++) {
        uint64_t width = (uint64_t)kcl_root_cells(model, i) << model->shift;
        wide = wide && width == (uint64_t)(uint32_t)~model->mask[i] + 1;
    }
    return wide && (model->single || (model->x_shift == x_shift && model->xy_shift == xy_shift));
}

static size_t root_index(const kcl_model *model, uint32_t x, uint32_t y, uint32_t z) {
    if (model->single) return 0;
    return (size_t)z << model->xy_shift | (size_t)y << model->x_shift | x;
}

typedef struct walk {
    const kcl_doc *doc;
    const kcl_model *model;
    kcl_leaf_fn visit;
    void *user;
} walk;

// The word at `at` in the group at `group`, for the cell that starts at `cell` and has 2^left units
// to each side. A checked tree has no branch where `left` is 0.
static bool walk_word(const walk *w, size_t group, size_t at, const uint32_t cell[3],
                      unsigned left) {
    uint32_t word = kcl_word_at(w->doc, at), edge = (uint32_t)1 << left;
    if (word & KCL_LEAF) {
        kcl_leaf leaf = {.cell = {cell[0], cell[1], cell[2]},
                         .size = edge,
                         .depth = w->model->shift - left,
                         .list = group + (word & ~KCL_LEAF) + 2};
        return w->visit(w->user, &leaf);
    }
    size_t next = group + word;
    for (size_t i = 0; left > 0 && i < 8; i++) {
        const uint32_t half = edge / 2;
        const uint32_t child[3] = {cell[0] + (i & 1 ? half : 0), cell[1] + (i & 2 ? half : 0),
                                   cell[2] + (i & 4 ? half : 0)};
        // Where the area is narrower than a root cell, no lookup comes to the cells beyond it.
        if ((child[0] & w->model->mask[0]) | (child[1] & w->model->mask[1]) |
            (child[2] & w->model->mask[2]))
            continue;
        if (!walk_word(w, next, next + 4 * i, child, left - 1)) return false;
    }
    return true;
}

bool kcl_octree_walk(const kcl_doc *doc, const kcl_model *model, kcl_leaf_fn visit, void *user) {
    const walk w = {doc, model, visit, user};
    for (uint32_t z = 0; z < kcl_root_cells(model, 2); z++)
        for (uint32_t y = 0; y < kcl_root_cells(model, 1); y++)
            for (uint32_t x = 0; x < kcl_root_cells(model, 0); x++) {
                const uint32_t cell[3] = {x << model->shift, y << model->shift, z << model->shift};
                size_t at = model->octree.start + 4 * root_index(model, x, y, z);
                if (!walk_word(&w, model->octree.start, at, cell, model->shift)) return false;
            }
    return true;
}

bool kcl_list_next(const kcl_doc *doc, size_t *at, size_t *in_model) {
    unsigned id = kart_load_u16(doc->data + *at, doc->format->big);
    if (id == kcl_list_end(doc->format)) return false;
    *at += 2;
    *in_model = id - kcl_first_id(doc->format);
    return true;
}

size_t kcl_list_length(const kcl_doc *doc, size_t list) {
    size_t length = 0, prism;
    while (kcl_list_next(doc, &list, &prism)) length++;
    return length;
}

bool kcl_octree_find(const kcl_doc *doc, const kcl_model *model, const int32_t point[3],
                     kcl_leaf *leaf) {
    uint32_t p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = (uint32_t)point[i];
        if (p[i] & model->mask[i]) return false;
    }
    size_t group = model->octree.start, at;
    at = group +
         4 * root_index(model, p[0] >> model->shift, p[1] >> model->shift, p[2] >> model->shift);
    uint32_t word = kcl_word_at(doc, at);
    unsigned left = model->shift;
    while (!(word & KCL_LEAF)) {
        left--;
        size_t child = (p[0] >> left & 1) | (p[1] >> left & 1) << 1 | (p[2] >> left & 1) << 2;
        group += word;
        word = kcl_word_at(doc, group + 4 * child);
    }
    *leaf = (kcl_leaf){.size = (uint32_t)1 << left,
                       .depth = model->shift - left,
                       .list = group + (word & ~KCL_LEAF) + 2};
    for (int i = 0; i < 3; i++) leaf->cell[i] = p[i] & ~(leaf->size - 1);
    return true;
}

size_t kcl_global_find(const kcl_doc *doc, const int32_t point[3]) {
    size_t group = doc->global.start;
    uint32_t p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = (uint32_t)point[i];
        if (doc->width_shift[i] < 32 && p[i] >> doc->width_shift[i]) return SIZE_MAX;
    }
    for (unsigned level = 0;; level++) {
        size_t child = 0;
        for (unsigned i = 0; i < 3; i++) {
            unsigned shift = doc->width_shift[i];
            if (shift > level) child |= (size_t)(p[i] >> (shift - 1 - level) & 1) << i;
        }
        uint32_t word = kcl_word_at(doc, group + 4 * child);
        if (word >> 30 == 3) return SIZE_MAX;
        if (word >> 30 == 2) return word & 0x3FFFFFFF;
        group += 4 * (size_t)word;
    }
}
