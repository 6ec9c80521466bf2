// Repairs of what rules find.
#include "kmp/check_rules.h"
#include "kmp/reference.h"

#include <string.h>

// Set an integer and count it if it changes.
static void mend(kmp_doc *doc, kmp_kind kind, size_t index, const char *name, size_t i,
                 int64_t value, size_t *mended) {
    const kmp_field *field = kmp_field_find(doc->tables[kind].schema->fields, name);
    uint8_t *row = kmp_row(doc, kind, index);
    if (!field || kmp_get_int(doc, row, field, i) == value) return;
    kmp_set_int(doc, row, field, i, value);
    ++*mended;
}

bool kmp_fix_ckpt_links(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    for (size_t g = 0; g < doc->tables[KMP_CKPH].count; g++) {
        kmp_span span = kmp_group_span(doc, KMP_CKPH, g);
        for (size_t i = span.start; i < span.end; i++) {
            mend(doc, KMP_CKPT, i, "prev", 0, kmp_chain_link(span, i, false), mended);
            mend(doc, KMP_CKPT, i, "next", 0, kmp_chain_link(span, i, true), mended);
        }
    }
    return true;
}

// Only where the lengths tell which points a group holds: groups that begin in order, and no point
// left over. Else the starts are as likely to be right.
static bool gap_is_clear(const kmp_doc *doc, kmp_kind groups, kart_error *error) {
    const kmp_table *table = &doc->tables[groups];
    size_t total = doc->tables[kmp_points_of(groups)].count;
    int64_t before = 0, held = 0;
    bool right = true;
    for (size_t g = 0; g < table->count; g++) {
        int64_t start = kmp_int(doc, groups, g, "start", 0);
        if (start < before)
            return kart_fail(error, KART_UNSUPPORTED,
                             "%s: group %zu starts before group %zu: their points must be put in "
                             "order first",
                             table->schema->name, g + 1, g);
        right = right && start == held;
        before = start;
        held += kmp_int(doc, groups, g, "length", 0);
    }
    if (right || table->count == 0 || held >= (int64_t)total) return true;
    return kart_fail(error, KART_UNSUPPORTED,
                     "%s: %zu point%s in no group: purge, or make a group longer",
                     table->schema->name, total - (size_t)held, kmp_plural(total - (size_t)held));
}

bool kmp_fix_group_gap(kmp_doc *doc, size_t *mended, kart_error *error) {
    static const kmp_kind groupings[] = {KMP_ENPH, KMP_ITPH, KMP_CKPH};
    for (size_t k = 0; k < 3; k++) {
        int64_t next = 0;
        if (!gap_is_clear(doc, groupings[k], error)) return false;
        for (size_t g = 0; g < doc->tables[groupings[k]].count; g++) {
            if (next > 255)
                return kart_fail(error, KART_LIMIT, "%s: group %zu would start at point %lld",
                                 doc->tables[groupings[k]].schema->name, g + 1,
                                 (long long)next + 1);
            mend(doc, groupings[k], g, "start", 0, next, mended);
            next += kmp_int(doc, groupings[k], g, "length", 0);
        }
    }
    return true;
}

typedef struct lost_fix {
    kmp_doc *doc;
    const char *rule;
    size_t *mended;
} lost_fix;

static bool lost_visit(void *user, const kmp_doc *doc, const kmp_reference *r) {
    const lost_fix *f = user;
    if (!kmp_reference_is_lost(doc, r) || strcmp(kmp_reference_rule(r), f->rule) != 0) return true;
    kmp_reference_set(f->doc, r, kmp_reference_none(r));
    ++*f->mended;
    return true;
}

bool kmp_fix_references(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    lost_fix f = {doc, "reference-range", mended};
    return kmp_references_each(doc, lost_visit, &f);
}

bool kmp_fix_respawns(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    lost_fix f = {doc, "respawn-range", mended};
    return kmp_references_each(doc, lost_visit, &f);
}

bool kmp_fix_area_scale(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    if (!doc->tables[KMP_AREA].schema) return true;
    const kmp_field *scale = kmp_field_find(doc->tables[KMP_AREA].schema->fields, "scale");
    for (size_t i = 0; i < doc->tables[KMP_AREA].count; i++) {
        uint8_t *row = kmp_row(doc, KMP_AREA, i);
        kart_vec3 s = kmp_get_vec(doc, row, scale);
        if (!(s.x < 0 || s.y < 0 || s.z < 0)) continue;
        kmp_set_vec(doc, row, scale, (kart_vec3){fabs(s.x), fabs(s.y), fabs(s.z)});
        ++*mended;
    }
    return true;
}

bool kmp_fix_stage_values(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    for (size_t i = 0; i < doc->tables[KMP_STGI].count; i++) {
        if (kmp_int(doc, KMP_STGI, i, "pole", 0) > 1) mend(doc, KMP_STGI, i, "pole", 0, 1, mended);
        if (kmp_int(doc, KMP_STGI, i, "narrow", 0) > 1)
            mend(doc, KMP_STGI, i, "narrow", 0, 1, mended);
    }
    return true;
}

bool kmp_fix_point_total(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    kmp_table *table = &doc->tables[KMP_POTI];
    if (!table->schema) return true;
    uint16_t total = (uint16_t)doc->tables[KMP_POINT].count;
    *mended += kart_load_u16(table->header + 6, doc->big) != total;
    kart_store_u16(table->header + 6, doc->big, total);
    return true;
}

bool kmp_fix_presence(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    for (size_t i = 0; i < doc->tables[KMP_GOBJ].count; i++) {
        if (kmp_object_is_extended(doc, i)) continue;
        mend(doc, KMP_GOBJ, i, "presence", 0, kmp_int(doc, KMP_GOBJ, i, "presence", 0) & 0x3F,
             mended);
    }
    return true;
}

bool kmp_fix_start_yaw(kmp_doc *doc, size_t *mended, kart_error *error) {
    (void)error;
    if (doc->tables[KMP_KTPT].count == 0) return true;
    const kmp_field *rotation = kmp_field_find(doc->tables[KMP_KTPT].schema->fields, "rotation");
    uint8_t *row = kmp_row(doc, KMP_KTPT, 0);
    kart_vec3 r = kmp_get_vec(doc, row, rotation);
    if (!isfinite(r.y) || fmod(r.y, 90) == 0) return true;
    r.y = 90 * nearbyint(r.y / 90);
    kmp_set_vec(doc, row, rotation, r);
    ++*mended;
    return true;
}
