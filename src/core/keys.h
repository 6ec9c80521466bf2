// Sets of keys of four words, for what is the same as something before: edges, triangles, pairs of
// material and flag.
#ifndef KART_KEYS_H
#define KART_KEYS_H

#include "core/ctx.h"

typedef struct kart_key {
    uint32_t word[4];
} kart_key;

// All zeros is an empty set.
typedef struct kart_keys {
    kart_key *keys; // in the order in which they came
    size_t count, capacity;
    uint32_t *slots; // open addressing: number + 1, 0 where there is none
    size_t slots_count;
} kart_keys;

// Make room for so many keys, so that adding them is faster. False with error memory or limit.
bool kart_keys_reserve(kart_ctx *ctx, kart_keys *keys, size_t count, kart_error *error);

// The number of a key, from 0, which is added if it is new: then `*number` is the old count. False
// with error memory or limit.
bool kart_keys_add(kart_ctx *ctx, kart_keys *keys, kart_key key, uint32_t *number,
                   kart_error *error);
void kart_keys_free(kart_ctx *ctx, kart_keys *keys);

#endif
