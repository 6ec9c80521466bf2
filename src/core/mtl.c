#include "core/mtl.h"

#include "core/array.h"
#include "core/bytes.h"
#include "core/number.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

static const kart_colour no_colour = {NAN, NAN, NAN};

bool kart_mtl_add(kart_ctx *ctx, kart_mtl *mtl, const char *name, size_t length, kart_colour colour,
                  kart_error *error) {
    uint32_t number;
    size_t known = mtl->names.count;
    kart_colour *colours =
        kart_array_grow(ctx, mtl->colours, &mtl->capacity, known + 1, sizeof *colours, error);
    if (!colours) return false;
    mtl->colours = colours;
    if (!kart_names_add(ctx, &mtl->names, name, length, &number, error)) return false;
    if (number == known) colours[number] = colour;
    return true;
}

void kart_mtl_free(kart_ctx *ctx, kart_mtl *mtl) {
    kart_names_free(ctx, &mtl->names);
    kart_free(ctx, mtl->colours, mtl->capacity * sizeof *mtl->colours);
    *mtl = (kart_mtl){0};
}

// --- reading ----------------------------------------------------------------------------------

typedef struct mtl_reader {
    kart_ctx *ctx;
    kart_mtl *mtl;
    kart_lines lines;
    uint32_t current; // KART_NO_NAME before the first, and where a name stands again
    bool any;
    kart_error *error;
} mtl_reader;

static bool read_name(mtl_reader *r, kart_line line) {
    const char *text = line.at;
    size_t length = (size_t)(line.end - line.at), known = r->mtl->names.count;
    kart_mesh_trim_name(&text, &length);
    r->any = true;
    r->current = KART_NO_NAME;
    if (length == 0) return true; // as of a mesh without materials
    if (memchr(text, 0, length))
        return kart_fail_line(r->error, r->lines.number, "a zero byte in a name", NULL, NULL);
    if (!kart_mtl_add(r->ctx, r->mtl, text, length, no_colour, r->error)) return false;
    if (r->mtl->names.count > known) r->current = (uint32_t)known;
    return true;
}

// Kd r g b, or Kd r for all three. "Kd xyz" and "Kd spectral" say it in other ways.
static bool read_colour(mtl_reader *r, kart_line line) {
    double number[3];
    size_t count = 0;
    kart_line word = line;
    word = kart_line_word(&word);
    if (kart_word_is(word, "xyz") || kart_word_is(word, "spectral")) return true;
    for (; count < 3 && !kart_line_ends(&line); count++)
        if (!kart_line_number(&line, &number[count]) || fabs(number[count]) > 1e6)
            return kart_fail_line(r->error, r->lines.number, "Kd", "numbers from 0 to 1", "%.*s",
                                  KART_LINE_SHOWN(line));
    if (count != 1 && count != 3)
        return kart_fail_line(r->error, r->lines.number, "Kd", "3 numbers", "%zu", count);
    if (!r->any) return kart_fail_line(r->error, r->lines.number, "Kd", "newmtl before it", NULL);
    if (r->current == KART_NO_NAME) return true;
    r->mtl->colours[r->current] =
        (kart_colour){(float)number[0], (float)number[count / 3], (float)number[count / 3 * 2]};
    return true;
}

bool kart_mtl_parse(kart_ctx *ctx, kart_mtl *mtl, const uint8_t *data, size_t size,
                    kart_error *error) {
    mtl_reader r = {.ctx = ctx,
                    .mtl = mtl,
                    .lines = kart_lines_make(ctx, data, size, false),
                    .current = KART_NO_NAME,
                    .error = error};
    kart_line line;
    bool failed, done = true;
    while (done && kart_lines_next(&r.lines, &line, &failed, error)) {
        if (kart_line_ends(&line)) continue;
        kart_line word = kart_line_word(&line);
        if (kart_word_is(word, "newmtl"))
            done = read_name(&r, line);
        else if (kart_word_is(word, "Kd"))
            done = read_colour(&r, line);
    }
    kart_lines_free(&r.lines);
    return done;
}

// --- writing ----------------------------------------------------------------------------------

static void write_number(kart_writer *w, float value) {
    char text[KART_NUMBER_SIZE];
    kart_write_text(w, " ");
    kart_write_text(w, kart_number_text((double)value, text));
}

uint8_t *kart_mtl_write(kart_ctx *ctx, const kart_mtl *mtl, size_t *size, kart_error *error) {
    kart_writer w = kart_writer_make(ctx, false);
    for (uint32_t i = 0; i < mtl->names.count; i++) {
        kart_write_text(&w, "newmtl ");
        kart_write_text(&w, kart_names_get(&mtl->names, i));
        kart_write_text(&w, "\n");
        kart_colour colour = mtl->colours[i];
        if (isnan(colour.red)) continue;
        kart_write_text(&w, "Kd");
        write_number(&w, colour.red);
        write_number(&w, colour.green);
        write_number(&w, colour.blue);
        kart_write_text(&w, "\n");
    }
    return kart_writer_take(&w, size, error);
}

bool kart_mtl_apply(const kart_mtl *mtl, kart_mesh *mesh, kart_error *error) {
    for (uint32_t i = 0; i < mtl->names.count; i++) {
        const char *name = kart_names_get(&mtl->names, i);
        uint32_t material = kart_names_find(&mesh->materials, name, strlen(name));
        if (material == KART_NO_NAME || isnan(mtl->colours[i].red)) continue;
        if (!kart_mesh_set_colour(mesh, material, mtl->colours[i], error)) return false;
    }
    return true;
}
