// Who names whom in a KMP of Mario Kart Wii, read from the bytes of its records by the format's
// description alone, so that what an edit does to references can be judged by somebody else.
#ifndef BONDS_H
#define BONDS_H

#include "kmp/kmp.h"

// A number that names a record, by identities.
typedef struct bond {
    kmp_kind kind;
    uint32_t from; // the record that holds the number; 0: the section's header
    size_t offset, size;
    kmp_kind target;
    uint32_t route; // KMP_POINT: whose points
    uint32_t raw;   // the number
    uint32_t to;    // the record that it names; 0: none, or one that isn't there
} bond;

// A point and the group that holds it.
typedef struct bond_member {
    kmp_kind points;
    uint32_t point, group;
} bond_member;

typedef struct bonds {
    bond *items;
    bond_member *members;
    uint32_t *checkpoints; // in their order
    size_t count, capacity, members_count, members_capacity, checkpoints_count;
} bonds;

bonds bonds_note(const kmp_doc *doc);
void bonds_free(bonds *noted);

// After an edit: does every number name the record that it named, or none if that is gone, and is
// every point in its group? `relinked`: groups were split or joined, and have other neighbours and
// points. Prints what is wrong.
bool bonds_hold(const kmp_doc *doc, const bonds *before, bool relinked);

#endif
