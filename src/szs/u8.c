#include "szs/u8.h"

#include "core/array.h"

#include <stdio.h>
#include <string.h>

#define MAGIC                                                                                      \
    "U\xAA"                                                                                        \
    "8-"
#define HEADER_SIZE 0x20
#define NODE_SIZE   12

bool u8_detect(const uint8_t *data, size_t size) {
    return size >= 4 && memcmp(data, MAGIC, 4) == 0;
}

// --- life -------------------------------------------------------------------------------------

static void node_free(kart_ctx *ctx, u8_node *node) {
    if (node->name) kart_free(ctx, node->name, strlen(node->name) + 1);
    kart_free(ctx, node->own, node->size);
}

void u8_free(u8_archive *archive) {
    if (!archive) return;
    kart_ctx *ctx = archive->ctx;
    for (size_t i = 0; i < archive->count; i++) node_free(ctx, &archive->nodes[i]);
    kart_free(ctx, archive->nodes, archive->capacity * sizeof *archive->nodes);
    kart_free(ctx, archive->original, archive->original_size);
    kart_free(ctx, archive, sizeof *archive);
}

size_t u8_memory(const u8_archive *archive) {
    size_t bytes =
        sizeof *archive + archive->original_size + archive->capacity * sizeof *archive->nodes;
    for (size_t i = 0; i < archive->count; i++) {
        bytes += strlen(archive->nodes[i].name) + 1;
        if (archive->nodes[i].own) bytes += archive->nodes[i].size;
    }
    return bytes;
}

// Make room for a node at `at` and give it a name; parents and ends are the caller's business.
static u8_node *node_open(u8_archive *archive, size_t at, const char *name, kart_error *error) {
    if (archive->count >= U8_NODES_LIMIT) {
        kart_fail(error, KART_LIMIT, "more than %d files and folders", U8_NODES_LIMIT);
        return NULL;
    }
    u8_node *nodes = kart_array_grow(archive->ctx, archive->nodes, &archive->capacity,
                                     archive->count + 1, sizeof *nodes, error);
    if (!nodes) return NULL;
    archive->nodes = nodes;
    char *copy = kart_copy(archive->ctx, name, strlen(name) + 1, error);
    if (!copy) return NULL;
    memmove(nodes + at + 1, nodes + at, (archive->count - at) * sizeof *nodes);
    nodes[at] = (u8_node){.id = archive->next_id++, .name = copy, .place = SIZE_MAX};
    archive->count++;
    return &nodes[at];
}

u8_archive *u8_new(kart_ctx *ctx, bool dot, kart_error *error) {
    u8_archive *archive = kart_alloc(ctx, sizeof *archive, error);
    if (!archive) return NULL;
    archive->ctx = ctx;
    archive->rebuilt = true;
    size_t count = dot ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        u8_node *node = node_open(archive, i, i == 0 ? "" : ".", error);
        if (!node) {
            u8_free(archive);
            return NULL;
        }
        node->folder = true;
        node->end = count;
    }
    return archive;
}

u8_archive *u8_clone(const u8_archive *archive, kart_error *error) {
    kart_ctx *ctx = archive->ctx;
    u8_archive *copy = kart_alloc(ctx, sizeof *copy, error);
    if (!copy) return NULL;
    *copy = *archive;
    copy->nodes = NULL;
    copy->count = copy->capacity = 0;
    copy->original = kart_copy(ctx, archive->original, archive->original_size, error);
    bool done = copy->original != NULL;
    for (size_t i = 0; done && i < archive->count; i++) {
        const u8_node *from = &archive->nodes[i];
        u8_node *to = node_open(copy, i, from->name, error);
        done = to != NULL;
        if (!done) break;
        char *name = to->name;
        *to = *from;
        to->name = name;
        to->own = NULL;
        if (from->own) {
            to->own = kart_copy(ctx, from->own, from->size, error);
            to->data = to->own;
            done = to->own != NULL;
        } else if (from->data) {
            to->data = copy->original + (from->data - archive->original);
        }
    }
    if (done) return copy;
    u8_free(copy);
    return NULL;
}

// --- parsing ----------------------------------------------------------------------------------

static bool fail_range(kart_error *error, size_t at, const char *what, size_t low, size_t high,
                       size_t found) {
    char expected[80];
    snprintf(expected, sizeof expected, "0x%zX to 0x%zX", low, high);
    return kart_fail_at(error, "U8", at, what, expected, "0x%zX", found);
}

typedef struct table {
    const uint8_t *data;
    size_t size;
    size_t start;      // of the nodes
    size_t count;      // of them
    size_t names, end; // of the names
} table;

static bool table_find(table *t, kart_error *error) {
    if (t->size < HEADER_SIZE)
        return kart_fail_at(error, "U8", 0, "file too short", "a header of 32 bytes", "%zu",
                            t->size);
    t->start = kart_load_u32(t->data + 4, true);
    size_t length = kart_load_u32(t->data + 8, true);
    if (t->start < HEADER_SIZE || t->start > t->size - NODE_SIZE)
        return fail_range(error, 4, "offset of the nodes", HEADER_SIZE, t->size - NODE_SIZE,
                          t->start);
    if (length < NODE_SIZE || length > t->size - t->start)
        return fail_range(error, 8, "length of nodes and names", NODE_SIZE, t->size - t->start,
                          length);
    t->end = t->start + length;
    t->count = kart_load_u32(t->data + t->start + 8, true);
    if (t->data[t->start] != 1)
        return kart_fail_at(error, "U8", t->start, "first node", "a folder", "type %u",
                            t->data[t->start]);
    if (t->count == 0 || t->count > length / NODE_SIZE)
        return fail_range(error, t->start + 8, "number of nodes", 1, length / NODE_SIZE, t->count);
    if (t->count > U8_NODES_LIMIT)
        return kart_fail(error, KART_LIMIT, "%zu files and folders, the limit is %d", t->count,
                         U8_NODES_LIMIT);
    t->names = t->start + NODE_SIZE * t->count;
    return true;
}

static const char *name_find(const table *t, size_t at, kart_error *error) {
    size_t offset = kart_load_u32(t->data + at, true) & 0xFFFFFF;
    if (offset >= t->end - t->names) {
        if (t->end == t->names && offset == 0) return ""; // a root alone may have no names at all
        fail_range(error, at + 1, "offset of the name", 0, t->end - t->names - 1, offset);
        return NULL;
    }
    const char *name = (const char *)t->data + t->names + offset;
    size_t left = t->end - t->names - offset;
    // Many nodes may share a long name, and each gets a copy.
    if (memchr(name, 0, left <= U8_NAME_LIMIT ? left : U8_NAME_LIMIT + 1)) return name;
    if (left > U8_NAME_LIMIT) {
        kart_fail(error, KART_LIMIT, "a name of more than %d bytes", U8_NAME_LIMIT);
        return NULL;
    }
    kart_fail_at(error, "U8", t->names + offset, "name", "a zero behind it", "none to 0x%zX",
                 t->end);
    return NULL;
}

static bool node_parse(u8_archive *archive, const table *t, size_t i, size_t depth, size_t *folders,
                       kart_error *error) {
    size_t at = t->start + NODE_SIZE * i, second = kart_load_u32(t->data + at + 4, true);
    size_t third = kart_load_u32(t->data + at + 8, true), parent = folders[depth];
    const char *name = name_find(t, at, error);
    if (!name) return false;
    if (t->data[at] > 1)
        return kart_fail_at(error, "U8", at, "node type", "0 or 1", "%u", t->data[at]);
    u8_node *node = node_open(archive, i, name, error);
    if (!node) return false;
    node->folder = t->data[at] == 1;
    node->parent = parent;
    if (node->folder) {
        size_t end = i == 0 ? t->count : archive->nodes[parent].end;
        if (i > 0 && second != parent)
            return kart_fail_at(error, "U8", at + 4, "parent of the folder", "the one it lies in",
                                "node %zu", second);
        if (third <= i || third > end)
            return fail_range(error, at + 8, "end of the folder", i + 1, end, third);
        node->end = third;
        return true;
    }
    if (third > 0 && (second > t->size || third > t->size - second))
        return fail_range(error, at + 4, "place of the file", 0,
                          t->size - (third <= t->size ? third : t->size), second);
    node->place = second;
    node->size = node->was = third;
    node->data = t->data + (second <= t->size ? second : 0);
    return true;
}

static bool nodes_parse(u8_archive *archive, const table *t, kart_error *error) {
    size_t folders[U8_DEPTH_LIMIT] = {0}, depth = 0;
    for (size_t i = 0; i < t->count; i++) {
        while (depth > 0 && i >= archive->nodes[folders[depth]].end) depth--;
        if (!node_parse(archive, t, i, depth, folders, error)) return false;
        if (i > 0 && archive->nodes[i].folder) {
            if (depth + 1 == U8_DEPTH_LIMIT)
                return kart_fail(error, KART_LIMIT, "folders more than %d deep", U8_DEPTH_LIMIT);
            folders[++depth] = i;
        }
    }
    return true;
}

u8_archive *u8_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error) {
    if (size > U8_FILE_LIMIT) {
        kart_fail(error, KART_LIMIT, "archive of %zu bytes, the limit is %zu", size, U8_FILE_LIMIT);
        return NULL;
    }
    if (!u8_detect(data, size)) {
        kart_fail_at(error, "U8", 0, "not a U8 archive", "magic 55 AA 38 2D", "something else");
        return NULL;
    }
    u8_archive *archive = kart_alloc(ctx, sizeof *archive, error);
    if (!archive) return NULL;
    archive->ctx = ctx;
    archive->original = kart_copy(ctx, data, size, error);
    if (archive->original) {
        archive->original_size = size;
        table t = {.data = archive->original, .size = size};
        if (table_find(&t, error) && nodes_parse(archive, &t, error)) return archive;
    }
    u8_free(archive);
    return NULL;
}

bool u8_changed(const u8_archive *archive, size_t at) {
    const u8_node *node = &archive->nodes[at];
    return !node->folder && (node->own || node->place == SIZE_MAX);
}

// --- paths ------------------------------------------------------------------------------------

size_t u8_path(const u8_archive *archive, size_t node, char *path, size_t size) {
    size_t chain[U8_DEPTH_LIMIT + 1], depth = 0, length = 0;
    for (; node != 0 && depth <= U8_DEPTH_LIMIT; node = archive->nodes[node].parent)
        chain[depth++] = node;
    if (size > 0) path[0] = 0;
    while (depth-- > 0) {
        const char *name = archive->nodes[chain[depth]].name;
        size_t part = strlen(name);
        if (length + part < size) memcpy(path + length, name, part + 1);
        length += part;
        if (depth > 0) {
            if (length + 1 < size) memcpy(path + length, "/", 2);
            length++;
        }
    }
    return length;
}

// The child of a folder with the name of `length` bytes at `name`.
static size_t child_find(const u8_archive *archive, size_t folder, const char *name,
                         size_t length) {
    size_t i = folder + 1;
    while (i < archive->nodes[folder].end) {
        const u8_node *node = &archive->nodes[i];
        if (strlen(node->name) == length && memcmp(node->name, name, length) == 0) return i;
        i = node->folder ? node->end : i + 1;
    }
    return SIZE_MAX;
}

size_t u8_top(const u8_archive *archive) {
    size_t dot = child_find(archive, 0, ".", 1);
    return dot != SIZE_MAX && archive->nodes[dot].folder ? dot : 0;
}

static size_t find_below(const u8_archive *archive, size_t node, const char *path) {
    while (node != SIZE_MAX && *path) {
        size_t length = strcspn(path, "/");
        if (length > 0)
            node = archive->nodes[node].folder ? child_find(archive, node, path, length) : SIZE_MAX;
        path += length;
        path += *path == '/';
    }
    return node;
}

size_t u8_find(const u8_archive *archive, const char *path) {
    if (path[0] == '.' && (path[1] == '/' || path[1] == 0)) path++;
    size_t top = u8_top(archive), node = find_below(archive, top, path);
    // Beside the "." folder something may lie in the root itself.
    return node == SIZE_MAX && top != 0 ? find_below(archive, 0, path) : node;
}

// --- editing ----------------------------------------------------------------------------------

bool u8_replace(u8_archive *archive, size_t at, const uint8_t *data, size_t size,
                kart_error *error) {
    u8_node *node = &archive->nodes[at];
    if (node->folder) return kart_fail(error, KART_LIMIT, "%s is a folder", node->name);
    if (node->size == size && (size == 0 || memcmp(node->data, data, size) == 0)) return true;
    // Back to what it was: no change any more.
    bool is_old = node->place != SIZE_MAX && size == node->was &&
                  (size == 0 || memcmp(archive->original + node->place, data, size) == 0);
    uint8_t *own = is_old ? NULL : kart_copy(archive->ctx, data, size, error);
    if (!own && !is_old) return false;
    kart_free(archive->ctx, node->own, node->size);
    node->own = own;
    node->data = own ? own : archive->original + (size > 0 ? node->place : 0);
    node->size = size;
    archive->replaced = true;
    return true;
}

// Node indices at or behind `at` move by `by`: for parents and ends.
static void indices_shift(u8_archive *archive, size_t at, ptrdiff_t by) {
    for (size_t i = 0; i < archive->count; i++) {
        u8_node *node = &archive->nodes[i];
        if (node->parent >= at && node->parent != 0) node->parent += (size_t)by;
        if (node->folder && node->end > at) node->end += (size_t)by;
    }
}

// A new node at the end of `folder`.
static size_t child_add(u8_archive *archive, size_t folder, const char *name, bool is_folder,
                        kart_error *error) {
    size_t at = archive->nodes[folder].end;
    if (!node_open(archive, at, name, error)) return SIZE_MAX;
    // All folders that end here and hold `folder` grow with it.
    for (size_t i = 0; i < archive->count; i++) {
        u8_node *node = &archive->nodes[i];
        if (i == at) continue;
        if (node->parent >= at && node->parent != 0) node->parent++;
        if (node->folder && node->end > at) node->end++;
    }
    for (size_t i = folder;; i = archive->nodes[i].parent) {
        if (archive->nodes[i].end == at) archive->nodes[i].end++;
        if (i == 0) break;
    }
    u8_node *node = &archive->nodes[at];
    node->folder = is_folder;
    node->parent = folder;
    node->end = at + 1;
    archive->rebuilt = true;
    return at;
}

static bool part_good(const char *part, size_t length) {
    return length > 0 && length < 256 && !(length == 1 && part[0] == '.') &&
           !(length == 2 && part[0] == '.' && part[1] == '.');
}

// Are all parts of a path names, and not too many of them?
static bool path_check(const char *path, kart_error *error) {
    size_t depth = 1;
    for (const char *part = path;; depth++) {
        size_t length = strcspn(part, "/");
        if (!part_good(part, length) || depth >= U8_DEPTH_LIMIT - 1)
            return kart_fail(error, KART_LIMIT, "\"%.60s\" is no path for a file in an archive",
                             path);
        if (part[length] == 0) return true;
        part += length + 1;
    }
}

// A node for the last part of a path, and folders for the ones before it; `*first` is the first of
// them that wasn't there.
static bool path_add(u8_archive *archive, const char *path, bool is_folder, size_t *node,
                     size_t *first, kart_error *error) {
    *first = SIZE_MAX;
    if (path[0] == '.' && path[1] == '/') path += 2;
    if (!path_check(path, error)) return false;
    size_t folder = u8_top(archive);
    for (const char *part = path;;) {
        size_t length = strcspn(part, "/");
        bool last = part[length] == 0;
        char name[256];
        memcpy(name, part, length);
        name[length] = 0;
        size_t child = child_find(archive, folder, name, length);
        if (child != SIZE_MAX && (last || !archive->nodes[child].folder))
            return kart_fail(error, KART_LIMIT, "%.60s exists", path);
        if (child == SIZE_MAX) {
            child = child_add(archive, folder, name, is_folder || !last, error);
            if (child == SIZE_MAX) return false;
            if (*first == SIZE_MAX) *first = child;
        }
        *node = child;
        if (last) return true;
        folder = child;
        part += length + 1;
    }
}

// All of it or nothing.
static bool node_add(u8_archive *archive, const char *path, bool is_folder, const uint8_t *data,
                     size_t size, size_t *node, kart_error *error) {
    size_t first;
    bool rebuilt = archive->rebuilt;
    if (path_add(archive, path, is_folder, node, &first, error) &&
        (is_folder || u8_replace(archive, *node, data, size, error)))
        return true;
    if (first != SIZE_MAX) u8_remove(archive, first, NULL);
    archive->rebuilt = rebuilt;
    return false;
}

bool u8_add(u8_archive *archive, const char *path, const uint8_t *data, size_t size, size_t *node,
            kart_error *error) {
    return node_add(archive, path, false, data, size, node, error);
}

bool u8_add_folder(u8_archive *archive, const char *path, size_t *node, kart_error *error) {
    return node_add(archive, path, true, NULL, 0, node, error);
}

bool u8_remove(u8_archive *archive, size_t at, kart_error *error) {
    if (at == 0) return kart_fail(error, KART_LIMIT, "the archive's root can't be removed");
    size_t end = archive->nodes[at].folder ? archive->nodes[at].end : at + 1, gone = end - at;
    for (size_t i = at; i < end; i++) node_free(archive->ctx, &archive->nodes[i]);
    memmove(archive->nodes + at, archive->nodes + end,
            (archive->count - end) * sizeof *archive->nodes);
    archive->count -= gone;
    indices_shift(archive, at, -(ptrdiff_t)gone);
    archive->rebuilt = true;
    return true;
}

bool u8_rename(u8_archive *archive, size_t at, const char *name, kart_error *error) {
    size_t length = strlen(name);
    if (at == 0 || !part_good(name, length) || strchr(name, '/'))
        return kart_fail(error, KART_LIMIT, "\"%.60s\" is no name for a file in an archive", name);
    size_t taken = child_find(archive, archive->nodes[at].parent, name, length);
    if (taken == at) return true;
    if (taken != SIZE_MAX) return kart_fail(error, KART_LIMIT, "%.60s exists", name);
    char *copy = kart_copy(archive->ctx, name, length + 1, error);
    if (!copy) return false;
    kart_free(archive->ctx, archive->nodes[at].name, strlen(archive->nodes[at].name) + 1);
    archive->nodes[at].name = copy;
    archive->rebuilt = true;
    return true;
}
