// The walk of a ray through a tree. Included once for each way in which processors take several
// numbers at once; the file that includes it defines
//     TARGET                the attribute that functions need
//     node_look             which children of a node a ray passes, and how far away they are
//     doubles, DOUBLES      so many numbers of double precision at a time
//     doubles_at            the same in memory
//     DOUBLES_LEAST, _MOST  of two such
//     DOUBLES_BITS          one bit for each that is true, of a comparison of these
// Everything is the same arithmetic, so that the ways differ in speed only.

// A child to be looked at later: in the upper half how far away it is, as the bits of a float,
// which are in order for numbers that aren't negative; in the lower half which one.
typedef uint64_t step;

// Where corners are, seen along the ray: x and y in its plane, and how far away.
typedef struct lean {
    doubles x, y, along;
} lean;

TARGET static inline lean corner_lean(const double corner[3][TREE_LEAF], const tree_ray *ray,
                                      int first) {
    const doubles x = *(const doubles_at *)&corner[ray->x][first] - ray->origin[ray->x];
    const doubles y = *(const doubles_at *)&corner[ray->y][first] - ray->origin[ray->y];
    const doubles along = *(const doubles_at *)&corner[ray->z][first] - ray->origin[ray->z];
    return (lean){x - along * ray->shear[0], y - along * ray->shear[1], along};
}

// Which triangles of a leaf are hit by the ray's line, one bit each. Edge functions after Woop,
// Benthin and Wald: all of one sign, or 0; where all are 0, there is no triangle or it is seen edge
// on.
TARGET static inline unsigned leaf_look(const tree_leaf *leaf, const tree_ray *ray,
                                        tree_look *look) {
    unsigned bits = 0;
    for (int first = 0; first < TREE_LEAF; first += DOUBLES) {
        const lean a = corner_lean(leaf->corner[0], ray, first);
        const lean b = corner_lean(leaf->corner[1], ray, first);
        const lean c = corner_lean(leaf->corner[2], ray, first);
        const doubles u = c.x * b.y - c.y * b.x;
        const doubles v = a.x * c.y - a.y * c.x;
        const doubles w = b.x * a.y - b.y * a.x;
        *(doubles_at *)&look->edge[0][first] = u;
        *(doubles_at *)&look->edge[1][first] = v;
        *(doubles_at *)&look->edge[2][first] = w;
        *(doubles_at *)&look->along[0][first] = a.along;
        *(doubles_at *)&look->along[1][first] = b.along;
        *(doubles_at *)&look->along[2][first] = c.along;
        const doubles least = DOUBLES_LEAST(DOUBLES_LEAST(u, v), w);
        const doubles most = DOUBLES_MOST(DOUBLES_MOST(u, v), w);
        bits |= DOUBLES_BITS((least >= 0) ^ (most <= 0)) << first;
    }
    return bits;
}

// True if the walk is to end.
TARGET static inline bool leaf_walk(const kart_tree *tree, tree_search *search, uint32_t number) {
    tree_look look;
    const tree_leaf *leaf = &tree->leaves[number];
    for (unsigned bits = leaf_look(leaf, &search->ray, &look); bits; bits &= bits - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(bits);
        tree_found found = {.leaf = number, .lane = lane, .number = leaf->number[lane]};
        if (!tree_ray_hit(&search->ray, leaf, lane, &look, &found)) continue;
        if (search->mode != TREE_ALL && !tree_search_wants(search, &found)) continue;
        if (search->plain ? tree_search_keep(search, &found)
                          : tree_search_take(tree, search, &found))
            return true;
    }
    return false;
}

TARGET static inline step step_make(const tree_node *node, const uint32_t near[TREE_WIDTH],
                                    unsigned lane) {
    return (step)near[lane] << 32 | node->child[lane];
}

// Ask for what will be looked at later; a node or leaf is that many bytes, about. On what is larger
// than caches it saves most of the wait, on what isn't it costs nothing that can be measured.
TARGET static inline void child_fetch(const kart_tree *tree, uint32_t child) {
    const char *at = child & TREE_IS_LEAF ? (const char *)&tree->leaves[child & ~TREE_IS_LEAF]
                                          : (const char *)&tree->nodes[child];
    for (size_t line = 0; line < 320; line += 64) __builtin_prefetch(at + line);
}

// Put a child where it belongs among those of its node, which begin at `base`: the nearest on top.
TARGET static inline size_t step_push(step *stack, size_t base, size_t count, step new) {
    size_t at = count;
    for (; at > base && stack[at - 1] < new; at--) stack[at] = stack[at - 1];
    stack[at] = new;
    return count + 1;
}

TARGET static void walk(const kart_tree *tree, tree_search *search) {
    step stack[TREE_STACK];
    size_t count = 0;
    uint32_t child = 0, visits = 0, best;
    if (tree->stats.nodes == 0) return;
    for (;;) {
        visits++;
        if (child & TREE_IS_LEAF) {
            const uint32_t leaf = child & ~TREE_IS_LEAF;
            if (search->sweep ? tree_search_sweep(tree, search, leaf)
                              : leaf_walk(tree, search, leaf)) {
                search->visits += visits;
                return;
            }
        } else {
            uint32_t near[TREE_WIDTH];
            const tree_node *node = &tree->nodes[child];
            __builtin_prefetch(node->child); // or it would be waited for after the bounds
            unsigned bits = node_look(node, &search->ray, search->best_up, near);
            if (bits) {
                const unsigned lane = (unsigned)__builtin_ctz(bits);
                bits &= bits - 1;
                if (!bits) {
                    child = node->child[lane];
                    continue;
                }
                step next = step_make(node, near, lane);
                const size_t base = count;
                for (; bits; bits &= bits - 1) {
                    const step other = step_make(node, near, (unsigned)__builtin_ctz(bits));
                    // Without a branch: which is nearer is anyone's guess.
                    const step far = other < next ? next : other;
                    next = other < next ? other : next;
                    count = step_push(stack, base, count, far);
                    child_fetch(tree, (uint32_t)far);
                }
                child = (uint32_t)next;
                continue;
            }
        }
        memcpy(&best, &search->best_up, sizeof best);
        do {
            if (count == 0) {
                search->visits += visits;
                return;
            }
            child = (uint32_t)stack[--count];
        } while (stack[count] >> 32 > best);
    }
}
