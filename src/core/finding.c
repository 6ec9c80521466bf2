#include "core/finding.h"

#include "core/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *kart_severity_name(kart_severity severity) {
    static const char *const names[] = {"hint", "warning", "error"};
    return names[severity];
}

static bool same_finding(const kart_finding *a, const kart_finding *b) {
    return strcmp(a->rule, b->rule) == 0 && strcmp(a->section, b->section) == 0 &&
           a->index == b->index && a->point == b->point && strcmp(a->field, b->field) == 0 &&
           strcmp(a->message, b->message) == 0;
}

bool kart_findings_add(kart_ctx *ctx, kart_findings *findings, kart_finding finding,
                       kart_error *error, const char *message, ...) {
    va_list args;
    va_start(args, message);
    vsnprintf(finding.message, sizeof finding.message, message, args);
    va_end(args);
    size_t of_rule = 0;
    for (size_t i = 0; findings->most && i < findings->count; i++) {
        if (same_finding(&findings->items[i], &finding)) return true;
        of_rule += strcmp(findings->items[i].rule, finding.rule) == 0;
    }
    if (findings->most && of_rule >= findings->most) return true;
    if (findings->most && of_rule == findings->most - 1) {
        finding.index = finding.point = KART_NO_INDEX;
        snprintf(finding.message, sizeof finding.message, "more of this kind are not listed");
    }
    kart_finding *items = kart_array_grow(ctx, findings->items, &findings->capacity,
                                          findings->count + 1, sizeof finding, error);
    if (!items) return false;
    findings->items = items;
    items[findings->count++] = finding;
    return true;
}

void kart_findings_free(kart_ctx *ctx, kart_findings *findings) {
    kart_free(ctx, findings->items, findings->capacity * sizeof *findings->items);
    *findings = (kart_findings){.most = findings->most};
}

bool kart_findings_copy(kart_ctx *ctx, kart_findings *to, const kart_findings *from,
                        kart_error *error) {
    *to = (kart_findings){.most = from->most};
    if (from->count == 0) return true;
    to->items = kart_copy(ctx, from->items, from->count * sizeof *from->items, error);
    if (!to->items) return false;
    to->count = to->capacity = from->count;
    return true;
}
