#include "agp/lookup.h"

// Most triangles of a cell fail at the box: only that is read of them.
static float load(const uint8_t *at) {
    uint32_t word = kart_load_u32(at, true);
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static bool is_in_box(const uint8_t *record, float x, float z) {
    return x >= load(record) && x <= load(record + 8) && z >= load(record + 4) &&
           z <= load(record + 12);
}

static bool is_inside(const agp_triangle *t, float x, float z) {
    for (int i = 0; i < 3; i++) {
        float across = (float)(t->edge[i][0] * (z - t->corner[i][2])) -
                       (float)(t->edge[i][2] * (x - t->corner[i][0]));
        if (!(across <= 0)) return false;
    }
    return true;
}

bool agp_ground_next(const agp_doc *doc, float x, float z, size_t *at, agp_ground *ground) {
    size_t cell = agp_cell_of(&doc->grid, x, z);
    if (cell == SIZE_MAX) return false;
    const agp_cell *c = &doc->cells[cell];
    while (*at < c->count[AGP_TRIANGLES]) {
        size_t place = (*at)++;
        const uint8_t *record = doc->data + c->offset[AGP_TRIANGLES] + place * AGP_TRIANGLE_SIZE;
        if (!is_in_box(record, x, z)) continue;
        agp_triangle t = agp_triangle_load(record);
        if (!is_inside(&t, x, z)) continue;
        float sum = (float)(t.normal[0] * x) + (float)(t.normal[2] * z);
        ground->triangle = doc->pools[AGP_TRIANGLES].list[c->first[AGP_TRIANGLES] + place];
        ground->height = -(float)(sum + t.distance) / t.normal[1];
        if (isfinite(ground->height)) return true;
    }
    return false;
}

bool agp_ground_below(const agp_doc *doc, float x, float y, float z, agp_ground *ground) {
    agp_ground one;
    bool found = false;
    for (size_t at = 0; agp_ground_next(doc, x, z, &at, &one);) {
        if (!(one.height <= y) || (found && one.height <= ground->height)) continue;
        *ground = one;
        found = true;
    }
    return found;
}

static bool is_near(const agp_wall *w, double x, double z, double radius, agp_near *near) {
    double ax = (double)w->end[0][0], az = (double)w->end[0][1];
    double ex = (double)w->end[1][0] - ax, ez = (double)w->end[1][1] - az;
    double squared = ex * ex + ez * ez, across = ex * (z - az) - ez * (x - ax);
    double along = squared > 0 ? (ex * (x - ax) + ez * (z - az)) / squared : 0;
    along = along > 1 ? 1 : along > 0 ? along : 0;
    near->at[0] = ax + along * ex;
    near->at[1] = az + along * ez;
    near->distance = hypot(x - near->at[0], z - near->at[1]);
    near->side = (across < 0) - (across > 0);
    return near->distance <= radius;
}

bool agp_near_next(const agp_doc *doc, double x, double z, double radius, size_t *at,
                   agp_near *near) {
    size_t cell = agp_cell_of(&doc->grid, (float)x, (float)z);
    if (cell == SIZE_MAX) return false;
    const agp_cell *c = &doc->cells[cell];
    while (*at < c->count[AGP_WALLS]) {
        near->wall = doc->pools[AGP_WALLS].list[c->first[AGP_WALLS] + (*at)++];
        agp_wall wall = agp_wall_get(doc, near->wall);
        if (is_near(&wall, x, z, radius, near)) return true;
    }
    return false;
}
