// Files of many models: every triangle stands in each model from whose cells it can be touched, and
// rebuilding them keeps what is there.
#include "collision.h"
#include "kcl/model.h"
#include "kcl/rebuild.h"
#include "kcl/verify.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

typedef struct mesh {
    kart_vec3 (*corners)[3];
    uint16_t *flags;
    size_t count;
} mesh;

static mesh mesh_new(size_t count) {
    mesh m = {malloc(count * sizeof *m.corners), malloc(count * sizeof *m.flags), count};
    if (!m.corners || !m.flags) abort();
    for (size_t i = 0; i < count; i++) m.flags[i] = (uint16_t)(i % 3);
    return m;
}

static void mesh_free(mesh *m) {
    free(m->corners);
    free(m->flags);
}

static double drawn(uint32_t *seed, double low, double high) {
    return low + (high - low) * collision_draw(seed) / 16777215.0;
}

// Triangles anywhere in a box, of all sizes, some very long.
static mesh heap(size_t count, kart_vec3 at, kart_vec3 wide, uint32_t seed) {
    mesh m = mesh_new(count);
    for (size_t i = 0; i < count; i++) {
        double size = i % 17 == 0 ? 2000 : drawn(&seed, 5, 300);
        for (int k = 0; k < 3; k++) {
            const kart_vec3 middle = {drawn(&seed, 0, wide.x), drawn(&seed, 0, wide.y),
                                      drawn(&seed, 0, wide.z)};
            const kart_vec3 off = {drawn(&seed, -size, size), drawn(&seed, -size, size),
                                   drawn(&seed, -size, size)};
            m.corners[i][k] = k == 0 ? vec3_add(at, middle) : vec3_add(m.corners[i][0], off);
        }
    }
    return m;
}

// Hills of k x k squares.
static mesh hills(int k, double square) {
    mesh m = mesh_new((size_t)(2 * k * k));
    size_t at = 0;
    for (int z = 0; z < k; z++)
        for (int x = 0; x < k; x++) {
            kart_vec3 p[4];
            for (int i = 0; i < 4; i++) {
                int px = x + (i & 1), pz = z + (i >> 1);
                p[i] = (kart_vec3){px * square, 50.0 * ((px * 7 + pz * 13 + px * pz) % 11),
                                   pz * square};
            }
            const kart_vec3 a[3] = {p[0], p[2], p[1]}, b[3] = {p[1], p[2], p[3]};
            memcpy(m.corners[at++], a, sizeof a);
            memcpy(m.corners[at++], b, sizeof b);
        }
    return m;
}

// Four times as much space on every axis, with what is there in the second quarter.
static void space_widen(kcl_split *split) {
    for (int i = 0; i < 3; i++) {
        double wide = (double)(1u << split->shift[i]);
        split->shift[i] += 2;
        split->min[i] -= wide;
        for (size_t k = 0; k < split->cuts_count; k++)
            if (split->cuts[k].axis == i) split->cuts[k].plane += wide;
    }
}

// A file of models that hold no more than the limits. `reach`: of radius and thickness, the share
// that the shares of the models are made for; the header always has all of it.
static kcl_doc *make(const char *game, const mesh *m, kcl_split_limits limits, double reach,
                     size_t *copies, kart_error *error) {
    const kcl_format *format = kcl_format_find(game);
    const kcl_make_input input = {(const kart_vec3(*)[3])m->corners, m->flags, m->count};
    kcl_make_report report = {.faults = malloc(m->count * sizeof *report.faults)};
    kcl_draft draft;
    kcl_split split = {.ctx = &ctx};
    kcl_octree sum;
    size_t size;
    uint8_t *bytes = NULL;
    const kcl_build_options octree = {.goal = KCL_BALANCED};
    const kcl_model_input models = {
        .thickness = format->thickness, .radius = format->radius, .octree = &octree};
    kart_writer writer = kart_writer_make(&ctx, format->big);
    bool done = kcl_draft_init(&ctx, &draft, format, m->count, error) &&
                kcl_draft_add(&draft, &input, 1, &report, error) &&
                kcl_split_make(&split, &draft, reach * format->thickness, reach * format->radius,
                               &limits, error);
    if (reach < 1) space_widen(&split);
    done = done && kcl_models_write(&draft, &split, &models, &writer, &sum, error);
    if (done) bytes = kart_writer_take(&writer, &size, error);
    kart_writer_free(&writer);
    size_t placed = 0;
    for (size_t i = 0; i < split.parts_count; i++) {
        if (done) CHECK(split.parts[i].count <= limits.prisms);
        placed += split.parts[i].count;
    }
    if (done && copies) *copies = placed - draft.count;
    kcl_split_free(&split);
    kcl_draft_free(&draft);
    free(report.faults);
    kcl_doc *doc = bytes ? kcl_parse(&ctx, bytes, size, format->game, error) : NULL;
    if (bytes) kart_free(&ctx, bytes, size);
    return doc;
}

static kcl_proof prove(const kcl_doc *doc) {
    kcl_proof proof;
    CHECK(kcl_prove(doc, NULL, &proof, NULL));
    return proof;
}

static bool proves(const kcl_doc *doc) {
    kcl_proof proof = prove(doc);
    return proof.missing == 0 && proof.outside == 0;
}

static bool has_warning(const kcl_doc *doc, const char *rule) {
    for (size_t i = 0; i < doc->warnings.count; i++)
        if (strcmp(doc->warnings.items[i].rule, rule) == 0) return true;
    return false;
}

// Every triangle is there, with its flag, and its index is the same in all models.
static bool holds_all(const kcl_doc *doc, const mesh *m) {
    uint8_t *there = calloc(m->count, 1);
    bool good = there && doc->prisms_stated == m->count;
    for (size_t i = 0; good && i < doc->models_count; i++)
        for (size_t k = 0; good && k < doc->models[i].prisms_count; k++) {
            kcl_prism prism = kcl_prism_get(doc, &doc->models[i], k);
            good = prism.triangle < m->count && prism.flag == m->flags[prism.triangle];
            if (good) there[prism.triangle] = 1;
        }
    for (size_t i = 0; good && i < m->count; i++) good = there[i];
    free(there);
    return good;
}

// No model that isn't needed: some two of them hold more than one could.
static bool all_are_needed(const kcl_doc *doc, kcl_split_limits limits) {
    size_t normals = 0, prisms = 0;
    for (size_t i = 0; i < doc->models_count; i++) {
        normals += doc->models[i].normals_count;
        prisms += doc->models[i].prisms_count;
    }
    size_t least = normals / limits.pool > prisms / limits.prisms ? normals / limits.pool
                                                                  : prisms / limits.prisms;
    return doc->models_count <= 2 * (least + 1);
}

TEST(models_hold_what_can_be_touched_from_their_cells) {
    kart_ctx_init(&ctx);
    static const char *const games[] = {"mk8", "mk8dx", "smo"};
    const kcl_split_limits limits = {300, 900};
    for (size_t i = 0; i < 3; i++) {
        const kart_vec3 at = {i == 1 ? -200000 : 7, i == 2 ? -3000 : 0, i == 1 ? 150000.5 : 0};
        mesh flat = hills(30, 290), tall = heap(300, at, (kart_vec3){4000, 9000, 4000}, 5),
             wide = heap(300, at, (kart_vec3){30000, 300, 20000}, 9);
        mesh *all[] = {&flat, &tall, &wide};
        for (size_t k = 0; k < 3; k++) {
            kart_error error = {0};
            size_t copies = 0;
            kcl_verification found = {0};
            kcl_doc *doc = make(games[i], all[k], limits, 1, &copies, &error);
            if (!CHECK(doc)) printf("    %s %zu: %s\n", games[i], k, error.what);
            if (doc) {
                CHECK(doc->models_count > 1 && holds_all(doc, all[k]) && proves(doc));
                CHECK(all_are_needed(doc, limits));
                CHECK(k > 0 || copies < all[k]->count / 4);
                const kcl_verify_options drawn_only = {
                    .queries = 300, .galaxy = kcl_verify_is_galaxy(doc), .without_cells = true};
                CHECK(kcl_verify(doc, &drawn_only, &found, NULL) && found.count == 0);
                kcl_verification_free(&found);
            }
            kcl_free(doc);
            mesh_free(all[k]);
        }
    }
    CHECK(ctx.used == 0);
}

TEST(one_model_has_all_cells) {
    kart_ctx_init(&ctx);
    mesh m = hills(5, 300);
    kcl_doc *doc = make("mk8", &m, (kcl_split_limits){300, 900}, 1, NULL, NULL);
    CHECK(doc && doc->models_count == 1 && holds_all(doc, &m) && proves(doc));
    kcl_free(doc);
    mesh_free(&m);
}

TEST(what_meets_in_one_place_must_fit_into_a_model) {
    kart_ctx_init(&ctx);
    mesh m = mesh_new(400);
    uint32_t seed = 3;
    for (size_t i = 0; i < m.count; i++)
        for (int k = 0; k < 3; k++)
            m.corners[i][k] =
                (kart_vec3){drawn(&seed, 0, 9), drawn(&seed, 0, 9), drawn(&seed, 0, 9)};
    kart_error error = {0};
    CHECK(!make("mk8", &m, (kcl_split_limits){300, 3000}, 1, NULL, &error));
    CHECK(error.code == KART_LIMIT && strstr(error.what, "one place"));
    mesh_free(&m);
    CHECK(ctx.used == 0);
}

// --- rebuilding -------------------------------------------------------------------------------

static bool prisms_kept(const kcl_doc *before, const kcl_doc *doc) {
    bool kept = doc->models_count == before->models_count;
    for (size_t i = 0; kept && i < doc->models_count; i++) {
        const kcl_model *m = &before->models[i], *n = &doc->models[i];
        kept = n->prisms_count >= m->prisms_count &&
               memcmp(before->data + m->prisms.start, doc->data + n->prisms.start,
                      m->prisms_count * 0x14) == 0;
    }
    return kept;
}

TEST(rebuilding_adds_the_copies_that_a_builder_left_out) {
    kart_ctx_init(&ctx);
    mesh m = hills(30, 290);
    kcl_doc *doc = make("mk8", &m, (kcl_split_limits){300, 900}, 0, NULL, NULL);
    if (CHECK(doc)) {
        CHECK(prove(doc).missing > 0);
        kcl_doc *before = kcl_clone(doc, NULL);
        CHECK(kcl_rebuild(doc, NULL, NULL) && proves(doc) && prisms_kept(before, doc));
        CHECK(doc->prisms_count > before->prisms_count && has_warning(doc, "prisms-copied"));
        CHECK(holds_all(doc, &m));
        // Now nothing is left out.
        size_t count = doc->prisms_count;
        kart_findings_free(&ctx, &doc->warnings);
        doc->warnings = (kart_findings){0};
        CHECK(kcl_rebuild(doc, NULL, NULL) && doc->prisms_count == count && proves(doc));
        CHECK(doc->warnings.count == 0);
        kcl_free(before);
    }
    kcl_free(doc);
    mesh_free(&m);
    CHECK(ctx.used == 0);
}

TEST(rebuilding_gives_models_to_cells_that_should_have_one) {
    kart_ctx_init(&ctx);
    mesh m = hills(30, 290);
    kcl_doc *doc = make("mk8dx", &m, (kcl_split_limits){300, 900}, 1, NULL, NULL);
    if (CHECK(doc)) {
        size_t emptied = 0;
        for (size_t at = doc->global.start; at + 4 <= doc->global.end && emptied < 3; at += 4)
            if (kart_load_u32(doc->data + at, false) >> 30 == 2) {
                kart_store_u32(doc->data + at, false, 0xC0000000);
                emptied++;
            }
        CHECK(emptied == 3 && prove(doc).outside > 0);
        CHECK(kcl_rebuild(doc, NULL, NULL) && proves(doc) && has_warning(doc, "cells-filled"));
    }
    kcl_free(doc);
    mesh_free(&m);
    CHECK(ctx.used == 0);
}

TEST(what_reaches_beyond_the_space_is_shared_out_anew) {
    kart_ctx_init(&ctx);
    mesh m = hills(20, 290);
    kcl_doc *doc = make("mk8", &m, (kcl_split_limits){300, 900}, 1, NULL, NULL);
    if (CHECK(doc)) {
        doc->width_shift[0]--; // half of it
        kart_store_u32(doc->data + 0x28, true, doc->width_shift[0]);
        CHECK(prove(doc).outside > 0);
        CHECK(kcl_rebuild(doc, NULL, NULL) && proves(doc) && holds_all(doc, &m));
        CHECK(doc->models_count == 1);
    }
    kcl_free(doc);
    mesh_free(&m);
    CHECK(ctx.used == 0);
}

TEST(turned_documents_are_shared_out_anew) {
    kart_ctx_init(&ctx);
    mesh m = hills(30, 290);
    kcl_doc *doc = make("mk8", &m, (kcl_split_limits){300, 900}, 1, NULL, NULL);
    kart_affine turn = kart_affine_rotation((kart_vec3){0, 1, 0}, 30),
                stretch = kart_affine_scale((kart_vec3){1, 2, 3}),
                mirror = kart_affine_mirror(0, 0);
    if (CHECK(doc)) {
        CHECK(kcl_transform(doc, &turn, NULL) && doc->stale && doc->prisms_count == m.count);
        CHECK(kcl_transform(doc, &stretch, NULL) && kcl_transform(doc, &mirror, NULL));
        CHECK(kcl_rebuild(doc, NULL, NULL) && !doc->stale && proves(doc) && holds_all(doc, &m));
        for (int axis = 0; axis <= 2; axis += 2) { // a mirror takes models along
            mirror = kart_affine_mirror(axis, 0);
            CHECK(kcl_transform(doc, &mirror, NULL) && !doc->stale && proves(doc));
        }
    }
    kcl_free(doc);
    mesh_free(&m);
    CHECK(ctx.used == 0);
}

// Of a triangle that is there twice both stay, in every model.
TEST(sharing_out_anew_keeps_numbers_and_doubles) {
    kart_ctx_init(&ctx);
    mesh m = hills(30, 290);
    memcpy(m.corners[1], m.corners[0], sizeof *m.corners);
    m.flags[1] = m.flags[0];
    kcl_doc *doc = make("mk8", &m, (kcl_split_limits){300, 900}, 1, NULL, NULL);
    if (CHECK(doc)) {
        CHECK(kcl_split_anew(doc, NULL, NULL) && doc->models_count == 1);
        CHECK(doc->prisms_count == m.count && holds_all(doc, &m) && proves(doc));
        for (size_t i = 0; i < m.count; i++)
            CHECK(kcl_prism_get(doc, doc->models, i).triangle == i);
    }
    kcl_free(doc);
    mesh_free(&m);
    CHECK(ctx.used == 0);
}

// --- the same bytes everywhere ----------------------------------------------------------------

static uint64_t hash(const kcl_doc *doc) {
    uint64_t value = 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < doc->size; i++) value = (value ^ doc->data[i]) * 0x100000001B3u;
    return value;
}

TEST(models_are_the_same_bytes_in_every_build) {
    kart_ctx_init(&ctx);
    mesh all[] = {hills(24, 317.3),
                  heap(400, (kart_vec3){-9000, 0, 0}, (kart_vec3){9e3, 3e3, 9e3}, 4)};
    static const uint64_t expected[2][2] = {{0x18D740354BB7BD3F, 0x2EDE094CF83DFD86},
                                            {0x4DE2D3AFC74CD222, 0xB4936AF6B326B995}};
    for (size_t i = 0; i < 2; i++) {
        kcl_doc *doc =
            make(i ? "mk8dx" : "mk8", &all[i], (kcl_split_limits){300, 900}, 1, NULL, NULL);
        if (!CHECK(doc)) continue;
        uint64_t made = hash(doc);
        kart_affine turn = {{{0.75, 0.25, -0.5, 10}, {0.125, 1, 0.25, -20}, {0.5, 0, 1.25, 0.1}}};
        CHECK(kcl_transform(doc, &turn, NULL) && kcl_rebuild(doc, NULL, NULL));
        if (!CHECK(made == expected[i][0] && hash(doc) == expected[i][1]))
            printf("    0x%016llX, 0x%016llX\n", (unsigned long long)made,
                   (unsigned long long)hash(doc));
        kcl_free(doc);
        mesh_free(&all[i]);
    }
}

// --- memory -----------------------------------------------------------------------------------

TEST(memory_that_runs_out_loses_nothing) {
    mesh m = hills(9, 290);
    size_t tries = 0;
    bool done = false;
    for (size_t most = 0; !done; most += 1 + most / 10) {
        kart_error error = {0};
        test_heap memory;
        test_heap_init(&memory, &ctx, most);
        kcl_doc *doc = make("mk8", &m, (kcl_split_limits){60, 200}, 0, NULL, &error);
        kcl_doc *before = doc ? kcl_clone(doc, &error) : NULL;
        done = before && kcl_rebuild(doc, NULL, &error) && kcl_split_anew(doc, NULL, &error);
        if (!done) CHECK(error.code == KART_MEMORY);
        kcl_free(doc);
        kcl_free(before);
        CHECK(memory.blocks == 0 && ctx.used == 0);
        tries++;
    }
    CHECK(tries > 40);
    mesh_free(&m);
}

static const test_case cases[] = {CASE(models_hold_what_can_be_touched_from_their_cells),
                                  CASE(one_model_has_all_cells),
                                  CASE(what_meets_in_one_place_must_fit_into_a_model),
                                  CASE(rebuilding_adds_the_copies_that_a_builder_left_out),
                                  CASE(rebuilding_gives_models_to_cells_that_should_have_one),
                                  CASE(what_reaches_beyond_the_space_is_shared_out_anew),
                                  CASE(turned_documents_are_shared_out_anew),
                                  CASE(sharing_out_anew_keeps_numbers_and_doubles),
                                  CASE(models_are_the_same_bytes_in_every_build),
                                  CASE(memory_that_runs_out_loses_nothing)};

void test_models(void) { TEST_RUN(cases); }
