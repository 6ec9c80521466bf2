// The square root of the console's processor.
#include "kcl/console.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// The estimate is a straight line in each 32nd of two octaves: mantissa at its beginning, and what
// it loses per step, of which there are 2048. [S]
static const struct {
    uint64_t base;
    uint64_t step;
} rows[32] = {
    {0x69fa000000000, 0x15a0000000}, {0x5f2e000000000, 0x13cc000000},
    {0x554a000000000, 0x1234000000}, {0x4c30000000000, 0x10d4000000},
    {0x43c8000000000, 0x0f9c000000}, {0x3bfc000000000, 0x0e88000000},
    {0x34b8000000000, 0x0d94000000}, {0x2df0000000000, 0x0cb8000000},
    {0x2794000000000, 0x0bf0000000}, {0x219c000000000, 0x0b40000000},
    {0x1bfc000000000, 0x0aa0000000}, {0x16ae000000000, 0x0a0c000000},
    {0x11a8000000000, 0x0984000000}, {0x0ce6000000000, 0x090c000000},
    {0x0862000000000, 0x0898000000}, {0x0416000000000, 0x082c000000},
    {0xffe8000000000, 0x1e90000000}, {0xf0a4000000000, 0x1c00000000},
    {0xe2a8000000000, 0x19c0000000}, {0xd5c8000000000, 0x17c8000000},
    {0xc9e4000000000, 0x1610000000}, {0xbedc000000000, 0x1490000000},
    {0xb498000000000, 0x1330000000}, {0xab00000000000, 0x11f8000000},
    {0xa204000000000, 0x10e8000000}, {0x9994000000000, 0x0fe8000000},
    {0x91a0000000000, 0x0f08000000}, {0x8a1c000000000, 0x0e38000000},
    {0x8304000000000, 0x0d78000000}, {0x7c48000000000, 0x0cc8000000},
    {0x75e4000000000, 0x0c28000000}, {0x6fd0000000000, 0x0b98000000},
};

#define MANTISSA ((UINT64_C(1) << 52) - 1)
#define EXPONENT (UINT64_C(0x7FF) << 52)

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Of a normal number above 0; every float above 0 is one as a double.
static double rsqrt_estimate(double x) {
    uint64_t bits = bits_of(x);
    uint32_t key = (uint32_t)(bits >> 37);
    size_t row = key >> 11 & 31;
    uint64_t exponent = ((UINT64_C(0xBFC) << 52) - (bits & EXPONENT)) >> 1 & EXPONENT;
    uint64_t mantissa = rows[row].base - rows[row].step * (key & 0x7FF);
    return of_bits(exponent | (mantissa & MANTISSA));
}

// As an operand of a multiplication in single precision: 25 bits of the mantissa, rounded.
static double operand(double x) {
    uint64_t bits = bits_of(x);
    return of_bits((bits & ~UINT64_C(0x7FFFFFF)) + (bits & UINT64_C(0x8000000)));
}

float console_sqrt(float x) {
    if (!(x > 0)) return 0;
    if (!isfinite(x)) return NAN;
    double estimate = rsqrt_estimate((double)x);
    float square = (float)(estimate * operand(estimate));
    float half = (float)(estimate * 0.5);
    float rest = (float)(3.0 - (double)square * (double)x);
    return x * (half * rest);
}
