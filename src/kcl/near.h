// Internal to src/kcl: places near surfaces, drawn the same way on every machine.
#ifndef KCL_NEAR_H
#define KCL_NEAR_H

#include "core/vec.h"

#include <stdint.h>

#define KCL_NEAR_REACH 100 // units that a place is away from its surface at most

typedef struct kcl_random {
    uint64_t state; // any
} kcl_random;

// From 0 to below 1.
double kcl_random_next(kcl_random *r);

// A place near a triangle: on it, evenly, and then up to KCL_NEAR_REACH away in any direction.
kart_vec3 kcl_near_draw(kcl_random *r, const kart_vec3 corner[3]);

#endif
