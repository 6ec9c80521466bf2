#include "core/triangle.h"

static kart_vec3 segment_nearest(kart_vec3 a, kart_vec3 b, kart_vec3 p) {
    const kart_vec3 ab = vec3_sub(b, a);
    const double square = vec3_dot(ab, ab), along = vec3_dot(vec3_sub(p, a), ab);
    if (!(along > 0)) return a;
    return along >= square ? b : vec3_add(a, vec3_scale(ab, along / square));
}

static double square_to(kart_vec3 a, kart_vec3 b) {
    const kart_vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

// Thinner than this share of its length, a triangle's normal is noise: its edges are near enough.
#define THIN 1e-7

// Over the face its projection; else the best of the three edges.
kart_vec3 kart_triangle_nearest(const kart_vec3 corner[3], kart_vec3 p) {
    const kart_vec3 ab = vec3_sub(corner[1], corner[0]), ac = vec3_sub(corner[2], corner[0]);
    const kart_vec3 normal = vec3_cross(ab, ac);
    const double square = vec3_dot(normal, normal);
    const double longer = fmax(vec3_dot(ab, ab), vec3_dot(ac, ac));
    bool over = square > THIN * THIN * longer * longer;
    for (int i = 0; over && i < 3; i++) {
        const kart_vec3 edge = vec3_sub(corner[(i + 1) % 3], corner[i]);
        over = vec3_dot(vec3_cross(edge, vec3_sub(p, corner[i])), normal) >= 0;
    }
    if (over) {
        const double above = vec3_dot(vec3_sub(p, corner[0]), normal) / square;
        return vec3_sub(p, vec3_scale(normal, above));
    }
    kart_vec3 best = corner[0];
    for (int i = 0; i < 3; i++) {
        const kart_vec3 place = segment_nearest(corner[i], corner[(i + 1) % 3], p);
        if (square_to(place, p) < square_to(best, p)) best = place;
    }
    return best;
}
