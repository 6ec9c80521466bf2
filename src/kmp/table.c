// Tables of records: identity, adding, routes and their points.
#include "kmp/table.h"

#include "kmp/edit_work.h"

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
    if (!kmp_table_reserve(doc, to, from->count, error)) {
        kmp_table_free(doc, to);
        return false;
    }
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

size_t kmp_point_route(const kmp_doc *doc, size_t point) {
    // The last route that begins at or before it; empty ones in between begin there, too.
    size_t low = 0, high = doc->tables[KMP_POTI].count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (doc->route_first[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
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

void kmp_rows_remove(kmp_doc *doc, kmp_kind kind, size_t at, size_t count) {
    kmp_table *table = &doc->tables[kind];
    size_t behind = table->count - at - count, stride = table->stride;
    if (count == 0) return;
    memmove(table->rows + at * stride, table->rows + (at + count) * stride, behind * stride);
    memmove(table->ids + at, table->ids + at + count, behind * sizeof *table->ids);
    table->count -= count;
    counts_store(doc, kind);
}

// Rows in a new order, through a copy of the table.
static bool rows_permute(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error) {
    kmp_table *table = &doc->tables[kind], copy;
    if (!kmp_table_copy(doc, &copy, table, error)) return false;
    for (size_t i = 0; i < table->count; i++) {
        memcpy(table->rows + i * table->stride, copy.rows + order[i] * table->stride,
               table->stride);
        table->ids[i] = copy.ids[order[i]];
    }
    kmp_table_free(doc, &copy);
    return true;
}

bool kmp_rows_reorder(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error) {
    if (kind != KMP_POTI) return rows_permute(doc, kind, order, error);
    // The points of all routes stand in the order of the routes.
    size_t total = doc->tables[KMP_POINT].count, next = 0;
    size_t *points = kmp_work_map(doc, total, error);
    if (!points) return false;
    for (size_t i = 0; i < doc->tables[KMP_POTI].count; i++)
        for (size_t p = 0; p < kmp_route_length(doc, order[i]); p++)
            points[next++] = doc->route_first[order[i]] + p;
    bool done = (total == 0 || rows_permute(doc, KMP_POINT, points, error)) &&
                rows_permute(doc, KMP_POTI, order, error) && kmp_routes_index(doc, error);
    kmp_work_map_free(doc, points, total);
    return done;
}

bool kmp_rows_rotate(kmp_doc *doc, kmp_kind kind, size_t first, size_t middle, size_t count,
                     kart_error *error) {
    size_t total = doc->tables[kind].count;
    if (total == 0) return true;
    size_t *order = kmp_work_map(doc, total, error);
    if (!order) return false;
    for (size_t i = 0; i < count; i++) order[first + i] = middle + i;
    for (size_t i = first; i < middle; i++) order[i + count] = i;
    bool done = rows_permute(doc, kind, order, error);
    kmp_work_map_free(doc, order, total);
    return done;
}
