#include "kmp/reference.h"

static bool reference_check(kmp_doc *doc, kmp_kind kind, size_t index, const uint8_t *row,
                            const kmp_field *field, size_t i, kart_error *error) {
    int64_t value = kmp_get_int(doc, row, field, i);
    if (value == field->none || kmp_ref(doc, row, field, i) != SIZE_MAX) return true;
    const kmp_table *target = &doc->tables[field->target];
    return kmp_warn(doc, KART_WARNING, "reference-range", kind, index, field->name, error,
                    "points at %s record %lld, there are %zu",
                    target->schema ? target->schema->name : "missing", (long long)value + 1,
                    target->count);
}

// Fields of the section header: the record is the section itself.
static bool header_check(kmp_doc *doc, kmp_kind kind, kart_error *error) {
    const kmp_table *table = &doc->tables[kind];
    for (const kmp_field *field = table->schema->header; field && field->name; field++)
        if (field->meaning == KMP_REF &&
            !reference_check(doc, kind, KART_NO_INDEX, table->header, field, 0, error))
            return false;
    return true;
}

bool kmp_references_check(kmp_doc *doc, kart_error *error) {
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        const kmp_table *table = &doc->tables[kind];
        if (!table->schema) continue;
        if (!header_check(doc, (kmp_kind)kind, error)) return false;
        for (const kmp_field *field = table->schema->fields; field->name; field++) {
            if (field->meaning != KMP_REF) continue;
            for (size_t index = 0; index < table->count; index++) {
                const uint8_t *row = kmp_row(doc, (kmp_kind)kind, index);
                if (!kmp_field_applies(doc, (kmp_kind)kind, row, field)) continue;
                for (size_t i = 0; i < field->count; i++)
                    if (!reference_check(doc, (kmp_kind)kind, index, row, field, i, error))
                        return false;
            }
        }
    }
    return true;
}
