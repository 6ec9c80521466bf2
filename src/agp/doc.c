// Life of a document, access to records and flags.
#include "agp/layout.h"
#include "core/tree.h"

#include <stdarg.h>
#include <stdio.h>

static void pool_free(kart_ctx *ctx, agp_pool *pool) {
    kart_free(ctx, pool->list, pool->places * sizeof *pool->list);
    kart_free(ctx, pool->offsets, pool->places * sizeof *pool->offsets);
    kart_free(ctx, pool->starts, (pool->count + 1) * sizeof *pool->starts);
}

static bool pool_copy(kart_ctx *ctx, agp_pool *to, const agp_pool *from, kart_error *error) {
    to->count = from->count;
    to->places = from->places;
    to->list = kart_copy(ctx, from->list, from->places * sizeof *from->list, error);
    if (to->list)
        to->offsets = kart_copy(ctx, from->offsets, from->places * sizeof *from->offsets, error);
    if (to->offsets)
        to->starts = kart_copy(ctx, from->starts, (from->count + 1) * sizeof *from->starts, error);
    return to->starts != NULL;
}

agp_doc *agp_clone(const agp_doc *doc, kart_error *error) {
    agp_doc *copy = kart_alloc(doc->ctx, sizeof *copy, error);
    if (!copy) return NULL;
    *copy = *doc;
    copy->warnings = (kart_findings){0};
    memset(copy->pools, 0, sizeof copy->pools);
    copy->cells = NULL;
    copy->tree = kart_tree_share(doc->tree);
    copy->data = kart_copy(doc->ctx, doc->data, doc->size, error);
    if (copy->data)
        copy->cells = kart_copy(doc->ctx, doc->cells, doc->cells_count * sizeof *doc->cells, error);
    if (copy->cells &&
        pool_copy(doc->ctx, &copy->pools[AGP_TRIANGLES], &doc->pools[AGP_TRIANGLES], error) &&
        pool_copy(doc->ctx, &copy->pools[AGP_WALLS], &doc->pools[AGP_WALLS], error) &&
        kart_findings_copy(doc->ctx, &copy->warnings, &doc->warnings, error))
        return copy;
    agp_free(copy);
    return NULL;
}

void agp_free(agp_doc *doc) {
    if (!doc) return;
    kart_tree_free(doc->tree);
    for (int kind = 0; kind < AGP_KINDS; kind++) pool_free(doc->ctx, &doc->pools[kind]);
    kart_free(doc->ctx, doc->data, doc->size);
    kart_free(doc->ctx, doc->cells, doc->cells_count * sizeof *doc->cells);
    kart_findings_free(doc->ctx, &doc->warnings);
    kart_free(doc->ctx, doc, sizeof *doc);
}

size_t agp_memory(const agp_doc *doc) {
    size_t memory = sizeof *doc + doc->size + doc->cells_count * sizeof *doc->cells +
                    doc->warnings.capacity * sizeof *doc->warnings.items;
    for (int kind = 0; kind < AGP_KINDS; kind++)
        memory += (2 * doc->pools[kind].places + doc->pools[kind].count) * sizeof(uint32_t);
    return memory;
}

uint8_t *agp_serialize(const agp_doc *doc, size_t *size, kart_error *error) {
    *size = 0;
    uint8_t *bytes = kart_copy(doc->ctx, doc->data, doc->size, error);
    if (bytes) *size = doc->size;
    return bytes;
}

// Warnings about how a file is laid out, which a new layout does away with.
static bool is_about_layout(const char *rule) {
    static const char *const rules[] = {"bounds-zero", "cell-ends-early", "end-not-zeros",
                                        "file-tail", "records-overlap"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i], rule) == 0) return true;
    return false;
}

static bool warnings_add(kart_ctx *ctx, kart_findings *to, const kart_findings *from,
                         kart_error *error) {
    for (size_t i = 0; i < from->count; i++)
        if (!is_about_layout(from->items[i].rule) &&
            !kart_findings_add(ctx, to, from->items[i], error, "%s", from->items[i].message))
            return false;
    return true;
}

bool agp_take(agp_doc *doc, agp_doc *fresh, kart_error *error) {
    kart_findings all = {.most = doc->warnings.most};
    if (!warnings_add(doc->ctx, &all, &doc->warnings, error) ||
        !warnings_add(doc->ctx, &all, &fresh->warnings, error)) {
        kart_findings_free(doc->ctx, &all);
        return false;
    }
    agp_doc old = *doc;
    *doc = *fresh;
    *fresh = old;
    kart_findings_free(doc->ctx, &doc->warnings);
    doc->warnings = all;
    return true;
}

bool agp_warn(agp_doc *doc, kart_severity severity, const char *rule, const char *section,
              size_t index, const char *field, kart_error *error, const char *message, ...) {
    char text[160];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    kart_finding finding = {.rule = rule,
                            .severity = severity,
                            .section = section,
                            .index = index,
                            .point = KART_NO_INDEX,
                            .field = field};
    return kart_findings_add(doc->ctx, &doc->warnings, finding, error, "%s", text);
}

// --- records ----------------------------------------------------------------------------------

static void floats_load(const uint8_t *at, float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) numbers[i] = kart_load_f32(at + 4 * i, true);
}

static void floats_store(uint8_t *at, const float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) kart_store_f32(at + 4 * i, true, numbers[i]);
}

void agp_corners_load(const uint8_t *record, float corner[3][3]) {
    for (size_t i = 0; i < 3; i++) floats_load(record + 0x10 + 12 * i, corner[i], 3);
}

agp_triangle agp_triangle_load(const uint8_t *record) {
    agp_triangle t;
    floats_load(record, t.min, 2);
    floats_load(record + 0x08, t.max, 2);
    agp_corners_load(record, t.corner);
    for (size_t i = 0; i < 3; i++) floats_load(record + 0x34 + 12 * i, t.edge[i], 3);
    t.open = kart_load_u32(record + AGP_OPEN_AT, true);
    t.flag = kart_load_u32(record + AGP_FLAG_AT, true);
    floats_load(record + 0x60, t.normal, 3);
    floats_load(record + 0x6C, &t.distance, 1);
    return t;
}

void agp_triangle_store(uint8_t *record, const agp_triangle *t) {
    floats_store(record, t->min, 2);
    floats_store(record + 0x08, t->max, 2);
    for (size_t i = 0; i < 3; i++) {
        floats_store(record + 0x10 + 12 * i, t->corner[i], 3);
        floats_store(record + 0x34 + 12 * i, t->edge[i], 3);
    }
    kart_store_u32(record + AGP_OPEN_AT, true, t->open);
    kart_store_u32(record + AGP_FLAG_AT, true, t->flag);
    floats_store(record + 0x60, t->normal, 3);
    floats_store(record + 0x6C, &t->distance, 1);
}

agp_wall agp_wall_load(const uint8_t *record) {
    agp_wall wall;
    floats_load(record, wall.min, 2);
    floats_load(record + 0x08, wall.max, 2);
    floats_load(record + 0x10, wall.end[0], 2);
    floats_load(record + 0x18, wall.end[1], 2);
    return wall;
}

void agp_wall_store(uint8_t *record, const agp_wall *wall) {
    floats_store(record, wall->min, 2);
    floats_store(record + 0x08, wall->max, 2);
    floats_store(record + 0x10, wall->end[0], 2);
    floats_store(record + 0x18, wall->end[1], 2);
}

void agp_corners(const agp_triangle *t, kart_vec3 corner[3]) {
    for (int i = 0; i < 3; i++)
        corner[i] =
            (kart_vec3){(double)t->corner[i][0], (double)t->corner[i][1], (double)t->corner[i][2]};
}

double agp_area(const agp_triangle *t) {
    kart_vec3 c[3];
    agp_corners(t, c);
    return vec3_length(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]))) / 2;
}

size_t agp_cell_of(const agp_grid *grid, float x, float z) {
    double column = agp_cell_along(grid, 0, x), row = agp_cell_along(grid, 1, z);
    if (!(column >= 0 && column < grid->width && row >= 0 && row < grid->length)) return SIZE_MAX;
    return (size_t)row * grid->width + (size_t)column;
}

// --- flags ------------------------------------------------------------------------------------

uint32_t agp_flag_get(const agp_doc *doc, size_t triangle) {
    return kart_load_u32(agp_record_at(doc, AGP_TRIANGLES, triangle) + AGP_FLAG_AT, true);
}

static void flag_store(agp_doc *doc, size_t triangle, uint32_t flag) {
    const agp_pool *pool = &doc->pools[AGP_TRIANGLES];
    for (size_t i = pool->starts[triangle]; i < pool->starts[triangle + 1]; i++)
        kart_store_u32(doc->data + pool->offsets[i] + AGP_FLAG_AT, true, flag);
}

bool agp_flag_set(agp_doc *doc, size_t triangle, uint32_t flag, kart_error *error) {
    if (flag == agp_flag_get(doc, triangle)) return true;
    if (doc->overlaps && !agp_relayout(doc, error)) return false;
    flag_store(doc, triangle, flag);
    return true;
}

// The place of a flag in an ascending list, SIZE_MAX where it isn't in it.
static size_t flag_find(const uint32_t *list, size_t count, uint32_t flag) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle] < flag)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == flag ? low : SIZE_MAX;
}

bool agp_flags_map(agp_doc *doc, const uint32_t *from, const uint32_t *to, size_t count,
                   size_t *changed, kart_error *error) {
    *changed = 0;
    if (doc->overlaps && count > 0 && !agp_relayout(doc, error)) return false;
    for (size_t i = 0; i < doc->pools[AGP_TRIANGLES].count; i++) {
        size_t at = flag_find(from, count, agp_flag_get(doc, i));
        if (at == SIZE_MAX || to[at] == from[at]) continue;
        flag_store(doc, i, to[at]);
        ++*changed;
    }
    return true;
}
