#include "course.h"

kmp_doc *course_new(kart_ctx *ctx, kmp_game game, course_counts n) {
    size_t counts[KMP_KINDS] = {[KMP_KTPT] = n.ktpt,
                                [KMP_ENPT] = n.enpt,
                                [KMP_ENPH] = n.enph,
                                [KMP_CKPT] = n.ckpt,
                                [KMP_CKPH] = n.ckph};
    return kmp_new(ctx, game, game == KMP_MKW ? 2520 : 3100, counts, NULL);
}

static const kmp_field *field_of(const kmp_doc *doc, kmp_kind kind, const char *name) {
    return kmp_field_find(doc->tables[kind].schema->fields, name);
}

void course_set_int(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, size_t i,
                    int64_t value) {
    kmp_set_int(doc, kmp_row(doc, kind, index), field_of(doc, kind, name), i, value);
}

void course_set_vec(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, kart_vec3 value) {
    kmp_set_vec(doc, kmp_row(doc, kind, index), field_of(doc, kind, name), value);
}

void course_set_group(kmp_doc *doc, kmp_kind kind, size_t index, size_t start, size_t length,
                      const int *prev, const int *next) {
    course_set_int(doc, kind, index, "start", 0, (int64_t)start);
    course_set_int(doc, kind, index, "length", 0, (int64_t)length);
    for (size_t i = 0; prev[i] >= 0; i++) course_set_int(doc, kind, index, "prev", i, prev[i]);
    for (size_t i = 0; next[i] >= 0; i++) course_set_int(doc, kind, index, "next", i, next[i]);
    if (kind != KMP_CKPH) return;
    for (size_t i = start; i + 1 < start + length; i++) {
        course_set_int(doc, KMP_CKPT, i, "next", 0, (int64_t)i + 1);
        course_set_int(doc, KMP_CKPT, i + 1, "prev", 0, (int64_t)i);
    }
}

kart_vec3 course_polar(double degrees, double radius) {
    kart_affine turn = kart_affine_euler((kart_vec3){0, degrees, 0});
    return (kart_vec3){turn.m[0][2] * radius, 0, turn.m[2][2] * radius};
}

void course_set_checkpoint(kmp_doc *doc, size_t index, double degrees, double inner, double outer,
                           int type) {
    course_set_vec(doc, KMP_CKPT, index, "left", course_polar(degrees, inner));
    course_set_vec(doc, KMP_CKPT, index, "right", course_polar(degrees, outer));
    course_set_int(doc, KMP_CKPT, index, "type", 0, type);
}

void course_set_start(kmp_doc *doc, double degrees) {
    course_set_vec(doc, KMP_KTPT, 0, "position", course_polar(degrees, 1000));
    course_set_vec(doc, KMP_KTPT, 0, "rotation", (kart_vec3){0, degrees + 90, 0});
}

void course_set_round(kmp_doc *doc) {
    for (size_t i = 0; i < 12; i++)
        course_set_vec(doc, KMP_ENPT, i, "position", course_polar(30 * (double)i + 15, 1000));
    course_set_group(doc, KMP_ENPH, 0, 0, 12, TO(0, END), TO(0, END));
}
