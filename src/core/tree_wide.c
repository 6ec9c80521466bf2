// The walk with eight numbers at a time, where the processor can do that. The only place that asks
// for the kind of processor. No fused multiply-add: answers and visits are those of tree_plain.c.
#include "core/lanes.h"
#include "core/tree_work.h"

#if defined(__x86_64__) && defined(__GNUC__)

#define TARGET __attribute__((target("avx2")))

typedef float lanes8 __attribute__((vector_size(32)));
typedef float lanes8_at __attribute__((vector_size(32), may_alias)); // nodes are at multiples
typedef double doubles __attribute__((vector_size(32)));
typedef double doubles_at __attribute__((vector_size(32), aligned(16), may_alias));
#define DOUBLES         4
#define DOUBLES_BITS(m) (unsigned)__builtin_ia32_movmskpd256((doubles)(m))

// When the ray crosses planes.
TARGET static inline lanes8 planes_cross(const float *planes, float origin, float inverse) {
    return (*(const lanes8_at *)planes - origin) * inverse;
}

TARGET static inline unsigned node_look(const tree_node *node, const tree_ray *r, float best,
                                        float near[TREE_WIDTH]) {
    const uint8_t *side = r->near_side;
    lanes8 from = {0}, to = from + best;
    from = __builtin_ia32_maxps256(
        planes_cross(node->bound[side[0]][0], r->near_origin[0], r->near_inverse[0]), from);
    from = __builtin_ia32_maxps256(
        planes_cross(node->bound[side[1]][1], r->near_origin[1], r->near_inverse[1]), from);
    from = __builtin_ia32_maxps256(
        planes_cross(node->bound[side[2]][2], r->near_origin[2], r->near_inverse[2]), from);
    to = __builtin_ia32_minps256(
        planes_cross(node->bound[1 - side[0]][0], r->far_origin[0], r->far_inverse[0]), to);
    to = __builtin_ia32_minps256(
        planes_cross(node->bound[1 - side[1]][1], r->far_origin[1], r->far_inverse[1]), to);
    to = __builtin_ia32_minps256(
        planes_cross(node->bound[1 - side[2]][2], r->far_origin[2], r->far_inverse[2]), to);
    memcpy(near, &from, sizeof from);
    return (unsigned)__builtin_ia32_movmskps256((lanes8)(from <= to));
}

#include "core/tree_kernel.h"

static const tree_kernel wide = {walk};

const tree_kernel *tree_kernel_best(void) {
    return __builtin_cpu_supports("avx2") ? &wide : &tree_kernel_plain;
}

#else

const tree_kernel *tree_kernel_best(void) { return &tree_kernel_plain; }

#endif
