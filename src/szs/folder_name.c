// Which names of an archive's files can be those of files on a disk.
#include "szs/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The length of a character of UTF-8 at `text`; 0 if it is none.
static size_t utf8_length(const uint8_t *text) {
    size_t length = text[0] < 0x80             ? 1
                    : (text[0] & 0xE0) == 0xC0 ? 2
                    : (text[0] & 0xF0) == 0xE0 ? 3
                    : (text[0] & 0xF8) == 0xF0 ? 4
                                               : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80) return 0; // the terminator ends it, too
    return length;
}

static bool is_utf8(const char *name) {
    for (const uint8_t *at = (const uint8_t *)name; *at;) {
        size_t length = utf8_length(at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

// The length of a character in a name that is UTF-8, or else Shift-JIS, whose second bytes can be
// letters and backslashes.
static size_t character_length(const char *at, bool utf8) {
    uint8_t first = (uint8_t)at[0], second = (uint8_t)at[1];
    if (utf8) return utf8_length((const uint8_t *)at);
    bool lead = (first >= 0x81 && first <= 0x9F) || (first >= 0xE0 && first <= 0xFC);
    // A slash or a control character is none of them, whatever stands before it.
    return lead && second >= 0x40 && second != 0x7F && second <= 0xFC ? 2 : 1;
}

// Capitals of two bytes in UTF-8, and how far their small letters are.
static const struct {
    uint16_t first, last, by;
} capitals[] = {
    {0xC0, 0xD6, 32}, {0xD8, 0xDE, 32}, {0x391, 0x3A9, 32}, {0x400, 0x40F, 80}, {0x410, 0x42F, 32}};

// Copy a character as a small letter.
static void character_fold(const char *at, size_t length, bool utf8, char *to) {
    memcpy(to, at, length);
    if (length == 1 && at[0] >= 'A' && at[0] <= 'Z') to[0] = (char)(at[0] + 32);
    if (length != 2 || !utf8) return;
    unsigned code = ((unsigned)at[0] & 0x1F) << 6 | ((unsigned)at[1] & 0x3F);
    for (size_t i = 0; i < sizeof capitals / sizeof *capitals; i++)
        if (code >= capitals[i].first && code <= capitals[i].last) {
            code += capitals[i].by;
            break;
        }
    to[0] = (char)(0xC0 | code >> 6);
    to[1] = (char)(0x80 | (code & 0x3F));
}

// What is wrong with a name as that of a file; NULL if nothing.
static const char *name_fault(const char *name) {
    bool utf8 = is_utf8(name);
    if (name[0] == 0) return "it is empty";
    // Some systems drop dots and spaces at the end: ".. " is a way up there.
    if (name[strspn(name, ". ")] == 0) return "it is a way through folders";
    if (strlen(name) > 255) return "it is longer than 255 bytes";
    for (const char *at = name; *at;) {
        size_t length = character_length(at, utf8);
        if (length == 1 && strchr("/\\", *at)) return "it holds a separator of folders";
        if (length == 1 && *at == ':') return "it holds a colon, as names of drives do";
        if (length == 1 && ((uint8_t)*at < 0x20 || *at == 0x7F))
            return "it holds control characters";
        at += length;
    }
    return NULL;
}

// A name as a disk sees it that doesn't tell capitals, and drops dots and spaces at the end.
static size_t name_fold(const char *name, char *key) {
    bool utf8 = is_utf8(name);
    size_t length = 0;
    for (const char *at = name; *at;) {
        size_t step = character_length(at, utf8);
        character_fold(at, step, utf8, key + length);
        length += step;
        at += step;
    }
    while (length > 0 && strchr(". ", key[length - 1])) length--;
    key[length] = 0;
    return length;
}

typedef struct disk_name {
    size_t parent, node;
    const char *key;
} disk_name;

static int disk_name_compare(const void *a, const void *b) {
    const disk_name *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

static bool fail_name(const u8_archive *files, size_t node, const char *why, kart_error *error) {
    char path[128];
    u8_path(files, node, path, sizeof path);
    for (char *at = path; *at; at++)
        if ((uint8_t)*at < 0x20 || *at == 0x7F) *at = '?'; // the message is for a terminal
    kart_fail(error, KART_FORMAT, "a file can't have the name \"%.60s\": %s", path, why);
    return false;
}

static bool names_differ(const u8_archive *files, disk_name *list, char *keys, kart_error *error) {
    size_t count = 0, top = u8_top(files);
    for (size_t i = 1; i < files->count; i++) {
        const u8_node *node = &files->nodes[i];
        if (i == top) continue;
        // What lies in the "." folder comes to lie beside it.
        list[count++] = (disk_name){node->parent == top ? 0 : node->parent, i, keys};
        keys += name_fold(node->name, keys) + 1;
    }
    qsort(list, count, sizeof *list, disk_name_compare);
    for (size_t i = 1; i < count; i++) {
        if (list[i].parent != list[i - 1].parent || strcmp(list[i].key, list[i - 1].key) != 0)
            continue;
        char other[128];
        snprintf(other, sizeof other, "\"%.40s\" is the same on some disks",
                 files->nodes[list[i - 1].node].name);
        return fail_name(files, list[i].node, other, error);
    }
    return true;
}

bool szs_folder_check(const szs_doc *doc, kart_error *error) {
    const u8_archive *files = doc->files;
    size_t top = u8_top(files), bytes = 1;
    for (size_t i = 1; i < files->count; i++) {
        if (i == top) continue;
        const char *fault = name_fault(files->nodes[i].name);
        if (fault) return fail_name(files, i, fault, error);
        bytes += strlen(files->nodes[i].name) + 1;
    }
    disk_name *list = kart_alloc(doc->ctx, files->count * sizeof *list, error);
    char *keys = list ? kart_alloc(doc->ctx, bytes, error) : NULL;
    bool done = keys && names_differ(files, list, keys, error);
    kart_free(doc->ctx, keys, bytes);
    kart_free(doc->ctx, list, files->count * sizeof *list);
    return done;
}
