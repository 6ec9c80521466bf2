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

enum { RACE = 1, ARENA = 2, BOTH = 3 };

typedef struct rule_row {
    kart_rule rule;
    int modes;
    kmp_rule_fn run;
    kmp_fix_fn fix;
} rule_row;

#define E KART_FATAL
#define W KART_WARNING
#define H KART_HINT

// Sources: "engine" is public decompilation, "wiki" the community's pages, "files" what real files
// show, "derived" a consequence of the former.
static const rule_row rules[] = {
    {{"group-missing", E, "enph itph ckph",
      "Points without any group: the game reads past the end.", "Insert a group that holds them.",
      "engine"},
     BOTH,
     kmp_rule_group_missing,
     NULL},
    {{"group-empty", E, "enph itph ckph", "A group of no points is divided by its length.",
      "Remove the group, or give it points.", "engine"},
     BOTH,
     kmp_rule_group_empty,
     NULL},
    {{"group-range", W, "enph itph ckph", "The group reaches past the last point.",
      "Correct its start and length.", "wiki"},
     BOTH,
     kmp_rule_group_range,
     NULL},
    {{"group-gap", W, "enph itph ckph", "Groups must follow each other without gaps or overlaps.",
      "fix group-gap sets the starts by the lengths, unless a point would be left over.", "files"},
     BOTH,
     kmp_rule_group_gap,
     kmp_fix_group_gap},
    {{"group-next", E, "enph itph ckph", "A group that nothing follows: drivers and laps end here.",
      "Link it to the group that follows.", "engine"},
     RACE,
     kmp_rule_group_next,
     NULL},
    {{"group-unreached", W, "enph itph ckph", "No way leads from the first group to this one.",
      "Link it, or remove it.", "derived"},
     RACE,
     kmp_rule_group_unreached,
     NULL},
    {{"group-count", W, "enph itph ckph", "More than 254 groups can't be named by a byte.",
      "Join groups that are linked to each other alone.", "wiki"},
     BOTH,
     kmp_rule_group_count,
     NULL},
    {{"item-first-next", W, "itph",
      "The first next group is the standard way; without it items stop.",
      "Move the links to the front.", "wiki"},
     BOTH,
     kmp_rule_item_first_next,
     NULL},
    {{"item-self-link", W, "itph", "A group of one point that leads to itself makes the game lag.",
      "Give it a second point, or link it on.", "wiki"},
     BOTH,
     kmp_rule_item_self_link,
     NULL},
    {{"point-count", E, "enpt itpt", "More than 255 points freeze the game while it loads.",
      "Remove points.", "wiki"},
     BOTH,
     kmp_rule_point_count,
     NULL},
    {{"ckpt-branches", W, "ckph",
      "Branches of unequal group count make positions jump at the join.",
      "Split groups of the shorter branch.", "engine"},
     RACE,
     kmp_rule_ckpt_branches,
     NULL},
    {{"ckpt-count", E, "ckph", "The last group of checkpoints must start at 254 or before.",
      "Make the last group longer, or remove checkpoints.", "wiki"},
     RACE,
     kmp_rule_ckpt_count,
     NULL},
    {{"ckpt-links", W, "ckpt", "The links to the neighbours differ from the order of the group.",
      "fix ckpt-links writes them anew.", "engine"},
     RACE,
     kmp_rule_ckpt_links,
     kmp_fix_ckpt_links},

    {{"ckpt-none", E, "ckpt", "A race without checkpoints freezes.", "Insert checkpoints.",
      "engine"},
     RACE,
     kmp_rule_ckpt_none,
     NULL},
    {{"ckpt-overlap", W, "ckpt", "Two checkpoints in a row stand less than 1 unit apart.",
      "Move or remove one of them.", "derived"},
     RACE,
     kmp_rule_ckpt_overlap,
     NULL},
    {{"ckpt-near", H, "ckpt", "Two checkpoints in a row stand less than 10 units apart.",
      "Move or remove one of them.", "derived"},
     RACE,
     kmp_rule_ckpt_near,
     NULL},
    {{"ckpt-quad", W, "ckpt", "The area to the next checkpoint is not convex, or inside out.",
      "Exchange left and right, or move the ends.", "engine"},
     RACE,
     kmp_rule_ckpt_quad,
     NULL},
    {{"ckpt-dead", H, "ckpt", "A drive along the enemy route never comes to this checkpoint.",
      "Widen it, or see whether its branch is meant for players only.", "derived"},
     RACE,
     kmp_rule_ckpt_dead,
     NULL},
    {{"key-order", H, "ckpt", "Keys must count up from 1 without gaps.", "Renumber them.",
      "engine"},
     RACE,
     kmp_rule_key_order,
     NULL},
    {{"key-signed", W, "ckpt", "Types 0x80 to 0xFE are negative for the engine: never a key.",
      "Use 1 to 127, or -1 for a normal checkpoint.", "engine"},
     RACE,
     kmp_rule_key_signed,
     NULL},
    {{"key-twice", W, "ckpt", "The same key twice in one group: the second counts for nothing.",
      "Renumber them.", "engine"},
     RACE,
     kmp_rule_key_twice,
     NULL},
    {{"key-skipped", H, "ckpt", "A straight line from before this key to behind it passes it by.",
      "Widen the key, or place it where there is no way round.", "derived"},
     RACE,
     kmp_rule_key_skipped,
     NULL},
    {{"lap-line-none", E, "ckpt", "Without a lap line (type 0) no lap ends.",
      "Give the first checkpoint the type 0.", "engine"},
     RACE,
     kmp_rule_lap_line_none,
     NULL},
    {{"lap-line-several", H, "ckpt", "Several lap lines break the positions online.", "Keep one.",
      "wiki"},
     RACE,
     kmp_rule_lap_line_several,
     NULL},
    {{"lap-line-first", W, "ckpt", "The lap line must be the first checkpoint of the first group.",
      "Move it there.", "engine"},
     RACE,
     kmp_rule_lap_line_first,
     NULL},
    {{"lap-line-respawn", H, "ckpt",
      "The lap line's respawn lies behind the line: falling gives a lap.",
      "Move the respawn before the line.", "wiki"},
     RACE,
     kmp_rule_lap_line_respawn,
     NULL},
    {{"laps-incomplete", W, "", "A drive along the enemy route does not complete the laps.",
      "See where the events of `kartlua laps` end.", "engine"},
     RACE,
     kmp_rule_laps_incomplete,
     NULL},
    {{"laps-jump", W, "ckpt", "The completion jumps here: positions and laps can go wrong.",
      "See `kartlua laps`.", "engine"},
     RACE,
     kmp_rule_laps_jump,
     NULL},
    {{"respawn-range", W, "ckpt", "The respawn point does not exist.",
      "Choose another; fix respawn-range makes it none.", "engine"},
     RACE,
     kmp_rule_reference_lost,
     kmp_fix_respawns},
    {{"respawn-signed", W, "ckpt",
      "The engine reads a signed byte: respawns above 128 can't be used.", "Remove respawn points.",
      "engine"},
     RACE,
     kmp_rule_respawn_signed,
     NULL},

    {{"start-none", E, "ktpt", "No start position.", "Insert one.", "engine"},
     BOTH,
     kmp_rule_start_none,
     NULL},
    {{"start-yaw", H, "ktpt",
      "The minimap draws its start line right at multiples of 90 degrees only.",
      "fix start-yaw turns it to the nearest one.", "wiki"},
     RACE,
     kmp_rule_start_yaw,
     kmp_fix_start_yaw},
    {{"start-heading", W, "ktpt",
      "The start looks more than 5 degrees past the lap line's direction.",
      "Turn the start, or the lap line.", "derived"},
     RACE,
     kmp_rule_start_heading,
     NULL},
    {{"start-slant", H, "ktpt", "The start looks more than 1 degree past the lap line's direction.",
      "Turn the start, or the lap line.", "derived"},
     RACE,
     kmp_rule_start_slant,
     NULL},
    {{"start-far", W, "ktpt", "The start is more than 2000 units from the lap line.",
      "Move it nearer.", "derived"},
     RACE,
     kmp_rule_start_far,
     NULL},
    {{"start-apart", H, "ktpt", "The start is more than 500 units from the lap line.",
      "Move it nearer.", "derived"},
     RACE,
     kmp_rule_start_apart,
     NULL},
    {{"start-outside", W, "ktpt",
      "The start lies in no checkpoint's area: the lap is not counted yet.",
      "Widen the checkpoints before the line.", "engine"},
     RACE,
     kmp_rule_start_outside,
     NULL},
    {{"arena-players", W, "ktpt", "An arena needs each of the players 0 to 11 once.",
      "Set the players.", "wiki"},
     ARENA,
     kmp_rule_arena_players,
     NULL},
    {{"arena-ends", W, "mspt", "An arena needs four end positions.", "Insert them.", "wiki"},
     ARENA,
     kmp_rule_arena_ends,
     NULL},

    {{"reference-range", W, "all", "The number names a record that is not there.",
      "Assign another; fix reference-range makes it none.", "engine"},
     BOTH,
     kmp_rule_reference_lost,
     kmp_fix_references},
    {{"area-camera", W, "area", "A camera area (type 0) without a camera films nothing.",
      "Name a camera.", "engine"},
     BOTH,
     kmp_rule_area_camera,
     NULL},
    {{"area-type", E, "area", "The engine knows the types 0 to 10 (LE-CODE: 11).",
      "Correct the type.", "engine"},
     BOTH,
     kmp_rule_area_type,
     NULL},
    {{"area-scale", W, "area", "An area of no or negative size holds nobody.",
      "fix area-scale makes negative sizes positive.", "engine"},
     BOTH,
     kmp_rule_area_scale,
     kmp_fix_area_scale},
    {{"area-enemy", W, "area", "An area of type 4 must name an enemy point.", "Name one.",
      "engine"},
     BOTH,
     kmp_rule_area_enemy,
     NULL},
    {{"area-boo", W, "area gobj", "Boos (object 396) need an area of type 7, and it needs them.",
      "Add what is missing.", "wiki"},
     BOTH,
     kmp_rule_area_boo,
     NULL},
    {{"camera-opening", W, "came", "The opening must be a chain of cameras of types 4 and 5.",
      "Name the first camera of such a chain.", "files"},
     BOTH,
     kmp_rule_camera_opening,
     NULL},
    {{"camera-cycle", W, "came", "The chain of the opening's cameras runs in a circle.", "End it.",
      "derived"},
     BOTH,
     kmp_rule_camera_cycle,
     NULL},
    {{"camera-route", W, "came", "The camera's type wants a route, or can't use the one it has.",
      "Give it one, or take it away.", "engine"},
     BOTH,
     kmp_rule_camera_route,
     NULL},
    {{"camera-goal", W, "came", "There must be one camera of type 0, for the finish.",
      "Add it, or remove all but one.", "engine"},
     RACE,
     kmp_rule_camera_goal,
     NULL},
    {{"camera-still", H, "poti", "A point of speed 0 on a camera's route: the camera stops here.",
      "Give it a speed.", "engine"},
     BOTH,
     kmp_rule_camera_still,
     NULL},
    {{"object-route", W, "gobj", "The object moves along a route, and has none.", "Give it one.",
      "wiki"},
     BOTH,
     kmp_rule_object_route,
     NULL},
    {{"object-id", H, "gobj", "Id 0 and unknown ids disable the object.",
      "Remove it, or correct it.", "wiki"},
     BOTH,
     kmp_rule_object_id,
     NULL},
    {{"object-presence", W, "gobj", "Presence bits beyond 0-5 mean something to extensions only.",
      "fix object-presence clears them.", "wiki"},
     BOTH,
     kmp_rule_object_presence,
     kmp_fix_presence},
    {{"object-count", H, "gobj", "200 objects and more slow the game down.", "Remove some.",
      "files"},
     BOTH,
     kmp_rule_object_count,
     NULL},
    {{"object-balls", W, "gobj", "More than 59 objects of id 234 are too many.", "Remove some.",
      "engine"},
     BOTH,
     kmp_rule_object_balls,
     NULL},
    {{"object-grid", E, "gobj",
      "Blocks of Ghost Valley outside the engine's grid, or askew, crash it.", "Move or turn them.",
      "engine"},
     BOTH,
     kmp_rule_object_grid,
     NULL},
    {{"route-short", W, "poti", "A route needs 2 points, a smooth one 3: it may crash.",
      "Add points, or make it not smooth.", "wiki"},
     BOTH,
     kmp_rule_route_short,
     NULL},
    {{"route-shared", W, "poti", "A camera and an object share the route: they disturb each other.",
      "Give one of them a copy.", "wiki"},
     BOTH,
     kmp_rule_route_shared,
     NULL},
    {{"route-unused", H, "poti", "Nothing uses the route.", "purge removes it.", "derived"},
     BOTH,
     kmp_rule_route_unused,
     NULL},
    {{"point-total", W, "poti", "The header's number of points is not that of the routes.",
      "fix point-total corrects it.", "files"},
     BOTH,
     kmp_rule_point_total,
     kmp_fix_point_total},
    {{"stage-values", W, "stgi", "There must be one record, its pole and narrow 0 or 1.",
      "fix stage-values makes others 1.", "wiki"},
     BOTH,
     kmp_rule_stage_values,
     kmp_fix_stage_values},
    {{"stage-laps", H, "stgi", "All races of the game have 3 laps.", "Set it to 3.", "files"},
     RACE,
     kmp_rule_stage_laps,
     NULL},
    {{"float-finite", E, "all", "A number is infinite or none.", "Assign another.", "derived"},
     BOTH,
     kmp_rule_float_finite,
     NULL},
    {{"online-range", W, "enpt itpt",
      "Online, positions beyond 131071 (height 1 to 131071) are cut.", "Move the course.",
      "engine"},
     BOTH,
     kmp_rule_online_range,
     NULL},
};
#undef E
#undef W
#undef H
#define RULES (sizeof rules / sizeof *rules)

const kart_rule *kmp_rule_at(size_t index) { return index < RULES ? &rules[index].rule : NULL; }

bool kmp_rule_has_fix(size_t index) { return index < RULES && rules[index].fix != NULL; }

const char *kmp_rule_mode(size_t index) {
    static const char *const names[] = {[RACE] = "race", [ARENA] = "arena", [BOTH] = "both"};
    return names[rules[index].modes];
}

bool kmp_check(const kmp_doc *doc, kmp_mode mode, kart_findings *findings, kart_error *error) {
    if (doc->game != KMP_MKW)
        return kart_fail(error, KART_UNSUPPORTED, "the rules of Mario Kart 7 are not known");
    bool arena = mode == KMP_MODE_AUTO ? kmp_is_arena(doc) : mode == KMP_MODE_ARENA;
    kmp_check_drive drive = {0};
    bool done = true;
    const size_t count = RULES;
    for (size_t i = 0; done && i < count; i++) {
        if (!(rules[i].modes & (arena ? ARENA : RACE))) continue;
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
        kmp_doc *work = kmp_work_begin(doc, error);
        return work && kmp_work_end(doc, work, rules[i].fix(work, mended, error));
    }
    return kart_fail(error, KART_UNSUPPORTED, "there is no rule %s", id);
}
