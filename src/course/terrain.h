// What lies under points and between them: the triangles of any document, each with the kind of
// surface that it is.
#ifndef COURSE_TERRAIN_H
#define COURSE_TERRAIN_H

#include "core/tree.h"
#include "kcl/format.h"

// What a surface does; several may be said of one.
typedef enum course_surface {
    COURSE_GROUND = 1, // can be stood on
    COURSE_FALL = 2,   // Lakitu fetches who comes here
    COURSE_KART_WALL = 4,
    COURSE_ITEM_WALL = 8 // stops what is thrown
} course_surface;

#define COURSE_ALL_TYPES UINT32_MAX

typedef struct course_terrain {
    const kart_tree *tree;
    size_t count;  // triangles have numbers below it; 0: none of them can be a cannon
    kcl_game game; // whose flags they are. Of games whose flags say nothing here (KCL_GAMES for
                   // others) every triangle is ground, and so is one without a flag
    uint32_t (*flag)(const void *user, uint32_t triangle); // KART_NO_FLAG if it isn't known
    const void *user;
    uint32_t types; // which types of surfaces are ground, bit n for type n, and nothing is a fall
                    // then; COURSE_ALL_TYPES: by what the game does with them
} course_terrain;

// The bits of course_surface that hold for a triangle.
unsigned course_surface_of(const course_terrain *terrain, uint32_t triangle);

// How the ground lies to a point.
typedef struct course_stand {
    bool below, above; // is there any, straight below and straight above? 0 counts as both
    double depth;      // how far below
    double rise;       // how far above
    bool falls;        // what is below is a fall: ground under it isn't reached
} course_stand;

// Look for ground that faces up, as far as `down` below the point and `up` above it; infinite: as
// far as there is any.
course_stand course_stand_find(const course_terrain *terrain, kart_vec3 point, double up,
                               double down);

// Does a wall of this kind, KART or ITEM, stand between two points and show them its front?
bool course_walled(const course_terrain *terrain, course_surface wall, kart_vec3 from,
                   kart_vec3 to);

// Is there any ground on the vertical line through a point, however high or low within the space in
// which lookups work?
bool course_grounded(const course_terrain *terrain, double x, double z);

#endif
