// Collision of the arcade games for tests: ground that rolls, with holes, of any size.
#ifndef ARCADE_H
#define ARCADE_H

#include "agp/build.h"

// A square of `side` x `side` squares of two triangles, a bridge over its middle, and some squares
// left out. Corners are on whole and broken numbers, some of them on the lines between cells.
typedef struct arcade {
    kart_vec3 (*corners)[3];
    uint32_t *flags;
    size_t count;
} arcade;

arcade arcade_make(size_t side);
void arcade_free(arcade *a);

// A document of it; NULL when memory runs out.
agp_doc *arcade_build(kart_ctx *ctx, const arcade *a);

// Numbers that are the same on every machine.
uint32_t arcade_draw(uint32_t *state);

#endif
