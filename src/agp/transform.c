// Transformations: triangles one by one, then the grid anew.
#include "agp/model.h"

#include <float.h>

typedef struct motion {
    const kart_affine *map;
    int mirrored;  // the only change of directions: 0 or 2 for x or z, 3 for none, -1 for another
    bool reflects; // left becomes right
    bool moves;    // there is a translation
    double height; // of walls that no triangle has, where the map asks for it
} motion;

static motion motion_of(const kart_affine *map) {
    motion m = {.map = map, .mirrored = 3, .reflects = kart_affine_determinant(map) < 0};
    for (int i = 0; i < 3; i++) {
        m.moves = m.moves || map->m[i][3] != 0;
        for (int j = 0; j < 3; j++) {
            if (i != j && map->m[i][j] != 0) m.mirrored = -1;
            if (i != j || map->m[i][i] == 1 || m.mirrored == -1) continue;
            m.mirrored = map->m[i][i] == -1 && m.mirrored == 3 && i != 1 ? i : -1;
        }
    }
    return m;
}

// Does the map leave the ground below those who stand on it? Whatever is straight above something
// must stay so.
static bool keeps_upright(const kart_affine *map) {
    double most = 0;
    for (int i = 0; i < 9; i++) most = fmax(most, fabs(map->m[i / 3][i % 3]));
    double slack = most * 1e-9;
    return fabs(map->m[0][1]) <= slack && fabs(map->m[2][1]) <= slack && map->m[1][1] > slack;
}

// --- triangles --------------------------------------------------------------------------------

static bool corner_map(const motion *m, float corner[3], kart_error *error) {
    kart_vec3 p = {(double)corner[0], (double)corner[1], (double)corner[2]};
    p = kart_affine_point(m->map, p);
    const double to[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        if (!(fabs(to[i]) <= (double)FLT_MAX))
            return kart_fail(error, KART_LIMIT, "a corner would leave the range of floats");
        corner[i] = (float)to[i];
    }
    return true;
}

static void corners_exchange(float a[3], float b[3]) {
    for (int i = 0; i < 3; i++) {
        float kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

// Zeros keep their sign, so that twice is as before.
static void negate(float *number) {
    if (*number != 0) *number = -*number;
}

// Mirror a bounding box.
static void box_mirror(const motion *m, float min[2], float max[2]) {
    if (m->mirrored != 0 && m->mirrored != 2) return;
    int i = m->mirrored / 2;
    float kept = min[i];
    min[i] = max[i];
    max[i] = kept;
    negate(&min[i]);
    negate(&max[i]);
}

// A reflection turns a triangle over: corners 1 and 2 change places, so edge 1 runs the other way,
// and so do 0 and 2, which change places, too.
static void turn_over(agp_triangle *t) {
    corners_exchange(t->corner[1], t->corner[2]);
    corners_exchange(t->edge[0], t->edge[2]);
    for (int i = 0; i < 9; i++) negate(&t->edge[i / 3][i % 3]);
    t->open = (t->open & ~5u) | (t->open >> 2 & 1) | (t->open & 1) << 2;
}

static bool triangle_map(const motion *m, agp_triangle *t, kart_error *error) {
    for (int i = 0; i < 3; i++)
        if (!corner_map(m, t->corner[i], error)) return false;
    if (m->reflects) turn_over(t);
    box_mirror(m, t->min, t->max);
    agp_triangle_box(t);
    if (m->mirrored == 0 || m->mirrored == 2) {
        for (int i = 0; i < 3; i++) negate(&t->edge[i][m->mirrored]);
        negate(&t->normal[m->mirrored]);
    }
    agp_triangle shaped = *t;
    agp_triangle_shape(&shaped);
    if (m->mirrored < 0) {
        float normal[3];
        memcpy(normal, t->normal, sizeof normal);
        *t = shaped;
        if (!(agp_area(t) > AGP_NO_AREA)) memcpy(t->normal, normal, sizeof normal);
    }
    if (m->moves || m->mirrored < 0) t->distance = agp_triangle_distance(t);
    return true;
}

// --- walls ------------------------------------------------------------------------------------

static bool drawn_wall_map(const motion *m, agp_wall *wall, kart_error *error) {
    for (int i = 0; i < 2; i++) {
        float at[3] = {wall->end[i][0], (float)m->height, wall->end[i][1]};
        if (!isfinite(at[0]) || !isfinite(at[2])) continue;
        if (!corner_map(m, at, error)) return false;
        wall->end[i][0] = at[0];
        wall->end[i][1] = at[2];
    }
    if (m->reflects)
        for (int i = 0; i < 2; i++) {
            float kept = wall->end[0][i];
            wall->end[0][i] = wall->end[1][i];
            wall->end[1][i] = kept;
        }
    box_mirror(m, wall->min, wall->max);
    agp_wall_box(wall);
    return true;
}

// Those of one triangle in the order of its edges.
static void walls_sort(agp_model_wall *walls, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = i;
             k > 0 && walls[k - 1].owner == walls[k].owner && walls[k - 1].edge > walls[k].edge;
             k--) {
            agp_model_wall kept = walls[k];
            walls[k] = walls[k - 1];
            walls[k - 1] = kept;
        }
}

static bool walls_map(const motion *m, agp_model *model, size_t *drawn, kart_error *error) {
    size_t owned = 0;
    for (; owned < model->walls_count && model->walls[owned].owner != AGP_NO_OWNER; owned++) {
        agp_model_wall *wall = &model->walls[owned];
        if (m->reflects) wall->edge = 2 - wall->edge;
        box_mirror(m, wall->wall.min, wall->wall.max);
        agp_wall_set(&wall->wall, &model->triangles[wall->owner], wall->edge);
    }
    walls_sort(model->walls, owned);
    *drawn = model->walls_count - owned;
    for (size_t i = owned; i < model->walls_count; i++)
        if (!drawn_wall_map(m, &model->walls[i].wall, error)) return false;
    return true;
}

// --- all of it --------------------------------------------------------------------------------

// The middle of the heights.
static double middle(const agp_model *model) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < model->count; i++)
        for (int k = 0; k < 3; k++) {
            low = fmin(low, (double)model->triangles[i].corner[k][1]);
            high = fmax(high, (double)model->triangles[i].corner[k][1]);
        }
    return low <= high ? low / 2 + high / 2 : 0;
}

static bool down_warn(agp_doc *doc, const agp_model *model, size_t drawn, kart_error *error) {
    size_t down = 0;
    for (size_t i = 0; i < model->count; i++) down += !(model->triangles[i].normal[1] > 0);
    if (down > 0 && !agp_warn(doc, KART_WARNING, "ground-tipped", "", KART_NO_INDEX, "", error,
                              "%zu triangles don't face up any more: the game finds no ground on "
                              "them",
                              down))
        return false;
    return drawn == 0 || agp_warn(doc, KART_WARNING, "walls-tipped", "", KART_NO_INDEX, "", error,
                                  "%zu walls drawn by hand were taken as standing in the middle of "
                                  "the course's height",
                                  drawn);
}

static agp_doc *transformed(agp_model *model, const agp_doc *doc, motion *m, bool upright,
                            kart_error *error) {
    agp_grid grid;
    size_t drawn;
    if (!agp_model_take(model, doc, error) || !agp_model_walls(model, doc, AGP_WALLS_KEEP, error))
        return NULL;
    if (!upright) m->height = middle(model);
    for (size_t i = 0; i < model->count; i++)
        if (!triangle_map(m, &model->triangles[i], error)) return NULL;
    // Bounds of the old place say nothing about zeros of the new one.
    agp_grid from = doc->grid;
    if (!walls_map(m, model, &drawn, error) ||
        !agp_model_grid(model, doc->grid.cell, model->count > 0 ? NULL : &from, &grid, error))
        return NULL;
    agp_doc *made = agp_model_file(model, &grid, false, error);
    if (!made || upright || down_warn(made, model, drawn, error)) return made;
    agp_free(made);
    return NULL;
}

bool agp_transform(agp_doc *doc, const kart_affine *map, bool tip, kart_error *error) {
    if (!kart_affine_finite(map))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix is not finite");
    if (!(fabs(kart_affine_determinant(map)) > 0))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix is flat");
    bool upright = keeps_upright(map);
    if (!upright && !tip)
        return kart_fail(error, KART_UNSUPPORTED,
                         "this would tip the ground over: the game finds ground straight below, "
                         "and its walls stand upright (the option tip does it all the same)");
    motion m = motion_of(map);
    agp_model model = {0};
    agp_doc *fresh = transformed(&model, doc, &m, upright, error);
    bool done = fresh && agp_take(doc, fresh, error);
    agp_free(fresh);
    agp_model_free(&model);
    return done;
}
