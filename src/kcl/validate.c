#include "kcl/validate.h"

#include "kcl/octree.h"

#include <stdio.h>

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
    if (kcl_area_bits(model, 0) < model->shift || kcl_area_bits(model, 1) < model->shift ||
        kcl_area_bits(model, 2) < model->shift)
        return kcl_warn(doc, KART_HINT, "header-shifts", KART_NO_INDEX, "", error,
                        "the area is narrower than a root cell of %lu units",
                        (unsigned long)1 << model->shift);
    return true;
}

// What a walk has to do: shared groups and lists can make a few bytes stand for more cells, or for
// more ids in them, than anyone could visit.
typedef struct work {
    uint32_t cells, ids;
} work;

// A group of eight words that was walked.
typedef struct visit {
    uint32_t place; // 1 + half words from the start of the octree; 0: a free slot
    uint32_t left;  // bits of a coordinate that were left, the least of all visits
    work below;
} visit;

// The survey of an octree. Its groups stand in a hash table with open addressing, so that memory
// follows what is reached and not the size of the section, which may be all padding. Lists need no
// table: all ids that are read count, and there is a limit to them.
typedef struct survey {
    kcl_doc *doc;
    const kcl_model *model;
    work sum; // of the walk so far, shared parts counted each time
    visit *visits;
    size_t visits_count;
    unsigned visits_bits; // log2 of the slots
} survey;

static size_t visits_slots(const survey *s) { return (size_t)1 << s->visits_bits; }

// The slot of a place, or the free one where it belongs.
static visit *visit_find(const survey *s, uint32_t place) {
    size_t i = place * UINT32_C(0x9E3779B9) >> (32 - s->visits_bits);
    while (s->visits[i].place && s->visits[i].place != place) i = (i + 1) & (visits_slots(s) - 1);
    return &s->visits[i];
}

static bool visits_grow(survey *s, kart_error *error) {
    survey old = *s;
    size_t size = visits_slots(s) * sizeof *s->visits;
    visit *grown = kart_alloc(s->doc->ctx, 2 * size, error);
    if (!grown) return false;
    s->visits = grown;
    s->visits_bits++;
    for (size_t i = 0; i < visits_slots(&old); i++)
        if (old.visits[i].place) *visit_find(s, old.visits[i].place) = old.visits[i];
    kart_free(s->doc->ctx, old.visits, size);
    return true;
}

static bool visit_put(survey *s, visit v, kart_error *error) {
    if (2 * s->visits_count >= visits_slots(s) && !visits_grow(s, error)) return false;
    visit *slot = visit_find(s, v.place);
    s->visits_count += slot->place == 0;
    *slot = v;
    return true;
}

static bool work_add(survey *s, work more, kart_error *error) {
    if (more.cells > KCL_CELLS_LIMIT - s->sum.cells)
        return kart_fail(error, KART_LIMIT, "the octree has more than %d cells", KCL_CELLS_LIMIT);
    if (more.ids > KCL_IDS_LIMIT - s->sum.ids)
        return kart_fail(error, KART_LIMIT, "the octree's cells list more than %d prisms in all",
                         KCL_IDS_LIMIT);
    s->sum.cells += more.cells;
    s->sum.ids += more.ids;
    return true;
}

// The list of one cell, which the word at `from` names.
static bool list_check(survey *s, size_t list, size_t from, kart_error *error) {
    const kcl_format *f = s->doc->format;
    const kcl_range *octree = &s->model->octree;
    if ((list - octree->start) % 2 != 0)
        return kart_fail_at(error, "octree", from, "list", "an even offset", "0x%zX", list);
    for (size_t at = list;; at += 2) {
        if (at < octree->start || at + 2 > octree->end)
            return kart_fail_at(error, "octree", from, "list leaves the octree's section",
                                "a terminator before its end", "none from 0x%zX on", list);
        unsigned id = kart_load_u16(s->doc->data + at, f->big);
        if (id == kcl_list_end(f))
            return work_add(s, (work){.cells = 1, .ids = (uint32_t)((at - list) / 2)}, error);
        if (id - kcl_first_id(f) >= s->model->prisms_count) {
            char expected[80];
            snprintf(expected, sizeof expected, "prisms up to %zu",
                     s->model->prisms_count + kcl_first_id(f) - 1);
            return kart_fail_at(error, "octree", at, "list", expected, "%u", id);
        }
    }
}

// A branch to `group`, from the word at `from`. `left`: bits of a coordinate that the levels above
// have not used yet.
static bool group_check(survey *s, size_t group, size_t from, unsigned left, kart_error *error);

static bool word_check(survey *s, size_t group, size_t at, unsigned left, kart_error *error) {
    uint32_t word = kcl_word_at(s->doc, at);
    return word & KCL_LEAF ? list_check(s, group + (word & ~KCL_LEAF) + 2, at, error)
                           : group_check(s, group + word, at, left, error);
}

static bool group_check(survey *s, size_t group, size_t from, unsigned left, kart_error *error) {
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
    visit v = {.place = (uint32_t)((group - octree->start) / 2) + 1, .left = left};
    const visit *known = visit_find(s, v.place);
    if (known->place && known->left <= left) return work_add(s, known->below, error);
    const work before = s->sum;
    for (size_t i = 0; i < 8; i++)
        if (!word_check(s, group, group + 4 * i, left - 1, error)) return false;
    v.below = (work){s->sum.cells - before.cells, s->sum.ids - before.ids};
    return visit_put(s, v, error);
}

bool kcl_octree_validate(kcl_doc *doc, const kcl_model *model, kart_error *error) {
    survey s = {.doc = doc, .model = model, .visits_bits = 6};
    s.visits = kart_alloc(doc->ctx, visits_slots(&s) * sizeof *s.visits, error);
    bool done = s.visits != NULL;
    for (size_t i = 0; done && i < model->roots; i++)
        done =
            word_check(&s, model->octree.start, model->octree.start + 4 * i, model->shift, error);
    kart_free(doc->ctx, s.visits, visits_slots(&s) * sizeof *s.visits);
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
