// Rules about start positions and arenas.
#include "kmp/check_rules.h"
#include "kmp/track.h"

bool kmp_rule_start_none(kmp_checker *c, kart_error *error) {
    return kmp_count(c, KMP_KTPT) > 0 ||
           kmp_report(c, KMP_KTPT, KART_NO_INDEX, "", error, "no start position");
}

bool kmp_rule_start_yaw(kmp_checker *c, kart_error *error) {
    if (kmp_count(c, KMP_KTPT) == 0) return true;
    double yaw = kmp_vec(c->doc, KMP_KTPT, 0, "rotation").y;
    return fmod(yaw, 90) == 0 ||
           kmp_report(c, KMP_KTPT, 0, "rotation", error, "yaw %g is no multiple of 90", yaw);
}

// Where the start stands as seen from the lap line.
typedef struct start_view {
    double angle;    // between its heading and the line's direction, in degrees
    double distance; // to the line
} start_view;

// False where there is no start or no line to speak of.
static bool start_see(const kmp_checker *c, start_view *view) {
    size_t line = SIZE_MAX;
    for (size_t i = kmp_count(c, KMP_CKPT); i-- > 0;)
        if (kmp_check_int(c, KMP_CKPT, i, "type") == 0) line = i;
    if (line == SIZE_MAX || kmp_count(c, KMP_KTPT) == 0) return false;
    kart_vec3 left = kmp_vec(c->doc, KMP_CKPT, line, "left");
    kart_vec3 right = kmp_vec(c->doc, KMP_CKPT, line, "right");
    kart_vec3 p = kmp_vec(c->doc, KMP_KTPT, 0, "position");
    kart_affine facing = kart_affine_euler(kmp_vec(c->doc, KMP_KTPT, 0, "rotation"));
    double fx = facing.m[0][2], fz = facing.m[2][2];
    double nx = right.z - left.z, nz = left.x - right.x, width = hypot(nx, nz);
    if (!(width > 0)) return false;
    double along = ((p.x - left.x) * (right.x - left.x) + (p.z - left.z) * (right.z - left.z)) /
                   (width * width);
    double across = ((p.x - left.x) * nx + (p.z - left.z) * nz) / width;
    double beside = along < 0 ? -along * width : along > 1 ? (along - 1) * width : 0;
    view->angle = fabs(atan2(fx * nz - fz * nx, fx * nx + fz * nz)) * 57.29577951308232;
    view->distance = hypot(across, beside);
    return true;
}

bool kmp_rule_start_heading(kmp_checker *c, kart_error *error) {
    start_view v;
    return !start_see(c, &v) || !(v.angle > 5) ||
           kmp_report(c, KMP_KTPT, 0, "rotation", error, "%.1f degrees off the line's direction",
                      v.angle);
}

bool kmp_rule_start_slant(kmp_checker *c, kart_error *error) {
    start_view v;
    return !start_see(c, &v) || !(v.angle > 1 && v.angle <= 5) ||
           kmp_report(c, KMP_KTPT, 0, "rotation", error, "%.1f degrees off the line's direction",
                      v.angle);
}

bool kmp_rule_start_far(kmp_checker *c, kart_error *error) {
    start_view v;
    return !start_see(c, &v) || !(v.distance > 2000) ||
           kmp_report(c, KMP_KTPT, 0, "position", error, "%.0f units from the lap line",
                      v.distance);
}

bool kmp_rule_start_apart(kmp_checker *c, kart_error *error) {
    start_view v;
    return !start_see(c, &v) || !(v.distance > 500 && v.distance <= 2000) ||
           kmp_report(c, KMP_KTPT, 0, "position", error, "%.0f units from the lap line",
                      v.distance);
}

bool kmp_rule_start_outside(kmp_checker *c, kart_error *error) {
    if (kmp_count(c, KMP_KTPT) == 0) return true;
    kart_error local;
    kmp_track *track = kmp_track_new(c->doc, &local);
    if (!track) {
        if (local.code == KART_UNSUPPORTED) return true; // other rules speak of that
        if (error) *error = local;
        return false;
    }
    double ratio;
    kart_vec3 p = kmp_vec(c->doc, KMP_KTPT, 0, "position");
    bool inside = kmp_track_find(track, 0, p, &ratio) != KMP_NOWHERE;
    kmp_track_free(track);
    return inside || kmp_report(c, KMP_KTPT, 0, "position", error,
                                "in no area that can be reached from the first checkpoint");
}

bool kmp_rule_arena_players(kmp_checker *c, kart_error *error) {
    size_t seen[12] = {0};
    for (size_t i = 0; i < kmp_count(c, KMP_KTPT); i++) {
        int64_t player = kmp_check_int(c, KMP_KTPT, i, "player");
        if (player < 0 || player > 11) {
            if (!kmp_report(c, KMP_KTPT, i, "player", error, "player %lld, there are 0 to 11",
                            (long long)player))
                return false;
        } else if (++seen[player] == 2) {
            if (!kmp_report(c, KMP_KTPT, i, "player", error, "player %lld a second time",
                            (long long)player))
                return false;
        }
    }
    for (size_t player = 0; player < 12; player++)
        if (seen[player] == 0 && !kmp_report(c, KMP_KTPT, KART_NO_INDEX, "player", error,
                                             "player %zu is missing", player))
            return false;
    return true;
}

bool kmp_rule_arena_ends(kmp_checker *c, kart_error *error) {
    size_t count = kmp_count(c, KMP_MSPT);
    return count >= 4 || kmp_report(c, KMP_MSPT, KART_NO_INDEX, "", error,
                                    "%zu end position%s instead of 4", count, kmp_plural(count));
}
