// Internal to src/kcl: positions or normals as they stand in a file, each once.
#ifndef KCL_POOL_H
#define KCL_POOL_H

#include "core/ctx.h"

#include <stdint.h>

#define KCL_POOL_LIMIT 65536 // that an index of 16 bits counts
#define KCL_ENTRY_MOST 12    // bytes of one

// In the order in which they came up. All zeros is nothing.
typedef struct kcl_pool {
    size_t entry; // bytes of one
    uint8_t *bytes;
    size_t count, capacity;
    uint32_t *slots;    // numbers from 1, by hash
    size_t slots_count; // a power of two
} kcl_pool;

// `entry`: 1 to KCL_ENTRY_MOST. False with error memory or limit; then it is nothing.
bool kcl_pool_init(kart_ctx *ctx, kcl_pool *pool, size_t entry, kart_error *error);
void kcl_pool_free(kart_ctx *ctx, kcl_pool *pool);

// The number of the entry, from 0. SIZE_MAX with error memory or limit.
size_t kcl_pool_add(kart_ctx *ctx, kcl_pool *pool, const uint8_t *entry, kart_error *error);

static inline const uint8_t *kcl_pool_get(const kcl_pool *pool, size_t number) {
    return pool->bytes + number * pool->entry;
}

#endif
