#include "kmp/object.h"

#define SIGN(n)                                                                                    \
    { n, KMP_SETTING_SIGN }
#define SIDE(n)                                                                                    \
    { n, KMP_SETTING_SIDE }
#define START(n)                                                                                   \
    { n, KMP_SETTING_ROUTE_POINT }
#define PLAIN(number, ...)                                                                         \
    {                                                                                              \
        .id = number, .settings = { __VA_ARGS__ }                                                  \
    }
#define ROUTED(number, ...)                                                                        \
    {                                                                                              \
        .id = number, .way = KMP_WAY_ROUTE, .settings = { __VA_ARGS__ }                            \
    }
#define WAY(number, kind)                                                                          \
    { .id = number, .way = KMP_WAY_##kind }
#define BLINKER(number)                                                                            \
    {                                                                                              \
        .id = number, .way = KMP_WAY_ROUTE, .rule = KMP_OBJECT_BLINKER, .settings = { START(1) }   \
    }
#define GRID(number)                                                                               \
    { .id = number, .way = KMP_WAY_NONE, .rule = KMP_OBJECT_GRID }
#define TWIN(number, other)                                                                        \
    { .id = number, .way = KMP_WAY_NONE, .rule = KMP_OBJECT_TWIN, .twin = other }
#define WARN(number, kind, text)                                                                   \
    { .id = number, .rule = KMP_OBJECT_##kind, .warning = text }
#define MODEL "its model or movement has a side that no setting changes"

// Sorted by id. Sources: engine behaviour [E]; from the wiki's tables only: the rows of 208, 209,
// 222, 532, 533, and the ways of the others but for 201 and 216 (they have a start on their route),
// 316, 367, 368 (they stand in a grid) and 504, 505 (they move along world x).
static const kmp_object objects[] = {
    WAY(2, NONE),
    WAY(3, NONE),
    WAY(7, NONE),
    WAY(17, NONE),
    PLAIN(20, {3, KMP_SETTING_CONTROLLER}, {4, KMP_SETTING_CONTROLLER}),
    WAY(101, NONE),
    WAY(114, ROUTE),
    WAY(115, NONE),
    WAY(118, NONE),
    ROUTED(201, START(5)),
    {.id = 206, .way = KMP_WAY_ROUTE, .rule = KMP_OBJECT_HANDED, .warning = MODEL},
    BLINKER(208),
    BLINKER(209),
    WAY(213, ROUTE),
    ROUTED(216, START(2)),
    BLINKER(222),
    PLAIN(229, SIDE(2)),
    {.id = 234, .way = KMP_WAY_NONE, .settings = {{1, KMP_SETTING_ROUTE}}},
    GRID(316),
    WAY(324, NONE),
    GRID(367),
    GRID(368),
    PLAIN(405, SIGN(2)),
    PLAIN(406, {4, KMP_SETTING_WORLD_X}, {5, KMP_SETTING_WORLD_Z}),
    PLAIN(417, SIGN(2)),
    PLAIN(420, {1, KMP_SETTING_ROUTE}),
    PLAIN(421, SIGN(2)),
    PLAIN(422, SIDE(2)),
    WAY(502, NONE),
    TWIN(504, 505),
    TWIN(505, 504),
    PLAIN(507, {4, KMP_SETTING_PHASE}),
    WARN(510, HANDED, MODEL),
    WARN(511, YAW_SIGN, "its model has a side that no setting changes"),
    WARN(514, HANDED, MODEL),
    WARN(516, HANDED, MODEL),
    WARN(518, HANDED, MODEL),
    WARN(520, HANDED, "it takes its direction from rotation x, which a mirror keeps"),
    WARN(524, HANDED, MODEL),
    WARN(526, HANDED, MODEL),
    PLAIN(532, SIDE(2)),
    PLAIN(533, SIDE(2)),
    WARN(602, COMPASS, "its direction sits in the variant of the KCL flag"),
    WARN(603, COMPASS, "its direction sits in the variant of the KCL flag"),
    PLAIN(604, SIDE(2)),
    PLAIN(608, SIGN(2), SIGN(4), SIGN(6)),
};

const kmp_object *kmp_object_at(size_t index) {
    return index < sizeof objects / sizeof *objects ? &objects[index] : NULL;
}

const kmp_object *kmp_object_find(int64_t id) {
    const kmp_object *object;
    for (size_t i = 0; (object = kmp_object_at(i)); i++)
        if (object->id == (id & 0x0FFF)) return object;
    return NULL;
}
