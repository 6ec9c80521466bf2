// Transformations, section by section. Fields follow by their meaning in the schema; what the
// meaning can't say (sides of checkpoints, camera frames, routes, objects) is added here.
#include "kmp/transform_map.h"

#include <float.h>

static bool fits_float(double value) { return fabs(value) <= (double)FLT_MAX; }

bool kmp_map_position(const kmp_map *map, kart_vec3 *position, kart_error *error) {
    if (!vec3_finite(*position)) return true;
    kart_vec3 moved = kart_affine_point(map->affine, *position);
    if (!fits_float(moved.x) || !fits_float(moved.y) || !fits_float(moved.z))
        return kart_fail(error, KART_LIMIT, "a position leaves the range of floats");
    *position = moved;
    return true;
}

kart_vec3 kmp_map_kart_offset(const kmp_map *map, kart_vec3 offset) {
    if (map->reflects && offset.x != 0) offset.x = -offset.x;
    return offset;
}

uint16_t kmp_map_speed(const kmp_map *map, uint16_t speed, bool *fits) {
    double scaled = nearbyint(speed * map->size);
    *fits = scaled <= 65535;
    return *fits ? (uint16_t)scaled : 65535;
}

// What is reported once for a section, whatever the number of records.
typedef struct tally {
    size_t count;
    size_t first;
} tally;

static void tally_add(tally *t, size_t index) {
    if (t->count++ == 0) t->first = index;
}

static bool has_meaning(const kmp_field *fields, kmp_meaning meaning) {
    for (; fields->name; fields++)
        if (fields->meaning == meaning) return true;
    return false;
}

// Cameras hardly ever have a rotation: zeros mean that there is none to turn. A rotation that comes
// out as zero is written with -0 for x and +0 for z, so that the next turn still finds it.
static bool rotation_absent(kart_vec3 v) {
    bool marked = signbit(v.x) && !signbit(v.z);
    return v.x == 0 && v.y == 0 && v.z == 0 && !marked;
}

static kart_vec3 camera_rotation(kart_vec3 old, kart_vec3 turned) {
    if (rotation_absent(old)) return old;
    if (turned.x == 0 && turned.y == 0 && turned.z == 0) turned.x = -0.0, turned.z = 0.0;
    return turned;
}

// Respawn points: the game reads only the yaw, so of the two triples take the one with the least of
// the others. A mirror keeps what it read: there the triple stays of its kind.
static kart_vec3 respawn_triple(kart_vec3 rotation) {
    kart_vec3 other = kart_euler_other(rotation);
    double here = fabs(kart_angle_wrap(rotation.x)) + fabs(kart_angle_wrap(rotation.z));
    double there = fabs(kart_angle_wrap(other.x)) + fabs(kart_angle_wrap(other.z));
    return there < here - 1e-9 ? other : rotation;
}

// Cameras whose view is given in a kart's frame have a rotation of that frame, too: the world's
// turns don't touch it, a reflection turns its left and right round.
static bool in_kart_frame(const kmp_doc *doc, size_t camera) {
    int64_t type = kmp_int(doc, KMP_CAME, camera, "type", 0);
    return type < KMP_CAMERA_TYPES && kmp_camera_types[type].kart_frame;
}

static kart_vec3 camera_turn(kmp_doc *doc, const kmp_map *map, size_t index, kart_vec3 old) {
    kart_affine local = map->reflects ? kart_affine_mirror(0, 0) : kart_affine_identity;
    const kart_affine *turn = in_kart_frame(doc, index) ? &local : map->affine;
    return camera_rotation(old, kart_affine_orientation(turn, old, NULL));
}

// Rotation and scale of one record. Scales of objects follow only on request.
static bool orientation_map(kmp_doc *doc, const kmp_map *map, kmp_kind kind, size_t index,
                            kart_error *error) {
    uint8_t *row = kmp_row(doc, kind, index);
    const kmp_field *fields = doc->tables[kind].schema->fields;
    const kmp_field *rotation = kmp_field_find(fields, "rotation");
    const kmp_field *scale = kmp_field_find(fields, "scale");
    kart_vec3 old = kmp_get_vec(doc, row, rotation), lengths;
    kart_vec3 turned = kart_affine_orientation(map->affine, old, &lengths);
    if (kind == KMP_CAME) turned = camera_turn(doc, map, index, old);
    if (kind == KMP_JGPT && map->turns && !map->mirrors) turned = respawn_triple(turned);
    kmp_set_vec(doc, row, rotation, turned);
    if (!scale || (kind == KMP_GOBJ && !map->options.scale_objects)) return true;

    kart_vec3 s = kmp_get_vec(doc, row, scale);
    if (lengths.x != 1) s.x *= lengths.x;
    if (lengths.y != 1) s.y *= lengths.y;
    if (lengths.z != 1) s.z *= lengths.z;
    if (vec3_finite(s) && !(fits_float(s.x) && fits_float(s.y) && fits_float(s.z)))
        return kart_fail(error, KART_LIMIT, "a scale leaves the range of floats");
    kmp_set_vec(doc, row, scale, s);
    return true;
}

static bool quarter_turn(double degrees) { return fmod(degrees, 90) == 0; }

static bool section_map(kmp_doc *doc, const kmp_map *map, kmp_kind kind, kart_error *error) {
    const kmp_table *table = &doc->tables[kind];
    const kmp_field *fields = table->schema->fields;
    const kmp_field *position = kmp_field_find(fields, "position");
    const kmp_field *width = kmp_field_find(fields, "width");
    const kmp_field *rotation = kmp_field_find(fields, "rotation");
    bool stretches = !map->similar && has_meaning(fields, KMP_SCALE) &&
                     (kind != KMP_GOBJ || map->options.scale_objects);
    tally sheared = {0};
    for (size_t i = 0; i < table->count; i++) {
        uint8_t *row = kmp_row(doc, kind, i);
        kart_vec3 p = kmp_get_vec(doc, row, position);
        if (!kmp_map_position(map, &p, error)) return false;
        kmp_set_vec(doc, row, position, p);
        if (stretches && !kart_affine_keeps_box(map->affine, kmp_get_vec(doc, row, rotation)))
            tally_add(&sheared, i);
        if (rotation && !orientation_map(doc, map, kind, i, error)) return false;
        if (width && map->size != 1) {
            double wide = kmp_get_float(doc, row, width, 0) * map->size;
            if (isfinite(wide) && !fits_float(wide))
                return kart_fail(error, KART_LIMIT, "a width leaves the range of floats");
            kmp_set_float(doc, row, width, 0, wide);
        }
    }
    if (sheared.count > 0)
        return kmp_warn(doc, KART_WARNING, "scale-shear", kind, sheared.first, "scale", error,
                        "%zu box%s would lose right angles and can follow only roughly",
                        sheared.count, sheared.count == 1 ? "" : "es");
    return true;
}

// Checkpoints have no height. Where the map turns the ground over, left and right change places:
// the engine's test is a signed product, and nobody would ever be inside.
static bool checkpoints_map(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    const kmp_table *table = &doc->tables[KMP_CKPT];
    if (!table->schema || table->count == 0) return true;
    const kmp_field *left = kmp_field_find(table->schema->fields, "left");
    const kmp_field *right = kmp_field_find(table->schema->fields, "right");
    for (size_t i = 0; i < table->count; i++) {
        uint8_t *row = kmp_row(doc, KMP_CKPT, i);
        kart_vec3 l = kmp_get_vec(doc, row, left), r = kmp_get_vec(doc, row, right);
        l.y = r.y = map->options.height;
        if (!kmp_map_position(map, &l, error) || !kmp_map_position(map, &r, error)) return false;
        kmp_set_vec(doc, row, left, map->ground < 0 ? r : l);
        kmp_set_vec(doc, row, right, map->ground < 0 ? l : r);
    }
    return true;
}

static bool camera_speeds_map(kmp_doc *doc, const kmp_map *map, size_t index, kart_error *error) {
    uint8_t *row = kmp_row(doc, KMP_CAME, index);
    for (const kmp_field *f = doc->tables[KMP_CAME].schema->fields; f->name; f++) {
        if (f->meaning != KMP_SPEED) continue;
        bool fits;
        uint16_t speed = (uint16_t)kmp_get_int(doc, row, f, 0);
        kmp_set_int(doc, row, f, 0, kmp_map_speed(map, speed, &fits));
        if (!fits && !kmp_warn(doc, KART_WARNING, "speed-limit", KMP_CAME, index, f->name, error,
                               "%u times %g does not fit, 65535 is written", speed, map->size))
            return false;
    }
    return true;
}

// View points: in the world, or offsets in the frame of the kart that is looked at.
static bool cameras_map(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    const kmp_table *table = &doc->tables[KMP_CAME];
    if (!table->schema) return true;
    const kmp_field *type_field = kmp_field_find(table->schema->fields, "type");
    for (size_t i = 0; i < table->count; i++) {
        uint8_t *row = kmp_row(doc, KMP_CAME, i);
        int64_t type = kmp_get_int(doc, row, type_field, 0);
        bool known = type < KMP_CAMERA_TYPES && !kmp_camera_types[type].unsure;
        bool kart_frame = known && kmp_camera_types[type].kart_frame;
        for (const kmp_field *f = table->schema->fields; f->name; f++) {
            if (f->meaning != KMP_VIEW) continue;
            kart_vec3 v = kmp_get_vec(doc, row, f);
            if (kart_frame)
                v = kmp_map_kart_offset(map, v);
            else if (!kmp_map_position(map, &v, error))
                return false;
            kmp_set_vec(doc, row, f, v);
        }
        if (map->options.scale_speeds && !kart_frame && map->size != 1 &&
            !camera_speeds_map(doc, map, i, error))
            return false;
        if (!known && !kmp_warn(doc, KART_WARNING, "camera-type", KMP_CAME, i, "type", error,
                                "type %lld: what its view points mean is not known, they are taken "
                                "as places in the world",
                                (long long)type))
            return false;
    }
    return true;
}

// The pole position changes sides with the start grid.
static bool stage_map(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    const kmp_table *table = &doc->tables[KMP_STGI];
    if (!table->schema || !map->reflects) return true;
    const kmp_field *pole = kmp_field_find(table->schema->fields, "pole");
    for (size_t i = 0; i < table->count; i++) {
        uint8_t *row = kmp_row(doc, KMP_STGI, i);
        int64_t side = kmp_get_int(doc, row, pole, 0);
        if (side <= 1)
            kmp_set_int(doc, row, pole, 0, side ^ 1);
        else if (!kmp_warn(doc, KART_WARNING, "pole-side", KMP_STGI, i, "pole", error,
                           "neither 0 nor 1 but %lld: it stays", (long long)side))
            return false;
    }
    return true;
}

static const char *const size_text = "the engine fixes the start grid, the respawn area and the "
                                     "flight of cannons; speeds in settings "
                                     "of objects stay, too";

// What the engine fixes, and what only whole quarter turns keep.
static bool limits_report(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    const kmp_table *start = &doc->tables[KMP_KTPT];
    if (start->schema && start->count > 0 && doc->tables[KMP_CKPT].count > 0) {
        double yaw = kmp_vec(doc, KMP_KTPT, 0, "rotation").y;
        if (quarter_turn(kmp_vec(map->before, KMP_KTPT, 0, "rotation").y) && !quarter_turn(yaw) &&
            !kmp_warn(doc, KART_WARNING, "start-turned", KMP_KTPT, 0, "rotation", error,
                      "yaw %g is no multiple of 90: the minimap's start line will be wrong", yaw))
            return false;
    }
    if (map->tilts && doc->tables[KMP_CKPT].count > 0 &&
        !kmp_warn(doc, KART_WARNING, "ckpt-height", KMP_CKPT, KART_NO_INDEX, "", error,
                  "all checkpoints were taken to stand at height %g: on slopes they are off",
                  map->options.height))
        return false;
    if (kart_affine_direction(map->affine, (kart_vec3){0, 1, 0}).y < 0 &&
        !kmp_warn(doc, KART_WARNING, "upside-down", KMP_NONE, KART_NO_INDEX, "", error,
                  "the course is turned upside down: nobody can drive on a ceiling"))
        return false;
    if (fabs(map->size - 1) > 1e-9 || !map->similar)
        return kmp_warn(doc, KART_HINT, "engine-size", KMP_NONE, KART_NO_INDEX, "", error, "%s",
                        size_text);
    return true;
}

// Is it a field of numbers in space that a map carries along?
static bool is_carried(const kmp_field *field) {
    return kmp_type_is_float(field->type) && field->meaning != KMP_PLAIN;
}

// What is infinite or no number can't be carried anywhere.
static bool floats_report(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        const kmp_schema *schema = doc->tables[kind].schema;
        for (const kmp_field *f = schema ? schema->fields : NULL; f && f->name; f++) {
            tally odd = {0};
            for (size_t i = 0; is_carried(f) && i < map->before->tables[kind].count; i++)
                if (!kmp_field_finite(doc, kmp_row(map->before, (kmp_kind)kind, i), f))
                    tally_add(&odd, i);
            if (odd.count > 0 &&
                !kmp_warn(doc, KART_WARNING, "float-finite", (kmp_kind)kind, odd.first, f->name,
                          error, "not finite: can't be carried along; so in %zu of %zu records",
                          odd.count, map->before->tables[kind].count))
                return false;
        }
    }
    return true;
}

static bool doc_map(kmp_doc *doc, const kmp_map *map, kart_error *error) {
    for (int kind = 0; kind < KMP_KINDS; kind++) {
        // Points of routes follow their users; objects report after they were moved.
        const kmp_schema *schema = doc->tables[kind].schema;
        if (!schema || kind == KMP_POINT || !has_meaning(schema->fields, KMP_POSITION)) continue;
        if (!section_map(doc, map, (kmp_kind)kind, error)) return false;
    }
    return checkpoints_map(doc, map, error) && cameras_map(doc, map, error) &&
           kmp_map_routes(doc, map, error) && kmp_map_objects(doc, map, error) &&
           stage_map(doc, map, error) && floats_report(doc, map, error) &&
           limits_report(doc, map, error);
}

// Is the linear part a scale along the axes, so that no direction changes?
static bool keeps_directions(const kart_affine *a) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (i == j ? !(a->m[i][j] > 0) : a->m[i][j] != 0) return false;
    return true;
}

static bool map_prepare(const kmp_doc *doc, const kart_affine *affine,
                        const kmp_transform_options *options, kmp_map *map, kart_error *error) {
    static const kmp_transform_options none = {0};
    if (doc->game != KMP_MKW)
        return kart_fail(error, KART_UNSUPPORTED,
                         "only files of Mario Kart Wii can be transformed: of Mario Kart 7's, some "
                         "fields are not known");
    if (!kart_affine_finite(affine))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix is not finite");
    const double(*m)[4] = affine->m;
    double determinant = kart_affine_determinant(affine), most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) most = fmax(most, fabs(m[i][j]));
    if (!(fabs(determinant) > 1e-12 * most * most * most))
        return kart_fail(error, KART_UNSUPPORTED, "the matrix flattens the course");

    double k = 1, ground = m[0][0] * m[2][2] - m[0][2] * m[2][0];
    *map = (kmp_map){.affine = affine, .before = doc, .options = options ? *options : none};
    map->reflects = determinant < 0;
    map->turns = !keeps_directions(affine);
    map->mirrors = map->reflects && m[0][0] * m[2][2] < 0 && m[1][1] > 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) map->mirrors = map->mirrors && (i == j || m[i][j] == 0);
    map->similar = kart_affine_similar(affine, &k);
    map->ground = ground;
    map->size = map->similar ? k : sqrt(fabs(ground));
    map->tilts = fabs(m[0][1]) > 1e-12 * most || fabs(m[2][1]) > 1e-12 * most;
    if (doc->tables[KMP_CKPT].count > 0) {
        if (map->tilts && !map->options.has_height)
            return kart_fail(error, KART_UNSUPPORTED,
                             "checkpoints have no height, and this tilts the ground: say at which "
                             "height they stand");
        if (!(fabs(ground) > 1e-9 * most * most))
            return kart_fail(error, KART_UNSUPPORTED,
                             "this stands the ground on its edge: checkpoints would collapse");
    }
    if (!map->options.has_height) map->options.height = 0;
    return true;
}

bool kmp_transform(kmp_doc *doc, const kart_affine *affine, const kmp_transform_options *options,
                   kart_error *error) {
    kmp_map map = {0};
    if (!map_prepare(doc, affine, options, &map, error)) return false;
    kmp_doc *work = kmp_clone(doc, error);
    if (!work) return false;
    return kmp_commit(doc, work, doc_map(work, &map, error) && kart_ctx_step(doc->ctx, 1, error));
}
