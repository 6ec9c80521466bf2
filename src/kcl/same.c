#include "kcl/same.h"

#include "core/grid.h"

#include <stdlib.h>

#define APART 0.1 // most units between corners of copies

typedef struct finding {
    const kcl_doc *doc;
    kcl_same *same;
    kart_vec3 (*corners)[3]; // of each triangle
    kart_vec3 *marks;        // what it is looked up by
    uint16_t *flags;
    kart_grid grid;
} finding;

void kcl_same_free(kcl_same *same) {
    kart_free(same->ctx, same->number, same->prisms_count * sizeof *same->number);
    kart_free(same->ctx, same->example, same->prisms_count * sizeof *same->example);
}

// A place that only copies have in common, nearly: above the triangle's middle, so that both sides
// of a wall are told apart, and at another height for most other flags.
static kart_vec3 mark_of(const kart_vec3 c[3], uint16_t flag) {
    kart_vec3 up = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    kart_vec3 middle = vec3_scale(vec3_add(c[0], vec3_add(c[1], c[2])), 1 / 3.0);
    return vec3_add(middle, vec3_scale(up, (1 + flag % 61) / vec3_length(up)));
}

static bool corners_same(const kart_vec3 a[3], const kart_vec3 b[3]) {
    for (int turn = 0; turn < 3; turn++) {
        bool same = true;
        for (int i = 0; i < 3; i++)
            same = same && vec3_length(vec3_sub(a[i], b[(i + turn) % 3])) < APART;
        if (same) return true;
    }
    return false;
}

static void prism_number(finding *f, const kcl_model *model, size_t in_model, size_t prism) {
    kcl_same *s = f->same;
    kcl_prism p = kcl_prism_get(f->doc, model, in_model);
    kart_vec3 corner[3];
    size_t number = s->triangles_count;
    if (kcl_prism_triangle(f->doc, model, &p, corner) == KCL_SOUND) {
        double distance;
        kart_vec3 mark = mark_of(corner, p.flag);
        uint32_t near =
            vec3_finite(mark) ? kart_grid_nearest(&f->grid, mark, &distance) : KART_NO_POINT;
        if (near != KART_NO_POINT && f->flags[near] == p.flag &&
            corners_same(corner, f->corners[near])) {
            s->number[prism] = near;
            return;
        }
        for (int i = 0; i < 3; i++) f->corners[number][i] = corner[i];
        f->marks[number] = mark;
        f->flags[number] = p.flag;
        if (vec3_finite(mark)) kart_grid_add(&f->grid, (uint32_t)number);
    }
    s->number[prism] = (uint32_t)number;
    s->example[s->triangles_count++] = (uint32_t)prism;
}

static bool models_number(finding *f, kart_error *error) {
    size_t prism = 0;
    for (size_t m = 0; m < f->doc->models_count; m++)
        for (size_t i = 0; i < f->doc->models[m].prisms_count; i++, prism++) {
            if (prism % 1024 == 0 && !kart_ctx_step(f->doc->ctx, 0, error)) return false;
            prism_number(f, &f->doc->models[m], i, prism);
        }
    return true;
}

// A triangle by the index over all models that the file gives it.
typedef struct item {
    uint32_t index, number;
} item;

static int item_compare(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->index != y->index) return x->index > y->index ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool triangles_sort(const kcl_doc *doc, kcl_same *s, kart_error *error) {
    size_t count = s->triangles_count, bytes = count * sizeof(item);
    item *items = kart_alloc(doc->ctx, bytes, error);
    uint32_t *place = items ? kart_alloc(doc->ctx, 2 * count * sizeof *place, error) : NULL;
    for (size_t i = 0; place && i < count; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(doc, s->example[i], &in_model);
        items[i] = (item){kcl_prism_get(doc, model, in_model).triangle, (uint32_t)i};
    }
    if (place) {
        uint32_t *example = place + count;
        qsort(items, count, sizeof *items, item_compare);
        for (size_t i = 0; i < count; i++) {
            place[items[i].number] = (uint32_t)i;
            example[i] = s->example[items[i].number];
        }
        for (size_t i = 0; i < count; i++) s->example[i] = example[i];
        for (size_t i = 0; i < s->prisms_count; i++) s->number[i] = place[s->number[i]];
    }
    kart_free(doc->ctx, place, 2 * count * sizeof *place);
    kart_free(doc->ctx, items, bytes);
    return place != NULL;
}

static bool copies_find(const kcl_doc *doc, kcl_same *same, kart_error *error) {
    size_t count = doc->prisms_count;
    finding f = {.doc = doc, .same = same};
    f.corners = kart_alloc(doc->ctx, count * sizeof *f.corners, error);
    f.marks = f.corners ? kart_alloc(doc->ctx, count * sizeof *f.marks, error) : NULL;
    f.flags = f.marks ? kart_alloc(doc->ctx, count * sizeof *f.flags, error) : NULL;
    bool done = f.flags && kart_grid_init(doc->ctx, &f.grid, f.marks, count, APART, error) &&
                models_number(&f, error);
    kart_grid_free(doc->ctx, &f.grid);
    kart_free(doc->ctx, f.flags, count * sizeof *f.flags);
    kart_free(doc->ctx, f.marks, count * sizeof *f.marks);
    kart_free(doc->ctx, f.corners, count * sizeof *f.corners);
    return done;
}

bool kcl_same_find(const kcl_doc *doc, kcl_same *same, kart_error *error) {
    size_t count = doc->prisms_count;
    *same = (kcl_same){.ctx = doc->ctx, .prisms_count = count};
    same->number = kart_alloc(doc->ctx, count * sizeof *same->number, error);
    same->example =
        same->number ? kart_alloc(doc->ctx, count * sizeof *same->example, error) : NULL;
    if (!same->example) return false;
    if (doc->models_count > 1)
        return copies_find(doc, same, error) && triangles_sort(doc, same, error);
    for (size_t i = 0; i < count; i++) same->number[i] = same->example[i] = (uint32_t)i;
    same->triangles_count = count;
    return true;
}
