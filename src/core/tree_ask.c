// Queries by kind, one and many.
#include "core/os.h"
#include "core/tree_work.h"

static kart_ray ray_of(const kart_ask *ask, kart_vec3 point, kart_vec3 other) {
    kart_ray ray = {.origin = point,
                    .direction = other,
                    .max = ask->max,
                    .faces = ask->faces,
                    .accept = ask->accept,
                    .user = ask->user};
    switch (ask->query) {
    case KART_GROUND: ray.direction = (kart_vec3){0, -1, 0}; break;
    case KART_CEILING: ray.direction = (kart_vec3){0, 1, 0}; break;
    case KART_SEGMENT:
        ray.direction = vec3_sub(other, point);
        ray.max = 1;
        break;
    default: // without a length it finds nothing, wherever it would end
        if (!isinf(ask->max)) ray.max = ask->max / tree_length(other);
        break;
    }
    return ray;
}

bool kart_tree_ask(const kart_tree *tree, const kart_ask *ask, kart_vec3 point, kart_vec3 other,
                   kart_hit *hit) {
    if (ask->query == KART_NEAREST) {
        const kart_near near = {point, ask->max, ask->accept, ask->user};
        return kart_tree_nearest(tree, &near, hit);
    }
    if (ask->query == KART_SWEEP) {
        const kart_sweep sweep = {point, other, ask->radius, ask->faces, ask->accept, ask->user};
        return kart_tree_sweep(tree, &sweep, hit);
    }
    const kart_ray ray = ray_of(ask, point, other);
    return ask->any ? kart_tree_raycast_any(tree, &ray, hit) : kart_tree_raycast(tree, &ray, hit);
}

bool kart_tree_ask_all(const kart_tree *tree, const kart_ask *ask, kart_vec3 point, kart_vec3 other,
                       kart_hits *hits, kart_error *error) {
    const kart_ray ray = ray_of(ask, point, other);
    return kart_tree_raycast_all(tree, &ray, hits, error);
}

// --- many -------------------------------------------------------------------------------------

// Points of one thread between two looks at the cancel flag.
#define SLICE 16384

#define THREADS_MOST 8

typedef struct slice {
    const kart_tree *tree;
    const kart_batch *batch;
    const kart_answers *answers;
    size_t first, end; // points
    size_t hits, visits;
} slice;

static void vec_put(double *to, size_t i, kart_vec3 v) {
    if (!to) return;
    to[3 * i] = v.x;
    to[3 * i + 1] = v.y;
    to[3 * i + 2] = v.z;
}

static void answer_put(const kart_answers *a, size_t i, const kart_hit *hit) {
    if (a->triangle) a->triangle[i] = hit->triangle;
    if (a->distance) a->distance[i] = hit->distance;
    if (a->u) a->u[i] = hit->u;
    if (a->v) a->v[i] = hit->v;
    vec_put(a->point, i, hit->point);
    vec_put(a->normal, i, hit->normal);
}

static void slice_run(void *user, unsigned index) {
    const double none = (double)NAN;
    static const kart_vec3 nowhere = {(double)NAN, (double)NAN, (double)NAN};
    slice *s = (slice *)user + index;
    const kart_points *others = &s->batch->others;
    kart_vec3 other = nowhere;
    if (others->count > 0) other = kart_points_get(others, 0);
    for (size_t i = s->first; i < s->end; i++) {
        kart_hit hit;
        const kart_vec3 point = kart_points_get(&s->batch->points, i);
        if (others->count > 1) other = kart_points_get(others, i);
        if (kart_tree_ask(s->tree, &s->batch->ask, point, other, &hit)) {
            s->hits++;
        } else {
            hit.distance = (double)INFINITY;
            hit.u = hit.v = none;
            hit.point = hit.normal = nowhere;
        }
        s->visits += hit.visits;
        answer_put(s->answers, i, &hit);
    }
}

static unsigned threads_of(const kart_batch *batch) {
    const size_t slices = (batch->points.count + SLICE - 1) / SLICE;
    unsigned threads = batch->threads ? batch->threads : os_processors();
    if (threads > slices) threads = (unsigned)slices;
    return threads > THREADS_MOST ? THREADS_MOST : threads;
}

bool kart_tree_ask_many(kart_ctx *ctx, const kart_tree *tree, const kart_batch *batch,
                        kart_answers *answers, kart_error *error) {
    slice slices[THREADS_MOST];
    const unsigned threads = threads_of(batch);
    const size_t count = batch->points.count;
    answers->hits = answers->visits = 0;
    for (size_t at = 0; at < count;) {
        unsigned used = 0;
        for (; used < threads && at < count; used++) {
            const size_t end = count - at < SLICE ? count : at + SLICE;
            slices[used] = (slice){tree, batch, answers, at, end, 0, 0};
            at = end;
        }
        os_parallel(used, slice_run, slices);
        for (unsigned i = 0; i < used; i++) {
            answers->hits += slices[i].hits;
            answers->visits += slices[i].visits;
        }
        if (!kart_ctx_step(ctx, (double)at / (double)count, error)) return false;
    }
    return true;
}
