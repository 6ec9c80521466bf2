// kart.open, kart.file and kart.os: files and the little of the system that recipes need.
#include "bind/document.h"

#include "core/file.h"
#include "core/number.h"
#include "core/os.h"

#include <ctype.h>
#include <string.h>

static void bytes_release(kart_ctx *ctx, void *data, size_t size) { kart_free(ctx, data, size); }

// A file's bytes under a guard on the stack; NULL on failure.
static uint8_t *file_read(lua_State *L, const char *path, size_t *size, bind_guard **guard,
                          kart_error *error) {
    *guard = bind_guard_push(L, 0);
    uint8_t *data = kart_file_read(bind_ctx(L), path, KART_FILE_LIMIT, size, error);
    if (data) **guard = (bind_guard){data, *size, bytes_release};
    return data;
}

// A text of that name that is no OBJ is told why.
static bool is_named_obj(const char *path) {
    size_t length = strlen(path);
    const char *end = path + (length < 4 ? 0 : length - 4);
    return end[0] == '.' && tolower((unsigned char)end[1]) == 'o' &&
           tolower((unsigned char)end[2]) == 'b' && tolower((unsigned char)end[3]) == 'j';
}

// What the file says, or else what its name or `game` says it is.
static int open_bytes(lua_State *L, const char *path, const uint8_t *data, size_t size,
                      kcl_game game) {
    kart_error error;
    const bind_document *kind = bind_document_detect(data, size);
    if (!kind && is_named_obj(path)) kind = &bind_mesh_documents;
    if (!kind && game < KCL_GAMES) kind = &bind_kcl_documents;
    if (kind) return bind_document_parse(L, kind, path, data, size, game);
    bind_document_unknown(data, size, &error);
    return bind_fail(L, path, &error);
}

int bind_open(lua_State *L) {
    static const char *const names[] = {"game", NULL};
    const char *path = luaL_checkstring(L, 1);
    bind_check_options(L, 2, names);
    kcl_game game = bind_option_game(L, 2);
    size_t size;
    bind_guard *guard;
    kart_error error;
    uint8_t *data = file_read(L, path, &size, &guard, &error);
    if (!data) return bind_fail(L, path, &error);
    int results = open_bytes(L, path, data, size, game);
    bind_guard_release(L, guard);
    return results;
}

static int file_read_whole(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    size_t size;
    bind_guard *guard;
    kart_error error;
    uint8_t *data = file_read(L, path, &size, &guard, &error);
    if (!data) return bind_fail(L, path, &error);
    lua_pushlstring(L, (const char *)data, size);
    bind_guard_release(L, guard);
    return 1;
}

static int file_write(lua_State *L) {
    static const char *const names[] = {"new", NULL};
    size_t size;
    const char *path = luaL_checkstring(L, 1), *data = luaL_checklstring(L, 2, &size);
    bind_check_options(L, 3, names);
    bool only_new = bind_option_boolean(L, 3, "new");
    kart_error error;
    if (!(only_new ? kart_file_save_new : kart_file_save)(path, data, size, &error))
        return bind_fail(L, path, &error);
    lua_pushboolean(L, true);
    return 1;
}

static int os_terminal(lua_State *L) {
    lua_Integer stream = luaL_checkinteger(L, 1);
    luaL_argcheck(L, stream >= 0 && stream <= 2, 1, "expected 0, 1 or 2");
    lua_pushboolean(L, os_is_terminal((int)stream));
    return 1;
}

static int os_clock(lua_State *L) {
    lua_pushnumber(L, os_seconds());
    return 1;
}

int bind_number_text(lua_State *L) {
    char text[KART_NUMBER_SIZE];
    lua_pushstring(L, kart_number_text(luaL_checknumber(L, 1), text));
    return 1;
}

const luaL_Reg bind_file_functions[] = {
    {"read", file_read_whole}, {"write", file_write}, {NULL, NULL}};
const luaL_Reg bind_os_functions[] = {
    {"is_terminal", os_terminal}, {"seconds", os_clock}, {NULL, NULL}};
