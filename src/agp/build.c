#include "agp/build.h"

#include "agp/model.h"

#include <float.h>

const char *agp_fault_text(agp_fault fault) {
    static const char *const texts[] = {[AGP_FAULT_NONE] = "none",
                                        [AGP_FAULT_NOT_FINITE] = "a coordinate is not finite",
                                        [AGP_FAULT_NO_AREA] = "it has no area"};
    return texts[fault];
}

static agp_fault triangle_make(const kart_vec3 corner[3], agp_triangle *t) {
    for (int i = 0; i < 3; i++) {
        const double c[3] = {corner[i].x, corner[i].y, corner[i].z};
        for (int k = 0; k < 3; k++) {
            if (!(fabs(c[k]) <= (double)FLT_MAX)) return AGP_FAULT_NOT_FINITE;
            t->corner[i][k] = (float)c[k] + 0.0f; // no negative zeros
        }
    }
    double area = agp_area(t);
    if (!isfinite(area)) return AGP_FAULT_NOT_FINITE;
    if (!(area > AGP_NO_AREA)) return AGP_FAULT_NO_AREA;
    agp_triangle_box(t);
    agp_triangle_shape(t);
    return AGP_FAULT_NONE;
}

// The sound triangles, one behind the other.
static bool triangles_make(agp_model *model, const agp_build_input *input, bool drop,
                           agp_build_report *report, kart_error *error) {
    size_t made = 0, first = 0;
    for (size_t i = 0; i < input->count; i++) {
        agp_triangle t = {.flag = input->flags ? input->flags[i] : 1};
        if (!kart_ctx_step_at(model->ctx, i, input->count, error)) return false;
        report->faults[i] = triangle_make(input->corners[i], &t);
        if (report->faults[i] == AGP_FAULT_NONE)
            model->triangles[made++] = t;
        else if (report->dropped++ == 0)
            first = i;
    }
    if (report->dropped > 0 && !drop)
        return kart_fail(error, KART_FORMAT, "triangle %zu can't stand in a file: %s (%zu can't)",
                         first + 1, agp_fault_text(report->faults[first]), report->dropped);
    return made > 0 ||
           kart_fail(error, KART_UNSUPPORTED, "there is no triangle that could stand in a file");
}

static agp_doc *file_make(agp_model *model, double cell, kart_error *error) {
    const float cells[2] = {(float)cell, (float)cell};
    agp_grid grid;
    if (!agp_model_open(model, error) || !agp_model_walls(model, NULL, AGP_WALLS_COMPUTE, error) ||
        !agp_model_grid(model, cells, NULL, &grid, error))
        return NULL;
    return agp_model_file(model, &grid, false, error);
}

agp_doc *agp_build(kart_ctx *ctx, const agp_build_input *input, const agp_build_options *options,
                   agp_build_report *report, kart_error *error) {
    const agp_build_options usual = {0};
    agp_model model;
    agp_doc *doc = NULL;
    if (!options) options = &usual;
    *report = (agp_build_report){0};
    report->faults = kart_alloc(ctx, input->count * sizeof *report->faults, error);
    if (!report->faults) return NULL;
    if (agp_model_init(ctx, &model, input->count, error) &&
        triangles_make(&model, input, options->drop, report, error)) {
        model.count -= report->dropped;
        doc = file_make(&model, options->cell > 0 ? options->cell : AGP_CELL_USUAL, error);
        model.count += report->dropped; // as it was allocated
    }
    agp_model_free(&model);
    return doc;
}
