// The course as the checkpoint search of Mario Kart Wii sees it, and that search. [E]
//
// How the search can end on every file and still answer as the engine does: the engine visits
// checkpoints that it has tested before again and again, which on a tangled graph takes exponential
// time or never ends. Two facts allow to leave such visits out.
// 1. A visit of a tested checkpoint tests nothing by itself, it only leads on. Once a visit in some
//    way has failed, everything that it led to is tested; so another one in the same way that may
//    go no deeper can only fail. `done` is the least depth of a visit that failed.
// 2. A visit without a depth limit that meets itself, with no checkpoint newly tested in between,
//    will do so again for ever. `entered` is how many were tested when the last visit began.
// So a checkpoint leads on at most 6 times a way with a limit, and without one at most as often as
// there are checkpoints to test (real files: one visit a step, and hostile ones a few hundred a
// checkpoint). The visits under way stand on a stack of the track's own.
#include "kmp/track.h"

#define DEPTH_LIMIT 6  // of the local search; the checkpoints next to the current one have depth 1
#define UNLIMITED   -1 // depth of all visits of the regional search
#define NEVER       INT8_MAX

// ---- Preparation ----

// A group of checkpoints. It may be empty or lie outside of them.
typedef struct group {
    size_t start, length;
    size_t links_count[2]; // by kmp_way
    size_t links[2][KMP_TRACK_LINKS];
    int depth;           // groups from group 0 on the path first taken; -1: not reached
    size_t parent, slot; // of the walk that measures the depths
} group;

static const char *const link_names[2] = {[KMP_FORWARD] = "next", [KMP_BACKWARD] = "prev"};

static void groups_read(const kmp_doc *doc, group *groups, size_t count) {
    for (size_t i = 0; i < count; i++) {
        group *g = &groups[i];
        g->start = (size_t)kmp_int(doc, KMP_CKPH, i, "start", 0);
        g->length = (size_t)kmp_int(doc, KMP_CKPH, i, "length", 0);
        g->depth = -1;
        for (int way = 0; way < 2; way++) {
            const kmp_field *field =
                kmp_field_find(doc->tables[KMP_CKPH].schema->fields, link_names[way]);
            for (size_t slot = 0; slot < KMP_TRACK_LINKS; slot++) {
                size_t to = kmp_ref(doc, kmp_row(doc, KMP_CKPH, i), field, slot);
                if (to < count) g->links[way][g->links_count[way]++] = to;
            }
        }
    }
}

// Depth first in slot order, the first visit wins. Returns the largest depth. The groups keep the
// walk's way back themselves: however many there are, it needs no stack.
static int groups_measure(group *groups) {
    int deepest = 0;
    size_t at = 0;
    groups[0].depth = 0;
    for (;;) {
        group *g = &groups[at];
        if (g->slot < g->links_count[KMP_FORWARD]) {
            size_t to = g->links[KMP_FORWARD][g->slot++];
            if (groups[to].depth >= 0) continue;
            groups[to].depth = g->depth + 1;
            groups[to].parent = at;
            if (groups[to].depth > deepest) deepest = groups[to].depth;
            at = to;
        } else {
            if (at == 0) return deepest;
            at = g->parent;
        }
    }
}

static void checkpoint_read(kmp_checkpoint *c, const kmp_doc *doc, size_t index) {
    kart_vec3 left = kmp_vec(doc, KMP_CKPT, index, "left");
    kart_vec3 right = kmp_vec(doc, KMP_CKPT, index, "right");
    c->left = (kmp_flat){left.x, left.z};
    c->right = (kmp_flat){right.x, right.z};
    double x = right.z - left.z, z = left.x - right.x, length = sqrt(x * x + z * z);
    if (length > 0) c->normal = (kmp_flat){x / length, z / length};
    c->type = (int)kmp_int(doc, KMP_CKPT, index, "type", 0);
    c->group = KMP_NOWHERE;
}

static void link_add(const kmp_track *track, kmp_checkpoint *c, kmp_way way, size_t to) {
    if (to < track->count) c->links[way][c->links_count[way]++] = (uint16_t)to;
}

static void checkpoint_link(const kmp_track *track, size_t index, kmp_way way, const kmp_doc *doc,
                            const group *groups) {
    kmp_checkpoint *c = &track->checkpoints[index];
    const uint8_t *row = kmp_row(doc, KMP_CKPT, index);
    const kmp_field *field = kmp_field_find(doc->tables[KMP_CKPT].schema->fields, link_names[way]);
    if (kmp_get_int(doc, row, field, 0) != field->none) {
        link_add(track, c, way, kmp_ref(doc, row, field, 0));
        return;
    }
    if (c->group == KMP_NOWHERE) return;
    const group *own = &groups[c->group];
    for (size_t i = 0; i < own->links_count[way]; i++) {
        const group *g = &groups[own->links[way][i]];
        if (g->length == 0) continue;
        link_add(track, c, way, way == KMP_FORWARD ? g->start : g->start + g->length - 1);
    }
}

static void track_prepare(kmp_track *track, const kmp_doc *doc, group *groups, size_t count) {
    groups_read(doc, groups, count);
    double share = 1 / (double)(groups_measure(groups) + 1);
    track->last_key = INT8_MIN;
    track->line = KMP_NOWHERE;
    for (size_t i = 0; i < track->count; i++) {
        kmp_checkpoint *c = &track->checkpoints[i];
        checkpoint_read(c, doc, i);
        c->factor = share;
        if (c->type > track->last_key) track->last_key = c->type;
        if (c->type == 0) track->line = i;
    }
    for (size_t g = count; g-- > 0;) { // backwards, as the first group of a checkpoint counts
        for (size_t i = 0; i < groups[g].length && groups[g].start + i < track->count; i++) {
            kmp_checkpoint *c = &track->checkpoints[groups[g].start + i];
            c->group = g;
            c->factor = share / (double)groups[g].length;
            c->base = groups[g].depth * share + c->factor * (double)i;
        }
    }
    for (size_t i = 0; i < track->count; i++) {
        checkpoint_link(track, i, KMP_FORWARD, doc, groups);
        checkpoint_link(track, i, KMP_BACKWARD, doc, groups);
    }
}

// ---- The search ----

// A visit that waits for what it led to.
typedef struct kmp_visit {
    uint32_t checkpoint;
    int8_t depth;
    uint8_t way;
    uint8_t link; // the next one to follow: those of its own way first, then those against it
    bool forced;  // for the checkpoints that it leads to
} kmp_visit;

typedef struct query {
    kmp_track *track;
    kmp_flat point;
    double ratio;   // of the last quad that the point is between the sides of
    uint32_t marks; // checkpoints tested
} query;

typedef enum place { OUTSIDE, BETWEEN, INSIDE } place;

// Where the point is with respect to the quads of a checkpoint.
static place checkpoint_test(query *q, const kmp_checkpoint *c) {
    place result = OUTSIDE;
    for (size_t i = 0; i < c->links_count[KMP_FORWARD]; i++) {
        const kmp_checkpoint *n = &q->track->checkpoints[c->links[KMP_FORWARD][i]];
        kmp_flat p0 = {q->point.x - n->left.x, q->point.z - n->left.z};
        kmp_flat p1 = {q->point.x - c->right.x, q->point.z - c->right.z};
        kmp_flat e0 = {n->left.x - c->left.x, n->left.z - c->left.z};
        kmp_flat e1 = {n->right.x - c->right.x, n->right.z - c->right.z};
        if (!(-e0.z * p0.x + e0.x * p0.z >= 0 && e1.z * p1.x - e1.x * p1.z >= 0)) continue;
        double d1 = c->normal.x * p1.x + c->normal.z * p1.z;
        double d2 = -(n->normal.x * p0.x + n->normal.z * p0.z);
        q->ratio = d1 / (d1 + d2);
        if (q->ratio >= 0 && q->ratio <= 1) return INSIDE;
        result = BETWEEN;
    }
    return result;
}

static place checkpoint_mark(query *q, kmp_checkpoint *c) {
    c->marked = q->track->searches;
    c->done[0] = c->done[1] = NEVER;
    c->entered[0] = c->entered[1] = 0;
    q->marks++;
    return checkpoint_test(q, c);
}

typedef enum outcome { FAILED, FOUND, LEADS_ON } outcome;

// Begin a visit. LEADS_ON: its links are to be followed, with `*forced` changed for them.
static outcome visit_begin(query *q, size_t index, kmp_way way, int depth, bool *forced) {
    kmp_checkpoint *c = &q->track->checkpoints[index];
    place at = OUTSIDE;
    q->track->visits++;
    if (depth > DEPTH_LIMIT) return FAILED;
    if (c->marked != q->track->searches)
        at = checkpoint_mark(q, c);
    else if (c->done[way] <= depth)
        return FAILED;
    if (at == INSIDE) return FOUND;
    if (*forced && at == BETWEEN && (way == KMP_FORWARD ? q->ratio < 0 : q->ratio > 1)) {
        q->ratio = way == KMP_FORWARD ? 0 : 1; // in the gap between two quads
        return FOUND;
    }
    if (c->type >= 0) return FAILED; // no search leads past the lap line or a key
    if (depth == UNLIMITED) {
        if (c->entered[way] == q->marks) return FAILED;
        c->entered[way] = q->marks;
    }
    *forced = at == BETWEEN && (way == KMP_FORWARD ? q->ratio > 0 : q->ratio < 0);
    return LEADS_ON;
}

// The next checkpoint that a visit leads to: all in its own way, then the unmarked ones against it.
static bool visit_next(const kmp_track *track, kmp_visit *visit, size_t *index, kmp_way *way) {
    const kmp_checkpoint *c = &track->checkpoints[visit->checkpoint];
    kmp_way against = visit->way == KMP_FORWARD ? KMP_BACKWARD : KMP_FORWARD;
    size_t ahead = c->links_count[visit->way], all = ahead + c->links_count[against];
    while (visit->link < all) {
        size_t link = visit->link++;
        *way = link < ahead ? (kmp_way)visit->way : against;
        *index = link < ahead ? c->links[*way][link] : c->links[*way][link - ahead];
        if (link < ahead || track->checkpoints[*index].marked != track->searches) return true;
    }
    return false;
}

// A visit with everything it leads to. Returns the checkpoint found or KMP_NOWHERE.
static size_t visit(query *q, size_t index, kmp_way way, int depth) {
    kmp_track *track = q->track;
    size_t top = 0;
    bool forced = false;
    for (;;) {
        outcome begun = visit_begin(q, index, way, depth, &forced);
        if (begun == FOUND) return index;
        if (begun == LEADS_ON && top < track->stack_size)
            track->stack[top++] = (kmp_visit){
                (uint32_t)index, (int8_t)depth, (uint8_t)way, 0, forced,
            };
        while (top > 0 && !visit_next(track, &track->stack[top - 1], &index, &way)) {
            const kmp_visit *failed = &track->stack[--top];
            track->checkpoints[failed->checkpoint].done[failed->way] = failed->depth;
        }
        if (top == 0) return KMP_NOWHERE;
        const kmp_visit *from = &track->stack[top - 1];
        depth = from->depth == UNLIMITED ? UNLIMITED : from->depth + 1;
        forced = from->forced;
    }
}

// The successors, forward, or the predecessors, backward.
static size_t search_links(query *q, const kmp_checkpoint *c, kmp_way way, int depth) {
    size_t found = KMP_NOWHERE;
    for (size_t i = 0; i < c->links_count[way] && found == KMP_NOWHERE; i++)
        found = visit(q, c->links[way][i], way, depth);
    return found;
}

// Forward: the other successors of the predecessors. Backward: the other way round.
static size_t search_siblings(query *q, const kmp_checkpoint *c, kmp_way way) {
    kmp_way via = way == KMP_FORWARD ? KMP_BACKWARD : KMP_FORWARD;
    size_t found = KMP_NOWHERE;
    for (size_t i = 0; i < c->links_count[via]; i++) {
        const kmp_checkpoint *n = &q->track->checkpoints[c->links[via][i]];
        for (size_t j = 0; j < n->links_count[way]; j++) {
            if (&q->track->checkpoints[n->links[way][j]] == c) continue;
            found = visit(q, n->links[way][j], way, 1);
            if (found != KMP_NOWHERE) return found;
        }
    }
    return found;
}

// Between the sides of the current quad the point has most likely left it at the nearer end.
static size_t search_between(query *q, const kmp_checkpoint *c) {
    kmp_way way = q->ratio > 0.5 ? KMP_FORWARD : KMP_BACKWARD;
    kmp_way against = way == KMP_FORWARD ? KMP_BACKWARD : KMP_FORWARD;
    size_t found = search_links(q, c, way, 1);
    if (found == KMP_NOWHERE) found = search_siblings(q, c, against);
    if (found == KMP_NOWHERE) found = search_siblings(q, c, way);
    if (found == KMP_NOWHERE) found = search_links(q, c, against, 1);
    return found;
}

static size_t search_outside(query *q, const kmp_checkpoint *c) {
    size_t found = search_siblings(q, c, KMP_BACKWARD);
    if (found == KMP_NOWHERE) found = search_siblings(q, c, KMP_FORWARD);
    if (found == KMP_NOWHERE) found = search_links(q, c, KMP_FORWARD, 1);
    if (found == KMP_NOWHERE) found = search_links(q, c, KMP_BACKWARD, 1);
    return found;
}

// ---- The public face ----

kmp_track *kmp_track_new(const kmp_doc *doc, kart_error *error) {
    size_t count = doc->tables[KMP_CKPT].count, groups_count = doc->tables[KMP_CKPH].count;
    if (doc->game != KMP_MKW) {
        kart_fail(error, KART_UNSUPPORTED, "laps are known for Mario Kart Wii only");
        return NULL;
    }
    if (count == 0 || groups_count == 0) {
        kart_fail(error, KART_UNSUPPORTED, "the course has no %s",
                  count == 0 ? "checkpoints" : "checkpoint groups");
        return NULL;
    }
    kmp_track *track = kart_alloc(doc->ctx, sizeof *track, error);
    if (!track) return NULL;
    // The local search needs DEPTH_LIMIT visits, however few checkpoints there are.
    *track = (kmp_track){.ctx = doc->ctx, .count = count, .stack_size = 2 * count + DEPTH_LIMIT};
    group *groups = NULL;
    track->checkpoints = kart_alloc(doc->ctx, count * sizeof *track->checkpoints, error);
    if (track->checkpoints)
        track->stack = kart_alloc(doc->ctx, track->stack_size * sizeof *track->stack, error);
    if (track->stack) groups = kart_alloc(doc->ctx, groups_count * sizeof *groups, error);
    if (groups) {
        track_prepare(track, doc, groups, groups_count);
        kart_free(doc->ctx, groups, groups_count * sizeof *groups);
        if (track->line != KMP_NOWHERE) return track;
        kart_fail(error, KART_UNSUPPORTED, "no checkpoint is the lap line (type 0)");
    }
    kmp_track_free(track);
    return NULL;
}

void kmp_track_free(kmp_track *track) {
    if (!track) return;
    kart_free(track->ctx, track->checkpoints, track->count * sizeof *track->checkpoints);
    kart_free(track->ctx, track->stack, track->stack_size * sizeof *track->stack);
    kart_free(track->ctx, track, sizeof *track);
}

size_t kmp_track_find(kmp_track *track, size_t from, kart_vec3 position, double *ratio) {
    kmp_checkpoint *current = &track->checkpoints[from];
    query q = {.track = track, .point = {position.x, position.z}};
    size_t found = KMP_NOWHERE;
    track->searches++;
    track->visits++;
    switch (checkpoint_mark(&q, current)) {
    case INSIDE: found = from; break;
    case BETWEEN: found = search_between(&q, current); break;
    case OUTSIDE: found = search_outside(&q, current); break;
    }
    if (found == KMP_NOWHERE) found = search_links(&q, current, KMP_FORWARD, UNLIMITED);
    if (found == KMP_NOWHERE) found = search_links(&q, current, KMP_BACKWARD, UNLIMITED);
    *ratio = q.ratio;
    return found;
}

bool kmp_track_leads(const kmp_track *track, size_t from, size_t to) {
    const kmp_checkpoint *c = &track->checkpoints[from];
    for (size_t i = 0; i < c->links_count[KMP_FORWARD]; i++)
        if (c->links[KMP_FORWARD][i] == to) return true;
    return false;
}
