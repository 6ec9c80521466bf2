// Transformations of a course by the meaning of its fields.
//
// Every field with a meaning in space follows an affine map so that the course drives the same:
// under a mirror checkpoints exchange left and right, the pole side changes, offsets in a kart's
// frame turn round, objects that know left from right get the settings that move them the other
// way. What can't follow becomes a warning on the document.
#ifndef KMP_TRANSFORM_H
#define KMP_TRANSFORM_H

#include "kmp/kmp.h"

typedef struct kmp_transform_options {
    bool scale_speeds;  // multiply speeds with the size (u16: they saturate, with a warning)
    bool scale_objects; // multiply object scales with the size; AREA scales always follow
    bool has_height;    // checkpoints are mapped as if they stood at `height`
    double height;      // ... needed when the map tilts the ground (x or z rotations)
} kmp_transform_options;

// Apply `map` to the document. All or nothing: on failure the document is as it was. Warnings
// add up over operations. Errors: unsupported when the map can't be applied (not finite,
// flat, turns the ground over its edge so that checkpoints collapse, tilts it without a height;
// MK7), memory, limit.
bool kmp_transform(kmp_doc *doc, const kart_affine *map, const kmp_transform_options *options,
                   kart_error *error);

#endif
