// Internal to src/szs: what can be copied from where, for the compressor.
#ifndef SZS_YAZ0_MATCH_H
#define SZS_YAZ0_MATCH_H

#include "szs/yaz0.h"

// How much of the work comes after the matches; for progress.
#define YAZ0_PARSE_SHARE 0.2

// A match, or a step of a parse: so many bytes from so far back. A length of 1 is a literal.
typedef struct yaz0_match {
    uint16_t length, distance;
} yaz0_match;

// The length of what two places have in common, at most `most`, of which the first `same` are known
// to be. Both must have `most` bytes.
size_t yaz0_common(const uint8_t *a, const uint8_t *b, size_t same, size_t most);

// A number below 2^bits for the three bytes at `at`.
static inline uint32_t yaz0_hash(const uint8_t *at, int bits) {
    uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    return (uint32_t)(three * 0x9E3779B1u) >> (32 - bits);
}

// Find the longest match at each position: `matches` has `size` items, length 1 where there is
// none. At each position at most `depth` earlier ones are compared; with YAZ0_DISTANCE_MAX the
// longest is always found. A match is never shorter by more than 1 than the one before it, unless
// that leaves less than YAZ0_LENGTH_MIN. False with error memory, limit or cancelled.
bool yaz0_matches_find(kart_ctx *ctx, const uint8_t *data, size_t size, unsigned depth,
                       yaz0_match *matches, kart_error *error);

#endif
