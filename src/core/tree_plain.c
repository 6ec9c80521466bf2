// The walk with four numbers at a time, or two of double precision, which every machine can do in
// some way.
#include "core/lanes.h"
#include "core/tree_work.h"

#define TARGET
#define DOUBLES 2

typedef double doubles __attribute__((vector_size(16)));
typedef double doubles_at __attribute__((vector_size(16), may_alias));
typedef int64_t doubles_mask __attribute__((vector_size(16)));

static inline unsigned doubles_bits(doubles_mask m) {
#ifdef __SSE2__
    return (unsigned)__builtin_ia32_movmskpd((doubles)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2));
#endif
}
#define DOUBLES_BITS doubles_bits

// When the ray crosses planes.
static inline lanes4 planes_cross(const float *planes, float origin, float inverse) {
    return (lanes4_load(planes) - lanes4_all(origin)) * lanes4_all(inverse);
}

static inline unsigned half_look(const tree_node *node, const tree_ray *r, float best, int half,
                                 float near[TREE_WIDTH]) {
    const float *const enter[3] = {&node->bound[r->near_side[0]][0][half],
                                   &node->bound[r->near_side[1]][1][half],
                                   &node->bound[r->near_side[2]][2][half]};
    const float *const leave[3] = {&node->bound[1 - r->near_side[0]][0][half],
                                   &node->bound[1 - r->near_side[1]][1][half],
                                   &node->bound[1 - r->near_side[2]][2][half]};
    lanes4 from =
        lanes4_max(planes_cross(enter[0], r->near_origin[0], r->near_inverse[0]), lanes4_all(0));
    from = lanes4_max(planes_cross(enter[1], r->near_origin[1], r->near_inverse[1]), from);
    from = lanes4_max(planes_cross(enter[2], r->near_origin[2], r->near_inverse[2]), from);
    lanes4 to =
        lanes4_min(planes_cross(leave[0], r->far_origin[0], r->far_inverse[0]), lanes4_all(best));
    to = lanes4_min(planes_cross(leave[1], r->far_origin[1], r->far_inverse[1]), to);
    to = lanes4_min(planes_cross(leave[2], r->far_origin[2], r->far_inverse[2]), to);
    memcpy(near + half, &from, sizeof from);
    return lanes4_bits(from <= to);
}

static inline unsigned node_look(const tree_node *node, const tree_ray *ray, float best,
                                 float near[TREE_WIDTH]) {
    return half_look(node, ray, best, 0, near) | half_look(node, ray, best, 4, near) << 4;
}

#include "core/tree_kernel.h"

const tree_kernel tree_kernel_plain = {walk};
