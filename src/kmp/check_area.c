// Rules about areas and cameras.
#include "kmp/check_rules.h"
#include "kmp/reference.h"

static bool in_range(const kmp_checker *c, int64_t index, kmp_kind kind) {
    return index >= 0 && (size_t)index < kmp_count(c, kind);
}

// --- areas ------------------------------------------------------------------------------------

bool kmp_rule_area_camera(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++)
        if (kmp_check_int(c, KMP_AREA, i, "type") == KMP_AREA_CAMERA &&
            kmp_check_link(c, KMP_AREA, i, "camera", 0) < 0 &&
            !kmp_report(c, KMP_AREA, i, "camera", error, "a camera area that names no camera"))
            return false;
    return true;
}

// Does the course use something that only LE-CODE knows, beside areas of type 11? No word of the
// file says whom it is made for.
static bool asks_for_extension(const kmp_checker *c) {
    static const kmp_kind groupings[] = {KMP_ENPH, KMP_ITPH};
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++)
        if (kmp_object_is_extended(c->doc, i)) return true;
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++)
        if (kmp_area_has_range(c->doc, i)) return true;
    if (c->arena) return false;
    // The minimap's start line; lap masks, which are links in an arena.
    for (size_t i = 1; i < kmp_count(c, KMP_KTPT); i++)
        if (kmp_check_int(c, KMP_KTPT, i, "player") == -1) return true;
    for (size_t k = 0; k < 2; k++)
        for (size_t g = 0; g < kmp_count(c, groupings[k]); g++)
            if (kmp_check_int(c, groupings[k], g, "dispatch") != 0) return true;
    return false;
}

bool kmp_rule_area_type(kmp_checker *c, kart_error *error) {
    bool extended = asks_for_extension(c);
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++) {
        int64_t type = kmp_check_int(c, KMP_AREA, i, "type");
        if (type > (extended ? KMP_AREA_LAST_EXTENDED : KMP_AREA_FALL) &&
            !kmp_report(c, KMP_AREA, i, "type", error, "the engine does not know type %lld%s",
                        (long long)type,
                        type == KMP_AREA_LAST_EXTENDED
                            ? ", and nothing else in the course asks for LE-CODE"
                            : ""))
            return false;
    }
    return true;
}

bool kmp_rule_area_range(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++) {
        if (!kmp_area_has_range(c->doc, i)) continue;
        int64_t first = kmp_check_int(c, KMP_AREA, i, "setting_1");
        int64_t last = kmp_check_int(c, KMP_AREA, i, "setting_2");
        if (first > last && first != KMP_HIDDEN_NONE &&
            !kmp_report(c, KMP_AREA, i, "setting_2", error,
                        "from ckpt[%lld] to ckpt[%lld], which comes before it",
                        (long long)first + 1, (long long)last + 1))
            return false;
    }
    return true;
}

bool kmp_rule_area_scale(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++) {
        kart_vec3 s = kmp_vec(c->doc, KMP_AREA, i, "scale");
        if ((s.x <= 0 || s.y <= 0 || s.z <= 0) &&
            !kmp_report(c, KMP_AREA, i, "scale", error, "scale (%g, %g, %g): nobody can be inside",
                        s.x, s.y, s.z))
            return false;
    }
    return true;
}

bool kmp_rule_area_enemy(kmp_checker *c, kart_error *error) {
    const kmp_schema *schema = c->doc->tables[KMP_AREA].schema;
    if (!schema || !kmp_field_find(schema->fields, "enemy_point")) return true;
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++)
        if (kmp_check_int(c, KMP_AREA, i, "type") == KMP_AREA_ENEMY &&
            kmp_check_link(c, KMP_AREA, i, "enemy_point", 0) < 0 &&
            !kmp_report(c, KMP_AREA, i, "enemy_point", error, "type 4, but no enemy point"))
            return false;
    return true;
}

#define OBJECT_BOOS 396

bool kmp_rule_area_boo(kmp_checker *c, kart_error *error) {
    size_t boos = 0, areas = 0;
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++)
        boos += (kmp_check_int(c, KMP_GOBJ, i, "id") & 0xFFF) == OBJECT_BOOS;
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++)
        areas += kmp_check_int(c, KMP_AREA, i, "type") == KMP_AREA_BOO;
    if ((boos > 0) == (areas > 0)) return true;
    return boos > 0
               ? kmp_report(c, KMP_GOBJ, KART_NO_INDEX, "", error,
                            "%zu object%s of id 396, but no area of type 7", boos, kmp_plural(boos))
               : kmp_report(c, KMP_AREA, KART_NO_INDEX, "", error,
                            "%zu area%s of type 7, but no object of id 396", areas,
                            kmp_plural(areas));
}

// --- cameras ----------------------------------------------------------------------------------

static int64_t camera_type(const kmp_checker *c, size_t i) {
    return kmp_check_int(c, KMP_CAME, i, "type");
}

// The first camera of the opening, -1 for none.
static int64_t opening_camera(const kmp_checker *c) {
    const kmp_table *table = &c->doc->tables[KMP_CAME];
    if (!table->schema) return -1;
    const kmp_field *opening = kmp_field_find(table->schema->header, "opening");
    int64_t at = kmp_get_int(c->doc, table->header, opening, 0);
    return at == opening->none ? -1 : at;
}

bool kmp_rule_camera_opening(kmp_checker *c, kart_error *error) {
    int64_t at = opening_camera(c);
    for (size_t steps = 0; in_range(c, at, KMP_CAME) && steps <= kmp_count(c, KMP_CAME); steps++) {
        int64_t type = camera_type(c, (size_t)at);
        // A single fixed camera serves, too. [W]
        if (type != 4 && type != 5 && !(type == 1 && steps == 0))
            return kmp_report(c, KMP_CAME, (size_t)at, "type", error,
                              "type %lld in the opening's chain", (long long)type);
        at = kmp_check_link(c, KMP_CAME, (size_t)at, "next", 0);
    }
    return true;
}

// The chain of the selection video runs in a circle in the game's own files; the opening must end.
bool kmp_rule_camera_cycle(kmp_checker *c, kart_error *error) {
    size_t count = kmp_count(c, KMP_CAME);
    uint8_t *seen = kart_alloc(c->doc->ctx, count, error);
    bool done = seen != NULL;
    int64_t at = opening_camera(c);
    while (done && in_range(c, at, KMP_CAME)) {
        seen[at] = 1;
        int64_t next = kmp_check_link(c, KMP_CAME, (size_t)at, "next", 0);
        if (in_range(c, next, KMP_CAME) && seen[next]) {
            done = kmp_report(c, KMP_CAME, (size_t)at, "next", error,
                              "the opening comes back to came[%lld]", (long long)next + 1);
            break;
        }
        at = next;
    }
    kart_free(c->doc->ctx, seen, count);
    return done;
}

bool kmp_rule_camera_route(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_CAME); i++) {
        int64_t type = camera_type(c, i);
        if (type >= KMP_CAMERA_TYPES) continue;
        bool has = kmp_check_link(c, KMP_CAME, i, "route", 0) >= 0;
        bool wants = kmp_camera_types[type].wants_route;
        if (has == wants || kmp_camera_types[type].unsure) continue;
        if (!kmp_report(c, KMP_CAME, i, "route", error, "type %lld (%s) %s", (long long)type,
                        kmp_camera_types[type].name,
                        wants ? "without a route" : "does not use its route"))
            return false;
    }
    return true;
}

bool kmp_rule_camera_goal(kmp_checker *c, kart_error *error) {
    size_t count = 0;
    for (size_t i = 0; i < kmp_count(c, KMP_CAME); i++) count += camera_type(c, i) == 0;
    return count == 1 || kmp_report(c, KMP_CAME, KART_NO_INDEX, "type", error,
                                    "%zu cameras of type 0 instead of 1", count);
}

bool kmp_rule_camera_still(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_CAME); i++) {
        int64_t type = camera_type(c, i), route = kmp_check_link(c, KMP_CAME, i, "route", 0);
        if (type >= KMP_CAMERA_TYPES || !kmp_camera_types[type].wants_route ||
            !in_range(c, route, KMP_POTI))
            continue;
        // The last point's speed is never used.
        size_t length = kmp_route_length(c->doc, (size_t)route);
        for (size_t p = 0; p + 1 < length; p++) {
            size_t point = c->doc->route_first[route] + p;
            if (kmp_check_int(c, KMP_POINT, point, "speed") == 0 &&
                !kmp_report(c, KMP_POINT, point, "speed", error, "speed 0, on the way of came[%zu]",
                            i + 1))
                return false;
        }
    }
    return true;
}
