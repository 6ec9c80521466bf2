#include "core/keys.h"

#include "core/array.h"

#include <string.h>

// Multiply and fold: all bits of the words reach the low ones.
static size_t key_hash(kart_key key) {
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ key.word[i]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return (size_t)hash;
}

static uint32_t *slot_find(const kart_keys *keys, kart_key key) {
    size_t mask = keys->slots_count - 1, at = key_hash(key) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *slot = &keys->slots[at];
        if (*slot == 0 || memcmp(&keys->keys[*slot - 1], &key, sizeof key) == 0) return slot;
    }
}

// At most half of the slots are taken by `count` keys.
static bool slots_grow(kart_ctx *ctx, kart_keys *keys, size_t count, kart_error *error) {
    if (2 * count <= keys->slots_count) return true;
    kart_keys grown = *keys;
    grown.slots_count = keys->slots_count ? 2 * keys->slots_count : 64;
    while (grown.slots_count < 2 * count) grown.slots_count *= 2;
    grown.slots = kart_alloc(ctx, grown.slots_count * sizeof *grown.slots, error);
    if (!grown.slots) return false;
    for (size_t i = 0; i < keys->count; i++) *slot_find(&grown, keys->keys[i]) = (uint32_t)i + 1;
    kart_free(ctx, keys->slots, keys->slots_count * sizeof *keys->slots);
    *keys = grown;
    return true;
}

static bool keys_grow(kart_ctx *ctx, kart_keys *keys, size_t count, kart_error *error) {
    kart_key *grown =
        kart_array_grow(ctx, keys->keys, &keys->capacity, count, sizeof *grown, error);
    if (grown) keys->keys = grown;
    return grown != NULL;
}

bool kart_keys_reserve(kart_ctx *ctx, kart_keys *keys, size_t count, kart_error *error) {
    return count == 0 ||
           (keys_grow(ctx, keys, count, error) && slots_grow(ctx, keys, count, error));
}

bool kart_keys_add(kart_ctx *ctx, kart_keys *keys, kart_key key, uint32_t *number,
                   kart_error *error) {
    if (keys->count >= UINT32_MAX / 2) return kart_fail(error, KART_LIMIT, "too many keys");
    if (!slots_grow(ctx, keys, keys->count + 1, error)) return false;
    uint32_t *slot = slot_find(keys, key);
    *number = *slot - 1;
    if (*slot > 0) return true;
    kart_key *grown =
        kart_array_grow(ctx, keys->keys, &keys->capacity, keys->count + 1, sizeof *grown, error);
    if (!grown) return false;
    keys->keys = grown;
    grown[keys->count++] = key;
    *slot = (uint32_t)keys->count;
    *number = *slot - 1;
    return true;
}

void kart_keys_free(kart_ctx *ctx, kart_keys *keys) {
    kart_free(ctx, keys->keys, keys->capacity * sizeof *keys->keys);
    kart_free(ctx, keys->slots, keys->slots_count * sizeof *keys->slots);
    *keys = (kart_keys){0};
}
