// Internal to src/kcl: a triangle as a prism in the numbers of a file.
#ifndef KCL_SHAPE_H
#define KCL_SHAPE_H

#include "kcl/make.h"
#include "kcl/pool.h"

typedef struct kcl_shape {
    uint8_t position[KCL_ENTRY_MOST], normal[KCL_NORMALS][KCL_ENTRY_MOST], height[4];
    kart_vec3 corner[3]; // as the game has them, from the corner on at which the prism starts
    double error;        // units that the worst of them is off
} kcl_shape;

// The prism of a triangle that starts at its first corner if that leaves hardly any error, else at
// the one that leaves the least.
kcl_fault kcl_shape_make(const kcl_format *format, const kart_vec3 triangle[3], double max_error,
                         kcl_shape *shape);

// Unit normals as a prism that starts at corner `first` of the triangle has them, before they are
// rounded. False if it has no area.
bool kcl_shape_normals(const kart_vec3 triangle[3], int first, kart_vec3 normal[KCL_NORMALS]);

// The corners of a prism that starts at `position`, with the height that fits the normals best:
// given the normals as the file has them, sets the height and the corners. `aim`: where they should
// be, from the first on. A fault if there is no such height.
kcl_fault kcl_shape_fit(const kcl_format *format, const kart_vec3 aim[3], kart_vec3 position,
                        const kart_vec3 normal[KCL_NORMALS], uint8_t height[4], kart_vec3 corner[3],
                        double *error);

// A position or unit normal into the file's numbers: what stands there then is given. A position
// fails where its format can't hold it. There are no negative zeros in normals, so that equal ones
// have equal bytes.
bool kcl_position_store(const kcl_format *format, kart_vec3 v, uint8_t *at);
kart_vec3 kcl_position_load(const kcl_format *format, const uint8_t *at);
kart_vec3 kcl_unit_store(const kcl_format *format, kart_vec3 v, uint8_t *at);
kart_vec3 kcl_unit_load(const kcl_format *format, const uint8_t *at);

#endif
