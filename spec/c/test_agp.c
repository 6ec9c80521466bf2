// The AGP document: records and their order, files from triangles, what the game finds.
#include "agp/check.h"
#include "agp/layout.h"
#include "agp/lookup.h"
#include "agp/mesh.h"
#include "arcade.h"
#include "test.h"

#include "core/file.h"

#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static agp_doc *course(size_t side) {
    kart_ctx_init(&ctx);
    arcade a = arcade_make(side);
    agp_doc *doc = arcade_build(&ctx, &a);
    arcade_free(&a);
    CHECK(doc);
    return doc;
}

static void done(agp_doc *doc) {
    agp_free(doc);
    CHECK(ctx.used == 0);
}

static bool same_bytes(const agp_doc *a, const agp_doc *b) {
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

// --- order ------------------------------------------------------------------------------------

// Lists of cells, with numbers apart by 9 and cells ended by -1: their order, or what it should be.
static void order_check(const int *lists, size_t cells_count, size_t count, const int *expected) {
    agp_cell cells[8] = {{{0}, {0}, {0}}};
    uint32_t list[64], order[16];
    size_t places = 0;
    for (size_t i = 0; i < cells_count; i++, lists++) {
        cells[i].first[AGP_TRIANGLES] = places;
        for (; *lists >= 0; lists++) list[places++] = (uint32_t)*lists;
        cells[i].count[AGP_TRIANGLES] = (uint32_t)(places - cells[i].first[AGP_TRIANGLES]);
    }
    kart_ctx_init(&ctx);
    CHECK(agp_order(&ctx, cells, cells_count, AGP_TRIANGLES, list, places, count, order, NULL));
    for (size_t i = 0; i < count; i++) CHECK(order[i] == (uint32_t)expected[i]);
    CHECK(ctx.used == 0);
}

TEST(an_order_agrees_with_every_list) {
    // 2 comes up first, but two lists have others before it.
    order_check((const int[]){2, 3, -1, 0, 2, -1, 0, 1, 2, -1}, 3, 4, (const int[]){0, 1, 2, 3});
    // Nothing tells 0 and 1 apart: the one that came up first.
    order_check((const int[]){0, 2, -1, 1, 2, -1, -1}, 3, 3, (const int[]){0, 1, 2});
    // The first cell holds what comes last.
    order_check((const int[]){3, -1, 2, 3, -1, 1, 2, -1, 0, 1, -1}, 4, 4,
                (const int[]){0, 1, 2, 3});
}

TEST(an_order_is_found_where_lists_disagree) {
    order_check((const int[]){0, 1, -1, 1, 0, -1, 1, 2, -1}, 3, 3, (const int[]){0, 1, 2});
    order_check((const int[]){0, 1, 2, -1, 2, 0, -1}, 2, 3, (const int[]){0, 1, 2});
}

TEST(the_order_of_a_model_comes_back_from_its_lists) {
    agp_doc *doc = course(12);
    agp_doc *again = agp_parse(&ctx, doc->data, doc->size, NULL);
    if (CHECK(again && again->pools[AGP_TRIANGLES].count == doc->pools[AGP_TRIANGLES].count)) {
        // Every list, as numbers of triangles, ascends.
        for (size_t i = 0; i < again->cells_count; i++)
            for (size_t k = 1; k < again->cells[i].count[AGP_TRIANGLES]; k++) {
                const uint32_t *at =
                    again->pools[AGP_TRIANGLES].list + again->cells[i].first[AGP_TRIANGLES] + k;
                CHECK(at[-1] < at[0]);
            }
        CHECK(agp_rebuild(again, NULL, NULL) && same_bytes(doc, again));
    }
    agp_free(again);
    done(doc);
}

// --- records ----------------------------------------------------------------------------------

TEST(an_edit_reaches_every_place) {
    agp_doc *doc = course(6);
    const agp_pool *pool = &doc->pools[AGP_TRIANGLES];
    size_t most = 0;
    for (size_t i = 0; i < pool->count; i++)
        if (pool->starts[i + 1] - pool->starts[i] > pool->starts[most + 1] - pool->starts[most])
            most = i;
    CHECK(pool->starts[most + 1] - pool->starts[most] > 2);
    CHECK(agp_flag_set(doc, most, 0x80200010, NULL));
    agp_doc *again = agp_parse(&ctx, doc->data, doc->size, NULL);
    CHECK(again && again->pools[AGP_TRIANGLES].count == pool->count);
    size_t flagged = 0;
    for (size_t i = 0; again && i < pool->count; i++)
        flagged += agp_flag_get(again, i) == 0x80200010;
    CHECK(flagged == 1);
    agp_free(again);
    done(doc);
}

TEST(a_triangle_that_a_cell_lists_twice_is_two) {
    kart_vec3 one[4][3] = {{{0, 0, 0}, {0, 0, 150}, {150, 0, 0}},
                           {{150, 0, 0}, {0, 0, 150}, {150, 0, 150}}};
    memcpy(one[2], one[0], sizeof one[0]);
    memcpy(one[3], one[0], sizeof one[0]);
    const agp_build_input input = {(const kart_vec3(*)[3])one, NULL, 4};
    agp_build_report report;
    kart_ctx_init(&ctx);
    agp_doc *doc = agp_build(&ctx, &input, NULL, &report, NULL);
    kart_free(&ctx, report.faults, 4 * sizeof *report.faults);
    agp_doc *again = doc ? agp_parse(&ctx, doc->data, doc->size, NULL) : NULL;
    if (CHECK(again)) {
        CHECK(again->pools[AGP_TRIANGLES].count == 4);
        CHECK(agp_rebuild(again, NULL, NULL) && same_bytes(doc, again));
        // One of the three gets another flag: the others stay.
        CHECK(agp_flag_set(again, 2, 0x40, NULL));
        size_t flagged = 0;
        for (size_t i = 0; i < 4; i++) flagged += agp_flag_get(again, i) == 0x40;
        CHECK(flagged == 1);
    }
    agp_free(again);
    done(doc);
}

TEST(records_that_share_bytes_are_told_apart_before_an_edit) {
    size_t size;
    kart_ctx_init(&ctx);
    uint8_t *data =
        kart_file_read(&ctx, "build/samples/agp/overlapping.bin", KART_FILE_LIMIT, &size, NULL);
    agp_doc *doc = data ? agp_parse(&ctx, data, size, NULL) : NULL;
    if (CHECK(doc && doc->overlaps && doc->pools[AGP_TRIANGLES].count == 2)) {
        agp_triangle before = agp_triangle_get(doc, 1);
        CHECK(agp_flag_set(doc, 0, 0x77, NULL) && !doc->overlaps);
        agp_triangle after = agp_triangle_get(doc, 1);
        CHECK(agp_flag_get(doc, 0) == 0x77 && memcmp(&before, &after, sizeof after) == 0);
    }
    kart_free(&ctx, data, size);
    done(doc);
}

// --- files from triangles ---------------------------------------------------------------------

static agp_doc *build(const kart_vec3 (*corners)[3], size_t count, bool drop, kart_error *error) {
    const agp_build_input input = {corners, NULL, count};
    const agp_build_options options = {.drop = drop};
    agp_build_report report;
    kart_ctx_init(&ctx);
    agp_doc *doc = agp_build(&ctx, &input, &options, &report, error);
    kart_free(&ctx, report.faults, count * sizeof *report.faults);
    return doc;
}

TEST(what_cannot_stand_in_a_file_is_named_or_dropped) {
    const kart_vec3 corners[4][3] = {{{0, 0, 0}, {0, 0, 9}, {9, 0, 0}},
                                     {{0, 0, 0}, {0, 0, 9}, {0, 0, 4}},
                                     {{0, 0, 0}, {(double)NAN, 0, 9}, {0, 0, 4}},
                                     {{0, 0, 0}, {1e39, 0, 9}, {0, 0, 4}}};
    kart_error error = {0};
    CHECK(!build(corners, 4, false, &error) && error.code == KART_FORMAT);
    CHECK_TEXT(error.what, "triangle 2 can't stand in a file: it has no area (3 can't)");
    CHECK(ctx.used == 0);
    CHECK(!build(corners + 1, 3, true, &error) && error.code == KART_UNSUPPORTED);
    CHECK(ctx.used == 0);
    agp_doc *doc = build(corners, 4, true, &error);
    CHECK(doc && doc->pools[AGP_TRIANGLES].count == 1 && doc->pools[AGP_WALLS].count == 3);
    done(doc);
}

TEST(zeros_of_either_sign_are_one_place) {
    const kart_vec3 corners[2][3] = {{{0, 0, 0}, {0, 0, 9}, {9, 0, 0}},
                                     {{9, -0.0, -0.0}, {-0.0, 0, 9}, {9, 0, 9}}};
    agp_doc *doc = build(corners, 2, false, NULL);
    CHECK(doc && doc->pools[AGP_WALLS].count == 4);
    done(doc);
}

TEST(edges_of_three_triangles_are_shared) {
    const kart_vec3 corners[3][3] = {{{0, 0, 0}, {0, 0, 9}, {9, 0, 0}},
                                     {{9, 0, 0}, {0, 0, 9}, {9, 0, 9}},
                                     {{9, 0, 0}, {0, 0, 9}, {9, 5, 9}}};
    agp_doc *doc = build(corners, 3, false, NULL);
    CHECK(doc && doc->pools[AGP_WALLS].count == 6);
    done(doc);
}

TEST(the_far_border_is_in_the_last_cells) {
    const kart_vec3 corners[1][3] = {{{-50, 0, -50}, {-50, 0, 150}, {150, 0, -50}}};
    agp_doc *doc = build(corners, 1, false, NULL);
    if (CHECK(doc)) {
        CHECK(doc->grid.width == 2 && doc->grid.length == 2);
        for (size_t i = 0; i < 4; i++) CHECK(doc->cells[i].count[AGP_TRIANGLES] == 1);
        CHECK(agp_cell_of(&doc->grid, 49.9999f, 0) == 0 && agp_cell_of(&doc->grid, 50, 0) == 1);
        CHECK(agp_cell_of(&doc->grid, 150, 0) == SIZE_MAX);
        // Towards zero, not down: the game takes what is a little outside for the first cell.
        CHECK(agp_cell_of(&doc->grid, -149.9f, 0) == 0);
        CHECK(agp_cell_of(&doc->grid, -150, 0) == SIZE_MAX &&
              agp_cell_of(&doc->grid, NAN, 0) == SIZE_MAX);
    }
    done(doc);
}

TEST(too_many_cells_are_an_error) {
    const kart_vec3 corners[1][3] = {{{-1e7, 0, -1e7}, {-1e7, 0, 1e7}, {1e7, 0, -1e7}}};
    kart_error error = {0};
    CHECK(!build(corners, 1, false, &error) && error.code == KART_LIMIT);
    CHECK(ctx.used == 0);
}

TEST(an_empty_document_stays_one) {
    size_t size;
    kart_ctx_init(&ctx);
    uint8_t *data =
        kart_file_read(&ctx, "build/samples/agp/nothing.bin", KART_FILE_LIMIT, &size, NULL);
    agp_doc *doc = data ? agp_parse(&ctx, data, size, NULL) : NULL;
    kart_affine map = kart_affine_mirror(0, 0);
    CHECK(doc && agp_transform(doc, &map, false, NULL) && agp_rebuild(doc, NULL, NULL));
    CHECK(doc && doc->size == size && memcmp(doc->data, data, size) == 0);
    kart_free(&ctx, data, size);
    done(doc);
}

TEST(a_file_binned_in_doubles_comes_back) {
    // In floats 2608.0002 + 91.9997 is 2700, on the line; in doubles it is below.
    const kart_vec3 corners[2][3] = {
        {{-2608.0002441, 0, 0}, {-2608.0002441, 0, 90}, {91.9996948, 0, 0}},
        {{91.9996948, 0, 0}, {-2608.0002441, 0, 90}, {300, 0, 90}}};
    agp_doc *doc = build(corners, 2, false, NULL);
    if (!CHECK(doc)) return;
    float at = (float)corners[0][2].x;
    CHECK(agp_cell_along(&doc->grid, 0, at) == 27);
    CHECK(floor(((double)at + (double)doc->grid.origin[0]) / 100) == 26);
    // Take the second triangle out of nothing, but the first one out of the 28th cell.
    agp_doc *wide = agp_clone(doc, NULL);
    CHECK(wide && doc->cells[27].count[AGP_TRIANGLES] == 2);
    if (wide) {
        uint32_t counts[2][64], list[2][256];
        agp_content content = {.grid = &doc->grid};
        for (int kind = 0; kind < AGP_KINDS; kind++) {
            const agp_pool *pool = &doc->pools[kind];
            size_t places = 0;
            for (size_t i = 0; i < doc->cells_count; i++) {
                counts[kind][i] = 0;
                for (size_t k = 0; k < doc->cells[i].count[kind]; k++) {
                    uint32_t record = pool->list[doc->cells[i].first[kind] + k];
                    if (i == 27 && (kind == AGP_TRIANGLES ? record == 0 : record < 2)) continue;
                    list[kind][places++] = record;
                    counts[kind][i]++;
                }
            }
            content.counts[kind] = counts[kind];
            content.list[kind] = list[kind];
            content.places[kind] = places;
            content.records_count[kind] = pool->count;
            uint8_t *records =
                kart_alloc(&ctx, pool->count * agp_record_size((agp_kind)kind), NULL);
            for (size_t i = 0; i < pool->count; i++)
                memcpy(records + i * agp_record_size((agp_kind)kind),
                       agp_record_at(doc, (agp_kind)kind, i), agp_record_size((agp_kind)kind));
            content.records[kind] = records;
        }
        agp_doc *narrow = agp_layout(&ctx, &content, NULL);
        agp_doc *again = narrow ? agp_clone(narrow, NULL) : NULL;
        CHECK(again && !same_bytes(narrow, doc) && agp_rebuild(again, NULL, NULL));
        CHECK(again && same_bytes(again, narrow));
        agp_free(again);
        agp_free(narrow);
        for (int kind = 0; kind < AGP_KINDS; kind++) {
            uint8_t *records;
            memcpy(&records, &content.records[kind], sizeof records);
            kart_free(&ctx, records, content.records_count[kind] * agp_record_size((agp_kind)kind));
        }
    }
    CHECK(agp_rebuild(doc, NULL, NULL) && wide && same_bytes(doc, wide));
    agp_free(wide);
    done(doc);
}

// The same bytes on every compiler. A change of the builder that means to change them changes this.
TEST(the_bytes_of_a_course_are_what_they_were) {
    agp_doc *doc = course(20);
    kart_affine turn = kart_affine_rotation((kart_vec3){0, 1, 0}, 90);
    uint64_t hash[2] = {0, 0};
    for (int i = 0; doc && i < 2; i++) {
        hash[i] = 0xCBF29CE484222325u;
        for (size_t k = 0; k < doc->size; k++) hash[i] = (hash[i] ^ doc->data[k]) * 0x100000001B3u;
        CHECK(agp_transform(doc, &turn, false, NULL));
    }
    CHECK(hash[0] == UINT64_C(0xB9F2D150F47A89DA));
    CHECK(hash[1] == UINT64_C(0x7F108EAECC388014));
    done(doc);
}

// --- what the game finds ----------------------------------------------------------------------

// Is the point over the triangle, by areas in doubles: 1 inside, 0 outside, -1 too near to tell?
static int is_over(const agp_triangle *t, double x, double z) {
    int inside = 1;
    for (int i = 0; i < 3; i++) {
        const float *a = t->corner[i], *b = t->corner[(i + 1) % 3];
        double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
        double off = (ez * (x - (double)a[0]) - ex * (z - (double)a[2])) / hypot(ex, ez);
        if (off < -0.01) return 0;
        if (off < 0.01) inside = -1;
    }
    return inside;
}

// What lookups find must be what all triangles together give, without any grid.
static void ground_check(const agp_doc *doc, float x, float z, size_t *near_edges) {
    size_t at = 0, count = doc->pools[AGP_TRIANGLES].count;
    agp_ground ground;
    bool more = agp_ground_next(doc, x, z, &at, &ground);
    bool is_in_grid = agp_cell_of(&doc->grid, x, z) != SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        agp_triangle t = agp_triangle_get(doc, i);
        int over = is_over(&t, (double)x, (double)z);
        bool found = more && ground.triangle == i;
        *near_edges += over < 0;
        if (!is_in_grid) over = 0;
        if (over >= 0 && found != (over == 1)) CHECK(found == (over == 1));
        if (!found) continue;
        double plane = 0;
        kart_vec3 c[3];
        agp_corners(&t, c);
        kart_vec3 n = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
        plane = c[0].y - (n.x * ((double)x - c[0].x) + n.z * ((double)z - c[0].z)) / n.y;
        if (fabs(plane - (double)ground.height) > 0.01)
            CHECK_NEAR((double)ground.height, plane, 0.01);
        more = agp_ground_next(doc, x, z, &at, &ground);
    }
    if (more) CHECK(!more);
}

TEST(ground_is_what_all_triangles_give) {
    agp_doc *doc = course(8);
    uint32_t state = 7;
    size_t near_edges = 0;
    float width = doc->grid.max[0] - doc->grid.min[0], depth = doc->grid.max[1] - doc->grid.min[1];
    for (size_t i = 0; doc && i < 100000; i++) {
        float x = doc->grid.min[0] + width * ((float)(arcade_draw(&state) % 100100) / 1e5f);
        float z = doc->grid.min[1] + depth * ((float)(arcade_draw(&state) % 100100) / 1e5f);
        // A third of them on the lines between cells, or a step of a float beside.
        if (i % 3 == 0)
            x = (float)(arcade_draw(&state) % (doc->grid.width + 1)) * 100 - doc->grid.origin[0];
        if (i % 9 < 3)
            z = (float)(arcade_draw(&state) % (doc->grid.length + 1)) * 100 - doc->grid.origin[1];
        if (i % 6 == 0) x = nextafterf(x, i % 12 == 0 ? -INFINITY : INFINITY);
        ground_check(doc, x, z, &near_edges);
    }
    CHECK(near_edges > 0 && near_edges < 400000);
    done(doc);
}

// The same with the game's own arithmetic, which has an answer on edges, too: then a point that the
// test of some triangle takes is found, exactly.
TEST(ground_on_edges_and_lines_is_exact) {
    agp_doc *doc = course(10);
    uint32_t state = 99;
    size_t count = doc->pools[AGP_TRIANGLES].count, hits = 0;
    for (size_t i = 0; i < 20000; i++) {
        // A place on an edge, or the corner itself.
        agp_triangle t = agp_triangle_get(doc, arcade_draw(&state) % count);
        const float *a = t.corner[i % 3], *b = t.corner[(i + 1) % 3];
        float along = i % 5 == 0 ? 0 : (float)(arcade_draw(&state) % 1024) / 1024;
        float x = a[0] + along * (b[0] - a[0]), z = a[2] + along * (b[2] - a[2]);
        if (agp_cell_of(&doc->grid, x, z) == SIZE_MAX) continue;
        size_t at = 0;
        agp_ground ground = {0};
        bool more = agp_ground_next(doc, x, z, &at, &ground);
        for (size_t k = 0; k < count; k++) {
            agp_triangle o = agp_triangle_get(doc, k);
            bool over = x >= o.min[0] && x <= o.max[0] && z >= o.min[1] && z <= o.max[1];
            for (int e = 0; e < 3; e++) {
                float one = o.edge[e][0] * (z - o.corner[e][2]);
                float other = o.edge[e][2] * (x - o.corner[e][0]);
                over = over && one - other <= 0;
            }
            if (over != (more && ground.triangle == k))
                CHECK(over == (more && ground.triangle == k));
            if (!over || !more) continue;
            hits++;
            more = agp_ground_next(doc, x, z, &at, &ground);
        }
    }
    CHECK(hits > 15000);
    done(doc);
}

TEST(the_ground_below_is_the_highest_that_is_not_above) {
    agp_doc *doc = course(8);
    agp_ground ground;
    // Over the middle there is a bridge 100 units up.
    float x = -431 + 37.5f * 2.25f, z = 77.7f + 37.5f * 4.5f;
    CHECK(agp_ground_below(doc, x, 500, z, &ground) && ground.height >= 100);
    CHECK(agp_ground_below(doc, x, 60, z, &ground) && ground.height < 20);
    CHECK(!agp_ground_below(doc, x, -1, z, &ground) &&
          !agp_ground_below(doc, 1e9f, 500, z, &ground));
    done(doc);
}

TEST(walls_near_a_point_are_those_of_its_cell) {
    agp_doc *doc = course(8);
    uint32_t state = 5;
    size_t found = 0;
    for (size_t i = 0; i < 2000; i++) {
        double x = -431 + (double)(arcade_draw(&state) % 3000) / 10;
        double z = 77.7 + (double)(arcade_draw(&state) % 3000) / 10;
        size_t cell = agp_cell_of(&doc->grid, (float)x, (float)z);
        agp_near near;
        size_t at = 0;
        bool more = agp_near_next(doc, x, z, 25, &at, &near);
        for (size_t k = 0; k < doc->cells[cell].count[AGP_WALLS]; k++) {
            size_t wall = doc->pools[AGP_WALLS].list[doc->cells[cell].first[AGP_WALLS] + k];
            agp_wall w = agp_wall_get(doc, wall);
            double best = HUGE_VAL; // by trying many places of it
            for (int s = 0; s <= 200; s++) {
                double t = s / 200.0;
                best = fmin(best,
                            hypot(x - ((1 - t) * (double)w.end[0][0] + t * (double)w.end[1][0]),
                                  z - ((1 - t) * (double)w.end[0][1] + t * (double)w.end[1][1])));
            }
            if (fabs(best - 25) < 0.2) {
                if (more && near.wall == wall) more = agp_near_next(doc, x, z, 25, &at, &near);
                continue;
            }
            bool is = more && near.wall == wall;
            if (is != (best < 25)) CHECK(is == (best < 25));
            if (!is) continue;
            found++;
            CHECK_NEAR(near.distance, best, 0.2);
            more = agp_near_next(doc, x, z, 25, &at, &near);
        }
        CHECK(!more);
    }
    CHECK(found > 500);
    done(doc);
}

// --- memory -----------------------------------------------------------------------------------

static bool live(kart_ctx *c, const arcade *a, kart_error *error) {
    const agp_build_input input = {(const kart_vec3(*)[3])a->corners, a->flags, a->count};
    const agp_rebuild_options compute = {.walls = AGP_WALLS_COMPUTE};
    kart_affine turn = kart_affine_rotation((kart_vec3){0, 1, 0}, 30);
    agp_build_report report;
    size_t left_out;
    kart_findings findings = {0};
    agp_doc *doc = agp_build(c, &input, NULL, &report, error);
    kart_free(c, report.faults, a->count * sizeof *report.faults);
    kart_mesh *mesh = doc ? agp_mesh(doc, &left_out, error) : NULL;
    bool good = mesh && agp_transform(doc, &turn, false, error) &&
                agp_rebuild(doc, &compute, error) && agp_check(doc, &findings, error);
    kart_findings_free(c, &findings);
    kart_mesh_free(mesh);
    agp_free(doc);
    return good;
}

TEST(running_out_of_memory_is_an_error_and_leaves_nothing) {
    arcade a = arcade_make(3);
    for (size_t left = 0;; left++) {
        test_heap heap;
        kart_ctx failing;
        kart_error error = {0};
        test_heap_init(&heap, &failing, left);
        bool good = live(&failing, &a, &error);
        CHECK(heap.blocks == 0 && failing.used == 0);
        if (good) break;
        if (error.code != KART_MEMORY) CHECK(error.code == KART_MEMORY);
        if (!CHECK(left < 5000)) break;
    }
    arcade_free(&a);
}

static const test_case cases[] = {
    CASE(an_order_agrees_with_every_list),
    CASE(an_order_is_found_where_lists_disagree),
    CASE(the_order_of_a_model_comes_back_from_its_lists),
    CASE(an_edit_reaches_every_place),
    CASE(a_triangle_that_a_cell_lists_twice_is_two),
    CASE(records_that_share_bytes_are_told_apart_before_an_edit),
    CASE(what_cannot_stand_in_a_file_is_named_or_dropped),
    CASE(zeros_of_either_sign_are_one_place),
    CASE(edges_of_three_triangles_are_shared),
    CASE(the_far_border_is_in_the_last_cells),
    CASE(too_many_cells_are_an_error),
    CASE(an_empty_document_stays_one),
    CASE(a_file_binned_in_doubles_comes_back),
    CASE(the_bytes_of_a_course_are_what_they_were),
    CASE(ground_is_what_all_triangles_give),
    CASE(ground_on_edges_and_lines_is_exact),
    CASE(the_ground_below_is_the_highest_that_is_not_above),
    CASE(walls_near_a_point_are_those_of_its_cell),
    CASE(running_out_of_memory_is_an_error_and_leaves_nothing),
};

void test_agp(void) { TEST_RUN(cases); }
