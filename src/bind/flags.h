// What documents with flags share: counting, replacing and naming them.
#ifndef KART_BIND_FLAGS_H
#define KART_BIND_FLAGS_H

#include "bind/bind.h"

// Prisms or triangles and their area by flag, pushed as a userdata.
typedef struct bind_flag_counts {
    size_t counts[65536];
    double areas[65536];
} bind_flag_counts;
bind_flag_counts *bind_flag_counts_push(lua_State *L);

// The flags that occur: { { flag =, count =, area = } ... }, ascending. Returns 1.
int bind_push_flag_counts(lua_State *L, const bind_flag_counts *counts);

// A flag as a number from 0 to 65535; raises.
lua_Integer bind_check_flag(lua_State *L, int index);

// The arcade games have flags of 32 bits.
#define BIND_WIDE_GAME "mkagp"

// One of those from the stack: a whole number; false if it is none.
bool bind_to_wide_flag(lua_State *L, int index, uint32_t *flag);

// A flag as the game's are; raises.
uint32_t bind_check_flag_of(lua_State *L, int index, const char *game);

// What stands for flags at `index`: a number, or the left side of a rule of retag ("road/*"). Those
// are meant whose bits of `mask` are `bits`. Raises for argument `arg`.
typedef struct bind_flag_rule {
    uint32_t bits, mask;
} bind_flag_rule;
bind_flag_rule bind_check_flag_rule(lua_State *L, int index, int arg, const char *game);

// The name of a game that has flags, NULL if the value isn't one.
const char *bind_flag_game(lua_State *L, int index);

// A table of old flag to new flag as one of all flags, pushed as a userdata; raises.
const uint16_t *bind_check_flag_map(lua_State *L, int arg);

// retag(doc, rules): the work and its results are Lua's, where names of flags are known.
int bind_retag(lua_State *L);

// Push a function of a module of lua/kartlua.
void bind_push_lua(lua_State *L, const char *module, const char *name);

// Read what stands for flags at `index`: a number, the left side of a rule of retag ("road/*"), or
// a list of them. Sets `chosen` for each flag that fits; raises for argument `arg`.
void bind_choose_flags(lua_State *L, int index, int arg, const char *game, uint8_t chosen[65536]);

// Types of surfaces as bits, from the options at `index` (or nil): `flags`, words whose meaning Lua
// knows, or `mask`; raises.
#define BIND_TYPES_ALL UINT32_MAX
uint32_t bind_check_types(lua_State *L, int index, const char *game);

#endif
