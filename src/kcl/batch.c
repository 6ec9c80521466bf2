#include "kcl/batch.h"

#include "core/array.h"
#include "core/os.h"

#include <string.h>

// Points between two looks at the cancel flag, and of one thread at a time.
#define SLICE 4096

// Hits that a thread has room for: threads don't allocate.
#define ROOM ((size_t)16 * SLICE)

#define THREADS_MOST 8

typedef struct slice {
    const kcl_lookup *lookup;
    const kcl_batch *batch;
    size_t first, end; // points
    size_t done;       // the first one that was not done: `hits` has no room for more
    size_t *ends;      // of all points, counted from the slice's first hit
    kcl_hits hits;
} slice;

static void vec_put(float to[3], kart_vec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static bool point_run(const kcl_lookup *lookup, const kcl_batch *batch, size_t i, kcl_hits *hits,
                      kart_error *error) {
    kcl_query query = batch->query;
    vec_put(query.point, kart_points_get(&batch->points, i));
    query.moving = batch->from != NULL;
    if (batch->from) vec_put(query.from, kart_points_get(batch->from, i));
    return batch->lookup(lookup, &query, hits, error);
}

static void slice_run(void *user, unsigned index) {
    slice *s = (slice *)user + index;
    for (s->done = s->first; s->done < s->end; s->done++) {
        const kcl_hits before = s->hits;
        if (!point_run(s->lookup, s->batch, s->done, &s->hits, NULL)) {
            s->hits = before; // this point will be done again
            return;
        }
        s->ends[s->done] = s->hits.count;
    }
}

static bool hits_append(kcl_hits *hits, const kcl_hits *more, kart_error *error) {
    hits->tested += more->tested;
    if (more->count == 0) return true;
    kcl_hit *items = kart_array_grow(hits->ctx, hits->items, &hits->capacity,
                                     hits->count + more->count, sizeof *items, error);
    if (!items) return false;
    hits->items = items;
    memcpy(items + hits->count, more->items, more->count * sizeof *items);
    hits->count += more->count;
    return true;
}

// Take over what a thread did, and do what it had no room for.
static bool slice_end(const slice *s, kcl_hits *hits, kart_error *error) {
    const size_t before = hits->count;
    if (!hits_append(hits, &s->hits, error)) return false;
    for (size_t i = s->first; i < s->done; i++) s->ends[i] += before;
    for (size_t i = s->done; i < s->end; i++) {
        if (!point_run(s->lookup, s->batch, i, hits, error)) return false;
        s->ends[i] = hits->count;
    }
    return true;
}

static bool slices_run(slice *slices, unsigned count, const kcl_batch *batch, kcl_hits *hits,
                       kart_error *error) {
    const size_t points = batch->points.count;
    for (size_t at = 0; at < points;) {
        unsigned used = 0;
        for (; used < count && at < points; used++) {
            slice *s = &slices[used];
            s->first = s->done = at;
            s->end = at = points - at < SLICE ? points : at + SLICE;
            s->hits.count = s->hits.tested = 0;
        }
        // A thread alone writes straight into the result.
        if (count > 1) os_parallel(used, slice_run, slices);
        for (unsigned i = 0; i < used; i++)
            if (!slice_end(&slices[i], hits, error)) return false;
        if (!kart_ctx_step(hits->ctx, (double)at / (double)points, error)) return false;
    }
    return true;
}

static unsigned threads_of(const kcl_batch *batch) {
    const size_t slices = (batch->points.count + SLICE - 1) / SLICE;
    unsigned threads = batch->threads ? batch->threads : os_processors();
    if (threads > slices) threads = (unsigned)slices;
    return threads > THREADS_MOST ? THREADS_MOST : threads;
}

bool kcl_batch_run(const kcl_lookup *lookup, const kcl_batch *batch, kcl_hits *hits, size_t *ends,
                   kart_error *error) {
    slice slices[THREADS_MOST];
    const unsigned count = threads_of(batch);
    kcl_hit *room = NULL;
    const size_t size = count > 1 ? count * ROOM * sizeof *room : 0;
    if (count == 0) return true;
    if (size > 0 && !(room = kart_realloc(hits->ctx, NULL, 0, size, error))) return false;
    for (unsigned i = 0; i < count; i++)
        slices[i] = (slice){.lookup = lookup,
                            .batch = batch,
                            .ends = ends,
                            .hits = {.items = room ? room + i * ROOM : NULL, .capacity = ROOM}};
    bool done = slices_run(slices, count, batch, hits, error);
    kart_free(hits->ctx, room, size);
    return done;
}
