// Reading OBJ.
#include "core/array.h"
#include "core/obj.h"
#include "core/polygon.h"
#include "core/text.h"

#include <string.h>

typedef struct obj_reader {
    kart_ctx *ctx;
    kart_mesh *mesh;
    kart_lines lines;
    kart_line line;         // behind the statement's word
    kart_triangle triangle; // what the next one has besides its corners
    uint32_t *corners;      // of the face that is read
    kart_vec3 *places;      // likewise
    size_t corners_capacity, places_capacity;
    kart_polygon polygon;
    size_t skipped, skipped_line; // statements that would have made something, and the first one
    kart_error *error;
} obj_reader;

static bool fail(obj_reader *r, const char *what, const char *expected) {
    return kart_fail_line(r->error, r->lines.number, what, expected, "%.*s",
                          KART_LINE_SHOWN(r->line));
}

// --- statements -------------------------------------------------------------------------------

// x y z, and behind them up to four numbers: a weight, a colour.
static bool read_vertex(obj_reader *r) {
    double number[7];
    size_t count = 0;
    while (!kart_line_ends(&r->line)) {
        if (count == 7) return fail(r, "v", "at most 7 numbers");
        if (!kart_line_number(&r->line, &number[count])) return fail(r, "v", "a number");
        count++;
    }
    if (count < 3) return kart_fail_line(r->error, r->lines.number, "v", "3 numbers", "%zu", count);
    kart_vec3 position = {number[0], number[1], number[2]};
    if (!kart_position_valid(position))
        return kart_fail_line(r->error, r->lines.number, "v", "numbers within the range of floats",
                              "%g %g %g", position.x, position.y, position.z);
    return kart_mesh_add_position(r->mesh, position, r->error);
}

// A whole number, of which it is known whether there is one.
static bool read_whole(kart_line *word, int64_t *value) {
    bool negative = word->at < word->end && *word->at == '-';
    if (word->at < word->end && (*word->at == '-' || *word->at == '+')) word->at++;
    const char *start = word->at;
    *value = 0;
    for (; word->at < word->end && *word->at >= '0' && *word->at <= '9'; word->at++)
        if (*value < INT32_MAX) *value = *value * 10 + (*word->at - '0');
    if (negative) *value = -*value;
    return word->at > start;
}

// One corner: vertex, vertex/texture, vertex//normal, vertex/texture/normal.
static bool read_corner(obj_reader *r, kart_line word, uint32_t *corner) {
    int64_t number, ignored, count = (int64_t)r->mesh->positions_count;
    kart_line all = word;
    bool sound = read_whole(&word, &number);
    for (int i = 0; sound && i < 2 && word.at < word.end; i++) {
        sound = *word.at++ == '/';
        bool empty = i == 0 && word.at < word.end && *word.at == '/';
        // Some programs leave the last slash without a number.
        if (sound && !empty && word.at < word.end) sound = read_whole(&word, &ignored);
    }
    if (!sound || word.at < word.end)
        return kart_fail_line(r->error, r->lines.number, "f", "corners like 1, 1/2 or 1/2/3",
                              "%.*s", KART_LINE_SHOWN(all));
    if (number < 0) number += count + 1;
    if (number < 1 || number > count)
        return kart_fail_line(r->error, r->lines.number, "f: a vertex that doesn't stand above",
                              NULL, "%.*s, with %zu so far", KART_LINE_SHOWN(all),
                              r->mesh->positions_count);
    *corner = (uint32_t)number - 1;
    return true;
}

static bool add_triangle(obj_reader *r, uint32_t a, uint32_t b, uint32_t c) {
    r->triangle.corner[0] = a;
    r->triangle.corner[1] = b;
    r->triangle.corner[2] = c;
    return kart_mesh_add_triangle(r->mesh, r->triangle, r->error);
}

static bool add_polygon(obj_reader *r, size_t count) {
    kart_vec3 *places =
        kart_array_grow(r->ctx, r->places, &r->places_capacity, count, sizeof *places, r->error);
    if (!places) return false;
    r->places = places;
    for (size_t i = 0; i < count; i++) places[i] = r->mesh->positions[r->corners[i]];
    if (!kart_polygon_split(r->ctx, &r->polygon, places, count, r->error)) return false;
    if (r->polygon.crosses &&
        !kart_mesh_warn(r->mesh, KART_WARNING, "obj-polygon", r->error,
                        "line %zu: a face that crosses itself: its triangles are a guess",
                        r->lines.number))
        return false;
    for (size_t i = 0; i < 3 * (count - 2); i += 3) {
        const uint32_t *t = r->polygon.triangles + i;
        if (!add_triangle(r, r->corners[t[0]], r->corners[t[1]], r->corners[t[2]])) return false;
    }
    return true;
}

static bool read_face(obj_reader *r) {
    size_t count = 0;
    while (!kart_line_ends(&r->line)) {
        uint32_t *corners = kart_array_grow(r->ctx, r->corners, &r->corners_capacity, count + 1,
                                            sizeof *corners, r->error);
        if (!corners) return false;
        r->corners = corners;
        if (!read_corner(r, kart_line_word(&r->line), &corners[count])) return false;
        count++;
    }
    if (count < 3)
        return kart_fail_line(r->error, r->lines.number, "f", "at least 3 corners", "%zu", count);
    return count == 3 ? add_triangle(r, r->corners[0], r->corners[1], r->corners[2])
                      : add_polygon(r, count);
}

// A name that goes to the line's end; KART_NO_NAME if there is none.
static bool read_name(obj_reader *r, kart_names *names, uint32_t *number) {
    const char *text = r->line.at;
    size_t length = (size_t)(r->line.end - r->line.at);
    *number = KART_NO_NAME;
    kart_mesh_trim_name(&text, &length);
    if (length == 0) return true;
    if (memchr(text, 0, length))
        return kart_fail_line(r->error, r->lines.number, "a zero byte in a name", NULL, NULL);
    return kart_names_add(r->ctx, names, text, length, number, r->error);
}

static void flag_follow(obj_reader *r) {
    r->triangle.flag = kart_mesh_named_flag(r->mesh, r->triangle.material, r->triangle.part);
}

static bool read_part(obj_reader *r) {
    if (!read_name(r, &r->mesh->parts, &r->triangle.part)) return false;
    flag_follow(r);
    return true;
}

static bool read_material(obj_reader *r) {
    if (!read_name(r, &r->mesh->materials, &r->triangle.material)) return false;
    flag_follow(r);
    return true;
}

static bool read_library(obj_reader *r) {
    uint32_t number;
    return read_name(r, &r->mesh->libraries, &number);
}

static bool read_nothing(obj_reader *r) {
    (void)r;
    return true;
}

static bool read_skipped(obj_reader *r) {
    if (r->skipped++ == 0) r->skipped_line = r->lines.number;
    return true;
}

// All statements of the format, those that meshes consist of first.
static const struct {
    const char *word;
    bool (*read)(obj_reader *r);
} statements[] = {
    {"v", read_vertex},
    {"f", read_face},
    {"vt", read_nothing},
    {"vn", read_nothing},
    {"usemtl", read_material},
    {"o", read_part},
    {"g", read_part},
    {"s", read_nothing},
    {"mtllib", read_library},
    {"l", read_skipped},
    {"p", read_skipped},
    {"fo", read_face}, // an old word for f
    {"vp", read_nothing},
    {"mg", read_nothing},
    {"cstype", read_nothing},
    {"deg", read_nothing},
    {"bmat", read_nothing},
    {"step", read_nothing},
    {"curv", read_skipped},
    {"curv2", read_nothing},
    {"surf", read_skipped},
    {"parm", read_nothing},
    {"trim", read_nothing},
    {"hole", read_nothing},
    {"scrv", read_nothing},
    {"sp", read_nothing},
    {"end", read_nothing},
    {"con", read_nothing},
    {"bevel", read_nothing},
    {"c_interp", read_nothing},
    {"d_interp", read_nothing},
    {"lod", read_nothing},
    {"shadow_obj", read_nothing},
    {"trace_obj", read_nothing},
    {"ctech", read_nothing},
    {"stech", read_nothing},
    {"maplib", read_nothing},
    {"usemap", read_nothing},
    {"call", read_skipped},
    {"csh", read_nothing},
    {"bsp", read_skipped},
    {"bzp", read_skipped},
    {"cdc", read_skipped},
    {"cdp", read_nothing},
    {"res", read_nothing},
};
#define STATEMENTS (sizeof statements / sizeof *statements)

static bool (*statement_find(kart_line word))(obj_reader *) {
    for (size_t i = 0; i < STATEMENTS; i++)
        if (kart_word_is(word, statements[i].word)) return statements[i].read;
    return NULL;
}

// --- the whole --------------------------------------------------------------------------------

static bool read_lines(obj_reader *r, size_t size) {
    bool failed;
    while (kart_lines_next(&r->lines, &r->line, &failed, r->error)) {
        if (r->lines.number % 4096 == 0) {
            double left = (double)(r->lines.end - r->lines.at);
            if (!kart_ctx_step(r->ctx, 1 - left / (double)size, r->error)) return false;
        }
        if (kart_line_ends(&r->line)) continue;
        kart_line all = r->line;
        bool (*read)(obj_reader *) = statement_find(kart_line_word(&r->line));
        if (!read) {
            r->line = all;
            return fail(r, "not a statement of an OBJ", NULL);
        }
        if (!read(r)) return false;
    }
    return !failed;
}

static bool skipped_warn(obj_reader *r) {
    return r->skipped == 0 ||
           kart_mesh_warn(r->mesh, KART_WARNING, "obj-skipped", r->error,
                          "line %zu: points, lines, curves and surfaces are not read (%zu in all)",
                          r->skipped_line, r->skipped);
}

kart_mesh *kart_obj_parse(kart_ctx *ctx, const uint8_t *data, size_t size, const char *game,
                          kart_error *error) {
    obj_reader r = {
        .ctx = ctx,
        .mesh = kart_mesh_new(ctx, game, error),
        .lines = kart_lines_make(ctx, data, size, true),
        .triangle = {.flag = KART_NO_FLAG, .material = KART_NO_NAME, .part = KART_NO_NAME},
        .error = error};
    if (!r.mesh) return NULL;
    bool done = read_lines(&r, size) && skipped_warn(&r);
    kart_lines_free(&r.lines);
    kart_polygon_free(ctx, &r.polygon);
    kart_free(ctx, r.corners, r.corners_capacity * sizeof *r.corners);
    kart_free(ctx, r.places, r.places_capacity * sizeof *r.places);
    if (done) {
        kart_mesh_fit(r.mesh);
        return r.mesh;
    }
    kart_mesh_free(r.mesh);
    return NULL;
}

// --- detection --------------------------------------------------------------------------------

#define DETECT_SIZE 65536 // what stands above the first vertex

// Three numbers, as no script has them behind a "v".
static bool vertex_likely(kart_line line) {
    double number;
    for (int i = 0; i < 3; i++)
        if (!kart_line_number(&line, &number)) return false;
    return true;
}

bool kart_obj_detect(const uint8_t *data, size_t size) {
    kart_lines lines = kart_lines_make(NULL, data, size < DETECT_SIZE ? size : DETECT_SIZE, false);
    kart_line line;
    bool failed;
    while (kart_lines_next(&lines, &line, &failed, NULL)) {
        if (kart_line_ends(&line)) continue;
        kart_line word = kart_line_word(&line);
        if (kart_word_is(word, "v")) return vertex_likely(line);
        if (!statement_find(word)) return false;
    }
    return false;
}
