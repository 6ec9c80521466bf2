// Internal to src/kcl: arithmetic of the console's processor, bit for bit.
//
// It works on pairs of floats, with fused steps where C has none: the product in full, the sum
// rounded once. A product of two floats is exact in a double. Source: public decompilations and
// tests of the processor.
#ifndef KCL_CONSOLE_H
#define KCL_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

// Four numbers at once, as gcc and clang know them on every processor. Each lane is computed as one
// number would be.
typedef float console_lanes __attribute__((vector_size(16)));
typedef int32_t console_bits __attribute__((vector_size(16))); // of their comparisons: 0 or -1

// a * b + c
static inline float console_fused(float a, float b, float c) {
    return (float)((double)a * (double)b + (double)c);
}

static inline float console_dot(const float a[3], const float b[3]) {
    return console_fused(a[0], b[0], a[1] * b[1]) + a[2] * b[2];
}

// The dot products of one vector with four, as above. Each component of the one fills its lanes.
static inline console_lanes console_dots(console_lanes ax, console_lanes ay, console_lanes az,
                                         console_lanes x, console_lanes y, console_lanes z) {
    typedef double wide __attribute__((vector_size(32)));
    const console_lanes product = y * ay;
    const wide sum = __builtin_convertvector(x, wide) * __builtin_convertvector(ax, wide) +
                     __builtin_convertvector(product, wide);
    return __builtin_convertvector(sum, console_lanes) + z * az;
}

static inline float console_square(const float a[3]) {
    return console_fused(a[2], a[2], a[0] * a[0]) + a[1] * a[1];
}

// From the processor's estimate of 1 / sqrt(x) and one Newton step. 0 unless x > 0; infinity gives
// no number, denormal numbers may give minus infinity.
float console_sqrt(float x);

// Is a bit of one of the lanes set?
static inline bool console_any(console_bits bits) {
    typedef int64_t halves __attribute__((vector_size(16)));
    const halves both = (halves)bits;
    return (both[0] | both[1]) != 0;
}

#endif
