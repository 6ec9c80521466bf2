// What the game finds in a course: methods of agp documents.
#include "bind/agp.h"

#include "agp/lookup.h"

static void push_ground(lua_State *L, const agp_ground *ground) {
    lua_createtable(L, 0, 2);
    bind_set_integer(L, "triangle", (int64_t)ground->triangle + 1);
    bind_set_number(L, "height", (double)ground->height);
}

// lookup_ground(point): what is below it.
int bind_agp_lookup_ground(lua_State *L) {
    agp_ground ground;
    bind_check_agp(L, 1);
    kart_vec3 p = bind_check_vec(L, 2);
    if (!agp_ground_below(bind_check_agp(L, 1), (float)p.x, (float)p.y, (float)p.z, &ground))
        return 0;
    push_ground(L, &ground);
    return 1;
}

// lookup_grounds(point): all above and below it.
int bind_agp_lookup_grounds(lua_State *L) {
    agp_ground ground;
    bind_check_agp(L, 1);
    kart_vec3 p = bind_check_vec(L, 2);
    lua_Integer number = 0;
    lua_newtable(L);
    for (size_t at = 0;
         agp_ground_next(bind_check_agp(L, 1), (float)p.x, (float)p.z, &at, &ground);) {
        push_ground(L, &ground);
        lua_rawseti(L, -2, ++number);
    }
    return 1;
}

// cell_at(point): nil outside of the grid.
int bind_agp_cell_at(lua_State *L) {
    bind_check_agp(L, 1);
    kart_vec3 p = bind_check_vec(L, 2);
    size_t cell = agp_cell_of(&bind_check_agp(L, 1)->grid, (float)p.x, (float)p.z);
    if (cell == SIZE_MAX) return 0;
    bind_push_agp_cell(L, 1, cell);
    return 1;
}

// lookup_walls(point, radius): those of the point's cell.
int bind_agp_lookup_walls(lua_State *L) {
    agp_near near;
    bind_check_agp(L, 1);
    kart_vec3 p = bind_check_vec(L, 2);
    double radius = bind_check_finite(L, 3);
    luaL_argcheck(L, radius >= 0, 3, "expected a radius from 0 up");
    lua_Integer number = 0;
    lua_newtable(L);
    for (size_t at = 0; agp_near_next(bind_check_agp(L, 1), p.x, p.z, radius, &at, &near);) {
        lua_createtable(L, 0, 4);
        bind_set_integer(L, "wall", (int64_t)near.wall + 1);
        bind_set_number(L, "distance", near.distance);
        bind_set_integer(L, "side", near.side);
        bind_push_vec(L, (kart_vec3){near.at[0], 0, near.at[1]});
        lua_setfield(L, -2, "at");
        lua_rawseti(L, -2, ++number);
    }
    return 1;
}
