// A course as a whole: who is who in it, where it is read from, and that its parts are transformed
// together or not at all.
#define _XOPEN_SOURCE 700

#include "collision.h"
#include "core/file.h"
#include "core/os.h"
#include "course.h"
#include "course/course.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static kart_ctx ctx;

// An archive of empty files.
static szs_doc *archive_of(const char *const *paths, size_t count) {
    size_t node;
    szs_doc *doc = szs_new(&ctx, true, NULL);
    for (size_t i = 0; i < count; i++) CHECK(u8_add(doc->files, paths[i], NULL, 0, &node, NULL));
    return doc;
}

static const char *role(const szs_doc *doc, const char *path, const char **what) {
    size_t node = u8_find(doc->files, path);
    const char *name =
        course_role_name(course_role_of(doc->files, course_main_find(doc->files), node, what));
    return name ? name : "";
}

TEST(files_have_roles_by_their_names) {
    static const struct {
        const char *path, *role, *what;
    } files[] = {
        {"course.kmp", "kmp", NULL},
        {"course.kcl", "kcl", NULL},
        {"other.kcl", "object", NULL},
        {"obj/Rock.KCL", "object", NULL},
        {"a/b/c/d.kcl", "object", NULL},
        {"obj/course.kcl", "object", NULL},
        {"other.kmp", "", NULL},
        {"obj/course.kmp", "", NULL},
        {"course_model.brres", "scene", "the course's model"},
        {"Course_Model.brres", "scene", "the course's model"},
        {"course_d_model.brres", "scene", "a part of the course's model"},
        {"map_model.brres", "scene", "the model of its map"},
        {"vrcorn_model.brres", "scene", "the model of its surroundings"},
        {"vrcorn2_model.brres", "scene", "the model of its surroundings"},
        {"posteffect/posteffect.blight", "scene", "the file of its lights"},
        {"posteffect/posteffect.blmap", "scene", "the file of its light textures"},
        {"posteffect/posteffect.bfg", "", NULL},
        {"effect/posteffect.blight", "", NULL},
        {"posteffect/a/b.blight", "", NULL},
        {"obj/course_model.brres", "", NULL},
        {"course_model.brres.txt", "", NULL},
        {"xmap_model.brres", "", NULL},
        {"rock.brres", "", NULL},
        {"kcl", "", NULL},
        {".kcl", "object", NULL},
        {"obj", "", NULL},
    };
    enum { COUNT = sizeof files / sizeof *files };
    const char *paths[COUNT];
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < COUNT; i++) paths[i] = files[i].path;
    szs_doc *doc = archive_of(paths, COUNT - 1); // the last one is a folder
    for (size_t i = 0; i < COUNT; i++) {
        const char *what = "?";
        bool right = CHECK_TEXT(role(doc, paths[i], &what), files[i].role);
        right = CHECK(files[i].what ? what && strcmp(what, files[i].what) == 0 : !what) && right;
        if (!right) printf("    %s\n", paths[i]);
    }
    szs_free(doc);
    CHECK(ctx.used == 0);
}

TEST(a_long_way_to_an_object_makes_no_difference) {
    char path[600], other[600];
    memset(path, 'f', sizeof path);
    for (size_t i = 100; i < 500; i += 100) path[i] = '/';
    strcpy(path + 500, "/rock.kcl");
    // Cut after 255 bytes, this one would end like an object's.
    memset(other, 'f', sizeof other);
    strcpy(other + 100, "/");
    memset(other + 101, 'n', 150);
    strcpy(other + 251, ".kcl.bin");
    kart_ctx_init(&ctx);
    szs_doc *doc = archive_of((const char *[]){path, other}, 2);
    CHECK_TEXT(role(doc, path, NULL), "object");
    CHECK_TEXT(role(doc, other, NULL), "");
    szs_free(doc);
    CHECK(ctx.used == 0);
}

TEST(the_only_file_of_its_kind_at_the_top_is_the_courses) {
    static const struct {
        const char *paths[3], *kmp, *kcl;
    } courses[] = {{{"luigi.kmp", "luigi.kcl"}, "luigi.kmp", "luigi.kcl"},
                   {{"LUIGI.KMP", "obj/a.kcl"}, "LUIGI.KMP", NULL},
                   {{"a.kmp", "b.kmp"}, NULL, NULL}, // which of them?
                   {{"a.kmp", "COURSE.kmp", "a.kcl"}, "COURSE.kmp", "a.kcl"},
                   {{"a.kcl", "b.kcl", "course.kcl"}, NULL, "course.kcl"},
                   {{"obj/course.kmp"}, NULL, NULL},
                   {{"a.txt"}, NULL, NULL}};
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        size_t count = 0;
        while (count < 3 && courses[i].paths[count]) count++;
        szs_doc *doc = archive_of(courses[i].paths, count);
        course_main main = course_main_find(doc->files);
        CHECK(main.kmp == (courses[i].kmp ? u8_find(doc->files, courses[i].kmp) : SIZE_MAX));
        CHECK(main.kcl == (courses[i].kcl ? u8_find(doc->files, courses[i].kcl) : SIZE_MAX));
        szs_free(doc);
    }
    CHECK(ctx.used == 0);
}

// --- transformations --------------------------------------------------------------------------

typedef struct whole {
    szs_doc *doc;
    kcl_doc *objects[2];
    course_parts parts;
} whole;

static const char *const PATHS[] = {"course.kcl", "course.kmp",         "a.kcl",
                                    "b.kcl",      "course_model.brres", "z.txt"};

// Everything on one context, so that its allocations can be counted.
static bool whole_make(whole *w, kart_ctx *c, kmp_game game) {
    collision_prism prism = collision_ground(100);
    prism.position = (kart_vec3){10, 20, 30};
    *w = (whole){0};
    w->doc = szs_new(c, true, NULL);
    size_t node;
    for (size_t i = 0; i < 6; i++) CHECK(u8_add(w->doc->files, PATHS[i], NULL, 0, &node, NULL));
    w->parts.kmp = course_new(c, game, (course_counts){1, 12, 1, 0, 0});
    if (game == KMP_MKW) course_set_round(w->parts.kmp);
    w->parts.kcl = collision_new(c, KCL_MKW, &prism, 1);
    for (size_t i = 0; i < 2; i++) w->objects[i] = collision_new(c, KCL_MKW, &prism, 1);
    return CHECK(w->doc && w->parts.kmp && w->parts.kcl && w->objects[0] && w->objects[1]);
}

static void with_objects(whole *w) {
    w->parts.objects = w->objects;
    w->parts.objects_count = 2;
}

static void whole_free(whole *w) {
    kart_ctx *c = w->doc->ctx;
    kmp_free(w->parts.kmp);
    kcl_free(w->parts.kcl);
    for (size_t i = 0; i < 2; i++) kcl_free(w->objects[i]);
    szs_free(w->doc);
    CHECK(c->used == 0);
}

// A number for all bytes of all parts.
static uint64_t fingerprint(const whole *w) {
    uint64_t hash = 1469598103934665603u;
    for (int part = 0; part < 4; part++) {
        size_t size;
        uint8_t *bytes = part == 0   ? kmp_serialize(w->parts.kmp, &size, NULL)
                         : part == 1 ? kcl_serialize(w->parts.kcl, &size, NULL)
                                     : kcl_serialize(w->objects[part - 2], &size, NULL);
        for (size_t i = 0; bytes && i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
        if (bytes) kart_free(w->doc->ctx, bytes, size);
    }
    return hash;
}

static size_t warnings_of(const whole *w, const char *path, const char *text) {
    size_t count = 0, node = u8_find(w->doc->files, path);
    for (size_t i = 0; i < w->doc->warnings.count; i++) {
        const kart_finding *finding = &w->doc->warnings.items[i];
        count += finding->index == w->doc->files->nodes[node].id &&
                 strcmp(finding->rule, "member-stays") == 0 && strstr(finding->message, text);
    }
    return count;
}

static kart_vec3 corner(const kcl_doc *doc) { return kcl_position_get(doc, doc->models, 0); }

TEST(points_and_collision_go_together_and_objects_in_their_own_space) {
    for (int objects = 0; objects < 2; objects++) {
        whole w;
        kart_error error;
        kart_ctx_init(&ctx);
        if (!whole_make(&w, &ctx, KMP_MKW)) return;
        if (objects) with_objects(&w);
        kart_affine map = kart_affine_mirror(2, 500);
        CHECK(course_transform(w.doc, &w.parts, &map, NULL, &error));
        kart_vec3 course_at = corner(w.parts.kcl), object_at = corner(w.objects[1]);
        CHECK(course_at.x == 10 && course_at.z == 1000 - 30);
        // An object's left and right are along its own x, whatever the map's axis.
        CHECK(object_at.x == (objects ? -10 : 10) && object_at.z == 30);
        CHECK(warnings_of(&w, "a.kcl", "old side") == !objects);
        CHECK(warnings_of(&w, "b.kcl", "old side") == !objects);
        CHECK(warnings_of(&w, "course_model.brres", "still shows the old side") == 1);
        CHECK(warnings_of(&w, "z.txt", "") == 0 && warnings_of(&w, "course.kcl", "") == 0);
        whole_free(&w);
    }
}

TEST(a_map_without_reflection_leaves_objects_alone) {
    whole w;
    kart_error error;
    kart_ctx_init(&ctx);
    if (!whole_make(&w, &ctx, KMP_MKW)) return;
    with_objects(&w);
    kart_affine map = kart_affine_translation((kart_vec3){1000, 0, 0});
    CHECK(course_transform(w.doc, &w.parts, &map, NULL, &error));
    CHECK(corner(w.parts.kcl).x == 1010 && corner(w.objects[0]).x == 10);
    CHECK(warnings_of(&w, "a.kcl", "") == 0);
    CHECK(warnings_of(&w, "course_model.brres", "stays as it was") == 1);
    CHECK(warnings_of(&w, "course_model.brres", "side") == 0);
    whole_free(&w);
}

TEST(what_one_part_refuses_no_part_does) {
    kart_error error;
    kart_affine mirror = kart_affine_mirror(0, 0);
    kart_affine far = kart_affine_translation((kart_vec3){1e8, 0, 0});
    kart_affine flat = kart_affine_scale((kart_vec3){1, 0, 1});
    const struct {
        kmp_game game;
        const kart_affine *map;
        kart_code code;
    } refused[] = {{KMP_MK7, &mirror, KART_UNSUPPORTED}, // by the points
                   {KMP_MKW, &far, KART_LIMIT},          // by the collision
                   {KMP_MKW, &flat, KART_UNSUPPORTED}};  // by both
    for (size_t i = 0; i < 3; i++) {
        whole w;
        kart_ctx_init(&ctx);
        if (!whole_make(&w, &ctx, refused[i].game)) return;
        with_objects(&w);
        uint64_t before = fingerprint(&w);
        size_t known = w.parts.kmp->warnings.count;
        CHECK(!course_transform(w.doc, &w.parts, refused[i].map, NULL, &error));
        CHECK(error.code == refused[i].code && error.what[0]);
        CHECK(fingerprint(&w) == before && w.doc->warnings.count == 0);
        CHECK(w.parts.kmp->warnings.count == known && w.parts.kcl->warnings.count == 0);
        whole_free(&w);
    }
    whole w;
    kart_ctx_init(&ctx);
    if (!whole_make(&w, &ctx, KMP_MKW)) return;
    course_parts none = {0};
    CHECK(!course_transform(w.doc, &none, &mirror, NULL, &error));
    CHECK(error.code == KART_UNSUPPORTED && w.doc->warnings.count == 0);
    whole_free(&w);
}

TEST(every_allocation_of_a_transformation_may_fail) {
    for (size_t n = 0;; n++) {
        whole w;
        test_heap heap;
        kart_ctx local;
        kart_error error = {0};
        test_heap_init(&heap, &local, SIZE_MAX);
        if (!whole_make(&w, &local, KMP_MKW)) return;
        with_objects(&w);
        uint64_t before = fingerprint(&w);
        kart_affine map = kart_affine_mirror(0, 0);
        heap.left = n;
        bool moved = course_transform(w.doc, &w.parts, &map, NULL, &error);
        heap.left = SIZE_MAX;
        CHECK((fingerprint(&w) == before) == !moved);
        CHECK(moved || w.doc->warnings.count == 0);
        whole_free(&w);
        CHECK(heap.blocks == 0);
        if (moved || !CHECK(error.code == KART_MEMORY)) return;
    }
}

// --- reading ----------------------------------------------------------------------------------

static bool same_file(const szs_doc *doc, const char *path, const char *text) {
    size_t node = u8_find(doc->files, path);
    return node != SIZE_MAX && doc->files->nodes[node].size == strlen(text) &&
           memcmp(doc->files->nodes[node].data, text, strlen(text)) == 0;
}

TEST(courses_are_read_from_archives_folders_and_files_side_by_side) {
    char base[64] = "/tmp/kartlua-course-XXXXXX", path[200];
    static const char *const names[] = {"a.kmp", "a.kcl", "b.kcl", "c.KMP", "c.KCL", "d.kmp"};
    if (!CHECK(mkdtemp(base))) return;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", base, names[i]);
        CHECK(kart_file_save(path, names[i], strlen(names[i]), NULL));
    }
    // What is given, the files in it, and what it is read from.
    static const struct {
        const char *path, *files[2];
        szs_origin origin;
    } courses[] = {
        {"a.kmp", {"a.kmp", "a.kcl"}, SZS_LOOSE}, {"a.kcl", {"a.kcl", "a.kmp"}, SZS_LOOSE},
        {"b.kcl", {"b.kcl", NULL}, SZS_LOOSE},    {"c.KMP", {"c.KMP", "c.KCL"}, SZS_LOOSE},
        {"d.kmp", {"d.kmp", NULL}, SZS_LOOSE},    {"", {"a.kmp", "d.kmp"}, SZS_FOLDER}};
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        kart_error error;
        snprintf(path, sizeof path, "%s/%s", base, courses[i].path);
        szs_doc *doc = course_read(&ctx, path, &error);
        if (!CHECK(doc)) continue;
        CHECK(doc->origin == courses[i].origin && doc->packed);
        for (size_t k = 0; k < 2 && courses[i].files[k]; k++)
            CHECK(same_file(doc, courses[i].files[k], courses[i].files[k]));
        size_t most = courses[i].origin == SZS_FOLDER ? 6 : courses[i].files[1] ? 2 : 1;
        CHECK(doc->files->count == 2 + most);
        for (size_t k = 0; k < doc->files->count; k++) CHECK(!u8_changed(doc->files, k));
        szs_free(doc);
    }
    // Other files are refused, those that are known by name.
    static const struct {
        const char *bytes, *found;
        kart_code code;
    } others[] = {{"a text file", "another file", KART_FORMAT},
                  {"SARC, or so it says", "a SARC archive", KART_UNSUPPORTED},
                  {"", "another file", KART_FORMAT}};
    snprintf(path, sizeof path, "%s/other", base);
    for (size_t i = 0; i < 3; i++) {
        kart_error error;
        CHECK(kart_file_save(path, others[i].bytes, strlen(others[i].bytes), NULL));
        CHECK(!course_read(&ctx, path, &error) && error.code == others[i].code);
        CHECK(strstr(error.found, others[i].found));
    }
    os_remove(path);
    kart_error error;
    CHECK(!course_read(&ctx, path, &error) && error.code == KART_IO);
    for (size_t i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", base, names[i]);
        os_remove(path);
    }
    os_folder_remove(base);
    CHECK(os_path_kind(base) == OS_NONE && ctx.used == 0);
    szs_doc *doc = course_read(&ctx, "build/samples/race.szs", &error);
    CHECK(doc && doc->origin == SZS_ARCHIVE && u8_find(doc->files, "course.kmp") != SIZE_MAX);
    szs_free(doc);
    CHECK(ctx.used == 0);
}

static const test_case cases[] = {
    CASE(files_have_roles_by_their_names),
    CASE(a_long_way_to_an_object_makes_no_difference),
    CASE(the_only_file_of_its_kind_at_the_top_is_the_courses),
    CASE(points_and_collision_go_together_and_objects_in_their_own_space),
    CASE(a_map_without_reflection_leaves_objects_alone),
    CASE(what_one_part_refuses_no_part_does),
    CASE(every_allocation_of_a_transformation_may_fail),
    CASE(courses_are_read_from_archives_folders_and_files_side_by_side),
};

void test_course(void) { TEST_RUN(cases); }
