// Inserting, removing and reordering records, and what that means for those who name them.
#include "kmp/edit.h"

#include "kmp/edit_work.h"
#include "kmp/reference.h"
#include "kmp/table.h"

#include <string.h>

// --- renumbering ------------------------------------------------------------------------------

typedef struct renumbering {
    kmp_doc *doc;
    kmp_kind target;
    size_t route;     // KMP_POINT: whose points
    const size_t *to; // new index of every old one, SIZE_MAX for removed
    size_t count;
    int64_t growth; // of the section: what lies out of range stays as far out of it
    bool write;     // else only look whether all fit
    kart_error *error;
} renumbering;

// One end of a range of records. If its record goes, that of what is left of the range: the next
// one `inward`, 1 or -1; 0 if there is no range.
static int64_t range_end(const renumbering *n, int64_t value, int inward) {
    if (value == KMP_HIDDEN_NONE) return KMP_HIDDEN_NONE;
    if ((uint64_t)value >= n->count)
        return value + n->growth < KMP_HIDDEN_NONE ? value + n->growth : KMP_HIDDEN_NONE;
    for (size_t i = (size_t)value; i < n->count; i += (size_t)inward) {
        if (n->to[i] != SIZE_MAX) return (int64_t)n->to[i];
        if (inward == 0) break;
    }
    return KMP_HIDDEN_NONE;
}

// The range of checkpoints of a fall boundary. Both ends at once, when the first one is visited.
static bool range_renumber(const renumbering *n, const kmp_reference *r) {
    const kmp_field *fields = n->doc->tables[r->kind].schema->fields;
    const kmp_field *field = kmp_field_find(fields, "setting_2");
    if (r->field == field) return true;
    kmp_reference last_end = *r;
    last_end.field = field;
    last_end.value = kmp_get_int(n->doc, r->row, field, 0);
    // Where an end is not there, or they are inside out, they are but two references.
    bool ranges = r->value <= last_end.value && (uint64_t)last_end.value < n->count;
    int64_t first = range_end(n, r->value, ranges), last = range_end(n, last_end.value, -ranges);
    bool cut = ranges && (n->to[r->value] == SIZE_MAX || n->to[last_end.value] == SIZE_MAX);
    if (cut && (last == KMP_HIDDEN_NONE || first > last)) first = last = KMP_HIDDEN_NONE;
    if (first == 0 && last == 0)
        return kart_fail(n->error, KART_LIMIT,
                         "area %zu would keep the first checkpoint alone: 0 and 0 means all",
                         r->index + 1);
    if (!n->write) return true;
    kmp_reference_set(n->doc, r, first);
    kmp_reference_set(n->doc, &last_end, last);
    return true;
}

static bool reference_renumber(void *user, const kmp_doc *doc, const kmp_reference *r) {
    const renumbering *n = user;
    (void)doc;
    if (r->target != n->target || (n->target == KMP_POINT && r->route != n->route)) return true;
    // Groups follow their points as ranges, see edit_group.c.
    if (kmp_reference_is_group_start(r)) return true;
    if (r->hidden && r->target == KMP_CKPT) return range_renumber(n, r);
    if (kmp_reference_is_none(r)) return true;
    int64_t most = r->field->none > 0 ? r->field->none - 1 : r->field->high;
    bool inside = (uint64_t)r->value < n->count;
    int64_t value;
    if (!inside) {
        value = r->value + n->growth;
        if (value > most) value = kmp_reference_none(r);
    } else if (n->to[r->value] == SIZE_MAX) {
        value = kmp_reference_none(r);
    } else {
        value = (int64_t)n->to[r->value];
        if (value > most)
            return kart_fail(n->error, KART_LIMIT,
                             "%s.%s could not name %s %lld any more, %lld is the last it can",
                             n->doc->tables[r->kind].schema->name, r->field->name,
                             n->doc->tables[r->target].schema->name, (long long)value + 1,
                             (long long)most + 1);
    }
    if (n->write && value != r->value) kmp_reference_set(n->doc, r, value);
    return true;
}

bool kmp_work_renumber(kmp_doc *doc, kmp_kind target, size_t route, const size_t *to, size_t count,
                       int64_t growth, kart_error *error) {
    renumbering n = {doc, target, route, to, count, growth, false, error};
    if (!kmp_references_each(doc, reference_renumber, &n)) return false;
    n.write = true;
    return kmp_references_each(doc, reference_renumber, &n);
}

// Renumber as `count` new records at `at` want it, or removed ones.
static bool shift_references(kmp_doc *doc, kmp_kind kind, size_t route, size_t total, size_t at,
                             size_t inserted, size_t removed, kart_error *error) {
    size_t *to = kmp_work_map(doc, total, error);
    if (!to) return false;
    for (size_t i = at; i < total; i++)
        to[i] = i < at + removed ? SIZE_MAX : i - removed + inserted;
    bool done =
        kmp_work_renumber(doc, kind, route, to, total, (int64_t)inserted - (int64_t)removed, error);
    kmp_work_map_free(doc, to, total);
    return done;
}

static bool check_section(const kmp_doc *doc, kmp_kind kind, kart_error *error) {
    const kmp_schema *schema = doc->tables[kind].schema;
    if (schema && schema->header_size == 8 && schema->record_size > 0) return true;
    return kart_fail(error, KART_UNSUPPORTED, "%s",
                     schema ? "records of this section can't be added or removed in this version"
                            : "the file has no such section");
}

// --- inserting --------------------------------------------------------------------------------

bool kmp_work_insert(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, size_t group,
                     kart_error *error) {
    kmp_kind groups = kmp_groups_of(kind);
    size_t total = doc->tables[kind].count;
    bool limited = kind == KMP_ENPT || kind == KMP_ITPT;
    if (limited && doc->game == KMP_MKW && count > 0 && total + count > KMP_POINTS_MOST)
        return kart_fail(error, KART_LIMIT, "%s: more than %d points freeze the game",
                         doc->tables[kind].schema->name, KMP_POINTS_MOST);
    if (!shift_references(doc, kind, 0, total, at, count, 0, error)) return false;
    if (groups != KMP_NONE && !kmp_work_groups_open(doc, kind, at, count, group, error))
        return false;
    if (!kmp_insert(doc, kind, at, count, error)) return false;
    if (kmp_points_of(kind) != KMP_NONE) kmp_work_groups_place(doc, kind, at, count);
    return true;
}

bool kmp_edit_insert(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, size_t group,
                     kart_error *error) {
    kmp_work w;
    if (!check_section(doc, kind, error) || !kmp_work_begin(doc, &w, error)) return false;
    return kmp_work_end(doc, &w, kmp_work_insert(w.doc, kind, at, count, group, error), error);
}

// --- removing ---------------------------------------------------------------------------------

// Remove records and renumber; groups, chains and routes are the callers' business.
bool kmp_work_remove(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error) {
    if (!shift_references(doc, kind, 0, doc->tables[kind].count, at, 0, count, error)) return false;
    if (kmp_groups_of(kind) != KMP_NONE) kmp_work_groups_close(doc, kind, at, count);
    if (kind == KMP_POTI)
        for (size_t i = 0; i < count; i++)
            if (!kmp_route_resize(doc, at + i, 0, error)) return false;
    kmp_rows_remove(doc, kind, at, count);
    return kind != KMP_POTI || kmp_routes_index(doc, error);
}

static bool remove_groups(kmp_doc *doc, kmp_kind groups, size_t at, size_t count,
                          kart_error *error) {
    kmp_kind points = kmp_points_of(groups);
    for (size_t g = at + count; g-- > at;) {
        // Their own points go with them, from the back so that places stay true.
        kmp_span span = kmp_group_span(doc, groups, g);
        for (size_t i = span.end; i-- > span.start;)
            if (kmp_groups_holding(doc, groups, i) == 1 &&
                !kmp_work_remove(doc, points, i, 1, error))
                return false;
        if (!kmp_work_remove(doc, groups, g, 1, error)) return false;
    }
    return true;
}

// Groups that have lost their last point go.
static bool remove_emptied(kmp_doc *doc, kmp_kind groups, const uint8_t *was_empty,
                           kart_error *error) {
    for (size_t g = doc->tables[groups].count; g-- > 0;) {
        kmp_span span = kmp_group_span(doc, groups, g);
        if (span.start == span.end && !was_empty[g] && !kmp_work_remove(doc, groups, g, 1, error))
            return false;
    }
    return true;
}

static bool remove_points(kmp_doc *doc, kmp_kind kind, kmp_kind groups, size_t at, size_t count,
                          kart_error *error) {
    size_t total = doc->tables[groups].count;
    uint8_t *was_empty = kart_alloc(doc->ctx, total, error);
    if (!was_empty) return false;
    for (size_t g = 0; g < total; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        was_empty[g] = span.start == span.end;
    }
    bool done = kmp_work_remove(doc, kind, at, count, error) &&
                remove_emptied(doc, groups, was_empty, error);
    kart_free(doc->ctx, was_empty, total);
    return done;
}

static bool remove_any(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error) {
    kmp_kind groups = kmp_groups_of(kind);
    if (kmp_points_of(kind) != KMP_NONE) return remove_groups(doc, kind, at, count, error);
    if (groups != KMP_NONE && doc->tables[groups].schema)
        return remove_points(doc, kind, groups, at, count, error);
    return kmp_work_remove(doc, kind, at, count, error);
}

bool kmp_edit_remove(kmp_doc *doc, kmp_kind kind, size_t at, size_t count, kart_error *error) {
    kmp_work w;
    if (!check_section(doc, kind, error) || !kmp_work_begin(doc, &w, error)) return false;
    return kmp_work_end(doc, &w, remove_any(w.doc, kind, at, count, error), error);
}

// --- reordering -------------------------------------------------------------------------------

bool kmp_work_reorder(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error) {
    size_t count = doc->tables[kind].count;
    size_t *to = kmp_work_map(doc, count, error);
    if (!to) return false;
    for (size_t i = 0; i < count; i++) to[order[i]] = i;
    bool done = kmp_work_renumber(doc, kind, 0, to, count, 0, error) &&
                kmp_rows_reorder(doc, kind, order, error);
    kmp_work_map_free(doc, to, count);
    return done;
}

bool kmp_edit_reorder(kmp_doc *doc, kmp_kind kind, const size_t *order, kart_error *error) {
    kmp_work w;
    kmp_kind groups = kmp_groups_of(kind);
    if (!check_section(doc, kind, error)) return false;
    if (groups != KMP_NONE && doc->tables[groups].schema &&
        !kmp_groups_keep(doc, groups, order, error))
        return false;
    if (!kmp_work_begin(doc, &w, error)) return false;
    bool done = kmp_points_of(kind) != KMP_NONE ? kmp_work_groups_reorder(w.doc, kind, order, error)
                                                : kmp_work_reorder(w.doc, kind, order, error);
    return kmp_work_end(doc, &w, done, error);
}

// --- points of routes -------------------------------------------------------------------------

bool kmp_edit_route_insert(kmp_doc *doc, size_t route, size_t at, size_t count, kart_error *error) {
    kmp_doc *work = kmp_clone(doc, error);
    if (!work) return false;
    size_t length = kmp_route_length(work, route);
    bool done = shift_references(work, KMP_POINT, route, length, at, count, 0, error) &&
                kmp_route_resize(work, route, length + count, error) &&
                kmp_rows_rotate(work, KMP_POINT, work->route_first[route] + at,
                                work->route_first[route] + length, count, error);
    return kmp_commit(doc, work, done);
}

bool kmp_edit_route_remove(kmp_doc *doc, size_t route, size_t at, size_t count, kart_error *error) {
    kmp_doc *work = kmp_clone(doc, error);
    if (!work) return false;
    size_t length = kmp_route_length(work, route), first = work->route_first[route];
    bool done = shift_references(work, KMP_POINT, route, length, at, 0, count, error) &&
                // The removed ones go to the end, and the end is cut off.
                kmp_rows_rotate(work, KMP_POINT, first + at, first + at + count,
                                length - at - count, error) &&
                kmp_route_resize(work, route, length - count, error);
    return kmp_commit(doc, work, done);
}

bool kmp_edit_route_reorder(kmp_doc *doc, size_t route, const size_t *order, kart_error *error) {
    kmp_doc *work = kmp_clone(doc, error);
    if (!work) return false;
    size_t length = kmp_route_length(work, route), total = work->tables[KMP_POINT].count;
    size_t *to = kmp_work_map(work, length, error), *whole = kmp_work_map(work, total, error);
    bool done = to && whole;
    for (size_t i = 0; done && i < length; i++) {
        to[order[i]] = i;
        whole[work->route_first[route] + i] = work->route_first[route] + order[i];
    }
    done = done && kmp_work_renumber(work, KMP_POINT, route, to, length, 0, error) &&
           kmp_rows_reorder(work, KMP_POINT, whole, error);
    kmp_work_map_free(work, to, length);
    kmp_work_map_free(work, whole, total);
    return kmp_commit(doc, work, done);
}
