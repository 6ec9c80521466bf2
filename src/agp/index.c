// Which records of a file are the same one.
#include "agp/layout.h"

#include "core/array.h"

// Records of equal bytes are a class; its first member is the one that every cell that lists the
// class lists once, the second one that of cells that list it twice ...
typedef struct group {
    size_t offset;   // of the bytes
    uint64_t hash;   // of them
    uint32_t first;  // member, a provisional number
    uint32_t cursor; // the member that the current cell came to
    size_t cell;     // the current cell, counted from 1
} group;

typedef struct index {
    const agp_doc *doc;
    size_t record; // bytes of one
    group *groups;
    size_t groups_count, groups_capacity;
    uint32_t *slots; // open addressing: group + 1
    size_t slots_count;
    uint32_t *next; // of each member the next one of its group, 0 for none
    size_t count;   // members
} index;

static uint64_t bytes_hash(const uint8_t *at, size_t size) {
    uint64_t hash = size;
    for (size_t i = 0; i < size; i += 4) {
        hash = (hash ^ kart_load_u32(at + i, true)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash ^ hash >> 32;
}

static void slot_set(index *x, uint64_t hash, uint32_t number) {
    size_t at = (size_t)hash & (x->slots_count - 1);
    while (x->slots[at]) at = (at + 1) & (x->slots_count - 1);
    x->slots[at] = number;
}

static bool slots_double(index *x, kart_error *error) {
    size_t count = x->slots_count ? 2 * x->slots_count : 64;
    uint32_t *slots = kart_alloc(x->doc->ctx, count * sizeof *slots, error);
    if (!slots) return false;
    kart_free(x->doc->ctx, x->slots, x->slots_count * sizeof *slots);
    x->slots = slots;
    x->slots_count = count;
    for (size_t i = 0; i < x->groups_count; i++) slot_set(x, x->groups[i].hash, (uint32_t)i + 1);
    return true;
}

// The group of the bytes at `offset`, which is made if there is none; NULL if memory runs out.
static group *group_find(index *x, size_t offset, kart_error *error) {
    const uint8_t *data = x->doc->data;
    if (2 * (x->groups_count + 1) > x->slots_count && !slots_double(x, error)) return NULL;
    uint64_t hash = bytes_hash(data + offset, x->record);
    size_t at = (size_t)hash & (x->slots_count - 1);
    for (; x->slots[at]; at = (at + 1) & (x->slots_count - 1)) {
        group *g = &x->groups[x->slots[at] - 1];
        if (g->hash == hash && memcmp(data + g->offset, data + offset, x->record) == 0) return g;
    }
    group *grown = kart_array_grow(x->doc->ctx, x->groups, &x->groups_capacity, x->groups_count + 1,
                                   sizeof *grown, error);
    if (!grown) return NULL;
    x->groups = grown;
    group *g = &x->groups[x->groups_count++];
    *g = (group){.offset = offset, .hash = hash, .first = (uint32_t)x->count++};
    x->slots[at] = (uint32_t)x->groups_count;
    return g;
}

// The member that stands at `offset` in the list of a cell.
static bool member_find(index *x, size_t cell, size_t offset, uint32_t *member, kart_error *error) {
    group *g = group_find(x, offset, error);
    if (!g) return false;
    if (g->cell != cell + 1) {
        g->cell = cell + 1;
        g->cursor = g->first;
    } else {
        if (x->next[g->cursor] == 0) x->next[g->cursor] = (uint32_t)x->count++;
        g->cursor = x->next[g->cursor];
    }
    *member = g->cursor;
    return true;
}

static bool members_find(index *x, agp_kind kind, uint32_t *list, kart_error *error) {
    const agp_doc *doc = x->doc;
    for (size_t i = 0; i < doc->cells_count; i++) {
        const agp_cell *c = &doc->cells[i];
        if (!kart_ctx_step_at(doc->ctx, i, doc->cells_count, error)) return false;
        for (size_t k = 0; k < c->count[kind]; k++)
            if (!member_find(x, i, c->offset[kind] + k * x->record, &list[c->first[kind] + k],
                             error))
                return false;
    }
    return true;
}

// Give the members their numbers in the order of the lists.
static bool members_order(const agp_doc *doc, agp_kind kind, uint32_t *list, size_t count,
                          kart_error *error) {
    size_t size = count * sizeof(uint32_t), places = doc->pools[kind].places;
    uint32_t *order = kart_alloc(doc->ctx, size, error);
    uint32_t *number = order ? kart_alloc(doc->ctx, size, error) : NULL;
    bool done = number && agp_order(doc->ctx, doc->cells, doc->cells_count, kind, list, places,
                                    count, order, error);
    if (done) {
        for (size_t i = 0; i < count; i++) number[order[i]] = (uint32_t)i;
        for (size_t i = 0; i < places; i++) list[i] = number[list[i]];
    }
    kart_free(doc->ctx, order, size);
    kart_free(doc->ctx, number, size);
    return done;
}

bool agp_pool_place(agp_doc *doc, agp_kind kind, kart_error *error) {
    agp_pool *pool = &doc->pools[kind];
    size_t record = agp_record_size(kind);
    pool->starts = kart_alloc(doc->ctx, (pool->count + 1) * sizeof *pool->starts, error);
    if (!pool->starts) return false;
    pool->offsets = kart_alloc(doc->ctx, pool->places * sizeof *pool->offsets, error);
    if (!pool->offsets) return false;
    for (size_t i = 0; i < pool->places; i++) pool->starts[pool->list[i]]++;
    uint32_t sum = 0;
    for (size_t i = 0; i <= pool->count; i++) { // each one's end, which moves to its start below
        sum += i < pool->count ? pool->starts[i] : 0;
        pool->starts[i] = sum;
    }
    for (size_t i = doc->cells_count; i-- > 0;) {
        const agp_cell *c = &doc->cells[i];
        for (size_t k = c->count[kind]; k-- > 0;) {
            uint32_t at = --pool->starts[pool->list[c->first[kind] + k]];
            pool->offsets[at] = (uint32_t)(c->offset[kind] + k * record);
        }
    }
    return true;
}

bool agp_pool_index(agp_doc *doc, agp_kind kind, kart_error *error) {
    kart_ctx *ctx = doc->ctx;
    agp_pool *pool = &doc->pools[kind];
    index x = {.doc = doc, .record = agp_record_size(kind)};
    pool->list = kart_alloc(ctx, pool->places * sizeof *pool->list, error);
    if (pool->list) x.next = kart_alloc(ctx, pool->places * sizeof *x.next, error);
    bool done = x.next && members_find(&x, kind, pool->list, error) &&
                members_order(doc, kind, pool->list, x.count, error);
    kart_free(ctx, x.groups, x.groups_capacity * sizeof *x.groups);
    kart_free(ctx, x.slots, x.slots_count * sizeof *x.slots);
    kart_free(ctx, x.next, pool->places * sizeof *x.next);
    // The places are there before the count: a document that failed frees what it has.
    if (done) pool->count = x.count;
    return done && agp_pool_place(doc, kind, error);
}
