#include "kcl/galaxy.h"

#include "kcl/faces.h"
#include "kcl/octree.h"

#include <math.h>
#include <string.h>

// --- one prism --------------------------------------------------------------------------------

static bool same_direction(const float a[3], const float b[3]) {
    const float slack = 0.01f;
    return fabsf(a[1] * b[2] - a[2] * b[1]) <= slack && fabsf(a[2] * b[0] - a[0] * b[2]) <= slack &&
           fabsf(a[0] * b[1] - a[1] * b[0]) <= slack;
}

// Left out at loading? Written so that a prism with what is no number is.
static bool left_out(const kcl_face *face) {
    float ca[3], ab[3], bc[3];
    kcl_face_normal(face, KCL_CA, ca);
    kcl_face_normal(face, KCL_AB, ab);
    kcl_face_normal(face, KCL_BC, bc);
    const float sum = console_dot(ca, ca) + console_dot(ab, ab) + console_dot(bc, bc);
    return !(face->corner[3] > 0) || isnan(sum) || same_direction(ca, ab) ||
           same_direction(ca, bc) || same_direction(ab, bc);
}

typedef struct probe {
    const kcl_lookup *lookup;
    const kcl_model *model;
    const kcl_face *faces; // of the model
    const kcl_query *query;
    console_lanes point;
    float thickness;
} probe;

static probe probe_make(const kcl_lookup *lookup, const kcl_query *query, size_t model) {
    return (probe){.lookup = lookup,
                   .model = &lookup->doc->models[model],
                   .faces = lookup->faces + lookup->first[model],
                   .query = query,
                   .point = {query->point[0], query->point[1], query->point[2], 0},
                   .thickness = (float)lookup->doc->models[model].thickness};
}

// Does the query want the prism's type? Fills what every hit of it has.
static bool hit_begin(const probe *p, size_t prism, kcl_hit *hit) {
    const kcl_doc *doc = p->lookup->doc;
    const uint16_t flag = kcl_flag_get(doc, p->model, prism);
    *hit = (kcl_hit){.prism = (uint32_t)((size_t)(p->faces - p->lookup->faces) + prism),
                     .flag = flag,
                     .region = KCL_REGION_FACE};
    kcl_face_normal(&p->faces[prism], KCL_FACE, hit->normal);
    return (kcl_type_bit(doc, flag) & p->query->types) && !left_out(&p->faces[prism]);
}

static bool sphere_touches(const probe *p, size_t prism, kcl_hit *hit) {
    const kcl_face *face = &p->faces[prism];
    const float r = p->query->radius;
    console_lanes offset;
    const console_lanes lanes = kcl_face_distances(face, p->point, &offset);
    float d[KCL_NORMALS];
    memcpy(d, &lanes, sizeof d);
    const float above = d[KCL_FACE];
    if (!(d[KCL_CA] < r && d[KCL_AB] < r && d[KCL_BC] < r && above <= r)) return false;
    if (!hit_begin(p, prism, hit)) return false;
    if (d[KCL_CA] <= 0 && d[KCL_AB] <= 0 && d[KCL_BC] <= 0) {
        hit->depth = r - above;
        return hit->depth <= p->thickness;
    }
    const kcl_edges edges = kcl_edges_choose(face, d);
    const float far = d[edges.far];
    const float square = edges.corner ? kcl_corner_square(face, d, &edges) : far * far;
    // From above only, within 45 degrees.
    if (!(above >= 0 && square <= above * above && square < r * r)) return false;
    const float rest = r * r - square;
    if (!(rest >= above * above && rest > 0)) return false;
    hit->region = (uint8_t)edges.region;
    hit->depth = console_sqrt(rest) - above;
    return hit->depth > 0 && hit->depth <= p->thickness;
}

static bool point_inside(const probe *p, size_t prism, kcl_hit *hit) {
    console_lanes offset;
    const console_lanes d = kcl_face_distances(&p->faces[prism], p->point, &offset);
    if (!(d[KCL_CA] <= 0 && d[KCL_AB] <= 0 && d[KCL_BC] <= 0)) return false;
    if (!(d[KCL_FACE] <= 0 && -d[KCL_FACE] <= p->thickness)) return false;
    if (!hit_begin(p, prism, hit)) return false;
    hit->depth = -d[KCL_FACE];
    return true;
}

// --- boxes ------------------------------------------------------------------------------------

// A box of units relative to a minimum, both ends included.
typedef struct box {
    uint32_t low[3], high[3];
} box;

static int32_t unit_cut(float offset) {
    if (offset >= 0x1p31f) return INT32_MAX;
    return offset <= -0x1p31f ? INT32_MIN : (int32_t)offset;
}

// The part of the query's box that is inside of the area, whose last unit is `last`; false if none
// is.
static bool box_of(const kcl_query *query, kart_vec3 min, const uint32_t last[3], box *b) {
    const float from[3] = {(float)min.x, (float)min.y, (float)min.z};
    for (int i = 0; i < 3; i++) {
        const float least = query->point[i] - query->radius - from[i];
        const float most = query->point[i] + query->radius - from[i];
        if (isnan(least) || isnan(most)) return false;
        const int32_t low = unit_cut(least), high = unit_cut(most);
        if (high < 0) return false;
        b->low[i] = low < 0 ? 0 : (uint32_t)low;
        b->high[i] = (uint32_t)high < last[i] ? (uint32_t)high : last[i];
        if (b->high[i] < b->low[i]) return false;
    }
    return true;
}

// Models that a box of the global octree reaches, as a set of bits.
#define MODEL_WORDS (KCL_MODELS_LIMIT / 64)

typedef struct models {
    const kcl_doc *doc;
    box reach;
    uint64_t set[MODEL_WORDS];
} models;

// The group of a cell whose corner is `cell`, split `level` times.
static void models_gather(models *m, size_t group, const uint32_t cell[3], unsigned level) {
    for (unsigned child = 0; child < 8; child++) {
        uint32_t at[3];
        bool inside = true;
        for (unsigned i = 0; i < 3; i++) {
            // An axis whose width is used up has one cell, the lower one.
            const unsigned shift = m->doc->width_shift[i];
            const uint32_t half = shift > level ? UINT32_C(1) << (shift - 1 - level) : 0;
            at[i] = cell[i] + (child >> i & 1 ? half : 0);
            const uint32_t end = at[i] + (half > 0 ? half - 1 : 0);
            inside = inside && (half > 0 || !(child >> i & 1)) && at[i] <= m->reach.high[i] &&
                     end >= m->reach.low[i];
        }
        const uint32_t word = kcl_word_at(m->doc, group + 4 * (size_t)child);
        const uint32_t value = word & 0x3FFFFFFF;
        if (!inside || word >> 30 == 3) continue;
        if (word >> 30 == 2)
            m->set[value / 64] |= UINT64_C(1) << value % 64;
        else
            models_gather(m, group + 4 * (size_t)value, at, level + 1);
    }
}

// --- spheres ----------------------------------------------------------------------------------

// The most prisms that a list can name.
#define SEEN_WORDS (65536 / 64)

typedef struct gathering {
    probe p;
    kcl_hits *hits;
    size_t list; // the last one, SIZE_MAX before the first
    uint64_t seen[SEEN_WORDS];
} gathering;

static bool list_gather(gathering *g, size_t list, kart_error *error) {
    size_t at = list, prism;
    if (list == g->list) return true;
    g->list = list;
    while (kcl_list_next(g->p.lookup->doc, &at, &prism)) {
        const uint64_t bit = UINT64_C(1) << prism % 64;
        kcl_hit hit;
        if (g->seen[prism / 64] & bit) continue;
        g->seen[prism / 64] |= bit;
        g->hits->tested++;
        if (sphere_touches(&g->p, prism, &hit) && !kcl_hits_add(g->hits, hit, error)) return false;
    }
    return true;
}

// From cell to cell: x by the cell's own border, y and z by the nearest border of the row and of
// the plane. No sum passes 2^32, as areas are narrower than 2^31.
static bool cells_gather(gathering *g, const box *b, kart_error *error) {
    uint32_t step_y, step_z;
    for (uint32_t z = b->low[2]; z <= b->high[2]; z += step_z) {
        step_z = UINT32_MAX;
        for (uint32_t y = b->low[1]; y <= b->high[1]; y += step_y) {
            step_y = UINT32_MAX;
            for (uint32_t x = b->low[0]; x <= b->high[0];) {
                kcl_leaf leaf;
                const int32_t place[3] = {(int32_t)x, (int32_t)y, (int32_t)z};
                if (!kcl_octree_find(g->p.lookup->doc, g->p.model, place, &leaf)) return true;
                if (!list_gather(g, leaf.list, error)) return false;
                x = leaf.cell[0] + leaf.size;
                const uint32_t rest_y = leaf.cell[1] + leaf.size - y;
                const uint32_t rest_z = leaf.cell[2] + leaf.size - z;
                if (rest_y < step_y) step_y = rest_y;
                if (rest_z < step_z) step_z = rest_z;
            }
        }
    }
    return true;
}

static bool model_gather(const kcl_lookup *lookup, const kcl_query *query, size_t model,
                         kcl_hits *hits, kart_error *error) {
    const kcl_model *m = &lookup->doc->models[model];
    const uint32_t last[3] = {~m->mask[0], ~m->mask[1], ~m->mask[2]};
    box reach;
    gathering g;
    if (!box_of(query, m->min, last, &reach)) return true;
    g.p = probe_make(lookup, query, model);
    g.hits = hits;
    g.list = SIZE_MAX;
    memset(g.seen, 0, (m->prisms_count + 63) / 64 * sizeof *g.seen);
    return cells_gather(&g, &reach, error);
}

bool kcl_galaxy_sphere(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                       kart_error *error) {
    const kcl_doc *doc = lookup->doc;
    if (!doc->format->v2) return model_gather(lookup, query, 0, hits, error);
    models m = {.doc = doc};
    const uint32_t zero[3] = {0, 0, 0};
    uint32_t last[3];
    for (int i = 0; i < 3; i++) last[i] = (UINT32_C(1) << doc->width_shift[i]) - 1;
    if (!box_of(query, doc->min, last, &m.reach)) return true;
    models_gather(&m, doc->global.start, zero, 0);
    for (size_t i = 0; i < doc->models_count; i++)
        if (m.set[i / 64] >> i % 64 & 1 && !model_gather(lookup, query, i, hits, error))
            return false;
    return true;
}

bool kcl_galaxy_one(const kcl_lookup *lookup, const kcl_query *query, size_t prism, kcl_hit *hit) {
    size_t in_model;
    const kcl_model *model = kcl_model_of(lookup->doc, prism, &in_model);
    const probe p = probe_make(lookup, query, (size_t)(model - lookup->doc->models));
    return sphere_touches(&p, in_model, hit);
}

bool kcl_galaxy_sphere_all(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                           kart_error *error) {
    for (size_t m = 0; m < lookup->doc->models_count; m++) {
        const probe p = probe_make(lookup, query, m);
        hits->tested += p.model->prisms_count;
        for (size_t i = 0; i < p.model->prisms_count; i++) {
            kcl_hit hit;
            if (sphere_touches(&p, i, &hit) && !kcl_hits_add(hits, hit, error)) return false;
        }
    }
    return true;
}

// --- points -----------------------------------------------------------------------------------

bool kcl_galaxy_point(const kcl_lookup *lookup, const kcl_query *query, kcl_hits *hits,
                      kart_error *error) {
    for (size_t m = 0; m < lookup->doc->models_count; m++) {
        const probe p = probe_make(lookup, query, m);
        int32_t place[3];
        kcl_leaf leaf;
        if (!kcl_place_cut(query->point, p.model->min, place) ||
            !kcl_octree_find(lookup->doc, p.model, place, &leaf))
            continue;
        size_t at = leaf.list, prism;
        while (kcl_list_next(lookup->doc, &at, &prism)) {
            kcl_hit hit;
            hits->tested++;
            if (point_inside(&p, prism, &hit)) return kcl_hits_add(hits, hit, error);
        }
    }
    return true;
}

// --- arrows -----------------------------------------------------------------------------------

// How far outside of an edge an arrow still hits.
#define ARROW_SLACK 0.01f

// The arrow enters the face from above; `hit->depth` is where.
static bool arrow_enters(const probe *p, const float along[3], size_t prism, kcl_hit *hit) {
    const kcl_face *face = &p->faces[prism];
    console_lanes offset;
    const console_lanes d = kcl_face_distances(face, p->point, &offset);
    float normal[3];
    kcl_face_normal(face, KCL_FACE, normal);
    const float above = d[KCL_FACE], toward = -console_dot(along, normal);
    if (!(above > 0 && above - toward <= 0)) return false;
    const float fraction = above / toward;
    for (int e = KCL_CA; e <= KCL_BC; e++) {
        kcl_face_normal(face, e, normal);
        if (!(d[e] + fraction * console_dot(along, normal) <= ARROW_SLACK)) return false;
    }
    if (!hit_begin(p, prism, hit)) return false;
    hit->depth = fraction;
    return true;
}

// The nearest hit among the prisms of a list.
static bool list_hit(const probe *p, const float along[3], size_t list, kcl_hit *hit) {
    size_t at = list, prism;
    bool found = false;
    while (kcl_list_next(p->lookup->doc, &at, &prism)) {
        kcl_hit one;
        if (!arrow_enters(p, along, prism, &one) || (found && one.depth >= hit->depth)) continue;
        *hit = one;
        found = true;
    }
    return found;
}

// The part of the arrow that is inside of 0 to `width` along an axis.
static void span_clip(double start, double along, double width, double *first, double *last) {
    if (along == 0) {
        if (!(start > -1 && start < width)) *last = -1; // as cells are cut: down to -1 is inside
        return;
    }
    double a = -start / along, b = (width - start) / along;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
}

static bool model_hit(const probe *p, const float along[3], kcl_hit *hit) {
    const kart_vec3 min = p->model->min;
    const double low[3] = {min.x, min.y, min.z};
    double start[3], first = 0, last = 1;
    for (int i = 0; i < 3; i++) {
        start[i] = (double)p->query->point[i] - low[i];
        span_clip(start[i], (double)along[i], (double)~p->model->mask[i] + 1, &first, &last);
    }
    if (!(first <= last)) return false;
    // Cells follow each other by their borders; places are kept within them, so that each step goes
    // on along one axis at least.
    int64_t place[3];
    for (int i = 0; i < 3; i++) {
        const int64_t most = ~p->model->mask[i];
        const double at = start[i] + first * (double)along[i];
        place[i] = at < 0 ? 0 : at > (double)most ? most : (int64_t)at;
    }
    for (;;) {
        const int32_t cell[3] = {(int32_t)place[0], (int32_t)place[1], (int32_t)place[2]};
        kcl_leaf leaf;
        if (!kcl_octree_find(p->lookup->doc, p->model, cell, &leaf)) return false;
        if (list_hit(p, along, leaf.list, hit)) return true;
        int axis = -1;
        double leave = last;
        for (int i = 0; i < 3; i++) {
            if (along[i] == 0) continue;
            const double border = (double)leaf.cell[i] + (along[i] > 0 ? (double)leaf.size : 0);
            const double at = (border - start[i]) / (double)along[i];
            if (at < leave) leave = at, axis = i;
        }
        if (axis < 0) return false;
        for (int i = 0; i < 3; i++) {
            const int64_t from = leaf.cell[i], to = from + leaf.size;
            const double at = start[i] + leave * (double)along[i];
            int64_t next = at < (double)from ? from : at >= (double)to ? to - 1 : (int64_t)at;
            if (i == axis) next = along[i] > 0 ? to : from - 1;
            // Rounding must not lead back behind what was passed.
            if (along[i] > 0 ? next > place[i] : next < place[i]) place[i] = next;
        }
        const int64_t most = ~p->model->mask[axis];
        if (place[axis] < 0 || place[axis] > most) return false;
    }
}

bool kcl_galaxy_arrow(const kcl_lookup *lookup, const float start[3], const float along[3],
                      uint32_t types, kcl_hit *hit) {
    const kcl_query query = {.point = {start[0], start[1], start[2]}, .types = types};
    bool found = false;
    for (int i = 0; i < 3; i++)
        if (!isfinite(start[i]) || !isfinite(along[i])) return false;
    for (size_t m = 0; m < lookup->doc->models_count; m++) {
        const probe p = probe_make(lookup, &query, m);
        kcl_hit one;
        if (!model_hit(&p, along, &one) || (found && one.depth >= hit->depth)) continue;
        *hit = one;
        found = true;
    }
    return found;
}
