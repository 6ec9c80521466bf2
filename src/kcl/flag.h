// What flags mean, as far as the core needs it: which surfaces are floors. Names, variants and the
// notation for people stand in lua/kartlua/flags.lua.
#ifndef KCL_FLAG_H
#define KCL_FLAG_H

#include "kcl/format.h"

// A surface that is driven on. False where the game's flags are not known.
bool kcl_flag_is_floor(kcl_game game, uint16_t flag);

#endif
