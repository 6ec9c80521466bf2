// Four numbers at a time, as gcc and clang give them on every machine. What has no operator there
// is a single instruction where the machine has it.
#ifndef KART_LANES_H
#define KART_LANES_H

#include <stdint.h>
#include <string.h>

typedef float lanes4 __attribute__((vector_size(16)));
typedef int32_t lanes4_mask __attribute__((vector_size(16)));

static inline lanes4 lanes4_load(const float *at) {
    lanes4 v;
    memcpy(&v, at, sizeof v);
    return v;
}
static inline lanes4 lanes4_all(float x) { return (lanes4){x, x, x, x}; }
static inline lanes4 lanes4_abs(lanes4 a) {
    return (lanes4)((lanes4_mask)a & (lanes4_mask){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

static inline lanes4 lanes4_choose(lanes4_mask which, lanes4 a, lanes4 b) {
    return (lanes4)(((lanes4_mask)a & which) | ((lanes4_mask)b & ~which));
}

// Where both are equal, or one is no number: `b`.
#ifdef __SSE2__
static inline lanes4 lanes4_min(lanes4 a, lanes4 b) { return __builtin_ia32_minps(a, b); }
static inline lanes4 lanes4_max(lanes4 a, lanes4 b) { return __builtin_ia32_maxps(a, b); }
#else
static inline lanes4 lanes4_min(lanes4 a, lanes4 b) { return lanes4_choose(a < b, a, b); }
static inline lanes4 lanes4_max(lanes4 a, lanes4 b) { return lanes4_choose(a > b, a, b); }
#endif

// Bit n: lane n of a comparison is true.
static inline unsigned lanes4_bits(lanes4_mask m) {
#ifdef __SSE2__
    return (unsigned)__builtin_ia32_movmskps((lanes4)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

#endif
