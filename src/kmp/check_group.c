// Rules about groups of enemy, item and check points.
#include "kmp/check_rules.h"
#include "kmp/reference.h"

static const kmp_kind groupings[] = {KMP_ENPH, KMP_ITPH, KMP_CKPH};

// Call `visit` for every kind of groups, or for every group.
typedef bool (*grouping_fn)(kmp_checker *c, kmp_kind groups, kart_error *error);
typedef bool (*group_fn)(kmp_checker *c, kmp_kind groups, size_t group, kmp_span span,
                         kart_error *error);

static bool each_grouping(kmp_checker *c, grouping_fn visit, kart_error *error) {
    for (size_t i = 0; i < 3; i++)
        if (!visit(c, groupings[i], error)) return false;
    return true;
}

static bool each_group(kmp_checker *c, group_fn visit, kart_error *error) {
    for (size_t i = 0; i < 3; i++)
        for (size_t g = 0; g < kmp_count(c, groupings[i]); g++)
            if (!visit(c, groupings[i], g, kmp_group_span(c->doc, groupings[i], g), error))
                return false;
    return true;
}

static bool missing(kmp_checker *c, kmp_kind groups, kart_error *error) {
    kmp_kind points = kmp_points_of(groups);
    if (kmp_count(c, points) == 0 || kmp_count(c, groups) > 0) return true;
    return kmp_report(c, points, KART_NO_INDEX, "", error, "%zu point%s, but no group",
                      kmp_count(c, points), kmp_plural(kmp_count(c, points)));
}
bool kmp_rule_group_missing(kmp_checker *c, kart_error *error) {
    return each_grouping(c, missing, error);
}

static bool empty(kmp_checker *c, kmp_kind groups, size_t group, kmp_span span, kart_error *error) {
    (void)span;
    if (kmp_check_int(c, groups, group, "length") > 0) return true;
    return kmp_report(c, groups, group, "length", error, "the group has no points");
}
bool kmp_rule_group_empty(kmp_checker *c, kart_error *error) { return each_group(c, empty, error); }

static bool range(kmp_checker *c, kmp_kind groups, size_t group, kmp_span span, kart_error *error) {
    int64_t start = kmp_check_int(c, groups, group, "start");
    int64_t length = kmp_check_int(c, groups, group, "length");
    if ((int64_t)span.start == start && (int64_t)(span.end - span.start) == length) return true;
    const char *field = (int64_t)span.start == start ? "length" : "start";
    return kmp_report(c, groups, group, field, error, "holds points %lld to %lld of %zu",
                      (long long)start + 1, (long long)start + length,
                      kmp_count(c, kmp_points_of(groups)));
}
bool kmp_rule_group_range(kmp_checker *c, kart_error *error) { return each_group(c, range, error); }

static bool gap(kmp_checker *c, kmp_kind groups, kart_error *error) {
    size_t expected = 0, total = kmp_count(c, kmp_points_of(groups));
    for (size_t g = 0; g < kmp_count(c, groups); g++) {
        kmp_span span = kmp_group_span(c->doc, groups, g);
        if (span.start != expected &&
            !kmp_report(c, groups, g, "start", error, "starts at point %zu, where %zu would follow",
                        span.start + 1, expected + 1))
            return false;
        expected = span.end;
    }
    if (kmp_count(c, groups) == 0 || expected == total) return true;
    return kmp_report(c, kmp_points_of(groups), expected, "", error, "%zu point%s in no group",
                      total - expected, kmp_plural(total - expected));
}
bool kmp_rule_group_gap(kmp_checker *c, kart_error *error) { return each_grouping(c, gap, error); }

static size_t links_count(const kmp_checker *c, kmp_kind groups, size_t group, const char *name) {
    size_t count = 0;
    for (size_t i = 0; i < 6; i++) {
        int64_t to = kmp_check_link(c, groups, group, name, i);
        count += to >= 0 && (size_t)to < kmp_count(c, groups);
    }
    return count;
}

static bool next_missing(kmp_checker *c, kmp_kind groups, size_t group, kmp_span span,
                         kart_error *error) {
    (void)span;
    if (links_count(c, groups, group, "next") > 0) return true;
    return kmp_report(c, groups, group, "next", error, "no group follows");
}
bool kmp_rule_group_next(kmp_checker *c, kart_error *error) {
    return each_group(c, next_missing, error);
}

static void reach(const kmp_checker *c, kmp_kind groups, uint8_t *reached, size_t *stack) {
    size_t depth = 0;
    stack[depth++] = 0;
    reached[0] = 1;
    while (depth > 0) {
        size_t group = stack[--depth];
        for (size_t i = 0; i < 6; i++) {
            int64_t to = kmp_check_link(c, groups, group, "next", i);
            if (to < 0 || (size_t)to >= kmp_count(c, groups) || reached[to]) continue;
            reached[to] = 1;
            stack[depth++] = (size_t)to;
        }
    }
}

static bool unreached(kmp_checker *c, kmp_kind groups, kart_error *error) {
    size_t count = kmp_count(c, groups);
    if (count == 0) return true;
    uint8_t *reached = kart_alloc(c->doc->ctx, count, error);
    size_t *stack = reached ? kart_alloc(c->doc->ctx, count * sizeof *stack, error) : NULL;
    bool done = stack != NULL;
    if (done) reach(c, groups, reached, stack);
    for (size_t g = 0; done && g < count; g++)
        if (!reached[g])
            done = kmp_report(c, groups, g, "", error, "no way leads here from the first group");
    kart_free(c->doc->ctx, reached, count);
    kart_free(c->doc->ctx, stack, count * sizeof *stack);
    return done;
}
bool kmp_rule_group_unreached(kmp_checker *c, kart_error *error) {
    return each_grouping(c, unreached, error);
}

static bool group_count(kmp_checker *c, kmp_kind groups, kart_error *error) {
    if (kmp_count(c, groups) <= 254) return true;
    return kmp_report(c, groups, KART_NO_INDEX, "", error, "%zu groups, a byte names 254",
                      kmp_count(c, groups));
}
bool kmp_rule_group_count(kmp_checker *c, kart_error *error) {
    return each_grouping(c, group_count, error);
}

bool kmp_rule_item_first_next(kmp_checker *c, kart_error *error) {
    for (size_t g = 0; g < kmp_count(c, KMP_ITPH); g++)
        if (kmp_check_link(c, KMP_ITPH, g, "next", 0) < 0 &&
            links_count(c, KMP_ITPH, g, "next") > 0 &&
            !kmp_report(c, KMP_ITPH, g, "next", error, "the first slot is empty, others are not"))
            return false;
    return true;
}

bool kmp_rule_item_self_link(kmp_checker *c, kart_error *error) {
    for (size_t g = 0; g < kmp_count(c, KMP_ITPH); g++) {
        bool self = false;
        for (size_t i = 0; i < 6; i++)
            self = self || kmp_check_link(c, KMP_ITPH, g, "next", i) == (int64_t)g;
        if (self && kmp_check_int(c, KMP_ITPH, g, "length") == 1 &&
            !kmp_report(c, KMP_ITPH, g, "next", error, "one point, linked to itself"))
            return false;
    }
    return true;
}

bool kmp_rule_point_count(kmp_checker *c, kart_error *error) {
    static const kmp_kind limited[] = {KMP_ENPT, KMP_ITPT};
    for (size_t i = 0; i < 2; i++)
        if (kmp_count(c, limited[i]) > 255 &&
            !kmp_report(c, limited[i], KART_NO_INDEX, "", error, "%zu points, 255 are the most",
                        kmp_count(c, limited[i])))
            return false;
    return true;
}

// Depths as the engine has them: depth first from group 0 in slot order, the first visit wins. A
// link into a group of another depth than the next one is where branches of unequal length join.
static void depths_measure(const kmp_checker *c, size_t *depth, size_t *stack, uint8_t *slot) {
    size_t count = kmp_count(c, KMP_CKPH), top = 0;
    for (size_t g = 0; g < count; g++) depth[g] = SIZE_MAX;
    depth[0] = 0;
    stack[0] = 0;
    slot[0] = 0;
    for (;;) {
        size_t group = stack[top];
        if (slot[top] == 6) {
            if (top-- == 0) return;
            continue;
        }
        int64_t to = kmp_check_link(c, KMP_CKPH, group, "next", slot[top]++);
        if (to < 0 || (size_t)to >= count || depth[to] != SIZE_MAX) continue;
        depth[to] = depth[group] + 1;
        stack[++top] = (size_t)to;
        slot[top] = 0;
    }
}

static bool depths_compare(kmp_checker *c, const size_t *depth, kart_error *error) {
    size_t count = kmp_count(c, KMP_CKPH);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; depth[g] != SIZE_MAX && i < 6; i++) {
            int64_t to = kmp_check_link(c, KMP_CKPH, g, "next", i);
            // The first group begins the next lap.
            if (to <= 0 || (size_t)to >= count || depth[to] == depth[g] + 1) continue;
            if (!kmp_report(c, KMP_CKPH, g, "next", error,
                            "group %lld is the %zu. on its way, and the %zu. on another",
                            (long long)to + 1, depth[g] + 2, depth[to] + 1))
                return false;
        }
    return true;
}

bool kmp_rule_ckpt_branches(kmp_checker *c, kart_error *error) {
    size_t count = kmp_count(c, KMP_CKPH);
    if (count == 0) return true;
    size_t *depth = kart_alloc(c->doc->ctx, 2 * count * sizeof *depth, error);
    uint8_t *slot = depth ? kart_alloc(c->doc->ctx, count, error) : NULL;
    if (slot) depths_measure(c, depth, depth + count, slot);
    bool done = slot && depths_compare(c, depth, error);
    kart_free(c->doc->ctx, depth, 2 * count * sizeof *depth);
    kart_free(c->doc->ctx, slot, count);
    return done;
}

bool kmp_rule_ckpt_count(kmp_checker *c, kart_error *error) {
    size_t groups = kmp_count(c, KMP_CKPH);
    if (kmp_count(c, KMP_CKPT) <= 255 || groups == 0) return true;
    int64_t start = kmp_check_int(c, KMP_CKPH, groups - 1, "start");
    return start <= 254 || kmp_report(c, KMP_CKPH, groups - 1, "start", error,
                                      "%zu checkpoints, and the last group starts at %lld",
                                      kmp_count(c, KMP_CKPT), (long long)start + 1);
}

bool kmp_rule_ckpt_links(kmp_checker *c, kart_error *error) {
    for (size_t g = 0; g < kmp_count(c, KMP_CKPH); g++) {
        kmp_span span = kmp_group_span(c->doc, KMP_CKPH, g);
        for (size_t i = span.start; i < span.end; i++) {
            int64_t prev = kmp_chain_link(span, i, false), next = kmp_chain_link(span, i, true);
            if (kmp_check_int(c, KMP_CKPT, i, "prev") != prev &&
                !kmp_report(c, KMP_CKPT, i, "prev", error,
                            "does not name the checkpoint before it in the group"))
                return false;
            if (kmp_check_int(c, KMP_CKPT, i, "next") != next &&
                !kmp_report(c, KMP_CKPT, i, "next", error,
                            "does not name the checkpoint behind it in the group"))
                return false;
        }
    }
    return true;
}
