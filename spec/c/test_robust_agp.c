// Hostile collision of the arcade games; see robust.h.
#include "agp/check.h"
#include "agp/lookup.h"
#include "agp/mesh.h"
#include "robust.h"
#include "test.h"

static void *arcade_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    return agp_parse(ctx, data, size, error);
}

static uint8_t *arcade_serialize(const void *doc, size_t *size, kart_error *error) {
    return agp_serialize(doc, size, error);
}

static void arcade_free(void *doc) { agp_free(doc); }

// All that trusts what the parser checked.
static bool arcade_read(const agp_doc *doc, kart_error *error) {
    agp_stats stats;
    agp_ground ground;
    agp_near near;
    size_t count, left_out;
    kart_findings findings = {0};
    agp_stats_get(doc, &stats);
    for (size_t i = 0; i < doc->pools[AGP_TRIANGLES].count; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        for (size_t at = 0; agp_ground_next(doc, t.corner[0][0], t.corner[0][2], &at, &ground);)
            CHECK(ground.triangle < doc->pools[AGP_TRIANGLES].count);
        for (size_t at = 0;
             agp_near_next(doc, (double)t.corner[1][0], (double)t.corner[1][2], 1e9, &at, &near);)
            CHECK(near.wall < doc->pools[AGP_WALLS].count);
    }
    bool done = agp_check(doc, &findings, error);
    kart_findings_free(doc->ctx, &findings);
    agp_flag_count *counts = done ? agp_flags_count(doc, &count, error) : NULL;
    if (counts) kart_free(doc->ctx, counts, count * sizeof *counts);
    kart_mesh *mesh = counts ? agp_mesh(doc, &left_out, error) : NULL;
    kart_mesh_free(mesh);
    return mesh != NULL;
}

// What can't be made anew is not an error of the memory.
static bool refused(const kart_error *error) {
    return error->code == KART_FORMAT || error->code == KART_LIMIT;
}

static bool reads_back(const agp_doc *doc, kart_error *error) {
    agp_doc *again = agp_parse(doc->ctx, doc->data, doc->size, error);
    if (!again) return false;
    for (int kind = 0; kind < AGP_KINDS; kind++)
        CHECK(again->pools[kind].places == doc->pools[kind].places);
    agp_free(again);
    return true;
}

static bool arcade_change(agp_doc *doc, kart_error *error) {
    const agp_rebuild_options compute = {.walls = AGP_WALLS_COMPUTE};
    kart_affine mirror = kart_affine_mirror(0, 3),
                turn = kart_affine_rotation((kart_vec3){1, 0, 0}, 20);
    if (doc->pools[AGP_TRIANGLES].count > 0 && !agp_flag_set(doc, 0, 0x12345678, error))
        return false;
    if (!reads_back(doc, error)) return false;
    if (!agp_transform(doc, &mirror, false, error)) return refused(error);
    if (!agp_rebuild(doc, &compute, error)) return refused(error);
    if (!reads_back(doc, error)) return false;
    return agp_transform(doc, &turn, true, error) || refused(error);
}

static void arcade_use(void *doc) {
    kart_error error = {0};
    CHECK(arcade_read(doc, &error));
    CHECK(arcade_change(doc, &error));
    CHECK(arcade_read(doc, &error));
}

static bool arcade_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    agp_doc *doc = agp_parse(ctx, data, size, error);
    if (!doc) return false;
    agp_doc *copy = agp_clone(doc, error);
    size_t out_size = 0;
    uint8_t *out = NULL;
    bool done = copy && (out = agp_serialize(doc, &out_size, error));
    // Each allocation of these is made to fail, which takes its square: small documents will do.
    if (done && size < 3000) done = arcade_change(copy, error) && arcade_read(copy, error);
    kart_free(ctx, out, out_size);
    agp_free(copy);
    agp_free(doc);
    return done;
}

TEST(arcade_collisions_survive_every_change) {
    static const robust_format arcade = {arcade_parse, arcade_serialize, arcade_free, arcade_use,
                                         NULL,         arcade_live};
    CHECK(robust_files(&arcade, "build/samples/arcade.bin") > 0);
    CHECK(robust_files(&arcade, "build/samples/agp/*.bin") > 0);
    robust_corpus(&arcade, "agp/*.bin");
}

static const test_case cases[] = {CASE(arcade_collisions_survive_every_change)};

void test_robust_agp(void) { TEST_RUN(cases); }
