// PLY, for programs that show meshes: binary, low byte first; positions as doubles, triangles with
// their flags (65535 where it isn't known) and the colours of their surfaces.
#ifndef KART_PLY_H
#define KART_PLY_H

#include "core/mesh.h"

uint8_t *kart_ply_write(const kart_mesh *mesh, size_t *size, kart_error *error);

#endif
