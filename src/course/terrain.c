#include "course/terrain.h"

#include "core/mesh.h"
#include "kcl/flag.h"
#include "kcl/kcl.h"

#include <math.h>

// Types of surfaces by game, as bits. Where a mask is 0 nothing is known to be so; what is ground
// kcl_flag_is_floor knows. Sources as of flag.c.
static const struct {
    uint32_t falls, kart_walls, item_walls;
} surfaces[KCL_GAMES] = {
    // Fall boundary and solid fall; what the engine stops drivers with, and objects.
    [KCL_MKW] = {1u << 0x10 | 1u << 0x0A, 0xC010B000, 0x4000D000},
    // Lakitu rescue and fall out; walls, the item wall for items only.
    [KCL_MK8] = {1u << 0x10 | 1u << 0x1C, 0x00DE0000, 0x00FE0000},
    [KCL_MK8DX] = {1u << 0x10 | 1u << 0x1C, 0x00DE0000, 0x00FE0000},
};

static bool tells_ground(kcl_game game) {
    return game == KCL_MKW || game == KCL_MK8 || game == KCL_MK8DX || game == KCL_MKDS;
}

unsigned course_surface_of(const course_terrain *terrain, uint32_t triangle) {
    const uint32_t flag = terrain->flag(terrain->user, triangle);
    const bool known = flag <= UINT16_MAX;
    const unsigned type = known ? kcl_flag_type(terrain->game, (uint16_t)flag) : 0;
    if (terrain->types != COURSE_ALL_TYPES)
        return known && terrain->types >> type & 1 ? COURSE_GROUND : 0;
    if (!known || !tells_ground(terrain->game)) return COURSE_GROUND;
    const uint32_t bit = (uint32_t)1 << type;
    unsigned is = 0;
    if (surfaces[terrain->game].falls & bit) return COURSE_FALL;
    if (kcl_flag_is_floor(terrain->game, (uint16_t)flag)) is |= COURSE_GROUND;
    if (surfaces[terrain->game].kart_walls & bit) is |= COURSE_KART_WALL;
    if (surfaces[terrain->game].item_walls & bit) is |= COURSE_ITEM_WALL;
    return is;
}

// --- rays -------------------------------------------------------------------------------------

typedef struct wanted {
    const course_terrain *terrain;
    unsigned surfaces;
} wanted;

static bool is_wanted(const void *user, uint32_t triangle) {
    const wanted *w = user;
    return (course_surface_of(w->terrain, triangle) & w->surfaces) != 0;
}

static bool cast(const course_terrain *terrain, unsigned surfaces_wanted, kart_faces faces,
                 kart_vec3 from, kart_vec3 way, double max, bool any, kart_hit *hit) {
    const wanted w = {terrain, surfaces_wanted};
    const kart_ray ray = {.origin = from,
                          .direction = way,
                          .max = max,
                          .faces = faces,
                          .accept = is_wanted,
                          .user = &w};
    return any ? kart_tree_raycast_any(terrain->tree, &ray, hit)
               : kart_tree_raycast(terrain->tree, &ray, hit);
}

#define DOWN ((kart_vec3){0, -1, 0})
#define UP   ((kart_vec3){0, 1, 0})

course_stand course_stand_find(const course_terrain *terrain, kart_vec3 point, double up,
                               double down) {
    course_stand stand = {.below = false};
    kart_hit hit;
    if (cast(terrain, COURSE_GROUND | COURSE_FALL, KART_FRONT, point, DOWN, down, false, &hit)) {
        stand.falls = (course_surface_of(terrain, hit.triangle) & COURSE_GROUND) == 0;
        stand.below = !stand.falls;
        stand.depth = hit.distance;
    }
    // Ground is seen from underneath then.
    if (cast(terrain, COURSE_GROUND, KART_BACK, point, UP, up, false, &hit)) {
        stand.above = true;
        stand.rise = hit.distance;
    }
    return stand;
}

bool course_walled(const course_terrain *terrain, course_surface wall, kart_vec3 from,
                   kart_vec3 to) {
    kart_hit hit;
    return cast(terrain, wall, KART_FRONT, from, vec3_sub(to, from), 1, true, &hit);
}

bool course_grounded(const course_terrain *terrain, double x, double z) {
    const kart_vec3 top = {x, KCL_SPACE_LIMIT, z};
    kart_hit hit;
    return cast(terrain, COURSE_GROUND, KART_FRONT, top, DOWN, (double)INFINITY, true, &hit);
}
