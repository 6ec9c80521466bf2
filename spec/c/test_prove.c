// The proof of octrees, judged by a third computation, and by octrees that are wrong on purpose.
// Also what builders must survive: odd options, rounding at the borders of cells, memory that runs
// out.
#include "collision.h"
#include "kcl/make.h"
#include "kcl/rebuild.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static kcl_proof prove(const kcl_doc *doc) {
    kcl_proof proof;
    CHECK(kcl_prove(doc, NULL, &proof, NULL));
    return proof;
}

static bool proves(const kcl_doc *doc) {
    kcl_proof proof = prove(doc);
    return CHECK(proof.missing == 0 && proof.outside == 0);
}

// --- meshes -----------------------------------------------------------------------------------

#define MESH_MOST 2000

static kart_vec3 corners[MESH_MOST][3];

static double drawn(uint32_t *seed, double low, double high) {
    return low + (high - low) * collision_draw(seed) / 16777215.0;
}

static kart_vec3 drawn_vec(uint32_t *seed, double most) {
    double x = drawn(seed, -most, most), y = drawn(seed, -most, most);
    return (kart_vec3){x, y, drawn(seed, -most, most)};
}

// Triangles of all sizes around a place.
static void heap_fill(size_t count, uint32_t seed, kart_vec3 at, double wide) {
    for (size_t i = 0; i < count; i++) {
        kart_vec3 middle = vec3_add(at, drawn_vec(&seed, wide));
        double size = drawn(&seed, 10, wide / 2);
        for (int k = 0; k < 3; k++) corners[i][k] = vec3_add(middle, drawn_vec(&seed, size));
    }
}

// A bumpy ground of 2 k k triangles.
static size_t ground_fill(int k, double x_square, double z_square) {
    size_t count = 0;
    for (int z = 0; z < k; z++)
        for (int x = 0; x < k; x++) {
            kart_vec3 p[4];
            for (int i = 0; i < 4; i++) {
                int px = x + (i & 1), pz = z + (i >> 1);
                p[i] = (kart_vec3){px * x_square, (px * 7 + pz * 13 + px * pz) % 11 * 40,
                                   pz * z_square};
            }
            const kart_vec3 a[3] = {p[0], p[2], p[1]}, b[3] = {p[1], p[2], p[3]};
            memcpy(corners[count++], a, sizeof a);
            memcpy(corners[count++], b, sizeof b);
        }
    return count;
}

static kcl_doc *make_in(kart_ctx *in, const char *game, size_t count,
                        const kcl_build_options *octree, kart_error *error) {
    kcl_make_report report;
    kcl_make_options options = {.octree = octree ? *octree : (kcl_build_options){0}};
    const kcl_make_input input = {(const kart_vec3(*)[3])corners, NULL, count};
    kcl_doc *doc = kcl_make(in, kcl_format_find(game), &input, &options, &report, error);
    kart_free(in, report.faults, count * sizeof *report.faults);
    return doc;
}

static kcl_doc *make(size_t count, const kcl_build_options *octree) {
    kart_error error;
    kcl_doc *doc = make_in(&ctx, "mkw", count, octree, &error);
    if (!CHECK(doc)) printf("    %s\n", error.what);
    return doc;
}

// --- a third computation ----------------------------------------------------------------------

typedef struct cube {
    kart_vec3 low;
    double edge;
} cube;

static double clamped(double v, double low, double high) { return fmin(fmax(v, low), high); }

static double cube_distance(const cube *c, kart_vec3 p) {
    kart_vec3 q = {clamped(p.x, c->low.x, c->low.x + c->edge),
                   clamped(p.y, c->low.y, c->low.y + c->edge),
                   clamped(p.z, c->low.z, c->low.z + c->edge)};
    return vec3_length(vec3_sub(p, q));
}

// How far the cube is from the triangle drawn down by `depth`, hardly ever too small: by a search
// over the body that halves its steps where no direction leads nearer. Both are convex.
static double far(const kart_vec3 t[3], double depth, const cube *c) {
    kart_vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    kart_vec3 down = vec3_scale(n, -depth / vec3_length(n));
    double at[3] = {1 / 3.0, 1 / 3.0, 0.5}, best = (double)INFINITY;
    for (double step = 0.5; step > 1e-9;) {
        bool better = false;
        for (int i = 0; i < 27; i++) {
            const int go[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            double to[3];
            for (int k = 0; k < 3; k++) to[k] = clamped(at[k] + go[k] * step, 0, 1);
            if (to[0] + to[1] > 1) {
                double over = (to[0] + to[1] - 1) / 2;
                to[0] = clamped(to[0] - over, 0, 1);
                to[1] = 1 - to[0];
            }
            kart_vec3 p = vec3_add(t[0], vec3_scale(vec3_sub(t[1], t[0]), to[0]));
            p = vec3_add(p, vec3_scale(vec3_sub(t[2], t[0]), to[1]));
            double d = cube_distance(c, vec3_add(p, vec3_scale(down, to[2])));
            if (d >= best) continue;
            best = d;
            memcpy(at, to, sizeof at);
            better = true;
        }
        if (!better) step /= 2;
    }
    return best;
}

#define UNSURE 1e-3 // what the search may be wrong by

typedef struct expected {
    const kcl_doc *doc;
    size_t least, most; // pairs of a leaf and a prism that are needed, surely and perhaps
} expected;

static bool leaf_expect(void *user, const kcl_leaf *leaf) {
    expected *e = user;
    const kcl_model *m = e->doc->models;
    cube c = {vec3_add(m->min, (kart_vec3){leaf->cell[0], leaf->cell[1], leaf->cell[2]}),
              leaf->size};
    for (size_t i = 0; i < m->prisms_count; i++) {
        kart_vec3 t[3];
        kcl_prism prism = kcl_prism_get(e->doc, m, i);
        kcl_prism_triangle(e->doc, m, &prism, t);
        double face = far(t, 0, &c), body = far(t, m->thickness, &c);
        e->least += face <= m->radius - UNSURE || body == 0;
        e->most += face <= m->radius + UNSURE || body <= UNSURE;
    }
    return true;
}

// Make all lists empty: the word where one begins becomes its end.
static bool leaf_empty(void *user, const kcl_leaf *leaf) {
    kcl_doc *doc = user;
    kart_store_u16(doc->data + leaf->list, doc->format->big, (uint16_t)kcl_list_end(doc->format));
    return true;
}

TEST(all_that_a_search_finds_is_missed_where_lists_are_empty) {
    kart_ctx_init(&ctx);
    size_t pairs = 0, unsure = 0;
    for (uint32_t round = 1; round <= 6; round++) {
        uint32_t seed = round;
        heap_fill(20, round, drawn_vec(&seed, 5000), 400 * round);
        kcl_doc *doc = make(20, &(kcl_build_options){.roots = 512, .goal = KCL_SPEED});
        if (!doc) return;
        expected e = {.doc = doc};
        kcl_octree_walk(doc, doc->models, leaf_empty, doc);
        kcl_octree_walk(doc, doc->models, leaf_expect, &e);
        kcl_proof proof = prove(doc);
        CHECK(proof.ids == 0 && proof.missing >= e.least && proof.missing <= e.most);
        pairs += proof.missing;
        unsure += e.most - e.least;
        kcl_free(doc);
    }
    CHECK(pairs > 1000 && unsure < pairs / 100);
    printf("  proofs: %zu pairs that a search finds, too, %zu of them unsure\n", pairs, unsure);
    CHECK(ctx.used == 0);
}

// --- octrees that are wrong -------------------------------------------------------------------

static size_t tried, caught_radius, caught_thickness;

// A builder that takes the header's numbers to be less than they are.
static bool short_caught(const kcl_doc *doc, double radius, double thickness) {
    kcl_doc *work = kcl_clone(doc, NULL);
    const kcl_build_options options = {.goal = KCL_SPEED, .roots = 1 << 12};
    kcl_proof proof = {0};
    if (CHECK(work)) {
        work->models->radius -= radius;
        work->models->thickness -= thickness;
        if (CHECK(kcl_rebuild(work, &options, NULL))) proof = prove(work);
    }
    kcl_free(work);
    return proof.missing > 0;
}

static void short_one(const char *path, kcl_doc *doc) {
    // In courses of blocks no distance may lie in between.
    static const char *const names[] = {"samples/race.kcl", "/race_dust", "/race_lego"};
    bool named = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        named = named || strstr(path, names[i]);
    if (!named) return;
    tried++;
    bool caught = short_caught(doc, 0.1, 0);
    if (!CHECK(caught)) printf("    %s\n", path);
    caught_radius += caught;
    caught_thickness += short_caught(doc, 0, 1);
}

TEST(an_octree_that_is_a_tenth_short_is_caught) {
    tried = caught_radius = caught_thickness = 0;
    collision_each(short_one);
    CHECK(tried > 0 && caught_thickness > 0);
    printf("  octrees built for less: of %zu, %zu caught with a radius 0.1 short, %zu with a "
           "thickness 1 short\n",
           tried, caught_radius, caught_thickness);
}

TEST(who_reaches_out_of_the_area_is_counted) {
    kart_ctx_init(&ctx);
    size_t count = ground_fill(4, 300, 300);
    kcl_doc *doc = make(count, NULL);
    if (!doc || !proves(doc)) return;
    kcl_model *m = doc->models;
    double low = m->min.x;
    m->min.x = -249.5; // the first column collides from 1 unit before it on
    CHECK(prove(doc).outside == 0);
    m->min.x = -248.5;
    CHECK(prove(doc).outside == 8); // four squares
    m->min.x = low;
    kcl_free(doc);
    CHECK(ctx.used == 0);
}

// --- lookups at borders -----------------------------------------------------------------------

// Does the list of the cell where a lookup ends have the prism?
static bool looked_up(const kcl_doc *doc, const float p[3], size_t prism) {
    const kcl_model *m = doc->models;
    const float min[3] = {(float)m->min.x, (float)m->min.y, (float)m->min.z};
    int32_t point[3];
    kcl_leaf leaf;
    size_t id;
    for (int i = 0; i < 3; i++) {
        volatile float from_min = p[i] - min[i]; // rounded, as the engine does
        point[i] = (int32_t)from_min;
    }
    if (!kcl_octree_find(doc, m, point, &leaf)) return false;
    for (size_t at = leaf.list; kcl_list_next(doc, &at, &id);)
        if (id == prism) return true;
    return false;
}

static bool bounds_reach(const kart_vec3 t[3], kart_vec3 p, double by) {
    const double at[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        const double c[3] = {i == 0   ? t[0].x
                             : i == 1 ? t[0].y
                                      : t[0].z,
                             i == 0   ? t[1].x
                             : i == 1 ? t[1].y
                                      : t[1].z,
                             i == 0   ? t[2].x
                             : i == 1 ? t[2].y
                                      : t[2].z};
        if (at[i] < fmin(c[0], fmin(c[1], c[2])) - by || at[i] > fmax(c[0], fmax(c[1], c[2])) + by)
            return false;
    }
    return true;
}

typedef struct borders {
    const kcl_doc *doc;
    uint32_t seed;
    size_t touched, missed;
} borders;

// Places a few floats before and behind a corner of a cell.
static bool border_look(void *user, const kcl_leaf *leaf) {
    borders *b = user;
    const kcl_model *m = b->doc->models;
    const double min[3] = {m->min.x, m->min.y, m->min.z};
    for (int round = 0; round < 50; round++) {
        float p[3];
        for (int i = 0; i < 3; i++) {
            p[i] = (float)(min[i] + leaf->cell[i]);
            unsigned steps = collision_draw(&b->seed) % 5;
            for (unsigned k = 0; k < steps; k++)
                p[i] = nextafterf(p[i], round >> i & 1 ? (float)INFINITY : -(float)INFINITY);
        }
        const cube place = {{(double)p[0], (double)p[1], (double)p[2]}, 0};
        for (size_t i = 0; i < m->prisms_count; i++) {
            kart_vec3 t[3];
            kcl_prism prism = kcl_prism_get(b->doc, m, i);
            kcl_prism_triangle(b->doc, m, &prism, t);
            if (!bounds_reach(t, place.low, m->thickness) ||
                (far(t, 0, &place) > m->radius && far(t, m->thickness, &place) > 0))
                continue;
            b->touched++;
            b->missed += !looked_up(b->doc, p, i);
        }
    }
    return true;
}

TEST(lookups_beside_the_borders_of_cells_find_all_they_touch) {
    kart_ctx_init(&ctx);
    size_t touched = 0;
    const kart_vec3 places[] = {{0, 0, 0}, {-300000, 20, 300000}, {4e6, 4e6, -4e6}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        heap_fill(20, 5, places[i], 2000);
        kcl_doc *doc = make(20, &(kcl_build_options){.roots = 512, .goal = KCL_SPEED});
        if (!doc) return;
        borders b = {.doc = doc, .seed = 1};
        kcl_octree_walk(doc, doc->models, border_look, &b);
        CHECK(b.missed == 0);
        touched += b.touched;
        kcl_free(doc);
    }
    CHECK(touched > 3000);
    printf("  lookups at borders: %zu prisms touched\n", touched);
    CHECK(ctx.used == 0);
}

// --- odd options ------------------------------------------------------------------------------

TEST(any_options_give_an_octree_that_proves) {
    kart_ctx_init(&ctx);
    const kcl_build_options options[] = {{.smallest = 1, .goal = KCL_SPEED},
                                         {.smallest = (uint32_t)1 << 31},
                                         {.longest = 1},
                                         {.longest = SIZE_MAX},
                                         {.roots = 1},
                                         {.roots = 1 << 16},
                                         {.roots = SIZE_MAX, .budget = 1},
                                         {.budget = SIZE_MAX},
                                         {.wanted = 1},
                                         {.wanted = SIZE_MAX},
                                         {.has_by_area = true},
                                         {.has_by_area = true, .by_area = 1}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        // One is 4,000 times as long as it is wide.
        for (int wide = 0; wide < 2; wide++) {
            size_t count = ground_fill(5, wide ? 200000 : 300, wide ? 50 : 300);
            kart_error error = {0};
            kcl_doc *doc = make_in(&ctx, "mkw", count, &options[i], &error);
            CHECK(doc ? proves(doc) : error.code == KART_LIMIT);
            CHECK(doc || options[i].budget || options[i].roots > 1000);
            kcl_free(doc);
        }
    }
    CHECK(ctx.used == 0);
}

// Large triangles close upon each other: no cell is small enough to have few of them.
TEST(lists_that_cannot_be_short_end_the_splitting) {
    kart_ctx_init(&ctx);
    for (int i = 0; i < 40; i++) {
        const kart_vec3 t[3] = {{0, i, 0}, {i, 3 * i, 2e6}, {2e6, 2 * i, i}};
        memcpy(corners[i], t, sizeof t);
    }
    kcl_doc *doc = make(40, &(kcl_build_options){.longest = 1, .smallest = 1, .goal = KCL_SPEED});
    CHECK(doc && doc->size < 50 << 20 && ctx.peak < (size_t)500 << 20);
    kcl_free(doc);
    CHECK(ctx.used == 0);
}

TEST(numbers_of_a_header_may_be_anything) {
    kart_ctx_init(&ctx);
    const double odd[] = {0, -5, (double)NAN, (double)INFINITY, -(double)INFINITY, 1e30, 1e-30};
    size_t count = ground_fill(5, 300, 300);
    for (size_t i = 0; i < 2 * sizeof odd / sizeof *odd; i++) {
        kcl_doc *doc = make(count, NULL);
        kart_error error = {0};
        kcl_proof proof;
        *(i % 2 ? &doc->models->radius : &doc->models->thickness) = odd[i / 2];
        bool done = kcl_rebuild(doc, NULL, &error);
        CHECK(done == !(odd[i / 2] >= 1e30) && (done || error.code == KART_UNSUPPORTED));
        *(i % 2 ? &doc->models->radius : &doc->models->thickness) = odd[i / 2];
        CHECK(kcl_prove(doc, NULL, &proof, NULL));
        kcl_free(doc);
    }
    CHECK(ctx.used == 0);
}

TEST(an_area_that_the_format_has_no_numbers_for_is_refused) {
    kart_ctx_init(&ctx);
    const kart_vec3 edge[3] = {{-524280, 0, 0}, {-524280, 0, 100}, {-524200, 0, 0}};
    memcpy(corners[0], edge, sizeof edge);
    kart_error error = {0};
    CHECK(!make_in(&ctx, "mkds", 1, NULL, &error) && error.code == KART_LIMIT);
    CHECK(strstr(error.what, "area"));
    CHECK(ctx.used == 0);
}

// --- memory -----------------------------------------------------------------------------------

static bool work_rebuild(kcl_doc *doc, kart_error *error) { return kcl_rebuild(doc, NULL, error); }

static bool work_remake(kcl_doc *doc, kart_error *error) {
    kart_affine turn = kart_affine_rotation((kart_vec3){1, 2, 3}, 40);
    return kcl_remake(doc, &turn, error);
}

static bool work_prove(kcl_doc *doc, kart_error *error) {
    kcl_proof proof;
    return kcl_prove(doc, NULL, &proof, error);
}

static bool work_lengths(kcl_doc *doc, kart_error *error) {
    kcl_lengths lengths;
    return kcl_lengths_get(doc, 10, 0, &lengths, error);
}

TEST(every_failing_allocation_leaves_the_document_as_it_was) {
    bool (*const works[])(kcl_doc *, kart_error *) = {work_rebuild, work_remake, work_prove,
                                                      work_lengths};
    size_t failures = 0;
    kart_ctx_init(&ctx);
    kcl_doc *made = make(ground_fill(3, 400, 400), NULL);
    if (!made) return;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        for (size_t n = 0;; n++) {
            test_heap heap;
            kart_ctx full;
            kart_error error = {0};
            test_heap_init(&heap, &full, SIZE_MAX);
            kcl_doc *doc = kcl_parse(&full, made->data, made->size, KCL_MKW, NULL);
            heap.left = n;
            bool done = works[i](doc, &error);
            if (!done) {
                CHECK(error.code == KART_MEMORY && doc->size == made->size);
                CHECK(memcmp(doc->data, made->data, doc->size) == 0 && !doc->stale);
                CHECK(doc->warnings.count == 0);
                failures++;
            }
            kcl_free(doc);
            if (!CHECK(full.used == 0 && heap.blocks == 0) || done) break;
        }
    CHECK(failures > 60);
    kcl_free(made);
    CHECK(ctx.used == 0);
}

TEST(lengths_are_those_of_the_list_where_there_is_one) {
    kart_ctx_init(&ctx);
    collision_prism prisms[7];
    for (size_t i = 0; i < 7; i++) prisms[i] = collision_ground(200 + (double)i);
    kcl_doc *doc = collision_new(&ctx, KCL_MKW, prisms, 7);
    kcl_lengths lengths;
    CHECK(doc && kcl_lengths_get(doc, 500, 1, &lengths, NULL));
    CHECK(lengths.by_area.mean == 7 && lengths.by_prism.mean == 7);
    CHECK(lengths.by_area.longest == 7 && lengths.by_prism.longest == 7);
    doc->models->min.x = 1e9; // where nobody looks
    CHECK(kcl_lengths_get(doc, 500, 1, &lengths, NULL) && lengths.by_area.longest == 0);
    kcl_free(doc);
    CHECK(ctx.used == 0);
}

static const test_case cases[] = {
    CASE(all_that_a_search_finds_is_missed_where_lists_are_empty),
    CASE(an_octree_that_is_a_tenth_short_is_caught),
    CASE(who_reaches_out_of_the_area_is_counted),
    CASE(lookups_beside_the_borders_of_cells_find_all_they_touch),
    CASE(any_options_give_an_octree_that_proves),
    CASE(lists_that_cannot_be_short_end_the_splitting),
    CASE(numbers_of_a_header_may_be_anything),
    CASE(an_area_that_the_format_has_no_numbers_for_is_refused),
    CASE(every_failing_allocation_leaves_the_document_as_it_was),
    CASE(lengths_are_those_of_the_list_where_there_is_one),
};

void test_prove(void) { TEST_RUN(cases); }
