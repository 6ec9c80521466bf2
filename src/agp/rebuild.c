// Documents made anew from what they hold.
#include "agp/model.h"

#include "core/tree.h"

static bool same_bytes(const agp_doc *a, const agp_doc *b) {
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

// The game computes cells in floats, and so does what is made here. Whoever wrote the file may have
// done it in doubles, which tells where a number is within a rounding of a line between cells: if
// all of the file comes out that way, it stays.
static agp_doc *file_again(const agp_model *model, const agp_doc *doc, const agp_grid *grid,
                           kart_error *error) {
    agp_doc *made = agp_model_file(model, grid, false, error);
    if (!made || same_bytes(made, doc) || !agp_model_is_close(model, grid)) return made;
    agp_doc *wide = agp_model_file(model, grid, true, error);
    if (wide && !same_bytes(wide, doc)) {
        agp_free(wide);
        return made;
    }
    agp_free(made);
    return wide;
}

static agp_doc *rebuilt(agp_model *model, const agp_doc *doc, const agp_rebuild_options *options,
                        kart_error *error) {
    float cell[2] = {doc->grid.cell[0], doc->grid.cell[1]};
    agp_grid grid;
    if (!agp_model_take(model, doc, error)) return NULL;
    for (size_t i = 0; i < model->count; i++) agp_triangle_box(&model->triangles[i]);
    if (options->walls == AGP_WALLS_COMPUTE && !agp_model_open(model, error)) return NULL;
    if (options->cell > 0) cell[0] = cell[1] = (float)options->cell;
    if (!agp_model_walls(model, doc, options->walls, error) ||
        !agp_model_grid(model, cell, &doc->grid, &grid, error))
        return NULL;
    return file_again(model, doc, &grid, error);
}

bool agp_rebuild(agp_doc *doc, const agp_rebuild_options *options, kart_error *error) {
    const agp_rebuild_options usual = {0};
    agp_model model = {0};
    agp_doc *fresh = rebuilt(&model, doc, options ? options : &usual, error);
    if (fresh) fresh->tree = kart_tree_share(doc->tree); // triangles stay where they are
    bool done = fresh && agp_take(doc, fresh, error);
    agp_free(fresh);
    agp_model_free(&model);
    return done;
}
