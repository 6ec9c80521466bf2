// A course as a whole: the files of one track, in an archive, in a folder or side by side.
//
// All three are archives in memory (szs/szs.h); here is what their files are to a course, and what
// happens to them together.
#ifndef COURSE_COURSE_H
#define COURSE_COURSE_H

#include "kcl/kcl.h"
#include "kmp/transform.h"
#include "szs/szs.h"

typedef enum course_role {
    COURSE_OTHER,
    COURSE_KMP,    // the course's points: course.kmp, or the only .kmp at the top
    COURSE_KCL,    // its collision: course.kcl, or the only .kcl at the top
    COURSE_OBJECT, // any other .kcl: of an object that brings its own, in the object's space
    COURSE_SCENE   // shows or lights the course, and has a side
} course_role;

// Read a course. An archive is read as it is, a folder with all that lies in it. A .kmp or .kcl
// file comes with the one of the same name beside it, if there is one. NULL with error io, format,
// unsupported (a file of another kind), limit, memory or cancelled.
szs_doc *course_read(kart_ctx *ctx, const char *path, kart_error *error);

// The nodes of the course's KMP and KCL; SIZE_MAX where there is none.
typedef struct course_main {
    size_t kmp, kcl;
} course_main;
course_main course_main_find(const u8_archive *files);

// What a file is to the course that `main` belongs to. `what`, if not NULL, gets a phrase for
// COURSE_SCENE ("the course's model"), else NULL.
course_role course_role_of(const u8_archive *files, course_main main, size_t node,
                           const char **what);
const char *course_role_name(course_role role); // "kmp", ...; NULL for COURSE_OTHER

// Documents of a course that are transformed together; each may be NULL.
typedef struct course_parts {
    kmp_doc *kmp;
    kcl_doc *kcl;
    kcl_doc **objects; // collision of objects; NULL: it stays as it is
    size_t objects_count;
} course_parts;

// Transform points and collision. Objects' collision moves with its object; only a reflection
// changes it, in the object's own space, and only where `parts` has it. What shows the course can't
// follow: `doc` gets a warning (rule "member-stays", its index is the node's id) for each such
// file. All or nothing: on failure everything is as it was. Errors as of kmp_transform and
// kcl_transform; unsupported where there is neither KMP nor KCL.
bool course_transform(szs_doc *doc, const course_parts *parts, const kart_affine *map,
                      const kmp_transform_options *options, kart_error *error);

#endif
