// What flags mean, as far as the core needs it: which surfaces are floors. Names, variants and the
// notation for people stand in lua/kartlua/flags.lua.
#ifndef KCL_FLAG_H
#define KCL_FLAG_H

#include "kcl/format.h"

// A surface that is driven on. False where the game's flags are not known.
bool kcl_flag_is_floor(kcl_game game, uint16_t flag);

// The type of a surface, 0 to 31: bits 0 to 4, in Mario Kart DS bits 8 to 12. Where a game's flags
// are not known, the lowest five bits all the same.
static inline unsigned kcl_flag_type(kcl_game game, uint16_t flag) {
    return (game == KCL_MKDS ? flag >> 8 : flag) & 0x1F;
}

#endif
