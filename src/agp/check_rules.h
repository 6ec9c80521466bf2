// Internal to the check of AGP documents.
#ifndef AGP_CHECK_RULES_H
#define AGP_CHECK_RULES_H

#include "agp/check.h"

typedef struct agp_checking {
    const agp_doc *doc;
    const kart_rule *rule; // the one that runs
    kart_findings *findings;
    agp_triangle *triangles; // all of them
    uint8_t *copies;         // of each: the same record stands once more before it
    size_t count;
} agp_checking;

// `section` and `index`: see agp_warn.
bool agp_report(agp_checking *c, const char *section, size_t index, const char *field,
                kart_error *error, const char *format, ...) __attribute__((format(printf, 6, 7)));

typedef bool agp_rule_fn(agp_checking *c, kart_error *error);

// check_grid.c
agp_rule_fn agp_check_holes, agp_check_missing, agp_check_outside, agp_check_bounds,
    agp_check_origin;
// check_edges.c
agp_rule_fn agp_check_open, agp_check_direction, agp_check_edge_walls, agp_check_wall_cells,
    agp_check_wall_edges, agp_check_no_walls;

#endif
