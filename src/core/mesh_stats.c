// What is in a mesh, in numbers.
#include "core/grid.h"
#include "core/keys.h"
#include "core/mesh.h"

#include <string.h>

#define NO_AREA 1e-9 // square units, as of prisms

bool kart_mesh_places(const kart_mesh *mesh, uint32_t *same, size_t *distinct, kart_error *error) {
    kart_grid grid;
    double distance;
    *distinct = 0;
    if (!kart_grid_init(mesh->ctx, &grid, mesh->positions, mesh->positions_count, 0, error))
        return false;
    for (size_t i = 0; i < mesh->positions_count; i++) {
        same[i] = kart_grid_nearest(&grid, mesh->positions[i], &distance);
        if (same[i] != KART_NO_POINT) continue;
        kart_grid_add(&grid, (uint32_t)i);
        same[i] = (uint32_t)i;
        (*distinct)++;
    }
    kart_grid_free(mesh->ctx, &grid);
    return true;
}

bool kart_mesh_bounds(const kart_mesh *mesh, kart_vec3 *low, kart_vec3 *high) {
    *low = (kart_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *high = vec3_scale(*low, -1);
    for (size_t i = 0; i < mesh->triangles_count; i++)
        for (int c = 0; c < 3; c++) {
            kart_vec3 p = mesh->positions[mesh->triangles[i].corner[c]];
            *low = (kart_vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
            *high = (kart_vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
        }
    return mesh->triangles_count > 0;
}

double kart_mesh_area(const kart_mesh *mesh) {
    double area = 0;
    for (size_t i = 0; i < mesh->triangles_count; i++) area += kart_mesh_triangle_area(mesh, i);
    return area;
}

void kart_mesh_count_flags(const kart_mesh *mesh, size_t counts[65536], double areas[65536]) {
    memset(counts, 0, 65536 * sizeof *counts);
    memset(areas, 0, 65536 * sizeof *areas);
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        uint32_t flag = mesh->triangles[i].flag;
        if (flag > 0xFFFF) continue;
        counts[flag]++;
        areas[flag] += kart_mesh_triangle_area(mesh, i);
    }
}

void kart_mesh_count_materials(const kart_mesh *mesh, size_t *counts, size_t *unflagged,
                               uint32_t *flags) {
    size_t none = mesh->materials.count;
    for (size_t i = 0; i <= none; i++) {
        counts[i] = unflagged[i] = 0;
        flags[i] = KART_NO_FLAG;
    }
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        const kart_triangle *t = &mesh->triangles[i];
        size_t m = t->material == KART_NO_NAME ? none : t->material;
        bool flagged = t->flag != KART_NO_FLAG, first = counts[m] == unflagged[m];
        if (flagged) flags[m] = first || flags[m] == t->flag ? t->flag : KART_NO_FLAG;
        counts[m]++;
        unflagged[m] += !flagged;
    }
}

// Edges with the number of triangles that have them.
typedef struct edges {
    kart_keys keys;
    uint8_t *uses; // 3 for more
    size_t uses_size;
} edges;

static bool edges_count(const kart_mesh *mesh, const uint32_t *same, edges *e,
                        kart_mesh_stats *stats, kart_error *error) {
    // As many as a closed surface has; others have more.
    size_t likely = mesh->triangles_count / 2 * 3;
    if (!kart_keys_reserve(mesh->ctx, &e->keys, likely, error)) return false;
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        const uint32_t *corner = mesh->triangles[i].corner;
        uint32_t c[3] = {same[corner[0]], same[corner[1]], same[corner[2]]}, number;
        bool flat = c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
        stats->degenerate += flat || kart_mesh_triangle_area(mesh, i) <= NO_AREA;
        stats->unflagged += mesh->triangles[i].flag == KART_NO_FLAG;
        for (int k = 0; !flat && k < 3; k++) {
            uint32_t a = c[k], b = c[(k + 1) % 3];
            kart_key key = {{a < b ? a : b, a < b ? b : a, 0, 0}};
            if (!kart_keys_add(mesh->ctx, &e->keys, key, &number, error)) return false;
            if (e->uses[number] < 3) e->uses[number]++;
        }
        if (!kart_ctx_step_at(mesh->ctx, i, mesh->triangles_count, error)) return false;
    }
    stats->edges = e->keys.count;
    for (size_t i = 0; i < e->keys.count; i++) {
        stats->open_edges += e->uses[i] == 1;
        stats->crowded += e->uses[i] == 3;
    }
    return true;
}

static bool unused_count(const kart_mesh *mesh, kart_mesh_stats *stats, kart_error *error) {
    uint8_t *used = kart_alloc(mesh->ctx, mesh->positions_count, error);
    if (!used) return false;
    for (size_t i = 0; i < mesh->triangles_count; i++)
        for (int c = 0; c < 3; c++) used[mesh->triangles[i].corner[c]] = 1;
    for (size_t i = 0; i < mesh->positions_count; i++) stats->unused += !used[i];
    kart_free(mesh->ctx, used, mesh->positions_count);
    return true;
}

bool kart_mesh_stats_get(const kart_mesh *mesh, kart_mesh_stats *stats, kart_error *error) {
    size_t same_size = mesh->positions_count * sizeof(uint32_t);
    edges e = {.uses_size = 3 * mesh->triangles_count};
    *stats = (kart_mesh_stats){.positions = mesh->positions_count,
                               .triangles = mesh->triangles_count,
                               .area = kart_mesh_area(mesh)};
    kart_mesh_bounds(mesh, &stats->low, &stats->high);
    uint32_t *same = kart_alloc(mesh->ctx, same_size, error);
    e.uses = same ? kart_alloc(mesh->ctx, e.uses_size, error) : NULL;
    bool done = e.uses && kart_mesh_places(mesh, same, &stats->distinct, error) &&
                edges_count(mesh, same, &e, stats, error) &&
                kart_mesh_duplicates(mesh, same, &stats->duplicates, error) &&
                unused_count(mesh, stats, error);
    kart_keys_free(mesh->ctx, &e.keys);
    kart_free(mesh->ctx, e.uses, e.uses_size);
    kart_free(mesh->ctx, same, same_size);
    return done;
}
