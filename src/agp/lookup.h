// What the game finds in a course: ground below a point, walls near it.
//
// Lookups see one cell: that of the point, and what it lists, in the order of its list. Points are
// floats, and everything about ground is computed in floats.
#ifndef AGP_LOOKUP_H
#define AGP_LOOKUP_H

#include "agp/agp.h"

typedef struct agp_ground {
    size_t triangle;
    float height; // of its plane at the point
} agp_ground;

// The next triangle of the point's cell that is above or below the point. `*at` is 0 at first, and
// where to go on afterwards. A triangle is one when the point is in its box, both ends included,
// and on the inner side of all three edges: ex * (pz - vz) - ez * (px - vx) <= 0. Its height is
// that of its plane. [S] One that stands upright has none, and is passed over. False at the end.
bool agp_ground_next(const agp_doc *doc, float x, float z, size_t *at, agp_ground *ground);

// Of these the highest that isn't above `y`, the first of equally high ones. False if there is
// none. How the game chooses among several isn't known.
bool agp_ground_below(const agp_doc *doc, float x, float y, float z, agp_ground *ground);

typedef struct agp_near {
    size_t wall;
    double distance; // of the point from it, seen from above
    double at[2];    // x and z of its nearest place
    int side;        // 1: to the left of the way from end 0 to end 1 seen from above, with x to the
                     // right and z down: the inner side of walls of open edges; -1: right, 0: on it
} agp_near;

// The next wall of the point's cell that is at most `radius` away. The game looks at the walls of
// the cell, too [S]; distances are plain geometry.
bool agp_near_next(const agp_doc *doc, double x, double z, double radius, size_t *at,
                   agp_near *near);

#endif
