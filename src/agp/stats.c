// What is in a document.
#include "agp/agp.h"

#include <stdlib.h>

static void cells_measure(const agp_doc *doc, agp_stats *s) {
    for (size_t i = 0; i < doc->cells_count; i++) {
        size_t count = doc->cells[i].count[AGP_TRIANGLES];
        s->empty_cells += count == 0;
        if (count > s->longest_list) s->longest_list = count;
    }
    size_t used = s->cells - s->empty_cells;
    s->mean_list = used > 0 ? (double)s->triangle_places / (double)used : 0;
}

static void triangle_measure(const agp_triangle *t, agp_stats *s) {
    kart_vec3 corner[3];
    double area = agp_area(t);
    agp_corners(t, corner);
    s->degenerate += !(area > AGP_NO_AREA);
    s->down += !(t->normal[1] > 0);
    s->special += (t->flag & AGP_SPECIAL) != 0;
    for (int k = 0; k < 3; k++) {
        s->open_edges += t->open >> k & 1;
        if (!vec3_finite(corner[k])) continue;
        s->low = (kart_vec3){fmin(s->low.x, corner[k].x), fmin(s->low.y, corner[k].y),
                             fmin(s->low.z, corner[k].z)};
        s->high = (kart_vec3){fmax(s->high.x, corner[k].x), fmax(s->high.y, corner[k].y),
                              fmax(s->high.z, corner[k].z)};
    }
    if (isfinite(area)) s->area += area;
}

void agp_stats_get(const agp_doc *doc, agp_stats *stats) {
    *stats = (agp_stats){.triangles = doc->pools[AGP_TRIANGLES].count,
                         .walls = doc->pools[AGP_WALLS].count,
                         .triangle_places = doc->pools[AGP_TRIANGLES].places,
                         .wall_places = doc->pools[AGP_WALLS].places,
                         .cells = doc->cells_count,
                         .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                         .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    cells_measure(doc, stats);
    for (size_t i = 0; i < stats->triangles; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        triangle_measure(&t, stats);
    }
}

static int flag_compare(const void *a, const void *b) {
    uint32_t x = ((const agp_flag_count *)a)->flag, y = ((const agp_flag_count *)b)->flag;
    return (x > y) - (x < y);
}

// Equal flags in a row become one. Areas are summed by triangle, whatever the sort made of equal
// ones: so they are counted again at the end.
agp_flag_count *agp_flags_count(const agp_doc *doc, size_t *count, kart_error *error) {
    size_t all = doc->pools[AGP_TRIANGLES].count, distinct = 0;
    agp_flag_count *items = kart_alloc(doc->ctx, all * sizeof *items, error);
    if (!items) return NULL;
    for (size_t i = 0; i < all; i++) items[i].flag = agp_flag_get(doc, i);
    qsort(items, all, sizeof *items, flag_compare);
    for (size_t i = 0; i < all; i++)
        if (distinct == 0 || items[distinct - 1].flag != items[i].flag)
            items[distinct++] = items[i];
    for (size_t i = 0; i < all; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        agp_flag_count key = {.flag = t.flag};
        agp_flag_count *at = bsearch(&key, items, distinct, sizeof *items, flag_compare);
        double area = agp_area(&t);
        at->count++;
        if (isfinite(area)) at->area += area;
    }
    *count = distinct;
    agp_flag_count *fitting =
        kart_realloc(doc->ctx, items, all * sizeof *items, distinct * sizeof *items, error);
    if (!fitting) kart_free(doc->ctx, items, all * sizeof *items);
    return fitting;
}
