// Affine maps and rotations, as Mario Kart Wii composes them.
//
// Vectors are columns. Euler angles are degrees about x, y, z, applied in this order:
// R = Rz(z) * Ry(y) * Rx(x). Local forward is +Z, up is +Y. Right-handed; a yaw of 0 looks along
// +Z. Source: engine behaviour (public decompilation), checked numerically.
#ifndef KART_AFFINE_H
#define KART_AFFINE_H

#include "core/vec.h"

typedef struct kart_affine {
    double m[3][4]; // rows; column 3 is the translation
} kart_affine;

extern const kart_affine kart_affine_identity;

kart_affine kart_affine_scale(kart_vec3 factors);
kart_affine kart_affine_translation(kart_vec3 by);

// Mirror at the plane where axis (0 x, 1 y, 2 z) has the value `at`.
kart_affine kart_affine_mirror(int axis, double at);

// Turn by `degrees` about an axis of any non-zero length, counter-clockwise seen from its tip.
// Multiples of 90 degrees about a coordinate axis are exact.
kart_affine kart_affine_rotation(kart_vec3 axis, double degrees);

// The rotation of an euler triple. Multiples of 90 degrees are exact.
kart_affine kart_affine_euler(kart_vec3 degrees);

kart_affine kart_affine_multiply(const kart_affine *a, const kart_affine *b); // first b, then a
kart_affine kart_affine_about(const kart_affine *a, kart_vec3 origin); // a with `origin` fixed
bool kart_affine_invert(const kart_affine *a, kart_affine *inverse);   // false if singular
double kart_affine_determinant(const kart_affine *a);
bool kart_affine_finite(const kart_affine *a);

// A point; sums that add nothing but zeros are left out, so that a coordinate that is only copied
// or negated keeps every bit (negative zeros included) and a zero is not negated.
kart_vec3 kart_affine_point(const kart_affine *a, kart_vec3 p);
kart_vec3 kart_affine_direction(const kart_affine *a, kart_vec3 v); // without translation

// Is the linear part k times a rotation or reflection (relative tolerance 1e-9)? `*k` is then the
// scale, exactly 1 when it is 1 within the tolerance.
bool kart_affine_similar(const kart_affine *a, double *k);

// The rotation that an orientation `old` (degrees) becomes under `a`: forward is carried first,
// then up, by Gram-Schmidt; under a reflection local X turns round, so that forward and up stay. Of
// the two triples of a rotation the one nearest `old` is taken, and each angle stays in old's turn
// (so 270 stays beyond 180). `scales`, if not NULL, gets the lengths of the images of the local
// axes. Mirrors at x and z and yaws use component formulas and round nothing but the result.
// A singular `a` leaves `old` as it is.
kart_vec3 kart_affine_orientation(const kart_affine *a, kart_vec3 old, kart_vec3 *scales);

// Do the axes of a box turned by `degrees` stay at right angles, so that it is still a box?
bool kart_affine_keeps_box(const kart_affine *a, kart_vec3 degrees);

// The other triple of the same rotation, in the turns of `degrees`: (x + 180, 180 - y, z + 180).
kart_vec3 kart_euler_other(kart_vec3 degrees);

// `degrees` less whole turns, within -180..180; both ends and negative zero stay what they are.
double kart_angle_wrap(double degrees);

// cos and sin of degrees; exact at multiples of 90, the same on every machine elsewhere as far as
// the C library's are.
void kart_sincos_degrees(double degrees, double *sine, double *cosine);

#endif
