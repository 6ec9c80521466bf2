// Life of a mesh, and building one.
#include "core/mesh.h"

#include "core/array.h"
#include "core/text.h"
#include "core/tree.h"

#include <ctype.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

kart_mesh *kart_mesh_new(kart_ctx *ctx, const char *game, kart_error *error) {
    kart_mesh *mesh = kart_alloc(ctx, sizeof *mesh, error);
    if (!mesh) return NULL;
    mesh->ctx = ctx;
    mesh->warnings.most = KART_WARNINGS_MOST;
    snprintf(mesh->game, sizeof mesh->game, "%s", game);
    return mesh;
}

void kart_mesh_free(kart_mesh *mesh) {
    if (!mesh) return;
    kart_ctx *ctx = mesh->ctx;
    kart_free(ctx, mesh->positions, mesh->positions_capacity * sizeof *mesh->positions);
    kart_free(ctx, mesh->triangles, mesh->triangles_capacity * sizeof *mesh->triangles);
    kart_free(ctx, mesh->colours, mesh->colours_count * sizeof *mesh->colours);
    kart_free(ctx, mesh->surfaces, mesh->surfaces_capacity * sizeof *mesh->surfaces);
    kart_names_free(ctx, &mesh->materials);
    kart_names_free(ctx, &mesh->parts);
    kart_names_free(ctx, &mesh->surface_names);
    kart_names_free(ctx, &mesh->libraries);
    kart_findings_free(ctx, &mesh->warnings);
    kart_tree_free(mesh->tree);
    kart_free(ctx, mesh, sizeof *mesh);
}

size_t kart_mesh_memory(const kart_mesh *mesh) {
    return sizeof *mesh + mesh->positions_capacity * sizeof *mesh->positions +
           mesh->triangles_capacity * sizeof *mesh->triangles +
           mesh->colours_count * sizeof *mesh->colours +
           mesh->surfaces_capacity * sizeof *mesh->surfaces + kart_names_memory(&mesh->materials) +
           kart_names_memory(&mesh->parts) + kart_names_memory(&mesh->surface_names) +
           kart_names_memory(&mesh->libraries) +
           mesh->warnings.capacity * sizeof *mesh->warnings.items;
}

// A copy of an array of exactly `count` items; NULL for none, with `*done` cleared on failure.
static void *array_copy(kart_ctx *ctx, const void *items, size_t count, size_t item_size,
                        size_t *capacity, bool *done, kart_error *error) {
    if (!*done || count == 0) return NULL;
    void *copy = kart_copy(ctx, items, count * item_size, error);
    if (copy) *capacity = count;
    *done = copy != NULL;
    return copy;
}

kart_mesh *kart_mesh_clone(const kart_mesh *mesh, kart_error *error) {
    kart_ctx *ctx = mesh->ctx;
    kart_mesh *copy = kart_mesh_new(ctx, mesh->game, error);
    if (!copy) return NULL;
    bool done = true;
    copy->positions = array_copy(ctx, mesh->positions, mesh->positions_count, sizeof(kart_vec3),
                                 &copy->positions_capacity, &done, error);
    copy->triangles = array_copy(ctx, mesh->triangles, mesh->triangles_count, sizeof(kart_triangle),
                                 &copy->triangles_capacity, &done, error);
    copy->colours = array_copy(ctx, mesh->colours, mesh->colours_count, sizeof(kart_colour),
                               &copy->colours_count, &done, error);
    copy->positions_count = copy->positions_capacity;
    copy->triangles_count = copy->triangles_capacity;
    copy->tree = kart_tree_share(mesh->tree);
    // Surfaces are not copied: whoever writes a mesh names them anew.
    if (done && kart_names_copy(ctx, &copy->materials, &mesh->materials, error) &&
        kart_names_copy(ctx, &copy->parts, &mesh->parts, error) &&
        kart_findings_copy(ctx, &copy->warnings, &mesh->warnings, error))
        return copy;
    kart_mesh_free(copy);
    return NULL;
}

static void array_fit(kart_ctx *ctx, void **items, size_t *capacity, size_t count,
                      size_t item_size) {
    if (count == *capacity) return;
    if (count == 0) {
        kart_free(ctx, *items, *capacity * item_size);
        *items = NULL;
        *capacity = 0;
        return;
    }
    void *fitted = kart_realloc(ctx, *items, *capacity * item_size, count * item_size, NULL);
    if (!fitted) return;
    *items = fitted;
    *capacity = count;
}

void kart_mesh_fit(kart_mesh *mesh) {
    void *positions = mesh->positions, *triangles = mesh->triangles;
    array_fit(mesh->ctx, &positions, &mesh->positions_capacity, mesh->positions_count,
              sizeof *mesh->positions);
    array_fit(mesh->ctx, &triangles, &mesh->triangles_capacity, mesh->triangles_count,
              sizeof *mesh->triangles);
    mesh->positions = positions;
    mesh->triangles = triangles;
}

// --- building ---------------------------------------------------------------------------------

bool kart_position_valid(kart_vec3 p) {
    const double most = (double)FLT_MAX;
    return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

bool kart_mesh_add_position(kart_mesh *mesh, kart_vec3 position, kart_error *error) {
    if (mesh->positions_count == KART_MESH_LIMIT)
        return kart_fail(error, KART_LIMIT, "more than %zu positions", KART_MESH_LIMIT);
    kart_vec3 *positions = kart_array_grow(mesh->ctx, mesh->positions, &mesh->positions_capacity,
                                           mesh->positions_count + 1, sizeof *positions, error);
    if (!positions) return false;
    mesh->positions = positions;
    positions[mesh->positions_count++] = position;
    return true;
}

bool kart_mesh_add_triangle(kart_mesh *mesh, kart_triangle triangle, kart_error *error) {
    if (mesh->triangles_count == KART_MESH_LIMIT)
        return kart_fail(error, KART_LIMIT, "more than %zu triangles", KART_MESH_LIMIT);
    kart_triangle *triangles =
        kart_array_grow(mesh->ctx, mesh->triangles, &mesh->triangles_capacity,
                        mesh->triangles_count + 1, sizeof *triangles, error);
    if (!triangles) return false;
    mesh->triangles = triangles;
    triangles[mesh->triangles_count++] = triangle;
    kart_mesh_moved(mesh);
    return true;
}

void kart_mesh_trim_name(const char **text, size_t *length) {
    while (*length > 0 && kart_is_space(**text)) (*text)++, (*length)--;
    while (*length > 0 && (kart_is_space((*text)[*length - 1]) || (*text)[*length - 1] == '\\'))
        (*length)--;
    if (*length == 6 && memcmp(*text, "(null)", 6) == 0) *length = 0;
}

static const kart_colour no_colour = {NAN, NAN, NAN};

kart_colour kart_mesh_colour(const kart_mesh *mesh, uint32_t material) {
    return material < mesh->colours_count ? mesh->colours[material] : no_colour;
}

bool kart_mesh_set_colour(kart_mesh *mesh, uint32_t material, kart_colour colour,
                          kart_error *error) {
    if (material >= mesh->colours_count) {
        size_t count = mesh->materials.count;
        kart_colour *grown =
            kart_realloc(mesh->ctx, mesh->colours, mesh->colours_count * sizeof *grown,
                         count * sizeof *grown, error);
        if (!grown) return false;
        for (size_t i = mesh->colours_count; i < count; i++) grown[i] = no_colour;
        mesh->colours = grown;
        mesh->colours_count = count;
    }
    mesh->colours[material] = colour;
    return true;
}

bool kart_mesh_add_surface(kart_mesh *mesh, uint32_t flag, const char *name, kart_colour colour,
                           kart_error *error) {
    uint32_t number;
    if (!kart_names_add(mesh->ctx, &mesh->surface_names, name, strlen(name), &number, error))
        return false;
    kart_surface *surfaces = kart_array_grow(mesh->ctx, mesh->surfaces, &mesh->surfaces_capacity,
                                             mesh->surfaces_count + 1, sizeof *surfaces, error);
    if (!surfaces) return false;
    mesh->surfaces = surfaces;
    surfaces[mesh->surfaces_count++] = (kart_surface){flag, number, colour};
    return true;
}

void kart_mesh_clear_surfaces(kart_mesh *mesh) { mesh->surfaces_count = 0; }

const kart_surface *kart_mesh_surface(const kart_mesh *mesh, uint32_t flag) {
    size_t low = 0, high = mesh->surfaces_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mesh->surfaces[middle].flag < flag)
            low = middle + 1;
        else
            high = middle;
    }
    return low < mesh->surfaces_count && mesh->surfaces[low].flag == flag ? &mesh->surfaces[low]
                                                                          : NULL;
}

bool kart_mesh_warn(kart_mesh *mesh, kart_severity severity, const char *rule, kart_error *error,
                    const char *message, ...) {
    char text[160];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    kart_finding finding = {.rule = rule,
                            .severity = severity,
                            .section = "",
                            .index = KART_NO_INDEX,
                            .point = KART_NO_INDEX,
                            .field = ""};
    return kart_findings_add(mesh->ctx, &mesh->warnings, finding, error, "%s", text);
}

// --- triangles --------------------------------------------------------------------------------

void kart_mesh_corners(const kart_mesh *mesh, size_t triangle, kart_vec3 corner[3]) {
    for (int i = 0; i < 3; i++) corner[i] = mesh->positions[mesh->triangles[triangle].corner[i]];
}

double kart_mesh_triangle_area(const kart_mesh *mesh, size_t triangle) {
    kart_vec3 c[3];
    kart_mesh_corners(mesh, triangle, c);
    return vec3_length(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]))) / 2;
}

// --- names ------------------------------------------------------------------------------------

// `count` digits to the base of 16 at `text`; false if one isn't.
static bool hex_read(const char *text, size_t count, uint32_t *value) {
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        int c = tolower((unsigned char)text[i]);
        if (!isxdigit(c)) return false;
        *value = *value << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

static bool has_digit(const char *text, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isdigit((unsigned char)text[i])) return true;
    return false;
}

static bool is_upper(const char *text, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isupper((unsigned char)text[i])) return false;
    return true;
}

// Is there the `_` of an ending of `count` characters?
static bool ending_at(const char *word, size_t length, size_t count) {
    return length >= count && word[length - count] == '_';
}

// The flag of one word, which ends behind `length`; `*stem` is where what says it begins.
static uint32_t word_flag(const char *word, size_t length, size_t *stem) {
    // A number of a copy: .001
    size_t digits = length;
    while (digits > 0 && isdigit((unsigned char)word[digits - 1])) digits--;
    if (digits > 0 && length - digits >= 3 && word[digits - 1] == '.') length = digits - 1;

    uint32_t value, variant;
    const char *end = word + length;
    *stem = 0;
    if (length >= 5 && length <= 8 && hex_read(word + 4, length - 4, &value) && word[3] == '_' &&
        toupper((unsigned char)word[0]) == 'C' && toupper((unsigned char)word[1]) == 'O' &&
        toupper((unsigned char)word[2]) == 'L')
        return value;
    *stem = length - 10;
    if (ending_at(word, length, 10) && toupper((unsigned char)end[-9]) == 'F' &&
        hex_read(end - 8, 8, &value) && has_digit(end - 8, 8))
        return value;
    *stem = length - 6;
    if (ending_at(word, length, 6) && toupper((unsigned char)end[-5]) == 'F' &&
        hex_read(end - 4, 4, &value) && (has_digit(end - 4, 4) || is_upper(end - 5, 5)))
        return value;
    *stem = length - 7;
    if (ending_at(word, length, 7) && end[-4] == '_' && hex_read(end - 6, 2, &value) &&
        hex_read(end - 3, 3, &variant) && value < 0x20 && variant < 0x800)
        return value | variant << 5;
    *stem = length - 5;
    if (ending_at(word, length, 5) && hex_read(end - 4, 4, &value) && has_digit(end - 4, 4))
        return value;
    return KART_NO_FLAG;
}

// The same for a name of several words.
static uint32_t name_flag(const char *name, size_t *stem) {
    size_t end = strlen(name);
    while (end > 0) {
        while (end > 0 && kart_is_space(name[end - 1])) end--;
        size_t start = end;
        while (start > 0 && !kart_is_space(name[start - 1])) start--;
        uint32_t flag = word_flag(name + start, end - start, stem);
        *stem += start;
        if (flag != KART_NO_FLAG) return flag;
        end = start;
    }
    *stem = strlen(name);
    return KART_NO_FLAG;
}

uint32_t kart_flag_of_name(const char *name) {
    size_t stem;
    return name_flag(name, &stem);
}

size_t kart_flag_name_stem(const char *name) {
    size_t stem;
    name_flag(name, &stem);
    while (stem > 0 && (name[stem - 1] == '_' || kart_is_space(name[stem - 1]))) stem--;
    return stem;
}

uint32_t kart_mesh_named_flag(const kart_mesh *mesh, uint32_t material, uint32_t part) {
    uint32_t flag = material == KART_NO_NAME
                        ? KART_NO_FLAG
                        : kart_flag_of_name(kart_names_get(&mesh->materials, material));
    if (flag != KART_NO_FLAG || part == KART_NO_NAME) return flag;
    return kart_flag_of_name(kart_names_get(&mesh->parts, part));
}
