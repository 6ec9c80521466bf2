// Where lookups come: near the surfaces, half of them by area, half of them alike for all prisms.
#include "kcl/build_work.h"
#include "kcl/near.h"

#define ALIKE   2.0     // places for each prism, whatever its size ...
#define BY_AREA 4.0     // ... and on average more by its area
#define LEAST   40000.0 // places in all
#define MOST    1e6     // places for one prism

static uint64_t spread_bits(uint64_t v) {
    v &= 0x1FFFFF;
    v = (v | v << 32) & 0x1F00000000FFFF;
    v = (v | v << 16) & 0x1F0000FF0000FF;
    v = (v | v << 8) & 0x100F00F00F00F00F;
    v = (v | v << 4) & 0x10C30C30C30C30C3;
    return (v | v << 2) & 0x1249249249249249;
}

// Codes have 21 bits for each axis: of larger areas the lowest bits are left out.
static uint64_t code_of(const kcl_build *b, kart_vec3 p) {
    const double at[3] = {p.x - b->min[0], p.y - b->min[1], p.z - b->min[2]};
    double unit = b->top > 21 ? (double)((uint64_t)1 << (b->top - 21)) : 1;
    uint64_t code = 0;
    for (int i = 0; i < 3; i++) {
        double last = (double)((uint64_t)1 << b->bits[i]) - 1;
        double v = at[i] < 0 ? 0 : at[i] > last ? last : at[i];
        code |= spread_bits((uint64_t)(v / unit)) << i;
    }
    return code;
}

typedef struct sample {
    uint64_t code;
    double weight;
} sample;

// Sort by code, stably, 11 bits at a time.
static void samples_sort(sample *from, sample *to, size_t count) {
    for (unsigned shift = 0; shift < 66; shift += 11) {
        size_t places[2049] = {0};
        for (size_t i = 0; i < count; i++)
            places[(shift < 64 ? from[i].code >> shift : 0) % 2048 + 1]++;
        for (size_t i = 1; i < 2049; i++) places[i] += places[i - 1];
        for (size_t i = 0; i < count; i++)
            to[places[(shift < 64 ? from[i].code >> shift : 0) % 2048]++] = from[i];
        sample *sorted = to;
        to = from;
        from = sorted;
    }
}

static size_t places_of(const kcl_build *b, double share) {
    double prisms = (double)b->solids_count, alike = fmax(ALIKE, floor(LEAST / 2 / prisms));
    double by_area = floor(fmax(BY_AREA * prisms, LEAST / 2) * share);
    return (size_t)(alike + fmin(by_area, MOST));
}

// Lookups that come to other octrees count for nothing here.
static bool is_within(const kcl_build *b, kart_vec3 p) {
    const kcl_box *w = b->input->within;
    return !w || (p.x >= w->low[0] && p.x <= w->high[0] && p.y >= w->low[1] && p.y <= w->high[1] &&
                  p.z >= w->low[2] && p.z <= w->high[2]);
}

static void samples_draw(const kcl_build *b, double whole, sample *out) {
    kcl_random r = {0x6B61727431756131u};
    double by_area = b->options.by_area, alike = (1 - by_area) / (double)b->solids_count;
    for (size_t i = 0; i < b->solids_count; i++) {
        const kart_vec3 *corner = b->input->corners[b->solid_id[i]];
        double share = kcl_triangle_area(corner) / whole;
        size_t places = places_of(b, share);
        double weight = (by_area * share + alike) / (double)places;
        for (size_t k = 0; k < places; k++) {
            kart_vec3 place = kcl_near_draw(&r, corner);
            *out++ = (sample){code_of(b, place), is_within(b, place) ? weight : 0};
        }
    }
}

bool build_sample(kcl_build *b, kart_error *error) {
    double whole = 0;
    size_t count = 0;
    for (size_t i = 0; i < b->solids_count; i++)
        whole += kcl_triangle_area(b->input->corners[b->solid_id[i]]);
    for (size_t i = 0; i < b->solids_count; i++)
        count += places_of(b, kcl_triangle_area(b->input->corners[b->solid_id[i]]) / whole);
    size_t bytes = count * sizeof(sample);
    sample *samples = kart_alloc(b->ctx, bytes, error);
    sample *sorted = samples ? kart_alloc(b->ctx, bytes, error) : NULL;
    b->codes = sorted ? kart_alloc(b->ctx, count * sizeof *b->codes, error) : NULL;
    b->before = b->codes ? kart_alloc(b->ctx, (count + 1) * sizeof *b->before, error) : NULL;
    b->samples_count = count;
    if (b->before) {
        samples_draw(b, whole, samples);
        samples_sort(samples, sorted, count); // six passes: back in `samples`
        for (size_t i = 0; i < count; i++) {
            b->codes[i] = samples[i].code;
            b->before[i + 1] = b->before[i] + samples[i].weight;
        }
    }
    kart_free(b->ctx, sorted, bytes);
    kart_free(b->ctx, samples, bytes);
    return b->before != NULL;
}

// The first sample of first .. last - 1 whose code is at least `code`.
static size_t sample_find(const kcl_build *b, uint64_t code, size_t first, size_t last) {
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (b->codes[middle] < code)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

double build_weight(const kcl_build *b, uint64_t code, uint64_t count, size_t *first, size_t last) {
    size_t begin = *first;
    *first = sample_find(b, code + count, begin, last);
    return b->before[*first] - b->before[begin];
}
