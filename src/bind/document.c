#include "bind/member.h"

#include "core/file.h"

#include <string.h>

const bind_document *const bind_documents[] = {&bind_kmp_documents, &bind_kcl_documents,
                                               &bind_szs_documents, &bind_mesh_documents,
                                               &bind_agp_documents, NULL};

bind_box *bind_document_push(lua_State *L, const bind_document *kind) {
    bind_box *box = lua_newuserdatauv(L, sizeof *box, 3);
    *box = (bind_box){.kind = kind};
    luaL_setmetatable(L, kind->type->name);
    return box;
}

int bind_document_open(lua_State *L, bind_box *box, void *doc, const char *path,
                       const kart_error *error) {
    if (!doc) return bind_fail(L, path, error);
    box->doc = doc;
    bind_pace(L, box->kind->memory(doc));
    return 1;
}

int bind_document_parse(lua_State *L, const bind_document *kind, const char *path,
                        const uint8_t *data, size_t size, kcl_game game) {
    kart_error error;
    bind_box *box = bind_document_push(L, kind);
    void *doc = kind->parse(bind_ctx(L), data, size, game, &error);
    int results = bind_document_open(L, box, doc, path, &error);
    if (results == 1 && kind->complete && !kind->complete(L, path, &error))
        return bind_fail(L, path, &error);
    return results;
}

const bind_document *bind_document_detect(const uint8_t *data, size_t size) {
    for (size_t i = 0; bind_documents[i]; i++)
        if (bind_documents[i]->detect(data, size)) return bind_documents[i];
    return NULL;
}

// Files that a course folder also holds, to say what was given instead of a guess.
static const struct {
    const char *magic, *what;
} others[] = {{"#KMP", "a text file of a KMP compiler: encode it first"},
              {"bres", "a model (brres)"}};

bool bind_document_unknown(const uint8_t *data, size_t size, kart_error *error) {
    const char *what = szs_other_kind(data, size);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (size >= 4 && memcmp(data, others[i].magic, 4) == 0) what = others[i].what;
    if (!what)
        return kart_fail_at(error, "", 0, "not a course file that kartlua knows",
                            "KMP, KCL, AGP, szs or OBJ",
                            size < 4 ? "%zu bytes in all" : "something else in %zu bytes", size);
    kart_fail_at(error, "", 0, "not a course file", "KMP, KCL, AGP, szs or OBJ", "%s", what);
    error->code = KART_UNSUPPORTED;
    return false;
}

static void *box_doc(lua_State *L, const bind_box *box) {
    if (!box->doc || box->closed) luaL_error(L, "the document is closed");
    return box->doc;
}

void *bind_document_check(lua_State *L, int index, const bind_document *kind) {
    return box_doc(L, luaL_checkudata(L, index, kind->type->name));
}

void *bind_document_of_view(lua_State *L, int index) {
    lua_getiuservalue(L, index, 1);
    const bind_box *box = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return box_doc(L, box);
}

bind_box *bind_document_box(lua_State *L, int index) {
    for (size_t i = 0; bind_documents[i]; i++) {
        bind_box *box = luaL_testudata(L, index, bind_documents[i]->type->name);
        if (box) return box;
    }
    luaL_typeerror(L, index, "document");
    return NULL;
}

// The box at stack index 1.
static bind_box *box_check(lua_State *L) { return bind_document_box(L, 1); }

// --- life -------------------------------------------------------------------------------------

int bind_document_collect(lua_State *L) {
    bind_box *box = box_check(L);
    if (box->doc) box->kind->free(box->doc);
    box->doc = NULL;
    return 0;
}

// A metamethod or a finalizer may close a document in the middle of a call that works on it. Then
// the memory stays until the collector comes by.
int bind_document_close(lua_State *L) {
    bind_box *box = box_check(L);
    kart_error error;
    lua_settop(L, 1);
    // What was done to a member isn't lost when it is closed before its archive is saved.
    if (box->doc && !box->closed && !bind_member_settle(L, &error)) {
        bind_fail(L, NULL, &error);
        return luaL_error(L, "%s", lua_tostring(L, -2));
    }
    box->closed = true;
    return bind_is_inside_call(L) ? 0 : bind_document_collect(L);
}

// The document at stack index 1 with what was done to its members.
static bool settle(lua_State *L, const bind_box *box, kart_error *error) {
    box_doc(L, box);
    return !box->kind->settle || box->kind->settle(L, 1, error);
}

int bind_document_clone(lua_State *L) {
    kart_error error;
    const bind_box *from = box_check(L);
    if (!settle(L, from, &error)) return bind_fail(L, NULL, &error);
    bind_box *box = bind_document_push(L, from->kind);
    void *doc = from->kind->clone(box_doc(L, from), &error);
    return bind_document_open(L, box, doc, NULL, &error);
}

// Of the open document at stack index 1: raise for options that its kind doesn't take.
static void call_begin(lua_State *L, bind_call call, int options) {
    const bind_box *box = box_check(L);
    box_doc(L, box);
    static const char *const none[] = {NULL};
    const char *const *names = box->kind->options[call];
    const char *unknown = bind_unknown_option(L, options, names ? names : none);
    if (unknown)
        luaL_argerror(L, options,
                      lua_pushfstring(L, "unknown option '%s' of a%s %s", unknown,
                                      box->kind->type->noun[0] == 'a' ? "n" : "",
                                      box->kind->type->noun));
}

static void bytes_release(kart_ctx *ctx, void *data, size_t size) { kart_free(ctx, data, size); }

// The document's bytes under a guard on the stack; NULL on failure.
static uint8_t *serialize(lua_State *L, int options, size_t *size, bind_guard **guard,
                          kart_error *error) {
    const bind_box *box = box_check(L);
    lua_settop(L, options);
    *guard = bind_guard_push(L, 0);
    uint8_t *data = NULL;
    if (settle(L, box, error) && (!box->kind->build || box->kind->build(L, 1, error)))
        data = box->kind->serialize(L, options, box_doc(L, box), size, error);
    if (data) **guard = (bind_guard){data, *size, bytes_release};
    return data;
}

int bind_document_bytes(lua_State *L) {
    size_t size;
    bind_guard *guard;
    kart_error error;
    call_begin(L, BIND_BYTES, 2);
    uint8_t *data = serialize(L, 2, &size, &guard, &error);
    if (!data) return bind_fail(L, NULL, &error);
    lua_pushlstring(L, (const char *)data, size);
    bind_guard_release(L, guard);
    return 1;
}

int bind_document_save(lua_State *L) {
    const char *path = luaL_checkstring(L, 2);
    size_t size;
    bind_guard *guard;
    kart_error error;
    call_begin(L, BIND_BYTES, 3);
    uint8_t *data = serialize(L, 3, &size, &guard, &error);
    bool done = data && kart_file_save(path, data, size, &error);
    bind_guard_release(L, guard);
    if (!done) return bind_fail(L, path, &error);
    lua_pushboolean(L, true);
    return 1;
}

int bind_document_warnings(lua_State *L) {
    const bind_box *box = box_check(L);
    bind_push_findings(L, box->kind->warnings(box_doc(L, box)));
    return 1;
}

// --- transformations --------------------------------------------------------------------------

static int motion_apply(lua_State *L, kart_affine map, int options) {
    kart_error error;
    kart_vec3 origin;
    if (bind_option_vec(L, options, "origin", &origin)) map = kart_affine_about(&map, origin);
    if (!box_check(L)->kind->transform(L, &map, options, &error)) return bind_fail(L, NULL, &error);
    lua_settop(L, 1);
    return 1;
}

int bind_document_mirror(lua_State *L) {
    call_begin(L, BIND_MIRROR, 3);
    int axis = bind_check_axis(L, 2);
    luaL_argcheck(L, axis != 1, 2, "a course can be mirrored along x and z, not y");
    return motion_apply(L, kart_affine_mirror(axis, bind_option_number(L, 3, "at", 0)), 3);
}

int bind_document_rotate(lua_State *L) {
    call_begin(L, BIND_ROTATE, 4);
    kart_vec3 axis = bind_check_direction(L, 2);
    return motion_apply(L, kart_affine_rotation(axis, bind_check_finite(L, 3)), 4);
}

int bind_document_scale(lua_State *L) {
    call_begin(L, BIND_SCALE, 3);
    kart_vec3 f = bind_check_factors(L, 2);
    luaL_argcheck(L, f.x > 0 && f.y > 0 && f.z > 0, 2,
                  "factors must be above 0; use mirror to turn the course round");
    return motion_apply(L, kart_affine_scale(f), 3);
}

int bind_document_transform(lua_State *L) {
    call_begin(L, BIND_TRANSFORM, 3);
    return motion_apply(L, *bind_check_matrix(L, 2), 3);
}

int bind_document_translate(lua_State *L) {
    call_begin(L, BIND_TRANSLATE, 3);
    return motion_apply(L, kart_affine_translation(bind_check_vec(L, 2)), 3);
}
