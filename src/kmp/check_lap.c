// Rules about checkpoints, keys and laps.
#include "kmp/check_rules.h"
#include "kmp/laps.h"

static int64_t type_of(const kmp_checker *c, size_t i) {
    return kmp_check_int(c, KMP_CKPT, i, "type");
}

bool kmp_rule_ckpt_none(kmp_checker *c, kart_error *error) {
    return kmp_count(c, KMP_CKPT) > 0 ||
           kmp_report(c, KMP_CKPT, KART_NO_INDEX, "", error, "no checkpoints");
}

// --- geometry ---------------------------------------------------------------------------------

typedef struct line {
    kart_vec3 left, right;
} line;

static line line_of(const kmp_checker *c, size_t i) {
    return (line){kmp_vec(c->doc, KMP_CKPT, i, "left"), kmp_vec(c->doc, KMP_CKPT, i, "right")};
}

static kart_vec3 middle(line l) { return vec3_scale(vec3_add(l.left, l.right), 0.5); }

// Signed area on the ground of the way a, b, d: the sign tells the side of the turn.
static double turn(kart_vec3 a, kart_vec3 b, kart_vec3 d) {
    return (b.x - a.x) * (d.z - a.z) - (b.z - a.z) * (d.x - a.x);
}

// Call `visit` for every checkpoint and each of its successors.
typedef bool (*quad_fn)(kmp_checker *c, size_t from, size_t to, kart_error *error);

// A track to ask, NULL without error where there is none; rules about it have nothing to say then.
static bool track_open(const kmp_checker *c, kmp_track **track, kart_error *error) {
    kart_error local;
    *track = kmp_track_new(c->doc, &local);
    if (*track || local.code == KART_UNSUPPORTED) return true;
    if (error) *error = local;
    return false;
}

static bool each_quad(kmp_checker *c, quad_fn visit, kart_error *error) {
    kmp_track *track;
    if (!track_open(c, &track, error)) return false;
    bool done = true;
    for (size_t i = 0; track && done && i < track->count; i++) {
        const kmp_checkpoint *from = &track->checkpoints[i];
        for (size_t n = 0; done && n < from->links_count[KMP_FORWARD]; n++)
            done = visit(c, i, from->links[KMP_FORWARD][n], error);
    }
    kmp_track_free(track);
    return done;
}

static double gap(const kmp_checker *c, size_t from, size_t to) {
    return vec3_length(vec3_sub(middle(line_of(c, to)), middle(line_of(c, from))));
}

static bool overlap(kmp_checker *c, size_t from, size_t to, kart_error *error) {
    double distance = gap(c, from, to);
    return from == to || !(distance < 1) ||
           kmp_report(c, KMP_CKPT, from, "", error, "only %.2g units from checkpoint %zu", distance,
                      to + 1);
}
bool kmp_rule_ckpt_overlap(kmp_checker *c, kart_error *error) {
    return each_quad(c, overlap, error);
}

static bool near_by(kmp_checker *c, size_t from, size_t to, kart_error *error) {
    double distance = gap(c, from, to);
    return from == to || !(distance >= 1 && distance < 10) ||
           kmp_report(c, KMP_CKPT, from, "", error, "only %.2g units from checkpoint %zu", distance,
                      to + 1);
}
bool kmp_rule_ckpt_near(kmp_checker *c, kart_error *error) { return each_quad(c, near_by, error); }

static bool quad(kmp_checker *c, size_t from, size_t to, kart_error *error) {
    line a = line_of(c, from), b = line_of(c, to);
    // Round the quad: left, right, right of the next, left of the next. Corners that fall together
    // are no harm.
    const kart_vec3 p[4] = {a.left, a.right, b.right, b.left};
    int wrong = 0, right = 0;
    for (int i = 0; i < 4; i++) {
        double t = turn(p[i], p[(i + 1) % 4], p[(i + 2) % 4]);
        wrong += t > 0;
        right += t < 0;
    }
    if (wrong == 0) return true;
    return kmp_report(c, KMP_CKPT, from, "", error, "the area to checkpoint %zu is %s", to + 1,
                      right == 0 ? "inside out" : "not convex");
}
bool kmp_rule_ckpt_quad(kmp_checker *c, kart_error *error) { return each_quad(c, quad, error); }

// --- keys -------------------------------------------------------------------------------------

bool kmp_rule_key_order(kmp_checker *c, kart_error *error) {
    bool present[128] = {false};
    int64_t last = 0;
    for (size_t i = 0; i < kmp_count(c, KMP_CKPT); i++) {
        int64_t type = type_of(c, i);
        if (type >= 0) present[type] = true;
        if (type > last) last = type;
    }
    for (int64_t key = 1; key < last; key++)
        if (!present[key] && !kmp_report(c, KMP_CKPT, KART_NO_INDEX, "type", error,
                                         "key %lld is missing, the last one is %lld",
                                         (long long)key, (long long)last))
            return false;
    return true;
}

bool kmp_rule_key_signed(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_CKPT); i++)
        if (type_of(c, i) < -1 &&
            !kmp_report(c, KMP_CKPT, i, "type", error,
                        "0x%02X is negative for the engine: neither a key nor normal",
                        (unsigned)(uint8_t)type_of(c, i)))
            return false;
    return true;
}

bool kmp_rule_key_twice(kmp_checker *c, kart_error *error) {
    for (size_t g = 0; g < kmp_count(c, KMP_CKPH); g++) {
        bool seen[128] = {false};
        kmp_span span = kmp_group_span(c->doc, KMP_CKPH, g);
        for (size_t i = span.start; i < span.end; i++) {
            int64_t type = type_of(c, i);
            if (type < 1) continue;
            if (seen[type] &&
                !kmp_report(c, KMP_CKPT, i, "type", error, "key %lld a second time in group %zu",
                            (long long)type, g + 1))
                return false;
            seen[type] = true;
        }
    }
    return true;
}

// Drive straight from the area before a key to the area behind it, and look whether the key counts.
static bool key_passed_by(kmp_track *track, kart_vec3 from, kart_vec3 to, size_t start,
                          size_t behind, int key) {
    kart_vec3 way = vec3_sub(to, from);
    double length = vec3_length(way);
    if (!(length < 1e6)) return false;
    size_t steps = (size_t)(length / 100) + 1, at = start;
    for (size_t i = 0; i <= steps; i++) {
        double ratio;
        kart_vec3 p = vec3_add(from, vec3_scale(way, (double)i / (double)steps));
        size_t found = kmp_track_find(track, at, p, &ratio);
        if (found == KMP_NOWHERE) continue;
        if (track->checkpoints[found].type == key) return false;
        at = found;
    }
    // The search does not look past a key: see for itself that the way ends where it should.
    double ratio;
    return kmp_track_find(track, behind, to, &ratio) == behind;
}

static kart_vec3 area_middle(const kmp_checkpoint *a, const kmp_checkpoint *b) {
    return (kart_vec3){(a->left.x + a->right.x + b->left.x + b->right.x) / 4, 0,
                       (a->left.z + a->right.z + b->left.z + b->right.z) / 4};
}

bool kmp_rule_key_skipped(kmp_checker *c, kart_error *error) {
    kmp_track *track;
    if (!track_open(c, &track, error)) return false;
    bool done = true;
    for (size_t i = 0; track && done && i < track->count; i++) {
        const kmp_checkpoint *key = &track->checkpoints[i];
        if (key->type < 1 || !key->links_count[KMP_BACKWARD] || !key->links_count[KMP_FORWARD])
            continue;
        size_t before = key->links[KMP_BACKWARD][0], behind = key->links[KMP_FORWARD][0];
        const kmp_checkpoint *next = &track->checkpoints[behind];
        if (!next->links_count[KMP_FORWARD]) continue;
        kart_vec3 from = area_middle(&track->checkpoints[before], key);
        kart_vec3 to = area_middle(next, &track->checkpoints[next->links[KMP_FORWARD][0]]);
        if (key_passed_by(track, from, to, before, behind, key->type))
            done = kmp_report(c, KMP_CKPT, i, "", error, "key %d can be passed by", key->type);
    }
    kmp_track_free(track);
    return done;
}

// --- the lap line -----------------------------------------------------------------------------

static size_t lap_lines(const kmp_checker *c, size_t *last) {
    size_t count = 0;
    for (size_t i = 0; i < kmp_count(c, KMP_CKPT); i++)
        if (type_of(c, i) == 0) {
            count++;
            *last = i;
        }
    return count;
}

bool kmp_rule_lap_line_none(kmp_checker *c, kart_error *error) {
    size_t last;
    return kmp_count(c, KMP_CKPT) == 0 || lap_lines(c, &last) > 0 ||
           kmp_report(c, KMP_CKPT, KART_NO_INDEX, "type", error, "no checkpoint of type 0");
}

bool kmp_rule_lap_line_several(kmp_checker *c, kart_error *error) {
    size_t last = 0, count = lap_lines(c, &last);
    return count < 2 ||
           kmp_report(c, KMP_CKPT, last, "type", error, "the last of %zu lap lines", count);
}

bool kmp_rule_lap_line_first(kmp_checker *c, kart_error *error) {
    size_t last = 0;
    if (lap_lines(c, &last) != 1 || kmp_count(c, KMP_CKPH) == 0) return true;
    size_t first = (size_t)kmp_check_int(c, KMP_CKPH, 0, "start");
    if (last == first && last == 0) return true;
    return kmp_report(c, KMP_CKPT, last, "type", error,
                      "the lap line is checkpoint %zu, not the first of the first group", last + 1);
}

bool kmp_rule_lap_line_respawn(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_CKPT); i++) {
        if (type_of(c, i) != 0) continue;
        int64_t respawn = kmp_check_link(c, KMP_CKPT, i, "respawn", 0);
        if (respawn < 0 || (size_t)respawn >= kmp_count(c, KMP_JGPT)) continue;
        line l = line_of(c, i);
        kart_vec3 p = kmp_vec(c->doc, KMP_JGPT, (size_t)respawn, "position");
        // Ahead of the line is on the side that its direction shows.
        double width = vec3_length(vec3_sub(l.right, l.left));
        double ahead = ((l.right.z - l.left.z) * (p.x - l.left.x) +
                        (l.left.x - l.right.x) * (p.z - l.left.z)) /
                       width;
        if (ahead >= 1 && !kmp_report(c, KMP_CKPT, i, "respawn", error,
                                      "respawn %lld lies %.0f units past the line",
                                      (long long)respawn + 1, ahead))
            return false;
    }
    return true;
}

// --- laps -------------------------------------------------------------------------------------

// More laps than are raced, so that every branch of the route is taken once.
#define MANY_LAPS 8
#define RACE_LAPS 3

// The drive, made when it is asked for first. `*result` is NULL where the course can't be driven:
// other rules say what is missing.
static bool drive_get(kmp_checker *c, const kmp_lap_result **result, kart_error *error) {
    kmp_check_drive *drive = c->drive;
    if (!drive->tried) {
        kmp_lap_options options = {.laps = MANY_LAPS};
        kart_error local;
        drive->tried = true;
        drive->made = kmp_laps_simulate(c->doc, &options, &drive->result, &local);
        if (!drive->made && local.code != KART_UNSUPPORTED) {
            if (error) *error = local;
            return false;
        }
    }
    *result = drive->made ? &drive->result : NULL;
    return true;
}

bool kmp_rule_laps_incomplete(kmp_checker *c, kart_error *error) {
    const kmp_lap_result *result;
    if (!drive_get(c, &result, error)) return false;
    if (!result || result->laps >= RACE_LAPS) return true;
    return kmp_report(c, KMP_NONE, KART_NO_INDEX, "", error, "%d of %d laps: %s", result->laps,
                      RACE_LAPS, result->stopped ? result->stopped : "not finished");
}

// Mark the checkpoints of events; the first jump at each is reported if `jumps`.
static bool events_mark(kmp_checker *c, const kmp_lap_result *result, uint8_t *marked, bool jumps,
                        kart_error *error) {
    for (size_t i = 0; i < result->events_count; i++) {
        const kmp_lap_event *e = &result->events[i];
        if (jumps && e->kind != KMP_LAP_JUMP) continue;
        if (jumps && !marked[e->checkpoint] &&
            !kmp_report(c, KMP_CKPT, e->checkpoint, "", error,
                        "the completion jumps by %+.2f at (%.0f, %.0f, %.0f)", e->change,
                        e->position.x, e->position.y, e->position.z))
            return false;
        marked[e->checkpoint] = 1;
    }
    return true;
}

bool kmp_rule_laps_jump(kmp_checker *c, kart_error *error) {
    const kmp_lap_result *result;
    if (!drive_get(c, &result, error)) return false;
    if (!result) return true;
    uint8_t *marked = kart_alloc(c->doc->ctx, kmp_count(c, KMP_CKPT), error);
    bool done = marked && events_mark(c, result, marked, true, error);
    kart_free(c->doc->ctx, marked, kmp_count(c, KMP_CKPT));
    return done;
}

bool kmp_rule_ckpt_dead(kmp_checker *c, kart_error *error) {
    const kmp_lap_result *result;
    if (!drive_get(c, &result, error)) return false;
    if (!result || !result->finished) return true;
    size_t count = kmp_count(c, KMP_CKPT);
    uint8_t *visited = kart_alloc(c->doc->ctx, count, error);
    bool done = visited && events_mark(c, result, visited, false, error);
    for (size_t i = 0; done && i < count; i++)
        if (!visited[i]) done = kmp_report(c, KMP_CKPT, i, "", error, "the drive never comes here");
    kart_free(c->doc->ctx, visited, count);
    return done;
}

// --- respawns ---------------------------------------------------------------------------------

bool kmp_rule_respawn_signed(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_CKPT); i++) {
        int64_t respawn = kmp_check_link(c, KMP_CKPT, i, "respawn", 0);
        if (respawn > 127 && respawn < (int64_t)kmp_count(c, KMP_JGPT) &&
            !kmp_report(c, KMP_CKPT, i, "respawn", error,
                        "respawn %lld, 128 is the last that can be used", (long long)respawn + 1))
            return false;
    }
    return true;
}
