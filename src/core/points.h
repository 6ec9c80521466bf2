// Points packed one behind the other: what batches of queries run on.
#ifndef KART_POINTS_H
#define KART_POINTS_H

#include "core/vec.h"

#include <stddef.h>

typedef struct kart_points {
    const void *data; // x, y, z of each, borrowed
    size_t count;
    bool wide; // doubles, else floats
} kart_points;

static inline kart_vec3 kart_points_get(const kart_points *points, size_t i) {
    if (points->wide) {
        const double *at = (const double *)points->data + 3 * i;
        return (kart_vec3){at[0], at[1], at[2]};
    }
    const float *at = (const float *)points->data + 3 * i;
    return (kart_vec3){(double)at[0], (double)at[1], (double)at[2]};
}

#endif
