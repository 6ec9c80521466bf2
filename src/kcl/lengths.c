// How many prisms a lookup tests, near the surfaces.
#include "kcl/lookup.h"
#include "kcl/near.h"
#include "kcl/rebuild.h"

#include <math.h>

// The triangle of a sound prism.
typedef struct target {
    kart_vec3 corner[3];
    double area; // of it and all before it
} target;

static size_t targets_fill(const kcl_doc *doc, target *targets) {
    size_t count = 0;
    for (size_t m = 0; m < doc->models_count; m++)
        for (size_t i = 0; i < doc->models[m].prisms_count; i++) {
            target *t = &targets[count];
            kcl_prism prism = kcl_prism_get(doc, &doc->models[m], i);
            if (kcl_prism_triangle(doc, &doc->models[m], &prism, t->corner) != KCL_SOUND) continue;
            t->area = (count > 0 ? targets[count - 1].area : 0) + kcl_triangle_area(t->corner);
            count++;
        }
    return count;
}

// The first target up to which there is so much area.
static const target *target_find(const target *targets, size_t count, double area) {
    size_t first = 0, last = count - 1;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (targets[middle].area <= area)
            first = middle + 1;
        else
            last = middle;
    }
    return &targets[first];
}

// Prisms of the list that a lookup at a place reads; 0 outside of the area.
static size_t list_length(const kcl_doc *doc, kart_vec3 place) {
    const float point[3] = {(float)place.x, (float)place.y, (float)place.z};
    kcl_leaf leaf;
    size_t model;
    return kcl_cell_at(doc, point, &model, &leaf) ? kcl_list_length(doc, leaf.list) : 0;
}

typedef struct tally {
    uint64_t sum;
    size_t longest;
} tally;

static void tally_add(tally *t, size_t length) {
    t->sum += length;
    if (length > t->longest) t->longest = length;
}

static kcl_length tally_mean(const tally *t, size_t samples) {
    return (kcl_length){(double)t->sum / (double)samples, t->longest};
}

static bool lengths_sample(const kcl_doc *doc, const target *targets, size_t count, uint64_t seed,
                           kcl_lengths *lengths, kart_error *error) {
    kcl_random r = {seed};
    tally by_area = {0}, by_prism = {0};
    for (size_t i = 0; i < lengths->samples; i++) {
        double done = (double)i / (double)lengths->samples;
        if (i % 4096 == 0 && !kart_ctx_step(doc->ctx, done, error)) return false;
        double drawn = kcl_random_next(&r);
        const target *t = target_find(targets, count, drawn * targets[count - 1].area);
        tally_add(&by_area, list_length(doc, kcl_near_draw(&r, t->corner)));
        t = &targets[(size_t)(kcl_random_next(&r) * (double)count)];
        tally_add(&by_prism, list_length(doc, kcl_near_draw(&r, t->corner)));
    }
    lengths->by_area = tally_mean(&by_area, lengths->samples);
    lengths->by_prism = tally_mean(&by_prism, lengths->samples);
    return true;
}

bool kcl_lengths_get(const kcl_doc *doc, size_t samples, uint64_t seed, kcl_lengths *lengths,
                     kart_error *error) {
    *lengths = (kcl_lengths){.samples = samples};
    size_t bytes = doc->prisms_count * sizeof(target);
    target *targets = kart_alloc(doc->ctx, bytes, error);
    if (!targets) return false;
    size_t count = targets_fill(doc, targets);
    bool done = count == 0 || lengths_sample(doc, targets, count, seed, lengths, error);
    kart_free(doc->ctx, targets, bytes);
    return done;
}
