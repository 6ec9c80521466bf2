// Polygons into triangles.
#ifndef KART_POLYGON_H
#define KART_POLYGON_H

#include "core/ctx.h"
#include "core/vec.h"

// Most corners of a polygon. Taking one apart takes the square of them.
#define KART_POLYGON_LIMIT 8192

// Memory that is used again for the next polygon. All zeros at first; to be freed.
typedef struct kart_polygon {
    struct kart_polygon_corner *corners;
    size_t capacity;
    uint32_t *triangles; // numbers of corners, three for each triangle
    size_t triangles_capacity;
    bool crosses; // the last one crosses itself: its triangles are a guess
} kart_polygon;

// Take a polygon of 3 to KART_POLYGON_LIMIT corners apart into `count - 2` triangles that turn the
// same way round. Convex ones become a fan about their first corner, as most programs do it; else
// ears are cut off (Meisters, 1975), seen along the polygon's mean normal: concave polygons come
// out right, and corners in the middle of an edge too. False with error memory or limit.
bool kart_polygon_split(kart_ctx *ctx, kart_polygon *polygon, const kart_vec3 *corners,
                        size_t count, kart_error *error);
void kart_polygon_free(kart_ctx *ctx, kart_polygon *polygon);

#endif
