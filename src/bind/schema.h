// The KMP schema as a Lua function, for documentation, completion and recipes.
#ifndef KART_BIND_SCHEMA_H
#define KART_BIND_SCHEMA_H

#include <lua.h>

// Push kart.kmp.schema: a function that gives a list of layouts.
void bind_push_schema(lua_State *L);

#endif
