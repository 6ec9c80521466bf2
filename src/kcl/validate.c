#include "kcl/validate.h"

#include "kcl/octree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAF 0x80000000u

static unsigned axis_bits(uint32_t mask) {
    unsigned bits = 0;
    for (uint32_t hole = ~mask; hole; hole >>= 1) bits++;
    return bits;
}

bool kcl_roots_read(kcl_doc *doc, kcl_model *model, kart_error *error) {
    size_t at = model->range.start + 0x30;
    model->single = model->x_shift == UINT32_MAX && model->xy_shift == UINT32_MAX;
    if (model->single) model->x_shift = model->xy_shift = 0;
    bool single = model->single;
    uint32_t cells[3], expected_x, expected_xy;
    for (int i = 0; i < 3; i++) cells[i] = kcl_root_cells(model, i);
    kcl_root_shifts(model, &expected_x, &expected_xy);
    if (!single && (model->x_shift > 31 || model->xy_shift > 31))
        return kart_fail_at(error, "header", at, "shifts of the root grid", "at most 31",
                            "%lu and %lu", (unsigned long)model->x_shift,
                            (unsigned long)model->xy_shift);
    // Other shifts would make cells share words, or leave some out; the game would not mind.
    if (!single && (model->x_shift != expected_x || model->xy_shift != expected_xy) &&
        !kcl_warn(doc, KART_WARNING, "header-shifts", KART_NO_INDEX, "", error,
                  "shifts of the root grid are %lu and %lu, the masks want %lu and %lu",
                  (unsigned long)model->x_shift, (unsigned long)model->xy_shift,
                  (unsigned long)expected_x, (unsigned long)expected_xy))
        return false;
    uint64_t last = 0;
    if (!single)
        last = (uint64_t)(cells[2] - 1) << model->xy_shift |
               (uint64_t)(cells[1] - 1) << model->x_shift | (cells[0] - 1);
    size_t room = (model->octree.end - model->octree.start) / 4;
    if (last >= room) {
        char expected[80];
        snprintf(expected, sizeof expected, "at most %zu words in the section", room);
        return kart_fail_at(error, "octree", model->octree.start, "root grid", expected, "%llu",
                            (unsigned long long)last + 1);
    }
    model->roots = (size_t)last + 1;
    if (axis_bits(model->mask[0]) < model->shift || axis_bits(model->mask[1]) < model->shift ||
        axis_bits(model->mask[2]) < model->shift)
        return kcl_warn(doc, KART_HINT, "header-shifts", KART_NO_INDEX, "", error,
                        "the area is narrower than a root cell of %lu units",
                        (unsigned long)1 << model->shift);
    return true;
}

// What a walk has to do: shared groups and lists can make a few bytes stand for more cells, or for
// more ids in them, than anyone could visit.
typedef struct work {
    uint64_t cells, ids;
} work;

// What is known of the places of an octree section.
typedef struct survey {
    kcl_doc *doc;
    const kcl_model *model;
    uint8_t
        *left;   // per half word: a group starts here, and had so many bits left when it was walked
    work *below; // per half word: what lies below that group
    uint32_t *lists; // per half word: 1 + the length of the list from here on, once it is known
    size_t halves;
} survey;

static size_t half_of(const survey *s, size_t at) { return (at - s->model->octree.start) / 2; }

// `*length` gets the number of ids.
static bool list_check(survey *s, size_t at, size_t from, uint32_t *length, kart_error *error) {
    const kcl_format *f = s->doc->format;
    const kcl_range *octree = &s->model->octree;
    size_t first = at;
    uint32_t rest = 0; // ids behind `at`
    for (;; at += 2) {
        if (at < octree->start || at + 2 > octree->end)
            return kart_fail_at(error, "octree", from, "list leaves the octree's section",
                                "a terminator before its end", "none from 0x%zX on", first);
        if (s->lists[half_of(s, at)]) {
            rest = s->lists[half_of(s, at)] - 1;
            break;
        }
        unsigned id = kart_load_u16(s->doc->data + at, f->big);
        if (id == kcl_list_end(f)) {
            s->lists[half_of(s, at)] = 1;
            break;
        }
        if (id - kcl_first_id(f) >= s->model->prisms_count) {
            char expected[80];
            snprintf(expected, sizeof expected, "prisms up to %zu",
                     s->model->prisms_count + kcl_first_id(f) - 1);
            return kart_fail_at(error, "octree", at, "list", expected, "%u", id);
        }
    }
    // Lists share their ends: remember the length from every place on.
    for (; at > first; at -= 2) s->lists[half_of(s, at - 2)] = ++rest + 1;
    *length = rest;
    return true;
}

// `left`: bits of a coordinate that the levels above have not used yet. `*cells` grows by the
// leaves.
static bool word_check(survey *s, size_t group, size_t at, unsigned left, work *sum,
                       kart_error *error);

static bool group_check(survey *s, size_t group, size_t from, unsigned left, work *sum,
                        kart_error *error) {
    const kcl_range *octree = &s->model->octree;
    if (group < octree->start || group + 32 > octree->end || (group - octree->start) % 2 != 0) {
        char expected[80];
        snprintf(expected, sizeof expected, "eight words in 0x%zX to 0x%zX", octree->start,
                 octree->end);
        return kart_fail_at(error, "octree", from, "branch", expected, "0x%zX", group);
    }
    if (left == 0)
        return kart_fail_at(error, "octree", from, "branch", "a list: the cell is one unit wide",
                            "another split (the octree runs in a circle?)");
    // A group may be shared. It was good before if it had no more bits left then.
    size_t half = half_of(s, group);
    if (!s->left[half] || s->left[half] > left) {
        work below = {0, 0};
        s->left[half] = (uint8_t)left;
        for (size_t i = 0; i < 8; i++)
            if (!word_check(s, group, group + 4 * i, left - 1, &below, error)) return false;
        s->below[half] = below;
    }
    sum->cells += s->below[half].cells;
    sum->ids += s->below[half].ids;
    return true;
}

static bool word_check(survey *s, size_t group, size_t at, unsigned left, work *sum,
                       kart_error *error) {
    uint32_t word = kcl_word_at(s->doc, at);
    if (word & LEAF) {
        size_t list = group + (word & ~LEAF) + 2;
        if ((list - s->model->octree.start) % 2 != 0)
            return kart_fail_at(error, "octree", at, "list", "an even offset", "0x%zX", list);
        uint32_t length = 0;
        if (!list_check(s, list, at, &length, error)) return false;
        sum->cells++;
        sum->ids += length;
    } else if (!group_check(s, group + word, at, left, sum, error)) {
        return false;
    }
    if (sum->cells > KCL_CELLS_LIMIT)
        return kart_fail(error, KART_LIMIT, "the octree has more than %d cells", KCL_CELLS_LIMIT);
    if (sum->ids > KCL_IDS_LIMIT)
        return kart_fail(error, KART_LIMIT, "the octree's cells list more than %d prisms in all",
                         KCL_IDS_LIMIT);
    return true;
}

bool kcl_octree_validate(kcl_doc *doc, const kcl_model *model, kart_error *error) {
    survey s = {.doc = doc, .model = model};
    s.halves = (model->octree.end - model->octree.start) / 2 + 1;
    s.left = kart_alloc(doc->ctx, s.halves, error);
    s.lists = s.left ? kart_alloc(doc->ctx, s.halves * sizeof *s.lists, error) : NULL;
    s.below = s.lists ? kart_alloc(doc->ctx, s.halves * sizeof *s.below, error) : NULL;
    bool done = s.below != NULL;
    work sum = {0, 0};
    for (size_t i = 0; done && i < model->roots; i++)
        done = word_check(&s, model->octree.start, model->octree.start + 4 * i, model->shift, &sum,
                          error);
    kart_free(doc->ctx, s.left, s.halves);
    kart_free(doc->ctx, s.lists, s.halves * sizeof *s.lists);
    kart_free(doc->ctx, s.below, s.halves * sizeof *s.below);
    return done;
}

static bool global_check(kcl_doc *doc, size_t group, size_t from, unsigned depth, size_t *visits,
                         kart_error *error) {
    if (group < doc->global.start || group + 32 > doc->global.end) {
        char expected[80];
        snprintf(expected, sizeof expected, "eight words in 0x%zX to 0x%zX", doc->global.start,
                 doc->global.end);
        return kart_fail_at(error, "global octree", from, "branch", expected, "0x%zX", group);
    }
    // More visits than groups could be there means that a branch leads back.
    size_t most = (doc->global.end - doc->global.start) / 4 + 1;
    if (depth > 31 || ++*visits > most)
        return kart_fail_at(error, "global octree", from, "branch", "a model or nothing in the end",
                            "a circle");
    for (size_t i = 0; i < 8; i++) {
        size_t at = group + 4 * i;
        uint32_t word = kcl_word_at(doc, at);
        if (word >> 30 == 3) continue;
        if (word >> 30 == 2) {
            if ((word & 0x3FFFFFFF) < doc->models_count) continue;
            char expected[80];
            snprintf(expected, sizeof expected, "a model below %zu", doc->models_count);
            return kart_fail_at(error, "global octree", at, "leaf", expected, "%lu",
                                (unsigned long)word & 0x3FFFFFFF);
        }
        if (word >> 30 == 1)
            return kart_fail_at(error, "global octree", at, "word", "a branch, a model or nothing",
                                "0x%08lX", (unsigned long)word);
        if (!global_check(doc, group + 4 * (size_t)word, at, depth + 1, visits, error))
            return false;
    }
    return true;
}

bool kcl_global_validate(kcl_doc *doc, kart_error *error) {
    size_t visits = 0;
    return global_check(doc, doc->global.start, 4, 0, &visits, error);
}

static int id_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool kcl_triangles_count(const kcl_doc *doc, size_t *distinct, kart_error *error) {
    size_t count = doc->prisms_count, at = 0;
    uint32_t *ids = kart_alloc(doc->ctx, count * sizeof *ids, error);
    if (!ids) return false;
    for (size_t m = 0; m < doc->models_count; m++)
        for (size_t i = 0; i < doc->models[m].prisms_count; i++)
            ids[at++] = kcl_prism_get(doc, &doc->models[m], i).triangle;
    qsort(ids, count, sizeof *ids, id_compare);
    *distinct = count > 0;
    for (size_t i = 1; i < count; i++) *distinct += ids[i] != ids[i - 1];
    kart_free(doc->ctx, ids, count * sizeof *ids);
    return true;
}

bool kcl_triangles_count_check(kcl_doc *doc, kart_error *error) {
    size_t distinct;
    if (!kcl_triangles_count(doc, &distinct, error)) return false;
    if (doc->prisms_stated == distinct) return true;
    bool plain_sum = doc->prisms_stated == doc->prisms_count;
    return kcl_warn(doc, plain_sum ? KART_HINT : KART_WARNING, "prism-total", KART_NO_INDEX, "",
                    error, "header states %lu prisms, there are %zu with %zu distinct triangles%s",
                    (unsigned long)doc->prisms_stated, doc->prisms_count, distinct,
                    plain_sum ? ": copies are counted, too" : "");
}
