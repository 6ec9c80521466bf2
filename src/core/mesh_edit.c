// Changing a mesh.
#include "core/array.h"
#include "core/grid.h"
#include "core/keys.h"
#include "core/mesh.h"

#include <string.h>

// --- places -----------------------------------------------------------------------------------

bool kart_mesh_transform(kart_mesh *mesh, const kart_affine *map, kart_error *error) {
    if (!kart_affine_finite(map))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix is not finite");
    // Looked at before anything is changed.
    for (size_t i = 0; i < mesh->positions_count; i++)
        if (!kart_position_valid(kart_affine_point(map, mesh->positions[i])))
            return kart_fail(error, KART_LIMIT, "a position would leave the range of floats");
    for (size_t i = 0; i < mesh->positions_count; i++)
        mesh->positions[i] = kart_affine_point(map, mesh->positions[i]);
    kart_mesh_moved(mesh);
    if (kart_affine_determinant(map) < 0) kart_mesh_flip(mesh, NULL);
    return true;
}

// Give each position the number of the kept one that it becomes; kept ones are numbered anew.
static bool weld_find(const kart_mesh *mesh, double tolerance, uint32_t *become, size_t *kept,
                      kart_error *error) {
    kart_grid grid;
    double distance;
    *kept = 0;
    if (!kart_grid_init(mesh->ctx, &grid, mesh->positions, mesh->positions_count, tolerance, error))
        return false;
    bool done = true;
    for (size_t i = 0; done && i < mesh->positions_count; i++) {
        uint32_t nearest = kart_grid_nearest(&grid, mesh->positions[i], &distance);
        if (nearest == KART_NO_POINT) {
            kart_grid_add(&grid, (uint32_t)i);
            become[i] = (uint32_t)(*kept)++;
        } else {
            become[i] = become[nearest];
        }
        done = kart_ctx_step_at(mesh->ctx, i, mesh->positions_count, error);
    }
    kart_grid_free(mesh->ctx, &grid);
    return done;
}

bool kart_mesh_weld(kart_mesh *mesh, double tolerance, size_t *joined, kart_error *error) {
    size_t kept, size = mesh->positions_count * sizeof(uint32_t);
    *joined = 0;
    uint32_t *become = kart_alloc(mesh->ctx, size, error);
    if (!become) return false;
    bool done = weld_find(mesh, tolerance, become, &kept, error);
    if (done) {
        size_t next = 0; // the kept one that comes next; those before have found their place
        for (size_t i = 0; i < mesh->positions_count; i++)
            if (become[i] == next) mesh->positions[next++] = mesh->positions[i];
        for (size_t i = 0; i < mesh->triangles_count; i++)
            for (int c = 0; c < 3; c++)
                mesh->triangles[i].corner[c] = become[mesh->triangles[i].corner[c]];
        *joined = mesh->positions_count - kept;
        mesh->positions_count = kept;
        kart_mesh_moved(mesh);
    }
    kart_free(mesh->ctx, become, size);
    return done;
}

void kart_mesh_flip(kart_mesh *mesh, const uint8_t *chosen) {
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        if (chosen && !chosen[i]) continue;
        uint32_t *corner = mesh->triangles[i].corner, second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
    kart_mesh_moved(mesh);
}

// --- dropping ---------------------------------------------------------------------------------

static bool equal_places(kart_vec3 a, kart_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_degenerate(const kart_mesh *mesh, size_t i, double area) {
    kart_vec3 c[3];
    kart_mesh_corners(mesh, i, c);
    return equal_places(c[0], c[1]) || equal_places(c[1], c[2]) || equal_places(c[2], c[0]) ||
           kart_mesh_triangle_area(mesh, i) <= area;
}

bool kart_mesh_drop_degenerate(kart_mesh *mesh, double area, size_t *dropped, kart_error *error) {
    size_t kept = 0;
    *dropped = 0;
    if (!kart_ctx_step(mesh->ctx, 0, error)) return false;
    for (size_t i = 0; i < mesh->triangles_count; i++)
        if (!is_degenerate(mesh, i, area)) mesh->triangles[kept++] = mesh->triangles[i];
    *dropped = mesh->triangles_count - kept;
    mesh->triangles_count = kept;
    if (*dropped > 0) kart_mesh_moved(mesh);
    return true;
}

// The same for triangles that differ only in where they start.
static kart_key triangle_key(const kart_triangle *t, const uint32_t *same) {
    const uint32_t c[3] = {same[t->corner[0]], same[t->corner[1]], same[t->corner[2]]};
    int first = c[0] <= c[1] && c[0] <= c[2] ? 0 : c[1] <= c[2] ? 1 : 2;
    return (kart_key){{c[first], c[(first + 1) % 3], c[(first + 2) % 3], t->flag}};
}

// Mark the triangles that were there before.
static bool duplicates_find(const kart_mesh *mesh, const uint32_t *same, uint8_t *marks,
                            size_t *count, kart_error *error) {
    kart_keys seen = {0};
    bool done = kart_keys_reserve(mesh->ctx, &seen, mesh->triangles_count, error);
    *count = 0;
    for (size_t i = 0; done && i < mesh->triangles_count; i++) {
        size_t before = seen.count;
        uint32_t number;
        done = kart_keys_add(mesh->ctx, &seen, triangle_key(&mesh->triangles[i], same), &number,
                             error) &&
               kart_ctx_step_at(mesh->ctx, i, mesh->triangles_count, error);
        bool again = done && seen.count == before;
        *count += again;
        if (marks) marks[i] = again;
    }
    kart_keys_free(mesh->ctx, &seen);
    return done;
}

bool kart_mesh_duplicates(const kart_mesh *mesh, const uint32_t *same, size_t *count,
                          kart_error *error) {
    return duplicates_find(mesh, same, NULL, count, error);
}

bool kart_mesh_drop_duplicates(kart_mesh *mesh, size_t *dropped, kart_error *error) {
    size_t distinct, same_size = mesh->positions_count * sizeof(uint32_t), kept = 0;
    size_t marks_size = mesh->triangles_count;
    *dropped = 0;
    uint32_t *same = kart_alloc(mesh->ctx, same_size, error);
    uint8_t *marks = same ? kart_alloc(mesh->ctx, marks_size, error) : NULL;
    bool done = marks && kart_mesh_places(mesh, same, &distinct, error) &&
                duplicates_find(mesh, same, marks, dropped, error);
    if (done) {
        for (size_t i = 0; i < mesh->triangles_count; i++)
            if (!marks[i]) mesh->triangles[kept++] = mesh->triangles[i];
        mesh->triangles_count = kept;
        if (*dropped > 0) kart_mesh_moved(mesh);
    }
    kart_free(mesh->ctx, same, same_size);
    kart_free(mesh->ctx, marks, marks_size);
    return done;
}

// --- taking apart and putting together ----------------------------------------------------------

// The number that a name of `from` has in `to`, where it is added if need be.
static bool name_carry(kart_ctx *ctx, kart_names *to, const kart_names *from, uint32_t *number,
                       kart_error *error) {
    if (*number == KART_NO_NAME) return true;
    const char *name = kart_names_get(from, *number);
    return kart_names_add(ctx, to, name, strlen(name), number, error);
}

static bool triangle_carry(kart_mesh *to, const kart_mesh *from, kart_triangle triangle,
                           kart_error *error) {
    uint32_t old = triangle.material;
    size_t known = to->materials.count;
    if (!name_carry(to->ctx, &to->materials, &from->materials, &triangle.material, error) ||
        !name_carry(to->ctx, &to->parts, &from->parts, &triangle.part, error))
        return false;
    kart_colour colour = kart_mesh_colour(from, old);
    if (to->materials.count > known && !isnan(colour.red) &&
        !kart_mesh_set_colour(to, triangle.material, colour, error))
        return false;
    return kart_mesh_add_triangle(to, triangle, error);
}

static bool pick_into(kart_mesh *picked, const kart_mesh *mesh, const uint8_t *chosen,
                      uint32_t *become, kart_error *error) {
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        if (!kart_ctx_step_at(mesh->ctx, i, mesh->triangles_count, error)) return false;
        if (!chosen[i]) continue;
        kart_triangle triangle = mesh->triangles[i];
        for (int c = 0; c < 3; c++) {
            uint32_t *at = &become[triangle.corner[c]]; // number + 1, 0: not taken yet
            if (*at == 0 &&
                !kart_mesh_add_position(picked, mesh->positions[triangle.corner[c]], error))
                return false;
            if (*at == 0) *at = (uint32_t)picked->positions_count;
            triangle.corner[c] = *at - 1;
        }
        if (!triangle_carry(picked, mesh, triangle, error)) return false;
    }
    return true;
}

kart_mesh *kart_mesh_pick(const kart_mesh *mesh, const uint8_t *chosen, kart_error *error) {
    size_t size = mesh->positions_count * sizeof(uint32_t);
    kart_mesh *picked = kart_mesh_new(mesh->ctx, mesh->game, error);
    uint32_t *become = picked ? kart_alloc(mesh->ctx, size, error) : NULL;
    bool done = become && pick_into(picked, mesh, chosen, become, error);
    kart_free(mesh->ctx, become, size);
    if (done) {
        kart_mesh_fit(picked);
        return picked;
    }
    kart_mesh_free(picked);
    return NULL;
}

bool kart_mesh_merge(kart_mesh *mesh, const kart_mesh *other, kart_error *error) {
    size_t positions = mesh->positions_count, triangles = mesh->triangles_count;
    size_t more = other->positions_count, more_triangles = other->triangles_count;
    bool done = true;
    // By number, as `other` may be the mesh itself.
    for (size_t i = 0; done && i < more; i++)
        done = kart_ctx_step_at(mesh->ctx, i, more, error) &&
               kart_mesh_add_position(mesh, other->positions[i], error);
    for (size_t i = 0; done && i < more_triangles; i++) {
        kart_triangle triangle = other->triangles[i];
        for (int c = 0; c < 3; c++) triangle.corner[c] += (uint32_t)positions;
        done = kart_ctx_step_at(mesh->ctx, i, more_triangles, error) &&
               (mesh == other ? kart_mesh_add_triangle(mesh, triangle, error)
                              : triangle_carry(mesh, other, triangle, error));
    }
    if (done) return true;
    mesh->positions_count = positions;
    mesh->triangles_count = triangles;
    return false;
}

// --- flags ------------------------------------------------------------------------------------

void kart_mesh_set_flag(kart_mesh *mesh, size_t triangle, uint32_t flag) {
    kart_triangle *t = &mesh->triangles[triangle];
    if (t->flag == flag) return;
    t->flag = flag;
    t->material = KART_NO_NAME;
}

size_t kart_mesh_map_flags(kart_mesh *mesh, const uint16_t map[65536]) {
    size_t changed = 0;
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        uint32_t flag = mesh->triangles[i].flag;
        if (flag > 0xFFFF || map[flag] == flag) continue;
        kart_mesh_set_flag(mesh, i, map[flag]);
        changed++;
    }
    return changed;
}

size_t kart_mesh_tag(kart_mesh *mesh, const uint32_t *flags) {
    size_t changed = 0;
    for (size_t i = 0; i < mesh->triangles_count; i++) {
        kart_triangle *t = &mesh->triangles[i];
        uint32_t flag = flags[t->material == KART_NO_NAME ? mesh->materials.count : t->material];
        if (flag == KART_NO_FLAG || t->flag == flag) continue;
        t->flag = flag;
        changed++;
    }
    return changed;
}
