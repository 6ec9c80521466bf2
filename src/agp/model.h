// Internal to AGP: files in the making, as triangles and walls in their order.
#ifndef AGP_MODEL_H
#define AGP_MODEL_H

#include "agp/agp.h"

#define AGP_NO_OWNER UINT32_MAX

typedef struct agp_model_wall {
    agp_wall wall;
    uint32_t owner; // the triangle of whose edge it is; AGP_NO_OWNER: drawn by hand
    uint32_t edge;
} agp_model_wall;

typedef struct agp_model {
    kart_ctx *ctx;
    agp_triangle *triangles;
    size_t count;
    agp_model_wall *walls; // by owner and edge, those without an owner behind the others
    size_t walls_count, walls_capacity;
} agp_model;

// Room for `count` triangles. False with error memory or limit; to be freed either way.
bool agp_model_init(kart_ctx *ctx, agp_model *model, size_t count, kart_error *error);
void agp_model_free(agp_model *model);

// The triangles of a document. False with error format if a corner isn't finite, memory or limit.
bool agp_model_take(agp_model *model, const agp_doc *doc, kart_error *error);

// The numbers of a triangle that follow from its corners. The box keeps its bits where it is right.
// Edges, normal and distance are computed in double precision and rounded once; where there is no
// area the normal points up.
void agp_triangle_box(agp_triangle *t);
void agp_triangle_shape(agp_triangle *t);
float agp_triangle_distance(const agp_triangle *t); // -(normal . corner 0)

// Which edges are the same, by exact positions of their ends (zeros of either sign are equal),
// whichever way they run and whatever the flags.
typedef struct agp_edges {
    uint32_t *edge;  // of each triangle three: numbers of edges, AGP_NO_EDGE for one without length
    uint32_t *uses;  // of each edge, how many triangles' edges it is
    uint32_t *ahead; // ... and how many of them run towards the end that came up later
    size_t triangles, count;
} agp_edges;
#define AGP_NO_EDGE UINT32_MAX
bool agp_edges_find(kart_ctx *ctx, const float (*corners)[3][3], size_t count, agp_edges *edges,
                    kart_error *error);
void agp_edges_free(kart_ctx *ctx, agp_edges *edges);

// Mark the edges that no other triangle has; an edge of three or more is shared.
bool agp_model_open(agp_model *model, kart_error *error);

// The wall of an edge; its bounding box, which keeps its bits where it is right.
agp_wall agp_wall_of(const agp_triangle *t, uint32_t edge);
void agp_wall_set(agp_wall *wall, const agp_triangle *t, uint32_t edge);
void agp_wall_box(agp_wall *wall);

// Walls for the marked edges. AGP_WALLS_KEEP: as far as `stored`, a document of the same triangles,
// has them, and behind them all its other walls. AGP_WALLS_COMPUTE: all of them and no others;
// `stored` (may be NULL) only says how zeros are written.
bool agp_model_walls(agp_model *model, const agp_doc *stored, agp_walls_mode mode,
                     kart_error *error);

// The model's grid: bounds of the corners, and as many cells as it takes. `old` (may be NULL) is
// the grid of the document that is made anew: what is right in it stays, bit by bit.
bool agp_model_grid(const agp_model *model, const float cell[2], const agp_grid *old,
                    agp_grid *grid, kart_error *error);

// Would cells computed in doubles be others?
bool agp_model_is_close(const agp_model *model, const agp_grid *grid);

// The file: each triangle in every cell that its box touches, both ends included, as the game
// computes cells; past the last column or row in the last one. Walls where their owner is; those
// without one where their own box is. `wide`: compute cells in doubles instead.
agp_doc *agp_model_file(const agp_model *model, const agp_grid *grid, bool wide, kart_error *error);

#endif
