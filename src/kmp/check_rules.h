// Internal to the check: what the rules share, and the rules themselves by file.
#ifndef KMP_CHECK_RULES_H
#define KMP_CHECK_RULES_H

#include "kmp/check.h"
#include "kmp/edit_work.h"
#include "kmp/laps.h"

// A long drive along the enemy route, made once for all rules that ask for it.
typedef struct kmp_check_drive {
    bool tried, made; // made: the course can be driven at all
    kmp_lap_result result;
} kmp_check_drive;

typedef struct kmp_checker {
    const kmp_doc *doc;
    const kart_rule *rule;
    kart_findings *findings;
    bool arena;
    kmp_check_drive *drive; // see kmp_check_drive_get
} kmp_checker;

typedef bool (*kmp_rule_fn)(kmp_checker *c, kart_error *error);

// Add a finding of the rule that runs. `index`: KART_NO_INDEX if it is not about one record.
bool kmp_report(kmp_checker *c, kmp_kind kind, size_t index, const char *field, kart_error *error,
                const char *message, ...) __attribute__((format(printf, 6, 7)));

size_t kmp_count(const kmp_checker *c, kmp_kind kind); // 0 where there is no such section

// The end of a noun that is counted.
static inline const char *kmp_plural(size_t count) { return count == 1 ? "" : "s"; }

// Extended: LE-CODE's upper id bits or word 2 are in use.
bool kmp_object_is_extended(const kmp_doc *doc, size_t object);

// Field values by name; see kmp_int, kmp_vec.
int64_t kmp_check_int(const kmp_checker *c, kmp_kind kind, size_t index, const char *name);
int64_t kmp_check_link(const kmp_checker *c, kmp_kind kind, size_t index, const char *name,
                       size_t i); // -1: none

// check_group.c: groups of enemy, item and check points.
bool kmp_rule_group_missing(kmp_checker *c, kart_error *error);
bool kmp_rule_group_empty(kmp_checker *c, kart_error *error);
bool kmp_rule_group_range(kmp_checker *c, kart_error *error);
bool kmp_rule_group_gap(kmp_checker *c, kart_error *error);
bool kmp_rule_group_next(kmp_checker *c, kart_error *error);
bool kmp_rule_group_unreached(kmp_checker *c, kart_error *error);
bool kmp_rule_group_count(kmp_checker *c, kart_error *error);
bool kmp_rule_item_first_next(kmp_checker *c, kart_error *error);
bool kmp_rule_item_self_link(kmp_checker *c, kart_error *error);
bool kmp_rule_point_count(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_branches(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_count(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_links(kmp_checker *c, kart_error *error);

// check_lap.c: checkpoints, keys, laps.
bool kmp_rule_ckpt_none(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_near(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_overlap(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_quad(kmp_checker *c, kart_error *error);
bool kmp_rule_key_order(kmp_checker *c, kart_error *error);
bool kmp_rule_key_signed(kmp_checker *c, kart_error *error);
bool kmp_rule_key_twice(kmp_checker *c, kart_error *error);
bool kmp_rule_key_skipped(kmp_checker *c, kart_error *error);
bool kmp_rule_lap_line_none(kmp_checker *c, kart_error *error);
bool kmp_rule_lap_line_several(kmp_checker *c, kart_error *error);
bool kmp_rule_lap_line_first(kmp_checker *c, kart_error *error);
bool kmp_rule_lap_line_respawn(kmp_checker *c, kart_error *error);
bool kmp_rule_laps_incomplete(kmp_checker *c, kart_error *error);
bool kmp_rule_laps_jump(kmp_checker *c, kart_error *error);
bool kmp_rule_ckpt_dead(kmp_checker *c, kart_error *error);
bool kmp_rule_respawn_signed(kmp_checker *c, kart_error *error);

// check_start.c: start positions, arenas.
bool kmp_rule_start_none(kmp_checker *c, kart_error *error);
bool kmp_rule_start_yaw(kmp_checker *c, kart_error *error);
bool kmp_rule_start_heading(kmp_checker *c, kart_error *error);
bool kmp_rule_start_slant(kmp_checker *c, kart_error *error);
bool kmp_rule_start_far(kmp_checker *c, kart_error *error);
bool kmp_rule_start_apart(kmp_checker *c, kart_error *error);
bool kmp_rule_start_outside(kmp_checker *c, kart_error *error);
bool kmp_rule_arena_players(kmp_checker *c, kart_error *error);
bool kmp_rule_arena_ends(kmp_checker *c, kart_error *error);

// check_area.c: areas and cameras.
bool kmp_rule_area_camera(kmp_checker *c, kart_error *error);
bool kmp_rule_area_type(kmp_checker *c, kart_error *error);
bool kmp_rule_area_range(kmp_checker *c, kart_error *error);
bool kmp_rule_area_scale(kmp_checker *c, kart_error *error);
bool kmp_rule_area_enemy(kmp_checker *c, kart_error *error);
bool kmp_rule_area_boo(kmp_checker *c, kart_error *error);
bool kmp_rule_camera_opening(kmp_checker *c, kart_error *error);
bool kmp_rule_camera_cycle(kmp_checker *c, kart_error *error);
bool kmp_rule_camera_route(kmp_checker *c, kart_error *error);
bool kmp_rule_camera_goal(kmp_checker *c, kart_error *error);
bool kmp_rule_camera_still(kmp_checker *c, kart_error *error);

// check_record.c: everything else, record by record.
bool kmp_rule_reference_lost(kmp_checker *c, kart_error *error); // of several rules
bool kmp_rule_object_route(kmp_checker *c, kart_error *error);
bool kmp_rule_object_id(kmp_checker *c, kart_error *error);
bool kmp_rule_object_presence(kmp_checker *c, kart_error *error);
bool kmp_rule_object_count(kmp_checker *c, kart_error *error);
bool kmp_rule_object_balls(kmp_checker *c, kart_error *error);
bool kmp_rule_object_grid(kmp_checker *c, kart_error *error);
bool kmp_rule_route_short(kmp_checker *c, kart_error *error);
bool kmp_rule_route_shared(kmp_checker *c, kart_error *error);
bool kmp_rule_route_unused(kmp_checker *c, kart_error *error);
bool kmp_rule_stage_values(kmp_checker *c, kart_error *error);
bool kmp_rule_stage_laps(kmp_checker *c, kart_error *error);
bool kmp_rule_float_finite(kmp_checker *c, kart_error *error);
bool kmp_rule_online_range(kmp_checker *c, kart_error *error);
bool kmp_rule_point_total(kmp_checker *c, kart_error *error);

// check_fix.c: repairs. They count what they change.
typedef bool (*kmp_fix_fn)(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_ckpt_links(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_group_gap(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_references(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_respawns(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_area_scale(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_stage_values(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_point_total(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_presence(kmp_doc *doc, size_t *mended, kart_error *error);
bool kmp_fix_start_yaw(kmp_doc *doc, size_t *mended, kart_error *error);

#endif
