// Courses from archives, folders and files side by side.
#include "core/file.h"
#include "core/os.h"
#include "course/course.h"
#include "szs/folder.h"

#include <stdio.h>
#include <string.h>

// Add the file at `path`, under its name.
static bool file_add(szs_doc *doc, const char *path, kart_error *error) {
    const char *slash = strrchr(path, '/');
    size_t size, node;
    uint8_t *data = kart_file_read(doc->ctx, path, U8_FILE_LIMIT, &size, error);
    if (!data) return false;
    bool done = u8_add(doc->files, slash ? slash + 1 : path, data, size, &node, error);
    kart_free(doc->ctx, data, size);
    return done;
}

// A file and the other one of the pair, whose name ends with `partner` instead of `length` bytes.
static szs_doc *pair_read(kart_ctx *ctx, const char *path, size_t length, const char *partner,
                          kart_error *error) {
    char other[OS_PATH_MAX];
    szs_doc *doc = szs_new(ctx, true, error);
    if (!doc) return NULL;
    doc->origin = SZS_LOOSE;
    snprintf(other, sizeof other, "%.*s%s", (int)(strlen(path) - length), path, partner);
    bool done = file_add(doc, path, error) &&
                (os_path_kind(other) != OS_FILE || file_add(doc, other, error)) &&
                szs_settle(doc, error);
    if (done) return doc;
    szs_free(doc);
    return NULL;
}

static const struct {
    const char *ending, *partner;
} pairs[] = {{".kmp", ".kcl"}, {".KMP", ".KCL"}, {".kcl", ".kmp"}, {".KCL", ".KMP"}};

szs_doc *course_read(kart_ctx *ctx, const char *path, kart_error *error) {
    size_t length = strlen(path), size;
    if (os_path_kind(path) == OS_FOLDER) return szs_folder_read(ctx, path, error);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && length < OS_PATH_MAX; i++) {
        size_t end = strlen(pairs[i].ending);
        if (length > end && strcmp(path + length - end, pairs[i].ending) == 0)
            return pair_read(ctx, path, end, pairs[i].partner, error);
    }
    uint8_t *data = kart_file_read(ctx, path, KART_FILE_LIMIT, &size, error);
    if (!data) return NULL;
    szs_doc *doc = NULL;
    const char *other = szs_other_kind(data, size);
    if (szs_detect(data, size)) {
        doc = szs_parse(ctx, data, size, error);
    } else {
        kart_fail_at(error, "", 0, "not a course", "an archive (szs, arc), a folder, a KMP or KCL",
                     "%s", other ? other : "another file");
        if (other && error) error->code = KART_UNSUPPORTED;
    }
    kart_free(ctx, data, size);
    return doc;
}
