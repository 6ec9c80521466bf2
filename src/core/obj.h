// Wavefront OBJ: text files of meshes that every modelling program reads and writes.
//
// Read: v, f, o, g, usemtl, mtllib. Positions may have a weight and a colour behind them, which are
// not kept; corners of faces may name texture places and normals, which are not looked at. Faces of
// more than three corners are taken apart (core/polygon.h). A face may only name vertices above it;
// negative numbers count from the last one back. Points, lines and free-form surfaces are left out
// with a warning, statements that say how things look (s, vt, vn, lod ...) without. Whatever else
// there is, is an error with its line. Lines end as in core/text.h and may go on after a "\".
//
// The name of a material, object or group is the rest of its line, without space around it. "o" and
// "g" both begin a part, and end the one before. Flags are read off names: see
// kart_mesh_named_flag.
#ifndef KART_OBJ_H
#define KART_OBJ_H

#include "core/mesh.h"

// Is it text, with vertices, and above the first one nothing but what an OBJ may have?
bool kart_obj_detect(const uint8_t *data, size_t size);

// NULL with error format, limit, memory or cancelled.
kart_mesh *kart_obj_parse(kart_ctx *ctx, const uint8_t *data, size_t size, const char *game,
                          kart_error *error);

// The mesh as text: all positions with every digit that they need, triangles in their order.
// Reading it gives the same positions, triangles, flags and parts. Materials keep their names where
// these say the flag; others end in _F<hex4> afterwards, and a triangle without a material gets one
// by its flag (see kart_surface). `library`: the MTL's name, NULL for none.
uint8_t *kart_obj_write(const kart_mesh *mesh, const char *library, size_t *size,
                        kart_error *error);

// The MTL to that: a colour for each material that was written.
uint8_t *kart_obj_write_library(const kart_mesh *mesh, size_t *size, kart_error *error);

#endif
