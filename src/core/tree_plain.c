// The walk with four numbers at a time, or two of double precision, which every machine can do in
// some way.
#include "core/lanes.h"
#include "core/tree_work.h"

#define TARGET
#define DOUBLES 2

typedef double doubles __attribute__((vector_size(16)));
typedef double doubles_at __attribute__((vector_size(16), may_alias));
typedef int64_t doubles_mask __attribute__((vector_size(16)));

#ifdef __SSE2__
#define DOUBLES_LEAST   __builtin_ia32_minpd
#define DOUBLES_MOST    __builtin_ia32_maxpd
#define DOUBLES_BITS(m) (unsigned)__builtin_ia32_movmskpd((doubles)(m))
#else
static inline doubles doubles_choose(doubles_mask which, doubles a, doubles b) {
    return (doubles)(((doubles_mask)a & which) | ((doubles_mask)b & ~which));
}
static inline doubles doubles_least(doubles a, doubles b) { return doubles_choose(a < b, a, b); }
static inline doubles doubles_most(doubles a, doubles b) { return doubles_choose(a > b, a, b); }
static inline unsigned doubles_bits(doubles_mask m) { return (unsigned)((m[0] & 1) | (m[1] & 2)); }
#define DOUBLES_LEAST doubles_least
#define DOUBLES_MOST  doubles_most
#define DOUBLES_BITS  doubles_bits
#endif

static inline unsigned half_look(const tree_node *node, const tree_ray *r, float best, int half,
                                 uint32_t near[TREE_WIDTH]) {
#define ENTER(i)                                                                                   \
    (lanes4_load(&node->bound[r->enter[i]][half]) - lanes4_all(r->near_origin[i])) *               \
        lanes4_all(r->near_inverse[i])
#define LEAVE(i)                                                                                   \
    (lanes4_load(&node->bound[r->leave[i]][half]) - lanes4_all(r->far_origin[i])) *                \
        lanes4_all(r->far_inverse[i])
    lanes4 from = lanes4_max(ENTER(0), lanes4_all(0)), to = lanes4_min(LEAVE(0), lanes4_all(best));
    from = lanes4_max(ENTER(1), from);
    to = lanes4_min(LEAVE(1), to);
    from = lanes4_max(ENTER(2), from);
    to = lanes4_min(LEAVE(2), to);
    memcpy(near + half, &from, sizeof from);
    return lanes4_bits(from <= to);
}

static inline unsigned node_look(const tree_node *node, const tree_ray *r, float best,
                                 uint32_t near[TREE_WIDTH]) {
    return half_look(node, r, best, 0, near) | half_look(node, r, best, 4, near) << 4;
}

#include "core/tree_kernel.h"

const tree_kernel tree_kernel_plain = {walk};
