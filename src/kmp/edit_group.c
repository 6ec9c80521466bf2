// Groups of points: ranges that follow their points, splitting, joining.
#include "kmp/edit.h"
#include "kmp/edit_work.h"
#include "kmp/reference.h"

#include <string.h>

static int64_t group_get(const kmp_doc *doc, kmp_kind groups, size_t group, const char *name) {
    return kmp_int(doc, groups, group, name, 0);
}

static void group_set(kmp_doc *doc, kmp_kind groups, size_t group, const char *name, size_t value) {
    const kmp_field *field = kmp_field_find(doc->tables[groups].schema->fields, name);
    kmp_set_int(doc, kmp_row(doc, groups, group), field, 0, (int64_t)value);
}

static bool group_fits(const kmp_doc *doc, kmp_kind groups, const char *name, size_t value,
                       kart_error *error) {
    const kmp_field *field = kmp_field_find(doc->tables[groups].schema->fields, name);
    if ((int64_t)value <= field->high) return true;
    return kart_fail(error, KART_LIMIT, "%s.%s would be %zu, %d is the most",
                     doc->tables[groups].schema->name, name, value, (int)field->high);
}

kmp_span kmp_group_span(const kmp_doc *doc, kmp_kind groups, size_t group) {
    size_t total = doc->tables[kmp_points_of(groups)].count;
    size_t start = (size_t)group_get(doc, groups, group, "start");
    size_t length = (size_t)group_get(doc, groups, group, "length");
    if (start > total) start = total;
    return (kmp_span){start, length > total - start ? total : start + length};
}

size_t kmp_groups_holding(const kmp_doc *doc, kmp_kind groups, size_t point) {
    size_t holding = 0;
    for (size_t g = 0; g < doc->tables[groups].count; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        holding += point >= span.start && point < span.end;
    }
    return holding;
}

// --- ranges -----------------------------------------------------------------------------------

// The group that a point at `at` joins: the one that holds the point before, else the first that
// begins there.
static size_t group_choose(const kmp_doc *doc, kmp_kind groups, size_t at) {
    for (size_t g = 0; at > 0 && g < doc->tables[groups].count; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        if (at > span.start && at <= span.end) return g;
    }
    for (size_t g = 0; g < doc->tables[groups].count; g++)
        if ((size_t)group_get(doc, groups, g, "start") == at) return g;
    return KMP_GROUP_AUTO;
}

bool kmp_work_groups_open(kmp_doc *doc, kmp_kind points, size_t at, size_t count, size_t group,
                          kart_error *error) {
    kmp_kind groups = kmp_groups_of(points);
    if (!doc->tables[groups].schema) return true;
    if (group == KMP_GROUP_AUTO) group = group_choose(doc, groups, at);
    kmp_span own = {0};
    if (group != KMP_GROUP_AUTO) own = kmp_group_span(doc, groups, group);
    for (size_t g = 0; g < doc->tables[groups].count; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        size_t start = (size_t)group_get(doc, groups, g, "start");
        size_t length = (size_t)group_get(doc, groups, g, "length");
        bool inside = at > span.start && at < span.end;
        // Groups without points at the place itself come behind a group that grows at its end, and
        // behind another one without points if they are later.
        bool behind = group != KMP_GROUP_AUTO && (own.start != own.end ? at == own.end : g > group);
        if (g == group && !inside && at != span.start && at != span.end)
            return kart_fail(error, KART_LIMIT, "point %zu does not lie in or beside group %zu",
                             at + 1, g + 1);
        if (g == group || inside) {
            if (!group_fits(doc, groups, "length", length + count, error)) return false;
            group_set(doc, groups, g, "length", length + count);
        } else if (start > at || (start == at && (span.start != span.end || behind))) {
            if (!group_fits(doc, groups, "start", start + count, error)) return false;
            group_set(doc, groups, g, "start", start + count);
        }
    }
    return true;
}

void kmp_work_groups_close(kmp_doc *doc, kmp_kind points, size_t at, size_t count) {
    kmp_kind groups = kmp_groups_of(points);
    for (size_t g = 0; doc->tables[groups].schema && g < doc->tables[groups].count; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        size_t start = (size_t)group_get(doc, groups, g, "start");
        size_t from = span.start > at ? span.start : at;
        size_t to = span.end < at + count ? span.end : at + count;
        if (to > from) group_set(doc, groups, g, "length", span.end - span.start - (to - from));
        if (start > at) group_set(doc, groups, g, "start", start > at + count ? start - count : at);
    }
}

void kmp_work_groups_place(kmp_doc *doc, kmp_kind groups, size_t at, size_t count) {
    size_t start = at > 0 ? kmp_group_span(doc, groups, at - 1).end : 0;
    for (size_t i = 0; i < count; i++) group_set(doc, groups, at + i, "start", start);
}

// --- order ------------------------------------------------------------------------------------

bool kmp_groups_keep(const kmp_doc *doc, kmp_kind groups, const size_t *order, kart_error *error) {
    for (size_t g = 0; g < doc->tables[groups].count; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        for (size_t i = span.start; i < span.end; i++)
            if (order[i] < span.start || order[i] >= span.end)
                return kart_fail(error, KART_LIMIT,
                                 "points can only change places within their group");
    }
    return true;
}

// Do the groups hold all points, in their own order, without gaps?
static bool groups_partition(const kmp_doc *doc, kmp_kind groups) {
    size_t next = 0;
    for (size_t g = 0; g < doc->tables[groups].count; g++) {
        kmp_span span = kmp_group_span(doc, groups, g);
        if (span.start != next) return false;
        next = span.end;
    }
    return next == doc->tables[kmp_points_of(groups)].count;
}

bool kmp_work_groups_reorder(kmp_doc *doc, kmp_kind groups, const size_t *order,
                             kart_error *error) {
    kmp_kind points = kmp_points_of(groups);
    if (!groups_partition(doc, groups)) return kmp_work_reorder(doc, groups, order, error);
    size_t total = doc->tables[points].count, next = 0;
    size_t *point_order = kmp_work_map(doc, total, error);
    if (!point_order) return false;
    for (size_t i = 0; i < doc->tables[groups].count; i++) {
        kmp_span span = kmp_group_span(doc, groups, order[i]);
        for (size_t p = span.start; p < span.end; p++) point_order[next++] = p;
    }
    bool done = kmp_work_reorder(doc, points, point_order, error) &&
                kmp_work_reorder(doc, groups, order, error);
    kmp_work_map_free(doc, point_order, total);
    next = 0;
    for (size_t g = 0; done && g < doc->tables[groups].count; g++) {
        done = group_fits(doc, groups, "start", next, error);
        group_set(doc, groups, g, "start", next);
        next += (size_t)group_get(doc, groups, g, "length");
    }
    return done;
}

// --- splitting and joining --------------------------------------------------------------------

static const kmp_field *links(const kmp_doc *doc, kmp_kind groups, const char *name) {
    return kmp_field_find(doc->tables[groups].schema->fields, name);
}

// Links join the last point of one group to the first point of another. In arenas, where karts
// drive both ways, the bits of `dispatch` turn that: 0 to 5, one for each of `prev`, for the first
// point of the other group, 6 to 11 for the last point of a next one.
static int64_t dispatch_of(const kmp_doc *doc, kmp_kind groups, size_t group) {
    return kmp_is_arena(doc) ? group_get(doc, groups, group, "dispatch") : 0;
}

// Does the link hang on the last point of the group that it names?
static bool link_at_last(int64_t dispatch, bool forward, size_t i) {
    return forward ? (dispatch >> (6 + i) & 1) != 0 : (dispatch >> i & 1) == 0;
}

// All links that hang on the last point of group `old` name `new` instead.
static void last_links_move(kmp_doc *doc, kmp_kind groups, size_t old, size_t new) {
    for (size_t g = 0; g < doc->tables[groups].count; g++)
        for (int forward = 0; forward < 2; forward++) {
            const kmp_field *field = links(doc, groups, forward ? "next" : "prev");
            uint8_t *row = kmp_row(doc, groups, g);
            for (size_t i = 0; i < field->count; i++)
                if (kmp_get_int(doc, row, field, i) == (int64_t)old &&
                    link_at_last(dispatch_of(doc, groups, g), forward, i))
                    kmp_set_int(doc, row, field, i, (int64_t) new);
        }
}

static void links_set_only(kmp_doc *doc, kmp_kind groups, size_t group, const kmp_field *field,
                           size_t only) {
    uint8_t *row = kmp_row(doc, groups, group);
    for (size_t i = 0; i < field->count; i++)
        kmp_set_int(doc, row, field, i, i == 0 ? (int64_t)only : field->none);
}

// Do the two meet last point to first, and does no other link hang on these points?
static bool groups_meet(const kmp_doc *doc, kmp_kind groups, size_t first, size_t second) {
    size_t meeting = 0;
    for (size_t g = 0; g < doc->tables[groups].count; g++)
        for (int forward = 0; forward < 2; forward++) {
            const kmp_field *field = links(doc, groups, forward ? "next" : "prev");
            const uint8_t *row = kmp_row(doc, groups, g);
            size_t own = forward ? first : second, other = forward ? second : first;
            for (size_t i = 0; i < field->count; i++) {
                int64_t value = kmp_get_int(doc, row, field, i);
                if (value == field->none) continue;
                bool last = link_at_last(dispatch_of(doc, groups, g), forward, i);
                bool there = value == (int64_t)(last ? first : second);
                bool expected = g == own && value == (int64_t)other && last != (bool)forward;
                // What hangs on the point where they meet, and what the two name from there.
                if ((there || g == own) && !expected) return false;
                meeting |= expected ? 1u << forward : 0;
            }
        }
    return meeting == 3;
}

static bool group_split(kmp_doc *doc, kmp_kind groups, size_t group, size_t at, kart_error *error) {
    kmp_span span = kmp_group_span(doc, groups, group);
    if (at < 1 || at >= span.end - span.start)
        return kart_fail(error, KART_LIMIT, "a group of %zu can't be split at point %zu",
                         span.end - span.start, at + 1);
    if (!group_fits(doc, groups, "start", span.start + at, error) ||
        !kmp_work_insert(doc, groups, group + 1, 1, KMP_GROUP_AUTO, error))
        return false;
    size_t new = group + 1;
    memcpy(kmp_row(doc, groups, new), kmp_row(doc, groups, group), doc->tables[groups].stride);
    group_set(doc, groups, group, "length", at);
    group_set(doc, groups, new, "start", span.start + at);
    group_set(doc, groups, new, "length", span.end - span.start - at);
    // Whoever came from the group comes from its second half now; a loop onto itself, too.
    last_links_move(doc, groups, group, new);
    links_set_only(doc, groups, new, links(doc, groups, "prev"), group);
    links_set_only(doc, groups, group, links(doc, groups, "next"), new);
    if (dispatch_of(doc, groups, group)) {
        // The halves meet last point to first; the other links keep their bits.
        int64_t dispatch = dispatch_of(doc, groups, group);
        group_set(doc, groups, group, "dispatch", (size_t)dispatch & ~(size_t)0xFC0);
        group_set(doc, groups, new, "dispatch", (size_t)dispatch & ~(size_t)0x3F);
    }
    return true;
}

static bool is_chain(const kmp_work *w, uint32_t group) {
    for (size_t i = 0; i < w->chains_count; i++)
        if (w->chains[i] == group) return true;
    return false;
}

bool kmp_edit_group_split(kmp_doc *doc, kmp_kind groups, size_t group, size_t at,
                          kart_error *error) {
    kmp_work w;
    if (!kmp_work_begin(doc, &w, error)) return false;
    bool done = group_split(w.doc, groups, group, at, error);
    // The half that is new was linked as a part of the old one.
    if (done && groups == KMP_CKPH && is_chain(&w, w.doc->tables[groups].ids[group]))
        done = kmp_chain_write(w.doc, group + 1, error);
    return kmp_work_end(doc, &w, done, error);
}

static bool group_join(kmp_doc *doc, kmp_kind groups, size_t first, size_t second,
                       kart_error *error) {
    if (first == second || !groups_meet(doc, groups, first, second))
        return kart_fail(error, KART_LIMIT, "groups %zu and %zu are not linked to each other alone",
                         first + 1, second + 1);
    size_t count = doc->tables[groups].count;
    if (second != first + 1) {
        // Bring the second one behind the first.
        size_t *order = kmp_work_map(doc, count, error);
        if (!order) return false;
        size_t place = 0;
        for (size_t g = 0; g < count; g++) {
            if (g == second) continue;
            order[place++] = g;
            if (g == first) order[place++] = second;
        }
        bool done = kmp_work_groups_reorder(doc, groups, order, error);
        kmp_work_map_free(doc, order, count);
        if (!done) return false;
        if (second < first) first--;
        second = first + 1;
    }
    kmp_span a = kmp_group_span(doc, groups, first), b = kmp_group_span(doc, groups, second);
    if (b.start != a.end)
        return kart_fail(error, KART_LIMIT, "the points of the two groups don't lie side by side");
    if (!group_fits(doc, groups, "length", b.end - a.start, error)) return false;
    const kmp_field *next = links(doc, groups, "next");
    int64_t dispatch = dispatch_of(doc, groups, first) & 0x3F;
    dispatch |= dispatch_of(doc, groups, second) & ~(int64_t)0x3F;
    memcpy(kmp_row(doc, groups, first) + next->offset, kmp_row(doc, groups, second) + next->offset,
           next->count * kmp_type_size(next->type));
    if (kmp_is_arena(doc) && groups != KMP_CKPH)
        group_set(doc, groups, first, "dispatch", (size_t)dispatch);
    last_links_move(doc, groups, second, first);
    group_set(doc, groups, second, "length", 0);
    group_set(doc, groups, first, "length", b.end - a.start);
    return kmp_work_remove(doc, groups, second, 1, error);
}

bool kmp_edit_group_join(kmp_doc *doc, kmp_kind groups, size_t first, size_t second,
                         kart_error *error) {
    kmp_work w;
    if (!kmp_work_begin(doc, &w, error)) return false;
    return kmp_work_end(doc, &w, group_join(w.doc, groups, first, second, error), error);
}
