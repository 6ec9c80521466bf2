// kart.points: points packed one behind the other, for batches of queries. kart.column: packed
// numbers, what such batches give.
#include "bind/document.h"

#include "core/bytes.h"
#include "kcl/lookup.h"

#include <float.h>
#include <string.h>

// --- points -----------------------------------------------------------------------------------

typedef struct points_box {
    size_t count;
    bool wide;
    double data[]; // x, y, z of each, as floats or doubles
} points_box;

#define POINTS_MOST ((size_t)1 << 28)

static size_t point_size(bool wide) { return 3 * (wide ? sizeof(double) : sizeof(float)); }

static points_box *points_push(lua_State *L, size_t count, bool wide) {
    if (count > POINTS_MOST) luaL_error(L, "%d points are the most", (int)POINTS_MOST);
    const size_t size = count * point_size(wide);
    points_box *box = lua_newuserdatauv(L, sizeof *box + size, 0);
    *box = (points_box){.count = count, .wide = wide};
    luaL_setmetatable(L, bind_points.name);
    return box;
}

float *bind_push_float_points(lua_State *L, size_t count) {
    return (float *)points_push(L, count, false)->data;
}

double *bind_push_double_points(lua_State *L, size_t count) {
    return points_push(L, count, true)->data;
}

static points_box *points_check(lua_State *L, int arg) {
    return luaL_checkudata(L, arg, bind_points.name);
}

kart_points bind_check_points(lua_State *L, int arg) {
    const points_box *box = points_check(L, arg);
    return (kart_points){.data = box->data, .count = box->count, .wide = box->wide};
}

static bool point_fits(bool wide, kart_vec3 v) {
    const double most = wide ? DBL_MAX : (double)FLT_MAX;
    return !(fabs(v.x) > most || fabs(v.y) > most || fabs(v.z) > most);
}

static void point_put(points_box *box, size_t i, kart_vec3 v) {
    if (box->wide) {
        double *at = box->data + 3 * i;
        at[0] = v.x, at[1] = v.y, at[2] = v.z;
    } else {
        float *at = (float *)box->data + 3 * i;
        at[0] = (float)v.x, at[1] = (float)v.y, at[2] = (float)v.z;
    }
}

// "f32", the default, or "f64".
static bool check_wide(lua_State *L, int arg) {
    static const char *const formats[] = {"f32", "f64", NULL};
    return luaL_checkoption(L, arg, "f32", formats) == 1;
}

static int list_error(lua_State *L, size_t number, const char *expected) {
    return luaL_argerror(L, 1, lua_pushfstring(L, "point %d: expected %s", (int)number, expected));
}

// The points that `arg` holds already: as points, or as positions of a mesh. False for other
// values.
static bool packed_points(lua_State *L, int arg, kart_points *points) {
    if (luaL_testudata(L, arg, bind_positions.name)) {
        const kart_mesh *mesh = bind_document_of_view(L, arg);
        *points = (kart_points){mesh->positions, mesh->positions_count, true};
        return true;
    }
    if (!luaL_testudata(L, arg, bind_points.name)) return false;
    *points = bind_check_points(L, arg);
    return true;
}

// kart.points.new(list of vectors, points, positions of a mesh or a number of points, format).
static int points_new(lua_State *L) {
    const bool wide = check_wide(L, 2);
    kart_points from = {0};
    const bool packed = packed_points(L, 1, &from), number = lua_type(L, 1) == LUA_TNUMBER;
    if (!packed && !number) luaL_checktype(L, 1, LUA_TTABLE);
    const lua_Integer wanted = number   ? luaL_checkinteger(L, 1)
                               : packed ? (lua_Integer)from.count
                                        : luaL_len(L, 1);
    luaL_argcheck(L, wanted >= 0, 1, "a number of points from 0 up");
    points_box *box = points_push(L, (size_t)wanted, wide);
    if (number) memset(box->data, 0, box->count * point_size(wide));
    // A finalizer may have changed the mesh.
    if (packed && (!packed_points(L, 1, &from) || from.count != box->count))
        return luaL_error(L, "the mesh was changed meanwhile");
    for (size_t i = 0; !number && i < box->count; i++) {
        kart_vec3 v;
        if (packed) {
            v = kart_points_get(&from, i);
        } else {
            lua_geti(L, 1, (lua_Integer)i + 1);
            if (!bind_to_vec(L, -1, false, &v)) list_error(L, i + 1, "a vector of finite numbers");
            lua_pop(L, 1);
        }
        if (isfinite(v.x + v.y + v.z) && !point_fits(wide, v))
            list_error(L, i + 1, "numbers that a float can hold");
        point_put(box, i, v);
    }
    return 1;
}

void bind_make_points(lua_State *L, int arg) {
    if (luaL_testudata(L, arg, bind_points.name)) return;
    if (!lua_istable(L, arg) && !luaL_testudata(L, arg, bind_positions.name))
        luaL_typeerror(L, arg, "points, a list of vectors, or positions of a mesh");
    lua_pushcfunction(L, points_new);
    lua_pushvalue(L, arg);
    lua_pushliteral(L, "f64");
    lua_call(L, 2, 1);
    lua_replace(L, arg);
}

static double load_f64(const uint8_t *at) {
    const uint64_t bits = kart_load_u32(at, false) | (uint64_t)kart_load_u32(at + 4, false) << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void store_f64(uint8_t *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    kart_store_u32(at, false, (uint32_t)bits);
    kart_store_u32(at + 4, false, (uint32_t)(bits >> 32));
}

// kart.points.parse(bytes, format): little-endian, whatever the machine.
static int points_parse(lua_State *L) {
    size_t size;
    const uint8_t *bytes = (const uint8_t *)luaL_checklstring(L, 1, &size);
    const bool wide = check_wide(L, 2);
    const size_t each = point_size(wide), step = each / 3;
    if (size % each != 0)
        return luaL_argerror(
            L, 1, lua_pushfstring(L, "points of %d bytes each, got %d", (int)each, (int)size));
    points_box *box = points_push(L, size / each, wide);
    for (size_t i = 0; i < 3 * box->count; i++)
        if (wide)
            box->data[i] = load_f64(bytes + i * step);
        else
            ((float *)box->data)[i] = kart_load_f32(bytes + i * step, false);
    return 1;
}

static int points_bytes(lua_State *L) {
    const points_box *box = points_check(L, 1);
    const size_t step = point_size(box->wide) / 3, size = 3 * box->count * step;
    luaL_Buffer buffer;
    uint8_t *at = (uint8_t *)luaL_buffinitsize(L, &buffer, size);
    for (size_t i = 0; i < 3 * box->count; i++)
        if (box->wide)
            store_f64(at + i * step, box->data[i]);
        else
            kart_store_f32(at + i * step, false, ((const float *)box->data)[i]);
    luaL_pushresultsize(&buffer, size);
    return 1;
}

static int points_format(lua_State *L) {
    lua_pushstring(L, points_check(L, 1)->wide ? "f64" : "f32");
    return 1;
}

static int points_length(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)points_check(L, 1)->count);
    return 1;
}

// The index at stack index 2 from 0, or SIZE_MAX if there is no such member; raises when it is no
// whole number.
static size_t member_index(lua_State *L, size_t count, const char *noun) {
    int whole = 0;
    const lua_Integer index = lua_tointegerx(L, 2, &whole);
    if (!whole || lua_type(L, 2) != LUA_TNUMBER)
        luaL_error(L, "%s has no field '%s'", noun, luaL_tolstring(L, 2, NULL));
    return index < 1 || (lua_Unsigned)index > count ? SIZE_MAX : (size_t)index - 1;
}

static int points_index(lua_State *L) {
    const kart_points points = bind_check_points(L, 1);
    const size_t i = member_index(L, points.count, "points");
    if (i == SIZE_MAX) return 0;
    bind_push_vec(L, kart_points_get(&points, i));
    return 1;
}

static int points_newindex(lua_State *L) {
    points_box *box = points_check(L, 1);
    const size_t i = member_index(L, box->count, "points");
    kart_vec3 v;
    if (i == SIZE_MAX)
        return luaL_error(L, "points[%s]: there are %d points", luaL_tolstring(L, 2, NULL),
                          (int)box->count);
    if (!bind_to_vec(L, 3, false, &v) || !point_fits(box->wide, v))
        return luaL_error(L, "points[%d]: expected a vector of finite numbers, got %s", (int)i + 1,
                          luaL_tolstring(L, 3, NULL));
    point_put(box, i, v);
    return 0;
}

static int points_tostring(lua_State *L) {
    const points_box *box = points_check(L, 1);
    lua_pushfstring(L, "points: %d (%s)", (int)box->count, box->wide ? "f64" : "f32");
    return 1;
}

const luaL_Reg bind_points_functions[] = {
    {"new", points_new}, {"parse", points_parse}, {NULL, NULL}};
static const luaL_Reg points_methods[] = {{"bytes", points_bytes}, {NULL, NULL}};
static const luaL_Reg points_properties[] = {{"format", points_format}, {NULL, NULL}};
static const luaL_Reg points_metamethods[] = {{"__len", points_length},
                                              {"__newindex", points_newindex},
                                              {"__tostring", points_tostring},
                                              {NULL, NULL}};
const bind_type bind_points = {.name = "kart.points",
                               .noun = "points",
                               .methods = points_methods,
                               .properties = points_properties,
                               .metamethods = points_metamethods,
                               .index = points_index};

// --- columns ----------------------------------------------------------------------------------

typedef struct column_box {
    bind_column_kind kind;
    size_t count;
    uint64_t data[];
} column_box;

void *bind_push_column(lua_State *L, bind_column_kind kind, size_t count) {
    static const size_t sizes[] = {[BIND_FLOAT] = sizeof(float),   [BIND_DOUBLE] = sizeof(double),
                                   [BIND_U16] = sizeof(uint16_t),  [BIND_U32] = sizeof(uint32_t),
                                   [BIND_FLAG] = sizeof(uint32_t), [BIND_REGION] = sizeof(uint8_t)};
    column_box *box = lua_newuserdatauv(L, sizeof *box + count * sizes[kind], 0);
    *box = (column_box){.kind = kind, .count = count};
    luaL_setmetatable(L, bind_column.name);
    return box->data;
}

static const column_box *column_check(lua_State *L) {
    return luaL_checkudata(L, 1, bind_column.name);
}

static void push_flag(lua_State *L, uint32_t flag) {
    lua_pushinteger(L, flag == KART_NO_FLAG ? -1 : (lua_Integer)flag);
}

static void member_push(lua_State *L, const column_box *box, size_t i) {
    switch (box->kind) {
    case BIND_FLOAT: lua_pushnumber(L, (double)((const float *)box->data)[i]); break;
    case BIND_DOUBLE: lua_pushnumber(L, ((const double *)box->data)[i]); break;
    case BIND_U16: lua_pushinteger(L, ((const uint16_t *)box->data)[i]); break;
    case BIND_U32: lua_pushinteger(L, ((const uint32_t *)box->data)[i]); break;
    case BIND_FLAG: push_flag(L, ((const uint32_t *)box->data)[i]); break;
    case BIND_REGION: lua_pushstring(L, kcl_region_name(((const uint8_t *)box->data)[i])); break;
    }
}

static int column_length(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)column_check(L)->count);
    return 1;
}

static int column_index(lua_State *L) {
    const column_box *box = column_check(L);
    const size_t i = member_index(L, box->count, "column");
    if (i == SIZE_MAX) return 0;
    member_push(L, box, i);
    return 1;
}

static int column_table(lua_State *L) {
    const column_box *box = column_check(L);
    lua_createtable(L, box->count < INT32_MAX ? (int)box->count : 0, 0);
    for (size_t i = 0; i < box->count; i++) {
        member_push(L, box, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int column_newindex(lua_State *L) { return luaL_error(L, "a column can't be changed"); }

static int column_tostring(lua_State *L) {
    lua_pushfstring(L, "column: %d", (int)column_check(L)->count);
    return 1;
}

static const luaL_Reg none[] = {{NULL, NULL}};
static const luaL_Reg column_methods[] = {{"table", column_table}, {NULL, NULL}};
static const luaL_Reg column_metamethods[] = {{"__len", column_length},
                                              {"__newindex", column_newindex},
                                              {"__tostring", column_tostring},
                                              {NULL, NULL}};
const bind_type bind_column = {.name = "kart.column",
                               .noun = "column",
                               .methods = column_methods,
                               .properties = none,
                               .metamethods = column_metamethods,
                               .index = column_index};
