// Document to bytes, and new documents.
#include "kmp/kmp.h"
#include "kmp/table.h"

#include <stdio.h>
#include <string.h>

static void routes_write(const kmp_doc *doc, kart_writer *writer) {
    const kmp_table *routes = &doc->tables[KMP_POTI], *points = &doc->tables[KMP_POINT];
    for (size_t i = 0; i < routes->count; i++) {
        kart_write_bytes(writer, kmp_row(doc, KMP_POTI, i), routes->stride);
        size_t length = kmp_route_length(doc, i);
        if (length > 0)
            kart_write_bytes(writer, kmp_row(doc, KMP_POINT, doc->route_first[i]),
                             length * points->stride);
    }
}

static void section_write(const kmp_doc *doc, kmp_kind kind, kart_writer *writer) {
    const kmp_table *table = &doc->tables[kind];
    kart_write_bytes(writer, table->header, table->schema->header_size);
    if (kind == KMP_POTI)
        routes_write(doc, writer);
    else
        kart_write_bytes(writer, table->rows, table->count * table->stride);
}

size_t kmp_part_size(const kmp_doc *doc, size_t part) {
    const kmp_part *p = &doc->parts[part];
    const kmp_table *points = &doc->tables[KMP_POINT];
    if (p->kind == KMP_NONE) return p->kept_size;
    const kmp_table *table = &doc->tables[p->kind];
    size_t rows = table->count * table->stride;
    if (p->kind == KMP_POTI) rows += points->count * points->stride;
    return table->schema->header_size + rows + p->kept_size;
}

// Let the offsets that named the part at `old_start` name where it stands now.
static void offsets_move(const kmp_doc *doc, uint8_t *data, size_t old_start, size_t new_start) {
    size_t table = doc->head_size - 4 * doc->slots;
    for (size_t slot = 0; slot < doc->slots; slot++) {
        uint32_t old = kart_load_u32(doc->original + table + 4 * slot, doc->big);
        if (doc->head_size + old == old_start)
            kart_store_u32(data + table + 4 * slot, doc->big,
                           (uint32_t)(new_start - doc->head_size));
    }
}

uint8_t *kmp_serialize(const kmp_doc *doc, size_t *size, kart_error *error) {
    kart_writer writer = kart_writer_make(doc->ctx, doc->big);
    kart_write_bytes(&writer, doc->original, doc->head_size);
    for (size_t i = 0; i < doc->parts_count; i++) {
        const kmp_part *part = &doc->parts[i];
        if (doc->resized && !writer.failed)
            offsets_move(doc, writer.data, part->start, writer.size);
        if (part->kind != KMP_NONE) section_write(doc, part->kind, &writer);
        kart_write_bytes(&writer, doc->original + part->kept, part->kept_size);
    }
    if (doc->resized && !writer.failed)
        kart_store_u32(writer.data + 4, doc->big, (uint32_t)writer.size);
    return kart_writer_take(&writer, size, error);
}

// The file of an empty document, section by section as the game's own files have them.
static uint8_t *empty_file(kart_ctx *ctx, kmp_game game, uint32_t version,
                           const size_t counts[KMP_KINDS], size_t *size, kart_error *error) {
    kmp_doc blank = {.game = game, .big = game == KMP_MKW}; // its byte order is all that counts
    kart_writer writer = kart_writer_make(ctx, blank.big);
    size_t slots = 0, slot = 0;
    for (int kind = 0; kind < KMP_POINT; kind++)
        slots += kmp_schema_find(game, version, (kmp_kind)kind) != NULL;
    size_t head_size = 16 + 4 * slots;
    kart_write_bytes(&writer, game == KMP_MKW ? "RKMD" : "DMDC", 4);
    kart_write_u32(&writer, 0);
    kart_write_u16(&writer, (uint16_t)slots);
    kart_write_u16(&writer, (uint16_t)head_size);
    kart_write_u32(&writer, version);
    kart_write_zeros(&writer, 4 * slots);
    for (int kind = 0; kind < KMP_POINT; kind++) {
        const kmp_schema *schema = kmp_schema_find(game, version, (kmp_kind)kind);
        if (!schema) continue;
        if (!writer.failed)
            kart_store_u32(writer.data + 16 + 4 * slot++, blank.big,
                           (uint32_t)(writer.size - head_size));
        uint8_t record[0x80];
        kmp_row_init(&blank, schema, record, schema->record_size);
        kart_write_bytes(&writer, schema->magic, 4);
        if (schema->header_size == 8) {
            kart_write_u16(&writer, (uint16_t)counts[kind]);
            kart_write_u16(&writer, kind == KMP_CAME ? 0xFFFF : 0); // no first cameras yet
        }
        size_t count = schema->header_size == 8 ? counts[kind] : 1;
        for (size_t i = 0; i < count; i++) kart_write_bytes(&writer, record, schema->record_size);
    }
    if (!writer.failed) kart_store_u32(writer.data + 4, blank.big, (uint32_t)writer.size);
    return kart_writer_take(&writer, size, error);
}

kmp_doc *kmp_new(kart_ctx *ctx, kmp_game game, uint32_t version, const size_t counts[KMP_KINDS],
                 kart_error *error) {
    size_t size;
    for (int kind = 0; kind < KMP_POINT; kind++)
        if (counts[kind] > 65535) {
            kart_fail(error, KART_LIMIT, "more than 65535 records in a section");
            return NULL;
        }
    const kmp_schema *start = kmp_schema_find(game, version, KMP_KTPT);
    if (start->header_size != 8 && counts[KMP_KTPT] > 1) {
        kart_fail(error, KART_LIMIT, "ktpt: version %lu has room for one start position",
                  (unsigned long)version);
        return NULL;
    }
    uint8_t *file = empty_file(ctx, game, version, counts, &size, error);
    if (!file) return NULL;
    kmp_doc *doc = kmp_parse(ctx, file, size, error);
    kart_free(ctx, file, size);
    if (doc) {
        // What a blank document points at is the author's to say.
        kart_findings_free(ctx, &doc->warnings);
    }
    return doc;
}
