// Rules about edges and walls.
#include "agp/check_rules.h"
#include "agp/model.h"

#include "core/keys.h"

// --- edges by position ------------------------------------------------------------------------

// Calls `see` with the edges of all triangles.
static bool edges_use(agp_checking *c, bool (*see)(agp_checking *, const agp_edges *, kart_error *),
                      kart_error *error) {
    agp_edges edges = {0};
    size_t size = c->count * sizeof(float[3][3]);
    float(*corners)[3][3] = kart_alloc(c->doc->ctx, size, error);
    for (size_t i = 0; corners && i < c->count; i++)
        memcpy(corners[i], c->triangles[i].corner, sizeof corners[i]);
    bool done =
        corners &&
        agp_edges_find(c->doc->ctx, (const float(*)[3][3])corners, c->count, &edges, error) &&
        see(c, &edges, error);
    agp_edges_free(c->doc->ctx, &edges);
    kart_free(c->doc->ctx, corners, size);
    return done;
}

static bool direction_see(agp_checking *c, const agp_edges *edges, kart_error *error) {
    for (size_t i = 0; i < 3 * c->count; i++) {
        uint32_t edge = edges->edge[i];
        if (edge == AGP_NO_EDGE || edges->uses[edge] != 2 || edges->ahead[edge] == 1) continue;
        if (!agp_report(c, "triangles", i / 3, "corners", error,
                        "edge %zu runs the same way as its neighbour's", i % 3 + 1))
            return false;
    }
    return true;
}

bool agp_check_direction(agp_checking *c, kart_error *error) {
    return edges_use(c, direction_see, error);
}

static bool open_see(agp_checking *c, const agp_edges *edges, kart_error *error) {
    for (size_t i = 0; i < 3 * c->count; i++) {
        uint32_t edge = edges->edge[i];
        bool open = edge != AGP_NO_EDGE && edges->uses[edge] == 1;
        bool marked = c->triangles[i / 3].open >> i % 3 & 1;
        if (open != marked && !agp_report(c, "triangles", i / 3, "open", error,
                                          marked ? "edge %zu is marked as open and has a neighbour"
                                                 : "edge %zu has no neighbour and isn't marked as "
                                                   "open",
                                          i % 3 + 1))
            return false;
    }
    return true;
}

static bool has_marks(const agp_checking *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->triangles[i].open & 7) return true;
    return false;
}

bool agp_check_open(agp_checking *c, kart_error *error) {
    return !has_marks(c) || edges_use(c, open_see, error);
}

// --- walls by their ends ----------------------------------------------------------------------

// Ends of walls as numbers, the same for equal ends; and the last cell in which one was seen.
typedef struct ends {
    kart_keys keys;
    uint32_t *seen; // of each number, the cell + 1
    size_t size;
} ends;

static kart_key key_of(const agp_wall *w) {
    kart_key key;
    for (int i = 0; i < 4; i++) {
        float at = w->end[i / 2][i % 2];
        at = at == 0 ? 0.0f : at; // zeros of either sign
        memcpy(&key.word[i], &at, sizeof at);
    }
    return key;
}

static void ends_free(kart_ctx *ctx, ends *e) {
    kart_keys_free(ctx, &e->keys);
    kart_free(ctx, e->seen, e->size);
}

// Numbers for all walls, from 0; those of open edges that no wall has come behind them.
static bool walls_number(const agp_doc *doc, ends *e, uint32_t *numbers, kart_error *error) {
    for (size_t i = 0; i < doc->pools[AGP_WALLS].count; i++) {
        agp_wall wall = agp_wall_get(doc, i);
        if (!kart_keys_add(doc->ctx, &e->keys, key_of(&wall), &numbers[i], error)) return false;
    }
    return true;
}

static bool edges_number(agp_checking *c, ends *e, uint32_t *numbers, kart_error *error) {
    for (size_t i = 0; i < 3 * c->count; i++) {
        const agp_triangle *t = &c->triangles[i / 3];
        if (!(t->open >> i % 3 & 1)) continue;
        agp_wall wall = agp_wall_of(t, (uint32_t)(i % 3));
        if (!kart_keys_add(c->doc->ctx, &e->keys, key_of(&wall), &numbers[i], error)) return false;
    }
    return true;
}

// What the rules about walls and edges look at.
typedef struct pairing {
    ends e;
    size_t known;    // numbers below are of walls
    uint32_t *walls; // numbers
    uint32_t *edges; // of open edges
} pairing;

static bool pairing_make(agp_checking *c, pairing *p, kart_error *error) {
    kart_ctx *ctx = c->doc->ctx;
    size_t walls = c->doc->pools[AGP_WALLS].count;
    p->walls = kart_alloc(ctx, walls * sizeof *p->walls, error);
    if (p->walls) p->edges = kart_alloc(ctx, 3 * c->count * sizeof *p->edges, error);
    if (!p->edges || !walls_number(c->doc, &p->e, p->walls, error)) return false;
    p->known = p->e.keys.count;
    if (!edges_number(c, &p->e, p->edges, error)) return false;
    p->e.size = p->e.keys.count * sizeof *p->e.seen;
    p->e.seen = kart_alloc(ctx, p->e.size, error);
    return p->e.seen != NULL;
}

static void pairing_free(agp_checking *c, pairing *p) {
    ends_free(c->doc->ctx, &p->e);
    kart_free(c->doc->ctx, p->walls, c->doc->pools[AGP_WALLS].count * sizeof *p->walls);
    kart_free(c->doc->ctx, p->edges, 3 * c->count * sizeof *p->edges);
}

static bool edge_walls_see(agp_checking *c, pairing *p, kart_error *error) {
    for (size_t i = 0; i < 3 * c->count; i++)
        if (c->triangles[i / 3].open >> i % 3 & 1 && p->edges[i] >= p->known &&
            !agp_report(c, "triangles", i / 3, "open", error, "edge %zu is open and has no wall",
                        i % 3 + 1))
            return false;
    return true;
}

static bool wall_edges_see(agp_checking *c, pairing *p, kart_error *error) {
    for (size_t i = 0; i < 3 * c->count; i++)
        if (c->triangles[i / 3].open >> i % 3 & 1) p->e.seen[p->edges[i]] = 1;
    for (size_t i = 0; i < c->doc->pools[AGP_WALLS].count; i++)
        if (!p->e.seen[p->walls[i]] &&
            !agp_report(c, "walls", i, "", error, "no edge with these ends is marked as open"))
            return false;
    return true;
}

static bool wall_cells_see(agp_checking *c, pairing *p, kart_error *error) {
    const agp_doc *doc = c->doc;
    for (size_t i = 0; i < doc->cells_count; i++) {
        const agp_cell *cell = &doc->cells[i];
        for (size_t k = 0; k < cell->count[AGP_WALLS]; k++)
            p->e.seen[p->walls[doc->pools[AGP_WALLS].list[cell->first[AGP_WALLS] + k]]] =
                (uint32_t)i + 1;
        for (size_t k = 0; k < 3 * (size_t)cell->count[AGP_TRIANGLES]; k++) {
            size_t t = doc->pools[AGP_TRIANGLES].list[cell->first[AGP_TRIANGLES] + k / 3];
            uint32_t number = p->edges[3 * t + k % 3];
            if (!(c->triangles[t].open >> k % 3 & 1) || number >= p->known ||
                p->e.seen[number] == i + 1)
                continue;
            if (!agp_report(c, "cells", i, "walls", error,
                            "it lists triangles[%zu], but not the wall of its edge %zu", t + 1,
                            k % 3 + 1))
                return false;
        }
    }
    return true;
}

static bool pairing_use(agp_checking *c, bool (*see)(agp_checking *, pairing *, kart_error *),
                        kart_error *error) {
    pairing p = {0};
    bool done = pairing_make(c, &p, error) && see(c, &p, error);
    pairing_free(c, &p);
    return done;
}

bool agp_check_edge_walls(agp_checking *c, kart_error *error) {
    return pairing_use(c, edge_walls_see, error);
}

bool agp_check_wall_edges(agp_checking *c, kart_error *error) {
    return pairing_use(c, wall_edges_see, error);
}

bool agp_check_wall_cells(agp_checking *c, kart_error *error) {
    return pairing_use(c, wall_cells_see, error);
}

bool agp_check_no_walls(agp_checking *c, kart_error *error) {
    return c->count == 0 || c->doc->pools[AGP_WALLS].count > 0 ||
           agp_report(c, "", KART_NO_INDEX, "", error, "there are no walls");
}
