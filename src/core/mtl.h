// Wavefront MTL: the material libraries beside OBJ files. Only names (newmtl) and colours (Kd) are
// read: of the many other statements every program has its own, so none of them is an error.
#ifndef KART_MTL_H
#define KART_MTL_H

#include "core/mesh.h"

// All zeros is an empty library.
typedef struct kart_mtl {
    kart_names names;
    kart_colour *colours; // as many as names; see kart_colour for none
    size_t capacity;
} kart_mtl;

// Add what a file says to a library, whose first colour of a name counts. False with error format,
// limit or memory: the library may then be used, but isn't whole.
bool kart_mtl_parse(kart_ctx *ctx, kart_mtl *mtl, const uint8_t *data, size_t size,
                    kart_error *error);

bool kart_mtl_add(kart_ctx *ctx, kart_mtl *mtl, const char *name, size_t length, kart_colour colour,
                  kart_error *error);

// As text; reading it gives the same names and colours.
uint8_t *kart_mtl_write(kart_ctx *ctx, const kart_mtl *mtl, size_t *size, kart_error *error);

// Give the colours to the mesh's materials of the same names.
bool kart_mtl_apply(const kart_mtl *mtl, kart_mesh *mesh, kart_error *error);

void kart_mtl_free(kart_ctx *ctx, kart_mtl *mtl);

#endif
