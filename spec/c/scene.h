// Triangles for tests of trees, the same on every machine, and what asks for them in odd places.
#ifndef SCENE_H
#define SCENE_H

#include "core/tree_work.h"

#define SCENE_MOST 4096 // triangles

// There is room for one scene: a new one takes it from the last.
typedef struct scene {
    kart_vec3 (*corners)[3];
    size_t count;
    double size; // the largest coordinate
} scene;

extern const double scene_scales[4];

// Where the numbers that are drawn begin.
void scene_seed(uint32_t number);
double scene_draw(double low, double high);
kart_vec3 scene_draw_vec(double size);

scene scene_empty(void);
void scene_add(scene *s, kart_vec3 a, kart_vec3 b, kart_vec3 c);

// A closed ball: an octahedron, its faces cut in four so often.
scene scene_ball(double size, kart_vec3 at, int times);

// Ground of squares cut in two; neighbours share their corners.
scene scene_ground(double size, size_t edge);

// Anything: large and small, thin, flat, doubled, without area.
scene scene_heap(double size, size_t count);

// Its tree, and what gives corners to one.
kart_tree *scene_tree(kart_ctx *ctx, const scene *s);
void scene_corners(const void *user, size_t i, kart_vec3 corner[3]);

// So thin that its normal is noise.
bool scene_is_thin(const kart_vec3 c[3]);

// Places, drawn.
kart_vec3 scene_on_triangle(const scene *s);
kart_vec3 scene_on_edge(const scene *s);
kart_vec3 scene_on_corner(const scene *s);

// A ray of any kind by turns: along edges, through corners, in planes, of no length ...
kart_ray scene_ray(const scene *s, size_t kind);

#endif
