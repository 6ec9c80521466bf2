// The table of rules, and those about single triangles.
#include "agp/check_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool agp_report(agp_checking *c, const char *section, size_t index, const char *field,
                kart_error *error, const char *format, ...) {
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    kart_finding finding = {.rule = c->rule->id,
                            .severity = c->rule->severity,
                            .section = section,
                            .index = index,
                            .point = KART_NO_INDEX,
                            .field = field};
    return kart_findings_add(c->doc->ctx, c->findings, finding, error, "%s", text);
}

// --- copies -----------------------------------------------------------------------------------

typedef struct record {
    const uint8_t *at;
    size_t index;
} record;

static int record_compare(const void *a, const void *b) {
    const record *x = a, *y = b;
    int order = memcmp(x->at, y->at, AGP_TRIANGLE_SIZE);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

// What is wrong with a triangle that one cell lists twice is said once.
static bool copies_find(agp_checking *c, kart_error *error) {
    record *records = kart_alloc(c->doc->ctx, c->count * sizeof *records, error);
    if (!records) return false;
    for (size_t i = 0; i < c->count; i++)
        records[i] = (record){agp_record_at(c->doc, AGP_TRIANGLES, i), i};
    qsort(records, c->count, sizeof *records, record_compare);
    for (size_t i = 1; i < c->count; i++)
        c->copies[records[i].index] =
            memcmp(records[i].at, records[i - 1].at, AGP_TRIANGLE_SIZE) == 0;
    kart_free(c->doc->ctx, records, c->count * sizeof *records);
    return true;
}

// --- shapes -----------------------------------------------------------------------------------

// A triangle that is less high than this, in units, is a needle: floats hardly tell which side of
// its edges a point is on.
#define NEEDLE_HEIGHT 0.01

// The least height over one of its edges; 0 where there is no area.
static double least_height(const agp_triangle *t) {
    kart_vec3 c[3];
    double longest = 0;
    agp_corners(t, c);
    for (int i = 0; i < 3; i++) {
        double length = vec3_length(vec3_sub(c[(i + 1) % 3], c[i]));
        if (length > longest) longest = length;
    }
    return longest > 0 ? 2 * agp_area(t) / longest : 0;
}

static bool has_area(const agp_triangle *t) { return agp_area(t) > AGP_NO_AREA; }

static bool check_area(agp_checking *c, kart_error *error) {
    for (size_t i = 0; i < c->count; i++)
        if (!c->copies[i] && !has_area(&c->triangles[i]) &&
            !agp_report(c, "triangles", i, "corners", error, "it has no area"))
            return false;
    return true;
}

static bool check_needles(agp_checking *c, kart_error *error) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->copies[i]) continue;
        double height = least_height(&c->triangles[i]);
        if (has_area(&c->triangles[i]) && height < NEEDLE_HEIGHT &&
            !agp_report(c, "triangles", i, "corners", error, "only %.2g units high", height))
            return false;
    }
    return true;
}

static bool check_down(agp_checking *c, kart_error *error) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->copies[i]) continue;
        double up = (double)c->triangles[i].normal[1];
        if (!(up > 0) && !agp_report(c, "triangles", i, "normal", error, "it faces %s (y %.2f)",
                                     up < 0 ? "down" : "sideways", up))
            return false;
    }
    return true;
}

// --- stored numbers against corners -----------------------------------------------------------

static bool check_boxes(agp_checking *c, kart_error *error) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->copies[i]) continue;
        const agp_triangle *t = &c->triangles[i];
        bool right = true;
        for (int k = 0; k < 6; k++) {
            float at = t->corner[k / 2][k % 2 ? 2 : 0];
            right = right && at >= t->min[k % 2] && at <= t->max[k % 2];
        }
        if (!right && !agp_report(c, "triangles", i, "min", error,
                                  "its bounding box doesn't hold its corners"))
            return false;
    }
    return true;
}

// Cosine of the angle, seen from above, by which a stored edge may be off; the game's own are off
// by 1e-6 at most. [F]
#define EDGE_COSINE 0.9999

static bool check_edge_numbers(agp_checking *c, kart_error *error) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->copies[i]) continue;
        const agp_triangle *t = &c->triangles[i];
        for (int k = 0; has_area(t) && k < 3; k++) {
            const float *from = t->corner[k], *to = t->corner[(k + 1) % 3];
            double x = (double)to[0] - (double)from[0], z = (double)to[2] - (double)from[2];
            double ex = (double)t->edge[k][0], ez = (double)t->edge[k][2];
            double length = hypot(x, z), stored = hypot(ex, ez);
            if (length <= NEEDLE_HEIGHT ||
                (stored > 0 && x * ex + z * ez >= EDGE_COSINE * length * stored))
                continue;
            if (!agp_report(c, "triangles", i, "edges", error,
                            "edge %d runs elsewhere than its corners", k + 1))
                return false;
            break;
        }
    }
    return true;
}

// Units that a corner may be off the stored plane.
#define PLANE_SLACK 0.1

static bool check_planes(agp_checking *c, kart_error *error) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->copies[i]) continue;
        const agp_triangle *t = &c->triangles[i];
        double off = 0;
        for (int k = 0; k < 3; k++) {
            double sum = (double)t->distance;
            for (int j = 0; j < 3; j++) sum += (double)t->normal[j] * (double)t->corner[k][j];
            off = fmax(off, fabs(sum));
        }
        if (has_area(t) && off > PLANE_SLACK &&
            !agp_report(c, "triangles", i, "distance", error,
                        "a corner is %.3g units off the stored plane", off))
            return false;
    }
    return true;
}

// --- duplicates -------------------------------------------------------------------------------

// A triangle whose corners begin with the smallest, so that equal ones sort together.
typedef struct turned {
    float corner[3][3];
    uint32_t index, same_as;
} turned;

static int corner_compare(const float *a, const float *b) {
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int corners_compare(const turned *a, const turned *b) {
    for (int i = 0; i < 3; i++) {
        int order = corner_compare(a->corner[i], b->corner[i]);
        if (order) return order;
    }
    return 0;
}

static int turned_compare(const void *a, const void *b) {
    const turned *x = a, *y = b;
    int order = corners_compare(x, y);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int index_compare(const void *a, const void *b) {
    const turned *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static bool turn(const agp_triangle *t, size_t index, turned *to) {
    int least = 0;
    for (int i = 0; i < 9; i++)
        if (!isfinite(t->corner[i / 3][i % 3])) return false;
    for (int i = 1; i < 3; i++)
        if (corner_compare(t->corner[i], t->corner[least]) < 0) least = i;
    for (int i = 0; i < 9; i++)
        to->corner[i / 3][i % 3] = t->corner[(least + i / 3) % 3][i % 3] + 0.0f;
    to->index = (uint32_t)index;
    return true;
}

static bool check_duplicates(agp_checking *c, kart_error *error) {
    size_t count = 0, size = c->count * sizeof(turned), first = 0; // of the run of equal ones
    turned *items = kart_alloc(c->doc->ctx, size, error);
    if (!items) return false;
    for (size_t i = 0; i < c->count; i++) count += turn(&c->triangles[i], i, &items[count]);
    qsort(items, count, sizeof *items, turned_compare);
    for (size_t i = 0; i < count; i++) {
        if (corners_compare(&items[i], &items[first]) != 0) first = i;
        items[i].same_as = items[first].index;
    }
    qsort(items, count, sizeof *items, index_compare);
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        if (items[i].same_as != items[i].index)
            done = agp_report(c, "triangles", items[i].index, "", error,
                              "the same triangle as triangles[%lu]",
                              (unsigned long)items[i].same_as + 1);
    kart_free(c->doc->ctx, items, size);
    return done;
}

// --- the table --------------------------------------------------------------------------------

#define LOOKUP   "public decompilation of GP 2"
#define MEASURED "measured on files of the game"

static const struct {
    kart_rule rule;
    agp_rule_fn *run;
} rules[] = {
    {{"ground-down", KART_WARNING, "triangles",
      "The face looks down or stands upright: the game finds no ground there, karts fall through.",
      "Flip the face in the model, or take it out.", LOOKUP},
     check_down},
    {{"ground-no-area", KART_WARNING, "triangles",
      "The corners are on one line (an area of at most 1e-9 square units): there is no ground, and "
      "its edges may take the neighbours' from real triangles.",
      "Remove the triangle from the model.", MEASURED},
     check_area},
    {{"ground-needle", KART_HINT, "triangles",
      "The triangle is less than 0.01 units high: floats hardly tell which side of its edges a "
      "point is on.",
      "Merge its corners in the model.", MEASURED},
     check_needles},
    {{"ground-twice", KART_HINT, "triangles",
      "The same triangle stands twice. Their edges count as shared, so no walls are made of them.",
      "Merge the doubles in the model.", MEASURED},
     check_duplicates},
    {{"ground-box", KART_WARNING, "triangles",
      "Lookups look at the bounding box first: where it doesn't reach there is no ground.",
      "agp:rebuild().", LOOKUP},
     check_boxes},
    {{"ground-edges", KART_WARNING, "triangles",
      "A stored edge doesn't run along its corners: the game cuts the ground off elsewhere.",
      "Build the file anew from its mesh.", LOOKUP},
     check_edge_numbers},
    {{"ground-plane", KART_WARNING, "triangles",
      "Heights are those of the stored plane, and a corner is more than 0.1 units off it.",
      "Build the file anew from its mesh.", LOOKUP},
     check_planes},
    {{"edges-same-way", KART_WARNING, "triangles",
      "Two neighbours run along their common edge in the same direction: one of them is turned "
      "over.",
      "Flip one of the faces in the model.", MEASURED},
     agp_check_direction},
    {{"edge-open-wrong", KART_HINT, "triangles",
      "An edge is marked as open and has a neighbour, or has none and isn't marked. Walls are made "
      "of marked edges. Not looked at in files without any mark.",
      "agp:rebuild{ walls = \"compute\" }.", MEASURED},
     agp_check_open},
    {{"edge-no-wall", KART_WARNING, "triangles",
      "An open edge without a wall: karts drive over it and fall.",
      "agp:rebuild{ walls = \"compute\" }.", MEASURED},
     agp_check_edge_walls},
    {{"wall-not-listed", KART_HINT, "cells",
      "A cell lists a triangle, but not the wall of one of its open edges. The game's own files "
      "list both.",
      "agp:rebuild().", MEASURED},
     agp_check_wall_cells},
    {{"wall-no-edge", KART_HINT, "walls",
      "A wall where no edge is marked as open: drawn by hand. It works; agp:rebuild keeps it "
      "unless told to compute walls.",
      "Nothing, if it is meant.", MEASURED},
     agp_check_wall_edges},
    {{"walls-none", KART_HINT, "walls", "The course has no wall at all: karts fall off its edges.",
      "agp:rebuild{ walls = \"compute\" }.", "seen in files"},
     agp_check_no_walls},
    {{"cell-hole", KART_WARNING, "cells",
      "A cell lists nothing, and there are triangles in it: a hole in the ground.",
      "agp:rebuild().", LOOKUP},
     agp_check_holes},
    {{"cell-missing", KART_WARNING, "cells",
      "A cell doesn't list a triangle that reaches into it: karts fall through there.",
      "agp:rebuild().", LOOKUP},
     agp_check_missing},
    {{"ground-outside", KART_WARNING, "triangles",
      "A triangle reaches beyond the grid, where the game finds nothing.", "agp:rebuild().",
      LOOKUP},
     agp_check_outside},
    {{"bounds-wrong", KART_HINT, "header",
      "The header's bounds are not those of the triangles. The game doesn't look at them. Bounds "
      "of 0 have a rule of their own, bounds-zero.",
      "agp:rebuild().", MEASURED},
     agp_check_bounds},
    {{"origin-wrong", KART_HINT, "header", "The grid doesn't begin where the header's bounds do.",
      "agp:rebuild().", MEASURED},
     agp_check_origin},
};

const kart_rule *agp_rule_at(size_t index) {
    return index < sizeof rules / sizeof *rules ? &rules[index].rule : NULL;
}

bool agp_check(const agp_doc *doc, kart_findings *findings, kart_error *error) {
    size_t count = sizeof rules / sizeof *rules;
    agp_checking c = {.doc = doc, .findings = findings, .count = doc->pools[AGP_TRIANGLES].count};
    c.triangles = kart_alloc(doc->ctx, c.count * sizeof *c.triangles, error);
    c.copies = c.triangles ? kart_alloc(doc->ctx, c.count, error) : NULL;
    for (size_t i = 0; c.copies && i < c.count; i++) c.triangles[i] = agp_triangle_get(doc, i);
    bool done = c.copies && copies_find(&c, error);
    for (size_t i = 0; done && i < count; i++) {
        c.rule = &rules[i].rule;
        done = rules[i].run(&c, error) &&
               kart_ctx_step(doc->ctx, (double)(i + 1) / (double)count, error);
    }
    kart_free(doc->ctx, c.triangles, c.count * sizeof *c.triangles);
    kart_free(doc->ctx, c.copies, c.count);
    return done;
}
