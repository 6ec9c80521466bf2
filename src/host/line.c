#include "host/line.h"

#include "core/os.h"

#include <editline/readline.h>
#include <lauxlib.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY_LINES 1000

static volatile sig_atomic_t dropped;

// libedit calls back without a pointer of ours.
static lua_State *finder_state;
static const char finder_key = 0; // its address: the finder's place in the registry
static const char history_key = 0;

// libedit hands Ctrl-C to the handler that was there before its own: without one the process ends.
// With one, its read fails, and readline returns as it does at the end of input.
static void interrupted(void) { dropped = 1; }

static int line_read(lua_State *L) {
    const char *prompt = luaL_checkstring(L, 1);
    dropped = 0;
    os_on_interrupt(interrupted);
    finder_state = L;
    char *line = readline(prompt);
    finder_state = NULL;
    host_catch_interrupts();
    if (line && !dropped) {
        lua_pushstring(L, line);
        free(line);
        return 1;
    }
    free(line);
    lua_pushnil(L);
    lua_pushstring(L, dropped ? "interrupted" : "end");
    return 2;
}

static char *copy(const char *text, size_t length) {
    char *block = malloc(length + 1);
    if (!block) return NULL;
    memcpy(block, text, length);
    block[length] = 0;
    return block;
}

// The words that a word may become, as libedit wants them: their common start, the words, NULL.
// NULL if there are none. It frees them; so it can't be memory of Lua.
static char **words_copy(lua_State *L, int table) {
    size_t count = lua_rawlen(L, table), common = 0;
    char **words = count > 0 ? calloc(count + 2, sizeof *words) : NULL;
    if (!words) return NULL;
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, table, (lua_Integer)i);
        size_t length, same = 0;
        const char *word = lua_tolstring(L, -1, &length);
        words[i] = word ? copy(word, length) : NULL;
        lua_pop(L, 1);
        if (!words[i]) break; // the list ends here
        if (i == 1) common = length;
        while (same < common && words[i][same] == words[1][same]) same++;
        common = same;
    }
    words[0] = words[1] ? copy(words[1], common) : NULL;
    if (words[0]) return words;
    for (size_t i = 1; words[i]; i++) free(words[i]);
    free(words);
    return NULL;
}

static char **complete_word(const char *text, int start, int end) {
    (void)start, (void)end;
    rl_attempted_completion_over = 1; // no file names when nothing fits
    lua_State *L = finder_state;
    if (!L) return NULL;
    int top = lua_gettop(L);
    char **words = NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &finder_key);
    lua_pushstring(L, text);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1)) words = words_copy(L, lua_gettop(L));
    lua_settop(L, top);
    return words;
}

static int line_complete(lua_State *L) {
    static char breaks[] = " \t\n\"'`<>=~+-*/%^&|#,;(){}";
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &finder_key);
    rl_completer_word_break_characters = breaks;
    rl_completion_append_character = 0;
    rl_attempted_completion_function = complete_word;
    return 0;
}

static int line_history(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &history_key);
    read_history(path); // there is none the first time
    return 0;
}

static int line_remember(lua_State *L) {
    add_history(luaL_checkstring(L, 1));
    lua_rawgetp(L, LUA_REGISTRYINDEX, &history_key);
    const char *path = lua_tostring(L, -1);
    if (path) write_history(path); // a folder that can't be written must not stop the prompt
    return 0;
}

static const luaL_Reg functions[] = {{"read", line_read},
                                     {"complete", line_complete},
                                     {"history", line_history},
                                     {"remember", line_remember},
                                     {NULL, NULL}};

int luaopen_kartlua_line(lua_State *L) {
    setlocale(LC_CTYPE, ""); // libedit takes what is typed apart into characters of the locale
    rl_readline_name = "kartlua";
    using_history();
    stifle_history(HISTORY_LINES);
    luaL_newlib(L, functions);
    return 1;
}
