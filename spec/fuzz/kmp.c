// Any bytes: an error, or a document that gives them back, can be checked, mended, edited,
// transformed and driven, and whose every result reads back. Nothing may be left allocated.
#include "kmp/check.h"
#include "kmp/edit.h"
#include "kmp/laps.h"
#include "kmp/reference.h"
#include "kmp/transform.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void serialize_and_parse(kart_ctx *ctx, const kmp_doc *doc) {
    size_t size;
    uint8_t *bytes = kmp_serialize(doc, &size, NULL);
    require(bytes);
    kmp_doc *again = kmp_parse(ctx, bytes, size, NULL);
    require(again);
    kmp_free(again);
    kart_free(ctx, bytes, size);
}

static void transform(kart_ctx *ctx, const kmp_doc *doc, kart_affine map, bool has_height) {
    kmp_transform_options options = {
        .scale_speeds = true, .scale_objects = true, .has_height = has_height, .height = 100};
    kart_error error;
    kmp_doc *work = kmp_clone(doc, &error);
    require(work);
    if (kmp_transform(work, &map, &options, &error))
        serialize_and_parse(ctx, work);
    else
        require(error.code == KART_UNSUPPORTED || error.code == KART_LIMIT);
    kmp_free(work);
}

static void check(const kmp_doc *doc, kmp_mode mode) {
    kart_error error;
    kart_findings findings = {0};
    if (!kmp_check(doc, mode, &findings, &error)) require(error.code != KART_MEMORY);
    kart_findings_free(doc->ctx, &findings);
}

// All repairs, an edit of each kind at a place that the input chooses, purge and merge.
static void edit(kart_ctx *ctx, const kmp_doc *doc, size_t place) {
    size_t mended, removed[KMP_KINDS];
    bool take[KMP_KINDS];
    kart_error error;
    kmp_doc *work = kmp_clone(doc, &error);
    require(work);
    for (size_t i = 0; kmp_rule_at(i); i++) kmp_fix(work, kmp_rule_at(i)->id, &mended, &error);
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        size_t count = work->tables[kind].count;
        take[kind] = true;
        if (count == 0 || kind == KMP_POINT) continue;
        kmp_edit_remove(work, (kmp_kind)kind, place % count, 1, &error);
        count = work->tables[kind].count;
        kmp_edit_insert(work, (kmp_kind)kind, place % (count + 1), 1, KMP_GROUP_AUTO, &error);
        if (kmp_points_of((kmp_kind)kind) == KMP_NONE) continue;
        count = work->tables[kind].count;
        if (count > 0) kmp_edit_group_split(work, (kmp_kind)kind, place % count, 1, &error);
        if (count > 1)
            kmp_edit_group_join(work, (kmp_kind)kind, place % (count - 1), place % (count - 1) + 1,
                                &error);
    }
    serialize_and_parse(ctx, work);
    check(work, KMP_MODE_AUTO);
    kmp_edit_purge(work, removed, &error);
    kmp_edit_merge(work, doc, take, &error);
    serialize_and_parse(ctx, work);
    kmp_free(work);
}

// The same number for the same input, and another one for nearly the same.
static uint32_t draw(const uint8_t *data, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 16777619u;
    return hash >> 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kart_ctx ctx;
    kart_error error;
    kart_ctx_init(&ctx);
    kmp_doc *doc = kmp_parse(&ctx, data, size, &error);
    if (!doc) {
        require(error.code == KART_FORMAT || error.code == KART_LIMIT);
        require(ctx.used == 0);
        return 0;
    }
    size_t out_size;
    uint8_t *out = kmp_serialize(doc, &out_size, NULL);
    require(out && out_size == size && memcmp(out, data, size) == 0);
    kart_free(&ctx, out, out_size);

    transform(&ctx, doc, kart_affine_mirror(0, 0), false);
    transform(&ctx, doc, kart_affine_mirror(2, 1234.5), false);
    kart_affine turn = kart_affine_rotation((kart_vec3){1, 2, 3}, 77);
    kart_affine stretch = kart_affine_scale((kart_vec3){3, 1, 70000});
    transform(&ctx, doc, kart_affine_multiply(&turn, &stretch), true);

    kmp_lap_options options = {.max_steps = 500};
    kmp_lap_result result;
    if (kmp_laps_simulate(doc, &options, &result, &error)) kmp_lap_result_free(&ctx, &result);
    // A check drives eight laps and takes fifty times as long as all of the above, and so does an
    // edit. A draw decides, so that the rest is tried the oftener.
    switch (draw(data, size) % 64) {
    case 0: edit(&ctx, doc, size); break;
    case 1: check(doc, KMP_MODE_RACE); break;
    case 2: check(doc, KMP_MODE_ARENA); break;
    default: break;
    }
    kmp_free(doc);
    require(ctx.used == 0);
    return 0;
}
