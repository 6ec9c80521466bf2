// Points of a course, put on the ground.
#ifndef COURSE_DROP_H
#define COURSE_DROP_H

#include "course/terrain.h"
#include "kmp/kmp.h"

// What is tried where the caller says nothing, in units.
#define COURSE_DROP_UP   300.0
#define COURSE_DROP_DOWN 1000.0

// A point that is this near to where it is to be stays: floats of coordinates are no finer.
#define COURSE_DROP_NEAR 0x1p-5

typedef struct course_drop_options {
    double up, down; // how far the ground may be; infinite: as far as there is any
    double offset;   // how high above the ground points are to be
} course_drop_options;

typedef enum course_fate {
    COURSE_MOVED,
    COURSE_STAYED, // it was there already
    COURSE_LOST    // no ground: it stays where it is
} course_fate;

// A record that has a position, and what became of it.
typedef struct course_drop_place {
    kmp_kind kind;
    size_t index;
    course_fate fate;
    kart_vec3 from, to; // of COURSE_MOVED, `to` as the file holds it
} course_drop_place;

// Have records of this kind a position in the world's units?
bool course_drop_can(const kmp_doc *doc, kmp_kind kind);

// Does the record stand on the ground in any course? Start and end positions, respawns, enemy and
// item points; of objects those that are known to, unless they move along a route.
bool course_drop_usual(const kmp_doc *doc, kmp_kind kind, size_t index);

// Move each of the places to the ground that is nearest, straight below or above. What a point lies
// over counts up to the first fall. Adds a finding (rule "no-ground", a warning) for each of those
// that are lost. False with error limit (a height that no file can hold), memory or cancelled:
// nothing is moved then.
bool course_drop(kmp_doc *doc, const course_terrain *terrain, const course_drop_options *options,
                 course_drop_place *places, size_t count, kart_findings *findings,
                 kart_error *error);

#endif
