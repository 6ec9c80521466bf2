// Errors of the core: one struct, filled where the fault is found, printed where a person reads it.
//
// A function that can fail takes a `kart_error *` last, returns false or NULL, and fills it. The
// error is written once, by the innermost function; callers hand it on. NULL is allowed and means
// that the caller does not want to know why.
#ifndef KART_ERROR_H
#define KART_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum kart_code {
    KART_OK,
    KART_IO,          // the system refused: open, read, write, rename
    KART_FORMAT,      // the bytes are not what their format demands
    KART_UNSUPPORTED, // understood, but not handled
    KART_LIMIT,       // a limit of ours, of the format or of the engine is passed
    KART_MEMORY,      // an allocation failed
    KART_STALE,       // the document must be rebuilt before this is possible
    KART_CANCELLED    // the context's cancel flag was raised
} kart_code;

#define KART_NO_OFFSET SIZE_MAX

typedef struct kart_error {
    kart_code code;
    char section[16];  // section of the file ("GOBJ"), "" if it is not about one
    size_t offset;     // byte offset in the file, KART_NO_OFFSET if it is not about one
    size_t line;       // of a text file, from 1; 0 if it is not about one
    char what[240];    // what is wrong, without a full stop
    char expected[80]; // "" if there is nothing to compare
    char found[80];
} kart_error;

// The code as Lua and users see it: "io", "format", ...
const char *kart_code_name(kart_code code);

// Fill `error` (may be NULL) and return false, so that `return kart_fail(...)` reads well.
bool kart_fail(kart_error *error, kart_code code, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

// The same for a place in a file. `expected` is plain text, `found` is formatted; either may be
// NULL. Section and offset: see kart_error.
bool kart_fail_at(kart_error *error, const char *section, size_t offset, const char *what,
                  const char *expected, const char *found, ...)
    __attribute__((format(printf, 6, 7)));

// The same for a line of a text file.
bool kart_fail_line(kart_error *error, size_t line, const char *what, const char *expected,
                    const char *found, ...) __attribute__((format(printf, 5, 6)));

// One line without a newline: "GOBJ at 0x1A4: entry count: expected at most 3, found 12", or
// "line 12: f: expected at least 3 corners, found 2".
// Always terminated; returns the length that the whole text needs.
size_t kart_error_text(const kart_error *error, char *text, size_t size);

#endif
