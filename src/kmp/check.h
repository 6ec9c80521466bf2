// Rules for KMP documents: what freezes the game (error), goes wrong (warning) or looks wrong
// (hint). [E] and [W] as in schema.h; every rule says its own source.
#ifndef KMP_CHECK_H
#define KMP_CHECK_H

#include "core/rule.h"
#include "kmp/kmp.h"

typedef enum kmp_mode {
    KMP_MODE_AUTO, // by the document: see kmp_is_arena
    KMP_MODE_RACE,
    KMP_MODE_ARENA
} kmp_mode;

// Courses that a rule is asked of.
typedef enum kmp_modes { KMP_RACE = 1, KMP_ARENA = 2, KMP_BOTH = 3 } kmp_modes;
const char *kmp_modes_name(kmp_modes modes); // "race", "arena" or "both"

// Check by all rules and add what is found to `findings`, which the caller owns. False with error
// memory, limit, unsupported (MK7: its rules are not known) or cancelled.
bool kmp_check(const kmp_doc *doc, kmp_mode mode, kart_findings *findings, kart_error *error);

const kart_rule *kmp_rule_at(size_t index); // NULL after the last

// Repair what the rule `id` finds, where a repair is known: `*mended` counts the changes. False
// with error unsupported if there is no such rule or no repair for it, or memory.
bool kmp_fix(kmp_doc *doc, const char *id, size_t *mended, kart_error *error);
bool kmp_rule_has_fix(size_t index);
const char *kmp_rule_mode(size_t index); // as kmp_modes_name

#endif
