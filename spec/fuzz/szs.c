// Any bytes as a course: an error, or an archive that gives them back, knows its parts, can be
// edited, and whose result reads back. Bare archives of an even size are compressed here, so that
// what is inside of a stream changes, too.
#include "course/course.h"
#include "szs/folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void look(const szs_doc *doc) {
    kart_error error;
    course_main main = course_main_find(doc->files);
    for (size_t i = 0; i < doc->files->count; i++) {
        const char *what;
        course_role role = course_role_of(doc->files, main, i, &what);
        require((role == COURSE_SCENE) == (what != NULL));
        require((role == COURSE_KMP) == (i == main.kmp) && !u8_changed(doc->files, i));
    }
    if (!szs_folder_check(doc, &error)) require(error.code == KART_FORMAT && error.what[0]);
}

static bool edited(const kart_error *error) { return error->code == KART_LIMIT; }

// An edit of each kind, where the data says.
static void edit(szs_doc *doc, const uint8_t *data, size_t size) {
    kart_error error;
    u8_archive *files = doc->files;
    size_t node, at = size > 0 ? data[size / 2] % files->count : 0;
    const char *const paths[] = {"new", "obj/new.kcl", "a/b/c", "posteffect/a.blight"};
    if (!files->nodes[at].folder) require(u8_replace(files, at, data, size / 3, &error));
    if (!u8_add(files, paths[at % 4], data, size / 2, &node, &error)) require(edited(&error));
    if (!u8_add_folder(files, paths[(at + 1) % 4], &node, &error)) require(edited(&error));
    if (!u8_rename(files, at, "course.kmp", &error)) require(edited(&error));
    if (at % 3 == 0 && !u8_remove(files, at, &error)) require(edited(&error));
}

static void compare(const szs_doc *a, const szs_doc *b) {
    require(a->files->count == b->files->count && a->packed == b->packed);
    for (size_t i = 0; i < a->files->count; i++) {
        const u8_node *x = &a->files->nodes[i], *y = &b->files->nodes[i];
        require(x->folder == y->folder && strcmp(x->name, y->name) == 0 && x->parent == y->parent);
        require(x->folder ? x->end == y->end
                          : x->size == y->size &&
                                (x->size == 0 || memcmp(x->data, y->data, x->size) == 0));
    }
}

// Write, and read again what was written.
static void write_and_read(const szs_doc *doc) {
    size_t size;
    kart_error error;
    uint8_t *bytes = szs_serialize(doc, YAZ0_FAST, &size, &error);
    if (!bytes) {
        require(error.code == KART_LIMIT);
        return;
    }
    szs_doc *again = szs_parse(doc->ctx, bytes, size, &error);
    // A file may show so much of the archive that written out it compresses too well.
    require(again || error.code == KART_LIMIT);
    if (again) compare(doc, again);
    szs_free(again);
    kart_free(doc->ctx, bytes, size);
}

static void whole_life(kart_ctx *ctx, const uint8_t *data, size_t size) {
    kart_error error;
    szs_doc *doc = szs_parse(ctx, data, size, &error);
    if (!doc) {
        require(error.code == KART_FORMAT || error.code == KART_LIMIT ||
                error.code == KART_UNSUPPORTED);
        return;
    }
    size_t out_size;
    uint8_t *out = szs_serialize(doc, YAZ0_FAST, &out_size, NULL);
    require(out && out_size == size && memcmp(out, data, size) == 0);
    kart_free(ctx, out, out_size);
    look(doc);
    szs_doc *copy = szs_clone(doc, NULL);
    require(copy);
    edit(copy, data, size);
    write_and_read(copy);
    szs_free(copy);
    szs_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kart_ctx ctx;
    kart_ctx_init(&ctx);
    ctx.limit = (size_t)64 << 20; // a small stream may state 256 MB
    if (u8_detect(data, size) && size % 2 == 0) {
        size_t packed_size;
        uint8_t *packed =
            yaz0_encode(&ctx, data, size, &(yaz0_options){.level = YAZ0_FAST}, &packed_size, NULL);
        require(packed);
        whole_life(&ctx, packed, packed_size);
        kart_free(&ctx, packed, packed_size);
    } else {
        whole_life(&ctx, data, size);
    }
    require(ctx.used == 0);
    return 0;
}
