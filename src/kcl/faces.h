// Internal to src/kcl: the table behind kcl_lookup, and what the engines' tests share.
#ifndef KCL_FACES_H
#define KCL_FACES_H

#include "kcl/console.h"
#include "kcl/flag.h"
#include "kcl/lookup.h"

// A prism in the engine's numbers: 64 bytes, one cache line. Lanes are the normals, in the order of
// a prism's: all four planes are measured at once.
typedef struct kcl_face {
    console_lanes x, y, z;
    console_lanes corner; // A's position, then the height
} kcl_face;

struct kcl_lookup {
    const kcl_doc *doc;
    size_t size;           // of this block, in bytes
    const kcl_face *faces; // of all models, at a multiple of 64
    const size_t *first;   // for each model: its first prism over all models
};

static inline void kcl_face_normal(const kcl_face *face, int which, float normal[3]) {
    normal[0] = face->x[which];
    normal[1] = face->y[which];
    normal[2] = face->z[which];
}

// How far a point is above the face and outside of the edges. `*offset` gets the way from corner A
// to it, and a rest.
static inline console_lanes kcl_face_distances(const kcl_face *face, console_lanes point,
                                               console_lanes *offset) {
    const console_lanes q = point - face->corner;
    const console_lanes x = {q[0], q[0], q[0], q[0]}, y = {q[1], q[1], q[1], q[1]};
    const console_lanes z = {q[2], q[2], q[2], q[2]};
    const console_bits last = {0, 0, 0, -1}; // the height counts for BC alone
    *offset = q;
    return console_dots(x, y, z, face->x, face->y, face->z) -
           (console_lanes)((console_bits)face->corner & last);
}

// The type of a surface as a bit.
static inline uint32_t kcl_type_bit(const kcl_doc *doc, uint16_t flag) {
    return UINT32_C(1) << kcl_flag_type(doc->format->game, flag);
}

// Place relative to `min`, cut to whole units towards 0. False for what no area can hold.
static inline bool kcl_place_cut(const float point[3], kart_vec3 min, int32_t cut[3]) {
    const float low[3] = {(float)min.x, (float)min.y, (float)min.z};
    for (int i = 0; i < 3; i++) {
        float offset = point[i] - low[i];
        if (!(offset > -0x1p31f && offset < 0x1p31f)) return false;
        cut[i] = (int32_t)offset;
    }
    return true;
}

// The test of one prism, by its number over all models, as the lookups of the two engines make it.
typedef bool kcl_one_fn(const kcl_lookup *lookup, const kcl_query *query, size_t prism,
                        kcl_hit *hit);
kcl_one_fn kcl_lookup_one, kcl_galaxy_one;

bool kcl_hits_grow(kcl_hits *hits, kart_error *error);

static inline bool kcl_hits_add(kcl_hits *hits, kcl_hit hit, kart_error *error) {
    if (hits->count == hits->capacity && !kcl_hits_grow(hits, error)) return false;
    hits->items[hits->count++] = hit;
    return true;
}

// The edges that count for a place outside of the triangle.
typedef struct kcl_edges {
    int far, other; // the farthest edge, and the farther one of the other two
    bool cyclic;    // the other one comes before it in the order CA, AB, BC
    float cosine;   // between their normals
    bool corner;    // what is nearest is the corner that they share, else the farthest edge
    kcl_region region;
} kcl_edges;

// `d`: distances as above.
kcl_edges kcl_edges_choose(const kcl_face *face, const float d[KCL_NORMALS]);

// Square of the distance from the corner, in the plane of the face.
float kcl_corner_square(const kcl_face *face, const float d[KCL_NORMALS], const kcl_edges *edges);

#endif
