// Text files of "name = value" lines, as people keep the flags of their materials in:
//
//     # the town
//     Grass      = off_road/grass
//     wall*      = wall+soft
//
// The name is what stands before the first "=", the value what stands behind it, up to a "#"; both
// without space around them. Lines that begin with "#" and empty ones are left out. A name stands
// once. Names may hold a "#", so that "Material #25" can be one.
#ifndef KART_PAIRS_H
#define KART_PAIRS_H

#include "core/names.h"

// All zeros is empty.
typedef struct kart_pairs {
    kart_names names;
    char *values; // one behind the other, each with its terminator
    size_t values_size, values_capacity;
    struct kart_pair {
        size_t value; // in `values`
        size_t line;
    } * items; // as many as names
    size_t capacity;
} kart_pairs;

// False with error format, limit or memory. `pairs` must be empty, and is to be freed either way.
bool kart_pairs_parse(kart_ctx *ctx, kart_pairs *pairs, const uint8_t *data, size_t size,
                      kart_error *error);
const char *kart_pairs_value(const kart_pairs *pairs, uint32_t number);

// As text; reading it gives the same pairs.
uint8_t *kart_pairs_write(kart_ctx *ctx, const kart_pairs *pairs, size_t *size, kart_error *error);
void kart_pairs_free(kart_ctx *ctx, kart_pairs *pairs);

#endif
