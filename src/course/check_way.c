// Rules about routes and checkpoints against the collision.
#include "course/check_rules.h"
#include "kmp/track.h"

#include <math.h>

static const struct {
    kmp_kind points, groups;
    course_surface wall;
    const char *name;
} ways[] = {{KMP_ENPT, KMP_ENPH, COURSE_KART_WALL, "enemy"},
            {KMP_ITPT, KMP_ITPH, COURSE_ITEM_WALL, "item"}};
#define WAYS (sizeof ways / sizeof *ways)

// --- points -----------------------------------------------------------------------------------

// Real ways have points in the air where karts jump, and some forgotten ones; most of them are on
// the road. [F] Of fewer points nothing is said.
#define FEW 4

bool course_rule_way_elsewhere(course_checker *c, kart_error *error) {
    for (size_t way = 0; way < WAYS; way++) {
        const size_t count = course_count(c, ways[way].points);
        size_t lost = 0;
        for (size_t i = 0; i < count; i++) {
            const kart_vec3 p = course_position(c, ways[way].points, i);
            lost += !course_grounded(c->terrain, p.x, p.z);
        }
        if (count >= FEW && lost > count / 2 &&
            !course_report(c, ways[way].points, KART_NO_INDEX, "", error,
                           "%zu of %zu %s points have no ground above or below", lost, count,
                           ways[way].name))
            return false;
    }
    return true;
}

// A point this much lower has only sunk a little; what is farther up is another road, and the point
// one of a jump below it.
#define SUNK 100.0
#define DEEP 1000.0

bool course_rule_way_under(course_checker *c, kart_error *error) {
    for (size_t way = 0; way < WAYS; way++) {
        for (size_t i = 0; i < course_count(c, ways[way].points); i++) {
            const kart_vec3 p = course_position(c, ways[way].points, i);
            const course_stand stand = course_stand_find(c->terrain, p, DEEP, (double)INFINITY);
            if (!stand.below && stand.above && stand.rise > SUNK &&
                !course_report(c, ways[way].points, i, "position", error,
                               "%.0f units under the road", stand.rise))
                return false;
        }
    }
    return true;
}

// --- walls ------------------------------------------------------------------------------------

// Drivers leave the straight line by some units, hop over what is low, and slide along what they
// touch at a corner: a way is blocked where a wall stands in all of these lines.
static const double heights[] = {100, 200, 300}, sides[] = {0, -150, 150, -300, 300};
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static bool blocked(const course_checker *c, course_surface wall, kart_vec3 from, kart_vec3 to) {
    const double x = to.x - from.x, z = to.z - from.z, length = hypot(x, z);
    if (!(length > 1)) return false;
    for (size_t h = 0; h < COUNT_OF(heights); h++) {
        for (size_t s = 0; s < COUNT_OF(sides); s++) {
            const kart_vec3 aside = {-z / length * sides[s], heights[h], x / length * sides[s]};
            if (!course_walled(c->terrain, wall, vec3_add(from, aside), vec3_add(to, aside)))
                return false;
        }
    }
    return true;
}

static bool step(course_checker *c, size_t way, size_t from, size_t to, kart_error *error) {
    const kmp_kind kind = ways[way].points;
    if (from >= course_count(c, kind) || to >= course_count(c, kind)) return true;
    return !blocked(c, ways[way].wall, course_position(c, kind, from),
                    course_position(c, kind, to)) ||
           course_report(c, kind, from, "", error, "a wall on the way to point %zu", to + 1);
}

#define NEXT_MOST 6
// More points and groups freeze the game (point-count, group-count).
#define MOST 255

bool course_rule_way_walled(course_checker *c, kart_error *error) {
    for (size_t way = 0; way < WAYS; way++) {
        const kmp_kind kind = ways[way].groups;
        const size_t groups = course_count(c, kind);
        if (groups > MOST || course_count(c, ways[way].points) > MOST) continue;
        for (size_t i = 0; i < groups; i++) {
            const kmp_field *fields = c->doc->tables[kind].schema->fields;
            const kmp_field *next = kmp_field_find(fields, "next");
            const size_t start = (size_t)kmp_int(c->doc, kind, i, "start", 0);
            const size_t length = (size_t)kmp_int(c->doc, kind, i, "length", 0);
            if (length == 0) continue;
            for (size_t at = start; at < start + length - 1; at++)
                if (!step(c, way, at, at + 1, error)) return false;
            for (size_t slot = 0; slot < NEXT_MOST; slot++) {
                const size_t to = kmp_ref(c->doc, kmp_row(c->doc, kind, i), next, slot);
                if (to == SIZE_MAX || to == i) continue;
                if (!step(c, way, start + length - 1, (size_t)kmp_int(c->doc, kind, to, "start", 0),
                          error))
                    return false;
            }
        }
    }
    return true;
}

// --- checkpoints ------------------------------------------------------------------------------

#define LOOKS 64 // along a line

static bool line_has_road(const course_checker *c, const kmp_checkpoint *line) {
    for (size_t i = 0; i <= LOOKS; i++) {
        const double k = (double)i / LOOKS;
        if (course_grounded(c->terrain, line->left.x + (line->right.x - line->left.x) * k,
                            line->left.z + (line->right.z - line->left.z) * k))
            return true;
    }
    return false;
}

// Has any neighbour a road? Lines in the middle of a jump have none themselves.
static bool neighbour_has_road(const kmp_checkpoint *line, const bool *roads) {
    for (int way = KMP_FORWARD; way <= KMP_BACKWARD; way++)
        for (size_t i = 0; i < line->links_count[way]; i++)
            if (roads[line->links[way][i]]) return true;
    return false;
}

static bool lines_check(course_checker *c, const kmp_track *track, bool *roads, kart_error *error) {
    for (size_t i = 0; i < track->count; i++) {
        roads[i] = line_has_road(c, &track->checkpoints[i]);
        if (!kart_ctx_step_at(c->doc->ctx, i, track->count, error)) return false;
    }
    for (size_t i = 0; i < track->count; i++)
        if (!roads[i] && !neighbour_has_road(&track->checkpoints[i], roads) &&
            !course_report(c, KMP_CKPT, i, "", error, "no road below or above the line"))
            return false;
    return true;
}

bool course_rule_ckpt_ground(course_checker *c, kart_error *error) {
    kart_error local;
    kmp_track *track = kmp_track_new(c->doc, &local);
    if (!track) {
        if (local.code == KART_UNSUPPORTED) return true; // other rules speak of that
        if (error) *error = local;
        return false;
    }
    bool *roads = kart_alloc(c->doc->ctx, track->count * sizeof *roads, error);
    const bool done = roads && lines_check(c, track, roads, error);
    kart_free(c->doc->ctx, roads, track->count * sizeof *roads);
    kmp_track_free(track);
    return done;
}
