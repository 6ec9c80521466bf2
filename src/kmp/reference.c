#include "kmp/reference.h"

#include "kmp/object.h"

#include <stdio.h>

static const struct {
    kmp_kind points, groups;
} pairs[] = {
    {KMP_ENPT, KMP_ENPH}, {KMP_ITPT, KMP_ITPH}, {KMP_CKPT, KMP_CKPH}, {KMP_GLPT, KMP_GLPH}};
#define PAIRS (sizeof pairs / sizeof *pairs)

kmp_kind kmp_groups_of(kmp_kind points) {
    for (size_t i = 0; i < PAIRS; i++)
        if (pairs[i].points == points) return pairs[i].groups;
    return KMP_NONE;
}

kmp_kind kmp_points_of(kmp_kind groups) {
    for (size_t i = 0; i < PAIRS; i++)
        if (pairs[i].groups == groups) return pairs[i].points;
    return KMP_NONE;
}

bool kmp_reference_is_group_start(const kmp_reference *r) {
    return r->field->none == KMP_ALWAYS && !r->hidden;
}

bool kmp_reference_is_none(const kmp_reference *r) {
    // Objects start at some point of their route in any case.
    if (r->hidden) return r->value == KMP_HIDDEN_NONE && r->target != KMP_POINT;
    return r->value == r->field->none || r->value < 0;
}

int64_t kmp_reference_none(const kmp_reference *r) {
    if (!r->hidden) return r->field->none;
    return r->target == KMP_POINT ? 0 : KMP_HIDDEN_NONE;
}

// --- lost ones --------------------------------------------------------------------------------

size_t kmp_reference_targets(const kmp_doc *doc, const kmp_reference *r) {
    return r->target == KMP_POINT ? kmp_route_length(doc, r->route) : doc->tables[r->target].count;
}

bool kmp_reference_is_lost(const kmp_doc *doc, const kmp_reference *r) {
    if (r->idle || kmp_reference_is_none(r)) return false;
    // A group without points may begin at the end.
    return (uint64_t)r->value >= kmp_reference_targets(doc, r) + kmp_reference_is_group_start(r);
}

const char *kmp_reference_rule(const kmp_reference *r) {
    if (kmp_reference_is_group_start(r)) return "group-range";
    return r->kind == KMP_CKPT && r->target == KMP_JGPT ? "respawn-range" : "reference-range";
}

const char *kmp_reference_text(const kmp_doc *doc, const kmp_reference *r,
                               char text[KMP_REFERENCE_TEXT]) {
    const kmp_schema *schema = kmp_schema_find(doc->game, doc->version, r->target);
    long long number = (long long)r->value + 1;
    size_t count = kmp_reference_targets(doc, r);
    if (r->target == KMP_POINT)
        snprintf(text, KMP_REFERENCE_TEXT, "point %lld of a route whose last is %zu", number,
                 count);
    else if (count == 0)
        snprintf(text, KMP_REFERENCE_TEXT, "%s[%lld], there is none", schema->name, number);
    else
        snprintf(text, KMP_REFERENCE_TEXT, "%s[%lld], the last is %s[%zu]", schema->name, number,
                 schema->name, count);
    return text;
}

void kmp_reference_set(kmp_doc *doc, const kmp_reference *r, int64_t value) {
    uint8_t *row =
        r->index == KART_NO_INDEX ? doc->tables[r->kind].header : kmp_row(doc, r->kind, r->index);
    kmp_set_int(doc, row, r->field, r->i, value);
}

// --- those of the schema ----------------------------------------------------------------------

static bool fields_visit(const kmp_doc *doc, kmp_kind kind, size_t index, const uint8_t *row,
                         const kmp_field *fields, kmp_reference_fn visit, void *user) {
    for (const kmp_field *field = fields; field && field->name; field++) {
        if (field->meaning != KMP_REF) continue;
        bool used = index == KART_NO_INDEX || kmp_field_applies(doc, kind, row, field);
        if (!used && field->when) continue; // the number means something else, or nothing
        for (size_t i = 0; i < field->count; i++) {
            kmp_reference r = {.kind = kind,
                               .index = index,
                               .row = row,
                               .field = field,
                               .i = i,
                               .target = field->target,
                               .idle = !used,
                               .value = kmp_get_int(doc, row, field, i)};
            if (!visit(user, doc, &r)) return false;
        }
    }
    return true;
}

// --- hidden ones ------------------------------------------------------------------------------

static kmp_reference setting_reference(const kmp_doc *doc, kmp_kind kind, size_t index,
                                       const char *name, size_t i, kmp_kind target) {
    kmp_reference r = {.kind = kind,
                       .index = index,
                       .row = kmp_row(doc, kind, index),
                       .field = kmp_field_find(doc->tables[kind].schema->fields, name),
                       .i = i,
                       .target = target,
                       .hidden = true};
    r.value = kmp_get_int(doc, r.row, r.field, i);
    return r;
}

static bool object_visit(const kmp_doc *doc, size_t index, kmp_reference_fn visit, void *user) {
    const kmp_object *object = kmp_object_find(kmp_int(doc, KMP_GOBJ, index, "id", 0));
    for (size_t s = 0; object && s < 4; s++) {
        kmp_setting_meaning meaning = object->settings[s].meaning;
        size_t i = object->settings[s].number - 1u;
        if (meaning == KMP_SETTING_ROUTE) {
            kmp_reference r = setting_reference(doc, KMP_GOBJ, index, "settings", i, KMP_POTI);
            if (!visit(user, doc, &r)) return false;
        }
        if (meaning == KMP_SETTING_ROUTE_POINT) {
            kmp_reference r = setting_reference(doc, KMP_GOBJ, index, "settings", i, KMP_POINT);
            const kmp_field *route = kmp_field_find(doc->tables[KMP_GOBJ].schema->fields, "route");
            r.route = kmp_ref(doc, r.row, route, 0);
            if (r.route != SIZE_MAX && !visit(user, doc, &r)) return false;
        }
    }
    return true;
}

bool kmp_area_has_range(const kmp_doc *doc, size_t area) {
    return kmp_int(doc, KMP_AREA, area, "type", 0) == KMP_AREA_FALL &&
           (kmp_int(doc, KMP_AREA, area, "setting_1", 0) != 0 ||
            kmp_int(doc, KMP_AREA, area, "setting_2", 0) != 0);
}

static bool area_visit(const kmp_doc *doc, size_t index, kmp_reference_fn visit, void *user) {
    if (!kmp_area_has_range(doc, index)) return true;
    kmp_reference first = setting_reference(doc, KMP_AREA, index, "setting_1", 0, KMP_CKPT);
    kmp_reference last = setting_reference(doc, KMP_AREA, index, "setting_2", 0, KMP_CKPT);
    return visit(user, doc, &first) && visit(user, doc, &last);
}

static bool record_visit(const kmp_doc *doc, kmp_kind kind, size_t index, kmp_reference_fn visit,
                         void *user) {
    if (!fields_visit(doc, kind, index, kmp_row(doc, kind, index), doc->tables[kind].schema->fields,
                      visit, user))
        return false;
    if (doc->game != KMP_MKW) return true; // MK7 has objects of its own
    if (kind == KMP_GOBJ) return object_visit(doc, index, visit, user);
    return kind != KMP_AREA || area_visit(doc, index, visit, user);
}

bool kmp_references_each(const kmp_doc *doc, kmp_reference_fn visit, void *user) {
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        const kmp_table *table = &doc->tables[kind];
        if (!table->schema) continue;
        if (!fields_visit(doc, (kmp_kind)kind, KART_NO_INDEX, table->header, table->schema->header,
                          visit, user))
            return false;
        for (size_t i = 0; i < table->count; i++)
            if (!record_visit(doc, (kmp_kind)kind, i, visit, user)) return false;
    }
    return true;
}

// --- checking ---------------------------------------------------------------------------------

typedef struct reference_check {
    kmp_doc *doc;
    kart_error *error;
} reference_check;

static bool reference_warn(void *user, const kmp_doc *doc, const kmp_reference *r) {
    const reference_check *check = user;
    char text[KMP_REFERENCE_TEXT];
    if (r->hidden || !kmp_reference_is_lost(doc, r)) return true;
    return kmp_warn(check->doc, KART_WARNING, kmp_reference_rule(r), r->kind, r->index,
                    r->field->name, check->error, "names %s", kmp_reference_text(doc, r, text));
}

bool kmp_references_check(kmp_doc *doc, kart_error *error) {
    reference_check check = {doc, error};
    return kmp_references_each(doc, reference_warn, &check);
}
