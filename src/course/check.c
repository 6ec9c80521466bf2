#include "course/check_rules.h"

#include <stdarg.h>
#include <stdio.h>

bool course_report(course_checker *c, kmp_kind kind, size_t index, const char *field,
                   kart_error *error, const char *message, ...) {
    char text[160];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    kart_finding finding = kmp_finding_at(c->doc, kind, index, field);
    finding.rule = c->rule->id;
    finding.severity = c->rule->severity;
    return kart_findings_add(c->doc->ctx, c->findings, finding, error, "%s", text);
}

// --- the table --------------------------------------------------------------------------------

typedef struct rule_row {
    kart_rule rule;
    kmp_modes modes;
    course_rule_fn run;
} rule_row;

#define RULE(id, severity, modes, sections, source, run, reason, remedy)                           \
    { {id, severity, sections, reason, remedy, source}, modes, run }
#define W KART_WARNING
#define H KART_HINT

// As in kmp/check.c. What courses do by design, like points in the air where karts jump, is no
// finding; what they may do by design is a hint.
// clang-format off
static const rule_row rules[] = {
    RULE("start-ground", W, KMP_BOTH, "ktpt", "engine", course_rule_start_ground,
         "Who starts here falls: there is no ground below. A race places 12 drivers by its first start position.",
         "Move it, or let drop do it; change the pole side, or make the grid narrow."),
    RULE("respawn-ground", W, KMP_BOTH, "jgpt", "derived", course_rule_respawn_ground,
         "Lakitu drops karts here, and there is no ground below: they fall again.",
         "Move it over the road, or let drop do it."),
    RULE("box-ground", H, KMP_BOTH, "gobj", "derived", course_rule_box_ground,
         "An item box over a fall or over nothing: out of reach, unless one flies by.",
         "Move it, or remove it."),
    RULE("way-elsewhere", W, KMP_BOTH, "enpt itpt", "derived", course_rule_way_elsewhere,
         "Most of the points have no ground above or below: they belong to another course.",
         "Take the collision that belongs to the file, or place the points anew."),
    RULE("way-under", H, KMP_BOTH, "enpt itpt", "derived", course_rule_way_under,
         "The point lies under the road, and under it there is nothing.",
         "Move it up, or let drop do it."),
    RULE("way-walled", H, KMP_RACE, "enpt itpt", "derived", course_rule_way_walled,
         "A wall stands across the way to the next point, higher and wider than a kart gets round.",
         "Lead the way round it, with points between."),
    RULE("ckpt-ground", H, KMP_RACE, "ckpt", "derived", course_rule_ckpt_ground,
         "The line crosses no road at any height, nor do its neighbours: nobody drives here.",
         "Move its ends."),
    RULE("cannon-missing", W, KMP_BOTH, "cnpt", "engine", course_rule_cannon_missing,
         "The collision fires at a cannon point that isn't there.",
         "Add the point, or correct the variant of the cannon's surface."),
    RULE("cannon-ground", W, KMP_BOTH, "cnpt", "derived", course_rule_cannon_ground,
         "The cannon aims at nothing: who lands here falls.",
         "Move the point over the road."),
};
// clang-format on
#undef RULE
#undef W
#undef H
#define RULES (sizeof rules / sizeof *rules)

const kart_rule *course_rule_at(size_t index) { return index < RULES ? &rules[index].rule : NULL; }

const char *course_rule_mode(size_t index) { return kmp_modes_name(rules[index].modes); }

bool course_check(const kmp_doc *doc, kmp_mode mode, const course_terrain *terrain,
                  kart_findings *findings, kart_error *error) {
    if (doc->game != KMP_MKW)
        return kart_fail(error, KART_UNSUPPORTED, "the rules of Mario Kart 7 are not known");
    const bool arena = mode == KMP_MODE_AUTO ? kmp_is_arena(doc) : mode == KMP_MODE_ARENA;
    const size_t count = RULES;
    for (size_t i = 0; i < count; i++) {
        if (!(rules[i].modes & (arena ? KMP_ARENA : KMP_RACE))) continue;
        course_checker c = {doc, terrain, &rules[i].rule, findings, arena};
        if (!rules[i].run(&c, error) ||
            !kart_ctx_step(doc->ctx, (double)(i + 1) / (double)count, error))
            return false;
    }
    return true;
}
