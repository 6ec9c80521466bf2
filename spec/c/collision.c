#define _XOPEN_SOURCE 700

#include "collision.h"

#include "core/file.h"
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

collision_prism collision_ground(double edge) {
    const double half = 0.70710678118654752;
    return (collision_prism){.normal = {[KCL_FACE] = {0, 1, 0},
                                        [KCL_CA] = {0, 0, -1},
                                        [KCL_AB] = {-1, 0, 0},
                                        [KCL_BC] = {half, 0, half}},
                             .height = edge * half};
}

static uint8_t *numbers_put(const kcl_format *f, uint8_t *at, kart_vec3 v) {
    const double c[3] = {v.x, v.y, v.z};
    for (size_t i = 0; i < 3; i++) {
        // Numbers that a format has no room for are written by tests on purpose.
        if (!kcl_store_number(f, at, c[i])) kart_store_f32(at, f->big, (float)c[i]);
        at += 4;
    }
    return at;
}

static uint8_t *normal_put(const kcl_format *f, uint8_t *at, kart_vec3 v) {
    const double c[3] = {v.x, v.y, v.z};
    for (size_t i = 0; i < 3; i++) {
        if (!kcl_store_normal(f, at, c[i])) kart_store_f32(at, f->big, (float)c[i]);
        at += kcl_normal_size(f) / 3;
    }
    return at;
}

static void words_put(const kcl_format *f, uint8_t *at, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) kart_store_u32(at + 4 * i, f->big, words[i]);
}

// A model: header, one position and four normals for each prism, prisms, a root and its list.
static size_t model_put(const kcl_format *f, uint8_t *data, const collision_prism *prisms,
                        size_t count) {
    size_t positions = kcl_header_size(f), normals = positions + 12 * count;
    size_t records = (normals + 4 * count * kcl_normal_size(f) + 3) / 4 * 4;
    size_t octree = records + count * kcl_prism_size(f);
    const uint32_t offsets[] = {(uint32_t)positions, (uint32_t)normals,
                                (uint32_t)(f->v2 ? records : records - 0x10), (uint32_t)octree};
    const uint32_t grid[] = {~UINT32_C(1023), ~UINT32_C(1023), ~UINT32_C(1023), 10, 0, 0};
    words_put(f, data, offsets, 4);
    kcl_store_number(f, data + 0x10, f->thickness);
    numbers_put(f, data + 0x14, (kart_vec3){-512, -512, -512});
    words_put(f, data + 0x20, grid, 6);
    if (f->has_radius) kcl_store_number(f, data + 0x38, f->radius);
    const uint32_t leaf = UINT32_C(0x80000000) | 2;
    words_put(f, data + octree, &leaf, 1);
    uint8_t *list = data + octree + 4;
    for (size_t i = 0; i < count; i++) {
        const collision_prism *p = &prisms[i];
        uint8_t *at = data + records + i * kcl_prism_size(f);
        numbers_put(f, data + positions + 12 * i, p->position);
        if (!kcl_store_number(f, at, p->height)) kart_store_f32(at, f->big, (float)p->height);
        kart_store_u16(at + 4, f->big, (uint16_t)i);
        uint8_t *normal = data + normals + 4 * i * kcl_normal_size(f);
        for (size_t n = 0; n < KCL_NORMALS; n++) {
            normal = normal_put(f, normal, p->normal[n]);
            kart_store_u16(at + 6 + 2 * n, f->big, (uint16_t)(4 * i + n));
        }
        kart_store_u16(at + 14, f->big, p->flag);
        if (f->v2) kart_store_u32(at + 16, f->big, (uint32_t)i);
        kart_store_u16(list + 2 * i, f->big, (uint16_t)(i + kcl_first_id(f)));
    }
    kart_store_u16(list + 2 * count, f->big, (uint16_t)kcl_list_end(f));
    return octree + 4 + 2 * count + 2;
}

uint8_t *collision_bytes(kcl_game game, const collision_prism *prisms, size_t count, size_t *size) {
    const kcl_format *f = &kcl_formats[game];
    const size_t model = f->v2 ? 0x38 + 32 + 4 : 0; // behind the header, one group and the table
    uint8_t *data = calloc(1, model + 0x100 + 0x80 * count);
    if (!data) abort();
    *size = model + model_put(f, data + model, prisms, count);
    if (!f->v2) return data;
    const uint32_t head[] = {0x38, 0x38 + 32, 1}, table = (uint32_t)model;
    const uint32_t tail[] = {10, 10, 10, (uint32_t)count};
    memcpy(data, "\2\2\0\0", 4);
    words_put(f, data + 4, head, 3);
    numbers_put(f, numbers_put(f, data + 0x10, (kart_vec3){-512, -512, -512}),
                (kart_vec3){512, 512, 512});
    words_put(f, data + 0x28, tail, 4);
    for (size_t i = 0; i < 8; i++) kart_store_u32(data + 0x38 + 4 * i, f->big, 0x80000000u);
    words_put(f, data + 0x38 + 32, &table, 1);
    return data;
}

kcl_doc *collision_new(kart_ctx *ctx, kcl_game game, const collision_prism *prisms, size_t count) {
    size_t size;
    uint8_t *data = collision_bytes(game, prisms, count, &size);
    kcl_doc *doc = kcl_parse(ctx, data, size, game, NULL);
    free(data);
    return doc;
}

static size_t each_of(const char *pattern, collision_fn visit) {
    glob_t found;
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        size_t size;
        uint8_t *data = kart_file_read(&ctx, found.gl_pathv[i], KART_FILE_LIMIT, &size, NULL);
        kcl_doc *doc = data ? kcl_parse(&ctx, data, size, KCL_GAMES, NULL) : NULL;
        if (CHECK(doc)) visit(found.gl_pathv[i], doc);
        kcl_free(doc);
        kart_free(&ctx, data, size);
        CHECK(ctx.used == 0);
    }
    globfree(&found);
    return count;
}

size_t collision_each(collision_fn visit) {
    const char *folder = getenv("KARTLUA_CORPUS");
    char pattern[1000];
    size_t count =
        each_of("build/samples/*.kcl", visit) + each_of("build/samples/kcl/*.kcl", visit);
    snprintf(pattern, sizeof pattern, "%s/kcl-*/*.kcl", folder ? folder : "../shared/corpus");
    size_t real = each_of(pattern, visit);
    if (real == 0) printf("  SKIPPED: no corpus at %s\n", pattern);
    return count ? count + real : 0;
}

uint32_t collision_draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8; // the low bits of such a generator are poor
}
