// Bytes to document. Everything is checked here, so that the code behind may trust.
#include "kmp/kmp.h"
#include "kmp/reference.h"
#include "kmp/table.h"

#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WII_MAGIC "RKMD"
#define MK7_MAGIC "DMDC"

// The place of a section in the file, until it is parsed: its bytes run from `start` to `end`.
typedef struct region {
    size_t start, end;
    char name[8]; // for messages
} region;

bool kmp_detect(const uint8_t *data, size_t size) {
    return size >= 4 && (memcmp(data, WII_MAGIC, 4) == 0 || memcmp(data, MK7_MAGIC, 4) == 0);
}

static bool header_parse(kmp_doc *doc, kart_error *error) {
    kart_reader reader = kart_reader_make(doc->original, doc->original_size, true);
    const uint8_t *magic = kart_read_bytes(&reader, 4);
    if (!magic)
        return kart_fail_at(error, "header", 0, "not a KMP file", "magic RKMD or DMDC",
                            "%zu bytes in all", doc->original_size);
    if (!kmp_detect(magic, 4))
        return kart_fail_at(error, "header", 0, "not a KMP file", "magic RKMD or DMDC",
                            "bytes %02X %02X %02X %02X", magic[0], magic[1], magic[2], magic[3]);
    doc->game = memcmp(magic, WII_MAGIC, 4) == 0 ? KMP_MKW : KMP_MK7;
    doc->big = reader.big = doc->game == KMP_MKW;

    uint32_t length = kart_read_u32(&reader);
    doc->slots = kart_read_u16(&reader);
    doc->head_size = kart_read_u16(&reader);
    if (reader.failed)
        return kart_fail_at(error, "header", doc->original_size, "file too short",
                            "a header of at least 12 bytes", "%zu", doc->original_size);
    char expected[80];
    if (doc->head_size > doc->original_size) {
        snprintf(expected, sizeof expected, "at most the file's %zu bytes", doc->original_size);
        return kart_fail_at(error, "header", 0x0A, "header length", expected, "%zu",
                            doc->head_size);
    }
    // The offsets end the header; the version stands before them if there is room for it.
    size_t before = doc->head_size - 4 * doc->slots;
    if (doc->head_size < 12 + 4 * doc->slots || (before > 12 && before < 16)) {
        snprintf(expected, sizeof expected, "%zu for %zu sections", 16 + 4 * doc->slots,
                 doc->slots);
        return kart_fail_at(error, "header", 0x0A, "header length", expected, "%zu",
                            doc->head_size);
    }
    if (doc->slots > KMP_SECTIONS_LIMIT)
        return kart_fail(error, KART_LIMIT, "%zu sections, the limit is %d", doc->slots,
                         KMP_SECTIONS_LIMIT);
    if (before > 12) doc->version = kart_load_u32(doc->original + before - 4, doc->big);
    if (length != doc->original_size)
        return kmp_warn(doc, KART_WARNING, "file-length", KMP_NONE, KART_NO_INDEX, "", error,
                        "length word says %lu, the file has %zu bytes", (unsigned long)length,
                        doc->original_size);
    return true;
}

// A magic as text for messages, other bytes as dots; MK7 stores them reversed.
static void magic_text(const kmp_doc *doc, const uint8_t *magic, char name[8]) {
    for (int i = 0; i < 4; i++) {
        uint8_t c = magic[doc->big ? i : 3 - i];
        name[i] = c > ' ' && c < 0x7F ? (char)c : '.';
    }
    name[4] = 0;
}

static size_t slot_offset(const kmp_doc *doc, size_t slot) {
    return doc->head_size - 4 * doc->slots + 4 * slot;
}

static int region_compare(const void *a, const void *b) {
    size_t x = ((const region *)a)->start, y = ((const region *)b)->start;
    return (x > y) - (x < y);
}

// Where the sections start, in file order, each place once: two slots may name one section.
// `regions` has room for one per slot.
static bool regions_find(const kmp_doc *doc, region *regions, size_t *count, kart_error *error) {
    size_t room = doc->original_size - doc->head_size, unique = 0;
    for (size_t slot = 0; slot < doc->slots; slot++) {
        size_t at = slot_offset(doc, slot);
        uint32_t offset = kart_load_u32(doc->original + at, doc->big);
        if (room < 4 || offset > room - 4) {
            char expected[80];
            snprintf(expected, sizeof expected, "at most 0x%zX", room < 4 ? 0 : room - 4);
            return kart_fail_at(error, "header", at, "section offset points outside the file",
                                expected, "0x%lX", (unsigned long)offset);
        }
        regions[slot].start = doc->head_size + offset;
        magic_text(doc, doc->original + regions[slot].start, regions[slot].name);
    }
    qsort(regions, doc->slots, sizeof *regions, region_compare);
    for (size_t slot = 0; slot < doc->slots; slot++)
        if (unique == 0 || regions[unique - 1].start != regions[slot].start)
            regions[unique++] = regions[slot];
    for (size_t i = 0; i < unique; i++)
        regions[i].end = i + 1 < unique ? regions[i + 1].start : doc->original_size;
    *count = unique;
    return true;
}

static bool part_add(kmp_doc *doc, kmp_part part, kart_error *error) {
    kmp_part *parts = kart_array_grow(doc->ctx, doc->parts, &doc->parts_capacity,
                                      doc->parts_count + 1, sizeof part, error);
    if (!parts) return false;
    doc->parts = parts;
    parts[doc->parts_count++] = part;
    return true;
}

static bool raw_add(kmp_doc *doc, size_t start, size_t end, kart_error *error) {
    if (start == end) return true;
    return part_add(doc, (kmp_part){KMP_NONE, start, end - start, start}, error);
}

// The layout that this file's version gives the section, by its magic; NULL if it is unknown.
static const kmp_schema *schema_of(const kmp_doc *doc, const uint8_t *magic) {
    const kmp_schema *schema;
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++)
        if (schema->game == doc->game && schema->magic[0] && memcmp(schema->magic, magic, 4) == 0)
            return kmp_schema_find(doc->game, doc->version, schema->kind);
    return NULL;
}

// A float that a coordinate or angle could be: not the bits of a small integer.
static bool plausible_float(const uint8_t *at, bool big) {
    float value = kart_load_f32(at, big);
    return value == 0 || isnormal(value);
}

// Can `room` bytes at `at`, the section's header included, hold `count` records of this layout?
static bool layout_fits(const kmp_doc *doc, const kmp_schema *schema, size_t at, size_t room) {
    if (room < schema->header_size) return false;
    if (schema->header_size == 8) {
        size_t count = kart_load_u16(doc->original + at + 4, doc->big);
        return count * schema->record_size <= room - 8;
    }
    // One record right behind the magic: a count would make a float that is next to nothing.
    if (room < (size_t)schema->header_size + schema->record_size) return false;
    for (size_t i = 0; i < schema->record_size; i += 4)
        if (!plausible_float(doc->original + at + 4 + i, doc->big)) return false;
    return true;
}

// The version's own layout if it fits, else another of the same section that does, else NULL.
static const kmp_schema *layout_choose(const kmp_doc *doc, const kmp_schema *own,
                                       const region *place) {
    size_t room = place->end - place->start;
    if (layout_fits(doc, own, place->start, room)) return own;
    const kmp_schema *schema;
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++)
        if (schema->game == own->game && schema->kind == own->kind &&
            layout_fits(doc, schema, place->start, room))
            return schema;
    return NULL;
}

static bool rows_add(kmp_doc *doc, kmp_kind kind, const uint8_t *rows, size_t count,
                     kart_error *error) {
    kmp_table *table = &doc->tables[kind];
    if (count == 0) return true;
    if (!kmp_table_reserve(doc, table, table->count + count, error)) return false;
    memcpy(table->rows + table->count * table->stride, rows, count * table->stride);
    kmp_table_number(doc, table, table->count, count);
    table->count += count;
    return true;
}

// Routes: each record is followed by its points. `*used` gets the bytes behind the header.
static bool routes_parse(kmp_doc *doc, const region *place, size_t count, size_t *used,
                         kart_error *error) {
    kart_reader reader = kart_reader_make(doc->original, place->end, doc->big);
    kmp_table *points = &doc->tables[KMP_POINT];
    points->schema = kmp_schema_find(doc->game, doc->version, KMP_POINT);
    points->stride = points->schema->record_size;
    kart_reader_seek(&reader, place->start + 8);
    for (size_t i = 0; i < count; i++) {
        size_t at = reader.at;
        const uint8_t *route = kart_read_bytes(&reader, 4);
        size_t length = route ? kart_load_u16(route, doc->big) : 0;
        const uint8_t *rows = kart_read_bytes(&reader, length * points->stride);
        if (!route || !rows) {
            char expected[80];
            snprintf(expected, sizeof expected, "%zu more bytes for route %zu of %zu",
                     4 + length * points->stride, i + 1, count);
            return kart_fail_at(error, place->name, at, "routes pass the end of the section",
                                expected, "%zu", place->end - at);
        }
        if (!rows_add(doc, KMP_POTI, route, 1, error)) return false;
        if (!rows_add(doc, KMP_POINT, rows, length, error)) return false;
    }
    *used = reader.at - place->start - 8;
    size_t total = kart_load_u16(doc->original + place->start + 6, doc->big);
    if (total != points->count &&
        !kmp_warn(doc, KART_WARNING, "point-total", KMP_POTI, KART_NO_INDEX, "total", error,
                  "the header counts %zu, the routes %zu", total, points->count))
        return false;
    return kmp_routes_index(doc, error);
}

static bool section_parse(kmp_doc *doc, const region *place, const kmp_schema *own,
                          kart_error *error) {
    size_t room = place->end - place->start;
    const kmp_schema *schema = layout_choose(doc, own, place);
    if (!schema) {
        if (own->header_size != 8)
            return kart_fail_at(error, place->name, place->start, "section too short",
                                "one record of 24 bytes behind the name", "%zu bytes", room - 4);
        if (room < 8)
            return kart_fail_at(error, place->name, place->start, "section too short",
                                "a header of 8 bytes", "%zu", room);
        char expected[80];
        snprintf(expected, sizeof expected, "at most %zu (%zu bytes, %u each)",
                 (room - 8) / own->record_size, room - 8, own->record_size);
        return kart_fail_at(error, place->name, place->start + 4, "entry count", expected, "%u",
                            kart_load_u16(doc->original + place->start + 4, doc->big));
    }
    kmp_table *table = &doc->tables[schema->kind];
    table->schema = schema;
    table->stride = schema->record_size;
    memcpy(table->header, doc->original + place->start, schema->header_size);
    size_t count = schema->header_size == 8 ? kart_load_u16(table->header + 4, doc->big) : 1;
    size_t used = count * table->stride;
    if (schema->record_size == 0 && count > 0) {
        // Not known: records as long as the file spaces them, or kept whole where that is uneven.
        table->stride = (room - 8) / count;
        if (table->stride * count != room - 8 || table->stride == 0) count = table->stride = 0;
        used = count * table->stride;
    }
    if (schema->kind == KMP_POTI) {
        if (!routes_parse(doc, place, count, &used, error)) return false;
    } else if (!rows_add(doc, schema->kind, doc->original + place->start + schema->header_size,
                         count, error)) {
        return false;
    }
    if (schema != own &&
        !kmp_warn(doc, KART_WARNING, "entry-size", schema->kind, KART_NO_INDEX, "", error,
                  "entries of %u bytes, version %lu has %u", schema->record_size,
                  (unsigned long)doc->version, own->record_size))
        return false;
    size_t kept = place->start + schema->header_size + used;
    return part_add(doc, (kmp_part){schema->kind, kept, place->end - kept, place->start}, error);
}

static bool sections_parse(kmp_doc *doc, const region *regions, size_t count, kart_error *error) {
    size_t first = count > 0 ? regions[0].start : doc->original_size;
    if (!raw_add(doc, doc->head_size, first, error)) return false;
    for (size_t i = 0; i < count; i++) {
        const region *place = &regions[i];
        const kmp_schema *schema = schema_of(doc, doc->original + place->start);
        if (schema && !doc->tables[schema->kind].schema) {
            if (!section_parse(doc, place, schema, error)) return false;
            continue;
        }
        if (schema ? !kmp_warn(doc, KART_WARNING, "section-twice", schema->kind, KART_NO_INDEX, "",
                               error, "a second section of this name at 0x%zX is kept unread",
                               place->start)
                   : !kmp_warn(doc, KART_HINT, "section-unknown", KMP_NONE, KART_NO_INDEX, "",
                               error, "unknown section %s at 0x%zX is kept as it is", place->name,
                               place->start))
            return false;
        if (!raw_add(doc, place->start, place->end, error)) return false;
    }
    return true;
}

kmp_doc *kmp_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    if (size > KMP_FILE_LIMIT) {
        kart_fail(error, KART_LIMIT, "file of %zu bytes, the limit for KMP is %zu", size,
                  KMP_FILE_LIMIT);
        return NULL;
    }
    kmp_doc *doc = kart_alloc(ctx, sizeof *doc, error);
    if (!doc) return NULL;
    doc->ctx = ctx;
    doc->warnings.most = KART_WARNINGS_MOST;
    doc->original = kart_copy(ctx, data, size, error);
    if (doc->original) doc->original_size = size;
    bool done = doc->original && header_parse(doc, error);
    region *regions = done ? kart_alloc(ctx, doc->slots * sizeof *regions, error) : NULL;
    size_t count = 0;
    done = regions && regions_find(doc, regions, &count, error) &&
           sections_parse(doc, regions, count, error) && kmp_references_check(doc, error);
    kart_free(ctx, regions, doc->slots * sizeof *regions);
    if (done) return doc;
    kmp_free(doc);
    return NULL;
}
