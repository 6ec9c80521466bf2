#include "bonds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers from 0, high byte first. Of the wiki's page on the format, and of what is known of the
// engine: see docs/kmp.md.
typedef struct naming {
    kmp_kind kind;
    size_t offset, size, count; // of the numbers
    kmp_kind target;
    size_t type_at; // only where the byte there is `type`; SIZE_MAX: always
    int type;
} naming;

#define ALWAYS SIZE_MAX, 0

static const naming namings[] = {
    {KMP_ENPH, 0x02, 1, 12, KMP_ENPH, ALWAYS}, // 6 before, 6 behind
    {KMP_ITPH, 0x02, 1, 12, KMP_ITPH, ALWAYS}, {KMP_CKPH, 0x02, 1, 12, KMP_CKPH, ALWAYS},
    {KMP_CKPT, 0x10, 1, 1, KMP_JGPT, ALWAYS},  {KMP_GOBJ, 0x28, 2, 1, KMP_POTI, ALWAYS},
    {KMP_AREA, 0x02, 1, 1, KMP_CAME, 0x01, 0}, {KMP_AREA, 0x2C, 1, 1, KMP_POTI, 0x01, 3},
    {KMP_AREA, 0x2D, 1, 1, KMP_ENPT, 0x01, 4}, {KMP_CAME, 0x01, 1, 1, KMP_CAME, ALWAYS},
    {KMP_CAME, 0x03, 1, 1, KMP_POTI, ALWAYS},
};

// In settings of objects, which begin at 0x2A.
#define SETTING(number) (0x2A + 2 * ((number)-1))
static const struct {
    unsigned id;
    size_t offset;
    kmp_kind target;
} hidden[] = {
    {234, SETTING(1), KMP_POTI},  {420, SETTING(1), KMP_POTI},  {201, SETTING(5), KMP_POINT},
    {208, SETTING(1), KMP_POINT}, {209, SETTING(1), KMP_POINT}, {222, SETTING(1), KMP_POINT},
    {216, SETTING(2), KMP_POINT},
};

// Areas of type 10: from a checkpoint to another one; 0 and 0 are all of them.
enum { RANGE_TYPE = 10, RANGE_FIRST = 0x28, RANGE_LAST = 0x2A };

static const struct {
    kmp_kind points, groups;
} groupings[] = {{KMP_ENPT, KMP_ENPH}, {KMP_ITPT, KMP_ITPH}, {KMP_CKPT, KMP_CKPH}};

static uint32_t load(const uint8_t *row, size_t offset, size_t size) {
    return size == 1 ? row[offset] : (uint32_t)(row[offset] << 8 | row[offset + 1]);
}

static const uint8_t *row_of(const kmp_doc *doc, kmp_kind kind, size_t index) {
    return doc->tables[kind].rows + index * doc->tables[kind].stride;
}

static size_t place_of(const kmp_doc *doc, kmp_kind kind, uint32_t id) {
    for (size_t i = 0; i < doc->tables[kind].count; i++)
        if (doc->tables[kind].ids[i] == id) return i;
    return SIZE_MAX;
}

// The record that a number names now; 0: none.
static uint32_t named(const kmp_doc *doc, const bond *b, uint32_t raw) {
    const kmp_table *table = &doc->tables[b->target];
    size_t first = 0, count = table->count;
    bool none = b->target != KMP_POINT && raw == (b->size == 1 ? 0xFFu : 0xFFFFu);
    if (b->target == KMP_POINT) {
        // A route is two bytes of length and two more; the points of all stand in order.
        size_t route = place_of(doc, KMP_POTI, b->route);
        for (size_t i = 0; i < route; i++) first += load(row_of(doc, KMP_POTI, i), 0, 2);
        count = load(row_of(doc, KMP_POTI, route), 0, 2);
    }
    return none || raw >= count ? 0 : table->ids[first + raw];
}

// --- noting -----------------------------------------------------------------------------------

static void *grown(void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return items;
    *capacity = *capacity ? 2 * *capacity : 256;
    items = realloc(items, *capacity * size);
    if (!items) abort();
    return items;
}

static void add(bonds *b, const kmp_doc *doc, bond new, const uint8_t *row) {
    b->items = grown(b->items, b->count, &b->capacity, sizeof *b->items);
    new.raw = load(row, new.offset, new.size);
    new.to = named(doc, &new, new.raw);
    b->items[b->count++] = new;
}

static void note_object(bonds *b, const kmp_doc *doc, size_t index) {
    const uint8_t *row = row_of(doc, KMP_GOBJ, index);
    uint32_t id = doc->tables[KMP_GOBJ].ids[index], route = load(row, 0x28, 2), route_id = 0;
    if (route < doc->tables[KMP_POTI].count) route_id = doc->tables[KMP_POTI].ids[route];
    for (size_t h = 0; h < sizeof hidden / sizeof *hidden; h++)
        if ((load(row, 0, 2) & 0xFFF) == hidden[h].id &&
            (hidden[h].target != KMP_POINT || route_id != 0))
            add(b, doc, (bond){KMP_GOBJ, id, hidden[h].offset, 2, hidden[h].target, route_id, 0, 0},
                row);
}

static void note_range(bonds *b, const kmp_doc *doc, size_t index) {
    const uint8_t *row = row_of(doc, KMP_AREA, index);
    uint32_t id = doc->tables[KMP_AREA].ids[index];
    if (row[1] != RANGE_TYPE || (load(row, RANGE_FIRST, 2) == 0 && load(row, RANGE_LAST, 2) == 0))
        return;
    add(b, doc, (bond){KMP_AREA, id, RANGE_FIRST, 2, KMP_CKPT, 0, 0, 0}, row);
    add(b, doc, (bond){KMP_AREA, id, RANGE_LAST, 2, KMP_CKPT, 0, 0, 0}, row);
}

static void note_members(bonds *b, const kmp_doc *doc) {
    for (size_t k = 0; k < sizeof groupings / sizeof *groupings; k++) {
        const kmp_table *points = &doc->tables[groupings[k].points];
        const kmp_table *groups = &doc->tables[groupings[k].groups];
        for (size_t g = 0; g < groups->count; g++) {
            const uint8_t *row = row_of(doc, groupings[k].groups, g);
            for (size_t i = row[0]; i < (size_t)row[0] + row[1] && i < points->count; i++) {
                b->members =
                    grown(b->members, b->members_count, &b->members_capacity, sizeof *b->members);
                b->members[b->members_count++] =
                    (bond_member){groupings[k].points, points->ids[i], groups->ids[g]};
            }
        }
    }
}

bonds bonds_note(const kmp_doc *doc) {
    bonds b = {0};
    for (size_t n = 0; n < sizeof namings / sizeof *namings; n++) {
        const naming *m = &namings[n];
        const kmp_table *table = &doc->tables[m->kind];
        for (size_t i = 0; i < table->count; i++) {
            const uint8_t *row = row_of(doc, m->kind, i);
            if (m->type_at != SIZE_MAX && row[m->type_at] != m->type) continue;
            for (size_t v = 0; v < m->count; v++)
                add(&b, doc,
                    (bond){m->kind, table->ids[i], m->offset + v * m->size, m->size, m->target, 0,
                           0, 0},
                    row);
        }
    }
    for (size_t offset = 6; doc->tables[KMP_CAME].schema && offset < 8; offset++)
        add(&b, doc, (bond){KMP_CAME, 0, offset, 1, KMP_CAME, 0, 0, 0},
            doc->tables[KMP_CAME].header);
    for (size_t i = 0; i < doc->tables[KMP_GOBJ].count; i++) note_object(&b, doc, i);
    for (size_t i = 0; i < doc->tables[KMP_AREA].count; i++) note_range(&b, doc, i);
    note_members(&b, doc);
    b.checkpoints_count = doc->tables[KMP_CKPT].count;
    b.checkpoints = malloc((b.checkpoints_count + 1) * sizeof *b.checkpoints);
    if (!b.checkpoints) abort();
    for (size_t i = 0; i < b.checkpoints_count; i++)
        b.checkpoints[i] = doc->tables[KMP_CKPT].ids[i];
    return b;
}

void bonds_free(bonds *noted) {
    free(noted->items);
    free(noted->members);
    free(noted->checkpoints);
}

// --- judging ----------------------------------------------------------------------------------

static bool lives(const kmp_doc *doc, kmp_kind kind, uint32_t id) {
    return place_of(doc, kind, id) != SIZE_MAX;
}

// The end of a range of checkpoints whose own one is gone: that of what is left of the range.
static uint32_t range_end(const kmp_doc *doc, const bonds *before, uint32_t first, uint32_t last,
                          bool is_first) {
    uint32_t end = 0;
    for (uint32_t i = first; i <= last && !(is_first && end); i++)
        if (lives(doc, KMP_CKPT, before->checkpoints[i])) end = before->checkpoints[i];
    return end;
}

// The record that the number must name now.
static uint32_t expected(const kmp_doc *doc, const bonds *before, const bond *old) {
    if (!old->to || lives(doc, old->target, old->to)) return old->to;
    if (old->target != KMP_CKPT) return 0;
    bool is_first = old->offset == RANGE_FIRST;
    const bond *first = is_first ? old : old - 1, *last = is_first ? old + 1 : old;
    if (!first->to || !last->to) return 0; // no range
    return range_end(doc, before, first->raw, last->raw, is_first);
}

static bool bond_holds(const kmp_doc *doc, const bonds *before, const bond *old) {
    size_t at = old->from ? place_of(doc, old->kind, old->from) : 0;
    if (at == SIZE_MAX) return true; // gone, with its numbers
    const uint8_t *row = old->from ? row_of(doc, old->kind, at) : doc->tables[old->kind].header;
    uint32_t raw = load(row, old->offset, old->size);
    // Objects start somewhere: at the first point, if theirs is gone.
    if (old->target == KMP_POINT && !lives(doc, KMP_POTI, old->route)) return true;
    if (old->target == KMP_POINT && old->to && !lives(doc, KMP_POINT, old->to)) return raw == 0;
    return named(doc, old, raw) == expected(doc, before, old);
}

static bool member_holds(const kmp_doc *doc, const bond_member *old) {
    size_t k = 0;
    while (groupings[k].points != old->points) k++;
    size_t point = place_of(doc, old->points, old->point);
    size_t group = place_of(doc, groupings[k].groups, old->group);
    if (point == SIZE_MAX || group == SIZE_MAX) return true;
    const uint8_t *row = row_of(doc, groupings[k].groups, group);
    return point >= row[0] && point < (size_t)row[0] + row[1];
}

bool bonds_hold(const kmp_doc *doc, const bonds *before, bool relinked) {
    for (size_t i = 0; i < before->count; i++) {
        const bond *old = &before->items[i];
        if (relinked && old->kind == old->target && old->kind != KMP_CAME) continue;
        if (bond_holds(doc, before, old)) continue;
        printf("    record %u of %s: the number at 0x%02zX was %u and named %u\n", old->from,
               doc->tables[old->kind].schema->name, old->offset, old->raw, old->to);
        return false;
    }
    for (size_t i = 0; !relinked && i < before->members_count; i++) {
        if (member_holds(doc, &before->members[i])) continue;
        printf("    point %u is no longer in its group\n", before->members[i].point);
        return false;
    }
    return true;
}
