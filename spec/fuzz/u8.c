// Any bytes: an error, or an archive that gives them back, can be edited, and whose result reads
// back.
#include "szs/u8.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void edit(u8_archive *archive) {
    kart_error error;
    size_t node;
    for (size_t i = 0; i < archive->count; i++)
        if (!archive->nodes[i].folder) {
            require(u8_replace(archive, i, (const uint8_t *)"0123456789", 10, NULL));
            break;
        }
    if (!u8_add(archive, "a/b/c", (const uint8_t *)"new", 3, &node, &error))
        require(error.code == KART_LIMIT);
    if (archive->count > 2) require(u8_remove(archive, archive->count / 2, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kart_ctx ctx;
    kart_error error;
    kart_ctx_init(&ctx);
    u8_archive *archive = u8_parse(&ctx, data, size, &error);
    if (!archive) {
        require(error.code == KART_FORMAT || error.code == KART_LIMIT);
        require(ctx.used == 0);
        return 0;
    }
    size_t out_size;
    uint8_t *out = u8_serialize(archive, &out_size, NULL);
    require(out && out_size == size && memcmp(out, data, size) == 0);
    kart_free(&ctx, out, out_size);
    u8_archive *copy = u8_clone(archive, NULL);
    require(copy);
    edit(copy);
    out = u8_serialize(copy, &out_size, NULL);
    require(out);
    u8_archive *again = u8_parse(&ctx, out, out_size, NULL);
    require(again && again->count == copy->count);
    kart_free(&ctx, out, out_size);
    u8_free(again);
    u8_free(copy);
    u8_free(archive);
    require(ctx.used == 0);
    return 0;
}
