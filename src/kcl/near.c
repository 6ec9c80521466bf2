#include "kcl/near.h"

double kcl_random_next(kcl_random *r) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(r->state >> 11) / 9007199254740992.0;
}

// A point of the unit ball: by rejection, as sines differ between machines.
static kart_vec3 in_ball(kcl_random *r) {
    kart_vec3 p;
    do {
        p.x = 2 * kcl_random_next(r) - 1;
        p.y = 2 * kcl_random_next(r) - 1;
        p.z = 2 * kcl_random_next(r) - 1;
    } while (vec3_dot(p, p) > 1);
    return p;
}

static kart_vec3 on_triangle(kcl_random *r, const kart_vec3 corner[3]) {
    double u = kcl_random_next(r), v = kcl_random_next(r);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    return vec3_add(corner[0], vec3_add(vec3_scale(vec3_sub(corner[1], corner[0]), u),
                                        vec3_scale(vec3_sub(corner[2], corner[0]), v)));
}

kart_vec3 kcl_near_draw(kcl_random *r, const kart_vec3 corner[3]) {
    kart_vec3 away = vec3_scale(in_ball(r), KCL_NEAR_REACH);
    return vec3_add(on_triangle(r, corner), away);
}
