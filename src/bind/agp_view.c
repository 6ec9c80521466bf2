// agp.triangles, agp.walls, agp.cells and what is in them: views by index, as records are never
// added or removed one by one.
#include "bind/agp.h"
#include "bind/flags.h"

#include <string.h>

agp_doc *bind_agp_of_view(lua_State *L, int index) { return bind_document_of_view(L, index); }

static void view_push(lua_State *L, int owner, const bind_type *type, size_t index) {
    owner = lua_absindex(L, owner);
    size_t *view = lua_newuserdatauv(L, sizeof *view, 1);
    *view = index;
    lua_pushvalue(L, owner);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, type->name);
}

void bind_push_agp_triangles(lua_State *L, int owner) {
    view_push(L, owner, &bind_agp_triangles, 0);
}
void bind_push_agp_walls(lua_State *L, int owner) { view_push(L, owner, &bind_agp_walls, 0); }
void bind_push_agp_cells(lua_State *L, int owner) { view_push(L, owner, &bind_agp_cells, 0); }
void bind_push_agp_triangle(lua_State *L, int owner, size_t index) {
    view_push(L, owner, &bind_agp_triangle, index);
}
void bind_push_agp_wall(lua_State *L, int owner, size_t index) {
    view_push(L, owner, &bind_agp_wall, index);
}
void bind_push_agp_cell(lua_State *L, int owner, size_t index) {
    view_push(L, owner, &bind_agp_cell, index);
}

// --- lists ------------------------------------------------------------------------------------

// What the three lists differ in.
typedef struct list {
    const bind_type *type, *member;
    const char *name; // "triangles"
    size_t (*count)(const agp_doc *doc);
} list;

static size_t triangles_count(const agp_doc *doc) { return doc->pools[AGP_TRIANGLES].count; }
static size_t walls_count(const agp_doc *doc) { return doc->pools[AGP_WALLS].count; }
static size_t cells_count(const agp_doc *doc) { return doc->cells_count; }

static const list lists[] = {
    {&bind_agp_triangles, &bind_agp_triangle, "triangles", triangles_count},
    {&bind_agp_walls, &bind_agp_wall, "walls", walls_count},
    {&bind_agp_cells, &bind_agp_cell, "cells", cells_count}};

static const list *list_check(lua_State *L, const agp_doc **doc) {
    const list *l = lists;
    while (l < lists + 2 && !luaL_testudata(L, 1, l->type->name)) l++;
    luaL_checkudata(L, 1, l->type->name);
    *doc = bind_agp_of_view(L, 1);
    return l;
}

static int list_length(lua_State *L) {
    const agp_doc *doc;
    const list *l = list_check(L, &doc);
    lua_pushinteger(L, (lua_Integer)l->count(doc));
    return 1;
}

static int list_index(lua_State *L) {
    const agp_doc *doc;
    const list *l = list_check(L, &doc);
    int whole = 0;
    lua_Integer index = lua_tointegerx(L, 2, &whole);
    if (!whole || lua_type(L, 2) != LUA_TNUMBER)
        return luaL_error(L, "%s has no field '%s'", l->name, luaL_tolstring(L, 2, NULL));
    if (index < 1 || (lua_Unsigned)index > l->count(doc)) return 0;
    lua_getiuservalue(L, 1, 1);
    view_push(L, -1, l->member, (size_t)index - 1);
    return 1;
}

static int list_newindex(lua_State *L) {
    const agp_doc *doc;
    return luaL_error(L, "%s can't be assigned, only flags of triangles",
                      list_check(L, &doc)->name);
}

static int list_eq(lua_State *L) {
    bool same = false;
    for (int i = 0; i < 3; i++)
        same = same || (luaL_testudata(L, 1, lists[i].type->name) &&
                        luaL_testudata(L, 2, lists[i].type->name) &&
                        bind_agp_of_view(L, 1) == bind_agp_of_view(L, 2));
    lua_pushboolean(L, same);
    return 1;
}

static int list_tostring(lua_State *L) {
    const agp_doc *doc;
    const list *l = list_check(L, &doc);
    lua_pushfstring(L, "%s: %I", l->name, (LUAI_UACINT)l->count(doc));
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg list_metamethods[] = {{"__len", list_length},
                                            {"__eq", list_eq},
                                            {"__tostring", list_tostring},
                                            {"__newindex", list_newindex},
                                            {NULL, NULL}};

#define LIST_TYPE(noun_)                                                                           \
    {                                                                                              \
        .name = "kart." noun_, .noun = noun_, .methods = none, .properties = none,                 \
        .metamethods = list_metamethods, .index = list_index                                       \
    }
const bind_type bind_agp_triangles = LIST_TYPE("agp_triangles");
const bind_type bind_agp_walls = LIST_TYPE("agp_walls");
const bind_type bind_agp_cells = LIST_TYPE("agp_cells");

// --- members ----------------------------------------------------------------------------------

// Where a view looks. A document that was made anew may have fewer.
static agp_doc *member_check(lua_State *L, int arg, size_t kind, size_t *index) {
    const size_t *view = luaL_checkudata(L, arg, lists[kind].member->name);
    agp_doc *doc = bind_agp_of_view(L, arg);
    *index = *view;
    if (*view >= lists[kind].count(doc))
        luaL_error(L, "%s[%I] is no more", lists[kind].name, (LUAI_UACINT)*view + 1);
    return doc;
}

enum { TRIANGLE, WALL, CELL };

static size_t member_kind(lua_State *L) {
    size_t kind = TRIANGLE;
    while (kind < CELL && !luaL_testudata(L, 1, lists[kind].member->name)) kind++;
    return kind;
}

static int member_number(lua_State *L) {
    size_t i;
    member_check(L, 1, member_kind(L), &i);
    lua_pushinteger(L, (lua_Integer)i + 1);
    return 1;
}

static int member_tostring(lua_State *L) {
    size_t i, kind = member_kind(L);
    member_check(L, 1, kind, &i);
    lua_pushfstring(L, "%s[%I]", lists[kind].name, (LUAI_UACINT)i + 1);
    return 1;
}

static int member_eq(lua_State *L) {
    const char *name = lists[member_kind(L)].member->name;
    const size_t *a = luaL_testudata(L, 1, name), *b = luaL_testudata(L, 2, name);
    lua_pushboolean(L, a && b && *a == *b && bind_agp_of_view(L, 1) == bind_agp_of_view(L, 2));
    return 1;
}

static int member_newindex(lua_State *L) {
    size_t i, kind = member_kind(L);
    member_check(L, 1, kind, &i);
    return luaL_error(L, "%s[%I].%s can't be assigned", lists[kind].name, (LUAI_UACINT)i + 1,
                      luaL_tolstring(L, 2, NULL));
}

// --- a triangle -------------------------------------------------------------------------------

static agp_triangle triangle_check(lua_State *L) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, TRIANGLE, &i);
    return agp_triangle_get(doc, i);
}

static void push_flat(lua_State *L, const float at[2]) {
    bind_push_vec(L, (kart_vec3){(double)at[0], 0, (double)at[1]});
}

static void push_floats(lua_State *L, const float at[3]) {
    bind_push_vec(L, (kart_vec3){(double)at[0], (double)at[1], (double)at[2]});
}

static int three_push(lua_State *L, const float rows[3][3]) {
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        push_floats(L, rows[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int triangle_corners(lua_State *L) {
    agp_triangle t = triangle_check(L);
    return three_push(L, (const float(*)[3])t.corner);
}

static int triangle_edges(lua_State *L) {
    agp_triangle t = triangle_check(L);
    return three_push(L, (const float(*)[3])t.edge);
}

static int triangle_open(lua_State *L) {
    agp_triangle t = triangle_check(L);
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushboolean(L, t.open >> i & 1);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int triangle_open_bits(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)triangle_check(L).open);
    return 1;
}

static int triangle_min(lua_State *L) {
    agp_triangle t = triangle_check(L);
    push_flat(L, t.min);
    return 1;
}

static int triangle_max(lua_State *L) {
    agp_triangle t = triangle_check(L);
    push_flat(L, t.max);
    return 1;
}

static int triangle_normal(lua_State *L) {
    agp_triangle t = triangle_check(L);
    push_floats(L, t.normal);
    return 1;
}

static int triangle_distance(lua_State *L) {
    lua_pushnumber(L, (lua_Number)triangle_check(L).distance);
    return 1;
}

static int triangle_area(lua_State *L) {
    agp_triangle t = triangle_check(L);
    lua_pushnumber(L, agp_area(&t));
    return 1;
}

static int triangle_flag(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)triangle_check(L).flag);
    return 1;
}

// A part of the flag as Lua says it.
static int flag_part(lua_State *L, const char *field) {
    uint32_t flag = triangle_check(L).flag;
    bind_push_lua(L, "kartlua.flags", "fields");
    lua_pushinteger(L, (lua_Integer)flag);
    lua_pushliteral(L, BIND_WIDE_GAME);
    lua_call(L, 2, 1);
    lua_getfield(L, -1, field);
    return 1;
}

static int triangle_surface(lua_State *L) { return flag_part(L, "type"); }
static int triangle_special(lua_State *L) { return flag_part(L, "special"); }

static int triangle_off_road(lua_State *L) {
    flag_part(L, "variant");
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == 0) lua_pushnil(L);
    return 1;
}

// The parts of flags that can be assigned, and what Lua calls them.
static const struct {
    const char *name, *part;
} parts[] = {{"surface", "type"}, {"off_road", "variant"}, {"special", "special"}};

// The flag with another part, which Lua knows to read.
static uint32_t flag_with(lua_State *L, size_t part, uint32_t flag, size_t index) {
    bind_push_lua(L, "kartlua.flags", "with");
    lua_pushinteger(L, (lua_Integer)flag);
    lua_pushliteral(L, BIND_WIDE_GAME);
    lua_pushstring(L, parts[part].part);
    lua_pushvalue(L, 3);
    lua_call(L, 4, 2);
    if (lua_isnil(L, -2))
        luaL_error(L, "triangles[%I].%s: %s", (LUAI_UACINT)index + 1, parts[part].name,
                   lua_tostring(L, -1));
    return (uint32_t)lua_tointeger(L, -2);
}

static int triangle_newindex(lua_State *L) {
    size_t i;
    uint32_t flag = 0;
    agp_doc *doc = member_check(L, 1, TRIANGLE, &i);
    const char *name = luaL_checkstring(L, 2);
    bool known = strcmp(name, "flag") == 0;
    if (known && !bind_to_wide_flag(L, 3, &flag))
        return luaL_error(L, "triangles[%I].flag: expected 0 to 4294967295, got %s",
                          (LUAI_UACINT)i + 1, luaL_tolstring(L, 3, NULL));
    for (size_t k = 0; !known && k < 3; k++) {
        if (strcmp(name, parts[k].name) != 0) continue;
        flag = flag_with(L, k, agp_flag_get(doc, i), i);
        known = true;
    }
    if (!known)
        return luaL_error(L, "triangles[%I].%s can't be assigned, only the flag and its parts",
                          (LUAI_UACINT)i + 1, name);
    kart_error error;
    doc = member_check(L, 1, TRIANGLE, &i); // what Lua did may have closed it
    if (!agp_flag_set(doc, i, flag, &error)) return luaL_error(L, "%s", error.what);
    return 0;
}

static const luaL_Reg triangle_properties[] = {{"area", triangle_area},
                                               {"corners", triangle_corners},
                                               {"distance", triangle_distance},
                                               {"edges", triangle_edges},
                                               {"flag", triangle_flag},
                                               {"index", member_number},
                                               {"max", triangle_max},
                                               {"min", triangle_min},
                                               {"normal", triangle_normal},
                                               {"off_road", triangle_off_road},
                                               {"open", triangle_open},
                                               {"open_bits", triangle_open_bits},
                                               {"special", triangle_special},
                                               {"surface", triangle_surface},
                                               {NULL, NULL}};
static const luaL_Reg triangle_metamethods[] = {{"__eq", member_eq},
                                                {"__tostring", member_tostring},
                                                {"__newindex", triangle_newindex},
                                                {NULL, NULL}};
const bind_type bind_agp_triangle = {.name = "kart.agp_triangle",
                                     .noun = "agp_triangle",
                                     .methods = none,
                                     .properties = triangle_properties,
                                     .metamethods = triangle_metamethods};

// --- a wall -----------------------------------------------------------------------------------

static agp_wall wall_check(lua_State *L) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, WALL, &i);
    return agp_wall_get(doc, i);
}

static int wall_from(lua_State *L) {
    agp_wall wall = wall_check(L);
    push_flat(L, wall.end[0]);
    return 1;
}

static int wall_to(lua_State *L) {
    agp_wall wall = wall_check(L);
    push_flat(L, wall.end[1]);
    return 1;
}

static int wall_min(lua_State *L) {
    agp_wall wall = wall_check(L);
    push_flat(L, wall.min);
    return 1;
}

static int wall_max(lua_State *L) {
    agp_wall wall = wall_check(L);
    push_flat(L, wall.max);
    return 1;
}

static const luaL_Reg member_metamethods[] = {{"__eq", member_eq},
                                              {"__tostring", member_tostring},
                                              {"__newindex", member_newindex},
                                              {NULL, NULL}};
static const luaL_Reg wall_properties[] = {{"from", wall_from}, {"index", member_number},
                                           {"max", wall_max},   {"min", wall_min},
                                           {"to", wall_to},     {NULL, NULL}};
const bind_type bind_agp_wall = {.name = "kart.agp_wall",
                                 .noun = "agp_wall",
                                 .methods = none,
                                 .properties = wall_properties,
                                 .metamethods = member_metamethods};

// --- a cell -----------------------------------------------------------------------------------

static int cell_column(lua_State *L) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, CELL, &i);
    lua_pushinteger(L, (lua_Integer)(i % doc->grid.width) + 1);
    return 1;
}

static int cell_row(lua_State *L) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, CELL, &i);
    lua_pushinteger(L, (lua_Integer)(i / doc->grid.width) + 1);
    return 1;
}

// The corner of the cell that is `far` cells from its lowest one.
static int cell_corner(lua_State *L, size_t far) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, CELL, &i);
    const agp_grid *g = &doc->grid;
    const size_t at[2] = {i % g->width + far, i / g->width + far};
    bind_push_vec(L, (kart_vec3){(double)at[0] * (double)g->cell[0] - (double)g->origin[0], 0,
                                 (double)at[1] * (double)g->cell[1] - (double)g->origin[1]});
    return 1;
}

static int cell_min(lua_State *L) { return cell_corner(L, 0); }
static int cell_max(lua_State *L) { return cell_corner(L, 1); }

// The numbers of what it lists, in the order of the list.
static int cell_list(lua_State *L, agp_kind kind) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, CELL, &i);
    size_t count = doc->cells[i].count[kind];
    lua_createtable(L, (int)count, 0);
    for (size_t k = 0; k < count; k++) {
        doc = member_check(L, 1, CELL, &i);
        lua_pushinteger(L, (lua_Integer)doc->pools[kind].list[doc->cells[i].first[kind] + k] + 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

static int cell_triangles(lua_State *L) { return cell_list(L, AGP_TRIANGLES); }
static int cell_walls(lua_State *L) { return cell_list(L, AGP_WALLS); }

// Where a list stands in the file, or what is written there if it is empty.
static int cell_offset(lua_State *L, agp_kind kind) {
    size_t i;
    const agp_doc *doc = member_check(L, 1, CELL, &i);
    lua_pushinteger(L, (lua_Integer)doc->cells[i].offset[kind]);
    return 1;
}

static int cell_triangles_offset(lua_State *L) { return cell_offset(L, AGP_TRIANGLES); }
static int cell_walls_offset(lua_State *L) { return cell_offset(L, AGP_WALLS); }

static const luaL_Reg cell_properties[] = {{"column", cell_column},
                                           {"index", member_number},
                                           {"max", cell_max},
                                           {"min", cell_min},
                                           {"row", cell_row},
                                           {"triangles", cell_triangles},
                                           {"triangles_offset", cell_triangles_offset},
                                           {"walls", cell_walls},
                                           {"walls_offset", cell_walls_offset},
                                           {NULL, NULL}};
const bind_type bind_agp_cell = {.name = "kart.agp_cell",
                                 .noun = "agp_cell",
                                 .methods = none,
                                 .properties = cell_properties,
                                 .metamethods = member_metamethods};
