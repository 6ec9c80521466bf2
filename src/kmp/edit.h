// Editing that keeps references right.
//
// Whatever is inserted, removed or moved, every reference of the document still names the record it
// named before, those that hide in settings of objects and areas included; references to a removed
// record become none. Groups keep their points together. All operations are all-or-nothing: what
// would pass a limit of the format or of the engine is an error, and nothing has changed.
#ifndef KMP_EDIT_H
#define KMP_EDIT_H

#include "kmp/kmp.h"

#define KMP_GROUP_AUTO SIZE_MAX // the group of the point before, or the first one

// The engine freezes with more enemy or item points. [W]
#define KMP_POINTS_MOST 255

// Insert `count` records before index `at`. Points of a section with groups go to `group`, in which
// or at whose end `at` must lie; checkpoints are linked into their group. Groups come with no
// points yet. For the points of a route see below. Errors: limit, unsupported (no such section),
// memory.
bool kmp_edit_insert(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, size_t group,
                     kart_error *error);

// Remove records. With the last point its group goes; with a group its points go, but for those
// that another group holds, too; with a route its points go.
bool kmp_edit_remove(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error);

// Bring all records into a new order: the record at `order[i]` comes to place i. `order` is a
// permutation. Points may only change places within their group (limit otherwise); groups take
// their points along.
bool kmp_edit_reorder(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error);

// The points of one route, counted within it.
bool kmp_edit_route_insert(kmp_doc *doc, size_t route, size_t at, size_t count, kart_error *error);
bool kmp_edit_route_remove(kmp_doc *doc, size_t route, size_t at, size_t count, kart_error *error);
bool kmp_edit_route_reorder(kmp_doc *doc, size_t route, const size_t *order, kart_error *error);

// Split a group before its point `at` (counted within the group, from 1 to its length - 1): the new
// group comes behind it, takes over its next groups, and the two are linked.
bool kmp_edit_group_split(kmp_doc *doc, kmp_kind groups, size_t group, size_t at,
                          kart_error *error);

// Join `second` to the end of `first`: they must be linked to each other and to nothing else there.
bool kmp_edit_group_join(kmp_doc *doc, kmp_kind groups, size_t first, size_t second,
                         kart_error *error);

// Append the records of `other` (same game and layouts) of the sections for which `take` is true.
// References among them are kept, those to sections that are not taken become none; groups come
// only with their points (unsupported otherwise). Stage information and the first cameras stay the
// document's own.
bool kmp_edit_merge(kmp_doc *doc, const kmp_doc *other, const bool take[KMP_KINDS],
                    kart_error *error);

// Remove what nothing uses: routes and cameras that nothing in use names (cameras of types 0, 7 and
// 8 are found by their type), respawn points that no checkpoint names (not where there are no
// checkpoints: arenas choose for themselves), points that lie in no group. `removed` counts by
// kind.
bool kmp_edit_purge(kmp_doc *doc, size_t removed[KMP_KINDS], kart_error *error);

#endif
