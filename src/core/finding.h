// Findings: what is odd, can't be carried over, or breaks a rule, in one frame for all formats.
// A document's warnings are findings, and so is what a check reports.
#ifndef KART_FINDING_H
#define KART_FINDING_H

#include "core/ctx.h"

typedef enum kart_severity {
    KART_HINT,    // suspicious
    KART_WARNING, // wrong behaviour in the game, or something could not be carried over
    KART_FATAL    // the game freezes or crashes
} kart_severity;

#define KART_NO_INDEX SIZE_MAX

typedef struct kart_finding {
    const char *rule; // stable id in kebab-case ("area-scale"); static storage
    kart_severity severity;
    const char *section; // lower-case name ("gobj"), "" for the file as a whole; static storage
    size_t index;        // record, from 0; KART_NO_INDEX if it is not about one
    size_t point;        // point of a route, from 0; KART_NO_INDEX if it is not about one
    const char *field;   // field name, "" if it is not about one; static storage
    char message[160];
} kart_finding;

typedef struct kart_findings {
    kart_finding *items;
    size_t count;
    size_t capacity;
    // Most findings of one rule, the last of which says that there are more; what is there already
    // is then not added again. Keeps a hostile file from filling the memory with warnings. 0: no
    // end.
    size_t most;
} kart_findings;

#define KART_WARNINGS_MOST 100 // of kart_findings, for the warnings of a document

// Append, unless the same is there already; `index` and `point` as in kart_finding. False with
// error memory or limit.
bool kart_findings_add(kart_ctx *ctx, kart_findings *findings, kart_finding finding,
                       kart_error *error, const char *message, ...)
    __attribute__((format(printf, 5, 6)));
void kart_findings_free(kart_ctx *ctx, kart_findings *findings);
bool kart_findings_copy(kart_ctx *ctx, kart_findings *to, const kart_findings *from,
                        kart_error *error);

// "hint", "warning" or "error".
const char *kart_severity_name(kart_severity severity);

#endif
