// Matches by binary search trees: the positions of the window that share a hash are the nodes of a
// tree, ordered by the bytes that follow them. A search for a new position goes down from the
// newest node, and on the way splits the tree in what is below and what is above the new one, which
// becomes the root. Older positions are always further down, so that what has left the window is
// cut off where it is met.
//
// The idea is that of the LZ77 literature (Bell and Kulp, "Longest-match string searching for
// Ziv-Lempel compression", 1993).
#include "szs/yaz0_match.h"

#include <string.h>

#define HASH_BITS 15
#define RING      (2 * YAZ0_DISTANCE_MAX) // nodes kept: a power of 2 that holds window and newcomer
#define STRIDE    ((size_t)1 << 16)       // positions between two looks at the cancel flag

// Positions count from 1 here, so that zeroed memory is empty trees.
typedef struct node {
    uint32_t below, above;
} node;

typedef struct finder {
    const uint8_t *data;
    size_t size;
    unsigned depth;
    uint32_t roots[1 << HASH_BITS];
    node nodes[RING];
} finder;

size_t yaz0_common(const uint8_t *a, const uint8_t *b, size_t same, size_t most) {
    while (most - same >= 8) {
        uint64_t x, y;
        memcpy(&x, a + same, 8);
        memcpy(&y, b + same, 8);
        if (x != y) break;
        same += 8;
    }
    while (same < most && a[same] == b[same]) same++;
    return same;
}

// Enter a position, which has at least YAZ0_LENGTH_MIN bytes, and find the longest match there.
static yaz0_match position_enter(finder *f, size_t at) {
    const uint8_t *bytes = f->data + at;
    size_t most = f->size - at < YAZ0_LENGTH_MAX ? f->size - at : YAZ0_LENGTH_MAX;
    size_t same_below = 0, same_above = 0, best = YAZ0_LENGTH_MIN - 1, distance = 0;
    uint32_t *root = &f->roots[yaz0_hash(bytes, HASH_BITS)], here = (uint32_t)at + 1, other = *root;
    node *self = &f->nodes[here % RING];
    uint32_t *below = &self->below, *above = &self->above; // where the next such node goes
    *root = here;
    for (unsigned i = 0; i < f->depth && other && here - other <= YAZ0_DISTANCE_MAX; i++) {
        const uint8_t *others = f->data + other - 1;
        node *it = &f->nodes[other % RING];
        size_t same = same_below < same_above ? same_below : same_above;
        same = yaz0_common(bytes, others, same, most);
        if (same > best) {
            best = same;
            distance = here - other;
        }
        if (same == most) { // as far as anyone will look they are one: the newer takes the place
            *below = it->below;
            *above = it->above;
            below = above = NULL;
            break;
        }
        if (others[same] < bytes[same]) {
            *below = other;
            below = &it->above;
            other = it->above;
            same_below = same;
        } else {
            *above = other;
            above = &it->below;
            other = it->below;
            same_above = same;
        }
    }
    if (below) *below = *above = 0;
    if (!distance) return (yaz0_match){.length = 1};
    return (yaz0_match){(uint16_t)best, (uint16_t)distance};
}

bool yaz0_matches_find(kart_ctx *ctx, const uint8_t *data, size_t size, unsigned depth,
                       yaz0_match *matches, kart_error *error) {
    finder *f = kart_alloc(ctx, sizeof *f, error);
    if (!f) return false;
    f->data = data;
    f->size = size;
    f->depth = depth;
    bool going = true;
    yaz0_match last = {.length = 1};
    for (size_t at = 0; at < size && going; at++) {
        if (at % STRIDE == 0)
            going = kart_ctx_step(ctx, (1 - YAZ0_PARSE_SHARE) * (double)at / (double)size, error);
        yaz0_match found = {.length = 1};
        if (size - at >= YAZ0_LENGTH_MIN) found = position_enter(f, at);
        // A search that was cut short can miss what goes on from the position before.
        if (last.length > YAZ0_LENGTH_MIN && found.length < last.length - 1)
            found = (yaz0_match){(uint16_t)(last.length - 1), last.distance};
        matches[at] = last = found;
    }
    kart_free(ctx, f, sizeof *f);
    return going;
}
