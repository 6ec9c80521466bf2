// Lists of different names, each found by its text and by its number.
#ifndef KART_NAMES_H
#define KART_NAMES_H

#include "core/ctx.h"

#define KART_NO_NAME UINT32_MAX

// All zeros is an empty list. Names may hold any byte but 0.
typedef struct kart_names {
    char *text; // the names one behind the other, each with its terminator
    size_t text_size, text_capacity;
    uint32_t *starts; // in `text`
    size_t count, capacity;
    uint32_t *slots; // open addressing: number + 1, 0 where there is none
    size_t slots_count;
} kart_names;

// The number of a name, which is added if it is new. False with error memory or limit.
bool kart_names_add(kart_ctx *ctx, kart_names *names, const char *text, size_t length,
                    uint32_t *number, kart_error *error);

// KART_NO_NAME if there is none.
uint32_t kart_names_find(const kart_names *names, const char *text, size_t length);

const char *kart_names_get(const kart_names *names, uint32_t number);
bool kart_names_copy(kart_ctx *ctx, kart_names *to, const kart_names *from, kart_error *error);
void kart_names_free(kart_ctx *ctx, kart_names *names);
size_t kart_names_memory(const kart_names *names);

#endif
