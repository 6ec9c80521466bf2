// Edges of triangles by position, and the walls of those that have no neighbour.
#include "agp/model.h"

#include "core/array.h"
#include "core/keys.h"

// The bits of a number, of both zeros the same.
static uint32_t bits(float number) {
    uint32_t word;
    number += 0.0f;
    memcpy(&word, &number, sizeof word);
    return number == 0 ? 0 : word;
}

// --- the same edges ---------------------------------------------------------------------------

static bool edge_add(kart_ctx *ctx, kart_keys *keys, agp_edges *edges, uint32_t from, uint32_t to,
                     uint32_t *number, kart_error *error) {
    *number = AGP_NO_EDGE;
    if (from == to) return true;
    bool ahead = from < to;
    kart_key key = {{ahead ? from : to, ahead ? to : from, 0, 0}};
    if (!kart_keys_add(ctx, keys, key, number, error)) return false;
    edges->uses[*number]++;
    edges->ahead[*number] += ahead;
    return true;
}

bool agp_edges_find(kart_ctx *ctx, const float (*corners)[3][3], size_t count, agp_edges *edges,
                    kart_error *error) {
    kart_keys places = {0}, keys = {0};
    size_t size = 3 * count * sizeof(uint32_t);
    *edges = (agp_edges){.triangles = count};
    edges->edge = kart_alloc(ctx, size, error);
    if (edges->edge) edges->uses = kart_alloc(ctx, size, error);
    if (edges->uses) edges->ahead = kart_alloc(ctx, size, error);
    bool done = edges->ahead && kart_keys_reserve(ctx, &places, count, error) &&
                kart_keys_reserve(ctx, &keys, 2 * count, error);
    for (size_t i = 0; done && i < count; i++) {
        uint32_t at[3];
        done = kart_ctx_step_at(ctx, i, count, error);
        for (int k = 0; done && k < 3; k++) {
            const float *c = corners[i][k];
            kart_key key = {{bits(c[0]), bits(c[1]), bits(c[2]), 0}};
            done = kart_keys_add(ctx, &places, key, &at[k], error);
        }
        for (int k = 0; done && k < 3; k++)
            done = edge_add(ctx, &keys, edges, at[k], at[(k + 1) % 3],
                            &edges->edge[3 * i + (size_t)k], error);
    }
    edges->count = keys.count;
    kart_keys_free(ctx, &places);
    kart_keys_free(ctx, &keys);
    return done;
}

void agp_edges_free(kart_ctx *ctx, agp_edges *edges) {
    size_t size = 3 * edges->triangles * sizeof(uint32_t);
    kart_free(ctx, edges->edge, size);
    kart_free(ctx, edges->uses, size);
    kart_free(ctx, edges->ahead, size);
}

bool agp_model_open(agp_model *model, kart_error *error) {
    agp_edges edges = {0};
    size_t size = model->count * sizeof(float[3][3]);
    float(*corners)[3][3] = kart_alloc(model->ctx, size, error);
    for (size_t i = 0; corners && i < model->count; i++)
        memcpy(corners[i], model->triangles[i].corner, sizeof corners[i]);
    bool done = corners && agp_edges_find(model->ctx, (const float(*)[3][3])corners, model->count,
                                          &edges, error);
    for (size_t i = 0; done && i < model->count; i++) {
        agp_triangle *t = &model->triangles[i];
        t->open &= ~7u;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t edge = edges.edge[3 * i + k];
            if (edge != AGP_NO_EDGE && edges.uses[edge] == 1) t->open |= 1u << k;
        }
    }
    agp_edges_free(model->ctx, &edges);
    kart_free(model->ctx, corners, size);
    return done;
}

// --- walls ------------------------------------------------------------------------------------

void agp_wall_box(agp_wall *wall) {
    for (int i = 0; i < 2; i++) {
        float low = fminf(wall->end[0][i], wall->end[1][i]);
        float high = fmaxf(wall->end[0][i], wall->end[1][i]);
        if (wall->min[i] != low) wall->min[i] = low + 0.0f;
        if (wall->max[i] != high) wall->max[i] = high + 0.0f;
    }
}

void agp_wall_set(agp_wall *wall, const agp_triangle *t, uint32_t edge) {
    for (int i = 0; i < 2; i++) {
        wall->end[0][i] = agp_along(t->corner[edge], i);
        wall->end[1][i] = agp_along(t->corner[(edge + 1) % 3], i);
    }
    agp_wall_box(wall);
}

agp_wall agp_wall_of(const agp_triangle *t, uint32_t edge) {
    agp_wall wall = {{0}, {0}, {{0}}};
    agp_wall_set(&wall, t, edge);
    return wall;
}

// The walls of a document by their ends.
typedef struct stored_walls {
    const agp_doc *doc;
    size_t count;
    kart_keys keys;
    size_t known;    // keys of stored walls; those behind were asked for in vain
    uint32_t *first; // of each key the first wall of those that aren't used yet, and the last one
    uint32_t *next;  // of each wall the next one with the same ends, AGP_NO_OWNER for none
    uint8_t *used;
} stored_walls;

static kart_key ends_key(const agp_wall *w) {
    return (kart_key){
        {bits(w->end[0][0]), bits(w->end[0][1]), bits(w->end[1][0]), bits(w->end[1][1])}};
}

static bool stored_read(stored_walls *s, kart_ctx *ctx, kart_error *error) {
    uint32_t number;
    size_t size = s->count * sizeof *s->first;
    s->first = kart_alloc(ctx, size, error);
    if (s->first) s->next = kart_alloc(ctx, size, error);
    if (s->next) s->used = kart_alloc(ctx, s->count, error);
    if (!s->used) return false;
    for (size_t i = s->count; i-- > 0;) {
        agp_wall wall = agp_wall_get(s->doc, i);
        size_t known = s->keys.count;
        if (!kart_keys_add(ctx, &s->keys, ends_key(&wall), &number, error)) return false;
        s->next[i] = number < known ? s->first[number] : AGP_NO_OWNER;
        s->first[number] = (uint32_t)i;
    }
    s->known = s->keys.count;
    return true;
}

static void stored_free(stored_walls *s, kart_ctx *ctx) {
    size_t size = s->count * sizeof *s->first;
    kart_keys_free(ctx, &s->keys);
    kart_free(ctx, s->first, size);
    kart_free(ctx, s->next, size);
    kart_free(ctx, s->used, s->count);
}

// A stored wall with these ends: each one once, the last one again and again. AGP_NO_OWNER for
// none.
static bool stored_find(stored_walls *s, kart_ctx *ctx, const agp_wall *wall, uint32_t *found,
                        kart_error *error) {
    uint32_t number;
    *found = AGP_NO_OWNER;
    if (s->known == 0) return true;
    if (!kart_keys_add(ctx, &s->keys, ends_key(wall), &number, error)) return false;
    if (number >= s->known) return true;
    *found = s->first[number];
    s->used[*found] = 1;
    if (s->next[*found] != AGP_NO_OWNER) s->first[number] = s->next[*found];
    return true;
}

static bool wall_add(agp_model *model, agp_wall wall, uint32_t owner, uint32_t edge,
                     kart_error *error) {
    agp_model_wall *grown = kart_array_grow(model->ctx, model->walls, &model->walls_capacity,
                                            model->walls_count + 1, sizeof *grown, error);
    if (!grown) return false;
    model->walls = grown;
    model->walls[model->walls_count++] = (agp_model_wall){wall, owner, edge};
    return true;
}

static bool is_box_right(const agp_wall *wall) {
    agp_wall right = *wall;
    agp_wall_box(&right);
    for (int i = 0; i < 2; i++)
        if (right.min[i] != wall->min[i] || right.max[i] != wall->max[i]) return false;
    return true;
}

static bool edge_walls(agp_model *model, stored_walls *s, uint32_t triangle, agp_walls_mode mode,
                       kart_error *error) {
    const agp_triangle *t = &model->triangles[triangle];
    for (uint32_t edge = 0; edge < 3; edge++) {
        if (!(t->open >> edge & 1)) continue;
        uint32_t found;
        agp_wall wall = agp_wall_of(t, edge);
        if (!stored_find(s, model->ctx, &wall, &found, error)) return false;
        if (found == AGP_NO_OWNER && mode == AGP_WALLS_KEEP) continue;
        if (found != AGP_NO_OWNER) {
            agp_wall stored = agp_wall_get(s->doc, found);
            if (mode == AGP_WALLS_KEEP || is_box_right(&stored)) wall = stored;
        }
        if (!wall_add(model, wall, triangle, edge, error)) return false;
    }
    return true;
}

bool agp_model_walls(agp_model *model, const agp_doc *stored, agp_walls_mode mode,
                     kart_error *error) {
    stored_walls s = {.doc = stored, .count = stored ? stored->pools[AGP_WALLS].count : 0};
    bool done = stored_read(&s, model->ctx, error);
    for (size_t i = 0; done && i < model->count; i++)
        done = edge_walls(model, &s, (uint32_t)i, mode, error);
    for (size_t i = 0; done && mode == AGP_WALLS_KEEP && i < s.count; i++)
        if (!s.used[i]) done = wall_add(model, agp_wall_get(stored, i), AGP_NO_OWNER, 0, error);
    stored_free(&s, model->ctx);
    return done;
}
