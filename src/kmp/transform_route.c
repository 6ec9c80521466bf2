// Routes under a transformation: they belong to the frame of those who use them.
#include "kmp/object.h"
#include "kmp/reference.h"
#include "kmp/transform_map.h"

#include <string.h>

enum {
    USED_IN_WORLD = 1, // by an object, an area, a camera in the world
    USED_BY_KART = 2,  // by a camera that rides beside a kart
    USED_AS_BLINKER = 4
};

static bool rides_with_kart(const kmp_doc *doc, size_t camera) {
    int64_t type = kmp_int(doc, KMP_CAME, camera, "type", 0);
    return type < KMP_CAMERA_TYPES && kmp_camera_types[type].kart_frame_route;
}

static bool is_blinker(const kmp_doc *doc, const kmp_reference *r) {
    if (r->kind != KMP_GOBJ || r->hidden) return false;
    const kmp_object *object = kmp_object_find(kmp_int(doc, KMP_GOBJ, r->index, "id", 0));
    return object && object->rule == KMP_OBJECT_BLINKER;
}

// How each route is used; `user` has a byte per route.
static bool use_visit(void *user, const kmp_doc *doc, const kmp_reference *r) {
    uint8_t *uses = user;
    if (r->target != KMP_POTI || r->idle || kmp_reference_is_none(r) ||
        kmp_reference_is_lost(doc, r))
        return true;
    bool kart = r->kind == KMP_CAME && rides_with_kart(doc, r->index);
    uses[r->value] |= kart ? USED_BY_KART : USED_IN_WORLD;
    if (is_blinker(doc, r)) uses[r->value] |= USED_AS_BLINKER;
    return true;
}

static bool points_map(kmp_doc *doc, const kmp_map *map, size_t route, bool kart, bool blinker,
                       kart_error *error) {
    const kmp_field *fields = doc->tables[KMP_POINT].schema->fields;
    const kmp_field *position = kmp_field_find(fields, "position");
    const kmp_field *speed = kmp_field_find(fields, "speed");
    for (size_t i = 0; i < kmp_route_length(doc, route); i++) {
        size_t index = doc->route_first[route] + i;
        uint8_t *row = kmp_row(doc, KMP_POINT, index);
        kart_vec3 p = kmp_get_vec(doc, row, position);
        if (kart)
            p = kmp_map_kart_offset(map, p);
        else if (!kmp_map_position(map, &p, error))
            return false;
        kmp_set_vec(doc, row, position, p);

        uint16_t value = (uint16_t)kmp_get_int(doc, row, speed, 0);
        if (blinker) {
            if (map->reflects && (value == 1 || value == 2))
                kmp_set_int(doc, row, speed, 0, 3 - value);
        } else if (map->options.scale_speeds && !kart && map->size != 1) {
            bool fits;
            kmp_set_int(doc, row, speed, 0, kmp_map_speed(map, value, &fits));
            if (!fits &&
                !kmp_warn(doc, KART_WARNING, "speed-limit", KMP_POINT, index, "speed", error,
                          "%u times %g does not fit, 65535 is written", value, map->size))
                return false;
        }
    }
    return true;
}

// Would the route look different to its two kinds of users?
static bool frames_differ(const kmp_doc *doc, const kmp_map *map, size_t route) {
    const kmp_field *position = kmp_field_find(doc->tables[KMP_POINT].schema->fields, "position");
    for (size_t i = 0; i < kmp_route_length(doc, route); i++) {
        kart_vec3 p =
            kmp_get_vec(doc, kmp_row(doc, KMP_POINT, doc->route_first[route] + i), position);
        kart_vec3 kart = kmp_map_kart_offset(map, p);
        if (vec3_finite(p) && !kmp_map_position(map, &p, NULL)) return true;
        if ((float)p.x != (float)kart.x || (float)p.y != (float)kart.y ||
            (float)p.z != (float)kart.z)
            return vec3_finite(p);
    }
    return map->options.scale_speeds && map->size != 1;
}

// Give the riding cameras of `route` a copy of it, and return the copy's index.
static bool route_split(kmp_doc *doc, size_t route, size_t *copy, kart_error *error) {
    const kmp_field *field = kmp_field_find(doc->tables[KMP_CAME].schema->fields, "route");
    size_t length = kmp_route_length(doc, route), new = doc->tables[KMP_POTI].count;
    if ((int64_t) new > field->high - 1) { // the highest value means no route
        *copy = SIZE_MAX;
        return kmp_warn(doc, KART_WARNING, "route-unsplit", KMP_POTI, route, "", error,
                        "used by a camera that rides with a kart and by others, and there is no "
                        "room for a second one: it follows the others");
    }
    if (!kmp_insert(doc, KMP_POTI, new, 1, error) || !kmp_route_resize(doc, new, length, error))
        return false;
    size_t stride = doc->tables[KMP_POINT].stride;
    memcpy(kmp_row(doc, KMP_POTI, new), kmp_row(doc, KMP_POTI, route),
           doc->tables[KMP_POTI].stride);
    if (length > 0)
        memcpy(kmp_row(doc, KMP_POINT, doc->route_first[new]),
               kmp_row(doc, KMP_POINT, doc->route_first[route]), length * stride);
    for (size_t i = 0; i < doc->tables[KMP_CAME].count; i++) {
        uint8_t *row = kmp_row(doc, KMP_CAME, i);
        if (rides_with_kart(doc, i) && kmp_ref(doc, row, field, 0) == route)
            kmp_set_int(doc, row, field, 0, (int64_t) new);
    }
    *copy = new;
    return kmp_warn(doc, KART_HINT, "route-split", KMP_POTI, route, "", error,
                    "used by a camera that rides with a kart and by others: the camera gets route "
                    "%zu of its own",
                    new + 1);
}

bool kmp_map_routes(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    size_t routes = doc->tables[KMP_POTI].count;
    uint8_t *uses = kart_alloc(doc->ctx, routes, error);
    bool done = uses != NULL;
    if (done) kmp_references_each(doc, use_visit, uses);
    for (size_t route = 0; done && route < routes; route++) {
        bool kart = uses[route] & USED_BY_KART, world = uses[route] & USED_IN_WORLD;
        if (kart && world && frames_differ(doc, map, route)) {
            size_t copy;
            done = route_split(doc, route, &copy, error) &&
                   (copy == SIZE_MAX || points_map(doc, map, copy, true, false, error));
        }
        done = done &&
               points_map(doc, map, route, kart && !world, uses[route] & USED_AS_BLINKER, error);
    }
    kart_free(doc->ctx, uses, routes);
    return done;
}
