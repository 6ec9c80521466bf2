// Bytes of files in either byte order: loads and stores at a pointer that is known to be in range,
// a checked reader, and a growing writer.
#ifndef KART_BYTES_H
#define KART_BYTES_H

#include "core/ctx.h"

// Loads and stores of `big`-endian or little-endian values; no alignment is needed. The two that
// walks through octrees are made of are inline.
static inline uint16_t kart_load_u16(const uint8_t *at, bool big) {
    return big ? (uint16_t)(at[0] << 8 | at[1]) : (uint16_t)(at[1] << 8 | at[0]);
}
static inline uint32_t kart_load_u32(const uint8_t *at, bool big) {
    uint32_t first = kart_load_u16(at, big), second = kart_load_u16(at + 2, big);
    return big ? first << 16 | second : second << 16 | first;
}
float kart_load_f32(const uint8_t *at, bool big);
void kart_store_u16(uint8_t *at, bool big, uint16_t value);
void kart_store_u32(uint8_t *at, bool big, uint32_t value);
void kart_store_f32(uint8_t *at, bool big, float value);

// A reader over borrowed bytes. Failure is sticky: once a read would pass the end, `failed` is set,
// that read and all later ones give 0 or NULL, and `at` stays where the first one began. So a
// header can be read in one go and checked once.
typedef struct kart_reader {
    const uint8_t *data;
    size_t size;
    size_t at;
    bool big;
    bool failed;
} kart_reader;

kart_reader kart_reader_make(const uint8_t *data, size_t size, bool big);
size_t kart_reader_left(const kart_reader *reader);
void kart_reader_seek(kart_reader *reader, size_t offset); // past the end: fails
const uint8_t *kart_read_bytes(kart_reader *reader, size_t count);
uint8_t kart_read_u8(kart_reader *reader);
uint16_t kart_read_u16(kart_reader *reader);
uint32_t kart_read_u32(kart_reader *reader);
float kart_read_f32(kart_reader *reader);

// A writer that owns its bytes until they are taken. Failure to allocate is sticky, too.
typedef struct kart_writer {
    kart_ctx *ctx;
    uint8_t *data;
    size_t size;
    size_t capacity;
    bool big;
    bool failed;
    kart_error error; // why, once it has failed
} kart_writer;

kart_writer kart_writer_make(kart_ctx *ctx, bool big);
void kart_write_bytes(kart_writer *writer, const void *data, size_t count);
void kart_write_text(kart_writer *writer, const char *text); // without its terminator
void kart_write_zeros(kart_writer *writer, size_t count);
void kart_write_align(kart_writer *writer); // zeros up to a multiple of 4
void kart_write_u8(kart_writer *writer, uint8_t value);
void kart_write_u16(kart_writer *writer, uint16_t value);
void kart_write_u32(kart_writer *writer, uint32_t value);
void kart_write_f32(kart_writer *writer, float value);
void kart_write_f64(kart_writer *writer, double value);
void kart_writer_free(kart_writer *writer);

// Hand the bytes over: a block of exactly `*size` bytes, to be freed with kart_free. NULL with
// error memory or limit if any write failed. The writer is empty afterwards either way.
uint8_t *kart_writer_take(kart_writer *writer, size_t *size, kart_error *error);

#endif
