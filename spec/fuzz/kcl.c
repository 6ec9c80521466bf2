// Any bytes, as guessed and as each game's: an error, or a document that gives them back, can be
// walked, looked up in, measured, checked, edited, transformed and rebuilt, and whose every result
// reads back. Nothing may be left allocated.
#include "kcl/check.h"
#include "kcl/galaxy.h"
#include "kcl/rebuild.h"
#include "kcl/verify.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void serialize_and_parse(kart_ctx *ctx, const kcl_doc *doc) {
    size_t size;
    kart_error error;
    uint8_t *bytes = kcl_serialize(doc, &size, &error);
    require(bytes ? !doc->stale : doc->stale && error.code == KART_STALE);
    if (!bytes) return;
    kcl_doc *again = kcl_parse(ctx, bytes, size, doc->format->game, NULL);
    require(again && again->prisms_count == doc->prisms_count);
    kcl_free(again);
    kart_free(ctx, bytes, size);
}

// --- reading ----------------------------------------------------------------------------------

// Cells and ids that a document may have to be tried with everything: shared groups can make
// millions out of a small file, which is allowed, but takes a fuzzer minutes.
#define WORK_MOST 50000

typedef struct looked {
    const kcl_doc *doc;
    const kcl_model *model;
    size_t work;
} looked;

// Every leaf is found at its corner, and its list names prisms that there are.
static bool leaf_look(void *user, const kcl_leaf *leaf) {
    looked *l = user;
    const int32_t point[3] = {(int32_t)leaf->cell[0], (int32_t)leaf->cell[1],
                              (int32_t)leaf->cell[2]};
    kcl_leaf found;
    require(kcl_octree_find(l->doc, l->model, point, &found));
    require(found.list == leaf->list && found.depth == leaf->depth);
    size_t at = leaf->list, prism;
    while (kcl_list_next(l->doc, &at, &prism)) {
        require(prism < l->model->prisms_count);
        l->work++;
    }
    return ++l->work < WORK_MOST;
}

// Gives whether the document is small.
static bool octrees_look(const kcl_doc *doc) {
    static const int32_t places[] = {0, 1, -1, 1000, 0x7FFFFFFF, -0x7FFFFFFF};
    looked l = {.doc = doc};
    for (size_t m = 0; m < doc->models_count; m++) {
        l.model = &doc->models[m];
        if (!kcl_octree_walk(doc, l.model, leaf_look, &l)) return false;
    }
    for (size_t i = 0; doc->format->v2 && i < 216; i++) {
        const int32_t point[3] = {places[i % 6], places[i / 6 % 6], places[i / 36]};
        size_t model = kcl_global_find(doc, point);
        require(model == SIZE_MAX || model < doc->models_count);
    }
    return true;
}

static void prisms_look(const kcl_doc *doc) {
    for (size_t i = 0; i < doc->prisms_count; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(doc, i, &in_model);
        kcl_prism prism = kcl_prism_get(doc, model, in_model);
        kart_vec3 corner[3];
        kcl_prism_triangle(doc, model, &prism, corner);
    }
}

// Every lookup at the corners of prisms and at places that aren't there; what it finds is there.
static void lookups_look(kart_ctx *ctx, kcl_doc *doc) {
    static kcl_lookup_fn *const lookups[] = {kcl_lookup_point, kcl_lookup_sphere, kcl_galaxy_point,
                                             kcl_galaxy_sphere};
    const kcl_lookup *lookup = kcl_lookup_of(doc, NULL);
    kcl_hits hits = {.ctx = ctx};
    require(lookup);
    for (size_t i = 0; i < doc->prisms_count && i < 20; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(doc, i, &in_model);
        const kcl_prism prism = kcl_prism_get(doc, model, in_model);
        const kart_vec3 p = kcl_position_get(doc, model, prism.position);
        kcl_query query = {.point = {(float)p.x, (float)p.y, (float)p.z},
                           .radius = i % 5 == 4 ? INFINITY : 60,
                           .moving = i % 2 == 0,
                           .from = {(float)p.x, (float)p.y + 50, i % 3 == 0 ? NAN : (float)p.z},
                           .types = i % 4 == 3 ? 0x55555555 : KCL_TYPES_ALL};
        for (size_t k = 0; k < sizeof lookups / sizeof *lookups; k++) {
            hits.count = 0;
            require(lookups[k](lookup, &query, &hits, NULL));
            for (size_t h = 0; h < hits.count; h++)
                require(hits.items[h].prism < doc->prisms_count &&
                        hits.items[h].region < KCL_REGIONS);
        }
        kcl_hit hit;
        if (kcl_galaxy_arrow(lookup, query.from, query.point, KCL_TYPES_ALL, &hit))
            require(hit.prism < doc->prisms_count);
    }
    kcl_hits_free(&hits);
    kcl_verification found;
    kcl_stats stats;
    require(kcl_stats_get(doc, &stats, NULL));
    const kcl_verify_options options = {.queries = 20,
                                        .galaxy = doc->prisms_count % 2 == 0,
                                        .without_cells = stats.leaves * stats.prisms > 2000};
    require(kcl_verify(doc, &options, &found, NULL));
    kcl_verification_free(&found);
}

static void document_read(kart_ctx *ctx, const kcl_doc *doc) {
    kcl_stats stats;
    kart_findings findings = {0};
    require(octrees_look(doc));
    prisms_look(doc);
    require(kcl_stats_get(doc, &stats, NULL) && stats.prisms == doc->prisms_count);
    require(kcl_check(doc, &findings, NULL));
    kart_findings_free(ctx, &findings);
}

// --- changing ---------------------------------------------------------------------------------

// Gives whether it was done.
static bool transform(kcl_doc *doc, const kart_affine *map) {
    kart_error error;
    if (kcl_transform(doc, map, &error)) return true;
    require(error.code == KART_UNSUPPORTED || error.code == KART_LIMIT);
    return false;
}

// Flags can be anything; no other byte of the file may hang on them.
static void flags_change(kart_ctx *ctx, const kcl_doc *doc) {
    static uint16_t map[65536];
    for (size_t i = 0; i < 65536; i++) map[i] = (uint16_t)(i ^ 0xFFFF);
    kcl_doc *work = kcl_clone(doc, NULL);
    require(work);
    kcl_flags_map(work, map);
    document_read(ctx, work);
    serialize_and_parse(ctx, work);
    require(kcl_flags_map(work, map) == doc->prisms_count);
    require(memcmp(work->data, doc->data, doc->size) == 0);
    kcl_free(work);
}

static void mirror(kart_ctx *ctx, const kcl_doc *doc, int axis) {
    kart_affine map = kart_affine_mirror(axis, 0);
    kcl_doc *work = kcl_clone(doc, NULL);
    require(work);
    if (transform(work, &map)) {
        document_read(ctx, work);
        serialize_and_parse(ctx, work);
        // The mirror image has one, too, unless the area left the numbers' range.
        if (transform(work, &map)) serialize_and_parse(ctx, work);
    }
    kcl_free(work);
}

static void move(kart_ctx *ctx, const kcl_doc *doc, kart_affine map) {
    kcl_doc *work = kcl_clone(doc, NULL);
    require(work);
    if (transform(work, &map)) {
        document_read(ctx, work);
        serialize_and_parse(ctx, work);
    }
    kcl_free(work);
}

// --- building ---------------------------------------------------------------------------------

#define BUILT_MOST 40 // prisms of a document whose octree is built: more take long

// The octree anew, as it is and after a map that makes the prisms anew: whatever the prisms are, an
// error, or one that lists all that can be touched.
static void rebuild(kart_ctx *ctx, const kcl_doc *doc, const kart_affine *map) {
    kart_error error;
    kcl_proof proof;
    kcl_doc *work = kcl_clone(doc, NULL);
    require(work);
    if ((!map || transform(work, map)) && kcl_rebuild(work, NULL, &error)) {
        require(!work->stale);
        require(kcl_prove(work, NULL, &proof, NULL));
        require(proof.missing == 0 && proof.outside == 0);
        // One triangle of a huge extent makes many cells.
        if (octrees_look(work)) document_read(ctx, work);
        serialize_and_parse(ctx, work);
    }
    kcl_free(work);
}

static void parse_as(const uint8_t *data, size_t size, kcl_game game) {
    kart_ctx ctx;
    kart_error error;
    kart_ctx_init(&ctx);
    kcl_doc *doc = kcl_parse(&ctx, data, size, game, &error);
    if (!doc) {
        require(error.code == KART_FORMAT || error.code == KART_UNSUPPORTED ||
                error.code == KART_LIMIT);
        require(ctx.used == 0);
        return;
    }
    size_t out_size;
    uint8_t *out = kcl_serialize(doc, &out_size, NULL);
    require(out && out_size == size && memcmp(out, data, size) == 0);
    kart_free(&ctx, out, out_size);
    if (!octrees_look(doc)) {
        kcl_free(doc);
        return;
    }
    document_read(&ctx, doc);
    lookups_look(&ctx, doc);
    require(memcmp(doc->data, data, size) == 0);
    flags_change(&ctx, doc);
    mirror(&ctx, doc, 0);
    mirror(&ctx, doc, 2);
    move(&ctx, doc, kart_affine_mirror(2, 1234.5));
    move(&ctx, doc, kart_affine_translation((kart_vec3){-512, 1024, 0.5}));
    kart_affine turn = kart_affine_rotation((kart_vec3){1, 2, 3}, 77);
    kart_affine scale = kart_affine_scale((kart_vec3){-3, -3, -3});
    move(&ctx, doc, kart_affine_multiply(&turn, &scale));
    if (game == KCL_GAMES && doc->prisms_count <= BUILT_MOST) {
        rebuild(&ctx, doc, NULL);
        scale.m[0][1] = 0.5;
        rebuild(&ctx, doc, &scale);
    }
    kcl_free(doc);
    require(ctx.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int game = 0; game <= KCL_GAMES; game++) parse_as(data, size, (kcl_game)game);
    return 0;
}
