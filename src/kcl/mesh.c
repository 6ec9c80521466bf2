#include "kcl/mesh.h"

#include "core/grid.h"
#include "core/tree.h"

// What is known of a model while its prisms are added.
typedef struct work {
    const kcl_doc *doc;
    const kcl_model *model;
    double snap;
    kart_mesh *mesh;
    kcl_mesh_report *report;
    kart_vec3 *table; // the model's positions
    uint32_t *taken;  // of each, its number in the mesh + 1, 0: none yet
    kart_grid grid;   // of those that are finite and the first of their place
    uint32_t prism;   // the next one, over all models
} work;

static bool table_fill(work *w, kart_error *error) {
    size_t count = w->model->positions_count;
    double distance;
    for (size_t i = 0; i < count; i++) {
        w->table[i] = kcl_position_get(w->doc, w->model, i);
        // There may be letters instead of numbers. No sound prism has those, and none is moved
        // there.
        if (!vec3_finite(w->table[i])) w->table[i] = (kart_vec3){0, 0, 0};
    }
    if (!(w->snap >= 0)) return true;
    kart_grid exact;
    if (!kart_grid_init(w->mesh->ctx, &exact, w->table, count, 0, error)) return false;
    bool done = kart_grid_init(w->mesh->ctx, &w->grid, w->table, count, w->snap, error);
    for (size_t i = 0; done && i < count; i++) {
        if (!vec3_finite(kcl_position_get(w->doc, w->model, i))) continue;
        if (kart_grid_nearest(&exact, w->table[i], &distance) != KART_NO_POINT) continue;
        kart_grid_add(&exact, (uint32_t)i);
        kart_grid_add(&w->grid, (uint32_t)i);
    }
    kart_grid_free(w->mesh->ctx, &exact);
    return done;
}

// The mesh's number of a position of the table.
static bool table_take(work *w, uint32_t index, uint32_t *number, kart_error *error) {
    if (w->taken[index] == 0) {
        if (!kart_mesh_add_position(w->mesh, w->table[index], error)) return false;
        w->taken[index] = (uint32_t)w->mesh->positions_count;
    }
    *number = w->taken[index] - 1;
    return true;
}

// Take corner 1 or 2, whose computed place is `corner`. Small triangles keep their corners apart.
static bool corner_take(work *w, kart_vec3 corner, const uint32_t *earlier, size_t earlier_count,
                        uint32_t *number, kart_error *error) {
    double distance = 0;
    uint32_t near = w->snap >= 0 ? kart_grid_nearest(&w->grid, corner, &distance) : KART_NO_POINT;
    w->report->computed++;
    for (size_t i = 0; near != KART_NO_POINT && i < earlier_count; i++) {
        kart_vec3 a = w->table[near], b = w->mesh->positions[earlier[i]];
        if (a.x == b.x && a.y == b.y && a.z == b.z) near = KART_NO_POINT;
    }
    if (near == KART_NO_POINT) {
        *number = (uint32_t)w->mesh->positions_count;
        return kart_mesh_add_position(w->mesh, corner, error);
    }
    w->report->snapped++;
    if (distance > w->report->farthest) w->report->farthest = distance;
    return table_take(w, near, number, error);
}

static bool prism_add(work *w, size_t i, kart_error *error) {
    kcl_prism prism = kcl_prism_get(w->doc, w->model, i);
    kart_vec3 corner[3];
    // As long as it is made, a triangle's material is its prism.
    kart_triangle t = {.flag = prism.flag, .material = w->prism++, .part = KART_NO_NAME};
    bool sound = kcl_prism_triangle(w->doc, w->model, &prism, corner) == KCL_SOUND &&
                 kart_position_valid(corner[1]) && kart_position_valid(corner[2]);
    w->report->left_out += !sound;
    return !sound || (table_take(w, (uint32_t)prism.position, &t.corner[0], error) &&
                      corner_take(w, corner[1], t.corner, 1, &t.corner[1], error) &&
                      corner_take(w, corner[2], t.corner, 2, &t.corner[2], error) &&
                      kart_mesh_add_triangle(w->mesh, t, error));
}

static bool model_add(work *w, kart_error *error) {
    kart_ctx *ctx = w->mesh->ctx;
    size_t count = w->model->positions_count;
    w->grid = (kart_grid){0};
    w->table = kart_alloc(ctx, count * sizeof *w->table, error);
    w->taken = w->table ? kart_alloc(ctx, count * sizeof *w->taken, error) : NULL;
    bool done = w->taken && table_fill(w, error);
    for (size_t i = 0; done && i < w->model->prisms_count; i++)
        done = (i % 256 != 0 || kart_ctx_step(ctx, 0, error)) && prism_add(w, i, error);
    kart_grid_free(ctx, &w->grid);
    kart_free(ctx, w->table, count * sizeof *w->table);
    kart_free(ctx, w->taken, count * sizeof *w->taken);
    return done;
}

static bool models_add(work *w, const kcl_mesh_options *options, kart_error *error) {
    for (size_t m = 0; m < w->doc->models_count; m++) {
        w->model = &w->doc->models[m];
        if (!model_add(w, error)) return false;
    }
    kcl_mesh_report *report = w->report;
    if (options->weld >= 0 && !kart_mesh_weld(w->mesh, options->weld, &report->joined, error))
        return false;
    // Models share the triangles at their borders.
    if (w->doc->models_count > 1 && !kart_mesh_drop_duplicates(w->mesh, &report->copies, error))
        return false;
    return report->left_out == 0 ||
           kart_mesh_warn(w->mesh, KART_WARNING, "mesh-left-out", error,
                          "%zu of %zu prisms are no triangles and were left out", report->left_out,
                          w->doc->prisms_count);
}

static kart_mesh *make(const kcl_doc *doc, const kcl_mesh_options *options, kcl_mesh_report *report,
                       kart_error *error) {
    const kcl_mesh_options usual = {.snap = KCL_MESH_SNAP, .weld = KCL_MESH_WELD};
    kcl_mesh_report ignored;
    work w = {.doc = doc, .report = report ? report : &ignored};
    if (!options) options = &usual;
    w.snap = options->snap;
    *w.report = (kcl_mesh_report){0};
    w.mesh = kart_mesh_new(doc->ctx, doc->format->name, error);
    if (!w.mesh) return NULL;
    if (models_add(&w, options, error)) return w.mesh;
    kart_mesh_free(w.mesh);
    return NULL;
}

kart_mesh *kcl_mesh(const kcl_doc *doc, const kcl_mesh_options *options, kcl_mesh_report *report,
                    kart_error *error) {
    kart_mesh *mesh = make(doc, options, report, error);
    if (!mesh) return NULL;
    for (size_t i = 0; i < mesh->triangles_count; i++) mesh->triangles[i].material = KART_NO_NAME;
    kart_mesh_fit(mesh);
    return mesh;
}

// --- the tree ---------------------------------------------------------------------------------

static void corners_get(const void *user, size_t i, kart_vec3 corner[3]) {
    kart_mesh_corners(user, i, corner);
}

static struct kart_tree *tree_make(const kart_mesh *mesh, kart_error *error) {
    const size_t size = mesh->triangles_count * sizeof(uint32_t);
    uint32_t *prisms = kart_realloc(mesh->ctx, NULL, 0, size, error);
    if (!prisms) return NULL;
    for (size_t i = 0; i < mesh->triangles_count; i++) prisms[i] = mesh->triangles[i].material;
    const kart_tree_input input = {
        .user = mesh, .count = mesh->triangles_count, .corners = corners_get, .numbers = prisms};
    kart_tree *tree = kart_tree_build(mesh->ctx, &input, error);
    kart_free(mesh->ctx, prisms, size);
    return tree;
}

struct kart_tree *kcl_tree(kcl_doc *doc, kart_error *error) {
    if (doc->tree) return doc->tree;
    kart_mesh *mesh = make(doc, NULL, NULL, error);
    if (mesh) doc->tree = tree_make(mesh, error);
    kart_mesh_free(mesh);
    return doc->tree;
}

void kcl_tree_drop(kcl_doc *doc) {
    kart_tree_free(doc->tree);
    doc->tree = NULL;
}
