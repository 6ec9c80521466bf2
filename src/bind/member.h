// Documents in an archive: opened when they are asked for, taken in when the archive is written.
#ifndef KART_BIND_MEMBER_H
#define KART_BIND_MEMBER_H

#include "bind/document.h"
#include "szs/szs.h"

// The open archive at `index`; raises when it is another value or closed.
szs_doc *bind_check_szs(lua_State *L, int index);

// Push the document of a member, the same one each time; NULL and nothing pushed on failure, with
// the member's path in the error. `archive`: the absolute stack index of the archive.
bind_box *bind_member_open(lua_State *L, int archive, size_t node, kcl_game game,
                           kart_error *error);

// Push the document of a member if it was opened and isn't closed; else NULL, nothing is pushed.
bind_box *bind_member_get(lua_State *L, int archive, size_t node);

// The member's bytes are about to come from elsewhere: its document is one by itself from now on.
void bind_member_release(lua_State *L, int archive, size_t node);

// Take what was done to the open document on top of the stack into the archive that it belongs to,
// if it belongs to an open one.
bool bind_member_settle(lua_State *L, kart_error *error);

// Take in what was done to the open documents: the `settle` of bind_document.
bool bind_members_settle(lua_State *L, int archive, kart_error *error);

// A member's path without a leading "./".
#define BIND_MEMBER_PATH_SIZE 1024
const char *bind_member_path(const szs_doc *doc, size_t node, char path[BIND_MEMBER_PATH_SIZE]);

#endif
