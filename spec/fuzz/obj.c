// Any bytes as an OBJ, an MTL and a file of flags: an error, or a document that can be worked on
// and whose text reads back as the same, and is then written the same. Nothing may be left
// allocated.
#include "core/obj.h"
#include "core/mtl.h"
#include "core/pairs.h"
#include "core/ply.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void require_refusal(const kart_error *error) {
    require(error->what[0] && (error->code == KART_FORMAT || error->code == KART_LIMIT));
}

// --- OBJ --------------------------------------------------------------------------------------

static void require_same(const kart_mesh *a, const kart_mesh *b) {
    require(a->positions_count == b->positions_count && a->triangles_count == b->triangles_count);
    for (size_t i = 0; i < a->positions_count; i++)
        require(memcmp(&a->positions[i], &b->positions[i], sizeof *a->positions) == 0);
    for (size_t i = 0; i < a->triangles_count; i++) {
        const kart_triangle *t = &a->triangles[i], *u = &b->triangles[i];
        require(memcmp(t->corner, u->corner, sizeof t->corner) == 0 && t->flag == u->flag);
    }
}

static void require_sound(const kart_mesh *mesh) {
    for (size_t i = 0; i < mesh->positions_count; i++)
        require(kart_position_valid(mesh->positions[i]));
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        const kart_triangle *t = &mesh->triangles[i];
        for (int c = 0; c < 3; c++) require(t->corner[c] < mesh->positions_count);
        require(t->material == KART_NO_NAME || t->material < mesh->materials.count);
        require(t->part == KART_NO_NAME || t->part < mesh->parts.count);
    }
}

static void write_and_read(kart_ctx *ctx, const kart_mesh *mesh) {
    size_t size, again_size, ply_size, mtl_size;
    uint8_t *bytes = kart_obj_write(mesh, "a b.mtl", &size, NULL);
    kart_mtl mtl = {0};
    require(bytes);
    kart_mesh *again = kart_obj_parse(ctx, bytes, size, "mkw", NULL);
    require(again && again->libraries.count == 1);
    require_same(mesh, again);
    uint8_t *twice = kart_obj_write(again, "a b.mtl", &again_size, NULL);
    require(twice && again_size == size && memcmp(bytes, twice, size) == 0);
    uint8_t *ply = kart_ply_write(mesh, &ply_size, NULL);
    uint8_t *library = kart_obj_write_library(mesh, &mtl_size, NULL);
    require(ply && library && kart_mtl_parse(ctx, &mtl, library, mtl_size, NULL));
    kart_mtl_free(ctx, &mtl);
    kart_free(ctx, bytes, size);
    kart_free(ctx, twice, again_size);
    kart_free(ctx, ply, ply_size);
    kart_free(ctx, library, mtl_size);
    kart_mesh_free(again);
}

static void work(kart_ctx *ctx, kart_mesh *mesh) {
    kart_mesh_stats stats;
    size_t count;
    kart_affine map = kart_affine_mirror(2, 10);
    require(kart_mesh_stats_get(mesh, &stats, NULL));
    uint8_t *chosen = calloc(1, mesh->triangles_count + 1);
    require(chosen != NULL);
    for (size_t i = 0; i < mesh->triangles_count; i += 2) chosen[i] = 1;
    kart_mesh *picked = kart_mesh_pick(mesh, chosen, NULL);
    free(chosen);
    require(picked && picked->triangles_count == (mesh->triangles_count + 1) / 2);
    require(kart_mesh_merge(mesh, picked, NULL));
    kart_mesh_free(picked);
    kart_mesh_transform(mesh, &map, NULL);
    require(kart_mesh_weld(mesh, 0.5, &count, NULL));
    require(kart_mesh_drop_degenerate(mesh, 1e-9, &count, NULL));
    require(kart_mesh_drop_duplicates(mesh, &count, NULL));
    require(kart_mesh_stats_get(mesh, &stats, NULL) && stats.duplicates == 0);
    require_sound(mesh);
    write_and_read(ctx, mesh);
}

static void try_obj(kart_ctx *ctx, const uint8_t *data, size_t size) {
    kart_error error;
    kart_obj_detect(data, size);
    kart_mesh *mesh = kart_obj_parse(ctx, data, size, "mkw", &error);
    if (!mesh) {
        require_refusal(&error);
        return;
    }
    require_sound(mesh);
    write_and_read(ctx, mesh);
    work(ctx, mesh);
    kart_mesh_free(mesh);
}

// --- MTL and flags ----------------------------------------------------------------------------

static void try_mtl(kart_ctx *ctx, const uint8_t *data, size_t size) {
    kart_error error;
    kart_mtl mtl = {0}, again = {0};
    size_t out_size, again_size;
    if (kart_mtl_parse(ctx, &mtl, data, size, &error)) {
        uint8_t *out = kart_mtl_write(ctx, &mtl, &out_size, NULL);
        require(out && kart_mtl_parse(ctx, &again, out, out_size, NULL));
        uint8_t *twice = kart_mtl_write(ctx, &again, &again_size, NULL);
        require(twice && again_size == out_size && memcmp(out, twice, out_size) == 0);
        kart_free(ctx, out, out_size);
        kart_free(ctx, twice, again_size);
    } else {
        require_refusal(&error);
    }
    kart_mtl_free(ctx, &mtl);
    kart_mtl_free(ctx, &again);
}

static void try_pairs(kart_ctx *ctx, const uint8_t *data, size_t size) {
    kart_error error;
    kart_pairs pairs = {0}, again = {0};
    size_t out_size;
    if (kart_pairs_parse(ctx, &pairs, data, size, &error)) {
        uint8_t *out = kart_pairs_write(ctx, &pairs, &out_size, NULL);
        require(out && kart_pairs_parse(ctx, &again, out, out_size, NULL));
        require(again.names.count == pairs.names.count);
        for (uint32_t i = 0; i < pairs.names.count; i++) {
            require(strcmp(kart_names_get(&pairs.names, i), kart_names_get(&again.names, i)) == 0);
            require(strcmp(kart_pairs_value(&pairs, i), kart_pairs_value(&again, i)) == 0);
        }
        kart_free(ctx, out, out_size);
    } else {
        require_refusal(&error);
    }
    kart_pairs_free(ctx, &pairs);
    kart_pairs_free(ctx, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    try_obj(&ctx, data, size);
    try_mtl(&ctx, data, size);
    try_pairs(&ctx, data, size);
    require(ctx.used == 0);
    return 0;
}
