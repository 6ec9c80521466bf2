#include "kcl/check.h"

#include "kcl/flag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check {
    const kcl_doc *doc;
    const kart_rule *rule;
    kart_findings *findings;
} check;

static bool report(check *c, size_t prism, const char *field, kart_error *error, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));

static bool report(check *c, size_t prism, const char *field, kart_error *error, const char *format,
                   ...) {
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    kart_finding finding = {.rule = c->rule->id,
                            .severity = c->rule->severity,
                            .section = prism == KART_NO_INDEX ? "" : "prisms",
                            .index = prism,
                            .point = KART_NO_INDEX,
                            .field = field};
    return kart_findings_add(c->doc->ctx, c->findings, finding, error, "%s", text);
}

// Call `visit` for every prism, counted through.
typedef bool (*prism_fn)(check *c, const kcl_model *model, const kcl_prism *prism, size_t index,
                         void *user, kart_error *error);

static bool each_prism(check *c, prism_fn visit, void *user, kart_error *error) {
    size_t index = 0;
    for (size_t m = 0; m < c->doc->models_count; m++)
        for (size_t i = 0; i < c->doc->models[m].prisms_count; i++, index++) {
            kcl_prism prism = kcl_prism_get(c->doc, &c->doc->models[m], i);
            if (!visit(c, &c->doc->models[m], &prism, index, user, error)) return false;
        }
    return true;
}

// --- degenerate, inverted ---------------------------------------------------------------------

static bool degenerate_visit(check *c, const kcl_model *model, const kcl_prism *prism, size_t index,
                             void *user, kart_error *error) {
    (void)user;
    kart_vec3 corner[3];
    kcl_soundness soundness = kcl_prism_triangle(c->doc, model, prism, corner);
    return !kcl_soundness_degenerate(soundness) ||
           report(c, index, "height", error, "%s", kcl_soundness_text(soundness));
}

static bool degenerate_check(check *c, kart_error *error) {
    return each_prism(c, degenerate_visit, NULL, error);
}

static bool inverted_visit(check *c, const kcl_model *model, const kcl_prism *prism, size_t index,
                           void *user, kart_error *error) {
    (void)user;
    kart_vec3 corner[3];
    return kcl_prism_triangle(c->doc, model, prism, corner) != KCL_INVERTED ||
           report(c, index, "height", error, "%s", kcl_soundness_text(KCL_INVERTED));
}

static bool inverted_check(check *c, kart_error *error) {
    return each_prism(c, inverted_visit, NULL, error);
}

// --- normals ----------------------------------------------------------------------------------

// Real files are up to 0.65 % off, once 2.5 %. [F]
#define UNIT_SLACK 0.03

static bool unit_visit(check *c, const kcl_model *model, const kcl_prism *prism, size_t index,
                       void *user, kart_error *error) {
    static const char *const names[] = {"face_normal", "ca_normal", "ab_normal", "bc_normal"};
    (void)user;
    for (size_t i = 0; i < KCL_NORMALS; i++) {
        double length = vec3_length(kcl_normal_get(c->doc, model, prism->normal[i]));
        if (fabs(length - 1) <= UNIT_SLACK) continue;
        if (!report(c, index, names[i], error, "length %g instead of 1", length)) return false;
    }
    return true;
}

static bool unit_check(check *c, kart_error *error) {
    return each_prism(c, unit_visit, NULL, error);
}

// --- reached by the octree --------------------------------------------------------------------

typedef struct reach {
    const kcl_doc *doc;
    uint8_t *reached;
} reach;

static bool reach_leaf(void *user, const kcl_leaf *leaf) {
    reach *r = user;
    size_t at = leaf->list, prism;
    while (kcl_list_next(r->doc, &at, &prism)) r->reached[prism] = 1;
    return true;
}

static bool reach_check(check *c, kart_error *error) {
    size_t first = 0;
    if (c->doc->stale) return true; // it is built anew
    for (size_t m = 0; m < c->doc->models_count; m++) {
        const kcl_model *model = &c->doc->models[m];
        reach r = {c->doc, kart_alloc(c->doc->ctx, model->prisms_count, error)};
        if (!r.reached) return false;
        kcl_octree_walk(c->doc, model, reach_leaf, &r);
        bool done = true;
        for (size_t i = 0; done && i < model->prisms_count; i++)
            if (!r.reached[i])
                done = report(c, first + i, "", error, "no list of the octree names it");
        kart_free(c->doc->ctx, r.reached, model->prisms_count);
        if (!done) return false;
        first += model->prisms_count;
    }
    return true;
}

// --- duplicates -------------------------------------------------------------------------------

// A triangle whose corners begin with the smallest, so that equal ones sort together. Models
// share triangles on purpose: only those of one model are compared.
typedef struct sorted_triangle {
    const kcl_model *model;
    float corner[3][3];
    uint32_t prism, same_as;
} sorted_triangle;

static int corner_compare(const void *a, const void *b) {
    const float *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int triangle_compare(const void *a, const void *b) {
    const sorted_triangle *x = a, *y = b;
    if (x->model != y->model) return x->model < y->model ? -1 : 1; // both of one array
    for (int i = 0; i < 3; i++) {
        int order = corner_compare(x->corner[i], y->corner[i]);
        if (order) return order;
    }
    return (x->prism > y->prism) - (x->prism < y->prism);
}

static bool same_triangle(const sorted_triangle *a, const sorted_triangle *b) {
    return a->model == b->model && memcmp(a->corner, b->corner, sizeof a->corner) == 0;
}

typedef struct duplicates {
    sorted_triangle *items;
    size_t count;
} duplicates;

// Corners that come out of the arithmetic differ in their last bits: compare them on a grid.
#define SAME_CORNER 0.01

static bool duplicate_visit(check *c, const kcl_model *model, const kcl_prism *prism, size_t index,
                            void *user, kart_error *error) {
    duplicates *d = user;
    kart_vec3 corner[3];
    (void)error;
    if (kcl_prism_triangle(c->doc, model, prism, corner) != KCL_SOUND) return true;
    sorted_triangle *t = &d->items[d->count++];
    *t = (sorted_triangle){.model = model, .prism = (uint32_t)index};
    for (int i = 0; i < 3; i++) {
        const double p[3] = {corner[i].x, corner[i].y, corner[i].z};
        for (int j = 0; j < 3; j++)
            t->corner[i][j] = (float)(fmin(fmax(nearbyint(p[j] / SAME_CORNER), -1e30), 1e30) + 0.0);
    }
    // The smallest corner first, the order kept: the other side of a sheet is another triangle.
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (corner_compare(t->corner[i], t->corner[least]) < 0) least = i;
    float turned[3][3];
    for (int i = 0; i < 3; i++) memcpy(turned[i], t->corner[(least + i) % 3], sizeof turned[i]);
    memcpy(t->corner, turned, sizeof turned);
    return true;
}

static int prism_compare(const void *a, const void *b) {
    const sorted_triangle *x = a, *y = b;
    return (x->prism > y->prism) - (x->prism < y->prism);
}

static bool duplicate_check(check *c, kart_error *error) {
    size_t size = c->doc->prisms_count * sizeof(sorted_triangle);
    duplicates d = {kart_alloc(c->doc->ctx, size, error), 0};
    if (!d.items) return false;
    bool done = each_prism(c, duplicate_visit, &d, error);
    qsort(d.items, d.count, sizeof *d.items, triangle_compare);
    size_t first = 0; // of the run of equal ones
    for (size_t i = 0; i < d.count; i++) {
        if (!same_triangle(&d.items[i], &d.items[first])) first = i;
        d.items[i].same_as = d.items[first].prism;
    }
    qsort(d.items, d.count, sizeof *d.items, prism_compare);
    for (size_t i = 0; done && i < d.count; i++)
        if (d.items[i].same_as != d.items[i].prism)
            done = report(c, d.items[i].prism, "", error, "the same triangle as prisms[%lu]",
                          (unsigned long)d.items[i].same_as + 1);
    kart_free(c->doc->ctx, d.items, size);
    return done;
}

// --- roads ------------------------------------------------------------------------------------

static bool road_visit(check *c, const kcl_model *model, const kcl_prism *prism, size_t index,
                       void *user, kart_error *error) {
    (void)user;
    if (!kcl_flag_is_floor(c->doc->format->game, prism->flag)) return true;
    double up = kcl_normal_get(c->doc, model, prism->normal[KCL_FACE]).y;
    if (!(up < -0.5)) return true;
    return report(c, index, "face_normal", error, "a road whose face looks down (y %.2f)", up);
}

static bool road_check(check *c, kart_error *error) {
    return each_prism(c, road_visit, NULL, error);
}

// --- limits -----------------------------------------------------------------------------------

typedef struct longest {
    const kcl_doc *doc;
    size_t length, over;
} longest;

// The engine of Mario Kart Wii caches so many prisms of a cell. [S]
#define CACHED_PRISMS 256

static bool longest_leaf(void *user, const kcl_leaf *leaf) {
    longest *l = user;
    size_t at = leaf->list, prism, length = 0;
    while (kcl_list_next(l->doc, &at, &prism)) length++;
    if (length > l->length) l->length = length;
    l->over += length > CACHED_PRISMS;
    return true;
}

static bool list_check(check *c, kart_error *error) {
    if (c->doc->format->game != KCL_MKW || c->doc->stale) return true;
    longest l = {.doc = c->doc};
    for (size_t m = 0; m < c->doc->models_count; m++)
        kcl_octree_walk(c->doc, &c->doc->models[m], longest_leaf, &l);
    return l.over == 0 || report(c, KART_NO_INDEX, "", error,
                                 "%zu cells list more than %d prisms, the longest %zu", l.over,
                                 CACHED_PRISMS, l.length);
}

// --- the table --------------------------------------------------------------------------------

static const struct {
    kart_rule rule;
    bool (*run)(check *c, kart_error *error);
} rules[] = {
    {{"prism-degenerate", KART_WARNING, "prisms",
      "It is no triangle: a number is not finite, two edges are parallel (cross products of "
      "at most 1e-6), or the area is at most 1e-9. It may act as a huge invisible one.",
      "Remove the triangle from the model, or clean the file.", "measured on files"},
     degenerate_check},
    {{"prism-inverted", KART_WARNING, "prisms",
      "A negative height, or edge normals that don't fit the face: it can't be hit where it "
      "stands.",
      "Build the file anew from its model.", "lookup formulas of the engine"},
     inverted_check},
    {{"normal-length", KART_WARNING, "normals",
      "Distances to a plane come out wrong when its normal has not the length 1 (3 % are let "
      "pass).",
      "Build the file anew from its model.", "measured on files"},
     unit_check},
    {{"prism-unreached", KART_WARNING, "octree",
      "No list of the octree names the prism: nothing ever collides with it.",
      "Rebuild the octree.", "lookup of the engine"},
     reach_check},
    {{"triangle-duplicate", KART_HINT, "prisms",
      "The same triangle stands twice: it is hit twice, and the lists are longer than they need "
      "be.",
      "Merge the doubles in the model.", "lookup formulas of the engine"},
     duplicate_check},
    {{"road-face-down", KART_WARNING, "prisms",
      "A road whose face looks down can't be driven on: karts fall through it from above.",
      "Flip the face in the model, or give it another flag.", "lookup formulas of the engine"},
     road_check},
    {{"list-long", KART_WARNING, "octree",
      "Mario Kart Wii caches at most 256 prisms of a cell: those behind may be missed.",
      "Rebuild the octree with smaller cells, or thin out the model.", "public decompilation"},
     list_check},
};

const kart_rule *kcl_rule_at(size_t index) {
    return index < sizeof rules / sizeof *rules ? &rules[index].rule : NULL;
}

bool kcl_check(const kcl_doc *doc, kart_findings *findings, kart_error *error) {
    size_t count = sizeof rules / sizeof *rules;
    for (size_t i = 0; i < count; i++) {
        check c = {doc, &rules[i].rule, findings};
        if (!rules[i].run(&c, error)) return false;
        if (!kart_ctx_step(doc->ctx, (double)(i + 1) / (double)count, error)) return false;
    }
    return true;
}
