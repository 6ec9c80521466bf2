// Any bytes as a stream: an error, or bytes that compress and come back. Any bytes as content: the
// same at each level. Nothing may be left allocated.
#include "szs/yaz0.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT ((size_t)1 << 16) // a stream may make 100 times its size; runs must stay short

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

// Gives the size of the stream.
static size_t encode_and_decode(const uint8_t *data, size_t size, yaz0_level level) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    yaz0_options options = {.level = level};
    size_t packed_size, out_size, trailing;
    uint8_t *packed = yaz0_encode(&ctx, data, size, &options, &packed_size, NULL);
    require(packed);
    uint8_t *out = yaz0_decode(&ctx, packed, packed_size, size, &out_size, &trailing, NULL);
    require(out && out_size == size && trailing == 0 && memcmp(out, data, size) == 0);
    kart_free(&ctx, packed, packed_size);
    kart_free(&ctx, out, out_size);
    require(ctx.used == 0);
    return packed_size;
}

// A stream of `known` bytes makes them, too: the best is no larger.
static void levels_try(const uint8_t *data, size_t size, size_t known) {
    size_t best = encode_and_decode(data, size, YAZ0_BEST);
    require(best <= known);
    require(best <= encode_and_decode(data, size, YAZ0_DEFAULT));
    require(best <= encode_and_decode(data, size, YAZ0_FAST));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kart_ctx ctx;
    kart_error error;
    kart_ctx_init(&ctx);
    size_t out_size, trailing;
    uint8_t *out = yaz0_decode(&ctx, data, size, LIMIT, &out_size, &trailing, &error);
    if (out) {
        require(trailing <= size - YAZ0_HEADER_SIZE);
        levels_try(out, out_size, size - trailing);
        kart_free(&ctx, out, out_size);
    } else {
        require(error.code == KART_FORMAT || error.code == KART_LIMIT);
    }
    require(ctx.used == 0);
    levels_try(data, size, SIZE_MAX);
    return 0;
}
