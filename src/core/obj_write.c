// Writing OBJ and the MTL beside it.
#include "core/array.h"
#include "core/bytes.h"
#include "core/keys.h"
#include "core/mtl.h"
#include "core/number.h"
#include "core/obj.h"

#include <stdio.h>
#include <string.h>

// --- materials --------------------------------------------------------------------------------

// The materials as they are written: each pair of material and flag has a name, which says the flag
// where there is one.
typedef struct written {
    kart_keys pairs;
    kart_mtl mtl;
    uint32_t *number; // of each pair in `mtl`, KART_NO_NAME: neither material nor flag
    size_t capacity;
} written;

static const kart_colour unknown_colour = {0.8f, 0, 0.8f}; // a material whose flag isn't known
static const kart_colour plain_colour = {0.6f, 0.6f, 0.6f};

// Appends "_F0020", or "_F00100001"; `name` has room for it.
static size_t flag_append(char *name, size_t length, uint32_t flag) {
    int digits = flag > UINT16_MAX ? 8 : 4;
    return length + (size_t)snprintf(name + length, 16, "_F%0*X", digits, (unsigned)flag);
}

static kart_colour colour_of(const kart_mesh *mesh, uint32_t material, uint32_t flag) {
    kart_colour colour = kart_mesh_colour(mesh, material);
    if (!isnan(colour.red)) return colour;
    if (flag == KART_NO_FLAG) return unknown_colour;
    const kart_surface *surface = kart_mesh_surface(mesh, flag);
    return surface ? surface->colour : plain_colour;
}

static bool add_as_is(const kart_mesh *mesh, written *out, const char *name, size_t length,
                      kart_colour colour, uint32_t *number, kart_error *error) {
    if (!kart_mtl_add(mesh->ctx, &out->mtl, name, length, colour, error)) return false;
    *number = kart_names_find(&out->mtl.names, name, length);
    return true;
}

static bool name_pair(const kart_mesh *mesh, written *out, uint32_t material, uint32_t flag,
                      uint32_t *number, kart_error *error) {
    const char *name = material == KART_NO_NAME ? NULL : kart_names_get(&mesh->materials, material);
    kart_colour colour = colour_of(mesh, material, flag);
    *number = KART_NO_NAME;
    if (!name && flag == KART_NO_FLAG) return true;
    if (name && kart_flag_of_name(name) == flag)
        return add_as_is(mesh, out, name, strlen(name), colour, number, error);
    // The name without what it says of another flag, or else what the surface is called.
    const kart_surface *surface = kart_mesh_surface(mesh, flag);
    const char *stem = name      ? name
                       : surface ? kart_names_get(&mesh->surface_names, surface->name)
                                 : "flag";
    size_t length = kart_flag_name_stem(stem), size = length + 24;
    char *made = kart_alloc(mesh->ctx, size, error);
    if (!made) return false;
    memcpy(made, stem, length);
    if (flag != KART_NO_FLAG) length = flag_append(made, length, flag);
    bool done = add_as_is(mesh, out, made, length, colour, number, error);
    kart_free(mesh->ctx, made, size);
    return done;
}

// The number of a triangle's material among the written ones.
static bool material_number(const kart_mesh *mesh, written *out, const kart_triangle *t,
                            uint32_t *number, kart_error *error) {
    uint32_t pair;
    size_t known = out->pairs.count;
    kart_key key = {{t->material, t->flag, 0, 0}};
    if (!kart_keys_add(mesh->ctx, &out->pairs, key, &pair, error)) return false;
    uint32_t *numbers = kart_array_grow(mesh->ctx, out->number, &out->capacity, out->pairs.count,
                                        sizeof *numbers, error);
    if (!numbers) return false;
    out->number = numbers;
    if (pair == known && !name_pair(mesh, out, t->material, t->flag, &out->number[pair], error))
        return false;
    *number = out->number[pair];
    return true;
}

static void written_free(kart_ctx *ctx, written *out) {
    kart_keys_free(ctx, &out->pairs);
    kart_mtl_free(ctx, &out->mtl);
    kart_free(ctx, out->number, out->capacity * sizeof *out->number);
}

// --- lines ------------------------------------------------------------------------------------

// "usemtl name"; without a name for none.
static void write_statement(kart_writer *w, const char *word, const kart_names *names,
                            uint32_t number) {
    kart_write_text(w, word);
    if (number != KART_NO_NAME) {
        kart_write_text(w, " ");
        kart_write_text(w, kart_names_get(names, number));
    }
    kart_write_text(w, "\n");
}

static void write_position(kart_writer *w, kart_vec3 p) {
    char line[3 * KART_NUMBER_SIZE + 8] = "v";
    const double number[3] = {p.x, p.y, p.z};
    size_t length = 1;
    for (int i = 0; i < 3; i++) {
        line[length++] = ' ';
        length += kart_number_exact(number[i], line + length);
    }
    line[length++] = '\n';
    kart_write_bytes(w, line, length);
}

static void write_face(kart_writer *w, const uint32_t corner[3]) {
    char line[48] = "f";
    size_t length = 1;
    for (int i = 0; i < 3; i++) {
        line[length++] = ' ';
        length += kart_number_exact((double)corner[i] + 1, line + length);
    }
    line[length++] = '\n';
    kart_write_bytes(w, line, length);
}

static bool write_triangles(const kart_mesh *mesh, kart_writer *w, written *out,
                            kart_error *error) {
    uint32_t part = KART_NO_NAME, material = KART_NO_NAME, number;
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        const kart_triangle *t = &mesh->triangles[i];
        if (!kart_ctx_step_at(mesh->ctx, i, mesh->triangles_count, error) ||
            !material_number(mesh, out, t, &number, error))
            return false;
        if (t->part != part)
            write_statement(w, t->part == KART_NO_NAME ? "g" : "o", &mesh->parts, t->part);
        if (number != material) write_statement(w, "usemtl", &out->mtl.names, number);
        part = t->part;
        material = number;
        write_face(w, t->corner);
    }
    return true;
}

uint8_t *kart_obj_write(const kart_mesh *mesh, const char *library, size_t *size,
                        kart_error *error) {
    written out = {0};
    kart_writer w = kart_writer_make(mesh->ctx, false);
    char head[96];
    snprintf(head, sizeof head, "# kartlua: %zu triangles, %zu positions\n", mesh->triangles_count,
             mesh->positions_count);
    kart_write_text(&w, head);
    if (library) {
        kart_write_text(&w, "mtllib ");
        kart_write_text(&w, library);
        kart_write_text(&w, "\n");
    }
    bool done = true;
    for (size_t i = 0; done && i < mesh->positions_count; i++) {
        done = kart_ctx_step_at(mesh->ctx, i, mesh->positions_count, error);
        write_position(&w, mesh->positions[i]);
    }
    done = done && write_triangles(mesh, &w, &out, error);
    written_free(mesh->ctx, &out);
    *size = 0;
    if (done) return kart_writer_take(&w, size, error);
    kart_writer_free(&w);
    return NULL;
}

uint8_t *kart_obj_write_library(const kart_mesh *mesh, size_t *size, kart_error *error) {
    written out = {0};
    uint32_t number;
    bool done = true;
    *size = 0;
    for (size_t i = 0; done && i < mesh->triangles_count; i++)
        done = kart_ctx_step_at(mesh->ctx, i, mesh->triangles_count, error) &&
               material_number(mesh, &out, &mesh->triangles[i], &number, error);
    uint8_t *bytes = done ? kart_mtl_write(mesh->ctx, &out.mtl, size, error) : NULL;
    written_free(mesh->ctx, &out);
    return bytes;
}
