// Archive to bytes. Files keep their order, and their alignment as far as the original had one.
#include "szs/u8.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_SIZE 0x20
#define NODE_SIZE   12
#define ALIGNMENT   0x20 // of files in archives of the game [F]

// The largest power of two up to ALIGNMENT at which all files stood.
static size_t alignment_of(const u8_archive *archive) {
    size_t bits = ALIGNMENT;
    for (size_t i = 0; i < archive->count; i++) {
        const u8_node *node = &archive->nodes[i];
        // Files that were empty stood anywhere.
        if (!node->folder && node->place != SIZE_MAX && node->was > 0) bits |= node->place;
    }
    return bits & (~bits + 1);
}

// Files in the order in which their bytes stand: the old ones by place, then the new ones.
typedef struct file_order {
    size_t place, node;
} file_order;

static int order_compare(const void *a, const void *b) {
    const file_order *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

// Where the nodes begin, and where nodes and names end.
typedef struct table_range {
    size_t start, end;
} table_range;

// Header, nodes and names as they were: places and sizes of files are filled in later.
static table_range table_keep(const u8_archive *archive, kart_writer *writer) {
    size_t start = kart_load_u32(archive->original + 4, true);
    size_t end = start + kart_load_u32(archive->original + 8, true);
    kart_write_bytes(writer, archive->original, end);
    return (table_range){start, end};
}

static table_range table_write(const u8_archive *archive, size_t names, kart_writer *writer) {
    static const uint8_t magic[4] = {0x55, 0xAA, 0x38, 0x2D};
    table_range table = {HEADER_SIZE, HEADER_SIZE + NODE_SIZE * archive->count + names};
    kart_write_bytes(writer, magic, 4);
    kart_write_u32(writer, HEADER_SIZE);
    kart_write_u32(writer, (uint32_t)(table.end - table.start));
    kart_write_u32(writer, 0); // filled in later
    // The rest of the header is kept: some tools leave a mark there.
    if (archive->original_size >= HEADER_SIZE)
        kart_write_bytes(writer, archive->original + 16, HEADER_SIZE - 16);
    else
        kart_write_zeros(writer, HEADER_SIZE - 16);
    kart_write_zeros(writer, NODE_SIZE * archive->count);
    for (size_t i = 0; i < archive->count; i++)
        kart_write_bytes(writer, archive->nodes[i].name, strlen(archive->nodes[i].name) + 1);
    return table;
}

static void align(kart_writer *writer, size_t alignment) {
    kart_write_zeros(writer, (alignment - writer->size % alignment) % alignment);
}

// Files whose bytes are the same stretch of the original share it again.
static bool shares(const u8_node *a, const u8_node *b) {
    return !a->own && !b->own && a->place != SIZE_MAX && a->place == b->place && a->size == b->size;
}

// The limit is looked at before each file: a small archive may show the same stretch of bytes in
// thousands of files.
static bool files_write(const u8_archive *archive, const file_order *order, size_t count,
                        size_t alignment, uint32_t *places, kart_writer *writer,
                        kart_error *error) {
    const u8_node *before = NULL;
    for (size_t i = 0; i < count; i++) {
        const u8_node *node = &archive->nodes[order[i].node];
        if (before && shares(before, node)) {
            places[order[i].node] = places[order[i - 1].node];
        } else {
            align(writer, alignment);
            if (writer->size > U8_FILE_LIMIT || node->size > U8_FILE_LIMIT - writer->size)
                return kart_fail(error, KART_LIMIT, "an archive of more than %zu bytes",
                                 U8_FILE_LIMIT);
            places[order[i].node] = (uint32_t)writer->size;
            kart_write_bytes(writer, node->data, node->size);
        }
        before = node;
    }
    return true;
}

// A table that was kept needs the places and sizes of its files, no more.
static void nodes_fill(const u8_archive *archive, const uint32_t *places, uint8_t *table) {
    size_t name = 0;
    for (size_t i = 0; i < archive->count; i++) {
        const u8_node *node = &archive->nodes[i];
        uint8_t *at = table + NODE_SIZE * i;
        if (archive->rebuilt)
            kart_store_u32(at, true, (uint32_t)node->folder << 24 | (uint32_t)name);
        if (archive->rebuilt || !node->folder) {
            kart_store_u32(at + 4, true, node->folder ? (uint32_t)node->parent : places[i]);
            kart_store_u32(at + 8, true, (uint32_t)(node->folder ? node->end : node->size));
        }
        name += strlen(node->name) + 1;
    }
}

static bool archive_write(const u8_archive *archive, file_order *order, uint32_t *places,
                          kart_writer *writer, kart_error *error) {
    size_t names = 0, files = 0, alignment = alignment_of(archive);
    for (size_t i = 0; i < archive->count; i++) {
        const u8_node *node = &archive->nodes[i];
        names += strlen(node->name) + 1;
        if (!node->folder) order[files++] = (file_order){node->place, i};
    }
    if (names > 0xFFFFFF)
        return kart_fail(error, KART_LIMIT, "the names take %zu bytes, 16777215 is the most",
                         names);
    qsort(order, files, sizeof *order, order_compare);
    table_range table =
        archive->rebuilt ? table_write(archive, names, writer) : table_keep(archive, writer);
    size_t data_start = (table.end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    align(writer, ALIGNMENT);
    if (!files_write(archive, order, files, alignment, places, writer, error)) return false;
    // The game's own archives end aligned, others with their last file.
    if (archive->original_size % alignment == 0) align(writer, alignment);
    if (writer->failed) return true; // taking the bytes tells why
    nodes_fill(archive, places, writer->data + table.start);
    kart_store_u32(writer->data + 12, true, (uint32_t)data_start);
    return true;
}

// New bytes of the same size go where the old ones were; nothing else moves.
static bool patch_in_place(const u8_archive *archive, uint8_t *bytes) {
    size_t end = kart_load_u32(bytes + 4, true) + (size_t)kart_load_u32(bytes + 8, true);
    for (size_t i = 0; i < archive->count; i++) {
        const u8_node *node = &archive->nodes[i];
        if (!node->own) continue;
        if (node->size != node->was) return false;
        if (node->size > 0 && node->place < end) return false; // among nodes or names
        // Nobody else may look at the same stretch.
        for (size_t j = 0; j < archive->count; j++)
            if (j != i && !archive->nodes[j].folder && archive->nodes[j].size > 0 &&
                archive->nodes[j].place < node->place + node->size &&
                node->place < archive->nodes[j].place + archive->nodes[j].size)
                return false;
        if (node->size > 0) memcpy(bytes + node->place, node->data, node->size);
    }
    return true;
}

uint8_t *u8_serialize(const u8_archive *archive, size_t *size, kart_error *error) {
    kart_ctx *ctx = archive->ctx;
    *size = 0;
    if (!archive->rebuilt) {
        uint8_t *bytes = kart_copy(ctx, archive->original, archive->original_size, error);
        if (!bytes) return NULL;
        if (!archive->replaced || patch_in_place(archive, bytes)) {
            *size = archive->original_size;
            return bytes;
        }
        kart_free(ctx, bytes, archive->original_size);
    }
    size_t count = archive->count;
    kart_writer writer = kart_writer_make(ctx, true);
    file_order *order = kart_alloc(ctx, count * sizeof *order, error);
    uint32_t *places = order ? kart_alloc(ctx, count * sizeof *places, error) : NULL;
    bool done = places && archive_write(archive, order, places, &writer, error);
    kart_free(ctx, order, count * sizeof *order);
    kart_free(ctx, places, count * sizeof *places);
    if (done) return kart_writer_take(&writer, size, error);
    kart_writer_free(&writer);
    return NULL;
}
