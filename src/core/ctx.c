#include "core/ctx.h"

#include <stdlib.h>
#include <string.h>

static void *heap_alloc(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void kart_ctx_init(kart_ctx *ctx) { *ctx = (kart_ctx){.alloc = heap_alloc}; }

// An empty block is one byte, so that NULL always means failure.
static size_t block_size(size_t size) { return size ? size : 1; }

void *kart_realloc(kart_ctx *ctx, void *block, size_t old_size, size_t new_size,
                   kart_error *error) {
    size_t old_bytes = block ? block_size(old_size) : 0, new_bytes = block_size(new_size);
    if (ctx->limit && new_bytes > old_bytes &&
        (ctx->used > ctx->limit || new_bytes - old_bytes > ctx->limit - ctx->used)) {
        kart_fail(error, KART_LIMIT, "memory limit of %zu bytes reached", ctx->limit);
        return NULL;
    }
    void *result = ctx->alloc(ctx->alloc_user, block, old_bytes, new_bytes);
    if (!result) {
        kart_fail(error, KART_MEMORY, "not enough memory for %zu bytes", new_size);
        return NULL;
    }
    ctx->used += new_bytes - old_bytes;
    if (ctx->used > ctx->peak) ctx->peak = ctx->used;
    return result;
}

void *kart_alloc(kart_ctx *ctx, size_t size, kart_error *error) {
    void *block = kart_realloc(ctx, NULL, 0, size, error);
    if (block) memset(block, 0, block_size(size));
    return block;
}

void kart_free(kart_ctx *ctx, void *block, size_t size) {
    if (!block) return;
    ctx->used -= block_size(size);
    ctx->alloc(ctx->alloc_user, block, block_size(size), 0);
}

void *kart_copy(kart_ctx *ctx, const void *data, size_t size, kart_error *error) {
    void *block = kart_realloc(ctx, NULL, 0, size, error);
    if (block && size) memcpy(block, data, size);
    return block;
}

bool kart_ctx_step(kart_ctx *ctx, double fraction, kart_error *error) {
    bool stop = (ctx->cancel && *ctx->cancel) ||
                (ctx->progress && !ctx->progress(ctx->progress_user, fraction));
    return stop ? kart_fail(error, KART_CANCELLED, "cancelled") : true;
}
