// Vectors of three doubles. Files hold floats; every computation is done in double precision and
// rounded once, when it is written back.
#ifndef KART_VEC_H
#define KART_VEC_H

#include <math.h>
#include <stdbool.h>

typedef struct kart_vec3 {
    double x, y, z; // right-handed, y up
} kart_vec3;

static inline kart_vec3 vec3_add(kart_vec3 a, kart_vec3 b) {
    return (kart_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline kart_vec3 vec3_sub(kart_vec3 a, kart_vec3 b) {
    return (kart_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline kart_vec3 vec3_scale(kart_vec3 a, double k) {
    return (kart_vec3){a.x * k, a.y * k, a.z * k};
}
static inline double vec3_dot(kart_vec3 a, kart_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline kart_vec3 vec3_cross(kart_vec3 a, kart_vec3 b) {
    return (kart_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec3_length(kart_vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline kart_vec3 vec3_unit(kart_vec3 a) { return vec3_scale(a, 1 / vec3_length(a)); }
static inline bool vec3_finite(kart_vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

#endif
