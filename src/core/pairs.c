#include "core/pairs.h"

#include "core/array.h"
#include "core/bytes.h"
#include "core/text.h"

#include <string.h>

const char *kart_pairs_value(const kart_pairs *pairs, uint32_t number) {
    return pairs->values + pairs->items[number].value;
}

void kart_pairs_free(kart_ctx *ctx, kart_pairs *pairs) {
    kart_names_free(ctx, &pairs->names);
    kart_free(ctx, pairs->values, pairs->values_capacity);
    kart_free(ctx, pairs->items, pairs->capacity * sizeof *pairs->items);
    *pairs = (kart_pairs){0};
}

static bool pair_add(kart_ctx *ctx, kart_pairs *pairs, size_t line, kart_line name, kart_line value,
                     kart_error *error) {
    uint32_t number;
    size_t known = pairs->names.count, length = (size_t)(value.end - value.at);
    if (!kart_names_add(ctx, &pairs->names, name.at, (size_t)(name.end - name.at), &number, error))
        return false;
    if (number < known)
        return kart_fail_line(error, line, "a name that stands twice", NULL,
                              "%.*s, the first time in line %zu", KART_LINE_SHOWN(name),
                              pairs->items[number].line);
    char *values = kart_array_grow(ctx, pairs->values, &pairs->values_capacity,
                                   pairs->values_size + length + 1, 1, error);
    if (!values) return false;
    pairs->values = values;
    struct kart_pair *items =
        kart_array_grow(ctx, pairs->items, &pairs->capacity, known + 1, sizeof *items, error);
    if (!items) return false;
    pairs->items = items;
    memcpy(values + pairs->values_size, value.at, length);
    values[pairs->values_size + length] = 0;
    items[number] = (struct kart_pair){pairs->values_size, line};
    pairs->values_size += length + 1;
    return true;
}

static bool pair_read(kart_ctx *ctx, kart_pairs *pairs, size_t number, kart_line line,
                      kart_error *error) {
    static const char like[] = "a line like grass = off_road";
    size_t length = (size_t)(line.end - line.at);
    if (memchr(line.at, 0, length)) return kart_fail_line(error, number, "a zero byte", like, NULL);
    const char *equals = memchr(line.at, '=', length);
    if (!equals) return kart_fail_line(error, number, "no =", like, "%.*s", KART_LINE_SHOWN(line));
    kart_line name = kart_line_trimmed((kart_line){line.at, equals}),
              value = {equals + 1, line.end};
    const char *comment = memchr(value.at, '#', (size_t)(value.end - value.at));
    if (comment) value.end = comment;
    value = kart_line_trimmed(value);
    if (name.at == name.end) return kart_fail_line(error, number, "no name before =", like, NULL);
    if (value.at == value.end) return kart_fail_line(error, number, "nothing behind =", like, NULL);
    return pair_add(ctx, pairs, number, name, value, error);
}

bool kart_pairs_parse(kart_ctx *ctx, kart_pairs *pairs, const uint8_t *data, size_t size,
                      kart_error *error) {
    kart_lines lines = kart_lines_make(ctx, data, size, false);
    kart_line line;
    bool failed;
    while (kart_lines_next(&lines, &line, &failed, error))
        if (!kart_line_ends(&line) && !pair_read(ctx, pairs, lines.number, line, error))
            return false;
    return true;
}

uint8_t *kart_pairs_write(kart_ctx *ctx, const kart_pairs *pairs, size_t *size, kart_error *error) {
    kart_writer w = kart_writer_make(ctx, false);
    // Something has to come before a name that begins like the mark of UTF-8.
    kart_write_text(&w, "# name = value\n");
    for (uint32_t i = 0; i < pairs->names.count; i++) {
        kart_write_text(&w, kart_names_get(&pairs->names, i));
        kart_write_text(&w, " = ");
        kart_write_text(&w, kart_pairs_value(pairs, i));
        kart_write_text(&w, "\n");
    }
    return kart_writer_take(&w, size, error);
}
