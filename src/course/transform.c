// Points and collision of a course, transformed together.
#include "course/course.h"

static bool warn_stays(szs_doc *doc, size_t node, const char *what, const char *why,
                       kart_error *error) {
    kart_finding finding = {.rule = "member-stays",
                            .severity = KART_WARNING,
                            .section = "",
                            .index = doc->files->nodes[node].id,
                            .point = KART_NO_INDEX,
                            .field = ""};
    return kart_findings_add(doc->ctx, &doc->warnings, finding, error, "%s stays as it was%s", what,
                             why);
}

// Files that the map can't reach.
static bool report(szs_doc *doc, bool reflects, bool with_objects, kart_error *error) {
    course_main main = course_main_find(doc->files);
    for (size_t i = 1; i < doc->files->count; i++) {
        const char *what;
        course_role role = course_role_of(doc->files, main, i, &what);
        if (role == COURSE_SCENE &&
            !warn_stays(doc, i, what, reflects ? ": it still shows the old side" : "", error))
            return false;
        if (role == COURSE_OBJECT && reflects && !with_objects &&
            !warn_stays(doc, i, "an object's collision", ": it still has the old side", error))
            return false;
    }
    return true;
}

// Copies of documents under work, to be exchanged with them when all went well.
typedef struct copies {
    kcl_doc **items;
    size_t count;
} copies;

static bool copy_transform(copies *work, kcl_doc *kcl, const kart_affine *map, kart_error *error) {
    kcl_doc *copy = kcl_clone(kcl, error);
    if (!copy) return false;
    work->items[work->count++] = copy;
    return kcl_transform(copy, map, error);
}

static void exchange(kcl_doc *a, kcl_doc *b) {
    kcl_doc kept = *a;
    *a = *b;
    *b = kept;
}

bool course_transform(szs_doc *doc, const course_parts *parts, const kart_affine *map,
                      const kmp_transform_options *options, kart_error *error) {
    if (!parts->kmp && !parts->kcl)
        return kart_fail(error, KART_UNSUPPORTED, "there is no KMP and no KCL of the course in it");
    bool reflects = kart_affine_determinant(map) < 0;
    // An object's local x turns round under any reflection: forward and up stay. [affine.h]
    kart_affine sideways = kart_affine_mirror(0, 0);
    size_t objects = reflects && parts->objects ? parts->objects_count : 0;
    kart_ctx *ctx = doc->ctx;
    copies work = {kart_alloc(ctx, (objects + 1) * sizeof *work.items, error), 0};
    bool done = work.items && (!parts->kcl || copy_transform(&work, parts->kcl, map, error));
    for (size_t i = 0; done && i < objects; i++)
        done = copy_transform(&work, parts->objects[i], &sideways, error);
    size_t known = doc->warnings.count;
    done = done && report(doc, reflects, parts->objects, error) &&
           (!parts->kmp || kmp_transform(parts->kmp, map, options, error));
    if (!done) doc->warnings.count = known;
    for (size_t i = 0, from = parts->kcl ? 1 : 0; done && i < work.count; i++)
        exchange(i < from ? parts->kcl : parts->objects[i - from], work.items[i]);
    for (size_t i = 0; i < work.count; i++) kcl_free(work.items[i]);
    if (work.items) kart_free(ctx, work.items, (objects + 1) * sizeof *work.items);
    return done;
}
