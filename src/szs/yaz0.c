// Decompression: a fast way for groups that are far from both ends, and a careful one for all
// others and for whatever is wrong, so that only that one knows errors.
#include "szs/yaz0.h"

#include "core/bytes.h"

#include <stdio.h>
#include <string.h>

#define GROUP_STEPS ((size_t)8)
#define GROUP_BYTES (1 + GROUP_STEPS * 3)           // most that a group takes ...
#define GROUP_MAKES (GROUP_STEPS * YAZ0_LENGTH_MAX) // ... and gives
#define WORD        ((size_t)8)                     // bytes that are copied at once
#define STRIDE      ((size_t)1 << 20) // bytes made between two looks at the cancel flag

// What the fast way may touch from the start of a group on: literals are copied by the word, and so
// are references, whose copies go on for less than two words behind their end.
#define IN_MARGIN  (GROUP_BYTES + WORD)
#define OUT_MARGIN (GROUP_MAKES + 2 * WORD)

bool yaz0_detect(const uint8_t *data, size_t size) {
    return size >= 4 && kart_load_u32(data, true) == YAZ0_MAGIC;
}

bool yaz0_header_read(const uint8_t *data, size_t size, yaz0_header *header, kart_error *error) {
    if (size < YAZ0_HEADER_SIZE)
        return kart_fail_at(error, "Yaz0", size, "header cut off", "16 bytes", "%zu", size);
    if (!yaz0_detect(data, size))
        return kart_fail_at(error, "Yaz0", 0, "magic", "59617A30", "%08X",
                            kart_load_u32(data, true));
    *header = (yaz0_header){.size = kart_load_u32(data + 4, true),
                            .alignment = kart_load_u32(data + 8, true),
                            .reserved = kart_load_u32(data + 12, true)};
    size_t groups = (size - YAZ0_HEADER_SIZE + GROUP_BYTES - 1) / GROUP_BYTES;
    if (header->size / GROUP_MAKES > groups) {
        char expected[80];
        snprintf(expected, sizeof expected, "at most %zu from %zu bytes", groups * GROUP_MAKES,
                 size);
        return kart_fail_at(error, "Yaz0", 4, "decompressed size", expected, "%lu",
                            (unsigned long)header->size);
    }
    return true;
}

typedef struct decoder {
    const uint8_t *data;
    size_t size;
    size_t at; // next byte to read
    uint8_t *out;
    size_t out_size;
    size_t done; // bytes made
} decoder;

// --- the fast way -----------------------------------------------------------------------------

// Ones at the top of a code byte: how many literals come before the next reference.
static const uint8_t leading_ones[256] = {
#define X16(n) n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n
    X16(0), X16(0), X16(0), X16(0), X16(0), X16(0), X16(0), X16(0), //
    X16(1), X16(1), X16(1), X16(1), X16(2), X16(2), X16(3),         //
    4,      4,      4,      4,      4,      4,      4,      4,      5,
    5,      5,      5,      6,      6,      7,      8
#undef X16
};

// Copies of less than a word back repeat themselves: once a word is there by single bytes, the rest
// comes from so far back, the first multiple of the distance that is no less than a word.
static const uint8_t multiples[WORD] = {0, 8, 8, 9, 8, 10, 12, 14};

// Words that overlap are never copied as such: `distance` is WORD or more wherever one is.
static inline void reference_copy(uint8_t *to, size_t distance, size_t length) {
    uint8_t *end = to + length;
    if (distance < WORD) {
        for (size_t i = 0; i < WORD; i++) to[i] = (to - distance)[i];
        distance = multiples[distance];
        to += WORD;
    }
    for (; to < end; to += WORD) memcpy(to, to - distance, WORD);
}

// One group; `*out` is moved on. Gives where the next one begins, or NULL if a reference goes back
// behind `start`. Reads and writes within the margins, whatever the bytes are.
static inline const uint8_t *group_decode_unchecked(const uint8_t *in, uint8_t **out,
                                                    const uint8_t *start) {
    uint8_t *to = *out;
    unsigned code = *in++;
    int left = (int)GROUP_STEPS;
    for (;;) {
        unsigned literals = leading_ones[code];
        memcpy(to, in, WORD);
        to += literals;
        in += literals;
        left -= (int)literals + 1;
        if (left < 0) break;
        code = code << (literals + 1) & 0xFF;

        size_t distance = ((in[0] & 0xFu) << 8 | in[1]) + 1u, length = in[0] >> 4;
        if (distance > (size_t)(to - start)) return NULL;
        if (length == 0) {
            length = in[2] + YAZ0_LENGTH_TWO_MAX + 1u;
            in += 3;
            reference_copy(to, distance, length);
        } else {
            length += 2;
            in += 2;
            if (distance >= WORD) {
                memcpy(to, to - distance, WORD);
                memcpy(to + WORD, to + WORD - distance, WORD);
                to[2 * WORD] = (to + 2 * WORD - distance)[0];
            } else {
                reference_copy(to, distance, length);
            }
        }
        to += length;
        if (left == 0) break;
    }
    *out = to;
    return in;
}

// Groups until `until` bytes are made, a margin is reached or one is wrong, which is left to the
// careful way.
static void groups_decode(decoder *d, size_t until) {
    if (d->size - d->at < IN_MARGIN || d->out_size - d->done < OUT_MARGIN) return;
    if (until > d->out_size - OUT_MARGIN) until = d->out_size - OUT_MARGIN;
    const uint8_t *in = d->data + d->at, *in_last = d->data + d->size - IN_MARGIN;
    uint8_t *out = d->out + d->done, *out_last = d->out + until;
    while (in <= in_last && out <= out_last) {
        const uint8_t *next = group_decode_unchecked(in, &out, d->out);
        if (!next) break;
        in = next;
    }
    d->at = (size_t)(in - d->data);
    d->done = (size_t)(out - d->out);
}

// --- the careful way --------------------------------------------------------------------------

static bool bytes_are_there(const decoder *d, size_t count, kart_error *error) {
    if (count <= d->size - d->at) return true;
    char expected[80];
    snprintf(expected, sizeof expected, "%zu decompressed bytes", d->out_size);
    return kart_fail_at(error, "Yaz0", d->size, "stream ends early", expected, "%zu", d->done);
}

static bool literal_decode(decoder *d, kart_error *error) {
    if (!bytes_are_there(d, 1, error)) return false;
    d->out[d->done++] = d->data[d->at++];
    return true;
}

static bool reference_decode(decoder *d, kart_error *error) {
    if (!bytes_are_there(d, 2, error)) return false;
    const uint8_t *in = d->data + d->at;
    bool two = in[0] >> 4 != 0;
    if (!two && !bytes_are_there(d, 3, error)) return false;
    size_t distance = (kart_load_u16(in, true) & 0xFFFu) + 1u;
    size_t length = two ? (in[0] >> 4) + 2u : in[2] + YAZ0_LENGTH_TWO_MAX + 1u;
    char expected[80];
    if (distance > d->done) {
        snprintf(expected, sizeof expected, "at most the %zu bytes made so far", d->done);
        return kart_fail_at(error, "Yaz0", d->at, "distance", expected, "%zu", distance);
    }
    if (length > d->out_size - d->done) {
        snprintf(expected, sizeof expected, "at most the %zu bytes left", d->out_size - d->done);
        return kart_fail_at(error, "Yaz0", d->at, "length", expected, "%zu", length);
    }
    uint8_t *to = d->out + d->done;
    for (size_t i = 0; i < length; i++) to[i] = (to - distance)[i];
    d->done += length;
    d->at += two ? 2 : 3;
    return true;
}

static bool group_decode(decoder *d, kart_error *error) {
    if (!bytes_are_there(d, 1, error)) return false;
    unsigned code = d->data[d->at++];
    for (unsigned bit = 0x80; bit && d->done < d->out_size; bit >>= 1)
        if (!(code & bit ? literal_decode(d, error) : reference_decode(d, error))) return false;
    return true;
}

static bool stream_decode(kart_ctx *ctx, decoder *d, kart_error *error) {
    size_t look = 0;
    while (d->done < d->out_size) {
        if (d->done >= look) {
            if (!kart_ctx_step(ctx, (double)d->done / (double)d->out_size, error)) return false;
            look = d->done + STRIDE;
        }
        groups_decode(d, look);
        if (d->done < d->out_size && !group_decode(d, error)) return false;
    }
    return true;
}

uint8_t *yaz0_decode(kart_ctx *ctx, const uint8_t *data, size_t size, size_t limit,
                     size_t *out_size, size_t *trailing, kart_error *error) {
    yaz0_header header = {0};
    if (!yaz0_header_read(data, size, &header, error)) return NULL;
    if (header.size > limit) {
        char expected[80];
        snprintf(expected, sizeof expected, "at most %zu", limit);
        kart_fail_at(error, "Yaz0", 4, "decompressed size", expected, "%lu",
                     (unsigned long)header.size);
        if (error) error->code = KART_LIMIT;
        return NULL;
    }
    // Not zeroed: who gets the block gets it full.
    uint8_t *out = kart_realloc(ctx, NULL, 0, header.size, error);
    if (!out) return NULL;
    decoder d = {
        .data = data, .size = size, .at = YAZ0_HEADER_SIZE, .out = out, .out_size = header.size};
    if (!stream_decode(ctx, &d, error)) {
        kart_free(ctx, out, header.size);
        return NULL;
    }
    *out_size = header.size;
    if (trailing) *trailing = size - d.at;
    return out;
}
