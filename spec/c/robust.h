// Hostile input, for any format: every truncation, every byte changed, every allocation failing.
// Each case gives an error or a document that gives its bytes back; nothing leaks. The counts are
// printed: changes in floats and padding must be accepted, so refusing everything doesn't pass.
#ifndef ROBUST_H
#define ROBUST_H

#include "core/ctx.h"

typedef struct robust_format {
    // NULL with an error.
    void *(*parse)(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error);
    uint8_t *(*serialize)(const void *doc, size_t *size, kart_error *error);
    void (*free)(void *doc);
    // What may be done with any document that was accepted; called for some of them.
    void (*use)(void *doc);
    // Of formats whose text can be written in many ways, NULL for the others, which must give back
    // the bytes they were read from: are both documents the same? The second was read from what the
    // first one serialized to, and must serialize to the same bytes.
    bool (*same)(const void *doc, const void *again);
    // From bytes to the end of a document. False only when memory ran out.
    bool (*live)(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error);
} robust_format;

// Test all files that the pattern matches; gives how many there were.
size_t robust_files(const robust_format *format, const char *pattern);

// The same for real files: the pattern starts in the folder of the corpus. Says so where it is
// missing.
void robust_corpus(const robust_format *format, const char *pattern);

#endif
