// Settings of objects under a transformation, by the table of object.c.
#include "kmp/object.h"
#include "kmp/transform_map.h"

#include <stdio.h>

static int16_t setting_get(const kmp_doc *doc, size_t index, size_t number) {
    return (int16_t)kmp_int(doc, KMP_GOBJ, index, "settings", number - 1);
}

static void setting_set(kmp_doc *doc, size_t index, size_t number, int64_t value) {
    const kmp_field *field = kmp_field_find(doc->tables[KMP_GOBJ].schema->fields, "settings");
    kmp_set_int(doc, kmp_row(doc, KMP_GOBJ, index), field, number - 1, value);
}

static bool setting_warn(kmp_doc *doc, size_t index, size_t number, const char *why,
                         kart_error *error) {
    return kmp_warn(doc, KART_WARNING, "object-setting", KMP_GOBJ, index, "settings", error,
                    "setting %zu is %d: %s", number, setting_get(doc, index, number), why);
}

static bool setting_reflect(kmp_doc *doc, size_t index, kmp_setting setting, kart_error *error) {
    if (setting.meaning == KMP_SETTING_NONE) return true;
    int value = setting_get(doc, index, setting.number);
    switch (setting.meaning) {
    case KMP_SETTING_SIGN:
        if (value == INT16_MIN)
            return setting_warn(doc, index, setting.number, "it has no opposite and stays", error);
        setting_set(doc, index, setting.number, -value);
        return true;
    case KMP_SETTING_SIDE:
        if (value != 0 && value != 1)
            return setting_warn(doc, index, setting.number, "neither 0 nor 1, it stays", error);
        setting_set(doc, index, setting.number, 1 - value);
        return true;
    case KMP_SETTING_PHASE: {
        int period = setting_get(doc, index, 2);
        if (period <= 0 || value < 0)
            return setting_warn(doc, index, setting.number, "no phase of its period, it stays",
                                error);
        // Whole periods are kept, so that an even period comes back when it is done twice.
        int whole = value - value % period, moved = whole + (value % period + period / 2) % period;
        setting_set(doc, index, setting.number, moved > INT16_MAX ? moved - period : moved);
        if (period % 2 == 0) return true;
        return setting_warn(doc, index, setting.number,
                            "the period is odd, half of it is rounded down", error);
    }
    default: return true;
    }
}

// Settings that hold a place: world x and z, divided by ten.
static bool settings_place(kmp_doc *doc, const kmp_map *map, size_t index, const kmp_object *object,
                           kart_error *error) {
    size_t x = 0, z = 0;
    for (size_t s = 0; s < 4; s++) {
        if (object->settings[s].meaning == KMP_SETTING_WORLD_X) x = object->settings[s].number;
        if (object->settings[s].meaning == KMP_SETTING_WORLD_Z) z = object->settings[s].number;
    }
    if (x == 0 || z == 0) return true;
    double height = kmp_vec(map->before, KMP_GOBJ, index, "position").y;
    kart_vec3 place = {10.0 * setting_get(doc, index, x), isfinite(height) ? height : 0,
                       10.0 * setting_get(doc, index, z)};
    if (!kmp_map_position(map, &place, error)) return false;
    double values[2] = {round(place.x / 10), round(place.z / 10)};
    for (int i = 0; i < 2; i++) {
        size_t number = i == 0 ? x : z;
        if (fabs(values[i]) > INT16_MAX &&
            !setting_warn(doc, index, number, "the new place does not fit, the nearest is taken",
                          error))
            return false;
        values[i] = fmin(fmax(values[i], INT16_MIN), INT16_MAX);
        setting_set(doc, index, number, (int64_t)values[i]);
    }
    return true;
}

static bool twin_take(kmp_doc *doc, const kmp_map *map, size_t index, const kmp_object *object,
                      kart_error *error) {
    kart_vec3 x = kart_affine_direction(map->affine, (kart_vec3){1, 0, 0});
    double along = x.x / vec3_length(x);
    if (along > 1 - 1e-6) return true;
    if (along > -1 + 1e-6)
        return kmp_warn(doc, KART_WARNING, "object-direction", KMP_GOBJ, index, "id", error,
                        "%s moves along world X, whatever its rotation: it can't follow this turn",
                        kmp_object_name(object->id));
    const kmp_field *id = kmp_field_find(doc->tables[KMP_GOBJ].schema->fields, "id");
    uint8_t *row = kmp_row(doc, KMP_GOBJ, index);
    kmp_set_int(doc, row, id, 0, (kmp_get_int(doc, row, id, 0) & 0xF000) | object->twin);
    return true;
}

// Where the sign of the yaw means a side, it changes under a reflection and under nothing else:
// write the same turn from the other side of zero where it came out wrong.
static void yaw_sign_keep(kmp_doc *doc, const kmp_map *map, size_t index) {
    double old_yaw = kmp_vec(map->before, KMP_GOBJ, index, "rotation").y;
    const kmp_field *field = kmp_field_find(doc->tables[KMP_GOBJ].schema->fields, "rotation");
    uint8_t *row = kmp_row(doc, KMP_GOBJ, index);
    kart_vec3 rotation = kmp_get_vec(doc, row, field);
    bool negative = (old_yaw < 0) != map->reflects;
    if (old_yaw == 0 || !isfinite(rotation.y) || (rotation.y < 0) == negative) return;
    rotation.y += negative ? -360 : 360;
    kmp_set_vec(doc, row, field, rotation);
}

static bool object_map(kmp_doc *doc, const kmp_map *map, size_t index, kart_error *error) {
    int64_t id = kmp_int(doc, KMP_GOBJ, index, "id", 0);
    const kmp_object *object = kmp_object_find(id);
    if (!object) return true;
    if (!settings_place(doc, map, index, object, error)) return false;
    for (size_t s = 0; map->reflects && s < 4; s++)
        if (!setting_reflect(doc, index, object->settings[s], error)) return false;
    if (object->rule == KMP_OBJECT_TWIN && !twin_take(doc, map, index, object, error)) return false;
    if (object->rule == KMP_OBJECT_YAW_SIGN && map->turns) yaw_sign_keep(doc, map, index);
    bool warn = object->rule == KMP_OBJECT_COMPASS ? map->turns : map->reflects;
    if (!object->warning || !warn) return true;
    return kmp_warn(doc, KART_WARNING, "object-handed", KMP_GOBJ, index, "id", error, "%s (%d): %s",
                    kmp_object_name(object->id), object->id, object->warning);
}

// Blocks that the engine sorts into a grid of fixed extent, without looking.
static const double grid_low[2] = {KMP_GRID_X_LOW, KMP_GRID_Z_LOW};
static const double grid_high[2] = {KMP_GRID_X_HIGH, KMP_GRID_Z_HIGH};

static bool grid_holds(kart_vec3 p) {
    return p.x >= grid_low[0] && p.x <= grid_high[0] && p.z >= grid_low[1] && p.z <= grid_high[1];
}

static bool grid_turn(double yaw) { return yaw == 0 || fabs(yaw) == 90 || yaw == 180; }

// The engine knows 180, not the -180 that a turn may have come to.
static void grid_turn_mend(kmp_doc *doc, size_t index, double old_yaw) {
    const kmp_field *field = kmp_field_find(doc->tables[KMP_GOBJ].schema->fields, "rotation");
    uint8_t *row = kmp_row(doc, KMP_GOBJ, index);
    kart_vec3 rotation = kmp_get_vec(doc, row, field);
    if (rotation.y != -180 || old_yaw == -180) return;
    rotation.y = 180;
    kmp_set_vec(doc, row, field, rotation);
}

// A mirror can be moved: where must it stand so that all blocks fit again? `least` and `most` bound
// them in x and z. Writes nothing where no place helps.
static void grid_advise(const kmp_map *map, const double least[2], const double most[2],
                        char advice[48]) {
    for (int axis = 0; axis < 2; axis++) {
        int row = axis * 2, other = 1 - axis;
        double low = (grid_low[axis] - least[axis]) / 2, high = (grid_high[axis] - most[axis]) / 2;
        if (map->affine->m[row][row] != -1 || low > high || least[other] < grid_low[other] ||
            most[other] > grid_high[other])
            continue;
        double shift = map->affine->m[row][3] / 2, at = (low + high) / 2;
        // The roundest number that does.
        static const double steps[] = {10000, 1000, 100, 10, 1};
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            double rounded = nearbyint((shift + at) / steps[i]) * steps[i] - shift;
            if (rounded < low || rounded > high) continue;
            at = rounded;
            break;
        }
        snprintf(advice, 48, "; mirror at %c = %.9g instead", axis == 0 ? 'x' : 'z', shift + at);
    }
}

// What was outside or askew before is not this transformation's doing.
static bool grid_check(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    double least[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {-HUGE_VAL, -HUGE_VAL};
    size_t blocks = 0, outside = 0, turned = 0, first_outside = 0, first_turned = 0;
    for (size_t i = 0; i < doc->tables[KMP_GOBJ].count; i++) {
        const kmp_object *object = kmp_object_find(kmp_int(doc, KMP_GOBJ, i, "id", 0));
        if (!object || object->rule != KMP_OBJECT_GRID) continue;
        blocks++;
        kart_vec3 place = kmp_vec(doc, KMP_GOBJ, i, "position");
        least[0] = fmin(least[0], place.x), most[0] = fmax(most[0], place.x);
        least[1] = fmin(least[1], place.z), most[1] = fmax(most[1], place.z);
        if (!grid_holds(place) && grid_holds(kmp_vec(map->before, KMP_GOBJ, i, "position")) &&
            outside++ == 0)
            first_outside = i;
        double old_yaw = kmp_vec(map->before, KMP_GOBJ, i, "rotation").y;
        grid_turn_mend(doc, i, old_yaw);
        if (!grid_turn(kmp_vec(doc, KMP_GOBJ, i, "rotation").y) && grid_turn(old_yaw) &&
            turned++ == 0)
            first_turned = i;
    }
    if (turned > 0 &&
        !kmp_warn(doc, KART_FATAL, "grid-turn", KMP_GOBJ, first_turned, "rotation", error,
                  "%zu of %zu blocks have a yaw that is not 0, 90, 180 or -90: the game crashes",
                  turned, blocks))
        return false;
    if (outside == 0) return true;
    char advice[48] = "";
    grid_advise(map, least, most, advice);
    return kmp_warn(doc, KART_FATAL, "grid-outside", KMP_GOBJ, first_outside, "position", error,
                    "%zu of %zu blocks leave the grid x %.0f..%.0f, z %.0f..%.0f: the game "
                    "crashes%s",
                    outside, blocks, grid_low[0], grid_high[0], grid_low[1], grid_high[1], advice);
}

bool kmp_map_objects(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    size_t count = doc->tables[KMP_GOBJ].count;
    for (size_t i = 0; i < count; i++)
        if (!object_map(doc, map, i, error)) return false;
    return count == 0 || grid_check(doc, map, error);
}
