// The Lua face of the core. The only C beside the host that includes lua.h.
//
// Every userdata type is described by one bind_type: methods, properties and metamethods in three
// tables; bind.c lists all of them. Wrong use raises; what the world can get wrong (files, formats,
// memory) returns nil, message, code.
#ifndef KART_BIND_H
#define KART_BIND_H

#include "core/mesh.h"
#include "core/points.h"
#include "core/rule.h"
#include "core/tree.h"
#include "kcl/kcl.h"
#include "kmp/kmp.h"

#include <lauxlib.h>
#include <lua.h>
#include <signal.h>

// Raised by the host's interrupt handler; long work of the core looks at it and ends. A signal
// handler can reach nothing else, so this one global there is.
extern volatile sig_atomic_t kart_interrupted;

int luaopen_kartlua_native(lua_State *L);

// Is one of our functions running further down the stack? (bind.c)
bool bind_is_inside_call(lua_State *L);

// --- types ------------------------------------------------------------------------------------

typedef struct bind_type {
    const char *name;            // "kart.kmp": the metatable's name in the registry
    const char *noun;            // "kmp": in messages, and what kart.type gives
    const luaL_Reg *methods;     // obj:name(...)
    const luaL_Reg *properties;  // obj.name: called with the object
    const luaL_Reg *metamethods; // without __index
    // What obj[key] is if key is neither: called with object and key. NULL: raise.
    lua_CFunction index;
    // Fields of this object beyond those: called with the object at 1 and a list on top, to which
    // it adds names with bind_add_name. NULL: none.
    void (*members)(lua_State *L);
} bind_type;

extern const bind_type bind_vec, bind_matrix, bind_kmp, bind_section, bind_record, bind_values,
    bind_finding, bind_kcl, bind_prisms, bind_prism, bind_points, bind_column, bind_szs, bind_mesh,
    bind_triangles, bind_triangle, bind_positions, bind_hit, bind_agp, bind_agp_triangles,
    bind_agp_triangle, bind_agp_walls, bind_agp_wall, bind_agp_cells, bind_agp_cell;

// --- support.c --------------------------------------------------------------------------------

kart_ctx *bind_ctx(lua_State *L);

// Push nil, "path: text" (path may be NULL) and the code; returns 3.
int bind_fail(lua_State *L, const char *path, const kart_error *error);

// Tell the collector that an object now holds `bytes` of C memory which it can't see.
void bind_pace(lua_State *L, size_t bytes);

// A block of C memory that is freed when Lua raises an error or the collector finds it: pushes a
// guard; `release` is called once, by bind_guard_release or by the collector. With `storage` bytes
// `data` points at that much zeroed memory inside of the guard (a separate userdata could be swept
// before the guard looks at it).
typedef struct bind_guard {
    void *data;
    size_t size;
    void (*release)(kart_ctx *ctx, void *data, size_t size);
} bind_guard;
bind_guard *bind_guard_push(lua_State *L, size_t storage);
void bind_guard_release(lua_State *L, bind_guard *guard);

// Raise unless every key of the options table at `index` (or nil) is in the NULL-terminated list.
void bind_check_options(lua_State *L, int index, const char *const names[]);
// The same for who has more to say about it: push the first key that isn't as text, or give NULL.
const char *bind_unknown_option(lua_State *L, int index, const char *const names[]);

// Fields of an options table: the default if the table or the field is nil; raise on wrong types.
bool bind_option_boolean(lua_State *L, int index, const char *name);
double bind_option_number(lua_State *L, int index, const char *name, double fallback);
bool bind_option_vec(lua_State *L, int index, const char *name, kart_vec3 *value);

// Append a name to the list on top of the stack.
void bind_add_name(lua_State *L, const char *name);

// `member`: the file of an archive that it is about, NULL if it is about none.
void bind_push_finding(lua_State *L, const kart_finding *finding, const char *member);
// `findings` may lie in a document; it is read anew for every one.
void bind_push_findings(lua_State *L, const kart_findings *findings);

// Run a check of the document at stack index 1 and push its findings; nil, message, code on
// failure. Returns the number of results.
typedef bool (*bind_check_fn)(lua_State *L, void *user, kart_findings *findings, kart_error *error);
int bind_push_check(lua_State *L, bind_check_fn run, void *user);
void bind_push_rule(lua_State *L, const kart_rule *rule, bool has_fix);
// A list of those that `at` gives, up to NULL. Returns 1.
int bind_push_rules(lua_State *L, const kart_rule *(*at)(size_t index));

void bind_push_number(lua_State *L, double value); // an integer where it is one

// Fields of the table on top of the stack.
void bind_set_string(lua_State *L, const char *name, const char *value); // NULL: nil
void bind_set_integer(lua_State *L, const char *name, int64_t value);
void bind_set_number(lua_State *L, const char *name, double value);

// --- vec.c, matrix.c --------------------------------------------------------------------------

void bind_push_vec(lua_State *L, kart_vec3 v);

// A vec, {x, y, z} or {x =, y =, z =} of finite numbers; `flat`: also {x, z} without a height.
// False if it is none of these.
bool bind_to_vec(lua_State *L, int index, bool flat, kart_vec3 *v);
// The same for arguments, but raises; a vec may hold numbers that aren't finite.
kart_vec3 bind_check_vec(lua_State *L, int arg);
double bind_check_finite(lua_State *L, int arg);
int bind_check_axis(lua_State *L, int arg);            // "x", "y", "z" to 0, 1, 2
kart_vec3 bind_check_direction(lua_State *L, int arg); // an axis by name, or a vector with a length
kart_vec3 bind_check_factors(lua_State *L, int arg);   // one number for all axes, or a vector

void bind_push_matrix(lua_State *L, const kart_affine *a);
const kart_affine *bind_check_matrix(lua_State *L, int arg);

extern const luaL_Reg bind_matrix_functions[]; // kart.matrix
int bind_vec_new(lua_State *L);                // kart.vec

// --- kmp.c, section.c, record.c, value.c ------------------------------------------------------

extern const luaL_Reg bind_kmp_functions[]; // kart.kmp

// The open document at `index`; raises when it is closed.
kmp_doc *bind_check_kmp(lua_State *L, int index);

// The document that a view at `index` looks at. Views keep it alive as their user value.
kmp_doc *bind_view_doc(lua_State *L, int index);

// Views. `owner` is the stack index of the document's userdata.
void bind_push_section(lua_State *L, int owner, kmp_kind kind, uint32_t route);
void bind_push_record(lua_State *L, int owner, kmp_kind kind, uint32_t id, size_t hint);

typedef struct bind_record_view {
    kmp_kind kind;
    uint32_t id;
    size_t hint; // where the record was last seen
} bind_record_view;

// The row and index of a record; raises when it was removed or its document closed.
uint8_t *bind_check_record(lua_State *L, int index, kmp_doc **doc, kmp_kind *kind, size_t *at);

// "gobj[12]" or "poti[2].points[3]" for messages, into `text`; returns it.
#define BIND_PLACE_SIZE 64
char *bind_place(const kmp_doc *doc, kmp_kind kind, size_t at, char text[BIND_PLACE_SIZE]);

// Field values. `place` is what messages call the record. Section headers have fields, too: then
// `row` is the header. `owner`: the document's stack index.
typedef struct bind_slot {
    kmp_doc *doc;
    kmp_kind kind; // of the record, for references
    uint8_t *row;
    const kmp_field *field;
    char place[BIND_PLACE_SIZE];
} bind_slot;
void bind_push_value(lua_State *L, const bind_slot *slot, size_t i); // one number or reference
void bind_push_raw(lua_State *L, const bind_slot *slot, size_t i);
void bind_push_vec_value(lua_State *L, const bind_slot *slot);
void bind_set_value(lua_State *L, const bind_slot *slot, size_t i, int value); // from the stack
void bind_set_field(lua_State *L, const bind_slot *slot, int value);           // the whole field
// Replace a value that is about to be assigned to `field` by one whose reading runs no code of
// others: a vec, or a plain list. Rows must be looked up after it.
void bind_flatten(lua_State *L, const kmp_field *field, int value);
bool bind_field_is_vec(const kmp_field *field);
void bind_add_fields(lua_State *L, const kmp_field *fields); // their names, see bind_add_name

// --- kcl.c, prism.c ---------------------------------------------------------------------------

extern const luaL_Reg bind_kcl_functions[]; // kart.kcl

kcl_doc *bind_check_kcl(lua_State *L, int index);
void bind_push_prisms(lua_State *L, int owner);
// The game that the value at stack index `value` names, KCL_GAMES for nil; other values raise for
// the argument `arg`.
kcl_game bind_check_game(lua_State *L, int arg, int value);
kcl_game bind_option_game(lua_State *L,
                          int index); // field `game` of a table of options or of nothing

// --- kcl_octree.c -----------------------------------------------------------------------------

int bind_kcl_make(lua_State *L);    // kart.kcl.build
int bind_kcl_rebuild(lua_State *L); // methods
int bind_kcl_remove(lua_State *L);
int bind_kcl_prove(lua_State *L);
int bind_kcl_list_lengths(lua_State *L);
// Build the octree of the document at `index` if it is stale and can be built.
bool bind_kcl_build(lua_State *L, int index, kart_error *error);

// --- szs.c ------------------------------------------------------------------------------------

extern const luaL_Reg bind_szs_functions[]; // kart.szs
int bind_course(lua_State *L);              // kart.course

// --- lookup.c, verify.c: methods of kcl documents -----------------------------------------------

#define BIND_KCL_LOOKUP_METHODS                                                                    \
    {"cell_at", bind_kcl_cell_at}, {"list_at", bind_kcl_list_at},                                  \
        {"lookup_point", bind_kcl_lookup_point},                                                   \
        {"lookup_point_many", bind_kcl_lookup_point_many},                                         \
        {"lookup_sphere", bind_kcl_lookup_sphere},                                                 \
        {"lookup_sphere_many", bind_kcl_lookup_sphere_many},                                       \
        {"galaxy_arrow", bind_kcl_galaxy_arrow}, {"galaxy_point", bind_kcl_galaxy_point},          \
        {"galaxy_point_many", bind_kcl_galaxy_point_many},                                         \
        {"galaxy_sphere", bind_kcl_galaxy_sphere},                                                 \
        {"galaxy_sphere_many", bind_kcl_galaxy_sphere_many}, {                                     \
        "verify", bind_kcl_verify                                                                  \
    }

int bind_kcl_cell_at(lua_State *L);
int bind_kcl_list_at(lua_State *L);
int bind_kcl_lookup_point(lua_State *L);
int bind_kcl_lookup_point_many(lua_State *L);
int bind_kcl_lookup_sphere(lua_State *L);
int bind_kcl_lookup_sphere_many(lua_State *L);
int bind_kcl_galaxy_arrow(lua_State *L);
int bind_kcl_galaxy_point(lua_State *L);
int bind_kcl_galaxy_point_many(lua_State *L);
int bind_kcl_galaxy_sphere(lua_State *L);
int bind_kcl_galaxy_sphere_many(lua_State *L);
int bind_kcl_verify(lua_State *L);

// Push what kcl:cell_at gives: a cell of a model whose area begins at `min`, and how many prisms it
// lists.
void bind_push_cell(lua_State *L, size_t model, kart_vec3 min, const kcl_leaf *leaf, size_t prisms);

// --- points.c ---------------------------------------------------------------------------------

extern const luaL_Reg bind_points_functions[]; // kart.points

// The points at `arg`; their memory lives as long as the value does.
kart_points bind_check_points(lua_State *L, int arg);

// Push a column or points of `count` members and give their memory, to be filled before anything
// else is done with Lua.
typedef enum bind_column_kind {
    BIND_FLOAT,
    BIND_DOUBLE,
    BIND_U16,
    BIND_U32,
    BIND_FLAG,  // a flag as uint32_t; KART_NO_FLAG is read as -1
    BIND_REGION // a kcl_region as uint8_t; read as its name
} bind_column_kind;
void *bind_push_column(lua_State *L, bind_column_kind kind, size_t count);
float *bind_push_float_points(lua_State *L, size_t count);
double *bind_push_double_points(lua_State *L, size_t count);

// Make points of what stands for them at `arg`: a list of vectors, or positions of a mesh. Points
// stay as they are; other values raise.
void bind_make_points(lua_State *L, int arg);

// --- mesh.c, mesh_edit.c, triangle.c ----------------------------------------------------------

extern const luaL_Reg bind_mesh_functions[]; // kart.mesh

kart_mesh *bind_check_mesh(lua_State *L, int index);
void bind_push_triangles(lua_State *L, int owner);
void bind_push_positions(lua_State *L, int owner);
void bind_push_triangle(lua_State *L, int owner, size_t index);

// --- hit.c, query.c, query_many.c: methods of documents with triangles ---------------------------

#define BIND_QUERY_METHODS                                                                         \
    {"raycast", bind_raycast}, {"segment", bind_segment}, {"ground", bind_ground},                 \
        {"ceiling", bind_ceiling}, {"nearest", bind_nearest}, {"sweep", bind_sweep},               \
        {"overlap", bind_overlap}, {"raycast_many", bind_raycast_many},                            \
        {"segment_many", bind_segment_many}, {"ground_many", bind_ground_many},                    \
        {"ceiling_many", bind_ceiling_many}, {"nearest_many", bind_nearest_many}, {                \
        "sweep_many", bind_sweep_many                                                              \
    }

int bind_raycast(lua_State *L);
int bind_segment(lua_State *L);
int bind_ground(lua_State *L);
int bind_ceiling(lua_State *L);
int bind_nearest(lua_State *L);
int bind_sweep(lua_State *L);
int bind_overlap(lua_State *L);
int bind_raycast_many(lua_State *L);
int bind_segment_many(lua_State *L);
int bind_ground_many(lua_State *L);
int bind_ceiling_many(lua_State *L);
int bind_nearest_many(lua_State *L);
int bind_sweep_many(lua_State *L);

void bind_push_hit(lua_State *L, const kart_hit *hit); // with its flag

// --- agp.c --------------------------------------------------------------------------------------

extern const luaL_Reg bind_agp_functions[]; // kart.agp

// --- system.c ---------------------------------------------------------------------------------

extern const luaL_Reg bind_file_functions[]; // kart.file
extern const luaL_Reg bind_os_functions[];   // kart.os
int bind_open(lua_State *L);                 // kart.open
int bind_number_text(lua_State *L);          // kart.number_text

#endif
