#include "core/mesh.h"
#include "core/tree.h"

static void corners_get(const void *user, size_t i, kart_vec3 corner[3]) {
    kart_mesh_corners(user, i, corner);
}

struct kart_tree *kart_mesh_tree(kart_mesh *mesh, kart_error *error) {
    const kart_tree_input input = {
        .user = mesh, .count = mesh->triangles_count, .corners = corners_get};
    if (!mesh->tree) mesh->tree = kart_tree_build(mesh->ctx, &input, error);
    return mesh->tree;
}

void kart_mesh_moved(kart_mesh *mesh) {
    kart_tree_free(mesh->tree);
    mesh->tree = NULL;
}
