#include "kmp/check.h"

#include "kmp/check_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool kmp_report(kmp_checker *c, kmp_kind kind, size_t index, const char *field, kart_error *error,
                const char *message, ...) {
    char text[160];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    kart_finding finding = kmp_finding_at(c->doc, kind, index, field);
    finding.rule = c->rule->id;
    finding.severity = c->rule->severity;
    return kart_findings_add(c->doc->ctx, c->findings, finding, error, "%s", text);
}

size_t kmp_count(const kmp_checker *c, kmp_kind kind) { return c->doc->tables[kind].count; }

int64_t kmp_check_int(const kmp_checker *c, kmp_kind kind, size_t index, const char *name) {
    return kmp_int(c->doc, kind, index, name, 0);
}

int64_t kmp_check_link(const kmp_checker *c, kmp_kind kind, size_t index, const char *name,
                       size_t i) {
    const kmp_field *field = kmp_field_find(c->doc->tables[kind].schema->fields, name);
    if (!field) return -1; // older layouts lack some
    int64_t value = kmp_get_int(c->doc, kmp_row(c->doc, kind, index), field, i);
    return value == field->none ? -1 : value;
}

// --- the table --------------------------------------------------------------------------------

typedef struct rule_row {
    kart_rule rule;
    kmp_modes modes;
    kmp_rule_fn run;
    kmp_fix_fn fix;
} rule_row;

#define RULE(id, severity, modes, sections, source, run, fix, reason, remedy)                      \
    { {id, severity, sections, reason, remedy, source}, modes, run, fix }
#define E     KART_FATAL
#define W     KART_WARNING
#define H     KART_HINT
#define RACE  KMP_RACE
#define ARENA KMP_ARENA
#define BOTH  KMP_BOTH

// What it is and who looks for it (and repairs it); why it matters; what to do about it.
// Sources: "engine" is public decompilation, "wiki" the community's pages, "files" what real files
// show, "derived" a consequence of the former.
// clang-format off
static const rule_row rules[] = {
    RULE("group-missing", E, BOTH, "enph itph ckph", "engine", kmp_rule_group_missing, NULL,
         "Points without any group: the game reads past the end.",
         "Insert a group that holds them."),
    RULE("group-empty", E, BOTH, "enph itph ckph", "engine", kmp_rule_group_empty, NULL,
         "A group of no points is divided by its length.",
         "Remove the group, or give it points."),
    RULE("group-range", W, BOTH, "enph itph ckph", "wiki", kmp_rule_group_range, NULL,
         "The group reaches past the last point.",
         "Correct its start and length."),
    RULE("group-gap", W, BOTH, "enph itph ckph", "files", kmp_rule_group_gap, kmp_fix_group_gap,
         "Groups must follow each other without gaps or overlaps.",
         "fix group-gap sets the starts by the lengths, unless a point would be left over."),
    RULE("group-next", E, RACE, "enph itph ckph", "engine", kmp_rule_group_next, NULL,
         "A group that nothing follows: drivers and laps end here.",
         "Link it to the group that follows."),
    RULE("group-unreached", W, RACE, "enph itph ckph", "derived", kmp_rule_group_unreached, NULL,
         "No way leads from the first group to this one.",
         "Link it, or remove it."),
    RULE("group-count", W, BOTH, "enph itph ckph", "wiki", kmp_rule_group_count, NULL,
         "More than 254 groups can't be named by a byte.",
         "Join groups that are linked to each other alone."),
    RULE("item-first-next", W, BOTH, "itph", "wiki", kmp_rule_item_first_next, NULL,
         "The first next group is the standard way; without it items stop.",
         "Move the links to the front."),
    RULE("item-self-link", W, BOTH, "itph", "wiki", kmp_rule_item_self_link, NULL,
         "A group of one point that leads to itself makes the game lag.",
         "Give it a second point, or link it on."),
    RULE("point-count", E, BOTH, "enpt itpt", "wiki", kmp_rule_point_count, NULL,
         "More than 255 points freeze the game while it loads.",
         "Remove points."),
    RULE("ckpt-branches", W, RACE, "ckph", "engine", kmp_rule_ckpt_branches, NULL,
         "Branches of unequal group count make positions jump at the join.",
         "Split groups of the shorter branch."),
    RULE("ckpt-count", E, RACE, "ckph", "wiki", kmp_rule_ckpt_count, NULL,
         "The last group of checkpoints must start at 254 or before.",
         "Make the last group longer, or remove checkpoints."),
    RULE("ckpt-links", W, RACE, "ckpt", "engine", kmp_rule_ckpt_links, kmp_fix_ckpt_links,
         "The links to the neighbours differ from the order of the group.",
         "fix ckpt-links writes them anew."),

    RULE("ckpt-none", E, RACE, "ckpt", "engine", kmp_rule_ckpt_none, NULL,
         "A race without checkpoints freezes.",
         "Insert checkpoints."),
    RULE("ckpt-overlap", W, RACE, "ckpt", "derived", kmp_rule_ckpt_overlap, NULL,
         "Two checkpoints in a row stand less than 1 unit apart.",
         "Move or remove one of them."),
    RULE("ckpt-near", H, RACE, "ckpt", "derived", kmp_rule_ckpt_near, NULL,
         "Two checkpoints in a row stand less than 10 units apart.",
         "Move or remove one of them."),
    RULE("ckpt-quad", W, RACE, "ckpt", "engine", kmp_rule_ckpt_quad, NULL,
         "The area to the next checkpoint is not convex, or inside out.",
         "Exchange left and right, or move the ends."),
    RULE("ckpt-dead", H, RACE, "ckpt", "derived", kmp_rule_ckpt_dead, NULL,
         "A drive along the enemy route never comes to this checkpoint.",
         "Widen it, or see whether its branch is meant for players only."),
    RULE("key-order", H, RACE, "ckpt", "engine", kmp_rule_key_order, NULL,
         "Keys must count up from 1 without gaps.",
         "Renumber them."),
    RULE("key-signed", W, RACE, "ckpt", "engine", kmp_rule_key_signed, NULL,
         "Types 0x80 to 0xFE are negative for the engine: never a key.",
         "Use 1 to 127, or -1 for a normal checkpoint."),
    RULE("key-twice", W, RACE, "ckpt", "engine", kmp_rule_key_twice, NULL,
         "The same key twice in one group: the second counts for nothing.",
         "Renumber them."),
    RULE("key-skipped", H, RACE, "ckpt", "derived", kmp_rule_key_skipped, NULL,
         "A straight line from before this key to behind it passes it by.",
         "Widen the key, or place it where there is no way round."),
    RULE("lap-line-none", E, RACE, "ckpt", "engine", kmp_rule_lap_line_none, NULL,
         "Without a lap line (type 0) no lap ends.",
         "Give the first checkpoint the type 0."),
    RULE("lap-line-several", H, RACE, "ckpt", "wiki", kmp_rule_lap_line_several, NULL,
         "Several lap lines break the positions online.",
         "Keep one."),
    RULE("lap-line-first", W, RACE, "ckpt", "engine", kmp_rule_lap_line_first, NULL,
         "The lap line must be the first checkpoint of the first group.",
         "Move it there."),
    RULE("lap-line-respawn", H, RACE, "ckpt", "wiki", kmp_rule_lap_line_respawn, NULL,
         "The lap line's respawn lies behind the line: falling gives a lap.",
         "Move the respawn before the line."),
    RULE("laps-incomplete", W, RACE, "", "engine", kmp_rule_laps_incomplete, NULL,
         "A drive along the enemy route does not complete the laps.",
         "See where the events of `kartlua laps` end."),
    RULE("laps-jump", W, RACE, "ckpt", "engine", kmp_rule_laps_jump, NULL,
         "The completion jumps here: positions and laps can go wrong.",
         "See `kartlua laps`."),
    RULE("respawn-range", W, RACE, "ckpt", "engine", kmp_rule_reference_lost, kmp_fix_respawns,
         "The respawn point does not exist.",
         "Choose another; fix respawn-range makes it none."),
    RULE("respawn-signed", W, RACE, "ckpt", "engine", kmp_rule_respawn_signed, NULL,
         "The engine reads a signed byte: respawns above 128 can't be used.",
         "Remove respawn points."),

    RULE("start-none", E, BOTH, "ktpt", "engine", kmp_rule_start_none, NULL,
         "No start position.",
         "Insert one."),
    RULE("start-yaw", H, RACE, "ktpt", "wiki", kmp_rule_start_yaw, kmp_fix_start_yaw,
         "The minimap draws its start line right at multiples of 90 degrees only.",
         "fix start-yaw turns it to the nearest one."),
    RULE("start-heading", W, RACE, "ktpt", "derived", kmp_rule_start_heading, NULL,
         "The start looks more than 5 degrees past the lap line's direction.",
         "Turn the start, or the lap line."),
    RULE("start-slant", H, RACE, "ktpt", "derived", kmp_rule_start_slant, NULL,
         "The start looks more than 1 degree past the lap line's direction.",
         "Turn the start, or the lap line."),
    RULE("start-far", W, RACE, "ktpt", "derived", kmp_rule_start_far, NULL,
         "The start is more than 2000 units from the lap line.",
         "Move it nearer."),
    RULE("start-apart", H, RACE, "ktpt", "derived", kmp_rule_start_apart, NULL,
         "The start is more than 500 units from the lap line.",
         "Move it nearer."),
    RULE("start-outside", W, RACE, "ktpt", "engine", kmp_rule_start_outside, NULL,
         "The start lies in no checkpoint's area: the lap is not counted yet.",
         "Widen the checkpoints before the line."),
    RULE("arena-players", W, ARENA, "ktpt", "wiki", kmp_rule_arena_players, NULL,
         "An arena needs each of the players 0 to 11 once.",
         "Set the players."),
    RULE("arena-ends", W, ARENA, "mspt", "wiki", kmp_rule_arena_ends, NULL,
         "An arena needs four end positions.",
         "Insert them."),

    RULE("reference-range", W, BOTH, "all", "engine", kmp_rule_reference_lost, kmp_fix_references,
         "The number names a record that is not there.",
         "Assign another; fix reference-range makes it none."),
    RULE("area-camera", W, BOTH, "area", "engine", kmp_rule_area_camera, NULL,
         "A camera area (type 0) without a camera films nothing.",
         "Name a camera."),
    RULE("area-type", E, BOTH, "area", "engine", kmp_rule_area_type, NULL,
         "The engine knows the types 0 to 10; LE-CODE, where a course asks for it by other means, 11.",
         "Correct the type."),
    RULE("area-range", W, RACE, "area", "derived", kmp_rule_area_range, NULL,
         "The checkpoints of a fall boundary (type 10) end before they begin: nobody is among them.",
         "Exchange setting 1 and setting 2, or make both 0 for all checkpoints."),
    RULE("area-scale", W, BOTH, "area", "engine", kmp_rule_area_scale, kmp_fix_area_scale,
         "An area of no or negative size holds nobody.",
         "fix area-scale makes negative sizes positive."),
    RULE("area-enemy", W, BOTH, "area", "engine", kmp_rule_area_enemy, NULL,
         "An area of type 4 must name an enemy point.",
         "Name one."),
    RULE("area-boo", W, BOTH, "area gobj", "wiki", kmp_rule_area_boo, NULL,
         "Boos (object 396) need an area of type 7, and it needs them.",
         "Add what is missing."),
    RULE("camera-opening", W, BOTH, "came", "files", kmp_rule_camera_opening, NULL,
         "The opening must be a chain of cameras of types 4 and 5.",
         "Name the first camera of such a chain."),
    RULE("camera-cycle", W, BOTH, "came", "derived", kmp_rule_camera_cycle, NULL,
         "The chain of the opening's cameras runs in a circle.",
         "End it."),
    RULE("camera-route", W, BOTH, "came", "engine", kmp_rule_camera_route, NULL,
         "The camera's type wants a route, or can't use the one it has.",
         "Give it one, or take it away."),
    RULE("camera-goal", W, RACE, "came", "engine", kmp_rule_camera_goal, NULL,
         "There must be one camera of type 0, for the finish.",
         "Add it, or remove all but one."),
    RULE("camera-still", H, BOTH, "poti", "engine", kmp_rule_camera_still, NULL,
         "A point of speed 0 on a camera's route: the camera stops here.",
         "Give it a speed."),
    RULE("object-route", W, BOTH, "gobj", "wiki", kmp_rule_object_route, NULL,
         "The object moves along a route and has none, or has no use for the one it has.",
         "Give it one, or take it away."),
    RULE("object-id", H, BOTH, "gobj", "wiki", kmp_rule_object_id, NULL,
         "Id 0 and unknown ids disable the object.",
         "Remove it, or correct it."),
    RULE("object-presence", W, BOTH, "gobj", "wiki", kmp_rule_object_presence, kmp_fix_presence,
         "Presence bits beyond 0-5 mean something to extensions only.",
         "fix object-presence clears them."),
    RULE("object-count", H, BOTH, "gobj", "files", kmp_rule_object_count, NULL,
         "200 objects and more slow the game down.",
         "Remove some."),
    RULE("object-balls", W, BOTH, "gobj", "engine", kmp_rule_object_balls, NULL,
         "More than 59 objects of id 234 are too many.",
         "Remove some."),
    RULE("object-grid", E, BOTH, "gobj", "engine", kmp_rule_object_grid, NULL,
         "Blocks of Ghost Valley outside the engine's grid, or askew, crash it.",
         "Move or turn them."),
    RULE("route-short", W, BOTH, "poti", "wiki", kmp_rule_route_short, NULL,
         "A route needs 2 points, a smooth one 3: it may crash.",
         "Add points, or make it not smooth."),
    RULE("route-shared", W, BOTH, "poti", "wiki", kmp_rule_route_shared, NULL,
         "A camera and an object share the route: they disturb each other.",
         "Give one of them a copy."),
    RULE("route-unused", H, BOTH, "poti", "derived", kmp_rule_route_unused, NULL,
         "Nothing uses the route.",
         "purge removes it."),
    RULE("point-total", W, BOTH, "poti", "files", kmp_rule_point_total, kmp_fix_point_total,
         "The header's number of points is not that of the routes.",
         "fix point-total corrects it."),
    RULE("stage-values", W, BOTH, "stgi", "wiki", kmp_rule_stage_values, kmp_fix_stage_values,
         "There must be one record, its pole and narrow 0 or 1.",
         "fix stage-values makes others 1."),
    RULE("stage-laps", H, RACE, "stgi", "files", kmp_rule_stage_laps, NULL,
         "All races of the game have 3 laps.",
         "Set it to 3."),
    RULE("float-finite", E, BOTH, "all", "derived", kmp_rule_float_finite, NULL,
         "A number is infinite or none.",
         "Assign another."),
    RULE("online-range", W, BOTH, "enpt itpt", "engine", kmp_rule_online_range, NULL,
         "Online, positions beyond 131071 (height 1 to 131071) are cut.",
         "Move the course."),
};
// clang-format on
#undef RULE
#undef E
#undef W
#undef H
#undef RACE
#undef ARENA
#undef BOTH
#define RULES (sizeof rules / sizeof *rules)

const kart_rule *kmp_rule_at(size_t index) { return index < RULES ? &rules[index].rule : NULL; }

bool kmp_rule_has_fix(size_t index) { return index < RULES && rules[index].fix != NULL; }

const char *kmp_modes_name(kmp_modes modes) {
    static const char *const names[] = {
        [KMP_RACE] = "race", [KMP_ARENA] = "arena", [KMP_BOTH] = "both"};
    return names[modes];
}

const char *kmp_rule_mode(size_t index) { return kmp_modes_name(rules[index].modes); }

bool kmp_check(const kmp_doc *doc, kmp_mode mode, kart_findings *findings, kart_error *error) {
    if (doc->game != KMP_MKW)
        return kart_fail(error, KART_UNSUPPORTED, "the rules of Mario Kart 7 are not known");
    bool arena = mode == KMP_MODE_AUTO ? kmp_is_arena(doc) : mode == KMP_MODE_ARENA;
    kmp_check_drive drive = {0};
    bool done = true;
    const size_t count = RULES;
    for (size_t i = 0; done && i < count; i++) {
        if (!(rules[i].modes & (arena ? KMP_ARENA : KMP_RACE))) continue;
        kmp_checker c = {doc, &rules[i].rule, findings, arena, &drive};
        done = rules[i].run(&c, error) &&
               kart_ctx_step(doc->ctx, (double)(i + 1) / (double)count, error);
    }
    if (drive.made) kmp_lap_result_free(doc->ctx, &drive.result);
    return done;
}

bool kmp_fix(kmp_doc *doc, const char *id, size_t *mended, kart_error *error) {
    *mended = 0;
    if (doc->game != KMP_MKW)
        return kart_fail(error, KART_UNSUPPORTED, "the rules of Mario Kart 7 are not known");
    for (size_t i = 0; i < RULES; i++) {
        if (strcmp(rules[i].rule.id, id) != 0) continue;
        if (!rules[i].fix)
            return kart_fail(error, KART_UNSUPPORTED, "no repair of %s is known", id);
        kmp_doc *clone = kmp_clone(doc, error);
        return clone && kmp_commit(doc, clone, rules[i].fix(clone, mended, error));
    }
    return kart_fail(error, KART_UNSUPPORTED, "there is no rule %s", id);
}
