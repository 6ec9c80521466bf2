#include "core/array.h"

void *kart_array_grow(kart_ctx *ctx, void *items, size_t *capacity, size_t need, size_t item_size,
                      kart_error *error) {
    if (need <= *capacity) return items;
    size_t most = SIZE_MAX / item_size;
    if (need > most) {
        kart_fail(error, KART_MEMORY, "not enough memory for %zu items", need);
        return NULL;
    }
    size_t wanted = *capacity > most / 2 ? most : *capacity * 2;
    if (wanted < need) wanted = need;
    if (wanted < 8) wanted = 8;
    void *grown = kart_realloc(ctx, items, *capacity * item_size, wanted * item_size, error);
    if (grown) *capacity = wanted;
    return grown;
}
