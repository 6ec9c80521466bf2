// What is in a document, in numbers.
#include "kcl/kcl.h"
#include "kcl/octree.h"

#include <stdlib.h>
#include <string.h>

void kcl_flags_count(const kcl_doc *doc, size_t counts[65536], double areas[65536]) {
    memset(counts, 0, 65536 * sizeof *counts);
    memset(areas, 0, 65536 * sizeof *areas);
    for (size_t m = 0; m < doc->models_count; m++)
        for (size_t i = 0; i < doc->models[m].prisms_count; i++) {
            kcl_prism prism = kcl_prism_get(doc, &doc->models[m], i);
            kart_vec3 corner[3];
            counts[prism.flag]++;
            if (kcl_prism_triangle(doc, &doc->models[m], &prism, corner) == KCL_SOUND)
                areas[prism.flag] += kcl_triangle_area(corner);
        }
}

static void bounds_add(kcl_stats *stats, const kart_vec3 corner[3]) {
    for (int i = 0; i < 3; i++) {
        kart_vec3 p = corner[i];
        stats->low =
            (kart_vec3){fmin(stats->low.x, p.x), fmin(stats->low.y, p.y), fmin(stats->low.z, p.z)};
        stats->high = (kart_vec3){fmax(stats->high.x, p.x), fmax(stats->high.y, p.y),
                                  fmax(stats->high.z, p.z)};
    }
}

static void prisms_measure(const kcl_doc *doc, const kcl_model *model, kcl_stats *stats) {
    for (size_t i = 0; i < model->prisms_count; i++) {
        kcl_prism prism = kcl_prism_get(doc, model, i);
        kart_vec3 corner[3];
        kcl_soundness soundness = kcl_prism_triangle(doc, model, &prism, corner);
        stats->degenerate += kcl_soundness_degenerate(soundness);
        stats->inverted += soundness == KCL_INVERTED;
        if (soundness != KCL_SOUND) continue;
        bounds_add(stats, corner);
        stats->area += kcl_triangle_area(corner);
    }
}

typedef struct tree_walk {
    const kcl_doc *doc;
    const kcl_model *model;
    kcl_stats *stats;
    uint8_t *lists;   // per half word of the octree: a list starts here
    uint8_t *reached; // per prism
    double volume, weighted;
} tree_walk;

static bool leaf_measure(void *user, const kcl_leaf *leaf) {
    tree_walk *w = user;
    kcl_stats *stats = w->stats;
    size_t at = leaf->list, length = 0, prism;
    size_t half = (leaf->list - w->model->octree.start) / 2;
    bool seen = w->lists[half];
    w->lists[half] = 1;
    while (kcl_list_next(w->doc, &at, &prism)) {
        w->reached[prism] = 1;
        length++;
    }
    stats->leaves++;
    stats->empty_leaves += length == 0;
    if (leaf->depth > stats->depth) stats->depth = leaf->depth;
    if (length > stats->longest_list) stats->longest_list = length;
    if (!seen) {
        stats->lists++;
        stats->list_refs += length;
    }
    double volume = (double)leaf->size * (double)leaf->size * (double)leaf->size;
    w->volume += volume;
    w->weighted += volume * (double)length;
    return true;
}

static void nodes_count(const kcl_doc *doc, size_t group, size_t at, size_t start, uint8_t *seen,
                        kcl_stats *stats) {
    uint32_t word = kcl_word_at(doc, at);
    if (word & KCL_LEAF) return;
    size_t next = group + word, mark = (next - start) / 2;
    if (seen[mark]) return;
    seen[mark] = 1;
    stats->nodes++;
    for (size_t i = 0; i < 8; i++) nodes_count(doc, next, next + 4 * i, start, seen, stats);
}

static bool tree_measure(const kcl_doc *doc, const kcl_model *model, kcl_stats *stats,
                         double *volume, double *weighted, kart_error *error) {
    size_t halves = (model->octree.end - model->octree.start) / 2 + 1;
    tree_walk w = {.doc = doc, .model = model, .stats = stats};
    w.lists = kart_alloc(doc->ctx, halves, error);
    w.reached = w.lists ? kart_alloc(doc->ctx, model->prisms_count, error) : NULL;
    bool done = w.reached != NULL;
    if (done) {
        kcl_octree_walk(doc, model, leaf_measure, &w);
        for (size_t i = 0; i < model->prisms_count; i++) stats->unreached += !w.reached[i];
        memset(w.lists, 0, halves);
        for (size_t i = 0; i < model->roots; i++)
            nodes_count(doc, model->octree.start, model->octree.start + 4 * i, model->octree.start,
                        w.lists, stats);
        *volume += w.volume;
        *weighted += w.weighted;
    }
    kart_free(doc->ctx, w.lists, halves);
    kart_free(doc->ctx, w.reached, model->prisms_count);
    return done;
}

static int id_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool kcl_triangles_count(const kcl_doc *doc, size_t *distinct, kart_error *error) {
    size_t count = doc->prisms_count, at = 0;
    uint32_t *ids = kart_alloc(doc->ctx, count * sizeof *ids, error);
    if (!ids) return false;
    for (size_t m = 0; m < doc->models_count; m++)
        for (size_t i = 0; i < doc->models[m].prisms_count; i++)
            ids[at++] = kcl_prism_get(doc, &doc->models[m], i).triangle;
    qsort(ids, count, sizeof *ids, id_compare);
    *distinct = count > 0;
    for (size_t i = 1; i < count; i++) *distinct += ids[i] != ids[i - 1];
    kart_free(doc->ctx, ids, count * sizeof *ids);
    return true;
}

bool kcl_stats_get(const kcl_doc *doc, kcl_stats *stats, kart_error *error) {
    double volume = 0, weighted = 0;
    *stats = (kcl_stats){.models = doc->models_count,
                         .prisms = doc->prisms_count,
                         .triangles = doc->prisms_count,
                         .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                         .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t m = 0; m < doc->models_count; m++) {
        const kcl_model *model = &doc->models[m];
        stats->positions += model->positions_count;
        stats->normals += model->normals_count;
        stats->octree_bytes += model->octree.end - model->octree.start;
        prisms_measure(doc, model, stats);
        if (!tree_measure(doc, model, stats, &volume, &weighted, error)) return false;
    }
    stats->mean_list = volume > 0 ? weighted / volume : 0;
    return !doc->format->v2 || kcl_triangles_count(doc, &stats->triangles, error);
}
