// Octrees of the models of a file of version 2, which stay as they are otherwise.
#include "kcl/rebuild_models.h"

#include "core/array.h"
#include "kcl/global.h"
#include "kcl/model.h"
#include "kcl/octree.h"
#include "kcl/same.h"
#include "kcl/solid.h"

#include <stdlib.h>
#include <string.h>

// A triangle that can be touched from a cell of a model, where it may not stand.
typedef struct need {
    uint32_t model, triangle;
} need;

// A cell of the first octree that gets a model.
typedef struct filling {
    size_t at;
    uint32_t model;
} filling;

typedef struct work {
    kcl_doc *doc;
    kart_error *error;
    const kcl_build_options *options;
    kcl_same same;
    kcl_reach reach;
    kart_vec3 (*corners)[3]; // of the triangles
    kcl_box *bounds;         // of what they reach, with what lookups round
    uint32_t *home;          // of the triangles: the first model that has it
    kcl_box *boxes;          // of the models: around their cells; low > high if there are none
    size_t *counts;          // of the models, for a cell: how many of its triangles they have
    need *needs;
    size_t needs_count, needs_capacity;
    filling *fillings;
    size_t fillings_count, fillings_capacity;
    uint32_t *seen;   // by triangle: the last model that was found to have it, + 1
    uint32_t *copies; // of the model under work: triangles that its cells need and it hasn't
    size_t copies_count;
    size_t copied, unsound;
    size_t octrees; // bytes of the old ones
} work;

// --- what is there ----------------------------------------------------------------------------

static const kcl_box nothing = {{1, 1, 1}, {0, 0, 0}};

static void bounds_fill(work *w, size_t i) {
    kcl_solid solid;
    w->bounds[i] = nothing;
    if (!kcl_solid_make(&solid, w->corners[i], &w->reach)) return;
    for (int k = 0; k < 3; k++) {
        w->bounds[i].low[k] = solid.low[k] - w->reach.pad;
        w->bounds[i].high[k] = solid.high[k] + w->reach.pad;
    }
}

// Version 2 has one space for all models.
static bool space_holds(const work *w) {
    const kcl_doc *doc = w->doc;
    const double min[3] = {doc->min.x, doc->min.y, doc->min.z};
    for (size_t i = 0; i < w->same.triangles_count; i++)
        for (int k = 0; k < 3; k++) {
            const kcl_box *b = &w->bounds[i];
            if (b->low[k] <= b->high[k] &&
                (b->low[k] < min[k] - 1 ||
                 b->high[k] > min[k] + ldexp(1, (int)doc->width_shift[k])))
                return kart_fail(w->error, KART_LIMIT,
                                 "prisms can be touched from beyond the first octree");
        }
    return true;
}

static bool triangles_fill(work *w) {
    const kcl_doc *doc = w->doc;
    size_t count = w->same.triangles_count;
    w->corners = kart_alloc(doc->ctx, count * sizeof *w->corners, w->error);
    w->bounds = w->corners ? kart_alloc(doc->ctx, count * sizeof *w->bounds, w->error) : NULL;
    w->home = w->bounds ? kart_alloc(doc->ctx, count * sizeof *w->home, w->error) : NULL;
    w->seen = w->home ? kart_alloc(doc->ctx, count * sizeof *w->seen, w->error) : NULL;
    w->copies = w->seen ? kart_alloc(doc->ctx, count * sizeof *w->copies, w->error) : NULL;
    if (!w->copies) return false;
    for (size_t i = 0; i < count; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(doc, w->same.example[i], &in_model);
        w->home[i] = (uint32_t)(model - doc->models);
        w->unsound += !kcl_corners_get(doc, model, in_model, w->corners[i]);
        w->reach.radius = fmax(w->reach.radius, model->radius);
        w->reach.thickness = fmax(w->reach.thickness, model->thickness);
    }
    w->reach.pad = kcl_reach_pad(&w->reach, (const kart_vec3(*)[3])w->corners, count);
    for (size_t i = 0; i < count; i++) bounds_fill(w, i);
    return true;
}

// --- cells and models -------------------------------------------------------------------------

// Can the triangle be touched from the cell? Its bounds meet.
static bool cell_needs(const work *w, const kcl_box *cell, uint32_t triangle) {
    kcl_solid solid;
    return kcl_solid_make(&solid, w->corners[triangle], &w->reach) &&
           kcl_solid_box(&solid, &w->reach, cell->low, cell->high);
}

// The model where most of the triangles stand first that an empty cell needs; SIZE_MAX if it needs
// none.
static size_t cell_model(work *w, const kcl_box *cell, const uint32_t *reaching, size_t count) {
    size_t best = SIZE_MAX, most = 0;
    memset(w->counts, 0, w->doc->models_count * sizeof *w->counts);
    for (size_t i = 0; i < count; i++)
        if (cell_needs(w, cell, reaching[i])) w->counts[w->home[reaching[i]]]++;
    for (size_t m = 0; m < w->doc->models_count; m++)
        if (w->counts[m] > most) {
            most = w->counts[m];
            best = m;
        }
    return best;
}

static bool cell_fill(work *w, size_t at, size_t model) {
    filling *fillings = kart_array_grow(w->doc->ctx, w->fillings, &w->fillings_capacity,
                                        w->fillings_count + 1, sizeof *fillings, w->error);
    if (!fillings) return false;
    w->fillings = fillings;
    fillings[w->fillings_count++] = (filling){at, (uint32_t)model};
    return true;
}

static bool need_add(work *w, size_t model, uint32_t triangle) {
    need *needs = kart_array_grow(w->doc->ctx, w->needs, &w->needs_capacity, w->needs_count + 1,
                                  sizeof *needs, w->error);
    if (!needs) return false;
    w->needs = needs;
    needs[w->needs_count++] = (need){(uint32_t)model, triangle};
    return true;
}

static bool cell_see(void *user, const kcl_global_cell *cell, const uint32_t *reaching,
                     size_t count) {
    work *w = user;
    size_t model = cell->model;
    if (model == SIZE_MAX) {
        model = cell_model(w, &cell->box, reaching, count);
        if (model == SIZE_MAX) return true;
        if (!cell_fill(w, cell->at, model)) return false;
    }
    kcl_box *box = &w->boxes[model];
    bool first = box->low[0] > box->high[0];
    for (int i = 0; i < 3; i++) {
        box->low[i] = first ? cell->box.low[i] : fmin(box->low[i], cell->box.low[i]);
        box->high[i] = first ? cell->box.high[i] : fmax(box->high[i], cell->box.high[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (w->home[reaching[i]] != model && cell_needs(w, &cell->box, reaching[i]) &&
            !need_add(w, model, reaching[i]))
            return false;
    return true;
}

static int need_compare(const void *a, const void *b) {
    const need *x = a, *y = b;
    if (x->model != y->model) return x->model > y->model ? 1 : -1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static bool cells_see(work *w) {
    const kcl_doc *doc = w->doc;
    w->boxes = kart_alloc(doc->ctx, doc->models_count * sizeof *w->boxes, w->error);
    w->counts =
        w->boxes ? kart_alloc(doc->ctx, doc->models_count * sizeof *w->counts, w->error) : NULL;
    if (!w->counts) return false;
    for (size_t m = 0; m < doc->models_count; m++) w->boxes[m] = nothing;
    if (!kcl_global_walk(doc, w->bounds, w->same.triangles_count, cell_see, w, w->error))
        return false;
    if (w->needs_count > 0) qsort(w->needs, w->needs_count, sizeof *w->needs, need_compare);
    return true;
}

// What a model needs and hasn't; `*next` is its first need, and gets the one behind its last.
static void copies_find(work *w, size_t model, size_t first_prism, size_t *next) {
    w->copies_count = 0;
    for (size_t i = 0; i < w->doc->models[model].prisms_count; i++)
        w->seen[w->same.number[first_prism + i]] = (uint32_t)model + 1;
    for (; *next < w->needs_count && w->needs[*next].model == model; ++*next) {
        uint32_t triangle = w->needs[*next].triangle;
        if (w->seen[triangle] == model + 1) continue;
        w->seen[triangle] = (uint32_t)model + 1;
        w->copies[w->copies_count++] = triangle;
    }
    w->copied += w->copies_count;
}

// --- writing ----------------------------------------------------------------------------------

static bool copy_add(work *w, const kcl_model *to, kcl_additions *a, size_t triangle) {
    const kcl_doc *doc = w->doc;
    size_t in_model;
    const kcl_model *from = kcl_model_of(doc, w->same.example[triangle], &in_model);
    const uint8_t *record = doc->data + from->prisms.start + in_model * kcl_prism_size(doc->format);
    const kcl_prism prism = kcl_prism_get(doc, from, in_model);
    size_t number = kcl_pool_add(
        doc->ctx, &a->positions,
        doc->data + from->positions.start + prism.position * a->positions.entry, w->error);
    kart_write_bytes(&a->prisms, record, 4);
    kart_write_u16(&a->prisms, (uint16_t)(to->positions_count + number));
    for (size_t i = 0; number != SIZE_MAX && i < KCL_NORMALS; i++) {
        const uint8_t *normal =
            doc->data + from->normals.start + prism.normal[i] * a->normals.entry;
        number = kcl_pool_add(doc->ctx, &a->normals, normal, w->error);
        kart_write_u16(&a->prisms, (uint16_t)(to->normals_count + number));
    }
    kart_write_u16(&a->prisms, prism.flag);
    kart_write_u32(&a->prisms, prism.triangle);
    return number != SIZE_MAX;
}

static bool copies_write(work *w, const kcl_model *m, kart_writer *out) {
    kart_ctx *ctx = w->doc->ctx;
    const kcl_format *f = w->doc->format;
    kcl_additions a = {.prisms = kart_writer_make(ctx, f->big)};
    bool done = kcl_pool_init(ctx, &a.positions, kcl_position_size(f), w->error) &&
                kcl_pool_init(ctx, &a.normals, kcl_normal_size(f), w->error);
    for (size_t i = 0; done && i < w->copies_count; i++) done = copy_add(w, m, &a, w->copies[i]);
    done = done &&
           kcl_model_fits(m->prisms_count + w->copies_count, m->positions_count + a.positions.count,
                          m->normals_count + a.normals.count, w->error);
    if (done) kcl_sections_copy(w->doc, m, &a, out);
    if (done && a.prisms.failed && w->error) *w->error = a.prisms.error;
    done = done && !a.prisms.failed;
    kart_writer_free(&a.prisms);
    kcl_pool_free(ctx, &a.normals);
    kcl_pool_free(ctx, &a.positions);
    return done;
}

static bool octree_write(work *w, const kcl_model *m, const kcl_box *within, size_t start,
                         kart_writer *out) {
    kcl_doc *doc = w->doc;
    size_t count = m->prisms_count + w->copies_count, bytes = count * sizeof *w->corners;
    kart_vec3(*corners)[3] = kart_alloc(doc->ctx, bytes, w->error);
    if (!corners) return false;
    for (size_t i = 0; i < m->prisms_count; i++) kcl_corners_get(doc, m, i, corners[i]);
    for (size_t i = 0; i < w->copies_count; i++)
        memcpy(corners[m->prisms_count + i], w->corners[w->copies[i]], sizeof *corners);
    const kcl_build_input input = {(const kart_vec3(*)[3])corners, count, m->thickness, m->radius,
                                   within};
    // Of bytes for all octrees each one gets its old share.
    kcl_build_options options = *w->options;
    double share = (double)(m->octree.end - m->octree.start) / (double)w->octrees;
    options.budget = (size_t)((double)options.budget * share);
    options.wanted = (size_t)((double)options.wanted * share);
    kcl_octree octree;
    bool done = kcl_octree_build(doc->ctx, doc->format, &input, &options, &octree, w->error);
    kart_free(doc->ctx, corners, bytes);
    if (!done) return false;
    kcl_octree_append(doc->format, &octree, start, out);
    kcl_octree_free(doc->ctx, &octree);
    return true;
}

static bool model_write(work *w, size_t model, kart_writer *out) {
    const kcl_model *m = &w->doc->models[model];
    const kcl_box *box = &w->boxes[model];
    size_t start = out->size;
    if (w->copies_count == 0)
        kcl_sections_copy(w->doc, m, NULL, out);
    else if (!copies_write(w, m, out))
        return false;
    return octree_write(w, m, box->low[0] <= box->high[0] ? box : NULL, start, out);
}

// The file up to its first model, then the models in the order of the table.
static uint8_t *file_write(work *w, size_t *size) {
    const kcl_doc *doc = w->doc;
    size_t first = doc->size, prism = 0, next = 0;
    size_t table = kart_load_u32(doc->data + 8, doc->format->big);
    for (size_t m = 0; m < doc->models_count; m++)
        if (doc->models[m].range.start < first) first = doc->models[m].range.start;
    kart_writer out = kart_writer_make(doc->ctx, doc->format->big);
    kart_write_bytes(&out, doc->data, first);
    for (size_t i = 0; !out.failed && i < w->fillings_count; i++)
        kart_store_u32(out.data + w->fillings[i].at, out.big,
                       KCL_GLOBAL_MODEL | w->fillings[i].model);
    bool done = true;
    for (size_t m = 0; done && m < doc->models_count; m++) {
        kart_write_align(&out);
        if (!out.failed) kart_store_u32(out.data + table + 4 * m, out.big, (uint32_t)out.size);
        copies_find(w, m, prism, &next);
        done = model_write(w, m, &out) ||
               kcl_share_fail(w->error, m, doc->models_count, w->options->budget);
        prism += doc->models[m].prisms_count;
    }
    uint8_t *bytes = done ? kart_writer_take(&out, size, w->error) : NULL;
    kart_writer_free(&out);
    return bytes;
}

// --- the document -----------------------------------------------------------------------------

static bool warn(work *w) {
    return (w->copied == 0 ||
            kcl_warn(w->doc, KART_WARNING, "prisms-copied", KART_NO_INDEX, "", w->error,
                     "%zu copies of prisms were added to models from whose cells they can be "
                     "touched",
                     w->copied)) &&
           (w->fillings_count == 0 ||
            kcl_warn(w->doc, KART_WARNING, "cells-filled", KART_NO_INDEX, "", w->error,
                     "%zu empty cells of the first octree got a model: there is something to touch",
                     w->fillings_count)) &&
           kcl_unlisted_warn(w->doc, w->unsound, w->error);
}

static bool run(work *w) {
    kcl_doc *doc = w->doc;
    size_t size;
    for (size_t m = 0; m < doc->models_count; m++)
        w->octrees += doc->models[m].octree.end - doc->models[m].octree.start;
    if (!kcl_same_find(doc, &w->same, w->error) || !triangles_fill(w) || !space_holds(w) ||
        !cells_see(w))
        return false;
    uint8_t *bytes = file_write(w, &size);
    kcl_doc *fresh = bytes ? kcl_parse(doc->ctx, bytes, size, doc->format->game, w->error) : NULL;
    if (bytes) kart_free(doc->ctx, bytes, size);
    if (!fresh) return false;
    bool done = warn(w);
    if (done) kcl_take(doc, fresh);
    kcl_free(fresh);
    return done;
}

bool kcl_models_rebuild(kcl_doc *doc, const kcl_build_options *options, kart_error *error) {
    kart_ctx *ctx = doc->ctx;
    work w = {.doc = doc, .error = error, .options = options, .same = {.ctx = ctx}};
    bool done = run(&w);
    size_t count = w.same.triangles_count;
    kart_free(ctx, w.fillings, w.fillings_capacity * sizeof *w.fillings);
    kart_free(ctx, w.needs, w.needs_capacity * sizeof *w.needs);
    kart_free(ctx, w.counts, doc->models_count * sizeof *w.counts);
    kart_free(ctx, w.boxes, doc->models_count * sizeof *w.boxes);
    kart_free(ctx, w.copies, count * sizeof *w.copies);
    kart_free(ctx, w.seen, count * sizeof *w.seen);
    kart_free(ctx, w.home, count * sizeof *w.home);
    kart_free(ctx, w.bounds, count * sizeof *w.bounds);
    kart_free(ctx, w.corners, count * sizeof *w.corners);
    kcl_same_free(&w.same);
    return done;
}
