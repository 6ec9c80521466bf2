// Meshes: welding, dropping, picking, counting, and names that say flags.
#include "collision.h"
#include "core/grid.h"
#include "core/keys.h"
#include "core/mesh.h"
#include "core/ply.h"
#include "test.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kart_ctx ctx;

static kart_mesh *mesh_new(void) {
    kart_ctx_init(&ctx);
    return kart_mesh_new(&ctx, "mkw", NULL);
}

static void mesh_done(kart_mesh *mesh) {
    kart_mesh_free(mesh);
    CHECK(ctx.used == 0);
}

static void position(kart_mesh *mesh, double x, double y, double z) {
    CHECK(kart_mesh_add_position(mesh, (kart_vec3){x, y, z}, NULL));
}

static void triangle(kart_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t flag) {
    kart_triangle t = {{a, b, c}, flag, KART_NO_NAME, KART_NO_NAME};
    CHECK(kart_mesh_add_triangle(mesh, t, NULL));
}

static double draw(uint32_t *seed) { return (double)(collision_draw(seed) % 2000) / 100 - 10; }

// Loose triangles of random corners, many of which are near each other.
static kart_mesh *cloud(size_t count, uint32_t seed) {
    kart_mesh *mesh = mesh_new();
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) position(mesh, draw(&seed), draw(&seed) / 10, draw(&seed));
        triangle(mesh, 3 * i, 3 * i + 1, 3 * i + 2, i % 5);
    }
    return mesh;
}

// --- finding ----------------------------------------------------------------------------------

static uint32_t nearest_by_hand(const kart_vec3 *points, size_t count, kart_vec3 at,
                                double tolerance) {
    uint32_t best = KART_NO_POINT;
    double square = tolerance * tolerance;
    for (uint32_t i = 0; i < count; i++) {
        kart_vec3 d = vec3_sub(points[i], at);
        double found = vec3_dot(d, d);
        if (found < square || (found == square && best == KART_NO_POINT)) {
            best = i;
            square = found;
        }
    }
    return best;
}

TEST(grids_find_what_a_search_of_all_points_finds) {
    static kart_vec3 points[3000];
    uint32_t seed = 3;
    kart_ctx_init(&ctx);
    for (size_t i = 0; i < 3000; i++)
        points[i] = (kart_vec3){draw(&seed), draw(&seed) / 10, draw(&seed)};
    static const double tolerances[] = {0, 0.01, 0.3, 2, 50};
    for (size_t k = 0; k < 5; k++) {
        kart_grid grid;
        double distance;
        CHECK(kart_grid_init(&ctx, &grid, points, 2000, tolerances[k], NULL));
        for (uint32_t i = 0; i < 2000; i++) kart_grid_add(&grid, i);
        size_t found = 0;
        for (size_t i = 1000; i < 3000; i++) {
            uint32_t near = kart_grid_nearest(&grid, points[i], &distance);
            CHECK(near == nearest_by_hand(points, 2000, points[i], tolerances[k]));
            found += near != KART_NO_POINT;
        }
        CHECK(found >= 1000);
        kart_grid_free(&ctx, &grid);
    }
    CHECK(ctx.used == 0);
}

TEST(grids_take_any_number) {
    const kart_vec3 points[] = {{0, 0, 0},
                                {(double)FLT_MAX, -(double)FLT_MAX, 1e30},
                                {1e-300, -1e-300, 0},
                                {-0.0, 0, -0.0}};
    kart_grid grid;
    double distance;
    kart_ctx_init(&ctx);
    CHECK(kart_grid_init(&ctx, &grid, points, 4, 0, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t before = kart_grid_nearest(&grid, points[i], &distance);
        CHECK(i == 3 ? before == 0 : before == KART_NO_POINT); // zeros of either sign are equal
        kart_grid_add(&grid, i);
        CHECK(kart_grid_nearest(&grid, points[i], &distance) == (i == 3 ? 0 : i));
    }
    kart_grid_free(&ctx, &grid);
    CHECK(kart_grid_init(&ctx, &grid, points, 4, 1e-9, NULL));
    kart_grid_add(&grid, 1);
    CHECK(kart_grid_nearest(&grid, points[1], &distance) == 1);
    kart_grid_free(&ctx, &grid);
    CHECK(ctx.used == 0);
}

TEST(keys_and_names_keep_their_numbers) {
    kart_keys keys = {0};
    kart_names names = {0};
    kart_ctx_init(&ctx);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            uint32_t number;
            char text[16];
            CHECK(kart_keys_add(&ctx, &keys, (kart_key){{i % 7, i, 0, i * 65536}}, &number, NULL));
            CHECK(number == i);
            int length = snprintf(text, sizeof text, "n%u", i);
            CHECK(kart_names_add(&ctx, &names, text, (size_t)length, &number, NULL));
            CHECK(number == i && strcmp(kart_names_get(&names, i), text) == 0);
        }
    CHECK(keys.count == 5000 && names.count == 5000);
    CHECK(kart_names_find(&names, "n12", 2) == 1 &&
          kart_names_find(&names, "m", 1) == KART_NO_NAME);
    kart_keys_free(&ctx, &keys);
    kart_names_free(&ctx, &names);
    CHECK(ctx.used == 0);
}

// --- welding ----------------------------------------------------------------------------------

TEST(welding_moves_nothing_far_and_keeps_nothing_close) {
    static const double tolerances[] = {0, 0.02, 0.5, 3};
    for (size_t k = 0; k < 4; k++) {
        kart_mesh *mesh = cloud(400, (uint32_t)k), *before = kart_mesh_clone(mesh, NULL);
        size_t joined = 0, tolerated = 0;
        CHECK(before && kart_mesh_weld(mesh, tolerances[k], &joined, NULL));
        CHECK(mesh->positions_count + joined == before->positions_count);
        CHECK(joined > 0 || tolerances[k] < 0.5);
        for (size_t i = 0; i < mesh->triangles_count; i++) {
            kart_vec3 a[3], b[3];
            kart_mesh_corners(before, i, a);
            kart_mesh_corners(mesh, i, b);
            for (int c = 0; c < 3; c++)
                tolerated += vec3_length(vec3_sub(a[c], b[c])) <= tolerances[k];
        }
        CHECK(tolerated == 3 * mesh->triangles_count);
        for (size_t i = 0; i < mesh->positions_count; i++)
            for (size_t j = 0; j < i; j++) {
                kart_vec3 apart = vec3_sub(mesh->positions[i], mesh->positions[j]);
                CHECK(vec3_length(apart) > tolerances[k]);
            }
        kart_mesh_free(before);
        mesh_done(mesh);
    }
}

TEST(welding_joins_to_the_nearest_kept_position) {
    kart_mesh *mesh = mesh_new();
    size_t joined;
    position(mesh, 0, 0, 0);
    position(mesh, 1.5, 0, 0);  // kept: too far from the first one
    position(mesh, 0.9, 0, 0);  // near to both, nearer to the second
    position(mesh, 0.75, 0, 0); // as near to both: the first
    triangle(mesh, 0, 1, 2, 0);
    triangle(mesh, 3, 1, 2, 0);
    CHECK(kart_mesh_weld(mesh, 1, &joined, NULL) && joined == 2);
    CHECK(mesh->triangles[0].corner[2] == 1 && mesh->triangles[1].corner[0] == 0);
    CHECK(mesh->positions[1].x == 1.5);
    mesh_done(mesh);
}

// --- dropping and picking -----------------------------------------------------------------------

static kart_mesh *odd_mesh(void) {
    kart_mesh *mesh = mesh_new();
    position(mesh, 0, 0, 0);
    position(mesh, 0, 0, 1);
    position(mesh, 1, 0, 0);
    position(mesh, 2, 0, 0);
    position(mesh, 0, 0, -0.0); // the first one once more
    triangle(mesh, 0, 1, 2, 1);
    triangle(mesh, 1, 2, 4, 1);            // the same, starting elsewhere
    triangle(mesh, 0, 2, 1, 1);            // its back
    triangle(mesh, 2, 0, 1, 2);            // another flag
    triangle(mesh, 0, 4, 2, 1);            // two equal corners
    triangle(mesh, 0, 2, 3, KART_NO_FLAG); // on a line
    return mesh;
}

TEST(duplicates_have_the_same_corners_sense_and_flag) {
    kart_mesh *mesh = odd_mesh();
    size_t dropped;
    kart_mesh_stats stats;
    CHECK(kart_mesh_stats_get(mesh, &stats, NULL));
    CHECK(stats.duplicates == 1 && stats.degenerate == 2 && stats.unflagged == 1);
    CHECK(stats.positions == 5 && stats.distinct == 4 && stats.unused == 0);
    CHECK(kart_mesh_drop_duplicates(mesh, &dropped, NULL) && dropped == 1);
    CHECK(mesh->triangles_count == 5 && mesh->triangles[1].corner[1] == 2);
    CHECK(kart_mesh_drop_degenerate(mesh, 0, &dropped, NULL) && dropped == 2);
    CHECK(mesh->triangles_count == 3 && mesh->triangles[2].flag == 2);
    CHECK(kart_mesh_drop_degenerate(mesh, 0.5, &dropped, NULL) && dropped == 3);
    mesh_done(mesh);
}

TEST(picking_keeps_order_and_the_positions_that_are_used) {
    kart_mesh *mesh = odd_mesh();
    uint32_t number;
    CHECK(kart_names_add(&ctx, &mesh->materials, "a", 1, &number, NULL));
    CHECK(kart_names_add(&ctx, &mesh->materials, "b", 1, &number, NULL));
    CHECK(kart_mesh_set_colour(mesh, 1, (kart_colour){1, 0.5f, 0}, NULL));
    mesh->triangles[5].material = 1;
    const uint8_t chosen[] = {0, 0, 0, 0, 0, 1};
    kart_mesh *picked = kart_mesh_pick(mesh, chosen, NULL);
    if (CHECK(picked)) {
        CHECK(picked->triangles_count == 1 && picked->positions_count == 3);
        CHECK(picked->positions[2].x == 2 && picked->triangles[0].flag == KART_NO_FLAG);
        CHECK_TEXT(kart_names_get(&picked->materials, picked->triangles[0].material), "b");
        CHECK(kart_mesh_colour(picked, 0).green == 0.5f);
    }
    kart_mesh_free(picked);
    mesh_done(mesh);
}

TEST(merging_puts_behind_even_a_mesh_behind_itself) {
    kart_mesh *mesh = odd_mesh(), *other = kart_mesh_clone(mesh, NULL);
    uint32_t number;
    if (!CHECK(other)) return;
    CHECK(kart_names_add(&ctx, &other->materials, "new", 3, &number, NULL));
    other->triangles[0].material = 0;
    CHECK(kart_mesh_merge(mesh, other, NULL) && mesh->triangles_count == 12);
    CHECK(mesh->triangles[6].material == 0 && mesh->triangles[7].material == KART_NO_NAME);
    CHECK(kart_mesh_merge(mesh, mesh, NULL) && mesh->triangles_count == 24);
    for (size_t i = 0; i < 24; i++) {
        kart_vec3 a[3], b[3];
        kart_mesh_corners(mesh, i, a);
        kart_mesh_corners(mesh, i % 6, b);
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
    kart_mesh_free(other);
    mesh_done(mesh);
}

// --- changing ---------------------------------------------------------------------------------

TEST(maps_that_reflect_keep_the_side) {
    kart_mesh *mesh = odd_mesh();
    kart_affine map = kart_affine_mirror(0, 3);
    kart_error error = {0};
    kart_vec3 c[3];
    CHECK(kart_mesh_transform(mesh, &map, NULL));
    kart_mesh_corners(mesh, 0, c);
    kart_vec3 up = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    CHECK(c[0].x == 6 && up.y > 0);
    kart_mesh_flip(mesh, NULL);
    kart_mesh_corners(mesh, 0, c);
    CHECK(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])).y < 0);
    map = kart_affine_scale((kart_vec3){1e38, 1, 1});
    CHECK(!kart_mesh_transform(mesh, &map, &error) && error.code == KART_LIMIT);
    CHECK(mesh->positions[0].x == 6); // as it was
    map.m[1][1] = (double)NAN;
    CHECK(!kart_mesh_transform(mesh, &map, &error) && error.code == KART_UNSUPPORTED);
    mesh_done(mesh);
}

TEST(edges_are_counted_as_by_hand) {
    // A square of two triangles with a third one on its diagonal: Euler and a look.
    kart_mesh *mesh = mesh_new();
    kart_mesh_stats stats;
    position(mesh, 0, 0, 0);
    position(mesh, 0, 0, 1);
    position(mesh, 1, 0, 1);
    position(mesh, 1, 0, 0);
    position(mesh, 0.5, 1, 0.5);
    triangle(mesh, 0, 1, 2, 0);
    triangle(mesh, 0, 2, 3, 0);
    CHECK(kart_mesh_stats_get(mesh, &stats, NULL));
    CHECK(stats.edges == 5 && stats.open_edges == 4 && stats.crowded == 0 && stats.unused == 1);
    CHECK_NEAR(stats.area, 1, 1e-15);
    triangle(mesh, 2, 0, 4, 0);
    CHECK(kart_mesh_stats_get(mesh, &stats, NULL));
    CHECK(stats.edges == 7 && stats.open_edges == 6 && stats.crowded == 1 && stats.unused == 0);
    mesh_done(mesh);
}

TEST(flags_follow_tables_and_materials) {
    static uint16_t map[65536];
    kart_mesh *mesh = odd_mesh();
    uint32_t number;
    for (uint32_t i = 0; i < 65536; i++) map[i] = (uint16_t)(i == 1 ? 0x2020 : i);
    CHECK(kart_names_add(&ctx, &mesh->materials, "m", 1, &number, NULL));
    mesh->triangles[0].material = mesh->triangles[3].material = 0;
    CHECK(kart_mesh_map_flags(mesh, map) == 4);
    CHECK(mesh->triangles[0].flag == 0x2020 && mesh->triangles[0].material == KART_NO_NAME);
    CHECK(mesh->triangles[3].flag == 2 && mesh->triangles[3].material == 0);
    CHECK(mesh->triangles[5].flag == KART_NO_FLAG);
    const uint32_t flags[] = {7, 9};
    CHECK(kart_mesh_tag(mesh, flags) == 6);
    CHECK(mesh->triangles[3].flag == 7 && mesh->triangles[3].material == 0);
    CHECK(mesh->triangles[5].flag == 9);
    mesh_done(mesh);
}

// --- names ------------------------------------------------------------------------------------

TEST(names_say_flags) {
    static const struct {
        const char *name;
        uint32_t flag;
        const char *stem;
    } rows[] = {
        {"COL_0C", 0x0C, ""},
        {"col_802c", 0x802C, ""},
        {"COL_0", 0, ""},
        {"COL_12345", KART_NO_FLAG, "COL_12345"},
        {"COLD_0C", KART_NO_FLAG, "COLD_0C"},
        {"ground_F0020", 0x20, "ground"},
        {"ground_f0020", 0x20, "ground"},
        {"Road_00_F2020.001", 0x2020, "Road_00"},
        {"ROAD_00_F0000_ROAD_00_F0000", 0, "ROAD_00_F0000_ROAD_00"},
        {"_F0001", 1, ""},
        {"wall_FABCD", 0xABCD, "wall"},
        {"grass_faded", KART_NO_FLAG, "grass_faded"},
        {"Rock_Faced", KART_NO_FLAG, "Rock_Faced"},
        {"wall_0C_001", 0x2C, "wall"},
        {"wall_1f_7ff", 0xFFFF, "wall"},
        {"wall_20_001", KART_NO_FLAG, "wall_20_001"},
        {"wall_0C_800", KART_NO_FLAG, "wall_0C_800"},
        {"ground_0020", 0x20, "ground"},
        {"rock_face", KART_NO_FLAG, "rock_face"},
        {"rock_fac3", 0xFAC3, "rock"},
        {"grass", KART_NO_FLAG, "grass"},
        {"", KART_NO_FLAG, ""},
        {"0020", KART_NO_FLAG, "0020"},
        {"Mesh1 road_F0001 Model", 1, "Mesh1 road"},
        {"my road _0002", 2, "my road"},
        {"two_F0001 words_F0002", 2, "two_F0001 words"},
        {"grass.12", KART_NO_FLAG, "grass.12"},
        {"grass_0020.12", KART_NO_FLAG, "grass_0020.12"},
        {"grass_F0x20", KART_NO_FLAG, "grass_F0x20"},
        {"grass_F-020", KART_NO_FLAG, "grass_F-020"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char stem[64];
        snprintf(stem, sizeof stem, "%.*s", (int)kart_flag_name_stem(rows[i].name), rows[i].name);
        if (!CHECK(kart_flag_of_name(rows[i].name) == rows[i].flag)) puts(rows[i].name);
        CHECK_TEXT(stem, rows[i].stem);
    }
}

TEST(memory_runs_out_without_a_trace) {
    for (size_t left = 0;; left++) {
        test_heap heap;
        kart_error error = {0};
        kart_mesh *picked = NULL, *copy = NULL;
        kart_mesh_stats stats;
        size_t count, size = 0;
        uint32_t number;
        uint8_t *ply = NULL;
        static const uint8_t chosen[30] = {1, 1, 0, 1};
        test_heap_init(&heap, &ctx, left);
        kart_mesh *mesh = kart_mesh_new(&ctx, "mkw", &error);
        bool done = mesh != NULL;
        for (uint32_t i = 0; done && i < 30; i++)
            done = kart_mesh_add_position(mesh, (kart_vec3){i, i % 3, 0}, &error) &&
                   kart_names_add(&ctx, &mesh->materials, &"abcdefgh"[i % 8], 1, &number, &error) &&
                   kart_mesh_add_triangle(
                       mesh, (kart_triangle){{0, i / 2, i}, i, i % 8, KART_NO_NAME}, &error);
        done = done && kart_mesh_set_colour(mesh, 3, (kart_colour){1, 1, 1}, &error) &&
               (copy = kart_mesh_clone(mesh, &error)) &&
               (picked = kart_mesh_pick(mesh, chosen, &error)) &&
               kart_mesh_merge(mesh, copy, &error) && kart_mesh_weld(mesh, 0.5, &count, &error) &&
               kart_mesh_drop_duplicates(mesh, &count, &error) &&
               kart_mesh_stats_get(mesh, &stats, &error) &&
               (ply = kart_ply_write(mesh, &size, &error));
        kart_free(&ctx, ply, size);
        kart_mesh_free(picked);
        kart_mesh_free(copy);
        kart_mesh_free(mesh);
        CHECK(ctx.used == 0 && heap.blocks == 0);
        if (done) break;
        if (!CHECK(error.code == KART_MEMORY)) break;
    }
}

static const test_case cases[] = {
    CASE(grids_find_what_a_search_of_all_points_finds),
    CASE(grids_take_any_number),
    CASE(keys_and_names_keep_their_numbers),
    CASE(welding_moves_nothing_far_and_keeps_nothing_close),
    CASE(welding_joins_to_the_nearest_kept_position),
    CASE(duplicates_have_the_same_corners_sense_and_flag),
    CASE(picking_keeps_order_and_the_positions_that_are_used),
    CASE(merging_puts_behind_even_a_mesh_behind_itself),
    CASE(maps_that_reflect_keep_the_side),
    CASE(edges_are_counted_as_by_hand),
    CASE(flags_follow_tables_and_materials),
    CASE(names_say_flags),
    CASE(memory_runs_out_without_a_trace),
};

void test_mesh(void) { TEST_RUN(cases); }
