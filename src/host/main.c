// The kartlua program: a Lua state with kartlua's modules in it, handed to lua/kartlua/cli.lua.
#include "bind/bind.h"
#include "core/os.h"
#include "host/line.h"

#include <lauxlib.h>
#include <lfs.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILED 1 // exit code

static lua_State *main_state; // for the signal handler

// Runs at the next instruction after Ctrl-C. The message has no place in front: cli.lua and
// recipe.lua know it by its text.
static void stop(lua_State *L, lua_Debug *debug) {
    (void)debug;
    lua_sethook(L, NULL, 0, 0);
    kart_interrupted = 0;
    host_catch_interrupts();
    lua_pushliteral(L, "interrupted!");
    lua_error(L);
}

static void interrupt(void) {
    os_on_interrupt(NULL); // if Lua doesn't come to its next instruction, Ctrl-C again ends it all
    kart_interrupted = 1;
    lua_sethook(main_state, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void host_catch_interrupts(void) { os_on_interrupt(interrupt); }

// Push `path` without its last `count` parts, and `rest` behind it.
static const char *push_beside(lua_State *L, const char *path, int count, const char *rest) {
    size_t length = strlen(path);
    for (; count > 0; count--) {
        while (length > 0 && path[length - 1] != '/') length--;
        if (length > 0) length--;
    }
    lua_pushlstring(L, path, length);
    lua_pushstring(L, rest);
    lua_concat(L, 2);
    return lua_tostring(L, -1);
}

static bool holds_library(lua_State *L, const char *folder) {
    os_file file;
    uint64_t size;
    const char *path = lua_pushfstring(L, "%s/kartlua/init.lua", folder);
    bool found = os_open_read(path, &file, &size, NULL) && os_close(file, NULL);
    lua_pop(L, 1);
    return found;
}

// Push the folder that holds kartlua/init.lua.
static const char *push_library(lua_State *L, const char *program) {
    const char *folder = getenv("KARTLUA_LUA");
    if (folder) {
        lua_pushstring(L, folder);
        if (holds_library(L, folder)) return folder;
        luaL_error(L, "KARTLUA_LUA is %s, but kartlua/init.lua isn't there", folder);
    }
    folder = push_beside(L, program, 3, "/lua"); // build/<config>/kartlua
    if (holds_library(L, folder)) return folder;
    folder = push_beside(L, program, 2, "/share/kartlua/lua"); // bin/kartlua
    if (holds_library(L, folder)) return folder;
    luaL_error(L, "its Lua library is neither in %s nor in %s; KARTLUA_LUA can name the folder",
               push_beside(L, program, 3, "/lua"), folder);
    return NULL;
}

static void preload(lua_State *L, const char *name, lua_CFunction open) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, open);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static void require(lua_State *L, const char *name) {
    lua_getglobal(L, "require");
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

// Arguments: argc, argv. Returns the exit code.
static int run(lua_State *L) {
    int argc = (int)lua_tointeger(L, 1);
    char **argv = lua_touserdata(L, 2);
    char program[OS_PATH_MAX];
    if (!os_program_path(program)) luaL_error(L, "the system doesn't tell where the program is");

    luaL_openlibs(L);
    preload(L, "lfs", luaopen_lfs);
    preload(L, "kartlua.native", luaopen_kartlua_native);
    preload(L, "kartlua.line", luaopen_kartlua_line);

    const char *library = push_library(L, program);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    lua_pushfstring(L, "%s/?.lua;%s/?/init.lua;%s", library, library, lua_tostring(L, -1));
    lua_setfield(L, -3, "path");

    require(L, "kartlua");
    lua_setglobal(L, "kart");
    lua_createtable(L, argc > 0 ? argc - 1 : 0, 1);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i);
    }
    lua_setglobal(L, "arg");

    require(L, "kartlua.cli");
    lua_getfield(L, -1, "main");
    lua_getglobal(L, "arg");
    lua_createtable(L, 0, 2);
    lua_pushstring(L, program);
    lua_setfield(L, -2, "program");
    lua_pushstring(L, library);
    lua_setfield(L, -2, "library");
    lua_call(L, 2, 1);
    return 1;
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    if (!L) {
        fputs("kartlua: not enough memory\n", stderr);
        return FAILED;
    }
    main_state = L;
    host_catch_interrupts();
    lua_pushcfunction(L, run);
    lua_pushinteger(L, argc);
    lua_pushlightuserdata(L, argv);
    int code = FAILED;
    if (lua_pcall(L, 2, 1, 0) == LUA_OK) {
        code = (int)lua_tointeger(L, -1);
    } else {
        const char *message = lua_tostring(L, -1);
        fprintf(stderr, "kartlua: %s\n", message ? message : "an error without a text");
    }
    lua_close(L);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("kartlua: standard output");
        if (code == 0) code = FAILED;
    }
    return code;
}
