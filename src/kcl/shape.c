#include "kcl/shape.h"

#define FINE_ERROR 0.005 // no other corner to start at is looked for below this

bool kcl_position_store(const kcl_format *f, kart_vec3 v, uint8_t *at) {
    return kcl_store_number(f, at, v.x) && kcl_store_number(f, at + 4, v.y) &&
           kcl_store_number(f, at + 8, v.z);
}

kart_vec3 kcl_position_load(const kcl_format *f, const uint8_t *at) {
    return (kart_vec3){kcl_load_number(f, at), kcl_load_number(f, at + 4),
                       kcl_load_number(f, at + 8)};
}

kart_vec3 kcl_unit_store(const kcl_format *f, kart_vec3 v, uint8_t *at) {
    size_t step = kcl_normal_size(f) / 3;
    kcl_store_normal(f, at, v.x + 0.0);
    kcl_store_normal(f, at + step, v.y + 0.0);
    kcl_store_normal(f, at + 2 * step, v.z + 0.0);
    return kcl_unit_load(f, at);
}

kart_vec3 kcl_unit_load(const kcl_format *f, const uint8_t *at) {
    size_t step = kcl_normal_size(f) / 3;
    return (kart_vec3){kcl_load_normal(f, at), kcl_load_normal(f, at + step),
                       kcl_load_normal(f, at + 2 * step)};
}

// Outward on the edges opposite to each corner, then the face's.
static kcl_fault normals_get(const kart_vec3 t[3], kart_vec3 normal[4]) {
    normal[3] = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    double twice_area = vec3_length(normal[3]);
    if (!isfinite(twice_area)) return KCL_FAULT_NOT_FINITE;
    if (!(twice_area > 2e-9)) return KCL_FAULT_NO_AREA;
    normal[3] = vec3_scale(normal[3], 1 / twice_area);
    for (int i = 0; i < 3; i++) {
        normal[i] = vec3_cross(vec3_sub(t[(i + 2) % 3], t[(i + 1) % 3]), normal[3]);
        if (!(vec3_length(normal[i]) > 0)) return KCL_FAULT_NO_AREA;
    }
    return KCL_FAULT_NONE;
}

static void normals_of(const kart_vec3 face[4], int a, kart_vec3 normal[KCL_NORMALS]) {
    normal[KCL_FACE] = vec3_unit(face[3]);
    normal[KCL_CA] = vec3_unit(face[(a + 1) % 3]);
    normal[KCL_AB] = vec3_unit(face[(a + 2) % 3]);
    normal[KCL_BC] = vec3_unit(face[a]);
}

bool kcl_shape_normals(const kart_vec3 triangle[3], int first, kart_vec3 normal[KCL_NORMALS]) {
    kart_vec3 face[4];
    if (normals_get(triangle, face) != KCL_FAULT_NONE) return false;
    normals_of(face, first, normal);
    return true;
}

kcl_fault kcl_shape_fit(const kcl_format *f, const kart_vec3 aim[3], kart_vec3 position,
                        const kart_vec3 normal[KCL_NORMALS], uint8_t height[4], kart_vec3 corner[3],
                        double *error) {
    kart_vec3 p = vec3_cross(normal[KCL_AB], normal[KCL_FACE]),
              q = vec3_cross(normal[KCL_CA], normal[KCL_FACE]);
    double across_b = vec3_dot(p, normal[KCL_BC]), across_c = vec3_dot(q, normal[KCL_BC]);
    if (fabs(across_b) <= 1e-6 || fabs(across_c) <= 1e-6) return KCL_FAULT_NO_AREA;
    p = vec3_scale(p, 1 / across_b);
    q = vec3_scale(q, 1 / across_c);
    // The height by which both corners come out best.
    kart_vec3 to_b = vec3_sub(aim[1], position), to_c = vec3_sub(aim[2], position);
    double h = (vec3_dot(p, to_b) + vec3_dot(q, to_c)) / (vec3_dot(p, p) + vec3_dot(q, q));
    if (!(h > 0)) return KCL_FAULT_NO_AREA;
    if (!kcl_store_number(f, height, h)) return KCL_FAULT_RANGE;
    h = kcl_load_number(f, height);
    if (!(h > 0)) return KCL_FAULT_NO_AREA;
    corner[0] = position;
    corner[1] = vec3_add(position, vec3_scale(p, h));
    corner[2] = vec3_add(position, vec3_scale(q, h));
    *error = 0;
    for (int i = 0; i < 3; i++) *error = fmax(*error, vec3_length(vec3_sub(corner[i], aim[i])));
    return KCL_FAULT_NONE;
}

// The prism that starts at the corner `a` of the triangle.
static kcl_fault shape_make(const kcl_format *f, const kart_vec3 t[3], const kart_vec3 face[4],
                            int a, kcl_shape *s) {
    const kart_vec3 aim[3] = {t[a], t[(a + 1) % 3], t[(a + 2) % 3]};
    kart_vec3 n[KCL_NORMALS];
    if (!kcl_position_store(f, t[a], s->position)) return KCL_FAULT_RANGE;
    normals_of(face, a, n);
    for (int i = 0; i < KCL_NORMALS; i++) n[i] = kcl_unit_store(f, n[i], s->normal[i]);
    return kcl_shape_fit(f, aim, kcl_position_load(f, s->position), n, s->height, s->corner,
                         &s->error);
}

kcl_fault kcl_shape_make(const kcl_format *f, const kart_vec3 t[3], double max_error,
                         kcl_shape *best) {
    kart_vec3 face[4];
    for (int i = 0; i < 3; i++)
        if (!vec3_finite(t[i])) return KCL_FAULT_NOT_FINITE;
    kcl_fault first = normals_get(t, face);
    if (first != KCL_FAULT_NONE) return first;
    bool found = false;
    for (int a = 0; a < 3; a++) {
        kcl_shape s;
        kcl_fault fault = shape_make(f, t, face, a, &s);
        if (fault != KCL_FAULT_NONE) {
            if (first == KCL_FAULT_NONE) first = fault;
            continue;
        }
        if (!found || s.error < best->error) *best = s;
        found = true;
        if (s.error <= FINE_ERROR) break;
    }
    if (!found) return first;
    return best->error <= max_error ? KCL_FAULT_NONE : KCL_FAULT_FAR;
}
