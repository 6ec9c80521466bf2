// Growable arrays: a pointer, a count and a capacity beside each other in their owner.
#ifndef KART_ARRAY_H
#define KART_ARRAY_H

#include "core/ctx.h"

// Make room for `need` (at least 1) items of `item_size` bytes and return the array, which may have
// moved; `*capacity` at least doubles when it grows. NULL with error memory or limit: then the
// array and its capacity are as before. `need * item_size` may not wrap.
void *kart_array_grow(kart_ctx *ctx, void *items, size_t *capacity, size_t need, size_t item_size,
                      kart_error *error);

#endif
