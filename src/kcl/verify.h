// Does the octree let the engine find what there is? Every answer through the octree against the
// same test on all prisms.
//
// Two kinds of queries. Spheres drawn about the triangles: middles up to the radius away from a
// place of a triangle, or below it; half of them static, half moving. And for every cell, and every
// prism that its list lacks but that comes near: the place of the cell that is nearest to the
// triangle, and to what lies below it; that finds lists that are short by a tenth of a unit.
//
// What counts is contact: the sphere's middle is at most the radius away from the triangle, or in
// the prism, that is straight below the triangle and no deeper than the thickness. The engine's
// test reports more, as it clips only one end of an edge, and corners only roughly: those hits, and
// those of prisms that are no triangles, are counted apart and are no reason for a complaint. An
// octree that misses none of the contacts is right.
#ifndef KCL_VERIFY_H
#define KCL_VERIFY_H

#include "kcl/lookup.h"

typedef struct kcl_verify_options {
    size_t queries;     // that are drawn
    uint32_t seed;      // of the drawing
    const float *radii; // that take turns; NULL: 1, 0.4 and 0.08 of the largest that the file
    size_t radii_count; // allows, or of 2.5 thicknesses where it doesn't say
    bool galaxy;        // by the rule of kcl/galaxy.h, else by that of kcl/lookup.h
    bool without_cells; // only what is drawn
} kcl_verify_options;

// A contact that the engine doesn't see.
typedef struct kcl_miss {
    size_t prism;  // over all models
    size_t model;  // whose cell the point is in; SIZE_MAX outside of all
    kcl_leaf cell; // with `model`, as all of these
    kart_vec3 cell_min;
    size_t cell_prisms; // in its list
    kart_vec3 point;    // the first that showed it
    double radius;
    double distance; // from the triangle
    double depth;    // of the hit that should be
    size_t count;    // queries in this cell that missed this prism
} kcl_miss;

typedef struct kcl_verification {
    kart_ctx *ctx;
    size_t queries;       // drawn ones
    size_t cells, probes; // cells looked at, queries made for them
    size_t hits;          // of the drawn ones, among all prisms
    size_t far;           // of these: without contact
    size_t far_missed;    // of these: not found through the octree
    kcl_miss *misses;     // by model, cell and prism; each prism once for each cell
    size_t count, capacity;
    size_t unnamed; // of an octree that is broken throughout: misses beyond KCL_MISSES_MOST
} kcl_verification;

#define KCL_MISSES_MOST 1000000

// NULL options: KCL_VERIFY_QUERIES drawn queries and the cells, by the rule that the file is made
// for. Free the result also after a failure: false with error memory, limit, cancelled, or as of
// kcl_rebuild.
bool kcl_verify(kcl_doc *doc, const kcl_verify_options *options, kcl_verification *result,
                kart_error *error);
void kcl_verification_free(kcl_verification *result);

#define KCL_VERIFY_QUERIES 10000

// Is the file made for an engine that gathers all cells that a sphere reaches? So are those without
// a radius in the header, and of version 2 those of Odyssey and all others whose radius is 0.
bool kcl_verify_is_galaxy(const kcl_doc *doc);

#endif
