// Any bytes: an error, or a document that gives them back, can be looked up in, measured, checked,
// edited, transformed and rebuilt, and whose every result reads back. Nothing may be left
// allocated.
#include "agp/build.h"
#include "agp/check.h"
#include "agp/lookup.h"
#include "agp/mesh.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

// Records that cells may list for a document to be tried with everything: cells that share a list
// can make millions out of a small file, which is allowed, but takes a fuzzer minutes.
#define WORK_MOST 20000

// A corner far out, or narrow cells, make a large file of a small one.
#define SIZE_MOST ((size_t)1 << 21)

static void reads_back(const agp_doc *doc) {
    size_t size;
    if (doc->size > SIZE_MOST) return;
    uint8_t *bytes = agp_serialize(doc, &size, NULL);
    agp_doc *again = agp_parse(doc->ctx, bytes, size, NULL);
    require(again && again->cells_count == doc->cells_count);
    for (int kind = 0; kind < AGP_KINDS; kind++)
        require(again->pools[kind].places == doc->pools[kind].places);
    agp_free(again);
    kart_free(doc->ctx, bytes, size);
}

static void look(const agp_doc *doc) {
    agp_stats stats;
    agp_ground ground;
    agp_near near;
    size_t left_out, count, triangles = doc->pools[AGP_TRIANGLES].count;
    agp_stats_get(doc, &stats);
    for (size_t i = 0; i < triangles && i < 50; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        const float *c = t.corner[i % 3];
        for (size_t at = 0; agp_ground_next(doc, c[0], c[2], &at, &ground);)
            require(ground.triangle < triangles);
        if (agp_ground_below(doc, c[0], c[1], c[2], &ground)) require(ground.height <= c[1]);
        for (size_t at = 0;
             agp_near_next(doc, (double)c[0], (double)c[2], i % 2 ? 50 : HUGE_VAL, &at, &near);)
            require(near.wall < doc->pools[AGP_WALLS].count);
    }
    kart_findings findings = {0};
    require(agp_check(doc, &findings, NULL));
    kart_findings_free(doc->ctx, &findings);
    agp_flag_count *flags = agp_flags_count(doc, &count, NULL);
    kart_free(doc->ctx, flags, count * sizeof *flags);
    kart_mesh *mesh = agp_mesh(doc, &left_out, NULL);
    require(mesh && mesh->triangles_count + left_out == triangles);
    kart_mesh_free(mesh);
}

// What was rebuilt comes back byte for byte, read anew, whatever stood in it.
static void comes_back(const agp_doc *doc) {
    if (doc->size > SIZE_MOST) return;
    agp_doc *once = agp_parse(doc->ctx, doc->data, doc->size, NULL);
    require(once && agp_rebuild(once, NULL, NULL));
    agp_doc *again = agp_parse(doc->ctx, once->data, once->size, NULL);
    require(again && agp_rebuild(again, NULL, NULL));
    require(again->size == once->size && memcmp(again->data, once->data, once->size) == 0);
    agp_free(once);
    agp_free(again);
}

static bool refused(const kart_error *error) {
    return error->code == KART_FORMAT || error->code == KART_LIMIT;
}

static void change(agp_doc *doc, int which) {
    const agp_rebuild_options compute = {.walls = which & 1 ? AGP_WALLS_COMPUTE : AGP_WALLS_KEEP,
                                         .cell = which & 2 ? 37 : 0};
    kart_affine mirror = kart_affine_mirror(which & 4 ? 0 : 2, which & 8 ? 12.5 : 0);
    kart_affine turn = kart_affine_rotation((kart_vec3){which & 16 ? 1 : 0, 1, 0}, 33);
    kart_error error = {0};
    if (doc->pools[AGP_TRIANGLES].count > 0) require(agp_flag_set(doc, 0, 0x12345678, NULL));
    reads_back(doc);
    if (!agp_transform(doc, &mirror, false, &error)) {
        require(refused(&error));
        return;
    }
    comes_back(doc);
    if (agp_transform(doc, &turn, true, &error))
        reads_back(doc);
    else
        require(refused(&error));
    if (agp_rebuild(doc, &compute, &error))
        reads_back(doc);
    else
        require(refused(&error));
    if (doc->size <= SIZE_MOST) look(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    ctx.limit = (size_t)256 << 20;
    agp_detect(data, size);
    agp_doc *doc = agp_parse(&ctx, data, size, NULL);
    if (doc) {
        size_t out_size;
        uint8_t *out = agp_serialize(doc, &out_size, NULL);
        require(out_size == size && memcmp(out, data, size) == 0);
        kart_free(&ctx, out, out_size);
        if (doc->pools[AGP_TRIANGLES].places + doc->pools[AGP_WALLS].places < WORK_MOST) {
            look(doc);
            change(doc, size > 0 ? data[size / 2] : 0);
        }
        agp_free(doc);
    }
    require(ctx.used == 0);
    return 0;
}
