// Octree to bytes: groups of eight words, parents before children, then the lists.
#include "kcl/build_work.h"
#include "kcl/octree.h"

#include <stdlib.h>
#include <string.h>

// --- lists ------------------------------------------------------------------------------------

static uint32_t taker(const kcl_build *b, uint32_t list) {
    while (b->lists[list].into != list) list = b->lists[list].into;
    return list;
}

static void list_write(const kcl_build *b, const build_list *list, kart_writer *writer) {
    for (size_t i = 0; i < list->count; i++)
        kart_write_u16(writer, (uint16_t)(b->solid_id[list->ids[i]] + kcl_first_id(b->format)));
    kart_write_u16(writer, (uint16_t)kcl_list_end(b->format));
}

// Write all lists; each gets the place two bytes before its first id. Gives the place of the empty
// one: the last terminator.
static size_t lists_write(kcl_build *b, kart_writer *writer) {
    size_t count = 0;
    for (uint32_t i = 0; i < b->lists_count; i++) {
        build_list *list = &b->lists[i];
        if (list->into != i || list->within != i) continue;
        list->place = writer->size - 2;
        list_write(b, list, writer);
        count++;
    }
    for (uint32_t i = 0; i < b->lists_count; i++) {
        build_list *list = &b->lists[i];
        const build_list *whole = &b->lists[list->within];
        if (list->into == i) list->place = whole->place + 2 * ((size_t)whole->count - list->count);
    }
    if (count == 0) kart_write_u16(writer, (uint16_t)kcl_list_end(b->format));
    return writer->size - 4;
}

// --- words ------------------------------------------------------------------------------------

size_t build_roots(const kcl_build *b) {
    size_t roots = 1;
    for (int i = 0; i < 3; i++) roots <<= b->bits[i] - b->shift;
    return roots;
}

static size_t groups_count(const kcl_build *b, size_t index, unsigned left) {
    const build_node *node = &b->nodes[index];
    size_t sum = node->split && left <= b->shift;
    for (size_t i = 0; node->split && i < 8; i++)
        sum += groups_count(b, node->children + i, left - 1);
    return sum;
}

size_t build_groups(const kcl_build *b) { return groups_count(b, 0, b->top); }

// A word to be filled in: of the node `node`, at `at`, in the group that starts at `group`.
typedef struct word {
    size_t node, at, group;
} word;

typedef struct words {
    word *items;
    size_t count, next, end; // `end`: of the groups so far, in bytes
} words;

// Words of the root group, found by going down to the shift of the root cells.
static void roots_add(const kcl_build *b, words *w, size_t index, unsigned left,
                      const uint64_t at[3], const kcl_octree *octree) {
    const build_node *node = &b->nodes[index];
    if (left > b->shift) {
        for (unsigned i = 0; i < 8; i++) {
            uint64_t half = (uint64_t)1 << (left - 1), child[3];
            bool inside = true;
            for (int axis = 0; axis < 3; axis++) {
                child[axis] = at[axis] + (i >> axis & 1 ? half : 0);
                inside = inside && !(child[axis] >> b->bits[axis]);
            }
            // Where no lookups come, all root words are those of one empty node.
            if (inside)
                roots_add(b, w, node->split ? node->children + i : index, left - 1, child, octree);
        }
        return;
    }
    size_t root = (size_t)(at[2] >> b->shift) << octree->xy_shift |
                  (size_t)(at[1] >> b->shift) << octree->x_shift | (size_t)(at[0] >> b->shift);
    w->items[w->count++] = (word){index, 4 * root, 0};
}

static int word_compare(const void *x, const void *y) {
    const word *a = x, *b = y;
    return (a->at > b->at) - (a->at < b->at);
}

static void word_write(kcl_build *b, words *w, const word *one, size_t empty, uint8_t *bytes) {
    const build_node *node = &b->nodes[one->node];
    if (!node->split) {
        size_t place = node->count > 0 ? b->lists[taker(b, node->shared)].place : empty;
        kart_store_u32(bytes + one->at, b->format->big, KCL_LEAF | (uint32_t)(place - one->group));
        return;
    }
    kart_store_u32(bytes + one->at, b->format->big, (uint32_t)(w->end - one->group));
    for (size_t i = 0; i < 8; i++)
        w->items[w->count++] = (word){node->children + i, w->end + 4 * i, w->end};
    w->end += 32;
}

bool build_write(kcl_build *b, kcl_octree *octree, kart_error *error) {
    size_t roots = build_roots(b), groups = build_groups(b), count = roots + 8 * groups;
    kart_writer writer = kart_writer_make(b->ctx, b->format->big);
    kart_write_zeros(&writer, 4 * count);
    words w = {.items = kart_alloc(b->ctx, count * sizeof *w.items, error), .end = 4 * roots};
    size_t empty = lists_write(b, &writer);
    bool done = w.items != NULL;
    if (done && !writer.failed) {
        const uint64_t origin[3] = {0};
        roots_add(b, &w, 0, b->top, origin, octree);
        qsort(w.items, w.count, sizeof *w.items, word_compare);
        for (; w.next < w.count; w.next++) {
            const word one = w.items[w.next];
            word_write(b, &w, &one, empty, writer.data);
        }
    }
    kart_free(b->ctx, w.items, count * sizeof *w.items);
    octree->nodes = groups;
    if (done) octree->bytes = kart_writer_take(&writer, &octree->size, error);
    kart_writer_free(&writer);
    return done && octree->bytes;
}
