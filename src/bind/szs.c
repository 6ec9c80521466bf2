// kart.szs: archives, and courses as a whole.
#include "bind/member.h"

#include "core/file.h"
#include "course/course.h"
#include "szs/folder.h"

#include <stdio.h>
#include <string.h>

szs_doc *bind_check_szs(lua_State *L, int index) {
    return bind_document_check(L, index, &bind_szs_documents);
}

static yaz0_level option_level(lua_State *L, int options) {
    static const struct {
        const char *name;
        yaz0_level level;
    } levels[] = {{"default", YAZ0_DEFAULT}, {"fast", YAZ0_FAST}, {"best", YAZ0_BEST}};
    if (!lua_istable(L, options) || lua_getfield(L, options, "level") == LUA_TNIL)
        return YAZ0_DEFAULT;
    const char *name = lua_tostring(L, -1);
    for (size_t i = 0; i < sizeof levels / sizeof *levels && name; i++)
        if (strcmp(levels[i].name, name) == 0) return levels[i].level;
    luaL_argerror(L, options, "option 'level': expected \"fast\", \"default\" or \"best\"");
    return YAZ0_DEFAULT;
}

// --- functions --------------------------------------------------------------------------------

static int szs_parse_bytes(lua_State *L) {
    size_t size;
    const char *data = luaL_checklstring(L, 1, &size);
    return bind_document_parse(L, &bind_szs_documents, NULL, (const uint8_t *)data, size,
                               KCL_GAMES);
}

static int szs_new_empty(lua_State *L) {
    static const char *const names[] = {"packed", NULL};
    bind_check_options(L, 1, names);
    bool packed = !lua_istable(L, 1) || lua_getfield(L, 1, "packed") == LUA_TNIL ||
                  bind_option_boolean(L, 1, "packed");
    kart_error error;
    bind_box *box = bind_document_push(L, &bind_szs_documents);
    szs_doc *doc = szs_new(bind_ctx(L), packed, &error);
    return bind_document_open(L, box, doc, NULL, &error);
}

static void bytes_release(kart_ctx *ctx, void *data, size_t size) { kart_free(ctx, data, size); }

// Push a block of C memory as a string, and free it; nil, message, code if it is NULL.
static int push_block(lua_State *L, bind_guard *guard, uint8_t *data, size_t size,
                      const kart_error *error) {
    if (!data) return bind_fail(L, NULL, error);
    *guard = (bind_guard){data, size, bytes_release};
    lua_pushlstring(L, (const char *)data, size);
    bind_guard_release(L, guard);
    return 1;
}

static int szs_decode(lua_State *L) {
    size_t size, out_size;
    const char *data = luaL_checklstring(L, 1, &size);
    bind_guard *guard = bind_guard_push(L, 0);
    kart_error error;
    uint8_t *out = yaz0_decode(bind_ctx(L), (const uint8_t *)data, size, YAZ0_SIZE_LIMIT, &out_size,
                               NULL, &error);
    return push_block(L, guard, out, out_size, &error);
}

static int szs_encode(lua_State *L) {
    static const char *const names[] = {"level", NULL};
    size_t size, out_size;
    const char *data = luaL_checklstring(L, 1, &size);
    bind_check_options(L, 2, names);
    const yaz0_options options = {.level = option_level(L, 2)};
    bind_guard *guard = bind_guard_push(L, 0);
    kart_error error;
    uint8_t *out =
        yaz0_encode(bind_ctx(L), (const uint8_t *)data, size, &options, &out_size, &error);
    return push_block(L, guard, out, out_size, &error);
}

int bind_course(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    kart_error error;
    bind_box *box = bind_document_push(L, &bind_szs_documents);
    szs_doc *doc = course_read(bind_ctx(L), path, &error);
    return bind_document_open(L, box, doc, path, &error);
}

// --- members ----------------------------------------------------------------------------------

// The node that argument 2 names; SIZE_MAX with error io if there is none.
static size_t check_node(lua_State *L, const szs_doc *doc, kart_error *error) {
    const char *path = luaL_checkstring(L, 2);
    size_t node = u8_find(doc->files, path);
    // The folder in which paths begin has no path itself.
    if (node == 0 || node == u8_top(doc->files)) node = SIZE_MAX;
    if (node == SIZE_MAX) kart_fail(error, KART_IO, "there is no \"%.80s\" in the archive", path);
    return node;
}

// The same for a file.
static size_t check_file(lua_State *L, const szs_doc *doc, kart_error *error) {
    size_t node = check_node(L, doc, error);
    if (node == SIZE_MAX || !doc->files->nodes[node].folder) return node;
    kart_fail(error, KART_IO, "\"%.80s\" is a folder", lua_tostring(L, 2));
    return SIZE_MAX;
}

// Results of an edit: the archive, or nil, message, code.
static int edited(lua_State *L, bool done, const kart_error *error) {
    if (!done) return bind_fail(L, NULL, error);
    lua_settop(L, 1);
    return 1;
}

static int doc_list(lua_State *L) {
    kart_error error;
    bind_check_szs(L, 1);
    if (!bind_members_settle(L, 1, &error)) return bind_fail(L, NULL, &error);
    course_main main = course_main_find(bind_check_szs(L, 1)->files);
    lua_newtable(L);
    lua_Integer number = 0;
    const szs_doc *doc;
    for (size_t i = 1; doc = bind_check_szs(L, 1), i < doc->files->count; i++) {
        char path[BIND_MEMBER_PATH_SIZE];
        const u8_node *node = &doc->files->nodes[i];
        if (i == u8_top(doc->files)) continue;
        int64_t size = (int64_t)node->size;
        bool folder = node->folder, changed = u8_changed(doc->files, i);
        const char *role = course_role_name(course_role_of(doc->files, main, i, NULL));
        const char *name = bind_member_path(doc, i, path);
        lua_createtable(L, 0, 5);
        bind_set_string(L, "path", name);
        bind_set_string(L, "role", role);
        lua_pushboolean(L, folder);
        lua_setfield(L, -2, "folder");
        lua_pushboolean(L, changed);
        lua_setfield(L, -2, "changed");
        if (!folder) bind_set_integer(L, "size", size);
        lua_rawseti(L, -2, ++number);
    }
    return 1;
}

static int doc_read(lua_State *L) {
    kart_error error;
    const szs_doc *doc = bind_check_szs(L, 1);
    size_t node = check_file(L, doc, &error);
    if (node == SIZE_MAX || !bind_members_settle(L, 1, &error)) return bind_fail(L, NULL, &error);
    lua_pushlstring(L, (const char *)doc->files->nodes[node].data, doc->files->nodes[node].size);
    return 1;
}

static int doc_open(lua_State *L) {
    static const char *const names[] = {"game", NULL};
    kart_error error;
    const szs_doc *doc = bind_check_szs(L, 1);
    bind_check_options(L, 3, names);
    kcl_game game = bind_option_game(L, 3);
    size_t node = check_file(L, doc, &error);
    if (node == SIZE_MAX || !bind_member_open(L, 1, node, game, &error))
        return bind_fail(L, NULL, &error);
    return 1;
}

static int doc_replace(lua_State *L) {
    size_t size;
    kart_error error;
    const char *data = luaL_checklstring(L, 3, &size);
    szs_doc *doc = bind_check_szs(L, 1);
    size_t node = check_file(L, doc, &error);
    bool done =
        node != SIZE_MAX && u8_replace(doc->files, node, (const uint8_t *)data, size, &error);
    if (done) bind_member_release(L, 1, node);
    return edited(L, done, &error);
}

// add(path, bytes): a file; add(path): a folder.
static int doc_add(lua_State *L) {
    size_t size = 0, node;
    kart_error error;
    const char *path = luaL_checkstring(L, 2), *data = luaL_optlstring(L, 3, NULL, &size);
    szs_doc *doc = bind_check_szs(L, 1);
    bool done = data ? u8_add(doc->files, path, (const uint8_t *)data, size, &node, &error)
                     : u8_add_folder(doc->files, path, &node, &error);
    return edited(L, done, &error);
}

static int doc_remove(lua_State *L) {
    kart_error error;
    szs_doc *doc = bind_check_szs(L, 1);
    size_t node = check_node(L, doc, &error);
    return edited(L, node != SIZE_MAX && u8_remove(doc->files, node, &error), &error);
}

static int doc_rename(lua_State *L) {
    kart_error error;
    const char *name = luaL_checkstring(L, 3);
    szs_doc *doc = bind_check_szs(L, 1);
    size_t node = check_node(L, doc, &error);
    return edited(L, node != SIZE_MAX && u8_rename(doc->files, node, name, &error), &error);
}

static int doc_extract(lua_State *L) {
    kart_error error;
    const char *path = luaL_checkstring(L, 2);
    const szs_doc *doc = bind_check_szs(L, 1);
    if (!bind_members_settle(L, 1, &error)) return bind_fail(L, NULL, &error);
    if (!szs_folder_write(doc, path, &error)) return bind_fail(L, path, &error);
    lua_pushboolean(L, true);
    return 1;
}

// --- properties -------------------------------------------------------------------------------

// Push the document of a member that must be of this kind; false with error, nothing is pushed.
static bool part_open(lua_State *L, size_t node, const bind_document *kind, kart_error *error) {
    char path[BIND_MEMBER_PATH_SIZE];
    const char *name = bind_member_path(bind_check_szs(L, 1), node, path);
    const bind_box *box = bind_member_open(L, 1, node, KCL_GAMES, error);
    if (!box || box->kind == kind) return box;
    lua_pop(L, 1);
    return kart_fail(error, KART_FORMAT, "%.120s: it holds a %s", name, box->kind->type->noun);
}

// The document of the course's KMP or KCL; nil if there is none. Raises when it is damaged.
static int push_part(lua_State *L, size_t node, const bind_document *kind) {
    kart_error error;
    if (node == SIZE_MAX) return 0;
    if (part_open(L, node, kind, &error)) return 1;
    bind_fail(L, NULL, &error);
    return luaL_error(L, "%s", lua_tostring(L, -2));
}

static course_main check_main(lua_State *L) {
    return course_main_find(bind_check_szs(L, 1)->files);
}

// --- check ------------------------------------------------------------------------------------

// Check the document at stack index `doc`, if there is one, with the options on top of the stack,
// which are popped; add its findings to the list at 3, each with its member. False with what to
// return on the stack, 3 values.
static bool part_check(lua_State *L, int doc, size_t node) {
    char path[BIND_MEMBER_PATH_SIZE];
    if (lua_isnil(L, doc)) {
        lua_pop(L, 1);
        return true;
    }
    lua_getfield(L, doc, "check");
    lua_pushvalue(L, doc);
    lua_rotate(L, -3, -1); // the options go last
    lua_call(L, 2, 3);
    const char *member = bind_member_path(bind_check_szs(L, 1), node, path);
    if (lua_isnil(L, -3)) {
        lua_pushfstring(L, "%s: %s", member, lua_tostring(L, -2));
        lua_replace(L, -3);
        return false;
    }
    lua_pop(L, 2);
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
        bind_set_string(L, "member", member);
        lua_rawseti(L, 3, (lua_Integer)lua_rawlen(L, 3) + 1);
    }
    lua_pop(L, 2);
    return true;
}

// check{ arena = }: of the points, with the collision that they stand on, then of the collision.
static int doc_check(lua_State *L) {
    static const char *const names[] = {"arena", NULL};
    kart_error error;
    bind_check_options(L, 2, names);
    lua_settop(L, 2);
    const course_main main = check_main(L);
    if (main.kmp == SIZE_MAX && main.kcl == SIZE_MAX) {
        kart_fail(&error, KART_UNSUPPORTED, "there is neither a KMP nor a KCL to check");
        return bind_fail(L, NULL, &error);
    }
    lua_newtable(L); // at 3
    const size_t nodes[] = {main.kmp, main.kcl};
    const bind_document *const kinds[] = {&bind_kmp_documents, &bind_kcl_documents};
    for (size_t i = 0; i < 2; i++) { // at 4 and 5
        if (nodes[i] == SIZE_MAX)
            lua_pushnil(L);
        else if (!part_open(L, nodes[i], kinds[i], &error))
            return bind_fail(L, NULL, &error);
    }
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, 5);
    lua_setfield(L, -2, "collision");
    if (!lua_isnil(L, 2)) {
        lua_getfield(L, 2, "arena");
        lua_setfield(L, -2, "arena");
    }
    if (!part_check(L, 4, main.kmp)) return 3;
    lua_pushnil(L); // a KCL takes no options
    if (!part_check(L, 5, main.kcl)) return 3;
    lua_settop(L, 3);
    return 1;
}

static int doc_kmp(lua_State *L) { return push_part(L, check_main(L).kmp, &bind_kmp_documents); }
static int doc_kcl(lua_State *L) { return push_part(L, check_main(L).kcl, &bind_kcl_documents); }

// The paths of other KCL members.
static int doc_objects(lua_State *L) {
    char path[BIND_MEMBER_PATH_SIZE];
    const szs_doc *doc = bind_check_szs(L, 1);
    course_main main = check_main(L);
    lua_newtable(L);
    for (size_t i = 1; i < doc->files->count; i++)
        if (course_role_of(doc->files, main, i, NULL) == COURSE_OBJECT)
            bind_add_name(L, bind_member_path(doc, i, path));
    return 1;
}

static int doc_origin(lua_State *L) {
    static const char *const names[] = {
        [SZS_ARCHIVE] = "archive", [SZS_FOLDER] = "folder", [SZS_LOOSE] = "files"};
    lua_pushstring(L, names[bind_check_szs(L, 1)->origin]);
    return 1;
}

static int doc_packed(lua_State *L) {
    lua_pushboolean(L, bind_check_szs(L, 1)->packed);
    return 1;
}

// The node that a warning is about, wherever it stands by now; SIZE_MAX if it is gone.
static size_t node_of_id(const u8_archive *files, size_t id) {
    for (size_t i = 0; i < files->count; i++)
        if (files->nodes[i].id == id) return i;
    return SIZE_MAX;
}

// Warnings of the archive, then those of its open documents, each with its member.
static int doc_warnings(lua_State *L) {
    char path[BIND_MEMBER_PATH_SIZE];
    const szs_doc *doc;
    lua_Integer number = 0;
    lua_newtable(L);
    for (size_t i = 0; doc = bind_check_szs(L, 1), i < doc->warnings.count; i++) {
        kart_finding finding = doc->warnings.items[i];
        size_t about = node_of_id(doc->files, finding.index);
        const char *member = about != SIZE_MAX ? bind_member_path(doc, about, path) : NULL;
        finding.index = KART_NO_INDEX;
        bind_push_finding(L, &finding, member);
        lua_rawseti(L, 2, ++number);
    }
    for (size_t i = 0; doc = bind_check_szs(L, 1), i < doc->files->count; i++) {
        const bind_box *box = bind_member_get(L, 1, i);
        if (!box) continue;
        const char *member = bind_member_path(doc, i, path);
        const kart_findings *findings;
        for (size_t w = 0;
             box->doc && (findings = box->kind->warnings(box->doc), w < findings->count); w++) {
            kart_finding finding = findings->items[w];
            bind_push_finding(L, &finding, member);
            lua_rawseti(L, 2, ++number);
        }
        lua_pop(L, 1);
    }
    return 1;
}

static int doc_newindex(lua_State *L) {
    szs_doc *doc = bind_check_szs(L, 1);
    const char *name = luaL_tolstring(L, 2, NULL);
    if (strcmp(name, "packed") != 0) return luaL_error(L, "szs.%s can't be assigned", name);
    luaL_argexpected(L, lua_isboolean(L, 3), 3, "boolean");
    doc->packed = lua_toboolean(L, 3);
    return 0;
}

static int doc_tostring(lua_State *L) {
    const bind_box *box = luaL_checkudata(L, 1, bind_szs.name);
    const szs_doc *doc = box->doc;
    if (!doc || box->closed) {
        lua_pushliteral(L, "szs (closed)");
        return 1;
    }
    size_t files = 0;
    for (size_t i = 0; i < doc->files->count; i++) files += !doc->files->nodes[i].folder;
    lua_pushfstring(L, "szs (%s%d file%s)", doc->packed ? "" : "not compressed, ", (int)files,
                    files == 1 ? "" : "s");
    return 1;
}

const luaL_Reg bind_szs_functions[] = {{"parse", szs_parse_bytes},
                                       {"new", szs_new_empty},
                                       {"decode", szs_decode},
                                       {"encode", szs_encode},
                                       {NULL, NULL}};
static const luaL_Reg methods[] = {BIND_DOCUMENT_METHODS,
                                   {"add", doc_add},
                                   {"check", doc_check},
                                   {"extract", doc_extract},
                                   {"list", doc_list},
                                   {"open", doc_open},
                                   {"read", doc_read},
                                   {"remove", doc_remove},
                                   {"rename", doc_rename},
                                   {"replace", doc_replace},
                                   {NULL, NULL}};
static const luaL_Reg properties[] = {{"kcl", doc_kcl},
                                      {"kmp", doc_kmp},
                                      {"objects", doc_objects},
                                      {"origin", doc_origin},
                                      {"packed", doc_packed},
                                      {"warnings", doc_warnings},
                                      {NULL, NULL}};
static const luaL_Reg metamethods[] = {{"__gc", bind_document_collect},
                                       {"__close", bind_document_close},
                                       {"__newindex", doc_newindex},
                                       {"__tostring", doc_tostring},
                                       {NULL, NULL}};

const bind_type bind_szs = {.name = "kart.szs",
                            .noun = "szs",
                            .methods = methods,
                            .properties = properties,
                            .metamethods = metamethods};

// --- what bind/document.c needs ---------------------------------------------------------------

static void *document_parse(kart_ctx *ctx, const uint8_t *data, size_t size, kcl_game game,
                            kart_error *error) {
    (void)game; // members have games
    return szs_parse(ctx, data, size, error);
}

static uint8_t *document_serialize(lua_State *L, int options, const void *doc, size_t *size,
                                   kart_error *error) {
    return szs_serialize(doc, option_level(L, options), size, error);
}

// Open what takes part. False with error if something is damaged.
static bool parts_open(lua_State *L, bool with_objects, kart_error *error) {
    course_main main = course_main_find(bind_check_szs(L, 1)->files);
    const u8_archive *files;
    for (size_t i = 0; files = bind_check_szs(L, 1)->files, i < files->count; i++) {
        course_role role = course_role_of(files, main, i, NULL);
        if (role != COURSE_KMP && role != COURSE_KCL && !(role == COURSE_OBJECT && with_objects))
            continue;
        const bind_document *kind = role == COURSE_KMP ? &bind_kmp_documents : &bind_kcl_documents;
        if (!part_open(L, i, kind, error)) return false;
        lua_pop(L, 1);
    }
    return true;
}

// `most`: of the objects. A finalizer may have added some meanwhile.
static void parts_get(lua_State *L, size_t most, course_parts *parts) {
    const u8_archive *files = bind_check_szs(L, 1)->files;
    course_main main = course_main_find(files);
    for (size_t i = 0; i < files->count; i++) {
        const bind_box *box = bind_member_get(L, 1, i);
        if (!box) continue;
        course_role role = course_role_of(files, main, i, NULL);
        if (role == COURSE_KMP && box->kind == &bind_kmp_documents) parts->kmp = box->doc;
        if (box->kind == &bind_kcl_documents) {
            if (role == COURSE_KCL) parts->kcl = box->doc;
            if (role == COURSE_OBJECT && parts->objects_count < most)
                parts->objects[parts->objects_count++] = box->doc;
        }
        lua_pop(L, 1);
    }
}

static bool document_transform(lua_State *L, const kart_affine *map, int options,
                               kart_error *error) {
    bool with_objects = bind_option_boolean(L, options, "object_kcl");
    kmp_transform_options values = bind_kmp_transform_options(L, options);
    if (!parts_open(L, with_objects, error)) return false;
    course_parts parts = {0};
    size_t most = with_objects ? bind_check_szs(L, 1)->files->count : 0;
    if (with_objects) parts.objects = lua_newuserdatauv(L, most * sizeof *parts.objects, 0);
    parts_get(L, most, &parts);
    return course_transform(bind_check_szs(L, 1), &parts, map, &values, error);
}

BIND_DOCUMENT_FUNCTIONS(szs)

const bind_document bind_szs_documents = {
    BIND_DOCUMENT_NAMES(szs), .type = &bind_szs,
    .options = {[BIND_BYTES] = BIND_OPTIONS("level"),
                [BIND_MIRROR] = BIND_OPTIONS("at", "object_kcl"),
                [BIND_ROTATE] = BIND_OPTIONS("origin", "height"),
                [BIND_SCALE] = BIND_OPTIONS("origin", "scale_speeds", "scale_objects"),
                [BIND_TRANSFORM] = BIND_OPTIONS("origin", "height", "scale_speeds", "scale_objects",
                                                "object_kcl")},
    .transform = document_transform, .settle = bind_members_settle};
