// The KCL document: collision of Mario Kart Wii, Mario Kart 8 and their relatives.
//
// A document is the file's bytes and an index of what stands where in them. Reading decodes,
// editing writes into the bytes; so a file that nobody edited is emitted as it was, with its
// signature vertex, extra header words, shared lists and tails, and an edit of a flag changes two
// bytes.
//
// After kcl_parse succeeded, every index of every prism is in range, every path through every
// octree ends in a list, every list ends in its terminator within the file and names only prisms
// that there are. Indices count from 0 here; only Lua counts from 1.
//
// Sources: [W] the community wiki's pages; [S] public sources of tools and engine
// reimplementations; [F] measured on files.
#ifndef KCL_H
#define KCL_H

#include "core/affine.h"
#include "core/bytes.h"
#include "core/finding.h"
#include "kcl/format.h"

// Largest KCL accepted, in bytes; and most models in one (real files have up to about 40).
#define KCL_FILE_LIMIT   ((size_t)256 << 20)
#define KCL_MODELS_LIMIT 4096

// Most cells of a model's octree. Real files have up to some 30,000.
#define KCL_CELLS_LIMIT (1 << 22)

// Most ids that its cells list in all, shared lists counted for every cell. Real files stay below a
// million.
#define KCL_IDS_LIMIT (1 << 26)

// A stretch of the file.
typedef struct kcl_range {
    size_t start, end; // from the file's start
} kcl_range;

// Positions, normals, prisms and an octree over them. Files before Mario Kart 8 are one model.
typedef struct kcl_model {
    kcl_range range;              // from its header to its end
    kcl_range positions, normals; // sections
    kcl_range prisms;             // of the records themselves
    kcl_range octree;             // nodes and lists
    size_t positions_count, normals_count, prisms_count;
    double thickness;           // how far below its face a prism reaches, in units
    double radius;              // largest sphere radius of lookups, 0 where the header has none
    kart_vec3 min;              // where the octree begins
    uint32_t mask[3];           // bits that a coordinate must not have, relative to min
    uint32_t shift;             // log2 of the edge of a root cell
    uint32_t x_shift, xy_shift; // root index: z << xy_shift | y << x_shift | x
    bool single;                // both shifts are -1 in the file: one root cell, whatever the point
    size_t roots;               // words of the root group
} kcl_model;

typedef struct kcl_doc {
    kart_ctx *ctx;
    const kcl_format *format;
    bool guessed; // the bytes allow another game, too
    uint8_t *data;
    size_t size;
    kcl_model *models;
    size_t models_count;
    size_t prisms_count; // of all models
    // V2 only: the octree over the models, and what the file header says.
    kcl_range global;
    kart_vec3 min, max;
    uint32_t width_shift[3]; // the space is min .. min + 2^shift
    uint32_t prisms_stated;
    bool stale; // the octree does not fit the prisms any more: it is to be built anew (rebuild.h)
    struct kcl_lookup *lookup; // what lookups work on, once one was made (kcl/lookup.h); else NULL
    struct kart_tree *tree;    // over the triangles, once one was made (kcl/mesh.h); else NULL
    kart_findings warnings;
} kcl_doc;

// Does it look like a KCL of any game, even of one that kcl_parse refuses?
bool kcl_detect(const uint8_t *data, size_t size);

// Parse `size` bytes, which are copied. `game`: KCL_GAMES to find out, else the file is read as
// that game's. NULL with error format, unsupported, limit or memory. What is odd but harmless is a
// warning.
kcl_doc *kcl_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                   kart_error *error);
kcl_doc *kcl_clone(const kcl_doc *doc, kart_error *error);
void kcl_free(kcl_doc *doc); // NULL is ignored
size_t kcl_memory(const kcl_doc *doc);

// The file's bytes, freed with kart_free(ctx, bytes, size). NULL with error stale, memory or limit.
uint8_t *kcl_serialize(const kcl_doc *doc, size_t *size, kart_error *error);

// Add a warning. `index`: of a prism over all models, KART_NO_INDEX if it is not about one.
bool kcl_warn(kcl_doc *doc, kart_severity severity, const char *rule, size_t index,
              const char *field, kart_error *error, const char *message, ...)
    __attribute__((format(printf, 7, 8)));

// --- prisms -----------------------------------------------------------------------------------

// Which of a prism's normals. Edge normals point outwards; seen from the collidable side the
// corners run counter-clockwise, A first: CA is the edge from C to A.
enum { KCL_FACE, KCL_CA, KCL_AB, KCL_BC, KCL_NORMALS };

typedef struct kcl_prism {
    double height;   // distance of edge BC from corner A
    size_t position; // corner A
    size_t normal[KCL_NORMALS];
    uint16_t flag;
    uint32_t triangle; // V2: index over all models, the same for copies of one triangle; else 0
} kcl_prism;

// Prisms of all models are counted through, model by model.
const kcl_model *kcl_model_of(const kcl_doc *doc, size_t prism, size_t *in_model);
kcl_prism kcl_prism_get(const kcl_doc *doc, const kcl_model *model, size_t in_model);
kart_vec3 kcl_position_get(const kcl_doc *doc, const kcl_model *model, size_t index);
kart_vec3 kcl_normal_get(const kcl_doc *doc, const kcl_model *model, size_t index);
uint16_t kcl_flag_get(const kcl_doc *doc, const kcl_model *model, size_t in_model);
void kcl_flag_set(kcl_doc *doc, const kcl_model *model, size_t in_model, uint16_t flag);

// Replace flags by a table of 65536 entries, over all prisms. Returns how many changed.
size_t kcl_flags_map(kcl_doc *doc, const uint16_t map[65536]);

// Is a prism a sound triangle? A degenerate one is none at all, an inverted one is inside out.
typedef enum kcl_soundness {
    KCL_SOUND,
    KCL_NOT_FINITE, // a number of it is infinite or none
    KCL_PARALLEL,   // two edges are parallel (cross products of at most 1e-6): a corner is nowhere
    KCL_NO_AREA,    // an area of at most 1e-9 square units
    KCL_INVERTED    // a height below 0, or corners that run clockwise
} kcl_soundness;

// The triangle of a prism in double precision: corners A, B, C, counter-clockwise seen from the
// collidable side. Corners are all set where they can be computed; with KCL_NOT_FINITE and
// KCL_PARALLEL all three are corner A.
kcl_soundness kcl_prism_triangle(const kcl_doc *doc, const kcl_model *model, const kcl_prism *prism,
                                 kart_vec3 corner[3]);
const char *kcl_soundness_text(kcl_soundness soundness);

static inline bool kcl_soundness_degenerate(kcl_soundness soundness) {
    return soundness != KCL_SOUND && soundness != KCL_INVERTED;
}

static inline double kcl_triangle_area(const kart_vec3 corner[3]) {
    return vec3_length(vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]))) /
           2;
}

// --- octree -----------------------------------------------------------------------------------

// A cell of a model's octree that has a list.
typedef struct kcl_leaf {
    uint32_t cell[3]; // lowest corner, relative to the model's min, in units
    uint32_t size;    // edge, in units
    unsigned depth;   // 0: a root cell
    size_t list;      // offset in the file of the first id
} kcl_leaf;

// Return false to end the walk.
typedef bool (*kcl_leaf_fn)(void *user, const kcl_leaf *leaf);

// Visit every leaf that a lookup can come to, z slowest. Returns false if `visit` ended it.
bool kcl_octree_walk(const kcl_doc *doc, const kcl_model *model, kcl_leaf_fn visit, void *user);

// The next prism of a list: advances `*at`, false at the end.
bool kcl_list_next(const kcl_doc *doc, size_t *at, size_t *in_model);
size_t kcl_list_length(const kcl_doc *doc, size_t list);

// The leaf of a cell; false if the point (relative to min, truncated) is outside the area.
bool kcl_octree_find(const kcl_doc *doc, const kcl_model *model, const int32_t point[3],
                     kcl_leaf *leaf);

// V2: the model of a point relative to the header's min; SIZE_MAX outside and in empty cells.
size_t kcl_global_find(const kcl_doc *doc, const int32_t point[3]);

// --- transformations --------------------------------------------------------------------------

// Lookups work this far out on each axis: a float of more no longer tells every whole unit, and
// cells are chosen by whole units. [S]
#define KCL_SPACE_LIMIT 16777216.0

// A corner that rounding moves farther than this is worth a warning, in units.
#define KCL_ROUNDING_VISIBLE 0.1

// Apply an affine map, all of it or nothing.
//
// Mirrors at a plane where x or z is constant change prisms, octrees and all lists, exactly: twice
// gives the same bytes (V2: but for the header's max), as long as floats hold the sums; where they
// don't, a warning says by how much the area was moved. Moves take the octree along where all new
// coordinates are exact. Everything else makes the octree stale.
//
// Under other maps than mirrors and moves, prisms of version 1 are made anew from the corners of
// their triangles; what is no triangle is left out, with a warning. Those of version 2 follow
// number by number, which only maps that keep right angles allow.
//
// False with error unsupported (a map that is flat or not finite; V2: one that does not keep right
// angles; an octree that can't be mirrored), limit when a number leaves its format's range or a
// corner the space where lookups work, or memory.
bool kcl_transform(kcl_doc *doc, const kart_affine *map, kart_error *error);

// --- looking at it ----------------------------------------------------------------------------

typedef struct kcl_stats {
    size_t models, prisms, triangles; // V2: distinct global indices; else the prisms
    size_t positions, normals;
    kart_vec3 low, high;         // bounds of the sound triangles; low > high if there are none
    double area;                 // of them
    size_t degenerate, inverted; // prisms that are not sound
    size_t octree_bytes, nodes;  // groups of eight; lists excluded
    size_t leaves, empty_leaves; // cells
    size_t lists;                // distinct places that leaves point at
    size_t list_refs;            // ids in them, each place counted once
    size_t longest_list;
    double mean_list; // over the leaves, weighted by volume
    unsigned depth;   // deepest leaf
    size_t unreached; // prisms that no list names
} kcl_stats;

bool kcl_stats_get(const kcl_doc *doc, kcl_stats *stats, kart_error *error);

// V2: the number of distinct global triangle indices.
bool kcl_triangles_count(const kcl_doc *doc, size_t *distinct, kart_error *error);

// Prisms and area by flag: `areas` and `counts` have 65536 entries.
void kcl_flags_count(const kcl_doc *doc, size_t counts[65536], double areas[65536]);

#endif
