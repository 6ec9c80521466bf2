// Internal to the transformation: what all its parts need to know of the map.
#ifndef KMP_TRANSFORM_MAP_H
#define KMP_TRANSFORM_MAP_H

#include "kmp/transform.h"

typedef struct kmp_map {
    const kart_affine *affine;
    const kmp_doc *before; // the document as it was, same records
    kmp_transform_options options;
    bool reflects; // turns a left hand into a right hand
    bool mirrors;  // a reflection along x or z, and at most a scale beside it
    bool turns;    // does anything but move and scale along the axes
    bool similar;  // keeps shapes: one factor in all directions
    double size;   // that factor; else the geometric mean over the ground
    double ground; // determinant of the map of the ground (x, z)
    bool tilts;    // heights change the place on the ground
} kmp_map;

// A position under the map. False with error limit if it leaves the range of floats; what isn't
// finite stays as it is.
bool kmp_map_position(const kmp_map *map, kart_vec3 *position, kart_error *error);

// An offset in a kart's frame: a reflection turns its X round, nothing else touches it.
kart_vec3 kmp_map_kart_offset(const kmp_map *map, kart_vec3 offset);

// A speed times the size; 65535 and false in `*fits` when that does not fit the u16.
uint16_t kmp_map_speed(const kmp_map *map, uint16_t speed, bool *fits);

// Routes by their users (transform_route.c), settings of objects (transform_object.c).
bool kmp_map_routes(kmp_doc *doc, const kmp_map *map, kart_error *error);
bool kmp_map_objects(kmp_doc *doc, const kmp_map *map, kart_error *error);

#endif
