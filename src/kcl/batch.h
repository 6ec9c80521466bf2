// One query on many points.
#ifndef KCL_BATCH_H
#define KCL_BATCH_H

#include "core/points.h"
#include "kcl/lookup.h"

typedef struct kcl_batch {
    kcl_lookup_fn *lookup;   // kcl_lookup_sphere, kcl_galaxy_point ...
    kcl_query query;         // radius and types; the rest comes from the points
    kart_points points;      // rounded to floats
    const kart_points *from; // where each was a step before, as many; NULL: the static test
    unsigned threads;        // 0: as many as pay. The answers don't hang on it
} kcl_batch;

// Add the hits of all points to `hits`, whose context is used, point after point, in each one's
// order. `ends`, of as many numbers as there are points, gets how many hits there are with each
// point's. False with error memory, limit or cancelled; `hits` is then to be freed all the same.
bool kcl_batch_run(const kcl_lookup *lookup, const kcl_batch *batch, kcl_hits *hits, size_t *ends,
                   kart_error *error);

#endif
