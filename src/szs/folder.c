#include "szs/folder.h"

#include "core/array.h"
#include "core/file.h"
#include "core/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- reading ----------------------------------------------------------------------------------

// What is in a folder.
typedef struct names {
    kart_ctx *ctx;
    char **items; // each owned
    size_t count, capacity;
} names;

static void names_free(names *list) {
    for (size_t i = 0; i < list->count; i++)
        kart_free(list->ctx, list->items[i], strlen(list->items[i]) + 1);
    kart_free(list->ctx, list->items, list->capacity * sizeof *list->items);
}

static bool names_add(void *user, const char *name, kart_error *error) {
    names *list = user;
    if (list->count >= U8_NODES_LIMIT)
        return kart_fail(error, KART_LIMIT, "more than %d files and folders", U8_NODES_LIMIT);
    char **items = kart_array_grow(list->ctx, list->items, &list->capacity, list->count + 1,
                                   sizeof *items, error);
    if (!items) return false;
    list->items = items;
    items[list->count] = kart_copy(list->ctx, name, strlen(name) + 1, error);
    if (!items[list->count]) return false;
    list->count++;
    return true;
}

static int name_compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Files that belong to the disk or to its programs, not to the course.
static bool is_litter(const char *name) {
    static const char *const litter[] = {".DS_Store", "Thumbs.db", "desktop.ini"};
    for (size_t i = 0; i < sizeof litter / sizeof *litter; i++)
        if (strcmp(name, litter[i]) == 0) return true;
    const char *bak = strrchr(name, '.');
    return bak && bak != name && strncmp(bak, ".bak", 4) == 0 &&
           strspn(bak + 4, "0123456789") == strlen(bak + 4);
}

typedef struct reading {
    szs_doc *doc;
    char path[OS_PATH_MAX]; // of the file or folder at hand
    size_t root;            // length of the path of the whole folder, with its slash
    size_t left;            // bytes that may still come
} reading;

static bool leave_out(reading *r, kart_error *error) {
    kart_finding finding = {.rule = "file-left-out",
                            .severity = KART_HINT,
                            .section = "",
                            .index = KART_NO_INDEX,
                            .point = KART_NO_INDEX,
                            .field = ""};
    return kart_findings_add(r->doc->ctx, &r->doc->warnings, finding, error,
                             "%.120s is no part of the course", r->path + r->root);
}

// An error of a file or folder in it names that: the whole folder is what was asked for.
static bool file_failed(const reading *r, kart_error *error) {
    if (!error || error->code != KART_IO) return false;
    const kart_error why = *error; // the new one is written over it
    return kart_fail(error, KART_IO, "%.120s: %.100s", r->path + r->root, why.what);
}

static bool file_read(reading *r, kart_error *error) {
    size_t size, node;
    kart_error why;
    kart_ctx *ctx = r->doc->ctx;
    uint8_t *data = kart_file_read(ctx, r->path, r->left, &size, &why);
    if (!data) {
        if (error) *error = why;
        return file_failed(r, error);
    }
    r->left -= size;
    bool done = u8_add(r->doc->files, r->path + r->root, data, size, &node, error);
    kart_free(ctx, data, size);
    return done;
}

static bool folder_read(reading *r, unsigned depth, kart_error *error);

// `length` is that of the folder's path, with its slash.
static bool name_read(reading *r, size_t length, const char *name, unsigned depth,
                      kart_error *error) {
    size_t node;
    if (length + strlen(name) + 2 > sizeof r->path)
        return kart_fail(error, KART_LIMIT, "a path of more than %d bytes", OS_PATH_MAX);
    memcpy(r->path + length, name, strlen(name) + 1);
    os_kind kind = os_path_kind(r->path);
    bool is_link = kind == OS_FOLDER && os_path_kind_here(r->path) == OS_OTHER;
    if (kind == OS_FILE && !is_litter(name)) return file_read(r, error);
    if (kind != OS_FOLDER || is_link) return leave_out(r, error);
    return u8_add_folder(r->doc->files, r->path + r->root, &node, error) &&
           folder_read(r, depth + 1, error);
}

static bool folder_read(reading *r, unsigned depth, kart_error *error) {
    size_t length = strlen(r->path);
    names list = {.ctx = r->doc->ctx};
    bool done = depth < U8_DEPTH_LIMIT ||
                kart_fail(error, KART_LIMIT, "folders more than %d deep", U8_DEPTH_LIMIT);
    done = done && kart_ctx_step(r->doc->ctx, 0, error) &&
           (os_folder_list(r->path, names_add, &list, error) ||
            (r->root > 0 && file_failed(r, error)));
    if (done && list.count > 0) {
        qsort(list.items, list.count, sizeof *list.items, name_compare);
        if (r->path[length - 1] != '/') memcpy(r->path + length++, "/", 2);
        if (r->root == 0) r->root = length;
    }
    for (size_t i = 0; done && i < list.count; i++)
        done = name_read(r, length, list.items[i], depth, error);
    names_free(&list);
    return done;
}

szs_doc *szs_folder_read(kart_ctx *ctx, const char *path, kart_error *error) {
    if (strlen(path) == 0 || strlen(path) >= OS_PATH_MAX) {
        kart_fail(error, KART_IO, "not the path of a folder");
        return NULL;
    }
    szs_doc *doc = szs_new(ctx, true, error);
    if (!doc) return NULL;
    doc->origin = SZS_FOLDER;
    reading r = {.doc = doc, .left = U8_FILE_LIMIT};
    memcpy(r.path, path, strlen(path) + 1);
    if (folder_read(&r, 0, error) && szs_settle(doc, error)) return doc;
    szs_free(doc);
    return NULL;
}

// --- writing ----------------------------------------------------------------------------------

// The path of a node below `folder`. False where it is too long for the system.
static bool disk_path(const u8_archive *files, const char *folder, size_t node,
                      char path[OS_PATH_MAX], kart_error *error) {
    size_t length = (size_t)snprintf(path, OS_PATH_MAX, "%s/", folder);
    if (length < OS_PATH_MAX) length += u8_path(files, node, path + length, OS_PATH_MAX - length);
    return length < OS_PATH_MAX ||
           kart_fail(error, KART_LIMIT, "a path of more than %d bytes", OS_PATH_MAX);
}

static bool node_write(const szs_doc *doc, const char *folder, size_t i, kart_error *error) {
    char path[OS_PATH_MAX];
    const u8_node *node = &doc->files->nodes[i];
    if (!disk_path(doc->files, folder, i, path, error)) return false;
    return node->folder ? os_folder_make(path, error)
                        : kart_file_create(path, node->data, node->size, error);
}

static void nodes_remove(const szs_doc *doc, const char *folder, size_t end) {
    char path[OS_PATH_MAX];
    for (size_t i = end; i-- > 1;) {
        if (i == u8_top(doc->files) || !disk_path(doc->files, folder, i, path, NULL)) continue;
        if (doc->files->nodes[i].folder)
            os_folder_remove(path);
        else
            os_remove(path);
    }
    os_folder_remove(folder);
}

bool szs_folder_write(const szs_doc *doc, const char *path, kart_error *error) {
    char target[OS_PATH_MAX], temporary[OS_PATH_MAX];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    if (length == 0 || length >= OS_PATH_MAX)
        return kart_fail(error, KART_IO, "not the path of a folder");
    memcpy(target, path, length);
    target[length] = 0;
    if (!szs_folder_check(doc, error)) return false;
    os_kind kind = os_path_kind_here(target);
    if (kind != OS_NONE && kind != OS_FOLDER)
        return kart_fail(error, KART_IO, "cannot make the folder: the name is taken");
    if (!os_folder_make_beside(target, temporary, error)) return false;
    size_t i = 1;
    bool done = true;
    for (; done && i < doc->files->count; i++) {
        if (i == u8_top(doc->files)) continue;
        done = kart_ctx_step(doc->ctx, (double)i / (double)doc->files->count, error) &&
               node_write(doc, temporary, i, error);
    }
    done = done && os_folder_replace(temporary, target, error);
    if (!done) nodes_remove(doc, temporary, i);
    return done;
}
