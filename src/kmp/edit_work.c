// The frame of all edits: a clone to work on, and the links of checkpoints, which follow the order
// of their group.
#include "kmp/edit_work.h"

size_t *kmp_work_map(const kmp_doc *doc, size_t count, kart_error *error) {
    size_t *to = kart_alloc(doc->ctx, count * sizeof *to, error);
    for (size_t i = 0; to && i < count; i++) to[i] = i;
    return to;
}

void kmp_work_map_free(const kmp_doc *doc, size_t *to, size_t count) {
    kart_free(doc->ctx, to, count * sizeof *to);
}

// --- the links of checkpoints -----------------------------------------------------------------

int64_t kmp_chain_link(kmp_span span, size_t point, bool forward) {
    const int64_t none = 0xFF;
    int64_t link = forward ? (int64_t)point + 1 : (int64_t)point - 1;
    return link < (int64_t)span.start || link >= (int64_t)span.end || link >= none ? none : link;
}

static bool chain_in_order(const kmp_doc *doc, size_t group) {
    kmp_span span = kmp_group_span(doc, KMP_CKPH, group);
    if (span.end > 0xFF) return false; // some links can't be written: leave them all
    const kmp_field *fields = doc->tables[KMP_CKPT].schema->fields;
    const kmp_field *prev = kmp_field_find(fields, "prev"), *next = kmp_field_find(fields, "next");
    for (size_t i = span.start; i < span.end; i++) {
        const uint8_t *row = kmp_row(doc, KMP_CKPT, i);
        if (kmp_get_int(doc, row, next, 0) != kmp_chain_link(span, i, true)) return false;
        if (kmp_get_int(doc, row, prev, 0) != kmp_chain_link(span, i, false)) return false;
    }
    return true;
}

bool kmp_chain_write(kmp_doc *doc, size_t group, kart_error *error) {
    kmp_span span = kmp_group_span(doc, KMP_CKPH, group);
    const kmp_field *fields = doc->tables[KMP_CKPT].schema->fields;
    const kmp_field *prev = kmp_field_find(fields, "prev"), *next = kmp_field_find(fields, "next");
    if (span.end - span.start > 1 && (int64_t)span.end > next->none)
        return kart_fail(error, KART_LIMIT,
                         "checkpoint %lld can't be linked to: a byte names %lld at most",
                         (long long)next->none + 1, (long long)next->none);
    for (size_t i = span.start; i < span.end; i++) {
        uint8_t *row = kmp_row(doc, KMP_CKPT, i);
        kmp_set_int(doc, row, next, 0, kmp_chain_link(span, i, true));
        kmp_set_int(doc, row, prev, 0, kmp_chain_link(span, i, false));
    }
    return true;
}

static bool chains_note(kmp_work *w, kart_error *error) {
    const kmp_table *groups = &w->doc->tables[KMP_CKPH];
    if (!groups->schema || !w->doc->tables[KMP_CKPT].schema) return true;
    w->chains = kart_alloc(w->doc->ctx, groups->count * sizeof *w->chains, error);
    if (!w->chains) return false;
    w->chains_capacity = groups->count;
    for (size_t g = 0; g < groups->count; g++)
        if (chain_in_order(w->doc, g)) w->chains[w->chains_count++] = groups->ids[g];
    return true;
}

static bool chains_write(const kmp_work *w, kart_error *error) {
    for (size_t i = 0; i < w->chains_count; i++) {
        size_t group = kmp_index_of(&w->doc->tables[KMP_CKPH], w->chains[i], i);
        if (group != SIZE_MAX && !kmp_chain_write(w->doc, group, error)) return false;
    }
    return true;
}

bool kmp_work_begin(const kmp_doc *doc, kmp_work *work, kart_error *error) {
    *work = (kmp_work){.doc = kmp_clone(doc, error)};
    if (!work->doc) return false;
    if (chains_note(work, error)) return true;
    kmp_free(work->doc);
    return false;
}

bool kmp_work_end(kmp_doc *doc, kmp_work *work, bool done, kart_error *error) {
    done = done && chains_write(work, error);
    kart_free(doc->ctx, work->chains, work->chains_capacity * sizeof *work->chains);
    return kmp_commit(doc, work->doc, done);
}
