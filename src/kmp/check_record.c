// Rules about references, objects, routes, stage information and plain numbers.
#include "kmp/check_rules.h"
#include "kmp/object.h"
#include "kmp/reference.h"

#include <string.h>

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

// --- objects ----------------------------------------------------------------------------------

static int64_t object_id(const kmp_checker *c, size_t i) {
    return kmp_check_int(c, KMP_GOBJ, i, "id") & 0xFFF;
}

bool kmp_object_is_extended(const kmp_doc *doc, size_t object) {
    return kmp_int(doc, KMP_GOBJ, object, "id", 0) > 0xFFF ||
           kmp_int(doc, KMP_GOBJ, object, "extension", 0) != 0;
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
        if ((presence & ~0x3F) && !kmp_object_is_extended(c->doc, i) &&
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
