// Trees over triangles, against loops over all triangles. One of them is written here, by other
// means and with more digits; where rounding decides it says so, and both answers pass. The other
// one makes the tree's own tests, and must agree bit for bit.
#include "collision.h"
#include "test.h"

#include "core/tree_work.h"
#include "core/triangle.h"
#include "kcl/mesh.h"
#include "kcl/rebuild.h"

#include <stdlib.h>
#include <string.h>

#define TRIANGLES_MOST 4096

typedef struct scene {
    kart_vec3 (*corners)[3];
    size_t count;
    double size; // the largest coordinate
} scene;

static kart_vec3 corners[TRIANGLES_MOST][3];
static uint32_t seed;

static double draw(double low, double high) {
    return low + (high - low) * ((double)collision_draw(&seed) + 0.5) / (1 << 24);
}
static size_t draw_index(size_t count) { return collision_draw(&seed) % count; }
static kart_vec3 draw_vec(double size) {
    return (kart_vec3){draw(-size, size), draw(-size, size), draw(-size, size)};
}
static kart_vec3 between(kart_vec3 a, kart_vec3 b, double k) {
    return vec3_add(a, vec3_scale(vec3_sub(b, a), k));
}

static void corners_get(const void *user, size_t i, kart_vec3 corner[3]) {
    const scene *s = user;
    memcpy(corner, s->corners[i], sizeof s->corners[i]);
}

static kart_tree *tree_of(kart_ctx *ctx, const scene *s) {
    const kart_tree_input input = {.user = s, .count = s->count, .corners = corners_get};
    return kart_tree_build(ctx, &input, NULL);
}

// --- scenes -----------------------------------------------------------------------------------

static void triangle_add(scene *s, kart_vec3 a, kart_vec3 b, kart_vec3 c) {
    s->corners[s->count][0] = a;
    s->corners[s->count][1] = b;
    s->corners[s->count++][2] = c;
}

// A closed ball: an octahedron, its faces cut in four so often.
static void ball_add(scene *s, kart_vec3 a, kart_vec3 b, kart_vec3 c, int times, double size) {
    if (times == 0) {
        triangle_add(s, a, b, c);
        return;
    }
    kart_vec3 m[3] = {between(a, b, 0.5), between(b, c, 0.5), between(c, a, 0.5)};
    for (int i = 0; i < 3; i++) m[i] = vec3_scale(m[i], size / vec3_length(m[i]));
    ball_add(s, a, m[0], m[2], times - 1, size);
    ball_add(s, m[0], b, m[1], times - 1, size);
    ball_add(s, m[2], m[1], c, times - 1, size);
    ball_add(s, m[0], m[1], m[2], times - 1, size);
}

static scene ball(double size, kart_vec3 at, int times) {
    scene s = {.corners = corners};
    for (int i = 0; i < 8; i++) {
        const double x = i & 1 ? -size : size, y = i & 2 ? -size : size, z = i & 4 ? -size : size;
        const bool turned = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);
        const kart_vec3 b = {0, turned ? 0 : y, turned ? z : 0};
        const kart_vec3 c = {0, turned ? y : 0, turned ? 0 : z};
        ball_add(&s, (kart_vec3){x, 0, 0}, b, c, times, size);
    }
    for (size_t i = 0; i < s.count; i++)
        for (int k = 0; k < 3; k++) s.corners[i][k] = vec3_add(s.corners[i][k], at);
    s.size = size + tree_largest(at);
    return s;
}

// Ground of squares cut in two; neighbours share their corners.
static scene ground(double size, size_t edge) {
    scene s = {.corners = corners, .size = size};
    static kart_vec3 place[65][65];
    const double step = 2 * size / (double)edge;
    for (size_t z = 0; z <= edge; z++)
        for (size_t x = 0; x <= edge; x++)
            place[z][x] = (kart_vec3){(double)x * step - size, draw(-0.2, 0.2) * size,
                                      (double)z * step - size};
    for (size_t z = 0; z < edge; z++)
        for (size_t x = 0; x < edge; x++) {
            triangle_add(&s, place[z][x], place[z + 1][x], place[z][x + 1]);
            triangle_add(&s, place[z][x + 1], place[z + 1][x], place[z + 1][x + 1]);
        }
    return s;
}

// Anything: large and small, thin, flat, doubled, without area.
static scene heap(double size, size_t count) {
    scene s = {.corners = corners, .size = size};
    while (s.count < count) {
        const kart_vec3 a = draw_vec(size);
        const double reach = size * (s.count % 3 == 0 ? 1 : s.count % 3 == 1 ? 0.1 : 0.001);
        kart_vec3 b = vec3_add(a, draw_vec(reach)), c = vec3_add(a, draw_vec(reach));
        switch (draw_index(8)) {
        case 0: c = between(a, b, draw(0, 1)); break;
        case 1: c = vec3_add(between(a, b, 0.5), draw_vec(reach * 1e-9)); break;
        case 2: b.y = c.y = a.y; break;
        case 3: b = c = a; break;
        case 4:
            if (s.count == 0) continue;
            triangle_add(&s, s.corners[s.count - 1][0], s.corners[s.count - 1][1],
                         s.corners[s.count - 1][2]);
            continue;
        default: break;
        }
        triangle_add(&s, a, b, c);
    }
    for (size_t i = 0; i < s.count; i++)
        for (int k = 0; k < 3; k++) s.size = fmax(s.size, tree_largest(s.corners[i][k]));
    return s;
}

// So thin that its normal is noise.
static bool is_thin(const kart_vec3 c[3]) {
    const kart_vec3 b = vec3_sub(c[1], c[0]), d = vec3_sub(c[2], c[0]);
    return !(vec3_length(vec3_cross(b, d)) > 2e-8 * (vec3_dot(b, b) + vec3_dot(d, d)));
}

// --- queries ----------------------------------------------------------------------------------

static kart_vec3 on_triangle(const scene *s) {
    const kart_vec3 *c = s->corners[draw_index(s->count)];
    return between(between(c[0], c[1], draw(0, 1)), c[2], draw(0, 1));
}
static kart_vec3 on_edge(const scene *s) {
    const kart_vec3 *c = s->corners[draw_index(s->count)];
    const size_t i = draw_index(3);
    return between(c[i], c[(i + 1) % 3], draw(0, 1));
}
static kart_vec3 on_corner(const scene *s) {
    return s->corners[draw_index(s->count)][draw_index(3)];
}

// Of any kind by turns.
static kart_ray draw_ray(const scene *s, size_t kind) {
    kart_ray ray = {.origin = draw_vec(1.5 * s->size), .max = (double)INFINITY};
    const kart_vec3 *c = s->corners[draw_index(s->count)];
    kart_vec3 target = draw_vec(s->size);
    switch (kind % 10) {
    case 0: break;
    case 1: target = on_triangle(s); break;
    case 2: target = on_edge(s); break;
    case 3: target = on_corner(s); break;
    case 4: ray.origin = c[0], target = c[1]; break; // along an edge
    case 5: ray.origin = between(c[0], c[1], -0.5), target = c[1]; break;
    case 6: ray.origin = on_triangle(s), target = on_triangle(s); break;
    case 7: // in a plane
        ray.origin = vec3_add(c[0], vec3_scale(vec3_sub(c[1], c[0]), draw(-2, 2)));
        target = vec3_add(c[0], vec3_scale(vec3_sub(c[2], c[0]), draw(-2, 2)));
        break;
    case 8: // straight down on a corner or an edge
        target = kind % 20 == 8 ? on_corner(s) : on_edge(s);
        ray.origin = (kart_vec3){target.x, target.y + s->size, target.z};
        break;
    case 9: ray.origin = target = on_triangle(s); break; // of no length
    default: break;
    }
    ray.direction = vec3_sub(target, ray.origin);
    if (kind % 3 == 1) ray.direction = vec3_scale(ray.direction, 1e-3);
    if (kind % 7 == 1) ray.max = draw(0, 3);
    return ray;
}

// --- the loop of its own ----------------------------------------------------------------------

typedef struct loop {
    double sure;     // nearest hit beyond doubt, in units; infinite: none
    double possible; // nearest one that rounding may make
} loop;

typedef struct long_vec {
    long double x, y, z;
} long_vec;
static long_vec long_sub(kart_vec3 a, kart_vec3 b) {
    return (long_vec){(long double)a.x - (long double)b.x, (long double)a.y - (long double)b.y,
                      (long double)a.z - (long double)b.z};
}
static long_vec long_cross(long_vec a, long_vec b) {
    return (long_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static long double long_dot(long_vec a, long_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Signed volumes of the ray with each edge; where one is small for its lengths, it may be either.
static void loop_triangle(const kart_ray *ray, const kart_vec3 c[3], double size, loop *l) {
    const long_vec d = long_sub(ray->direction, (kart_vec3){0, 0, 0});
    const long double length = sqrtl(long_dot(d, d));
    const long_vec from[3] = {long_sub(c[0], ray->origin), long_sub(c[1], ray->origin),
                              long_sub(c[2], ray->origin)};
    const long_vec edge[2] = {long_sub(c[1], c[0]), long_sub(c[2], c[0])};
    long double volume[3], doubt = 1e-13L * (long double)size;
    bool inside = true, possible = true;
    const long_vec n = long_cross(edge[0], edge[1]);
    const long double facing = long_dot(n, d), area = sqrtl(long_dot(n, n));
    for (int i = 0; i < 3; i++) {
        volume[i] =
            -long_dot(d, long_cross(from[(i + 1) % 3], from[(i + 2) % 3])) * (facing < 0 ? 1 : -1);
        const long_vec e = long_sub(c[(i + 2) % 3], c[(i + 1) % 3]);
        // How far the ray passes the edge's line, times the lengths of both.
        const long double near = doubt * length * sqrtl(long_dot(e, e)) + 1e-18L * area * length;
        inside = inside && volume[i] > near;
        possible = possible && volume[i] >= -near;
    }
    if (!possible || !(length > 0)) return;
    long double low = (long double)INFINITY, high = -low, longest = 0;
    for (int i = 0; i < 3; i++) {
        const long_vec e = long_sub(c[(i + 1) % 3], c[i]);
        const long double at = long_dot(from[i], d) / length;
        low = fminl(low, at);
        high = fmaxl(high, at);
        longest = fmaxl(longest, sqrtl(long_dot(e, e)));
    }
    // As thin as that, its place along the ray is lost in what doubles can tell: anything between
    // its corners is possible.
    const bool edge_on = fabsl(facing) <= 1e-8L * (high - low) * longest * length || !(area > 0);
    const long double most = (long double)ray->max * length, room = 1e-7L * (long double)size;
    if (edge_on) {
        if (high >= -room && low <= most + room)
            l->possible = fmin(l->possible, (double)fmaxl(low, 0));
        return;
    }
    const long double t = long_dot(from[0], n) / facing * length;
    if (t < -room || t > most + room) return;
    l->possible = fmin(l->possible, (double)fmaxl(t, 0));
    if (inside && t > room && t < most - room) l->sure = fmin(l->sure, (double)t);
}

static void check_ray(const kart_tree *tree, const scene *s, size_t kind) {
    const kart_ray ray = draw_ray(s, kind);
    loop l = {(double)INFINITY, (double)INFINITY};
    kart_hit hit;
    for (size_t i = 0; i < s->count; i++) loop_triangle(&ray, s->corners[i], s->size, &l);
    const bool found = kart_tree_raycast(tree, &ray, &hit);
    const double room = 1e-6 * s->size;
    if (found) {
        CHECK(hit.distance <= l.sure + room && hit.distance >= l.possible - room);
        const kart_vec3 *c = s->corners[hit.triangle];
        const kart_vec3 place = vec3_add(c[0], vec3_add(vec3_scale(vec3_sub(c[1], c[0]), hit.u),
                                                        vec3_scale(vec3_sub(c[2], c[0]), hit.v)));
        const kart_vec3 point = vec3_add(ray.origin, vec3_scale(ray.direction, hit.fraction));
        CHECK(vec3_length(vec3_sub(point, hit.point)) <= room);
        if (l.sure == l.possible) CHECK(vec3_length(vec3_sub(place, hit.point)) <= room);
    } else {
        CHECK(isinf(l.sure));
    }
}

static void check_rays(const scene *s, size_t count) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_tree *tree = tree_of(&ctx, s);
    if (!CHECK(tree)) return;
    for (size_t i = 0; i < count; i++) {
        if (i == count / 2) kart_tree_narrow(tree);
        check_ray(tree, s, i);
    }
    kart_tree_free(tree);
    CHECK(ctx.used == 0);
}

static const double scales[] = {1e-3, 1, 1e3, 1e6};

TEST(rays_are_those_of_a_loop_over_all_triangles) {
    for (size_t i = 0; i < 4; i++) {
        seed = (uint32_t)i + 1;
        const scene s = heap(scales[i], 60);
        check_rays(&s, 10000);
        const scene around = ball(scales[i], (kart_vec3){0, 0, 0}, 1);
        check_rays(&around, 8000);
        const scene below = ground(scales[i], 4);
        check_rays(&below, 8000);
    }
}

// --- no gaps ----------------------------------------------------------------------------------

// From inside of a closed ball, at its edges and corners.
TEST(no_ray_slips_through_an_edge_or_a_corner) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 8; i++) {
        seed = (uint32_t)i + 1;
        const double size = scales[i % 4];
        const kart_vec3 at = i < 4 ? (kart_vec3){0, 0, 0} : draw_vec(size * 1000);
        const scene s = ball(size, at, 3);
        kart_tree *tree = tree_of(&ctx, &s);
        if (!CHECK(tree)) return;
        if (i & 1) kart_tree_narrow(tree);
        size_t lost = 0;
        for (size_t k = 0; k < 20000; k++) {
            const kart_vec3 target = k % 2 ? on_edge(&s) : on_corner(&s);
            const kart_vec3 from = vec3_add(at, draw_vec(0.5 * size));
            kart_hit hit;
            const kart_ray ray = {
                .origin = from, .direction = vec3_sub(target, from), .max = (double)INFINITY};
            lost += !kart_tree_raycast(tree, &ray, &hit);
        }
        CHECK(lost == 0);
        kart_tree_free(tree);
    }
}

TEST(the_ground_is_found_under_every_corner_and_edge) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    seed = 5;
    const scene s = ground(20000, 40);
    kart_tree *tree = tree_of(&ctx, &s);
    if (!CHECK(tree)) return;
    const kart_ask ask = {.query = KART_GROUND, .max = (double)INFINITY, .faces = KART_FRONT};
    for (size_t k = 0; k < 20000; k++) {
        kart_vec3 at = k % 2 ? on_edge(&s) : on_corner(&s);
        const double height = at.y;
        kart_hit hit;
        if (fabs(at.x) == s.size || fabs(at.z) == s.size) continue;
        at.y = s.size;
        CHECK(kart_tree_ask(tree, &ask, at, at, &hit));
        CHECK(hit.point.x == at.x && hit.point.z == at.z && hit.normal.y > 0);
        CHECK_NEAR(hit.point.y, height, 1e-8);
    }
    kart_tree_free(tree);
}

// --- the loop with the tree's own tests -------------------------------------------------------

// Every triangle in a leaf of its own.
static bool loop_ray(const scene *s, const kart_tree *tree, const kart_ray *ray, kart_hit *best) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        // Its reach is that of all, or the rays' room would be another.
        const scene one = {.corners = s->corners + i, .count = 1};
        kart_tree *single = tree_of(&ctx, &one);
        kart_hit hit;
        if (!single) return false;
        single->reach = tree->reach;
        kart_tree_narrow(single);
        const bool found = kart_tree_raycast(single, ray, &hit);
        kart_tree_free(single);
        if (!found || (any && hit.fraction >= best->fraction)) continue;
        *best = hit;
        best->triangle = (uint32_t)i;
        any = true;
    }
    return any;
}

static bool same_hit(const kart_hit *a, const kart_hit *b) {
    return a->triangle == b->triangle && memcmp(&a->fraction, &b->fraction, sizeof(double)) == 0 &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0 && a->u == b->u && a->v == b->v;
}

TEST(answers_hang_neither_on_the_tree_nor_on_the_processor) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 3; i++) {
        seed = (uint32_t)i + 1;
        const scene s = i == 0   ? heap(1e3, 400)
                        : i == 1 ? ball(1, (kart_vec3){9, 9, 9}, 3)
                                 : ground(1e5, 16);
        kart_tree *wide = tree_of(&ctx, &s), *narrow = tree_of(&ctx, &s);
        if (!CHECK(wide && narrow)) return;
        kart_tree_narrow(narrow);
        for (size_t k = 0; k < 600; k++) {
            const kart_ray ray = draw_ray(&s, k);
            kart_hit a, b, c;
            const bool found = kart_tree_raycast(wide, &ray, &a);
            CHECK(kart_tree_raycast(narrow, &ray, &b) == found && a.visits == b.visits);
            CHECK(loop_ray(&s, wide, &ray, &c) == found);
            CHECK(!found || (same_hit(&a, &b) && same_hit(&a, &c)));
        }
        kart_tree_free(wide);
        kart_tree_free(narrow);
    }
    CHECK(ctx.used == 0);
}

// --- modes, faces, chosen triangles -----------------------------------------------------------

static bool is_even(const void *user, uint32_t triangle) {
    (void)user;
    return triangle % 2 == 0;
}

TEST(all_hits_come_in_order_and_the_others_are_among_them) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    seed = 3;
    const scene s = heap(100, 300);
    kart_tree *tree = tree_of(&ctx, &s);
    kart_hits hits = {.ctx = &ctx};
    if (!CHECK(tree)) return;
    size_t several = 0;
    for (size_t k = 0; k < 3000; k++) {
        kart_ray ray = draw_ray(&s, k);
        kart_hit near, any;
        ray.faces = (kart_faces)(k % 3);
        if (k % 5 == 0) ray.accept = is_even;
        hits.count = 0;
        CHECK(kart_tree_raycast_all(tree, &ray, &hits, NULL));
        const bool found = kart_tree_raycast(tree, &ray, &near);
        CHECK(kart_tree_raycast_any(tree, &ray, &any) == found && found == (hits.count > 0));
        CHECK(!found || same_hit(&near, &hits.items[0]));
        bool among = !found;
        for (size_t i = 0; i < hits.count; i++) {
            const kart_hit *h = &hits.items[i];
            const double facing = vec3_dot(h->normal, ray.direction);
            among = among || same_hit(&any, h);
            CHECK(i == 0 || h[-1].fraction < h->fraction ||
                  (h[-1].fraction == h->fraction && h[-1].triangle < h->triangle));
            CHECK(h->fraction <= ray.max && (!ray.accept || h->triangle % 2 == 0));
            // As far as it can be told which side is seen.
            if (fabs(facing) > 1e-6 * vec3_length(ray.direction) && ray.faces != KART_BOTH &&
                !is_thin(s.corners[h->triangle]))
                CHECK((facing < 0) == (ray.faces == KART_FRONT));
        }
        CHECK(among);
        several += hits.count > 1;
    }
    CHECK(several > 100);
    kart_hits_free(&hits);
    kart_tree_free(tree);
    CHECK(ctx.used == 0);
}

// --- places -----------------------------------------------------------------------------------

static double distance_to(const kart_vec3 c[3], kart_vec3 p) {
    // By dense steps would be slow: the face where it is under the point, else the edges.
    double best = (double)INFINITY;
    const kart_vec3 n = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    const double area = vec3_length(n);
    bool over = !is_thin(c);
    for (int i = 0; i < 3; i++) {
        const kart_vec3 e = vec3_sub(c[(i + 1) % 3], c[i]), w = vec3_sub(p, c[i]);
        const double square = vec3_dot(e, e);
        double k = square > 0 ? vec3_dot(w, e) / square : 0;
        k = k < 0 ? 0 : k > 1 ? 1 : k;
        best = fmin(best, vec3_length(vec3_sub(w, vec3_scale(e, k))));
        over = over && vec3_dot(vec3_cross(e, w), n) > 0;
    }
    return over ? fmin(best, fabs(vec3_dot(vec3_sub(p, c[0]), n)) / area) : best;
}

TEST(the_nearest_triangle_is_that_of_a_loop) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 4; i++) {
        seed = (uint32_t)i + 1;
        const scene s = heap(scales[i], 100);
        kart_tree *tree = tree_of(&ctx, &s);
        kart_numbers numbers = {.ctx = &ctx};
        if (!CHECK(tree)) return;
        for (size_t k = 0; k < 2500; k++) {
            const kart_vec3 p = k % 4 == 0   ? on_corner(&s)
                                : k % 4 == 1 ? on_triangle(&s)
                                             : draw_vec(1.5 * s.size);
            kart_near near = {.point = p, .max = (double)INFINITY};
            kart_hit hit;
            double best = (double)INFINITY;
            for (size_t t = 0; t < s.count; t++) best = fmin(best, distance_to(s.corners[t], p));
            CHECK(kart_tree_nearest(tree, &near, &hit));
            CHECK_NEAR(hit.distance, best, 1e-6 * s.size);
            CHECK_NEAR(distance_to(s.corners[hit.triangle], p), best, 1e-6 * s.size);
            CHECK_NEAR(vec3_length(vec3_sub(hit.point, p)), hit.distance, 1e-12 * s.size);
            CHECK_NEAR(distance_to(s.corners[hit.triangle], hit.point), 0, 1e-6 * s.size);
            near.max = hit.distance * 0.999 - 1e-9 * s.size;
            CHECK(!kart_tree_nearest(tree, &near, &hit));
            // A sphere holds what is near enough, ascending.
            near.max = draw(0, 0.5) * s.size;
            numbers.count = 0;
            CHECK(kart_tree_overlap_sphere(tree, &near, &numbers, NULL));
            for (size_t t = 0, at = 0; t < s.count; t++) {
                const double away = distance_to(s.corners[t], p) - near.max;
                const bool is = at < numbers.count && numbers.items[at] == t;
                at += is;
                CHECK(is ? away <= 1e-6 * s.size : away >= -1e-6 * s.size);
                if (t + 1 == s.count) CHECK(at == numbers.count);
            }
        }
        kart_numbers_free(&numbers);
        kart_tree_free(tree);
    }
    CHECK(ctx.used == 0);
}

// How far apart a box and a triangle are, by going from one to the other until nothing changes;
// their nearest points are found so, as both are convex.
static double box_distance(const kart_box *box, const kart_vec3 c[3]) {
    kart_vec3 p = vec3_scale(vec3_add(box->low, box->high), 0.5);
    double away = (double)INFINITY;
    for (int i = 0; i < 2000; i++) {
        const kart_vec3 q = kart_triangle_nearest(c, p);
        p = (kart_vec3){fmin(fmax(q.x, box->low.x), box->high.x),
                        fmin(fmax(q.y, box->low.y), box->high.y),
                        fmin(fmax(q.z, box->low.z), box->high.z)};
        const double now = vec3_length(vec3_sub(p, q));
        if (now == 0 || now >= away) return now;
        away = now;
    }
    return away;
}

TEST(a_box_holds_the_triangles_of_a_loop) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    seed = 9;
    const scene s = heap(100, 100);
    kart_tree *tree = tree_of(&ctx, &s);
    kart_numbers numbers = {.ctx = &ctx};
    size_t held = 0, doubtful = 0;
    if (!CHECK(tree)) return;
    for (size_t k = 0; k < 500; k++) {
        const kart_vec3 middle = draw_vec(s.size), half = {draw(0, 60), draw(0, 60), draw(0, 60)};
        const kart_box box = {.low = vec3_sub(middle, half), .high = vec3_add(middle, half)};
        numbers.count = 0;
        CHECK(kart_tree_overlap_box(tree, &box, &numbers, NULL));
        for (size_t t = 0, at = 0; t < s.count; t++) {
            const bool is = at < numbers.count && numbers.items[at] == t;
            const double away = box_distance(&box, s.corners[t]);
            at += is;
            held += is;
            // The way there may take many small steps where it is nearly a touch.
            doubtful += is && away > 1e-3;
            CHECK(is || away > 0);
            if (is) CHECK(away < 1);
        }
    }
    CHECK(held > 300 && doubtful * 50 < held);
    kart_numbers_free(&numbers);
    kart_tree_free(tree);
}

// Step by step, never farther than the nearest triangle is away: so it is never too far. Where the
// sphere passes closely steps get small, and it may not come to an end.
static double loop_sweep(const scene *s, const kart_sweep *sweep, bool *touches) {
    const double length = vec3_length(sweep->motion);
    double at = 0;
    *touches = false;
    for (int i = 0; i < 300 && at <= 1; i++) {
        const kart_vec3 p = vec3_add(sweep->center, vec3_scale(sweep->motion, at));
        double away = (double)INFINITY;
        for (size_t t = 0; t < s->count; t++) away = fmin(away, distance_to(s->corners[t], p));
        *touches = away <= sweep->radius + 1e-9 * s->size;
        if (*touches) return at;
        at += (away - sweep->radius) / length;
    }
    return at;
}

TEST(a_sweep_stops_where_a_loop_of_small_steps_does) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 4; i++) {
        seed = (uint32_t)i + 1;
        const scene s = i % 2 ? heap(scales[i], 30) : ground(scales[i], 4);
        kart_tree *tree = tree_of(&ctx, &s);
        size_t touched = 0;
        if (!CHECK(tree)) return;
        for (size_t k = 0; k < 250; k++) {
            const kart_vec3 center = draw_vec(1.2 * s.size);
            const kart_vec3 target = k % 3 ? on_corner(&s) : draw_vec(s.size);
            kart_sweep sweep = {.center = center,
                                .motion = vec3_scale(vec3_sub(target, center), 1.5),
                                .radius = draw(0, k % 4 ? 0.3 : 0.01) * s.size};
            kart_hit hit, grown;
            bool touches;
            const double at = loop_sweep(&s, &sweep, &touches);
            const double room = 1e-6 * s.size / vec3_length(sweep.motion);
            const bool found = kart_tree_sweep(tree, &sweep, &hit);
            CHECK(!found || hit.fraction >= at - room);
            // What only just touches may be missed; a little larger it may not.
            sweep.radius += 2e-9 * s.size;
            if (touches)
                CHECK(kart_tree_sweep(tree, &sweep, &grown) && grown.fraction <= at + room);
            sweep.radius -= 2e-9 * s.size;
            if (!found) continue;
            const kart_vec3 p = vec3_add(center, vec3_scale(sweep.motion, hit.fraction));
            const double away = distance_to(s.corners[hit.triangle], p);
            CHECK(away <= sweep.radius + 1e-6 * s.size);
            if (hit.fraction > 0) CHECK_NEAR(away, sweep.radius, 1e-6 * s.size);
            CHECK_NEAR(distance_to(s.corners[hit.triangle], hit.point), 0, 1e-6 * s.size);
            touched++;
        }
        CHECK(touched > 100);
        kart_tree_free(tree);
    }
}

// --- what is odd ------------------------------------------------------------------------------

static void ask_all_kinds(const kart_tree *tree, kart_vec3 p, kart_vec3 d, size_t *found) {
    for (int kind = 0; kind < KART_QUERIES; kind++) {
        const kart_ask ask = {.query = (kart_query)kind, .max = (double)INFINITY, .radius = 1};
        kart_hit hit;
        if (!kart_tree_ask(tree, &ask, p, d, &hit)) {
            CHECK(hit.triangle == KART_NO_TRIANGLE);
            continue;
        }
        ++*found;
        CHECK(vec3_finite(hit.point) && vec3_finite(hit.normal) && hit.distance >= 0);
        CHECK(hit.u >= 0 && hit.v >= 0 && hit.u + hit.v <= 1 + 1e-9);
    }
}

static const double odd[] = {0,      -0.0,  1,     -1,          1e-320,           1e-45,
                             1e30,   -1e30, 1e300, (double)NAN, (double)INFINITY, -(double)INFINITY,
                             0x1p60, 0x1p61};
#define ODD (sizeof odd / sizeof *odd)

TEST(odd_numbers_have_answers) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_numbers numbers = {.ctx = &ctx};
    scene scenes[] = {{.corners = corners, .count = 0},
                      {.corners = corners, .count = 1},
                      {.corners = corners, .count = 9}};
    memset(corners, 0, sizeof corners);
    for (size_t k = 0; k < 3; k++) {
        kart_tree *tree = tree_of(&ctx, &scenes[k]);
        size_t found = 0;
        if (!CHECK(tree)) return;
        // All in one point: no ray hits it, but it is near to everything.
        for (size_t i = 0; i < ODD * ODD * ODD; i++) {
            const kart_vec3 p = {odd[i % ODD], odd[i / ODD % ODD], odd[i / ODD / ODD]};
            const kart_vec3 d = {odd[i * 5 % ODD], odd[i * 3 % ODD], odd[i * 11 / ODD % ODD]};
            ask_all_kinds(tree, p, d, &found);
            const kart_box box = {.low = p, .high = d};
            const kart_near sphere = {.point = p, .max = odd[i * 7 % ODD]};
            CHECK(kart_tree_overlap_box(tree, &box, &numbers, NULL));
            CHECK(kart_tree_overlap_sphere(tree, &sphere, &numbers, NULL));
            numbers.count = 0;
        }
        CHECK((found > 0) == (k > 0));
        kart_tree_free(tree);
    }
    kart_numbers_free(&numbers);
    CHECK(ctx.used == 0);
}

TEST(triangles_that_are_nowhere_are_left_out) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene s = {.corners = corners};
    for (size_t i = 0; i < ODD * ODD * ODD; i++)
        triangle_add(&s, (kart_vec3){odd[i % ODD], odd[i / ODD % ODD], odd[i / ODD / ODD]},
                     (kart_vec3){0, 0, 0}, (kart_vec3){1, 0, 1});
    kart_tree *tree = tree_of(&ctx, &s);
    if (!CHECK(tree)) return;
    const kart_tree_stats stats = kart_tree_stats_get(tree);
    CHECK(stats.triangles + stats.left_out == s.count && stats.left_out > 0);
    for (size_t i = 0; i < 1000; i++) {
        const kart_ray ray = {.origin = draw_vec(2), .direction = draw_vec(1), .max = 1e9};
        kart_hit hit;
        if (kart_tree_raycast(tree, &ray, &hit)) CHECK(vec3_finite(hit.point));
    }
    kart_tree_free(tree);
}

TEST(a_single_triangle_is_hit_from_both_sides) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    scene s = {.corners = corners};
    triangle_add(&s, (kart_vec3){0, 0, 0}, (kart_vec3){0, 0, 4}, (kart_vec3){4, 0, 0});
    kart_tree *tree = tree_of(&ctx, &s);
    if (!CHECK(tree)) return;
    kart_ask ask = {.query = KART_GROUND, .max = 10, .faces = KART_FRONT};
    const kart_vec3 above = {1, 10, 2}, below = {1, -5, 2};
    kart_hit hit;
    CHECK(kart_tree_ask(tree, &ask, above, above, &hit));
    CHECK(hit.triangle == 0 && hit.distance == 10 && hit.point.y == 0 && hit.normal.y == 1);
    CHECK(hit.u == 0.5 && hit.v == 0.25 && hit.visits == 2);
    ask.max = 9.999;
    CHECK(!kart_tree_ask(tree, &ask, above, above, &hit));
    ask = (kart_ask){.query = KART_CEILING, .max = (double)INFINITY, .faces = KART_FRONT};
    CHECK(!kart_tree_ask(tree, &ask, below, below, &hit));
    ask.faces = KART_BACK;
    CHECK(kart_tree_ask(tree, &ask, below, below, &hit) && hit.distance == 5);
    ask = (kart_ask){.query = KART_SEGMENT};
    CHECK(kart_tree_ask(tree, &ask, above, below, &hit) && hit.distance == 10);
    CHECK(kart_tree_ask(tree, &ask, above, hit.point, &hit) && hit.fraction == 1);
    CHECK(!kart_tree_ask(tree, &ask, above, above, &hit));
    ask = (kart_ask){.query = KART_SWEEP, .radius = 2};
    CHECK(kart_tree_ask(tree, &ask, above, (kart_vec3){0, -16, 0}, &hit));
    CHECK(hit.fraction == 0.5 && hit.distance == 8 && hit.point.y == 0);
    kart_tree_free(tree);
}

// --- batches ----------------------------------------------------------------------------------

#define MANY 40000

static bool cancel_late(void *user, double fraction) {
    (void)user;
    return fraction < 0.4;
}

TEST(batches_answer_as_single_queries_do) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    seed = 1;
    const scene s = heap(100, 200);
    kart_tree *tree = tree_of(&ctx, &s);
    static double points[3 * MANY], distance[MANY], place[3 * MANY];
    static float others[3 * MANY];
    static uint32_t triangle[MANY];
    if (!CHECK(tree)) return;
    for (size_t i = 0; i < 3 * MANY; i++) points[i] = draw(-100, 100);
    for (size_t i = 0; i < 3 * MANY; i++) others[i] = (float)draw(-100, 100);
    points[7] = (double)NAN;
    for (int kind = 0; kind < KART_QUERIES; kind++)
        for (unsigned threads = 0; threads < 4; threads++) {
            kart_batch batch = {.ask = {.query = (kart_query)kind, .max = 50, .radius = 3},
                                .points = {points, MANY, true},
                                .others = {others, threads == 3 ? 1 : MANY, false},
                                .threads = threads};
            kart_answers answers = {.distance = distance, .point = place, .triangle = triangle};
            CHECK(kart_tree_ask_many(&ctx, tree, &batch, &answers, NULL));
            size_t hits = 0, visits = 0;
            for (size_t i = 0; i < MANY; i++) {
                kart_hit hit;
                const kart_vec3 other = kart_points_get(&batch.others, threads == 3 ? 0 : i);
                const bool found =
                    kart_tree_ask(tree, &batch.ask, kart_points_get(&batch.points, i), other, &hit);
                hits += found;
                visits += hit.visits;
                CHECK(hit.triangle == triangle[i]);
                CHECK(found ? distance[i] == hit.distance && place[3 * i] == hit.point.x
                            : isinf(distance[i]) && isnan(place[3 * i]));
            }
            CHECK(hits == answers.hits && visits == answers.visits && hits > 0);
        }
    kart_batch batch = {
        .ask = {.query = KART_GROUND, .max = 50}, .points = {points, MANY, true}, .threads = 1};
    kart_answers answers = {.distance = distance};
    kart_error error;
    ctx.progress = cancel_late;
    CHECK(!kart_tree_ask_many(&ctx, tree, &batch, &answers, &error));
    CHECK(error.code == KART_CANCELLED);
    kart_tree_free(tree);
}

// --- life -------------------------------------------------------------------------------------

TEST(building_says_when_memory_runs_out) {
    seed = 1;
    const scene s = heap(100, 1000);
    bool built = false;
    for (size_t left = 0; !built && left < 200; left++) {
        kart_ctx ctx;
        test_heap memory;
        test_heap_init(&memory, &ctx, left);
        const kart_tree_input input = {.user = &s, .count = s.count, .corners = corners_get};
        kart_error error;
        kart_tree *tree = kart_tree_build(&ctx, &input, &error);
        if (tree) {
            const kart_ray ray = {.origin = {0, 900, 0}, .direction = {0, -1, 0}, .max = 2e3};
            kart_hits hits = {.ctx = &ctx};
            kart_hit hit;
            memory.left = 0;
            if (kart_tree_raycast(tree, &ray, &hit)) {
                CHECK(!kart_tree_raycast_all(tree, &ray, &hits, &error));
                CHECK(error.code == KART_MEMORY);
            }
            kart_hits_free(&hits);
        } else {
            CHECK(error.code == KART_MEMORY);
        }
        built = tree != NULL;
        kart_tree_free(tree);
        CHECK(memory.blocks == 0 && ctx.used == 0);
    }
    CHECK(built);
}

static bool cancel_now(void *user, double fraction) {
    (void)user;
    return fraction > 2;
}

TEST(building_can_be_cancelled) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    seed = 1;
    const scene s = heap(100, 1000);
    const kart_tree_input input = {.user = &s, .count = s.count, .corners = corners_get};
    kart_error error;
    ctx.progress = cancel_now;
    CHECK(!kart_tree_build(&ctx, &input, &error) && error.code == KART_CANCELLED);
    CHECK(ctx.used == 0);
}

TEST(a_tree_lives_as_long_as_its_last_owner) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    seed = 1;
    const scene s = heap(100, 50);
    kart_tree *tree = tree_of(&ctx, &s);
    if (!CHECK(tree)) return;
    CHECK(kart_tree_share(tree) == tree && !kart_tree_share(NULL));
    kart_tree_free(tree);
    const kart_near near = {.point = {0, 0, 0}, .max = (double)INFINITY};
    kart_hit hit;
    CHECK(kart_tree_nearest(tree, &near, &hit) && kart_tree_memory(tree) > 0);
    kart_tree_free(tree);
    kart_tree_free(NULL);
    CHECK(ctx.used == 0);
}

// Crowded where the heuristic can't tell them apart, and so lopsided that it peels one at a time.
TEST(trees_of_many_equal_or_ever_smaller_triangles_are_not_deep) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (int round = 0; round < 2; round++) {
        scene s = {.corners = corners};
        for (size_t i = 0; i < TRIANGLES_MOST; i++) {
            const double k = round ? ldexp(1, -(int)(i % 120)) : 1;
            triangle_add(&s, (kart_vec3){k, 0, 0}, (kart_vec3){k, 0, k}, (kart_vec3){k, k, 0});
        }
        kart_tree *tree = tree_of(&ctx, &s);
        if (!CHECK(tree)) return;
        CHECK(kart_tree_stats_get(tree).depth <= TREE_DEEP + 10);
        const kart_ray ray = {.origin = {2, 0.1, 0.1}, .direction = {-1, 0, 0}, .max = 3};
        kart_hit hit;
        CHECK(kart_tree_raycast(tree, &ray, &hit) && hit.triangle == 0 && hit.distance == 1);
        kart_tree_free(tree);
    }
}

// --- documents --------------------------------------------------------------------------------

TEST(a_tree_of_a_mesh_is_kept_until_places_change) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    kart_mesh *mesh = kart_mesh_new(&ctx, "mkw", NULL);
    if (!CHECK(mesh)) return;
    const kart_vec3 places[] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}};
    for (int i = 0; i < 3; i++) CHECK(kart_mesh_add_position(mesh, places[i], NULL));
    CHECK(kart_mesh_add_triangle(mesh, (kart_triangle){.corner = {0, 1, 2}}, NULL));
    kart_tree *tree = kart_mesh_tree(mesh, NULL);
    kart_mesh_set_flag(mesh, 0, 7);
    kart_mesh *copy = kart_mesh_clone(mesh, NULL);
    CHECK(tree && kart_mesh_tree(mesh, NULL) == tree);
    CHECK(copy && kart_mesh_tree(copy, NULL) == tree);
    const kart_affine up = kart_affine_translation((kart_vec3){0, 1, 0});
    CHECK(kart_mesh_transform(copy, &up, NULL) && !copy->tree && mesh->tree == tree);
    size_t joined;
    const kart_ask ask = {.query = KART_GROUND, .max = (double)INFINITY};
    kart_hit hit;
    CHECK(kart_tree_ask(kart_mesh_tree(copy, NULL), &ask, (kart_vec3){1, 9, 1},
                        (kart_vec3){0, 0, 0}, &hit) &&
          hit.distance == 8);
    CHECK(kart_mesh_weld(copy, 0, &joined, NULL) && !copy->tree);
    kart_mesh_flip(mesh, NULL);
    CHECK(!mesh->tree && kart_mesh_tree(mesh, NULL));
    CHECK(kart_mesh_add_triangle(mesh, (kart_triangle){.corner = {2, 1, 0}}, NULL) && !mesh->tree);
    kart_mesh_free(mesh);
    kart_mesh_free(copy);
    CHECK(ctx.used == 0);
}

TEST(a_tree_of_a_kcl_is_kept_until_prisms_change) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    const collision_prism prisms[] = {{.height = 0}, collision_ground(400)}; // the first is none
    kcl_doc *doc = collision_new(&ctx, KCL_MKW, prisms, 2);
    if (!CHECK(doc)) return;
    kart_tree *tree = kcl_tree(doc, NULL);
    const kart_ask ask = {.query = KART_GROUND, .max = (double)INFINITY, .faces = KART_FRONT};
    const kart_vec3 at = {100, 50, 100};
    kart_hit hit;
    CHECK(tree && kart_tree_ask(tree, &ask, at, at, &hit));
    CHECK(hit.triangle == 1 && hit.distance == 50);
    kcl_doc *copy = kcl_clone(doc, NULL);
    CHECK(copy && kcl_tree(copy, NULL) == tree);
    kcl_flag_set(doc, doc->models, 1, 9);
    CHECK(kcl_rebuild(doc, NULL, NULL) && doc->tree == tree);
    const kart_affine up = kart_affine_translation((kart_vec3){0, 1, 0});
    const kart_affine turn = kart_affine_rotation((kart_vec3){0, 1, 0}, 45);
    CHECK(kcl_transform(doc, &up, NULL) && !doc->tree && copy->tree == tree);
    CHECK(kart_tree_ask(kcl_tree(doc, NULL), &ask, at, at, &hit) && hit.distance == 49);
    CHECK(kcl_transform(copy, &turn, NULL) && !copy->tree);
    kcl_free(doc);
    kcl_free(copy);
    CHECK(ctx.used == 0);
}

// Real files and samples: rays at their own triangles find them, or something nearer.
static void sees_its_triangles(const char *path, kcl_doc *doc) {
    kart_mesh *mesh = kcl_mesh(doc, NULL, NULL, NULL);
    kart_tree *tree = kcl_tree(doc, NULL);
    (void)path;
    if (!CHECK(mesh && tree)) return;
    CHECK(kart_tree_stats_get(tree).triangles == mesh->triangles_count);
    size_t lost = 0;
    for (size_t i = 0; i < mesh->triangles_count && i < 500; i++) {
        kart_vec3 c[3];
        kart_hit hit;
        kart_mesh_corners(mesh, i * 7 % mesh->triangles_count, c);
        const kart_vec3 middle = vec3_scale(vec3_add(c[0], vec3_add(c[1], c[2])), 1.0 / 3);
        const kart_vec3 n = tree_normal(c);
        const kart_ray ray = {.origin = vec3_add(middle, vec3_scale(n, 50)),
                              .direction = vec3_scale(n, -1),
                              .max = 50.001 + 1e-6 * tree->reach,
                              .faces = KART_FRONT};
        lost += !kart_tree_raycast(tree, &ray, &hit) && vec3_length(n) > 0;
        CHECK(hit.triangle == KART_NO_TRIANGLE || hit.triangle < doc->prisms_count);
    }
    CHECK(lost == 0);
    kart_mesh_free(mesh);
}

TEST(rays_hit_the_triangles_of_every_file) { CHECK(collision_each(sees_its_triangles) > 0); }

static const test_case cases[] = {CASE(rays_are_those_of_a_loop_over_all_triangles),
                                  CASE(no_ray_slips_through_an_edge_or_a_corner),
                                  CASE(the_ground_is_found_under_every_corner_and_edge),
                                  CASE(answers_hang_neither_on_the_tree_nor_on_the_processor),
                                  CASE(all_hits_come_in_order_and_the_others_are_among_them),
                                  CASE(the_nearest_triangle_is_that_of_a_loop),
                                  CASE(a_box_holds_the_triangles_of_a_loop),
                                  CASE(a_sweep_stops_where_a_loop_of_small_steps_does),
                                  CASE(odd_numbers_have_answers),
                                  CASE(triangles_that_are_nowhere_are_left_out),
                                  CASE(a_single_triangle_is_hit_from_both_sides),
                                  CASE(batches_answer_as_single_queries_do),
                                  CASE(building_says_when_memory_runs_out),
                                  CASE(building_can_be_cancelled),
                                  CASE(a_tree_lives_as_long_as_its_last_owner),
                                  CASE(trees_of_many_equal_or_ever_smaller_triangles_are_not_deep),
                                  CASE(a_tree_of_a_mesh_is_kept_until_places_change),
                                  CASE(a_tree_of_a_kcl_is_kept_until_prisms_change),
                                  CASE(rays_hit_the_triangles_of_every_file)};
void test_tree(void) { TEST_RUN(cases); }
