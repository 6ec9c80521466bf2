// Lookups by the rule of Mario Kart Wii: one cell, one list, in its order.
#include "kcl/lookup.h"

#include "core/array.h"
#include "kcl/faces.h"
#include "kcl/rebuild.h"

#include <string.h>

const char *kcl_region_name(kcl_region region) {
    static const char *const names[KCL_REGIONS] = {"face", "ca", "ab", "bc", "a", "b", "c"};
    return names[region];
}

// --- hits -------------------------------------------------------------------------------------

bool kcl_hits_grow(kcl_hits *hits, kart_error *error) {
    if (!hits->ctx) return kart_fail(error, KART_LIMIT, "no room for more hits");
    kcl_hit *items = kart_array_grow(hits->ctx, hits->items, &hits->capacity, hits->count + 1,
                                     sizeof *items, error);
    if (items) hits->items = items;
    return items != NULL;
}

void kcl_hits_free(kcl_hits *hits) {
    kart_free(hits->ctx, hits->items, hits->capacity * sizeof *hits->items);
    *hits = (kcl_hits){.ctx = hits->ctx};
}

// --- the table --------------------------------------------------------------------------------

static kcl_face face_of(const kcl_doc *doc, const kcl_model *model, size_t in_model) {
    kcl_prism prism = kcl_prism_get(doc, model, in_model);
    kcl_face face;
    kart_vec3 corner = kcl_position_get(doc, model, prism.position);
    face.corner =
        (console_lanes){(float)corner.x, (float)corner.y, (float)corner.z, (float)prism.height};
    for (size_t i = 0; i < KCL_NORMALS; i++) {
        kart_vec3 normal = kcl_normal_get(doc, model, prism.normal[i]);
        face.x[i] = (float)normal.x;
        face.y[i] = (float)normal.y;
        face.z[i] = (float)normal.z;
    }
    return face;
}

// One block: the table, the models' first prisms, faces at the next multiple of their size.
static kcl_lookup *lookup_new(const kcl_doc *doc, kart_error *error) {
    size_t size = sizeof(kcl_lookup) + doc->models_count * sizeof(size_t) +
                  (doc->prisms_count + 1) * sizeof(kcl_face);
    kcl_lookup *lookup = kart_alloc(doc->ctx, size, error);
    if (!lookup) return NULL;
    size_t *first = (size_t *)(lookup + 1);
    uintptr_t end = (uintptr_t)(first + doc->models_count);
    kcl_face *faces = (kcl_face *)((end + sizeof(kcl_face) - 1) & ~(sizeof(kcl_face) - 1));
    *lookup = (kcl_lookup){.doc = doc, .size = size, .faces = faces, .first = first};
    for (size_t m = 0; m < doc->models_count; m++) {
        first[m] = (size_t)(faces - lookup->faces);
        for (size_t i = 0; i < doc->models[m].prisms_count; i++)
            *faces++ = face_of(doc, &doc->models[m], i);
    }
    return lookup;
}

const kcl_lookup *kcl_lookup_of(kcl_doc *doc, kart_error *error) {
    if (doc->stale && !kcl_rebuild(doc, NULL, error)) return NULL;
    if (!doc->lookup) doc->lookup = lookup_new(doc, error);
    return doc->lookup;
}

void kcl_lookup_free(kcl_lookup *lookup) {
    if (lookup) kart_free(lookup->doc->ctx, lookup, lookup->size);
}

size_t kcl_lookup_memory(const kcl_doc *doc) { return doc->lookup ? doc->lookup->size : 0; }

// --- cells ------------------------------------------------------------------------------------

bool kcl_cell_at(const kcl_doc *doc, const float point[3], size_t *model, kcl_leaf *leaf) {
    int32_t place[3];
    *model = 0;
    if (doc->format->v2) {
        if (!kcl_place_cut(point, doc->min, place)) return false;
        *model = kcl_global_find(doc, place);
        if (*model == SIZE_MAX) return false;
    }
    return kcl_place_cut(point, doc->models[*model].min, place) &&
           kcl_octree_find(doc, &doc->models[*model], place, leaf);
}

// --- one prism --------------------------------------------------------------------------------

// Surfaces of Mario Kart Wii that are felt from one direction only: fall boundary, cannon, force
// recalculation, sound trigger, effect trigger. [S]
#define MKW_DIRECTIONAL 0x05070000u

// A query in a model.
typedef struct probe {
    const kcl_query *query;
    const kcl_lookup *lookup;
    const kcl_model *model;
    const kcl_face *faces; // of the model
    const uint8_t *flags;  // of its first prism
    size_t flags_step;
    console_lanes point;
    float radius, deepest; // hits are less deep than that
    float movement[3];
    uint32_t directional; // types that are felt from one side
    bool sphere, moving, big;
} probe;

// How far outside a point may be of an edge or the face.
#define POINT_SLACK 0.01f

static probe probe_make(const kcl_lookup *lookup, const kcl_query *query, size_t model,
                        bool sphere) {
    const kcl_model *m = &lookup->doc->models[model];
    const float cap = (float)m->radius;
    const float radius = cap > 0 && cap < query->radius ? cap : query->radius;
    probe p = {.query = query,
               .lookup = lookup,
               .model = m,
               .faces = lookup->faces + lookup->first[model],
               .flags = lookup->doc->data + m->prisms.start + 14,
               .flags_step = kcl_prism_size(lookup->doc->format),
               .point = {query->point[0], query->point[1], query->point[2], 0},
               .big = lookup->doc->format->big,
               .radius = sphere ? radius : POINT_SLACK,
               .deepest = (float)m->thickness + (sphere ? 0 : 2 * POINT_SLACK),
               .moving = query->moving && isfinite(query->from[0]) && isfinite(query->from[1]) &&
                         isfinite(query->from[2]),
               .directional = lookup->doc->format->game == KCL_MKW ? MKW_DIRECTIONAL : 0,
               .sphere = sphere};
    for (int i = 0; i < 3; i++) p.movement[i] = query->point[i] - query->from[i];
    return p;
}

// How far the point moved along the face's normal, on a type that asks for it; else 0.
static float directed(const probe *p, const float normal[3], uint32_t type) {
    const float *m = p->movement;
    if (!(type & p->directional)) return 0;
    return m[0] * normal[0] + m[1] * normal[1] + m[2] * normal[2];
}

// Was the point below the face a step before?
static bool came_from_below(const probe *p, const float q[3], const float normal[3]) {
    const float last[3] = {q[0] - p->movement[0], q[1] - p->movement[1], q[2] - p->movement[2]};
    return console_dot(last, normal) < 0;
}

kcl_edges kcl_edges_choose(const kcl_face *face, const float d[KCL_NORMALS]) {
    // By tables: which it is can't be foreseen, and branches would be.
    enum { AB_CA = 1, AB_BC = 2, BC_CA = 4 };
    static const uint8_t farthest[8] = {KCL_CA, KCL_CA, KCL_CA, KCL_AB,
                                        KCL_BC, KCL_BC, KCL_BC, KCL_AB};
    static const uint8_t before[KCL_NORMALS] = {0, KCL_BC, KCL_CA, KCL_AB};
    static const uint8_t after[KCL_NORMALS] = {0, KCL_AB, KCL_BC, KCL_CA};
    const int far = farthest[AB_CA * (d[KCL_AB] >= d[KCL_CA]) + AB_BC * (d[KCL_AB] > d[KCL_BC]) +
                             BC_CA * (d[KCL_BC] >= d[KCL_CA])];
    kcl_edges edges = {.far = far, .cyclic = d[before[far]] >= d[after[far]]};
    edges.other = edges.cyclic ? before[far] : after[far];
    float n[3], m[3];
    kcl_face_normal(face, edges.far, n);
    kcl_face_normal(face, edges.other, m);
    edges.cosine = console_dot(n, m);
    edges.corner = !(edges.cosine * d[edges.far] > d[edges.other]);
    // The corner where the later of the two begins.
    static const kcl_region corners[KCL_NORMALS] = {
        [KCL_CA] = KCL_REGION_C, [KCL_AB] = KCL_REGION_A, [KCL_BC] = KCL_REGION_B};
    edges.region = edges.corner ? corners[edges.cyclic ? edges.far : edges.other]
                                : (kcl_region)(KCL_REGION_FACE + edges.far);
    return edges;
}

float kcl_corner_square(const kcl_face *face, const float d[KCL_NORMALS], const kcl_edges *edges) {
    // The order in which the engine solves for the corner: the edge that begins there last.
    const int first = edges->cyclic ? edges->other : edges->far;
    const int last = edges->cyclic ? edges->far : edges->other;
    const float c = edges->cosine;
    float a[3], b[3], k[3];
    kcl_face_normal(face, first, a);
    kcl_face_normal(face, last, b);
    const float t = (c * d[last] - d[first]) / (c * c - 1), s = d[last] - t * c;
    for (int i = 0; i < 3; i++) k[i] = a[i] * t + b[i] * s;
    return console_square(k);
}

// What no plane rules out. What is no number rejects nothing: so the comparisons are written as the
// engine makes them.
static bool sphere_touches(const probe *p, const kcl_face *face, uint32_t type, const float q[3],
                           const float d[KCL_NORMALS], kcl_hit *hit) {
    const float r = p->radius, above = d[KCL_FACE], depth = r - above;
    if (p->moving && directed(p, hit->normal, type) > 0) return false;
    if (d[KCL_CA] <= 0 && d[KCL_AB] <= 0 && d[KCL_BC] <= 0) {
        hit->depth = depth;
        return !(p->moving && above < 0 && came_from_below(p, q, hit->normal));
    }
    const kcl_edges edges = kcl_edges_choose(face, d);
    float rest;
    if (edges.corner) {
        const float square = kcl_corner_square(face, d, &edges);
        if (!p->moving && square > above * above) return false;
        rest = r * r - square;
    } else {
        const float far = d[edges.far];
        if (!p->moving && far > above) return false; // only from above, within 45 degrees
        rest = r * r - far * far;
    }
    if (rest < above * above || rest <= 0) return false;
    hit->region = (uint8_t)edges.region;
    hit->depth = console_sqrt(rest) - above;
    return !(hit->depth <= 0) && !(p->moving && came_from_below(p, q, hit->normal));
}

static bool point_touches(const probe *p, uint32_t type, const float d[KCL_NORMALS], kcl_hit *hit) {
    hit->depth = p->radius - d[KCL_FACE];
    // The other way round than for spheres: so is the engine.
    return !(p->moving && directed(p, hit->normal, type) < 0);
}

// --- lookups ----------------------------------------------------------------------------------

// A prism that no plane rules out, and where the point is to it.
typedef struct candidate {
    const kcl_face *face;
    console_lanes offset, distances;
} candidate;

// Is the point beyond one of the prism's planes?
static inline bool ruled_out(const probe *p, candidate *it) {
    const console_bits only_face = {-1, 0, 0, 0};
    it->distances = kcl_face_distances(it->face, p->point, &it->offset);
    return console_any((it->distances >= p->radius) |
                       ((p->radius - it->distances >= p->deepest) & only_face));
}

static bool candidate_test(const probe *p, const candidate *it, kcl_hits *hits, kart_error *error) {
    const kcl_face *face = it->face;
    const size_t in_model = (size_t)(face - p->faces);
    kcl_hit hit = {.prism = (uint32_t)(face - p->lookup->faces),
                   .flag = kart_load_u16(p->flags + in_model * p->flags_step, p->big),
                   .region = KCL_REGION_FACE};
    const uint32_t type = kcl_type_bit(p->lookup->doc, hit.flag);
    if (!(type & p->query->types)) return true;
    float d[KCL_NORMALS], q[4];
    memcpy(d, &it->distances, sizeof d);
    memcpy(q, &it->offset, sizeof q);
    kcl_face_normal(face, KCL_FACE, hit.normal);
    const bool touches =
        p->sphere ? sphere_touches(p, face, type, q, d, &hit) : point_touches(p, type, d, &hit);
    return !touches || kcl_hits_add(hits, hit, error);
}

// Prisms are taken by so many: first those that a plane rules out, which most are, are left behind
// without a branch, for it could not be foreseen; then the others are tested.
#define TAKEN 32

static bool candidates_test(const probe *p, const candidate *them, size_t count, kcl_hits *hits,
                            kart_error *error) {
    for (size_t i = 0; i < count; i++)
        if (!candidate_test(p, &them[i], hits, error)) return false;
    return true;
}

static bool cell_lookup(const kcl_lookup *lookup, const kcl_query *query, bool sphere,
                        kcl_hits *hits, kart_error *error) {
    const kcl_doc *doc = lookup->doc;
    size_t model;
    kcl_leaf leaf;
    if (!kcl_cell_at(doc, query->point, &model, &leaf)) return true;
    const probe p = probe_make(lookup, query, model, sphere);
    const unsigned end = kcl_list_end(doc->format);
    const kcl_face *faces = p.faces - kcl_first_id(doc->format);
    const uint8_t *list = doc->data + leaf.list, *at = list;
    candidate them[TAKEN];
    size_t count;
    do {
        count = 0;
        for (unsigned id; count < TAKEN && (id = kart_load_u16(at, p.big)) != end; at += 2) {
            them[count].face = faces + id;
            count += !ruled_out(&p, &them[count]);
        }
        if (!candidates_test(&p, them, count, hits, error)) return false;
    } while (count == TAKEN);
    hits->tested += (size_t)(at - list) / 2;
    return true;
}

bool kcl_lookup_sphere(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                       kart_error *error) {
    return isnan(query->radius) || cell_lookup(lookup, query, true, hits, error);
}

bool kcl_lookup_point(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                      kart_error *error) {
    return cell_lookup(lookup, query, false, hits, error);
}

bool kcl_lookup_one(const kcl_lookup *lookup, const kcl_query *query, size_t prism, kcl_hit *hit) {
    size_t in_model;
    const kcl_model *model = kcl_model_of(lookup->doc, prism, &in_model);
    const probe p = probe_make(lookup, query, (size_t)(model - lookup->doc->models), true);
    candidate it = {.face = lookup->faces + prism};
    kcl_hits hits = {.items = hit, .capacity = 1};
    return !ruled_out(&p, &it) && candidate_test(&p, &it, &hits, NULL) && hits.count == 1;
}

bool kcl_lookup_sphere_all(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                           kart_error *error) {
    const float *at = query->point;
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]) || isnan(query->radius))
        return true;
    for (size_t m = 0; m < lookup->doc->models_count; m++) {
        const probe p = probe_make(lookup, query, m, true);
        hits->tested += p.model->prisms_count;
        for (size_t i = 0; i < p.model->prisms_count; i++) {
            candidate it = {.face = p.faces + i};
            if (!ruled_out(&p, &it) && !candidate_test(&p, &it, hits, error)) return false;
        }
    }
    return true;
}
