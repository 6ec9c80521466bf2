// Internal to the KMP binding: what a section view shows, and what stands in files of its own.
#ifndef KART_BIND_SECTION_H
#define KART_BIND_SECTION_H

#include "bind/bind.h"

typedef struct bind_section_view {
    kmp_doc *doc;
    kmp_kind kind;
    size_t first, count; // the records it shows
    size_t route;        // KMP_POINT: whose points they are
} bind_section_view;

bind_section_view bind_section_check(lua_State *L, int index);

// The layout of a section by its name; raises if this document's game has none of the name.
const kmp_schema *bind_check_section_name(lua_State *L, const kmp_doc *doc, const char *name);

int bind_section_insert(lua_State *L);
int bind_section_remove(lua_State *L);
int bind_section_move(lua_State *L);
int bind_section_sort(lua_State *L);
int bind_section_split(lua_State *L);
int bind_section_join(lua_State *L);

// Methods of documents and functions of kart.kmp, beside those in kmp.c.
int bind_kmp_merge(lua_State *L); // edit.c
int bind_kmp_purge(lua_State *L);
int bind_kmp_check(lua_State *L); // check.c
int bind_kmp_fix(lua_State *L);
int bind_kmp_rules(lua_State *L);
int bind_kmp_drop(lua_State *L);       // drop.c
int bind_kmp_references(lua_State *L); // reference.c
int bind_kmp_schema(lua_State *L);     // schema.c

#endif
