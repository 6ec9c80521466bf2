// Triangle meshes: what goes to modelling programs and comes back, and what builders of collision
// take. Positions are doubles: as floats, rebuilt corners of real collision come out up to 13 units
// wrong.
//
// Every corner names a position that there is, and every position is finite and within the range of
// floats; what reads or changes a mesh keeps it so. Seen from the side that collides, corners run
// counter-clockwise. Indices count from 0 here; only Lua counts from 1.
#ifndef KART_MESH_H
#define KART_MESH_H

#include "core/affine.h"
#include "core/finding.h"
#include "core/names.h"

// Most positions and triangles of a mesh.
#define KART_MESH_LIMIT ((size_t)1 << 28)

#define KART_NO_FLAG UINT32_MAX

typedef struct kart_triangle {
    uint32_t corner[3]; // positions
    uint32_t flag;      // what kind of surface it is, by the mesh's game; KART_NO_FLAG: not known
    uint32_t material;  // in `materials`, or KART_NO_NAME
    uint32_t part;      // in `parts`: an object or group; or KART_NO_NAME
} kart_triangle;

typedef struct kart_colour {
    float red, green, blue; // 0 to 1; red is NaN where there is none
} kart_colour;

// How triangles of a flag look where their material doesn't say it.
typedef struct kart_surface {
    uint32_t flag;
    uint32_t name; // in `surface_names`: what names of materials begin with
    kart_colour colour;
} kart_surface;

typedef struct kart_mesh {
    kart_ctx *ctx;
    char game[8]; // whose flags they are: "mkw"
    kart_vec3 *positions;
    size_t positions_count, positions_capacity;
    kart_triangle *triangles;
    size_t triangles_count, triangles_capacity;
    kart_names materials, parts;
    kart_colour *colours; // of materials, as many as `colours_count`; later ones have none
    size_t colours_count;
    kart_surface *surfaces; // ascending by flag
    size_t surfaces_count, surfaces_capacity;
    kart_names surface_names;
    kart_names libraries; // of materials, by the OBJ that it was read from; not copied
    kart_findings warnings;
    struct kart_tree *tree; // over the triangles, once one was made; else NULL. Shared by clones
} kart_mesh;

// --- life (mesh.c) ----------------------------------------------------------------------------

// An empty mesh. `game`: at most 7 letters. NULL with error memory or limit.
kart_mesh *kart_mesh_new(kart_ctx *ctx, const char *game, kart_error *error);
kart_mesh *kart_mesh_clone(const kart_mesh *mesh, kart_error *error);
void kart_mesh_free(kart_mesh *mesh); // NULL is ignored
size_t kart_mesh_memory(const kart_mesh *mesh);

// Give back memory that is held for growing. Never fails.
void kart_mesh_fit(kart_mesh *mesh);

// --- building ---------------------------------------------------------------------------------

bool kart_position_valid(kart_vec3 position);

// `position` must be valid, corners must name positions and names what there is. False with error
// memory or limit.
bool kart_mesh_add_position(kart_mesh *mesh, kart_vec3 position, kart_error *error);
bool kart_mesh_add_triangle(kart_mesh *mesh, kart_triangle triangle, kart_error *error);

// The part of a text that can be the name of a material or part: without space around it, or a
// backslash behind it, and not "(null)", which some programs write for none.
void kart_mesh_trim_name(const char **text, size_t *length);

bool kart_mesh_set_colour(kart_mesh *mesh, uint32_t material, kart_colour colour,
                          kart_error *error);
kart_colour kart_mesh_colour(const kart_mesh *mesh, uint32_t material);

// How triangles of a flag are to be named and coloured; flags must come in ascending order.
bool kart_mesh_add_surface(kart_mesh *mesh, uint32_t flag, const char *name, kart_colour colour,
                           kart_error *error);
void kart_mesh_clear_surfaces(kart_mesh *mesh);
const kart_surface *kart_mesh_surface(const kart_mesh *mesh, uint32_t flag); // NULL: none

bool kart_mesh_warn(kart_mesh *mesh, kart_severity severity, const char *rule, kart_error *error,
                    const char *message, ...) __attribute__((format(printf, 5, 6)));

// --- triangles --------------------------------------------------------------------------------

void kart_mesh_corners(const kart_mesh *mesh, size_t triangle, kart_vec3 corner[3]);
double kart_mesh_triangle_area(const kart_mesh *mesh, size_t triangle);

// What a name says about the flag of what has it, by the conventions of modelling programs'
// exporters and of wkclt, upper or lower case:
//     COL_<hex>            COL_0C, COL_802C
//     ..._F<hex4>          ground_F0020, Road_00_F2020; without a digit in capitals only, as words
//                          like _faded are none
//     ..._F<hex8>          for flags of more than 16 bits; with a digit
//     ..._<tt>_<vvv>       wall_0C_001: type, and variant with all that is above it
//     ..._<hex4>           ground_0020; at least one digit, as words like _face are none
// A number of a copy, as in "ground_F0020.001", is not looked at. Of several words the last one
// that says something counts. KART_NO_FLAG if none does.
uint32_t kart_flag_of_name(const char *name);

// The part of a name before what says a flag, without "_" at its end.
size_t kart_flag_name_stem(const char *name);

// The flag of a triangle: what its material's name says, else what its part's does.
uint32_t kart_mesh_named_flag(const kart_mesh *mesh, uint32_t material, uint32_t part);

// --- the tree (mesh_tree.c) -------------------------------------------------------------------

// The tree over the triangles, by their indices: made at the first call, kept until positions or
// corners change. NULL with error memory, limit or cancelled.
struct kart_tree *kart_mesh_tree(kart_mesh *mesh, kart_error *error);

// What changes positions or corners past the functions below must call this.
void kart_mesh_moved(kart_mesh *mesh);

// --- changing (mesh_edit.c) -------------------------------------------------------------------

// Map all positions; a map that reflects turns the corners round, so that the same sides go on
// colliding. All or nothing. False with error unsupported (not finite), limit (a position would
// leave the range of floats), memory.
bool kart_mesh_transform(kart_mesh *mesh, const kart_affine *map, kart_error *error);

// Make one position of those that are up to `tolerance` apart. In the order of the positions, each
// one that is not within the tolerance of a kept one is kept, the others become the nearest kept
// one: so nothing moves farther than the tolerance, and kept ones are farther apart. The tolerance
// is finite and at least 0, which joins equal positions only.
bool kart_mesh_weld(kart_mesh *mesh, double tolerance, size_t *joined, kart_error *error);

// Turn triangles over. `chosen`: one byte for each triangle, NULL for all.
void kart_mesh_flip(kart_mesh *mesh, const uint8_t *chosen);

// Drop triangles with an area of at most `area`, and those with two equal corners.
bool kart_mesh_drop_degenerate(kart_mesh *mesh, double area, size_t *dropped, kart_error *error);

// Drop all but the first of triangles with the same corners (equal positions, starting anywhere, in
// the same sense) and the same flag.
bool kart_mesh_drop_duplicates(kart_mesh *mesh, size_t *dropped, kart_error *error);

// A mesh of the chosen triangles in their order, and of the positions that they use.
kart_mesh *kart_mesh_pick(const kart_mesh *mesh, const uint8_t *chosen, kart_error *error);

// Add all of another mesh behind what is there. False with error memory or limit: then the mesh is
// as it was.
bool kart_mesh_merge(kart_mesh *mesh, const kart_mesh *other, kart_error *error);

// Replace flags by a table of 65536 entries. A triangle whose flag changes loses its material,
// which stood for the old one. Returns how many changed.
size_t kart_mesh_map_flags(kart_mesh *mesh, const uint16_t map[65536]);
void kart_mesh_set_flag(kart_mesh *mesh, size_t triangle, uint32_t flag); // likewise

// Give triangles flags by their materials: `flags` has one for each material, and one more for
// triangles without; KART_NO_FLAG leaves them as they are. Returns how many had another one.
size_t kart_mesh_tag(kart_mesh *mesh, const uint32_t *flags);

// --- looking at it (mesh_stats.c) -------------------------------------------------------------

typedef struct kart_mesh_stats {
    size_t positions;    // all
    size_t distinct;     // of different places
    size_t unused;       // that no triangle names
    size_t triangles;    // all
    size_t degenerate;   // with two equal corners, or no area (at most 1e-9 square units)
    size_t duplicates;   // that kart_mesh_drop_duplicates would drop
    size_t unflagged;    // whose flag is not known
    size_t edges;        // between different places, of triangles with three different corners
    size_t open_edges;   // of one triangle only
    size_t crowded;      // of more than two
    double area;         // of all triangles
    kart_vec3 low, high; // bounds of the triangles; low > high if there are none
} kart_mesh_stats;

bool kart_mesh_stats_get(const kart_mesh *mesh, kart_mesh_stats *stats, kart_error *error);

// Bounds of the triangles; false if there are none.
bool kart_mesh_bounds(const kart_mesh *mesh, kart_vec3 *low, kart_vec3 *high);
double kart_mesh_area(const kart_mesh *mesh);

// Triangles and area by flag: 65536 entries each. Triangles without a flag are left out.
void kart_mesh_count_flags(const kart_mesh *mesh, size_t counts[65536], double areas[65536]);

// Triangles by material, of each kind as many entries as materials and one more for none: all of
// them, those whose flag isn't known, and the flag of the others: KART_NO_FLAG if there are none or
// they have several.
void kart_mesh_count_materials(const kart_mesh *mesh, size_t *counts, size_t *unflagged,
                               uint32_t *flags);

// For each position the first one of the same place. `same` has as many entries as positions.
bool kart_mesh_places(const kart_mesh *mesh, uint32_t *same, size_t *distinct, kart_error *error);

// How many triangles kart_mesh_drop_duplicates would drop; `same` as kart_mesh_places fills it.
bool kart_mesh_duplicates(const kart_mesh *mesh, const uint32_t *same, size_t *count,
                          kart_error *error);

#endif
