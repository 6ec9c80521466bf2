// Rules about what has to stand on something: karts where they start, come back and land, and item
// boxes. A file without any ground at all is the matter of way-elsewhere as well.
#include "course/check_rules.h"
#include "kcl/flag.h"
#include "kmp/start.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// So far may a point have sunk, in units: karts are put on top of what they stand in.
#define SUNK 100.0
// From higher up nobody is dropped on purpose. Real respawns are up to 556 units above the road.
// [F]
#define HIGH 2000.0

// Is there ground for who comes to be at `point`, at most `high` below it?
static bool holds(const course_checker *c, kart_vec3 point, double high, course_stand *stand) {
    *stand = course_stand_find(c->terrain, point, SUNK, (double)INFINITY);
    return stand->above || (stand->below && stand->depth <= high);
}

// What there is instead.
static const char *instead(const course_stand *stand, char text[64]) {
    if (stand->falls)
        snprintf(text, 64, "a fall %.0f units below, and no ground", stand->depth);
    else if (stand->below)
        snprintf(text, 64, "the ground is %.0f units below", stand->depth);
    else
        snprintf(text, 64, "nothing below");
    return text;
}

// "1, 2 and 5"
static void list_cells(const bool lost[KMP_START_CELLS], char text[64]) {
    size_t used = 0, count = 0, done = 0;
    for (size_t i = 0; i < KMP_START_CELLS; i++) count += lost[i];
    for (size_t i = 0; i < KMP_START_CELLS; i++) {
        if (!lost[i]) continue;
        const char *before = done == 0 ? "" : done + 1 == count ? " and " : ", ";
        used += (size_t)snprintf(text + used, 64 - used, "%s%zu", before, i + 1);
        done++;
    }
}

static bool race_start(course_checker *c, kart_error *error) {
    kart_vec3 cells[KMP_START_CELLS];
    bool lost[KMP_START_CELLS], any = false;
    course_stand stand;
    char text[64];
    if (course_count(c, KMP_KTPT) == 0) return true;
    kmp_start_cells(c->doc, cells);
    for (size_t i = 0; i < KMP_START_CELLS; i++) {
        lost[i] = !holds(c, cells[i], HIGH, &stand);
        any = any || lost[i];
    }
    if (!any) return true;
    list_cells(lost, text);
    const bool one = !strpbrk(text, " ,");
    return course_report(c, KMP_KTPT, 0, "position", error,
                         "no ground below place%s %s of the grid", one ? "" : "s", text);
}

// Every record of a kind.
static bool each_holds(course_checker *c, kmp_kind kind, double high, kart_error *error) {
    course_stand stand;
    char text[64];
    for (size_t i = 0; i < course_count(c, kind); i++)
        if (!holds(c, course_position(c, kind, i), high, &stand) &&
            !course_report(c, kind, i, "position", error, "%s", instead(&stand, text)))
            return false;
    return true;
}

bool course_rule_start_ground(course_checker *c, kart_error *error) {
    return c->arena ? each_holds(c, KMP_KTPT, HIGH, error) : race_start(c, error);
}

bool course_rule_respawn_ground(course_checker *c, kart_error *error) {
    return each_holds(c, KMP_JGPT, HIGH, error);
}

#define ITEM_BOX 101

bool course_rule_box_ground(course_checker *c, kart_error *error) {
    const kmp_schema *schema = c->doc->tables[KMP_GOBJ].schema;
    course_stand stand;
    char text[64];
    for (size_t i = 0; i < course_count(c, KMP_GOBJ); i++) {
        const kmp_field *route = kmp_field_find(schema->fields, "route");
        if ((kmp_int(c->doc, KMP_GOBJ, i, "id", 0) & 0xFFF) != ITEM_BOX) continue;
        if (kmp_get_int(c->doc, kmp_row(c->doc, KMP_GOBJ, i), route, 0) != route->none) continue;
        if (!holds(c, course_position(c, KMP_GOBJ, i), (double)INFINITY, &stand) &&
            !course_report(c, KMP_GOBJ, i, "position", error, "%s", instead(&stand, text)))
            return false;
    }
    return true;
}

// --- cannons ----------------------------------------------------------------------------------

#define CANNON   0x11u // of Mario Kart Wii: bits 5 to 7 are the number of a cannon point
#define VARIANTS 8

bool course_rule_cannon_missing(course_checker *c, kart_error *error) {
    bool fires[VARIANTS] = {false};
    const size_t count = course_count(c, KMP_CNPT);
    if (c->terrain->game != KCL_MKW) return true;
    for (size_t i = 0; i < c->terrain->count; i++) {
        const uint32_t flag = c->terrain->flag(c->terrain->user, (uint32_t)i);
        if (flag <= UINT16_MAX && (flag & 0x1F) == CANNON) fires[flag >> 5 & (VARIANTS - 1)] = true;
    }
    for (size_t i = count; i < VARIANTS; i++)
        if (fires[i] && !course_report(c, KMP_CNPT, KART_NO_INDEX, "", error,
                                       "the collision fires at point %zu, of %zu", i + 1, count))
            return false;
    return true;
}

bool course_rule_cannon_ground(course_checker *c, kart_error *error) {
    return each_holds(c, KMP_CNPT, (double)INFINITY, error);
}
