#include "bind/ground.h"

static bind_box *shape_box(lua_State *L, int at) {
    for (size_t i = 0; bind_documents[i]; i++) {
        if (!bind_documents[i]->shape) continue;
        bind_box *box = luaL_testudata(L, at, bind_documents[i]->type->name);
        if (box) return box;
    }
    return NULL;
}

static bool is_open(const bind_box *box) { return box->doc && !box->closed; }

void bind_check_ground(lua_State *L, int at, int arg, const char *what) {
    at = lua_absindex(L, at);
    const bind_box *box = shape_box(L, at);
    if (!box)
        luaL_argerror(L, arg,
                      lua_pushfstring(L, "%sexpected a document with triangles, got %s", what,
                                      luaL_tolstring(L, at, NULL)));
    else if (!is_open(box))
        luaL_argerror(L, arg, lua_pushfstring(L, "%sthe document is closed", what));
}

// Still the document that bind_check_ground saw, unless it was closed since.
static bind_box *open_box(lua_State *L, int at) {
    bind_box *box = shape_box(L, at);
    if (!box || !is_open(box)) luaL_error(L, "the document is closed");
    return box;
}

const char *bind_ground_game(lua_State *L, int at) {
    const bind_box *box = open_box(L, at);
    return box->kind->shape->game(box->doc);
}

// Triangles whose flags may tell of cannons.
static size_t shape_count(const bind_box *box) {
    if (box->kind == &bind_kcl_documents) return ((const kcl_doc *)box->doc)->prisms_count;
    if (box->kind == &bind_mesh_documents) return ((const kart_mesh *)box->doc)->triangles_count;
    return 0;
}

bool bind_ground_terrain(lua_State *L, int at, uint32_t types, course_terrain *terrain,
                         size_t *made, kart_error *error) {
    const bind_box *box = open_box(L, at);
    const bind_shape *shape = box->kind->shape;
    const bool had = shape->has_tree(box->doc);
    const char *name = shape->game(box->doc);
    const kcl_format *format = name ? kcl_format_find(name) : NULL;
    *terrain = (course_terrain){.tree = shape->tree(box->doc, error),
                                .count = shape_count(box),
                                .game = format ? format->game : KCL_GAMES,
                                .flag = shape->flag,
                                .user = box->doc,
                                .types = types};
    if (made) *made = terrain->tree && !had ? kart_tree_memory(terrain->tree) : 0;
    return terrain->tree != NULL;
}
