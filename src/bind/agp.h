// Internal to the binding of AGP documents: views, and methods that stand in other files.
#ifndef KART_BIND_AGP_H
#define KART_BIND_AGP_H

#include "bind/document.h"

#include "agp/agp.h"

agp_doc *bind_check_agp(lua_State *L, int index);

// The document that the view at `index` looks at.
agp_doc *bind_agp_of_view(lua_State *L, int index);

// Views (agp_view.c); `owner` is the stack index of the document.
void bind_push_agp_triangles(lua_State *L, int owner);
void bind_push_agp_walls(lua_State *L, int owner);
void bind_push_agp_cells(lua_State *L, int owner);
void bind_push_agp_triangle(lua_State *L, int owner, size_t index);
void bind_push_agp_wall(lua_State *L, int owner, size_t index);
void bind_push_agp_cell(lua_State *L, int owner, size_t index);

int bind_agp_build(lua_State *L);   // kart.agp.build (agp_build.c)
int bind_agp_rebuild(lua_State *L); // methods
int bind_agp_cell_at(lua_State *L); // agp_query.c
int bind_agp_lookup_ground(lua_State *L);
int bind_agp_lookup_grounds(lua_State *L);
int bind_agp_lookup_walls(lua_State *L);

#endif
