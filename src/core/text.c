#include "core/text.h"

#include "core/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void skip_spaces(kart_line *line) {
    while (line->at < line->end && kart_is_space(*line->at)) line->at++;
}

// --- lines ------------------------------------------------------------------------------------

kart_lines kart_lines_make(kart_ctx *ctx, const uint8_t *data, size_t size, bool continued) {
    const char *text = (const char *)data;
    size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (kart_lines){.ctx = ctx, .at = text + mark, .end = text + size, .continued = continued};
}

void kart_lines_free(kart_lines *lines) {
    kart_free(lines->ctx, lines->joined, lines->joined_capacity);
    lines->joined = NULL;
    lines->joined_capacity = 0;
}

// One line of the file.
static kart_line line_take(kart_lines *lines) {
    size_t left = (size_t)(lines->end - lines->at);
    const char *newline = memchr(lines->at, '\n', left);
    kart_line line = {lines->at, newline ? newline : lines->end};
    const char *feed = memchr(line.at, '\r', (size_t)(line.end - line.at));
    lines->at = newline ? newline + 1 : lines->end;
    if (feed) {
        if (feed + 1 != newline) lines->at = feed + 1; // a line end of its own
        line.end = feed;
    }
    lines->ended++;
    return line;
}

static bool joined_add(kart_lines *lines, const char *text, size_t size, kart_error *error) {
    char *grown = kart_array_grow(lines->ctx, lines->joined, &lines->joined_capacity,
                                  lines->joined_size + size + 1, 1, error);
    if (!grown) return false;
    lines->joined = grown;
    memcpy(grown + lines->joined_size, text, size);
    lines->joined_size += size;
    return true;
}

static bool goes_on(const kart_lines *lines, kart_line line) {
    return lines->continued && line.end > line.at && line.end[-1] == '\\';
}

// A comment may end in the name of a folder.
static bool is_comment(kart_line line) {
    skip_spaces(&line);
    return line.at < line.end && *line.at == '#';
}

bool kart_lines_next(kart_lines *lines, kart_line *line, bool *failed, kart_error *error) {
    *failed = false;
    if (lines->at == lines->end) return false;
    *line = line_take(lines);
    lines->number = lines->ended;
    if (!goes_on(lines, *line) || is_comment(*line)) return true;
    lines->joined_size = 0;
    for (bool more = true; more;) {
        more = goes_on(lines, *line) && lines->at < lines->end;
        size_t size = (size_t)(line->end - line->at) - goes_on(lines, *line);
        *failed = !joined_add(lines, line->at, size, error) || !joined_add(lines, " ", 1, error);
        if (*failed) return false;
        if (more) *line = line_take(lines);
    }
    *line = (kart_line){lines->joined, lines->joined + lines->joined_size};
    return true;
}

// --- in a line --------------------------------------------------------------------------------

bool kart_line_ends(kart_line *line) {
    skip_spaces(line);
    return line->at == line->end || *line->at == '#';
}

kart_line kart_line_trimmed(kart_line line) {
    skip_spaces(&line);
    while (line.at < line.end && kart_is_space(line.end[-1])) line.end--;
    return line;
}

kart_line kart_line_word(kart_line *line) {
    skip_spaces(line);
    kart_line word = {line->at, line->at};
    while (word.end < line->end && !kart_is_space(*word.end)) word.end++;
    line->at = word.end;
    return word;
}

bool kart_word_is(kart_line word, const char *text) {
    size_t length = (size_t)(word.end - word.at);
    return strlen(text) == length && memcmp(word.at, text, length) == 0;
}

// --- numbers ----------------------------------------------------------------------------------

#define DIGITS_MAX 400 // of a number that is read digit by digit; more say nothing that counts

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// What a number is made of: `digits` has its digits without leading zeros, of which there are
// `count`; the value is digits * 10^exponent.
typedef struct decimal {
    uint64_t head; // the first 19 digits
    size_t count;
    long exponent;
    bool negative, any;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits from `at` on; `*out`, if not NULL, gets up to DIGITS_MAX of them.
static const char *digits_read(const char *at, const char *end, decimal *d, bool fraction,
                               char *out) {
    for (; at < end && is_digit(*at); at++) {
        d->any = true;
        if (fraction) d->exponent--;
        if (d->count == 0 && *at == '0') continue;
        if (d->count < 19) d->head = d->head * 10 + (uint64_t)(*at - '0');
        if (d->count >= DIGITS_MAX)
            d->exponent++;
        else if (out)
            out[d->count] = *at;
        d->count++;
    }
    return at;
}

static const char *decimal_read(const char *at, const char *end, decimal *d, char *out) {
    *d = (decimal){0};
    if (at < end && (*at == '-' || *at == '+')) d->negative = *at++ == '-';
    at = digits_read(at, end, d, false, out);
    if (at < end && *at == '.') at = digits_read(at + 1, end, d, true, out);
    if (!d->any || at == end || (*at != 'e' && *at != 'E')) return at;
    at++;
    bool minus = false;
    if (at < end && (*at == '-' || *at == '+')) minus = *at++ == '-';
    if (at == end || !is_digit(*at)) return NULL;
    long exponent = 0;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 100000) exponent = exponent * 10 + (*at - '0');
    d->exponent += minus ? -exponent : exponent;
    return at;
}

// The C library rounds right, but its point may be a comma: so there is none in what it gets.
static double slow_value(const char *at, const char *end) {
    char text[DIGITS_MAX + 32];
    decimal d;
    decimal_read(at, end, &d, text);
    size_t count = d.count < DIGITS_MAX ? d.count : DIGITS_MAX;
    snprintf(text + count, sizeof text - count, "e%ld", d.exponent);
    return strtod(text, NULL);
}

bool kart_line_number(kart_line *line, double *value) {
    decimal d;
    skip_spaces(line);
    const char *end = decimal_read(line->at, line->end, &d, NULL);
    if (!end || !d.any || (end < line->end && !kart_is_space(*end))) return false;
    // Whole numbers of up to 53 bits and these powers are exact, so one operation rounds right.
    double size;
    if (d.count <= 19 && d.head <= (uint64_t)1 << 53 && d.exponent >= -22 && d.exponent <= 22)
        size = d.exponent < 0 ? (double)d.head / powers[-d.exponent]
                              : (double)d.head * powers[d.exponent];
    else
        size = slow_value(line->at, end);
    if (!isfinite(size)) return false;
    *value = d.negative ? -size : size;
    line->at = end;
    return true;
}
