#include "core/bytes.h"

#include "core/array.h"

#include <string.h>

float kart_load_f32(const uint8_t *at, bool big) {
    uint32_t bits = kart_load_u32(at, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void kart_store_u16(uint8_t *at, bool big, uint16_t value) {
    at[big ? 0 : 1] = (uint8_t)(value >> 8);
    at[big ? 1 : 0] = (uint8_t)value;
}

void kart_store_u32(uint8_t *at, bool big, uint32_t value) {
    kart_store_u16(at + (big ? 0 : 2), big, (uint16_t)(value >> 16));
    kart_store_u16(at + (big ? 2 : 0), big, (uint16_t)value);
}

void kart_store_f32(uint8_t *at, bool big, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    kart_store_u32(at, big, bits);
}

kart_reader kart_reader_make(const uint8_t *data, size_t size, bool big) {
    return (kart_reader){.data = data, .size = size, .big = big};
}

size_t kart_reader_left(const kart_reader *reader) { return reader->size - reader->at; }

void kart_reader_seek(kart_reader *reader, size_t offset) {
    if (offset > reader->size) reader->failed = true;
    if (!reader->failed) reader->at = offset;
}

const uint8_t *kart_read_bytes(kart_reader *reader, size_t count) {
    if (reader->failed || count > kart_reader_left(reader)) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *at = reader->data + reader->at;
    reader->at += count;
    return at;
}

uint8_t kart_read_u8(kart_reader *reader) {
    const uint8_t *at = kart_read_bytes(reader, 1);
    return at ? *at : 0;
}

uint16_t kart_read_u16(kart_reader *reader) {
    const uint8_t *at = kart_read_bytes(reader, 2);
    return at ? kart_load_u16(at, reader->big) : 0;
}

uint32_t kart_read_u32(kart_reader *reader) {
    const uint8_t *at = kart_read_bytes(reader, 4);
    return at ? kart_load_u32(at, reader->big) : 0;
}

float kart_read_f32(kart_reader *reader) {
    const uint8_t *at = kart_read_bytes(reader, 4);
    return at ? kart_load_f32(at, reader->big) : 0;
}

kart_writer kart_writer_make(kart_ctx *ctx, bool big) {
    return (kart_writer){.ctx = ctx, .big = big};
}

// Room for `count` (at least 1) more bytes, already counted in; NULL once the writer has failed.
static uint8_t *writer_extend(kart_writer *writer, size_t count) {
    uint8_t *data = NULL;
    if (!writer->failed && count > SIZE_MAX - writer->size)
        kart_fail(&writer->error, KART_MEMORY, "not enough memory for %zu bytes", count);
    else if (!writer->failed)
        data = kart_array_grow(writer->ctx, writer->data, &writer->capacity, writer->size + count,
                               1, &writer->error);
    if (!data) {
        writer->failed = true;
        return NULL;
    }
    writer->data = data;
    writer->size += count;
    return data + writer->size - count;
}

void kart_write_bytes(kart_writer *writer, const void *data, size_t count) {
    if (count == 0) return;
    uint8_t *at = writer_extend(writer, count);
    if (at) memcpy(at, data, count);
}

void kart_write_text(kart_writer *writer, const char *text) {
    kart_write_bytes(writer, text, strlen(text));
}

void kart_write_zeros(kart_writer *writer, size_t count) {
    if (count == 0) return;
    uint8_t *at = writer_extend(writer, count);
    if (at) memset(at, 0, count);
}

void kart_write_align(kart_writer *writer) { kart_write_zeros(writer, (4 - writer->size % 4) % 4); }

void kart_write_u8(kart_writer *writer, uint8_t value) { kart_write_bytes(writer, &value, 1); }

void kart_write_u16(kart_writer *writer, uint16_t value) {
    uint8_t *at = writer_extend(writer, 2);
    if (at) kart_store_u16(at, writer->big, value);
}

void kart_write_u32(kart_writer *writer, uint32_t value) {
    uint8_t *at = writer_extend(writer, 4);
    if (at) kart_store_u32(at, writer->big, value);
}

void kart_write_f32(kart_writer *writer, float value) {
    uint8_t *at = writer_extend(writer, 4);
    if (at) kart_store_f32(at, writer->big, value);
}

void kart_write_f64(kart_writer *writer, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    kart_write_u32(writer, (uint32_t)(writer->big ? bits >> 32 : bits));
    kart_write_u32(writer, (uint32_t)(writer->big ? bits : bits >> 32));
}

void kart_writer_free(kart_writer *writer) {
    kart_free(writer->ctx, writer->data, writer->capacity);
    *writer = kart_writer_make(writer->ctx, writer->big);
}

uint8_t *kart_writer_take(kart_writer *writer, size_t *size, kart_error *error) {
    uint8_t *data = NULL;
    *size = 0;
    if (writer->failed) {
        if (error) *error = writer->error;
    } else {
        data = kart_realloc(writer->ctx, writer->data, writer->capacity, writer->size, error);
        if (data) {
            *size = writer->size;
            *writer = kart_writer_make(writer->ctx, writer->big);
            return data;
        }
    }
    kart_writer_free(writer);
    return NULL;
}
