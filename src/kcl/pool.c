#include "kcl/pool.h"

#include "core/array.h"

#include <string.h>

#define FIRST 64 // slots

bool kcl_pool_init(kart_ctx *ctx, kcl_pool *pool, size_t entry, kart_error *error) {
    *pool = (kcl_pool){.entry = entry, .slots_count = FIRST};
    pool->slots = kart_alloc(ctx, FIRST * sizeof *pool->slots, error);
    if (!pool->slots) *pool = (kcl_pool){0};
    return pool->slots != NULL;
}

void kcl_pool_free(kart_ctx *ctx, kcl_pool *pool) {
    kart_free(ctx, pool->bytes, pool->capacity * pool->entry);
    kart_free(ctx, pool->slots, pool->slots_count * sizeof *pool->slots);
    *pool = (kcl_pool){0};
}

static size_t entry_hash(const uint8_t *bytes, size_t size) {
    uint64_t hash = 0;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return (size_t)(hash ^ hash >> 31);
}

// The slot of the entry, or the free one where it belongs.
static size_t slot_find(const kcl_pool *pool, const uint8_t *entry) {
    size_t at = entry_hash(entry, pool->entry) & (pool->slots_count - 1);
    for (; pool->slots[at]; at = (at + 1) & (pool->slots_count - 1))
        if (memcmp(kcl_pool_get(pool, pool->slots[at] - 1), entry, pool->entry) == 0) break;
    return at;
}

static bool slots_grow(kart_ctx *ctx, kcl_pool *pool, kart_error *error) {
    kcl_pool grown = *pool;
    grown.slots_count *= 2;
    grown.slots = kart_alloc(ctx, grown.slots_count * sizeof *grown.slots, error);
    if (!grown.slots) return false;
    for (size_t i = 0; i < pool->count; i++)
        grown.slots[slot_find(&grown, kcl_pool_get(pool, i))] = (uint32_t)i + 1;
    kart_free(ctx, pool->slots, pool->slots_count * sizeof *pool->slots);
    *pool = grown;
    return true;
}

size_t kcl_pool_add(kart_ctx *ctx, kcl_pool *pool, const uint8_t *entry, kart_error *error) {
    size_t at = slot_find(pool, entry);
    if (pool->slots[at]) return pool->slots[at] - 1;
    if (2 * (pool->count + 1) > pool->slots_count) {
        if (!slots_grow(ctx, pool, error)) return SIZE_MAX;
        at = slot_find(pool, entry);
    }
    uint8_t *bytes =
        kart_array_grow(ctx, pool->bytes, &pool->capacity, pool->count + 1, pool->entry, error);
    if (!bytes) return SIZE_MAX;
    pool->bytes = bytes;
    memcpy(bytes + pool->count * pool->entry, entry, pool->entry);
    pool->slots[at] = (uint32_t)++pool->count;
    return pool->count - 1;
}
