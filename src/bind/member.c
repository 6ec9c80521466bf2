#include "bind/member.h"

#include <string.h>

const char *bind_member_path(const szs_doc *doc, size_t node, char path[BIND_MEMBER_PATH_SIZE]) {
    u8_path(doc->files, node, path, BIND_MEMBER_PATH_SIZE);
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static bool fail_in(const char *path, const kart_error *why, kart_error *error) {
    char text[512];
    kart_error_text(why, text, sizeof text);
    return kart_fail(error, why->code, "%.60s: %.170s", path, text);
}

// Push the table of open members.
static void push_members(lua_State *L, int archive) {
    if (lua_getiuservalue(L, archive, 1) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, archive, 1);
}

bind_box *bind_member_get(lua_State *L, int archive, size_t node) {
    const szs_doc *doc = bind_check_szs(L, archive);
    if (lua_getiuservalue(L, archive, 1) == LUA_TTABLE) {
        lua_rawgeti(L, -1, doc->files->nodes[node].id);
        lua_remove(L, -2);
        bind_box *box = lua_touserdata(L, -1);
        if (box && box->doc && !box->closed) return box;
    }
    lua_pop(L, 1);
    return NULL;
}

bind_box *bind_member_open(lua_State *L, int archive, size_t node, kcl_game game,
                           kart_error *error) {
    bind_box *box = bind_member_get(L, archive, node);
    if (box) return box;
    char path[BIND_MEMBER_PATH_SIZE];
    const szs_doc *doc = bind_check_szs(L, archive);
    const char *name = bind_member_path(doc, node, path);
    lua_Integer id = doc->files->nodes[node].id;
    // A copy: a finalizer that comes now may take the node away, and its bytes.
    size_t size = doc->files->nodes[node].size;
    const uint8_t *data =
        (const uint8_t *)lua_pushlstring(L, (const char *)doc->files->nodes[node].data, size);
    const bind_document *kind = bind_document_detect(data, size);
    if (!kind && game < KCL_GAMES) kind = &bind_kcl_documents;
    kart_error why;
    if (kind == &bind_mesh_documents) {
        // It would be written anew with the archive, even if nobody changes it.
        kart_fail(&why, KART_UNSUPPORTED,
                  "an OBJ, which is not opened in an archive: kart.mesh.parse(archive:read(path))");
    } else if (kind) {
        box = bind_document_push(L, kind);
        box->doc = kind->parse(bind_ctx(L), data, size, game, &why);
    } else {
        bind_document_unknown(data, size, &why);
    }
    if (!box || !box->doc) {
        lua_pop(L, box ? 2 : 1);
        fail_in(name, &why, error);
        return NULL;
    }
    lua_remove(L, -2);
    bind_pace(L, kind->memory(box->doc));
    lua_pushvalue(L, archive);
    lua_setiuservalue(L, -2, 2);
    lua_pushinteger(L, id);
    lua_setiuservalue(L, -2, 3);
    push_members(L, archive);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, id);
    lua_pop(L, 1);
    return box;
}

void bind_member_release(lua_State *L, int archive, size_t node) {
    const szs_doc *doc = bind_check_szs(L, archive);
    if (lua_getiuservalue(L, archive, 1) == LUA_TTABLE) {
        lua_Integer id = doc->files->nodes[node].id;
        if (lua_rawgeti(L, -1, id) == LUA_TUSERDATA) {
            lua_pushnil(L);
            lua_setiuservalue(L, -2, 2);
        }
        lua_pop(L, 1);
        lua_pushnil(L);
        lua_rawseti(L, -2, id);
    }
    lua_pop(L, 1);
}

// The bytes of one open document, put into its archive.
static bool member_settle(lua_State *L, szs_doc *doc, size_t node, kart_error *error) {
    const bind_box *box = lua_touserdata(L, -1);
    kart_error why;
    size_t size;
    if (box->kind->settle && !box->kind->settle(L, lua_gettop(L), error)) return false;
    if (box->kind->build && !box->kind->build(L, lua_gettop(L), &why)) {
        char at[BIND_MEMBER_PATH_SIZE];
        return fail_in(bind_member_path(doc, node, at), &why, error);
    }
    // No options: an index with nothing at it.
    uint8_t *data = box->kind->serialize(L, lua_gettop(L) + 1, box->doc, &size, &why);
    bool done = data && u8_replace(doc->files, node, data, size, &why);
    kart_free(doc->ctx, data, size);
    char path[BIND_MEMBER_PATH_SIZE];
    return done || fail_in(bind_member_path(doc, node, path), &why, error);
}

bool bind_member_settle(lua_State *L, kart_error *error) {
    bool done = true;
    luaL_checkstack(L, 8, "archives in archives");
    lua_getiuservalue(L, -1, 2);
    int archive = lua_gettop(L);
    const bind_box *holder = lua_touserdata(L, archive);
    if (holder && holder->doc && !holder->closed) {
        szs_doc *doc = holder->doc;
        lua_getiuservalue(L, archive - 1, 3);
        lua_Integer id = lua_tointeger(L, -1);
        lua_pushvalue(L, archive - 1);
        for (size_t i = 0; i < doc->files->count; i++)
            if (doc->files->nodes[i].id == id) done = member_settle(L, doc, i, error);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return done;
}

bool bind_members_settle(lua_State *L, int archive, kart_error *error) {
    szs_doc *doc = bind_check_szs(L, archive);
    bool done = true;
    luaL_checkstack(L, 8, "archives in archives");
    if (lua_getiuservalue(L, archive, 1) == LUA_TTABLE)
        for (size_t i = 0; done && i < doc->files->count; i++) {
            if (!bind_member_get(L, archive, i)) continue;
            done = member_settle(L, doc, i, error);
            lua_pop(L, 1);
        }
    lua_pop(L, 1);
    return done;
}
