// Building octrees: as few prisms to test for a lookup as the bytes allow, and none left out.
//
// The tree is grown down to small cells, each with the prisms that a lookup in it can touch (the
// exact rule of solid.h). Then it is cut back where a split doesn't pay: the cost of a cell is the
// share of lookups that come to it times the prisms that each of them tests, plus a price for its
// bytes. Lists that are alike become one that serves both, where the bytes saved pay for the longer
// list; equal ones and the ends of longer ones are shared.
//
// The same input gives the same bytes on every compiler, build and number of threads.
#ifndef KCL_BUILD_H
#define KCL_BUILD_H

#include "kcl/kcl.h"

// Most prisms of one octree: ids have 16 bits, and one value of them ends a list.
#define KCL_PRISMS_LIMIT 65535

// Most ids of a list by default: as many as the engine of Mario Kart Wii caches. [S]
#define KCL_LONGEST 256

typedef enum kcl_goal {
    KCL_BALANCED, // short lists in less bytes than the games' own octrees take
    KCL_SIZE,     // few bytes
    KCL_SPEED     // short lists, whatever they take
} kcl_goal;

// Zero stands for the default everywhere.
typedef struct kcl_build_options {
    kcl_goal goal;
    size_t budget; // most bytes of an octree; 0: as the goal says
    size_t wanted; // the same where it can be met, else as few as can be: for defaults of callers
    uint32_t smallest; // edge of the smallest cell, a power of two; 128
    // Most ids of a list; more only where cells of an eighth of the smallest have more. That takes
    // what it takes, up to error limit; `longest_wanted` is met as far as a million cells allow it.
    size_t longest, longest_wanted; // KCL_LONGEST wanted
    size_t roots;                   // most root cells, at most KCL_CELLS_LIMIT; 16
    size_t model_prisms;            // version 2: most prisms of a model; KCL_PRISMS_LIMIT
    double by_area;   // share of lookups that come by area, 0 to 1; the others come to all prisms
    bool has_by_area; // alike. `by_area` is given; else 0.5
} kcl_build_options;

// A box of space.
typedef struct kcl_box {
    double low[3], high[3];
} kcl_box;

// What an octree is built over. Triangles that have no area (or aren't finite) are in no list.
typedef struct kcl_build_input {
    const kart_vec3 (*corners)[3];
    size_t count; // at most KCL_PRISMS_LIMIT
    double thickness, radius;
    const kcl_box *within; // where lookups come; NULL: everywhere. Cells outside list nothing
} kcl_build_input;

// An octree and the header's numbers that belong to it.
typedef struct kcl_octree {
    uint8_t *bytes; // freed with kart_free
    size_t size;
    double min[3]; // whole numbers that floats hold
    uint32_t mask[3], shift, x_shift, xy_shift;
    size_t left_out;              // triangles without an area
    size_t nodes, lists, longest; // groups of eight; distinct lists
    double price;                 // tests per byte that it came to
} kcl_octree;

// Build for a format. False with error unsupported (nothing that has an area; coordinates beyond
// what lookups can count), limit (the budget can't be met; more cells than KCL_CELLS_LIMIT), memory
// or cancelled.
bool kcl_octree_build(kart_ctx *ctx, const kcl_format *format, const kcl_build_input *input,
                      const kcl_build_options *options, kcl_octree *octree, kart_error *error);

// An octree of one cell that lists nothing, for a document whose own is yet to be built.
bool kcl_octree_blank(kart_ctx *ctx, const kcl_format *format, kcl_octree *octree,
                      kart_error *error);
void kcl_octree_free(kart_ctx *ctx, kcl_octree *octree);

#endif
