// A document as a whole: clone, free, memory, what it is of, warnings.
#include "kmp/kmp.h"
#include "kmp/table.h"

#include <stdarg.h>
#include <stdio.h>

kmp_doc *kmp_clone(const kmp_doc *doc, kart_error *error) {
    kmp_doc *copy = kart_alloc(doc->ctx, sizeof *copy, error);
    if (!copy) return NULL;
    *copy = *doc;
    copy->original = NULL;
    copy->parts = NULL;
    copy->route_first = NULL;
    copy->warnings = (kart_findings){0};
    copy->parts_count = copy->parts_capacity = copy->route_capacity = 0;
    for (int kind = 0; kind < KMP_KINDS; kind++) copy->tables[kind] = (kmp_table){0};

    bool done = (copy->original = kart_copy(doc->ctx, doc->original, doc->original_size, error));
    if (done && doc->parts_count > 0) {
        copy->parts = kart_copy(doc->ctx, doc->parts, doc->parts_count * sizeof *doc->parts, error);
        done = copy->parts != NULL;
        if (done) copy->parts_count = copy->parts_capacity = doc->parts_count;
    }
    for (int kind = 0; done && kind < KMP_KINDS; kind++)
        done = kmp_table_copy(copy, &copy->tables[kind], &doc->tables[kind], error);
    done = done && kmp_routes_index(copy, error) &&
           kart_findings_copy(doc->ctx, &copy->warnings, &doc->warnings, error);
    if (done) return copy;
    kmp_free(copy);
    return NULL;
}

void kmp_free(kmp_doc *doc) {
    if (!doc) return;
    kart_ctx *ctx = doc->ctx;
    for (int kind = 0; kind < KMP_KINDS; kind++) kmp_table_free(doc, &doc->tables[kind]);
    kart_free(ctx, doc->route_first, doc->route_capacity * sizeof *doc->route_first);
    kart_free(ctx, doc->parts, doc->parts_capacity * sizeof *doc->parts);
    kart_free(ctx, doc->original, doc->original_size);
    kart_findings_free(ctx, &doc->warnings);
    kart_free(ctx, doc, sizeof *doc);
}

bool kmp_commit(kmp_doc *doc, kmp_doc *clone, bool done) {
    if (done) {
        kmp_doc old = *doc;
        *doc = *clone;
        *clone = old;
    }
    kmp_free(clone);
    return done;
}

size_t kmp_memory(const kmp_doc *doc) {
    size_t bytes = sizeof *doc + doc->original_size + doc->parts_capacity * sizeof *doc->parts +
                   doc->route_capacity * sizeof *doc->route_first +
                   doc->warnings.capacity * sizeof *doc->warnings.items;
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        const kmp_table *table = &doc->tables[kind];
        bytes += table->rows_capacity * table->stride + table->ids_capacity * sizeof *table->ids;
    }
    return bytes;
}

bool kmp_is_arena(const kmp_doc *doc) {
    if (doc->tables[KMP_CKPT].count > 0) return false;
    return doc->tables[KMP_ITPT].count == 0 || doc->tables[KMP_MSPT].count > 0 ||
           doc->tables[KMP_KTPT].count > 1;
}

kart_finding kmp_finding_at(const kmp_doc *doc, kmp_kind kind, size_t index, const char *field) {
    const kmp_schema *schema = kind == KMP_NONE ? NULL : doc->tables[kind].schema;
    if (kind != KMP_NONE && !schema) schema = kmp_schema_find(doc->game, doc->version, kind);
    kart_finding finding = {.section = schema ? schema->name : "",
                            .index = index,
                            .point = KART_NO_INDEX,
                            .field = field};
    if (kind == KMP_POINT && index != KART_NO_INDEX) {
        // A point is named by its route.
        size_t route = kmp_point_route(doc, index);
        finding.section = doc->tables[KMP_POTI].schema->name;
        finding.point = index - doc->route_first[route];
        finding.index = route;
    }
    return finding;
}

bool kmp_warn(kmp_doc *doc, kart_severity severity, const char *rule, kmp_kind kind, size_t index,
              const char *field, kart_error *error, const char *message, ...) {
    char text[160];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    kart_finding finding = kmp_finding_at(doc, kind, index, field);
    finding.rule = rule;
    finding.severity = severity;
    return kart_findings_add(doc->ctx, &doc->warnings, finding, error, "%s", text);
}
