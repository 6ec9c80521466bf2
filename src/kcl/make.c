#include "kcl/make.h"

#include "core/array.h"

#include <string.h>

#define POOL_LIMIT 65536 // positions or normals that an index of 16 bits counts
#define MAX_ERROR  1.0
#define FINE_ERROR 0.005 // no other corner to start at is looked for below this

const char *kcl_fault_text(kcl_fault fault) {
    static const char *const texts[] = {
        [KCL_FAULT_NONE] = "none",
        [KCL_FAULT_NOT_FINITE] = "a coordinate is not finite",
        [KCL_FAULT_NO_AREA] = "it has no area",
        [KCL_FAULT_FAR] = "its prism would be elsewhere: it is too narrow for the file's numbers"};
    return texts[fault];
}

// --- pools ------------------------------------------------------------------------------------

#define ENTRY_MOST 12 // bytes of a position or a normal

// Positions or normals as they stand in the file, each once, in the order in which they came up.
typedef struct pool {
    size_t entry; // bytes of one
    uint8_t *bytes;
    size_t count, capacity;
    uint32_t *slots;    // numbers from 1, by hash
    size_t slots_count; // a power of two
} pool;

static void pool_free(kart_ctx *ctx, pool *p) {
    kart_free(ctx, p->bytes, p->capacity * p->entry);
    kart_free(ctx, p->slots, p->slots_count * sizeof *p->slots);
}

static bool pool_make(kart_ctx *ctx, pool *p, size_t entry, size_t most, kart_error *error) {
    *p = (pool){.entry = entry, .slots_count = 64};
    while (p->slots_count < 2 * most) p->slots_count *= 2;
    p->slots = kart_alloc(ctx, p->slots_count * sizeof *p->slots, error);
    p->bytes = p->slots ? kart_array_grow(ctx, NULL, &p->capacity, 64, entry, error) : NULL;
    return p->bytes != NULL;
}

static size_t entry_hash(const uint8_t *bytes, size_t size) {
    uint64_t hash = 0;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return (size_t)(hash ^ hash >> 31);
}

// The number of the entry, from 0; SIZE_MAX if memory runs out.
static size_t pool_add(kart_ctx *ctx, pool *p, const uint8_t *bytes, kart_error *error) {
    size_t at = entry_hash(bytes, p->entry) & (p->slots_count - 1);
    for (; p->slots[at]; at = (at + 1) & (p->slots_count - 1))
        if (memcmp(p->bytes + (p->slots[at] - 1) * p->entry, bytes, p->entry) == 0)
            return p->slots[at] - 1;
    uint8_t *grown = kart_array_grow(ctx, p->bytes, &p->capacity, p->count + 1, p->entry, error);
    if (!grown) return SIZE_MAX;
    p->bytes = grown;
    memcpy(grown + p->count * p->entry, bytes, p->entry);
    p->slots[at] = (uint32_t)++p->count;
    return p->count - 1;
}

// --- one prism --------------------------------------------------------------------------------

// A prism in the file's numbers, and what it says.
typedef struct shape {
    uint8_t position[ENTRY_MOST], normal[KCL_NORMALS][ENTRY_MOST], height[4];
    kart_vec3 corner[3]; // as the game has them
    double error;        // of the worst one
} shape;

static bool position_store(const kcl_format *f, kart_vec3 v, uint8_t *at) {
    return kcl_store_number(f, at, v.x) && kcl_store_number(f, at + 4, v.y) &&
           kcl_store_number(f, at + 8, v.z);
}

static kart_vec3 position_load(const kcl_format *f, const uint8_t *at) {
    return (kart_vec3){kcl_load_number(f, at), kcl_load_number(f, at + 4),
                       kcl_load_number(f, at + 8)};
}

// Stored with no negative zeros, so that equal normals have equal bytes. Gives what was stored.
static kart_vec3 normal_store(const kcl_format *f, kart_vec3 v, uint8_t *at) {
    size_t step = kcl_normal_size(f) / 3;
    v = vec3_scale(v, 1 / vec3_length(v));
    kcl_store_normal(f, at, v.x + 0.0);
    kcl_store_normal(f, at + step, v.y + 0.0);
    kcl_store_normal(f, at + 2 * step, v.z + 0.0);
    return (kart_vec3){kcl_load_normal(f, at), kcl_load_normal(f, at + step),
                       kcl_load_normal(f, at + 2 * step)};
}

// The prism that starts at the corner `a` of the triangle.
static kcl_fault shape_make(const kcl_format *f, const kart_vec3 t[3], const kart_vec3 face[4],
                            int a, shape *s) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    if (!position_store(f, t[a], s->position)) return KCL_FAULT_NOT_FINITE;
    kart_vec3 start = position_load(f, s->position), n[KCL_NORMALS];
    n[KCL_FACE] = normal_store(f, face[3], s->normal[KCL_FACE]);
    n[KCL_CA] = normal_store(f, face[b], s->normal[KCL_CA]);
    n[KCL_AB] = normal_store(f, face[c], s->normal[KCL_AB]);
    n[KCL_BC] = normal_store(f, face[a], s->normal[KCL_BC]);
    kart_vec3 p = vec3_cross(n[KCL_AB], n[KCL_FACE]), q = vec3_cross(n[KCL_CA], n[KCL_FACE]);
    double across_b = vec3_dot(p, n[KCL_BC]), across_c = vec3_dot(q, n[KCL_BC]);
    if (fabs(across_b) <= 1e-6 || fabs(across_c) <= 1e-6) return KCL_FAULT_NO_AREA;
    p = vec3_scale(p, 1 / across_b);
    q = vec3_scale(q, 1 / across_c);
    // The height by which both corners come out best.
    kart_vec3 to_b = vec3_sub(t[b], start), to_c = vec3_sub(t[c], start);
    double height = (vec3_dot(p, to_b) + vec3_dot(q, to_c)) / (vec3_dot(p, p) + vec3_dot(q, q));
    if (!(height > 0) || !kcl_store_number(f, s->height, height)) return KCL_FAULT_NO_AREA;
    height = kcl_load_number(f, s->height);
    if (!(height > 0)) return KCL_FAULT_NO_AREA;
    const kart_vec3 aim[3] = {t[a], t[b], t[c]};
    s->corner[0] = start;
    s->corner[1] = vec3_add(start, vec3_scale(p, height));
    s->corner[2] = vec3_add(start, vec3_scale(q, height));
    s->error = 0;
    for (int i = 0; i < 3; i++)
        s->error = fmax(s->error, vec3_length(vec3_sub(s->corner[i], aim[i])));
    return KCL_FAULT_NONE;
}

// The prism of the first corner that leaves hardly any error, else the best one. Normals are
// outward on the edges opposite to each corner, then the face's.
static kcl_fault prism_make(const kcl_format *f, const kart_vec3 t[3], double max_error,
                            shape *best) {
    kart_vec3 normal[4];
    for (int i = 0; i < 3; i++)
        if (!vec3_finite(t[i])) return KCL_FAULT_NOT_FINITE;
    normal[3] = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    double twice_area = vec3_length(normal[3]);
    if (!isfinite(twice_area)) return KCL_FAULT_NOT_FINITE;
    if (!(twice_area > 2e-9)) return KCL_FAULT_NO_AREA;
    normal[3] = vec3_scale(normal[3], 1 / twice_area);
    for (int i = 0; i < 3; i++) {
        normal[i] = vec3_cross(vec3_sub(t[(i + 2) % 3], t[(i + 1) % 3]), normal[3]);
        if (!(vec3_length(normal[i]) > 0)) return KCL_FAULT_NO_AREA;
    }
    kcl_fault first = KCL_FAULT_NONE;
    bool found = false;
    for (int a = 0; a < 3; a++) {
        shape s;
        kcl_fault fault = shape_make(f, t, normal, a, &s);
        if (fault != KCL_FAULT_NONE) {
            if (first == KCL_FAULT_NONE) first = fault;
            continue;
        }
        if (!found || s.error < best->error) *best = s;
        found = true;
        if (s.error <= FINE_ERROR) break;
    }
    if (!found) return first;
    return best->error <= max_error ? KCL_FAULT_NONE : KCL_FAULT_FAR;
}

// --- the file ---------------------------------------------------------------------------------

typedef struct making {
    kart_ctx *ctx;
    const kcl_format *format;
    const kcl_make_input *input;
    kcl_make_options options;
    kcl_make_report *report;
    pool positions, normals;
    kart_writer prisms;
    kart_vec3 (*corners)[3]; // of the prisms that are written
    size_t count;
} making;

static bool prism_write(making *m, const shape *s, uint16_t flag, kart_error *error) {
    uint16_t index[1 + KCL_NORMALS];
    for (size_t i = 0; i <= KCL_NORMALS; i++) {
        size_t number = i == 0 ? pool_add(m->ctx, &m->positions, s->position, error)
                               : pool_add(m->ctx, &m->normals, s->normal[i - 1], error);
        if (number == SIZE_MAX) return false;
        index[i] = (uint16_t)number; // beyond 16 bits nothing is written in the end
    }
    kart_write_bytes(&m->prisms, s->height, 4);
    for (size_t i = 0; i <= KCL_NORMALS; i++) kart_write_u16(&m->prisms, index[i]);
    kart_write_u16(&m->prisms, flag);
    return true;
}

static bool prisms_make(making *m, kart_error *error) {
    kcl_make_report *r = m->report;
    for (size_t i = 0; i < m->input->count; i++) {
        shape s;
        if (i % 1024 == 0 && !kart_ctx_step(m->ctx, 0, error)) return false;
        r->faults[i] = prism_make(m->format, m->input->corners[i], m->options.max_error, &s);
        if (r->faults[i] != KCL_FAULT_NONE) {
            r->dropped++;
            continue;
        }
        r->visible += s.error > KCL_ROUNDING_VISIBLE;
        if (s.error > r->worst) {
            r->worst = s.error;
            r->worst_at = i;
        }
        if (!prism_write(m, &s, m->input->flags ? m->input->flags[i] : 0, error)) return false;
        memcpy(m->corners[m->count++], s.corner, sizeof s.corner);
    }
    r->positions = m->positions.count;
    r->normals = m->normals.count;
    return true;
}

static bool fits(const making *m, kart_error *error) {
    const kcl_make_report *r = m->report;
    for (size_t i = 0; r->dropped > 0 && !m->options.drop && i < m->input->count; i++)
        if (r->faults[i] != KCL_FAULT_NONE)
            return kart_fail(error, KART_FORMAT, "triangle %zu can't be a prism: %s (%zu can't)",
                             i + 1, kcl_fault_text(r->faults[i]), r->dropped);
    if (m->count == 0)
        return kart_fail(error, KART_UNSUPPORTED, "there is no triangle that could be a prism");
    const struct {
        const char *what;
        size_t count, most;
    } limits[] = {{"prisms", m->count, KCL_PRISMS_LIMIT},
                  {"positions", r->positions, POOL_LIMIT},
                  {"normals", r->normals, POOL_LIMIT}};
    for (size_t i = 0; i < 3; i++)
        if (limits[i].count > limits[i].most)
            return kart_fail(error, KART_LIMIT, "%zu %s, %zu more than the format can count",
                             limits[i].count, limits[i].what, limits[i].count - limits[i].most);
    return true;
}

static void align(kart_writer *w) { kart_write_zeros(w, (4 - w->size % 4) % 4); }

static uint8_t *file_write(making *m, const kcl_octree *octree, size_t *size, kart_error *error) {
    const kcl_format *f = m->format;
    kart_writer w = kart_writer_make(m->ctx, f->big);
    uint8_t header[0x3C] = {0};
    kart_write_zeros(&w, kcl_header_size(f));
    if (m->options.extra_data)
        kart_write_bytes(&w, m->options.extra_data + m->options.extra.start,
                         m->options.extra.end - m->options.extra.start);
    size_t places[4] = {w.size};
    kart_write_bytes(&w, m->positions.bytes, m->positions.count * m->positions.entry);
    places[1] = w.size;
    kart_write_bytes(&w, m->normals.bytes, m->normals.count * m->normals.entry);
    align(&w);
    places[2] = w.size - 0x10; // as if there were one before the first
    kart_write_bytes(&w, m->prisms.data, m->prisms.size);
    places[3] = w.size;
    kart_write_bytes(&w, octree->bytes, octree->size);
    for (size_t i = 0; i < 4; i++) kart_store_u32(header + 4 * i, f->big, (uint32_t)places[i]);
    kcl_store_number(f, header + 0x10, m->options.thickness);
    for (size_t i = 0; i < 3; i++) {
        kcl_store_number(f, header + 0x14 + 4 * i, octree->min[i]);
        kart_store_u32(header + 0x20 + 4 * i, f->big, octree->mask[i]);
    }
    kart_store_u32(header + 0x2C, f->big, octree->shift);
    kart_store_u32(header + 0x30, f->big, octree->x_shift);
    kart_store_u32(header + 0x34, f->big, octree->xy_shift);
    if (f->has_radius) kcl_store_number(f, header + 0x38, m->options.radius);
    if (!w.failed) memcpy(w.data, header, kcl_header_size(f));
    return kart_writer_take(&w, size, error);
}

static kcl_doc *octree_make(making *m, kart_error *error) {
    const kcl_build_input input = {(const kart_vec3(*)[3])m->corners, m->count,
                                   m->options.thickness, m->options.radius};
    kcl_octree octree;
    size_t size = 0;
    if (m->options.later
            ? !kcl_octree_blank(m->ctx, m->format, &octree, error)
            : !kcl_octree_build(m->ctx, m->format, &input, &m->options.octree, &octree, error))
        return NULL;
    uint8_t *bytes = file_write(m, &octree, &size, error);
    kcl_octree_free(m->ctx, &octree);
    m->report->octree = octree;
    kcl_doc *doc = bytes ? kcl_parse(m->ctx, bytes, size, m->format->game, error) : NULL;
    kart_free(m->ctx, bytes, size);
    if (doc) doc->stale = m->options.later;
    return doc;
}

static kcl_doc *make(making *m, kart_error *error) {
    size_t count = m->input->count;
    m->report->faults = kart_alloc(m->ctx, count * sizeof *m->report->faults, error);
    m->corners = m->report->faults ? kart_alloc(m->ctx, count * sizeof *m->corners, error) : NULL;
    kcl_doc *doc = NULL;
    if (m->corners &&
        pool_make(m->ctx, &m->positions, kcl_position_size(m->format), count, error) &&
        pool_make(m->ctx, &m->normals, kcl_normal_size(m->format), 4 * count, error) &&
        prisms_make(m, error) && fits(m, error)) {
        if (m->prisms.failed && error) *error = m->prisms.error;
        if (!m->prisms.failed) doc = octree_make(m, error);
    }
    pool_free(m->ctx, &m->positions);
    pool_free(m->ctx, &m->normals);
    kart_writer_free(&m->prisms);
    kart_free(m->ctx, m->corners, count * sizeof *m->corners);
    return doc;
}

kcl_doc *kcl_make(kart_ctx *ctx, const kcl_format *format, const kcl_make_input *input,
                  const kcl_make_options *options, kcl_make_report *report, kart_error *error) {
    *report = (kcl_make_report){0};
    if (format->v2) {
        kart_fail(error, KART_UNSUPPORTED, "files of %s can't be built yet", format->title);
        return NULL;
    }
    making m = {.ctx = ctx,
                .format = format,
                .input = input,
                .report = report,
                .options = options ? *options : (kcl_make_options){0}};
    if (m.options.thickness == 0) m.options.thickness = format->thickness;
    if (m.options.radius == 0) m.options.radius = format->radius;
    if (m.options.radius < 0) m.options.radius = 0;
    if (m.options.max_error == 0) m.options.max_error = MAX_ERROR;
    m.prisms = kart_writer_make(ctx, format->big);
    return make(&m, error);
}
