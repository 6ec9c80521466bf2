// Internal to src/kcl: what the parts of kcl_verify share.
#ifndef KCL_VERIFY_CELLS_H
#define KCL_VERIFY_CELLS_H

#include "kcl/faces.h"
#include "kcl/verify.h"

#define KCL_VERIFY_RADII 3

typedef struct kcl_verify_work {
    const kcl_lookup *lookup;
    kcl_verification *result;
    bool galaxy;
    uint32_t seed;
    size_t serial; // of the next miss
    const float *radii;
    size_t radii_count;
    float own[KCL_VERIFY_RADII];
    kcl_hits found, all; // through the octree, past it
} kcl_verify_work;

// Is the middle of the sphere at most its radius from the triangle, or in the prism? `*distance` is
// that from the triangle. False for what is no triangle.
bool kcl_contact(const kcl_verify_work *w, size_t prism, const kcl_query *query, double *distance);

// Note a contact that was not found.
bool kcl_miss_add(kcl_verify_work *w, size_t prism, const kcl_query *query, double distance,
                  double depth, kart_error *error);

// Does the lookup through the octree miss this prism? A copy of it counts as well.
bool kcl_verify_missed(kcl_verify_work *w, const kcl_query *query, size_t prism, bool *missed,
                       kart_error *error);

// Ask every cell for what comes near it and isn't in its list.
bool kcl_verify_cells(kcl_verify_work *w, kart_error *error);

#endif
