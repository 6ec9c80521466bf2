// Octrees and files built from triangles: nothing that a lookup can touch is left out, whatever the
// triangles are; and the same bytes come out each time.
#include "collision.h"
#include "kcl/make.h"
#include "kcl/rebuild.h"
#include "kcl/solid.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static double drawn(uint32_t *seed, double low, double high) {
    return low + (high - low) * collision_draw(seed) / 16777215.0;
}

static kart_vec3 drawn_vec(uint32_t *seed, double most) {
    double x = drawn(seed, -most, most), y = drawn(seed, -most, most);
    return (kart_vec3){x, y, drawn(seed, -most, most)};
}

// --- solids against a plain search ------------------------------------------------------------

typedef struct cube {
    kart_vec3 low;
    double edge;
} cube;

static double clamped(double v, double low, double high) { return fmin(fmax(v, low), high); }

static kart_vec3 cube_nearest(const cube *c, kart_vec3 p) {
    return (kart_vec3){clamped(p.x, c->low.x, c->low.x + c->edge),
                       clamped(p.y, c->low.y, c->low.y + c->edge),
                       clamped(p.z, c->low.z, c->low.z + c->edge)};
}

// How far the cube is from the triangle, never too small: by a search on the triangle that halves
// its steps where no direction leads nearer. The distance has no local minima: both are convex.
static double far(const kart_vec3 t[3], const cube *c) {
    double u = 1 / 3.0, v = 1 / 3.0, best = 1e300;
    for (double step = 0.5; step > 1e-9;) {
        bool better = false;
        for (int i = 0; i < 8; i++) {
            static const double du[8] = {1, -1, 0, 0, 1, -1, 1, -1},
                                dv[8] = {0, 0, 1, -1, 1, -1, -1, 1};
            double nu = clamped(u + du[i] * step, 0, 1), nv = clamped(v + dv[i] * step, 0, 1);
            if (nu + nv > 1) {
                double over = (nu + nv - 1) / 2;
                nu = clamped(nu - over, 0, 1);
                nv = 1 - nu;
            }
            kart_vec3 p = vec3_add(t[0], vec3_add(vec3_scale(vec3_sub(t[1], t[0]), nu),
                                                  vec3_scale(vec3_sub(t[2], t[0]), nv)));
            double d = vec3_length(vec3_sub(p, cube_nearest(c, p)));
            if (d >= best) continue;
            best = d;
            u = nu, v = nv;
            better = true;
        }
        if (!better) step /= 2;
    }
    return best;
}

// Is one of some points of the extruded prism in the cube?
static bool sampled_inside(const kart_vec3 t[3], double thickness, const cube *c) {
    kart_vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    kart_vec3 down = vec3_scale(n, -thickness / vec3_length(n));
    for (int i = 0; i <= 12; i++)
        for (int k = 0; i + k <= 12; k++)
            for (int h = 0; h <= 12; h++) {
                kart_vec3 p = vec3_add(t[0], vec3_add(vec3_scale(vec3_sub(t[1], t[0]), i / 12.0),
                                                      vec3_scale(vec3_sub(t[2], t[0]), k / 12.0)));
                p = vec3_add(p, vec3_scale(down, h / 12.0));
                if (vec3_length(vec3_sub(p, cube_nearest(c, p))) == 0) return true;
            }
    return false;
}

TEST(solids_are_listed_where_they_can_be_touched_and_nowhere_else) {
    const kcl_reach reach = {.radius = 250, .thickness = 300};
    uint32_t seed = 7;
    size_t listed = 0, needless = 0, missing = 0;
    for (int round = 0; round < 3000; round++) {
        kart_vec3 t[3];
        double size = pow(10, drawn(&seed, 0.5, 3.5));
        kart_vec3 at = drawn_vec(&seed, 700);
        for (int i = 0; i < 3; i++) t[i] = vec3_add(at, drawn_vec(&seed, size));
        kcl_solid solid;
        if (!kcl_solid_make(&solid, t, &reach)) continue;
        double edge = (double)(64 << round % 6);
        const double center[3] = {0, 0, 0};
        unsigned cells = kcl_solid_cells(&solid, &reach, center, edge);
        for (unsigned i = 0; i < 8; i++) {
            const cube c = {{i & 1 ? 0 : -edge, i & 2 ? 0 : -edge, i & 4 ? 0 : -edge}, edge};
            double distance = far(t, &c);
            bool inside = sampled_inside(t, reach.thickness, &c);
            bool is_listed = cells >> i & 1;
            listed += is_listed;
            missing += (distance <= reach.radius - 1e-3 || inside) && !is_listed;
            // Deeper than the radius, samples don't tell who is needless.
            needless += is_listed && distance > reach.thickness + 50;
        }
    }
    CHECK(missing == 0);
    CHECK(listed > 3000 && needless < listed / 50);
    printf("  cells of solids: %zu listed, %zu of them out of reach\n", listed, needless);
}

// --- documents --------------------------------------------------------------------------------

static bool proves(const kcl_doc *doc) {
    kcl_proof proof;
    if (!kcl_prove(doc, NULL, &proof, NULL)) return false;
    if (proof.missing > 0)
        printf("    prism %zu, %zu in all, in cell %u %u %u + %u, %.6f away\n",
               proof.first[0].prism, proof.missing, proof.first[0].leaf.cell[0],
               proof.first[0].leaf.cell[1], proof.first[0].leaf.cell[2], proof.first[0].leaf.size,
               proof.first[0].distance);
    return proof.missing == 0 && proof.outside == 0;
}

// All bytes of a model before the octree but for the area in the header.
static bool same_before(const kcl_doc *a, const kcl_doc *b, size_t model) {
    const kcl_model *m = &a->models[model], *n = &b->models[model];
    const uint8_t *from = a->data + m->range.start, *to = b->data + n->range.start;
    size_t header = kcl_header_size(a->format), end = m->octree.start - m->range.start;
    return n->octree.start - n->range.start == end && memcmp(from, to, 0x0C) == 0 &&
           memcmp(from + header, to + header, end - header) == 0;
}

// Those of a model's prisms, wherever they stand.
static bool same_prisms(const kcl_doc *a, const kcl_doc *b, size_t model) {
    const kcl_model *m = &a->models[model], *n = &b->models[model];
    return n->prisms_count >= m->prisms_count &&
           memcmp(a->data + m->prisms.start, b->data + n->prisms.start,
                  m->prisms_count * kcl_prism_size(a->format)) == 0;
}

static bool is_last(const kcl_model *m) {
    return m->octree.start >= m->prisms.end && m->octree.start >= m->positions.end &&
           m->octree.start >= m->normals.end;
}

static size_t rebuilt, refused;

static void rebuild_one(const char *path, kcl_doc *doc) {
    kart_error error = {0};
    kcl_doc *before = kcl_clone(doc, NULL);
    if (!CHECK(before)) return;
    if (kcl_rebuild(doc, NULL, &error)) {
        bool holds = proves(doc) && !doc->stale && doc->models_count == before->models_count;
        for (size_t m = 0; holds && m < doc->models_count; m++)
            holds = is_last(&before->models[m]) && doc->prisms_count == before->prisms_count
                        ? same_before(before, doc, m)
                        : same_prisms(before, doc, m);
        if (!CHECK(holds)) printf("    %s\n", path);
        rebuilt++;
    } else {
        // Files of broken prisms alone, or of odd numbers; some small ones can't be made smaller.
        if (!CHECK(error.code == KART_UNSUPPORTED || error.code == KART_LIMIT))
            printf("    %s: %s\n", path, error.what);
        refused++;
    }
    kcl_free(before);
}

TEST(rebuilt_octrees_miss_nothing_and_leave_the_rest) {
    rebuilt = refused = 0;
    CHECK(collision_each(rebuild_one) > 20);
    CHECK(rebuilt > 15);
    printf("  octrees: %zu rebuilt and proved, %zu refused\n", rebuilt, refused);
}

// --- meshes -----------------------------------------------------------------------------------

typedef struct mesh {
    kart_vec3 (*corners)[3];
    size_t count;
} mesh;

static mesh mesh_new(size_t count) {
    mesh m = {malloc((count + 1) * sizeof *m.corners), count};
    if (!m.corners) abort();
    return m;
}

// Hills of k x k squares.
static mesh hills(int k, double square, double high) {
    mesh m = mesh_new((size_t)(2 * k * k));
    size_t at = 0;
    for (int z = 0; z < k; z++)
        for (int x = 0; x < k; x++) {
            kart_vec3 p[4];
            for (int i = 0; i < 4; i++) {
                int px = x + (i & 1), pz = z + (i >> 1);
                double y = high * ((px * 7 + pz * 13 + px * pz) % 11) / 10.0;
                p[i] = (kart_vec3){px * square, y, pz * square};
            }
            const kart_vec3 a[3] = {p[0], p[2], p[1]}, b[3] = {p[1], p[2], p[3]};
            memcpy(m.corners[at++], a, sizeof a);
            memcpy(m.corners[at++], b, sizeof b);
        }
    return m;
}

// Make a file of it; NULL with the error. `report` may be NULL.
static kcl_doc *make(const mesh *m, const kcl_make_options *options, kcl_make_report *report,
                     kart_error *error) {
    kcl_make_report own;
    const kcl_make_input input = {(const kart_vec3(*)[3])m->corners, NULL, m->count};
    kcl_doc *doc = kcl_make(&ctx, kcl_format_find("mkw"), &input, options, &own, error);
    kart_free(&ctx, own.faults, m->count * sizeof *own.faults);
    if (report) *report = own;
    return doc;
}

TEST(files_hold_the_triangles_in_order) {
    kart_ctx_init(&ctx);
    mesh m = hills(20, 317.3, 410);
    kcl_make_report report;
    kcl_doc *doc = make(&m, NULL, &report, NULL);
    if (CHECK(doc && doc->prisms_count == m.count && report.worst < 0.01 && report.dropped == 0))
        for (size_t i = 0; i < m.count; i++) {
            kart_vec3 corner[3];
            kcl_prism prism = kcl_prism_get(doc, doc->models, i);
            CHECK(kcl_prism_triangle(doc, doc->models, &prism, corner) == KCL_SOUND);
            // The prism may start at any corner.
            double best = 1e300;
            for (int turn = 0; turn < 3; turn++) {
                double worst = 0;
                for (int k = 0; k < 3; k++)
                    worst =
                        fmax(worst, vec3_length(vec3_sub(corner[k], m.corners[i][(k + turn) % 3])));
                best = fmin(best, worst);
            }
            CHECK(best <= report.worst + 1e-9);
        }
    CHECK(report.positions > 21 && report.positions <= 21 * 21); // those that a prism starts at
    CHECK(doc && proves(doc));
    kcl_free(doc);
    free(m.corners);
    CHECK(ctx.used == 0);
}

TEST(the_same_triangles_give_the_same_bytes) {
    kart_ctx_init(&ctx);
    mesh m = hills(30, 300, 500);
    kcl_doc *a = make(&m, NULL, NULL, NULL), *b = make(&m, NULL, NULL, NULL);
    CHECK(a && b && a->size == b->size && memcmp(a->data, b->data, a->size) == 0);
    kcl_free(a);
    kcl_free(b);
    free(m.corners);
}

// --- the same bytes everywhere ----------------------------------------------------------------

static uint64_t hash(const kcl_doc *doc) {
    uint64_t value = 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < doc->size; i++) value = (value ^ doc->data[i]) * 0x100000001B3u;
    return value;
}

typedef struct golden {
    const char *path;
    uint64_t rebuilt, remade; // hashes of the file's bytes
} golden;

// Hashes of what release builds of gcc wrote. They change when the builder does, on purpose: then
// it says what they are now. They must not change with the compiler or its options.
static const golden goldens[] = {
    {"build/samples/race.kcl", 0xE2A687AAD8C64210, 0x5D32611C2950B1D9},
    {"build/samples/kcl/mkw.kcl", 0x5D13BD4E37D5CDD7, 0x2F50F4E73626A675},
    {"build/samples/kcl/mkds.kcl", 0x3C17465960471C30, 0xFC9ECB36EA563658},
    {"build/samples/kcl/sm3dl.kcl", 0xF495688E670CA6DE, 0x224263F3FA10C973},
    {"build/samples/kcl/mk8.kcl", 0x8D193DCA1E938F31, 0xBE56DE313FAEB5D9},
    {"build/samples/kcl/mk8dx_models.kcl", 0xED1511ABBD8E8FF9, 0xABB79CAFBC342543},
    {"build/samples/kcl/list_long.kcl", 0x04CBF80309465782, 0x6D533A9DC1A3C004},
};

static void golden_one(const char *path, kcl_doc *doc) {
    const kart_affine map = {{{0.75, 0.25, -0.5, 10}, {0.125, 1, 0.25, -20}, {0.5, 0, 1.25, 0.1}}};
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        if (strcmp(goldens[i].path, path) != 0) continue;
        bool done = kcl_rebuild(doc, NULL, NULL);
        uint64_t rebuilt_as = hash(doc);
        done = done && kcl_remake(doc, &map, NULL) && kcl_rebuild(doc, NULL, NULL);
        if (!CHECK(done && rebuilt_as == goldens[i].rebuilt && hash(doc) == goldens[i].remade))
            printf("    {\"%s\", 0x%016llX, 0x%016llX},\n", path, (unsigned long long)rebuilt_as,
                   (unsigned long long)hash(doc));
    }
}

TEST(samples_give_the_same_bytes_in_every_build) { collision_each(golden_one); }

TEST(meshes_give_the_same_bytes_in_every_build) {
    kart_ctx_init(&ctx);
    static const uint64_t expected[] = {0x9E25B2623E729D91, 0x5F6311DC93D86D0F, 0x037C2D7B43EB0E93};
    for (int goal = 0; goal < 3; goal++) {
        mesh m = hills(40, 317.3, 410);
        kcl_make_options options = {.octree = {.goal = (kcl_goal)goal}};
        kcl_doc *doc = make(&m, &options, NULL, NULL);
        if (!CHECK(doc && hash(doc) == expected[goal]) && doc)
            printf("    goal %d: 0x%016llX\n", goal, (unsigned long long)hash(doc));
        kcl_free(doc);
        free(m.corners);
    }
}

// --- options ----------------------------------------------------------------------------------

TEST(goals_and_budgets_are_kept) {
    kart_ctx_init(&ctx);
    mesh m = hills(40, 300, 500);
    size_t sizes[3];
    for (int goal = 0; goal < 3; goal++) {
        kcl_make_options options = {.octree = {.goal = (kcl_goal)goal}};
        kcl_make_report report;
        kcl_doc *doc = make(&m, &options, &report, NULL);
        if (!CHECK(doc && proves(doc))) return;
        sizes[goal] = report.octree.size;
        kcl_free(doc);
    }
    CHECK(sizes[KCL_SIZE] < sizes[KCL_BALANCED] && sizes[KCL_BALANCED] < sizes[KCL_SPEED]);
    kcl_make_options options = {.octree = {.budget = sizes[KCL_SIZE] * 3 / 4}};
    kcl_make_report report;
    kcl_doc *doc = make(&m, &options, &report, NULL);
    CHECK(doc && proves(doc) && report.octree.size <= options.octree.budget);
    CHECK(report.octree.size > options.octree.budget * 9 / 10);
    kcl_free(doc);
    options.octree.budget = 100;
    kart_error error;
    CHECK(!make(&m, &options, NULL, &error) && error.code == KART_LIMIT);
    free(m.corners);
    CHECK(ctx.used == 0);
}

// --- bad meshes -------------------------------------------------------------------------------

static bool refused_with(const mesh *m, kart_code code, const char *part) {
    kart_error error = {0};
    kcl_doc *doc = make(m, NULL, NULL, &error);
    bool holds = !doc && error.code == code && strstr(error.what, part);
    if (!holds) printf("    %s\n", doc ? "it was made" : error.what);
    kcl_free(doc);
    return holds;
}

TEST(triangles_that_cant_be_prisms_are_named_or_dropped) {
    kart_ctx_init(&ctx);
    mesh m = hills(4, 300, 100);
    kcl_make_options drop = {.drop = true};
    const struct {
        kart_vec3 corner;
        const char *why;
    } bad[] = {
        {{(double)NAN, 0, 0}, "triangle 6 can't be a prism: a coordinate is not finite (1 can't)"},
        {{(double)INFINITY, 0, 0}, "not finite"},
        {{1e300, 0, 0}, "not finite"},
        {m.corners[5][1], "triangle 6 can't be a prism: it has no area"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kart_vec3 kept = m.corners[5][0];
        kcl_make_report report;
        m.corners[5][0] = bad[i].corner;
        CHECK(refused_with(&m, KART_FORMAT, bad[i].why));
        kcl_doc *doc = make(&m, &drop, &report, NULL);
        CHECK(doc && report.dropped == 1 && doc->prisms_count == m.count - 1 && proves(doc));
        kcl_free(doc);
        m.corners[5][0] = kept;
    }
    free(m.corners);
    CHECK(ctx.used == 0);
}

TEST(odd_meshes_give_a_file_that_proves_or_an_error) {
    kart_ctx_init(&ctx);
    mesh none = mesh_new(0), one = hills(1, 1000, 0), point = mesh_new(50), many = mesh_new(100000);
    one.count = 1;
    CHECK(refused_with(&none, KART_UNSUPPORTED, "no triangle"));
    kcl_doc *doc = make(&one, NULL, NULL, NULL);
    CHECK(doc && proves(doc));
    kcl_free(doc);
    for (size_t i = 0; i < point.count; i++)
        for (int k = 0; k < 3; k++) point.corners[i][k] = (kart_vec3){5, 5, 5};
    CHECK(refused_with(&point, KART_FORMAT, "it has no area (50 can't)"));
    for (size_t i = 0; i < many.count; i++)
        for (int k = 0; k < 3; k++)
            many.corners[i][k] = (kart_vec3){(double)(i % 300) * 100 + (k == 1 ? 100 : 0), 0,
                                             (double)(i / 300) * 100 + (k == 2 ? 100 : 0)};
    CHECK(refused_with(&many, KART_LIMIT, "34465 more than the format can count"));
    many.count = 65535;
    doc = make(&many, NULL, NULL, NULL);
    CHECK(doc && doc->prisms_count == 65535);
    kcl_free(doc);
    free(none.corners), free(one.corners), free(point.corners), free(many.corners);
    CHECK(ctx.used == 0);
}

TEST(heaps_needles_and_worlds_too_wide) {
    kart_ctx_init(&ctx);
    mesh heap = mesh_new(3000), needles = mesh_new(200), wide = hills(2, 2e9, 0);
    uint32_t seed = 3;
    for (size_t i = 0; i < heap.count; i++) {
        const kart_vec3 t[3] = {{0, 0, 0}, {0, 0, 5000}, {5000, 0, 0}};
        memcpy(heap.corners[i], t, sizeof t);
    }
    kcl_doc *doc = make(&heap, NULL, NULL, NULL);
    CHECK(doc && proves(doc));
    kcl_free(doc);
    for (size_t i = 0; i < needles.count; i++) {
        kart_vec3 at = drawn_vec(&seed, 5000), along = drawn_vec(&seed, 3000);
        needles.corners[i][0] = at;
        needles.corners[i][1] = vec3_add(at, along);
        needles.corners[i][2] = vec3_add(at, (kart_vec3){0.003, 0.001, 0.002});
    }
    kart_error error = {0};
    doc = make(&needles, &(kcl_make_options){.drop = true}, NULL, &error);
    CHECK(doc ? proves(doc) : error.code == KART_UNSUPPORTED);
    kcl_free(doc);
    CHECK(refused_with(&wide, KART_UNSUPPORTED, "units wide"));
    free(heap.corners), free(needles.corners), free(wide.corners);
    CHECK(ctx.used == 0);
}

// --- memory and patience ----------------------------------------------------------------------

TEST(every_failing_allocation_ends_in_an_error) {
    mesh m = hills(3, 400, 100);
    size_t needed = 0;
    for (size_t n = 0;; n++) {
        test_heap heap;
        kart_error error = {0};
        test_heap_init(&heap, &ctx, n);
        kcl_doc *doc = make(&m, NULL, NULL, &error);
        if (doc) {
            kcl_free(doc);
        } else if (!CHECK(error.code == KART_MEMORY)) {
            printf("    allocation %zu: %s\n", n, error.what);
        }
        if (!CHECK(ctx.used == 0 && heap.blocks == 0)) break;
        needed = n;
        if (doc) break;
    }
    CHECK(needed > 20);
    free(m.corners);
}

TEST(work_ends_when_it_is_told_to) {
    static volatile sig_atomic_t raised = 1;
    kart_ctx_init(&ctx);
    mesh m = hills(10, 400, 100);
    ctx.cancel = &raised;
    kart_error error = {0};
    CHECK(!make(&m, NULL, NULL, &error) && error.code == KART_CANCELLED && ctx.used == 0);
    ctx.cancel = NULL;
    kcl_doc *doc = make(&m, NULL, NULL, NULL);
    ctx.cancel = &raised;
    size_t size = doc ? doc->size : 0;
    CHECK(doc && !kcl_rebuild(doc, NULL, &error) && error.code == KART_CANCELLED);
    CHECK(doc && doc->size == size);
    ctx.cancel = NULL;
    kcl_free(doc);
    free(m.corners);
    CHECK(ctx.used == 0);
}

static const test_case cases[] = {
    CASE(solids_are_listed_where_they_can_be_touched_and_nowhere_else),
    CASE(rebuilt_octrees_miss_nothing_and_leave_the_rest),
    CASE(files_hold_the_triangles_in_order),
    CASE(the_same_triangles_give_the_same_bytes),
    CASE(samples_give_the_same_bytes_in_every_build),
    CASE(meshes_give_the_same_bytes_in_every_build),
    CASE(goals_and_budgets_are_kept),
    CASE(triangles_that_cant_be_prisms_are_named_or_dropped),
    CASE(odd_meshes_give_a_file_that_proves_or_an_error),
    CASE(heaps_needles_and_worlds_too_wide),
    CASE(every_failing_allocation_ends_in_an_error),
    CASE(work_ends_when_it_is_told_to),
};

void test_build(void) { TEST_RUN(cases); }
