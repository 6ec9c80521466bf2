// Rules for a KMP against what it stands on: points without ground, ways through walls.
#ifndef COURSE_CHECK_H
#define COURSE_CHECK_H

#include "core/rule.h"
#include "course/terrain.h"
#include "kmp/check.h"

// Check by all rules and add what is found to `findings`, as kmp_check does for its own. False with
// error memory, limit, unsupported (MK7) or cancelled.
bool course_check(const kmp_doc *doc, kmp_mode mode, const course_terrain *terrain,
                  kart_findings *findings, kart_error *error);

const kart_rule *course_rule_at(size_t index); // NULL after the last
const char *course_rule_mode(size_t index);    // as kmp_rule_mode

#endif
