// Line editing at a terminal, for the REPL: the Lua module `kartlua.line`.
//
//   read(prompt)     -> the line without its newline | nil, "end" (Ctrl-D) | nil, "interrupted"
//   complete(finder) words are completed with what finder(word) returns, an array of full words
//   history(path)    read the history kept there, and keep it there from now on
//   remember(line)   add to the history
#ifndef KART_HOST_LINE_H
#define KART_HOST_LINE_H

#include <lua.h>

int luaopen_kartlua_line(lua_State *L);

// What Ctrl-C does while no line is read; main.c defines it.
void host_catch_interrupts(void);

#endif
