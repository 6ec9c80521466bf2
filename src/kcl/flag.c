#include "kcl/flag.h"

// Types (bits 0-4) that the engine of Mario Kart Wii takes for floors: its mask. [S]
#define MKW_FLOOR 0x20E80FFFu
// Mario Kart 8: roads, sand, off-road, slippery, boost, panels, moving ground, item road. [S]
#define MK8_FLOOR 0x0000FFFFu

bool kcl_flag_is_floor(kcl_game game, uint16_t flag) {
    switch (game) {
    case KCL_MKW: return MKW_FLOOR >> (flag & 0x1F) & 1;
    case KCL_MK8:
    case KCL_MK8DX: return MK8_FLOOR >> (flag & 0x1F) & 1;
    case KCL_MKDS: return flag >> 15; // bit 15 says so itself
    default: return false;
    }
}
