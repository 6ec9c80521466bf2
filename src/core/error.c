#include "core/error.h"

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

bool kart_fail_at(kart_error *error, const char *section, size_t offset, const char *what,
                  const char *expected, const char *found, ...) {
    if (!error) return false;
    *error = (kart_error){.code = KART_FORMAT, .offset = offset};
    snprintf(error->section, sizeof error->section, "%s", section ? section : "");
    snprintf(error->what, sizeof error->what, "%s", what);
    snprintf(error->expected, sizeof error->expected, "%s", expected ? expected : "");
    if (found) {
        va_list args;
        va_start(args, found);
        vsnprintf(error->found, sizeof error->found, found, args);
        va_end(args);
    }
    return false;
}

size_t kart_error_text(const kart_error *error, char *text, size_t size) {
    char place[48] = "";
    if (error->offset != KART_NO_OFFSET) {
        const char *section = error->section[0] ? error->section : "file";
        snprintf(place, sizeof place, "%s at 0x%zX: ", section, error->offset);
    } else if (error->section[0]) {
        snprintf(place, sizeof place, "%s: ", error->section);
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
