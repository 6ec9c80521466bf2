// Text files of meshes: numbers, lines, OBJ, MTL, PLY, and "name = value" files.
#include "collision.h"
#include "core/bytes.h"
#include "core/file.h"
#include "core/mtl.h"
#include "core/number.h"
#include "core/obj.h"
#include "core/pairs.h"
#include "core/text.h"
#include "kcl/mesh.h"
#include "test.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

// --- numbers ----------------------------------------------------------------------------------

static bool read_number(const char *text, double *value) {
    kart_line line = {text, text + strlen(text)};
    return kart_line_number(&line, value) && line.at == line.end;
}

TEST(numbers_read_as_the_c_library_reads_them) {
    static const char *const texts[] = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5e3",
        "1e22",
        "1e23",
        "9007199254740993",
        "0.1",
        "1e-22",
        "123456789012345678901234567890",
        "2.2250738585072011e-308",
        "4.9e-324",
        "1.7976931348623157e308",
        "0.000000000000000000000000000000000000000000000001",
        "00000000000000000000001.5",
        "179769313486231580793728971405301e270",
        "3.4028235e38",
        "1E+2",
        "5e-5",
        "0e999999",
        "8.5899345920000000000000000000000000000000000000000000000000000001"};
    double value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (CHECK(read_number(texts[i], &value)))
            if (!CHECK(value == strtod(texts[i], NULL))) puts(texts[i]);
    uint32_t seed = 11;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        int whole = (int)(collision_draw(&seed) % 100000),
            digits = (int)(collision_draw(&seed) % 18);
        double random = whole + collision_draw(&seed) / 16777216.0 + collision_draw(&seed) * 1e-14;
        if (i % 3 == 0) random = ldexp(random, (int)(collision_draw(&seed) % 400) - 200);
        snprintf(text, sizeof text, i % 2 ? "%.*e" : "%.*f", digits, i % 5 ? random : -random);
        CHECK(read_number(text, &value) && value == strtod(text, NULL));
    }
}

TEST(what_is_no_number_is_told) {
    static const char *const texts[] = {"",    "-",    ".",     "e5",   "1e",   "1e+", "nan",
                                        "inf", "1,5",  "0x10",  "1.#J", "1f",   "--1", "1e999",
                                        "- 1", "+.e1", "1.2.3", "\xFF", "1\x7F"};
    double value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!CHECK(!read_number(texts[i], &value))) puts(texts[i]);
}

TEST(numbers_written_exactly_read_back) {
    static const double some[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.1,
                                  0.5,
                                  1e15,
                                  9007199254740992.0,
                                  1e22,
                                  1e300,
                                  1.0 / 3,
                                  123456.789,
                                  4.9e-324,
                                  DBL_MAX,
                                  0.000001,
                                  1e-7,
                                  99999.5,
                                  (double)0.1f,
                                  (double)1234.567f,
                                  1e16,
                                  2097152.0078125};
    uint32_t seed = 5;
    for (size_t i = 0; i < 200000; i++) {
        char text[KART_NUMBER_SIZE];
        double value = some[i % (sizeof some / sizeof *some)], again;
        if (i > 1000) value = (double)(collision_draw(&seed) % 4000000) / 128 - 1000;
        if (i > 1000 && i % 3 == 0) value = (double)(float)(value / 3);
        if (i > 1000 && i % 3 == 1) value /= 3;
        size_t length = kart_number_exact(value, text);
        CHECK(length == strlen(text) && length < KART_NUMBER_SIZE);
        CHECK(read_number(text, &again) && again == value && signbit(again) == signbit(value));
    }
    char text[KART_NUMBER_SIZE];
    kart_number_exact(-1.5, text);
    CHECK_TEXT(text, "-1.5");
    kart_number_exact(20000, text);
    CHECK_TEXT(text, "20000");
    kart_number_exact(0.001, text);
    CHECK_TEXT(text, "0.001");
    kart_number_exact(-0.0, text);
    CHECK_TEXT(text, "-0");
}

// --- lines ------------------------------------------------------------------------------------

// The lines of a text, joined by "|", each behind its number.
static void lines_show(const char *text, bool continued, char *out) {
    kart_lines lines = kart_lines_make(&ctx, (const uint8_t *)text, strlen(text), continued);
    kart_line line;
    bool failed;
    *out = 0;
    while (kart_lines_next(&lines, &line, &failed, NULL))
        out += sprintf(out, "%zu:%.*s|", lines.number, (int)(line.end - line.at), line.at);
    kart_lines_free(&lines);
    CHECK(!failed && ctx.used == 0);
}

TEST(lines_end_in_every_way) {
    static const struct {
        const char *text, *shown;
        bool continued;
    } rows[] = {
        {"", "", true},
        {"a", "1:a|", true},
        {"a\nb\n", "1:a|2:b|", true},
        {"a\r\nb\r\n", "1:a|2:b|", true},
        {"a\rb\r\rc", "1:a|2:b|3:|4:c|", true},
        {"a\n\r\n\rb", "1:a|2:|3:|4:b|", true},
        {"\xEF\xBB\xBF"
         "a",
         "1:a|", true},
        {"a\\\nb\nc", "1:a b |3:c|", true},
        {"a\\\r\nb\\\rc\\\n", "1:a b c |", true},
        {"a\\", "1:a |", true},
        {"\\\n\\\n", "1:  |", true},
        {" # a\\\nb", "1: # a\\|2:b|", true},
        {"a\\\nb", "1:a\\|2:b|", false},
    };
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char shown[200];
        lines_show(rows[i].text, rows[i].continued, shown);
        CHECK_TEXT(shown, rows[i].shown);
    }
}

// --- OBJ --------------------------------------------------------------------------------------

static kart_mesh *parse(const char *text, kart_error *error) {
    kart_ctx_init(&ctx);
    return kart_obj_parse(&ctx, (const uint8_t *)text, strlen(text), "mkw", error);
}

TEST(a_bad_line_gives_its_number_and_reason) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"v 1 2\n", "line 1: v: expected 3 numbers, found 2"},
        {"v 1 2 3\n\nv 1 2 x 4\n", "line 3: v: expected a number, found x 4"},
        {"v 1 2 3 4 5 6 7 8", "line 1: v: expected at most 7 numbers, found 8"},
        {"v 1 2 1e39", "line 1: v: expected numbers within the range of floats, found 1 2 1e+39"},
        {"# a\r\nv 0 0 0\r\nf 1 1\r\n", "line 3: f: expected at least 3 corners, found 2"},
        {"v 0 0 0\nf 1 1 2",
         "line 2: f: a vertex that doesn't stand above: found 2, with 1 so far"},
        {"v 0 0 0\nf 1 1 0",
         "line 2: f: a vertex that doesn't stand above: found 0, with 1 so far"},
        {"v 0 0 0\nf 1 1 -2",
         "line 2: f: a vertex that doesn't stand above: found -2, with 1 so far"},
        {"v 0 0 0\nf 1 1 99999999999999", "line 2: f: a vertex that doesn't stand above: found "
                                          "99999999999999, with 1 so far"},
        {"v 0 0 0\nf 1/a 1 1", "line 2: f: expected corners like 1, 1/2 or 1/2/3, found 1/a"},
        {"v 0 0 0\nf 1/1/1/1 1 1",
         "line 2: f: expected corners like 1, 1/2 or 1/2/3, found 1/1/1/1"},
        {"v 0 0 0\nf 1.5 1 1", "line 2: f: expected corners like 1, 1/2 or 1/2/3, found 1.5"},
        {"v 0 0 0 \\\n0\nfoo", "line 3: not a statement of an OBJ: found foo"},
        {"\x1B[31m\tred", "line 1: not a statement of an OBJ: found ?[31m?red"},
        {"local x = 1", "line 1: not a statement of an OBJ: found local x = 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        kart_error error = {0};
        CHECK(!parse(rows[i].text, &error) && ctx.used == 0);
        kart_error_text(&error, text, sizeof text);
        CHECK_TEXT(text, rows[i].message);
        CHECK(error.code == KART_FORMAT);
    }
}

TEST(names_of_any_bytes_come_back) {
    static const char *const names[] = {"a b",  "a\\b", "#1",   "\xC3\xA4",
                                        "a\tb", "x=y",  "\x01", "g"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0\nusemtl  %s \t\\ \no %s\nf 1 1 1", names[i], names[i]);
        kart_mesh *mesh = parse(text, NULL);
        if (!CHECK(mesh && mesh->materials.count == 1 && mesh->parts.count == 1)) continue;
        CHECK_TEXT(kart_names_get(&mesh->materials, 0), names[i]);
        size_t size;
        uint8_t *bytes = kart_obj_write(mesh, "a library", &size, NULL);
        kart_mesh *again = bytes ? kart_obj_parse(&ctx, bytes, size, "mkw", NULL) : NULL;
        if (CHECK(again && again->triangles[0].part == 0 && again->libraries.count == 1)) {
            CHECK_TEXT(kart_names_get(&again->materials, 0), names[i]);
            CHECK_TEXT(kart_names_get(&again->parts, 0), names[i]);
            CHECK_TEXT(kart_names_get(&again->libraries, 0), "a library");
        }
        kart_free(&ctx, bytes, size);
        kart_mesh_free(again);
        kart_mesh_free(mesh);
        CHECK(ctx.used == 0);
    }
}

TEST(flags_come_back_whatever_materials_are_called) {
    kart_mesh *mesh = parse("v 0 0 0\nv 0 0 1\nv 1 0 0\nusemtl asphalt\nf 1 2 3\nusemtl COL_0C\n"
                            "f 1 2 3\nusemtl\nf 1 2 3\ng part_F0003\nusemtl moss\nf 1 2 3\n",
                            NULL);
    if (!CHECK(mesh && mesh->triangles_count == 4)) return;
    CHECK(mesh->triangles[0].flag == KART_NO_FLAG && mesh->triangles[1].flag == 0x0C);
    CHECK(mesh->triangles[2].flag == KART_NO_FLAG && mesh->triangles[3].flag == 3);
    mesh->triangles[0].flag = 0x17;      // said by its owner
    kart_mesh_set_flag(mesh, 1, 0x2020); // was another one
    CHECK(kart_mesh_add_surface(mesh, 3, "off_road", (kart_colour){0, 1, 0}, NULL));
    CHECK(kart_mesh_add_surface(mesh, 0x2020, "road_dirt", (kart_colour){1, 0, 0.25f}, NULL));
    size_t size, mtl_size;
    uint8_t *bytes = kart_obj_write(mesh, NULL, &size, NULL);
    uint8_t *mtl = kart_obj_write_library(mesh, &mtl_size, NULL);
    static const char head[] = "# kartlua: 4 triangles, 3 positions\nv 0 0 0\nv 0 0 1\nv 1 0 0\n";
    static const char tail[] = "usemtl asphalt_F0017\nf 1 2 3\nusemtl road_dirt_F2020\nf 1 2 3\n"
                               "usemtl\nf 1 2 3\no part_F0003\nusemtl moss_F0003\nf 1 2 3\n";
    static const char library[] = "newmtl asphalt_F0017\nKd 0.6 0.6 0.6\nnewmtl road_dirt_F2020\n"
                                  "Kd 1 0 0.25\nnewmtl moss_F0003\nKd 0 1 0\n";
    CHECK(bytes && size == strlen(head) + strlen(tail) && !memcmp(bytes, head, strlen(head)) &&
          !memcmp(bytes + strlen(head), tail, strlen(tail)));
    CHECK(mtl && mtl_size == strlen(library) && !memcmp(mtl, library, mtl_size));
    kart_mesh *again = kart_obj_parse(&ctx, bytes, size, "mkw", NULL);
    for (size_t i = 0; CHECK(again) && i < 4; i++)
        CHECK(again->triangles[i].flag == mesh->triangles[i].flag);
    kart_mesh_free(again);
    kart_free(&ctx, bytes, size);
    kart_free(&ctx, mtl, mtl_size);
    kart_mesh_free(mesh);
    CHECK(ctx.used == 0);
}

TEST(texts_are_told_from_other_files) {
    static const char *const yes[] = {"v 1 2 3", "# x\n\nmtllib a\no b\nv  1 2 3 4",
                                      "\xEF\xBB\xBFv 0 0 0", "g\r\nusemtl a\r\nv\t-1.5e3 .5 0\r\n"};
    static const char *const no[] = {"",
                                     "v",
                                     "v 1 2",
                                     "v = 5",
                                     "local v = 1\nv 1 2 3",
                                     "o 1\nf 1 2 3",
                                     "RKMD",
                                     "#!/usr/bin/kartlua\nprint(1)",
                                     "s 1\nprint 'v 1 2 3'"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        CHECK(kart_obj_detect((const uint8_t *)yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        CHECK(!kart_obj_detect((const uint8_t *)no[i], strlen(no[i])));
}

TEST(long_reading_and_writing_can_be_ended) {
    volatile sig_atomic_t cancel = 1;
    kart_error error = {0};
    size_t size = 0, lines = 5000;
    char *text = malloc(lines * 16);
    if (!text) abort();
    for (size_t i = 0; i < lines; i++) size += (size_t)sprintf(text + size, "v 0 0 %zu\n", i);
    kart_ctx_init(&ctx);
    ctx.cancel = &cancel;
    CHECK(!kart_obj_parse(&ctx, (uint8_t *)text, size, "mkw", &error));
    CHECK(error.code == KART_CANCELLED && ctx.used == 0);
    cancel = 0;
    kart_mesh *mesh = kart_obj_parse(&ctx, (uint8_t *)text, size, "mkw", &error);
    cancel = 1;
    CHECK(mesh && !kart_obj_write(mesh, NULL, &size, &error) && error.code == KART_CANCELLED);
    kart_mesh_free(mesh);
    free(text);
    CHECK(ctx.used == 0);
}

// The same bytes on every compiler and at every level: welding, triangulation and numbers.
TEST(a_mesh_is_written_the_same_everywhere) {
    kart_ctx_init(&ctx);
    kart_writer text = kart_writer_make(&ctx, false);
    uint32_t seed = 9;
    for (size_t i = 0; i < 600; i++) {
        char line[128];
        double number[3];
        for (int k = 0; k < 3; k++) number[k] = (double)(collision_draw(&seed) % 900) / 7 - 60;
        snprintf(line, sizeof line, "v %.9f %.9f %.9f\n", number[0], number[1] / 100, number[2]);
        kart_write_text(&text, line);
        if (i % 6 == 5) kart_write_text(&text, "usemtl m_F00C3\nf -1 -2 -3 -4 -5 -6\n");
    }
    size_t size, joined, out_size;
    uint8_t *data = kart_writer_take(&text, &size, NULL);
    kart_mesh *mesh = data ? kart_obj_parse(&ctx, data, size, "mkw", NULL) : NULL;
    kart_affine map = kart_affine_scale((kart_vec3){0.1, 3, 0.7});
    if (!CHECK(mesh && kart_mesh_transform(mesh, &map, NULL))) return;
    CHECK(kart_mesh_weld(mesh, 3, &joined, NULL) && joined > 50);
    uint8_t *out = kart_obj_write(mesh, NULL, &out_size, NULL);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < out_size; i++) hash = (hash ^ out[i]) * 16777619u;
    if (!CHECK(hash == 0xA285D335u)) printf("    it is 0x%08X\n", hash);
    kart_free(&ctx, out, out_size);
    kart_free(&ctx, data, size);
    kart_mesh_free(mesh);
    CHECK(ctx.used == 0);
}

// --- MTL and pairs ----------------------------------------------------------------------------

TEST(libraries_give_colours) {
    static const char text[] =
        "# Blender\nnewmtl a b\r\nNs 250\nKa 1 1 1\nKd 0.1 0.2 0.3 # c\nnewmtl g\n"
        "Kd 0.5\nnewmtl plain\nmap_Kd x y.png\nnewmtl a b\nKd 1 1 1\n"
        "newmtl (null)\nKd 1 1 1\nKd xyz 1 2 3\n";
    static const char *const bad[] = {"Kd 1 1 1\n", "newmtl a\nKd 1 1\n", "newmtl a\nKd a b c\n",
                                      "newmtl a\nKd\n"};
    kart_mtl mtl = {0};
    kart_ctx_init(&ctx);
    CHECK(kart_mtl_parse(&ctx, &mtl, (const uint8_t *)text, strlen(text), NULL));
    if (CHECK(mtl.names.count == 3)) {
        CHECK_TEXT(kart_names_get(&mtl.names, 0), "a b");
        CHECK(mtl.colours[0].red == 0.1f && mtl.colours[0].blue == 0.3f);
        CHECK(mtl.colours[1].green == 0.5f && isnan(mtl.colours[2].red));
    }
    kart_mtl_free(&ctx, &mtl);
    for (size_t i = 0; i < 4; i++) {
        kart_error error = {0};
        CHECK(!kart_mtl_parse(&ctx, &mtl, (const uint8_t *)bad[i], strlen(bad[i]), &error));
        CHECK(error.code == KART_FORMAT && error.line == (i == 0 ? 1 : 2));
        kart_mtl_free(&ctx, &mtl);
    }
    CHECK(ctx.used == 0);
}

TEST(pairs_are_read_as_people_write_them) {
    static const char text[] = "\xEF\xBB\xBF# flags\r\n\r\n Grass = off_road/grass # green\r\n"
                               "Material #25=road+light=2\r\n\ta b\t=\t0x17";
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"a = 1\nb\n", "line 2: no =: expected a line like grass = off_road, found b"},
        {"= 1", "line 1: no name before =: expected a line like grass = off_road"},
        {"a = # 1", "line 1: nothing behind =: expected a line like grass = off_road"},
        {"a=1\nb=1\na=2", "line 3: a name that stands twice: found a, the first time in line 1"},
    };
    kart_pairs pairs = {0};
    kart_ctx_init(&ctx);
    CHECK(kart_pairs_parse(&ctx, &pairs, (const uint8_t *)text, strlen(text), NULL));
    if (CHECK(pairs.names.count == 3)) {
        CHECK_TEXT(kart_names_get(&pairs.names, 0), "Grass");
        CHECK_TEXT(kart_pairs_value(&pairs, 0), "off_road/grass");
        CHECK_TEXT(kart_names_get(&pairs.names, 1), "Material #25");
        CHECK_TEXT(kart_pairs_value(&pairs, 1), "road+light=2");
        CHECK_TEXT(kart_names_get(&pairs.names, 2), "a b");
        CHECK_TEXT(kart_pairs_value(&pairs, 2), "0x17");
        CHECK(pairs.items[2].line == 5);
    }
    kart_pairs_free(&ctx, &pairs);
    for (size_t i = 0; i < 4; i++) {
        char shown[300];
        kart_error error = {0};
        CHECK(!kart_pairs_parse(&ctx, &pairs, (const uint8_t *)bad[i].text, strlen(bad[i].text),
                                &error));
        kart_error_text(&error, shown, sizeof shown);
        CHECK_TEXT(shown, bad[i].message);
        kart_pairs_free(&ctx, &pairs);
    }
    CHECK(ctx.used == 0);
}

// --- collision --------------------------------------------------------------------------------

static size_t files, triangles, prisms;

static bool same_triangles(const kart_mesh *a, const kart_mesh *b) {
    bool same = a->triangles_count == b->triangles_count;
    for (size_t i = 0; same && i < a->triangles_count; i++) {
        kart_vec3 c[3], d[3];
        kart_mesh_corners(a, i, c);
        kart_mesh_corners(b, i, d);
        same = memcmp(c, d, sizeof c) == 0 && a->triangles[i].flag == b->triangles[i].flag;
    }
    return same;
}

static size_t open_edges(const kart_mesh *mesh, size_t *edges) {
    kart_mesh_stats stats = {0};
    CHECK(kart_mesh_stats_get(mesh, &stats, NULL));
    *edges = stats.edges;
    return stats.open_edges;
}

// Every corner is near the one that was computed; order and flags are the file's.
static void corners_check(const kcl_doc *doc, const kart_mesh *mesh, double farthest) {
    size_t at = 0;
    for (size_t i = 0; i < doc->prisms_count && doc->models_count == 1; i++) {
        size_t in_model;
        const kcl_model *model = kcl_model_of(doc, i, &in_model);
        kcl_prism prism = kcl_prism_get(doc, model, in_model);
        kart_vec3 corner[3], found[3];
        if (kcl_prism_triangle(doc, model, &prism, corner) != KCL_SOUND) continue;
        kart_mesh_corners(mesh, at, found);
        for (int c = 0; c < 3; c++) CHECK(vec3_length(vec3_sub(corner[c], found[c])) <= farthest);
        CHECK(mesh->triangles[at++].flag == prism.flag);
    }
    CHECK(doc->models_count > 1 || at == mesh->triangles_count);
}

static void file_check(const char *path, kcl_doc *doc) {
    static const kcl_mesh_options exact = {-1, -1}, snapped = {KCL_MESH_SNAP, -1};
    kcl_mesh_report report;
    kart_error error = {0};
    kart_mesh *computed = kcl_mesh(doc, &exact, NULL, &error);
    kart_mesh *moved = kcl_mesh(doc, &snapped, NULL, &error);
    kart_mesh *mesh = kcl_mesh(doc, NULL, &report, &error);
    if (!CHECK(computed && moved && mesh)) return;
    corners_check(doc, computed, 0);
    corners_check(doc, moved, KCL_MESH_SNAP);
    corners_check(doc, mesh, KCL_MESH_SNAP + KCL_MESH_WELD);
    CHECK(mesh->triangles_count + report.left_out + report.copies == doc->prisms_count);
    size_t size, e0, e1, e2;
    size_t o0 = open_edges(computed, &e0), o1 = open_edges(moved, &e1), o2 = open_edges(mesh, &e2);
    const char *name = strrchr(path, '/');
    if (strstr(path, "/kcl-"))
        printf("  %s: %zu triangles, %zu left out, open edges %zu of %zu as computed, %zu of %zu "
               "snapped "
               "(%zu of %zu corners, by %.3g), %zu of %zu welded (%zu joined)\n",
               name ? name + 1 : path, mesh->triangles_count, report.left_out, o0, e0, o1, e1,
               report.snapped, report.computed, report.farthest, o2, e2, report.joined);
    uint8_t *bytes = kart_obj_write(mesh, NULL, &size, NULL);
    kart_mesh *again = bytes ? kart_obj_parse(doc->ctx, bytes, size, "mkw", NULL) : NULL;
    CHECK(again && same_triangles(mesh, again));
    files++;
    prisms += doc->prisms_count;
    triangles += mesh->triangles_count;
    kart_free(doc->ctx, bytes, size);
    kart_mesh_free(again);
    kart_mesh_free(mesh);
    kart_mesh_free(moved);
    kart_mesh_free(computed);
}

TEST(collision_to_obj_and_back_keeps_triangles_flags_and_order) {
    CHECK(collision_each(file_check) > 0);
    printf("  %zu collision files to OBJ and back: %zu of %zu prisms\n", files, triangles, prisms);
}

// Models of a file share triangles at their borders: the mesh that a file was built from comes
// back.
TEST(copies_of_several_models_are_left_out) {
    const char *folder = getenv("KARTLUA_CORPUS");
    static const char *const names[] = {"kcl-v2-multi/terrain18k_le.kcl",
                                        "kcl-v2-multi/terrain18k_be.kcl"};
    for (size_t i = 0; i < 2; i++) {
        char path[1000];
        size_t size;
        kcl_mesh_report report;
        kart_ctx_init(&ctx);
        snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/corpus", names[i]);
        uint8_t *data = kart_file_read(&ctx, path, KART_FILE_LIMIT, &size, NULL);
        if (!data) {
            printf("  SKIPPED: there is no %s\n", path);
            continue;
        }
        kcl_doc *doc = kcl_parse(&ctx, data, size, KCL_GAMES, NULL);
        kart_mesh *mesh = doc ? kcl_mesh(doc, NULL, &report, NULL) : NULL;
        CHECK(mesh && mesh->triangles_count == 18568 && report.copies == 460);
        kart_mesh_free(mesh);
        kcl_free(doc);
        kart_free(&ctx, data, size);
        CHECK(ctx.used == 0);
    }
}

static const test_case cases[] = {
    CASE(numbers_read_as_the_c_library_reads_them),
    CASE(what_is_no_number_is_told),
    CASE(numbers_written_exactly_read_back),
    CASE(lines_end_in_every_way),
    CASE(a_bad_line_gives_its_number_and_reason),
    CASE(names_of_any_bytes_come_back),
    CASE(flags_come_back_whatever_materials_are_called),
    CASE(texts_are_told_from_other_files),
    CASE(long_reading_and_writing_can_be_ended),
    CASE(a_mesh_is_written_the_same_everywhere),
    CASE(libraries_give_colours),
    CASE(pairs_are_read_as_people_write_them),
    CASE(collision_to_obj_and_back_keeps_triangles_flags_and_order),
    CASE(copies_of_several_models_are_left_out),
};

void test_obj(void) { TEST_RUN(cases); }
