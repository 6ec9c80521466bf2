#include "kmp/start.h"

// Three drivers stand in a row, on lanes from -10 (the pole's side) to 10; lanes of every second
// row lie between those of the row before. Within a row each stands the farther back the farther
// from the pole.
#define LANE 80.0 // units between two lanes
#define ROWS 4

static const struct {
    double slant;      // how far back per unit to the side: the tangent of 30 and 25 degrees
    double back[ROWS]; // of the rows
} grids[] = {{0.57735026918962576, {0, 1300, 2900, 4200}},
             {0.46630765815499859, {0, 1200, 2650, 3850}}};

static const int lanes[] = {-10, -2, 6, -6, 2, 10};
#define LANES (sizeof lanes / sizeof *lanes)

void kmp_start_cells(const kmp_doc *doc, kart_vec3 cell[KMP_START_CELLS]) {
    const bool staged = doc->tables[KMP_STGI].count > 0;
    const bool right = staged && kmp_int(doc, KMP_STGI, 0, "pole", 0) == 1;
    const bool narrow = staged && kmp_int(doc, KMP_STGI, 0, "narrow", 0) == 1;
    const kart_vec3 pole = kmp_vec(doc, KMP_KTPT, 0, "position");
    const kart_affine facing = kart_affine_euler(kmp_vec(doc, KMP_KTPT, 0, "rotation"));
    for (size_t i = 0; i < KMP_START_CELLS; i++) {
        const int lane = lanes[i % LANES];
        const double back = grids[narrow].back[i / (KMP_START_CELLS / ROWS)] +
                            grids[narrow].slant * LANE * (lane - lanes[0]);
        // Local X points to the left.
        const kart_vec3 local = {LANE * (right ? lane : -lane), 0, -back};
        cell[i] = vec3_add(pole, kart_affine_direction(&facing, local));
    }
}
