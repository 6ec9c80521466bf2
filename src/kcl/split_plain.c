// Parts that lie nowhere, for models whose octrees are yet to be built.
#include "kcl/split.h"

#include "core/array.h"

static bool part_add(kcl_split *s, size_t first, size_t end, kart_error *error) {
    kcl_part *parts = kart_array_grow(s->ctx, s->parts, &s->parts_capacity, s->parts_count + 1,
                                      sizeof *parts, error);
    if (!parts) return false;
    s->parts = parts;
    kcl_part *part = &parts[s->parts_count];
    *part = (kcl_part){.reach = {{1, 1, 1}, {0, 0, 0}}, .count = end - first};
    part->chosen = kart_alloc(s->ctx, part->count * sizeof *part->chosen, error);
    if (!part->chosen) return false;
    part->capacity = part->count;
    s->parts_count++;
    for (size_t i = first; i < end; i++) part->chosen[i - first] = (uint32_t)i;
    return s->parts_count <= KCL_MODELS_LIMIT ||
           kart_fail(error, KART_LIMIT, "more than %d models", KCL_MODELS_LIMIT);
}

// Mark a number as seen in a part; was it new?
static bool see(uint32_t *seen, uint32_t number, size_t part) {
    if (seen[number] == part + 1) return false;
    seen[number] = (uint32_t)part + 1;
    return true;
}

static bool parts_fill(kcl_split *s, const kcl_draft *d, const kcl_split_limits *limits,
                       uint32_t *positions, uint32_t *normals, kart_error *error) {
    size_t first = 0, positions_count = 0, normals_count = 0;
    for (size_t i = 0; i < d->count; i++) {
        const kcl_draft_prism *prism = &d->prisms[i];
        // With room for all that the next one may bring.
        if (i - first == limits->prisms || positions_count == limits->pool ||
            normals_count + KCL_NORMALS > limits->pool) {
            if (!part_add(s, first, i, error)) return false;
            first = i;
            positions_count = normals_count = 0;
        }
        positions_count += see(positions, prism->position, s->parts_count);
        for (size_t k = 0; k < KCL_NORMALS; k++)
            normals_count += see(normals, prism->normal[k], s->parts_count);
    }
    return part_add(s, first, d->count, error);
}

bool kcl_split_plain(kcl_split *s, const kcl_draft *d, const kcl_split_limits *limits,
                     kart_error *error) {
    kart_ctx *ctx = d->ctx;
    size_t positions = d->positions.count * sizeof(uint32_t),
           normals = d->normals.count * sizeof(uint32_t);
    *s = (kcl_split){.ctx = ctx, .shift = {1, 1, 1}};
    s->cuts = kart_array_grow(ctx, NULL, &s->cuts_capacity, 1, sizeof *s->cuts, error);
    if (s->cuts) s->cuts[s->cuts_count++] = (kcl_cut){.axis = -1};
    uint32_t *position_seen = s->cuts ? kart_alloc(ctx, positions, error) : NULL;
    uint32_t *normal_seen = position_seen ? kart_alloc(ctx, normals, error) : NULL;
    bool done = normal_seen && parts_fill(s, d, limits, position_seen, normal_seen, error);
    kart_free(ctx, normal_seen, normals);
    kart_free(ctx, position_seen, positions);
    return done;
}
