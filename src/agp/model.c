// Triangles of a file in the making, and what follows from their corners.
#include "agp/model.h"

#include "core/array.h"

bool agp_model_init(kart_ctx *ctx, agp_model *model, size_t count, kart_error *error) {
    *model = (agp_model){.ctx = ctx, .count = count};
    model->triangles = kart_alloc(ctx, count * sizeof *model->triangles, error);
    return model->triangles != NULL;
}

void agp_model_free(agp_model *model) {
    if (!model->ctx) return;
    kart_free(model->ctx, model->triangles, model->count * sizeof *model->triangles);
    kart_free(model->ctx, model->walls, model->walls_capacity * sizeof *model->walls);
}

static bool is_finite(const agp_triangle *t) {
    for (int i = 0; i < 9; i++)
        if (!isfinite(t->corner[i / 3][i % 3])) return false;
    return true;
}

bool agp_model_take(agp_model *model, const agp_doc *doc, kart_error *error) {
    if (!agp_model_init(doc->ctx, model, doc->pools[AGP_TRIANGLES].count, error)) return false;
    for (size_t i = 0; i < model->count; i++) {
        model->triangles[i] = agp_triangle_get(doc, i);
        if (!is_finite(&model->triangles[i]))
            return kart_fail(error, KART_FORMAT, "triangles[%zu] has a corner that isn't finite",
                             i + 1);
    }
    return true;
}

// --- from the corners -------------------------------------------------------------------------

// The lower or upper bound of three numbers, which stays as it is where it is right already.
static float bound(float now, float a, float b, float c, bool upper) {
    float least = upper ? fmaxf(fmaxf(a, b), c) : fminf(fminf(a, b), c);
    return now == least ? now : least + 0.0f;
}

void agp_triangle_box(agp_triangle *t) {
    for (int i = 0; i < 2; i++) {
        const float a = agp_along(t->corner[0], i), b = agp_along(t->corner[1], i),
                    c = agp_along(t->corner[2], i);
        t->min[i] = bound(t->min[i], a, b, c, false);
        t->max[i] = bound(t->max[i], a, b, c, true);
    }
}

// As floats without negative zeros.
static void store(float to[3], kart_vec3 v) {
    to[0] = (float)v.x + 0.0f;
    to[1] = (float)v.y + 0.0f;
    to[2] = (float)v.z + 0.0f;
}

float agp_triangle_distance(const agp_triangle *t) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (double)t->normal[i] * (double)t->corner[0][i];
    return (float)-sum + 0.0f;
}

void agp_triangle_shape(agp_triangle *t) {
    kart_vec3 c[3], up = {0, 1, 0};
    agp_corners(t, c);
    for (int i = 0; i < 3; i++) {
        kart_vec3 along = vec3_sub(c[(i + 1) % 3], c[i]);
        double length = vec3_length(along);
        store(t->edge[i], length > 0 ? vec3_scale(along, 1 / length) : (kart_vec3){0, 0, 0});
    }
    kart_vec3 across = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    double length = vec3_length(across);
    store(t->normal, length > 2 * AGP_NO_AREA ? vec3_scale(across, 1 / length) : up);
    t->distance = agp_triangle_distance(t);
}

// --- bounds and grid --------------------------------------------------------------------------

static float kept(const float *old, float now) { return old && *old == now ? *old : now + 0.0f; }

// Cells that it takes from min to max. What the old grid has counts where floats say so, too.
static double side_of(const agp_grid *g, int axis, const agp_grid *old) {
    double width = (double)g->max[axis] - (double)g->min[axis];
    double side = ceil(width / (double)g->cell[axis]);
    uint32_t was = old ? (axis == 0 ? old->width : old->length) : 0;
    float in_floats = ceilf((float)(g->max[axis] - g->min[axis]) / g->cell[axis]);
    if (was > 0 && in_floats == (float)was && fabs(side - was) <= 1) return was;
    return side < 1 ? 1 : side;
}

bool agp_model_grid(const agp_model *model, const float cell[2], const agp_grid *old,
                    agp_grid *grid, kart_error *error) {
    *grid = old ? *old : (agp_grid){.width = 1, .length = 1};
    for (int i = 0; i < 2; i++) grid->cell[i] = cell[i];
    if (model->count == 0) return true; // nothing says where it should be
    double side[2];
    for (int i = 0; i < 2; i++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < model->count; k++) {
            low = fminf(low, model->triangles[k].min[i]);
            high = fmaxf(high, model->triangles[k].max[i]);
        }
        grid->min[i] = kept(old ? &old->min[i] : NULL, low);
        grid->max[i] = kept(old ? &old->max[i] : NULL, high);
        grid->origin[i] = kept(old ? &old->origin[i] : NULL, -grid->min[i]);
        side[i] = side_of(grid, i, old);
    }
    if (!(side[0] * side[1] <= (double)AGP_CELLS_LIMIT))
        return kart_fail(error, KART_LIMIT,
                         "%.0f x %.0f cells of %g x %g, at most %zu: larger cells make it less",
                         side[0], side[1], (double)cell[0], (double)cell[1], AGP_CELLS_LIMIT);
    grid->width = (uint32_t)side[0];
    grid->length = (uint32_t)side[1];
    return true;
}
