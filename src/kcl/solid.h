// Internal to src/kcl: which cells a prism must be listed in.
//
// A lookup at a point reads one list, so a cell must list every prism that a sphere whose centre is
// in the cell can touch: those whose triangle is at most `radius` away from the cell, and those
// whose extruded prism (the triangle drawn down its normal by `thickness`) meets the cell. [S]
//
// The test is exact but for rounding: it never leaves out what it can't decide.
#ifndef KCL_SOLID_H
#define KCL_SOLID_H

#include "core/error.h"
#include "core/vec.h"

#include <stddef.h>
#include <stdint.h>

// A triangle with what the tests ask for again and again.
typedef struct kcl_solid {
    double corner[3][3];    // x, y, z of A, B, C
    double normal[4][3];    // unit: of the face, and outward in its plane of the edges BC, CA, AB
    double plane[4];        // normal . corner: the face's plane, the planes on the edges
    double spread[4];       // |x| + |y| + |z| of the normals
    double low[3], high[3]; // of what it reaches
    double solid_low[3], solid_high[3]; // of the extruded prism
} kcl_solid;

// The same for all solids of a build.
typedef struct kcl_reach {
    double radius, thickness; // of 0 and more
    double pad;               // cells are taken to be larger by this, for what lookups round
} kcl_reach;

// What a lookup rounds: it takes an area's min from a point, in floats, and cuts off what is behind
// the point. In proportion to the largest coordinate; corners that aren't finite don't count.
double kcl_reach_pad(const kcl_reach *reach, const kart_vec3 (*corners)[3], size_t count);

// Where an area of whole units begins that holds all from `low` to `high`, and log2 of how wide it
// is: from at least 1 below, since coordinates from -1 to 0 count as 0, in a number that floats
// hold. False with error unsupported (wider than lookups count, or no number).
bool kcl_area_set(double low, double high, double pad, double *min, unsigned *bits,
                  kart_error *error);

// False if the triangle has no area to speak of or isn't finite: then it has no normals.
bool kcl_solid_make(kcl_solid *solid, const kart_vec3 corner[3], const kcl_reach *reach);

// Which of the eight cells around `center`, each with an edge of `edge`, must list the solid: bit
// x | y << 1 | z << 2, as children in octrees are counted.
unsigned kcl_solid_cells(const kcl_solid *solid, const kcl_reach *reach, const double center[3],
                         double edge);

// Must a list for all places in the box hold the solid?
bool kcl_solid_box(const kcl_solid *solid, const kcl_reach *reach, const double low[3],
                   const double high[3]);

#endif
