// Objects: what their settings mean where that matters to an edit or a transformation, and whether
// they move along a route.
//
// One row per object that knows left from right, holds a reference or a coordinate in its settings,
// can't be carried over, or of which is known whether it needs a route. All other objects are
// placed by their position, rotation, scale and route alone.
#ifndef KMP_OBJECT_H
#define KMP_OBJECT_H

#include <stddef.h>
#include <stdint.h>

typedef enum kmp_setting_meaning {
    KMP_SETTING_NONE,
    KMP_SETTING_SIGN,        // a reflection negates it (signed)
    KMP_SETTING_SIDE,        // a reflection exchanges 0 and 1
    KMP_SETTING_PHASE,       // a reflection moves it by half of the period, which is setting 2
    KMP_SETTING_WORLD_X,     // world x / 10, signed
    KMP_SETTING_WORLD_Z,     // world z / 10, signed
    KMP_SETTING_ROUTE,       // index of a route, beside the one of the record
    KMP_SETTING_ROUTE_POINT, // index of a point of its route
    KMP_SETTING_CONTROLLER   // id that a controlling object shares with this one
} kmp_setting_meaning;

typedef struct kmp_setting {
    uint8_t number; // 1 to 8
    kmp_setting_meaning meaning;
} kmp_setting;

typedef enum kmp_object_rule {
    KMP_OBJECT_SETTINGS, // nothing beyond its settings
    KMP_OBJECT_TWIN,     // moves along world X: where that turns round, id becomes `twin`
    KMP_OBJECT_BLINKER,  // a route point's speed is a blinker: 1 and 2 are exchanged
    KMP_OBJECT_YAW_SIGN, // the sign of the yaw means a side: it must change
    KMP_OBJECT_GRID,     // must stay in the engine's grid, in quarter turns
    KMP_OBJECT_HANDED,   // a reflection can't be carried over: warn
    KMP_OBJECT_COMPASS   // its direction sits elsewhere: a reflection or turn is warned about
} kmp_object_rule;

typedef enum kmp_object_way {
    KMP_WAY_UNKNOWN, // or either
    KMP_WAY_ROUTE,   // moves along the route of its record
    KMP_WAY_NONE     // stands, moves by itself, or along the route in a setting
} kmp_object_way;

typedef struct kmp_object {
    uint16_t id;
    kmp_object_way way;
    kmp_object_rule rule;
    uint16_t twin;
    kmp_setting settings[4];
    const char *warning; // KMP_OBJECT_HANDED, _COMPASS and _YAW_SIGN: what to look after
} kmp_object;

// The row of an object; the upper four bits of the id (an extension's) are ignored. NULL if the
// object has nothing to look after.
const kmp_object *kmp_object_find(int64_t id);
const kmp_object *kmp_object_at(size_t index); // walk the table; NULL after the last

// The game's own name ("itembox"), NULL if there is none; the upper four bits are ignored.
const char *kmp_object_name(uint16_t id);

// The grid that the engine builds for KMP_OBJECT_GRID objects, unchecked. [E]
#define KMP_GRID_X_LOW  (-30810.0)
#define KMP_GRID_X_HIGH 8840.0
#define KMP_GRID_Z_LOW  (-21255.0)
#define KMP_GRID_Z_HIGH 16445.0

#endif
