// The walk with eight numbers at a time, where the processor can do that. The only place that asks
// for the kind of processor. No fused multiply-add: answers and visits are those of tree_plain.c.
#include "core/lanes.h"
#include "core/tree_work.h"

#if defined(__x86_64__) && defined(__GNUC__)

#define TARGET __attribute__((target("avx2")))

typedef float lanes8 __attribute__((vector_size(32)));
typedef float lanes8_at __attribute__((vector_size(32), aligned(16), may_alias));
typedef double doubles __attribute__((vector_size(32)));
typedef double doubles_at __attribute__((vector_size(32), aligned(16), may_alias));
#define DOUBLES         4
#define DOUBLES_LEAST   __builtin_ia32_minpd256
#define DOUBLES_MOST    __builtin_ia32_maxpd256
#define DOUBLES_BITS(m) (unsigned)__builtin_ia32_movmskpd256((doubles)(m))

TARGET static inline unsigned node_look(const tree_node *node, const tree_ray *r, float best,
                                        uint32_t near[TREE_WIDTH]) {
#define ENTER(i)                                                                                   \
    (*(const lanes8_at *)node->bound[r->enter[i]] - r->near_origin[i]) * r->near_inverse[i]
#define LEAVE(i)                                                                                   \
    (*(const lanes8_at *)node->bound[r->leave[i]] - r->far_origin[i]) * r->far_inverse[i]
    const lanes8 zero = {0};
    lanes8 from = __builtin_ia32_maxps256(ENTER(0), zero);
    lanes8 to = __builtin_ia32_minps256(LEAVE(0), zero + best);
    from = __builtin_ia32_maxps256(ENTER(1), from);
    to = __builtin_ia32_minps256(LEAVE(1), to);
    from = __builtin_ia32_maxps256(ENTER(2), from);
    to = __builtin_ia32_minps256(LEAVE(2), to);
    *(lanes8_at *)near = from;
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
