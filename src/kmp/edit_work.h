// Internal to editing: the steps that operations are made of. They work on a clone that is thrown
// away when one of them fails, so none of them undoes anything.
#ifndef KMP_EDIT_WORK_H
#define KMP_EDIT_WORK_H

#include "kmp/kmp.h"

// Checkpoints are linked in the order of their group. Which groups are so linked is noted before an
// edit, and their links are written anew after it.
typedef struct kmp_work {
    kmp_doc *doc;     // the clone
    uint32_t *chains; // those groups, by identity
    size_t chains_count, chains_capacity;
} kmp_work;

bool kmp_work_begin(const kmp_doc *doc, kmp_work *work, kart_error *error);
// The clone takes the place of `doc` if all was `done` so far, and what is left to do goes well.
bool kmp_work_end(kmp_doc *doc, kmp_work *work, bool done, kart_error *error);

// A map of indices, the identity at first.
size_t *kmp_work_map(const kmp_doc *doc, size_t count, kart_error *error);
void kmp_work_map_free(const kmp_doc *doc, size_t *to, size_t count);

// Let all references to `target` follow a map of indices; SIZE_MAX is removed. `growth`: records
// more (or fewer) than before, for the numbers that lie out of range.
bool kmp_work_renumber(kmp_doc *doc, kmp_kind target, size_t route, const size_t *to, size_t count,
                       int64_t growth, kart_error *error);

// The operations without the care for all-or-nothing and chains.
bool kmp_work_insert(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, size_t group,
                     kart_error *error);
bool kmp_work_remove(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error);
bool kmp_work_reorder(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error);

// --- rows (table.c) ---------------------------------------------------------------------------

void kmp_rows_remove(kmp_doc *doc, kmp_kind kind, size_t at, size_t count);
// Routes take their points along.
bool kmp_rows_reorder(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error);
// Bring `count` rows behind `middle` before those from `first` to `middle`.
bool kmp_rows_rotate(kmp_doc *doc, kmp_kind kind, size_t first, size_t middle, size_t count,
                     kart_error *error);

// --- groups (edit_group.c) --------------------------------------------------------------------

typedef struct kmp_span {
    size_t start, end; // points, cut off at the end of the section
} kmp_span;

kmp_span kmp_group_span(const kmp_doc *doc, kmp_kind groups, size_t group);
size_t kmp_groups_holding(const kmp_doc *doc, kmp_kind groups, size_t point);

// Ranges of groups as points are inserted (before the rows are) or removed (likewise).
bool kmp_work_groups_open(kmp_doc *doc, kmp_kind points, size_t at, size_t count, size_t group,
                          kart_error *error);
void kmp_work_groups_close(kmp_doc *doc, kmp_kind points, size_t at, size_t count);

// New groups begin where the one before them ends.
void kmp_work_groups_place(kmp_doc *doc, kmp_kind groups, size_t at, size_t count);
bool kmp_work_groups_reorder(kmp_doc *doc, kmp_kind groups, const size_t *order, kart_error *error);

// Does an order of points keep every group's points together? Error limit if not.
bool kmp_groups_keep(const kmp_doc *doc, kmp_kind groups, const size_t *order, kart_error *error);

// --- the links of checkpoints (edit_work.c) ---------------------------------------------------

// What the link of a point in a group in order is. A byte can't name what lies beyond 255: none.
int64_t kmp_chain_link(kmp_span span, size_t point, bool forward);
// Of one group, whatever it was before. Error limit where a byte can't name a neighbour.
bool kmp_chain_write(kmp_doc *doc, size_t group, kart_error *error);

#endif
