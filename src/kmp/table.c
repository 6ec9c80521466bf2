// Tables of records: identity, adding, routes and their points.
#include "kmp/table.h"

#include "core/array.h"

#include <string.h>

#define COUNT_MAX 65535 // a section's count is a u16

size_t kmp_index_of(const kmp_table *table, uint32_t id, size_t hint) {
    if (hint < table->count && table->ids[hint] == id) return hint;
    for (size_t i = 0; i < table->count; i++)
        if (table->ids[i] == id) return i;
    return SIZE_MAX;
}

bool kmp_table_reserve(kmp_doc *doc, kmp_table *table, size_t need, kart_error *error) {
    uint32_t *ids =
        kart_array_grow(doc->ctx, table->ids, &table->ids_capacity, need, sizeof *ids, error);
    if (!ids) return false;
    table->ids = ids;
    uint8_t *rows =
        kart_array_grow(doc->ctx, table->rows, &table->rows_capacity, need, table->stride, error);
    if (!rows) return false;
    table->rows = rows;
    return true;
}

void kmp_table_free(kmp_doc *doc, kmp_table *table) {
    kart_free(doc->ctx, table->rows, table->rows_capacity * table->stride);
    kart_free(doc->ctx, table->ids, table->ids_capacity * sizeof *table->ids);
    *table = (kmp_table){0};
}

bool kmp_table_copy(kmp_doc *doc, kmp_table *to, const kmp_table *from, kart_error *error) {
    *to = *from;
    to->rows = NULL;
    to->ids = NULL;
    to->count = to->rows_capacity = to->ids_capacity = 0;
    if (from->count == 0) return true;
    if (!kmp_table_reserve(doc, to, from->count, error)) return false;
    memcpy(to->rows, from->rows, from->count * from->stride);
    memcpy(to->ids, from->ids, from->count * sizeof *from->ids);
    to->count = from->count;
    return true;
}

void kmp_table_number(kmp_doc *doc, kmp_table *table, size_t at, size_t count) {
    for (size_t i = 0; i < count; i++) table->ids[at + i] = ++doc->next_id;
}

void kmp_row_init(const kmp_doc *doc, const kmp_schema *schema, uint8_t *row, size_t size) {
    memset(row, 0, size);
    for (const kmp_field *field = schema->fields; field->name; field++)
        for (size_t i = 0; i < field->count; i++) {
            if (field->meaning == KMP_REF && field->none != KMP_ALWAYS)
                kmp_set_int(doc, row, field, i, field->none);
            if (field->meaning == KMP_SCALE) kmp_set_float(doc, row, field, i, 1);
        }
}

// The counts in the headers follow every change.
static void counts_store(kmp_doc *doc, kmp_kind kind) {
    bool points = kind == KMP_POINT;
    uint8_t *header = doc->tables[points ? KMP_POTI : kind].header;
    kart_store_u16(header + (points ? 6 : 4), doc->big, (uint16_t)doc->tables[kind].count);
    doc->resized = true;
}

static bool table_open(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error) {
    kmp_table *table = &doc->tables[kind];
    if (!kmp_table_reserve(doc, table, table->count + count, error)) return false;
    size_t behind = table->count - at, stride = table->stride;
    memmove(table->rows + (at + count) * stride, table->rows + at * stride, behind * stride);
    memmove(table->ids + at + count, table->ids + at, behind * sizeof *table->ids);
    for (size_t i = 0; i < count; i++)
        kmp_row_init(doc, table->schema, table->rows + (at + i) * stride, stride);
    kmp_table_number(doc, table, at, count);
    table->count += count;
    counts_store(doc, kind);
    return true;
}

static bool routes_reserve(kmp_doc *doc, size_t need, kart_error *error) {
    size_t *first = kart_array_grow(doc->ctx, doc->route_first, &doc->route_capacity, need,
                                    sizeof *first, error);
    if (first) doc->route_first = first;
    return first != NULL;
}

bool kmp_routes_index(kmp_doc *doc, kart_error *error) {
    size_t count = doc->tables[KMP_POTI].count;
    if (count > 0 && !routes_reserve(doc, count, error)) return false;
    for (size_t i = 0, sum = 0; i < count; i++) {
        doc->route_first[i] = sum;
        sum += kmp_route_length(doc, i);
    }
    return true;
}

size_t kmp_route_length(const kmp_doc *doc, size_t route) {
    return kart_load_u16(kmp_row(doc, KMP_POTI, route), doc->big);
}

bool kmp_insert(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error) {
    const kmp_table *table = &doc->tables[kind];
    if (!table->schema || table->schema->header_size != 8)
        return kart_fail(error, KART_UNSUPPORTED, "the file has no such section to add to");
    if (count > COUNT_MAX - table->count)
        return kart_fail(error, KART_LIMIT, "%s: more than %d records", table->schema->name,
                         COUNT_MAX);
    if (count == 0) return true;
    if (kind != KMP_POTI) return table_open(doc, kind, at, count, error);
    return routes_reserve(doc, table->count + count, error) &&
           table_open(doc, kind, at, count, error) && kmp_routes_index(doc, error);
}

bool kmp_route_resize(kmp_doc *doc, size_t route, size_t length, kart_error *error) {
    kmp_table *points = &doc->tables[KMP_POINT];
    size_t old = kmp_route_length(doc, route), end = doc->route_first[route] + old;
    if (length > COUNT_MAX || points->count - old > COUNT_MAX - length)
        return kart_fail(error, KART_LIMIT, "poti: more than %d points", COUNT_MAX);
    if (length > old && !table_open(doc, KMP_POINT, end, length - old, error)) return false;
    if (length < old) {
        size_t gone = old - length, behind = points->count - end;
        memmove(points->rows + (end - gone) * points->stride, points->rows + end * points->stride,
                behind * points->stride);
        memmove(points->ids + end - gone, points->ids + end, behind * sizeof *points->ids);
        points->count -= gone;
        counts_store(doc, KMP_POINT);
    }
    kart_store_u16(kmp_row(doc, KMP_POTI, route), doc->big, (uint16_t)length);
    return kmp_routes_index(doc, error);
}
