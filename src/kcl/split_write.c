// The octree over the models, from the planes between them; and parts that lie nowhere.
#include "kcl/split.h"

#include "core/array.h"
#include "kcl/octree.h"

// A cell of the octree: what it is in, and the group of eight words it leads to.
typedef struct cell {
    double low[3];
    unsigned depth;
    uint32_t cut; // the deepest one that holds all of it
    size_t at;    // its word
} cell;

typedef struct cells {
    cell *items;
    size_t count, capacity;
} cells;

// The deepest cut that holds all of the box.
static uint32_t cut_of(const kcl_split *s, uint32_t cut, const double low[3],
                       const double high[3]) {
    for (;;) {
        const kcl_cut *c = &s->cuts[cut];
        if (c->axis < 0) return cut;
        if (high[c->axis] <= c->plane)
            cut = c->below;
        else if (low[c->axis] >= c->plane)
            cut = c->above;
        else
            return cut;
    }
}

static void cell_end(const kcl_split *s, const cell *c, double high[3]) {
    for (int i = 0; i < 3; i++) high[i] = c->low[i] + ldexp(1, (int)s->shift[i] - (int)c->depth);
}

// The word of a cell in one part: nothing where none of its triangles can be touched.
static uint32_t part_word(const kcl_split *s, const cell *c, uint32_t number) {
    const kcl_part *part = &s->parts[number];
    double high[3];
    cell_end(s, c, high);
    for (int i = 0; i < 3; i++)
        // A unit more, as fractions are cut off.
        if (part->reach.low[i] > s->min[i] + high[i] + 1 ||
            part->reach.high[i] < s->min[i] + c->low[i] - 1)
            return KCL_GLOBAL_EMPTY;
    return KCL_GLOBAL_MODEL | number;
}

// The eight cells in one, in a new group at the writer's end.
static bool group_add(const kcl_split *s, cells *all, const cell *above, kart_writer *writer,
                      kart_error *error) {
    cell *items =
        kart_array_grow(s->ctx, all->items, &all->capacity, all->count + 8, sizeof *items, error);
    if (!items) return false;
    all->items = items;
    for (unsigned i = 0; i < 8; i++) {
        cell *c = &items[all->count++];
        double high[3];
        *c = (cell){.depth = above->depth + 1, .at = writer->size};
        for (int k = 0; k < 3; k++)
            c->low[k] = above->low[k] + (i >> k & 1) * ldexp(1, (int)s->shift[k] - (int)c->depth);
        cell_end(s, c, high);
        c->cut = cut_of(s, above->cut, c->low, high);
        kart_write_u32(writer, 0);
    }
    return true;
}

bool kcl_split_write(const kcl_split *s, kart_writer *writer, kart_error *error) {
    cells all = {.count = 0};
    const cell whole = {.depth = 0};
    bool done = group_add(s, &all, &whole, writer, error);
    for (size_t next = 0; done && !writer->failed && next < all.count; next++) {
        const cell c = all.items[next];
        const kcl_cut *cut = &s->cuts[c.cut];
        uint32_t word = cut->axis < 0 ? part_word(s, &c, cut->below) : 0;
        if (cut->axis >= 0) {
            // Words count from the start of the group that the word is in.
            word = (uint32_t)((writer->size - all.items[next / 8 * 8].at) / 4);
            done = kart_ctx_step(s->ctx, 0, error) && group_add(s, &all, &c, writer, error);
        }
        if (done && !writer->failed) kart_store_u32(writer->data + c.at, writer->big, word);
    }
    kart_free(s->ctx, all.items, all.capacity * sizeof *all.items);
    if (done && writer->failed && error) *error = writer->error;
    return done && !writer->failed;
}
