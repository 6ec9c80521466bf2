#include "kcl/verify.h"

#include "core/array.h"
#include "core/triangle.h"
#include "kcl/faces.h"
#include "kcl/galaxy.h"
#include "kcl/verify_cells.h"

#include <stdlib.h>
#include <string.h>

bool kcl_verify_is_galaxy(const kcl_doc *doc) {
    const kcl_format *f = doc->format;
    return !f->has_radius || (f->v2 && (f->game == KCL_SMO || doc->models[0].radius == 0));
}

void kcl_verification_free(kcl_verification *result) {
    kart_free(result->ctx, result->misses, result->capacity * sizeof *result->misses);
    *result = (kcl_verification){.ctx = result->ctx};
}

// --- contact ----------------------------------------------------------------------------------

static kart_vec3 vec_of(const float v[3]) {
    return (kart_vec3){(double)v[0], (double)v[1], (double)v[2]};
}

// The triangle of a prism over all models; false if it is none.
static bool triangle_get(const kcl_doc *doc, size_t prism, kart_vec3 corner[3]) {
    size_t in_model;
    const kcl_model *model = kcl_model_of(doc, prism, &in_model);
    const kcl_prism p = kcl_prism_get(doc, model, in_model);
    return kcl_prism_triangle(doc, model, &p, corner) == KCL_SOUND;
}

bool kcl_contact(const kcl_verify_work *w, size_t prism, const kcl_query *query, double *distance) {
    const kcl_doc *doc = w->lookup->doc;
    kart_vec3 corner[3];
    if (!triangle_get(doc, prism, corner)) return false;
    size_t in_model;
    const kcl_model *model = kcl_model_of(doc, prism, &in_model);
    const kart_vec3 p = vec_of(query->point);
    *distance = vec3_length(vec3_sub(kart_triangle_nearest(corner, p), p));
    double radius = (double)query->radius;
    if (!w->galaxy && model->radius > 0 && model->radius < radius) radius = model->radius;
    if (*distance <= radius) return true;
    // Straight below: the way up along the normal ends on the triangle.
    const kart_vec3 ab = vec3_sub(corner[1], corner[0]), ac = vec3_sub(corner[2], corner[0]);
    const kart_vec3 across = vec3_cross(ab, ac);
    const double length = vec3_length(across);
    const double above = vec3_dot(vec3_sub(p, corner[0]), across) / length;
    const kart_vec3 up = vec3_sub(p, vec3_scale(across, above / length));
    const double beside = vec3_length(vec3_sub(kart_triangle_nearest(corner, up), up));
    return above <= 0 && above >= -model->thickness && beside <= 1e-9 * (1 + vec3_length(up));
}

// --- misses -----------------------------------------------------------------------------------

static int number_compare(double a, double b) { return (a > b) - (a < b); }

static int miss_compare(const void *left, const void *right) {
    const kcl_miss *a = left, *b = right;
    int order = number_compare((double)a->model, (double)b->model);
    for (int i = 2; order == 0 && i >= 0; i--)
        order = number_compare(a->cell.cell[i], b->cell.cell[i]);
    return order ? order : number_compare((double)a->prism, (double)b->prism);
}

// The order in which they came: what is first shows the miss.
static int miss_compare_stable(const void *left, const void *right) {
    const kcl_miss *a = left, *b = right;
    const int order = miss_compare(a, b);
    return order ? order : number_compare((double)a->count, (double)b->count);
}

// Sort, and make one of those with the same cell and prism. Until then `count` is a serial number.
static void misses_merge(kcl_verification *v) {
    if (v->count == 0) return;
    qsort(v->misses, v->count, sizeof *v->misses, miss_compare_stable);
    size_t kept = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (kept > 0 && miss_compare(&v->misses[kept - 1], &v->misses[i]) == 0) {
            v->misses[kept - 1].count++;
        } else {
            v->misses[kept] = v->misses[i];
            v->misses[kept++].count = 1;
        }
    }
    v->count = kept;
}

bool kcl_miss_add(kcl_verify_work *w, size_t prism, const kcl_query *query, double distance,
                  double depth, kart_error *error) {
    kcl_verification *v = w->result;
    kcl_miss miss = {.prism = prism,
                     .point = vec_of(query->point),
                     .radius = (double)query->radius,
                     .distance = distance,
                     .depth = depth,
                     .count = w->serial++};
    const kcl_doc *doc = w->lookup->doc;
    if (kcl_cell_at(doc, query->point, &miss.model, &miss.cell)) {
        miss.cell_min = doc->models[miss.model].min;
        miss.cell_prisms = kcl_list_length(doc, miss.cell.list);
    } else {
        miss.model = SIZE_MAX;
        miss.cell = (kcl_leaf){0};
    }
    if (v->count == KCL_MISSES_MOST) {
        v->unnamed++;
        return true;
    }
    kcl_miss *items =
        kart_array_grow(v->ctx, v->misses, &v->capacity, v->count + 1, sizeof *items, error);
    if (!items) return false;
    v->misses = items;
    items[v->count++] = miss;
    return true;
}

// --- one query --------------------------------------------------------------------------------

static bool holds(const kcl_hits *hits, size_t prism) {
    for (size_t i = 0; i < hits->count; i++)
        if (hits->items[i].prism == prism) return true;
    return false;
}

// Copies of a triangle in several models may begin with another corner, and differ in the last
// bits.
#define SAME_CORNER 0.1

static bool same_triangle(const kart_vec3 a[3], const kart_vec3 b[3]) {
    for (int turn = 0; turn < 3; turn++) {
        double most = 0;
        for (int i = 0; i < 3; i++)
            most = fmax(most, vec3_length(vec3_sub(a[i], b[(i + turn) % 3])));
        if (most < SAME_CORNER) return true;
    }
    return false;
}

// Was a copy of the prism found?
static bool holds_copy(const kcl_doc *doc, const kcl_hits *hits, size_t prism) {
    kart_vec3 corner[3], other[3];
    if (doc->models_count < 2 || !triangle_get(doc, prism, corner)) return false;
    for (size_t i = 0; i < hits->count; i++)
        if (triangle_get(doc, hits->items[i].prism, other) && same_triangle(corner, other))
            return true;
    return false;
}

static bool missed_by(const kcl_verify_work *w, size_t prism) {
    return !holds(&w->found, prism) && !holds_copy(w->lookup->doc, &w->found, prism);
}

static bool through_octree(kcl_verify_work *w, const kcl_query *query, kart_error *error) {
    w->found.count = 0;
    return (w->galaxy ? kcl_galaxy_sphere : kcl_lookup_sphere)(w->lookup, query, &w->found, error);
}

bool kcl_verify_missed(kcl_verify_work *w, const kcl_query *query, size_t prism, bool *missed,
                       kart_error *error) {
    if (!through_octree(w, query, error)) return false;
    *missed = missed_by(w, prism);
    return true;
}

// Compare the answers to a drawn query.
static bool query_compare(kcl_verify_work *w, const kcl_query *query, kart_error *error) {
    kcl_lookup_fn *past = w->galaxy ? kcl_galaxy_sphere_all : kcl_lookup_sphere_all;
    w->all.count = 0;
    if (!through_octree(w, query, error) || !past(w->lookup, query, &w->all, error)) return false;
    for (size_t i = 0; i < w->all.count; i++) {
        const kcl_hit *hit = &w->all.items[i];
        double distance;
        const bool contact = kcl_contact(w, hit->prism, query, &distance);
        const bool missed = missed_by(w, hit->prism);
        w->result->hits++;
        w->result->far += !contact;
        w->result->far_missed += !contact && missed;
        if (contact && missed &&
            !kcl_miss_add(w, hit->prism, query, distance, (double)hit->depth, error))
            return false;
    }
    return true;
}

// --- drawing ----------------------------------------------------------------------------------

// From 0 to 1, the same on every machine.
static double draw(kcl_verify_work *w) {
    w->seed = w->seed * 1664525u + 1013904223u;
    return (double)(w->seed >> 8) / (1 << 24); // the low bits of such a generator are poor
}

static kart_vec3 draw_ball(kcl_verify_work *w, double radius) {
    for (;;) {
        const kart_vec3 v = {2 * draw(w) - 1, 2 * draw(w) - 1, 2 * draw(w) - 1};
        if (vec3_dot(v, v) <= 1) return vec3_scale(v, radius);
    }
}

static void vec_put(float to[3], kart_vec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

// A sphere near a place of a triangle.
static kcl_query query_draw(kcl_verify_work *w, const uint32_t *sound, size_t count, size_t i) {
    const kcl_doc *doc = w->lookup->doc;
    const float radius = w->radii[i % w->radii_count];
    size_t in_model, prism = sound[(size_t)(draw(w) * (double)count)];
    const kcl_model *model = kcl_model_of(doc, prism, &in_model);
    kart_vec3 corner[3];
    triangle_get(doc, prism, corner);
    double a = draw(w), b = draw(w);
    if (a + b > 1) a = 1 - a, b = 1 - b;
    const kart_vec3 ab = vec3_sub(corner[1], corner[0]), ac = vec3_sub(corner[2], corner[0]);
    kart_vec3 place = vec3_add(corner[0], vec3_add(vec3_scale(ab, a), vec3_scale(ac, b)));
    const kart_vec3 across = vec3_cross(ab, ac);
    if (i % 4 == 3) // below
        place =
            vec3_sub(place, vec3_scale(across, draw(w) * model->thickness / vec3_length(across)));
    else
        place = vec3_add(place, draw_ball(w, (double)radius));
    kcl_query query = {
        .radius = radius, .types = KCL_TYPES_ALL, .moving = !w->galaxy && draw(w) < 0.5};
    vec_put(query.point, place);
    vec_put(query.from, vec3_add(place, draw_ball(w, (double)radius)));
    return query;
}

static bool queries_run(kcl_verify_work *w, size_t queries, kart_error *error) {
    const kcl_doc *doc = w->lookup->doc;
    uint32_t *sound = kart_alloc(doc->ctx, doc->prisms_count * sizeof *sound, error);
    if (!sound) return false;
    size_t count = 0;
    kart_vec3 corner[3];
    for (size_t i = 0; i < doc->prisms_count; i++)
        if (triangle_get(doc, i, corner)) sound[count++] = (uint32_t)i;
    bool done = true;
    for (size_t i = 0; done && count > 0 && i < queries; i++) {
        const kcl_query query = query_draw(w, sound, count, i);
        done = query_compare(w, &query, error) &&
               (i % 64 != 0 || kart_ctx_step(doc->ctx, (double)i / (double)queries / 2, error));
        w->result->queries++;
    }
    kart_free(doc->ctx, sound, doc->prisms_count * sizeof *sound);
    return done;
}

// --- all --------------------------------------------------------------------------------------

static void radii_set(kcl_verify_work *w, const kcl_verify_options *options) {
    const kcl_model *model = &w->lookup->doc->models[0];
    static const double shares[KCL_VERIFY_RADII] = {1, 0.4, 0.08};
    const double largest = model->radius > 0 ? model->radius : 2.5 * model->thickness;
    for (size_t i = 0; i < KCL_VERIFY_RADII; i++) w->own[i] = (float)(largest * shares[i]);
    w->radii = options->radii ? options->radii : w->own;
    w->radii_count = options->radii ? options->radii_count : KCL_VERIFY_RADII;
}

bool kcl_verify(kcl_doc *doc, const kcl_verify_options *options, kcl_verification *result,
                kart_error *error) {
    const kcl_verify_options usual = {.queries = KCL_VERIFY_QUERIES,
                                      .galaxy = kcl_verify_is_galaxy(doc)};
    if (!options) options = &usual;
    *result = (kcl_verification){.ctx = doc->ctx};
    kcl_verify_work w = {.lookup = kcl_lookup_of(doc, error),
                         .result = result,
                         .galaxy = options->galaxy,
                         .seed = options->seed,
                         .found = {.ctx = doc->ctx},
                         .all = {.ctx = doc->ctx}};
    if (!w.lookup) return false;
    radii_set(&w, options);
    bool done = queries_run(&w, options->queries, error) &&
                (options->without_cells || kcl_verify_cells(&w, error));
    kcl_hits_free(&w.found);
    kcl_hits_free(&w.all);
    misses_merge(result);
    return done;
}
