// Rules about areas, cameras, objects, routes, stage information and plain numbers.
#include "kmp/check_rules.h"
#include "kmp/object.h"
#include "kmp/reference.h"

#include <string.h>

static bool in_range(const kmp_checker *c, int64_t index, kmp_kind kind) {
    return index >= 0 && (size_t)index < kmp_count(c, kind);
}

// Extended: LE-CODE's upper id bits or word 2 are in use.
static bool object_is_extended(const kmp_checker *c, size_t i) {
    return kmp_check_int(c, KMP_GOBJ, i, "id") > 0xFFF ||
           kmp_check_int(c, KMP_GOBJ, i, "extension") != 0;
}

// --- references -------------------------------------------------------------------------------

typedef struct lost_walk {
    kmp_checker *c;
    kart_error *error;
} lost_walk;

static bool lost_visit(void *user, const kmp_doc *doc, const kmp_reference *r) {
    const lost_walk *w = user;
    char text[KMP_REFERENCE_TEXT];
    if (!kmp_reference_is_lost(doc, r) || strcmp(kmp_reference_rule(r), w->c->rule->id) != 0)
        return true;
    return kmp_report(w->c, r->kind, r->index, r->field->name, w->error, "names %s",
                      kmp_reference_text(doc, r, text));
}

bool kmp_rule_reference_lost(kmp_checker *c, kart_error *error) {
    lost_walk w = {c, error};
    return kmp_references_each(c->doc, lost_visit, &w);
}

// --- areas ------------------------------------------------------------------------------------

enum {
    AREA_CAMERA = 0,
    AREA_ENEMY = 4,
    AREA_BOO = 7,
    AREA_FALL = 10,
    AREA_LAST = 10,
    AREA_LAST_EXTENDED = 11
};

bool kmp_rule_area_camera(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++)
        if (kmp_check_int(c, KMP_AREA, i, "type") == AREA_CAMERA &&
            kmp_check_link(c, KMP_AREA, i, "camera", 0) < 0 &&
            !kmp_report(c, KMP_AREA, i, "camera", error, "a camera area that names no camera"))
            return false;
    return true;
}

static bool area_has_range(const kmp_checker *c, size_t i) {
    return kmp_check_int(c, KMP_AREA, i, "type") == AREA_FALL &&
           (kmp_check_int(c, KMP_AREA, i, "setting_1") != 0 ||
            kmp_check_int(c, KMP_AREA, i, "setting_2") != 0);
}

// Does the course use something that only LE-CODE knows, beside areas of type 11? No word of the
// file says whom it is made for.
static bool asks_for_extension(const kmp_checker *c) {
    static const kmp_kind groupings[] = {KMP_ENPH, KMP_ITPH};
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++)
        if (object_is_extended(c, i)) return true;
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++)
        if (area_has_range(c, i)) return true;
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
        if (type > (extended ? AREA_LAST_EXTENDED : AREA_LAST) &&
            !kmp_report(c, KMP_AREA, i, "type", error, "the engine does not know type %lld%s",
                        (long long)type,
                        type == AREA_LAST_EXTENDED
                            ? ", and nothing else in the course asks for LE-CODE"
                            : ""))
            return false;
    }
    return true;
}

bool kmp_rule_area_range(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_AREA); i++) {
        if (!area_has_range(c, i)) continue;
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
        if (kmp_check_int(c, KMP_AREA, i, "type") == AREA_ENEMY &&
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
        areas += kmp_check_int(c, KMP_AREA, i, "type") == AREA_BOO;
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

// --- objects ----------------------------------------------------------------------------------

static int64_t object_id(const kmp_checker *c, size_t i) {
    return kmp_check_int(c, KMP_GOBJ, i, "id") & 0xFFF;
}

bool kmp_rule_object_route(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++) {
        const kmp_object *object = kmp_object_find(object_id(c, i));
        if (!object || object->way == KMP_WAY_UNKNOWN) continue;
        bool wants = object->way == KMP_WAY_ROUTE;
        bool has = kmp_check_link(c, KMP_GOBJ, i, "route", 0) >= 0;
        if (has != wants &&
            !kmp_report(c, KMP_GOBJ, i, "route", error, "%s (%d) %s", kmp_object_name(object->id),
                        object->id, wants ? "without a route" : "does not use its route"))
            return false;
    }
    return true;
}

bool kmp_rule_object_id(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++)
        if (!kmp_object_name((uint16_t)object_id(c, i)) &&
            !kmp_report(c, KMP_GOBJ, i, "id", error, "there is no object of id %lld",
                        (long long)object_id(c, i)))
            return false;
    return true;
}

bool kmp_rule_object_presence(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++) {
        int64_t presence = kmp_check_int(c, KMP_GOBJ, i, "presence");
        if ((presence & ~0x3F) && !object_is_extended(c, i) &&
            !kmp_report(c, KMP_GOBJ, i, "presence", error,
                        "0x%04X: bits 6-15 mean nothing without LE-CODE", (unsigned)presence))
            return false;
    }
    return true;
}

bool kmp_rule_object_count(kmp_checker *c, kart_error *error) {
    size_t count = kmp_count(c, KMP_GOBJ);
    return count < 200 || kmp_report(c, KMP_GOBJ, KART_NO_INDEX, "", error,
                                     "%zu objects, the game slows down at 200", count);
}

#define OBJECT_BALLS 234

bool kmp_rule_object_balls(kmp_checker *c, kart_error *error) {
    size_t count = 0;
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++) count += object_id(c, i) == OBJECT_BALLS;
    return count <= 59 || kmp_report(c, KMP_GOBJ, KART_NO_INDEX, "id", error,
                                     "%zu objects of id 234, 59 are the most", count);
}

bool kmp_rule_object_grid(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_GOBJ); i++) {
        const kmp_object *object = kmp_object_find(object_id(c, i));
        if (!object || object->rule != KMP_OBJECT_GRID) continue;
        kart_vec3 p = kmp_vec(c->doc, KMP_GOBJ, i, "position");
        double yaw = kmp_vec(c->doc, KMP_GOBJ, i, "rotation").y;
        if (!(p.x >= KMP_GRID_X_LOW && p.x <= KMP_GRID_X_HIGH && p.z >= KMP_GRID_Z_LOW &&
              p.z <= KMP_GRID_Z_HIGH) &&
            !kmp_report(c, KMP_GOBJ, i, "position", error,
                        "outside the engine's grid, at (%.0f, %.0f)", p.x, p.z))
            return false;
        if (yaw != 0 && fabs(yaw) != 90 && yaw != 180 &&
            !kmp_report(c, KMP_GOBJ, i, "rotation", error, "yaw %g is none of 0, 90, 180 and -90",
                        yaw))
            return false;
    }
    return true;
}

// --- routes -----------------------------------------------------------------------------------

bool kmp_rule_route_short(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_POTI); i++) {
        size_t length = kmp_route_length(c->doc, i);
        size_t least = kmp_check_int(c, KMP_POTI, i, "smooth") ? 3 : 2;
        if (length < least &&
            !kmp_report(c, KMP_POTI, i, "", error, "%zu point%s, %s route needs %zu", length,
                        kmp_plural(length), least == 3 ? "a smooth" : "a", least))
            return false;
    }
    return true;
}

enum { USED_BY_CAMERA = 1, USED_BY_OBJECT = 2, USED_OTHERWISE = 4 };

static bool use_visit(void *user, const kmp_doc *doc, const kmp_reference *r) {
    uint8_t *uses = user;
    if (r->target != KMP_POTI || kmp_reference_is_none(r) ||
        (uint64_t)r->value >= doc->tables[KMP_POTI].count)
        return true;
    uses[r->value] |= r->kind == KMP_CAME   ? USED_BY_CAMERA
                      : r->kind == KMP_GOBJ ? USED_BY_OBJECT
                                            : USED_OTHERWISE;
    return true;
}

typedef bool (*route_fn)(kmp_checker *c, size_t route, uint8_t uses, kart_error *error);

static bool each_route(kmp_checker *c, route_fn visit, kart_error *error) {
    size_t count = kmp_count(c, KMP_POTI);
    uint8_t *uses = kart_alloc(c->doc->ctx, count, error);
    bool done = uses != NULL;
    if (done) kmp_references_each(c->doc, use_visit, uses);
    for (size_t i = 0; done && i < count; i++) done = visit(c, i, uses[i], error);
    kart_free(c->doc->ctx, uses, count);
    return done;
}

static bool shared(kmp_checker *c, size_t route, uint8_t uses, kart_error *error) {
    if (!(uses & USED_BY_CAMERA) || !(uses & USED_BY_OBJECT)) return true;
    return kmp_report(c, KMP_POTI, route, "", error, "used by a camera and by an object");
}
bool kmp_rule_route_shared(kmp_checker *c, kart_error *error) {
    return each_route(c, shared, error);
}

static bool unused(kmp_checker *c, size_t route, uint8_t uses, kart_error *error) {
    return uses || kmp_report(c, KMP_POTI, route, "", error, "used by nobody");
}
bool kmp_rule_route_unused(kmp_checker *c, kart_error *error) {
    return each_route(c, unused, error);
}

bool kmp_rule_point_total(kmp_checker *c, kart_error *error) {
    const kmp_table *table = &c->doc->tables[KMP_POTI];
    if (!table->schema) return true;
    size_t total = kart_load_u16(table->header + 6, c->doc->big);
    return total == kmp_count(c, KMP_POINT) ||
           kmp_report(c, KMP_POTI, KART_NO_INDEX, "total", error,
                      "the header counts %zu, the routes %zu", total, kmp_count(c, KMP_POINT));
}

// --- stage information ------------------------------------------------------------------------

bool kmp_rule_stage_values(kmp_checker *c, kart_error *error) {
    size_t count = kmp_count(c, KMP_STGI);
    if (count != 1 &&
        !kmp_report(c, KMP_STGI, KART_NO_INDEX, "", error, "%zu records instead of 1", count))
        return false;
    static const char *const names[] = {"pole", "narrow"};
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < 2; n++) {
            int64_t value = kmp_check_int(c, KMP_STGI, i, names[n]);
            if (value > 1 && !kmp_report(c, KMP_STGI, i, names[n], error, "%lld, neither 0 nor 1",
                                         (long long)value))
                return false;
        }
    return true;
}

bool kmp_rule_stage_laps(kmp_checker *c, kart_error *error) {
    for (size_t i = 0; i < kmp_count(c, KMP_STGI); i++) {
        int64_t laps = kmp_check_int(c, KMP_STGI, i, "laps");
        if (laps != 3 && !kmp_report(c, KMP_STGI, i, "laps", error, "%lld lap%s instead of 3",
                                     (long long)laps, kmp_plural((size_t)laps)))
            return false;
    }
    return true;
}

// --- numbers ----------------------------------------------------------------------------------

bool kmp_rule_float_finite(kmp_checker *c, kart_error *error) {
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        const kmp_table *table = &c->doc->tables[kind];
        for (const kmp_field *f = table->schema ? table->schema->fields : NULL; f && f->name; f++) {
            if (!kmp_type_is_float(f->type)) continue;
            for (size_t i = 0; i < table->count; i++)
                if (!kmp_field_finite(c->doc, kmp_row(c->doc, (kmp_kind)kind, i), f) &&
                    !kmp_report(c, (kmp_kind)kind, i, f->name, error, "not a finite number"))
                    return false;
        }
    }
    return true;
}

#define ONLINE_MOST 131071.0

bool kmp_rule_online_range(kmp_checker *c, kart_error *error) {
    static const kmp_kind sent[] = {KMP_ENPT, KMP_ITPT};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < kmp_count(c, sent[k]); i++) {
            kart_vec3 p = kmp_vec(c->doc, sent[k], i, "position");
            bool inside = fabs(p.x) <= ONLINE_MOST && fabs(p.z) <= ONLINE_MOST && p.y >= 1 &&
                          p.y <= ONLINE_MOST;
            if (!inside && vec3_finite(p) &&
                !kmp_report(c, sent[k], i, "position", error, "(%.0f, %.0f, %.0f) is cut online",
                            p.x, p.y, p.z))
                return false;
        }
    return true;
}
