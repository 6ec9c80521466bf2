// Small collision files for tests, number by number, and the files that samples/make.lua wrote.
#ifndef COLLISION_H
#define COLLISION_H

#include "kcl/kcl.h"

// A triangle on the ground: A at the origin, B along z, C along x, facing up. Its prism, of which a
// test changes what it wants.
typedef struct collision_prism {
    kart_vec3 position, normal[KCL_NORMALS];
    double height;
    uint16_t flag;
} collision_prism;

collision_prism collision_ground(double edge);

// The bytes of a file of one model with these prisms; its octree is one root cell of 1024 units
// from (-512, -512, -512) on, which lists all of them. To be freed with free().
uint8_t *collision_bytes(kcl_game game, const collision_prism *prisms, size_t count, size_t *size);

// The same, parsed. NULL when memory runs out.
kcl_doc *collision_new(kart_ctx *ctx, kcl_game game, const collision_prism *prisms, size_t count);

// Call `visit` with every sample that opens, and with every real file where there are any. Gives
// how many there were.
typedef void (*collision_fn)(const char *path, kcl_doc *doc);
size_t collision_each(collision_fn visit);

// Numbers that are the same on every machine.
uint32_t collision_draw(uint32_t *state);

#endif
