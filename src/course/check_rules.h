// Internal to the check against collision: what the rules share, and the rules themselves by file.
#ifndef COURSE_CHECK_RULES_H
#define COURSE_CHECK_RULES_H

#include "course/check.h"

typedef struct course_checker {
    const kmp_doc *doc;
    const course_terrain *terrain;
    const kart_rule *rule;
    kart_findings *findings;
    bool arena;
} course_checker;

typedef bool (*course_rule_fn)(course_checker *c, kart_error *error);

// Add a finding of the rule that runs. `index`: KART_NO_INDEX if it is not about one record.
bool course_report(course_checker *c, kmp_kind kind, size_t index, const char *field,
                   kart_error *error, const char *message, ...)
    __attribute__((format(printf, 6, 7)));

static inline size_t course_count(const course_checker *c, kmp_kind kind) {
    return c->doc->tables[kind].count;
}

static inline kart_vec3 course_position(const course_checker *c, kmp_kind kind, size_t index) {
    return kmp_vec(c->doc, kind, index, "position");
}

// check_stand.c: what has to stand on something.
bool course_rule_start_ground(course_checker *c, kart_error *error);
bool course_rule_respawn_ground(course_checker *c, kart_error *error);
bool course_rule_box_ground(course_checker *c, kart_error *error);
bool course_rule_cannon_missing(course_checker *c, kart_error *error);
bool course_rule_cannon_ground(course_checker *c, kart_error *error);

// check_way.c: routes and checkpoints.
bool course_rule_way_elsewhere(course_checker *c, kart_error *error);
bool course_rule_way_under(course_checker *c, kart_error *error);
bool course_rule_way_walled(course_checker *c, kart_error *error);
bool course_rule_ckpt_ground(course_checker *c, kart_error *error);

#endif
