// Hostile input for the text files of meshes; see robust.h.
#include "core/mtl.h"
#include "core/obj.h"
#include "core/pairs.h"
#include "core/ply.h"
#include "robust.h"
#include "test.h"

#include <string.h>

// --- OBJ --------------------------------------------------------------------------------------

static void *mesh_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    return kart_obj_parse(ctx, data, size, "mkw", error);
}

static uint8_t *mesh_serialize(const void *doc, size_t *size, kart_error *error) {
    return kart_obj_write(doc, NULL, size, error);
}

static void mesh_free(void *doc) { kart_mesh_free(doc); }

static bool same_part(const kart_mesh *a, uint32_t part_a, const kart_mesh *b, uint32_t part_b) {
    if (part_a == KART_NO_NAME || part_b == KART_NO_NAME) return part_a == part_b;
    return strcmp(kart_names_get(&a->parts, part_a), kart_names_get(&b->parts, part_b)) == 0;
}

static bool mesh_same(const void *doc, const void *again) {
    const kart_mesh *a = doc, *b = again;
    bool same =
        a->positions_count == b->positions_count && a->triangles_count == b->triangles_count;
    for (size_t i = 0; same && i < a->positions_count; i++)
        same = memcmp(&a->positions[i], &b->positions[i], sizeof *a->positions) == 0;
    for (size_t i = 0; same && i < a->triangles_count; i++) {
        const kart_triangle *t = &a->triangles[i], *u = &b->triangles[i];
        same = memcmp(t->corner, u->corner, sizeof t->corner) == 0 && t->flag == u->flag &&
               same_part(a, t->part, b, u->part);
    }
    return same;
}

// Everything that a mesh is for. False only when memory ran out.
static bool mesh_work(kart_mesh *mesh, kart_error *error) {
    size_t count, size;
    kart_mesh_stats stats;
    kart_affine map = kart_affine_mirror(0, 1);
    uint8_t *ply = kart_ply_write(mesh, &size, error);
    bool done = ply && kart_mesh_stats_get(mesh, &stats, error);
    kart_free(mesh->ctx, ply, size);
    if (!done) return false;
    CHECK(stats.triangles == mesh->triangles_count && stats.unused <= stats.positions);
    if (!kart_mesh_transform(mesh, &map, error) && error->code == KART_MEMORY) return false;
    kart_mesh *copy = kart_mesh_clone(mesh, error);
    done = copy && kart_mesh_merge(mesh, copy, error) && kart_mesh_weld(mesh, 0.1, &count, error) &&
           kart_mesh_drop_duplicates(mesh, &count, error) &&
           kart_mesh_drop_degenerate(mesh, 1e-9, &count, error);
    kart_mesh_free(copy);
    return done;
}

static void mesh_use(void *doc) {
    kart_error error = {0};
    kart_mesh *work = kart_mesh_clone(doc, NULL);
    if (!CHECK(work)) return;
    CHECK(mesh_work(work, &error));
    size_t size;
    uint8_t *bytes = kart_obj_write(work, NULL, &size, NULL);
    kart_mesh *again = bytes ? mesh_parse(work->ctx, bytes, size, NULL) : NULL;
    CHECK(again && mesh_same(work, again));
    kart_mesh_free(again);
    kart_free(work->ctx, bytes, size);
    kart_mesh_free(work);
}

static bool mesh_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    size_t out_size = 0, library_size = 0;
    uint8_t *out = NULL, *library = NULL;
    kart_mesh *mesh = kart_obj_parse(ctx, data, size, "mkw", error);
    bool done = mesh && (out = kart_obj_write(mesh, "a.mtl", &out_size, error)) &&
                (library = kart_obj_write_library(mesh, &library_size, error)) &&
                mesh_work(mesh, error);
    kart_free(ctx, out, out_size);
    kart_free(ctx, library, library_size);
    kart_mesh_free(mesh);
    return done;
}

TEST(meshes_survive_every_change) {
    static const robust_format mesh = {mesh_parse, mesh_serialize, mesh_free,
                                       mesh_use,   mesh_same,      mesh_live};
    CHECK(robust_files(&mesh, "build/samples/obj/*.obj") > 0);
    robust_corpus(&mesh, "obj/*.obj");
}

// --- MTL and pairs ----------------------------------------------------------------------------

// What a text is read into stands with its context.
typedef struct text_doc {
    kart_ctx *ctx;
    kart_mtl mtl;
    kart_pairs pairs;
} text_doc;

static void text_free(void *doc) {
    text_doc *d = doc;
    if (!d) return;
    kart_mtl_free(d->ctx, &d->mtl);
    kart_pairs_free(d->ctx, &d->pairs);
    kart_free(d->ctx, d, sizeof *d);
}

static void *mtl_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    text_doc *d = kart_alloc(ctx, sizeof *d, error);
    if (!d) return NULL;
    d->ctx = ctx;
    if (kart_mtl_parse(ctx, &d->mtl, data, size, error)) return d;
    text_free(d);
    return NULL;
}

static void *pairs_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    text_doc *d = kart_alloc(ctx, sizeof *d, error);
    if (!d) return NULL;
    d->ctx = ctx;
    if (kart_pairs_parse(ctx, &d->pairs, data, size, error)) return d;
    text_free(d);
    return NULL;
}

static uint8_t *mtl_serialize(const void *doc, size_t *size, kart_error *error) {
    const text_doc *d = doc;
    return kart_mtl_write(d->ctx, &d->mtl, size, error);
}

static uint8_t *pairs_serialize(const void *doc, size_t *size, kart_error *error) {
    const text_doc *d = doc;
    return kart_pairs_write(d->ctx, &d->pairs, size, error);
}

static bool same_names(const kart_names *a, const kart_names *b) {
    return a->count == b->count && a->text_size == b->text_size &&
           (a->text_size == 0 || memcmp(a->text, b->text, a->text_size) == 0);
}

static bool mtl_same(const void *doc, const void *again) {
    const kart_mtl *a = &((const text_doc *)doc)->mtl, *b = &((const text_doc *)again)->mtl;
    bool same = same_names(&a->names, &b->names);
    for (size_t i = 0; same && i < a->names.count; i++)
        same = isnan(a->colours[i].red)
                   ? isnan(b->colours[i].red)
                   : memcmp(&a->colours[i], &b->colours[i], sizeof *a->colours) == 0;
    return same;
}

static bool pairs_same(const void *doc, const void *again) {
    const kart_pairs *a = &((const text_doc *)doc)->pairs, *b = &((const text_doc *)again)->pairs;
    return same_names(&a->names, &b->names) && a->values_size == b->values_size &&
           (a->values_size == 0 || memcmp(a->values, b->values, a->values_size) == 0);
}

static void nothing(void *doc) { (void)doc; }

static bool mtl_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    text_doc *d = mtl_parse(ctx, data, size, error);
    kart_mesh *mesh = d ? kart_mesh_new(ctx, "mkw", error) : NULL;
    uint32_t number;
    size_t out_size = 0;
    uint8_t *out = NULL;
    bool done = mesh && kart_names_add(ctx, &mesh->materials, "Grass", 5, &number, error) &&
                kart_mtl_apply(&d->mtl, mesh, error) && (out = mtl_serialize(d, &out_size, error));
    kart_free(ctx, out, out_size);
    kart_mesh_free(mesh);
    text_free(d);
    return done;
}

static bool pairs_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    text_doc *d = pairs_parse(ctx, data, size, error);
    size_t out_size = 0;
    uint8_t *out = d ? pairs_serialize(d, &out_size, error) : NULL;
    bool done = out != NULL;
    kart_free(ctx, out, out_size);
    text_free(d);
    return done;
}

TEST(libraries_and_flag_files_survive_every_change) {
    static const robust_format mtl = {mtl_parse, mtl_serialize, text_free,
                                      nothing,   mtl_same,      mtl_live};
    static const robust_format pairs = {pairs_parse, pairs_serialize, text_free,
                                        nothing,     pairs_same,      pairs_live};
    CHECK(robust_files(&mtl, "build/samples/obj/*.mtl") > 0);
    CHECK(robust_files(&pairs, "build/samples/obj/*.flags") > 0);
}

static const test_case cases[] = {
    CASE(meshes_survive_every_change),
    CASE(libraries_and_flag_files_survive_every_change),
};

void test_robust_mesh(void) { TEST_RUN(cases); }
