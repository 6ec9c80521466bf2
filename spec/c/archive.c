#include "archive.h"

#include <string.h>

uint8_t *archive_bytes(const archive_node *nodes, size_t count, size_t alignment, uint8_t mark,
                       size_t *size) {
    static uint8_t out[4096];
    size_t names = 0, at = 0x20 + 12 * count;
    memset(out, 0, sizeof out);
    memcpy(out, "\x55\xAA\x38\x2D", 4);
    kart_store_u32(out + 4, true, 0x20);
    memset(out + 16, mark, 16);
    for (size_t i = 0; i < count; i++) {
        kart_store_u32(out + 0x20 + 12 * i, true,
                       (uint32_t)names | (nodes[i].text ? 0 : 0x01000000));
        memcpy(out + at + names, nodes[i].name, strlen(nodes[i].name) + 1);
        names += strlen(nodes[i].name) + 1;
    }
    kart_store_u32(out + 8, true, (uint32_t)(12 * count + names));
    at = (at + names + alignment - 1) / alignment * alignment;
    kart_store_u32(out + 12, true, (uint32_t)at);
    for (size_t i = 0; i < count; i++) {
        uint8_t *node = out + 0x20 + 12 * i;
        if (nodes[i].text) {
            size_t length = strlen(nodes[i].text);
            kart_store_u32(node + 4, true, (uint32_t)at);
            kart_store_u32(node + 8, true, (uint32_t)length);
            memcpy(out + at, nodes[i].text, length);
            at = (at + length + alignment - 1) / alignment * alignment;
        } else {
            kart_store_u32(node + 4, true, (uint32_t)nodes[i].parent);
            kart_store_u32(node + 8, true, (uint32_t)nodes[i].end);
        }
    }
    *size = at;
    return out;
}
