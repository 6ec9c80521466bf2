#include "agp/mesh.h"

#include "core/grid.h"
#include "core/tree.h"

typedef struct work {
    kart_mesh *mesh;
    kart_vec3 *places; // corners that are positions
    size_t places_count;
    kart_grid grid; // of them
} work;

static bool corner_take(work *w, kart_vec3 corner, uint32_t *number, kart_error *error) {
    double distance;
    *number = kart_grid_nearest(&w->grid, corner, &distance);
    if (*number != KART_NO_POINT) return true;
    *number = (uint32_t)w->places_count++;
    w->places[*number] = corner;
    kart_grid_add(&w->grid, *number);
    return kart_mesh_add_position(w->mesh, corner, error);
}

static bool triangle_take(work *w, const agp_triangle *t, size_t *left_out, kart_error *error) {
    kart_vec3 corner[3];
    kart_triangle made = {.flag = t->flag, .material = KART_NO_NAME, .part = KART_NO_NAME};
    agp_corners(t, corner);
    for (int i = 0; i < 3; i++)
        if (!vec3_finite(corner[i])) {
            ++*left_out;
            return true;
        }
    for (int i = 0; i < 3; i++)
        if (!corner_take(w, corner[i], &made.corner[i], error)) return false;
    return kart_mesh_add_triangle(w->mesh, made, error);
}

static bool triangles_take(work *w, const agp_doc *doc, size_t *left_out, kart_error *error) {
    size_t count = doc->pools[AGP_TRIANGLES].count;
    *left_out = 0;
    if (!kart_grid_init(doc->ctx, &w->grid, w->places, 3 * count, 0, error)) return false;
    for (size_t i = 0; i < count; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        if (!kart_ctx_step_at(doc->ctx, i, count, error) || !triangle_take(w, &t, left_out, error))
            return false;
    }
    return *left_out == 0 ||
           kart_mesh_warn(w->mesh, KART_WARNING, "mesh-left-out", error,
                          "%zu of %zu triangles have a corner that isn't finite, and were left out",
                          *left_out, count);
}

kart_mesh *agp_mesh(const agp_doc *doc, size_t *left_out, kart_error *error) {
    size_t size = 3 * doc->pools[AGP_TRIANGLES].count * sizeof(kart_vec3);
    work w = {.mesh = kart_mesh_new(doc->ctx, "mkagp", error)};
    if (!w.mesh) return NULL;
    w.places = kart_alloc(doc->ctx, size, error);
    bool done = w.places && triangles_take(&w, doc, left_out, error);
    kart_grid_free(doc->ctx, &w.grid);
    kart_free(doc->ctx, w.places, size);
    if (done) {
        kart_mesh_fit(w.mesh);
        return w.mesh;
    }
    kart_mesh_free(w.mesh);
    return NULL;
}

// --- the tree ---------------------------------------------------------------------------------

static void corners_get(const void *user, size_t i, kart_vec3 corner[3]) {
    const agp_triangle t = agp_triangle_get(user, i);
    agp_corners(&t, corner);
}

struct kart_tree *agp_tree(agp_doc *doc, kart_error *error) {
    const kart_tree_input input = {
        .user = doc, .count = doc->pools[AGP_TRIANGLES].count, .corners = corners_get};
    if (!doc->tree) doc->tree = kart_tree_build(doc->ctx, &input, error);
    return doc->tree;
}
