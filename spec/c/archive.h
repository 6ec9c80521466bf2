// Small U8 archives for tests, byte by byte: also such as no program writes.
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include "core/bytes.h"

// A node as it stands in the file; names and places are worked out from the lists.
typedef struct archive_node {
    const char *name;
    int parent; // folders: of what they lie in; files: -1
    int end;    // folders
    const char *text;
} archive_node;

// The bytes of an archive, files aligned to `alignment`, `mark` in the reserved words. They are
// good until the next call.
uint8_t *archive_bytes(const archive_node *nodes, size_t count, size_t alignment, uint8_t mark,
                       size_t *size);

#endif
