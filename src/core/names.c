#include "core/names.h"

#include "core/array.h"

#include <string.h>

// FNV-1a.
static uint32_t text_hash(const char *text, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

const char *kart_names_get(const kart_names *names, uint32_t number) {
    return names->text + names->starts[number];
}

// The slot where the name is, or where it belongs. There are slots, and one of them is free.
static uint32_t *slot_find(const kart_names *names, const char *text, size_t length) {
    size_t mask = names->slots_count - 1, at = text_hash(text, length) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *slot = &names->slots[at];
        if (*slot == 0) return slot;
        const char *name = kart_names_get(names, *slot - 1);
        if (strncmp(name, text, length) == 0 && name[length] == 0) return slot;
    }
}

uint32_t kart_names_find(const kart_names *names, const char *text, size_t length) {
    return names->slots_count > 0 ? *slot_find(names, text, length) - 1 : KART_NO_NAME;
}

// At most half of the slots are taken.
static bool slots_grow(kart_ctx *ctx, kart_names *names, kart_error *error) {
    if (2 * (names->count + 1) <= names->slots_count) return true;
    kart_names grown = *names;
    grown.slots_count = names->slots_count ? 2 * names->slots_count : 16;
    grown.slots = kart_alloc(ctx, grown.slots_count * sizeof *grown.slots, error);
    if (!grown.slots) return false;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = kart_names_get(names, i);
        *slot_find(&grown, name, strlen(name)) = i + 1;
    }
    kart_free(ctx, names->slots, names->slots_count * sizeof *names->slots);
    *names = grown;
    return true;
}

bool kart_names_add(kart_ctx *ctx, kart_names *names, const char *text, size_t length,
                    uint32_t *number, kart_error *error) {
    *number = kart_names_find(names, text, length);
    if (*number != KART_NO_NAME) return true;
    if (names->text_size > UINT32_MAX - length - 1)
        return kart_fail(error, KART_LIMIT, "names of more than 4 GB");
    uint32_t *starts = kart_array_grow(ctx, names->starts, &names->capacity, names->count + 1,
                                       sizeof *starts, error);
    if (!starts) return false;
    names->starts = starts;
    char *bytes = kart_array_grow(ctx, names->text, &names->text_capacity,
                                  names->text_size + length + 1, 1, error);
    if (!bytes) return false;
    names->text = bytes;
    if (!slots_grow(ctx, names, error)) return false;
    memcpy(bytes + names->text_size, text, length);
    bytes[names->text_size + length] = 0;
    starts[names->count] = (uint32_t)names->text_size;
    names->text_size += length + 1;
    *number = (uint32_t)names->count++;
    *slot_find(names, text, length) = *number + 1;
    return true;
}

bool kart_names_copy(kart_ctx *ctx, kart_names *to, const kart_names *from, kart_error *error) {
    *to = (kart_names){0};
    for (uint32_t i = 0, number; i < from->count; i++) {
        const char *name = kart_names_get(from, i);
        if (!kart_names_add(ctx, to, name, strlen(name), &number, error)) return false;
    }
    return true;
}

void kart_names_free(kart_ctx *ctx, kart_names *names) {
    kart_free(ctx, names->text, names->text_capacity);
    kart_free(ctx, names->starts, names->capacity * sizeof *names->starts);
    kart_free(ctx, names->slots, names->slots_count * sizeof *names->slots);
    *names = (kart_names){0};
}

size_t kart_names_memory(const kart_names *names) {
    return names->text_capacity + names->capacity * sizeof *names->starts +
           names->slots_count * sizeof *names->slots;
}
