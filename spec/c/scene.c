#include "scene.h"

#include "collision.h"

#include <math.h>
#include <string.h>

static kart_vec3 corners[SCENE_MOST][3];
static uint32_t seed;

void scene_seed(uint32_t number) { seed = number; }

double scene_draw(double low, double high) {
    return low + (high - low) * ((double)collision_draw(&seed) + 0.5) / (1 << 24);
}
static size_t draw_index(size_t count) { return collision_draw(&seed) % count; }
kart_vec3 scene_draw_vec(double size) {
    return (kart_vec3){scene_draw(-size, size), scene_draw(-size, size), scene_draw(-size, size)};
}
static kart_vec3 between(kart_vec3 a, kart_vec3 b, double k) {
    return vec3_add(a, vec3_scale(vec3_sub(b, a), k));
}

void scene_corners(const void *user, size_t i, kart_vec3 corner[3]) {
    const scene *s = user;
    memcpy(corner, s->corners[i], sizeof s->corners[i]);
}

kart_tree *scene_tree(kart_ctx *ctx, const scene *s) {
    const kart_tree_input input = {.user = s, .count = s->count, .corners = scene_corners};
    return kart_tree_build(ctx, &input, NULL);
}

const double scene_scales[4] = {1e-3, 1, 1e3, 1e6};

// --- scenes -----------------------------------------------------------------------------------

scene scene_empty(void) { return (scene){.corners = corners}; }

void scene_add(scene *s, kart_vec3 a, kart_vec3 b, kart_vec3 c) {
    s->corners[s->count][0] = a;
    s->corners[s->count][1] = b;
    s->corners[s->count++][2] = c;
}

// A closed ball: an octahedron, its faces cut in four so often.
static void ball_add(scene *s, kart_vec3 a, kart_vec3 b, kart_vec3 c, int times, double size) {
    if (times == 0) {
        scene_add(s, a, b, c);
        return;
    }
    kart_vec3 m[3] = {between(a, b, 0.5), between(b, c, 0.5), between(c, a, 0.5)};
    for (int i = 0; i < 3; i++) m[i] = vec3_scale(m[i], size / vec3_length(m[i]));
    ball_add(s, a, m[0], m[2], times - 1, size);
    ball_add(s, m[0], b, m[1], times - 1, size);
    ball_add(s, m[2], m[1], c, times - 1, size);
    ball_add(s, m[0], m[1], m[2], times - 1, size);
}

scene scene_ball(double size, kart_vec3 at, int times) {
    scene s = scene_empty();
    for (int i = 0; i < 8; i++) {
        const double x = i & 1 ? -size : size, y = i & 2 ? -size : size, z = i & 4 ? -size : size;
        const bool turned = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);
        const kart_vec3 b = {0, turned ? 0 : y, turned ? z : 0};
        const kart_vec3 c = {0, turned ? y : 0, turned ? 0 : z};
        ball_add(&s, (kart_vec3){x, 0, 0}, b, c, times, size);
    }
    for (size_t i = 0; i < s.count; i++)
        for (int k = 0; k < 3; k++) s.corners[i][k] = vec3_add(s.corners[i][k], at);
    s.size = size + tree_largest(at);
    return s;
}

scene scene_ground(double size, size_t edge) {
    scene s = scene_empty();
    s.size = size;
    static kart_vec3 place[65][65];
    const double step = 2 * size / (double)edge;
    for (size_t z = 0; z <= edge; z++)
        for (size_t x = 0; x <= edge; x++)
            place[z][x] = (kart_vec3){(double)x * step - size, scene_draw(-0.2, 0.2) * size,
                                      (double)z * step - size};
    for (size_t z = 0; z < edge; z++)
        for (size_t x = 0; x < edge; x++) {
            scene_add(&s, place[z][x], place[z + 1][x], place[z][x + 1]);
            scene_add(&s, place[z][x + 1], place[z + 1][x], place[z + 1][x + 1]);
        }
    return s;
}

scene scene_heap(double size, size_t count) {
    scene s = scene_empty();
    s.size = size;
    while (s.count < count) {
        const kart_vec3 a = scene_draw_vec(size);
        const double reach = size * (s.count % 3 == 0 ? 1 : s.count % 3 == 1 ? 0.1 : 0.001);
        kart_vec3 b = vec3_add(a, scene_draw_vec(reach)), c = vec3_add(a, scene_draw_vec(reach));
        switch (draw_index(8)) {
        case 0: c = between(a, b, scene_draw(0, 1)); break;
        case 1: c = vec3_add(between(a, b, 0.5), scene_draw_vec(reach * 1e-9)); break;
        case 2: b.y = c.y = a.y; break;
        case 3: b = c = a; break;
        case 4:
            if (s.count == 0) continue;
            scene_add(&s, s.corners[s.count - 1][0], s.corners[s.count - 1][1],
                      s.corners[s.count - 1][2]);
            continue;
        default: break;
        }
        scene_add(&s, a, b, c);
    }
    for (size_t i = 0; i < s.count; i++)
        for (int k = 0; k < 3; k++) s.size = fmax(s.size, tree_largest(s.corners[i][k]));
    return s;
}

bool scene_is_thin(const kart_vec3 c[3]) {
    const kart_vec3 b = vec3_sub(c[1], c[0]), d = vec3_sub(c[2], c[0]);
    return !(vec3_length(vec3_cross(b, d)) > 2e-8 * (vec3_dot(b, b) + vec3_dot(d, d)));
}

// --- queries ----------------------------------------------------------------------------------

kart_vec3 scene_on_triangle(const scene *s) {
    const kart_vec3 *c = s->corners[draw_index(s->count)];
    return between(between(c[0], c[1], scene_draw(0, 1)), c[2], scene_draw(0, 1));
}
kart_vec3 scene_on_edge(const scene *s) {
    const kart_vec3 *c = s->corners[draw_index(s->count)];
    const size_t i = draw_index(3);
    return between(c[i], c[(i + 1) % 3], scene_draw(0, 1));
}
kart_vec3 scene_on_corner(const scene *s) {
    return s->corners[draw_index(s->count)][draw_index(3)];
}

kart_ray scene_ray(const scene *s, size_t kind) {
    kart_ray ray = {.origin = scene_draw_vec(1.5 * s->size), .max = (double)INFINITY};
    const kart_vec3 *c = s->corners[draw_index(s->count)];
    kart_vec3 target = scene_draw_vec(s->size);
    switch (kind % 10) {
    case 0: break;
    case 1: target = scene_on_triangle(s); break;
    case 2: target = scene_on_edge(s); break;
    case 3: target = scene_on_corner(s); break;
    case 4: ray.origin = c[0], target = c[1]; break; // along an edge
    case 5: ray.origin = between(c[0], c[1], -0.5), target = c[1]; break;
    case 6: ray.origin = scene_on_triangle(s), target = scene_on_triangle(s); break;
    case 7: // in a plane
        ray.origin = vec3_add(c[0], vec3_scale(vec3_sub(c[1], c[0]), scene_draw(-2, 2)));
        target = vec3_add(c[0], vec3_scale(vec3_sub(c[2], c[0]), scene_draw(-2, 2)));
        break;
    case 8: // straight down on a corner or an edge
        target = kind % 20 == 8 ? scene_on_corner(s) : scene_on_edge(s);
        ray.origin = (kart_vec3){target.x, target.y + s->size, target.z};
        break;
    case 9: ray.origin = target = scene_on_triangle(s); break; // of no length
    default: break;
    }
    ray.direction = vec3_sub(target, ray.origin);
    if (kind % 3 == 1) ray.direction = vec3_scale(ray.direction, 1e-3);
    if (kind % 7 == 1) ray.max = scene_draw(0, 3);
    return ray;
}
