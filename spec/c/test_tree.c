// Trees over triangles, against loops over all triangles. One of them is written here, by other
// means and with more digits; where rounding decides it says so, and both answers pass. The other
// one makes the tree's own tests, and must agree bit for bit.
#include "scene.h"
#include "test.h"

#include "core/triangle.h"

#include <string.h>

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
    const kart_ray ray = scene_ray(s, kind);
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
    kart_tree *tree = scene_tree(&ctx, s);
    if (!CHECK(tree)) return;
    for (size_t i = 0; i < count; i++) {
        if (i == count / 2) kart_tree_narrow(tree);
        check_ray(tree, s, i);
    }
    kart_tree_free(tree);
    CHECK(ctx.used == 0);
}

TEST(rays_are_those_of_a_loop_over_all_triangles) {
    for (size_t i = 0; i < 4; i++) {
        scene_seed((uint32_t)i + 1);
        const scene s = scene_heap(scene_scales[i], 60);
        check_rays(&s, 10000);
        const scene around = scene_ball(scene_scales[i], (kart_vec3){0, 0, 0}, 1);
        check_rays(&around, 8000);
        const scene below = scene_ground(scene_scales[i], 4);
        check_rays(&below, 8000);
    }
}

// --- no gaps ----------------------------------------------------------------------------------

// From inside of a closed ball, at its edges and corners.
TEST(no_ray_slips_through_an_edge_or_a_corner) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 8; i++) {
        scene_seed((uint32_t)i + 1);
        const double size = scene_scales[i % 4];
        const kart_vec3 at = i < 4 ? (kart_vec3){0, 0, 0} : scene_draw_vec(size * 1000);
        const scene s = scene_ball(size, at, 3);
        kart_tree *tree = scene_tree(&ctx, &s);
        if (!CHECK(tree)) return;
        if (i & 1) kart_tree_narrow(tree);
        size_t lost = 0;
        for (size_t k = 0; k < 20000; k++) {
            const kart_vec3 target = k % 2 ? scene_on_edge(&s) : scene_on_corner(&s);
            const kart_vec3 from = vec3_add(at, scene_draw_vec(0.5 * size));
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
    scene_seed(5);
    const scene s = scene_ground(20000, 40);
    kart_tree *tree = scene_tree(&ctx, &s);
    if (!CHECK(tree)) return;
    const kart_ask ask = {.query = KART_GROUND, .max = (double)INFINITY, .faces = KART_FRONT};
    for (size_t k = 0; k < 20000; k++) {
        kart_vec3 at = k % 2 ? scene_on_edge(&s) : scene_on_corner(&s);
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
        kart_tree *single = scene_tree(&ctx, &one);
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
        scene_seed((uint32_t)i + 1);
        const scene s = i == 0   ? scene_heap(1e3, 400)
                        : i == 1 ? scene_ball(1, (kart_vec3){9, 9, 9}, 3)
                                 : scene_ground(1e5, 16);
        kart_tree *wide = scene_tree(&ctx, &s), *narrow = scene_tree(&ctx, &s);
        if (!CHECK(wide && narrow)) return;
        kart_tree_narrow(narrow);
        for (size_t k = 0; k < 600; k++) {
            const kart_ray ray = scene_ray(&s, k);
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
    scene_seed(3);
    const scene s = scene_heap(100, 300);
    kart_tree *tree = scene_tree(&ctx, &s);
    kart_hits hits = {.ctx = &ctx};
    if (!CHECK(tree)) return;
    size_t several = 0;
    for (size_t k = 0; k < 3000; k++) {
        kart_ray ray = scene_ray(&s, k);
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
                !scene_is_thin(s.corners[h->triangle]))
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
    bool over = !scene_is_thin(c);
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
        scene_seed((uint32_t)i + 1);
        const scene s = scene_heap(scene_scales[i], 100);
        kart_tree *tree = scene_tree(&ctx, &s);
        kart_numbers numbers = {.ctx = &ctx};
        if (!CHECK(tree)) return;
        for (size_t k = 0; k < 2500; k++) {
            const kart_vec3 p = k % 4 == 0   ? scene_on_corner(&s)
                                : k % 4 == 1 ? scene_on_triangle(&s)
                                             : scene_draw_vec(1.5 * s.size);
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
            near.max = scene_draw(0, 0.5) * s.size;
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
    scene_seed(9);
    const scene s = scene_heap(100, 100);
    kart_tree *tree = scene_tree(&ctx, &s);
    kart_numbers numbers = {.ctx = &ctx};
    size_t held = 0, doubtful = 0;
    if (!CHECK(tree)) return;
    for (size_t k = 0; k < 500; k++) {
        const kart_vec3 middle = scene_draw_vec(s.size),
                        half = {scene_draw(0, 60), scene_draw(0, 60), scene_draw(0, 60)};
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
        scene_seed((uint32_t)i + 1);
        const scene s = i % 2 ? scene_heap(scene_scales[i], 30) : scene_ground(scene_scales[i], 4);
        kart_tree *tree = scene_tree(&ctx, &s);
        size_t touched = 0;
        if (!CHECK(tree)) return;
        for (size_t k = 0; k < 250; k++) {
            const kart_vec3 center = scene_draw_vec(1.2 * s.size);
            const kart_vec3 target = k % 3 ? scene_on_corner(&s) : scene_draw_vec(s.size);
            kart_sweep sweep = {.center = center,
                                .motion = vec3_scale(vec3_sub(target, center), 1.5),
                                .radius = scene_draw(0, k % 4 ? 0.3 : 0.01) * s.size};
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

static const test_case cases[] = {CASE(rays_are_those_of_a_loop_over_all_triangles),
                                  CASE(no_ray_slips_through_an_edge_or_a_corner),
                                  CASE(the_ground_is_found_under_every_corner_and_edge),
                                  CASE(answers_hang_neither_on_the_tree_nor_on_the_processor),
                                  CASE(all_hits_come_in_order_and_the_others_are_among_them),
                                  CASE(the_nearest_triangle_is_that_of_a_loop),
                                  CASE(a_box_holds_the_triangles_of_a_loop),
                                  CASE(a_sweep_stops_where_a_loop_of_small_steps_does)};
void test_tree(void) { TEST_RUN(cases); }
