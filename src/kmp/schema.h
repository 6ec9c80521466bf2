// The schema of KMP: one table per section and version. It drives the field access from Lua, the
// transformations, the checks, the stubs and the reference page. A new version is a new table.
//
// Sources: [W] the community wiki's page on the format; [E] engine behaviour known from public
// decompilation; [F] seen in real files. Where nothing is said, [W].
#ifndef KMP_SCHEMA_H
#define KMP_SCHEMA_H

#include "core/error.h"

typedef enum kmp_game {
    KMP_MKW, // Mario Kart Wii, big-endian, magic RKMD
    KMP_MK7  // Mario Kart 7, little-endian, magic DMDC, section magics reversed
} kmp_game;

const char *kmp_game_name(kmp_game game); // "mkw", "mk7"

// What a document holds a table of. All but KMP_POINT are sections of the file.
typedef enum kmp_kind {
    KMP_KTPT,  // start positions
    KMP_ENPT,  // enemy route points
    KMP_ENPH,  // groups of them
    KMP_ITPT,  // item route points
    KMP_ITPH,  // groups of them
    KMP_CKPT,  // checkpoints
    KMP_CKPH,  // groups of them
    KMP_GOBJ,  // objects
    KMP_POTI,  // routes
    KMP_AREA,  // areas
    KMP_CAME,  // cameras
    KMP_JGPT,  // respawn points
    KMP_CNPT,  // cannon targets
    KMP_MSPT,  // end positions of battles
    KMP_STGI,  // stage information
    KMP_CORS,  // MK7: course information, not known in detail
    KMP_GLPT,  // MK7: glider route points
    KMP_GLPH,  // MK7: groups of them
    KMP_POINT, // the points of all routes, in the order of their routes
    KMP_KINDS,
    KMP_NONE = KMP_KINDS // no section
} kmp_kind;

typedef enum kmp_type {
    KMP_U8,
    KMP_S8,
    KMP_U16,
    KMP_S16,
    KMP_U32,
    KMP_F32,
    KMP_F16 // the upper half of a float
} kmp_type;

// What a field means: how it behaves under a transformation and how Lua shows it.
typedef enum kmp_meaning {
    KMP_PLAIN,    // a number that knows nothing of space
    KMP_POSITION, // float[3], world units
    KMP_FLAT,     // float[2], x and z in world units
    KMP_VIEW,     // float[3], a world position or an offset in a kart's frame, by the camera's type
    KMP_ROTATION, // float[3], degrees (MK7: radians), see core/affine.h
    KMP_SCALE,    // float[3], factors along the local axes
    KMP_WIDTH,    // float, a distance beside the driving line
    KMP_SPEED,    // u16, units per frame or per 100 frames: grows with the course on request
    KMP_REF,      // index of a record of `target`; `none` means no record
    KMP_COUNT,    // number of something that the document keeps itself: read-only
    KMP_PADDING,  // never read by the game, kept
    KMP_BYTES     // not known, kept
} kmp_meaning;

#define KMP_ALWAYS INT32_MIN // of kmp_field.none: every value is an index

typedef struct kmp_field {
    const char *name; // canonical, snake_case; one name means one thing in all sections
    uint16_t offset;  // in the record
    kmp_type type;
    uint8_t count; // values of the type; vectors are one field of 3 (2 for KMP_FLAT)
    kmp_meaning meaning;
    kmp_kind target;   // KMP_REF: what it points at
    int32_t none;      // KMP_REF: the stored value for "no record", KMP_ALWAYS if there is none
    int32_t low, high; // integers: the range an assignment is checked against
    // The value means something only where the integer field named `when` has the value
    // `when_value`; NULL: always.
    const char *when;
    int32_t when_value;
    const char *doc; // what it is, with unit
} kmp_field;

typedef struct kmp_schema {
    kmp_kind kind;
    kmp_game game;
    uint32_t version_from, version_to; // file versions with this layout, both ends included
    const char *magic;                 // as it stands in the file
    const char *name;                  // lower case, the section's name in Lua
    uint16_t record_size;              // bytes; 0: not known, the file's own spacing is taken
    uint16_t header_size;              // 8: magic, u16 count, u16 extra; 4: magic, one record
    const kmp_field *fields;
    const kmp_field *header; // fields of the section header, offsets from its start
    const char *doc;
} kmp_schema;

// The layout of `kind` in a file of `game` and `version`; NULL if the game has no such section.
const kmp_schema *kmp_schema_find(kmp_game game, uint32_t version, kmp_kind kind);

// Walk all layouts, for documentation and for reading files that don't keep to their version:
// index from 0, NULL after the last.
const kmp_schema *kmp_schema_at(size_t index);

// Number of fields in a list that ends with a NULL name; 0 for NULL.
size_t kmp_fields_count(const kmp_field *fields);
const kmp_field *kmp_field_find(const kmp_field *fields, const char *name);
size_t kmp_type_size(kmp_type type);
bool kmp_type_is_float(kmp_type type);
const char *kmp_type_name(kmp_type type);

// Areas: the types that something here goes by; docs of the field `type` tell all of them.
enum {
    KMP_AREA_CAMERA = 0,
    KMP_AREA_WATER = 3,
    KMP_AREA_ENEMY = 4,
    KMP_AREA_BOO = 7,
    KMP_AREA_FALL = 10,          // fall boundary: [E] the last one of the engine,
    KMP_AREA_LAST_EXTENDED = 11, // and of LE-CODE
};

// Cameras: what the type means for the view points and for the route. [E] unless the row says so.
typedef struct kmp_camera_type {
    const char *name;
    bool kart_frame;       // view points are offsets in the frame of the kart that is looked at
    bool kart_frame_route; // and so are the points of the route
    bool wants_route;
    bool unsure; // the frame is not settled in public work
} kmp_camera_type;
#define KMP_CAMERA_TYPES 9
extern const kmp_camera_type kmp_camera_types[KMP_CAMERA_TYPES];

#endif
