// References between records, those that hide in settings of objects and areas among them.
#ifndef KMP_REFERENCE_H
#define KMP_REFERENCE_H

#include "kmp/kmp.h"

// One number of one record that names another record, where it means something.
typedef struct kmp_reference {
    kmp_kind kind; // of the record that holds it
    size_t index;  // KART_NO_INDEX: the section's header
    const uint8_t *row;
    const kmp_field *field;
    size_t i;        // which value of the field
    kmp_kind target; // what it names; KMP_POINT: a point of the route `route`
    size_t route;
    bool hidden;   // in a setting: the schema does not know it
    bool idle;     // named, but its record's type makes no use of it (a fixed camera's route)
    int64_t value; // as stored
} kmp_reference;

// The first point of a group: groups are ranges, and follow their points as such.
bool kmp_reference_is_group_start(const kmp_reference *reference);

// Does the number name no record at all? (Out of range is another matter.)
bool kmp_reference_is_none(const kmp_reference *reference);

// How many records it could name.
size_t kmp_reference_targets(const kmp_doc *doc, const kmp_reference *reference);

// Does it name a record that is not there, where that would matter?
bool kmp_reference_is_lost(const kmp_doc *doc, const kmp_reference *reference);

// Of a lost one: the rule that it breaks, and what is wrong with it in words. Both the reader of
// files and the check report it, and say the same.
const char *kmp_reference_rule(const kmp_reference *reference);
#define KMP_REFERENCE_TEXT 96
const char *kmp_reference_text(const kmp_doc *doc, const kmp_reference *reference,
                               char text[KMP_REFERENCE_TEXT]);

// What tools write for none in settings, which have no value of their own for it.
#define KMP_HIDDEN_NONE 0xFFFF

// The value for none. A start on a route has none: it is the first point then.
int64_t kmp_reference_none(const kmp_reference *reference);

// Let it name another record: an index, or the value for none. `doc` is the one it was visited in.
void kmp_reference_set(kmp_doc *doc, const kmp_reference *reference, int64_t value);

// Visit every reference of the document in the order of its records, groups' first points included.
// Return false to stop, which is then the result. Records must not be added or removed meanwhile;
// their numbers may be set.
typedef bool (*kmp_reference_fn)(void *user, const kmp_doc *doc, const kmp_reference *reference);
bool kmp_references_each(const kmp_doc *doc, kmp_reference_fn visit, void *user);

// Is the area a fall boundary for some checkpoints only? Those of LE-CODE may name the first and
// the last one; 0 and 0 means all of them.
bool kmp_area_has_range(const kmp_doc *doc, size_t area);

// Warn about every lost reference, but for hidden ones.
bool kmp_references_check(kmp_doc *doc, kart_error *error);

// Sections come in pairs of points and groups of them (ENPT and ENPH ...). KMP_NONE if there is
// none.
kmp_kind kmp_groups_of(kmp_kind points);
kmp_kind kmp_points_of(kmp_kind groups);

#endif
