// Text files line by line, and what stands in a line.
#ifndef KART_TEXT_H
#define KART_TEXT_H

#include "core/ctx.h"

// Lines end with "\n", "\r\n", "\r" or the file. A mark at the file's start that says it is UTF-8
// is left out.
typedef struct kart_lines {
    kart_ctx *ctx;
    const char *at, *end; // what is left
    bool continued;       // does "\" at the end of a line, of no comment, join the next one to it?
    size_t number;        // of the line that was given last (of several joined: the first), from 1
    size_t ended;         // lines read
    char *joined;         // where lines are joined, with a space between
    size_t joined_size, joined_capacity;
} kart_lines;

kart_lines kart_lines_make(kart_ctx *ctx, const uint8_t *data, size_t size, bool continued);

// The next line, without its end. False at the end of the file, or with error memory or limit;
// `*failed` tells which. The line is there until the next call.
typedef struct kart_line {
    const char *at, *end; // what is left of it
} kart_line;
bool kart_lines_next(kart_lines *lines, kart_line *line, bool *failed, kart_error *error);
void kart_lines_free(kart_lines *lines);

static inline bool kart_is_space(char c) { return c == ' ' || c == '\t'; }

// Skip spaces and tabs; is that the end of the line, or does a comment begin there ("#")?
bool kart_line_ends(kart_line *line);

// Without spaces and tabs at both ends.
kart_line kart_line_trimmed(kart_line line);

// The next word, up to a space or tab; empty at the end.
kart_line kart_line_word(kart_line *line);
bool kart_word_is(kart_line word, const char *text);

// A decimal number up to a space, tab or the end: sign, digits, point, exponent; finite. The double
// nearest to it. False if there is none; the line is then as it was.
bool kart_line_number(kart_line *line, double *value);

// For messages: up to 40 bytes of what is left, as arguments for "%.*s".
#define KART_LINE_SHOWN(line)                                                                      \
    (int)((line).end - (line).at < 40 ? (line).end - (line).at : 40), (line).at

#endif
