#include "kmp/schema.h"

#include <string.h>

// Rows of the field tables. A reference's range is that of its stored type.
#define ROW(name, at, type, count, meaning, low, high, doc)                                        \
    { name, at, type, count, meaning, KMP_NONE, KMP_ALWAYS, low, high, NULL, 0, doc }
#define U8(name, at, doc)  ROW(name, at, KMP_U8, 1, KMP_PLAIN, 0, 255, doc)
#define U16(name, at, doc) ROW(name, at, KMP_U16, 1, KMP_PLAIN, 0, 65535, doc)
#define S16(name, at, doc) ROW(name, at, KMP_S16, 1, KMP_PLAIN, -32768, 32767, doc)
// 16 bits whose sign depends on who reads them: read unsigned, both notations are accepted.
#define BITS16(name, at, count, doc) ROW(name, at, KMP_U16, count, KMP_PLAIN, -32768, 65535, doc)
#define F32(name, at, doc)           ROW(name, at, KMP_F32, 1, KMP_PLAIN, 0, 0, doc)
#define WIDTH(name, at, doc)         ROW(name, at, KMP_F32, 1, KMP_WIDTH, 0, 0, doc)
#define SPEED(name, at, doc)         ROW(name, at, KMP_U16, 1, KMP_SPEED, 0, 65535, doc)
#define PAD8(name, at)               ROW(name, at, KMP_U8, 1, KMP_PADDING, 0, 255, "Padding, kept.")
#define PAD16(name, at)              ROW(name, at, KMP_U16, 1, KMP_PADDING, 0, 65535, "Padding, kept.")
#define BYTES(name, at, count)       ROW(name, at, KMP_U8, count, KMP_BYTES, 0, 255, "Not known, kept.")
#define POSITION(at)                 ROW("position", at, KMP_F32, 3, KMP_POSITION, 0, 0, "Place in the world.")
#define ROTATION(at)                                                                               \
    ROW("rotation", at, KMP_F32, 3, KMP_ROTATION, 0, 0,                                            \
        "Turn in degrees about x, y, z, in this order; a yaw of 0 looks along +Z.")
#define SCALE(at) ROW("scale", at, KMP_F32, 3, KMP_SCALE, 0, 0, "Factors along the local axes.")
#define REF_IF(name, at, type, count, target, none, low, high, when, value, doc)                   \
    { name, at, type, count, KMP_REF, target, none, low, high, when, value, doc }
#define REF8(name, at, count, target, doc)                                                         \
    REF_IF(name, at, KMP_U8, count, target, 0xFF, 0, 255, NULL, 0, doc)
#define START(type, high, target)                                                                  \
    REF_IF("start", 0x00, type, 1, target, KMP_ALWAYS, 0, high, NULL, 0,                           \
           "First point of the group.")
#define END                                                                                        \
    { .name = NULL }

#define PREV_DOC "Groups that lead here; a group may stand twice."
#define NEXT_DOC "Groups that follow; a group may stand twice."
#define DISPATCH_DOC                                                                               \
    "Battle arenas: bits 0-5 link to the first point of the prev groups, bits 6-11 to the last "   \
    "point of the next groups. Racing: 0, or the lap mask of LE-CODE."

static const kmp_field ktpt[] = {
    POSITION(0x00), ROTATION(0x0C),
    S16("player", 0x18,
        "Player who starts here: -1 all (races use the first record only), arenas "
        "0-5 red, 6-11 blue."),
    PAD16("padding", 0x1A), END};
static const kmp_field ktpt_bare[] = {POSITION(0x00), ROTATION(0x0C), END};

static const kmp_field enpt[] = {
    POSITION(0x00),
    WIDTH("width", 0x0C, "How far drivers leave the line to both sides."),
    U16("setting_1", 0x10, "Condition and action at this point."),
    U8("setting_2", 0x12, "Action of the driver at this point."),
    U8("setting_3", 0x13, "Further condition of the action."),
    END};
static const kmp_field enpt_mk7[] = {
    POSITION(0x00), WIDTH("width", 0x0C, "How far drivers leave the line to both sides."),
    BYTES("unknown", 0x10, 8), END};

#define GROUP_FIELDS(points, groups)                                                               \
    START(KMP_U8, 255, points), U8("length", 0x01, "Number of points in the group."),              \
        REF8("prev", 0x02, 6, groups, PREV_DOC), REF8("next", 0x08, 6, groups, NEXT_DOC)

static const kmp_field enph[] = {GROUP_FIELDS(KMP_ENPT, KMP_ENPH),
                                 BITS16("dispatch", 0x0E, 1, DISPATCH_DOC), END};
static const kmp_field itph[] = {GROUP_FIELDS(KMP_ITPT, KMP_ITPH),
                                 BITS16("dispatch", 0x0E, 1, DISPATCH_DOC), END};
static const kmp_field ckph[] = {GROUP_FIELDS(KMP_CKPT, KMP_CKPH), PAD16("padding", 0x0E), END};
static const kmp_field glph_mk7[] = {GROUP_FIELDS(KMP_GLPT, KMP_GLPH), BYTES("unknown", 0x0E, 8),
                                     END};
static const kmp_field enph_mk7[] = {
    REF_IF("start", 0x00, KMP_U32, 1, KMP_ENPT, KMP_ALWAYS, 0, 65535, NULL, 0,
           "First point of the group."),
    ROW("length", 0x04, KMP_U32, 1, KMP_PLAIN, 0, 65535, "Number of points in the group."),
    REF_IF("prev", 0x08, KMP_S16, 16, KMP_ENPH, -1, -1, 32767, NULL, 0, PREV_DOC),
    REF_IF("next", 0x28, KMP_S16, 16, KMP_ENPH, -1, -1, 32767, NULL, 0, NEXT_DOC), END};
static const kmp_field itph_mk7[] = {
    START(KMP_U16, 65535, KMP_ITPT), U16("length", 0x02, "Number of points in the group."),
    REF_IF("prev", 0x04, KMP_S16, 6, KMP_ITPH, -1, -1, 32767, NULL, 0, PREV_DOC),
    REF_IF("next", 0x10, KMP_S16, 6, KMP_ITPH, -1, -1, 32767, NULL, 0, NEXT_DOC), END};

static const kmp_field itpt[] = {
    POSITION(0x00),
    WIDTH("width", 0x0C, "How far a Bullet Bill may be steered aside; 1 allows about 10 units."),
    BITS16("setting_1", 0x10, 1, "What a Bullet Bill does here."),
    BITS16("setting_2", 0x12, 1, "Whether a Bullet Bill may stop, and whether items fall."), END};

#define CKPT_FIELDS                                                                                \
    ROW("left", 0x00, KMP_F32, 2, KMP_FLAT, 0, 0, "Left end of the line (x, z), as one drives."),  \
        ROW("right", 0x08, KMP_F32, 2, KMP_FLAT, 0, 0, "Right end of the line (x, z)."),           \
        REF8("respawn", 0x10, 1, KMP_JGPT, "Where Lakitu puts who falls from here on."),           \
        ROW("type", 0x11, KMP_S8, 1, KMP_PLAIN, -128, 255,                                         \
            "0 lap line, 1-127 key checkpoint, -1 normal; the engine reads a signed byte."),       \
        REF8("prev", 0x12, 1, KMP_CKPT, "The checkpoint before in its group."),                    \
        REF8("next", 0x13, 1, KMP_CKPT, "The checkpoint after in its group.")

static const kmp_field ckpt[] = {CKPT_FIELDS, END};
static const kmp_field ckpt_mk7[] = {CKPT_FIELDS, BYTES("unknown", 0x14, 4), END};

#define GOBJ_FIELDS                                                                                \
    U16("id", 0x00,                                                                                \
        "Object; 0 and unknown ids disable it. Bits 12-15: LE-CODE's presence "                    \
        "extension."),                                                                             \
        U16("extension", 0x02, "0, or a word of LE-CODE's presence extension."), POSITION(0x04),   \
        ROTATION(0x10), SCALE(0x1C),                                                               \
        REF_IF("route", 0x28, KMP_U16, 1, KMP_POTI, 0xFFFF, 0, 65535, NULL, 0,                     \
               "Route that the object moves along."),                                              \
        BITS16("settings", 0x2A, 8, "What they mean depends on the object."),                      \
        U16("presence", 0x3A,                                                                      \
            "Bits 0-2: in 1, 2, 3-4 player games, bits 3-5: further modes; "                       \
            "bits 6-15: LE-CODE's extension.")

static const kmp_field gobj[] = {GOBJ_FIELDS, END};
static const kmp_field gobj_mk7[] = {GOBJ_FIELDS, BYTES("unknown", 0x3C, 4), END};

static const kmp_field poti[] = {
    ROW("length", 0x00, KMP_U16, 1, KMP_COUNT, 0, 65535, "Number of points."),
    U8("smooth", 0x02, "1: rounded corners (wants 3 points or more)."),
    U8("motion", 0x03, "0: round and round, 1: back and forth."), END};
static const kmp_field poti_header[] = {
    ROW("total", 0x06, KMP_U16, 1, KMP_COUNT, 0, 65535, "Points of all routes together."), END};
static const kmp_field point[] = {
    POSITION(0x00),
    SPEED("speed", 0x0C, "Speed to the next point in units per frame, or the user's own setting."),
    BITS16("setting", 0x0E, 1, "What it means depends on the user of the route."), END};

#define AREA_FIELDS                                                                                \
    U8("shape", 0x00,                                                                              \
       "0 box, 1 cylinder; 10000 units wide and high at scale 1, standing on its "                 \
       "position."),                                                                               \
        U8("type", 0x01,                                                                           \
           "0 camera, 1 environment effect, 2 fog, 3 moving water, 4 force "                       \
           "recalculation, 5 minimap, 6 bloom, 7 Boos, 8 object group, 9 object "                  \
           "unload, 10 fall boundary."),                                                           \
        REF_IF("camera", 0x02, KMP_U8, 1, KMP_CAME, 0xFF, 0, 255, "type", KMP_AREA_CAMERA,         \
               "Camera that films who is inside."),                                                \
        U8("priority", 0x03, "The highest wins where areas overlap."), POSITION(0x04),             \
        ROTATION(0x10), SCALE(0x1C),                                                               \
        BITS16("setting_1", 0x28, 1, "What it means depends on the type."),                        \
        BITS16("setting_2", 0x2A, 1, "What it means depends on the type.")

static const kmp_field area[] = {AREA_FIELDS,
                                 REF_IF("route", 0x2C, KMP_U8, 1, KMP_POTI, 0xFF, 0, 255, "type",
                                        KMP_AREA_WATER, "Route of moving water."),
                                 REF_IF("enemy_point", 0x2D, KMP_U8, 1, KMP_ENPT, 0xFF, 0, 255,
                                        "type", KMP_AREA_ENEMY,
                                        "Where drivers take up the route again."),
                                 PAD16("padding", 0x2E), END};
static const kmp_field area_short[] = {AREA_FIELDS, END};

static const kmp_field came[] = {
    U8("type", 0x00,
       "0 goal, 1 fixed, 2 along a path, 3 follows the kart, 4 opening, fixed, 5 "
       "opening, along a path, 6 beside the kart along a path, 7 and 8 missions."),
    REF8("next", 0x01, 1, KMP_CAME, "Camera that takes over after `time`."),
    U8("shake", 0x02, "Always 0."),
    REF8("route", 0x03, 1, KMP_POTI, "Path of the camera."),
    SPEED("velocity", 0x04, "Speed along the path, units per 100 frames."),
    U16("zoom_velocity", 0x06, "Speed of the zoom, degrees per 100 frames."),
    SPEED("view_velocity", 0x08, "Speed of the view point, units per 100 frames."),
    U8("start_flag", 0x0A, "Not known."),
    U8("movie_flag", 0x0B, "Not known."),
    POSITION(0x0C),
    ROTATION(0x18),
    F32("zoom_start", 0x24, "Angle of view in degrees."),
    F32("zoom_end", 0x28, "Angle of view at the end."),
    ROW("view_start", 0x2C, KMP_F32, 3, KMP_VIEW, 0, 0,
        "Point looked at; types 0, 3 and 6: offset in the kart's frame."),
    ROW("view_end", 0x38, KMP_F32, 3, KMP_VIEW, 0, 0, "Point looked at in the end, likewise."),
    F32("time", 0x44, "Frames (1/60 s) that the camera is active."),
    END};
static const kmp_field came_header[] = {
    REF8("opening", 0x06, 1, KMP_CAME, "First camera of the opening pan."),
    REF8("selection", 0x07, 1, KMP_CAME, "First camera of the course selection's video."), END};

static const kmp_field jgpt[] = {
    POSITION(0x00), ROTATION(0x0C),
    U16("id", 0x18, "Not used by the game; differs from the index in real files."),
    S16("range", 0x1A, "-1, or two settings: value / 100 and value % 100."), END};
static const kmp_field cnpt[] = {
    POSITION(0x00), ROTATION(0x0C), U16("id", 0x18, "Not used by the game: the index counts."),
    S16("effect", 0x1A, "0 or -1 straight, 1 curved, 2 curved and slow."), END};
static const kmp_field mspt[] = {POSITION(0x00), ROTATION(0x0C), U16("id", 0x18, "Not used."),
                                 BITS16("unknown", 0x1A, 1, "Not known."), END};

#define STGI_FIELDS                                                                                \
    U8("laps", 0x00, "3 in all races; read by cheat codes and competitions only."),                \
        U8("pole", 0x01, "Pole position: 0 left, 1 right."),                                       \
        U8("narrow", 0x02, "1: drivers start closer together."),                                   \
        U8("flare", 0x03, "1: the lens flare flashes."), PAD8("padding_1", 0x04),                  \
        ROW("flare_color", 0x05, KMP_U8, 3, KMP_PLAIN, 0, 255, "Red, green, blue of the flare.")

static const kmp_field stgi_short[] = {STGI_FIELDS, END};
static const kmp_field stgi[] = {
    STGI_FIELDS, U8("flare_alpha", 0x08, "Opacity of the flare."), PAD8("padding_2", 0x09),
    ROW("speed_factor", 0x0A, KMP_F16, 1, KMP_PLAIN, 0, 0,
        "Speed factor of cheat codes, the upper half of a float: 1.5 is 0x3FC0; 0 for none."),
    END};

static const kmp_field glpt_mk7[] = {POSITION(0x00), WIDTH("width", 0x0C, "Scale of the point."),
                                     BYTES("unknown", 0x10, 8), END};
static const kmp_field opaque[] = {END};

#define LATEST UINT32_MAX
#define MKW(kind, from, to, magic, name, size, fields, header, doc)                                \
    { kind, KMP_MKW, from, to, magic, name, size, 8, fields, header, doc }
#define MK7(kind, magic, name, size, fields, header, doc)                                          \
    { kind, KMP_MK7, 0, LATEST, magic, name, size, 8, fields, header, doc }

// One game's rows stand in the order in which new files hold the sections. [F]
static const kmp_schema schemas[] = {
    MKW(KMP_KTPT, 1831, LATEST, "KTPT", "ktpt", 0x1C, ktpt, NULL, "Start positions"),
    {KMP_KTPT, KMP_MKW, 0, 1830, "KTPT", "ktpt", 0x18, 4, ktpt_bare, NULL, "Start position"},
    MKW(KMP_ENPT, 0, LATEST, "ENPT", "enpt", 0x14, enpt, NULL, "Enemy route points"),
    MKW(KMP_ENPH, 0, LATEST, "ENPH", "enph", 0x10, enph, NULL, "Groups of enemy route points"),
    MKW(KMP_ITPT, 0, LATEST, "ITPT", "itpt", 0x14, itpt, NULL, "Item route points"),
    MKW(KMP_ITPH, 0, LATEST, "ITPH", "itph", 0x10, itph, NULL, "Groups of item route points"),
    MKW(KMP_CKPT, 0, LATEST, "CKPT", "ckpt", 0x14, ckpt, NULL, "Checkpoints"),
    MKW(KMP_CKPH, 0, LATEST, "CKPH", "ckph", 0x10, ckph, NULL, "Groups of checkpoints"),
    MKW(KMP_GOBJ, 0, LATEST, "GOBJ", "gobj", 0x3C, gobj, NULL, "Objects"),
    MKW(KMP_POTI, 0, LATEST, "POTI", "poti", 0x04, poti, poti_header, "Routes"),
    MKW(KMP_AREA, 2200, LATEST, "AREA", "area", 0x30, area, NULL, "Areas"),
    MKW(KMP_AREA, 0, 2199, "AREA", "area", 0x2C, area_short, NULL, "Areas"),
    MKW(KMP_CAME, 0, LATEST, "CAME", "came", 0x48, came, came_header, "Cameras"),
    MKW(KMP_JGPT, 0, LATEST, "JGPT", "jgpt", 0x1C, jgpt, NULL, "Respawn points"),
    MKW(KMP_CNPT, 0, LATEST, "CNPT", "cnpt", 0x1C, cnpt, NULL, "Cannon targets"),
    MKW(KMP_MSPT, 0, LATEST, "MSPT", "mspt", 0x1C, mspt, NULL, "End positions of battles"),
    MKW(KMP_STGI, 2321, LATEST, "STGI", "stgi", 0x0C, stgi, NULL, "Stage information"),
    MKW(KMP_STGI, 0, 2320, "STGI", "stgi", 0x08, stgi_short, NULL, "Stage information"),
    MKW(KMP_POINT, 0, LATEST, "", "points", 0x10, point, NULL, "Points of a route"),

    MK7(KMP_KTPT, "TPTK", "ktpt", 0x1C, ktpt, NULL, "Start positions"),
    MK7(KMP_ENPT, "TPNE", "enpt", 0x18, enpt_mk7, NULL, "Enemy route points"),
    MK7(KMP_ENPH, "HPNE", "enph", 0x48, enph_mk7, NULL, "Groups of enemy route points"),
    MK7(KMP_ITPT, "TPTI", "itpt", 0x14, itpt, NULL, "Item route points"),
    MK7(KMP_ITPH, "HPTI", "itph", 0x1C, itph_mk7, NULL, "Groups of item route points"),
    MK7(KMP_CKPT, "TPKC", "ckpt", 0x18, ckpt_mk7, NULL, "Checkpoints"),
    MK7(KMP_CKPH, "HPKC", "ckph", 0x10, ckph, NULL, "Groups of checkpoints"),
    MK7(KMP_GOBJ, "JBOG", "gobj", 0x40, gobj_mk7, NULL, "Objects"),
    MK7(KMP_POTI, "ITOP", "poti", 0x04, poti, poti_header, "Routes"),
    MK7(KMP_AREA, "AERA", "area", 0x30, area, NULL, "Areas"),
    MK7(KMP_CAME, "EMAC", "came", 0x48, came, came_header, "Cameras"),
    MK7(KMP_JGPT, "TPGJ", "jgpt", 0x1C, jgpt, NULL, "Respawn points"),
    MK7(KMP_CNPT, "TPNC", "cnpt", 0x1C, cnpt, NULL, "Cannon targets"),
    MK7(KMP_MSPT, "TPSM", "mspt", 0x1C, mspt, NULL, "End positions of battles"),
    MK7(KMP_STGI, "IGTS", "stgi", 0, opaque, NULL, "Stage information"),
    MK7(KMP_CORS, "SROC", "cors", 0, opaque, NULL, "Course information"),
    MK7(KMP_GLPT, "TPLG", "glpt", 0x18, glpt_mk7, NULL, "Glider route points"),
    MK7(KMP_GLPH, "HPLG", "glph", 0x16, glph_mk7, NULL, "Groups of glider route points"),
    MK7(KMP_POINT, "", "points", 0x10, point, NULL, "Points of a route"),
};

const char *kmp_game_name(kmp_game game) { return game == KMP_MKW ? "mkw" : "mk7"; }

const kmp_schema *kmp_schema_at(size_t index) {
    return index < sizeof schemas / sizeof *schemas ? &schemas[index] : NULL;
}

const kmp_schema *kmp_schema_find(kmp_game game, uint32_t version, kmp_kind kind) {
    const kmp_schema *schema;
    for (size_t i = 0; (schema = kmp_schema_at(i)); i++)
        if (schema->game == game && schema->kind == kind && version >= schema->version_from &&
            version <= schema->version_to)
            return schema;
    return NULL;
}

size_t kmp_fields_count(const kmp_field *fields) {
    size_t count = 0;
    while (fields && fields[count].name) count++;
    return count;
}

const kmp_field *kmp_field_find(const kmp_field *fields, const char *name) {
    for (; fields && fields->name; fields++)
        if (strcmp(fields->name, name) == 0) return fields;
    return NULL;
}

static const struct {
    const char *name;
    uint8_t size;
} types[] = {[KMP_U8] = {"u8", 1},         [KMP_S8] = {"s8", 1},   [KMP_U16] = {"u16", 2},
             [KMP_S16] = {"s16", 2},       [KMP_U32] = {"u32", 4}, [KMP_F32] = {"float", 4},
             [KMP_F16] = {"half float", 2}};

size_t kmp_type_size(kmp_type type) { return types[type].size; }
const char *kmp_type_name(kmp_type type) { return types[type].name; }
bool kmp_type_is_float(kmp_type type) { return type == KMP_F32 || type == KMP_F16; }

const kmp_camera_type kmp_camera_types[KMP_CAMERA_TYPES] = {
    {.name = "goal", .kart_frame = true},
    {.name = "fixed"},
    {.name = "path", .wants_route = true},
    {.name = "kart follow", .kart_frame = true},
    {.name = "opening, fixed"},
    {.name = "opening, path", .wants_route = true},
    {.name = "kart path follow", .kart_frame = true, .kart_frame_route = true, .wants_route = true},
    {.name = "mission, unclear", .unsure = true},
    {.name = "mission success, unclear", .unsure = true},
};
