// What documents with triangles are to a KMP: the ground that it stands on.
#ifndef KART_BIND_GROUND_H
#define KART_BIND_GROUND_H

#include "bind/document.h"
#include "course/terrain.h"

// The value at the stack index `at` must be an open document with triangles; raises of argument
// `arg`, with `what` in front.
void bind_check_ground(lua_State *L, int at, int arg, const char *what);

// Its triangles; the tree is made if there is none yet. Nothing of Lua may run between this and the
// use of it. `types`: as in course_terrain. False with error; raises where a finalizer closed the
// document meanwhile. `*made`, if not NULL: bytes of a new tree, for bind_pace.
bool bind_ground_terrain(lua_State *L, int at, uint32_t types, course_terrain *terrain,
                         size_t *made, kart_error *error);

// Whose flags its surfaces have, NULL if nobody's. For an open document.
const char *bind_ground_game(lua_State *L, int at);

#endif
