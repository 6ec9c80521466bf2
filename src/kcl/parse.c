// Bytes to document: the header, the sections, every prism.
#include "kcl/kcl.h"
#include "kcl/validate.h"

#include <stdio.h>
#include <stdlib.h>

bool kcl_detect(const uint8_t *data, size_t size) {
    bool guessed;
    kart_error error;
    return kcl_format_guess(data, size, &guessed, &error) || error.code == KART_UNSUPPORTED;
}

static bool fail_offset(kart_error *error, const char *section, size_t at, const char *what,
                        size_t low, size_t high, size_t found) {
    char expected[80];
    snprintf(expected, sizeof expected, "0x%zX to 0x%zX", low, high);
    return kart_fail_at(error, section, at, what, expected, "0x%zX", found);
}

static bool offsets_read(const kcl_doc *doc, kcl_model *model, kart_error *error) {
    const kcl_format *f = doc->format;
    const uint8_t *header = doc->data + model->range.start;
    size_t size = model->range.end - model->range.start, start[4];
    static const char *const names[] = {"positions", "normals", "prisms", "octree"};
    for (size_t i = 0; i < 4; i++) {
        start[i] = kart_load_u32(header + 4 * i, f->big);
        // Before V2 the prisms' offset is one record short: their ids count from 1. [S]
        if (i == 2 && !f->v2) start[i] += 0x10;
        if (start[i] < kcl_header_size(f) || start[i] > size)
            return fail_offset(error, names[i], model->range.start + 4 * i, "section offset",
                               kcl_header_size(f), size, start[i]);
    }
    // The sections may come in any order: each ends where the next one starts. [S]
    kcl_range *sections[4] = {&model->positions, &model->normals, &model->prisms, &model->octree};
    for (size_t i = 0; i < 4; i++) {
        size_t end = size;
        for (size_t j = 0; j < 4; j++)
            if (j != i && start[j] >= start[i] && start[j] < end && (start[j] > start[i] || j > i))
                end = start[j];
        *sections[i] = (kcl_range){model->range.start + start[i], model->range.start + end};
    }
    return true;
}

static bool area_read(kcl_doc *doc, kcl_model *model, kart_error *error) {
    const kcl_format *f = doc->format;
    size_t at = model->range.start;
    const uint8_t *header = doc->data + at;
    model->thickness = kcl_load_number(f, header + 0x10);
    model->radius = f->has_radius ? kcl_load_number(f, header + 0x38) : 0;
    model->min = (kart_vec3){kcl_load_number(f, header + 0x14), kcl_load_number(f, header + 0x18),
                             kcl_load_number(f, header + 0x1C)};
    if (!vec3_finite(model->min))
        return kart_fail_at(error, "header", at + 0x14, "area minimum", "finite numbers",
                            "one that is not");
    for (size_t i = 0; i < 3; i++) {
        model->mask[i] = kart_load_u32(header + 0x20 + 4 * i, f->big);
        uint32_t hole = ~model->mask[i];
        if (hole & (hole + 1))
            return kart_fail_at(error, "header", at + 0x20 + 4 * i, "width mask",
                                "ones above zeros", "0x%08lX", (unsigned long)model->mask[i]);
        if (hole >> 31)
            return kart_fail_at(error, "header", at + 0x20 + 4 * i, "width mask",
                                "an area below 2147483648 units", "none at all");
    }
    model->shift = kart_load_u32(header + 0x2C, f->big);
    model->x_shift = kart_load_u32(header + 0x30, f->big);
    model->xy_shift = kart_load_u32(header + 0x34, f->big);
    if (model->shift > 30)
        return kart_fail_at(error, "header", at + 0x2C, "shift of the root cells", "at most 30",
                            "%lu", (unsigned long)model->shift);
    return kcl_roots_read(doc, model, error);
}

static void counts_set(const kcl_doc *doc, kcl_model *model) {
    const kcl_format *f = doc->format;
    kcl_range normals = model->normals;
    model->positions_count = (model->positions.end - model->positions.start) / kcl_position_size(f);
    model->normals_count = (normals.end - normals.start) / kcl_normal_size(f);
    model->prisms_count = (model->prisms.end - model->prisms.start) / kcl_prism_size(f);
    // An id has 16 bits, and one value ends lists: what lies behind can't be named.
    if (model->prisms_count > 65535) model->prisms_count = 65535;
}

// Every index of every prism is that of a position or normal which is there.
static bool prisms_check(const kcl_doc *doc, const kcl_model *model, kart_error *error) {
    static const char *const names[] = {"face normal", "normal CA", "normal AB", "normal BC"};
    char expected[80];
    for (size_t i = 0; i < model->prisms_count; i++) {
        kcl_prism prism = kcl_prism_get(doc, model, i);
        size_t at = model->prisms.start + i * kcl_prism_size(doc->format);
        if (prism.position >= model->positions_count) {
            snprintf(expected, sizeof expected, "below %zu", model->positions_count);
            return kart_fail_at(error, "prisms", at + 4, "position index", expected, "%zu",
                                prism.position);
        }
        for (size_t n = 0; n < KCL_NORMALS; n++) {
            if (prism.normal[n] < model->normals_count) continue;
            snprintf(expected, sizeof expected, "below %zu", model->normals_count);
            return kart_fail_at(error, "prisms", at + 6 + 2 * n, names[n], expected, "%zu",
                                prism.normal[n]);
        }
    }
    return true;
}

static bool header_odds_warn(kcl_doc *doc, const kcl_model *model, kart_error *error) {
    if (!isfinite(model->thickness) || !isfinite(model->radius) || model->thickness < 0 ||
        model->radius < 0)
        if (!kcl_warn(doc, KART_WARNING, "header-numbers", KART_NO_INDEX, "", error,
                      "thickness %g and radius %g are not what a game expects", model->thickness,
                      model->radius))
            return false;
    size_t first = model->positions.start;
    if (model->normals.start < first) first = model->normals.start;
    if (model->prisms.start < first) first = model->prisms.start;
    if (model->octree.start < first) first = model->octree.start;
    size_t extra = first - model->range.start - kcl_header_size(doc->format);
    if (extra > 0 && !kcl_warn(doc, KART_HINT, "header-extra", KART_NO_INDEX, "", error,
                               "%zu more bytes behind the header are kept", extra))
        return false;
    return true;
}

static bool model_parse(kcl_doc *doc, kcl_model *model, kart_error *error) {
    size_t size = model->range.end - model->range.start;
    if (size < kcl_header_size(doc->format)) {
        char expected[80];
        snprintf(expected, sizeof expected, "a header of %zu bytes", kcl_header_size(doc->format));
        return kart_fail_at(error, "header", model->range.start, "model too short", expected, "%zu",
                            size);
    }
    if (!offsets_read(doc, model, error) || !area_read(doc, model, error)) return false;
    counts_set(doc, model);
    return prisms_check(doc, model, error) && header_odds_warn(doc, model, error) &&
           kcl_octree_validate(doc, model, error);
}

static int offset_compare(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// V2: models end where the next one starts, in whatever order the table names them.
static bool ranges_read(kcl_doc *doc, size_t table, size_t *starts, kart_error *error) {
    for (size_t i = 0; i < doc->models_count; i++) {
        size_t at = table + 4 * i, start = kart_load_u32(doc->data + at, doc->format->big);
        if (start < 0x38 || start > doc->size - 0x3C)
            return fail_offset(error, "models", at, "model offset", 0x38, doc->size - 0x3C, start);
        if (start % 4 != 0)
            return kart_fail_at(error, "models", at, "model offset", "a multiple of 4", "0x%zX",
                                start);
        doc->models[i].range.start = starts[i] = start;
    }
    qsort(starts, doc->models_count, sizeof *starts, offset_compare);
    for (size_t i = 1; i < doc->models_count; i++)
        if (starts[i] == starts[i - 1])
            return kart_fail_at(error, "models", table, "model offset", "each only once",
                                "0x%zX twice", starts[i]);
    for (size_t i = 0; i < doc->models_count; i++) {
        kcl_range *range = &doc->models[i].range;
        range->end = doc->size;
        size_t low = 0, high = doc->models_count; // the first start behind this one
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (starts[middle] > range->start)
                high = middle;
            else
                low = middle + 1;
        }
        if (low < doc->models_count) range->end = starts[low];
    }
    return true;
}

// The global octree and the table of models stand before all models, apart from each other.
static bool global_place(kcl_doc *doc, size_t global, size_t table, size_t first_model,
                         kart_error *error) {
    size_t table_end = table + 4 * doc->models_count;
    if (table_end > first_model)
        return fail_offset(error, "models", 8, "offset of the model table", 0x38,
                           first_model - 4 * doc->models_count, table);
    size_t end = table > global ? table : first_model;
    if (global + 32 > end || (table <= global && table_end > global))
        return fail_offset(error, "global octree", 4, "offset, beside the model table", 0x38,
                           first_model - 32, global);
    doc->global = (kcl_range){global, end};
    return true;
}

// Does the header state the number of prisms or of distinct triangles?
static bool total_check(kcl_doc *doc, kart_error *error) {
    size_t distinct;
    if (!kcl_triangles_count(doc, &distinct, error)) return false;
    if (doc->prisms_stated == distinct) return true;
    bool plain_sum = doc->prisms_stated == doc->prisms_count;
    return kcl_warn(doc, plain_sum ? KART_HINT : KART_WARNING, "prism-total", KART_NO_INDEX, "",
                    error, "header states %lu prisms, there are %zu with %zu distinct triangles%s",
                    (unsigned long)doc->prisms_stated, doc->prisms_count, distinct,
                    plain_sum ? ": copies are counted, too" : "");
}

static bool v2_parse(kcl_doc *doc, kart_error *error) {
    const kcl_format *f = doc->format;
    if (doc->size < 0x38 + 0x3C)
        return kart_fail_at(error, "header", 0, "file too short", "116 bytes or more", "%zu",
                            doc->size);
    size_t global = kart_load_u32(doc->data + 4, f->big);
    size_t table = kart_load_u32(doc->data + 8, f->big);
    size_t count = kart_load_u32(doc->data + 12, f->big);
    if (count == 0 || count > KCL_MODELS_LIMIT)
        return kart_fail_at(error, "header", 12, "model count", "1 to 4096", "%zu", count);
    if (count > (doc->size - 0x38) / 4)
        return kart_fail_at(error, "header", 12, "model count", "offsets within the file", "%zu",
                            count);
    if (table < 0x38 || table > doc->size || count > (doc->size - table) / 4)
        return fail_offset(error, "models", 8, "offset of the model table", 0x38,
                           doc->size - 4 * count, table);
    if (global < 0x38 || global > doc->size - 32)
        return fail_offset(error, "global octree", 4, "offset", 0x38, doc->size - 32, global);
    float numbers[6];
    for (size_t i = 0; i < 6; i++) numbers[i] = kart_load_f32(doc->data + 0x10 + 4 * i, f->big);
    doc->min = (kart_vec3){(double)numbers[0], (double)numbers[1], (double)numbers[2]};
    doc->max = (kart_vec3){(double)numbers[3], (double)numbers[4], (double)numbers[5]};
    if (!vec3_finite(doc->min) || !vec3_finite(doc->max))
        return kart_fail_at(error, "header", 0x10, "bounds", "finite numbers", "one that is not");
    for (size_t i = 0; i < 3; i++) {
        doc->width_shift[i] = kart_load_u32(doc->data + 0x28 + 4 * i, f->big);
        if (doc->width_shift[i] > 31)
            return kart_fail_at(error, "header", 0x28 + 4 * i, "width exponent", "at most 31",
                                "%lu", (unsigned long)doc->width_shift[i]);
    }
    doc->prisms_stated = kart_load_u32(doc->data + 0x34, f->big);

    doc->models = kart_alloc(doc->ctx, count * sizeof *doc->models, error);
    if (!doc->models) return false;
    doc->models_count = count;
    size_t *starts = kart_alloc(doc->ctx, count * sizeof *starts, error);
    if (!starts) return false;
    bool done = ranges_read(doc, table, starts, error) &&
                global_place(doc, global, table, starts[0], error);
    kart_free(doc->ctx, starts, count * sizeof *starts);
    for (size_t i = 0; done && i < count; i++) {
        done = model_parse(doc, &doc->models[i], error);
        doc->prisms_count += doc->models[i].prisms_count;
    }
    return done && kcl_global_validate(doc, error) && total_check(doc, error);
}

static bool v1_parse(kcl_doc *doc, kart_error *error) {
    doc->models = kart_alloc(doc->ctx, sizeof *doc->models, error);
    if (!doc->models) return false;
    doc->models_count = 1;
    doc->models[0].range = (kcl_range){0, doc->size};
    if (!model_parse(doc, &doc->models[0], error)) return false;
    doc->prisms_count = doc->models[0].prisms_count;
    return true;
}

kcl_doc *kcl_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                   kart_error *error) {
    if (size > KCL_FILE_LIMIT) {
        kart_fail(error, KART_LIMIT, "file of %zu bytes, the limit for KCL is %zu", size,
                  KCL_FILE_LIMIT);
        return NULL;
    }
    bool guessed = false;
    const kcl_format *format =
        game < KCL_GAMES ? &kcl_formats[game] : kcl_format_guess(data, size, &guessed, error);
    if (!format) return NULL;
    kcl_doc *doc = kart_alloc(ctx, sizeof *doc, error);
    if (!doc) return NULL;
    doc->ctx = ctx;
    doc->format = format;
    doc->guessed = guessed;
    doc->warnings.most = KART_WARNINGS_MOST;
    doc->data = kart_copy(ctx, data, size, error);
    if (doc->data) doc->size = size;
    if (doc->data && (format->v2 ? v2_parse(doc, error) : v1_parse(doc, error))) return doc;
    kcl_free(doc);
    return NULL;
}
