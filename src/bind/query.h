// What single queries and batches of them share.
#ifndef KART_BIND_QUERY_H
#define KART_BIND_QUERY_H

#include "bind/document.h"

// The document that is asked, at stack index 1.
typedef struct bind_asked {
    const void *doc;
    const bind_shape *shape;
    const kart_tree *tree;
    kcl_game game;  // whose flags they are
    uint32_t types; // the types of surfaces that count, by bits
    bool wide;      // flags of 32 bits, of which `types` are some
} bind_asked;

// What a kind of query takes from Lua. Its options begin at `options`.
typedef struct bind_query {
    kart_query query;
    bool has_other; // a second vector, at stack index 3; of sweeps the radius is there, and it at 4
    int options;    // stack index
    bool has_mode;  // nearest, any, and of single queries all
    bool has_max;
    kart_faces faces; // where nothing is said; KART_FACES: takes no such option
} bind_query;
extern const bind_query bind_queries[KART_QUERIES];

typedef enum bind_mode { BIND_NEAREST, BIND_ANY, BIND_ALL } bind_mode;

// The document at 1, as far as it is known before there is a tree; raises for others.
bind_asked bind_check_asked(lua_State *L);

double bind_check_radius(lua_State *L, int arg);

// The options of a query, all of them checked. `most`: the last mode that it takes. `more`: one
// more option, or NULL.
bind_mode bind_check_ask(lua_State *L, const bind_query *query, bind_mode most, const char *more,
                         kart_ask *ask, bind_asked *asked);

// The tree of the document at 1, and what counts. Call it last: nothing of Lua may run between it
// and the query. False with what to return on the stack, 3 values.
bool bind_ask_tree(lua_State *L, kart_ask *ask, bind_asked *asked);

#endif
