// The context that every core entry gets which allocates or takes long.
//
// One mechanism serves failing-allocation tests, sandbox limits, Ctrl-C and progress bars. There
// are no globals: a document keeps the pointer to its context, which must outlive it. A context and
// its documents belong to one thread; only the cancel flag may be raised from elsewhere.
#ifndef KART_CTX_H
#define KART_CTX_H

#include "core/error.h"

#include <signal.h>

// As realloc with sizes: `new_size` 0 frees and returns NULL; a NULL `block` allocates.
typedef void *(*kart_alloc_fn)(void *user, void *block, size_t old_size, size_t new_size);

// `fraction` runs from 0 to 1; returning false cancels.
typedef bool (*kart_progress_fn)(void *user, double fraction);

typedef struct kart_ctx {
    kart_alloc_fn alloc;
    void *alloc_user;
    size_t limit;                        // most bytes allocated at once, 0 for no limit
    size_t used;                         // bytes allocated now
    size_t peak;                         // the most that `used` ever was
    const volatile sig_atomic_t *cancel; // raised (non-zero) from a signal handler; may be NULL
    kart_progress_fn progress;           // may be NULL
    void *progress_user;
} kart_ctx;

// A context on malloc, without limit, cancel flag or progress.
void kart_ctx_init(kart_ctx *ctx);

// Zeroed memory of `size` bytes; a size of 0 gives a valid block. NULL with error memory or limit.
void *kart_alloc(kart_ctx *ctx, size_t size, kart_error *error);

// Resize; new bytes are not zeroed. On failure NULL, and the old block stays as it was.
void *kart_realloc(kart_ctx *ctx, void *block, size_t old_size, size_t new_size, kart_error *error);

// `size` must be the size asked for. NULL is ignored.
void kart_free(kart_ctx *ctx, void *block, size_t size);

// A copy of `size` bytes at `data`; NULL with error on failure.
void *kart_copy(kart_ctx *ctx, const void *data, size_t size, kart_error *error);

// To be called now and then from long work: false with error cancelled when it should end.
bool kart_ctx_step(kart_ctx *ctx, double fraction, kart_error *error);

// The same from a loop over `count` short steps, of which `i` comes next: looks every 65536th time.
static inline bool kart_ctx_step_at(kart_ctx *ctx, size_t i, size_t count, kart_error *error) {
    return i % 65536 != 0 || kart_ctx_step(ctx, (double)i / (double)count, error);
}

#endif
