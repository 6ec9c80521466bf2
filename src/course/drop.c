#include "course/drop.h"

#include "kmp/object.h"

#include <float.h>
#include <stdio.h>

static const kmp_field *position_of(const kmp_doc *doc, kmp_kind kind) {
    const kmp_schema *schema = doc->tables[kind].schema;
    const kmp_field *field = schema ? kmp_field_find(schema->fields, "position") : NULL;
    return field && field->meaning == KMP_POSITION ? field : NULL;
}

bool course_drop_can(const kmp_doc *doc, kmp_kind kind) { return position_of(doc, kind) != NULL; }

// Objects that stand on the ground: item boxes, crates, pipes, trees and the like. [W]
static const uint16_t standing[] = {101, 112, 116, 302, 303, 304, 305, 307, 308, 309, 310,
                                    311, 312, 319, 336, 337, 343, 344, 345, 346, 418, 521};

static bool stands(const kmp_doc *doc, size_t object) {
    const kmp_field *route = kmp_field_find(doc->tables[KMP_GOBJ].schema->fields, "route");
    const int64_t id = kmp_int(doc, KMP_GOBJ, object, "id", 0) & 0xFFF;
    if (kmp_get_int(doc, kmp_row(doc, KMP_GOBJ, object), route, 0) != route->none) return false;
    for (size_t i = 0; i < sizeof standing / sizeof *standing; i++)
        if (standing[i] == id) return true;
    return false;
}

bool course_drop_usual(const kmp_doc *doc, kmp_kind kind, size_t index) {
    switch (kind) {
    case KMP_KTPT:
    case KMP_ENPT:
    case KMP_ITPT:
    case KMP_JGPT:
    case KMP_MSPT: return true;
    case KMP_GOBJ: return stands(doc, index);
    default: return false;
    }
}

// --- dropping ---------------------------------------------------------------------------------

// " units below", or nothing where there is no end.
static const char *reach_text(double reach, const char *where, char text[64]) {
    if (reach <= DBL_MAX)
        snprintf(text, 64, "%g units %s", reach, where);
    else
        snprintf(text, 64, "any distance %s", where);
    return text;
}

static bool report_lost(const kmp_doc *doc, const course_drop_options *options,
                        const course_drop_place *place, kart_findings *findings,
                        kart_error *error) {
    char below[64], above[64];
    kart_finding finding = kmp_finding_at(doc, place->kind, place->index, "position");
    finding.rule = "no-ground";
    finding.severity = KART_WARNING;
    return kart_findings_add(doc->ctx, findings, finding, error, "no ground within %s or %s",
                             reach_text(options->down, "below", below),
                             reach_text(options->up, "above", above));
}

static bool look(const kmp_doc *doc, const course_terrain *terrain,
                 const course_drop_options *options, course_drop_place *place, kart_error *error) {
    const kmp_field *field = position_of(doc, place->kind);
    place->from = place->to = kmp_get_vec(doc, kmp_row(doc, place->kind, place->index), field);
    place->fate = COURSE_LOST;
    const course_stand stand = course_stand_find(terrain, place->from, options->up, options->down);
    if (!stand.below && !stand.above) return true;
    const bool down = stand.below && !(stand.above && stand.rise < stand.depth);
    const double y = place->from.y + (down ? -stand.depth : stand.rise) + options->offset;
    if (!(fabs(y) <= (double)FLT_MAX))
        return kart_fail(error, KART_LIMIT, "a height of %g is beyond what a file can hold", y);
    place->fate = fabs(y - place->from.y) <= COURSE_DROP_NEAR ? COURSE_STAYED : COURSE_MOVED;
    if (place->fate == COURSE_MOVED) place->to.y = (double)(float)y;
    return true;
}

bool course_drop(kmp_doc *doc, const course_terrain *terrain, const course_drop_options *options,
                 course_drop_place *places, size_t count, kart_findings *findings,
                 kart_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!kart_ctx_step_at(doc->ctx, i, count, error)) return false;
        if (!look(doc, terrain, options, &places[i], error)) return false;
        if (places[i].fate == COURSE_LOST &&
            !report_lost(doc, options, &places[i], findings, error))
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (places[i].fate != COURSE_MOVED) continue;
        uint8_t *row = kmp_row(doc, places[i].kind, places[i].index);
        kmp_set_vec(doc, row, position_of(doc, places[i].kind), places[i].to);
    }
    return true;
}
