// Triangles of three corners in double precision.
#ifndef KART_TRIANGLE_H
#define KART_TRIANGLE_H

#include "core/vec.h"

// The place of the triangle that is nearest to `p`. A triangle without area is the edge or the
// corner that it is.
kart_vec3 kart_triangle_nearest(const kart_vec3 corner[3], kart_vec3 p);

#endif
