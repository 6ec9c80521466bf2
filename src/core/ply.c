#include "core/ply.h"

#include "core/bytes.h"

#include <stdio.h>

static const char vertex_properties[] = "property double x\n"
                                        "property double y\n"
                                        "property double z\n";
static const char face_properties[] = "property list uchar uint vertex_indices\n"
                                      "property ushort flag\n"
                                      "property uchar red\n"
                                      "property uchar green\n"
                                      "property uchar blue\n";

static uint8_t level(float part) {
    return (uint8_t)(part <= 0 ? 0 : part >= 1 ? 255 : part * 255 + 0.5f);
}

static void write_face(kart_writer *w, const kart_mesh *mesh, const kart_triangle *t) {
    kart_colour colour = kart_mesh_colour(mesh, t->material);
    const kart_surface *surface = isnan(colour.red) ? kart_mesh_surface(mesh, t->flag) : NULL;
    if (surface) colour = surface->colour;
    if (isnan(colour.red)) colour = (kart_colour){0.6f, 0.6f, 0.6f};
    kart_write_u8(w, 3);
    for (int i = 0; i < 3; i++) kart_write_u32(w, t->corner[i]);
    kart_write_u16(w, (uint16_t)(t->flag == KART_NO_FLAG ? 0xFFFF : t->flag));
    kart_write_u8(w, level(colour.red));
    kart_write_u8(w, level(colour.green));
    kart_write_u8(w, level(colour.blue));
}

uint8_t *kart_ply_write(const kart_mesh *mesh, size_t *size, kart_error *error) {
    char head[512];
    kart_writer w = kart_writer_make(mesh->ctx, false);
    int length =
        snprintf(head, sizeof head,
                 "ply\nformat binary_little_endian 1.0\ncomment kartlua\n"
                 "element vertex %zu\n%selement face %zu\n%send_header\n",
                 mesh->positions_count, vertex_properties, mesh->triangles_count, face_properties);
    kart_write_bytes(&w, head, (size_t)length);
    *size = 0;
    for (size_t i = 0; i < mesh->positions_count; i++) {
        kart_write_f64(&w, mesh->positions[i].x);
        kart_write_f64(&w, mesh->positions[i].y);
        kart_write_f64(&w, mesh->positions[i].z);
    }
    bool done = true;
    for (size_t i = 0; done && i < mesh->triangles_count; i++) {
        done = kart_ctx_step_at(mesh->ctx, i, mesh->triangles_count, error);
        write_face(&w, mesh, &mesh->triangles[i]);
    }
    if (done) return kart_writer_take(&w, size, error);
    kart_writer_free(&w);
    return NULL;
}
