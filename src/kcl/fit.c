#include "kcl/fit.h"

#include "kcl/cover.h"
#include "kcl/shape.h"

#include <stdlib.h>
#include <string.h>

// How an error is shared out: what the face may add to it, and each edge.
#define FACE_PART 0.8
#define EDGE_PART 1.1
#define REST_PART 0.75 // what prisms that get normals back are brought to

#define TILT      (KCL_FIT_TILT - 2e-6) // what rounding adds to
#define EDGE_TURN 0.2   // radians that an edge normal is turned in its face, at most
#define FACE_TURN 0.05  // radians that a face is turned along an axis, at most
#define ROUNDS    4     // of the search for the error
#define GROWTHS   16    // of the first error, to twice as much
#define FULL      0.98  // of the normals, where the search ends
#define FINE      0.003 // units: no less error is searched for

#define ADVICE "fewer triangles help, welding, a larger max_error, or a game with many models: mk8"

// A prism as it would be.
typedef struct fitted {
    uint8_t position[KCL_ENTRY_MOST], height[4];
    int first; // corner of the triangle
    kart_vec3 corner[3];
    double error;
} fitted;

typedef kart_vec3 normals[KCL_NORMALS]; // the face's, and those of the edges opposite to corners

typedef struct off {
    double error;
    uint32_t prism;
} off;

typedef struct fitting {
    const kcl_draft *draft;
    const kart_vec3 (*triangles)[3];
    size_t count, most;
    kcl_region *regions; // three for each prism
    kart_vec3 *points;   // likewise
    uint32_t *served;
    normals *normals;
    double *errors;
    off *order;
} fitting;

static const kart_vec3 *triangle_of(const fitting *f, size_t i) {
    return f->triangles[f->draft->prisms[i].triangle];
}

static kart_vec3 side_of(const kart_vec3 t[3], int opposite) {
    return vec3_sub(t[(opposite + 2) % 3], t[(opposite + 1) % 3]);
}

// As the file has it.
static kart_vec3 rounded(const fitting *f, kart_vec3 v) {
    uint8_t bytes[KCL_ENTRY_MOST];
    return kcl_unit_store(f->draft->format, v, bytes);
}

static kart_vec3 face_own(const fitting *f, size_t i) {
    const kart_vec3 *t = triangle_of(f, i);
    return rounded(f, vec3_unit(vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]))));
}

// At right angles with the edge and with the face that the prism has.
static kart_vec3 edge_own(const fitting *f, size_t i, int opposite) {
    return rounded(f,
                   vec3_unit(vec3_cross(side_of(triangle_of(f, i), opposite), f->normals[i][0])));
}

// --- one prism --------------------------------------------------------------------------------

static void normals_turned(const normals n, int first, kart_vec3 turned[KCL_NORMALS]) {
    turned[KCL_FACE] = n[0];
    turned[KCL_BC] = n[1 + first];
    turned[KCL_CA] = n[1 + (first + 1) % 3];
    turned[KCL_AB] = n[1 + (first + 2) % 3];
}

// The best prism that starts at a place near corner `first`, which may be the corner itself.
static void fit_at(const fitting *f, const kart_vec3 t[3], const normals n, int first,
                   kart_vec3 place, fitted *best) {
    const kcl_format *format = f->draft->format;
    const kart_vec3 aim[3] = {t[first], t[(first + 1) % 3], t[(first + 2) % 3]};
    kart_vec3 turned[KCL_NORMALS];
    fitted tried = {.first = first};
    normals_turned(n, first, turned);
    if (kcl_position_store(format, place, tried.position) &&
        kcl_shape_fit(format, aim, kcl_position_load(format, tried.position), turned, tried.height,
                      tried.corner, &tried.error) == KCL_FAULT_NONE &&
        tried.error < best->error)
        *best = tried;
}

// The place of corner A that brings the worst corner nearest, or no farther than `good`: each round
// gives more weight to the corners that are off.
static bool place_find(const kart_vec3 t[3], const normals n, double good, kart_vec3 *place) {
    kart_vec3 turned[KCL_NORMALS];
    normals_turned(n, 0, turned);
    kart_vec3 way[3] = {{0, 0, 0},
                        vec3_cross(turned[KCL_AB], turned[KCL_FACE]),
                        vec3_cross(turned[KCL_CA], turned[KCL_FACE])};
    for (int i = 1; i < 3; i++) {
        double across = vec3_dot(way[i], turned[KCL_BC]);
        if (fabs(across) <= 1e-6) return false;
        way[i] = vec3_scale(way[i], 1 / across);
    }
    double weight[3] = {1, 1, 1}, least = (double)INFINITY;
    for (int round = 0; round < 6 && least > good; round++) {
        kart_vec3 from = {0, 0, 0}, to = {0, 0, 0};
        double sum = weight[0] + weight[1] + weight[2], along = 0, square = 0, error[3];
        for (int i = 0; i < 3; i++) {
            from = vec3_add(from, vec3_scale(way[i], weight[i] / sum));
            to = vec3_add(to, vec3_scale(t[i], weight[i] / sum));
        }
        for (int i = 0; i < 3; i++) {
            kart_vec3 a = vec3_sub(way[i], from);
            along += weight[i] * vec3_dot(a, vec3_sub(t[i], to));
            square += weight[i] * vec3_dot(a, a);
        }
        double height = along / square, worst = 0;
        kart_vec3 start = vec3_sub(to, vec3_scale(from, height));
        for (int i = 0; i < 3; i++) {
            kart_vec3 corner = vec3_add(start, vec3_scale(way[i], height));
            error[i] = vec3_length(vec3_sub(corner, t[i]));
            worst = fmax(worst, error[i]);
        }
        if (!(worst < (double)INFINITY)) return false;
        if (worst < least) {
            least = worst;
            *place = start;
        }
        for (int i = 0; i < 3; i++) weight[i] *= 0.05 + error[i] / worst;
    }
    return least < (double)INFINITY;
}

// The best prism that starts at a place of its own. If `good` is reached, no better one is looked
// for.
static void fit_free(const fitting *f, size_t i, const normals n, double good, fitted *best) {
    kart_vec3 place = {0, 0, 0};
    if (place_find(triangle_of(f, i), n, good, &place))
        fit_at(f, triangle_of(f, i), n, 0, place, best);
}

static void fit_corners(const fitting *f, size_t i, const normals n, double good, fitted *best) {
    const kart_vec3 *t = triangle_of(f, i);
    for (int first = 0; first < 3 && best->error > good; first++)
        fit_at(f, t, n, first, t[first], best);
}

// Units that the worst corner is off; where it may be `good` it is not made better.
static double error_of(const fitting *f, size_t i, const normals n, double good) {
    fitted best = {.error = (double)INFINITY};
    fit_free(f, i, n, 0.9 * good, &best);
    if (best.error > good) fit_corners(f, i, n, good, &best);
    return best.error;
}

// --- sharing ----------------------------------------------------------------------------------

// How far a face may be turned: corners are off by half of what they differ along its normal. A
// triangle that is narrow is drawn out for it.
static void face_region(const kart_vec3 t[3], kart_vec3 face, double error, kcl_region *r) {
    const double least = 2 * error / FACE_TURN;
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (vec3_length(side_of(t, k)) > vec3_length(side_of(t, longest))) longest = k;
    kart_vec3 along = side_of(t, longest), other = side_of(t, (longest + 1) % 3);
    double length = vec3_length(along);
    kart_vec3 u = vec3_scale(along, 1 / length), w = vec3_cross(face, u);
    double wide = vec3_dot(other, u) / length * fmax(length, least);
    double high = fmax(fabs(vec3_dot(other, w)), least);
    r->slab[0] = vec3_scale(u, fmax(length, least));
    r->slab[1] = vec3_add(vec3_scale(u, wide), vec3_scale(w, high));
    r->slab[2] = vec3_add(r->slab[0], r->slab[1]);
    for (int k = 0; k < 3; k++) r->slab[k] = vec3_scale(r->slab[k], 1 / (2 * error));
}

static void edge_region(const kart_vec3 t[3], int opposite, kart_vec3 face, kart_vec3 edge,
                        double error, kcl_region *r) {
    double length[3], sine = 0;
    for (int k = 0; k < 3; k++) length[k] = vec3_length(side_of(t, k));
    double twice_area = vec3_length(vec3_cross(side_of(t, 0), side_of(t, 1)));
    for (int k = 1; k < 3; k++) // at both ends of the edge
        sine += twice_area / (length[opposite] * length[(opposite + k) % 3]);
    double turn = fmin(error * sine / length[opposite], EDGE_TURN);
    r->slab[0] = vec3_scale(vec3_unit(vec3_cross(face, edge)), 1 / turn);
    r->slab[1] = vec3_scale(face, 1 / TILT);
    r->slab[2] = (kart_vec3){0, 0, 0};
}

static bool point_add(fitting *f, kcl_pool *pool, kart_vec3 v, uint32_t *point, kart_error *error) {
    uint8_t bytes[KCL_ENTRY_MOST];
    kart_vec3 stored = kcl_unit_store(f->draft->format, v, bytes);
    size_t number = kcl_pool_add(f->draft->ctx, pool, bytes, error);
    if (number == SIZE_MAX) return false;
    f->points[number] = stored;
    *point = (uint32_t)number;
    return true;
}

static bool cover(fitting *f, size_t points, size_t regions, kart_error *error) {
    const kcl_cover_input input = {f->points, points, f->regions, regions};
    return kcl_cover(f->draft->ctx, &input, f->served, error) != SIZE_MAX;
}

static bool faces_share(fitting *f, kcl_pool *pool, double most, kart_error *error) {
    for (size_t i = 0; i < f->count; i++) {
        kart_vec3 face = face_own(f, i);
        if (!point_add(f, pool, face, &f->regions[i].point, error)) return false;
        face_region(triangle_of(f, i), face, FACE_PART * most, &f->regions[i]);
    }
    if (!cover(f, pool->count, f->count, error)) return false;
    for (size_t i = 0; i < f->count; i++) f->normals[i][0] = f->points[f->served[i]];
    return true;
}

static bool edges_share(fitting *f, kcl_pool *pool, double most, kart_error *error) {
    for (size_t i = 0; i < 3 * f->count; i++) {
        int opposite = (int)(i % 3);
        kart_vec3 edge = edge_own(f, i / 3, opposite);
        if (!point_add(f, pool, edge, &f->regions[i].point, error)) return false;
        edge_region(triangle_of(f, i / 3), opposite, f->normals[i / 3][0], edge, EDGE_PART * most,
                    &f->regions[i]);
    }
    if (!cover(f, pool->count, 3 * f->count, error)) return false;
    for (size_t i = 0; i < 3 * f->count; i++)
        f->normals[i / 3][1 + i % 3] = f->points[f->served[i]];
    return true;
}

typedef bool share_fn(fitting *f, kcl_pool *pool, double most, kart_error *error);

static bool share(fitting *f, share_fn *fn, double most, kart_error *error) {
    kcl_pool pool;
    if (!kcl_pool_init(f->draft->ctx, &pool, kcl_normal_size(f->draft->format), error))
        return false;
    bool done = fn(f, &pool, most, error);
    kcl_pool_free(f->draft->ctx, &pool);
    return done;
}

// Give a prism normals of its own back, as few as bring it to `most`, or all.
static void own_give(fitting *f, size_t i, double most) {
    static const uint8_t sets[] = {1, 2, 4, 3, 5, 6, 7}; // of edges, the smaller ones first
    normals kept, best;
    memcpy(kept, f->normals[i], sizeof kept);
    for (size_t s = 0; s <= sizeof sets && f->errors[i] > most; s++) {
        if (s == sizeof sets) f->normals[i][0] = kept[0] = face_own(f, i);
        unsigned set = s < sizeof sets ? sets[s] : 7;
        memcpy(best, kept, sizeof best);
        for (int k = 0; k < 3; k++)
            if (set >> k & 1) best[1 + k] = edge_own(f, i, k);
        double error = error_of(f, i, (const kart_vec3 *)best, most);
        if (error > most && s < sizeof sets) continue;
        f->errors[i] = error;
        memcpy(f->normals[i], best, sizeof best);
        break;
    }
}

static bool normals_add(const fitting *f, kcl_pool *pool, size_t i, kart_error *error) {
    for (size_t k = 0; k < KCL_NORMALS; k++) {
        uint8_t bytes[KCL_ENTRY_MOST];
        kcl_unit_store(f->draft->format, f->normals[i][k], bytes);
        if (kcl_pool_add(f->draft->ctx, pool, bytes, error) == SIZE_MAX) return false;
    }
    return true;
}

// Share so that no corner is off by more than `most`, where its own normals allow it. Gives how
// many normals that takes; SIZE_MAX with an error.
static size_t try(fitting *f, double most, kart_error *error) {
    kart_ctx *ctx = f->draft->ctx;
    if (!share(f, faces_share, most, error) || !share(f, edges_share, most, error)) return SIZE_MAX;
    kcl_pool pool;
    if (!kcl_pool_init(ctx, &pool, kcl_normal_size(f->draft->format), error)) return SIZE_MAX;
    bool done = true;
    for (size_t i = 0; done && i < f->count; i++) {
        f->errors[i] = error_of(f, i, (const kart_vec3 *)f->normals[i], most);
        if (f->errors[i] > most) own_give(f, i, most);
        done = normals_add(f, &pool, i, error);
    }
    size_t count = done ? pool.count : SIZE_MAX;
    kcl_pool_free(ctx, &pool);
    return count;
}

// --- search -----------------------------------------------------------------------------------

static double mean_length(const fitting *f) {
    double sum = 0;
    for (size_t i = 0; i < f->count; i++)
        for (int k = 0; k < 3; k++) sum += vec3_length(side_of(triangle_of(f, i), k));
    return sum / (3 * (double)f->count);
}

// Where the normals may suffice: the more the error, the less it helps to let it be more.
static double most_beyond(const fitting *f, double most, size_t count) {
    double before = (double)f->draft->normals.count, gone = before - (double)count;
    double step = gone > 0 ? 1.3 * (before - (double)f->most) / gone : 4;
    return most * fmin(fmax(step, 1.25), 4);
}

static double most_between(const fitting *f, double low, size_t low_count, double high,
                           size_t high_count) {
    double aim = 0.99 * (double)f->most, few = (double)high_count / aim;
    if (low == 0) return high * fmax(few * few, 0.01);
    double share = ((double)low_count - aim) / (double)(low_count - high_count);
    double root = sqrt(low) + (sqrt(high) - sqrt(low)) * fmin(fmax(share, 0.1), 0.9);
    return root * root;
}

// The least error at which the normals suffice; leaves them in `normals`. 0 with an error.
static double search(fitting *f, normals *best, kart_error *error) {
    double low = 0, high = 0, most = 1e-3 * mean_length(f);
    size_t low_count = f->draft->normals.count, high_count = 0;
    for (int round = 0, growths = 0; round < ROUNDS && (high == 0 || high > FINE);) {
        if (!kart_ctx_step(f->draft->ctx, 0, error)) return 0;
        size_t count = try(f, most, error);
        if (count == SIZE_MAX) return 0;
        if (count <= f->most) {
            high = most;
            high_count = count;
            memcpy(best, f->normals, f->count * sizeof *best);
            if ((double)count >= FULL * (double)f->most) break;
        } else {
            low = most;
            low_count = count;
        }
        if (high == 0 && growths++ == GROWTHS) {
            kart_fail(error, KART_LIMIT,
                      "%zu normals, %zu more than the format can count, and they are too different "
                      "to be shared by any error: " ADVICE,
                      f->draft->normals.count, f->draft->normals.count - f->most);
            return 0;
        }
        round += high > 0;
        most = high > 0 ? most_between(f, low, low_count, high, high_count)
                        : most_beyond(f, most, count);
    }
    memcpy(f->normals, best, f->count * sizeof *best);
    return high;
}

static int off_compare(const void *left, const void *right) {
    const off *a = left, *b = right;
    if (a->error != b->error) return a->error > b->error ? -1 : 1;
    return (a->prism > b->prism) - (a->prism < b->prism);
}

static bool room(const fitting *f, const kcl_pool *pool) {
    return pool->count + KCL_NORMALS <= f->most;
}

// What is left of the normals goes to those that are off most.
static bool rest_give(fitting *f, double most, kart_error *error) {
    kcl_pool pool;
    if (!kcl_pool_init(f->draft->ctx, &pool, kcl_normal_size(f->draft->format), error))
        return false;
    bool done = true;
    for (size_t i = 0; done && i < f->count; i++) {
        f->order[i] = (off){error_of(f, i, (const kart_vec3 *)f->normals[i], 0), (uint32_t)i};
        f->errors[i] = f->order[i].error;
        done = normals_add(f, &pool, i, error);
    }
    qsort(f->order, f->count, sizeof *f->order, off_compare);
    // Lower and lower, as long as there are any.
    for (double aim = REST_PART * most; done && aim > FINE && room(f, &pool); aim *= REST_PART)
        for (size_t k = 0; done && k < f->count && f->order[k].error > aim && room(f, &pool); k++) {
            own_give(f, f->order[k].prism, aim);
            done = normals_add(f, &pool, f->order[k].prism, error);
        }
    kcl_pool_free(f->draft->ctx, &pool);
    return done;
}

// --- the draft --------------------------------------------------------------------------------

static bool number_add(kart_ctx *ctx, kcl_pool *pool, const uint8_t *bytes, uint32_t *number,
                       kart_error *error) {
    size_t added = kcl_pool_add(ctx, pool, bytes, error);
    *number = (uint32_t)added;
    return added != SIZE_MAX;
}

static void report_add(const fitting *f, size_t i, double error, kcl_make_report *r) {
    const double degrees = 180 / 3.14159265358979323846;
    const kart_vec3 *t = triangle_of(f, i), *n = f->normals[i];
    kart_vec3 up = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    double turned = atan2(vec3_length(vec3_cross(up, n[0])), vec3_dot(up, n[0]));
    r->turned = fmax(r->turned, degrees * turned);
    for (int k = 1; k < KCL_NORMALS; k++)
        r->tilted = fmax(r->tilted, degrees * asin(fmin(fabs(vec3_dot(n[k], n[0])), 1)));
    r->visible += error > KCL_ROUNDING_VISIBLE;
    if (error <= r->worst) return;
    r->worst = error;
    r->worst_at = f->draft->prisms[i].triangle;
}

// A prism with a corner that is not the triangle's needs a position of its own: only where that
// helps.
static bool prism_write(const fitting *f, size_t i, double most, kcl_draft *fresh,
                        kcl_make_report *r, kart_error *error) {
    kcl_draft_prism *p = &fresh->prisms[i];
    kart_vec3 turned[KCL_NORMALS];
    fitted fit = {.error = (double)INFINITY};
    fit_corners(f, i, (const kart_vec3 *)f->normals[i], most / 10, &fit);
    if (fit.error > most / 2) fit_free(f, i, (const kart_vec3 *)f->normals[i], 0, &fit);
    if (fit.error > most) fit_free(f, i, (const kart_vec3 *)f->normals[i], 0.9 * most, &fit);
    *p = f->draft->prisms[i];
    memcpy(p->height, fit.height, sizeof p->height);
    memcpy(fresh->corners[i], fit.corner, sizeof fit.corner);
    report_add(f, i, fit.error, r);
    normals_turned((const kart_vec3 *)f->normals[i], fit.first, turned);
    if (!number_add(fresh->ctx, &fresh->positions, fit.position, &p->position, error)) return false;
    for (int k = 0; k < KCL_NORMALS; k++) {
        uint8_t bytes[KCL_ENTRY_MOST];
        kcl_unit_store(fresh->format, turned[k], bytes);
        if (!number_add(fresh->ctx, &fresh->normals, bytes, &p->normal[k], error)) return false;
    }
    return true;
}

static bool draft_write(const fitting *f, double most, kcl_draft *fresh, kcl_make_report *r,
                        kart_error *error) {
    for (size_t i = 0; i < f->count; i++)
        if (!prism_write(f, i, most, fresh, r, error)) return false;
    fresh->count = f->count;
    return true;
}

static bool fit(fitting *f, normals *best, kcl_draft *fresh, double max_error, kcl_make_report *r,
                kart_error *error) {
    size_t before = f->draft->normals.count;
    double allowed = fmax(max_error, r->worst), most = search(f, best, error);
    r->worst = 0;
    r->visible = 0;
    if (most == 0 || !rest_give(f, most, error) || !draft_write(f, most, fresh, r, error))
        return false;
    r->shared = before - fresh->normals.count;
    return r->worst <= allowed ||
           kart_fail(error, KART_LIMIT,
                     "%zu normals, %zu more than the format can count: shared, a corner of "
                     "triangle %zu would be %.3g "
                     "units off, more than %g; " ADVICE,
                     before, before - f->most, r->worst_at + 1, r->worst, max_error);
}

bool kcl_draft_fit(kcl_draft *draft, const kart_vec3 (*triangles)[3], size_t most, double max_error,
                   kcl_make_report *report, kart_error *error) {
    fitting f = {.draft = draft, .triangles = triangles, .count = draft->count, .most = most};
    size_t n = draft->count, at = 0;
    normals *best = NULL;
    const struct {
        void **block;
        size_t bytes;
    } blocks[] = {{(void **)&f.regions, 3 * n * sizeof *f.regions},
                  {(void **)&f.points, 3 * n * sizeof *f.points},
                  {(void **)&f.served, 3 * n * sizeof *f.served},
                  {(void **)&f.normals, n * sizeof *f.normals},
                  {(void **)&f.errors, n * sizeof *f.errors},
                  {(void **)&f.order, n * sizeof *f.order},
                  {(void **)&best, n * sizeof *best}};
    const size_t count = sizeof blocks / sizeof *blocks;
    kcl_draft fresh = {.ctx = draft->ctx};
    while (at < count && (*blocks[at].block = kart_alloc(draft->ctx, blocks[at].bytes, error)))
        at++;
    bool done = at == count &&
                kcl_draft_init(draft->ctx, &fresh, draft->format, draft->capacity, error) &&
                fit(&f, best, &fresh, max_error, report, error);
    if (done) {
        kcl_draft old = *draft;
        *draft = fresh;
        fresh = old;
    }
    kcl_draft_free(&fresh);
    while (at-- > 0) kart_free(draft->ctx, *blocks[at].block, blocks[at].bytes);
    return done;
}
