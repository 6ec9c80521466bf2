// Places: what is nearest to a point, and what boxes and spheres touch.
#include "core/array.h"
#include "core/lanes.h"
#include "core/tree_work.h"

#include <stdlib.h>

typedef struct step {
    float square; // of the distance, or less
    uint32_t child;
} step;

// A point as nodes see it: rounded up and down.
typedef struct place {
    float low[3], high[3];
} place;

static place place_of(kart_vec3 p) {
    place r;
    for (int axis = 0; axis < 3; axis++) {
        r.low[axis] = tree_float_down(tree_axis(p, axis));
        r.high[axis] = tree_float_up(tree_axis(p, axis));
    }
    return r;
}

static bool can_ask(kart_vec3 point, double max) {
    return vec3_finite(point) && tree_largest(point) <= KART_TREE_REACH && max >= 0;
}

// The square of the distance of each child, or less: three squares and two sums are off by less
// than the factor says.
static void node_squares(const tree_node *node, const place *p, float square[TREE_WIDTH]) {
    for (int half = 0; half < TREE_WIDTH; half += 4) {
        lanes4 sum = lanes4_all(0);
        for (int axis = 0; axis < 3; axis++) {
            const lanes4 below = lanes4_load(&node->bound[axis][half]) - lanes4_all(p->high[axis]);
            const lanes4 above =
                lanes4_all(p->low[axis]) - lanes4_load(&node->bound[3 + axis][half]);
            const lanes4 away = lanes4_max(lanes4_max(below, above), lanes4_all(0));
            sum += away * away;
        }
        sum *= lanes4_all(1 - 0x1p-20f);
        memcpy(square + half, &sum, sizeof sum);
    }
}

// Push the children of a node that are near enough, the nearest on top.
static size_t node_push(const tree_node *node, const place *p, float most, step *stack,
                        size_t count) {
    float square[TREE_WIDTH];
    const size_t base = count;
    node_squares(node, p, square);
    for (size_t lane = 0; lane < TREE_WIDTH; lane++) {
        if (node->child[lane] == TREE_NONE || square[lane] > most) continue;
        size_t at = count++;
        for (; at > base && stack[at - 1].square < square[lane]; at--) stack[at] = stack[at - 1];
        stack[at] = (step){square[lane], node->child[lane]};
    }
    return count;
}

// --- the nearest ------------------------------------------------------------------------------

typedef struct nearest {
    const kart_near *near;
    double square;
    uint32_t number;
    kart_vec3 point, corner[3];
} nearest;

static void leaf_see(const tree_leaf *leaf, nearest *best) {
    for (unsigned lane = 0; lane < TREE_LEAF && leaf->number[lane] != KART_NO_TRIANGLE; lane++) {
        kart_vec3 c[3];
        const uint32_t number = leaf->number[lane];
        tree_corners(leaf, lane, c);
        const kart_vec3 point = tree_triangle_nearest(c, best->near->point);
        const kart_vec3 away = vec3_sub(point, best->near->point);
        const double square = vec3_dot(away, away);
        if (square > best->square || (square == best->square && number >= best->number)) continue;
        if (best->near->accept && !best->near->accept(best->near->user, number)) continue;
        *best = (nearest){best->near, square, number, point, {c[0], c[1], c[2]}};
    }
}

bool kart_tree_nearest(const kart_tree *tree, const kart_near *near, kart_hit *hit) {
    step stack[TREE_STACK];
    hit->triangle = KART_NO_TRIANGLE;
    hit->visits = 0;
    if (tree->stats.nodes == 0 || !can_ask(near->point, near->max)) return false;
    const place p = place_of(near->point);
    nearest best = {.near = near, .square = near->max * near->max, .number = KART_NO_TRIANGLE};
    size_t count = 1;
    stack[0] = (step){0, 0};
    while (count > 0) {
        const step next = stack[--count];
        const float most = tree_float_up(best.square);
        if (next.square > most) continue;
        hit->visits++;
        if (next.child & TREE_IS_LEAF)
            leaf_see(&tree->leaves[next.child & ~TREE_IS_LEAF], &best);
        else
            count = node_push(&tree->nodes[next.child], &p, most, stack, count);
    }
    if (best.number == KART_NO_TRIANGLE) return false;
    hit->triangle = best.number;
    hit->distance = tree_length(vec3_sub(best.point, near->point));
    hit->fraction = 0;
    hit->point = best.point;
    hit->normal = tree_normal(best.corner);
    tree_place(best.corner, best.point, &hit->u, &hit->v);
    return true;
}

// --- overlaps ---------------------------------------------------------------------------------

void kart_numbers_free(kart_numbers *numbers) {
    kart_free(numbers->ctx, numbers->items, numbers->capacity * sizeof *numbers->items);
    *numbers = (kart_numbers){.ctx = numbers->ctx};
}

static int number_order(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

// What touches: a box, or a sphere and the box around it.
typedef struct shape {
    kart_box box;
    const kart_near *sphere;
} shape;

static bool shape_touches(const shape *s, const kart_vec3 corner[3]) {
    if (!s->sphere) return tree_box_triangle(&s->box, corner);
    const kart_vec3 near = tree_triangle_nearest(corner, s->sphere->point);
    return tree_length(vec3_sub(near, s->sphere->point)) <= s->sphere->max;
}

static bool leaf_add(const tree_leaf *leaf, const shape *s, kart_numbers *numbers,
                     kart_error *error) {
    for (unsigned lane = 0; lane < TREE_LEAF && leaf->number[lane] != KART_NO_TRIANGLE; lane++) {
        kart_vec3 c[3];
        tree_corners(leaf, lane, c);
        if (!shape_touches(s, c) ||
            (s->box.accept && !s->box.accept(s->box.user, leaf->number[lane])))
            continue;
        uint32_t *items = kart_array_grow(numbers->ctx, numbers->items, &numbers->capacity,
                                          numbers->count + 1, sizeof *items, error);
        if (!items) return false;
        numbers->items = items;
        items[numbers->count++] = leaf->number[lane];
    }
    return true;
}

// Do a child's bounds touch the box? Bounds lie outside of what they hold, so nothing is missed.
static bool child_touches(const tree_node *node, size_t lane, const kart_box *box) {
    bool touches = node->child[lane] != TREE_NONE;
    for (int axis = 0; touches && axis < 3; axis++)
        touches = (double)node->bound[axis][lane] <= tree_axis(box->high, axis) &&
                  (double)node->bound[3 + axis][lane] >= tree_axis(box->low, axis);
    return touches;
}

static bool overlap(const kart_tree *tree, const shape *s, kart_numbers *numbers,
                    kart_error *error) {
    uint32_t stack[TREE_STACK];
    const size_t before = numbers->count;
    size_t count = tree->stats.nodes > 0;
    stack[0] = 0;
    numbers->visits = 0;
    while (count > 0) {
        const uint32_t child = stack[--count];
        numbers->visits++;
        if (child & TREE_IS_LEAF) {
            if (!leaf_add(&tree->leaves[child & ~TREE_IS_LEAF], s, numbers, error)) return false;
            continue;
        }
        const tree_node *node = &tree->nodes[child];
        for (size_t lane = 0; lane < TREE_WIDTH; lane++)
            if (child_touches(node, lane, &s->box)) stack[count++] = node->child[lane];
    }
    if (numbers->count > before)
        qsort(numbers->items + before, numbers->count - before, sizeof *numbers->items,
              number_order);
    return true;
}

bool kart_tree_overlap_box(const kart_tree *tree, const kart_box *box, kart_numbers *numbers,
                           kart_error *error) {
    // Cut to where triangles are, so that sums of its corners are numbers.
    const double reach = tree->reach;
    const kart_vec3 low = {tree_most(box->low.x, -reach), tree_most(box->low.y, -reach),
                           tree_most(box->low.z, -reach)};
    const kart_vec3 high = {tree_least(box->high.x, reach), tree_least(box->high.y, reach),
                            tree_least(box->high.z, reach)};
    const shape s = {.box = {low, high, box->accept, box->user}};
    numbers->visits = 0;
    if (!vec3_finite(box->low) || !vec3_finite(box->high)) return true;
    if (low.x > high.x || low.y > high.y || low.z > high.z) return true;
    return overlap(tree, &s, numbers, error);
}

bool kart_tree_overlap_sphere(const kart_tree *tree, const kart_near *sphere, kart_numbers *numbers,
                              kart_error *error) {
    // A little more than the sphere, whatever the sums are rounded to.
    const double reach = sphere->max + 0x1p-46 * (tree_largest(sphere->point) + sphere->max);
    const kart_vec3 around = {reach, reach, reach};
    const shape s = {.box = {.low = vec3_sub(sphere->point, around),
                             .high = vec3_add(sphere->point, around),
                             .accept = sphere->accept,
                             .user = sphere->user},
                     .sphere = sphere};
    numbers->visits = 0;
    if (!can_ask(sphere->point, sphere->max)) return true;
    return overlap(tree, &s, numbers, error);
}
