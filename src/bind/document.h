// What all document types share: life, bytes, saving, warnings, transformations.
#ifndef KART_BIND_DOCUMENT_H
#define KART_BIND_DOCUMENT_H

#include "bind/bind.h"
#include "kmp/transform.h"

// Shared methods that take a table of options.
typedef enum bind_call {
    BIND_BYTES, // and save
    BIND_MIRROR,
    BIND_ROTATE,
    BIND_SCALE,
    BIND_TRANSFORM,
    BIND_TRANSLATE,
    BIND_CALLS
} bind_call;

// A kind of document: how the shared methods reach into it.
typedef struct bind_document {
    const bind_type *type;
    bool (*detect)(const uint8_t *data, size_t size);
    // `game`: KCL_GAMES to find out; for kinds that have a choice.
    void *(*parse)(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                   kart_error *error);
    // Go on with the parsed document on top of the stack, which comes from the file at `path`, or
    // from none (NULL): what takes other files or Lua. NULL: nothing does.
    bool (*complete)(lua_State *L, const char *path, kart_error *error);
    void (*free)(void *doc);
    void *(*clone)(const void *doc, kart_error *error);
    // `options`: the index of a table or of nothing.
    uint8_t *(*serialize)(lua_State *L, int options, const void *doc, size_t *size,
                          kart_error *error);
    size_t (*memory)(const void *doc);
    const kart_findings *(*warnings)(const void *doc);
    // The options that each call takes, NULL behind the last; others raise. `at` of a mirror and
    // `origin` are in the map already when `transform` is called.
    const char *const *options[BIND_CALLS];
    // Apply `map` to the document at stack index 1.
    bool (*transform)(lua_State *L, const kart_affine *map, int options, kart_error *error);
    // Take what was done to open members into the archive at the absolute stack index `index`.
    // NULL: the kind has none.
    bool (*settle)(lua_State *L, int index, kart_error *error);
    // Its triangles. NULL: it has none.
    const struct bind_shape *shape;
    // Make the document at `index` fit to be written: build what is stale. NULL: nothing to do.
    bool (*build)(lua_State *L, int index, kart_error *error);
} bind_document;

// How a kind of document shows its triangles to queries.
typedef struct bind_shape {
    kart_tree *(*tree)(void *doc, kart_error *error); // made at the first call
    bool (*has_tree)(const void *doc);
    uint32_t (*flag)(const void *doc, uint32_t triangle); // KART_NO_FLAG if it isn't known
    const char *(*game)(const void *doc);                 // whose flags they are
} bind_shape;

// The functions from `free` to `warnings` but for `serialize`, of a core with prefix_free,
// prefix_clone ... on prefix_doc, and what makes them the kind's.
#define BIND_DOCUMENT_FUNCTIONS(prefix)                                                            \
    static void document_free(void *doc) { prefix##_free(doc); }                                   \
    static void *document_clone(const void *doc, kart_error *error) {                              \
        return prefix##_clone(doc, error);                                                         \
    }                                                                                              \
    static size_t document_memory(const void *doc) { return prefix##_memory(doc); }                \
    static const kart_findings *document_warnings(const void *doc) {                               \
        return &((const prefix##_doc *)doc)->warnings;                                             \
    }
#define BIND_DOCUMENT_NAMES(prefix)                                                                \
    .detect = prefix##_detect, .parse = document_parse, .free = document_free,                     \
    .clone = document_clone, .serialize = document_serialize, .memory = document_memory,           \
    .warnings = document_warnings

// The options of a KMP's transformations, from the table at `options` or from nothing. (kmp.c)
kmp_transform_options bind_kmp_transform_options(lua_State *L, int options);

// A list of options for one call.
#define BIND_OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

// All kinds, with NULL behind the last.
extern const bind_document bind_kmp_documents, bind_kcl_documents, bind_szs_documents,
    bind_mesh_documents, bind_agp_documents;
extern const bind_document *const bind_documents[];

// The userdata of every document. User value 1: of an archive, its open members by the ids of their
// nodes. Of a member, which may be an archive itself, 2: the archive that it is in, and 3: its id.
typedef struct bind_box {
    void *doc; // NULL: not open yet, or closed and freed
    const bind_document *kind;
    bool closed; // its memory may live on until the collector comes by
} bind_box;

// Push a box for a document that is yet to be made, so that nothing is lost when Lua raises; then
// bind_document_open it: that gives the number of results, which is 3 for nil, message, code.
bind_box *bind_document_push(lua_State *L, const bind_document *kind);
int bind_document_open(lua_State *L, bind_box *box, void *doc, const char *path,
                       const kart_error *error);

// Parse bytes into a new document and push it; results as of bind_document_open. `path` may be
// NULL.
int bind_document_parse(lua_State *L, const bind_document *kind, const char *path,
                        const uint8_t *data, size_t size, kcl_game game);

// The kind that the bytes begin like; NULL if it is none.
const bind_document *bind_document_detect(const uint8_t *data, size_t size);

// Why bytes of no kind can't be opened: unsupported where it is known what they are, else format.
// Gives false.
bool bind_document_unknown(const uint8_t *data, size_t size, kart_error *error);

// The open document of this kind at `index`; raises when it is another value or closed.
void *bind_document_check(lua_State *L, int index, const bind_document *kind);

// The box of the document at `index`, of whatever kind, open or closed; raises for other values.
bind_box *bind_document_box(lua_State *L, int index);

// The same for the document that a view at `index` keeps as its first user value.
void *bind_document_of_view(lua_State *L, int index);

// Methods and the property, for the tables of the types. All of them take any document.
int bind_document_bytes(lua_State *L);
int bind_document_clone(lua_State *L);
int bind_document_close(lua_State *L);
int bind_document_collect(lua_State *L); // __gc
int bind_document_save(lua_State *L);
int bind_document_mirror(lua_State *L);
int bind_document_rotate(lua_State *L);
int bind_document_scale(lua_State *L);
int bind_document_transform(lua_State *L);
int bind_document_translate(lua_State *L);
int bind_document_warnings(lua_State *L);

#define BIND_DOCUMENT_METHODS                                                                      \
    {"bytes", bind_document_bytes}, {"clone", bind_document_clone},                                \
        {"close", bind_document_close}, {"save", bind_document_save},                              \
        {"mirror", bind_document_mirror}, {"rotate", bind_document_rotate},                        \
        {"scale", bind_document_scale}, {"transform", bind_document_transform}, {                  \
        "translate", bind_document_translate                                                       \
    }

#endif
