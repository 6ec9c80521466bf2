// Internal to the binding of meshes: methods that stand in mesh_edit.c.
#ifndef KART_BIND_MESH_H
#define KART_BIND_MESH_H

#include "bind/bind.h"

// The least flag of a mesh from `from` up, of 32 bits; false if there is none. Flags that aren't
// known are the greatest number.
bool bind_mesh_flag_next(const kart_mesh *mesh, uint64_t from, uint32_t *flag);

int bind_mesh_drop_degenerate(lua_State *L);
int bind_mesh_drop_duplicates(lua_State *L);
int bind_mesh_flip(lua_State *L);
int bind_mesh_map(lua_State *L);
int bind_mesh_map_flags(lua_State *L);
int bind_mesh_map_materials(lua_State *L);
int bind_mesh_merge(lua_State *L);
int bind_mesh_new(lua_State *L); // kart.mesh.new
int bind_mesh_retag(lua_State *L);
int bind_mesh_select(lua_State *L);
int bind_mesh_set_part(lua_State *L);
int bind_mesh_split(lua_State *L);
int bind_mesh_tag(lua_State *L);
int bind_mesh_weld(lua_State *L);

#endif
