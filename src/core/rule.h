// Rules of checks, in one frame for all formats: a table of rules in, findings out.
//
// A format's check is a table whose rows hold a kart_rule and a function; a rule is added by adding
// a row. Reference pages and `check --explain` read the same table.
#ifndef KART_RULE_H
#define KART_RULE_H

#include "core/finding.h"

typedef struct kart_rule {
    const char *id; // kebab-case, stable: what --ignore and --explain take
    kart_severity severity;
    const char *sections; // what it looks at, for people
    const char *reason;   // why it matters, in a line
    const char *remedy;   // what to do about it
    const char *source;   // how it is known
} kart_rule;

#endif
