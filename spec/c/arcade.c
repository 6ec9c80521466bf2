#include "arcade.h"

#include <stdlib.h>

uint32_t arcade_draw(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#define STEP 37.5 // every eighth corner is on a line between cells

static kart_vec3 place(size_t column, size_t row, double height) {
    double bump = (double)((column * 7 + row * 13) % 5) * 3.25;
    return (kart_vec3){(double)column * STEP - 431.0, bump + height, (double)row * STEP + 77.7};
}

static void square(arcade *a, size_t column, size_t row, double height, uint32_t flag) {
    kart_vec3 at[4] = {place(column, row, height), place(column, row + 1, height),
                       place(column + 1, row + 1, height), place(column + 1, row, height)};
    for (int i = 0; i < 2; i++) {
        kart_vec3 *corner = a->corners[a->count];
        corner[0] = at[0];
        corner[1] = at[1 + i];
        corner[2] = at[2 + i];
        a->flags[a->count++] = flag;
    }
}

arcade arcade_make(size_t side) {
    arcade a = {.count = 0};
    size_t most = 2 * side * side + 2 * side;
    a.corners = calloc(most, sizeof *a.corners);
    a.flags = calloc(most, sizeof *a.flags);
    if (!a.corners || !a.flags) abort();
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++)
            if ((row * 3 + column) % 17 != 5) square(&a, column, row, 0, row % 3 == 0 ? 0x400 : 1);
    for (size_t column = 0; column < side; column++) square(&a, column, side / 2, 100, 4);
    return a;
}

void arcade_free(arcade *a) {
    free(a->corners);
    free(a->flags);
}

agp_doc *arcade_build(kart_ctx *ctx, const arcade *a) {
    const agp_build_input input = {(const kart_vec3(*)[3])a->corners, a->flags, a->count};
    agp_build_report report;
    agp_doc *doc = agp_build(ctx, &input, NULL, &report, NULL);
    kart_free(ctx, report.faults, a->count * sizeof *report.faults);
    return doc;
}
