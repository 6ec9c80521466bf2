// What all document types share: life, bytes, saving, warnings, transformations.
#ifndef KART_BIND_DOCUMENT_H
#define KART_BIND_DOCUMENT_H

#include "bind/bind.h"
#include "kmp/transform.h"

// A kind of document: how the shared methods reach into it. `transform` takes the options that its
// format knows and ignores the others.
typedef struct bind_document {
    const bind_type *type;
    void (*free)(void *doc);
    void *(*clone)(const void *doc, kart_error *error);
    uint8_t *(*serialize)(const void *doc, size_t *size, kart_error *error);
    size_t (*memory)(const void *doc);
    const kart_findings *(*warnings)(const void *doc);
    bool (*transform)(void *doc, const kart_affine *map, const kmp_transform_options *options,
                      kart_error *error);
} bind_document;

// All kinds, with NULL behind the last.
extern const bind_document bind_kmp_documents, bind_kcl_documents;
extern const bind_document *const bind_documents[];

// The userdata of every document.
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

// The open document of this kind at `index`; raises when it is another value or closed.
void *bind_document_check(lua_State *L, int index, const bind_document *kind);

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
