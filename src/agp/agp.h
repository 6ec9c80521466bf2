// The AGP document: collision of Mario Kart Arcade GP, a grid of cells that list triangles and
// walls.
//
// A document is the file's bytes and an index of what stands where in them: a file that nobody
// edited is emitted as it was, with shared lists, tails and offsets of empty lists. The file holds
// a triangle once for each cell that lists it; the document shows it once: records with the same
// bytes are one triangle, as often as one cell lists them. An edit reaches all its copies.
//
// After agp_parse succeeded, every list of every cell lies within the file, apart from header and
// cells. Offsets of empty lists are whatever they are: nobody looks at them. Indices count from 0
// here; only Lua counts from 1.
//
// Sources: [W] the community wiki's page; [S] public decompilation of GP 2; [F] measured on files
// of the game and of fans.
#ifndef AGP_H
#define AGP_H

#include "core/affine.h"
#include "core/bytes.h"
#include "core/finding.h"

#include <string.h>

#define AGP_HEADER_SIZE   0x2C
#define AGP_CELL_SIZE     0x10
#define AGP_TRIANGLE_SIZE 0x70
#define AGP_WALL_SIZE     0x20

// Largest file accepted, in bytes; most cells; and most records that cells list in all, those of
// shared lists counted for every cell. The game's own files have about 600 KB, 2,000 cells and
// 6,000 records.
#define AGP_FILE_LIMIT   ((size_t)128 << 20)
#define AGP_CELLS_LIMIT  ((size_t)1 << 20)
#define AGP_PLACES_LIMIT ((size_t)1 << 22)

// What cells list.
typedef enum agp_kind { AGP_TRIANGLES, AGP_WALLS, AGP_KINDS } agp_kind;

typedef struct agp_cell {
    uint32_t offset[AGP_KINDS]; // of the list in the file; any number where the count is 0
    uint32_t count[AGP_KINDS];
    size_t first[AGP_KINDS]; // in the pool's list
} agp_cell;

// The records of one kind, each once. Their order is one that every cell's list agrees with, as far
// as these agree with each other: so it is the order of the model that the file was made from, or
// one that gives the same lists.
typedef struct agp_pool {
    size_t count;
    size_t places;     // records that cells list, one for each cell and record
    uint32_t *list;    // of each place, cell by cell: which record
    uint32_t *starts;  // of each record, and behind the last: where in `offsets` it begins
    uint32_t *offsets; // of each record all its places in the file
} agp_pool;

// The grid over x and z. A cell is named z * width + x; the cell of a point is found as the game
// does it, see agp_cell_of.
typedef struct agp_grid {
    uint32_t width, length; // cells along x and along z
    float cell[2];          // their size along x and z
    float min[2], max[2];   // bounds of the triangles; the game doesn't look at them [F]
    float origin[2];        // what is added to a point: -min [F]
} agp_grid;

typedef struct agp_doc {
    kart_ctx *ctx;
    uint8_t *data;
    size_t size;
    agp_grid grid;
    size_t cells_offset, cells_count;
    agp_cell *cells;
    agp_pool pools[AGP_KINDS];
    bool overlaps;          // records share bytes: before an edit the file is laid out anew
    struct kart_tree *tree; // over the triangles, once one was made (agp/mesh.h); else NULL
    kart_findings warnings;
} agp_doc;

// --- life (parse.c, doc.c) --------------------------------------------------------------------

// Is it an AGP? There is no magic: the header must be plausible, and either the file ends with its
// cells, or the grid's origin fits its bounds.
bool agp_detect(const uint8_t *data, size_t size);

// Parse `size` bytes, which are copied. NULL with error format, limit, memory or cancelled. What is
// odd is a warning.
agp_doc *agp_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kart_error *error);
agp_doc *agp_clone(const agp_doc *doc, kart_error *error);
void agp_free(agp_doc *doc); // NULL is ignored
size_t agp_memory(const agp_doc *doc);

// The file's bytes, freed with kart_free(ctx, bytes, size). NULL with error memory or limit.
uint8_t *agp_serialize(const agp_doc *doc, size_t *size, kart_error *error);

// The document takes over all of another one, which was laid out anew, but for its warnings: these
// are added to its own, less those about the layout. That one gets what it had. False with error
// memory or limit: nothing is exchanged then.
bool agp_take(agp_doc *doc, agp_doc *fresh, kart_error *error);

// Add a warning. `section`: "triangles", "walls", "cells" with an index, else "" and
// KART_NO_INDEX.
bool agp_warn(agp_doc *doc, kart_severity severity, const char *rule, const char *section,
              size_t index, const char *field, kart_error *error, const char *message, ...)
    __attribute__((format(printf, 8, 9)));

// --- records ----------------------------------------------------------------------------------

// Edge i runs from corner i to corner i + 1.
typedef struct agp_triangle {
    float min[2], max[2];      // x and z of its bounding box
    float corner[3][3];        // counter-clockwise seen from above
    float edge[3][3];          // unit directions of the edges; some files have them flat, y 0
    uint32_t open;             // bit i: edge i has no neighbour, and makes a wall
    uint32_t flag;             // what kind of surface it is
    float normal[3], distance; // normal . p + distance is 0 on the plane
} agp_triangle;

typedef struct agp_wall {
    float min[2], max[2]; // x and z of its bounding box
    float end[2][2];      // x and z of its two ends
} agp_wall;

static inline size_t agp_record_size(agp_kind kind) {
    return kind == AGP_TRIANGLES ? AGP_TRIANGLE_SIZE : AGP_WALL_SIZE;
}

// Where a record stands first.
static inline const uint8_t *agp_record_at(const agp_doc *doc, agp_kind kind, size_t index) {
    const agp_pool *pool = &doc->pools[kind];
    return doc->data + pool->offsets[pool->starts[index]];
}

// The corners alone, which is what most ask for.
void agp_corners_load(const uint8_t *record, float corner[3][3]);
agp_triangle agp_triangle_load(const uint8_t *record);
void agp_triangle_store(uint8_t *record, const agp_triangle *t);
agp_wall agp_wall_load(const uint8_t *record);
void agp_wall_store(uint8_t *record, const agp_wall *wall);

static inline agp_triangle agp_triangle_get(const agp_doc *doc, size_t index) {
    return agp_triangle_load(agp_record_at(doc, AGP_TRIANGLES, index));
}
static inline agp_wall agp_wall_get(const agp_doc *doc, size_t index) {
    return agp_wall_load(agp_record_at(doc, AGP_WALLS, index));
}

// A corner's x (axis 0) or z (axis 1).
static inline float agp_along(const float corner[3], int axis) { return corner[axis == 0 ? 0 : 2]; }

uint32_t agp_flag_get(const agp_doc *doc, size_t triangle);

// Change a flag in all places. False with error memory or limit.
bool agp_flag_set(agp_doc *doc, size_t triangle, uint32_t flag, kart_error *error);

// Replace flags: what is `from[i]` becomes `to[i]`; `from` is in ascending order.
bool agp_flags_map(agp_doc *doc, const uint32_t *from, const uint32_t *to, size_t count,
                   size_t *changed, kart_error *error);

// Corners as the core has them, and the area.
void agp_corners(const agp_triangle *t, kart_vec3 corner[3]);
double agp_area(const agp_triangle *t);

// An area of at most this is none, in square units.
#define AGP_NO_AREA 1e-9

// --- grid -------------------------------------------------------------------------------------

// The column (axis 0) or row (axis 1) of a coordinate, as the game computes it: in floats, as a
// whole number towards 0; negative or past the last outside of the grid.
static inline double agp_cell_along(const agp_grid *grid, int axis, float at) {
    return trunc((double)(float)((float)(at + grid->origin[axis]) / grid->cell[axis]));
}

// The cell of a point; SIZE_MAX outside of the grid.
size_t agp_cell_of(const agp_grid *grid, float x, float z);

// --- looking at it (stats.c) ------------------------------------------------------------------

typedef struct agp_stats {
    size_t triangles, walls;             // each once
    size_t triangle_places, wall_places; // as often as cells list them
    size_t cells, empty_cells;           // without a triangle
    size_t longest_list;                 // triangles of a cell
    double mean_list;                    // over the cells that aren't empty
    size_t down;                         // whose normal doesn't point up
    size_t degenerate;                   // without an area
    size_t open_edges;
    size_t special;      // triangles with that bit
    double area;         // of all
    kart_vec3 low, high; // bounds of the corners; low > high if there are none
} agp_stats;
void agp_stats_get(const agp_doc *doc, agp_stats *stats);

// Triangles and area by flag, ascending; freed with kart_free(ctx, counts, count * sizeof). NULL
// with error memory or limit.
typedef struct agp_flag_count {
    uint32_t flag;
    size_t count;
    double area;
} agp_flag_count;
agp_flag_count *agp_flags_count(const agp_doc *doc, size_t *count, kart_error *error);

// --- flags ------------------------------------------------------------------------------------

// What a flag is made of. [W]
#define AGP_SURFACE       0x0000FFFFu
#define AGP_OFF_ROAD      0x00FF0000u
#define AGP_OFF_ROAD_BITS 16
#define AGP_SPECIAL       0x80000000u // kept in a mesh of its own, for rays [S]

// --- making and changing ----------------------------------------------------------------------

// Hand-drawn walls are kept, or all of them are made anew from the edges without a neighbour.
typedef enum agp_walls_mode { AGP_WALLS_KEEP, AGP_WALLS_COMPUTE } agp_walls_mode;

typedef struct agp_rebuild_options {
    agp_walls_mode walls;
    double cell; // edge of a cell along both axes; 0: as they are
} agp_rebuild_options;

// Bounds, grid, lists and layout anew, by the rules of the game's own files (build.h). Triangles
// keep their bytes but for a bounding box that isn't theirs, and, with AGP_WALLS_COMPUTE, for the
// open edges. All or nothing. False with error format (a coordinate that isn't finite), limit or
// memory.
bool agp_rebuild(agp_doc *doc, const agp_rebuild_options *options, kart_error *error);

// Apply an affine map, all of it or nothing; then the grid is made anew, and walls follow: those of
// open edges their triangle, others their ends.
//
// Mirrors at a plane where x or z is constant turn edges and normals exactly: twice gives the same
// triangles. Moves keep them; other maps compute them anew. What has no area keeps its normal.
//
// A map that tips the ground over, as it turns the vertical elsewhere, is refused unless `tip`:
// the game looks for ground straight below, and its walls stand upright. False with error
// unsupported (that; a map that is flat or not finite), format (a coordinate that isn't finite),
// limit (the range of floats, too many cells) or memory.
bool agp_transform(agp_doc *doc, const kart_affine *map, bool tip, kart_error *error);

#endif
