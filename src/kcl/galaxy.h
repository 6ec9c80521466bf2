// Lookups as Super Mario Galaxy and Super Mario Odyssey make them: all cells that a sphere's box
// reaches, so that lists need not know of spheres; the first prism at a point; an arrow's first
// hit.
//
// What counts is known from public decompilations, the last bits of the results aren't: the
// arithmetic is that of kcl/lookup.h. Which engine Mario Kart 8 takes after is not publicly known:
// both rules run on every file.
//
// A prism is left out when its height isn't above 0, or when two of its edge normals point the same
// way within 0.01 (all components of their cross product), as the engines do at loading.
//
// Input that isn't finite: as in kcl/lookup.h, but for a sphere's radius that is infinite, which
// reaches all cells. There is no movement: `moving` and `from` are ignored, and so is a model's
// radius.
#ifndef KCL_GALAXY_H
#define KCL_GALAXY_H

#include "kcl/lookup.h"

// Every prism of the cells that the sphere's box reaches, each once, in the order of the cells: x
// first, then y, then z, one cell after the other; models of version 2 by number, those that the
// global octree has in the box. A hit is static, at most the thickness deep; edges and corners are
// felt from above only.
kcl_lookup_fn kcl_galaxy_sphere;

// The same test on every prism, past all octrees; as kcl_lookup_sphere_all.
kcl_lookup_fn kcl_galaxy_sphere_all;

// The first prism of the point's list that has it inside, from its face down to its thickness.
// Version 2: of the first model that has one; the global octree isn't asked.
kcl_lookup_fn kcl_galaxy_point;

// The arrow from `start` to start + along. Walks the cells that it goes through, and takes the
// nearest face that it enters from above among the prisms of the first cell that has any. Version
// 2: the nearest of all models. `hit->depth` is the fraction of the arrow, 0 to 1. False: none.
bool kcl_galaxy_arrow(const kcl_lookup *lookup, const float start[3], const float along[3],
                      uint32_t types, kcl_hit *hit);

#endif
