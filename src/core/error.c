#include "core/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

const char *kart_code_name(kart_code code) {
    static const char *const names[] = {
        [KART_OK] = "ok",         [KART_IO] = "io",
        [KART_FORMAT] = "format", [KART_UNSUPPORTED] = "unsupported",
        [KART_LIMIT] = "limit",   [KART_MEMORY] = "memory",
        [KART_STALE] = "stale",   [KART_CANCELLED] = "cancelled",
    };
    return names[code];
}

bool kart_fail(kart_error *error, kart_code code, const char *what, ...) {
    if (!error) return false;
    *error = (kart_error){.code = code, .offset = KART_NO_OFFSET};
    va_list args;
    va_start(args, what);
    vsnprintf(error->what, sizeof error->what, what, args);
    va_end(args);
    return false;
}

__attribute__((format(printf, 4, 0))) static void fill_format(kart_error *error, const char *what,
                                                              const char *expected,
                                                              const char *found, va_list args) {
    *error = (kart_error){.code = KART_FORMAT, .offset = KART_NO_OFFSET};
    snprintf(error->what, sizeof error->what, "%s", what);
    snprintf(error->expected, sizeof error->expected, "%s", expected ? expected : "");
    if (found) vsnprintf(error->found, sizeof error->found, found, args);
    // What stands in a file may be anything, and is shown on a terminal.
    for (char *c = error->found; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = '?';
}

bool kart_fail_at(kart_error *error, const char *section, size_t offset, const char *what,
                  const char *expected, const char *found, ...) {
    if (!error) return false;
    va_list args;
    va_start(args, found);
    fill_format(error, what, expected, found, args);
    va_end(args);
    snprintf(error->section, sizeof error->section, "%s", section ? section : "");
    error->offset = offset;
    return false;
}

bool kart_fail_line(kart_error *error, size_t line, const char *what, const char *expected,
                    const char *found, ...) {
    if (!error) return false;
    va_list args;
    va_start(args, found);
    fill_format(error, what, expected, found, args);
    va_end(args);
    error->line = line;
    return false;
}

size_t kart_error_text(const kart_error *error, char *text, size_t size) {
    char place[48] = "";
    if (error->offset != KART_NO_OFFSET) {
        const char *section = error->section[0] ? error->section : "file";
        snprintf(place, sizeof place, "%s at 0x%zX: ", section, error->offset);
    } else if (error->section[0]) {
        snprintf(place, sizeof place, "%s: ", error->section);
    } else if (error->line > 0) {
        snprintf(place, sizeof place, "line %zu: ", error->line);
    }
    int length;
    if (error->expected[0] && error->found[0])
        length = snprintf(text, size, "%s%s: expected %s, found %s", place, error->what,
                          error->expected, error->found);
    else if (error->expected[0])
        length = snprintf(text, size, "%s%s: expected %s", place, error->what, error->expected);
    else if (error->found[0])
        length = snprintf(text, size, "%s%s: found %s", place, error->what, error->found);
    else
        length = snprintf(text, size, "%s%s", place, error->what);
    return length < 0 ? 0 : (size_t)length;
}
