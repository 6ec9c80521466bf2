// Hostile input for every format; see robust.h.
#include "course/course.h"
#include "kcl/check.h"
#include "kcl/rebuild.h"
#include "kmp/check.h"
#include "kmp/edit.h"
#include "kmp/laps.h"
#include "kmp/reference.h"
#include "kmp/transform.h"
#include "robust.h"
#include "szs/folder.h"
#include "test.h"

// --- KMP --------------------------------------------------------------------------------------

static void *course_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    return kmp_parse(ctx, data, size, error);
}

static uint8_t *course_serialize(const void *doc, size_t *size, kart_error *error) {
    return kmp_serialize(doc, size, error);
}

static void course_free(void *doc) { kmp_free(doc); }

static bool ran_out(const kart_error *error) { return error->code == KART_MEMORY; }

// Every repair and an edit of each kind: what they refuse is fine, what they leave must be sound.
static bool course_edit(kmp_doc *doc, kart_error *error) {
    size_t mended, removed[KMP_KINDS];
    bool take[KMP_KINDS];
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        size_t count = doc->tables[kind].count;
        take[kind] = true;
        if (count == 0 || kind == KMP_POINT) continue;
        if (!kmp_edit_remove(doc, (kmp_kind)kind, count / 2, 1, error) && ran_out(error))
            return false;
        if (!kmp_edit_insert(doc, (kmp_kind)kind, 0, 1, KMP_GROUP_AUTO, error) && ran_out(error))
            return false;
        if (kmp_points_of((kmp_kind)kind) == KMP_NONE || doc->tables[kind].count < 2) continue;
        if (!kmp_edit_group_split(doc, (kmp_kind)kind, 1, 1, error) && ran_out(error)) return false;
        if (!kmp_edit_group_join(doc, (kmp_kind)kind, 0, 1, error) && ran_out(error)) return false;
    }
    for (size_t i = 0; kmp_rule_at(i); i++)
        if (kmp_rule_has_fix(i) && !kmp_fix(doc, kmp_rule_at(i)->id, &mended, error) &&
            ran_out(error))
            return false;
    if (!kmp_edit_purge(doc, removed, error) && ran_out(error)) return false;
    kmp_doc *other = kmp_clone(doc, error);
    bool done = other && (kmp_edit_merge(doc, other, take, error) || !ran_out(error));
    kmp_free(other);
    return done;
}

static bool course_check(const kmp_doc *doc, kmp_mode mode, kart_error *error) {
    kart_findings findings = {0};
    bool done = kmp_check(doc, mode, &findings, error) || !ran_out(error);
    kart_findings_free(doc->ctx, &findings);
    return done;
}

static void course_use(void *doc) {
    static unsigned turn; // edits take long: some of the documents will do
    kart_error error = {0};
    kmp_doc *work = turn++ % 4 == 0 ? kmp_clone(doc, NULL) : NULL;
    if (work) {
        CHECK(course_check(work, turn / 4 % 3, &error));
        if (turn % 32 == 1) CHECK(course_edit(work, &error));
        size_t size;
        uint8_t *bytes = kmp_serialize(work, &size, NULL);
        kmp_doc *again = bytes ? kmp_parse(work->ctx, bytes, size, NULL) : NULL;
        CHECK(again);
        kmp_free(again);
        kart_free(work->ctx, bytes, size);
        kmp_free(work);
    }
    kart_affine map = kart_affine_mirror(2, 10);
    kmp_transform(doc, &map, NULL, NULL);
}

static bool course_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    kmp_doc *doc = kmp_parse(ctx, data, size, error);
    if (!doc) return false;
    kart_affine map = kart_affine_mirror(2, 10);
    kmp_lap_options options = {.laps = 1, .max_steps = 2000};
    kmp_lap_result laps = {0};
    size_t out_size = 0;
    uint8_t *out = NULL;
    // What can't be transformed or driven is not an error of the memory.
    bool done = kmp_transform(doc, &map, NULL, error) || error->code == KART_UNSUPPORTED;
    // Each allocation of these is made to fail, which takes its square: small documents will do.
    if (done && size < 512)
        done = course_check(doc, KMP_MODE_AUTO, error) && course_edit(doc, error);
    done = done && (out = kmp_serialize(doc, &out_size, error));
    if (done) {
        done = kmp_laps_simulate(doc, &options, &laps, error) || error->code == KART_UNSUPPORTED;
        kmp_lap_result_free(ctx, &laps);
    }
    kart_free(ctx, out, out_size);
    kmp_free(doc);
    return done;
}

static const robust_format course = {course_parse, course_serialize, course_free, course_use,
                                     NULL,         course_live};

TEST(courses_survive_every_change) {
    CHECK(robust_files(&course, "build/samples/*.kmp") > 0);
    CHECK(robust_files(&course, "build/samples/variants/*.kmp") > 0);
    robust_corpus(&course, "kmp/*.kmp");
}

// --- KCL --------------------------------------------------------------------------------------

static void *collision_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    return kcl_parse(ctx, data, size, KCL_GAMES, error);
}

static uint8_t *collision_serialize(const void *doc, size_t *size, kart_error *error) {
    return kcl_serialize(doc, size, error);
}

static void collision_free(void *doc) { kcl_free(doc); }

// All that trusts what the parser checked.
static bool collision_read(kcl_doc *doc, kart_error *error) {
    kcl_stats stats;
    kart_findings findings = {0};
    bool done = kcl_stats_get(doc, &stats, error) && kcl_check(doc, &findings, error);
    kart_findings_free(doc->ctx, &findings);
    return done;
}

// What can't be mirrored is not an error of the memory.
static bool collision_mirror(kcl_doc *doc, int axis, kart_error *error) {
    kart_affine map = kart_affine_mirror(axis, 0);
    if (kcl_transform(doc, &map, error)) return true;
    if (error->code == KART_MEMORY) return false;
    return CHECK(error->code == KART_UNSUPPORTED || error->code == KART_LIMIT);
}

#define BUILT_MOST 300 // prisms of a document whose octree is built: more take long

// What can't be built is not an error of the memory; what is built must prove.
static void collision_build(const kcl_doc *from) {
    kart_affine map = kart_affine_scale((kart_vec3){1.5, 0.75, -2});
    for (int remade = 0; remade < 2; remade++) {
        kart_error error = {0};
        kcl_proof proof;
        kcl_doc *doc = kcl_clone(from, NULL);
        bool done =
            doc && (!remade || kcl_transform(doc, &map, &error)) && kcl_rebuild(doc, NULL, &error);
        if (done)
            CHECK(kcl_prove(doc, NULL, &proof, NULL) && proof.missing == 0 && proof.outside == 0);
        else
            CHECK(error.code == KART_UNSUPPORTED || error.code == KART_LIMIT);
        CHECK(doc && collision_read(doc, &error));
        kcl_free(doc);
    }
}

static void collision_use(void *doc) {
    static unsigned turn;
    kart_error error = {0};
    static uint16_t map[65536];
    if (turn++ % 32 == 0 && ((const kcl_doc *)doc)->prisms_count <= BUILT_MOST)
        collision_build(doc);
    CHECK(collision_read(doc, &error));
    // An edit must not reach what the parser checked.
    for (size_t i = 0; i < 65536; i++) map[i] = 0xFFFE;
    kcl_flags_map(doc, map);
    CHECK(collision_read(doc, &error));
    collision_mirror(doc, 0, &error);
    CHECK(collision_read(doc, &error));
    error = (kart_error){0};
    collision_mirror(doc, 2, &error);
    CHECK(collision_read(doc, &error));
}

static bool collision_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    kcl_doc *doc = kcl_parse(ctx, data, size, KCL_GAMES, error);
    if (!doc) return false;
    size_t out_size = 0;
    uint8_t *out = NULL;
    bool done = collision_read(doc, error) && collision_mirror(doc, 2, error);
    if (done) {
        out = kcl_serialize(doc, &out_size, error);
        done = out || error->code == KART_STALE;
    }
    kart_free(ctx, out, out_size);
    kcl_free(doc);
    return done;
}

static const robust_format collision = {
    collision_parse, collision_serialize, collision_free, collision_use, NULL, collision_live};

TEST(collisions_survive_every_change) {
    CHECK(robust_files(&collision, "build/samples/*.kcl") > 0);
    CHECK(robust_files(&collision, "build/samples/kcl/*.kcl") > 0);
    robust_corpus(&collision, "kcl-*/*.kcl");
}

// --- archives ---------------------------------------------------------------------------------

static void *archive_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    return szs_parse(ctx, data, size, error);
}

static uint8_t *archive_serialize(const void *doc, size_t *size, kart_error *error) {
    return szs_serialize(doc, YAZ0_FAST, size, error);
}

static void archive_free(void *doc) { szs_free(doc); }

// All that looks at an archive: who is who in it, and can it be a folder?
static bool archive_look(const szs_doc *doc, kart_error *error) {
    course_main main = course_main_find(doc->files);
    char path[64];
    for (size_t i = 0; i < doc->files->count; i++) {
        course_role_of(doc->files, main, i, NULL);
        u8_path(doc->files, i, path, sizeof path);
        CHECK(!u8_changed(doc->files, i));
    }
    return szs_folder_check(doc, error) || CHECK(error->code != KART_FORMAT || error->what[0]);
}

// An edit of each kind, and what comes out reads back.
static bool archive_edit(szs_doc *doc, kart_error *error) {
    size_t node, size, file = 1;
    u8_archive *files = doc->files;
    while (file < files->count && files->nodes[file].folder) file++;
    bool done =
        file == files->count || u8_replace(files, file, (const uint8_t *)"0123456789", 10, error);
    done = done && (u8_add(files, "new/file", (const uint8_t *)"new", 3, &node, error) ||
                    error->code == KART_LIMIT);
    if (done && files->count > 3)
        done = u8_remove(files, 3, error) &&
               (u8_rename(files, 2, "other", error) || error->code == KART_LIMIT);
    uint8_t *bytes = done ? szs_serialize(doc, YAZ0_FAST, &size, error) : NULL;
    szs_doc *again = bytes ? szs_parse(doc->ctx, bytes, size, error) : NULL;
    done = done && again != NULL;
    if (done) CHECK(again->files->count == files->count && again->packed == doc->packed);
    szs_free(again);
    if (bytes) kart_free(doc->ctx, bytes, size);
    return done && szs_settle(doc, error);
}

static void archive_use(void *doc) {
    kart_error error = {0};
    archive_look(doc, &error);
    CHECK(archive_edit(doc, &error));
}

static bool archive_live(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    szs_doc *doc = szs_parse(ctx, data, size, error);
    if (!doc) return false;
    szs_doc *copy = szs_clone(doc, error);
    bool done = copy && (archive_look(copy, error) && !ran_out(error)) && archive_edit(copy, error);
    szs_free(copy);
    szs_free(doc);
    return done;
}

static const robust_format archive = {archive_parse, archive_serialize, archive_free, archive_use,
                                      NULL,          archive_live};

TEST(archives_survive_every_change) {
    CHECK(robust_files(&archive, "build/samples/*.szs") > 0);
    CHECK(robust_files(&archive, "build/samples/szs/*.szs") > 0);
    CHECK(robust_files(&archive, "build/samples/szs/*.arc") > 0);
}

static const test_case cases[] = {
    CASE(courses_survive_every_change),
    CASE(collisions_survive_every_change),
    CASE(archives_survive_every_change),
};

void test_robust(void) { TEST_RUN(cases); }
