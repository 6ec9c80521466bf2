// The KMP document: schema, parsing, serializing, records, transformations.
#include "kmp/object.h"
#include "kmp/transform.h"
#include "test.h"

#include <string.h>

static kart_ctx ctx;

static kmp_doc *small_course(void) {
    const size_t counts[KMP_KINDS] = {
        [KMP_KTPT] = 1, [KMP_ENPT] = 3, [KMP_ENPH] = 1, [KMP_CKPT] = 4,
        [KMP_CKPH] = 1, [KMP_GOBJ] = 2, [KMP_POTI] = 2, [KMP_AREA] = 1,
        [KMP_CAME] = 2, [KMP_JGPT] = 1, [KMP_STGI] = 1};
    kart_ctx_init(&ctx);
    kmp_doc *doc = kmp_new(&ctx, KMP_MKW, 2520, counts, NULL);
    CHECK(doc && kmp_route_resize(doc, 0, 3, NULL) && kmp_route_resize(doc, 1, 2, NULL));
    return doc;
}

static void done(kmp_doc *doc) {
    kmp_free(doc);
    CHECK(ctx.used == 0);
}

static const kmp_field *field(const kmp_doc *doc, kmp_kind kind, const char *name) {
    return kmp_field_find(doc->tables[kind].schema->fields, name);
}

static void set_int(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, size_t i,
                    int64_t value) {
    kmp_set_int(doc, kmp_row(doc, kind, index), field(doc, kind, name), i, value);
}

static void set_vec(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, kart_vec3 v) {
    kmp_set_vec(doc, kmp_row(doc, kind, index), field(doc, kind, name), v);
}

static bool same_vec(kart_vec3 a, kart_vec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

// --- schema -----------------------------------------------------------------------------------

TEST(schema_fields_cover_every_record_without_overlap) {
    const kmp_schema *schema;
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++) {
        size_t at = 0;
        for (const kmp_field *f = schema->fields; f->name; f++) {
            CHECK(f->offset == at && f->doc && f->doc[0]);
            at += f->count * kmp_type_size(f->type);
        }
        CHECK(at == schema->record_size);
        CHECK(schema->kind == KMP_POINT || strlen(schema->magic) == 4);
    }
}

TEST(schema_has_one_layout_for_every_version) {
    for (uint32_t version = 0; version < 4000; version++)
        for (int kind = 0; kind < KMP_KINDS; kind++) {
            const kmp_schema *schema;
            int fitting = 0;
            for (size_t i = 0; (schema = kmp_schema_at(i)); i++)
                fitting += schema->game == KMP_MKW && schema->kind == (kmp_kind)kind &&
                           version >= schema->version_from && version <= schema->version_to;
            CHECK(fitting == (kind == KMP_CORS || kind == KMP_GLPT || kind == KMP_GLPH ? 0 : 1));
        }
}

TEST(object_tables_are_sorted_and_named) {
    const kmp_object *object;
    int before = 0;
    for (size_t i = 0; (object = kmp_object_at(i)); i++) {
        CHECK(object->id > before && kmp_object_name(object->id));
        before = object->id;
    }
    CHECK(strcmp(kmp_object_name(101), "itembox") == 0 && !kmp_object_name(0));
    CHECK(kmp_object_find(0x3000 | 405) == kmp_object_find(405));
}

// --- bytes ------------------------------------------------------------------------------------

TEST(new_document_reads_back) {
    kmp_doc *doc = small_course();
    size_t size, size2;
    uint8_t *bytes = kmp_serialize(doc, &size, NULL);
    kmp_doc *again = kmp_parse(&ctx, bytes, size, NULL);
    CHECK(again && again->warnings.count == 0 && again->version == 2520);
    CHECK(again->tables[KMP_POINT].count == 5 && kmp_route_length(again, 1) == 2);
    uint8_t *bytes2 = kmp_serialize(again, &size2, NULL);
    CHECK(size == size2 && memcmp(bytes, bytes2, size) == 0);
    kart_free(&ctx, bytes, size);
    kart_free(&ctx, bytes2, size2);
    kmp_free(again);
    done(doc);
}

TEST(clone_is_independent_and_keeps_identities) {
    kmp_doc *doc = small_course(), *copy = kmp_clone(doc, NULL);
    CHECK(copy->tables[KMP_ENPT].ids[2] == doc->tables[KMP_ENPT].ids[2]);
    set_int(copy, KMP_GOBJ, 0, "id", 0, 101);
    CHECK(kmp_int(doc, KMP_GOBJ, 0, "id", 0) == 0 && kmp_int(copy, KMP_GOBJ, 0, "id", 0) == 101);
    kmp_free(copy);
    done(doc);
}

TEST(insert_moves_records_and_keeps_who_they_are) {
    kmp_doc *doc = small_course();
    uint32_t last = doc->tables[KMP_ENPT].ids[2];
    CHECK(kmp_insert(doc, KMP_ENPT, 1, 2, NULL));
    CHECK(doc->tables[KMP_ENPT].count == 5);
    CHECK(kmp_index_of(&doc->tables[KMP_ENPT], last, 2) == 4);
    CHECK(kmp_index_of(&doc->tables[KMP_ENPT], 12345, 0) == SIZE_MAX);
    kart_error error;
    CHECK(!kmp_insert(doc, KMP_ENPT, 0, 65535, &error) && error.code == KART_LIMIT);
    done(doc);
}

TEST(route_resize_keeps_the_points_of_others) {
    kmp_doc *doc = small_course();
    const kmp_field *position = field(doc, KMP_POINT, "position");
    kmp_set_vec(doc, kmp_row(doc, KMP_POINT, 3), position, (kart_vec3){7, 8, 9}); // route 1
    CHECK(kmp_route_resize(doc, 0, 1, NULL) && doc->route_first[1] == 1);
    CHECK(same_vec(kmp_get_vec(doc, kmp_row(doc, KMP_POINT, 1), position), (kart_vec3){7, 8, 9}));
    CHECK(kmp_route_resize(doc, 0, 6, NULL) && doc->route_first[1] == 6);
    CHECK(same_vec(kmp_get_vec(doc, kmp_row(doc, KMP_POINT, 6), position), (kart_vec3){7, 8, 9}));
    done(doc);
}

TEST(half_floats_round_to_nearest) {
    kmp_doc *doc = small_course();
    const kmp_field *speed = field(doc, KMP_STGI, "speed_factor");
    uint8_t *row = kmp_row(doc, KMP_STGI, 0);
    kmp_set_float(doc, row, speed, 0, 1.5);
    CHECK(row[0x0A] == 0x3F && row[0x0B] == 0xC0);
    kmp_set_float(doc, row, speed, 0, 1.501);
    CHECK(kmp_get_float(doc, row, speed, 0) == 1.5);
    done(doc);
}

// --- transformations --------------------------------------------------------------------------

TEST(mirror_exchanges_the_ends_of_checkpoints) {
    kmp_doc *doc = small_course();
    set_vec(doc, KMP_CKPT, 0, "left", (kart_vec3){-5, 0, 3});
    set_vec(doc, KMP_CKPT, 0, "right", (kart_vec3){6, 0, 4});
    kart_affine m = kart_affine_mirror(0, 100);
    CHECK(kmp_transform(doc, &m, NULL, NULL));
    CHECK(same_vec(kmp_vec(doc, KMP_CKPT, 0, "left"), (kart_vec3){194, 0, 4}));
    CHECK(same_vec(kmp_vec(doc, KMP_CKPT, 0, "right"), (kart_vec3){205, 0, 3}));
    CHECK(kmp_int(doc, KMP_STGI, 0, "pole", 0) == 1);
    done(doc);
}

TEST(failing_transform_changes_nothing) {
    kmp_doc *doc = small_course();
    kart_error error;
    set_vec(doc, KMP_GOBJ, 0, "position", (kart_vec3){3e38, 0, 0});
    kart_affine big = kart_affine_scale((kart_vec3){10, 10, 10});
    size_t warnings = doc->warnings.count;
    CHECK(!kmp_transform(doc, &big, NULL, &error) && error.code == KART_LIMIT);
    CHECK(kmp_vec(doc, KMP_GOBJ, 0, "position").x > 2e38 && doc->warnings.count == warnings);
    kart_affine tilt = kart_affine_rotation((kart_vec3){1, 0, 0}, 10);
    CHECK(!kmp_transform(doc, &tilt, NULL, &error) && error.code == KART_UNSUPPORTED);
    kart_affine flat = kart_affine_scale((kart_vec3){1, 1, 0});
    CHECK(!kmp_transform(doc, &flat, NULL, &error) && error.code == KART_UNSUPPORTED);
    kart_affine edge = kart_affine_rotation((kart_vec3){1, 0, 0}, 90);
    kmp_transform_options at_height = {.has_height = true};
    CHECK(!kmp_transform(doc, &edge, &at_height, &error) && error.code == KART_UNSUPPORTED);
    done(doc);
}

TEST(shared_route_is_split_when_its_users_differ) {
    kmp_doc *doc = small_course();
    set_int(doc, KMP_CAME, 0, "type", 0, 6);
    set_int(doc, KMP_CAME, 0, "route", 0, 0);
    set_int(doc, KMP_GOBJ, 0, "route", 0, 0);
    const kmp_field *position = field(doc, KMP_POINT, "position");
    kmp_set_vec(doc, kmp_row(doc, KMP_POINT, 0), position, (kart_vec3){5, 6, 7});
    kart_affine x = kart_affine_mirror(0, 0), z = kart_affine_mirror(2, 0);
    CHECK(kmp_transform(doc, &x, NULL, NULL) && doc->tables[KMP_POTI].count == 2);
    CHECK(kmp_transform(doc, &z, NULL, NULL) && doc->tables[KMP_POTI].count == 3);
    CHECK(kmp_int(doc, KMP_CAME, 0, "route", 0) == 2 && kmp_int(doc, KMP_GOBJ, 0, "route", 0) == 0);
    CHECK(same_vec(kmp_get_vec(doc, kmp_row(doc, KMP_POINT, 0), position), (kart_vec3){-5, 6, -7}));
    CHECK(same_vec(kmp_get_vec(doc, kmp_row(doc, KMP_POINT, 5), position), (kart_vec3){5, 6, 7}));
    CHECK(kmp_transform(doc, &z, NULL, NULL) && doc->tables[KMP_POTI].count == 3);
    done(doc);
}

static const test_case cases[] = {
    CASE(schema_fields_cover_every_record_without_overlap),
    CASE(schema_has_one_layout_for_every_version),
    CASE(object_tables_are_sorted_and_named),
    CASE(new_document_reads_back),
    CASE(clone_is_independent_and_keeps_identities),
    CASE(insert_moves_records_and_keeps_who_they_are),
    CASE(route_resize_keeps_the_points_of_others),
    CASE(half_floats_round_to_nearest),
    CASE(mirror_exchanges_the_ends_of_checkpoints),
    CASE(failing_transform_changes_nothing),
    CASE(shared_route_is_split_when_its_users_differ),
};

void test_kmp(void) { TEST_RUN(cases); }
